//! The Quoridor opening book: every line and its mirror image is playable, and level 8 follows it.

use std::collections::BTreeSet;

use crosspath::ai::quoridor::book::{find_book_move, find_opening_name};
use crosspath::ai::quoridor::level_specs;
use crosspath::ai::{EngineConfig, EngineHost, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::game::Game;
use crosspath::games::quoridor::Quoridor;

use crate::quoridor_help::{after, moves};

const BOOK: &str = include_str!("../../openings/quoridor-book.txt");

/// Returns the book positions, each with the position after its book move.
fn book_positions() -> Vec<(&'static str, &'static str)> {
    let lines = BOOK.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| line.split(" > ").collect::<Vec<_>>());
    fields.map(|fields| (fields[0], fields[1])).collect()
}

/// Returns a position and its mirror image.
fn with_mirror_image(text: &str) -> [Quoridor; 2] {
    let mirrored = |list: &str, files: &str| {
        let turn = |letter: char| files.chars().rev().nth(files.find(letter).unwrap()).unwrap();
        let cells = list
            .split_whitespace()
            .map(|cell| format!("{}{}", turn(cell.chars().next().unwrap()), &cell[1..]));
        if list == "-" { "-".to_owned() } else { cells.collect::<Vec<_>>().join(" ") }
    };
    let fields: Vec<&str> = text.split(" / ").collect();
    let walls = [mirrored(fields[0], "abcdefgh"), mirrored(fields[1], "abcdefgh")];
    let mirror =
        [walls[0].as_str(), &walls[1], &mirrored(fields[2], "abcdefghi"), fields[3], fields[4]].join(" / ");
    [text, &mirror].map(|text| Quoridor::from_position_text(text).unwrap())
}

#[test]
fn every_book_line_and_its_mirror_image_is_playable() {
    let lines = book_positions();
    assert!(lines.len() >= 100, "{}", lines.len());
    assert_eq!(
        lines.iter().map(|line| line.0).collect::<BTreeSet<_>>().len(),
        lines.len(),
        "a position twice"
    );
    for (position, after) in lines {
        let results = with_mirror_image(position).map(|mut game| {
            let (mv, value) = find_book_move(&game).unwrap_or_else(|| panic!("{position}"));
            assert!(moves(&game).contains(&mv) && value.abs() < 1_000, "{position}: {mv} {value}");
            game.make_move(mv);
            game.position_text()
        });
        let wanted = with_mirror_image(after).map(|game| game.position_text());
        assert!(wanted.contains(&results[0]) && wanted.contains(&results[1]), "{position}: {results:?}");
    }
}

#[test]
fn the_book_covers_six_plies_if_both_sides_follow_it() {
    let mut game = after(9, 10, "");
    for ply in 0..6 {
        let Some((mv, _)) = find_book_move(&game) else { panic!("nothing at ply {ply}: {game}") };
        game.make_move(mv);
    }
}

#[test]
fn level_8_plays_book_moves_without_a_search() {
    let start = after(9, 10, "");
    let spec = level_specs().into_iter().find(|one| one.level == EngineKind::Level(8)).unwrap();
    let mut host = EngineHost::new(spec, EngineConfig::new(1, 0), &start).unwrap();
    let stop = false.into();
    let control = SearchControl::without_reports(Limits { nodes: Some(100), ..Limits::default() }, &stop);
    let choice = host.choose(&GameHistory { start: &start, played: &[], now: &start }, &control).unwrap();
    assert_eq!((Some(choice.mv), choice.info.nodes), (find_book_move(&start).map(|found| found.0), 0));
    assert!(choice.info.is_from_book);
}

#[test]
fn openings_are_named_for_either_side() {
    for (moves, name) in [
        ("e2 e8 e3 e7 e4 e6", Some("Standard")),
        ("e2 e8 e3 e7 e4 e6 e3h", Some("Standard")),
        ("e2 e8 e3 e7 e4 e6 d3h", Some("Standard")),
        ("e2 e8 e3 e7 e4 e6 e6h", Some("Standard")),
        ("e2 e8 e3 e7 e4 e6 c1v", Some("Shiller")),
        ("e2 e8 e3 e7 e4 e6 f1v", Some("Shiller")),
        ("e1v", Some("Stonewall")),
        ("e2 d8v", Some("Stonewall")),
        ("e2 e8 d8v", Some("Sidewall")),
        ("e2 e8 e1v", Some("Sidewall")),
        ("c6h e8 f6h", Some("Reed")),
        ("e2 c3h e3 f3h", Some("Reed")),
        ("d3h e8 f3h e7 c4v e6 g4v", Some("Ala")),
        ("e2 e8", None),
    ] {
        let game = after(9, 10, moves);
        assert_eq!(find_opening_name(&game), name, "{moves}");
    }
    assert_eq!(find_opening_name(&after(7, 8, "e1v")), None);
}
