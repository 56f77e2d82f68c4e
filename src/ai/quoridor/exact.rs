//! Small boards before every move: as long as all positions that can follow fit into a table, nothing is left to judge. Knows the
//! rules and the solver.

use std::cmp::Reverse;

use super::solve;
use crate::ai::{
    Choice, Engine, EngineResources, GameHistory, Info, Limits, Proof, SearchBudget, SearchControl,
    SolveControl, WIN,
};
use crate::game::{Game, Outcome};
use crate::games::quoridor::{Move, Quoridor};

/// Largest number of positions that are solved before a move, and the memory that they may take, in MiB.
const POSITIONS: u64 = 40_000_000;
const MEMORY_MIB: usize = 128;

/// An engine that plays what is proved, and leaves to another one what is not.
pub(super) struct Exact {
    other: Box<dyn Engine<Quoridor>>,
    threads: usize,
    memory_mib: usize,
}

impl Exact {
    /// One that solves within what the engine may use of the machine.
    pub(super) fn before(other: Box<dyn Engine<Quoridor>>, resources: &EngineResources) -> Self {
        let memory_mib = resources.memory_or(MEMORY_MIB).min(MEMORY_MIB);
        Exact { other, threads: resources.thread_count(), memory_mib }
    }
}

impl Engine<Quoridor> for Exact {
    fn new_game(&mut self) {
        self.other.new_game();
    }

    fn next_candidate(&mut self) {
        self.other.next_candidate();
    }

    fn choose(&mut self, at: &GameHistory<'_, Quoridor>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        let budget = SearchBudget::start(control);
        if let Some(choice) = self.solved(at.now, control, &budget) {
            return choice;
        }
        let limits = budget.rest_of(control.limits);
        self.other.choose(at, &SearchControl { limits, ..*control })
    }
}

impl Exact {
    /// The best move of a board that can be solved within half of the limits: the shortest win, a draw, the longest loss.
    fn solved(
        &self,
        game: &Quoridor,
        control: &SearchControl<'_, Move>,
        budget: &SearchBudget<'_>,
    ) -> Option<Choice<Move>> {
        let asked = control.limits;
        if asked.depth.is_some() || asked.cpu_time.is_some() {
            return None;
        }
        let nodes = Some(asked.nodes.map_or(POSITIONS, |nodes| nodes.min(POSITIONS)));
        let limits = Limits { nodes, time: asked.time.map(|time| time / 2), ..Limits::default() };
        let control = SolveControl::quiet(limits, control.stop);
        let control = SolveControl { memory_mib: Some(self.memory_mib), threads: self.threads, ..control };
        let solution = solve::solve(game, &control).ok()?;
        // The solver knows no last ply.
        let left = game.cap().map_or(u32::MAX, |cap| cap.saturating_sub(game.ply()));
        if solution.plies.is_some_and(|plies| plies > left) {
            return None;
        }
        let me = game.to_move();
        let worth = |&(_, outcome, plies): &(Move, Outcome, Option<u32>)| {
            let plies = plies.unwrap_or(0).cast_signed();
            match outcome {
                Outcome::Win(side) if side == me => WIN - plies,
                Outcome::Win(_) => plies - WIN,
                Outcome::Draw => 0,
            }
        };
        let best = solution.moves.iter().min_by_key(|row| Reverse(worth(row)))?;
        let proof = match (best.1, best.2) {
            (Outcome::Win(side), Some(plies)) if side == me => Proof::WinIn(plies),
            (Outcome::Win(_), Some(plies)) => Proof::LostIn(plies),
            _ => Proof::Draw,
        };
        let found = budget.found(vec![best.0], Some(worth(best)), best.2.unwrap_or(0));
        let info = Info { nodes: solution.states as u64, ..found };
        Some(Choice { mv: best.0, info, proof: Some(proof) })
    }
}
