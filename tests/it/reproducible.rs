//! Engines are reproducible: equal seeds and limits give equal games within a run, between runs and
//! in every build.

use std::sync::atomic::AtomicBool;

use crosspath::ai::{EngineConfig, Limits};
use crosspath::record;
use crosspath::registry::{GAMES, Variant};
use crosspath::session::{AnyEngine, EngineRequest, PositionHistory};

use crate::support::assert_golden;

/// Plays a game of an engine against itself; returns the moves, each with its number of searched
/// nodes.
fn play_short_game(start: &PositionHistory, machine: &mut dyn AnyEngine, nodes: u64) -> Vec<(String, u64)> {
    let mut session = start.clone();
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut log = Vec::new();
    while session.outcome().is_none() && session.plies() < 6 {
        let answer = machine.answer(EngineRequest::Move, &*session, limits, &stop, &|_| ()).unwrap();
        session.play(&answer.text).unwrap();
        log.push((answer.text, answer.report.nodes));
    }
    log
}

#[test]
fn engine_state_does_not_leak_into_the_next_game() {
    check_no_leaks(&[1, 6]);
}

#[test]
#[ignore = "slow: the same at more limits"]
fn engine_state_does_not_leak_at_any_limit() {
    check_no_leaks(&(0..12).collect::<Vec<_>>());
}

/// Checks that every level plays the same games twice in a row. The node limits are 100 times these
/// powers of 1.5.
fn check_no_leaks(powers: &[u32]) {
    for entry in GAMES {
        // Hex networks are fast enough on a small board, even without optimisation.
        let board = if entry.name == "hex" { Variant::of_size(6) } else { Variant::default() };
        let session = entry.new_history(&board).unwrap();
        for level in session.levels() {
            let mut machine = session.build_engine(level, &EngineConfig::new(3, 0)).unwrap();
            let mut pass = || -> Vec<_> {
                let limits = powers.iter().map(|&power| (0..power).fold(100_u64, |nodes, _| nodes * 3 / 2));
                limits.map(|nodes| play_short_game(&session, &mut *machine, nodes)).collect()
            };
            assert_eq!(pass(), pass(), "{} level {level}", entry.name);
        }
    }
}

/// Three games at node limits, as records. The golden file is the same for every build, so the test
/// should also run in release mode.
#[test]
fn recorded_games_are_reproduced_exactly() {
    let stop = AtomicBool::new(false);
    let mut text = String::new();
    for entry in GAMES {
        for (seed, nodes, size) in
            [(1, 200, entry.board_sizes().default), (2, 1_000, entry.board_sizes().default), (3, 3_000, 5)]
        {
            let mut session = entry.new_history(&Variant::of_size(size)).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut machines = [0, 1].map(|stream| {
                session.build_engine(entry.reference_engine(), &EngineConfig::new(seed, stream)).unwrap()
            });
            let mut searched = 0;
            while session.outcome().is_none() {
                let machine = &mut machines[session.to_move().index()];
                let answer = machine.answer(EngineRequest::Move, &*session, limits, &stop, &|_| ()).unwrap();
                session.play(&answer.text).unwrap();
                searched += answer.report.nodes;
            }
            let (tree, end) = crate::support::along(session.current());
            text.push_str(&record::write_record(&tree, end, &[("nodes".to_owned(), searched.to_string())]));
        }
    }
    assert_golden(&text, "tests/golden/self_play.txt");
}
