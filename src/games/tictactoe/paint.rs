//! The board as a picture. Knows the rules' board and the canvas, no terminal.

use super::{Cell, TicTacToe, cells};
use crate::board::names::letter;
use crate::canvas::{Brackets, Canvas, Glyphs, Paint, PaintOptions, Role};
use crate::game::{Notation, Side, View};

/// How the cells are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Density {
    /// One character a cell, no lines.
    Dots,
    /// Lines around cells of 3 x 1.
    Grid,
    /// Lines around cells of 6 x 2, the marks drawn in two rows.
    Middle,
    /// Lines around cells of 7 x 3, the marks drawn large.
    Large,
    /// Lines around cells of 9 x 3, the marks drawn large.
    Big,
    /// Lines around cells of 13 x 5, the marks drawn in five rows.
    Huge,
}

impl Density {
    const ALL: [Density; 6] =
        [Density::Dots, Density::Grid, Density::Middle, Density::Large, Density::Big, Density::Huge];

    /// Columns and rows inside a cell.
    fn inside(self) -> (usize, usize) {
        match self {
            Density::Dots => (1, 1),
            Density::Grid => (3, 1),
            Density::Middle => (6, 2),
            Density::Large => (7, 3),
            Density::Big => (9, 3),
            Density::Huge => (13, 5),
        }
    }

    fn size(self, n: usize) -> (usize, usize) {
        let (across, down) = self.inside();
        match self {
            Density::Dots => (4 + 2 * n, n + 1),
            _ => (LEFT + (across + 1) * n + 1, (down + 1) * n + 1),
        }
    }

    /// The middle of a cell; of two rows or columns the first one.
    fn centre(self, row: usize, col: usize) -> (usize, usize) {
        let (across, down) = self.inside();
        match self {
            Density::Dots => (4 + 2 * col, row + 1),
            _ => (LEFT + 1 + col * (across + 1) + (across - 1) / 2, 1 + row * (down + 1) + (down - 1) / 2),
        }
    }

    /// How far to the left and to the right of the middle the marks of the last move and the cursor stand.
    fn beside(self) -> [usize; 2] {
        match self {
            Density::Dots | Density::Grid => [1, 1],
            Density::Middle => [2, 3],
            Density::Large | Density::Big => [3, 3],
            Density::Huge => [5, 5],
        }
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

/// A mark that fills a cell, row by row.
fn drawn(side: Side, glyphs: Glyphs, density: Density) -> &'static [&'static str] {
    match (side, density, glyphs) {
        (Side::First, Density::Middle, Glyphs::Unicode) => &["╲╱", "╱╲"],
        (Side::First, Density::Middle, _) => &["\\/", "/\\"],
        (Side::Second, Density::Middle, Glyphs::Unicode) => &["╭──╮", "╰──╯"],
        (Side::Second, Density::Middle, _) => &[".--.", "'--'"],
        (Side::First, Density::Huge, Glyphs::Unicode) => &["╲   ╱", " ╲ ╱ ", "  ╳  ", " ╱ ╲ ", "╱   ╲"],
        (Side::First, Density::Huge, _) => &["\\   /", " \\ / ", "  X  ", " / \\ ", "/   \\"],
        (Side::Second, Density::Huge, Glyphs::Unicode) => {
            &["╭─────╮", "│     │", "│     │", "│     │", "╰─────╯"]
        }
        (Side::Second, Density::Huge, _) => &[".-----.", "|     |", "|     |", "|     |", "'-----'"],
        (Side::First, _, Glyphs::Unicode) => &["╲ ╱", " ╳ ", "╱ ╲"],
        (Side::First, ..) => &["\\ /", " X ", "/ \\"],
        (Side::Second, _, Glyphs::Unicode) => &["╭───╮", "│   │", "╰───╯"],
        (Side::Second, ..) => &[".---.", "|   |", "'---'"],
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
                if matches!(self.density, Density::Dots | Density::Grid) {
                    self.canvas.put(x, y, super::mark(side), role);
                    continue;
                }
                let rows = drawn(side, self.glyphs, self.density);
                let top = y - (rows.len() - 1) / 2;
                for (text, y) in rows.iter().zip(top..) {
                    self.canvas.text(x - (text.chars().count() - 1) / 2, y, text, role);
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
                self.canvas.own(x - (across - 1) / 2, y - (down - 1) / 2, across, down, spot);
            }
        }
    }

    /// The marks beside cells. Of two on one cell the stronger one opens and the weaker one closes; on the winning line
    /// there are neither the last move's nor the hint's.
    fn marks(&mut self, look: &PaintOptions<'_>) {
        let [cursor, others @ ..] = look.brackets(|text| Some(self.centre(self.game.parse(text).ok()?)));
        let role = self.game.winner.map_or(Role::Last, Role::won);
        let won: Vec<Brackets> =
            cells(self.won).map(|cell| (Some(self.centre(cell)), ['*', '*'], role)).collect();
        let others = others.into_iter().filter(|(place, ..)| won.iter().all(|pair| pair.0 != *place));
        let pairs: Vec<Brackets> = [cursor].into_iter().chain(won.iter().copied()).chain(others).collect();
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
        let aim = format!("{} in a line win", self.win_length);
        vec!["Open lines".to_owned(), Side::each(open).join("   "), aim]
    }

    fn board_sizes(&self) -> Vec<(usize, usize)> {
        Density::ALL.map(|density| density.size(self.size)).to_vec()
    }

    /// Letters above or in the upper border, numbers on the left, row 1 at the top.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let density = Density::ALL[look.density.min(Density::ALL.len() - 1)];
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
