//! The full screen on a terminal of memory: pictures of every page, every size, and clicks where things are drawn.

use std::collections::BTreeSet;
use std::ffi::OsString;

use crosspath::ai::Level;
use crosspath::canvas::{Canvas, Glyphs, PaintOptions, Role};
use crosspath::cli;
use crosspath::game::{Refusal, Side};
use crosspath::play::{Command, MatchRefusal, Mode, NewGame, PlayAs};
use crosspath::random::stream;
use crosspath::registry;
use crosspath::ui::kept::Kept;
use crosspath::ui::tui::actions::{Action, Context, KEY_BINDINGS, Key};
use crosspath::ui::tui::{Event, Menu, Theme, draw, hit, layout};

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use rand::RngExt;
use ratatui_core::backend::TestBackend;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

use crate::rig::{Rig, history, in_words, report, spec};
use crate::support::is_golden;

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 35), (60, 20), (40, 12)];
const GLYPHS: [Glyphs; 2] = [Glyphs::Unicode, Glyphs::Ascii];

fn board(game: &str, settings: &str, moves: &str, glyphs: Glyphs, size: (u16, u16)) -> Rig {
    Rig::board(game, settings, moves, glyphs, size)
}

const QUORIDOR: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";

/// Every page there is, by name.
fn pages(glyphs: Glyphs, size: (u16, u16)) -> Vec<(&'static str, Rig)> {
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
    let mut values = board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", glyphs, size);
    values.press(KeyCode::Char('v'));
    pages.push(("values", values));
    let hex = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    pages.push(("hex", board("hex", "size=11", hex, glyphs, size)));
    let mut paths = board("hex", "size=11", hex, glyphs, size);
    for _ in 0..3 {
        paths.press(KeyCode::Char('p'));
    }
    pages.push(("hex-paths", paths));
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
    let mut end = board("tic-tac-toe", "size=3", "a1 b1 a2 b2", glyphs, size);
    end.say("a3");
    pages.push(("over", end));
    let mut thinking = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    thinking.say("e5");
    thinking.think(&report());
    pages.push(("thinking", thinking));
    pages
}

#[test]
fn every_page_looks_as_agreed() {
    for glyphs in GLYPHS {
        for size in SIZES {
            for (name, state) in pages(glyphs, size) {
                let set = if glyphs == Glyphs::Unicode { "unicode" } else { "ascii" };
                let name = format!("{name}-{}x{}-{set}", size.0, size.1);
                let picture = state.picture();
                if glyphs == Glyphs::Ascii {
                    assert!(picture.is_ascii(), "{name}:\n{picture}");
                }
                is_golden(&picture, &format!("tests/golden/screens/{name}.txt"));
            }
        }
    }
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

/// Every page can be drawn in all these sizes.
fn fits(widths: &[u16], heights: &[u16]) {
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

/// A turned board shows every place at the opposite end, and the same there; it is clicked where it is drawn.
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
            let mut sums = BTreeSet::new();
            for spot in straight.spots().iter().filter(|spot| spot.layer < 2) {
                let there = turned.spots().iter().find(|there| there.text == spot.text).unwrap();
                assert_eq!(straight.at(spot.x, spot.y).0, turned.at(there.x, there.y).0, "{}", spot.text);
                sums.insert((spot.layer, spot.x + there.x, spot.y + there.y));
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
    assert_eq!(state.status(), "This board has no other side to view from.");
}

#[test]
fn the_key_for_paths_goes_through_everything_and_ends_with_the_board_alone() {
    let mut state = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", Glyphs::Unicode, (80, 24));
    let bare = state.picture();
    let mut seen = vec![];
    loop {
        state.press(KeyCode::Char('p'));
        if state.status() == "The board alone." {
            break;
        }
        seen.push(state.status().clone());
        let drawn = state.picture();
        assert!(seen.len() < 9, "{seen:?}");
        let board = |text: &str| text.lines().take(19).map(str::to_owned).collect::<Vec<_>>();
        assert_ne!(board(&bare), board(&drawn), "{}", state.status());
    }
    assert_eq!(
        seen,
        [
            "Blue: safe links (-). p shows the next one.",
            "Red: safe links (-). p shows the next one.",
            "Paths as classic sees them: r Red's, b Blue's, & both. p shows the next one.",
            "What each cell weighs for Red, as classic sees it. p shows the next one.",
            "What each cell weighs for Blue, as classic sees it. p shows the next one.",
        ]
    );
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    for said in [
        "White: shortest way (⋅). p shows the next one.",
        "Black: shortest way (⋅). p shows the next one.",
        "The board alone.",
    ] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), said);
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    state.press(KeyCode::Char('p'));
    assert_eq!(state.status(), "This game has nothing to show on its board.");
}

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
    assert!(rig.status().contains("Up and down show other lines"), "{}", rig.status());
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
    assert!(rig.status().contains("is thinking"), "{}", rig.status());
}

