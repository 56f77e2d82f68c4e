//! The options for playing, on the command line and in the config file, and options shared with
//! commands.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use serde::Deserialize;

use super::values;
use crate::ai::{MAX_ENGINE_MEMORY_MIB, MAX_ENGINE_THREADS, parse_duration};
use crate::play::TimeControl;
use crate::registry::Variant;
use crate::ui::tui::{CustomTheme, Preferences, Theme};

/// Options of playing: from the command line, or from the config file under the same names.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct PlayArgs {
    /// 1 human vs engine, 2 human vs human, 3 replay FILE, 4 engine vs engine
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    #[serde(deserialize_with = "values::deserialize_text")]
    pub mode: Option<String>,
    /// Game
    #[arg(long, value_name = "GAME")]
    #[serde(deserialize_with = "values::deserialize_text")]
    pub game: Option<String>,
    /// Strength of the engine
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    #[serde(deserialize_with = "values::deserialize_text")]
    pub level: Option<String>,
    /// Your side
    #[arg(long, value_name = "SIDE", value_enum)]
    #[serde(deserialize_with = "values::deserialize_choice")]
    pub play_as: Option<PlayAsArg>,
    /// Continue the last unfinished game
    #[arg(long = "continue", conflicts_with_all = ["file", "mode", "game", "level", "play_as", "seed", "json", "nodes", "depth", "movetime", "cpu_time", "time"])]
    #[serde(skip)]
    pub goes_on: bool,
    /// Analysis board: try moves for both sides; FILE opens a game in it
    #[arg(long, conflicts_with_all = ["mode", "goes_on", "engine", "play_as", "time"])]
    #[serde(skip)]
    pub analyze: bool,
    /// Engine: level:K, lookahead, net, net:FILE, an external 'gtp:PROGRAM ARGUMENTS', qtp: or ep5:, or
    /// self:PATH;level:K for another build of crosspath
    #[arg(long, value_name = "SPEC", conflicts_with = "level")]
    #[serde(deserialize_with = "values::deserialize_text")]
    pub engine: Option<String>,
    /// Hex, Quoridor: use the network in FILE instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    #[serde(deserialize_with = "values::deserialize_text")]
    pub net: Option<String>,
    /// Begin from this position: for Quoridor '- / - / e1 e9 / 10 10 / 1', else stones as 'b4 c3 / d2 / 1'
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["file", "goes_on"])]
    #[serde(skip)]
    pub position: Option<String>,
    /// Read the Nth game of a file that holds several
    #[arg(long, value_name = "N", requires = "file")]
    #[serde(skip)]
    pub game_number: Option<usize>,
    /// Random seed; the same seed repeats the game
    #[arg(long, value_name = "U64")]
    #[serde(skip)]
    pub seed: Option<u64>,
    /// Limits of the engines' searches.
    #[command(flatten)]
    #[serde(flatten)]
    pub limits: LimitArgs,
    /// Resources of the engines.
    #[command(flatten)]
    #[serde(flatten)]
    pub resources: ResourceArgs,
    /// Show the statistics of each search
    #[arg(long)]
    #[serde(deserialize_with = "values::deserialize_switch")]
    pub stats: bool,
    /// Longest wait for an answer from an external engine, such as 30s [default: 5 minutes; in games with a
    /// person, 1s after the end of the input]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[serde(deserialize_with = "values::deserialize_time")]
    pub response_timeout: Option<Duration>,
    /// Time per player, and increment per move, such as 5m+3s or 90s
    #[arg(long, value_name = "TIME")]
    #[serde(deserialize_with = "values::deserialize_time_control")]
    pub time: Option<TimeControl>,
    /// When time runs out [default: loss]
    #[arg(long, value_name = "WHAT", value_enum, requires = "time")]
    #[serde(deserialize_with = "values::deserialize_choice")]
    pub time_over: Option<TimeOverArg>,
    /// Use line mode instead of the full screen
    #[arg(long)]
    #[serde(deserialize_with = "values::deserialize_switch")]
    pub plain: bool,
    /// Use line mode without boards, for screen readers
    #[arg(long, conflicts_with_all = ["tui", "json"])]
    #[serde(deserialize_with = "values::deserialize_switch")]
    pub words: bool,
    /// Use the full screen, or fail without a terminal
    #[arg(long, conflicts_with_all = ["plain", "json"])]
    #[serde(deserialize_with = "values::deserialize_switch")]
    pub tui: bool,
    /// Use colours [default: auto]
    #[arg(long, value_name = "WHEN", value_enum)]
    #[serde(deserialize_with = "values::deserialize_choice")]
    pub color: Option<ColorWhen>,
    /// Characters of the board [default: auto]
    #[arg(long, value_name = "SET", value_enum)]
    #[serde(deserialize_with = "values::deserialize_choice")]
    pub glyphs: Option<GlyphsArg>,
    /// Colours of the full screen [default: auto]
    #[arg(long, value_name = "NAME", value_parser = ThemeNameParser)]
    #[serde(deserialize_with = "values::deserialize_text")]
    pub theme: Option<String>,
    /// Draw the boards of the full screen in tiles [default: auto]
    #[arg(long, value_name = "WHEN", value_enum)]
    #[serde(deserialize_with = "values::deserialize_choice")]
    pub tiles: Option<TilesMode>,
    /// Let nothing on the board move by itself
    #[arg(long)]
    #[serde(skip)]
    pub no_motion: bool,
    /// Use the mouse in the full screen [default: on]
    #[arg(long, value_name = "ON|OFF", value_enum)]
    #[serde(deserialize_with = "values::deserialize_choice")]
    pub mouse: Option<OnOffSwitch>,
    /// Play one game as JSON, one object per line
    #[arg(long)]
    #[serde(skip)]
    pub json: bool,
    /// Treat an invalid mode or file as an error
    #[arg(long)]
    #[serde(deserialize_with = "values::deserialize_switch")]
    pub strict: bool,
    /// Append a log of events to FILE
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub log: Option<PathBuf>,
    /// Show where the config file and the saved games are
    #[arg(long)]
    #[serde(skip)]
    pub print_paths: bool,
    /// Move file to replay
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// Journal to resume if it is not the newest.
    #[arg(skip)]
    #[serde(skip)]
    pub journal: Option<PathBuf>,
    /// Other lines of the config file: settings of the games by their flags, and unknown ones.
    #[arg(skip)]
    #[serde(flatten)]
    pub(crate) others: BTreeMap<String, values::ConfigValue>,
    /// Settings of the config file that are not flags.
    #[arg(skip)]
    #[serde(skip)]
    pub settings: PlaySettings,
}

