//! Quoridor as text: moves, notations, positions, refusals and screen sentences.

use std::collections::BTreeSet;

use crosspath::game::{Game, Notation, Outcome, PositionDescription, Refusal, RefusalCode, Side};
use crosspath::games::quoridor::notation::NotationDialect;
use crosspath::games::quoridor::{Cell, MAX_QUORIDOR_SIZE, Move, MoveKind, Orientation, Quoridor, Wall};
use crosspath::random::random_stream;
use crosspath::registry::{GameStart, Variant, find_game};
use rand::RngExt;

use crate::qtp::answers;
use crate::quoridor_help::{after, all_cells, all_walls, board, moves, play, random_move, wall_names};
use crate::sentences::said;
use crate::support::{file, folder, run};

#[test]
fn moves_are_read_as_shown_and_in_common_spellings() {
    for size in [2, 3, 9, 25] {
        let game = board(size, 99);
        let cells = all_cells(&game).into_iter().map(Move::from);
        for mv in cells.chain(all_walls(&game).into_iter().map(Move::from)) {
            assert_eq!(game.parse(&game.format_move(mv)), Ok(mv));
        }
    }
    let game = board(9, 10);
    let wall = game.parse("e3h").unwrap();
    for text in [
        "E3H",
        "e3 h",
        "h e3",
        "H E3",
        "wall e3 h",
        "WALL E3 H",
        "e3 horizontal",
        "12. e3h",
        "12...e3h",
        " e3h ",
    ] {
        assert_eq!(game.parse(text), Ok(wall), "{text}");
    }
    assert_eq!(game.parse("3... E4"), game.parse("e4"));
    assert_eq!(game.parse("v e3"), game.parse("e3 vertical"));
}

#[test]
fn notations_convert_both_ways() {
    for size in [3, 5, 9, 25] {
        let game = board(size, 1);
        for dialect in [NotationDialect::Modern, NotationDialect::Qtp, NotationDialect::TopFirst] {
            let mut seen = BTreeSet::new();
            let cells = all_cells(&game).into_iter().map(Move::from);
            for mv in cells.chain(all_walls(&game).into_iter().map(Move::from)) {
                let modern = mv.to_string();
                let foreign = dialect.convert_text(&modern, size).unwrap();
                assert_eq!(dialect.convert_text(&foreign, size), Some(modern), "{dialect:?} {foreign}");
                seen.insert(foreign);
            }
            assert_eq!(seen.len(), size * size + 2 * (size - 1) * (size - 1));
            assert_eq!(dialect.name().to_uppercase().parse(), Ok(dialect));
            for text in ["", "e0", &format!("a{}", size + 1), "zz", "z1"] {
                assert_eq!(dialect.convert_text(text, size), None, "{dialect:?} {text}");
            }
        }
    }
    assert!("algebraic".parse::<NotationDialect>().is_err());
}

#[test]
fn notations_match_the_test_pairs() {
    let pairs = [
        (
            NotationDialect::Qtp,
            9,
            "E8 E2 D8h F9h E7v A8v H2v A9h C9h E9h G9h H9v H8h",
            "e2 e8 d2h f1h e3v a2v h8v a1h c1h e1h g1h h1v h2h",
        ),
        (NotationDialect::TopFirst, 9, "e8 e2 c3h c8v d6h h8h a1v", "e2 e8 c6h c1v d3h h1h a8v"),
        (NotationDialect::Qtp, 5, "C4 c2 B5h c2h B4v", "c2 c4 b1h c4h b2v"),
        (NotationDialect::Qtp, 7, "F4h B4v A7", "f4h b4v a1"),
    ];
    for (dialect, size, foreign, modern) in pairs {
        for (foreign, modern) in foreign.split(' ').zip(modern.split(' ')) {
            assert_eq!(dialect.convert_text(foreign, size).as_deref(), Some(modern));
            assert_eq!(dialect.convert_text(modern, size), Some(foreign.to_lowercase()));
        }
    }
    assert_eq!(NotationDialect::Qtp.convert_text("B5 horizontal", 5).as_deref(), Some("b1h"));
}

