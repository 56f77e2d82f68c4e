//! Character drawing of a board: the characters, their roles, and the areas in which a click selects a move.
//! This module does not depend on games or terminals.

use crate::drawing::{BoardSite, Scene, SceneShape};
pub use crate::drawing::{Hue, PaintRole};
use crate::game::Side;
use crate::text::Text;

/// Set of characters that a drawing may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GlyphSet {
    /// Box-drawing characters and geometric shapes.
    #[default]
    Unicode,
    /// Only characters that every terminal draws one column wide.
    Narrow,
    /// Only ASCII characters.
    Ascii,
}

impl GlyphSet {
    /// Returns the alternative for this set, given those for Unicode, narrow and ASCII characters.
    #[must_use]
    pub fn pick_variant<T>(self, [unicode, narrow, ascii]: [T; 3]) -> T {
        match self {
            GlyphSet::Unicode => unicode,
            GlyphSet::Narrow => narrow,
            GlyphSet::Ascii => ascii,
        }
    }
}

/// Options for painting a board. Cells and wall slots are named by the text of a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaintOptions<'a> {
    /// Set of characters.
    pub glyphs: GlyphSet,
    /// Index into [`PaintBoard::board_sizes`]; an index past the end selects the largest size.
    pub density: usize,
    /// Last move, marked `( )`.
    pub last: Option<&'a str>,
    /// Cell or slot under the cursor, marked `[ ]`.
    pub cursor: Option<&'a str>,
    /// Suggested move, marked `< >`.
    pub hint: Option<&'a str>,
    /// `true` if the possible destinations of the mover's piece are marked.
    pub steps: bool,
    /// `true` if the paths of both sides are shown; see [`PaintBoard::path_overlay_label`].
    pub ways: bool,
    /// `true` if the board and its labels are rotated by 180 degrees; needs [`PaintBoard::can_flip`].
    pub turned: bool,
}

impl PaintOptions<'_> {
    /// Returns the brackets around the cursor, the last move and the hint, highest priority first. `place`
    /// maps the text of a move to its position. A hint under the cursor keeps its own brackets.
    pub fn bracket_marks(&self, place: impl Fn(&str) -> Option<(usize, usize)>) -> [BracketMark; 3] {
        let cursor = (self.cursor.filter(|_| self.cursor != self.hint), ['[', ']'], PaintRole::Cursor);
        let (last, hint) =
            ((self.last, ['(', ')'], PaintRole::Last), (self.hint, ['<', '>'], PaintRole::Hint));
        [cursor, last, hint].map(|(text, signs, role)| (text.and_then(&place), signs, role))
    }

    /// Brightens the tile under the cursor. `place` maps the text of a move to its site.
    pub fn highlight_cursor(&self, scene: &mut Scene, place: impl Fn(&str) -> Option<BoardSite>) {
        if let Some(at) = self.cursor.and_then(place) {
            scene.put_shape(at, SceneShape::Tile, PaintRole::Cursor);
        }
    }

    /// Marks the last move, the hint and the cursor on tiles, highest priority last.
    pub fn mark_tiles(&self, scene: &mut Scene, place: impl Fn(&str) -> Option<BoardSite>) {
        if let Some(at) = self.last.and_then(&place) {
            scene.put_sign(at, '◆', PaintRole::Last);
        }
        let cursor = (self.cursor.filter(|_| self.cursor != self.hint), ['[', ']'], PaintRole::Cursor);
        for (text, signs, role) in [(self.hint, ['<', '>'], PaintRole::Hint), cursor] {
            if let Some(at) = text.and_then(&place) {
                scene.put_brackets(at, signs, role);
            }
        }
    }
}

/// Interface of a game that can draw its board.
pub trait PaintBoard {
    /// Returns the width and height, in characters, of each available drawing, smallest first. Never empty.
    fn board_sizes(&self) -> Vec<(usize, usize)>;

    /// Draws the position with characters.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas;

