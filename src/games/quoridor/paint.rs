//! The board as a picture. Knows the rules' board and the canvas, no terminal.

use std::cmp::Ordering;

use super::moves::{Cell, Move, MoveKind, Orientation, Wall};
use super::{Quoridor, Side, scene};
use crate::board::names::letter;
use crate::canvas::{Canvas, Glyphs, Hue, Paint, PaintOptions, Role};
use crate::drawing::{Scene, Texture};
use crate::game::{BySide, Game, Notation, Outcome, View};
use crate::text;
use crate::text::{Text, join, of_side};

/// The characters of one set.
struct QuoridorSigns {
    pawns: BySide<char>,
    /// Characters of a large pawn: its tip, the left slope, between, the right slope.
    large: BySide<[char; 4]>,
    /// Of each side: across, upright.
    walls: BySide<[char; 2]>,
    last_wall: char,
    /// Across, upright, centre.
    allowed: [char; 3],
    refused: [char; 3],
    crossing: char,
    /// On the way of First, of Second, of both.
    ways: [char; 3],
    step: char,
    /// Horizontal, vertical, and the corners in reading order.
    frame: [char; 6],
}

const UNICODE: QuoridorSigns = QuoridorSigns {
    pawns: BySide::new('▲', '▼'),
    large: BySide::new(['▄', '▟', '█', '▙'], ['▀', '▜', '█', '▛']),
    walls: BySide::new(['━', '┃'], ['═', '║']),
    last_wall: '◆',
    allowed: ['╍', '╏', '╋'],
    refused: ['┄', '┆', '╳'],
    crossing: '·',
    ways: ['▵', '▿', '◊'],
    step: '∘',
    frame: ['─', '│', '┌', '┐', '└', '┘'],
};

const NARROW: QuoridorSigns = QuoridorSigns {
    pawns: BySide::new('▴', '▾'),
    large: BySide::new(['▴'; 4], ['▾'; 4]),
    crossing: '∙',
    ways: UNICODE.ways,
    step: '∘',
    ..ASCII
};

const ASCII: QuoridorSigns = QuoridorSigns {
    pawns: BySide::new('A', 'V'),
    large: BySide::new(['A'; 4], ['V'; 4]),
    walls: BySide::new(['#', '#'], ['=', 'H']),
    last_wall: '*',
    allowed: ['+', '+', '+'],
    refused: ['x', 'x', 'x'],
    crossing: '.',
    ways: ['w', 'b', '&'],
    step: 'o',
    frame: ['-', '|', '+', '+', '+', '+'],
};

impl QuoridorSigns {
    fn of(glyphs: Glyphs) -> &'static QuoridorSigns {
        glyphs.pick([&UNICODE, &NARROW, &ASCII])
    }
}

/// Layout of the board: cells of `across x down` characters with slots of one character between them.
///
/// ```text
///    ┌───────────┐     the frame's corner is (3, 0)
///  2 │   ┃       │     columns 0 and 1: row numbers
///    │   ·   ·   │
///  1 │   ┃       │
///    └───────────┘
///      a   b   c
/// ```
#[derive(Clone, Copy)]
struct CellGrid {
    files: usize,
    rows: usize,
    across: usize,
    down: usize,
}

const LEFT: usize = 3;
const CELL_SIZES: [(usize, usize); 5] = [(3, 1), (5, 2), (7, 3), (9, 4), (11, 5)];

impl CellGrid {
    fn of(game: &Quoridor, density: usize) -> Self {
        let (across, down) = CELL_SIZES[density.min(CELL_SIZES.len() - 1)];
        CellGrid { files: game.width(), rows: game.height(), across, down }
    }

    /// Characters inside the frame.
    fn inside(self) -> (usize, usize) {
        (self.files * (self.across + 1) - 1, self.rows * (self.down + 1) - 1)
    }

    fn size(self) -> (usize, usize) {
        let (width, height) = self.inside();
        (LEFT + width + 2, height + 3)
    }

    fn left_of(self, file: usize) -> usize {
        LEFT + 1 + file * (self.across + 1)
    }

    fn top_of(self, row: usize) -> usize {
        1 + (self.rows - 1 - row) * (self.down + 1)
    }

    /// The place of a cell's pawn.
    fn centre(self, cell: Cell) -> (usize, usize) {
        (self.left_of(cell.file()) + self.across / 2, self.top_of(cell.row()) + (self.down - 1) / 2)
    }

    /// Returns the number of rows above, and below, the place of a pawn that belong to it.
    fn reach(self) -> usize {
        (self.down - 1) / 2
    }

