//! The findings of a review in sentences.

use crate::messages::screen;
use crate::play::{Game, Loss, Match};
use crate::record::NodeId;
use crate::text;
use crate::text::{Text, of_move};

/// Shown when the engine compares moves without win percentages.
const NO_CHANCES: &str = "There are no win percentages for this board, so nothing is marked.";
/// Shown when no move deserves a mark.
const NO_MARKS: &str = "No mistakes found.";
/// Shown when no move deserves a mark, and not every position has a win percentage.
const NO_MARKS_THERE: &str = "No mistakes found among the rest.";

/// Lists the marked moves, one per line, and last the turning point.
pub(super) fn review(game: &Match) -> Vec<Text> {
    let game = game.game();
    let told = |loss: &Loss| {
        let [better, _] = better(game, loss);
        (named(game, loss.node), better)
    };
    let marked = game.marked().into_iter().map(|(mark, loss)| {
        let (named, better) = told(&loss);
        text!("Move {named} {}, {better}.", mark.symbol())
    });
    let mut lines: Vec<Text> = marked.collect();
    let [judged, known, all] = game.reviewed();
    if judged < all {
        let (judged, all) = (judged.saturating_sub(1), all - 1);
        lines.push(text!("Only {judged} of {all} moves are reviewed. review continues with the rest."));
        return lines;
    }
    let last = match game.turning_point().as_ref().map(told) {
        Some((named, better)) => text!("Turning point: move {named}; {better}."),
        None if known == 0 => NO_CHANCES.into(),
        None if lines.is_empty() && known < all => NO_MARKS_THERE.into(),
        None if lines.is_empty() => NO_MARKS.into(),
        None => screen::NO_TURNING_POINT.into(),
    };
    if known < all && known > 0 {
        let gaps = all - known;
        let positions = if gaps == 1 { "position" } else { "positions" };
        lines.push(text!("{gaps} {positions} could not be evaluated."));
    }
    lines.push(last);
    lines
}

/// Formats a move with its number and side: `10, Blue e9`.
fn named(game: &Game, id: NodeId) -> Text {
    let position = game.position(id);
    let side = position.to_move().other();
    let mv = of_move(Some(side), position.last().unwrap_or_default());
    text!("{}, {} {mv}", position.plies(), position.side_name(side))
}

/// Says which move was better, longest form first: `better d9 (Blue 58%, not 17%)`, `better d9 (Blue 58%)`.
pub fn better(game: &Game, loss: &Loss) -> [Text; 2] {
    let position = game.position(loss.node);
    let side = position.to_move().other();
    let (name, mv) = (position.side_name(side), of_move(Some(side), &loss.better));
    let short = text!("better {mv} ({name} {:.0}%", 100.0 * loss.chance);
    [text!("{short}, not {:.0}%)", 100.0 * loss.left), text!("{short})")]
}
