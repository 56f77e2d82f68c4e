//! Lines of an input, one by one, and what may be read while an engine thinks. Knows no output.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::time::Duration;

use crate::interrupt::{Attention, Interrupt};
use crate::messages;
use crate::play::{Command, Match, Now, Request};
use crate::protocol::{GRACE, LookAhead};
use crate::ui::{Inbox, Incoming, Input, Next, earlier};
use crate::worker::JobId;

/// The longest line that is read, in bytes.
pub(crate) const MAX_LINE: usize = 4096;
/// After so many bytes without a line end the input is taken for endless.
const ENDLESS: u64 = 2 << 30;
/// How often the input is examined while an external engine thinks.
const GLANCE: Duration = Duration::from_millis(50);
/// How long an external engine may stay silent once nothing else than leaving is left to do.
const SILENCE: Duration = Duration::from_millis(900);

/// Lines of an input, one by one: the next one is read only when nothing is owed to the one before. While an external
/// engine thinks, which may never answer, a terminal is read all the same, and other input is searched for its end.
pub(super) struct LineReader<'a> {
    source: Source<'a>,
    /// Input lines read so far.
    pub(super) lines: u64,
    pub(super) interrupt: Interrupt,
    /// Whether all input has come, and until when a thought may go on once all has been answered.
    eof: bool,
    patience: Option<Now>,
    /// Waits so long for a line of the terminal and reports whether one has come.
    pub(super) has_line_within: Option<fn(Duration) -> bool>,
    /// Lines that were typed while an external engine was thinking and have to wait for its answer.
    typed_ahead: VecDeque<Input>,
    /// The thought of an external engine after which the match is left, and since when that is known.
    last_thought: Option<(JobId, Now)>,
    /// How long an external engine may take, where the person has said so.
    pub(super) response_timeout: Option<Duration>,
}

