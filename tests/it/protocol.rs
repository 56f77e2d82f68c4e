//! The parts that the line protocols share: lines of bytes, answers, reading ahead.

use std::io::{BufReader, Cursor, Read};
use std::sync::atomic::Ordering;

use crosspath::protocol::shell::{LineProtocol, ProtocolCommand, Shell, known_command, list_commands};
use crosspath::stdin::{LONGEST_LINE, ReadAhead, next_line, read_ahead};

#[test]
fn lines_end_at_line_feeds_and_at_the_end() {
    let mut input: &[u8] = b"name\n\nwinner";
    let mut lines = Vec::new();
    while let Some(line) = next_line(&mut input).unwrap() {
        lines.push(String::from_utf8(line).unwrap());
    }
    assert_eq!(lines, ["name", "", "winner"]);
}

#[test]
fn a_long_line_is_cut_one_byte_beyond_the_limit_and_skipped_to_its_end() {
    let text = [vec![b'x'; 3 * LONGEST_LINE], b"\nname\n".to_vec()].concat();
    let mut input = BufReader::with_capacity(1000, text.as_slice());
    assert_eq!(next_line(&mut input).unwrap().map(|line| line.len()), Some(LONGEST_LINE + 1));
    assert_eq!(next_line(&mut input).unwrap().as_deref(), Some(&b"name"[..]));
    assert_eq!(next_line(&mut input).unwrap(), None);
}

#[test]
fn control_characters_leave_nothing_and_tabs_a_blank() {
    let mut shell = Shell::with(Echo);
    assert_eq!(shell.answer(b"na\x01me\r").as_deref(), Some("= name\n\n"));
    assert_eq!(shell.answer(b"undo\t2#3").as_deref(), Some("= undo 2\n\n"));
    assert_eq!(shell.answer(b"\x00\x7f\x0b#x"), None);
}

#[test]
fn what_is_read_ahead_is_all_there() {
    let text: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
    let (mut input, ahead) = read_ahead(Cursor::new(text.clone())).unwrap();
    let mut all = Vec::new();
    input.read_to_end(&mut all).unwrap();
    assert!(all == text && ahead.end_flag().load(Ordering::SeqCst));
}

/// Engine that repeats each command.
#[derive(Debug)]
struct Echo;

impl LineProtocol for Echo {
    const COMMANDS: &'static [ProtocolCommand<Self>] = &[
        ("name", |_, arguments| Ok([&["name"], arguments].concat().join(" "))),
        ("undo", |_, arguments| Ok([&["undo"], arguments].concat().join(" "))),
    ];
    const HAS_IDS: bool = false;

    fn look_ahead(&mut self, _: ReadAhead) {}
}

/// Engine that counts, and answers with numbers first.
#[derive(Debug)]
struct Counter(u32);

impl LineProtocol for Counter {
    const COMMANDS: &'static [ProtocolCommand<Self>] = &[
        ("known_command", known_command),
        ("list_commands", list_commands),
        ("quit", |_, _| Ok(String::new())),
        ("next", |counter, arguments| {
            counter.0 += u32::from(arguments.is_empty());
            if arguments.is_empty() { Ok(counter.0.to_string()) } else { Err("syntax error".into()) }
        }),
    ];
    const HAS_IDS: bool = true;

    fn look_ahead(&mut self, _: ReadAhead) {}
}

#[test]
fn answers_repeat_the_number_of_their_command() {
    let mut out = Vec::new();
    let lines = b"next\n7 next\n08 next now\n9\n10 what\n11 known_command next\nknown_command\nlist_commands\n12 quit\nnext";
    Shell::with(Counter(0)).serve(&lines[..], &mut out).expect("a vector takes all");
    let wanted = "= 1\n\n=7 2\n\n?08 syntax error\n\n?9 syntax error\n\n?10 unknown command\n\n=11 true\n\n= false\n\n\
                  = known_command\nlist_commands\nquit\nnext\n\n=12\n\n";
    assert_eq!(String::from_utf8_lossy(&out), wanted);
}
