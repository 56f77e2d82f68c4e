//! From the command line to a running match, and from its end to an exit code.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};

use crate::ai::{Level, Limits};
use crate::arena;
use crate::bench;
use crate::canvas::Glyphs;
use crate::cli::{self, Action, Cli};
use crate::game::Illegal;
use crate::interrupt::{self, Interrupt};
use crate::play::{Fallback, Leaving, Match, Mode, PlayAs, Replay, Settings};
use crate::protocol::{ep5, qtp, read_ahead};
use crate::random::fresh_seed;
use crate::record::{self, Header, Opened, file};
use crate::registry::{self, Entry, Variant};
use crate::session::Session;
use crate::solution;
use crate::ui::json::Json;
use crate::ui::line::{Line, Style};
use crate::ui::log::Log;
use crate::ui::tui::{Looks, Theme, Tui, actions};
use crate::ui::{Input, Said, Screen};
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
    let cli = match Cli::try_parse_from(cli::understood(arguments)) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be said if even this cannot be printed.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let done = match &cli.action {
        Some(Action::Perft(perft)) => run_perft(perft),
        Some(Action::Solve(solve)) => run_solve(solve),
        Some(Action::Bench) => run_bench(),
        Some(Action::Arena(arena)) => run_arena(arena),
        Some(Action::Engine(engine)) => run_engine(engine),
        Some(Action::Completions(cli::Completions { shell })) => print(|text| {
            clap_complete::generate(*shell, &mut Cli::command(), "crosspath", text);
            Ok(())
        }),
        Some(Action::Man) => print(|text| {
            cli::manual(text)?;
            text.write_all(actions::in_roff().as_bytes())
        }),
        None => run_play(&cli.play),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit_code(&error),
    }
}

