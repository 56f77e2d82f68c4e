//! The flags of the commands that measure, solve and serve other programs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Force, Limits, Resources, duration};

/// Solving a position.
#[derive(Debug, Args)]
pub struct Solve {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Give up after N positions, with --map for each first move; on boards of Hex larger than 11x11 a position counts as
    /// several, for it costs more
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Give up after this time: 500ms, 2s, or milliseconds; with --map for each first move
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub movetime: Option<Duration>,
    /// Write down why the winner wins; only Hex has a form for that. docs/hex-proofs.md describes it
    #[arg(long, value_name = "FILE", conflicts_with = "map")]
    pub proof: Option<PathBuf>,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
    /// Who wins after each move, each proved by itself, and within how many plies at most; only Hex
    #[arg(long)]
    pub map: bool,
    /// Keep what --map has found in this file, and go on with what it has not
    #[arg(long, value_name = "FILE", requires = "map")]
    pub resume: Option<PathBuf>,
    /// Memory that its tables may take, in MiB, up to 65536; 256 for Quoridor unless given
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: Option<u32>,
    /// Threads, 1 to 256; all processors unless given. Only Quoridor and --map use more than one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// The answer as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A match between engines.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Arena {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// An engine, given at least twice: a=level:5, b=classic,nodes=1000, c='gtp:PROGRAM ARGUMENTS'; also qtp: and ep5:
    /// for programs that speak these, and self:PATH;level:5 for another build. A level's own keys are seed, nodes, depth,
    /// movetime and cpu-time
    #[arg(long = "engine", value_name = "NAME=SPEC", required_unless_present_any = ["report", "write_openings"])]
    pub engines: Vec<String>,
    /// The first engine meets each other one; without this all meet each other
    #[arg(long)]
    pub gauntlet: bool,
    /// Pairs of games to play, each opening once from each side; of many engines for every two that meet
    #[arg(long, visible_alias = "max-pairs", value_name = "P", default_value_t = 100)]
    pub pairs: u64,
    /// Stop as soon as the difference in normalized Elo is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// The seed of openings and engines
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// How games begin: random:K plies, balanced:K plies that a search finds even, none, or a file with an opening a line;
    /// the default is the game's own
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// Positions that a machine may search for a move; also NAME=N for one engine
    #[arg(long, value_name = "N")]
    pub nodes: Vec<String>,
    /// Plies that a machine may look ahead; also NAME=N
    #[arg(long, value_name = "N")]
    pub depth: Vec<String>,
    /// Time that a machine may take for a move: 500ms, 2s, or milliseconds; also NAME=TIME
    #[arg(long, value_name = "TIME")]
    pub movetime: Vec<String>,
    /// Processor time that a machine of our own may take for a move: 150ms; also NAME=TIME
    #[arg(long, value_name = "TIME")]
    pub cpu_time: Vec<String>,
    /// By how much an answer may be later than its time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms")]
    pub margin: Duration,
    /// How long a program may say nothing
    #[arg(long, visible_alias = "response-timeout", value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub hang: Duration,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_plies: usize,
    /// The folder in which a program is started
    #[arg(long, value_name = "NAME=DIR")]
    pub dir: Vec<String>,
    /// A line that a program is told first and has to accept
    #[arg(long, value_name = "NAME=LINE")]
    pub setup: Vec<String>,
    /// The swap is played with programs too, where the game has one
    #[arg(long = "swap")]
    pub swaps: bool,
    /// Pairs played at a time, 1 to 256; half the processors unless given
    #[arg(long, visible_alias = "concurrency", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Write every game to a file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with that file: games that it holds are not played again
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
    /// Play nothing: report the games of a file; of several files given so as one, if they have the same board
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "out"])]
    pub report: Vec<PathBuf>,
    /// Write the report as a page for browsers, with all games to click through; one of its files may be the log of a training run
    #[arg(long, value_name = "FILE", requires = "report")]
    pub html: Option<PathBuf>,
    /// Play nothing: write the same games as a job, for work and merge
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "report", "write_openings"])]
    pub write_job: Option<PathBuf>,
    /// Play nothing: write an opening for each pair to a file, one a line, none twice
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "out"])]
    pub write_openings: Option<PathBuf>,
    /// The rating of one engine of a tournament, to which the others are compared
    #[arg(long, value_name = "NAME=ELO", allow_hyphen_values = true)]
    pub anchor: Option<String>,
    /// The report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Only the report
    #[arg(long)]
    pub quiet: bool,
}

/// An engine for another program. Nothing goes to standard error while it runs.
#[derive(Debug, Args)]
pub struct Engine {
    /// The language that the other program speaks
    #[arg(long, value_name = "NAME", value_enum)]
    pub protocol: Protocol,
    /// The strength: classic, or a number from 1 (weakest) to 4; without it the strongest there is
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// Who plays, in place of a level: net,nodes=400, net:FILE, lookahead, level:7,threads=2
    #[arg(long, value_name = "SPEC", conflicts_with = "level")]
    pub engine: Option<String>,
    /// The network by which the levels play that have one, in place of the program's own
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub net: Option<String>,
    /// When a search ends; without any of these a clock of its own
    #[command(flatten)]
    pub limits: Limits,
    /// What the engine may use.
    #[command(flatten)]
    pub resources: Resources,
    /// The random seed: the same seed, the same game
    #[arg(long, value_name = "U64")]
    pub seed: Option<u64>,
    /// Show the numbers of every search, in lines that begin with #
    #[arg(long)]
    pub stats: bool,
    /// Append what is said to a file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// The game, where the protocol has several: hex (the default) or tic-tac-toe over gtp
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// What the protocol takes on its command line: nothing for gtp and qtp, b or p and perhaps d for ep5
    #[arg(value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

/// `--protocol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// The Go Text Protocol as Hex programs speak it, for Hex and tic-tac-toe
    Gtp,
    /// The Quoridor Text Protocol
    Qtp,
    /// The Hex tournament protocol; takes b (starts) or p, and d to draw the board
    Ep5,
}

/// Counting move sequences.
#[derive(Debug, Args)]
pub struct Perft {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Threads, 1 to 256
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// How many moves deep
    pub depth: u32,
}

/// Drawing a board.
#[derive(Debug, Args)]
#[command(
    override_usage = "crosspath picture [OPTIONS] FILE\n       crosspath picture [OPTIONS] --moves MOVES"
)]
pub struct Picture {
    /// The game; a move file may name its own
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The moves, separated by blanks, in place of a file; none for an empty board
    #[arg(long, value_name = "MOVES", conflicts_with = "file")]
    pub moves: Option<String>,
    /// The position after N moves; without it the last one
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// The game on one page: the last position with the numbers of the moves, and the list of moves
    #[arg(long)]
    pub sheet: bool,
    /// The game as a picture that moves: a second for each move, then from the beginning
    #[arg(long, conflicts_with = "sheet")]
    pub animated: bool,
    /// As SVG, which is the only form there is
    #[arg(long)]
    pub svg: bool,
    /// Colours: light for print, dark for screens
    #[arg(long, value_name = "NAME", value_enum, default_value = "light")]
    pub theme: PictureTheme,
    /// Write the picture to a file; without it the picture is printed
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
    /// A move file; - reads standard input
    #[arg(required_unless_present_any = ["moves", "game"])]
    pub file: Option<PathBuf>,
}

/// `picture --theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureTheme {
    /// Dark signs on white
    Light,
    /// Light signs on dark
    Dark,
}
