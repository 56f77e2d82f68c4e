//! Command `crosspath solve --map`: proves the winner after each move, on several threads, and saves the
//! results in a file.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::Result;

use super::progress::ProgressBar;
use super::shards::TRY_AGAIN_EXIT_CODE;
use super::solve_text::{SolveJson, describe_unproved, draw_board_with_signs};
use super::{failure_with_code, to_json_line, usage_error, write_stdout};
use crate::ai::{ProofFailure, SolveControl};
use crate::cli;
use crate::game::{JsonObject, Outcome, Refusal, Side};
use crate::parallel::run_on_threads;
use crate::record::disk;
use crate::session::Position;

/// Proved result of a move, if known: the winner, and the maximum number of plies to the win, including this
/// move.
type KnownWinner = Option<(Side, u32)>;

/// State shared by the threads.
struct MapWork<'a> {
    position: &'a Arc<dyn Position>,
    moves: Vec<String>,
    known: Vec<KnownWinner>,
    nodes: u64,
    /// Reason why the work ends early, with the exit code.
    failed: Option<(u8, String)>,
    file: Option<&'a Path>,
    bar: Option<ProgressBar>,
    /// Number of results known at the start.
    begin: usize,
}

/// Runs `crosspath solve --map`.
pub(super) fn run_solve_map(
    solve: &cli::SolveArgs,
    position: &Arc<dyn Position>,
    control: &SolveControl<'_>,
) -> Result<()> {
    let moves = position.legal_moves();
    let file = solve.resume.as_deref();
    let known = read_map_file(&**position, &moves, file)?;
    let begin = known.iter().flatten().count();
    let bar = ProgressBar::is_visible().then(ProgressBar::new);
    let numbers: Vec<usize> = (0..moves.len()).collect();
    let work = Mutex::new(MapWork { position, moves, known, nodes: 0, failed: None, file, bar, begin });
    run_on_threads(&numbers, control.threads, |numbers| {
        for &number in numbers {
            if !prove_move(&work, number, control) {
                break;
            }
        }
    });
    let work = work.into_inner().expect("no thread panics with it");
    if let Some(bar) = &work.bar {
        bar.clear();
    }
    write_stdout(if solve.json { work.format_json()? } else { work.render_text() })?;
    work.failed.map_or(Ok(()), |(code, why)| Err(failure_with_code(code, why)))
}

/// Proves the winner after a move; returns `false` if the work has to end.
fn prove_move(work: &Mutex<MapWork<'_>>, at: usize, control: &SolveControl<'_>) -> bool {
    let lock = || work.lock().expect("no thread panics with it");
    let after = {
        let work = lock();
        if at >= work.moves.len() || work.failed.is_some() {
            return false;
        }
        if work.known[at].is_some() {
            return true;
        }
        Arc::clone(work.position).play(&work.moves[at]).expect("the move is legal")
    };
    let over = after.outcome().and_then(Outcome::winner);
    let proved = over.map_or_else(|| after.prove_winner(control), |_| None);
    let mut work = lock();
    match (over, proved) {
        (Some(winner), _) => work.known[at] = Some((winner, 1)),
        (None, Some(Ok(proof))) => {
            work.known[at] = Some((proof.winner, proof.plies + 1));
            work.nodes += proof.nodes;
        }
        (None, Some(Err(ProofFailure::Limits)) | None) => {}
        (None, Some(Err(why @ ProofFailure::Memory))) => {
            work.failed = Some((1, describe_unproved(why, control)));
        }
    }
    work.save_results();
    work.failed.is_none()
}