    /// Returns the position as pieces on tiles, for pixel output and pictures.
    fn scene(&self, look: &PaintOptions<'_>) -> Scene;

    /// Returns the legend of the signs on tiles; see [`PaintBoard::legend`].
    fn tile_legend(&self) -> Vec<Text> {
        self.legend(GlyphSet::Unicode)
    }

    /// Describes the effect of a legal move: `d5h ok: ▼ 5→6  ▲ 6→6 steps`.
    fn move_effect_caption(&self, _text: &str, _glyphs: GlyphSet) -> Option<Text> {
        None
    }

    /// Returns the character of a side's pieces; `None` if the pieces show the side's name.
    fn piece_glyph(&self, _side: Side, _glyphs: GlyphSet) -> Option<char> {
        None
    }

    /// Returns the colours of First and Second, for terminals with more than 16 colours.
    fn side_hues(&self) -> [Hue; 2] {
        [Hue::Red, Hue::Blue]
    }

    /// Returns the cursor position at the start of a turn, as the text of a move; `None` if the cursor stays
    /// where it is.
    fn default_cursor(&self) -> Option<String> {
        None
    }

    /// Describes in one line the effect of a move on the drawn board, or why it is refused; `None` if the
    /// board shows everything. `you` is the side of the only human player.
    fn move_preview(&self, _text: &str, _look: &PaintOptions<'_>, _you: Option<Side>) -> Option<Text> {
        None
    }

    /// Names the path overlay ([`PaintOptions::ways`]) and its characters; `None` if the game has none.
    fn path_overlay_label(&self, _glyphs: GlyphSet) -> Option<Text> {
        None
    }

    /// Reports whether the board can be flipped to show it from the other side.
    fn can_flip(&self) -> bool {
        false
    }

    /// Explains the signs on the board, except for the marks that all games share. Returns short lines, at
    /// best of 23 columns, the most important one last.
    fn legend(&self, _glyphs: GlyphSet) -> Vec<Text> {
        Vec::new()
    }

    /// Returns the signs of the legend that are drawn in the colour of a board item, each with its role.
    fn legend_sign_roles(&self, _glyphs: GlyphSet) -> Vec<(char, PaintRole)> {
        Vec::new()
    }

    /// Returns the panel beside the board: a heading and short lines, at best of `room` columns each; empty
    /// if there is no panel. The number of lines does not depend on `room`.
    fn side_panel(&self, _glyphs: GlyphSet, _room: usize) -> Vec<Text> {
        Vec::new()
    }

    /// Explains in one or two sentences the numbers of the side panel; `None` if there is no panel.
    fn side_panel_help(&self) -> Option<&'static str> {
        None
    }

    /// Returns the facts of the side panel in short form, longest wording first. Windows without room for the
    /// panel show them in the title.
    fn title_facts(&self, _glyphs: GlyphSet) -> Vec<Text> {
        Vec::new()
    }
}

/// Pair of brackets: the position that it surrounds, if any, its two characters and its role.
pub(crate) type BracketMark = (Option<(usize, usize)>, [char; 2], PaintRole);

/// Position on the canvas at which a move can be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSpot {
    /// Column of its centre.
    pub x: usize,
    /// Row of its centre.
    pub y: usize,
    /// Text of the move.
    pub text: String,
    /// Layer of the spot. The cursor moves within one layer; it starts on layer 0, and the others hold other
    /// kinds of moves, such as walls.
    pub layer: u8,
}

/// Grid of characters with roles, and the spots at which moves can be selected.
///
/// ```
/// use crosspath::canvas::{Canvas, PaintRole};
/// let mut canvas = Canvas::new(3, 1);
/// canvas.put_glyph(1, 0, 'X', PaintRole::First);
/// canvas.add_spot(1, 0, "a1");
/// canvas.assign_hit_area(0, 0, 3, 1, 0);
/// assert_eq!(canvas.row_text(0), " X");
/// assert_eq!(canvas.move_at(2, 0), Some("a1"));
/// ```
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<(char, PaintRole)>,
    tiles: Vec<bool>,
    spots: Vec<MoveSpot>,
    owners: Vec<Option<u16>>,
}

impl Canvas {
    /// Creates a blank canvas of `width` columns and `height` rows.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Self {
        Canvas {
            width,
            height,
            cells: vec![(' ', PaintRole::Plain); width * height],
            tiles: vec![false; width * height],
            spots: Vec::new(),
            owners: vec![None; width * height],
        }
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Writes one character; does nothing outside the canvas.
    pub fn put_glyph(&mut self, x: usize, y: usize, glyph: char, role: PaintRole) {
        if x < self.width && y < self.height {
            self.cells[y * self.width + x] = (glyph, role);
        }
    }

    /// Changes the role of a character; does nothing outside the canvas.
    pub(crate) fn set_role(&mut self, x: usize, y: usize, role: PaintRole) {
        self.put_glyph(x, y, self.glyph_at(x, y).0, role);
    }

    /// Marks a rectangle as part of a tile, the background of pieces. Its characters stay.
    ///
    /// ```
    /// use crosspath::canvas::Canvas;
    /// let mut canvas = Canvas::new(5, 1);
    /// canvas.mark_tile_area(1, 0, 3, 1);
    /// assert_eq!([0, 1, 3, 4].map(|x| canvas.is_tile(x, 0)), [false, true, true, false]);
    /// ```
    pub fn mark_tile_area(&mut self, x: usize, y: usize, width: usize, height: usize) {
        for line in self.tiles.chunks_mut(self.width.max(1)).skip(y).take(height) {
            line.iter_mut().skip(x).take(width).for_each(|is_tile| *is_tile = true);
        }
    }

