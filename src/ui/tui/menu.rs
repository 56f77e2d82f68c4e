//! The start menu: games from the registry, options from what the games allow, and the same as a shell command.

use super::theme::Theme;
use crate::ai::{Level, Limits};
use crate::command;
use crate::game::Side;
use crate::registry::{self, Entry, GAMES, Variant};
use crate::session::Session;
use crate::words::{answers, screen};

/// The modes that need no file, as numbers and words.
const MODES: [(&str, &str); 3] =
    [("1", "1 human vs machine"), ("2", "2 two humans"), ("4", "4 machine vs machine")];
/// The times a machine may take; the empty one is that of its level.
const TIMES: [&str; 6] = ["", "200ms", "500ms", "1s", "2s", "5s"];

/// The start menu.
#[derive(Debug)]
pub struct Menu {
    /// The chosen game.
    pub game: usize,
    /// The chosen option; `None` while the games are chosen among.
    pub row: Option<usize>,
    mode: usize,
    variant: Variant,
    side: usize,
    level: Option<Level>,
    time: usize,
    /// A time that was given on the command line and is none of the usual ones.
    own_time: Option<String>,
    /// Limits that the menu does not change.
    nodes: Option<u64>,
    depth: Option<u32>,
    session: Option<Box<dyn Session>>,
    /// What was said last, in place of the shell command.
    pub notice: Option<String>,
}

/// One option as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is chosen: `mode`, `level`, or a setting of the board.
    pub key: &'static str,
    /// Its name.
    pub name: String,
    /// What is chosen now.
    pub value: String,
}

impl Default for Menu {
    fn default() -> Self {
        let mut menu = Menu {
            game: 0,
            row: None,
            mode: 0,
            variant: Variant::default(),
            side: 0,
            level: None,
            time: 0,
            own_time: None,
            nodes: None,
            depth: None,
            session: None,
            notice: None,
        };
        menu.choose(0);
        menu
    }
}

impl Menu {
    /// The menu with this game chosen, its board, its mode, the machine's level and the player's side.
    #[must_use]
    pub fn of(session: &dyn Session, mode: Option<u8>, level: Option<Level>, you: Option<Side>) -> Self {
        let mut menu = Menu::default();
        menu.choose(GAMES.iter().position(|entry| entry.name == session.name()).unwrap_or(0));
        let mode = mode.map(|mode| mode.to_string());
        menu.mode = MODES.iter().position(|(number, _)| mode.as_deref() == Some(*number)).unwrap_or(0);
        menu.level = level;
        menu.side = you.map_or(0, Side::index);
        for (key, value) in session.settings() {
            let mut variant = menu.variant.clone();
            if variant.set(key, value).is_ok() && menu.entry().session(&variant).is_ok() {
                menu.session = menu.entry().session(&variant).ok();
                menu.variant = variant;
            }
        }
        menu
    }

