//! `crosspath review`: reviews a whole game as the command `review` does in a match, without a
//! person.

mod page;

use std::io;

use anyhow::{Context, Result};

use super::picture::whole_game;
use super::progress::Bar;
use super::{Board, bad_file, check_place, failure, level, usage, write_file, write_out};
use crate::cli;
use crate::game::Refusal;
use crate::messages;
use crate::play::{
    AfterEnd, Answer, Command, Event, Leaving, Match, Mode, MoveFile, NewGame, Reply, Reviewer, Rules,
};
use crate::record::{GameRecord, NodeId};
use crate::text;
use crate::text::join;
use crate::thinking;
use crate::ui::{self, FrontEnd, Inbox, Incoming, Next, json};

pub(super) fn run(asked: &cli::Review, (entry, variant): Board) -> Result<()> {
    if let Some(path) = &asked.html {
        check_place("--html", path, asked.force)?;
    }
    let record =
        whole_game(&asked.file, asked.game.is_some(), asked.game_number, (entry, variant.studied()))?;
    let start = record.start.position().map_err(|error| usage(error.as_flag()))?;
    let level = level(asked.level.as_ref(), &start.levels())?;
    let remarks = record.remarks.clone();
    let game = reviewed(record, Reviewer { level, limits: asked.limits.into() })?;
    let page = asked.html.as_ref().map(|path| (path, page::page(game.game(), &remarks)));
    if asked.json {
        write_out(json::review_lines(game.game()).join("\n") + "\n")?;
    } else {
        write_out(in_lines(&game))?;
    }
    let Some((path, page)) = page else { return Ok(()) };
    write_file("--html", path, &page, asked.force)?;
    if asked.json { Ok(()) } else { write_out(format!("Saved as {}.\n", Refusal::shown_path(path))) }
}

/// Returns the moves with their win chances, marks and better moves, then the summary.
fn in_lines(game: &Match) -> String {
    let game = game.game();
    let head = text!("{}. Win chances after each move:", game.position(NodeId::ROOT).view().title());
    let end = [messages::marks_of_sides(game)];
    let lines = [vec![head], messages::reviewed_moves(game), messages::verdict(game), end.to_vec()].concat();
    join(lines, "\n").into_string() + "\n"
}

/// Reviews a game to its end.
///
/// # Errors
/// If there is nothing to review, or the engine fails.
pub(super) fn reviewed(record: GameRecord, reviewer: Reviewer) -> Result<Match> {
    let spec = NewGame { mode: Mode::Replay, ..NewGame::on(record.start.clone()) };
    let rules = Rules { after_end: AfterEnd::Stay, reviewer, ..Rules::default() };
    let file = MoveFile { path: String::new(), record: Box::new(record) };
    let mut game = Match::new(rules, spec, Some(file)).map_err(|error| usage(error.as_flag()))?;
    let mut front = Reviewing { bar: Bar::is_seen().then(Bar::new), ..Reviewing::default() };
    let leaving = ui::run(&mut game, &mut front, None, None, &Inbox::default(), None, thinking::machines());
    if let Some(bar) = &front.bar {
        bar.clear();
    }
    match (leaving.context("cannot continue")?, front.refused) {
        (Leaving::Failed(why), _) => Err(failure(1, why)),
        (_, Some(why)) => Err(why),
        _ => Ok(game),
    }
}

/// A front end that asks for the review and waits for its end.
#[derive(Default)]
struct Reviewing {
    is_asked: bool,
    is_done: bool,
    refused: Option<anyhow::Error>,
    bar: Option<Bar>,
}

impl FrontEnd for Reviewing {
    fn hear(&mut self, game: &Match, events: &[Event]) -> io::Result<()> {
        for event in events {
            match event {
                Event::Replied(Reply { answer: Answer::Reviewed, .. }) => self.is_done = true,
                Event::Refused(refusal) => {
                    self.refused = Some(bad_file(messages::refusal(game, refusal).text.without_full_stop()));
                }
                Event::Fault(fault) => self.refused = Some(failure(1, messages::fault(fault).text)),
                _ => {}
            }
        }
        if let (Some(bar), Some((done, all))) = (&mut self.bar, game.game().review_progress()) {
            // Without standard error nobody misses it.
            let _ = bar.show([done as u64, all as u64, 0], &format!("{done} of {all} positions"));
        }
        Ok(())
    }

    fn next(&mut self, _game: &Match, inbox: &Inbox) -> io::Result<Next> {
        if !self.is_asked {
            self.is_asked = true;
            return Ok(Next::Do(Command::Review));
        }
        if self.is_done || self.refused.is_some() {
            return Ok(Next::Do(Command::Leave));
        }
        loop {
            if let Some(Incoming::News(news)) = inbox.wait(None) {
                return Ok(Next::News(news));
            }
        }
    }
}
