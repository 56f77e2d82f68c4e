//! The flags of the commands that do jobs in parts.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Force, Limits};

/// Games of an engine with itself.
#[derive(Debug, Args)]
pub struct Selfplay {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Who plays, such as level:4 or classic,nodes=500; the strongest level unless named
    #[arg(long, value_name = "SPEC", conflicts_with = "evaluator")]
    pub engine: Option<String>,
    /// Who judges some positions better, such as net,nodes=200; moves and values are kept for learning
    #[arg(long, value_name = "SPEC", conflicts_with = "evaluator")]
    pub teacher: Option<String>,
    /// The teacher judges one position in N, drawn at random
    #[arg(long, value_name = "N", default_value_t = crate::arena::selfplay::TAUGHT_EVERY, requires = "teacher", value_parser = clap::value_parser!(u32).range(1..=crate::arena::selfplay::MAX_TAUGHT_EVERY as i64))]
    pub taught_every: u32,
    /// Another program judges positions and moves, in binary frames on the standard streams
    #[arg(long, value_name = "WHERE", value_enum, conflicts_with_all = ["nodes", "depth", "movetime", "threads"])]
    pub evaluator: Option<Evaluator>,
    /// Positions in a frame for the evaluator, 1 to 65536
    #[arg(long, value_name = "N", default_value_t = crate::arena::selfplay::BATCH, requires = "evaluator", value_parser = clap::value_parser!(u32).range(1..=crate::arena::selfplay::MAX_BATCH as i64))]
    pub batch: u32,
    /// When a search ends; 1000 positions unless something is given.
    #[command(flatten)]
    pub limits: Limits,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=crate::arena::shard::MAX_UNITS as i64))]
    pub games: u32,
    /// How games begin: random:K plies, or none; the default is the game's own
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// Plies behind the opening in which chance takes part; twice the opening unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    pub temperature_plies: Option<u16>,
    /// The random seed: the same seed, the same game
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// Games played at a time, 1 to 256; changes nothing in the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Where the games go, as one shard
    #[arg(long, value_name = "FILE", required_unless_present = "write_job")]
    pub out: Option<PathBuf>,
    /// Write the job, for work; without --out nothing is played
    #[arg(long, value_name = "FILE")]
    pub write_job: Option<PathBuf>,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
    /// What was played as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Say nothing about what was played
    #[arg(long)]
    pub quiet: bool,
}

/// `--evaluator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Evaluator {
    /// Questions go to standard output, answers come from standard input
    Stdio,
}

/// Constants of an engine, moved to where it plays better.
#[derive(Debug, Args)]
pub struct Tune {
    /// The game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Whose constants are tuned, such as net or net:FILE,noise=0.1
    #[arg(long, value_name = "SPEC", default_value = "net")]
    pub engine: String,
    /// A constant: where it starts, the least and the most that it may be, how far from its value it is probed in the end,
    /// and by which part of that it moves for a game won: exploration=1,0.2,4,0.1,0.02. May be given many times
    #[arg(long = "parameter", value_name = "NAME=START,MIN,MAX,C_END,R_END", required = true)]
    pub parameters: Vec<String>,
    /// Probes in all: games between the constants moved to one side and to the other
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=crate::arena::shard::MAX_UNITS as i64))]
    pub iterations: u32,
    /// Pairs of games of a probe, 1 to 10000
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=crate::arena::tuning::MAX_PAIRS as i64))]
    pub pairs: u32,
    /// Probes from the same values, which can be played at a time; then all constants move
    #[arg(long, value_name = "U", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub probes: u32,
    /// Positions that a machine may search for a move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Plies that a machine may look ahead
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// How games begin: random:K plies, balanced:K plies, none, or a file with an opening a line; the default is the game's
    /// own
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// The random seed: the same seed, the same game
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// Probes played at a time, 1 to 256; changes no value
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The folder of all that is played; the same command goes on with it
    #[arg(long, value_name = "FOLDER", required_unless_present = "write_job")]
    pub out: Option<PathBuf>,
    /// Play nothing: write the job of the first generation, for work and merge
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub write_job: Option<PathBuf>,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
}

/// A part of a job.
#[derive(Debug, Args)]
pub struct Work {
    /// The job
    #[arg(long, value_name = "FILE")]
    pub job: PathBuf,
    /// Which part, from 0
    #[arg(long, value_name = "I", required_unless_present = "estimate")]
    pub index: Option<u32>,
    /// Of how many
    #[arg(long, value_name = "N", required_unless_present = "estimate")]
    pub count: Option<u32>,
    /// Where the part goes; without it to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
    /// Units done at a time, 1 to 256; changes nothing in the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Start the programs that the job names as engines; without it such a job is refused, for a job may name any program
    #[arg(long)]
    pub allow_exec: bool,
    /// Say how long a unit takes and into how many parts the job could be cut
    #[arg(long, conflicts_with_all = ["index", "count", "out", "threads"])]
    pub estimate: bool,
}

/// Parts of a job, put together.
#[derive(Debug, Args)]
pub struct Merge {
    /// The parts, in any order
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// The job that they belong to
    #[arg(long, value_name = "FILE")]
    pub job: Option<PathBuf>,
    /// Where the whole goes
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Whether files that exist may be replaced.
    #[command(flatten)]
    pub force: Force,
    /// Where the job of the next generation goes, of a job of tune; nothing is written behind the last one
    #[arg(long, value_name = "FILE", requires = "job", conflicts_with_all = ["partial", "missing"])]
    pub next: Option<PathBuf>,
    /// Go on although units are missing
    #[arg(long)]
    pub partial: bool,
    /// Print which of --count parts are still to be done, one a line
    #[arg(long, requires = "count", conflicts_with_all = ["out", "partial", "json"])]
    pub missing: bool,
    /// Parts that the job is cut into
    #[arg(long, value_name = "N", requires = "missing")]
    pub count: Option<u32>,
    /// The report as one JSON object
    #[arg(long)]
    pub json: bool,
}
