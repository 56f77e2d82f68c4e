//! A shard: some units of a job, done, in one file with a header before and a checksum behind. Knows how units are kept
//! apart, not what is in them.

use std::io;
use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value};

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

/// How the units of a shard are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordLayout {
    /// One JSON object a line, `"unit"` in front.
    Lines,
    /// Each with its length in front, four bytes, and a length of 0 behind the last; the number of the unit begins it.
    Frames,
}

impl RecordLayout {
    fn word(self) -> &'static str {
        match self {
            RecordLayout::Lines => "json",
            RecordLayout::Frames => "binary",
        }
    }

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
    let damaged = ShardError::Damaged("a line is not a unit");
    let object: Map<String, Value> = serde_json::from_slice(body).map_err(|_| damaged.clone())?;
    let (key, unit) = object.iter().next().ok_or(damaged.clone())?;
    let unit = unit.as_u64().and_then(|unit| u32::try_from(unit).ok()).filter(|_| key == "unit");
    Ok(Some((unit.ok_or(damaged)?, body)))
}

const HEADER_HEAD: &[u8] = b"{\"crosspath\":\"shard\",";
const FOOTER_HEAD: &[u8] = b"{\"end\":true,";

/// Whether bytes begin as a shard does.
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

/// What a shard says about itself in its first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    members: Map<String, Value>,
    layout: RecordLayout,
    /// Which block of the job it is.
    pub index: u32,
    /// Of how many.
    pub count: u32,
    /// The units of the whole job.
    pub units: u32,
}

impl Header {
    /// The header of block `index` of `count` of a job; `more` are the members of its kind.
    #[must_use]
    pub fn new(
        (job, kind): (u64, &str),
        layout: RecordLayout,
        (index, count, units): (u32, u32, u32),
        more: &Map<String, Value>,
    ) -> Self {
        let Range { start, end } = block(index, count, units);
        let mut members = Map::new();
        let mut set = |key: &str, value: Value| members.insert(key.to_owned(), value);
        set("crosspath", "shard".into());
        set("schema", SCHEMA.into());
        set("job", format!("{job:016x}").into());
        set("kind", kind.into());
        set("version", env!("CARGO_PKG_VERSION").into());
        set("bench", ai::signature().into());
        set("index", index.into());
        set("count", count.into());
        set("units", units.into());
        set("from", start.into());
        set("to", end.into());
        set("records", layout.word().into());
        members.extend(more.clone());
        Header { members, layout, index, count, units }
    }

    /// The same for the whole job.
    #[must_use]
    pub fn of_whole(&self) -> Self {
        let mut whole = Header { index: 0, count: 1, ..self.clone() };
        for (key, value) in [("index", 0), ("count", 1), ("from", 0), ("to", self.units)] {
            whole.members.insert(key.to_owned(), value.into());
        }
        whole
    }

    fn read(line: &[u8]) -> Result<Self, ShardError> {
        let foreign = |why: &str| ShardError::Foreign(why.to_owned());
        if !line.starts_with(HEADER_HEAD) {
            return Err(foreign("the first line does not start with {\"crosspath\":\"shard\""));
        }
        let members: Map<String, Value> = serde_json::from_slice(line)
            .map_err(|_| ShardError::Damaged("the first line is not a JSON object"))?;
        if members.get("schema").and_then(Value::as_u64) != Some(SCHEMA) {
            return Err(foreign("the schema is not 1; another version of crosspath wrote the file"));
        }
        let number = |key| members.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let text = |key| members.get(key).and_then(Value::as_str);
        let layout = [RecordLayout::Lines, RecordLayout::Frames]
            .into_iter()
            .find(|layout| text("records") == Some(layout.word()));
        let numbers = [number("index"), number("count"), number("units"), number("from"), number("to")];
        let [Some(index), Some(count), Some(units), Some(from), Some(to)] = numbers else {
            return Err(ShardError::Damaged("the header lacks a number"));
        };
        let is_possible = index < count && count <= units && units <= MAX_UNITS;
        let has_texts = ["job", "kind", "version", "bench"].into_iter().all(|key| text(key).is_some());
        match layout {
            Some(layout) if is_possible && has_texts && block(index, count, units) == (from..to) => {
                Ok(Header { members, layout, index, count, units })
            }
            _ => Err(ShardError::Damaged("the header is inconsistent")),
        }
    }

    /// What stands there under a key.
    #[must_use]
    pub fn get(&self, key: &str) -> &Value {
        self.members.get(key).unwrap_or(&Value::Null)
    }

    /// The same as text; empty if there is none.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    /// All members, and beside them those of one of them.
    pub(in crate::arena) fn flattened(&self, key: &str) -> Value {
        let mut members = self.members.clone();
        members.extend(self.get(key).as_object().cloned().unwrap_or_default());
        members.into()
    }

    /// The units that belong into it.
    #[must_use]
    pub fn block(&self) -> Range<u32> {
        block(self.index, self.count, self.units)
    }

    /// The first member in which another shard differs that is to be of the same job, version and play.
    #[must_use]
    pub fn difference<'a>(&'a self, other: &'a Header) -> Option<&'a str> {
        let (one, other) = (&self.of_whole().members, &other.of_whole().members);
        let first = self.members.keys().find(|&key| one.get(key) != other.get(key));
        first.map(String::as_str).or((one.len() != other.len()).then_some("header"))
    }

    fn line(&self) -> String {
        let mut line = Value::from(self.members.clone()).to_string();
        line.push('\n');
        line
    }
}

/// Units of a job under their header, as they are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The first line.
    pub header: Header,
    bytes: Vec<u8>,
    bodies: Vec<(u32, Range<usize>)>,
}

impl Shard {
    /// A shard of these units, which rise and belong into it.
    pub fn new<'a>(header: Header, units: impl IntoIterator<Item = (u32, &'a [u8])>) -> Self {
        let mut bytes = header.line().into_bytes();
        let mut bodies = Vec::new();
        for (unit, body) in units {
            let behind = usize::from(header.layout == RecordLayout::Lines);
            header.layout.write(body, &mut bytes);
            let end = bytes.len() - behind;
            bodies.push((unit, end - body.len()..end));
        }
        header.layout.end(&mut bytes);
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
        let header = Header::read(&bytes[..end])?;
        let mut rest = &bytes[end + 1..];
        let mut bodies: Vec<(u32, Range<usize>)> = Vec::new();
        while let Some((unit, body)) = header.layout.next(&mut rest)? {
            let is_next = bodies.last().is_none_or(|(last, _)| *last < unit);
            if !is_next || !header.block().contains(&unit) {
                return Err(ShardError::Damaged("the units are not in order"));
            }
            let before = usize::from(header.layout == RecordLayout::Lines);
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

    /// Whether every unit of another shard is in this one, the same.
    #[must_use]
    pub fn contains(&self, other: &Shard) -> bool {
        let mut own = self.units();
        other.units().all(|unit| own.find(|known| known.0 >= unit.0) == Some(unit))
    }

    /// Whether every unit that belongs into it is there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.bodies.len() == self.header.block().len()
    }
}

fn footer(units: usize, content: &[u8]) -> String {
    let crc = crc32fast::hash(content);
    format!("{{\"end\":true,\"units\":{units},\"crc32\":\"{crc:08x}\"}}\n")
}
