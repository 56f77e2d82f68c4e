//! An external engine that never answers: line mode can be left at any time, by a person and by a program.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::{crosspath, end_within, run, wait_until};

/// Engine that reads nothing and writes nothing.
const SILENT: &str = "gtp:sleep 1000";
/// Time that leaving never takes, however busy the computer is; the default timeout of an engine is
/// five minutes.
const SOON: Duration = Duration::from_secs(15);

/// Returns a game in lines on a terminal in which the engine was just asked for its move.
fn while_it_is_silent() -> Terminal {
    let mut terminal = at_the_prompt(&[]);
    terminal.send("c3\r");
    terminal.expect(said!("you-played", "c3"));
    terminal
}

fn at_the_prompt(more: &[&str]) -> Terminal {
    let game = ["--plain", "--game", "hex", "--size", "5", "--engine", SILENT, "--seed", "1"];
    let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &[&game[..], more].concat()));
    terminal.expect("red 1>");
    terminal
}

/// Starts a game fed on a pipe, whose input stays open.
fn on_a_pipe(more: &[&str], input: &str) -> (Child, std::process::ChildStdin) {
    let game = ["--plain", "--game", "hex", "--size", "5", "--engine", SILENT];
    let mut command = crosspath(&[&game[..], more].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    (child, stdin)
}

#[test]
fn the_second_interrupt_leaves_while_an_engine_is_silent() {
    let mut terminal = while_it_is_silent();
    terminal.send("\u{3}");
    terminal.expect(said!("ctrl-c-again-or"));
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 130);
    terminal.is_as_before();
}

#[test]
fn a_person_quits_while_an_engine_is_silent() {
    let mut terminal = while_it_is_silent();
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = while_it_is_silent();
    terminal.send("\u{4}");
    assert_eq!(terminal.end(), 0);
    // What was typed ahead holds nobody back.
    let mut terminal = while_it_is_silent();
    terminal.send("d4\rquit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn undo_and_another_level_work_while_an_engine_is_silent() {
    let mut terminal = while_it_is_silent();
    terminal.send("undo\r");
    terminal.expect(said!("took-back", "c3"));
    terminal.send("d3\r");
    terminal.expect(said!("you-played", "d3"));
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = while_it_is_silent();
    terminal.send("level 1\r");
    terminal.expect("Blue: ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_move_that_is_typed_ahead_waits_and_commands_do_not() {
    let mut terminal = while_it_is_silent();
    terminal.send("b2\r");
    terminal.expect(said!("move-waits", "b2"));
    terminal.send("where\r");
    terminal.expect(said!("to-move-move", "Blue", 2));
    // Undo takes back what waits first, and then what was played.
    terminal.send("undo\r");
    terminal.expect(said!("move-waits-no-longer", "b2"));
    terminal.send("undo\r");
    terminal.expect(said!("took-back", "c3"));
    terminal.send("c3\r");
    terminal.expect_output(said!("you-played", "c3"));
    terminal.send("b2\rlevel 1\r");
    terminal.expect_output("Blue: ");
    terminal.expect_output(said!("you-played", "b2"));
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    // What was meant for one game is not played in another.
    let mut terminal = while_it_is_silent();
    terminal.send("b2\rd4\rnew\r");
    terminal.expect(said!("moves-wait-no-longer", 2));
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
}

/// Returns a game in lines that an engine begins, which takes its time.
fn at_the_start(more: &[&str]) -> Terminal {
    let game = ["--plain", "--game", "hex", "--no-swap"];
    let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &[&game[..], more].concat()));
    terminal.expect("a b c d e");
    terminal
}

/// Engines that do not answer: an external one, and a built-in one.
const SLOW: [&[&str]; 2] = [&["--engine", SILENT], &["--level", "8", "--movetime", "1000s"]];

#[test]
fn a_paste_of_many_moves_does_not_hold_back_who_leaves() {
    for engine in SLOW {
        let is_external = engine == SLOW[0];
        for (goodbye, code) in [("quit\r", 0), ("\u{4}", 0), ("\u{3}", 130)] {
            let mut terminal = at_the_start(&[&["--play-as", "second"], engine].concat());
            terminal.send(&"a1\r".repeat(6667));
            terminal.expect_output(said!("too-many-lines", 100));
            terminal.send(goodbye);
            if code == 130 && is_external {
                terminal.expect_output(said!("ctrl-c-again-or"));
                terminal.send(goodbye);
            } else if code == 130 {
                // The engine moves, and what was typed before is forgotten.
                terminal.expect_output("Red: ");
                terminal.expect_output("blue 2>");
                terminal.send(goodbye);
                terminal.expect_output(said!("ctrl-c-again-or"));
                terminal.send(goodbye);
            }
            assert_eq!(terminal.end(), code, "{engine:?} {goodbye:?}");
            terminal.is_as_before();
        }
    }
}

#[test]
fn who_quits_while_a_built_in_engine_thinks_loses_no_command() {
    let folder = crate::support::folder();
    let path = folder.path().join("game.txt");
    let mut terminal = at_the_start(&[&["--play-as", "second"], SLOW[1]].concat());
    terminal.send(&format!("a1\rsave {}\rb2\rquit\r", path.display()));
    assert_eq!(terminal.end(), 0);
    assert!(path.exists());
}

