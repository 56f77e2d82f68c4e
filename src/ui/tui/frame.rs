//! Context of a frame: the screen and the match shown on it.

use super::facts::MatchFacts;
use super::key_table::KeyContext;
use super::layer::{LayerRank, ScreenLayer};
use super::layout::has_room_for_board;
use super::menu::StartMenu;
use super::screen::{AnalysisFocus, Screen};
use super::theme::ScreenPart;
use crate::canvas::{Hue, PaintRole};
use crate::play::Match;
use crate::session::Position;
use ratatui_core::style::Style;

/// Screen and match of one frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameContext<'s> {
    /// State of the screen.
    pub screen: &'s Screen,
    /// Match that the screen shows, if there is one.
    pub game: Option<&'s Match>,
}

impl Screen {
    /// Combines the screen and its match into a frame context. `game` is `None` before the first
    /// game.
    pub fn with_match<'s>(&'s self, game: Option<&'s Match>) -> FrameContext<'s> {
        FrameContext { screen: self, game }
    }
}

impl<'s> FrameContext<'s> {
    /// Returns the position on the screen.
    pub fn shown_position(&self) -> Option<&'s dyn Position> {
        self.game.shown_position()
    }

    /// Returns the position that texts on the screen describe.
    ///
    /// In the menu, it is the first position of the chosen game.
    pub(super) fn subject_position(&self) -> Option<&'s dyn Position> {
        self.screen.menu().map_or_else(|| self.game.shown_position(), StartMenu::first_position)
    }

    /// Returns the key context, which decides the meaning of keys.
    pub fn key_context(&self) -> KeyContext {
        self.top_layer().map_or_else(|| self.board_key_context(), ScreenLayer::key_context)
    }

    /// Returns the visible layers, the highest last.
    ///
    /// The prompt is hidden while the window is too small for the board.
    pub(super) fn visible_layers(&self) -> impl DoubleEndedIterator<Item = &'s ScreenLayer> + use<'s> {
        let hides_line = self.hides_prompt();
        self.screen.layers.iter().filter(move |layer| !(hides_line && layer.rank() == LayerRank::Prompt))
    }

    /// Returns the highest visible layer.
    pub(super) fn top_layer(&self) -> Option<&'s ScreenLayer> {
        self.visible_layers().next_back()
    }

    /// Reports whether a line is being typed in a prompt that is hidden.
    pub(super) fn hides_prompt(&self) -> bool {
        self.screen.typed_line().is_some() && self.is_window_too_small()
    }

    /// Reports whether the window is too small for a board that has to be shown.
    pub(super) fn is_window_too_small(&self) -> bool {
        self.screen.menu().is_none() && self.board_key_context() == KeyContext::Small
    }

    /// Reports whether the shown replay was opened from a menu that is still open behind it.
    pub(super) fn has_menu_behind_replay(&self) -> bool {
        let is_record = self.game.is_some_and(|game| game.game().is_replay());
        let is_here = is_record && self.key_context() == KeyContext::Replay || self.game.practice().is_some();
        is_here && self.screen.layers.has_menu_behind_replay()
    }

    /// Returns the key context of the board, as if no layer were open.
    pub(super) fn board_key_context(&self) -> KeyContext {
        match self.game.shown_position() {
            None => KeyContext::Menu,
            Some(shown) if !has_room_for_board(shown, self.screen.size) => KeyContext::Small,
            Some(_) if self.game.practice().is_some() => {
                if self.screen.cursor.layer > 0 {
                    KeyContext::Wall
                } else {
                    KeyContext::Training
                }
            }
            Some(_) if self.game.is_replay() => KeyContext::Replay,
            Some(_) if self.game.is_analysis() && self.screen.cursor.focus != AnalysisFocus::Cursor => {
                match self.screen.cursor.focus {
                    AnalysisFocus::SetUp => KeyContext::SetUp,
                    AnalysisFocus::Lines(_) => KeyContext::Lines,
                    _ => KeyContext::Analysis,
                }
            }
            Some(_) if self.game.shows_other_position() => KeyContext::Looking,
            Some(_) if self.screen.cursor.layer > 0 => KeyContext::Wall,
            Some(_) => KeyContext::Board,
        }
    }

    /// Returns the style of a board character with this role, as the terminal can show it.
    pub(super) fn role_style(&self, role: PaintRole) -> Style {
        let hues =
            self.subject_position().map_or([Hue::Red, Hue::Blue], |shown| shown.as_paint().side_hues());
        self.screen.looks.terminal_theme().role_style(role, hues)
    }

    /// Returns the style of a status message. Refusals have a different style.
    pub(super) fn message_style(&self, is_possible: bool) -> Style {
        if is_possible {
            self.screen.looks.part_style(ScreenPart::Heading)
        } else {
            self.role_style(PaintRole::Refused)
        }
    }
}