    /// Returns the distance, in columns, of the marks beside a pawn.
    fn beside(self) -> usize {
        if self.reach() == 0 { 1 } else { self.across / 2 }
    }

    /// The place of a post.
    fn crossing(self, post: Cell) -> (usize, usize) {
        (self.left_of(post.file()) + self.across, self.top_of(post.row() + 1) + self.down)
    }

    /// The places a wall covers.
    fn covered(self, wall: Wall) -> impl Iterator<Item = (usize, usize)> {
        let (x, y) = self.crossing(wall.post);
        let (across, down) = match wall.orientation {
            Orientation::Horizontal => (self.across, 0),
            Orientation::Vertical => (0, self.down),
        };
        (y - down..=y + down).flat_map(move |y| (x - across..=x + across).map(move |x| (x, y)))
    }
}

/// Returns the post nearest to a character of a cell, the `index`th in its line, which lies between the posts `index -
/// 1` and `index`; halfway it is the post that bears the cell's name.
fn nearest_post(index: usize, posts: usize, to_former: usize, to_own: usize) -> usize {
    if index == 0 || (index < posts && to_own <= to_former) { index } else { index - 1 }
}

struct QuoridorPainter<'a> {
    game: &'a Quoridor,
    signs: &'static QuoridorSigns,
    lattice: CellGrid,
    turned: bool,
    canvas: Canvas,
}

