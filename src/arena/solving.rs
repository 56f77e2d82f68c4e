//! Solves many positions as the units of a job.
//!
//! Each value is proved or unknown, never estimated. This module uses games only through their
//! solvers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ai::{Limits, SolveControl};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{
    self, ArenaJobError, ArenaJobKind, JobHeader, JobReport, NameOrList, SearchLimitsJson, UnitError,
    UnitWorker,
};
use crate::game::{Outcome, Refusal, Side};
use crate::registry::RegisteredGame;
use crate::session::Position;

/// Keyword in a job file for the positions after each possible first move.
const ALL_FIRST_MOVES: &str = "all-first-moves";

/// Fields of a job of kind `solve`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveJob {
    #[serde(flatten)]
    head: JobHeader,
    limits: Option<SearchLimitsJson>,
    #[serde(skip_serializing)]
    positions: NameOrList,
}

/// Solved position, as a line of a shard.
#[derive(Serialize, Deserialize)]
struct SolvedLine {
    unit: u32,
    moves: String,
    value: SolvedValue,
    best: Option<String>,
    nodes: u64,
    depth: Option<u32>,
}

/// Proved value of a position, or unknown.
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

/// Positions of a job and the limits for solving them.
#[derive(Debug)]
struct SolveTask {
    job: SolveJob,
    limits: Limits,
    positions: Vec<Arc<dyn Position>>,
}

/// Parses a job of kind `solve`.
pub(super) fn parse_solve_job(
    games: &'static [RegisteredGame],
    text: &[u8],
) -> Result<Box<dyn ArenaJobKind>, ArenaJobError> {
    let SolveJob { head, limits, positions } = jobs::parse_json_object(text)?;
    let (entry, variant) = head.find_board(games)?;
    let start = entry.start_position(&variant).map_err(ArenaJobError::new)?;
    let (units, limits) = (head.units, Limits::from(limits.unwrap_or_default()));
    if limits.nodes.is_none() || limits.has_time_limit() {
        return Err(ArenaJobError::new(
            "a job of kind solve needs a limit of nodes, such as {\"nodes\":1000000}, and no time limit",
        ));
    }
    let lists = match &positions {
        NameOrList::Name(name) if name == ALL_FIRST_MOVES => start.legal_moves(),
        NameOrList::List(lists) => lists.clone(),
        NameOrList::Name(_) => {
            return Err(ArenaJobError(format!(
                "positions must be a list of strings such as [\"a1 b2\"], or {ALL_FIRST_MOVES:?}"
            )));
        }
    };
    if lists.len() != units as usize {
        let count = lists.len();
        return Err(ArenaJobError(format!("units is {units}, but there are {count} positions")));
    }
    let nothing = Limits { nodes: Some(0), ..limits };
    let solver = start.solve_position(&SolveControl::without_reports(nothing, &AtomicBool::new(true)));
    if start.outcome().is_none() && solver.is_none() {
        return Err(ArenaJobError(format!("there is no solver for {}", entry.name)));
    }
    let reached = lists.iter().zip(0..).map(|(list, unit)| position_after_moves(&start, list, unit));
    let reached = reached.collect::<Result<_, _>>()?;
    let head = JobHeader::new(&head.kind, head.seed, units, (entry, &variant));
    let job = SolveJob { head, limits: Some(limits.into()), positions: NameOrList::List(lists) };
    Ok(Box::new(SolveTask { job, limits, positions: reached }))
}

/// Plays these moves and returns the resulting position.
fn position_after_moves(
    start: &Arc<dyn Position>,
    moves: &str,
    unit: u32,
) -> Result<Arc<dyn Position>, ArenaJobError> {
    moves.split_whitespace().try_fold(Arc::clone(start), |position, text| {
        position.play(text).map_err(|why| {
            ArenaJobError(format!("position {unit}, move {:?}: {why}", Refusal::sanitize_excerpt(text)))
        })
    })
}

impl ArenaJobKind for SolveTask {
    fn header_fields(&self) -> Map<String, Value> {
        let mut header = jobs::shard_header_fields(true, &self.job);
        header.shift_remove("seed");
        header
    }

    fn create_worker(&self) -> Result<Box<dyn UnitWorker + '_>, UnitError> {
        Ok(Box::new(SolveWorker(self)))
    }
}

/// Worker that solves the positions of a job.
struct SolveWorker<'a>(&'a SolveTask);

impl UnitWorker for SolveWorker<'_> {
    fn run_unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, UnitError> {
        let position = &self.0.positions[unit as usize];
        Ok(jobs::to_json_line(&solve_position(unit, &**position, self.0.limits, stop)?).into_bytes())
    }
}

/// Solves a position and returns its line of the shard.
fn solve_position(
    unit: u32,
    position: &dyn Position,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<SolvedLine, UnitError> {
    let is_over = position.outcome().is_some();
    let solved =
        if is_over { None } else { position.solve_position(&SolveControl::without_reports(limits, stop)) };
    if let Some(solved) = solved.as_ref().filter(|solved| solved.lacks_memory) {
        return Err(UnitError::Retry(format!("unit {unit}: {}", solved.proof.join(" "))));
    }
    let proved = solved.as_ref().map_or(position.outcome(), |solved| solved.outcome);
    let moves_of_value = solved.iter().flat_map(|solved| &solved.moves);
    let best = moves_of_value.filter(|(_, outcome, _)| proved.is_some() && *outcome == proved);
    // Prefers the shortest win and the longest loss.
    let wins = proved == Some(Outcome::Win(position.to_move()));
    let rank = |plies: Option<u32>| {
        plies.map_or(i64::MAX, |plies| if wins { i64::from(plies) } else { -i64::from(plies) })
    };
    let best = best.min_by_key(|(.., plies)| rank(*plies));
    let depth = if solved.is_some() { best.and_then(|(.., plies)| *plies) } else { Some(0) };
    let value = SolvedValue::from(proved);
    let (moves, best) = (position.played_moves().join(" "), best.map(|(text, ..)| text.clone()));
    let nodes = solved.as_ref().map_or(0, |solved| solved.nodes);
    Ok(SolvedLine { unit, moves, value, best, nodes, depth })
}

/// Builds the report that counts the proved values.
pub(super) fn report_solve_shard(
    _: &'static [RegisteredGame],
    shard: &Shard,
) -> Result<JobReport, ArenaJobError> {
    let mut counts = SolvedCounts::default();
    for (unit, body) in shard.units() {
        let line: SolvedLine =
            serde_json::from_slice(body).map_err(|error| ArenaJobError(format!("unit {unit}: {error}")))?;
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
        (shard.header.text_field("game"), &counts);
    let words = format!(
        "{game}: {positions} positions, {unknown} of them unknown\nfirst wins {first}, second wins {second}, draws {draw}, nodes {nodes}\n"
    );
    Ok(JobReport { words, json: jobs::to_json_fields(&counts), fault: None })
}

/// Number of positions of a shard by value, and nodes searched.
#[derive(Default, Serialize)]
struct SolvedCounts {
    positions: u64,
    first: u64,
    second: u64,
    draw: u64,
    unknown: u64,
    nodes: u64,
}
