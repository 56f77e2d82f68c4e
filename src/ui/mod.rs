//! Event loop of a match and its front ends, which show events and return the next step.

mod files;
pub mod json;
pub mod kept;
pub mod line;
mod line_reader;
pub mod listing;
pub mod log;
pub mod tui;
mod typed_ahead;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};

use jiff::Zoned;

use crate::ai::Stopwatch;
use crate::journal::{ContinuedGame, JournalWriteError, JournalWriteOutcome, MatchJournal};
use crate::play::{
    Command, CommandAnswer, CommandReply, InputRequest, JournalStatus, LeaveReason, Match, MatchEvent,
    MatchRefusal, MatchTime, ModeFallback, MoveFile,
};
use crate::thinking::{EngineEvent, EngineFactory, EngineThreads};
pub use crate::ui::files::FileReadRules;
use crate::ui::files::SaveOutcome;
pub(crate) use crate::ui::files::split_game_number;
use crate::ui::log::MatchLog;

/// Line of input, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    /// Line of text, without its newline.
    Line(String),
    /// Line that is not UTF-8, without its newline; it may contain a file name.
    Bytes(Vec<u8>),
    /// Line that is too long for a move or command.
    TooLong,
    /// Endless line, after which no further input can be read.
    Endless,
    /// End of the input.
    End,
}

impl InputLine {
    /// Returns the line as text, with invalid UTF-8 replaced; empty if there is no line.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            InputLine::Line(text) => text.into(),
            InputLine::Bytes(bytes) => String::from_utf8_lossy(bytes),
            InputLine::TooLong | InputLine::Endless | InputLine::End => "".into(),
        }
    }
}

/// Typed line that is already parsed into a request.
#[derive(Clone, Debug)]
pub struct TypedLine {
    /// Line as typed.
    pub line: String,
    /// Parsed request, or the reason for its refusal.
    pub read: Result<InputRequest, MatchRefusal>,
}

impl TypedLine {
    pub(crate) fn parse(game: &Match, line: &str) -> Box<Self> {
        Box::new(TypedLine { line: line.to_owned(), read: game.parse_line(line) })
    }
}

/// Event that wakes the event loop.
#[derive(Debug)]
pub enum LoopEvent {
    /// News of an engine job.
    News(EngineEvent),
    /// Terminal event of the front end.
    Terminal(tui::ScreenEvent),
    /// Key or mouse event, with the number of times that waiting input had been dropped before it.
    Typed(tui::ScreenEvent, u64),
    /// Ctrl-C pressed while an engine thinks.
    Interrupt,
    /// End of the input; earlier lines may still be unanswered.
    InputEnded,
}

/// Next step of the event loop.
#[derive(Debug)]
pub enum NextStep {
    /// Input line to be parsed.
    Line(InputLine),
    /// Input line that is already parsed.
    Typed(Box<TypedLine>),
    /// Command to be passed to the match.
    Do(Command),
    /// News of an engine job.
    News(EngineEvent),
    /// Unfinished game to resume.
    Resume(Box<ContinuedGame>),
    /// Move file to replay.
    Show(MoveFile),
    /// Passage of time without any input. The match checks its clocks.
    Tick,
}

/// User interface of a match. Implementations hold no copy of the match state.
pub trait FrontEnd {
    /// Shows the events of a match.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn show_events(&mut self, game: &Match, events: &[MatchEvent]) -> io::Result<()>;

    /// Returns the next step if one is ready, without waiting.
    ///
    /// # Errors
    /// See [`FrontEnd::next_step`].
    fn poll_step(&mut self, _game: &Match, _inbox: &Inbox) -> io::Result<Option<NextStep>> {
        Ok(None)
    }

    /// Waits for the next step, at most until the next deadline of the match.
    ///
    /// # Errors
    /// Fails if the input cannot be read or the output cannot be written.
    fn next_step(&mut self, game: &Match, inbox: &Inbox) -> io::Result<NextStep>;

    /// Reports whether a human is present to answer questions.
    fn can_ask_person(&self) -> bool {
        false
    }
}

/// Queue of events for the event loop.
#[derive(Debug)]
pub struct Inbox {
    incoming: Receiver<LoopEvent>,
    sender: Sender<LoopEvent>,
    /// Events put back into the queue, in the order in which they are taken again.
    put_back: RefCell<VecDeque<LoopEvent>>,
    clock: Stopwatch,
}

