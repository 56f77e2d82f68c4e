//! Shared parts of line protocols: one command per line, one answer each, a command table and a
//! log.
//!
//! This module does not depend on the commands of a particular protocol.

use crate::stdin::{self, MAX_LINE_BYTES, ReadAhead};
use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Text of an answer, or the failure message after `?`.
pub type CommandResult = Result<String, CommandFailure>;
/// Failure message of a command, shown after `?`.
pub(crate) type CommandFailure = Cow<'static, str>;
/// Name and handler of a command. A failed command changes nothing.
pub type ProtocolCommand<S> = (&'static str, fn(&mut S, &[&str]) -> CommandResult);

/// Name and handler of a command that answers line by line until the next command arrives.
pub(crate) type StreamCommand<S> =
    (&'static str, fn(&mut S, &[&str], &mut StreamWriter<'_>) -> Result<(), CommandFailure>);

/// Writer for the lines of a streamed answer.
pub struct StreamWriter<'a> {
    /// Reports whether the next line has arrived, or the input has ended.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Writes a line, given without its newline.
    pub tell: &'a mut dyn FnMut(&str),
}

impl Debug for StreamWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pieces")
    }
}

/// Failure message for malformed commands.
pub(crate) const SYNTAX_ERROR: &str = "syntax error";

/// State of a session and the commands of its protocol.
pub trait LineProtocol: Debug + Sized + 'static {
    /// All commands, in the order in which they are listed. The command `quit` ends the session.
    const COMMANDS: &'static [ProtocolCommand<Self>];
    /// `true` if a command may start with a number, which the answer repeats.
    const HAS_COMMAND_IDS: bool;

    /// Command that streams its answer until the next line arrives, if there is one.
    const STREAM_COMMAND: Option<StreamCommand<Self>> = None;

    /// Sets the source of information about input that was read ahead.
    fn set_read_ahead(&mut self, ahead: ReadAhead);

    /// Returns the failure message for an unknown command.
    #[must_use]
    fn unknown_command_failure(_name: &str) -> CommandFailure {
        "unknown command".into()
    }

    /// Returns the lines to write before the answer to a command.
    fn comment_before_answer(&self, _name: &str) -> String {
        String::new()
    }
}

/// Session of a line protocol: takes lines and returns answers.
#[derive(Debug)]
pub struct ProtocolShell<S> {
    pub(super) engine: S,
    has_quit: bool,
    log: Option<File>,
    /// First error from writing the log.
    log_fault: Option<io::Error>,
    ahead: Option<ReadAhead>,
    /// Number of lines taken from the input.
    taken: u64,
}

/// Session of any line protocol.
pub trait ProtocolSession {
    /// Logs the session to a file: input lines after `> `, answer lines after `< `. Write errors do not end
    /// the session.
    fn log_to(&mut self, log: File);

    /// Returns the first error from writing the log.
    fn log_error(&self) -> Option<&io::Error>;

    /// Sets the source of information about input that was read ahead. Searches limited only by time end
    /// within half a second of the end of the input, and streamed answers with the next line.
    fn set_read_ahead(&mut self, ahead: ReadAhead);

    /// Answers the lines of `input`, as [`ProtocolShell::serve`] does.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails.
    fn serve_input(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()>;
}

impl<S: LineProtocol> ProtocolSession for ProtocolShell<S> {
    fn log_to(&mut self, log: File) {
        self.log = Some(log);
    }

    fn log_error(&self) -> Option<&io::Error> {
        self.log_fault.as_ref()
    }

    fn set_read_ahead(&mut self, ahead: ReadAhead) {
        self.engine.set_read_ahead(ahead.clone());
        self.ahead = Some(ahead);
    }

    fn serve_input(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        self.serve(input, out)
    }
}

impl<S: LineProtocol> ProtocolShell<S> {
    /// Creates a session with this state.
    #[must_use]
    pub fn with_state(engine: S) -> Self {
        ProtocolShell { engine, has_quit: false, log: None, log_fault: None, ahead: None, taken: 0 }
    }

    /// Answers the lines of `input` until its end or `quit`, each answer in a single write.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails. If the output has been closed, the error is of
    /// kind `BrokenPipe`.
    pub fn serve(&mut self, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        while !self.has_quit
            && let Some(line) = stdin::read_limited_line(&mut input)?
        {
            self.taken += 1;
            let mut told = Ok(());
            let mut tell = |piece: &str| {
                if told.is_ok() {
                    told = out.write_all(piece.as_bytes()).and_then(|()| out.flush());
                }
                told.is_ok()
            };
            self.reply_to_line(&line, &mut tell);
            told?;
        }
        Ok(())
    }