    /// Reports whether a position belongs to a tile.
    #[must_use]
    pub fn is_tile(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height && self.tiles[y * self.width + x]
    }

    /// Writes text from left to right.
    pub fn write_text(&mut self, x: usize, y: usize, text: &str, role: PaintRole) {
        for (i, glyph) in text.chars().enumerate() {
            self.put_glyph(x + i, y, glyph, role);
        }
    }

    /// Writes text so that its last character is in column `end`.
    pub fn write_text_ending_at(&mut self, end: usize, y: usize, text: &str, role: PaintRole) {
        if let Some(x) = (end + 1).checked_sub(text.chars().count()) {
            self.write_text(x, y, text, role);
        }
    }

    /// Draws brackets `left` and `right` columns away from their positions, highest priority first in
    /// `pairs`. Only one pair is drawn around each position.
    pub fn draw_brackets(&mut self, pairs: &[BracketMark], [left, right]: [usize; 2]) {
        // Lowest priority first: where neighbours share a column, the higher one is drawn over it.
        for (i, &(place, [open, close], role)) in pairs.iter().enumerate().rev() {
            let Some((x, y)) = place else { continue };
            if !pairs[..i].iter().any(|stronger| stronger.0 == place) {
                self.put_glyph(x.wrapping_sub(left), y, open, role);
                self.put_glyph(x + right, y, close, role);
            }
        }
    }

    /// Reports whether the canvas contains a character.
    #[must_use]
    pub fn contains_glyph(&self, glyph: char) -> bool {
        self.cells.iter().any(|&(other, _)| other == glyph)
    }

    /// Reports whether the canvas contains a character with this role.
    #[must_use]
    pub fn contains_glyph_with_role(&self, glyph: char, role: PaintRole) -> bool {
        self.cells.contains(&(glyph, role))
    }

    /// Returns the character and role at a position; a blank outside the canvas.
    #[must_use]
    pub fn glyph_at(&self, x: usize, y: usize) -> (char, PaintRole) {
        if x < self.width && y < self.height {
            self.cells[y * self.width + x]
        } else {
            (' ', PaintRole::Plain)
        }
    }

    /// Adds a spot for a move at (x, y) on layer 0 and returns its number. The position becomes part of the
    /// spot's hit area.
    ///
    /// # Panics
    /// Panics on the 65,536th spot.
    pub fn add_spot(&mut self, x: usize, y: usize, text: impl Into<String>) -> u16 {
        self.add_spot_on_layer(0, x, y, text)
    }

    /// Adds a spot for a move on this layer; see [`Canvas::add_spot`].
    ///
    /// # Panics
    /// Panics on the 65,536th spot.
    pub(crate) fn add_spot_on_layer(
        &mut self,
        layer: u8,
        x: usize,
        y: usize,
        text: impl Into<String>,
    ) -> u16 {
        let number = u16::try_from(self.spots.len()).expect("a board has fewer than 65,536 places");
        self.spots.push(MoveSpot { x, y, text: text.into(), layer });
        self.assign_hit_area(x, y, 1, 1, number);
        number
    }

    /// Adds a rectangle to the hit area of a spot.
    pub fn assign_hit_area(&mut self, x: usize, y: usize, width: usize, height: usize, spot: u16) {
        for line in self.owners.chunks_mut(self.width.max(1)).skip(y).take(height) {
            line.iter_mut().skip(x).take(width).for_each(|owner| *owner = Some(spot));
        }
    }

    /// Returns the move whose hit area contains a position.
    #[must_use]
    pub fn move_at(&self, x: usize, y: usize) -> Option<&str> {
        if x >= self.width || y >= self.height {
            return None;
        }
        self.owners[y * self.width + x].map(|number| self.spots[usize::from(number)].text.as_str())
    }

    /// Returns all spots, in painting order.
    #[must_use]
    pub fn spots(&self) -> &[MoveSpot] {
        &self.spots
    }

    /// Returns the spot of a move.
    #[must_use]
    pub fn find_spot(&self, text: &str) -> Option<&MoveSpot> {
        self.spots.iter().find(|spot| spot.text == text)
    }

    /// Returns one row without trailing blanks.
    #[must_use]
    pub fn row_text(&self, y: usize) -> String {
        let text: String = (0..self.width).map(|x| self.glyph_at(x, y).0).collect();
        text.trim_end().to_owned()
    }

    /// Returns all rows, each with a line feed at its end.
    #[must_use]
    pub fn to_text(&self) -> String {
        (0..self.height).flat_map(|y| [self.row_text(y), "\n".to_owned()]).collect()
    }
}
