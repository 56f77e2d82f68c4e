//! `crosspath selfplay`: makes a job of its flags and does it as one shard.

use anyhow::Result;

use super::arena::wrong_plan;
use super::{Board, json_line, shards, usage, work, write_out};
use crate::ai::{EngineSpec, Limits};
use crate::arena::jobs::ArenaJob;
use crate::arena::matches::{Openings, OpeningsError};
use crate::arena::selfplay::{SelfplayPlan, SelfplayPlayer, Teacher};
use crate::cli;
use crate::record::disk;

/// Most random plies of an opening; more are a mistake.
const MOST_OPENING_PLIES: usize = 10_000;

pub(super) fn run(flags: &cli::Selfplay, (entry, variant): &Board) -> Result<()> {
    let named = |flag: &str, text: &str| {
        let spec = text.parse().and_then(|spec: EngineSpec| spec.load(disk::weights));
        spec.map_err(|error| usage(format!("{flag} {text:?}: {error}")))
    };
    let player = match (&flags.evaluator, &flags.engine) {
        (Some(cli::Evaluator::Stdio), _) => SelfplayPlayer::Stdio { batch: flags.batch },
        (None, Some(text)) => SelfplayPlayer::Engine(named("--engine", text)?),
        (None, None) => {
            let (level, limits) = (entry.strongest(), Limits::default());
            SelfplayPlayer::Engine(EngineSpec { limits, ..EngineSpec::of(level) })
        }
    };
    entry.choose(variant).map_err(|error| usage(error.as_flag()))?;
    let plan = SelfplayPlan::new(entry, variant, player).map_err(usage)?;
    let openings = match flags.openings.as_deref() {
        None => plan.openings,
        Some(text) => match Openings::read(text, entry, variant) {
            Ok(Openings::Random(plies)) if plies > MOST_OPENING_PLIES => {
                return Err(usage(format!("an opening has more than {MOST_OPENING_PLIES} plies")));
            }
            Ok(Openings::Balanced(_)) | Err(OpeningsError::Unreadable(_)) => {
                return Err(usage(format!("--openings must be none, random:K or a file, not {text:?}")));
            }
            openings => openings.map_err(wrong_plan)?,
        },
    };
    let teacher = flags
        .teacher
        .as_ref()
        .map(|text| anyhow::Ok(Teacher { spec: named("--teacher", text)?, every: flags.taught_every }));
    let teacher = teacher.transpose()?;
    let temperature_plies = flags.temperature_plies.map_or(2 * openings.plies(), usize::from);
    let limits = Limits::from(flags.limits).or(plan.limits);
    let plan = SelfplayPlan { teacher, openings, temperature_plies, limits, seed: flags.seed, ..plan };
    plan.check().map_err(usage)?;
    let text = plan.job(flags.games);
    if let Some(path) = &flags.write_job {
        shards::write_job("--write-job", path, text.as_bytes(), flags.force)?;
    }
    let Some(out) = &flags.out else { return Ok(()) };
    let job = ArenaJob::read(entry.games(), text.as_bytes()).map_err(usage)?;
    let shard = work::shard(&job, (0, 1), flags.threads.into(), Some((out, flags.force)))?;
    if flags.quiet || job.work.takes_streams() {
        return Ok(());
    }
    let report = (job.kind.report)(entry.games(), &shard).map_err(usage)?;
    write_out(if flags.json { json_line(&report.json)? } else { report.words })
}