#[test]
fn results_are_counted_while_the_game_is_played() {
    let size = (80, 24);
    let first_wins = "a1 b1 a2 b2 a3 b3 a4";
    // The person has O against a machine: it is the players who are counted.
    let second = NewGame {
        level: Some(Level::Number(4)),
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
    rig.tell(Command::New(Box::new(NewGame { level: Some(Level::Number(3)), ..first })));
    assert!(!rig.picture().contains("Score"), "another level begins another score");
    let mut rig = Rig::two("tic-tac-toe", "size=4", first_wins, size);
    let over = "# crosspath tic-tac-toe size=4\na1 b1 a2 b2 a3 b3 a4\n";
    rig.tell(Command::Load("over.txt".into(), Box::new(crate::rig::record(over))));
    assert!(
        rig.picture().contains("Score   X 1"),
        "a game from a file was not played here: {}",
        rig.picture()
    );
}

#[test]
fn what_lies_over_the_board_keeps_its_side_and_ends_with_the_game() {
    let mut state = Rig::two("hex", "size=5 swap=off", "b2", (100, 35));
    state.press(KeyCode::Char('p'));
    assert!(state.status().starts_with("Blue: "), "the side to move comes first: {}", state.status());
    let density = layout(state.scene().shown().unwrap(), state.screen.size).density.unwrap();
    let links = |state: &Rig| {
        let canvas = state.scene().canvas(density).unwrap();
        let cells = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        cells.filter(|&(x, y)| canvas.at(x, y) == ('-', Role::Path)).count()
    };
    assert_eq!(links(&state), 0, "Blue has no stone");
    state.say("b4");
    assert!(links(&state) > 0, "Blue's links, though Red is to move: {}", state.picture());
    state.press(KeyCode::Char('p'));
    assert!(state.status().starts_with("Red: "), "{}", state.status());
    // Nothing is announced that is not there.
    let mut state = Rig::two("hex", "size=2 swap=off", "a1 b1 a2", (100, 35));
    assert!(state.game().shown().outcome().is_some());
    for _ in 0..10 {
        state.press(KeyCode::Char('p'));
        let (is_named, is_empty) = (
            state.status().ends_with("p shows the next one."),
            state.status().starts_with("The game is over:"),
        );
        assert!(is_named || is_empty, "{}", state.status());
        assert!(!state.status().contains("weighs"), "{}", state.status());
    }
}

#[test]
fn giving_up_is_no_longer_offered_after_another_key() {
    for key in [KeyCode::Up, KeyCode::Char('v'), KeyCode::Char('y')] {
        let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
        state.press(KeyCode::Char('R'));
        assert!(state.status().starts_with("Press R again"));
        state.press(key);
        assert!(!state.status().starts_with("Press R again"), "{key:?}");
        assert_eq!(state.press(KeyCode::Char('R')), "");
        assert_eq!(state.press(KeyCode::Char('R')), "resign");
    }
}

#[test]
fn a_move_while_an_earlier_position_is_shown_returns_first_also_when_the_machine_thinks() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    state.say("d3");
    assert!(state.is_thinking());
    state.act(KeyCode::Char('['));
    assert!(state.picture().contains("looking at move 2 of 3"), "{}", state.picture());
    state.press(KeyCode::Char('R'));
    assert_eq!(state.status(), "The engine is thinking. Esc shows the present position.");
    state.typed("d4");
    state.act(KeyCode::Enter);
    assert!(!state.picture().contains("looking at"), "{}", state.picture());
    assert_eq!(state.status(), "d3 is played. Blue is thinking. Esc plays its best move so far.");
    assert_eq!(state.game().present_position().plies(), 3, "nothing was played");
}

#[test]
fn the_reason_stands_behind_a_long_name() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    let text = format!("cannot read /tmp/{}.txt: no such file", "a".repeat(90));
    state.tell(Command::Refuse(MatchRefusal::File(text)));
    assert!(state.picture().contains("aaa.txt: no such file"), "{}", state.picture());
    state.tell(Command::Refuse(MatchRefusal::File("short".to_owned())));
    assert!(!state.picture().contains("aaa"), "{}", state.picture());
}

#[test]
fn an_answer_does_not_take_the_keys_of_who_types() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    state.say("eval");
    state.typed(":wh");
    state.answer("a1", report());
    assert!(state.screen.page.is_none());
    state.typed("ere");
    assert_eq!(state.press(KeyCode::Enter), "where");
    assert_eq!(state.screen.page.as_ref().unwrap().title, "eval");
}

#[test]
fn what_has_no_room_is_said_in_words() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (42, 20));
    state.press(KeyCode::Char('v'));
    assert_eq!(state.status(), "This window has no room for the panel. The word eval says the same.");
    let mut state = Rig::menu(Glyphs::Unicode, (40, 12));
    state.press(KeyCode::Char('?'));
    assert!(state.screen.page.as_ref().unwrap().lines.iter().any(|line| line.starts_with("X and O in turn")));
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
    assert_eq!(state.status(), "The game is over. N new game, A again, u undo, s save.");
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
    assert!(state.picture().contains("v shows what is known"));
    state.press(KeyCode::Char('v'));
    assert!(state.picture().contains("Value of every cell"));
    state.moves("a1 b1 a2 b2 a3");
    assert!(state.picture().contains("│ The game is over. "), "{}", state.picture());
    state.say("new");
    assert!(state.picture().contains("Value of every cell"), "{}", state.picture());
}

