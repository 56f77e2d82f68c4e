//! Walls on the board and the sides that placed them, as bit sets of posts. This module does not depend on
//! pawns or turns.

use super::moves::{Cell, MAX_QUORIDOR_SIZE, Orientation, Wall};
use crate::game::Side;

/// A set of posts with one bit per post: bit `file` of entry `row`.
///
/// ```text
/// entry 1   … c2 b2 a2        a post is named by the cell at its lower left
/// entry 0   … c1 b1 a1
///      bit    2  1  0
/// ```
pub(crate) type PostRows = [u32; MAX_QUORIDOR_SIZE];

/// Walls on the board. A post has at most one wall, so one bit stores its owner.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walls {
    /// Posts of the walls, by orientation.
    rows: [PostRows; 2],
    /// Posts of the walls that Second placed.
    seconds: PostRows,
}

impl Walls {
    /// Reports whether this wall is on the board.
    pub(crate) fn contains_wall(&self, wall: Wall) -> bool {
        self.rows[wall.orientation.index()][wall.post.row()] & (1 << wall.post.file) != 0
    }

    /// Returns the side that placed the wall on this post.
    pub(crate) fn owner(&self, post: Cell) -> Side {
        if self.seconds[post.row()] & (1 << post.file) == 0 { Side::First } else { Side::Second }
    }

    pub(crate) fn add_wall(&mut self, wall: Wall, owner: Side) {
        let bit = 1 << wall.post.file;
        self.rows[wall.orientation.index()][wall.post.row()] |= bit;
        if owner == Side::Second {
            self.seconds[wall.post.row()] |= bit;
        }
    }

    pub(crate) fn remove_wall(&mut self, wall: Wall) {
        let bit = 1 << wall.post.file;
        self.rows[wall.orientation.index()][wall.post.row()] &= !bit;
        self.seconds[wall.post.row()] &= !bit;
    }

    /// Reports whether both sets have the same walls, regardless of the owners.
    pub(crate) fn has_same_walls(&self, other: &Walls) -> bool {
        self.rows == other.rows
    }

    /// Returns the number of walls on the board.
    pub(crate) fn wall_count(&self) -> u32 {
        self.rows.iter().flatten().map(|row| row.count_ones()).sum()
    }

    /// Returns the walls by file, then row.
    pub(crate) fn all_walls(&self) -> impl Iterator<Item = Wall> {
        let files = self.rows.iter().flatten().fold(0, |files, row| files | row);
        let posts = (0..MAX_QUORIDOR_SIZE).filter(move |file| files & (1 << file) != 0);
        posts.flat_map(move |file| {
            (0..MAX_QUORIDOR_SIZE).filter_map(move |row| self.wall_at_post(Cell::at(file, row)?))
        })
    }

    /// Returns the wall on a post.
    pub(crate) fn wall_at_post(&self, post: Cell) -> Option<Wall> {
        Orientation::BOTH
            .into_iter()
            .map(|orientation| Wall { post, orientation })
            .find(|&wall| self.contains_wall(wall))
    }

    /// Returns a wall of the same orientation that overlaps this one or equals it.
    pub(crate) fn find_overlapping_wall(&self, wall: Wall) -> Option<Wall> {
        let (file, row) = (wall.post.file(), wall.post.row());
        let post_beside = |step: isize| match wall.orientation {
            Orientation::Horizontal => Cell::at(file.checked_add_signed(step)?, row),
            Orientation::Vertical => Cell::at(file, row.checked_add_signed(step)?),
        };
        let posts = [0, -1, 1].into_iter().filter_map(post_beside);
        posts.map(|post| Wall { post, ..wall }).find(|&wall| self.contains_wall(wall))
    }

    /// Returns the wall on the same post that this one would cross.
    pub(crate) fn find_crossing_wall(&self, wall: Wall) -> Option<Wall> {
        Some(wall.perpendicular()).filter(|&wall| self.contains_wall(wall))
    }

    /// Returns the posts of the walls of each orientation, row by row.
    pub(crate) fn post_rows(&self) -> &[PostRows; 2] {
        &self.rows
    }
}