/// Preferences of the player that are not flags.
#[derive(Clone, Debug, Default)]
pub struct PlaySettings {
    /// `true` if the command line does not say what to play.
    pub asks: bool,
    /// `true` if only the config file names the engine; then it plays the games that it supports.
    pub engine_is_a_wish: bool,
    /// Preferences for playing.
    pub habits: Preferences,
    /// Themes of the config file.
    pub themes: &'static [CustomTheme],
    /// Sentences about problems with the config file.
    pub warnings: Vec<String>,
}

impl PlayArgs {
    /// Returns the options of the command line, completed with those of the config file.
    ///
    /// # Errors
    /// Returns an error if clap rejects the flags.
    pub(crate) fn override_config(matches: &ArgMatches, file: PlayArgs) -> Result<PlayArgs, clap::Error> {
        let PlayArgs { stats, plain, words, tui, strict, .. } = file;
        let mut play = file;
        play.update_from_arg_matches(matches)?;
        // clap turns a switch off if it is not given.
        play.stats |= stats;
        play.words |= words;
        play.plain |= plain || play.words;
        play.tui |= tui;
        play.strict |= strict;
        Ok(play)
    }

    /// Reports whether neither these options nor the settings of the board say what to play.
    pub(crate) fn is_unspecified(&self, board: &Variant) -> bool {
        let texts = [&self.mode, &self.game, &self.level, &self.engine, &self.position];
        let is_free = !self.goes_on
            && !self.analyze
            && self.play_as.is_none()
            && self.file.is_none()
            && *board == Variant::default();
        is_free && texts.iter().all(|text| text.is_none())
    }
}

