//! Text rendering of the board. This module depends on the board and the canvas, not on the terminal.

use super::{Cell, TicTacToe, cells_in_mask, scene};
use crate::board::names::column_letter;
use crate::canvas::{BracketMark, Canvas, GlyphSet, PaintBoard, PaintOptions, PaintRole};
use crate::drawing::Scene;
use crate::game::{Notation, PositionDescription, Side};
use crate::text;
use crate::text::{Text, join_texts, mark_side};

/// Text layout of the cells.
#[derive(Clone, Copy, Debug)]
struct TicTacToeDensity {
    /// `true` if there are grid lines around the cells.
    has_lines: bool,
    /// Number of columns inside a cell.
    across: usize,
    /// Number of rows inside a cell. If there are several, a mark fills all of them.
    down: usize,
}

/// Columns and rows inside a cell, for each layout with grid lines.
const LINED_CELL_SIZES: [(usize, usize); 8] =
    [(3, 1), (6, 2), (7, 3), (9, 3), (13, 5), (17, 7), (21, 9), (25, 11)];

impl TicTacToeDensity {
    /// Returns all layouts, the smallest first.
    fn all_densities() -> impl Iterator<Item = TicTacToeDensity> {
        let with_lines =
            LINED_CELL_SIZES.map(|(across, down)| TicTacToeDensity { has_lines: true, across, down });
        [TicTacToeDensity { has_lines: false, across: 1, down: 1 }].into_iter().chain(with_lines)
    }

    /// Returns the layout with this number, or the largest one if there is none.
    fn numbered(number: usize) -> Self {
        TicTacToeDensity::all_densities()
            .nth(number.min(LINED_CELL_SIZES.len()))
            .expect("there are cells without lines too")
    }

    fn canvas_size(self, n: usize) -> (usize, usize) {
        if !self.has_lines {
            return (4 + 2 * n, n + 1);
        }
        (FRAME_LEFT_COLUMN + (self.across + 1) * n + 1, (self.down + 1) * n + 1)
    }

    /// Returns the column and row of a cell's centre, rounded down.
    fn cell_centre(self, row: usize, col: usize) -> (usize, usize) {
        let TicTacToeDensity { has_lines, across, down } = self;
        if !has_lines {
            return (4 + 2 * col, row + 1);
        }
        (FRAME_LEFT_COLUMN + 1 + col * (across + 1) + (across - 1) / 2, 1 + row * (down + 1) + (down - 1) / 2)
    }

    /// Returns the distances, in columns, of the brackets left and right of a cell's centre.
    fn bracket_offsets(self) -> [usize; 2] {
        [self.down, self.down + (self.across + 1) % 2]
    }
}

/// Number of columns left of the frame, which hold the row numbers.
const FRAME_LEFT_COLUMN: usize = 3;

/// Characters of the grid: horizontal line, vertical line, and corners and crossings row by row.
struct GridLineGlyphs {
    line: char,
    bar: char,
    joints: [[char; 3]; 3],
}

fn grid_line_glyphs(glyphs: GlyphSet) -> GridLineGlyphs {
    match glyphs {
        GlyphSet::Unicode => GridLineGlyphs {
            line: '─',
            bar: '│',
            joints: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']],
        },
        GlyphSet::Narrow | GlyphSet::Ascii => GridLineGlyphs { line: '-', bar: '|', joints: [['+'; 3]; 3] },
    }
}

/// Returns a mark that fills the rows of a cell, row by row.
fn draw_large_mark(side: Side, glyphs: GlyphSet, rows: usize) -> Vec<String> {
    let is_unicode = glyphs == GlyphSet::Unicode;
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
    // Characters of a terminal are about twice as high as wide, so the ring looks round. More rows make it
    // rounder.
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
    glyphs: GlyphSet,
    density: TicTacToeDensity,
    won: u128,
    canvas: Canvas,
}

