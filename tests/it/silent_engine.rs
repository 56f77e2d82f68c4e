//! An external engine that never answers: people and programs can leave line mode at any time.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::{crosspath, end_within, run, wait_until};

/// Engine that neither reads nor writes.
const SILENT: &str = "gtp:sleep 1000";
/// Maximum time to quit, even on a busy computer. The default timeout of an engine is five minutes.
const SOON: Duration = Duration::from_secs(15);

/// Starts a game in line mode on a terminal and waits until it is the engine's turn.
fn start_silent_game() -> Terminal {
    let mut terminal = start_at_prompt(&[]);
    terminal.send("c3\r");
    terminal.expect(said!("you-played", "c3"));
    terminal
}

fn start_at_prompt(more: &[&str]) -> Terminal {
    let game = ["--plain", "--game", "hex", "--size", "5", "--engine", SILENT, "--seed", "1"];
    let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &[&game[..], more].concat()));
    terminal.expect("red 1>");
    terminal
}

/// Starts a game with piped input, which stays open.
fn start_on_pipe(more: &[&str], input: &str) -> (Child, std::process::ChildStdin) {
    let game = ["--plain", "--game", "hex", "--size", "5", "--engine", SILENT];
    let mut command = crosspath(&[&game[..], more].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    (child, stdin)
}

#[test]
fn a_second_interrupt_quits_while_an_engine_is_silent() {
    let mut terminal = start_silent_game();
    terminal.send("\u{3}");
    terminal.expect(said!("ctrl-c-again-or"));
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 130);
    terminal.assert_restored();
}

#[test]
fn quit_works_while_an_engine_is_silent() {
    let mut terminal = start_silent_game();
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = start_silent_game();
    terminal.send("\u{4}");
    assert_eq!(terminal.end(), 0);
    // Input typed ahead does not delay quitting.
    let mut terminal = start_silent_game();
    terminal.send("d4\rquit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn undo_and_level_work_while_an_engine_is_silent() {
    let mut terminal = start_silent_game();
    terminal.send("undo\r");
    terminal.expect(said!("took-back", "c3"));
    terminal.send("d3\r");
    terminal.expect(said!("you-played", "d3"));
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = start_silent_game();
    terminal.send("level 1\r");
    terminal.expect("Blue: ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn moves_typed_ahead_wait_and_commands_do_not() {
    let mut terminal = start_silent_game();
    terminal.send("b2\r");
    terminal.expect(said!("move-waits", "b2"));
    terminal.send("where\r");
    terminal.expect(said!("to-move-move", "Blue", 2));
    // Undo first removes waiting moves, and then undoes played ones.
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
    // Waiting moves are not played in another game.
    let mut terminal = start_silent_game();
    terminal.send("b2\rd4\rnew\r");
    terminal.expect(said!("moves-wait-no-longer", 2));
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
}

/// Starts a game in line mode in which a slow engine moves first.
fn start_with_engine_move(more: &[&str]) -> Terminal {
    let game = ["--plain", "--game", "hex", "--no-swap"];
    let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &[&game[..], more].concat()));
    terminal.expect("a b c d e");
    terminal
}

/// Engines that do not answer: an external and a built-in one.
const SLOW_ENGINES: [&[&str]; 2] = [&["--engine", SILENT], &["--level", "8", "--movetime", "1000s"]];

#[test]
fn a_paste_of_many_moves_does_not_delay_quitting() {
    for engine in SLOW_ENGINES {
        let is_external = engine == SLOW_ENGINES[0];
        for (goodbye, code) in [("quit\r", 0), ("\u{4}", 0), ("\u{3}", 130)] {
            let mut terminal = start_with_engine_move(&[&["--play-as", "second"], engine].concat());
            terminal.send(&"a1\r".repeat(6667));
            terminal.expect_output(said!("too-many-lines", 100));
            terminal.send(goodbye);
            if code == 130 && is_external {
                terminal.expect_output(said!("ctrl-c-again-or"));
                terminal.send(goodbye);
            } else if code == 130 {
                // The engine moves, and the earlier input is discarded.
                terminal.expect_output("Red: ");
                terminal.expect_output("blue 2>");
                terminal.send(goodbye);
                terminal.expect_output(said!("ctrl-c-again-or"));
                terminal.send(goodbye);
            }
            assert_eq!(terminal.end(), code, "{engine:?} {goodbye:?}");
            terminal.assert_restored();
        }
    }
}

