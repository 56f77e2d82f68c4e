//! Flags of the commands that run jobs in parts.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ForceFlag, LimitArgs};

/// Arguments of `selfplay`.
#[derive(Debug, Args)]
pub struct SelfplayArgs {
    /// Game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Engine, such as level:4 or classic,nodes=500 [default: the strongest level]
    #[arg(long, value_name = "SPEC", conflicts_with = "evaluator")]
    pub engine: Option<String>,
    /// Stronger engine, such as net,nodes=200, that evaluates some positions as training targets
    #[arg(long, value_name = "SPEC", conflicts_with = "evaluator")]
    pub teacher: Option<String>,
    /// The teacher evaluates one position in N, drawn at random
    #[arg(long, value_name = "N", default_value_t = crate::arena::selfplay::DEFAULT_TEACHER_INTERVAL, requires = "teacher", value_parser = clap::value_parser!(u32).range(1..=crate::arena::selfplay::MAX_TEACHER_INTERVAL as i64))]
    pub taught_every: u32,
    /// Evaluate positions with an external program, in binary frames over standard input and output
    #[arg(long, value_name = "WHERE", value_enum, conflicts_with_all = ["nodes", "depth", "movetime", "threads"])]
    pub evaluator: Option<EvaluatorArg>,
    /// Positions per frame for the evaluator, 1 to 65536
    #[arg(long, value_name = "N", default_value_t = crate::arena::selfplay::DEFAULT_EVALUATOR_BATCH, requires = "evaluator", value_parser = clap::value_parser!(u32).range(1..=crate::arena::selfplay::MAX_EVALUATOR_BATCH as i64))]
    pub batch: u32,
    /// Search limits; 1000 positions unless one is given.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=crate::arena::jobs::shard::MAX_JOB_UNITS as i64))]
    pub games: u32,
    /// Openings: random:K plies, none, or a file with one opening per line [default: depends on the game]
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// Plies after the opening for which moves are sampled [default: twice the opening's plies]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=10_000))]
    pub temperature_plies: Option<u16>,
    /// Random seed; the same seed repeats the games
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// Games played in parallel, 1 to 256; does not change the output
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Shard file to write the games to
    #[arg(long, value_name = "FILE", required_unless_present = "write_job")]
    pub out: Option<PathBuf>,
    /// Write the job file for the command work; without --out nothing is played
    #[arg(long, value_name = "FILE")]
    pub write_job: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Print no summary
    #[arg(long)]
    pub quiet: bool,
}

/// `--evaluator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvaluatorArg {
    /// Requests on standard output, answers on standard input
    Stdio,
}

/// Arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Engine whose constants are tuned, such as net or net:FILE,noise=0.1
    #[arg(long, value_name = "SPEC", default_value = "net")]
    pub engine: String,
    /// Constant to tune: start, minimum, maximum, final perturbation and final learning rate, such as
    /// exploration=1,0.2,4,0.1,0.02; can be repeated
    #[arg(long = "parameter", value_name = "NAME=START,MIN,MAX,C_END,R_END", required = true)]
    pub parameters: Vec<String>,
    /// SPSA iterations: each plays the constants moved up against the constants moved down
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=crate::arena::jobs::shard::MAX_JOB_UNITS as i64))]
    pub iterations: u32,
    /// Pairs of games per iteration, 1 to 10000
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=crate::arena::tuning::MAX_PAIRS_PER_PROBE as i64))]
    pub pairs: u32,
    /// Iterations per update, which can run in parallel
    #[arg(long, value_name = "U", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub probes: u32,
    /// Positions searched per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Openings: random:K plies, balanced:K plies, none, or a file with one opening per line [default: depends on
    /// the game]
    #[arg(long, value_name = "KIND")]
    pub openings: Option<String>,
    /// Random seed; the same seed repeats the games
    #[arg(long, value_name = "U64", default_value_t = 1)]
    pub seed: u64,
    /// Iterations run in parallel, 1 to 256; does not change the output
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Folder for the games; the same command resumes from it
    #[arg(long, value_name = "FOLDER", required_unless_present = "write_job")]
    pub out: Option<PathBuf>,
    /// Play nothing; write the job of the first generation for the commands work and merge
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub write_job: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
}

/// Arguments of `work`.
#[derive(Debug, Args)]
pub struct WorkArgs {
    /// Job file
    #[arg(long, value_name = "FILE")]
    pub job: PathBuf,
    /// Number of the part, from 0
    #[arg(long, value_name = "I", required_unless_present = "estimate")]
    pub index: Option<u32>,
    /// Number of parts
    #[arg(long, value_name = "N", required_unless_present = "estimate")]
    pub count: Option<u32>,
    /// Shard file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// Units run in parallel, 1 to 256; does not change the output
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Start the external engines that the job names (a job can name any program, so they need this flag)
    #[arg(long)]
    pub allow_exec: bool,
    /// Measure the time per unit and suggest a number of parts
    #[arg(long, conflicts_with_all = ["index", "count", "out", "threads"])]
    pub estimate: bool,
}

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Shard files, in any order
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Job file of the shards
    #[arg(long, value_name = "FILE")]
    pub job: Option<PathBuf>,
    /// Merged file to write
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Permission to replace files that exist.
    #[command(flatten)]
    pub force: ForceFlag,
    /// For a tuning job: file to write the next generation's job to, unless this is the last one
    #[arg(long, value_name = "FILE", requires = "job", conflicts_with_all = ["partial", "missing"])]
    pub next: Option<PathBuf>,
    /// Merge even if units are missing
    #[arg(long)]
    pub partial: bool,
    /// Print which of --count parts are missing, one per line
    #[arg(long, requires = "count", conflicts_with_all = ["out", "partial", "json"])]
    pub missing: bool,
    /// Number of parts of the job
    #[arg(long, value_name = "N", requires = "missing")]
    pub count: Option<u32>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}
