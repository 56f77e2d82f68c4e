//! `crosspath engine`: an engine for another program, over standard input and output.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};

use super::request::{network, why_unfit};
use super::{bad_file, level, log_file, usage};
use crate::ai::{EngineConfig, EngineKind, EngineResources, EngineSpec, Limits, SpecError, Tuning, Weights};
use crate::cli;
use crate::game::{Refusal, SIZE, Side};
use crate::platform;
use crate::protocol::shell::Dialogue;
use crate::protocol::{ep5, gtp, qtp};
use crate::random::fresh_seed;
use crate::record::disk;
use crate::registry::{Entry, Variant, find};
use crate::stdin::read_ahead;

pub(super) fn run(flags: &cli::Engine, variant: Variant) -> Result<()> {
    match flags.protocol {
        cli::Protocol::Gtp => run_gtp(flags, &variant),
        cli::Protocol::Qtp => plays(flags, qtp::GAME).and_then(|()| run_qtp(flags, variant)),
        cli::Protocol::Ep5 => plays(flags, ep5::GAME).and_then(|()| run_ep5(flags, variant)),
    }
}

/// Refuses a game that is not the one of a protocol.
fn plays(flags: &cli::Engine, own: &str) -> Result<()> {
    let game = flags.game.as_deref().map(find).transpose().map_err(usage)?;
    match game.filter(|entry| entry.name != own) {
        Some(other) => {
            let why = "is not available over this protocol, which plays";
            Err(usage(format!("--game {} {why} {own}", other.name)))
        }
        None => Ok(()),
    }
}

/// Refuses flags that only GTP has.
fn has_no_gtp_flag(flags: &cli::Engine, protocol: &str) -> Result<()> {
    for (is_given, flag) in
        [(flags.config.is_some(), "--config"), (flags.swap_dialect.is_some(), "--swap-dialect")]
    {
        if is_given {
            return Err(usage(format!("{flag} has no effect with {protocol}")));
        }
    }
    Ok(())
}

fn takes_no_argument(flags: &cli::Engine, protocol: &str) -> Result<()> {
    match flags.arguments.first() {
        Some(word) => {
            Err(usage(format!("{protocol} takes no argument; remove \"{}\"", Refusal::shown(word))))
        }
        None => Ok(()),
    }
}

/// Answers the lines of standard input.
fn serve(engine: &mut dyn Dialogue, flags: &cli::Engine) -> Result<()> {
    if let Some(path) = &flags.log {
        engine.log_to(log_file(path)?);
    }
    platform::exit_on_signal_or_closed_stdout();
    if let Some(path) = &flags.config {
        run_file(engine, path)?;
    }
    let (mut input, ahead) = read_ahead(io::stdin()).context("cannot read")?;
    engine.look_ahead(ahead);
    let served = engine.answer_all(&mut input, &mut io::stdout().lock()).context("cannot continue");
    if let Some((error, path)) = engine.log_fault().zip(flags.log.as_ref()) {
        // Without standard error nobody misses it.
        let (path, why) = (Refusal::shown_path(path), disk::describe_io_error(error));
        let _ = writeln!(io::stderr(), "warning: the log {path} is incomplete: {why}");
    }
    served
}

/// Engine that plays, as the flags name it.
struct ChosenEngine {
    level: Option<EngineKind>,
    limits: Limits,
    seed: Option<u64>,
    resources: EngineResources,
    weights: Option<Arc<Weights>>,
    tuning: Tuning,
}

/// Reads the engine that plays. An engine that is named brings limits, a seed and resources; flags
/// override them.
///
/// # Errors
/// If there is no such engine, or the file that is named holds no network of the game.
fn chosen_engine(flags: &cli::Engine, entry: &Entry, variant: &Variant) -> Result<ChosenEngine> {
    let (limits, seed, resources) =
        (Limits::from(flags.limits), flags.seed, EngineResources::from(flags.resources));
    let engine = match &flags.engine {
        None => {
            let level = level(flags.level.as_ref(), entry.levels())?;
            let weights = network(flags.net.as_deref())?;
            ChosenEngine { level, limits, seed, resources, weights, tuning: Tuning::NONE }
        }
        Some(text) => {
            let wrong = |why: &dyn Display| usage(format!("--engine {}: {why}", Refusal::shown_path(text)));
            let own: EngineSpec = text.parse().map_err(|why: SpecError| wrong(&why))?;
            let own = own.load(disk::weights).map_err(|why| wrong(&why))?;
            ChosenEngine {
                level: Some(entry.check_level(own.level).map_err(|why| wrong(&why))?),
                limits: limits.or(own.limits),
                seed: seed.or(own.seed),
                resources: resources.or(own.resources),
                weights: own.net,
                tuning: own.tuning,
            }
        }
    };
    if engine.weights.is_some() || engine.tuning != Tuning::NONE {
        let start = entry.start(variant).map_err(|error| usage(error.as_flag()))?;
        let (weights, tuning) = (engine.weights.clone(), engine.tuning.clone());
        let config = EngineConfig { weights, tuning, ..EngineConfig::new(0, 0) };
        if let Some(why) = why_unfit(EngineKind::Net, &config, &*start, entry) {
            return Err(usage(why));
        }
    }
    Ok(engine)
}

