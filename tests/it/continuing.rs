//! A game that is left and continued is the game that it would have been.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crosspath::ai::{EngineConfig, Limits};
use crosspath::game::Side;
use crosspath::play::{Command, Match, NewGame, PlayAs, Rules};
use crosspath::record::{self, Hint};
use crosspath::registry::{GAMES, Variant, find};
use crosspath::session::{Machine, Position, Purpose};
use rustix::process::Signal;

use crate::mishaps::RUN;
use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::folder;

/// Returns the moves of an engine that plays Second, against some moves that do not depend on it,
/// from a position on. The engine is built again before every move where the game is continued all
/// the time.
fn moves(
    start: &Arc<dyn Position>,
    build: &dyn Fn(&dyn Position) -> Box<dyn Machine>,
    is_continued: bool,
) -> Vec<String> {
    let (mut position, mut machine, mut answers) = (Arc::clone(start), build(&**start), Vec::new());
    let limits = Limits { nodes: Some(60), ..Limits::default() };
    let stop = AtomicBool::new(false);
    while position.outcome().is_none() && position.plies() < 12 {
        let text = if position.plies() % 2 == 0 {
            let legal = position.legal();
            legal[(7 * position.plies() + 3) % legal.len()].clone()
        } else {
            if is_continued {
                machine = build(&*position);
            }
            let answer = machine.answer(Purpose::Move, &*position, limits, &stop, &|_| ()).unwrap();
            answers.push(answer.text.clone());
            answer.text
        };
        position = position.play(&text).unwrap();
    }
    answers
}

#[test]
fn every_level_plays_on_as_if_the_game_had_not_been_left() {
    for entry in GAMES {
        let board = match entry.name {
            "hex" => Variant::of_size(8).with("swap", "off"),
            "quoridor" => Variant::of_size(5),
            _ => Variant::of_size(5).with("win-length", "4"),
        };
        let start = entry.start(&board).unwrap();
        for level in start.levels() {
            for seed in 1..=3 {
                let build =
                    |position: &dyn Position| position.machine(level, &EngineConfig::new(seed, 1)).unwrap();
                let (whole, continued) = (moves(&start, &build, false), moves(&start, &build, true));
                assert_eq!(whole, continued, "{} level {level}, seed {seed}", entry.name);
            }
        }
    }
}

/// Types these lines, and leaves and continues the game before those with these numbers; returns
/// all moves of the game.
fn game(arguments: &[&str], lines: &[&str], places: &[usize]) -> String {
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
fn leaving_and_continuing_changes_no_move() {
    let hex = ["--game", "hex", "--size", "9", "--no-swap", "--level", "1"];
    let lines = ["a1", "e5", "a5", "e1", "b1", "d6", "a4"];
    assert_eq!(game(&hex, &lines, &[]), game(&hex, &lines, &[2, 4]));
}

#[test]
fn leaving_after_a_change_of_sides_changes_no_move() {
    for (name, level) in [("hex", "3"), ("tic-tac-toe", "1"), ("tic-tac-toe", "2"), ("quoridor", "2")] {
        let arguments = ["--game", name, "--size", "5", "--level", level];
        let lines = if name == "quoridor" {
            ["c2", "b1h", "side second", "c3", "d1h"]
        } else {
            ["c3", "a1", "side second", "e5", "b1"]
        };
        let whole = game(&arguments, &lines, &[]);
        for places in [[2, 9], [3, 9], [4, 9], [3, 4]] {
            assert_eq!(whole, game(&arguments, &lines, &places), "{name} level {level}, left at {places:?}");
        }
    }
}

/// Returns the seed of the engine that thinks.
fn seed(game: &Match) -> EngineConfig {
    game.jobs()[0].engine.config.clone()
}

#[test]
fn a_game_keeps_its_seed_when_sides_change_or_it_takes_the_place_of_another() {
    let spec = || NewGame { play_as: PlayAs::Second, ..NewGame::of(find("hex").unwrap()) };
    let game = |number| Match::new(Rules { seed: number, ..Rules::default() }, spec(), None).unwrap();
    let open = |mut game: Match| {
        game.open(None, Duration::ZERO);
        game
    };
    let (mut first, mut second) = (open(game(7)), open(game(8)));
    let (seven, eight) = (seed(&first), seed(&second));
    assert_ne!(seven, eight);
    for side in [Side::First, Side::Second] {
        first.handle(Command::Side(side), Duration::ZERO);
    }
    assert_eq!(seed(&first), seven);
    // A game of another match goes on in this one.
    let left = record::load(b"# crosspath hex size=11\n1. a1 b2\n", &Hint::of(find("hex").unwrap()).strict());
    second.go_on(spec(), 7, left.unwrap(), Duration::ZERO);
    assert_eq!(seed(&second), seven);
}

#[test]
fn a_killed_game_from_a_set_up_position_goes_on_where_it_was() {
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
