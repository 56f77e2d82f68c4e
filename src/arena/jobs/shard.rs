//! Shards: files with finished units of a job.
//!
//! A shard consists of a header line, the units, and a footer with a checksum. The bodies of units
//! are opaque bytes here.

use std::io;
use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::{self, ArenaJobError, to_json_fields, to_json_line};
use crate::ai;
use crate::record::disk::read_regular_file;

/// Maximum number of units in a job.
pub(crate) const MAX_JOB_UNITS: u32 = 1_000_000_000;
/// Maximum size of a shard, in bytes.
pub(crate) const MAX_SHARD_BYTES: u64 = 1 << 30;
/// Maximum length of a shard header, in bytes.
const MAX_SHARD_HEADER_BYTES: usize = 1 << 20;
/// Version of the shard format.
const SHARD_SCHEMA_VERSION: u64 = 1;

/// Layout of the units within a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecordLayout {
    /// One JSON object per line, starting with the `"unit"` field.
    #[serde(rename = "json")]
    Lines,
    /// Length-prefixed frames: four bytes of length, then the body, which starts with the unit number. A
    /// length of 0 marks the end.
    #[serde(rename = "binary")]
    Frames,
}

impl RecordLayout {
    /// Appends a unit to `out`.
    fn write_unit(self, body: &[u8], out: &mut Vec<u8>) {
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

    /// Appends the end marker of the units, if the layout has one.
    fn write_end_marker(self, out: &mut Vec<u8>) {
        if self == RecordLayout::Frames {
            out.extend([0; 4]);
        }
    }

    /// Reads the next unit from the front of `rest` and returns its number and body, or `None` at the end
    /// of the units.
    fn read_next_unit<'a>(self, rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, ShardError> {
        match self {
            RecordLayout::Frames => read_unit_frame(rest),
            RecordLayout::Lines => read_unit_line(rest),
        }
    }
}

/// Reads a length-prefixed unit from the front of `rest`.
fn read_unit_frame<'a>(rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, ShardError> {
    let (length, behind) = rest.split_first_chunk::<4>().ok_or(ShardError::Incomplete)?;
    let length = u32::from_le_bytes(*length) as usize;
    let body = behind.get(..length).ok_or(ShardError::Incomplete)?;
    *rest = &behind[length..];
    if length == 0 {
        return Ok(None);
    }
    let unit = body.first_chunk::<4>().ok_or(ShardError::Damaged("a unit has no number"))?;
    Ok(Some((u32::from_le_bytes(*unit), body)))
}

/// Reads a unit that is one line of JSON from the front of `rest`.
fn read_unit_line<'a>(rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, ShardError> {
    if rest.starts_with(SHARD_FOOTER_PREFIX) {
        return Ok(None);
    }
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or(ShardError::Incomplete)?;
    let body = &rest[..end];
    *rest = &rest[end + 1..];
    match serde_json::from_slice(body) {
        Ok(UnitNumberField { unit }) if body.starts_with(b"{\"unit\":") => Ok(Some((unit, body))),
        _ => Err(ShardError::Damaged("a line is not a unit")),
    }
}

/// Leading field of every unit in the JSON layout.
#[derive(Deserialize)]
struct UnitNumberField {
    unit: u32,
}

/// First bytes of every shard header.
const SHARD_HEADER_PREFIX: &[u8] = b"{\"crosspath\":\"shard\",";
/// First bytes of every shard footer.
const SHARD_FOOTER_PREFIX: &[u8] = b"{\"end\":true,";

/// Reports whether the bytes start with a shard header.
pub(in crate::arena) fn has_shard_prefix(bytes: &[u8]) -> bool {
    bytes.starts_with(SHARD_HEADER_PREFIX)
}

/// Reasons why a file is not a complete shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The file does not start with a valid shard header.
    #[error("not a shard: {0}")]
    NotShard(String),
    /// The end of the file is missing.
    #[error("incomplete: the last line is not the footer of a shard")]
    Incomplete,
    /// The contents changed after the file was written.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

impl From<io::Error> for ShardError {
    fn from(error: io::Error) -> Self {
        ShardError::Unreadable(crate::record::disk::describe_read_error(&error))
    }
}

