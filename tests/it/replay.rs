//! Move files in the real program: digit files of the C original, lists, records, and errors.

use crate::sentences::{lasting, said};
use crate::support::{Run, file, folder, run, skip};

fn top_row() -> &'static str {
    said!("game-over-first-completed-row", "X", "1", "5", "X")
}

fn run_replay(content: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let folder = folder();
    let path = file(&folder, "game.txt", content);
    let arguments: Vec<&str> =
        ["--mode", "3"].iter().chain(options).copied().chain([path.as_str()]).collect();
    run(&arguments, "")
}

/// Checks that the top row wins without a message on standard error.
fn assert_top_row_wins(run: &Run) {
    assert_eq!((run.lines().last().copied(), run.code), (Some(top_row()), Some(0)), "{}{}", run.out, run.err);
}

#[test]
fn digit_files_replay_whatever_separates_the_digits() {
    let files = [
        "0 0 1 1 0 1 2 2 0 2",
        "00110122 02",
        "(0;0)-(1;1), (0;1)/(2;2)! 0+2 and 9 8 7 junk",
        "0 0 1 1 0 1 2 2 0 2 0 0 7 x",
        "\r\n0\r0\t1\n1 0 1 2 2\x000 2",
    ];
    for content in files {
        for strict in [&["--strict"][..], &[]] {
            let run = run_replay(content, strict);
            assert_top_row_wins(&run);
            // Ignored text is reported once.
            let is_pure = content.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
            assert_eq!(run.err.lines().count(), usize::from(!is_pure), "{content:?}: {}", run.err);
        }
    }
    let with_bytes = [&b"\xff\xfe0 0 1 1 \xc3\x28 0 1 2 2 0 2"[..], b"\xef\xbb\xbf0 0 1 1 0 1 2 2 0 2"];
    for content in with_bytes {
        assert_top_row_wins(&run_replay(content, &[]));
    }
}

#[test]
fn moves_and_boards_are_shown_one_by_one() {
    let run = run_replay("0 0 1 1 0 1 2 2 0 2", &[]);
    let moves: Vec<&str> =
        run.lines().into_iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert_eq!(moves, ["1. X a1", "2. O b2", "3. X b1", "4. O c3", "5. X c1"]);
    assert_eq!(run.out.matches("    a b c\n").count(), 6, "a board at the start and after every move");
}

#[test]
fn an_illegal_digit_pair_is_skipped_and_the_same_side_moves() {
    let content = "0 0 0 0 1 1 0 1 2 2 0 2";
    let run = run_replay(content, &[]);
    assert_top_row_wins(&run);
    assert!(
        run.err.ends_with(lasting(format!("game.txt:1: {}\n", said!("is-taken-move-the", "a1", "X", "1")))),
        "{}",
        run.err
    );
    let strict = run_replay(content, &["--strict"]);
    assert_eq!(strict.code, Some(65));
    assert!(
        strict.err.ends_with(lasting(format!("game.txt:1: {}\n", said!("is-taken-move", "a1", "X", "1")))),
        "{}",
        strict.err
    );
    assert!(strict.out.contains("1. X a1"), "the good moves come first");
}

#[test]
fn an_unfinished_file_is_reported_with_its_moves_and_the_command_to_continue() {
    for (content, size, moves) in [("0 0 1 1 0", "3", "2 moves"), ("9 9", "10", "1 move")] {
        let run = run_replay(content, &["--size", size]);
        let message = format!("game.txt:1: {} ", said!("the-file-ends-after-before", moves));
        assert!(run.err.contains(&message), "{}", run.err);
        assert!(run.err.ends_with(lasting(format!("{}\n", said!("goes-on-from-there")))), "{}", run.err);
        assert_eq!((run.err.lines().count(), run.code), (1, Some(0)));
        let strict = run_replay(content, &["--size", size, "--strict"]);
        assert_eq!((strict.err.lines().count(), strict.code), (1, Some(65)));
    }
    assert!(run_replay("9 9", &["--size", "10"]).out.contains("1. X j10"));
}

