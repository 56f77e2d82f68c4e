//! The games there are: one entry each. Everything above finds a game here by its name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::ai::{EngineKind, GameEngines, Limits, NoSuchLevel};
use crate::game::{
    About, BadSetup, BoardConfig, Describe, Refusal, RuleLesson, SIZE, Setting, SettingKind, Setup,
};
use crate::games::hex::Hex;
use crate::games::quoridor::Quoridor;
use crate::games::tictactoe::TicTacToe;
use crate::session::{History, Playable, Playout, PlayoutOf, Position, TypedPosition};

/// The settings of a board as they are asked for, in text; what is not named has the game's default.
///
/// ```
/// use crosspath::registry::{Variant, find};
/// let small = Variant::of_size(4).with("win-length", 3);
/// assert_eq!(small, Variant::read("size=4 win-length=3"));
/// assert_eq!(find("ttt")?.setting(&Variant::of_size(4), "win-length").as_deref(), Some("4"));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    given: BTreeMap<String, String>,
    is_study: bool,
}

impl Variant {
    /// A board with this many cells on a side.
    #[must_use]
    pub fn of_size(size: usize) -> Self {
        Variant::default().with(SIZE, size)
    }

    /// Adds a setting to the board.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Display) -> Self {
        self.set(key, value);
        self
    }

    /// Settings as a record's header has them: `size=4 win-length=3`.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let words = text.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")));
        words.fold(Variant::default(), |variant, (key, value)| variant.with(key, value))
    }

    /// Marks the board as one to be studied and not played. Some games allow more boards then.
    pub(crate) fn studied(self) -> Self {
        Variant { is_study: true, ..self }
    }

    /// The keys that are named.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// The value of a setting, if it is named.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.given.get(key).map(String::as_str)
    }

    /// Names a setting. Whether there is such a board is asked by [`Entry::choose`].
    pub fn set(&mut self, key: &str, value: impl Display) {
        self.given.insert(key.to_owned(), value.to_string());
    }
}

/// Returns the settings of a board as JSON has them: numbers, and true or false for on and off.
#[must_use]
pub(crate) fn settings_in_json(settings: &[(&'static str, String)]) -> Map<String, Value> {
    let value = |text: &str| match text {
        "on" => true.into(),
        "off" => false.into(),
        text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
    };
    settings.iter().map(|(key, text)| ((*key).to_owned(), value(text))).collect()
}

/// A count as people write it: digits only. One too large for this machine is the largest there is.
fn count(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX))
}

/// Files and ranks; one number stands for both.
fn files_and_ranks(text: &str) -> Option<(usize, usize)> {
    match text.split_once('x') {
        Some((width, height)) => count(width).zip(count(height)),
        None => count(text).map(|size| (size, size)),
    }
}

/// Why a board cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game has this name.
    #[error("there is no game {got:?}; games are {}", games.join(", "))]
    NoSuchGame {
        /// The text that was given.
        got: String,
        /// The games there are.
        games: Vec<&'static str>,
    },
    /// The game has no such setting.
    #[error("{game} has no setting {key}; it has {}", keys.join(", "))]
    NoSuchSetting {
        /// The game.
        game: &'static str,
        /// The text that was given.
        key: String,
        /// Its flag, if another game has it.
        flag: Option<&'static str>,
        /// The settings of the game.
        keys: Vec<&'static str>,
        /// Their flags.
        flags: Vec<&'static str>,
    },
    /// The value is none of its kind.
    #[error("{key} {got:?} is {fault}")]
    NotAValue {
        /// The setting.
        key: &'static str,
        /// The text that was given.
        got: String,
        /// The fault: `not a whole number`, `neither on nor off`.
        fault: &'static str,
    },
    /// The value is outside what the game can do.
    #[error("{key} {got} is not possible for {game}; it must be {allowed}")]
    OutOfRange {
        /// The game.
        game: &'static str,
        /// The setting.
        key: &'static str,
        /// The text that was given.
        got: String,
        /// A description of values that are right, such as `1 to 10`.
        allowed: String,
    },
    /// No game can begin from the position.
    #[error("no game can begin from this position: {0}")]
    Position(#[from] BadSetup),
}

