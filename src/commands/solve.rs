//! `crosspath solve`: the exact value of a position.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use super::progress::Bar;
use super::solve_text::{SolveJson, drawn, unproved};
use super::{Board, check_place, failure, json_line, position, solve_map, usage, write_file, write_out};
use crate::ai::{Limits, SolveControl, Solved, WrittenProof};
use crate::cli;
use crate::game::{Millis, Object, Outcome, Refusal};
use crate::messages::by_value;
use crate::session::Position;

pub(super) fn run(solve: &cli::Solve, board: &Board) -> Result<()> {
    let session = position(board, solve.position.as_deref(), solve.moves.as_deref())?;
    if session.outcome().is_some() {
        return Err(usage("--moves: the game is over after these moves, so there is nothing to solve"));
    }
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: solve.nodes, time: solve.movetime, ..Limits::default() };
    let bar = Bar::is_seen().then(|| Mutex::new(Bar::new()));
    let control = SolveControl {
        limits,
        threads: solve
            .threads
            .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from),
        memory_mib: solve.memory.and_then(|mib| usize::try_from(mib).ok()),
        stop: &stop,
        report: &|part| show(bar.as_ref(), part),
    };
    if (solve.map || solve.proof.is_some()) && !session.has_proofs() {
        return Err(usage(format!("--map and --proof are for Hex, not for {}", session.name())));
    }
    if solve.map {
        return solve_map::run(solve, session.now(), &control);
    }
    if let Some(path) = &solve.proof {
        check_place("--proof", path, solve.force)?;
        let done = prove(solve, path, &*session, &control);
        if let Some(bar) = &bar {
            bar.lock().expect("no thread panics with it").clear();
        }
        return done;
    }
    let Some(mut solved) = session.solve(&control) else {
        return Err(usage(format!("there is no solver for {}", session.name())));
    };
    if let Some(bar) = &bar {
        bar.lock().expect("no thread panics with it").clear();
    }
    solved.proof.extend(solved.needs_mib.map(|mib| format!("--memory {mib} is enough")));
    write_out(if solve.json { in_json(&*session, &solved)? } else { render_solution(&*session, &solved) })?;
    // The result of an attempt is printed; a failure to attempt it is an error.
    if solved.lacks_memory { Err(failure(1, solved.proof.join(" "))) } else { Ok(()) }
}

/// Writes the proof of the result.
fn prove(solve: &cli::Solve, path: &Path, position: &dyn Position, control: &SolveControl<'_>) -> Result<()> {
    let began = Instant::now();
    let proved = position.prove(control).expect("the game has proofs");
    let WrittenProof { winner, plies, nodes, text } =
        proved.map_err(|why| failure(1, unproved(why, control)))?;
    let (shown, lines) = (Refusal::shown_path(path), text.lines().count());
    write_file("--proof", path, &text, solve.force)?;
    let (elapsed, mover) = (began.elapsed(), position.to_move());
    if solve.json {
        let (proof, ms) = (path.to_string_lossy().into_owned(), Millis(elapsed));
        let answer = SolveJson::Proof { outcome: winner, to_move: mover, plies, proof, lines, nodes, ms };
        return write_out(json_line(&answer)?);
    }
    let [mover, winner] = [mover, winner].map(|side| position.side_name(side));
    write_out(format!(
        "{}, {mover} to move: {winner} wins in at most {plies} plies\nthe proof is in {shown}, {lines} lines\nnodes {nodes}, time {:.3} s\n",
        position.view().title(),
        elapsed.as_secs_f64()
    ))
}

/// Shows the part of the work that is done, unless another thread is showing it.
fn show(bar: Option<&Mutex<Bar>>, part: f64) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1,000")]
    let done = (part.clamp(0.0, 1.0) * 1_000.0) as u64;
    if let Some(mut bar) = bar.and_then(|bar| bar.try_lock().ok()) {
        // Without standard error nobody misses it.
        let _ = bar.show([done, 1_000, 0], &format!("{} %", done / 10));
    }
}

/// Returns the answer in lines: the value, the proof, the value of every move.
fn render_solution(position: &dyn Position, solved: &Solved<String>) -> String {
    let name = |outcome: Outcome| match outcome.winner() {
        Some(side) => format!("{} wins", position.side_name(side)),
        None => "draw".to_owned(),
    };
    let value = solved.outcome.map_or_else(|| "unknown".to_owned(), name);
    let (title, mover) = (position.view().title(), position.side_name(position.to_move()));
    let mut lines = vec![format!("{title}, {mover} to move: {value}")];
    lines.extend(solved.proof.iter().cloned());
    if position.has_proofs() {
        let own = Some(Outcome::Win(position.to_move()));
        let known = solved.moves.iter().filter(|(_, outcome, _)| outcome.is_some());
        let sign = |outcome: &Option<Outcome>| if *outcome == own { '+' } else { '-' };
        let signs: Vec<_> = known.map(|(text, outcome, _)| (text.clone(), sign(outcome))).collect();
        lines.push(format!("{}+ wins, - loses for {mover}", drawn(position, &signs)));
    }
    lines.extend(by_value(solved.moves.iter().map(|(text, outcome, plies)| {
        let value = outcome.map_or_else(|| "unknown".to_owned(), name);
        let value = match plies {
            None => value,
            Some(1) => format!("{value} in 1 ply"),
            Some(plies) => format!("{value} in {plies} plies"),
        };
        (text.as_str(), value)
    })));
    lines.push(format!("nodes {}, time {:.3} s\n", solved.nodes, solved.elapsed.as_secs_f64()));
    lines.join("\n")
}

/// Returns the answer as one JSON object on one line.
fn in_json(position: &dyn Position, solved: &Solved<String>) -> Result<String> {
    let to_move = position.to_move();
    let won = solved.moves.iter().filter(|(_, outcome, _)| *outcome == Some(Outcome::Win(to_move)));
    let moves = solved.moves.iter().map(|(text, outcome, plies)| {
        (text.as_str(), SolveJson::Move { outcome: (*outcome).into(), distance: *plies })
    });
    json_line(&SolveJson::Solved {
        outcome: solved.outcome.into(),
        to_move,
        winning: won.map(|(text, ..)| text.clone()).collect(),
        moves: Object(moves.collect()),
        nodes: solved.nodes,
        ms: Millis(solved.elapsed),
    })
}
