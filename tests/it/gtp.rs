//! GTP: answers and failures of every command, both swap dialects, hostile lines, and whole games under a
//! referee that knows only the protocol.

use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crosspath::ai::hex::solve::solve_position;
use crosspath::ai::{EngineKind, Limits, SearchControl};
use crosspath::game::{Notation, Outcome, Side};
use crosspath::games::hex::{Hex, SwapRule};
use crosspath::protocol::gtp::clock::GtpClock;
use crosspath::protocol::gtp::{GtpOptions, HexGtpSession, TicTacToeGtpSession};
use crosspath::random::random_stream;
use crosspath::stdin::MAX_LINE_BYTES;
use rand::RngExt;

use crate::support::{SOON, crosspath, end_within, run, wait_until};

pub(crate) fn hex_session(size: usize, level: u8) -> HexGtpSession {
    let options = GtpOptions {
        size: Some(size),
        level: Some(EngineKind::Level(level)),
        seed: Some(1),
        limits: Limits { nodes: Some(200), ..Limits::default() },
        ..GtpOptions::default()
    };
    HexGtpSession::new(&options).unwrap()
}

pub(crate) fn send(engine: &mut HexGtpSession, line: &str) -> String {
    let answer = engine.answer(line.as_bytes()).unwrap_or_default();
    answer.strip_suffix("\n\n").unwrap_or(&answer).to_owned()
}

/// Sends lines and compares the answers.
pub(crate) fn check_dialogue(engine: &mut HexGtpSession, lines: &[(&str, &str)]) {
    for (line, wanted) in lines {
        assert_eq!(send(engine, line), *wanted, "{line}");
    }
}