/// Makes a text and prints it. Made as a whole first: what makes it may not survive a reader who leaves.
fn print(make: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<()> {
    let mut text = Vec::new();
    make(&mut text).context("cannot make the text")?;
    let mut out = io::stdout().lock();
    out.write_all(&text).and_then(|()| out.flush()).context("cannot write")
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

/// The position that the flags of a command name.
fn position(flags: &cli::Board, moves: Option<&str>) -> Result<Box<dyn Session>> {
    let (entry, variant) = board(flags)?;
    let mut session =
        entry.session(&Variant { is_study: true, ..variant }).map_err(|error| usage(error.as_flag()))?;
    for noted in record::words(moves.unwrap_or_default()) {
        session.play(&noted.text).map_err(|illegal| usage(format!("--moves: {}", illegal.reason())))?;
    }
    Ok(session)
}

fn run_solve(solve: &cli::Solve) -> Result<()> {
    let session = position(&solve.board, solve.moves.as_deref())?;
    if session.outcome().is_some() {
        return Err(usage("--moves: the game is over, there is nothing to solve"));
    }
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: solve.nodes, time: solve.movetime, depth: None };
    let Some(solved) = session.solve(limits, solve.threads.into(), &stop) else {
        return Err(usage(format!("there is no solver for {}", session.name())));
    };
    let text = if solve.json {
        solution::in_json(&*session, &solved)
    } else {
        solution::in_words(&*session, &solved)
    };
    let mut out = io::stdout().lock();
    write!(out, "{text}").and_then(|()| out.flush()).context("cannot write")
}

fn run_bench() -> Result<()> {
    let mut out = io::stdout().lock();
    let mut signatures = Vec::new();
    for entry in registry::GAMES {
        let result = bench::run(entry);
        let per_ms = u128::from(result.nodes) / result.elapsed.as_millis().max(1);
        writeln!(out, "{} nodes {} speed {per_ms} kN/s", entry.name, result.nodes).context("cannot write")?;
        signatures.push(format!("{}={}", entry.bench_name, result.signature));
    }
    writeln!(out, "Bench: {}", signatures.join(" ")).context("cannot write")
}

fn run_arena(flags: &cli::Arena) -> Result<()> {
    let (entry, variant) = board(&flags.board)?;
    let plan = arena::Plan::new(entry, &variant, flags.engines.as_slice(), flags.openings.as_deref())
        .map_err(|error| usage(error.to_string()))?;
    let sprt = flags.sprt.as_deref().map(arena::sprt::Sprt::read).transpose().map_err(usage)?;
    let (limits, threads) = (flags.limits.into(), flags.threads.into());
    let plan = arena::Plan { pairs: flags.pairs, sprt, seed: flags.seed, limits, threads, ..plan };
    plan.check().map_err(|error| usage(error.to_string()))?;
    let mut lines: Box<dyn Write> = match (flags.quiet, flags.json) {
        (true, _) => Box::new(io::sink()),
        (false, true) => Box::new(io::stderr()),
        (false, false) => Box::new(io::stdout()),
    };
    let report = plan.run(&mut |line| writeln!(lines, "{line}")).context("cannot write")?;
    let text = if flags.json { report.in_json() } else { report.in_words() };
    let mut out = io::stdout().lock();
    write!(out, "{text}").and_then(|()| out.flush()).context("cannot write")?;
    if report.forfeits() > 0 {
        Err(Failure { code: 1, why: "there were forfeits".to_owned() }.into())
    } else {
        Ok(())
    }
}

fn run_engine(flags: &cli::Engine) -> Result<()> {
    match flags.protocol {
        cli::Protocol::Qtp => run_qtp(flags),
        cli::Protocol::Ep5 => run_ep5(flags),
    }
}

fn run_qtp(flags: &cli::Engine) -> Result<()> {
    if let Some(word) = flags.arguments.first() {
        return Err(usage(format!("qtp takes no argument, but there is \"{}\"", Illegal::shown(word))));
    }
    let cli::Engine { size, walls, .. } = flags;
    let board = cli::Board { size: size.clone(), walls: walls.clone(), ..cli::Board::default() };
    let level = flags.level.as_deref().map(|text| {
        let wrong = || usage(format!("level \"{}\" does not exist; try classic or 1", Illegal::shown(text)));
        text.trim().parse().map_err(|()| wrong())
    });
    if flags.no_swap {
        return Err(usage("--no-swap means nothing to qtp"));
    }
    let options = qtp::Options {
        variant: variant(&board)?,
        level: level.transpose()?,
        limits: flags.limits.into(),
        seed: flags.seed,
        has_stats: flags.stats,
    };
    let mut engine = qtp::Qtp::new(&options).map_err(|error| usage(format!("--{error}")))?;
    if let Some(path) = &flags.log {
        engine = engine.with_log(Box::new(log_file(path)?));
    }
    interrupt::leave_when_told_to();
    let (input, has_ended) = read_ahead(io::stdin()).context("cannot read")?;
    engine.with_end_flag(has_ended).serve(input, io::stdout().lock()).context("cannot go on")
}

fn run_ep5(flags: &cli::Engine) -> Result<()> {
    let words: Vec<&str> = flags.arguments.iter().map(String::as_str).collect();
    let (colour, draws_board) = match words.as_slice() {
        ["b"] => (ep5::Colour::Starter, false),
        ["p"] => (ep5::Colour::Second, false),
        ["b", "d"] => (ep5::Colour::Starter, true),
        ["p", "d"] => (ep5::Colour::Second, true),
        _ => {
            let why = "ep5 takes b (we start) or p, and d to draw the board: crosspath engine --protocol ep5 b|p [d]";
            return Err(usage(why));
        }
    };
    let board = cli::Board { size: flags.size.clone(), walls: flags.walls.clone(), ..cli::Board::default() };
    let variant = variant(&board)?;
    for (is_given, flag) in
        [(flags.walls.is_some(), "--walls"), (flags.stats, "--stats"), (flags.log.is_some(), "--log")]
    {
        if is_given {
            return Err(usage(format!("{flag} means nothing to ep5")));
        }
    }
    let level = flags.level.as_deref().map(|text| {
        text.trim().parse().map_err(|()| usage(format!("level \"{}\" does not exist", Illegal::shown(text))))
    });
    let mut limits: Limits = flags.limits.into();
    if limits == Limits::default() {
        limits.time = Some(EP5_TIME);
    }
    let options = ep5::Options {
        colour,
        draws_board,
        size: variant.size.unwrap_or(ep5::DEFAULT_SIZE),
        may_swap: !flags.no_swap,
        level: level.transpose()?,
        limits,
        seed: flags.seed.unwrap_or_else(fresh_seed),
    };
    let game = ep5::Ep5::new(&options).map_err(|error| usage(error.to_string()))?;
    interrupt::leave_when_told_to();
    let (input, has_ended) = read_ahead(io::stdin()).context("cannot read")?;
    game.with_end_flag(has_ended).serve(input, io::stdout().lock(), io::stderr()).context("cannot go on")
}

/// The time for a move where nobody says another: the limit of the tournament is 300 ms.
const EP5_TIME: Duration = Duration::from_millis(250);

fn log_file(path: &Path) -> Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot write the log {}", path.display()))
}

