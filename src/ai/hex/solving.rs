//! Engine for small boards that plays by the solvers, so it never loses a position that they prove to be won.

use std::cmp::Reverse;

use rand::seq::IndexedRandom;

use crate::ai::hex::proof::HexProver;
use crate::ai::hex::{proof, replies, solve, swap};
use crate::ai::{
    ComparedMove, Engine, EngineConfig, GameHistory, MoveChoice, ProofStatus, Score, SearchBudget,
    SearchControl, SearchInfo, WIN_VALUE,
};
use crate::game::{Game, Outcome};
use crate::games::hex::{Cell, Hex, Move, SwapRule};
use crate::random::RandomGenerator;

/// Largest board size that the engine plays.
pub(super) const MAX_SOLVED_SIZE: usize = 7;
/// Largest board size on which the engine counts the plies to the end of the game.
const MAX_SIZE_FOR_PLY_COUNTS: usize = 4;
/// Default node limit of the prover; the search takes about 0.1 s.
const DEFAULT_PROVER_NODES: u64 = 400;
/// Divisor of the node limit: this part of it is spent on each further winning move.
const EXTRA_WIN_NODE_DIVISOR: u64 = 40;
/// Size of the prover's table in MiB.
const SMALL_BOARD_PROVER_TABLE_MIB: usize = 32;

/// Engine that plays by the solvers, and falls back to another engine where the limits are too tight.
pub(super) struct SolvingEngine {
    config: EngineConfig,
    generator: RandomGenerator,
    fallback: Box<dyn Engine<Hex>>,
    /// Default node limit of the level. It applies to the fallback engine, not to the prover.
    level_nodes: Option<u64>,
    /// Proof of the last winning move: its ply, and the empty cells that the win needs.
    last_win: Option<(usize, Vec<Cell>)>,
    /// Prover for boards on which plies are not counted.
    prover: Option<HexProver>,
}

impl SolvingEngine {
    pub(super) fn new(
        config: &EngineConfig,
        fallback: Box<dyn Engine<Hex>>,
        level_nodes: Option<u64>,
    ) -> Self {
        let generator = config.random_generator();
        SolvingEngine {
            config: config.clone(),
            generator,
            fallback,
            level_nodes,
            last_win: None,
            prover: None,
        }
    }

    /// Returns a book move for the empty board or after the first stone, without a search.
    fn choose_book_move(&mut self, game: &Hex) -> Option<Move> {
        let first = game.first_stone().filter(|_| game.can_swap());
        if first.is_some_and(|cell| swap::first_stone_wins(game.size(), cell) == Some(true)) {
            return Some(Move::Swap);
        }
        let cells = match game.swap_rule {
            _ if game.stone_count() > 0 => Vec::new(),
            SwapRule::On => swap::balanced_openings(game),
            SwapRule::Off => game
                .empty_cells()
                .filter(|&cell| swap::first_stone_wins(game.size(), cell) == Some(true))
                .collect(),
        };
        cells.choose(&mut self.generator).copied().map(Move::Place)
    }

    /// Returns the fastest win or the longest resistance, or `None` if the limits are too tight.
    fn choose_by_distance(game: &Hex, control: &SearchControl<'_, Move>) -> Option<MoveChoice<Move>> {
        let solved = solve::solve_position(game, control);
        let to_candidate = |&(mv, outcome, plies): &(Move, Option<Outcome>, Option<u32>)| {
            let plies = i32::try_from(plies?).ok()?;
            let does_win = outcome?.winner() == Some(game.to_move());
            Some(ComparedMove::new(
                mv,
                Some(Score(if does_win { WIN_VALUE - plies } else { plies - WIN_VALUE })),
            ))
        };
        let mut candidates: Vec<ComparedMove<Move>> = solved.moves.iter().filter_map(to_candidate).collect();
        candidates.sort_by_key(|one| Reverse(one.score));
        solved.outcome?;
        let ComparedMove { score, line, .. } = candidates.first()?;
        let (mv, pv, score) = (line[0], line.clone(), *score);
        let best = score?.0;
        let plies = (WIN_VALUE - best.abs()).unsigned_abs();
        let proof = Some(if best > 0 { ProofStatus::WinIn(plies) } else { ProofStatus::LostIn(plies) });
        let (nodes, elapsed) = (solved.nodes, solved.elapsed);
        let info = SearchInfo { score, ..SearchInfo::from_pv(pv, None) };
        Some(MoveChoice { mv, info: SearchInfo { nodes, depth: plies, candidates, elapsed, ..info }, proof })
    }

