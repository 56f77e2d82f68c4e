//! `crosspath tune`: the generations of a tuning one after the other, with all games saved in a
//! folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::arena::wrong_plan;
use super::progress::Bar;
use super::shards::{self, Found, TRY_AGAIN};
use super::work::failed;
use super::{Board, check_place, environment, failure, usage, write_out};
use crate::ai::{Limits, Tuning};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{ArenaJob, MAX_BYTES, WorkError};
use crate::arena::matches::Openings;
use crate::arena::stats::spsa::Parameter;
use crate::arena::tuning::{self, Generation, Moves};
use crate::canvas::Glyphs;
use crate::cli::{self, Force};
use crate::game::Refusal;
use crate::record::disk;

/// Name of the curve in its folder.
const CURVE: &str = "curve.csv";

pub(super) fn run(flags: &cli::Tune, board: &Board) -> Result<()> {
    let first = first_job(flags, board)?;
    ArenaJob::read(board.0.games(), first.as_bytes()).map_err(usage)?;
    if let Some(path) = &flags.write_job {
        return shards::write_job("--write-job", path, first.as_bytes(), flags.force);
    }
    let Some(out) = &flags.out else { return Ok(()) };
    let folder = Folder::open(out, flags.force)?;
    let mut curve = Curve::default();
    let mut bar = Bar::is_seen().then(Bar::new);
    let (mut text, mut number) = (Some(first), 1);
    while let Some(job_text) = text {
        folder.keep_job(number, job_text.as_bytes())?;
        let job = ArenaJob::read(board.0.games(), job_text.as_bytes()).map_err(usage)?;
        let mut tell = |done: usize| {
            let done = u64::from(curve.iterations()) + done as u64;
            let all = flags.iterations.into();
            // Without standard error the tuning still continues.
            bar.as_mut().map(|bar| bar.show([done, all, 0], &format!("{done} of {all} iterations")));
        };
        let whole = folder.whole(&job, number, flags.threads.into(), &mut tell)?;
        let report = (job.kind.report)(board.0.games(), &whole).map_err(|why| failure(1, why))?;
        curve.add(&serde_json::from_value(report.json.into())?);
        shards::save("--out", &folder.0.join(CURVE), curve.in_csv().as_bytes())?;
        text = job.work.next(&whole).map_err(|why| failure(1, why))?;
        number += 1;
    }
    if let Some(bar) = &bar {
        bar.clear();
    }
    write_out(curve.format_table(environment::glyphs(cli::Glyphs::Auto)))
}

/// Returns the job of the first generation.
fn first_job(flags: &cli::Tune, (entry, variant): &Board) -> Result<String> {
    entry.choose(variant).map_err(|error| usage(error.as_flag()))?;
    let openings = flags.openings.as_deref().map(|text| Openings::read(text, entry, variant));
    let openings = openings.transpose().map_err(wrong_plan)?;
    let mut first = Generation::new(entry, variant, &flags.engine, openings).map_err(usage)?;
    first.plan.limits = Limits { nodes: flags.nodes, depth: flags.depth, ..Limits::default() };
    if !first.is_deterministic() {
        return Err(usage(format!("{}; add --nodes 100", tuning::NEEDS)));
    }
    (first.spsa.seed, first.spsa.iterations, first.pairs) = (flags.seed, flags.iterations, flags.pairs);
    first.units = flags.probes.min(flags.iterations);
    first.spsa.parameters = flags.parameters.iter().map(|text| parameter(text)).collect::<Result<_>>()?;
    Ok(first.job())
}

/// Reads `NAME=START,MIN,MAX,C_END,R_END`.
fn parameter(text: &str) -> Result<Parameter> {
    let read = || {
        let (name, numbers) = text.split_once('=')?;
        let numbers: Vec<f64> =
            numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [value, min, max, c_end, r_end] = numbers[..] else { return None };
        let is_finite = [value, min, max, c_end, r_end].into_iter().all(f64::is_finite);
        let grid = Tuning::grid(name);
        is_finite.then(|| Parameter { name: name.to_owned(), value, min, max, c_end, r_end, grid })
    };
    read().ok_or_else(|| {
        let example = "write it as NAME=START,MIN,MAX,C_END,R_END, such as exploration=1,0.2,4,0.1,0.02";
        usage(format!("--parameter {:?}: {example}", Refusal::shown(text)))
    })
}

/// Folder of a tuning's jobs, their units and the curve; and permission to replace other files
/// there.
struct Folder(PathBuf, Force);

impl Folder {
    fn open(path: &Path, force: Force) -> Result<Self> {
        fs::create_dir_all(path).map_err(|error| {
            let why = crate::record::disk::describe_io_error(&error);
            failure(TRY_AGAIN, format!("cannot create the folder --out {}: {why}", Refusal::shown_path(path)))
        })?;
        let folder = Folder(path.to_path_buf(), force);
        // A curve without its job belongs to somebody else.
        if !folder.job(1).exists() {
            check_place("--out", &path.join(CURVE), force)?;
        }
        Ok(folder)
    }

    /// Returns the path of the job of a generation.
    fn job(&self, number: u32) -> PathBuf {
        self.0.join(format!("{number:04}.json"))
    }

    /// Writes the job of a generation, unless it is there already.
    fn keep_job(&self, number: u32, text: &[u8]) -> Result<()> {
        let path = self.job(number);
        match disk::read_regular(&path, MAX_BYTES) {
            Ok(old) if old != text && !self.1.force => {
                let path = Refusal::shown_path(&path);
                let why = "belongs to another tuning run; use the same flags, or another folder";
                Err(usage(format!("--out: the file {path} {why}")))
            }
            _ => shards::write_job("--out", &path, text, self.1),
        }
    }

