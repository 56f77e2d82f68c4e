//! Floods of input, huge windows and unusual signals: the program stays responsive and restores the
//! terminal.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::pty::{assert_terminal_restored, at_the_board};
use crate::screen::{Terminal, shell};
use crate::sentences::said;

#[test]
fn pasted_text_does_not_delay_ctrl_c() {
    let mut terminal = at_the_board();
    terminal.send(&"b".repeat(20_000));
    terminal.expect(said!("line-is-longer-than", 200));
    let begin = Instant::now();
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 130);
    assert!(begin.elapsed() < Duration::from_secs(3), "it took {:?}", begin.elapsed());
    terminal.assert_restored();
}

#[test]
fn many_short_lines_do_not_delay_ctrl_c() {
    let mut terminal = at_the_board();
    terminal.send(&"b2\r".repeat(20_000));
    terminal.send("\u{3}");
    let begin = Instant::now();
    assert_eq!(terminal.end(), 130);
    assert!(begin.elapsed() < Duration::from_secs(3), "it took {:?}", begin.elapsed());
    terminal.assert_restored();
}

#[test]
fn too_long_lines_are_dropped() {
    let mut terminal = at_the_board();
    terminal.send(&("b2 ".repeat(100) + "\r"));
    terminal.expect(said!("line-is-longer-than", 200));
    terminal.settle();
    terminal.send("b2\r");
    terminal.expect(said!("to-move", "O"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn q_quits_after_a_flood_of_input() {
    for flood in ["b".repeat(20_000), "b2\r".repeat(6667), "b2\r".repeat(6667) + "\u{1b}\u{1b}"] {
        let mut terminal = at_the_board();
        terminal.send(&(flood + "q"));
        assert_terminal_restored(terminal, 0);
    }
}

#[test]
fn pasted_text_triggers_no_commands() {
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
    assert_terminal_restored(terminal, 0);
}

#[test]
fn huge_windows_are_drawn() {
    for (columns, rows) in [(4000, 4000), (65535, 65535)] {
        let mut terminal = at_the_board();
        terminal.settle();
        // Only the program gets this size. The test still reads its own window.
        terminal.tell_size(columns, rows);
        terminal.send("b2\r");
        terminal.expect_output("b2");
        terminal.send("q");
        assert_terminal_restored(terminal, 0);
    }
}

/// Returns the peak memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(terminal: &Terminal) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", terminal.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn huge_windows_use_little_memory() {
    let mut terminal = at_the_board();
    terminal.settle();
    terminal.tell_size(4000, 4000);
    terminal.send("b2\r");
    terminal.expect_output("b2");
    terminal.settle();
    let kib = peak_kib(&terminal);
    assert!(kib < 200 << 10, "{kib} KiB");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

/// Skips ILL, FPE and SEGV: they report faults that safe code cannot handle.
#[test]
#[cfg(target_os = "linux")]
fn every_catchable_signal_restores_the_terminal() {
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
        assert_terminal_restored(terminal, 128 + number);
    }
}

#[test]
fn a_dumb_terminal_gets_no_colours() {
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
fn help_and_errors_have_no_colours_on_a_dumb_terminal() {
    for term in ["export TERM=", "export TERM=dumb", "unset TERM"] {
        for (argument, expected) in [("--help", 0), ("--foo", 2), ("solve --help", 0)] {
            let script = format!("{term}; exec \"$0\" {argument}");
            // Other tools take this variable for a log viewer that shows colours.
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
fn line_mode_sends_one_colour_code_per_run() {
    let arguments = ["--plain", "--mode", "2", "--game", "quoridor", "--color", "always"];
    let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &arguments));
    terminal.expect("white 1> ");
    terminal.send("e3h\rquit\r");
    assert_eq!(terminal.end(), 0);
    let raw = terminal.raw();
    assert!(raw.contains("\u{1b}["), "there are colours");
    // The last colour, if only its reset has been sent since.
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
