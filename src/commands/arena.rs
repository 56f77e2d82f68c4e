//! `crosspath arena`: matches between engines, the files of their games, and their reports.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Result, anyhow};

use super::progress::Bar;
use super::{Board, check_place, failure, json_line, shards, usage, write_file, write_out};
use crate::ai::{Limits, duration};
use crate::arena::jobs::ArenaJob;
use crate::arena::matches::{
    Contestant, ContestantEngine, MatchPlan, Opening, Openings, OpeningsError, PlanError, Progress, Records,
    RecordsError, RunError, TournamentReport,
};
use crate::arena::report::PlayedGames;
use crate::arena::report::page::{self, TrainingRun};
use crate::arena::stats::sprt::Sprt;
use crate::cli;
use crate::external::Timeouts;
use crate::game::Refusal;
use crate::record::disk;

pub(super) fn run(flags: &cli::Arena, board: &Board) -> Result<()> {
    if !flags.report.is_empty() {
        return report_again(flags, board);
    }
    if let Some(path) = &flags.write_openings {
        return write_openings(flags, board, path);
    }
    if flags.html.is_some() {
        let how = "play with --out GAMES, then --report GAMES --html PAGE";
        return Err(usage(format!("--html needs a report of played games: {how}")));
    }
    let plan = plan(flags, board)?;
    if let Some(path) = &flags.write_job {
        let text = plan.job().map_err(usage)?;
        ArenaJob::read(board.0.games(), text.as_bytes())
            .map_err(|error| usage(format!("--write-job: {error}")))?;
        return shards::write_job("--write-job", path, text.as_bytes(), flags.force);
    }
    let replaces = flags.out.as_ref().is_some_and(|path| flags.force.force && path.exists());
    if let Some(path) = flags.out.as_deref().filter(|_| replaces) {
        Records::clear(path).map_err(|error| failure(75, error))?;
    }
    let opened = flags.out.as_deref().map(|path| Records::open(path, &plan, flags.resume || replaces));
    let records = opened.transpose().map_err(|error| match error {
        RecordsError::Unreadable(..) | RecordsError::Unwritable(..) | RecordsError::Busy(_) => {
            failure(75, error)
        }
        RecordsError::Exists(file) => usage(format!(
            "--out {file}: the file already exists; add --resume to continue it, choose another name, or add --force to replace it"
        )),
        _ => usage(error),
    })?;
    warn_of_crowding(&plan);
    let mut display = Display::new(flags);
    let (report, done) = plan.run(records, &mut |progress| display.show(&progress));
    display.clear();
    let told = anchored(flags, report).and_then(|report| tell(flags, &report));
    // The reason for the end of the match says more than the forfeits.
    done.map_err(|error| match error {
        RunError::Io(error) => anyhow!(error).context("cannot write"),
        RunError::Records(error) => {
            let path = flags.out.as_ref().map(Refusal::shown_path).unwrap_or_default();
            let (why, code) = (disk::describe_io_error(&error), shards::TRY_AGAIN);
            let kept = "the earlier games are in the file; add --resume to continue";
            failure(code, format!("cannot write --out {path}: {why}; {kept}"))
        }
        error => failure(1, error),
    })?;
    told
}

/// Returns the report with the rating that is given.
fn anchored(flags: &cli::Arena, report: TournamentReport) -> Result<TournamentReport> {
    let Some(text) = flags.anchor.as_deref() else { return Ok(report) };
    let finite = |text: &str| text.parse().ok().filter(|elo: &f64| elo.is_finite());
    let (name, elo) = named::<f64>("anchor", text, finite, "gpl=1500")?;
    report.anchored(name, elo).map_err(|why| usage(format!("--anchor {text}: {why}")))
}

/// Prints a report; faults in it become an error.
fn tell(flags: &cli::Arena, report: &TournamentReport) -> Result<()> {
    write_out(if flags.json { json_line(&report.fields())? } else { report.in_words() })?;
    if report.forfeits() > 0 { Err(failure(1, "some games were forfeited")) } else { Ok(()) }
}

