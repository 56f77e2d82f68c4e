//! The board as a picture. Knows the rules' board and the canvas, no terminal.

use super::{Cell, TicTacToe, cells};
use crate::board::names::letter;
use crate::canvas::{Canvas, Glyphs, Paint, PaintOptions, Role};
use crate::game::{Notation, Side, View};

/// The largest board that is drawn with large marks.
const MAX_BIG: usize = 5;

/// How the cells are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Density {
    /// One character a cell, no lines.
    Dots,
    /// Lines around cells of 3 x 1.
    Grid,
    /// Lines around cells of 9 x 3, the marks drawn large.
    Big,
}

impl Density {
    fn of(game: &TicTacToe, index: usize) -> Self {
        match index {
            0 => Density::Dots,
            1 => Density::Grid,
            _ if game.size > MAX_BIG => Density::Grid,
            _ => Density::Big,
        }
    }

    /// Columns and rows inside a cell.
    fn inside(self) -> (usize, usize) {
        match self {
            Density::Dots => (1, 1),
            Density::Grid => (3, 1),
            Density::Big => (9, 3),
        }
    }

    fn size(self, n: usize) -> (usize, usize) {
        let (across, down) = self.inside();
        match self {
            Density::Dots => (4 + 2 * n, n + 1),
            Density::Grid | Density::Big => (LEFT + (across + 1) * n + 1, (down + 1) * n + 1),
        }
    }

    /// The middle of a cell.
    fn centre(self, row: usize, col: usize) -> (usize, usize) {
        let (across, down) = self.inside();
        match self {
            Density::Dots => (4 + 2 * col, row + 1),
            _ => (LEFT + 1 + col * (across + 1) + across / 2, 1 + row * (down + 1) + down / 2),
        }
    }

    /// How far beside the middle the marks of the last move and the cursor stand.
    fn beside(self) -> usize {
        if self == Density::Big { 3 } else { 1 }
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

/// A large mark, row by row.
fn drawn(side: Side, glyphs: Glyphs) -> [&'static str; 3] {
    match (side, glyphs) {
        (Side::First, Glyphs::Unicode) => ["╲ ╱", " ╳ ", "╱ ╲"],
        (Side::First, _) => ["\\ /", " X ", "/ \\"],
        (Side::Second, Glyphs::Unicode) => ["╭─╮", "│ │", "╰─╯"],
        (Side::Second, _) => [".-.", "| |", "'-'"],
    }
}

struct Painter<'a> {
    game: &'a TicTacToe,
    glyphs: Glyphs,
    density: Density,
    won: u128,
    canvas: Canvas,
}

impl Painter<'_> {
    fn labels(&mut self) {
        for i in 0..self.game.size {
            self.canvas.put(self.density.centre(0, i).0, 0, letter(i), Role::Label);
            let y = self.density.centre(i, 0).1;
            let end = if self.density == Density::Dots { 2 } else { 1 };
            self.canvas.text_ending_at(end, y, &(i + 1).to_string(), Role::Label);
        }
    }

    /// The lines between and around the cells; the letters come into the upper one.
    fn frame(&mut self) {
        if self.density == Density::Dots {
            return;
        }
        let Lines { line, bar, joints } = lines(self.glyphs);
        let (across, down) = self.density.inside();
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
                if self.density == Density::Big {
                    for (i, text) in drawn(side, self.glyphs).into_iter().enumerate() {
                        self.canvas.text(x - 1, y - 1 + i, text, role);
                    }
                } else {
                    self.canvas.put(x, y, super::mark(side), role);
                }
            }
        }
    }

    /// Names the cells; without lines the empty ones are shown as dots.
    fn spots(&mut self) {
        let (across, down) = self.density.inside();
        let dot = self.glyphs.pick(['·', '∙', '_']);
        for cell in cells(self.game.all_cells()) {
            let (x, y) = self.centre(cell);
            let spot = self.canvas.spot(x, y, self.game.show(cell));
            if self.density == Density::Dots {
                self.canvas.own(x, y, 2, 1, spot);
                self.canvas.put(x, y, dot, Role::Plain);
            } else {
                self.canvas.own(x - across / 2, y - down / 2, across, down, spot);
            }
        }
    }

    /// The marks beside cells. Of two on one cell the stronger one opens and the weaker one closes.
    fn marks(&mut self, look: &PaintOptions<'_>) {
        let [cursor, last, hint] = look.brackets(|text| Some(self.centre(self.game.parse(text).ok()?)));
        let role = self.game.winner.map_or(Role::Last, Role::won);
        let won = cells(self.won).map(|cell| (Some(self.centre(cell)), ['*', '*'], role));
        let pairs: Vec<_> = [cursor].into_iter().chain(won).chain([last, hint]).collect();
        self.canvas.brackets(&pairs, self.density.beside());
    }
}

impl Paint for TicTacToe {
    /// The lines that each side can still fill; nothing where every cell can be valued.
    fn side_panel(&self, _: Glyphs, _: usize) -> Vec<String> {
        if self.size < 4 {
            return Vec::new();
        }
        let open = |side: Side| {
            let other = self.stones(side.other());
            let open = self.lines().all().iter().filter(|&&line| line & other == 0).count();
            format!("{} {open}", self.side_name(side))
        };
        vec!["Open lines".to_owned(), Side::each(open).join("   ")]
    }

    fn board_sizes(&self) -> Vec<(usize, usize)> {
        let all = [Density::Dots, Density::Grid, Density::Big];
        let count = if self.size > MAX_BIG { 2 } else { 3 };
        all[..count].iter().map(|density| density.size(self.size)).collect()
    }

    /// Letters above or in the upper border, numbers on the left, row 1 at the top.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let density = Density::of(self, look.density);
        let (width, height) = density.size(self.size);
        let won = self.won_line().unwrap_or(0);
        let canvas = Canvas::new(width, height);
        let mut painter = Painter { game: self, glyphs: look.glyphs, density, won, canvas };
        painter.frame();
        painter.labels();
        painter.spots();
        painter.stones();
        painter.marks(look);
        painter.canvas
    }
}
