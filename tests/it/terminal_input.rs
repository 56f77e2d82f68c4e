//! The meaning of a terminal's bytes.

use std::time::Duration;

use crosspath::random::stream;
use crosspath::ui::tui::{Decoder, Event};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn ctrl(letter: u8) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL))
}

/// Length that no meaningful sequence exceeds.
const LONGEST: usize = 64;

/// Returns the events of bytes that come in pieces of this length, with nothing more after them.
fn read(bytes: &[u8], piece: usize) -> Vec<Event> {
    let (mut decoder, mut found) = (Decoder::default(), Vec::new());
    for piece in bytes.chunks(piece) {
        decoder.take(piece, &mut found);
    }
    decoder.give_up(&mut found);
    found
}

fn check(bytes: &[u8], events: &[Event]) {
    for piece in [1, 2, 3, bytes.len().max(1)] {
        assert_eq!(read(bytes, piece), events, "{bytes:?} in pieces of {piece}");
    }
}

#[test]
fn keys_are_what_terminals_send_for_them() {
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp, Right, Tab, Up};
    check(b"aZ1?:", &['a', 'Z', '1', '?', ':'].map(|letter| key(Char(letter))));
    check("é€😀".as_bytes(), &['é', '€', '😀'].map(|letter| key(Char(letter))));
    check(b"\r\n\t\x7f\x08", &[Enter, Enter, Tab, Backspace, Backspace].map(key));
    check(b"\x03\x1a\x0c\x12", &[ctrl(b'c'), ctrl(b'z'), ctrl(b'l'), ctrl(b'r')]);
    check(b"\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA\x1bOB", &[Up, Down, Right, Left, Up, Down].map(key));
    check(b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", &[Home, End, Home, End, Home, End].map(key));
    check(
        b"\x1b[5~\x1b[6~\x1b[Z\x1bOP\x1b[11~\x1b[[A",
        &[PageUp, PageDown, KeyCode::BackTab, F(1), F(1), F(1)].map(key),
    );
    check(b"\x1b[1;5A", &[key(Up)]);
    check(b"\x1b", &[key(Esc)]);
    check(b"\x1b\x1b", &[key(Esc), key(Esc)]);
}

#[test]
fn esc_and_a_key_in_one_piece_are_two_keys() {
    check(b"\x1bu", &[key(KeyCode::Esc), key(KeyCode::Char('u'))]);
    check(b"\x1b\x03", &[key(KeyCode::Esc), ctrl(b'c')]);
}

#[test]
fn the_mouse_is_read_and_reports_from_nowhere_mean_nothing() {
    let at =
        |kind, column, row| Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    check(b"\x1b[<0;5;3M", &[at(MouseEventKind::Down(MouseButton::Left), 4, 2)]);
    check(b"\x1b[<0;5;3m", &[at(MouseEventKind::Up(MouseButton::Left), 4, 2)]);
    check(b"\x1b[<2;1;1M", &[at(MouseEventKind::Down(MouseButton::Right), 0, 0)]);
    check(b"\x1b[<35;80;24M", &[at(MouseEventKind::Moved, 79, 23)]);
    check(
        b"\x1b[<64;2;2M\x1b[<65;2;2M",
        &[at(MouseEventKind::ScrollUp, 1, 1), at(MouseEventKind::ScrollDown, 1, 1)],
    );
    check(b"\x1b[<0;0;0Mx", &[key(KeyCode::Char('x'))]);
    check(b"\x1b[<0;99999;1Mx\x1b[<;;Mx\x1b[<999M", &[key(KeyCode::Char('x')), key(KeyCode::Char('x'))]);
}

#[test]
fn pasted_text_is_one_event_whatever_stands_in_it() {
    let paste = |text: &str| Event::Paste(text.to_owned());
    check(b"\x1b[200~b2\x1b[201~\r", &[paste("b2"), key(KeyCode::Enter)]);
    check(b"\x1b[200~\x1b[201~", &[paste("")]);
    check("\u{1b}[200~qs\r\u{3}\u{1b}[20é\u{1b}[201~".as_bytes(), &[paste("qs\r\u{3}\u{1b}[20é")]);
    check(b"\x1b[201~x", &[key(KeyCode::Char('x'))]);
    // Of a long one there is as much as tells that it is too long.
    let long = [&b"\x1b[200~"[..], &vec![b'q'; 100_000], b"\x1b[201~q"].concat();
    for piece in [1, 4096, long.len()] {
        let found = read(&long, piece);
        assert!(matches!(&found[0], Event::Paste(text) if text.len() > 200 && text.len() < 10_000));
        assert_eq!(found[1..], [key(KeyCode::Char('q'))]);
    }
}

