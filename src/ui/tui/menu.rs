//! Start menu with the list of games, the options of the chosen game, and the shell command for the
//! choice.

use std::sync::Arc;
use std::time::Duration;

use super::theme::Theme;
use crate::ai::EngineKind;
use crate::canvas::GlyphSet;
use crate::game::{GameSetting, SIZE_KEY, SettingKind, Side};
use crate::messages::{self, screen};
use crate::play::{
    self, GameMode, HumanSideChoice, LiveGame, MatchRefusal, NewGame, TimeControl, TimeoutRule,
};
use crate::registry::{GameStart, RegisteredGame, Variant};
use crate::session::Position;
use crate::thinking::ExternalProgram;

/// Game modes with their names in the menu.
const MODE_NAMES: [(GameMode, &str); 5] = [
    (GameMode::HumanMachine, "You against the engine"),
    (GameMode::Humans, "Two players"),
    (GameMode::Machines, "Engine against engine"),
    (GameMode::Replay, "Replay a file"),
    (GameMode::Analysis, "Analysis board"),
];
/// Time limits per engine move in the menu, in milliseconds, besides the level's default.
const MOVE_TIME_CHOICES_MS: [u64; 5] = [200, 500, 1_000, 2_000, 5_000];
/// Clocks in the menu, besides no clock, in the form that the command line accepts.
const CLOCK_CHOICES: [&str; 6] = ["1m", "3m+2s", "5m+3s", "10m+5s", "15m+10s", "30m"];
/// Sides in the menu that the player can take.
const SIDE_CHOICES: [HumanSideChoice; 3] =
    [HumanSideChoice::First, HumanSideChoice::Second, HumanSideChoice::Random];

/// State of the start menu: the options chosen so far and the cursor.
#[derive(Clone, Debug)]
pub struct StartMenu {
    /// Index of the chosen option, or `None` while a game is being chosen.
    pub row: Option<usize>,
    /// Options of the chosen game.
    pub(crate) spec: NewGame,
    /// External engine that can be chosen in place of a level.
    program: Option<Arc<ExternalProgram>>,
    /// First position on the chosen board.
    start: Option<Arc<dyn Position>>,
    /// Last message, shown in place of the shell command.
    pub notice: Option<String>,
}

/// Option in the menu, with its name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuRow {
    /// Key of the option: `mode`, `level`, or the key of a board setting.
    pub key: &'static str,
    /// Name of the option.
    pub name: String,
    /// Chosen value of the option.
    pub value: String,
}

impl Default for StartMenu {
    fn default() -> Self {
        StartMenu::with_game(NewGame::default())
    }
}

impl StartMenu {
    /// Creates a menu with the options of `spec`. An unspecified board has its default size.
    pub fn with_game(spec: NewGame) -> Self {
        let is_chosen = spec.start.variant.keys().next().is_some();
        let level = spec.level;
        let program = spec.program.clone();
        let mut menu = StartMenu { row: None, spec, program, start: None, notice: None };
        let wanted = menu.spec.start.variant.clone();
        menu.choose_game(menu.chosen_game_index());
        if is_chosen {
            menu.try_variant(wanted);
        }
        menu.spec.level = level.or(menu.spec.level);
        menu
    }

    /// Creates a menu with the options of an existing game: its board, mode, level and side.
    pub fn from_game(game: &LiveGame) -> Self {
        let (spec, program) = (game.spec().clone(), game.requested_engine().cloned());
        let mut menu = StartMenu { row: None, spec, program, start: None, notice: None };
        if matches!(menu.spec.mode, GameMode::Replay | GameMode::Analysis) {
            menu.spec.mode = GameMode::HumanMachine;
        }
        menu.spec.level = game.has_engine().then_some(game.level());
        if menu.spec.play_as != HumanSideChoice::Random {
            menu.spec.play_as = game.sole_human_side().map_or(HumanSideChoice::First, HumanSideChoice::from);
        }
        menu.set_board(menu.chosen_entry(), Variant::default());
        for (key, value) in game.position(game.shown_node()).settings() {
            menu.try_setting(key, value);
        }
        menu
    }

