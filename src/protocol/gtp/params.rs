//! GTP commands `param_game` and `param_engine`, which list parameters or set one.

use std::time::Duration;

use super::arguments::{fail_with, or_syntax_error, parse_number};
use super::{GtpBoard, GtpState};
use crate::ai::{EngineKind, MAX_ENGINE_THREADS};
use crate::game::Refusal;
use crate::protocol::shell::{CommandFailure, CommandResult, succeed_with};

/// Result of setting a parameter, or `None` if the name is unknown.
type SetParameterResult = Option<Result<(), CommandFailure>>;

/// Lists all parameters, or sets one.
fn list_or_set_parameter<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
    show: fn(&GtpState<G>) -> Vec<(&'static str, String)>,
    set: fn(&mut GtpState<G>, &str, &str) -> SetParameterResult,
) -> CommandResult {
    match *arguments {
        [] => {
            let lines = show(gtp).into_iter().map(|(name, value)| format!("{name} {value}"));
            succeed_with(&lines.collect::<Vec<_>>().join("\n"))
        }
        [name, value] => match set(gtp, name, value) {
            Some(done) => done.map(|()| String::new()),
            None => Err(format!("unknown parameter: {}", Refusal::sanitize_excerpt(name)).into()),
        },
        _ => fail_with("command needs 0 or 2 arguments"),
    }
}

/// Parses a switch: `0` or `1`.
fn parse_switch(value: &str) -> Result<bool, CommandFailure> {
    or_syntax_error(match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })
}

/// Formats a switch as `0` or `1`.
fn format_switch(is_on: bool) -> String {
    u8::from(is_on).to_string()
}

/// Handles `param_game [NAME VALUE]`.
pub(super) fn handle_param_game<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let show = |gtp: &GtpState<G>| {
        let dialect = if gtp.history.exchanges_players { "benzene" } else { "mirror" };
        vec![
            ("allow_swap", format_switch(gtp.history.may_swap)),
            ("swap_dialect", dialect.to_owned()),
            ("game_time", gtp.time[0].to_string()),
        ]
    };
    list_or_set_parameter(gtp, arguments, show, set_game_parameter)
}

/// Sets a parameter of `param_game`.
fn set_game_parameter<G: GtpBoard>(gtp: &mut GtpState<G>, name: &str, value: &str) -> SetParameterResult {
    let set = |gtp: &mut GtpState<G>| -> Result<(), CommandFailure> {
        match name {
            "allow_swap" => gtp.history.may_swap = parse_switch(value)?,
            "swap_dialect" => {
                gtp.history.exchanges_players = match value {
                    "mirror" => false,
                    "benzene" => true,
                    _ => return fail_with("swap_dialect must be mirror or benzene"),
                };
            }
            _ => gtp.set_clocks([parse_number(value)?, 0, 0]),
        }
        gtp.seats.reset_engines();
        Ok(())
    };
    ["allow_swap", "swap_dialect", "game_time"].contains(&name).then(|| set(gtp))
}

/// Handles `param_engine [NAME VALUE]`.
pub(super) fn handle_param_engine<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let show = |gtp: &GtpState<G>| {
        let limits = &gtp.seats.limits;
        vec![
            ("level", gtp.seats.level.to_string()),
            ("nodes", limits.nodes.unwrap_or(0).to_string()),
            ("movetime_ms", limits.time.map_or(0, |time| time.as_millis()).to_string()),
            ("threads", gtp.seats.resources.thread_count().to_string()),
            ("seed", gtp.seats.seed.to_string()),
            ("resign", format_switch(gtp.resigns)),
            ("strict", format_switch(gtp.is_strict)),
        ]
    };
    list_or_set_parameter(gtp, arguments, show, set_engine_parameter)
}

/// Sets a parameter of `param_engine`.
fn set_engine_parameter<G: GtpBoard>(gtp: &mut GtpState<G>, name: &str, value: &str) -> SetParameterResult {
    let set = |gtp: &mut GtpState<G>| -> Result<(), CommandFailure> {
        let seats = &mut gtp.seats;
        match name {
            "level" => {
                let level = value
                    .parse::<EngineKind>()
                    .ok()
                    .filter(|&level| !value.starts_with('+') && seats.has_level(level));
                seats.level = level.ok_or(CommandFailure::from("unknown level"))?;
            }
            "nodes" => seats.limits.nodes = Some(u64::from(parse_number(value)?)).filter(|&nodes| nodes > 0),
            "movetime_ms" => {
                let time = Duration::from_millis(parse_number(value)?.into());
                seats.limits.time = Some(time).filter(|time| !time.is_zero());
            }
            "threads" => {
                let threads =
                    u16::try_from(parse_number(value)?).ok().filter(|n| (1..=MAX_ENGINE_THREADS).contains(n));
                seats.resources.threads =
                    Some(threads.ok_or(CommandFailure::from("threads must be a number from 1 to 256"))?);
            }
            "seed" => seats.seed = or_syntax_error(value.parse().ok().filter(|_| !value.starts_with('+')))?,
            "strict" => gtp.is_strict = parse_switch(value)?,
            _ => gtp.resigns = parse_switch(value)?,
        }
        gtp.seats.reset_engines();
        Ok(())
    };
    let known = ["level", "nodes", "movetime_ms", "threads", "seed", "resign", "strict"];
    known.contains(&name).then(|| set(gtp))
}
