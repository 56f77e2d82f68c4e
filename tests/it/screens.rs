//! The full screen on a terminal in memory: pictures of every page, every size, and clicks where
//! things are drawn.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crosspath::ai::EngineKind;
use crosspath::canvas::{Canvas, Glyphs};
use crosspath::game::{Refusal, RefusalCode, Side};
use crosspath::play::{Command, HistoryTarget, MatchRefusal, Mode, NewGame, PlayAs};
use crosspath::ui::tui::key_table::Context;
use crosspath::ui::tui::{draw, hit, layout};

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

use crate::rig::{Rig, report, spec};
use crate::sentences::said;
use crate::support::is_golden;

pub(crate) const SIZES: [(u16, u16); 4] = [(80, 24), (100, 35), (60, 20), (40, 12)];
pub(crate) const GLYPHS: [Glyphs; 2] = [Glyphs::Unicode, Glyphs::Ascii];

pub(crate) fn board(game: &str, settings: &str, moves: &str, glyphs: Glyphs, size: (u16, u16)) -> Rig {
    Rig::board(game, settings, moves, glyphs, size)
}

pub(crate) const QUORIDOR: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";

/// Returns every page there is, by name.
pub(crate) fn pages(glyphs: Glyphs, size: (u16, u16)) -> Vec<(&'static str, Rig)> {
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

/// Golden screens beside every page at 80x24 in Unicode: a size, a set of glyphs, pages.
const KEPT: [((u16, u16), Glyphs, &[&str]); 5] = [
    ((160, 50), Glyphs::Unicode, &["tic-tac-toe-10", "hex", "quoridor"]),
    ((100, 35), Glyphs::Unicode, &["menu-options", "hex-ways", "reviewed"]),
    ((60, 20), Glyphs::Unicode, &["menu", "hex", "quoridor-turned", "values", "reviewed"]),
    ((40, 12), Glyphs::Unicode, &["menu", "help", "tic-tac-toe-3", "hex", "quoridor", "field"]),
    ((80, 24), Glyphs::Ascii, &["menu", "tic-tac-toe-pairs", "hex", "quoridor", "wall-refused", "replay"]),
];

/// Few screens have goldens, all in one file: the laws for every page at every size are below.
#[test]
fn every_page_looks_as_agreed() {
    let mut text = String::new();
    let mut add = |name: &str, size: (u16, u16), glyphs: Glyphs, state: &Rig| {
        writeln!(text, "== {name} {}x{} {glyphs:?}\n{}", size.0, size.1, state.picture()).unwrap();
    };
    for (name, state) in pages(Glyphs::Unicode, (80, 24)) {
        add(name, (80, 24), Glyphs::Unicode, &state);
    }
    for (size, glyphs, kept) in KEPT {
        let pages = pages(glyphs, size);
        for name in kept {
            let (_, state) = pages.iter().find(|(page, _)| page == name).expect("a page of this name");
            add(name, size, glyphs, state);
        }
    }
    is_golden(&text, "tests/golden/screens.txt");
}

#[test]
fn no_size_of_the_window_is_too_strange() {
    // Every size that is small, and each width and each height at which a page may change its layout.
    fits(
        &[1, 2, 3, 5, 8, 13, 20, 27, 40, 41, 55, 60, 61, 80, 99, 130, 200],
        &[1, 2, 3, 5, 8, 12, 17, 20, 24, 35, 60],
    );
}

#[test]
#[ignore = "slow: the same in all sizes"]
fn really_no_size_of_the_window_is_too_strange() {
    fits(&(1..=200).collect::<Vec<_>>(), &(1..=60).collect::<Vec<_>>());
}

/// Checks that every page can be drawn in all these sizes.
pub(crate) fn fits(widths: &[u16], heights: &[u16]) {
    let mut pages = pages(Glyphs::Unicode, (80, 24));
    for (_, state) in &mut pages {
        for &width in widths {
            for &height in heights {
                state.screen.size = (width, height);
                let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
                terminal.draw(|frame| draw(&state.scene(), frame)).unwrap();
            }
        }
    }
}

#[test]
fn a_question_leaves_the_thought_alone() {
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    state.say("e5");
    let job = state.game().jobs()[0].id;
    for line in ["where", "history", "zz", "goto 3", "goto end"] {
        state.say(line);
        assert!(state.is_thinking() && state.game().jobs()[0].id == job, "{line}");
    }
}

#[test]
fn the_window_of_the_state_may_lag_behind_the_real_one() {
    for (_, state) in pages(Glyphs::Unicode, (80, 24)) {
        for (width, height) in [(1, 1), (10, 3), (79, 23), (200, 60)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(&state.scene(), frame)).unwrap();
        }
    }
}

