//! Text rendering of the board in three layouts. This module depends on the board and the canvas, not on the
//! terminal.

use super::{Cell, Hex, Move, scene};
use crate::board::names::column_letter;
use crate::canvas::{Canvas, GlyphSet, PaintBoard, PaintOptions, PaintRole};
use crate::drawing::Scene;
use crate::game::{BySide, Game, Notation, Outcome, PositionDescription, Side};
use crate::text;
use crate::text::{Text, join_texts, mark_side};

/// Characters of one glyph set.
struct HexSigns {
    stones: BySide<char>,
    won: BySide<char>,
    /// Stones of the large layout, row by row, five columns wide.
    large: BySide<[&'static str; 3]>,
    empty: char,
    /// Sign of the cells of a side's safe connections.
    links: BySide<char>,
    /// Sign of the cells on which a side still needs stones.
    ways: BySide<char>,
    /// Sign of a cell that carries marks of both sides.
    both: char,
    /// Character of First's horizontal edges in the compact layout.
    run: char,
    /// Character of Second's slanted edges in the compact layout.
    slope: char,
    /// Vertical grid line.
    upright: char,
    /// Rising grid line.
    rising: char,
    /// Falling grid line.
    falling: char,
}

const UNICODE_HEX_SIGNS: HexSigns = HexSigns {
    stones: BySide::new('●', '○'),
    won: BySide::new('◉', '◎'),
    large: BySide::new([" ▄▄▄ ", "█████", " ▀▀▀ "], [" ▄▄▄ ", "█   █", " ▀▀▀ "]),
    empty: '·',
    links: BySide::new('+', '-'),
    ways: BySide::new('•', '◦'),
    both: '◊',
    run: '═',
    slope: '╲',
    upright: '│',
    rising: '╱',
    falling: '╲',
};

const NARROW_HEX_SIGNS: HexSigns = HexSigns {
    stones: BySide::new('⬤', 'O'),
    won: BySide::new('◉', '@'),
    large: BySide::new([" \\ / ", "  ⬤  ", " / \\ "], ASCII_HEX_SIGNS.large.second),
    empty: '∙',
    ways: BySide::new('▪', '▫'),
    both: '◊',
    ..ASCII_HEX_SIGNS
};

const ASCII_HEX_SIGNS: HexSigns = HexSigns {
    stones: BySide::new('X', 'O'),
    won: BySide::new('#', '@'),
    large: BySide::new([" \\ / ", "  X  ", " / \\ "], [" .-. ", "  O  ", " '-' "]),
    empty: '.',
    links: BySide::new('+', '-'),
    ways: BySide::new('r', 'b'),
    both: '&',
    run: '=',
    slope: '\\',
    upright: '|',
    rising: '/',
    falling: '\\',
};

impl HexSigns {
    fn for_glyphs(glyphs: GlyphSet) -> &'static HexSigns {
        glyphs.pick_variant([&UNICODE_HEX_SIGNS, &NARROW_HEX_SIGNS, &ASCII_HEX_SIGNS])
    }
}

/// Layout of the board: compact (left) or roomy (right). The large layout resembles the roomy one, with cells
/// twice as wide and slanted edges two rows high.
///
/// ```text
///     a b c            a   b   c
///    == X ==          / \ /X\ / \
///  1 \ . . . \ 1   1 |   |   |   | 1
///   2 O . . . O 2     \ / \ / \ / \
///    3 \ . . . \ 3   2 O   |   |   O 2
///        == X ==
///         a b c
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
enum HexDensity {
    Compact,
    Roomy,
    Large,
}

impl HexDensity {
    const ALL: [HexDensity; 3] = [HexDensity::Compact, HexDensity::Roomy, HexDensity::Large];

    /// Returns the height of a slanted grid line, in rows. A cell with grid lines is four times as many
    /// columns wide.
    fn slanted_edge_rows(self) -> usize {
        if self == HexDensity::Large { 2 } else { 1 }
    }

