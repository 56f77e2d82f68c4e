//! Reading of input line by line, also while an engine thinks. Knows no output.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use crate::interrupt::{Interrupt, InterruptMode};
use crate::messages;
use crate::platform::{self, is_in_foreground};
use crate::play::{Command, Match, Now, Request};
use crate::stdin::{GRACE, LookAhead};
use crate::thinking::JobId;
use crate::ui::typed_ahead::TypedAhead;
use crate::ui::{Inbox, Incoming, Input, Next, Typed, earlier};

/// Length of the longest line that is read, in bytes.
pub(crate) const MAX_LINE: usize = 4096;
/// Number of bytes without a line end after which the input counts as endless.
const ENDLESS: u64 = 2 << 30;
/// Interval at which the input is examined while an engine thinks.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time for which an external engine may stay silent once only leaving is left to do.
const SILENCE: Duration = Duration::from_millis(900);

/// Reader of an input, line by line: the next line is read only when the one before is fully
/// answered. A terminal is read even while an engine thinks: otherwise it would take no Ctrl-C once
/// its queue is full. Other input is searched for its end while an external engine thinks, as that
/// engine may never answer.
pub(super) struct LineReader<'a> {
    source: Source<'a>,
    /// Number of lines read so far.
    pub(super) lines: u64,
    pub(super) interrupt: Interrupt,
    /// `true` if all input has been read; and the time until which an engine may still think once
    /// everything is answered.
    eof: bool,
    patience: Option<Now>,
    /// Function that waits for a line of the terminal, at most this long, and reports whether one
    /// has come.
    pub(super) has_line_within: Option<fn(Duration) -> bool>,
    /// Lines that were typed while an engine was thinking and have to wait for its answer.
    typed_ahead: TypedAhead,
    /// Time at which the match is left, as the last of these lines wants, whether the engine has
    /// answered or not.
    leaves_at: Option<Now>,
    /// Job of an external engine after which the match is left, and the time since when that is
    /// known.
    last_thought: Option<(JobId, Now)>,
    /// Time in which an external engine has to answer, if the person has set one.
    pub(super) response_timeout: Option<Duration>,
}

