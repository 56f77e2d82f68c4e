//! Panel of a finished game, with the winner, the kind of win, the turning point and the offer of
//! another level.

use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::line_with_side_colours;
use super::super::facts::MatchFacts;
use super::super::frame::FrameContext;
use super::super::layout::{PanelContent, PanelId, to_u16_saturating};
use super::super::theme::ScreenPart;
use crate::messages::ending;
use crate::text::Text;
use crate::text::columns::wrap_text;

/// Builds the result panel for a frame of this width, if the game is over in the shown position.
///
/// There is no panel during a review. The row below the board then names the winner.
pub(super) fn build_ending_panel(c: &FrameContext<'_>, width: u16) -> Option<PanelContent> {
    let (game, shown) = (c.game?, c.game.shown_position()?);
    let has_review = game.game().has_review() || game.game().review_progress().is_some();
    let verdict = ending::format_result_heading(shown, c.game.human_side()).filter(|_| !has_review)?;
    let room = usize::from(width.saturating_sub(4));
    let rows = |text: Text| -> Vec<Line<'static>> {
        wrap_text(text, room).iter().map(|row| line_with_side_colours(c, row, Style::new())).collect()
    };
    let badge = Line::styled(
        format!(" {verdict} "),
        c.screen.looks.part_style(ScreenPart::Heading).bold().reversed(),
    );
    let how = ending::describe_ending(shown, c.game.human_side(), c.screen.looks.glyphs)
        .map(rows)
        .unwrap_or_default();
    let short: Vec<Line<'static>> = [badge].into_iter().chain(how).collect();
    let turned = ending::describe_turning_point(game).map(|[long, _]| rows(long)).unwrap_or_default();
    let offer =
        game.level_offer().map(|offer| rows(ending::format_level_offer(&offer, true))).unwrap_or_default();
    let lines: Vec<Line<'static>> = short.iter().cloned().chain(turned).chain(offer).collect();
    let [min, wanted] = [&short, &lines].map(|lines| to_u16_saturating(lines.len()) + 2);
    Some(PanelContent {
        id: PanelId::Ending,
        rank: 0,
        min,
        wanted,
        title: ending::GAME_OVER_HEADING.to_owned(),
        lines,
        short,
        dots: "",
    })
}
