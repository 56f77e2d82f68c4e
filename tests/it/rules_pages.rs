//! Pages for newcomers: the rules with pictures, the names of the levels, and the default level of
//! the menu.

use crosspath::ai::EngineKind;
use crosspath::canvas::{Canvas, GlyphSet, PaintOptions};
use crosspath::play::GameMode;
use crosspath::registry::{GAMES, Variant};
use crosspath::ui::tui::{StartMenu, Theme};
use crossterm::event::KeyCode;
use unicode_width::UnicodeWidthStr;

use crate::sentences::said;
use crate::support::run;
use crate::tui_harness::{Rig, spec};

const SIZES: [(u16, u16); 7] = [(80, 24), (40, 15), (160, 50), (100, 35), (60, 20), (30, 10), (12, 4)];

/// Returns the rules pages of a game, opened from the menu.
fn rules_pages(game: usize, glyphs: GlyphSet, size: (u16, u16)) -> Vec<String> {
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

/// Reports whether a page shows a whole board.
fn contains_board(page: &str, canvas: &Canvas) -> bool {
    let rows: Vec<Vec<char>> = page.lines().map(|row| row.chars().collect()).collect();
    let at = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ');
    let is_here = |left: usize, top: usize| {
        (0..canvas.height())
            .all(|y| (0..canvas.width()).all(|x| at(left + x, top + y) == canvas.glyph_at(x, y).0))
    };
    (0..rows.len()).any(|top| (0..160).any(|left| is_here(left, top)))
}

#[test]
fn the_rules_pages_have_every_rule_and_lesson() {
    for size in SIZES {
        for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
            for (game, entry) in GAMES.iter().enumerate() {
                let pages = rules_pages(game, glyphs, size);
                let all = pages.concat();
                let what = format!("{} at {size:?} {glyphs:?}", entry.name);
                assert!(glyphs != GlyphSet::Ascii || all.is_ascii(), "{what}:\n{all}");
                for page in &pages {
                    let rows = page.lines().take(size.1.into());
                    assert!(rows.clone().all(|row| row.width() <= size.0.into()), "{what}:\n{page}");
                }
                if size.0 >= 40 {
                    assert!(all.contains(&format!("{}: rules", entry.title)), "{what}:\n{all}");
                }
                // Wide windows show sentences side by side, so their words need not be adjacent.
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                let start = entry.start_position(&Variant::default()).unwrap();
                let rules = start.view().rules_text().into_iter().map(|rule| rule.to_string());
                let lessons = entry.lessons.iter().map(|lesson| lesson.text.to_owned());
                for write_text in rules.chain(lessons).filter(|_| size.0 >= 30) {
                    assert!(
                        words(&write_text).iter().all(|word| all.contains(word)),
                        "{what}: {write_text}\n{all}"
                    );
                }
                if size.0 >= 80 {
                    assert!(pages.len() <= 2, "{what}: {} pages\n{all}", pages.len());
                }
                let boards = entry.lesson_positions();
                let has_board = |density: usize| {
                    let look = PaintOptions { glyphs, density, steps: true, ..PaintOptions::default() };
                    boards
                        .iter()
                        .all(|(at, _)| pages.iter().any(|page| contains_board(page, &at.paint_board(look))))
                };
                let densities = boards[0].0.as_paint().board_sizes().len();
                let is_drawn = (0..densities).any(has_board);
                assert!(is_drawn || size.0 < 40 || size.1 < 15, "{what}: every lesson has its board\n{all}");
            }
        }
    }
}

#[test]
fn the_rules_can_be_opened_paged_and_closed() {
    let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
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
    // In a game the command opens the rules, and Enter returns to the board.
    let mut rig = Rig::two("quoridor", "size=5", "", (80, 24));
    rig.typed(":rules");
    rig.act(KeyCode::Enter);
    assert!(rig.picture().contains("Quoridor: rules"), "{}", rig.picture());
    assert_eq!(rig.press(KeyCode::Enter), "");
    assert!(!rig.picture().contains("Quoridor: rules"), "{}", rig.picture());
    // The menu offers them, too.
    let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
    rig.typed(":rules");
    rig.press(KeyCode::Enter);
    assert!(rig.picture().contains("Tic-tac-toe: rules"), "{}", rig.picture());
}