#[test]
fn qtp_games_are_replayed_in_modern_notation() {
    let games = [
        (
            9,
            10,
            Side::First,
            "E8 E2 E7 E3 D8h D7h F9h E7v D7 B7h E4h A8v C7 E3h G4h A4h C8 F3 G3v E3 D3v F3 D8 E9v H3h C2v C8 B2h B8 B9h C8 G3 D8 G2 D9 F2 \
          C9 E2 E2h F2 B9 G2 A9 G1 A8 F1 A7 E1 A6 D1 A5 D2 A4 D3 B4 D4 C4 B4 A6v A4 A5h B4 C3 C4 D3 C5 D2 D5 D1",
            "a5 a6 b1 b3 b8 d2 d3 e6 e7 e8 f1 g6 h7 / a2 a4 c8 d7 e1 e3 g7 / d9 d5 / 0 0 / 2",
        ),
        (
            7,
            5,
            Side::Second,
            "F4h D2 B4v D7h A3h B7h D6v D3 E7 D4 E6h D5 F7 D6 F6 C6 G6 B6 G5 A6 G4 E4v F4 E3h G4 D4v G5 A7",
            "a5 b1 d1 e2 e5 f4 / b4 d2 d4 e4 / g3 a1 / 0 0 / 1 / 7",
        ),
    ];
    for (size, walls, winner, qtp, end) in games {
        let mut game = board(size, walls);
        for text in qtp.split_whitespace() {
            assert_eq!(game.outcome(), None);
            play(&mut game, &NotationDialect::Qtp.convert_text(text, size).unwrap());
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)));
        assert_eq!(game.position_text(), end);
    }
}

#[test]
fn position_texts_match_the_table() {
    let table = [
        (9, 10, "", "- / - / e1 e9 / 10 10 / 1", 131, [8, 8]),
        (9, 10, "e2 e8 e3 e7 e4 e6 d3h e6h", "d3 e6 / - / e4 e6 / 9 9 / 1", 123, [6, 6]),
        (9, 10, "e3h e8 c4v e7", "e3 / c4 / e1 e7 / 8 10 / 1", 123, [9, 7]),
        (5, 2, "c2 c4 b1h c4h b2v", "b1 c4 / b2 / c2 c4 / 0 1 / 2 / 5", 24, [4, 4]),
    ];
    for (size, walls, played, text, legal, distances) in table {
        let game = after(size, walls, played);
        assert_eq!(game.position_text(), text);
        let read = Quoridor::from_position_text(text).unwrap();
        assert_eq!((&read, read.position_key(), read.ply()), (&game, game.position_key(), 0));
        assert_eq!(moves(&read).len(), legal);
        assert_eq!(Side::map_both(|side| read.distance_to_goal(side)), distances);
    }
    assert_eq!(Quoridor::with_walls(5, 3, 1).unwrap().position_text(), "- / - / c1 c3 / 1 1 / 1 / 5x3");
    let distances = [
        ("- / - / e5 e6 / 10 10 / 2", [4, 5]),
        ("e6 / - / e5 e6 / 10 9 / 1", [5, 5]),
        ("- / - / d5 d6 / 10 10 / 2", [4, 5]),
        ("a3 b6 c3 d6 e3 f6 g3 h6 / - / e1 e9 / 6 6 / 1", [20, 20]),
        ("c6 f6 / - / e3 e6 / 8 10 / 2", [6, 5]),
        ("a1 a3 a5 a8 b4 b6 c1 c3 c8 d6 e1 e3 f6 f8 g1 g3 / c5 e8 h3 h6 / e2 e8 / 0 0 / 1", [11, 11]),
    ];
    for (text, expected) in distances {
        let game = Quoridor::from_position_text(text).unwrap();
        assert_eq!(Side::map_both(|side| game.distance_to_goal(side)), expected, "{text}");
        assert_eq!(game.shortest_path(Side::First).len(), expected[0] as usize);
    }
}

