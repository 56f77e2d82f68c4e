//! Flags of the commands that measure, solve, convert and review, and of the engine server.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{ForceFlag, LimitArgs, ResourceArgs};
use crate::ai::parse_duration;

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Position to begin from, as for playing
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["map", "proof"])]
    pub position: Option<String>,
    /// Moves to play first, separated by spaces
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Give up after N positions (with --map: per first move); on Hex boards larger than 11x11 a position counts
    /// several times, because it takes longer
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Give up after this time, such as 500ms or 2s; a plain number is milliseconds (with --map: per first move)
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub movetime: Option<Duration>,
    /// Hex: write a proof of the result to FILE (format: docs/hex-proofs.md)
    #[arg(long, value_name = "FILE", conflicts_with = "map")]
    pub proof: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Hex: prove who wins after each first move, and in at most how many plies
    #[arg(long)]
    pub map: bool,
    /// Save the results of --map in FILE and resume from it
    #[arg(long, value_name = "FILE", requires = "map")]
    pub resume: Option<PathBuf>,
    /// Memory for tables, in MiB, up to 65536 [default for Quoridor: 256]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: Option<u32>,
    /// Threads, 1 to 256; used by Quoridor and --map [default: all CPUs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `arena`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct ArenaArgs {
    /// Game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Engine of the match (repeat for each): a=level:5, b=classic,nodes=1000, c='gtp:PROGRAM ARGUMENTS', qtp:, ep5:,
    /// or self:PATH;level:5 for another build of crosspath. Built-in engines take the options seed, nodes, depth,
    /// movetime and cpu-time
    #[arg(long = "engine", value_name = "NAME=SPEC", required_unless_present_any = ["report", "write_openings"])]
    pub engines: Vec<String>,
    /// Play only the pairings that include the first engine
    #[arg(long)]
    pub gauntlet: bool,
    /// Pairs of games per pairing of engines; each opening is played once from each side
    #[arg(long, visible_alias = "max-pairs", value_name = "P", default_value_t = 100)]
    pub pairs: u64,
    /// Stop when an SPRT between these normalized Elo values is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Random seed of openings and engines
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// Openings: random:K plies, balanced:K plies that a search finds even, none, or a file with one opening per line
    /// [default: depends on the game]
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// Positions searched per move; NAME=N for one engine
    #[arg(long, value_name = "N")]
    pub nodes: Vec<String>,
    /// Search depth in plies; NAME=N for one engine
    #[arg(long, value_name = "N")]
    pub depth: Vec<String>,
    /// Time per move, such as 500ms or 2s; a plain number is milliseconds; NAME=TIME for one engine
    #[arg(long, value_name = "TIME")]
    pub movetime: Vec<String>,
    /// CPU time per move of built-in engines, such as 150ms; NAME=TIME for one engine
    #[arg(long, value_name = "TIME")]
    pub cpu_time: Vec<String>,
    /// Tolerance for answers that exceed the time per move
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "100ms")]
    pub margin: Duration,
    /// Time after which a silent engine counts as hung
    #[arg(long, visible_alias = "response-timeout", value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    pub hang: Duration,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_plies: usize,
    /// Working folder of an external engine
    #[arg(long, value_name = "NAME=DIR")]
    pub dir: Vec<String>,
    /// Line to send to an external engine when it starts; the engine must accept it
    #[arg(long, value_name = "NAME=LINE")]
    pub setup: Vec<String>,
    /// Use the swap rule with external engines too
    #[arg(long = "swap")]
    pub swaps: bool,
    /// Pairs played in parallel, 1 to 256 [default: half the CPUs]
    #[arg(long, visible_alias = "concurrency", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Write the games to FILE, one JSON line per game
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume from the --out file; its games are not played again
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub resume: bool,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Play nothing; report the games of FILE (repeat to combine files with the same board)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "out"])]
    pub report: Vec<PathBuf>,
    /// Write the report as an HTML page with all games; one of the files may be the log of a training run
    #[arg(long, value_name = "FILE", requires = "report")]
    pub html: Option<PathBuf>,
    /// Play nothing; write the match as a job for the commands work and merge
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "report", "write_openings"])]
    pub write_job: Option<PathBuf>,
    /// Play nothing; write a different opening for each pair to FILE, one per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "out"])]
    pub write_openings: Option<PathBuf>,
    /// Fix the rating of one engine of a tournament
    #[arg(long, value_name = "NAME=ELO", allow_hyphen_values = true)]
    pub anchor: Option<String>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Print only the report
    #[arg(long)]
    pub quiet: bool,
}

