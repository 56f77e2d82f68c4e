//! Line mode on a real terminal: greeting, prompts, questions, Ctrl-C, Ctrl-D, and the messages
//! when quitting.

use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};

/// Starts line mode on a dumb terminal.
fn start_line_mode(arguments: &[&str]) -> Terminal {
    let command = shell("exec \"$0\" \"$@\"", arguments);
    Terminal::start(command.env("TERM", "dumb").env("NO_COLOR", "1").env("LC_ALL", "C"))
}

/// Waits for the end; returns the exit code and the last output.
fn wait_for_end(mut terminal: Terminal) -> (i32, String) {
    (terminal.end(), terminal.rest_of_output().to_owned())
}

fn kept() -> &'static str {
    said!("saved-crosspath-continue-goes")
}

#[test]
fn line_mode_greets_prompts_and_answers() {
    let mut terminal = start_line_mode(&["--mode", "1", "--level", "classic", "--seed", "1"]);
    let greeting = terminal.expect_output("x 1> ");
    assert!(greeting.starts_with(lasting(format!("{}\r\n", said!("tic-tac-toe-x", "X")))), "{greeting}");
    assert!(greeting.contains(lasting(format!("{}\r\n", said!("type-a-move-such", "b2")))), "{greeting}");
    terminal.send("b2\n");
    let answer = terminal.expect_output("x 3> ");
    assert!(answer.contains("\r\n  You: b2.\r\n  O: a1.   ("), "{answer}");
    terminal.send("zz\n");
    assert!(
        terminal
            .expect_output("x 3> ")
            .contains(lasting(format!("\r\n  {}", said!("i-do-not-know-a-cell-is", "zz")))),
        "refusals stand among the answers"
    );
    terminal.send("b2\n");
    terminal.expect_output(lasting(format!("  {}\r\n", said!("is-taken-move-nothing", "b2", "X", "1"))));
    terminal.send("quit\n");
    let (code, rest) = wait_for_end(terminal);
    assert_eq!(code, 0);
    assert!(rest.ends_with(&format!("  {}\r\n", kept())), "{rest}");
}

#[test]
fn two_players_are_named_by_side_and_offered_another_game() {
    let mut terminal = start_line_mode(&["--mode", "2"]);
    assert!(terminal.expect_output("x 1> ").contains(said!("and-in-turn-begins", "X", "O", "X")));
    for (cell, prompt) in [
        ("a1", "o 2> "),
        ("b1", "x 3> "),
        ("a2", "o 4> "),
        ("b2", "x 5> "),
        ("a3", lasting(format!("{} ", said!("another-game-2")))),
    ] {
        terminal.send(&format!("{cell}\n"));
        let shown = terminal.expect_output(prompt);
        assert!(shown.contains(&format!(": {cell}.\r\n")), "{shown}");
    }
    terminal.send("tak\n");
    terminal.expect_output("x 1> ");
    terminal.send("\u{4}"); // Ctrl-D
    let (code, rest) = wait_for_end(terminal);
    assert_eq!((code, rest.trim()), (0, ""), "nothing was played, so nothing is lost");
}

