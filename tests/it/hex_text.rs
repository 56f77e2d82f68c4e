//! Texts of Hex: moves, refusals and descriptions.

use crosspath::game::{Game, Notation, PositionDescription, Refusal, RefusalCode, Side};
use crosspath::games::hex::{Hex, Move, SwapRule};

use crate::sentences::said;

fn empty_board(size: usize) -> Hex {
    Hex::new(size, SwapRule::On).unwrap()
}

/// Returns the position after these moves, and the moves.
fn position_after(size: usize, swap: SwapRule, texts: &str) -> (Hex, Vec<Move>) {
    let mut game = Hex::new(size, swap).unwrap();
    let mut played = Vec::new();
    for text in texts.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make_move(mv).unwrap();
        played.push(mv);
    }
    (game, played)
}

/// Returns the explanation of why a move is refused.
fn refusal_of(size: usize, swap: SwapRule, texts: &str, text: &str) -> Refusal {
    let (game, played) = position_after(size, swap, texts);
    let mv = match game.parse(text) {
        Ok(mv) => mv,
        Err(illegal) => return illegal,
    };
    let refusal = game.clone().try_make_move(mv).unwrap_err();
    game.explain_refusal(mv, &refusal, &played)
}

#[test]
fn cells_and_the_swap_are_parsed_in_any_case() {
    let game = empty_board(26);
    for cell in game.grid().cells() {
        let name = game.format_cell(cell);
        assert_eq!(game.parse(&name), Ok(cell.into()));
        assert_eq!(game.parse(&name.to_uppercase()), Ok(cell.into()));
    }
    for text in ["swap", "SWAP", "swap-pieces", "Swap-Pieces", "s", "S"] {
        assert_eq!(game.parse(text), Ok(Move::Swap), "{text}");
    }
    assert_eq!(game.format_move(Move::Swap), "swap");
    assert_eq!(game.parse("s1").unwrap().cell().map(|cell| game.format_cell(cell)), Some("s1".to_owned()));
}

#[test]
fn cells_are_named_by_column_and_row_from_the_top_left() {
    let game = empty_board(11);
    let place = |text| game.grid().coordinates(game.parse(text).unwrap().cell().unwrap());
    assert_eq!([place("a1"), place("f6"), place("k11"), place("c2")], [(0, 0), (5, 5), (10, 10), (1, 2)]);
}

#[test]
fn text_that_is_not_a_move_is_refused_with_an_example() {
    let refusal = |text| empty_board(11).parse(text).unwrap_err();
    let expected = said!("i-do-not-know-a", "zz", "f6");
    assert_eq!((refusal("zz").code, refusal("zz").text.as_str()), (RefusalCode::NotUnderstood, expected));
    for text in ["", " ", "f", "6", "f 6", "f6x", "swapp", "pass", "f-6", "ff6", "\u{7}", "ｆ6", "5 5"] {
        assert_eq!(refusal(text).code, RefusalCode::NotUnderstood, "{text:?}");
    }
    assert!(refusal("\u{1b}[31m").text.contains("?[31m"));
    assert!(empty_board(1).parse("zz").unwrap_err().text.contains(said!("the-only-cell-is")));
}

#[test]
fn each_kind_of_refusal_has_its_own_code() {
    let on = SwapRule::On;
    let all = [
        refusal_of(11, on, "f6 e8", "m3"),
        refusal_of(11, on, "f6 e8", "f6"),
        refusal_of(3, on, "b1 a1 b2 a2 b3", "c3"),
        refusal_of(11, on, "f6 e8", "swap"),
        refusal_of(11, on, "f6 e8", "zz"),
    ];
    let refusals = all.iter().map(|illegal| (illegal.code, illegal.text.as_str()));
    assert_eq!(
        refusals.collect::<Vec<_>>(),
        [
            (RefusalCode::OffBoard, said!("is-off-the-board", "m3")),
            (RefusalCode::Taken, said!("is-taken-move-nothing", "f6", "Red", "1")),
            (RefusalCode::GameOver, said!("the-game-is-over-won", "Red", "5")),
            (RefusalCode::SwapNotNow, said!("swap-is-possible-only")),
            (RefusalCode::NotUnderstood, said!("i-do-not-know-a", "zz", "f6")),
        ]
    );
}

#[test]
fn the_refusal_of_a_taken_cell_offers_the_swap_only_while_it_is_possible() {
    let refusal = |swap, texts, text| refusal_of(11, swap, texts, text).text;
    let take_over = said!("is-taken-move-type", "f6", "Red", "1");
    let nothing = said!("is-taken-move-nothing", "f6", "Red", "1");
    assert_eq!(refusal(SwapRule::On, "f6", "f6"), take_over);
    assert_eq!(refusal(SwapRule::Off, "f6", "f6"), nothing);
    assert_eq!(refusal(SwapRule::On, "f6 e8", "f6"), nothing);
    assert_eq!(refusal(SwapRule::On, "f6 e8", "e8"), said!("is-taken-move-nothing", "e8", "Blue", "2"));
    let nothing = |text, who, ply| said!("is-taken-move-nothing", text, who, ply).to_owned();
    assert_eq!(refusal(SwapRule::On, "b1 swap", "a2"), nothing("a2", "Blue", 2));
    assert_eq!(refusal(SwapRule::On, "b1 swap b1", "b1"), nothing("b1", "Red", 3));
    assert_eq!(refusal(SwapRule::On, "f6 swap", "f6"), nothing("f6", "Blue", 2));
}

