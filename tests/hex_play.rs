//! Hex through the whole program: line mode, the swap, records in every form, insights, the solver's answers.
#![allow(clippy::unwrap_used)] // a test may panic

mod support;

use support::{file, folder, run};

#[test]
fn the_board_is_the_agreed_one_and_the_swap_moves_the_stone() {
    let run = run(
        &["--game", "hex", "--size", "5", "--mode", "2", "--glyphs", "ascii"],
        "b1\nb1\nswap\nswap\nwhere\n",
    );
    let board =
        "    a b c d e\n   ==== X ====\n 1 \\ .(X). . . \\ 1\n  2 \\ . . . . . \\ 2\n   3 O . . . . . O 3\n";
    assert!(run.out.contains(board), "{}", run.out);
    assert!(run.out.contains("Blue swap\n") && run.out.contains("\n  2 \\(O). . . . \\ 2\n"), "{}", run.out);
    let errors: Vec<&str> = run.err.lines().collect();
    assert_eq!(errors[0], "line 2: b1 is taken (Red, move 1). Type swap to take it over.");
    assert!(
        errors[1].starts_with("line 4: swap is possible only as the second move of the game."),
        "{}",
        run.err
    );
    assert!(run.out.contains("  Red: no stones yet.\n  Blue: a2.\n"), "{}", run.out);
    let off = self::run(&["--game", "hex", "--mode", "2", "--no-swap"], "b1\nswap\n");
    assert!(
        off.err.contains("line 2: swap is possible only as the second move of the game.")
            || off.err.contains("--no-swap"),
        "{}",
        off.err
    );
}

#[test]
fn number_pairs_of_the_tournament_are_read_and_a_repeat_is_the_swap() {
    let folder = folder();
    let path = file(&folder, "pairs.txt", "# a transcript\n7 5\n7 5\n0 0\n3 4\n");
    let replay = run(&["--game", "hex", &path, "--mode", "3"], "");
    for said in ["1. Red f8\n", "2. Blue swap\n", "3. Red a1\n", "4. Blue d5\n"] {
        assert!(replay.out.contains(said), "{said}: {}", replay.out);
    }
    let sized = file(&folder, "sized.txt", "size 9\nno-swap\n4 4\n4 4\n");
    let replay = run(&["--game", "hex", &sized, "--mode", "3"], "");
    assert!(replay.out.contains("1. Red e5\n"), "{}", replay.out);
    assert!(replay.err.contains("sized.txt:4: "), "without the rule a repeat is no swap: {}", replay.err);
}

#[test]
fn letter_lists_may_run_together_and_name_their_board() {
    let folder = folder();
    let path = file(&folder, "moves.txt", "size 5 no-swap\n1. c3 d2, a4b1 # a comment\nc2\n");
    let replay = run(&["--game", "hex", &path, "--mode", "3"], "");
    assert!(
        replay.out.contains("3. Red a4\n") && replay.out.contains("4. Blue b1\n"),
        "{}{}",
        replay.out,
        replay.err
    );
    let outside = file(&folder, "outside.txt", "a1 f14\n");
    let replay = run(&["--game", "hex", &outside, "--mode", "3"], "");
    assert!(
        replay.err.contains("outside.txt:1: f14 is off the board; a larger board is named with --size"),
        "{}",
        replay.err
    );
}

#[test]
fn records_keep_the_swap_and_whether_it_is_allowed() {
    let folder = folder();
    let path = folder.path().join("game.txt").to_str().unwrap().to_owned();
    run(&["--game", "hex", "--size", "5", "--mode", "2"], format!("b1\nswap\nc3\nsave {path}\n"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# crosspath hex size=5 swap=on\n1. b1 swap 2. c3\n");
    let loaded = run(&["--mode", "2"], format!("load {path}\nwhere\n"));
    assert!(loaded.out.contains("  Red: c3.\n  Blue: a2.\n"), "{}", loaded.out);
    assert_eq!(run(&[&path, "--no-swap"], "").code, Some(2), "the flag contradicts the record");
}

#[test]
fn classic_shows_its_weights_and_paths_after_every_move() {
    let words = run(&["--game", "hex", "--size", "5", "--mode", "2"], "c3\nweights\npaths\n");
    assert!(
        words.out.contains("INF") || words.out.contains("inf") || words.out.contains('-'),
        "{}",
        words.out
    );
    assert!(words.out.lines().count() > 20 && words.err.is_empty(), "{}{}", words.out, words.err);
    let stats =
        run(&["--game", "hex", "--size", "5", "--level", "classic", "--stats", "--seed", "1"], "b2\n");
    assert!(stats.err.lines().count() > 8, "{}", stats.err);
    let plain = run(&["--game", "hex", "--size", "5", "--level", "1", "--stats", "--seed", "1"], "b2\n");
    assert!(plain.err.lines().count() < 4, "{}", plain.err);
    assert!(
        run(&["--mode", "2"], "weights\n").err.contains("I do not know \"weights\""),
        "a word of Hex alone"
    );
}

#[test]
fn machines_of_every_level_finish_their_games() {
    for level in ["classic", "1", "2", "3", "4"] {
        let run = run(&["--game", "hex", "--size", "5", "--mode", "4", "--level", level, "--seed", "3"], "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "level {level}");
        let last = run.out.lines().last().unwrap();
        assert!(last.starts_with("Game over: ") && last.contains(" joined "), "{last}");
    }
}

#[test]
fn small_boards_are_solved_with_every_winning_opening() {
    let solve = |size: &str| {
        run(&["solve", "--game", "hex", "--size", size, "--no-swap", "--json", "--nodes", "200000"], "").out
    };
    for (size, winning) in [
        ("1", "[\"a1\"]"),
        ("2", "[\"b1\",\"a2\"]"),
        ("3", "[\"c1\",\"a2\",\"b2\",\"c2\",\"a3\"]"),
        ("4", "[\"d1\",\"c2\",\"b3\",\"a4\"]"),
    ] {
        let answer = solve(size);
        assert!(
            answer.starts_with(&format!(
                "{{\"outcome\":\"first\",\"to_move\":\"first\",\"winning\":{winning},"
            )),
            "{answer}"
        );
    }
    assert!(solve("11").starts_with("{\"outcome\":\"unknown\""));
    let perft = |more: &[&str]| {
        let all: Vec<&str> =
            ["perft", "--game", "hex", "--size", "2", "4"].iter().chain(more).copied().collect();
        run(&all, "").out
    };
    assert_eq!(perft(&["--no-swap"]), "1 4\n2 12\n3 24\n4 12\n");
    assert_eq!(perft(&[]), "1 4\n2 16\n3 36\n4 36\n");
}
