//! Which walls stand and where pawns can pass: sets of posts and cells as rows of bits. Knows no pawns and no turns.

use super::moves::{Cell, MAX_SIZE, Orientation, Wall};
use crate::game::Side;

/// One bit a place: bit `file` of entry `row`.
///
/// ```text
/// entry 1   … c2 b2 a2        the same layout for cells and for posts,
/// entry 0   … c1 b1 a1        a post being named by the cell at its lower left
///      bit    2  1  0
/// ```
pub(crate) type Rows = [u32; MAX_SIZE];

/// The entry below `row`, empty under the board.
fn below(rows: &Rows, row: usize) -> u32 {
    row.checked_sub(1).map_or(0, |row| rows[row])
}

/// The entry above `row`, empty over the board.
fn above(rows: &Rows, row: usize) -> u32 {
    rows.get(row + 1).copied().unwrap_or(0)
}

/// The walls that stand. A post carries at most one, so its owner is one bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walls {
    /// By orientation.
    rows: [Rows; 2],
    /// Posts whose wall Second has built.
    seconds: Rows,
}

impl Walls {
    /// Whether this wall stands.
    pub(crate) fn has(&self, wall: Wall) -> bool {
        self.rows[wall.orientation.index()][wall.post.row()] & (1 << wall.post.file) != 0
    }

    /// Who has built the wall that stands on this post.
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

    /// Whether the same walls stand, whoever built them.
    pub(crate) fn stand_alike(&self, other: &Walls) -> bool {
        self.rows == other.rows
    }

    /// How many stand.
    pub(crate) fn count(&self) -> u32 {
        self.rows.iter().flatten().map(|row| row.count_ones()).sum()
    }

    /// The walls by file, then row.
    pub(crate) fn all(&self) -> impl Iterator<Item = Wall> {
        let files = self.rows.iter().flatten().fold(0, |files, row| files | row);
        let posts = (0..MAX_SIZE).filter(move |file| files & (1 << file) != 0);
        posts.flat_map(move |file| (0..MAX_SIZE).filter_map(move |row| self.on(Cell::at(file, row)?)))
    }

    fn on(&self, post: Cell) -> Option<Wall> {
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

    /// The posts where a wall of each orientation neither overlaps nor crosses another, on any size of board.
    pub(crate) fn free(&self) -> [Rows; 2] {
        let [across, upright] = &self.rows;
        let mut free = [[0; MAX_SIZE]; 2];
        for row in 0..MAX_SIZE {
            let (h, v) = (across[row], upright[row]);
            free[0][row] = !(h | v | h << 1 | h >> 1);
            free[1][row] = !(h | v | below(upright, row) | above(upright, row));
        }
        free
    }
}

/// The lattice points that a wall or the border touches, counted from the lower left corner of the board: the post of
/// the cell (file, row) is the point (file + 1, row + 1).
///
/// ```text
/// row height   1  1  1  1
///     …        1  .  .  1       a wall covers three points in a line;
/// row 0        1  1  1  1       it closes something off only if two of them are touched
/// ```
pub(crate) struct Touched([u32; MAX_SIZE + 1]);

impl Touched {
    pub(crate) fn of(walls: &Walls, width: usize, height: usize) -> Self {
        let mut points = [0; MAX_SIZE + 1];
        let (sides, all) = (1 | 1 << width, (1 << (width + 1)) - 1);
        let [across, upright] = &walls.rows;
        points[0] = all;
        points[height] = all;
        for row in 0..height - 1 {
            let (h, v) = (across[row], upright[row]);
            let ends = h << 1 | h >> 1 | below(upright, row) | above(upright, row);
            points[row + 1] = (h | v | ends) << 1 | sides;
        }
        Touched(points)
    }

    /// Whether the wall, not yet built, touches other walls or the border with at least two of its three points.
    /// Otherwise it cannot close anything off.
    pub(crate) fn may_close(&self, wall: Wall) -> bool {
        let (x, y) = (wall.post.file() + 1, wall.post.row() + 1);
        let points = match wall.orientation {
            Orientation::Horizontal => [(x - 1, y), (x, y), (x + 1, y)],
            Orientation::Vertical => [(x, y - 1), (x, y), (x, y + 1)],
        };
        points.into_iter().filter(|&(x, y)| self.0[y] >> x & 1 != 0).count() >= 2
    }
}

/// One of the four directions a pawn steps in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Left,
    Right,
    Down,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] =
        [Direction::Up, Direction::Left, Direction::Right, Direction::Down];

    /// The two directions at right angles.
    pub(crate) fn sides(self) -> [Direction; 2] {
        match self {
            Direction::Up | Direction::Down => [Direction::Left, Direction::Right],
            Direction::Left | Direction::Right => [Direction::Up, Direction::Down],
        }
    }
}

/// Distance of a cell from which the goal cannot be reached.
const NOWHERE: u16 = u16::MAX;

/// Steps from each cell to a goal row, walls seen, pawns not; right at least for the cells that lie nearer to the
/// goal than the cell it was made for.
pub(crate) struct Distances([[u16; MAX_SIZE]; MAX_SIZE]);

impl Distances {
    /// Steps from the cell, `None` if there is no path.
    pub(crate) fn of(&self, cell: Cell) -> Option<u16> {
        Some(self.0[cell.row()][cell.file()]).filter(|&steps| steps != NOWHERE)
    }
}

/// Where a pawn can pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passages {
    width: usize,
    height: usize,
    /// By orientation: cells with a wall above them; cells with a wall, or the end of the board, at their right.
    closed: [Rows; 2],
}

