//! State of the full screen: layers, cursor, overlay and theme. It holds no copy of the match
//! state.

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui_core::style::Style;

use super::key_table::spell_out_arrows;
use super::layer::{LayerRank, LayerStack, LinePrompt, ScreenLayer, TextPage};
use super::layout::LayoutCache;
use super::list::SelectionList;
use super::menu::StartMenu;
use super::theme::{
    ColorDepth, CustomTheme, KnownBackground, ScreenPart, TerminalBackground, TerminalTheme, Theme,
};
use crate::canvas::GlyphSet;
use crate::messages::MessageWording;
use crate::play::MatchTime;
use crate::record::NodeId;
use crate::text::Text;
use crate::ui::kept::SavedGame;
use crate::ui::listing::{ListContents, ListRequest};

/// Maximum number of characters in a typed line.
pub(super) const MAX_TYPED_CHARS: usize = 200;
/// Maximum number of characters in a typed line that holds a comment.
pub(super) const MAX_COMMENT_CHARS: usize = 1000;

/// Event to which the screen reacts.
#[derive(Clone, Debug, PartialEq)]
pub enum ScreenEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The mouse was moved or clicked.
    Mouse(MouseEvent),
    /// The window has this number of columns and rows.
    Resize(u16, u16),
    /// A signal asks the program to stop until it is continued.
    Stop,
    /// The program was continued after a stop.
    Continue,
    /// An unfinished game was found.
    Found(SavedGame),
    /// The due mistakes were counted, with this result.
    Due(usize),
    /// Saved games cannot be read, for this reason.
    Unreadable(String),
    /// The contents of a list were read.
    Listed(ListContents),
    /// A saved game was deleted, or could not be deleted for this reason.
    Deleted(Option<String>),
    /// More keys arrived at once than anybody types. The excess was dropped.
    TooMuch,
    /// The terminal has reported its background.
    Background(TerminalBackground),
    /// The terminal can show all colours, not only 256.
    AllColours,
    /// The terminal has answered the last query, and therefore all earlier ones.
    Answered,
}

/// Appearance of the screen, and preferences of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Appearance {
    /// Character set.
    pub glyphs: GlyphSet,
    /// Colour theme.
    pub theme: Theme,
    /// Number of colours of the terminal.
    pub depth: ColorDepth,
    /// `true` if boards are drawn in tiles, provided that the theme and the character set allow it.
    pub wants_tiles: bool,
    /// Background of the terminal, if it is known.
    pub ground: KnownBackground,
    /// Custom themes of the config file.
    pub own_themes: &'static [CustomTheme],
    /// `true` if the mouse is used.
    pub has_mouse: bool,
    /// `true` if line mode shows the statistics of every search.
    pub has_stats: bool,
    /// Preferences of the player.
    pub habits: Preferences,
}

impl Appearance {
    /// Returns the theme as this terminal can show it.
    pub(super) fn terminal_theme(&self) -> TerminalTheme {
        TerminalTheme { theme: self.theme, depth: self.depth, ground: self.ground.background_for_theme() }
    }

    /// Reports whether boards are drawn in tiles. Tiles need block characters and a theme with its
    /// own colours.
    pub(super) fn draws_tiles(&self) -> bool {
        self.wants_tiles && self.glyphs == GlyphSet::Unicode && self.terminal_theme().palette().is_some()
    }

    /// Returns the style of a part of the screen.
    pub(super) fn part_style(&self, part: ScreenPart) -> Style {
        self.terminal_theme().part_style(part)
    }

    /// Returns key names as text. Arrows are spelled out if the terminal may lack the characters.
    pub(super) fn render_key_names(&self, text: &str) -> String {
        if self.glyphs == GlyphSet::Unicode { text.to_owned() } else { spell_out_arrows(text) }
    }

    /// Returns the sign for omitted text.
    pub(super) fn ellipsis(&self) -> &'static str {
        if self.glyphs == GlyphSet::Unicode { "…" } else { "~" }
    }

    /// Returns the wording of messages for this screen.
    pub(super) fn message_wording(&self) -> MessageWording {
        MessageWording { glyphs: self.glyphs, names_keys: true }
    }

    /// Returns the name of the theme that the automatic theme uses on this terminal, if it is
    /// chosen.
    pub(super) fn resolved_theme_name(&self) -> Option<&'static str> {
        let ground = self
            .ground
            .background_for_theme()
            .filter(|_| self.theme.depends_on_background() && self.depth.supports_palettes());
        ground.map(|ground| if ground == TerminalBackground::Light { "light" } else { "dark" })
    }

    /// Reports whether to ask the terminal if it can show more than 256 colours.
    pub(super) fn must_query_colours(&self) -> bool {
        self.depth == ColorDepth::Indexed { may_have_all: true }
    }

    /// Reports whether to ask the terminal for its background.
    pub(super) fn must_query_background(&self) -> bool {
        self.theme.depends_on_background()
            && self.ground == KnownBackground::Unasked
            && self.depth.supports_palettes()
    }
}

