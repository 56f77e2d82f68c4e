//! Quoridor in the whole program: records in every notation, line mode, game modes, and the solver.

use crate::sentences::{lasting, said};
use crate::support::{file, folder, run};

const GAME_1_QTP: &str = "E8 E2 E7 E3 D8h D7h F9h E7v D7 B7h E4h A8v C7 E3h G4h A4h C8 F3 G3v E3 D3v F3 D8 E9v H3h C2v C8 \
    B2h B8 B9h C8 G3 D8 G2 D9 F2 C9 E2 E2h F2 B9 G2 A9 G1 A8 F1 A7 E1 A6 D1 A5 D2 A4 D3 B4 D4 C4 B4 A6v A4 A5h B4 C3 C4 D3 \
    C5 D2 D5 D1";

#[test]
fn a_record_in_another_notation_is_converted_to_modern_notation() {
    let folder = folder();
    let path = file(
        &folder,
        "game.txt",
        format!("# crosspath quoridor size=9 walls=10 notation=qtp\n{GAME_1_QTP}\n"),
    );
    let replay = run(&[&path, "--strict"], "");
    assert_eq!((replay.code, replay.err.as_str()), (Some(0), ""));
    assert!(
        replay.out.contains("\n1. White e2\n") && replay.out.contains("\n2. Black e8\n"),
        "{}",
        replay.out
    );
    assert!(
        replay.out.ends_with(lasting(format!(
            "{}\n",
            said!("game-over-first-reached", "White", "9", "69", "White")
        ))),
        "{}",
        replay.out
    );
    let ours = folder.path().join("ours.txt").to_str().unwrap().to_owned();
    run(&["--mode", "2"], format!("load {path}\nsave {ours}\n"));
    let text = std::fs::read_to_string(&ours).unwrap();
    assert!(
        text.starts_with(
            "# crosspath quoridor size=9 walls=10\n# result: first\n1. e2 e8 2. e3 e7 3. d2h d3h "
        ),
        "{text}"
    );
    let bad = file(&folder, "bad.txt", "# crosspath quoridor notation=klingon\ne2\n");
    let why = "bad.txt:1: unknown notation klingon for quoridor; notations are modern, qtp, top-first";
    assert!(run(&[&bad], "").err.contains(why), "{}", run(&[&bad], "").err);
    let twice = file(&folder, "twice.txt", "# crosspath quoridor notation=qtp notation=qtp\nE8\n");
    assert!(run(&[&twice], "").err.contains("twice.txt:1: duplicate setting: notation"));
}

#[test]
fn a_list_of_moves_is_read_if_the_game_is_named() {
    let folder = folder();
    let path = file(&folder, "moves.txt", "1. e2 e8\n2. E3H e7 # a wall\n3. e3 e6, e4\n");
    let replay = run(&["--game", "quoridor", "--mode", "3", &path], "");
    assert!(
        replay.err.contains(lasting(format!("moves.txt:3: {}", said!("is-not-a-step-the", "e4", "e3h")))),
        "{}",
        replay.err
    );
    assert!(replay.out.contains("\n3. White e3h\n"), "{}", replay.out);
}

#[test]
fn every_wall_notation_is_understood_and_refusals_give_a_reason() {
    let input = "e2\nE3 h\nwall e5 v\nh a1\ne7 horizontal\nE7H\ne4\nm3\nz3h\nwhere\n";
    let run = run(&["--game", "quo", "--mode", "2", "--glyphs", "ascii"], input);
    for line in ["White e2\n", "Black e3h\n", "White e5v\n", "Black a1h\n", "White e7h\n"] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    assert!(
        run.err.contains(lasting(format!("line 6: {}", said!("is-not-allowed-there", "e7h")))),
        "{}",
        run.err
    );
    assert!(
        run.err.contains(lasting(format!("line 7: {} ", said!("is-not-a-step-from-steps", "e4", "e9")))),
        "{}",
        run.err
    );
    assert!(
        run.err.contains(lasting(format!("line 8: {}", said!("is-off-the-board-columns-are", "m3")))),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("line 9: z3h does not exist: walls start in columns a-h and rows 1-8."),
        "{}",
        run.err
    );
    assert!(
        run.out.contains(lasting(format!(
            "  {}\n",
            said!("pawn-on-walls-of", "White", "e2", "e5v", "e7h", "8", "10")
        ))),
        "{}",
        run.out
    );
    assert!(run.out.contains(lasting(format!("  {} ", said!("steps-to-goal-white")))), "{}", run.out);
}

