//! Solving many positions: each a unit of a job, its value proved or unknown, never guessed. Knows games by their solvers
//! only.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ai::{Limits, SolveControl};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{
    self, JobError, JobHead, JobKind, JobReport, LimitFields, NameOrList, UnitWorker, WorkError,
};
use crate::game::{Outcome, Refusal, Side};
use crate::registry::Entry;
use crate::session::Position;

/// Text in a job that stands for one position after each first move.
const ALL_FIRST_MOVES: &str = "all-first-moves";

/// A job of this kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveJob {
    #[serde(flatten)]
    head: JobHead,
    limits: Option<LimitFields>,
    #[serde(skip_serializing)]
    positions: NameOrList,
}

/// A position that a job has solved, as a line of its shard.
#[derive(Serialize, Deserialize)]
struct SolvedLine {
    unit: u32,
    moves: String,
    value: SolvedValue,
    best: Option<String>,
    nodes: u64,
    depth: Option<u32>,
}

/// The value of a position.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", expecting = "the value must be first, second, draw or unknown")]
pub(crate) enum SolvedValue {
    Unknown,
    #[serde(untagged)]
    Known(Outcome),
}

impl From<Option<Outcome>> for SolvedValue {
    fn from(proved: Option<Outcome>) -> Self {
        proved.map_or(SolvedValue::Unknown, SolvedValue::Known)
    }
}

/// Positions to be solved.
#[derive(Debug)]
struct SolveTask {
    job: SolveJob,
    limits: Limits,
    positions: Vec<Arc<dyn Position>>,
}

/// Reads a job of this kind.
pub(super) fn read(games: &'static [Entry], text: &[u8]) -> Result<Box<dyn JobKind>, JobError> {
    let SolveJob { head, limits, positions } = jobs::read(text)?;
    let (entry, variant) = head.board(games)?;
    let start = entry.start(&variant).map_err(JobError::new)?;
    let (units, limits) = (head.units, Limits::from(limits.unwrap_or_default()));
    if limits.nodes.is_none() || limits.have_time() {
        return Err(JobError::new(
            "a job of kind solve needs a limit of nodes, such as {\"nodes\":1000000}, and no time limit",
        ));
    }
    let lists = match &positions {
        NameOrList::Name(name) if name == ALL_FIRST_MOVES => start.legal(),
        NameOrList::List(lists) => lists.clone(),
        NameOrList::Name(_) => {
            return Err(JobError(format!(
                "positions must be a list of strings such as [\"a1 b2\"], or {ALL_FIRST_MOVES:?}"
            )));
        }
    };
    if lists.len() != units as usize {
        let count = lists.len();
        return Err(JobError(format!("units is {units}, but there are {count} positions")));
    }
    let nothing = Limits { nodes: Some(0), ..limits };
    let solver = start.solve(&SolveControl::quiet(nothing, &AtomicBool::new(true)));
    if start.outcome().is_none() && solver.is_none() {
        return Err(JobError(format!("there is no solver for {}", entry.name)));
    }
    let reached = lists.iter().zip(0..).map(|(list, unit)| reached(&start, list, unit));
    let reached = reached.collect::<Result<_, _>>()?;
    let head = JobHead::new(&head.kind, head.seed, units, (entry, &variant));
    let job = SolveJob { head, limits: Some(limits.into()), positions: NameOrList::List(lists) };
    Ok(Box::new(SolveTask { job, limits, positions: reached }))
}

/// The position after these moves.
fn reached(start: &Arc<dyn Position>, moves: &str, unit: u32) -> Result<Arc<dyn Position>, JobError> {
    moves.split_whitespace().try_fold(Arc::clone(start), |position, text| {
        position
            .play(text)
            .map_err(|why| JobError(format!("position {unit}, move {:?}: {why}", Refusal::shown(text))))
    })
}

impl JobKind for SolveTask {
    fn header(&self) -> Map<String, Value> {
        let mut header = jobs::header(true, &self.job);
        header.shift_remove("seed");
        header
    }

    fn worker(&self) -> Result<Box<dyn UnitWorker + '_>, WorkError> {
        Ok(Box::new(Solver(self)))
    }
}

/// Solves the positions of a job.
struct Solver<'a>(&'a SolveTask);

impl UnitWorker for Solver<'_> {
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let position = &self.0.positions[unit as usize];
        Ok(jobs::json(&solved_line(unit, &**position, self.0.limits, stop)?).into_bytes())
    }
}

/// Solves a position, and returns the line of the shard with its proof.
fn solved_line(
    unit: u32,
    position: &dyn Position,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<SolvedLine, WorkError> {
    let is_over = position.outcome().is_some();
    let solved = if is_over { None } else { position.solve(&SolveControl::quiet(limits, stop)) };
    if let Some(solved) = solved.as_ref().filter(|solved| solved.lacks_memory) {
        return Err(WorkError::Retry(format!("unit {unit}: {}", solved.proof.join(" "))));
    }
    let proved = solved.as_ref().map_or(position.outcome(), |solved| solved.outcome);
    let moves_of_value = solved.iter().flat_map(|solved| &solved.moves);
    let best = moves_of_value.filter(|(_, outcome, _)| proved.is_some() && *outcome == proved);
    // A win is best when it is near, a loss when it is far.
    let wins = proved == Some(Outcome::Win(position.to_move()));
    let rank = |plies: Option<u32>| {
        plies.map_or(i64::MAX, |plies| if wins { i64::from(plies) } else { -i64::from(plies) })
    };
    let best = best.min_by_key(|(.., plies)| rank(*plies));
    let depth = if solved.is_some() { best.and_then(|(.., plies)| *plies) } else { Some(0) };
    let value = SolvedValue::from(proved);
    let (moves, best) = (position.played().join(" "), best.map(|(text, ..)| text.clone()));
    let nodes = solved.as_ref().map_or(0, |solved| solved.nodes);
    Ok(SolvedLine { unit, moves, value, best, nodes, depth })
}

/// Counts what was proved.
pub(super) fn report(_: &'static [Entry], shard: &Shard) -> Result<JobReport, JobError> {
    let mut counts = SolvedCounts::default();
    for (unit, body) in shard.units() {
        let line: SolvedLine =
            serde_json::from_slice(body).map_err(|error| JobError(format!("unit {unit}: {error}")))?;
        counts.positions += 1;
        *match line.value {
            SolvedValue::Known(Outcome::Win(Side::First)) => &mut counts.first,
            SolvedValue::Known(Outcome::Win(Side::Second)) => &mut counts.second,
            SolvedValue::Known(Outcome::Draw) => &mut counts.draw,
            SolvedValue::Unknown => &mut counts.unknown,
        } += 1;
        counts.nodes = counts.nodes.saturating_add(line.nodes);
    }
    let (game, SolvedCounts { positions, first, second, draw, unknown, nodes }) =
        (shard.header.text("game"), &counts);
    let words = format!(
        "{game}: {positions} positions, {unknown} of them unknown\nfirst wins {first}, second wins {second}, draws {draw}, nodes {nodes}\n"
    );
    Ok(JobReport { words, json: jobs::fields(&counts), fault: None })
}

/// The values of the positions of a shard, counted.
#[derive(Default, Serialize)]
struct SolvedCounts {
    positions: u64,
    first: u64,
    second: u64,
    draw: u64,
    unknown: u64,
    nodes: u64,
}
