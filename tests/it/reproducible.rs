//! Same seed, same limits, same game: within a run, between runs, in every build.

use std::sync::atomic::AtomicBool;

use crosspath::ai::{EngineConfig, Limits};
use crosspath::record;
use crosspath::registry::{GAMES, Variant};
use crosspath::session::{History, Machine, Purpose};

use crate::support::is_golden;

/// Plays a game of one engine against itself; returns the moves with the positions searched for
/// each.
fn short_game(start: &History, machine: &mut dyn Machine, nodes: u64) -> Vec<(String, u64)> {
    let mut session = start.clone();
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut log = Vec::new();
    while session.outcome().is_none() && session.plies() < 6 {
        let answer = machine.answer(Purpose::Move, &*session, limits, &stop, &|_| ()).unwrap();
        session.play(&answer.text).unwrap();
        log.push((answer.text, answer.report.nodes));
    }
    log
}

#[test]
fn nothing_leaks_from_one_game_into_the_next() {
    nothing_leaks(&[1, 6]);
}

#[test]
#[ignore = "slow: the same at more limits"]
fn nothing_leaks_at_any_limit() {
    nothing_leaks(&(0..12).collect::<Vec<_>>());
}

/// Every level plays the same games twice running, searching 100 positions a move times these powers of 1.5.
fn nothing_leaks(powers: &[u32]) {
    for entry in GAMES {
        // On a small board the networks of Hex are judged fast enough, even without optimisation.
        let board = if entry.name == "hex" { Variant::of_size(6) } else { Variant::default() };
        let session = entry.history(&board).unwrap();
        for level in session.levels() {
            let mut machine = session.machine(level, &EngineConfig::new(3, 0)).unwrap();
            let mut pass = || -> Vec<_> {
                let limits = powers.iter().map(|&power| (0..power).fold(100_u64, |nodes, _| nodes * 3 / 2));
                limits.map(|nodes| short_game(&session, &mut *machine, nodes)).collect()
            };
            assert_eq!(pass(), pass(), "{} level {level}", entry.name);
        }
    }
}

/// Three games at node limits, as records. The file is the same for every build: run this in release too.
#[test]
fn recorded_games_are_played_again_to_the_letter() {
    let stop = AtomicBool::new(false);
    let mut text = String::new();
    for entry in GAMES {
        for (seed, nodes, size) in
            [(1, 200, entry.sizes().default), (2, 1_000, entry.sizes().default), (3, 3_000, 5)]
        {
            let mut session = entry.history(&Variant::of_size(size)).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut machines = [0, 1]
                .map(|stream| session.machine(entry.reference(), &EngineConfig::new(seed, stream)).unwrap());
            let mut searched = 0;
            while session.outcome().is_none() {
                let machine = &mut machines[session.to_move().index()];
                let answer = machine.answer(Purpose::Move, &*session, limits, &stop, &|_| ()).unwrap();
                session.play(&answer.text).unwrap();
                searched += answer.report.nodes;
            }
            let (tree, end) = crate::support::along(session.now());
            text.push_str(&record::write(&tree, end, &[("nodes".to_owned(), searched.to_string())]));
        }
    }
    is_golden(&text, "tests/golden/self_play.txt");
}