/// Dialogue that covers every command: each line with its answer.
const DIALOGUE: &[(&str, &str)] = &[
    ("name", "= crosspath"),
    ("7 name", "=7 crosspath"),
    ("version", concat!("= ", env!("CARGO_PKG_VERSION"))),
    ("protocol_version", "= 2"),
    ("known_command genmove", "= true"),
    ("12 known_command foo", "=12 false"),
    ("known_command", "? command needs 1 argument"),
    ("known_command a b", "? command needs 1 argument"),
    ("name me", "? command needs 0 arguments"),
    ("boardsize 3", "="),
    ("9 boardsize 3 3", "=9"),
    ("boardsize 3 4", "? unacceptable size"),
    ("boardsize 27", "? unacceptable size"),
    ("boardsize 0", "? unacceptable size"),
    ("boardsize 99999999999", "? unacceptable size"),
    ("boardsize three", "? syntax error"),
    ("boardsize -3", "? syntax error"),
    ("boardsize", "? command needs 1 argument"),
    ("undo", "? cannot undo"),
    ("final_score", "= cannot score"),
    ("all_legal_moves", "= a1 b1 c1 a2 b2 c2 a3 b3 c3 resign"),
    ("play black b1", "="),
    ("play W C2", "="),
    ("showboard", "=\n  a b c\n 1 . B . 1\n  2 . . W 2\n   3 . . . 3\n      a b c"),
    ("play black b1", "? illegal move: black b1 (occupied)"),
    ("play b d1", "? illegal move: black d1 (off board)"),
    ("play b a27", "? illegal move: black a27 (off board)"),
    ("play white swap-pieces", "? illegal move: white swap-pieces (swap not allowed)"),
    ("play red a1", "? syntax error"),
    ("play black 11", "? syntax error"),
    ("play black", "? command needs 2 arguments"),
    ("play black a1 a2", "? command needs 2 arguments"),
    ("all_legal_moves white", "= a1 c1 a2 b2 a3 b3 c3 resign"),
    ("play b b2", "="),
    ("play b b3", "="),
    ("final_score", "= B+"),
    ("crosspath-winning-path", "= b1 b2 b3"),
    ("all_legal_moves", "="),
    ("play w a1", "? illegal move: white a1 (game over)"),
    ("play w swap-pieces", "? illegal move: white swap-pieces (game over)"),
    ("genmove w", "= resign"),
    ("reg_genmove b", "= resign"),
    ("dfpn-solve-state", "= black"),
    ("dfpn-solver-find-winning w", "="),
    ("undo", "="),
    ("undo", "="),
    ("all_legal_moves", "= a1 c1 a2 b2 a3 b3 c3 resign"),
    ("play white resign", "="),
    ("final_score", "= B+"),
    ("play black a1", "? illegal move: black a1 (game over)"),
    ("play white resign", "="),
    ("play black resign", "="),
    ("final_score", "= B+"),
    ("undo", "="),
    ("final_score", "= cannot score"),
    ("time_settings 0 0 0", "="),
    ("time_settings 60 10 5", "="),
    ("time_settings 60 10", "? command needs 3 arguments"),
    ("time_settings -1 0 0", "? syntax error"),
    ("time_left b 30 0", "="),
    ("time_left x 30 0", "? syntax error"),
    ("time_left b 1.5 0", "? syntax error"),
    ("param_game", "= allow_swap 0\nswap_dialect mirror\ngame_time 60"),
    ("param_game allow_swap 1", "="),
    ("param_game allow_swap yes", "? syntax error"),
    ("param_game swap_dialect other", "? swap_dialect must be mirror or benzene"),
    ("param_game komi 5", "? unknown parameter: komi"),
    ("param_game allow_swap", "? command needs 0 or 2 arguments"),
    ("param_game game_time 300", "="),
    ("param_game", "= allow_swap 1\nswap_dialect mirror\ngame_time 300"),
    ("param_engine", "= level 4\nnodes 200\nmovetime_ms 0\nthreads 1\nseed 1\nresign 0\nstrict 0"),
    ("param_engine level 2", "="),
    ("param_engine level classic", "="),
    ("param_engine level 9", "? unknown level"),
    ("param_engine nodes 0", "="),
    ("param_engine movetime_ms 50", "="),
    ("param_engine threads 0", "? threads must be a number from 1 to 256"),
    ("param_engine seed 18446744073709551615", "="),
    ("param_engine seed +5", "? syntax error"),
    ("param_engine level +3", "? unknown level"),
    ("param_engine resign 1", "="),
    (
        "param_engine",
        "= level classic\nnodes 0\nmovetime_ms 50\nthreads 1\nseed 18446744073709551615\nresign 1\nstrict 0",
    ),
    ("param_engine speed 1", "? unknown parameter: speed"),
    ("clear_board", "="),
    ("all_legal_moves", "= a1 b1 c1 a2 b2 c2 a3 b3 c3 resign"),
    ("param_game", "= allow_swap 1\nswap_dialect mirror\ngame_time 300"),
    ("foo", "? unknown command: foo"),
    ("8 foo", "?8 unknown command: foo"),
    ("8", "?8 syntax error"),
    ("# a comment", ""),
    ("", ""),
    ("3 quit # now", "=3"),
];

#[test]
fn every_command_gives_the_documented_answer() {
    check_dialogue(&mut hex_session(3, 4), DIALOGUE);
}

#[test]
fn recorded_client_sessions_are_answered() {
    let case = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(name);
        run(&["engine", "--protocol", "gtp", "--level", "2"], std::fs::read(path).unwrap())
    };
    let clients = case("gtp-other-clients.gtp");
    let answers: Vec<&str> = clients.out.split_terminator("\n\n").collect();
    assert!(answers.len() == 8 && answers.iter().all(|answer| answer.starts_with('=')), "{answers:?}");
    assert_eq!((answers[3], answers[6]), ("= black unlimited\nwhite unlimited", "= cannot score"));
    let resigned = case("gtp-resign-after-end.gtp");
    let answers: Vec<&str> = resigned.out.split_terminator("\n\n").collect();
    assert_eq!(answers[4..7], ["= resign", "=", "= B+"], "{answers:?}");
}

