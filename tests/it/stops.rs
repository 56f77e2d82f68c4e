//! Searches of every kind end when they are stopped, however slow their positions are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crosspath::ai::{EngineConfig, Limits, SolveControl};
use crosspath::registry::{GAMES, Variant};
use crosspath::session::{Position, Purpose};

/// Returns every game on a small board, on its usual one and on its largest, where positions are
/// slowest; after one move, which may be taken over, and after three.
fn boards() -> Vec<Arc<dyn Position>> {
    let mut boards = Vec::new();
    for entry in GAMES {
        let of = |size: Option<usize>| entry.start(&size.map(Variant::of_size).unwrap_or_default()).ok();
        for start in
            [of(Some(5)), of(None), (2..=26).rev().find_map(|size| of(Some(size)))].into_iter().flatten()
        {
            let play = |position: Arc<dyn Position>, index: usize| {
                let legal = position.legal();
                position.play(&legal[index % legal.len()]).unwrap()
            };
            let first = play(start, 7);
            boards.push(Arc::clone(&first));
            boards.push([3, 1].into_iter().fold(first, play));
        }
    }
    boards
}

/// Task that can be stopped on a board, by name; it returns the number of positions that it has
/// counted, if it counts them.
type Task<'a> = (String, Box<dyn Fn(&AtomicBool) -> u64 + 'a>);

fn tasks(position: &Arc<dyn Position>, limits: Limits) -> Vec<Task<'_>> {
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for level in position.levels() {
        for n in [1, 3] {
            let task = move |stop: &AtomicBool| {
                let mut machine = position.machine(level, &EngineConfig::new(1, 0)).unwrap();
                let answer = if n == 1 {
                    machine.answer(Purpose::Move, &**position, limits, stop, &|_| ())
                } else {
                    machine.answer(Purpose::Advice(n), &**position, limits, stop, &|_| ())
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
            let control = SolveControl { threads: 2, ..SolveControl::quiet(limits, stop) };
            position.solve(&control).unwrap().nodes
        }),
    ));
    tasks.push(("perft".to_owned(), Box::new(move |stop| position.perft(9, 2, stop).unwrap_or(0))));
    tasks
}

#[test]
fn what_is_stopped_before_it_begins_counts_next_to_nothing() {
    for session in boards() {
        for (name, task) in tasks(&session, Limits::default()) {
            let nodes = task(&AtomicBool::new(true));
            // A level that compares all moves once counts them.
            let most = session.legal().len() as u64;
            assert!(nodes <= most, "{} {name} counted {nodes}", session.view().title());
        }
    }
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn what_is_stopped_ends_within_50_ms() {
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    for session in boards() {
        for (name, task) in tasks(&session, limits) {
            for wait in [20, 300] {
                let stop = AtomicBool::new(false);
                let late = thread::scope(|scope| {
                    let told = scope.spawn(|| {
                        thread::sleep(Duration::from_millis(wait));
                        stop.store(true, Ordering::Relaxed);
                        Instant::now()
                    });
                    task(&stop);
                    let ended = Instant::now();
                    ended.saturating_duration_since(told.join().unwrap())
                });
                assert!(late <= Duration::from_millis(50), "{} {name}: {late:?}", session.view().title());
            }
        }
    }
}
