//! The full screen on a terminal of memory: pictures of every page, every size, and clicks where things are drawn.

use crosspath::ai::{Level, Limits};
use crosspath::canvas::{Canvas, Glyphs, Look, Role};
use crosspath::cli::Cli;
use crosspath::game::Side;
use crosspath::random::stream;
use crosspath::registry::{self, Variant};
use crosspath::session::{Report, Session};
use crosspath::ui::tui::actions::{ACTIONS, Act, Context, Key};
use crosspath::ui::tui::{Effect, Event, Looks, Menu, State, Theme, draw, hit, layout, update};
use crosspath::ui::{By, Ended, Opening, Said};

use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Position;

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 35), (60, 20), (40, 12)];
const GLYPHS: [Glyphs; 2] = [Glyphs::Unicode, Glyphs::Ascii];

fn looks(glyphs: Glyphs) -> Looks {
    Looks { glyphs, theme: Theme::Terminal, has_colour: true, has_mouse: true }
}

fn session(game: &str, settings: &str, moves: &str) -> Box<dyn Session> {
    let mut session = registry::find(game).unwrap().session(&Variant::read(settings).unwrap()).unwrap();
    for text in moves.split_whitespace() {
        session.play(text).unwrap();
    }
    session
}

/// How a game of that mode begins, where nobody is named.
fn opening(mode: u8) -> Opening<'static> {
    Opening {
        greeting: "",
        mode: Some(mode),
        level: None,
        seed: 1,
        you: None,
        is_watched: mode > 2,
        draws_sides: false,
        limits: Limits::default(),
        source: None,
        remarks: &[],
    }
}

/// What a machine may have found.
fn report() -> Report {
    let pv = ["d5h", "f6", "e5", "f5"].map(str::to_owned).to_vec();
    let elapsed = std::time::Duration::from_millis(1234);
    Report {
        nodes: 480_000,
        depth: 6,
        score: Some(-40),
        worth: Some("-0.4 steps".to_owned()),
        best: [("d5h", "-0.4 steps"), ("e5", "-0.6 steps"), ("d4", "lost in 4")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .to_vec(),
        chance: Some(0.4),
        pv,
        elapsed,
        status: None,
    }
}

/// A game against the machine in which it is the player's turn.
fn board(game: &str, settings: &str, moves: &str, glyphs: Glyphs, size: (u16, u16)) -> State {
    let session = session(game, settings, moves);
    let you = Some(session.to_move());
    let opening = Opening { level: Some(Level::Number(4)), you, ..opening(1) };
    let mut state = State::new(looks(glyphs), size);
    state.open(&*session, &opening);
    state.heard(report());
    state
}

fn picture(state: &State) -> String {
    let (width, height) = state.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(state, frame)).unwrap();
    let position = terminal.get_cursor_position().unwrap();
    let buffer = terminal.backend().buffer();
    let rows = (0..height).map(|y| {
        let row: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        row.trim_end().to_owned()
    });
    let rows: Vec<String> = rows.collect();
    format!("{}\ncursor {} {}\n", rows.join("\n"), position.x, position.y)
}

