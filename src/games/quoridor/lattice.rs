//! Cells and posts as sets of bits: floods that tell how far the goal is, and which walls close nothing off. Knows no
//! pieces and no turns.

use std::ops::{BitAnd, BitOr, Not};

use super::moves::{Cell, Orientation, Wall};
use super::walls::Walls;

/// A set of places, cells or posts, on rows of [`Bitboard::STRIDE`] bits. One column is never used, so that what leaves a
/// row at one end does not come back at the other.
///
/// ```text
///        … guard c2 b2 a2 | guard c1 b1 a1        a post is named by the cell at its lower left
///      bit           STRIDE           2  1  0
/// ```
pub(crate) trait Bitboard:
    Copy + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Bits from one row to the next.
    const STRIDE: usize;
    /// All bits.
    const BITS: usize;
    /// No place.
    const NONE: Self;

    /// One place by its number.
    fn one(index: usize) -> Self;
    /// The rows of bits, the lowest first.
    fn from_rows(rows: &[u32]) -> Self;
    /// The bits of a row.
    fn row(self, row: usize) -> u32;
    /// Every place one file on.
    fn east(self) -> Self;
    /// Every place one file back.
    fn west(self) -> Self;
    /// Every place one row up.
    fn north(self) -> Self;
    /// Every place one row down.
    fn south(self) -> Self;
    /// The number of its first place.
    fn first(self) -> Option<usize>;

    /// Reports whether there is no place in it.
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The number of a cell or post.
    fn index(cell: Cell) -> usize {
        Self::STRIDE * cell.row() + cell.file()
    }

    /// The cell or post of a number.
    #[expect(clippy::cast_possible_truncation, reason = "no board has that many files or rows")]
    fn cell(index: usize) -> Cell {
        Cell { file: (index % Self::STRIDE) as u8, row: (index / Self::STRIDE) as u8 }
    }

    /// The set of one cell or post.
    fn of(cell: Cell) -> Self {
        Self::one(Self::index(cell))
    }

    /// Reports whether the place of this number is in it.
    fn holds(self, index: usize) -> bool {
        !(self & Self::one(index)).is_empty()
    }

    /// Reports whether a cell or post is in it.
    fn has(self, cell: Cell) -> bool {
        self.holds(Self::index(cell))
    }

    /// Takes its first place away: the number of that.
    fn take_first(&mut self) -> Option<usize> {
        let first = self.first()?;
        *self = *self & !Self::one(first);
        Some(first)
    }

    /// Returns the number of places in the set.
    fn count(self) -> usize;

    /// Returns the number of its places that have a lower number than `index`.
    fn count_below(self, index: usize) -> usize;

    /// Its places by number, the lowest first.
    fn each(self, visit: impl FnMut(usize));

    /// All places of the first `width` files and `height` rows.
    fn rectangle(width: usize, height: usize) -> Self;

    /// Its cells or posts, one by one.
    fn cells(mut self) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || self.take_first().map(Self::cell))
    }
}

/// Up to 9 files and ranks, and the 10 by 10 points of their lattice.
impl Bitboard for u128 {
    const STRIDE: usize = 11;
    const BITS: usize = 128;
    const NONE: u128 = 0;

    fn one(index: usize) -> Self {
        1 << index
    }

