//! The Quoridor network: exact outputs, symmetries, invalid files, and the search that uses it.

use std::sync::atomic::AtomicBool;

use crosspath::ai::net::SparseNet;
use crosspath::ai::quoridor::detours::{DetourCounts, count_detours_of_game};
use crosspath::ai::quoridor::{level_specs, net};
use crosspath::ai::{
    EngineBuildError, EngineConfig, EngineHost, EngineKind, GameHistory, Limits, MoveChoice, NetworkWeights,
    SearchControl,
};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::quoridor::{Move, Orientation, Quoridor, Wall};
use crosspath::random::random_stream;
use serde_json::Value;

use crate::quoridor_help::{after, all_walls, board, random_move, random_position, steps_with_walls, turned};
use crate::sentences::said;
use crate::support::{assert_damage_is_reported, folder, run, with_header};

const NET: &[u8] = include_bytes!("../../nets/quoridor.safetensors");
const POSITIONS: &str = include_str!("../../nets/quoridor.positions.jsonl");

fn network() -> SparseNet {
    net::read_network(NET).unwrap()
}

/// Returns positions of random games, some with no walls left.
fn positions(games: u64) -> Vec<Quoridor> {
    let mut all = Vec::new();
    for number in 0..games {
        let mut generator = random_stream(18, number);
        let mut game = Quoridor::new(9).unwrap();
        while let Some(mv) = random_move(&game, &mut generator).filter(|_| game.ply() < 90) {
            game.make_move(mv);
            if game.outcome().is_none() && game.ply().is_multiple_of(7) {
                all.push(game.clone());
            }
        }
    }
    all
}

#[test]
fn the_64_reference_positions_are_bit_exact_with_any_instruction_set() {
    let (network, portable) = (network(), network().with_portable_loops());
    let mut count = 0;
    for line in POSITIONS.lines() {
        let known: Value = serde_json::from_str(line).unwrap();
        let game = after(9, 10, known["moves"].as_str().unwrap());
        let (sum, value) = net::evaluate_network(&network, &game).unwrap();
        assert_eq!(i64::from(sum), known["sum"].as_i64().unwrap(), "{line}");
        assert_eq!(i64::from(value), known["value"].as_i64().unwrap(), "{line}");
        assert_eq!(net::evaluate_network(&portable, &game), Some((sum, value)), "{line}");
        count += 1;
    }
    assert_eq!(count, 64);
}

#[test]
fn the_network_is_symmetric_in_sides_and_files() {
    let network = network();
    let evaluate = |game: &Quoridor| net::evaluate_network(&network, game).unwrap();
    let all = positions(40);
    assert!(all.len() > 200);
    for game in &all {
        assert_eq!(evaluate(game), evaluate(&turned(game, false, true)), "{game}");
        assert_eq!(evaluate(game), evaluate(&turned(game, true, false)), "{game}");
    }
}

#[test]
fn incremental_wall_updates_equal_a_full_evaluation() {
    let network = network();
    assert!(positions(10).iter().all(|game| net::has_consistent_wall_sums(&network, game)));
}

/// Reports whether a wall overlaps or crosses another one.
fn collides(wall: Wall, other: Wall) -> bool {
    let [(file, row), (other_file, other_row)] =
        [wall, other].map(|wall| (wall.post.file(), wall.post.row()));
    let is_beside = match wall.orientation {
        Orientation::Horizontal => row == other_row && file.abs_diff(other_file) == 1,
        Orientation::Vertical => file == other_file && row.abs_diff(other_row) == 1,
    };
    wall.post == other.post || wall.orientation == other.orientation && is_beside
}

