//! Decoder of the bytes from the terminal: keys, pasted text, mouse events and replies to queries.
//! It does no I/O. An incomplete sequence is dropped after a timeout, so that it cannot swallow the
//! keys after it.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::screen::ScreenEvent;
use super::theme::TerminalBackground;

/// Byte of Ctrl-C, which interrupts any escape sequence.
const CTRL_C_BYTE: u8 = 3;
const ESCAPE_BYTE: u8 = 0x1b;
/// Time after which Esc counts as a key and not as the start of a sequence.
///
/// Terminals send a sequence in one piece, so a short timeout is enough.
const LONE_ESCAPE_TIMEOUT: Duration = Duration::from_millis(3);
/// Maximum pause within an escape sequence.
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(50);
/// Maximum length of an escape sequence in bytes. All known sequences are shorter.
const MAX_SEQUENCE_BYTES: usize = 64;

/// Escape sequence before pasted text.
const PASTE_START_SEQUENCE: &[u8] = b"\x1b[200~";
/// Escape sequence after pasted text.
const PASTE_END_SEQUENCE: &[u8] = b"\x1b[201~";
/// Maximum length of pasted text in bytes, a few times that of a typed line. The rest is dropped.
const MAX_PASTE_BYTES: usize = 4096;
/// Maximum pause within pasted text. Input after a longer pause counts as keys.
const PASTE_TIMEOUT: Duration = Duration::from_secs(1);

/// Decoder of terminal input that arrives in pieces of any size.
#[derive(Debug, Default)]
pub struct InputDecoder {
    /// Pasted text received so far, while the paste is incomplete.
    pasted: Option<Vec<u8>>,
    /// Bytes that are not decoded yet, the start of an escape sequence.
    rest: Vec<u8>,
}

/// Result of decoding the event at the start of the input.
enum ParsedInput {
    /// A complete event with its length in bytes, or `None` for bytes without a meaning.
    Whole(usize, Option<ScreenEvent>),
    /// An incomplete event that needs more bytes.
    Part,
}

impl InputDecoder {
    /// Decodes bytes and appends their events to `found`, in order.
    pub fn decode(&mut self, bytes: &[u8], found: &mut Vec<ScreenEvent>) {
        self.rest.extend_from_slice(bytes);
        let mut from = 0;
        while from < self.rest.len() {
            if self.pasted.is_some() {
                from += self.decode_pasted(from, found);
                if self.pasted.is_some() {
                    break;
                }
            } else if self.rest[from..].starts_with(PASTE_START_SEQUENCE) {
                from += PASTE_START_SEQUENCE.len();
                self.pasted = Some(Vec::new());
            } else if let ParsedInput::Whole(count, event) = decode_first_event(&self.rest[from..]) {
                from += count;
                found.extend(event);
            } else {
                break;
            }
        }
        self.rest.drain(..from);
    }

    /// Decodes pasted bytes up to the end of the paste, or as far as they have arrived.
    ///
    /// Returns the number of decoded bytes.
    fn decode_pasted(&mut self, from: usize, found: &mut Vec<ScreenEvent>) -> usize {
        let (bytes, pasted) = (&self.rest[from..], self.pasted.get_or_insert_default());
        let end = bytes.windows(PASTE_END_SEQUENCE.len()).position(|window| window == PASTE_END_SEQUENCE);
        // The last bytes may be the start of the end sequence.
        let held =
            (1..PASTE_END_SEQUENCE.len()).rev().find(|&count| bytes.ends_with(&PASTE_END_SEQUENCE[..count]));
        let text = &bytes[..end.unwrap_or(bytes.len() - held.unwrap_or(0))];
        pasted.extend(text.iter().take(MAX_PASTE_BYTES.saturating_sub(pasted.len())));
        let count = text.len();
        if end.is_none() {
            return count;
        }
        self.finish_paste(found);
        count + PASTE_END_SEQUENCE.len()
    }

    fn finish_paste(&mut self, found: &mut Vec<ScreenEvent>) {
        let pasted = self.pasted.take();
        found.extend(pasted.map(|bytes| ScreenEvent::Paste(String::from_utf8_lossy(&bytes).into_owned())));
    }

    /// Returns the time within which the rest of an incomplete event must arrive.
    ///
    /// Returns `None` if no event is incomplete. A lone Esc has the shortest timeout.
    pub fn timeout(&self) -> Option<Duration> {
        match self.rest.as_slice() {
            _ if self.pasted.is_some() => Some(PASTE_TIMEOUT),
            [] => None,
            [ESCAPE_BYTE] => Some(LONE_ESCAPE_TIMEOUT),
            _ => Some(SEQUENCE_TIMEOUT),
        }
    }

