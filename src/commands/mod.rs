//! Commands: dispatches a command line to the code of its command.

mod archive;
mod arena;
mod bench;
mod config;
mod convert;
mod engine;
mod environment;
mod exit_code;
mod merge;
mod mistakes;
mod perft;
mod picture;
mod play;
mod progress;
mod request;
mod review;
mod selfplay;
mod shards;
mod solve;
mod solve_map;
mod solve_text;
mod tune;
mod work;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::ai::EngineKind;
use crate::cli::{self, Cli, CliCommand};
use crate::game::Refusal;
use crate::journal::JournalFolder;
use crate::platform;
use crate::record;
use crate::registry::{self, GameStart, RegisteredGame, Variant};
use crate::session::PositionHistory;
use crate::ui::tui::key_table;
pub use config::merge_config_text;
use exit_code::{bad_file_error, failure_with_code, is_terminal_hang_up, print_error, usage_error};

/// Runs the program for these games on the standard streams. `arguments` starts with the name of the program.
pub fn run_program(
    games: &'static [RegisteredGame],
    arguments: impl IntoIterator<Item = OsString>,
) -> ExitCode {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let (cli, variant) = match config::parse_with_config(games, &arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            // clap repeats arguments verbatim, so the error is created again from text that is safe to show.
            let safe: Vec<_> = arguments.iter().map(Refusal::sanitize_path).map(OsString::from).collect();
            let error = config::parse_with_config(games, &safe).err().unwrap_or(error);
            // A failure to print the error becomes the error.
            let printed = environment::print_clap_error(&error)
                .and_then(|()| io::stdout().flush())
                .context("cannot write");
            let code = if error.use_stderr() { 2 } else { 0 };
            return printed.map_or_else(|error| print_error(&error).max(code), |()| code).into();
        }
    };
    platform::enable_console_escapes();
    platform::ignore_sigxfsz();
    let is_on_terminal = || io::stdin().is_terminal() || io::stdout().is_terminal();
    let began_on_terminal = is_on_terminal();
    let done = run_command(games, &cli, variant);
    // The system reports a closed terminal as an error or as the end of the input.
    if began_on_terminal && (done.as_ref().is_err_and(is_terminal_hang_up) || !is_on_terminal()) {
        return 129.into();
    }
    done.map_or_else(|error| print_error(&error), |()| 0).into()
}

/// Runs the command of a parsed command line.
fn run_command(games: &'static [RegisteredGame], cli: &Cli, variant: Variant) -> Result<()> {
    // The game that a flag names, or else the first one, with its board.
    let board = |game: Option<&String>| -> Result<RequestedBoard> {
        let entry = game.map_or(Ok(&games[0]), |name| registry::find_game_in(games, name));
        Ok((entry.map_err(usage_error)?, variant.clone()))
    };
    match &cli.action {
        Some(CliCommand::Perft(perft)) => perft::run_perft_command(perft, &board(perft.game.as_ref())?),
        Some(CliCommand::Solve(solve)) => solve::run_solve_command(solve, &board(solve.game.as_ref())?),
        Some(CliCommand::Bench) => bench::run_bench_command(games),
        Some(CliCommand::Arena(arena)) => arena::run_arena_command(arena, &board(arena.game.as_ref())?),
        Some(CliCommand::Selfplay(selfplay)) => {
            selfplay::run_selfplay_command(selfplay, &board(selfplay.game.as_ref())?)
        }
        Some(CliCommand::Tune(tune)) => tune::run_tune_command(tune, &board(tune.game.as_ref())?),
        Some(CliCommand::Work(work)) => work::run_work_command(work, games),
        Some(CliCommand::Merge(merge)) => merge::run_merge_command(merge, games),
        Some(CliCommand::Engine(engine)) => engine::run_engine_command(engine, variant),
        Some(CliCommand::Picture(asked)) => picture::run_picture_command(asked, board(asked.game.as_ref())?),
        Some(CliCommand::Review(asked)) => review::run_review_command(asked, board(asked.game.as_ref())?),
        Some(CliCommand::Convert(asked)) => convert::run_convert_command(asked, board(asked.game.as_ref())?),
        Some(CliCommand::Games(asked)) => archive::run_games_command(asked, games, variant),
        Some(CliCommand::Mistakes(asked)) => mistakes::run_mistakes_command(asked, games),
        Some(CliCommand::Completions { shell }) => write_stdout(cli::generate_completions(*shell, games)),
        Some(CliCommand::Man) => {
            print_generated_text(|text| cli::write_manual_page(games, &key_table::render_roff_keys(), text))
        }
        None if cli.play.print_paths => print_paths(),
        None => play::run_play(&cli.play, board(cli.play.game.as_ref())?),
    }
}

/// Prints the paths of the config file and of the folder of games.
fn print_paths() -> Result<()> {
    let folder = crate::journal::JournalFolder::of_current_user().map(|folder| folder.path().to_path_buf());
    let paths = [config::config_path(), folder].into_iter().flatten();
    write_stdout(paths.map(|path| path.display().to_string() + "\n").collect::<String>())
}

