//! What a position of Quoridor is worth, from distances and hands alone. Knows no search.

use crate::game::Game;
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

/// What is counted in a position, the mover's numbers before the other's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// Steps to the goal row.
    pub(crate) steps: [i32; 2],
    /// Walls in hand.
    pub(crate) hands: [i32; 2],
    /// The walls of the game, those that stand among them.
    pub(crate) all_walls: i32,
    /// The rows of the board.
    pub(crate) rows: i32,
}

impl Counts {
    /// Those of a position.
    pub(crate) fn of(game: &Quoridor) -> Self {
        let sides = [game.to_move(), game.to_move().other()];
        let passages = game.passages();
        let hands = sides.map(|side| i32::from(game.walls_left(side)));
        Counts {
            steps: sides.map(|side| game.steps_on(&passages, side).map_or(0, u32::cast_signed)),
            hands,
            all_walls: hands[0] + hands[1] + game.wall_count().cast_signed(),
            rows: i32::try_from(game.height()).unwrap_or(i32::MAX),
        }
    }
}

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
    weigh(&Counts::of(game))
}

/// The same from what is counted.
pub(crate) fn weigh(&Counts { steps: [own, other], hands: [mine, theirs], all_walls, rows }: &Counts) -> i32 {
    let (lead, more) = (other - own, (mine - theirs).clamp(-MAX_MORE, MAX_MORE));
    let (walls, distances) = (mine + theirs, own + other);
    let all_rows = 2 * (rows - 1);

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
