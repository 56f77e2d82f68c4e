//! Line mode in place of the full screen, until the player returns to the full screen.

use std::io::{self, Write};

use super::Tui;
use super::screen::StatusMessage;
use super::theme::ColorDepth;
use crate::messages::{self, screen as sentences};
use crate::platform::has_stdin_input_within;
use crate::play::{AfterGameEnd, Command, HistoryTarget, Match, PlaybackControl};
use crate::ui::line::{LineFrontEnd, LineModeStyle};
use crate::ui::{Inbox, InputLine, NextStep};

/// State of line mode while it replaces the full screen.
#[derive(Debug)]
pub(super) struct PlainTextMode {
    pub(super) line: LineFrontEnd<'static>,
    /// `true` if an engine match was running when line mode began.
    was_running: bool,
}

impl Tui {
    pub(super) fn switch_to_plain_text(&mut self, game: &Match) -> io::Result<Option<NextStep>> {
        self.restore_terminal();
        if let Some(keys) = &self.keys {
            keys.pause();
        }
        let looks = &self.screen.looks;
        let style = LineModeStyle {
            is_dialogue: true,
            has_colour: looks.depth > ColorDepth::None,
            glyphs: looks.glyphs,
            width: Some(usize::from(self.screen.size.0)),
            has_stats: looks.has_stats,
            has_boards: true,
            has_bell: looks.habits.has_bell,
        };
        let line = LineFrontEnd::new(io::stdin().lock(), io::stdout(), io::stderr(), style);
        let mut line = line.with_interrupt(self.interrupt.clone()).with_line_poll(has_stdin_input_within);
        let is_match = game.game().is_engine_match();
        writeln!(
            io::stdout(),
            "{}",
            if is_match { sentences::MATCH_LINE_MODE_MESSAGE } else { sentences::LINE_MODE_MESSAGE }
        )?;
        if game.game().is_browsing() {
            writeln!(
                io::stdout(),
                "{}",
                messages::shown_position_message(game.shown_position().plies(), game.last_ply())
            )?;
        }
        line.print_board(&**game.shown_position())?;
        let was_running = game.game().playback_state().is_running;
        self.plain = Some(PlainTextMode { line, was_running });
        Ok(was_running.then_some(NextStep::Do(Command::Playback(PlaybackControl::Stop))))
    }

    /// Returns the next step in line mode, or `None` if the player wants the full screen back.
    pub(super) fn next_step_in_plain_text(
        &mut self,
        game: &Match,
        inbox: &Inbox,
    ) -> io::Result<Option<NextStep>> {
        let Some(plain) = &mut self.plain else { return Ok(None) };
        let after_end = if game.game().has_human() { AfterGameEnd::Ask } else { AfterGameEnd::Stay };
        if game.rules().after_end != after_end {
            return Ok(Some(NextStep::Do(Command::AfterEnd(after_end))));
        }
        if !game.is_ready_for_input() {
            match plain.line.wait_for_engine(game, inbox)? {
                NextStep::Typed(typed) if typed.line.trim().eq_ignore_ascii_case("tui") => {
                    self.plain = None;
                    self.screen.remark = StatusMessage::Invitation;
                    return Ok(None);
                }
                next => return Ok(Some(next)),
            }
        }
        let is_match = game.game().is_engine_match();
        match plain.line.prompt_player(game, inbox)? {
            None => Ok(Some(NextStep::Tick)),
            Some(InputLine::Line(text)) if text.trim().eq_ignore_ascii_case("tui") => {
                let was_running = plain.was_running;
                self.plain = None;
                self.screen.remark = StatusMessage::Invitation;
                Ok(was_running.then_some(NextStep::Do(Command::Playback(PlaybackControl::Run))))
            }
            Some(InputLine::Line(text)) if is_match && text.trim().is_empty() => {
                let is_looking = game.game().is_browsing();
                let present = Command::Show(HistoryTarget::Present);
                Ok(Some(NextStep::Do(if is_looking {
                    present
                } else {
                    Command::Playback(PlaybackControl::Step)
                })))
            }
            Some(input) => Ok(Some(NextStep::Line(input))),
        }
    }
}
