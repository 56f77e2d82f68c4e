//! Command `crosspath tune`: runs the generations of a tuning run one after the other.
//!
//! All games are saved in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::arena::plan_error;
use super::progress::ProgressBar;
use super::shards::{self, ExistingShard, TRY_AGAIN_EXIT_CODE};
use super::work::work_error;
use super::{RequestedBoard, check_output_path, environment, failure_with_code, usage_error, write_stdout};
use crate::ai::{Limits, TuningOverrides};
use crate::arena::jobs::shard::Shard;
use crate::arena::jobs::{ArenaJob, MAX_JOB_BYTES, UnitError};
use crate::arena::matches::Openings;
use crate::arena::stats::spsa::TunedParameter;
use crate::arena::tuning::{self, TuningGeneration, TuningReport};
use crate::canvas::GlyphSet;
use crate::cli::{self, ForceFlag};
use crate::game::Refusal;
use crate::record::disk;

/// Name of the curve file in the folder.
const CURVE_FILE_NAME: &str = "curve.csv";

/// Runs `crosspath tune`.
pub(super) fn run_tune_command(flags: &cli::TuneArgs, board: &RequestedBoard) -> Result<()> {
    let first = first_generation_job(flags, board)?;
    ArenaJob::parse(board.0.game_list(), first.as_bytes()).map_err(usage_error)?;
    if let Some(path) = &flags.write_job {
        return shards::write_job_file("--write-job", path, first.as_bytes(), flags.force);
    }
    let Some(out) = &flags.out else { return Ok(()) };
    let folder = TuningFolder::open_or_create(out, flags.force)?;
    let mut curve = TuningCurve::default();
    let mut bar = ProgressBar::is_visible().then(ProgressBar::new);
    let (mut text, mut number) = (Some(first), 1);
    while let Some(job_text) = text {
        folder.write_job(number, job_text.as_bytes())?;
        let job = ArenaJob::parse(board.0.game_list(), job_text.as_bytes()).map_err(usage_error)?;
        let mut tell = |done: usize| {
            let done = u64::from(curve.finished_iterations()) + done as u64;
            let all = flags.iterations.into();
            // A failed write to standard error does not stop the tuning.
            bar.as_mut().map(|bar| bar.show([done, all, 0], &format!("{done} of {all} iterations")));
        };
        let whole = folder.run_generation(&job, number, flags.threads.into(), &mut tell)?;
        let report =
            (job.kind.report)(board.0.game_list(), &whole).map_err(|why| failure_with_code(1, why))?;
        curve.add_generation(&serde_json::from_value(report.json.into())?);
        shards::save_file("--out", &folder.0.join(CURVE_FILE_NAME), curve.to_csv().as_bytes())?;
        text = job.work.next_job(&whole).map_err(|why| failure_with_code(1, why))?;
        number += 1;
    }
    if let Some(bar) = &bar {
        bar.clear();
    }
    write_stdout(curve.format_table(environment::choose_glyphs(cli::GlyphsArg::Auto)))
}

/// Returns the job of the first generation.
fn first_generation_job(flags: &cli::TuneArgs, (entry, variant): &RequestedBoard) -> Result<String> {
    entry.resolve_board(variant).map_err(|error| usage_error(error.to_flag_message()))?;
    let openings = flags.openings.as_deref().map(|text| Openings::parse_or_load(text, entry, variant));
    let openings = openings.transpose().map_err(plan_error)?;
    let mut first = TuningGeneration::new(entry, variant, &flags.engine, openings).map_err(usage_error)?;
    first.plan.limits = Limits { nodes: flags.nodes, depth: flags.depth, ..Limits::default() };
    if !first.is_deterministic() {
        return Err(usage_error(format!("{}; add --nodes 100", tuning::DETERMINISM_REQUIREMENTS)));
    }
    (first.spsa.seed, first.spsa.iterations, first.pairs) = (flags.seed, flags.iterations, flags.pairs);
    first.units = flags.probes.min(flags.iterations);
    first.spsa.parameters =
        flags.parameters.iter().map(|text| parse_parameter(text)).collect::<Result<_>>()?;
    Ok(first.to_job_json())
}

