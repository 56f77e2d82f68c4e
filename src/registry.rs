//! List of games, with one entry per game. Higher layers find a game here by its name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::ai::{EngineKind, GameEngines, Limits, NoSuchLevel};
use crate::game::{
    BadSetup, BoardConfig, GameDefinition, GameInfo, GameSetting, PositionSetup, Refusal, RuleLesson,
    SIZE_KEY, SettingKind,
};
use crate::games::hex::Hex;
use crate::games::quoridor::Quoridor;
use crate::games::tictactoe::TicTacToe;
use crate::session::{Playable, Playout, Position, PositionHistory, TypedPlayout, TypedPosition};

/// Requested settings of a board, as text. A setting that is not set has the game's default.
///
/// ```
/// use crosspath::registry::{Variant, find_game};
/// let small = Variant::of_size(4).with_setting("win-length", 3);
/// assert_eq!(small, Variant::parse("size=4 win-length=3"));
/// assert_eq!(find_game("ttt")?.resolved_setting(&Variant::of_size(4), "win-length").as_deref(), Some("4"));
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Value of each setting, by key.
    given: BTreeMap<String, String>,
    /// `true` if the board is only for analysis; see [`Variant::for_study`].
    is_study: bool,
}

impl Variant {
    /// Returns the settings of a square board with this side length, in cells.
    #[must_use]
    pub fn of_size(size: usize) -> Self {
        Variant::default().with_setting(SIZE_KEY, size)
    }

    /// Returns the settings with one more setting.
    #[must_use]
    pub fn with_setting(mut self, key: &str, value: impl Display) -> Self {
        self.set_setting(key, value);
        self
    }

    /// Parses settings as in the header of a record: `size=4 win-length=3`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let words = text.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")));
        words.fold(Variant::default(), |variant, (key, value)| variant.with_setting(key, value))
    }

    /// Marks the board as an analysis board, on which no games are played. Some games allow more sizes for
    /// it.
    pub(crate) fn for_study(self) -> Self {
        Variant { is_study: true, ..self }
    }

    /// Returns the keys of the settings that are set.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// Returns the value of a setting, if it is set.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.given.get(key).map(String::as_str)
    }

    /// Sets a setting. [`RegisteredGame::resolve_board`] checks whether the board exists.
    pub fn set_setting(&mut self, key: &str, value: impl Display) {
        self.given.insert(key.to_owned(), value.to_string());
    }
}

/// Returns the settings of a board as JSON: numbers, and booleans for on and off.
#[must_use]
pub(crate) fn settings_to_json(settings: &[(&'static str, String)]) -> Map<String, Value> {
    let value = |text: &str| match text {
        "on" => true.into(),
        "off" => false.into(),
        text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
    };
    settings.iter().map(|(key, text)| ((*key).to_owned(), value(text))).collect()
}

/// Parses a count that consists of digits only. A number that does not fit becomes `usize::MAX`.
fn parse_count(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX))
}

/// Parses a board size: columns and rows such as `5x9`, or one number for both.
fn parse_board_size(text: &str) -> Option<(usize, usize)> {
    match text.split_once('x') {
        Some((width, height)) => parse_count(width).zip(parse_count(height)),
        None => parse_count(text).map(|size| (size, size)),
    }
}

/// Reason why a board cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardSetupError {
    /// No game has this name.
    #[error("there is no game {got:?}; games are {}", games.join(", "))]
    NoSuchGame {
        /// Text that was given.
        got: String,
        /// Names of the existing games.
        games: Vec<&'static str>,
    },
    /// The game has no such setting.
    #[error("{game} has no setting {key}; it has {}", keys.join(", "))]
    NoSuchSetting {
        /// Name of the game.
        game: &'static str,
        /// Text that was given.
        key: String,
        /// Flag of this setting, if another game has it.
        flag: Option<&'static str>,
        /// Settings of the game.
        keys: Vec<&'static str>,
        /// Flags of the settings of the game.
        flags: Vec<&'static str>,
    },
    /// The value has the wrong type.
    #[error("{key} {got:?} is {fault}")]
    NotAValue {
        /// Key of the setting.
        key: &'static str,
        /// Text that was given.
        got: String,
        /// Description of the fault: `not a whole number`, `neither on nor off`.
        fault: &'static str,
    },
    /// The game does not support the value.
    #[error("{key} {got} is not possible for {game}; it must be {allowed}")]
    OutOfRange {
        /// Name of the game.
        game: &'static str,
        /// Key of the setting.
        key: &'static str,
        /// Text that was given.
        got: String,
        /// Description of the valid values, such as `1 to 10`.
        allowed: String,
    },
    /// No game can start from the position.
    #[error("no game can begin from this position: {0}")]
    Position(#[from] BadSetup),
}

