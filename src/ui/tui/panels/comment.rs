//! Panel with the comment on the shown position, or with the reason why a move was a mistake.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::line_with_side_colours;
use super::super::facts::MatchFacts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, to_u16_saturating};
use crate::messages::screen as sentences;
use crate::text::columns::wrap_text;

/// Builds the comment panel for a frame of this width, if there is a comment.
pub(super) fn build_comment_panel(c: &FrameContext<'_>, width: u16) -> Option<PanelContent> {
    let room = usize::from(width.saturating_sub(4)).max(1);
    let why = c.shown_mistake().and_then(|lesson| lesson.consequence.as_ref());
    let (title, lines): (&str, Vec<Line<'static>>) = if let Some(why) = why {
        let rows = wrap_text(why.text.clone(), room);
        (
            sentences::MISTAKE_REASON_HEADING,
            rows.iter().map(|row| line_with_side_colours(c, row, Style::new())).collect(),
        )
    } else {
        let rows = c.game.comments().iter().flat_map(|line| wrap_text(line.as_str(), room));
        (sentences::COMMENT_HEADING, rows.map(|row| Line::styled(row.into_string(), Style::new())).collect())
    };
    (!lines.is_empty()).then(|| PanelContent {
        id: PanelId::Comment,
        rank: 1,
        min: 3,
        wanted: to_u16_saturating(lines.len()) + 2,
        title: title.to_owned(),
        lines,
        short: Vec::new(),
        dots: c.screen.looks.ellipsis(),
    })
}
