//! Searches of every kind end soon after a stop request, even if positions are slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crosspath::ai::{EngineConfig, Limits, SolveControl};
use crosspath::registry::{GAMES, Variant};
use crosspath::session::{EngineRequest, Position};

/// Returns positions after one move, where a swap is possible, and after three moves. They cover a
/// small, the usual and the largest board of every game; positions are slowest on the largest.
fn boards() -> Vec<Arc<dyn Position>> {
    let mut boards = Vec::new();
    for entry in GAMES {
        let of =
            |size: Option<usize>| entry.start_position(&size.map(Variant::of_size).unwrap_or_default()).ok();
        for start in
            [of(Some(5)), of(None), (2..=26).rev().find_map(|size| of(Some(size)))].into_iter().flatten()
        {
            let play = |position: Arc<dyn Position>, index: usize| {
                let legal = position.legal_moves();
                position.play(&legal[index % legal.len()]).unwrap()
            };
            let first = play(start, 7);
            boards.push(Arc::clone(&first));
            boards.push([3, 1].into_iter().fold(first, play));
        }
    }
    boards
}

/// Named task that can be stopped. It returns the number of nodes, if it counts them.
type Task<'a> = (String, Box<dyn Fn(&AtomicBool) -> u64 + 'a>);

fn tasks(position: &Arc<dyn Position>, limits: Limits) -> Vec<Task<'_>> {
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for level in position.levels() {
        for n in [1, 3] {
            let task = move |stop: &AtomicBool| {
                let mut machine = position.build_engine(level, &EngineConfig::new(1, 0)).unwrap();
                let answer = if n == 1 {
                    machine.answer(EngineRequest::Move, &**position, limits, stop, &|_| ())
                } else {
                    machine.answer(EngineRequest::Advice(n), &**position, limits, stop, &|_| ())
                };
                let answer = answer.unwrap();
                assert!(position.is_legal(&answer.text));
                answer.report.nodes
            };
            tasks.push((format!("level {level}, best {n}"), Box::new(task)));
        }
    }
    tasks.push((
        "solve".to_owned(),
        Box::new(move |stop| {
            let control = SolveControl { threads: 2, ..SolveControl::without_reports(limits, stop) };
            position.solve_position(&control).unwrap().nodes
        }),
    ));
    tasks.push(("perft".to_owned(), Box::new(move |stop| position.perft(9, 2, stop).unwrap_or(0))));
    tasks
}

#[test]
fn a_search_stopped_before_it_starts_visits_almost_nothing() {
    for session in boards() {
        for (name, task) in tasks(&session, Limits::default()) {
            let nodes = task(&AtomicBool::new(true));
            // A level that evaluates every move once counts the moves.
            let most = session.legal_moves().len() as u64;
            assert!(nodes <= most, "{} {name} counted {nodes}", session.view().title());
        }
    }
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn a_stopped_search_ends_within_50_ms() {
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    for session in boards() {
        for (name, task) in tasks(&session, limits) {
            for wait in [20, 300] {
                let stop = AtomicBool::new(false);
                let late = thread::scope(|scope| {
                    let stopped_at = scope.spawn(|| {
                        thread::sleep(Duration::from_millis(wait));
                        stop.store(true, Ordering::Relaxed);
                        Instant::now()
                    });
                    task(&stop);
                    let ended = Instant::now();
                    ended.saturating_duration_since(stopped_at.join().unwrap())
                });
                assert!(late <= Duration::from_millis(50), "{} {name}: {late:?}", session.view().title());
            }
        }
    }
}
