//! The race when no walls are left: who wins from every pair of cells, and in how many plies. Exact, the bodies of the pawns
//! included; who can only wait for ever draws.

use super::board::{SearchBoard, targets};
use crate::game::{Game, Side};
use crate::games::quoridor::{Bitboard, Bitboard25, Cell, Quoridor, WallGraph};

/// The largest board, in cells.
const MAX_CELLS: usize = 128;

/// Largest number of tables that are kept.
const MAX_TABLES: usize = 16;
/// A table takes the time of some 1,500 positions: another one is made when four times as many were searched.
const NODES_FOR_A_TABLE: u64 = 6_000;

/// The value for the mover: 0 a draw, `n` won in `n` plies, `-n` lost in `n` plies.
type Value = i16;

/// The value of a position in which nobody has a wall to build, for its mover: 0 a draw, `n` won in `n` plies, `-n` lost in
/// `n` plies. `None` where there are walls, and on boards of more than 128 cells.
///
/// ```
/// use crosspath::ai::quoridor::race::race;
/// use crosspath::games::quoridor::Quoridor;
/// // The pawns meet in the middle; who has to go round the other loses.
/// assert_eq!(race(&Quoridor::with_walls(3, 3, 0)?), Some(-4));
/// assert_eq!(race(&Quoridor::new(9)?), None);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn race(game: &Quoridor) -> Option<i32> {
    let board = SearchBoard::<Bitboard25>::from(game);
    let is_race = board.has_no_walls() && Race::is_for(board.size());
    is_race.then(|| Race::of(&board).value(&board))
}

/// The step that wins the race soonest if nobody builds a wall, and in how many plies; `None` where the mover does not win it.
pub(super) fn fastest_win(game: &Quoridor) -> Option<(Cell, i32)> {
    let mut bare = game.clone();
    for side in Side::BOTH {
        bare.set_walls_left(side, 0);
    }
    let board = SearchBoard::<Bitboard25>::from(&bare);
    let race = Race::is_for(board.size()).then(|| Race::of(&board))?;
    if race.value(&board) <= 0 {
        return None;
    }
    let plies = |cell: Cell| {
        let mut after = bare.clone();
        after.make(cell.into());
        let is_over = after.outcome().is_some();
        let left = if is_over { 0 } else { -race.value(&SearchBoard::<Bitboard25>::from(&after)) };
        (is_over || left > 0).then_some((left + 1, cell))
    };
    let (plies, cell) = bare.pawn_targets().into_iter().filter_map(plies).min()?;
    Some((cell, plies))
}

/// The tables of the races that a search has come to.
#[derive(Debug)]
pub(super) struct Races<S> {
    tables: Vec<([S; 2], Race)>,
    /// Number of tables that were made for this move.
    made: u64,
}

impl<S: Bitboard> Races<S> {
    /// Creates an empty list of tables.
    pub(super) fn new() -> Self {
        Races { tables: Vec::new(), made: 0 }
    }

    /// Forgets them.
    pub(super) fn clear(&mut self) {
        self.tables.clear();
        self.made = 0;
    }

    /// A search begins that has not yet paid for a table.
    pub(super) fn begin(&mut self) {
        self.made = 0;
    }

    /// Returns the exact value for the mover, as [`race`] gives it, once the number of searched positions makes a table
    /// for it worth its time.
    pub(super) fn value(&mut self, board: &SearchBoard<S>, searched: u64) -> Option<i32> {
        if !board.has_no_walls() || !Race::is_for(board.size()) {
            return None;
        }
        let walls = board.race().0.open;
        if let Some(place) = self.tables.iter().rposition(|(known, _)| *known == walls) {
            return Some(self.tables[place].1.value(board));
        }
        if searched < self.made * NODES_FOR_A_TABLE {
            return None;
        }
        self.made += 1;
        if self.tables.len() == MAX_TABLES {
            self.tables.remove(0);
        }
        let table = Race::of(board);
        let value = table.value(board);
        self.tables.push((walls, table));
        Some(value)
    }
}

