//! Command `crosspath arena`: plays matches between engines and reports on them.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Result, anyhow};

use super::progress::ProgressBar;
use super::{
    RequestedBoard, check_output_path, failure_with_code, shards, to_json_line, usage_error,
    write_output_file, write_stdout,
};
use crate::ai::{Limits, parse_duration};
use crate::arena::jobs::ArenaJob;
use crate::arena::matches::{
    Contestant, ContestantEngine, GamesFileError, GamesFileWriter, MatchError, MatchPlan, MatchPlanError,
    MatchProgress, Opening, Openings, OpeningsError, TournamentReport,
};
use crate::arena::report::PlayedGames;
use crate::arena::report::page::{self, TrainingRun};
use crate::arena::stats::sprt::Sprt;
use crate::cli;
use crate::external::EngineTimeouts;
use crate::game::Refusal;
use crate::record::disk;

/// Runs `crosspath arena`.
pub(super) fn run_arena_command(flags: &cli::ArenaArgs, board: &RequestedBoard) -> Result<()> {
    if !flags.report.is_empty() {
        return report_recorded_games(flags, board);
    }
    if let Some(path) = &flags.write_openings {
        return write_openings_file(flags, board, path);
    }
    if flags.html.is_some() {
        let how = "play with --out GAMES, then --report GAMES --html PAGE";
        return Err(usage_error(format!("--html needs a report of played games: {how}")));
    }
    let plan = build_match_plan(flags, board)?;
    if let Some(path) = &flags.write_job {
        let text = plan.to_job_json().map_err(usage_error)?;
        ArenaJob::parse(board.0.game_list(), text.as_bytes())
            .map_err(|error| usage_error(format!("--write-job: {error}")))?;
        return shards::write_job_file("--write-job", path, text.as_bytes(), flags.force);
    }
    let replaces = flags.out.as_ref().is_some_and(|path| flags.force.force && path.exists());
    if let Some(path) = flags.out.as_deref().filter(|_| replaces) {
        GamesFileWriter::clear(path).map_err(|error| failure_with_code(75, error))?;
    }
    let opened =
        flags.out.as_deref().map(|path| GamesFileWriter::open(path, &plan, flags.resume || replaces));
    let records = opened.transpose().map_err(|error| match error {
        GamesFileError::Unreadable(..) | GamesFileError::Unwritable(..) | GamesFileError::Busy(_) => {
            failure_with_code(75, error)
        }
        GamesFileError::Exists(file) => usage_error(format!(
            "--out {file}: the file already exists; add --resume to continue it, choose another name, or add --force to replace it"
        )),
        _ => usage_error(error),
    })?;
    warn_if_cpus_are_short(&plan);
    let mut display = MatchProgressDisplay::new(flags);
    let (report, done) = plan.run(records, &mut |progress| display.show_progress(&progress));
    display.clear_bar();
    let told = anchor_ratings(flags, report).and_then(|report| print_tournament_report(flags, &report));
    // An error that ended the match takes precedence over forfeits.
    done.map_err(|error| match error {
        MatchError::Io(error) => anyhow!(error).context("cannot write"),
        MatchError::Records(error) => {
            let path = flags.out.as_ref().map(Refusal::sanitize_path).unwrap_or_default();
            let (why, code) = (disk::describe_io_error(&error), shards::TRY_AGAIN_EXIT_CODE);
            let kept = "the earlier games are in the file; add --resume to continue";
            failure_with_code(code, format!("cannot write --out {path}: {why}; {kept}"))
        }
        error => failure_with_code(1, error),
    })?;
    told
}

/// Returns the report with its ratings shifted to the given anchor.
fn anchor_ratings(flags: &cli::ArenaArgs, report: TournamentReport) -> Result<TournamentReport> {
    let Some(text) = flags.anchor.as_deref() else { return Ok(report) };
    let finite = |text: &str| text.parse().ok().filter(|elo: &f64| elo.is_finite());
    let (name, elo) = parse_named_value::<f64>("anchor", text, finite, "gpl=1500")?;
    report.with_anchor(name, elo).map_err(|why| usage_error(format!("--anchor {text}: {why}")))
}