#[test]
fn advice_is_told_from_the_thought_of_a_machine() {
    const LOOKING: &str = "Looking for advice. Esc takes the best so far.";
    for mut state in [
        Rig::two("hex", "size=5", "b2 c2", (80, 24)),
        Rig::replay("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24)),
    ] {
        state.say("hint");
        assert_eq!(state.status(), LOOKING);
        state.act(KeyCode::Char('t'));
        assert_eq!(state.status(), LOOKING);
        assert_eq!(state.press(KeyCode::Esc), "move now");
    }
    let mut state = Rig::of(spec("hex", "size=5", Mode::Machines), (80, 24));
    assert_eq!(state.status(), "The first position of 0 moves. The arrows step.");
    state.now = std::time::Duration::from_secs(1);
    state.tick();
    assert_eq!(state.status(), "Red is thinking. Esc plays its best move so far.");
    state.act(KeyCode::Char('x'));
    assert_eq!(state.status(), "Two machines play. Space stops them after the next move.");
    state.act(KeyCode::Char(' '));
    assert_eq!(state.status(), "They stop after this move. Space goes on.");
    state.answer("c3", report());
    assert!(!state.is_thinking() && state.picture().contains("stopped, move 1 of 1"), "{}", state.picture());
    // Advice about another position is looked for beside the thought about the next move.
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    state.say("d3");
    state.act(KeyCode::Char('['));
    state.act(KeyCode::Char('t'));
    assert_eq!(state.status(), LOOKING);
    assert_eq!(state.game().jobs().len(), 2, "the engine thinks on");
}

#[test]
fn columns_whose_letters_are_keys_are_typed_behind_a_colon() {
    for (size, needs) in [("size=14", false), ("size=15", true)] {
        let state = board("hex", size, "b2 c2", Glyphs::Unicode, (160, 60));
        assert_eq!(state.status().contains("For columns o-z, press : first."), needs, "{}", state.status());
    }
}

#[test]
fn a_long_answer_takes_the_free_row_below() {
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (60, 24));
    let long = "The game is over here. back and goto look at earlier positions, new starts another game.";
    state.tell(Command::Refuse(MatchRefusal::Unread(Refusal::new("game-over", long))));
    let rows: Vec<String> = state.picture().lines().map(|row| row.trim().to_owned()).collect();
    assert_eq!(rows[21..23].join(" "), long);
}

#[test]
fn every_wall_is_built_by_typing_by_keys_and_by_a_click() {
    let walls =
        ('a'..='h').flat_map(|file| (1..=8).flat_map(move |row| [(file, row, 'h'), (file, row, 'v')]));
    for (file, row, lie) in walls {
        let wall = format!("{file}{row}{lie}");
        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        state.press(KeyCode::Char('w'));
        for _ in 0..8 {
            state.press(KeyCode::Left);
            state.press(KeyCode::Down);
        }
        for _ in 'a'..file {
            state.press(KeyCode::Right);
        }
        for _ in 1..row {
            state.press(KeyCode::Up);
        }
        state.press(KeyCode::Char(if lie == 'h' { '-' } else { '|' }));
        assert_eq!(state.press(KeyCode::Enter), wall, "by keys");

        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        let places = layout(state.scene().shown().unwrap(), state.screen.size);
        let canvas = state.scene().canvas(places.density.unwrap()).unwrap();
        let spot = canvas.spots().iter().find(|spot| spot.text == wall).unwrap();
        let at = Position {
            x: places.board.x + u16::try_from(spot.x).unwrap(),
            y: places.board.y + u16::try_from(spot.y).unwrap(),
        };
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(state.mouse(down, at), wall, "by a click");

        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        state.typed(&wall);
        assert_eq!(state.press(KeyCode::Enter), wall, "by typing");
    }
}

#[test]
fn keys_say_the_lines_of_line_mode() {
    let moves = "e2 e8 e3 e7";
    let mut state = board("quoridor", "size=9", moves, Glyphs::Unicode, (80, 24));
    for (key, line) in [
        (KeyCode::Char('u'), "undo"),
        (KeyCode::Char('U'), "redo"),
        (KeyCode::Char('t'), "hint"),
        (KeyCode::Char('['), "back 1"),
        (KeyCode::Char('x'), "play"),
        (KeyCode::Enter, "e3"),
    ] {
        assert_eq!(state.press(key), line);
    }
    state.typed(":goto 3");
    assert_eq!(state.press(KeyCode::Enter), "goto 3");
    assert_eq!(state.press(KeyCode::Char('R')), "");
    assert_eq!(state.press(KeyCode::Char('p')), "");
    assert_eq!(state.press(KeyCode::Char('R')), "", "another key came between");
    assert_eq!(state.press(KeyCode::Char('R')), "resign");
    assert_eq!(state.press(KeyCode::Char('q')), "quit");
    let effect = state.key(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(in_words(effect.as_ref()), "interrupt");
}

#[test]
fn while_the_machine_thinks_moves_wait_and_pages_open() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    state.say("e2");
    assert_eq!(state.press(KeyCode::Enter), "");
    assert_eq!(state.status(), "The engine is thinking. Esc plays its best move so far.");
    state.typed("e3");
    assert_eq!(state.press(KeyCode::Enter), "");
    state.press(KeyCode::Char('?'));
    assert!(state.screen.page.is_some());
    assert_eq!(state.press(KeyCode::Esc), "", "Esc closes one layer");
    assert_eq!(state.press(KeyCode::Esc), "move now");
    assert_eq!(state.press(KeyCode::Char('u')), "undo");
}

