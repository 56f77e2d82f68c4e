//! The panel of the comment on the position that is shown, or of the reason why a mistake is one.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::told;
use super::super::facts::Facts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, number};
use crate::messages::screen as sentences;
use crate::text::columns::wrap;

/// Returns the panel for a frame of this width, if there is a comment.
pub(super) fn content(c: &FrameContext<'_>, width: u16) -> Option<PanelContent> {
    let room = usize::from(width.saturating_sub(4)).max(1);
    let why = c.mistake().and_then(|lesson| lesson.consequence.as_ref());
    let (title, lines): (&str, Vec<Line<'static>>) = if let Some(why) = why {
        let rows = wrap(why.text.clone(), room);
        (sentences::WHY, rows.iter().map(|row| told(c, row, Style::new())).collect())
    } else {
        let rows = c.game.comments().iter().flat_map(|line| wrap(line.as_str(), room));
        (sentences::COMMENT, rows.map(|row| Line::styled(row.into_string(), Style::new())).collect())
    };
    (!lines.is_empty()).then(|| PanelContent {
        id: PanelId::Comment,
        rank: 1,
        min: 3,
        wanted: number(lines.len()) + 2,
        title: title.to_owned(),
        lines,
        short: Vec::new(),
        dots: c.screen.looks.dots(),
    })
}
