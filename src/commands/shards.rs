//! What the commands that do jobs in parts share: reading jobs, keeping shards.

use std::io;
use std::path::Path;

use anyhow::Result;

use super::{failure, usage};
use crate::arena::jobs::shard::{Header, Shard, ShardError};
use crate::arena::jobs::{Job, MAX_BYTES};
use crate::cli::Force;
use crate::game::Refusal;
use crate::record::disk::{self, FileError, Replace};
use crate::registry::Entry;

/// What can be tried again.
pub(super) const TRY_AGAIN: u8 = 75;

/// Reads a job.
pub(super) fn job(games: &'static [Entry], path: &Path) -> Result<Job> {
    let unreadable = |error: io::Error| {
        usage(format!("--job {}: {}", Refusal::shown_path(path), disk::why_unread(&error)))
    };
    let bytes = disk::read_regular(path, MAX_BYTES).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(usage(format!(
            "--job {}: a job file has at most {} MiB",
            Refusal::shown_path(path),
            MAX_BYTES >> 20
        )));
    }
    Job::read(games, &bytes).map_err(|error| usage(format!("--job {}: {error}", Refusal::shown_path(path))))
}

/// What lies where a shard is to go.
pub(super) enum Found {
    /// Nothing, or a shard that was not finished or is damaged.
    Nothing,
    /// A shard of this run in which units are missing.
    Part(Shard),
    /// The complete shard that is wanted.
    Same(Shard),
}

/// Looks at the place for a shard with this header, before anything is done for it.
///
/// # Errors
/// If something else lies there.
pub(super) fn place_for(path: &Path, wanted: &Header, force: Force) -> Result<Found> {
    let refused = |why: String| {
        failure(1, format!("--out {}: {why}; the file was not replaced", Refusal::shown_path(path)))
    };
    let Ok(kind) = path.metadata() else { return Ok(Found::Nothing) };
    if !kind.is_file() {
        let why = if kind.is_dir() { FileError::Directory } else { FileError::Device };
        return Err(usage(format!("--out {}: {why}", Refusal::shown_path(path))));
    }
    let shard = Shard::load(path);
    let is_wanted = |shard: &Shard| shard.header.difference(wanted).is_none() && is_part(shard, wanted);
    if force.force && !shard.as_ref().is_ok_and(is_wanted) {
        return Ok(Found::Nothing);
    }
    match shard {
        Ok(shard) if !shard.is_complete() => match shard.header.difference(wanted) {
            None => Ok(Found::Part(shard)),
            Some(member) => Err(refused(format!("the file is part of another run: its {member} differs"))),
        },
        Ok(shard) => match shard.header.difference(wanted) {
            Some(member) => Err(refused(format!("the file is a shard of another run: its {member} differs"))),
            None if !is_part(&shard, wanted) => {
                let Header { index, count, .. } = shard.header;
                Err(refused(format!("the file is part {index} of {count} of this job")))
            }
            None => Ok(Found::Same(shard)),
        },
        Err(ShardError::Foreign(_)) => Err(refused("the file is not a shard".to_owned())),
        Err(_) => Ok(Found::Nothing),
    }
}

/// Reports whether a shard is the part of its job that is wanted.
fn is_part(shard: &Shard, wanted: &Header) -> bool {
    (shard.header.index, shard.header.count) == (wanted.index, wanted.count)
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

/// Writes the job that a flag asks for, unless something else lies there.
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