/// Preferences of the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Preferences {
    /// `true` if the bell rings when it is the player's turn again.
    pub has_bell: bool,
    /// `true` if the keys `h j k l` move the cursor.
    pub has_vi_keys: bool,
    /// `true` if a digit plays a cell on a nine-cell board.
    pub has_digits: bool,
    /// `true` if moves are not animated.
    pub is_still: bool,
}

/// Maximum number of the engine's best moves that are shown.
pub(super) const MAX_ENGINE_LINES: u8 = 5;

/// Part of the analysis board that the arrow keys control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum AnalysisFocus {
    /// The tree of moves.
    #[default]
    Moves,
    /// The board, where a cursor plays moves.
    Cursor,
    /// The engine's lines.
    Lines(EngineLineCursor),
    /// The board, where a position is set up.
    SetUp,
}

/// Cursor in the list of the engine's lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EngineLineCursor {
    /// Node of the position at which the lines begin.
    pub(super) from: NodeId,
    /// Index of the chosen line, 0 for the best one.
    pub(super) number: usize,
    /// Moves of all lines.
    pub(super) lines: Vec<Vec<String>>,
    /// Number of moves of the chosen line that are shown.
    pub(super) step: usize,
}

/// Cursor on the board. Its cell or wall slot is identified by the text of the move there.
#[derive(Clone, Debug, Default)]
pub struct BoardCursor {
    /// Name of the cell or wall slot under the cursor.
    pub(super) place: Option<String>,
    /// Layer of the board that the cursor is on: 0 for cells, higher numbers for walls.
    pub(super) layer: u8,
    /// Wall layer that the cursor was last on.
    pub(super) other_layer: u8,
    /// Wall slot that the cursor was last on.
    pub(super) other_place: Option<String>,
    /// Part of the analysis board that the arrow keys control.
    pub(super) focus: AnalysisFocus,
    /// Screen position of the last click that showed or rotated a wall. Another click there builds
    /// it.
    pub(super) clicked_at: Option<(u16, u16)>,
    /// Layer and location of the cursor before a line was typed.
    pub(super) before: Option<(u8, Option<String>)>,
}

/// Message of the status line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StatusMessage {
    /// The latest event of the match.
    #[default]
    Match,
    /// The actions open to the player, once the last message is read or dismissed.
    Invitation,
    /// A message about the screen itself.
    Info(Text),
    /// A message that an action is not possible.
    Refusal(Text),
}

/// Offers of the start menu: an unfinished game, and mistakes to practise.
#[derive(Clone, Debug, Default)]
pub struct MenuOffers {
    /// The unfinished game that can be continued.
    pub kept: Option<SavedGame>,
    /// The reason why saved games cannot be read.
    pub(super) unreadable: Option<String>,
    /// Number of mistakes that are due.
    pub(super) due: usize,
}

/// Options for viewing the board. They are not part of the match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct BoardView {
    /// Title of the board to which the options apply.
    pub(super) board: String,
    /// Number of the overlay on the board, or 0 for none.
    pub(super) overlay: usize,
    /// `true` if the board is flipped.
    pub(super) is_turned: bool,
    /// `true` if the player wants to see the engine's panel.
    pub(super) shows_engine: bool,
    /// `true` if the engine analyses every shown position.
    pub(super) studies: bool,
    /// `true` if the review's panel takes precedence over the engine's panel when only one fits.
    pub(super) prefers_review: bool,
    /// Number of the engine's best moves that the analysis board omits.
    pub(super) lines_left_out: u8,
}

impl BoardView {
    /// Returns the number of the engine's best moves that are shown.
    pub(super) fn engine_line_count(&self) -> usize {
        usize::from(MAX_ENGINE_LINES - self.lines_left_out)
    }
}

/// Animation of a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveAnimation {
    /// Node of the position after the move.
    pub(super) node: NodeId,
    /// Time of the first frame, once that frame was drawn.
    pub(super) from: Option<MatchTime>,
}

/// Key of a cached layout. The layout is valid while the key is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LayoutCacheKey {
    pub(super) size: (u16, u16),
    pub(super) looks: Appearance,
    pub(super) drawing: BoardView,
    pub(super) has_menu: bool,
    /// Number of times that the match has reported events.
    pub(super) match_event_count: u64,
    /// Number of the game, with the nodes of the shown and the present position.
    pub(super) shown: Option<(u64, NodeId, NodeId)>,
}

/// State of the full screen.
#[derive(Clone, Debug)]
pub struct Screen {
    /// Columns and rows of the window.
    pub size: (u16, u16),
    /// Appearance of the screen.
    pub looks: Appearance,
    /// Open layers over the board.
    pub layers: LayerStack,
    /// Message of the status line.
    pub remark: StatusMessage,
    /// Offers of the start menu.
    pub saved: MenuOffers,
    /// Cursor on the board.
    pub cursor: BoardCursor,
    /// View options of the board.
    pub drawing: BoardView,
    /// `true` if the time used by each side is shown.
    pub has_clocks: bool,
    /// Time of the match for which clocks and animations are drawn.
    pub now: MatchTime,
    /// Animation of the last move, while it runs.
    pub motion: Option<MoveAnimation>,
    /// Number of times that the match has reported events.
    pub(super) match_event_count: u64,
    /// Cache of the last layout.
    pub(super) layouts: LayoutCache<LayoutCacheKey>,
}

