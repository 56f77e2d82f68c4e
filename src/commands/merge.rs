//! `crosspath merge`: merges the shards of a job.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

use super::shards::{self, Found, TRY_AGAIN};
use super::{failure, json_line, usage, write_out};
use crate::arena::jobs::ArenaJob;
use crate::arena::jobs::merge::{ShardMerger, ranges_in_words};
use crate::arena::jobs::shard::{Shard, ShardError};
use crate::arena::kinds::kind;
use crate::cli;
use crate::game::Refusal;
use crate::registry::Entry;

pub(super) fn run(flags: &cli::Merge, games: &'static [Entry]) -> Result<()> {
    let job = flags.job.as_deref().map(|path| shards::job(games, path)).transpose()?;
    let mut merge = ShardMerger::default();
    for path in &flags.files {
        match Shard::load(path) {
            Ok(shard) => {
                merge.add(&Refusal::shown_path(path), shard).map_err(|conflict| failure(1, conflict))?;
            }
            Err(error) => warn(path, &error, flags.missing),
        }
    }
    if let (Some(job), Some(header)) = (&job, merge.header())
        && let Some((member, [theirs, _])) = header.difference(&job.header(0, 1))
    {
        let name = Refusal::shown_path(&flags.files[0]);
        let path = flags.job.as_deref().map(Refusal::shown_path).unwrap_or_default();
        return Err(failure(
            1,
            format!("{name} does not belong to the job {path}: its {member} is {theirs}"),
        ));
    }
    let units = merge.header().map(|header| header.units).or(job.as_ref().map(|job| job.units));
    let Some(units) = units else {
        let what = "none of the files is a complete shard; add --job to list what is missing";
        return Err(if flags.missing || flags.files.is_empty() {
            usage(what)
        } else {
            failure(TRY_AGAIN, what)
        });
    };
    if flags.missing {
        let count = flags.count.unwrap_or_default();
        if count == 0 || count > units {
            return Err(usage(format!(
                "--count {count}: the job has {units} units, so it can be split into 1 to {units} parts"
            )));
        }
        let blocks = merge.missing_blocks(count, units).into_iter();
        return write_out(blocks.map(|index| index.to_string() + "\n").collect::<String>());
    }
    finish(flags, games, (job.as_ref(), &merge), units)
}

/// Missing units and the report on the others, as JSON.
#[derive(Serialize)]
struct MergeJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<u32>,
    missing: String,
    #[serde(flatten)]
    report: Map<String, Value>,
}

/// Saves the merged shard and reports on it.
fn finish(
    flags: &cli::Merge,
    games: &'static [Entry],
    (job, merge): (Option<&ArenaJob>, &ShardMerger),
    units: u32,
) -> Result<()> {
    let missing = merge.missing(units);
    let left = ranges_in_words(&missing);
    if !missing.is_empty() && !flags.partial {
        return Err(failure(
            TRY_AGAIN,
            format!("units are missing: {left} of 0-{}; use --partial to merge without them", units - 1),
        ));
    }
    let Some(whole) = merge.whole() else {
        let json = MergeJson { units: None, missing: left, report: Map::new() };
        let words = format!("units are missing: {}\n", json.missing);
        return write_out(if flags.json { json_line(&json)? } else { words });
    };
    let kind = kind(&whole.header.kind).map_err(|error| failure(1, error))?;
    let report = (kind.report)(games, &whole).map_err(|why| failure(1, why))?;
    if let Some(path) = &flags.out {
        keep(path, &whole, flags.force)?;
    }
    if let (Some(path), Some(job)) = (&flags.next, job)
        && let Some(text) = job.work.next(&whole).map_err(|why| usage(format!("--next: {why}")))?
    {
        shards::write_job("--next", path, text.as_bytes(), flags.force)?;
    }
    let behind = if left.is_empty() { String::new() } else { format!("units are missing: {left}\n") };
    let json = MergeJson { units: Some(units), missing: left, report: report.json };
    write_out(if flags.json { json_line(&json)? } else { report.words + &behind })?;
    report.fault.map_or(Ok(()), |fault| Err(failure(1, fault)))
}

/// Saves the merged shard at its place, unless a file there holds something that is not in it.
fn keep(path: &Path, whole: &Shard, force: cli::Force) -> Result<()> {
    let refused = |why: &str| {
        failure(1, format!("--out {}: {why}; the file was not replaced", Refusal::shown_path(path)))
    };
    match shards::place_for(path, &whole.header, force)? {
        Found::Same(old) if old == *whole => Ok(()),
        _ if force.force => shards::save("--out", path, whole.bytes()),
        Found::Same(_) => Err(refused("the file is a different shard of this job")),
        Found::Part(old) if !whole.contains(&old) => {
            Err(refused("the file has units that the inputs lack; add it to the inputs"))
        }
        Found::Part(_) | Found::Nothing => shards::save("--out", path, whole.bytes()),
    }
}

/// Prints the reason why a file counts as absent. A pattern of the shell that fits no file names
/// none.
fn warn(path: &Path, error: &ShardError, is_asked_what_is_missing: bool) {
    let is_pattern = path.to_string_lossy().contains('*') && !path.exists();
    if !(is_pattern && is_asked_what_is_missing) {
        // Without standard error the list of missing units still shows it.
        let _ = writeln!(io::stderr(), "warning: {} is skipped: {error}", Refusal::shown_path(path));
    }
}
