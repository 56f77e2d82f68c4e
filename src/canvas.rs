//! A picture of a board: characters, what each of them stands for, and which place means which move.
//! Plain data; knows no game and no terminal.

pub use crate::drawing::{Hue, Role};
use crate::drawing::{Scene, Shape, Site};
use crate::game::Side;
use crate::text::Text;

/// Which characters may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Glyphs {
    /// Box drawing and geometric shapes.
    #[default]
    Unicode,
    /// Only characters that every terminal draws one cell wide.
    Narrow,
    /// Only ASCII.
    Ascii,
}

impl Glyphs {
    /// The one of these for Unicode, for narrow characters and for ASCII that this set is.
    #[must_use]
    pub fn pick<T>(self, [unicode, narrow, ascii]: [T; 3]) -> T {
        match self {
            Glyphs::Unicode => unicode,
            Glyphs::Narrow => narrow,
            Glyphs::Ascii => ascii,
        }
    }
}

/// Options for painting a board. Places are named by the text of a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct PaintOptions<'a> {
    /// The set of characters.
    pub glyphs: Glyphs,
    /// Index into [`Paint::board_sizes`]; a larger one than there is means the largest.
    pub density: usize,
    /// The last move, marked `( )`.
    pub last: Option<&'a str>,
    /// The focused place, marked `[ ]`.
    pub cursor: Option<&'a str>,
    /// The proposed move, marked `< >`.
    pub hint: Option<&'a str>,
    /// `true` if the places that the mover's piece can go to are marked.
    pub steps: bool,
    /// `true` if the ways of both sides are shown; see [`Paint::path_overlay_label`].
    pub ways: bool,
    /// `true` if the board is turned by half, its labels with it; only where [`Paint::turns`] says so.
    pub turned: bool,
}

impl PaintOptions<'_> {
    /// The brackets around the focused place, the last move and the proposed one, the strongest in front; `place` finds
    /// the place that a text names. Where the proposed move is focused it is still seen which one is proposed.
    pub fn brackets(&self, place: impl Fn(&str) -> Option<(usize, usize)>) -> [Brackets; 3] {
        let cursor = (self.cursor.filter(|_| self.cursor != self.hint), ['[', ']'], Role::Cursor);
        let (last, hint) = ((self.last, ['(', ')'], Role::Last), (self.hint, ['<', '>'], Role::Hint));
        [cursor, last, hint].map(|(text, signs, role)| (text.and_then(&place), signs, role))
    }

    /// Brightens the tile under the cursor; `place` finds the place that a text names.
    pub fn light(&self, scene: &mut Scene, place: impl Fn(&str) -> Option<Site>) {
        if let Some(at) = self.cursor.and_then(place) {
            scene.put(at, Shape::Tile, Role::Cursor);
        }
    }

    /// Marks the last move, the proposed one and the focused place on tiles, the strongest last.
    pub fn mark_tiles(&self, scene: &mut Scene, place: impl Fn(&str) -> Option<Site>) {
        if let Some(at) = self.last.and_then(&place) {
            scene.mark(at, '◆', Role::Last);
        }
        let cursor = (self.cursor.filter(|_| self.cursor != self.hint), ['[', ']'], Role::Cursor);
        for (text, signs, role) in [(self.hint, ['<', '>'], Role::Hint), cursor] {
            if let Some(at) = text.and_then(&place) {
                scene.bracket(at, signs, role);
            }
        }
    }
}

/// A game that can draw its board.
pub trait Paint {
    /// Width and height of each way to draw the board, the smallest first; never empty.
    fn board_sizes(&self) -> Vec<(usize, usize)>;

    /// Draws the position.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas;