impl BoardSetupError {
    /// Returns the error for a value of the wrong type.
    fn invalid_value(setting: &GameSetting, got: &str) -> Self {
        let is_switch = matches!(setting.kind, SettingKind::Switch { .. });
        let fault = if is_switch { "neither on nor off" } else { "not a whole number" };
        BoardSetupError::NotAValue { key: setting.key, got: Refusal::sanitize_excerpt(got), fault }
    }

    /// Returns the message for a setting that was given as a flag.
    pub(crate) fn to_flag_message(&self) -> String {
        match self {
            BoardSetupError::NoSuchSetting { game, flag: Some(flag), flags, .. } => {
                format!("{game} has no option --{flag}; it takes --{}", flags.join(", --"))
            }
            BoardSetupError::Position(bad) => format!("--position: {bad}"),
            _ => format!("--{self}"),
        }
    }
}

/// Engines of a game, and the purposes for which each is used.
#[derive(Clone, Debug)]
struct EngineList {
    /// Every engine, with the description of its play and its default limits.
    engines: Vec<(EngineKind, &'static str, Limits)>,
    levels: Vec<EngineKind>,
    default_level: EngineKind,
    adviser: (EngineKind, Limits),
    reference: EngineKind,
    benched: Vec<(EngineKind, u64)>,
    tunable: &'static [&'static str],
}

/// Result of reading or setting up a position.
type SetupResult<T> = Result<T, BadSetup>;

/// Position set-up, and the board size if the text names one.
type SetupWithSize = (PositionSetup, Option<String>);

/// Entry of a game in the list of games: its description, engines and first position.
#[derive(Clone, Debug)]
pub struct RegisteredGame {
    about: &'static GameInfo,
    games: fn() -> &'static [RegisteredGame],
    open: fn(&BoardConfig) -> Arc<dyn Position>,
    set_up: fn(&BoardConfig, &PositionSetup) -> SetupResult<Arc<dyn Position>>,
    read_setup: fn(&str) -> SetupResult<SetupWithSize>,
    playout: fn(&BoardConfig) -> Box<dyn Playout>,
    list_engines: fn() -> EngineList,
    /// Engines, listed on first use.
    engine_list: OnceLock<EngineList>,
}

impl Deref for RegisteredGame {
    type Target = GameInfo;

    fn deref(&self) -> &GameInfo {
        self.about
    }
}

impl RegisteredGame {
    /// Creates the entry of a game. `games` returns the list that contains it.
    #[must_use]
    pub const fn for_game<G: Playable>(games: fn() -> &'static [RegisteredGame]) -> Self {
        RegisteredGame {
            about: G::INFO,
            games,
            open: |chosen| Arc::new(TypedPosition::<G>::new(chosen)),
            set_up: |chosen, setup| Ok(Arc::new(TypedPosition::<G>::from_setup(chosen, setup)?)),
            read_setup: <G as GameDefinition>::parse_setup,
            playout: |chosen| Box::new(TypedPlayout::<G>::new(chosen)),
            list_engines: || {
                let of_game = G::game_engines();
                let levels = of_game.levels();
                let GameEngines { level_specs, default_level, adviser, reference, benched, tunable, .. } =
                    of_game;
                let engines =
                    level_specs.into_iter().map(|spec| (spec.level, spec.about, spec.limits)).collect();
                EngineList { engines, levels, default_level, adviser, reference, benched, tunable }
            },
            engine_list: OnceLock::new(),
        }
    }

    /// Returns the engines of the game.
    fn engine_list(&self) -> &EngineList {
        self.engine_list.get_or_init(self.list_engines)
    }

    /// Returns a copy of this entry that belongs to another list.
    #[must_use]
    pub fn with_game_list(&self, games: fn() -> &'static [RegisteredGame]) -> Self {
        RegisteredGame { games, ..self.clone() }
    }

