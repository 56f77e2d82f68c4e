//! What the full screen keeps of its own: layers, cursor, overlay, theme. Nothing that the match knows.

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui_core::style::Style;

use super::key_table::without_arrows;
use super::layer::{Layer, Layers, Page, Prompt, Rank};
use super::layout::LayoutCache;
use super::list::List;
use super::menu::Menu;
use super::theme::{Depth, Ground, Ink, KnownGround, OwnTheme, Part, Theme};
use crate::canvas::Glyphs;
use crate::messages::Wording;
use crate::play::Now;
use crate::record::NodeId;
use crate::text::Text;
use crate::ui::kept::Kept;
use crate::ui::listing::{Found, Wanted};

/// The most characters of a line that is typed.
pub(super) const MAX_TYPED: usize = 200;
/// The same of one that holds a comment.
pub(super) const MAX_COMMENT: usize = 1000;

/// What comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was moved or clicked.
    Mouse(MouseEvent),
    /// The window has these columns and rows now.
    Resize(u16, u16),
    /// The program is to stop until it is continued.
    Stop,
    /// The program goes on after somebody has stopped it.
    Continue,
    /// A game was found that can be gone on with.
    Found(Kept),
    /// So many mistakes are due.
    Due(usize),
    /// Games cannot be read, and why.
    Unreadable(String),
    /// What a list wanted was found.
    Listed(Found),
    /// A saved game was deleted, or why it was not.
    Deleted(Option<String>),
    /// More has come at once than anybody types; the rest of it is dropped.
    TooMuch,
    /// The terminal has told its ground.
    Ground(Ground),
    /// It shows all colours, not only 256.
    AllColours,
    /// The terminal has told what it can do: it has answered everything that was asked before.
    Answered,
}

/// How the screen looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appearance {
    /// The characters.
    pub glyphs: Glyphs,
    /// The colours.
    pub theme: Theme,
    /// How many colours there are.
    pub depth: Depth,
    /// `true` if boards are drawn in tiles, where the theme and the characters allow them.
    pub wants_tiles: bool,
    /// What is known about the ground of the terminal.
    pub ground: KnownGround,
    /// The themes of the file of settings.
    pub own_themes: &'static [OwnTheme],
    /// `true` if the mouse is used.
    pub has_mouse: bool,
    /// `true` if plain text shows the numbers of every search.
    pub has_stats: bool,
    /// How the person likes to play.
    pub habits: Habits,
}

impl Appearance {
    /// The theme as it is on this terminal.
    pub(super) fn ink(&self) -> Ink {
        Ink { theme: self.theme, depth: self.depth, ground: self.ground.seen() }
    }

    /// Reports whether boards are drawn in tiles here: they need colours of the theme's own, and block characters.
    pub(super) fn has_tiles(&self) -> bool {
        self.wants_tiles && self.glyphs == Glyphs::Unicode && self.ink().palette().is_some()
    }

    /// How a part of the screen looks on this terminal.
    pub(super) fn part(&self, part: Part) -> Style {
        self.ink().part(part)
    }

    /// Names of keys, without arrows where the terminal may have none.
    pub(super) fn keys(&self, text: &str) -> String {
        if self.glyphs == Glyphs::Unicode { text.to_owned() } else { without_arrows(text) }
    }

    /// What stands for something left out.
    pub(super) fn dots(&self) -> &'static str {
        if self.glyphs == Glyphs::Unicode { "…" } else { "~" }
    }

    /// How sentences are worded on this screen.
    pub(super) fn wording(&self) -> Wording {
        Wording { glyphs: self.glyphs, names_keys: true }
    }

    /// What a theme that depends on the terminal comes to here.
    pub(super) fn found_theme(&self) -> Option<&'static str> {
        let ground = self.ground.seen().filter(|_| self.theme.asks_for_ground() && self.depth.has_palettes());
        ground.map(|ground| if ground == Ground::Light { "light" } else { "dark" })
    }

    /// Reports whether the terminal has to be asked if it shows more colours than it says.
    pub(super) fn needs_depth(&self) -> bool {
        self.depth == Depth::Indexed { may_have_all: true }
    }

    /// Reports whether the terminal has to be asked for its ground.
    pub(super) fn needs_ground(&self) -> bool {
        self.theme.asks_for_ground() && self.ground == KnownGround::Unasked && self.depth.has_palettes()
    }
}

