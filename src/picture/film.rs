//! Many games on one board, for pages that show them by a script: every shape once, and for each move the shapes that come and
//! those that go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::svg::Layer;
use super::{Drawing, Marks, SvgTheme, line_to, scene, tiles};
use crate::drawing::{Role, Scene, Sign, SignPlace};
use crate::session::Position;

/// The shapes of the games that were taken up.
#[derive(Debug)]
pub struct Film {
    drawing: Drawing,
    theme: SvgTheme,
    numbers: BTreeMap<(Layer, String), usize>,
    empty: Vec<usize>,
}

/// Changes that a move makes on the board: the numbers of shapes, rising.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Those that come.
    pub come: Vec<usize>,
    /// Those that go.
    pub go: Vec<usize>,
}

/// The board of a film for the script of a page.
#[derive(Clone, Debug, Serialize)]
pub struct FilmData<'a> {
    width: f64,
    height: f64,
    empty: &'a [usize],
    shapes: Vec<(usize, &'a str)>,
}

impl Film {
    /// No game yet, on the board of this first position.
    ///
    /// ```
    /// use crosspath::picture::{Film, SvgTheme};
    /// use crosspath::registry::{Variant, find};
    /// let start = find("hex")?.start(&Variant::of_size(5))?;
    /// let mut film = Film::new(&*start, SvgTheme::Page);
    /// let steps = film.steps(&start.play("c3").expect("the middle is free"));
    /// assert!(steps.len() == 1 && steps[0].go.is_empty());
    /// assert!(film.shapes()[steps[0].come[0]].1.contains("var(--first)"));
    /// # Ok::<(), crosspath::registry::OpenError>(())
    /// ```
    #[must_use]
    pub fn new(start: &dyn Position, theme: SvgTheme) -> Self {
        let drawing = Drawing::of(start);
        let mut film = Film { drawing, theme, numbers: BTreeMap::new(), empty: Vec::new() };
        film.empty = film.seen(start).into_iter().collect();
        film
    }

    /// Returns the changes of each move of a game. It has begun on the board of this film; where it has begun from a position, the
    /// first step sets that up.
    pub fn steps(&mut self, last: &Arc<dyn Position>) -> Vec<Step> {
        let mut before: BTreeSet<usize> = self.empty.iter().copied().collect();
        let mut step = |position: &Arc<dyn Position>| {
            let now = self.seen(&**position);
            let come = now.difference(&before).copied().collect();
            let go = before.difference(&now).copied().collect();
            before = now;
            Step { come, go }
        };
        let known = usize::from(last.setup().is_none());
        line_to(last).iter().skip(known).map(&mut step).collect()
    }

    /// Width and height of the board.
    #[must_use]
    pub fn size(&self) -> (f64, f64) {
        self.drawing.plan.size
    }

    /// The numbers of the shapes of the empty board.
    #[must_use]
    pub fn empty(&self) -> &[usize] {
        &self.empty
    }

    /// All shapes by their numbers, as SVG, each behind its layer: what has a higher one lies above.
    #[must_use]
    pub fn shapes(&self) -> Vec<(usize, &str)> {
        let mut all: Vec<_> = self.numbers.iter().collect();
        all.sort_by_key(|(_, number)| **number);
        all.into_iter().map(|((layer, svg), _)| (*layer as usize, svg.as_str())).collect()
    }

    /// The board and all its shapes.
    #[must_use]
    pub fn data(&self) -> FilmData<'_> {
        let (width, height) = self.size();
        FilmData { width, height, empty: self.empty(), shapes: self.shapes() }
    }

    /// Returns the shapes of signs on places, each named by a move, to be laid over a position.
    pub fn signs(&mut self, position: &dyn Position, marks: &[(String, char)]) -> Vec<usize> {
        let mut signed = scene(position, Marks::None);
        let before = self.shapes_of(position, &signed);
        let sign = |(text, glyph): &(String, char)| {
            let at = self.drawing.place(text)?;
            Some(Sign { at, sign: SignPlace::Middle(*glyph), role: Role::Path })
        };
        signed.signs.extend(marks.iter().filter_map(sign).collect::<Vec<_>>());
        self.shapes_of(position, &signed).difference(&before).copied().collect()
    }

    /// The numbers of the shapes of a position.
    fn seen(&mut self, position: &dyn Position) -> BTreeSet<usize> {
        self.shapes_of(position, &scene(position, Marks::None))
    }

    fn shapes_of(&mut self, position: &dyn Position, scene: &Scene) -> BTreeSet<usize> {
        let colours = self.theme.colours(position.drawn().hues());
        let names = tiles::Names::new();
        let elements = tiles::elements(scene, &self.drawing.plan, &names, colours);
        let number = |element: super::svg::Element| {
            let next = self.numbers.len();
            *self.numbers.entry((element.layer, element.svg)).or_insert(next)
        };
        elements.into_iter().map(number).collect()
    }
}
