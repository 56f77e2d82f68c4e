//! Command `crosspath engine`: serves another program as an engine.
//!
//! The programs communicate over standard input and output.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};

use super::request::{describe_unfit_engine, load_network};
use super::{bad_file_error, open_log_file, parse_level_flag, usage_error};
use crate::ai::{
    EngineConfig, EngineKind, EngineResources, EngineSpec, EngineSpecError, Limits, NetworkWeights,
    TuningOverrides,
};
use crate::cli;
use crate::game::{Refusal, SIZE_KEY, Side};
use crate::platform;
use crate::protocol::shell::ProtocolSession;
use crate::protocol::{ep5, gtp, qtp};
use crate::random::seed_from_os;
use crate::record::disk;
use crate::registry::{RegisteredGame, Variant, find_game};
use crate::stdin::read_input_ahead;

/// Runs `crosspath engine`.
pub(super) fn run_engine_command(flags: &cli::EngineArgs, variant: Variant) -> Result<()> {
    match flags.protocol {
        cli::ProtocolArg::Gtp => serve_gtp(flags, &variant),
        cli::ProtocolArg::Qtp => {
            check_protocol_game(flags, qtp::QTP_GAME_NAME).and_then(|()| serve_qtp(flags, variant))
        }
        cli::ProtocolArg::Ep5 => {
            check_protocol_game(flags, ep5::EP5_GAME_NAME).and_then(|()| serve_ep5(flags, variant))
        }
    }
}

/// Rejects a game that the protocol does not support.
fn check_protocol_game(flags: &cli::EngineArgs, own: &str) -> Result<()> {
    let game = flags.game.as_deref().map(find_game).transpose().map_err(usage_error)?;
    match game.filter(|entry| entry.name != own) {
        Some(other) => {
            let why = "is not available over this protocol, which plays";
            Err(usage_error(format!("--game {} {why} {own}", other.name)))
        }
        None => Ok(()),
    }
}

/// Rejects flags that only GTP supports.
fn reject_gtp_flags(flags: &cli::EngineArgs, protocol: &str) -> Result<()> {
    for (is_given, flag) in
        [(flags.config.is_some(), "--config"), (flags.swap_dialect.is_some(), "--swap-dialect")]
    {
        if is_given {
            return Err(usage_error(format!("{flag} has no effect with {protocol}")));
        }
    }
    Ok(())
}

/// Rejects arguments for a protocol that takes none.
fn reject_arguments(flags: &cli::EngineArgs, protocol: &str) -> Result<()> {
    match flags.arguments.first() {
        Some(word) => Err(usage_error(format!(
            "{protocol} takes no argument; remove \"{}\"",
            Refusal::sanitize_excerpt(word)
        ))),
        None => Ok(()),
    }
}

/// Answers the lines of standard input.
fn serve_protocol(engine: &mut dyn ProtocolSession, flags: &cli::EngineArgs) -> Result<()> {
    if let Some(path) = &flags.log {
        engine.log_to(open_log_file(path)?);
    }
    platform::exit_on_signal_or_closed_stdout();
    if let Some(path) = &flags.config {
        run_command_file(engine, path)?;
    }
    let (mut input, ahead) = read_input_ahead(io::stdin()).context("cannot read")?;
    engine.set_read_ahead(ahead);
    let served = engine.serve_input(&mut input, &mut io::stdout().lock()).context("cannot continue");
    if let Some((error, path)) = engine.log_error().zip(flags.log.as_ref()) {
        // A failed write to standard error is ignored.
        let (path, why) = (Refusal::sanitize_path(path), disk::describe_io_error(error));
        let _ = writeln!(io::stderr(), "warning: the log {path} is incomplete: {why}");
    }
    served
}

/// Engine selected by the flags.
struct ChosenEngine {
    level: Option<EngineKind>,
    limits: Limits,
    seed: Option<u64>,
    resources: EngineResources,
    weights: Option<Arc<NetworkWeights>>,
    tuning: TuningOverrides,
}

