//! `crosspath work`: one shard of a job.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::shards::{self, Found, TRY_AGAIN};
use super::{failure, usage, write_out};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{ArenaJob, WorkError};
use crate::cli;
use crate::game::Refusal;
use crate::registry::Entry;

/// Longest time for an estimate.
const LOOK: Duration = Duration::from_secs(1);
/// Time that a shard should take, in seconds.
const SHARD_SECONDS: f64 = 60.0;

pub(super) fn run(work: &cli::Work, games: &'static [Entry]) -> Result<()> {
    let job = shards::job(games, &work.job)?;
    if let Some(program) = job.work.program().filter(|_| !work.allow_exec) {
        let (path, program) = (Refusal::shown_path(&work.job), Refusal::shown_path(&program));
        return Err(usage(format!(
            "--job {path}: {program}; external engines are started only with --allow-exec. Add it if you trust the job"
        )));
    }
    if work.estimate {
        return estimate(&job);
    }
    let (index, count) = (work.index.unwrap_or_default(), work.count.unwrap_or_default());
    if count == 0 || count > job.units {
        return Err(usage(format!(
            "--count {count}: the job has {0} units, so it can be split into 1 to {0} parts",
            job.units
        )));
    }
    if index >= count {
        return Err(usage(format!("--index {index}: parts are numbered 0 to {}", count - 1)));
    }
    shard(&job, (index, count), work.threads.into(), work.out.as_deref().map(|path| (path, work.force)))
        .map(|_| ())
}

/// Does a shard and saves it at its place, unless it is there already.
pub(super) fn shard(
    job: &ArenaJob,
    (index, count): (u32, u32),
    threads: usize,
    out: Option<(&Path, cli::Force)>,
) -> Result<Shard> {
    let Some((path, force)) = out else {
        if job.work.takes_streams() {
            return Err(usage("--out FILE is required: the evaluator uses the standard streams"));
        }
        if io::stdout().is_terminal() {
            return Err(usage("--out FILE is required: a shard cannot be written to a terminal"));
        }
        let shard = job.shard(index, count, threads).map_err(failed)?;
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(shard.bytes()).and_then(|()| stdout.flush());
        let failed = |error| {
            failure(
                TRY_AGAIN,
                format!("cannot write the shard: {}", crate::record::disk::describe_io_error(&error)),
            )
        };
        return written.map_err(failed).map(|()| shard);
    };
    if job.work.takes_streams() && (io::stdin().is_terminal() || io::stdout().is_terminal()) {
        let why = "the evaluator uses the standard streams, so it must start crosspath itself, as in";
        return Err(usage(format!("{why} python3 train/evaluator.py crosspath selfplay …")));
    }
    if let Found::Same(shard) = shards::place_for(path, &job.header(index, count), force)? {
        return Ok(shard);
    }
    let shard = job.shard(index, count, threads).map_err(failed)?;
    shards::save("--out", path, shard.bytes())?;
    Ok(shard)
}

/// Returns the error of a worker, with its exit code.
pub(super) fn failed(error: WorkError) -> anyhow::Error {
    let code = if matches!(error, WorkError::Retry(_)) { TRY_AGAIN } else { 1 };
    failure(code, error)
}

/// Does the first units, one at least, for about a second.
fn estimate(job: &ArenaJob) -> Result<()> {
    if job.work.takes_streams() {
        return Err(usage("--estimate cannot measure a job with an external evaluator"));
    }
    let mut worker = job.work.worker().map_err(failed)?;
    let (begin, stop, mut units) = (Instant::now(), AtomicBool::new(false), 0);
    while units < job.units && (units == 0 || begin.elapsed() < LOOK) {
        worker.unit(units, &stop).map_err(failed)?;
        units += 1;
    }
    let seconds = begin.elapsed().as_secs_f64() / f64::from(units);
    let wanted = (f64::from(job.units) * seconds / SHARD_SECONDS).ceil();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 1 and the units"
    )]
    let count = wanted.clamp(1.0, f64::from(job.units)) as u32;
    let each = f64::from(job.units) * seconds / f64::from(count);
    write_out(format!(
        "{seconds:.6} s per unit, measured on {units} of {}; --count {count} makes shards of {each:.1} s\n",
        job.units
    ))
}
