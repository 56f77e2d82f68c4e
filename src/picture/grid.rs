//! Where the columns and rows of a canvas are on the page, so that neighbouring places are equally far from each other.

use super::real;
use crate::canvas::{Canvas, Spot};

/// The distance between neighbouring places.
const PITCH: f64 = 48.0;
/// The width of a column where there is only one place.
const COLUMN: f64 = 12.0;

/// How the cells of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lattice {
    /// Row below row.
    Square,
    /// Each row shifted by half a cell.
    Hexagonal,
}

/// The distances between neighbouring places of the first layer, in columns and rows.
#[derive(Clone, Copy, Debug)]
struct Steps {
    across: usize,
    down: usize,
    /// How far the next row is shifted.
    shift: usize,
}

impl Steps {
    fn of(canvas: &Canvas) -> Option<Self> {
        let cells: Vec<&Spot> = canvas.spots().iter().filter(|spot| spot.layer == 0).collect();
        let first = cells.first()?;
        let in_row = |y: usize| cells.iter().filter(move |spot| spot.y == y);
        let across = in_row(first.y).map(|spot| spot.x.abs_diff(first.x)).filter(|&far| far > 0).min()?;
        let down = cells.iter().map(|spot| spot.y.abs_diff(first.y)).filter(|&far| far > 0).min()?;
        let beside = [first.y.wrapping_add(down), first.y.wrapping_sub(down)];
        let nearest = beside.into_iter().flat_map(in_row).map(|spot| spot.x.abs_diff(first.x)).min()?;
        Some(Steps { across, down, shift: nearest.min(across) })
    }
}

/// The edges of columns and rows, from the left and from the top.
#[derive(Debug)]
pub(super) struct Grid {
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// How cells lie, where there are several.
    pub(super) lattice: Option<Lattice>,
    /// The distance between neighbouring places.
    pub(super) pitch: f64,
    /// The width of a column.
    pub(super) column: f64,
    /// Columns between places.
    pub(super) across: usize,
}

impl Grid {
    /// Whether there is room between places for lines and marks.
    pub(super) fn is_roomy(canvas: &Canvas) -> bool {
        Steps::of(canvas).is_some_and(|steps| steps.across >= 4 && steps.down >= 2)
    }

    pub(super) fn of(canvas: &Canvas) -> Self {
        let Some(steps) = Steps::of(canvas) else {
            let (xs, ys) = (edges(canvas.width(), |_| COLUMN), edges(canvas.height(), |_| 2.0 * COLUMN));
            return Grid { xs, ys, lattice: None, pitch: PITCH, column: COLUMN, across: 4 };
        };
        let column = PITCH / real(steps.across);
        let (across, shift) = (PITCH, real(steps.shift) * column);
        let down = (across * across - shift * shift).sqrt();
        let lattice = if steps.shift == 0 { Lattice::Square } else { Lattice::Hexagonal };
        // Every other row lies between places: as high as a column is wide, or as the slope of a hexagon.
        let slot = if lattice == Lattice::Square { column } else { down / 3.0 };
        let first = canvas.spots().first().map_or(0, |spot| spot.y);
        let height = |y: usize| match steps.down {
            2 if y % 2 != first % 2 => slot,
            2 => down - slot,
            rows => down / real(rows),
        };
        let (xs, ys) = (edges(canvas.width(), |_| column), edges(canvas.height(), height));
        Grid { xs, ys, lattice: Some(lattice), pitch: PITCH, column, across: steps.across }
    }

    pub(super) fn size(&self) -> (f64, f64) {
        (self.left(self.xs.len()), self.top(self.ys.len()))
    }

    /// The left edge of a column.
    pub(super) fn left(&self, x: usize) -> f64 {
        self.xs[x.min(self.xs.len() - 1)]
    }

    /// The upper edge of a row.
    pub(super) fn top(&self, y: usize) -> f64 {
        self.ys[y.min(self.ys.len() - 1)]
    }

    /// The middle of a column.
    pub(super) fn middle(&self, x: usize) -> f64 {
        f64::midpoint(self.left(x), self.left(x + 1))
    }

    /// The middle of a row.
    pub(super) fn centre(&self, y: usize) -> f64 {
        f64::midpoint(self.top(y), self.top(y + 1))
    }

    /// The middle of a character.
    pub(super) fn at(&self, x: usize, y: usize) -> (f64, f64) {
        (self.middle(x), self.centre(y))
    }
}

/// Where each of `count` stripes begins, and where the last one ends.
fn edges(count: usize, extent: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut edge = 0.0;
    let mut edges = vec![edge];
    for i in 0..count {
        edge += extent(i);
        edges.push(edge);
    }
    edges
}
