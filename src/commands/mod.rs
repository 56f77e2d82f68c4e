//! The commands: from the command line to the code of each command.

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
use crate::cli::{self, Action, Cli};
use crate::game::Refusal;
use crate::journal::Folder;
use crate::platform;
use crate::record;
use crate::registry::{self, Entry, GameStart, Variant};
use crate::session::History;
use crate::ui::tui::key_table;
pub use config::with_settings;
use exit_code::{bad_file, exit_code, failure, is_hang_up, usage};

/// Runs the program for these games with these arguments, the program's name first, on the standard
/// streams.
pub fn run(games: &'static [Entry], arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let (cli, variant) = match config::merged(games, &arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            // clap repeats arguments as they are, so the error is made again with text that is safe to show.
            let safe: Vec<_> = arguments.iter().map(Refusal::shown_path).map(OsString::from).collect();
            let error = config::merged(games, &safe).err().unwrap_or(error);
            // Nothing can be said if not even an error can be printed.
            let printed =
                environment::print_unread(&error).and_then(|()| io::stdout().flush()).context("cannot write");
            let code = if error.use_stderr() { 2 } else { 0 };
            return printed.map_or_else(|error| exit_code(&error).max(code), |()| code).into();
        }
    };
    platform::prepare_console();
    platform::ignore_sigxfsz();
    let is_on_terminal = || io::stdin().is_terminal() || io::stdout().is_terminal();
    let began_on_terminal = is_on_terminal();
    let done = act(games, &cli, variant);
    // A terminal that is gone counts as none; the system reports it by an error or by an end of the input.
    if began_on_terminal && (done.as_ref().is_err_and(is_hang_up) || !is_on_terminal()) {
        return 129.into();
    }
    done.map_or_else(|error| exit_code(&error), |()| 0).into()
}

/// Executes a command line.
fn act(games: &'static [Entry], cli: &Cli, variant: Variant) -> Result<()> {
    // The game that a flag names, the first one where none does, with its board.
    let board = |game: Option<&String>| -> Result<Board> {
        let entry = game.map_or(Ok(&games[0]), |name| registry::find_in(games, name));
        Ok((entry.map_err(usage)?, variant.clone()))
    };
    match &cli.action {
        Some(Action::Perft(perft)) => perft::run(perft, &board(perft.game.as_ref())?),
        Some(Action::Solve(solve)) => solve::run(solve, &board(solve.game.as_ref())?),
        Some(Action::Bench) => bench::run(games),
        Some(Action::Arena(arena)) => arena::run(arena, &board(arena.game.as_ref())?),
        Some(Action::Selfplay(selfplay)) => selfplay::run(selfplay, &board(selfplay.game.as_ref())?),
        Some(Action::Tune(tune)) => tune::run(tune, &board(tune.game.as_ref())?),
        Some(Action::Work(work)) => work::run(work, games),
        Some(Action::Merge(merge)) => merge::run(merge, games),
        Some(Action::Engine(engine)) => engine::run(engine, variant),
        Some(Action::Picture(asked)) => picture::run(asked, board(asked.game.as_ref())?),
        Some(Action::Review(asked)) => review::run(asked, board(asked.game.as_ref())?),
        Some(Action::Convert(asked)) => convert::run(asked, board(asked.game.as_ref())?),
        Some(Action::Games(asked)) => archive::run(asked, games, variant),
        Some(Action::Mistakes(asked)) => mistakes::run(asked, games),
        Some(Action::Completions { shell }) => write_out(cli::completions(*shell, games)),
        Some(Action::Man) => print(|text| {
            cli::manual(games, text)?;
            text.write_all(key_table::in_roff().as_bytes())
        }),
        None if cli.play.print_paths => print_paths(),
        None => play::run(&cli.play, board(cli.play.game.as_ref())?),
    }
}

/// Prints the paths of the config file and of the folder of games.
fn print_paths() -> Result<()> {
    let folder = crate::journal::Folder::of_person().map(|folder| folder.path().to_path_buf());
    let paths = [config::path(), folder].into_iter().flatten();
    write_out(paths.map(|path| path.display().to_string() + "\n").collect::<String>())
}

/// Makes a text and prints it. It is complete before printing begins: its maker may not survive a
/// reader who leaves.
fn print(make: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<()> {
    let mut text = Vec::new();
    make(&mut text).context("cannot format the output")?;
    write_out(&text)
}

fn write_out(text: impl AsRef<[u8]>) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref()).and_then(|()| out.flush()).context("cannot write")
}

