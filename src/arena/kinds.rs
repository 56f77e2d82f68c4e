//! The kinds of jobs, and the reading of a job's file.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::arena::jobs::shard::MAX_UNITS;
use crate::arena::jobs::{Job, JobError, KindSpec, Members, SCHEMA};
use crate::arena::matches::pairs;
use crate::arena::stats::hash::fnv1a;
use crate::arena::{selfplay, solving, tuning};
use crate::game::Refusal;
use crate::registry::Entry;

/// Every kind of job.
pub const KINDS: &[KindSpec] = &[
    KindSpec { name: "selfplay", read: selfplay::read, report: selfplay::report },
    KindSpec { name: "solve", read: solving::read, report: solving::report },
    KindSpec { name: "arena", read: pairs::read, report: pairs::report },
    KindSpec { name: "tune", read: tuning::read, report: tuning::report },
];

/// Returns the kind of this name.
///
/// # Errors
/// If there is none; the error lists the kinds.
pub fn kind(name: &str) -> Result<&'static KindSpec, JobError> {
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        JobError(format!("there is no job kind {:?}; kinds are {}", Refusal::shown(name), names.join(", ")))
    })
}

impl Job {
    /// Reads the file of a job for these games.
    ///
    /// # Errors
    /// If the file is not a valid job; the error says what would be.
    pub fn read(games: &'static [Entry], bytes: &[u8]) -> Result<Self, JobError> {
        let members: Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|error| JobError(format!("not a JSON object: {error}")))?;
        if let Some(name) = given_twice(bytes) {
            let name = Refusal::shown(&name);
            return Err(JobError(format!("the member {name:?} is given twice; remove one of the two")));
        }
        let mut members = Members::of(games, members);
        if members.text("crosspath")? != "job" {
            return Err(JobError::new("the member crosspath is not \"job\""));
        }
        let schema = members.number("schema")?;
        if schema != Some(SCHEMA) {
            let got = schema.map_or("none".to_owned(), |schema| schema.to_string());
            return Err(JobError(format!("the schema is {got}; this version reads schema {SCHEMA}")));
        }
        let kind = kind(&members.text("kind")?)?;
        let given = members.text("seed")?;
        members.seed = given
            .parse()
            .map_err(|_| JobError(format!("the seed {given:?} is not a whole number, such as \"42\"")))?;
        let units = members.number("units")?.and_then(|units| u32::try_from(units).ok());
        members.units = units
            .filter(|units| (1..=MAX_UNITS).contains(units))
            .ok_or_else(|| JobError(format!("units must be a number from 1 to {MAX_UNITS}")))?;
        let work = (kind.read)(&mut members)?;
        members.end(&format!("a job of kind {}", kind.name))?;
        Ok(Job { hash: fnv1a(bytes), units: members.units, kind, work })
    }
}

/// Returns the first member that an object in this JSON text has twice. Readers of JSON silently keep the last one.
fn given_twice(text: &[u8]) -> Option<String> {
    // The names in each object that is open; a list has none.
    let mut open: Vec<BTreeSet<String>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => open.push(BTreeSet::new()),
            b'}' | b']' => drop(open.pop()),
            b'"' => {
                let begin = at - 1;
                while text.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                let behind = text.get(at..).unwrap_or_default();
                if behind.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':') {
                    let name: String = serde_json::from_slice(&text[begin..at]).ok()?;
                    if let Some(twice) = open.last_mut()?.replace(name) {
                        return Some(twice);
                    }
                }
            }
            _ => {}
        }
    }
    None
}