impl Default for Inbox {
    fn default() -> Self {
        let (sender, incoming) = channel();
        Inbox { incoming, sender, put_back: RefCell::default(), clock: Stopwatch::start() }
    }
}

impl Inbox {
    /// Returns a sender to this inbox for use in another thread.
    pub fn sender(&self) -> Sender<LoopEvent> {
        self.sender.clone()
    }

    /// Returns the current time of the match.
    pub fn now(&self) -> MatchTime {
        self.clock.elapsed()
    }

    /// Returns the next queued event without waiting; `None` if there is none.
    pub fn try_take(&self) -> Option<LoopEvent> {
        let kept = self.put_back.borrow_mut().pop_front();
        kept.or_else(|| self.incoming.try_recv().ok())
    }

    /// Puts events back at the front of the queue, in their order.
    pub(crate) fn put_back(&self, early: Vec<LoopEvent>) {
        let mut kept = self.put_back.borrow_mut();
        early.into_iter().rev().for_each(|incoming| kept.push_front(incoming));
    }

    /// Waits for an event, at most until the given time.
    pub fn wait_until(&self, until: Option<MatchTime>) -> Option<LoopEvent> {
        if let Some(kept) = self.put_back.borrow_mut().pop_front() {
            return Some(kept);
        }
        match until {
            // The inbox keeps a sender, so the channel stays open.
            None => self.incoming.recv().ok(),
            Some(until) => self.incoming.recv_timeout(until.saturating_sub(self.now())).ok(),
        }
    }
}

/// Returns the earlier of two optional deadlines.
pub(crate) fn earlier_deadline(one: Option<MatchTime>, other: Option<MatchTime>) -> Option<MatchTime> {
    one.into_iter().chain(other).min()
}

/// Writes the journal and returns events about its state.
///
/// There is an event if writing fails, and one if a game is saved completely again.
fn write_journal(journal: &mut MatchJournal, game: &mut Match) -> Vec<MatchEvent> {
    let previous = journal.retry_previous_game(game);
    let mut told: Vec<MatchEvent> = previous
        .into_iter()
        .flat_map(|number| game.update_journal_status(number, JournalStatus::Restored))
        .collect();
    let (number, was_unkept) = (game.game().number, game.game().is_journal_incomplete());
    let news = match journal.record_changes(game) {
        Err(JournalWriteError { why, is_partial: true }) if !was_unkept => {
            Some(JournalStatus::Interrupted(why))
        }
        Err(JournalWriteError { why, is_partial: false }) if !was_unkept => {
            Some(JournalStatus::NotWritten(why))
        }
        Ok(JournalWriteOutcome::Whole) if was_unkept => Some(JournalStatus::Restored),
        _ => None,
    };
    told.extend(news.into_iter().flat_map(|news| game.update_journal_status(number, news)));
    told
}

/// Saves the mistakes found by a review and the player's attempts to correct mistakes.
///
/// Returns events about failures to save them.
fn save_mistakes(
    journal: &MatchJournal,
    game: &mut Match,
    events: &[MatchEvent],
    now: MatchTime,
) -> Vec<MatchEvent> {
    let is_found = |event: &MatchEvent| match event {
        MatchEvent::Replied(CommandReply { answer: CommandAnswer::Reviewed, .. }) => true,
        MatchEvent::Reported(node) => *node == game.game().present_node() && game.game().outcome().is_some(),
        _ => false,
    };
    let today = Zoned::now().date();
    let mut kept = Ok(());
    if events.iter().any(is_found) {
        kept = journal.save_review_findings(game.game(), today);
    }
    for event in events {
        if let MatchEvent::Tried(made) = event {
            kept = kept.and(journal.save_mistake_attempt(made));
        }
    }
    kept.err().map(|why| game.report_mistake_save_failure(why, now)).unwrap_or_default()
}