#[test]
fn the_command_of_the_menu_starts_the_same_game() {
    let mut state = Rig::menu(Glyphs::Unicode, (80, 24));
    let number = registry::GAMES.iter().position(|entry| entry.name == "quoridor").unwrap() + 1;
    let keys = [
        KeyCode::Char(char::from_digit(u32::try_from(number).unwrap(), 10).unwrap()),
        KeyCode::Tab,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Enter,
    ];
    let mut asked = String::new();
    for key in keys {
        asked = state.press(key);
    }
    let arguments: Vec<&str> = asked.strip_prefix("start ").unwrap().split(' ').collect();
    let shown = state.picture();
    let rows: Vec<&str> = shown.lines().skip(21).take(2).map(str::trim).collect();
    // As a shell reads it: what is broken with a backslash goes on.
    let command = rows.join("\n").replace("\\\n", "");
    let joined = arguments.join(" ");
    assert_eq!(command, format!("Same game from the shell: crosspath {joined} --theme mono"));
    let words = ["crosspath"].into_iter().chain(arguments).map(OsString::from);
    let (cli::Cli { play, .. }, board) = cli::parse(registry::GAMES, words).unwrap();
    assert_eq!(play.game.as_deref(), Some("quoridor"));
    assert_eq!(board.value("size"), Some("11"));
    assert!(
        board.value("walls").is_some() && play.level.is_some() && play.limits.movetime.is_some(),
        "{play:?}"
    );
    assert_eq!(format!("{:?}", play.play_as), "Some(Second)");
    assert_eq!(play.mode.as_deref(), Some("1"));
}

#[test]
fn the_menu_says_which_boards_have_no_room() {
    for (size, window, has_room) in [("7", (80, 24), true), ("26", (80, 24), false), ("26", (160, 60), true)]
    {
        let mut state = Rig::menu(Glyphs::Unicode, window);
        state.typed(&format!(":new hex {size}"));
        assert!(state.press(KeyCode::Enter).starts_with("start "), "{}", state.picture());
        let shown = state.picture();
        assert_eq!(
            !shown.contains("This board needs a window of "),
            has_room,
            "{size} in {window:?}: {shown}"
        );
        if has_room {
            continue;
        }
        let needs = shown.split("a window of ").nth(1).unwrap().split('.').next().unwrap();
        let (width, height) = needs.split_once(" × ").unwrap();
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        let hex = history("hex", &format!("size={size}"), "");
        assert!(layout(&*hex, (width, height)).density.is_some());
        assert!(layout(&*hex, (width - 1, height)).density.is_none());
        assert!(layout(&*hex, (width, height - 1)).density.is_none());
    }
}

#[test]
fn whatever_is_chosen_in_the_menu_is_a_game() {
    for (game, entry) in registry::GAMES.iter().enumerate() {
        let mut menu = Menu::default();
        menu.choose(game);
        for step in [1, 1, -1, 1, -1, -1, -1] {
            for row in menu.rows() {
                menu.change(row.key, step);
                let words = ["crosspath".to_owned()].into_iter().chain(menu.arguments(Theme::Mono));
                let (cli, variant) = cli::parse(registry::GAMES, words.map(OsString::from)).unwrap();
                assert_eq!(cli.play.game.as_deref(), Some(entry.name));
                let start = entry.start(&variant).unwrap();
                assert_eq!(start.settings(), menu.start().unwrap().settings());
                assert_eq!(start.key(), menu.start().unwrap().key());
            }
        }
    }
}

#[test]
fn a_click_on_the_key_bar_and_on_the_list_of_moves_acts() {
    let mut state = board("tic-tac-toe", "size=3", "a1 b2 c3 c1", Glyphs::Unicode, (80, 24));
    let shown = state.picture();
    let bar = shown.lines().nth(23).unwrap();
    let x = u16::try_from(bar.find("hint").unwrap()).unwrap();
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(state.mouse(down, Position { x, y: 23 }), "hint");
    let (y, row) = shown.lines().enumerate().find(|(_, row)| row.contains("1 X a1")).unwrap();
    let x = row.chars().position(|glyph| glyph == 'X').unwrap();
    let at = Position { x: u16::try_from(x).unwrap() + 2, y: u16::try_from(y).unwrap() };
    assert_eq!(state.mouse(down, at), "back 3");
    assert_eq!(state.mouse(MouseEventKind::ScrollUp, at), "back 1");
}

