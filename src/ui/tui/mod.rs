//! The full screen: the same games, moves and commands as line mode, drawn. `update` and `draw` are
//! pure; this file alone waits for events. Sees positions, pictures and text, never a particular
//! game.

mod backend;
mod backlog;
mod below_board;
mod board_keys;
mod component;
mod cursor;
mod dispatch;
mod draw;
mod effect;
mod facts;
mod frame;
mod help;
mod input;
mod input_thread;
mod key_bar;
pub mod key_table;
mod layer;
mod layers;
mod layout;
mod line_keys;
mod list;
mod match_events;
pub mod menu;
mod motion;
mod mouse;
mod over_board;
mod painting;
mod panels;
mod plain;
mod screen;
mod screenshot;
mod setup_keys;
mod status;
mod terminal;
mod theme;
mod tiles;
mod title;
mod too_small;
mod update;
mod view;
mod words;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::Duration;

use ratatui_core::terminal::Terminal;

use backlog::Backlog;
pub use effect::{Effect, Start};
pub use frame::FrameContext;
pub use input::Decoder;
pub use layer::{Layer, Layers, Page, Prompt, Rank};
pub use layout::{Layout, layout, layout_on};
pub use list::{List, ListKind};
pub use menu::Menu;
pub use mouse::hit;
use plain::Plain;
pub use screen::{Appearance, BoardCursor, Drawing, Event, Preferences, Saved, Screen, StatusMessage};
pub use screenshot::screenshot;
pub use theme::{Background, ColorDepth, KnownBackground, OwnTheme, Palette, Theme, indexed};
pub use update::update;
pub use view::draw;

use crate::canvas::PaintOptions;
use crate::interrupt::Interrupt;
use crate::journal::{Continued, Folder};
use crate::messages::mistakes::NONE_DUE;
use crate::messages::{self, lists, screen as sentences};
use crate::play::{
    Advice, AfterEnd, Answer, Command, Event as MatchEvent, Leaving, Match, NewGame, Now, Query, Reply,
    Unsaved,
};
use crate::registry::Entry;
use crate::text::Text;
use crate::ui::kept::{self, SavedGame};
use crate::ui::{FrontEnd, Inbox, Incoming, Input, Next, Reading, earlier, files, listing};

/// Shortest time between two updates of the engine's numbers.
const NEWS: Duration = Duration::from_millis(200);
/// Time for which input is handled before a frame shows its effects.
const FRAME: Duration = Duration::from_millis(25);
/// Time for which the first picture waits for the terminal to report its background.
const BACKGROUND_TIMEOUT: Duration = Duration::from_millis(100);

/// Full screen on the terminal of this process. It is entered when there is something to show and
/// always left.
#[derive(Debug)]
pub struct Tui {
    screen: Screen,
    terminal: Option<Terminal<backend::Screen>>,
    keys: Option<input_thread::Keys>,
    /// Limits of the input that waits.
    backlog: Backlog,
    sender: Sender<Incoming>,
    is_dirty: bool,
    /// Line mode in its place, while the player wants that.
    plain: Option<Plain>,
    code: u8,
    /// `true` if the program has stopped itself and does not know yet that it was continued.
    has_stopped: bool,
    /// Handling of Ctrl-C in plain text.
    interrupt: Interrupt,
    /// Time at which the numbers of a search were last drawn, and `true` if there are newer ones.
    numbers: (Now, bool),
}

impl Drop for Tui {
    fn drop(&mut self) {
        self.give_back();
    }
}

impl Tui {
    /// Creates a screen with this appearance that wakes a loop by `sender`. Nothing is written yet.
    pub fn new(looks: Appearance, sender: Sender<Incoming>) -> Self {
        let screen = Screen { has_clocks: true, ..Screen::new(looks, size()) };
        let (interrupt, wakes) = (Interrupt::default(), sender.clone());
        interrupt.wake_by(move || _ = wakes.send(Incoming::Interrupt)); // nobody waits any more
        Tui {
            screen,
            terminal: None,
            keys: None,
            backlog: Backlog::default(),
            sender,
            is_dirty: true,
            plain: None,
            code: 0,
            has_stopped: false,
            interrupt,
            numbers: (Now::ZERO, false),
        }
    }

