//! The panel of a game that is over: the winner, the kind of win, the turning point, and an offer
//! of another level.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::told;
use super::super::facts::Facts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, number};
use super::super::theme::Part;
use crate::messages::ending;
use crate::text::Text;
use crate::text::columns::wrap;

/// Returns the panel for a frame of this width; `None` while the game continues from the position
/// that is shown. A review on request takes its place: then the row below the board names the
/// winner.
pub(super) fn content(c: &FrameContext<'_>, width: u16) -> Option<PanelContent> {
    let (game, shown) = (c.game?, c.game.shown()?);
    let has_review = game.game().is_reviewed() || game.game().review_progress().is_some();
    let verdict = ending::verdict(shown, c.game.you()).filter(|_| !has_review)?;
    let room = usize::from(width.saturating_sub(4));
    let rows = |text: Text| -> Vec<Line<'static>> {
        wrap(text, room).iter().map(|row| told(c, row, Style::new())).collect()
    };
    let badge = Line::styled(format!(" {verdict} "), c.screen.looks.part(Part::Heading).bold().reversed());
    let how = ending::how(shown, c.game.you(), c.screen.looks.glyphs).map(rows).unwrap_or_default();
    let short: Vec<Line<'static>> = [badge].into_iter().chain(how).collect();
    let turned = ending::turned(game).map(|[long, _]| rows(long)).unwrap_or_default();
    let offer = game.offer().map(|offer| rows(ending::offer(&offer, true))).unwrap_or_default();
    let lines: Vec<Line<'static>> = short.iter().cloned().chain(turned).chain(offer).collect();
    let [min, wanted] = [&short, &lines].map(|lines| number(lines.len()) + 2);
    Some(PanelContent {
        id: PanelId::Ending,
        rank: 0,
        min,
        wanted,
        title: ending::TITLE.to_owned(),
        lines,
        short,
        dots: "",
    })
}