#[test]
fn a_refused_swap_says_why() {
    let only = said!("swap-is-possible-only");
    for (swap, texts, text) in [
        (SwapRule::On, "", only),
        (SwapRule::On, "f6 e8", only),
        (SwapRule::On, "f6 swap", only),
        (SwapRule::On, "f6 swap e5", only),
        (SwapRule::Off, "f6", said!("swap-is-not-possible")),
    ] {
        let illegal = refusal_of(11, swap, texts, "swap");
        assert_eq!((illegal.code, illegal.text.as_str()), (RefusalCode::SwapNotNow, text), "{texts}");
    }
}

#[test]
fn every_sentence_fits_into_79_columns() {
    for size in [1, 2, 9, 26] {
        let game = empty_board(size);
        let long = "x".repeat(60);
        assert!(game.parse("z26").err().is_none_or(|illegal| illegal.text.len() <= 79));
        assert!(game.parse(&long).unwrap_err().text.contains(&"x".repeat(24)));
        for line in game.rules_text().iter().chain(&Hex::new(size, SwapRule::Off).unwrap().rules_text()) {
            assert!(line.chars().count() <= 72, "{line}");
        }
        assert!(game.rules_text().len() <= 4);
    }
}

#[test]
fn titles_side_names_goals_and_sample_moves_are_right() {
    let game = empty_board(11);
    assert_eq!((game.title().as_str(), game.sample_move().as_str()), ("Hex 11x11", "f6"));
    assert_eq!(Side::map_both(|side| game.side_name(side)), ["Red", "Blue"]);
    assert_eq!(
        Side::map_both(|side| game.describe_goal(side)),
        ["connecting top to bottom", "connecting left to right"]
    );
    for size in 1..=26 {
        let game = empty_board(size);
        assert!(game.is_legal(game.parse(&game.sample_move()).unwrap()));
    }
}

#[test]
fn the_description_lists_the_stones_and_the_stones_still_needed() {
    let facts = |texts| position_after(11, SwapRule::Off, texts).0.describe_position();
    assert_eq!(
        facts("f6 e8"),
        [
            "Red: f6.",
            "Blue: e8.",
            "Red needs 10 more stones, Blue 10.",
            said!("by-safe-links-needs", "Red", "3", "Blue", "3")
        ]
    );
    assert_eq!(facts("")[..2], [said!("no-stones-yet", "Red"), said!("no-stones-yet", "Blue")]);
    assert_eq!(
        facts("c3 b1 a2 k11")[..2],
        ["Red: c3 a2.".replace("c3 a2", "a2 c3"), "Blue: b1 k11.".to_owned()]
    );
    let (game, _) = position_after(11, SwapRule::On, "f6");
    assert_eq!(game.describe_position()[2], said!("blue-may-take-over"));
    let (game, _) = position_after(3, SwapRule::Off, "b1 a1 b2 a3");
    assert_eq!(game.describe_position()[2], "Red needs 1 more stone, Blue 2.");
}

#[test]
fn a_finished_game_describes_its_ending() {
    let (red, _) = position_after(3, SwapRule::Off, "b1 a1 b2 a2 b3");
    assert_eq!(red.describe_ending().as_deref(), Some("connected top to bottom"));
    assert_eq!(red.describe_position()[2], "Red has connected top to bottom.");
    let (blue, _) = position_after(3, SwapRule::Off, "a1 a2 b1 b2 c3 c2");
    assert_eq!(blue.describe_ending().as_deref(), Some("connected left to right"));
    assert_eq!(empty_board(3).describe_ending(), None);
}

#[test]
fn pieces_are_listed_in_reading_order() {
    let (game, _) = position_after(5, SwapRule::Off, "e5 a2 a1 c1");
    assert_eq!(game.list_pieces(Side::First), ["a1", "e5"]);
    assert_eq!(game.list_pieces(Side::Second), ["c1", "a2"]);
}

#[test]
fn a_swap_is_explained_in_one_line() {
    let describe = |texts| {
        let (game, played) = position_after(11, SwapRule::On, texts);
        game.describe_swap(&played)
    };
    let mirrored = said!("took-over-s-stone", "Blue", "Red", "f3", "Blue", "c6");
    assert_eq!(describe("f3 swap").as_deref(), Some(mirrored));
    assert_eq!(
        describe("f6 swap").as_deref(),
        Some(said!("took-over-s-stone-is", "Blue", "Red", "f6", "Blue"))
    );
    assert_eq!((describe("f3"), describe("f3 c6")), (None, None));
}

#[test]
fn a_position_displays_as_the_compact_board() {
    let (game, _) = position_after(2, SwapRule::Off, "a2");
    assert_eq!(
        format!("\n{game}"),
        "\n    a b\n   = X =\n 1 \\ . . \\ 1\n  2 O X . O 2\n      = X =\n       a b\n"
    );
}
