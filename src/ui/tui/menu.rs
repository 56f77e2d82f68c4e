//! The start menu: games from the registry, options from the settings that the games allow, and the
//! shell command for them.

use std::sync::Arc;
use std::time::Duration;

use super::theme::Theme;
use crate::ai::EngineKind;
use crate::canvas::Glyphs;
use crate::game::{SIZE, Setting, SettingKind, Side};
use crate::messages::{self, screen};
use crate::play::{self, Game, MatchRefusal, Mode, NewGame, PlayAs, TimeControl, TimeOver};
use crate::registry::{Entry, GameStart, Variant};
use crate::session::Position;
use crate::thinking::ExternalProgram;

/// Modes with their names.
const MODES: [(Mode, &str); 5] = [
    (Mode::HumanMachine, "You against the engine"),
    (Mode::Humans, "Two players"),
    (Mode::Machines, "Engine against engine"),
    (Mode::Replay, "Replay a file"),
    (Mode::Analysis, "Analysis board"),
];
/// Time limits for an engine to choose from, in milliseconds; that of its level is not among them.
const TIMES: [u64; 5] = [200, 500, 1_000, 2_000, 5_000];
/// Clocks to choose from, as the command line takes them; the choice of none is not among them.
const CLOCKS: [&str; 6] = ["1m", "3m+2s", "5m+3s", "10m+5s", "15m+10s", "30m"];
/// Sides that a person can take.
const SIDES: [PlayAs; 3] = [PlayAs::First, PlayAs::Second, PlayAs::Random];

/// Start menu: the request for a game, and the position in the menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Index of the chosen option; `None` while a game is being chosen.
    pub row: Option<usize>,
    /// Request for the chosen game.
    pub(crate) spec: NewGame,
    /// External engine that may play in place of a level.
    program: Option<Arc<ExternalProgram>>,
    /// First position of the chosen board.
    start: Option<Arc<dyn Position>>,
    /// Last message, in place of the shell command.
    pub notice: Option<String>,
}

/// Option as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Key of the option: `mode`, `level`, or a setting of the board.
    pub key: &'static str,
    /// Name of the option.
    pub name: String,
    /// Value that is chosen now.
    pub value: String,
}

impl Default for Menu {
    fn default() -> Self {
        Menu::with(NewGame::default())
    }
}

impl Menu {
    /// Creates a menu with this game chosen, on a board of its usual size.
    pub fn with(spec: NewGame) -> Self {
        let is_chosen = spec.start.variant.keys().next().is_some();
        let level = spec.level;
        let program = spec.program.clone();
        let mut menu = Menu { row: None, spec, program, start: None, notice: None };
        let wanted = menu.spec.start.variant.clone();
        menu.choose(menu.game());
        if is_chosen {
            menu.try_variant(wanted);
        }
        menu.spec.level = level.or(menu.spec.level);
        menu
    }

    /// Creates a menu with this game chosen: its board, its mode, the level and the player's side.
    pub fn of(game: &Game) -> Self {
        let (spec, program) = (game.spec().clone(), game.configured().cloned());
        let mut menu = Menu { row: None, spec, program, start: None, notice: None };
        if matches!(menu.spec.mode, Mode::Replay | Mode::Analysis) {
            menu.spec.mode = Mode::HumanMachine;
        }
        menu.spec.level = game.has_engine().then_some(game.level());
        if menu.spec.play_as != PlayAs::Random {
            menu.spec.play_as = game.only_human().map_or(PlayAs::First, PlayAs::from);
        }
        menu.begin(menu.entry(), Variant::default());
        for (key, value) in game.position(game.shown()).settings() {
            menu.try_setting(key, value);
        }
        menu
    }

