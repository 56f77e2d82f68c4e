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
use crate::game::{Illegal, Side};
use crate::interrupt::{self, Interrupt};
use crate::messages;
use crate::play::{AfterEnd, Fallback, Leaving, Match, Mode, NewGame, PlayAs, Replay, Rules};
use crate::protocol::{ep5, qtp, read_ahead, read_ahead_and_tell};
use crate::random::fresh_seed;
use crate::record::{self, Header, Strictness, file};
use crate::registry::{self, Entry, Variant};
use crate::session::{History, Position};
use crate::solution;
use crate::ui::json::Json;
use crate::ui::line::{Line, Style};
use crate::ui::log::Log;
use crate::ui::tui::{Looks, Start, Theme, Tui, actions};
use crate::ui::{self, FrontEnd, Inbox, Incoming, Input};
use crate::worker;

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
        Some(Action::Perft(perft)) => run_perft(perft),
        Some(Action::Solve(solve)) => run_solve(solve),
        Some(Action::Bench) => run_bench(),
        Some(Action::Arena(arena)) => run_arena(arena),
        Some(Action::Engine(engine)) => match engine.protocol {
            cli::Protocol::Qtp => run_qtp(engine),
            cli::Protocol::Ep5 => run_ep5(engine),
        },
        Some(Action::Completions { shell }) => print(|text| {
            clap_complete::generate(*shell, &mut Cli::command(), "crosspath", text);
            Ok(())
        }),
        Some(Action::Man) => print(|text| {
            cli::manual(text)?;
            text.write_all(actions::in_roff().as_bytes())
        }),
        None => run_play(&cli.play),
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
    let answer = if solve.json { solution::in_json } else { solution::in_words };
    write_out(answer(&*session, &solved))
}

fn run_bench() -> Result<()> {
    let mut signatures = Vec::new();
    for entry in registry::GAMES {
        let result = bench::run(entry);
        let per_ms = u128::from(result.nodes) / result.elapsed.as_millis().max(1);
        write_out(format!("{} nodes {} speed {per_ms} kN/s\n", entry.name, result.nodes))?;
        signatures.push(format!("{}={}", entry.bench_name, result.signature));
    }
    write_out(format!("Bench: {}\n", signatures.join(" ")))
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
    write_out(if flags.json { report.in_json() } else { report.in_words() })?;
    if report.forfeits() > 0 { Err(failure(1, "there were forfeits")) } else { Ok(()) }
}