impl TicTacToePainter<'_> {
    fn draw_labels(&mut self) {
        for i in 0..self.game.size {
            self.canvas.put_glyph(self.density.cell_centre(0, i).0, 0, column_letter(i), PaintRole::Label);
            let y = self.density.cell_centre(i, 0).1;
            let end = if self.density.has_lines { 1 } else { 2 };
            self.canvas.write_text_ending_at(end, y, &(i + 1).to_string(), PaintRole::Label);
        }
    }

    /// Draws the lines between and around the cells. The column letters replace a part of the upper line.
    fn draw_grid_lines(&mut self) {
        let TicTacToeDensity { has_lines: true, across, down } = self.density else { return };
        let GridLineGlyphs { line, bar, joints } = grid_line_glyphs(self.glyphs);
        let n = self.game.size;
        let kind = |i: usize| if i == 0 { 0 } else { 1 + usize::from(i == n) };
        for i in 0..=n {
            for along in 0..=(down + 1) * n {
                self.canvas.put_glyph(FRAME_LEFT_COLUMN + i * (across + 1), along, bar, PaintRole::Frame);
            }
        }
        for i in 0..=n {
            for along in 0..=(across + 1) * n {
                let is_joint = along.is_multiple_of(across + 1);
                let glyph = if is_joint { joints[kind(i)][kind(along / (across + 1))] } else { line };
                self.canvas.put_glyph(FRAME_LEFT_COLUMN + along, i * (down + 1), glyph, PaintRole::Frame);
            }
        }
    }

    fn cell_centre(&self, cell: Cell) -> (usize, usize) {
        let (row, col) = self.game.coordinates(cell);
        self.density.cell_centre(row, col)
    }

    fn mark_role(&self, side: Side, cell: Cell) -> PaintRole {
        if self.won & cell.bit() == 0 {
            PaintRole::for_piece(side)
        } else {
            PaintRole::for_winning_piece(side)
        }
    }

    fn draw_marks(&mut self) {
        for side in Side::BOTH {
            for cell in cells_in_mask(self.game.stones(side)) {
                let (x, y) = self.cell_centre(cell);
                let role = self.mark_role(side, cell);
                if self.density.down == 1 {
                    self.canvas.put_glyph(x, y, super::mark_char(side), role);
                    continue;
                }
                let rows = draw_large_mark(side, self.glyphs, self.density.down);
                let top = y - (rows.len() - 1) / 2;
                for (text, y) in rows.iter().zip(top..) {
                    self.canvas.write_text(x - (text.chars().count() - 1) / 2, y, text, role);
                }
            }
        }
    }

    /// Registers the cells and their hit areas. Without grid lines, empty cells are shown as dots.
    fn register_cells(&mut self) {
        let TicTacToeDensity { has_lines, across, down } = self.density;
        let dot = self.glyphs.pick_variant(['·', '∙', '_']);
        for cell in cells_in_mask(self.game.board_mask()) {
            let (x, y) = self.cell_centre(cell);
            let spot = self.canvas.add_spot(x, y, self.game.format_move(cell));
            if has_lines {
                self.canvas.assign_hit_area(x - (across - 1) / 2, y - (down - 1) / 2, across, down, spot);
            } else {
                self.canvas.assign_hit_area(x, y, 2, 1, spot);
                self.canvas.put_glyph(x, y, dot, PaintRole::Plain);
            }
        }
    }

    /// Fills the cells of the winning line.
    fn fill_winning_cells(&mut self) {
        let TicTacToeDensity { has_lines: true, across, down } = self.density else { return };
        let Some(role) = self.game.winner.map(PaintRole::for_winning_piece) else { return };
        for cell in cells_in_mask(self.won) {
            let (x, y) = self.cell_centre(cell);
            let (left, top) = (x - (across - 1) / 2, y - (down - 1) / 2);
            for y in top..top + down {
                (left..left + across).for_each(|x| self.canvas.set_role(x, y, role));
            }
        }
    }

    /// Draws the brackets beside cells. Of two brackets at one cell only the more important one is drawn. A
    /// cell of the winning line shows no hint. If it is wide enough, the brackets of the last move are drawn
    /// outside those of the line.
    fn draw_brackets(&mut self, look: &PaintOptions<'_>) {
        let [cursor, others @ ..] =
            look.bracket_marks(|text| Some(self.cell_centre(self.game.parse(text).ok()?)));
        let role = self.game.winner.map_or(PaintRole::Last, PaintRole::for_winning_piece);
        let won: Vec<BracketMark> =
            cells_in_mask(self.won).map(|cell| (Some(self.cell_centre(cell)), ['*', '*'], role)).collect();
        let is_won = |place: Option<(usize, usize)>| won.iter().any(|pair| pair.0 == place);
        let TicTacToeDensity { across, down, .. } = self.density;
        let (last, half) = (others[0], (across - 1) / 2);
        if is_won(last.0) && half > down {
            self.canvas.draw_brackets(&[(last.0, last.1, role)], [half; 2]);
        }
        let others = others.into_iter().filter(|(place, ..)| !is_won(*place));
        let pairs: Vec<BracketMark> = [cursor].into_iter().chain(won.iter().copied()).chain(others).collect();
        self.canvas.draw_brackets(&pairs, self.density.bracket_offsets());
    }
}

impl PaintBoard for TicTacToe {
    /// Returns a panel with the number of lines that each side can still complete. It is empty on boards
    /// small enough to be solved.
    fn side_panel(&self, _: GlyphSet, _: usize) -> Vec<Text> {
        if self.size < 4 {
            return Vec::new();
        }
        let open = |side: Side| {
            let other = self.stones(side.other());
            let open = self.winning_lines().masks().iter().filter(|&&line| line & other == 0).count();
            text!("{}", mark_side(side, format!("{} {open}", self.side_name(side))))
        };
        let aim = text!("{} in a row win", self.win_length);
        vec!["Open lines".into(), join_texts(Side::map_both(open), "   "), aim]
    }

    fn side_panel_help(&self) -> Option<&'static str> {
        (self.size >= 4).then_some("Open lines: the winning lines that a side can still complete.")
    }

    /// Explains the mark on the winning line, the only mark on boards of this game.
    fn legend(&self, _: GlyphSet) -> Vec<Text> {
        self.winning_line().map(|_| "* winning line".into()).into_iter().collect()
    }

    fn legend_sign_roles(&self, _: GlyphSet) -> Vec<(char, PaintRole)> {
        Side::BOTH.map(|side| ('*', PaintRole::for_winning_piece(side))).to_vec()
    }

    fn board_sizes(&self) -> Vec<(usize, usize)> {
        TicTacToeDensity::all_densities().map(|density| density.canvas_size(self.size)).collect()
    }

    fn scene(&self, look: &PaintOptions<'_>) -> Scene {
        scene::build_tictactoe_scene(self, look)
    }

    /// Draws the board with row 1 at the top, letters in or above the upper border and numbers on the left.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let density = TicTacToeDensity::numbered(look.density);
        let (width, height) = density.canvas_size(self.size);
        let won = self.winning_line().unwrap_or(0);
        let canvas = Canvas::new(width, height);
        let mut painter = TicTacToePainter { game: self, glyphs: look.glyphs, density, won, canvas };
        painter.draw_grid_lines();
        painter.draw_labels();
        painter.register_cells();
        painter.draw_marks();
        painter.fill_winning_cells();
        painter.draw_brackets(look);
        painter.canvas
    }
}
