//! Decoding of terminal input.

use std::time::Duration;

use crosspath::random::random_stream;
use crosspath::ui::tui::{InputDecoder, ScreenEvent};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;

fn key(code: KeyCode) -> ScreenEvent {
    ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn ctrl(letter: u8) -> ScreenEvent {
    ScreenEvent::Key(KeyEvent::new(KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL))
}

/// Maximum length of a valid sequence.
const MAX_SEQUENCE_LENGTH: usize = 64;

/// Decodes bytes that arrive in pieces of this length, followed by the timeout.
fn decode_in_pieces(bytes: &[u8], piece: usize) -> Vec<ScreenEvent> {
    let (mut decoder, mut found) = (InputDecoder::default(), Vec::new());
    for piece in bytes.chunks(piece) {
        decoder.decode(piece, &mut found);
    }
    decoder.flush_after_timeout(&mut found);
    found
}

fn check_events(bytes: &[u8], events: &[ScreenEvent]) {
    for piece in [1, 2, 3, bytes.len().max(1)] {
        assert_eq!(decode_in_pieces(bytes, piece), events, "{bytes:?} in pieces of {piece}");
    }
}

#[test]
fn key_sequences_are_decoded() {
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp, Right, Tab, Up};
    check_events(b"aZ1?:", &['a', 'Z', '1', '?', ':'].map(|letter| key(Char(letter))));
    check_events("é€😀".as_bytes(), &['é', '€', '😀'].map(|letter| key(Char(letter))));
    check_events(b"\r\n\t\x7f\x08", &[Enter, Enter, Tab, Backspace, Backspace].map(key));
    check_events(b"\x03\x1a\x0c\x12", &[ctrl(b'c'), ctrl(b'z'), ctrl(b'l'), ctrl(b'r')]);
    check_events(b"\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA\x1bOB", &[Up, Down, Right, Left, Up, Down].map(key));
    check_events(b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", &[Home, End, Home, End, Home, End].map(key));
    check_events(
        b"\x1b[5~\x1b[6~\x1b[Z\x1bOP\x1b[11~\x1b[[A",
        &[PageUp, PageDown, KeyCode::BackTab, F(1), F(1), F(1)].map(key),
    );
    check_events(b"\x1b[1;5A", &[key(Up)]);
    check_events(b"\x1b", &[key(Esc)]);
    check_events(b"\x1b\x1b", &[key(Esc), key(Esc)]);
}

#[test]
fn esc_and_a_key_received_together_are_two_keys() {
    check_events(b"\x1bu", &[key(KeyCode::Esc), key(KeyCode::Char('u'))]);
    check_events(b"\x1b\x03", &[key(KeyCode::Esc), ctrl(b'c')]);
}

#[test]
fn mouse_reports_are_decoded_and_invalid_ones_ignored() {
    let at = |kind, column, row| {
        ScreenEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    };
    check_events(b"\x1b[<0;5;3M", &[at(MouseEventKind::Down(MouseButton::Left), 4, 2)]);
    check_events(b"\x1b[<0;5;3m", &[at(MouseEventKind::Up(MouseButton::Left), 4, 2)]);
    check_events(b"\x1b[<2;1;1M", &[at(MouseEventKind::Down(MouseButton::Right), 0, 0)]);
    check_events(b"\x1b[<35;80;24M", &[at(MouseEventKind::Moved, 79, 23)]);
    check_events(
        b"\x1b[<64;2;2M\x1b[<65;2;2M",
        &[at(MouseEventKind::ScrollUp, 1, 1), at(MouseEventKind::ScrollDown, 1, 1)],
    );
    check_events(b"\x1b[<0;0;0Mx", &[key(KeyCode::Char('x'))]);
    check_events(
        b"\x1b[<0;99999;1Mx\x1b[<;;Mx\x1b[<999M",
        &[key(KeyCode::Char('x')), key(KeyCode::Char('x'))],
    );
}

#[test]
fn pasted_text_is_one_event_whatever_it_contains() {
    let paste = |text: &str| ScreenEvent::Paste(text.to_owned());
    check_events(b"\x1b[200~b2\x1b[201~\r", &[paste("b2"), key(KeyCode::Enter)]);
    check_events(b"\x1b[200~\x1b[201~", &[paste("")]);
    check_events("\u{1b}[200~qs\r\u{3}\u{1b}[20é\u{1b}[201~".as_bytes(), &[paste("qs\r\u{3}\u{1b}[20é")]);
    check_events(b"\x1b[201~x", &[key(KeyCode::Char('x'))]);
    // A long paste keeps only enough to show that it is too long.
    let long = [&b"\x1b[200~"[..], &vec![b'q'; 100_000], b"\x1b[201~q"].concat();
    for piece in [1, 4096, long.len()] {
        let found = decode_in_pieces(&long, piece);
        assert!(matches!(&found[0], ScreenEvent::Paste(text) if text.len() > 200 && text.len() < 10_000));
        assert_eq!(found[1..], [key(KeyCode::Char('q'))]);
    }
}

#[test]
fn an_unterminated_paste_ends_after_a_timeout() {
    let (mut decoder, mut found) = (InputDecoder::default(), Vec::new());
    decoder.decode(b"\x1b[200~b2\x1b[20", &mut found);
    // A paste has a longer timeout than a sequence, because its late bytes would become keys.
    assert!(decoder.timeout().unwrap() >= Duration::from_secs(1));
    assert_eq!(found, []);
    decoder.flush_after_timeout(&mut found);
    decoder.decode(b"q", &mut found);
    assert_eq!(found, [ScreenEvent::Paste("b2".to_owned()), key(KeyCode::Char('q'))]);
    assert_eq!(decoder.timeout(), None);
}

#[test]
fn incomplete_sequences_do_not_swallow_later_keys() {
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
            let found = decode_in_pieces(&[start, b"\x03"].concat(), piece);
            assert!(found.contains(&ctrl(b'c')), "{start:?}: {found:?}");
            // After the timeout everything is discarded.
            let (mut decoder, mut found) = (InputDecoder::default(), Vec::new());
            decoder.decode(start, &mut found);
            decoder.flush_after_timeout(&mut found);
            found.clear();
            decoder.decode(b"q", &mut found);
            assert_eq!(found, [key(KeyCode::Char('q'))], "{start:?}");
        }
    }
}

