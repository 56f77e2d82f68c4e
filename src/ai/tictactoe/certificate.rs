//! Pairing strategies, which prove that a side cannot lose.
//!
//! Each line that could still beat the side is paired with two of its empty cells, which are paired with no
//! other line. If the opponent takes one of them, the side takes the other.

use std::fmt::{self, Display};

use crate::ai::tictactoe::own_and_opponent_stones;
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};

/// Maximum number of paired lines: each uses two of at most 100 cells.
const MAX_PAIRED_LINES: usize = 50;

/// Pairing strategy that proves a side cannot lose: if the opponent takes one cell of a pair, the side takes
/// the other. A stone on any other cell leaves the pairs intact.
///
/// It is displayed as the board with one letter per pair on both of its cells; `.` is an unpaired cell, `+`
/// a stone of the protected side and `-` one of its opponent:
///
/// ```
/// use crosspath::ai::tictactoe::certificate::find_pairing_strategy;
/// use crosspath::game::{Game, Side};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// assert!(find_pairing_strategy(&game, Side::First).is_none());
/// game.make_move(Cell(4));
/// let pairs = find_pairing_strategy(&game, Side::First).expect("the centre holds the board");
/// assert_eq!(pairs.pairs().len(), 4);
/// assert_eq!(pairs.to_string().len(), "AAC / D+C / DBB".len());
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingStrategy {
    size: usize,
    side: Side,
    pairs: Vec<PairedLine>,
    stones: u128,
    opposing: u128,
}

/// A line that could still beat the protected side, and its pair of cells.
///
/// ```
/// use crosspath::ai::tictactoe::certificate::{PairedLine, find_pairing_strategy};
/// use crosspath::game::Side;
/// use crosspath::games::tictactoe::TicTacToe;
/// let strategy = find_pairing_strategy(&TicTacToe::new(6)?, Side::Second).ok_or("6x6 has one")?;
/// assert_eq!(strategy.pairs().len(), 14, "six rows, six columns and two diagonals");
/// for PairedLine { line, pair } in strategy.pairs() {
///     assert!(pair.iter().all(|cell| line & cell.bit() != 0));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedLine {
    /// Cells of the line, as a mask.
    pub line: u128,
    /// Two empty cells of the line, which belong to no other pair.
    pub pair: [Cell; 2],
}

impl PairingStrategy {
    /// Returns the side that cannot lose.
    #[must_use]
    pub fn protected_side(&self) -> Side {
        self.side
    }

    /// Returns the cells of all pairs, each with the label of its pair. No label looks like a stone.
    #[must_use]
    pub fn pair_labels(&self) -> Vec<(Cell, char)> {
        const PAIR_LABELS: &[u8] = b"ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz123456789";
        let of_pair = |(pair, &sign): (&PairedLine, &u8)| pair.pair.map(|cell| (cell, char::from(sign)));
        self.pairs.iter().zip(PAIR_LABELS).flat_map(of_pair).collect()
    }

    /// Returns the pairs: one for each line without a stone of the protected side, in the order of the
    /// board's lines.
    #[must_use]
    pub fn pairs(&self) -> &[PairedLine] {
        &self.pairs
    }
}

impl Display for PairingStrategy {
    /// Writes the rows of letters separated by ` / `; `{:#}` writes one row per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter =
            |index: usize| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[index]);
        for row in 0..self.size {
            if row > 0 {
                f.write_str(if f.alternate() { "\n" } else { " / " })?;
            }
            for col in 0..self.size {
                let cell = Cell(u8::try_from(row * self.size + col).expect("at most 100 cells"));
                let owner = self.pairs.iter().position(|pair| pair.pair.contains(&cell));
                let glyph = match owner {
                    Some(index) => letter(index),
                    None if self.stones & cell.bit() != 0 => '+',
                    None if self.opposing & cell.bit() != 0 => '-',
                    None => '.',
                };
                write!(f, "{glyph}")?;
            }
        }
        Ok(())
    }
}

/// Finds a pairing strategy for a side in a game in progress; either side may be to move. A position without
/// one need not be lost.
///
/// ```
/// use crosspath::ai::tictactoe::certificate::find_pairing_strategy;
/// use crosspath::game::Side;
/// use crosspath::games::tictactoe::TicTacToe;
/// assert!(find_pairing_strategy(&TicTacToe::new(3)?, Side::Second).is_none(), "3x3 has too few cells for its lines");
/// assert!(find_pairing_strategy(&TicTacToe::new(6)?, Side::Second).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find_pairing_strategy(game: &TicTacToe, side: Side) -> Option<PairingStrategy> {
    if game.outcome().is_some() {
        return None;
    }
    let (stones, opposing) = (game.stones(side), game.stones(side.other()));
    let mut matching = PairMatching::new();
    if !matching.can_pair_all_lines(game.winning_lines().masks(), stones, opposing, game.empty_cells()) {
        return None;
    }
    let live = game.winning_lines().masks().iter().copied().filter(|line| line & stones == 0);
    let pairs = live.map(|line| PairedLine { line, pair: matching.pair_of_line(line) }).collect();
    Some(PairingStrategy { size: game.size(), side, pairs, stones, opposing })
}