/// Pauses between moves that the player can choose for an automatic replay.
pub(crate) const REPLAY_PAUSES: [Duration; 5] = [
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
            layers: LayerStack::default(),
            remark: StatusMessage::default(),
            saved: MenuOffers::default(),
            cursor: BoardCursor { other_layer: 1, ..BoardCursor::default() },
            drawing: BoardView { shows_engine: true, ..BoardView::default() },
            has_clocks: false,
            now: MatchTime::ZERO,
            motion: None,
            match_event_count: 0,
            layouts: LayoutCache::default(),
        }
    }

    /// Returns the number of layouts computed so far. There is at most one per event or frame.
    pub fn layouts_computed(&self) -> usize {
        self.layouts.computed_count()
    }

    /// Opens a layer. Opening the menu closes the prompt.
    pub fn open_layer(&mut self, layer: ScreenLayer) {
        match layer {
            ScreenLayer::Prompt(_) => {
                self.cursor.before = Some((self.cursor.layer, self.cursor.place.clone()));
            }
            // A prompt that is hidden in a small window belongs to the board.
            ScreenLayer::Menu(_) => self.close_layer(LayerRank::Prompt),
            _ => {}
        }
        self.layers.open(layer);
    }

    /// Closes the layer of this rank, if it is open.
    ///
    /// A page that waited for the prompt is then opened.
    pub fn close_layer(&mut self, rank: LayerRank) {
        if let Some(ScreenLayer::Prompt(LinePrompt { next: Some(page), .. })) = self.layers.close(rank) {
            self.layers.open(ScreenLayer::Page(page));
        }
    }

    /// Returns the start menu, if it is open.
    pub fn menu(&self) -> Option<&StartMenu> {
        self.layers
            .iter()
            .find_map(|layer| if let ScreenLayer::Menu(menu) = layer { Some(menu.as_ref()) } else { None })
    }

    /// Returns the start menu for changes, if it is open.
    pub fn menu_mut(&mut self) -> Option<&mut StartMenu> {
        self.layers
            .iter_mut()
            .find_map(|layer| if let ScreenLayer::Menu(menu) = layer { Some(menu.as_mut()) } else { None })
    }

    /// Returns the open list for changes, if there is one.
    pub fn list_mut(&mut self) -> Option<&mut SelectionList> {
        self.layers
            .iter_mut()
            .find_map(|layer| if let ScreenLayer::List(list) = layer { Some(list) } else { None })
    }

    /// Returns the open list's next request for contents, unless it was returned before.
    pub fn take_list_request(&mut self) -> Option<ListRequest> {
        self.list_mut()?.take_request()
    }

    /// Returns the open page of text, if there is one.
    pub fn page(&self) -> Option<&TextPage> {
        self.layers
            .iter()
            .find_map(|layer| if let ScreenLayer::Page(page) = layer { Some(page) } else { None })
    }

    /// Returns the text of the line that is being typed, if there is one.
    pub fn typed_line(&self) -> Option<&str> {
        self.layers
            .iter()
            .find_map(|layer| if let ScreenLayer::Prompt(line) = layer { Some(&*line.text) } else { None })
    }

    /// Opens a page, or queues it while a line is being typed.
    pub(super) fn open_or_queue_page(&mut self, page: TextPage) {
        let typed = self.layers.iter_mut().find_map(|layer| match layer {
            ScreenLayer::Prompt(line) => Some(line),
            _ => None,
        });
        match typed {
            Some(line) => line.next = Some(page),
            None => self.layers.open(ScreenLayer::Page(page)),
        }
    }

    /// Shows a message in the status line, or in the command row of the menu.
    pub(super) fn show_message(&mut self, text: impl Into<Text>) {
        let text = text.into();
        match self.menu_mut() {
            Some(menu) => menu.notice = Some(text.into_string()),
            None => self.remark = StatusMessage::Info(text),
        }
    }

    /// Shows a message in the status line.
    pub(super) fn set_status(&mut self, text: impl Into<Text>) {
        self.remark = StatusMessage::Info(text.into());
    }

    /// Shows a refusal in the status line.
    pub(super) fn set_refusal(&mut self, text: impl Into<Text>) {
        self.remark = StatusMessage::Refusal(text.into());
    }

    /// Moves the cursor back to its position before the prompt was opened.
    pub(super) fn restore_cursor(&mut self) {
        if let Some((layer, place)) = self.cursor.before.take() {
            (self.cursor.layer, self.cursor.place) = (layer, place);
        }
    }
}