fn press(state: &mut State, code: KeyCode) -> Option<Effect> {
    update(state, &Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn typed(state: &mut State, text: &str) {
    for letter in text.chars() {
        assert_eq!(press(state, KeyCode::Char(letter)), None, "{text}");
    }
}

fn mouse(kind: MouseEventKind, at: Position) -> Event {
    Event::Mouse(MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE })
}

fn said(text: &str) -> Effect {
    Effect::Lines(vec![text.to_owned()])
}

/// Holds the mouse over a place, where the board is drawn.
fn hover(state: &mut State, text: &str) {
    let places = layout(state.shown().unwrap(), state.size);
    let Some(canvas) = places.density.and_then(|density| state.canvas(density)) else { return };
    let spot = canvas.spots().iter().find(|spot| spot.text == text).unwrap();
    let at = Position {
        x: places.board.x + u16::try_from(spot.x).unwrap(),
        y: places.board.y + u16::try_from(spot.y).unwrap(),
    };
    update(state, &mouse(MouseEventKind::Moved, at));
}

const QUORIDOR: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";

/// Every page there is, by name.
fn pages(glyphs: Glyphs, size: (u16, u16)) -> Vec<(&'static str, State)> {
    let mut pages = Vec::new();
    let mut menu = State::new(looks(glyphs), size);
    menu.menu = Some(Menu::default());
    pages.push(("menu", menu));
    let mut options = State::new(looks(glyphs), size);
    options.menu = Some(Menu::default());
    press(&mut options, KeyCode::Down);
    press(&mut options, KeyCode::Tab);
    press(&mut options, KeyCode::Down);
    pages.push(("menu-options", options));
    pages.push(("tic-tac-toe-3", board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", glyphs, size)));
    let ten = "e5 f6 e6 e4 d5 f5 f4 g3 d7 c8 g5 c5 b2 h8 i9";
    pages.push(("tic-tac-toe-10", board("tic-tac-toe", "size=10", ten, glyphs, size)));
    let mut values = board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", glyphs, size);
    press(&mut values, KeyCode::Char('v'));
    pages.push(("values", values));
    let hex = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    pages.push(("hex", board("hex", "size=11", hex, glyphs, size)));
    let mut paths = board("hex", "size=11", hex, glyphs, size);
    for _ in 0..3 {
        press(&mut paths, KeyCode::Char('p'));
    }
    pages.push(("hex-paths", paths));
    pages.push(("quoridor", board("quoridor", "size=9", QUORIDOR, glyphs, size)));
    let mut turned = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    press(&mut turned, KeyCode::Char('F'));
    pages.push(("quoridor-turned", turned));
    let mut allowed = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    hover(&mut allowed, "d5h");
    pages.push(("wall-allowed", allowed));
    let mut refused = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    hover(&mut refused, "e3h");
    press(&mut refused, KeyCode::Char('p'));
    pages.push(("wall-refused", refused));
    let mut field = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    typed(&mut field, ":goto 3");
    pages.push(("field", field));
    let mut help = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    press(&mut help, KeyCode::Char('?'));
    pages.push(("help", help));
    let mut hint = board("tic-tac-toe", "size=3", "b2 a1 c3", glyphs, size);
    let result = Some(serde_json::json!({"move": "a3"}));
    hint.say(&Said { word: "hint", lines: vec!["Hint: a3 (keeps the corner).".to_owned()], result });
    pages.push(("hint", hint));
    pages.push(("replay", replay(glyphs, size)));
    let over = session("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3");
    let mut end = board("tic-tac-toe", "size=3", "a1 b1 a2 b2", glyphs, size);
    let outcome = over.outcome().unwrap();
    end.ended(&*over, &Ended { outcome, reason: &over.ending().unwrap(), plies: 5 });
    pages.push(("over", end));
    let mut thinking = board("quoridor", "size=9", QUORIDOR, glyphs, size);
    let next = session("quoridor", "size=9", &format!("{QUORIDOR} e5"));
    thinking.board(&*next);
    thinking.thinks(&*next);
    thinking.heard(report());
    pages.push(("thinking", thinking));
    pages
}

fn replay(glyphs: Glyphs, size: (u16, u16)) -> State {
    let opening = Opening { source: Some("games/game.txt"), ..opening(3) };
    let game = session("quoridor", "size=9", QUORIDOR);
    let mut state = State::new(looks(glyphs), size);
    state.open(&*game, &opening);
    state.look_at(&*game.after(7));
    state
}

#[test]
fn every_page_looks_as_agreed() {
    for glyphs in GLYPHS {
        for size in SIZES {
            for (name, state) in pages(glyphs, size) {
                let set = if glyphs == Glyphs::Unicode { "unicode" } else { "ascii" };
                let name = format!("{name}-{}x{}-{set}", size.0, size.1);
                let picture = picture(&state);
                if glyphs == Glyphs::Ascii {
                    assert!(picture.is_ascii(), "{name}:\n{picture}");
                }
                insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../snapshots"}, {
                    insta::assert_snapshot!(name, picture);
                });
            }
        }
    }
}

#[test]
fn no_size_of_the_window_is_too_strange() {
    let mut pages = pages(Glyphs::Unicode, (80, 24));
    for (_, state) in &mut pages {
        for width in (1..=200).step_by(if cfg!(debug_assertions) { 4 } else { 1 }) {
            for height in (1..=60).step_by(if width > 24 { 7 } else { 1 }) {
                state.size = (width, height);
                picture(state);
            }
        }
    }
}

#[test]
fn the_window_of_the_state_may_lag_behind_the_real_one() {
    for (_, state) in pages(Glyphs::Unicode, (80, 24)) {
        for (width, height) in [(1, 1), (10, 3), (79, 23), (200, 60)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(&state, frame)).unwrap();
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
            let places = layout(state.shown().unwrap(), size);
            let Some(density) = places.density else { continue };
            let canvas = state.canvas(density).unwrap();
            for spot in canvas.spots() {
                let at = Position {
                    x: places.board.x + u16::try_from(spot.x).unwrap(),
                    y: places.board.y + u16::try_from(spot.y).unwrap(),
                };
                assert_eq!(
                    hit(&state, at).as_deref(),
                    Some(spot.text.as_str()),
                    "{game} {settings} {size:?}"
                );
            }
            for x in 0..size.0 {
                for y in 0..size.1 {
                    let at = Position { x, y };
                    if let Some(text) = hit(&state, at) {
                        assert!(state.shown().unwrap().read(&text).is_ok(), "{text}");
                    }
                    update(&mut state, &mouse(MouseEventKind::Moved, at));
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
            let places = layout(state.shown().unwrap(), size);
            let density = places.density.unwrap();
            let straight = state.canvas(density).unwrap();
            press(&mut state, KeyCode::Char('F'));
            let turned = state.canvas(density).unwrap();
            assert_eq!(straight.spots().len(), turned.spots().len());
            let mut sums = std::collections::BTreeSet::new();
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
            press(&mut state, KeyCode::Char('F'));
            assert_eq!(first(&straight), first(&state.canvas(density).unwrap()));
        }
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    press(&mut state, KeyCode::Char('F'));
    assert_eq!(state.status_line(), "This board is the same from all sides: it is not turned.");
}

#[test]
fn the_key_for_paths_goes_through_everything_and_ends_with_the_board_alone() {
    let mut state = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", Glyphs::Unicode, (80, 24));
    let bare = picture(&state);
    let mut seen = vec![];
    loop {
        press(&mut state, KeyCode::Char('p'));
        if state.status_line() == "The board alone." {
            break;
        }
        seen.push(state.status_line().clone());
        let drawn = picture(&state);
        assert!(seen.len() < 9, "{seen:?}");
        let board = |text: &str| text.lines().take(19).map(str::to_owned).collect::<Vec<_>>();
        assert_ne!(board(&bare), board(&drawn), "{}", state.status_line());
    }
    assert_eq!(
        seen,
        [
            "Blue: safe links (-). p goes on.",
            "Red: safe links (-). p goes on.",
            "Paths as classic sees them: r Red's, b Blue's, & both. p goes on.",
            "What each cell weighs for Red, as classic sees it. p goes on.",
            "What each cell weighs for Blue, as classic sees it. p goes on.",
        ]
    );
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    for said in
        ["White: shortest way (⋅). p goes on.", "Black: shortest way (⋅). p goes on.", "The board alone."]
    {
        press(&mut state, KeyCode::Char('p'));
        assert_eq!(state.status_line(), said);
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    press(&mut state, KeyCode::Char('p'));
    assert_eq!(state.status_line(), "This game has nothing to show on its board.");
}

#[test]
fn results_are_counted_while_the_game_is_played() {
    let over = session("tic-tac-toe", "size=4", "a1 b1 a2 b2 a3 b3 a4");
    let mut state = board("tic-tac-toe", "size=4", "a1", Glyphs::Unicode, (80, 24));
    assert!(!picture(&state).contains("Score"));
    let reason = over.ending().unwrap();
    let end = |state: &mut State| {
        state.ended(&*over, &Ended { outcome: over.outcome().unwrap(), reason: &reason, plies: 7 });
    };
    end(&mut state);
    end(&mut state);
    // The person has O against a machine: it is the players who are counted.
    assert!(picture(&state).contains("Score   you 0   engine 1   draws 0"), "{}", picture(&state));
    state.board(&*over.after(6));
    assert!(!picture(&state).contains("Score"), "a result that is taken back does not count");
    end(&mut state);
    let opening = opening(2);
    state.open(&*session("tic-tac-toe", "size=4", ""), &opening);
    end(&mut state);
    assert!(picture(&state).contains("Score   X 1   O 0   draws 0"), "others play: {}", picture(&state));
    state.open(&*session("tic-tac-toe", "size=4", ""), &opening);
    end(&mut state);
    assert!(picture(&state).contains("Score   X 2   O 0   draws 0"), "{}", picture(&state));
    let first = Opening { mode: Some(1), you: Some(Side::First), level: Some(Level::Number(4)), ..opening };
    for (you, score) in [(Side::First, "you 1   engine 0"), (Side::Second, "you 1   engine 1")] {
        state.open(&*session("tic-tac-toe", "size=4", ""), &Opening { you: Some(you), ..first });
        end(&mut state);
        assert!(picture(&state).contains(score), "sides are exchanged: {}", picture(&state));
    }
    state.open(&*session("tic-tac-toe", "size=4", ""), &Opening { level: Some(Level::Number(3)), ..first });
    assert!(!picture(&state).contains("Score"), "another level begins another score");
    state.open(&*session("tic-tac-toe", "size=4", ""), &opening);
    end(&mut state);
    end(&mut state);
    state.open(&*session("tic-tac-toe", "size=4", ""), &opening);
    state.say(&Said { word: "load", lines: vec!["Loaded.".to_owned()], result: None });
    end(&mut state);
    assert!(picture(&state).contains("Score   X 1"), "a game from a file was not played here");
}

#[test]
fn what_lies_over_the_board_keeps_its_side_and_ends_with_the_game() {
    let mut state = State::new(looks(Glyphs::Unicode), (100, 35));
    state.open(&*session("hex", "size=5", "b2"), &opening(2));
    press(&mut state, KeyCode::Char('p'));
    assert!(
        state.status_line().starts_with("Blue: "),
        "the side to move comes first: {}",
        state.status_line()
    );
    let density = layout(state.shown().unwrap(), state.size).density.unwrap();
    let links = |state: &State| {
        let canvas = state.canvas(density).unwrap();
        let cells = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        cells.filter(|&(x, y)| canvas.at(x, y) == ('-', Role::Path)).count()
    };
    assert_eq!(links(&state), 0, "Blue has no stone");
    state.board(&*session("hex", "size=5", "b2 b4"));
    assert!(links(&state) > 0, "Blue's links, though Red is to move: {}", picture(&state));
    press(&mut state, KeyCode::Char('p'));
    assert!(state.status_line().starts_with("Red: "), "{}", state.status_line());
    // Nothing is announced that is not there.
    let over = session("hex", "size=2", "a1 b1 a2");
    assert!(over.outcome().is_some());
    state.open(&*over, &opening(2));
    for _ in 0..10 {
        press(&mut state, KeyCode::Char('p'));
        let (is_named, is_empty) = (
            state.status_line().ends_with("p goes on."),
            state.status_line().starts_with("The game is over:"),
        );
        assert!(is_named || is_empty, "{}", state.status_line());
        assert!(!state.status_line().contains("weighs"), "{}", state.status_line());
    }
}

#[test]
fn giving_up_is_no_longer_offered_after_another_key() {
    for key in [KeyCode::Up, KeyCode::Char('v'), KeyCode::Char('F')] {
        let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
        press(&mut state, KeyCode::Char('R'));
        assert!(state.status_line().starts_with("R once more"));
        press(&mut state, key);
        assert!(!state.status_line().starts_with("R once more"), "{key:?}");
        assert_eq!(press(&mut state, KeyCode::Char('R')), None);
        assert_eq!(press(&mut state, KeyCode::Char('R')), Some(said("resign")));
    }
}

#[test]
fn a_move_while_an_earlier_position_is_shown_returns_first_also_when_the_machine_thinks() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    let next = session("hex", "size=5", "b2 c2 d3");
    state.board(&*next);
    state.thinks(&*next);
    press(&mut state, KeyCode::Char('['));
    assert!(picture(&state).contains("looking at move 2 of 3"), "{}", picture(&state));
    press(&mut state, KeyCode::Char('R'));
    assert_eq!(state.status_line(), "The engine is thinking. Esc shows the present position.");
    typed(&mut state, "d4");
    assert_eq!(press(&mut state, KeyCode::Enter), None);
    assert!(!picture(&state).contains("looking at"), "{}", picture(&state));
    assert_eq!(state.status_line(), "d3 is played. Blue is thinking. Esc plays its best move so far.");
}

#[test]
fn the_reason_stands_behind_a_long_name() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    let text = format!("cannot read /tmp/{}.txt: no such file", "a".repeat(90));
    state.refused(&crosspath::game::Illegal::new("file", text));
    assert!(picture(&state).contains("aaa.txt: no such file"), "{}", picture(&state));
    state.refused(&crosspath::game::Illegal::new("file", "short"));
    assert!(!picture(&state).contains("aaa"), "{}", picture(&state));
}

#[test]
fn an_answer_does_not_take_the_keys_of_who_types() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    typed(&mut state, ":wh");
    let lines = vec!["one".to_owned(), "two".to_owned()];
    state.say(&Said { word: "eval", lines, result: None });
    assert!(state.page.is_none());
    typed(&mut state, "ere");
    assert_eq!(press(&mut state, KeyCode::Enter), Some(said("where")));
    assert_eq!(state.page.as_ref().unwrap().title, "eval");
}

#[test]
fn what_has_no_room_is_said_in_words() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (42, 20));
    press(&mut state, KeyCode::Char('v'));
    assert_eq!(state.status_line(), "This window has no room for the panel. The word eval says the same.");
    let mut state = State::new(looks(Glyphs::Unicode), (40, 12));
    state.menu = Some(Menu::default());
    press(&mut state, KeyCode::Char('?'));
    assert!(state.page.as_ref().unwrap().lines.iter().any(|line| line.starts_with("X and O in turn")));
    // Too many words for the status line are a page.
    let mut state = board("hex", "size=11", "b2 c2", Glyphs::Unicode, (80, 24));
    let legal = state.shown().unwrap().legal().join(" ");
    state.say(&Said { word: "legal", lines: vec![legal], result: None });
    assert!(
        picture(&state).contains("─ legal ─") && picture(&state).contains("a1 b1"),
        "{}",
        picture(&state)
    );
}