/// Reports whether a side has a pairing strategy in a game in progress.
///
/// ```
/// use crosspath::ai::tictactoe::certificate::has_pairing_strategy;
/// use crosspath::game::{Game, Side};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// assert!(!has_pairing_strategy(&game, Side::First));
/// game.make_move(Cell(4));
/// assert!(has_pairing_strategy(&game, Side::First), "the centre is on four of the eight lines");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn has_pairing_strategy(game: &TicTacToe, side: Side) -> bool {
    let (stones, opposing) = (game.stones(side), game.stones(side.other()));
    PairMatching::new().can_pair_all_lines(game.winning_lines().masks(), stones, opposing, game.empty_cells())
}

/// Returns the legal moves after which the mover has a pairing strategy, as a mask. Immediate wins are not
/// treated specially.
///
/// ```
/// use crosspath::ai::tictactoe::certificate::moves_with_pairing_strategy;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let game = TicTacToe::new(3)?;
/// assert_eq!(moves_with_pairing_strategy(&game), Cell(4).bit(), "the centre alone");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn moves_with_pairing_strategy(game: &TicTacToe) -> u128 {
    if game.outcome().is_some() {
        return 0;
    }
    let ((own, opp), empty) = (own_and_opponent_stones(game), game.empty_cells());
    let (lines, mut matching) = (game.winning_lines().masks(), PairMatching::new());
    // An extra stone does not break the pairs: they stay on the lines that it does not touch.
    if matching.can_pair_all_lines(lines, own, opp, empty) {
        return empty;
    }
    let safe = |cell: &Cell| matching.can_pair_all_lines(lines, own | cell.bit(), opp, empty & !cell.bit());
    cells_in_mask(empty).filter(safe).fold(0, |mask, cell| mask | cell.bit())
}

/// Assigns two cells to each line by augmenting paths. Holds only working buffers.
#[derive(Clone, Debug)]
pub(crate) struct PairMatching {
    /// Empty cells of each live line; lines with fewer cells come first.
    live: [u128; MAX_PAIRED_LINES],
    count: usize,
    /// Index of the line that owns each cell.
    owner: [u8; 128],
    /// Cells that are owned by a line.
    taken: u128,
    /// All cells of each live line, in the order of `live`.
    whole: [u128; MAX_PAIRED_LINES],
}

impl PairMatching {
    pub(crate) fn new() -> Self {
        PairMatching {
            live: [0; MAX_PAIRED_LINES],
            count: 0,
            owner: [0; 128],
            taken: 0,
            whole: [0; MAX_PAIRED_LINES],
        }
    }

    /// Reports whether every line without a stone of `own` can get two cells of `empty` that no other line
    /// gets. `opp` holds the stones of the other side.
    pub(crate) fn can_pair_all_lines(&mut self, lines: &[u128], own: u128, opp: u128, empty: u128) -> bool {
        debug_assert!(own & opp == 0 && empty & (own | opp) == 0);
        self.count = 0;
        self.taken = 0;
        let room = empty.count_ones() as usize / 2;
        for &line in lines.iter().filter(|&line| line & own == 0) {
            let free = line & empty;
            if self.count >= room || free & free.wrapping_sub(1) == 0 {
                return false;
            }
            let mut place = self.count;
            let size = free.count_ones();
            while place > 0 && self.live[place - 1].count_ones() > size {
                self.live[place] = self.live[place - 1];
                self.whole[place] = self.whole[place - 1];
                place -= 1;
            }
            self.live[place] = free;
            self.whole[place] = line;
            self.count += 1;
        }
        (0..self.count).all(|line| self.augment_matching(line, &mut 0) && self.augment_matching(line, &mut 0))
    }

    /// Assigns one more cell to `line`, reassigning cells of other lines if needed.
    fn augment_matching(&mut self, line: usize, seen: &mut u128) -> bool {
        loop {
            let free = self.live[line] & !self.taken & !*seen;
            let choice = if free == 0 { self.live[line] & !*seen } else { free };
            // A cell that the line already owns leads to no new assignment.
            let Some(cell) = cells_in_mask(choice).next() else { return false };
            *seen |= cell.bit();
            let is_taken = self.taken & cell.bit() != 0;
            if !is_taken || self.augment_matching(usize::from(self.owner[cell.index()]), seen) {
                self.taken |= cell.bit();
                self.owner[cell.index()] = u8::try_from(line).expect("at most 50 lines");
                return true;
            }
        }
    }

    /// Returns the two cells of a live line after a successful [`PairMatching::can_pair_all_lines`].
    fn pair_of_line(&self, line: u128) -> [Cell; 2] {
        let index = self.whole[..self.count].iter().position(|&whole| whole == line).expect("a live line");
        let mut own = cells_in_mask(self.taken).filter(|cell| usize::from(self.owner[cell.index()]) == index);
        [own.next(), own.next()].map(|cell| cell.expect("two cells for each line"))
    }
}
