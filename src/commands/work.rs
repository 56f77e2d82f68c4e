//! Command `crosspath work`: runs one shard of a job.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::shards::{self, ExistingShard, TRY_AGAIN_EXIT_CODE};
use super::{failure_with_code, usage_error, write_stdout};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{ArenaJob, UnitError};
use crate::cli;
use crate::game::Refusal;
use crate::registry::RegisteredGame;

/// Approximate time for which units are run for an estimate.
const ESTIMATE_DURATION: Duration = Duration::from_secs(1);
/// Time that a shard should take, in seconds, by which the number of parts is suggested.
const TARGET_SHARD_SECONDS: f64 = 60.0;

/// Runs `crosspath work`.
pub(super) fn run_work_command(work: &cli::WorkArgs, games: &'static [RegisteredGame]) -> Result<()> {
    let job = shards::read_job_file(games, &work.job)?;
    if let Some(program) = job.work.external_program().filter(|_| !work.allow_exec) {
        let (path, program) = (Refusal::sanitize_path(&work.job), Refusal::sanitize_path(&program));
        return Err(usage_error(format!(
            "--job {path}: {program}; external engines are started only with --allow-exec. Add it if you trust the job"
        )));
    }
    if work.estimate {
        return estimate_unit_time(&job);
    }
    let (index, count) = (work.index.unwrap_or_default(), work.count.unwrap_or_default());
    if count == 0 || count > job.units {
        return Err(usage_error(format!(
            "--count {count}: the job has {0} units, so it can be split into 1 to {0} parts",
            job.units
        )));
    }
    if index >= count {
        return Err(usage_error(format!("--index {index}: parts are numbered 0 to {}", count - 1)));
    }
    run_shard(&job, (index, count), work.threads.into(), work.out.as_deref().map(|path| (path, work.force)))
        .map(|_| ())
}

/// Runs a shard and saves it in its file, unless it is there already.
pub(super) fn run_shard(
    job: &ArenaJob,
    (index, count): (u32, u32),
    threads: usize,
    out: Option<(&Path, cli::ForceFlag)>,
) -> Result<Shard> {
    let Some((path, force)) = out else {
        if job.work.uses_standard_streams() {
            return Err(usage_error("--out FILE is required: the evaluator uses the standard streams"));
        }
        if io::stdout().is_terminal() {
            return Err(usage_error("--out FILE is required: a shard cannot be written to a terminal"));
        }
        let shard = job.compute_shard(index, count, threads).map_err(work_error)?;
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(shard.bytes()).and_then(|()| stdout.flush());
        let failed = |error| {
            failure_with_code(
                TRY_AGAIN_EXIT_CODE,
                format!("cannot write the shard: {}", crate::record::disk::describe_io_error(&error)),
            )
        };
        return written.map_err(failed).map(|()| shard);
    };
    if job.work.uses_standard_streams() && (io::stdin().is_terminal() || io::stdout().is_terminal()) {
        let why = "the evaluator uses the standard streams, so it must start crosspath itself, as in";
        return Err(usage_error(format!("{why} python3 train/evaluator.py crosspath selfplay …")));
    }
    if let ExistingShard::Same(shard) =
        shards::inspect_shard_file(path, &job.shard_header(index, count), force)?
    {
        return Ok(shard);
    }
    let shard = job.compute_shard(index, count, threads).map_err(work_error)?;
    shards::save_file("--out", path, shard.bytes())?;
    Ok(shard)
}

/// Converts the error of a worker to an error with the matching exit code.
pub(super) fn work_error(error: UnitError) -> anyhow::Error {
    let code = if matches!(error, UnitError::Retry(_)) { TRY_AGAIN_EXIT_CODE } else { 1 };
    failure_with_code(code, error)
}

/// Runs the first units for about a second, at least one, and prints the time per unit.
fn estimate_unit_time(job: &ArenaJob) -> Result<()> {
    if job.work.uses_standard_streams() {
        return Err(usage_error("--estimate cannot measure a job with an external evaluator"));
    }
    let mut worker = job.work.create_worker().map_err(work_error)?;
    let (begin, stop, mut units) = (Instant::now(), AtomicBool::new(false), 0);
    while units < job.units && (units == 0 || begin.elapsed() < ESTIMATE_DURATION) {
        worker.run_unit(units, &stop).map_err(work_error)?;
        units += 1;
    }
    let seconds = begin.elapsed().as_secs_f64() / f64::from(units);
    let wanted = (f64::from(job.units) * seconds / TARGET_SHARD_SECONDS).ceil();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 1 and the units"
    )]
    let count = wanted.clamp(1.0, f64::from(job.units)) as u32;
    let each = f64::from(job.units) * seconds / f64::from(count);
    write_stdout(format!(
        "{seconds:.6} s per unit, measured on {units} of {}; --count {count} makes shards of {each:.1} s\n",
        job.units
    ))
}
