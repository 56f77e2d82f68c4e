//! The command line as clap types. Values that deserve better error messages than clap's are read as text.

mod groups;
mod saved;
mod shards;
mod tools;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};

use crate::ai::{MAX_MIB, MAX_THREADS, duration};
use crate::game::{Kind, Refusal, Setting};
use crate::play::TimeControl;
use crate::record::disk::Replace;
use crate::registry::{self, Entry, Variant};
use crate::ui::tui::{Habits, OwnTheme, Theme};

pub use saved::{End, Filter, Games, OnGame};
pub use shards::{Evaluator, Merge, Selfplay, Tune, Work};
pub use tools::{
    Arena, Convert, ConvertTo, Engine, Perft, Picture, PictureTheme, Protocol, Solve, SwapDialect,
};

const EXAMPLES: &str = "\
Examples:
  crosspath                                  the start menu, on a terminal
  crosspath --mode 1 --level 5               play against the engine at level 5
  crosspath --mode 2 --size 5                two players, 5x5 board
  crosspath --mode 3 examples/moves.txt      replay a game from a file
  crosspath --mode 4 --level 4 --seed 7      engine vs engine; the seed repeats the game
  crosspath --mode 1 --json                  for programs: one JSON object per line
  crosspath solve --game tic-tac-toe --size 4
  crosspath engine --protocol gtp            serve another program as an engine
  crosspath selfplay --game hex --games 100 --out games.shard
  crosspath tune --game hex --nodes 100 --parameter exploration=1,0.2,4,0.1,0.02 --out tuning
  crosspath work --job job.json --index 0 --count 4 --out 0.shard
  crosspath merge --job job.json --out games.shard 0.shard 1.shard 2.shard 3.shard
  crosspath picture examples/hex.txt --sheet --out sheet.svg
  crosspath completions bash > crosspath.bash

Exit codes:
  0 success, 1 run-time error, 2 usage error, 65 bad move file (--strict), 75 try again,\n  101 panic, 129/130/131/143 ended by a signal";

const CONVERT_EXAMPLES: &str = "\
Examples:
  crosspath convert examples/hex.txt --to sgf --out game.sgf
  crosspath convert game.sgf --to hexworld";

const PICTURE_EXAMPLES: &str = "\
Examples:
  crosspath picture game.txt --at 12 > board.svg
  crosspath picture game.txt --sheet --out sheet.svg
  crosspath picture --game hex --size 7 --moves \"d4 c5 e3\" --theme dark --out hex.svg";

/// Arguments of the program.
#[derive(Debug, Parser)]
#[command(
    name = "crosspath",
    version,
    after_long_help = EXAMPLES,
    after_help = "See crosspath --help for all options and examples.",
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// Command other than playing.
    #[command(subcommand)]
    pub action: Option<Action>,
    /// Game to play.
    #[command(flatten)]
    pub play: Play,
}

/// Commands other than playing.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Count the legal move sequences of each depth
    Perft(Perft),
    /// Find the exact value of a position and of each move
    Solve(Solve),
    /// Search fixed positions and print counts, speed and a signature
    Bench,
    /// Play a match or tournament between engines
    Arena(Box<Arena>),
    /// Play games of an engine against itself as training data
    Selfplay(Selfplay),
    /// Tune an engine's constants by self-play
    Tune(Tune),
    /// Run part of a job (same output on every machine)
    Work(Work),
    /// Merge the parts of a job
    Merge(Merge),
    /// Serve another program as an engine, over a text protocol
    Engine(Engine),
    /// Draw a position or a whole game as an SVG picture
    #[command(after_help = PICTURE_EXAMPLES)]
    Picture(Picture),
    /// Convert a game file to another format
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(Convert),
    /// List, view, resume, export or delete saved games
    Games(Games),
    /// Print a completion script for a shell
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// The modes, as `--mode` takes them.
pub(crate) const MODES: [&str; 4] = ["1", "2", "3", "4"];
/// The commands that take the settings of the games.
const ON_BOARDS: [&str; 8] = ["perft", "solve", "arena", "selfplay", "tune", "engine", "picture", "convert"];

/// The command line for these games: their names and settings stand in it.
pub fn command(games: &'static [Entry]) -> Command {
    let titles: Vec<&str> = games.iter().map(|entry| entry.title).collect();
    let command = Cli::command().about(format!("Play {} in the terminal", listed(&titles, "and")));
    let command = command.mut_subcommands(|command| {
        let is_on_board = ON_BOARDS.contains(&command.get_name());
        let command = if is_on_board { with_settings(command, games) } else { command };
        groups::grouped(command)
    });
    groups::grouped(with_settings(command, games))
}

