//! The search of Quoridor: its board against the rules, and what it has to see.

use crosspath::ai::quoridor::board::agrees;
use crosspath::ai::quoridor::search::value_after;
use crosspath::ai::{GameHistory, WIN};
use crosspath::game::{Game, Notation};
use crosspath::games::quoridor::{Quoridor, default_walls};
use crosspath::random::stream;

use crate::quoridor_help::random_move;

#[test]
fn the_board_of_the_search_agrees_with_the_rules() {
    let mut generator = stream(23, 1);
    for (width, height, games) in
        [(3, 3, 20), (5, 5, 12), (5, 3, 8), (4, 7, 8), (9, 9, 6), (10, 10, 1), (15, 11, 1), (25, 25, 1)]
    {
        for _ in 0..games {
            let walls = default_walls(width.max(height)).max(2);
            let mut game = Quoridor::with_walls(width, height, walls).unwrap();
            for _ in 0..if width > 9 { 12 } else { 60 } {
                assert!(agrees(&game), "{game}");
                let Some(mv) = random_move(&game, &mut generator) else { break };
                game.make(mv);
                if game.outcome().is_some() {
                    break;
                }
            }
        }
    }
}

/// The value of a move after these moves on 9x9, looked at alone.
fn value(start: &Quoridor, moves: &str, next: &str) -> i32 {
    let mut now = start.clone();
    let mut played = Vec::new();
    for text in moves.split_whitespace() {
        let mv = now.parse(text).expect("a move");
        now.make(mv);
        played.push(mv);
    }
    value_after(&GameHistory { start, played: &played, now: &now }, now.parse(next).expect("a move"), 0)
}

#[test]
fn to_come_back_to_a_position_of_the_game_is_a_draw() {
    let value = |moves: &str, next: &str| value(&Quoridor::new(9).unwrap(), moves, next);
    assert_eq!(value("e2 e8 e1", "e9"), 0, "the start again");
    assert_eq!(value("e2 e8 e1 e9", "e2"), 0, "the position after the first move");
    assert_ne!(value("e2 e8 e1", "d8"), 0);
    assert_eq!(value("e2 e8 e1 a1h e2 e9 e1", "e8"), 0, "the position after the wall");
    assert_ne!(value("e2 e8 e1 a1h", "e2"), 0, "before a wall nothing comes again");
}

#[test]
fn a_step_or_a_jump_onto_the_goal_row_is_seen_a_ply_before() {
    let after = |text: &str, mv: &str| value(&Quoridor::from_position_text(text).expect(text), "", mv);
    assert_eq!(after("- / - / e2 a2 / 10 10 / 1", "e3"), 2 - WIN);
    assert_eq!(after("- / - / d2 e3 / 3 3 / 1", "e2"), 2 - WIN, "a jump");
    assert!(after("- / - / e7 d7 / 3 3 / 1", "e8").abs() < WIN / 2);
}
