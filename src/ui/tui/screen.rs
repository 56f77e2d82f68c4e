//! State of the full screen: layers, cursor, overlay, theme. It repeats nothing that the match
//! knows.

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui_core::style::Style;

use super::key_table::without_arrows;
use super::layer::{Layer, Layers, Page, Prompt, Rank};
use super::layout::LayoutCache;
use super::list::List;
use super::menu::Menu;
use super::theme::{Background, ColorDepth, Ink, KnownBackground, OwnTheme, Part, Theme};
use crate::canvas::Glyphs;
use crate::messages::Wording;
use crate::play::Now;
use crate::record::NodeId;
use crate::text::Text;
use crate::ui::kept::SavedGame;
use crate::ui::listing::{Found, ListRequest};

/// Most characters of a line that is typed.
pub(super) const MAX_TYPED: usize = 200;
/// Most characters of a typed line that holds a comment.
pub(super) const MAX_COMMENT: usize = 1000;

/// Event from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was moved or clicked.
    Mouse(MouseEvent),
    /// The window now has this number of columns and rows.
    Resize(u16, u16),
    /// The program is to stop until it is continued.
    Stop,
    /// The program continues after it was stopped.
    Continue,
    /// An unfinished game was found.
    Found(SavedGame),
    /// This number of mistakes is due.
    Due(usize),
    /// Games cannot be read, for this reason.
    Unreadable(String),
    /// The contents for a list were found.
    Listed(Found),
    /// A saved game was deleted, or not, for this reason.
    Deleted(Option<String>),
    /// More keys have come at once than anybody types; the rest is dropped.
    TooMuch,
    /// The terminal has reported its background.
    Background(Background),
    /// The terminal shows all colours, not only 256.
    AllColours,
    /// The terminal has reported its abilities: everything asked before is answered.
    Answered,
}

/// Appearance of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appearance {
    /// Characters.
    pub glyphs: Glyphs,
    /// Colours.
    pub theme: Theme,
    /// Number of colours.
    pub depth: ColorDepth,
    /// `true` if boards are drawn in tiles, where the theme and the characters allow them.
    pub wants_tiles: bool,
    /// Background of the terminal, as far as it is known.
    pub ground: KnownBackground,
    /// Themes of the config file.
    pub own_themes: &'static [OwnTheme],
    /// `true` if the mouse is used.
    pub has_mouse: bool,
    /// `true` if plain text shows the statistics of every search.
    pub has_stats: bool,
    /// Preferences of the person.
    pub habits: Preferences,
}

impl Appearance {
    /// Returns the theme as it is on this terminal.
    pub(super) fn ink(&self) -> Ink {
        Ink { theme: self.theme, depth: self.depth, ground: self.ground.seen() }
    }

    /// Reports whether boards are drawn in tiles here: they need colours of the theme's own, and block characters.
    pub(super) fn has_tiles(&self) -> bool {
        self.wants_tiles && self.glyphs == Glyphs::Unicode && self.ink().palette().is_some()
    }

    /// Returns the style of a part of the screen on this terminal.
    pub(super) fn part(&self, part: Part) -> Style {
        self.ink().part(part)
    }

    /// Returns names of keys, without arrows where the terminal may have none.
    pub(super) fn keys(&self, text: &str) -> String {
        if self.glyphs == Glyphs::Unicode { text.to_owned() } else { without_arrows(text) }
    }

    /// Returns the sign for something left out.
    pub(super) fn dots(&self) -> &'static str {
        if self.glyphs == Glyphs::Unicode { "…" } else { "~" }
    }

    /// Returns the wording of sentences on this screen.
    pub(super) fn wording(&self) -> Wording {
        Wording { glyphs: self.glyphs, names_keys: true }
    }

    /// Returns the name of the theme that a theme which depends on the terminal becomes here.
    pub(super) fn found_theme(&self) -> Option<&'static str> {
        let ground = self.ground.seen().filter(|_| self.theme.asks_for_ground() && self.depth.has_palettes());
        ground.map(|ground| if ground == Background::Light { "light" } else { "dark" })
    }

    /// Reports whether the terminal has to be asked if it shows more colours than its settings say.
    pub(super) fn needs_depth(&self) -> bool {
        self.depth == ColorDepth::Indexed { may_have_all: true }
    }

    /// Reports whether the terminal has to be asked for its background.
    pub(super) fn needs_ground(&self) -> bool {
        self.theme.asks_for_ground() && self.ground == KnownBackground::Unasked && self.depth.has_palettes()
    }
}