    fn from_rows(rows: &[u32]) -> Self {
        rows.iter().rev().fold(0, |set, &row| set << Self::STRIDE | u128::from(row))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a row is that short")]
    fn row(self, row: usize) -> u32 {
        (self >> (Self::STRIDE * row)) as u32 & ((1 << Self::STRIDE) - 1)
    }

    fn east(self) -> Self {
        self << 1
    }

    fn west(self) -> Self {
        self >> 1
    }

    fn north(self) -> Self {
        self << Self::STRIDE
    }

    fn south(self) -> Self {
        self >> Self::STRIDE
    }

    fn first(self) -> Option<usize> {
        (self != 0).then_some(self.trailing_zeros() as usize)
    }

    fn cell(index: usize) -> Cell {
        CELLS[index % CELLS.len()]
    }

    fn count(self) -> usize {
        self.count_ones() as usize
    }

    fn count_below(self, index: usize) -> usize {
        (self & ((1 << index) - 1)).count()
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low half and the high one")]
    fn each(self, visit: impl FnMut(usize)) {
        each([self as u64, (self >> 64) as u64], visit);
    }

    fn rectangle(width: usize, height: usize) -> Self {
        const COLUMN: u128 =
            1 | 1 << 11 | 1 << 22 | 1 << 33 | 1 << 44 | 1 << 55 | 1 << 66 | 1 << 77 | 1 << 88 | 1 << 99;
        (COLUMN & ((1 << (Self::STRIDE * height)) - 1)) * ((1 << width) - 1)
    }
}

/// By number, the cells of the smallest boards: a table is faster than two divisions.
#[expect(clippy::cast_possible_truncation, reason = "below 128")]
const CELLS: [Cell; 128] = {
    let mut cells = [Cell { file: 0, row: 0 }; 128];
    let mut index = 0;
    while index < cells.len() {
        cells[index] = Cell { file: (index % u128::STRIDE) as u8, row: (index / u128::STRIDE) as u8 };
        index += 1;
    }
    cells
};

/// The bits of some words by number, the lowest first.
#[inline]
fn each<const WORDS: usize>(set: [u64; WORDS], mut visit: impl FnMut(usize)) {
    for (i, mut word) in set.into_iter().enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// Set of points on rows of `STRIDE` bits, in `WORDS` words of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordBitboard<const STRIDE: usize, const WORDS: usize>([u64; WORDS]);

/// Up to 15 files and ranks. The 16 by 16 points of their lattice leave no guard: what goes round a row's end there comes to the
/// border, where no wall is.
pub(crate) type Bitboard15 = WordBitboard<16, 4>;

/// Up to 25 files and ranks, and the 26 by 26 points of their lattice.
pub(crate) type Bitboard25 = WordBitboard<27, 11>;

impl<const STRIDE: usize, const WORDS: usize> WordBitboard<STRIDE, WORDS> {
    #[inline]
    fn map(mut self, other: Self, both: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = both(*word, other);
        }
        self
    }

    /// Returns the set with every place moved up by `bits`, at least 1 and fewer than 64.
    #[inline]
    fn up(mut self, bits: usize) -> Self {
        let mut carried = 0;
        for word in &mut self.0 {
            let beyond = *word >> (64 - bits);
            *word = *word << bits | carried;
            carried = beyond;
        }
        self
    }

    #[inline]
    fn down(mut self, bits: usize) -> Self {
        let mut carried = 0;
        for word in self.0.iter_mut().rev() {
            let beyond = *word << (64 - bits);
            *word = *word >> bits | carried;
            carried = beyond;
        }
        self
    }

    /// The word and the bit of a place.
    #[inline]
    fn bit(index: usize) -> (usize, u64) {
        (index / 64, 1 << (index % 64))
    }
}

impl<const STRIDE: usize, const WORDS: usize> PartialEq for WordBitboard<STRIDE, WORDS> {
    /// All words at once: most sets that are compared have a few words, and a call or a branch a word costs more.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differ, (one, other)| differ | (one ^ other)) == 0
    }
}

impl<const STRIDE: usize, const WORDS: usize> Eq for WordBitboard<STRIDE, WORDS> {}

impl<const STRIDE: usize, const WORDS: usize> BitAnd for WordBitboard<STRIDE, WORDS> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.map(other, |one, other| one & other)
    }
}

impl<const STRIDE: usize, const WORDS: usize> BitOr for WordBitboard<STRIDE, WORDS> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.map(other, |one, other| one | other)
    }
}

impl<const STRIDE: usize, const WORDS: usize> Not for WordBitboard<STRIDE, WORDS> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const STRIDE: usize, const WORDS: usize> Bitboard for WordBitboard<STRIDE, WORDS> {
    const STRIDE: usize = STRIDE;
    const BITS: usize = 64 * WORDS;
    const NONE: Self = WordBitboard([0; WORDS]);

    #[inline]
    fn one(index: usize) -> Self {
        let (mut set, (word, bit)) = (Self::NONE, Self::bit(index));
        set.0[word] = bit;
        set
    }

