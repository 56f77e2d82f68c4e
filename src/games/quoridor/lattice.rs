//! Bitboards of cells and posts: flood fills for the distance to the goal, and a test for walls that may
//! enclose a pawn. This module does not depend on pieces or turns.

use std::ops::{BitAnd, BitOr, Not};

use super::moves::{Cell, Orientation, Wall};
use super::walls::Walls;

/// A set of cells or posts on rows of [`Bitboard::STRIDE`] bits. One guard column is unused, so that bits
/// shifted beyond the end of a row do not reappear in the next one.
///
/// ```text
///        … guard c2 b2 a2 | guard c1 b1 a1        a post is named by the cell at its lower left
///      bit           STRIDE           2  1  0
/// ```
pub(crate) trait Bitboard:
    Copy + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Number of bits from one row to the next.
    const STRIDE: usize;
    /// Total number of bits.
    const BITS: usize;
    /// Empty set.
    const EMPTY: Self;

    /// Returns the set of one cell or post, given by its index.
    fn from_index(index: usize) -> Self;
    /// Returns the set with these rows of bits, the lowest row first.
    fn from_rows(rows: &[u32]) -> Self;
    /// Returns the bits of a row.
    fn row_bits(self, row: usize) -> u32;
    /// Returns the set shifted by one file to the right.
    fn shift_east(self) -> Self;
    /// Returns the set shifted by one file to the left.
    fn shift_west(self) -> Self;
    /// Returns the set shifted by one row up.
    fn shift_north(self) -> Self;
    /// Returns the set shifted by one row down.
    fn shift_south(self) -> Self;
    /// Returns the lowest index in the set, or `None` if it is empty.
    fn lowest_index(self) -> Option<usize>;

    /// Reports whether the set is empty.
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns the index of a cell or post.
    fn index_of(cell: Cell) -> usize {
        Self::STRIDE * cell.row() + cell.file()
    }

    /// Returns the cell or post with an index.
    #[expect(clippy::cast_possible_truncation, reason = "no board has that many files or rows")]
    fn cell_at_index(index: usize) -> Cell {
        Cell { file: (index % Self::STRIDE) as u8, row: (index / Self::STRIDE) as u8 }
    }

    /// Returns the set of one cell or post.
    fn from_cell(cell: Cell) -> Self {
        Self::from_index(Self::index_of(cell))
    }

    /// Reports whether the set contains this index.
    fn contains_index(self, index: usize) -> bool {
        !(self & Self::from_index(index)).is_empty()
    }

    /// Reports whether the set contains a cell or post.
    fn contains_cell(self, cell: Cell) -> bool {
        self.contains_index(Self::index_of(cell))
    }

    /// Removes the lowest index from the set and returns it.
    fn pop_lowest_index(&mut self) -> Option<usize> {
        let first = self.lowest_index()?;
        *self = *self & !Self::from_index(first);
        Some(first)
    }

    /// Returns the number of cells or posts in the set.
    fn count_bits(self) -> usize;

    /// Returns the number of indices in the set that are lower than `index`.
    fn count_bits_below(self, index: usize) -> usize;

    /// Calls `visit` with every index in the set, in ascending order.
    fn for_each_index(self, visit: impl FnMut(usize));

    /// Returns the set of the first `width` files and `height` rows.
    fn rectangle(width: usize, height: usize) -> Self;

    /// Returns the cells or posts of the set.
    fn cells(mut self) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || self.pop_lowest_index().map(Self::cell_at_index))
    }
}

/// Bitboard for up to 9 files and ranks, and for the 10 by 10 wall end points of such a board.
impl Bitboard for u128 {
    const STRIDE: usize = 11;
    const BITS: usize = 128;
    const EMPTY: u128 = 0;

    fn from_index(index: usize) -> Self {
        1 << index
    }