/// Preferences of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Preferences {
    /// `true` if the bell rings when it is the person's turn again.
    pub has_bell: bool,
    /// `true` if `h j k l` move the cursor.
    pub has_vi_keys: bool,
    /// `true` if a digit plays a cell of a board of nine.
    pub has_digits: bool,
    /// `true` if nothing on the board moves by itself.
    pub is_still: bool,
}

/// Most moves of an engine that are shown, the best one first.
pub(super) const MOST_LINES: u8 = 5;

/// Part of the analysis board that the arrows move in.
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

/// Line of the engine that is stepped through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineWalk {
    /// Position at which the lines begin.
    pub(super) from: NodeId,
    /// Index of the line, 0 for the best one.
    pub(super) number: usize,
    /// Moves of all lines.
    pub(super) lines: Vec<Vec<String>>,
    /// Number of its moves that are shown.
    pub(super) step: usize,
}

/// Cursor on the board, by the text of the move that its place means.
#[derive(Clone, Debug, Default)]
pub struct BoardCursor {
    /// Place under the cursor.
    pub(super) place: Option<String>,
    /// Layer of places that it is on.
    pub(super) layer: u8,
    /// Last layer that was not the first, and the place there.
    pub(super) other_layer: u8,
    pub(super) other_place: Option<String>,
    /// Part of the analysis board that the arrows move in.
    pub(super) focus: Focus,
    /// Place where a click has shown a wall or rotated it: there the next click builds it.
    pub(super) clicked_at: Option<(u16, u16)>,
    /// Layer and place before a line was typed.
    pub(super) before: Option<(u8, Option<String>)>,
}

/// Message of the status line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StatusMessage {
    /// The latest event of the match.
    #[default]
    Match,
    /// The things that the player can do now: the last message was read, or put away.
    Invitation,
    /// A message about the screen itself.
    Own(Text),
    /// A message that something cannot be done.
    No(Text),
}

/// Offers of the menu: the unfinished game, and the mistakes that are due.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// Unfinished game.
    pub kept: Option<SavedGame>,
    /// Reason why saved games cannot be read.
    pub(super) unreadable: Option<String>,
    /// Number of mistakes that are due.
    pub(super) due: usize,
}

/// Drawing of the board, beyond the state of the match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Drawing {
    /// Board that the rest was chosen for.
    pub(super) board: String,
    /// Overlay on the board: 0 for none, else its number.
    pub(super) overlay: usize,
    /// `true` if the board is flipped.
    pub(super) is_turned: bool,
    /// `true` if the engine's panel is shown.
    pub(super) shows_engine: bool,
    /// `true` if the engine studies every position that is shown, and its reports are shown.
    pub(super) studies: bool,
    /// `true` if the panel of the review comes before that of the engine, where there is room for
    /// only one of them.
    pub(super) prefers_review: bool,
    /// Number of the engine's best moves that are left out at the analysis board.
    pub(super) lines_left_out: u8,
}

impl Drawing {
    /// Returns the number of the engine's best moves that are shown.
    pub(super) fn lines(&self) -> usize {
        usize::from(MOST_LINES - self.lines_left_out)
    }
}

/// Move that is shown as it is made.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Position that it led to.
    pub(super) node: NodeId,
    /// Time at which it was first drawn.
    pub(super) from: Option<Now>,
}

/// Key of a layout: as long as it stays the same, so does the layout.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LayoutKey {
    pub(super) size: (u16, u16),
    pub(super) looks: Appearance,
    pub(super) drawing: Drawing,
    pub(super) has_menu: bool,
    /// Number of times that the match has reported events.
    pub(super) heard: u64,
    /// Number of the game, the position that is shown and the present one.
    pub(super) shown: Option<(u64, NodeId, NodeId)>,
}

