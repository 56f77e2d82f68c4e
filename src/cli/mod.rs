//! Command line as clap types.
//!
//! Values that need better error messages than clap's are read as text.

mod completions;
mod groups;
mod play;
mod saved;
mod shards;
mod tools;
pub(crate) mod values;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use strsim::osa_distance;

use crate::game::{GameSetting, Refusal, SettingKind};
use crate::messages;
use crate::record::disk::ReplacePolicy;
use crate::registry::{self, RegisteredGame, Variant};

pub(crate) use completions::generate_completions;
pub use play::{
    ColorWhen, GlyphsArg, LimitArgs, OnOffSwitch, PlayArgs, PlayAsArg, PlaySettings, ResourceArgs, TilesMode,
    TimeOverArg,
};
pub use saved::{GamesArgs, MistakesArgs, ResultFilter, SavedGameCommand, SavedGameFilter};
pub use shards::{EvaluatorArg, MergeArgs, SelfplayArgs, TuneArgs, WorkArgs};
pub use tools::{
    ArenaArgs, ConvertArgs, ConvertFormat, EngineArgs, PerftArgs, PictureArgs, PictureThemeArg, ProtocolArg,
    ReviewArgs, SolveArgs, SwapDialectArg,
};

/// Examples and exit codes at the end of `crosspath --help`.
const HELP_EXAMPLES: &str = "\
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
  crosspath review examples/moves.txt        win chances, mistakes and better moves
  crosspath completions bash > crosspath.bash

Exit codes:
  0 success, 1 run-time error, 2 usage error, 65 bad move file (--strict), 75 try again,\n  101 panic, 129/130/131/143 ended by a signal";

/// Examples in the help of `convert`.
const CONVERT_HELP_EXAMPLES: &str = "\
Examples:
  crosspath convert examples/hex.txt --to sgf --out game.sgf
  crosspath convert game.sgf --to hexworld";

/// Examples in the help of `review`.
const REVIEW_HELP_EXAMPLES: &str = "\
Examples:
  crosspath review examples/moves.txt
  crosspath review game.sgf --nodes 2000 --html review.html";

/// Examples in the help of `mistakes`.
const MISTAKES_HELP_EXAMPLES: &str = "\
Examples:
  crosspath mistakes                         the positions before your mistakes: find a better move
  crosspath mistakes --collect               review the saved games and add your mistakes
  crosspath mistakes --list";

/// Examples in the help of `picture`.
const PICTURE_HELP_EXAMPLES: &str = "\
Examples:
  crosspath picture game.txt --at 12 > board.svg
  crosspath picture game.txt --sheet --out sheet.svg
  crosspath picture --game hex --size 7 --moves \"d4 c5 e3\" --theme dark --out hex.svg";

/// Arguments of the program.
#[derive(Debug, Parser)]
#[command(
    name = "crosspath",
    version,
    after_long_help = HELP_EXAMPLES,
    after_help = "See crosspath --help for all options and examples.",
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// Command other than playing.
    #[command(subcommand)]
    pub action: Option<CliCommand>,
    /// Game to play.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// Commands other than playing.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Count the legal move sequences of each depth
    Perft(PerftArgs),
    /// Find the exact value of a position and of each move
    Solve(SolveArgs),
    /// Search fixed positions and print counts, speed and a signature
    Bench,
    /// Play a match or tournament between engines
    Arena(Box<ArenaArgs>),
    /// Play games of an engine against itself as training data
    Selfplay(SelfplayArgs),
    /// Tune an engine's constants by self-play
    Tune(TuneArgs),
    /// Run part of a job (same output on every machine)
    Work(WorkArgs),
    /// Merge the parts of a job
    Merge(MergeArgs),
    /// Serve another program as an engine, over a text protocol
    Engine(EngineArgs),
    /// Draw a position or a whole game as an SVG picture
    #[command(after_help = PICTURE_HELP_EXAMPLES)]
    Picture(PictureArgs),
    /// Review a game: win chances, mistakes, better moves
    #[command(after_help = REVIEW_HELP_EXAMPLES)]
    Review(ReviewArgs),
    /// Convert a game file to another format
    #[command(after_help = CONVERT_HELP_EXAMPLES)]
    Convert(ConvertArgs),
    /// List, view, resume, export or delete saved games
    Games(GamesArgs),
    /// Practise your own mistakes: find better moves where you blundered
    #[command(after_help = MISTAKES_HELP_EXAMPLES)]
    Mistakes(MistakesArgs),
    /// Print a completion script for a shell
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Mode numbers accepted by `--mode`.
pub(crate) const MODE_NUMBERS: [&str; 4] = ["1", "2", "3", "4"];
/// Commands that accept the settings of a board.
const COMMANDS_WITH_BOARD: [&str; 9] =
    ["perft", "solve", "arena", "selfplay", "tune", "engine", "picture", "review", "convert"];

