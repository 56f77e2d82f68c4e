//! What the screen shows, as plain data: the game as it was last told, the cursor, the field, the open page.
//! Knows no terminal and does nothing by itself.

use std::collections::BTreeMap;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};

use super::actions::{Context, Key, keys};
use super::layout::layout;
use super::menu::Menu;
use super::theme::Theme;
use crate::ai::{Level, Limits};
use crate::canvas::{Canvas, Glyphs, Look, Spot};
use crate::game::{BySide, Side};
use crate::session::{Report, Session};
use crate::words::{self, screen as sentences};

/// What comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was moved or clicked.
    Mouse(MouseEvent),
    /// The window has these columns and rows now.
    Resize(u16, u16),
    /// The next move of a replay that runs by itself is due.
    Tick,
    /// The program is to stop until it is continued.
    Stop,
    /// The program goes on after somebody has stopped it.
    Continue,
}

/// What is to be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The terminal is taken again, whatever has become of it.
    Continue,
    /// These lines were said, as if they had been typed in line mode.
    Lines(Vec<String>),
    /// The machine is to play the best move so far.
    Stop,
    /// The player leaves.
    Quit,
    /// The player leaves by Ctrl-C.
    Interrupt,
    /// The program is to be stopped until it is continued.
    Suspend,
    /// Everything is to be drawn again.
    Redraw,
    /// The mouse is to be captured, or no longer.
    Mouse(bool),
    /// Another game is to be started by these arguments of the command line.
    Start(Vec<String>),
    /// The game is to go on in plain text.
    Plain,
}

/// How the screen looks.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    /// The characters.
    pub glyphs: Glyphs,
    /// The colours.
    pub theme: Theme,
    /// Whether there are colours at all.
    pub has_colour: bool,
    /// Whether the mouse is used.
    pub has_mouse: bool,
}

/// Whose answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The player's.
    Asking,
    /// The machine's.
    Thinking,
    /// The machine's, which was asked for advice.
    Advising,
}

/// A page of text over the board.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// The text.
    pub lines: Vec<String>,
    /// The first line shown.
    pub top: usize,
    /// Only lines that hold this are shown.
    pub filter: String,
    /// Whether the filter is being typed.
    pub is_filtering: bool,
}

impl Page {
    /// The lines that the filter lets through.
    #[must_use]
    pub fn shown(&self) -> Vec<&str> {
        let wanted = self.filter.to_lowercase();
        self.lines.iter().map(String::as_str).filter(|line| line.to_lowercase().contains(&wanted)).collect()
    }
}

/// The letters up to this one begin a move; those after it are keys.
const LAST_LETTER: char = 'n';

/// Pauses of a replay that runs by itself.
pub const PAUSES: [Duration; 5] = [
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];

/// Everything that the screen shows.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct State {
    /// Columns and rows of the window.
    pub size: (u16, u16),
    /// How the screen looks.
    pub looks: Looks,
    /// The start menu, while it is open.
    pub menu: Option<Menu>,
    /// The page of text over everything, while one is open.
    pub page: Option<Page>,
    /// An answer that came while something was typed: it is shown when that is done.
    pub(super) next_page: Option<Page>,
    /// The text being typed; `None` while there is no field.
    pub field: Option<String>,
    /// The last thing said; empty where nothing was said about the position yet.
    pub status: String,
    /// The game at the present, once there is one.
    pub(super) now: Option<Box<dyn Session>>,
    /// The earlier position that is looked at.
    pub(super) past: Option<Box<dyn Session>>,
    pub(super) phase: Phase,
    pub(super) mode: Option<u8>,
    pub(super) level: Option<Level>,
    pub(super) you: Option<Side>,
    pub(super) draws_sides: bool,
    pub(super) limits: Limits,
    pub(super) is_watched: bool,
    /// The name of the file that is shown.
    pub(super) source: Option<String>,
    /// Who played, as the file of the game says.
    pub(super) players: BySide<Option<String>>,
    /// Whether a game is shown move by move.
    pub(super) is_replay: bool,
    pub(super) cursor: Option<String>,
    /// The layer of places that the cursor is on, and the last one that was not the first.
    pub(super) layer: u8,
    pub(super) other_layer: u8,
    /// The place where the cursor was on the other layers.
    pub(super) other_cursor: Option<String>,
    /// The last hint, with the key of the position that it is about.
    pub(super) hint: Option<(u64, String)>,
    /// What lies over the board: 0 nothing, else the number of [`State::overlays`].
    pub(super) overlay: usize,
    /// Whether the board is turned.
    pub(super) is_turned: bool,
    pub(super) shows_engine: bool,
    /// What machines have found in this game, by the key of the position beside which it is shown, and for which side.
    pub(super) reports: BTreeMap<u64, (Side, Report)>,
    /// The board and the level that the score is about.
    pub(super) series: (String, Option<Level>),
    /// The results of this run: wins of First and of Second, or of the person and of the machine; draws.
    pub(super) score: [u32; 3],
    /// What every move is worth, where that is known and asked for.
    pub(super) values: Vec<(String, String)>,
    pub(super) is_auto: bool,
    pub(super) pause: usize,
    /// The layer and the cursor before the field was opened.
    pub(super) before_field: Option<(u8, Option<String>)>,
    /// The result of this game that has been counted; a game from a file counts for nothing.
    pub(super) scored: Option<usize>,
    pub(super) is_loaded: bool,
    /// Whether what is opened next comes from a file.
    pub(super) is_loading: bool,
    /// A move that came while an earlier position was looked at.
    pub(super) news: Option<String>,
    /// The side whose ways come first among what can lie over the board.
    pub(super) first_way: Option<Side>,
    /// What a word has said about the game that is opened next.
    pub(super) carried: Option<String>,
    /// Where the wall under the mouse was turned: there a click builds what is shown.
    pub(super) turned_at: Option<(u16, u16)>,
    /// Whether giving up was asked for once.
    pub(super) is_resigning: bool,
    /// The time that each side has used.
    pub used: BySide<Duration>,
    /// Whether the clocks are shown.
    pub has_clocks: bool,
}

