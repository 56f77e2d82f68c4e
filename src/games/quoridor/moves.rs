//! Cells, walls and moves, and their names in modern algebraic. Knows no board size and no rules.

use std::fmt::{self, Debug, Display};

use crate::board::names::{letter, read_cell, without_number};

/// More files, or ranks, than any board has.
pub const MAX_SIZE: usize = 25;

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
    /// 0 for a.
    pub(crate) file: u8,
    /// 0 for the lowest row.
    pub(crate) row: u8,
}

impl Cell {
    /// The cell of a file and a row, counted from 0; `None` beyond the largest board.
    ///
    /// ```
    /// use crosspath::games::quoridor::Cell;
    /// assert_eq!(Cell::at(0, 8).map(|cell| cell.to_string()).as_deref(), Some("a9"));
    /// assert_eq!(Cell::at(25, 0), None);
    /// ```
    #[must_use]
    pub fn at(file: usize, row: usize) -> Option<Self> {
        let below = |index: usize| u8::try_from(index).ok().filter(|_| index < MAX_SIZE);
        Some(Cell { file: below(file)?, row: below(row)? })
    }

    /// The file, 0 for a.
    ///
    /// ```
    /// use crosspath::games::quoridor::Cell;
    /// assert_eq!(Cell::at(4, 0).map(Cell::file), Some(4));
    /// ```
    #[must_use]
    pub fn file(self) -> usize {
        usize::from(self.file)
    }

    /// The row, 0 for the lowest.
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
        write!(f, "{}{}", letter(self.file()), self.row() + 1)
    }
}

/// Direction of a wall.
///
/// ```
/// use crosspath::games::quoridor::Orientation;
/// assert_eq!(Orientation::BOTH.map(Orientation::letter), ['h', 'v']);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Orientation {
    /// Between two rows; `h`.
    Horizontal,
    /// Between two files; `v`.
    Vertical,
}

impl Orientation {
    /// Both, in the order of the move list.
    pub const BOTH: [Orientation; 2] = [Orientation::Horizontal, Orientation::Vertical];

    /// 0 or 1, in the order of [`Orientation::BOTH`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    ///
    /// ```
    /// use crosspath::games::quoridor::Orientation;
    /// assert_eq!(Orientation::Horizontal.turned(), Orientation::Vertical);
    /// ```
    #[must_use]
    pub fn turned(self) -> Orientation {
        match self {
            Orientation::Horizontal => Orientation::Vertical,
            Orientation::Vertical => Orientation::Horizontal,
        }
    }

    /// `h` or `v`.
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
    /// assert_eq!(Orientation::read("Horizontal"), Some(Orientation::Horizontal));
    /// assert_eq!(Orientation::read("x"), None);
    /// ```
    #[must_use]
    pub fn read(word: &str) -> Option<Orientation> {
        Orientation::BOTH.into_iter().find(|orientation| {
            let long = if *orientation == Orientation::Horizontal { "horizontal" } else { "vertical" };
            word.eq_ignore_ascii_case(long) || word.eq_ignore_ascii_case(&long[..1])
        })
    }
}

/// A wall, named by the lower-left cell of the 2x2 block whose middle it stands on.
///
/// ```text
///   c4 │ d4      c3h lies between rows 3 and 4, over files c and d
///   ───┼───
///   c3 │ d3      c3v stands between files c and d, along rows 3 and 4
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wall {
    /// The post it stands on, named like the cell at its lower left.
    pub post: Cell,
    /// Its direction.
    pub orientation: Orientation,
}

impl Wall {
    /// Returns the wall on the same post in the other direction.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Cell, Orientation, Wall};
    /// let post = Cell::at(2, 2).ok_or("beyond the largest board")?;
    /// let wall = Wall { post, orientation: Orientation::Horizontal };
    /// assert_eq!((wall.to_string(), wall.turned().to_string()), ("c3h".to_owned(), "c3v".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turned(self) -> Wall {
        Wall { orientation: self.orientation.turned(), ..self }
    }

    /// The walls that part two neighbouring cells, at most two.
    pub(crate) fn between(a: Cell, b: Cell) -> impl Iterator<Item = Wall> {
        let post = Cell { file: a.file.min(b.file), row: a.row.min(b.row) };
        let (orientation, before) = if a.file == b.file {
            (Orientation::Horizontal, post.file.checked_sub(1).map(|file| Cell { file, ..post }))
        } else {
            (Orientation::Vertical, post.row.checked_sub(1).map(|row| Cell { row, ..post }))
        };
        [Some(post), before].into_iter().flatten().map(move |post| Wall { post, orientation })
    }

    /// The two pairs of neighbouring cells that the wall parts.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Cell, Orientation, Wall};
    /// let post = Cell::at(2, 2).ok_or("beyond the largest board")?;
    /// let wall = Wall { post, orientation: Orientation::Horizontal };
    /// let parts = wall.parts().map(|(below, above)| format!("{below}-{above}"));
    /// assert_eq!(parts, ["c3-c4", "d3-d4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parts(self) -> [(Cell, Cell); 2] {
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