    /// Returns the list of games that this entry belongs to.
    #[must_use]
    pub fn game_list(&self) -> &'static [RegisteredGame] {
        (self.games)()
    }

    /// Returns the levels: `classic` first, then weakest to strongest.
    #[must_use]
    pub fn levels(&self) -> &[EngineKind] {
        &self.engine_list().levels
    }

    /// Checks that the game has a level or engine, and returns it.
    ///
    /// # Errors
    /// Returns an error that lists the levels if the game does not have it.
    pub fn check_level(&self, level: EngineKind) -> Result<EngineKind, NoSuchLevel> {
        let error = || NoSuchLevel { got: level.to_string(), levels: self.levels().to_vec() };
        self.find_engine(level).map(|_| level).ok_or_else(error)
    }

    /// Returns the strongest level.
    ///
    /// # Panics
    /// Panics if the game has no level.
    #[must_use]
    pub fn strongest_level(&self) -> EngineKind {
        *self.levels().last().expect("every game has a level")
    }

    /// Returns the level that plays by default.
    #[must_use]
    pub fn default_level(&self) -> EngineKind {
        self.engine_list().default_level
    }

    /// Returns the engine that gives hints, and its default limits.
    #[must_use]
    pub fn hint_engine(&self) -> (EngineKind, Limits) {
        self.engine_list().adviser
    }

    /// Returns the engine that decides which openings are balanced. Its play never changes.
    #[must_use]
    pub fn reference_engine(&self) -> EngineKind {
        self.engine_list().reference
    }

    /// Returns the engines that the benchmark measures, each with the number of nodes per search.
    #[must_use]
    pub fn bench_engines(&self) -> &[(EngineKind, u64)] {
        &self.engine_list().benched
    }

    /// Returns the names of the numeric constants of the engine `net` that can be set; empty if there is no
    /// such engine.
    #[must_use]
    pub fn tunable_constants(&self) -> &'static [&'static str] {
        self.engine_list().tunable
    }

    /// Describes the play of a level in one sentence; `None` if there is no such level.
    #[must_use]
    pub fn describe_level(&self, level: EngineKind) -> Option<&'static str> {
        self.find_engine(level).map(|(_, about, _)| *about)
    }

    /// Returns the default limits of a level.
    #[must_use]
    pub fn default_limits(&self, level: EngineKind) -> Limits {
        self.find_engine(level).map_or(Limits::default(), |(.., limits)| *limits)
    }

    /// Returns an engine with its description and its default limits.
    fn find_engine(&self, level: EngineKind) -> Option<&(EngineKind, &'static str, Limits)> {
        self.engine_list().engines.iter().find(|(kind, ..)| *kind == level)
    }

    /// Returns the requested board with all its settings.
    ///
    /// # Errors
    /// Returns an error if a setting is unknown or invalid; the error says what would be valid.
    pub fn resolve_board(&self, variant: &Variant) -> Result<BoardConfig, BoardSetupError> {
        if let Some(key) = variant.keys().find(|key| self.find_setting(key).is_none()) {
            return Err(self.unknown_setting_error(key));
        }
        let (width, height) = self.resolve_size(variant)?;
        let mut chosen = BoardConfig { width, height, values: Vec::new() };
        for setting in self.settings {
            let got = variant.value(setting.key);
            let value = match &setting.kind {
                SettingKind::Size(_) => continue,
                SettingKind::Switch { default } => usize::from(match got {
                    None => *default,
                    Some("on") => true,
                    Some("off") => false,
                    Some(got) => return Err(BoardSetupError::invalid_value(setting, got)),
                }),
                SettingKind::Number { range, default, .. } => {
                    let value = got.map_or(Ok(default(width)), |got| parse_count(got).ok_or(got));
                    let value = value.map_err(|got| BoardSetupError::invalid_value(setting, got))?;
                    let range = range(width);
                    if !range.contains(&value) {
                        let allowed = format!("{} to {}", range.start(), range.end());
                        return Err(self.out_of_range_error(setting, value.to_string(), allowed));
                    }
                    value
                }
            };
            chosen.values.push((setting, value));
        }
        Ok(chosen)
    }

    /// Returns the columns and rows of the requested board.
    fn resolve_size(&self, variant: &Variant) -> Result<(usize, usize), BoardSetupError> {
        let (sizes, setting) =
            (self.board_sizes(), self.find_setting(SIZE_KEY).expect("every game has a size"));
        let Some(got) = variant.value(SIZE_KEY) else { return Ok((sizes.default, sizes.default)) };
        let (width, height) =
            parse_board_size(got).ok_or_else(|| BoardSetupError::invalid_value(setting, got))?;
        let (is_there, allowed) = match &sizes.studies {
            Some(all) if variant.is_study => {
                let allowed = format!("columns x rows, {} to {} each", all.start(), all.end());
                (all.contains(&width) && all.contains(&height), allowed)
            }
            _ if width == height => (sizes.all_sizes().any(|size| size == width), sizes.describe_allowed()),
            _ => (false, format!("square, {}", sizes.describe_allowed())),
        };
        if is_there {
            Ok((width, height))
        } else {
            Err(self.out_of_range_error(setting, got.to_owned(), allowed))
        }
    }

    /// Returns the error for a value outside the allowed range.
    fn out_of_range_error(
        &self,
        setting: &'static GameSetting,
        got: String,
        allowed: String,
    ) -> BoardSetupError {
        BoardSetupError::OutOfRange { game: self.name, key: setting.key, got, allowed }
    }

    /// Returns the error for a setting that the game does not have.
    fn unknown_setting_error(&self, key: &str) -> BoardSetupError {
        let flag =
            self.game_list().iter().find_map(|entry| entry.find_setting(key)).map(|setting| setting.flag);
        let (keys, flags) = self.settings.iter().map(|own| (own.key, own.flag)).unzip();
        BoardSetupError::NoSuchSetting {
            game: self.name,
            key: Refusal::sanitize_excerpt(key),
            flag,
            keys,
            flags,
        }
    }

    /// Returns the first position on the requested board.
    ///
    /// # Errors
    /// Returns the errors of [`RegisteredGame::resolve_board`].
    pub fn start_position(&self, variant: &Variant) -> Result<Arc<dyn Position>, BoardSetupError> {
        self.resolve_board(variant).map(|chosen| (self.open)(&chosen))
    }

    /// Returns a position that is set up on the requested board. It may be over already.
    ///
    /// # Errors
    /// Returns the errors of [`RegisteredGame::resolve_board`], and an error if the position is not allowed.
    pub fn set_up_position(
        &self,
        variant: &Variant,
        setup: &PositionSetup,
    ) -> Result<Arc<dyn Position>, BoardSetupError> {
        Ok((self.set_up)(&self.resolve_board(variant)?, setup)?)
    }

    /// Reports whether a text has the form of a position of this game.
    pub(crate) fn accepts_position_text(&self, text: &str) -> bool {
        (self.read_setup)(text).is_ok()
    }

    /// Returns a game before its first move.
    ///
    /// # Errors
    /// Returns the errors of [`RegisteredGame::resolve_board`].
    pub fn new_history(&self, variant: &Variant) -> Result<PositionHistory, BoardSetupError> {
        self.start_position(variant).map(PositionHistory::new)
    }

    /// Parses a game in progress from a line with settings, a colon and moves, the format of benchmarks and
    /// lessons; `None` if the line is invalid.
    #[must_use]
    pub fn parse_game_line(&self, line: &str) -> Option<PositionHistory> {
        let (settings, moves) = line.split_once(':')?;
        let mut history = self.new_history(&Variant::parse(settings)).ok()?;
        moves.split_whitespace().all(|text| history.play(text).is_ok()).then_some(history)
    }

    /// Returns the positions that illustrate the rules, each with its explanation.
    #[must_use]
    pub fn lesson_positions(&self) -> Vec<(Arc<dyn Position>, &'static str)> {
        let position = |lesson: &RuleLesson| {
            Some((self.parse_game_line(lesson.position)?.current().clone(), lesson.text))
        };
        self.lessons.iter().filter_map(position).collect()
    }

    /// Returns the level that menus preselect: level 2, or the default level if there is no level 2.
    #[must_use]
    pub fn initial_menu_level(&self) -> EngineKind {
        self.check_level(EngineKind::Level(2)).unwrap_or_else(|_| self.default_level())
    }

    /// Returns a [`Playout`] for successive self-play games on one board.
    ///
    /// # Errors
    /// Returns the errors of [`RegisteredGame::resolve_board`].
    pub fn new_playout(&self, variant: &Variant) -> Result<Box<dyn Playout>, BoardSetupError> {
        self.resolve_board(variant).map(|chosen| (self.playout)(&chosen))
    }

    /// Returns the value of a setting on the requested board; `None` if the board or the setting does not
    /// exist.
    #[must_use]
    pub fn resolved_setting(&self, variant: &Variant, key: &str) -> Option<String> {
        self.resolve_board(variant).ok()?.format_setting(key)
    }
}

