//! The signs on a board are explained beside it, and colours have the right meaning.

use crosspath::canvas::{GlyphSet, PaintRole};
use crosspath::play::{Command, HistoryTarget};
use crosspath::session::{EngineAnswer, SearchReport};
use crosspath::thinking::EngineEvent;
use crosspath::ui::tui::{ColorDepth, StatusMessage, Theme, draw_screen, layout_in_lines};
use crossterm::event::KeyCode;
use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Buffer;
use ratatui_core::style::Modifier;
use ratatui_core::terminal::Terminal;

use crate::review::{answer_all, replay};
use crate::screens::{GLYPHS, pages};
use crate::sentences::said;
use crate::tui_harness::Rig;

fn draw_buffer(rig: &Rig) -> Buffer {
    let (width, height) = rig.screen.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw_screen(&rig.scene(), frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the words around the board.
fn words_around_board(rig: &Rig) -> Vec<String> {
    let places = layout_in_lines(rig.scene().shown_position().unwrap(), rig.screen.size);
    let is_board = |at: (u16, u16)| places.board.contains(at.into());
    let buffer = draw_buffer(rig);
    let (width, height) = rig.screen.size;
    let rows = (0..height).map(|y| {
        let outside = |x: u16| if is_board((x, y)) { " " } else { buffer[(x, y)].symbol() };
        (0..width).map(outside).collect::<String>()
    });
    let split = |row: String| row.split([' ', ',', ';', '│', '.']).map(str::to_owned).collect::<Vec<_>>();
    rows.flat_map(split).filter(|word| !word.is_empty()).collect()
}

#[test]
fn every_sign_on_a_board_is_explained_beside_it() {
    for glyphs in GLYPHS {
        for size in [(60, 24), (80, 24), (100, 35), (160, 50)] {
            for (name, mut rig) in pages(glyphs, size) {
                rig.screen.remark = StatusMessage::Invitation; // a long answer covers the row
                let Some(shown) = rig.scene().shown_position() else { continue };
                let places = layout_in_lines(shown, size);
                let (Some(density), None) = (places.density, rig.screen.page()) else { continue };
                // If the board takes all rows, the help page explains the signs. The status line
                // describes a wall.
                if places.below_board.is_none() || name.starts_with("wall") {
                    continue;
                }
                let canvas = rig.scene().paint_board_with_marks(density).unwrap();
                let words = words_around_board(&rig);
                let marks = [
                    (')', "()", PaintRole::Last),
                    (']', "[]", PaintRole::Cursor),
                    ('>', "<>", PaintRole::Hint),
                ];
                let signs = shown.as_paint().legend_sign_roles(glyphs).into_iter();
                let signs =
                    signs.filter(|(_, role)| ![PaintRole::FirstWon, PaintRole::SecondWon].contains(role));
                let signs: Vec<_> = signs.map(|(sign, role)| (sign, sign.to_string(), role)).collect();
                let marks = marks.map(|(sign, text, role)| (sign, text.to_owned(), role));
                for (sign, text, role) in marks.into_iter().chain(signs) {
                    // The title of an overlay fills a narrow row.
                    let is_crowded = size.0 < 100 && ["hex-ways", "hex-paths"].contains(&name);
                    if canvas.contains_glyph_with_role(sign, role)
                        && !(is_crowded && text.len() > 1 && text.is_ascii())
                    {
                        let is_explained = words.contains(&text);
                        assert!(is_explained, "no {text} beside {name} at {size:?}:\n{}", rig.picture());
                    }
                }
            }
        }
    }
}

#[test]
fn an_intrusion_is_explained_in_a_narrow_window_and_beside_the_win_chances() {
    let moves = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    for size in [(60, 24), (80, 24)] {
        let rig = Rig::board("hex", "size=11", moves, GlyphSet::Unicode, size);
        let picture = rig.picture();
        assert!(picture.contains(said!("cut-link")), "{picture}");
        assert_eq!(picture.contains("% █"), size.0 == 80, "{picture}");
    }
}

#[test]
fn a_replay_shows_no_cursor_and_does_not_explain_one() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = Rig::replay("hex", "size=11", "f6 e5 d7", GlyphSet::Unicode, size);
        for ply in [3, 1] {
            rig.execute(Command::Show(HistoryTarget::Ply(ply)));
            let picture = rig.picture();
            assert!(!picture.contains("[] cursor"), "{picture}");
            assert!(
                !picture.ends_with("cursor 0 0\n"),
                "the terminal's own stands on the last move: {picture}"
            );
        }
        rig.execute(Command::Show(HistoryTarget::Ply(0)));
        assert!(rig.picture().ends_with("cursor 0 0\n"), "it stands nowhere: {}", rig.picture());
    }
}

