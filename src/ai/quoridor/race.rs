//! Tables of the race when no walls are left: the winner and the number of plies for every pair of pawn
//! cells. They are exact, including blocking and jumps. A race that never ends is a draw.

use super::board::{SearchBoard, pawn_targets};
use crate::game::{Game, Side};
use crate::games::quoridor::{Bitboard, Bitboard25, Cell, Quoridor, WallGraph};

/// Largest board that gets a table, in cells.
const MAX_RACE_TABLE_CELLS: usize = 128;

/// Largest number of cached tables.
const MAX_RACE_TABLES: usize = 16;
/// Number of nodes searched per table built. Building a table takes as long as some 1,500 nodes, so it adds
/// at most a quarter to the time of the search.
const NODES_PER_RACE_TABLE: u64 = 6_000;

/// Value for the mover: 0 for a draw, `n` for a win in `n` plies, `-n` for a loss in `n` plies.
type RaceScore = i16;

/// Returns the value, for the mover, of a position without walls left.
///
/// The value is 0 for a draw, `n` for a win in `n` plies, and `-n` for a loss in `n` plies. Returns `None` if
/// walls are left or the board has more than 128 cells.
///
/// ```
/// use crosspath::ai::quoridor::race::solve_race;
/// use crosspath::games::quoridor::Quoridor;
/// // The pawns meet in the middle; who has to go round the other loses.
/// assert_eq!(solve_race(&Quoridor::with_walls(3, 3, 0)?), Some(-4));
/// assert_eq!(solve_race(&Quoridor::new(9)?), None);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn solve_race(game: &Quoridor) -> Option<i32> {
    let board = SearchBoard::<Bitboard25>::from(game);
    let is_race = board.has_no_walls_left() && RaceTable::supports_size(board.size());
    is_race.then(|| RaceTable::build(&board).value(&board))
}

/// Returns the step that wins the race soonest if nobody places a wall, and the number of plies to the win.
/// Returns `None` if the mover does not win the race.
pub(super) fn find_fastest_race_win(game: &Quoridor) -> Option<(Cell, i32)> {
    let mut bare = game.clone();
    for side in Side::BOTH {
        bare.set_walls_left(side, 0);
    }
    let board = SearchBoard::<Bitboard25>::from(&bare);
    let race = RaceTable::supports_size(board.size()).then(|| RaceTable::build(&board))?;
    if race.value(&board) <= 0 {
        return None;
    }
    let plies = |cell: Cell| {
        let mut after = bare.clone();
        after.make_move(cell.into());
        let is_over = after.outcome().is_some();
        let left = if is_over { 0 } else { -race.value(&SearchBoard::<Bitboard25>::from(&after)) };
        (is_over || left > 0).then_some((left + 1, cell))
    };
    let (plies, cell) = bare.pawn_targets().into_iter().filter_map(plies).min()?;
    Some((cell, plies))
}

/// Cache of the race tables that a search has built.
#[derive(Debug)]
pub(super) struct RaceTableCache<S> {
    tables: Vec<([S; 2], RaceTable)>,
    /// Number of tables built for this move.
    tables_built: u64,
}

impl<S: Bitboard> RaceTableCache<S> {
    /// Creates an empty cache.
    pub(super) fn new() -> Self {
        RaceTableCache { tables: Vec::new(), tables_built: 0 }
    }

    /// Removes all tables.
    pub(super) fn clear(&mut self) {
        self.tables.clear();
        self.tables_built = 0;
    }

    /// Starts a search: resets the number of tables built.
    pub(super) fn start_search(&mut self) {
        self.tables_built = 0;
    }

    /// Returns the exact value for the mover, as [`solve_race`] does. It builds a missing table only once
    /// enough nodes were searched to pay for it.
    pub(super) fn probe_or_build(&mut self, board: &SearchBoard<S>, searched: u64) -> Option<i32> {
        if !board.has_no_walls_left() || !RaceTable::supports_size(board.size()) {
            return None;
        }
        let walls = board.race_inputs().0.open;
        if let Some(place) = self.tables.iter().rposition(|(known, _)| *known == walls) {
            return Some(self.tables[place].1.value(board));
        }
        if searched < self.tables_built * NODES_PER_RACE_TABLE {
            return None;
        }
        self.tables_built += 1;
        if self.tables.len() == MAX_RACE_TABLES {
            self.tables.remove(0);
        }
        let table = RaceTable::build(board);
        let value = table.value(board);
        self.tables.push((walls, table));
        Some(value)
    }
}

/// Exact values of all pawn cells on one set of walls, when neither side has walls left.
#[derive(Clone, Debug)]
struct RaceTable {
    columns: usize,
    cells: usize,
    values: Vec<RaceScore>,
}

/// Pawn moves in reverse: the cells from which a pawn can move to a given cell while the other pawn stays on
/// its cell.
struct ReverseMoves {
    cells: usize,
    /// Start of each list in `from`, by the cell of the other pawn and the target cell.
    begins: Vec<u32>,
    /// Cells from which a pawn can move to a target cell, list after list.
    from: Vec<u8>,
    /// Number of pawn moves, by the cell of the moving pawn and that of the other pawn.
    counts: Vec<u8>,
}

