//! Full-screen mode: shows the board, panels and menus, and offers the commands of line mode. `update_screen` and
//! `draw_screen` are pure; only this file waits for events. The screen does not depend on a
//! particular game.

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

use backlog::InputBacklog;
pub use effect::{ScreenEffect, StartChoice};
pub use frame::FrameContext;
pub use input::InputDecoder;
pub use layer::{LayerRank, LayerStack, LinePrompt, ScreenLayer, TextPage};
pub use layout::{ScreenLayout, layout_in_lines, layout_in_window};
pub use list::{ListKind, SelectionList};
pub use menu::StartMenu;
pub use mouse::move_at_screen_point;
use plain::PlainTextMode;
pub use screen::{
    Appearance, BoardCursor, BoardView, MenuOffers, Preferences, Screen, ScreenEvent, StatusMessage,
};
pub use screenshot::render_svg_screenshot;
pub use theme::{
    ColorDepth, CustomTheme, KnownBackground, Palette, TerminalBackground, Theme, nearest_xterm_colour,
};
pub use update::update_screen;
pub use view::draw_screen;

use crate::canvas::PaintOptions;
use crate::interrupt::InterruptHandler;
use crate::journal::{ContinuedGame, JournalFolder};
use crate::messages::mistakes::NO_MISTAKE_DUE_MESSAGE;
use crate::messages::{self, lists, screen as sentences};
use crate::play::{
    AdviceKind, AfterGameEnd, Command, CommandAnswer, CommandReply, LeaveReason, Match, MatchEvent,
    MatchQuery, MatchTime, NewGame, UnsavedStatus,
};
use crate::registry::RegisteredGame;
use crate::text::Text;
use crate::ui::kept::{self, SavedGame};
use crate::ui::{
    FileReadRules, FrontEnd, Inbox, InputLine, LoopEvent, NextStep, earlier_deadline, files, listing,
};

/// Minimum time between two redraws of an engine's evaluation and statistics.
const REPORT_REDRAW_INTERVAL: Duration = Duration::from_millis(200);
/// Time for which input is collected before the next frame is drawn.
const FRAME_INTERVAL: Duration = Duration::from_millis(25);
/// Time for which the first frame waits for the terminal to report its background.
const BACKGROUND_TIMEOUT: Duration = Duration::from_millis(100);

/// Full screen on the terminal of this process. It is entered when there is something to show.
#[derive(Debug)]
pub struct Tui {
    screen: Screen,
    terminal: Option<Terminal<backend::TerminalBackend>>,
    keys: Option<input_thread::InputThreads>,
    /// Counters that limit the waiting input.
    backlog: InputBacklog,
    sender: Sender<LoopEvent>,
    is_dirty: bool,
    /// Line mode, while it replaces the full screen.
    plain: Option<PlainTextMode>,
    code: u8,
    /// `true` if the program has stopped itself and has not noticed its continuation yet.
    has_stopped: bool,
    /// Handling of Ctrl-C in line mode.
    interrupt: InterruptHandler,
    /// Time of the last redraw of search statistics, with `true` if newer ones have arrived since.
    numbers: (MatchTime, bool),
}

impl Drop for Tui {
    fn drop(&mut self) {
        self.restore_terminal();
    }
}

impl Tui {
    /// Creates a screen with this appearance that wakes the main loop through `sender`.
    ///
    /// Nothing is written to the terminal yet.
    pub fn new(looks: Appearance, sender: Sender<LoopEvent>) -> Self {
        let screen = Screen { has_clocks: true, ..Screen::new(looks, terminal_size()) };
        let (interrupt, wakes) = (InterruptHandler::default(), sender.clone());
        interrupt.set_wake_function(move || _ = wakes.send(LoopEvent::Interrupt)); // the receiver may be gone
        Tui {
            screen,
            terminal: None,
            keys: None,
            backlog: InputBacklog::default(),
            sender,
            is_dirty: true,
            plain: None,
            code: 0,
            has_stopped: false,
            interrupt,
            numbers: (MatchTime::ZERO, false),
        }
    }