#[test]
fn the_end_of_the_input_is_found_behind_many_moves() {
    let folder = crate::support::folder();
    for (count, last) in [(40_000, ""), (400_000, "quit\n")] {
        let moves = "a1\n".repeat(count) + last;
        let path = crate::support::file(&folder, "moves", &moves);
        for more in [&[][..], &["--json"]] {
            let game = ["--plain", "--game", "hex", "--size", "5", "--engine", SILENT];
            let start = || {
                let mut command = crosspath(&[&game[..], more].concat());
                command.stdout(Stdio::null()).stderr(Stdio::null());
                command
            };
            let from_a_file = start().stdin(std::fs::File::open(&path).unwrap()).spawn().unwrap();
            assert_eq!(end_within(SOON, from_a_file).code(), Some(1), "{more:?} {count}");
            // On a pipe a last quit is enough: the input stays open.
            let mut on_a_pipe = start().stdin(Stdio::piped()).spawn().unwrap();
            let mut stdin = on_a_pipe.stdin.take().unwrap();
            stdin.write_all(moves.as_bytes()).unwrap();
            let stdin = Some(stdin).filter(|_| !last.is_empty());
            assert_eq!(end_within(SOON, on_a_pipe).code(), Some(1), "{more:?} {count}");
            drop(stdin);
        }
    }
}

#[test]
fn a_healthy_engine_loses_nothing_that_waits_on_a_pipe() {
    let engine = "gtp:sh examples/gtp_player.sh";
    let game = ["--plain", "--game", "hex", "--size", "2", "--no-swap", "--engine", engine];
    // More than is taken in before it is asked for.
    let played = run(&game, "bogus\n".repeat(30_000) + "a1\n");
    assert_eq!(played.code, Some(0), "{}", played.out);
    assert!(played.lines().iter().any(|line| line.starts_with("Red a1 | Blue ")), "{}", played.out);
    assert_eq!(played.err.lines().filter(|line| line.starts_with("line ")).count(), 30_000);
}

#[test]
fn the_end_of_the_input_leaves_while_an_engine_is_silent() {
    for more in [&[][..], &["--json"]] {
        for (input, code) in [("c3\n", 1), ("c3\nd3\n\nd4\n", 1), ("c3\n\nquit\n", 0)] {
            let (child, stdin) = on_a_pipe(more, input);
            drop(stdin);
            assert_eq!(end_within(SOON, child).code(), Some(code), "{more:?} {input:?}");
        }
        // Whoever says goodbye does not have to close the input as well.
        let (child, _stdin) = on_a_pipe(more, "c3\nquit\n");
        assert_eq!(end_within(SOON, child).code(), Some(0), "{more:?}");
    }
}

#[test]
fn a_match_of_engines_goes_on_after_the_end_of_its_input() {
    let slow = "gtp:sh -c 'sleep 2; exec sh examples/gtp_player.sh'";
    let game = run(&["--mode", "4", "--game", "hex", "--size", "2", "--no-swap", "--engine", slow], "");
    assert_eq!(game.code, Some(0), "{}{}", game.out, game.err);
}

#[test]
fn an_engine_that_exceeds_the_response_timeout_has_failed() {
    let (child, mut stdin) = on_a_pipe(&["--response-timeout", "300ms"], "c3\n");
    // The next move is played for it, and only then the input ends.
    stdin.write_all(b"d3\n").unwrap();
    drop(stdin);
    assert_eq!(end_within(SOON, child).code(), Some(0));
    let failing = ["--response-timeout", "300ms", "--mode", "4"];
    let failed =
        run(&[&["--plain", "--game", "hex", "--size", "5", "--engine", SILENT], &failing[..]].concat(), "");
    assert_eq!(failed.code, Some(1));
    // The match is over: nobody can do anything about it.
    assert!(
        failed.err.starts_with(said!("engine-failed-match-over", "sleep does not respond")),
        "{}",
        failed.err
    );
}

#[test]
fn the_first_interrupt_warns_in_a_match_of_engines_that_are_silent() {
    // Ctrl-C goes to the engine too until it has a process group of its own: it has to have started.
    let folder = crate::support::folder();
    let started = folder.path().join("started");
    let engine = format!("gtp:sh -c 'touch {}; exec sleep 1000'", started.display());
    let mut terminal = at_the_start(&["--mode", "4", "--engine", &engine]);
    wait_until(SOON, "the start of the engine", || started.exists());
    terminal.send("\u{3}");
    terminal.expect(said!("ctrl-c-again-or"));
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 130);
    let mut terminal = at_the_start(&["--mode", "4", "--engine", SILENT]);
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = at_the_start(&["--mode", "4", "--level", "8", "--movetime", "1000s"]);
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn an_engine_that_is_slow_is_waited_for_where_a_time_is_set() {
    let slow = "gtp:sh -c 'sleep 2; exec sh examples/gtp_player.sh'";
    let game = ["--plain", "--game", "hex", "--size", "5", "--engine", slow, "--response-timeout", "60s"];
    let played = run(&game, "c3\n");
    assert_eq!(played.code, Some(0), "{}{}", played.out, played.err);
    assert!(played.lines().iter().any(|line| line.starts_with("Red c3 | Blue ")), "{}", played.out);
}
