//! The engine of the smallest boards: plays by the solver, so it never loses what can be held.

use std::cmp::Reverse;

use rand::seq::IndexedRandom;

use crate::ai::hex::{solve, swap};
use crate::ai::{
    Candidate, Choice, Engine, EngineConfig, GameHistory, Info, Proof, Score, SearchControl, WIN,
};
use crate::game::{Game, Outcome};
use crate::games::hex::{Hex, Move, SwapRule};
use crate::random::Generator;

/// The largest board that it plays at once.
pub(super) const LARGEST: usize = 4;

/// Plays by the solver, and as another engine where the limits are too narrow for that.
pub(super) struct Small {
    config: EngineConfig,
    generator: Generator,
    other: Box<dyn Engine<Hex>>,
}

impl Small {
    pub(super) fn new(config: &EngineConfig, other: Box<dyn Engine<Hex>>) -> Self {
        Small { config: config.clone(), generator: config.generator(), other }
    }

    /// What is known about the empty board and the first stone without a search.
    fn known(&mut self, game: &Hex) -> Option<Move> {
        let first = game.first_stone().filter(|_| game.can_swap());
        if first.is_some_and(|cell| swap::wins(game.size(), cell) == Some(true)) {
            return Some(Move::Swap);
        }
        let cells = match game.swap_rule {
            _ if game.count() > 0 => Vec::new(),
            SwapRule::On => swap::openings(game),
            SwapRule::Off => {
                game.empty().filter(|&cell| swap::wins(game.size(), cell) == Some(true)).collect()
            }
        };
        cells.choose(&mut self.generator).copied().map(Move::Place)
    }
}

impl Engine<Hex> for Small {
    fn new_game(&mut self) {
        self.generator = self.config.generator();
        self.other.new_game();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        let game = at.now;
        if let Some(mv) = self.known(game) {
            return Info::of(vec![mv], None).choice();
        }
        let solved = solve::solve(game, control);
        // The fastest win, or the longest resistance.
        let told = |&(mv, outcome, plies): &(Move, Option<Outcome>, Option<u32>)| {
            let plies = i32::try_from(plies?).ok()?;
            let does_win = outcome?.winner() == Some(game.to_move());
            Some(Candidate::of(mv, Some(Score(if does_win { WIN - plies } else { plies - WIN }))))
        };
        let mut candidates: Vec<Candidate<Move>> = solved.moves.iter().filter_map(told).collect();
        candidates.sort_by_key(|one| Reverse(one.score));
        let is_known = solved.outcome.is_some();
        let Some(Candidate { score: Some(Score(best)), line, .. }) = candidates.first().filter(|_| is_known)
        else {
            return self.other.choose(at, control);
        };
        let plies = (WIN - best.abs()).unsigned_abs();
        let proof = Some(if *best > 0 { Proof::WinIn(plies) } else { Proof::LostIn(plies) });
        let (mv, pv, score) = (line[0], line.clone(), Some(Score(*best)));
        let (nodes, elapsed) = (solved.nodes, solved.elapsed);
        Choice { mv, info: Info { nodes, depth: plies, score, pv, candidates, elapsed }, proof }
    }
}