    /// Returns the entry of the chosen game.
    pub fn entry(&self) -> &'static Entry {
        self.spec.start.entry
    }

    /// Returns the games to choose from.
    pub fn games(&self) -> &'static [Entry] {
        self.entry().games()
    }

    /// Returns the index of the chosen game among them.
    pub fn game(&self) -> usize {
        self.games().iter().position(|entry| entry.name == self.entry().name).unwrap_or(0)
    }

    /// Returns the first position of the chosen game.
    pub fn start(&self) -> Option<&dyn Position> {
        self.start.as_deref()
    }

    /// Chooses a game; one that does not exist changes nothing.
    pub fn choose(&mut self, game: usize) {
        if let Some(entry) = self.games().get(game) {
            self.begin(entry, suggested(entry, entry.sizes().default));
            self.take_first_level(entry);
        }
    }

    /// Chooses the level at which the menu begins in a game, and drops an external engine that
    /// cannot play it.
    fn take_first_level(&mut self, entry: &Entry) {
        self.spec.level = Some(entry.first_level());
        self.spec.program = self.spec.program.take().filter(|program| program.can_play(entry.name));
    }

    /// Chooses a board of a game.
    fn begin(&mut self, entry: &'static Entry, variant: Variant) {
        self.start = entry.start(&variant).ok();
        self.spec.choose(GameStart::new(entry, variant));
    }

    /// Returns the external engine that may play the chosen game.
    fn other_program(&self) -> Option<&Arc<ExternalProgram>> {
        self.program.as_ref().filter(|program| program.can_play(self.entry().name))
    }

    /// Chooses what the command `new` names: a game, a size, both or nothing.
    ///
    /// # Errors
    /// Says which problem the game or the size has; nothing is changed.
    pub(crate) fn choose_named(&mut self, text: &str) -> Result<(), String> {
        let has_size = text.split_whitespace().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let board = if has_size { Variant::default() } else { self.spec.start.variant.clone() };
        let read = play::read_game(text, self.entry(), &board, Variant::default());
        let GameStart { entry, mut variant, .. } = read.map_err(|refusal| match refusal {
            MatchRefusal::NoSuchGame(error) | MatchRefusal::NoSuchBoard(error) => format!("{error}."),
            _ => screen::WORDS_OF_THE_MENU.to_owned(),
        })?;
        if variant.value(SIZE).is_none() {
            variant.set(SIZE, entry.sizes().default);
        }
        if entry.name != self.entry().name {
            self.take_first_level(entry);
        }
        if matches!(self.spec.mode, Mode::Replay | Mode::Analysis) {
            self.spec.mode = Mode::HumanMachine;
        }
        self.begin(entry, variant);
        Ok(())
    }

    /// Returns the engine's level, and the levels that there are.
    pub(crate) fn level_in_words(&self) -> String {
        let Some(start) = self.start().filter(|_| self.has_machine()) else {
            return messages::NO_ENGINE_IN_THE_MENU.to_owned();
        };
        messages::level_of(start, self.level_now(), self.spec.mode == Mode::Machines).into_string()
    }

    /// Sets the engine's level.
    ///
    /// # Errors
    /// Lists the levels in a sentence; nothing is changed.
    pub(crate) fn set_level(&mut self, text: &str) -> Result<(), String> {
        let Some(start) = self.start().filter(|_| self.has_machine()) else {
            return Err(messages::NO_ENGINE_IN_THE_MENU.to_owned());
        };
        self.spec.level = Some(play::level(text, start).ok_or_else(|| messages::no_such_level(start, text))?);
        self.spec.program = None;
        Ok(())
    }

    /// Reports whether an engine plays in the mode that is chosen.
    fn has_machine(&self) -> bool {
        has_engine(self.spec.mode)
    }

    fn level_now(&self) -> EngineKind {
        self.spec.level.unwrap_or_else(|| self.entry().default_level())
    }

    /// Returns the level and its way of playing while its row is chosen.
    pub(super) fn opponent(&self) -> Option<(String, &'static str)> {
        let rows = self.rows();
        let is_chosen = rows.get(self.row?)?.key == "level" && self.spec.program.is_none();
        let about = self.entry().about_level(self.level_now()).filter(|_| is_chosen)?;
        let title = match (self.level_now(), self.level_now().strength()) {
            (level @ EngineKind::Classic, _) => capital(&level.to_string()),
            (level, Some(name)) => format!("Level {level}: {name}"),
            (level, None) => format!("Level {level}"),
        };
        Some((title, about))
    }

    /// Returns the options of the chosen game.
    pub fn rows(&self) -> Vec<Row> {
        let row = |key, name: &str, value: String| Row { key, name: name.to_owned(), value };
        let mode = MODES.iter().find(|(mode, _)| *mode == self.spec.mode).map_or("", |(_, words)| *words);
        let mut rows = vec![row("mode", "Mode", mode.to_owned())];
        if self.spec.mode == Mode::Replay {
            // The file says everything else.
            rows.push(row("theme", "Theme", String::new()));
            return rows;
        }
        for setting in self.entry().settings {
            let Some(value) = self.entry().setting(&self.spec.start.variant, setting.key) else { continue };
            rows.push(match setting.kind {
                SettingKind::Size(_) => row(setting.key, "Board", format!("{value}x{value}")),
                _ => row(setting.key, &capital(setting.key), value),
            });
        }
        if self.spec.mode == Mode::HumanMachine {
            let names = self.start().map(|start| Side::each(|side| *start.side_name(side)));
            let [first, second] = names.unwrap_or_default();
            let sides = [format!("{first}, moves first"), format!("{second}, moves second"), "random".into()];
            rows.push(row("play-as", "You play", sides[place(&SIDES, &self.spec.play_as)].clone()));
        }
        if self.has_machine() {
            let level = || screen::level_in_menu(self.level_now(), Glyphs::Unicode);
            let player = self.spec.program.as_ref().map_or_else(level, |program| program.name());
            rows.push(row("level", "Engine", player));
            let time = self.spec.limits.time.map_or_else(|| "by level".to_owned(), format_time);
            rows.push(row("movetime", "Move time", time));
        }
        if self.spec.mode == Mode::Analysis {
            rows.push(row("theme", "Theme", String::new()));
            return rows; // nobody plays
        }
        let clock = self.spec.time.map_or_else(|| "none".to_owned(), |time| time.to_string());
        rows.push(row("time", "Clocks", clock));
        if let Some(time) = self.spec.time {
            rows.push(row("time-over", "Out of time", time.over.word().to_owned()));
        }
        rows.push(row("theme", "Theme", String::new()));
        rows
    }

    /// Changes an option by one step; `theme` is changed elsewhere.
    pub fn change(&mut self, key: &str, step: isize) {
        match key {
            "mode" => self.spec.mode = turned(&MODES.map(|(mode, _)| mode), &self.spec.mode, step),
            "play-as" => self.spec.play_as = turned(&SIDES, &self.spec.play_as, step),
            "movetime" => {
                let mut times = vec![None];
                times.extend(TIMES.map(|ms| Some(Duration::from_millis(ms))));
                // A time of the command line that is none of these stands behind them until it is left.
                if !times.contains(&self.spec.limits.time) {
                    times.push(self.spec.limits.time);
                }
                self.spec.limits.time = turned(&times, &self.spec.limits.time, step);
            }
            "time" => {
                let over = self.spec.time.map(|time| time.over).unwrap_or_default();
                let clocks = CLOCKS.iter().filter_map(|text| text.parse::<TimeControl>().ok());
                let mut all: Vec<_> = clocks.map(|time| Some(TimeControl { over, ..time })).collect();
                all.insert(0, None);
                if !all.contains(&self.spec.time) {
                    all.push(self.spec.time);
                }
                self.spec.time = turned(&all, &self.spec.time, step);
            }
            "time-over" => {
                if let Some(time) = &mut self.spec.time {
                    time.over = turned(&[TimeOver::Loss, TimeOver::Warning], &time.over, step);
                }
            }
            "level" => {
                let levels = self.start().map(Position::levels).unwrap_or_default();
                // Behind the levels stands the program, if there is one.
                let mut players: Vec<_> = levels.into_iter().map(|level| (level, None)).collect();
                let level = self.level_now();
                players.extend(self.other_program().map(|program| (level, Some(Arc::clone(program)))));
                let now = (level, self.spec.program.clone());
                if players.contains(&now) {
                    let (level, program) = turned(&players, &now, step);
                    (self.spec.level, self.spec.program) = (Some(level), program);
                }
            }
            SIZE => {
                let Ok(now) = self.entry().choose(&self.spec.start.variant) else { return };
                let sizes: Vec<usize> = self.entry().sizes().all().collect();
                // What else was chosen may not fit another board.
                self.try_variant(suggested(self.entry(), turned(&sizes, &now.width, step)));
            }
            _ => self.change_setting(key, step),
        }
    }

    fn change_setting(&mut self, key: &str, step: isize) {
        let Some(value) = self.entry().setting(&self.spec.start.variant, key) else { return };
        if let (Some(numbers), Ok(now)) = (self.numbers(key), value.parse::<usize>()) {
            self.try_setting(key, &turned(&numbers, &now, step).to_string());
            return;
        }
        let value = match value.as_str() {
            "on" => "off".to_owned(),
            "off" => "on".to_owned(),
            number => match number.parse::<usize>().ok().and_then(|now| now.checked_add_signed(step)) {
                Some(next) => next.to_string(),
                None => return,
            },
        };
        self.try_setting(key, &value);
    }

    /// Returns the values of a setting whose suggestion is not its default, in the order of the
    /// menu: the default follows the suggestion, so that it is one step away.
    fn numbers(&self, key: &str) -> Option<Vec<usize>> {
        let SettingKind::Number { range, default, suggested, .. } = self.entry().setting_of(key)?.kind else {
            return None;
        };
        let size = self.entry().choose(&self.spec.start.variant).ok()?.width;
        let (usual, first) = (default(size), suggested(size));
        let mut numbers: Vec<usize> = range(size).filter(|&number| number != usual).collect();
        let place = numbers.iter().position(|&number| number == first)?;
        numbers.insert(place + 1, usual);
        Some(numbers)
    }

    fn try_setting(&mut self, key: &str, value: &str) {
        self.try_variant(self.spec.start.variant.clone().with(key, value));
    }

    fn try_variant(&mut self, variant: Variant) {
        if self.entry().start(&variant).is_ok() {
            self.begin(self.entry(), variant);
        }
    }

    /// Returns the arguments that start the chosen game with this theme.
    pub fn arguments(&self, theme: Theme) -> Vec<String> {
        let mut words = arguments(&self.spec);
        if theme != Theme::default() {
            words.extend(["--theme".to_owned(), theme.name().to_owned()]);
        }
        words
    }
}

