//! Reads input lines, even while an engine thinks. This module writes no output.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use crate::interrupt::{InterruptHandler, InterruptMode};
use crate::messages;
use crate::platform::{self, is_in_foreground};
use crate::play::{Command, InputRequest, Match, MatchTime};
use crate::stdin::{PeekableInput, SEARCH_GRACE_AFTER_EOF};
use crate::thinking::EngineJobId;
use crate::ui::typed_ahead::TypedAhead;
use crate::ui::{Inbox, InputLine, LoopEvent, NextStep, TypedLine, earlier_deadline};

/// Maximum length of an input line, in bytes.
pub(crate) const MAX_INPUT_LINE_BYTES: usize = 4096;
/// Number of bytes after which a line without a newline counts as endless.
const ENDLESS_LINE_BYTES: u64 = 2 << 30;
/// Interval at which the input is checked for new lines while an engine thinks.
const INPUT_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time that an engine has to answer once the player quits or the input ends.
const EXIT_ANSWER_TIMEOUT: Duration = Duration::from_millis(900);

/// Reader of input lines.
///
/// The next line is read only after the previous one is fully answered. A terminal is also read
/// while an engine thinks, because a terminal ignores Ctrl-C once its queue is full. On other
/// inputs, the end is detected while an external engine thinks, because that engine may hang.
pub(super) struct LineReader<'a> {
    source: LineSource<'a>,
    /// Number of lines read so far.
    pub(super) lines: u64,
    pub(super) interrupt: InterruptHandler,
    /// `true` if all input has been read.
    eof: bool,
    /// Time until which an engine may still think after all input lines are answered.
    grace_end: Option<MatchTime>,
    /// Function that waits for a terminal line for at most the given time and reports whether one
    /// arrived.
    pub(super) has_line_within: Option<fn(Duration) -> bool>,
    /// Lines typed while an engine was thinking. They are handled after its answer.
    typed_ahead: TypedAhead,
    /// Time at which a waiting quit command takes effect, even if the engine has not answered.
    leaves_at: Option<MatchTime>,
    /// External engine job that was running when quit or the end of the input was detected, with
    /// the time.
    last_external_job: Option<(EngineJobId, MatchTime)>,
    /// Response timeout of external engines, if the user has set one.
    pub(super) response_timeout: Option<Duration>,
}

