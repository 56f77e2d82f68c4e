//! From the command line to a running match, and from its end to an exit code.

use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use crate::ai::Level;
use crate::canvas::Glyphs;
use crate::cli::{self, Action, Cli};
use crate::interrupt::Interrupt;
use crate::play::{Leaving, Match, Mode, PlayAs, Settings};
use crate::random::fresh_seed;
use crate::record::{self, Script, file};
use crate::registry::{self, Entry, Variant};
use crate::session::Session;
use crate::ui::line::{Line, Style};
use crate::ui::{Input, Screen};
use crate::words;

/// An error with its own exit code.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
struct Failure {
    code: u8,
    why: String,
}

fn usage(why: impl Into<String>) -> anyhow::Error {
    Failure { code: 2, why: why.into() }.into()
}

fn bad_file(why: impl Into<String>) -> anyhow::Error {
    Failure { code: 65, why: why.into() }.into()
}

/// Runs the program with these arguments, the program's name in front, on the standard streams.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be said if even this cannot be printed.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let done = match &cli.action {
        Some(Action::Perft(perft)) => run_perft(perft),
        None => run_play(&cli.play),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit_code(&error),
    }
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

fn run_perft(perft: &cli::Perft) -> Result<()> {
    let (entry, variant) = board(&perft.board)?;
    let mut session = entry.session(&variant).map_err(|error| usage(error.to_string()))?;
    for text in perft.moves.as_deref().unwrap_or_default().split_whitespace() {
        session.play(text).map_err(|illegal| usage(format!("--moves: {}", illegal.reason())))?;
    }
    let mut out = io::stdout().lock();
    for depth in 1..=perft.depth {
        let count = session.perft(depth);
        writeln!(out, "{depth} {count}").and_then(|()| out.flush()).context("cannot write")?;
    }
    Ok(())
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
    for (key, value) in [("size", &flags.size), ("win-length", &flags.win_length)] {
        if let Some(value) = value {
            variant.set(key, value).map_err(|error| usage(format!("--{error}")))?;
        }
    }
    Ok(variant)
}

/// What a move file brings: its path, its game, its moves.
struct Loaded {
    entry: &'static Entry,
    variant: Variant,
    path: String,
    script: Script,
}

fn run_play(play: &cli::Play) -> Result<()> {
    let is_dialogue = io::stdin().is_terminal();
    let interrupt = Interrupt::default();
    let style = Style { is_dialogue, has_colour: has_colour(play.color), glyphs: glyphs(play.glyphs) };
    let out = BufWriter::new(io::stdout());
    let mut screen = Line::new(interrupt.reader(io::stdin().lock()), out, io::stderr(), style);
    let (mode, fallback) = mode(play)?;
    let (mut entry, mut variant) = board(&play.board)?;
    if play.is_open() && is_dialogue {
        match ask_what(&mut screen)? {
            Some(chosen) => (entry, variant) = chosen,
            None => return Ok(()),
        }
    }
    let mut settings = Settings {
        entry,
        variant,
        mode,
        level: None,
        play_as: match play.play_as {
            None | Some(cli::Side::First) => PlayAs::First,
            Some(cli::Side::Second) => PlayAs::Second,
            Some(cli::Side::Random) => PlayAs::Random,
        },
        seed: play.seed.unwrap_or_else(fresh_seed),
        has_stats: play.stats,
        is_strict: play.strict,
    };
    if let Some(message) = fallback {
        screen.note(&message)?;
    }
    let script = script(play, &mut settings, &mut screen)?;
    let session = settings.entry.session(&settings.variant).map_err(|error| usage(format!("--{error}")))?;
    settings.level = level(play, &*session)?;
    if is_dialogue && settings.mode != Mode::Replay && settings.mode != Mode::Machines {
        interrupt.watch();
    }
    let sign = interrupt.sign();
    let screen: &mut dyn Screen = &mut screen;
    match Match::new(settings, session, script, sign, screen).run().context("cannot go on")? {
        Leaving::Done => Ok(()),
        Leaving::Refused(why) => Err(bad_file(why)),
    }
}

/// The mode, and the message where another was asked for.
fn mode(play: &cli::Play) -> Result<(Mode, Option<String>)> {
    let mode = match play.mode.as_deref().map(str::trim) {
        None if play.file.is_some() => Mode::Replay,
        None | Some("1") => Mode::HumanMachine,
        Some("2") => Mode::Humans,
        Some("3") => Mode::Replay,
        Some("4") => Mode::Machines,
        Some(other) => {
            let other = crate::game::Illegal::shown(other);
            let why = format!(
                "mode \"{other}\" does not exist; modes are 1 human against machine, 2 human against human, \
                 3 replay FILE, 4 machine against machine"
            );
            return if play.strict {
                Err(usage(why))
            } else {
                Ok((Mode::HumanMachine, Some(now_mode_1(&why))))
            };
        }
    };
    if mode != Mode::Replay && play.file.is_some() {
        return Err(usage("a move file is replayed with --mode 3; in other modes use the word load"));
    }
    Ok((mode, None))
}

fn now_mode_1(why: &str) -> String {
    format!("{why}. Now mode 1, on a fresh board.")
}

/// Reads the move file in mode 3. Where that fails, says why and turns to mode 1.
fn script(
    play: &cli::Play,
    settings: &mut Settings,
    screen: &mut dyn Screen,
) -> Result<Option<(String, Script)>> {
    if settings.mode != Mode::Replay {
        return Ok(None);
    }
    let why = match &play.file {
        Some(path) => match load(path, &play.board)? {
            Ok(loaded) => {
                (settings.entry, settings.variant) = (loaded.entry, loaded.variant);
                return Ok(Some((loaded.path, loaded.script)));
            }
            Err(why) => why,
        },
        None => "mode 3 needs a move file, such as --mode 3 examples/moves.txt".to_owned(),
    };
    if settings.is_strict {
        return Err(if play.file.is_some() { bad_file(why) } else { usage(why) });
    }
    screen.note(&now_mode_1(&why))?;
    settings.mode = Mode::HumanMachine;
    Ok(None)
}