impl RaceTable {
    /// Reports whether boards of this size can have a table.
    fn supports_size((columns, rows): (usize, usize)) -> bool {
        columns * rows <= MAX_RACE_TABLE_CELLS
    }

    /// Builds the table for the walls of a position, at the cost of searching some thousand nodes.
    fn build<S: Bitboard>(board: &SearchBoard<S>) -> Self {
        let (lattice, _, goals) = board.race_inputs();
        let (columns, rows) = lattice.board_size();
        let mut race =
            RaceTable { columns, cells: columns * rows, values: vec![0; 2 * (columns * rows).pow(2)] };
        race.fill_by_retrograde_analysis(lattice, goals);
        race
    }

    /// Returns the value of a position for the mover; it must have the walls of the table.
    fn value<S: Bitboard>(&self, board: &SearchBoard<S>) -> i32 {
        let (_, pawns, _) = board.race_inputs();
        let [first, second] = pawns.map(|pawn| pawn.cells().next().map_or(0, |cell| self.cell_index(cell)));
        let mover = board.mover().index();
        let (own, other) = if mover == 0 { (first, second) } else { (second, first) };
        self.values[self.value_index(mover, own, other)].into()
    }

    fn cell_index(&self, cell: Cell) -> usize {
        cell.row() * self.columns + cell.file()
    }

    fn value_index(&self, mover: usize, own: usize, other: usize) -> usize {
        (mover * self.cells + own) * self.cells + other
    }

    /// Fills the table by retrograde analysis: a position is won if a move leads to a lost one, and lost if
    /// all moves lead to won ones. Positions found first end soonest.
    fn fill_by_retrograde_analysis<S: Bitboard>(&mut self, lattice: &WallGraph<S>, goals: [S; 2]) {
        let (columns, cells) = (self.columns, self.cells);
        let cell = |index: usize| {
            S::from_cell(Cell::at(index % columns, index / columns).expect("it is on the board"))
        };
        let ways = ReverseMoves::from_wall_graph(lattice, cells, &cell);
        let is_goal =
            goals.map(|goal| (0..cells).map(|at| !(goal & cell(at)).is_empty()).collect::<Vec<_>>());
        let mut open = [ways.counts.clone(), ways.counts.clone()];
        let mut known = Vec::with_capacity(self.values.len());
        // A step onto the goal row wins at once.
        for (mover, is_goal) in is_goal.iter().enumerate() {
            for (other, reached) in (0..cells * cells).map(|i| (i / cells, i % cells)) {
                for &own in ways.predecessors(other, reached).filter(|_| is_goal[reached]) {
                    let place = self.value_index(mover, own.into(), other);
                    if self.values[place] == 0 {
                        self.values[place] = 1;
                        known.push((mover, usize::from(own), other));
                    }
                }
            }
        }
        let mut next = 0;
        while let Some(&(mover, own, other)) = known.get(next) {
            next += 1;
            let value = self.values[self.value_index(mover, own, other)];
            // The side that moved before came to `other` while the pawn of this side was on `own`.
            for &from in ways.predecessors(own, other) {
                let (before, from) = (1 - mover, usize::from(from));
                let place = self.value_index(before, from, own);
                let left = &mut open[before][from * cells + own];
                *left -= u8::from(value > 0);
                if self.values[place] == 0 && (value < 0 || *left == 0) {
                    self.values[place] = if value < 0 { 1 - value } else { -1 - value };
                    known.push((before, from, own));
                }
            }
        }
    }
}

impl ReverseMoves {
    fn from_wall_graph<S: Bitboard>(
        lattice: &WallGraph<S>,
        cells: usize,
        cell: &impl Fn(usize) -> S,
    ) -> Self {
        let pairs = |i: usize| (i / cells, i % cells);
        let index = |at: Cell| at.row() * lattice.board_size().0 + at.file();
        let (mut counts, mut begins) = (vec![0; cells * cells], vec![0; cells * cells + 1]);
        let mut moves = Vec::with_capacity(4 * cells * cells);
        for (own, other) in (0..cells * cells).map(pairs).filter(|(own, other)| own != other) {
            for to in pawn_targets(lattice, cell(own), cell(other)).cells().map(index) {
                counts[own * cells + other] += 1;
                begins[other * cells + to + 1] += 1;
                moves.push((own, other, to));
            }
        }
        for i in 0..cells * cells {
            begins[i + 1] += begins[i];
        }
        let (mut ends, mut from) = (begins.clone(), vec![0; moves.len()]);
        for (own, other, to) in moves {
            let end = &mut ends[other * cells + to];
            from[*end as usize] = u8::try_from(own).expect("a small board");
            *end += 1;
        }
        ReverseMoves { cells, begins, from, counts }
    }

    /// Returns the cells from which a pawn can move to `reached` while the other pawn is on `other`.
    fn predecessors(&self, other: usize, reached: usize) -> std::slice::Iter<'_, u8> {
        let list = other * self.cells + reached;
        self.from[self.begins[list] as usize..self.begins[list + 1] as usize].iter()
    }
}
