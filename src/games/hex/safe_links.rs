//! Bridges and edge templates that connect a side's chains and edges whatever the opponent plays, and the
//! shortest paths that use them. This module depends only on the rules.

use super::union_find::{ChainUnionFind, NO_NODE};
use super::{Cell, Hex, cell_indices, goal_edges};
use crate::board::hexgrid::{Edge, HexGrid};
use crate::board::paths::{UNREACHABLE, find_shortest_path, shortest_distances};
use crate::game::Side;

/// Offset of a cell from a stone above an edge: rows towards the edge, columns along it.
type EdgeOffset = (isize, isize);

/// Carriers of the edge templates for stones on the second, third and fourth row. While its carrier is empty,
/// a stone is connected to the edge below it whatever the opponent plays. The mirror image of each template
/// is valid as well.
///
/// ```text
///  second row     third row        fourth row
///      ●             ● ·               ● ·
///     · ·           · · ·           · · · · ·
///                  · · · ·         · · · · · ·
///                                 · · · · · · ·
/// ```
///
/// These are the bridge, the ziggurat and the template IV-1-a of the literature on Hex. A test proves them by
/// search.
const EDGE_TEMPLATE_OFFSETS: [&[EdgeOffset]; 3] = [
    &[(1, -1), (1, 0)],
    &[(0, 1), (1, -1), (1, 0), (1, 1), (2, -2), (2, -1), (2, 0), (2, 1)],
    &[
        (0, 1),
        (1, -2),
        (1, -1),
        (1, 0),
        (1, 1),
        (1, 2),
        (2, -3),
        (2, -2),
        (2, -1),
        (2, 0),
        (2, 1),
        (2, 2),
        (3, -4),
        (3, -3),
        (3, -2),
        (3, -1),
        (3, 0),
        (3, 1),
        (3, 2),
    ],
];

/// A safe connection between two nodes, which are cells or edges, with its carrier.
#[derive(Debug)]
struct SafeConnection {
    ends: [usize; 2],
    carrier: ConnectionCarrier,
}

/// Carrier of a safe connection. Bridges are frequent and need no heap allocation.
#[derive(Debug)]
enum ConnectionCarrier {
    Bridge([Cell; 2]),
    Template(Vec<Cell>),
}

impl ConnectionCarrier {
    fn cells(&self) -> &[Cell] {
        match self {
            ConnectionCarrier::Bridge(cells) => cells,
            ConnectionCarrier::Template(cells) => cells,
        }
    }
}

impl Hex {
    /// Returns the carriers of the edge templates from a cell to an edge, in both mirror images where they
    /// differ. The result is empty if the cell is on the edge or too far away, or if the board is too narrow.
    ///
    /// ```
    /// use crosspath::board::hexgrid::Edge;
    /// use crosspath::game::Notation;
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(11, SwapRule::Off)?;
    /// let cell = |text: &str| game.parse(text).ok().and_then(|mv| mv.cell());
    /// let ziggurat = game.edge_template_carriers(cell("f9").expect("a cell"), Edge::Bottom);
    /// assert_eq!(ziggurat.iter().map(Vec::len).collect::<Vec<_>>(), [8, 8]);
    /// # Ok::<(), crosspath::board::SizeError>(())
    /// ```
    #[must_use]
    pub fn edge_template_carriers(&self, cell: Cell, edge: Edge) -> Vec<Vec<Cell>> {
        let grid = self.grid();
        let Some(offsets) =
            rows_to_edge(grid, cell, edge).checked_sub(1).and_then(|i| EDGE_TEMPLATE_OFFSETS.get(i))
        else {
            return Vec::new();
        };
        let mirrored = |&(away, along): &EdgeOffset| (away, -along - away);
        let forms = [offsets.to_vec(), offsets.iter().map(mirrored).collect()];
        let carrier = |form: Vec<EdgeOffset>| {
            let cells: Option<Vec<Cell>> =
                form.into_iter().map(|at| cell_at_edge_offset(grid, cell, edge, at)).collect();
            cells.map(|mut cells| {
                cells.sort_unstable();
                cells
            })
        };
        let mut carriers: Vec<Vec<Cell>> = forms.into_iter().filter_map(carrier).collect();
        carriers.dedup();
        carriers
    }