/// Returns the command-line arguments that ask for a game.
pub fn arguments(spec: &NewGame) -> Vec<String> {
    let mut words = vec!["--game".to_owned(), spec.start.entry.name.to_owned()];
    if spec.mode == Mode::Analysis {
        words.push("--analyze".to_owned());
    }
    let mut add = |key: &str, value: String| words.extend([format!("--{key}"), value]);
    if spec.mode != Mode::Analysis {
        add("mode", spec.mode.number().to_string());
    }
    if let Some(size) = spec.start.variant.value(SIZE) {
        add(SIZE, size.to_owned());
    }
    if has_engine(spec.mode) {
        let side = match (spec.mode, spec.play_as) {
            (Mode::HumanMachine, PlayAs::Second) => Some("second"),
            (Mode::HumanMachine, PlayAs::Random) => Some("random"),
            _ => None,
        };
        for (key, value) in [
            ("engine", spec.program.as_ref().map(ToString::to_string)),
            ("level", spec.level.filter(|_| spec.program.is_none()).map(|level| level.to_string())),
            ("net", spec.net.as_ref().map(|net| net.name().to_owned())),
            ("play-as", side.map(str::to_owned)),
            ("movetime", spec.limits.time.map(format_time)),
            ("nodes", spec.limits.nodes.map(|nodes| nodes.to_string())),
            ("depth", spec.limits.depth.map(|depth| depth.to_string())),
        ] {
            if let Some(value) = value {
                add(key, value);
            }
        }
    }
    if let Some(time) = spec.time.filter(|_| spec.mode != Mode::Analysis) {
        words.extend(["--time".to_owned(), time.to_string()]);
        if time.over == TimeOver::Warning {
            words.extend(["--time-over", time.over.word()].map(str::to_owned));
        }
    }
    for setting in spec.start.entry.settings {
        let Some(value) = spec.start.variant.value(setting.key) else { continue };
        let flag = format!("--{}", setting.flag);
        match setting.kind {
            SettingKind::Number { .. } => words.extend([flag, value.to_owned()]),
            SettingKind::Switch { default } if (value == "on") != default => words.push(flag),
            _ => {}
        }
    }
    if spec.mode == Mode::Replay {
        words.push("FILE".to_owned());
    }
    words
}

