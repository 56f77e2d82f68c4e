//! Rules of tic-tac-toe on N x N boards. This module does not depend on engines, text protocols or screens.

mod about;
mod encoding;
mod paint;
mod scene;

use std::fmt::{self, Display};
use std::sync::Arc;

use crate::board::lines::WinningLines;
use crate::board::names::{cell_name, cell_typing_hint, column_letter, off_board_refusal, parse_cell_name};
use crate::board::{Grid, SizeError};
use crate::game::{BySide, Game, Notation, Outcome, PositionDescription, Refusal, RefusalCode, Side};
use crate::random::mix_seed;
use crate::text;
use crate::text::{SideName, Text, join_moves, mark_move};

/// Size of the largest tic-tac-toe board.
pub const MAX_TICTACTOE_SIZE: usize = 10;

/// A cell, numbered row by row from the top left: `row * N + col`.
///
/// ```
/// use crosspath::game::Notation;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// assert_eq!(TicTacToe::new(3)?.parse("b2")?, Cell(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl Cell {
    /// Returns the mask in which only the bit of this cell is set.
    ///
    /// ```
    /// use crosspath::games::tictactoe::Cell;
    /// assert_eq!(Cell(4).bit(), 0b1_0000);
    /// ```
    #[must_use]
    pub fn bit(self) -> u128 {
        1 << self.0
    }

    /// Returns the cell as an index.
    ///
    /// ```
    /// use crosspath::games::tictactoe::Cell;
    /// assert_eq!(Cell(4).index(), 4);
    /// ```
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Reason why a cell cannot be marked.
///
/// ```
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, IllegalMove, TicTacToe};
/// let game = TicTacToe::new(3)?;
/// assert_eq!(game.check_legality(Cell(9)), Err(IllegalMove::OffBoard(Cell(9), 9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The cell is off the board. The second value is the number of cells.
    #[error("cell {} is off the board; there are {} cells", .0.0, .1)]
    OffBoard(Cell, usize),
    /// The cell holds a mark of this side.
    #[error("cell {} is taken by {}", .0.0, .1)]
    Taken(Cell, Side),
}

/// A position of tic-tac-toe on N x N cells. The first player with K marks in a row wins.
///
/// Marks are stored as masks with bit `row * N + col`:
///
/// ```text
/// 0    1  …  N-1
/// N   N+1
/// ⋮         N*N-1
/// ```
///
/// ```
/// use crosspath::game::{Game, Notation, Outcome, Side};
/// use crosspath::games::tictactoe::TicTacToe;
/// let mut game = TicTacToe::new(3)?;
/// for text in ["b2", "a1", "b1", "a2", "b3"] {
///     let cell = game.parse(text)?;
///     game.try_make_move(cell)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TicTacToe {
    size: usize,
    win_length: usize,
    stones: BySide<u128>,
    to_move: Side,
    winner: Option<Side>,
    key: u64,
    lines: Arc<WinningLines>,
}

impl PartialEq for TicTacToe {
    fn eq(&self, other: &Self) -> bool {
        (self.size, self.win_length, self.stones, self.to_move, self.winner, self.key)
            == (other.size, other.win_length, other.stones, other.to_move, other.winner, other.key)
    }
}

impl Eq for TicTacToe {}

impl TicTacToe {
    /// Returns the empty board of `size` x `size` cells, on which a full row, column or diagonal wins.
    ///
    /// ```
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert_eq!(TicTacToe::new(4)?.win_length(), 4);
    /// assert!(TicTacToe::new(11).is_err(), "10x10 is the largest board");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= 10.
    pub fn new(size: usize) -> Result<Self, SizeError> {
        Self::with_win_length(size, size)
    }

    /// Returns the empty board on which `win_length` marks in a row win, across, down or diagonally.
    ///
    /// ```
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert_eq!(TicTacToe::with_win_length(10, 5)?.win_length(), 5);
    /// assert!(TicTacToe::with_win_length(3, 4).is_err(), "no line is that long");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `SizeError` unless 1 <= `size` <= 10 and 1 <= `win_length` <= `size`.
    pub fn with_win_length(size: usize, win_length: usize) -> Result<Self, SizeError> {
        SizeError::check_size(size, 1, MAX_TICTACTOE_SIZE)?;
        SizeError::check_size(win_length, 1, size)?;
        Ok(TicTacToe {
            size,
            win_length,
            stones: BySide::new(0, 0),
            to_move: Side::First,
            winner: None,
            key: mix_seed(win_length as u64, size as u64),
            lines: Arc::new(WinningLines::new(size, win_length)),
        })
    }

