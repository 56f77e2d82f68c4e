//! Common parts of the commands that do jobs in parts: reading jobs, saving shards.

use std::fmt::Display;
use std::path::Path;

use anyhow::Result;

use super::{failure, usage};
use crate::arena::jobs::shard::{Shard, ShardError, ShardHeader};
use crate::arena::jobs::{ArenaJob, MAX_BYTES};
use crate::cli::Force;
use crate::game::Refusal;
use crate::record::disk::{self, FileError, Replace};
use crate::registry::Entry;

/// Exit code of failures that can be tried again.
pub(super) const TRY_AGAIN: u8 = 75;

/// Reads a job.
pub(super) fn job(games: &'static [Entry], path: &Path) -> Result<ArenaJob> {
    let wrong = |why: &dyn Display| usage(format!("--job {}: {why}", Refusal::shown_path(path)));
    let bytes = disk::read_regular(path, MAX_BYTES).map_err(|error| wrong(&disk::why_unread(&error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(wrong(&format_args!("a job file has at most {} MiB", MAX_BYTES >> 20)));
    }
    ArenaJob::read(games, &bytes).map_err(|error| wrong(&error))
}

/// Contents of the place where a shard is to be saved.
pub(super) enum Found {
    /// Nothing, or a shard that is incomplete or damaged.
    Nothing,
    /// A shard of this run in which units are missing.
    Part(Shard),
    /// The complete shard that is wanted.
    Same(Shard),
}

/// Returns the contents of the place for a shard with this header, before any work is done for it.
///
/// # Errors
/// If there is something else.
pub(super) fn place_for(path: &Path, wanted: &ShardHeader, force: Force) -> Result<Found> {
    let shown = Refusal::shown_path(path);
    let refused = |why: &str| failure(1, format!("--out {shown}: {why}; the file was not replaced"));
    let Ok(kind) = path.metadata() else { return Ok(Found::Nothing) };
    if !kind.is_file() {
        let why = if kind.is_dir() { FileError::Directory } else { FileError::Device };
        return Err(usage(format!("--out {shown}: {why}")));
    }
    let shard = match Shard::load(path) {
        Ok(shard) => shard,
        Err(ShardError::Foreign(_)) if !force.force => return Err(refused("the file is not a shard")),
        Err(_) => return Ok(Found::Nothing),
    };
    let ShardHeader { index, count, .. } = shard.header;
    let is_its_part = (index, count) == (wanted.index, wanted.count);
    match shard.header.difference(wanted) {
        differs if force.force && (differs.is_some() || !is_its_part) => Ok(Found::Nothing),
        Some((member, _)) => {
            let what = if shard.is_complete() { "a shard" } else { "part" };
            Err(refused(&format!("the file is {what} of another run: its {member} differs")))
        }
        None if !shard.is_complete() => Ok(Found::Part(shard)),
        None if !is_its_part => Err(refused(&format!("the file is part {index} of {count} of this job"))),
        None => Ok(Found::Same(shard)),
    }
}

/// Writes a file whole or not at all.
pub(super) fn save(flag: &str, path: &Path, content: &[u8]) -> Result<()> {
    keep(flag, path, content, Replace::Allowed)
}

fn keep(flag: &str, path: &Path, content: &[u8], replace: Replace) -> Result<()> {
    disk::write(path, content, replace).map_err(|error| {
        let code = if matches!(error, FileError::Directory | FileError::Device) { 2 } else { TRY_AGAIN };
        failure(code, format!("cannot write {flag} {}: {error}", Refusal::shown_path(path)))
    })
}

/// Writes the job that a flag asks for, unless there is something else at its place.
pub(super) fn write_job(flag: &str, path: &Path, text: &[u8], force: Force) -> Result<()> {
    match disk::read_regular(path, MAX_BYTES) {
        Ok(old) if old == text => Ok(()),
        _ if force.force => save(flag, path, text),
        Ok(_) => {
            let path = Refusal::shown_path(path);
            let why =
                "the file already exists and differs; choose another name, or add --force to replace it";
            Err(failure(1, format!("{flag} {path}: {why}")))
        }
        // A file that cannot be read is not replaced either.
        Err(_) => keep(flag, path, text, Replace::Never),
    }
}