#[test]
fn what_is_drawn_somewhere_is_hit_there() {
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
            let mut state = board(game, settings, "", Glyphs::Unicode, size);
            let places = layout(state.scene().shown().unwrap(), size);
            let Some(density) = places.density else { continue };
            let canvas = state.scene().canvas(density).unwrap();
            for spot in canvas.spots() {
                let at = Position {
                    x: places.board.x + u16::try_from(spot.x).unwrap(),
                    y: places.board.y + u16::try_from(spot.y).unwrap(),
                };
                assert_eq!(
                    hit(&state.scene(), at).as_deref(),
                    Some(spot.text.as_str()),
                    "{game} {settings} {size:?}"
                );
            }
            let mut known = BTreeSet::new();
            for x in 0..size.0 {
                for y in 0..size.1 {
                    let at = Position { x, y };
                    // The plain around the board is looked at here and there.
                    if !places.board.contains(at) && (x + y) % 8 > 0 {
                        continue;
                    }
                    match hit(&state.scene(), at) {
                        Some(text) if known.contains(&text) => continue,
                        Some(text) => {
                            assert!(state.scene().shown().unwrap().read(&text).is_ok(), "{text}");
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

/// A flipped board shows every place at the opposite end, and the same there; it is clicked where
/// it is drawn.
#[test]
fn a_turned_board_is_the_same_from_the_other_end() {
    for (game, settings, moves) in [
        ("hex", "size=11", "c2 swap d9 d8 g7 f4 e8 e5"),
        ("hex", "size=2", "a1"),
        ("quoridor", "size=9", QUORIDOR),
        ("quoridor", "size=3 walls=2", "b2 a1h"),
    ] {
        for size in [(80, 24), (200, 60)] {
            let mut state = board(game, settings, moves, Glyphs::Unicode, size);
            let places = layout(state.scene().shown().unwrap(), size);
            let density = places.density.unwrap();
            let straight = state.scene().canvas(density).unwrap();
            state.press(KeyCode::Char('y'));
            let turned = state.scene().canvas(density).unwrap();
            assert_eq!(straight.spots().len(), turned.spots().len());
            let mut sums = Vec::new();
            for spot in straight.spots().iter().filter(|spot| spot.layer < 2) {
                let there = turned.spots().iter().find(|there| there.text == spot.text).unwrap();
                assert_eq!(straight.at(spot.x, spot.y).0, turned.at(there.x, there.y).0, "{}", spot.text);
                let sum = (spot.layer, spot.x + there.x, spot.y + there.y);
                if !sums.contains(&sum) {
                    sums.push(sum);
                }
                assert_eq!(turned.hit(there.x, there.y), Some(spot.text.as_str()));
            }
            let layers = if game == "quoridor" { 2 } else { 1 };
            assert_eq!(sums.len(), layers, "every place lies opposite: {sums:?}");
            // The names of the first row and column stand at the far ends now.
            let first = |canvas: &Canvas| (0..canvas.height()).map(|y| canvas.row(y)).collect::<Vec<_>>();
            assert_ne!(first(&straight), first(&turned));
            state.press(KeyCode::Char('y'));
            assert_eq!(first(&straight), first(&state.scene().canvas(density).unwrap()));
        }
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    state.press(KeyCode::Char('y'));
    assert_eq!(state.status(), said!("this-board-has-no"));
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_game_that_comes_back_brings_its_score() {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", Mode::Humans), (80, 24));
    rig.moves("a1 b1 a2 b2 a3");
    rig.say("new tic-tac-toe 4");
    assert!(!rig.picture().contains("Score"));
    rig.say("undo");
    assert!(rig.picture().contains("Score   X 1   O 0   draws 0"), "{}", rig.picture());
}

#[test]
fn up_and_down_show_every_line_that_leaves_here() {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", Mode::Humans), (80, 24));
    for word in ["b2", "c2", "undo", "c3", "back"] {
        rig.say(word);
    }
    assert!(rig.status().contains(said!("up-and-down-show")), "{}", rig.status());
    let mut seen = Vec::new();
    for _ in 0..3 {
        rig.act(KeyCode::Down);
        seen.push(rig.game().shown().last().unwrap_or_default());
    }
    assert_eq!(seen[..2], ["c2".to_owned(), "c3".to_owned()], "{seen:?}");
}

#[test]
fn advice_for_the_move_of_an_engine_is_refused() {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", Mode::HumanMachine), (80, 24));
    rig.say("b2");
    assert!(rig.game().is_thinking());
    rig.say("hint");
    assert!(!rig.game().is_advising());
    assert!(rig.status().contains(said!("is-thinking")), "{}", rig.status());
}

#[test]
fn results_are_counted_while_the_game_is_played() {
    let size = (80, 24);
    let first_wins = "a1 b1 a2 b2 a3 b3 a4";
    // The person has O against a machine: it is the players who are counted.
    let second = NewGame {
        level: Some(EngineKind::Level(4)),
        play_as: PlayAs::Second,
        ..spec("tic-tac-toe", "size=4", Mode::HumanMachine)
    };
    let mut rig = Rig::of(second.clone(), size);
    assert!(!rig.picture().contains("Score"));
    rig.moves(first_wins);
    assert!(rig.picture().contains("Score   you 0   engine 1   draws 0"), "{}", rig.picture());
    rig.say("undo");
    assert!(!rig.picture().contains("Score"), "a result that is taken back does not count");
    rig.say("redo");
    assert!(rig.picture().contains("Score   you 0   engine 1   draws 0"), "{}", rig.picture());
    rig.tell(Command::New(Box::new(spec("tic-tac-toe", "size=4", Mode::Humans))));
    rig.moves(first_wins);
    assert!(rig.picture().contains("Score   X 1   O 0   draws 0"), "others play: {}", rig.picture());
    rig.say("new");
    rig.moves(first_wins);
    assert!(rig.picture().contains("Score   X 2   O 0   draws 0"), "{}", rig.picture());
    let first = NewGame { play_as: PlayAs::First, ..second.clone() };
    rig.tell(Command::New(Box::new(first.clone())));
    rig.moves(first_wins);
    assert!(rig.picture().contains("you 1   engine 0"), "{}", rig.picture());
    rig.act(KeyCode::Char('A'));
    assert_eq!(rig.you(), Some(Side::Second), "sides are exchanged");
    rig.moves(first_wins);
    assert!(rig.picture().contains("you 1   engine 1"), "sides are exchanged: {}", rig.picture());
    rig.tell(Command::New(Box::new(NewGame { level: Some(EngineKind::Level(3)), ..first })));
    assert!(!rig.picture().contains("Score"), "another level begins another score");
    let mut rig = Rig::two("tic-tac-toe", "size=4", first_wins, size);
    let over = "# crosspath tic-tac-toe size=4\na1 b1 a2 b2 a3 b3 a4\n";
    rig.load("over.txt", crate::rig::record(over));
    assert!(
        rig.picture().contains("Score   X 1"),
        "a game from a file was not played here: {}",
        rig.picture()
    );
}

#[test]
fn a_move_while_an_earlier_position_is_shown_returns_first_also_when_the_machine_thinks() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
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
fn the_reason_stands_behind_a_long_name() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    let text = format!("cannot read /tmp/{}.txt: no such file", "a".repeat(90));
    state.refuse(MatchRefusal::File(text));
    assert!(state.picture().contains("aaa.txt: no such file"), "{}", state.picture());
    state.refuse(MatchRefusal::File("short".to_owned()));
    assert!(!state.picture().contains("aaa"), "{}", state.picture());
}

#[test]
fn what_has_no_room_is_said_in_words() {
    let mut state = Rig::two("hex", "size=5", "b2 c2", (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), said!("mark-the-best-moves", "59"));
    let mut state = board("tic-tac-toe", "size=3", "a1 b1", Glyphs::Unicode, (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), said!("the-panel-needs-columns", "59"));
    let mut state = board("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3", Glyphs::Unicode, (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), said!("the-game-is-over-nothing"));
    let mut state = Rig::menu(Glyphs::Unicode, (40, 12));
    state.press(KeyCode::Char('?'));
    assert!(state.screen.page().unwrap().lines.iter().any(|line| line.starts_with(said!("x-and-o-in"))));
    // Too many words for the status line are a page.
    let mut state = board("hex", "size=11", "b2 c2", Glyphs::Unicode, (80, 24));
    state.say("legal");
    assert!(
        state.picture().contains("─ legal ─") && state.picture().contains("a1 b1"),
        "{}",
        state.picture()
    );
}

#[test]
fn the_score_is_told_in_as_many_words_as_fit() {
    for (size, moves, wanted) in [
        ("3", "a1 a2 b1 b2 c1", "Score   X 1   O 0   draws 0"),
        ("5", "a1 a2 b1 b2 c1 c2 d1 d2 e1", " X 1   O 0   draws 0"),
    ] {
        let state = Rig::two("tic-tac-toe", &format!("size={size}"), moves, (80, 24));
        assert!(state.picture().contains(wanted), "{}", state.picture());
    }
}

#[test]
fn no_wall_is_shown_when_the_game_is_over() {
    let mut state = Rig::two("quoridor", "size=3", "b2 b1", (80, 24));
    assert!(state.game().shown().outcome().is_some());
    let at = state.place("a1h").unwrap();
    state.mouse(MouseEventKind::Down(MouseButton::Left), at);
    assert_eq!(state.status(), said!("the-game-is-over-n"));
    assert_eq!(state.scene().context(), Context::Board);
}

#[test]
fn a_hint_belongs_to_its_position() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
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
fn what_is_shown_beside_the_board_stays_as_it_was_set() {
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
fn advice_is_told_from_the_thought_of_a_machine() {
    let looking = said!("looking-for-advice-esc");
    for mut state in [
        Rig::two("hex", "size=5", "b2 c2", (80, 24)),
        Rig::replay("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24)),
    ] {
        state.say("hint");
        assert_eq!(state.status(), looking);
        state.act(KeyCode::Char('t'));
        assert_eq!(state.status(), looking);
        assert_eq!(state.press(KeyCode::Esc), "move now");
    }
    let mut state = Rig::of(spec("hex", "size=5", Mode::Machines), (80, 24));
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
    // Advice about another position is looked for beside the thought about the next move.
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    state.say("d3");
    state.act(KeyCode::Char('['));
    state.act(KeyCode::Char('t'));
    assert_eq!(state.status(), looking);
    assert_eq!(state.game().jobs().len(), 2, "the engine thinks on");
}

#[test]
fn a_long_answer_takes_the_free_row_below() {
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (60, 24));
    let long = said!("the-game-is-over-here");
    state.refuse(MatchRefusal::Unread(Refusal::new(RefusalCode::GameOver, long)));
    let rows: Vec<String> = state.picture().lines().map(|row| row.trim().to_owned()).collect();
    assert_eq!(rows[21..23].join(" "), long);
}

#[test]
fn sides_last_move_and_cursor_differ_as_characters() {
    let state = board("tic-tac-toe", "size=10", "e5 f6 e6", Glyphs::Ascii, (80, 24));
    let shown = state.picture();
    assert!(shown.contains("(X)") && shown.contains('O') && shown.contains("[O]"), "{shown}");
    assert_eq!(state.scene().shown().unwrap().side_name(Side::First), "X");
}

#[test]
fn every_character_is_one_cell_wide() {
    use unicode_width::UnicodeWidthChar;
    for (name, state) in pages(Glyphs::Unicode, (100, 35)) {
        let wide: Vec<char> =
            state.picture().chars().filter(|glyph| *glyph != '\n' && glyph.width() != Some(1)).collect();
        assert!(wide.is_empty(), "{name}: {wide:?}");
    }
    for (name, state) in pages(Glyphs::Narrow, (100, 35)) {
        let wide: Vec<char> =
            state.picture().chars().filter(|glyph| *glyph != '\n' && glyph.width_cjk() != Some(1)).collect();
        assert!(wide.is_empty(), "{name}: {wide:?}");
    }
}

#[test]
fn the_engine_has_a_panel_on_every_usual_board() {
    for size in [5, 7, 9] {
        let state = board("quoridor", &format!("size={size}"), "", Glyphs::Unicode, (80, 24));
        assert!(state.picture().contains("─ Engine ─"), "{size}:\n{}", state.picture());
    }
}

#[test]
fn what_the_machine_thinks_is_shown_with_its_position_only() {
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
fn nobody_plays_on_a_position_that_is_looked_back_at() {
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    state.say("goto 2");
    state.act(KeyCode::Enter);
    assert_eq!(
        (state.status().as_str(), state.game().shown().plies()),
        (said!("back-at-the-present-position-your", "White"), 10)
    );
}

#[test]
fn clocks_stand_in_a_wide_title() {
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
fn a_page_is_scrolled_to_its_very_end_at_every_size() {
    for size in [(80, 24), (100, 35), (60, 20), (40, 12), (64, 20), (30, 8)] {
        for (game, settings) in [("hex", "size=3"), ("quoridor", "size=3"), ("tic-tac-toe", "size=3")] {
            let mut state = board(game, settings, "", Glyphs::Unicode, size);
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
fn a_page_without_the_searched_text_says_so() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    state.press(KeyCode::Char('?'));
    state.press(KeyCode::Char('/'));
    state.typed("xyzzy");
    assert!(state.picture().contains(said!("no-matches-esc-clears")));
}

#[test]
fn each_search_on_a_page_begins_empty() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    state.press(KeyCode::Char('?'));
    for word in ["undo", "review"] {
        state.press(KeyCode::Char('/'));
        state.typed(word);
        state.press(KeyCode::Enter);
        assert_eq!(state.screen.page().unwrap().filter, word);
    }
}

#[test]
fn values_are_all_shown_where_the_panel_is_small() {
    let mut state = board("tic-tac-toe", "size=3", "c3", Glyphs::Unicode, (60, 20));
    state.press(KeyCode::Char('v'));
    let shown = state.picture();
    assert!(shown.contains(said!("value-of-every-cell")) && shown.contains("draws: b2"), "{shown}");
    assert!(shown.contains(said!("loses-in-part", "3", "a1", "b1", "c1")), "{shown}");
}

#[test]
fn what_is_looked_back_at_takes_no_walls() {
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    state.say("goto 2");
    assert_eq!(state.press(KeyCode::Char('w')), "goto end");
    let down = MouseEventKind::Down(MouseButton::Left);
    let at = state.place("c4h").unwrap();
    assert_eq!(state.mouse(down, at), "c4h");
    state.tell(Command::Place("c4h".to_owned()));
    assert_eq!(state.status(), said!("back-at-the-present-position-your", "White"));
    assert_eq!(state.scene().context(), Context::Board, "no wall is held");
}

#[test]
fn edges_moves_and_keys_have_their_colours_and_what_is_chosen_is_reversed() {
    use ratatui_core::style::{Color, Modifier, Style};
    let look = |rig: &Rig, wanted: &str, nth: usize| -> Style {
        let (width, height) = rig.screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(&rig.scene(), frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let rows: Vec<Vec<&str>> =
            (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect()).collect();
        let starts =
            |(x, y): &(u16, u16)| rows[usize::from(*y)][usize::from(*x)..].concat().starts_with(wanted);
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let place = all.filter(starts).nth(nth).unwrap_or_else(|| panic!("{wanted}:\n{}", rig.picture()));
        buffer[place].style()
    };
    let hex = board("hex", "size=11", "f6 e5 d7", Glyphs::Unicode, (80, 24));
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
    let mut menu = pages(Glyphs::Unicode, (80, 24)).into_iter().find(|(name, _)| *name == "menu").unwrap().1;
    let is_reversed =
        |rig: &Rig, wanted: &str| look(rig, wanted, 0).add_modifier.contains(Modifier::REVERSED);
    assert!(is_reversed(&menu, "▸ ") && !is_reversed(&menu, "◂ "));
    menu.press(KeyCode::Tab);
    assert!(!is_reversed(&menu, "▸ ") && is_reversed(&menu, "◂ "));
    let mut undone = board("hex", "size=11", "f6 e5 d7", Glyphs::Unicode, (160, 50));
    let is_faint = |rig: &Rig| look(rig, "U redo", 0).add_modifier.contains(Modifier::DIM);
    assert!(is_faint(&undone), "nothing was taken back");
    undone.say("undo 2");
    assert!(!is_faint(&undone));
}

#[test]
fn a_narrow_window_tells_the_number_of_the_move_before_the_file() {
    let mut rig = Rig::replay("hex", "size=11", "f6 e6 g5 d8 h4", Glyphs::Unicode, (60, 24));
    for ply in 0..=5 {
        rig.tell(Command::Show(HistoryTarget::Ply(ply)));
        let picture = rig.picture();
        let title = picture.lines().next().unwrap();
        assert!(title.contains(&format!("move {ply} of 5")), "{title}");
    }
}
