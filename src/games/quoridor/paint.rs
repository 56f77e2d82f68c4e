//! Text rendering of the board. This module depends on the board and the canvas, not on the terminal.

use std::cmp::Ordering;

use super::moves::{Cell, Move, MoveKind, Orientation, Wall};
use super::{Quoridor, Side, scene};
use crate::board::names::column_letter;
use crate::canvas::{Canvas, GlyphSet, Hue, PaintBoard, PaintOptions, PaintRole};
use crate::drawing::{Scene, WallTexture};
use crate::game::{BySide, Game, Notation, Outcome, PositionDescription};
use crate::text;
use crate::text::{Text, join_texts, mark_side};

/// Characters of one glyph set.
struct QuoridorSigns {
    pawns: BySide<char>,
    /// Characters of a large pawn: tip, left slope, inside, right slope.
    large: BySide<[char; 4]>,
    /// Characters of a side's walls: horizontal, vertical.
    walls: BySide<[char; 2]>,
    last_wall: char,
    /// Characters of a legal wall at the cursor: horizontal, vertical, centre.
    allowed: [char; 3],
    refused: [char; 3],
    crossing: char,
    /// Characters of path cells: on the shortest path of First, of Second, of both sides.
    ways: [char; 3],
    step: char,
    /// Characters of the frame: horizontal, vertical, and the corners in reading order.
    frame: [char; 6],
}

const UNICODE_QUORIDOR_SIGNS: QuoridorSigns = QuoridorSigns {
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

const NARROW_QUORIDOR_SIGNS: QuoridorSigns = QuoridorSigns {
    pawns: BySide::new('▴', '▾'),
    large: BySide::new(['▴'; 4], ['▾'; 4]),
    crossing: '∙',
    ways: UNICODE_QUORIDOR_SIGNS.ways,
    step: '∘',
    ..ASCII_QUORIDOR_SIGNS
};

const ASCII_QUORIDOR_SIGNS: QuoridorSigns = QuoridorSigns {
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
    fn for_glyphs(glyphs: GlyphSet) -> &'static QuoridorSigns {
        glyphs.pick_variant([&UNICODE_QUORIDOR_SIGNS, &NARROW_QUORIDOR_SIGNS, &ASCII_QUORIDOR_SIGNS])
    }
}

/// Text layout of the board: cells of `across x down` characters with wall slots of one character between
/// them.
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
struct QuoridorTextLayout {
    files: usize,
    rows: usize,
    across: usize,
    down: usize,
}

const FRAME_LEFT_COLUMN: usize = 3;
const QUORIDOR_CELL_SIZES: [(usize, usize); 5] = [(3, 1), (5, 2), (7, 3), (9, 4), (11, 5)];

impl QuoridorTextLayout {
    fn for_density(game: &Quoridor, density: usize) -> Self {
        let (across, down) = QUORIDOR_CELL_SIZES[density.min(QUORIDOR_CELL_SIZES.len() - 1)];
        QuoridorTextLayout { files: game.width(), rows: game.height(), across, down }
    }

    /// Returns the width and height inside the frame, in characters.
    fn inner_size(self) -> (usize, usize) {
        (self.files * (self.across + 1) - 1, self.rows * (self.down + 1) - 1)
    }

    fn canvas_size(self) -> (usize, usize) {
        let (width, height) = self.inner_size();
        (FRAME_LEFT_COLUMN + width + 2, height + 3)
    }

    fn file_left_column(self, file: usize) -> usize {
        FRAME_LEFT_COLUMN + 1 + file * (self.across + 1)
    }

    fn row_top_line(self, row: usize) -> usize {
        1 + (self.rows - 1 - row) * (self.down + 1)
    }

    /// Returns the column and row of a cell's pawn.
    fn pawn_centre(self, cell: Cell) -> (usize, usize) {
        (
            self.file_left_column(cell.file()) + self.across / 2,
            self.row_top_line(cell.row()) + (self.down - 1) / 2,
        )
    }