#[test]
fn listed_commands_are_sorted_and_analyses_exist() {
    let mut engine = hex_session(5, 1);
    let listed = send(&mut engine, "list_commands");
    let names: Vec<&str> = listed.strip_prefix("= ").unwrap().lines().collect();
    assert!(names.is_sorted(), "{names:?}");
    for name in &names {
        assert_eq!(send(&mut engine, &format!("known_command {name}")), "= true");
    }
    let analyses = send(&mut engine, "hexgui-analyze_commands");
    for line in analyses.strip_prefix("= ").unwrap().lines() {
        let parts: Vec<&str> = line.split('/').collect();
        let [kind, _, command] = parts[..] else { panic!("{line}") };
        assert!(["string", "plist", "varc", "param"].contains(&kind), "{line}");
        assert!(names.contains(&command.split(' ').next().unwrap()), "{line}");
        let request = command.replace("%c", "black").replace("%m", "white");
        let answer = send(&mut engine, &request);
        let is_open = ["? unknown", "= cannot score"].contains(&&*answer);
        assert!(answer.starts_with('=') || is_open, "{request}: {answer}");
    }
}

/// Returns all cells of 5x5 except one.
fn rest_of_5x5(taken: &str) -> String {
    let cells = (1..=5).flat_map(|row| "abcde".chars().map(move |col| format!("{col}{row}")));
    cells.filter(|cell| cell != taken).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_swap_mirrors_the_stone_or_swaps_the_colours() {
    let mut engine = hex_session(5, 1);
    check_dialogue(
        &mut engine,
        &[
            ("param_game allow_swap 1", "="),
            ("play b b1", "="),
            ("all_legal_moves w", &format!("= {} swap-pieces resign", rest_of_5x5("b1"))),
            ("play b swap-pieces", "? illegal move: black swap-pieces (swap not allowed)"),
            ("play w swap-pieces", "="),
            ("all_legal_moves b", &format!("= {} resign", rest_of_5x5("a2"))),
            ("play w swap-pieces", "? illegal move: white swap-pieces (swap not allowed)"),
            ("undo", "="),
            ("all_legal_moves w", &format!("= {} swap-pieces resign", rest_of_5x5("b1"))),
            // The stone stays and the programs exchange their colours, so white moves next.
            ("param_game swap_dialect benzene", "="),
            ("play w swap-pieces", "="),
            ("all_legal_moves", &format!("= {} resign", rest_of_5x5("b1"))),
            ("play w c3", "="),
            ("play b b2", "="),
        ],
    );
    let board = send(&mut engine, "showboard");
    assert!(board.contains(" 1 . B . . . 1") && board.contains("  2 . B . . . 2"), "{board}");
    assert!(board.contains("   3 . . W . . 3"), "{board}");
    // The transposed board with exchanged colours is an equivalent game.
    assert_eq!(send(&mut engine, "param_game swap_dialect mirror"), "=");
    let board = send(&mut engine, "showboard");
    assert!(board.contains("  2 W W . . . 2") && board.contains("   3 . . B . . 3"), "{board}");
    // A first stone of white cannot be swapped.
    check_dialogue(
        &mut engine,
        &[
            ("clear_board", "="),
            ("play w b1", "="),
            ("play b swap-pieces", "? illegal move: black swap-pieces (swap not allowed)"),
            ("play w swap-pieces", "? illegal move: white swap-pieces (swap not allowed)"),
        ],
    );
}

#[test]
fn the_engine_swaps_in_both_dialects() {
    for (dialect, next, stone) in [("mirror", "b", " W "), ("benzene", "w", " B ")] {
        let mut engine = hex_session(5, 4);
        check_dialogue(&mut engine, &[("param_game allow_swap 1", "="), ("play b c3", "=")]);
        assert_eq!(send(&mut engine, &format!("param_game swap_dialect {dialect}")), "=");
        assert_eq!(send(&mut engine, "reg_genmove w"), "= swap-pieces");
        assert_eq!(send(&mut engine, "genmove w"), "= swap-pieces", "the centre of 5x5 wins");
        assert!(send(&mut engine, "showboard").contains(stone), "{dialect}");
        let reply = send(&mut engine, &format!("genmove {next}"));
        assert!(reply.starts_with("= ") && reply != "= c3" && reply != "= resign", "{dialect}: {reply}");
    }
}

#[test]
fn the_engine_does_not_swap_its_own_stone() {
    let mut engine = hex_session(5, 1);
    check_dialogue(&mut engine, &[("param_game allow_swap 1", "="), ("play w a1", "=")]);
    for color in ["w", "b"] {
        let reply = send(&mut engine, &format!("reg_genmove {color}"));
        assert!(reply.starts_with("= ") && reply != "= swap-pieces", "{color}: {reply}");
        check_dialogue(&mut engine, &[(&format!("genmove {color}"), &reply), ("undo", "=")]);
    }
}

#[test]
fn the_solver_lists_every_winning_cell() {
    for size in 1..=4 {
        let mut engine = hex_session(size, 1);
        send(&mut engine, "param_game allow_swap 1"); // tests stones, not the swap
        let stop = AtomicBool::new(false);
        send(&mut engine, "param_engine nodes 0");
        let empty = Hex::new(size, SwapRule::Off).unwrap();
        // With distances the search would be different.
        let values = solve_position(&empty, &SearchControl::without_reports(Limits::default(), &stop))
            .moves
            .into_iter();
        let wins = values.filter(|&(_, outcome, _)| outcome == Some(Outcome::Win(Side::First)));
        let wins: Vec<String> = wins.map(|(mv, ..)| empty.format_move(mv)).collect();
        let answer = send(&mut engine, "dfpn-solver-find-winning black");
        assert_eq!(answer, format!("= {}", wins.join(" ")));
        // For white the board is transposed.
        let turned = send(&mut engine, "dfpn-solver-find-winning white");
        assert_eq!(turned.split(' ').count(), answer.split(' ').count());
        assert_eq!(send(&mut engine, "dfpn-solve-state b"), "= black");
        assert_eq!(send(&mut engine, "dfpn-solve-state w"), "= white");
    }
    let mut engine = hex_session(11, 1);
    assert_eq!(send(&mut engine, "dfpn-solve-state"), "= unknown", "within 200 positions");
    assert_eq!(send(&mut engine, "dfpn-solver-find-winning b"), "? unknown");
}

#[test]
fn every_line_gets_one_answer_and_failures_change_nothing() {
    let mut engine = hex_session(5, 1);
    send(&mut engine, "play b c3");
    let board = send(&mut engine, "showboard");
    let long = vec![b'x'; MAX_LINE_BYTES + 1];
    let lines: [&[u8]; 9] = [
        b"play\0 b",
        &long,
        b"\xff\xfe\xfd",
        b"play b \xc3\x28",
        b"12 \xff",
        b"play b c3",
        b"genmove",
        b"loadsgf /",
        b"undo 1",
    ];
    for line in lines {
        let answer = engine.answer(line).unwrap();
        assert!(answer.starts_with('?') && answer.ends_with("\n\n"), "{answer:?}");
        assert_eq!(answer.matches("\n\n").count(), 1, "{answer:?}");
        assert_eq!(send(&mut engine, "showboard"), board, "{answer:?}");
    }
    assert_eq!(engine.answer(b"\r"), None);
    assert_eq!(engine.answer(b"7\tname\r").as_deref(), Some("=7 crosspath\n\n"));
    // Commands with missing, extra or odd words are each answered once.
    let words = "play b white a1 e5 f9 swap-pieces resign undo genmove boardsize 5 99 param_game allow_swap 1 showboard \
                 \u{7f} é all_legal_moves final_score reg_genmove time_left 0 -1";
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut chance = random_stream(5, 1);
    for _ in 0..3_000 {
        let count = chance.random_range(1..5);
        let line: Vec<&str> = (0..count).map(|_| words[chance.random_range(0..words.len())]).collect();
        let before = send(&mut engine, "showboard");
        let answer = send(&mut engine, &line.join(" "));
        assert!(answer.is_empty() || answer.starts_with(['=', '?']), "{line:?}: {answer}");
        assert!(!answer.contains("\n\n"), "{line:?}: {answer}");
        if answer.starts_with('?') {
            assert_eq!(send(&mut engine, "showboard"), before, "{line:?}");
        }
    }
}

/// Returns the side that has connected its edges in the terms of the protocol: `B` the rows, `W`
/// the columns.
fn connected_side(stones: &[Vec<char>]) -> Option<char> {
    let size = stones.len();
    ['B', 'W'].into_iter().find(|&sign| {
        let at = |row: usize, col: usize| if sign == 'B' { stones[row][col] } else { stones[col][row] };
        let mut seen = vec![vec![false; size]; size];
        let mut open: Vec<[usize; 2]> = (0..size).map(|col| [0, col]).collect();
        while let Some([row, col]) = open.pop() {
            if at(row, col) != sign || std::mem::replace(&mut seen[row][col], true) {
                continue;
            }
            if row + 1 == size {
                return true;
            }
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)] {
                let place = [row.wrapping_add_signed(down), col.wrapping_add_signed(right)];
                open.extend(Some(place).filter(|place| place.iter().all(|&at| at < size)));
            }
        }
        false
    })
}

