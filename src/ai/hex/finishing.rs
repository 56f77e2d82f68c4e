//! Wrapper that finishes won games: once virtual connections join the mover's edges, it plays on to the end
//! along the shortest path. This module depends on the rules, with their bridges and other simple
//! connections, and on the prover.

use crate::ai::hex::analyst::{FAST_CONNECTION_LIMITS, max_plies_to_win};
use crate::ai::hex::proof::{HexProver, MustPlayVerdict};
use crate::ai::{Engine, GameHistory, MoveChoice, ProofStatus, SearchControl, SearchInfo, WIN_VALUE};
use crate::board::paths::{UNREACHABLE, shortest_distances};
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex, Move, goal_edges};

/// Largest board size on which the prover searches for connections.
const MAX_SIZE_FOR_CONNECTIONS: usize = 14;
/// Maximum number of stones still needed at which the prover searches for connections.
const MAX_MISSING_STONES: u16 = 6;

/// Engine that follows another engine until virtual connections decide the game.
///
/// Without the prover, it knows only the simple connections that the rules find, such as bridges.
pub(super) struct FinishingEngine {
    engine: Box<dyn Engine<Hex>>,
    may_prove: bool,
    prover: Option<HexProver>,
}

impl FinishingEngine {
    /// Wraps an engine so that it finishes games decided by the simple connections that the rules find.
    pub(super) fn without_prover(engine: Box<dyn Engine<Hex>>) -> Box<dyn Engine<Hex>> {
        Box::new(FinishingEngine { engine, may_prove: false, prover: None })
    }

    /// Wraps an engine so that it finishes all games decided by connections. The engine has no prover itself.
    pub(super) fn with_prover(engine: Box<dyn Engine<Hex>>) -> Box<dyn Engine<Hex>> {
        Box::new(FinishingEngine { engine, may_prove: true, prover: None })
    }

    /// Returns the move that finishes a won game soonest, or `None` if the game is not known to be won.
    fn choose_finishing_move(&mut self, at: &GameHistory<'_, Hex>) -> Option<MoveChoice<Move>> {
        let (game, side) = (at.now, at.now.to_move());
        // The opponent may swap the first stone.
        if game.can_swap() || game.stone_count() == 0 {
            return None;
        }
        let stones = game.stones_needed_with_bridges(side)?;
        let (cell, needed) = if stones <= 1 { find_linking_move(at) } else { None }.or_else(|| {
            let is_near = stones <= MAX_MISSING_STONES
                && game.size() <= MAX_SIZE_FOR_CONNECTIONS
                && 2 * game.stone_count() >= game.size();
            if self.may_prove && is_near { self.find_connecting_move(game) } else { None }
        })?;
        let plies = max_plies_to_win(needed, game.empty_cells().count());
        let info = SearchInfo::from_pv(vec![Move::Place(cell)], Some(WIN_VALUE - i32::from(plies)));
        Some(MoveChoice { proof: Some(ProofStatus::WinIn(plies.into())), ..info.into_choice() })
    }

    /// Finds a move after which proved connections join the mover's edges, preferring the fewest stones left
    /// to place. Returns the move and the number of cells that it needs.
    fn find_connecting_move(&mut self, game: &Hex) -> Option<(Cell, usize)> {
        let prover =
            self.prover.get_or_insert_with(|| HexProver::with_limits(game.size(), 0, FAST_CONNECTION_LIMITS));
        let MustPlayVerdict::Won(proof) = prover.must_play_verdict(game) else { return None };
        let after = |cell: Cell| {
            let mut after = game.clone();
            after.make_move(cell.into());
            after
        };
        let side = game.to_move();
        let rank = |&cell: &Cell| {
            let after = after(cell);
            let stones = count_stones_to_connect(&after, side, |cell| game.stone_at(cell).is_none());
            (stones, after.stones_needed_with_bridges(side).unwrap_or(UNREACHABLE), cell)
        };
        let mut cells: Vec<(u16, u16, Cell)> = proof.carrier.iter().chain(&proof.mv).map(rank).collect();
        cells.sort_unstable();
        let is_won = |cell: Cell| match prover.must_play_verdict(&after(cell)) {
            MustPlayVerdict::Lost(proof) => Some((cell, proof.carrier.len() + 1)),
            _ => None,
        };
        cells.into_iter().map(|(.., cell)| cell).find_map(is_won)
    }
}

impl Engine<Hex> for FinishingEngine {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn reset_for_next_candidate(&mut self) {
        self.engine.reset_for_next_candidate();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> MoveChoice<Move> {
        self.choose_finishing_move(at).unwrap_or_else(|| self.engine.choose(at, control))
    }
}

/// Finds the move after which simple connections join the mover's edges with the fewest stones left to place.
/// Returns the move and the number of cells that it needs, or `None` if there is no such move.
fn find_linking_move(at: &GameHistory<'_, Hex>) -> Option<(Cell, usize)> {
    let (game, side) = (at.now, at.now.to_move());
    let last = at.played.last().and_then(|mv| mv.cell());
    let mut cells: Vec<Cell> = game.safe_connection_cells(side);
    cells.extend(game.bridged_path_cells(side));
    cells.extend(last.into_iter().flat_map(|entered| game.bridge_saving_cells(entered)));
    cells.sort_unstable();
    cells.dedup();
    let after = |&cell: &Cell| {
        let mut after = game.clone();
        after.make_move(cell.into());
        let links = after.safe_connection_cells(side);
        (after.stones_needed_with_bridges(side) == Some(0)).then(|| {
            (
                count_stones_to_connect(&after, side, |cell| links.binary_search(&cell).is_ok()),
                cell,
                links.len() + 1,
            )
        })
    };
    cells.iter().filter_map(after).min().map(|(_, cell, needed)| (cell, needed))
}

/// Returns the minimum number of stones on free cells that join a side's edges if the opponent never plays.
fn count_stones_to_connect(game: &Hex, side: Side, is_free: impl Fn(Cell) -> bool) -> u16 {
    let grid = game.grid();
    let price = |node: usize| match game.stone_at(Cell::new(node)) {
        Some(owner) if owner == side => 0,
        None if is_free(Cell::new(node)) => 1,
        _ => UNREACHABLE,
    };
    let [from, to] = goal_edges(side).map(|edge| grid.edge_cells(edge));
    let beside = |node: usize| grid.neighbours(Cell::new(node)).iter().map(|cell| cell.index());
    let left = shortest_distances(grid.len(), from.iter().map(|cell| cell.index()), price, beside);
    to.iter().map(|cell| left[cell.index()]).min().unwrap_or(UNREACHABLE)
}