/// Parses `NAME=START,MIN,MAX,C_END,R_END`.
fn parse_parameter(text: &str) -> Result<TunedParameter> {
    let read = || {
        let (name, numbers) = text.split_once('=')?;
        let numbers: Vec<f64> =
            numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [value, min, max, c_end, r_end] = numbers[..] else { return None };
        let is_finite = [value, min, max, c_end, r_end].into_iter().all(f64::is_finite);
        let grid = TuningOverrides::steps_per_unit(name);
        is_finite.then(|| TunedParameter { name: name.to_owned(), value, min, max, c_end, r_end, grid })
    };
    read().ok_or_else(|| {
        let example = "write it as NAME=START,MIN,MAX,C_END,R_END, such as exploration=1,0.2,4,0.1,0.02";
        usage_error(format!("--parameter {:?}: {example}", Refusal::sanitize_excerpt(text)))
    })
}

/// Folder of a tuning run, with its jobs, units and curve.
///
/// The flag permits replacing other files in the folder.
struct TuningFolder(PathBuf, ForceFlag);

impl TuningFolder {
    /// Opens the folder, or creates it.
    fn open_or_create(path: &Path, force: ForceFlag) -> Result<Self> {
        fs::create_dir_all(path).map_err(|error| {
            let why = crate::record::disk::describe_io_error(&error);
            failure_with_code(
                TRY_AGAIN_EXIT_CODE,
                format!("cannot create the folder --out {}: {why}", Refusal::sanitize_path(path)),
            )
        })?;
        let folder = TuningFolder(path.to_path_buf(), force);
        // A curve without its job belongs to something else.
        if !folder.job_path(1).exists() {
            check_output_path("--out", &path.join(CURVE_FILE_NAME), force)?;
        }
        Ok(folder)
    }

    /// Returns the path of the job of a generation.
    fn job_path(&self, number: u32) -> PathBuf {
        self.0.join(format!("{number:04}.json"))
    }

    /// Writes the job of a generation, unless it exists already.
    fn write_job(&self, number: u32, text: &[u8]) -> Result<()> {
        let path = self.job_path(number);
        match disk::read_regular_file(&path, MAX_JOB_BYTES) {
            Ok(old) if old != text && !self.1.force => {
                let path = Refusal::sanitize_path(&path);
                let why = "belongs to another tuning run; use the same flags, or another folder";
                Err(usage_error(format!("--out: the file {path} {why}")))
            }
            _ => shards::write_job_file("--out", &path, text, self.1),
        }
    }

    /// Returns the path of a unit of a generation; the file is deleted once the generation is complete.
    fn unit_path(&self, number: u32, unit: u32) -> PathBuf {
        self.0.join(format!("{number:04}-unit-{unit}.shard"))
    }

    /// Reads the saved units of a generation.
    fn read_saved_units(&self, job: &ArenaJob, number: u32) -> Result<BTreeMap<u64, Vec<u8>>> {
        let mut known = BTreeMap::new();
        for unit in 0..job.units {
            let found = shards::inspect_shard_file(
                &self.unit_path(number, unit),
                &job.shard_header(unit, job.units),
                self.1,
            );
            // Another file is never replaced, so a retry would not help.
            if let ExistingShard::Same(shard) = found.map_err(|why| failure_with_code(1, why))? {
                known.extend(shard.units().map(|(unit, body)| (unit.into(), body.to_vec())));
            }
        }
        Ok(known)
    }

