//! Layout of the screen. Drawing, keys and clicks read the same value, so they cannot differ.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use ratatui_core::layout::Rect;
use ratatui_core::text::Line;

use crate::canvas::PaintOptions;
use crate::drawing::Scale;
use crate::session::Position;

/// Columns of the narrowest panel.
const PANEL: u16 = 24;
/// Columns of a panel with room for all of its text.
const USUAL_PANEL: u16 = 34;
/// Columns of the widest panel.
const WIDEST_PANEL: u16 = 40;
/// Most columns and fewest rows of panels below the board.
const BELOW: (u16, u16) = (60, 12);
/// Rows of a window with rows to spare beside most boards.
pub(super) const HIGH: u16 = 30;
/// Columns of a window with room for all of the text below the board.
pub(super) const WIDE: u16 = 80;
/// Fewest columns of a screen without a panel.
const MIN_WIDTH: u16 = 40;
/// Rows of a board beyond which it leaves rows for all of the text above and below it.
const HIGH_BOARD: u16 = 31;
/// Columns and rows of the largest board that is drawn as large as possible, with a panel or
/// without.
const SMALL_BOARD: (u16, u16) = (54, 21);

/// Columns of the widest window that any board needs.
const WIDEST_WINDOW: u16 = 300;

/// Areas of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Index of the drawing of the board; `None` if the window is too small for all of them.
    pub density: Option<usize>,
    /// Scale of the tiles in which the board is drawn; then `density` is that of the smallest
    /// drawing in lines.
    pub scale: Option<Scale>,
    /// Area of the board.
    pub board: Rect,
    /// Area of the panels to the right of the board; below it in a narrow and high window.
    pub panel: Option<Rect>,
    /// Row below the board, where there is one to spare; the parts beside the board may reach into
    /// it.
    pub below_board: Option<Rect>,
    /// Area of the title.
    pub title: Rect,
    /// Area of the status line, which is also the field for typing; two rows where there is room.
    pub status: Rect,
    /// Area of the key bar.
    pub bar: Rect,
}

/// Panel beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PanelId {
    /// The result of the game.
    Ending,
    /// The comment on the position.
    Comment,
    /// The numbers that the game counts.
    Tally,
    /// The moves.
    Moves,
    /// An engine's report, or the value of every move.
    Engine,
    /// The win chances after every move of a review.
    Review,
    /// The legend of the signs on the board.
    Legend,
    /// The results of the games that were played.
    Score,
}

/// Contents of a panel, whatever room it gets.
#[derive(Clone, Debug)]
pub(super) struct PanelContent {
    /// Panel that has these contents.
    pub(super) id: PanelId,
    /// Rank: of two panels that want the same rows the one of lower rank gets them.
    pub(super) rank: u8,
    /// Fewest rows that are of use, frame included; 0 if there is nothing to show.
    pub(super) min: u16,
    /// Rows for all of its contents, frame included.
    pub(super) wanted: u16,
    /// Heading of its frame.
    pub(super) title: String,
    /// Lines of its text.
    pub(super) lines: Vec<Line<'static>>,
    /// Lines for a panel with fewer rows than those take.
    pub(super) short: Vec<Line<'static>>,
    /// Sign after the last line where some are left out; empty where none is needed.
    pub(super) dots: &'static str,
}

/// Panel at its place.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// Contents of the panel.
    pub(super) content: PanelContent,
    /// Area of the panel; of height 0 where it has no room.
    pub(super) area: Rect,
    /// Index of the first of its lines that is visible.
    pub(super) top: usize,
}

/// Areas of one frame, with the contents of the panels.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameLayout {
    /// Areas of the board and the rows around it.
    pub(super) frame: Layout,
    /// Panels that have something to show, whether they have room or not.
    pub(super) panels: Vec<Panel>,
    /// `true` if the engine's panel has room, or would have if it were wanted.
    pub(super) has_room_for_engine: bool,
    /// `true` if the review takes the place of the engine's panel.
    pub(super) hides_engine: bool,
}

impl FrameLayout {
    /// Returns a panel that has room.
    pub(super) fn panel(&self, id: PanelId) -> Option<&Panel> {
        self.panels.iter().find(|panel| panel.content.id == id && panel.area.height > 0)
    }

    /// Reports whether a panel has room.
    pub(super) fn has(&self, id: PanelId) -> bool {
        self.panel(id).is_some()
    }

    /// Reports whether the engine's panel takes the place of that of the review.
    pub(super) fn hides_review(&self) -> bool {
        let is_wanted = |panel: &Panel| panel.content.id == PanelId::Review && panel.content.wanted > 0;
        self.has(PanelId::Engine) && self.panels.iter().any(is_wanted) && !self.has(PanelId::Review)
    }
}