#[test]
fn one_hundred_games_follow_a_protocol_only_referee() {
    let mut chance = random_stream(9, 1);
    let mut has_seen_i = false;
    for round in 0..100_u8 {
        let size = [9, 11][usize::from(round % 2)];
        let mut players = [hex_session(size, 1 + round % 3), hex_session(size, 1 + round / 3 % 3)];
        let mut stones = vec![vec!['.'; size]; size];
        for ply in 0.. {
            let (sign, color) = [('B', "black"), ('W', "white")][ply % 2];
            let mv = if ply < 2 {
                // Games differ by their random first two stones, which never share a cell.
                let (col, row) = (b'a' + chance.random_range(0..9), chance.random_range(1..=size / 2));
                let mv = format!("{}{}", char::from(col), 2 * row - ply);
                assert_eq!(send(&mut players[ply % 2], &format!("play {color} {mv}")), "=");
                mv
            } else {
                send(&mut players[ply % 2], &format!("{ply} genmove {color}"))
                    .replace(&format!("={ply} "), "")
            };
            let (col, row) = (usize::from(mv.as_bytes()[0] - b'a'), mv[1..].parse::<usize>().unwrap() - 1);
            assert_eq!(std::mem::replace(&mut stones[row][col], sign), '.', "{mv} was taken");
            has_seen_i |= mv.starts_with('i');
            assert_eq!(send(&mut players[1 - ply % 2], &format!("play {color} {mv}")), "=", "{mv}");
            let score = connected_side(&stones).map(|sign| format!("= {sign}+"));
            for player in &mut players {
                assert_eq!(send(player, "final_score"), score.as_deref().unwrap_or("= cannot score"));
            }
            if score.is_some() {
                break;
            }
        }
    }
    assert!(has_seen_i);
}