#[test]
fn a_paste_without_an_end_is_given_up_after_a_moment() {
    let (mut decoder, mut found) = (Decoder::default(), Vec::new());
    decoder.take(b"\x1b[200~b2\x1b[20", &mut found);
    // What comes late would be keys: it has longer than a sequence.
    assert!(decoder.patience().unwrap() >= Duration::from_secs(1));
    assert_eq!(found, []);
    decoder.give_up(&mut found);
    decoder.take(b"q", &mut found);
    assert_eq!(found, [Event::Paste("b2".to_owned()), key(KeyCode::Char('q'))]);
    assert_eq!(decoder.patience(), None);
}

#[test]
fn nothing_that_breaks_off_swallows_the_keys_behind_it() {
    for start in [
        &b"\x1b["[..],
        b"\x1b[<",
        b"\x1b[<0;1",
        b"\x1b[M",
        b"\x1b[M !",
        b"\x1bO",
        b"\xf0",
        b"\xe2\x82",
        b"\x1b[[",
        b"\x1b",
    ] {
        for piece in [1, 100] {
            let found = read(&[start, b"\x03"].concat(), piece);
            assert!(found.contains(&ctrl(b'c')), "{start:?}: {found:?}");
            // After a moment everything is forgotten.
            let (mut decoder, mut found) = (Decoder::default(), Vec::new());
            decoder.take(start, &mut found);
            decoder.give_up(&mut found);
            found.clear();
            decoder.take(b"q", &mut found);
            assert_eq!(found, [key(KeyCode::Char('q'))], "{start:?}");
        }
    }
}

#[test]
fn a_sequence_without_an_end_breaks_off_at_the_same_place_in_any_pieces() {
    for start in [&b"\x1b["[..], b"\x1b]11;"] {
        let bytes = [start, &[b'2'; LONGEST], b"q"].concat();
        let keys = vec![key(KeyCode::Char('2')); start.len()];
        check(&bytes, &[keys, vec![key(KeyCode::Char('q'))]].concat());
    }
}

#[test]
fn any_bytes_are_read_to_their_end() {
    let mut generator = stream(5, 1);
    for _ in 0..2000 {
        let length = generator.random_range(0..200);
        let starts = [0x1b, b'[', b'<', b';', b'M', b'9', 0xf0, 3];
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                if generator.random_range(0..2) == 0 {
                    starts[generator.random_range(0..8)]
                } else {
                    generator.random_range(0..=255)
                }
            })
            .collect();
        let (mut decoder, mut found) = (Decoder::default(), Vec::new());
        decoder.take(&bytes, &mut found);
        // What is held back is so short that a few bytes more break it off, though digits belong to every sequence.
        let is_read = (0..LONGEST).any(|_| {
            decoder.take(b"1", &mut found);
            decoder.patience().is_none()
        });
        assert!(is_read, "{bytes:?}");
        decoder.take(&bytes, &mut found);
        decoder.give_up(&mut found);
        assert_eq!(decoder.patience(), None);
    }
}

#[test]
fn much_at_once_is_read_at_once() {
    let found = read(&vec![b'x'; 100_000], 100_000);
    assert_eq!(found.len(), 100_000);
}

#[test]
fn esc_alone_is_answered_within_five_milliseconds() {
    let mut decoder = Decoder::default();
    decoder.take(b"\x1b", &mut Vec::new());
    assert!(decoder.patience().unwrap() <= Duration::from_millis(5), "a frame has to follow within 20 ms");
    // What has begun has longer: it may come in pieces.
    decoder.take(b"[", &mut Vec::new());
    assert!(decoder.patience().unwrap() >= Duration::from_millis(50));
}
