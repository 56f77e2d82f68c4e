//! The full screen on a terminal in memory: pictures of every page at every size, and clicks.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crosspath::ai::EngineKind;
use crosspath::canvas::{Canvas, GlyphSet};
use crosspath::game::{Refusal, RefusalCode, Side};
use crosspath::play::{Command, GameMode, HistoryTarget, HumanSideChoice, MatchRefusal, NewGame};
use crosspath::ui::tui::key_table::KeyContext;
use crosspath::ui::tui::{draw_screen, layout_in_lines, move_at_screen_point};

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

use crate::sentences::said;
use crate::support::assert_golden;
use crate::tui_harness::{Rig, report, spec};

pub(crate) const SIZES: [(u16, u16); 4] = [(80, 24), (100, 35), (60, 20), (40, 12)];
pub(crate) const GLYPHS: [GlyphSet; 2] = [GlyphSet::Unicode, GlyphSet::Ascii];

pub(crate) fn board(game: &str, settings: &str, moves: &str, glyphs: GlyphSet, size: (u16, u16)) -> Rig {
    Rig::board(game, settings, moves, glyphs, size)
}

pub(crate) const QUORIDOR: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";

/// Returns every page with its name.
pub(crate) fn pages(glyphs: GlyphSet, size: (u16, u16)) -> Vec<(&'static str, Rig)> {
    let mut pages = Vec::new();
    pages.push(("menu", Rig::menu(glyphs, size)));
    let mut options = Rig::menu(glyphs, size);
    options.press(KeyCode::Down);
    options.press(KeyCode::Tab);
    options.press(KeyCode::Down);
    pages.push(("menu-options", options));
    pages.push(("tic-tac-toe-3", board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", glyphs, size)));
    let ten = "e5 f6 e6 e4 d5 f5 f4 g3 d7 c8 g5 c5 b2 h8 i9";
    pages.push(("tic-tac-toe-10", board("tic-tac-toe", "size=10", ten, glyphs, size)));
    let mut pairs = board("tic-tac-toe", "size=10", ten, glyphs, size);
    pairs.press(KeyCode::Char('p'));
    pages.push(("tic-tac-toe-pairs", pairs));
    let mut values = board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", glyphs, size);
    values.press(KeyCode::Char('v'));
    pages.push(("values", values));
    let hex = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    pages.push(("hex", board("hex", "size=11", hex, glyphs, size)));
    for (name, presses) in [("hex-ways", 1), ("hex-paths", 2)] {
        let mut overlay = board("hex", "size=11", hex, glyphs, size);
        (0..presses).for_each(|_| drop(overlay.press(KeyCode::Char('p'))));
        pages.push((name, overlay));
    }
    pages.push(("quoridor", board("quoridor", "size=9", QUORIDOR, glyphs, size)));
    let mut turned = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    turned.press(KeyCode::Char('y'));
    pages.push(("quoridor-turned", turned));
    let mut allowed = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    allowed.hover("d5h");
    pages.push(("wall-allowed", allowed));
    let mut refused = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    refused.hover("e3h");
    refused.press(KeyCode::Char('p'));
    pages.push(("wall-refused", refused));
    let mut field = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    field.typed(":goto 3");
    pages.push(("field", field));
    let mut help = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    help.press(KeyCode::Char('?'));
    pages.push(("help", help));
    let mut hint = board("tic-tac-toe", "size=3", "b2 a1 c3", glyphs, size);
    hint.act(KeyCode::Char('t'));
    hint.answer("a3", report());
    pages.push(("hint", hint));
    let mut replay = Rig::replay("quoridor", "size=9", QUORIDOR, glyphs, size);
    replay.say("goto 7");
    pages.push(("replay", replay));
    let mut reviewed = crate::review::replay(glyphs, size);
    reviewed.act(KeyCode::Char('a'));
    crate::review::answer_all(&mut reviewed, 30);
    pages.push(("reviewed", reviewed));
    let mut end = board("tic-tac-toe", "size=3", "a1 b1 a2 b2", glyphs, size);
    end.say("a3");
    pages.push(("over", end));
    let mut thinking = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    thinking.say("e5");
    thinking.think(&report());
    pages.push(("thinking", thinking));
    pages
}

/// Golden screens in addition to every page at 80x24 in Unicode: size, glyph set, pages.
const GOLDEN_SCREENS: [((u16, u16), GlyphSet, &[&str]); 5] = [
    ((160, 50), GlyphSet::Unicode, &["tic-tac-toe-10", "hex", "quoridor"]),
    ((100, 35), GlyphSet::Unicode, &["menu-options", "hex-ways", "reviewed"]),
    ((60, 20), GlyphSet::Unicode, &["menu", "hex", "quoridor-turned", "values", "reviewed"]),
    ((40, 12), GlyphSet::Unicode, &["menu", "help", "tic-tac-toe-3", "hex", "quoridor", "field"]),
    ((80, 24), GlyphSet::Ascii, &["menu", "tic-tac-toe-pairs", "hex", "quoridor", "wall-refused", "replay"]),
];

/// Few screens are golden, all in one file. `screen_laws.rs` checks every page at every size.
#[test]
fn every_page_matches_its_golden_screen() {
    let mut text = String::new();
    let mut add = |name: &str, size: (u16, u16), glyphs: GlyphSet, state: &Rig| {
        writeln!(text, "== {name} {}x{} {glyphs:?}\n{}", size.0, size.1, state.picture()).unwrap();
    };
    for (name, state) in pages(GlyphSet::Unicode, (80, 24)) {
        add(name, (80, 24), GlyphSet::Unicode, &state);
    }
    for (size, glyphs, kept) in GOLDEN_SCREENS {
        let pages = pages(glyphs, size);
        for name in kept {
            let (_, state) = pages.iter().find(|(page, _)| page == name).expect("a page of this name");
            add(name, size, glyphs, state);
        }
    }
    assert_golden(&text, "tests/golden/screens.txt");
}

#[test]
fn small_and_unusual_window_sizes_are_drawn() {
    // All small sizes, and each width and height at which a page may change its layout.
    fits(
        &[1, 2, 3, 5, 8, 13, 20, 27, 40, 41, 55, 60, 61, 80, 99, 130, 200],
        &[1, 2, 3, 5, 8, 12, 17, 20, 24, 35, 60],
    );
}

#[test]
#[ignore = "slow: the same in all sizes"]
fn every_window_size_is_drawn() {
    fits(&(1..=200).collect::<Vec<_>>(), &(1..=60).collect::<Vec<_>>());
}

/// Checks that every page can be drawn at all these sizes.
pub(crate) fn fits(widths: &[u16], heights: &[u16]) {
    let mut pages = pages(GlyphSet::Unicode, (80, 24));
    for (_, state) in &mut pages {
        for &width in widths {
            for &height in heights {
                state.screen.size = (width, height);
                let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
                terminal.draw(|frame| draw_screen(&state.scene(), frame)).unwrap();
            }
        }
    }
}

#[test]
fn a_question_does_not_interrupt_the_engine() {
    let mut state = board("quoridor", "size=9", QUORIDOR, GlyphSet::Unicode, (80, 24));
    state.say("e5");
    let job = state.game().engine_jobs()[0].id;
    for line in ["where", "history", "zz", "goto 3", "goto end"] {
        state.say(line);
        assert!(state.is_thinking() && state.game().engine_jobs()[0].id == job, "{line}");
    }
}

#[test]
fn drawing_works_before_a_resize_is_processed() {
    for (_, state) in pages(GlyphSet::Unicode, (80, 24)) {
        for (width, height) in [(1, 1), (10, 3), (79, 23), (200, 60)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw_screen(&state.scene(), frame)).unwrap();
        }
    }
}

#[test]
fn clicks_hit_the_drawn_cell() {
    for (game, settings) in [
        ("tic-tac-toe", "size=1"),
        ("tic-tac-toe", "size=3"),
        ("tic-tac-toe", "size=10"),
        ("hex", "size=1"),
        ("hex", "size=11"),
        ("quoridor", "size=3"),
        ("quoridor", "size=9"),
    ] {
        for size in [(80, 24), (100, 35), (60, 26), (150, 60), (41, 24)] {
            let mut state = board(game, settings, "", GlyphSet::Unicode, size);
            let places = layout_in_lines(state.scene().shown_position().unwrap(), size);
            let Some(density) = places.density else { continue };
            let canvas = state.scene().paint_board(density).unwrap();
            for spot in canvas.spots() {
                let at = Position {
                    x: places.board.x + u16::try_from(spot.x).unwrap(),
                    y: places.board.y + u16::try_from(spot.y).unwrap(),
                };
                assert_eq!(
                    move_at_screen_point(&state.scene(), at).as_deref(),
                    Some(spot.text.as_str()),
                    "{game} {settings} {size:?}"
                );
            }
            let mut known = BTreeSet::new();
            for x in 0..size.0 {
                for y in 0..size.1 {
                    let at = Position { x, y };
                    // The area around the board is only sampled.
                    if !places.board.contains(at) && (x + y) % 8 > 0 {
                        continue;
                    }
                    match move_at_screen_point(&state.scene(), at) {
                        Some(text) if known.contains(&text) => continue,
                        Some(text) => {
                            let shown = state.scene().shown_position().unwrap();
                            assert!(shown.normalize_move(&text).is_ok(), "{text}");
                            known.insert(text);
                        }
                        None => {}
                    }
                    state.mouse(MouseEventKind::Moved, at);
                }
            }
        }
    }
}

/// A flipped board shows each cell at the opposite end, where it can be clicked.
#[test]
fn a_flipped_board_shows_each_cell_at_the_opposite_end() {
    for (game, settings, moves) in [
        ("hex", "size=11", "c2 swap d9 d8 g7 f4 e8 e5"),
        ("hex", "size=2", "a1"),
        ("quoridor", "size=9", QUORIDOR),
        ("quoridor", "size=3 walls=2", "b2 a1h"),
    ] {
        for size in [(80, 24), (200, 60)] {
            let mut state = board(game, settings, moves, GlyphSet::Unicode, size);
            let places = layout_in_lines(state.scene().shown_position().unwrap(), size);
            let density = places.density.unwrap();
            let straight = state.scene().paint_board(density).unwrap();
            state.press(KeyCode::Char('y'));
            let turned = state.scene().paint_board(density).unwrap();
            assert_eq!(straight.spots().len(), turned.spots().len());
            let mut sums = Vec::new();
            for spot in straight.spots().iter().filter(|spot| spot.layer < 2) {
                let there = turned.spots().iter().find(|there| there.text == spot.text).unwrap();
                let seen = turned.glyph_at(there.x, there.y).0;
                assert_eq!(straight.glyph_at(spot.x, spot.y).0, seen, "{}", spot.text);
                let sum = (spot.layer, spot.x + there.x, spot.y + there.y);
                if !sums.contains(&sum) {
                    sums.push(sum);
                }
                assert_eq!(turned.move_at(there.x, there.y), Some(spot.text.as_str()));
            }
            let layers = if game == "quoridor" { 2 } else { 1 };
            assert_eq!(sums.len(), layers, "every place lies opposite: {sums:?}");
            // The labels of the first row and column are now at the far ends.
            let first =
                |canvas: &Canvas| (0..canvas.height()).map(|y| canvas.row_text(y)).collect::<Vec<_>>();
            assert_ne!(first(&straight), first(&turned));
            state.press(KeyCode::Char('y'));
            assert_eq!(first(&straight), first(&state.scene().paint_board(density).unwrap()));
        }
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", GlyphSet::Unicode, (80, 24));
    state.press(KeyCode::Char('y'));
    assert_eq!(state.status(), said!("this-board-has-no"));
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn returning_to_a_game_restores_its_score() {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", GameMode::Humans), (80, 24));
    rig.moves("a1 b1 a2 b2 a3");
    rig.say("new tic-tac-toe 4");
    assert!(!rig.picture().contains("Score"));
    rig.say("undo");
    assert!(rig.picture().contains("Score   X 1   O 0   draws 0"), "{}", rig.picture());
}

#[test]
fn up_and_down_show_every_variation_of_the_position() {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", GameMode::Humans), (80, 24));
    for word in ["b2", "c2", "undo", "c3", "back"] {
        rig.say(word);
    }
    assert!(rig.status().contains(said!("up-and-down-show")), "{}", rig.status());
    let mut seen = Vec::new();
    for _ in 0..3 {
        rig.act(KeyCode::Down);
        seen.push(rig.game().shown_position().last_move().unwrap_or_default());
    }
    assert_eq!(seen[..2], ["c2".to_owned(), "c3".to_owned()], "{seen:?}");
}

#[test]
fn a_hint_on_the_engines_turn_is_refused() {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", GameMode::HumanMachine), (80, 24));
    rig.say("b2");
    assert!(rig.game().is_thinking());
    rig.say("hint");
    assert!(!rig.game().is_advising());
    assert!(rig.status().contains(said!("is-thinking")), "{}", rig.status());
}

#[test]
fn the_score_is_shown_during_the_game() {
    let size = (80, 24);
    let first_wins = "a1 b1 a2 b2 a3 b3 a4";
    // The player has O against an engine. The score counts players, not sides.
    let second = NewGame {
        level: Some(EngineKind::Level(4)),
        play_as: HumanSideChoice::Second,
        ..spec("tic-tac-toe", "size=4", GameMode::HumanMachine)
    };
    let mut rig = Rig::of(second.clone(), size);
    assert!(!rig.picture().contains("Score"));
    rig.moves(first_wins);
    assert!(rig.picture().contains("Score   you 0   engine 1   draws 0"), "{}", rig.picture());
    rig.say("undo");
    assert!(!rig.picture().contains("Score"), "a result that is taken back does not count");
    rig.say("redo");
    assert!(rig.picture().contains("Score   you 0   engine 1   draws 0"), "{}", rig.picture());
    rig.execute(Command::New(Box::new(spec("tic-tac-toe", "size=4", GameMode::Humans))));
    rig.moves(first_wins);
    assert!(rig.picture().contains("Score   X 1   O 0   draws 0"), "others play: {}", rig.picture());
    rig.say("new");
    rig.moves(first_wins);
    assert!(rig.picture().contains("Score   X 2   O 0   draws 0"), "{}", rig.picture());
    let first = NewGame { play_as: HumanSideChoice::First, ..second.clone() };
    rig.execute(Command::New(Box::new(first.clone())));
    rig.moves(first_wins);
    assert!(rig.picture().contains("you 1   engine 0"), "{}", rig.picture());
    rig.act(KeyCode::Char('A'));
    assert_eq!(rig.you(), Some(Side::Second), "sides are exchanged");
    rig.moves(first_wins);
    assert!(rig.picture().contains("you 1   engine 1"), "sides are exchanged: {}", rig.picture());
    rig.execute(Command::New(Box::new(NewGame { level: Some(EngineKind::Level(3)), ..first })));
    assert!(!rig.picture().contains("Score"), "another level begins another score");
    let mut rig = Rig::two("tic-tac-toe", "size=4", first_wins, size);
    let over = "# crosspath tic-tac-toe size=4\na1 b1 a2 b2 a3 b3 a4\n";
    rig.load("over.txt", crate::tui_harness::record(over));
    assert!(
        rig.picture().contains("Score   X 1"),
        "a game from a file was not played here: {}",
        rig.picture()
    );
}

#[test]
fn a_move_typed_in_the_history_first_returns_to_the_present() {
    let mut state = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    state.say("d3");
    assert!(state.is_thinking());
    state.act(KeyCode::Char('['));
    assert!(state.picture().contains(said!("looking-at-move-of-part", "2", "3")), "{}", state.picture());
    state.press(KeyCode::Char('R'));
    assert_eq!(state.status(), said!("the-engine-is-thinking-esc"));
    state.typed("d4");
    state.act(KeyCode::Enter);
    assert!(!state.picture().contains(said!("looking-at")), "{}", state.picture());
    assert_eq!(state.status(), said!("is-played-is-thinking-esc", "d3", "Blue"));
    assert_eq!(state.game().present_position().plies(), 3, "nothing was played");
}

#[test]
fn the_reason_is_shown_after_a_long_file_name() {
    let mut state = board("quoridor", "size=9", "", GlyphSet::Unicode, (80, 24));
    let text = format!("cannot read /tmp/{}.txt: no such file", "a".repeat(90));
    state.refuse(MatchRefusal::File(text));
    assert!(state.picture().contains("aaa.txt: no such file"), "{}", state.picture());
    state.refuse(MatchRefusal::File("short".to_owned()));
    assert!(!state.picture().contains("aaa"), "{}", state.picture());
}

#[test]
fn truncated_panels_show_a_note() {
    let mut state = Rig::two("hex", "size=5", "b2 c2", (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), said!("mark-the-best-moves", "59"));
    let mut state = board("tic-tac-toe", "size=3", "a1 b1", GlyphSet::Unicode, (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), said!("the-panel-needs-columns", "59"));
    let mut state = board("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3", GlyphSet::Unicode, (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), said!("the-game-is-over-nothing"));
    let mut state = Rig::menu(GlyphSet::Unicode, (40, 12));
    state.press(KeyCode::Char('?'));
    assert!(state.screen.page().unwrap().lines.iter().any(|line| line.starts_with(said!("x-and-o-in"))));
    // Text that is too long for the status line opens a page.
    let mut state = board("hex", "size=11", "b2 c2", GlyphSet::Unicode, (80, 24));
    state.say("legal");
    assert!(
        state.picture().contains("─ legal ─") && state.picture().contains("a1 b1"),
        "{}",
        state.picture()
    );
}

#[test]
fn the_score_is_shortened_to_fit() {
    for (size, moves, wanted) in [
        ("3", "a1 a2 b1 b2 c1", "Score   X 1   O 0   draws 0"),
        ("5", "a1 a2 b1 b2 c1 c2 d1 d2 e1", " X 1   O 0   draws 0"),
    ] {
        let state = Rig::two("tic-tac-toe", &format!("size={size}"), moves, (80, 24));
        assert!(state.picture().contains(wanted), "{}", state.picture());
    }
}

#[test]
fn no_wall_preview_is_shown_after_the_game() {
    let mut state = Rig::two("quoridor", "size=3", "b2 b1", (80, 24));
    assert!(state.game().shown_position().outcome().is_some());
    let at = state.place("a1h").unwrap();
    state.mouse(MouseEventKind::Down(MouseButton::Left), at);
    assert_eq!(state.status(), said!("the-game-is-over-n"));
    assert_eq!(state.scene().key_context(), KeyContext::Board);
}

#[test]
fn a_hint_is_shown_only_at_its_position() {
    let mut state = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    state.say("hint");
    state.answer("d4", report());
    let has_hint =
        |state: &Rig| state.picture().lines().any(|row| row.contains('>') && !row.contains("hint"));
    assert!(has_hint(&state), "{}", state.picture());
    state.say("goto 1");
    assert!(!has_hint(&state), "{}", state.picture());
    state.say("goto end");
    assert!(has_hint(&state), "{}", state.picture());
    state.say("d3");
    assert!(!has_hint(&state), "{}", state.picture());
    state.say("undo");
    assert!(has_hint(&state), "every position keeps its own: {}", state.picture());
}

#[test]
fn the_choice_of_panel_lasts_into_the_next_game() {
    let mut state = Rig::two("tic-tac-toe", "size=3", "", (80, 24));
    assert!(!state.picture().contains(said!("value-of-every-cell")));
    state.press(KeyCode::Char('v'));
    assert!(state.picture().contains(said!("value-of-every-cell")));
    state.moves("a1 b1 a2 b2 a3");
    assert!(state.picture().contains("X WON"), "{}", state.picture());
    assert!(!state.picture().contains(said!("value-of-every-cell")), "{}", state.picture());
    state.say("new");
    assert!(state.picture().contains(said!("value-of-every-cell")), "{}", state.picture());
}

#[test]
fn a_hint_is_distinct_from_an_engine_search() {
    let looking = said!("looking-for-advice-esc");
    for mut state in [
        Rig::two("hex", "size=5", "b2 c2", (80, 24)),
        Rig::replay("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24)),
    ] {
        state.say("hint");
        assert_eq!(state.status(), looking);
        state.act(KeyCode::Char('t'));
        assert_eq!(state.status(), looking);
        assert_eq!(state.press(KeyCode::Esc), "move now");
    }
    let mut state = Rig::of(spec("hex", "size=5", GameMode::Machines), (80, 24));
    assert_eq!(state.status(), said!("the-first-position-of", "0"));
    state.now = std::time::Duration::from_secs(1);
    state.tick();
    assert_eq!(state.status(), said!("is-thinking-esc-plays", "Red"));
    state.act(KeyCode::Char('x'));
    assert_eq!(state.status(), said!("two-machines-play-space"));
    state.act(KeyCode::Char(' '));
    assert_eq!(state.status(), said!("they-stop-after-this"));
    state.answer("c3", report());
    assert!(
        !state.is_thinking() && state.picture().contains(said!("stopped-move-of", "1", "1")),
        "{}",
        state.picture()
    );
    // A hint for another position is computed in parallel to the next engine move.
    let mut state = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    state.say("d3");
    state.act(KeyCode::Char('['));
    state.act(KeyCode::Char('t'));
    assert_eq!(state.status(), looking);
    assert_eq!(state.game().engine_jobs().len(), 2, "the engine thinks on");
}

#[test]
fn a_long_message_uses_the_free_row_below() {
    let mut state = board("tic-tac-toe", "size=3", "b2", GlyphSet::Unicode, (60, 24));
    let long = said!("the-game-is-over-here");
    state.refuse(MatchRefusal::Unread(Refusal::new(RefusalCode::GameOver, long)));
    let rows: Vec<String> = state.picture().lines().map(|row| row.trim().to_owned()).collect();
    assert_eq!(rows[21..23].join(" "), long);
}

#[test]
fn sides_last_move_and_cursor_have_different_characters() {
    let state = board("tic-tac-toe", "size=10", "e5 f6 e6", GlyphSet::Ascii, (80, 24));
    let shown = state.picture();
    assert!(shown.contains("(X)") && shown.contains('O') && shown.contains("[O]"), "{shown}");
    assert_eq!(state.scene().shown_position().unwrap().side_name(Side::First), "X");
}

#[test]
fn every_character_is_one_cell_wide() {
    use unicode_width::UnicodeWidthChar;
    for (name, state) in pages(GlyphSet::Unicode, (100, 35)) {
        let wide: Vec<char> =
            state.picture().chars().filter(|glyph| *glyph != '\n' && glyph.width() != Some(1)).collect();
        assert!(wide.is_empty(), "{name}: {wide:?}");
    }
    for (name, state) in pages(GlyphSet::Narrow, (100, 35)) {
        let wide: Vec<char> =
            state.picture().chars().filter(|glyph| *glyph != '\n' && glyph.width_cjk() != Some(1)).collect();
        assert!(wide.is_empty(), "{name}: {wide:?}");
    }
}

#[test]
fn the_engine_panel_fits_on_every_usual_board() {
    for size in [5, 7, 9] {
        let state = board("quoridor", &format!("size={size}"), "", GlyphSet::Unicode, (80, 24));
        assert!(state.picture().contains("─ Engine ─"), "{size}:\n{}", state.picture());
    }
}

#[test]
fn an_analysis_is_shown_only_at_its_position() {
    let mut state = Rig::two("hex", "size=11 swap=off", "c2 f6 d9 d8", (80, 24));
    let shows = |state: &Rig| state.picture().contains("40%");
    state.act(KeyCode::Char('v'));
    state.think(&report());
    assert!(shows(&state));
    state.say("undo 2");
    assert!(!shows(&state), "taken back");
    state.say("redo 2");
    assert!(shows(&state), "played again");
    state.say("goto 3");
    assert!(!shows(&state), "an earlier position has numbers of its own");
    state.say("goto 4");
    assert!(shows(&state), "looked at again");
    state.say("new");
    state.moves("a1 b2 c3 d4");
    assert!(!shows(&state), "another game");
}

#[test]
fn enter_in_the_history_returns_to_the_present_position() {
    let mut state = board("quoridor", "size=9", QUORIDOR, GlyphSet::Unicode, (80, 24));
    state.say("goto 2");
    state.act(KeyCode::Enter);
    assert_eq!(
        (state.status().as_str(), state.game().shown_position().plies()),
        (said!("back-at-the-present-position-your", "White"), 10)
    );
}

#[test]
fn a_wide_title_shows_the_clocks() {
    for (width, is_there) in [(100, true), (99, false)] {
        let mut state = Rig::two("hex", "size=11", "", (width, 35));
        state.screen.has_clocks = true;
        state.now = std::time::Duration::from_secs(42);
        state.say("c3");
        state.now += std::time::Duration::from_secs(67);
        state.say("d4");
        let used = if is_there { "time used ● 0:42 ○ 1:07" } else { "" };
        assert!(state.picture().lines().next().unwrap().contains(used), "{used}");
        assert_eq!(state.picture().lines().next().unwrap().contains(said!("time-used")), is_there);
    }
}

#[test]
fn every_page_scrolls_to_its_end_at_every_size() {
    for size in [(80, 24), (100, 35), (60, 20), (40, 12), (64, 20), (30, 8)] {
        for (game, settings) in [("hex", "size=3"), ("quoridor", "size=3"), ("tic-tac-toe", "size=3")] {
            let mut state = board(game, settings, "", GlyphSet::Unicode, size);
            state.press(KeyCode::Char('?'));
            let mut ends = Vec::new();
            state.press(KeyCode::End);
            ends.push(state.picture());
            for key in [KeyCode::Down, KeyCode::PageDown] {
                state.press(key);
                ends.push(state.picture());
            }
            let (end, title) = (&ends[0], format!("{game} at {size:?}"));
            let last = &state.screen.page().unwrap().lines.last().unwrap();
            let word = last.split_whitespace().last().unwrap();
            assert!(end.contains(word), "{title}: {last}\n{end}");
            assert_eq!(ends[0], ends[1], "{title}");
            assert_eq!(ends[0], ends[2], "{title}");
            let pages = |text: &str| -> (u32, u32) {
                let row = text.lines().find(|row| row.contains("Keys:")).unwrap();
                let word = row.split_whitespace().find(|word| word.contains('/')).unwrap();
                let (here, all) = word.split_once('/').unwrap();
                (here.parse().unwrap(), all.parse().unwrap())
            };
            if size.0 > 20 {
                let (last, all) = pages(end);
                assert_eq!(last, all, "{title}");
                state.press(KeyCode::Home);
                assert_eq!(pages(&state.picture()), (1, all), "{title}: the number of pages stays");
            }
        }
    }
}

#[test]
fn a_search_without_matches_says_so() {
    let mut state = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    state.press(KeyCode::Char('?'));
    state.press(KeyCode::Char('/'));
    state.typed("xyzzy");
    assert!(state.picture().contains(said!("no-matches-esc-clears")));
}

#[test]
fn every_page_search_starts_empty() {
    let mut state = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    state.press(KeyCode::Char('?'));
    for word in ["undo", "review"] {
        state.press(KeyCode::Char('/'));
        state.typed(word);
        state.press(KeyCode::Enter);
        assert_eq!(state.screen.page().unwrap().filter, word);
    }
}

#[test]
fn a_small_panel_shows_all_values() {
    let mut state = board("tic-tac-toe", "size=3", "c3", GlyphSet::Unicode, (60, 20));
    state.press(KeyCode::Char('v'));
    let shown = state.picture();
    assert!(shown.contains(said!("value-of-every-cell")) && shown.contains("draws: b2"), "{shown}");
    assert!(shown.contains(said!("loses-in-part", "3", "a1", "b1", "c1")), "{shown}");
}

#[test]
fn walls_cannot_be_placed_in_the_history() {
    let mut state = board("quoridor", "size=9", QUORIDOR, GlyphSet::Unicode, (80, 24));
    state.say("goto 2");
    assert_eq!(state.press(KeyCode::Char('w')), "goto end");
    let down = MouseEventKind::Down(MouseButton::Left);
    let at = state.place("c4h").unwrap();
    assert_eq!(state.mouse(down, at), "c4h");
    state.execute(Command::Place("c4h".to_owned()));
    assert_eq!(state.status(), said!("back-at-the-present-position-your", "White"));
    assert_eq!(state.scene().key_context(), KeyContext::Board, "no wall is held");
}

#[test]
fn edges_moves_and_keys_are_coloured_and_the_selection_is_reversed() {
    use ratatui_core::style::{Color, Modifier, Style};
    let look = |rig: &Rig, wanted: &str, nth: usize| -> Style {
        let (width, height) = rig.screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw_screen(&rig.scene(), frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let rows: Vec<Vec<&str>> =
            (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect()).collect();
        let starts =
            |(x, y): &(u16, u16)| rows[usize::from(*y)][usize::from(*x)..].concat().starts_with(wanted);
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let place = all.filter(starts).nth(nth).unwrap_or_else(|| panic!("{wanted}:\n{}", rig.picture()));
        buffer[place].style()
    };
    let hex = board("hex", "size=11", "f6 e5 d7", GlyphSet::Unicode, (80, 24));
    for (wanted, nth, colour) in [
        ("═", 0, Color::LightRed),
        ("╲", 0, Color::LightBlue),
        ("d7", 0, Color::LightRed),
        ("e5", 0, Color::LightBlue),
    ] {
        assert_eq!(look(&hex, wanted, nth).fg, Some(colour), "{wanted}");
    }
    let heading = look(&hex, "Moves", 0);
    assert!(heading.add_modifier.contains(Modifier::BOLD) && !heading.add_modifier.contains(Modifier::DIM));
    let mut menu =
        pages(GlyphSet::Unicode, (80, 24)).into_iter().find(|(name, _)| *name == "menu").unwrap().1;
    let is_reversed =
        |rig: &Rig, wanted: &str| look(rig, wanted, 0).add_modifier.contains(Modifier::REVERSED);
    assert!(is_reversed(&menu, "▸ ") && !is_reversed(&menu, "◂ "));
    menu.press(KeyCode::Tab);
    assert!(!is_reversed(&menu, "▸ ") && is_reversed(&menu, "◂ "));
    let mut undone = board("hex", "size=11", "f6 e5 d7", GlyphSet::Unicode, (160, 50));
    let is_faint = |rig: &Rig| look(rig, "U redo", 0).add_modifier.contains(Modifier::DIM);
    assert!(is_faint(&undone), "nothing was taken back");
    undone.say("undo 2");
    assert!(!is_faint(&undone));
}

#[test]
fn a_narrow_title_shows_the_move_number_before_the_file_name() {
    let mut rig = Rig::replay("hex", "size=11", "f6 e6 g5 d8 h4", GlyphSet::Unicode, (60, 24));
    for ply in 0..=5 {
        rig.execute(Command::Show(HistoryTarget::Ply(ply)));
        let picture = rig.picture();
        let title = picture.lines().next().unwrap();
        assert!(title.contains(&format!("move {ply} of 5")), "{title}");
    }
}
