//! `crosspath arena`: a match between two engines.

use std::io::{self, Write};

use anyhow::{Context, Result};

use super::{Board, failure, usage, write_out};
use crate::{arena, cli};

pub(super) fn run(flags: &cli::Arena, (entry, variant): &Board) -> Result<()> {
    let plan = arena::Plan::new(entry, variant, flags.engines.as_slice(), flags.openings.as_deref())
        .map_err(usage)?;
    let sprt = flags.sprt.as_deref().map(arena::sprt::Sprt::read).transpose().map_err(usage)?;
    let (limits, threads) = (flags.limits.into(), flags.threads.into());
    let plan = arena::Plan { pairs: flags.pairs, sprt, seed: flags.seed, limits, threads, ..plan };
    plan.check().map_err(usage)?;
    let mut lines: Box<dyn Write> = match (flags.quiet, flags.json) {
        (true, _) => Box::new(io::sink()),
        (false, true) => Box::new(io::stderr()),
        (false, false) => Box::new(io::stdout()),
    };
    let report = plan.run(&mut |line| writeln!(lines, "{line}")).context("cannot write")?;
    write_out(if flags.json { report.in_json() } else { report.in_words() })?;
    if report.forfeits() > 0 { Err(failure(1, "there were forfeits")) } else { Ok(()) }
}