impl State {
    /// An empty screen of so many columns and rows.
    #[must_use]
    pub fn new(looks: Looks, size: (u16, u16)) -> Self {
        State {
            size,
            looks,
            menu: None,
            page: None,
            next_page: None,
            field: None,
            status: String::new(),
            now: None,
            past: None,
            phase: Phase::Asking,
            mode: None,
            level: None,
            you: None,
            draws_sides: false,
            limits: Limits::default(),
            is_watched: false,
            source: None,
            players: BySide::default(),
            is_replay: false,
            cursor: None,
            layer: 0,
            other_layer: 1,
            other_cursor: None,
            hint: None,
            overlay: 0,
            is_turned: false,
            shows_engine: true,
            reports: BTreeMap::new(),
            series: (String::new(), None),
            score: [0; 3],
            values: Vec::new(),
            is_auto: false,
            pause: 2,
            before_field: None,
            scored: None,
            is_loaded: false,
            is_loading: false,
            news: None,
            first_way: None,
            carried: None,
            turned_at: None,
            is_resigning: false,
            used: BySide::default(),
            has_clocks: false,
        }
    }

    /// The position on the screen.
    #[must_use]
    pub fn shown(&self) -> Option<&dyn Session> {
        self.past.as_deref().or(self.now.as_deref())
    }

    /// Where a key goes.
    #[must_use]
    pub fn context(&self) -> Context {
        if self.page.is_some() {
            return Context::Page;
        }
        if self.menu.is_some() {
            return Context::Menu;
        }
        let Some(shown) = self.shown() else { return Context::Menu };
        if layout(shown, self.size).density.is_none() {
            return Context::Small;
        }
        match (self.is_replay, self.layer) {
            (true, _) => Context::Replay,
            (false, 0) => Context::Board,
            (false, _) => Context::Wall,
        }
    }

    /// Whether a person is asked for a move of the position on the screen.
    pub(super) fn is_players_turn(&self) -> bool {
        let goes_on = self.now.as_ref().is_some_and(|now| now.outcome().is_none());
        goes_on && self.phase == Phase::Asking && !self.is_watched && self.past.is_none()
    }

    /// The board as it is drawn in this window.
    #[must_use]
    pub fn canvas(&self, density: usize) -> Option<Canvas> {
        let shown = self.shown()?;
        let is_turn = self.is_players_turn();
        let has_cursor = !self.is_replay && (self.layer == 0 || is_turn);
        Some(shown.canvas(Look {
            glyphs: self.looks.glyphs,
            density,
            last: None, // the session knows it
            cursor: self.cursor.as_deref().filter(|_| has_cursor),
            hint: self.hint.as_ref().filter(|(key, _)| *key == shown.key()).map(|(_, text)| text.as_str()),
            steps: is_turn,
            path: self.way_shown(shown),
            turned: self.is_turned && shown.turns(),
        }))
    }

    /// The titles of what can lie over the board, in the order of the key.
    pub(super) fn overlays(&self) -> Vec<String> {
        let Some(shown) = self.shown() else { return Vec::new() };
        let first = self.first_way.unwrap_or(shown.to_move());
        let ways = shown.ways(self.looks.glyphs).into_iter();
        let ways = ways
            .flat_map(|ways| [first, first.other()].map(|side| format!("{}: {ways}", shown.side_name(side))));
        ways.chain(shown.overlays().into_iter().map(str::to_owned)).collect()
    }

