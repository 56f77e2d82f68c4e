//! An engine that solves small boards before it moves, if all reachable positions fit into a table. This
//! module depends on the rules and the solver.

use std::cmp::Reverse;

use super::solve;
use crate::ai::{
    Engine, EngineResources, GameHistory, Limits, MoveChoice, ProofStatus, SearchBudget, SearchControl,
    SearchInfo, SolveControl, WIN_VALUE,
};
use crate::game::{Game, Outcome};
use crate::games::quoridor::{Move, Quoridor};

/// Largest number of positions solved before a move.
const MAX_SOLVED_POSITIONS: u64 = 40_000_000;
/// Memory limit of the solver, in MiB.
const MAX_SOLVER_MEMORY_MIB: usize = 128;

/// An engine that plays proved moves if it can solve the position, and otherwise lets another engine choose.
pub(super) struct SolveFirstEngine {
    fallback: Box<dyn Engine<Quoridor>>,
    threads: usize,
    memory_mib: usize,
}

impl SolveFirstEngine {
    /// Creates an engine that solves within the threads and memory of `resources`.
    pub(super) fn new(fallback: Box<dyn Engine<Quoridor>>, resources: &EngineResources) -> Self {
        let memory_mib = resources.memory_mib_or(MAX_SOLVER_MEMORY_MIB).min(MAX_SOLVER_MEMORY_MIB);
        SolveFirstEngine { fallback, threads: resources.thread_count(), memory_mib }
    }
}

impl Engine<Quoridor> for SolveFirstEngine {
    fn new_game(&mut self) {
        self.fallback.new_game();
    }

    fn reset_for_next_candidate(&mut self) {
        self.fallback.reset_for_next_candidate();
    }

    fn choose(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        control: &SearchControl<'_, Move>,
    ) -> MoveChoice<Move> {
        let budget = SearchBudget::start(control);
        if let Some(choice) = self.choose_solved_move(at.now, control, &budget) {
            return choice;
        }
        let limits = budget.remaining_limits(control.limits);
        self.fallback.choose(at, &SearchControl { limits, ..*control })
    }
}

impl SolveFirstEngine {
    /// Returns the best move of a position that can be solved within half of the limits: the shortest win, a
    /// draw, or the longest loss.
    fn choose_solved_move(
        &self,
        game: &Quoridor,
        control: &SearchControl<'_, Move>,
        budget: &SearchBudget<'_>,
    ) -> Option<MoveChoice<Move>> {
        let asked = control.limits;
        if asked.depth.is_some() || asked.cpu_time.is_some() {
            return None;
        }
        let nodes = Some(asked.nodes.map_or(MAX_SOLVED_POSITIONS, |nodes| nodes.min(MAX_SOLVED_POSITIONS)));
        let limits = Limits { nodes, time: asked.time.map(|time| time / 2), ..Limits::default() };
        let control = SolveControl::without_reports(limits, control.stop);
        let control = SolveControl { memory_mib: Some(self.memory_mib), threads: self.threads, ..control };
        let solution = solve::solve_quoridor(game, &control).ok()?;
        // The solver ignores the cap on plies.
        let left = game.ply_limit().map_or(u32::MAX, |cap| cap.saturating_sub(game.ply()));
        if solution.plies.is_some_and(|plies| plies > left) {
            return None;
        }
        let me = game.to_move();
        let worth = |&(_, outcome, plies): &(Move, Outcome, Option<u32>)| {
            let plies = plies.unwrap_or(0).cast_signed();
            match outcome {
                Outcome::Win(side) if side == me => WIN_VALUE - plies,
                Outcome::Win(_) => plies - WIN_VALUE,
                Outcome::Draw => 0,
            }
        };
        let best = solution.moves.iter().min_by_key(|row| Reverse(worth(row)))?;
        let proof = match (best.1, best.2) {
            (Outcome::Win(side), Some(plies)) if side == me => ProofStatus::WinIn(plies),
            (Outcome::Win(_), Some(plies)) => ProofStatus::LostIn(plies),
            _ => ProofStatus::Draw,
        };
        let found = budget.make_info(vec![best.0], Some(worth(best)), best.2.unwrap_or(0));
        let info = SearchInfo { nodes: solution.states as u64, ..found };
        Some(MoveChoice { mv: best.0, info, proof: Some(proof) })
    }
}
