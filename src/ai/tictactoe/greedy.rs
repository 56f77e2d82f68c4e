//! Strategies without search, for the weakest levels. They have no state.

use crate::ai::tictactoe::lines::{LineCounts, moves_with_best_line_score};
use crate::ai::{MoveTask, Strategy, StrategyResult};
use crate::game::Game;
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};

/// Skill of a strategy without search; each skill includes the ones above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GreedySkill {
    Random,
    Wins,
    Blocks,
    Lines,
}

/// Strategy without search.
#[derive(Debug)]
pub(crate) struct RuleBasedStrategy(pub(crate) GreedySkill);

impl Strategy<TicTacToe> for RuleBasedStrategy {
    const PLAYS_RANDOMLY: bool = true;

    fn think(&mut self, MoveTask { at, budget, .. }: &mut MoveTask<'_, TicTacToe>) -> StrategyResult<Cell> {
        let (game, looks) = (at.now, self.0 > GreedySkill::Random);
        budget.nodes = u64::from(looks) * u64::from(game.empty_cells().count_ones());
        StrategyResult {
            depth: u32::from(looks),
            ..StrategyResult::from_moves(candidate_moves(game, self.0))
        }
    }
}

/// Returns the moves among which a strategy of this skill draws.
pub(crate) fn candidate_moves(game: &TicTacToe, skill: GreedySkill) -> Vec<Cell> {
    let (counts, side) = (LineCounts::from_game(game), game.to_move());
    let pays_attention = [(GreedySkill::Wins, side), (GreedySkill::Blocks, side.other())];
    for (_, side) in pays_attention.into_iter().filter(|&(needed, _)| skill >= needed) {
        let completing = counts.completing_cells(side);
        if completing != 0 {
            return cells_in_mask(completing).collect();
        }
    }
    let moves = cells_in_mask(game.empty_cells()).collect();
    if skill < GreedySkill::Lines { moves } else { moves_with_best_line_score(game, moves) }
}