    /// Shows the start menu, with this game chosen and this sentence below. Returns the choice, or
    /// `None` if the player quits.
    ///
    /// # Errors
    /// If the terminal cannot be read or written.
    pub fn menu(&mut self, first: NewGame, notice: Option<Text>, inbox: &Inbox) -> io::Result<Option<Start>> {
        self.screen.open(Layer::Menu(Box::new(Menu::with(first))));
        if let Some(text) = notice {
            self.screen.announce(text);
        }
        self.is_dirty = true;
        self.show(None, inbox)?;
        self.look_for_a_game();
        let mut until = inbox.now() + FRAME;
        loop {
            // A frame shows all that has come before it.
            let mut incoming = if inbox.now() < until { inbox.take() } else { None };
            if incoming.is_none() {
                self.show(None, inbox)?;
                incoming = inbox.wait(None);
                until = inbox.now() + FRAME;
            }
            let Some(event) = incoming.and_then(|incoming| self.event(incoming)) else { continue };
            match self.take(None, &event)? {
                None | Some(Effect::Plain) => {}
                Some(Effect::Start(Start::File(path))) => {
                    let path = files::with_home(path);
                    let games = self.screen.menu().map(Menu::games);
                    let found = games.map(|games| Reading::any(games).open(&path));
                    if found.and_then(|found| self.opened(found)).is_some() {
                        return Ok(Some(Start::File(path)));
                    }
                }
                Some(Effect::Start(Start::Kept(path))) => {
                    // A game that cannot be read ends nothing; the next one is looked for.
                    let found = self.screen.menu().map(Menu::games).map(|games| continued(&path, games));
                    if found.and_then(|found| self.opened(found)).is_some() {
                        return Ok(Some(Start::Kept(path)));
                    }
                    self.look_for_a_game();
                }
                Some(Effect::Start(start)) => return Ok(Some(start)),
                Some(_) => {
                    self.give_back();
                    return Ok(None);
                }
            }
        }
    }

    /// Reports whether the bell rings: an engine has moved, and the person may be looking
    /// elsewhere.
    fn rings(&self, game: &Match) -> bool {
        let is_answer = game.game().is_humans_turn() && game.game().only_human().is_some();
        self.screen.looks.habits.has_bell && is_answer && self.terminal.is_some()
    }

    /// Looks for an unfinished game to continue; the menu need not wait for that.
    fn look_for_a_game(&mut self) {
        self.screen.saved = Saved::default();
        let (Some(folder), Some(menu)) = (Folder::of_person(), self.screen.menu()) else { return };
        let (sender, games) = (self.sender.clone(), menu.games());
        std::thread::spawn(move || {
            let (kept, wrong) = SavedGame::newest(&folder, games);
            let due = Event::Due(kept::count_due(&folder));
            let found = kept.map(Event::Found).into_iter().chain(wrong.map(Event::Unreadable));
            let events = [due].into_iter().chain(found);
            for event in events {
                // Nobody waits any more where the menu was left.
                let _ = sender.send(Incoming::Terminal(event));
            }
        });
    }

