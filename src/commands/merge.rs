//! Command `crosspath merge`: merges the shards of a job.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

use super::shards::{self, ExistingShard, TRY_AGAIN_EXIT_CODE};
use super::{failure_with_code, to_json_line, usage_error, write_stdout};
use crate::arena::jobs::ArenaJob;
use crate::arena::jobs::merge::{ShardMerger, format_unit_ranges};
use crate::arena::jobs::shard::{Shard, ShardError};
use crate::arena::kinds::find_job_kind;
use crate::cli;
use crate::game::Refusal;
use crate::registry::RegisteredGame;

/// Runs `crosspath merge`.
pub(super) fn run_merge_command(flags: &cli::MergeArgs, games: &'static [RegisteredGame]) -> Result<()> {
    let job = flags.job.as_deref().map(|path| shards::read_job_file(games, path)).transpose()?;
    let mut merge = ShardMerger::default();
    for path in &flags.files {
        match Shard::load(path) {
            Ok(shard) => {
                merge
                    .add(&Refusal::sanitize_path(path), shard)
                    .map_err(|conflict| failure_with_code(1, conflict))?;
            }
            Err(error) => warn_of_skipped_file(path, &error, flags.missing),
        }
    }
    if let (Some(job), Some(header)) = (&job, merge.header())
        && let Some((member, [theirs, _])) = header.first_difference(&job.shard_header(0, 1))
    {
        let name = Refusal::sanitize_path(&flags.files[0]);
        let path = flags.job.as_deref().map(Refusal::sanitize_path).unwrap_or_default();
        return Err(failure_with_code(
            1,
            format!("{name} does not belong to the job {path}: its {member} is {theirs}"),
        ));
    }
    let units = merge.header().map(|header| header.units).or(job.as_ref().map(|job| job.units));
    let Some(units) = units else {
        let what = "none of the files is a complete shard; add --job to list what is missing";
        return Err(if flags.missing || flags.files.is_empty() {
            usage_error(what)
        } else {
            failure_with_code(TRY_AGAIN_EXIT_CODE, what)
        });
    };
    if flags.missing {
        let count = flags.count.unwrap_or_default();
        if count == 0 || count > units {
            return Err(usage_error(format!(
                "--count {count}: the job has {units} units, so it can be split into 1 to {units} parts"
            )));
        }
        let blocks = merge.missing_blocks(count, units).into_iter();
        return write_stdout(blocks.map(|index| index.to_string() + "\n").collect::<String>());
    }
    finish_merge(flags, games, (job.as_ref(), &merge), units)
}

/// JSON output: the missing units, and the report on the finished units.
#[derive(Serialize)]
struct MergeJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<u32>,
    missing: String,
    #[serde(flatten)]
    report: Map<String, Value>,
}

/// Saves the merged shard and reports on it.
fn finish_merge(
    flags: &cli::MergeArgs,
    games: &'static [RegisteredGame],
    (job, merge): (Option<&ArenaJob>, &ShardMerger),
    units: u32,
) -> Result<()> {
    let missing = merge.missing_units(units);
    let left = format_unit_ranges(&missing);
    if !missing.is_empty() && !flags.partial {
        return Err(failure_with_code(
            TRY_AGAIN_EXIT_CODE,
            format!("units are missing: {left} of 0-{}; use --partial to merge without them", units - 1),
        ));
    }
    let Some(whole) = merge.merge() else {
        let json = MergeJson { units: None, missing: left, report: Map::new() };
        let words = format!("units are missing: {}\n", json.missing);
        return write_stdout(if flags.json { to_json_line(&json)? } else { words });
    };
    let kind = find_job_kind(&whole.header.kind).map_err(|error| failure_with_code(1, error))?;
    let report = (kind.report)(games, &whole).map_err(|why| failure_with_code(1, why))?;
    if let Some(path) = &flags.out {
        save_merged_shard(path, &whole, flags.force)?;
    }
    if let (Some(path), Some(job)) = (&flags.next, job)
        && let Some(text) = job.work.next_job(&whole).map_err(|why| usage_error(format!("--next: {why}")))?
    {
        shards::write_job_file("--next", path, text.as_bytes(), flags.force)?;
    }
    let behind = if left.is_empty() { String::new() } else { format!("units are missing: {left}\n") };
    let json = MergeJson { units: Some(units), missing: left, report: report.json };
    write_stdout(if flags.json { to_json_line(&json)? } else { report.words + &behind })?;
    report.fault.map_or(Ok(()), |fault| Err(failure_with_code(1, fault)))
}

/// Saves the merged shard, unless the existing file holds units that the merged shard lacks.
fn save_merged_shard(path: &Path, whole: &Shard, force: cli::ForceFlag) -> Result<()> {
    let refused = |why: &str| {
        failure_with_code(
            1,
            format!("--out {}: {why}; the file was not replaced", Refusal::sanitize_path(path)),
        )
    };
    match shards::inspect_shard_file(path, &whole.header, force)? {
        ExistingShard::Same(old) if old == *whole => Ok(()),
        _ if force.force => shards::save_file("--out", path, whole.bytes()),
        ExistingShard::Same(_) => Err(refused("the file is a different shard of this job")),
        ExistingShard::Part(old) if !whole.contains_shard(&old) => {
            Err(refused("the file has units that the inputs lack; add it to the inputs"))
        }
        ExistingShard::Part(_) | ExistingShard::Nothing => shards::save_file("--out", path, whole.bytes()),
    }
}

/// Prints a warning about a skipped file, except for a shell pattern that matches no file.
fn warn_of_skipped_file(path: &Path, error: &ShardError, is_asked_what_is_missing: bool) {
    let is_pattern = path.to_string_lossy().contains('*') && !path.exists();
    if !(is_pattern && is_asked_what_is_missing) {
        // A failed write to standard error is ignored; the list of missing units shows the gap.
        let _ = writeln!(io::stderr(), "warning: {} is skipped: {error}", Refusal::sanitize_path(path));
    }
}