/// State of the full screen.
#[derive(Clone, Debug)]
pub struct Screen {
    /// Columns and rows of the window.
    pub size: (u16, u16),
    /// Appearance of the screen.
    pub looks: Appearance,
    /// Layers over the board.
    pub layers: Layers,
    /// Message of the status line.
    pub remark: StatusMessage,
    /// Offers of the menu.
    pub saved: Saved,
    /// Cursor on the board.
    pub cursor: BoardCursor,
    /// Drawing of the board.
    pub drawing: Drawing,
    /// `true` if the time that each side has used is shown.
    pub has_clocks: bool,
    /// Time at which the clocks are read.
    pub now: Now,
    /// Move that is shown as it is made.
    pub motion: Option<Motion>,
    /// Number of times that the match has reported events.
    pub(super) heard: u64,
    /// Layouts that were made.
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
    /// Creates an empty screen of this size, in columns and rows.
    pub fn new(looks: Appearance, size: (u16, u16)) -> Self {
        Screen {
            size,
            looks,
            layers: Layers::default(),
            remark: StatusMessage::default(),
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

    /// Returns the number of layouts that were made for this screen: at most one for an event or a
    /// frame.
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

    /// Closes the layer of this rank, if it is open. A page that waited for it is opened then.
    pub fn close(&mut self, rank: Rank) {
        if let Some(Layer::Prompt(Prompt { next: Some(page), .. })) = self.layers.close(rank) {
            self.layers.open(Layer::Page(page));
        }
    }

    /// Returns the start menu, while it is open.
    pub fn menu(&self) -> Option<&Menu> {
        self.layers
            .iter()
            .find_map(|layer| if let Layer::Menu(menu) = layer { Some(menu.as_ref()) } else { None })
    }

    /// Returns the start menu, to be changed.
    pub fn menu_mut(&mut self) -> Option<&mut Menu> {
        self.layers
            .iter_mut()
            .find_map(|layer| if let Layer::Menu(menu) = layer { Some(menu.as_mut()) } else { None })
    }

    /// Returns the list to choose from, while one is open.
    pub fn list_mut(&mut self) -> Option<&mut List> {
        self.layers.iter_mut().find_map(|layer| if let Layer::List(list) = layer { Some(list) } else { None })
    }

    /// Returns the request of an open list for its contents; each is made once.
    pub fn take_wanted(&mut self) -> Option<ListRequest> {
        self.list_mut()?.take_wanted()
    }

    /// Returns the page of text over everything, while one is open.
    pub fn page(&self) -> Option<&Page> {
        self.layers.iter().find_map(|layer| if let Layer::Page(page) = layer { Some(page) } else { None })
    }

    /// Returns the line that is typed, while there is one.
    pub fn typed(&self) -> Option<&str> {
        self.layers
            .iter()
            .find_map(|layer| if let Layer::Prompt(line) = layer { Some(&*line.text) } else { None })
    }

    /// Shows a page, but not before a line that is being typed is done.
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

    /// Shows a message in the status line, or in its place in the menu.
    pub(super) fn announce(&mut self, text: impl Into<Text>) {
        let text = text.into();
        match self.menu_mut() {
            Some(menu) => menu.notice = Some(text.into_string()),
            None => self.remark = StatusMessage::Own(text),
        }
    }

    /// Shows a message in the status line.
    pub(super) fn tell(&mut self, text: impl Into<Text>) {
        self.remark = StatusMessage::Own(text.into());
    }

    /// Shows a message in the status line that something cannot be done.
    pub(super) fn refuse(&mut self, text: impl Into<Text>) {
        self.remark = StatusMessage::No(text.into());
    }

    /// Moves the cursor back to where it was before the field was opened, if it was.
    pub(super) fn put_cursor_back(&mut self) {
        if let Some((layer, place)) = self.cursor.before.take() {
            (self.cursor.layer, self.cursor.place) = (layer, place);
        }
    }
}
