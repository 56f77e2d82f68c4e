//! The common part of line protocols: one line a command, one answer each, a table of commands, the log. Knows no
//! command of a game.

use crate::stdin::{self, LONGEST_LINE, ReadAhead};
use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The text of an answer, or what stands behind `?`.
pub type CommandResult = Result<String, Failure>;
/// Text behind `?`.
pub(crate) type Failure = Cow<'static, str>;
/// The name of a command and what it does with its arguments. A command that fails changes nothing.
pub type ProtocolCommand<S> = (&'static str, fn(&mut S, &[&str]) -> CommandResult);

/// The name of a command that answers in pieces, and what it does with its arguments: it hands over one line after the
/// other until it is told that the next command has come.
pub(crate) type StreamCommand<S> =
    (&'static str, fn(&mut S, &[&str], &mut StreamWriter<'_>) -> Result<(), Failure>);

/// Receiver of the pieces of an answer.
pub struct StreamWriter<'a> {
    /// `true` if the next line has come, or never will.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Takes a line without its end.
    pub tell: &'a mut dyn FnMut(&str),
}

impl Debug for StreamWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pieces")
    }
}

pub(crate) const SYNTAX: &str = "syntax error";

/// The state of an engine that speaks a protocol.
pub trait LineProtocol: Debug + Sized + 'static {
    /// Every command, in the order in which they are listed. After `quit` nothing is answered.
    const COMMANDS: &'static [ProtocolCommand<Self>];
    /// `true` if a command may begin with a number, which its answer repeats.
    const HAS_IDS: bool;

    /// The command that answers in pieces until the next line comes, if there is one.
    const STREAM: Option<StreamCommand<Self>> = None;

    /// Is given what is known of the input that was read ahead.
    fn look_ahead(&mut self, ahead: ReadAhead);

    /// Returns the text behind `?` where no command has this name.
    #[must_use]
    fn unknown(_name: &str) -> Failure {
        "unknown command".into()
    }

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
    /// Why the log could not be written first.
    log_fault: Option<io::Error>,
    ahead: Option<ReadAhead>,
    /// The lines taken from the input.
    taken: u64,
}

/// A dialogue, whatever its protocol.
pub trait Dialogue {
    /// Writes down from now on what is said: `> ` before a line, `< ` before a line of an answer. A log that cannot be
    /// written disturbs nobody.
    fn log_to(&mut self, log: File);

    /// Returns why the log could not be written, the first time that it could not.
    fn log_fault(&self) -> Option<&io::Error>;

    /// Is given what is known of input that is read ahead: a thought by time ends within half a second of its end, an
    /// answer in pieces with the next line.
    fn look_ahead(&mut self, ahead: ReadAhead);

    /// Answers the lines of `input`, as [`Shell::serve`] does.
    ///
    /// # Errors
    /// If reading or writing fails.
    fn answer_all(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()>;
}

impl<S: LineProtocol> Dialogue for Shell<S> {
    fn log_to(&mut self, log: File) {
        self.log = Some(log);
    }

    fn log_fault(&self) -> Option<&io::Error> {
        self.log_fault.as_ref()
    }

    fn look_ahead(&mut self, ahead: ReadAhead) {
        self.engine.look_ahead(ahead.clone());
        self.ahead = Some(ahead);
    }

    fn answer_all(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        self.serve(input, out)
    }
}

impl<S: LineProtocol> Shell<S> {
    /// A dialogue with an engine.
    #[must_use]
    pub fn with(engine: S) -> Self {
        Shell { engine, has_quit: false, log: None, log_fault: None, ahead: None, taken: 0 }
    }

    /// Answers the lines of `input` until its end or `quit`, each answer in one write.
    ///
    /// # Errors
    /// If reading or writing fails; a reader who leaves is an error of kind `BrokenPipe`.
    pub fn serve(&mut self, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        while !self.has_quit
            && let Some(line) = stdin::next_line(&mut input)?
        {
            self.taken += 1;
            let mut told = Ok(());
            let mut tell = |piece: &str| {
                if told.is_ok() {
                    told = out.write_all(piece.as_bytes()).and_then(|()| out.flush());
                }
                told.is_ok()
            };
            self.reply(&line, &mut tell);
            told?;
        }
        Ok(())
    }

