//! `param_game` and `param_engine`: a list of names and values, or one of them set.

use std::time::Duration;

use super::arguments::{fail, number, syntax};
use super::{GtpBoard, GtpState};
use crate::ai::{EngineKind, MAX_THREADS};
use crate::game::Refusal;
use crate::protocol::shell::{CommandResult, Failure, success};

/// Result of setting a parameter; `None` where there is no parameter of this name.
type Set = Option<Result<(), Failure>>;

/// Shows all values, or sets one.
fn param<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
    show: fn(&GtpState<G>) -> Vec<(&'static str, String)>,
    set: fn(&mut GtpState<G>, &str, &str) -> Set,
) -> CommandResult {
    match *arguments {
        [] => {
            let lines = show(gtp).into_iter().map(|(name, value)| format!("{name} {value}"));
            success(&lines.collect::<Vec<_>>().join("\n"))
        }
        [name, value] => match set(gtp, name, value) {
            Some(done) => done.map(|()| String::new()),
            None => Err(format!("unknown parameter: {}", Refusal::shown(name)).into()),
        },
        _ => fail("command needs 0 or 2 arguments"),
    }
}

fn switch(value: &str) -> Result<bool, Failure> {
    syntax(match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })
}

fn format_switch(is_on: bool) -> String {
    u8::from(is_on).to_string()
}

/// `param_game [NAME VALUE]`.
pub(super) fn game<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let show = |gtp: &GtpState<G>| {
        let dialect = if gtp.history.exchanges_players { "benzene" } else { "mirror" };
        vec![
            ("allow_swap", format_switch(gtp.history.may_swap)),
            ("swap_dialect", dialect.to_owned()),
            ("game_time", gtp.time[0].to_string()),
        ]
    };
    param(gtp, arguments, show, set_game)
}

fn set_game<G: GtpBoard>(gtp: &mut GtpState<G>, name: &str, value: &str) -> Set {
    let set = |gtp: &mut GtpState<G>| -> Result<(), Failure> {
        match name {
            "allow_swap" => gtp.history.may_swap = switch(value)?,
            "swap_dialect" => {
                gtp.history.exchanges_players = match value {
                    "mirror" => false,
                    "benzene" => true,
                    _ => return fail("swap_dialect must be mirror or benzene"),
                };
            }
            _ => gtp.set_time([number(value)?, 0, 0]),
        }
        gtp.seats.forget();
        Ok(())
    };
    ["allow_swap", "swap_dialect", "game_time"].contains(&name).then(|| set(gtp))
}

/// `param_engine [NAME VALUE]`.
pub(super) fn engine<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
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
    param(gtp, arguments, show, set_engine)
}

fn set_engine<G: GtpBoard>(gtp: &mut GtpState<G>, name: &str, value: &str) -> Set {
    let set = |gtp: &mut GtpState<G>| -> Result<(), Failure> {
        let seats = &mut gtp.seats;
        match name {
            "level" => {
                let level = value
                    .parse::<EngineKind>()
                    .ok()
                    .filter(|&level| !value.starts_with('+') && seats.has(level));
                seats.level = level.ok_or(Failure::from("unknown level"))?;
            }
            "nodes" => seats.limits.nodes = Some(u64::from(number(value)?)).filter(|&nodes| nodes > 0),
            "movetime_ms" => {
                let time = Duration::from_millis(number(value)?.into());
                seats.limits.time = Some(time).filter(|time| !time.is_zero());
            }
            "threads" => {
                let threads = u16::try_from(number(value)?).ok().filter(|n| (1..=MAX_THREADS).contains(n));
                seats.resources.threads =
                    Some(threads.ok_or(Failure::from("threads must be a number from 1 to 256"))?);
            }
            "seed" => seats.seed = syntax(value.parse().ok().filter(|_| !value.starts_with('+')))?,
            "strict" => gtp.is_strict = switch(value)?,
            _ => gtp.resigns = switch(value)?,
        }
        gtp.seats.forget();
        Ok(())
    };
    let known = ["level", "nodes", "movetime_ms", "threads", "seed", "resign", "strict"];
    known.contains(&name).then(|| set(gtp))
}