    /// Ends an incomplete event after its timeout.
    ///
    /// A lone Esc becomes a key. A sequence that was cut off is dropped.
    pub fn flush_after_timeout(&mut self, found: &mut Vec<ScreenEvent>) {
        if self.pasted.is_some() {
            self.finish_paste(found);
        } else if let [ESCAPE_BYTE] | [ESCAPE_BYTE, b']' | b'P'] = *self.rest {
            // Alt with one of these letters has the same bytes as the start of a reply.
            found.extend(self.rest.iter().map(|&byte| match byte {
                ESCAPE_BYTE => key_event(KeyCode::Esc),
                letter => key_event(KeyCode::Char(char::from(letter))),
            }));
        }
        self.rest.clear();
    }
}

fn key_event(code: KeyCode) -> ScreenEvent {
    ScreenEvent::Key(code.into())
}

fn ctrl_key_event(letter: u8) -> ScreenEvent {
    ScreenEvent::Key(KeyEvent::new(KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL))
}

fn decode_first_event(bytes: &[u8]) -> ParsedInput {
    let one = |code: KeyCode| ParsedInput::Whole(1, Some(key_event(code)));
    match bytes[0] {
        ESCAPE_BYTE => decode_escape(bytes),
        b'\r' | b'\n' => one(KeyCode::Enter),
        b'\t' => one(KeyCode::Tab),
        0x7f | 0x08 => one(KeyCode::Backspace),
        byte @ 1..=26 => ParsedInput::Whole(1, Some(ctrl_key_event(b'a' + byte - 1))),
        0..=31 => ParsedInput::Whole(1, None),
        byte if byte.is_ascii() => one(KeyCode::Char(char::from(byte))),
        byte => decode_utf8_letter(bytes, byte),
    }
}

/// Decodes a multi-byte UTF-8 character. Invalid bytes are ignored.
fn decode_utf8_letter(bytes: &[u8], first: u8) -> ParsedInput {
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return ParsedInput::Whole(1, None),
    };
    let come = &bytes[..bytes.len().min(length)];
    match std::str::from_utf8(come) {
        Ok(text) => {
            ParsedInput::Whole(length, text.chars().next().map(|letter| key_event(KeyCode::Char(letter))))
        }
        Err(error) if error.error_len().is_none() => ParsedInput::Part,
        Err(_) => ParsedInput::Whole(1, None),
    }
}

fn decode_escape(bytes: &[u8]) -> ParsedInput {
    match *bytes {
        [_] | [_, b'O'] => ParsedInput::Part,
        [_, b'[', ..] => decode_csi_sequence(bytes),
        [_, b']', ..] => decode_background_reply(bytes),
        [_, b'P', ..] => decode_colour_reply(bytes),
        [_, b'O', last, ..] if last > 32 => ParsedInput::Whole(3, key_of_final_byte(last).map(key_event)),
        [_, b'O', ..] => ParsedInput::Whole(2, None),
        // Esc and a key in one piece, which is also how Alt is sent: two keys.
        _ => ParsedInput::Whole(1, Some(key_event(KeyCode::Esc))),
    }
}

/// Start of the terminal's reply to the query for its background. Other OSC sequences are read as
/// keys.
const BACKGROUND_REPLY_PREFIX: &[u8] = b"\x1b]11;";

/// Starts of the terminal's replies to the queries whether it shows all colours.
///
/// The replies report the current attributes (DECRQSS) and the terminfo entry `RGB` (XTGETTCAP). A
/// 0 in place of the 1 means that the terminal does not know.
const COLOUR_REPLY_PREFIXES: [&[u8]; 4] = [b"\x1bP1$r", b"\x1bP1+r524742", b"\x1bP0$r", b"\x1bP0+r"];

/// Decodes the reply with the background colour, `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`.
fn decode_background_reply(bytes: &[u8]) -> ParsedInput {
    let event = |text: &str| {
        parse_rgb_colour(text).map(|parts| ScreenEvent::Background(TerminalBackground::from_colour(parts)))
    };
    decode_terminal_reply(bytes, BACKGROUND_REPLY_PREFIX, event)
        .unwrap_or_else(|| ParsedInput::Whole(1, Some(key_event(KeyCode::Esc))))
}

/// Decodes a reply to the queries whether the terminal shows all colours.
///
/// It does if the attributes contain the background that was set, or if the entry `RGB` exists.
fn decode_colour_reply(bytes: &[u8]) -> ParsedInput {
    let answers = COLOUR_REPLY_PREFIXES.iter().enumerate().find_map(|(index, start)| {
        let shows_all = |text: &str| match index {
            0 => ["48:2:1:2:3", "48:2::1:2:3", "48;2;1;2;3"].iter().any(|set| text.contains(set)),
            index => index == 1,
        };
        decode_terminal_reply(bytes, start, |text| shows_all(text).then_some(ScreenEvent::AllColours))
    });
    answers.unwrap_or_else(|| ParsedInput::Whole(1, Some(key_event(KeyCode::Esc))))
}

