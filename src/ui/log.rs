//! The log of a match, for `--log`: one more reader of events.

use std::fs::File;
use std::io::Write;

use crate::game::Refusal;
use crate::messages;
use crate::play::{Event, Match};
use crate::record::disk;
use crate::ui::{Input, Next};

/// Log with a line for each event. If it cannot be written the game continues.
#[derive(Debug)]
pub struct Log {
    file: File,
    /// Reason why it could not be written, until it is reported, and `true` if that has happened.
    fault: Option<String>,
    has_failed: bool,
}

impl Log {
    /// Creates a log that writes to `file`.
    pub fn new(file: File) -> Self {
        Log { file, fault: None, has_failed: false }
    }

    fn note_down(&mut self, text: &str) {
        // The game matters more than its log. Writing continues after a line that was not written whole.
        let line = text.replace('\n', " ") + "\n";
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()) {
            let is_first = !std::mem::replace(&mut self.has_failed, true);
            if is_first {
                self.fault = Some(disk::describe_io_error(&error));
            }
        }
    }

    /// Returns the reason why the log could not be written, once.
    pub(super) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    fn note_read(&mut self, text: &str) {
        self.note_down(&format!("read {}", Refusal::shown_path(text)));
    }

    /// Writes the line for an input.
    pub(super) fn read(&mut self, next: &Next) {
        match next {
            Next::Do(command) if command.to_string().is_empty() => {}
            Next::Do(command) => self.note_read(&command.to_string()),
            Next::Line(input @ (Input::Line(_) | Input::Bytes(_))) => self.note_read(&input.text()),
            Next::Line(Input::TooLong | Input::Endless) => self.note_down("read a line that is too long"),
            Next::Line(Input::End) => self.note_down("end of input"),
            Next::Typed(typed) => self.note_read(&typed.line),
            Next::GoOn(_) => self.note_read("continue"),
            Next::Show(file) => self.note_read(&format!("replay {}", file.path)),
            Next::News(_) | Next::Tick => {}
        }
    }

    /// Writes the lines for events.
    pub(super) fn hear(&mut self, game: &Match, events: &[Event]) {
        for event in events {
            if let Some(text) = format_event(game, event) {
                self.note_down(&text);
            }
        }
    }
}

/// Returns the line for an event, if it has one.
fn format_event(game: &Match, event: &Event) -> Option<String> {
    let coded = |what: &str, why: &Refusal| Some(format!("{what} {}: {why}", why.code));
    match event {
        Event::Started => Some(started(game)),
        Event::FellBack(fallback) => coded("fallback", &fallback.why),
        Event::Moved(moved) => {
            let (tree, position) = (game.game().tree(), game.game().position(moved.node));
            let search = tree.node(moved.node).search.as_ref();
            let stats = search.map(|report| format!(" ({})", messages::stats(report))).unwrap_or_default();
            let (side, text) = (position.to_move().other(), position.last().unwrap_or_default());
            Some(format!("move {} {side} {text}{stats}", position.plies()))
        }
        Event::Ended(position) => {
            let (outcome, reason) = (position.outcome()?, position.ending()?);
            Some(format!("end {outcome} after {} moves: {reason}", position.plies()))
        }
        Event::Replied(reply) => Some(format!("word {}", reply.word)),
        Event::Refused(refusal) => coded("refused", &messages::refusal(game, refusal)),
        Event::Fault(fault) => coded("fault", &messages::fault(fault)),
        Event::Left(_) => Some(format!("leave after {} moves", game.present_position().plies())),
        Event::Tried(made) => {
            Some(format!("try {} {}", made.task, if made.is_right { "right" } else { "wrong" }))
        }
        Event::Present(_) | Event::Shown(_) | Event::Seated | Event::Reported(_) => None,
    }
}

fn started(game: &Match) -> String {
    let (position, played) = (game.present_position(), game.game());
    let settings = position.settings().iter().map(|(key, value)| format!("{key}={value}"));
    let level = played.engine_name();
    let you = played.only_human().map(|side| side.to_string());
    format!(
        "start crosspath {} {} {} mode={} level={} you={} seed={}",
        env!("CARGO_PKG_VERSION"),
        position.name(),
        settings.collect::<Vec<_>>().join(" "),
        played.spec().mode.number(),
        level.as_deref().unwrap_or("none"),
        you.as_deref().unwrap_or("none"),
        game.rules().seed,
    )
}
