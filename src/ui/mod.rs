//! The one event loop, and its front ends: each reads events and returns the next step.

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
use crate::journal::{Continued, Journal, NotWritten, Written};
use crate::play::{
    Answer, Command, Event, Fallback, Leaving, Match, MatchRefusal, MoveFile, Now, Reply, Request, SaveNews,
};
use crate::thinking::{BuildMachine, News, Workers};
pub use crate::ui::files::Reading;
use crate::ui::files::Saved;
pub(crate) use crate::ui::files::numbered;
use crate::ui::log::Log;

/// Line that came from the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// A line that is not UTF-8, without its end: the name of a file may be in it.
    Bytes(Vec<u8>),
    /// A line too long to mean anything.
    TooLong,
    /// A line without an end: nothing after it can be reached.
    Endless,
    /// The end of the input.
    End,
}

impl Input {
    /// Returns the line as text, as far as it can be read.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Input::Line(text) => text.into(),
            Input::Bytes(bytes) => String::from_utf8_lossy(bytes),
            Input::TooLong | Input::Endless | Input::End => "".into(),
        }
    }
}

/// Line that was read at once where it was typed, with its request.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The line.
    pub line: String,
    /// Its request, or the reason why it is refused.
    pub read: Result<Request, MatchRefusal>,
}

impl Typed {
    pub(crate) fn of(game: &Match, line: &str) -> Box<Self> {
        Box::new(Typed { line: line.to_owned(), read: game.read(line) })
    }
}

/// Event that wakes the loop.
#[derive(Debug)]
pub enum Incoming {
    /// News of a job.
    News(News),
    /// An event of the front end's terminal.
    Terminal(tui::Event),
    /// A key or the like, sent after this number of times that keys were dropped.
    Typed(tui::Event, u64),
    /// Ctrl-C while an engine thinks.
    Interrupt,
    /// The end of the input has been read, though perhaps not everything is answered.
    InputEnded,
}

/// Next step of the loop.
#[derive(Debug)]
pub enum Next {
    /// A line that is still to be read.
    Line(Input),
    /// A line that has been read.
    Typed(Box<Typed>),
    /// A command to the match.
    Do(Command),
    /// News of a job.
    News(News),
    /// An unfinished game to continue.
    GoOn(Box<Continued>),
    /// A file to be shown.
    Show(MoveFile),
    /// Nothing but the passing of time.
    Tick,
}

/// User interface of a match. Implementations hold no copy of the match's state.
pub trait FrontEnd {
    /// Shows the events.
    ///
    /// # Errors
    /// If nothing can be written.
    fn hear(&mut self, game: &Match, events: &[Event]) -> io::Result<()>;

    /// Returns the next step that is ready, without waiting for one.
    ///
    /// # Errors
    /// See [`FrontEnd::next`].
    fn poll(&mut self, _game: &Match, _inbox: &Inbox) -> io::Result<Option<Next>> {
        Ok(None)
    }

    /// Waits for the next step, but no longer than until the match has something due.
    ///
    /// # Errors
    /// If nothing can be read or written.
    fn next(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Next>;

    /// Reports whether there is a person who can be asked.
    fn can_ask(&self) -> bool {
        false
    }
}

/// Queue of events at which the loop waits.
#[derive(Debug)]
pub struct Inbox {
    incoming: Receiver<Incoming>,
    sender: Sender<Incoming>,
    /// Events that were taken out and put back, the first one first.
    put_back: RefCell<VecDeque<Incoming>>,
    clock: Stopwatch,
}

impl Default for Inbox {
    fn default() -> Self {
        let (sender, incoming) = channel();
        Inbox { incoming, sender, put_back: RefCell::default(), clock: Stopwatch::start() }
    }
}

impl Inbox {
    /// Returns a sender to this inbox, for another thread.
    pub fn sender(&self) -> Sender<Incoming> {
        self.sender.clone()
    }

    /// Returns the time now.
    pub fn now(&self) -> Now {
        self.clock.elapsed()
    }

    /// Returns the next event that has come, without waiting.
    pub fn take(&self) -> Option<Incoming> {
        let kept = self.put_back.borrow_mut().pop_front();
        kept.or_else(|| self.incoming.try_recv().ok())
    }

    /// Puts back events that were taken out too early: they come first.
    pub(crate) fn put_back(&self, early: Vec<Incoming>) {
        let mut kept = self.put_back.borrow_mut();
        early.into_iter().rev().for_each(|incoming| kept.push_front(incoming));
    }