#[test]
fn position_texts_are_parsed_leniently() {
    let same = [
        "d3e6/-/e4 e6/9 9/1",
        "D3 E6 / / E4E6 / 9 9 / 1",
        "  d3  e6/-/e4e6/9   9/1  ",
        "e6d3/-/e4 e6/9 9/1/9",
        "d3e6//e4e6/9 9/1/9x9",
    ];
    for text in same {
        assert_eq!(
            Quoridor::from_position_text(text).unwrap().position_text(),
            "d3 e6 / - / e4 e6 / 9 9 / 1",
            "{text}"
        );
    }
    let finished = Quoridor::from_position_text("-/-/e9 e5/0 0/2").unwrap();
    assert_eq!(finished.outcome(), Some(Outcome::Win(Side::First)));
    let dealt = Quoridor::from_position_text("d3 e6/c4/e4 e6/8 9/1").unwrap();
    assert_eq!(Side::map_both(|side| dealt.count_walls_built(side)), [2, 1]);
}

#[test]
fn positions_with_too_many_walls_are_refused_on_every_interface() {
    let folder = folder();
    let left = |left, each| {
        format!("hands: {left} walls left are too many: each side has {each} walls in this game")
    };
    let built = |built, left, each| {
        format!(
            "walls: {built} on the board and {left} left are too many: each side has {each} walls in this game"
        )
    };
    for (text, walls, why) in [
        ("- / - / e1 e9 / 10 10 / 1", "10", None),
        ("d3 / - / e1 e9 / 9 10 / 1", "10", None),
        // The text does not say who placed a wall. A side may have fewer walls than at the start.
        ("d3 a1 c1 / - / e1 e9 / 7 10 / 1", "10", None),
        ("- / - / e1 e9 / 0 3 / 1", "10", None),
        ("- / - / e1 e9 / 11 9 / 1", "10", Some(left(11, 10))),
        ("- / - / e1 e9 / 9 11 / 1", "10", Some(left(11, 10))),
        ("d3 / - / e1 e9 / 10 10 / 1", "10", Some(built(1, 20, 10))),
        ("d3 / - / e1 e9 / 10 10 / 1", "11", None),
        ("d3 / - / e1 e9 / 2 1 / 1", "1", Some(left(2, 1))),
        ("a1 c1 / e5 / e1 e9 / 0 0 / 1", "1", Some(built(3, 0, 1))),
        ("a1 c1 / - / e1 e9 / 0 0 / 1", "1", None),
    ] {
        let entry = find_game("quoridor").unwrap();
        let start =
            GameStart::from_position_text(entry, Variant::default().with_setting("walls", walls), text);
        let message = start.err().map(|bad| bad.to_string());
        let wanted = why.as_ref().map(|why| format!("no game can begin from this position: {why}"));
        assert_eq!(message, wanted, "{text} with {walls}");
        let record = format!("# crosspath quoridor size=9 walls={walls}\n# position: {text}\n");
        let path = file(&folder, "position.txt", &record);
        let read = run(&["picture", &path], "");
        assert_eq!(read.code, Some(if why.is_some() { 65 } else { 0 }), "{}", read.err);
        let qtp = answers(format!("walls {walls}\nposition {text}\nget_position\n"));
        let given = run(&["--game", "quoridor", "--walls", walls, "--position", text, "--mode", "2"], "");
        assert_eq!(given.code, Some(if why.is_some() { 2 } else { 0 }), "{}", given.err);
        match &why {
            Some(why) => {
                assert!(read.err.contains(why) && given.err.contains(why), "{}{}", read.err, given.err);
                assert!(qtp.contains(&format!("? bad position: {why}")) && qtp.contains("- / - /"), "{qtp}");
            }
            None => assert!(!qtp.contains('?'), "{qtp}"),
        }
    }
}