#[test]
fn the_score_is_told_in_as_many_words_as_fit() {
    for (size, width, wanted) in [("3", 80, "Score   X 1   O 0   draws 0"), ("5", 80, " X 1   O 0   draws 0")]
    {
        let mut state = State::new(looks(Glyphs::Unicode), (width, 24));
        let game = session("tic-tac-toe", &format!("size={size}"), "");
        state.open(&*game, &opening(2));
        let mut over = game.after(0);
        for x in (0..).zip("abcde".chars()).take(size.parse().unwrap()).map(|(_, x)| x) {
            over.play(&format!("{x}1")).unwrap();
            if over.outcome().is_none() {
                over.play(&format!("{x}2")).unwrap();
            }
        }
        let reason = over.ending().unwrap();
        let plies = over.plies();
        state.ended(&*over, &Ended { outcome: over.outcome().unwrap(), reason: &reason, plies });
        assert!(picture(&state).contains(wanted), "{}", picture(&state));
    }
}

#[test]
fn no_wall_is_shown_when_the_game_is_over() {
    let mut state = State::new(looks(Glyphs::Unicode), (80, 24));
    let over = session("quoridor", "size=3", "b2 b1");
    assert!(over.outcome().is_some());
    state.open(&*over, &opening(2));
    let places = layout(state.shown().unwrap(), state.size);
    let canvas = state.canvas(places.density.unwrap()).unwrap();
    let wall = canvas.spots().iter().find(|spot| spot.layer > 0).unwrap();
    let at = Position {
        x: places.board.x + u16::try_from(wall.x).unwrap(),
        y: places.board.y + u16::try_from(wall.y).unwrap(),
    };
    update(&mut state, &mouse(MouseEventKind::Down(MouseButton::Left), at));
    assert_eq!(state.status_line(), "The game is over. N new game, A again, u undo, s save.");
    assert_eq!(state.context(), Context::Board);
}