    /// Returns the number of text rows that a pawn covers above and below its centre.
    fn pawn_half_height(self) -> usize {
        (self.down - 1) / 2
    }

    /// Returns the distance, in columns, of the brackets beside a pawn.
    fn bracket_offset(self) -> usize {
        if self.pawn_half_height() == 0 { 1 } else { self.across / 2 }
    }

    /// Returns the column and row of a post.
    fn post_position(self, post: Cell) -> (usize, usize) {
        (self.file_left_column(post.file()) + self.across, self.row_top_line(post.row() + 1) + self.down)
    }

    /// Returns the characters that a wall covers.
    fn wall_characters(self, wall: Wall) -> impl Iterator<Item = (usize, usize)> {
        let (x, y) = self.post_position(wall.post);
        let (across, down) = match wall.orientation {
            Orientation::Horizontal => (self.across, 0),
            Orientation::Vertical => (0, self.down),
        };
        (y - down..=y + down).flat_map(move |y| (x - across..=x + across).map(move |x| (x, y)))
    }
}

/// Returns the index of the post nearest to a character. The character belongs to cell `index` of a row or
/// column, between the posts `index - 1` and `index`. A tie goes to post `index`.
fn find_nearest_post(index: usize, posts: usize, to_former: usize, to_own: usize) -> usize {
    if index == 0 || (index < posts && to_own <= to_former) { index } else { index - 1 }
}

struct QuoridorPainter<'a> {
    game: &'a Quoridor,
    signs: &'static QuoridorSigns,
    lattice: QuoridorTextLayout,
    turned: bool,
    canvas: Canvas,
}