    /// Returns a proved winning move, and further winning moves that a part of the budget proves. If all
    /// moves lose, returns the fallback engine's move. Returns `None` if the limits are too tight.
    fn choose_by_proof(
        &mut self,
        at: &GameHistory<'_, Hex>,
        control: &SearchControl<'_, Move>,
    ) -> Option<MoveChoice<Move>> {
        let game = at.now;
        if let Some(cell) = game.empty_cells().find(|&cell| game.would_win(game.to_move(), cell)) {
            let info = SearchInfo::from_pv(vec![Move::Place(cell)], Some(WIN_VALUE - 1));
            return Some(MoveChoice { proof: Some(ProofStatus::WinIn(1)), ..info.into_choice() });
        }
        if let Some(cell) = replies::find_winning_reply(game) {
            let plies = max_plies_to_end(game, true);
            let info = SearchInfo::from_pv(vec![Move::Place(cell)], Some(win_score_in_plies(plies)));
            return Some(MoveChoice { proof: Some(ProofStatus::WinIn(plies)), ..info.into_choice() });
        }
        // The other half is left for the fallback engine.
        let mut limits = control.limits.divide_time(2);
        if limits.nodes.is_none() && !limits.has_time_limit()
            || limits.nodes.is_some() && limits.nodes == self.level_nodes
        {
            limits.nodes = Some(DEFAULT_PROVER_NODES);
        }
        let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
        let prover =
            self.prover.get_or_insert_with(|| HexProver::new(game.size(), SMALL_BOARD_PROVER_TABLE_MIB));
        let proof = prover
            .prove(game, &mut budget)
            .or_else(|| carry_over_win(game, self.last_win.as_ref(), at.played))?;
        let Some(best) = proof.mv else {
            if game.can_swap() {
                return Some(SearchInfo::from_pv(vec![Move::Swap], None).into_choice());
            }
            let rest = SearchControl { limits: budget.remaining_limits(control.limits), ..*control };
            let mut choice = self.fallback.choose(at, &rest);
            let plies = max_plies_to_end(game, false);
            choice.info.candidates.clear();
            choice.info.score = Some(Score(-win_score_in_plies(plies)));
            choice.info.nodes += budget.nodes;
            choice.proof = choice.proof.or(Some(ProofStatus::LostIn(plies)));
            return Some(choice);
        };
        self.last_win = Some((at.played.len(), proof.carrier));
        let plies = max_plies_to_end(game, true);
        let score = Some(Score(win_score_in_plies(plies)));
        let share = limits.nodes.unwrap_or(DEFAULT_PROVER_NODES) / EXTRA_WIN_NODE_DIVISOR;
        let mut winning = vec![best];
        let mut after = game.clone();
        for cell in game.empty_cells().filter(|&cell| cell != best) {
            if proves_move_wins(prover, &mut after, cell, share, &mut budget) {
                winning.push(cell);
            }
        }
        let candidates = winning.iter().map(|&cell| ComparedMove::new(cell.into(), score)).collect();
        let info = SearchInfo::from_pv(vec![best.into()], None);
        let info = SearchInfo { nodes: budget.nodes, score, candidates, elapsed: budget.elapsed(), ..info };
        Some(MoveChoice { mv: best.into(), info, proof: Some(ProofStatus::WinIn(plies)) })
    }
}

/// Returns the maximum number of plies to the end of the game if the mover wins (`does_win`) or loses. Every
/// remaining cell may be needed.
fn max_plies_to_end(game: &Hex, does_win: bool) -> u32 {
    let left = u32::try_from(game.empty_cells().count()).expect("a board is small");
    if (left % 2 == 1) == does_win { left } else { left - 1 }
}

fn win_score_in_plies(plies: u32) -> i32 {
    WIN_VALUE - plies.cast_signed()
}

/// Returns the win that the last winning move secured, if the opponent replied outside its carrier. Any cell
/// of the carrier then wins.
fn carry_over_win(
    game: &Hex,
    last_win: Option<&(usize, Vec<Cell>)>,
    played: &[Move],
) -> Option<proof::HexProof> {
    let (win_ply, carrier) = last_win.filter(|&&(ply, _)| ply + 2 == played.len())?;
    let reply = played[win_ply + 1].cell().filter(|cell| !carrier.contains(cell))?;
    debug_assert!(game.stone_at(reply).is_some());
    let carrier: Vec<Cell> = carrier.iter().copied().filter(|&cell| game.stone_at(cell).is_none()).collect();
    Some(proof::HexProof { winner: game.to_move(), mv: carrier.first().copied(), carrier })
}

/// Reports whether a move is proved to win within this number of nodes.
fn proves_move_wins(
    prover: &mut HexProver,
    game: &mut Hex,
    cell: Cell,
    positions: u64,
    budget: &mut SearchBudget<'_>,
) -> bool {
    let (side, undo) = (game.to_move(), game.make_move(cell.into()));
    let winner = match game.outcome() {
        Some(outcome) => outcome.winner(),
        None => budget.with_sub_budget(positions, |part| prover.prove(game, part)).map(|proof| proof.winner),
    };
    game.unmake_move(cell.into(), undo);
    winner == Some(side)
}

impl Engine<Hex> for SolvingEngine {
    fn new_game(&mut self) {
        self.generator = self.config.random_generator();
        self.prover = None;
        self.last_win = None;
        self.fallback.new_game();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> MoveChoice<Move> {
        self.generator = self.config.random_generator_at_ply(at.played.len());
        if let Some(mv) = self.choose_book_move(at.now) {
            return SearchInfo::from_pv(vec![mv], None).into_choice();
        }
        let solved = if at.now.size() <= MAX_SIZE_FOR_PLY_COUNTS {
            SolvingEngine::choose_by_distance(at.now, control)
        } else {
            self.choose_by_proof(at, control)
        };
        solved.unwrap_or_else(|| self.fallback.choose(at, control))
    }
}