impl QuoridorPainter<'_> {
    /// The cell where a cell is drawn.
    fn seen(&self, cell: Cell) -> Cell {
        let (file, row) = (self.lattice.files - 1 - cell.file(), self.lattice.rows - 1 - cell.row());
        if self.turned { Cell::at(file, row).expect("a cell of the board") } else { cell }
    }

    /// The wall where a wall is drawn.
    fn seen_wall(&self, wall: Wall) -> Wall {
        let Cell { file, row } = wall.post;
        // The opposite corner of the block names it from the other end.
        let post = self.seen(Cell { file: file + 1, row: row + 1 });
        if self.turned { Wall { post, ..wall } } else { wall }
    }

    fn frame(&mut self) {
        let [line, bar, corners @ ..] = self.signs.frame;
        let (width, height) = self.lattice.inside();
        let (right, bottom) = (LEFT + width + 1, height + 1);
        for x in LEFT + 1..right {
            self.canvas.put(x, 0, line, Role::Frame);
            self.canvas.put(x, bottom, line, Role::Frame);
        }
        for y in 1..bottom {
            self.canvas.put(LEFT, y, bar, Role::Frame);
            self.canvas.put(right, y, bar, Role::Frame);
        }
        let places = [(LEFT, 0), (right, 0), (LEFT, bottom), (right, bottom)];
        for ((x, y), corner) in places.into_iter().zip(corners) {
            self.canvas.put(x, y, corner, Role::Frame);
        }
        let [upper, lower] = if self.turned { [Side::Second, Side::First] } else { Side::BOTH };
        for (side, y) in [(upper, 0), (lower, bottom)] {
            let pawn = self.signs.pawns[side];
            let whole = format!(" {pawn} goal ");
            let label = if whole.chars().count() <= width { whole } else { pawn.to_string() };
            let room = width - label.chars().count();
            // Half of it on the left, to the even number where that is not whole.
            let half = room / 2 + usize::from(room % 2 == 1 && room / 2 % 2 == 1);
            self.canvas.text(LEFT + 1 + half, y, &label, Role::of(side));
        }
    }

    fn labels(&mut self) {
        let (_, height) = self.lattice.inside();
        for file in 0..self.lattice.files {
            let x = self.lattice.left_of(file) + self.lattice.across / 2;
            let name = letter(if self.turned { self.lattice.files - 1 - file } else { file });
            self.canvas.put(x, height + 2, name, Role::Label);
        }
        for row in 0..self.lattice.rows {
            let y = self.lattice.top_of(row) + (self.lattice.down - 1) / 2;
            let number = if self.turned { self.lattice.rows - row } else { row + 1 };
            self.canvas.text_ending_at(1, y, &number.to_string(), Role::Label);
        }
    }

    fn walls(&mut self, last: Option<Move>) {
        for post in posts(self.game) {
            let (x, y) = self.lattice.crossing(post);
            self.canvas.put(x, y, self.signs.crossing, Role::Frame);
        }
        for (wall, owner) in self.game.walls() {
            let (glyph, role) = (self.signs.walls[owner][wall.orientation.index()], Role::of(owner));
            let is_last = last == Some(Move::from(wall));
            let centre = if is_last { (self.signs.last_wall, Role::Last) } else { (glyph, role) };
            self.wall(wall, (glyph, role), centre);
        }
    }

    /// Draws a wall, or the ghost of one, which leaves walls to be seen below it.
    fn wall(&mut self, wall: Wall, (glyph, role): (char, Role), centre: (char, Role)) {
        let wall = self.seen_wall(wall);
        for (x, y) in self.lattice.covered(wall) {
            let is_built = matches!(self.canvas.at(x, y).1, Role::First | Role::Second | Role::Last);
            if !is_built || [Role::First, Role::Second].contains(&role) {
                self.canvas.put(x, y, glyph, role);
            }
        }
        let (x, y) = self.lattice.crossing(wall.post);
        self.canvas.put(x, y, centre.0, centre.1);
    }

    fn in_cell(&mut self, cell: Cell, glyph: char, role: Role) {
        let (x, y) = self.lattice.centre(self.seen(cell));
        self.canvas.put(x, y, glyph, role);
    }

    /// The ground of the cells.
    fn tiles(&mut self) {
        let CellGrid { files, rows, across, down } = self.lattice;
        for file in 0..files {
            for row in 0..rows {
                self.canvas.tile(self.lattice.left_of(file), self.lattice.top_of(row), across, down);
            }
        }
    }

    fn pawns(&mut self, look: &PaintOptions<'_>, cursor: Option<Move>) {
        let steps = steps(self.game, look);
        for (cell, sign, role) in signs_of_cells(self.game, look, cursor) {
            let is_step_too = role != Role::Allowed && steps.contains(&cell);
            self.in_cell(cell, sign, role);
            if is_step_too {
                // Beside the sign of the way.
                let (x, y) = self.lattice.centre(self.seen(cell));
                self.canvas.put(x + 1, y, self.signs.step, Role::Allowed);
            }
        }
        for side in Side::BOTH {
            // A large pawn is not printed in reverse: its slanted edges would be its only ink.
            let is_won = self.winner() == Some(side) && self.lattice.reach() == 0;
            self.pawn(side, if is_won { Role::won(side) } else { Role::of(side) });
        }
    }

    /// A pawn, in a large cell one triangle that points as its sign does.
    fn pawn(&mut self, side: Side, role: Role) {
        let (x, y) = self.lattice.centre(self.seen(self.game.pawn(side)));
        let reach = self.lattice.reach();
        let [tip, left, between, right] = self.signs.large[side];
        for row in 0..=2 * reach {
            let half = if side == Side::First { row } else { 2 * reach - row };
            for column in 0..=2 * half {
                let glyph = match column {
                    _ if reach == 0 => self.signs.pawns[side],
                    _ if half == 0 => tip,
                    0 => left,
                    column if column == 2 * half => right,
                    _ => between,
                };
                self.canvas.put(x + column - half, y + row - reach, glyph, role);
            }
        }
    }

    fn winner(&self) -> Option<Side> {
        self.game.outcome().and_then(Outcome::winner)
    }

    /// The marks beside a cell. Of two, only the stronger one is drawn.
    fn marks(&mut self, cursor: Option<Move>, last: Option<Move>, hint: Option<Move>) {
        let goal = self.winner().map(|side| self.game.pawn(side).into());
        let place = |mv: Option<Move>| match mv?.act() {
            MoveKind::Go(cell) => Some(self.lattice.centre(self.seen(cell))),
            MoveKind::Build(_) => None,
        };
        let pairs = [
            (place(cursor.filter(|_| cursor != hint)), ['[', ']'], Role::Cursor),
            (place(goal), ['*', '*'], Role::Last),
            (place(last.filter(|_| last != goal)), ['(', ')'], Role::Last),
            (place(hint), ['<', '>'], Role::Hint),
        ];
        self.canvas.brackets(&pairs, [self.lattice.beside(); 2]);
    }

    fn ghosts(&mut self, cursor: Option<Move>, hint: Option<Move>) {
        if let Some(wall) = hint.and_then(Move::wall) {
            // All of it in a sign of its own: the wall at the cursor may lie beside it, or over a part of it.
            self.wall(wall, ('?', Role::Hint), ('?', Role::Hint));
        }
        if let Some(wall) = cursor.and_then(Move::wall) {
            let (signs, role) = if self.game.is_legal(wall.into()) {
                (self.signs.allowed, Role::Allowed)
            } else {
                (self.signs.refused, Role::Refused)
            };
            self.wall(wall, (signs[wall.orientation.index()], role), (signs[2], role));
        }
    }

    /// Cells own their characters; each character of a slot belongs to the wall in that slot whose post is nearest. A
    /// crossing belongs to the wall that lies like the cursor, which has its place there.
    fn spots(&mut self, cursor: Option<Move>) {
        let CellGrid { files, rows, across, down } = self.lattice;
        for file in 0..files {
            for row in 0..rows {
                let cell = Cell::at(file, row).expect("a cell of the board");
                let seen = self.seen(cell);
                let (x, y) = self.lattice.centre(seen);
                let spot = self.canvas.spot(x, y, cell.to_string());
                let (left, top) = (self.lattice.left_of(seen.file()), self.lattice.top_of(seen.row()));
                self.canvas.own(left, top, across, down, spot);
            }
        }
        let at_crossing =
            cursor.and_then(Move::wall).map_or(Orientation::Horizontal, |wall| wall.orientation);
        for post in posts(self.game) {
            for orientation in Orientation::BOTH {
                let seen = self.seen_wall(Wall { post, orientation });
                let (x, y) = self.lattice.crossing(seen.post);
                let (x, y) = match orientation {
                    _ if orientation == at_crossing => (x, y),
                    Orientation::Horizontal => (x - 1, y),
                    Orientation::Vertical => (x, y + 1),
                };
                let layer = if orientation == Orientation::Horizontal { 1 } else { 2 };
                let spot = self.canvas.spot_on(layer, x, y, Wall { post, orientation }.to_string());
                self.own_slot(seen, spot);
            }
        }
    }

    fn own_slot(&mut self, wall: Wall, spot: u16) {
        let CellGrid { files, rows, across, down } = self.lattice;
        let crossing = self.lattice.crossing(wall.post);
        for (x, y) in self.lattice.covered(wall).filter(|&place| place != crossing) {
            let (nearest, own) = match wall.orientation {
                Orientation::Horizontal => {
                    let (file, offset) = ((x - LEFT - 1) / (across + 1), (x - LEFT - 1) % (across + 1));
                    (nearest_post(file, files - 1, offset + 1, across - offset), wall.post.file())
                }
                Orientation::Vertical => {
                    let (from_top, offset) = ((y - 1) / (down + 1), (y - 1) % (down + 1));
                    (nearest_post(rows - 1 - from_top, rows - 1, down - offset, offset + 1), wall.post.row())
                }
            };
            if nearest == own {
                self.canvas.own(x, y, 1, 1, spot);
            }
        }
    }
}

