//! The players that do not look ahead, and the original program's. Know the rules, keep nothing.

use rand::RngExt;

use crate::ai::Proof;
use crate::ai::minimax::{Distance, Minimax, Ties, best_moves};
use crate::ai::tictactoe::lines::{LineCounts, finest_by_lines};
use crate::ai::tictactoe::{Candidates, Strategy, Task};
use crate::game::Game;
use crate::games::tictactoe::{Cell, TicTacToe, cells};
use crate::random::Generator;

/// The original program's algorithm: full-width minimax, as deep as a million leaf positions allow.
#[derive(Debug)]
pub(crate) struct Classic;

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

impl Strategy for Classic {
    fn think(&mut self, Task { game, control, budget, .. }: &mut Task<'_>) -> Candidates {
        let mut game = game.clone();
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
        Candidates { proof, score, depth, ..Candidates::among(moves, budget) }
    }
}

/// What a player who does not look ahead pays attention to; each skill includes those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Skill {
    Random,
    Wins,
    Blocks,
    Lines,
}

/// A player who does not look ahead.
#[derive(Debug)]
pub(crate) struct Reflex(pub(crate) Skill);

impl Strategy for Reflex {
    fn think(&mut self, Task { game, budget, .. }: &mut Task<'_>) -> Candidates {
        let looks = self.0 > Skill::Random;
        budget.nodes = u64::from(looks) * u64::from(game.empty().count_ones());
        Candidates { depth: u32::from(looks), ..Candidates::among(candidates(game, self.0), budget) }
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
    if skill < Skill::Lines { moves } else { finest_by_lines(game, moves) }
}

/// One of several moves, each with the same chance.
pub(crate) fn draw(moves: &[Cell], generator: &mut Generator) -> Cell {
    moves[generator.random_range(0..moves.len())]
}