/// Where the lines come from.
enum Source<'a> {
    /// Nothing is known about what was not read yet.
    Plain(Box<dyn BufRead + 'a>),
    /// What has arrived can be examined.
    Ahead(Box<dyn LookAhead + 'a>),
}

impl<'a> LineReader<'a> {
    pub(super) fn new(input: impl BufRead + 'a) -> Self {
        LineReader {
            source: Source::Plain(Box::new(input)),
            lines: 0,
            interrupt: Interrupt::default(),
            eof: false,
            patience: None,
            has_line_within: None,
            typed_ahead: VecDeque::new(),
            last_thought: None,
            response_timeout: None,
        }
    }

    /// Reads from this input, which can be examined before it is read.
    pub(super) fn read_from(&mut self, input: impl LookAhead + 'a) {
        self.source = Source::Ahead(Box::new(input));
    }

    fn input(&mut self) -> &mut dyn BufRead {
        match &mut self.source {
            Source::Plain(input) => input,
            Source::Ahead(input) => input,
        }
    }

    /// Waits for a line.
    pub(super) fn read(&mut self) -> io::Result<Input> {
        let input = match self.typed_ahead.pop_front() {
            Some(typed) => typed,
            None => read_line(&mut self.input(), MAX_LINE)?,
        };
        self.lines += u64::from(input != Input::End);
        self.interrupt.forget();
        Ok(input)
    }

    /// Waits at a terminal for a line and reports whether one has come. Elsewhere a line may be read at once.
    pub(super) fn has_line_before(&self, wait: Duration) -> bool {
        !self.typed_ahead.is_empty() || self.has_line_within.is_none_or(|has_line| has_line(wait))
    }

    /// Waits for what is owed. Once the input has come to its end a thought has but a moment left.
    pub(super) fn wait(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Next> {
        let (is_watched, is_external) = (!game.game().has_human(), game.is_program_thinking());
        self.interrupt.attend(match (is_watched, is_external) {
            (true, _) => Attention::Watching,
            (false, true) => Attention::External,
            (false, false) => Attention::Thinking,
        });
        loop {
            if is_external && let Some(next) = self.read_meanwhile(game, inbox)? {
                return Ok(next);
            }
            if !is_external && self.eof && self.patience.is_none() && self.input().fill_buf()?.is_empty() {
                self.patience = Some(inbox.now() + GRACE);
            }
            let is_awaited = !is_external && (game.is_thinking() || game.is_advising());
            let thought = self.patience.filter(|_| is_awaited);
            let glance = is_external.then(|| inbox.now() + GLANCE);
            match inbox.wait(earlier(earlier(game.due(), thought), glance)) {
                Some(Incoming::News(news)) => return Ok(Next::News(news)),
                Some(Incoming::Interrupt) => return Ok(Next::Do(Command::MoveNow)),
                Some(Incoming::InputEnded) => self.eof = true,
                None if game.due().is_some_and(|due| due <= inbox.now()) => return Ok(Next::Tick),
                None if thought.is_some() => {
                    (self.patience, self.eof) = (None, false); // it has done its work for this thought
                    return Ok(Next::Do(Command::MoveNow));
                }
                Some(Incoming::Terminal(_) | Incoming::Typed(..)) | None => {}
            }
        }
    }

    /// Reads what is to be done although an external engine still thinks.
    fn read_meanwhile(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        match (&self.source, self.has_line_within) {
            // Elsewhere nobody can tell without waiting whether something was typed.
            (_, Some(has_line)) if cfg!(unix) => {
                if has_line(Duration::ZERO) {
                    self.read_typed(game)
                } else {
                    Ok(None)
                }
            }
            (Source::Ahead(_), _) if game.game().has_human() => self.leave_silent_engine(game, inbox),
            _ => Ok(None),
        }
    }

    /// Reads a line of a terminal. Commands are obeyed at once; moves, and what follows them, wait for the engine.
    fn read_typed(&mut self, game: &Match) -> io::Result<Option<Next>> {
        let input = read_line(&mut self.input(), MAX_LINE)?;
        let request = match &input {
            Input::Line(text) => game.read(text).ok(),
            _ => None,
        };
        let leaves = input == Input::End || matches!(request, Some(Request::Do(Command::Quit)));
        let is_move = matches!(request, Some(Request::Do(Command::Move(_))));
        if !leaves && (is_move || !self.typed_ahead.is_empty() || !game.game().has_human()) {
            self.typed_ahead.push_back(input);
            return Ok(None);
        }
        self.lines += u64::from(input != Input::End);
        self.interrupt.forget();
        Ok(Some(Next::Line(input)))
    }

    /// Leaves the match where the input has ended, or says to leave, and the engine has been silent since for a while.
    fn leave_silent_engine(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        let (Some(job), Source::Ahead(input)) = (game.external_job(), &mut self.source) else {
            return Ok(None);
        };
        let (arrived, has_ended) = input.arrived();
        let is_last_whole = has_ended || arrived.ends_with(b"\n");
        let whole = arrived
            .split_inclusive(|&byte| byte == b'\n')
            .filter(|line| is_last_whole || line.ends_with(b"\n"));
        let text = whole.map(String::from_utf8_lossy).find(|line| !line.trim().is_empty());
        let quits =
            text.as_ref().is_some_and(|text| matches!(game.read(text), Ok(Request::Do(Command::Quit))));
        let has_ended = has_ended || self.eof;
        // Who has set a time for the answer waits for it.
        if !quits && (!has_ended || self.response_timeout.is_some()) {
            self.last_thought = None;
            return Ok(None);
        }
        let now = inbox.now();
        let (_, since) = *self.last_thought.filter(|(id, _)| *id == job.id).get_or_insert((job.id, now));
        self.last_thought = Some((job.id, since));
        let more = job.limits.time.filter(|_| !quits && text.is_some()).unwrap_or_default();
        if now < since.saturating_add(SILENCE).saturating_add(more) {
            return Ok(None);
        }
        if quits {
            return self.read().map(|line| Some(Next::Line(line)));
        }
        let name = job.engine.program.as_ref().map(|program| program.name.clone()).unwrap_or_default();
        Ok(Some(Next::Do(Command::Abandon(messages::no_answer_after_the_input(&name)))))
    }
}

/// Reads a line of at most `most` bytes. Of a longer one nothing is kept; an endless one ends the input.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Input> {
    let mut line = Vec::new();
    if Read::take(&mut *input, most as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(Input::End);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > most {
        let is_endless = Read::take(&mut *input, ENDLESS).skip_until(b'\n')? as u64 == ENDLESS;
        return Ok(if is_endless { Input::Endless } else { Input::TooLong });
    }
    line.pop_if(|byte| *byte == b'\r');
    Ok(String::from_utf8(line).map_or_else(|error| Input::Bytes(error.into_bytes()), Input::Line))
}
