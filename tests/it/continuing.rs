//! A game that is left and continued is the game that it would have been.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crosspath::ai::{EngineConfig, Limits};
use crosspath::registry::{GAMES, Variant};
use crosspath::session::{Machine, Position, Purpose};

use crate::mishaps::RUN;
use crate::screen::{Terminal, shell};
use crate::support::folder;

/// The moves of a machine that plays Second, against some moves that have nothing to do with it, from a position on. It is
/// built anew before every move where the game is continued all the time.
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

/// Types these moves in lines, leaving and continuing the game after so many of them; gives all moves of the game.
fn game(places: &[usize]) -> String {
    let home = folder();
    let begin = |arguments: &[&str]| {
        Terminal::start(shell(RUN, arguments).env("XDG_STATE_HOME", home.path().to_str().unwrap()))
    };
    let arguments = ["--plain", "--game", "hex", "--size", "9", "--no-swap", "--level", "1", "--seed", "7"];
    let mut terminal = begin(&arguments);
    for (mv, place) in ["a1", "e5", "a5", "e1", "b1", "d6", "a4"].into_iter().zip(0..) {
        terminal.expect_output("> ");
        if places.contains(&place) {
            terminal.send("quit\r");
            assert_eq!(terminal.end(), 0);
            terminal = begin(&["--plain", "--continue"]);
            terminal.expect_output("> ");
        }
        terminal.send(&format!("{mv}\r"));
    }
    terminal.expect_output("> ");
    terminal.send("moves\r");
    terminal.expect_output("    1. ");
    let moves = terminal.expect_output("> ");
    terminal.send("quit\r");
    terminal.end();
    moves
}

#[test]
fn leaving_and_continuing_changes_no_move() {
    assert_eq!(game(&[]), game(&[2, 4]));
}