#[test]
fn detour_counts_equal_those_of_a_breadth_first_search_after_every_wall() {
    let (mut sums, mut most) = ([0; 3], 0);
    for number in 0..30 {
        let mut generator = random_stream(67, number);
        let size = if number % 5 == 0 { 5 } else { 9 };
        let game = random_position(&board(size, 10), 8 + u32::try_from(number).unwrap(), &mut generator);
        for side in Side::BOTH {
            let placed: Vec<Wall> = game.walls().map(|(wall, _)| wall).collect();
            let before = steps_with_walls(&game, side, &placed).unwrap();
            let free = all_walls(&game)
                .into_iter()
                .filter(|&wall| !placed.iter().any(|&other| collides(wall, other)));
            let added = free.filter_map(|wall| {
                steps_with_walls(&game, side, &[&placed[..], &[wall]].concat()).map(|steps| steps - before)
            });
            let added: Vec<i32> = added.collect();
            let count =
                |least: i32| u8::try_from(added.iter().filter(|&&added| added >= least).count()).unwrap();
            let longest = u8::try_from(added.iter().copied().max().unwrap_or(0)).unwrap();
            let expected = DetourCounts { longest, walls: [count(1), count(2), count(4)] };
            assert_eq!(count_detours_of_game(&game, side), Some(expected), "{game}");
            most = most.max(longest);
            sums.iter_mut().zip(expected.walls).for_each(|(sum, count)| *sum += u32::from(count));
        }
    }
    assert!(most > 5 && sums.iter().all(|&sum| sum > 20), "{most} {sums:?}");
}

#[test]
fn other_boards_and_more_walls_are_not_evaluated() {
    let network = network();
    assert_eq!(net::evaluate_network(&network, &Quoridor::new(7).unwrap()), None);
    assert_eq!(net::evaluate_network(&network, &Quoridor::new(11).unwrap()), None);
    assert_eq!(net::evaluate_network(&network, &Quoridor::with_walls(9, 9, 11).unwrap()), None);
    // Both sides have ten walls left and one is on the board. Only a set-up position can have that.
    let position = |walls: &str, hands: &str| {
        Quoridor::from_position_text(&format!("{walls} / - / e2 e8 / {hands} / 1"))
    };
    assert_eq!(net::evaluate_network(&network, &position("a1", "10 10").unwrap()), None);
    assert!(net::evaluate_network(&network, &position("a1", "10 9").unwrap()).is_some());
    assert!(net::evaluate_network(&network, &Quoridor::with_walls(9, 9, 5).unwrap()).is_some());
}

#[test]
fn an_invalid_network_file_is_refused_with_one_sentence() {
    let refused = |bytes: &[u8]| net::read_network(bytes).unwrap_err();
    assert_damage_is_reported(NET, refused);
    let refusal =
        |from: &str, to: &str| refused(&with_header(NET, |header| header.replace(from, to))).to_string();
    assert_eq!(refusal("\"version\":\"2\"", "\"version\":\"1\""), said!("it-has-version-of", "1", "2"));
    assert_eq!(refusal("\"hidden\":\"64\"", "\"hidden\":\"65\""), said!("its-hidden-is-which", "65"));
    assert_eq!(refusal("\"one\":\"255\"", "\"one\":\"256\""), said!("its-one-is-which", "256"));
    assert_eq!(refusal("\"unit\":\"250\"", "\"unit\":\"many\""), said!("its-key-is-which", "unit", "many"));
    for (from, to, why) in [
        ("\"inputs\":\"482\"", "\"inputs\":\"077\"", said!("its-inputs-is-which", "077")),
        ("\"outputs\":\"6\"", "\"outputs\":\"9\"", said!("its-outputs-is-which", "9")),
        ("0,1,3,6,10,15", "0,5,6,7,8,900", said!("its-buckets-is-which", "0", "5", "6", "7", "8", "900")),
        ("crc32", "crc33", said!("its-key-is-which", "crc32", "missing")),
        ("\"one\":", "\"two\":", said!("its-key-is-which", "one", "missing")),
    ] {
        assert_eq!(refusal(from, to), why);
    }
    assert!(refusal("input.bias", "input.lost").contains("the tensor input.bias is not I16 of shape [64]"));
    let hex = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/hex.safetensors")).unwrap();
    assert_eq!(refused(&hex).to_string(), "the file is a network for hex");
    let engine = level_specs().into_iter().find(|level_spec| level_spec.level == EngineKind::Net).unwrap();
    let config =
        EngineConfig { weights: Some(NetworkWeights::new("x", hex).into()), ..EngineConfig::new(1, 0) };
    let built = EngineHost::new(engine, config, &Quoridor::new(9).unwrap());
    assert!(matches!(built.unwrap_err(), EngineBuildError::BadWeights { .. }));
}

