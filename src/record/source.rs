//! Decoding of a file's bytes to text. This module does not depend on games.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::game::Refusal;

/// Number of bytes at the start of a file that are searched for the name of its encoding and the start of a
/// game.
pub(super) const SCANNED_HEAD_BYTES: usize = 64 << 10;

/// Decoded text of a file.
#[derive(Debug)]
pub(super) struct SourceText {
    pub(super) text: String,
    /// `true` if the bytes are probably not text. The decoded characters are kept for the digit reader.
    pub(super) is_binary: bool,
    /// Note about an unknown encoding that an SGF game names.
    pub(super) unknown: Option<String>,
}

impl SourceText {
    /// Decodes a file by its byte-order mark, else as UTF-8, else by the encoding that an SGF game names
    /// (`CA`), else as Windows-1252.
    pub(super) fn decode(bytes: &[u8]) -> Self {
        let marked = [(UTF_8, 3), (UTF_16LE, 2), (UTF_16BE, 2)]
            .into_iter()
            .find(|(encoding, length)| Encoding::for_bom(bytes) == Some((encoding, *length)));
        let marked = marked.or_else(|| Some((guess_utf16_encoding(bytes)?, 0)));
        let decode = |encoding: &'static Encoding, bytes| encoding.decode_without_bom_handling(bytes).0;
        let (label, mut assumed) = (find_sgf_charset(bytes), UTF_8);
        let text: Cow<'_, str> = match marked {
            Some((encoding, length)) => decode(encoding, &bytes[length..]),
            None => match (label.and_then(Encoding::for_label), std::str::from_utf8(bytes)) {
                (Some(encoding), _) => decode(encoding, bytes),
                (None, Ok(text)) => Cow::Borrowed(text),
                (None, Err(_)) => {
                    assumed = WINDOWS_1252;
                    decode(WINDOWS_1252, bytes)
                }
            },
        };
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let is_control = |c: &char| c.is_control() && !c.is_whitespace();
        let controls = text.chars().take(SCANNED_HEAD_BYTES).filter(is_control).count();
        let is_binary = text.contains('\0') || controls * 8 > text.len().min(SCANNED_HEAD_BYTES);
        let is_unknown = |label: &&[u8]| {
            marked.is_none() && !label.trim_ascii().is_empty() && Encoding::for_label(label).is_none()
        };
        let unknown = label.filter(is_unknown).map(|label| {
            let (label, assumed) =
                (Refusal::sanitize_excerpt(&String::from_utf8_lossy(label)), assumed.name());
            format!("the encoding CA[{label}] is not known; the file is read as {assumed}")
        });
        SourceText { text, is_binary, unknown }
    }
}

/// Returns the encoding of UTF-16 text without a byte-order mark, in which every other byte of plain text is
/// 0.
fn guess_utf16_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = bytes.chunks_exact(2).take(SCANNED_HEAD_BYTES);
    let (mut zeros, mut count) = ([0, 0], 0);
    for pair in pairs {
        count += 1;
        zeros[0] += usize::from(pair[0] == 0);
        zeros[1] += usize::from(pair[1] == 0);
    }
    match zeros {
        [0, second] if count > 0 && second * 10 > count * 9 => Some(UTF_16LE),
        [first, 0] if count > 0 && first * 10 > count * 9 => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns the name of the encoding that an SGF game states.
fn find_sgf_charset(bytes: &[u8]) -> Option<&[u8]> {
    let head = &bytes[..bytes.len().min(SCANNED_HEAD_BYTES)];
    let find = |what: &[u8], from: usize| {
        head.get(from..)?.windows(what.len()).position(|at| at == what).map(|at| from + at)
    };
    let game = find(b"(;", 0)?;
    let from = find(b"CA[", game)? + 3;
    let length = head[from..].iter().take(40).position(|&byte| byte == b']')?;
    Some(&head[from..from + length])
}
