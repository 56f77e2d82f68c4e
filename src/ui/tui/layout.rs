//! Where things stand on the screen. Drawing, keys and clicks read the same value, so they cannot differ.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use ratatui_core::layout::Rect;
use ratatui_core::text::Line;

use crate::canvas::PaintOptions;
use crate::drawing::Scale;
use crate::session::Position;

/// The narrowest panel.
const PANEL: u16 = 24;
/// So wide a panel has room for all that is told in one.
const USUAL_PANEL: u16 = 34;
/// The widest panel.
const WIDEST_PANEL: u16 = 40;
/// Panels stand on both sides of the board in windows so wide, where they can be so wide.
const BOTH_SIDES: (u16, u16) = (140, PANEL);
/// Panels above and below a slanted board are so wide and have at least so many rows.
const CORNER: (u16, u16) = (30, 14);
/// So high a window has rows to spare beside most boards.
pub(super) const HIGH: u16 = 30;
/// So wide a window has room for all that is told below the board.
pub(super) const WIDE: u16 = 80;
/// Without a panel the screen is at least so wide.
const MIN_WIDTH: u16 = 40;
/// A board of more rows leaves rows for all that is told above and below it.
const HIGH_BOARD: u16 = 31;
/// A board that is no larger is drawn as large as it can be, with a panel or without.
const SMALL_BOARD: (u16, u16) = (54, 21);

/// No window has to be wider for any board.
const WIDEST_WINDOW: u16 = 300;

/// The places of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Index of the way to draw the board; `None` if the window is too small for all of them.
    pub density: Option<usize>,
    /// The scale of the tiles that the board is drawn in; then `density` is that of the smallest drawing in lines.
    pub scale: Option<Scale>,
    /// The board.
    pub board: Rect,
    /// The panels on its right; above its right end, where it is slanted and has no room beside it.
    pub panel: Option<Rect>,
    /// Those on its left, in a wide window; then below its left end.
    pub left_panel: Option<Rect>,
    /// A row below the board, where there is one to spare; what stands beside the board may reach into it.
    pub below_board: Option<Rect>,
    /// The title.
    pub title: Rect,
    /// The status line, which is the field for typing too; two rows where there is room.
    pub status: Rect,
    /// The key bar.
    pub bar: Rect,
}

/// A panel beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PanelId {
    /// How the game ended.
    Ending,
    /// What the file of the game says about the position.
    Comment,
    /// What the game counts.
    Tally,
    /// The moves.
    Moves,
    /// What an engine has found, or what every move is worth.
    Engine,
    /// The chances after every move of a review.
    Review,
    /// What the signs on the board mean.
    Legend,
    /// The results of the games that were played.
    Score,
}

/// What a panel has to show, whatever room it gets.
#[derive(Clone, Debug)]
pub(super) struct PanelContent {
    /// Which panel it is.
    pub(super) id: PanelId,
    /// Of two panels that want the same rows the one of lower rank has them.
    pub(super) rank: u8,
    /// The fewest rows that are of use, frame included; 0 if there is nothing to show.
    pub(super) min: u16,
    /// The rows that all of it takes, frame included.
    pub(super) wanted: u16,
    /// The heading of its frame.
    pub(super) title: String,
    /// Its lines.
    pub(super) lines: Vec<Line<'static>>,
    /// Its lines where it has fewer rows than those take.
    pub(super) short: Vec<Line<'static>>,
    /// What stands behind the last line where some are left out; empty where that needs no sign.
    pub(super) dots: &'static str,
}

/// A panel at its place.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// What it shows.
    pub(super) content: PanelContent,
    /// Where; of height 0 where it has no room.
    pub(super) area: Rect,
    /// The first of its lines that is seen.
    pub(super) top: usize,
}

