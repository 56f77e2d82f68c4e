//! A screen that also writes down what happens on another one, for `--log`.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;

use crate::game::Illegal;
use crate::session::{Report, Session};
use crate::ui::{Ended, Input, Moved, Opening, Said, Screen};
use crate::words;

/// Writes a line to the log for each event and passes it on. A log that cannot be written disturbs no game.
pub struct Log<'s> {
    screen: &'s mut dyn Screen,
    file: Box<dyn Write>,
}

impl std::fmt::Debug for Log<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Log")
    }
}

impl<'s> Log<'s> {
    /// Logs what happens on `screen` to `file`.
    pub fn new(screen: &'s mut dyn Screen, file: Box<dyn Write>) -> Self {
        Log { screen, file }
    }

    fn note_down(&mut self, text: &str) {
        // The game matters more than its log.
        let _ = writeln!(self.file, "{}", text.replace('\n', " ")).and_then(|()| self.file.flush());
    }
}

impl Screen for Log<'_> {
    fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()> {
        let Opening { mode, level, seed, you, .. } = opening;
        let settings: Vec<String> =
            session.settings().iter().map(|(key, value)| format!("{key}={value}")).collect();
        let mode = mode.map_or_else(|| "?".to_owned(), |mode| mode.to_string());
        let you = you.map_or_else(|| "none".to_owned(), |side| side.to_string());
        self.note_down(&format!(
            "start crosspath {} {} {} mode={mode} level={} you={you} seed={seed}",
            env!("CARGO_PKG_VERSION"),
            session.name(),
            settings.join(" "),
            level.map_or_else(|| "none".to_owned(), |level| level.to_string()),
        ));
        self.screen.open(session, opening)
    }

    fn fall_back(&mut self, session: &dyn Session, wanted: &Opening<'_>, why: &Illegal) -> io::Result<()> {
        self.note_down(&format!("fallback {}: {why}", why.code));
        self.screen.fall_back(session, wanted, why)
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Input> {
        let input = self.screen.ask(prompt)?;
        match &input {
            Input::Line(line) => self.note_down(&format!("read {}", Illegal::shown_path(line))),
            Input::TooLong | Input::Endless => self.note_down("read a line too long"),
            Input::End => self.note_down("end of input"),
        }
        Ok(input)
    }

    fn while_thinking(
        &mut self,
        session: &dyn Session,
        news: &Receiver<Report>,
        stop: &AtomicBool,
    ) -> io::Result<Option<Input>> {
        self.screen.while_thinking(session, news, stop)
    }

    fn looks_at(&self) -> Option<Box<dyn Session>> {
        self.screen.looks_at()
    }

    fn moved(&mut self, session: &dyn Session, moved: &Moved<'_>) -> io::Result<()> {
        let stats = moved.report.map(|report| format!(" ({})", words::stats(report))).unwrap_or_default();
        self.note_down(&format!("move {} {} {}{stats}", moved.ply, moved.side, moved.text));
        self.screen.moved(session, moved)
    }

    fn board(&mut self, session: &dyn Session) -> io::Result<()> {
        self.screen.board(session)
    }

    fn look(&mut self, there: &dyn Session) -> io::Result<()> {
        self.screen.look(there)
    }

    fn return_to(&mut self, session: &dyn Session) -> io::Result<()> {
        self.screen.return_to(session)
    }

    fn seated(&mut self, opening: &Opening<'_>) {
        self.screen.seated(opening);
    }

    fn advised(&mut self, session: &dyn Session, report: &Report) {
        self.screen.advised(session, report);
    }

    fn hold(&mut self) -> io::Result<Option<Input>> {
        self.screen.hold()
    }

    fn stays_open(&self) -> bool {
        self.screen.stays_open()
    }

    fn puts_the_question(&self) -> bool {
        self.screen.puts_the_question()
    }

    fn say(&mut self, said: &Said) -> io::Result<()> {
        self.note_down(&format!("word {}", said.word));
        self.screen.say(said)
    }

    fn refuse(&mut self, illegal: &Illegal) -> io::Result<()> {
        self.note_down(&format!("refused {}: {illegal}", illegal.code));
        self.screen.refuse(illegal)
    }

    fn stats(&mut self, text: &str) -> io::Result<()> {
        self.screen.stats(text)
    }

    fn note(&mut self, why: &Illegal) -> io::Result<()> {
        self.note_down(&format!("fault {}: {why}", why.code));
        self.screen.note(why)
    }

    fn ended(&mut self, session: &dyn Session, ended: &Ended<'_>) -> io::Result<()> {
        self.note_down(&format!("end {} after {} moves: {}", ended.outcome, ended.plies, ended.reason));
        self.screen.ended(session, ended)
    }

    fn leave(&mut self, session: &dyn Session, is_unfinished: bool) -> io::Result<()> {
        self.note_down(&format!("leave after {} moves", session.plies()));
        self.screen.leave(session, is_unfinished)
    }
}
