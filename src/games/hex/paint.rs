//! The board as a picture, compact and roomy. Knows the rules' board and the canvas, no terminal.

use super::{Cell, Hex, Move, scene};
use crate::board::names::letter;
use crate::canvas::{Canvas, Glyphs, Paint, PaintOptions, Role};
use crate::drawing::Scene;
use crate::game::{BySide, Game, Notation, Outcome, Side, View};
use crate::text;
use crate::text::{Text, join, of_side};

/// The characters of one set.
struct HexSigns {
    stones: BySide<char>,
    won: BySide<char>,
    /// The stones of the large board, row by row, five columns wide.
    large: BySide<[&'static str; 3]>,
    empty: char,
    /// Of each side: the cells of its safe links, and those of its way.
    links: BySide<char>,
    ways: BySide<char>,
    /// A cell that is of both sides' links or ways.
    both: char,
    /// The edges of the compact board: First's run, Second's slope.
    run: char,
    slope: char,
    /// The lines of the roomy board: upright, rising, falling.
    upright: char,
    rising: char,
    falling: char,
}

const UNICODE: HexSigns = HexSigns {
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

const NARROW: HexSigns = HexSigns {
    stones: BySide::new('⬤', 'O'),
    won: BySide::new('◉', '@'),
    large: BySide::new([" \\ / ", "  ⬤  ", " / \\ "], ASCII.large.second),
    empty: '∙',
    ways: BySide::new('▪', '▫'),
    both: '◊',
    ..ASCII
};

const ASCII: HexSigns = HexSigns {
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
    fn of(glyphs: Glyphs) -> &'static HexSigns {
        glyphs.pick([&UNICODE, &NARROW, &ASCII])
    }
}

/// Layout of the board. All layouts have numbers in the first two columns of the first row. The large one is the roomy
/// one with cells twice as wide, whose slanted edges have two rows.
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
enum Density {
    Compact,
    Roomy,
    Large,
}

impl Density {
    const ALL: [Density; 3] = [Density::Compact, Density::Roomy, Density::Large];

    /// The rows of a slanted edge; a cell with lines around it is four times as wide.
    fn edge(self) -> usize {
        if self == Density::Large { 2 } else { 1 }
    }

    /// Rows from one row of cells with lines around them to the next.
    fn pitch(self) -> usize {
        self.edge() + 1
    }

    /// The column of the upright line that begins a row of cells with lines around them.
    fn left(self, row: usize) -> usize {
        3 + 2 * self.edge() * row
    }

    fn size(self, n: usize) -> (usize, usize) {
        let (digits, edge) = (if n < 10 { 1 } else { 2 }, self.edge());
        match self {
            Density::Compact => (3 * n + 6 + digits, n + 4),
            _ => (6 * edge * n + 5 - 2 * edge + digits, self.pitch() * n + edge + 2),
        }
    }

    /// The place of a cell's stone.
    fn centre(self, (row, col): (usize, usize)) -> (usize, usize) {
        let edge = self.edge();
        match self {
            Density::Compact => (5 + row + 2 * col, 2 + row),
            _ => (self.left(row) + 2 * edge * (2 * col + 1), 1 + edge + self.pitch() * row),
        }
    }

    /// Returns the distances, in columns, of the marks to the left and to the right of a stone.
    fn beside(self) -> [usize; 2] {
        if self == Density::Large { [3, 3] } else { [1, 1] }
    }
}

impl Paint for Hex {
    fn board_sizes(&self) -> Vec<(usize, usize)> {
        Density::ALL.map(|density| density.size(self.size())).to_vec()
    }

    fn piece_glyph(&self, side: Side, glyphs: Glyphs) -> Option<char> {
        Some(HexSigns::of(glyphs).stones[side])
    }

    fn path_overlay_label(&self, glyphs: Glyphs) -> Option<Text> {
        let HexSigns { links, ways, both, .. } = HexSigns::of(glyphs);
        let of = |signs: &BySide<char>| Side::each(|side| text!("{} {}", signs[side], self.side_name(side)));
        let [links, ways] = [links, ways].map(|signs| join(of(signs), ", "));
        Some(text!("Bridges {links}; still needed {ways}, {both} both"))
    }

    fn turns(&self) -> bool {
        true
    }

    fn legend(&self, glyphs: Glyphs) -> Vec<Text> {
        let HexSigns { stones, won, links, ways, both, .. } = HexSigns::of(glyphs);
        let [[link, way], [other_link, other_way]] = Side::each(|side| [links[side], ways[side]]);
        let [red, blue] = Side::each(|side| self.side_name(side));
        vec![
            text!("{}", of_side(Side::First, format!("{} {red}, top to bottom", stones[Side::First]))),
            text!("{}", of_side(Side::Second, format!("{} {blue}, left to right", stones[Side::Second]))),
            text!("{} {} winning chain", won[Side::First], won[Side::Second]),
            text!("{link} {other_link} bridges"),
            text!("{way} {other_way} still needed  {both} by both"),
            "! save bridge".into(),
        ]
    }