    /// Shows the start menu with the game `first` chosen and `notice` below it. Returns the choice, or `None`
    /// if the player quits.
    ///
    /// # Errors
    /// Fails if the terminal cannot be read or written.
    pub fn run_menu(
        &mut self,
        first: NewGame,
        notice: Option<Text>,
        inbox: &Inbox,
    ) -> io::Result<Option<StartChoice>> {
        self.screen.open_layer(ScreenLayer::Menu(Box::new(StartMenu::with_game(first))));
        if let Some(text) = notice {
            self.screen.show_message(text);
        }
        self.is_dirty = true;
        self.draw_if_dirty(None, inbox)?;
        self.search_unfinished_game();
        let mut until = inbox.now() + FRAME_INTERVAL;
        loop {
            // A frame shows the effects of all earlier input.
            let mut incoming = if inbox.now() < until { inbox.try_take() } else { None };
            if incoming.is_none() {
                self.draw_if_dirty(None, inbox)?;
                incoming = inbox.wait_until(None);
                until = inbox.now() + FRAME_INTERVAL;
            }
            let Some(event) = incoming.and_then(|incoming| self.screen_event_of(incoming)) else { continue };
            match self.handle_screen_event(None, &event)? {
                None | Some(ScreenEffect::Plain) => {}
                Some(ScreenEffect::Start(StartChoice::File(path))) => {
                    let path = files::expand_home(path);
                    let games = self.screen.menu().map(StartMenu::games);
                    let found = games.map(|games| FileReadRules::without_board(games).open_move_file(&path));
                    if found.and_then(|found| self.ok_or_show_error(found)).is_some() {
                        return Ok(Some(StartChoice::File(path)));
                    }
                }
                Some(ScreenEffect::Start(StartChoice::Kept(path))) => {
                    // If the game cannot be read, the menu stays open and looks for the next one.
                    let games = self.screen.menu().map(StartMenu::games);
                    let found = games.map(|games| open_unfinished_game(&path, games));
                    if found.and_then(|found| self.ok_or_show_error(found)).is_some() {
                        return Ok(Some(StartChoice::Kept(path)));
                    }
                    self.search_unfinished_game();
                }
                Some(ScreenEffect::Start(start)) => return Ok(Some(start)),
                Some(_) => {
                    self.restore_terminal();
                    return Ok(None);
                }
            }
        }
    }

    /// Reports whether to ring the bell because an engine has answered the human's move.
    fn should_ring_bell(&self, game: &Match) -> bool {
        let is_answer = game.game().is_humans_turn() && game.game().sole_human_side().is_some();
        self.screen.looks.habits.has_bell && is_answer && self.terminal.is_some()
    }

    /// Searches for an unfinished game in the background, while the menu stays usable.
    fn search_unfinished_game(&mut self) {
        self.screen.saved = MenuOffers::default();
        let (Some(folder), Some(menu)) = (JournalFolder::of_current_user(), self.screen.menu()) else {
            return;
        };
        let (sender, games) = (self.sender.clone(), menu.games());
        std::thread::spawn(move || {
            let (kept, wrong) = SavedGame::newest_unfinished(&folder, games);
            let due = ScreenEvent::Due(kept::count_due_mistakes(&folder));
            let found = kept.map(ScreenEvent::Found).into_iter().chain(wrong.map(ScreenEvent::Unreadable));
            for event in [due].into_iter().chain(found) {
                // The receiver is gone if the menu was left meanwhile.
                let _ = sender.send(LoopEvent::Terminal(event));
            }
        });
    }