/// The cells that the mover's pawn can go to, where they are marked.
fn steps(game: &Quoridor, look: &PaintOptions<'_>) -> Vec<Cell> {
    if look.steps { game.pawn_targets() } else { Vec::new() }
}

/// The signs of cells: steps of the mover's pawn, then the shortest way of each side to its goal row, round a wall at the
/// cursor, if it may be built.
fn signs_of_cells(game: &Quoridor, look: &PaintOptions<'_>, cursor: Option<Move>) -> Vec<(Cell, char, Role)> {
    let signs = QuoridorSigns::of(look.glyphs);
    let mut all: Vec<(Cell, char, Role)> =
        steps(game, look).into_iter().map(|cell| (cell, signs.step, Role::Allowed)).collect();
    if look.ways {
        let built = cursor.filter(|mv| mv.wall().is_some()).and_then(|mv| game.after(mv).ok());
        let [first, second] = Side::each(|side| built.as_ref().unwrap_or(game).shortest_path(side));
        let [of_first, of_second, of_both] = signs.ways;
        all.extend(first.iter().chain(&second).map(|&cell| {
            match (first.contains(&cell), second.contains(&cell)) {
                (true, true) => (cell, of_both, Role::Path),
                (true, false) => (cell, of_first, Role::First),
                _ => (cell, of_second, Role::Second),
            }
        }));
    }
    all
}

fn posts(game: &Quoridor) -> impl Iterator<Item = Cell> {
    let (files, rows) = (game.width() - 1, game.height() - 1);
    (0..files).flat_map(move |file| (0..rows).filter_map(move |row| Cell::at(file, row)))
}

impl Paint for Quoridor {
    fn caption(&self, text: &str, glyphs: Glyphs) -> Option<Text> {
        let mv = self.parse(text).ok().filter(|&mv| self.is_legal(mv))?;
        self.effect(mv, glyphs).ok()
    }

