//! Walks of people through the program: what stands where on their way, with the screens as goldens.

use crosspath::ai::Level;
use crosspath::canvas::Glyphs;
use crosspath::play::{Mode, NewGame, PlayAs};
use crosspath::session::Report;
use crosspath::ui::tui::{Effect, Start};
use crossterm::event::{KeyCode, KeyModifiers};

use crate::rig::{Rig, report, spec};
use crate::support::{is_golden, run};

/// A person at the keyboard.
struct Walk {
    rig: Rig,
    name: &'static str,
    screens: usize,
}

impl Walk {
    fn new(name: &'static str, rig: Rig) -> Self {
        Walk { rig, name, screens: 0 }
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

    /// The machine answers.
    #[track_caller]
    fn answer(&mut self, text: &str) {
        assert!(!self.rig.game().jobs().is_empty(), "nobody thinks:\n{}", self.rig.picture());
        self.rig.answer(text, Report { candidates: Vec::new(), ..report() });
    }

    /// All of this stands on the screen.
    #[track_caller]
    fn sees(&self, facts: &[&str]) {
        let picture = self.rig.picture();
        for fact in facts {
            assert!(picture.contains(fact), "no {fact:?} on\n{picture}");
        }
    }

    /// Nothing of this does.
    #[track_caller]
    fn misses(&self, facts: &[&str]) {
        let picture = self.rig.picture();
        for fact in facts {
            assert!(!picture.contains(fact), "{fact:?} on\n{picture}");
        }
    }

    /// The screen as it was agreed.
    #[track_caller]
    fn keeps(&mut self) {
        self.screens += 1;
        is_golden(&self.rig.picture(), &format!("tests/golden/walks/{}-{}.txt", self.name, self.screens));
    }
}

#[test]
fn a_newcomer_finds_a_game_its_rules_and_the_way_out() {
    let mut walk = Walk::new("newcomer", Rig::menu(Glyphs::Unicode, (80, 24)));
    // 1. The menu says what can be played, and how
    walk.sees(&["1  Tic-tac-toe", "2  Hex", "3  Quoridor", "─ Rules in short ", "? help", "q quit"]);
    walk.keys("Down");
    walk.sees(&["▸ 2  Hex", "Red (●) owns top and bottom edges", "crosspath --game hex"]);
    walk.keys("Tab Down Left Left");
    walk.sees(&["◂ 9×9 ▸"]);
    walk.keeps();
    // 2. At the board: whose turn it is, how a move is typed
    walk.keys("Enter");
    walk.sees(&["Hex 9×9", "Your move, Red. A cell is a letter a-i and a number 1-9, such as e5."]);
    // 3. What is typed wrong is named, with what would be right; nothing is lost
    walk.keys("z z Enter");
    walk.keys("e 1 0 Enter");
    walk.sees(&["e10 is off the board. Columns are a-i, rows 1-9."]);
    walk.keys("?");
    walk.sees(&["Keys: Hex 9×9", "type a move, then Enter", "close"]);
    walk.keeps();
    walk.keys("Esc");
    walk.misses(&["Keys: Hex"]);
    // 4. A move, the machine's answer, the way back
    walk.keys("e 5 Enter");
    walk.sees(&["e5 is played. Blue is thinking."]);
    walk.answer("swap");
    walk.sees(&["Blue took over Red's stone"]);
    walk.keys("u");
    walk.sees(&["Took back e5 and swap. Red to move, move 1. redo brings them back."]);
    assert_eq!(walk.rig.game().shown().plies(), 0);
    walk.keys("U");
    assert_eq!(walk.rig.game().shown().plies(), 2);
    walk.keeps();
    assert_eq!(walk.rig.press(KeyCode::Char('q')), "quit", "one key leaves");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_club_player_of_hex_swaps_looks_back_and_asks() {
    let game = NewGame {
        level: Some(Level::Number(7)),
        play_as: PlayAs::Second,
        ..spec("hex", "size=11 swap=on", Mode::HumanMachine)
    };
    let mut walk = Walk::new("hex", Rig::of(game, (100, 35)));
    walk.answer("a10");
    walk.sees(&["engine ● Red (level 7)  vs  you ○ Blue", "You may take Red's stone over: S swaps."]);
    walk.keys("S");
    walk.sees(&["Red is thinking."]);
    walk.answer("f6");
    walk.sees(&["Red played f6.", "Your move, Blue."]);
    // The arrows and Enter play; what the other side has entered is marked.
    walk.keys("d 7 Enter");
    walk.answer("e8");
    walk.keys("p");
    walk.keeps();
    walk.keys("p p p p p");
    // Back to the first position and to the present, with nothing changed.
    walk.keys("[ [ [");
    walk.sees(&["looking at move 2 of 5"]);
    walk.keys("Esc");
    walk.sees(&["Your move, Blue."]);
    // Advice, with its reason, the best moves by number.
    walk.keys("t");
    let best = ["d8", "c9", "b4"].map(|text| crosspath::session::Candidate {
        text: text.to_owned(),
        score: None,
        worth: None,
        visits: 120,
        line: vec![text.to_owned(), "g5".to_owned()],
    });
    walk.rig.answer("d8", Report { candidates: best.to_vec(), ..report() });
    walk.sees(&["Hint: d8"]);
    walk.misses(&["1. d8"]);
    walk.keys("v");
    walk.sees(&["- d8", "- c9", "- b4", "120"]);
    walk.keeps();
}

#[test]
fn a_club_player_of_quoridor_builds_and_jumps() {
    let game = spec("quoridor", "size=9", Mode::HumanMachine);
    let mut walk = Walk::new("quoridor", Rig::of(game, (80, 24)));
    for (own, answer) in [("e2", "e8"), ("e3", "e7"), ("e4", "e6")] {
        walk.keys(&format!("{own} Enter"));
        walk.answer(answer);
    }
    // The ghost of a wall says what it would do, and why it may not be built.
    walk.keys("w");
    walk.sees(&["Placing a wall above d3-e3 (d3h): Black 5 → 6 steps, you 5.", "Enter build"]);
    walk.keys("Enter");
    walk.answer("e3v");
    walk.keys("w");
    walk.keeps();
    walk.keys("Esc e 5 Enter");
    walk.answer("d6");
    // Onto the other pawn one cannot go; over it one can.
    walk.keys("p");
    walk.keeps();
    walk.keys("y");
    walk.sees(&["The board is turned"]);
    walk.keys("R");
    walk.sees(&["Press R again to resign."]);
    walk.keys("R");
    walk.sees(&["Game over: Black", "White gave up"]);
    walk.keeps();
}

#[test]
fn a_club_player_of_tic_tac_toe_sees_the_winning_line() {
    let game = spec("tic-tac-toe", "size=7 win-length=5", Mode::Humans);
    let mut walk = Walk::new("tic-tac-toe", Rig::of(game, (100, 35)));
    for place in ["d4", "a1", "e4", "b1", "c4", "a2", "f4", "b2"] {
        walk.keys(&format!("{place} Enter"));
    }
    walk.keeps();
    walk.keys("g 4 Enter");
    walk.sees(&["Game over: X", "N = new game"]);
    walk.keeps();
    walk.keys("A");
    walk.sees(&["move 1"]);
}

#[test]
fn a_small_window_is_enough() {
    let game = NewGame { play_as: PlayAs::First, ..spec("hex", "size=11", Mode::HumanMachine) };
    let mut walk = Walk::new("small", Rig::of(game, (60, 24)));
    walk.sees(&["Your move, Red.", "? help", "q quit"]);
    walk.misses(&["─ Moves ─"]);
    walk.keys("f 6 Enter");
    walk.answer("swap");
    walk.keeps();
    walk.keys("?");
    walk.sees(&["Keys: Hex 11×11"]);
    walk.keeps();
    walk.keys("PgDn PgDn");
    walk.sees(&["A safe link joins two stones"]);
    walk.keys("Esc");
    // Narrower still: the game is safe, and plain text goes on with it.
    walk.rig.screen.size = (30, 10);
    walk.sees(&["This window is 30 × 10.", "p   go on in plain text", "last: Blue swap"]);
    walk.keeps();
}

#[test]
fn a_screen_reader_is_told_everything_in_words() {
    let lines = "where\nlegal\nb2\nwhere\nhint\neval\na1\nmoves\nundo\nb9\nresign\n";
    let said = run(&["--plain", "--mode", "2", "--game", "tic-tac-toe", "--size", "3", "--seed", "1"], lines);
    assert!(!said.out.contains('\u{1b}'), "no escape codes");
    for fact in ["X: no marks yet.", "a1 b1 c1 a2 b2 c2 a3 b3 c3", "X b2", "Hint: ", "O gave up"] {
        assert!(said.out.contains(fact), "no {fact:?} in\n{}", said.out);
    }
    assert!(said.err.contains("line 10: b9 is off the board."), "{}", said.err);
    is_golden(&said.out, "tests/golden/walks/screen-reader.txt");
}
