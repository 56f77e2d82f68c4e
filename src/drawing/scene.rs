//! The items that a game puts on its tiles: pieces, walls, signs, labels, and the moves that places mean.

use super::role::Role;
use super::tiling::{Owner, Scale, Site, Tiling};

/// Filling of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// A wall of First.
    Solid,
    /// A wall of Second.
    Dense,
    /// One that may be built.
    Allowed,
    /// One that may not.
    Refused,
    /// One that is proposed.
    Hint,
}

impl Texture {
    /// The character that fills the wall.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Texture::Solid => '█',
            Texture::Dense => '▓',
            Texture::Allowed => '▒',
            Texture::Refused => '╳',
            Texture::Hint => '?',
        }
    }
}

/// A shape that can be put on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The whole cell.
    Tile,
    /// A round stone.
    Disc,
    /// A round stone with a hole.
    Ring,
    /// Two strokes that cross.
    Cross,
    /// A pawn with a broad foot.
    PawnUp,
    /// A pawn with a broad head.
    PawnDown,
    /// A wall, as long as two cells and the gap between them.
    Wall(Texture),
    /// The first thirds of a wall that slides in, 1 to 3 of them.
    Slide(Texture, usize),
    /// A broad line between two pieces, where neither covers it.
    Link(Site),
    /// A line over everything from one cell to another, through their middles.
    Stroke(Site),
}

/// A shape at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneItem {
    /// The place.
    pub at: Site,
    /// The shape.
    pub shape: Shape,
    /// Its meaning.
    pub role: Role,
}

/// Where in its place a sign stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignPlace {
    /// In the middle.
    Middle(char),
    /// At the left and the right end.
    Sides([char; 2]),
}

/// A sign over the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The place.
    pub at: Site,
    /// The sign.
    pub sign: SignPlace,
    /// Its meaning.
    pub role: Role,
}

/// A position as it is drawn. What comes later in a list lies over what comes before.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The way in which the board is cut.
    pub tiling: Tiling,
    /// Meanings of the bands above, on the right, below and on the left.
    pub rims: [Role; 4],
    /// Text on bands that stand for a side.
    pub band_word: Option<&'static str>,
    /// Pieces and what lies under them.
    pub items: Vec<SceneItem>,
    /// Signs over them.
    pub signs: Vec<Sign>,
    /// The moves that places mean.
    pub spots: Vec<(Site, String)>,
    /// The labels of the columns and of the rows.
    pub labels: [Vec<String>; 2],
    /// `true` if the columns are labelled below the board.
    pub has_letters_below: bool,
    /// `true` if a crossing of gaps means the wall that stands upright.
    pub is_upright: bool,
}

impl Scene {
    /// An empty board without labels.
    #[must_use]
    pub fn new(tiling: Tiling) -> Self {
        Scene {
            tiling,
            rims: [Role::Plain; 4],
            band_word: None,
            items: Vec::new(),
            signs: Vec::new(),
            spots: Vec::new(),
            labels: [Vec::new(), Vec::new()],
            has_letters_below: false,
            is_upright: false,
        }
    }

    /// Puts a shape over what is there.
    pub fn put(&mut self, at: Site, shape: Shape, role: Role) {
        self.items.push(SceneItem { at, shape, role });
    }

    /// Puts a sign into the middle of a place, over what is there.
    pub fn mark(&mut self, at: Site, sign: char, role: Role) {
        self.signs.push(Sign { at, sign: SignPlace::Middle(sign), role });
    }

    /// Puts brackets around what is on a place.
    pub fn bracket(&mut self, at: Site, signs: [char; 2], role: Role) {
        self.signs.push(Sign { at, sign: SignPlace::Sides(signs), role });
    }

    /// Columns and rows of the drawing in characters, labels included.
    #[must_use]
    pub fn size(&self, scale: Scale) -> (usize, usize) {
        let (width, height) = self.tiling.size(scale);
        ((width + self.margin()).cast_unsigned(), (height / 2 + 1).cast_unsigned())
    }

    /// Columns left of the board, for the labels of its rows. Slanted boards have room beside all rows but the first.
    pub(super) fn margin(&self) -> isize {
        if matches!(self.tiling, Tiling::Hexagons { .. }) { 2 } else { 3 }
    }

    /// Rows of characters above the board.
    pub(super) fn top(&self) -> isize {
        isize::from(!self.has_letters_below)
    }

    /// The move that a character of the drawing means: that of its upper pixel, else that of its lower one.
    #[must_use]
    pub fn hit(&self, scale: Scale, (x, y): (usize, usize)) -> Option<&str> {
        let (x, y) = (x.cast_signed() - self.margin(), 2 * (y.cast_signed() - self.top()));
        [y, y + 1].into_iter().find_map(|y| {
            let site = match self.tiling.owner(scale, (x, y)) {
                Owner::Site(site) => site,
                Owner::Crossing(column, row) => {
                    Site::Slot { post: (column, row), is_upright: self.is_upright }
                }
                Owner::Edge(_) | Owner::Outside => return None,
            };
            self.spots.iter().find(|(at, _)| *at == site).map(|(_, text)| text.as_str())
        })
    }

    /// The place that means a move.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Site> {
        self.spots.iter().find(|(_, spot)| spot == text).map(|(at, _)| *at)
    }

    /// The character in the middle of a place.
    #[must_use]
    pub fn middle(&self, scale: Scale, site: Site) -> (usize, usize) {
        let (x, y) = match site {
            Site::Cell(column, row) => self.tiling.centre(scale, (column, row)),
            Site::Slot { .. } => {
                let area = self.tiling.area(scale, site);
                (area.left + (area.width - 1) / 2, area.top + (area.height - 1) / 2)
            }
        };
        ((x + self.margin()).cast_unsigned(), (y.div_euclid(2) + self.top()).cast_unsigned())
    }
}