#[test]
fn sides_last_move_and_cursor_differ_as_characters() {
    let state = board("tic-tac-toe", "size=10", "e5 f6 e6", Glyphs::Ascii, (80, 24));
    let shown = state.picture();
    assert!(shown.contains("(X)") && shown.contains('O') && shown.contains("[O]"), "{shown}");
    assert_eq!(state.scene().shown().unwrap().side_name(Side::First), "X");
}

/// What stands on a cell and what is marked, read from the bare characters.
fn decode(canvas: &Canvas, x: usize, y: usize, is_big: bool) -> (char, String) {
    let at = |x: usize| canvas.at(x, y).0;
    let away = if is_big { 3 } else { 1 };
    let is_drawn_o = is_big && ['│', '|'].contains(&at(x - 1));
    let stone = match at(x) {
        '╳' | 'X' => 'X',
        'O' => 'O',
        _ if is_drawn_o => 'O',
        _ => ' ',
    };
    (stone, [at(x - away), at(x + away)].iter().collect())
}

#[test]
fn every_drawing_of_tic_tac_toe_tells_the_whole_position() {
    let mut chance = stream(7, 1);
    let games = |size: usize| match size {
        3 | 4 => 200,
        10 => 50, // each has a hundred positions
        _ => 10,
    };
    for size in (1..=10).flat_map(|size| std::iter::repeat_n(size, games(size))) {
        for glyphs in [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii] {
            let mut game = history("tic-tac-toe", &format!("size={size}"), "");
            while game.outcome().is_none() {
                let legal = game.legal();
                game.play(&legal[chance.random_range(0..legal.len())]).unwrap();
                let sides: [BTreeSet<String>; 2] =
                    Side::BOTH.map(|side| game.view().pieces(side).into_iter().collect());
                let last = game.last().unwrap();
                let cursor = game.legal().first().cloned().unwrap_or_else(|| last.clone());
                for (density, (width, height)) in game.drawn().board_sizes().into_iter().enumerate() {
                    let look =
                        PaintOptions { glyphs, density, cursor: Some(&cursor), ..PaintOptions::default() };
                    let canvas = game.canvas(look);
                    assert_eq!((canvas.width(), canvas.height()), (width, height));
                    for spot in canvas.spots() {
                        let (stone, marks) = decode(&canvas, spot.x, spot.y, density == 2);
                        let is_of = |side: usize| sides[side].contains(&spot.text);
                        let expected = if is_of(0) {
                            'X'
                        } else if is_of(1) {
                            'O'
                        } else {
                            ' '
                        };
                        assert_eq!(stone, expected, "{}\n{}", spot.text, canvas.to_text());
                        assert_eq!(marks.starts_with('['), spot.text == cursor, "{}", canvas.to_text());
                        let is_last = marks.ends_with(')') && (marks.starts_with(['(', '[', '*']));
                        let has_neighbour = density == 0; // marks share a column there
                        assert!(has_neighbour || is_last == (spot.text == last), "{}", canvas.to_text());
                    }
                }
            }
        }
    }
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
fn the_first_stone_is_taken_over_by_enter_where_it_stands() {
    let mut state = Rig::two("hex", "size=11", "", (80, 24));
    state.typed("c3");
    assert_eq!(state.press(KeyCode::Enter), "c3");
    state.say("c3");
    assert_eq!(state.press(KeyCode::Enter), "", "Enter was hit twice: neither a swap nor a stone");
    assert_eq!(state.status(), "Press Enter, or click, again to take this move over (swap).");
    state.press(KeyCode::Right);
    state.say("undo");
    state.say("c3");
    assert!(state.status().ends_with("You may take Red's stone over: S swaps."), "{}", state.status());
    assert!(state.picture().contains("S swap"), "{}", state.picture());
    state.hover("swap");
    assert_eq!(state.press(KeyCode::Enter), "");
    assert_eq!(state.status(), "Press Enter, or click, again to take this move over (swap).");
    state.press(KeyCode::Right);
    state.press(KeyCode::Left);
    assert_eq!(state.press(KeyCode::Enter), "", "asked anew");
    assert_eq!(state.press(KeyCode::Enter), "swap");
}

#[test]
fn the_engine_has_a_panel_on_every_usual_board() {
    for size in [5, 7, 9] {
        let state = board("quoridor", &format!("size={size}"), "", Glyphs::Unicode, (80, 24));
        assert!(state.picture().contains("─ Engine ─"), "{size}:\n{}", state.picture());
    }
}

#[test]
fn a_wall_is_first_held_where_it_may_be_built_and_hides_no_other() {
    let mut state = Rig::two("quoridor", "size=9", "e5h", (80, 24));
    state.typed("e5h");
    state.press(KeyCode::Esc);
    state.hover("e5h");
    let walls = state.picture().matches('━').count();
    assert!(walls >= 6, "the wall below can be seen:\n{}", state.picture());
    let mut state = Rig::two("quoridor", "size=9", "e5h", (80, 24));
    state.hover("e5");
    state.press(KeyCode::Char('w'));
    assert!(state.status().contains(" ok: "), "{}", state.status());
}

#[test]
fn a_wall_that_was_turned_under_the_mouse_is_built_as_it_is_shown() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    let places = layout(state.scene().shown().unwrap(), state.screen.size);
    let canvas = state.scene().canvas(places.density.unwrap()).unwrap();
    let spot = canvas.spots().iter().find(|spot| spot.text == "d4v").unwrap();
    let at = Position {
        x: places.board.x + u16::try_from(spot.x).unwrap(),
        y: places.board.y + u16::try_from(spot.y).unwrap(),
    };
    state.mouse(MouseEventKind::Moved, at);
    state.mouse(MouseEventKind::Down(MouseButton::Right), at);
    state.mouse(MouseEventKind::Moved, at);
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(state.mouse(down, at), "d4h");
}

