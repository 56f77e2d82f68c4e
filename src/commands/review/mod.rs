//! Command `crosspath review`: reviews a whole game, like the command `review` in a match.

mod page;

use std::io;

use anyhow::{Context, Result};

use super::picture::read_whole_game;
use super::progress::ProgressBar;
use super::{
    RequestedBoard, bad_file_error, check_output_path, failure_with_code, parse_level_flag, usage_error,
    write_output_file, write_stdout,
};
use crate::cli;
use crate::game::Refusal;
use crate::messages;
use crate::play::{
    AfterGameEnd, Command, CommandAnswer, CommandReply, GameMode, LeaveReason, Match, MatchEvent, MatchFault,
    MatchRules, MoveFile, NewGame, ReviewEngine,
};
use crate::record::{GameRecord, NodeId};
use crate::text;
use crate::text::join_texts;
use crate::thinking;
use crate::ui::{self, FrontEnd, Inbox, LoopEvent, NextStep, json};

/// Runs `crosspath review`.
pub(super) fn run_review_command(asked: &cli::ReviewArgs, (entry, variant): RequestedBoard) -> Result<()> {
    if let Some(path) = &asked.html {
        check_output_path("--html", path, asked.force)?;
    }
    let record =
        read_whole_game(&asked.file, asked.game.is_some(), asked.game_number, (entry, variant.for_study()))?;
    let start = record.start.position().map_err(|error| usage_error(error.to_flag_message()))?;
    let level = parse_level_flag(asked.level.as_ref(), &start.levels())?;
    let remarks = record.remarks.clone();
    let game = review_game(record, ReviewEngine { level, limits: asked.limits.into() })?;
    let page = asked.html.as_ref().map(|path| (path, page::render_review_page(game.game(), &remarks)));
    if asked.json {
        write_stdout(json::review_to_json_lines(game.game()).join("\n") + "\n")?;
    } else {
        write_stdout(render_review_text(&game))?;
    }
    let Some((path, page)) = page else { return Ok(()) };
    write_output_file("--html", path, &page, asked.force)?;
    if asked.json { Ok(()) } else { write_stdout(format!("Saved as {}.\n", Refusal::sanitize_path(path))) }
}

/// Renders the moves with their win chances, marks and better moves, then the summary.
fn render_review_text(game: &Match) -> String {
    let game = game.game();
    let head = text!("{}. Win chances after each move:", game.position(NodeId::ROOT).view().title());
    let end = [messages::format_mark_counts(game)];
    let lines =
        [vec![head], messages::list_reviewed_moves(game), messages::summarize_review(game), end.to_vec()]
            .concat();
    join_texts(lines, "\n").into_string() + "\n"
}

/// Reviews a whole game.
///
/// # Errors
/// Returns an error if there is nothing to review, or the engine fails.
pub(super) fn review_game(record: GameRecord, reviewer: ReviewEngine) -> Result<Match> {
    let spec = NewGame { mode: GameMode::Replay, ..NewGame::from_start(record.start.clone()) };
    let rules = MatchRules { after_end: AfterGameEnd::Stay, reviewer, ..MatchRules::default() };
    let file = MoveFile { path: String::new(), record: Box::new(record) };
    let mut game =
        Match::new(rules, spec, Some(file)).map_err(|error| usage_error(error.to_flag_message()))?;
    let mut front =
        ReviewFrontEnd { bar: ProgressBar::is_visible().then(ProgressBar::new), ..ReviewFrontEnd::default() };
    let leaving = ui::run_match(
        &mut game,
        &mut front,
        None,
        None,
        &Inbox::default(),
        None,
        thinking::builtin_engine_factory(),
    );
    if let Some(bar) = &front.bar {
        bar.clear();
    }
    match (leaving.context("cannot continue")?, front.refused) {
        (LeaveReason::Failed(why), _) => Err(failure_with_code(1, why)),
        (_, Some(why)) => Err(why),
        _ => Ok(game),
    }
}

/// Front end that requests the review and waits for its end.
#[derive(Default)]
struct ReviewFrontEnd {
    is_asked: bool,
    is_done: bool,
    refused: Option<anyhow::Error>,
    bar: Option<ProgressBar>,
}

impl FrontEnd for ReviewFrontEnd {
    fn show_events(&mut self, game: &Match, events: &[MatchEvent]) -> io::Result<()> {
        for event in events {
            match event {
                MatchEvent::Replied(CommandReply { answer: CommandAnswer::Reviewed, .. }) => {
                    self.is_done = true;
                }
                MatchEvent::Refused(refusal) => {
                    self.refused = Some(bad_file_error(
                        messages::describe_refusal(game, refusal).text.without_full_stop(),
                    ));
                }
                // Notes on the file have been printed already.
                MatchEvent::Fault(MatchFault::Dropped(..)) => {}
                MatchEvent::Fault(fault) => {
                    self.refused = Some(failure_with_code(1, messages::describe_fault(fault).text));
                }
                _ => {}
            }
        }
        if let (Some(bar), Some((done, all))) = (&mut self.bar, game.game().review_progress()) {
            // A failed write to standard error is ignored.
            let _ = bar.show([done as u64, all as u64, 0], &format!("{done} of {all} positions"));
        }
        Ok(())
    }

    fn next_step(&mut self, _game: &Match, inbox: &Inbox) -> io::Result<NextStep> {
        if !self.is_asked {
            self.is_asked = true;
            return Ok(NextStep::Do(Command::Review));
        }
        if self.is_done || self.refused.is_some() {
            return Ok(NextStep::Do(Command::Leave));
        }
        loop {
            if let Some(LoopEvent::News(news)) = inbox.wait_until(None) {
                return Ok(NextStep::News(news));
            }
        }
    }
}
