//! Walks of people through the program: the texts on their screens, and the laws of each screen.

use crosspath::ai::EngineKind;
use crosspath::canvas::Glyphs;
use crosspath::play::{Mode, NewGame, PlayAs};
use crosspath::session::SearchReport;
use crosspath::ui::tui::{Effect, Start};
use crossterm::event::{KeyCode, KeyModifiers};

use crate::rig::{Rig, report, spec};
use crate::sentences::{lasting, said};
use crate::support::run;

/// Person at the keyboard.
struct Walk {
    rig: Rig,
}

impl Walk {
    fn new(rig: Rig) -> Self {
        Walk { rig }
    }

    /// Presses keys: those with names by their names, letters one by one.
    fn keys(&mut self, keys: &str) {
        for word in keys.split_whitespace() {
            let named = match word {
                "Enter" => Some(KeyCode::Enter),
                "Esc" => Some(KeyCode::Esc),
                "Tab" => Some(KeyCode::Tab),
                "Up" => Some(KeyCode::Up),
                "Down" => Some(KeyCode::Down),
                "Left" => Some(KeyCode::Left),
                "Right" => Some(KeyCode::Right),
                "Home" => Some(KeyCode::Home),
                "End" => Some(KeyCode::End),
                "PgDn" => Some(KeyCode::PageDown),
                "Space" => Some(KeyCode::Char(' ')),
                _ => None,
            };
            let letters = word.chars().filter(|_| named.is_none()).map(KeyCode::Char);
            for code in named.into_iter().chain(letters) {
                let effect = self.rig.key(code, KeyModifiers::NONE);
                match effect {
                    Some(Effect::Start(Start::Game(spec))) if self.rig.game.is_none() => {
                        self.rig = Rig::of(*spec, self.rig.screen.size);
                    }
                    other => self.rig.apply(other),
                }
            }
        }
    }

    /// Lets the engine answer.
    #[track_caller]
    fn answer(&mut self, text: &str) {
        assert!(!self.rig.game().jobs().is_empty(), "nobody thinks:\n{}", self.rig.picture());
        self.rig.answer(text, SearchReport { candidates: Vec::new(), ..report() });
    }

    /// Checks that all of these texts are on the screen.
    #[track_caller]
    fn sees(&self, facts: &[&str]) {
        let picture = self.rig.picture();
        for fact in facts {
            assert!(picture.contains(fact), "no {fact:?} on\n{picture}");
        }
    }

    /// Checks that none of these texts is.
    #[track_caller]
    fn misses(&self, facts: &[&str]) {
        let picture = self.rig.picture();
        for fact in facts {
            assert!(!picture.contains(fact), "{fact:?} on\n{picture}");
        }
    }

    /// Checks that the screen has its cursor in the window, and names the side to move.
    #[track_caller]
    fn is_sound(&self) {
        let picture = self.rig.picture();
        let (rows, cursor) = picture.rsplit_once("\ncursor ").unwrap();
        let (x, y) = cursor.trim().split_once(' ').unwrap();
        let (width, height) = self.rig.screen.size;
        assert!(x.parse::<u16>().unwrap() < width && y.parse::<u16>().unwrap() < height, "{picture}");
        assert_eq!(rows.split('\n').count(), usize::from(height));
        let Some(position) = self.rig.game.as_ref().map(crosspath::play::Match::shown) else { return };
        if position.outcome().is_none() && self.rig.screen.page().is_none() {
            assert!(rows.contains(*position.side_name(position.to_move())), "nobody moves on\n{picture}");
        }
    }
}

