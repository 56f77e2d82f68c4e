//! Cells, walls and moves, and their names in modern algebraic notation. This module does not depend on board
//! sizes or rules.

use std::fmt::{self, Debug, Display};

use crate::board::names::{column_letter, parse_cell_name, strip_move_number};

/// Maximum number of files, and of ranks, of a board.
pub const MAX_QUORIDOR_SIZE: usize = 25;

/// A cell by file and row, both counted from 0: (0, 0) is a1, at the lower left.
///
/// ```
/// use crosspath::games::quoridor::Cell;
/// let cell = Cell::at(4, 0).ok_or("beyond the largest board")?;
/// assert_eq!((cell.to_string(), cell.file(), cell.row()), ("e1".to_owned(), 4, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// File, 0 for a.
    pub(crate) file: u8,
    /// Row, 0 for the lowest.
    pub(crate) row: u8,
}

impl Cell {
    /// Returns the cell at a file and a row, both counted from 0; `None` beyond the largest board.
    ///
    /// ```
    /// use crosspath::games::quoridor::Cell;
    /// assert_eq!(Cell::at(0, 8).map(|cell| cell.to_string()).as_deref(), Some("a9"));
    /// assert_eq!(Cell::at(25, 0), None);
    /// ```
    #[must_use]
    pub fn at(file: usize, row: usize) -> Option<Self> {
        let below = |index: usize| u8::try_from(index).ok().filter(|_| index < MAX_QUORIDOR_SIZE);
        Some(Cell { file: below(file)?, row: below(row)? })
    }

    /// Returns the file, 0 for a.
    ///
    /// ```
    /// use crosspath::games::quoridor::Cell;
    /// assert_eq!(Cell::at(4, 0).map(Cell::file), Some(4));
    /// ```
    #[must_use]
    pub fn file(self) -> usize {
        usize::from(self.file)
    }

    /// Returns the row, 0 for the lowest.
    ///
    /// ```
    /// use crosspath::games::quoridor::Cell;
    /// assert_eq!(Cell::at(4, 7).map(Cell::row), Some(7));
    /// ```
    #[must_use]
    pub fn row(self) -> usize {
        usize::from(self.row)
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.file()), self.row() + 1)
    }
}

/// Orientation of a wall.
///
/// ```
/// use crosspath::games::quoridor::Orientation;
/// assert_eq!(Orientation::BOTH.map(Orientation::letter), ['h', 'v']);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Orientation {
    /// Horizontal wall between two rows, written `h`.
    Horizontal,
    /// Vertical wall between two files, written `v`.
    Vertical,
}

impl Orientation {
    /// Both orientations, in the order of the move list.
    pub const BOTH: [Orientation; 2] = [Orientation::Horizontal, Orientation::Vertical];

    /// Returns the number of the orientation, 0 or 1, in the order of [`Orientation::BOTH`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Returns the other orientation.
    ///
    /// ```
    /// use crosspath::games::quoridor::Orientation;
    /// assert_eq!(Orientation::Horizontal.perpendicular(), Orientation::Vertical);
    /// ```
    #[must_use]
    pub fn perpendicular(self) -> Orientation {
        match self {
            Orientation::Horizontal => Orientation::Vertical,
            Orientation::Vertical => Orientation::Horizontal,
        }
    }

    /// Returns the letter of the orientation, `h` or `v`.
    ///
    /// ```
    /// use crosspath::games::quoridor::Orientation;
    /// assert_eq!(Orientation::Vertical.letter(), 'v');
    /// ```
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Orientation::Horizontal => 'h',
            Orientation::Vertical => 'v',
        }
    }

    /// Reads `h`, `v`, `horizontal` or `vertical` in any case.
    ///
    /// ```
    /// use crosspath::games::quoridor::Orientation;
    /// assert_eq!(Orientation::parse("Horizontal"), Some(Orientation::Horizontal));
    /// assert_eq!(Orientation::parse("x"), None);
    /// ```
    #[must_use]
    pub fn parse(word: &str) -> Option<Orientation> {
        Orientation::BOTH.into_iter().find(|orientation| {
            let long = if *orientation == Orientation::Horizontal { "horizontal" } else { "vertical" };
            word.eq_ignore_ascii_case(long) || word.eq_ignore_ascii_case(&long[..1])
        })
    }
}