    fn legend_signs(&self, glyphs: Glyphs) -> Vec<(char, Role)> {
        let HexSigns { won, links, ways, both, .. } = HexSigns::of(glyphs);
        let of_side = |side: Side| {
            [(won[side], Role::won(side)), (links[side], Role::of(side)), (ways[side], Role::of(side))]
        };
        let of_both = [(*both, Role::Path), ('!', Role::Path)];
        Side::each(of_side).concat().into_iter().chain(of_both).collect()
    }

    /// Returns the stones that each side still needs; a bridge counts as joined.
    fn side_panel(&self, glyphs: Glyphs, room: usize) -> Vec<Text> {
        let [long, short] = ["Stones needed to join edges", "Stones still needed"];
        let heading = if long.len() < room { long } else { short };
        let stones = HexSigns::of(glyphs).stones;
        let needs = |side: Side| {
            let needed =
                self.stones_to_go(side).map_or_else(|| "cut off".to_owned(), |needed| needed.to_string());
            of_side(side, format!("{} {} {needed}", stones[side], self.side_name(side)))
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
        scene::scene(self, look, overlay(self, look), |text| marked(self, text))
    }

    /// The stones of a chain that has won need no sign: their tiles tell.
    fn tile_legend(&self) -> Vec<Text> {
        let mut lines = self.legend(Glyphs::Unicode);
        lines.retain(|line| !line.contains("winning chain"));
        lines
    }

    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let density = Density::ALL[look.density.min(Density::ALL.len() - 1)];
        let (width, height) = density.size(self.size());
        let canvas = Canvas::new(width, height);
        let (signs, turned) = (HexSigns::of(look.glyphs), look.turned);
        let mut painter = HexPainter { game: self, signs, density, turned, canvas };
        match density {
            Density::Compact => painter.compact_frame(),
            _ => painter.lined_frame(),
        }
        painter.spots();
        painter.stones();
        for (cell, sign, role) in overlay(self, look) {
            let (x, y) = painter.centre(cell);
            painter.canvas.put(x, y, sign, role);
        }
        painter.marks(look);
        painter.widen_chain();
        painter.canvas
    }
}

struct HexPainter<'a> {
    game: &'a Hex,
    signs: &'static HexSigns,
    density: Density,
    turned: bool,
    canvas: Canvas,
}