/// The places of one frame with what stands in the panels.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameLayout {
    /// The board and the rows around it.
    pub(super) frame: Layout,
    /// The panels that have something to show, whether they have room or not.
    pub(super) panels: Vec<Panel>,
    /// Whether the engine's panel has room, or would have, were it wanted.
    pub(super) has_room_for_engine: bool,
    /// Whether the review stands where the engine's panel would.
    pub(super) hides_engine: bool,
}

impl FrameLayout {
    /// A panel that has room.
    pub(super) fn panel(&self, id: PanelId) -> Option<&Panel> {
        self.panels.iter().find(|panel| panel.content.id == id && panel.area.height > 0)
    }

    /// Whether a panel has room.
    pub(super) fn has(&self, id: PanelId) -> bool {
        self.panel(id).is_some()
    }

    /// Whether the engine's panel stands where that of the review would.
    pub(super) fn hides_review(&self) -> bool {
        let is_wanted = |panel: &Panel| panel.content.id == PanelId::Review && panel.content.wanted > 0;
        self.has(PanelId::Engine) && self.panels.iter().any(is_wanted) && !self.has(PanelId::Review)
    }
}

/// The last layout, kept as long as what it was made from stays the same.
pub(super) struct LayoutCache<K> {
    last: RefCell<Option<(K, Rc<FrameLayout>)>>,
    count: Cell<usize>,
}

impl<K> Default for LayoutCache<K> {
    fn default() -> Self {
        LayoutCache { last: RefCell::default(), count: Cell::default() }
    }
}

/// A copy has made no layout yet.
impl<K> Clone for LayoutCache<K> {
    fn clone(&self) -> Self {
        LayoutCache::default()
    }
}

/// It is no part of what the screen keeps: what it was made from is.
impl<K> fmt::Debug for LayoutCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LayoutCache")
    }
}

impl<K: PartialEq> LayoutCache<K> {
    /// Returns the layout for this state, which is made if the last one was for another state.
    pub(super) fn of(&self, key: K, make: impl FnOnce() -> FrameLayout) -> Rc<FrameLayout> {
        if let Some((_, layout)) = self.last.borrow().as_ref().filter(|(last, _)| *last == key) {
            return Rc::clone(layout);
        }
        self.count.set(self.count.get() + 1);
        let layout = Rc::new(make());
        *self.last.borrow_mut() = Some((key, Rc::clone(&layout)));
        layout
    }

    /// Returns how many layouts were made.
    pub(super) fn count(&self) -> usize {
        self.count.get()
    }
}

/// Columns and rows of the smallest window that shows the board.
pub(super) fn least(position: &dyn Position) -> (usize, usize) {
    let (width, height) = position.drawn().board_sizes().first().copied().unwrap_or((0, 0));
    ((width + 2).max(usize::from(MIN_WIDTH)), height + 3)
}

/// The columns of the narrowest window of this height that has panels, if it is no narrower than this one.
pub(super) fn columns_for_panel(
    position: &dyn Position,
    (width, height): (u16, u16),
    has_tiles: bool,
) -> Option<u16> {
    let has_panel = |&width: &u16| {
        let Drawings { sizes, leans, .. } = drawings(position, (width, height), has_tiles);
        let density = density(&sizes, &leans, (width, height));
        density.is_some_and(|density| {
            let is_beside = sizes[density].0.saturating_add(2 + PANEL) <= width;
            is_beside || Corners::of(sizes[density], leans[density], (width, height)).is_some()
        })
    };
    (width..=WIDEST_WINDOW).find(has_panel)
}

/// Whether a window has room for a board.
pub(super) fn has_room(position: &dyn Position, window: (u16, u16)) -> bool {
    let Drawings { sizes, leans, .. } = in_lines(position);
    density(&sizes, &leans, window).is_some()
}