/// Selects the engine that plays. Flags override the limits, seed and resources of the engine specification.
///
/// # Errors
/// Returns an error if there is no such engine, or the named file holds no network of the game.
fn choose_engine(flags: &cli::EngineArgs, entry: &RegisteredGame, variant: &Variant) -> Result<ChosenEngine> {
    let (limits, seed, resources) =
        (Limits::from(flags.limits), flags.seed, EngineResources::from(flags.resources));
    let engine = match &flags.engine {
        None => {
            let level = parse_level_flag(flags.level.as_ref(), entry.levels())?;
            let weights = load_network(flags.net.as_deref())?;
            ChosenEngine { level, limits, seed, resources, weights, tuning: TuningOverrides::EMPTY }
        }
        Some(text) => {
            let wrong =
                |why: &dyn Display| usage_error(format!("--engine {}: {why}", Refusal::sanitize_path(text)));
            let own: EngineSpec = text.parse().map_err(|why: EngineSpecError| wrong(&why))?;
            let own = own.load_weights(disk::load_network_weights).map_err(|why| wrong(&why))?;
            ChosenEngine {
                level: Some(entry.check_level(own.level).map_err(|why| wrong(&why))?),
                limits: limits.or_if_unlimited(own.limits),
                seed: seed.or(own.seed),
                resources: resources.with_fallback(own.resources),
                weights: own.net,
                tuning: own.tuning,
            }
        }
    };
    if engine.weights.is_some() || engine.tuning != TuningOverrides::EMPTY {
        let start = entry.start_position(variant).map_err(|error| usage_error(error.to_flag_message()))?;
        let (weights, tuning) = (engine.weights.clone(), engine.tuning.clone());
        let config = EngineConfig { weights, tuning, ..EngineConfig::new(0, 0) };
        if let Some(why) = describe_unfit_engine(EngineKind::Net, &config, &*start, entry) {
            return Err(usage_error(why));
        }
    }
    Ok(engine)
}

/// Runs an engine over GTP.
fn serve_gtp(flags: &cli::EngineArgs, variant: &Variant) -> Result<()> {
    reject_arguments(flags, "gtp")?;
    if flags.stats {
        return Err(usage_error("--stats has no effect with gtp"));
    }
    let entry = find_game(flags.game.as_deref().unwrap_or(gtp::GTP_GAME_NAMES[0])).map_err(usage_error)?;
    if !gtp::GTP_GAME_NAMES.contains(&entry.name) {
        return Err(usage_error(format!(
            "gtp plays {}; use qtp for {}",
            gtp::GTP_GAME_NAMES.join(" and "),
            entry.title
        )));
    }
    let board = entry.resolve_board(variant).map_err(|error| usage_error(error.to_flag_message()))?;
    let settings = entry.settings.iter().filter(|setting| setting.key != SIZE_KEY);
    if let Some(setting) = settings.into_iter().find(|setting| variant.value(setting.key).is_some()) {
        return Err(usage_error(format!(
            "--{} has no effect with gtp, where the other program sets it",
            setting.flag
        )));
    }
    let ChosenEngine { level, limits, seed, resources, weights, tuning } =
        choose_engine(flags, entry, variant)?;
    let size = variant.value(SIZE_KEY).map(|_| board.width);
    let swap_dialect = match flags.swap_dialect {
        None | Some(cli::SwapDialectArg::Mirror) => gtp::GtpSwapDialect::Mirror,
        Some(cli::SwapDialectArg::Benzene) => gtp::GtpSwapDialect::Benzene,
    };
    let options = gtp::GtpOptions { size, level, limits, seed, resources, weights, tuning, swap_dialect };
    let mut engine = gtp::open_gtp_session(entry.name, &options).map_err(usage_error)?;
    serve_protocol(&mut *engine, flags)
}

