//! Sets of cells as bit sets. This module depends on cell indices only.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// Set of cells. Cell `i` is bit `i % 64` of word `i / 64`. W is 1 up to 8x8, 2 up to 11x11, 4 up to 16x16,
/// 11 up to 26x26.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> Default for CellSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> CellSet<W> {
    /// The empty set.
    pub(crate) const EMPTY: Self = CellSet([0; W]);
    /// Set of every representable cell, including those beyond the board.
    pub const EVERY_CELL: Self = CellSet([u64::MAX; W]);

    /// Creates the set of one cell.
    #[inline]
    #[must_use]
    pub fn single(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// Creates the set of the cells `0..count`.
    #[must_use]
    pub fn first_cells(count: usize) -> Self {
        (0..count).collect()
    }

    /// Reports whether the set contains a cell.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds a cell to the set.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Removes a cell from the set.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Adds a cell if it is not in the set, otherwise removes it.
    #[inline]
    pub(super) fn toggle(&mut self, cell: usize) {
        self.0[cell / 64] ^= 1 << (cell % 64);
    }

    /// Reports whether the set has no cells.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Reports whether the two sets have a cell in common.
    #[inline]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        !(*self & *other).is_empty()
    }

    /// Reports whether the other set contains every cell of this one.
    #[inline]
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    /// Returns the cells that are not in the other set.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        *self & !*other
    }

    /// Returns the number of cells in the set.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the set rotated by 180 degrees on a board with this number of cells.
    #[must_use]
    pub fn rotated180(&self, cells: usize) -> Self {
        self.iter().map(|cell| cells - 1 - cell).collect()
    }

    /// Iterates over the cells in ascending order.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> CellSetIter<W> {
        CellSetIter { left: *self, word: 0 }
    }
}

impl<const W: usize> FromIterator<usize> for CellSet<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const W: usize> IntoIterator for &CellSet<W> {
    type Item = usize;
    type IntoIter = CellSetIter<W>;

    fn into_iter(self) -> CellSetIter<W> {
        self.iter()
    }
}

/// Iterator over the cells of a set in ascending order.
#[derive(Clone, Debug)]
pub struct CellSetIter<const W: usize> {
    left: CellSet<W>,
    word: usize,
}

impl<const W: usize> Iterator for CellSetIter<W> {
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

impl<const W: usize> BitAnd for CellSet<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitOr for CellSet<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitAndAssign for CellSet<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, with)| *word &= with);
    }
}

impl<const W: usize> BitOrAssign for CellSet<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, with)| *word |= with);
    }
}

impl<const W: usize> Not for CellSet<W> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}