/// A pawn's new cell or a wall, in two bytes:
///
/// ```text
/// bit 11 10   9 … 5   4 … 0
///     what    row     file       what: 0 the pawn goes there, 1 wall across, 2 wall upright
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// Kind of a move: a step of the pawn or a wall.
///
/// ```
/// use crosspath::game::Notation;
/// use crosspath::games::quoridor::{MoveKind, Quoridor};
/// let game = Quoridor::new(9)?;
/// assert!(matches!(game.parse("e2")?.act(), MoveKind::Go(_)));
/// assert!(matches!(game.parse("e2h")?.act(), MoveKind::Build(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// The pawn goes to this cell.
    Go(Cell),
    /// This wall is built.
    Build(Wall),
}

impl Move {
    fn pack(what: u16, cell: Cell) -> Move {
        Move(what << 10 | u16::from(cell.row) << 5 | u16::from(cell.file))
    }

    /// The pawn's move to the cell of a file and a row or, with an orientation, the wall on the post of that name; `None` beyond
    /// the largest board.
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
    pub(crate) const SLOTS: usize = 3 << 10;

    /// A number below [`Move::SLOTS`], another for every move.
    pub(crate) fn move_index(self) -> u16 {
        self.0
    }

    /// Returns the move with this index; `None` if there is none.
    pub(crate) fn from_index(index: u16) -> Option<Move> {
        (usize::from(index) < Move::SLOTS).then_some(Move(index))
    }

    /// Returns the step or the wall that the move stands for.
    ///
    /// ```
    /// use crosspath::games::quoridor::{Cell, Move, MoveKind};
    /// let cell = Cell::at(4, 1).ok_or("beyond the largest board")?;
    /// assert_eq!(Move::from(cell).act(), MoveKind::Go(cell));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn act(self) -> MoveKind {
        let five_bits = |from: u16| (self.0 >> from & 31) as u8;
        let cell = Cell { file: five_bits(0), row: five_bits(5) };
        match self.0 >> 10 {
            0 => MoveKind::Go(cell),
            1 => MoveKind::Build(Wall { post: cell, orientation: Orientation::Horizontal }),
            _ => MoveKind::Build(Wall { post: cell, orientation: Orientation::Vertical }),
        }
    }

    /// The wall, if the move builds one.
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
        match self.act() {
            MoveKind::Build(wall) => Some(wall),
            MoveKind::Go(_) => None,
        }
    }
}

impl From<Cell> for Move {
    fn from(cell: Cell) -> Move {
        Move::pack(0, cell)
    }
}

impl From<Wall> for Move {
    fn from(wall: Wall) -> Move {
        Move::pack(if wall.orientation == Orientation::Horizontal { 1 } else { 2 }, wall.post)
    }
}

impl Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.act() {
            MoveKind::Go(cell) => Display::fmt(&cell, f),
            MoveKind::Build(wall) => Display::fmt(&wall, f),
        }
    }
}

impl Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// A name of any size of board: file and row from 0, and how the wall lies if it names one.
///
/// Takes every spelling people use: any case, `e3h`, `e3 h`, `h e3`, `wall e3 h`, `e3 horizontal`, and a move number
/// (`12.`, `12...`) in front.
pub(crate) fn read_name(text: &str) -> Option<(usize, usize, Option<Orientation>)> {
    let mut words = without_number(text.trim()).split_whitespace();
    let mut next = words.next()?;
    let says_wall = next.eq_ignore_ascii_case("wall");
    if says_wall {
        next = words.next()?;
    }
    let (cell, orientation) = match (words.next(), words.next()) {
        (None, _) => match next.char_indices().next_back() {
            Some((end, 'h' | 'H' | 'v' | 'V')) => (&next[..end], Some(Orientation::read(&next[end..])?)),
            _ => (next, None),
        },
        (Some(second), None) => match Orientation::read(next) {
            Some(orientation) => (second, Some(orientation)),
            None => (next, Some(Orientation::read(second)?)),
        },
        _ => return None,
    };
    let (file, row) = read_cell(cell)?;
    (orientation.is_some() || !says_wall).then_some((file, row, orientation))
}
