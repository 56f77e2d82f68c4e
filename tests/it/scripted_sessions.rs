//! Scripted sessions of typical users: the texts on their screens, and the laws of each screen.

use crosspath::ai::EngineKind;
use crosspath::canvas::GlyphSet;
use crosspath::play::{GameMode, HumanSideChoice, NewGame};
use crosspath::session::SearchReport;
use crosspath::ui::tui::{ScreenEffect, StartChoice};
use crossterm::event::{KeyCode, KeyModifiers};

use crate::sentences::{lasting, said};
use crate::support::run;
use crate::tui_harness::{Rig, report, spec};

/// Scripted session of a user at the keyboard.
struct ScriptedSession {
    rig: Rig,
}

impl ScriptedSession {
    fn new(rig: Rig) -> Self {
        ScriptedSession { rig }
    }

    /// Presses keys: named keys by name, other words letter by letter.
    fn press_keys(&mut self, keys: &str) {
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
                    Some(ScreenEffect::Start(StartChoice::Game(spec))) if self.rig.game.is_none() => {
                        self.rig = Rig::of(*spec, self.rig.screen.size);
                    }
                    other => self.rig.apply(other),
                }
            }
        }
    }

    /// Gives the answer of the engine.
    #[track_caller]
    fn answer(&mut self, text: &str) {
        assert!(!self.rig.game().engine_jobs().is_empty(), "nobody thinks:\n{}", self.rig.picture());
        self.rig.answer(text, SearchReport { candidates: Vec::new(), ..report() });
    }

    /// Checks that all these texts are on the screen.
    #[track_caller]
    fn check_shows(&self, facts: &[&str]) {
        let picture = self.rig.picture();
        for fact in facts {
            assert!(picture.contains(fact), "no {fact:?} on\n{picture}");
        }
    }

    /// Checks that none of these texts is on the screen.
    #[track_caller]
    fn check_hides(&self, facts: &[&str]) {
        let picture = self.rig.picture();
        for fact in facts {
            assert!(!picture.contains(fact), "{fact:?} on\n{picture}");
        }
    }

    /// Checks that the cursor is in the window and that the side to move is named.
    #[track_caller]
    fn check_layout(&self) {
        let picture = self.rig.picture();
        let (rows, cursor) = picture.rsplit_once("\ncursor ").unwrap();
        let (x, y) = cursor.trim().split_once(' ').unwrap();
        let (width, height) = self.rig.screen.size;
        assert!(x.parse::<u16>().unwrap() < width && y.parse::<u16>().unwrap() < height, "{picture}");
        assert_eq!(rows.split('\n').count(), usize::from(height));
        let Some(position) = self.rig.game.as_ref().map(crosspath::play::Match::shown_position) else {
            return;
        };
        if position.outcome().is_none() && self.rig.screen.page().is_none() {
            assert!(rows.contains(*position.side_name(position.to_move())), "nobody moves on\n{picture}");
        }
    }
}

