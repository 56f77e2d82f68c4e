//! More input, larger windows and other signals than any person sends: the program stays
//! responsive, and the terminal is given back.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::pty::{at_the_board, is_given_back};
use crate::screen::{Terminal, shell};
use crate::sentences::said;

#[test]
fn pasted_text_does_not_hold_back_ctrl_c() {
    let mut terminal = at_the_board();
    terminal.send(&"b".repeat(20_000));
    terminal.expect(said!("line-is-longer-than", 200));
    let begin = Instant::now();
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 130);
    assert!(begin.elapsed() < Duration::from_secs(3), "it took {:?}", begin.elapsed());
    terminal.is_as_before();
}

#[test]
fn many_short_lines_do_not_hold_back_ctrl_c() {
    let mut terminal = at_the_board();
    terminal.send(&"b2\r".repeat(20_000));
    terminal.send("\u{3}");
    let begin = Instant::now();
    assert_eq!(terminal.end(), 130);
    assert!(begin.elapsed() < Duration::from_secs(3), "it took {:?}", begin.elapsed());
    terminal.is_as_before();
}

#[test]
fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_read() {
    let mut terminal = at_the_board();
    terminal.send(&("b2 ".repeat(100) + "\r"));
    terminal.expect(said!("line-is-longer-than", 200));
    terminal.settle();
    terminal.send("b2\r");
    terminal.expect(said!("to-move", "O"));
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn the_key_that_quits_is_taken_behind_a_flood() {
    for flood in ["b".repeat(20_000), "b2\r".repeat(6667), "b2\r".repeat(6667) + "\u{1b}\u{1b}"] {
        let mut terminal = at_the_board();
        terminal.send(&(flood + "q"));
        is_given_back(terminal, 0);
    }
}

#[test]
fn a_paste_saves_nothing_and_leaves_nothing() {
    let folder = crate::support::folder();
    let script = "cd \"$1\" && shift && exec \"$0\" \"$@\"";
    let arguments = [&folder.path().display().to_string(), "--game", "tic-tac-toe", "--mode", "2"];
    let mut terminal = Terminal::start(shell(script, &arguments));
    terminal.expect(said!("to-move", "X"));
    let words = "sa\rb sfile one\rqR R\ny s two\rq\r";
    terminal.send(&format!("\u{1b}[200~{}\u{1b}[201~", words.repeat(500)));
    terminal.expect(said!("line-is-longer-than", 200));
    terminal.send(&format!("\u{1b}[200~{words}\u{1b}[201~"));
    terminal.expect("sa b sfile one qR R y s two q");
    terminal.send("\u{1b}");
    terminal.settle();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    terminal.send("\u{1b}[200~b2\u{1b}[201~\r");
    terminal.expect(said!("to-move", "O"));
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_huge_window_is_drawn_in_its_upper_left() {
    for (columns, rows) in [(4000, 4000), (65535, 65535)] {
        let mut terminal = at_the_board();
        terminal.settle();
        // Only the program is told: the test reads no more than its own window.
        terminal.tell_size(columns, rows);
        terminal.send("b2\r");
        terminal.expect_output("b2");
        terminal.send("q");
        is_given_back(terminal, 0);
    }
}

/// Returns the most memory that a process has had, in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(terminal: &Terminal) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", terminal.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_huge_window_takes_little_memory() {
    let mut terminal = at_the_board();
    terminal.settle();
    terminal.tell_size(4000, 4000);
    terminal.send("b2\r");
    terminal.expect_output("b2");
    terminal.settle();
    let kib = peak_kib(&terminal);
    assert!(kib < 200 << 10, "{kib} KiB");
    terminal.send("q");
    is_given_back(terminal, 0);
}

/// ILL, FPE and SEGV report faults after which no code may continue; safe code cannot handle them.
#[test]
#[cfg(target_os = "linux")]
fn every_signal_but_faults_of_the_processor_restores_the_terminal() {
    let named = [
        Signal::VTALARM,
        Signal::PROF,
        Signal::IO,
        Signal::POWER,
        Signal::STKFLT,
        Signal::TRAP,
        Signal::SYS,
        Signal::BUS,
    ];
    let numbers = named.into_iter().map(Signal::as_raw).chain([34, 40, 64]);
    for number in numbers {
        let mut terminal = at_the_board();
        terminal.settle();
        let [number_text, process] = [number.to_string(), terminal.id().to_string()];
        let sent = std::process::Command::new("kill").args(["-s", &number_text, &process]).status();
        assert!(sent.unwrap().success());
        is_given_back(terminal, 128 + number);
    }
}

#[test]
fn a_terminal_without_a_name_gets_no_colours() {
    for term in ["", "dumb"] {
        let command = shell("exec \"$0\" \"$@\"", &["--plain", "--mode", "2"]).env("TERM", term);
        let mut terminal = Terminal::start(command);
        terminal.expect("x 1> ");
        terminal.send("b2\rquit\r");
        assert_eq!(terminal.end(), 0);
        assert!(!terminal.raw().contains('\u{1b}'), "{term:?}: {:?}", terminal.raw());
    }
    let command = shell("unset TERM; exec \"$0\" \"$@\"", &["--plain", "--mode", "2"]);
    let mut terminal = Terminal::start(command);
    terminal.expect("x 1> ");
    terminal.send("b2\rquit\r");
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.raw().contains('\u{1b}'), "{:?}", terminal.raw());
}

#[test]
fn the_help_and_the_errors_have_no_colours_on_a_terminal_without_a_name() {
    for term in ["export TERM=", "export TERM=dumb", "unset TERM"] {
        for (argument, expected) in [("--help", 0), ("--foo", 2), ("solve --help", 0)] {
            let script = format!("{term}; exec \"$0\" {argument}");
            // Elsewhere this variable is taken for a viewer of logs that shows colours.
            let mut terminal = Terminal::start(shell(&script, &[]).env("CI", "true"));
            let code = terminal.end();
            let raw = terminal.raw();
            assert_eq!(code, expected, "{term} {argument}: {raw:?}");
            assert!(raw.len() > 20, "{term} {argument}: {raw:?}");
            assert!(!raw.contains('\u{1b}'), "{term} {argument}: {raw:?}");
        }
    }
}

#[test]
fn line_mode_sends_one_colour_for_a_run() {
    let arguments = ["--plain", "--mode", "2", "--game", "quoridor", "--color", "always"];
    let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &arguments));
    terminal.expect("white 1> ");
    terminal.send("e3h\rquit\r");
    assert_eq!(terminal.end(), 0);
    let raw = terminal.raw();
    assert!(raw.contains("\u{1b}["), "there are colours");
    // The colour that was set last, if nothing but its end has come since.
    let (mut set, mut ended) = ("", None);
    for part in raw.split("\u{1b}[").skip(1) {
        let (style, text) = part.split_once('m').unwrap();
        if style == "0" {
            ended = Some(set).filter(|_| text.is_empty());
        } else {
            assert_ne!(ended, Some(style), "it ends and begins again at once in {raw:?}");
            (set, ended) = (style, None);
        }
    }
}