    fn from_rows(rows: &[u32]) -> Self {
        rows.iter().rev().fold(0, |set, &row| set << Self::STRIDE | u128::from(row))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a row is that short")]
    fn row_bits(self, row: usize) -> u32 {
        (self >> (Self::STRIDE * row)) as u32 & ((1 << Self::STRIDE) - 1)
    }

    fn shift_east(self) -> Self {
        self << 1
    }

    fn shift_west(self) -> Self {
        self >> 1
    }

    fn shift_north(self) -> Self {
        self << Self::STRIDE
    }

    fn shift_south(self) -> Self {
        self >> Self::STRIDE
    }

    fn lowest_index(self) -> Option<usize> {
        (self != 0).then_some(self.trailing_zeros() as usize)
    }

    fn cell_at_index(index: usize) -> Cell {
        SMALL_BITBOARD_CELLS[index % SMALL_BITBOARD_CELLS.len()]
    }

    fn count_bits(self) -> usize {
        self.count_ones() as usize
    }

    fn count_bits_below(self, index: usize) -> usize {
        (self & ((1 << index) - 1)).count_bits()
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the low half and the high one")]
    fn for_each_index(self, visit: impl FnMut(usize)) {
        for_each_set_bit([self as u64, (self >> 64) as u64], visit);
    }

    fn rectangle(width: usize, height: usize) -> Self {
        const COLUMN_BITS: u128 =
            1 | 1 << 11 | 1 << 22 | 1 << 33 | 1 << 44 | 1 << 55 | 1 << 66 | 1 << 77 | 1 << 88 | 1 << 99;
        (COLUMN_BITS & ((1 << (Self::STRIDE * height)) - 1)) * ((1 << width) - 1)
    }
}

/// Cell of each index in the smallest bitboard. A table is faster than two divisions.
#[expect(clippy::cast_possible_truncation, reason = "below 128")]
const SMALL_BITBOARD_CELLS: [Cell; 128] = {
    let mut cells = [Cell { file: 0, row: 0 }; 128];
    let mut index = 0;
    while index < cells.len() {
        cells[index] = Cell { file: (index % u128::STRIDE) as u8, row: (index / u128::STRIDE) as u8 };
        index += 1;
    }
    cells
};

/// Calls `visit` with the index of every set bit in an array of words, in ascending order.
#[inline]
fn for_each_set_bit<const WORDS: usize>(set: [u64; WORDS], mut visit: impl FnMut(usize)) {
    for (i, mut word) in set.into_iter().enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// Bitboard with rows of `STRIDE` bits, in `WORDS` words of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordBitboard<const STRIDE: usize, const WORDS: usize>([u64; WORDS]);

/// Bitboard for up to 15 files and ranks. The 16 by 16 wall end points leave no guard column, but bits that
/// wrap around a row's end reach the border, where no wall can be.
pub(crate) type Bitboard15 = WordBitboard<16, 4>;

/// Bitboard for up to 25 files and ranks, and for the 26 by 26 wall end points of such a board.
pub(crate) type Bitboard25 = WordBitboard<27, 11>;

impl<const STRIDE: usize, const WORDS: usize> WordBitboard<STRIDE, WORDS> {
    #[inline]
    fn combine_words(mut self, other: Self, both: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = both(*word, other);
        }
        self
    }

    /// Returns the set with every index increased by `bits`, at least 1 and fewer than 64.
    #[inline]
    fn shift_up(mut self, bits: usize) -> Self {
        let mut carried = 0;
        for word in &mut self.0 {
            let beyond = *word >> (64 - bits);
            *word = *word << bits | carried;
            carried = beyond;
        }
        self
    }

    #[inline]
    fn shift_down(mut self, bits: usize) -> Self {
        let mut carried = 0;
        for word in self.0.iter_mut().rev() {
            let beyond = *word << (64 - bits);
            *word = *word >> bits | carried;
            carried = beyond;
        }
        self
    }

    /// Returns the number of the word and the bit mask of an index.
    #[inline]
    fn word_and_bit(index: usize) -> (usize, u64) {
        (index / 64, 1 << (index % 64))
    }
}

impl<const STRIDE: usize, const WORDS: usize> PartialEq for WordBitboard<STRIDE, WORDS> {
    /// Compares all words without branches, which is faster for a few words.
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
        self.combine_words(other, |one, other| one & other)
    }
}

impl<const STRIDE: usize, const WORDS: usize> BitOr for WordBitboard<STRIDE, WORDS> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.combine_words(other, |one, other| one | other)
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
    const EMPTY: Self = WordBitboard([0; WORDS]);

    #[inline]
    fn from_index(index: usize) -> Self {
        let (mut set, (word, bit)) = (Self::EMPTY, Self::word_and_bit(index));
        set.0[word] = bit;
        set
    }

