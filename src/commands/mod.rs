//! From the command line to what each command does, and from its end to an exit code.

mod arena;
mod bench;
mod engine;
mod environment;
mod perft;
mod play;
mod request;
mod solve;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};

use crate::cli::{self, Action, Cli};
use crate::record;
use crate::registry::{self, Entry, Variant};
use crate::session::History;
use crate::ui::tui::actions;

/// An error with its own exit code.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
struct Failure {
    code: u8,
    why: String,
}

fn failure(code: u8, why: impl Into<String>) -> anyhow::Error {
    Failure { code, why: why.into() }.into()
}

fn usage(why: impl Into<String>) -> anyhow::Error {
    failure(2, why)
}

fn bad_file(why: String) -> anyhow::Error {
    failure(65, why)
}

/// Runs the program with these arguments, the program's name in front, on the standard streams.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(cli::understood(arguments)) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be said if even this cannot be printed.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let done = match &cli.action {
        Some(Action::Perft(perft)) => perft::run(perft),
        Some(Action::Solve(solve)) => solve::run(solve),
        Some(Action::Bench) => bench::run(),
        Some(Action::Arena(arena)) => arena::run(arena),
        Some(Action::Engine(engine)) => engine::run(engine),
        Some(Action::Completions { shell }) => print(|text| {
            clap_complete::generate(*shell, &mut Cli::command(), "crosspath", text);
            Ok(())
        }),
        Some(Action::Man) => print(|text| {
            cli::manual(text)?;
            text.write_all(actions::in_roff().as_bytes())
        }),
        None => play::run(&cli.play),
    };
    done.map_or_else(|error| exit_code(&error), |()| ExitCode::SUCCESS)
}

/// Makes a text and prints it. Made as a whole first: what makes it may not survive a reader who leaves.
fn print(make: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<()> {
    let mut text = Vec::new();
    make(&mut text).context("cannot make the text")?;
    write_out(&text)
}

fn write_out(text: impl AsRef<[u8]>) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref()).and_then(|()| out.flush()).context("cannot write")
}

/// Says what went wrong, unless the reader of the output simply left.
fn exit_code(error: &anyhow::Error) -> ExitCode {
    let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let (code, why) = match error.downcast_ref::<Failure>() {
        Some(Failure { code, why }) => (*code, why.clone()),
        None => (1, format!("{error:#}").to_lowercase()),
    };
    if !why.is_empty() {
        // With standard error gone the exit code still tells.
        let _ = writeln!(io::stderr(), "error: {why}");
    }
    ExitCode::from(code)
}

/// The game and board that the flags name; tic-tac-toe where they name none.
fn board(flags: &cli::Board) -> Result<(&'static Entry, Variant)> {
    let entry = match &flags.game {
        Some(name) => registry::find(name).map_err(|error| usage(error.to_string()))?,
        None => &registry::GAMES[0],
    };
    Ok((entry, variant(flags)?))
}

fn variant(flags: &cli::Board) -> Result<Variant> {
    let mut variant = Variant::default();
    for (key, value) in [("size", &flags.size), ("win-length", &flags.win_length), ("walls", &flags.walls)] {
        if let Some(value) = value {
            variant.set(key, value).map_err(|error| usage(error.as_flag()))?;
        }
    }
    if flags.no_swap {
        variant.swap = Some(false);
    }
    Ok(variant)
}

/// The position that the flags of a command name.
fn position(flags: &cli::Board, moves: Option<&str>) -> Result<History> {
    let (entry, variant) = board(flags)?;
    let mut session =
        entry.history(&Variant { is_study: true, ..variant }).map_err(|error| usage(error.as_flag()))?;
    for noted in record::words(moves.unwrap_or_default()) {
        session.play(&noted.text).map_err(|illegal| usage(format!("--moves: {}", illegal.reason())))?;
    }
    Ok(session)
}

fn log_file(path: &Path) -> Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write the log {}", path.display()))
}