fn choose(level: EngineKind, config: EngineConfig, game: &Quoridor, nodes: u64) -> MoveChoice<Move> {
    let level_spec = level_specs().into_iter().find(|level_spec| level_spec.level == level).unwrap();
    let mut host = EngineHost::new(level_spec, config, game).unwrap();
    let (stop, limits) = (AtomicBool::new(false), Limits { nodes: Some(nodes), ..Limits::default() });
    let at = GameHistory { start: game, played: &[], now: game };
    host.choose(&at, &SearchControl::without_reports(limits, &stop)).unwrap()
}

#[test]
fn a_network_search_is_reproducible_and_differs_from_the_term_evaluation() {
    let game = after(9, 10, "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h");
    let config =
        || EngineConfig { weights: Some(NetworkWeights::new("own", NET).into()), ..EngineConfig::new(1, 0) };
    let (one, other) =
        (choose(EngineKind::Net, config(), &game, 3_000), choose(EngineKind::Net, config(), &game, 3_000));
    assert_eq!((one.mv, one.info.score, one.info.nodes), (other.mv, other.info.score, other.info.nodes));
    let by_terms = choose(EngineKind::Lookahead, EngineConfig::new(1, 0), &game, 3_000);
    assert_ne!(one.info.score, by_terms.info.score);
    // On boards without a network both are the same engine.
    let small = after(7, 8, "d2 d6 d3 d5");
    let [one, other] =
        [EngineKind::Net, EngineKind::Lookahead].map(|level| choose(level, config(), &small, 2_000));
    assert_eq!((one.mv, one.info.score, one.info.nodes), (other.mv, other.info.score, other.info.nodes));
}

#[test]
fn the_higher_level_wins_most_games() {
    let levels = [EngineKind::Level(5), EngineKind::Level(3)];
    let mut points = 0;
    for number in 0..6 {
        let mut game = Quoridor::new(9).unwrap();
        let (start, mut played) = (game.clone(), Vec::new());
        let mut hosts = levels.map(|level| {
            let level_spec = level_specs().into_iter().find(|level_spec| level_spec.level == level).unwrap();
            EngineHost::new(level_spec, EngineConfig::new(number, 0), &game).unwrap()
        });
        let strong = usize::try_from(number % 2).unwrap();
        while game.outcome().is_none() && game.ply() < 200 {
            let (stop, at) =
                (AtomicBool::new(false), GameHistory { start: &start, played: &played, now: &game });
            let host = &mut hosts[(game.to_move().index() + strong) % 2];
            let mv = host.choose(&at, &SearchControl::without_reports(Limits::default(), &stop)).unwrap().mv;
            assert!(game.try_make_move(mv).is_ok(), "{}", game.format_move(mv));
            played.push(mv);
        }
        let won = game.outcome().and_then(Outcome::winner).map(|side| side.index() == strong);
        points += i32::from(won == Some(true));
    }
    assert!(points >= 4, "level 5 won {points} of 6 against level 3");
}

#[test]
fn a_network_file_can_be_chosen_on_every_interface() {
    let folder = folder();
    let path = folder.path().join("own.safetensors");
    std::fs::write(&path, NET).unwrap();
    let engine = format!("net:{},nodes=50", path.display());
    let flags = ["--game", "quoridor", "--mode", "4", "--engine", &engine, "--seed", "3", "--plain"];
    let played = run(&flags, "");
    assert!(played.code == Some(0) && played.out.contains(" wins"), "{}{}", played.out, played.err);
    std::fs::write(&path, &NET[..NET.len() - 7]).unwrap();
    let broken = run(&flags, "");
    assert!(
        broken.err.contains("does not fit: the file is not a complete safetensors file"),
        "{}{}",
        broken.out,
        broken.err
    );
}