    /// Marks an empty cell for a side, even if the other side is to move. Returns `false` if the cell was not
    /// empty.
    fn add_mark(&mut self, side: Side, cell: Cell) -> bool {
        if self.empty_cells() & cell.bit() == 0 {
            return false;
        }
        self.stones[side] |= cell.bit();
        self.key ^= mark_key(side, cell);
        let own = self.stones[side];
        if self.lines.masks_through(cell.index()).iter().any(|line| line & own == *line) {
            self.winner.get_or_insert(side);
        }
        true
    }

    /// Sets the side to move.
    pub(crate) fn set_side_to_move(&mut self, side: Side) {
        if side != self.to_move {
            self.key ^= SIDE_TO_MOVE_KEY;
            self.to_move = side;
        }
    }

    /// Returns the number of cells per side, N.
    ///
    /// ```
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert_eq!(TicTacToe::new(3)?.size(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of marks in a row that win, K.
    ///
    /// ```
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert_eq!(TicTacToe::with_win_length(5, 4)?.win_length(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win_length(&self) -> usize {
        self.win_length
    }

    /// Returns the marks of a side as a mask.
    ///
    /// ```
    /// use crosspath::game::{Game, Side};
    /// use crosspath::games::tictactoe::{Cell, TicTacToe};
    /// let mut game = TicTacToe::new(3)?;
    /// game.try_make_move(Cell(4))?;
    /// assert_eq!(game.stones(Side::First), Cell(4).bit());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stones(&self, side: Side) -> u128 {
        self.stones[side]
    }

    /// Returns the empty cells as a mask.
    ///
    /// ```
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert_eq!(TicTacToe::new(3)?.empty_cells(), 0b111_111_111);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn empty_cells(&self) -> u128 {
        self.board_mask() & !(self.stones.first | self.stones.second)
    }

    /// Returns the winning lines of the board.
    ///
    /// ```
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert_eq!(TicTacToe::new(3)?.winning_lines().masks().len(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_lines(&self) -> &WinningLines {
        &self.lines
    }

    /// Returns the first completed line in the order of [`WinningLines`], if there is one.
    ///
    /// ```
    /// use crosspath::game::Game;
    /// use crosspath::games::tictactoe::{Cell, TicTacToe};
    /// let mut game = TicTacToe::new(3)?;
    /// for cell in [0, 3, 1, 4, 2] {
    ///     game.try_make_move(Cell(cell))?;
    /// }
    /// assert_eq!(game.winning_line(), Some(0b111));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn winning_line(&self) -> Option<u128> {
        let own = self.stones[self.winner?];
        self.lines.masks().iter().copied().find(|line| line & own == *line)
    }

    /// Returns the position as a board of the characters `X`, `O` and `_`.
    ///
    /// ```
    /// use crosspath::game::Game;
    /// use crosspath::games::tictactoe::{Cell, TicTacToe};
    /// let mut game = TicTacToe::new(3)?;
    /// game.try_make_move(Cell(4))?;
    /// assert_eq!(game.to_grid().get(1, 1), Some('X'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "every size of the game is a size of the grid")]
    #[must_use]
    pub fn to_grid(&self) -> Grid<char> {
        let mut grid = Grid::new(self.size, '_').expect("1..=10 are sizes of a grid");
        for side in Side::BOTH {
            for cell in cells_in_mask(self.stones[side]) {
                let (row, col) = self.coordinates(cell);
                grid.set(row, col, mark_char(side)).expect("a cell of the board");
            }
        }
        grid
    }

    fn board_mask(&self) -> u128 {
        (1 << (self.size * self.size)) - 1
    }

    fn coordinates(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.size, cell.index() % self.size)
    }

    fn cell_at(&self, row: usize, col: usize) -> Option<Cell> {
        (row < self.size && col < self.size)
            .then(|| Cell(u8::try_from(row * self.size + col).expect("a board has at most 100 cells")))
    }
}

/// Returns the character of a side's mark.
fn mark_char(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

/// Returns the cells of a mask in reading order.
///
/// ```
/// use crosspath::games::tictactoe::{Cell, cells_in_mask};
/// assert_eq!(cells_in_mask(0b101).collect::<Vec<_>>(), [Cell(0), Cell(2)]);
/// ```
#[expect(clippy::missing_panics_doc, reason = "a mask has 128 bits")]
pub fn cells_in_mask(mut mask: u128) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = (mask != 0).then(|| Cell(u8::try_from(mask.trailing_zeros()).expect("at most 128")))?;
        mask &= mask - 1;
        Some(cell)
    })
}

const SIDE_TO_MOVE_KEY: u64 = mix_seed(0x7469_6374, 0);

fn mark_key(side: Side, cell: Cell) -> u64 {
    mix_seed(0x7469_6375 + side.index() as u64, u64::from(cell.0))
}

impl Game for TicTacToe {
    type Move = Cell;
    type Undo = ();
    type Refusal = IllegalMove;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(side) => Some(Outcome::Win(side)),
            None if self.empty_cells() == 0 => Some(Outcome::Draw),
            None => None,
        }
    }

    fn push_legal_moves(&self, out: &mut Vec<Cell>) {
        if self.winner.is_none() {
            out.extend(cells_in_mask(self.empty_cells()));
        }
    }

    fn make_move(&mut self, cell: Cell) {
        debug_assert!(self.is_legal(cell), "{cell:?} is not legal in\n{self}");
        let side = self.to_move;
        self.stones[side] |= cell.bit();
        let own = self.stones[side];
        if self.lines.masks_through(cell.index()).iter().any(|line| line & own == *line) {
            self.winner = Some(side);
        }
        self.key ^= mark_key(side, cell) ^ SIDE_TO_MOVE_KEY;
        self.to_move = side.other();
    }

    fn unmake_move(&mut self, cell: Cell, (): ()) {
        let side = self.to_move.other();
        debug_assert!(self.stones[side] & cell.bit() != 0, "{cell:?} was not the last move");
        self.stones[side] &= !cell.bit();
        self.winner = None; // No move follows a win, so there was no winner before this move.
        self.key ^= mark_key(side, cell) ^ SIDE_TO_MOVE_KEY;
        self.to_move = side;
    }

    fn position_key(&self) -> u64 {
        self.key
    }

    fn check_legality(&self, cell: Cell) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::Over);
        }
        if cell.index() >= self.size * self.size {
            return Err(IllegalMove::OffBoard(cell, self.size * self.size));
        }
        if let Some(side) = Side::BOTH.into_iter().find(|&side| self.stones[side] & cell.bit() != 0) {
            return Err(IllegalMove::Taken(cell, side));
        }
        Ok(())
    }
}

