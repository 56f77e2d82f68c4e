//! What the key for paths lays over the board of the full screen.

use crosspath::canvas::Glyphs;
use crosspath::play::{Command, Place};
use crosspath::ui::tui::layout;
use crossterm::event::KeyCode;

use crate::rig::{Rig, report};
use crate::screens::{QUORIDOR, board};

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_key_for_paths_goes_through_everything_and_ends_with_the_board_alone() {
    let mut state = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", Glyphs::Unicode, (80, 24));
    let (bare, mut seen) = (state.picture(), vec![]);
    loop {
        state.press(KeyCode::Char('p'));
        // What the player should know stays to be read.
        let said = state.status();
        let said = said.strip_suffix(" Red has entered Blue's link b9-d8: c9 (!) repairs it.").unwrap();
        if said == "The board alone." {
            break;
        }
        seen.push(said.to_owned());
        let drawn = state.picture();
        assert!(seen.len() < 9, "{seen:?}");
        let board = |text: &str| text.lines().take(19).map(str::to_owned).collect::<Vec<_>>();
        assert_ne!(board(&bare), board(&drawn), "{}", state.status());
    }
    assert_eq!(
        seen,
        [
            "Safe links: + Red, - Blue; ways: • Red, ◦ Blue; ◊ both. p shows the next one.",
            "Paths as engine classic sees them: r Red's, b Blue's, & both. p shows the next one.",
            "What each cell weighs for Red, as engine classic sees it. p shows the next one.",
            "What each cell weighs for Blue, as engine classic sees it. p shows the next one.",
            "Must-play: * is left, ! wins, = the winner needs. p shows the next one.",
            "Red's connections: = held whatever Blue does, + the next. p shows the next one.",
            "Blue's connections: = held whatever Red does, + the next. p shows the next one.",
            "Where the network would play: 9 first of all, 1 hardly. p shows the next one.",
        ]
    );
    // When something else is said its signs are explained below the board.
    state.press(KeyCode::Char('p'));
    let named = |state: &Rig| state.picture().matches("Safe links: + Red").count();
    assert_eq!(named(&state), 1);
    state.say("where");
    state.press(KeyCode::Esc);
    state.press(KeyCode::Char('T'));
    assert!(state.status().starts_with("Theme:"));
    assert_eq!(named(&state), 1, "{}", state.picture());
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    for said in ["Shortest ways: ▵ White, ▿ Black, ◊ both. p shows the next one.", "The board alone."] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), said);
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    for said in [
        "X's pairs: answer on the same sign and never lose. p shows the next one.",
        "O's pairs: none here. p shows the next one.",
        "The board alone.",
    ] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), said);
    }
}

#[test]
fn what_lies_over_the_board_stays_there_and_ends_with_the_game() {
    let mut state = Rig::two("hex", "size=5 swap=off", "b2", (100, 35));
    state.press(KeyCode::Char('p'));
    let density = layout(state.scene().shown().unwrap(), state.screen.size).density.unwrap();
    let links = |state: &Rig| {
        let canvas = state.scene().canvas(density).unwrap();
        let cells = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        cells.filter(|&(x, y)| ['+', '-'].contains(&canvas.at(x, y).0)).count()
    };
    let of_red = links(&state);
    assert_eq!(of_red, 2, "{}", state.picture());
    state.say("b4");
    assert!(links(&state) > of_red, "Blue has links, too: {}", state.picture());
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
fn only_a_game_with_pairs_speaks_of_pairs() {
    let mut hex = Rig::two("hex", "size=11", "c2 f6", (160, 50));
    hex.press(KeyCode::Char('?'));
    assert!(
        hex.picture().contains("signs over the board") && !hex.picture().contains("pairs"),
        "{}",
        hex.picture()
    );
    let tic_tac_toe = Rig::two("tic-tac-toe", "size=5", "c2", (80, 24));
    assert!(tic_tac_toe.picture().contains("p pairs"), "{}", tic_tac_toe.picture());
}

#[test]
fn who_plays_on_from_a_replay_is_told_of_a_cut_link() {
    let moves = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    let mut rig = Rig::replay("hex", "size=11 swap=off", moves, Glyphs::Unicode, (80, 24));
    rig.tell(Command::Show(Place::Ply(11)));
    rig.act(KeyCode::Char('x'));
    let told = "Red has entered Blue's link b9-d8: c9 (!) repairs it.";
    assert_eq!(rig.status(), format!("The game goes on after move 11. {told} Your move, Blue."));
}

#[test]
fn the_best_moves_are_numbered_on_the_board_for_the_side_to_move_alone() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", Glyphs::Unicode, (80, 24));
    let sign = |rig: &Rig| {
        let at = rig.place("e5").unwrap();
        rig.picture().lines().nth(at.y.into()).unwrap().chars().nth(at.x.into()).unwrap()
    };
    assert_eq!(sign(&rig), '2', "advice to the one who is to move:\n{}", rig.picture());
    rig.say("e3");
    rig.think(&report());
    assert_eq!(sign(&rig), '2', "the machine thinks:\n{}", rig.picture());
    rig.answer("e7", report());
    assert_ne!(sign(&rig), '2', "what the machine did not play:\n{}", rig.picture());
}