#[test]
fn three_losses_suggest_the_level_below() {
    let mut terminal = start_line_mode(&["--level", "5", "--seed", "1", "--play-as", "first"]);
    for game in 1..=3 {
        terminal.expect_output("x 1> ");
        terminal.send("resign\n");
        let shown = terminal.expect_output(lasting(format!("{} ", said!("another-game-2"))));
        assert_eq!(shown.contains(said!("in-a-row-easier", "4")), game == 3, "{shown}");
        terminal.send(if game < 3 { "y\n" } else { "easier\n" });
    }
    terminal.expect_output("o 2> "); // the sides are swapped
    terminal.send("\u{4}");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_end_of_input_quits_and_reports_an_unsaved_game() {
    let mut terminal = start_line_mode(&["--mode", "2"]);
    terminal.expect_output("x 1> ");
    terminal.send("b2\n");
    terminal.expect_output("o 2> ");
    terminal.send("\u{4}");
    let (code, rest) = wait_for_end(terminal);
    assert_eq!((code, rest.as_str()), (0, format!("\r\n  {}\r\n", kept()).as_str()));
}

#[test]
fn only_a_changed_game_is_reported_as_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game#1.txt");
    let path = path.to_str().unwrap();
    for (then, lost) in [
        ("quit\n", ""),
        ("new\nquit\n", ""),
        ("a1\nquit\n", kept()),
        ("a1\nnew\nquit\n", said!("the-game-before-is-kept")),
    ] {
        let _ = std::fs::remove_file(path);
        let mut terminal = start_line_mode(&["--mode", "2"]);
        terminal.expect_output("x 1> ");
        terminal.send(&format!("b2\nsave {path}\n"));
        terminal.expect_output(lasting(format!("{} ", said!("saved-in"))));
        terminal.send(then);
        let (code, rest) = wait_for_end(terminal);
        assert_eq!(code, 0);
        let (is_kept, was_kept) =
            (rest.contains(kept()), rest.contains(said!("the-game-before-is-kept-part")));
        assert_eq!((is_kept, was_kept), (lost == kept(), lost.contains("previous")), "{then:?}: {rest}");
    }
    assert!(std::fs::read_to_string(path).unwrap().contains("1. b2"), "a file's name may hold a #");
}

#[test]
fn ctrl_c_warns_first_and_quits_the_second_time() {
    for arguments in [&["--mode", "1", "--seed", "1"][..], &["examples/early_end.txt"], &["--mode", "2"]] {
        let mut terminal = start_line_mode(arguments);
        terminal.expect_output("x 1> ");
        terminal.send("\u{3}");
        terminal.expect_output(said!("ctrl-c-again-or"));
        terminal.send("b2\n");
        terminal.expect_output("> ");
        terminal.send("\u{3}");
        terminal.expect_output(said!("ctrl-c-again-or"));
        terminal.send("\u{3}");
        assert_eq!(wait_for_end(terminal).0, 130);
    }
}

#[test]
fn without_options_line_mode_asks_for_the_game_and_the_size() {
    let mut terminal = start_line_mode(&["--plain"]);
    let menu = terminal.expect_output("game> ");
    assert!(menu.contains("1  Tic-tac-toe 1-10"), "{menu}");
    terminal.send("chess\n");
    assert!(terminal.expect_output("game> ").contains(said!("there-is-no-game", "chess")));
    terminal.send("ttt\n");
    terminal.expect_output("size 1-10 [3]> ");
    terminal.send("11\n");
    assert!(terminal.expect_output("size 1-10 [3]> ").contains(said!("it-must-be-to", "1", "10")));
    terminal.send("4\n");
    assert!(terminal.expect_output("x 1> ").contains("Tic-tac-toe 4x4."));
    for (input, code) in [("\u{4}", 0), ("Quit\n", 0)] {
        let mut terminal = start_line_mode(&["--plain"]);
        terminal.expect_output("game> ");
        terminal.send(input);
        assert_eq!(wait_for_end(terminal).0, code, "{input:?} at the game");
        let mut terminal = start_line_mode(&["--plain"]);
        terminal.expect_output("game> ");
        terminal.send("\n");
        terminal.expect_output("size 1-10 [3]> ");
        terminal.send(input);
        assert_eq!(wait_for_end(terminal).0, code, "{input:?} at the size");
    }
}

#[test]
fn sentences_wrap_between_words() {
    let mut terminal = start_line_mode(&["--mode", "2"]);
    terminal.expect_output("x 1> ");
    terminal.send("nonsense\n");
    let shown = terminal.expect_output("x 1> ");
    assert!(shown.lines().all(|line| line.chars().count() < 80), "{shown}");
    assert!(shown.contains("1-3,\r\n  such as b2. Type help for the commands.\r\n"), "{shown}");
}