impl Notation for TicTacToe {
    fn format_move(&self, cell: Cell) -> String {
        let (row, col) = self.coordinates(cell);
        cell_name(col, row)
    }

    /// Reads `d6`, two numbers `row col` from 0 (`5 3`, `5,3`), or one cell number in reading order from 1
    /// (54 on 10x10).
    fn parse(&self, text: &str) -> Result<Cell, Refusal> {
        let n = self.size;
        let off = |why: String| {
            Refusal::new(
                RefusalCode::OffBoard,
                format!("{} is off the board. {why}", Refusal::sanitize_excerpt(text)),
            )
        };
        if let Some((col, row)) = parse_cell_name(text) {
            return self
                .cell_at(row, col)
                .ok_or_else(|| off_board_refusal(&Refusal::sanitize_excerpt(text), n, n));
        }
        let separator = |c: char| c == ',' || c.is_whitespace();
        let numbers: Option<Vec<i64>> =
            text.split(separator).filter(|t| !t.is_empty()).map(parse_whole_number).collect();
        match numbers.as_deref() {
            Some(&[one]) => one
                .checked_sub(1)
                .and_then(|index| usize::try_from(index).ok())
                .and_then(|index| self.cell_at(index / n, index % n))
                .ok_or_else(|| off(format!("Cells are numbered 1 to {}, row by row.", n * n))),
            Some(&[row, col]) => usize::try_from(row)
                .ok()
                .zip(usize::try_from(col).ok())
                .and_then(|(row, col)| self.cell_at(row, col))
                .ok_or_else(|| off(format!("Rows and columns are numbered 0 to {}.", n - 1))),
            _ => Err(Refusal::not_understood(text, &self.typing_hint())),
        }
    }

