//! Levels 1 to 3: a stone on the mover's shortest path, or where both sides' shortest paths meet. This module
//! depends on the rules and the path graphs.

use std::cmp::Reverse;

use rand::RngExt;

use crate::ai::hex::path_counts::{CellAdjacency, PathGraph, UNREACHABLE};
use crate::ai::hex::{last_stone_cell, place_candidates};
use crate::ai::{MoveTask, Strategy, StrategyResult, all_with_max_key};
use crate::game::{BySide, Game, Side};
use crate::games::hex::{Cell, Hex, Move};

/// Appends the cells that win at once. If there are none, appends the cells on which the opponent threatens
/// to win at once.
fn append_urgent_cells(network: &mut PathGraph, game: &Hex, out: &mut Vec<Cell>) {
    let own = game.to_move();
    for side in [own, own.other()] {
        if network.compute_distances(game, side, CellAdjacency::Touching) == 1 {
            out.extend(game.empty_cells().filter(|&cell| network.distance_through(cell) == 1));
            return;
        }
    }
}

/// Strategy of level 1: plays on the cell through which most of its shortest paths pass.
#[derive(Debug, Default)]
pub(crate) struct ShortestPathFollower {
    network: PathGraph,
    /// Average number of moves per uniformly random move; `None` if no move is random.
    random_one_in: Option<u32>,
}

impl ShortestPathFollower {
    pub(crate) fn new(random_one_in: Option<u32>) -> Self {
        ShortestPathFollower { network: PathGraph::default(), random_one_in }
    }
}

impl Strategy<Hex> for ShortestPathFollower {
    const PLAYS_RANDOMLY: bool = true;

    fn think(&mut self, MoveTask { at, generator, .. }: &mut MoveTask<'_, Hex>) -> StrategyResult<Move> {
        let game = at.now;
        let mut cells = Vec::new();
        append_urgent_cells(&mut self.network, game, &mut cells);
        if cells.is_empty() && self.random_one_in.is_some_and(|count| generator.random_range(0..count) == 0) {
            cells.extend(game.empty_cells());
        }
        if cells.is_empty() {
            self.network.compute_distances(game, game.to_move(), CellAdjacency::Touching);
            let rank = |&cell: &Cell| {
                (Reverse(self.network.distance_through(cell)), self.network.shortest_path_count(cell))
            };
            cells = all_with_max_key(game.empty_cells().collect(), rank);
        }
        place_candidates(cells)
    }
}

/// Strategy of levels 2 and 3: plays like [`PathBlocker`], except that on average `follow_share` of
/// `total_share` moves only follow the mover's own path.
#[derive(Debug, Default)]
pub(crate) struct SometimesBlocker {
    block: PathBlocker,
    path_follower: ShortestPathFollower,
    follow_share: u32,
    total_share: u32,
}

impl SometimesBlocker {
    pub(crate) fn new(follow_share: u32, total_share: u32, random_one_in: Option<u32>) -> Self {
        SometimesBlocker {
            follow_share,
            total_share,
            path_follower: ShortestPathFollower::new(random_one_in),
            ..SometimesBlocker::default()
        }
    }
}

impl Strategy<Hex> for SometimesBlocker {
    const PLAYS_RANDOMLY: bool = true;

    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> StrategyResult<Move> {
        let follows_path = task.generator.random_range(0..self.total_share) < self.follow_share;
        if follows_path { self.path_follower.think(task) } else { self.block.think(task) }
    }
}

/// Sort key of a cell; the best cell has the lowest key.
///
/// Its parts are the length of both sides' shortest paths through the cell, the number of those paths, the
/// sum of the two-distances, and the distance from the centre.
type CellRank = (u32, Reverse<u64>, u32, usize);

/// Strategy that plays where the shortest paths of both sides meet.
///
/// ```
/// use crosspath::ai::hex::path_overlap::PathBlocker;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(5, SwapRule::Off)?;
/// let mut cells = Vec::new();
/// PathBlocker::default().append_best_cells(&game, None, &mut cells);
/// assert_eq!(cells.iter().map(|&cell| game.format_cell(cell)).collect::<Vec<_>>(), ["d2", "b4"]);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug, Default)]
pub struct PathBlocker {
    /// Graph used to find immediate wins.
    urgent: PathGraph,
    /// Graphs with bridges, for distances and path counts.
    networks: BySide<PathGraph>,
    /// Graphs without bridges, for two-distances.
    plain: BySide<PathGraph>,
    ranks: Vec<(CellRank, Cell)>,
}

