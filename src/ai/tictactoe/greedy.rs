//! The players that do not look ahead. Know the rules, keep nothing.

use crate::ai::tictactoe::lines::{LineCounts, best_by_line_count};
use crate::ai::{Candidates, MoveTask, Strategy};
use crate::game::Game;
use crate::games::tictactoe::{Cell, TicTacToe, cells};

/// Skill of a player who does not look ahead; each skill includes those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Skill {
    Random,
    Wins,
    Blocks,
    Lines,
}

/// A player who does not look ahead.
#[derive(Debug)]
pub(crate) struct RuleBased(pub(crate) Skill);

impl Strategy<TicTacToe> for RuleBased {
    const IS_BY_CHANCE: bool = true;

    fn think(&mut self, MoveTask { at, budget, .. }: &mut MoveTask<'_, TicTacToe>) -> Candidates<Cell> {
        let (game, looks) = (at.now, self.0 > Skill::Random);
        budget.nodes = u64::from(looks) * u64::from(game.empty().count_ones());
        Candidates { depth: u32::from(looks), ..Candidates::among(candidates(game, self.0)) }
    }
}

/// The moves among which a player of that skill draws.
pub(crate) fn candidates(game: &TicTacToe, skill: Skill) -> Vec<Cell> {
    let (counts, side) = (LineCounts::of(game), game.to_move());
    let pays_attention = [(Skill::Wins, side), (Skill::Blocks, side.other())];
    for (_, side) in pays_attention.into_iter().filter(|&(needed, _)| skill >= needed) {
        let completing = counts.completions(side);
        if completing != 0 {
            return cells(completing).collect();
        }
    }
    let moves = cells(game.empty()).collect();
    if skill < Skill::Lines { moves } else { best_by_line_count(game, moves) }
}