/// Source of input lines.
enum LineSource<'a> {
    /// Input that cannot be inspected before it is read.
    Plain(Box<dyn BufRead + 'a>),
    /// Input that can be inspected before it is read.
    Ahead(Box<dyn PeekableInput + 'a>),
}

impl<'a> LineReader<'a> {
    pub(super) fn new(input: impl BufRead + 'a) -> Self {
        LineReader {
            source: LineSource::Plain(Box::new(input)),
            lines: 0,
            interrupt: InterruptHandler::default(),
            eof: false,
            grace_end: None,
            has_line_within: None,
            typed_ahead: TypedAhead::default(),
            leaves_at: None,
            last_external_job: None,
            response_timeout: None,
        }
    }

    /// Sets an input that can be inspected before it is read.
    pub(super) fn set_look_ahead_input(&mut self, input: impl PeekableInput + 'a) {
        self.source = LineSource::Ahead(Box::new(input));
    }

    fn buffered_input(&mut self) -> &mut dyn BufRead {
        match &mut self.source {
            LineSource::Plain(input) => input,
            LineSource::Ahead(input) => input,
        }
    }

    /// Returns the next line, waiting if necessary. Lines typed ahead come first.
    pub(super) fn read_next_line(&mut self) -> io::Result<InputLine> {
        let input = match self.typed_ahead.pop() {
            Some(typed) => typed,
            None => read_line(&mut self.buffered_input(), MAX_INPUT_LINE_BYTES)?,
        };
        if !self.typed_ahead.ends_with_quit() {
            self.leaves_at = None;
        }
        self.lines += u64::from(input != InputLine::End);
        self.interrupt.clear_warning();
        Ok(input)
    }

    /// Waits at most `wait` for a line at the terminal and reports whether one arrived.
    ///
    /// On other inputs, returns `true` at once.
    pub(super) fn wait_for_line(&self, wait: Duration) -> bool {
        !self.typed_ahead.is_empty() || self.has_line_within.is_none_or(|has_line| has_line(wait))
    }

    /// Removes and returns the messages about lines typed ahead.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        self.typed_ahead.take_notices()
    }

    /// Waits for an engine's answer, or returns `None` if a message must be printed first.
    ///
    /// After the end of the input, the engine gets only a short grace period.
    pub(super) fn wait_for_engine(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<NextStep>> {
        let (is_watched, is_external) = (!game.game().has_human(), game.is_external_engine_thinking());
        self.interrupt.set_mode(match (is_watched, is_external) {
            (_, true) => InterruptMode::External,
            (true, false) => InterruptMode::Watching,
            (false, false) => InterruptMode::Thinking,
        });
        let is_terminal = platform::CAN_WAIT_FOR_INPUT && self.has_line_within.is_some();
        loop {
            if let Some(next) = self.read_while_thinking(game, inbox)? {
                return Ok(Some(next));
            }
            if self.typed_ahead.has_notices() {
                return Ok(None);
            }
            if !is_external
                && self.eof
                && self.grace_end.is_none()
                && self.buffered_input().fill_buf()?.is_empty()
            {
                self.grace_end = Some(inbox.now() + SEARCH_GRACE_AFTER_EOF);
            }
            let is_awaited = !is_external && (game.is_thinking() || game.is_advising());
            let thought = self.grace_end.filter(|_| is_awaited);
            let glance = (is_external || is_terminal).then(|| inbox.now() + INPUT_POLL_INTERVAL);
            return Ok(Some(
                match inbox
                    .wait_until(earlier_deadline(earlier_deadline(game.next_deadline(), thought), glance))
                {
                    Some(LoopEvent::News(news)) => NextStep::News(news),
                    Some(LoopEvent::Interrupt) => {
                        self.drop_typed_lines(); // like the terminal's own queue after Ctrl-C
                        NextStep::Do(Command::MoveNow)
                    }
                    None if game.next_deadline().is_some_and(|due| due <= inbox.now()) => NextStep::Tick,
                    None if thought.is_some_and(|thought| thought <= inbox.now()) => {
                        (self.grace_end, self.eof) = (None, false); // consumed by this search
                        NextStep::Do(Command::MoveNow)
                    }
                    Some(LoopEvent::InputEnded) => {
                        self.eof = true;
                        continue;
                    }
                    Some(LoopEvent::Terminal(_) | LoopEvent::Typed(..)) | None => continue,
                },
            ));
        }
    }

    /// Returns the first input line that must be handled while an engine thinks, if any.
    fn read_while_thinking(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<NextStep>> {
        match (&self.source, self.has_line_within) {
            // Other inputs cannot be polled without blocking.
            (_, Some(has_line)) if platform::CAN_WAIT_FOR_INPUT => {
                self.read_typed_lines(game, inbox, has_line)
            }
            (LineSource::Ahead(_), _) if game.game().has_human() => self.abandon_silent_engine(game, inbox),
            _ => Ok(None),
        }
    }

    /// Reads all lines typed so far and returns the first one that must be handled at once.
    ///
    /// The others wait in a queue until the engine answers.
    fn read_typed_lines(
        &mut self,
        game: &Match,
        inbox: &Inbox,
        has_line: fn(Duration) -> bool,
    ) -> io::Result<Option<NextStep>> {
        let is_external = game.is_external_engine_thinking() && game.game().has_human();
        let waiting = self.typed_ahead.len();
        let mut next = None;
        while next.is_none()
            && !self.typed_ahead.ends_with_quit()
            && has_line(Duration::ZERO)
            && is_in_foreground()
        {
            let input = read_line(&mut self.buffered_input(), MAX_INPUT_LINE_BYTES)?;
            next = self.queue_or_return(game, inbox, input);
        }
        if is_external {
            self.typed_ahead.announce_waiting_moves(waiting);
        }
        if next.is_none() && self.leaves_at.is_some_and(|at| at <= inbox.now()) {
            // Waiting commands, such as save, are still executed; waiting moves are dropped.
            let mut waiting =
                std::iter::from_fn(|| self.typed_ahead.pop()).map(|input| parse_input(game, input));
            next = waiting
                .find(|next| !matches!(request_of_step(next), Some(InputRequest::Do(Command::Move(_)))));
        }
        let Some(next) = next else { return Ok(None) };
        if !self.typed_ahead.ends_with_quit() {
            self.leaves_at = None;
        }
        self.lines += u64::from(!matches!(next, NextStep::Line(InputLine::End)));
        self.interrupt.clear_warning();
        Ok(Some(next))
    }

    /// Queues a terminal line, or returns it if it must be handled at once.
    ///
    /// External engines may hang, so while one thinks, commands are handled at once and only moves
    /// wait. Built-in engines can be interrupted, so all lines keep their order.
    fn queue_or_return(&mut self, game: &Match, inbox: &Inbox, input: InputLine) -> Option<NextStep> {
        let is_external = game.is_external_engine_thinking();
        let next = parse_input(game, input.clone());
        let request = request_of_step(&next);
        let leaves = input == InputLine::End || matches!(request, Some(InputRequest::Do(Command::Quit)));
        if leaves && !is_external {
            self.typed_ahead.push_quit(input);
            self.leaves_at = Some(inbox.now().saturating_add(EXIT_ANSWER_TIMEOUT));
            return None;
        }
        match request {
            _ if leaves => return Some(next),
            _ if !is_external || !game.game().has_human() => self.typed_ahead.push(input),
            Some(InputRequest::Do(Command::Move(_))) => self.typed_ahead.push(input),
            // Undo removes waiting moves before moves of the game.
            Some(InputRequest::Do(Command::Undo(count))) if !self.typed_ahead.is_empty() => {
                self.typed_ahead.withdraw_last(count.unwrap_or(1));
                self.lines += 1;
            }
            Some(InputRequest::Load(_) | InputRequest::Do(Command::New(_))) => {
                self.typed_ahead.withdraw_last(usize::MAX); // they were meant for this game
                return Some(next);
            }
            _ => return Some(next),
        }
        None
    }

    fn drop_typed_lines(&mut self) {
        self.typed_ahead.clear();
        self.leaves_at = None;
    }

    /// Ends the match if an external engine does not answer in time after quit or the end of the
    /// input.
    fn abandon_silent_engine(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<NextStep>> {
        let (Some(job), LineSource::Ahead(input)) = (game.external_engine_job(), &mut self.source) else {
            return Ok(None);
        };
        let (arrived, has_ended) = input.peek_arrived();
        let last_end = arrived.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let whole = if has_ended { arrived } else { &arrived[..last_end] };
        let is_line = |line: &&[u8]| !line.trim_ascii().is_empty();
        let first = whole.split(|&byte| byte == b'\n').find(is_line);
        let last = whole.rsplit(|&byte| byte == b'\n').find(is_line);
        let is_quit = |line: &[u8]| {
            matches!(game.parse_line(&String::from_utf8_lossy(line)), Ok(InputRequest::Do(Command::Quit)))
        };
        let quits = first.is_some_and(is_quit);
        // A quit line counts as the end of the input.
        let has_ended = has_ended || self.eof || last.is_some_and(is_quit);
        // With a response timeout, the end of the input waits for that instead.
        if !quits && (!has_ended || self.response_timeout.is_some()) {
            self.last_external_job = None;
            return Ok(None);
        }
        let now = inbox.now();
        let (_, since) = *self.last_external_job.filter(|(id, _)| *id == job.id).get_or_insert((job.id, now));
        self.last_external_job = Some((job.id, since));
        let more = job.limits.time.filter(|_| !quits && first.is_some()).unwrap_or_default();
        if now < since.saturating_add(EXIT_ANSWER_TIMEOUT).saturating_add(more) {
            return Ok(None);
        }
        if quits {
            return self.read_next_line().map(|line| Some(NextStep::Line(line)));
        }
        let name = job.engine.external_program().map(|program| program.name()).unwrap_or_default();
        Ok(Some(NextStep::Do(Command::Abandon(messages::no_answer_after_eof_message(&name)))))
    }
}

/// Parses an input line for the current state of the match.
fn parse_input(game: &Match, line: InputLine) -> NextStep {
    match line {
        InputLine::Line(text) => NextStep::Typed(TypedLine::parse(game, &text)),
        other => NextStep::Line(other),
    }
}

/// Returns the request of a parsed line, or `None` if the line is unparsed or refused.
fn request_of_step(next: &NextStep) -> Option<&InputRequest> {
    if let NextStep::Typed(typed) = next { typed.read.as_ref().ok() } else { None }
}

/// Reads a line of at most `most` bytes.
///
/// The text of a longer line is discarded. A line without an end is reported as endless.
///
/// # Errors
/// Fails if the input cannot be read.
pub fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<InputLine> {
    let mut line = Vec::new();
    if Read::take(&mut *input, most as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(InputLine::End);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > most {
        let is_endless =
            Read::take(&mut *input, ENDLESS_LINE_BYTES).skip_until(b'\n')? as u64 == ENDLESS_LINE_BYTES;
        return Ok(if is_endless { InputLine::Endless } else { InputLine::TooLong });
    }
    line.pop_if(|byte| *byte == b'\r');
    Ok(String::from_utf8(line).map_or_else(|error| InputLine::Bytes(error.into_bytes()), InputLine::Line))
}