    /// Looks for the contents that an open list needs; nothing waits for that.
    fn look_for_rows(&mut self, game: Option<&Match>) {
        let of_menu = || self.screen.menu().map(Menu::games).map(Reading::any);
        let Some(reading) = game.map(Reading::of).or_else(of_menu) else { return };
        let Some(wanted) = self.screen.take_wanted() else { return };
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let found = listing::find(wanted, Folder::of_person().as_ref(), &reading);
            let _ = sender.send(Incoming::Terminal(Event::Listed(found))); // nobody waits any more
        });
    }

    /// Deletes a saved game that nobody is playing.
    fn delete(&self, path: PathBuf) {
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let deleted = Folder::delete(&path).map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock => lists::not_deleted(lists::IS_PLAYED),
                _ => lists::not_deleted(&error.to_string().to_lowercase()),
            });
            let _ = sender.send(Incoming::Terminal(Event::Deleted(deleted.err())));
        });
    }

    /// Returns the exit code.
    pub fn code(&self) -> u8 {
        self.code
    }

    // ---- the terminal ----

    fn enter(&mut self) -> io::Result<()> {
        // Signals first: from the first byte on the terminal has to be given back.
        if self.keys.is_none() {
            let (sender, interrupt) = (self.sender.clone(), self.interrupt.clone());
            self.keys = Some(input_thread::Keys::start(sender, interrupt, self.backlog.clone())?);
        }
        terminal::enter(self.screen.looks.has_mouse)?;
        self.screen.size = size();
        self.terminal = Some(Terminal::new(backend::Screen::default())?);
        self.keys.iter().for_each(input_thread::Keys::resume);
        self.is_dirty = true;
        Ok(())
    }

    fn give_back(&mut self) {
        self.terminal = None;
        terminal::leave();
    }

    /// Asks the terminal for its background where the theme depends on it, once.
    fn ask_for_ground(&mut self) -> bool {
        let asks = self.screen.looks.needs_ground() && self.terminal.is_some();
        if asks {
            self.screen.looks.ground = KnownBackground::Asked;
            terminal::write(terminal::ASK_FOR_GROUND);
        }
        asks
    }

    /// Waits a moment for the terminal's answer about its background. Other events that come
    /// meanwhile are kept.
    fn wait_for_ground(&mut self, inbox: &Inbox) {
        let (until, mut early) = (inbox.now() + BACKGROUND_TIMEOUT, Vec::new());
        while let Some(incoming) = inbox.wait(Some(until)) {
            match incoming {
                Incoming::Typed(Event::Background(ground), drops) => {
                    self.backlog.receive(drops);
                    self.screen.looks.ground = KnownBackground::Told(ground);
                }
                Incoming::Typed(Event::AllColours, drops) => {
                    self.backlog.receive(drops);
                    self.screen.looks.depth = ColorDepth::All;
                }
                Incoming::Typed(Event::Answered, drops) => {
                    self.backlog.receive(drops);
                    break;
                }
                other => early.push(other),
            }
        }
        inbox.put_back(early);
    }

    /// Draws the changes.
    fn show(&mut self, game: Option<&Match>, inbox: &Inbox) -> io::Result<()> {
        if self.terminal.is_none() {
            self.enter()?;
            // Nothing waits for this answer: a frame in more colours follows it.
            if self.screen.looks.needs_depth() {
                terminal::write(terminal::ASK_FOR_COLOURS);
            }
            if self.ask_for_ground() {
                self.wait_for_ground(inbox);
            }
        }
        if self.is_dirty {
            // Before the frame: a signal may come as soon as the frame is seen.
            if let Some(game) = game {
                terminal::set_farewell(self.farewell(game, game.unsaved()));
            }
            if let Some(terminal) = &mut self.terminal {
                let c = self.screen.with(game);
                terminal.draw(|frame| draw(&c, frame))?;
                (self.is_dirty, self.numbers.1) = (false, false);
            }
        }
        Ok(())
    }

    /// Returns the last board and one line about it, for the normal screen.
    fn farewell(&self, game: &Match, unsaved: Unsaved) -> String {
        let position = &**game.present_position();
        let look = PaintOptions { glyphs: self.screen.looks.glyphs, ..PaintOptions::default() };
        let told =
            messages::result(position, game.game().only_human()).unwrap_or_else(|| messages::turn(position));
        let said =
            [vec![told.into_string()], messages::left_behind(game, unsaved), vec![String::new()]].concat();
        format!("{}{}", position.canvas(look).to_text(), said.join("\n"))
    }

    // ---- events of the terminal ----

    /// Lets an event change the screen and carries out its effects on the terminal; returns its
    /// other effects.
    fn take(&mut self, game: Option<&Match>, event: &Event) -> io::Result<Option<Effect>> {
        let had_menu = self.screen.menu().is_some();
        let effect = update(&mut self.screen, game, event);
        if self.screen.menu().is_some() && !had_menu {
            self.look_for_a_game();
        }
        self.is_dirty = true;
        self.ask_for_ground();
        if matches!(event, Event::Deleted(_)) && had_menu {
            self.look_for_a_game();
        }
        self.look_for_rows(game);
        match effect {
            Some(Effect::Delete(path)) => self.delete(path),
            Some(Effect::Suspend) => {
                self.give_back();
                self.has_stopped = true;
                crate::ai::while_stopped(crate::platform::stop_process);
                self.enter()?;
            }
            Some(Effect::Redraw) if self.terminal.is_some() => {
                // A new screen takes the cursor for shown.
                terminal::write(b"\x1b[0m\x1b[?25h\x1b[2J");
                self.terminal = Some(Terminal::new(backend::Screen::default())?);
            }
            // After a stop of our own everything is there again already.
            Some(Effect::Continue) if std::mem::take(&mut self.has_stopped) => {}
            Some(Effect::Continue) if self.terminal.is_some() => {
                self.give_back();
                if self.enter().is_err() {
                    // A hang-up sends SIGCONT as well, and that may come first.
                    terminal::end_process(terminal::HANG_UP);
                }
            }
            // In plain text there is nothing to draw; on the way back the size is read again.
            Some(Effect::Continue | Effect::Redraw) => {}
            Some(Effect::Mouse(is_on)) => terminal::set_mouse(is_on)?,
            Some(Effect::Interrupt) => {
                self.code = 130;
                return Ok(Some(Effect::Quit));
            }
            other => return Ok(other),
        }
        Ok(None)
    }

    /// Returns the contents of a file. An error is shown in the list from which the file was
    /// chosen, or on a page, and nothing is lost.
    fn opened<T>(&mut self, file: Result<T, String>) -> Option<T> {
        let told = |why: String| {
            if let Some(list) = self.screen.list_mut() {
                list.refuse(why);
                return;
            }
            let lines = vec![why.into(), sentences::nothing_lost()];
            self.screen.open(Layer::Page(Page::of("Open", lines)));
        };
        file.map_err(told).ok()
    }

    /// Returns the event of the terminal; `None` if it is an event of another kind, or a key that
    /// was dropped meanwhile.
    fn event(&self, incoming: Incoming) -> Option<Event> {
        match incoming {
            Incoming::Terminal(event) => Some(event),
            Incoming::Typed(event, drops) => self.backlog.receive(drops).then_some(event),
            Incoming::News(_) | Incoming::Interrupt | Incoming::InputEnded => None,
        }
    }

    /// Returns the next step that an event means for the match, if any.
    fn receive(&mut self, game: &Match, incoming: Incoming) -> io::Result<Option<Next>> {
        let event = match incoming {
            Incoming::News(news) => return Ok(Some(Next::News(news))),
            Incoming::Interrupt => return Ok(Some(Next::Do(Command::MoveNow))),
            incoming => match self.event(incoming) {
                Some(event) => event,
                None => return Ok(None),
            },
        };
        Ok(match self.take(Some(game), &event)? {
            Some(Effect::Do(command)) => Some(Next::Do(command)),
            Some(Effect::Typed(typed)) => Some(Next::Typed(typed)),
            Some(Effect::Quit) => Some(Next::Line(Input::End)),
            Some(Effect::Start(Start::Game(spec))) => Some(Next::Do(Command::New(spec))),
            Some(Effect::Start(Start::Mistakes)) => {
                let games = game.game().spec().start.entry.games();
                let session = kept::session(games).and_then(|session| session.ok_or(NONE_DUE.to_owned()));
                self.opened(session).map(|session| Next::Do(Command::Train(Box::new(session))))
            }
            Some(Effect::Start(Start::File(path))) => {
                self.opened(Reading::of(game).open(&files::with_home(path))).map(Next::Show)
            }
            Some(Effect::Start(Start::Kept(path))) => {
                let found = continued(&path, game.game().spec().start.entry.games());
                self.opened(found).map(|found| Next::GoOn(Box::new(found)))
            }
            Some(Effect::Plain) => self.go_on_in_plain(game)?,
            _ => None, // the terminal has handled it
        })
    }
}