#[test]
fn a_refusal_puts_the_cursor_back_only_where_the_field_has_moved_it() {
    let refusal = || Command::Refuse(MatchRefusal::Unread(Refusal::new("taken", "That is taken.")));
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    let at = |state: &Rig| state.picture().lines().last().unwrap().to_owned();
    let home = at(&state);
    state.typed("e3h");
    assert_ne!(at(&state), home, "the cursor jumps to what is typed");
    state.press(KeyCode::Esc);
    assert_eq!(at(&state), home, "Esc takes that back");
    state.typed("e3h");
    state.press(KeyCode::Enter);
    state.tell(refusal());
    assert_eq!(at(&state), home, "and so does a refusal");
    state.press(KeyCode::Char('w'));
    let ghost = at(&state);
    state.press(KeyCode::Enter);
    state.tell(refusal());
    assert_eq!(at(&state), ghost, "what was not typed stays where it is");
}

#[test]
fn what_the_machine_thinks_is_shown_with_its_position_only() {
    let mut state = Rig::two("hex", "size=11 swap=off", "c2 f6 d9 d8", (80, 24));
    let shows = |state: &Rig| state.picture().contains("40 %");
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
        ("Back at the present position. Your move, White.", 10)
    );
}

#[test]
fn the_cursor_is_never_lost_where_a_place_has_another_name() {
    let mut state = Rig::two("hex", "size=11", "d4 swap", (80, 24));
    for plies in [1, 0, 2] {
        state.say(&format!("goto {plies}"));
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw(&state.scene(), frame)).unwrap();
        let cursor = terminal.get_cursor_position().unwrap();
        assert_ne!(cursor, Position { x: 0, y: 0 }, "hidden after {plies} moves");
    }
}

#[test]
fn capitals_that_begin_moves_are_typed_while_the_game_goes_on() {
    let mut state = board("hex", "size=14", "", Glyphs::Unicode, (100, 35));
    for letter in 'A'..='N' {
        state.press(KeyCode::Char(letter));
        assert_eq!(state.screen.prompt.text.as_deref(), Some(&*letter.to_string()));
        state.press(KeyCode::Esc);
    }
    state.typed("n7");
    assert_eq!(state.press(KeyCode::Enter), "n7", "a whole move in capitals");
    state.say("resign");
    assert_eq!(state.press(KeyCode::Char('A')), "again", "a key again when the game is over");
    state.press(KeyCode::Char('N'));
    assert!(state.screen.menu.is_some());
}

#[test]
fn the_end_of_a_long_name_in_wide_letters_can_be_seen_while_it_is_typed() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    state.typed(":save ");
    for letter in ('\u{4e00}'..).take(60) {
        state.press(KeyCode::Char(letter));
        assert!(state.picture().contains(letter), "{letter} is lost:\n{}", state.picture());
    }
}

#[test]
fn the_word_mouse_switches_the_mouse() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    let before = state.screen.looks.has_mouse;
    state.typed(":mouse");
    assert_eq!(state.press(KeyCode::Enter), format!("mouse({})", !before));
    assert_eq!(state.screen.looks.has_mouse, !before);
    for (text, is_on) in [(":mouse off", false), (":mouse on", true), (":mouse on", true)] {
        state.typed(text);
        assert_eq!(state.press(KeyCode::Enter), format!("mouse({is_on})"));
    }
    assert!(state.status().contains("The word mouse changes that."));
}