/// How a person likes to play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Habits {
    /// `true` if the bell rings when it is the person's turn again.
    pub has_bell: bool,
    /// `true` if `h j k l` move the cursor.
    pub has_vi_keys: bool,
    /// `true` if a digit plays a cell of a board of nine.
    pub has_digits: bool,
    /// `true` if nothing on the board moves by itself.
    pub is_still: bool,
}

/// The most moves of an engine that are shown, the best one first.
pub(super) const MOST_LINES: u8 = 5;

/// What the arrows walk at the analysis board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Focus {
    /// The tree of moves.
    #[default]
    Moves,
    /// The board, to play there.
    Cursor,
    /// The lines of the engine.
    Lines(LineWalk),
    /// The board, to set up a position.
    SetUp,
}

/// A line of the engine that is walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineWalk {
    /// The position at which the lines begin.
    pub(super) from: NodeId,
    /// Which of the lines it is, the best one 0.
    pub(super) number: usize,
    /// The moves of all lines.
    pub(super) lines: Vec<Vec<String>>,
    /// How many of its moves are shown.
    pub(super) step: usize,
}

/// The cursor on the board, by the text of the move that its place means.
#[derive(Clone, Debug, Default)]
pub struct BoardCursor {
    /// The place.
    pub(super) place: Option<String>,
    /// The layer of places that it is on.
    pub(super) layer: u8,
    /// The last layer that was not the first, and the place there.
    pub(super) other_layer: u8,
    pub(super) other_place: Option<String>,
    /// What the arrows walk at the analysis board.
    pub(super) focus: Focus,
    /// Where a click has shown a wall or turned it: there the next click builds what is shown.
    pub(super) clicked_at: Option<(u16, u16)>,
    /// The layer and the place before a line was typed.
    pub(super) before: Option<(u8, Option<String>)>,
}

/// What the status line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Remark {
    /// What has happened last in the match.
    #[default]
    Match,
    /// What can be done now: what was said was read, or put away.
    Invitation,
    /// Something about the screen itself.
    Own(Text),
    /// That something cannot be done.
    No(Text),
}

/// What the menu offers: the game to go on with, and the mistakes that are due.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// That game.
    pub kept: Option<Kept>,
    /// Why saved games cannot be read.
    pub(super) unreadable: Option<String>,
    /// How many mistakes are due.
    pub(super) due: usize,
}

/// How the board is drawn, beyond what the match says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Drawing {
    /// The board that the rest was chosen for.
    pub(super) board: String,
    /// What lies over the board: 0 nothing, else the number of one of the overlays.
    pub(super) overlay: usize,
    /// `true` if the board is turned.
    pub(super) is_turned: bool,
    /// `true` if the panel of the engine is there.
    pub(super) shows_engine: bool,
    /// `true` if the machine thinks about every position that is shown, and tells what it thinks.
    pub(super) studies: bool,
    /// `true` if the panel of the review comes before that of the engine, where there is room for one of them.
    pub(super) prefers_review: bool,
    /// How many of the engine's best moves are left out at the analysis board.
    pub(super) lines_left_out: u8,
}

impl Drawing {
    /// How many of the engine's best moves are shown.
    pub(super) fn lines(&self) -> usize {
        usize::from(MOST_LINES - self.lines_left_out)
    }
}

/// A move that is shown as it is made.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// The position that it led to.
    pub(super) node: NodeId,
    /// When it was first drawn.
    pub(super) from: Option<Now>,
}

/// What a layout was made from: as long as this is the same, so is the layout.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LayoutKey {
    pub(super) size: (u16, u16),
    pub(super) looks: Appearance,
    pub(super) drawing: Drawing,
    pub(super) has_menu: bool,
    /// How often the match has told something.
    pub(super) heard: u64,
    /// The number of the game, the position that is shown and the present one.
    pub(super) shown: Option<(u64, NodeId, NodeId)>,
}

/// Everything that the screen keeps.
#[derive(Clone, Debug)]
pub struct Screen {
    /// Columns and rows of the window.
    pub size: (u16, u16),
    /// How the screen looks.
    pub looks: Appearance,
    /// What lies over the board.
    pub layers: Layers,
    /// What the status line says.
    pub remark: Remark,
    /// The game that the menu offers to go on with.
    pub saved: Saved,
    /// The cursor on the board.
    pub cursor: BoardCursor,
    /// How the board is drawn.
    pub drawing: Drawing,
    /// `true` if the time that was used is shown.
    pub has_clocks: bool,
    /// The time at which the clocks are read.
    pub now: Now,
    /// The move that is shown as it is made.
    pub motion: Option<Motion>,
    /// How often the match has told something.
    pub(super) heard: u64,
    /// Where everything stands.
    pub(super) layouts: LayoutCache<LayoutKey>,
}