/// Returns the units of block `index` of `count`, starting at floor(index * units / count).
///
/// ```
/// use crosspath::arena::jobs::shard::unit_range_of_block;
/// assert_eq!([0, 1, 2].map(|index| unit_range_of_block(index, 3, 10)), [0..3, 3..6, 6..10]);
/// ```
///
/// # Panics
/// May panic if `index` is not less than `count`.
#[must_use]
pub fn unit_range_of_block(index: u32, count: u32, units: u32) -> Range<u32> {
    let first = |index: u32| {
        let product = u64::from(index) * u64::from(units) / u64::from(count.max(1));
        u32::try_from(product).expect("at most the units")
    };
    first(index)..first(index + 1)
}

/// Schema field of a shard header, which every version of the format has.
#[derive(Deserialize)]
struct SchemaField {
    #[serde(default)]
    schema: Value,
}

/// Header of a shard, which is its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    crosspath: String,
    schema: u64,
    job: String,
    /// Kind of the job.
    pub kind: String,
    version: String,
    /// Fingerprint of the engines' play.
    pub bench: String,
    /// Index of this block in the job.
    pub index: u32,
    /// Number of blocks of the job.
    pub count: u32,
    /// Number of units of the whole job.
    pub units: u32,
    from: u32,
    to: u32,
    records: RecordLayout,
    /// Fields specific to the kind of job.
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl ShardHeader {
    /// Creates the header for block `index` of the `count` blocks of a job.
    ///
    /// `more` holds the fields specific to its kind.
    #[must_use]
    pub fn new(
        (job, kind): (u64, &str),
        records: RecordLayout,
        (index, count, units): (u32, u32, u32),
        more: Map<String, Value>,
    ) -> Self {
        let Range { start: from, end: to } = unit_range_of_block(index, count, units);
        ShardHeader {
            crosspath: "shard".to_owned(),
            schema: SHARD_SCHEMA_VERSION,
            job: format!("{job:016x}"),
            kind: kind.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: ai::bench_signature().to_owned(),
            index,
            count,
            units,
            from,
            to,
            records,
            more,
        }
    }

    /// Returns the header of a shard with all units of the job.
    #[must_use]
    pub fn for_whole_job(&self) -> Self {
        ShardHeader { index: 0, count: 1, from: 0, to: self.units, ..self.clone() }
    }

    /// Parses and validates the first line of a shard.
    fn parse(line: &[u8]) -> Result<Self, ShardError> {
        let foreign = |why: &str| ShardError::NotShard(why.to_owned());
        if !line.starts_with(SHARD_HEADER_PREFIX) {
            return Err(foreign("the first line does not start with {\"crosspath\":\"shard\""));
        }
        let SchemaField { schema } = serde_json::from_slice(line)
            .map_err(|_| ShardError::Damaged("the first line is not a JSON object"))?;
        if schema != SHARD_SCHEMA_VERSION {
            return Err(foreign("the schema is not 1; another version of crosspath wrote the file"));
        }
        let header: ShardHeader =
            serde_json::from_slice(line).map_err(|_| ShardError::Damaged("the header lacks a field"))?;
        let ShardHeader { index, count, units, from, to, .. } = header;
        let is_possible = index < count && count <= units && units <= MAX_JOB_UNITS;
        if is_possible && unit_range_of_block(index, count, units) == (from..to) {
            Ok(header)
        } else {
            Err(ShardError::Damaged("the header is inconsistent"))
        }
    }

    /// Deserializes the fields of the header into `T`.
    pub(in crate::arena) fn parse_fields_as<T: DeserializeOwned>(&self) -> Result<T, ArenaJobError> {
        fields::parse_json_object(to_json_line(self).as_bytes())
    }

    /// Returns the value of a kind-specific field, or null if it is missing.
    #[must_use]
    pub fn get(&self, key: &str) -> &Value {
        self.more.get(key).unwrap_or(&Value::Null)
    }

    /// Returns the value of a kind-specific field as text, or an empty string.
    #[must_use]
    pub fn text_field(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    /// Returns the range of units that belong to this shard.
    #[must_use]
    pub fn unit_range(&self) -> Range<u32> {
        unit_range_of_block(self.index, self.count, self.units)
    }

    /// Compares this header with another one, which should belong to the same run.
    ///
    /// Returns the first field that differs, with both values.
    #[must_use]
    pub fn first_difference(&self, other: &ShardHeader) -> Option<(String, [Value; 2])> {
        let [one, other] = [self, other].map(|header| to_json_fields(&header.for_whole_job()));
        let value = |fields: &Map<String, Value>, key: &str| fields.get(key).cloned().unwrap_or_default();
        let mut keys = one.keys().chain(other.keys());
        let first = keys.find(|&key| one.get(key) != other.get(key))?;
        Some((first.clone(), [value(&one, first), value(&other, first)]))
    }
}

/// Shard of a job: a header, followed by finished units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Header of the shard.
    pub header: ShardHeader,
    bytes: Vec<u8>,
    bodies: Vec<(u32, Range<usize>)>,
}

