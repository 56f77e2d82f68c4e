//! Shared functions of the commands that run jobs in parts: they read jobs and save shards.

use std::fmt::Display;
use std::path::Path;

use anyhow::Result;

use super::{failure_with_code, usage_error};
use crate::arena::jobs::shard::{Shard, ShardError, ShardHeader};
use crate::arena::jobs::{ArenaJob, MAX_JOB_BYTES};
use crate::cli::ForceFlag;
use crate::game::Refusal;
use crate::record::disk::{self, FileError, ReplacePolicy};
use crate::registry::RegisteredGame;

/// Exit code of failures that a retry may fix.
pub(super) const TRY_AGAIN_EXIT_CODE: u8 = 75;

/// Reads a job file.
pub(super) fn read_job_file(games: &'static [RegisteredGame], path: &Path) -> Result<ArenaJob> {
    let wrong = |why: &dyn Display| usage_error(format!("--job {}: {why}", Refusal::sanitize_path(path)));
    let bytes = disk::read_regular_file(path, MAX_JOB_BYTES)
        .map_err(|error| wrong(&disk::describe_read_error(&error)))?;
    if bytes.len() as u64 > MAX_JOB_BYTES {
        return Err(wrong(&format_args!("a job file has at most {} MiB", MAX_JOB_BYTES >> 20)));
    }
    ArenaJob::parse(games, &bytes).map_err(|error| wrong(&error))
}

/// Content of an existing output file for a shard.
pub(super) enum ExistingShard {
    /// No file, or an incomplete or damaged shard.
    Nothing,
    /// Shard of this run in which units are missing.
    Part(Shard),
    /// The complete shard of this run.
    Same(Shard),
}

/// Inspects the output file for a shard with this header, before any work is done.
///
/// # Errors
/// Returns an error if the file holds something else.
pub(super) fn inspect_shard_file(
    path: &Path,
    wanted: &ShardHeader,
    force: ForceFlag,
) -> Result<ExistingShard> {
    let shown = Refusal::sanitize_path(path);
    let refused =
        |why: &str| failure_with_code(1, format!("--out {shown}: {why}; the file was not replaced"));
    let Ok(kind) = path.metadata() else { return Ok(ExistingShard::Nothing) };
    if !kind.is_file() {
        let why = if kind.is_dir() { FileError::Directory } else { FileError::Device };
        return Err(usage_error(format!("--out {shown}: {why}")));
    }
    let shard = match Shard::load(path) {
        Ok(shard) => shard,
        Err(ShardError::NotShard(_)) if !force.force => return Err(refused("the file is not a shard")),
        Err(_) => return Ok(ExistingShard::Nothing),
    };
    let ShardHeader { index, count, .. } = shard.header;
    let is_its_part = (index, count) == (wanted.index, wanted.count);
    match shard.header.first_difference(wanted) {
        differs if force.force && (differs.is_some() || !is_its_part) => Ok(ExistingShard::Nothing),
        Some((member, _)) => {
            let what = if shard.is_complete() { "a shard" } else { "part" };
            Err(refused(&format!("the file is {what} of another run: its {member} differs")))
        }
        None if !shard.is_complete() => Ok(ExistingShard::Part(shard)),
        None if !is_its_part => Err(refused(&format!("the file is part {index} of {count} of this job"))),
        None => Ok(ExistingShard::Same(shard)),
    }
}

/// Writes a file completely or not at all.
pub(super) fn save_file(flag: &str, path: &Path, content: &[u8]) -> Result<()> {
    write_with_policy(flag, path, content, ReplacePolicy::Allowed)
}

/// Writes a file completely or not at all, and adds an exit code to errors.
fn write_with_policy(flag: &str, path: &Path, content: &[u8], replace: ReplacePolicy) -> Result<()> {
    disk::write_file(path, content, replace).map_err(|error| {
        let code =
            if matches!(error, FileError::Directory | FileError::Device) { 2 } else { TRY_AGAIN_EXIT_CODE };
        failure_with_code(code, format!("cannot write {flag} {}: {error}", Refusal::sanitize_path(path)))
    })
}

/// Writes the job that a flag requests, unless the file holds something else.
pub(super) fn write_job_file(flag: &str, path: &Path, text: &[u8], force: ForceFlag) -> Result<()> {
    match disk::read_regular_file(path, MAX_JOB_BYTES) {
        Ok(old) if old == text => Ok(()),
        _ if force.force => save_file(flag, path, text),
        Ok(_) => {
            let path = Refusal::sanitize_path(path);
            let why =
                "the file already exists and differs; choose another name, or add --force to replace it";
            Err(failure_with_code(1, format!("{flag} {path}: {why}")))
        }
        // An unreadable file is not replaced either.
        Err(_) => write_with_policy(flag, path, text, ReplacePolicy::Never),
    }
}