/// Reports whether an engine plays in a mode.
fn has_engine(mode: Mode) -> bool {
    matches!(mode, Mode::HumanMachine | Mode::Machines)
}

/// Returns the board of this size as the menu suggests it.
fn suggested(entry: &Entry, size: usize) -> Variant {
    let number = |setting: &'static Setting| match setting.kind {
        SettingKind::Number { default, suggested, .. } if suggested(size) != default(size) => {
            Some((setting.key, suggested(size).to_string()))
        }
        _ => None,
    };
    let numbers = entry.settings.iter().filter_map(number);
    numbers.fold(Variant::of_size(size), |variant, (key, value)| variant.with(key, value))
}

/// Returns a time as the command line takes it: `500ms`, `2s`.
fn format_time(time: Duration) -> String {
    let is_whole = time.subsec_millis() == 0 && time.as_secs() > 0;
    if is_whole { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_millis()) }
}

/// Returns the index of a value in a list, or 0 if it is not there.
fn place<T: PartialEq>(all: &[T], now: &T) -> usize {
    all.iter().position(|one| one == now).unwrap_or(0)
}

/// Returns the value `step` places later in a list, which wraps around.
fn turned<T: PartialEq + Clone>(all: &[T], now: &T, step: isize) -> T {
    all[(place(all, now) + all.len()).wrapping_add_signed(step) % all.len()].clone()
}

/// Returns a key as a name: `win-length` becomes `Win length`.
fn capital(key: &str) -> String {
    let mut letters = key.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}