/// Last layout, kept as long as its key stays the same.
pub(super) struct LayoutCache<K> {
    last: RefCell<Option<(K, Rc<FrameLayout>)>>,
    count: Cell<usize>,
}

impl<K> Default for LayoutCache<K> {
    fn default() -> Self {
        LayoutCache { last: RefCell::default(), count: Cell::default() }
    }
}

/// Clones a cache as one that has made no layout yet.
impl<K> Clone for LayoutCache<K> {
    fn clone(&self) -> Self {
        LayoutCache::default()
    }
}

/// Shows nothing of the layout, which is no part of the screen's state: its key is.
impl<K> fmt::Debug for LayoutCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LayoutCache")
    }
}

impl<K: PartialEq> LayoutCache<K> {
    /// Returns the layout for this key, which is made if the last one was for another key.
    pub(super) fn of(&self, key: K, make: impl FnOnce() -> FrameLayout) -> Rc<FrameLayout> {
        if let Some((_, layout)) = self.last.borrow().as_ref().filter(|(last, _)| *last == key) {
            return Rc::clone(layout);
        }
        self.count.set(self.count.get() + 1);
        let layout = Rc::new(make());
        *self.last.borrow_mut() = Some((key, Rc::clone(&layout)));
        layout
    }

    /// Returns the number of layouts that were made.
    pub(super) fn count(&self) -> usize {
        self.count.get()
    }
}

/// Returns the columns and rows of the smallest window that shows the board.
pub(super) fn least(position: &dyn Position) -> (usize, usize) {
    let (width, height) = position.drawn().board_sizes().first().copied().unwrap_or((0, 0));
    // A small board needs no more columns than it takes with a panel.
    let (alone, beside) = ((width + 2).max(usize::from(MIN_WIDTH)), width + 1 + usize::from(PANEL));
    (alone.min(beside), height + 3)
}

/// Returns the columns of the narrowest window of this height that has panels, if it is no narrower
/// than this one.
pub(super) fn columns_for_panel(
    position: &dyn Position,
    (width, height): (u16, u16),
    has_tiles: bool,
) -> Option<u16> {
    let has_panel = |&width: &u16| layout_on(position, (width, height), has_tiles).panel.is_some();
    (width..=WIDEST_WINDOW).find(has_panel)
}

/// Reports whether a window has room for a board.
pub(super) fn has_room(position: &dyn Position, window: (u16, u16)) -> bool {
    density(&in_lines(position).sizes, window).is_some()
}