/// Builds the clap command line for these games, with their names and settings.
pub fn build_command_line(games: &'static [RegisteredGame]) -> Command {
    let titles: Vec<&str> = games.iter().map(|entry| entry.title).collect();
    let command = Cli::command().about(format!("Play {} in the terminal", join_names(&titles, "and")));
    let command = command.mut_subcommands(|command| {
        let is_on_board = COMMANDS_WITH_BOARD.contains(&command.get_name());
        let command = if is_on_board { add_setting_flags(command, games) } else { command };
        groups::group_options(command)
    });
    groups::group_options(add_setting_flags(command, games))
}

/// Parses a command line for these games, including the settings of the board.
///
/// # Errors
/// Returns an error if clap rejects it. Requests for help and version are also errors of this kind.
pub fn parse_command_line(
    games: &'static [RegisteredGame],
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(Cli, Variant), clap::Error> {
    CommandLineParser::new(games).parse(arguments)
}

/// Command line parser for these games, which can parse several command lines.
#[derive(Clone, Debug)]
pub struct CommandLineParser {
    games: &'static [RegisteredGame],
    command: Command,
}

impl CommandLineParser {
    /// Creates a parser that rejects a repeated flag.
    #[must_use]
    pub fn new(games: &'static [RegisteredGame]) -> Self {
        CommandLineParser { games, command: build_command_line(games) }
    }

    /// Returns the games that a command line can name.
    #[must_use]
    pub fn games(&self) -> &'static [RegisteredGame] {
        self.games
    }

    /// Parses a command line, including the settings of the board.
    ///
    /// # Errors
    /// Returns an error if clap rejects it. Requests for help and version are also errors of this
    /// kind.
    pub fn parse(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<(Cli, Variant), clap::Error> {
        let matches = self.parse_matches(arguments)?;
        let of_board = match matches.subcommand() {
            Some((name, matches)) => Some(matches).filter(|_| COMMANDS_WITH_BOARD.contains(&name)),
            None => Some(&matches),
        };
        let variant = of_board.map(|matches| variant_from_flags(matches, self.games)).unwrap_or_default();
        Ok((Cli::from_arg_matches(&matches)?, variant))
    }

    /// Parses the flags of a command line.
    ///
    /// # Errors
    /// Returns an error if clap rejects them. Requests for help and version are also errors of this
    /// kind.
    pub(crate) fn parse_matches(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<ArgMatches, clap::Error> {
        let mut arguments = normalize_args(arguments.into_iter().collect());
        if arguments.get(1).is_some_and(|word| word == "help") {
            if let Some(name) = arguments.get(2).filter(|name| self.command.find_subcommand(name).is_none()) {
                let names: Vec<_> = self.command.get_subcommands().map(clap::Command::get_name).collect();
                let (name, names) = (Refusal::sanitize_path(name), names.join(", "));
                let why = format!("there is no command {name}; commands are {names}\n");
                return Err(clap::Error::raw(clap::error::ErrorKind::InvalidSubcommand, why));
            }
            arguments.remove(1);
            arguments.push("--help".into());
        }
        let words: Vec<_> = arguments.iter().skip(1).map(Refusal::sanitize_path).collect();
        if let Some(why) =
            suggest_missing_flag(&words.iter().map(String::as_str).collect::<Vec<_>>(), self.games)
        {
            return Err(clap::Error::raw(clap::error::ErrorKind::UnknownArgument, why));
        }
        if let [file, more, ..] = &words[..]
            && [file, more].iter().all(|word| !word.starts_with('-'))
            && self.command.find_subcommand(file).is_none()
        {
            let why = format!("crosspath takes one file, {file}; remove {more}\n");
            return Err(clap::Error::raw(clap::error::ErrorKind::TooManyValues, why));
        }
        self.command.try_get_matches_from_mut(arguments)
    }

    /// Returns the names of the flags given on a command line.
    pub(crate) fn given_flags(&self, matches: &ArgMatches) -> Vec<&str> {
        let is_given =
            |flag: &&Arg| matches.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine);
        self.command.get_arguments().filter(is_given).filter_map(Arg::get_long).collect()
    }

    /// Reports whether two flags, named without their dashes, exclude each other.
    pub(crate) fn are_flags_conflicting(&self, one: &str, other: &str) -> bool {
        let flag = |name: &str| self.command.get_arguments().find(|flag| flag.get_long() == Some(name));
        let excludes = |one: &Arg, other: &Arg| {
            self.command.get_arg_conflicts_with(one).iter().any(|flag| flag.get_id() == other.get_id())
        };
        flag(one).zip(flag(other)).is_some_and(|(one, other)| excludes(one, other) || excludes(other, one))
    }
}

/// Returns the command that a word misspells: with one typing error, or with two if both have six letters or
/// more.
pub(crate) fn nearest_command(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let is_word = word.chars().all(|letter| letter.is_ascii_alphabetic());
    let command = Cli::command();
    let names = command.get_subcommands().map(Command::get_name).chain(["help"]);
    let (errors, name) = names.map(|name| (osa_distance(&word, name), name)).min()?;
    let most = if word.len().min(name.len()) < 6 { 1 } else { 2 };
    (is_word && errors <= most).then(|| name.to_owned())
}

/// Returns an error message with the flag to type, if a mode or game is given without its flag.
fn suggest_missing_flag(words: &[&str], games: &'static [RegisteredGame]) -> Option<String> {
    let is_plain = |word: &&str| !word.starts_with('-');
    let (what, more) = match words {
        [number, file, ..]
            if number.parse::<u64>().is_ok() && !MODE_NUMBERS.contains(number) && is_plain(file) =>
        {
            return Some(format!(
                "there is no mode {number}; modes are 1, 2, 3 and 4; for example: crosspath --mode 3 {file}\n"
            ));
        }
        ["mode", mode, ..] if MODE_NUMBERS.contains(mode) => ("mode", words[1..].join(" ")),
        [mode, file] if MODE_NUMBERS.contains(mode) && !file.starts_with('-') => ("mode", words.join(" ")),
        [game, ..] if registry::find_game_in(games, game).is_err() || Path::new(game).exists() => {
            return None;
        }
        [game, size, more @ ..] if size.starts_with(|c: char| c.is_ascii_digit()) => {
            ("game", [&[game, "--size", size], more].concat().join(" "))
        }
        [_, ..] => ("game", words.join(" ")),
        [] => return None,
    };
    Some(format!("a {what} needs its flag: crosspath --{what} {more}\n"))
}

/// Joins names for a sentence: `one, two or three`.
fn join_names(names: &[&str], last_joined_by: &str) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} {last_joined_by} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Adds a flag for every game setting, after the game or the first flag.
fn add_setting_flags(command: Command, games: &'static [RegisteredGame]) -> Command {
    let help_of_game = format!("Game: {}", join_names(&registry::game_names(games), "or"));
    let mut strongest: Vec<String> = games.iter().map(|entry| entry.strongest_level().to_string()).collect();
    strongest.dedup();
    let default = match command.get_name() {
        "engine" => " [default: the strongest]",
        "review" => " [default: the engine that gives hints]",
        _ => "",
    };
    let strength = match strongest.as_slice() {
        [one] => format!("Strength: classic, or 1 (beginner) to {one} (strongest){default}"),
        _ => format!("Strength: classic, or a number from 1 (weakest) up{default}"),
    };
    let levels = format!("Strength: {}{default}", messages::list_levels_with_names(games[0].levels()));
    let game = command.get_arguments().position(|known| known.get_id() == GAME_ARG_ID).unwrap_or(0);
    let mut places = 0..;
    let command = command.mut_args(|flag| {
        let place = places.next().unwrap_or_default();
        let flag = flag.display_order(if place > game { place + MAX_SETTING_COUNT } else { place });
        match flag.get_id().as_str() {
            GAME_ARG_ID => flag.help(help_of_game.clone()),
            "level" => flag.help(strength.clone()).long_help(levels.clone()),
            _ => flag,
        }
    });
    registry::distinct_settings(games).zip(game + 1..).fold(command, |command, (setting, place)| {
        let flag = Arg::new(setting.key).long(setting.flag).display_order(place);
        let flag = flag.help(setting_help(setting, games));
        command.arg(match setting.kind {
            SettingKind::Switch { .. } => flag.action(ArgAction::SetTrue),
            _ => flag.value_name("N").allow_hyphen_values(true),
        })
    })
}

