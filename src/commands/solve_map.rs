//! `crosspath solve --map`: the winner after each move, each proved separately, on several threads.
//! The results are saved in a file.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::Result;

use super::progress::Bar;
use super::shards::TRY_AGAIN;
use super::solve_text::{SolveJson, drawn, unproved};
use super::{failure, json_line, usage, write_out};
use crate::ai::{SolveControl, Unproved};
use crate::cli;
use crate::game::{Object, Outcome, Refusal, Side};
use crate::parallel::share;
use crate::record::disk;
use crate::session::Position;

/// Proved result of a move, if known: the winner, and the most plies that the win takes, this move
/// included.
type KnownWinner = Option<(Side, u32)>;

/// State that the threads share.
struct Work<'a> {
    position: &'a Arc<dyn Position>,
    moves: Vec<String>,
    known: Vec<KnownWinner>,
    nodes: u64,
    /// Reason why the work ends early, with the exit code.
    failed: Option<(u8, String)>,
    file: Option<&'a Path>,
    bar: Option<Bar>,
    /// Number of results that were known at the beginning.
    begin: usize,
}

pub(super) fn run(
    solve: &cli::Solve,
    position: &Arc<dyn Position>,
    control: &SolveControl<'_>,
) -> Result<()> {
    let moves = position.legal();
    let file = solve.resume.as_deref();
    let known = read(&**position, &moves, file)?;
    let begin = known.iter().flatten().count();
    let bar = Bar::is_seen().then(Bar::new);
    let numbers: Vec<usize> = (0..moves.len()).collect();
    let work = Mutex::new(Work { position, moves, known, nodes: 0, failed: None, file, bar, begin });
    share(&numbers, control.threads, |numbers| {
        for &number in numbers {
            if !work_on(&work, number, control) {
                break;
            }
        }
    });
    let work = work.into_inner().expect("no thread panics with it");
    if let Some(bar) = &work.bar {
        bar.clear();
    }
    write_out(if solve.json { work.in_json()? } else { work.in_words() })?;
    work.failed.map_or(Ok(()), |(code, why)| Err(failure(code, why)))
}

/// Proves the winner after a move without a result; returns `false` if there is none left, or going
/// on is of no use.
fn work_on(work: &Mutex<Work<'_>>, at: usize, control: &SolveControl<'_>) -> bool {
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
    let proved = over.map_or_else(|| after.prove(control), |_| None);
    let mut work = lock();
    match (over, proved) {
        (Some(winner), _) => work.known[at] = Some((winner, 1)),
        (None, Some(Ok(proof))) => {
            work.known[at] = Some((proof.winner, proof.plies + 1));
            work.nodes += proof.nodes;
        }
        (None, Some(Err(Unproved::Limits)) | None) => {}
        (None, Some(Err(why @ Unproved::Memory))) => work.failed = Some((1, unproved(why, control))),
    }
    work.keep();
    work.failed.is_none()
}

impl Work<'_> {
    /// Saves the results, and shows the progress.
    fn keep(&mut self) {
        let (count, all) = (self.known.iter().flatten().count(), self.moves.len());
        if let Some(bar) = &mut self.bar {
            // Without standard error nobody misses it.
            let _ =
                bar.show([count as u64, all as u64, self.begin as u64], &format!("{count} of {all} moves"));
        }
        if let Some(path) = self.file
            && let Err(error) = disk::save(path, self.text())
        {
            let shown = Refusal::shown_path(path);
            let more = "run the same command again to continue";
            self.failed = Some((TRY_AGAIN, format!("cannot write --resume {shown}: {error}; {more}")));
        }
    }

    fn found(&self) -> impl Iterator<Item = (&String, (Side, u32))> {
        self.moves.iter().zip(&self.known).filter_map(|(text, known)| Some((text, (*known)?)))
    }

    /// Returns the text of the file.
    fn text(&self) -> String {
        let mut text = head(&**self.position);
        for (mv, (winner, plies)) in self.found() {
            let _ = writeln!(text, "{mv} {winner} {plies}");
        }
        text
    }

    fn in_words(&self) -> String {
        let mover = self.position.to_move();
        let sign = |winner| if winner == mover { '+' } else { '-' };
        let signs: Vec<_> = self.found().map(|(text, (winner, _))| (text.clone(), sign(winner))).collect();
        let name = self.position.side_name(mover);
        let title = self.position.view().title();
        let mut text = format!(
            "{title}, {name} to move\n{}+ wins, - loses for {name}\n",
            drawn(&**self.position, &signs)
        );
        for (mv, (winner, plies)) in self.found() {
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

    fn in_json(&self) -> Result<String> {
        let moves =
            self.found().map(|(mv, (outcome, plies))| (mv.as_str(), SolveJson::Winner { outcome, plies }));
        let (to_move, nodes) = (self.position.to_move(), self.nodes);
        json_line(&SolveJson::Map { to_move, moves: Object(moves.collect()), nodes })
    }
}

/// Returns the first line of the file, which names the position.
fn head(position: &dyn Position) -> String {
    let played = [vec![String::new()], position.played()].concat().join(" ");
    format!(
        "# crosspath map of {}{played}: a move, who wins after it, in how many plies at most\n",
        position.view().title()
    )
}

/// Returns the results in the file; none if there is no such file.
fn read(position: &dyn Position, moves: &[String], file: Option<&Path>) -> Result<Vec<KnownWinner>> {
    let mut known = vec![None; moves.len()];
    let Some(path) = file.filter(|path| path.exists()) else { return Ok(known) };
    let refuse = |why: String| usage(format!("--resume {}: {why}", Refusal::shown_path(path)));
    let bytes = disk::load(path).map_err(|error| refuse(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let head = head(position);
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