/// Source of the lines.
enum Source<'a> {
    /// An input of which nothing is known before it is read.
    Plain(Box<dyn BufRead + 'a>),
    /// An input that can be examined before it is read.
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
            typed_ahead: TypedAhead::default(),
            leaves_at: None,
            last_thought: None,
            response_timeout: None,
        }
    }

    /// Sets the input, which can be examined before it is read.
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
        let input = match self.typed_ahead.pop() {
            Some(typed) => typed,
            None => read_line(&mut self.input(), MAX_LINE)?,
        };
        if !self.typed_ahead.is_leaving() {
            self.leaves_at = None;
        }
        self.lines += u64::from(input != Input::End);
        self.interrupt.forget();
        Ok(input)
    }

    /// Waits at a terminal for a line and reports whether one has come. Elsewhere a line may be
    /// read at once.
    pub(super) fn has_line_before(&self, wait: Duration) -> bool {
        !self.typed_ahead.is_empty() || self.has_line_within.is_none_or(|has_line| has_line(wait))
    }

    /// Returns the messages about lines that were typed.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        self.typed_ahead.take_notices()
    }

    /// Waits for an answer of an engine; `None` when a message is to be printed before. Once the
    /// input has ended the engine has only a moment left.
    pub(super) fn wait(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        let (is_watched, is_external) = (!game.game().has_human(), game.is_program_thinking());
        self.interrupt.set_mode(match (is_watched, is_external) {
            (_, true) => InterruptMode::External,
            (true, false) => InterruptMode::Watching,
            (false, false) => InterruptMode::Thinking,
        });
        let is_terminal = platform::CAN_WAIT_FOR_INPUT && self.has_line_within.is_some();
        loop {
            if let Some(next) = self.read_meanwhile(game, inbox)? {
                return Ok(Some(next));
            }
            if self.typed_ahead.has_notices() {
                return Ok(None);
            }
            if !is_external && self.eof && self.patience.is_none() && self.input().fill_buf()?.is_empty() {
                self.patience = Some(inbox.now() + GRACE);
            }
            let is_awaited = !is_external && (game.is_thinking() || game.is_advising());
            let thought = self.patience.filter(|_| is_awaited);
            let glance = (is_external || is_terminal).then(|| inbox.now() + POLL_INTERVAL);
            return Ok(Some(match inbox.wait(earlier(earlier(game.due(), thought), glance)) {
                Some(Incoming::News(news)) => Next::News(news),
                Some(Incoming::Interrupt) => {
                    self.forget_typed(); // as the terminal drops unread input
                    Next::Do(Command::MoveNow)
                }
                None if game.due().is_some_and(|due| due <= inbox.now()) => Next::Tick,
                None if thought.is_some_and(|thought| thought <= inbox.now()) => {
                    (self.patience, self.eof) = (None, false); // it has done its work for this search
                    Next::Do(Command::MoveNow)
                }
                Some(Incoming::InputEnded) => {
                    self.eof = true;
                    continue;
                }
                Some(Incoming::Terminal(_) | Incoming::Typed(..)) | None => continue,
            }));
        }
    }

    /// Reads lines whose commands are executed although an engine is still thinking.
    fn read_meanwhile(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        match (&self.source, self.has_line_within) {
            // Elsewhere nobody can tell without waiting whether something was typed.
            (_, Some(has_line)) if platform::CAN_WAIT_FOR_INPUT => self.read_typed(game, inbox, has_line),
            (Source::Ahead(_), _) if game.game().has_human() => self.leave_silent_engine(game, inbox),
            _ => Ok(None),
        }
    }

    /// Reads all lines that were typed. Returns what must not wait; the rest waits for the engine.
    fn read_typed(
        &mut self,
        game: &Match,
        inbox: &Inbox,
        has_line: fn(Duration) -> bool,
    ) -> io::Result<Option<Next>> {
        let is_external = game.is_program_thinking() && game.game().has_human();
        let waiting = self.typed_ahead.len();
        let mut next = None;
        while next.is_none()
            && !self.typed_ahead.is_leaving()
            && has_line(Duration::ZERO)
            && is_in_foreground()
        {
            let input = read_line(&mut self.input(), MAX_LINE)?;
            next = self.sort(game, inbox, input);
        }
        if is_external {
            self.typed_ahead.announce(waiting);
        }
        if next.is_none() && self.leaves_at.is_some_and(|at| at <= inbox.now()) {
            // Commands are still obeyed, such as one that saves the game; moves are not played any more.
            let mut waiting = std::iter::from_fn(|| self.typed_ahead.pop()).map(|input| read(game, input));
            next = waiting.find(|next| !matches!(request(next), Some(Request::Do(Command::Move(_)))));
        }
        let Some(next) = next else { return Ok(None) };
        if !self.typed_ahead.is_leaving() {
            self.leaves_at = None;
        }
        self.lines += u64::from(!matches!(next, Next::Line(Input::End)));
        self.interrupt.forget();
        Ok(Some(next))
    }

    /// Decides about a line of a terminal. While an external engine thinks, which may never answer,
    /// commands are executed at once and only moves wait. A built-in engine answers or is
    /// interrupted: there everything keeps its order.
    fn sort(&mut self, game: &Match, inbox: &Inbox, input: Input) -> Option<Next> {
        let is_external = game.is_program_thinking();
        let next = read(game, input.clone());
        let request = request(&next);
        let leaves = input == Input::End || matches!(request, Some(Request::Do(Command::Quit)));
        if leaves && !is_external {
            self.typed_ahead.push_last(input);
            self.leaves_at = Some(inbox.now().saturating_add(SILENCE));
            return None;
        }
        match request {
            _ if leaves => return Some(next),
            _ if !is_external || !game.game().has_human() => self.typed_ahead.push(input),
            Some(Request::Do(Command::Move(_))) => self.typed_ahead.push(input),
            // The moves that wait are the last ones; only then come those of the game.
            Some(Request::Do(Command::Undo(count))) if !self.typed_ahead.is_empty() => {
                self.typed_ahead.take_back(count.unwrap_or(1));
                self.lines += 1;
            }
            Some(Request::Load(_) | Request::Do(Command::New(_))) => {
                self.typed_ahead.take_back(usize::MAX); // they were meant for this game
                return Some(next);
            }
            _ => return Some(next),
        }
        None
    }

    fn forget_typed(&mut self) {
        self.typed_ahead.clear();
        self.leaves_at = None;
    }

    /// Leaves the match if the input has ended, or asks to leave, and the engine has been silent
    /// for a while since.
    fn leave_silent_engine(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        let (Some(job), Source::Ahead(input)) = (game.external_job(), &mut self.source) else {
            return Ok(None);
        };
        let (arrived, has_ended) = input.arrived();
        let last_end = arrived.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let whole = if has_ended { arrived } else { &arrived[..last_end] };
        let is_line = |line: &&[u8]| !line.trim_ascii().is_empty();
        let first = whole.split(|&byte| byte == b'\n').find(is_line);
        let last = whole.rsplit(|&byte| byte == b'\n').find(is_line);
        let is_quit =
            |line: &[u8]| matches!(game.read(&String::from_utf8_lossy(line)), Ok(Request::Do(Command::Quit)));
        let quits = first.is_some_and(is_quit);
        // A player who quits does not have to close the input as well.
        let has_ended = has_ended || self.eof || last.is_some_and(is_quit);
        // If a timeout is set it is waited for.
        if !quits && (!has_ended || self.response_timeout.is_some()) {
            self.last_thought = None;
            return Ok(None);
        }
        let now = inbox.now();
        let (_, since) = *self.last_thought.filter(|(id, _)| *id == job.id).get_or_insert((job.id, now));
        self.last_thought = Some((job.id, since));
        let more = job.limits.time.filter(|_| !quits && first.is_some()).unwrap_or_default();
        if now < since.saturating_add(SILENCE).saturating_add(more) {
            return Ok(None);
        }
        if quits {
            return self.read().map(|line| Some(Next::Line(line)));
        }
        let name = job.engine.external().map(|program| program.name()).unwrap_or_default();
        Ok(Some(Next::Do(Command::Abandon(messages::no_answer_after_the_input(&name)))))
    }
}

/// Returns a line with the request that it makes now.
fn read(game: &Match, line: Input) -> Next {
    match line {
        Input::Line(text) => Next::Typed(Typed::of(game, &text)),
        other => Next::Line(other),
    }
}

/// Returns the request of a line, if it can be read.
fn request(next: &Next) -> Option<&Request> {
    if let Next::Typed(typed) = next { typed.read.as_ref().ok() } else { None }
}

/// Reads a line of at most `most` bytes. A longer one is dropped; an endless one ends the input.
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