    fn from_rows(rows: &[u32]) -> Self {
        let mut set = Self::EMPTY;
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
    fn row_bits(self, row: usize) -> u32 {
        let (word, shift) = (STRIDE * row / 64, STRIDE * row % 64);
        let high = self.0.get(word + 1).copied().unwrap_or(0);
        let both = u128::from(high) << 64 | u128::from(self.0[word]);
        (both >> shift) as u32 & ((1 << STRIDE) - 1)
    }

    #[inline]
    fn shift_east(self) -> Self {
        self.shift_up(1)
    }

    #[inline]
    fn shift_west(self) -> Self {
        self.shift_down(1)
    }

    #[inline]
    fn shift_north(self) -> Self {
        self.shift_up(STRIDE)
    }

    #[inline]
    fn shift_south(self) -> Self {
        self.shift_down(STRIDE)
    }

    #[inline]
    fn lowest_index(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    #[inline]
    fn contains_index(self, index: usize) -> bool {
        let (word, bit) = Self::word_and_bit(index);
        self.0[word] & bit != 0
    }

    #[inline]
    fn pop_lowest_index(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(64 * word + bit)
    }

    fn count_bits_below(self, index: usize) -> usize {
        let (word, bit) = Self::word_and_bit(index);
        let lower = self.0[..word].iter().map(|word| word.count_ones()).sum::<u32>();
        (lower + (self.0[word] & (bit - 1)).count_ones()) as usize
    }

    fn count_bits(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn for_each_index(self, visit: impl FnMut(usize)) {
        for_each_set_bit(self.0, visit);
    }

    fn rectangle(width: usize, height: usize) -> Self {
        Self::from_rows(&[(1 << width) - 1; 26][..height])
    }
}

/// A shortest path of a pawn, considering walls only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortestPath<S> {
    /// Number of steps.
    pub(crate) steps: u32,
    /// Posts of the walls that would block the path, by orientation.
    pub(crate) blocking_posts: [S; 2],
}

/// Walls of a board and the passages between its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallGraph<S> {
    width: usize,
    height: usize,
    /// Posts of the walls on the board, by orientation.
    pub(crate) walls: [S; 2],
    /// Cells from which a pawn can step, by direction: one row up, one file to the right.
    pub(crate) open: [S; 2],
}

impl<S: Bitboard> WallGraph<S> {
    pub(crate) fn from_walls(walls: &Walls, width: usize, height: usize) -> Self {
        let [h, v] = walls.post_rows().map(|rows| S::from_rows(&rows[..height]));
        let north = S::rectangle(width, height - 1) & !(h | h.shift_east());
        let east = S::rectangle(width - 1, height) & !(v | v.shift_north());
        WallGraph { width, height, walls: [h, v], open: [north, east] }
    }

    /// Returns the number of files and rows.
    pub(crate) fn board_size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the graph with one more wall, on this post.
    pub(crate) fn with_wall(&self, orientation: Orientation, post: S) -> Self {
        let mut more = *self;
        let i = orientation.index();
        more.walls[i] = self.walls[i] | post;
        let parted = match orientation {
            Orientation::Horizontal => post | post.shift_east(),
            Orientation::Vertical => post | post.shift_north(),
        };
        more.open[i] = self.open[i] & !parted;
        more
    }

    /// Returns the cells that are one step away from a cell of the set `front`. They may include cells of
    /// `front`.
    pub(crate) fn cells_one_step_away(&self, front: S) -> S {
        let [north, east] = self.open;
        (front & north).shift_north()
            | front.shift_south() & north
            | (front & east).shift_east()
            | front.shift_west() & east
    }

    /// Returns the cells of a row.
    pub(crate) fn goal_row_cells(&self, row: usize) -> S {
        let all = S::rectangle(self.width, row + 1);
        if row == 0 { all } else { all & !S::rectangle(self.width, row) }
    }

    /// Returns the number of steps from a cell to the nearest goal cell, with pawns ignored; `None` if there
    /// is no path.
    pub(crate) fn count_steps(&self, from: S, goal: S) -> Option<u32> {
        let (mut seen, mut front, mut steps) = (from, from, 0);
        while (front & goal).is_empty() {
            front = self.cells_one_step_away(front) & !seen;
            if front.is_empty() {
                return None;
            }
            seen = seen | front;
            steps += 1;
        }
        Some(steps)
    }