/// Identifier of the argument that names the game.
const GAME_ARG_ID: &str = "game";
/// Upper bound of the number of settings, for the order of flags in the help.
const MAX_SETTING_COUNT: usize = 100;

/// Returns the help text of a setting's flag, preceded by the games that have it unless all have it.
fn setting_help(setting: &'static GameSetting, games: &'static [RegisteredGame]) -> String {
    let titles = |has: fn(&RegisteredGame, &str) -> bool| {
        let titles = games.iter().filter(|entry| has(entry, setting.key)).map(|entry| entry.title);
        titles.collect::<Vec<_>>().join(", ")
    };
    if let SettingKind::Size(_) = setting.kind {
        let studied = titles(|entry, _| entry.board_sizes().studies.is_some());
        return format!("{}; solve, review and perft also take 5x9 for {studied}", setting.help);
    }
    format!("{}: {}", titles(|entry, key| entry.find_setting(key).is_some()), setting.help)
}

/// Returns the board settings given as flags.
fn variant_from_flags(matches: &ArgMatches, games: &'static [RegisteredGame]) -> Variant {
    registry::distinct_settings(games).fold(Variant::default(), |variant, setting| {
        let value = match setting.kind {
            SettingKind::Switch { default } => {
                matches.get_flag(setting.key).then_some(if default { "off" } else { "on" })
            }
            _ => matches.get_one::<String>(setting.key).map(String::as_str),
        };
        match value {
            Some(value) => variant.with_setting(setting.key, value),
            None => variant,
        }
    })
}