/// Reads a command line for these games, with what it says about the board.
///
/// # Errors
/// What clap says about it; help and version are errors of this kind, too.
pub fn parse(
    games: &'static [Entry],
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(Cli, Variant), clap::Error> {
    Reader::new(games).read(arguments)
}

/// Reads command lines for the same games.
#[derive(Clone, Debug)]
pub struct Reader {
    games: &'static [Entry],
    command: Command,
}

impl Reader {
    /// A reader that refuses a flag that is given twice.
    #[must_use]
    pub fn new(games: &'static [Entry]) -> Self {
        Reader { games, command: command(games) }
    }

    /// A reader for which a flag that is given twice counts the second time.
    #[must_use]
    pub fn overriding(games: &'static [Entry]) -> Self {
        Reader { games, command: command(games).args_override_self(true) }
    }

    /// Whose command lines these are.
    #[must_use]
    pub fn games(&self) -> &'static [Entry] {
        self.games
    }

    /// Reads a command line, with what it says about the board.
    ///
    /// # Errors
    /// What clap says about it; help and version are errors of this kind, too.
    pub fn read(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<(Cli, Variant), clap::Error> {
        let mut arguments = normalize_args(arguments.into_iter().collect());
        if matches!(arguments.len(), 2 | 3) && arguments[1] == "help" {
            arguments.remove(1);
            arguments.push("--help".into());
        }
        let words: Vec<_> = arguments.iter().skip(1).map(Refusal::shown_path).collect();
        if let Some(why) = missing_flag(&words.iter().map(String::as_str).collect::<Vec<_>>(), self.games) {
            return Err(clap::Error::raw(clap::error::ErrorKind::UnknownArgument, why));
        }
        if let [file, more, ..] = &words[..]
            && [file, more].iter().all(|word| !word.starts_with('-'))
            && self.command.find_subcommand(file).is_none()
        {
            let why = format!("crosspath takes one file, {file}; remove {more}\n");
            return Err(clap::Error::raw(clap::error::ErrorKind::TooManyValues, why));
        }
        let matches = self.command.try_get_matches_from_mut(arguments)?;
        let of_board = match matches.subcommand() {
            Some((name, matches)) => Some(matches).filter(|_| ON_BOARDS.contains(&name)),
            None => Some(&matches),
        };
        let variant = of_board.map(|matches| variant(matches, self.games)).unwrap_or_default();
        Ok((Cli::from_arg_matches(&matches)?, variant))
    }

    /// Whether a flag of the config file, without its dashes, takes a value; `None` if the file cannot have it.
    pub(crate) fn takes_value(&self, flag: &str) -> Option<bool> {
        /// What is asked for once.
        const ONCE: [&str; 7] = ["continue", "print-paths", "json", "log", "seed", "help", "version"];
        let known = self.command.get_arguments().find(|known| known.get_long() == Some(flag));
        known.filter(|_| !ONCE.contains(&flag)).map(|known| known.get_action().takes_values())
    }
}

/// What to type where a mode or a game stands in front without its flag.
fn missing_flag(words: &[&str], games: &'static [Entry]) -> Option<String> {
    let is_plain = |word: &&str| !word.starts_with('-');
    let (what, more) = match words {
        [number, file, ..] if number.parse::<u64>().is_ok() && !MODES.contains(number) && is_plain(file) => {
            return Some(format!(
                "there is no mode {number}; modes are 1, 2, 3 and 4; for example: crosspath --mode 3 {file}\n"
            ));
        }
        ["mode", mode, ..] if MODES.contains(mode) => ("mode", words[1..].join(" ")),
        [mode, file] if MODES.contains(mode) && !file.starts_with('-') => ("mode", words.join(" ")),
        [game, ..] if registry::find_in(games, game).is_err() || Path::new(game).exists() => return None,
        [game, size, more @ ..] if size.starts_with(|c: char| c.is_ascii_digit()) => {
            ("game", [&[game, "--size", size], more].concat().join(" "))
        }
        [_, ..] => ("game", words.join(" ")),
        [] => return None,
    };
    Some(format!("a {what} needs its flag: crosspath --{what} {more}\n"))
}

/// Names in a sentence: `one, two or three`.
fn listed(names: &[&str], last_joined_by: &str) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} {last_joined_by} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Adds a flag for every setting, behind the game or the first flag.
fn with_settings(command: Command, games: &'static [Entry]) -> Command {
    let help_of_game = format!("Game: {}", listed(&registry::names(games), "or"));
    let mut strongest: Vec<String> = games.iter().map(|entry| entry.strongest().to_string()).collect();
    strongest.dedup();
    let default = if command.get_name() == "engine" { " [default: the strongest]" } else { "" };
    let strength = match strongest.as_slice() {
        [one] => format!("Strength: classic, or 1 (weakest) to {one} (strongest){default}"),
        _ => format!("Strength: classic, or a number from 1 (weakest) up{default}"),
    };
    let game = command.get_arguments().position(|known| known.get_id() == GAME).unwrap_or(0);
    let mut places = 0..;
    let command = command.mut_args(|flag| {
        let place = places.next().unwrap_or_default();
        let flag = flag.display_order(if place > game { place + ROOM } else { place });
        match flag.get_id().as_str() {
            GAME => flag.help(help_of_game.clone()),
            "level" => flag.help(strength.clone()),
            _ => flag,
        }
    });
    registry::settings(games).zip(game + 1..).fold(command, |command, (setting, place)| {
        let flag = Arg::new(setting.key).long(setting.flag).display_order(place);
        let flag = flag.help(help(setting, games));
        command.arg(match setting.kind {
            Kind::Switch { .. } => flag.action(ArgAction::SetTrue),
            _ => flag.value_name("N").allow_hyphen_values(true),
        })
    })
}

