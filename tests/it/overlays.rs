//! The overlays that the key `p` shows on the board of the full screen.

use crosspath::canvas::GlyphSet;
use crosspath::play::{Command, HistoryTarget};
use crosspath::session::{CandidateMove, SearchReport};
use crosspath::ui::tui::layout_in_lines;
use crossterm::event::KeyCode;

use crate::screens::{QUORIDOR, board};
use crate::sentences::{lasting, said};
use crate::tui_harness::{Rig, report};

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_overlay_key_goes_through_all_overlays_and_ends_with_none() {
    let mut state = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", GlyphSet::Unicode, (80, 24));
    let (bare, mut seen) = (state.picture(), vec![]);
    loop {
        state.press(KeyCode::Char('p'));
        // Important messages remain in the status line.
        let status = state.status();
        let status = status
            .strip_suffix(lasting(format!(" {}", said!("has-entered-s-link", "Red", "Blue", "c9"))))
            .unwrap();
        if status == said!("the-board-alone") {
            break;
        }
        seen.push(status.to_owned());
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
    // If the status line shows something else, the signs are explained below the board.
    state.press(KeyCode::Char('p'));
    let named = |state: &Rig| state.picture().matches("Bridges + Red").count();
    assert_eq!(named(&state), 1);
    state.say("where");
    state.press(KeyCode::Esc);
    state.press(KeyCode::Char('T'));
    assert!(state.status().starts_with("Theme:"));
    assert_eq!(named(&state), 1, "{}", state.picture());
    let mut state = board("quoridor", "size=9", QUORIDOR, GlyphSet::Unicode, (80, 24));
    for status in [said!("shortest-paths-both-p", "White", "Black", "off"), said!("the-board-alone")] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), status);
    }
    let mut state = board("tic-tac-toe", "size=3", "b2", GlyphSet::Unicode, (80, 24));
    for status in [said!("xs-pairs-answer-on", "off"), said!("the-board-alone")] {
        state.press(KeyCode::Char('p'));
        assert_eq!(state.status(), status);
    }
}

const GAME_ON_10X10: &str = "e5 f6 e6 e4 d5 f5 f4 g3 d7 c8 g5 c5 b2 h8 i9";

#[test]
fn the_name_of_the_next_overlay_is_left_out_if_it_does_not_fit() {
    let mut state = board("tic-tac-toe", "size=10", GAME_ON_10X10, GlyphSet::Unicode, (80, 24));
    state.press(KeyCode::Char('p'));
    assert!(state.status().ends_with(said!("p-shows-the-next", "next")), "{}", state.status());
    assert!(state.picture().contains(said!("p-shows-the-next", "next")), "{}", state.picture());
}

#[test]
fn an_overlay_follows_the_game_and_is_not_announced_without_content() {
    let mut state = Rig::two("hex", "size=5 swap=off", "b2", (100, 35));
    state.press(KeyCode::Char('p'));
    let density =
        layout_in_lines(state.scene().shown_position().unwrap(), state.screen.size).density.unwrap();
    let bridge_signs = |state: &Rig| {
        let canvas = state.scene().paint_board(density).unwrap();
        let cells = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        cells.filter(|&(x, y)| ['+', '-'].contains(&canvas.glyph_at(x, y).0)).count()
    };
    let of_red = bridge_signs(&state);
    assert_eq!(of_red, 2, "{}", state.picture());
    state.say("b4");
    assert!(bridge_signs(&state) > of_red, "Blue has links, too: {}", state.picture());
    // An overlay without content is not announced.
    let mut state = Rig::two("hex", "size=2 swap=off", "a1 b1 a2", (100, 35));
    assert!(state.game().shown_position().outcome().is_some());
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
fn only_a_game_with_pairing_strategies_mentions_pairs() {
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
fn playing_on_from_a_replay_reports_an_intrusion() {
    let moves = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";
    let mut rig = Rig::replay("hex", "size=11 swap=off", moves, GlyphSet::Unicode, (80, 24));
    rig.execute(Command::Show(HistoryTarget::Ply(11)));
    rig.act(KeyCode::Char('x'));
    let intrusion = said!("has-entered-s-link", "Red", "Blue", "c9");
    // The message is followed by the side to move, and preceded by the note that you move for both
    // sides.
    let (status, free) = (rig.status(), said!("you-move-for-both", ":side first"));
    let turn = said!("to-move-2", "Blue");
    assert!(status.contains(free) && status.ends_with(&format!("{intrusion} {turn}")), "{status}");
}

#[test]
fn best_moves_are_numbered_only_for_the_side_to_move() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", GlyphSet::Unicode, (80, 24));
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
fn the_sign_of_an_intrusion_has_no_other_meaning() {
    let mut rig = board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", GlyphSet::Unicode, (80, 24));
    assert!(rig.scene().overlay_titles().iter().all(|title| !title.contains('!')));
    let sign = |rig: &Rig| {
        let canvas = rig.scene().paint_board_with_marks(0).unwrap();
        let spot = canvas.find_spot("c9").unwrap();
        canvas.glyph_at(spot.x, spot.y).0
    };
    assert_eq!(sign(&rig), '!', "{}", rig.picture());
    // A path through the cell has its own sign there.
    (0..2).for_each(|_| rig.act(KeyCode::Char('p')));
    assert_eq!(sign(&rig), 'b', "{}", rig.picture());
    assert!(rig.status().ends_with(said!("can-repair-it", "c9")), "{}", rig.status());
}

#[test]
fn best_move_numbers_replace_step_signs_and_stand_beside_path_signs() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('p'));
    let canvas = rig.scene().paint_board_with_marks(0).unwrap();
    let step = ["e3", "d2", "f2", "e1"].map(|text| canvas.find_spot(text).unwrap().clone());
    let beside = step.map(|spot| (canvas.glyph_at(spot.x, spot.y).0, canvas.glyph_at(spot.x + 1, spot.y).0));
    assert!(beside.contains(&('◊', '∘')), "{beside:?}");
    let best = SearchReport { candidates: two_candidates(["e3", "d2"]), ..report() };
    rig.think(&best);
    let canvas = rig.scene().paint_board_with_marks(0).unwrap();
    let spot = canvas.find_spot("e3").unwrap();
    assert_eq!((canvas.glyph_at(spot.x, spot.y).0, canvas.glyph_at(spot.x + 1, spot.y).0), ('◊', '1'));
}

fn two_candidates(moves: [&str; 2]) -> Vec<CandidateMove> {
    let first = report().candidates.remove(0);
    moves.map(|text| CandidateMove { text: text.to_owned(), ..first.clone() }).into()
}

#[test]
fn the_title_always_says_whose_turn_it_is() {
    for (game, settings, moves, name) in
        [("hex", "size=11", "f6 f7 g7", "Blue"), ("quoridor", "size=9", "e2 e8", "White")]
    {
        let mut rig = Rig::board(game, settings, moves, GlyphSet::Unicode, (80, 24));
        for key in ['v', 'p', 'T', 't'] {
            rig.act(KeyCode::Char(key));
            let picture = rig.picture();
            let title = picture.lines().next().unwrap();
            assert!(title.contains(&format!(": {name}  ")), "{key}: {picture}");
            assert!(!rig.status().contains(said!("your-move-part")), "{}", rig.status());
        }
    }
}
