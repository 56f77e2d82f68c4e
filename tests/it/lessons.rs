//! The lessons of the rules: each is a position of its game and shows what its text describes.

use crosspath::board::names::parse_cell_name;
use crosspath::game::{Outcome, Side};
use crosspath::registry::{GAMES, RegisteredGame};
use crosspath::session::Position;

/// Reports whether a move is legal.
fn can_play(at: &dyn Position, text: &str) -> bool {
    at.legal_moves().iter().any(|legal| legal == text)
}

fn lesson_positions(entry: &RegisteredGame) -> Vec<(std::sync::Arc<dyn Position>, &'static str)> {
    let position = |lesson: &crosspath::game::RuleLesson| {
        let history = entry.parse_game_line(lesson.position).unwrap_or_else(|| panic!("{}", lesson.position));
        (history.current().clone(), lesson.text)
    };
    entry.lessons.iter().map(position).collect()
}

#[test]
fn every_lesson_shows_what_its_text_says() {
    for entry in GAMES {
        let lessons = lesson_positions(entry);
        assert!(lessons.len() >= 3, "{}", entry.name);
        let wins = lessons.iter().filter(|(at, _)| matches!(at.outcome(), Some(Outcome::Win(_)))).count();
        assert_eq!(wins, 1, "{}: a game that is won", entry.name);
        for (at, text) in &lessons {
            let winner = at.outcome().and_then(Outcome::winner);
            let sides = Side::map_both(|side| at.view().side_name(side).to_string());
            assert_eq!(winner.is_some(), text.starts_with(&format!("{} wins:", sides[0])), "{text}");
            assert_eq!(at.outcome() == Some(Outcome::Draw), text.starts_with("A draw:"), "{text}");
            let words = text.split(|c: char| !c.is_alphanumeric());
            let is_cell = |word: &&str| parse_cell_name(word).is_some() && word.len() == 2;
            for cell in words.filter(is_cell) {
                assert!(at.normalize_move(cell).is_ok(), "{cell}: {text}");
            }
        }
    }
}

#[test]
fn moves_named_in_lessons_are_legal() {
    let of = |name: &str| lesson_positions(GAMES.iter().find(|entry| entry.name == name).unwrap());
    let hex = of("hex");
    let bridge = &hex[1].0;
    for (cut, reply) in [("b3", "c3"), ("c3", "b3")] {
        let joined = bridge.clone().play(cut).unwrap().play(reply).unwrap();
        assert!(joined.last_move_comment().is_none(), "nothing is cut any more");
        assert!(bridge.clone().play(cut).unwrap().last_move_comment().unwrap().contains(reply), "{cut}");
    }
    assert!(can_play(&*hex[2].0, "swap"));
    let edge = &hex[3].0;
    for (cut, reply) in [("a5", "b5"), ("b5", "a5")] {
        assert!(edge.clone().play(cut).unwrap().last_move_comment().unwrap().contains(reply), "{cut}");
    }
    let quoridor = of("quoridor");
    assert!(can_play(&*quoridor[2].0, "c2") && !can_play(&*quoridor[2].0, "b3"));
    let past: Vec<bool> = ["b3", "d3", "c2"].iter().map(|to| can_play(&*quoridor[3].0, to)).collect();
    assert_eq!(past, [true, true, false]);
    let fork = &of("tic-tac-toe")[2].0;
    assert!(["a2", "b3"].iter().all(|cell| fork.last_move_comment().unwrap().contains(cell)));
}
