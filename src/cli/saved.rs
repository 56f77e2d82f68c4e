//! Command line of `games` (saved games) and `mistakes`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{ForceFlag, LimitArgs};

/// Arguments of `games`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct GamesArgs {
    /// Action on a game; without one the games are listed.
    #[command(subcommand)]
    pub action: Option<SavedGameCommand>,
    /// Filter of the list.
    #[command(flatten)]
    pub filter: SavedGameFilter,
}

/// Action on a saved game.
#[derive(Debug, Subcommand)]
pub enum SavedGameCommand {
    /// Show the players, the last board and the moves of a game
    Show {
        /// ID of the game, or its first characters, as listed
        id: String,
    },
    /// Resume a game, or view a finished one
    Open {
        /// ID of the game, or its first characters, as listed
        id: String,
        /// Use line mode, also on a terminal
        #[arg(long)]
        plain: bool,
    },
    /// Export a game as a move file
    Export {
        /// ID of the game, or its first characters, as listed
        id: String,
        /// File to write [default: standard output]
        file: Option<PathBuf>,
        /// Permission to replace a file that exists.
        #[command(flatten)]
        force: ForceFlag,
    },
    /// Copy the intact moves of a damaged game into a new game
    Salvage {
        /// ID of the game, or its first characters, as listed
        id: String,
    },
    /// Delete games permanently
    Delete {
        /// IDs of the games, or their first characters, as listed
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

/// Filter of the list of games.
#[derive(Debug, Args)]
pub struct SavedGameFilter {
    /// Only this game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Only against this opponent: human, classic or a level
    #[arg(long, value_name = "NAME")]
    pub opponent: Option<String>,
    /// Only games with this result for you
    #[arg(long, value_name = "END", value_enum)]
    pub result: Option<ResultFilter>,
    /// Only games played on this day or later, such as 2026-11-20
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub since: Option<jiff::civil::Date>,
    /// Only games played on this day or earlier
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub until: Option<jiff::civil::Date>,
    /// Print one JSON object per game
    #[arg(long)]
    pub json: bool,
}

/// `--result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultFilter {
    /// You won
    Won,
    /// You lost
    Lost,
    /// The game was a draw
    Draw,
    /// The game is not over
    Unfinished,
}

/// Parses a date.
fn parse_date(text: &str) -> Result<jiff::civil::Date, &'static str> {
    text.parse().map_err(|_| "not a date, such as 2026-11-20")
}

/// Parses a number of a list.
fn parse_list_number(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "not a number of the list; crosspath mistakes --list shows them")
}

/// Arguments of `mistakes`.
#[derive(Debug, Args)]
pub struct MistakesArgs {
    /// List all mistakes instead of practising those that are due
    #[arg(long, conflicts_with_all = ["collect", "forget"])]
    pub list: bool,
    /// List all mistakes as JSON, one object per line
    #[arg(long, conflicts_with_all = ["collect", "forget"])]
    pub json: bool,
    /// Review saved games and add your mistakes: the games with these IDs, or all that were not reviewed yet
    #[arg(long, value_name = "ID", num_args = 0.., conflicts_with = "forget")]
    pub collect: Option<Vec<String>>,
    /// Delete the mistake with this number in the list
    #[arg(long, value_name = "N", value_parser = parse_list_number)]
    pub forget: Option<usize>,
    /// Strength of the engine that reviews [default: the engine that gives hints]
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    pub level: Option<String>,
    /// Search limits for each position.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Use line mode, also on a terminal
    #[arg(long)]
    pub plain: bool,
}
