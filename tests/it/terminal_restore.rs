//! The terminal is restored, however the program ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crosspath::canvas::GlyphSet;
use crosspath::play::{AfterGameEnd, HumanSideChoice, Match, MatchRules, NewGame};
use crosspath::session::EngineError;
use crosspath::thinking::EngineFactory;
use crosspath::ui::tui::Tui;
use crosspath::ui::{self, Inbox};
use rustix::process::Signal;

use crate::pty::{ENTER, assert_terminal_restored, at_the_board, while_it_thinks};
use crate::screen::{Terminal, crosspath, shell};
use crate::sentences::{lasting, said};
use crate::support::{SOON, wait_until};

#[test]
fn q_restores_the_terminal_and_shows_the_last_board() {
    let mut terminal = at_the_board();
    terminal.send("b2\r");
    terminal.expect(said!("played-to-move", "X", "b2", "O"));
    terminal.send("q");
    let terminal = assert_terminal_restored(terminal, 0);
    let left = terminal.text();
    assert!(left.contains("(X)"), "{left}");
    assert!(
        left.contains(lasting(format!(
            "{}\n{}",
            said!("to-move-move", "O", "2"),
            said!("saved-crosspath-continue-goes")
        ))),
        "{left}"
    );
    let mut terminal = while_it_thinks();
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn the_result_stays_on_the_normal_screen() {
    let mut terminal = at_the_board();
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        terminal.send(&format!("{cell}{ENTER}"));
        terminal.expect(if cell == "a3" { said!("won-in-capitals") } else { cell });
    }
    terminal.send("q");
    let left = assert_terminal_restored(terminal, 0).text();
    assert!(left.contains(said!("game-over-first-completed", "X", "5", "X")), "{left}");
    assert!(!left.contains("Saved. "), "{left}");
}

#[test]
fn ctrl_c_exits_with_130() {
    for mut terminal in [at_the_board(), while_it_thinks()] {
        terminal.send("\u{3}");
        assert_terminal_restored(terminal, 130);
    }
    let mut terminal = crosspath(&[]);
    terminal.expect(said!("from-the-shell"));
    terminal.send("\u{3}");
    assert_terminal_restored(terminal, 130);
}

#[test]
fn signals_restore_the_terminal() {
    for (signal, code) in [
        (Signal::HUP, 129),
        (Signal::INT, 130),
        (Signal::QUIT, 131),
        (Signal::TERM, 143),
        (Signal::ABORT, 134),
        (Signal::ALARM, 142),
        (Signal::USR1, 138),
        (Signal::USR2, 140),
        (Signal::XCPU, 152),
    ] {
        for terminal in [at_the_board(), while_it_thinks()] {
            terminal.signal(signal);
            assert_terminal_restored(terminal, code);
        }
    }
    let mut terminal = at_the_board();
    terminal.send("b2\r");
    terminal.expect("X played b2.");
    terminal.signal(Signal::TERM);
    let terminal = assert_terminal_restored(terminal, 143);
    for text in ["2 ·(X)·", said!("to-move-move", "O", "2"), said!("saved-crosspath-continue-goes")] {
        assert!(terminal.text().contains(text), "{}", terminal.text());
    }
}

/// Starts this test program on a terminal, playing against a failing engine.
fn start_with_failing_engine(how: &str) -> Terminal {
    let own = std::env::current_exe().unwrap();
    let script = format!(
        "exec {} --exact terminal_restore::play_against_a_failing_engine --ignored --nocapture",
        own.display()
    );
    Terminal::start(shell(&script, &[]).env("CROSSPATH_ENGINE_THAT", how))
}

/// Plays against a failing engine if `start_with_failing_engine` has started the test, else does nothing.
#[test]
#[ignore = "started by other tests, on a terminal of its own"]
fn play_against_a_failing_engine() {
    let Ok(how) = std::env::var("CROSSPATH_ENGINE_THAT") else { return };
    let build: EngineFactory = Arc::new(move |_, _| {
        assert!(how != "panics", "asked for by a test");
        Err(EngineError::OtherGame)
    });
    let looks = crate::tui_harness::looks(GlyphSet::Unicode);
    let inbox = Inbox::default();
    let mut screen = Tui::new(looks, inbox.sender());
    let spec = NewGame { play_as: HumanSideChoice::Second, ..NewGame::default() };
    let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    let mut game = Match::new(rules, spec, None).unwrap();
    ui::run_match(&mut game, &mut screen, None, None, &inbox, None, build).unwrap();
}

#[test]
fn a_panic_restores_the_terminal_before_its_message() {
    let left = assert_terminal_restored(start_with_failing_engine("panics"), 101).text();
    assert!(left.contains("panicked at") && left.contains("asked for by a test"), "{left}");
}