impl FrontEnd for Tui {
    fn can_ask(&self) -> bool {
        true
    }

    fn hear(&mut self, game: &Match, events: &[MatchEvent]) -> io::Result<()> {
        self.screen.hear(game, events);
        for event in events {
            match event {
                MatchEvent::Reported(node) => {
                    let is_shown = self.screen.drawing.shows_engine && *node == game.game().shown();
                    self.numbers.1 |= is_shown || game.game().review_progress().is_some();
                    continue;
                }
                MatchEvent::Replied(Reply { answer: Answer::Told(Query::Link), .. }) => {
                    if let Ok(link) = game.link()
                        && self.terminal.is_some()
                    {
                        terminal::copy(&link);
                    }
                }
                // Before the screen is there a fault is reported where errors go, too.
                MatchEvent::Fault(fault) if self.terminal.is_none() && self.plain.is_none() => {
                    let _ = writeln!(io::stderr(), "{}", messages::fault(fault)); // the status line still tells
                }
                MatchEvent::FellBack(fallback) if self.terminal.is_none() => {
                    let _ = writeln!(io::stderr(), "{}", fallback.why);
                }
                MatchEvent::Started if self.terminal.is_none() && self.plain.is_none() => {
                    if let Some(stuck) = game.game().stuck() {
                        let _ = writeln!(io::stderr(), "{}", messages::incomplete_replay(stuck));
                    }
                }
                MatchEvent::Left(leaving) if self.plain.is_none() && self.terminal.is_some() => {
                    self.give_back();
                    let unsaved = if let Leaving::Done(unsaved) = leaving { *unsaved } else { Unsaved::No };
                    io::stdout().write_all(self.farewell(game, unsaved).as_bytes())?;
                    io::stdout().flush()?;
                }
                MatchEvent::Moved(_) if self.rings(game) => terminal::write(b"\x07"),
                _ => {}
            }
            self.is_dirty = true;
        }
        let Some(plain) = &mut self.plain else { return Ok(()) };
        self.screen.layers.close_pages(); // everything is said in plain text
        plain.line.hear(game, events)
    }

