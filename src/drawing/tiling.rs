//! Cells of a board and the pixels that each of them owns: the same answer for drawing and for the mouse.

/// A way to cut a board into cells. Columns and rows are counted from the upper left cell of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// Hexagons, each row half a cell further to the right than the one above, with bands along the four edges.
    Hexagons {
        /// Cells of a row.
        columns: isize,
        /// Rows.
        rows: isize,
    },
    /// Squares with gaps between them.
    Squares {
        /// Cells of a row.
        columns: isize,
        /// Rows.
        rows: isize,
        /// `true` if something can be put into the gaps; there are bands above and below then.
        has_slots: bool,
    },
}

/// A place for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    /// A cell, by column and row.
    Cell(isize, isize),
    /// A wall's place: the gap beside two cells.
    Slot {
        /// The cell up and left of the wall's middle.
        post: (isize, isize),
        /// `true` if it stands upright.
        is_upright: bool,
    },
}

/// Columns and rows in pixels, which are square: a character has two, one above the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Of a cell; for hexagons the second number is the distance from row to row.
    pub cell: (isize, isize),
    /// Of the gaps between squares; 0 for hexagons.
    pub gap: (isize, isize),
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rim {
    /// Above the first row.
    Top,
    /// Right of the last column.
    Right,
    /// Below the last row.
    Bottom,
    /// Left of the first column.
    Left,
}

/// To whom a pixel belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A cell, or the wall in whose gap it lies and whose middle is nearest.
    Site(Site),
    /// The place where gaps cross, right below this cell: the middle of two walls.
    Crossing(isize, isize),
    /// The band along a side of the board.
    Edge(Rim),
    /// Nobody.
    Outside,
}

/// The sizes of hexagons that look regular. Widths are even: each row begins half a cell further to the right.
const HEXAGONS: [(isize, isize); 11] =
    [(2, 2), (4, 4), (6, 5), (8, 7), (10, 9), (12, 10), (14, 12), (16, 14), (20, 17), (24, 21), (30, 26)];

/// A box of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: isize,
    pub(crate) top: isize,
    pub(crate) width: isize,
    pub(crate) height: isize,
}

/// Locates a distance along a row of cells with gaps: returns the number of the cell, or of the one before the gap; whether it
/// is a gap; and how far behind its beginning.
fn along(at: isize, cell: isize, gap: isize, count: isize) -> Option<(isize, bool, isize)> {
    let (number, offset) = (at.div_euclid(cell + gap), at.rem_euclid(cell + gap));
    let is_inside = at >= 0 && at < count * (cell + gap) - gap;
    is_inside.then_some(if offset < cell { (number, false, offset) } else { (number, true, offset - cell) })
}

impl Tiling {
    /// The scales in which the board is drawn, the smallest first.
    #[must_use]
    pub fn scales(self) -> Vec<Scale> {
        let square = |half: isize| Scale {
            cell: (2 * half + 2, 2 * half),
            gap: match half {
                1 => (1, 2),
                2..8 => (2, 2),
                _ => (4, 4),
            },
        };
        match self {
            Tiling::Hexagons { .. } => HEXAGONS.map(|cell| Scale { cell, gap: (0, 0) }).to_vec(),
            Tiling::Squares { .. } => (1..20).map(square).collect(),
        }
    }

    /// Pixels of the whole board, its bands included; the height is even.
    #[must_use]
    pub fn size(self, scale: Scale) -> (isize, isize) {
        let (width, height) = scale.cell;
        match self {
            Tiling::Hexagons { columns, rows } => {
                let (_, last) = self.centre(scale, (0, rows - 1));
                let across = columns * width + (rows - 1) * (width / 2) + 2 * thickness(scale);
                let down = last + 2 * height / 3 + thickness(scale) + 1;
                (across, down + down % 2)
            }
            Tiling::Squares { columns, rows, has_slots } => {
                let bands = if has_slots { 4 } else { 0 };
                let length = |count: isize, cell, gap| count * (cell + gap) - gap;
                (length(columns, width, scale.gap.0), length(rows, height, scale.gap.1) + bands)
            }
        }
    }

    /// The shade of a cell, 0 to 2: no two hexagons that touch have the same.
    #[must_use]
    pub fn shade(self, (column, row): (isize, isize)) -> usize {
        match self {
            Tiling::Hexagons { .. } => (column - row).rem_euclid(3).cast_unsigned(),
            Tiling::Squares { .. } => 1,
        }
    }

    /// Which cell, wall, edge or crossing a pixel belongs to.
    ///
    /// ```
    /// use crosspath::drawing::{Owner, Rim, Site, Tiling};
    /// let tiling = Tiling::Hexagons { columns: 3, rows: 3 };
    /// let scale = tiling.scales()[1]; // cells of 4 by 4 pixels
    /// assert_eq!(tiling.owner(scale, (3, 3)), Owner::Site(Site::Cell(0, 0)));
    /// assert_eq!(tiling.owner(scale, (3, 0)), Owner::Edge(Rim::Top));
    /// assert_eq!(tiling.owner(scale, (0, 20)), Owner::Outside);
    /// ```
    #[must_use]
    pub fn owner(self, scale: Scale, (x, y): (isize, isize)) -> Owner {
        match self {
            Tiling::Hexagons { columns, rows } => self.hexagon_owner(scale, (x, y), (columns, rows)),
            Tiling::Squares { columns, rows, has_slots } => {
                self.square_owner(scale, (x, y), (columns, rows), has_slots)
            }
        }
    }