    /// The side whose ways are shown.
    fn way_shown(&self, shown: &dyn Session) -> Option<Side> {
        let first = self.first_way.unwrap_or(shown.to_move());
        let sides = shown.ways(self.looks.glyphs).map_or([None; 2], |_| [Some(first), Some(first.other())]);
        self.overlay.checked_sub(1).and_then(|index| sides.get(index).copied().flatten())
    }

    /// The side whose ways are shown on the screen.
    fn way_shown_now(&self) -> Option<Side> {
        self.shown().and_then(|shown| self.way_shown(shown))
    }

    /// The marks of the engines that lie over the board.
    pub(super) fn marks(&self) -> Vec<(String, char)> {
        let Some(shown) = self.shown() else { return Vec::new() };
        let ways = if shown.ways(self.looks.glyphs).is_some() { 2 } else { 0 };
        self.overlay.checked_sub(1 + ways).map(|index| shown.overlay(index)).unwrap_or_default()
    }

    /// The next thing to lie over the board, or nothing again.
    pub(super) fn change_overlay(&mut self) {
        if self.overlay == 0 {
            self.first_way = self.shown().map(Session::to_move); // and it stays that side's, whoever moves
        }
        let titles = self.overlays();
        let is_over = self.shown().is_some_and(|shown| shown.outcome().is_some());
        loop {
            self.overlay = if self.overlay < titles.len() { self.overlay + 1 } else { 0 };
            // Where the game is over the engines have nothing to mark.
            let has_marks = !is_over || self.way_shown_now().is_some() || !self.marks().is_empty();
            if self.overlay == 0 || has_marks {
                break;
            }
        }
        self.status = match (self.overlay.checked_sub(1).map(|index| &titles[index]), titles.is_empty()) {
            (Some(title), _) => sentences::overlay(title),
            (None, true) => sentences::NO_OVERLAYS.to_owned(),
            (None, false) if is_over => sentences::NO_OVERLAYS_NOW.to_owned(),
            (None, false) => sentences::BOARD_ALONE.to_owned(),
        };
    }

    /// Turns the board.
    pub(super) fn turn(&mut self) {
        if !self.shown().is_some_and(Session::turns) {
            self.tell(sentences::NO_TURN);
            return;
        }
        self.is_turned = !self.is_turned;
        self.tell(sentences::turned(self.is_turned));
    }