#[test]
fn refusals_of_positions_name_the_bad_field() {
    let bad = [
        ("", "form"),
        ("-/-/e1 e9/1 1", "form"),
        ("-/-/e1 e9/1 1/1/9/9", "form"),
        ("i1/-/e1 e9/1 1/1", "horizontal walls"),
        ("a9/-/e1 e9/1 1/1", "horizontal walls"),
        ("a1h/-/e1 e9/1 1/1", "horizontal walls"),
        ("a1 b1/-/e1 e9/1 1/1", "horizontal walls"),
        ("a1 a1/-/e1 e9/1 1/1", "horizontal walls"),
        ("z99/-/e1 e9/1 1/1", "horizontal walls"),
        ("é/-/e1 e9/1 1/1", "horizontal walls"),
        ("-/a1 a2/e1 e9/1 1/1", "vertical walls"),
        ("a1/a1/e1 e9/1 1/1", "vertical walls"),
        ("-/-/e1/1 1/1", "pawns"),
        ("-/-/e1 j9/1 1/1", "pawns"),
        ("-/-/e1 e1/1 1/1", "pawns"),
        ("-/-/e9 e1/1 1/1", "pawns"),
        ("a1 c1 e1 g1/h1/e1 e9/1 1/1", "pawns"),
        ("-/-/e1 e9/1000 1/1", "hands"),
        ("-/-/e1 e9/1 -1/1", "hands"),
        ("-/-/e1 e9/1/1", "hands"),
        ("-/-/e1 e9/1 1/3", "side to move"),
        ("-/-/e1 e9/1 1/", "side to move"),
        ("-/-/e1 e9/1 1/1/26", "size"),
        ("-/-/e1 e9/1 1/1/1", "size"),
        ("-/-/e1 e9/1 1/1/5x", "size"),
        ("-/-/e1 e9/1 1/1/", "size"),
    ];
    for (text, field) in bad {
        let error = Quoridor::from_position_text(text).expect_err(text);
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(error.to_string().starts_with(&format!("{field}: ")));
    }
}

#[test]
fn every_position_text_round_trips() {
    for seed in 0..60 {
        let mut generator = random_stream(seed, 3);
        let (width, height) = (generator.random_range(2..12), generator.random_range(2..12));
        let mut game = Quoridor::with_walls(width, height, 6).unwrap();
        for _ in 0..80 {
            let read = Quoridor::from_position_text(&game.position_text()).unwrap();
            assert_eq!(read, game, "seed {seed}");
            assert_eq!(read.position_key(), game.position_key(), "seed {seed}");
            let Some(mv) = random_move(&game, &mut generator) else { break };
            game.try_make_move(mv).unwrap();
        }
    }
}

#[test]
fn no_text_makes_a_parser_panic() {
    let mut generator = random_stream(41, 0);
    let near: Vec<char> = ('a'..='j').chain('0'..='9').chain("hv/ x.-".chars()).collect();
    for _ in 0..200 {
        let (length, near_length) = (generator.random_range(0..=40), generator.random_range(0..=30));
        let any = |_| char::from_u32(generator.random_range(0x20..0x11_0000)).unwrap_or('é');
        let text: String = (0..length).map(any).collect();
        let close = |_| near[generator.random_range(0..near.len())];
        for text in [text, (0..near_length).map(close).collect()] {
            let _ = board(9, 10).parse(&text);
            let _ = Quoridor::from_position_text(&text);
            let _ = NotationDialect::Qtp.convert_text(&text, 9);
        }
    }
}

fn refusal_of(game: &Quoridor, text: &str) -> Refusal {
    let mv = match game.parse(text) {
        Ok(mv) => mv,
        Err(illegal) => return illegal,
    };
    let refusal = game.clone().try_make_move(mv).unwrap_err();
    game.explain_refusal(mv, &refusal, &[])
}

