//! Command `crosspath selfplay`: creates a job from its flags and runs it as one shard.

use anyhow::Result;

use super::arena::plan_error;
use super::{RequestedBoard, shards, to_json_line, usage_error, work, write_stdout};
use crate::ai::{EngineSpec, Limits};
use crate::arena::jobs::ArenaJob;
use crate::arena::matches::{Openings, OpeningsError};
use crate::arena::selfplay::{SelfplayPlan, SelfplayPlayer, TeacherEngine};
use crate::cli;
use crate::record::disk;

/// Maximum number of random opening plies; larger numbers are rejected as mistakes.
const MAX_OPENING_PLIES: usize = 10_000;

/// Runs `crosspath selfplay`.
pub(super) fn run_selfplay_command(
    flags: &cli::SelfplayArgs,
    (entry, variant): &RequestedBoard,
) -> Result<()> {
    let named = |flag: &str, text: &str| {
        let spec = text.parse().and_then(|spec: EngineSpec| spec.load_weights(disk::load_network_weights));
        spec.map_err(|error| usage_error(format!("{flag} {text:?}: {error}")))
    };
    let player = match (&flags.evaluator, &flags.engine) {
        (Some(cli::EvaluatorArg::Stdio), _) => SelfplayPlayer::Stdio { batch: flags.batch },
        (None, Some(text)) => SelfplayPlayer::Engine(named("--engine", text)?),
        (None, None) => {
            let (level, limits) = (entry.strongest_level(), Limits::default());
            SelfplayPlayer::Engine(EngineSpec { limits, ..EngineSpec::from_kind(level) })
        }
    };
    entry.resolve_board(variant).map_err(|error| usage_error(error.to_flag_message()))?;
    let plan = SelfplayPlan::new(entry, variant, player).map_err(usage_error)?;
    let openings = match flags.openings.as_deref() {
        None => plan.openings,
        Some(text) => match Openings::parse_or_load(text, entry, variant) {
            Ok(Openings::Random(plies)) if plies > MAX_OPENING_PLIES => {
                return Err(usage_error(format!("an opening has more than {MAX_OPENING_PLIES} plies")));
            }
            Ok(Openings::Balanced(_)) | Err(OpeningsError::Unreadable(_)) => {
                return Err(usage_error(format!(
                    "--openings must be none, random:K or a file, not {text:?}"
                )));
            }
            openings => openings.map_err(plan_error)?,
        },
    };
    let teacher = flags
        .teacher
        .as_ref()
        .map(|text| anyhow::Ok(TeacherEngine { spec: named("--teacher", text)?, every: flags.taught_every }));
    let teacher = teacher.transpose()?;
    let temperature_plies = flags.temperature_plies.map_or(2 * openings.max_plies(), usize::from);
    let limits = Limits::from(flags.limits).or_if_unlimited(plan.limits);
    let plan = SelfplayPlan { teacher, openings, temperature_plies, limits, seed: flags.seed, ..plan };
    plan.validate().map_err(usage_error)?;
    let text = plan.to_job_json(flags.games);
    if let Some(path) = &flags.write_job {
        shards::write_job_file("--write-job", path, text.as_bytes(), flags.force)?;
    }
    let Some(out) = &flags.out else { return Ok(()) };
    let job = ArenaJob::parse(entry.game_list(), text.as_bytes()).map_err(usage_error)?;
    let shard = work::run_shard(&job, (0, 1), flags.threads.into(), Some((out, flags.force)))?;
    if flags.quiet || job.work.uses_standard_streams() {
        return Ok(());
    }
    let report = (job.kind.report)(entry.game_list(), &shard).map_err(usage_error)?;
    write_stdout(if flags.json { to_json_line(&report.json)? } else { report.words })
}