    fn board_sizes(&self) -> Vec<(usize, usize)> {
        (0..CELL_SIZES.len()).map(|density| CellGrid::of(self, density).size()).collect()
    }

    /// Row 1 at the bottom, nothing but posts, pawns and walls inside the frame; a wall at the cursor is a ghost that
    /// tells whether it may be built.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let lattice = CellGrid::of(self, look.density);
        let (width, height) = lattice.size();
        let read = |text: Option<&str>| text.and_then(|text| self.parse(text).ok());
        let (cursor, last, hint) = (read(look.cursor), read(look.last), read(look.hint));
        let canvas = Canvas::new(width, height);
        let (signs, turned) = (QuoridorSigns::of(look.glyphs), look.turned);
        let mut painter = QuoridorPainter { game: self, signs, lattice, turned, canvas };
        painter.tiles();
        painter.frame();
        painter.labels();
        painter.walls(last);
        painter.pawns(look, cursor);
        painter.marks(cursor, last, hint);
        painter.ghosts(cursor, hint);
        painter.spots(cursor);
        painter.canvas
    }

    fn scene(&self, look: &PaintOptions<'_>) -> Scene {
        let cursor = look.cursor.and_then(|text| self.parse(text).ok());
        let pawns = Side::each(|side| self.pawn(side));
        let mut signs = signs_of_cells(self, look, cursor);
        signs.retain(|(cell, ..)| !pawns.contains(cell));
        scene::scene(self, look, signs)
    }

    fn piece_glyph(&self, side: Side, glyphs: Glyphs) -> Option<char> {
        Some(QuoridorSigns::of(glyphs).pawns[side])
    }

    fn hues(&self) -> [Hue; 2] {
        [Hue::White, Hue::Black]
    }

    fn path_overlay_label(&self, glyphs: Glyphs) -> Option<Text> {
        let [first, second, both] = QuoridorSigns::of(glyphs).ways;
        let [white, black] = Side::each(|side| self.side_name(side));
        Some(text!("Shortest paths: {first} {white}, {second} {black}, {both} both"))
    }

    fn turns(&self) -> bool {
        true
    }

    fn legend(&self, glyphs: Glyphs) -> Vec<Text> {
        let QuoridorSigns { walls, allowed, refused, last_wall, step, ways, .. } = QuoridorSigns::of(glyphs);
        let [[a, b], [c, d]] = Side::each(|side| walls[side]);
        let [white, black] = Side::each(|side| self.side_name(side));
        let built = format!("{a} {b} {white} wall    {c} {d} {black} wall");
        let halves = built.split("    ").zip(Side::BOTH);
        let built = join(halves.map(|(half, side)| text!("{}", of_side(side, half))), "    ");
        if self.outcome().is_some() {
            return vec![built, text!("{last_wall} last wall  * * at the goal")];
        }
        vec![
            built,
            text!(
                "{} {} allowed  {} {} {} not allowed",
                allowed[0],
                allowed[1],
                refused[0],
                refused[1],
                refused[2]
            ),
            text!("{} {} shortest paths  {} both", ways[0], ways[1], ways[2]),
            text!("{last_wall} last wall  {step} step  ? wall hint"),
        ]
    }

    fn tile_legend(&self) -> Vec<Text> {
        let [solid, dense, allowed, refused, hint] =
            [Texture::Solid, Texture::Dense, Texture::Allowed, Texture::Refused, Texture::Hint]
                .map(Texture::sign);
        let built = Side::each(|side| {
            let sign = [solid, dense][side.index()];
            text!("{}", of_side(side, format!("{sign} {} wall", self.side_name(side))))
        });
        let QuoridorSigns { step, ways, .. } = UNICODE;
        let mut lines = vec![join(built, "    ")];
        if self.outcome().is_some() {
            lines.push("* * at the goal".into());
            return lines;
        }
        lines.push(text!("{allowed} allowed  {refused} not allowed"));
        lines.push(text!("{} {} shortest paths  {} both", ways[0], ways[1], ways[2]));
        lines.push(text!("{step} step  {hint} wall hint"));
        lines
    }

    fn legend_signs(&self, glyphs: Glyphs) -> Vec<(char, Role)> {
        let QuoridorSigns { allowed, refused, last_wall, step, ways: [first, second, both], .. } =
            QuoridorSigns::of(glyphs);
        let of_ways = [(*first, Role::First), (*second, Role::Second), (*both, Role::Path)];
        let ghosts = allowed.map(|sign| (sign, Role::Allowed)).into_iter();
        let ghosts = ghosts.chain(refused.map(|sign| (sign, Role::Refused)));
        let others = [(*last_wall, Role::Last), (*step, Role::Allowed), ('?', Role::Hint), ('*', Role::Last)];
        ghosts.chain(of_ways).chain(others).collect()
    }

    /// The mover's pawn.
    fn default_cursor(&self) -> Option<String> {
        Some(self.pawn(self.to_move()).to_string())
    }

    /// Of walls only: the steps of a pawn are marked on the board.
    fn preview(&self, text: &str, look: &PaintOptions<'_>, you: Option<Side>) -> Option<Text> {
        let wall = self.parse(text).ok()?.wall()?;
        Some(Quoridor::preview(self, wall, look, you).unwrap_or_else(|illegal| illegal.text))
    }

    /// The walls in hand, with bars as far as they are short, the steps to go, and who is nearer to the goal.
    fn side_panel(&self, glyphs: Glyphs, room: usize) -> Vec<Text> {
        let of_side = |side| longest(self.walls_in_hand(side, glyphs), room);
        let steps = longest(self.steps_to_go(glyphs), room);
        vec!["Walls and steps".into(), of_side(Side::First), of_side(Side::Second), steps]
    }

    fn side_panel_help(&self) -> Option<&'static str> {
        Some(
            "Steps: length of the shortest path to the goal row. The nearer pawn is not always ahead: walls left and the turn count too.",
        )
    }

    /// The walls in hand and the steps to go: `walls ▲10 ▼9  steps ▲8 ▼7`.
    fn facts(&self, glyphs: Glyphs) -> Vec<Text> {
        let pawns = QuoridorSigns::of(glyphs).pawns;
        let [a, b] = Side::each(|side| text!("{}{}", pawns[side], self.walls_left(side)));
        let walls = text!("walls {a} {b}");
        let [a, b] = Side::each(|side| text!("{}{}", pawns[side], self.distance(side)));
        vec![text!("{walls}  steps {a} {b}"), walls]
    }
}