/// The move file at a path; the inner error is the file's fault, the outer one a contradiction to the flags.
fn load(path: &Path, flags: &cli::Board) -> Result<Result<Loaded, String>> {
    let shown = crate::game::Illegal::shown_path(&path.to_string_lossy());
    let bytes = match file::load(path) {
        Ok(bytes) => bytes,
        Err(error @ file::FileError::Missing) => {
            return Ok(Err(format!("cannot read {shown}: {error}; examples/moves.txt is one to try")));
        }
        Err(error) => return Ok(Err(format!("cannot read {shown}: {error}"))),
    };
    let (mut entry, mut variant) = board(flags)?;
    match record::header(&bytes) {
        Ok(Some(header)) => {
            if flags.game.is_some() && entry.name != header.game.name {
                let why = format!(
                    "--game {} contradicts {shown}, which is a game of {}",
                    entry.name, header.game.name
                );
                return Err(usage(why));
            }
            entry = header.game;
            let session = match entry.session(&header.variant) {
                Ok(session) => session,
                Err(error) => return Ok(Err(format!("{shown}:1: {error}"))),
            };
            if let Some((key, flag, there)) = contradiction(&variant, &*session) {
                return Err(usage(format!("--{key} {flag} contradicts {shown}, which has {key}={there}")));
            }
            variant = header.variant;
        }
        Ok(None) => {}
        Err(bad) => return Ok(Err(format!("{shown}:{bad}"))),
    }
    let session = entry.session(&variant).map_err(|error| usage(format!("--{error}")))?;
    let script = record::moves(&bytes, &*session, entry.digit_files);
    Ok(Ok(Loaded { entry, variant, path: shown, script }))
}

/// A flag that says other than the session opened from a header: key, the flag's value, the header's.
fn contradiction(flags: &Variant, session: &dyn Session) -> Option<(&'static str, String, String)> {
    Variant::KEYS.into_iter().find_map(|key| {
        let flag = flags.value(key)?;
        let there = session.settings().iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        // A header without a win length means a full line.
        let size =
            || session.settings().iter().find(|(name, _)| *name == "size").map(|(_, value)| value.clone());
        let there = there.or_else(size).unwrap_or_default();
        (flag != there).then_some((key, flag, there))
    })
}

fn level(play: &cli::Play, session: &dyn Session) -> Result<Option<Level>> {
    let Some(text) = &play.level else { return Ok(None) };
    let level = text.trim().parse().ok().filter(|level| session.levels().contains(level));
    let shown = crate::game::Illegal::shown(text);
    level
        .map(Some)
        .ok_or_else(|| usage(format!("level {shown} does not exist; levels: {}", words::levels(session))))
}

/// Asks a person for the game and the size; `None` if the person leaves.
fn ask_what(screen: &mut dyn Screen) -> Result<Option<(&'static Entry, Variant)>> {
    let menu: Vec<String> = registry::GAMES
        .iter()
        .zip(1..)
        .map(|(entry, i)| format!("{i}  {} {}", entry.title, entry.sizes_in_words))
        .collect();
    screen.say(&menu)?;
    let entry = loop {
        let Input::Line(line) = screen.ask(&format!("game [{}]> ", registry::GAMES[0].name))? else {
            return Ok(None);
        };
        let text = line.trim();
        let by_number = text.parse::<usize>().ok().and_then(|i| registry::GAMES.get(i.wrapping_sub(1)));
        match by_number.map_or_else(|| registry::find(text), Ok) {
            _ if text.is_empty() => break &registry::GAMES[0],
            _ if ["q", "quit", "exit"].contains(&text) => return Ok(None),
            Ok(entry) => break entry,
            Err(error) => screen.say(&[format!("{error}.")])?,
        }
    };
    loop {
        let prompt = format!("size {} [{}]> ", entry.sizes_in_words, entry.default_size);
        let Input::Line(line) = screen.ask(&prompt)? else { return Ok(None) };
        let text = line.trim();
        let mut variant = Variant::default();
        if ["q", "quit", "exit"].contains(&text) {
            return Ok(None);
        }
        let size = if text.is_empty() { entry.default_size.to_string() } else { text.to_owned() };
        match variant.set("size", &size).and_then(|()| entry.session(&variant)) {
            Ok(_) => return Ok(Some((entry, variant))),
            Err(error) => screen.say(&[format!("{error}.")])?,
        }
    }
}

/// Whether the answers are coloured.
fn has_colour(when: cli::When) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_forced =
        is_set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let has_colour = match when {
        cli::When::Always => true,
        cli::When::Never => false,
        cli::When::Auto => !is_set("NO_COLOR") && (is_forced || (!is_dumb && io::stdout().is_terminal())),
    };
    crossterm::style::force_color_output(has_colour);
    has_colour
}

/// The characters that the flag asks for, or that the locale can show.
fn glyphs(set: cli::Glyphs) -> Glyphs {
    match set {
        cli::Glyphs::Unicode => Glyphs::Unicode,
        cli::Glyphs::Narrow => Glyphs::Narrow,
        cli::Glyphs::Ascii => Glyphs::Ascii,
        cli::Glyphs::Auto => {
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
                .iter()
                .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
            let is_utf8 =
                locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
            let is_console = std::env::var_os("TERM").is_some_and(|term| term == "linux");
            if is_utf8 && !is_console { Glyphs::Unicode } else { Glyphs::Ascii }
        }
    }
}
