//! Layout of the screen. Drawing, keys and clicks use one layout, so they cannot disagree.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use ratatui_core::layout::Rect;
use ratatui_core::text::Line;

use crate::canvas::PaintOptions;
use crate::drawing::TilingScale;
use crate::session::Position;

/// Minimum width of a panel, in columns.
const MIN_PANEL_WIDTH: u16 = 24;
/// Width with which a panel has room for all of its text, in columns.
const USUAL_PANEL_WIDTH: u16 = 34;
/// Maximum width of a panel, in columns.
const MAX_PANEL_WIDTH: u16 = 40;
/// Maximum columns and minimum rows of the panel area below the board.
const PANELS_BELOW_BOARD_LIMITS: (u16, u16) = (60, 12);
/// Height of a window from which most boards leave spare rows, in rows.
pub(super) const HIGH_WINDOW_ROWS: u16 = 30;
/// Width of a window from which all of the text below the board fits, in columns.
pub(super) const WIDE_WINDOW_COLUMNS: u16 = 80;
/// Minimum width of a screen without panels, in columns.
const MIN_SCREEN_WIDTH: u16 = 40;
/// Height of a board above which rows for text are kept free above and below it, in rows.
const HIGH_BOARD_ROWS: u16 = 31;
/// Columns and rows up to which a board is drawn as large as possible, even without panels.
const SMALL_BOARD_SIZE: (u16, u16) = (54, 21);

/// Width of the widest window that any board needs, in columns.
const MAX_NEEDED_WINDOW_WIDTH: u16 = 300;

/// Areas of the screen in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenLayout {
    /// Index of the board's drawing size, or `None` if no drawing fits into the window.
    pub density: Option<usize>,
    /// Scale of the board's tiles, if it is drawn in tiles.
    ///
    /// In this case `density` is the index of the smallest drawing in lines.
    pub scale: Option<TilingScale>,
    /// Area of the board.
    pub board: Rect,
    /// Area of the panels, if there is room: to the right of the board, or below it.
    pub panel: Option<Rect>,
    /// Free row below the board, if there is one.
    ///
    /// The areas beside the board may extend into it.
    pub below_board: Option<Rect>,
    /// Area of the title.
    pub title: Rect,
    /// Area of the status line and the input field. It has two rows if there is room.
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
    /// The counts that the game displays, such as the walls left.
    Tally,
    /// The list of moves.
    Moves,
    /// An engine's report, or the value of each move.
    Engine,
    /// The win chances after each move, from a review.
    Review,
    /// The legend of the signs on the board.
    Legend,
    /// The results of the games played so far.
    Score,
}

/// Contents of a panel, independent of the area that it gets.
#[derive(Clone, Debug)]
pub(super) struct PanelContent {
    /// Identity of the panel.
    pub(super) id: PanelId,
    /// Rank of the panel. Panels of lower rank get rows first.
    pub(super) rank: u8,
    /// Minimum number of useful rows, including the frame; 0 if there is nothing to show.
    pub(super) min: u16,
    /// Number of rows that show all of the contents, including the frame.
    pub(super) wanted: u16,
    /// Heading of the frame.
    pub(super) title: String,
    /// Lines of text.
    pub(super) lines: Vec<Line<'static>>,
    /// Shorter lines, used if there are too few rows for `lines`.
    pub(super) short: Vec<Line<'static>>,
    /// Sign after the last visible line if lines are omitted. It may be empty.
    pub(super) dots: &'static str,
}

/// Panel with its contents and area.
#[derive(Clone, Debug)]
pub(super) struct PlacedPanel {
    /// Contents of the panel.
    pub(super) content: PanelContent,
    /// Area of the panel. A panel without room has height 0.
    pub(super) area: Rect,
    /// Index of the first visible line.
    pub(super) top: usize,
}

/// Areas of one frame, with the contents of the panels.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameLayout {
    /// Areas of the board and the rows around it.
    pub(super) frame: ScreenLayout,
    /// Panels that have something to show, with or without room.
    pub(super) panels: Vec<PlacedPanel>,
    /// `true` if there is room for the engine's panel, even if the panel is not wanted.
    pub(super) has_room_for_engine: bool,
    /// `true` if the review's panel is shown in place of the engine's panel.
    pub(super) hides_engine: bool,
}

impl FrameLayout {
    /// Returns the panel with this id, if it has room.
    pub(super) fn visible_panel(&self, id: PanelId) -> Option<&PlacedPanel> {
        self.panels.iter().find(|panel| panel.content.id == id && panel.area.height > 0)
    }

    /// Reports whether a panel has room.
    pub(super) fn shows_panel(&self, id: PanelId) -> bool {
        self.visible_panel(id).is_some()
    }

    /// Reports whether the engine's panel is shown in place of the review's panel.
    pub(super) fn hides_review(&self) -> bool {
        let is_wanted = |panel: &PlacedPanel| panel.content.id == PanelId::Review && panel.content.wanted > 0;
        self.shows_panel(PanelId::Engine)
            && self.panels.iter().any(is_wanted)
            && !self.shows_panel(PanelId::Review)
    }
}

