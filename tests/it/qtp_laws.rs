//! Laws of the Quoridor Text Protocol under random and hostile input.

use crosspath::ai::quoridor::level_specs;
use crosspath::protocol::qtp::QtpOptions;
use crosspath::random::{RandomGenerator, random_stream};
use crosspath::stdin::MAX_LINE_BYTES;
use rand::RngExt;

use crate::dialogue::{Dialogue, commands, fast_options, pick, random_line};

/// Reports whether a line must be answered, which means it is neither blank nor a comment.
fn needs_answer(line: &[u8]) -> bool {
    let kept = line.iter().filter(|&&byte| byte == b'\t' || !byte.is_ascii_control());
    kept.take_while(|&&byte| byte != b'#').any(|&byte| byte != b' ' && byte != b'\t')
}

fn is_quit(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).contains("quit")
}

#[test]
fn each_of_100_000_random_lines_has_one_answer() {
    random_lines(100_000);
}

#[test]
#[ignore = "takes minutes"]
fn each_of_ten_million_random_lines_has_one_answer() {
    random_lines(10_000_000);
}

fn random_lines(count: usize) {
    let mut generator = random_stream(11, 0);
    let mut qtp = Dialogue::new();
    qtp.ok("boardsize 5");
    let (mut good, mut bad) = (0, 0);
    for _ in 0..count {
        let line = random_line(&mut generator, 5);
        if is_quit(&line) {
            continue;
        }
        let answer = qtp.ask(&line);
        assert_eq!(!answer.is_empty(), needs_answer(&line), "{:?}: {answer}", String::from_utf8_lossy(&line));
        good += usize::from(answer.starts_with('='));
        bad += usize::from(answer.starts_with('?'));
    }
    // The generator must produce both kinds of answers.
    assert!(good > count / 5 && bad > count / 5, "{good} good, {bad} bad");
}

#[test]
fn a_failed_command_changes_nothing() {
    let mut generator = random_stream(12, 0);
    let mut qtp = Dialogue::new();
    qtp.ok("boardsize 5");
    let mut failures = 0;
    let mut before = qtp.state();
    for _ in 0..6_000 {
        let line = random_line(&mut generator, 5);
        if is_quit(&line) {
            continue;
        }
        let answer = qtp.ask(&line);
        let after = qtp.state();
        if !answer.starts_with('=') {
            assert_eq!(after, before, "{:?}", String::from_utf8_lossy(&line));
            failures += 1;
        }
        before = after;
    }
    assert!(failures > 1_000);
}

#[test]
fn failed_commands_do_not_affect_later_answers() {
    for seed in 0..20 {
        let mut generator = random_stream(13, seed);
        let (mut whole, mut clean) = (Dialogue::new(), Dialogue::new());
        for qtp in [&mut whole, &mut clean] {
            qtp.ok("boardsize 5");
        }
        for _ in 0..400 {
            let line = random_line(&mut generator, 5);
            // Times differ from run to run.
            if is_quit(&line) || line.starts_with(b"stats") {
                continue;
            }
            let answer = whole.ask(&line);
            if answer.starts_with('=') {
                assert_eq!(clean.ask(&line), answer, "{:?}", String::from_utf8_lossy(&line));
            }
        }
        for line in ["redo", "genmove black", "genmove black", "genmove white", "history", "showboard"] {
            assert_eq!(whole.ask(line), clean.ask(line));
        }
    }
}

/// Plays legal moves of either colour, sometimes two in a row; returns the sent lines.
fn random_game(qtp: &mut Dialogue, generator: &mut RandomGenerator, plies: usize) -> Vec<String> {
    let mut output = Vec::new();
    for _ in 0..plies {
        let color = pick(generator, &["black", "white"]);
        let legal = qtp.ok(&format!("legal {color}"));
        let legal: Vec<&str> = legal.lines().collect();
        if legal.is_empty() {
            break;
        }
        let mv = legal[generator.random_range(0..legal.len())];
        let kind = if mv.contains(' ') { "wall" } else { "move" };
        let line = format!("play{kind} {color} {mv}");
        qtp.ok(&line);
        output.push(line);
    }
    output
}

#[test]
fn undo_equals_replaying_the_shorter_game() {
    for seed in 0..60 {
        let mut generator = random_stream(seed, 0);
        let (size, back) = (generator.random_range(1..5), generator.random_range(0..40_usize));
        let start = format!("boardsize {}", 2 * size + 1);
        let mut qtp = Dialogue::after(&start);
        let sent = random_game(&mut qtp, &mut generator, 40);
        let back = back.min(sent.len());
        let end = (qtp.state(), qtp.0.position().clone());
        qtp.ok(&format!("undo {back}"));
        let mut other = Dialogue::after(&start);
        for line in &sent[..sent.len() - back] {
            other.ok(line);
        }
        assert_eq!(qtp.state(), other.state());
        assert_eq!(format!("{:?}", qtp.0.position()), format!("{:?}", other.0.position()));
        if back > 0 {
            qtp.ok(&format!("redo {back}"));
        }
        assert_eq!((qtp.state(), qtp.0.position().clone()), end, "seed {seed}");
    }
}