/// Returns an answer for programs: a line of JSON.
fn json_line(answer: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(answer)? + "\n")
}

/// Game and the settings that were requested for its board.
type Board = (&'static Entry, Variant);

/// Reports whether a file is a game that names itself, or a journal.
fn is_saved_game(bytes: &[u8]) -> bool {
    match record::open(bytes, &record::Hint::default()) {
        record::Opened::Journal => true,
        record::Opened::Game(game) => game.form.names_its_game(),
        record::Opened::NotAGame(_) => crate::journal::is_journal(bytes),
    }
}

/// Prints a note about the work on standard error.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}"); // nobody may read it
}

/// Returns the level that a flag names.
fn level(flag: Option<&String>, levels: &[EngineKind]) -> Result<Option<EngineKind>> {
    flag.map(|text| EngineKind::read(text, levels)).transpose().map_err(usage)
}

/// Returns the start of a game by the flags of a command: on a board, from the position of
/// `--position` if that is given.
fn start((entry, variant): Board, text: Option<&str>) -> Result<GameStart> {
    match text {
        Some(text) => GameStart::of_text(entry, variant, text).map_err(|error| {
            let is_of = |other: &&'static Entry| GameStart::of_text(other, Variant::default(), text).is_ok();
            let other = entry.games().iter().find(is_of).filter(|_| !entry.reads_position(text));
            let more =
                other.map(|other| format!("; it is one of {}: add --game {}", other.title, other.name));
            usage(error.as_flag() + &more.unwrap_or_default())
        }),
        None => Ok(GameStart::new(entry, variant)),
    }
}

/// Returns the position that the flags of a command name.
fn position((entry, variant): &Board, text: Option<&str>, moves: Option<&str>) -> Result<History> {
    let start = start((entry, variant.clone().studied()), text)?;
    let mut session = History::new(start.position().map_err(|error| usage(error.as_flag()))?);
    for noted in record::words(moves.unwrap_or_default()) {
        session.play(&noted.text).map_err(|illegal| usage(format!("--moves: {}", illegal.reason())))?;
    }
    Ok(session)
}

/// Refuses a file that exists unless `--force` allows it to be replaced, before any work is done
/// for it.
///
/// # Errors
/// Names the file and the solutions; a usage error.
fn check_place(flag: &str, path: &Path, force: cli::Force) -> Result<()> {
    // A link that leads nowhere is no file that could be lost.
    if force.force || !path.exists() {
        return Ok(());
    }
    Err(usage(exists(flag, path)))
}

/// Says that a file exists, and names the solutions.
fn exists(flag: &str, path: &Path) -> String {
    let shown = Refusal::shown_path(path);
    format!("{flag} {shown}: the file already exists; choose another name, or add --force to replace it")
}

/// Writes a file that a flag names, whole or not at all.
///
/// # Errors
/// If it may not be replaced or cannot be written; says which.
fn write_file(flag: &str, path: &Path, content: impl AsRef<[u8]>, force: cli::Force) -> Result<()> {
    record::disk::write(path, content.as_ref(), force.replace()).map_err(|error| match error {
        record::disk::FileError::Exists => usage(exists(flag, path)),
        error => failure(1, format!("cannot write {}: {error}", Refusal::shown_path(path))),
    })
}

fn log_file(path: &Path) -> Result<File> {
    // A log is appended to: a file with a game is no place for it, nor is the list of games.
    let is_listed = |folder: Folder| {
        let own = path.canonicalize();
        own.is_ok_and(|own| folder.path().canonicalize().is_ok_and(|folder| own.parent() == Some(&folder)))
    };
    if path.is_file()
        && let Ok(bytes) = record::disk::load(path)
        && (is_saved_game(&bytes) || Folder::of_person().is_some_and(is_listed))
    {
        let shown = Refusal::shown_path(path);
        return Err(usage(format!(
            "--log {shown}: the file is a saved game and was not replaced; choose another name"
        )));
    }
    // A pipe that nobody reads is no log: opening it must not wait.
    let file = platform::without_waiting(OpenOptions::new().create(true).append(true)).open(path);
    let file = file.inspect(|mut file| {
        if record::disk::ends_within_a_line(path) {
            let _ = file.write_all(b"\n"); // a log that cannot be written is reported with its first line
        }
    });
    file.map_err(|error| {
        let shown = Refusal::shown_path(path);
        failure(1, format!("cannot write the log {shown}: {}", record::disk::describe_io_error(&error)))
    })
}
