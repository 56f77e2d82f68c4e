//! Command `crosspath solve`: finds the exact value of a position.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use anyhow::Result;

use super::progress::ProgressBar;
use super::solve_text::{SolveJson, describe_unproved, draw_board_with_signs};
use super::{
    RequestedBoard, check_output_path, failure_with_code, parse_position_flags, solve_map, to_json_line,
    usage_error, write_output_file, write_stdout,
};
use crate::ai::{Limits, SolveControl, SolveResult, WrittenProof};
use crate::cli;
use crate::game::{JsonMillis, JsonObject, Outcome, Refusal};
use crate::messages::group_moves_by_value;
use crate::session::Position;

/// Runs `crosspath solve`.
pub(super) fn run_solve_command(solve: &cli::SolveArgs, board: &RequestedBoard) -> Result<()> {
    let session = parse_position_flags(board, solve.position.as_deref(), solve.moves.as_deref())?;
    if session.outcome().is_some() {
        return Err(usage_error("--moves: the game is over after these moves, so there is nothing to solve"));
    }
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: solve.nodes, time: solve.movetime, ..Limits::default() };
    let bar = ProgressBar::is_visible().then(|| Mutex::new(ProgressBar::new()));
    let control = SolveControl {
        limits,
        threads: solve
            .threads
            .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from),
        memory_mib: solve.memory.and_then(|mib| usize::try_from(mib).ok()),
        stop: &stop,
        report: &|part| show_progress(bar.as_ref(), part),
    };
    if (solve.map || solve.proof.is_some()) && !session.can_write_proofs() {
        return Err(usage_error(format!("--map and --proof are for Hex, not for {}", session.game_name())));
    }
    if solve.map {
        return solve_map::run_solve_map(solve, session.current(), &control);
    }
    if let Some(path) = &solve.proof {
        check_output_path("--proof", path, solve.force)?;
        let done = write_proof(solve, path, &*session, &control);
        if let Some(bar) = &bar {
            bar.lock().expect("no thread panics with it").clear();
        }
        return done;
    }
    let Some(mut solved) = session.solve_position(&control) else {
        return Err(usage_error(format!("there is no solver for {}", session.game_name())));
    };
    if let Some(bar) = &bar {
        bar.lock().expect("no thread panics with it").clear();
    }
    solved.proof.extend(solved.needs_mib.map(|mib| format!("--memory {mib} is enough")));
    write_stdout(if solve.json {
        format_solution_json(&*session, &solved)?
    } else {
        render_solution(&*session, &solved)
    })?;
    // A search without a result is no error, but a lack of memory is.
    if solved.lacks_memory { Err(failure_with_code(1, solved.proof.join(" "))) } else { Ok(()) }
}

/// Proves the result of a position and writes the proof.
fn write_proof(
    solve: &cli::SolveArgs,
    path: &Path,
    position: &dyn Position,
    control: &SolveControl<'_>,
) -> Result<()> {
    let began = Instant::now();
    let proved = position.prove_winner(control).expect("the game has proofs");
    let WrittenProof { winner, plies, nodes, text } =
        proved.map_err(|why| failure_with_code(1, describe_unproved(why, control)))?;
    let (shown, lines) = (Refusal::sanitize_path(path), text.lines().count());
    write_output_file("--proof", path, &text, solve.force)?;
    let (elapsed, mover) = (began.elapsed(), position.to_move());
    if solve.json {
        let (proof, ms) = (path.to_string_lossy().into_owned(), JsonMillis(elapsed));
        let answer = SolveJson::Proof { outcome: winner, to_move: mover, plies, proof, lines, nodes, ms };
        return write_stdout(to_json_line(&answer)?);
    }
    let [mover, winner] = [mover, winner].map(|side| position.side_name(side));
    write_stdout(format!(
        "{}, {mover} to move: {winner} wins in at most {plies} plies\nthe proof is in {shown}, {lines} lines\nnodes {nodes}, time {:.3} s\n",
        position.view().title(),
        elapsed.as_secs_f64()
    ))
}

/// Updates the progress bar, unless another thread is doing so. `part` is from 0 to 1.
fn show_progress(bar: Option<&Mutex<ProgressBar>>, part: f64) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1,000")]
    let done = (part.clamp(0.0, 1.0) * 1_000.0) as u64;
    if let Some(mut bar) = bar.and_then(|bar| bar.try_lock().ok()) {
        // A failed write to standard error is ignored.
        let _ = bar.show([done, 1_000, 0], &format!("{} %", done / 10));
    }
}

/// Renders the answer as text: the value, the proof, and the value of every move.
fn render_solution(position: &dyn Position, solved: &SolveResult<String>) -> String {
    let name = |outcome: Outcome| match outcome.winner() {
        Some(side) => format!("{} wins", position.side_name(side)),
        None => "draw".to_owned(),
    };
    let value = solved.outcome.map_or_else(|| "unknown".to_owned(), name);
    let (title, mover) = (position.view().title(), position.side_name(position.to_move()));
    let mut lines = vec![format!("{title}, {mover} to move: {value}")];
    lines.extend(solved.proof.iter().cloned());
    if position.can_write_proofs() {
        let own = Some(Outcome::Win(position.to_move()));
        let known = solved.moves.iter().filter(|(_, outcome, _)| outcome.is_some());
        let sign = |outcome: &Option<Outcome>| if *outcome == own { '+' } else { '-' };
        let signs: Vec<_> = known.map(|(text, outcome, _)| (text.clone(), sign(outcome))).collect();
        lines.push(format!("{}+ wins, - loses for {mover}", draw_board_with_signs(position, &signs)));
    }
    lines.extend(group_moves_by_value(solved.moves.iter().map(|(text, outcome, plies)| {
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

/// Formats the answer as one line of JSON.
fn format_solution_json(position: &dyn Position, solved: &SolveResult<String>) -> Result<String> {
    let to_move = position.to_move();
    let won = solved.moves.iter().filter(|(_, outcome, _)| *outcome == Some(Outcome::Win(to_move)));
    let moves = solved.moves.iter().map(|(text, outcome, plies)| {
        (text.as_str(), SolveJson::Move { outcome: (*outcome).into(), distance: *plies })
    });
    to_json_line(&SolveJson::Solved {
        outcome: solved.outcome.into(),
        to_move,
        winning: won.map(|(text, ..)| text.clone()).collect(),
        moves: JsonObject(moves.collect()),
        nodes: solved.nodes,
        ms: JsonMillis(solved.elapsed),
    })
}