#[test]
fn an_engine_failure_is_reported_and_the_game_stays_open() {
    let mut terminal = start_with_failing_engine("errs");
    terminal.expect("The engine failed: this engine is for another game");
    terminal.send(":where\r");
    terminal.expect(said!("to-move-move", "X", "1"));
    terminal.send("q");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn unreadable_files_are_reported_on_both_screens() {
    let mut terminal = crosspath(&["--mode", "3", "no/such/file"]);
    terminal.expect("cannot read no/such/file: no such file");
    terminal.send("q");
    let left = assert_terminal_restored(terminal, 0).text();
    assert!(left.starts_with("cannot read no/such/file"), "{left}");
    let terminal = crosspath(&["--mode", "3", "no/such/file", "--strict"]);
    let left = assert_terminal_restored(terminal, 65).text();
    assert!(left.starts_with("error: cannot read no/such/file"), "{left}");
}

#[test]
fn a_broken_file_is_reported_at_its_first_and_last_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad2.txt");
    std::fs::write(&path, "# crosspath quoridor\n1. e2 e8\n2. e9 e7\n").unwrap();
    let fault = lasting(format!("bad2.txt:3: {}", said!("is-not-a-step", "e9", "e2")));
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut terminal = crosspath(&[path.to_str().unwrap()]);
    terminal.expect(said!("is-not-a-step", "e9", "e2"));
    assert!(one_line(terminal.text()).contains(fault), "{}", terminal.text());
    assert!(!terminal.text().contains(said!("the-first-position")), "{}", terminal.text());
    terminal.send("\u{1b}[F");
    terminal.expect(said!("another-step-begins"));
    let last = one_line(terminal.text());
    assert!(last.contains(fault) && last.contains("move 2 of 2"), "{last}");
    assert!(!last.contains(said!("the-file-ends-here")), "{last}");
    terminal.send("q");
    let left = assert_terminal_restored(terminal, 0).text();
    assert_eq!(left.matches(said!("is-not-a-step-from", "e9", "e2")).count(), 1, "{left}");
    // With `--strict` the screen is not opened.
    let mut terminal = crosspath(&[path.to_str().unwrap(), "--strict"]);
    assert_eq!(terminal.end(), 65);
    let left = one_line(terminal.text());
    assert!(
        left.starts_with("error: ")
            && left.ends_with(lasting(format!("bad2.txt:3: {}", said!("is-not-a-step-from", "e9", "e2")))),
        "{left}"
    );
    assert!(!terminal.raw().contains("\u{1b}[?1049h"), "{:?}", terminal.raw());
}

