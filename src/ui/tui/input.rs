//! Decoding of a terminal's bytes: keys, pasted text, clicks, the wheel, answers. Pure. An
//! incomplete sequence is dropped after a moment, so that nothing a terminal sends can swallow the
//! keys that follow.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::screen::Event;
use super::theme::Background;

/// Byte of Ctrl-C, which ends every sequence that it is in.
const INTERRUPT: u8 = 3;
const ESCAPE: u8 = 0x1b;
/// Time after which Esc counts as a key and not as the beginning of a sequence. Terminals send a
/// sequence in one piece; a press of Esc takes effect after this time and a frame.
const ESCAPE_ALONE: Duration = Duration::from_millis(3);
/// Longest pause within a sequence.
const SEQUENCE: Duration = Duration::from_millis(50);
/// Number of bytes beyond the longest sequence that means anything here: a longer one is cut off
/// there, in however many pieces it comes.
const MAX_SEQUENCE_BYTES: usize = 64;

/// Sequences before and after pasted text.
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
/// Maximum number of bytes of a paste that are kept: a few times those of a line.
const LONGEST_PASTE: usize = 4096;
/// Longest pause within a paste. Later input counts as keys.
const PASTE: Duration = Duration::from_secs(1);

/// Decoder of bytes that come in pieces of any size.
#[derive(Debug, Default)]
pub struct Decoder {
    /// Text pasted so far, until its end comes.
    pasted: Option<Vec<u8>>,
    /// Bytes that are not understood yet: the beginning of a sequence.
    rest: Vec<u8>,
}

/// Result of reading the first bytes.
enum Parsed {
    /// A whole event of this number of bytes, or bytes that mean nothing.
    Whole(usize, Option<Event>),
    /// An incomplete event: more bytes must come.
    Part,
}

impl Decoder {
    /// Takes bytes and adds their events to `found`, in order.
    pub fn take(&mut self, bytes: &[u8], found: &mut Vec<Event>) {
        self.rest.extend_from_slice(bytes);
        let mut from = 0;
        while from < self.rest.len() {
            if self.pasted.is_some() {
                from += self.take_pasted(from, found);
                if self.pasted.is_some() {
                    break;
                }
            } else if self.rest[from..].starts_with(PASTE_START) {
                from += PASTE_START.len();
                self.pasted = Some(Vec::new());
            } else if let Parsed::Whole(count, event) = front(&self.rest[from..]) {
                from += count;
                found.extend(event);
            } else {
                break;
            }
        }
        self.rest.drain(..from);
    }

    /// Takes pasted bytes up to the end of the paste, or as far as they have come; returns their
    /// number.
    fn take_pasted(&mut self, from: usize, found: &mut Vec<Event>) -> usize {
        let (bytes, pasted) = (&self.rest[from..], self.pasted.get_or_insert_default());
        let end = bytes.windows(PASTE_END.len()).position(|window| window == PASTE_END);
        // The last bytes may be the beginning of the end.
        let held = (1..PASTE_END.len()).rev().find(|&count| bytes.ends_with(&PASTE_END[..count]));
        let text = &bytes[..end.unwrap_or(bytes.len() - held.unwrap_or(0))];
        pasted.extend(text.iter().take(LONGEST_PASTE.saturating_sub(pasted.len())));
        let count = text.len();
        if end.is_none() {
            return count;
        }
        self.end_paste(found);
        count + PASTE_END.len()
    }

    fn end_paste(&mut self, found: &mut Vec<Event>) {
        let pasted = self.pasted.take();
        found.extend(pasted.map(|bytes| Event::Paste(String::from_utf8_lossy(&bytes).into_owned())));
    }

    /// Returns the time that the rest of an incomplete event has to come; `None` without one. Esc
    /// alone is answered soon.
    pub fn patience(&self) -> Option<Duration> {
        match self.rest.as_slice() {
            _ if self.pasted.is_some() => Some(PASTE),
            [] => None,
            [ESCAPE] => Some(ESCAPE_ALONE),
            _ => Some(SEQUENCE),
        }
    }

    /// Ends an incomplete event after a pause: Esc was pressed alone, or a sequence has been cut
    /// off.
    pub fn give_up(&mut self, found: &mut Vec<Event>) {
        if self.pasted.is_some() {
            self.end_paste(found);
        } else if let [ESCAPE] | [ESCAPE, b']' | b'P'] = *self.rest {
            // Alt and one of these letters begin as an answer does.
            found.extend(self.rest.iter().map(|&byte| match byte {
                ESCAPE => key(KeyCode::Esc),
                letter => key(KeyCode::Char(char::from(letter))),
            }));
        }
        self.rest.clear();
    }
}

fn key(code: KeyCode) -> Event {
    Event::Key(code.into())
}

fn ctrl(letter: u8) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL))
}

fn front(bytes: &[u8]) -> Parsed {
    let one = |code: KeyCode| Parsed::Whole(1, Some(key(code)));
    match bytes[0] {
        ESCAPE => escape(bytes),
        b'\r' | b'\n' => one(KeyCode::Enter),
        b'\t' => one(KeyCode::Tab),
        0x7f | 0x08 => one(KeyCode::Backspace),
        byte @ 1..=26 => Parsed::Whole(1, Some(ctrl(b'a' + byte - 1))),
        0..=31 => Parsed::Whole(1, None),
        byte if byte.is_ascii() => one(KeyCode::Char(char::from(byte))),
        byte => letter(bytes, byte),
    }
}