    /// Returns the registry entry of the chosen game.
    pub fn chosen_entry(&self) -> &'static RegisteredGame {
        self.spec.start.entry
    }

    /// Returns the games in the menu.
    pub fn games(&self) -> &'static [RegisteredGame] {
        self.chosen_entry().game_list()
    }

    /// Returns the index of the chosen game in the list of games.
    pub fn chosen_game_index(&self) -> usize {
        self.games().iter().position(|entry| entry.name == self.chosen_entry().name).unwrap_or(0)
    }

    /// Returns the first position of the chosen game.
    pub fn first_position(&self) -> Option<&dyn Position> {
        self.start.as_deref()
    }

    /// Chooses a game by its index. An invalid index changes nothing.
    pub fn choose_game(&mut self, game: usize) {
        if let Some(entry) = self.games().get(game) {
            self.set_board(entry, suggested_board(entry, entry.board_sizes().default));
            self.reset_level(entry);
        }
    }

    /// Sets the level to the initial one for a game, and drops an external engine that cannot play
    /// it.
    fn reset_level(&mut self, entry: &RegisteredGame) {
        self.spec.level = Some(entry.initial_menu_level());
        self.spec.program = self.spec.program.take().filter(|program| program.can_play(entry.name));
    }

    /// Sets the board of a game.
    fn set_board(&mut self, entry: &'static RegisteredGame, variant: Variant) {
        self.start = entry.start_position(&variant).ok();
        self.spec.set_start(GameStart::new(entry, variant));
    }

    /// Returns the external engine, if it can play the chosen game.
    fn usable_external_engine(&self) -> Option<&Arc<ExternalProgram>> {
        self.program.as_ref().filter(|program| program.can_play(self.chosen_entry().name))
    }

    /// Chooses a game or a board size by the text after the command `new`.
    ///
    /// # Errors
    /// Fails if there is no such game or size. The menu is then unchanged.
    pub(crate) fn choose_by_text(&mut self, text: &str) -> Result<(), String> {
        let has_size = text.split_whitespace().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let board = if has_size { Variant::default() } else { self.spec.start.variant.clone() };
        let read = play::parse_game_and_size(text, self.chosen_entry(), &board, Variant::default());
        let GameStart { entry, mut variant, .. } = read.map_err(|refusal| match refusal {
            MatchRefusal::NoSuchGame(error) | MatchRefusal::NoSuchBoard(error) => format!("{error}."),
            _ => screen::MENU_COMMANDS_MESSAGE.to_owned(),
        })?;
        if variant.value(SIZE_KEY).is_none() {
            variant.set_setting(SIZE_KEY, entry.board_sizes().default);
        }
        if entry.name != self.chosen_entry().name {
            self.reset_level(entry);
        }
        if matches!(self.spec.mode, GameMode::Replay | GameMode::Analysis) {
            self.spec.mode = GameMode::HumanMachine;
        }
        self.set_board(entry, variant);
        Ok(())
    }

    /// Renders a message about the engine's level and the available levels.
    pub(crate) fn render_level_message(&self) -> String {
        let Some(start) = self.first_position().filter(|_| self.plays_with_engine()) else {
            return messages::NO_ENGINE_IN_MENU_MESSAGE.to_owned();
        };
        messages::describe_engine_level(start, self.effective_level(), self.spec.mode == GameMode::Machines)
            .into_string()
    }

    /// Sets the engine's level.
    ///
    /// # Errors
    /// Fails with a list of the levels if there is no such level. The menu is then unchanged.
    pub(crate) fn set_level(&mut self, text: &str) -> Result<(), String> {
        let Some(start) = self.first_position().filter(|_| self.plays_with_engine()) else {
            return Err(messages::NO_ENGINE_IN_MENU_MESSAGE.to_owned());
        };
        self.spec.level =
            Some(play::parse_level(text, start).ok_or_else(|| messages::unknown_level_message(start, text))?);
        self.spec.program = None;
        Ok(())
    }

    /// Reports whether an engine plays in the chosen mode.
    fn plays_with_engine(&self) -> bool {
        mode_has_engine(self.spec.mode)
    }

    fn effective_level(&self) -> EngineKind {
        self.spec.level.unwrap_or_else(|| self.chosen_entry().default_level())
    }

    /// Returns the title and description of the chosen level, if the level option is chosen.
    pub(super) fn chosen_level_description(&self) -> Option<(String, &'static str)> {
        let rows = self.option_rows();
        let is_chosen = rows.get(self.row?)?.key == "level" && self.spec.program.is_none();
        let about = self.chosen_entry().describe_level(self.effective_level()).filter(|_| is_chosen)?;
        let title = match (self.effective_level(), self.effective_level().strength_name()) {
            (level @ EngineKind::Classic, _) => capitalize_setting_key(&level.to_string()),
            (level, Some(name)) => format!("Level {level}: {name}"),
            (level, None) => format!("Level {level}"),
        };
        Some((title, about))
    }

    /// Returns the options of the chosen game with their values.
    pub fn option_rows(&self) -> Vec<MenuRow> {
        let row = |key, name: &str, value: String| MenuRow { key, name: name.to_owned(), value };
        let mode =
            MODE_NAMES.iter().find(|(mode, _)| *mode == self.spec.mode).map_or("", |(_, words)| *words);
        let mut rows = vec![row("mode", "Mode", mode.to_owned())];
        if self.spec.mode == GameMode::Replay {
            // In a replay the file determines all other options.
            rows.push(row("theme", "Theme", String::new()));
            return rows;
        }
        for setting in self.chosen_entry().settings {
            let Some(value) = self.chosen_entry().resolved_setting(&self.spec.start.variant, setting.key)
            else {
                continue;
            };
            rows.push(match setting.kind {
                SettingKind::Size(_) => row(setting.key, "Board", format!("{value}x{value}")),
                _ => row(setting.key, &capitalize_setting_key(setting.key), value),
            });
        }
        if self.spec.mode == GameMode::HumanMachine {
            let names = self.first_position().map(|start| Side::map_both(|side| *start.side_name(side)));
            let [first, second] = names.unwrap_or_default();
            let sides = [format!("{first}, moves first"), format!("{second}, moves second"), "random".into()];
            rows.push(row(
                "play-as",
                "You play",
                sides[index_or_zero(&SIDE_CHOICES, &self.spec.play_as)].clone(),
            ));
        }
        if self.plays_with_engine() {
            let level = || screen::format_menu_level(self.effective_level(), GlyphSet::Unicode);
            let player = self.spec.program.as_ref().map_or_else(level, |program| program.name());
            rows.push(row("level", "Engine", player));
            let time = self.spec.limits.time.map_or_else(|| "by level".to_owned(), format_move_time);
            rows.push(row("movetime", "Move time", time));
        }
        if self.spec.mode == GameMode::Analysis {
            rows.push(row("theme", "Theme", String::new()));
            return rows; // nobody plays
        }
        let clock = self.spec.time.map_or_else(|| "none".to_owned(), |time| time.to_string());
        rows.push(row("time", "Clocks", clock));
        if let Some(time) = self.spec.time {
            rows.push(row("time-over", "Out of time", time.over.as_str().to_owned()));
        }
        rows.push(row("theme", "Theme", String::new()));
        rows
    }

    /// Changes an option by `step` values. The option `theme` is handled elsewhere.
    pub fn change_option(&mut self, key: &str, step: isize) {
        match key {
            "mode" => self.spec.mode = cycle_choice(&MODE_NAMES.map(|(mode, _)| mode), &self.spec.mode, step),
            "play-as" => self.spec.play_as = cycle_choice(&SIDE_CHOICES, &self.spec.play_as, step),
            "movetime" => {
                let mut times = vec![None];
                times.extend(MOVE_TIME_CHOICES_MS.map(|ms| Some(Duration::from_millis(ms))));
                // A time from the command line that is not in the list is appended until another
                // one is chosen.
                if !times.contains(&self.spec.limits.time) {
                    times.push(self.spec.limits.time);
                }
                self.spec.limits.time = cycle_choice(&times, &self.spec.limits.time, step);
            }
            "time" => {
                let over = self.spec.time.map(|time| time.over).unwrap_or_default();
                let clocks = CLOCK_CHOICES.iter().filter_map(|text| text.parse::<TimeControl>().ok());
                let mut all: Vec<_> = clocks.map(|time| Some(TimeControl { over, ..time })).collect();
                all.insert(0, None);
                if !all.contains(&self.spec.time) {
                    all.push(self.spec.time);
                }
                self.spec.time = cycle_choice(&all, &self.spec.time, step);
            }
            "time-over" => {
                if let Some(time) = &mut self.spec.time {
                    time.over = cycle_choice(&[TimeoutRule::Loss, TimeoutRule::Warning], &time.over, step);
                }
            }
            "level" => {
                let levels = self.first_position().map(Position::levels).unwrap_or_default();
                // The external engine comes after the levels, if there is one.
                let mut players: Vec<_> = levels.into_iter().map(|level| (level, None)).collect();
                let level = self.effective_level();
                players
                    .extend(self.usable_external_engine().map(|program| (level, Some(Arc::clone(program)))));
                let now = (level, self.spec.program.clone());
                if players.contains(&now) {
                    let (level, program) = cycle_choice(&players, &now, step);
                    (self.spec.level, self.spec.program) = (Some(level), program);
                }
            }
            SIZE_KEY => {
                let Ok(now) = self.chosen_entry().resolve_board(&self.spec.start.variant) else { return };
                let sizes: Vec<usize> = self.chosen_entry().board_sizes().all_sizes().collect();
                // Other settings may not fit another board, so they are reset.
                self.try_variant(suggested_board(
                    self.chosen_entry(),
                    cycle_choice(&sizes, &now.width, step),
                ));
            }
            _ => self.change_setting(key, step),
        }
    }

    fn change_setting(&mut self, key: &str, step: isize) {
        let Some(value) = self.chosen_entry().resolved_setting(&self.spec.start.variant, key) else { return };
        if let (Some(numbers), Ok(now)) = (self.setting_values(key), value.parse::<usize>()) {
            self.try_setting(key, &cycle_choice(&numbers, &now, step).to_string());
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

    /// Returns the values of a setting in the order of the menu, if its suggested value is not its
    /// default.
    ///
    /// The default follows the suggested value, so that it is one step away.
    fn setting_values(&self, key: &str) -> Option<Vec<usize>> {
        let SettingKind::Number { range, default, suggested, .. } =
            self.chosen_entry().find_setting(key)?.kind
        else {
            return None;
        };
        let size = self.chosen_entry().resolve_board(&self.spec.start.variant).ok()?.width;
        let (usual, first) = (default(size), suggested(size));
        let mut numbers: Vec<usize> = range(size).filter(|&number| number != usual).collect();
        let place = numbers.iter().position(|&number| number == first)?;
        numbers.insert(place + 1, usual);
        Some(numbers)
    }

    fn try_setting(&mut self, key: &str, value: &str) {
        self.try_variant(self.spec.start.variant.clone().with_setting(key, value));
    }

    fn try_variant(&mut self, variant: Variant) {
        if self.chosen_entry().start_position(&variant).is_ok() {
            self.set_board(self.chosen_entry(), variant);
        }
    }

    /// Returns the command-line arguments that start the chosen game with this theme.
    pub fn shell_arguments(&self, theme: Theme) -> Vec<String> {
        let mut words = command_line_arguments(&self.spec);
        if theme != Theme::default() {
            words.extend(["--theme".to_owned(), theme.name().to_owned()]);
        }
        words
    }
}

/// Returns the command-line arguments that describe a game.
pub fn command_line_arguments(spec: &NewGame) -> Vec<String> {
    let mut words = vec!["--game".to_owned(), spec.start.entry.name.to_owned()];
    if spec.mode == GameMode::Analysis {
        words.push("--analyze".to_owned());
    }
    let mut add = |key: &str, value: String| words.extend([format!("--{key}"), value]);
    if spec.mode != GameMode::Analysis {
        add("mode", spec.mode.number().to_string());
    }
    if let Some(size) = spec.start.variant.value(SIZE_KEY) {
        add(SIZE_KEY, size.to_owned());
    }
    if mode_has_engine(spec.mode) {
        let side = match (spec.mode, spec.play_as) {
            (GameMode::HumanMachine, HumanSideChoice::Second) => Some("second"),
            (GameMode::HumanMachine, HumanSideChoice::Random) => Some("random"),
            _ => None,
        };
        for (key, value) in [
            ("engine", spec.program.as_ref().map(ToString::to_string)),
            ("level", spec.level.filter(|_| spec.program.is_none()).map(|level| level.to_string())),
            ("net", spec.net.as_ref().map(|net| net.name().to_owned())),
            ("play-as", side.map(str::to_owned)),
            ("movetime", spec.limits.time.map(format_move_time)),
            ("nodes", spec.limits.nodes.map(|nodes| nodes.to_string())),
            ("depth", spec.limits.depth.map(|depth| depth.to_string())),
        ] {
            if let Some(value) = value {
                add(key, value);
            }
        }
    }
    if let Some(time) = spec.time.filter(|_| spec.mode != GameMode::Analysis) {
        words.extend(["--time".to_owned(), time.to_string()]);
        if time.over == TimeoutRule::Warning {
            words.extend(["--time-over", time.over.as_str()].map(str::to_owned));
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
    if spec.mode == GameMode::Replay {
        words.push("FILE".to_owned());
    }
    words
}

/// Reports whether an engine plays in a mode.
fn mode_has_engine(mode: GameMode) -> bool {
    matches!(mode, GameMode::HumanMachine | GameMode::Machines)
}

/// Returns a board of this size with the settings that the menu suggests.
fn suggested_board(entry: &RegisteredGame, size: usize) -> Variant {
    let number = |setting: &'static GameSetting| match setting.kind {
        SettingKind::Number { default, suggested, .. } if suggested(size) != default(size) => {
            Some((setting.key, suggested(size).to_string()))
        }
        _ => None,
    };
    let numbers = entry.settings.iter().filter_map(number);
    numbers.fold(Variant::of_size(size), |variant, (key, value)| variant.with_setting(key, value))
}

/// Formats a time in the form that the command line accepts: `500ms`, `2s`.
fn format_move_time(time: Duration) -> String {
    let is_whole = time.subsec_millis() == 0 && time.as_secs() > 0;
    if is_whole { format!("{}s", time.as_secs()) } else { format!("{}ms", time.as_millis()) }
}

/// Returns the index of a value in a list, or 0 if the list does not contain it.
fn index_or_zero<T: PartialEq>(all: &[T], now: &T) -> usize {
    all.iter().position(|one| one == now).unwrap_or(0)
}

/// Returns the value `step` places after `now` in a list that wraps around.
fn cycle_choice<T: PartialEq + Clone>(all: &[T], now: &T, step: isize) -> T {
    all[(index_or_zero(all, now) + all.len()).wrapping_add_signed(step) % all.len()].clone()
}

/// Capitalizes a setting key for the menu: `win-length` becomes `Win length`.
fn capitalize_setting_key(key: &str) -> String {
    let mut letters = key.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}
