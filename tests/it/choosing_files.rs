//! The file list on a real terminal: its previews agree with opening the file, and it stays open after
//! a refusal.

use std::fs;

use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::folder;

/// Starts the program in a folder with three files: a move list without a game, a letter, and a broken
/// game.
fn start_with_files(place: &tempfile::TempDir, arguments: &[&str]) -> Terminal {
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    write("a-list.txt", "a1 b2 c3 d4 e5\n");
    write("b-letter.txt", "Dear Bob, here is no game at all.\n");
    write("c-broken.txt", "# crosspath hex size=5\n1. a1 a1\n");
    let command = shell("cd \"$PLACE\" && exec \"$0\" \"$@\"", arguments);
    Terminal::start(
        command
            .env("PLACE", place.path().to_str().unwrap())
            .env("XDG_STATE_HOME", place.path().to_str().unwrap()),
    )
}

/// Selects a file by typing the beginning of its name.
fn select_file(terminal: &mut Terminal, name: &str) {
    terminal.send(&format!("\u{15}{name}"));
    terminal.expect(name);
}

#[test]
fn the_preview_reads_a_move_list_as_the_board_does() {
    let place = folder();
    let mut terminal = start_with_files(&place, &["--mode", "2", "--game", "hex", "--size", "7"]);
    terminal.expect(said!("to-move-2", "Red"));
    terminal.send("o");
    select_file(&mut terminal, "a-l");
    terminal.expect("5 moves");
    let text = terminal.text();
    let preview = text.split("This file").nth(1).unwrap();
    assert!(preview.contains("Hex 7x7"), "{text}");
    terminal.send("\r");
    terminal.expect("Hex 7×7 · move 6");
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_refused_file_leaves_the_list_open() {
    for from_menu in [false, true] {
        let place = folder();
        let arguments = ["--mode", "2", "--game", "hex", "--size", "7"];
        let mut terminal = start_with_files(&place, if from_menu { &["--tui"] } else { &arguments });
        if from_menu {
            terminal.expect("Rules in short");
        } else {
            terminal.expect(said!("to-move-2", "Red"));
        }
        terminal.send("o");
        let files: &[(&str, &str)] = if from_menu {
            &[("b-l", "b-letter.txt:")]
        } else {
            &[("b-l", "b-letter.txt:"), ("c-b", "c-broken.txt:2")]
        };
        for (name, reason) in files {
            select_file(&mut terminal, name);
            terminal.expect("This file");
            terminal.send("\r");
            terminal.expect(reason);
            let text = terminal.text();
            assert!(text.contains("Open a file") && text.contains(name), "{text}");
            assert!(!text.contains(said!("nothing-is-lost")), "no page lies over it: {text}");
        }
        // The next key clears the reason.
        select_file(&mut terminal, "c");
        terminal.settle();
        assert!(!terminal.text().contains("b-letter.txt:"), "{}", terminal.text());
        terminal.send("\u{1b}q");
        assert_eq!(terminal.end(), 0);
    }
}