/// Sends commands of referees and other programs' interfaces.
#[test]
fn commands_of_other_clients_are_supported() {
    let lines = [
        ("komi 7.5", "="),
        ("komi high", "? syntax error"),
        ("param_dfpn use_guifx 1", "="),
        ("vc-build black", "="),
        ("vc-build", "="),
        ("set_random_seed 3", "="),
        ("set_random_seed -3", "? syntax error"),
        ("time_left", "= black unlimited\nwhite unlimited"),
        ("time_settings 60 10 5", "="),
        ("time_left white 25 0", "="),
        ("time_left", "= black 60 0\nwhite 25 0"),
        ("time_left black", "? command needs 3 arguments"),
        ("gogui-rules_game_id", "= Hex"),
        ("gogui-rules_board_size", "= 3"),
        ("gogui-rules_side_to_move", "= black"),
        ("play b b2", "="),
        ("gogui-rules_board", "= . . .\n. X .\n. . ."),
        ("gogui-rules_legal_moves", "= a1 b1 c1 a2 c2 a3 b3 c3"),
        ("gogui-rules_side_to_move", "= white"),
        ("gogui-rules_final_result", "="),
        ("final_score", "= cannot score"),
        ("param_engine strict 1", "="),
        ("final_score", "? cannot score"),
        ("play b b1", "="),
        ("play b b3", "="),
        ("gogui-rules_final_result", "= Black wins"),
        ("gogui-rules_legal_moves", "="),
        ("genmove w", "= resign"),
        ("play w resign", "="),
        ("final_score", "= B+"),
    ];
    let mut engine = hex_session(3, 1);
    check_dialogue(&mut engine, &lines);
    let seconds = send(&mut engine, "cputime");
    assert!(seconds.strip_prefix("= ").unwrap().parse::<f64>().unwrap() > 0.0, "{seconds}");
    assert!(send(&mut engine, "param_engine").contains("seed 3"));
    for name in send(&mut engine, "list_commands").strip_prefix("= ").unwrap().lines() {
        assert_eq!(send(&mut engine, &format!("known_command {name}")), "= true");
    }
    let mut engine =
        TicTacToeGtpSession::new(&GtpOptions { seed: Some(1), ..GtpOptions::default() }).unwrap();
    let mut answer = |line: &str| engine.answer(line.as_bytes()).unwrap().trim_end().to_owned();
    assert_eq!(answer("gogui-rules_game_id"), "= Tictactoe");
    assert_eq!(answer("komi 0"), "=");
}