#[test]
fn a_long_answer_does_not_cover_the_last_row_of_the_board() {
    for size in [(60, 24), (80, 24)] {
        let mut rig = Rig::two("tic-tac-toe", "size=10", "e5 f6", size);
        let board = layout_in_lines(rig.scene().shown_position().unwrap(), size).board;
        let last = |rig: &Rig| {
            let picture = rig.picture();
            let row = picture.lines().nth(usize::from(board.bottom() - 1)).unwrap().to_owned();
            row.chars().skip(board.x.into()).take(board.width.into()).collect::<String>()
        };
        let before = last(&rig);
        assert!(before.contains("└───┴"), "{before}");
        rig.say("zz top of everything that nobody knows at all");
        assert_eq!(last(&rig), before, "{}", rig.picture());
        // The help page starts with the complete answer.
        if size.0 == 60 {
            assert!(rig.picture().contains('…'), "{}", rig.picture());
            rig.press(KeyCode::Char('?'));
            let page = rig.screen.page().unwrap();
            assert_eq!(page.lines[0], rig.status());
        }
    }
}

#[test]
fn every_move_of_the_chart_has_a_bar_or_a_sign_and_a_label() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = replay(GlyphSet::Unicode, size);
        rig.act(KeyCode::Char('a'));
        // The first two positions need no search, so their win chance is unknown.
        for text in ["f6", "f7"] {
            let id = rig.game().engine_jobs()[0].id;
            let report = SearchReport { chance: None, score: None, ..SearchReport::default() };
            rig.on_engine_event(EngineEvent::Done(
                id,
                Box::new(EngineAnswer { text: text.to_owned(), report: report.into() }),
            ));
        }
        answer_all(&mut rig, 30);
        for (ply, label) in [(0, "at the start: unknown"), (1, "move 1: · unknown"), (2, "move 2: ")] {
            rig.execute(Command::Show(HistoryTarget::Ply(ply)));
            assert!(rig.picture().contains(label), "{label}: {}", rig.picture());
        }
        let picture = rig.picture();
        let low =
            picture.lines().find(|row| row.contains('█') && row.contains("│ ·")).expect("a bar for move 1");
        assert!(
            low.split("│ ·").nth(1).unwrap().starts_with(['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']),
            "{picture}"
        );
    }
}

#[test]
fn nothing_is_bold_and_dim_at_once() {
    for theme in [Theme::Mono, Theme::Terminal, Theme::Contrast] {
        for depth in [ColorDepth::None, ColorDepth::Sixteen] {
            for (name, mut rig) in pages(GlyphSet::Unicode, (100, 35)) {
                (rig.screen.looks.theme, rig.screen.looks.depth) = (theme, depth);
                for cell in &draw_buffer(&rig).content {
                    let both = Modifier::BOLD | Modifier::DIM;
                    assert!(!cell.modifier.contains(both), "{name} {theme:?}: {:?}", cell.symbol());
                }
            }
        }
    }
}