/// A count of columns or rows, as far as a window can have them.
pub(super) fn number(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// A slanted board in a window, with panels above its right end and below its left one.
struct Corners {
    x: u16,
    /// Rows of the board that each panel stands beside.
    rows: u16,
}

impl Corners {
    /// Where a board of this size leans so far that panels have room beside it, which they have not otherwise.
    fn of((w, h): (u16, u16), lean: u16, (width, height): (u16, u16)) -> Option<Self> {
        let (wide, (panel, least)) = (BOTH_SIDES.0, CORNER);
        if width < wide || lean == 0 || w.saturating_add(2) > width || h.saturating_add(6) > height {
            return None;
        }
        let x = (width - w) / 2;
        // The columns that are free beside the first row, and beside the last one, from the panel on.
        let free = (x + lean).checked_sub(panel + 2)?.min(lean);
        let rows = u16::try_from(u32::from(h) * u32::from(free) / u32::from(lean)).unwrap_or(h);
        let rows = rows.saturating_sub(2);
        (rows >= least && rows < h).then_some(Corners { x, rows })
    }

    /// The places of the board, of the panel above its right end and of the one below its left end.
    fn places(&self, board: Rect, all: Rect) -> (Rect, Option<Rect>, Option<Rect>) {
        let board = Rect { x: self.x, ..board };
        let (width, end) = (CORNER.0, all.y + all.height);
        let right = Rect { x: all.width - width, y: all.y, width, height: board.y - all.y + self.rows };
        let y = board.bottom() - self.rows;
        (board, Some(right), Some(Rect { x: 0, y, width, height: end - y }))
    }
}

/// The largest of these drawings that has room in a window, best with a panel.
fn density(sizes: &[(u16, u16)], leans: &[u16], (width, height): (u16, u16)) -> Option<usize> {
    let lowest = sizes.first().map_or(0, |&(_, h)| h).max(HIGH_BOARD);
    let is_high = |h: u16| h.saturating_add(if h > lowest { 6 } else { 3 }) <= height;
    let with_panel = |&(w, h): &(u16, u16)| w.saturating_add(2 + PANEL) <= width && is_high(h);
    let alone = |&(w, h): &(u16, u16)| w.saturating_add(2).max(MIN_WIDTH) <= width && is_high(h);
    let is_small = |&(w, h): &(u16, u16)| w <= SMALL_BOARD.0 && h <= SMALL_BOARD.1;
    let large = sizes.iter().rposition(|size| is_small(size) && alone(size));
    let leaning =
        (0..sizes.len()).rev().find(|&i| Corners::of(sizes[i], leans[i], (width, height)).is_some());
    sizes.iter().rposition(with_panel).max(large).max(leaning).or_else(|| sizes.iter().rposition(alone))
}

/// The sizes of all drawings of a board, how far each leans, and the scales of those in tiles.
struct Drawings {
    sizes: Vec<(u16, u16)>,
    leans: Vec<u16>,
    scales: Vec<Scale>,
}

/// Those in lines.
fn in_lines(position: &dyn Position) -> Drawings {
    let sizes = position.drawn().board_sizes().into_iter().map(|(w, h)| (number(w), number(h)));
    let lean = |(density, size)| (size, number(position.drawn().lean(density)));
    let (sizes, leans) = sizes.enumerate().map(lean).unzip();
    Drawings { sizes, leans, scales: Vec::new() }
}

/// Those in tiles where they are wanted and one has room, else those in lines.
fn drawings(position: &dyn Position, window: (u16, u16), has_tiles: bool) -> Drawings {
    let is_wanted = has_tiles && has_room(position, window);
    let in_tiles = is_wanted.then(|| {
        let scene = position.drawn().scene(&PaintOptions::default());
        let scales = scene.tiling.scales();
        let size = |&scale: &Scale| {
            let (width, height) = scene.size(scale);
            ((number(width), number(height)), number(scene.lean(scale)))
        };
        let (sizes, leans) = scales.iter().map(size).unzip();
        Drawings { sizes, leans, scales }
    });
    let fits = |drawings: &Drawings| density(&drawings.sizes, &drawings.leans, window).is_some();
    in_tiles.filter(fits).unwrap_or_else(|| in_lines(position))
}

/// The places for a board in lines in a window.
pub fn layout(position: &dyn Position, window: (u16, u16)) -> Layout {
    layout_on(position, window, false)
}

/// The places for a board in a window, in tiles where they are wanted and have room.
pub fn layout_on(position: &dyn Position, (width, height): (u16, u16), has_tiles: bool) -> Layout {
    let Drawings { sizes, leans, scales } = drawings(position, (width, height), has_tiles);
    let density = density(&sizes, &leans, (width, height));
    let (w, h) = density.map_or((0, 0), |density| sizes[density]);
    let has_room = h.saturating_add(6) <= height;
    let row = |from_bottom| height.saturating_sub(from_bottom);
    let line = |y: u16| Rect { x: 0, y, width, height: u16::from(y < height) };
    let (top, status): (u16, u16) = if has_room { (2, row(3)) } else { (1, row(2)) };
    let has_panel = density.is_some() && w.saturating_add(2 + PANEL) <= width;
    let beside = width.saturating_sub(w + 2);
    let has_both = has_panel && width >= BOTH_SIDES.0 && beside.saturating_sub(4) / 2 >= BOTH_SIDES.1;
    // Between board and panel there are up to three columns.
    let more_gap = beside.saturating_sub(USUAL_PANEL).min(2);
    let panel_width =
        if has_both { (beside - 4) / 2 } else { beside.saturating_sub(more_gap) }.min(WIDEST_PANEL);
    // Two rows between the board and the status line, and one to part them from it.
    let is_free = density.is_some() && (width >= WIDE || !has_panel);
    let has_below_board = is_free && top.saturating_add(h + 3) <= status;
    // Else a row that the board leaves.
    let narrow_below_board = (density.is_some() && top.saturating_add(h) < status).then(|| line(status - 1));
    let below = if has_below_board { 3 } else { u16::from(has_room) };
    let rows = status.saturating_sub(top + below);
    // Board and panels stand in the middle together; beside a panel at least one column from the edge.
    let x = match (has_both, has_panel) {
        (true, _) => (width - w) / 2,
        (false, true) => (beside - more_gap - panel_width) / 2 + 1,
        (false, false) => (width.saturating_sub(w) / 2).max(u16::from(density.is_some())),
    };
    // A little above the middle of the rows, where there are rows to spare.
    let y = top + rows.saturating_sub(h) * 2 / 5;
    let board = Rect { x, y, width: w, height: h };
    let corners = density
        .filter(|_| !has_both)
        .and_then(|density| Corners::of((w, h), leans[density], (width, height)));
    // In a low window the panels need the row that parts the board from the row below.
    let panel_rows = rows + u16::from(has_below_board && height < HIGH);
    let panel_at = |x: u16| Rect { x, y: top, width: panel_width, height: panel_rows };
    let gap = if has_both { 2 } else { 1 + more_gap };
    let panel = has_panel.then(|| panel_at((x + w + gap).min(width - panel_width)));
    let left_panel = has_both.then(|| panel_at(x - gap - panel_width));
    let all = Rect { x: 0, y: top, width, height: rows };
    let (board, panel, left_panel) =
        corners.map_or((board, panel, left_panel), |corners| corners.places(board, all));
    // The row below is as wide as board and panels; its text begins one column from the left.
    let from = left_panel.map_or(if has_panel { x } else { 0 }, |left| left.x).saturating_sub(1);
    let to = panel.map_or(width, |panel| panel.x + panel.width);
    Layout {
        density: density.map(|density| if scales.is_empty() { density } else { 0 }),
        scale: density.and_then(|density| scales.get(density)).copied(),
        board,
        panel,
        left_panel,
        below_board: has_below_board
            .then(|| Rect { x: from, y: status - 2, width: to - from, height: 1 })
            .or(narrow_below_board),
        title: line(0),
        status: Rect { height: if has_room { 2 } else { line(status.max(1)).height }, ..line(status.max(1)) },
        bar: line(row(1).max(1)),
    }
}