    fn poll(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Next>> {
        let until = inbox.now() + FRAME;
        while self.plain.is_none()
            && inbox.now() < until
            && let Some(incoming) = inbox.take()
        {
            let next = self.receive(game, incoming)?;
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    fn next(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Next> {
        loop {
            while self.plain.is_some() {
                if let Some(next) = self.next_in_plain(game, inbox)? {
                    return Ok(next);
                }
            }
            if game.rules().after_end != AfterEnd::Stay {
                return Ok(Next::Do(Command::AfterEnd(AfterEnd::Stay))); // the screen has been plain text
            }
            let now = inbox.now();
            let next_second = next_second(game, now);
            self.screen.now = now;
            let next_picture = self.screen.move_on(game, now);
            let (drawn, are_newer) = self.numbers;
            if are_newer && now >= drawn + NEWS {
                (self.numbers.0, self.is_dirty) = (now, true);
            }
            if self.screen.with(Some(game)).wants_study() {
                return Ok(Next::Do(Command::Advise(Advice::Study)));
            }
            // A frame shows all that has come before it.
            if let Some(next) = self.poll(game, inbox)? {
                return Ok(next);
            }
            self.show(Some(game), inbox)?;
            let numbers = self.numbers.1.then_some(self.numbers.0 + NEWS);
            let own = earlier(numbers, earlier(next_second, next_picture));
            match inbox.wait(earlier(game.due(), own)) {
                Some(incoming) => {
                    if let Some(next) = self.receive(game, incoming)? {
                        return Ok(next);
                    }
                }
                None if game.due().is_some_and(|due| due <= inbox.now()) => return Ok(Next::Tick),
                None => self.is_dirty |= own.is_some_and(|own| own <= inbox.now()),
            }
        }
    }
}

/// Returns an unfinished game to continue.
fn continued(path: &Path, games: &'static [Entry]) -> Result<Continued, String> {
    if Folder::is_held(path) { Err(lists::IS_OPEN.to_owned()) } else { Continued::open(path, games) }
}

/// Returns the time at which the running clock shows another second.
fn next_second(game: &Match, now: Now) -> Option<Now> {
    let left = game.clocks(now).filter(|_| game.clocks_run())?[game.present_position().to_move()];
    Some(now + Duration::from_nanos(u64::from(left.subsec_nanos()) + 1)).filter(|_| !left.is_zero())
}

/// Most columns and rows that are drawn; of a larger window the upper left part.
const MAX_SIZE: (u16, u16) = (1000, 500);

/// Returns the part of a window of this size that is drawn.
fn drawn_size((width, height): (u16, u16)) -> (u16, u16) {
    (width.min(MAX_SIZE.0), height.min(MAX_SIZE.1))
}

/// Returns the columns and rows of the window that are drawn; a window of unknown size has the
/// usual ones.
fn size() -> (u16, u16) {
    let size = crossterm::terminal::size().ok().filter(|&(width, height)| width > 0 && height > 0);
    drawn_size(size.unwrap_or((80, 24)))
}