    fn explain_refusal(&self, cell: Cell, refusal: &IllegalMove, played: &[Cell]) -> Refusal {
        match refusal {
            IllegalMove::Taken(_, side) => {
                let ply = played.iter().position(|&other| other == cell).map_or(0, |index| index + 1);
                let name = mark_move(None, self.format_move(cell));
                let side = self.side_name(*side);
                Refusal::new(
                    RefusalCode::Taken,
                    text!("{name} is taken ({side}, move {ply}). Nothing was played."),
                )
            }
            IllegalMove::Over => Refusal::new(RefusalCode::GameOver, "The game is over."),
            IllegalMove::OffBoard(..) => Refusal::new(RefusalCode::OffBoard, format!("{refusal}.")),
        }
    }

    fn comment_on_last_move(&self, played: &[Cell], made: usize) -> Option<Text> {
        self.comment_on_threat(*played.last()?, made)
    }
}

/// Parses a whole number with an optional sign. A number too long for any board becomes `i64::MAX`.
fn parse_whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(i64::MAX))
}

impl PositionDescription for TicTacToe {
    fn title(&self) -> String {
        let n = self.size;
        let k = if self.win_length == n { String::new() } else { format!(", {} in a row", self.win_length) };
        format!("Tic-tac-toe {n}x{n}{k}")
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["X", "O"][side.index()])
    }

    fn describe_goal(&self, _: Side) -> String {
        if self.win_length == self.size {
            "completing a row, column or diagonal".to_owned()
        } else {
            format!("getting {} in a row", self.win_length)
        }
    }

    fn sample_move(&self) -> String {
        cell_name(self.size / 2, self.size / 2)
    }

    fn typing_hint(&self) -> String {
        cell_typing_hint(self.size)
    }

    fn rules_text(&self) -> Vec<Text> {
        let [x, o] = Side::map_both(|side| self.side_name(side));
        let goal = if self.win_length == 1 {
            "The first mark wins.".into()
        } else if self.win_length == self.size {
            "The first player to fill a row, column or diagonal wins.".into()
        } else {
            text!("The first to get {} in a row (across, down or diagonally) wins.", self.win_length)
        };
        vec![
            text!("{x} and {o} take turns marking an empty cell. {x} goes first."),
            goal,
            "If the board fills up without a winner, the game is a draw.".into(),
        ]
    }

    fn rule_headings(&self) -> &'static [&'static str] {
        &["Turn", "Goal", "Draw"]
    }

    fn describe_ending(&self) -> Option<Text> {
        match self.outcome()? {
            Outcome::Draw => Some("the board is full".into()),
            Outcome::Win(_) => {
                let line = self.winning_line().expect("a won game has a line");
                Some(text!("completed {}", self.describe_line(line)))
            }
        }
    }

    fn list_pieces(&self, side: Side) -> Vec<String> {
        cells_in_mask(self.stones[side]).map(|cell| self.format_move(cell)).collect()
    }

    fn describe_position(&self) -> Vec<Text> {
        let stones = |side| {
            let names = self.list_pieces(side);
            let names =
                if names.is_empty() { "no marks yet".into() } else { join_moves(Some(side), names, " ") };
            text!("{}: {names}.", self.side_name(side))
        };
        Side::BOTH.into_iter().map(stones).collect()
    }

    fn describe_threats(&self) -> Option<Text> {
        let side = self.to_move.other();
        let names: Vec<String> =
            cells_in_mask(self.winning_cells(side)).map(|cell| self.format_move(cell)).collect();
        let (last, front) = names.split_last().filter(|_| self.outcome().is_none())?;
        let last = text!("{}", mark_move(Some(side), last));
        let front = join_moves(Some(side), front, ", ");
        let all = if front.is_empty() { last } else { text!("{front} and {last}") };
        Some(text!("{} threatens {all}.", self.side_name(side)))
    }

    /// Returns the cell numbers on boards where all of them have one digit.
    fn cell_numbers(&self) -> Option<String> {
        let n = self.size;
        let row = |row: usize| (1..=n).map(|col| (row * n + col).to_string()).collect::<Vec<_>>().join(" ");
        (2..=3).contains(&n).then(|| (0..n).map(row).collect::<Vec<_>>().join(" / "))
    }
}

