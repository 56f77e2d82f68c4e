//! The findings of a review in sentences.

use crate::messages::screen;
use crate::play::{Game, Loss, Match};
use crate::record::NodeId;

/// Shown when the engine compares moves without win percentages.
const NO_CHANCES: &str = "There are no win percentages for this board, so nothing is marked.";
/// Shown when no move deserves a mark.
const NO_MARKS: &str = "No mistakes found.";

/// Lists the marked moves, one per line, and last the turning point.
pub(super) fn review(game: &Match) -> Vec<String> {
    let game = game.game();
    let told = |loss: &Loss| {
        let [better, _] = better(game, loss);
        (named(game, loss.node), better)
    };
    let marked = game.marked().into_iter().map(|(mark, loss)| {
        let (named, better) = told(&loss);
        format!("Move {named} {}, {better}.", mark.symbol())
    });
    let mut lines: Vec<String> = marked.collect();
    let [judged, known, all] = game.reviewed();
    if judged < all {
        let (judged, all) = (judged.saturating_sub(1), all - 1);
        lines.push(format!("Only {judged} of {all} moves are reviewed. review continues with the rest."));
        return lines;
    }
    let last = match game.turning_point().as_ref().map(told) {
        Some((named, better)) => format!("Turning point: move {named}; {better}."),
        None if known == 0 => NO_CHANCES.to_owned(),
        None if lines.is_empty() => NO_MARKS.to_owned(),
        None => screen::NO_TURNING_POINT.to_owned(),
    };
    if known < all && known > 0 {
        let gaps = all - known;
        let positions = if gaps == 1 { "position" } else { "positions" };
        lines.push(format!("{gaps} {positions} could not be evaluated."));
    }
    lines.push(last);
    lines
}

/// Formats a move with its number and side: `10, Blue e9`.
fn named(game: &Game, id: NodeId) -> String {
    let position = game.position(id);
    let name = position.side_name(position.to_move().other());
    format!("{}, {name} {}", position.plies(), position.last().unwrap_or_default())
}

/// Says which move was better, longest form first: `better d9 (Blue 58%, not 17%)`, `better d9 (Blue 58%)`.
pub fn better(game: &Game, loss: &Loss) -> [String; 2] {
    let position = game.position(loss.node);
    let name = position.side_name(position.to_move().other());
    let short = format!("better {} ({name} {:.0}%", loss.better, 100.0 * loss.chance);
    [format!("{short}, not {:.0}%)", 100.0 * loss.left), format!("{short})")]
}