const GAME: &str = "game";
/// More than there are settings.
const ROOM: usize = 100;

/// What a flag does, with the games that have it in front unless all have it.
fn help(setting: &'static Setting, games: &'static [Entry]) -> String {
    let titles = |has: fn(&Entry, &str) -> bool| {
        let titles = games.iter().filter(|entry| has(entry, setting.key)).map(|entry| entry.title);
        titles.collect::<Vec<_>>().join(", ")
    };
    if let Kind::Size(_) = setting.kind {
        let studied = titles(|entry, _| entry.sizes().studies.is_some());
        return format!("{}; solve and perft also take 5x9 for {studied}", setting.help);
    }
    format!("{}: {}", titles(|entry, key| entry.setting_of(key).is_some()), setting.help)
}

/// The settings that are given as flags.
fn variant(matches: &ArgMatches, games: &'static [Entry]) -> Variant {
    registry::settings(games).fold(Variant::default(), |variant, setting| {
        let value = match setting.kind {
            Kind::Switch { default } => {
                matches.get_flag(setting.key).then_some(if default { "off" } else { "on" })
            }
            _ => matches.get_one::<String>(setting.key).map(String::as_str),
        };
        match value {
            Some(value) => variant.with(setting.key, value),
            None => variant,
        }
    })
}