impl MapWork<'_> {
    /// Saves the results, and shows the progress.
    fn save_results(&mut self) {
        let (count, all) = (self.known.iter().flatten().count(), self.moves.len());
        if let Some(bar) = &mut self.bar {
            // A failed write to standard error is ignored.
            let _ =
                bar.show([count as u64, all as u64, self.begin as u64], &format!("{count} of {all} moves"));
        }
        if let Some(path) = self.file
            && let Err(error) = disk::save_file(path, self.file_text())
        {
            let shown = Refusal::sanitize_path(path);
            let more = "run the same command again to continue";
            self.failed =
                Some((TRY_AGAIN_EXIT_CODE, format!("cannot write --resume {shown}: {error}; {more}")));
        }
    }

    /// Returns the moves with known results.
    fn known_results(&self) -> impl Iterator<Item = (&String, (Side, u32))> {
        self.moves.iter().zip(&self.known).filter_map(|(text, known)| Some((text, (*known)?)))
    }

    /// Returns the text of the file.
    fn file_text(&self) -> String {
        let mut text = map_file_header(&**self.position);
        for (mv, (winner, plies)) in self.known_results() {
            let _ = writeln!(text, "{mv} {winner} {plies}");
        }
        text
    }

    /// Renders the results as text.
    fn render_text(&self) -> String {
        let mover = self.position.to_move();
        let sign = |winner| if winner == mover { '+' } else { '-' };
        let signs: Vec<_> =
            self.known_results().map(|(text, (winner, _))| (text.clone(), sign(winner))).collect();
        let name = self.position.side_name(mover);
        let title = self.position.view().title();
        let mut text = format!(
            "{title}, {name} to move\n{}+ wins, - loses for {name}\n",
            draw_board_with_signs(&**self.position, &signs)
        );
        for (mv, (winner, plies)) in self.known_results() {
            let winner = self.position.side_name(winner);
            let _ = writeln!(text, "{mv}: {winner} wins in at most {plies} plies");
        }
        let left = self.moves.len() - signs.len();
        let unknown = if left > 0 {
            format!("{left} moves were not proved within the limits\n")
        } else {
            String::new()
        };
        text + &unknown + &format!("nodes {}\n", self.nodes)
    }

    /// Formats the results as one line of JSON.
    fn format_json(&self) -> Result<String> {
        let moves = self
            .known_results()
            .map(|(mv, (outcome, plies))| (mv.as_str(), SolveJson::Winner { outcome, plies }));
        let (to_move, nodes) = (self.position.to_move(), self.nodes);
        to_json_line(&SolveJson::Map { to_move, moves: JsonObject(moves.collect()), nodes })
    }
}

/// Returns the first line of the file, which names the position.
fn map_file_header(position: &dyn Position) -> String {
    let played = [vec![String::new()], position.played_moves()].concat().join(" ");
    format!(
        "# crosspath map of {}{played}: a move, who wins after it, in how many plies at most\n",
        position.view().title()
    )
}

/// Reads the results in the file. All results are unknown if there is no file.
fn read_map_file(position: &dyn Position, moves: &[String], file: Option<&Path>) -> Result<Vec<KnownWinner>> {
    let mut known = vec![None; moves.len()];
    let Some(path) = file.filter(|path| path.exists()) else { return Ok(known) };
    let refuse = |why: String| usage_error(format!("--resume {}: {why}", Refusal::sanitize_path(path)));
    let bytes = disk::load_move_file(path).map_err(|error| refuse(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let head = map_file_header(position);
    if text.lines().next() != Some(head.trim_end()) {
        return Err(refuse(format!("it must begin with {:?}; choose another file", head.trim_end())));
    }
    for (number, line) in text.lines().enumerate().skip(1) {
        let mut words = line.split(' ');
        let place = words.next().and_then(|text| moves.iter().position(|mv| mv == text));
        let winner = match words.next() {
            Some("first") => Some(Side::First),
            Some("second") => Some(Side::Second),
            _ => None,
        };
        let plies = words.next().and_then(|plies| plies.parse().ok());
        let (Some(place), Some(winner), Some(plies)) = (place, winner, plies) else {
            return Err(refuse(format!("line {} must be a move, first or second, and plies", number + 1)));
        };
        known[place] = Some((winner, plies));
    }
    Ok(known)
}