    fn from_rows(rows: &[u32]) -> Self {
        let mut set = Self::NONE;
        for (row, &bits) in rows.iter().enumerate() {
            let (word, shift) = (STRIDE * row / 64, STRIDE * row % 64);
            let bits = u128::from(bits) << shift;
            #[expect(clippy::cast_possible_truncation, reason = "the low word and the high one")]
            let [low, high] = [bits as u64, (bits >> 64) as u64];
            set.0[word] |= low;
            if high != 0 {
                set.0[word + 1] |= high;
            }
        }
        set
    }

    #[expect(clippy::cast_possible_truncation, reason = "a row is that short")]
    fn row(self, row: usize) -> u32 {
        let (word, shift) = (STRIDE * row / 64, STRIDE * row % 64);
        let high = self.0.get(word + 1).copied().unwrap_or(0);
        let both = u128::from(high) << 64 | u128::from(self.0[word]);
        (both >> shift) as u32 & ((1 << STRIDE) - 1)
    }

    #[inline]
    fn east(self) -> Self {
        self.up(1)
    }

    #[inline]
    fn west(self) -> Self {
        self.down(1)
    }

    #[inline]
    fn north(self) -> Self {
        self.up(STRIDE)
    }

    #[inline]
    fn south(self) -> Self {
        self.down(STRIDE)
    }

    #[inline]
    fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    #[inline]
    fn holds(self, index: usize) -> bool {
        let (word, bit) = Self::bit(index);
        self.0[word] & bit != 0
    }

    #[inline]
    fn take_first(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(64 * word + bit)
    }

    fn count_below(self, index: usize) -> usize {
        let (word, bit) = Self::bit(index);
        let lower = self.0[..word].iter().map(|word| word.count_ones()).sum::<u32>();
        (lower + (self.0[word] & (bit - 1)).count_ones()) as usize
    }

    fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn each(self, visit: impl FnMut(usize)) {
        each(self.0, visit);
    }

    fn rectangle(width: usize, height: usize) -> Self {
        Self::from_rows(&[(1 << width) - 1; 26][..height])
    }
}

/// A shortest way of a pawn, as far as walls are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortestPath<S> {
    /// Its steps.
    pub(crate) steps: u32,
    /// By orientation, the posts of the walls that would cut it.
    pub(crate) cuts: [S; 2],
}

/// The walls of a board, and where pawns can pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallGraph<S> {
    width: usize,
    height: usize,
    /// The posts of the walls that stand, by orientation.
    pub(crate) walls: [S; 2],
    /// The cells from which a pawn can step one row up, and those from which it can step one file on.
    pub(crate) open: [S; 2],
}

impl<S: Bitboard> WallGraph<S> {
    pub(crate) fn of(walls: &Walls, width: usize, height: usize) -> Self {
        let [h, v] = walls.rows().map(|rows| S::from_rows(&rows[..height]));
        let north = S::rectangle(width, height - 1) & !(h | h.east());
        let east = S::rectangle(width - 1, height) & !(v | v.north());
        WallGraph { width, height, walls: [h, v], open: [north, east] }
    }

    /// Files and rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the lattice with one more wall, on this post.
    pub(crate) fn with(&self, orientation: Orientation, post: S) -> Self {
        let mut more = *self;
        let i = orientation.index();
        more.walls[i] = self.walls[i] | post;
        let parted = match orientation {
            Orientation::Horizontal => post | post.east(),
            Orientation::Vertical => post | post.north(),
        };
        more.open[i] = self.open[i] & !parted;
        more
    }

    /// The places beside these to which a pawn can step, some of them already among these.
    pub(crate) fn ring(&self, front: S) -> S {
        let [north, east] = self.open;
        (front & north).north() | front.south() & north | (front & east).east() | front.west() & east
    }

    /// The cells of a row.
    pub(crate) fn goal(&self, row: usize) -> S {
        let all = S::rectangle(self.width, row + 1);
        if row == 0 { all } else { all & !S::rectangle(self.width, row) }
    }