    /// Loads the contents that an open list needs, in the background.
    fn load_list_rows(&mut self, game: Option<&Match>) {
        let of_menu = || self.screen.menu().map(StartMenu::games).map(FileReadRules::without_board);
        let Some(reading) = game.map(FileReadRules::for_match).or_else(of_menu) else { return };
        let Some(wanted) = self.screen.take_list_request() else { return };
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let found =
                listing::load_list_contents(wanted, JournalFolder::of_current_user().as_ref(), &reading);
            let _ = sender.send(LoopEvent::Terminal(ScreenEvent::Listed(found))); // the receiver may be gone
        });
    }

    /// Deletes a saved game that is not being played, in the background.
    fn delete_saved_game(&self, path: PathBuf) {
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let deleted = JournalFolder::delete_journal(&path).map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock => lists::delete_failed_message(lists::GAME_IS_OPEN_REASON),
                _ => lists::delete_failed_message(&error.to_string().to_lowercase()),
            });
            let _ = sender.send(LoopEvent::Terminal(ScreenEvent::Deleted(deleted.err())));
        });
    }

    /// Returns the exit code of the program.
    pub fn exit_code(&self) -> u8 {
        self.code
    }

    // ---- the terminal ----

    fn enter_full_screen(&mut self) -> io::Result<()> {
        // Signals are handled first, since the terminal has to be restored from the first byte on.
        if self.keys.is_none() {
            let (sender, interrupt) = (self.sender.clone(), self.interrupt.clone());
            self.keys = Some(input_thread::InputThreads::start(sender, interrupt, self.backlog.clone())?);
        }
        terminal::enter_full_screen(self.screen.looks.has_mouse)?;
        self.screen.size = terminal_size();
        self.terminal = Some(Terminal::new(backend::TerminalBackend::default())?);
        self.keys.iter().for_each(input_thread::InputThreads::resume);
        self.is_dirty = true;
        Ok(())
    }

    fn restore_terminal(&mut self) {
        self.terminal = None;
        terminal::leave_full_screen();
    }

    /// Asks the terminal for its background once, if the theme depends on it. Returns `true` if it
    /// was asked.
    fn query_background(&mut self) -> bool {
        let asks = self.screen.looks.must_query_background() && self.terminal.is_some();
        if asks {
            self.screen.looks.ground = KnownBackground::Asked;
            terminal::write_if_owned(terminal::BACKGROUND_QUERY);
        }
        asks
    }

    /// Waits briefly for the terminal's reply about its background. Other events are put back into the inbox.
    fn wait_for_background_reply(&mut self, inbox: &Inbox) {
        let (until, mut early) = (inbox.now() + BACKGROUND_TIMEOUT, Vec::new());
        while let Some(incoming) = inbox.wait_until(Some(until)) {
            match incoming {
                LoopEvent::Typed(ScreenEvent::Background(ground), drops) => {
                    self.backlog.accept_key(drops);
                    self.screen.looks.ground = KnownBackground::Reported(ground);
                }
                LoopEvent::Typed(ScreenEvent::AllColours, drops) => {
                    self.backlog.accept_key(drops);
                    self.screen.looks.depth = ColorDepth::All;
                }
                LoopEvent::Typed(ScreenEvent::Answered, drops) => {
                    self.backlog.accept_key(drops);
                    break;
                }
                other => early.push(other),
            }
        }
        inbox.put_back(early);
    }

    /// Enters the full screen if necessary, and draws a frame if something has changed.
    fn draw_if_dirty(&mut self, game: Option<&Match>, inbox: &Inbox) -> io::Result<()> {
        if self.terminal.is_none() {
            self.enter_full_screen()?;
            // This reply is not waited for: the next frame uses the new colours.
            if self.screen.looks.must_query_colours() {
                terminal::write_if_owned(terminal::TRUECOLOR_QUERY);
            }
            if self.query_background() {
                self.wait_for_background_reply(inbox);
            }
        }
        if self.is_dirty {
            // The text is set before the frame, since a signal may arrive as soon as the frame is
            // visible.
            if let Some(game) = game {
                terminal::set_farewell_text(self.render_farewell(game, game.unsaved_status()));
            }
            if let Some(terminal) = &mut self.terminal {
                let c = self.screen.with_match(game);
                terminal.draw(|frame| draw_screen(&c, frame))?;
                (self.is_dirty, self.numbers.1) = (false, false);
            }
        }
        Ok(())
    }

    /// Renders the last board and a line about the game, for the normal screen after leaving.
    fn render_farewell(&self, game: &Match, unsaved: UnsavedStatus) -> String {
        let position = &**game.present_position();
        let look = PaintOptions { glyphs: self.screen.looks.glyphs, ..PaintOptions::default() };
        let told = messages::describe_result(position, game.game().sole_human_side())
            .unwrap_or_else(|| messages::describe_turn(position));
        let said =
            [vec![told.into_string()], messages::messages_on_leaving(game, unsaved), vec![String::new()]]
                .concat();
        format!("{}{}", position.paint_board(look).to_text(), said.join("\n"))
    }

    // ---- events of the terminal ----

    /// Updates the screen for an event and applies effects on the terminal. Returns any other
    /// effect.
    fn handle_screen_event(
        &mut self,
        game: Option<&Match>,
        event: &ScreenEvent,
    ) -> io::Result<Option<ScreenEffect>> {
        let had_menu = self.screen.menu().is_some();
        let effect = update_screen(&mut self.screen, game, event);
        if self.screen.menu().is_some() && !had_menu {
            self.search_unfinished_game();
        }
        self.is_dirty = true;
        self.query_background();
        if matches!(event, ScreenEvent::Deleted(_)) && had_menu {
            self.search_unfinished_game();
        }
        self.load_list_rows(game);
        match effect {
            Some(ScreenEffect::Delete(path)) => self.delete_saved_game(path),
            Some(ScreenEffect::Suspend) => {
                self.restore_terminal();
                self.has_stopped = true;
                crate::ai::exclude_stopped_time(crate::platform::suspend_process);
                self.enter_full_screen()?;
            }
            Some(ScreenEffect::Redraw) if self.terminal.is_some() => {
                // A new backend assumes that the cursor is visible.
                terminal::write_if_owned(b"\x1b[0m\x1b[?25h\x1b[2J");
                self.terminal = Some(Terminal::new(backend::TerminalBackend::default())?);
            }
            // After a stop by the program itself, the screen has been restored already.
            Some(ScreenEffect::Continue) if std::mem::take(&mut self.has_stopped) => {}
            Some(ScreenEffect::Continue) if self.terminal.is_some() => {
                self.restore_terminal();
                if self.enter_full_screen().is_err() {
                    // A hang-up also sends SIGCONT, which may arrive first.
                    terminal::restore_and_exit(terminal::HANG_UP_EXIT_CODE);
                }
            }
            // In line mode nothing is drawn. The size is read again when the full screen returns.
            Some(ScreenEffect::Continue | ScreenEffect::Redraw) => {}
            Some(ScreenEffect::Mouse(is_on)) => terminal::set_mouse_reporting(is_on)?,
            Some(ScreenEffect::Interrupt) => {
                self.code = 130;
                return Ok(Some(ScreenEffect::Quit));
            }
            other => return Ok(other),
        }
        Ok(None)
    }

    /// Returns the value of a result, or shows its error in the open list or on a page.
    fn ok_or_show_error<T>(&mut self, file: Result<T, String>) -> Option<T> {
        let told = |why: String| {
            if let Some(list) = self.screen.list_mut() {
                list.set_refusal(why);
                return;
            }
            let lines = vec![why.into(), sentences::nothing_lost_message()];
            self.screen.open_layer(ScreenLayer::Page(TextPage::from_lines("Open", lines)));
        };
        file.map_err(told).ok()
    }

    /// Returns the screen event in an incoming message, if it has one and was not dropped.
    fn screen_event_of(&self, incoming: LoopEvent) -> Option<ScreenEvent> {
        match incoming {
            LoopEvent::Terminal(event) => Some(event),
            LoopEvent::Typed(event, drops) => self.backlog.accept_key(drops).then_some(event),
            LoopEvent::News(_) | LoopEvent::Interrupt | LoopEvent::InputEnded => None,
        }
    }

    /// Handles an incoming message and returns the next step for the match, if any.
    fn handle_incoming(&mut self, game: &Match, incoming: LoopEvent) -> io::Result<Option<NextStep>> {
        let event = match incoming {
            LoopEvent::News(news) => return Ok(Some(NextStep::News(news))),
            LoopEvent::Interrupt => return Ok(Some(NextStep::Do(Command::MoveNow))),
            incoming => match self.screen_event_of(incoming) {
                Some(event) => event,
                None => return Ok(None),
            },
        };
        Ok(match self.handle_screen_event(Some(game), &event)? {
            Some(ScreenEffect::Do(command)) => Some(NextStep::Do(command)),
            Some(ScreenEffect::Typed(typed)) => Some(NextStep::Typed(typed)),
            Some(ScreenEffect::Quit) => Some(NextStep::Line(InputLine::End)),
            Some(ScreenEffect::Start(StartChoice::Game(spec))) => Some(NextStep::Do(Command::New(spec))),
            Some(ScreenEffect::Start(StartChoice::Mistakes)) => {
                let games = game.game().spec().start.entry.game_list();
                let session = kept::due_practice_session(games)
                    .and_then(|session| session.ok_or(NO_MISTAKE_DUE_MESSAGE.to_owned()));
                self.ok_or_show_error(session).map(|session| NextStep::Do(Command::Train(Box::new(session))))
            }
            Some(ScreenEffect::Start(StartChoice::File(path))) => self
                .ok_or_show_error(FileReadRules::for_match(game).open_move_file(&files::expand_home(path)))
                .map(NextStep::Show),
            Some(ScreenEffect::Start(StartChoice::Kept(path))) => {
                let found = open_unfinished_game(&path, game.game().spec().start.entry.game_list());
                self.ok_or_show_error(found).map(|found| NextStep::Resume(Box::new(found)))
            }
            Some(ScreenEffect::Plain) => self.switch_to_plain_text(game)?,
            _ => None, // the terminal has handled it
        })
    }
}