impl Shard {
    /// Creates a shard from units in increasing order, all within the block of the header.
    pub fn new<'a>(header: ShardHeader, units: impl IntoIterator<Item = (u32, &'a [u8])>) -> Self {
        let mut bytes = (to_json_line(&header) + "\n").into_bytes();
        let mut bodies = Vec::new();
        for (unit, body) in units {
            let behind = usize::from(header.records == RecordLayout::Lines);
            header.records.write_unit(body, &mut bytes);
            let end = bytes.len() - behind;
            bodies.push((unit, end - body.len()..end));
        }
        header.records.write_end_marker(&mut bytes);
        bytes.extend(format_shard_footer(bodies.len(), &bytes).into_bytes());
        Shard { header, bytes, bodies }
    }

    /// Parses a shard and verifies its checksum.
    ///
    /// # Errors
    /// Returns an error that describes the defect.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, ShardError> {
        let end = bytes.iter().take(MAX_SHARD_HEADER_BYTES).position(|&byte| byte == b'\n');
        let Some(end) = end else {
            let head = bytes.len().min(SHARD_HEADER_PREFIX.len());
            let is_torn =
                bytes.len() < MAX_SHARD_HEADER_BYTES && bytes[..head] == SHARD_HEADER_PREFIX[..head];
            let why = "the first line is not a header".to_owned();
            return Err(if is_torn { ShardError::Incomplete } else { ShardError::NotShard(why) });
        };
        let header = ShardHeader::parse(&bytes[..end])?;
        let mut rest = &bytes[end + 1..];
        let mut bodies: Vec<(u32, Range<usize>)> = Vec::new();
        while let Some((unit, body)) = header.records.read_next_unit(&mut rest)? {
            let is_next = bodies.last().is_none_or(|(last, _)| *last < unit);
            if !is_next || !header.unit_range().contains(&unit) {
                return Err(ShardError::Damaged("the units are not in order"));
            }
            let before = usize::from(header.records == RecordLayout::Lines);
            let end = bytes.len() - rest.len() - before;
            bodies.push((unit, end - body.len()..end));
        }
        let content = bytes.len() - rest.len();
        if rest != format_shard_footer(bodies.len(), &bytes[..content]).as_bytes() {
            let is_torn = !rest.ends_with(b"}\n");
            let why = ShardError::Damaged("the checksum does not match");
            return Err(if is_torn { ShardError::Incomplete } else { why });
        }
        Ok(Shard { header, bytes, bodies })
    }

    /// Loads a shard from disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or [`Shard::parse`] fails.
    pub fn load(path: &Path) -> Result<Self, ShardError> {
        let bytes = read_regular_file(path, MAX_SHARD_BYTES)?;
        if bytes.len() as u64 > MAX_SHARD_BYTES {
            return Err(ShardError::Unreadable(format!("longer than {} MiB", MAX_SHARD_BYTES >> 20)));
        }
        Shard::parse(bytes)
    }

    /// Returns the contents of the whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Iterates over the numbers and bodies of the units in increasing order.
    pub fn units(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.bodies.iter().map(|(unit, place)| (*unit, &self.bytes[place.clone()]))
    }

    /// Returns the body of the unit at this index of [`Shard::units`].
    pub(in crate::arena) fn unit_body(&self, place: usize) -> &[u8] {
        &self.bytes[self.bodies[place].1.clone()]
    }

    /// Reports whether this shard contains every unit of another one, with the same body.
    #[must_use]
    pub fn contains_shard(&self, other: &Shard) -> bool {
        let mut own = self.units();
        other.units().all(|unit| own.find(|known| known.0 >= unit.0) == Some(unit))
    }

    /// Reports whether the shard has every unit of its block.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.bodies.len() == self.header.unit_range().len()
    }
}

/// Formats the footer line with the number of units and the CRC-32 of the contents.
fn format_shard_footer(units: usize, content: &[u8]) -> String {
    let crc = crc32fast::hash(content);
    format!("{{\"end\":true,\"units\":{units},\"crc32\":\"{crc:08x}\"}}\n")
}