    /// The place under the cursor on a drawn board.
    pub(super) fn focus<'c>(&self, canvas: &'c Canvas) -> Option<&'c Spot> {
        let last = self.shown().filter(|_| self.is_replay).and_then(Session::last);
        let cursor = last.as_deref().or(self.cursor.as_deref())?;
        let spot = |wanted: &str| canvas.spots().iter().find(|spot| spot.text == wanted);
        // Where the first stone may be taken over its place has the name of that move.
        let shown = self.shown()?;
        let named = || shown.named_moves().iter().find_map(|(name, _)| spot(name));
        spot(cursor).or_else(named).or_else(|| spot(&shown.sample()))
    }

    /// Whether the last position is on the screen.
    pub(super) fn is_at_end(&self) -> bool {
        self.shown().map(Session::plies) == self.now.as_deref().map(Session::plies)
    }

    /// Says something in the status line, or in its place in the menu.
    pub(super) fn announce(&mut self, text: String) {
        match &mut self.menu {
            Some(menu) => menu.notice = Some(text),
            None => self.status = text,
        }
    }

    /// Whether the status line has room for a text.
    pub(super) fn fits(&self, text: &str) -> bool {
        let Some(shown) = self.shown() else { return true };
        let status = layout(shown, self.size).status;
        let width = usize::from(status.width.saturating_sub(2)).max(1);
        super::view::wrap(text, width).len() <= usize::from(status.height.max(1))
    }

    /// Says something in the status line.
    pub(super) fn tell(&mut self, text: &str) {
        text.clone_into(&mut self.status);
    }

    /// What a machine has found about the position on the screen, and for which side.
    pub(super) fn report(&self) -> Option<&(Side, Report)> {
        self.reports.get(&self.shown()?.key())
    }

    /// Whether two machines play, and the player has stopped them.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_match() && !self.is_auto
    }

    /// Whether a game between two machines is not over yet.
    pub(super) fn is_match(&self) -> bool {
        self.mode == Some(4) && self.now.as_ref().is_some_and(|now| now.outcome().is_none())
    }

    /// The status line: the last thing said, or what the player can do now.
    #[must_use]
    pub fn status_line(&self) -> String {
        if self.status.is_empty() { self.invitation() } else { self.status.clone() }
    }

    /// What the player can do now.
    pub(super) fn invitation(&self) -> String {
        let Some(now) = self.now.as_deref() else { return String::new() };
        match self.phase {
            Phase::Advising => return sentences::LOOKING_FOR_ADVICE.to_owned(),
            _ if self.past.is_some() => return self.step_in_words(),
            Phase::Thinking => {
                let last = now.last().filter(|_| !self.is_watched);
                return sentences::thinks(now.side_name(now.to_move()), last.as_deref());
            }
            Phase::Asking => {}
        }
        if self.is_stopped() {
            return sentences::runs_by_itself(false).to_owned();
        }
        if self.is_watched {
            return self.step_in_words();
        }
        if now.outcome().is_some() {
            return sentences::IS_OVER.to_owned();
        }
        if self.you.is_some_and(|you| you != now.to_move()) {
            return String::new();
        }
        let has_key = |text: &String| text.starts_with(|c: char| c > LAST_LETTER && c.is_ascii_lowercase());
        let is_cell = |text: &String| text.ends_with(|c: char| c.is_ascii_digit());
        let needs_colon = now.legal().iter().any(|text| has_key(text) && is_cell(text));
        let colon = if needs_colon { sentences::COLON_FIRST } else { "" };
        [self.whose_turn().as_str(), &now.typing(), colon].join(" ").trim_end().to_owned()
    }

    pub(super) fn whose_turn(&self) -> String {
        let Some(now) = self.now.as_deref() else { return String::new() };
        let name = now.side_name(now.to_move());
        let turn = sentences::whose_turn(name, self.you == Some(now.to_move()));
        let other = now.side_name(now.to_move().other());
        match self.taking_over() {
            Some(word) => format!("{turn} {}", sentences::may_take_over(other, word)),
            None => turn,
        }
    }

    /// The word that takes the first move over, where that is possible now.
    pub(super) fn taking_over(&self) -> Option<&'static str> {
        let now = self.now.as_deref()?;
        let (word, _) = now.named_moves().first()?;
        let legal = if now.plies() == 1 { now.legal() } else { Vec::new() };
        legal.iter().any(|text| text == word).then_some(word)
    }

    /// The move before the position that is shown, and how many there are.
    pub(super) fn step_in_words(&self) -> String {
        let (Some(shown), Some(now)) = (self.shown(), self.now.as_deref()) else { return String::new() };
        match (shown.outcome(), shown.ending()) {
            (Some(outcome), Some(reason)) if self.is_replay => {
                words::short_result(shown, outcome, &reason, shown.plies(), self.looks.glyphs)
            }
            _ => sentences::step(shown, now.plies(), !self.is_replay),
        }
    }

    pub(super) fn refresh_values(&mut self) {
        let values = match self.shown() {
            Some(shown) if self.shows_engine => shown.values(),
            _ => Vec::new(),
        };
        self.values = values;
    }

    /// The help for what is on the screen.
    pub(super) fn help(&self) -> Page {
        let context = self.context();
        let heading = Context::ALL.iter().find(|(other, _)| *other == context).map_or("", |(_, name)| *name);
        let mut lines = Vec::new();
        let status = self.status_line();
        if status.chars().count() + 2 > usize::from(self.size.0) {
            lines.extend([status, String::new()]);
        }
        if matches!(context, Context::Board | Context::Wall) {
            lines.push(format!("{:<12}{}", "a-n 0-9", super::actions::TYPING));
        }
        let arrows = self.looks.glyphs == Glyphs::Unicode;
        lines.extend(keys(context).filter(|action| super::bar::belongs(self, action.act)).map(|action| {
            let shown = if arrows { action.shown.to_owned() } else { plain_keys(action.shown) };
            let long = if arrows { action.long.to_owned() } else { plain_keys(action.long) };
            format!("{shown:<12}{long}")
        }));
        if let Some(chosen) = self.menu.as_ref().and_then(Menu::session) {
            lines.extend([String::new(), chosen.title()]);
            lines.extend(chosen.rules());
        } else if let Some(shown) = self.shown() {
            lines.extend([String::new(), shown.title()]);
            lines.extend(shown.rules());
            lines.push(shown.typing());
            lines.extend(shown.legend(self.looks.glyphs));
        }
        lines.extend(sentences::HELP_ON_MARKS.iter().map(|line| (*line).to_owned()));
        Page { title: format!("Keys: {heading}"), lines, ..Page::default() }
    }

    /// Whether the key would be typed into the field.
    pub(super) fn starts_typing(&self, event: &KeyEvent) -> bool {
        let is_place = matches!(self.context(), Context::Board | Context::Wall);
        let mut typed = ('a'..=LAST_LETTER).chain('0'..='9');
        is_place && typed.any(|letter| Key::Char(letter).is(event))
    }
}

/// Names of keys without arrows.
pub(super) fn plain_keys(text: &str) -> String {
    text.replace('←', "Left").replace('→', "Right").replace('↑', "Up").replace('↓', "Down")
}
