//! The first pages for a newcomer: the rules with pictures, the names of the levels, the level at
//! which the menu begins.

use crosspath::ai::EngineKind;
use crosspath::canvas::{Canvas, Glyphs, PaintOptions};
use crosspath::play::Mode;
use crosspath::registry::{GAMES, Variant};
use crosspath::ui::tui::{Menu, Theme};
use crossterm::event::KeyCode;
use unicode_width::UnicodeWidthStr;

use crate::rig::{Rig, spec};
use crate::sentences::said;
use crate::support::run;

const SIZES: [(u16, u16); 7] = [(80, 24), (40, 15), (160, 50), (100, 35), (60, 20), (30, 10), (12, 4)];

/// Returns the pages of the rules of a game, from the menu.
fn pages(game: usize, glyphs: Glyphs, size: (u16, u16)) -> Vec<String> {
    let mut rig = Rig::menu(glyphs, size);
    rig.press(KeyCode::Char(char::from_digit(u32::try_from(game + 1).unwrap(), 10).unwrap()));
    assert_eq!(rig.press(KeyCode::Char('i')), "");
    let mut pages = vec![rig.picture()];
    loop {
        rig.press(KeyCode::Right);
        let picture = rig.picture();
        if pages.last() == Some(&picture) {
            return pages;
        }
        pages.push(picture);
    }
}

/// Reports whether a board stands whole on a page.
fn holds(page: &str, canvas: &Canvas) -> bool {
    let rows: Vec<Vec<char>> = page.lines().map(|row| row.chars().collect()).collect();
    let at = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ');
    let is_here = |left: usize, top: usize| {
        (0..canvas.height()).all(|y| (0..canvas.width()).all(|x| at(left + x, top + y) == canvas.at(x, y).0))
    };
    (0..rows.len()).any(|top| (0..160).any(|left| is_here(left, top)))
}

#[test]
fn every_rule_and_every_lesson_is_on_the_pages() {
    for size in SIZES {
        for glyphs in [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii] {
            for (game, entry) in GAMES.iter().enumerate() {
                let pages = pages(game, glyphs, size);
                let all = pages.concat();
                let what = format!("{} at {size:?} {glyphs:?}", entry.name);
                assert!(glyphs != Glyphs::Ascii || all.is_ascii(), "{what}:\n{all}");
                for page in &pages {
                    let rows = page.lines().take(size.1.into());
                    assert!(rows.clone().all(|row| row.width() <= size.0.into()), "{what}:\n{page}");
                }
                if size.0 >= 40 {
                    assert!(all.contains(&format!("{}: rules", entry.title)), "{what}:\n{all}");
                }
                // Sentences stand side by side in wide windows: their words come, whatever stands between them.
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                let start = entry.start(&Variant::default()).unwrap();
                let rules = start.view().rules().into_iter().map(|rule| rule.to_string());
                let lessons = entry.lessons.iter().map(|lesson| lesson.text.to_owned());
                for text in rules.chain(lessons).filter(|_| size.0 >= 30) {
                    assert!(words(&text).iter().all(|word| all.contains(word)), "{what}: {text}\n{all}");
                }
                if size.0 >= 80 {
                    assert!(pages.len() <= 2, "{what}: {} pages\n{all}", pages.len());
                }
                let boards = entry.lesson_positions();
                let has_board = |density: usize| {
                    let look = PaintOptions { glyphs, density, steps: true, ..PaintOptions::default() };
                    boards.iter().all(|(at, _)| pages.iter().any(|page| holds(page, &at.canvas(look))))
                };
                let densities = boards[0].0.drawn().board_sizes().len();
                let is_drawn = (0..densities).any(has_board);
                assert!(is_drawn || size.0 < 40 || size.1 < 15, "{what}: every lesson has its board\n{all}");
            }
        }
    }
}

#[test]
fn the_rules_are_opened_turned_and_left() {
    let mut rig = Rig::menu(Glyphs::Unicode, (80, 24));
    rig.press(KeyCode::Char('2'));
    rig.press(KeyCode::Char('i'));
    assert!(rig.picture().contains("Hex: rules"), "{}", rig.picture());
    rig.press(KeyCode::Esc);
    assert!(rig.picture().contains("─ Game ─"), "{}", rig.picture());
    rig.press(KeyCode::Char('i'));
    assert_eq!(
        rig.press(KeyCode::Enter),
        "start --game hex --mode 1 --size 11 --level 2",
        "Enter plays the chosen game"
    );
    // In a game the command opens them, and Enter goes back to the board.
    let mut rig = Rig::two("quoridor", "size=5", "", (80, 24));
    rig.typed(":rules");
    rig.act(KeyCode::Enter);
    assert!(rig.picture().contains("Quoridor: rules"), "{}", rig.picture());
    assert_eq!(rig.press(KeyCode::Enter), "");
    assert!(!rig.picture().contains("Quoridor: rules"), "{}", rig.picture());
    // In the menu too.
    let mut rig = Rig::menu(Glyphs::Unicode, (80, 24));
    rig.typed(":rules");
    rig.press(KeyCode::Enter);
    assert!(rig.picture().contains("Tic-tac-toe: rules"), "{}", rig.picture());
}