/// Generates a text and prints it.
///
/// The text is complete before printing starts, because its generator may panic if the output is
/// closed.
fn print_generated_text(make: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<()> {
    let mut text = Vec::new();
    make(&mut text).context("cannot format the output")?;
    write_stdout(&text)
}

/// Writes text to standard output.
fn write_stdout(text: impl AsRef<[u8]>) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref()).and_then(|()| out.flush()).context("cannot write")
}

/// Formats an answer as one line of JSON.
fn to_json_line(answer: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(answer)? + "\n")
}

/// Game and the requested settings of its board.
type RequestedBoard = (&'static RegisteredGame, Variant);

/// Reports whether a file is a journal, or a move file that names its game.
fn is_saved_game_file(bytes: &[u8]) -> bool {
    match record::open_game_file(bytes, &record::RecordReadOptions::default()) {
        record::OpenedFile::Journal => true,
        record::OpenedFile::Game(game) => game.form.states_game(),
        record::OpenedFile::NotAGame(_) => crate::journal::is_journal(bytes),
    }
}

/// Prints a note on standard error.
fn print_note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}"); // a closed standard error is ignored
}

/// Parses the level that a flag names.
fn parse_level_flag(flag: Option<&String>, levels: &[EngineKind]) -> Result<Option<EngineKind>> {
    flag.map(|text| EngineKind::parse_level(text, levels)).transpose().map_err(usage_error)
}

/// Returns the start of a game from the flags of a command: an empty board, or the position of `--position`.
fn parse_game_start((entry, variant): RequestedBoard, text: Option<&str>) -> Result<GameStart> {
    match text {
        Some(text) => GameStart::from_position_text(entry, variant, text).map_err(|error| {
            let is_of = |other: &&'static RegisteredGame| {
                GameStart::from_position_text(other, Variant::default(), text).is_ok()
            };
            let other = entry.game_list().iter().find(is_of).filter(|_| !entry.accepts_position_text(text));
            let more =
                other.map(|other| format!("; it is one of {}: add --game {}", other.title, other.name));
            usage_error(error.to_flag_message() + &more.unwrap_or_default())
        }),
        None => Ok(GameStart::new(entry, variant)),
    }
}

/// Returns the game up to the position that the flags of a command name.
fn parse_position_flags(
    (entry, variant): &RequestedBoard,
    text: Option<&str>,
    moves: Option<&str>,
) -> Result<PositionHistory> {
    let start = parse_game_start((entry, variant.clone().for_study()), text)?;
    let mut session =
        PositionHistory::new(start.position().map_err(|error| usage_error(error.to_flag_message()))?);
    for noted in record::split_list_moves(moves.unwrap_or_default()) {
        session.play(&noted.text).map_err(|illegal| usage_error(format!("--moves: {}", illegal.reason())))?;
    }
    Ok(session)
}

/// Rejects an existing output file unless `--force` is given, before any work is done.
///
/// # Errors
/// Returns a usage error that names the file and says what to do.
fn check_output_path(flag: &str, path: &Path, force: cli::ForceFlag) -> Result<()> {
    // A dangling link is no file that could be lost.
    if force.force || !path.exists() {
        return Ok(());
    }
    Err(usage_error(file_exists_message(flag, path)))
}

/// Returns the message that a file already exists, with what to do.
fn file_exists_message(flag: &str, path: &Path) -> String {
    let shown = Refusal::sanitize_path(path);
    format!("{flag} {shown}: the file already exists; choose another name, or add --force to replace it")
}

/// Writes a file that a flag names, completely or not at all.
///
/// # Errors
/// Returns an error if the file may not be replaced or cannot be written.
fn write_output_file(
    flag: &str,
    path: &Path,
    content: impl AsRef<[u8]>,
    force: cli::ForceFlag,
) -> Result<()> {
    record::disk::write_file(path, content.as_ref(), force.replace_policy()).map_err(|error| match error {
        record::disk::FileError::Exists => usage_error(file_exists_message(flag, path)),
        error => failure_with_code(1, format!("cannot write {}: {error}", Refusal::sanitize_path(path))),
    })
}

/// Opens a log file for appending; rejects files of saved games.
fn open_log_file(path: &Path) -> Result<File> {
    // A log must not be appended to a saved game or to a file in the folder of saved games.
    let is_listed = |folder: JournalFolder| {
        let own = path.canonicalize();
        own.is_ok_and(|own| folder.path().canonicalize().is_ok_and(|folder| own.parent() == Some(&folder)))
    };
    if path.is_file()
        && let Ok(bytes) = record::disk::load_move_file(path)
        && (is_saved_game_file(&bytes) || JournalFolder::of_current_user().is_some_and(is_listed))
    {
        let shown = Refusal::sanitize_path(path);
        return Err(usage_error(format!(
            "--log {shown}: the file is a saved game and was not replaced; choose another name"
        )));
    }
    // Opening a pipe without a reader must not block.
    let file = platform::set_nonblocking_open(OpenOptions::new().create(true).append(true)).open(path);
    let file = file.inspect(|mut file| {
        if record::disk::lacks_final_newline(path) {
            let _ = file.write_all(b"\n"); // a log that cannot be written is reported with its first line
        }
    });
    file.map_err(|error| {
        let shown = Refusal::sanitize_path(path);
        failure_with_code(
            1,
            format!("cannot write the log {shown}: {}", record::disk::describe_io_error(&error)),
        )
    })
}