#[test]
fn digits_are_valid_up_to_the_board_size() {
    let four = run_replay("0 0 1 1 0 1 2 2 0 2 3 3 0 3", &["--size", "4"]);
    assert_eq!(four.lines().last(), Some(&said!("game-over-first-completed-row", "X", "1", "7", "X")));
    let one = run_replay("0 0", &["--size", "1"]);
    assert_eq!(
        (one.lines().last(), one.code),
        (Some(&said!("game-over-first-completed-the", "X", "1", "X")), Some(0))
    );
}

#[test]
fn cell_names_ignored_in_a_digit_file_are_reported() {
    let folder = folder();
    let path = file(&folder, "game.txt", "X: a1\nO: b2\n0 0 1 1 0 1 2 2 0 2");
    let run = run(&["--mode", "3", &path], "");
    let message = said!("the-file-is-read", path, "1", "X", "a1", "a1", "b2", "c3").to_owned();
    assert_eq!(run.err.matches(said!("is-read-as-digits")).count(), 1, "{}", run.err);
    assert!(run.err.contains(&message), "{}", run.err);
    for (text, strange, cell) in [
        ("X: a1\n", "X:", "a1"),
        ("a1-b2-b1-c3-c1", "a1-b2-b1-c3-c1", "a1"),
        ("a1/b2/b1", "a1/b2/b1", "a1"),
        ("X:a1 O:b2", "X:a1", "a1"),
        ("a1 b2 | b1 c3", "|", "a1"),
        ("\"c2\" \"b2\"", "\"c2\"", "c2"),
    ] {
        let message = crate::support::run(&["--mode", "3", &file(&folder, "letters.txt", text)], "").err;
        let named = said!("because-is-no-cell", strange, cell).to_owned();
        assert!(message.contains(&named), "{text}: {message}");
    }
    let noise = file(&folder, "noise.txt", "3 3 9 hello world\n");
    let message = crate::support::run(&["--mode", "3", &noise], "").err;
    assert!(message.starts_with(&format!("{} ", said!("no-move-is-in-this", noise, "1"))), "{message}");
    assert_eq!(crate::support::run(&["--mode", "3", "--strict", &noise], "").code, Some(65));
    let refused = crate::support::run(&["--mode", "2"], format!("a1\nload {noise}\nwhere\n"));
    assert!(
        refused.err.contains(said!("looks-like-a-text", "\"3\"")) && refused.out.contains("X: a1."),
        "{}",
        refused.out
    );
    let glued = file(&folder, "glued.txt", "a1b2 0 0 1 1");
    let message = crate::support::run(&["--mode", "3", &glued], "").err;
    assert!(message.starts_with(&format!("{} ", said!("the-file-is-read-as", glued, "1"))), "{message}");
    // The digits 1 and 2 in cell names count, too, as in the C original.
    assert!(run.out.contains("1. X b2\n") || run.out.contains("1. X c2\n"), "{}", run.out);
}

#[test]
fn semicolons_and_side_names_may_separate_moves() {
    let folder = folder();
    for (text, first) in [
        ("# crosspath hex size=11\nRed: f6\nBlue: e5\n", "1. Red f6"),
        ("# crosspath hex size=11\nf6; e5\n", "1. Red f6"),
        ("# crosspath tic-tac-toe size=3\nX: a1\nO:b2\nX: b1; O c3; X c1", "1. X a1"),
    ] {
        let run = run(&["--mode", "3", &file(&folder, "game.txt", text)], "");
        assert!(run.out.contains(first), "{text}: {}{}", run.out, run.err);
        assert!(!run.err.contains("is not"), "{text}: {}", run.err);
    }
    let twice = file(&folder, "twice.txt", "# crosspath hex size=5\nRed: a1\nRed: b2\n");
    assert!(
        run(&["--strict", &twice], "")
            .err
            .contains(lasting(format!("twice.txt:3: {}", said!("is-said-to-be", "b2", "Red", "Blue")))),
        "{}",
        run(&["--strict", &twice], "").err
    );
    let list = file(&folder, "list.txt", "Red: f6; Blue: e5");
    let run = run(&["--mode", "3", "--game", "hex", &list], "");
    assert!(run.out.contains("2. Blue e5"), "{}{}", run.out, run.err);
}

