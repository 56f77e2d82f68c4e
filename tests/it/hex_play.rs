//! Hex through the whole program: line mode, the swap, records in every format, evaluation details,
//! and `solve`.

use crate::sentences::{lasting, said};
use crate::support::{file, folder, run, without_players};

#[test]
fn line_mode_draws_the_board_and_a_swap_moves_the_stone() {
    let run = run(
        &["--game", "hex", "--size", "5", "--mode", "2", "--glyphs", "ascii"],
        "b1\nb1\nswap\nswap\nwhere\n",
    );
    let board =
        "    a b c d e\n   ==== X ====\n 1 \\ .(X). . . \\ 1\n  2 \\ . . . . . \\ 2\n   3 O . . . . . O 3\n";
    assert!(run.out.contains(board), "{}", run.out);
    assert!(run.out.contains("Blue swap\n") && run.out.contains("\n  2 \\(O). . . . \\ 2\n"), "{}", run.out);
    let errors: Vec<&str> = run.err.lines().collect();
    assert_eq!(errors[0], lasting(format!("line 2: {}", said!("is-taken-move-type", "b1", "Red", "1"))));
    assert!(
        errors[1].starts_with(lasting(format!("line 4: {}", said!("swap-is-possible-only")))),
        "{}",
        run.err
    );
    assert!(
        run.out.contains(lasting(format!("  {}\n  Blue: a2.\n", said!("no-stones-yet", "Red")))),
        "{}",
        run.out
    );
    let off = self::run(&["--game", "hex", "--mode", "2", "--no-swap"], "b1\nswap\n");
    assert_eq!(off.err, lasting(format!("line 2: {}\n", said!("swap-is-not-possible"))));
    assert!(
        run.out.contains(lasting(format!(
            "  {}\n",
            said!("took-over-s-stone", "Blue", "Red", "b1", "Blue", "a2")
        )))
    );
}

#[test]
fn number_pairs_are_read_as_moves_and_a_repeated_pair_is_a_swap() {
    let folder = folder();
    let path = file(&folder, "pairs.txt", "# a transcript\n7 5\n7 5\n0 0\n3 4\n");
    let replay = run(&["--game", "hex", &path, "--mode", "3"], "");
    for line in ["1. Red f8\n", "2. Blue swap\n", "3. Red a1\n", "4. Blue d5\n"] {
        assert!(replay.out.contains(line), "{line}: {}", replay.out);
    }
    let sized = file(&folder, "sized.txt", "size 9\nno-swap\n4 4\n4 4\n");
    let replay = run(&["--game", "hex", &sized, "--mode", "3"], "");
    assert!(replay.out.contains("1. Red e5\n"), "{}", replay.out);
    assert!(replay.err.contains("sized.txt:4: "), "without the rule a repeat is no swap: {}", replay.err);
}

#[test]
fn move_lists_may_run_together_and_give_the_board_size() {
    let folder = folder();
    let path = file(&folder, "moves.txt", "size 5 no-swap\n1. c3 d2, a4b1 # a comment\nc2\n");
    let replay = run(&["--game", "hex", &path, "--mode", "3"], "");
    assert!(
        replay.out.contains("3. Red a4\n") && replay.out.contains("4. Blue b1\n"),
        "{}{}",
        replay.out,
        replay.err
    );
    let sized = file(&folder, "sized.txt", "size 14 f14\n");
    let replay = run(&["--game", "hex", "--size", "11", &sized, "--mode", "3"], "");
    assert!(replay.out.contains("1. Red f14\n"), "the line of the file says the size: {}", replay.err);
    for size in ["size x a1\n", "size\n", "size 27 a1\n"] {
        let wrong = file(&folder, "wrong.txt", size);
        let replay = run(&["--game", "hex", &wrong, "--mode", "3", "--strict"], "");
        assert!(replay.code == Some(65) && replay.err.contains("wrong.txt:1: size "), "{}", replay.err);
    }
    let outside = file(&folder, "outside.txt", "a1 f14\n");
    let fitted = run(&["--game", "hex", &outside, "--mode", "3"], "");
    assert!(fitted.out.contains("2. Blue f14\n"), "the board is as large as the list: {}", fitted.err);
    let replay = run(&["--game", "hex", "--size", "11", &outside, "--mode", "3"], "");
    assert!(
        replay.err.contains("outside.txt:1: f14 is off the board; use --size N for a larger board"),
        "{}",
        replay.err
    );
}

