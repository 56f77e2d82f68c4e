//! The engine of small boards: plays by the solvers, so it never loses what they prove to be won.

use std::cmp::Reverse;

use rand::seq::IndexedRandom;

use crate::ai::hex::proof::Prover;
use crate::ai::hex::{proof, replies, solve, swap};
use crate::ai::{
    Candidate, Choice, Engine, EngineConfig, GameHistory, Info, Proof, Score, SearchBudget, SearchControl,
    WIN,
};
use crate::game::{Game, Outcome};
use crate::games::hex::{Cell, Hex, Move, SwapRule};
use crate::random::Generator;

/// The largest board that it plays at once.
pub(super) const MAX_SOLVED_SIZE: usize = 7;
/// The largest board on which it counts plies.
const MAX_SIZE_WITH_PLIES: usize = 4;
/// Positions that the prover may look at where nothing else is said: about 0.1 s.
const PROVER_NODES: u64 = 400;
/// Of the positions that may be looked at, one in this many is used for each move that wins as well.
const SOLVER_NODE_DIVISOR: u64 = 40;
/// The prover's table, in MiB.
const MEMORY: usize = 32;

/// Plays by the solvers, and as another engine where the limits are too narrow for that.
pub(super) struct SolvingEngine {
    config: EngineConfig,
    generator: Generator,
    other: Box<dyn Engine<Hex>>,
    /// Positions that a level looks at without being asked to: they are the other engine's measure, not the prover's.
    usual: Option<u64>,
    /// Proof about the last own move: the cell on which it was played, and the empty cells that it needs.
    kept: Option<(usize, Vec<Cell>)>,
    /// Knows boards on which plies are not counted.
    prover: Option<Prover>,
}

impl SolvingEngine {
    pub(super) fn new(config: &EngineConfig, other: Box<dyn Engine<Hex>>, usual: Option<u64>) -> Self {
        let generator = config.generator();
        SolvingEngine { config: config.clone(), generator, other, usual, kept: None, prover: None }
    }

    /// Returns the move that is known for the empty board or after the first stone without a search.
    fn known_move(&mut self, game: &Hex) -> Option<Move> {
        let first = game.first_stone().filter(|_| game.can_swap());
        if first.is_some_and(|cell| swap::wins(game.size(), cell) == Some(true)) {
            return Some(Move::Swap);
        }
        let cells = match game.swap_rule {
            _ if game.count() > 0 => Vec::new(),
            SwapRule::On => swap::fair_openings(game),
            SwapRule::Off => {
                game.empty().filter(|&cell| swap::wins(game.size(), cell) == Some(true)).collect()
            }
        };
        cells.choose(&mut self.generator).copied().map(Move::Place)
    }

    /// The fastest win, or the longest resistance; nothing if the limits do not suffice.
    fn counted(game: &Hex, control: &SearchControl<'_, Move>) -> Option<Choice<Move>> {
        let solved = solve::solve(game, control);
        let told = |&(mv, outcome, plies): &(Move, Option<Outcome>, Option<u32>)| {
            let plies = i32::try_from(plies?).ok()?;
            let does_win = outcome?.winner() == Some(game.to_move());
            Some(Candidate::of(mv, Some(Score(if does_win { WIN - plies } else { plies - WIN }))))
        };
        let mut candidates: Vec<Candidate<Move>> = solved.moves.iter().filter_map(told).collect();
        candidates.sort_by_key(|one| Reverse(one.score));
        solved.outcome?;
        let Candidate { score, line, .. } = candidates.first()?;
        let (mv, pv, score) = (line[0], line.clone(), *score);
        let best = score?.0;
        let plies = (WIN - best.abs()).unsigned_abs();
        let proof = Some(if best > 0 { Proof::WinIn(plies) } else { Proof::LostIn(plies) });
        let (nodes, elapsed) = (solved.nodes, solved.elapsed);
        let info = Info { score, ..Info::of(pv, None) };
        Some(Choice { mv, info: Info { nodes, depth: plies, candidates, elapsed, ..info }, proof })
    }