/// Converts a count of columns or rows; one that is too large becomes the largest.
pub(super) fn number(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// Reports whether panels have room beside a board of `w` columns, a column apart from it.
fn is_beside(w: u16, width: u16) -> bool {
    w.saturating_add(1 + PANEL) <= width
}

/// Reports whether panels have room below a board of this size.
fn is_below((w, h): (u16, u16), (width, height): (u16, u16)) -> bool {
    w.saturating_add(2).max(MIN_WIDTH) <= width && h.saturating_add(7 + BELOW.1) <= height
}

/// Returns the largest of these drawings that has room in a window, preferably with panels.
fn density(sizes: &[(u16, u16)], (width, height): (u16, u16)) -> Option<usize> {
    let lowest = sizes.first().map_or(0, |&(_, h)| h).max(HIGH_BOARD);
    let is_high = |h: u16| h.saturating_add(if h > lowest { 6 } else { 3 }) <= height;
    let with_panels =
        |&(w, h): &(u16, u16)| is_beside(w, width) && is_high(h) || is_below((w, h), (width, height));
    let alone = |&(w, h): &(u16, u16)| w.saturating_add(2).max(MIN_WIDTH) <= width && is_high(h);
    let is_small = |&(w, h): &(u16, u16)| w <= SMALL_BOARD.0 && h <= SMALL_BOARD.1;
    let large = sizes.iter().rposition(|size| is_small(size) && alone(size));
    sizes.iter().rposition(with_panels).max(large).or_else(|| sizes.iter().rposition(alone))
}

/// Sizes of all drawings of a board, and the scales of those in tiles.
struct Drawings {
    sizes: Vec<(u16, u16)>,
    scales: Vec<Scale>,
}

/// Returns the drawings in lines.
fn in_lines(position: &dyn Position) -> Drawings {
    let sizes = position.drawn().board_sizes().into_iter().map(|(w, h)| (number(w), number(h)));
    Drawings { sizes: sizes.collect(), scales: Vec::new() }
}

/// Returns the drawings in tiles where they are wanted and one has room, else those in lines.
fn drawings(position: &dyn Position, window: (u16, u16), has_tiles: bool) -> Drawings {
    let is_wanted = has_tiles && has_room(position, window);
    let in_tiles = is_wanted.then(|| {
        let scene = position.drawn().scene(&PaintOptions::default());
        let scales = scene.tiling.scales();
        let size = |&scale: &Scale| {
            let (width, height) = scene.size(scale);
            (number(width), number(height))
        };
        Drawings { sizes: scales.iter().map(size).collect(), scales }
    });
    let fits = |drawings: &Drawings| density(&drawings.sizes, window).is_some();
    in_tiles.filter(fits).unwrap_or_else(|| in_lines(position))
}

/// Returns the areas for a board in lines in a window.
pub fn layout(position: &dyn Position, window: (u16, u16)) -> Layout {
    layout_on(position, window, false)
}

/// Returns the areas for a board in a window, in tiles where they are wanted and have room.
pub fn layout_on(position: &dyn Position, (width, height): (u16, u16), has_tiles: bool) -> Layout {
    let Drawings { sizes, scales } = drawings(position, (width, height), has_tiles);
    let density = density(&sizes, (width, height));
    let (w, h) = density.map_or((0, 0), |density| sizes[density]);
    let has_room = h.saturating_add(6) <= height;
    let row = |from_bottom| height.saturating_sub(from_bottom);
    let line = |y: u16| Rect { x: 0, y, width, height: u16::from(y < height) };
    let (top, status): (u16, u16) = if has_room { (2, row(3)) } else { (1, row(2)) };
    let is_beside = density.is_some() && is_beside(w, width);
    let is_below = density.is_some() && !is_beside && is_below((w, h), (width, height));
    // Two rows between the board and the status line, and one to part them from it.
    let is_free = density.is_some() && (width >= WIDE || !is_beside);
    let has_below_board = is_free && top.saturating_add(h + 3) <= status;
    // Else a row that the board leaves.
    let narrow_below_board = (density.is_some() && top.saturating_add(h) < status).then(|| line(status - 1));
    let below = if has_below_board { 3 } else { u16::from(has_room) };
    let rows = status.saturating_sub(top + below);
    // In a low window the panels need the row that parts the board from the row below.
    let panel_rows = rows + u16::from(has_below_board && height < HIGH);
    let all = Rect { x: 0, y: top, width, height: panel_rows };
    // A little above the middle of the rows, where there are rows to spare.
    let y = if is_below { top } else { top + rows.saturating_sub(h) * 2 / 5 };
    let x = (width.saturating_sub(w) / 2).max(u16::from(density.is_some()));
    let alone = Rect { x, y, width: w, height: h };
    let (board, panel) = match (is_beside, is_below) {
        (true, _) => beside(alone, all),
        (false, true) => (alone, Some(below_it(alone, Rect { height: rows, ..all }))),
        (false, false) => (alone, None),
    };
    // The row below is as wide as the board and the panels beside it; its text begins one column from the left.
    let (from, to) = match panel.filter(|_| is_beside) {
        Some(panel) => (board.x.saturating_sub(1), panel.right()),
        None => (0, width),
    };
    Layout {
        density: density.map(|density| if scales.is_empty() { density } else { 0 }),
        scale: density.and_then(|density| scales.get(density)).copied(),
        board,
        panel,
        below_board: has_below_board
            .then(|| Rect { x: from, y: status - 2, width: to - from, height: 1 })
            .or(narrow_below_board),
        title: line(0),
        status: Rect { height: if has_room { 2 } else { line(status.max(1)).height }, ..line(status.max(1)) },
        bar: line(row(1).max(1)),
    }
}

/// Returns the areas of a board and of the panels to its right, which are centred together.
fn beside(board: Rect, all: Rect) -> (Rect, Option<Rect>) {
    let free = all.width - (board.width + 1);
    // Between them there are up to three columns, and one from the edge where there is one to spare.
    let more_gap = free.saturating_sub(USUAL_PANEL + 1).min(2);
    let width = (free - more_gap).saturating_sub(1).clamp(PANEL, WIDEST_PANEL);
    let board = Rect { x: (free - more_gap - width).div_ceil(2), ..board };
    let x = (board.right() + 1 + more_gap).min(all.width - width);
    (board, Some(Rect { x, width, ..all }))
}

/// Returns the area of the panels below a board, a row apart from it.
fn below_it(board: Rect, all: Rect) -> Rect {
    let width = board.width.clamp(PANEL, BELOW.0);
    let y = board.bottom() + 1;
    Rect { x: (all.width - width) / 2, y, width, height: all.bottom().saturating_sub(y) }
}