fn run_perft(perft: &cli::Perft) -> Result<()> {
    let session = position(&perft.board, perft.moves.as_deref())?;
    let mut out = io::stdout().lock();
    let (mut count, stop) = (1, AtomicBool::new(false));
    for depth in 1..=perft.depth {
        // Where no game is so long, none is longer.
        count = if count == 0 {
            0
        } else {
            session.perft(depth, perft.threads.into(), &stop).expect("nobody stops it")
        };
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

/// Whether to fill the screen: on a terminal, unless lines are asked for or all it can do.
fn is_full_screen(play: &cli::Play) -> Result<bool> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if play.tui && !is_terminal {
        return Err(usage("--tui needs a terminal on standard input and standard output"));
    }
    let is_able = std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    Ok(play.tui || (is_terminal && is_able && !play.plain && !play.json))
}

/// Plays on the full screen, game after game as the player chooses them.
fn run_on_screen(play: &cli::Play) -> Result<()> {
    let looks = Looks {
        glyphs: glyphs(play.glyphs),
        theme: if play.theme == cli::Theme::Mono { Theme::Mono } else { Theme::Terminal },
        has_colour: has_colour(play.color),
        has_mouse: play.mouse == cli::Switch::On,
    };
    if let Some(path) = &play.log {
        log_file(path)?; // a log that cannot be written is no reason to draw a screen first
    }
    let interrupt = Interrupt::default();
    let own = interrupt.clone();
    let mut screen = Tui::new(looks).with_interrupt(move || own.interrupt());
    let mut chosen = Some(play.clone());
    if play.is_open() {
        chosen =
            screen.menu().context("cannot go on")?.map(|arguments| follow(&arguments, play)).transpose()?;
    }
    while let Some(play) = chosen {
        play_on(&play, &mut screen, &interrupt, false)?;
        chosen = screen.next_game().map(|arguments| follow(&arguments, &play)).transpose()?;
    }
    match screen.code() {
        0 => Ok(()),
        code => Err(Failure { code, why: String::new() }.into()),
    }
}

/// The game that was chosen in the menu; what the menu does not ask stays as it was.
fn follow(arguments: &[String], play: &cli::Play) -> Result<cli::Play> {
    let words = ["crosspath"].into_iter().chain(arguments.iter().map(String::as_str));
    let mut chosen = Cli::try_parse_from(words).map_err(|error| usage(error.to_string()))?.play;
    (chosen.seed, chosen.stats, chosen.strict) = (play.seed, play.stats, false);
    chosen.log.clone_from(&play.log);
    let movetime = chosen.limits.movetime;
    chosen.limits = cli::Limits { movetime: movetime.or(play.limits.movetime), ..play.limits };
    Ok(chosen)
}

fn run_play(play: &cli::Play) -> Result<()> {
    if is_full_screen(play)? {
        return run_on_screen(play);
    }
    let is_dialogue = io::stdin().is_terminal() && !play.json;
    let interrupt = Interrupt::default();
    let out = BufWriter::new(io::stdout());
    // A thought by time is cut short when no more input will come; any other must be the same every time.
    let (input, has_ended): (Box<dyn BufRead>, _) = if play.limits.movetime.is_some() {
        let (input, has_ended) = read_ahead(io::stdin()).context("cannot read")?;
        (Box::new(input), Some(has_ended))
    } else {
        (Box::new(io::stdin().lock()), None)
    };
    let input = interrupt.reader(input);
    if play.json {
        let mut screen = Json::new(input, out).with_end_flag(has_ended);
        return play_on(play, &mut screen, &interrupt, false);
    }
    let (has_colour, glyphs, width) = (has_colour(play.color), glyphs(play.glyphs), width(is_dialogue));
    let style = Style { is_dialogue, has_colour, glyphs, width };
    let mut screen = Line::new(input, out, io::stderr(), style).with_end_flag(has_ended);
    play_on(play, &mut screen, &interrupt, is_dialogue)
}

fn play_on(
    play: &cli::Play,
    screen: &mut dyn Screen,
    interrupt: &Interrupt,
    is_dialogue: bool,
) -> Result<()> {
    let Some(path) = &play.log else { return play_a_match(play, screen, interrupt, is_dialogue) };
    play_a_match(play, &mut Log::new(screen, Box::new(log_file(path)?)), interrupt, is_dialogue)
}

fn play_a_match(
    play: &cli::Play,
    screen: &mut dyn Screen,
    interrupt: &Interrupt,
    is_dialogue: bool,
) -> Result<()> {
    let (mode, mut fallback) = mode(play)?;
    let (mut entry, mut variant) = board(&play.board)?;
    if is_dialogue {
        interrupt.watch();
    }
    if play.is_open() && is_dialogue {
        match ask_what(screen)? {
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
        is_one_game: play.json,
        limits: play.limits.into(),
        glyphs: glyphs(play.glyphs),
    };
    let replay = match replay(play, &mut settings)? {
        Ok(replay) => replay,
        Err(file_fault) => {
            fallback = Some(file_fault);
            None
        }
    };
    let session = settings.entry.session(&settings.variant).map_err(|error| usage(error.as_flag()))?;
    settings.level = level(play, &*session)?;
    let sign = interrupt.sign();
    match Match::new(settings, session, replay, sign, screen)
        .run(fallback.as_ref())
        .context("cannot go on")?
    {
        Leaving::Done => Ok(()),
        Leaving::Refused(why) => Err(bad_file(why)),
    }
}

/// The mode, and the message where another was asked for.
fn mode(play: &cli::Play) -> Result<(Mode, Option<Fallback>)> {
    let mode = match play.mode.as_deref().map(str::trim) {
        None if play.file.is_some() => Mode::Replay,
        None | Some("1") => Mode::HumanMachine,
        Some("2") => Mode::Humans,
        Some("3") => Mode::Replay,
        Some("4") => Mode::Machines,
        Some(other) => {
            let other = Illegal::shown(other);
            let why = format!(
                "mode \"{other}\" does not exist; modes are 1 human against machine, 2 human against human, \
                 3 replay FILE, 4 machine against machine"
            );
            if play.strict {
                return Err(usage(why));
            }
            let why = Illegal::new("bad-number", words::now_mode_1(&why));
            return Ok((Mode::HumanMachine, Some(Fallback { mode: None, why })));
        }
    };
    if mode != Mode::Replay && play.file.is_some() {
        return Err(usage("a move file is replayed with --mode 3; in other modes use the word load"));
    }
    Ok((mode, None))
}

/// Reads the move file in mode 3. Where that fails, turns to mode 1 and gives the reason.
fn replay(play: &cli::Play, settings: &mut Settings) -> Result<Result<Option<Replay>, Fallback>> {
    if settings.mode != Mode::Replay {
        return Ok(Ok(None));
    }
    let why = match &play.file {
        Some(path) => match load(path, &play.board, settings)? {
            Ok(replay) => return Ok(Ok(Some(replay))),
            Err(why) => why,
        },
        None => format!("mode 3 needs a move file, such as --mode 3 {}", settings.entry.example),
    };
    if settings.is_strict {
        return Err(if play.file.is_some() { bad_file(why) } else { usage(why) });
    }
    settings.mode = Mode::HumanMachine;
    Ok(Err(Fallback { mode: Some(3), why: Illegal::new("file", words::now_mode_1(&why)) }))
}

/// The move file at a path, its game put into the settings; the inner error is the file's fault, the outer one a
/// contradiction to the flags.
fn load(path: &Path, flags: &cli::Board, settings: &mut Settings) -> Result<Result<Replay, String>> {
    let shown = Illegal::shown_path(&path.to_string_lossy());
    let bytes = match file::load(path) {
        Ok(bytes) => bytes,
        Err(error @ file::FileError::Missing) => {
            let example = settings.entry.example;
            return Ok(Err(format!("cannot read {shown}: {error}; {example} is one to try")));
        }
        Err(error) => return Ok(Err(format!("cannot read {shown}: {error}"))),
    };
    if let Ok(Some(header)) = record::header(&bytes) {
        if flags.game.is_some() && settings.entry.name != header.game.name {
            let (flag, there) = (settings.entry.name, header.game.name);
            return Err(usage(format!("--game {flag} contradicts {shown}, which is a game of {there}")));
        }
        agree(&settings.variant, &header, &shown)?;
    }
    match record::open(&bytes, settings.entry, &settings.variant) {
        Ok(Opened { entry, variant, script, remarks, .. }) => {
            (settings.entry, settings.variant) = (entry, variant);
            Ok(Ok(Replay { path: shown, script, remarks }))
        }
        Err(bad) => Ok(Err(format!("{shown}:{bad}"))),
    }
}

/// Refuses a flag that says other than a header, or names a setting that its game has not.
fn agree(flags: &Variant, header: &Header, shown: &str) -> Result<()> {
    for key in Variant::KEYS {
        let Some(value) = flags.value(key) else { continue };
        let mut asked = header.variant.clone();
        asked.set(key, &value).expect("a setting reads what it writes");
        header.game.session(&asked).map_err(|error| usage(error.as_flag()))?;
        let [flag, there] = [&asked, &header.variant].map(|variant| header.game.setting(variant, key));
        if let (Some(flag), Some(there)) = (flag, there)
            && flag != there
        {
            let flag = if key == "swap" { "--no-swap".to_owned() } else { format!("--{key} {flag}") };
            return Err(usage(format!("{flag} contradicts {shown}, which has {key}={there}")));
        }
    }
    Ok(())
}

fn level(play: &cli::Play, session: &dyn Session) -> Result<Option<Level>> {
    let Some(text) = &play.level else { return Ok(None) };
    let level = text.trim().parse().ok().filter(|level| session.levels().contains(level));
    let shown = Illegal::shown(text);
    level
        .map(Some)
        .ok_or_else(|| usage(format!("level \"{shown}\" does not exist; levels: {}", words::levels(session))))
}

fn is_quit(text: &str) -> bool {
    ["q", "quit", "exit", "0"].contains(&text.to_lowercase().as_str())
}

/// Lines that answer no word.
fn said(lines: Vec<String>) -> Said {
    Said { word: "new", lines, result: None }
}

/// Asks a person for the game and the size; `None` if the person leaves.
fn ask_what(screen: &mut dyn Screen) -> Result<Option<(&'static Entry, Variant)>> {
    let menu: Vec<String> = registry::GAMES
        .iter()
        .zip(1..)
        .map(|(entry, i)| format!("{i}  {} {}", entry.title, entry.sizes_in_words))
        .collect();
    screen.say(&said(menu))?;
    let entry = loop {
        let Input::Line(line) = screen.ask("game> ")? else {
            return Ok(None);
        };
        let text = line.trim();
        let by_number = text.parse::<usize>().ok().and_then(|i| registry::GAMES.get(i.wrapping_sub(1)));
        match by_number.map_or_else(|| registry::find(text), Ok) {
            _ if text.is_empty() => break &registry::GAMES[0],
            _ if is_quit(text) => return Ok(None),
            Ok(entry) => break entry,
            Err(error) => screen.say(&said(vec![format!("{error}.")]))?,
        }
    };
    loop {
        let prompt = format!("size {} [{}]> ", entry.sizes_in_words, entry.default_size);
        let Input::Line(line) = screen.ask(&prompt)? else { return Ok(None) };
        let text = line.trim();
        let mut variant = Variant::default();
        if is_quit(text) {
            return Ok(None);
        }
        let size = if text.is_empty() { entry.default_size.to_string() } else { text.to_owned() };
        match variant.set("size", &size).and_then(|()| entry.session(&variant)) {
            Ok(_) => return Ok(Some((entry, variant))),
            Err(error) => screen.say(&said(vec![format!("{error}.")]))?,
        }
    }
}

/// The columns of the window that a person reads in.
fn width(is_dialogue: bool) -> Option<usize> {
    let is_window = is_dialogue && io::stdout().is_terminal();
    is_window
        .then(crossterm::terminal::size)?
        .ok()
        .map(|(columns, _)| usize::from(columns))
        .filter(|&columns| columns > 0)
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