    /// Answers a line. `tell` returns `false` once the output is closed.
    fn reply_to_line(&mut self, line: &[u8], tell: &mut dyn FnMut(&str) -> bool) {
        let Some((name, stream)) = S::STREAM_COMMAND.filter(|_| line.len() <= MAX_LINE_BYTES) else {
            self.answer(line).map(|answer| tell(&answer));
            return;
        };
        let said = stdin::clean_command_line(line);
        let Some(RequestLine { id, arguments, .. }) =
            RequestLine::parse::<S>(&said).filter(|line| line.name == name)
        else {
            self.answer(line).map(|answer| tell(&answer));
            return;
        };
        let (ahead, taken) = (self.ahead.clone(), self.taken);
        let has_left = AtomicBool::new(false);
        let is_over = || {
            has_left.load(Ordering::Relaxed)
                || ahead.as_ref().is_none_or(|ahead| ahead.has_more_lines_than(taken))
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
        self.log_exchange(&said, &format!("({count} lines)"));
    }

    /// Returns the complete answer to a line, including the empty line after it. Returns `None` for an
    /// empty line or a comment.
    pub fn answer(&mut self, line: &[u8]) -> Option<String> {
        if line.len() > MAX_LINE_BYTES {
            let answer = format!("? {SYNTAX_ERROR}\n\n");
            self.log_exchange("(a line that is too long)", &answer);
            return Some(answer);
        }
        let said = stdin::clean_command_line(line);
        let RequestLine { id, name, arguments } = RequestLine::parse::<S>(&said)?;
        let result = match S::COMMANDS.iter().find(|(known, _)| *known == name) {
            _ if name.is_empty() => Err(SYNTAX_ERROR.into()),
            Some((_, act)) => act(&mut self.engine, &arguments),
            None => Err(S::unknown_command_failure(name)),
        };
        self.has_quit |= name == "quit" && result.is_ok();
        let answer = match result {
            // A drawing of the board starts on a new line.
            Ok(text) if text.is_empty() || text.starts_with('\n') => format!("={id}{text}\n\n"),
            Ok(text) => format!("{}={id} {text}\n\n", self.engine.comment_before_answer(name)),
            Err(why) => format!("?{id} {why}\n\n"),
        };
        self.log_exchange(&said, &answer);
        Some(answer)
    }

    /// Appends a line and its answer to the log.
    fn log_exchange(&mut self, said: &str, answer: &str) {
        if let Some(log) = &mut self.log {
            let mut text = format!("> {}\n", said.trim());
            for line in answer.lines().filter(|line| !line.is_empty()) {
                text.extend(["< ", line, "\n"]);
            }
            // A failure to log must not end the session.
            if let Err(error) = log.write_all(text.as_bytes()).and_then(|()| log.flush()) {
                self.log_fault.get_or_insert(error);
            }
        }
    }
}

/// Parsed input line.
struct RequestLine<'a> {
    /// Number that the answer repeats, or an empty string.
    id: &'a str,
    /// Name of the command. Empty if the line has only a number.
    name: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> RequestLine<'a> {
    /// Parses a line. Returns `None` if it is empty.
    fn parse<S: LineProtocol>(said: &'a str) -> Option<Self> {
        let mut words = said.split(' ').filter(|word| !word.is_empty()).peekable();
        let is_id = |word: &&str| S::HAS_COMMAND_IDS && word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(is_id).unwrap_or_default();
        let name = words.next().or(Some("").filter(|_| !id.is_empty()))?;
        Some(RequestLine { id, name, arguments: words.collect() })
    }
}

/// Returns a successful answer with this text.
#[expect(clippy::unnecessary_wraps, reason = "commands that never fail answer like the others")]
pub(crate) fn succeed_with(text: &str) -> CommandResult {
    Ok(text.to_owned())
}

/// Handles `known_command NAME`: answers `true` if there is a command with this name.
#[expect(clippy::missing_errors_doc, reason = "it never fails")]
pub fn answer_known_command<S: LineProtocol>(_: &mut S, arguments: &[&str]) -> CommandResult {
    let is_known = arguments.first().is_some_and(|name| S::COMMANDS.iter().any(|(known, _)| known == name));
    succeed_with(if is_known { "true" } else { "false" })
}

/// Handles `list_commands`: lists the names of all commands, one per line.
#[expect(clippy::missing_errors_doc, reason = "it never fails")]
pub fn answer_list_commands<S: LineProtocol>(_: &mut S, _: &[&str]) -> CommandResult {
    let names: Vec<&str> = S::COMMANDS.iter().map(|(name, _)| *name).collect();
    succeed_with(&names.join("\n"))
}