/// Prints a report, and returns an error if games were forfeited.
fn print_tournament_report(flags: &cli::ArenaArgs, report: &TournamentReport) -> Result<()> {
    write_stdout(if flags.json { to_json_line(&report.to_json_fields())? } else { report.to_text() })?;
    if report.forfeit_count() > 0 { Err(failure_with_code(1, "some games were forfeited")) } else { Ok(()) }
}

/// Reports on the games in existing files, and writes the HTML page if requested.
fn report_recorded_games(flags: &cli::ArenaArgs, (entry, _): &RequestedBoard) -> Result<()> {
    let (mut runs, mut matches) = (Vec::new(), Vec::new());
    for path in &flags.report {
        match TrainingRun::load_log(path) {
            Some(run) if flags.html.is_some() => runs.push(run),
            Some(_) => {
                let shown = Refusal::sanitize_path(path);
                return Err(usage_error(format!(
                    "--report {shown}: this is the log of a training run; use --html PAGE to draw it"
                )));
            }
            None => matches.push(path),
        }
    }
    if runs.len() > 1 {
        return Err(usage_error("--report: a page shows one training run only; give one log"));
    }
    let training = runs.first();
    let mut played = match &matches[..] {
        [] => None,
        files => Some(PlayedGames::load_files(files, entry.game_list()).map_err(|error| match error {
            GamesFileError::DuplicatePair(..) => failure_with_code(
                1,
                format!("{error}; give each file once, and use another --seed for more games"),
            ),
            error => failure_with_code(1, error),
        })?),
    };
    if let Some(played) = &mut played {
        played.report = anchor_ratings(flags, played.report.clone())?;
    }
    if let Some(path) = &flags.html {
        let shown = Refusal::sanitize_path(path);
        if path.as_os_str() == "-" {
            return Err(usage_error(
                "--html cannot write to standard output; name a file, such as --html match.html",
            ));
        }
        check_output_path("--html", path, flags.force)?;
        let page = match (&played, training) {
            (Some(played), _) if !played.report.has_counted_pairs() => {
                return Err(failure_with_code(
                    1,
                    format!("--html {shown}: no pair of games is finished yet"),
                ));
            }
            (Some(played), training) => {
                page::render_match_page(played, training).map_err(|error| failure_with_code(1, error))?
            }
            (None, Some(training)) => page::render_training_page(training, entry.game_list()),
            (None, None) => return Ok(()),
        };
        write_output_file("--html", path, &page, flags.force)?;
    }
    played.map_or(Ok(()), |played| print_tournament_report(flags, &played.report))
}

/// Builds the match plan that the flags request.
fn build_match_plan(flags: &cli::ArenaArgs, (entry, variant): &RequestedBoard) -> Result<MatchPlan> {
    let mut variant = variant.clone();
    if flags.swaps {
        variant.set_setting("swap", "on");
    }
    let plan =
        MatchPlan::new(entry, &variant, &flags.engines, flags.openings.as_deref()).map_err(plan_error)?;
    let sprt = flags.sprt.as_deref().map(Sprt::parse).transpose();
    let sprt = sprt.map_err(|error| usage_error(format!("--{error}")))?;
    let mut plan = MatchPlan {
        pairs: flags.pairs,
        sprt,
        seed: flags.seed,
        is_gauntlet: flags.gauntlet,
        timeouts: EngineTimeouts { margin: Some(flags.margin), hang: flags.hang },
        max_plies: flags.max_plies,
        threads: flags.threads.map_or_else(|| (count_cpus() / 2).max(1), usize::from),
        ..plan
    };
    set_search_limit(&mut plan, "nodes", &flags.nodes, parse_whole_number, |limits| &mut limits.nodes)?;
    set_search_limit(&mut plan, "depth", &flags.depth, parse_whole_number, |limits| &mut limits.depth)?;
    set_search_limit(&mut plan, "movetime", &flags.movetime, parse_duration, |limits| &mut limits.time)?;
    set_search_limit(&mut plan, "cpu-time", &flags.cpu_time, parse_duration, |limits| &mut limits.cpu_time)?;
    for text in &flags.dir {
        let (name, folder) = parse_named_value("dir", text, |text| Some(text.into()), "a=/tmp")?;
        change_external_engine(&mut plan, "dir", text, name, |spec| spec.folder = Some(folder))?;
    }
    for text in &flags.setup {
        let (name, line) =
            parse_named_value("setup", text, |text| Some(text.to_owned()), "a='param_game allow_swap 0'")?;
        change_external_engine(&mut plan, "setup", text, name, |spec| spec.setup.push(line))?;
    }
    plan.validate().map_err(plan_error)?;
    Ok(plan)
}

