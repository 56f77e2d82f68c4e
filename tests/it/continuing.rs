//! Leaving and continuing a game does not change how the engine plays.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crosspath::ai::{EngineConfig, Limits};
use crosspath::game::Side;
use crosspath::play::{Command, HumanSideChoice, Match, MatchRules, NewGame};
use crosspath::record::{self, RecordReadOptions};
use crosspath::registry::{GAMES, Variant, find_game};
use crosspath::session::{AnyEngine, EngineRequest, Position};
use rustix::process::Signal;

use crate::journal_failures::RUN;
use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::folder;

/// Returns the moves of an engine that plays Second against fixed moves. With
/// `is_continued`, the engine is rebuilt before every move.
fn engine_moves(
    start: &Arc<dyn Position>,
    build: &dyn Fn(&dyn Position) -> Box<dyn AnyEngine>,
    is_continued: bool,
) -> Vec<String> {
    let (mut position, mut machine, mut answers) = (Arc::clone(start), build(&**start), Vec::new());
    let limits = Limits { nodes: Some(60), ..Limits::default() };
    let stop = AtomicBool::new(false);
    while position.outcome().is_none() && position.plies() < 12 {
        let text = if position.plies() % 2 == 0 {
            let legal = position.legal_moves();
            legal[(7 * position.plies() + 3) % legal.len()].clone()
        } else {
            if is_continued {
                machine = build(&*position);
            }
            let answer = machine.answer(EngineRequest::Move, &*position, limits, &stop, &|_| ()).unwrap();
            answers.push(answer.text.clone());
            answer.text
        };
        position = position.play(&text).unwrap();
    }
    answers
}

#[test]
fn every_level_plays_the_same_moves_in_a_continued_game() {
    for entry in GAMES {
        let board = match entry.name {
            "hex" => Variant::of_size(8).with_setting("swap", "off"),
            "quoridor" => Variant::of_size(5),
            _ => Variant::of_size(5).with_setting("win-length", "4"),
        };
        let start = entry.start_position(&board).unwrap();
        for level in start.levels() {
            for seed in 1..=3 {
                let build = |position: &dyn Position| {
                    position.build_engine(level, &EngineConfig::new(seed, 1)).unwrap()
                };
                let (whole, continued) =
                    (engine_moves(&start, &build, false), engine_moves(&start, &build, true));
                assert_eq!(whole, continued, "{} level {level}, seed {seed}", entry.name);
            }
        }
    }
}

/// Types lines, leaving and continuing the game before the line numbers in `places`. Returns all moves
/// of the game.
fn play_and_continue(arguments: &[&str], lines: &[&str], places: &[usize]) -> String {
    let home = folder();
    let begin = |arguments: &[&str]| {
        Terminal::start(shell(RUN, arguments).env("XDG_STATE_HOME", home.path().to_str().unwrap()))
    };
    let mut terminal = begin(&[&["--plain", "--seed", "7"], arguments].concat());
    for (line, place) in lines.iter().zip(0..) {
        terminal.expect_output("> ");
        if places.contains(&place) {
            terminal.send("quit\r");
            assert_eq!(terminal.end(), 0);
            terminal = begin(&["--plain", "--continue"]);
            terminal.expect_output("> ");
        }
        terminal.send(&format!("{line}\r"));
    }
    terminal.expect_output("> ");
    terminal.send("moves\r");
    terminal.expect_output("    1 ");
    let moves = terminal.expect_output("> ");
    terminal.send("quit\r");
    terminal.end();
    moves
}

#[test]
fn continuing_a_game_changes_no_engine_move() {
    let hex = ["--game", "hex", "--size", "9", "--no-swap", "--level", "1"];
    let lines = ["a1", "e5", "a5", "e1", "b1", "d6", "a4"];
    assert_eq!(play_and_continue(&hex, &lines, &[]), play_and_continue(&hex, &lines, &[2, 4]));
}

#[test]
fn continuing_after_a_side_change_changes_no_engine_move() {
    for (name, level) in [("hex", "3"), ("tic-tac-toe", "1"), ("tic-tac-toe", "2"), ("quoridor", "2")] {
        let arguments = ["--game", name, "--size", "5", "--level", level];
        let lines = if name == "quoridor" {
            ["c2", "b1h", "side second", "c3", "d1h"]
        } else {
            ["c3", "a1", "side second", "e5", "b1"]
        };
        let whole = play_and_continue(&arguments, &lines, &[]);
        for places in [[2, 9], [3, 9], [4, 9], [3, 4]] {
            assert_eq!(
                whole,
                play_and_continue(&arguments, &lines, &places),
                "{name} level {level}, left at {places:?}"
            );
        }
    }
}

/// Returns the configuration of the thinking engine, with its seed.
fn engine_seed(game: &Match) -> EngineConfig {
    game.engine_jobs()[0].engine.config.clone()
}

#[test]
fn a_game_keeps_its_seed_after_side_changes_and_loading() {
    let spec =
        || NewGame { play_as: HumanSideChoice::Second, ..NewGame::for_game(find_game("hex").unwrap()) };
    let game =
        |number| Match::new(MatchRules { seed: number, ..MatchRules::default() }, spec(), None).unwrap();
    let open = |mut game: Match| {
        game.open(None, Duration::ZERO);
        game
    };
    let (mut first, mut second) = (open(game(7)), open(game(8)));
    let (seven, eight) = (engine_seed(&first), engine_seed(&second));
    assert_ne!(seven, eight);
    for side in [Side::First, Side::Second] {
        first.handle_command(Command::Side(side), Duration::ZERO);
    }
    assert_eq!(engine_seed(&first), seven);
    // A game of another match is loaded into this one.
    let left = record::load_game(
        b"# crosspath hex size=11\n1. a1 b2\n",
        &RecordReadOptions::for_game(find_game("hex").unwrap()).with_strict_digits(),
    );
    second.resume_game(spec(), 7, left.unwrap(), Duration::ZERO);
    assert_eq!(engine_seed(&second), seven);
}

#[test]
fn a_killed_game_from_a_setup_position_can_be_continued() {
    let home = tempfile::tempdir().unwrap();
    let begin = |arguments: &[&str]| {
        let command = shell("exec \"$0\" \"$@\"", arguments);
        Terminal::start(command.env("XDG_STATE_HOME", home.path().to_str().unwrap()))
    };
    let position = ["--game", "hex", "--size", "5", "--position", "c3 b4 / d2 / 2"];
    let mut terminal = begin(&[&["--mode", "2", "--plain"], &position[..]].concat());
    terminal.expect("blue 1> ");
    terminal.send("b3\ra4\r");
    terminal.expect("blue 3> ");
    terminal.settle();
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end(), 137);
    let mut terminal = begin(&["--continue", "--plain"]);
    terminal.expect("blue 3> ");
    terminal.send("undo 2\r");
    terminal.expect("blue 1> ");
    terminal.send("where\r");
    for stones in ["c3", "b4", "d2"] {
        terminal.expect_output(stones);
    }
    terminal.send("undo\rquit\r");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.raw().contains(said!("there-is-nothing-to")), "{}", terminal.raw());
}
