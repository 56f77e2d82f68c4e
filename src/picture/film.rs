//! Many games on one board, for pages with a script: each shape is stored once, and each move lists the
//! shapes that it adds and removes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::svg::SvgLayer;
use super::{BoardDrawing, LastMoveMark, SvgTheme, position_scene, positions_up_to, tiles};
use crate::drawing::{PaintRole, Scene, SceneSign, SignPlace};
use crate::session::Position;

/// Board and shapes of the games that were added.
#[derive(Debug)]
pub struct GameAnimation {
    drawing: BoardDrawing,
    theme: SvgTheme,
    numbers: BTreeMap<(SvgLayer, String), usize>,
    empty: Vec<usize>,
}

/// Change that a move makes on the board, as ascending shape numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShapeChange {
    /// Shapes that are added.
    pub added: Vec<usize>,
    /// Shapes that are removed.
    pub removed: Vec<usize>,
}

/// Serializable form of a [`GameAnimation`] for the script of a page.
#[derive(Clone, Debug, Serialize)]
pub struct GameAnimationData<'a> {
    width: f64,
    height: f64,
    empty: &'a [usize],
    shapes: Vec<(usize, &'a str)>,
}

impl GameAnimation {
    /// Creates an animation without games, on the board of this first position.
    ///
    /// ```
    /// use crosspath::picture::{GameAnimation, SvgTheme};
    /// use crosspath::registry::{Variant, find_game};
    /// let start = find_game("hex")?.start_position(&Variant::of_size(5))?;
    /// let mut film = GameAnimation::new(&*start, SvgTheme::Page);
    /// let steps = film.add_game(&start.play("c3").expect("the middle is free"));
    /// assert!(steps.len() == 1 && steps[0].removed.is_empty());
    /// assert!(film.shapes()[steps[0].added[0]].1.contains("var(--first)"));
    /// # Ok::<(), crosspath::registry::BoardSetupError>(())
    /// ```
    #[must_use]
    pub fn new(start: &dyn Position, theme: SvgTheme) -> Self {
        let drawing = BoardDrawing::for_game_of(start);
        let mut film = GameAnimation { drawing, theme, numbers: BTreeMap::new(), empty: Vec::new() };
        film.empty = film.position_shapes(start).into_iter().collect();
        film
    }

    /// Adds a game on this board and returns the changes of each move. If the game started from a set-up
    /// position, the first change sets it up.
    pub fn add_game(&mut self, last: &Arc<dyn Position>) -> Vec<ShapeChange> {
        let mut before: BTreeSet<usize> = self.empty.iter().copied().collect();
        let mut step = |position: &Arc<dyn Position>| {
            let now = self.position_shapes(&**position);
            let added = now.difference(&before).copied().collect();
            let removed = before.difference(&now).copied().collect();
            before = now;
            ShapeChange { added, removed }
        };
        let known = usize::from(last.initial_setup().is_none());
        positions_up_to(last).iter().skip(known).map(&mut step).collect()
    }

    /// Returns the width and height of the board, in SVG units.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        self.drawing.plan.size
    }

    /// Returns the shape numbers of the empty board.
    #[must_use]
    pub fn empty_board_shapes(&self) -> &[usize] {
        &self.empty
    }

    /// Returns all shapes by number, as SVG with its layer. Higher layers are drawn over lower ones.
    #[must_use]
    pub fn shapes(&self) -> Vec<(usize, &str)> {
        let mut all: Vec<_> = self.numbers.iter().collect();
        all.sort_by_key(|(_, number)| **number);
        all.into_iter().map(|((layer, svg), _)| (*layer as usize, svg.as_str())).collect()
    }

    /// Returns the board and all its shapes for the script of a page.
    #[must_use]
    pub fn to_page_data(&self) -> GameAnimationData<'_> {
        let (width, height) = self.size();
        GameAnimationData { width, height, empty: self.empty_board_shapes(), shapes: self.shapes() }
    }

    /// Adds signs over a position, each at the site of a move, and returns their shape numbers.
    pub fn add_signs(&mut self, position: &dyn Position, marks: &[(String, char)]) -> Vec<usize> {
        let mut signed = position_scene(position, LastMoveMark::None);
        let before = self.scene_shapes(position, &signed);
        let sign = |(text, glyph): &(String, char)| {
            let at = self.drawing.find_site(text)?;
            Some(SceneSign { at, sign: SignPlace::Middle(*glyph), role: PaintRole::Path })
        };
        signed.signs.extend(marks.iter().filter_map(sign).collect::<Vec<_>>());
        self.scene_shapes(position, &signed).difference(&before).copied().collect()
    }

    /// Returns the shape numbers of a position, without a mark on the last move.
    fn position_shapes(&mut self, position: &dyn Position) -> BTreeSet<usize> {
        self.scene_shapes(position, &position_scene(position, LastMoveMark::None))
    }

    /// Returns the shape numbers of a scene; adds new shapes.
    fn scene_shapes(&mut self, position: &dyn Position, scene: &Scene) -> BTreeSet<usize> {
        let colours = self.theme.palette(position.as_paint().side_hues());
        let names = tiles::SiteNames::new();
        let elements = tiles::render_scene(scene, &self.drawing.plan, &names, colours);
        let number = |element: super::svg::SvgElement| {
            let next = self.numbers.len();
            *self.numbers.entry((element.layer, element.svg)).or_insert(next)
        };
        elements.into_iter().map(number).collect()
    }
}