/// Uses the command line of a referee's script: a repeated seed, a log, a command file and a swap dialect.
#[test]
fn flags_of_other_programs_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("start.cfg"), "# the board of the match\nboardsize 5\n7 param_game allow_swap 1\n")
        .unwrap();
    let flags = ["engine", "--protocol", "gtp", "--level", "1", "--seed", "1", "--seed", "2"];
    let more = ["--swap-dialect", "benzene", "--config", &path("start.cfg"), "--logfile-name", &path("log")];
    let output = run(&[&flags[..], &more].concat(), "param_engine\nparam_game\ngogui-rules_board_size\n");
    assert_eq!(output.code, Some(0), "{}", output.err);
    for text in ["seed 2", "allow_swap 1", "swap_dialect benzene", "= 5"] {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
    let log = std::fs::read_to_string(path("log")).unwrap();
    assert!(log.contains("param_engine") && log.contains("boardsize 5"), "{log}");
    std::fs::write(path("bad.cfg"), "boardsize 5\nboardsize five\n").unwrap();
    let output = run(&[&flags[..], &["--config", &path("bad.cfg")]].concat(), "name\n");
    assert_eq!((output.code, output.out.as_str()), (Some(65), ""), "{}", output.err);
    assert!(output.err.contains("bad.cfg:2: syntax error"), "{}", output.err);
    let output = run(&["engine", "--protocol", "qtp", "--config", &path("start.cfg")], "");
    assert_eq!(output.code, Some(2));
}

/// Asks only for the winner: on 7x7 this takes a tenth of a second, while solving every move would take
/// a minute.
#[test]
fn dfpn_solve_state_solves_only_the_winner() {
    let options = GtpOptions { size: Some(7), seed: Some(1), ..GtpOptions::default() };
    let mut engine = HexGtpSession::new(&options).unwrap();
    send(&mut engine, "param_engine nodes 20000");
    assert_eq!(send(&mut engine, "dfpn-solve-state black"), "= black");
}