/// Permission of a command to replace files.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ForceFlag {
    /// Replace a file that exists
    #[arg(long)]
    pub force: bool,
}

impl ForceFlag {
    /// Returns whether an existing file may be replaced.
    pub(crate) fn replace_policy(self) -> ReplacePolicy {
        if self.force { ReplacePolicy::Allowed } else { ReplacePolicy::Never }
    }
}

/// Returns the command line in the form that clap accepts.
///
/// Referees start an engine with only `-seed N`, or `-size N` and `-walls N`, with one dash. Without a
/// command this means `engine --protocol qtp --seed N`.
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

/// Last sections of the manual page.
const MANUAL_PAGE_END: &str = r".SH FILES
.TP
.I $XDG_CONFIG_HOME/crosspath/config.toml
Config file; without the variable it is in
.IR ~/.config/crosspath .
.TP
.I $XDG_STATE_HOME/crosspath/
Saved games and your mistakes; without the variable they are in
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
With dumb, no colours are used. With 256color in it, themes use the nearest of 256 colours, and the terminal is
asked whether it shows all.
.TP
.BR LC_ALL , LC_CTYPE , LANG
Whether the terminal shows Unicode characters.
.TP
.BR XDG_CONFIG_HOME , XDG_STATE_HOME
See FILES.
.SH SEE ALSO
.B crosspath \-\-help
and, in the folder
.I docs
of the source, manual.md, files.md, protocol.md, arena.md and engines.md.";

/// Writes the manual page: the program, its commands with their options, examples, and `keys`, a section in
/// roff.
///
/// # Errors
/// Returns an error if `out` cannot be written to.
pub(crate) fn write_manual_page(
    games: &'static [RegisteredGame],
    keys: &str,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    // Includes the flags that the short help leaves out.
    let mut command = build_command_line(games).mut_args(|flag| flag.hide_short_help(false));
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
    for line in HELP_EXAMPLES.lines().filter(|line| line.trim_start().starts_with("crosspath")) {
        writeln!(out, "{}", line.trim_start().replace('-', "\\-"))?;
    }
    let (_, exit_codes) = HELP_EXAMPLES.split_once("Exit codes:").unwrap_or_default();
    let exit_codes = exit_codes.split_whitespace().collect::<Vec<_>>().join(" ").replace('-', "\\-");
    writeln!(out, ".fi\n{}\n.SH EXIT STATUS\n{exit_codes}\n{MANUAL_PAGE_END}", keys.trim_end())
}
