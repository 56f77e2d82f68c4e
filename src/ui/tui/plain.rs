//! Line mode in place of the full screen, as long as the player wants that.

use std::io::{self, Write};

use super::Tui;
use super::screen::StatusMessage;
use super::theme::ColorDepth;
use crate::messages::{self, screen as sentences};
use crate::platform::has_input_within;
use crate::play::{AfterEnd, Command, HistoryTarget, Match, PlaybackControl};
use crate::ui::line::{Line, Style};
use crate::ui::{Inbox, Input, Next};

/// Line mode in place of the full screen.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) line: Line<'static>,
    /// `true` if two engines had been playing by themselves.
    was_running: bool,
}

impl Tui {
    pub(super) fn go_on_in_plain(&mut self, game: &Match) -> io::Result<Option<Next>> {
        self.give_back();
        if let Some(keys) = &self.keys {
            keys.rest();
        }
        let looks = &self.screen.looks;
        let style = Style {
            is_dialogue: true,
            has_colour: looks.depth > ColorDepth::None,
            glyphs: looks.glyphs,
            width: Some(usize::from(self.screen.size.0)),
            has_stats: looks.has_stats,
            has_boards: true,
            has_bell: looks.habits.has_bell,
        };
        let line = Line::new(io::stdin().lock(), io::stdout(), io::stderr(), style);
        let mut line = line.with_interrupt(self.interrupt.clone()).with_clocks(has_input_within);
        let is_match = game.game().is_match();
        writeln!(io::stdout(), "{}", if is_match { sentences::MATCH_IN_PLAIN } else { sentences::IN_PLAIN })?;
        if game.game().is_looking() {
            writeln!(io::stdout(), "{}", messages::looking_at(game.shown().plies(), game.last_ply()))?;
        }
        line.board(&**game.shown())?;
        let was_running = game.game().pace().is_running;
        self.plain = Some(Plain { line, was_running });
        Ok(was_running.then_some(Next::Do(Command::Playback(PlaybackControl::Stop))))
    }

    /// Returns the next step in plain text; `None` if the player wants the full screen back.
    pub(super) fn next_in_plain(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        let Some(plain) = &mut self.plain else { return Ok(None) };
        let after_end = if game.game().has_human() { AfterEnd::Ask } else { AfterEnd::Stay };
        if game.rules().after_end != after_end {
            return Ok(Some(Next::Do(Command::AfterEnd(after_end))));
        }
        if !game.is_settled() {
            match plain.line.wait(game, inbox)? {
                Next::Typed(typed) if typed.line.trim().eq_ignore_ascii_case("tui") => {
                    self.plain = None;
                    self.screen.remark = StatusMessage::Invitation;
                    return Ok(None);
                }
                next => return Ok(Some(next)),
            }
        }
        let is_match = game.game().is_match();
        match plain.line.ask_player(game, inbox)? {
            None => Ok(Some(Next::Tick)),
            Some(Input::Line(text)) if text.trim().eq_ignore_ascii_case("tui") => {
                let was_running = plain.was_running;
                self.plain = None;
                self.screen.remark = StatusMessage::Invitation;
                Ok(was_running.then_some(Next::Do(Command::Playback(PlaybackControl::Run))))
            }
            Some(Input::Line(text)) if is_match && text.trim().is_empty() => {
                let is_looking = game.game().is_looking();
                let present = Command::Show(HistoryTarget::Present);
                Ok(Some(Next::Do(if is_looking {
                    present
                } else {
                    Command::Playback(PlaybackControl::Step)
                })))
            }
            Some(input) => Ok(Some(Next::Line(input))),
        }
    }
}
