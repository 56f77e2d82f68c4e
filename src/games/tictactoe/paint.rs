//! The board as a picture. Knows the rules' board and the canvas, no terminal.

use super::{Cell, TicTacToe, cells, scene};
use crate::board::names::letter;
use crate::canvas::{Brackets, Canvas, Glyphs, Paint, PaintOptions, Role};
use crate::drawing::Scene;
use crate::game::{Notation, Side, View};
use crate::text;
use crate::text::{Text, join, of_side};

/// Layout of the cells.
#[derive(Clone, Copy, Debug)]
struct Density {
    /// `true` if there are lines around the cells.
    has_lines: bool,
    /// Columns and rows inside a cell. In a cell of several rows a mark takes all of them.
    across: usize,
    down: usize,
}

/// Columns and rows inside the cells that have lines around them.
const CELL_SIZES: [(usize, usize); 8] = [(3, 1), (6, 2), (7, 3), (9, 3), (13, 5), (17, 7), (21, 9), (25, 11)];

impl Density {
    /// All of them, the smallest first.
    fn all() -> impl Iterator<Item = Density> {
        let with_lines = CELL_SIZES.map(|(across, down)| Density { has_lines: true, across, down });
        [Density { has_lines: false, across: 1, down: 1 }].into_iter().chain(with_lines)
    }

    /// The one of this number, the largest where there is none.
    fn of(number: usize) -> Self {
        Density::all().nth(number.min(CELL_SIZES.len())).expect("there are cells without lines too")
    }

    fn size(self, n: usize) -> (usize, usize) {
        if !self.has_lines {
            return (4 + 2 * n, n + 1);
        }
        (LEFT + (self.across + 1) * n + 1, (self.down + 1) * n + 1)
    }

    /// The middle of a cell; of two rows or columns the first one.
    fn centre(self, row: usize, col: usize) -> (usize, usize) {
        let Density { has_lines, across, down } = self;
        if !has_lines {
            return (4 + 2 * col, row + 1);
        }
        (LEFT + 1 + col * (across + 1) + (across - 1) / 2, 1 + row * (down + 1) + (down - 1) / 2)
    }

    /// Returns the distances, to the left and to the right of the middle, of the marks of the last move and the cursor,
    /// in columns.
    fn beside(self) -> [usize; 2] {
        [self.down, self.down + (self.across + 1) % 2]
    }
}

/// Columns left of the frame, for row numbers.
const LEFT: usize = 3;

/// Line, bar, and the corners and crossings row by row.
struct Lines {
    line: char,
    bar: char,
    joints: [[char; 3]; 3],
}

fn lines(glyphs: Glyphs) -> Lines {
    match glyphs {
        Glyphs::Unicode => {
            Lines {
                line: '─', bar: '│', joints: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']]
            }
        }
        Glyphs::Narrow | Glyphs::Ascii => Lines { line: '-', bar: '|', joints: [['+'; 3]; 3] },
    }
}

/// A mark that fills the rows of a cell, row by row.
fn drawn(side: Side, glyphs: Glyphs, rows: usize) -> Vec<String> {
    let is_unicode = glyphs == Glyphs::Unicode;
    let [falls, rises, cross] = if is_unicode { ['╲', '╱', '╳'] } else { ['\\', '/', 'X'] };
    if side == Side::First {
        let at = |row: usize, col: usize| match (row == col, row + col + 1 == rows) {
            (true, true) => cross,
            (true, false) => falls,
            (false, true) => rises,
            (false, false) => ' ',
        };
        return (0..rows).map(|row| (0..rows).map(|col| at(row, col)).collect()).collect();
    }
    let [line, bar, corners @ ..] = if is_unicode {
        ['─', '│', '╭', '╮', '╰', '╯']
    } else {
        ['-', '|', '.', '.', '\'', '\'']
    };
    // As high as it is wide on a terminal, whose characters are about twice as high; the more rows, the rounder.
    let (last, slant) = (rows - 1, (rows - 1) / 3);
    let width = if rows == 2 { 4 } else { 2 * rows - 1 };
    let at = |row: usize| {
        let off = row.min(last - row);
        let [left, between, right] = match () {
            () if row == 0 => [corners[0], line, corners[1]],
            () if row == last => [corners[2], line, corners[3]],
            () if off > slant => [bar, ' ', bar],
            () if off == row => [rises, ' ', falls],
            () => [falls, ' ', rises],
        };
        let indent = if off == 0 { slant } else { slant - off.min(slant) };
        (indent, left, between, right)
    };
    let drawn = |(indent, left, between, right): (usize, char, char, char)| {
        let blanks = std::iter::repeat_n(' ', indent);
        let inside = std::iter::repeat_n(between, width - 2 * indent - 2);
        blanks.clone().chain([left]).chain(inside).chain([right]).chain(blanks).collect()
    };
    (0..rows).map(|row| drawn(at(row))).collect()
}

struct TicTacToePainter<'a> {
    game: &'a TicTacToe,
    glyphs: Glyphs,
    density: Density,
    won: u128,
    canvas: Canvas,
}