    /// Waits for an event, at most until this time.
    pub fn wait(&self, until: Option<Now>) -> Option<Incoming> {
        if let Some(kept) = self.put_back.borrow_mut().pop_front() {
            return Some(kept);
        }
        match until {
            // The own sender keeps the channel open.
            None => self.incoming.recv().ok(),
            Some(until) => self.incoming.recv_timeout(until.saturating_sub(self.now())).ok(),
        }
    }
}

/// Returns the earlier of two points in time, as far as they are given.
pub(crate) fn earlier(one: Option<Now>, other: Option<Now>) -> Option<Now> {
    one.into_iter().chain(other).min()
}

/// Writes the journal; returns the match's events about a failure, or about games that are saved
/// again.
fn write(journal: &mut Journal, game: &mut Match) -> Vec<Event> {
    let previous = journal.retry_previous(game);
    let mut told: Vec<Event> =
        previous.into_iter().flat_map(|number| game.hear_journal(number, SaveNews::Again)).collect();
    let (number, was_unkept) = (game.game().number, game.game().is_unkept());
    let news = match journal.hear(game) {
        Err(NotWritten { why, is_partial: true }) if !was_unkept => Some(SaveNews::NoLonger(why)),
        Err(NotWritten { why, is_partial: false }) if !was_unkept => Some(SaveNews::Never(why)),
        Ok(Written::Whole) if was_unkept => Some(SaveNews::Again),
        _ => None,
    };
    told.extend(news.into_iter().flat_map(|news| game.hear_journal(number, news)));
    told
}

/// Saves the mistakes that a review has found; returns the match's events if that fails.
fn keep_mistakes(journal: &Journal, game: &mut Match, events: &[Event], now: Now) -> Vec<Event> {
    let is_found = |event: &Event| match event {
        Event::Replied(Reply { answer: Answer::Reviewed, .. }) => true,
        Event::Reported(node) => *node == game.game().present() && game.game().outcome().is_some(),
        _ => false,
    };
    let today = Zoned::now().date();
    let mut kept = Ok(());
    if events.iter().any(is_found) {
        kept = journal.keep_findings(game.game(), today);
    }
    for event in events {
        if let Event::Tried(made) = event {
            kept = kept.and(journal.keep_try(made));
        }
    }
    kept.err().map(|why| game.mistakes_failed(why, now)).unwrap_or_default()
}

/// Plays a match to its end: the one loop of line mode, JSON and the full screen.
///
/// # Errors
/// If the front end fails.
pub fn run(
    game: &mut Match,
    front: &mut dyn FrontEnd,
    mut journal: Option<Journal>,
    mut log: Option<&mut Log>,
    inbox: &Inbox,
    fallback: Option<Fallback>,
    build: BuildMachine,
) -> io::Result<Leaving> {
    let sender = inbox.sender();
    let send = move |news| _ = sender.send(Incoming::News(news)); // nobody waits any more
    let mut workers = Workers::new(build, send);
    let mut events = game.open(fallback, inbox.now());
    loop {
        // 1. What has happened is kept and written down, then shown
        if let Some(journal) = &mut journal {
            events.splice(0..0, write(journal, game));
            let told = keep_mistakes(journal, game, &events, inbox.now());
            events.splice(0..0, told);
        }
        if let Some(Event::Left(leaving)) = events.last_mut() {
            game.correct(leaving);
        }
        if let Some(log) = &mut log {
            log.hear(game, &events);
            let told = log.take_fault().map(|why| game.log_failed(why, inbox.now()));
            events.splice(0..0, told.into_iter().flatten());
        }
        front.hear(game, &events)?;
        if let Some(Event::Left(leaving)) = events.last() {
            workers.want(&[]);
            return Ok(leaving.clone());
        }
        // 2. Input that waits costs no thought of its own; only then is thought begun and ended
        let next = if let Some(next) = front.poll(game, inbox)? {
            next
        } else {
            workers.want(game.jobs());
            front.next(game, inbox)?
        };
        // 3. A game that may be left now is written first where it could not be before; then what came next is done
        let may_leave = !matches!(next, Next::Tick | Next::News(_)) && game.has_unkept();
        let retried = journal.as_mut().filter(|_| may_leave).map(|journal| write(journal, game));
        let now = inbox.now();
        if let Some(log) = &mut log {
            log.read(&next);
        }
        events = match next {
            Next::Tick => game.tick(now),
            Next::News(news) => game.news(news, now),
            Next::Do(command) => game.handle(command, now),
            Next::GoOn(found) => go_on(game, journal.as_mut(), *found, now),
            Next::Show(file) => game.show_file(file, now),
            Next::Line(input) => take_line(game, &input, front.can_ask(), now),
            Next::Typed(typed) => take_request(game, typed.read, front.can_ask(), now),
        };
        events.splice(0..0, retried.into_iter().flatten());
    }
}

/// Continues an unfinished game, in its own journal.
fn go_on(game: &mut Match, journal: Option<&mut Journal>, found: Continued, now: Now) -> Vec<Event> {
    let Continued { spec, seed, record, file, .. } = found;
    let before = game.game().number;
    let events = game.go_on(spec, seed, record, now);
    if let Some(journal) = journal.filter(|_| game.game().number != before) {
        journal.adopt(game, file);
    }
    events
}

/// Lets the match do what a line asks for.
fn take_line(game: &mut Match, input: &Input, can_ask: bool, now: Now) -> Vec<Event> {
    let read = match input {
        Input::End => return game.handle(Command::Leave, now),
        Input::TooLong => Err(MatchRefusal::TooLong),
        Input::Endless => Err(MatchRefusal::Endless),
        Input::Line(line) => game.read(line),
        Input::Bytes(line) => game.read_bytes(line),
    };
    take_request(game, read, can_ask, now)
}

/// Executes a request; files are read and written here.
fn take_request(
    game: &mut Match,
    read: Result<Request, MatchRefusal>,
    can_ask: bool,
    now: Now,
) -> Vec<Event> {
    let done = match read {
        Ok(Request::Do(command)) => return game.handle(command, now),
        Ok(Request::Load(path)) => {
            let path = files::with_home(path);
            Reading::of(game).open(&path).map(|MoveFile { record, .. }| game.load(path, *record, now))
        }
        Ok(Request::Save(path, overwrite)) => {
            let path = files::with_home(path);
            files::save(game, &path, overwrite, can_ask).map(|saved| match saved {
                Saved::Written(overwritten) => game.saved(path, overwritten, now),
                Saved::NotYet => game.ask_to_replace(path, now),
            })
        }
        Err(refusal) => return game.refuse(refusal, now),
    };
    done.unwrap_or_else(|why| game.refuse(MatchRefusal::File(why), now))
}
