//! Board tilings: the cells of a board and their pixels, shared by drawing and mouse handling.

/// Division of a board into cells. Columns and rows are counted from the upper left cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// Hexagons, each row shifted right by half a cell, with bands along the four edges.
    Hexagons {
        /// Cells per row.
        columns: isize,
        /// Number of rows.
        rows: isize,
    },
    /// Squares with gaps between them.
    Squares {
        /// Cells per row.
        columns: isize,
        /// Number of rows.
        rows: isize,
        /// `true` if walls can be placed in the gaps; then there are bands above and below the board.
        has_slots: bool,
    },
}

/// Location on the board that can hold a piece or wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardSite {
    /// Cell, by column and row.
    Cell(isize, isize),
    /// Wall slot: the gap beside two cells.
    Slot {
        /// Cell above and left of the middle of the wall.
        post: (isize, isize),
        /// `true` if the wall is vertical.
        is_upright: bool,
    },
}

/// Size of cells and gaps, in pixels. Pixels are square; a character consists of two, one above the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TilingScale {
    /// Width and height of a cell; for hexagons the second number is the distance between rows.
    pub cell: (isize, isize),
    /// Width and height of the gaps between squares; 0 for hexagons.
    pub gap: (isize, isize),
}

/// Edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEdge {
    /// Edge above the first row.
    Top,
    /// Edge right of the last column.
    Right,
    /// Edge below the last row.
    Bottom,
    /// Edge left of the first column.
    Left,
}

/// Part of the board that a pixel belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelOwner {
    /// Cell, or the wall slot that contains the pixel and whose middle is nearest.
    Site(BoardSite),
    /// Crossing of two gaps, below and right of this cell: the middle of two wall slots.
    Crossing(isize, isize),
    /// Band along an edge of the board.
    Edge(BoardEdge),
    /// No part of the board.
    Outside,
}

/// Cell sizes at which hexagons look regular. Widths are even because rows are shifted by half a cell.
const HEXAGON_CELL_SIZES: [(isize, isize); 11] =
    [(2, 2), (4, 4), (6, 5), (8, 7), (10, 9), (12, 10), (14, 12), (16, 14), (20, 17), (24, 21), (30, 26)];

/// Rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelRect {
    pub(crate) left: isize,
    pub(crate) top: isize,
    pub(crate) width: isize,
    pub(crate) height: isize,
}

/// Locates a coordinate in a row of cells with gaps. Returns the index of the cell (or of the cell before the
/// gap), whether it is a gap, and the offset into the cell or gap.
fn locate_in_gapped_row(at: isize, cell: isize, gap: isize, count: isize) -> Option<(isize, bool, isize)> {
    let (number, offset) = (at.div_euclid(cell + gap), at.rem_euclid(cell + gap));
    let is_inside = at >= 0 && at < count * (cell + gap) - gap;
    is_inside.then_some(if offset < cell { (number, false, offset) } else { (number, true, offset - cell) })
}

impl Tiling {
    /// Returns the available scales, smallest first.
    #[must_use]
    pub fn scales(self) -> Vec<TilingScale> {
        let square = |half: isize| TilingScale {
            cell: (2 * half + 2, 2 * half),
            gap: match half {
                1 => (1, 2),
                2..8 => (2, 2),
                _ => (4, 4),
            },
        };
        match self {
            Tiling::Hexagons { .. } => {
                HEXAGON_CELL_SIZES.map(|cell| TilingScale { cell, gap: (0, 0) }).to_vec()
            }
            Tiling::Squares { .. } => (1..20).map(square).collect(),
        }
    }

    /// Returns the width and height of the whole board in pixels, bands included. The height is even.
    #[must_use]
    pub fn pixel_size(self, scale: TilingScale) -> (isize, isize) {
        let (width, height) = scale.cell;
        match self {
            Tiling::Hexagons { columns, rows } => {
                let (_, last) = self.cell_centre(scale, (0, rows - 1));
                let across = columns * width + (rows - 1) * (width / 2) + 2 * band_thickness(scale);
                let down = last + 2 * height / 3 + band_thickness(scale) + 1;
                (across, down + down % 2)
            }
            Tiling::Squares { columns, rows, has_slots } => {
                let bands = if has_slots { 4 } else { 0 };
                let length = |count: isize, cell, gap| count * (cell + gap) - gap;
                (length(columns, width, scale.gap.0), length(rows, height, scale.gap.1) + bands)
            }
        }
    }