#[test]
fn help_in_a_game_begins_with_the_rules() {
    let mut rig = Rig::two("hex", "size=5", "c3", (80, 50));
    rig.press(KeyCode::Char('?'));
    let lines = rig.screen.page().unwrap().lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    let rules = rig.game().shown_position().view().rules_text();
    assert_eq!(lines[..3], rules[..3].iter().map(ToString::to_string).collect::<Vec<_>>()[..]);
    assert!(lines[3].contains(":rules"), "{}", lines[3]);
    let last = rules[3].to_string();
    assert_eq!(lines.iter().filter(|line| **line == last).count(), 1, "the last rule follows below");
}

#[test]
fn the_command_rules_works_in_line_mode_and_json() {
    for entry in GAMES {
        let lines = run(&["--game", entry.name, "--mode", "2", "--glyphs", "ascii"], "rules\n").out;
        for (board, text) in entry.lesson_positions() {
            let look = PaintOptions { glyphs: GlyphSet::Ascii, steps: true, ..PaintOptions::default() };
            assert!(lines.contains(&board.paint_board(look).to_text()), "{lines}");
            assert!(lines.contains(text), "{lines}");
        }
        assert!(lines.contains("Goal: "), "{lines}");
        let json = run(&["--game", entry.name, "--mode", "2", "--json"], "rules\n").out;
        let answer: Vec<&str> = json.lines().filter(|line| line.contains(r#""word":"rules""#)).collect();
        assert!(answer.len() == 1 && entry.lessons.iter().all(|one| answer[0].contains(one.text)), "{json}");
    }
}

/// Levels with their names, in list order.
const NAMES: [&str; 8] =
    ["beginner", "novice", "casual", "improver", "club", "strong", "expert", "strongest"];

#[test]
fn levels_are_shown_with_their_names() {
    for (name, number) in NAMES.into_iter().zip(1_u8..) {
        let level = EngineKind::Level(number);
        assert_eq!(level.strength_name(), Some(name));
        // The menu and the title of the screen
        let mut menu = StartMenu::default();
        menu.change_option("level", isize::from(number) - 2);
        let row = menu.option_rows().into_iter().find(|row| row.key == "level").unwrap();
        assert_eq!(row.value, format!("level {number} · {name}"));
        let asked =
            crosspath::play::NewGame { level: Some(level), ..spec("hex", "size=5", GameMode::HumanMachine) };
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
        let mut menu = StartMenu::default();
        menu.change_option("level", -2);
        menu
    };
    let row = menu.option_rows().into_iter().find(|row| row.key == "level").unwrap();
    assert_eq!(row.value, "classic · as the original program");
}

#[test]
fn the_menu_starts_at_level_2_in_every_game() {
    for (game, entry) in GAMES.iter().enumerate() {
        let mut menu = StartMenu::default();
        menu.choose_game(game);
        let arguments = menu.shell_arguments(Theme::default()).join(" ");
        assert!(arguments.contains("--level 2"), "{}: {arguments}", entry.name);
    }
    let shown = Rig::menu(GlyphSet::Unicode, (80, 24)).picture();
    assert!(shown.contains("level 2 · novice") && !shown.contains("of 8"), "{shown}");
    assert!(Rig::menu(GlyphSet::Ascii, (80, 24)).picture().contains("level 2, novice"));
    for mode in ["You against the engine", "Two players", "Engine against engine", "Replay a file"] {
        let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
        let menu = rig.screen.menu_mut().unwrap();
        for _ in 0..4 {
            if menu.option_rows()[0].value != mode {
                menu.change_option("mode", 1);
            }
        }
        assert!(rig.picture().contains(mode), "{}", rig.picture());
    }
}

#[test]
fn five_in_a_row_is_suggested_from_7x7_on() {
    for size in 1..=10 {
        let mut menu = StartMenu::default();
        while menu.option_rows().iter().any(|row| row.key == "size" && row.value != format!("{size}x{size}"))
        {
            menu.change_option("size", 1);
        }
        let length = |menu: &StartMenu| {
            menu.option_rows().into_iter().find(|row| row.key == "win-length").unwrap().value
        };
        assert_eq!(length(&menu), if size >= 7 { 5 } else { size }.to_string(), "{size}x{size}");
        let arguments = menu.shell_arguments(Theme::default()).join(" ");
        assert_eq!(arguments.contains("--win-length 5"), size >= 7, "{arguments}");
        if size >= 7 {
            menu.change_option("win-length", 1);
            assert_eq!(length(&menu), size.to_string(), "whole lines are one step away");
        }
    }
    let rules = run(&["--size", "10", "--mode", "2"], "help\n").out;
    assert!(rules.contains(said!("a-diagonal-with-own")), "the command line keeps whole lines: {rules}");
}
