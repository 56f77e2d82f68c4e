//! Levels 1 to 3: a stone on the own shortest path, or where both sides' shortest paths meet. Know the rules and the
//! sides' networks.

use std::cmp::Reverse;

use rand::RngExt;

use crate::ai::hex::path_counts::{FAR, Graph, PathGraph};
use crate::ai::hex::{among, last_stone};
use crate::ai::{Candidates, MoveTask, Strategy, most_by};
use crate::game::{BySide, Game, Side};
use crate::games::hex::{Cell, Hex, Move};

/// Appends the cells that win at once; else, if the opponent threatens to win at once, the cells on which it would.
fn find_urgent(network: &mut PathGraph, game: &Hex, out: &mut Vec<Cell>) {
    let own = game.to_move();
    for side in [own, own.other()] {
        if network.analyze(game, side, Graph::Plain) == 1 {
            out.extend(game.empty().filter(|&cell| network.through(cell) == 1));
            return;
        }
    }
}

/// Level 1: a stone on a shortest path of its own, where most of them pass.
#[derive(Debug, Default)]
pub(crate) struct PathFollower {
    network: PathGraph,
    /// One move in this many is drawn by chance alone.
    random_in: Option<u32>,
}

impl PathFollower {
    pub(crate) fn new(random_in: Option<u32>) -> Self {
        PathFollower { network: PathGraph::default(), random_in }
    }
}

impl Strategy<Hex> for PathFollower {
    const IS_BY_CHANCE: bool = true;

    fn think(&mut self, MoveTask { at, generator, .. }: &mut MoveTask<'_, Hex>) -> Candidates<Move> {
        let game = at.now;
        let mut cells = Vec::new();
        find_urgent(&mut self.network, game, &mut cells);
        if cells.is_empty() && self.random_in.is_some_and(|count| generator.random_range(0..count) == 0) {
            cells.extend(game.empty());
        }
        if cells.is_empty() {
            self.network.analyze(game, game.to_move(), Graph::Plain);
            let rank = |&cell: &Cell| (Reverse(self.network.through(cell)), self.network.path_count(cell));
            cells = most_by(game.empty().collect(), rank);
        }
        among(cells)
    }
}

/// Levels 2 and 3: plays as [`Block`], but `own` of `all` stones, drawn by chance, only go their own way.
#[derive(Debug, Default)]
pub(crate) struct SometimesRandom {
    block: Block,
    own_way: PathFollower,
    own: u32,
    all: u32,
}

impl SometimesRandom {
    pub(crate) fn new(own: u32, all: u32, random_in: Option<u32>) -> Self {
        SometimesRandom { own, all, own_way: PathFollower::new(random_in), ..SometimesRandom::default() }
    }
}

impl Strategy<Hex> for SometimesRandom {
    const IS_BY_CHANCE: bool = true;

    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> Candidates<Move> {
        let is_own = task.generator.random_range(0..self.all) < self.own;
        if is_own { self.own_way.think(task) } else { self.block.think(task) }
    }
}

/// Rank of a cell; the lower, the better: the length of both sides' shortest paths through it; the number of those
/// paths; the two-distances; the distance from the middle.
type Rank = (u32, Reverse<u64>, u32, usize);

/// The cell where the shortest paths of both sides meet.
///
/// ```
/// use crosspath::ai::hex::path_overlap::Block;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(5, SwapRule::Off)?;
/// let mut cells = Vec::new();
/// Block::default().choices(&game, None, &mut cells);
/// assert_eq!(cells.iter().map(|&cell| game.name(cell)).collect::<Vec<_>>(), ["d2", "b4"]);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug, Default)]
pub struct Block {
    /// For wins at once.
    urgent: PathGraph,
    /// For distances and paths, with bridges.
    networks: BySide<PathGraph>,
    /// For two-distances, without bridges.
    plain: BySide<PathGraph>,
    ranks: Vec<(Rank, Cell)>,
}

impl Block {
    /// Appends the cells among which this player draws after the stone on `last`, at least one in a running game: wins at
    /// once and what prevents them, else the cell that mends a link which `last` has entered, else where paths meet.
    pub fn choices(&mut self, game: &Hex, last: Option<Cell>, out: &mut Vec<Cell>) {
        let base = out.len();
        find_urgent(&mut self.urgent, game, out);
        if out.len() == base {
            out.extend(last.into_iter().flat_map(|cell| game.cut_links(cell)).take(1));
        }
        if out.len() == base {
            self.rank(game);
            let best = self.ranks.iter().map(|&(rank, _)| rank).min();
            out.extend(self.ranks.iter().filter(|&&(rank, _)| Some(rank) == best).map(|&(_, cell)| cell));
        }
    }

    /// Appends the cells worth looking at after the stone on `last`: wins at once, or what prevents them; else those
    /// that mend a link and the best where paths meet, `count` in all.
    pub(crate) fn promising(&mut self, game: &Hex, last: Option<Cell>, count: usize, out: &mut Vec<Cell>) {
        let base = out.len();
        find_urgent(&mut self.urgent, game, out);
        if out.len() > base {
            return;
        }
        out.extend(last.into_iter().flat_map(|cell| game.cut_links(cell)));
        self.rank(game);
        self.ranks.sort_unstable();
        for &(_, cell) in &self.ranks {
            if out.len() >= base + count {
                return;
            }
            if !out[base..].contains(&cell) {
                out.push(cell);
            }
        }
    }

    /// Looks at both sides' networks; gives how far each is from the end, and how many shortest paths it has.
    pub(crate) fn analyze(&mut self, game: &Hex) -> BySide<(u16, u64)> {
        let [first, second] = Side::each(|side| {
            let network = &mut self.networks[side];
            let distance = network.analyze(game, side, Graph::Bridges);
            let shortest = game.empty().filter(|&cell| network.through(cell) == distance);
            (distance, shortest.fold(0u64, |paths, cell| paths.saturating_add(network.path_count(cell))))
        });
        BySide::new(first, second)
    }

    /// Says of every empty cell how good it is.
    fn rank(&mut self, game: &Hex) {
        let Block { networks, plain, ranks, .. } = self;
        for side in Side::BOTH {
            networks[side].analyze(game, side, Graph::Bridges);
            plain[side].analyze(game, side, Graph::Plain);
            plain[side].compute_two_distance();
        }
        let [one, other] = Side::each(|side| &networks[side]);
        let middle = game.size() - 1;
        let rank_of = |cell: Cell| -> Rank {
            let paths =
                |network: &PathGraph| if network.through(cell) == FAR { 0 } else { network.path_count(cell) };
            let two = Side::BOTH.iter().map(|&side| u32::from(plain[side].two(cell))).sum();
            let (row, col) = game.grid().place(cell);
            (
                u32::from(one.through(cell)) + u32::from(other.through(cell)),
                Reverse(paths(one).saturating_add(paths(other))),
                two,
                (2 * row).abs_diff(middle) + (2 * col).abs_diff(middle),
            )
        };
        ranks.clear();
        ranks.extend(game.empty().map(|cell| (rank_of(cell), cell)));
    }
}

impl Strategy<Hex> for Block {
    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> Candidates<Move> {
        let mut cells = Vec::new();
        self.choices(task.at.now, last_stone(task.at), &mut cells);
        among(cells)
    }
}