#[test]
fn tic_tac_toe_supports_the_common_commands() {
    let mut engine =
        TicTacToeGtpSession::new(&GtpOptions { seed: Some(1), ..GtpOptions::default() }).unwrap();
    let mut answer = |line: &str| engine.answer(line.as_bytes()).unwrap().trim_end().to_owned();
    assert_eq!(answer("showboard"), "=\n   a b c\n 1 . . . 1\n 2 . . . 2\n 3 . . . 3\n   a b c");
    assert_eq!(answer("play b b2"), "=");
    assert_eq!(answer("play w swap-pieces"), "? syntax error");
    assert_eq!(answer("dfpn-solve-state"), "? unknown command: dfpn-solve-state");
    let reply = answer("genmove w");
    assert!(["= a1", "= c1", "= a3", "= c3"].contains(&&*reply), "{reply}");
    for color in ["b", "w", "b", "w", "b", "w", "b"] {
        assert!(answer(&format!("genmove {color}")).starts_with("= "));
    }
    assert_eq!(answer("final_score"), "= 0");
    assert_eq!(answer("genmove b"), "= resign");
    assert_eq!(answer("boardsize 10"), "=");
    assert_eq!(answer("boardsize 11"), "? unacceptable size");
    assert_eq!(answer("play b j10"), "=");
}

#[test]
fn each_game_uses_the_last_time_settings() {
    let mut engine = hex_session(5, 4);
    send(&mut engine, "param_engine nodes 0");
    let game_time =
        |engine: &mut HexGtpSession| send(engine, "param_game").lines().last().unwrap().to_owned();
    send(&mut engine, "param_game game_time 300");
    assert_eq!(game_time(&mut engine), "game_time 300");
    send(&mut engine, "time_settings 1 0 0");
    send(&mut engine, "clear_board");
    assert_eq!(game_time(&mut engine), "game_time 1", "the last word counts");
    send(&mut engine, "time_settings 0 0 0");
    send(&mut engine, "boardsize 5");
    assert_eq!(game_time(&mut engine), "game_time 0");
}

#[test]
fn a_clock_divides_its_time_and_starts_byo_yomi() {
    let seconds = Duration::from_secs;
    let none = GtpClock::new(seconds(0), seconds(0), 0);
    assert_eq!(none.move_budget(Side::First, 10), None);
    assert_eq!(
        GtpClock::new(seconds(60), seconds(5), 0).move_budget(Side::First, 10),
        None,
        "no limit, as GTP has it"
    );
    let mut clock = GtpClock::new(seconds(60), seconds(10), 5);
    let first = clock.move_budget(Side::First, 30).unwrap();
    assert!(first >= Duration::from_millis(1900) && first <= seconds(2), "{first:?}");
    clock.spend_time(Side::First, seconds(60));
    clock.spend_time(Side::First, seconds(2));
    assert!(clock.move_budget(Side::First, 30).unwrap() <= seconds(2), "8 seconds for four moves");
    assert_eq!(clock.move_budget(Side::Second, 30), Some(first), "each side has its own");
    clock.set_time_left(Side::Second, seconds(0), 0);
    assert!(clock.move_budget(Side::Second, 30).unwrap() <= seconds(2));
}