impl QuoridorPainter<'_> {
    /// Returns the cell in whose place a cell is drawn: the cell itself, or the opposite one on a flipped
    /// board.
    fn displayed_cell(&self, cell: Cell) -> Cell {
        let (file, row) = (self.lattice.files - 1 - cell.file(), self.lattice.rows - 1 - cell.row());
        if self.turned { Cell::at(file, row).expect("a cell of the board") } else { cell }
    }

    /// Returns the wall in whose place a wall is drawn: the wall itself, or the opposite one on a flipped
    /// board.
    fn displayed_wall(&self, wall: Wall) -> Wall {
        let Cell { file, row } = wall.post;
        // On a flipped board the opposite corner of the block names the wall.
        let post = self.displayed_cell(Cell { file: file + 1, row: row + 1 });
        if self.turned { Wall { post, ..wall } } else { wall }
    }

    fn draw_frame(&mut self) {
        let [line, bar, corners @ ..] = self.signs.frame;
        let (width, height) = self.lattice.inner_size();
        let (right, bottom) = (FRAME_LEFT_COLUMN + width + 1, height + 1);
        for x in FRAME_LEFT_COLUMN + 1..right {
            self.canvas.put_glyph(x, 0, line, PaintRole::Frame);
            self.canvas.put_glyph(x, bottom, line, PaintRole::Frame);
        }
        for y in 1..bottom {
            self.canvas.put_glyph(FRAME_LEFT_COLUMN, y, bar, PaintRole::Frame);
            self.canvas.put_glyph(right, y, bar, PaintRole::Frame);
        }
        let places = [(FRAME_LEFT_COLUMN, 0), (right, 0), (FRAME_LEFT_COLUMN, bottom), (right, bottom)];
        for ((x, y), corner) in places.into_iter().zip(corners) {
            self.canvas.put_glyph(x, y, corner, PaintRole::Frame);
        }
        let [upper, lower] = if self.turned { [Side::Second, Side::First] } else { Side::BOTH };
        for (side, y) in [(upper, 0), (lower, bottom)] {
            let pawn = self.signs.pawns[side];
            let whole = format!(" {pawn} goal ");
            let label = if whole.chars().count() <= width { whole } else { pawn.to_string() };
            let room = width - label.chars().count();
            // Half of the space goes to the left, rounded to the even number.
            let half = room / 2 + usize::from(room % 2 == 1 && room / 2 % 2 == 1);
            self.canvas.write_text(FRAME_LEFT_COLUMN + 1 + half, y, &label, PaintRole::for_piece(side));
        }
    }

    fn draw_labels(&mut self) {
        let (_, height) = self.lattice.inner_size();
        for file in 0..self.lattice.files {
            let x = self.lattice.file_left_column(file) + self.lattice.across / 2;
            let name = column_letter(if self.turned { self.lattice.files - 1 - file } else { file });
            self.canvas.put_glyph(x, height + 2, name, PaintRole::Label);
        }
        for row in 0..self.lattice.rows {
            let y = self.lattice.row_top_line(row) + (self.lattice.down - 1) / 2;
            let number = if self.turned { self.lattice.rows - row } else { row + 1 };
            self.canvas.write_text_ending_at(1, y, &number.to_string(), PaintRole::Label);
        }
    }

    fn draw_walls(&mut self, last: Option<Move>) {
        for post in all_posts(self.game) {
            let (x, y) = self.lattice.post_position(post);
            self.canvas.put_glyph(x, y, self.signs.crossing, PaintRole::Frame);
        }
        for (wall, owner) in self.game.walls() {
            let (glyph, role) =
                (self.signs.walls[owner][wall.orientation.index()], PaintRole::for_piece(owner));
            let is_last = last == Some(Move::from(wall));
            let centre = if is_last { (self.signs.last_wall, PaintRole::Last) } else { (glyph, role) };
            self.draw_wall(wall, (glyph, role), centre);
        }
    }

    /// Draws a wall or a preview of one. A preview does not cover walls on the board.
    fn draw_wall(&mut self, wall: Wall, (glyph, role): (char, PaintRole), centre: (char, PaintRole)) {
        let wall = self.displayed_wall(wall);
        for (x, y) in self.lattice.wall_characters(wall) {
            let is_built = matches!(
                self.canvas.glyph_at(x, y).1,
                PaintRole::First | PaintRole::Second | PaintRole::Last
            );
            if !is_built || [PaintRole::First, PaintRole::Second].contains(&role) {
                self.canvas.put_glyph(x, y, glyph, role);
            }
        }
        let (x, y) = self.lattice.post_position(wall.post);
        self.canvas.put_glyph(x, y, centre.0, centre.1);
    }

    fn draw_in_cell(&mut self, cell: Cell, glyph: char, role: PaintRole) {
        let (x, y) = self.lattice.pawn_centre(self.displayed_cell(cell));
        self.canvas.put_glyph(x, y, glyph, role);
    }

    /// Draws the background of the cells.
    fn draw_tiles(&mut self) {
        let QuoridorTextLayout { files, rows, across, down } = self.lattice;
        for file in 0..files {
            for row in 0..rows {
                self.canvas.mark_tile_area(
                    self.lattice.file_left_column(file),
                    self.lattice.row_top_line(row),
                    across,
                    down,
                );
            }
        }
    }

    fn draw_pawns(&mut self, look: &PaintOptions<'_>, cursor: Option<Move>) {
        let steps = list_marked_steps(self.game, look);
        for (cell, sign, role) in list_cell_signs(self.game, look, cursor) {
            let is_step_too = role != PaintRole::Allowed && steps.contains(&cell);
            self.draw_in_cell(cell, sign, role);
            if is_step_too {
                // The step is shown beside the sign of the path.
                let (x, y) = self.lattice.pawn_centre(self.displayed_cell(cell));
                self.canvas.put_glyph(x + 1, y, self.signs.step, PaintRole::Allowed);
            }
        }
        for side in Side::BOTH {
            // A large pawn is not drawn in reverse video, which would leave only its slopes visible.
            let is_won = self.winner() == Some(side) && self.lattice.pawn_half_height() == 0;
            self.draw_pawn(
                side,
                if is_won { PaintRole::for_winning_piece(side) } else { PaintRole::for_piece(side) },
            );
        }
    }

    /// Draws a pawn. In a large cell it is a triangle that points in the direction of play.
    fn draw_pawn(&mut self, side: Side, role: PaintRole) {
        let (x, y) = self.lattice.pawn_centre(self.displayed_cell(self.game.pawn(side)));
        let reach = self.lattice.pawn_half_height();
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
                self.canvas.put_glyph(x + column - half, y + row - reach, glyph, role);
            }
        }
    }

    fn winner(&self) -> Option<Side> {
        self.game.outcome().and_then(Outcome::winner)
    }

    /// Draws the brackets beside cells. Of two brackets at one cell only the more important one is drawn.
    fn draw_brackets(&mut self, cursor: Option<Move>, last: Option<Move>, hint: Option<Move>) {
        let goal = self.winner().map(|side| self.game.pawn(side).into());
        let place = |mv: Option<Move>| match mv?.kind() {
            MoveKind::Step(cell) => Some(self.lattice.pawn_centre(self.displayed_cell(cell))),
            MoveKind::Wall(_) => None,
        };
        let pairs = [
            (place(cursor.filter(|_| cursor != hint)), ['[', ']'], PaintRole::Cursor),
            (place(goal), ['*', '*'], PaintRole::Last),
            (place(last.filter(|_| last != goal)), ['(', ')'], PaintRole::Last),
            (place(hint), ['<', '>'], PaintRole::Hint),
        ];
        self.canvas.draw_brackets(&pairs, [self.lattice.bracket_offset(); 2]);
    }

    fn draw_wall_previews(&mut self, cursor: Option<Move>, hint: Option<Move>) {
        if let Some(wall) = hint.and_then(Move::wall) {
            // The hint has a sign of its own because the wall at the cursor may lie beside or over it.
            self.draw_wall(wall, ('?', PaintRole::Hint), ('?', PaintRole::Hint));
        }
        if let Some(wall) = cursor.and_then(Move::wall) {
            let (signs, role) = if self.game.is_legal(wall.into()) {
                (self.signs.allowed, PaintRole::Allowed)
            } else {
                (self.signs.refused, PaintRole::Refused)
            };
            self.draw_wall(wall, (signs[wall.orientation.index()], role), (signs[2], role));
        }
    }

    /// Registers the hit areas of cells and walls. A character in a wall slot selects the wall on the nearest
    /// post. At a crossing of slots, it selects the wall with the orientation of the cursor.
    fn register_hit_areas(&mut self, cursor: Option<Move>) {
        let QuoridorTextLayout { files, rows, across, down } = self.lattice;
        for file in 0..files {
            for row in 0..rows {
                let cell = Cell::at(file, row).expect("a cell of the board");
                let seen = self.displayed_cell(cell);
                let (x, y) = self.lattice.pawn_centre(seen);
                let spot = self.canvas.add_spot(x, y, cell.to_string());
                let (left, top) =
                    (self.lattice.file_left_column(seen.file()), self.lattice.row_top_line(seen.row()));
                self.canvas.assign_hit_area(left, top, across, down, spot);
            }
        }
        let at_crossing =
            cursor.and_then(Move::wall).map_or(Orientation::Horizontal, |wall| wall.orientation);
        for post in all_posts(self.game) {
            for orientation in Orientation::BOTH {
                let seen = self.displayed_wall(Wall { post, orientation });
                let (x, y) = self.lattice.post_position(seen.post);
                let (x, y) = match orientation {
                    _ if orientation == at_crossing => (x, y),
                    Orientation::Horizontal => (x - 1, y),
                    Orientation::Vertical => (x, y + 1),
                };
                let layer = if orientation == Orientation::Horizontal { 1 } else { 2 };
                let spot = self.canvas.add_spot_on_layer(layer, x, y, Wall { post, orientation }.to_string());
                self.register_wall_slot(seen, spot);
            }
        }
    }

    fn register_wall_slot(&mut self, wall: Wall, spot: u16) {
        let QuoridorTextLayout { files, rows, across, down } = self.lattice;
        let crossing = self.lattice.post_position(wall.post);
        for (x, y) in self.lattice.wall_characters(wall).filter(|&place| place != crossing) {
            let (nearest, own) = match wall.orientation {
                Orientation::Horizontal => {
                    let (file, offset) = (
                        (x - FRAME_LEFT_COLUMN - 1) / (across + 1),
                        (x - FRAME_LEFT_COLUMN - 1) % (across + 1),
                    );
                    (find_nearest_post(file, files - 1, offset + 1, across - offset), wall.post.file())
                }
                Orientation::Vertical => {
                    let (from_top, offset) = ((y - 1) / (down + 1), (y - 1) % (down + 1));
                    (
                        find_nearest_post(rows - 1 - from_top, rows - 1, down - offset, offset + 1),
                        wall.post.row(),
                    )
                }
            };
            if nearest == own {
                self.canvas.assign_hit_area(x, y, 1, 1, spot);
            }
        }
    }
}