fn run_qtp(flags: &cli::Engine) -> Result<()> {
    if let Some(word) = flags.arguments.first() {
        return Err(usage(format!("qtp takes no argument, but there is \"{}\"", Illegal::shown(word))));
    }
    if flags.no_swap {
        return Err(usage("--no-swap means nothing to qtp"));
    }
    let options = qtp::Options {
        variant: engine_variant(flags)?,
        level: engine_level(flags, "; try classic or 1")?,
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

/// The board of a protocol.
fn engine_variant(flags: &cli::Engine) -> Result<Variant> {
    let cli::Engine { size, walls, .. } = flags;
    variant(&cli::Board { size: size.clone(), walls: walls.clone(), ..cli::Board::default() })
}

/// The level of a protocol's engine; `hint` ends the message where there is none.
fn engine_level(flags: &cli::Engine, hint: &str) -> Result<Option<Level>> {
    let Some(text) = &flags.level else { return Ok(None) };
    let wrong = || usage(format!("level \"{}\" does not exist{hint}", Illegal::shown(text)));
    text.trim().parse().map(Some).map_err(|()| wrong())
}

fn run_ep5(flags: &cli::Engine) -> Result<()> {
    let words: Vec<&str> = flags.arguments.iter().map(String::as_str).collect();
    let (own, draws_board) = match words.as_slice() {
        ["b"] => (Side::First, false),
        ["p"] => (Side::Second, false),
        ["b", "d"] => (Side::First, true),
        ["p", "d"] => (Side::Second, true),
        _ => {
            let why = "ep5 takes b (we start) or p, and d to draw the board: crosspath engine --protocol ep5 b|p [d]";
            return Err(usage(why));
        }
    };
    let variant = engine_variant(flags)?;
    for (is_given, flag) in
        [(flags.walls.is_some(), "--walls"), (flags.stats, "--stats"), (flags.log.is_some(), "--log")]
    {
        if is_given {
            return Err(usage(format!("{flag} means nothing to ep5")));
        }
    }
    let options = ep5::Options {
        own,
        draws_board,
        size: variant.size.unwrap_or(ep5::DEFAULT_SIZE),
        may_swap: !flags.no_swap,
        level: engine_level(flags, "")?,
        limits: Limits::from(flags.limits).or(Limits { time: Some(EP5_TIME), ..Limits::default() }),
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
    let (mut count, stop) = (1, AtomicBool::new(false));
    for depth in 1..=perft.depth {
        // Where no game is so long, none is longer.
        if count > 0 {
            count = session.perft(depth, perft.threads.into(), &stop).expect("nobody stops it");
        }
        write_out(format!("{depth} {count}\n"))?;
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
    let is_able = setting("TERM").is_some_and(|term| term != "dumb");
    Ok(play.tui || (is_terminal && is_able && !play.plain && !play.json))
}

/// Plays on the full screen, game after game as the player chooses them.
fn run_on_screen(play: &cli::Play) -> Result<()> {
    let looks = Looks {
        glyphs: glyphs(play.glyphs),
        theme: if play.theme == cli::Theme::Mono { Theme::Mono } else { Theme::Terminal },
        has_colour: has_colour(play.color),
        has_mouse: play.mouse == cli::Switch::On,
        has_stats: play.stats,
    };
    let log = log(play)?; // a log that cannot be written is no reason to draw a screen first
    let inbox = Inbox::default();
    let mut screen = Tui::new(looks, inbox.sender());
    let mut wanted = wanted(play)?;
    if play.is_open() {
        match screen.menu(play.limits.into(), &inbox).context("cannot go on")? {
            None => return leave(screen.code()),
            Some(Start::Game(spec)) => wanted.spec = *spec,
            Some(Start::File(path)) => {
                wanted.spec.mode = Mode::Replay;
                replay_of(&path, &cli::Board::default(), &mut wanted)?;
            }
        }
    }
    let mut game = wanted.into_match(play, AfterEnd::Stay)?;
    play_on(&mut game, &mut screen, &inbox, log)?;
    leave(screen.code())
}

/// Ends with this exit code; all has been said.
fn leave(code: u8) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(failure(code, "")) }
}

fn run_play(play: &cli::Play) -> Result<()> {
    if is_full_screen(play)? {
        return run_on_screen(play);
    }
    let is_dialogue = io::stdin().is_terminal() && !play.json;
    let (inbox, interrupt) = (Inbox::default(), Interrupt::default());
    let sender = inbox.sender();
    interrupt.wake_by(move || _ = sender.send(Incoming::Interrupt)); // nobody waits any more
    let out = BufWriter::new(io::stdout());
    // A thought by time is cut short when no more input will come; any other must be the same every time.
    let input: Box<dyn BufRead> = if play.limits.movetime.is_some() {
        let sender = inbox.sender();
        let told = move || _ = sender.send(Incoming::InputEnded);
        Box::new(read_ahead_and_tell(io::stdin(), told).context("cannot read")?)
    } else {
        Box::new(io::stdin().lock())
    };
    let log = log(play)?;
    if play.json {
        let mut game = wanted(play)?.into_match(play, AfterEnd::Leave)?;
        return play_on(&mut game, &mut Json::new(input, out, glyphs(play.glyphs)), &inbox, log);
    }
    let (has_colour, glyphs, width) = (has_colour(play.color), glyphs(play.glyphs), width(is_dialogue));
    let style = Style { is_dialogue, has_colour, glyphs, width, has_stats: play.stats };
    let mut line = Line::new(input, out, io::stderr(), style).with_interrupt(interrupt.clone());
    let mut wanted = wanted(play)?;
    if is_dialogue {
        interrupt.watch();
    }
    if play.is_open() && is_dialogue {
        match ask_what(&mut line)? {
            Some(chosen) => (wanted.spec.entry, wanted.spec.variant) = chosen,
            None => return Ok(()),
        }
    }
    play_on(&mut wanted.into_match(play, AfterEnd::Ask)?, &mut line, &inbox, log)
}

/// The log that is asked for.
fn log(play: &cli::Play) -> Result<Option<Log>> {
    play.log.as_ref().map(|path| Ok(Log::new(Box::new(log_file(path)?)))).transpose()
}

fn play_on<F: FrontEnd>(
    (game, fallback): &mut Started,
    front: &mut F,
    inbox: &Inbox<F::Event>,
    mut log: Option<Log>,
) -> Result<()> {
    let leaving = ui::run(game, front, log.as_mut(), inbox, fallback.take(), worker::machines());
    match leaving.context("cannot go on")? {
        Leaving::Done(_) => Ok(()),
        Leaving::Refused => Err(bad_file(String::new())),
        Leaving::BadFile(stuck) => Err(bad_file(messages::stuck_in_words(&stuck))),
        Leaving::Failed(why) => Err(failure(1, why)),
    }
}

/// What is to be played, as far as the command line says it.
struct Wanted {
    spec: NewGame,
    replay: Option<Replay>,
    fallback: Option<Fallback>,
    strictness: Strictness,
}

impl Wanted {
    fn into_match(mut self, play: &cli::Play, after_end: AfterEnd) -> Result<Started> {
        let start = self.spec.entry.start(&self.spec.variant).map_err(|error| usage(error.as_flag()))?;
        if play.level.is_some() {
            self.spec.level = level(play, &*start)?;
        }
        let seed = play.seed.unwrap_or_else(fresh_seed);
        let rules = Rules { seed, strictness: self.strictness, after_end };
        let game = Match::new(rules, self.spec, self.replay).map_err(|error| usage(error.as_flag()))?;
        Ok((game, self.fallback))
    }

    /// Turns to mode 1 and keeps the reason, or fails where nothing is forgiven.
    fn falls_back(&mut self, why: String, fail: fn(String) -> anyhow::Error) -> Result<()> {
        if self.strictness == Strictness::Strict {
            return Err(fail(why));
        }
        self.spec.mode = Mode::HumanMachine;
        let why = Illegal::new("file", messages::now_mode_1(&why));
        self.fallback = Some(Fallback { mode: Some(3), why });
        Ok(())
    }
}

/// A match and what was asked for instead.
type Started = (Match, Option<Fallback>);

fn wanted(play: &cli::Play) -> Result<Wanted> {
    let (mode, fallback) = mode(play)?;
    let (entry, variant) = board(&play.board)?;
    let play_as = match play.play_as {
        None | Some(cli::Side::First) => PlayAs::First,
        Some(cli::Side::Second) => PlayAs::Second,
        Some(cli::Side::Random) => PlayAs::Random,
    };
    let spec = NewGame { variant, mode, play_as, limits: play.limits.into(), ..NewGame::of(entry) };
    let strictness = if play.strict { Strictness::Strict } else { Strictness::Forgiving };
    let mut wanted = Wanted { spec, replay: None, fallback, strictness };
    if mode == Mode::Replay {
        if let Some(path) = &play.file {
            replay_of(path, &play.board, &mut wanted)?;
        } else {
            let why = format!("mode 3 needs a move file, such as --mode 3 {}", entry.example);
            wanted.falls_back(why, usage)?;
        }
    }
    Ok(wanted)
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
            let why = Illegal::new("bad-number", messages::now_mode_1(&why));
            return Ok((Mode::HumanMachine, Some(Fallback { mode: None, why })));
        }
    };
    if mode != Mode::Replay && play.file.is_some() {
        return Err(usage("a move file is replayed with --mode 3; in other modes use the word load"));
    }
    Ok((mode, None))
}