/// Cache of the last layout. It is valid while its key is unchanged.
pub(super) struct LayoutCache<K> {
    last: RefCell<Option<(K, Rc<FrameLayout>)>>,
    count: Cell<usize>,
}

impl<K> Default for LayoutCache<K> {
    fn default() -> Self {
        LayoutCache { last: RefCell::default(), count: Cell::default() }
    }
}

/// A cloned cache is empty.
impl<K> Clone for LayoutCache<K> {
    fn clone(&self) -> Self {
        LayoutCache::default()
    }
}

/// The debug output omits the cached layout.
impl<K> fmt::Debug for LayoutCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LayoutCache")
    }
}

impl<K: PartialEq> LayoutCache<K> {
    /// Returns the layout for this key, and computes it if the cached one has another key.
    pub(super) fn get_or_compute(&self, key: K, make: impl FnOnce() -> FrameLayout) -> Rc<FrameLayout> {
        if let Some((_, layout)) = self.last.borrow().as_ref().filter(|(last, _)| *last == key) {
            return Rc::clone(layout);
        }
        self.count.set(self.count.get() + 1);
        let layout = Rc::new(make());
        *self.last.borrow_mut() = Some((key, Rc::clone(&layout)));
        layout
    }

    /// Returns the number of layouts that have been computed so far.
    pub(super) fn computed_count(&self) -> usize {
        self.count.get()
    }
}

/// Returns the columns and rows of the smallest window that has room for the board.
pub(super) fn min_window_size(position: &dyn Position) -> (usize, usize) {
    let (width, height) = position.as_paint().board_sizes().first().copied().unwrap_or((0, 0));
    // A small board needs no more columns than it takes with a panel.
    let (alone, beside) =
        ((width + 2).max(usize::from(MIN_SCREEN_WIDTH)), width + 1 + usize::from(MIN_PANEL_WIDTH));
    (alone.min(beside), height + 3)
}

/// Returns the minimum number of columns with which a window of this height has room for panels.
pub(super) fn min_columns_for_panel(
    position: &dyn Position,
    (width, height): (u16, u16),
    has_tiles: bool,
) -> Option<u16> {
    let has_panel = |&width: &u16| layout_in_window(position, (width, height), has_tiles).panel.is_some();
    (width..=MAX_NEEDED_WINDOW_WIDTH).find(has_panel)
}

/// Reports whether a window has room for a board.
pub(super) fn has_room_for_board(position: &dyn Position, window: (u16, u16)) -> bool {
    largest_fitting_drawing(&line_drawings(position).sizes, window).is_some()
}