/// Parses a whole number.
fn parse_whole_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("{:?} is not a whole number, such as 1000", Refusal::sanitize_excerpt(text)))
}

/// Returns the number of CPUs.
fn count_cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Prints a warning if engines with time limits have to share CPUs.
fn warn_if_cpus_are_short(plan: &MatchPlan) {
    let (threads, cpus, safe) = (plan.threads, count_cpus(), (count_cpus() / 2).max(1));
    let is_by_time =
        plan.engines.iter().any(|engine| engine.limits.or_if_unlimited(plan.limits).time.is_some());
    if is_by_time && threads > safe {
        let why = "may distort the time per move; use at most --threads";
        // Without standard error the match is still played.
        let _ = writeln!(io::stderr(), "warning: {threads} parallel pairs on {cpus} CPUs {why} {safe}");
    }
}

/// Parses `NAME=VALUE`.
fn parse_named_value<'a, T>(
    flag: &str,
    text: &'a str,
    read: impl Fn(&'a str) -> Option<T>,
    example: &str,
) -> Result<(&'a str, T)> {
    let read = text.split_once('=').and_then(|(name, value)| Some((name, read(value)?)));
    read.ok_or_else(|| {
        usage_error(format!("--{flag} {}: write it as --{flag} {example}", Refusal::sanitize_excerpt(text)))
    })
}

/// Returns the engine that the value of a flag names.
fn find_engine_mut<'a>(
    plan: &'a mut MatchPlan,
    flag: &str,
    text: &str,
    name: &str,
) -> Result<&'a mut Contestant> {
    let engine = plan.engine_mut(name);
    engine.map_err(|error| usage_error(format!("--{flag} {}: {error}", Refusal::sanitize_excerpt(text))))
}

/// Converts an error of a match plan, adding the flag that caused it.
pub(super) fn plan_error(error: impl Into<MatchPlanError>) -> anyhow::Error {
    use OpeningsError::{Board, File, Unreadable};
    match error.into() {
        error @ (MatchPlanError::Board(_)
        | MatchPlanError::Unreadable(..)
        | MatchPlanError::Contestant(..)
        | MatchPlanError::Openings(Board(_) | File(..) | Unreadable(_))) => usage_error(format!("--{error}")),
        error @ MatchPlanError::NoOpenings(_) => usage_error(format!("{error}; add --openings none")),
        error => usage_error(error),
    }
}

/// Sets a search limit of the match or of one engine.
fn set_search_limit<T>(
    plan: &mut MatchPlan,
    flag: &'static str,
    texts: &[String],
    read: fn(&str) -> Result<T, String>,
    place: fn(&mut Limits) -> &mut Option<T>,
) -> Result<()> {
    for text in texts {
        let (name, value) = text.split_once('=').map_or((None, &**text), |(name, value)| (Some(name), value));
        let value = read(value).map_err(|why| usage_error(format!("--{flag}: {why}")))?;
        let limits = match name {
            None => &mut plan.limits,
            Some(name) => &mut find_engine_mut(plan, flag, text, name)?.limits,
        };
        if place(limits).replace(value).is_some() {
            return Err(usage_error(format!("--{flag} {} is given twice", Refusal::sanitize_excerpt(text))));
        }
    }
    Ok(())
}