    /// The position as pieces on tiles, for terminals that show pixels and for pictures.
    fn scene(&self, look: &PaintOptions<'_>) -> Scene;

    /// The meaning of the signs on the tiles; see [`Paint::legend`].
    fn tile_legend(&self) -> Vec<Text> {
        self.legend(Glyphs::Unicode)
    }

    /// Describes the effect of a legal move: `d5h ok: ▼ 5→6  ▲ 6→6 steps`.
    fn caption(&self, _text: &str, _glyphs: Glyphs) -> Option<Text> {
        None
    }

    /// The character of a side's pieces, where it is not the side's name.
    fn piece_glyph(&self, _side: Side, _glyphs: Glyphs) -> Option<char> {
        None
    }

    /// The colours of First and Second, where the terminal has more than its own sixteen.
    fn hues(&self) -> [Hue; 2] {
        [Hue::Red, Hue::Blue]
    }

    /// Returns the place where the cursor waits at the start of a turn, as the text of a move; `None` if it stays where it was.
    fn default_cursor(&self) -> Option<String> {
        None
    }

    /// Describes the effect of a move on the drawn board, or why it is refused, in one line; `None` where the board says
    /// it all. `you` is the side of the only person.
    fn preview(&self, _text: &str, _look: &PaintOptions<'_>, _you: Option<Side>) -> Option<Text> {
        None
    }

    /// Names what [`PaintOptions::ways`] shows, with its characters; `None` if the game shows nothing.
    fn path_overlay_label(&self, _glyphs: Glyphs) -> Option<Text> {
        None
    }

    /// Reports whether the board can be turned, so that the other side sees it from its own end.
    fn turns(&self) -> bool {
        false
    }

    /// Explains the signs on the board, beside the marks that all games have: short lines, at best of 23
    /// columns, the one that is needed most in the end.
    fn legend(&self, _glyphs: Glyphs) -> Vec<Text> {
        Vec::new()
    }

    /// The signs in the legend that have the look of something on the board.
    fn legend_signs(&self, _glyphs: Glyphs) -> Vec<(char, Role)> {
        Vec::new()
    }

    /// Returns the panel beside the board: a heading and short lines, at best each of at most `room` columns; empty if there
    /// is nothing. How many lines there are does not depend on the room.
    fn side_panel(&self, _glyphs: Glyphs, _room: usize) -> Vec<Text> {
        Vec::new()
    }

    /// Explains what the panel counts, in one or two sentences; `None` where nothing stands there.
    fn side_panel_help(&self) -> Option<&'static str> {
        None
    }

    /// Returns the facts of the panel for the title where the panel has no room, from long to short.
    fn facts(&self, _glyphs: Glyphs) -> Vec<Text> {
        Vec::new()
    }
}

/// A pair of brackets: around which place, if around any, and what they stand for.
pub(crate) type Brackets = (Option<(usize, usize)>, [char; 2], Role);

/// A place that means a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Column of its centre.
    pub x: usize,
    /// Row of its centre.
    pub y: usize,
    /// The move, as text.
    pub text: String,
    /// The kind of place: a cursor walks within one layer. Layer 0 is where it begins; the others are its other shapes.
    pub layer: u8,
}

/// Characters with roles, `width` columns and `height` rows, and the places that mean moves.
///
/// ```
/// use crosspath::canvas::{Canvas, Role};
/// let mut canvas = Canvas::new(3, 1);
/// canvas.put(1, 0, 'X', Role::First);
/// canvas.spot(1, 0, "a1");
/// canvas.own(0, 0, 3, 1, 0);
/// assert_eq!(canvas.row(0), " X");
/// assert_eq!(canvas.hit(2, 0), Some("a1"));
/// ```
#[derive(Clone, Debug)]
pub struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<(char, Role)>,
    tiles: Vec<bool>,
    spots: Vec<Spot>,
    owners: Vec<Option<u16>>,
}

impl Canvas {
    /// A blank canvas.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Self {
        Canvas {
            width,
            height,
            cells: vec![(' ', Role::Plain); width * height],
            tiles: vec![false; width * height],
            spots: Vec::new(),
            owners: vec![None; width * height],
        }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Writes one character; outside the canvas nothing happens.
    pub fn put(&mut self, x: usize, y: usize, glyph: char, role: Role) {
        if x < self.width && y < self.height {
            self.cells[y * self.width + x] = (glyph, role);
        }
    }

    /// Gives the character at a place another role; outside the canvas nothing happens.
    pub(crate) fn set_role(&mut self, x: usize, y: usize, role: Role) {
        self.put(x, y, self.at(x, y).0, role);
    }

    /// Makes a rectangle part of the ground on which pieces go, whatever is written there: a tile.
    ///
    /// ```
    /// use crosspath::canvas::Canvas;
    /// let mut canvas = Canvas::new(5, 1);
    /// canvas.tile(1, 0, 3, 1);
    /// assert_eq!([0, 1, 3, 4].map(|x| canvas.is_tile(x, 0)), [false, true, true, false]);
    /// ```
    pub fn tile(&mut self, x: usize, y: usize, width: usize, height: usize) {
        for line in self.tiles.chunks_mut(self.width.max(1)).skip(y).take(height) {
            line.iter_mut().skip(x).take(width).for_each(|is_tile| *is_tile = true);
        }
    }