#[test]
fn a_hint_belongs_to_its_position() {
    let hex = session("hex", "size=5", "b2 c2");
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    let result = Some(serde_json::json!({"move": "d4"}));
    state.say(&Said { word: "hint", lines: vec!["Hint: d4.".to_owned()], result });
    let has_hint =
        |state: &State| picture(state).lines().any(|row| row.contains('>') && !row.contains("hint"));
    assert!(has_hint(&state), "{}", picture(&state));
    state.look_at(&*hex.after(1));
    assert!(!has_hint(&state), "{}", picture(&state));
    state.board(&*hex);
    assert!(has_hint(&state), "{}", picture(&state));
    state.board(&*session("hex", "size=5", "b2 c2 d3"));
    assert!(!has_hint(&state), "{}", picture(&state));
}

#[test]
fn what_is_shown_beside_the_board_stays_as_it_was_set() {
    let opening = opening(2);
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    state.open(&*session("tic-tac-toe", "size=3", ""), &opening);
    assert!(picture(&state).contains("v shows what is known"));
    press(&mut state, KeyCode::Char('v'));
    assert!(picture(&state).contains("Value of every cell"));
    let over = session("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3");
    let reason = over.ending().unwrap();
    state.ended(&*over, &Ended { outcome: over.outcome().unwrap(), reason: &reason, plies: 5 });
    assert!(picture(&state).contains("│ The game is over. "), "{}", picture(&state));
    state.open(&*session("tic-tac-toe", "size=3", ""), &opening);
    assert!(picture(&state).contains("Value of every cell"), "{}", picture(&state));
}

#[test]
fn advice_is_told_from_the_thought_of_a_machine() {
    let two = |mode: u8| {
        let opening = opening(mode);
        let mut state = State::new(looks(Glyphs::Unicode), (80, 24));
        state.open(&*session("hex", "size=5", "b2 c2"), &opening);
        state
    };
    for mode in [2, 3, 4] {
        let mut state = two(mode);
        state.thinks(&*session("hex", "size=5", "b2 c2"));
        assert_eq!(state.status_line(), "Looking for advice. Esc takes the best so far.", "mode {mode}");
        press(&mut state, KeyCode::Char('t'));
        assert_eq!(state.status_line(), "Looking for advice. Esc takes the best so far.", "mode {mode}");
        assert_eq!(press(&mut state, KeyCode::Esc), Some(Effect::Stop));
    }
    let mut state = two(4);
    state.goes_on();
    state.thinks(&*session("hex", "size=5", "b2 c2"));
    assert_eq!(state.status_line(), "Red is thinking. Esc plays its best move so far.");
    press(&mut state, KeyCode::Char('x'));
    assert_eq!(state.status_line(), "Two machines play. Space stops them after the next move.");
    press(&mut state, KeyCode::Char(' '));
    assert_eq!(state.status_line(), "They stop after this move. Space goes on.");
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    state.thinks(&*session("hex", "size=5", "b2"));
    assert_eq!(
        state.status_line(),
        "Looking for advice. Esc takes the best so far.",
        "about an earlier position"
    );
}

#[test]
fn columns_whose_letters_are_keys_are_typed_behind_a_colon() {
    for (size, needs) in [("size=14", false), ("size=15", true)] {
        let state = board("hex", size, "b2 c2", Glyphs::Unicode, (160, 60));
        assert_eq!(
            state.status_line().contains("Columns from o on: type : first."),
            needs,
            "{}",
            state.status_line()
        );
    }
}

#[test]
fn a_long_answer_takes_the_free_row_below() {
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (60, 24));
    let long = "The game is over here. back and goto look at earlier positions, new starts another game.";
    state.refused(&crosspath::game::Illegal::new("game-over", long));
    let rows: Vec<String> = picture(&state).lines().map(|row| row.trim().to_owned()).collect();
    assert_eq!(rows[21..23].join(" "), long);
}

