//! Value of a position of Quoridor, from distances and walls left alone. Knows no search.

use crate::game::Game;
use crate::games::quoridor::Quoridor;

/// About one step of the pawn.
pub(crate) const STEP: i32 = 100;

// The weights, in about hundredths of a step: 250 are one unit of the log odds to win. Fitted by `train/terms.py` to 34,000
// games of a search of that time with itself. The more walls are left, the less a step decides, so three of them depend on the walls
// in both hands: these are their values at so many hundredths of all walls, and between them they change evenly.
const KNOTS: [i32; 7] = [0, 5, 10, 20, 30, 45, 65];
const TEMPO: [i32; 7] = [-35, 2, -8, -22, -32, -53, -75];
const LEAD: [i32; 7] = [19, 97, 84, 55, 35, 6, -21];
const WALL: [i32; 7] = [0, 410, 351, 222, 153, 102, 85];
/// For each step of the lead, where both ways together are twice as long as at the start.
const LEAD_BY_DISTANCE: i32 = 29;
/// For each wall more, the same.
const WALL_BY_DISTANCE: i32 = 14;
/// Bonus for a side that wins the race against an opponent without walls.
const RACE: i32 = 480;
/// Divided by one more than the steps to go, which on boards larger than 9x9 count less in proportion.
const OWN_NEARNESS: i32 = 6737;
const OTHER_NEARNESS: i32 = -5853;
/// The steps from row to row of the boards that the weights are fitted to.
const LENGTH: i32 = 8;
/// A lead in walls counts up to this: no more of them are of use.
const MAX_MORE: i32 = 20;

/// Values of steps and walls in a game with a given number of walls on a board of a given height.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// By the walls in both hands: to be on the move, a step of lead, a wall more.
    by_walls: Vec<[i32; 3]>,
    /// The steps of both sides at the start.
    distances: i32,
    /// The steps from row to row of the board, on small ones those of 9x9.
    length: i32,
}

impl Terms {
    /// Returns the terms of a game.
    pub(crate) fn of(game: &Quoridor) -> Self {
        let hands =
            u32::from(game.walls_left(game.to_move())) + u32::from(game.walls_left(game.to_move().other()));
        let all = (hands + game.wall_count()).cast_signed();
        let rows = i32::try_from(game.height()).unwrap_or(i32::MAX / 4);
        let length = (rows - 1).max(LENGTH);
        let weights = |walls: i32| {
            let [tempo, lead, wall] =
                [&TEMPO, &LEAD, &WALL].map(|knots| between(knots, 100 * walls, all.max(1)));
            // On long ways a step back is not to look better than one ahead.
            [tempo, if lead < 0 { lead * LENGTH / length } else { lead }, wall]
        };
        Terms { by_walls: (0..=all).map(weights).collect(), distances: 2 * (rows - 1), length }
    }

    /// The value for the side to move; its own steps and walls before the other's.
    pub(crate) fn weigh(&self, [own, other]: [i32; 2], [mine, theirs]: [i32; 2]) -> i32 {
        let (lead, more) = (other - own, (mine - theirs).clamp(-MAX_MORE, MAX_MORE));
        let [tempo, step, wall] = self.by_walls[(mine + theirs).unsigned_abs() as usize];
        let mut value = tempo + step * lead + wall * more;
        let longer = own + other - self.distances;
        value += (LEAD_BY_DISTANCE * lead + WALL_BY_DISTANCE * more) * longer / self.distances;
        let near = |weight: i32, steps: i32| weight * self.length / (self.length + LENGTH * steps);
        value += near(OWN_NEARNESS, own) + near(OTHER_NEARNESS, other);
        if theirs == 0 && own <= other {
            value += RACE;
        }
        if mine == 0 && other < own {
            value -= RACE;
        }
        value
    }
}

/// A weight at `part` of `all`, on the straight line between the knots beside it; behind the last knot it stays.
fn between(knots: &[i32; KNOTS.len()], part: i32, all: i32) -> i32 {
    let Some(next) = KNOTS.iter().position(|&knot| knot * all >= part) else { return knots[KNOTS.len() - 1] };
    let Some(before) = next.checked_sub(1) else { return knots[0] };
    let (from, to) = (KNOTS[before] * all, KNOTS[next] * all);
    knots[before] + (knots[next] - knots[before]) * (part - from) / (to - from)
}

/// The value of an unfinished position for the side to move, in about hundredths of a step.
///
/// The value is equal for the position mirrored left to right, and for the one turned upside down with the sides
/// exchanged.
///
/// ```
/// use crosspath::ai::quoridor::eval::evaluate;
/// use crosspath::games::quoridor::Quoridor;
/// assert_eq!(evaluate(&Quoridor::new(9)?), -75 + 6737 / 9 - 5853 / 9);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn evaluate(game: &Quoridor) -> i32 {
    let sides = [game.to_move(), game.to_move().other()];
    let passages = game.passages();
    let steps = sides.map(|side| game.steps_on(&passages, side).map_or(0, u32::cast_signed));
    Terms::of(game).weigh(steps, sides.map(|side| i32::from(game.walls_left(side))))
}