/// Converts a number of columns or rows to `u16`, or to `u16::MAX` if it is too large.
pub(super) fn to_u16_saturating(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// Reports whether panels fit beside a board of `w` columns in a window of `width` columns.
fn fits_panels_beside(w: u16, width: u16) -> bool {
    w.saturating_add(1 + MIN_PANEL_WIDTH) <= width
}

/// Reports whether panels fit below a board of this size in a window of this size.
fn fits_panels_below((w, h): (u16, u16), (width, height): (u16, u16)) -> bool {
    w.saturating_add(2).max(MIN_SCREEN_WIDTH) <= width
        && h.saturating_add(7 + PANELS_BELOW_BOARD_LIMITS.1) <= height
}

/// Returns the index of the largest drawing that fits into a window, preferably together with
/// panels.
fn largest_fitting_drawing(sizes: &[(u16, u16)], (width, height): (u16, u16)) -> Option<usize> {
    let lowest = sizes.first().map_or(0, |&(_, h)| h).max(HIGH_BOARD_ROWS);
    let is_high = |h: u16| h.saturating_add(if h > lowest { 6 } else { 3 }) <= height;
    let with_panels = |&(w, h): &(u16, u16)| {
        fits_panels_beside(w, width) && is_high(h) || fits_panels_below((w, h), (width, height))
    };
    let alone = |&(w, h): &(u16, u16)| w.saturating_add(2).max(MIN_SCREEN_WIDTH) <= width && is_high(h);
    let is_small = |&(w, h): &(u16, u16)| w <= SMALL_BOARD_SIZE.0 && h <= SMALL_BOARD_SIZE.1;
    let large = sizes.iter().rposition(|size| is_small(size) && alone(size));
    sizes.iter().rposition(with_panels).max(large).or_else(|| sizes.iter().rposition(alone))
}

/// Sizes of all drawings of a board. Drawings in tiles also have scales.
struct BoardDrawings {
    sizes: Vec<(u16, u16)>,
    scales: Vec<TilingScale>,
}

/// Returns the sizes of the drawings in lines.
fn line_drawings(position: &dyn Position) -> BoardDrawings {
    let sizes = position
        .as_paint()
        .board_sizes()
        .into_iter()
        .map(|(w, h)| (to_u16_saturating(w), to_u16_saturating(h)));
    BoardDrawings { sizes: sizes.collect(), scales: Vec::new() }
}

/// Returns the drawings in tiles if they are wanted and one fits, or else those in lines.
fn preferred_drawings(position: &dyn Position, window: (u16, u16), has_tiles: bool) -> BoardDrawings {
    let is_wanted = has_tiles && has_room_for_board(position, window);
    let in_tiles = is_wanted.then(|| {
        let scene = position.as_paint().scene(&PaintOptions::default());
        let scales = scene.tiling.scales();
        let size = |&scale: &TilingScale| {
            let (width, height) = scene.size_in_characters(scale);
            (to_u16_saturating(width), to_u16_saturating(height))
        };
        BoardDrawings { sizes: scales.iter().map(size).collect(), scales }
    });
    let fits = |drawings: &BoardDrawings| largest_fitting_drawing(&drawings.sizes, window).is_some();
    in_tiles.filter(fits).unwrap_or_else(|| line_drawings(position))
}

/// Computes the areas for a board in lines in a window of this size.
pub fn layout_in_lines(position: &dyn Position, window: (u16, u16)) -> ScreenLayout {
    layout_in_window(position, window, false)
}

/// Computes the areas for a board in a window of this size, in tiles if they are wanted and fit.
pub fn layout_in_window(
    position: &dyn Position,
    (width, height): (u16, u16),
    has_tiles: bool,
) -> ScreenLayout {
    let BoardDrawings { sizes, scales } = preferred_drawings(position, (width, height), has_tiles);
    let density = largest_fitting_drawing(&sizes, (width, height));
    let (w, h) = density.map_or((0, 0), |density| sizes[density]);
    let has_room = h.saturating_add(6) <= height;
    let row = |from_bottom| height.saturating_sub(from_bottom);
    let line = |y: u16| Rect { x: 0, y, width, height: u16::from(y < height) };
    let (top, status): (u16, u16) = if has_room { (2, row(3)) } else { (1, row(2)) };
    let is_beside = density.is_some() && fits_panels_beside(w, width);
    let is_below = density.is_some() && !is_beside && fits_panels_below((w, h), (width, height));
    // The row below the board needs two rows above the status line and one that separates them.
    let is_free = density.is_some() && (width >= WIDE_WINDOW_COLUMNS || !is_beside);
    let has_below_board = is_free && top.saturating_add(h + 3) <= status;
    // Otherwise the row directly above the status line is used, if the board leaves it free.
    let narrow_below_board = (density.is_some() && top.saturating_add(h) < status).then(|| line(status - 1));
    let below = if has_below_board { 3 } else { u16::from(has_room) };
    let rows = status.saturating_sub(top + below);
    // In a low window the panels also use the row between the board and the row below it.
    let panel_rows = rows + u16::from(has_below_board && height < HIGH_WINDOW_ROWS);
    let all = Rect { x: 0, y: top, width, height: panel_rows };
    // A board with spare rows is placed a little above the middle.
    let y = if is_below { top } else { top + rows.saturating_sub(h) * 2 / 5 };
    let x = (width.saturating_sub(w) / 2).max(u16::from(density.is_some()));
    let alone = Rect { x, y, width: w, height: h };
    let (board, panel) = match (is_beside, is_below) {
        (true, _) => place_panels_beside(alone, all),
        (false, true) => (alone, Some(place_panels_below(alone, Rect { height: rows, ..all }))),
        (false, false) => (alone, None),
    };
    // The row below the board spans the board and the panels. It begins one column further left,
    // since its text is indented by one.
    let (from, to) = match panel.filter(|_| is_beside) {
        Some(panel) => (board.x.saturating_sub(1), panel.right()),
        None => (0, width),
    };
    ScreenLayout {
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

/// Places the panels to the right of the board and centres both together.
fn place_panels_beside(board: Rect, all: Rect) -> (Rect, Option<Rect>) {
    let free = all.width - (board.width + 1);
    // The gap has up to three columns, and one column stays free at the edge if possible.
    let more_gap = free.saturating_sub(USUAL_PANEL_WIDTH + 1).min(2);
    let width = (free - more_gap).saturating_sub(1).clamp(MIN_PANEL_WIDTH, MAX_PANEL_WIDTH);
    let board = Rect { x: (free - more_gap - width).div_ceil(2), ..board };
    let x = (board.right() + 1 + more_gap).min(all.width - width);
    (board, Some(Rect { x, width, ..all }))
}

/// Places the panels below the board, with a gap of one row.
fn place_panels_below(board: Rect, all: Rect) -> Rect {
    let width = board.width.clamp(MIN_PANEL_WIDTH, PANELS_BELOW_BOARD_LIMITS.0);
    let y = board.bottom() + 1;
    Rect { x: (all.width - width) / 2, y, width, height: all.bottom().saturating_sub(y) }
}