/// Arguments of `engine`. Nothing goes to standard error while it runs.
#[derive(Debug, Args)]
pub struct EngineArgs {
    /// Protocol of the other program
    #[arg(long, value_name = "NAME", value_enum)]
    pub protocol: ProtocolArg,
    /// Strength of the engine [default: the strongest level]
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// Engine instead of a level: net,nodes=400, net:FILE, lookahead, level:7,threads=2
    #[arg(long, value_name = "SPEC", conflicts_with = "level")]
    pub engine: Option<String>,
    /// Use the network in FILE instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub net: Option<String>,
    /// Search limits; without any the engine uses its own clock
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Resources of the engine.
    #[command(flatten)]
    pub resources: ResourceArgs,
    /// Random seed; the same seed repeats the game; the last one counts
    #[arg(long, value_name = "U64", overrides_with = "seed")]
    pub seed: Option<u64>,
    /// Choose how swap-pieces swaps over gtp: mirror moves the stone, benzene exchanges the players' colours
    #[arg(long, value_name = "NAME", value_enum)]
    pub swap_dialect: Option<SwapDialectArg>,
    /// File with gtp commands to run before standard input is read
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Show the statistics of each search in lines that start with #
    #[arg(long)]
    pub stats: bool,
    /// Append the dialogue to FILE
    #[arg(long, value_name = "FILE", alias = "logfile-name")]
    pub log: Option<PathBuf>,
    /// Game, for protocols with several: hex (the default) or tic-tac-toe over gtp
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Arguments of the protocol: none for gtp and qtp; b or p, and optionally d, for ep5
    #[arg(value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

/// `--protocol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProtocolArg {
    /// Go Text Protocol as used by Hex programs, for Hex and tic-tac-toe
    Gtp,
    /// Quoridor Text Protocol
    Qtp,
    /// Hex tournament protocol; takes b (moves first) or p, and d to draw the board
    Ep5,
}

/// `--swap-dialect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwapDialectArg {
    /// The stone is mirrored and changes its colour
    Mirror,
    /// The stone stays, and the players exchange their colours
    Benzene,
}

/// Arguments of `perft`.
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Moves to play first, separated by spaces
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Threads, 1 to 256
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Number of moves to look ahead
    pub depth: u32,
}

/// Arguments of `picture`.
#[derive(Debug, Args)]
#[command(
    override_usage = "crosspath picture [OPTIONS] FILE\n       crosspath picture [OPTIONS] --moves MOVES"
)]
pub struct PictureArgs {
    /// Game; a move file may name its own
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Position to begin from, as for playing
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "file")]
    pub position: Option<String>,
    /// Moves instead of a file, separated by spaces; empty for an empty board
    #[arg(long, value_name = "MOVES", conflicts_with = "file")]
    pub moves: Option<String>,
    /// Draw the Nth game of a file that holds several
    #[arg(long, value_name = "N", requires = "file")]
    pub game_number: Option<usize>,
    /// Draw the position after N moves [default: the last]
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// Draw the game on one page: the last position with numbered moves, and the move list
    #[arg(long)]
    pub sheet: bool,
    /// Draw an animation of the game, one second per move, in a loop
    #[arg(long, conflicts_with = "sheet")]
    pub animated: bool,
    /// Write SVG (the only format)
    #[arg(long)]
    pub svg: bool,
    /// Colours: light for print, dark for screens
    #[arg(long, value_name = "NAME", value_enum, default_value = "light")]
    pub theme: PictureThemeArg,
    /// Write the picture to a file; without it the picture is printed
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Move file; - reads standard input
    #[arg(required_unless_present_any = ["moves", "game", "position"])]
    pub file: Option<PathBuf>,
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// Game of a list of moves; a move file may name its own
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Convert the Nth game of a file that holds several
    #[arg(long, value_name = "N")]
    pub game_number: Option<usize>,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub to: ConvertFormat,
    /// Write the game to a file; without it the game is printed
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Move file; - reads standard input
    pub file: PathBuf,
}

/// Arguments of `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Game of a list of moves; a move file may name its own
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Review the Nth game of a file that holds several
    #[arg(long, value_name = "N")]
    pub game_number: Option<usize>,
    /// Strength of the engine that judges the moves [default: the engine that gives hints]
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// Search limits for each position.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print one JSON object per move, and the findings last
    #[arg(long)]
    pub json: bool,
    /// Write the review as an HTML page with a board to click through
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Move file or link; - reads standard input
    pub file: PathBuf,
}

/// `convert --to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConvertFormat {
    /// SGF (Hex)
    Sgf,
    /// Link of hexworld.org (Hex)
    #[value(name = "hexworld")]
    HexWorld,
    /// Link of trmph.com (Hex)
    Trmph,
    /// Text record of crosspath
    Crosspath,
}

/// `picture --theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureThemeArg {
    /// Dark on white
    Light,
    /// Light on dark
    Dark,
}