impl FrontEnd for Tui {
    fn can_ask_person(&self) -> bool {
        true
    }

    fn show_events(&mut self, game: &Match, events: &[MatchEvent]) -> io::Result<()> {
        self.screen.on_match_events(game, events);
        for event in events {
            match event {
                MatchEvent::Reported(node) => {
                    let is_shown = self.screen.drawing.shows_engine && *node == game.game().shown_node();
                    self.numbers.1 |= is_shown || game.game().review_progress().is_some();
                    continue;
                }
                MatchEvent::Replied(CommandReply {
                    answer: CommandAnswer::Queried(MatchQuery::Link),
                    ..
                }) => {
                    if let Ok(link) = game.position_link()
                        && self.terminal.is_some()
                    {
                        terminal::copy_to_clipboard(&link);
                    }
                }
                // Until the screen is entered, faults are also written to standard error.
                MatchEvent::Fault(fault) if self.terminal.is_none() && self.plain.is_none() => {
                    // The status line shows the fault as well.
                    let _ = writeln!(io::stderr(), "{}", messages::describe_fault(fault));
                }
                MatchEvent::FellBack(fallback) if self.terminal.is_none() => {
                    let _ = writeln!(io::stderr(), "{}", fallback.why);
                }
                MatchEvent::Started if self.terminal.is_none() && self.plain.is_none() => {
                    if let Some(stuck) = game.game().incomplete_replay() {
                        let _ = writeln!(io::stderr(), "{}", messages::describe_incomplete_replay(stuck));
                    }
                }
                MatchEvent::Left(leaving) if self.plain.is_none() && self.terminal.is_some() => {
                    self.restore_terminal();
                    let unsaved =
                        if let LeaveReason::Done(unsaved) = leaving { *unsaved } else { UnsavedStatus::No };
                    io::stdout().write_all(self.render_farewell(game, unsaved).as_bytes())?;
                    io::stdout().flush()?;
                }
                MatchEvent::Moved(_) if self.should_ring_bell(game) => terminal::write_if_owned(b"\x07"),
                _ => {}
            }
            self.is_dirty = true;
        }
        let Some(plain) = &mut self.plain else { return Ok(()) };
        self.screen.layers.close_pages(); // line mode prints the answers
        plain.line.show_events(game, events)
    }