/// Playing.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Play {
    /// 1 human vs engine, 2 human vs human, 3 replay FILE, 4 engine vs engine
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub mode: Option<String>,
    /// Game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Strength of the engine
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// Your side
    #[arg(long, value_name = "SIDE", value_enum)]
    pub play_as: Option<Side>,
    /// Continue the last unfinished game
    #[arg(long = "continue", conflicts_with_all = ["file", "mode", "game", "level", "play_as", "seed", "json", "nodes", "depth", "movetime", "cpu_time", "time"])]
    pub goes_on: bool,
    /// Engine: level:K, lookahead, net, net:FILE, an external 'gtp:PROGRAM ARGUMENTS', qtp: or ep5:, or
    /// self:PATH;level:K for another build of crosspath
    #[arg(long, value_name = "SPEC", conflicts_with = "level")]
    pub engine: Option<String>,
    /// Hex, Quoridor: use the network in FILE instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub net: Option<String>,
    /// Begin from this position: for Quoridor '- / - / e1 e9 / 10 10 / 1', else stones as 'b4 c3 / d2 / 1'
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["file", "goes_on"])]
    pub position: Option<String>,
    /// Read the Nth game of a file that holds several
    #[arg(long, value_name = "N", requires = "file")]
    pub game_number: Option<usize>,
    /// Random seed; the same seed repeats the game
    #[arg(long, value_name = "U64")]
    pub seed: Option<u64>,
    /// Limits of the engines' searches.
    #[command(flatten)]
    pub limits: Limits,
    /// Resources of the engines.
    #[command(flatten)]
    pub resources: Resources,
    /// Show the statistics of each search
    #[arg(long)]
    pub stats: bool,
    /// Longest wait for an answer from an external engine, such as 30s [default: 5 minutes; in games with a
    /// person, 1s after the end of the input]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub response_timeout: Option<Duration>,
    /// Time per player, and increment per move, such as 5m+3s or 90s
    #[arg(long, value_name = "TIME")]
    pub time: Option<TimeControl>,
    /// When time runs out
    #[arg(long, value_name = "WHAT", value_enum, default_value = "loss", requires = "time")]
    pub time_over: TimeOver,
    /// Use line mode instead of the full screen
    #[arg(long)]
    pub plain: bool,
    /// Use the full screen, or fail without a terminal
    #[arg(long, conflicts_with_all = ["plain", "json"])]
    pub tui: bool,
    /// Use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub color: When,
    /// Characters of the board
    #[arg(long, value_name = "SET", value_enum, default_value = "auto")]
    pub glyphs: Glyphs,
    /// Colours of the full screen
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = ThemeNames)]
    pub theme: String,
    /// Use the mouse in the full screen
    #[arg(long, value_name = "ON|OFF", value_enum, default_value = "on")]
    pub mouse: Switch,
    /// Play one game as JSON, one object per line
    #[arg(long)]
    pub json: bool,
    /// Treat an invalid mode or file as an error
    #[arg(long)]
    pub strict: bool,
    /// Append a log of events to FILE
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Show where the config file and the saved games are
    #[arg(long)]
    pub print_paths: bool,
    /// Move file to replay
    pub file: Option<PathBuf>,
    /// Journal to resume if it is not the newest.
    #[arg(skip)]
    pub journal: Option<PathBuf>,
    /// Settings of the config file that are not flags.
    #[arg(skip)]
    pub settings: Settings,
}

/// What a person wants beside the flags.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether the command line itself leaves open what is to be played.
    pub asks: bool,
    /// Whether the engine is named by the file alone: then it plays the games that it can.
    pub engine_is_a_wish: bool,
    /// How the person likes to play.
    pub habits: Habits,
    /// Themes of the person's own.
    pub themes: &'static [OwnTheme],
    /// What is wrong with the file, in sentences.
    pub warnings: Vec<String>,
}

impl Play {
    /// Whether neither this nor what is asked for about the board says what is to be played.
    pub(crate) fn is_unspecified(&self, board: &Variant) -> bool {
        let texts = [&self.mode, &self.game, &self.level, &self.engine];
        let is_free =
            !self.goes_on && self.play_as.is_none() && self.file.is_none() && *board == Variant::default();
        is_free && texts.iter().all(|text| text.is_none())
    }
}

/// Whether a command may replace files.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Force {
    /// Replace a file that exists
    #[arg(long)]
    pub force: bool,
}

impl Force {
    /// Returns what writing does to a file that exists.
    pub(crate) fn replace(self) -> Replace {
        if self.force { Replace::Allowed } else { Replace::Never }
    }
}

/// When a search ends; what is given replaces the level's own limits.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Limits {
    /// Positions searched per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Time per move, such as 500ms or 2s; a plain number is milliseconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub movetime: Option<Duration>,
    /// CPU time per move, such as 150ms
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub cpu_time: Option<Duration>,
}

impl From<Limits> for crate::ai::Limits {
    fn from(Limits { nodes, depth, movetime, cpu_time }: Limits) -> Self {
        crate::ai::Limits { depth, nodes, time: movetime, cpu_time }
    }
}

/// What the engines may use of the machine.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Resources {
    /// Search threads per move from level 4 (Hex, Quoridor), 1 to 256 [default: 1]; games repeat only with
    /// one thread
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    pub threads: Option<u16>,
    /// Size of the position cache, in MiB, up to 65536
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MIB)))]
    pub memory: Option<u32>,
}

impl From<Resources> for crate::ai::Resources {
    fn from(Resources { threads, memory }: Resources) -> Self {
        crate::ai::Resources { threads, memory_mib: memory }
    }
}