#[test]
fn an_error_in_a_header_setting_names_the_header() {
    let folder = folder();
    let path = file(&folder, "game.txt", "# crosspath hex size=5 walls=3\nc3\n");
    let run = run(&["--mode", "3", &path], "");
    assert_eq!(run.err, format!("{}\n", said!("hex-has-no-setting", path, "1")));
}

#[test]
fn after_an_early_end_the_human_plays_on_a_fresh_board() {
    let folder = folder();
    let path = file(&folder, "game.txt", "0 0 1 1 0");
    let run = run(&["--mode", "3", &path, "--seed", "1"], format!("b2\nload {path}\nwhere\n"));
    assert!(run.out.contains("X b2 | O "), "{}", run.out);
    assert!(
        run.out.contains(&format!("  {}\n", said!("loaded-moves-from-to", "2", path, "X", "3"))),
        "{}",
        run.out
    );
    assert!(run.out.contains("  X: a1.\n  O: b2.\n"), "{}", run.out);
}

#[test]
fn cell_lists_and_records_are_read_strictly() {
    assert_top_row_wins(&run_replay("1. a1 b2, 2. b1 c3 # a comment\n3. c1", &["--strict"]));
    assert_top_row_wins(&run_replay(
        "# crosspath tic-tac-toe size=3\n# first: Ann\n1. a1 b2 2. b1 c3 3. c1\n",
        &["--strict"],
    ));
    let cases = [
        ("a1 b2\nb1 b2 c1", lasting(format!("game.txt:2: {}", said!("is-taken-move", "b2", "O", "2")))),
        ("a1 b2 b1 c3 c1\na2", lasting(format!("game.txt:2: {}", said!("comes-after-the-end-of", "a2")))),
        (
            "# crosspath ttt size=3\na1 z9 b1",
            lasting(format!("game.txt:2: {}", said!("is-off-the-board-part", "z9"))),
        ),
        (
            "# crosspath ttt size=3\na1 huh b1",
            lasting(format!("game.txt:2: {}", said!("i-do-not-know-part", "huh"))),
        ),
        (
            "# crosspath chess\ne4",
            lasting(format!("game.txt:1: {} ", said!("there-is-no-game-games-are", "chess"))),
        ),
        (
            "# crosspath ttt size=11\na1",
            "game.txt:1: size 11 is not possible for tic-tac-toe; it must be 1 to 10",
        ),
    ];
    for (content, why) in cases {
        let run = run_replay(content, &[]);
        assert!(run.err.contains(why), "{content:?}: {}", run.err);
        assert!(
            run.err.ends_with(lasting(format!("{}\n", said!("now-mode-on-a-fresh-board")))),
            "{}",
            run.err
        );
        assert_eq!((run.err.lines().count(), run.code), (1, Some(0)));
        let strict = run_replay(content, &["--strict"]);
        assert!(strict.err.starts_with("error: ") && strict.err.contains(why), "{}", strict.err);
        assert_eq!((strict.err.lines().count(), strict.code), (1, Some(65)));
    }
}

