//! Safe links: what joins a side's chains and edges whatever the opponent does, and the ways that count on them.
//! Knows the rules only.

use super::union_find::{Chains, NONE};
use super::{Cell, Hex, edges_of, indices};
use crate::board::hexgrid::{Edge, HexGrid};
use crate::board::paths::{FAR, distances, shortest};
use crate::game::Side;

/// A cell as it is seen from a stone above an edge: rows towards the edge, columns along it.
type Offset = (isize, isize);

/// The cells that must be empty so that a stone is joined to an edge below it, by the rows between them: whatever the
/// opponent plays there, an answer joins it. Each is good mirrored as well.
///
/// ```text
///  second row     third row        fourth row
///      ●             ● ·               ● ·
///     · ·           · · ·           · · · · ·
///                  · · · ·         · · · · · ·
///                                 · · · · · · ·
/// ```
///
/// They are the bridge, the ziggurat and the template IV-1-a of the books on Hex; a test proves them by search.
const EDGE_TEMPLATES: [&[Offset]; 3] = [
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

/// Two nodes, cells or edges, and the empty cells that join them.
#[derive(Debug)]
struct Link {
    ends: [usize; 2],
    carrier: Carrier,
}

/// The cells of a link. Bridges are many, and need no vector.
#[derive(Debug)]
enum Carrier {
    Bridge([Cell; 2]),
    Template(Vec<Cell>),
}

impl Carrier {
    fn cells(&self) -> &[Cell] {
        match self {
            Carrier::Bridge(cells) => cells,
            Carrier::Template(cells) => cells,
        }
    }
}

impl Hex {
    /// The cells that must be empty so that a stone on this cell is joined to an edge by a template; in both forms where
    /// it has two. None if the cell is on the edge or too far away, or where the board is too narrow.
    ///
    /// ```
    /// use crosspath::board::hexgrid::Edge;
    /// use crosspath::game::Notation;
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(11, SwapRule::Off)?;
    /// let cell = |text: &str| game.parse(text).ok().and_then(|mv| mv.cell());
    /// let ziggurat = game.edge_templates(cell("f9").expect("a cell"), Edge::Bottom);
    /// assert_eq!(ziggurat.iter().map(Vec::len).collect::<Vec<_>>(), [8, 8]);
    /// # Ok::<(), crosspath::board::SizeError>(())
    /// ```
    #[must_use]
    pub fn edge_templates(&self, cell: Cell, edge: Edge) -> Vec<Vec<Cell>> {
        let grid = self.grid();
        let Some(offsets) = rows_between(grid, cell, edge).checked_sub(1).and_then(|i| EDGE_TEMPLATES.get(i))
        else {
            return Vec::new();
        };
        let mirrored = |&(away, along): &Offset| (away, -along - away);
        let forms = [offsets.to_vec(), offsets.iter().map(mirrored).collect()];
        let carrier = |form: Vec<Offset>| {
            let cells: Option<Vec<Cell>> = form.into_iter().map(|at| towards(grid, cell, edge, at)).collect();
            cells.map(|mut cells| {
                cells.sort_unstable();
                cells
            })
        };
        let mut carriers: Vec<Vec<Cell>> = forms.into_iter().filter_map(carrier).collect();
        carriers.dedup();
        carriers
    }

    /// The empty cells of a side's safe links, in reading order: links between two of its chains, or a chain and an
    /// own edge. No two links share a cell, so that all of them hold at once; small ones go before large ones.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "e5", "b4"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// let links: Vec<String> = game.safe_links(Side::First).into_iter().map(|cell| game.name(cell)).collect();
    /// assert!(links.contains(&"b3".to_owned()) && links.contains(&"c3".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn safe_links(&self, side: Side) -> Vec<Cell> {
        let mut cells: Vec<Cell> =
            self.links(side).iter().flat_map(|link| link.carrier.cells()).copied().collect();
        cells.sort_unstable();
        cells
    }

    /// Returns the number of stones that a side still needs to join its edges if its safe links hold, those that the
    /// new stones would have among them; `None` if it never can. Links of new stones may share cells, so that the other
    /// side can ask for more.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "e5", "b4"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// assert_eq!(game.stones_to_go(Side::First), Some(0), "bridges join all of it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stones_to_go(&self, side: Side) -> Option<u16> {
        let [from, _] = edges_of(side);
        let needed = self.linked_distances(side, &self.ties(side))[self.edge_node(from)];
        (needed != FAR).then_some(needed)
    }

    /// The cells of the stones that [`Hex::stones_to_go`] counts, from the top or the left; of several ways one in the
    /// middle of the board.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation, Side};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let mut game = Hex::new(5, SwapRule::Off)?;
    /// for text in ["c2", "e5", "b4"] {
    ///     let mv = game.parse(text)?;
    ///     game.try_make(mv)?;
    /// }
    /// assert!(game.shortest_way(Side::First).is_empty(), "no stone is needed");
    /// assert!(!game.shortest_way(Side::Second).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shortest_way(&self, side: Side) -> Vec<Cell> {
        let ties = self.ties(side);
        let to_go = self.linked_distances(side, &ties);
        let [from, to] = edges_of(side).map(|edge| self.edge_node(edge));
        if to_go[from] == FAR {
            return Vec::new();
        }
        let nearer = |node: usize| -> Vec<usize> {
            let rest = to_go[node] - self.price(side, node);
            let mut next: Vec<usize> =
                ties[node].iter().copied().filter(|&next| to_go[next] == rest).collect();
            next.sort_by_key(|&next| self.off_middle(next));
            next
        };
        let way = shortest(to_go.len(), [from], |node| node == to, nearer);
        let cells = way.into_iter().filter(|&node| node < self.grid().len()).map(Cell::new);
        cells.filter(|&cell| self.stone(cell).is_none()).collect()
    }

    /// Returns the distance of a cell from the middle of the board, in half rows and columns; 0 for an edge.
    fn off_middle(&self, node: usize) -> usize {
        if node >= self.grid().len() {
            return 0;
        }
        let (row, col) = self.grid().place(Cell::new(node));
        let middle = self.size() - 1;
        (2 * row).abs_diff(middle) + (2 * col).abs_diff(middle)
    }

    /// The safe links of a side that hold at once: in the order of their sizes, those that join what is apart and share
    /// no cell with one before.
    fn links(&self, side: Side) -> Vec<Link> {
        let mut links = self.possible_links(side, |cell| self.stone(cell) == Some(side));
        links.sort_by_key(|link| link.carrier.cells().len());
        let mut chains: Chains = self.chains.clone();
        let mut is_taken = vec![false; self.grid().len()];
        links.retain(|link| {
            let [one, other] = link.ends;
            let is_free = link.carrier.cells().iter().all(|cell| !is_taken[cell.index()]);
            let holds = is_free && chains.join(one, other) != NONE;
            if holds {
                link.carrier.cells().iter().for_each(|cell| is_taken[cell.index()] = true);
            }
            holds
        });
        links
    }

    /// Every bridge between two ends and every template from one to an edge that no stone of the other side has entered,
    /// in reading order. An own stone in a template does no harm, and its cell is not needed.
    fn possible_links(&self, side: Side, is_end: impl Fn(Cell) -> bool) -> Vec<Link> {
        let grid = self.grid();
        let is_own = |cell: Cell| self.stone(cell) == Some(side);
        let mut links = Vec::new();
        for cell in grid.cells().filter(|&cell| is_end(cell)) {
            for bridge in grid.bridges(cell).iter().filter(|bridge| cell < bridge.end) {
                if is_end(bridge.end) && self.are_empty(bridge.carrier) {
                    let ends = [cell.index(), bridge.end.index()];
                    links.push(Link { ends, carrier: Carrier::Bridge(bridge.carrier) });
                }
            }
            for edge in edges_of(side) {
                let ends = [cell.index(), self.edge_node(edge)];
                for mut carrier in self.edge_templates(cell, edge) {
                    carrier.retain(|&cell| !is_own(cell));
                    if carrier.iter().all(|&cell| self.stone(cell).is_none()) {
                        links.push(Link { ends, carrier: Carrier::Template(carrier) });
                    }
                }
            }
        }
        links
    }

    /// The stones that a side needs from each cell or edge, itself included, to its second edge.
    fn linked_distances(&self, side: Side, ties: &[Vec<usize>]) -> Vec<u16> {
        let [_, to] = edges_of(side);
        let beside = |node: usize| ties[node].iter().copied();
        distances(ties.len(), [self.edge_node(to)], |node| self.price(side, node), beside)
    }

    /// The stones that entering a cell or an edge costs a side.
    fn price(&self, side: Side, node: usize) -> u16 {
        match self.stones.get(node) {
            Some(None) => 1,
            Some(&Some(owner)) if owner != side => FAR,
            None if edges_of(side).iter().all(|&edge| self.edge_node(edge) != node) => FAR,
            _ => 0,
        }
    }

    /// By cell or edge: what it touches, and what it is linked with, or would be by a stone on an empty cell. The links
    /// that hold now go first: no other takes a cell of theirs.
    fn ties(&self, side: Side) -> Vec<Vec<usize>> {
        let grid = self.grid();
        // Six cells touch one, and as many bridges end at it.
        let mut ties: Vec<Vec<usize>> =
            (0..grid.len() + Edge::ALL.len()).map(|_| Vec::with_capacity(16)).collect();
        for cell in grid.cells() {
            ties[cell.index()].extend(indices(grid.neighbours(cell)));
        }
        for (edge, node) in edges_of(side).map(|edge| (edge, self.edge_node(edge))) {
            for cell in indices(grid.edge(edge)) {
                ties[node].push(cell);
                ties[cell].push(node);
            }
        }
        let links = self.links(side);
        let mut is_taken = vec![false; grid.len()];
        links.iter().flat_map(|link| link.carrier.cells()).for_each(|cell| is_taken[cell.index()] = true);
        let is_new = |node: usize| self.stones.get(node).is_some_and(Option::is_none);
        let mut new = self.possible_links(side, |cell| self.stone(cell) != Some(side.other()));
        new.retain(|link| {
            link.ends.into_iter().any(is_new)
                && !link.carrier.cells().iter().any(|cell| is_taken[cell.index()])
        });
        for Link { ends: [one, other], .. } in links.into_iter().chain(new) {
            ties[one].push(other);
            ties[other].push(one);
        }
        ties
    }
}

/// The rows between a cell and an edge: 0 on the edge.
fn rows_between(grid: &HexGrid, cell: Cell, edge: Edge) -> usize {
    let (row, col) = grid.place(cell);
    match edge {
        Edge::Top => row,
        Edge::Bottom => grid.size() - 1 - row,
        Edge::Left => col,
        Edge::Right => grid.size() - 1 - col,
    }
}

/// The cell at an offset, where the edge is below.
fn towards(grid: &HexGrid, cell: Cell, edge: Edge, (away, along): Offset) -> Option<Cell> {
    let (down, right) = match edge {
        Edge::Bottom => (away, along),
        Edge::Top => (-away, -along),
        Edge::Right => (along, away),
        Edge::Left => (-along, -away),
    };
    let (row, col) = grid.place(cell);
    grid.cell(row.checked_add_signed(down)?, col.checked_add_signed(right)?)
}