    /// A move that wins, with the others that do as far as a part of the budget shows; the other engine's move if all lose.
    /// Nothing if the limits do not suffice.
    fn proved(
        &mut self,
        at: &GameHistory<'_, Hex>,
        control: &SearchControl<'_, Move>,
    ) -> Option<Choice<Move>> {
        let game = at.now;
        if let Some(cell) = game.empty().find(|&cell| game.would_win(game.to_move(), cell)) {
            let info = Info::of(vec![Move::Place(cell)], Some(WIN - 1));
            return Some(Choice { proof: Some(Proof::WinIn(1)), ..info.choice() });
        }
        if let Some(cell) = replies::winning(game) {
            let plies = most_plies(game, true);
            let info = Info::of(vec![Move::Place(cell)], Some(worth(plies)));
            return Some(Choice { proof: Some(Proof::WinIn(plies)), ..info.choice() });
        }
        // What the prover leaves undone is the other engine's, which needs its time too.
        let mut limits = control.limits.divide_time(2);
        if limits.nodes.is_none() && !limits.have_time()
            || limits.nodes.is_some() && limits.nodes == self.usual
        {
            limits.nodes = Some(PROVER_NODES);
        }
        let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
        let prover = self.prover.get_or_insert_with(|| Prover::new(game.size(), MEMORY));
        let proof =
            prover.prove(game, &mut budget).or_else(|| kept_win(game, self.kept.as_ref(), at.played))?;
        let Some(best) = proof.mv else {
            if game.can_swap() {
                return Some(Info::of(vec![Move::Swap], None).choice());
            }
            let rest = SearchControl { limits: budget.rest_of(control.limits), ..*control };
            let mut choice = self.other.choose(at, &rest);
            let plies = most_plies(game, false);
            choice.info.candidates.clear();
            choice.info.score = Some(Score(-worth(plies)));
            choice.info.nodes += budget.nodes;
            choice.proof = choice.proof.or(Some(Proof::LostIn(plies)));
            return Some(choice);
        };
        self.kept = Some((at.played.len(), proof.carrier));
        let plies = most_plies(game, true);
        let score = Some(Score(worth(plies)));
        let share = limits.nodes.unwrap_or(PROVER_NODES) / SOLVER_NODE_DIVISOR;
        let mut winning = vec![best];
        let mut after = game.clone();
        for cell in game.empty().filter(|&cell| cell != best) {
            if wins(prover, &mut after, cell, share, &mut budget) {
                winning.push(cell);
            }
        }
        let candidates = winning.iter().map(|&cell| Candidate::of(cell.into(), score)).collect();
        let info = Info::of(vec![best.into()], None);
        let info = Info { nodes: budget.nodes, score, candidates, elapsed: budget.elapsed(), ..info };
        Some(Choice { mv: best.into(), info, proof: Some(Proof::WinIn(plies)) })
    }
}

/// Returns the largest number of plies to the end of the game if the mover wins, or if the other side does: every stone
/// may still be needed.
fn most_plies(game: &Hex, does_win: bool) -> u32 {
    let left = u32::try_from(game.empty().count()).expect("a board is small");
    if (left % 2 == 1) == does_win { left } else { left - 1 }
}

fn worth(plies: u32) -> i32 {
    WIN - plies.cast_signed()
}

/// The win that the last own move kept, if the opponent has played where it does no harm: then any cell that is needed will do.
fn kept_win(game: &Hex, kept: Option<&(usize, Vec<Cell>)>, played: &[Move]) -> Option<proof::HexProof> {
    let (own, carrier) = kept.filter(|&&(ply, _)| ply + 2 == played.len())?;
    let reply = played[own + 1].cell().filter(|cell| !carrier.contains(cell))?;
    debug_assert!(game.stone(reply).is_some());
    let carrier: Vec<Cell> = carrier.iter().copied().filter(|&cell| game.stone(cell).is_none()).collect();
    Some(proof::HexProof { winner: game.to_move(), mv: carrier.first().copied(), carrier })
}

/// Reports whether a move is proved to win within this number of positions.
fn wins(
    prover: &mut Prover,
    game: &mut Hex,
    cell: Cell,
    positions: u64,
    budget: &mut SearchBudget<'_>,
) -> bool {
    let (side, undo) = (game.to_move(), game.make(cell.into()));
    let winner = match game.outcome() {
        Some(outcome) => outcome.winner(),
        None => budget.part(positions, |part| prover.prove(game, part)).map(|proof| proof.winner),
    };
    game.unmake(cell.into(), undo);
    winner == Some(side)
}

impl Engine<Hex> for SolvingEngine {
    fn new_game(&mut self) {
        self.generator = self.config.generator();
        self.prover = None;
        self.kept = None;
        self.other.new_game();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        self.generator = self.config.generator_at(at.played.len());
        if let Some(mv) = self.known_move(at.now) {
            return Info::of(vec![mv], None).choice();
        }
        let solved = if at.now.size() <= MAX_SIZE_WITH_PLIES {
            SolvingEngine::counted(at.now, control)
        } else {
            self.proved(at, control)
        };
        solved.unwrap_or_else(|| self.other.choose(at, control))
    }
}