impl OpenError {
    fn not_a_value(setting: &Setting, got: &str) -> Self {
        let is_switch = matches!(setting.kind, SettingKind::Switch { .. });
        let fault = if is_switch { "neither on nor off" } else { "not a whole number" };
        OpenError::NotAValue { key: setting.key, got: Refusal::shown(got), fault }
    }

    /// The message where the setting was given as a flag.
    pub(crate) fn as_flag(&self) -> String {
        match self {
            OpenError::NoSuchSetting { game, flag: Some(flag), flags, .. } => {
                format!("{game} has no option --{flag}; it takes --{}", flags.join(", --"))
            }
            OpenError::Position(bad) => format!("--position: {bad}"),
            _ => format!("--{self}"),
        }
    }
}

/// The engines of a game, and which of them it uses for what.
#[derive(Clone, Debug)]
struct EngineList {
    /// Every engine, how it plays, and where its searches end.
    engines: Vec<(EngineKind, &'static str, Limits)>,
    levels: Vec<EngineKind>,
    default_level: EngineKind,
    adviser: (EngineKind, Limits),
    reference: EngineKind,
    benched: Vec<(EngineKind, u64)>,
    tunable: &'static [&'static str],
}

/// Result of reading a set-up.
type SetUp<T> = Result<T, BadSetup>;

/// A set-up, and the size of its board where that is named.
type SetupOfSize = (Setup, Option<String>);

/// One game: what it says about itself, its engines, and its first position.
#[derive(Clone, Debug)]
pub struct Entry {
    about: &'static About,
    games: fn() -> &'static [Entry],
    open: fn(&BoardConfig) -> Arc<dyn Position>,
    set_up: fn(&BoardConfig, &Setup) -> SetUp<Arc<dyn Position>>,
    read_setup: fn(&str) -> SetUp<SetupOfSize>,
    playout: fn(&BoardConfig) -> Box<dyn Playout>,
    list_engines: fn() -> EngineList,
    /// The list, once somebody has asked.
    engine_list: OnceLock<EngineList>,
}

impl Deref for Entry {
    type Target = About;

    fn deref(&self) -> &About {
        self.about
    }
}

impl Entry {
    /// The entry of a game in the list that `games` gives.
    #[must_use]
    pub const fn of<G: Playable>(games: fn() -> &'static [Entry]) -> Self {
        Entry {
            about: G::ABOUT,
            games,
            open: |chosen| Arc::new(TypedPosition::<G>::new(chosen)),
            set_up: |chosen, setup| Ok(Arc::new(TypedPosition::<G>::from_setup(chosen, setup)?)),
            read_setup: <G as Describe>::read_setup,
            playout: |chosen| Box::new(PlayoutOf::<G>::new(chosen)),
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

    fn engine_list(&self) -> &EngineList {
        self.engine_list.get_or_init(self.list_engines)
    }

    /// Returns this game as an entry of another list.
    #[must_use]
    pub fn listed_in(&self, games: fn() -> &'static [Entry]) -> Self {
        Entry { games, ..self.clone() }
    }

    /// The list in which it stands.
    #[must_use]
    pub fn games(&self) -> &'static [Entry] {
        (self.games)()
    }

    /// The levels, weakest first, `classic` in front.
    #[must_use]
    pub fn levels(&self) -> &[EngineKind] {
        &self.engine_list().levels
    }

    /// This level, or this engine, if the game has it.
    ///
    /// # Errors
    /// Names the levels there are.
    pub fn check_level(&self, level: EngineKind) -> Result<EngineKind, NoSuchLevel> {
        let error = || NoSuchLevel { got: level.to_string(), levels: self.levels().to_vec() };
        self.about_engine(level).map(|_| level).ok_or_else(error)
    }

    /// The strongest level.
    ///
    /// # Panics
    /// If the game has no level.
    #[must_use]
    pub fn strongest(&self) -> EngineKind {
        *self.levels().last().expect("every game has a level")
    }

    /// The level that plays unless another is asked for.
    #[must_use]
    pub fn default_level(&self) -> EngineKind {
        self.engine_list().default_level
    }

    /// The engine that gives hints, and where its searches end unless limits are asked for.
    #[must_use]
    pub fn adviser(&self) -> (EngineKind, Limits) {
        self.engine_list().adviser
    }

    /// The engine whose play never changes: it says which openings are balanced.
    #[must_use]
    pub fn reference(&self) -> EngineKind {
        self.engine_list().reference
    }

    /// The engines that the bench measures, with how many positions a search.
    #[must_use]
    pub fn benched(&self) -> &[(EngineKind, u64)] {
        &self.engine_list().benched
    }

    /// The constants of the engine `net` that are numbers and can be given; none where there is no such engine.
    #[must_use]
    pub fn tunable(&self) -> &'static [&'static str] {
        self.engine_list().tunable
    }