#[test]
fn every_wall_is_built_by_typing_by_keys_and_by_a_click() {
    let walls =
        ('a'..='h').flat_map(|file| (1..=8).flat_map(move |row| [(file, row, 'h'), (file, row, 'v')]));
    for (file, row, lie) in walls {
        let wall = format!("{file}{row}{lie}");
        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        press(&mut state, KeyCode::Char('w'));
        for _ in 0..8 {
            press(&mut state, KeyCode::Left);
            press(&mut state, KeyCode::Down);
        }
        for _ in 'a'..file {
            press(&mut state, KeyCode::Right);
        }
        for _ in 1..row {
            press(&mut state, KeyCode::Up);
        }
        press(&mut state, KeyCode::Char(if lie == 'h' { '-' } else { '|' }));
        assert_eq!(press(&mut state, KeyCode::Enter), Some(said(&wall)), "by keys");

        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        let places = layout(state.shown().unwrap(), state.size);
        let canvas = state.canvas(places.density.unwrap()).unwrap();
        let spot = canvas.spots().iter().find(|spot| spot.text == wall).unwrap();
        let at = Position {
            x: places.board.x + u16::try_from(spot.x).unwrap(),
            y: places.board.y + u16::try_from(spot.y).unwrap(),
        };
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(update(&mut state, &mouse(down, at)), Some(said(&wall)), "by a click");

        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        typed(&mut state, &wall);
        assert_eq!(press(&mut state, KeyCode::Enter), Some(said(&wall)), "by typing");
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
        (KeyCode::Char('['), "back"),
        (KeyCode::Enter, "e3"),
    ] {
        assert_eq!(press(&mut state, key), Some(said(line)));
    }
    typed(&mut state, ":goto 3");
    assert_eq!(press(&mut state, KeyCode::Enter), Some(said("goto 3")));
    assert_eq!(press(&mut state, KeyCode::Char('R')), None);
    assert_eq!(press(&mut state, KeyCode::Char('p')), None);
    assert_eq!(press(&mut state, KeyCode::Char('R')), None, "another key came between");
    assert_eq!(press(&mut state, KeyCode::Char('R')), Some(said("resign")));
    assert_eq!(press(&mut state, KeyCode::Char('q')), Some(Effect::Quit));
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(update(&mut state, &Event::Key(interrupt)), Some(Effect::Interrupt));
}

#[test]
fn while_the_machine_thinks_moves_wait_and_pages_open() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    state.thinks(&*session("quoridor", "size=9", "e2"));
    assert_eq!(press(&mut state, KeyCode::Enter), None);
    assert_eq!(state.status_line(), "The engine is thinking. Esc plays its best move so far.");
    typed(&mut state, "e3");
    assert_eq!(press(&mut state, KeyCode::Enter), None);
    press(&mut state, KeyCode::Char('?'));
    assert!(state.page.is_some());
    assert_eq!(press(&mut state, KeyCode::Esc), None, "Esc closes one layer");
    assert_eq!(press(&mut state, KeyCode::Esc), Some(Effect::Stop));
    assert_eq!(press(&mut state, KeyCode::Char('u')), Some(said("undo")));
}

#[test]
fn the_command_of_the_menu_starts_the_same_game() {
    let mut state = State::new(looks(Glyphs::Unicode), (80, 24));
    state.menu = Some(Menu::default());
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
        KeyCode::Right,
        KeyCode::Enter,
    ];
    let mut effect = None;
    for key in keys {
        effect = press(&mut state, key);
    }
    let Some(Effect::Start(arguments)) = effect else { panic!("{effect:?}") };
    let shown = picture(&state);
    let joined = arguments.join(" ");
    let rows: Vec<&str> = shown.lines().skip(21).take(2).map(str::trim).collect();
    // As a shell reads it: what is broken with a backslash goes on.
    let command = rows.join("\n").replace("\\\n", "");
    assert_eq!(command, format!("Same game from the shell: crosspath {joined}"));
    let words = ["crosspath".to_owned()].into_iter().chain(arguments);
    let play = Cli::try_parse_from(words).unwrap().play;
    assert_eq!(play.board.game.as_deref(), Some("quoridor"));
    assert_eq!(play.board.size.as_deref(), Some("11"));
    assert!(play.board.walls.is_some() && play.level.is_some() && play.limits.movetime.is_some(), "{play:?}");
    assert_eq!(format!("{:?}", play.play_as), "Some(Second)");
    assert_eq!(play.mode.as_deref(), Some("1"));
}

#[test]
fn the_menu_says_which_boards_have_no_room() {
    for (size, window, has_room) in [("7", (80, 24), true), ("26", (80, 24), false), ("26", (160, 60), true)]
    {
        let mut state = State::new(looks(Glyphs::Unicode), window);
        state.menu = Some(Menu::default());
        typed(&mut state, &format!(":new hex {size}"));
        let Some(Effect::Start(_)) = press(&mut state, KeyCode::Enter) else { panic!("{}", picture(&state)) };
        let shown = picture(&state);
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
        let hex = session("hex", &format!("size={size}"), "");
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
                let play = Cli::try_parse_from(words).unwrap().play;
                assert_eq!(play.board.game.as_deref(), Some(entry.name));
                let mut variant = Variant::default();
                let texts = [
                    ("size", &play.board.size),
                    ("win-length", &play.board.win_length),
                    ("walls", &play.board.walls),
                ];
                for (key, text) in texts {
                    if let Some(text) = text {
                        variant.set(key, text).unwrap();
                    }
                }
                if play.board.no_swap {
                    variant.set("swap", "off").unwrap();
                }
                let session = entry.session(&variant).unwrap();
                assert_eq!(session.settings(), menu.session().unwrap().settings());
                assert_eq!(session.key(), menu.session().unwrap().key());
            }
        }
    }
}

#[test]
fn a_click_on_the_key_bar_and_on_the_list_of_moves_acts() {
    let mut state = board("tic-tac-toe", "size=3", "a1 b2 c3 c1", Glyphs::Unicode, (80, 24));
    let shown = picture(&state);
    let bar = shown.lines().nth(23).unwrap();
    let x = u16::try_from(bar.find("hint").unwrap()).unwrap();
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(update(&mut state, &mouse(down, Position { x, y: 23 })), Some(said("hint")));
    let (y, row) = shown.lines().enumerate().find(|(_, row)| row.contains("1 X a1")).unwrap();
    let x = row.chars().position(|glyph| glyph == 'X').unwrap();
    let at = Position { x: u16::try_from(x).unwrap() + 2, y: u16::try_from(y).unwrap() };
    assert_eq!(update(&mut state, &mouse(down, at)), Some(said("back 3")));
    assert_eq!(update(&mut state, &mouse(MouseEventKind::ScrollUp, at)), Some(said("back")));
}