impl TicTacToe {
    /// Returns the cells on which a side would complete a line, as a mask.
    fn winning_cells(&self, side: Side) -> u128 {
        let (own, other) = (self.stones(side), self.stones(side.other()));
        let open = self.lines.masks().iter().map(|line| (line & !own, line & other));
        open.filter(|(rest, blocked)| *blocked == 0 && rest.is_power_of_two())
            .fold(0, |mask, (rest, _)| mask | rest)
    }

    /// Returns a sentence about the winning threats of the last move. Returns `None` if the other side can
    /// win first.
    fn comment_on_threat(&self, last: Cell, made: usize) -> Option<Text> {
        let side = self.to_move.other();
        let (threats, answers) = (self.winning_cells(side), self.winning_cells(side.other()));
        if self.outcome().is_some() || answers != 0 || threats == 0 {
            return None;
        }
        let names: Vec<String> = cells_in_mask(threats).map(|cell| self.format_move(cell)).collect();
        let (last_name, front) = names.split_last()?;
        let (name, mv) = (self.side_name(side), mark_move(Some(side), self.format_move(last)));
        if front.is_empty() {
            let (cell, other) = (mark_move(Some(side), last_name), self.side_name(side.other()));
            return Some(match made % 3 {
                0 => text!("{name} threatens to win on {cell}. {other} must mark it."),
                1 => text!("Careful, {other}: {cell} would win for {name}."),
                _ => text!("{name} wins next on {cell} unless {other} takes it."),
            });
        }
        let (last_name, front) = (mark_move(Some(side), last_name), join_moves(Some(side), front, ", "));
        Some(match made % 2 {
            0 => text!("{name} forks with {mv}: {front} and {last_name} both threaten to win."),
            _ => text!(
                "A fork: after {mv}, {name} wins on {front} or {last_name}, and only one can be stopped."
            ),
        })
    }

    /// Returns the name of a line: `row 1`, `column b`, `the diagonal a1-c3`.
    pub(crate) fn describe_line(&self, line: u128) -> String {
        let ends: Vec<Cell> = cells_in_mask(line).collect();
        let (first, last) = (ends[0], ends[ends.len() - 1]);
        let ((row, col), (last_row, last_col)) = (self.coordinates(first), self.coordinates(last));
        let whole = self.win_length == self.size;
        match (row == last_row, col == last_col) {
            (true, false) if whole => format!("row {}", row + 1),
            (false, true) if whole => format!("column {}", column_letter(col)),
            (false, false) if whole => {
                format!("the diagonal {}-{}", self.format_move(first), self.format_move(last))
            }
            (true, true) if self.size == 1 => "the only cell".to_owned(),
            (true, true) => self.format_move(first),
            _ => format!("the line {}-{}", self.format_move(first), self.format_move(last)),
        }
    }
}

/// Formats the board with grid lines and a blank on both sides of each mark:
///
/// ```text
///  X |   | O
/// ---+---+---
///    | X |
/// ```
impl Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.to_grid();
        for row in 0..self.size {
            if row > 0 {
                writeln!(f, "{}", vec!["---"; self.size].join("+"))?;
            }
            let blank_or_mark = |col| grid.get(row, col).filter(|&mark| mark != '_').unwrap_or(' ');
            let cells: Vec<String> = (0..self.size).map(|col| format!(" {} ", blank_or_mark(col))).collect();
            writeln!(f, "{}", cells.join("|"))?;
        }
        Ok(())
    }
}