    /// Describes the play of a level in a sentence; `None` if there is no such level.
    #[must_use]
    pub fn about_level(&self, level: EngineKind) -> Option<&'static str> {
        self.about_engine(level).map(|(_, about, _)| *about)
    }

    /// Where the searches of a level end unless limits are asked for.
    #[must_use]
    pub fn limits_of(&self, level: EngineKind) -> Limits {
        self.about_engine(level).map_or(Limits::default(), |(.., limits)| *limits)
    }

    fn about_engine(&self, level: EngineKind) -> Option<&(EngineKind, &'static str, Limits)> {
        self.engine_list().engines.iter().find(|(kind, ..)| *kind == level)
    }

    /// The board that is asked for, with every setting.
    ///
    /// # Errors
    /// Says which setting is wrong and what would be right.
    pub fn choose(&self, variant: &Variant) -> Result<BoardConfig, OpenError> {
        if let Some(key) = variant.keys().find(|key| self.setting_of(key).is_none()) {
            return Err(self.has_no(key));
        }
        let (width, height) = self.size_of(variant)?;
        let mut chosen = BoardConfig { width, height, values: Vec::new() };
        for setting in self.settings {
            let got = variant.value(setting.key);
            let value = match &setting.kind {
                SettingKind::Size(_) => continue,
                SettingKind::Switch { default } => usize::from(match got {
                    None => *default,
                    Some("on") => true,
                    Some("off") => false,
                    Some(got) => return Err(OpenError::not_a_value(setting, got)),
                }),
                SettingKind::Number { range, default, .. } => {
                    let value = got.map_or(Ok(default(width)), |got| count(got).ok_or(got));
                    let value = value.map_err(|got| OpenError::not_a_value(setting, got))?;
                    let range = range(width);
                    if !range.contains(&value) {
                        let allowed = format!("{} to {}", range.start(), range.end());
                        return Err(self.out_of_range(setting, value.to_string(), allowed));
                    }
                    value
                }
            };
            chosen.values.push((setting, value));
        }
        Ok(chosen)
    }

    fn size_of(&self, variant: &Variant) -> Result<(usize, usize), OpenError> {
        let (sizes, setting) = (self.sizes(), self.setting_of(SIZE).expect("every game has a size"));
        let Some(got) = variant.value(SIZE) else { return Ok((sizes.default, sizes.default)) };
        let (width, height) = files_and_ranks(got).ok_or_else(|| OpenError::not_a_value(setting, got))?;
        let (is_there, allowed) = match &sizes.studies {
            Some(all) if variant.is_study => {
                let allowed = format!("columns x rows, {} to {} each", all.start(), all.end());
                (all.contains(&width) && all.contains(&height), allowed)
            }
            _ if width == height => (sizes.all().any(|size| size == width), sizes.allowed()),
            _ => (false, format!("square, {}", sizes.allowed())),
        };
        if is_there { Ok((width, height)) } else { Err(self.out_of_range(setting, got.to_owned(), allowed)) }
    }

    fn out_of_range(&self, setting: &'static Setting, got: String, allowed: String) -> OpenError {
        OpenError::OutOfRange { game: self.name, key: setting.key, got, allowed }
    }

    /// The error for a setting that is not this game's.
    fn has_no(&self, key: &str) -> OpenError {
        let flag = self.games().iter().find_map(|entry| entry.setting_of(key)).map(|setting| setting.flag);
        let (keys, flags) = self.settings.iter().map(|own| (own.key, own.flag)).unzip();
        OpenError::NoSuchSetting { game: self.name, key: Refusal::shown(key), flag, keys, flags }
    }

    /// The first position of a game.
    ///
    /// # Errors
    /// As [`Entry::choose`].
    pub fn start(&self, variant: &Variant) -> Result<Arc<dyn Position>, OpenError> {
        self.choose(variant).map(|chosen| (self.open)(&chosen))
    }

    /// The position that is set up. Whether the game is already over there is not asked.
    ///
    /// # Errors
    /// As [`Entry::choose`]; also if the pieces cannot stand there.
    pub fn start_from(&self, variant: &Variant, setup: &Setup) -> Result<Arc<dyn Position>, OpenError> {
        Ok((self.set_up)(&self.choose(variant)?, setup)?)
    }

    /// Reports whether a text has the form of a position of this game.
    pub(crate) fn reads_position(&self, text: &str) -> bool {
        (self.read_setup)(text).is_ok()
    }

    /// A game before its first move.
    ///
    /// # Errors
    /// As [`Entry::choose`].
    pub fn history(&self, variant: &Variant) -> Result<History, OpenError> {
        self.start(variant).map(History::new)
    }

    /// A game in progress, from a line with settings, a colon and moves, as the bench and the lessons have it; `None` if
    /// it is not such a line.
    #[must_use]
    pub fn history_of(&self, line: &str) -> Option<History> {
        let (settings, moves) = line.split_once(':')?;
        let mut history = self.history(&Variant::read(settings)).ok()?;
        moves.split_whitespace().all(|text| history.play(text).is_ok()).then_some(history)
    }

    /// Returns the pictures of the rules: each position with what it shows.
    #[must_use]
    pub fn lesson_positions(&self) -> Vec<(Arc<dyn Position>, &'static str)> {
        let position =
            |lesson: &RuleLesson| Some((self.history_of(lesson.position)?.now().clone(), lesson.text));
        self.lessons.iter().filter_map(position).collect()
    }

    /// Returns the level at which menus begin: the second one, where the game has it.
    #[must_use]
    pub fn first_level(&self) -> EngineKind {
        self.check_level(EngineKind::Level(2)).unwrap_or_else(|_| self.default_level())
    }

    /// Games in a row on one board, for self-play.
    ///
    /// # Errors
    /// As [`Entry::choose`].
    pub fn playout(&self, variant: &Variant) -> Result<Box<dyn Playout>, OpenError> {
        self.choose(variant).map(|chosen| (self.playout)(&chosen))
    }

    /// Returns the value of a setting on the board that is asked for; `None` if there is no such board or setting.
    #[must_use]
    pub fn setting(&self, variant: &Variant, key: &str) -> Option<String> {
        self.choose(variant).ok()?.text(key)
    }
}