impl PathBlocker {
    /// Appends the best cells after the stone on `last`, at least one in a running game.
    ///
    /// These are immediate wins and blocks, or else the cell that saves a bridge on which `last` intrudes, or
    /// else the best cells where the paths meet.
    pub fn append_best_cells(&mut self, game: &Hex, last: Option<Cell>, out: &mut Vec<Cell>) {
        let base = out.len();
        append_urgent_cells(&mut self.urgent, game, out);
        if out.len() == base {
            out.extend(last.into_iter().flat_map(|cell| game.bridge_saving_cells(cell)).take(1));
        }
        if out.len() == base {
            self.rank_empty_cells(game);
            let best = self.ranks.iter().map(|&(rank, _)| rank).min();
            out.extend(self.ranks.iter().filter(|&&(rank, _)| Some(rank) == best).map(|&(_, cell)| cell));
        }
    }

    /// Appends up to `count` promising cells after the stone on `last`.
    ///
    /// These are only the immediate wins or blocks, if there are any, or else the cells that save a bridge
    /// and the best cells where the paths meet.
    pub(crate) fn append_promising_cells(
        &mut self,
        game: &Hex,
        last: Option<Cell>,
        count: usize,
        out: &mut Vec<Cell>,
    ) {
        let base = out.len();
        append_urgent_cells(&mut self.urgent, game, out);
        if out.len() > base {
            return;
        }
        out.extend(last.into_iter().flat_map(|cell| game.bridge_saving_cells(cell)));
        self.rank_empty_cells(game);
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

    /// Measures both sides' paths. Returns, by side, the stones still needed and the number of shortest
    /// paths.
    pub(crate) fn measure_paths(&mut self, game: &Hex) -> BySide<(u16, u64)> {
        let [first, second] = Side::map_both(|side| {
            let network = &mut self.networks[side];
            let distance = network.compute_distances(game, side, CellAdjacency::TouchingOrBridged);
            let shortest = game.empty_cells().filter(|&cell| network.distance_through(cell) == distance);
            (
                distance,
                shortest.fold(0u64, |paths, cell| paths.saturating_add(network.shortest_path_count(cell))),
            )
        });
        BySide::new(first, second)
    }

    /// Ranks every empty cell.
    fn rank_empty_cells(&mut self, game: &Hex) {
        let PathBlocker { networks, plain, ranks, .. } = self;
        for side in Side::BOTH {
            networks[side].compute_distances(game, side, CellAdjacency::TouchingOrBridged);
            plain[side].compute_distances(game, side, CellAdjacency::Touching);
            plain[side].compute_two_distances();
        }
        let [one, other] = Side::map_both(|side| &networks[side]);
        let middle = game.size() - 1;
        let rank_of = |cell: Cell| -> CellRank {
            let paths = |network: &PathGraph| {
                if network.distance_through(cell) == UNREACHABLE {
                    0
                } else {
                    network.shortest_path_count(cell)
                }
            };
            let two = Side::BOTH.iter().map(|&side| u32::from(plain[side].two_distance(cell))).sum();
            let (row, col) = game.grid().coordinates(cell);
            (
                u32::from(one.distance_through(cell)) + u32::from(other.distance_through(cell)),
                Reverse(paths(one).saturating_add(paths(other))),
                two,
                (2 * row).abs_diff(middle) + (2 * col).abs_diff(middle),
            )
        };
        ranks.clear();
        ranks.extend(game.empty_cells().map(|cell| (rank_of(cell), cell)));
    }
}

impl Strategy<Hex> for PathBlocker {
    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> StrategyResult<Move> {
        let mut cells = Vec::new();
        self.append_best_cells(task.at.now, last_stone_cell(task.at), &mut cells);
        place_candidates(cells)
    }
}