    /// Reports whether a place belongs to a tile.
    #[must_use]
    pub fn is_tile(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height && self.tiles[y * self.width + x]
    }

    /// Writes characters from left to right.
    pub fn text(&mut self, x: usize, y: usize, text: &str, role: Role) {
        for (i, glyph) in text.chars().enumerate() {
            self.put(x + i, y, glyph, role);
        }
    }

    /// Writes text whose last character stands in column `end`.
    pub fn text_ending_at(&mut self, end: usize, y: usize, text: &str, role: Role) {
        if let Some(x) = (end + 1).checked_sub(text.chars().count()) {
            self.text(x, y, text, role);
        }
    }

    /// Brackets around places, the strongest pair in front: of several around one place only the strongest is drawn.
    /// They stand so many columns to the left and to the right of the place.
    pub fn brackets(&mut self, pairs: &[Brackets], [left, right]: [usize; 2]) {
        // From the weakest on: where neighbours share a column, the stronger pair keeps it.
        for (i, &(place, [open, close], role)) in pairs.iter().enumerate().rev() {
            let Some((x, y)) = place else { continue };
            if !pairs[..i].iter().any(|stronger| stronger.0 == place) {
                self.put(x.wrapping_sub(left), y, open, role);
                self.put(x + right, y, close, role);
            }
        }
    }

    /// Reports whether this character is drawn somewhere.
    #[must_use]
    pub fn has(&self, glyph: char) -> bool {
        self.cells.iter().any(|&(other, _)| other == glyph)
    }

    /// Reports whether this character is drawn somewhere, standing for that.
    #[must_use]
    pub fn has_as(&self, glyph: char, role: Role) -> bool {
        self.cells.contains(&(glyph, role))
    }

    /// The character and role at a place; blank outside.
    #[must_use]
    pub fn at(&self, x: usize, y: usize) -> (char, Role) {
        if x < self.width && y < self.height { self.cells[y * self.width + x] } else { (' ', Role::Plain) }
    }

    /// Names the place at (x, y) by a move; returns the number of the spot. The place belongs to the spot.
    ///
    /// # Panics
    /// At the 65,536th spot.
    pub fn spot(&mut self, x: usize, y: usize, text: impl Into<String>) -> u16 {
        self.spot_on(0, x, y, text)
    }

    /// As [`Canvas::spot`], on a layer of its own.
    ///
    /// # Panics
    /// At the 65,536th spot.
    pub(crate) fn spot_on(&mut self, layer: u8, x: usize, y: usize, text: impl Into<String>) -> u16 {
        let number = u16::try_from(self.spots.len()).expect("a board has fewer than 65,536 places");
        self.spots.push(Spot { x, y, text: text.into(), layer });
        self.own(x, y, 1, 1, number);
        number
    }

    /// Gives a rectangle of places to a spot.
    pub fn own(&mut self, x: usize, y: usize, width: usize, height: usize, spot: u16) {
        for line in self.owners.chunks_mut(self.width.max(1)).skip(y).take(height) {
            line.iter_mut().skip(x).take(width).for_each(|owner| *owner = Some(spot));
        }
    }

    /// The move that a place means.
    #[must_use]
    pub fn hit(&self, x: usize, y: usize) -> Option<&str> {
        if x >= self.width || y >= self.height {
            return None;
        }
        self.owners[y * self.width + x].map(|number| self.spots[usize::from(number)].text.as_str())
    }

    /// Every place that means a move, in painting order.
    #[must_use]
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The place that means this move.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.text == text)
    }

    /// One row without the blanks at its end.
    #[must_use]
    pub fn row(&self, y: usize) -> String {
        let text: String = (0..self.width).map(|x| self.at(x, y).0).collect();
        text.trim_end().to_owned()
    }

    /// All rows, each ended by a line feed.
    #[must_use]
    pub fn to_text(&self) -> String {
        (0..self.height).flat_map(|y| [self.row(y), "\n".to_owned()]).collect()
    }
}