    /// Returns the number of text rows from one row of cells to the next, in layouts with grid lines.
    fn row_pitch(self) -> usize {
        self.slanted_edge_rows() + 1
    }

    /// Returns the column of the vertical line before a row of cells, in layouts with grid lines.
    fn row_left_column(self, row: usize) -> usize {
        3 + 2 * self.slanted_edge_rows() * row
    }

    fn canvas_size(self, n: usize) -> (usize, usize) {
        let (digits, edge) = (if n < 10 { 1 } else { 2 }, self.slanted_edge_rows());
        match self {
            HexDensity::Compact => (3 * n + 6 + digits, n + 4),
            _ => (6 * edge * n + 5 - 2 * edge + digits, self.row_pitch() * n + edge + 2),
        }
    }

    /// Returns the column and the row of a cell's stone.
    fn cell_centre(self, (row, col): (usize, usize)) -> (usize, usize) {
        let edge = self.slanted_edge_rows();
        match self {
            HexDensity::Compact => (5 + row + 2 * col, 2 + row),
            _ => (self.row_left_column(row) + 2 * edge * (2 * col + 1), 1 + edge + self.row_pitch() * row),
        }
    }

    /// Returns the distances, in columns, of the brackets left and right of a stone.
    fn bracket_offsets(self) -> [usize; 2] {
        if self == HexDensity::Large { [3, 3] } else { [1, 1] }
    }
}

impl PaintBoard for Hex {
    fn board_sizes(&self) -> Vec<(usize, usize)> {
        HexDensity::ALL.map(|density| density.canvas_size(self.size())).to_vec()
    }

    fn piece_glyph(&self, side: Side, glyphs: GlyphSet) -> Option<char> {
        Some(HexSigns::for_glyphs(glyphs).stones[side])
    }

    fn path_overlay_label(&self, glyphs: GlyphSet) -> Option<Text> {
        let HexSigns { links, ways, both, .. } = HexSigns::for_glyphs(glyphs);
        let of =
            |signs: &BySide<char>| Side::map_both(|side| text!("{} {}", signs[side], self.side_name(side)));
        let [links, ways] = [links, ways].map(|signs| join_texts(of(signs), ", "));
        Some(text!("Bridges {links}; still needed {ways}, {both} both"))
    }

    fn can_flip(&self) -> bool {
        true
    }

    fn legend(&self, glyphs: GlyphSet) -> Vec<Text> {
        let HexSigns { stones, won, links, ways, both, .. } = HexSigns::for_glyphs(glyphs);
        let [[link, way], [other_link, other_way]] = Side::map_both(|side| [links[side], ways[side]]);
        let [red, blue] = Side::map_both(|side| self.side_name(side));
        vec![
            text!("{}", mark_side(Side::First, format!("{} {red}, top to bottom", stones[Side::First]))),
            text!("{}", mark_side(Side::Second, format!("{} {blue}, left to right", stones[Side::Second]))),
            text!("{} {} winning chain", won[Side::First], won[Side::Second]),
            text!("{link} {other_link} bridges"),
            text!("{way} {other_way} still needed  {both} by both"),
            "! save bridge".into(),
        ]
    }

    fn legend_sign_roles(&self, glyphs: GlyphSet) -> Vec<(char, PaintRole)> {
        let HexSigns { won, links, ways, both, .. } = HexSigns::for_glyphs(glyphs);
        let of_side = |side: Side| {
            [
                (won[side], PaintRole::for_winning_piece(side)),
                (links[side], PaintRole::for_piece(side)),
                (ways[side], PaintRole::for_piece(side)),
            ]
        };
        let of_both = [(*both, PaintRole::Path), ('!', PaintRole::Path)];
        Side::map_both(of_side).concat().into_iter().chain(of_both).collect()
    }