/// Start of a game: the game, its board and its first position.
///
/// ```
/// use crosspath::registry::{GameStart, Variant, find};
/// let start = GameStart::of_text(find("hex")?, Variant::of_size(5), "b4 c3 / d2 / 2")?;
/// let game = start.position()?;
/// assert_eq!((game.plies(), game.legal_count()), (0, 22));
/// assert_eq!(game.position_text().as_deref(), Some("c3 b4 / d2 / 2 / 5"));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameStart {
    /// The game.
    pub entry: &'static Entry,
    /// Its board.
    pub variant: Variant,
    /// The position in place of the usual one.
    pub setup: Option<Setup>,
}

impl GameStart {
    /// The usual beginning on this board.
    #[must_use]
    pub fn new(entry: &'static Entry, variant: Variant) -> Self {
        GameStart { entry, variant, setup: None }
    }

    /// The beginning that the one-line text of a position names, on the board of that size.
    ///
    /// # Errors
    /// As [`Entry::start_from`]; also if the text is no position, or one of another size.
    pub fn of_text(entry: &'static Entry, mut variant: Variant, text: &str) -> Result<Self, OpenError> {
        let (setup, size) = (entry.read_setup)(text)?;
        if let Some(size) = size {
            let asked = variant.value(SIZE).is_some().then(|| entry.setting(&variant, SIZE)).flatten();
            variant.set(SIZE, size);
            let there = entry.choose(&variant)?.text(SIZE);
            if let Some(asked) = asked.filter(|asked| Some(asked) != there.as_ref()) {
                let there = there.unwrap_or_default();
                let why = format!("the position is one of size {there}, not {asked}");
                return Err(BadSetup::new("size", why).into());
            }
        }
        let start = GameStart { entry, variant, setup: Some(setup) };
        start.position().map(|_| start)
    }

