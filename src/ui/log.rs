//! Writes the log of a match for `--log` from its inputs and events.

use std::fs::File;
use std::io::Write;

use crate::game::Refusal;
use crate::messages;
use crate::play::{Match, MatchEvent};
use crate::record::disk;
use crate::ui::{InputLine, NextStep};

/// Log of a match, one line per input or event. Write failures do not stop the game.
#[derive(Debug)]
pub struct MatchLog {
    file: File,
    /// Reason for the first write failure, until a caller takes it.
    fault: Option<String>,
    /// `true` if a write has failed.
    has_failed: bool,
}

impl MatchLog {
    /// Creates a log that writes to `file`.
    pub fn new(file: File) -> Self {
        MatchLog { file, fault: None, has_failed: false }
    }

    fn write_line(&mut self, text: &str) {
        // The game continues after a failed write, and later lines are still written.
        let line = text.replace('\n', " ") + "\n";
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()) {
            let is_first = !std::mem::replace(&mut self.has_failed, true);
            if is_first {
                self.fault = Some(disk::describe_io_error(&error));
            }
        }
    }

    /// Removes and returns the reason for the first write failure.
    pub(super) fn take_write_error(&mut self) -> Option<String> {
        self.fault.take()
    }

    fn log_input_text(&mut self, text: &str) {
        self.write_line(&format!("read {}", Refusal::sanitize_path(text)));
    }

    /// Logs an input; engine news and ticks are not logged.
    pub(super) fn log_input(&mut self, next: &NextStep) {
        match next {
            NextStep::Do(command) if command.to_string().is_empty() => {}
            NextStep::Do(command) => self.log_input_text(&command.to_string()),
            NextStep::Line(input @ (InputLine::Line(_) | InputLine::Bytes(_))) => {
                self.log_input_text(&input.text());
            }
            NextStep::Line(InputLine::TooLong | InputLine::Endless) => {
                self.write_line("read a line that is too long");
            }
            NextStep::Line(InputLine::End) => self.write_line("end of input"),
            NextStep::Typed(typed) => self.log_input_text(&typed.line),
            NextStep::Resume(_) => self.log_input_text("continue"),
            NextStep::Show(file) => self.log_input_text(&format!("replay {}", file.path)),
            NextStep::News(_) | NextStep::Tick => {}
        }
    }

    /// Logs events, one line each.
    pub(super) fn log_events(&mut self, game: &Match, events: &[MatchEvent]) {
        for event in events {
            if let Some(text) = format_log_event(game, event) {
                self.write_line(&text);
            }
        }
    }
}

/// Formats the log line of an event; `None` if the event is not logged.
fn format_log_event(game: &Match, event: &MatchEvent) -> Option<String> {
    let coded = |what: &str, why: &Refusal| Some(format!("{what} {}: {why}", why.code));
    match event {
        MatchEvent::Started => Some(format_start_line(game)),
        MatchEvent::FellBack(fallback) => coded("fallback", &fallback.why),
        MatchEvent::Moved(moved) => {
            let (tree, position) = (game.game().tree(), game.game().position(moved.node));
            let search = tree.node(moved.node).search.as_ref();
            let stats = search
                .map(|report| format!(" ({})", messages::format_search_stats(report)))
                .unwrap_or_default();
            let (side, text) = (position.to_move().other(), position.last_move().unwrap_or_default());
            Some(format!("move {} {side} {text}{stats}", position.plies()))
        }
        MatchEvent::Ended(position) => {
            let (outcome, reason) = (position.outcome()?, position.describe_ending()?);
            Some(format!("end {outcome} after {} moves: {reason}", position.plies()))
        }
        MatchEvent::Replied(reply) => Some(format!("word {}", reply.word)),
        MatchEvent::Refused(refusal) => coded("refused", &messages::describe_refusal(game, refusal)),
        MatchEvent::Fault(fault) => coded("fault", &messages::describe_fault(fault)),
        MatchEvent::Left(_) => Some(format!("leave after {} moves", game.present_position().plies())),
        MatchEvent::Tried(made) => {
            Some(format!("try {} {}", made.task, if made.is_right { "right" } else { "wrong" }))
        }
        MatchEvent::Present(_) | MatchEvent::Shown(_) | MatchEvent::Seated | MatchEvent::Reported(_) => None,
    }
}

fn format_start_line(game: &Match) -> String {
    let (position, played) = (game.present_position(), game.game());
    let settings = position.settings().iter().map(|(key, value)| format!("{key}={value}"));
    let level = played.engine_name();
    let you = played.sole_human_side().map(|side| side.to_string());
    format!(
        "start crosspath {} {} {} mode={} level={} you={} seed={}",
        env!("CARGO_PKG_VERSION"),
        position.game_name(),
        settings.collect::<Vec<_>>().join(" "),
        played.spec().mode.number(),
        level.as_deref().unwrap_or("none"),
        you.as_deref().unwrap_or("none"),
        game.rules().seed,
    )
}
