//! Static evaluation of Quoridor by path lengths and walls left. This module is independent of the search.

use crate::game::Game;
use crate::games::quoridor::Quoridor;

/// Approximate score of one pawn step.
pub(crate) const SCORE_PER_STEP: i32 = 100;

// The weights, in about hundredths of a step; 250 are one unit of the log odds to win. `train/terms.py`
// fitted them to 34,000 self-play games of an earlier search. A step decides less while many walls are left,
// so three weights depend on the walls left: they are given at these percentages of all walls and
// interpolated linearly between them.
const WALL_SHARE_KNOTS: [i32; 7] = [0, 5, 10, 20, 30, 45, 65];
const TEMPO_WEIGHTS: [i32; 7] = [-35, 2, -8, -22, -32, -53, -75];
const LEAD_WEIGHTS: [i32; 7] = [19, 97, 84, 55, 35, 6, -21];
const WALL_WEIGHTS: [i32; 7] = [0, 410, 351, 222, 153, 102, 85];
/// Extra weight of each step of lead if both paths together are twice as long as at the start. It grows
/// linearly with their length.
const LEAD_WEIGHT_BY_DISTANCE: i32 = 29;
/// Extra weight of each wall of lead if both paths together are twice as long as at the start. It grows
/// linearly with their length.
const WALL_WEIGHT_BY_DISTANCE: i32 = 14;
/// Bonus for a side that wins the race against an opponent without walls.
const RACE_WIN_BONUS: i32 = 480;
/// Weight of the mover's nearness to its goal row: the dividend of a term whose divisor is one more than its
/// steps to go. On boards larger than 9x9 the steps are scaled down.
const MOVER_NEARNESS_WEIGHT: i32 = 6737;
/// Weight of the opponent's nearness to its goal row, used like [`MOVER_NEARNESS_WEIGHT`].
const OPPONENT_NEARNESS_WEIGHT: i32 = -5853;
/// Steps between the goal rows of the 9x9 board, to which the weights are fitted.
const REFERENCE_PATH_LENGTH: i32 = 8;
/// Largest lead in walls that the evaluation distinguishes.
const MAX_COUNTED_WALL_LEAD: i32 = 20;

/// Evaluation weights for a game with a given number of walls and a given board height.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvalTerms {
    /// Weights of having the move, of one step of lead and of one wall of lead, by the total number of walls
    /// left.
    by_walls: Vec<[i32; 3]>,
    /// Sum of the lengths of both sides' paths at the start, in steps.
    distances: i32,
    /// Steps between the goal rows of the board, but at least 8, as on 9x9.
    length: i32,
}

impl EvalTerms {
    /// Returns the evaluation terms of a game.
    pub(crate) fn for_game(game: &Quoridor) -> Self {
        let hands =
            u32::from(game.walls_left(game.to_move())) + u32::from(game.walls_left(game.to_move().other()));
        let all = (hands + game.wall_count()).cast_signed();
        let rows = i32::try_from(game.height()).unwrap_or(i32::MAX / 4);
        let length = (rows - 1).max(REFERENCE_PATH_LENGTH);
        let weights = |walls: i32| {
            let [tempo, lead, wall] = [&TEMPO_WEIGHTS, &LEAD_WEIGHTS, &WALL_WEIGHTS]
                .map(|knots| interpolate_weight(knots, 100 * walls, all.max(1)));
            // On long paths a step back must not score better than a step forward.
            [tempo, if lead < 0 { lead * REFERENCE_PATH_LENGTH / length } else { lead }, wall]
        };
        EvalTerms { by_walls: (0..=all).map(weights).collect(), distances: 2 * (rows - 1), length }
    }

    /// Returns the value for the side to move. The arguments are the steps to go and the walls left, those of
    /// the side to move first.
    pub(crate) fn evaluate(&self, [own, other]: [i32; 2], [mine, theirs]: [i32; 2]) -> i32 {
        let (lead, more) =
            (other - own, (mine - theirs).clamp(-MAX_COUNTED_WALL_LEAD, MAX_COUNTED_WALL_LEAD));
        let [tempo, step, wall] = self.by_walls[(mine + theirs).unsigned_abs() as usize];
        let mut value = tempo + step * lead + wall * more;
        let longer = own + other - self.distances;
        value += (LEAD_WEIGHT_BY_DISTANCE * lead + WALL_WEIGHT_BY_DISTANCE * more) * longer / self.distances;
        let near =
            |weight: i32, steps: i32| weight * self.length / (self.length + REFERENCE_PATH_LENGTH * steps);
        value += near(MOVER_NEARNESS_WEIGHT, own) + near(OPPONENT_NEARNESS_WEIGHT, other);
        if theirs == 0 && own <= other {
            value += RACE_WIN_BONUS;
        }
        if mine == 0 && other < own {
            value -= RACE_WIN_BONUS;
        }
        value
    }
}

/// Interpolates a weight linearly between its knots, for `part` of `all` walls. It is constant beyond the
/// last knot.
fn interpolate_weight(knots: &[i32; WALL_SHARE_KNOTS.len()], part: i32, all: i32) -> i32 {
    let Some(next) = WALL_SHARE_KNOTS.iter().position(|&knot| knot * all >= part) else {
        return knots[WALL_SHARE_KNOTS.len() - 1];
    };
    let Some(before) = next.checked_sub(1) else { return knots[0] };
    let (from, to) = (WALL_SHARE_KNOTS[before] * all, WALL_SHARE_KNOTS[next] * all);
    knots[before] + (knots[next] - knots[before]) * (part - from) / (to - from)
}

/// Returns the value of an unfinished position for the side to move, in about hundredths of a step.
///
/// The mirror image has the same value, and so has the position turned upside down with the sides exchanged.
///
/// ```
/// use crosspath::ai::quoridor::eval::evaluate_by_terms;
/// use crosspath::games::quoridor::Quoridor;
/// assert_eq!(evaluate_by_terms(&Quoridor::new(9)?), -75 + 6737 / 9 - 5853 / 9);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn evaluate_by_terms(game: &Quoridor) -> i32 {
    let sides = [game.to_move(), game.to_move().other()];
    let passages = game.any_wall_graph();
    let steps = sides.map(|side| game.distance_to_goal_in(&passages, side).map_or(0, u32::cast_signed));
    EvalTerms::for_game(game).evaluate(steps, sides.map(|side| i32::from(game.walls_left(side))))
}
