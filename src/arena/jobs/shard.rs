//! A shard: some units of a job, done, in one file with a header before and a checksum behind. Knows how units are kept
//! apart, not what is in them.

use std::io;
use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::{self, JobError, fields, json};
use crate::ai;
use crate::record::disk::read_regular;

/// The most units of a job.
pub(crate) const MAX_UNITS: u32 = 1_000_000_000;
/// The longest shard that is read, in bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 30;
/// The longest header, in bytes.
const MAX_HEADER: usize = 1 << 20;
/// The version of the form of shards.
const SCHEMA: u64 = 1;

/// Layout by which the units of a shard are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecordLayout {
    /// One JSON object a line, `"unit"` in front.
    #[serde(rename = "json")]
    Lines,
    /// Each with its length in front, four bytes, and a length of 0 behind the last; the number of the unit begins it.
    #[serde(rename = "binary")]
    Frames,
}

impl RecordLayout {
    /// Appends a unit.
    fn write(self, body: &[u8], out: &mut Vec<u8>) {
        match self {
            RecordLayout::Lines => {
                out.extend(body);
                out.push(b'\n');
            }
            RecordLayout::Frames => {
                let length = u32::try_from(body.len()).expect("a unit is far smaller than 4 GiB");
                out.extend(length.to_le_bytes());
                out.extend(body);
            }
        }
    }

    /// Ends the units.
    fn end(self, out: &mut Vec<u8>) {
        if self == RecordLayout::Frames {
            out.extend([0; 4]);
        }
    }

    /// Takes the next unit off the front: its number, and its body. `None` at the end of the units.
    fn next<'a>(self, rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, ShardError> {
        match self {
            RecordLayout::Frames => next_frame(rest),
            RecordLayout::Lines => next_line(rest),
        }
    }
}

fn next_frame<'a>(rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, ShardError> {
    let (length, behind) = rest.split_first_chunk::<4>().ok_or(ShardError::Unfinished)?;
    let length = u32::from_le_bytes(*length) as usize;
    let body = behind.get(..length).ok_or(ShardError::Unfinished)?;
    *rest = &behind[length..];
    if length == 0 {
        return Ok(None);
    }
    let unit = body.first_chunk::<4>().ok_or(ShardError::Damaged("a unit has no number"))?;
    Ok(Some((u32::from_le_bytes(*unit), body)))
}

fn next_line<'a>(rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, ShardError> {
    if rest.starts_with(FOOTER_HEAD) {
        return Ok(None);
    }
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or(ShardError::Unfinished)?;
    let body = &rest[..end];
    *rest = &rest[end + 1..];
    match serde_json::from_slice(body) {
        Ok(UnitLine { unit }) if body.starts_with(b"{\"unit\":") => Ok(Some((unit, body))),
        _ => Err(ShardError::Damaged("a line is not a unit")),
    }
}

/// Beginning of every line of a unit.
#[derive(Deserialize)]
struct UnitLine {
    unit: u32,
}

const HEADER_HEAD: &[u8] = b"{\"crosspath\":\"shard\",";
const FOOTER_HEAD: &[u8] = b"{\"end\":true,";

/// Reports whether bytes begin as a shard does.
pub(in crate::arena) fn is_begun(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER_HEAD)
}

/// Why a file is no complete shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It begins otherwise.
    #[error("not a shard: {0}")]
    Foreign(String),
    /// Its end is missing.
    #[error("incomplete: the last line is not the footer of a shard")]
    Unfinished,
    /// Something was changed after it was written.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

impl From<io::Error> for ShardError {
    fn from(error: io::Error) -> Self {
        ShardError::Unreadable(crate::record::disk::why_unread(&error))
    }
}