#[test]
fn garbage_has_one_answer_and_changes_nothing() {
    let mut generator = random_stream(42, 0);
    for _ in 0..60 {
        let length = generator.random_range(0..80);
        let bytes = (0..length).map(|_| generator.random_range(0..=255_u8));
        let line: Vec<u8> = bytes.filter(|&byte| byte != b'\n').collect();
        let mut qtp = Dialogue::after("boardsize 3;playmove black b2");
        let before = qtp.state();
        let answer = qtp.ask(&line);
        assert_eq!(!answer.is_empty(), needs_answer(&line));
        assert_eq!(qtp.state(), before);
    }
}

#[test]
fn a_generated_move_is_legal_and_wins_if_possible() {
    let mut generator = random_stream(14, 0);
    let mut wins = 0;
    for level_spec in level_specs() {
        for round in 0..60 {
            let options = QtpOptions { level: Some(level_spec.level), ..fast_options(round) };
            let mut qtp = Dialogue::with(&options);
            qtp.ok(&format!("boardsize {}", pick(&mut generator, &["3", "5", "7"])));
            for _ in 0..6 {
                random_game(&mut qtp, &mut generator, 5);
                let color = pick(&mut generator, &["black", "white"]);
                let legal = qtp.ok(&format!("legal {color}"));
                if legal.is_empty() {
                    assert_eq!(qtp.fails(format!("genmove {color}")), "game over");
                    break;
                }
                let goal =
                    if color == "black" { "1".to_owned() } else { qtp.0.position().height().to_string() };
                let can_win = legal.lines().any(|mv| !mv.contains(' ') && mv[1..] == goal);
                let answer = qtp.ok(&format!("genmove {color}"));
                assert!(legal.lines().any(|mv| mv == answer), "{answer} for {color} in {}", qtp.position());
                let says_so = format!("true {color}");
                assert_eq!(
                    qtp.ok("winner") == says_so,
                    can_win,
                    "level {}, {}",
                    level_spec.level,
                    qtp.position()
                );
                wins += usize::from(can_win);
            }
        }
    }
    assert!(wins > 20, "{wins}");
}

#[test]
fn the_same_seed_and_node_limit_give_the_same_games() {
    let game = |seed| {
        let mut qtp = Dialogue::with(&fast_options(seed));
        qtp.ok("boardsize 5");
        (0..20).map(|i| qtp.ask(["genmove black", "genmove white"][i % 2])).collect::<Vec<_>>()
    };
    assert_eq!(game(3), game(3));
    assert!((4..12).any(|seed| game(seed) != game(3)));
}

/// Returns the bad arguments that are tried with every command.
fn bad_arguments() -> Vec<Vec<u8>> {
    let texts = [
        "",
        "x",
        "black",
        "black e8",
        "black e8 h",
        "black e8 h h",
        "e8",
        "h",
        "-1",
        "0",
        "1",
        "9",
        "27",
        "2147483647",
        "2147483648",
        "99999999999999999999",
        "black z9",
        "black e99",
        "black e8 x",
        "white e2 v v v",
        "1 2 3",
        "\t\tblack\te8",
        "\r",
        "# x",
        "#black",
        "true",
        "\u{1}b\u{2}lack e8",
        "é",
        "／",
        "black é8",
    ];
    let mut all: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    all.push(b"\0".to_vec());
    all.push(b"\xff\xfe\x80".to_vec());
    all.push(vec![b'a'; 4_000]);
    all.push(vec![b'a'; MAX_LINE_BYTES]);
    all.push(vec![0xff; MAX_LINE_BYTES + 9]);
    all
}

#[test]
fn every_command_survives_bad_arguments_in_three_states() {
    let over = "position - / - / c5 a3 / 1 1 / 2 / 5";
    for start in
        ["boardsize 5", "boardsize 5;walls 2;playmove black c4;playwall white b3 h;playmove white c2", over]
    {
        for name in commands().iter().filter(|name| *name != "quit" && *name != "perft") {
            for argument in bad_arguments() {
                let mut qtp = Dialogue::new();
                qtp.all(start);
                let before = qtp.state();
                let line = [name.as_bytes(), b" ", &argument].concat();
                let answer = qtp.ask(&line);
                assert!(!answer.is_empty() && answer.len() < 40_000, "{name}");
                if answer.starts_with('?') {
                    assert_eq!(qtp.state(), before, "{name}");
                }
                assert_ne!(qtp.ask("name"), "", "{name}");
            }
        }
    }
}
