//! The original program's algorithm: plain minimax. Which of several best moves is played is drawn as for every level.

use crate::ai::Proof;
use crate::ai::minimax::{Distance, Minimax, Ties, best_moves};
use crate::ai::{Candidates, MoveTask, Strategy};
use crate::games::tictactoe::{Cell, TicTacToe, cells};

/// The original program's algorithm: full-width minimax, as deep as a million leaf positions allow.
#[derive(Debug)]
pub(crate) struct TicTacToeClassic;

/// The largest depth at which at most a million sequences lie below a board with `empty` free cells.
fn classic_depth(empty: u32) -> u32 {
    let mut sequences: u64 = 1;
    for depth in 0..empty {
        sequences *= u64::from(empty - depth);
        if sequences > 1_000_000 {
            return depth;
        }
    }
    empty
}

impl Strategy<TicTacToe> for TicTacToeClassic {
    fn think(
        &mut self,
        MoveTask { at, control, budget, .. }: &mut MoveTask<'_, TicTacToe>,
    ) -> Candidates<Cell> {
        let mut game = at.now.clone();
        let bound = i32::try_from(game.size() * game.size()).expect("at most 100 cells") + 2;
        let depth = control.limits.depth.unwrap_or_else(|| classic_depth(game.empty().count_ones())).max(1);
        let minimax = Minimax { bound, distance: Distance::Counted, ties: Ties::First };
        let values = minimax.root_values(&mut game, depth, budget);
        let mut moves = best_moves(&values);
        if moves.is_empty() {
            moves.extend(cells(game.empty()).next());
        }
        let score = values.iter().map(|&(_, value)| value).max();
        // To the end of the game the value is a proof; its distance from the bound is the number of plies.
        let is_whole = depth >= game.empty().count_ones() && !budget.is_spent();
        let proof = score.filter(|_| is_whole).map(|score| match score {
            1.. => Proof::WinIn((bound - score).unsigned_abs()),
            0 => Proof::Draw,
            _ => Proof::LostIn((bound + score).unsigned_abs()),
        });
        Candidates { proof, score, depth, ..Candidates::among(moves) }
    }
}
