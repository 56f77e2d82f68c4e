//! The shared parts of the line protocols: splitting input into lines, answers, and reading ahead.

use std::io::{BufReader, Cursor, Read};
use std::sync::atomic::Ordering;

use crosspath::protocol::shell::{
    LineProtocol, ProtocolCommand, ProtocolShell, answer_known_command, answer_list_commands,
};
use crosspath::stdin::{MAX_LINE_BYTES, ReadAhead, read_input_ahead, read_limited_line};

#[test]
fn lines_end_at_line_feeds_and_at_the_end_of_input() {
    let mut input: &[u8] = b"name\n\nwinner";
    let mut lines = Vec::new();
    while let Some(line) = read_limited_line(&mut input).unwrap() {
        lines.push(String::from_utf8(line).unwrap());
    }
    assert_eq!(lines, ["name", "", "winner"]);
}

#[test]
fn a_long_line_is_cut_one_byte_beyond_the_limit_and_skipped_to_its_end() {
    let text = [vec![b'x'; 3 * MAX_LINE_BYTES], b"\nname\n".to_vec()].concat();
    let mut input = BufReader::with_capacity(1000, text.as_slice());
    assert_eq!(read_limited_line(&mut input).unwrap().map(|line| line.len()), Some(MAX_LINE_BYTES + 1));
    assert_eq!(read_limited_line(&mut input).unwrap().as_deref(), Some(&b"name"[..]));
    assert_eq!(read_limited_line(&mut input).unwrap(), None);
}

#[test]
fn control_characters_are_removed_and_tabs_become_spaces() {
    let mut shell = ProtocolShell::with_state(Echo);
    assert_eq!(shell.answer(b"na\x01me\r").as_deref(), Some("= name\n\n"));
    assert_eq!(shell.answer(b"undo\t2#3").as_deref(), Some("= undo 2\n\n"));
    assert_eq!(shell.answer(b"\x00\x7f\x0b#x"), None);
}

#[test]
fn reading_ahead_loses_no_input() {
    let text: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
    let (mut input, ahead) = read_input_ahead(Cursor::new(text.clone())).unwrap();
    let mut all = Vec::new();
    input.read_to_end(&mut all).unwrap();
    assert!(all == text && ahead.eof_flag().load(Ordering::SeqCst));
}

/// Protocol that echoes each command.
#[derive(Debug)]
struct Echo;

impl LineProtocol for Echo {
    const COMMANDS: &'static [ProtocolCommand<Self>] = &[
        ("name", |_, arguments| Ok([&["name"], arguments].concat().join(" "))),
        ("undo", |_, arguments| Ok([&["undo"], arguments].concat().join(" "))),
    ];
    const HAS_COMMAND_IDS: bool = false;

    fn set_read_ahead(&mut self, _: ReadAhead) {}
}

/// Protocol with command ids that counts its commands.
#[derive(Debug)]
struct Counter(u32);

impl LineProtocol for Counter {
    const COMMANDS: &'static [ProtocolCommand<Self>] = &[
        ("known_command", answer_known_command),
        ("list_commands", answer_list_commands),
        ("quit", |_, _| Ok(String::new())),
        ("next", |counter, arguments| {
            counter.0 += u32::from(arguments.is_empty());
            if arguments.is_empty() { Ok(counter.0.to_string()) } else { Err("syntax error".into()) }
        }),
    ];
    const HAS_COMMAND_IDS: bool = true;

    fn set_read_ahead(&mut self, _: ReadAhead) {}
}

#[test]
fn answers_repeat_the_id_of_their_command() {
    let mut out = Vec::new();
    let lines = b"next\n7 next\n08 next now\n9\n10 what\n11 known_command next\nknown_command\nlist_commands\n12 quit\nnext";
    ProtocolShell::with_state(Counter(0)).serve(&lines[..], &mut out).expect("a vector takes all");
    let wanted = "= 1\n\n=7 2\n\n?08 syntax error\n\n?9 syntax error\n\n?10 unknown command\n\n=11 true\n\n= false\n\n\
                  = known_command\nlist_commands\nquit\nnext\n\n=12\n\n";
    assert_eq!(String::from_utf8_lossy(&out), wanted);
}