    /// Answers a line; false from `tell` says that nobody listens any more.
    fn reply(&mut self, line: &[u8], tell: &mut dyn FnMut(&str) -> bool) {
        let Some((name, stream)) = S::STREAM.filter(|_| line.len() <= LONGEST_LINE) else {
            self.answer(line).map(|answer| tell(&answer));
            return;
        };
        let said = stdin::clean(line);
        let Some(RequestLine { id, arguments, .. }) =
            RequestLine::read::<S>(&said).filter(|line| line.name == name)
        else {
            self.answer(line).map(|answer| tell(&answer));
            return;
        };
        let (ahead, taken) = (self.ahead.clone(), self.taken);
        let has_left = AtomicBool::new(false);
        let is_over = || {
            has_left.load(Ordering::Relaxed) || ahead.as_ref().is_none_or(|ahead| ahead.has_more_than(taken))
        };
        let mut count = 0;
        let mut piece = |line: &str| {
            let head = if count == 0 { format!("={id}\n") } else { String::new() };
            count += 1;
            if !tell(&format!("{head}{line}\n")) {
                has_left.store(true, Ordering::Relaxed);
            }
        };
        let result =
            stream(&mut self.engine, &arguments, &mut StreamWriter { is_over: &is_over, tell: &mut piece });
        let end = match result {
            Ok(()) if count > 0 => "\n".to_owned(),
            Ok(()) => format!("={id}\n\n"),
            Err(why) => format!("?{id} {why}\n\n"),
        };
        tell(&end);
        self.note_down(&said, &format!("({count} lines)"));
    }

    /// The whole answer to a line without its end, the empty line behind it included; `None` if the line says nothing.
    pub fn answer(&mut self, line: &[u8]) -> Option<String> {
        if line.len() > LONGEST_LINE {
            let answer = format!("? {SYNTAX}\n\n");
            self.note_down("(a line that is too long)", &answer);
            return Some(answer);
        }
        let said = stdin::clean(line);
        let RequestLine { id, name, arguments } = RequestLine::read::<S>(&said)?;
        let result = match S::COMMANDS.iter().find(|(known, _)| *known == name) {
            _ if name.is_empty() => Err(SYNTAX.into()),
            Some((_, act)) => act(&mut self.engine, &arguments),
            None => Err(S::unknown(name)),
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
            if let Err(error) = log.write_all(text.as_bytes()).and_then(|()| log.flush()) {
                self.log_fault.get_or_insert(error);
            }
        }
    }
}

/// A line in words.
struct RequestLine<'a> {
    /// The number that the answer repeats; empty if there is none.
    id: &'a str,
    /// The command; empty where a number stands alone.
    name: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> RequestLine<'a> {
    /// The words of a line; `None` if it says nothing.
    fn read<S: LineProtocol>(said: &'a str) -> Option<Self> {
        let mut words = said.split(' ').filter(|word| !word.is_empty()).peekable();
        let is_id = |word: &&str| S::HAS_IDS && word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(is_id).unwrap_or_default();
        let name = words.next().or(Some("").filter(|_| !id.is_empty()))?;
        Some(RequestLine { id, name, arguments: words.collect() })
    }
}

#[expect(clippy::unnecessary_wraps, reason = "commands that never fail answer like the others")]
pub(crate) fn success(text: &str) -> CommandResult {
    Ok(text.to_owned())
}

/// Answers the command `known_command`: `true` if there is a command of that name.
#[expect(clippy::missing_errors_doc, reason = "it never fails")]
pub fn known_command<S: LineProtocol>(_: &mut S, arguments: &[&str]) -> CommandResult {
    let is_known = arguments.first().is_some_and(|name| S::COMMANDS.iter().any(|(known, _)| known == name));
    success(if is_known { "true" } else { "false" })
}

/// Answers the command `list_commands`: the names of all commands, one per line.
#[expect(clippy::missing_errors_doc, reason = "it never fails")]
pub fn list_commands<S: LineProtocol>(_: &mut S, _: &[&str]) -> CommandResult {
    let names: Vec<&str> = S::COMMANDS.iter().map(|(name, _)| *name).collect();
    success(&names.join("\n"))
}