#[test]
fn quitting_while_a_built_in_engine_thinks_loses_no_command() {
    let folder = crate::support::folder();
    let path = folder.path().join("game.txt");
    let mut terminal = start_with_engine_move(&[&["--play-as", "second"], SLOW_ENGINES[1]].concat());
    terminal.send(&format!("a1\rsave {}\rb2\rquit\r", path.display()));
    assert_eq!(terminal.end(), 0);
    assert!(path.exists());
}

#[test]
fn the_end_of_input_after_many_moves_is_noticed() {
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
            // On a pipe, quit is enough, although the input stays open.
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
fn no_piped_command_is_lost_with_a_working_engine() {
    let engine = "gtp:sh examples/gtp_player.sh";
    let game = ["--plain", "--game", "hex", "--size", "2", "--no-swap", "--engine", engine];
    // The input is longer than the program reads ahead.
    let played = run(&game, "bogus\n".repeat(30_000) + "a1\n");
    assert_eq!(played.code, Some(0), "{}", played.out);
    assert!(played.lines().iter().any(|line| line.starts_with("Red a1 | Blue ")), "{}", played.out);
    assert_eq!(played.err.lines().filter(|line| line.starts_with("line ")).count(), 30_000);
}

#[test]
fn the_end_of_input_quits_while_an_engine_is_silent() {
    for more in [&[][..], &["--json"]] {
        for (input, code) in [("c3\n", 1), ("c3\nd3\n\nd4\n", 1), ("c3\n\nquit\n", 0)] {
            let (child, stdin) = start_on_pipe(more, input);
            drop(stdin);
            assert_eq!(end_within(SOON, child).code(), Some(code), "{more:?} {input:?}");
        }
        // A program that sends quit need not close the input.
        let (child, _stdin) = start_on_pipe(more, "c3\nquit\n");
        assert_eq!(end_within(SOON, child).code(), Some(0), "{more:?}");
    }
}

#[test]
fn a_match_of_engines_continues_after_the_end_of_input() {
    let slow = "gtp:sh -c 'sleep 2; exec sh examples/gtp_player.sh'";
    let game = run(&["--mode", "4", "--game", "hex", "--size", "2", "--no-swap", "--engine", slow], "");
    assert_eq!(game.code, Some(0), "{}{}", game.out, game.err);
}

#[test]
fn an_engine_that_exceeds_the_response_timeout_fails() {
    let (child, mut stdin) = start_on_pipe(&["--response-timeout", "300ms"], "c3\n");
    // The next move is played for the engine, and the input ends only after that.
    stdin.write_all(b"d3\n").unwrap();
    drop(stdin);
    assert_eq!(end_within(SOON, child).code(), Some(0));
    let failing = ["--response-timeout", "300ms", "--mode", "4"];
    let failed =
        run(&[&["--plain", "--game", "hex", "--size", "5", "--engine", SILENT], &failing[..]].concat(), "");
    assert_eq!(failed.code, Some(1));
    // The match is over, because nobody can continue it.
    assert!(
        failed.err.starts_with(said!("engine-failed-match-over", "sleep does not respond")),
        "{}",
        failed.err
    );
}

#[test]
fn the_first_interrupt_warns_in_a_match_of_silent_engines() {
    // The engine must have started, because Ctrl-C also reaches it until it has a process group of
    // its own.
    let folder = crate::support::folder();
    let started = folder.path().join("started");
    let engine = format!("gtp:sh -c 'touch {}; exec sleep 1000'", started.display());
    let mut terminal = start_with_engine_move(&["--mode", "4", "--engine", &engine]);
    wait_until(SOON, "the start of the engine", || started.exists());
    terminal.send("\u{3}");
    terminal.expect(said!("ctrl-c-again-or"));
    terminal.send("\u{3}");
    assert_eq!(terminal.end(), 130);
    let mut terminal = start_with_engine_move(&["--mode", "4", "--engine", SILENT]);
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = start_with_engine_move(&["--mode", "4", "--level", "8", "--movetime", "1000s"]);
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_slow_engine_may_use_its_move_time() {
    let slow = "gtp:sh -c 'sleep 2; exec sh examples/gtp_player.sh'";
    let game = ["--plain", "--game", "hex", "--size", "5", "--engine", slow, "--response-timeout", "60s"];
    let played = run(&game, "c3\n");
    assert_eq!(played.code, Some(0), "{}{}", played.out, played.err);
    assert!(played.lines().iter().any(|line| line.starts_with("Red c3 | Blue ")), "{}", played.out);
}
