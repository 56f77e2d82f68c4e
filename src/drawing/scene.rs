//! Items of a board drawing: pieces, walls, signs, labels, and the moves that a click on a site selects.

use super::role::PaintRole;
use super::tiling::{BoardSite, PixelOwner, Tiling, TilingScale};

/// Fill of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallTexture {
    /// Wall of First.
    Solid,
    /// Wall of Second.
    Dense,
    /// Wall that can be built.
    Allowed,
    /// Wall that cannot be built.
    Refused,
    /// Wall that the hint suggests.
    Hint,
}

impl WallTexture {
    /// Returns the character that fills the wall.
    #[must_use]
    pub fn fill_glyph(self) -> char {
        match self {
            WallTexture::Solid => '█',
            WallTexture::Dense => '▓',
            WallTexture::Allowed => '▒',
            WallTexture::Refused => '╳',
            WallTexture::Hint => '?',
        }
    }
}

/// Shape that can be drawn on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneShape {
    /// Tile that fills the whole cell.
    Tile,
    /// Round stone.
    Disc,
    /// Round stone with a hole.
    Ring,
    /// Cross of two strokes.
    Cross,
    /// Pawn that points up.
    PawnUp,
    /// Pawn that points down.
    PawnDown,
    /// Wall, as long as two cells and the gap between them.
    Wall(WallTexture),
    /// Wall that slides in, of which 1 to 3 thirds are visible.
    Slide(WallTexture, usize),
    /// Broad line between two pieces, which does not cover them.
    Link(BoardSite),
    /// Line through the centres of two cells, drawn over all pieces.
    Stroke(BoardSite),
}

/// Shape on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneItem {
    /// Site of the shape.
    pub at: BoardSite,
    /// Shape to draw.
    pub shape: SceneShape,
    /// Role, which determines the colour.
    pub role: PaintRole,
}

/// Characters of a sign and their place on the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignPlace {
    /// Character in the middle of a clickable cell or wall slot.
    Middle(char),
    /// Characters at the left and right ends of the site.
    Sides([char; 2]),
}

/// Sign drawn over the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneSign {
    /// Site of the sign.
    pub at: BoardSite,
    /// Characters of the sign.
    pub sign: SignPlace,
    /// Role, which determines the colour.
    pub role: PaintRole,
}

/// Drawing of a position. Later items of a list are drawn over earlier ones.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Tiling of the board.
    pub tiling: Tiling,
    /// Roles of the bands above, right, below and left of the board.
    pub rims: [PaintRole; 4],
    /// Word written on the bands that belong to a side.
    pub band_word: Option<&'static str>,
    /// Pieces, and shapes below them.
    pub items: Vec<SceneItem>,
    /// Signs over the pieces.
    pub signs: Vec<SceneSign>,
    /// Sites that can be clicked, each with its move.
    pub spots: Vec<(BoardSite, String)>,
    /// Labels of the columns and of the rows.
    pub labels: [Vec<String>; 2],
    /// `true` if the column labels are below the board.
    pub has_letters_below: bool,
    /// `true` if a click on the crossing of two gaps selects the vertical wall.
    pub is_upright: bool,
}

impl Scene {
    /// Creates an empty board without labels.
    #[must_use]
    pub fn new(tiling: Tiling) -> Self {
        Scene {
            tiling,
            rims: [PaintRole::Plain; 4],
            band_word: None,
            items: Vec::new(),
            signs: Vec::new(),
            spots: Vec::new(),
            labels: [Vec::new(), Vec::new()],
            has_letters_below: false,
            is_upright: false,
        }
    }

    /// Adds a shape over the existing items.
    pub fn put_shape(&mut self, at: BoardSite, shape: SceneShape, role: PaintRole) {
        self.items.push(SceneItem { at, shape, role });
    }

    /// Adds a sign in the middle of a site, over the existing items.
    pub fn put_sign(&mut self, at: BoardSite, sign: char, role: PaintRole) {
        self.signs.push(SceneSign { at, sign: SignPlace::Middle(sign), role });
    }

    /// Adds brackets around a site.
    pub fn put_brackets(&mut self, at: BoardSite, signs: [char; 2], role: PaintRole) {
        self.signs.push(SceneSign { at, sign: SignPlace::Sides(signs), role });
    }

    /// Returns the columns and rows of the drawing in characters, labels included.
    #[must_use]
    pub fn size_in_characters(&self, scale: TilingScale) -> (usize, usize) {
        let (width, height) = self.tiling.pixel_size(scale);
        ((width + self.row_label_columns()).cast_unsigned(), (height / 2 + 1).cast_unsigned())
    }

    /// Returns the number of columns left of the board for row labels. Slanted boards have free space beside
    /// all rows but the first.
    pub(super) fn row_label_columns(&self) -> isize {
        if matches!(self.tiling, Tiling::Hexagons { .. }) { 2 } else { 3 }
    }

    /// Returns the number of character rows above the board.
    pub(super) fn rows_above_board(&self) -> isize {
        isize::from(!self.has_letters_below)
    }

    /// Returns the move at a character of the drawing: that of its upper pixel, or else of its lower pixel.
    #[must_use]
    pub fn move_at(&self, scale: TilingScale, (x, y): (usize, usize)) -> Option<&str> {
        let (x, y) =
            (x.cast_signed() - self.row_label_columns(), 2 * (y.cast_signed() - self.rows_above_board()));
        [y, y + 1].into_iter().find_map(|y| {
            let site = match self.tiling.pixel_owner(scale, (x, y)) {
                PixelOwner::Site(site) => site,
                PixelOwner::Crossing(column, row) => {
                    BoardSite::Slot { post: (column, row), is_upright: self.is_upright }
                }
                PixelOwner::Edge(_) | PixelOwner::Outside => return None,
            };
            self.spots.iter().find(|(at, _)| *at == site).map(|(_, text)| text.as_str())
        })
    }

    /// Returns the site of a move.
    #[must_use]
    pub fn find_site(&self, text: &str) -> Option<BoardSite> {
        self.spots.iter().find(|(_, spot)| spot == text).map(|(at, _)| *at)
    }

    /// Returns the column and row of the character in the middle of a site.
    #[must_use]
    pub fn site_centre(&self, scale: TilingScale, site: BoardSite) -> (usize, usize) {
        let (x, y) = match site {
            BoardSite::Cell(column, row) => self.tiling.cell_centre(scale, (column, row)),
            BoardSite::Slot { .. } => {
                let area = self.tiling.site_rect(scale, site);
                (area.left + (area.width - 1) / 2, area.top + (area.height - 1) / 2)
            }
        };
        (
            (x + self.row_label_columns()).cast_unsigned(),
            (y.div_euclid(2) + self.rows_above_board()).cast_unsigned(),
        )
    }
}