    /// Returns the shade of a cell, 0 to 2. Adjacent hexagons have different shades.
    #[must_use]
    pub fn cell_shade(self, (column, row): (isize, isize)) -> usize {
        match self {
            Tiling::Hexagons { .. } => (column - row).rem_euclid(3).cast_unsigned(),
            Tiling::Squares { .. } => 1,
        }
    }

    /// Returns the part of the board that a pixel belongs to.
    ///
    /// ```
    /// use crosspath::drawing::{PixelOwner, BoardEdge, BoardSite, Tiling};
    /// let tiling = Tiling::Hexagons { columns: 3, rows: 3 };
    /// let scale = tiling.scales()[1]; // cells of 4 by 4 pixels
    /// assert_eq!(tiling.pixel_owner(scale, (3, 3)), PixelOwner::Site(BoardSite::Cell(0, 0)));
    /// assert_eq!(tiling.pixel_owner(scale, (3, 0)), PixelOwner::Edge(BoardEdge::Top));
    /// assert_eq!(tiling.pixel_owner(scale, (0, 20)), PixelOwner::Outside);
    /// ```
    #[must_use]
    pub fn pixel_owner(self, scale: TilingScale, (x, y): (isize, isize)) -> PixelOwner {
        match self {
            Tiling::Hexagons { columns, rows } => self.hexagon_pixel_owner(scale, (x, y), (columns, rows)),
            Tiling::Squares { columns, rows, has_slots } => {
                self.square_pixel_owner(scale, (x, y), (columns, rows), has_slots)
            }
        }
    }

    /// Returns the owner of a pixel on a board of hexagons.
    fn hexagon_pixel_owner(
        self,
        scale: TilingScale,
        (x, y): (isize, isize),
        (columns, rows): (isize, isize),
    ) -> PixelOwner {
        let is_cell =
            |(column, row): (isize, isize)| (0..columns).contains(&column) && (0..rows).contains(&row);
        let (column, row) = nearest_hexagon(scale, (x, y));
        if is_cell((column, row)) {
            return PixelOwner::Site(BoardSite::Cell(column, row));
        }
        let thick = band_thickness(scale);
        let is_beside = |row: isize| {
            let PixelRect { left, width, .. } = self.site_rect(scale, BoardSite::Cell(0, row));
            (left..left + columns * width).contains(&x)
        };
        // The bands above and below fill the jagged edge of the board; their outer side is straight.
        // The smallest hexagons start one pixel lower.
        let first = isize::from(scale.cell.1 == 2);
        if row == -1 && is_beside(0) && y >= first {
            return PixelOwner::Edge(BoardEdge::Top);
        }
        let end = self.site_rect(scale, BoardSite::Cell(0, rows - 1));
        if row == rows && is_beside(rows - 1) && y < end.top + end.height + thick {
            return PixelOwner::Edge(BoardEdge::Bottom);
        }
        let rim = if column < 0 || row == rows { BoardEdge::Left } else { BoardEdge::Right };
        let mut around = (1..=thick).flat_map(|by| [(x - by, y), (x + by, y), (x, y - by), (x, y + by)]);
        let is_near = (-1..=columns).contains(&column) && (-1..=rows).contains(&row);
        if is_near && around.any(|pixel| is_cell(nearest_hexagon(scale, pixel))) {
            PixelOwner::Edge(rim)
        } else {
            PixelOwner::Outside
        }
    }

