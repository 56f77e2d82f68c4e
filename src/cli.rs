//! The command line as clap sees it. Values whose faults deserve better words than clap's are taken as text.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "crosspath",
    version,
    about = "Play board games in the terminal, alone, in two, from a move file",
    after_help = "Examples:\n  crosspath --mode 1                      play against the machine\n  \
                  crosspath --mode 2 --size 5             two people, 5x5\n  \
                  crosspath --mode 3 examples/moves.txt   watch a game from a file",
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
}

/// Which game on which board.
#[derive(Clone, Debug, Default, Args)]
pub struct Board {
    /// The game: tic-tac-toe
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Cells on a side
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub size: Option<String>,
    /// How many in a row win (tic-tac-toe; otherwise a full line)
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub win_length: Option<String>,
}

/// Playing.
#[derive(Debug, Args)]
pub struct Play {
    /// 1 human against machine, 2 human against human, 3 replay FILE, 4 machine against machine
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub mode: Option<String>,
    /// Which game on which board.
    #[command(flatten)]
    pub board: Board,
    /// The machine's strength: classic or a number
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
    /// Colour of pieces and marks
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub color: When,
    /// The characters of the board
    #[arg(long, value_name = "SET", value_enum, default_value = "auto")]
    pub glyphs: Glyphs,
    /// A move file to replay
    pub file: Option<PathBuf>,
}

impl Play {
    /// Whether nothing says what is to be played.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let Board { game, size, win_length } = &self.board;
        let texts = [&self.mode, game, size, win_length, &self.level];
        texts.iter().all(|text| text.is_none()) && self.play_as.is_none() && self.file.is_none()
    }
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

/// `--glyphs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Glyphs {
    /// Unicode where the locale says UTF-8
    Auto,
    /// Box drawing and shapes
    Unicode,
    /// Only characters that are one cell wide everywhere
    Narrow,
    /// Only ASCII
    Ascii,
}