    fn hexagon_owner(self, scale: Scale, (x, y): (isize, isize), (columns, rows): (isize, isize)) -> Owner {
        let is_cell =
            |(column, row): (isize, isize)| (0..columns).contains(&column) && (0..rows).contains(&row);
        let (column, row) = nearest(scale, (x, y));
        if is_cell((column, row)) {
            return Owner::Site(Site::Cell(column, row));
        }
        let thick = thickness(scale);
        let is_beside = |row: isize| {
            let Area { left, width, .. } = self.area(scale, Site::Cell(0, row));
            (left..left + columns * width).contains(&x)
        };
        // The bands above and below fill the teeth of the board and are straight outside.
        // The smallest hexagons begin a pixel lower.
        let first = isize::from(scale.cell.1 == 2);
        if row == -1 && is_beside(0) && y >= first {
            return Owner::Edge(Rim::Top);
        }
        let end = self.area(scale, Site::Cell(0, rows - 1));
        if row == rows && is_beside(rows - 1) && y < end.top + end.height + thick {
            return Owner::Edge(Rim::Bottom);
        }
        let rim = if column < 0 || row == rows { Rim::Left } else { Rim::Right };
        let mut around = (1..=thick).flat_map(|by| [(x - by, y), (x + by, y), (x, y - by), (x, y + by)]);
        let is_near = (-1..=columns).contains(&column) && (-1..=rows).contains(&row);
        if is_near && around.any(|pixel| is_cell(nearest(scale, pixel))) {
            Owner::Edge(rim)
        } else {
            Owner::Outside
        }
    }

    fn square_owner(
        self,
        scale: Scale,
        (x, y): (isize, isize),
        (columns, rows): (isize, isize),
        has_slots: bool,
    ) -> Owner {
        let ((width, height), (across, down)) = (scale.cell, scale.gap);
        let (_, all) = self.size(scale);
        let Some((column, is_beside, right)) = along(x, width, across, columns) else {
            return Owner::Outside;
        };
        let top = if has_slots { 2 } else { 0 };
        let Some((row, is_between, below)) = along(y - top, height, down, rows) else {
            return match y {
                1 if has_slots => Owner::Edge(Rim::Top),
                _ if has_slots && y == all - 2 => Owner::Edge(Rim::Bottom),
                _ => Owner::Outside,
            };
        };
        match (is_beside, is_between) {
            (false, false) => Owner::Site(Site::Cell(column, row)),
            _ if !has_slots => Owner::Outside,
            (true, true) => Owner::Crossing(column, row),
            // Halfway between two middles a pixel belongs to the upper wall, or to the right one.
            (true, false) => {
                let is_lower = row == 0 || row + 1 < rows && height - below < below + 1;
                let post = (column, if is_lower { row } else { row - 1 });
                Owner::Site(Site::Slot { post, is_upright: true })
            }
            (false, true) => {
                let is_right = column == 0 || column + 1 < columns && width - right <= right + 1;
                let post = (if is_right { column } else { column - 1 }, row);
                Owner::Site(Site::Slot { post, is_upright: false })
            }
        }
    }

    /// The pixel in the middle of a cell; where there are two, the left or the upper one.
    pub(super) fn centre(self, scale: Scale, (column, row): (isize, isize)) -> (isize, isize) {
        let Area { left, top, width, height } = self.area(scale, Site::Cell(column, row));
        match self {
            Tiling::Hexagons { .. } => (left + (width - 1) / 2, middle(scale) + row * scale.cell.1),
            Tiling::Squares { .. } => (left + (width - 1) / 2, top + (height - 1) / 2),
        }
    }

    /// A box around the pixels of a cell, or those of a whole wall.
    pub(crate) fn area(self, scale: Scale, site: Site) -> Area {
        let ((width, height), (across, down)) = (scale.cell, scale.gap);
        match (self, site) {
            (Tiling::Hexagons { .. }, Site::Cell(column, row) | Site::Slot { post: (column, row), .. }) => {
                let left = thickness(scale) + column * width + row * (width / 2);
                let tip = 2 * height / 3;
                Area { left, top: middle(scale) + row * height - tip, width, height: 2 * tip + 1 }
            }
            (Tiling::Squares { has_slots, .. }, site) => {
                let top = if has_slots { 2 } else { 0 };
                let (Site::Cell(column, row) | Site::Slot { post: (column, row), .. }) = site;
                let (left, top) = (column * (width + across), top + row * (height + down));
                match site {
                    Site::Cell(..) => Area { left, top, width, height },
                    Site::Slot { is_upright: true, .. } => {
                        Area { left: left + width, top, width: across, height: 2 * height + down }
                    }
                    Site::Slot { .. } => {
                        Area { left, top: top + height, width: 2 * width + across, height: down }
                    }
                }
            }
        }
    }
}

/// Pixels of the bands along the edges of hexagons.
pub(super) fn thickness(scale: Scale) -> isize {
    (scale.cell.0 / 4).max(1)
}

/// The pixel row through the middle of the first row of hexagons. The smallest hexagons reach one row down from it and those
/// of four rows two, so that each begins with a character.
fn middle(scale: Scale) -> isize {
    let (_, height) = scale.cell;
    if height == 2 { 2 } else { thickness(scale) + 2 * height / 3 }
}

/// The hexagon whose middle is nearest to a pixel, whether the board has it or not; of two equally near ones that of the
/// upper row.
fn nearest(scale: Scale, (x, y): (isize, isize)) -> (isize, isize) {
    let (width, height) = scale.cell;
    let above = (y - middle(scale)).div_euclid(height);
    let near = |row: isize| {
        let first = thickness(scale) + row * (width / 2);
        let column = (x - first).div_euclid(width);
        // Twice the distance across; rows are squeezed until the hexagons are regular.
        let across = 2 * (x - first - column * width) + 1 - width;
        let down = y - middle(scale) - row * height;
        (height * height * across * across + 3 * width * width * down * down, row, column)
    };
    let (_, row, column) = near(above).min(near(above + 1));
    (column, row)
}
