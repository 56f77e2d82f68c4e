//! The overlays that the key for them puts on the board of the full screen.

use crosspath::canvas::Glyphs;
use crosspath::play::{Command, HistoryTarget};
use crosspath::session::{CandidateMove, SearchReport};
use crosspath::ui::tui::layout;
use crossterm::event::KeyCode;

use crate::rig::{Rig, report};
use crate::screens::{QUORIDOR, board};
use crate::sentences::{lasting, said};

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_key_for_paths_goes_through_everything_and_ends_with_the_board_alone() {
    let mut state = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", Glyphs::Unicode, (80, 24));
    let (bare, mut seen) = (state.picture(), vec![]);
    loop {
        state.press(KeyCode::Char('p'));
        // What the player should know stays to be read.
        let said = state.status();
        let said = said
            .strip_suffix(lasting(format!(" {}", said!("has-entered-s-link", "Red", "Blue", "c9"))))
            .unwrap();
        if said == said!("the-board-alone") {
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
            said!("safe-links-to-go", "Red", "Blue", "Red", "Blue", "Paths of the classic level"),
            said!("likely-paths-r-reds", "Cost of each cell for Red"),
            said!("how-hard-each-cell", "Cost of each cell for Blue"),
            said!("how-hard-each-cell-is", "Must-play"),
            said!("moves-to-choose-from", "Red's connections"),
            said!("reds-connections-sure-whatever", "Blue's connections"),
            said!("blues-connections-sure-whatever", "The network's choices"),
            said!("where-the-network-would-play", "off"),
        ]
    );
    // When something else is said its signs are explained below the board.
    state.press(KeyCode::Char('p'));
    let named = |state: &Rig| state.picture().matches("Bridges + Red").count();
    assert_eq!(named(&state), 1);
    state.say("where");
    state.press(KeyCode::Esc);
    state.press(KeyCode::Char('T'));
    assert!(state.status().starts_with("Theme:"));
    assert_eq!(named(&state), 1, "{}", state.picture());
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
    for said in [said!("shortest-paths-both-p", "White", "Black", "off"), said!("the-board-alone")] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), said);
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", Glyphs::Unicode, (80, 24));
    for said in [said!("xs-pairs-answer-on", "off"), said!("the-board-alone")] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), said);
    }
}

const TEN: &str = "e5 f6 e6 e4 d5 f5 f4 g3 d7 c8 g5 c5 b2 h8 i9";

#[test]
fn where_the_name_of_the_next_overlay_has_no_room_the_key_alone_is_named() {
    let mut state = board("tic-tac-toe", "size=10", TEN, Glyphs::Unicode, (80, 24));
    state.press(KeyCode::Char('p'));
    assert!(state.status().ends_with(said!("p-shows-the-next", "next")), "{}", state.status());
    assert!(state.picture().contains(said!("p-shows-the-next", "next")), "{}", state.picture());
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
            state.status().ends_with(said!("p-shows-the-next", "off")),
            state.status().starts_with(said!("the-game-is-over-part")),
        );
        assert!(is_named || is_empty, "{}", state.status());
        assert!(!state.status().contains(said!("how-hard")), "{}", state.status());
    }
}

#[test]
fn only_a_game_with_pairs_speaks_of_pairs() {
    let mut hex = Rig::two("hex", "size=11", "c2 f6", (160, 50));
    hex.press(KeyCode::Char('?'));
    assert!(
        hex.picture().contains(said!("signs-over-the-board")) && !hex.picture().contains("pairs"),
        "{}",
        hex.picture()
    );
    let tic_tac_toe = Rig::two("tic-tac-toe", "size=5", "c2", (80, 24));
    assert!(tic_tac_toe.picture().contains("p overlays"), "{}", tic_tac_toe.picture());
}

#[test]
fn who_plays_on_from_a_replay_is_told_of_a_cut_link() {
    let moves = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    let mut rig = Rig::replay("hex", "size=11 swap=off", moves, Glyphs::Unicode, (80, 24));
    rig.tell(Command::Show(HistoryTarget::Ply(11)));
    rig.act(KeyCode::Char('x'));
    let told = said!("has-entered-s-link", "Red", "Blue", "c9");
    // Behind it stands that both sides are free, where the turn and the form of a move stood.
    let (status, free) = (rig.status(), said!("you-move-for-both", ":side first"));
    let turn = said!("to-move-2", "Blue");
    assert!(status.contains(free) && status.ends_with(&format!("{told} {turn}")), "{status}");
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

#[test]
fn the_sign_of_a_cut_link_means_nothing_else_and_no_sentence_names_it() {
    let mut rig = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", Glyphs::Unicode, (80, 24));
    assert!(rig.scene().overlays().iter().all(|title| !title.contains('!')));
    let sign = |rig: &Rig| {
        let canvas = rig.scene().drawn(0).unwrap();
        let spot = canvas.find("c9").unwrap();
        canvas.at(spot.x, spot.y).0
    };
    assert_eq!(sign(&rig), '!', "{}", rig.picture());
    // A path goes through the cell and has another sign there.
    (0..2).for_each(|_| rig.act(KeyCode::Char('p')));
    assert_eq!(sign(&rig), 'b', "{}", rig.picture());
    assert!(rig.status().ends_with(said!("can-repair-it", "c9")), "{}", rig.status());
}

#[test]
fn the_number_of_a_best_move_stands_beside_the_sign_of_a_way_and_in_place_of_that_of_a_step() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", Glyphs::Unicode, (80, 24));
    rig.press(KeyCode::Char('p'));
    let canvas = rig.scene().drawn(0).unwrap();
    let step = ["e3", "d2", "f2", "e1"].map(|text| canvas.find(text).unwrap().clone());
    let beside = step.map(|spot| (canvas.at(spot.x, spot.y).0, canvas.at(spot.x + 1, spot.y).0));
    assert!(beside.contains(&('◊', '∘')), "{beside:?}");
    let best = SearchReport { candidates: best_of(["e3", "d2"]), ..report() };
    rig.think(&best);
    let canvas = rig.scene().drawn(0).unwrap();
    let spot = canvas.find("e3").unwrap();
    assert_eq!((canvas.at(spot.x, spot.y).0, canvas.at(spot.x + 1, spot.y).0), ('◊', '1'));
}

fn best_of(moves: [&str; 2]) -> Vec<CandidateMove> {
    let first = report().candidates.remove(0);
    moves.map(|text| CandidateMove { text: text.to_owned(), ..first.clone() }).into()
}

#[test]
fn the_title_says_whose_turn_it_is_whatever_the_status_line_says() {
    for (game, settings, moves, name) in
        [("hex", "size=11", "f6 f7 g7", "Blue"), ("quoridor", "size=9", "e2 e8", "White")]
    {
        let mut rig = Rig::board(game, settings, moves, Glyphs::Unicode, (80, 24));
        for key in ['v', 'p', 'T', 't'] {
            rig.act(KeyCode::Char(key));
            let picture = rig.picture();
            let title = picture.lines().next().unwrap();
            assert!(title.contains(&format!(": {name}  ")), "{key}: {picture}");
            assert!(!rig.status().contains(said!("your-move-part")), "{}", rig.status());
        }
    }
}