/// Returns the answers of the real program.
fn run_program(game: &[&str], lines: &str) -> Vec<String> {
    let run = run(&[&["engine", "--protocol", "gtp"], game].concat(), lines);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    run.out.split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn gtp_plays_hex_by_default() {
    let lines = "1 name\n2 boardsize 4\n3 genmove b\n4 quit\n5 name\n";
    let hex = run_program(&["--seed", "1"], lines);
    assert_eq!(hex.len(), 4, "nothing is answered after quit: {hex:?}");
    assert_eq!((&*hex[0], &*hex[1], &*hex[3]), ("=1 crosspath", "=2", "=4"));
    let cells = run_program(&["--game", "tic-tac-toe", "--size", "4"], "all_legal_moves\n");
    assert_eq!(cells[0].split(' ').count(), 1 + 16 + 1);
    assert_eq!(run_program(&["--level", "2"], "param_engine\n")[0].lines().next(), Some("= level 2"));
    assert_eq!(
        run_program(&[], "param_engine\n")[0].lines().next(),
        Some("= level 8"),
        "the strongest there is"
    );
    for (wrong, why) in [
        (&["--game", "quoridor"][..], "gtp plays hex and tic-tac-toe; use qtp for Quoridor"),
        (&["--no-swap"], "--no-swap has no effect with gtp, where the other program sets it"),
        (&["--size", "40"], "--size"),
        (&["b"], "gtp takes no argument; remove \"b\""),
        (&["--level", "9"], "there is no level 9"),
    ] {
        let run = run(&[&["engine", "--protocol", "gtp"], wrong].concat(), "name\n");
        assert!(run.code == Some(2) && run.out.is_empty() && run.err.contains(why), "{wrong:?}: {}", run.err);
    }
}

/// Lets the program analyse the empty board until its output is enough, then sends `name`. Returns the
/// whole output.
fn run_analysis_until(flags: &[&str], is_enough: impl Fn(&str) -> bool) -> String {
    let out = tempfile::NamedTempFile::new().unwrap();
    let mut command = crosspath(&[&["engine", "--protocol", "gtp"], flags].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(out.reopen().unwrap()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"lz-analyze 5\n").unwrap();
    let read_output = || std::fs::read_to_string(out.path()).unwrap();
    // Incomplete lines are ignored.
    let whole_lines =
        |text: String| text.rsplit_once('\n').map(|(lines, _)| lines.to_owned()).unwrap_or_default();
    wait_until(SOON, "the analysis tells enough", || is_enough(&whole_lines(read_output())));
    stdin.write_all(b"name\n").unwrap();
    drop(stdin);
    assert!(end_within(SOON, child).success());
    read_output()
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn analysis_reports_the_visits_of_each_move() {
    let visits = |line: &str| -> Option<Vec<u32>> {
        let words = line.split(" visits ").skip(1);
        words.map(|rest| rest.split(' ').next()?.parse().ok()).collect()
    };
    let last_visits = |text: &str| text.lines().filter_map(visits).rfind(|all| all.len() > 1);
    let answer =
        run_analysis_until(&["--size", "11", "--nodes", "200"], |output| last_visits(output).is_some());
    let last = last_visits(&answer).expect(&answer);
    assert!(last[0] > last[1] && last.iter().sum::<u32>() <= 200, "{answer}");
}

#[test]
fn input_ends_an_analysis_but_not_a_genmove() {
    // All lines arrive at once: the analysis ends at the next line, but the move search is completed.
    let nodes = ["--size", "7", "--seed", "3", "--nodes", "2000"];
    let all = run_program(&nodes, "play b d4\n5 lz-analyze w 10\ngenmove w\nlz-analyze\nlz-analyze 1 2 3\n");
    let info = all[1].strip_prefix("=5").unwrap();
    for line in info.lines().skip(1) {
        assert!(
            line.starts_with("info move ") && line.contains(" visits ") && line.contains(" pv "),
            "{line}"
        );
        let rate = line.split(" winrate ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        assert!((0..=10_000).contains(&rate.parse::<i32>().unwrap()), "{line}");
    }
    assert_eq!(
        run_program(&nodes, "play b d4\ngenmove w\n")[1],
        all[2],
        "the same move as without the lines after it"
    );
    assert_eq!(all[3], "? command needs 1 or 2 arguments");
    assert_eq!(all[4], "? command needs 1 or 2 arguments");
    let too_long = format!("3 lz-analyze 10{}", " ".repeat(MAX_LINE_BYTES));
    assert_eq!(run_program(&nodes, &format!("{too_long}\nname\n")), ["? syntax error", "= crosspath"]);
    // Without further input the analysis continues, and its answer ends with the next line.
    let answer = run_analysis_until(&["--size", "5", "--nodes", "300"], |output| output.lines().count() >= 5);
    let (info, rest) = answer.split_once("\n\n").unwrap();
    assert!(info.starts_with("=\ninfo move "), "{info}");
    assert_eq!(rest, "= crosspath\n\n");
}
