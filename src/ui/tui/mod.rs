//! The full screen: the same games, moves and words as line mode, drawn. `update` and `draw` are pure; this file alone
//! waits for events. Sees sessions, pictures and text, never a particular game.

pub mod actions;
mod backend;
mod bar;
mod guard;
mod input;
mod layout;
pub mod menu;
mod menu_view;
mod panels;
mod small;
mod state;
mod theme;
mod told;
mod update;
mod view;
mod walk;
mod watch;

use std::collections::VecDeque;
use std::io::{self, StdinLock, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use ratatui::Terminal;

pub use layout::{Layout, layout};
pub use menu::Menu;
pub use state::{Effect, Event, Looks, PAUSES, Page, Phase, State};
pub use theme::Theme;
pub use update::{hit, update};
pub use view::draw;

use crate::canvas::Look;
use crate::game::Illegal;
use crate::record::file;
use crate::session::{Report, Session};
use crate::ui::line::{Line, Style};
use crate::ui::{Ended, Input, Moved, Opening, Said, Screen};
use crate::words;

/// The machine's numbers are shown at most so often.
const NEWS: Duration = Duration::from_millis(200);
/// While a machine thinks, its news are looked at so often.
const GLANCE: Duration = Duration::from_millis(8);

/// The full screen on the terminal of this process. It is entered when there is something to show and always left.
#[derive(Debug)]
pub struct Tui {
    state: State,
    terminal: Option<Terminal<backend::Screen>>,
    keys: Option<watch::Keys>,
    /// What was typed and not yet given out.
    queue: VecDeque<Input>,
    is_dirty: bool,
    /// Line mode in its place, while the player wants that.
    plain: Option<Box<Line<StdinLock<'static>, Stdout, io::Stderr>>>,
    /// The arguments of the game that is to follow.
    next: Option<Vec<String>>,
    code: u8,
    /// What is to be said as soon as a game is on the screen.
    notice: Option<String>,
    /// The position that a machine thinks about, as its number of moves and its key.
    thinks_about: Option<(usize, u64)>,
    /// Whether we have stopped ourselves and are not yet told that we go on.
    has_stopped: bool,
    /// What Ctrl-C does in plain text.
    interrupt: OnInterrupt,
    turn_began: Instant,
    /// When there was last something new to see in a match of two machines.
    news_came: Option<Instant>,
    /// When the key for giving up was pressed for the first time.
    asked_to_resign: Option<Instant>,
    /// Whether the game from a file is to be shown from its start.
    rewinds: bool,
}

impl Drop for Tui {
    fn drop(&mut self) {
        self.terminal = None;
        guard::leave();
    }
}

impl Tui {
    /// A screen that looks like this. Nothing is written yet.
    #[must_use]
    pub fn new(looks: Looks) -> Self {
        let size = crossterm::terminal::size().unwrap_or((80, 24));
        let mut state = State::new(looks, size);
        state.has_clocks = true;
        Tui {
            state,
            terminal: None,
            keys: None,
            queue: VecDeque::new(),
            is_dirty: true,
            plain: None,
            next: None,
            code: 0,
            notice: None,
            thinks_about: None,
            has_stopped: false,
            interrupt: OnInterrupt(std::sync::Arc::new(|| guard::end_process(130))),
            turn_began: Instant::now(),
            news_came: None,
            asked_to_resign: None,
            rewinds: false,
        }
    }

    /// Shows the start menu. Gives the arguments that start what was chosen, or nothing if the player leaves.
    ///
    /// # Errors
    /// If the terminal cannot be read or written.
    pub fn menu(&mut self) -> io::Result<Option<Vec<String>>> {
        self.state.menu = Some(Menu::default());
        self.is_dirty = true;
        while self.queue.is_empty() {
            if let Some(event) = self.wait(None)? {
                self.take(&event, None)?;
            }
        }
        self.queue.clear();
        Ok(self.next.take())
    }

    /// The arguments of the game that the player wants next, if the last one was left for that.
    pub fn next_game(&mut self) -> Option<Vec<String>> {
        self.next.take()
    }

    /// The colours, as the player left them.
    #[must_use]
    pub fn theme(&self) -> Theme {
        self.state.looks.theme
    }

    /// The same with what Ctrl-C does while plain text has taken over.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: impl Fn() + Send + Sync + 'static) -> Self {
        self.interrupt = OnInterrupt(std::sync::Arc::new(interrupt));
        self
    }

    /// The exit code.
    #[must_use]
    pub fn code(&self) -> u8 {
        self.code
    }

    // ---- the terminal ----

    fn enter(&mut self) -> io::Result<()> {
        // Signals first: from the first byte on the terminal has to be given back.
        let keys = {
            let interrupt = std::sync::Arc::clone(&self.interrupt.0);
            self.keys.get_or_insert_with(|| watch::Keys::start(interrupt))
        };
        guard::enter(self.state.looks.has_mouse)?;
        self.state.size = size();
        self.terminal = Some(Terminal::new(backend::Screen::default())?);
        keys.resume();
        self.is_dirty = true;
        Ok(())
    }

    fn give_back(&mut self) {
        self.terminal = None;
        guard::leave();
    }

    fn redraw(&mut self) -> io::Result<()> {
        // A new screen takes the cursor for shown.
        guard::write(b"\x1b[0m\x1b[?25h\x1b[2J");
        self.terminal = Some(Terminal::new(backend::Screen::default())?);
        self.is_dirty = true;
        Ok(())
    }

    /// Draws what has changed, then waits for an event, at most so long.
    fn wait(&mut self, at_most: Option<Duration>) -> io::Result<Option<Event>> {
        if self.terminal.is_none() {
            self.enter()?;
        }
        if self.is_dirty
            && let Some(terminal) = &mut self.terminal
        {
            terminal.draw(|frame| draw(&self.state, frame))?;
            self.is_dirty = false;
            if let Some(now) = self.state.now.as_deref() {
                let is_unfinished = now.outcome().is_none() && now.plies() > 0 && self.state.mode != Some(3);
                guard::set_farewell(self.farewell(now, is_unfinished));
            }
            #[cfg(debug_assertions)]
            fail_for_a_test();
        }
        let Some(keys) = &self.keys else { return Ok(None) };
        match at_most {
            None => keys
                .events
                .recv()
                .map_or_else(|_| guard::end_process(guard::HANG_UP), |event| Ok(Some(event))),
            Some(time) => match keys.events.recv_timeout(time) {
                Ok(event) => Ok(Some(event)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => guard::end_process(guard::HANG_UP),
            },
        }
    }

    /// Lets an event change the screen and does what it asks for.
    fn take(&mut self, event: &Event, stop: Option<&AtomicBool>) -> io::Result<()> {
        let effect = update(&mut self.state, event);
        self.is_dirty = true;
        match effect {
            Some(Effect::Lines(lines)) => self.queue.extend(lines.into_iter().map(Input::Line)),
            Some(Effect::Stop) => {
                if let Some(stop) = stop {
                    stop.store(true, Ordering::SeqCst);
                }
            }
            Some(Effect::Quit) => self.queue.push_back(Input::End),
            Some(Effect::Interrupt) => {
                self.code = 130;
                self.queue.push_back(Input::End);
            }
            Some(Effect::Suspend) => {
                let began = Instant::now();
                self.give_back();
                self.has_stopped = true;
                crate::ai::while_stopped(watch::stop_process);
                self.enter()?;
                self.turn_began += began.elapsed();
            }
            Some(Effect::Redraw) => self.redraw()?,
            // After a stop of our own everything is there again already.
            Some(Effect::Continue) if std::mem::take(&mut self.has_stopped) => {}
            Some(Effect::Continue) if self.terminal.is_some() => {
                self.give_back();
                self.enter()?;
            }
            None | Some(Effect::Continue) => {}
            Some(Effect::Mouse(is_on)) => guard::set_mouse(is_on)?,
            Some(Effect::Start(arguments)) if let Some(why) = unreadable(&arguments) => {
                let lines = vec![why, words::screen::NOTHING_LOST.to_owned()];
                self.state.page = Some(Page { title: "Open".to_owned(), lines, ..Page::default() });
            }
            Some(Effect::Start(arguments)) => {
                self.next = Some(arguments);
                self.queue.push_back(Input::End);
            }
            Some(Effect::Plain) => self.go_on_in_plain()?,
        }
        Ok(())
    }

    // ---- plain text and back ----

    fn go_on_in_plain(&mut self) -> io::Result<()> {
        self.give_back();
        if let Some(keys) = &self.keys {
            keys.rest();
        }
        let style = Style {
            is_dialogue: true,
            has_colour: self.state.looks.has_colour,
            glyphs: self.state.looks.glyphs,
            width: Some(usize::from(self.state.size.0)),
        };
        let mut line = Line::new(io::stdin().lock(), io::stdout(), io::stderr(), style);
        let is_match = self.state.is_match();
        let told = if is_match { words::screen::MATCH_IN_PLAIN } else { words::screen::IN_PLAIN };
        writeln!(io::stdout(), "{told}")?;
        if let (Some(past), Some(now)) = (self.state.past.as_deref(), self.state.now.as_deref()) {
            writeln!(io::stdout(), "{}", words::answers::looking_at(past.plies(), now.plies()))?;
        }
        if let Some(shown) = self.state.shown() {
            line.board(shown)?;
        }
        self.plain = Some(Box::new(line));
        Ok(())
    }

    /// A line in plain text; `None` if the player wants the full screen back.
    fn ask_in_plain(&mut self, prompt: &str) -> io::Result<Option<Input>> {
        let Some(line) = &mut self.plain else { return Ok(None) };
        match line.ask(prompt)? {
            Input::Line(text) if text.trim().eq_ignore_ascii_case("tui") => {
                self.plain = None;
                self.state.status.clear();
                Ok(None)
            }
            input => Ok(Some(input)),
        }
    }

    // ---- time ----

    fn charge(&mut self, moved: &Moved<'_>) {
        self.state.used[moved.side] += self.turn_began.elapsed();
        self.turn_began = Instant::now();
    }

    /// The last board and one line about it, for the normal screen.
    fn farewell(&self, session: &dyn Session, is_unfinished: bool) -> String {
        let look = Look { glyphs: self.state.looks.glyphs, ..Look::default() };
        let mut text = session.canvas(look).to_text();
        match (session.outcome(), session.ending()) {
            (Some(outcome), Some(reason)) => {
                text += &words::result(session, outcome, &reason, session.plies());
            }
            _ => text += &words::turn(session),
        }
        text.push('\n');
        if is_unfinished {
            text.extend([words::NOT_SAVED, "\n"]);
        }
        text
    }

    fn say_goodbye(&self, session: &dyn Session, is_unfinished: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(self.farewell(session, is_unfinished).as_bytes())?;
        out.flush()
    }
}

impl Screen for Tui {
    fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()> {
        self.state.open(session, opening);
        (self.turn_began, self.news_came, self.rewinds) = (Instant::now(), None, false);
        if let Some(notice) = self.notice.take() {
            self.state.status = notice;
        }
        self.is_dirty = true;
        self.plain.as_mut().map_or(Ok(()), |line| line.open(session, opening))
    }

    fn fall_back(&mut self, _: &dyn Session, _: &Opening<'_>, why: &Illegal) -> io::Result<()> {
        self.note(why)
    }

    fn stays_open(&self) -> bool {
        true
    }

    fn puts_the_question(&self) -> bool {
        self.plain.is_some()
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Input> {
        self.thinks_about = None;
        self.state.asks();
        self.is_dirty = true;
        if std::mem::take(&mut self.rewinds) {
            return Ok(Input::Line("goto 0".to_owned()));
        }
        loop {
            if let Some(input) = self.queue.pop_front() {
                return Ok(input);
            }
            if self.plain.is_some() {
                if let Some(input) = self.ask_in_plain(prompt)? {
                    return Ok(input);
                }
                continue;
            }
            let auto = self.state.is_auto.then(|| PAUSES[self.state.pause]);
            self.asked_to_resign = self.asked_to_resign.filter(|_| self.state.is_resigning);
            let pause = if self.state.is_resigning {
                let asked_at = *self.asked_to_resign.get_or_insert_with(Instant::now);
                Some(CHANCE_TO_RESIGN.saturating_sub(asked_at.elapsed()))
            } else {
                auto
            };
            let event = self.wait(pause)?.unwrap_or(Event::Tick);
            self.take(&event, None)?;
        }
    }

    fn hold(&mut self) -> io::Result<Option<Input>> {
        if let Some(input) = self.queue.pop_front() {
            return Ok(Some(input));
        }
        if self.plain.is_some()
            && let Some(input) = self.ask_in_plain("> ")?
        {
            let is_empty = matches!(&input, Input::Line(text) if text.trim().is_empty());
            return Ok(match (is_empty, self.state.past.is_some()) {
                (true, true) => Some(Input::Line("goto end".to_owned())),
                (true, false) => None,
                (false, _) => Some(input),
            });
        }
        self.state.asks();
        self.is_dirty = true;
        while self.queue.is_empty() {
            let seen = self.news_came.map(|at| at.elapsed());
            let left = |pause: Duration| seen.map_or(Duration::ZERO, |seen| pause.saturating_sub(seen));
            let left = self.state.is_auto.then(|| left(PAUSES[self.state.pause]));
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            if let Some(event) = self.wait(left)? {
                self.take(&event, None)?;
            }
            if self.plain.is_some() {
                return self.hold();
            }
        }
        self.turn_began = Instant::now(); // the pause is nobody's time
        let input = self.queue.pop_front();
        if input.is_none() {
            self.state.goes_on();
        }
        Ok(input)
    }

    fn while_thinking(
        &mut self,
        session: &dyn Session,
        news: &Receiver<Report>,
        stop: &AtomicBool,
    ) -> io::Result<Option<Input>> {
        if let Some(line) = &mut self.plain {
            return line.while_thinking(session, news, stop);
        }
        // A question that was answered meanwhile is no new thought.
        let about = (session.plies(), session.key());
        if self.thinks_about.replace(about) != Some(about) {
            self.state.thinks(session);
        }
        self.is_dirty = true;
        let (mut latest, mut shown_at) = (None, Instant::now());
        loop {
            loop {
                match news.try_recv() {
                    Ok(report) => latest = Some(report),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        self.thinks_about = None;
                        return Ok(None);
                    }
                }
            }
            if latest.is_some() && shown_at.elapsed() >= NEWS {
                shown_at = Instant::now();
                self.is_dirty |= latest.take().is_some_and(|report| self.state.heard(report));
            }
            if let Some(input) = self.queue.pop_front() {
                return Ok(Some(input));
            }
            if let Some(line) = &mut self.plain {
                return line.while_thinking(session, news, stop); // Ctrl-C wants its move
            }
            if let Some(event) = self.wait(Some(GLANCE))? {
                self.take(&event, Some(stop))?;
            }
        }
    }

    fn looks_at(&self) -> Option<Box<dyn Session>> {
        self.state.past.as_deref().map(|past| past.after(past.plies()))
    }

    fn moved(&mut self, session: &dyn Session, moved: &Moved<'_>) -> io::Result<()> {
        self.charge(moved);
        self.state.moved(session, moved);
        if let Some(past) = self.state.past.as_deref() {
            // The match is to look where the player looks.
            self.queue.push_front(Input::Line(format!("goto {}", past.plies())));
        }
        self.is_dirty = true;
        if let Some(line) = &mut self.plain {
            return line.moved(session, moved);
        }
        self.news_came = Some(Instant::now());
        Ok(())
    }

    fn board(&mut self, session: &dyn Session) -> io::Result<()> {
        self.state.board(session);
        self.is_dirty = true;
        self.plain.as_mut().map_or(Ok(()), |line| line.board(session))
    }

    fn look(&mut self, there: &dyn Session) -> io::Result<()> {
        self.state.look_at(there);
        self.is_dirty = true;
        self.plain.as_mut().map_or(Ok(()), |line| line.board(there))
    }

    fn return_to(&mut self, session: &dyn Session) -> io::Result<()> {
        self.state.set_position(session);
        self.is_dirty = true;
        Ok(())
    }

    fn seated(&mut self, opening: &Opening<'_>) {
        (self.state.level, self.state.you) = (opening.level, opening.you);
        self.is_dirty = true;
    }

    fn advised(&mut self, session: &dyn Session, report: &Report) {
        self.state.advised(session, report);
        self.is_dirty = true;
    }

    fn say(&mut self, said: &Said) -> io::Result<()> {
        if let Some(line) = &mut self.plain {
            return line.say(said);
        }
        self.state.say(said);
        self.news_came = Some(Instant::now());
        Ok(())
    }

    fn refuse(&mut self, illegal: &Illegal) -> io::Result<()> {
        self.state.is_auto &= self.state.is_match(); // a replay waits until that was read
        self.news_came = Some(Instant::now());
        self.state.refused(illegal);
        self.is_dirty = true;
        self.plain.as_mut().map_or(Ok(()), |line| line.refuse(illegal))
    }

    fn stats(&mut self, text: &str) -> io::Result<()> {
        self.plain.as_mut().map_or(Ok(()), |line| line.stats(text))
    }

    /// Before the screen is there the fault is reported where errors go, too.
    fn note(&mut self, why: &Illegal) -> io::Result<()> {
        if self.terminal.is_none() {
            // Without standard error the status line still tells.
            let _ = writeln!(io::stderr(), "{}", why.text);
        }
        self.notice = Some(why.text.clone());
        self.state.status.clone_from(&why.text);
        Ok(())
    }

    fn ended(&mut self, session: &dyn Session, ended: &Ended<'_>) -> io::Result<()> {
        self.state.ended(session, ended);
        if let Some(line) = &mut self.plain {
            return line.ended(session, ended);
        }
        self.rewinds = self.state.mode == Some(3);
        Ok(())
    }

    fn leave(&mut self, session: &dyn Session, is_unfinished: bool) -> io::Result<()> {
        if self.next.is_some() {
            return Ok(()); // another game follows on the same screen
        }
        if let Some(line) = &mut self.plain {
            return line.leave(session, is_unfinished);
        }
        let was_shown = self.terminal.is_some();
        self.give_back();
        if was_shown { self.say_goodbye(session, is_unfinished) } else { Ok(()) }
    }
}

/// What Ctrl-C does; a wrapper because it cannot be printed.
struct OnInterrupt(watch::Interrupt);

impl std::fmt::Debug for OnInterrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OnInterrupt")
    }
}

/// Why the file that is to be shown cannot be read.
fn unreadable(arguments: &[String]) -> Option<String> {
    let [_, mode, _, path] = arguments else { return None };
    let error = file::load(std::path::Path::new(path)).err().filter(|_| mode == "3")?;
    Some(format!("cannot read {}: {error}", Illegal::shown_path(path)))
}

/// How long the key for giving up waits for its second time.
const CHANCE_TO_RESIGN: Duration = Duration::from_secs(2);

/// Columns and rows of the window; one that does not say has the usual ones.
fn size() -> (u16, u16) {
    crossterm::terminal::size().ok().filter(|&(width, height)| width > 0 && height > 0).unwrap_or((80, 24))
}

/// Lets a test see what a panic does to the terminal.
#[cfg(debug_assertions)]
fn fail_for_a_test() {
    assert!(std::env::var_os("CROSSPATH_PANIC").is_none_or(|at| at != "screen"), "asked for by a test");
}