/// Reads the move file of mode 3: its game is what is wanted then. A file that contradicts the flags is an error, one
/// that cannot be read is none.
fn replay_of(path: &Path, flags: &cli::Board, wanted: &mut Wanted) -> Result<()> {
    let shown = Illegal::shown_path(&path.to_string_lossy());
    let spec = &mut wanted.spec;
    let bytes = match file::load(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let more = match error {
                file::FileError::Missing => format!("; {} is one to try", spec.entry.example),
                _ => String::new(),
            };
            return wanted.falls_back(format!("cannot read {shown}: {error}{more}"), bad_file);
        }
    };
    if let Ok(Some(header)) = record::header(&bytes) {
        if flags.game.is_some() && spec.entry.name != header.game.name {
            let (flag, there) = (spec.entry.name, header.game.name);
            return Err(usage(format!("--game {flag} contradicts {shown}, which is a game of {there}")));
        }
        agree(&spec.variant, &header, &shown)?;
    }
    match record::load(&bytes, spec.entry, &spec.variant, wanted.strictness) {
        Ok(record) => {
            (spec.entry, spec.variant) = (record.entry, record.variant.clone());
            wanted.replay = Some(Replay { path: shown, record: Box::new(record) });
            Ok(())
        }
        Err(bad) => wanted.falls_back(format!("{shown}:{bad}"), bad_file),
    }
}