impl Passages {
    pub(crate) fn of(walls: &Walls, width: usize, height: usize) -> Self {
        let [across, upright] = &walls.rows;
        let mut closed = [[0; MAX_SIZE]; 2];
        for row in 0..height {
            closed[0][row] = across[row] | across[row] << 1;
            closed[1][row] = upright[row] | below(upright, row) | 1 << (width - 1);
        }
        Passages { width, height, closed }
    }

    /// The same with one more wall.
    pub(crate) fn with(&self, wall: Wall) -> Self {
        let mut more = *self;
        for (cell, _) in wall.parts() {
            more.closed[wall.orientation.index()][cell.row()] |= 1 << cell.file;
        }
        more
    }

    /// The neighbour in that direction, if it is on the board and no wall is between.
    pub(crate) fn step(&self, from: Cell, direction: Direction) -> Option<Cell> {
        let Cell { file, row } = from;
        let is_open = |rows: &Rows, cell: &Cell| rows[cell.row()] >> cell.file & 1 == 0;
        let [no_up, no_right] = &self.closed;
        let below = || row.checked_sub(1).map(|row| Cell { file, row });
        let left = || file.checked_sub(1).map(|file| Cell { file, row });
        match direction {
            Direction::Up => {
                let is_free = from.row() + 1 < self.height && is_open(no_up, &from);
                is_free.then_some(Cell { file, row: row + 1 })
            }
            Direction::Down => below().filter(|cell| is_open(no_up, cell)),
            Direction::Right => is_open(no_right, &from).then_some(Cell { file: file + 1, row }),
            Direction::Left => left().filter(|cell| is_open(no_right, cell)),
        }
    }

    /// Where a pawn may go from `from` while the other stands on `other`: steps, and where the other stands in the
    /// way, the jump over it, or beside it if something is behind.
    pub(crate) fn targets(&self, from: Cell, other: Cell, mut found: impl FnMut(Cell)) {
        for direction in Direction::ALL {
            match self.step(from, direction) {
                None => (),
                Some(next) if next != other => found(next),
                Some(next) => match self.step(next, direction) {
                    Some(behind) => found(behind),
                    None => {
                        direction
                            .sides()
                            .into_iter()
                            .filter_map(|side| self.step(next, side))
                            .for_each(&mut found);
                    }
                },
            }
        }
    }

    /// The cells that are one step from `front` and not yet seen; they become seen. `None` if there are none.
    fn ring(&self, front: &Rows, seen: &mut Rows) -> Option<Rows> {
        let [no_up, no_right] = &self.closed;
        let (mut next, mut any) = ([0; MAX_SIZE], 0);
        for row in 0..self.height {
            let (here, closed) = (front[row], no_right[row]);
            let sideways = (here & !closed) << 1 | here >> 1 & !closed;
            let upward = row.checked_sub(1).map_or(0, |low| front[low] & !no_up[low]);
            let downward = above(front, row) & !no_up[row];
            next[row] = (sideways | upward | downward) & !seen[row];
            seen[row] |= next[row];
            any |= next[row];
        }
        (any != 0).then_some(next)
    }

    /// Steps from a cell to the goal row, pawns ignored; `None` if there is no path.
    pub(crate) fn steps_between(&self, from: Cell, goal_row: usize) -> Option<u32> {
        let mut front = [0; MAX_SIZE];
        front[from.row()] = 1 << from.file;
        let mut seen = front;
        let mut steps = 0;
        while front[goal_row] == 0 {
            front = self.ring(&front, &mut seen)?;
            steps += 1;
        }
        Some(steps)
    }

    /// Steps to the goal row from `cell` and from all the cells nearer to it; without a cell, from everywhere.
    pub(crate) fn distances(&self, goal_row: usize, cell: Option<Cell>) -> Distances {
        let mut distances = Distances([[NOWHERE; MAX_SIZE]; MAX_SIZE]);
        let mut front = [0; MAX_SIZE];
        front[goal_row] = (1 << self.width) - 1;
        let (mut seen, mut steps) = (front, 0);
        loop {
            for (row, &cells) in front.iter().enumerate() {
                let mut bits: u32 = cells;
                while bits != 0 {
                    distances.0[row][bits.trailing_zeros() as usize] = steps;
                    bits &= bits - 1;
                }
            }
            if cell.is_some_and(|cell| front[cell.row()] >> cell.file & 1 != 0) {
                return distances;
            }
            match self.ring(&front, &mut seen) {
                Some(next) => front = next,
                None => return distances,
            }
            steps += 1;
        }
    }

    /// A shortest path from a cell to the goal row, without the cell itself: straight on wherever that is as short,
    /// else left, else right. Empty if the cell is on the row or there is no path.
    pub(crate) fn shortest_way(&self, from: Cell, goal_row: usize) -> impl Iterator<Item = Cell> {
        let distances = self.distances(goal_row, Some(from));
        let forward = if goal_row >= from.row() { Direction::Up } else { Direction::Down };
        let back = if forward == Direction::Up { Direction::Down } else { Direction::Up };
        let passages = *self;
        std::iter::successors(Some(from), move |&here| {
            let steps = distances.of(here)?;
            let directions = [forward, Direction::Left, Direction::Right, back].into_iter();
            let mut nearer = directions.filter_map(|direction| passages.step(here, direction));
            nearer.find(|&next| distances.of(next).is_some_and(|there| there < steps))
        })
        .skip(1)
    }

    /// The walls that would cut that path, whoever builds them.
    pub(crate) fn cuts(&self, from: Cell, goal_row: usize) -> Walls {
        let mut cuts = Walls::default();
        let mut last = from;
        for cell in self.shortest_way(from, goal_row) {
            Wall::between(last, cell).for_each(|wall| cuts.build(wall, Side::First));
            last = cell;
        }
        cuts
    }
}