/// Values of all races between the same walls.
#[derive(Clone, Debug)]
struct Race {
    columns: usize,
    cells: usize,
    values: Vec<Value>,
}

/// Every way to move one pawn while the other stands, backwards: from where it may have come.
struct ReverseMoves {
    cells: usize,
    /// By cell of the other pawn and the cell that was reached: where its list begins.
    begins: Vec<u32>,
    from: Vec<u8>,
    /// By cell of the own pawn and of the other: how many moves there are.
    counts: Vec<u8>,
}

impl Race {
    /// Reports whether a table is made for boards of this size.
    fn is_for((columns, rows): (usize, usize)) -> bool {
        columns * rows <= MAX_CELLS
    }

    /// The table for the walls of a position, at the cost of some thousand positions.
    fn of<S: Bitboard>(board: &SearchBoard<S>) -> Self {
        let (lattice, _, goals) = board.race();
        let (columns, rows) = lattice.size();
        let mut race = Race { columns, cells: columns * rows, values: vec![0; 2 * (columns * rows).pow(2)] };
        race.fill(lattice, goals);
        race
    }

    /// The value for the mover, by the walls that the table was made for.
    fn value<S: Bitboard>(&self, board: &SearchBoard<S>) -> i32 {
        let (_, pawns, _) = board.race();
        let [first, second] = pawns.map(|pawn| pawn.cells().next().map_or(0, |cell| self.index(cell)));
        let mover = board.mover().index();
        let (own, other) = if mover == 0 { (first, second) } else { (second, first) };
        self.values[self.place(mover, own, other)].into()
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row() * self.columns + cell.file()
    }

    fn place(&self, mover: usize, own: usize, other: usize) -> usize {
        (mover * self.cells + own) * self.cells + other
    }

    /// Backwards from the last step: a position is won with a move to one that is lost, and lost when all moves lead to won
    /// ones. Those that come first end soonest.
    fn fill<S: Bitboard>(&mut self, lattice: &WallGraph<S>, goals: [S; 2]) {
        let (columns, cells) = (self.columns, self.cells);
        let cell =
            |index: usize| S::of(Cell::at(index % columns, index / columns).expect("it is on the board"));
        let ways = ReverseMoves::of(lattice, cells, &cell);
        let is_goal =
            goals.map(|goal| (0..cells).map(|at| !(goal & cell(at)).is_empty()).collect::<Vec<_>>());
        let mut open = [ways.counts.clone(), ways.counts.clone()];
        let mut known = Vec::with_capacity(self.values.len());
        // A step onto the goal row wins at once.
        for (mover, is_goal) in is_goal.iter().enumerate() {
            for (other, reached) in (0..cells * cells).map(|i| (i / cells, i % cells)) {
                for &own in ways.leading_to(other, reached).filter(|_| is_goal[reached]) {
                    let place = self.place(mover, own.into(), other);
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
            let value = self.values[self.place(mover, own, other)];
            // The side that moved before has come to `other`, while this side's pawn stood on `own`.
            for &from in ways.leading_to(own, other) {
                let (before, from) = (1 - mover, usize::from(from));
                let place = self.place(before, from, own);
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
    fn of<S: Bitboard>(lattice: &WallGraph<S>, cells: usize, cell: &impl Fn(usize) -> S) -> Self {
        let pairs = |i: usize| (i / cells, i % cells);
        let index = |at: Cell| at.row() * lattice.size().0 + at.file();
        let (mut counts, mut begins) = (vec![0; cells * cells], vec![0; cells * cells + 1]);
        let mut moves = Vec::with_capacity(4 * cells * cells);
        for (own, other) in (0..cells * cells).map(pairs).filter(|(own, other)| own != other) {
            for to in targets(lattice, cell(own), cell(other)).cells().map(index) {
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

    /// From where a pawn may have come to a cell, while the other one stood there.
    fn leading_to(&self, other: usize, reached: usize) -> std::slice::Iter<'_, u8> {
        let list = other * self.cells + reached;
        self.from[self.begins[list] as usize..self.begins[list + 1] as usize].iter()
    }
}
