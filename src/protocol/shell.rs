//! What line protocols share: one line a command, one answer each, a table of commands, the log. Knows no command of
//! a game.

use std::borrow::Cow;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::protocol::input::{self, LONGEST_LINE};

/// The text of an answer, or what stands behind `?`.
pub type Answer = Result<String, Failure>;
/// What stands behind `?`.
pub type Failure = Cow<'static, str>;
/// The name of a command and what it does with its arguments. A command that fails changes nothing.
pub type Command<S> = (&'static str, fn(&mut S, &[&str]) -> Answer);

pub(crate) const SYNTAX: &str = "syntax error";

/// The state of an engine that speaks a protocol.
pub trait Protocol: Debug + Sized + 'static {
    /// Every command, in the order in which they are listed. After `quit` nothing is answered.
    const COMMANDS: &'static [Command<Self>];
    /// Whether a command may begin with a number, which its answer repeats.
    const HAS_IDS: bool;

    /// Is given a flag that is raised when no more input will come.
    fn set_end_flag(&mut self, flag: Arc<AtomicBool>);

    /// Lines in front of the answer to this command.
    fn note(&self, _name: &str) -> String {
        String::new()
    }
}

/// A dialogue: takes lines, gives answers.
#[derive(Debug)]
pub struct Shell<S> {
    pub(super) engine: S,
    has_quit: bool,
    log: Option<File>,
}

impl<S: Protocol> Shell<S> {
    /// A dialogue with an engine.
    #[must_use]
    pub fn with(engine: S) -> Self {
        Shell { engine, has_quit: false, log: None }
    }

    /// The same, writing down what is said: `> ` before a line, `< ` before a line of an answer. A log that cannot be
    /// written disturbs nobody.
    pub(crate) fn with_log(self, log: File) -> Self {
        Shell { log: Some(log), ..self }
    }

    /// The same with a flag that is raised when no more input will come: a thought by time then ends within half a
    /// second.
    pub(crate) fn with_end_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.engine.set_end_flag(flag);
        self
    }

    /// Answers the lines of `input` until its end or `quit`, each answer in one write.
    ///
    /// # Errors
    /// If reading or writing fails; a reader who leaves is an error of kind `BrokenPipe`.
    pub fn serve(&mut self, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        while !self.has_quit
            && let Some(line) = input::next_line(&mut input)?
        {
            if let Some(answer) = self.answer(&line) {
                out.write_all(answer.as_bytes())?;
                out.flush()?;
            }
        }
        Ok(())
    }

    /// The whole answer to a line without its end, the empty line behind it included; `None` if the line says nothing.
    pub fn answer(&mut self, line: &[u8]) -> Option<String> {
        if line.len() > LONGEST_LINE {
            let answer = format!("? {SYNTAX}\n\n");
            self.note_down("(a line too long)", &answer);
            return Some(answer);
        }
        let said = input::clean(line);
        let mut words = said.split(' ').filter(|word| !word.is_empty()).peekable();
        let is_id = |word: &&str| S::HAS_IDS && word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(is_id).unwrap_or_default();
        let name = words.next()?;
        let arguments: Vec<&str> = words.collect();
        let result = match S::COMMANDS.iter().find(|(known, _)| *known == name) {
            Some((_, act)) => act(&mut self.engine, &arguments),
            None => Err("unknown command".into()),
        };
        self.has_quit |= name == "quit" && result.is_ok();
        let answer = match result {
            // A picture begins on a line of its own.
            Ok(text) if text.is_empty() || text.starts_with('\n') => format!("={id}{text}\n\n"),
            Ok(text) => format!("{}={id} {text}\n\n", self.engine.note(name)),
            Err(why) => format!("?{id} {why}\n\n"),
        };
        self.note_down(&said, &answer);
        Some(answer)
    }

    fn note_down(&mut self, said: &str, answer: &str) {
        if let Some(log) = &mut self.log {
            let mut text = format!("> {}\n", said.trim());
            for line in answer.lines().filter(|line| !line.is_empty()) {
                text.extend(["< ", line, "\n"]);
            }
            // The game matters more than its log.
            let _ = log.write_all(text.as_bytes()).and_then(|()| log.flush());
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "commands that never fail answer like the others")]
pub(crate) fn said(text: &str) -> Answer {
    Ok(text.to_owned())
}

/// The command `known_command`: whether there is a command of that name.
///
/// # Errors
/// Never.
pub fn known_command<S: Protocol>(_: &mut S, arguments: &[&str]) -> Answer {
    let is_known = arguments.first().is_some_and(|name| S::COMMANDS.iter().any(|(known, _)| known == name));
    said(if is_known { "true" } else { "false" })
}

/// The command `list_commands`: the names of all commands, one a line.
///
/// # Errors
/// Never.
pub fn list_commands<S: Protocol>(_: &mut S, _: &[&str]) -> Answer {
    let names: Vec<&str> = S::COMMANDS.iter().map(|(name, _)| *name).collect();
    said(&names.join("\n"))
}
