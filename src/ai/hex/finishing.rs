//! The end of a won game: once safe links join the mover's edges, it plays along them on the shortest way. Knows the rules
//! and their links.

use crate::ai::hex::analyst::{EFFORT, win_within};
use crate::ai::hex::proof::{MustPlay, Prover};
use crate::ai::{Choice, Engine, GameHistory, Info, Proof, SearchControl, WIN};
use crate::board::paths::{FAR, distances};
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex, Move, edges_of};

/// The largest board on which connections are looked for, and the most stones that may be missing where they are.
const MAX_SIZE_FOR_CONNECTIONS: usize = 14;
const MOST_STONES: u16 = 6;

/// Plays as another engine until the game is decided by safe links or, if it may prove, by any connection.
pub(super) struct Finishing {
    engine: Box<dyn Engine<Hex>>,
    may_prove: bool,
    prover: Option<Prover>,
}

impl Finishing {
    /// Another engine that finishes games which are decided by safe links.
    pub(super) fn by_links(engine: Box<dyn Engine<Hex>>) -> Box<dyn Engine<Hex>> {
        Box::new(Finishing { engine, may_prove: false, prover: None })
    }

    /// Wraps an engine without a prover of its own so that it finishes all games that connections decide.
    pub(super) fn by_connections(engine: Box<dyn Engine<Hex>>) -> Box<dyn Engine<Hex>> {
        Box::new(Finishing { engine, may_prove: true, prover: None })
    }

    /// The move that ends a decided game soonest; nothing where it is not known to be won.
    fn finish(&mut self, at: &GameHistory<'_, Hex>) -> Option<Choice<Move>> {
        let (game, side) = (at.now, at.now.to_move());
        // A first stone may be taken over.
        if game.can_swap() || game.count() == 0 {
            return None;
        }
        let stones = game.stones_to_go(side)?;
        let (cell, needed) = if stones <= 1 { by_links(at) } else { None }.or_else(|| {
            let is_near = stones <= MOST_STONES
                && game.size() <= MAX_SIZE_FOR_CONNECTIONS
                && 2 * game.count() >= game.size();
            if self.may_prove && is_near { self.connected(game) } else { None }
        })?;
        let plies = win_within(needed, game.empty().count());
        let info = Info::of(vec![Move::Place(cell)], Some(WIN - i32::from(plies)));
        Some(Choice { proof: Some(Proof::WinIn(plies.into())), ..info.choice() })
    }

    /// A move after which connections join the mover's edges, of several one after which the fewest stones are left to put down; and
    /// how many cells it needs.
    fn connected(&mut self, game: &Hex) -> Option<(Cell, usize)> {
        let prover = self.prover.get_or_insert_with(|| Prover::with(game.size(), 0, EFFORT));
        let MustPlay::Won(proof) = prover.must_play(game) else { return None };
        let after = |cell: Cell| {
            let mut after = game.clone();
            after.make(cell.into());
            after
        };
        let side = game.to_move();
        let rank = |&cell: &Cell| {
            let after = after(cell);
            let stones = stones_left(&after, side, |cell| game.stone(cell).is_none());
            (stones, after.stones_to_go(side).unwrap_or(FAR), cell)
        };
        let mut cells: Vec<(u16, u16, Cell)> = proof.carrier.iter().chain(&proof.mv).map(rank).collect();
        cells.sort_unstable();
        let is_won = |cell: Cell| match prover.must_play(&after(cell)) {
            MustPlay::Lost(proof) => Some((cell, proof.carrier.len() + 1)),
            _ => None,
        };
        cells.into_iter().map(|(.., cell)| cell).find_map(is_won)
    }
}

impl Engine<Hex> for Finishing {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn next_candidate(&mut self) {
        self.engine.next_candidate();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        self.finish(at).unwrap_or_else(|| self.engine.choose(at, control))
    }
}

/// The move after which safe links join the mover's edges and the fewest stones are left to put down, and how many cells it
/// needs; nothing where there is no such move.
fn by_links(at: &GameHistory<'_, Hex>) -> Option<(Cell, usize)> {
    let (game, side) = (at.now, at.now.to_move());
    let last = at.played.last().and_then(|mv| mv.cell());
    let mut cells: Vec<Cell> = game.safe_links(side);
    cells.extend(game.shortest_way(side));
    cells.extend(last.into_iter().flat_map(|entered| game.cut_links(entered)));
    cells.sort_unstable();
    cells.dedup();
    let after = |&cell: &Cell| {
        let mut after = game.clone();
        after.make(cell.into());
        let links = after.safe_links(side);
        (after.stones_to_go(side) == Some(0)).then(|| {
            (stones_left(&after, side, |cell| links.binary_search(&cell).is_ok()), cell, links.len() + 1)
        })
    };
    cells.iter().filter_map(after).min().map(|(_, cell, needed)| (cell, needed))
}

/// Returns the number of stones on free cells that join the edges of a side if nobody hinders it.
fn stones_left(game: &Hex, side: Side, is_free: impl Fn(Cell) -> bool) -> u16 {
    let grid = game.grid();
    let price = |node: usize| match game.stone(Cell::new(node)) {
        Some(owner) if owner == side => 0,
        None if is_free(Cell::new(node)) => 1,
        _ => FAR,
    };
    let [from, to] = edges_of(side).map(|edge| grid.edge(edge));
    let beside = |node: usize| grid.neighbours(Cell::new(node)).iter().map(|cell| cell.index());
    let left = distances(grid.len(), from.iter().map(|cell| cell.index()), price, beside);
    to.iter().map(|cell| left[cell.index()]).min().unwrap_or(FAR)
}
