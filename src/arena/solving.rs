//! Solving many positions: each a unit of a job, its value proved or unknown, never guessed. Knows games by their solvers
//! only.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use crate::ai::{Limits, SolveControl};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{
    JobError, Kind, Members, Report, UnitsError, WorkError, Worker, limits_in_json, settings_in_json,
};
use crate::game::{Outcome, Refusal};
use crate::registry::Entry;
use crate::session::Position;

/// What stands in a job for one position after each first move.
const ALL_FIRST_MOVES: &str = "all-first-moves";

/// Positions to be solved.
#[derive(Debug)]
struct Task {
    game: &'static str,
    settings: Map<String, Value>,
    limits: Limits,
    positions: Vec<Arc<dyn Position>>,
}

/// Reads the members of a job of this kind.
pub(super) fn read(members: &mut Members) -> Result<Box<dyn Kind>, JobError> {
    let (entry, variant) = members.board()?;
    let settings = settings_in_json(&entry.choose(&variant).map_err(JobError::new)?.written());
    let start = entry.start(&variant).map_err(JobError::new)?;
    let limits = members.limits()?;
    if limits.nodes.is_none() || limits.have_time() {
        return Err(JobError::new(
            "a job of kind solve needs a limit of nodes, such as {\"nodes\":1000000}, and no time limit",
        ));
    }
    let lists: Vec<String> = match members.take("positions") {
        Some(Value::String(text)) if text == ALL_FIRST_MOVES => start.legal(),
        Some(Value::Array(lists)) => {
            let text = |list: Value| list.as_str().map(str::to_owned);
            let texts: Option<Vec<String>> = lists.into_iter().map(text).collect();
            texts.ok_or_else(|| {
                JobError::new("each position must be a string with the moves that lead to it")
            })?
        }
        _ => {
            return Err(JobError(format!(
                "positions must be a list of strings such as [\"a1 b2\"], or {ALL_FIRST_MOVES:?}"
            )));
        }
    };
    if lists.len() != members.units as usize {
        let (units, count) = (members.units, lists.len());
        return Err(JobError(format!("the member units is {units}, but there are {count} positions")));
    }
    let nothing = Limits { nodes: Some(0), ..limits };
    let solver = start.solve(&SolveControl::quiet(nothing, &AtomicBool::new(true)));
    if start.outcome().is_none() && solver.is_none() {
        return Err(JobError(format!("there is no solver for {}", entry.name)));
    }
    let positions = lists.iter().zip(0..).map(|(list, unit)| reached(&start, list, unit));
    Ok(Box::new(Task { game: entry.name, settings, limits, positions: positions.collect::<Result<_, _>>()? }))
}

/// The position after these moves.
fn reached(start: &Arc<dyn Position>, moves: &str, unit: u32) -> Result<Arc<dyn Position>, JobError> {
    moves.split_whitespace().try_fold(Arc::clone(start), |position, text| {
        position
            .play(text)
            .map_err(|why| JobError(format!("position {unit}, move {:?}: {why}", Refusal::shown(text))))
    })
}

impl Kind for Task {
    fn header(&self) -> Map<String, Value> {
        let mut header = Map::new();
        let mut set = |key: &str, value: Value| header.insert(key.to_owned(), value);
        set("deterministic", true.into());
        set("game", self.game.into());
        set("settings", self.settings.clone().into());
        set("limits", limits_in_json(self.limits));
        header
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, WorkError> {
        Ok(Box::new(Solver(self)))
    }
}

/// Solves the positions of a job.
struct Solver<'a>(&'a Task);

impl Worker for Solver<'_> {
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let position = &self.0.positions[unit as usize];
        Ok(line(unit, &**position, self.0.limits, stop)?.to_string().into_bytes())
    }
}

/// What is proved about a position, as a line says it.
fn line(unit: u32, position: &dyn Position, limits: Limits, stop: &AtomicBool) -> Result<Value, WorkError> {
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
    Ok(json!({
        "unit": unit,
        "moves": position.played().join(" "),
        "value": proved.map_or("unknown".to_owned(), |known| known.to_string()),
        "best": best.map(|(text, ..)| text),
        "nodes": solved.as_ref().map_or(0, |solved| solved.nodes),
        "depth": depth,
    }))
}

/// Counts what was proved.
pub(super) fn report(_: &'static [Entry], shard: &Shard) -> Result<Report, UnitsError> {
    let mut counts = [("first", 0u64), ("second", 0), ("draw", 0), ("unknown", 0)];
    let mut nodes = 0u64;
    for (unit, body) in shard.units() {
        let wrong = |error| UnitsError(format!("unit {unit}: {error}"));
        let line: Value = serde_json::from_slice(body).map_err(wrong)?;
        let value = line["value"].as_str().unwrap_or_default();
        let count = counts.iter_mut().find(|(name, _)| *name == value);
        let none = || UnitsError(format!("unit {unit} has no value such as \"draw\""));
        count.ok_or_else(none)?.1 += 1;
        nodes = nodes.saturating_add(line["nodes"].as_u64().unwrap_or_default());
    }
    let [(_, first), (_, second), (_, draws), (_, unknown)] = counts;
    let positions = shard.units().count();
    let game = shard.header.text("game");
    let words = format!(
        "{game}: {positions} positions, {unknown} of them unknown\nfirst wins {first}, second wins {second}, draws {draws}, nodes {nodes}\n"
    );
    let mut json = Map::new();
    json.insert("positions".to_owned(), positions.into());
    json.extend(counts.map(|(name, count)| (name.to_owned(), count.into())));
    json.insert("nodes".to_owned(), nodes.into());
    Ok(Report { words, json, fault: None })
}