/// The units of block `index` of `count`: floor(index units / count) up to the next block's first.
///
/// ```
/// use crosspath::arena::jobs::shard::block;
/// assert_eq!([0, 1, 2].map(|index| block(index, 3, 10)), [0..3, 3..6, 6..10]);
/// ```
///
/// # Panics
/// If there is no such block.
#[must_use]
pub fn block(index: u32, count: u32, units: u32) -> Range<u32> {
    let first = |index: u32| {
        let product = u64::from(index) * u64::from(units) / u64::from(count.max(1));
        u32::try_from(product).expect("at most the units")
    };
    first(index)..first(index + 1)
}

/// Part of the header that every version has.
#[derive(Deserialize)]
struct Schema {
    #[serde(default)]
    schema: Value,
}

/// Header of a shard: its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    crosspath: String,
    schema: u64,
    job: String,
    /// The kind of the job.
    pub kind: String,
    version: String,
    /// The fingerprint of the engines' play.
    pub bench: String,
    /// Index of its block in the job.
    pub index: u32,
    /// Of how many.
    pub count: u32,
    /// The units of the whole job.
    pub units: u32,
    from: u32,
    to: u32,
    records: RecordLayout,
    /// The fields of its kind.
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl ShardHeader {
    /// The header of block `index` of `count` of a job; `more` are the fields of its kind.
    #[must_use]
    pub fn new(
        (job, kind): (u64, &str),
        records: RecordLayout,
        (index, count, units): (u32, u32, u32),
        more: Map<String, Value>,
    ) -> Self {
        let Range { start: from, end: to } = block(index, count, units);
        ShardHeader {
            crosspath: "shard".to_owned(),
            schema: SCHEMA,
            job: format!("{job:016x}"),
            kind: kind.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: ai::signature().to_owned(),
            index,
            count,
            units,
            from,
            to,
            records,
            more,
        }
    }

    /// Returns the header for the whole job.
    #[must_use]
    pub fn of_whole(&self) -> Self {
        ShardHeader { index: 0, count: 1, from: 0, to: self.units, ..self.clone() }
    }

    fn read(line: &[u8]) -> Result<Self, ShardError> {
        let foreign = |why: &str| ShardError::Foreign(why.to_owned());
        if !line.starts_with(HEADER_HEAD) {
            return Err(foreign("the first line does not start with {\"crosspath\":\"shard\""));
        }
        let Schema { schema } = serde_json::from_slice(line)
            .map_err(|_| ShardError::Damaged("the first line is not a JSON object"))?;
        if schema != SCHEMA {
            return Err(foreign("the schema is not 1; another version of crosspath wrote the file"));
        }
        let header: ShardHeader =
            serde_json::from_slice(line).map_err(|_| ShardError::Damaged("the header lacks a field"))?;
        let ShardHeader { index, count, units, from, to, .. } = header;
        let is_possible = index < count && count <= units && units <= MAX_UNITS;
        if is_possible && block(index, count, units) == (from..to) {
            Ok(header)
        } else {
            Err(ShardError::Damaged("the header is inconsistent"))
        }
    }

    /// Reads the fields that its kind has, among others.
    pub(in crate::arena) fn read_as<T: DeserializeOwned>(&self) -> Result<T, JobError> {
        fields::read(json(self).as_bytes())
    }

    /// Returns the value under a key of its kind.
    #[must_use]
    pub fn get(&self, key: &str) -> &Value {
        self.more.get(key).unwrap_or(&Value::Null)
    }

    /// Returns the value as text; empty if there is none.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    /// The units that belong into it.
    #[must_use]
    pub fn block(&self) -> Range<u32> {
        block(self.index, self.count, self.units)
    }

    /// The first field in which another shard differs that is to be of the same job, version and play, and what each of
    /// them has there.
    #[must_use]
    pub fn difference(&self, other: &ShardHeader) -> Option<(String, [Value; 2])> {
        let [one, other] = [self, other].map(|header| fields(&header.of_whole()));
        let value = |fields: &Map<String, Value>, key: &str| fields.get(key).cloned().unwrap_or_default();
        let mut keys = one.keys().chain(other.keys());
        let first = keys.find(|&key| one.get(key) != other.get(key))?;
        Some((first.clone(), [value(&one, first), value(&other, first)]))
    }
}