    /// Returns a shortest path from a cell to a goal cell, or `None` if there is none.
    pub(crate) fn find_shortest_path(&self, from: S, goal: S) -> Option<ShortestPath<S>> {
        let [north, east] = self.open;
        // Cells by the direction of the step that reached them first: up, down, right, left.
        let mut by = [S::EMPTY; 4];
        let (mut seen, mut front, mut steps) = (from, from, 0);
        while (front & goal).is_empty() {
            let up = (front & north).shift_north() & !seen;
            let down = front.shift_south() & north & !(seen | up);
            let on = (front & east).shift_east() & !(seen | up | down);
            let back = front.shift_west() & east & !(seen | up | down | on);
            front = up | down | on | back;
            if front.is_empty() {
                return None;
            }
            by = [by[0] | up, by[1] | down, by[2] | on, by[3] | back];
            seen = seen | front;
            steps += 1;
        }
        // The path is traced back from the goal. Each step is recorded as its lower or left cell.
        let mut at = S::from_index((front & goal).lowest_index()?);
        let (mut upright, mut sideways) = (S::EMPTY, S::EMPTY);
        for _ in 0..steps {
            if !(at & by[0]).is_empty() {
                at = at.shift_south();
                upright = upright | at;
            } else if !(at & by[1]).is_empty() {
                upright = upright | at;
                at = at.shift_north();
            } else if !(at & by[2]).is_empty() {
                at = at.shift_west();
                sideways = sideways | at;
            } else {
                sideways = sideways | at;
                at = at.shift_east();
            }
        }
        Some(ShortestPath {
            steps,
            blocking_posts: [upright | upright.shift_west(), sideways | sideways.shift_south()],
        })
    }

    /// Returns the posts, by orientation, on which a new wall would neither overlap nor cross another.
    pub(crate) fn free_wall_posts(&self) -> [S; 2] {
        let [h, v] = self.walls;
        let posts = S::rectangle(self.width - 1, self.height - 1) & !(h | v);
        [posts & !(h.shift_east() | h.shift_west()), posts & !(v.shift_north() | v.shift_south())]
    }

    /// Returns the posts, by orientation, where a new wall would touch other walls or the border with at
    /// least two of its three points. A wall on any other post cannot enclose an area.
    ///
    /// ```text
    /// point row height   1  1  1  1
    ///     …              1  .  .  1       the post of the cell (file, row) is the point (file + 1, row + 1)
    /// point row 0        1  1  1  1
    /// ```
    pub(crate) fn maybe_enclosing_posts(&self) -> [S; 2] {
        let inner = S::rectangle(self.width - 1, self.height - 1).shift_north().shift_east();
        let border = S::rectangle(self.width + 1, self.height + 1) & !inner;
        let [h, v] = self.walls.map(|posts| posts.shift_north().shift_east());
        let touched = border | h | v | h.shift_east() | h.shift_west() | v.shift_north() | v.shift_south();
        let two_of =
            |one: S, other: S| ((one & other) | (touched & (one | other))).shift_south().shift_west();
        [
            two_of(touched.shift_east(), touched.shift_west()),
            two_of(touched.shift_north(), touched.shift_south()),
        ]
    }

    /// Returns the posts of the legal walls, by orientation. Legal walls leave each pawn a path. `pawns`
    /// gives each pawn with its goal.
    pub(crate) fn legal_walls(&self, pawns: [(S, S); 2]) -> [S; 2] {
        let (mut legal, closing) = (self.free_wall_posts(), self.maybe_enclosing_posts());
        let doubtful = [legal[0] & closing[0], legal[1] & closing[1]];
        if doubtful.iter().all(|posts| posts.is_empty()) {
            return legal;
        }
        for (pawn, goal) in pawns {
            // A wall that does not block this path cannot enclose the pawn.
            let Some(ShortestPath { blocking_posts, .. }) = self.find_shortest_path(pawn, goal) else {
                continue;
            };
            for orientation in Orientation::BOTH {
                let i = orientation.index();
                for post in (doubtful[i] & blocking_posts[i] & legal[i]).cells() {
                    let post = S::from_cell(post);
                    if self.with_wall(orientation, post).count_steps(pawn, goal).is_none() {
                        legal[i] = legal[i] & !post;
                    }
                }
            }
        }
        legal
    }

    /// Reports whether a new wall may enclose an area.
    pub(crate) fn may_enclose(&self, wall: Wall) -> bool {
        self.maybe_enclosing_posts()[wall.orientation.index()].contains_cell(wall.post)
    }
}