/// Start of a game: the game, its board and its first position.
///
/// ```
/// use crosspath::registry::{GameStart, Variant, find_game};
/// let start = GameStart::from_position_text(find_game("hex")?, Variant::of_size(5), "b4 c3 / d2 / 2")?;
/// let game = start.position()?;
/// assert_eq!((game.plies(), game.legal_move_count()), (0, 22));
/// assert_eq!(game.position_text().as_deref(), Some("c3 b4 / d2 / 2 / 5"));
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameStart {
    /// Entry of the game.
    pub entry: &'static RegisteredGame,
    /// Settings of the board.
    pub variant: Variant,
    /// Set-up of the first position, if it is not the usual one.
    pub setup: Option<PositionSetup>,
}

impl GameStart {
    /// Creates the usual start on this board.
    #[must_use]
    pub fn new(entry: &'static RegisteredGame, variant: Variant) -> Self {
        GameStart { entry, variant, setup: None }
    }

    /// Creates a start from the one-line text of a position, on a board of the size that it names.
    ///
    /// # Errors
    /// Returns the errors of [`RegisteredGame::set_up_position`], and an error if the text is not a position or
    /// its size differs from the requested one.
    pub fn from_position_text(
        entry: &'static RegisteredGame,
        mut variant: Variant,
        text: &str,
    ) -> Result<Self, BoardSetupError> {
        let (setup, size) = (entry.read_setup)(text)?;
        if let Some(size) = size {
            let asked = variant
                .value(SIZE_KEY)
                .is_some()
                .then(|| entry.resolved_setting(&variant, SIZE_KEY))
                .flatten();
            variant.set_setting(SIZE_KEY, size);
            let there = entry.resolve_board(&variant)?.format_setting(SIZE_KEY);
            if let Some(asked) = asked.filter(|asked| Some(asked) != there.as_ref()) {
                let there = there.unwrap_or_default();
                let why = format!("the position is one of size {there}, not {asked}");
                return Err(BadSetup::new("size", why).into());
            }
        }
        let start = GameStart { entry, variant, setup: Some(setup) };
        start.position().map(|_| start)
    }