/// Decodes a reply that begins with `start` and ends with BEL or `ESC \`.
///
/// Returns `None` if the reply begins otherwise.
fn decode_terminal_reply(
    bytes: &[u8],
    start: &[u8],
    event: impl Fn(&str) -> Option<ScreenEvent>,
) -> Option<ParsedInput> {
    let known = bytes.len().min(start.len());
    if bytes[..known] != start[..known] {
        return None;
    }
    let inside = bytes[known..].iter().take(MAX_SEQUENCE_BYTES - known);
    let inside = inside.take_while(|byte| (0x20..0x7f).contains(*byte)).count();
    let (text, end) = bytes[known..].split_at(inside);
    let end = match *end {
        _ if known + inside == MAX_SEQUENCE_BYTES => 0,
        [0x07, ..] => 1,
        [ESCAPE_BYTE, b'\\', ..] => 2,
        [] | [ESCAPE_BYTE] => return Some(ParsedInput::Part),
        _ => 0, // cut off here; the next bytes are decoded separately
    };
    let told = std::str::from_utf8(text).ok().filter(|_| end > 0).and_then(event);
    Some(ParsedInput::Whole(known + inside + end, told))
}

/// Parses a colour such as `rgb:1e1e/2121/2727` into its components, each from 0 to 1.
fn parse_rgb_colour(text: &str) -> Option<[f64; 3]> {
    let (_, parts) = text.split_once(':')?;
    let mut parts = parts.split('/').map(|part| {
        let most =
            (1_u32 << (4 * u32::try_from(part.len()).ok().filter(|length| (1..=4).contains(length))?)) - 1;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

/// Decodes a CSI sequence: `ESC [`, parameters and a final byte.
fn decode_csi_sequence(bytes: &[u8]) -> ParsedInput {
    match bytes[2..] {
        // Function keys of the Linux console, and the oldest form of mouse reports.
        [b'[', CTRL_C_BYTE, ..] => return ParsedInput::Whole(3, None),
        [b'[', last @ b'A'..=b'E', ..] => {
            return ParsedInput::Whole(4, Some(key_event(KeyCode::F(last - b'A' + 1))));
        }
        [b'[', _, ..] => return ParsedInput::Whole(4, None),
        [b'M', ref report @ ..] if report.iter().take(3).any(|&byte| byte == CTRL_C_BYTE) => {
            return ParsedInput::Whole(3, None);
        }
        [b'M', _, _, _, ..] => return ParsedInput::Whole(6, None),
        [b'[' | b'M', ..] => return ParsedInput::Part,
        _ => {}
    }
    let inside = bytes[2..].iter().take(MAX_SEQUENCE_BYTES - 2);
    let inside = inside.take_while(|byte| (0x20..0x40).contains(*byte)).count();
    if 2 + inside == MAX_SEQUENCE_BYTES {
        return ParsedInput::Whole(MAX_SEQUENCE_BYTES, None);
    }
    let Some(&last) = bytes.get(2 + inside) else { return ParsedInput::Part };
    if !(0x40..0x7f).contains(&last) {
        // A byte that belongs to no sequence ends it and is decoded separately.
        return ParsedInput::Whole(2 + inside, None);
    }
    let text = std::str::from_utf8(&bytes[2..2 + inside]).unwrap_or_default();
    let event = match (text.strip_prefix('<'), last) {
        (Some(report), b'M' | b'm') => parse_mouse_report(report, last == b'M'),
        (None, b'c') if text.starts_with('?') => Some(ScreenEvent::Answered),
        (None, b'~') => key_of_tilde_number(text).map(key_event),
        (None, last) => key_of_final_byte(last).map(key_event),
        (Some(_), _) => None,
    };
    ParsedInput::Whole(3 + inside, event)
}

fn key_of_final_byte(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'M' => KeyCode::Enter,
        b'Z' => KeyCode::BackTab,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

fn key_of_tilde_number(text: &str) -> Option<KeyCode> {
    let number = text.split(';').next()?.parse::<u8>().ok()?;
    Some(match number {
        1 | 7 => KeyCode::Home,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number - 10),
        _ => return None,
    })
}

/// Parses a mouse report `button;column;row`. Columns and rows are counted from 1.
fn parse_mouse_report(report: &str, is_press: bool) -> Option<ScreenEvent> {
    let mut numbers = report.split(';').map(|number| number.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let is_motion = button & 32 != 0;
    let pressed = match button & 3 {
        0 => MouseButton::Left,
        1 => MouseButton::Middle,
        _ => MouseButton::Right,
    };
    let kind = match (button & 0xc3, is_motion, is_press) {
        (64, _, true) => MouseEventKind::ScrollUp,
        (65, _, true) => MouseEventKind::ScrollDown,
        (3, true, _) => MouseEventKind::Moved,
        (0..=2, true, _) => MouseEventKind::Drag(pressed),
        (0..=2, false, true) => MouseEventKind::Down(pressed),
        (0..=2, false, false) => MouseEventKind::Up(pressed),
        _ => return None,
    };
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    Some(ScreenEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}