    /// Returns the empty cells of a side's safe connections in reading order. A safe connection joins two of
    /// its chains, or a chain and a goal edge. No two of these connections share a cell, so all of them hold
    /// at the same time. Smaller ones take precedence.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "e5", "b4"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// let cells = game.safe_connection_cells(Side::First);
    /// let links: Vec<String> = cells.into_iter().map(|cell| game.format_cell(cell)).collect();
    /// assert!(links.contains(&"b3".to_owned()) && links.contains(&"c3".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn safe_connection_cells(&self, side: Side) -> Vec<Cell> {
        let mut cells: Vec<Cell> =
            self.disjoint_connections(side).iter().flat_map(|link| link.carrier.cells()).copied().collect();
        cells.sort_unstable();
        cells
    }

    /// Returns the number of stones that a side still needs to connect its edges if safe connections count as
    /// joined, including those that the new stones would create. Returns `None` if the side is cut off.
    /// Connections of new stones may overlap, so the opponent may be able to force additional stones.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "e5", "b4"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert_eq!(game.stones_needed_with_bridges(Side::First), Some(0), "bridges join all of it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stones_needed_with_bridges(&self, side: Side) -> Option<u16> {
        let [from, _] = goal_edges(side);
        let needed =
            self.distances_to_far_edge(side, &self.build_connection_graph(side))[self.edge_node(from)];
        (needed != UNREACHABLE).then_some(needed)
    }

    /// Returns the cells of the stones that [`Hex::stones_needed_with_bridges`] counts, from the top or the
    /// left. Among several paths it prefers the centre of the board.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "e5", "b4"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make_move(mv)?;
    /// }
    /// assert!(game.bridged_path_cells(Side::First).is_empty(), "no stone is needed");
    /// assert!(!game.bridged_path_cells(Side::Second).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bridged_path_cells(&self, side: Side) -> Vec<Cell> {
        let ties = self.build_connection_graph(side);
        let to_go = self.distances_to_far_edge(side, &ties);
        let [from, to] = goal_edges(side).map(|edge| self.edge_node(edge));
        if to_go[from] == UNREACHABLE {
            return Vec::new();
        }
        let nearer = |node: usize| -> Vec<usize> {
            let rest = to_go[node] - self.entry_cost(side, node);
            let mut next: Vec<usize> =
                ties[node].iter().copied().filter(|&next| to_go[next] == rest).collect();
            next.sort_by_key(|&next| self.distance_from_centre(next));
            next
        };
        let way = find_shortest_path(to_go.len(), [from], |node| node == to, nearer);
        let cells = way.into_iter().filter(|&node| node < self.grid().len()).map(Cell::new);
        cells.filter(|&cell| self.stone_at(cell).is_none()).collect()
    }

    /// Returns the distance of a cell from the centre of the board, in half rows plus half columns; 0 for an
    /// edge.
    fn distance_from_centre(&self, node: usize) -> usize {
        if node >= self.grid().len() {
            return 0;
        }
        let (row, col) = self.grid().coordinates(Cell::new(node));
        let middle = self.size() - 1;
        (2 * row).abs_diff(middle) + (2 * col).abs_diff(middle)
    }

    /// Returns safe connections of a side that all hold at the same time. They are selected by increasing
    /// size, and each joins separate chains and shares no cell with an earlier one.
    fn disjoint_connections(&self, side: Side) -> Vec<SafeConnection> {
        let mut links = self.find_possible_connections(side, |cell| self.stone_at(cell) == Some(side));
        links.sort_by_key(|link| link.carrier.cells().len());
        let mut chains: ChainUnionFind = self.chains.clone();
        let mut is_taken = vec![false; self.grid().len()];
        links.retain(|link| {
            let [one, other] = link.ends;
            let is_free = link.carrier.cells().iter().all(|cell| !is_taken[cell.index()]);
            let holds = is_free && chains.join_sets(one, other) != NO_NODE;
            if holds {
                link.carrier.cells().iter().for_each(|cell| is_taken[cell.index()] = true);
            }
            holds
        });
        links
    }

    /// Returns a side's bridges and edge templates whose carriers contain no opposing stone, in reading
    /// order. A bridge joins two ends, a template an end and an edge. Cells with stones of the side itself
    /// are left out of a carrier.
    fn find_possible_connections(&self, side: Side, is_end: impl Fn(Cell) -> bool) -> Vec<SafeConnection> {
        let grid = self.grid();
        let is_own = |cell: Cell| self.stone_at(cell) == Some(side);
        let mut links = Vec::new();
        for cell in grid.cells().filter(|&cell| is_end(cell)) {
            for bridge in grid.bridges(cell).iter().filter(|bridge| cell < bridge.end) {
                if is_end(bridge.end) && self.are_both_empty(bridge.carrier) {
                    let ends = [cell.index(), bridge.end.index()];
                    links.push(SafeConnection { ends, carrier: ConnectionCarrier::Bridge(bridge.carrier) });
                }
            }
            for edge in goal_edges(side) {
                let ends = [cell.index(), self.edge_node(edge)];
                for mut carrier in self.edge_template_carriers(cell, edge) {
                    carrier.retain(|&cell| !is_own(cell));
                    if carrier.iter().all(|&cell| self.stone_at(cell).is_none()) {
                        links.push(SafeConnection { ends, carrier: ConnectionCarrier::Template(carrier) });
                    }
                }
            }
        }
        links
    }

    /// Returns the number of stones that a side needs from each node to its second edge, the node itself
    /// included.
    fn distances_to_far_edge(&self, side: Side, ties: &[Vec<usize>]) -> Vec<u16> {
        let [_, to] = goal_edges(side);
        let beside = |node: usize| ties[node].iter().copied();
        shortest_distances(ties.len(), [self.edge_node(to)], |node| self.entry_cost(side, node), beside)
    }

    /// Returns the number of stones that a side needs to enter a node.
    fn entry_cost(&self, side: Side, node: usize) -> u16 {
        match self.stones.get(node) {
            Some(None) => 1,
            Some(&Some(owner)) if owner != side => UNREACHABLE,
            None if goal_edges(side).iter().all(|&edge| self.edge_node(edge) != node) => UNREACHABLE,
            _ => 0,
        }
    }

    /// Returns the graph of adjacent or safely connected nodes. It includes the connections that a stone on
    /// an empty cell would create, unless they share a cell with a connection that holds now.
    fn build_connection_graph(&self, side: Side) -> Vec<Vec<usize>> {
        let grid = self.grid();
        // Most cells have six neighbours and six bridges.
        let mut ties: Vec<Vec<usize>> =
            (0..grid.len() + Edge::ALL.len()).map(|_| Vec::with_capacity(16)).collect();
        for cell in grid.cells() {
            ties[cell.index()].extend(cell_indices(grid.neighbours(cell)));
        }
        for (edge, node) in goal_edges(side).map(|edge| (edge, self.edge_node(edge))) {
            for cell in cell_indices(grid.edge_cells(edge)) {
                ties[node].push(cell);
                ties[cell].push(node);
            }
        }
        let links = self.disjoint_connections(side);
        let mut is_taken = vec![false; grid.len()];
        links.iter().flat_map(|link| link.carrier.cells()).for_each(|cell| is_taken[cell.index()] = true);
        let is_new = |node: usize| self.stones.get(node).is_some_and(Option::is_none);
        let mut new = self.find_possible_connections(side, |cell| self.stone_at(cell) != Some(side.other()));
        new.retain(|link| {
            link.ends.into_iter().any(is_new)
                && !link.carrier.cells().iter().any(|cell| is_taken[cell.index()])
        });
        for SafeConnection { ends: [one, other], .. } in links.into_iter().chain(new) {
            ties[one].push(other);
            ties[other].push(one);
        }
        ties
    }
}

/// Returns the number of rows between a cell and an edge, 0 on the edge.
fn rows_to_edge(grid: &HexGrid, cell: Cell, edge: Edge) -> usize {
    let (row, col) = grid.coordinates(cell);
    match edge {
        Edge::Top => row,
        Edge::Bottom => grid.size() - 1 - row,
        Edge::Left => col,
        Edge::Right => grid.size() - 1 - col,
    }
}

/// Returns the cell at an offset, rotated so that the edge is below.
fn cell_at_edge_offset(grid: &HexGrid, cell: Cell, edge: Edge, (away, along): EdgeOffset) -> Option<Cell> {
    let (down, right) = match edge {
        Edge::Bottom => (away, along),
        Edge::Top => (-away, -along),
        Edge::Right => (along, away),
        Edge::Left => (-along, -away),
    };
    let (row, col) = grid.coordinates(cell);
    grid.cell_at(row.checked_add_signed(down)?, col.checked_add_signed(right)?)
}
