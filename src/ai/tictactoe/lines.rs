//! How good a position looks by its lines: what is left to complete for either side. Knows the rules; an estimate, no
//! proof.

use crate::ai::tictactoe::stones;
use crate::ai::tictactoe::threats::{completions, is_single};
use crate::ai::{Eval, MATE_BOUND, WIN};
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe};

/// The line score of a side: 4^(own stones) for every line without an opposing stone, less the same for the opponent.
#[must_use]
pub fn line_score(game: &TicTacToe, side: Side) -> i64 {
    score_of(game, game.stones(side), game.stones(side.other()))
}

/// The mover's line score after its stone on an empty cell.
#[must_use]
pub fn line_score_after(game: &TicTacToe, cell: Cell) -> i64 {
    let (own, opp) = stones(game);
    score_of(game, own | cell.bit(), opp)
}

/// The stones that `own` still lacks on its best line; `None` if every line is dead for it.
pub(crate) fn least_needed(game: &TicTacToe, own: u128, opp: u128) -> Option<u32> {
    let live = game.lines().all().iter().filter(|&line| line & opp == 0);
    live.map(|line| (line & !own).count_ones()).min()
}

fn score_of(game: &TicTacToe, own: u128, opp: u128) -> i64 {
    let mut score = 0;
    for &line in game.lines().all() {
        if line & opp == 0 {
            score += 1 << (2 * (line & own).count_ones());
        }
        if line & own == 0 {
            score -= 1 << (2 * (line & opp).count_ones());
        }
    }
    score
}

/// Judges positions by the line score.
#[derive(Clone, Copy, Debug)]
pub struct ByLines(pub Leaf);

/// Whether a position is judged as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// By the line score alone.
    AsItIs,
    /// A line to complete now is a win, two to stop at once a loss.
    WithThreats,
}

impl Eval<TicTacToe> for ByLines {
    fn value(&mut self, game: &TicTacToe) -> i32 {
        let score = line_score(game, game.to_move());
        i32::try_from(score)
            .unwrap_or(if score < 0 { 1 - MATE_BOUND } else { MATE_BOUND - 1 })
            .clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    fn slots(&self, game: &TicTacToe) -> usize {
        game.size() * game.size()
    }

    fn slot(&self, _: &TicTacToe, cell: Cell) -> u16 {
        u16::from(cell.0)
    }

    fn rank(&mut self, game: &TicTacToe, cell: Cell) -> i32 {
        rank(game, cell)
    }

    fn bounds(&mut self, game: &TicTacToe) -> (i32, i32) {
        if self.0 == Leaf::AsItIs {
            return (-WIN, WIN);
        }
        let ((own, opp), lines) = (stones(game), game.lines().all());
        if completions(lines, own, opp) != 0 {
            return (WIN - 1, WIN - 1);
        }
        let threats = completions(lines, opp, own);
        if threats != 0 && !is_single(threats) { (2 - WIN, 2 - WIN) } else { (3 - WIN, WIN - 3) }
    }
}

/// How much a cell decides for either side: 2 * 4^(own stones) for every line through it that the opponent has not
/// entered, 3 * 4^(its stones) for every line that the mover has not entered.
pub(crate) fn rank(game: &TicTacToe, cell: Cell) -> i32 {
    let (own, opp) = stones(game);
    let mut rank = 0;
    for &line in game.lines().through(cell.index()) {
        if line & opp == 0 {
            rank += 2 << (2 * (line & own).count_ones());
        }
        if line & own == 0 {
            rank += 3 << (2 * (line & opp).count_ones());
        }
    }
    rank
}