impl HexPainter<'_> {
    fn centre(&self, cell: Cell) -> (usize, usize) {
        let cell = if self.turned { self.game.grid().turned(cell) } else { cell };
        self.density.centre(self.game.grid().place(cell))
    }

    /// The row or column that is drawn as the `i`th.
    fn seen(&self, i: usize) -> usize {
        if self.turned { self.game.size() - 1 - i } else { i }
    }

    /// A character of the frame that names an edge's owner.
    fn owner(&mut self, x: usize, y: usize, side: Side) {
        self.canvas.put(x, y, self.signs.stones[side], Role::of(side));
    }

    /// The numbers of a row, left of `left` and from `right` on.
    fn numbers(&mut self, row: usize, y: usize, left: usize, right: usize) {
        let number = (self.seen(row) + 1).to_string();
        self.canvas.text_ending_at(left, y, &number, Role::Label);
        self.canvas.text(right, y, &number, Role::Label);
    }

    fn compact_frame(&mut self) {
        let n = self.game.size();
        let run: String = vec![self.signs.run; n - 1].into_iter().collect();
        for (x, y) in [(3, 1), (n + 4, n + 2)] {
            self.canvas.text(x, y, &run, Role::of(Side::First));
            self.owner(x + n, y, Side::First);
            self.canvas.text(x + n + 2, y, &run, Role::of(Side::First));
        }
        for i in 0..n {
            let name = letter(self.seen(i));
            self.canvas.put(4 + 2 * i, 0, name, Role::Label);
            self.canvas.put(5 + n + 2 * i, n + 3, name, Role::Label);
            let (x, y) = self.density.centre((i, 0));
            self.numbers(i, y, x - 4, x + 2 * n + 2);
            for x in [x - 2, x + 2 * n] {
                if i == n / 2 {
                    self.owner(x, y, Side::Second);
                } else {
                    self.canvas.put(x, y, self.signs.slope, Role::of(Side::Second));
                }
            }
        }
    }

    /// Lines around the cells.
    fn lined_frame(&mut self) {
        let (n, edge) = (self.game.size(), self.density.edge());
        for row in 0..=n {
            self.slanted_lines(row);
            if row == n {
                break;
            }
            let (left, y) = (self.density.left(row), self.density.centre((row, 0)).1);
            for col in 0..=n {
                let role = if col == 0 || col == n { Role::of(Side::Second) } else { Role::Frame };
                self.canvas.put(left + 4 * edge * col, y, self.signs.upright, role);
            }
            self.numbers(row, y, left - 2, left + 4 * edge * n + 2);
        }
        let (bottom, last) = (self.density.pitch() * n + edge, n - 1);
        for col in 0..n {
            let name = letter(self.seen(col));
            self.canvas.put(self.density.centre((0, col)).0, 0, name, Role::Label);
            self.canvas.put(self.density.centre((last, col)).0, bottom + 1, name, Role::Label);
        }
        let half = n / 2;
        self.owner(self.density.centre((0, half)).0, 1, Side::First);
        self.owner(self.density.centre((last, half)).0, bottom, Side::First);
        let (left, y) = (self.density.left(half), self.density.centre((half, 0)).1);
        for x in [left, left + 4 * edge * n] {
            self.owner(x, y, Side::Second);
        }
    }

    /// The lines above a row of cells, or below the last one.
    fn slanted_lines(&mut self, row: usize) {
        let (n, edge, left) = (self.game.size(), self.density.edge(), self.density.left(row));
        let HexSigns { rising, falling, .. } = *self.signs;
        let is_edge = row == 0 || row == n;
        let role = if is_edge { Role::of(Side::First) } else { Role::Frame };
        for line in 0..edge {
            let y = 1 + self.density.pitch() * row + line;
            // From a cell's left corner its line rises, and falls to the right one; below the last row it is the other
            // way round.
            let up = 2 * (edge - line) - 1;
            for col in 0..n {
                let corner = left + 4 * edge * col;
                let behind = if row < n { corner + 4 * edge - up } else { corner - up };
                // Behind the last cell there is the right edge, between its upright parts.
                let last = if col + 1 == n && !is_edge { Role::of(Side::Second) } else { role };
                self.canvas.put(corner + up, y, rising, role);
                self.canvas.put(behind, y, falling, last);
            }
            if row > 0 && row < n {
                self.canvas.put(left - up, y, falling, Role::of(Side::Second));
            }
        }
    }

    /// Names the cells and gives them their places. While the only stone may be taken over, its cell means that.
    fn spots(&mut self) {
        let game = self.game;
        for cell in game.grid().cells() {
            let (x, y) = self.centre(cell);
            let is_swap = game.can_swap() && game.stone(cell).is_some();
            let spot = self.canvas.spot(x, y, game.show(if is_swap { Move::Swap } else { cell.into() }));
            match self.density {
                Density::Compact => self.canvas.own(x, y, 2, 1, spot),
                Density::Roomy => self.canvas.own(x - 1, y, 3, 1, spot),
                Density::Large => {
                    self.canvas.own(x - 2, y - 1, 5, 3, spot);
                    self.canvas.own(x - 3, y, 7, 1, spot);
                }
            }
        }
        if self.density != Density::Compact {
            self.shared_places();
        }
    }

    /// Gives the lines between cells to the nearest cell: of equally near ones to that of the lower row, then of the
    /// lower column.
    fn shared_places(&mut self) {
        for y in 1..=self.density.pitch() * self.game.size() + self.density.edge() {
            for x in 0..self.canvas.width() {
                if self.canvas.hit(x, y).is_none() && self.is_line(x, y) {
                    let (drawn, last) = (self.nearest(x, y), self.game.grid().len() - 1);
                    let index = if self.turned { last - drawn } else { drawn };
                    let number = u16::try_from(index).expect("at most 676 cells");
                    self.canvas.own(x, y, 1, 1, number); // Spots are numbered as cells are.
                }
            }
        }
    }

    /// The index of the cell whose stone is nearest to a place of a board with lines, a row counting twice.
    fn nearest(&self, x: usize, y: usize) -> usize {
        let n = self.game.size();
        let near = |row: usize, col: usize| {
            let (cx, cy) = self.density.centre((row, col));
            (cx.abs_diff(x) + 2 * cy.abs_diff(y), row * n + col)
        };
        let (_, first) = self.density.centre((0, 0));
        let above = y.saturating_sub(first) / self.density.pitch();
        let places = [above, above + 1].map(|row| row.min(n - 1)).into_iter().flat_map(|row| {
            let (first, _) = self.density.centre((row, 0));
            let col = x.saturating_sub(first) / (4 * self.density.edge());
            [col, col + 1].map(|col| near(row, col.min(n - 1)))
        });
        places.min().map_or(0, |(_, index)| index)
    }

    /// Reports whether a place of a board with lines lies on one, between cells or around them.
    fn is_line(&self, x: usize, y: usize) -> bool {
        let (n, edge) = (self.game.size(), self.density.edge());
        let (row, line) = ((y - 1) / self.density.pitch(), (y - 1) % self.density.pitch());
        let left = self.density.left(row);
        if line == edge {
            return (left..=left + 4 * edge * n).contains(&x);
        }
        let up = 2 * (edge - line) - 1;
        let from = if row == 0 { left + up } else { left - up };
        let to = left + 4 * edge * if row == n { n - 1 } else { n };
        (from..=if row == n { to + up } else { to - up }).contains(&x)
    }

    fn stones(&mut self) {
        let chain = self.game.winning_chain();
        for cell in self.game.grid().cells() {
            let (x, y) = self.centre(cell);
            let (glyph, role) = match self.game.stone(cell) {
                None if self.density == Density::Compact => (self.signs.empty, Role::Plain),
                None => (' ', Role::Plain),
                Some(side) if chain.contains(&cell) => (self.signs.won[side], Role::won(side)),
                Some(side) => (self.signs.stones[side], Role::of(side)),
            };
            if let (Density::Large, Some(side)) = (self.density, self.game.stone(cell)) {
                self.large_stone(x, y, side, role);
                if role != Role::won(side) {
                    continue;
                }
            }
            self.canvas.put(x, y, glyph, role);
        }
    }

    /// A stone that fills its large cell. One of the winning chain is a field of its colour.
    fn large_stone(&mut self, x: usize, y: usize, side: Side, role: Role) {
        for (text, row) in self.signs.large[side].iter().zip(y - 1..) {
            for (glyph, column) in text.chars().zip(x - 2..) {
                let is_middle = (column, row) == (x, y);
                let is_in_field = row == y || column.abs_diff(x) < 2;
                if role == Role::won(side) && is_in_field {
                    self.canvas.put(column, row, ' ', role);
                } else if glyph != ' ' || is_middle {
                    self.canvas.put(column, row, glyph, role);
                }
            }
        }
    }

    /// Signs on both sides of cells.
    fn marks(&mut self, look: &PaintOptions<'_>) {
        let pairs = look.brackets(|text| Some(self.centre(marked(self.game, text)?)));
        self.canvas.brackets(&pairs, self.density.beside());
    }

    /// The columns beside the stones of the winning chain look like the stones; the last move's brackets stay.
    fn widen_chain(&mut self) {
        for cell in self.game.winning_chain() {
            let (x, y) = self.centre(cell);
            let role = self.canvas.at(x, y).1;
            for x in [x - 1, x + 1] {
                if matches!(self.canvas.at(x, y).1, Role::Plain | Role::Last) {
                    self.canvas.set_role(x, y, role);
                }
            }
        }
    }
}