    /// The same with a side that may be drawn anew for each game, and with limits of the machines.
    #[must_use]
    pub fn with_play(mut self, draws_sides: bool, limits: Limits) -> Self {
        if draws_sides {
            self.side = 2;
        }
        if let Some(time) = limits.time {
            let whole = time.as_millis() % 1000 == 0;
            let text = if whole { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_millis()) };
            let known = TIMES.iter().position(|usual| *usual == text);
            self.time = known.unwrap_or(TIMES.len());
            self.own_time = if known.is_none() { Some(text) } else { None };
        }
        (self.nodes, self.depth) = (limits.nodes, limits.depth);
        self
    }

    /// The times to choose from.
    fn times(&self) -> Vec<&str> {
        TIMES.into_iter().chain(self.own_time.as_deref()).collect()
    }

    /// The entry of the chosen game.
    #[must_use]
    pub fn entry(&self) -> &'static Entry {
        &GAMES[self.game.min(GAMES.len() - 1)]
    }

    /// The first position of the chosen game.
    #[must_use]
    pub fn session(&self) -> Option<&dyn Session> {
        self.session.as_deref()
    }

    /// Chooses a game; one that does not exist changes nothing.
    pub fn choose(&mut self, game: usize) {
        if game < GAMES.len() {
            self.game = game;
            let size = Some(self.entry().default_size);
            self.variant = Variant { size, ..Variant::default() };
            self.level = None;
            self.session = self.entry().session(&self.variant).ok();
        }
    }

    /// Chooses what the word `new` names: a game, a size, both or nothing.
    ///
    /// # Errors
    /// What is wrong with the game or the size, in a sentence; nothing is changed.
    pub fn choose_named(&mut self, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace().peekable();
        let mut game = self.game;
        if let Some(word) = words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        {
            let entry = registry::find(word).map_err(|error| format!("{error}."))?;
            game = GAMES.iter().position(|other| other.name == entry.name).unwrap_or(game);
        }
        let mut variant = Variant { size: Some(GAMES[game].default_size), ..Variant::default() };
        if game == self.game {
            variant = self.variant.clone();
        }
        if let Some(size) = words.next() {
            variant = Variant::default();
            variant.set("size", size).map_err(|error| format!("{error}."))?;
        }
        if words.next().is_some() {
            return Err(screen::WORDS_OF_THE_MENU.to_owned());
        }
        let session = GAMES[game].session(&variant).map_err(|error| format!("{error}."))?;
        if game != self.game {
            self.choose(game);
        }
        (self.variant, self.session) = (variant, Some(session));
        Ok(())
    }

    /// The machine's level, and which there are.
    #[must_use]
    pub fn level_in_words(&self) -> String {
        let level = self.level_now().to_string();
        let are_two = MODES[self.mode].0 == "4";
        match self.session.as_deref() {
            Some(session) if self.has_machine() => answers::level_is(session, &level, are_two),
            _ => answers::no_machine_for_the_level().text,
        }
    }

    /// Sets the machine's level.
    ///
    /// # Errors
    /// Which levels there are, in a sentence; nothing is changed.
    pub fn set_level(&mut self, text: &str) -> Result<(), String> {
        if !self.has_machine() {
            return Err(answers::no_machine_for_the_level().text);
        }
        if let Some(session) = self.session.as_deref() {
            let level = command::level(text, session);
            self.level = Some(level.ok_or_else(|| answers::no_such_level(session, text).text)?);
        }
        Ok(())
    }

    /// Whether a machine plays in the mode that is chosen.
    fn has_machine(&self) -> bool {
        MODES[self.mode].0 != "2"
    }

    /// The value of a setting of the board, given or the game's own.
    fn setting(&self, key: &str) -> Option<String> {
        let said = self.session.as_ref()?.settings().iter().find(|(name, _)| *name == key);
        self.variant
            .value(key)
            .or_else(|| said.map(|(_, value)| value.clone()))
            .or_else(|| (self.entry().default)(&self.variant, key))
    }

    fn level_now(&self) -> Level {
        self.level.unwrap_or(self.entry().default_level)
    }

    /// The options of the chosen game.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let row = |key, name: &str, value: String| Row { key, name: name.to_owned(), value };
        let mut rows = vec![row("mode", "Mode", MODES[self.mode].1.to_owned())];
        let names = self.session.as_ref().map(|s| Side::BOTH.map(|side| s.side_name(side)));
        for &key in self.entry().keys {
            let Some(value) = self.setting(key) else { continue };
            let (name, value) = match key {
                "size" => ("Board".to_owned(), format!("{value}x{value}")),
                _ => (capital(key), value),
            };
            rows.push(Row { key, name, value });
        }
        if MODES[self.mode].0 == "1" {
            let [first, second] = names.unwrap_or_default();
            let sides = [format!("{first}, moves first"), format!("{second}, moves second"), "random".into()];
            rows.push(row("play-as", "You play", sides[self.side].clone()));
        }
        if self.has_machine() {
            let most = self.session.as_ref().and_then(|session| session.levels().last().copied());
            let most = most.map(|most| format!(" of {most}")).unwrap_or_default();
            rows.push(row("level", "Machine", format!("level {}{most}", self.level_now())));
            let time = if self.time == 0 { "by level" } else { self.times()[self.time] };
            rows.push(row("movetime", "Move time", time.to_owned()));
        }
        rows.push(row("theme", "Theme", String::new()));
        rows
    }

    /// Changes an option by one step; `theme` is changed outside.
    pub fn change(&mut self, key: &str, step: isize) {
        let turn = |now: usize, count: usize| (now + count).wrapping_add_signed(step) % count;
        match key {
            "mode" => self.mode = turn(self.mode, MODES.len()),
            "play-as" => self.side = turn(self.side, 3),
            "movetime" => self.time = turn(self.time, self.times().len()),
            "level" => {
                let levels = self.session.as_ref().map(|session| session.levels()).unwrap_or_default();
                let now = levels.iter().position(|level| *level == self.level_now());
                if let Some(now) = now {
                    self.level = Some(levels[turn(now, levels.len())]);
                }
            }
            "size" => self.change_size(step),
            _ => self.change_setting(key, step),
        }
    }

    fn change_size(&mut self, step: isize) {
        let sizes = (self.entry().sizes)();
        let now = self.variant.size.unwrap_or(self.entry().default_size);
        let here = sizes.iter().position(|&size| size == now).unwrap_or(0);
        let there = (here + sizes.len()).wrapping_add_signed(step) % sizes.len();
        // What else was chosen may not fit another board.
        self.try_variant(Variant { size: Some(sizes[there]), ..Variant::default() });
    }

    fn change_setting(&mut self, key: &str, step: isize) {
        let Some(value) = self.setting(key) else { return };
        let value = match value.as_str() {
            "on" => "off".to_owned(),
            "off" => "on".to_owned(),
            number => match number.parse::<usize>().ok().and_then(|now| now.checked_add_signed(step)) {
                Some(next) => next.to_string(),
                None => return,
            },
        };
        let mut variant = self.variant.clone();
        if variant.set(key, &value).is_ok() {
            self.try_variant(variant);
        }
    }

    fn try_variant(&mut self, variant: Variant) {
        if let Ok(session) = self.entry().session(&variant) {
            (self.variant, self.session) = (variant, Some(session));
        }
    }

    /// The arguments that start what is chosen.
    #[must_use]
    pub fn arguments(&self, theme: Theme) -> Vec<String> {
        let mut words = vec!["--game".to_owned(), self.entry().name.to_owned()];
        let mut add = |key: &str, value: &str| words.extend([format!("--{key}"), value.to_owned()]);
        let mode = MODES[self.mode].0;
        add("mode", mode);
        if let Some(size) = self.variant.value("size") {
            add("size", &size);
        }
        if let Some(level) = self.level.filter(|_| mode != "2") {
            add("level", &level.to_string());
        }
        if mode == "1" && self.side != 0 {
            add("play-as", if self.side == 1 { "second" } else { "random" });
        }
        if mode != "2" && self.time != 0 {
            add("movetime", self.times()[self.time]);
        }
        let limits = [("nodes", self.nodes), ("depth", self.depth.map(u64::from))];
        for (key, limit) in limits.into_iter().filter(|_| mode != "2") {
            if let Some(limit) = limit {
                add(key, &limit.to_string());
            }
        }
        if theme != Theme::default() {
            add("theme", theme.name());
        }
        for key in self.entry().keys {
            match self.variant.value(key).as_deref() {
                None | Some("on") => {}
                Some(_) if *key == "size" => {}
                Some("off") => words.push(format!("--no-{key}")),
                Some(value) => words.extend([format!("--{key}"), value.to_owned()]),
            }
        }
        words
    }
}

/// A key as a name: `win-length` is `Win length`.
fn capital(key: &str) -> String {
    let mut letters = key.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}