#[test]
fn records_store_the_swap_and_the_swap_rule() {
    let folder = folder();
    let path = folder.path().join("game.txt").to_str().unwrap().to_owned();
    run(&["--game", "hex", "--size", "5", "--mode", "2"], format!("b1\nswap\nc3\nsave {path}\n"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(without_players(&text), "# crosspath hex size=5 swap=on\n1. b1 swap 2. c3\n");
    let loaded = run(&["--mode", "2"], format!("load {path}\nwhere\n"));
    assert!(loaded.out.contains("  Red: c3.\n  Blue: a2.\n"), "{}", loaded.out);
    assert_eq!(run(&[&path, "--no-swap"], "").code, Some(2), "the flag contradicts the record");
}

#[test]
fn the_classic_level_shows_its_weights_and_paths() {
    let words = run(&["--game", "hex", "--size", "5", "--mode", "2"], "c3\nweights\npaths\n");
    // c3 costs Red nothing, and Blue cannot use it. Its neighbours are cheaper for Red and dearer
    // for Blue.
    assert!(words.out.contains("     3    4/4 2/6 0/- 2/6 4/4\n"), "{}", words.out);
    assert!(words.out.contains("  Red, cost 14: c1 c2 c3 b4 c4 b5\n  Blue, cost 20: a1 b1 c1 d1 e1\n  Level classic does not follow them yet: it swaps.\n"), "{}", words.out);
    assert!(words.err.is_empty(), "{}", words.err);
    let stats =
        run(&["--game", "hex", "--size", "5", "--level", "classic", "--stats", "--seed", "1"], "b2\n");
    for part in [
        "seed 1\n",
        "\nRed, cost ",
        "\nBlue, cost ",
        "\n   3    ",
        lasting(format!("\n{}", said!("classic-does-not-follow-part"))),
        "\nnodes ",
    ] {
        assert!(stats.err.contains(part), "{part}: {}", stats.err);
    }
    let plain = run(&["--game", "hex", "--size", "5", "--level", "1", "--stats", "--seed", "1"], "b2\n");
    assert!(plain.err.lines().count() < 4, "{}", plain.err);
    assert!(
        run(&["--mode", "2"], "weights\n").err.contains(said!("i-do-not-know-part", "weights")),
        "a word of Hex alone"
    );
}

#[test]
fn engines_of_every_level_finish_their_games() {
    for level in ["classic", "1", "2", "3", "4"] {
        let run = run(&["--game", "hex", "--size", "5", "--mode", "4", "--level", level, "--seed", "3"], "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "level {level}");
        let last = run.out.lines().last().unwrap();
        assert!(
            last.starts_with(lasting(format!("{} ", said!("game-over")))) && last.contains(" connected "),
            "{last}"
        );
    }
}

#[test]
fn solve_lists_every_winning_opening_of_small_boards() {
    let solve = |size: &str| {
        // A node limit ends the search on a large board. Small boards need no limit.
        let limit: &[&str] = if size == "11" { &["--nodes", "200"] } else { &[] };
        let base = ["solve", "--game", "hex", "--size", size, "--no-swap", "--json"];
        let all: Vec<&str> = base.iter().chain(limit).copied().collect();
        run(&all, "").out
    };
    for (size, winning) in [
        ("1", "[\"a1\"]"),
        ("2", "[\"b1\",\"a2\"]"),
        ("3", "[\"c1\",\"a2\",\"b2\",\"c2\",\"a3\"]"),
        ("4", "[\"d1\",\"c2\",\"b3\",\"a4\"]"),
        ("5", "[\"e1\",\"b2\",\"c2\",\"d2\",\"e2\",\"b3\",\"c3\",\"d3\",\"a4\",\"b4\",\"c4\",\"d4\",\"a5\"]"),
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

#[test]
fn best_moves_are_sorted_by_value_and_the_hint_is_the_first() {
    let replayed = "i2\ne7\nf7\nf6\ng6\ne9\nh4\nh5\ng5\ng8\n";
    for plies in [2, 3, 5, 6, 9, 10] {
        let moves: String = replayed.split_inclusive('\n').take(plies).collect();
        let session = run(&["--game", "hex", "--mode", "2", "--no-swap"], format!("{moves}eval\nhint\n"));
        let best = session
            .out
            .lines()
            .find_map(|line| line.strip_prefix(lasting(format!("  {} ", said!("best-moves")))))
            .expect(&session.out);
        let values: Vec<(&str, f64)> = best
            .trim_end_matches('.')
            .split(", ")
            .map(|text| text.split_once(' ').unwrap())
            .map(|(mv, value)| (mv, value.split(' ').next().unwrap().parse().unwrap()))
            .collect();
        assert!(values.is_sorted_by(|a, b| a.1 >= b.1), "after {plies} moves: {best}");
        assert!(
            session.out.contains(&format!("Hint: {} (", values[0].0)),
            "after {plies} moves: {}",
            session.out
        );
    }
}

#[test]
fn a_hint_does_not_repeat_itself() {
    let session = run(&["--mode", "2"], "a1\nb2\nhint\na2\nhint\n");
    for line in session.out.lines().filter(|line| line.contains("Hint:")) {
        assert!(line.matches("win").count() + line.matches("draw").count() <= 1, "{line}");
    }
    assert!(session.out.contains("Hint: a3"), "{}", session.out);
}

#[test]
fn an_engine_announces_a_proved_win_and_its_winning_connection_once() {
    let args = ["--game", "hex", "--size", "7", "--level", "6", "--no-swap", "--seed", "3", "--plain"];
    let output = run(&args, "a1\nb1\nc1\nd1\ne1\na2\na3\nb2\n").out;
    let lines_with = |words: &str| output.lines().filter(|line| line.contains(words)).collect::<Vec<&str>>();
    let [proved] = lines_with("Blue is proved to win in at most ")[..] else { panic!("{output}") };
    let (_, within) = proved.split_once(lasting(format!("{} ", said!("at-most")))).unwrap();
    let within: usize = within.split(' ').next().unwrap().parse().unwrap();
    let [linked] = lines_with("Blue is certain to connect left to right (")[..] else { panic!("{output}") };
    assert!(output.find(proved) < output.find(linked), "{output}");
    let (_, line) = linked.split_once(lasting(format!("{} ", said!("one-way")))).unwrap();
    let line: Vec<&str> = line.trim_end_matches('.').split(' ').collect();
    assert!((2..=6).contains(&line.len()), "{linked}");
    // Blue wins within the announced number of moves, whatever Red plays.
    let [won] = lines_with(lasting(format!("{} ", said!("won-on-move", "Blue"))))[..] else {
        panic!("{output}")
    };
    let moves_of_blue = won.rsplit(' ').next().unwrap().parse::<usize>().unwrap() / 2;
    assert!(moves_of_blue <= 1 + within, "{won}");
    // Nothing is announced about an unproved position, nor in a match between engines.
    let even = run(&args, "d4\n").out;
    assert!(!even.contains("proved") && !even.contains(said!("for-certain")), "{even}");
    let watched =
        run(&["--game", "hex", "--size", "5", "--mode", "4", "--level", "6", "--seed", "3"], "").out;
    assert!(!watched.contains(said!("for-certain")), "{watched}");
}