/// Refuses a flag that says other than a header, or names a setting that its game has not.
fn agree(flags: &Variant, header: &Header, shown: &str) -> Result<()> {
    for key in Variant::KEYS {
        let Some(value) = flags.value(key) else { continue };
        let mut asked = header.variant.clone();
        asked.set(key, &value).expect("a setting reads what it writes");
        header.game.start(&asked).map_err(|error| usage(error.as_flag()))?;
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

fn level(play: &cli::Play, position: &dyn Position) -> Result<Option<Level>> {
    let Some(text) = &play.level else { return Ok(None) };
    let level = text.trim().parse().ok().filter(|level| position.levels().contains(level));
    let shown = Illegal::shown(text);
    level.map(Some).ok_or_else(|| {
        usage(format!("level \"{shown}\" does not exist; levels: {}", messages::levels(position)))
    })
}

fn is_quit(text: &str) -> bool {
    ["q", "quit", "exit", "0"].contains(&text.to_lowercase().as_str())
}

/// Asks a person for the game and the size; `None` if the person leaves.
fn ask_what<I: BufRead, O: Write, E: Write>(
    screen: &mut Line<I, O, E>,
) -> Result<Option<(&'static Entry, Variant)>> {
    let row = |(entry, i): (&Entry, usize)| format!("{i}  {} {}", entry.title, entry.sizes_in_words);
    screen.say(&registry::GAMES.iter().zip(1..).map(row).collect::<Vec<_>>())?;
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
            Err(error) => screen.say(&[format!("{error}.")])?,
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
        match variant.set("size", &size).and_then(|()| entry.start(&variant)) {
            Ok(_) => return Ok(Some((entry, variant))),
            Err(error) => screen.say(&[format!("{error}.")])?,
        }
    }
}

/// The columns of the window that a person reads in.
fn width(is_dialogue: bool) -> Option<usize> {
    let is_window = is_dialogue && io::stdout().is_terminal();
    let (columns, _) = is_window.then(crossterm::terminal::size)?.ok()?;
    (columns > 0).then_some(columns.into())
}

/// A variable of the environment; an empty one counts as none.
fn setting(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Whether the answers are coloured.
fn has_colour(when: cli::When) -> bool {
    let is_forced = setting("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let is_dumb = setting("TERM").is_some_and(|term| term == "dumb");
    let has_colour = match when {
        cli::When::Always => true,
        cli::When::Never => false,
        cli::When::Auto => {
            setting("NO_COLOR").is_none() && (is_forced || (!is_dumb && io::stdout().is_terminal()))
        }
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
            let locale =
                ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| setting(name)?.into_string().ok());
            let is_utf8 =
                locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
            let is_console = setting("TERM").is_some_and(|term| term == "linux");
            if is_utf8 && !is_console { Glyphs::Unicode } else { Glyphs::Ascii }
        }
    }
}