/// Runs a match to its end: the event loop of line mode, JSON mode and the full screen.
///
/// # Errors
/// Fails if the front end fails.
pub fn run_match(
    game: &mut Match,
    front: &mut dyn FrontEnd,
    mut journal: Option<MatchJournal>,
    mut log: Option<&mut MatchLog>,
    inbox: &Inbox,
    fallback: Option<ModeFallback>,
    build: EngineFactory,
) -> io::Result<LeaveReason> {
    let sender = inbox.sender();
    let send = move |news| _ = sender.send(LoopEvent::News(news)); // the loop has ended
    let mut workers = EngineThreads::new(build, send);
    let mut events = game.open(fallback, inbox.now());
    loop {
        // 1. Save and log the events, then show them
        if let Some(journal) = &mut journal {
            events.splice(0..0, write_journal(journal, game));
            let told = save_mistakes(journal, game, &events, inbox.now());
            events.splice(0..0, told);
        }
        if let Some(MatchEvent::Left(leaving)) = events.last_mut() {
            game.update_leave_reason(leaving);
        }
        if let Some(log) = &mut log {
            log.log_events(game, &events);
            let told = log.take_write_error().map(|why| game.report_log_failure(why, inbox.now()));
            events.splice(0..0, told.into_iter().flatten());
        }
        front.show_events(game, &events)?;
        if let Some(MatchEvent::Left(leaving)) = events.last() {
            workers.set_wanted_jobs(&[]);
            return Ok(leaving.clone());
        }
        // 2. Handle waiting input before starting or stopping engine jobs
        let next = if let Some(next) = front.poll_step(game, inbox)? {
            next
        } else {
            workers.set_wanted_jobs(game.engine_jobs());
            front.next_step(game, inbox)?
        };
        // 3. Retry an incomplete journal before a step that may leave its game, then take the step
        let may_leave = !matches!(next, NextStep::Tick | NextStep::News(_)) && game.has_incomplete_journal();
        let retried = journal.as_mut().filter(|_| may_leave).map(|journal| write_journal(journal, game));
        let now = inbox.now();
        if let Some(log) = &mut log {
            log.log_input(&next);
        }
        events = match next {
            NextStep::Tick => game.tick(now),
            NextStep::News(news) => game.handle_engine_news(news, now),
            NextStep::Do(command) => game.handle_command(command, now),
            NextStep::Resume(found) => resume_game(game, journal.as_mut(), *found, now),
            NextStep::Show(file) => game.replay_file(file, now),
            NextStep::Line(input) => handle_line(game, &input, front.can_ask_person(), now),
            NextStep::Typed(typed) => handle_request(game, typed.read, front.can_ask_person(), now),
        };
        events.splice(0..0, retried.into_iter().flatten());
    }
}

/// Resumes an unfinished game and continues its journal.
fn resume_game(
    game: &mut Match,
    journal: Option<&mut MatchJournal>,
    found: ContinuedGame,
    now: MatchTime,
) -> Vec<MatchEvent> {
    let ContinuedGame { spec, seed, record, file, .. } = found;
    let before = game.game().number;
    let events = game.resume_game(spec, seed, record, now);
    if let Some(journal) = journal.filter(|_| game.game().number != before) {
        journal.resume(game, file);
    }
    events
}

/// Parses an input line and executes its request.
fn handle_line(game: &mut Match, input: &InputLine, can_ask: bool, now: MatchTime) -> Vec<MatchEvent> {
    let read = match input {
        InputLine::End => return game.handle_command(Command::Leave, now),
        InputLine::TooLong => Err(MatchRefusal::TooLong),
        InputLine::Endless => Err(MatchRefusal::Endless),
        InputLine::Line(line) => game.parse_line(line),
        InputLine::Bytes(line) => game.parse_line_bytes(line),
    };
    handle_request(game, read, can_ask, now)
}

/// Executes a request, including its file access.
fn handle_request(
    game: &mut Match,
    read: Result<InputRequest, MatchRefusal>,
    can_ask: bool,
    now: MatchTime,
) -> Vec<MatchEvent> {
    let done = match read {
        Ok(InputRequest::Do(command)) => return game.handle_command(command, now),
        Ok(InputRequest::Load(path)) => {
            let path = files::expand_home(path);
            FileReadRules::for_match(game)
                .open_move_file(&path)
                .map(|MoveFile { record, .. }| game.load_game(path, *record, now))
        }
        Ok(InputRequest::Save(path, overwrite)) => {
            let path = files::expand_home(path);
            files::save_game(game, &path, overwrite, can_ask).map(|saved| match saved {
                SaveOutcome::Written(overwritten) => game.record_save(path, overwritten, now),
                SaveOutcome::NeedsConfirmation => game.ask_to_overwrite(path, now),
            })
        }
        Err(refusal) => return game.refuse_input(refusal, now),
    };
    done.unwrap_or_else(|why| game.refuse_input(MatchRefusal::File(why), now))
}
