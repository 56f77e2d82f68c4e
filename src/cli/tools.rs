//! The flags of the commands that measure, solve and serve other programs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Limits, duration};

/// Solving a position.
#[derive(Debug, Args)]
pub struct Solve {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Give up after N positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Give up after this time: 500ms, 2s, or milliseconds
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub movetime: Option<Duration>,
    /// Threads, 1 to 256; only Quoridor is solved on more than one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The answer as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A match between engines.
#[derive(Debug, Args)]
pub struct Arena {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// An engine, given twice: a=level:5, b=classic,nodes=1000; the keys seed, nodes, depth and movetime are its own
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
    /// Pairs played at a time, 1 to 256
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
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
    /// When a search ends; without any of these a clock of its own
    #[command(flatten)]
    pub limits: Limits,
    /// The seed of all chance
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