/// Runs the commands of a file without printing the answers.
///
/// # Errors
/// Returns an error if the file cannot be read, or a command fails.
fn run_command_file(engine: &mut dyn ProtocolSession, path: &Path) -> Result<()> {
    let shown = Refusal::sanitize_path(path);
    let text = disk::load_move_file(path)
        .map_err(|error| bad_file_error(format!("cannot read {shown}: {error}")))?;
    for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
        let mut answer = Vec::new();
        engine.serve_input(&mut &*line, &mut answer).context("cannot continue")?;
        let answer = String::from_utf8_lossy(&answer);
        if let Some(why) = answer.strip_prefix('?') {
            return Err(bad_file_error(format!(
                "{shown}:{number}: {}",
                Refusal::sanitize_path(why.trim_start_matches(|c: char| c.is_ascii_digit()).trim())
            )));
        }
    }
    Ok(())
}

/// Runs an engine over QTP.
fn serve_qtp(flags: &cli::EngineArgs, variant: Variant) -> Result<()> {
    reject_arguments(flags, "qtp")?;
    reject_gtp_flags(flags, "qtp")?;
    let entry = find_game(qtp::QTP_GAME_NAME).map_err(usage_error)?;
    let ChosenEngine { level, limits, seed, resources, weights, tuning } =
        choose_engine(flags, entry, &variant)?;
    let has_stats = flags.stats;
    let options = qtp::QtpOptions { variant, level, limits, seed, resources, weights, tuning, has_stats };
    let mut engine = qtp::QtpSession::new(&options).map_err(|error| match error {
        qtp::QtpStartError::Board(error) => usage_error(error.to_flag_message()),
        qtp::QtpStartError::Level(error) => usage_error(format!("--{error}")),
    })?;
    serve_protocol(&mut engine, flags)
}

/// Runs an engine over EP5.
fn serve_ep5(flags: &cli::EngineArgs, variant: Variant) -> Result<()> {
    let words: Vec<&str> = flags.arguments.iter().map(String::as_str).collect();
    let (own, draws_board) = match words.as_slice() {
        ["b"] => (Side::First, false),
        ["p"] => (Side::Second, false),
        ["b", "d"] => (Side::First, true),
        ["p", "d"] => (Side::Second, true),
        _ => {
            let takes = "ep5 takes b (moves first) or p, and optionally d to draw the board: crosspath engine --protocol ep5 b|p [d]";
            let got = Refusal::sanitize_excerpt(&words.join(" "));
            let why = if got.is_empty() { got } else { format!("\"{got}\" is not a valid argument; ") };
            return Err(usage_error(why + takes));
        }
    };
    reject_gtp_flags(flags, "ep5")?;
    for (is_given, flag) in [(flags.stats, "--stats"), (flags.log.is_some(), "--log")] {
        if is_given {
            return Err(usage_error(format!("{flag} has no effect with ep5")));
        }
    }
    let asked = if variant.value(SIZE_KEY).is_some() {
        variant
    } else {
        variant.with_setting(SIZE_KEY, ep5::DEFAULT_EP5_BOARD_SIZE)
    };
    let entry = find_game(ep5::EP5_GAME_NAME).map_err(usage_error)?;
    let board = entry.resolve_board(&asked).map_err(|error| usage_error(error.to_flag_message()))?;
    let ChosenEngine { level, limits, seed, resources, weights, tuning } =
        choose_engine(flags, entry, &asked)?;
    let options = ep5::Ep5Options {
        own,
        draws_board,
        size: board.width,
        may_swap: board.is_switch_on("swap"),
        level,
        limits: limits.or_if_unlimited(Limits { time: Some(EP5_DEFAULT_MOVE_TIME), ..Limits::default() }),
        seed: seed.unwrap_or_else(seed_from_os),
        resources,
        weights,
        tuning,
    };
    let game = ep5::Ep5Session::new(&options).map_err(usage_error)?;
    platform::exit_on_signal_or_closed_stdout();
    let (input, ahead) = read_input_ahead(io::stdin()).context("cannot read")?;
    game.with_eof_flag(ahead.eof_flag())
        .serve(input, io::stdout().lock(), io::stderr())
        .context("cannot continue")
}

/// Default time per move. The tournament allows 300 ms.
const EP5_DEFAULT_MOVE_TIME: Duration = Duration::from_millis(250);