#[test]
fn a_missing_file_message_fits_in_80_columns() {
    let mut terminal = crosspath(&["--mode", "3", "no/such/file"]);
    terminal.expect(said!("now-mode-on"));
    let text = terminal.text();
    assert!(text.contains("cannot read no/such/file: no such file; try examples/moves.txt. "), "{text}");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn ctrl_z_suspends_and_fg_redraws() {
    let mut terminal = at_the_board();
    terminal.send("b2\r");
    terminal.expect("X played b2.");
    terminal.send("\u{1a}");
    terminal.wait_for_state('T');
    terminal.settle();
    terminal.assert_restored();
    terminal.signal(Signal::CONT);
    terminal.expect(said!("played-to-move", "X", "b2", "O"));
    assert!(terminal.is_full_screen());
    terminal.send("a1\r");
    terminal.expect("O played a1.");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn closing_the_terminal_ends_the_program() {
    for start in [at_the_board, while_it_thinks] {
        let mut terminal = start();
        terminal.close();
        assert_eq!(terminal.end(), 129);
    }
}

#[test]
fn closing_the_terminal_ends_the_program_without_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code");
    // The shell leads the session and survives, so the program gets no signal.
    let script = format!("trap '' HUP; \"$0\" \"$@\"; echo $? >> {}", path.display());
    for (count, (how, said)) in (1..).zip([("--tui", said!("to-move-2", "X")), ("--plain", "x 1> ")]) {
        let mut terminal = Terminal::start(shell(&script, &["--mode", "2", how]));
        terminal.expect(said);
        terminal.close();
        wait_until(SOON, how, || std::fs::read_to_string(&path).unwrap_or_default() == "129\n".repeat(count));
    }
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn the_terminal_is_restored_within_a_second() {
    type End = fn(&mut Terminal);
    let ends: [(End, i32); 5] = [
        (|terminal| terminal.send("q"), 0),
        (|terminal| terminal.send("\u{3}"), 130),
        (|terminal| terminal.signal(Signal::TERM), 143),
        (Terminal::close, 129),
        (
            |terminal| {
                block_output(terminal);
                terminal.signal(Signal::HUP);
            },
            129,
        ),
    ];
    for (end, code) in ends {
        for mut terminal in [at_the_board(), while_it_thinks()] {
            let began = Instant::now();
            end(&mut terminal);
            assert_eq!(terminal.end(), code);
            assert!(began.elapsed() < Duration::from_secs(1), "{code} took {:?}", began.elapsed());
        }
    }
}

#[test]
fn ctrl_z_works_while_an_engine_thinks_and_without_job_control() {
    let mut terminal = while_it_thinks();
    terminal.send("\x1a");
    terminal.wait_for_state('T');
    terminal.settle();
    terminal.assert_restored();
    terminal.signal(Signal::CONT);
    terminal.expect(said!("is-thinking-2", "White"));
    assert!(terminal.is_full_screen());
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
    // Started by `exec`, the program leads its session. Its process group is orphaned, so SIGTSTP would have
    // no effect.
    let mut terminal = at_the_board();
    terminal.signal(Signal::TSTP);
    terminal.wait_for_state('T');
    terminal.signal(Signal::CONT);
    terminal.expect(said!("to-move-2", "X"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn a_signal_during_startup_restores_the_terminal() {
    for wait in 0..12 {
        let mut terminal = crosspath(&["--mode", "2"]);
        while !terminal.raw().contains("\x1b[?1049h") {
            terminal.read_for(Duration::from_millis(1));
        }
        terminal.read_for(Duration::from_micros(wait * 100));
        terminal.signal(Signal::TERM);
        assert_terminal_restored(terminal, 143);
    }
}

#[test]
fn a_blocked_terminal_does_not_keep_the_program_alive() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let mut terminal = at_the_board();
        block_output(&mut terminal);
        terminal.signal(signal);
        assert_eq!(terminal.end(), code);
    }
}

// The program tries for half a second to restore the terminal, then exits.
#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn a_blocked_terminal_is_restored() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)].repeat(4) {
        let mut terminal = at_the_board();
        block_output(&mut terminal);
        terminal.signal(signal);
        assert_eq!(terminal.end(), code);
        terminal.set_deaf(false);
        terminal.settle();
        terminal.assert_restored();
    }
}

/// Stops reading from the terminal, so that the program cannot write its output.
fn block_output(terminal: &mut Terminal) {
    terminal.set_deaf(true);
    // Requests frames until the terminal accepts no more output.
    for _ in 0..40 {
        terminal.send(&"\u{c}".repeat(8));
        terminal.read_for(Duration::from_millis(2));
    }
}

#[test]
fn a_hidden_cursor_is_shown_again() {
    let mut terminal = at_the_board();
    for (width, height) in [(5, 2), (1, 1), (80, 24)] {
        terminal.resize(width, height);
    }
    assert!(terminal.raw().rfind("\x1b[?25h") > terminal.raw().rfind("\x1b[?25l"), "shown in the end");
}

#[test]
fn the_underline_cursor_is_restored_at_exit() {
    let mut terminal = at_the_board();
    assert!(terminal.raw().contains("\x1b[4 q"));
    terminal.send("q");
    terminal.read_for(Duration::from_millis(500));
    assert!(terminal.raw().rfind("\x1b[0 q") > terminal.raw().rfind("\x1b[4 q"));
    assert_terminal_restored(terminal, 0);
}

#[test]
fn the_terminal_is_restored_from_every_screen() {
    let states: [fn() -> Terminal; 6] = [
        || {
            let mut menu = crosspath(&[]);
            menu.expect(said!("from-the-shell"));
            menu
        },
        || {
            let mut help = at_the_board();
            help.send("?");
            help.expect("Keys: Tic-tac-toe");
            help
        },
        || {
            let mut field = at_the_board();
            field.send(":where");
            field.expect("> where");
            field
        },
        || {
            let mut replay = at_the_board();
            replay.send("b2\r");
            replay.expect("X played b2.");
            replay.send(":replay\r");
            replay.expect("move 0 of 1");
            replay
        },
        || {
            let mut machines = crosspath(&["--mode", "4", "--size", "10"]);
            machines.expect("move ");
            machines
        },
        || {
            let mut small = at_the_board();
            small.resize(20, 4);
            small.expect(said!("too-small"));
            small
        },
    ];
    for state in states {
        for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
            let terminal = state();
            assert!(terminal.is_full_screen());
            terminal.signal(signal);
            assert_terminal_restored(terminal, code);
        }
        let mut terminal = state();
        terminal.send("\x03");
        assert_terminal_restored(terminal, 130);
    }
}