impl Quoridor {
    /// The walls that a side has left, from the longest line to the shortest.
    fn walls_in_hand(&self, side: Side, glyphs: Glyphs) -> Vec<Text> {
        let (left, used) = glyphs.pick([('▮', '·'), ('▮', '∙'), ('#', '.')]);
        let in_hand = usize::from(self.walls_left(side));
        let all = in_hand + self.walls_built(side);
        let length = if all <= 10 { all } else { 0 };
        let bar: String = (0..length).map(|i| if i < in_hand { left } else { used }).collect();
        let head = format!("{} {}", QuoridorSigns::of(glyphs).pawns[side], self.side_name(side));
        let lines = [
            format!("{head}  {bar}  {in_hand:>2} of {all}"),
            format!("{head}  {bar}  {in_hand:>2}"),
            format!("{head} {bar} {in_hand}"),
        ];
        lines.map(|line| text!("{}", of_side(side, line))).into()
    }

    /// The steps of both sides and who has fewer, from the longest line to the shortest.
    fn steps_to_go(&self, glyphs: Glyphs) -> Vec<Text> {
        let pawns = QuoridorSigns::of(glyphs).pawns;
        let steps = Side::each(|side| self.distance(side));
        let spaced = |side: Side| of_side(side, format!("{} {}", pawns[side], self.distance(side)));
        let close = |side: Side| of_side(side, format!("{}{}", pawns[side], self.distance(side)));
        let [[a, b], [c, d]] = [Side::each(spaced), Side::each(close)];
        let bare = text!("steps {a}  {b}");
        if self.outcome().is_some() {
            return vec![text!("steps    {a}   {b}"), bare];
        }
        let nearer = |side: Side| text!("{}", of_side(side, format!("{} nearer", pawns[side])));
        let nearer = match steps[0].cmp(&steps[1]) {
            Ordering::Less => nearer(Side::First),
            Ordering::Equal => "equal".into(),
            Ordering::Greater => nearer(Side::Second),
        };
        vec![text!("steps    {a}   {b}   ({nearer})"), text!("steps {c} {d}, {nearer}"), bare]
    }
}

/// The first of some lines, from the longest to the shortest, that has room; the last one if none has.
fn longest(lines: Vec<Text>, room: usize) -> Text {
    let fits = lines.iter().position(|line| line.chars().count() <= room);
    let index = fits.unwrap_or(lines.len() - 1);
    lines.into_iter().nth(index).unwrap_or_default()
}