/// Returns the cells to which the pawn of the side to move can move, if they are shown.
fn list_marked_steps(game: &Quoridor, look: &PaintOptions<'_>) -> Vec<Cell> {
    if look.steps { game.pawn_targets() } else { Vec::new() }
}

/// Returns the signs with their cells: steps of the side to move, then the shortest path of each side. A
/// legal wall at the cursor is taken into account.
fn list_cell_signs(
    game: &Quoridor,
    look: &PaintOptions<'_>,
    cursor: Option<Move>,
) -> Vec<(Cell, char, PaintRole)> {
    let signs = QuoridorSigns::for_glyphs(look.glyphs);
    let mut all: Vec<(Cell, char, PaintRole)> = list_marked_steps(game, look)
        .into_iter()
        .map(|cell| (cell, signs.step, PaintRole::Allowed))
        .collect();
    if look.ways {
        let built = cursor.filter(|mv| mv.wall().is_some()).and_then(|mv| game.position_after(mv).ok());
        let [first, second] = Side::map_both(|side| built.as_ref().unwrap_or(game).shortest_path(side));
        let [of_first, of_second, of_both] = signs.ways;
        all.extend(first.iter().chain(&second).map(|&cell| {
            match (first.contains(&cell), second.contains(&cell)) {
                (true, true) => (cell, of_both, PaintRole::Path),
                (true, false) => (cell, of_first, PaintRole::First),
                _ => (cell, of_second, PaintRole::Second),
            }
        }));
    }
    all
}

