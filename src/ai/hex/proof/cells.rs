//! Sets of cells as bits. Know numbers, no board.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of cells, cell `i` in bit `i % 64` of word `i / 64`. W is 1 up to 8x8, 2 up to 11x11, 4 up to 16x16, 11 up to 26x26.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells<const W: usize>([u64; W]);

impl<const W: usize> Default for Cells<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Cells<W> {
    /// No cell.
    pub(crate) const EMPTY: Self = Cells([0; W]);
    /// Every cell that has a number, also beyond the board.
    pub const ALL: Self = Cells([u64::MAX; W]);

    /// The set of one cell.
    #[inline]
    #[must_use]
    pub fn of(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// The cells `0..count`.
    #[must_use]
    pub fn first(count: usize) -> Self {
        (0..count).collect()
    }

    /// Reports whether a cell is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Adds a cell that is not in the set, or takes it out.
    #[inline]
    pub(super) fn flip(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }

    /// Reports whether there is no cell.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Reports whether both have a cell in common.
    #[inline]
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        !(*self & *other).is_empty()
    }

    /// Reports whether every cell is one of the other set.
    #[inline]
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.minus(other).is_empty()
    }

    /// The cells that are not in the other set.
    #[inline]
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        *self & !*other
    }

    /// Returns the number of cells.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the set after a half turn of a board with this number of cells.
    #[must_use]
    pub fn turned(&self, cells: usize) -> Self {
        self.iter().map(|cell| cells - 1 - cell).collect()
    }

    /// The cells in rising order.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> Iter<W> {
        Iter { left: *self, word: 0 }
    }
}

impl<const W: usize> FromIterator<usize> for Cells<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const W: usize> IntoIterator for &Cells<W> {
    type Item = usize;
    type IntoIter = Iter<W>;

    fn into_iter(self) -> Iter<W> {
        self.iter()
    }
}

/// The cells of a set in rising order.
#[derive(Clone, Debug)]
pub struct Iter<const W: usize> {
    left: Cells<W>,
    word: usize,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.left.0[self.word] == 0 {
            if self.word + 1 == W {
                return None;
            }
            self.word += 1;
        }
        let word = &mut self.left.0[self.word];
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(64 * self.word + bit)
    }
}

impl<const W: usize> BitAnd for Cells<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitOr for Cells<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Cells<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, with)| *word &= with);
    }
}

impl<const W: usize> BitOrAssign for Cells<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, with)| *word |= with);
    }
}

impl<const W: usize> Not for Cells<W> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}