/// The command line as clap understands it. Referees start an engine with nothing but `-seed N`, or `-size N` and
/// `-walls N`, with one dash: without a command that is `engine --protocol qtp --seed N`.
pub fn normalize_args(arguments: Vec<OsString>) -> Vec<OsString> {
    let single_dashed = |argument: &OsString| {
        let name = argument.to_str()?.strip_prefix('-')?;
        ["seed", "size", "walls"].contains(&name).then(|| OsString::from(format!("--{name}")))
    };
    let first = arguments.get(1);
    let is_command = |word: &OsString| Cli::command().get_subcommands().any(|known| word == known.get_name());
    let is_meant = first.is_some_and(|first| single_dashed(first).is_some())
        || arguments.iter().skip(1).any(|argument| argument == "-seed");
    if !is_meant || first.is_some_and(is_command) {
        return arguments;
    }
    let mut arguments = arguments.into_iter();
    let program = arguments.next();
    let engine = ["engine", "--protocol", "qtp"].map(OsString::from);
    let rest = arguments.map(|argument| single_dashed(&argument).unwrap_or(argument));
    program.into_iter().chain(engine).chain(rest).collect()
}

/// The last sections of the manual page.
const MANUAL_END: &str = r".SH FILES
.TP
.I $XDG_CONFIG_HOME/crosspath/config.toml
Config file; without the variable it is in
.IR ~/.config/crosspath .
.TP
.I $XDG_STATE_HOME/crosspath/
Saved games; without the variable they are in
.IR ~/.local/state/crosspath .
.PP
.B crosspath \-\-print\-paths
shows both.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set, no colours are used unless
.B \-\-color always
is given.
.TP
.B CLICOLOR_FORCE
If set and not 0, colours are used also where the output is not a terminal.
.TP
.B COLORTERM
With truecolor or 24bit, themes use all colours.
.TP
.B TERM
With dumb, no colours are used.
.TP
.BR LC_ALL , LC_CTYPE , LANG
Whether the terminal shows Unicode characters.
.TP
.BR XDG_CONFIG_HOME , XDG_STATE_HOME
See FILES.
.SH SEE ALSO
.B crosspath \-\-help
and the pages in
.IR docs/ :
manual.md, files.md, protocol.md, arena.md, engines.md.";

/// The manual page: the program, its commands with their options, examples.
///
/// # Errors
/// If `out` cannot be written to.
pub(crate) fn manual(games: &'static [Entry], out: &mut Vec<u8>) -> io::Result<()> {
    // Without this the page lacks the text of flags that the short help leaves out.
    let mut command = command(games).mut_args(|flag| flag.hide_short_help(false));
    command.build();
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    writeln!(out, ".SH COMMANDS")?;
    for sub in command.get_subcommands() {
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(out, ".SS crosspath {}\n{about}.", sub.get_name())?;
        let mut options = Vec::new();
        clap_mangen::Man::new(sub.clone()).render_options_section(&mut options)?;
        for line in String::from_utf8_lossy(&options).lines().filter(|line| *line != ".SH OPTIONS") {
            // A group of options is part of its command.
            match line.strip_prefix(".SH ") {
                Some(heading) => writeln!(out, ".PP\n.B {heading}")?,
                None => writeln!(out, "{line}")?,
            }
        }
    }
    writeln!(out, ".SH EXAMPLES\n.nf")?;
    for line in EXAMPLES.lines().filter(|line| line.trim_start().starts_with("crosspath")) {
        writeln!(out, "{}", line.trim_start().replace('-', "\\-"))?;
    }
    let (_, exit_codes) = EXAMPLES.split_once("Exit codes:").unwrap_or_default();
    let exit_codes = exit_codes.split_whitespace().collect::<Vec<_>>().join(" ").replace('-', "\\-");
    writeln!(out, ".fi\n.SH EXIT STATUS\n{exit_codes}\n{MANUAL_END}")
}

/// `--time-over`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TimeOver {
    /// The player loses
    Loss,
    /// The player only gets a warning
    Warning,
}

/// `--play-as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// You move first
    First,
    /// The engine moves first
    Second,
    /// Drawn at random for each game
    Random,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    #[value(help = "On a terminal, unless NO_COLOR is set")]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On
    On,
    /// Off
    Off,
}

/// Names of themes: those of the program are offered, those of the file of settings are not known yet.
#[derive(Clone, Copy, Debug)]
struct ThemeNames;

impl TypedValueParser for ThemeNames {
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
        Some(Box::new(Theme::ALL.into_iter().map(told)))
    }
}

/// `--glyphs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Glyphs {
    /// Unicode if the locale is UTF-8
    Auto,
    /// Shapes and lines, for most terminals
    Unicode,
    /// Only characters that are one column wide everywhere
    Narrow,
    /// ASCII only
    Ascii,
}