/// Reports the games of files, and writes their page where that is asked for.
fn report_again(flags: &cli::Arena, (entry, _): &Board) -> Result<()> {
    let (mut runs, mut matches) = (Vec::new(), Vec::new());
    for path in &flags.report {
        match TrainingRun::of_file(path) {
            Some(run) if flags.html.is_some() => runs.push(run),
            Some(_) => {
                let shown = Refusal::shown_path(path);
                return Err(usage(format!(
                    "--report {shown}: this is the log of a training run; use --html PAGE to draw it"
                )));
            }
            None => matches.push(path),
        }
    }
    if runs.len() > 1 {
        return Err(usage("--report: a page shows one training run only; give one log"));
    }
    let training = runs.first();
    let mut played = match &matches[..] {
        [] => None,
        files => Some(PlayedGames::of_files(files, entry.games()).map_err(|error| match error {
            RecordsError::Again(..) => {
                failure(1, format!("{error}; give each file once, and use another --seed for more games"))
            }
            error => failure(1, error),
        })?),
    };
    if let Some(played) = &mut played {
        played.report = anchored(flags, played.report.clone())?;
    }
    if let Some(path) = &flags.html {
        let shown = Refusal::shown_path(path);
        if path.as_os_str() == "-" {
            return Err(usage(
                "--html cannot write to standard output; name a file, such as --html match.html",
            ));
        }
        check_place("--html", path, flags.force)?;
        let page = match (&played, training) {
            (Some(played), _) if !played.report.has_pairs() => {
                return Err(failure(1, format!("--html {shown}: no pair of games is finished yet")));
            }
            (Some(played), training) => page::page(played, training).map_err(|error| failure(1, error))?,
            (None, Some(training)) => page::of_training(training, entry.games()),
            (None, None) => return Ok(()),
        };
        write_file("--html", path, &page, flags.force)?;
    }
    played.map_or(Ok(()), |played| tell(flags, &played.report))
}

/// Returns the match plan that the flags ask for.
fn plan(flags: &cli::Arena, (entry, variant): &Board) -> Result<MatchPlan> {
    let mut variant = variant.clone();
    if flags.swaps {
        variant.set("swap", "on");
    }
    let plan =
        MatchPlan::new(entry, &variant, &flags.engines, flags.openings.as_deref()).map_err(wrong_plan)?;
    let sprt = flags.sprt.as_deref().map(Sprt::read).transpose();
    let sprt = sprt.map_err(|error| usage(format!("--{error}")))?;
    let mut plan = MatchPlan {
        pairs: flags.pairs,
        sprt,
        seed: flags.seed,
        is_gauntlet: flags.gauntlet,
        patience: Timeouts { margin: Some(flags.margin), hang: flags.hang },
        max_plies: flags.max_plies,
        threads: flags.threads.map_or_else(|| (cpus() / 2).max(1), usize::from),
        ..plan
    };
    limit(&mut plan, "nodes", &flags.nodes, number, |limits| &mut limits.nodes)?;
    limit(&mut plan, "depth", &flags.depth, number, |limits| &mut limits.depth)?;
    limit(&mut plan, "movetime", &flags.movetime, duration, |limits| &mut limits.time)?;
    limit(&mut plan, "cpu-time", &flags.cpu_time, duration, |limits| &mut limits.cpu_time)?;
    for text in &flags.dir {
        let (name, folder) = named("dir", text, |text| Some(text.into()), "a=/tmp")?;
        change(&mut plan, "dir", text, name, |spec| spec.folder = Some(folder))?;
    }
    for text in &flags.setup {
        let (name, line) = named("setup", text, |text| Some(text.to_owned()), "a='param_game allow_swap 0'")?;
        change(&mut plan, "setup", text, name, |spec| spec.setup.push(line))?;
    }
    plan.check().map_err(wrong_plan)?;
    Ok(plan)
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{:?} is not a whole number, such as 1000", Refusal::shown(text)))
}

/// Returns the number of CPUs.
fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Warns of moves by time that have no CPU of their own.
fn warn_of_crowding(plan: &MatchPlan) {
    let (threads, processors, safe) = (plan.threads, cpus(), (cpus() / 2).max(1));
    let is_by_time = plan.engines.iter().any(|engine| engine.limits.or(plan.limits).time.is_some());
    if is_by_time && threads > safe {
        let why = "may distort the time per move; use at most --threads";
        // Without standard error the match is still played.
        let _ = writeln!(io::stderr(), "warning: {threads} parallel pairs on {processors} CPUs {why} {safe}");
    }
}

/// Reads `NAME=VALUE`.
fn named<'a, T>(
    flag: &str,
    text: &'a str,
    read: impl Fn(&'a str) -> Option<T>,
    example: &str,
) -> Result<(&'a str, T)> {
    let read = text.split_once('=').and_then(|(name, value)| Some((name, read(value)?)));
    read.ok_or_else(|| usage(format!("--{flag} {}: write it as --{flag} {example}", Refusal::shown(text))))
}

/// Returns the engine of this name, which a flag has in its value.
fn engine_mut<'a>(plan: &'a mut MatchPlan, flag: &str, text: &str, name: &str) -> Result<&'a mut Contestant> {
    let engine = plan.engine_mut(name);
    engine.map_err(|error| usage(format!("--{flag} {}: {error}", Refusal::shown(text))))
}