#[test]
fn an_endless_sequence_ends_at_the_same_byte_however_it_is_split() {
    for start in [&b"\x1b["[..], b"\x1b]11;"] {
        let bytes = [start, &[b'2'; MAX_SEQUENCE_LENGTH], b"q"].concat();
        let keys = vec![key(KeyCode::Char('2')); start.len()];
        check_events(&bytes, &[keys, vec![key(KeyCode::Char('q'))]].concat());
    }
}

#[test]
fn arbitrary_bytes_are_decoded_completely() {
    let mut generator = random_stream(5, 1);
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
        let (mut decoder, mut found) = (InputDecoder::default(), Vec::new());
        decoder.decode(&bytes, &mut found);
        // Only little is held back, so a few more bytes end the sequence, although digits can
        // continue any sequence.
        let is_read = (0..MAX_SEQUENCE_LENGTH).any(|_| {
            decoder.decode(b"1", &mut found);
            decoder.timeout().is_none()
        });
        assert!(is_read, "{bytes:?}");
        decoder.decode(&bytes, &mut found);
        decoder.flush_after_timeout(&mut found);
        assert_eq!(decoder.timeout(), None);
    }
}

#[test]
fn large_input_is_decoded_at_once() {
    let found = decode_in_pieces(&vec![b'x'; 100_000], 100_000);
    assert_eq!(found.len(), 100_000);
}

#[test]
fn a_single_esc_is_recognised_within_5_ms() {
    let mut decoder = InputDecoder::default();
    decoder.decode(b"\x1b", &mut Vec::new());
    assert!(decoder.timeout().unwrap() <= Duration::from_millis(5), "a frame has to follow within 20 ms");
    // An incomplete sequence has a longer timeout, because it may arrive in pieces.
    decoder.decode(b"[", &mut Vec::new());
    assert!(decoder.timeout().unwrap() >= Duration::from_millis(50));
}