/// A wall, named by the lower-left cell of the 2x2 block at whose centre it lies.
///
/// ```text
///   c4 │ d4      c3h lies between rows 3 and 4, over files c and d
///   ───┼───
///   c3 │ d3      c3v stands between files c and d, along rows 3 and 4
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wall {
    /// Post at the centre of the wall, named by the cell at its lower left.
    pub post: Cell,
    /// Orientation of the wall.
    pub orientation: Orientation,
}

impl Wall {
    /// Returns the perpendicular wall on the same post.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Cell, Orientation, Wall};
    /// let post = Cell::at(2, 2).ok_or("beyond the largest board")?;
    /// let wall = Wall { post, orientation: Orientation::Horizontal };
    /// assert_eq!((wall.to_string(), wall.perpendicular().to_string()), ("c3h".to_owned(), "c3v".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn perpendicular(self) -> Wall {
        Wall { orientation: self.orientation.perpendicular(), ..self }
    }

    /// Returns the walls, at most two, that separate two neighbouring cells.
    pub(crate) fn between_cells(a: Cell, b: Cell) -> impl Iterator<Item = Wall> {
        let post = Cell { file: a.file.min(b.file), row: a.row.min(b.row) };
        let (orientation, before) = if a.file == b.file {
            (Orientation::Horizontal, post.file.checked_sub(1).map(|file| Cell { file, ..post }))
        } else {
            (Orientation::Vertical, post.row.checked_sub(1).map(|row| Cell { row, ..post }))
        };
        [Some(post), before].into_iter().flatten().map(move |post| Wall { post, orientation })
    }

    /// Returns the two pairs of neighbouring cells that the wall separates.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Cell, Orientation, Wall};
    /// let post = Cell::at(2, 2).ok_or("beyond the largest board")?;
    /// let wall = Wall { post, orientation: Orientation::Horizontal };
    /// let parts = wall.separated_cells().map(|(below, above)| format!("{below}-{above}"));
    /// assert_eq!(parts, ["c3-c4", "d3-d4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn separated_cells(self) -> [(Cell, Cell); 2] {
        let Cell { file, row } = self.post;
        let [a, b, c, d] =
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Cell { file: file + x, row: row + y });
        match self.orientation {
            Orientation::Horizontal => [(a, c), (b, d)],
            Orientation::Vertical => [(a, b), (c, d)],
        }
    }
}

impl Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.post, self.orientation.letter())
    }
}

/// A move: a pawn's target cell or a wall, packed into two bytes.
///
/// ```text
/// bit 11 10   9 … 5   4 … 0
///     kind    row     file       kind: 0 pawn move, 1 horizontal wall, 2 vertical wall
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// Kind of a move: a step of the pawn or a wall.
///
/// ```
/// use crosspath::game::Notation;
/// use crosspath::games::quoridor::{MoveKind, Quoridor};
/// let game = Quoridor::new(9)?;
/// assert!(matches!(game.parse("e2")?.kind(), MoveKind::Step(_)));
/// assert!(matches!(game.parse("e2h")?.kind(), MoveKind::Wall(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// The pawn moves to this cell.
    Step(Cell),
    /// This wall is placed.
    Wall(Wall),
}

impl Move {
    fn from_kind_bits(what: u16, cell: Cell) -> Move {
        Move(what << 10 | u16::from(cell.row) << 5 | u16::from(cell.file))
    }