/// Returns the error of a plan with the flag that the wrong part belongs to.
pub(super) fn wrong_plan(error: impl Into<PlanError>) -> anyhow::Error {
    use OpeningsError::{Board, File, Unreadable};
    match error.into() {
        error @ (PlanError::Board(_)
        | PlanError::Unreadable(..)
        | PlanError::Contestant(..)
        | PlanError::Openings(Board(_) | File(..) | Unreadable(_))) => usage(format!("--{error}")),
        error @ PlanError::NoOpenings(_) => usage(format!("{error}; add --openings none")),
        error => usage(error),
    }
}

/// Sets a limit: that of the match, or that of one engine.
fn limit<T>(
    plan: &mut MatchPlan,
    flag: &'static str,
    texts: &[String],
    read: fn(&str) -> Result<T, String>,
    place: fn(&mut Limits) -> &mut Option<T>,
) -> Result<()> {
    for text in texts {
        let (name, value) = text.split_once('=').map_or((None, &**text), |(name, value)| (Some(name), value));
        let value = read(value).map_err(|why| usage(format!("--{flag}: {why}")))?;
        let limits = match name {
            None => &mut plan.limits,
            Some(name) => &mut engine_mut(plan, flag, text, name)?.limits,
        };
        if place(limits).replace(value).is_some() {
            return Err(usage(format!("--{flag} {} is given twice", Refusal::shown(text))));
        }
    }
    Ok(())
}

/// Changes how a program is started.
fn change(
    plan: &mut MatchPlan,
    flag: &'static str,
    text: &str,
    name: &str,
    change: impl FnOnce(&mut crate::thinking::ExternalProgram),
) -> Result<()> {
    let ContestantEngine::Program(spec) = &mut engine_mut(plan, flag, text, name)?.player else {
        return Err(usage(format!("--{flag} is for external engines, but {name} is a built-in one")));
    };
    change(Arc::make_mut(spec));
    Ok(())
}

/// Writes a list of openings, none twice.
fn write_openings(flags: &cli::Arena, (entry, variant): &Board, path: &Path) -> Result<()> {
    let text = flags.openings.as_deref();
    check_place("--write-openings", path, flags.force)?;
    let openings = Openings::list_of(entry, variant, text, flags.seed, flags.pairs).map_err(wrong_plan)?;
    let lines: Vec<String> = openings.iter().map(Opening::to_string).collect();
    let how = text.unwrap_or("default openings");
    let (count, title, seed) = (openings.len(), entry.title, flags.seed);
    let text = format!("# {count} openings of {title}, {how}, seed {seed}\n{}\n", lines.join("\n"));
    if (count as u64) < flags.pairs {
        // Without standard error the file still shows it.
        let _ = writeln!(io::stderr(), "only {count} different openings were found");
    }
    write_file("--write-openings", path, &text, flags.force)
}

/// Number of lines of a program's last notes that are shown with its fault.
const LAST_NOTES: usize = 10;

/// Display of a match's progress: a bar on a terminal, lines elsewhere.
struct Display {
    lines: Option<Box<dyn Write>>,
    bar: Option<Bar>,
}

impl Display {
    fn new(flags: &cli::Arena) -> Self {
        let is_seen = !flags.quiet && io::stdout().is_terminal() && Bar::is_seen();
        let lines: Option<Box<dyn Write>> = match (flags.quiet || is_seen, flags.json) {
            (true, _) => None,
            (false, true) => Some(Box::new(io::stderr())),
            (false, false) => Some(Box::new(io::stdout())),
        };
        Display { lines, bar: is_seen.then(Bar::new) }
    }

    fn show(&mut self, progress: &Progress<'_>) -> io::Result<()> {
        match progress {
            Progress::Pair { line, counted } => {
                if let Some(bar) = &mut self.bar {
                    let [done, all, _] = *counted;
                    return bar.show(*counted, &format!("{done} of {all} pairs"));
                }
                self.lines.as_mut().map_or(Ok(()), |lines| writeln!(lines, "{line}"))
            }
            Progress::Forfeit(name, forfeit) => {
                self.clear();
                let notes: Vec<&str> = forfeit.notes.lines().collect();
                let last = notes[notes.len().saturating_sub(LAST_NOTES)..].iter();
                let last = last.map(|line| format!("\n  {}", Refusal::shown_path(line))).collect::<Vec<_>>();
                let (said, reason) = (&forfeit.said, forfeit.reason.name());
                writeln!(io::stderr(), "{name}: {said} ({reason}){}", last.concat())
            }
        }
    }

    /// Removes the bar.
    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.clear();
        }
    }
}