#[test]
fn engines_of_every_level_finish_their_games() {
    for level in ["classic", "1", "2", "3", "4"] {
        let run =
            run(&["--game", "quoridor", "--size", "5", "--mode", "4", "--level", level, "--seed", "3"], "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "level {level}");
        assert!(
            run.out.lines().last().unwrap().starts_with(lasting(format!("{} ", said!("game-over")))),
            "{}",
            run.out
        );
    }
}

#[test]
fn unsupported_boards_and_walls_are_refused_with_the_allowed_ranges() {
    for (arguments, why) in [
        (
            &["--size", "8"][..],
            "--size 8 is not possible for quoridor; it must be an odd number from 3 to 25",
        ),
        (&["--size", "27"], said!("an-odd-number-from", "3", "25")),
        (&["--size", "1"], said!("an-odd-number-from", "3", "25")),
        (
            &["--size", "5x3"],
            "--size 5x3 is not possible for quoridor; it must be square, an odd number from 3 to 25",
        ),
        (&["--walls", "100"], "--walls 100 is not possible for quoridor; it must be 0 to 99"),
        (&["--walls", "-1"], "walls \"-1\" is not a whole number"),
        (&["--win-length", "3"], "error: quoridor has no option --win-length; it takes --size, --walls\n"),
    ] {
        let all: Vec<&str> = ["--game", "quoridor"].iter().chain(arguments).copied().collect();
        let run = run(&all, "");
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains(why) && run.err.lines().count() == 1, "{}", run.err);
    }
    assert_eq!(
        run(&["--game", "quoridor", "--size", "25", "--walls", "99", "--mode", "2"], "").code,
        Some(0)
    );
    assert!(
        run(&["--game", "quoridor", "--no-swap"], "")
            .err
            .contains("error: quoridor has no option --no-swap; it takes --size, --walls\n")
    );
    assert!(
        run(&["--walls", "3"], "")
            .err
            .contains("error: tic-tac-toe has no option --walls; it takes --size, --win-length\n")
    );
}

#[test]
fn solve_and_perft_take_boards_of_any_shape() {
    let solve = |size: &str, walls: &str| {
        run(&["solve", "--game", "quoridor", "--size", size, "--walls", walls, "--json"], "").out
    };
    for (size, walls, outcome, winning) in [
        ("3", "1", "second", "[]"),
        ("4x3", "3", "first", "[\"b1h\"]"),
        ("3x4", "2", "first", "[\"b2\"]"),
        ("4", "0", "first", "[\"c2\"]"),
    ] {
        let answer = solve(size, walls);
        assert!(
            answer.starts_with(&format!(
                "{{\"outcome\":\"{outcome}\",\"to_move\":\"first\",\"winning\":{winning},"
            )),
            "{answer}"
        );
    }
    let words = run(&["solve", "--game", "quoridor", "--size", "3", "--walls", "1"], "").out;
    assert!(
        words.starts_with(lasting(format!(
            "{}\n{}",
            said!("quoridor-x-to-move", "White", "Black"),
            said!("proved-by-a-table", "4150")
        ))),
        "{words}"
    );
    assert_eq!(
        run(&["perft", "--game", "quoridor", "--size", "4", "--walls", "3", "3"], "").out,
        "1 21\n2 363\n3 5056\n"
    );
    let large = run(&["solve", "--game", "quoridor", "--json"], "");
    assert!(large.out.starts_with("{\"outcome\":\"unknown\""), "{}", large.out);
}

#[test]
fn a_board_too_large_for_the_solver_is_reported_early() {
    for arguments in [
        &["--size", "6"][..],
        &["--size", "6", "--walls", "4", "--movetime", "100ms"],
        &["--size", "3x9", "--walls", "10"],
    ] {
        let all: Vec<&str> = ["solve", "--game", "quoridor"].iter().chain(arguments).copied().collect();
        let run = run(&all, "");
        assert!(run.out.contains(said!("not-proved")), "{arguments:?}: {}{}", run.out, run.err);
    }
    // If more memory would be enough, the message says how much, and that amount suffices.
    let solve = |more: &[&str]| {
        let all = [&["solve", "--game", "quoridor", "--size", "4", "--walls", "3"], more].concat();
        run(&all, "")
    };
    let few = solve(&["--memory", "9"]).out;
    let allowed = few
        .lines()
        .find_map(|line| line.strip_suffix(lasting(format!(" {}", said!("allows-them")))))
        .expect(&few)
        .to_owned();
    assert!(few.contains("not proved: the tables need ") && allowed.starts_with("--memory "), "{few}");
    let enough = solve(&allowed.split(' ').collect::<Vec<_>>());
    assert!(enough.out.contains(said!("proved-by-a-table", "2741480")), "{}", enough.out);
    assert_eq!(solve(&["--memory", "0"]).code, Some(2));
}

#[test]
fn hints_name_the_best_moves_with_values_and_do_not_affect_play() {
    let output = run(&["--game", "quoridor", "--mode", "2"], "e2\neval\nhint\n");
    let best = output
        .out
        .lines()
        .find_map(|line| line.strip_prefix(lasting(format!("  {} ", said!("best-moves")))))
        .expect(&output.out);
    let moves: Vec<&str> = best.trim_end_matches('.').split(", ").collect();
    assert_eq!(moves.len(), 5, "{best}");
    assert!(moves.iter().all(|text| text.ends_with(" steps") && !text.starts_with("e2 ")), "{best}");
    let machine = |words: &str| {
        let all = ["--game", "quoridor", "--seed", "5", "--nodes", "500"];
        run(&all, format!("e2\n{words}e3\nmoves\n")).out.lines().last().unwrap().to_owned()
    };
    assert_eq!(machine(""), machine("eval\nhint\n"), "the machine plays what it would have played");
    let out = run(&["--game", "quoridor", "--mode", "2", "--json"], "hint\n").out;
    let events: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[1]["result"]["best"].as_array().unwrap().len(), 5, "{out}");
    assert_eq!(events[1]["result"]["best"][0]["move"], events[1]["result"]["move"]);
}
