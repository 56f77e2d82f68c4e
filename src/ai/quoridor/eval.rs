//! What a position of Quoridor is worth, from distances and hands alone. Knows no search.

use crate::game::{Game, Side};
use crate::games::quoridor::Quoridor;

/// About one step of the pawn.
pub(crate) const STEP: i32 = 100;

// Starting values, taken from published programs; to be tuned in play against ourselves.
const TEMPO: i32 = 44;
const LEAD: i32 = 161;
const LEAD_BY_WALLS: i32 = -61;
const WALL: i32 = 25;
const WALL_BY_DISTANCE: i32 = 102;
/// More walls than this in hand cannot be used up; without the limit long paths would seem better than short ones.
const MAX_MORE: i32 = 20;
const OWN_DISTANCE: i32 = -29;
const OTHER_DISTANCE: i32 = 32;
const OTHER_HAS_NO_WALL: i32 = 161;
const I_HAVE_NO_WALL: i32 = -158;
const RACE: i32 = 800;
const NEAR: i32 = 4;
const NEAR_OTHER: i32 = -5;
const NEAR_OWN: i32 = 14;

/// The value of an unfinished position for the side to move, in hundredths of a step.
///
/// The same for the position mirrored left to right, and for the one turned upside down with the sides exchanged.
///
/// ```
/// use crosspath::ai::quoridor::eval::evaluate;
/// use crosspath::games::quoridor::Quoridor;
/// assert_eq!(evaluate(&Quoridor::new(9)?), 44 - 29 * 8 + 32 * 8);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn evaluate(game: &Quoridor) -> i32 {
    let me = game.to_move();
    let passages = game.passages();
    let steps = |side: Side| game.steps_on(&passages, side).map_or(0, u32::cast_signed);
    let hand = |side: Side| i32::from(game.walls_left(side));
    let (own, other) = (steps(me), steps(me.other()));
    let (mine, theirs) = (hand(me), hand(me.other()));
    let (lead, more) = (other - own, (mine - theirs).clamp(-MAX_MORE, MAX_MORE));
    let (walls, distances) = (mine + theirs, own + other);
    let all_walls = walls + game.wall_count().cast_signed();
    let all_rows = 2 * i32::try_from(game.height() - 1).unwrap_or(i32::MAX);

    let mut value = TEMPO + LEAD * lead + LEAD_BY_WALLS * lead * walls / all_walls.max(1);
    value += WALL * more + WALL_BY_DISTANCE * more * distances / all_rows;
    value += OWN_DISTANCE * own + OTHER_DISTANCE * other;
    if theirs == 0 {
        value += OTHER_HAS_NO_WALL + if own <= other { RACE } else { 0 };
    }
    if mine == 0 {
        value += I_HAVE_NO_WALL - if other < own { RACE } else { 0 };
    }
    if other <= NEAR {
        value += NEAR_OTHER * mine.min(3);
    }
    if own <= NEAR {
        value += NEAR_OWN * theirs.min(3);
    }
    value
}
