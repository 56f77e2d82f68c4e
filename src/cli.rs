//! The command line as clap sees it. Values whose faults deserve better words than clap's are taken as text.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  crosspath                                  the start menu, on a terminal
  crosspath --mode 1 --level 5               play against the machine, level 5
  crosspath --mode 2 --size 5                two people, 5x5
  crosspath --mode 3 examples/moves.txt      watch a game from a file
  crosspath --mode 4 --level 4 --seed 7      machine against machine, always the same game
  crosspath --mode 1 --json                  play by program: one JSON object a line
  crosspath solve --game tic-tac-toe --size 4
  crosspath completions bash > crosspath.bash

Exit codes: 0 done, 1 run-time error, 2 usage, 65 bad move file (--strict), 130 Ctrl-C.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "crosspath",
    version,
    about = "Play board games in the terminal, alone, in two, from a move file",
    after_long_help = EXAMPLES,
    after_help = "crosspath --help says more and has examples.",
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// A command other than playing.
    #[command(subcommand)]
    pub action: Option<Action>,
    /// What to play.
    #[command(flatten)]
    pub play: Play,
}

/// Commands other than playing.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Count the sequences of legal moves, one line a depth
    Perft(Perft),
    /// Find the exact value of a position and of every move
    Solve(Solve),
    /// Search fixed positions with fixed limits: positions, speed, one signature a game
    Bench,
    /// Let two engines play a match
    Arena(Arena),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page
    Man,
}

/// Which game on which board.
#[derive(Clone, Debug, Default, Args)]
pub struct Board {
    /// The game: tic-tac-toe or quoridor
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Cells on a side; solve and perft also take files x ranks for Quoridor
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub size: Option<String>,
    /// Tic-tac-toe: how many in a row win; without it a full line does
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub win_length: Option<String>,
    /// Quoridor: walls that each side may build
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub walls: Option<String>,
}

/// Playing.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub struct Play {
    /// 1 human against machine, 2 human against human, 3 replay FILE, 4 machine against machine
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub mode: Option<String>,
    /// Which game on which board.
    #[command(flatten)]
    pub board: Board,
    /// The machine's strength: classic, or 1 (weakest) to 8
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// Your side against the machine
    #[arg(long, value_name = "SIDE", value_enum)]
    pub play_as: Option<Side>,
    /// Play the same game again: the seed of all chance
    #[arg(long, value_name = "U64")]
    pub seed: Option<u64>,
    /// Show the numbers of every search
    #[arg(long)]
    pub stats: bool,
    /// Fail where otherwise a message and mode 1 follow
    #[arg(long)]
    pub strict: bool,
    /// Plain lines instead of a full screen
    #[arg(long)]
    pub plain: bool,
    /// A full screen, or an error where there is no terminal
    #[arg(long, conflicts_with_all = ["plain", "json"])]
    pub tui: bool,
    /// One game as JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Append what happens to a file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// When a machine's search ends.
    #[command(flatten)]
    pub limits: Limits,
    /// Colour of pieces and marks
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub color: When,
    /// The characters of the board
    #[arg(long, value_name = "SET", value_enum, default_value = "auto")]
    pub glyphs: Glyphs,
    /// Colours of the full screen
    #[arg(long, value_name = "NAME", value_enum, default_value = "terminal")]
    pub theme: Theme,
    /// The mouse in the full screen
    #[arg(long, value_name = "ON|OFF", value_enum, default_value = "on")]
    pub mouse: Switch,
    /// A move file to replay
    pub file: Option<PathBuf>,
}

impl Play {
    /// Whether nothing says what is to be played.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let Board { game, size, win_length, walls } = &self.board;
        let texts = [&self.mode, game, size, win_length, walls, &self.level];
        texts.iter().all(|text| text.is_none()) && self.play_as.is_none() && self.file.is_none()
    }
}

/// When a search ends; what is given replaces the level's own limits.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Limits {
    /// Positions that a machine may search for a move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Plies that a machine may look ahead
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Time that a machine may take for a move: 500ms, 2s, or milliseconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub movetime: Option<Duration>,
}

impl From<Limits> for crate::ai::Limits {
    fn from(Limits { nodes, depth, movetime }: Limits) -> Self {
        crate::ai::Limits { depth, nodes, time: movetime }
    }
}

/// Reads `500ms`, `2s`, `1.5s`, or a number of milliseconds.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("\"{text}\" is no time; write 500ms or 2s");
    let (number, unit_ms) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1.0),
        (None, Some(number)) => (number, 1000.0),
        (None, None) => (text, 1.0),
    };
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = if is_number { number.parse().map_err(|_| wrong())? } else { return Err(wrong()) };
    Duration::try_from_secs_f64(value * unit_ms / 1000.0).map_err(|_| wrong())
}

/// Solving a position.
#[derive(Debug, Args)]
pub struct Solve {
    /// Which game on which board.
    #[command(flatten)]
    pub board: Board,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// When the search gives up.
    #[command(flatten)]
    pub limits: Limits,
    /// The answer as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A match between engines.
#[derive(Debug, Args)]
pub struct Arena {
    /// Which game on which board.
    #[command(flatten)]
    pub board: Board,
    /// An engine, twice or more: a=level:5, b=level:classic
    #[arg(long = "engine", value_name = "NAME=SPEC", required = true)]
    pub engines: Vec<String>,
    /// Pairs of games to play, each opening once from each side
    #[arg(long, value_name = "P", default_value_t = 100)]
    pub pairs: u64,
    /// Stop as soon as the difference in normalized Elo is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// The seed of openings and engines
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// How games begin: random:K plies, or none; the default is the game's own
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// When a search ends.
    #[command(flatten)]
    pub limits: Limits,
    /// The report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Only the report
    #[arg(long)]
    pub quiet: bool,
}

/// A completion script.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Counting move sequences.
#[derive(Debug, Args)]
pub struct Perft {
    /// Which game on which board.
    #[command(flatten)]
    pub board: Board,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// How many moves deep
    pub depth: u32,
}

/// `--play-as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// You begin
    First,
    /// The machine begins
    Second,
    /// Drawn anew for each game
    Random,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// `--theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// The terminal's own sixteen colours
    Terminal,
    /// Bold, dim and reversed only
    Mono,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On
    On,
    /// Off
    Off,
}

/// `--glyphs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Glyphs {
    /// Unicode where the locale says UTF-8
    Auto,
    /// Shapes and lines, for most terminals
    Unicode,
    /// Only characters that are one cell wide everywhere
    Narrow,
    /// Only ASCII
    Ascii,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_milliseconds_or_say_their_unit() {
        let ms = |text| duration(text).map(|time| time.as_millis());
        assert_eq!(
            [ms("500ms"), ms("2s"), ms("1.5s"), ms("250"), ms("0")],
            [500, 2000, 1500, 250, 0].map(Ok)
        );
        for text in ["", "s", "ms", "-1", "1h", "1e9", "x", "1.2.3s", "99999999999999999999999999s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