    /// The first position.
    ///
    /// # Errors
    /// As [`Entry::start_from`]; also if the game is already over there.
    pub fn position(&self) -> Result<Arc<dyn Position>, OpenError> {
        let Some(setup) = &self.setup else { return self.entry.start(&self.variant) };
        let position = self.entry.start_from(&self.variant, setup)?;
        let Some(outcome) = position.outcome() else { return Ok(position) };
        let how = position.ending().map(crate::text::Text::into_string).unwrap_or_default();
        let why = match outcome.winner() {
            Some(side) => format!("it is already over ({} {how})", position.side_name(side)),
            None => format!("it is already a draw ({how})"),
        };
        Err(BadSetup::new("position", why).into())
    }
}

/// The settings of some games, each key once.
pub fn settings(games: &'static [Entry]) -> impl Iterator<Item = &'static Setting> {
    let mut known = BTreeSet::new();
    games.iter().flat_map(|entry| entry.settings).filter(move |setting| known.insert(setting.key))
}

/// Is shown every game with its own types, for tests that need more than a [`Position`].
pub trait Visitor {
    /// Called once a game.
    fn visit<G: Playable>(&mut self, entry: &'static Entry);
}

/// Builds [`GAMES`] and [`visit`] from one list, so that a game is enrolled once.
macro_rules! games {
    ($($game:path),*) => {
        /// Every game, in the order of the menu.
        pub static GAMES: &[Entry] = &ENTRIES;
        static ENTRIES: [Entry; [$(stringify!($game)),*].len()] = [$(Entry::of::<$game>(|| GAMES)),*];

        /// Shows every game to a visitor.
        pub fn visit(visitor: &mut impl Visitor) {
            let mut entries = GAMES.iter();
            $(visitor.visit::<$game>(entries.next().expect("as many entries as games"));)*
        }
    };
}

games!(TicTacToe, Hex, Quoridor);

/// The names of some games.
#[must_use]
pub fn names(games: &[Entry]) -> Vec<&'static str> {
    games.iter().map(|entry| entry.name).collect()
}

/// The game of that name or alias in a list, in any letter case.
///
/// # Errors
/// Names the games there are.
pub(crate) fn find_in(games: &'static [Entry], name: &str) -> Result<&'static Entry, OpenError> {
    let is_called = |entry: &&Entry| {
        entry.name.eq_ignore_ascii_case(name)
            || entry.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    let found = games.iter().find(is_called);
    found.ok_or_else(|| OpenError::NoSuchGame { got: Refusal::shown(name), games: names(games) })
}

/// The game of that name or alias among [`GAMES`].
///
/// # Errors
/// Names the games if there is no such one.
pub fn find(name: &str) -> Result<&'static Entry, OpenError> {
    find_in(GAMES, name)
}
