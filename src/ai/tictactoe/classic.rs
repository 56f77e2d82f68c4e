//! Level `classic`: the plain minimax of the original program. As in every level, ties are broken at
//! random.

use crate::ai::ProofStatus;
use crate::ai::minimax::{Minimax, TieBreak, WinDistance, moves_with_best_value};
use crate::ai::{MoveTask, Strategy, StrategyResult};
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};

/// Strategy of the original program: full-width minimax, as deep as a million leaf positions allow.
#[derive(Debug)]
pub(crate) struct ClassicMinimaxStrategy;

/// Returns the greatest depth with at most a million move sequences on a board with `empty` empty cells.
fn classic_search_depth(empty: u32) -> u32 {
    let mut sequences: u64 = 1;
    for depth in 0..empty {
        sequences *= u64::from(empty - depth);
        if sequences > 1_000_000 {
            return depth;
        }
    }
    empty
}

impl Strategy<TicTacToe> for ClassicMinimaxStrategy {
    fn think(
        &mut self,
        MoveTask { at, control, budget, .. }: &mut MoveTask<'_, TicTacToe>,
    ) -> StrategyResult<Cell> {
        let mut game = at.now.clone();
        let bound = i32::try_from(game.size() * game.size()).expect("at most 100 cells") + 2;
        let depth = control
            .limits
            .depth
            .unwrap_or_else(|| classic_search_depth(game.empty_cells().count_ones()))
            .max(1);
        let minimax = Minimax { bound, distance: WinDistance::Counted, ties: TieBreak::First };
        let values = minimax.root_move_values(&mut game, depth, budget);
        let mut moves = moves_with_best_value(&values);
        if moves.is_empty() {
            moves.extend(cells_in_mask(game.empty_cells()).next());
        }
        let score = values.iter().map(|&(_, value)| value).max();
        // A search to the end of the game proves the value; its distance from the bound is the number of
        // plies.
        let is_whole = depth >= game.empty_cells().count_ones() && !budget.is_spent();
        let proof = score.filter(|_| is_whole).map(|score| match score {
            1.. => ProofStatus::WinIn((bound - score).unsigned_abs()),
            0 => ProofStatus::Draw,
            _ => ProofStatus::LostIn((bound + score).unsigned_abs()),
        });
        StrategyResult { proof, score, depth, ..StrategyResult::from_moves(moves) }
    }
}