/// Pauses of a replay that runs by itself.
pub(crate) const PAUSES: [Duration; 5] = [
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];

impl Screen {
    /// An empty screen of this size, in columns and rows.
    pub fn new(looks: Appearance, size: (u16, u16)) -> Self {
        Screen {
            size,
            looks,
            layers: Layers::default(),
            remark: Remark::default(),
            saved: Saved::default(),
            cursor: BoardCursor { other_layer: 1, ..BoardCursor::default() },
            drawing: Drawing { shows_engine: true, ..Drawing::default() },
            has_clocks: false,
            now: Now::ZERO,
            motion: None,
            heard: 0,
            layouts: LayoutCache::default(),
        }
    }

    /// How many layouts were made for this screen: no more than one for an event or a frame.
    pub fn layouts_made(&self) -> usize {
        self.layouts.count()
    }

    /// Opens a layer.
    pub fn open(&mut self, layer: Layer) {
        match layer {
            Layer::Prompt(_) => self.cursor.before = Some((self.cursor.layer, self.cursor.place.clone())),
            // A line that waits for a larger window belongs to the board.
            Layer::Menu(_) => self.close(Rank::Prompt),
            _ => {}
        }
        self.layers.open(layer);
    }

    /// Closes the layer of this rank, if it is open. What waited for it is opened then.
    pub fn close(&mut self, rank: Rank) {
        if let Some(Layer::Prompt(Prompt { next: Some(page), .. })) = self.layers.close(rank) {
            self.layers.open(Layer::Page(page));
        }
    }

    /// The start menu, while it is open.
    pub fn menu(&self) -> Option<&Menu> {
        self.layers
            .iter()
            .find_map(|layer| if let Layer::Menu(menu) = layer { Some(menu.as_ref()) } else { None })
    }

    /// The same, to be changed.
    pub fn menu_mut(&mut self) -> Option<&mut Menu> {
        self.layers
            .iter_mut()
            .find_map(|layer| if let Layer::Menu(menu) = layer { Some(menu.as_mut()) } else { None })
    }

    /// The list to choose from, while one is open.
    pub fn list_mut(&mut self) -> Option<&mut List> {
        self.layers.iter_mut().find_map(|layer| if let Layer::List(list) = layer { Some(list) } else { None })
    }

    /// What an open list has to know; it is asked for once.
    pub fn take_wanted(&mut self) -> Option<Wanted> {
        self.list_mut()?.take_wanted()
    }

    /// The page of text over everything, while one is open.
    pub fn page(&self) -> Option<&Page> {
        self.layers.iter().find_map(|layer| if let Layer::Page(page) = layer { Some(page) } else { None })
    }

    /// The line that is typed, while there is one.
    pub fn typed(&self) -> Option<&str> {
        self.layers
            .iter()
            .find_map(|layer| if let Layer::Prompt(line) = layer { Some(&*line.text) } else { None })
    }

    /// Shows a page; who types is not interrupted.
    pub(super) fn answer(&mut self, page: Page) {
        let typed = self.layers.iter_mut().find_map(|layer| match layer {
            Layer::Prompt(line) => Some(line),
            _ => None,
        });
        match typed {
            Some(line) => line.next = Some(page),
            None => self.layers.open(Layer::Page(page)),
        }
    }

    /// Says something in the status line, or in its place in the menu.
    pub(super) fn announce(&mut self, text: impl Into<Text>) {
        let text = text.into();
        match self.menu_mut() {
            Some(menu) => menu.notice = Some(text.into_string()),
            None => self.remark = Remark::Own(text),
        }
    }

    /// Says something in the status line.
    pub(super) fn tell(&mut self, text: impl Into<Text>) {
        self.remark = Remark::Own(text.into());
    }

    /// Says in the status line that something cannot be done.
    pub(super) fn refuse(&mut self, text: impl Into<Text>) {
        self.remark = Remark::No(text.into());
    }

    /// The cursor goes back to where it was before the field was opened, if it was.
    pub(super) fn put_cursor_back(&mut self) {
        if let Some((layer, place)) = self.cursor.before.take() {
            (self.cursor.layer, self.cursor.place) = (layer, place);
        }
    }
}