    /// Returns the number of stones that each side still needs, with bridges counted as joined.
    fn side_panel(&self, glyphs: GlyphSet, room: usize) -> Vec<Text> {
        let [long, short] = ["Stones needed to join edges", "Stones still needed"];
        let heading = if long.len() < room { long } else { short };
        let stones = HexSigns::for_glyphs(glyphs).stones;
        let needs = |side: Side| {
            let needed = self
                .stones_needed_with_bridges(side)
                .map_or_else(|| "cut off".to_owned(), |needed| needed.to_string());
            mark_side(side, format!("{} {} {needed}", stones[side], self.side_name(side)))
        };
        vec![heading.into(), text!("{}   {}", needs(Side::First), needs(Side::Second))]
    }

    fn side_panel_help(&self) -> Option<&'static str> {
        Some(
            "A bridge joins two stones, or a stone and an edge, in two ways: if one is attacked, the other remains. \
             In the number of stones still needed, bridges count as joined.",
        )
    }

    fn scene(&self, look: &PaintOptions<'_>) -> Scene {
        scene::build_hex_scene(self, look, list_overlay_signs(self, look), |text| {
            cell_of_move_text(self, text)
        })
    }

    /// Returns the legend without the entry for the winning chain, which is coloured on the tiles.
    fn tile_legend(&self) -> Vec<Text> {
        let mut lines = self.legend(GlyphSet::Unicode);
        lines.retain(|line| !line.contains("winning chain"));
        lines
    }

    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let density = HexDensity::ALL[look.density.min(HexDensity::ALL.len() - 1)];
        let (width, height) = density.canvas_size(self.size());
        let canvas = Canvas::new(width, height);
        let (signs, turned) = (HexSigns::for_glyphs(look.glyphs), look.turned);
        let mut painter = HexPainter { game: self, signs, density, turned, canvas };
        match density {
            HexDensity::Compact => painter.draw_compact_frame(),
            _ => painter.draw_lined_frame(),
        }
        painter.register_cells();
        painter.draw_stones();
        for (cell, sign, role) in list_overlay_signs(self, look) {
            let (x, y) = painter.cell_centre(cell);
            painter.canvas.put_glyph(x, y, sign, role);
        }
        painter.draw_brackets(look);
        painter.widen_winning_chain();
        painter.canvas
    }
}

struct HexPainter<'a> {
    game: &'a Hex,
    signs: &'static HexSigns,
    density: HexDensity,
    turned: bool,
    canvas: Canvas,
}