#[test]
fn a_header_replaces_flags_and_contradicting_flags_are_errors() {
    let record = "# crosspath tic-tac-toe size=4 win-length=3\na1 a2 b1 b2 c1\n";
    assert!(run_replay(record, &[]).out.ends_with("completed the line a1-c1 on move 5. X wins.\n"));
    assert_eq!(run_replay(record, &["--size", "4", "--game", "ttt", "--win-length", "3"]).code, Some(0));
    for (flag, value, there) in [("--size", "5", "size=4"), ("--win-length", "4", "win-length=3")] {
        let run = run_replay(record, &[flag, value]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(
            run.err.contains(&format!("{flag} {value} contradicts ")) && run.err.contains(there),
            "{}",
            run.err
        );
    }
}

#[test]
fn an_unreadable_path_is_named_and_mode_1_starts() {
    let folder = folder();
    let missing = folder.path().join("none.txt");
    let directory = folder.path().to_str().unwrap().to_owned();
    let empty = file(&folder, "empty.txt", "");
    let cases = [
        (missing.to_str().unwrap().to_owned(), "no such file; try examples/moves.txt"),
        (directory, said!("it-is-a-directory")),
        (empty, said!("the-file-is-empty")),
        #[cfg(unix)]
        ("/dev/zero".to_owned(), said!("it-is-a-device")),
    ];
    for (path, why) in cases {
        let played = run(&["--mode", "3", &path, "--seed", "1"], "b2\n");
        assert_eq!(played.err, format!("{}\n", said!("cannot-read-now-mode", path, why)));
        assert!(played.out.contains("X b2 | O "), "{}", played.out);
        assert_eq!(played.code, Some(0));
        // A file named without a mode is not replaced by a game, unless there is no such file.
        let is_missing = path.ends_with("none.txt");
        assert_eq!(run(&[&path], "b2\n").code, Some(if is_missing { 0 } else { 65 }), "{path}");
        let strict = run(&[&path, "--strict"], "b2\n");
        assert_eq!(
            (strict.err, strict.out, strict.code),
            (format!("error: {}\n", said!("cannot-read-part", path, why)), String::new(), Some(65))
        );
    }
}

#[test]
fn a_missing_example_is_not_suggested() {
    let folder = folder();
    for (arguments, wanted) in [
        (&["--mode", "3", "none.txt"][..], lasting(format!("{}\n", said!("cannot-read-none-txt")))),
        (&["--mode", "3"], lasting(format!("{}\n", said!("mode-needs-a-move", "3", "3")))),
    ] {
        let mut command = crate::support::crosspath(arguments);
        command.current_dir(folder.path());
        assert_eq!(crate::support::run_on(command, "").err, wanted);
    }
}

#[test]
fn a_move_list_read_as_digits_is_reported() {
    let folder = folder();
    let path = file(&folder, "list.txt", "1. e2 e8 2. zz");
    let message = said!("the-file-is-read-as-digits", path, "1", "e2").to_owned();
    let forgiving = run(&["--mode", "3", &path], "");
    assert_eq!(forgiving.err.lines().next(), Some(message.as_str()), "{}", forgiving.err);
    let strict = run(&["--mode", "3", &path, "--strict"], "");
    assert_eq!((strict.err.as_str(), strict.code), (format!("error: {message}\n").as_str(), Some(65)));
    assert!(!strict.out.contains("1. X"), "no move is made of it: {}", strict.out);
    let moves = run(&["--mode", "3", "--game", "quoridor", &path], "");
    assert!(
        moves.out.contains("2. Black e8")
            && moves.err.contains(lasting(format!("list.txt:1: {}", said!("i-do-not-know-part", "zz")))),
        "{}",
        moves.err
    );
}

#[test]
#[cfg(unix)]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = file(&folder, "secret.txt", "0 0");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        skip("unreadable files", "this user may read everything");
        return;
    }
    let run = run(&["--mode", "3", &path], "");
    assert_eq!(run.err, format!("{}\n", said!("cannot-read-no-permission", path)));
}

#[test]
fn mode_3_without_a_file_says_so() {
    let run_it = run(&["--mode", "3"], "");
    assert_eq!(run_it.err, lasting(format!("{}\n", said!("mode-needs-a-move-file", "3", "3"))));
    assert_eq!(run_it.code, Some(0));
    let strict = run(&["--mode", "3", "--strict"], "");
    assert_eq!(strict.code, Some(2));
}

#[test]
fn the_example_files_match_their_description() {
    let last = |name: &str| {
        run(&["--mode", "3", &format!("examples/{name}")], "").out.lines().last().unwrap().to_owned()
    };
    assert_eq!(last("moves.txt"), top_row());
    assert_eq!(last("draw.txt"), said!("game-over-the-board", "9"));
    assert_eq!(last("noise.txt"), top_row());
    let refused = run(&["examples/noise.txt"], "");
    assert_eq!(
        (refused.code, &*refused.out),
        (Some(65), ""),
        "nobody asked for the original: {}",
        refused.err
    );
    let early = run(&["examples/early_end.txt"], "");
    assert!(
        early
            .err
            .starts_with(lasting(format!("examples/early_end.txt:3: {}", said!("the-file-ends-after", "2")))),
        "{}",
        early.err
    );
}
