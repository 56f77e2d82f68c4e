//! Walls on the board and the sides that built them: sets of posts as rows of bits. Knows no pawns and no turns.

use super::moves::{Cell, MAX_SIZE, Orientation, Wall};
use crate::game::Side;

/// One bit a place: bit `file` of entry `row`.
///
/// ```text
/// entry 1   … c2 b2 a2        a post is named by the cell at its lower left
/// entry 0   … c1 b1 a1
///      bit    2  1  0
/// ```
pub(crate) type Rows = [u32; MAX_SIZE];

/// The walls that stand. A post carries at most one, so its owner is one bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walls {
    /// By orientation.
    rows: [Rows; 2],
    /// Posts whose wall Second has built.
    seconds: Rows,
}

impl Walls {
    /// Reports whether this wall stands.
    pub(crate) fn has(&self, wall: Wall) -> bool {
        self.rows[wall.orientation.index()][wall.post.row()] & (1 << wall.post.file) != 0
    }

    /// Returns the side that built the wall on this post.
    pub(crate) fn owner(&self, post: Cell) -> Side {
        if self.seconds[post.row()] & (1 << post.file) == 0 { Side::First } else { Side::Second }
    }

    pub(crate) fn build(&mut self, wall: Wall, owner: Side) {
        let bit = 1 << wall.post.file;
        self.rows[wall.orientation.index()][wall.post.row()] |= bit;
        if owner == Side::Second {
            self.seconds[wall.post.row()] |= bit;
        }
    }

    pub(crate) fn lift(&mut self, wall: Wall) {
        let bit = 1 << wall.post.file;
        self.rows[wall.orientation.index()][wall.post.row()] &= !bit;
        self.seconds[wall.post.row()] &= !bit;
    }

    /// Reports whether the same walls stand, whoever built them.
    pub(crate) fn stand_alike(&self, other: &Walls) -> bool {
        self.rows == other.rows
    }

    /// Returns the number of walls on the board.
    pub(crate) fn count(&self) -> u32 {
        self.rows.iter().flatten().map(|row| row.count_ones()).sum()
    }

    /// The walls by file, then row.
    pub(crate) fn all(&self) -> impl Iterator<Item = Wall> {
        let files = self.rows.iter().flatten().fold(0, |files, row| files | row);
        let posts = (0..MAX_SIZE).filter(move |file| files & (1 << file) != 0);
        posts.flat_map(move |file| (0..MAX_SIZE).filter_map(move |row| self.on(Cell::at(file, row)?)))
    }

    /// The wall that stands on a post.
    pub(crate) fn on(&self, post: Cell) -> Option<Wall> {
        Orientation::BOTH
            .into_iter()
            .map(|orientation| Wall { post, orientation })
            .find(|&wall| self.has(wall))
    }

    /// A wall of the same orientation that covers part of this one or all of it.
    pub(crate) fn overlapped_by(&self, wall: Wall) -> Option<Wall> {
        let (file, row) = (wall.post.file(), wall.post.row());
        let post_beside = |step: isize| match wall.orientation {
            Orientation::Horizontal => Cell::at(file.checked_add_signed(step)?, row),
            Orientation::Vertical => Cell::at(file, row.checked_add_signed(step)?),
        };
        let posts = [0, -1, 1].into_iter().filter_map(post_beside);
        posts.map(|post| Wall { post, ..wall }).find(|&wall| self.has(wall))
    }

    /// The wall on the same post that this one would cross.
    pub(crate) fn crossed_by(&self, wall: Wall) -> Option<Wall> {
        Some(wall.turned()).filter(|&wall| self.has(wall))
    }

    /// The posts of each orientation, row by row.
    pub(crate) fn rows(&self) -> &[Rows; 2] {
        &self.rows
    }
}