#[test]
fn sides_last_move_and_cursor_differ_as_characters() {
    let state = board("tic-tac-toe", "size=10", "e5 f6 e6", Glyphs::Ascii, (80, 24));
    let shown = picture(&state);
    assert!(shown.contains("(X)") && shown.contains('O') && shown.contains("[O]"), "{shown}");
    assert_eq!(state.shown().unwrap().side_name(Side::First), "X");
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
    let games = |size: usize| if [3, 4, 10].contains(&size) { 200 } else { 10 };
    for size in (1..=10).flat_map(|size| std::iter::repeat_n(size, games(size))) {
        for glyphs in [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii] {
            let mut game = session("tic-tac-toe", &format!("size={size}"), "");
            while game.outcome().is_none() {
                let legal = game.legal();
                game.play(&legal[chance.random_range(0..legal.len())]).unwrap();
                let sides = Side::BOTH.map(|side| game.pieces(side));
                let last = game.last().unwrap();
                let cursor = game.legal().first().cloned().unwrap_or_else(|| last.clone());
                for (density, (width, height)) in game.densities().into_iter().enumerate() {
                    let look = Look { glyphs, density, cursor: Some(&cursor), ..Look::default() };
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
                        let is_last = marks.ends_with(')') && (marks.starts_with(['(', '[']));
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
            picture(&state).chars().filter(|glyph| *glyph != '\n' && glyph.width() != Some(1)).collect();
        assert!(wide.is_empty(), "{name}: {wide:?}");
    }
    for (name, state) in pages(Glyphs::Narrow, (100, 35)) {
        let wide: Vec<char> =
            picture(&state).chars().filter(|glyph| *glyph != '\n' && glyph.width_cjk() != Some(1)).collect();
        assert!(wide.is_empty(), "{name}: {wide:?}");
    }
}

#[test]
fn the_first_stone_is_taken_over_by_enter_where_it_stands() {
    let mut state = board("hex", "size=11", "", Glyphs::Unicode, (80, 24));
    typed(&mut state, "c3");
    assert_eq!(press(&mut state, KeyCode::Enter), Some(said("c3")));
    let after = session("hex", "size=11", "c3");
    let moved = crosspath::ui::Moved {
        ply: 1,
        side: Side::First,
        text: "c3",
        by: By::Human,
        legal: 121,
        report: None,
        notice: None,
    };
    state.moved(&*after, &moved);
    assert!(
        state.status_line().ends_with("You may take Red's stone over: S swaps."),
        "{}",
        state.status_line()
    );
    assert!(picture(&state).contains("S swap"), "{}", picture(&state));
    press(&mut state, KeyCode::Right);
    press(&mut state, KeyCode::Left);
    assert_eq!(press(&mut state, KeyCode::Enter), Some(said("swap")));
}

#[test]
fn a_wall_that_was_turned_under_the_mouse_is_built_as_it_is_shown() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    let places = layout(state.shown().unwrap(), state.size);
    let canvas = state.canvas(places.density.unwrap()).unwrap();
    let spot = canvas.spots().iter().find(|spot| spot.text == "d4v").unwrap();
    let at = Position {
        x: places.board.x + u16::try_from(spot.x).unwrap(),
        y: places.board.y + u16::try_from(spot.y).unwrap(),
    };
    update(&mut state, &mouse(MouseEventKind::Moved, at));
    update(&mut state, &mouse(MouseEventKind::Down(MouseButton::Right), at));
    update(&mut state, &mouse(MouseEventKind::Moved, at));
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(update(&mut state, &mouse(down, at)), Some(said("d4h")));
}

#[test]
fn a_refusal_puts_the_cursor_back_only_where_the_field_has_moved_it() {
    let refusal = crosspath::game::Illegal::new("taken", "That is taken.");
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    let at = |state: &State| picture(state).lines().last().unwrap().to_owned();
    let home = at(&state);
    typed(&mut state, "e3h");
    assert_ne!(at(&state), home, "the cursor jumps to what is typed");
    press(&mut state, KeyCode::Esc);
    assert_eq!(at(&state), home, "Esc takes that back");
    typed(&mut state, "e3h");
    press(&mut state, KeyCode::Enter);
    state.refused(&refusal);
    assert_eq!(at(&state), home, "and so does a refusal");
    press(&mut state, KeyCode::Char('w'));
    let ghost = at(&state);
    press(&mut state, KeyCode::Enter);
    state.refused(&refusal);
    assert_eq!(at(&state), ghost, "what was not typed stays where it is");
}

#[test]
fn what_the_machine_thinks_is_shown_with_its_position_only() {
    let size = (80, 24);
    let mut state = board("hex", "size=11 swap=off", "c2 f6 d9 d8", Glyphs::Unicode, size);
    let game = session("hex", "size=11 swap=off", "c2 f6 d9 d8");
    let shows = |state: &State| picture(state).contains("40 %");
    assert!(shows(&state));
    state.board(&*game.after(2));
    assert!(!shows(&state), "taken back");
    state.board(&*game);
    assert!(shows(&state), "played again");
    state.look_at(&*game.after(3));
    assert!(!shows(&state), "an earlier position has numbers of its own");
    state.look_at(&*game.after(4));
    assert!(shows(&state), "looked at again");
    let other = session("hex", "size=11 swap=off", "a1 b2 c3 d4");
    state.board(&*other);
    assert!(!shows(&state), "another game");
}

#[test]
fn nobody_plays_on_a_position_that_is_looked_back_at() {
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    let game = session("quoridor", "size=9", QUORIDOR);
    state.look_at(&*game.after(2));
    assert_eq!(press(&mut state, KeyCode::Enter), Some(said("goto end")));
}

#[test]
fn the_cursor_is_never_lost_where_a_place_has_another_name() {
    let mut state = board("hex", "size=11", "d4 swap", Glyphs::Unicode, (80, 24));
    let game = session("hex", "size=11", "d4 swap");
    for plies in [1, 0, 2] {
        state.look_at(&*game.after(plies));
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw(&state, frame)).unwrap();
        let cursor = terminal.get_cursor_position().unwrap();
        assert_ne!(cursor, Position { x: 0, y: 0 }, "hidden after {plies} moves");
    }
}

/// What a key of the help is to do.
enum Want {
    /// A line, as if it had been typed in line mode.
    Says(&'static str),
    /// The field opens with this in it.
    Field(&'static str),
    /// Something is done outside.
    Does(Effect),
    /// The picture is another one, and holds this.
    Shows(&'static str),
}

#[allow(clippy::match_same_arms)] // in the order of the table of actions
fn wanted(act: Act, context: Context) -> Want {
    use Want::{Does, Field, Says, Shows};
    let is_menu = context == Context::Menu;
    match act {
        Act::Left | Act::Back => match context {
            Context::Replay => Says("back"),
            Context::Board | Context::Wall if act == Act::Back => Says("back"),
            _ => Shows(""),
        },
        Act::Right | Act::Forward => match context {
            Context::Replay => Says("next"),
            Context::Board | Context::Wall if act == Act::Forward => Says("next"),
            _ => Shows(""),
        },
        Act::Up
        | Act::Down
        | Act::UpRight
        | Act::DownLeft
        | Act::RowStart
        | Act::RowEnd
        | Act::Options
        | Act::Pick => Shows(""),
        Act::Play if context == Context::Wall => Says("d4v"),
        Act::Play => Says("e4"),
        Act::Walls if context == Context::Wall => Shows("Your move, White."),
        Act::Walls => Shows("h ok:"),
        Act::Rotate | Act::Across => Shows("d4h ok:"),
        Act::Upright => Shows("d4v ok:"),
        Act::Undo => Says("undo"),
        Act::Redo => Says("redo"),
        Act::Hint => Says("hint"),
        Act::Panel => Shows("v shows what is known"),
        Act::Path => Shows("p goes on."),
        Act::Flip => Shows("The board is turned."),
        Act::Swap => Says("swap"),
        Act::Command => Field(""),
        Act::Save => Field("save "),
        Act::Open if is_menu => Field("replay "),
        Act::Open => Field("load "),
        Act::Level => Field("level "),
        Act::New => Shows("─ Game ─"),
        Act::Again => Says("side second, new"),
        Act::Resign => Shows("R once more"),
        Act::First => Says("goto 0"),
        Act::Last => Says("goto 4"),
        Act::TenBack => Says("back 2"),
        Act::TenForward => Says("next 2"),
        Act::Auto => Shows("Runs by itself."),
        Act::Faster => Shows("0.5 s a move."),
        Act::Slower => Shows("2 s a move."),
        Act::PlayOn => Says("play"),
        Act::Start => Does(Effect::Start(
            ["--game", "tic-tac-toe", "--mode", "1", "--size", "3"].map(str::to_owned).to_vec(),
        )),
        Act::Search => Shows("search:"),
        Act::Theme => Shows(""),
        Act::Mouse => Does(Effect::Mouse(false)),
        Act::Plain => Does(Effect::Plain),
        Act::Help if context == Context::Page => Shows("Your move"),
        Act::Help => Shows("Keys:"),
        Act::Escape if context == Context::Wall => Shows("Your move, White."),
        Act::Escape if context == Context::Page => Shows("Your move"),
        Act::Escape if context == Context::Replay => Shows(""),
        Act::Escape if context == Context::Menu => Shows("Your move"),
        Act::Escape => Does(Effect::Stop),
        Act::Interrupt => Does(Effect::Interrupt),
        Act::Suspend => Does(Effect::Suspend),
        Act::Redraw => Does(Effect::Redraw),
        Act::Quit if context == Context::Page => Shows("Your move"),
        Act::Quit if context == Context::Replay => Says("goto end"),
        Act::Quit => Does(Effect::Quit),
    }
}

/// Where the key can do what it says.
fn stage(act: Act, context: Context) -> State {
    let quoridor = |moves: &str| board("quoridor", "size=9", moves, Glyphs::Unicode, (80, 24));
    let mut state = match (act, context) {
        (Act::Swap, _) => board("hex", "size=5", "c3", Glyphs::Unicode, (80, 24)),
        (_, Context::Menu) if act != Act::Escape => {
            let mut state = State::new(looks(Glyphs::Unicode), (80, 24));
            state.menu = Some(Menu::default());
            state
        }
        _ => quoridor("e2 e8 e3 e7"),
    };
    let game = session("quoridor", "size=9", "e2 e8 e3 e7");
    match context {
        Context::Wall => {
            // In the middle, upright where the key is to lay it down.
            typed(&mut state, if matches!(act, Act::Upright) { "d4h" } else { "d4v" });
            press(&mut state, KeyCode::Esc);
            hover(&mut state, if matches!(act, Act::Upright) { "d4h" } else { "d4v" });
        }
        Context::Replay => {
            state.say(&Said { word: "replay", lines: Vec::new(), result: None });
            state.look_at(&*game.after(2));
        }
        Context::Menu if act == Act::Escape => {
            press(&mut state, KeyCode::Char('N'));
        }
        Context::Page => {
            press(&mut state, KeyCode::Char('?'));
            if !matches!(act, Act::Down | Act::DownLeft | Act::RowEnd) {
                press(&mut state, KeyCode::Down);
            }
        }
        Context::Small => {
            state.size = (20, 5);
        }
        _ => {}
    }
    match (act, context) {
        (Act::Up | Act::Left | Act::RowStart | Act::UpRight, Context::Menu) => {
            press(&mut state, KeyCode::Tab);
            press(&mut state, KeyCode::Down);
        }
        (Act::Play, Context::Board) => {
            press(&mut state, KeyCode::Up);
        }
        (Act::Escape, Context::Replay) => {
            press(&mut state, KeyCode::Char(' '));
        }
        (Act::Escape, Context::Board | Context::Small) => state.thinks(&*game),
        (Act::Again, _) => {
            let mut over = session("quoridor", "size=9", "e2 e8 e3 e7");
            over.end_by("resign").unwrap();
            let reason = over.ending().unwrap();
            state.ended(&*over, &Ended { outcome: over.outcome().unwrap(), reason: &reason, plies: 4 });
        }
        _ => {}
    }
    state
}

#[test]
fn every_key_of_the_help_does_what_it_says() {
    for (context, place) in Context::ALL {
        for action in ACTIONS.iter().filter(|action| action.contexts.contains(&context)) {
            for key in action.keys {
                let mut state = stage(action.act, context);
                assert_eq!(state.context(), context, "{:?}", action.act);
                let name = format!("{place}: {key:?} for {:?}", action.act);
                if *key == Key::Char('1') {
                    press(&mut state, KeyCode::Char('2')); // the first game is chosen already
                }
                let before = (picture(&state), state.looks.theme, format!("{state:?}"));
                let (code, modifiers) = match key {
                    Key::Char(letter) => (KeyCode::Char(*letter), KeyModifiers::NONE),
                    Key::Ctrl(letter) => (KeyCode::Char(*letter), KeyModifiers::CONTROL),
                    Key::Named(code) => (*code, KeyModifiers::NONE),
                };
                let effect = update(&mut state, &Event::Key(KeyEvent::new(code, modifiers)));
                match wanted(action.act, context) {
                    Want::Says(text) => match effect {
                        Some(Effect::Lines(lines)) => assert_eq!(lines.join(", "), text, "{name}"),
                        other => panic!("{name}: {other:?} instead of {text}"),
                    },
                    Want::Does(wanted) => assert_eq!(effect, Some(wanted), "{name}"),
                    Want::Field(text) => assert_eq!(state.field.as_deref(), Some(text), "{name}"),
                    Want::Shows(text) => {
                        assert_eq!(effect, None, "{name}");
                        let is_none = matches!(code, KeyCode::Char('4'..='9'));
                        let after = (picture(&state), state.looks.theme, format!("{state:?}"));
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
    let menu = || {
        let mut state = State::new(looks(Glyphs::Unicode), (80, 24));
        state.menu = Some(Menu::default());
        state
    };
    let say = |state: &mut State, text: &str| {
        assert_eq!(press(state, KeyCode::Char(':')), None);
        typed(state, text);
        assert!(picture(state).contains(&format!("> {text}")));
        press(state, KeyCode::Enter)
    };
    let start = |words: &str| Some(Effect::Start(words.split(' ').map(str::to_owned).collect()));
    assert_eq!(say(&mut menu(), "new hex 7"), start("--game hex --mode 1 --size 7"));
    assert_eq!(say(&mut menu(), "new"), start("--game tic-tac-toe --mode 1 --size 3"));
    assert_eq!(say(&mut menu(), "new 5"), start("--game tic-tac-toe --mode 1 --size 5"));
    assert_eq!(
        say(&mut menu(), "replay a game.txt"),
        start("--mode 3 -- a game.txt")
            .map(|_| { Effect::Start(["--mode", "3", "--", "a game.txt"].map(str::to_owned).to_vec()) })
    );
    assert_eq!(say(&mut menu(), "quit"), Some(Effect::Quit));
    for (text, answer) in [
        ("new chess", "chess"),
        ("new hex 99", "99"),
        ("level 9", "level 9 does not exist. Levels: classic, 1 to 8."),
        ("zz", "Words here: new GAME SIZE, replay FILE, level N, help, quit."),
        ("undo", "Words here: new GAME SIZE, replay FILE, level N, help, quit."),
        ("help", "Keys: Start menu"),
    ] {
        let mut state = menu();
        assert_eq!(say(&mut state, text), None);
        assert!(picture(&state).contains(answer), "{text}:\n{}", picture(&state));
    }
    let mut state = menu();
    assert_eq!(say(&mut state, "level 3"), None);
    assert!(picture(&state).contains("--level 3"));
    // Over a game that goes on all other words are that game's.
    let mut state = board("hex", "size=5", "c3", Glyphs::Unicode, (80, 24));
    press(&mut state, KeyCode::Char('N'));
    assert_eq!(say(&mut state, "where"), Some(said("where")));
    assert!(state.menu.is_none());
}

#[test]
fn clocks_stand_in_a_wide_title() {
    for (width, is_there) in [(100, true), (99, false)] {
        let mut state = board("hex", "size=11", "c3", Glyphs::Unicode, (width, 35));
        state.has_clocks = true;
        state.used[Side::First] = std::time::Duration::from_secs(42);
        state.used[Side::Second] = std::time::Duration::from_secs(67);
        assert_eq!(picture(&state).lines().next().unwrap().ends_with("0:42 / 1:07"), is_there);
    }
}

#[test]
fn a_page_is_scrolled_to_its_very_end_at_every_size() {
    for size in [(80, 24), (100, 35), (60, 20), (40, 12), (64, 20), (30, 8)] {
        for (game, settings) in [("hex", "size=3"), ("quoridor", "size=3"), ("tic-tac-toe", "size=3")] {
            let mut state = board(game, settings, "", Glyphs::Unicode, size);
            press(&mut state, KeyCode::Char('?'));
            let mut ends = Vec::new();
            press(&mut state, KeyCode::End);
            ends.push(picture(&state));
            for key in [KeyCode::Down, KeyCode::PageDown] {
                press(&mut state, key);
                ends.push(picture(&state));
            }
            let (end, title) = (&ends[0], format!("{game} at {size:?}"));
            assert!(end.contains("terminals."), "{title}:\n{end}");
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
                press(&mut state, KeyCode::Home);
                assert_eq!(pages(&picture(&state)), (1, all), "{title}: the number of pages stays");
            }
        }
    }
}

#[test]
fn a_page_without_the_searched_text_says_so() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    press(&mut state, KeyCode::Char('?'));
    press(&mut state, KeyCode::Char('/'));
    typed(&mut state, "xyzzy");
    assert!(picture(&state).contains("No line holds that. Esc shows all of them."));
}

#[test]
fn values_are_all_shown_where_the_panel_is_small() {
    let mut state = board("tic-tac-toe", "size=3", "c3", Glyphs::Unicode, (60, 20));
    press(&mut state, KeyCode::Char('v'));
    let shown = picture(&state);
    assert!(shown.contains("Value of every cell") && shown.contains("draws: b2"), "{shown}");
    assert!(shown.contains("loses in 3: a1 b1 c1"), "{shown}");
}

#[test]
fn what_is_looked_back_at_takes_no_walls() {
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    state.look_at(&*session("quoridor", "size=9", QUORIDOR).after(2));
    assert_eq!(press(&mut state, KeyCode::Char('w')), Some(said("goto end")));
    let at = Position { x: 11, y: 12 };
    assert_eq!(
        update(&mut state, &mouse(MouseEventKind::Down(MouseButton::Left), at)),
        Some(said("goto end"))
    );
    assert_eq!(state.context(), Context::Board, "no wall is held");
}