    /// Steps from a place to the nearest of the goal, pawns ignored; `None` if there is no path.
    pub(crate) fn steps(&self, from: S, goal: S) -> Option<u32> {
        let (mut seen, mut front, mut steps) = (from, from, 0);
        while (front & goal).is_empty() {
            front = self.ring(front) & !seen;
            if front.is_empty() {
                return None;
            }
            seen = seen | front;
            steps += 1;
        }
        Some(steps)
    }

    /// A shortest way from a place to one of the goal; `None` if there is none.
    pub(crate) fn way(&self, from: S, goal: S) -> Option<ShortestPath<S>> {
        let [north, east] = self.open;
        // By the step that has led there first: up, down, on, back.
        let mut by = [S::NONE; 4];
        let (mut seen, mut front, mut steps) = (from, from, 0);
        while (front & goal).is_empty() {
            let up = (front & north).north() & !seen;
            let down = front.south() & north & !(seen | up);
            let on = (front & east).east() & !(seen | up | down);
            let back = front.west() & east & !(seen | up | down | on);
            front = up | down | on | back;
            if front.is_empty() {
                return None;
            }
            by = [by[0] | up, by[1] | down, by[2] | on, by[3] | back];
            seen = seen | front;
            steps += 1;
        }
        // Back from the goal: the lower or left cell of each step that was taken.
        let mut at = S::one((front & goal).first()?);
        let (mut upright, mut sideways) = (S::NONE, S::NONE);
        for _ in 0..steps {
            if !(at & by[0]).is_empty() {
                at = at.south();
                upright = upright | at;
            } else if !(at & by[1]).is_empty() {
                upright = upright | at;
                at = at.north();
            } else if !(at & by[2]).is_empty() {
                at = at.west();
                sideways = sideways | at;
            } else {
                sideways = sideways | at;
                at = at.east();
            }
        }
        Some(ShortestPath { steps, cuts: [upright | upright.west(), sideways | sideways.south()] })
    }

    /// By orientation, the posts where a wall neither overlaps nor crosses another.
    pub(crate) fn free(&self) -> [S; 2] {
        let [h, v] = self.walls;
        let posts = S::rectangle(self.width - 1, self.height - 1) & !(h | v);
        [posts & !(h.east() | h.west()), posts & !(v.north() | v.south())]
    }

    /// By orientation, the posts where a wall, not yet built, would touch other walls or the border with at least two of its
    /// three points. Elsewhere it cannot close anything off.
    ///
    /// ```text
    /// point row height   1  1  1  1
    ///     …              1  .  .  1       the post of the cell (file, row) is the point (file + 1, row + 1)
    /// point row 0        1  1  1  1
    /// ```
    pub(crate) fn closing(&self) -> [S; 2] {
        let inner = S::rectangle(self.width - 1, self.height - 1).north().east();
        let border = S::rectangle(self.width + 1, self.height + 1) & !inner;
        let [h, v] = self.walls.map(|posts| posts.north().east());
        let touched = border | h | v | h.east() | h.west() | v.north() | v.south();
        let two_of = |one: S, other: S| ((one & other) | (touched & (one | other))).south().west();
        [two_of(touched.east(), touched.west()), two_of(touched.north(), touched.south())]
    }

    /// By orientation, the posts where a wall leaves both pawns a way; each pawn with its goal.
    pub(crate) fn legal_walls(&self, pawns: [(S, S); 2]) -> [S; 2] {
        let (mut legal, closing) = (self.free(), self.closing());
        let doubtful = [legal[0] & closing[0], legal[1] & closing[1]];
        if doubtful.iter().all(|posts| posts.is_empty()) {
            return legal;
        }
        for (pawn, goal) in pawns {
            // What leaves one known way alone shuts nobody in.
            let Some(ShortestPath { cuts, .. }) = self.way(pawn, goal) else { continue };
            for orientation in Orientation::BOTH {
                let i = orientation.index();
                for post in (doubtful[i] & cuts[i] & legal[i]).cells() {
                    let post = S::of(post);
                    if self.with(orientation, post).steps(pawn, goal).is_none() {
                        legal[i] = legal[i] & !post;
                    }
                }
            }
        }
        legal
    }

    /// Reports whether a wall, not yet built, may close something off.
    pub(crate) fn may_close(&self, wall: Wall) -> bool {
        self.closing()[wall.orientation.index()].has(wall.post)
    }
}