/// Units of a job under their header, as they are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The first line.
    pub header: ShardHeader,
    bytes: Vec<u8>,
    bodies: Vec<(u32, Range<usize>)>,
}

impl Shard {
    /// A shard of these units, which rise and belong into it.
    pub fn new<'a>(header: ShardHeader, units: impl IntoIterator<Item = (u32, &'a [u8])>) -> Self {
        let mut bytes = (json(&header) + "\n").into_bytes();
        let mut bodies = Vec::new();
        for (unit, body) in units {
            let behind = usize::from(header.records == RecordLayout::Lines);
            header.records.write(body, &mut bytes);
            let end = bytes.len() - behind;
            bodies.push((unit, end - body.len()..end));
        }
        header.records.end(&mut bytes);
        bytes.extend(footer(bodies.len(), &bytes).into_bytes());
        Shard { header, bytes, bodies }
    }

    /// Reads a shard; every change since it was written is found.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(bytes: Vec<u8>) -> Result<Self, ShardError> {
        let end = bytes.iter().take(MAX_HEADER).position(|&byte| byte == b'\n');
        let Some(end) = end else {
            let head = bytes.len().min(HEADER_HEAD.len());
            let is_torn = bytes.len() < MAX_HEADER && bytes[..head] == HEADER_HEAD[..head];
            let why = "the first line is not a header".to_owned();
            return Err(if is_torn { ShardError::Unfinished } else { ShardError::Foreign(why) });
        };
        let header = ShardHeader::read(&bytes[..end])?;
        let mut rest = &bytes[end + 1..];
        let mut bodies: Vec<(u32, Range<usize>)> = Vec::new();
        while let Some((unit, body)) = header.records.next(&mut rest)? {
            let is_next = bodies.last().is_none_or(|(last, _)| *last < unit);
            if !is_next || !header.block().contains(&unit) {
                return Err(ShardError::Damaged("the units are not in order"));
            }
            let before = usize::from(header.records == RecordLayout::Lines);
            let end = bytes.len() - rest.len() - before;
            bodies.push((unit, end - body.len()..end));
        }
        let content = bytes.len() - rest.len();
        if rest != footer(bodies.len(), &bytes[..content]).as_bytes() {
            let is_torn = !rest.ends_with(b"}\n");
            let why = ShardError::Damaged("the checksum does not match");
            return Err(if is_torn { ShardError::Unfinished } else { why });
        }
        Ok(Shard { header, bytes, bodies })
    }

    /// Reads a shard from the disk.
    ///
    /// # Errors
    /// As [`Shard::read`], or if there is no such file.
    pub fn load(path: &Path) -> Result<Self, ShardError> {
        let bytes = read_regular(path, MAX_BYTES)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(ShardError::Unreadable(format!("longer than {} MiB", MAX_BYTES >> 20)));
        }
        Shard::read(bytes)
    }

    /// The whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The units, each with its number, rising.
    pub fn units(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.bodies.iter().map(|(unit, place)| (*unit, &self.bytes[place.clone()]))
    }

    /// The body of the unit at a place of [`Shard::units`].
    pub(in crate::arena) fn body(&self, place: usize) -> &[u8] {
        &self.bytes[self.bodies[place].1.clone()]
    }

    /// Reports whether every unit of another shard is in this one, the same.
    #[must_use]
    pub fn contains(&self, other: &Shard) -> bool {
        let mut own = self.units();
        other.units().all(|unit| own.find(|known| known.0 >= unit.0) == Some(unit))
    }

    /// Reports whether every unit that belongs into it is there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.bodies.len() == self.header.block().len()
    }
}

fn footer(units: usize, content: &[u8]) -> String {
    let crc = crc32fast::hash(content);
    format!("{{\"end\":true,\"units\":{units},\"crc32\":\"{crc:08x}\"}}\n")
}
