//! `crosspath engine`: an engine for another program, over standard input and output.

use std::io;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{level, log_file, usage};
use crate::ai::Limits;
use crate::cli;
use crate::game::{Refusal, SIZE, Side};
use crate::interrupt;
use crate::protocol::{ep5, qtp, read_ahead};
use crate::random::fresh_seed;
use crate::registry::{Entry, Variant, find};

pub(super) fn run(flags: &cli::Engine, variant: Variant) -> Result<()> {
    match flags.protocol {
        cli::Protocol::Qtp => run_qtp(flags, variant),
        cli::Protocol::Ep5 => run_ep5(flags, variant),
    }
}

fn run_qtp(flags: &cli::Engine, variant: Variant) -> Result<()> {
    if let Some(word) = flags.arguments.first() {
        return Err(usage(format!("qtp takes no argument, but there is \"{}\"", Refusal::shown(word))));
    }
    let options = qtp::Options {
        variant,
        level: level(flags.level.as_ref(), &find(qtp::GAME).map(Entry::levels).unwrap_or_default())?,
        limits: flags.limits.into(),
        seed: flags.seed,
        has_stats: flags.stats,
    };
    let mut engine = qtp::Qtp::new(&options).map_err(|error| match error {
        qtp::StartError::Board(error) => usage(error.as_flag()),
        qtp::StartError::Level(error) => usage(format!("--{error}")),
    })?;
    if let Some(path) = &flags.log {
        engine = engine.with_log(log_file(path)?);
    }
    interrupt::leave_when_told_to();
    let (input, has_ended) = read_ahead(io::stdin()).context("cannot read")?;
    engine.with_end_flag(has_ended).serve(input, io::stdout().lock()).context("cannot go on")
}

fn run_ep5(flags: &cli::Engine, variant: Variant) -> Result<()> {
    let words: Vec<&str> = flags.arguments.iter().map(String::as_str).collect();
    let (own, draws_board) = match words.as_slice() {
        ["b"] => (Side::First, false),
        ["p"] => (Side::Second, false),
        ["b", "d"] => (Side::First, true),
        ["p", "d"] => (Side::Second, true),
        _ => {
            let takes = "ep5 takes b (we start) or p, and d to draw the board: crosspath engine --protocol ep5 b|p [d]";
            let got = Refusal::shown(&words.join(" "));
            let why = if got.is_empty() { got } else { format!("\"{got}\" is not understood; ") };
            return Err(usage(why + takes));
        }
    };
    for (is_given, flag) in [(flags.stats, "--stats"), (flags.log.is_some(), "--log")] {
        if is_given {
            return Err(usage(format!("{flag} means nothing to ep5")));
        }
    }
    let asked = if variant.value(SIZE).is_some() { variant } else { variant.with(SIZE, ep5::DEFAULT_SIZE) };
    let entry = find(ep5::GAME).map_err(usage)?;
    let board = entry.choose(&asked).map_err(|error| usage(error.as_flag()))?;
    let options = ep5::Options {
        own,
        draws_board,
        size: board.width,
        may_swap: board.is_on("swap"),
        level: level(flags.level.as_ref(), &entry.levels())?,
        limits: Limits::from(flags.limits).or(Limits { time: Some(EP5_TIME), ..Limits::default() }),
        seed: flags.seed.unwrap_or_else(fresh_seed),
    };
    let game = ep5::Ep5::new(&options).map_err(usage)?;
    interrupt::leave_when_told_to();
    let (input, has_ended) = read_ahead(io::stdin()).context("cannot read")?;
    game.with_end_flag(has_ended).serve(input, io::stdout().lock(), io::stderr()).context("cannot go on")
}

/// The time for a move where nobody says another: the limit of the tournament is 300 ms.
const EP5_TIME: Duration = Duration::from_millis(250);