#[test]
fn refusals_have_the_agreed_wording() {
    let check = |game: &Quoridor, text: &str, code: RefusalCode, expected: &str| {
        let illegal = refusal_of(game, text);
        assert_eq!((illegal.code, illegal.text.as_str()), (code, expected));
    };
    let start = board(9, 10);
    let crossed = after(9, 10, "e3v e8");
    check(
        &crossed,
        "e3h",
        RefusalCode::WallCrosses,
        "e3h is not allowed: it would cross the wall e3v. Try d3h or f3h.",
    );
    let half = after(9, 10, "d6h e8");
    check(
        &half,
        "c6h",
        RefusalCode::WallOverlaps,
        "c6h is not allowed: it overlaps the wall d6h. Try b6h or f6h.",
    );
    check(&half, "d6h", RefusalCode::WallOverlaps, said!("is-not-allowed-there-is", "d6h", "b6h", "f6h"));
    let shut = after(9, 10, "b8v c8h f8v a1h");
    check(
        &shut,
        "e8h",
        RefusalCode::WallShuts,
        said!("is-not-allowed-would", "e8h", "Black", "1", "g8h", "a8h"),
    );
    let one_side = after(9, 10, "b8v c7h d7v f8v h8h a1h");
    check(
        &one_side,
        "e8h",
        RefusalCode::WallShuts,
        said!("is-not-allowed-would-have", "e8h", "Black", "1", "d8h"),
    );
    check(
        &start,
        "i3h",
        RefusalCode::WallOffBoard,
        "i3h does not exist: walls start in columns a-h and rows 1-8.",
    );
    check(&start, "m3", RefusalCode::OffBoard, said!("is-off-the-board-columns-are", "m3"));
    check(
        &after(3, 1, "a1h b2"),
        "b1v",
        RefusalCode::NoWallsLeft,
        said!("no-walls-left-of-move", "0", "1", "a1", "c1"),
    );
    let blocked = after(9, 10, "e2 e8 e3 e7 e4 e4h");
    check(
        &blocked,
        "e5",
        RefusalCode::NotAStep,
        said!("is-not-a-step-the-wall", "e5", "e4h", "d4", "f4", "e3"),
    );
    let far = after(9, 10, "e2 e8 e3 e8h e4 a1h");
    check(
        &far,
        "e7",
        RefusalCode::NotAStep,
        said!("is-not-a-step-from-steps-2", "e7", "e4", "e5", "d4", "f4", "e3"),
    );
    let met = after(9, 10, "e2 e8 e3 e7 e4 e6 a1h e5");
    check(&met, "e5", RefusalCode::NotAStep, said!("is-taken-by-you", "e5", "Black", "e6"));
    check(
        &met,
        "d5",
        RefusalCode::NotAStep,
        said!("is-not-a-step-the-straight", "d5", "e6", "e6", "d4", "f4", "e3"),
    );
    check(&met, "e4", RefusalCode::NotAStep, said!("is-not-a-step-your", "e4", "e6", "d4", "f4", "e3"));
    check(&start, "zz", RefusalCode::NotUnderstood, said!("i-do-not-know-a-step", "zz", "e2", "e3h", "e3v"));
}

#[test]
fn the_ending_names_the_last_move() {
    let mut game = board(3, 0);
    let played = play(&mut game, "b2 a3 a2 b3 a3");
    let mv = game.parse("b1").unwrap();
    let refusal = game.try_make_move(mv).unwrap_err();
    let illegal = game.explain_refusal(mv, &refusal, &played);
    assert_eq!(illegal.code, RefusalCode::GameOver);
    assert_eq!(illegal.text, said!("the-game-is-over-won", "White", "5"));
}

/// Returns the moves that a sentence suggests.
fn suggested_moves(text: &str) -> Vec<String> {
    // The last of several sentences makes the suggestion.
    let list = text.rsplit_once(". ").map_or("", |(_, list)| list.trim_end_matches('.'));
    let is_move = |word: &&str| NotationDialect::Qtp.convert_text(word, 9).is_some();
    list.split_whitespace().filter(is_move).map(str::to_owned).collect()
}