#[test]
fn a_newcomer_finds_a_game_its_rules_and_the_way_out() {
    let mut walk = Walk::new(Rig::menu(Glyphs::Unicode, (80, 24)));
    // 1. The menu says what can be played, and how
    walk.sees(&["1  Tic-tac-toe", "2  Hex", "3  Quoridor", "─ Rules in short ", "? help", "q quit"]);
    walk.keys("Down");
    walk.sees(&["▸ 2  Hex", "Red (●) connects top to bottom", "crosspath --game hex"]);
    walk.keys("Tab Down Left Left");
    walk.sees(&["◂ 9×9 ▸"]);
    walk.is_sound();
    // 2. At the board: whose turn it is, how a move is typed
    walk.keys("Enter");
    walk.sees(&["Hex 9×9", said!("your-move-a-cell", "Red", "e5")]);
    // 3. What is typed wrong is named, with what would be right; nothing is lost
    walk.keys("z z Enter");
    walk.keys("e 1 0 Enter");
    walk.sees(&[said!("is-off-the-board-columns-are", "e10")]);
    walk.keys("?");
    walk.sees(&["Keys: Hex 9×9", "│ a1   ", "close"]);
    walk.is_sound();
    walk.keys("Esc");
    walk.misses(&["Keys: Hex"]);
    // 4. A move, the machine's answer, the way back
    walk.keys("e 5 Enter");
    walk.sees(&[said!("is-played-is-thinking-2", "e5", "Blue")]);
    walk.answer("swap");
    walk.sees(&[said!("blue-took-over-reds")]);
    walk.keys("u");
    walk.sees(&[said!("took-back-and-swap", "e5", "Red", "1")]);
    assert_eq!(walk.rig.game().shown().plies(), 0);
    walk.keys("U");
    assert_eq!(walk.rig.game().shown().plies(), 2);
    walk.is_sound();
    assert_eq!(walk.rig.press(KeyCode::Char('q')), "quit", "one key leaves");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_club_player_of_hex_swaps_looks_back_and_asks() {
    let game = NewGame {
        level: Some(EngineKind::Level(7)),
        play_as: PlayAs::Second,
        ..spec("hex", "size=11 swap=on", Mode::HumanMachine)
    };
    let mut walk = Walk::new(Rig::of(game, (100, 35)));
    walk.answer("a10");
    walk.sees(&["Level 7, expert ● Red   vs   ○ Blue You", said!("you-may-take-s", "Red")]);
    walk.keys("S");
    walk.sees(&[said!("is-thinking-2", "Red")]);
    walk.answer("f6");
    walk.sees(&["Red played f6.", said!("your-move", "Blue")]);
    // The arrows and Enter play; what the other side has entered is marked.
    walk.keys("d 7 Enter");
    walk.answer("e8");
    walk.keys("p");
    walk.is_sound();
    walk.keys("p p p p p");
    // Back to the first position and to the present, with nothing changed.
    walk.keys("[ [ [");
    walk.sees(&[said!("looking-at-move-of-part", "2", "5")]);
    walk.keys("Esc");
    walk.sees(&[said!("your-move", "Blue")]);
    // Advice, with its reason, the best moves by number.
    walk.keys("t");
    let best = ["d8", "c9", "b4"].map(|text| crosspath::session::CandidateMove {
        text: text.to_owned(),
        score: None,
        worth: None,
        visits: 120,
        line: vec![text.to_owned(), "g5".to_owned()],
    });
    walk.rig.answer("d8", SearchReport { candidates: best.to_vec(), ..report() });
    walk.sees(&["Hint: d8"]);
    walk.misses(&["1. d8"]);
    walk.keys("v");
    walk.sees(&["- d8", "- c9", "- b4", "120"]);
    walk.is_sound();
}

#[test]
fn a_club_player_of_quoridor_builds_and_jumps() {
    let game = spec("quoridor", "size=9", Mode::HumanMachine);
    let mut walk = Walk::new(Rig::of(game, (80, 24)));
    for (own, answer) in [("e2", "e8"), ("e3", "e7"), ("e4", "e6")] {
        walk.keys(&format!("{own} Enter"));
        walk.answer(answer);
    }
    // The ghost of a wall says what it would do, and why it may not be built.
    walk.keys("w");
    walk.sees(&["A wall above d3-e3 (d3h): Black 5 → 6 steps, you 5.", "Enter place"]);
    walk.keys("Enter");
    walk.answer("e3v");
    walk.keys("w");
    walk.is_sound();
    walk.keys("Esc e 5 Enter");
    walk.answer("d6");
    // Onto the other pawn one cannot go; over it one can.
    walk.keys("p");
    walk.is_sound();
    walk.keys("y");
    walk.sees(&[said!("the-board-is-turned-part")]);
    walk.keys("R");
    walk.sees(&[said!("resign-the-game")]);
    walk.keys("y");
    walk.sees(&[said!("you-resigned-after", "You", "10 moves")]);
    walk.is_sound();
}

#[test]
fn a_club_player_of_tic_tac_toe_sees_the_winning_line() {
    let game = spec("tic-tac-toe", "size=7 win-length=5", Mode::Humans);
    let mut walk = Walk::new(Rig::of(game, (100, 35)));
    for place in ["d4", "a1", "e4", "b1", "c4", "a2", "f4", "b2"] {
        walk.keys(&format!("{place} Enter"));
    }
    walk.is_sound();
    walk.keys("g 4 Enter");
    walk.sees(&["X WON", "N new game"]);
    walk.is_sound();
    walk.keys("A");
    walk.sees(&["move 1"]);
}

#[test]
fn a_small_window_is_enough() {
    let game = NewGame { play_as: PlayAs::First, ..spec("hex", "size=11", Mode::HumanMachine) };
    let mut walk = Walk::new(Rig::of(game, (60, 24)));
    walk.sees(&[said!("your-move", "Red"), "? help", "q quit"]);
    walk.misses(&["─ Moves ─"]);
    walk.keys("f 6 Enter");
    walk.answer("swap");
    walk.is_sound();
    walk.keys("?");
    walk.sees(&["Keys: Hex 11×11"]);
    walk.is_sound();
    walk.keys("PgDn PgDn");
    walk.sees(&[said!("a-safe-link-joins")]);
    walk.keys("Esc");
    // Narrower still: the game is safe, and plain text goes on with it.
    walk.rig.screen.size = (30, 10);
    walk.sees(&[said!("this-window-is", "30", "10"), said!("p-go-on-in"), "last: Blue swap"]);
    walk.is_sound();
}

#[test]
fn a_screen_reader_is_told_everything_in_words() {
    let lines = "where\nlegal\nb2\nwhere\nhint\neval\na1\nmoves\nundo\nb9\nresign\n";
    let said = run(&["--plain", "--mode", "2", "--game", "tic-tac-toe", "--size", "3", "--seed", "1"], lines);
    assert!(!said.out.contains('\u{1b}'), "no escape codes");
    for fact in
        [said!("no-marks-yet", "X"), "a1 b1 c1 a2 b2 c2 a3 b3 c3", "X b2", "Hint: ", "O resigned. X wins."]
    {
        assert!(said.out.contains(fact), "no {fact:?} in\n{}", said.out);
    }
    assert!(
        said.err.contains(lasting(format!("line 10: {}", said!("is-off-the-board-2", "b9")))),
        "{}",
        said.err
    );
}