    /// Returns the owner of a pixel on a board of squares.
    fn square_pixel_owner(
        self,
        scale: TilingScale,
        (x, y): (isize, isize),
        (columns, rows): (isize, isize),
        has_slots: bool,
    ) -> PixelOwner {
        let ((width, height), (across, down)) = (scale.cell, scale.gap);
        let (_, all) = self.pixel_size(scale);
        let Some((column, is_beside, right)) = locate_in_gapped_row(x, width, across, columns) else {
            return PixelOwner::Outside;
        };
        let top = if has_slots { 2 } else { 0 };
        let Some((row, is_between, below)) = locate_in_gapped_row(y - top, height, down, rows) else {
            return match y {
                1 if has_slots => PixelOwner::Edge(BoardEdge::Top),
                _ if has_slots && y == all - 2 => PixelOwner::Edge(BoardEdge::Bottom),
                _ => PixelOwner::Outside,
            };
        };
        match (is_beside, is_between) {
            (false, false) => PixelOwner::Site(BoardSite::Cell(column, row)),
            _ if !has_slots => PixelOwner::Outside,
            (true, true) => PixelOwner::Crossing(column, row),
            // At equal distance from two slots the pixel belongs to the upper or right one.
            (true, false) => {
                let is_lower = row == 0 || row + 1 < rows && height - below < below + 1;
                let post = (column, if is_lower { row } else { row - 1 });
                PixelOwner::Site(BoardSite::Slot { post, is_upright: true })
            }
            (false, true) => {
                let is_right = column == 0 || column + 1 < columns && width - right <= right + 1;
                let post = (if is_right { column } else { column - 1 }, row);
                PixelOwner::Site(BoardSite::Slot { post, is_upright: false })
            }
        }
    }

    /// Returns the pixel in the middle of a cell; the left or upper one if there are two.
    pub(super) fn cell_centre(self, scale: TilingScale, (column, row): (isize, isize)) -> (isize, isize) {
        let PixelRect { left, top, width, height } = self.site_rect(scale, BoardSite::Cell(column, row));
        match self {
            Tiling::Hexagons { .. } => (left + (width - 1) / 2, first_row_middle(scale) + row * scale.cell.1),
            Tiling::Squares { .. } => (left + (width - 1) / 2, top + (height - 1) / 2),
        }
    }

    /// Returns the rectangle of pixels around a cell or wall slot.
    pub(crate) fn site_rect(self, scale: TilingScale, site: BoardSite) -> PixelRect {
        let ((width, height), (across, down)) = (scale.cell, scale.gap);
        match (self, site) {
            (
                Tiling::Hexagons { .. },
                BoardSite::Cell(column, row) | BoardSite::Slot { post: (column, row), .. },
            ) => {
                let left = band_thickness(scale) + column * width + row * (width / 2);
                let tip = 2 * height / 3;
                PixelRect {
                    left,
                    top: first_row_middle(scale) + row * height - tip,
                    width,
                    height: 2 * tip + 1,
                }
            }
            (Tiling::Squares { has_slots, .. }, site) => {
                let top = if has_slots { 2 } else { 0 };
                let (BoardSite::Cell(column, row) | BoardSite::Slot { post: (column, row), .. }) = site;
                let (left, top) = (column * (width + across), top + row * (height + down));
                match site {
                    BoardSite::Cell(..) => PixelRect { left, top, width, height },
                    BoardSite::Slot { is_upright: true, .. } => {
                        PixelRect { left: left + width, top, width: across, height: 2 * height + down }
                    }
                    BoardSite::Slot { .. } => {
                        PixelRect { left, top: top + height, width: 2 * width + across, height: down }
                    }
                }
            }
        }
    }
}

/// Returns the thickness, in pixels, of the bands along the edges of hexagons.
pub(super) fn band_thickness(scale: TilingScale) -> isize {
    (scale.cell.0 / 4).max(1)
}

/// Returns the pixel row through the middle of the first row of hexagons, chosen so that each hexagon starts
/// at the top of a character.
fn first_row_middle(scale: TilingScale) -> isize {
    let (_, height) = scale.cell;
    if height == 2 { 2 } else { band_thickness(scale) + 2 * height / 3 }
}

/// Returns the column and row of the hexagon whose centre is nearest to a pixel, also outside the board. At
/// equal distance it is the one in the upper row.
fn nearest_hexagon(scale: TilingScale, (x, y): (isize, isize)) -> (isize, isize) {
    let (width, height) = scale.cell;
    let above = (y - first_row_middle(scale)).div_euclid(height);
    let near = |row: isize| {
        let first = band_thickness(scale) + row * (width / 2);
        let column = (x - first).div_euclid(width);
        // Twice the horizontal distance; the vertical one is scaled as if the hexagons were regular.
        let across = 2 * (x - first - column * width) + 1 - width;
        let down = y - first_row_middle(scale) - row * height;
        (height * height * across * across + 3 * width * width * down * down, row, column)
    };
    let (_, row, column) = near(above).min(near(above + 1));
    (column, row)
}
