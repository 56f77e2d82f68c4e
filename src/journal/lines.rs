//! The lines of a journal: a checksum and a JSON object each. Knows no games.

use serde::Serialize;
use serde_json::{Map, Value};

use super::entry::Numbered;

/// The longest line, in bytes.
pub(super) const MAX_LINE: usize = 64 << 10;

/// Fault for which a journal cannot be read; the file stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", in_line(*line))]
pub struct BadJournal {
    /// The line, from 1; 0 where the file as a whole is wrong.
    pub line: usize,
    /// Description of the fault.
    pub why: String,
}

/// The line as the beginning of what is said about it, behind the name of the file and a colon.
fn in_line(line: usize) -> String {
    if line == 0 { " ".to_owned() } else { format!("{line}: ") }
}

/// The lines of a journal as far as they are whole.
#[derive(Debug)]
pub(super) struct JournalLines {
    pub(super) entries: Vec<Map<String, Value>>,
    /// Number of bytes that they take. What comes after them was not written to its end.
    pub(super) length: usize,
}

/// An entry as a line: the CRC-32 of the object in eight hexadecimal digits, a blank, the object.
///
/// ```
/// let entry = serde_json::json!({"seq": 1, "kind": "move", "side": "first", "move": "f6"});
/// let line = crosspath::journal::line(&entry);
/// assert_eq!(line, "d78de958 {\"seq\":1,\"kind\":\"move\",\"side\":\"first\",\"move\":\"f6\"}\n");
/// ```
///
/// # Panics
/// If it has keys that are no strings.
#[must_use]
pub fn line(entry: &impl Serialize) -> String {
    let text = serde_json::to_string(entry).expect("its keys are strings");
    format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()))
}

/// Reports whether these bytes begin as a journal does.
#[must_use]
pub fn is_journal(bytes: &[u8]) -> bool {
    bytes.split_inclusive(|&byte| byte == b'\n').next().and_then(entry).is_some()
}

/// Reads lines numbered by `seq`. A last line that is not whole is left out.
pub(super) fn read(bytes: &[u8]) -> Result<JournalLines, BadJournal> {
    let mut lines = JournalLines { entries: Vec::new(), length: 0 };
    for row in bytes.split_inclusive(|&byte| byte == b'\n') {
        let number = lines.entries.len() + 1;
        let bad = |why: &str| BadJournal { line: number, why: why.to_owned() };
        let Some(entry) = entry(row) else {
            // A first line that was not written whole is no prefix of a game, whatever it was.
            if lines.length + row.len() < bytes.len() || lines.entries.is_empty() {
                return Err(bad("the line is damaged"));
            }
            break;
        };
        if entry.seq != Some(number as u64 - 1) {
            return Err(bad("a line is missing before this one"));
        }
        lines.entries.push(entry.entry);
        lines.length += row.len();
    }
    Ok(lines)
}

/// The entry of a whole line.
fn entry(row: &[u8]) -> Option<Numbered<Map<String, Value>>> {
    let row = row.strip_suffix(b"\n").filter(|row| row.len() < MAX_LINE)?;
    let (sum, text) = row.split_at_checked(9)?;
    let is_whole = sum == format!("{:08x} ", crc32fast::hash(text)).as_bytes();
    serde_json::from_slice(text).ok().filter(|_| is_whole)
}