impl TicTacToePainter<'_> {
    fn labels(&mut self) {
        for i in 0..self.game.size {
            self.canvas.put(self.density.centre(0, i).0, 0, letter(i), Role::Label);
            let y = self.density.centre(i, 0).1;
            let end = if self.density.has_lines { 1 } else { 2 };
            self.canvas.text_ending_at(end, y, &(i + 1).to_string(), Role::Label);
        }
    }

    /// The lines between and around the cells; the letters come into the upper one.
    fn frame(&mut self) {
        let Density { has_lines: true, across, down } = self.density else { return };
        let Lines { line, bar, joints } = lines(self.glyphs);
        let n = self.game.size;
        let kind = |i: usize| if i == 0 { 0 } else { 1 + usize::from(i == n) };
        for i in 0..=n {
            for along in 0..=(down + 1) * n {
                self.canvas.put(LEFT + i * (across + 1), along, bar, Role::Frame);
            }
        }
        for i in 0..=n {
            for along in 0..=(across + 1) * n {
                let is_joint = along.is_multiple_of(across + 1);
                let glyph = if is_joint { joints[kind(i)][kind(along / (across + 1))] } else { line };
                self.canvas.put(LEFT + along, i * (down + 1), glyph, Role::Frame);
            }
        }
    }

    fn centre(&self, cell: Cell) -> (usize, usize) {
        let (row, col) = self.game.place(cell);
        self.density.centre(row, col)
    }

    fn role(&self, side: Side, cell: Cell) -> Role {
        if self.won & cell.bit() == 0 { Role::of(side) } else { Role::won(side) }
    }

    fn stones(&mut self) {
        for side in Side::BOTH {
            for cell in cells(self.game.stones(side)) {
                let (x, y) = self.centre(cell);
                let role = self.role(side, cell);
                if self.density.down == 1 {
                    self.canvas.put(x, y, super::mark(side), role);
                    continue;
                }
                let rows = drawn(side, self.glyphs, self.density.down);
                let top = y - (rows.len() - 1) / 2;
                for (text, y) in rows.iter().zip(top..) {
                    self.canvas.text(x - (text.chars().count() - 1) / 2, y, text, role);
                }
            }
        }
    }

    /// Names the cells; without lines the empty ones are shown as dots.
    fn spots(&mut self) {
        let Density { has_lines, across, down } = self.density;
        let dot = self.glyphs.pick(['·', '∙', '_']);
        for cell in cells(self.game.all_cells()) {
            let (x, y) = self.centre(cell);
            let spot = self.canvas.spot(x, y, self.game.show(cell));
            if has_lines {
                self.canvas.own(x - (across - 1) / 2, y - (down - 1) / 2, across, down, spot);
            } else {
                self.canvas.own(x, y, 2, 1, spot);
                self.canvas.put(x, y, dot, Role::Plain);
            }
        }
    }

    /// Fills the cells of the winning line.
    fn winning_cells(&mut self) {
        let Density { has_lines: true, across, down } = self.density else { return };
        let Some(role) = self.game.winner.map(Role::won) else { return };
        for cell in cells(self.won) {
            let (x, y) = self.centre(cell);
            let (left, top) = (x - (across - 1) / 2, y - (down - 1) / 2);
            for y in top..top + down {
                (left..left + across).for_each(|x| self.canvas.set_role(x, y, role));
            }
        }
    }

    /// The marks beside cells. Of two on one cell only the stronger one is drawn; on the winning line
    /// there is no hint's, and the last move's is outside the line's own, where the cells are so wide.
    fn marks(&mut self, look: &PaintOptions<'_>) {
        let [cursor, others @ ..] = look.brackets(|text| Some(self.centre(self.game.parse(text).ok()?)));
        let role = self.game.winner.map_or(Role::Last, Role::won);
        let won: Vec<Brackets> =
            cells(self.won).map(|cell| (Some(self.centre(cell)), ['*', '*'], role)).collect();
        let is_won = |place: Option<(usize, usize)>| won.iter().any(|pair| pair.0 == place);
        let Density { across, down, .. } = self.density;
        let (last, half) = (others[0], (across - 1) / 2);
        if is_won(last.0) && half > down {
            self.canvas.brackets(&[(last.0, last.1, role)], [half; 2]);
        }
        let others = others.into_iter().filter(|(place, ..)| !is_won(*place));
        let pairs: Vec<Brackets> = [cursor].into_iter().chain(won.iter().copied()).chain(others).collect();
        self.canvas.brackets(&pairs, self.density.beside());
    }
}

impl Paint for TicTacToe {
    /// The lines that each side can still fill; nothing where every cell can be valued.
    fn side_panel(&self, _: Glyphs, _: usize) -> Vec<Text> {
        if self.size < 4 {
            return Vec::new();
        }
        let open = |side: Side| {
            let other = self.stones(side.other());
            let open = self.lines().all().iter().filter(|&&line| line & other == 0).count();
            text!("{}", of_side(side, format!("{} {open}", self.side_name(side))))
        };
        let aim = text!("{} in a row win", self.win_length);
        vec!["Open lines".into(), join(Side::each(open), "   "), aim]
    }

    fn side_panel_help(&self) -> Option<&'static str> {
        (self.size >= 4).then_some("Open lines: the winning lines that a side can still complete.")
    }

    /// Of the signs there are only those of a line that is won.
    fn legend(&self, _: Glyphs) -> Vec<Text> {
        self.won_line().map(|_| "* winning line".into()).into_iter().collect()
    }

    fn legend_signs(&self, _: Glyphs) -> Vec<(char, Role)> {
        Side::BOTH.map(|side| ('*', Role::won(side))).to_vec()
    }

    fn board_sizes(&self) -> Vec<(usize, usize)> {
        Density::all().map(|density| density.size(self.size)).collect()
    }

    fn scene(&self, look: &PaintOptions<'_>) -> Scene {
        scene::scene(self, look)
    }

    /// Letters above or in the upper border, numbers on the left, row 1 at the top.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let density = Density::of(look.density);
        let (width, height) = density.size(self.size);
        let won = self.won_line().unwrap_or(0);
        let canvas = Canvas::new(width, height);
        let mut painter = TicTacToePainter { game: self, glyphs: look.glyphs, density, won, canvas };
        painter.frame();
        painter.labels();
        painter.spots();
        painter.stones();
        painter.winning_cells();
        painter.marks(look);
        painter.canvas
    }
}