/// The cell that a move's text marks: a swap marks the only stone.
fn marked(game: &Hex, text: &str) -> Option<Cell> {
    match game.parse(text).ok()? {
        Move::Place(cell) => Some(cell),
        Move::Swap => game.first_stone(),
    }
}

/// The signs of cells: those of both sides' safe links and shortest paths, if they are wanted, and the cells that mend a link
/// which the last move has entered.
fn overlay(game: &Hex, look: &PaintOptions<'_>) -> Vec<(Cell, char, Role)> {
    let signs = HexSigns::of(look.glyphs);
    let mut seen: Vec<[Option<char>; 2]> = vec![[None; 2]; game.grid().len()];
    for side in Side::BOTH.into_iter().filter(|_| look.ways) {
        let links = game.safe_links(side).into_iter().map(|cell| (cell, signs.links[side]));
        let way = game.shortest_way(side).into_iter().map(|cell| (cell, signs.ways[side]));
        for (cell, sign) in links.chain(way) {
            seen[cell.index()][side.index()] = Some(sign);
        }
    }
    let of_paths = game.grid().cells().zip(seen).filter_map(|(cell, of_sides)| match of_sides {
        [None, None] => None,
        [Some(sign), None] => Some((cell, sign, Role::First)),
        [None, Some(sign)] => Some((cell, sign, Role::Second)),
        [Some(_), Some(_)] => Some((cell, signs.both, Role::Path)),
    });
    let is_won = game.outcome().and_then(Outcome::winner).is_some();
    let entered = look.last.filter(|_| !is_won).and_then(|text| marked(game, text));
    let cut = entered.into_iter().flat_map(|cell| game.cut_links(cell)).map(|cell| (cell, '!', Role::Path));
    of_paths.chain(cut).collect()
}
