//! Levels that search keep wins that the prover finds within 300 nodes. The positions are one
//! reported game and those of `tests/data/hex_prover.txt`, which `scripts/prover-positions.py` took
//! from games of an earlier version.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::proof::HexProver;
use crosspath::ai::{Engine, EngineConfig, EngineKind, Limits, SearchBudget, SearchControl};
use crosspath::game::{Game, Outcome};
use crosspath::games::hex::{Hex, Move, SwapRule};

use crate::hex_help::{HexGame, build_level};

const POSITIONS: &str = include_str!("../data/hex_prover.txt");
/// Number of positions that were used during development; the others are held out.
const DEVELOPMENT_POSITIONS: usize = 50;
/// Nodes per move of level 7, and roughly those of level 8 in two seconds.
const LEVEL_7_NODES: u64 = 256;
const LEVEL_8_NODES: u64 = 16_000;

/// Game that Red lost. Before each of the plies below, 26 nodes prove that Red wins.
const LOST_GAME: &str = "a4 f6 d7 d8 e7 e8 f7 f8 h7 g7 h6 g6 h5 h4 c8 c9 g5 g4 f5 f4 e5 e4 d5 d4 b5 c5 b6 b3 c3 e2 \
    c2 h8 g8 f10 g9 g10 h9 h10 j9 i9 j8 i8 j7 i7";
const LOST_GAME_PLIES: [usize; 4] = [38, 40, 42, 44];
/// Number of those plies for which level 7 has too few nodes.
const PLIES_SKIPPED_AT_LEVEL_7: usize = 1;

/// Returns the positions of the file, each with the move that lost the win.
fn positions() -> impl Iterator<Item = (HexGame, String)> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (start, mv) = line.split_once(": ").unwrap();
        let (_, moves) = start.split_once(' ').unwrap();
        (HexGame::new(11, SwapRule::Off, moves), mv.to_owned())
    })
}

/// Reports whether `solve --proof --nodes 300` proves that the mover wins after this move.
fn keeps_the_proof(game: &HexGame, mv: Move) -> bool {
    let (mover, mut after) = (game.now.to_move(), game.now.clone());
    after.make_move(mv);
    if let Some(outcome) = after.outcome() {
        return outcome == Outcome::Win(mover);
    }
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let mut budget = SearchBudget::start(&SearchControl::<Move>::without_reports(limits, &stop));
    HexProver::new(11, 64).write_certificate(&after, &mut budget).is_some_and(|proof| proof.winner == mover)
}

/// Returns the move of an engine that has not seen the position before.
fn fresh_move(engine: &mut dyn Engine<Hex>, game: &HexGame, limits: Limits) -> Move {
    let stop = AtomicBool::new(false);
    engine.new_game();
    engine.choose(&game.at(), &SearchControl::without_reports(limits, &stop)).mv
}

fn node_limit(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Returns in how many positions of a part of the file a level keeps the proof, and the size of
/// that part.
fn count_kept_proofs(number: u8, nodes: u64, skip: usize, take: usize) -> (usize, usize) {
    let mut engine = build_level(EngineKind::Level(number), 11, &EngineConfig::new(1, 0));
    let (mut kept_count, mut all) = (0, 0);
    for (game, given_away) in positions().skip(skip).take(take) {
        let mv = fresh_move(&mut *engine, &game, node_limit(nodes));
        let is_kept = keeps_the_proof(&game, mv);
        if !is_kept {
            println!("level {number} plays {} (once {given_away}) in\n{}", game.name(mv), game.now);
        }
        kept_count += usize::from(is_kept);
        all += 1;
    }
    (kept_count, all)
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn levels_7_and_8_keep_a_provable_win_with_77_to_83_empty_cells() {
    let moves: Vec<&str> = LOST_GAME.split_whitespace().collect();
    for (number, nodes, skip) in [(7, LEVEL_7_NODES, PLIES_SKIPPED_AT_LEVEL_7), (8, LEVEL_8_NODES, 0)] {
        let mut engine = build_level(EngineKind::Level(number), 11, &EngineConfig::new(1, 0));
        for &plies in &LOST_GAME_PLIES[skip..] {
            let game = HexGame::new(11, SwapRule::Off, &moves[..plies].join(" "));
            let mv = fresh_move(&mut *engine, &game, node_limit(nodes));
            assert!(keeps_the_proof(&game, mv), "level {number} plays {} in\n{}", game.name(mv), game.now);
        }
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn level_8_keeps_sampled_wins() {
    // One of the first four positions takes 15 seconds. The ignored test below covers all of them.
    assert_eq!(count_kept_proofs(8, LEVEL_8_NODES, 4, 8), (8, 8));
}

#[test]
#[ignore = "100 positions twice: a minute"]
fn levels_7_and_8_keep_nearly_all_sampled_wins() {
    for (number, nodes, least) in [(7, LEVEL_7_NODES, 40), (8, LEVEL_8_NODES, 95)] {
        let [(open, opened), (held_out, all)] =
            [(0, DEVELOPMENT_POSITIONS), (DEVELOPMENT_POSITIONS, usize::MAX)]
                .map(|(skip, take)| count_kept_proofs(number, nodes, skip, take));
        println!("level {number}: {open} of {opened}, of the positions held out {held_out} of {all}");
        assert_eq!(opened + all, 100);
        assert!(open + held_out >= least, "level {number}: {open} and {held_out}");
    }
}
