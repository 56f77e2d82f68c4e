//! The Hex tournament protocol: dialogues, errors of careless programs, and whole games between two
//! built-in engines.

use std::io::BufReader;

use crosspath::ai::{EngineKind, EngineResources, Limits, TuningOverrides};
use crosspath::board::names::{cell_name, parse_cell_name};
use crosspath::game::{Outcome, Side};
use crosspath::protocol::ep5::{self, Ep5Options};
use crosspath::random::random_stream;
use crosspath::registry::{Variant, find_game};
use rand::RngExt;

use crate::support::{Run, run};

fn session_options(own: Side, size: usize) -> Ep5Options {
    let (level, limits) = (Some(EngineKind::Classic), Limits::default());
    Ep5Options {
        own,
        draws_board: false,
        size,
        may_swap: true,
        level,
        limits,
        seed: 1,
        resources: EngineResources::DEFAULT,
        weights: None,
        tuning: TuningOverrides::EMPTY,
    }
}

/// Runs a session on an input and returns its standard output and standard error.
fn run_session(options: &Ep5Options, input: &str) -> (String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut game = ep5::Ep5Session::new(options).unwrap();
    game.serve(BufReader::new(input.as_bytes()), &mut out, &mut err).unwrap();
    (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn parse_moves(out: &str) -> Vec<(usize, usize)> {
    let pair = |line: &str| line.split_once(' ').and_then(|(r, c)| Some((r.parse().ok()?, c.parse().ok()?)));
    out.lines().map(|line| pair(line).unwrap_or_else(|| panic!("{line:?} is no move"))).collect()
}

#[test]
fn the_starter_opens_like_the_original_and_answers_each_move() {
    let (out, err) = run_session(&session_options(Side::First, 14), "3 4\n0 0\n");
    assert_eq!(parse_moves(&out)[0], (7, 5));
    assert_eq!((parse_moves(&out).len(), err.as_str()), (3, ""), "one move each, then the end of the input");
}

#[test]
fn the_second_player_answers_and_swaps_a_diagonal_stone() {
    let (out, _) = run_session(&session_options(Side::Second, 14), "0 3\n");
    assert_ne!(parse_moves(&out), [(0, 3)]);
    let (out, _) = run_session(&session_options(Side::Second, 14), "6 6\n0 0\n");
    assert_eq!(parse_moves(&out)[0], (6, 6), "the repeat is the swap");
    assert_eq!(parse_moves(&out).len(), 2, "the other program moves next, then we do");
    let (out, _) = run_session(&Ep5Options { may_swap: false, ..session_options(Side::Second, 14) }, "6 6\n");
    assert_ne!(parse_moves(&out), [(6, 6)]);
}

#[test]
fn after_an_opponents_swap_the_starter_plays_the_other_colour() {
    let drawing = Ep5Options { draws_board: true, ..session_options(Side::First, 5) };
    let (out, err) = run_session(&drawing, "4 4\n");
    let first = parse_moves(&out)[0];
    let (out, err_swapped) = run_session(&drawing, &format!("{} {}\n", first.0, first.1));
    assert_eq!(parse_moves(&out).len(), 2, "after the swap it is our turn again");
    assert_eq!(err.matches('b').count(), 1 + 1 + 2, "our two stones are b: {err}");
    let last = err_swapped.lines().rev().take(5).collect::<Vec<_>>().concat();
    assert_eq!(
        (last.matches('b').count(), last.matches('p').count()),
        (1, 1),
        "the first stone is theirs now: {err_swapped}"
    );
}

#[test]
fn defect_3_an_illegal_first_reply_keeps_the_right_to_swap() {
    let (out, err) = run_session(&session_options(Side::First, 14), "20 20\n7 5\n");
    assert_eq!(parse_moves(&out).len(), 2);
    assert_eq!(err, "that is off the board: rows and columns are 0 to 13; waiting for another move\n");
    let (out, err) =
        run_session(&session_options(Side::Second, 14), "-1 3\n0 3\n0 3\n99999999999999999999 1\n1 1\n");
    assert_eq!(parse_moves(&out).len(), 2, "{err}");
    assert_eq!(err.lines().count(), 3, "{err}");
}

#[test]
fn moves_span_lines_and_other_lines_are_ignored() {
    let (out, err) =
        run_session(&session_options(Side::Second, 14), "0\r\n\n  3  1\nJogada invalida\n7 branco\n 2\n");
    assert_eq!(parse_moves(&out).len(), 2, "0 3, then 1 2: {err}");
    assert_eq!(
        err,
        "ignored \"Jogada invalida\": a move is two numbers, such as 1 2\nignored \"7 branco\": a move is two numbers, such as 1 2\n"
    );
    let long = format!("{}\n0 3\n", "7".repeat(200_000));
    assert_eq!(parse_moves(&run_session(&session_options(Side::Second, 14), &long).0).len(), 1);
    let (out, _) = run_session(&session_options(Side::Second, 14), "\u{0}\u{ff}\n0 3\n");
    assert_eq!(parse_moves(&out).len(), 1);
}

#[test]
fn defect_8_the_end_of_input_prints_nothing() {
    for input in ["", "7", "7 ", "\n\n"] {
        assert_eq!(
            run_session(&session_options(Side::Second, 14), input),
            (String::new(), String::new()),
            "{input:?}"
        );
    }
}

#[test]
fn the_board_is_drawn_shifted_before_and_after_every_move() {
    let drawing = Ep5Options { draws_board: true, ..session_options(Side::Second, 3) };
    let (out, err) = run_session(&drawing, "0 2\n");
    let (row, col) = parse_moves(&out)[0];
    let boards: Vec<&str> = err.lines().collect();
    assert_eq!(boards[..3], ["- - -", " - - -", "  - - -"]);
    assert_eq!(boards[3..6], ["- - b", " - - -", "  - - -"]);
    let second = boards[6 + row].trim_start().split(' ').nth(col);
    assert_eq!((boards.len(), second), (9, Some("p")), "{err}");
}

/// Plays a game of the engine against a random program that has its own board. Returns the number of
/// moves.
fn play_against_random(us: Side, size: usize, seed: u64) -> usize {
    let mut generator = random_stream(seed, 9);
    let variant = Variant::of_size(size).with_setting("swap", "off");
    // The referee sees the moves of the protocol, where b is First.
    let mut replies: Vec<(usize, usize)> = Vec::new();
    loop {
        let input = replies.iter().fold(String::new(), |text, (r, c)| text + &format!("{r} {c}\n"));
        let no_swap = Ep5Options { may_swap: false, seed, ..session_options(us, size) };
        let (out, err) = run_session(&no_swap, &input);
        let own = parse_moves(&out);
        let mut session = find_game("hex").unwrap().new_history(&variant).unwrap();
        let (mut ours, mut theirs) = (own.iter(), replies.iter());
        let mut is_our_turn = us == Side::First;
        while session.outcome().is_none() {
            let Some(&(r, c)) = (if is_our_turn { ours.next() } else { theirs.next() }) else { break };
            session.play(&cell_name(c, r)).unwrap_or_else(|why| panic!("{why}: {out}"));
            is_our_turn = !is_our_turn;
        }
        if let Some(Outcome::Win(side)) = session.outcome() {
            let letter = if side.index() == 0 { 'b' } else { 'p' };
            assert_eq!(err, format!("{letter} ganhou\n"));
            return session.plies();
        }
        assert!(!is_our_turn, "never silence on our turn: {out}");
        let legal = session.legal_moves();
        let (c, r) = parse_cell_name(&legal[generator.random_range(0..legal.len())]).unwrap();
        replies.push((r, c));
    }
}

#[test]
fn defect_4_300_games_against_a_random_program_stay_in_sync() {
    for seed in 0..150 {
        for side in [Side::First, Side::Second] {
            assert!(play_against_random(side, 3 + (seed % 3) as usize, seed) > 1);
        }
    }
    assert!(play_against_random(Side::First, 11, 1) > 10);
}

/// Runs the program as an engine with this protocol.
fn run_engine(arguments: &[&str], input: &str) -> Run {
    let all: Vec<&str> = ["engine", "--protocol", "ep5"].iter().chain(arguments).copied().collect();
    run(&all, input)
}

#[test]
fn the_command_takes_a_colour_and_optional_d() {
    let played = run_engine(&["b", "--level", "classic"], "3 4\n");
    assert_eq!((played.code, played.out.lines().next(), played.err.as_str()), (Some(0), Some("7 5"), ""));
    assert_eq!(run_engine(&["p", "d", "--size", "3", "--level", "classic"], "0 2\n").err.lines().count(), 9);
    for wrong in [&[][..], &["x"], &["b", "x"], &["b", "d", "d"], &["d"]] {
        let run = run_engine(wrong, "");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(run.err.contains("--protocol ep5 b|p [d]"), "{}", run.err);
        let is_repeated = run.err.contains(&format!("\"{}\" is not a valid argument", wrong.join(" ")));
        assert!(is_repeated || wrong.is_empty(), "{}", run.err);
    }
    assert_eq!(run_engine(&["b", "--size", "27"], "").code, Some(2));
}

#[test]
#[cfg(unix)]
fn the_example_script_shows_who_wins_between_two_programs() {
    let program = env!("CARGO_BIN_EXE_crosspath");
    let ours = |size: &str| format!("{program} engine --protocol ep5 --size {size} --level classic --seed 3");
    for size in ["3", "14"] {
        let output = std::process::Command::new("bash")
            .args(["examples/ep5-match.sh", &ours(size), &ours(size)])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(
            text.contains("b ganhou: the starter wins\n") || text.contains("p ganhou: the second wins\n"),
            "{text}"
        );
    }
    // On 3x3, level 3 swaps the stone in the middle of the left column and wins as b, the second player.
    let second = format!("{program} engine --protocol ep5 --size 3 --level 3 --seed 1");
    let swapped = run_match_script(&ours("3"), &second);
    assert_eq!(swapped.0, Some(0), "{}", swapped.1);
    assert!(swapped.1.contains("the second player swapped\nb ganhou: the second wins\n"), "{}", swapped.1);
    let fails = run_match_script(&ours("3"), "no-such-program");
    assert_eq!(fails.0, Some(1));
    assert!(
        fails.1.contains("the game has no winner\n") && fails.1.contains("no-such-program"),
        "{}",
        fails.1
    );
}

/// Returns the exit code of the example script for a match, and its output.
#[cfg(unix)]
fn run_match_script(starter: &str, second: &str) -> (Option<i32>, String) {
    let output = std::process::Command::new("bash")
        .args(["examples/ep5-match.sh", starter, second])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Stream whose reader has closed it.
struct ClosedStream;

impl std::io::Write for ClosedStream {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn a_closed_stderr_does_not_stop_the_game() {
    let mut out = Vec::new();
    let mut game =
        ep5::Ep5Session::new(&Ep5Options { draws_board: true, ..session_options(Side::First, 14) }).unwrap();
    game.serve("junk\n3 4\n99 99\n0 0\n".as_bytes(), &mut out, ClosedStream).unwrap();
    assert_eq!(String::from_utf8(out).unwrap().lines().count(), 3, "an opening and two answers");
}

#[test]
fn the_winner_message_accounts_for_a_swap() {
    // On 1x1 the starter wins before a swap is possible. On 2x2, p swaps b's winning stone.
    let (moves, notes) = run_session(&session_options(Side::First, 1), "");
    assert_eq!((moves.as_str(), notes.as_str()), ("0 0\n", "b ganhou\n"));
    let mut named = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let wire = Ep5Options { seed, level: Some(EngineKind::Level(3)), ..session_options(Side::Second, 2) };
        // Level 3 swaps the winning stone b1. The starter is now p, and b wins with two more stones.
        for reply in ["0 0\n1 0\n1 1\n", "1 0\n0 0\n1 1\n", "1 1\n0 0\n1 0\n"] {
            let (moves, notes) = run_session(&wire, &format!("0 1\n{reply}"));
            assert!(moves.starts_with("0 1\n"), "taken over: {moves}");
            named.extend(notes.lines().filter(|line| line.ends_with("ganhou")).map(str::to_owned));
        }
    }
    assert_eq!(named.into_iter().collect::<Vec<_>>(), ["b ganhou"]);
}

#[test]
#[cfg(unix)]
fn closed_input_ends_a_long_search() {
    use std::io::Write;
    let mut engine = std::process::Command::new(env!("CARGO_BIN_EXE_crosspath"))
        .args(["engine", "--protocol", "ep5", "p", "--movetime", "3600s", "--no-swap"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    engine.stdin.take().unwrap().write_all(b"7 7\n").unwrap();
    assert_eq!(crate::support::wait_for_output(engine).status.code(), Some(0));
}

#[test]
fn a_forbidden_swap_ends_the_game() {
    let game = run_engine(&["b", "--size", "5", "--no-swap", "--level", "classic", "--seed", "1"], "");
    let first = game.out.lines().next().unwrap().to_owned();
    let again = run_engine(
        &["b", "--size", "5", "--no-swap", "--level", "classic", "--seed", "1"],
        &format!("{first}\n0 0\n"),
    );
    assert_eq!((again.code, again.out.lines().count()), (Some(0), 1), "{}", again.out);
    assert!(
        again.err.ends_with("but --no-swap turns the swap rule off; the game ends here\n"),
        "{}",
        again.err
    );
}