    /// Returns the path of a unit of a generation until all of them are there.
    fn unit(&self, number: u32, unit: u32) -> PathBuf {
        self.0.join(format!("{number:04}-unit-{unit}.shard"))
    }

    /// Reads the saved units of a generation.
    fn known(&self, job: &ArenaJob, number: u32) -> Result<BTreeMap<u64, Vec<u8>>> {
        let mut known = BTreeMap::new();
        for unit in 0..job.units {
            let found = shards::place_for(&self.unit(number, unit), &job.header(unit, job.units), self.1);
            // A file that is no such unit can never be replaced, so another try is of no use.
            if let Found::Same(shard) = found.map_err(|why| failure(1, why))? {
                known.extend(shard.units().map(|(unit, body)| (unit.into(), body.to_vec())));
            }
        }
        Ok(known)
    }

    /// Returns a whole generation: its saved units, and the others, which are done now. Each unit
    /// is saved as soon as it is done.
    fn whole(
        &self,
        job: &ArenaJob,
        number: u32,
        threads: usize,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Shard> {
        let path = self.0.join(format!("{number:04}.shard"));
        let whole = match shards::place_for(&path, &job.header(0, 1), self.1)? {
            Found::Same(whole) => whole,
            Found::Part(_) | Found::Nothing => {
                let known = self.known(job, number)?;
                let mut done = known.len();
                tell(done);
                let mut keep = |unit, body: &[u8]| {
                    let shard = job.shard_of(unit, job.units, &[body.to_vec()]);
                    let saved = shards::save("--out", &self.unit(number, unit), shard.bytes());
                    saved.map_err(|why| WorkError::Retry(why.to_string()))?;
                    done += 1;
                    tell(done);
                    Ok(())
                };
                let whole = job.run((0, 1), threads, known, &mut keep).map_err(failed)?;
                shards::save("--out", &path, whole.bytes())?;
                whole
            }
        };
        for unit in 0..job.units {
            // A unit that stays is only superfluous beside the whole.
            let _ = fs::remove_file(self.unit(number, unit));
        }
        Ok(whole)
    }
}

/// Course of the constants.
#[derive(Default)]
struct Curve {
    names: Vec<String>,
    /// Values of the constants after this number of iterations, with their start first.
    points: Vec<(u64, Vec<f64>)>,
    /// Number of pairs of games.
    pairs: u64,
}

impl Curve {
    /// Most points that are drawn.
    const WIDTH: usize = 50;

    /// Returns the number of iterations that are done.
    fn iterations(&self) -> u32 {
        self.points.last().and_then(|(done, _)| u32::try_from(*done).ok()).unwrap_or_default()
    }

    /// Adds a generation from its report.
    fn add(&mut self, moves: &Moves) {
        if self.points.is_empty() {
            self.names = moves.parameters.iter().map(|parameter| parameter.name.clone()).collect();
            self.points.push((0, moves.parameters.iter().map(|parameter| parameter.before).collect()));
        }
        self.points
            .push((moves.to.into(), moves.parameters.iter().map(|parameter| parameter.after).collect()));
        self.pairs += moves.pairs.iter().sum::<u64>();
    }

    /// Returns the curve as CSV for other programs that draw it: a line for each generation.
    fn in_csv(&self) -> String {
        let mut lines = vec![format!("iteration,{}\n", self.names.join(","))];
        for (iteration, values) in &self.points {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            lines.push(format!("{iteration},{}\n", values.join(",")));
        }
        lines.concat()
    }

    /// Returns a line for each constant: its start, its present value, and its course between its
    /// lowest and its highest value.
    fn format_table(&self, glyphs: Glyphs) -> String {
        let short = |value: f64| ((1000.0 * value).round() / 1000.0).to_string();
        let mut rows = vec![["constant", "start", "now", "lowest", "curve, highest"].map(str::to_owned)];
        for (i, name) in self.names.iter().enumerate() {
            let values: Vec<f64> = self.points.iter().map(|(_, values)| values[i]).collect();
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let now = values.last().copied().unwrap_or_default();
            let drawn = format!("{} {}", drawn(&values, (lowest, highest), glyphs), short(highest));
            rows.push([name.clone(), short(values[0]), short(now), short(lowest), drawn]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
        let [first, second, third, fourth] = [0, 1, 2, 3].map(width);
        let line = |[name, start, now, lowest, curve]: &[String; 5]| {
            format!("{name:first$}  {start:>second$}  {now:>third$}  {lowest:>fourth$} {curve}\n")
        };
        let table: String = rows.iter().map(line).collect();
        format!("{} iterations, {} pairs of games\n{table}", self.iterations(), self.pairs)
    }
}

/// Returns values as a row of characters, drawn between the lowest and the highest value.
fn drawn(values: &[f64], (lowest, highest): (f64, f64), glyphs: Glyphs) -> String {
    const UNICODE: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const ASCII: [char; 8] = ['0', '1', '2', '3', '4', '5', '6', '7'];
    let signs = if glyphs == Glyphs::Unicode { UNICODE } else { ASCII };
    let count = values.len().min(Curve::WIDTH);
    // The first and the last value are always among them.
    let place = |column: usize| column * (values.len() - 1) / (count - 1).max(1);
    let sign = |value: f64| {
        let share = if highest > lowest { (value - lowest) / (highest - lowest) } else { 0.5 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 7")]
        let level = (7.0 * share).round() as usize;
        signs[level.min(7)]
    };
    (0..count).map(|column| sign(values[place(column)])).collect()
}