fn all_posts(game: &Quoridor) -> impl Iterator<Item = Cell> {
    let (files, rows) = (game.width() - 1, game.height() - 1);
    (0..files).flat_map(move |file| (0..rows).filter_map(move |row| Cell::at(file, row)))
}

impl PaintBoard for Quoridor {
    fn move_effect_caption(&self, text: &str, glyphs: GlyphSet) -> Option<Text> {
        let mv = self.parse(text).ok().filter(|&mv| self.is_legal(mv))?;
        self.describe_path_effect(mv, glyphs).ok()
    }

    fn board_sizes(&self) -> Vec<(usize, usize)> {
        (0..QUORIDOR_CELL_SIZES.len())
            .map(|density| QuoridorTextLayout::for_density(self, density).canvas_size())
            .collect()
    }

    /// Draws the board with row 1 at the bottom. A wall at the cursor is a preview that shows whether it is
    /// legal.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let lattice = QuoridorTextLayout::for_density(self, look.density);
        let (width, height) = lattice.canvas_size();
        let read = |text: Option<&str>| text.and_then(|text| self.parse(text).ok());
        let (cursor, last, hint) = (read(look.cursor), read(look.last), read(look.hint));
        let canvas = Canvas::new(width, height);
        let (signs, turned) = (QuoridorSigns::for_glyphs(look.glyphs), look.turned);
        let mut painter = QuoridorPainter { game: self, signs, lattice, turned, canvas };
        painter.draw_tiles();
        painter.draw_frame();
        painter.draw_labels();
        painter.draw_walls(last);
        painter.draw_pawns(look, cursor);
        painter.draw_brackets(cursor, last, hint);
        painter.draw_wall_previews(cursor, hint);
        painter.register_hit_areas(cursor);
        painter.canvas
    }

    fn scene(&self, look: &PaintOptions<'_>) -> Scene {
        let cursor = look.cursor.and_then(|text| self.parse(text).ok());
        let pawns = Side::map_both(|side| self.pawn(side));
        let mut signs = list_cell_signs(self, look, cursor);
        signs.retain(|(cell, ..)| !pawns.contains(cell));
        scene::build_quoridor_scene(self, look, signs)
    }

    fn piece_glyph(&self, side: Side, glyphs: GlyphSet) -> Option<char> {
        Some(QuoridorSigns::for_glyphs(glyphs).pawns[side])
    }

    fn side_hues(&self) -> [Hue; 2] {
        [Hue::White, Hue::Black]
    }

    fn path_overlay_label(&self, glyphs: GlyphSet) -> Option<Text> {
        let [first, second, both] = QuoridorSigns::for_glyphs(glyphs).ways;
        let [white, black] = Side::map_both(|side| self.side_name(side));
        Some(text!("Shortest paths: {first} {white}, {second} {black}, {both} both"))
    }

    fn can_flip(&self) -> bool {
        true
    }

    fn legend(&self, glyphs: GlyphSet) -> Vec<Text> {
        let QuoridorSigns { walls, allowed, refused, last_wall, step, ways, .. } =
            QuoridorSigns::for_glyphs(glyphs);
        let [[a, b], [c, d]] = Side::map_both(|side| walls[side]);
        let [white, black] = Side::map_both(|side| self.side_name(side));
        let built = format!("{a} {b} {white} wall    {c} {d} {black} wall");
        let halves = built.split("    ").zip(Side::BOTH);
        let built = join_texts(halves.map(|(half, side)| text!("{}", mark_side(side, half))), "    ");
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
        let [solid, dense, allowed, refused, hint] = [
            WallTexture::Solid,
            WallTexture::Dense,
            WallTexture::Allowed,
            WallTexture::Refused,
            WallTexture::Hint,
        ]
        .map(WallTexture::fill_glyph);
        let built = Side::map_both(|side| {
            let sign = [solid, dense][side.index()];
            text!("{}", mark_side(side, format!("{sign} {} wall", self.side_name(side))))
        });
        let QuoridorSigns { step, ways, .. } = UNICODE_QUORIDOR_SIGNS;
        let mut lines = vec![join_texts(built, "    ")];
        if self.outcome().is_some() {
            lines.push("* * at the goal".into());
            return lines;
        }
        lines.push(text!("{allowed} allowed  {refused} not allowed"));
        lines.push(text!("{} {} shortest paths  {} both", ways[0], ways[1], ways[2]));
        lines.push(text!("{step} step  {hint} wall hint"));
        lines
    }

    fn legend_sign_roles(&self, glyphs: GlyphSet) -> Vec<(char, PaintRole)> {
        let QuoridorSigns { allowed, refused, last_wall, step, ways: [first, second, both], .. } =
            QuoridorSigns::for_glyphs(glyphs);
        let of_ways = [(*first, PaintRole::First), (*second, PaintRole::Second), (*both, PaintRole::Path)];
        let ghosts = allowed.map(|sign| (sign, PaintRole::Allowed)).into_iter();
        let ghosts = ghosts.chain(refused.map(|sign| (sign, PaintRole::Refused)));
        let others = [
            (*last_wall, PaintRole::Last),
            (*step, PaintRole::Allowed),
            ('?', PaintRole::Hint),
            ('*', PaintRole::Last),
        ];
        ghosts.chain(of_ways).chain(others).collect()
    }

    /// Returns the cell of the pawn of the side to move.
    fn default_cursor(&self) -> Option<String> {
        Some(self.pawn(self.to_move()).to_string())
    }

    /// Describes the effect of a wall. Pawn moves have no preview because their cells are marked on the
    /// board.
    fn move_preview(&self, text: &str, look: &PaintOptions<'_>, you: Option<Side>) -> Option<Text> {
        let wall = self.parse(text).ok()?.wall()?;
        Some(Quoridor::preview_wall(self, wall, look, you).unwrap_or_else(|illegal| illegal.text))
    }

    /// Returns the side panel: the walls left (with bars if there are few), the distances to the goal, and
    /// the side that is nearer to it.
    fn side_panel(&self, glyphs: GlyphSet, room: usize) -> Vec<Text> {
        let of_side = |side| first_fitting_line(self.walls_left_lines(side, glyphs), room);
        let steps = first_fitting_line(self.distance_lines(glyphs), room);
        vec!["Walls and steps".into(), of_side(Side::First), of_side(Side::Second), steps]
    }

    fn side_panel_help(&self) -> Option<&'static str> {
        Some(
            "Steps: length of the shortest path to the goal row. The nearer pawn is not always ahead: walls left and the turn count too.",
        )
    }

    /// Returns the walls left and the distances to the goal: `walls ▲10 ▼9  steps ▲8 ▼7`.
    fn title_facts(&self, glyphs: GlyphSet) -> Vec<Text> {
        let pawns = QuoridorSigns::for_glyphs(glyphs).pawns;
        let [a, b] = Side::map_both(|side| text!("{}{}", pawns[side], self.walls_left(side)));
        let walls = text!("walls {a} {b}");
        let [a, b] = Side::map_both(|side| text!("{}{}", pawns[side], self.distance_to_goal(side)));
        vec![text!("{walls}  steps {a} {b}"), walls]
    }
}