#[test]
fn a_newcomer_finds_a_game_its_rules_and_quit() {
    let mut walk = ScriptedSession::new(Rig::menu(GlyphSet::Unicode, (80, 24)));
    // 1. The menu shows the games and their options.
    walk.check_shows(&["1  Tic-tac-toe", "2  Hex", "3  Quoridor", "─ Rules in short ", "? help", "q quit"]);
    walk.press_keys("Down");
    walk.check_shows(&["▸ 2  Hex", "Red (●) connects top to bottom", "crosspath --game hex"]);
    walk.press_keys("Tab Down Left Left");
    walk.check_shows(&["◂ 9×9 ▸"]);
    walk.check_layout();
    // 2. The board shows whose turn it is and how to type a move.
    walk.press_keys("Enter");
    walk.check_shows(&["Hex 9×9", said!("your-move-a-cell", "Red", "e5")]);
    // 3. A typing error is reported with a correction, and nothing is lost.
    walk.press_keys("z z Enter");
    walk.press_keys("e 1 0 Enter");
    walk.check_shows(&[said!("is-off-the-board-columns-are", "e10")]);
    walk.press_keys("?");
    walk.check_shows(&["Keys: Hex 9×9", "│ a1   ", "close"]);
    walk.check_layout();
    walk.press_keys("Esc");
    walk.check_hides(&["Keys: Hex"]);
    // 4. A move, the engine's reply, and undo.
    walk.press_keys("e 5 Enter");
    walk.check_shows(&[said!("is-played-is-thinking-2", "e5", "Blue")]);
    walk.answer("swap");
    walk.check_shows(&[said!("blue-took-over-reds")]);
    walk.press_keys("u");
    walk.check_shows(&[said!("took-back-and-swap", "e5", "Red", "1")]);
    assert_eq!(walk.rig.game().shown_position().plies(), 0);
    walk.press_keys("U");
    assert_eq!(walk.rig.game().shown_position().plies(), 2);
    walk.check_layout();
    assert_eq!(walk.rig.press(KeyCode::Char('q')), "quit", "one key leaves");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_hex_player_swaps_browses_the_history_and_asks_for_a_hint() {
    let game = NewGame {
        level: Some(EngineKind::Level(7)),
        play_as: HumanSideChoice::Second,
        ..spec("hex", "size=11 swap=on", GameMode::HumanMachine)
    };
    let mut walk = ScriptedSession::new(Rig::of(game, (100, 35)));
    walk.answer("a10");
    walk.check_shows(&["Level 7, expert ● Red   vs   ○ Blue You", said!("you-may-take-s", "Red")]);
    walk.press_keys("S");
    walk.check_shows(&[said!("is-thinking-2", "Red")]);
    walk.answer("f6");
    walk.check_shows(&["Red played f6.", said!("your-move", "Blue")]);
    // Arrows and Enter play a move. Intrusions of the opponent are marked.
    walk.press_keys("d 7 Enter");
    walk.answer("e8");
    walk.press_keys("p");
    walk.check_layout();
    walk.press_keys("p p p p p");
    // The history can be browsed without any change.
    walk.press_keys("[ [ [");
    walk.check_shows(&[said!("looking-at-move-of-part", "2", "5")]);
    walk.press_keys("Esc");
    walk.check_shows(&[said!("your-move", "Blue")]);
    // A hint comes with its reason, and the best moves are numbered.
    walk.press_keys("t");
    let best = ["d8", "c9", "b4"].map(|text| crosspath::session::CandidateMove {
        text: text.to_owned(),
        score: None,
        worth: None,
        visits: 120,
        line: vec![text.to_owned(), "g5".to_owned()],
    });
    walk.rig.answer("d8", SearchReport { candidates: best.to_vec(), ..report() });
    walk.check_shows(&["Hint: d8"]);
    walk.check_hides(&["1. d8"]);
    walk.press_keys("v");
    walk.check_shows(&["- d8", "- c9", "- b4", "120"]);
    walk.check_layout();
}

#[test]
fn a_quoridor_player_places_walls_and_jumps() {
    let game = spec("quoridor", "size=9", GameMode::HumanMachine);
    let mut walk = ScriptedSession::new(Rig::of(game, (80, 24)));
    for (own, answer) in [("e2", "e8"), ("e3", "e7"), ("e4", "e6")] {
        walk.press_keys(&format!("{own} Enter"));
        walk.answer(answer);
    }
    // The preview of a wall describes its effect, or why it is illegal.
    walk.press_keys("w");
    walk.check_shows(&["A wall above d3-e3 (d3h): Black 5 → 6 steps, you 5.", "Enter place"]);
    walk.press_keys("Enter");
    walk.answer("e3v");
    walk.press_keys("w");
    walk.check_layout();
    walk.press_keys("Esc e 5 Enter");
    walk.answer("d6");
    // A pawn cannot step onto the other pawn, but it can jump over it.
    walk.press_keys("p");
    walk.check_layout();
    walk.press_keys("y");
    walk.check_shows(&[said!("the-board-is-turned-part")]);
    walk.press_keys("R");
    walk.check_shows(&[said!("resign-the-game")]);
    walk.press_keys("y");
    walk.check_shows(&[said!("you-resigned-after", "You", "10 moves")]);
    walk.check_layout();
}

#[test]
fn a_tic_tac_toe_player_sees_the_winning_line() {
    let game = spec("tic-tac-toe", "size=7 win-length=5", GameMode::Humans);
    let mut walk = ScriptedSession::new(Rig::of(game, (100, 35)));
    for place in ["d4", "a1", "e4", "b1", "c4", "a2", "f4", "b2"] {
        walk.press_keys(&format!("{place} Enter"));
    }
    walk.check_layout();
    walk.press_keys("g 4 Enter");
    walk.check_shows(&["X WON", "N new game"]);
    walk.check_layout();
    walk.press_keys("A");
    walk.check_shows(&["move 1"]);
}

#[test]
fn a_game_can_be_played_in_a_small_window() {
    let game = NewGame { play_as: HumanSideChoice::First, ..spec("hex", "size=11", GameMode::HumanMachine) };
    let mut walk = ScriptedSession::new(Rig::of(game, (60, 24)));
    walk.check_shows(&[said!("your-move", "Red"), "? help", "q quit"]);
    walk.check_hides(&["─ Moves ─"]);
    walk.press_keys("f 6 Enter");
    walk.answer("swap");
    walk.check_layout();
    walk.press_keys("?");
    walk.check_shows(&["Keys: Hex 11×11"]);
    walk.check_layout();
    walk.press_keys("PgDn PgDn");
    walk.check_shows(&[said!("a-safe-link-joins")]);
    walk.press_keys("Esc");
    // In a tiny window the game is safe and continues in line mode.
    walk.rig.screen.size = (30, 10);
    walk.check_shows(&[said!("this-window-is", "30", "10"), said!("p-go-on-in"), "last: Blue swap"]);
    walk.check_layout();
}

#[test]
fn line_mode_describes_everything_for_a_screen_reader() {
    let lines = "where\nlegal\nb2\nwhere\nhint\neval\na1\nmoves\nundo\nb9\nresign\n";
    let output =
        run(&["--plain", "--mode", "2", "--game", "tic-tac-toe", "--size", "3", "--seed", "1"], lines);
    assert!(!output.out.contains('\u{1b}'), "no escape codes");
    for fact in
        [said!("no-marks-yet", "X"), "a1 b1 c1 a2 b2 c2 a3 b3 c3", "X b2", "Hint: ", "O resigned. X wins."]
    {
        assert!(output.out.contains(fact), "no {fact:?} in\n{}", output.out);
    }
    assert!(
        output.err.contains(lasting(format!("line 10: {}", said!("is-off-the-board-2", "b9")))),
        "{}",
        output.err
    );
}