impl HexPainter<'_> {
    fn cell_centre(&self, cell: Cell) -> (usize, usize) {
        let cell = if self.turned { self.game.grid().rotated_180(cell) } else { cell };
        self.density.cell_centre(self.game.grid().coordinates(cell))
    }

    /// Returns the row or column that is drawn at index `i`.
    fn displayed_index(&self, i: usize) -> usize {
        if self.turned { self.game.size() - 1 - i } else { i }
    }

    /// Draws a stone into the frame that shows which side owns the edge.
    fn draw_edge_owner(&mut self, x: usize, y: usize, side: Side) {
        self.canvas.put_glyph(x, y, self.signs.stones[side], PaintRole::for_piece(side));
    }

    /// Draws the number of a row on both sides of the board. It ends in column `left` and starts in column
    /// `right`.
    fn draw_row_numbers(&mut self, row: usize, y: usize, left: usize, right: usize) {
        let number = (self.displayed_index(row) + 1).to_string();
        self.canvas.write_text_ending_at(left, y, &number, PaintRole::Label);
        self.canvas.write_text(right, y, &number, PaintRole::Label);
    }

    fn draw_compact_frame(&mut self) {
        let n = self.game.size();
        let run: String = vec![self.signs.run; n - 1].into_iter().collect();
        for (x, y) in [(3, 1), (n + 4, n + 2)] {
            self.canvas.write_text(x, y, &run, PaintRole::for_piece(Side::First));
            self.draw_edge_owner(x + n, y, Side::First);
            self.canvas.write_text(x + n + 2, y, &run, PaintRole::for_piece(Side::First));
        }
        for i in 0..n {
            let name = column_letter(self.displayed_index(i));
            self.canvas.put_glyph(4 + 2 * i, 0, name, PaintRole::Label);
            self.canvas.put_glyph(5 + n + 2 * i, n + 3, name, PaintRole::Label);
            let (x, y) = self.density.cell_centre((i, 0));
            self.draw_row_numbers(i, y, x - 4, x + 2 * n + 2);
            for x in [x - 2, x + 2 * n] {
                if i == n / 2 {
                    self.draw_edge_owner(x, y, Side::Second);
                } else {
                    self.canvas.put_glyph(x, y, self.signs.slope, PaintRole::for_piece(Side::Second));
                }
            }
        }
    }

    /// Draws the grid lines around the cells.
    fn draw_lined_frame(&mut self) {
        let (n, edge) = (self.game.size(), self.density.slanted_edge_rows());
        for row in 0..=n {
            self.draw_slanted_lines(row);
            if row == n {
                break;
            }
            let (left, y) = (self.density.row_left_column(row), self.density.cell_centre((row, 0)).1);
            for col in 0..=n {
                let role =
                    if col == 0 || col == n { PaintRole::for_piece(Side::Second) } else { PaintRole::Frame };
                self.canvas.put_glyph(left + 4 * edge * col, y, self.signs.upright, role);
            }
            self.draw_row_numbers(row, y, left - 2, left + 4 * edge * n + 2);
        }
        let (bottom, last) = (self.density.row_pitch() * n + edge, n - 1);
        for col in 0..n {
            let name = column_letter(self.displayed_index(col));
            self.canvas.put_glyph(self.density.cell_centre((0, col)).0, 0, name, PaintRole::Label);
            self.canvas.put_glyph(
                self.density.cell_centre((last, col)).0,
                bottom + 1,
                name,
                PaintRole::Label,
            );
        }
        let half = n / 2;
        self.draw_edge_owner(self.density.cell_centre((0, half)).0, 1, Side::First);
        self.draw_edge_owner(self.density.cell_centre((last, half)).0, bottom, Side::First);
        let (left, y) = (self.density.row_left_column(half), self.density.cell_centre((half, 0)).1);
        for x in [left, left + 4 * edge * n] {
            self.draw_edge_owner(x, y, Side::Second);
        }
    }

    /// Draws the slanted lines above a row of cells, or below the last row.
    fn draw_slanted_lines(&mut self, row: usize) {
        let (n, edge, left) =
            (self.game.size(), self.density.slanted_edge_rows(), self.density.row_left_column(row));
        let HexSigns { rising, falling, .. } = *self.signs;
        let is_edge = row == 0 || row == n;
        let role = if is_edge { PaintRole::for_piece(Side::First) } else { PaintRole::Frame };
        for line in 0..edge {
            let y = 1 + self.density.row_pitch() * row + line;
            // The line rises from a cell's left corner and falls to its right one. Below the last row it is
            // the other way round.
            let up = 2 * (edge - line) - 1;
            for col in 0..n {
                let corner = left + 4 * edge * col;
                let behind = if row < n { corner + 4 * edge - up } else { corner - up };
                // The line after the last cell belongs to the right edge.
                let last = if col + 1 == n && !is_edge { PaintRole::for_piece(Side::Second) } else { role };
                self.canvas.put_glyph(corner + up, y, rising, role);
                self.canvas.put_glyph(behind, y, falling, last);
            }
            if row > 0 && row < n {
                self.canvas.put_glyph(left - up, y, falling, PaintRole::for_piece(Side::Second));
            }
        }
    }

    /// Registers the cells and their hit areas. If a swap is legal, the spot of the only stone selects the
    /// swap.
    fn register_cells(&mut self) {
        let game = self.game;
        for cell in game.grid().cells() {
            let (x, y) = self.cell_centre(cell);
            let is_swap = game.can_swap() && game.stone_at(cell).is_some();
            let spot =
                self.canvas.add_spot(x, y, game.format_move(if is_swap { Move::Swap } else { cell.into() }));
            match self.density {
                HexDensity::Compact => self.canvas.assign_hit_area(x, y, 2, 1, spot),
                HexDensity::Roomy => self.canvas.assign_hit_area(x - 1, y, 3, 1, spot),
                HexDensity::Large => {
                    self.canvas.assign_hit_area(x - 2, y - 1, 5, 3, spot);
                    self.canvas.assign_hit_area(x - 3, y, 7, 1, spot);
                }
            }
        }
        if self.density != HexDensity::Compact {
            self.register_lines();
        }
    }

    /// Assigns the lines between cells to the nearest cell. Ties go to the lower row, then to the lower
    /// column.
    fn register_lines(&mut self) {
        for y in 1..=self.density.row_pitch() * self.game.size() + self.density.slanted_edge_rows() {
            for x in 0..self.canvas.width() {
                if self.canvas.move_at(x, y).is_none() && self.is_on_grid_line(x, y) {
                    let (drawn, last) = (self.nearest_cell_index(x, y), self.game.grid().len() - 1);
                    let index = if self.turned { last - drawn } else { drawn };
                    let number = u16::try_from(index).expect("at most 676 cells");
                    self.canvas.assign_hit_area(x, y, 1, 1, number); // Spots have the numbers of their cells.
                }
            }
        }
    }

    /// Returns the index of the cell whose stone is nearest to a character, in layouts with grid lines.
    /// Distances in rows count twice, because characters are higher than wide.
    fn nearest_cell_index(&self, x: usize, y: usize) -> usize {
        let n = self.game.size();
        let near = |row: usize, col: usize| {
            let (cx, cy) = self.density.cell_centre((row, col));
            (cx.abs_diff(x) + 2 * cy.abs_diff(y), row * n + col)
        };
        let (_, first) = self.density.cell_centre((0, 0));
        let above = y.saturating_sub(first) / self.density.row_pitch();
        let places = [above, above + 1].map(|row| row.min(n - 1)).into_iter().flat_map(|row| {
            let (first, _) = self.density.cell_centre((row, 0));
            let col = x.saturating_sub(first) / (4 * self.density.slanted_edge_rows());
            [col, col + 1].map(|col| near(row, col.min(n - 1)))
        });
        places.min().map_or(0, |(_, index)| index)
    }

    /// Reports whether a character lies on a grid line, in layouts with grid lines.
    fn is_on_grid_line(&self, x: usize, y: usize) -> bool {
        let (n, edge) = (self.game.size(), self.density.slanted_edge_rows());
        let (row, line) = ((y - 1) / self.density.row_pitch(), (y - 1) % self.density.row_pitch());
        let left = self.density.row_left_column(row);
        if line == edge {
            return (left..=left + 4 * edge * n).contains(&x);
        }
        let up = 2 * (edge - line) - 1;
        let from = if row == 0 { left + up } else { left - up };
        let to = left + 4 * edge * if row == n { n - 1 } else { n };
        (from..=if row == n { to + up } else { to - up }).contains(&x)
    }

    fn draw_stones(&mut self) {
        let chain = self.game.winning_chain();
        for cell in self.game.grid().cells() {
            let (x, y) = self.cell_centre(cell);
            let (glyph, role) = match self.game.stone_at(cell) {
                None if self.density == HexDensity::Compact => (self.signs.empty, PaintRole::Plain),
                None => (' ', PaintRole::Plain),
                Some(side) if chain.contains(&cell) => {
                    (self.signs.won[side], PaintRole::for_winning_piece(side))
                }
                Some(side) => (self.signs.stones[side], PaintRole::for_piece(side)),
            };
            if let (HexDensity::Large, Some(side)) = (self.density, self.game.stone_at(cell)) {
                self.draw_large_stone(x, y, side, role);
                if role != PaintRole::for_winning_piece(side) {
                    continue;
                }
            }
            self.canvas.put_glyph(x, y, glyph, role);
        }
    }

    /// Draws a stone that fills its large cell. A stone of the winning chain is a filled area.
    fn draw_large_stone(&mut self, x: usize, y: usize, side: Side, role: PaintRole) {
        for (text, row) in self.signs.large[side].iter().zip(y - 1..) {
            for (glyph, column) in text.chars().zip(x - 2..) {
                let is_middle = (column, row) == (x, y);
                let is_in_field = row == y || column.abs_diff(x) < 2;
                if role == PaintRole::for_winning_piece(side) && is_in_field {
                    self.canvas.put_glyph(column, row, ' ', role);
                } else if glyph != ' ' || is_middle {
                    self.canvas.put_glyph(column, row, glyph, role);
                }
            }
        }
    }

    /// Draws the brackets on both sides of marked cells.
    fn draw_brackets(&mut self, look: &PaintOptions<'_>) {
        let pairs = look.bracket_marks(|text| Some(self.cell_centre(cell_of_move_text(self.game, text)?)));
        self.canvas.draw_brackets(&pairs, self.density.bracket_offsets());
    }

    /// Extends the colour of the winning chain to the columns beside its stones, except for the brackets of
    /// the last move.
    fn widen_winning_chain(&mut self) {
        for cell in self.game.winning_chain() {
            let (x, y) = self.cell_centre(cell);
            let role = self.canvas.glyph_at(x, y).1;
            for x in [x - 1, x + 1] {
                if matches!(self.canvas.glyph_at(x, y).1, PaintRole::Plain | PaintRole::Last) {
                    self.canvas.set_role(x, y, role);
                }
            }
        }
    }
}