/// When a search ends; what is given replaces the level's own limits.
#[derive(Clone, Copy, Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct LimitArgs {
    /// Positions searched per move
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "values::deserialize_number")]
    pub nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "values::deserialize_number")]
    pub depth: Option<u32>,
    /// Time per move, such as 500ms or 2s; a plain number is milliseconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[serde(deserialize_with = "values::deserialize_time")]
    pub movetime: Option<Duration>,
    /// CPU time per move, such as 150ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[serde(deserialize_with = "values::deserialize_time", rename = "cpu-time")]
    pub cpu_time: Option<Duration>,
}

impl From<LimitArgs> for crate::ai::Limits {
    fn from(LimitArgs { nodes, depth, movetime, cpu_time }: LimitArgs) -> Self {
        crate::ai::Limits { depth, nodes, time: movetime, cpu_time }
    }
}

/// Resources of the computer that the engines may use.
#[derive(Clone, Copy, Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct ResourceArgs {
    /// Search threads per move from level 4 (Hex, Quoridor), 1 to 256 [default: 1]; games repeat only with
    /// one thread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_ENGINE_THREADS)))]
    #[serde(deserialize_with = "values::deserialize_threads")]
    pub threads: Option<u16>,
    /// Size of the position cache, in MiB, up to 65536
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ENGINE_MEMORY_MIB)))]
    #[serde(deserialize_with = "values::deserialize_memory")]
    pub memory: Option<u32>,
}

impl From<ResourceArgs> for crate::ai::EngineResources {
    fn from(ResourceArgs { threads, memory }: ResourceArgs) -> Self {
        crate::ai::EngineResources { threads, memory_mib: memory }
    }
}

/// `--time-over`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TimeOverArg {
    /// The player loses
    #[default]
    Loss,
    /// The player only gets a warning
    Warning,
}

/// `--play-as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayAsArg {
    /// You move first
    First,
    /// The engine moves first
    Second,
    /// Drawn at random for each game
    Random,
}

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    #[value(help = "On a terminal, unless NO_COLOR is set")]
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OnOffSwitch {
    /// On
    #[default]
    On,
    /// Off
    Off,
}

/// `--tiles`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TilesMode {
    /// If the terminal shows at least 256 colours, and Unicode
    #[default]
    Auto,
    /// Also if the terminal does not say that it has 256 colours
    On,
    /// Never; boards are drawn in lines
    Off,
}

/// Parser of theme names. It offers the built-in themes; those of the config file are not known yet.
#[derive(Clone, Copy, Debug)]
struct ThemeNameParser;

impl TypedValueParser for ThemeNameParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, flag, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        let told = |theme: Theme| {
            let help = match theme {
                Theme::Auto => "Dark or light, to match the terminal's background",
                Theme::Dark => "Light text on a dark background",
                Theme::Light => "Dark text on a light background",
                Theme::ColourBlind => "Colours safe for colour blindness",
                Theme::Contrast => "White and bright colours on black",
                Theme::Mono => "Bold, dim and reverse only",
                Theme::Terminal | Theme::Own(_) => "The terminal's own 16 colours",
            };
            PossibleValue::new(theme.name()).help(help)
        };
        Some(Box::new(Theme::BUILT_IN.into_iter().map(told)))
    }
}

/// `--glyphs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GlyphsArg {
    /// Unicode if the locale is UTF-8
    #[default]
    Auto,
    /// Shapes and lines, for most terminals
    Unicode,
    /// Only characters that are one column wide everywhere
    Narrow,
    /// ASCII only
    Ascii,
}