/// What a key of the help is to do.
enum Want {
    /// A line, as if it had been typed in line mode.
    Says(&'static str),
    /// The field opens with this in it.
    Field(&'static str),
    /// Something is done outside, by this name.
    Does(&'static str),
    /// The picture is another one, and holds this.
    Shows(&'static str),
}

#[allow(clippy::match_same_arms)] // in the order of the table of actions
fn wanted(act: Action, context: Context) -> Want {
    use Want::{Does, Field, Says, Shows};
    let is_menu = context == Context::Menu;
    match act {
        Action::Left | Action::Back => match context {
            Context::Replay | Context::Looking => Says("back 1"),
            Context::Board | Context::Wall if act == Action::Back => Says("back 1"),
            _ => Shows(""),
        },
        Action::Right | Action::Forward => match context {
            Context::Replay | Context::Looking => Says("next 1"),
            Context::Board | Context::Wall if act == Action::Forward => Says("next 1"),
            _ => Shows(""),
        },
        Action::Up
        | Action::Down
        | Action::UpRight
        | Action::DownLeft
        | Action::RowStart
        | Action::RowEnd
        | Action::Options
        | Action::Pick => Shows(""),
        Action::Play if context == Context::Wall => Says("d4v"),
        Action::Play => Says("e4"),
        Action::Walls if context == Context::Wall => Shows("Your move, White."),
        Action::Walls => Shows("h ok:"),
        Action::Rotate | Action::Across => Shows("d4h ok:"),
        Action::Upright => Shows("d4v ok:"),
        Action::Undo => Says("undo"),
        Action::Redo => Says("redo"),
        Action::Hint => Says("hint"),
        Action::Panel => Shows("v shows what is known"),
        Action::Path => Shows("p shows the next one."),
        Action::Flip => Shows("The board is turned."),
        Action::Swap => Says("swap"),
        Action::Command => Field(""),
        Action::Save => Field("save "),
        Action::Open if is_menu => Field("replay "),
        Action::Open => Field("load "),
        Action::Level => Field("level "),
        Action::New => Shows("─ Game ─"),
        Action::Again => Says("again"),
        Action::Resign => Shows("Press R again"),
        Action::First => Says("goto 0"),
        Action::Last => Says("goto 4"),
        Action::OtherBack => Says("other line back"),
        Action::OtherOn => Says("other line"),
        Action::TenBack => Says("back 2"),
        Action::TenForward => Says("next 2"),
        Action::Auto => Says("Run"),
        Action::Faster => Says("pause 500 ms"),
        Action::Slower => Says("pause 2000 ms"),
        Action::PlayOn => Says("play"),
        Action::Present => Says("goto end"),
        Action::GoOn => Does("start(kept(\"live\"))"),
        Action::Start => Does("start --game tic-tac-toe --mode 1 --size 3"),
        Action::Search => Shows("search:"),
        Action::Theme => Shows(""),
        Action::Plain => Does("plain"),
        Action::Help if context == Context::Page => Shows("Your move"),
        Action::Help => Shows("Keys:"),
        Action::Escape if context == Context::Wall => Shows("Your move, White."),
        Action::Escape if context == Context::Page => Shows("Your move"),
        Action::Escape if context == Context::Replay => Says("Stop"),
        Action::Escape if context == Context::Looking => Says("goto end"),
        Action::Escape if context == Context::Menu => Shows("Your move"),
        Action::Escape => Does("move now"),
        Action::Interrupt => Does("interrupt"),
        Action::Suspend => Does("suspend"),
        Action::Redraw => Does("redraw"),
        Action::Quit if context == Context::Page => Shows("Your move"),
        Action::Quit if context == Context::Replay => Says("goto end"),
        Action::Quit => Does("quit"),
    }
}

/// Where the key can do what it says.
fn stage(act: Action, context: Context) -> Rig {
    let quoridor = |moves: &str| board("quoridor", "size=9", moves, Glyphs::Unicode, (80, 24));
    let mut state = match (act, context) {
        (Action::Swap, _) => Rig::two("hex", "size=5", "c3", (80, 24)),
        (_, Context::Menu) if act != Action::Escape => Rig::menu(Glyphs::Unicode, (80, 24)),
        _ => quoridor("e2 e8 e3 e7"),
    };
    match context {
        Context::Wall => {
            // In the middle, upright where the key is to lay it down.
            state.typed(if matches!(act, Action::Upright) { "d4h" } else { "d4v" });
            state.press(KeyCode::Esc);
            state.hover(if matches!(act, Action::Upright) { "d4h" } else { "d4v" });
        }
        Context::Replay => {
            state.say("replay");
            state.say("goto 2");
        }
        Context::Looking => {
            if matches!(act, Action::Again | Action::New) {
                state.say("resign");
            }
            state.say("goto 2");
        }
        Context::Menu if act == Action::Escape => {
            state.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
        }
        Context::Page => {
            state.press(KeyCode::Char('?'));
            if !matches!(act, Action::Down | Action::DownLeft | Action::RowEnd) {
                state.press(KeyCode::Down);
            }
        }
        Context::Small => {
            state.screen.size = (20, 5);
        }
        _ => {}
    }
    match (act, context) {
        (Action::GoOn, _) => {
            let words = ["Hex 11x11", "move 12, yesterday 21:40"].map(str::to_owned);
            state.event(&Event::Found(Kept { path: "live".into(), words }));
        }
        (Action::Up | Action::Left | Action::RowStart | Action::UpRight, Context::Menu) => {
            state.press(KeyCode::Tab);
            state.press(KeyCode::Down);
        }
        (Action::Play, Context::Board) => {
            state.press(KeyCode::Up);
        }
        (Action::Escape, Context::Replay) => state.act(KeyCode::Char(' ')),
        (Action::Escape, Context::Board | Context::Small) => state.say("e4"),
        (Action::Again | Action::New, Context::Board | Context::Wall) => {
            state.say("resign");
            if context == Context::Wall {
                state.press(KeyCode::Char('w'));
            }
        }
        _ => {}
    }
    state
}

#[test]
fn every_key_of_the_help_does_what_it_says() {
    for (context, place) in Context::ALL {
        for action in KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context)) {
            for key in action.keys {
                let mut state = stage(action.act, context);
                assert_eq!(state.scene().context(), context, "{:?}", action.act);
                let name = format!("{place}: {key:?} for {:?}", action.act);
                if *key == Key::Char('1') {
                    state.press(KeyCode::Char('2')); // the first game is chosen already
                }
                let before = (state.picture(), state.screen.looks.theme, format!("{:?}", state.screen));
                let (code, modifiers) = match key {
                    Key::Char(letter) => (KeyCode::Char(*letter), KeyModifiers::NONE),
                    Key::Ctrl(letter) => (KeyCode::Char(*letter), KeyModifiers::CONTROL),
                    Key::Named(code) => (*code, KeyModifiers::NONE),
                };
                let effect = state.key(code, modifiers);
                let asked = in_words(effect.as_ref());
                match wanted(action.act, context) {
                    Want::Says(text) | Want::Does(text) => assert_eq!(asked, text, "{name}"),
                    Want::Field(text) => {
                        assert_eq!(state.screen.prompt.text.as_deref(), Some(text), "{name}");
                    }
                    Want::Shows(text) => {
                        assert_eq!(asked, "", "{name}");
                        let is_none = matches!(code, KeyCode::Char('4'..='9'));
                        let after =
                            (state.picture(), state.screen.looks.theme, format!("{:?}", state.screen));
                        assert!(is_none || after != before, "{name}: nothing changes\n{}", after.0);
                        assert!(after.0.contains(text), "{name}: no {text:?} on\n{}", after.0);
                    }
                }
            }
        }
    }
}

#[test]
fn the_menu_knows_a_few_words() {
    let menu = || Rig::menu(Glyphs::Unicode, (80, 24));
    let say = |state: &mut Rig, text: &str| {
        assert_eq!(state.press(KeyCode::Char(':')), "");
        state.typed(text);
        assert!(state.picture().contains(&format!("> {text}")));
        state.press(KeyCode::Enter)
    };
    assert_eq!(say(&mut menu(), "new hex 7"), "start --game hex --mode 1 --size 7");
    assert_eq!(say(&mut menu(), "new"), "start --game tic-tac-toe --mode 1 --size 3");
    assert_eq!(say(&mut menu(), "new 5"), "start --game tic-tac-toe --mode 1 --size 5");
    assert_eq!(say(&mut menu(), "replay a game.txt"), "start(file(\"a game.txt\"))");
    assert_eq!(say(&mut menu(), "quit"), "quit");
    for (text, answer) in [
        ("new chess", "chess"),
        ("new hex 99", "99"),
        ("level 9", "level 9 does not exist; levels are classic, 1 to 8."),
        ("zz", "Words here: new GAME SIZE, replay FILE, level N, help, quit."),
        ("undo", "Words here: new GAME SIZE, replay FILE, level N, help, quit."),
        ("help", "Keys: Start menu"),
    ] {
        let mut state = menu();
        assert_eq!(say(&mut state, text), "");
        assert!(state.picture().contains(answer), "{text}:\n{}", state.picture());
    }
    let mut state = menu();
    assert_eq!(say(&mut state, "level 3"), "");
    assert!(state.picture().contains("--level 3"));
    // Over a game that goes on all other words are that game's.
    let mut state = board("hex", "size=5", "c3", Glyphs::Unicode, (80, 24));
    state.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    assert_eq!(say(&mut state, "where"), "where");
    assert!(state.screen.menu.is_none());
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
        assert_eq!(state.picture().lines().next().unwrap().ends_with("0:42 / 1:07"), is_there);
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
            assert!(end.contains("mouse."), "{title}:\n{end}");
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
    assert!(state.picture().contains("No matches. Esc clears the filter."));
}

#[test]
fn values_are_all_shown_where_the_panel_is_small() {
    let mut state = board("tic-tac-toe", "size=3", "c3", Glyphs::Unicode, (60, 20));
    state.press(KeyCode::Char('v'));
    let shown = state.picture();
    assert!(shown.contains("Value of every cell") && shown.contains("draws: b2"), "{shown}");
    assert!(shown.contains("loses in 3: a1 b1 c1"), "{shown}");
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
    assert_eq!(state.status(), "Back at the present position. Your move, White.");
    assert_eq!(state.scene().context(), Context::Board, "no wall is held");
}
