//! The context of a frame: the screen and the match that it shows. Everything is read from its
//! owner.

use super::facts::Facts;
use super::key_table::Context;
use super::layer::{Layer, Rank};
use super::layout::has_room;
use super::menu::Menu;
use super::screen::{Focus, Screen};
use super::theme::Part;
use crate::canvas::{Hue, Role};
use crate::play::Match;
use crate::session::Position;
use ratatui_core::style::Style;

/// Screen and match of a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameContext<'s> {
    /// State of the screen.
    pub screen: &'s Screen,
    /// Match that it shows.
    pub game: Option<&'s Match>,
}

impl Screen {
    /// Returns the screen with the match that it shows; before the first game there is none.
    pub fn with<'s>(&'s self, game: Option<&'s Match>) -> FrameContext<'s> {
        FrameContext { screen: self, game }
    }
}

impl<'s> FrameContext<'s> {
    /// Returns the position on the screen.
    pub fn shown(&self) -> Option<&'s dyn Position> {
        self.game.shown()
    }

    /// Returns the position that texts are about: in the menu that of the chosen game.
    pub(super) fn subject(&self) -> Option<&'s dyn Position> {
        self.screen.menu().map_or_else(|| self.game.shown(), Menu::start)
    }

    /// Returns the context in which a key is pressed.
    pub fn context(&self) -> Context {
        self.top().map_or_else(|| self.base(), Layer::context)
    }

    /// Returns the visible layers, the highest last: a line that is typed is hidden until the
    /// window has room for its board again.
    pub(super) fn layers(&self) -> impl DoubleEndedIterator<Item = &'s Layer> + use<'s> {
        let hides_line = self.hides_line();
        self.screen.layers.iter().filter(move |layer| !(hides_line && layer.rank() == Rank::Prompt))
    }

    /// Returns the highest of them.
    pub(super) fn top(&self) -> Option<&'s Layer> {
        self.layers().next_back()
    }

    /// Reports whether a line is being typed but hidden.
    pub(super) fn hides_line(&self) -> bool {
        self.screen.typed().is_some() && self.is_too_small()
    }

    /// Reports whether the window has no room for the board, although it has to be visible.
    pub(super) fn is_too_small(&self) -> bool {
        self.screen.menu().is_none() && self.base() == Context::Small
    }

    /// Reports whether a replay is shown that was chosen in the menu, which lies behind it.
    pub(super) fn has_menu_behind(&self) -> bool {
        let is_record = self.game.is_some_and(|game| game.game().is_record());
        let is_here = is_record && self.context() == Context::Replay || self.game.practice().is_some();
        is_here && self.screen.layers.has_menu_behind()
    }

    /// Returns the context of a key if nothing lies over the board.
    pub(super) fn base(&self) -> Context {
        match self.game.shown() {
            None => Context::Menu,
            Some(shown) if !has_room(shown, self.screen.size) => Context::Small,
            Some(_) if self.game.practice().is_some() => {
                if self.screen.cursor.layer > 0 {
                    Context::Wall
                } else {
                    Context::Training
                }
            }
            Some(_) if self.game.is_replay() => Context::Replay,
            Some(_) if self.game.is_analysis() && self.screen.cursor.focus != Focus::Cursor => {
                match self.screen.cursor.focus {
                    Focus::SetUp => Context::SetUp,
                    Focus::Lines(_) => Context::Lines,
                    _ => Context::Analysis,
                }
            }
            Some(_) if self.game.is_looking() => Context::Looking,
            Some(_) if self.screen.cursor.layer > 0 => Context::Wall,
            Some(_) => Context::Board,
        }
    }

    /// Returns the style of a character of the board on this terminal.
    pub(super) fn role(&self, role: Role) -> Style {
        let hues = self.subject().map_or([Hue::Red, Hue::Blue], |shown| shown.drawn().hues());
        self.screen.looks.ink().role(role, hues)
    }

    /// Returns the style of a text about something that is possible or not.
    pub(super) fn said(&self, is_possible: bool) -> Style {
        if is_possible { self.screen.looks.part(Part::Heading) } else { self.role(Role::Refused) }
    }
}