    /// Returns the first position.
    ///
    /// # Errors
    /// Returns the errors of [`RegisteredGame::set_up_position`], and an error if the game is already over in the
    /// first position.
    pub fn position(&self) -> Result<Arc<dyn Position>, BoardSetupError> {
        let Some(setup) = &self.setup else { return self.entry.start_position(&self.variant) };
        let position = self.entry.set_up_position(&self.variant, setup)?;
        let Some(outcome) = position.outcome() else { return Ok(position) };
        let how = position.describe_ending().map(crate::text::Text::into_string).unwrap_or_default();
        let why = match outcome.winner() {
            Some(side) => format!("it is already over ({} {how})", position.side_name(side)),
            None => format!("it is already a draw ({how})"),
        };
        Err(BadSetup::new("position", why).into())
    }
}

/// Returns the settings of these games, each key once.
pub fn distinct_settings(games: &'static [RegisteredGame]) -> impl Iterator<Item = &'static GameSetting> {
    let mut known = BTreeSet::new();
    games.iter().flat_map(|entry| entry.settings).filter(move |setting| known.insert(setting.key))
}

/// Visitor that gets each game with its concrete type, for tests that need more than a [`Position`].
pub trait GameVisitor {
    /// Visits one game.
    fn visit_game<G: Playable>(&mut self, entry: &'static RegisteredGame);
}

/// Defines [`GAMES`] and [`visit_all_games`] from one list, so that each game is listed once.
macro_rules! games {
    ($($game:path),*) => {
        /// All games, in the order of the menu.
        pub static GAMES: &[RegisteredGame] = &GAME_ENTRIES;
        static GAME_ENTRIES: [RegisteredGame; [$(stringify!($game)),*].len()] = [$(RegisteredGame::for_game::<$game>(|| GAMES)),*];

        /// Visits every game, in the order of the menu.
        pub fn visit_all_games(visitor: &mut impl GameVisitor) {
            let mut entries = GAMES.iter();
            $(visitor.visit_game::<$game>(entries.next().expect("as many entries as games"));)*
        }
    };
}

games!(TicTacToe, Hex, Quoridor);

/// Returns the names of these games.
#[must_use]
pub fn game_names(games: &[RegisteredGame]) -> Vec<&'static str> {
    games.iter().map(|entry| entry.name).collect()
}

/// Returns the game with this name or alias from a list, ignoring case.
///
/// # Errors
/// Returns an error if there is none; the error lists the games.
pub(crate) fn find_game_in(
    games: &'static [RegisteredGame],
    name: &str,
) -> Result<&'static RegisteredGame, BoardSetupError> {
    let is_called = |entry: &&RegisteredGame| {
        entry.name.eq_ignore_ascii_case(name)
            || entry.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    let found = games.iter().find(is_called);
    found.ok_or_else(|| BoardSetupError::NoSuchGame {
        got: Refusal::sanitize_excerpt(name),
        games: game_names(games),
    })
}

/// Returns the game with this name or alias from [`GAMES`], ignoring case.
///
/// # Errors
/// Returns an error if there is none; the error lists the games.
pub fn find_game(name: &str) -> Result<&'static RegisteredGame, BoardSetupError> {
    find_game_in(GAMES, name)
}