    fn poll_step(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<NextStep>> {
        let until = inbox.now() + FRAME_INTERVAL;
        while self.plain.is_none()
            && inbox.now() < until
            && let Some(incoming) = inbox.try_take()
        {
            let next = self.handle_incoming(game, incoming)?;
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    fn next_step(&mut self, game: &Match, inbox: &Inbox) -> io::Result<NextStep> {
        loop {
            while self.plain.is_some() {
                if let Some(next) = self.next_step_in_plain_text(game, inbox)? {
                    return Ok(next);
                }
            }
            if game.rules().after_end != AfterGameEnd::Stay {
                return Ok(NextStep::Do(Command::AfterEnd(AfterGameEnd::Stay))); // line mode was on
            }
            let now = inbox.now();
            let next_second = next_clock_tick(game, now);
            self.screen.now = now;
            let next_picture = self.screen.advance_animation(game, now);
            let (drawn, are_newer) = self.numbers;
            if are_newer && now >= drawn + REPORT_REDRAW_INTERVAL {
                (self.numbers.0, self.is_dirty) = (now, true);
            }
            if self.screen.with_match(Some(game)).wants_engine_study() {
                return Ok(NextStep::Do(Command::Advise(AdviceKind::Study)));
            }
            // A frame shows the effects of all earlier input.
            if let Some(next) = self.poll_step(game, inbox)? {
                return Ok(next);
            }
            self.draw_if_dirty(Some(game), inbox)?;
            let numbers = self.numbers.1.then_some(self.numbers.0 + REPORT_REDRAW_INTERVAL);
            let own = earlier_deadline(numbers, earlier_deadline(next_second, next_picture));
            match inbox.wait_until(earlier_deadline(game.next_deadline(), own)) {
                Some(incoming) => {
                    if let Some(next) = self.handle_incoming(game, incoming)? {
                        return Ok(next);
                    }
                }
                None if game.next_deadline().is_some_and(|due| due <= inbox.now()) => {
                    return Ok(NextStep::Tick);
                }
                None => self.is_dirty |= own.is_some_and(|own| own <= inbox.now()),
            }
        }
    }
}

/// Opens an unfinished game to continue it.
fn open_unfinished_game(path: &Path, games: &'static [RegisteredGame]) -> Result<ContinuedGame, String> {
    if JournalFolder::is_locked(path) {
        Err(lists::GAME_IS_OPEN_MESSAGE.to_owned())
    } else {
        ContinuedGame::open(path, games)
    }
}

/// Returns the time at which the display of the running clock changes to the next second.
fn next_clock_tick(game: &Match, now: MatchTime) -> Option<MatchTime> {
    let left =
        game.remaining_times(now).filter(|_| game.is_clock_running())?[game.present_position().to_move()];
    Some(now + Duration::from_nanos(u64::from(left.subsec_nanos()) + 1)).filter(|_| !left.is_zero())
}

/// Maximum columns and rows that are drawn. Only the upper left part of a larger window is used.
const MAX_DRAWN_SIZE: (u16, u16) = (1000, 500);

/// Limits a window size to the part that is drawn.
fn clamp_to_drawn_size((width, height): (u16, u16)) -> (u16, u16) {
    (width.min(MAX_DRAWN_SIZE.0), height.min(MAX_DRAWN_SIZE.1))
}

/// Returns the columns and rows of the terminal that are drawn, or 80 by 24 if its size is unknown.
fn terminal_size() -> (u16, u16) {
    let size = crossterm::terminal::size().ok().filter(|&(width, height)| width > 0 && height > 0);
    clamp_to_drawn_size(size.unwrap_or((80, 24)))
}