/// Reads a letter of more than one byte; invalid bytes mean nothing.
fn letter(bytes: &[u8], first: u8) -> Parsed {
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Parsed::Whole(1, None),
    };
    let come = &bytes[..bytes.len().min(length)];
    match std::str::from_utf8(come) {
        Ok(text) => Parsed::Whole(length, text.chars().next().map(|letter| key(KeyCode::Char(letter)))),
        Err(error) if error.error_len().is_none() => Parsed::Part,
        Err(_) => Parsed::Whole(1, None),
    }
}

fn escape(bytes: &[u8]) -> Parsed {
    match *bytes {
        [_] | [_, b'O'] => Parsed::Part,
        [_, b'[', ..] => sequence(bytes),
        [_, b']', ..] => ground(bytes),
        [_, b'P', ..] => colours(bytes),
        [_, b'O', last, ..] if last > 32 => Parsed::Whole(3, named(last).map(key)),
        [_, b'O', ..] => Parsed::Whole(2, None),
        // Esc and a key in one piece, which is also how Alt is reported: two keys.
        _ => Parsed::Whole(1, Some(key(KeyCode::Esc))),
    }
}

/// Beginning of the answer about the background; another sequence of this kind is read as keys.
const GROUND: &[u8] = b"\x1b]11;";

/// Beginnings of the answers about the colours: the attributes that are set, and the value of the
/// entry `RGB`. A 0 in place of the 1 says that the terminal does not know.
const COLOURS: [&[u8]; 4] = [b"\x1bP1$r", b"\x1bP1+r524742", b"\x1bP0$r", b"\x1bP0+r"];

/// Reads the answer about the background, `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`.
fn ground(bytes: &[u8]) -> Parsed {
    let event = |text: &str| colour(text).map(|parts| Event::Background(Background::of(parts)));
    answer(bytes, GROUND, event).unwrap_or_else(|| Parsed::Whole(1, Some(key(KeyCode::Esc))))
}

/// Reads an answer about the colours: the attributes have the background that was set, or the entry
/// is there.
fn colours(bytes: &[u8]) -> Parsed {
    let answers = COLOURS.iter().enumerate().find_map(|(index, start)| {
        let shows_all = |text: &str| match index {
            0 => ["48:2:1:2:3", "48:2::1:2:3", "48;2;1;2;3"].iter().any(|set| text.contains(set)),
            index => index == 1,
        };
        answer(bytes, start, |text| shows_all(text).then_some(Event::AllColours))
    });
    answers.unwrap_or_else(|| Parsed::Whole(1, Some(key(KeyCode::Esc))))
}

/// Reads an answer that begins with `start` and ends with BEL or `ESC \`; `None` if it begins
/// otherwise.
fn answer(bytes: &[u8], start: &[u8], event: impl Fn(&str) -> Option<Event>) -> Option<Parsed> {
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
        [ESCAPE, b'\\', ..] => 2,
        [] | [ESCAPE] => return Some(Parsed::Part),
        _ => 0, // it is cut off, and the next bytes are read on their own
    };
    let told = std::str::from_utf8(text).ok().filter(|_| end > 0).and_then(event);
    Some(Parsed::Whole(known + inside + end, told))
}

/// Returns the parts of a colour such as `rgb:1e1e/2121/2727`, each from 0 to 1.
fn colour(text: &str) -> Option<[f64; 3]> {
    let (_, parts) = text.split_once(':')?;
    let mut parts = parts.split('/').map(|part| {
        let most =
            (1_u32 << (4 * u32::try_from(part.len()).ok().filter(|length| (1..=4).contains(length))?)) - 1;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

/// Reads a sequence of `ESC [`, numbers and a last byte.
fn sequence(bytes: &[u8]) -> Parsed {
    match bytes[2..] {
        // The Linux console's function keys, and the oldest form of mouse reports.
        [b'[', INTERRUPT, ..] => return Parsed::Whole(3, None),
        [b'[', last @ b'A'..=b'E', ..] => return Parsed::Whole(4, Some(key(KeyCode::F(last - b'A' + 1)))),
        [b'[', _, ..] => return Parsed::Whole(4, None),
        [b'M', ref report @ ..] if report.iter().take(3).any(|&byte| byte == INTERRUPT) => {
            return Parsed::Whole(3, None);
        }
        [b'M', _, _, _, ..] => return Parsed::Whole(6, None),
        [b'[' | b'M', ..] => return Parsed::Part,
        _ => {}
    }
    let inside = bytes[2..].iter().take(MAX_SEQUENCE_BYTES - 2);
    let inside = inside.take_while(|byte| (0x20..0x40).contains(*byte)).count();
    if 2 + inside == MAX_SEQUENCE_BYTES {
        return Parsed::Whole(MAX_SEQUENCE_BYTES, None);
    }
    let Some(&last) = bytes.get(2 + inside) else { return Parsed::Part };
    if !(0x40..0x7f).contains(&last) {
        // A byte that belongs to no sequence ends it, and is read on its own.
        return Parsed::Whole(2 + inside, None);
    }
    let text = std::str::from_utf8(&bytes[2..2 + inside]).unwrap_or_default();
    let event = match (text.strip_prefix('<'), last) {
        (Some(report), b'M' | b'm') => mouse(report, last == b'M'),
        (None, b'c') if text.starts_with('?') => Some(Event::Answered),
        (None, b'~') => numbered(text).map(key),
        (None, last) => named(last).map(key),
        (Some(_), _) => None,
    };
    Parsed::Whole(3 + inside, event)
}

fn named(last: u8) -> Option<KeyCode> {
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

fn numbered(text: &str) -> Option<KeyCode> {
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

/// Reads a report of the mouse, `button;column;row`, the last two from 1.
fn mouse(report: &str, is_press: bool) -> Option<Event> {
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
    Some(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}