    /// Returns a pawn move to a cell or, if an orientation is given, a wall on the post of that name. Returns
    /// `None` beyond the largest board.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Move, Orientation};
    /// let wall = Move::at(4, 2, Some(Orientation::Vertical));
    /// assert_eq!(wall.map(|mv| mv.to_string()).as_deref(), Some("e3v"));
    /// ```
    #[must_use]
    pub fn at(file: usize, row: usize, orientation: Option<Orientation>) -> Option<Move> {
        let post = Cell::at(file, row)?;
        Some(orientation.map_or(post.into(), |orientation| Wall { post, orientation }.into()))
    }

    /// Number of move indices.
    pub(crate) const INDEX_COUNT: usize = 3 << 10;

    /// Returns the index of the move, unique and below [`Move::INDEX_COUNT`].
    pub(crate) fn move_index(self) -> u16 {
        self.0
    }

    /// Returns the move with this index, or `None` if there is none.
    pub(crate) fn from_index(index: u16) -> Option<Move> {
        (usize::from(index) < Move::INDEX_COUNT).then_some(Move(index))
    }

    /// Returns the kind of the move: a step or a wall.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Cell, Move, MoveKind};
    /// let cell = Cell::at(4, 1).ok_or("beyond the largest board")?;
    /// assert_eq!(Move::from(cell).kind(), MoveKind::Step(cell));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn kind(self) -> MoveKind {
        let five_bits = |from: u16| (self.0 >> from & 31) as u8;
        let cell = Cell { file: five_bits(0), row: five_bits(5) };
        match self.0 >> 10 {
            0 => MoveKind::Step(cell),
            1 => MoveKind::Wall(Wall { post: cell, orientation: Orientation::Horizontal }),
            _ => MoveKind::Wall(Wall { post: cell, orientation: Orientation::Vertical }),
        }
    }

    /// Returns the placed wall, or `None` for a pawn move.
    ///
    /// ```
    /// use crosspath::game::Notation;
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::new(9)?;
    /// assert!(game.parse("e3h")?.wall().is_some());
    /// assert!(game.parse("e3")?.wall().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wall(self) -> Option<Wall> {
        match self.kind() {
            MoveKind::Wall(wall) => Some(wall),
            MoveKind::Step(_) => None,
        }
    }
}

impl From<Cell> for Move {
    fn from(cell: Cell) -> Move {
        Move::from_kind_bits(0, cell)
    }
}

impl From<Wall> for Move {
    fn from(wall: Wall) -> Move {
        Move::from_kind_bits(if wall.orientation == Orientation::Horizontal { 1 } else { 2 }, wall.post)
    }
}

impl Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            MoveKind::Step(cell) => Display::fmt(&cell, f),
            MoveKind::Wall(wall) => Display::fmt(&wall, f),
        }
    }
}

impl Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Reads the name of a cell or wall and returns its file and row from 0 and the wall's orientation. The size
/// of the board is not checked.
///
/// Accepted spellings, in any case: `e3h`, `e3 h`, `h e3`, `wall e3 h`, `e3 horizontal`, with an optional
/// move number (`12.`, `12...`).
pub(crate) fn parse_move_name(text: &str) -> Option<(usize, usize, Option<Orientation>)> {
    let mut words = strip_move_number(text.trim()).split_whitespace();
    let mut next = words.next()?;
    let says_wall = next.eq_ignore_ascii_case("wall");
    if says_wall {
        next = words.next()?;
    }
    let (cell, orientation) = match (words.next(), words.next()) {
        (None, _) => match next.char_indices().next_back() {
            Some((end, 'h' | 'H' | 'v' | 'V')) => (&next[..end], Some(Orientation::parse(&next[end..])?)),
            _ => (next, None),
        },
        (Some(second), None) => match Orientation::parse(next) {
            Some(orientation) => (second, Some(orientation)),
            None => (next, Some(Orientation::parse(second)?)),
        },
        _ => return None,
    };
    let (file, row) = parse_cell_name(cell)?;
    (orientation.is_some() || !says_wall).then_some((file, row, orientation))
}