#[test]
fn every_suggested_move_is_legal_and_every_code_occurs() {
    let mut codes = BTreeSet::new();
    for seed in 0..30 {
        let mut generator = random_stream(seed, 14);
        let mut game = board(if seed % 3 == 0 { 3 } else { 5 }, 6);
        while let Some(mv) = random_move(&game, &mut generator).filter(|_| game.ply() < 60) {
            let everything = all_cells(&game).into_iter().map(Move::from);
            for other in everything.chain(all_walls(&game).into_iter().map(Move::from)) {
                if game.is_legal(other) {
                    continue;
                }
                let illegal = refusal_of(&game, &other.to_string());
                codes.insert(illegal.code.as_str());
                let proposed = suggested_moves(&illegal.text);
                for text in &proposed {
                    assert!(game.is_legal(game.parse(text).unwrap()), "{} in {game}", illegal.text);
                }
                if other.wall().is_some() && illegal.code != RefusalCode::NoWallsLeft {
                    assert!(proposed.len() <= 2, "{}", illegal.text);
                    assert_eq!(proposed.is_empty(), wall_names(&game).is_empty());
                } else {
                    assert!(!proposed.is_empty(), "{}", illegal.text);
                }
            }
            game.try_make_move(mv).unwrap();
        }
    }
    let expected = ["no-walls-left", "not-a-step", "wall-crosses", "wall-overlaps", "wall-shuts"];
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn titles_names_and_rules_fit_their_width() {
    let game = after(9, 10, "e2 e8 d6h e3v");
    assert_eq!(game.title(), "Quoridor 9x9");
    assert_eq!(Side::map_both(|side| game.side_name(side)), ["White", "Black"]);
    assert_eq!(
        Side::map_both(|side| game.describe_goal(side)),
        [said!("reaching-row", "9"), said!("reaching-row", "1")]
    );
    assert!((1..=4).contains(&game.rules_text().len()));
    for size in [2, 25] {
        assert!(board(size, 1).rules_text().iter().all(|line| line.chars().count() <= 72));
    }
    assert_eq!(
        game.describe_position(),
        [
            said!("pawn-on-walls-of-walls", "White", "e2", "d6h", "9", "10"),
            said!("pawn-on-walls-of-walls", "Black", "e8", "e3v", "9", "10"),
            said!("steps-to-goal", "White", "8", "Black", "8"),
        ]
    );
    assert_eq!(game.describe_ending(), None);
}

#[test]
fn a_move_is_two_bytes_and_round_trips() {
    assert_eq!(size_of::<Move>(), 2);
    for file in 0..MAX_QUORIDOR_SIZE {
        for row in 0..MAX_QUORIDOR_SIZE {
            let cell = Cell::at(file, row).unwrap();
            assert_eq!(Move::from(cell).kind(), MoveKind::Step(cell));
            for orientation in Orientation::BOTH {
                let wall = Wall { post: cell, orientation };
                assert_eq!(Move::from(wall).kind(), MoveKind::Wall(wall));
            }
        }
    }
    assert_eq!(Cell::at(25, 0), None);
    assert_eq!(Cell::at(0, 25), None);
}

#[test]
fn move_names_are_read_in_every_spelling() {
    let game = board(25, 99);
    let at = |file, row, orientation| Ok(Move::at(file, row, orientation).unwrap());
    let wall = at(4, 2, Some(Orientation::Horizontal));
    for text in ["e3h", "E3H", "e3 h", "h e3", "H  E3", "wall e3 h", "Wall e3h", "wall h e3", "e3 horizontal"]
    {
        assert_eq!(game.parse(text), wall, "{text}");
        assert_eq!(game.parse(&format!("12. {text}")), wall);
        assert_eq!(game.parse(&format!(" 12...{text} ")), wall);
    }
    assert_eq!(game.parse("Vertical j11"), at(9, 10, Some(Orientation::Vertical)));
    assert_eq!(game.parse("3. e4"), at(4, 3, None));
    for text in [
        "", "e", "h", "v", "4", "12.", "e3x", "e3hh", "wall e3", "wall", "e3 h h", "e3 4", "é3h", "e3é",
        "12 e4",
    ] {
        assert_eq!(game.parse(text).unwrap_err().code, RefusalCode::NotUnderstood, "{text:?}");
    }
}