fn run_gtp(flags: &cli::Engine, variant: &Variant) -> Result<()> {
    takes_no_argument(flags, "gtp")?;
    if flags.stats {
        return Err(usage("--stats has no effect with gtp"));
    }
    let entry = find(flags.game.as_deref().unwrap_or(gtp::GAMES[0])).map_err(usage)?;
    if !gtp::GAMES.contains(&entry.name) {
        return Err(usage(format!("gtp plays {}; use qtp for {}", gtp::GAMES.join(" and "), entry.title)));
    }
    let board = entry.choose(variant).map_err(|error| usage(error.as_flag()))?;
    let settings = entry.settings.iter().filter(|setting| setting.key != SIZE);
    if let Some(setting) = settings.into_iter().find(|setting| variant.value(setting.key).is_some()) {
        return Err(usage(format!(
            "--{} has no effect with gtp, where the other program sets it",
            setting.flag
        )));
    }
    let ChosenEngine { level, limits, seed, resources, weights, tuning } =
        chosen_engine(flags, entry, variant)?;
    let size = variant.value(SIZE).map(|_| board.width);
    let swap_dialect = match flags.swap_dialect {
        None | Some(cli::SwapDialect::Mirror) => gtp::SwapDialect::Mirror,
        Some(cli::SwapDialect::Benzene) => gtp::SwapDialect::Benzene,
    };
    let options = gtp::GtpOptions { size, level, limits, seed, resources, weights, tuning, swap_dialect };
    let mut engine = gtp::open(entry.name, &options).map_err(usage)?;
    serve(&mut *engine, flags)
}

/// Runs the commands of a file without answering them.
///
/// # Errors
/// If the file cannot be read, or a command fails.
fn run_file(engine: &mut dyn Dialogue, path: &Path) -> Result<()> {
    let shown = Refusal::shown_path(path);
    let text = disk::load(path).map_err(|error| bad_file(format!("cannot read {shown}: {error}")))?;
    for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
        let mut answer = Vec::new();
        engine.answer_all(&mut &*line, &mut answer).context("cannot continue")?;
        let answer = String::from_utf8_lossy(&answer);
        if let Some(why) = answer.strip_prefix('?') {
            return Err(bad_file(format!(
                "{shown}:{number}: {}",
                Refusal::shown_path(why.trim_start_matches(|c: char| c.is_ascii_digit()).trim())
            )));
        }
    }
    Ok(())
}

fn run_qtp(flags: &cli::Engine, variant: Variant) -> Result<()> {
    takes_no_argument(flags, "qtp")?;
    has_no_gtp_flag(flags, "qtp")?;
    let entry = find(qtp::GAME).map_err(usage)?;
    let ChosenEngine { level, limits, seed, resources, weights, tuning } =
        chosen_engine(flags, entry, &variant)?;
    let has_stats = flags.stats;
    let options = qtp::QtpOptions { variant, level, limits, seed, resources, weights, tuning, has_stats };
    let mut engine = qtp::Qtp::new(&options).map_err(|error| match error {
        qtp::QtpStartError::Board(error) => usage(error.as_flag()),
        qtp::QtpStartError::Level(error) => usage(format!("--{error}")),
    })?;
    serve(&mut engine, flags)
}

fn run_ep5(flags: &cli::Engine, variant: Variant) -> Result<()> {
    let words: Vec<&str> = flags.arguments.iter().map(String::as_str).collect();
    let (own, draws_board) = match words.as_slice() {
        ["b"] => (Side::First, false),
        ["p"] => (Side::Second, false),
        ["b", "d"] => (Side::First, true),
        ["p", "d"] => (Side::Second, true),
        _ => {
            let takes = "ep5 takes b (moves first) or p, and optionally d to draw the board: crosspath engine --protocol ep5 b|p [d]";
            let got = Refusal::shown(&words.join(" "));
            let why = if got.is_empty() { got } else { format!("\"{got}\" is not a valid argument; ") };
            return Err(usage(why + takes));
        }
    };
    has_no_gtp_flag(flags, "ep5")?;
    for (is_given, flag) in [(flags.stats, "--stats"), (flags.log.is_some(), "--log")] {
        if is_given {
            return Err(usage(format!("{flag} has no effect with ep5")));
        }
    }
    let asked = if variant.value(SIZE).is_some() { variant } else { variant.with(SIZE, ep5::DEFAULT_SIZE) };
    let entry = find(ep5::GAME).map_err(usage)?;
    let board = entry.choose(&asked).map_err(|error| usage(error.as_flag()))?;
    let ChosenEngine { level, limits, seed, resources, weights, tuning } =
        chosen_engine(flags, entry, &asked)?;
    let options = ep5::Ep5Options {
        own,
        draws_board,
        size: board.width,
        may_swap: board.is_on("swap"),
        level,
        limits: limits.or(Limits { time: Some(EP5_TIME), ..Limits::default() }),
        seed: seed.unwrap_or_else(fresh_seed),
        resources,
        weights,
        tuning,
    };
    let game = ep5::Ep5::new(&options).map_err(usage)?;
    platform::exit_on_signal_or_closed_stdout();
    let (input, ahead) = read_ahead(io::stdin()).context("cannot read")?;
    game.with_end_flag(ahead.end_flag())
        .serve(input, io::stdout().lock(), io::stderr())
        .context("cannot continue")
}

/// Time for a move where none is given: the limit of the tournament is 300 ms.
const EP5_TIME: Duration = Duration::from_millis(250);