#[test]
fn help_in_a_game_begins_with_the_rules() {
    let mut rig = Rig::two("hex", "size=5", "c3", (80, 50));
    rig.press(KeyCode::Char('?'));
    let lines = rig.screen.page().unwrap().lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    let rules = rig.game().shown().view().rules();
    assert_eq!(lines[..3], rules[..3].iter().map(ToString::to_string).collect::<Vec<_>>()[..]);
    assert!(lines[3].contains(":rules"), "{}", lines[3]);
    let last = rules[3].to_string();
    assert_eq!(lines.iter().filter(|line| **line == last).count(), 1, "the last rule follows below");
}

#[test]
fn lines_and_json_answer_rules() {
    for entry in GAMES {
        let lines = run(&["--game", entry.name, "--mode", "2", "--glyphs", "ascii"], "rules\n").out;
        for (board, text) in entry.lesson_positions() {
            let look = PaintOptions { glyphs: Glyphs::Ascii, steps: true, ..PaintOptions::default() };
            assert!(lines.contains(&board.canvas(look).to_text()), "{lines}");
            assert!(lines.contains(text), "{lines}");
        }
        assert!(lines.contains("Goal: "), "{lines}");
        let json = run(&["--game", entry.name, "--mode", "2", "--json"], "rules\n").out;
        let answer: Vec<&str> = json.lines().filter(|line| line.contains(r#""word":"rules""#)).collect();
        assert!(answer.len() == 1 && entry.lessons.iter().all(|one| answer[0].contains(one.text)), "{json}");
    }
}

/// Levels with their names, as they are listed.
const NAMES: [&str; 8] =
    ["beginner", "novice", "casual", "improver", "club", "strong", "expert", "strongest"];

#[test]
fn levels_have_their_names_wherever_a_person_sees_them() {
    for (name, number) in NAMES.into_iter().zip(1_u8..) {
        let level = EngineKind::Level(number);
        assert_eq!(level.strength(), Some(name));
        // The menu and the title of the screen
        let mut menu = Menu::default();
        menu.change("level", isize::from(number) - 2);
        let row = menu.rows().into_iter().find(|row| row.key == "level").unwrap();
        assert_eq!(row.value, format!("level {number} · {name}"));
        let asked =
            crosspath::play::NewGame { level: Some(level), ..spec("hex", "size=5", Mode::HumanMachine) };
        let rig = Rig::of(asked, (100, 35));
        assert!(rig.picture().contains(&format!("Level {number}, {name}")), "{}", rig.picture());
        // Answers
        let words = format!("level {number}\nlevel\n");
        let out = run(&["--game", "hex", "--size", "5"], &words).out;
        assert!(out.contains(&format!("The engine now plays at level {number} ({name}).")), "{out}");
        assert!(
            out.contains(&format!("The engine plays at level {number} ({name}). Levels: classic")),
            "{out}"
        );
        assert!(out.contains("1 beginner, 2 novice, 3 casual"), "{out}");
    }
    assert!(run(&["--help"], "").out.contains("8 strongest"));
    let menu = {
        let mut menu = Menu::default();
        menu.change("level", -2);
        menu
    };
    let row = menu.rows().into_iter().find(|row| row.key == "level").unwrap();
    assert_eq!(row.value, "classic · as the original program");
}

#[test]
fn the_menu_begins_at_level_2_in_every_game() {
    for (game, entry) in GAMES.iter().enumerate() {
        let mut menu = Menu::default();
        menu.choose(game);
        let arguments = menu.arguments(Theme::default()).join(" ");
        assert!(arguments.contains("--level 2"), "{}: {arguments}", entry.name);
    }
    let shown = Rig::menu(Glyphs::Unicode, (80, 24)).picture();
    assert!(shown.contains("level 2 · novice") && !shown.contains("of 8"), "{shown}");
    assert!(Rig::menu(Glyphs::Ascii, (80, 24)).picture().contains("level 2, novice"));
    for mode in ["You against the engine", "Two players", "Engine against engine", "Replay a file"] {
        let mut rig = Rig::menu(Glyphs::Unicode, (80, 24));
        let menu = rig.screen.menu_mut().unwrap();
        for _ in 0..4 {
            if menu.rows()[0].value != mode {
                menu.change("mode", 1);
            }
        }
        assert!(rig.picture().contains(mode), "{}", rig.picture());
    }
}

#[test]
fn five_in_a_row_is_suggested_from_7x7_on() {
    for size in 1..=10 {
        let mut menu = Menu::default();
        while menu.rows().iter().any(|row| row.key == "size" && row.value != format!("{size}x{size}")) {
            menu.change("size", 1);
        }
        let length = |menu: &Menu| menu.rows().into_iter().find(|row| row.key == "win-length").unwrap().value;
        assert_eq!(length(&menu), if size >= 7 { 5 } else { size }.to_string(), "{size}x{size}");
        let arguments = menu.arguments(Theme::default()).join(" ");
        assert_eq!(arguments.contains("--win-length 5"), size >= 7, "{arguments}");
        if size >= 7 {
            menu.change("win-length", 1);
            assert_eq!(length(&menu), size.to_string(), "whole lines are one step away");
        }
    }
    let rules = run(&["--size", "10", "--mode", "2"], "help\n").out;
    assert!(rules.contains(said!("a-diagonal-with-own")), "the command line keeps whole lines: {rules}");
}