/// Changes how an external engine is started.
fn change_external_engine(
    plan: &mut MatchPlan,
    flag: &'static str,
    text: &str,
    name: &str,
    change: impl FnOnce(&mut crate::thinking::ExternalProgram),
) -> Result<()> {
    let ContestantEngine::Program(spec) = &mut find_engine_mut(plan, flag, text, name)?.player else {
        return Err(usage_error(format!("--{flag} is for external engines, but {name} is a built-in one")));
    };
    change(Arc::make_mut(spec));
    Ok(())
}

/// Writes a list of distinct openings.
fn write_openings_file(flags: &cli::ArenaArgs, (entry, variant): &RequestedBoard, path: &Path) -> Result<()> {
    let text = flags.openings.as_deref();
    check_output_path("--write-openings", path, flags.force)?;
    let openings =
        Openings::distinct_openings(entry, variant, text, flags.seed, flags.pairs).map_err(plan_error)?;
    let lines: Vec<String> = openings.iter().map(Opening::to_string).collect();
    let how = text.unwrap_or("default openings");
    let (count, title, seed) = (openings.len(), entry.title, flags.seed);
    let text = format!("# {count} openings of {title}, {how}, seed {seed}\n{}\n", lines.join("\n"));
    if (count as u64) < flags.pairs {
        // Without standard error the file still shows it.
        let _ = writeln!(io::stderr(), "only {count} different openings were found");
    }
    write_output_file("--write-openings", path, &text, flags.force)
}

/// Maximum number of lines of an engine's standard error that are shown with a forfeit.
const MAX_STDERR_LINES: usize = 10;

/// Display of a match's progress: a bar on a terminal, lines elsewhere.
struct MatchProgressDisplay {
    lines: Option<Box<dyn Write>>,
    bar: Option<ProgressBar>,
}

impl MatchProgressDisplay {
    /// Creates the display that the flags request.
    fn new(flags: &cli::ArenaArgs) -> Self {
        let is_seen = !flags.quiet && io::stdout().is_terminal() && ProgressBar::is_visible();
        let lines: Option<Box<dyn Write>> = match (flags.quiet || is_seen, flags.json) {
            (true, _) => None,
            (false, true) => Some(Box::new(io::stderr())),
            (false, false) => Some(Box::new(io::stdout())),
        };
        MatchProgressDisplay { lines, bar: is_seen.then(ProgressBar::new) }
    }

    /// Shows a finished pair of games or a forfeit.
    fn show_progress(&mut self, progress: &MatchProgress<'_>) -> io::Result<()> {
        match progress {
            MatchProgress::Pair { line, counted } => {
                if let Some(bar) = &mut self.bar {
                    let [done, all, _] = *counted;
                    return bar.show(*counted, &format!("{done} of {all} pairs"));
                }
                self.lines.as_mut().map_or(Ok(()), |lines| writeln!(lines, "{line}"))
            }
            MatchProgress::Forfeit(name, forfeit) => {
                self.clear_bar();
                let notes: Vec<&str> = forfeit.notes.lines().collect();
                let last = notes[notes.len().saturating_sub(MAX_STDERR_LINES)..].iter();
                let last =
                    last.map(|line| format!("\n  {}", Refusal::sanitize_path(line))).collect::<Vec<_>>();
                let (said, reason) = (&forfeit.said, forfeit.reason.name());
                writeln!(io::stderr(), "{name}: {said} ({reason}){}", last.concat())
            }
        }
    }

    /// Removes the progress bar.
    fn clear_bar(&self) {
        if let Some(bar) = &self.bar {
            bar.clear();
        }
    }
}