impl Quoridor {
    /// Returns versions of the line about a side's walls left, the longest first.
    fn walls_left_lines(&self, side: Side, glyphs: GlyphSet) -> Vec<Text> {
        let (left, used) = glyphs.pick_variant([('▮', '·'), ('▮', '∙'), ('#', '.')]);
        let in_hand = usize::from(self.walls_left(side));
        let all = in_hand + self.count_walls_built(side);
        let length = if all <= 10 { all } else { 0 };
        let bar: String = (0..length).map(|i| if i < in_hand { left } else { used }).collect();
        let head = format!("{} {}", QuoridorSigns::for_glyphs(glyphs).pawns[side], self.side_name(side));
        let lines = [
            format!("{head}  {bar}  {in_hand:>2} of {all}"),
            format!("{head}  {bar}  {in_hand:>2}"),
            format!("{head} {bar} {in_hand}"),
        ];
        lines.map(|line| text!("{}", mark_side(side, line))).into()
    }

    /// Returns versions of the line about both distances and the nearer side, the longest first.
    fn distance_lines(&self, glyphs: GlyphSet) -> Vec<Text> {
        let pawns = QuoridorSigns::for_glyphs(glyphs).pawns;
        let steps = Side::map_both(|side| self.distance_to_goal(side));
        let spaced = |side: Side| mark_side(side, format!("{} {}", pawns[side], self.distance_to_goal(side)));
        let close = |side: Side| mark_side(side, format!("{}{}", pawns[side], self.distance_to_goal(side)));
        let [[a, b], [c, d]] = [Side::map_both(spaced), Side::map_both(close)];
        let bare = text!("steps {a}  {b}");
        if self.outcome().is_some() {
            return vec![text!("steps    {a}   {b}"), bare];
        }
        let nearer = |side: Side| text!("{}", mark_side(side, format!("{} nearer", pawns[side])));
        let nearer = match steps[0].cmp(&steps[1]) {
            Ordering::Less => nearer(Side::First),
            Ordering::Equal => "equal".into(),
            Ordering::Greater => nearer(Side::Second),
        };
        vec![text!("steps    {a}   {b}   ({nearer})"), text!("steps {c} {d}, {nearer}"), bare]
    }
}

/// Returns the first line that fits into `room` columns, or the last one if none fits.
fn first_fitting_line(lines: Vec<Text>, room: usize) -> Text {
    let fits = lines.iter().position(|line| line.chars().count() <= room);
    let index = fits.unwrap_or(lines.len() - 1);
    lines.into_iter().nth(index).unwrap_or_default()
}