/// Returns the cell that a move's text refers to. A swap refers to the only stone.
fn cell_of_move_text(game: &Hex, text: &str) -> Option<Cell> {
    match game.parse(text).ok()? {
        Move::Place(cell) => Some(cell),
        Move::Swap => game.first_stone(),
    }
}

/// Returns the overlay signs with their cells: both sides' safe connections and shortest paths if they are
/// shown, and the cells that save a bridge on which the last move intrudes.
fn list_overlay_signs(game: &Hex, look: &PaintOptions<'_>) -> Vec<(Cell, char, PaintRole)> {
    let signs = HexSigns::for_glyphs(look.glyphs);
    let mut seen: Vec<[Option<char>; 2]> = vec![[None; 2]; game.grid().len()];
    for side in Side::BOTH.into_iter().filter(|_| look.ways) {
        let links = game.safe_connection_cells(side).into_iter().map(|cell| (cell, signs.links[side]));
        let way = game.bridged_path_cells(side).into_iter().map(|cell| (cell, signs.ways[side]));
        for (cell, sign) in links.chain(way) {
            seen[cell.index()][side.index()] = Some(sign);
        }
    }
    let of_paths = game.grid().cells().zip(seen).filter_map(|(cell, of_sides)| match of_sides {
        [None, None] => None,
        [Some(sign), None] => Some((cell, sign, PaintRole::First)),
        [None, Some(sign)] => Some((cell, sign, PaintRole::Second)),
        [Some(_), Some(_)] => Some((cell, signs.both, PaintRole::Path)),
    });
    let is_won = game.outcome().and_then(Outcome::winner).is_some();
    let entered = look.last.filter(|_| !is_won).and_then(|text| cell_of_move_text(game, text));
    let cut = entered
        .into_iter()
        .flat_map(|cell| game.bridge_saving_cells(cell))
        .map(|cell| (cell, '!', PaintRole::Path));
    of_paths.chain(cut).collect()
}