#[test]
fn refusals_are_shown_in_the_warning_colour() {
    let colour = |rig: &Rig| {
        let status = layout_in_lines(rig.scene().shown_position().unwrap(), rig.screen.size).status;
        let buffer = draw_buffer(rig);
        let is_end = |x: &u16| !buffer[(*x, status.y)].symbol().trim().is_empty();
        let end = (0..80).rev().find(is_end).unwrap();
        buffer[(end, status.y)].fg
    };
    let mut rig = Rig::two("quoridor", "size=9", "e2 e8", (80, 24));
    (rig.screen.looks.theme, rig.screen.looks.depth) = (Theme::Dark, ColorDepth::All);
    let palette = *Theme::Dark.palette(None).unwrap();
    assert_eq!(colour(&rig), palette.text);
    for line in ["e9", "zz", "i9h"] {
        rig.say(line);
        assert_eq!(colour(&rig), palette.refused, "{}", rig.status());
        rig.press(KeyCode::Esc);
        assert_ne!(colour(&rig), palette.refused, "{}", rig.status());
    }
    rig.press(KeyCode::Char('S'));
    assert_eq!(colour(&rig), palette.refused, "{}", rig.status());
    rig.press(KeyCode::Char('y'));
    assert_eq!(colour(&rig), palette.text, "{}", rig.status());
    // An illegal wall is shown as such before it is played.
    rig.say("e3h");
    rig.hover("e3v");
    assert_eq!(colour(&rig), palette.refused, "{}", rig.status());
    rig.hover("b6h");
    assert_eq!(colour(&rig), palette.text, "{}", rig.status());
}

#[test]
fn the_help_has_at_most_4_pages_in_80x24() {
    for (name, mut rig) in pages(GlyphSet::Unicode, (80, 24)) {
        if rig.screen.page().is_some() || name.starts_with("menu") || name == "field" {
            continue;
        }
        rig.press(KeyCode::Char('?'));
        let picture = rig.picture();
        let most = ["/1 ─", "/2 ─", "/3 ─", "/4 ─"];
        // The page covers the full width of the screen.
        for row in picture.lines().skip(3).take_while(|row| !row.contains(said!("esc-close"))) {
            assert!(row.starts_with('│') && row.chars().count() == 80, "{name}: {picture}");
        }
        assert!(most.iter().any(|most| picture.contains(most)), "{name}: {picture}");
    }
}

#[test]
fn quoridor_paths_are_explained_in_80x24() {
    let moves = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";
    let mut rig = Rig::board("quoridor", "size=9", moves, GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('p'));
    rig.press(KeyCode::Esc);
    let picture = rig.picture();
    assert!(picture.contains("Shortest paths: ▵ White, ▿ Black, ◊ both"), "{picture}");
    assert!(picture.contains("│ 1. d5h"), "beside the engine's panel: {picture}");
}

#[test]
fn the_legend_explains_the_numbers_of_the_best_moves() {
    for size in [(100, 35), (160, 50)] {
        let rig = Rig::board("quoridor", "size=9", "e2 e8", GlyphSet::Unicode, size);
        let picture = rig.picture();
        let row = picture.lines().find(|row| row.contains("1-3 best")).unwrap();
        assert!(row.trim_end().ends_with('│'), "in the frame of the legend: {picture}");
    }
}

#[test]
fn the_help_explains_the_panel_and_repeats_no_line() {
    let counted = [
        ("hex", "size=11", said!("a-safe-link-joins")),
        ("quoridor", "size=9", said!("steps-the-shortest-way")),
        ("tic-tac-toe", "size=5", said!("open-lines-how-many")),
    ];
    for (game, settings, sentence) in counted {
        let mut rig = Rig::two(game, settings, "", (80, 24));
        let status = rig.status();
        rig.act(KeyCode::Char('?'));
        let page = rig.screen.page().unwrap();
        assert!(page.lines.iter().any(|line| line.starts_with(sentence)), "{:?}", page.lines);
        assert!(
            page.lines.iter().all(|line| !status.contains(line.as_str()) || line.is_empty()),
            "{:?}",
            page.lines
        );
        // No line is repeated on another page.
        let inside = |rig: &Rig| {
            let rows = rig.picture().lines().skip(3).take(17).map(str::to_owned).collect::<Vec<_>>();
            rows.into_iter().filter(|row| row.chars().any(char::is_alphabetic)).collect::<Vec<_>>()
        };
        let mut seen = Vec::new();
        for _ in 0..4 {
            let rows = inside(&rig);
            if seen.last() == rows.last() {
                break;
            }
            assert!(rows.iter().all(|row| !seen.contains(row)), "{}", rig.picture());
            seen.extend(rows);
            rig.act(KeyCode::PageDown);
        }
    }
}
