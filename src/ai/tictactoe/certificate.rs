//! A proof that a side cannot lose: every line that could still beat it is given two empty cells of its own, so that
//! whenever one of them is taken the other holds the line. Knows the rules and nothing of searching.

use std::fmt::{self, Display};

use crate::ai::tictactoe::stones;
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells};

/// No certificate has more lines: two cells each of at most 100.
const MAX_LINES: usize = 50;

/// The witness of the proof. Whoever holds it never loses: after a stone on one of the two cells of a line it answers
/// on the other; any other stone leaves the pairs as they are.
///
/// It is shown as the board with one letter for each line, on both of its cells; `.` is a free cell, `+` a stone of
/// the protected side and `-` one of its opponent:
///
/// ```
/// use crosspath::ai::tictactoe::certificate::certificate;
/// use crosspath::game::{Game, Side};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// assert!(certificate(&game, Side::First).is_none());
/// game.make(Cell(4));
/// let pairs = certificate(&game, Side::First).expect("the centre holds the board");
/// assert_eq!(pairs.pairs().len(), 4);
/// assert_eq!(pairs.to_string().len(), "AAC / D+C / DBB".len());
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingStrategy {
    size: usize,
    side: Side,
    pairs: Vec<CellPair>,
    stones: u128,
    opposing: u128,
}

/// A line that could still beat the protected side, and its two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPair {
    /// The cells of the line.
    pub line: u128,
    /// Two empty cells of the line that no other line is given.
    pub pair: [Cell; 2],
}

impl PairingStrategy {
    /// The side that cannot lose.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The cells of all pairs, each with the sign of its pair. No sign looks like a stone.
    #[must_use]
    pub fn signs(&self) -> Vec<(Cell, char)> {
        const SIGNS: &[u8] = b"ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz123456789";
        let of_pair = |(pair, &sign): (&CellPair, &u8)| pair.pair.map(|cell| (cell, char::from(sign)));
        self.pairs.iter().zip(SIGNS).flat_map(of_pair).collect()
    }

    /// The lines without a stone of the protected side, in the order of the board's lines, each with its cells.
    #[must_use]
    pub fn pairs(&self) -> &[CellPair] {
        &self.pairs
    }
}

impl Display for PairingStrategy {
    /// The rows of the letter grid with ` / ` between them; `{:#}` puts each on a line of its own.
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

/// The certificate of a running position for a side, whoever is to move; `None` if there is none. A position without
/// one need not be lost.
///
/// ```
/// use crosspath::ai::tictactoe::certificate::certificate;
/// use crosspath::game::Side;
/// use crosspath::games::tictactoe::TicTacToe;
/// assert!(certificate(&TicTacToe::new(3)?, Side::Second).is_none(), "3x3 has too few cells for its lines");
/// assert!(certificate(&TicTacToe::new(6)?, Side::Second).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certificate(game: &TicTacToe, side: Side) -> Option<PairingStrategy> {
    if game.outcome().is_some() {
        return None;
    }
    let (stones, opposing) = (game.stones(side), game.stones(side.other()));
    let mut matching = Matching::new();
    if !matching.holds(game.lines().all(), stones, opposing, game.empty()) {
        return None;
    }
    let live = game.lines().all().iter().copied().filter(|line| line & stones == 0);
    let pairs = live.map(|line| CellPair { line, pair: matching.pair(line) }).collect();
    Some(PairingStrategy { size: game.size(), side, pairs, stones, opposing })
}

/// Reports whether a running position is certified for a side.
#[must_use]
pub fn is_certified(game: &TicTacToe, side: Side) -> bool {
    let (stones, opposing) = (game.stones(side), game.stones(side.other()));
    Matching::new().holds(game.lines().all(), stones, opposing, game.empty())
}

/// The legal moves after which the mover is certified, as a mask. Moves that win at once are among them only by
/// chance.
#[must_use]
pub fn safe_moves(game: &TicTacToe) -> u128 {
    if game.outcome().is_some() {
        return 0;
    }
    let ((own, opp), empty) = (stones(game), game.empty());
    let (lines, mut matching) = (game.lines().all(), Matching::new());
    // A stone more never breaks the pairs: they stay on the lines that it does not touch.
    if matching.holds(lines, own, opp, empty) {
        return empty;
    }
    let safe = |cell: &Cell| matching.holds(lines, own | cell.bit(), opp, empty & !cell.bit());
    cells(empty).filter(safe).fold(0, |mask, cell| mask | cell.bit())
}

/// Gives two cells to each line by augmenting paths. Buffers only; no position.
#[derive(Clone, Debug)]
pub(crate) struct Matching {
    /// The empty cells of the live lines, the line with the fewest first.
    live: [u128; MAX_LINES],
    count: usize,
    /// By cell: the line that has it.
    owner: [u8; 128],
    /// The cells that a line has.
    taken: u128,
    /// The lines themselves, in the same order.
    whole: [u128; MAX_LINES],
}

impl Matching {
    pub(crate) fn new() -> Self {
        Matching { live: [0; MAX_LINES], count: 0, owner: [0; 128], taken: 0, whole: [0; MAX_LINES] }
    }

    /// Reports whether every line without a stone of `own` can have two cells of `empty` for itself. `opp` are the
    /// stones of the other side; what is neither is empty.
    pub(crate) fn holds(&mut self, lines: &[u128], own: u128, opp: u128, empty: u128) -> bool {
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
        (0..self.count).all(|line| self.augment(line, &mut 0) && self.augment(line, &mut 0))
    }

    /// Gives `line` one cell more, moving other lines to other cells where needed.
    fn augment(&mut self, line: usize, seen: &mut u128) -> bool {
        loop {
            let free = self.live[line] & !self.taken & !*seen;
            let choice = if free == 0 { self.live[line] & !*seen } else { free };
            // A cell that the line already has leads nowhere new.
            let Some(cell) = cells(choice).next() else { return false };
            *seen |= cell.bit();
            let is_taken = self.taken & cell.bit() != 0;
            if !is_taken || self.augment(usize::from(self.owner[cell.index()]), seen) {
                self.taken |= cell.bit();
                self.owner[cell.index()] = u8::try_from(line).expect("at most 50 lines");
                return true;
            }
        }
    }

    /// The two cells of a live line, after [`Matching::holds`] has said yes.
    fn pair(&self, line: u128) -> [Cell; 2] {
        let index = self.whole[..self.count].iter().position(|&whole| whole == line).expect("a live line");
        let mut own = cells(self.taken).filter(|cell| usize::from(self.owner[cell.index()]) == index);
        [own.next(), own.next()].map(|cell| cell.expect("two cells for each line"))
    }
}
