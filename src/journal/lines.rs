//! Lines of a journal, each with a checksum and a JSON object. This module does not depend on games.

use serde::Serialize;
use serde_json::{Map, Value};

use super::entry::NumberedEntry;

/// Maximum length of a journal line, in bytes.
pub(super) const MAX_LINE_BYTES: usize = 64 << 10;

/// Error in a journal. The file is left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", format_line_prefix(*line))]
pub struct JournalError {
    /// Line number from 1, or 0 for the file as a whole.
    pub line: usize,
    /// Description of the error.
    pub why: String,
}

/// Formats the line number that follows the file name and a colon.
fn format_line_prefix(line: usize) -> String {
    if line == 0 { " ".to_owned() } else { format!("{line}: ") }
}

/// The complete lines of a journal.
#[derive(Debug)]
pub(super) struct JournalLines {
    pub(super) entries: Vec<Map<String, Value>>,
    /// Size of these lines in bytes. An incomplete line follows if the file is longer.
    pub(super) length: usize,
}

/// Formats an entry as a line: the CRC-32 of the object in eight hexadecimal digits, a space, the object.
///
/// ```
/// let entry = serde_json::json!({"seq": 1, "kind": "move", "side": "first", "move": "f6"});
/// let line = crosspath::journal::format_journal_line(&entry);
/// assert_eq!(line, "d78de958 {\"seq\":1,\"kind\":\"move\",\"side\":\"first\",\"move\":\"f6\"}\n");
/// ```
///
/// # Panics
/// Panics if the entry has keys that are not strings.
#[must_use]
pub fn format_journal_line(entry: &impl Serialize) -> String {
    let text = serde_json::to_string(entry).expect("its keys are strings");
    format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()))
}

/// Reports whether these bytes begin like a journal.
#[must_use]
pub fn is_journal(bytes: &[u8]) -> bool {
    bytes.split_inclusive(|&byte| byte == b'\n').next().and_then(parse_journal_line).is_some()
}

/// Parses the lines of a journal and checks their consecutive `seq` numbers. An incomplete last line is left
/// out.
pub(super) fn read_journal_lines(bytes: &[u8]) -> Result<JournalLines, JournalError> {
    let mut lines = JournalLines { entries: Vec::new(), length: 0 };
    for row in bytes.split_inclusive(|&byte| byte == b'\n') {
        let number = lines.entries.len() + 1;
        let bad = |why: &str| JournalError { line: number, why: why.to_owned() };
        let Some(entry) = parse_journal_line(row) else {
            // If the first line is incomplete, there is no game to read.
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

/// Parses the entry of a complete line.
fn parse_journal_line(row: &[u8]) -> Option<NumberedEntry<Map<String, Value>>> {
    let row = row.strip_suffix(b"\n").filter(|row| row.len() < MAX_LINE_BYTES)?;
    let (sum, text) = row.split_at_checked(9)?;
    let is_whole = sum == format!("{:08x} ", crc32fast::hash(text)).as_bytes();
    serde_json::from_slice(text).ok().filter(|_| is_whole)
}
