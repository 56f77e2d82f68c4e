//! What a review has found, in words.

use crate::messages::screen;
use crate::play::{Game, Loss, Match};
use crate::record::NodeId;

/// Said where the adviser compares moves without saying chances.
const NO_CHANCES: &str = "The machine gives no chances on this board, so nothing is marked.";
/// Said where no move deserves a mark.
const NO_MARKS: &str = "No move cost much: none has a mark.";

/// The marked moves, a line each, and last the turning point.
pub(crate) fn review(game: &Match) -> Vec<String> {
    let played = game.game();
    let marked = played.marked().into_iter();
    let mut lines: Vec<String> = marked
        .map(|(mark, loss)| {
            format!("Move {} {}, {}.", named(played, loss.node), mark.sign(), better(played, &loss))
        })
        .collect();
    let [judged, known, all] = played.reviewed();
    if judged < all {
        lines.push(format!("Only {judged} of {all} positions are judged. review goes on with the rest."));
        return lines;
    }
    if known < all && known > 0 {
        lines.push(format!("The machine gives chances for {known} of {all} positions only."));
    }
    lines.push(match played.turning_point() {
        Some(loss) => format!("Turning point: move {}; {}.", named(played, loss.node), better(played, &loss)),
        None if known == 0 => NO_CHANCES.to_owned(),
        None if played.marked().is_empty() => NO_MARKS.to_owned(),
        None => screen::NO_TURNING_POINT.to_owned(),
    });
    lines
}

/// A move by its number and side: `10, Blue e9`.
fn named(game: &Game, id: NodeId) -> String {
    let position = game.position(id);
    let name = position.side_name(position.to_move().other());
    format!("{}, {name} {}", position.plies(), position.last().unwrap_or_default())
}

/// What would have been better: `better d9 (Blue 58 %, not 17 %)`.
pub(crate) fn better(game: &Game, loss: &Loss) -> String {
    let position = game.position(loss.node);
    let name = position.side_name(position.to_move().other());
    let [chance, left] = [loss.chance, loss.left].map(|chance| 100.0 * chance);
    format!("better {} ({name} {chance:.0} %, not {left:.0} %)", loss.better)
}

/// The same in few words: `better d9 (Blue 58 %)`.
pub(crate) fn better_in_short(game: &Game, loss: &Loss) -> String {
    let position = game.position(loss.node);
    let name = position.side_name(position.to_move().other());
    format!("better {} ({name} {:.0} %)", loss.better, 100.0 * loss.chance)
}