    /// Completes a generation: loads its saved units and runs the missing ones.
    ///
    /// Each unit is saved as soon as it is done.
    fn run_generation(
        &self,
        job: &ArenaJob,
        number: u32,
        threads: usize,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Shard> {
        let path = self.0.join(format!("{number:04}.shard"));
        let whole = match shards::inspect_shard_file(&path, &job.shard_header(0, 1), self.1)? {
            ExistingShard::Same(whole) => whole,
            ExistingShard::Part(_) | ExistingShard::Nothing => {
                let known = self.read_saved_units(job, number)?;
                let mut done = known.len();
                tell(done);
                let mut keep = |unit, body: &[u8]| {
                    let shard = job.assemble_shard(unit, job.units, &[body.to_vec()]);
                    let saved = shards::save_file("--out", &self.unit_path(number, unit), shard.bytes());
                    saved.map_err(|why| UnitError::Retry(why.to_string()))?;
                    done += 1;
                    tell(done);
                    Ok(())
                };
                let whole = job.run_missing_units((0, 1), threads, known, &mut keep).map_err(work_error)?;
                shards::save_file("--out", &path, whole.bytes())?;
                whole
            }
        };
        for unit in 0..job.units {
            // A unit that cannot be deleted does no harm.
            let _ = fs::remove_file(self.unit_path(number, unit));
        }
        Ok(whole)
    }
}

/// Values of the constants during a tuning run.
#[derive(Default)]
struct TuningCurve {
    names: Vec<String>,
    /// Values of the constants after each number of iterations, starting at 0.
    points: Vec<(u64, Vec<f64>)>,
    /// Number of pairs of games played.
    pairs: u64,
}

impl TuningCurve {
    /// Maximum number of points that are drawn.
    const MAX_DRAWN_POINTS: usize = 50;

    /// Returns the number of finished iterations.
    fn finished_iterations(&self) -> u32 {
        self.points.last().and_then(|(done, _)| u32::try_from(*done).ok()).unwrap_or_default()
    }

    /// Adds a generation from its report.
    fn add_generation(&mut self, moves: &TuningReport) {
        if self.points.is_empty() {
            self.names = moves.parameters.iter().map(|parameter| parameter.name.clone()).collect();
            self.points.push((0, moves.parameters.iter().map(|parameter| parameter.before).collect()));
        }
        self.points
            .push((moves.to.into(), moves.parameters.iter().map(|parameter| parameter.after).collect()));
        self.pairs += moves.pairs.iter().sum::<u64>();
    }

    /// Returns the curve as CSV for other programs, one line per generation.
    fn to_csv(&self) -> String {
        let mut lines = vec![format!("iteration,{}\n", self.names.join(","))];
        for (iteration, values) in &self.points {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            lines.push(format!("{iteration},{}\n", values.join(",")));
        }
        lines.concat()
    }

    /// Formats one line per constant: its start and current values, and its curve.
    fn format_table(&self, glyphs: GlyphSet) -> String {
        let short = |value: f64| ((1000.0 * value).round() / 1000.0).to_string();
        let mut rows = vec![["constant", "start", "now", "lowest", "curve, highest"].map(str::to_owned)];
        for (i, name) in self.names.iter().enumerate() {
            let values: Vec<f64> = self.points.iter().map(|(_, values)| values[i]).collect();
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let now = values.last().copied().unwrap_or_default();
            let drawn = format!("{} {}", draw_curve(&values, (lowest, highest), glyphs), short(highest));
            rows.push([name.clone(), short(values[0]), short(now), short(lowest), drawn]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
        let [first, second, third, fourth] = [0, 1, 2, 3].map(width);
        let line = |[name, start, now, lowest, curve]: &[String; 5]| {
            format!("{name:first$}  {start:>second$}  {now:>third$}  {lowest:>fourth$} {curve}\n")
        };
        let table: String = rows.iter().map(line).collect();
        format!("{} iterations, {} pairs of games\n{table}", self.finished_iterations(), self.pairs)
    }
}

/// Draws values as a row of characters, scaled to the lowest and highest value.
fn draw_curve(values: &[f64], (lowest, highest): (f64, f64), glyphs: GlyphSet) -> String {
    const UNICODE_BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const ASCII_BARS: [char; 8] = ['0', '1', '2', '3', '4', '5', '6', '7'];
    let signs = if glyphs == GlyphSet::Unicode { UNICODE_BARS } else { ASCII_BARS };
    let count = values.len().min(TuningCurve::MAX_DRAWN_POINTS);
    // The first and the last value are always drawn.
    let place = |column: usize| column * (values.len() - 1) / (count - 1).max(1);
    let sign = |value: f64| {
        let share = if highest > lowest { (value - lowest) / (highest - lowest) } else { 0.5 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 7")]
        let level = (7.0 * share).round() as usize;
        signs[level.min(7)]
    };
    (0..count).map(|column| sign(values[place(column)])).collect()
}
