//! The status line: the last thing said, or what the player can do now.

use super::key_table::Action;
use super::layout::layout;
use super::panels;
use super::scene::{LAST_LETTER, Phase, Scene};
use super::screen::Remark;
use crate::messages;
use crate::messages::screen::{self as sentences, FileEnd};
use crate::play::{Answer, DeadEnd, Event, Match, Moved, Reply};
use crate::text;
use crate::text::columns::{width, wrap};
use crate::text::{Text, join};

impl Scene<'_> {
    /// Whether the status line has room for a text.
    pub(super) fn fits(&self, text: &str) -> bool {
        let Some(shown) = self.shown() else { return true };
        let status = layout(shown, self.size).status;
        wrap(text, usize::from(status.width.saturating_sub(2))).len() <= usize::from(status.height.max(1))
    }

    /// Whether the status line answers what the player has asked for.
    pub(super) fn is_answered(&self) -> bool {
        match &self.prompt.remark {
            Remark::Own(_) | Remark::No(_) | Remark::Again(_) => true,
            Remark::Invitation => false,
            Remark::Match => self.game.is_some_and(|game| {
                let is_answer = |event: &Event| {
                    use Event::{Fault, FellBack, Refused, Replied};
                    matches!(event, Replied(_) | Refused(_) | Fault(_) | FellBack(_))
                };
                game.said().iter().any(is_answer) || game.game().stuck().is_some()
            }),
        }
    }

    /// Whether the status line says that something cannot be done, or has gone wrong.
    pub(super) fn is_refused(&self) -> bool {
        let is_no = |event: &Event| matches!(event, Event::Refused(_) | Event::Fault(_) | Event::FellBack(_));
        match &self.prompt.remark {
            Remark::No(_) => true,
            Remark::Match => self.game.is_some_and(|game| game.said().iter().any(is_no)),
            _ => false,
        }
    }

    /// The status line: the last thing said, or what the player can do now.
    pub fn status_line(&self) -> Text {
        let said = match &self.prompt.remark {
            Remark::Own(text) | Remark::No(text) => Some(text.clone()),
            Remark::Again(Action::Resign) => Some(sentences::resigning()),
            Remark::Again(_) => Some(sentences::taking_over()),
            Remark::Invitation => None,
            Remark::Match => self.said_in_words(),
        };
        said.filter(|text| !text.is_empty()).unwrap_or_else(|| self.invitation())
    }

    /// What has happened last in the match, in one line; `None` where that is seen on the board.
    fn said_in_words(&self) -> Option<Text> {
        let game = self.game?;
        match game.said().last()? {
            // What is thought about says more than what came before.
            Event::Started | Event::Moved(_) | Event::Present(_) if game.is_thinking() => {
                self.news(game).or_else(|| fallback_in_words(game))
            }
            Event::Moved(_) if game.game().is_record() => Some(self.step_in_words()),
            Event::Moved(moved) => {
                let moved = self.moved_in_words(game, moved);
                let Some(said) = fallback_in_words(game) else { return Some(moved) };
                let all = text!("{said} {moved}");
                Some(if self.fits(&all) { all } else { said })
            }
            Event::Ended(_) => Some(self.end_in_words(game)),
            Event::Shown(_) => None,
            Event::Started | Event::Present(_) => {
                let begins = game.said().iter().any(|event| matches!(event, Event::Started));
                // What is wrong with a file comes first, before it is seen.
                if let Some(stuck) = game.game().stuck().filter(|_| begins) {
                    return Some(sentences::breaks_off(&messages::fault_of_file(stuck)));
                }
                let said = self.replies_in_words(game)?;
                if !begins || self.is_watched() || game.said().iter().any(is_loaded) {
                    return Some(said);
                }
                let all = [self.invitation(), self.whose_turn()].map(|next| text!("{said} {next}"));
                all.into_iter().find(|all| self.fits(all)).or(Some(said))
            }
            _ => self.replies_in_words(game),
        }
    }

    /// A move of an engine, for those who look at another position meanwhile.
    fn news(&self, game: &Match) -> Option<Text> {
        let moved = game.said().iter().rev().find_map(|event| match event {
            Event::Moved(moved) if self.is_looking() => Some(moved),
            _ => None,
        })?;
        Some(self.moved_in_words(game, moved))
    }

    /// The answers, refusals and faults among what was said last.
    fn replies_in_words(&self, game: &Match) -> Option<Text> {
        let said = game.said().iter().filter_map(|event| match event {
            Event::Replied(Reply { answer: Answer::Looking, .. }) => None,
            // The last position of a file is one like the others.
            Event::Replied(Reply { answer: Answer::BackToPresent, .. }) if game.game().is_record() => None,
            Event::Replied(reply @ Reply { answer: Answer::BackToPresent, .. }) => {
                let lines = messages::reply(game, reply, self.looks.wording());
                let next = match self.is_stopped() {
                    true => sentences::runs_by_itself(false),
                    false if self.is_over() => Text::new(),
                    false => self.whose_turn(),
                };
                Some(text!("{} {next}", join(lines, " ")).trimmed())
            }
            // The panel has the rest.
            Event::Replied(reply @ Reply { answer: Answer::Reviewed, .. }) => {
                messages::reply(game, reply, self.looks.wording()).pop()
            }
            Event::Replied(reply) => {
                let lines = messages::reply(game, reply, self.looks.wording());
                (lines.len() == 1 || is_loaded(event)).then(|| join(lines, " "))
            }
            Event::Refused(refusal) => Some(messages::refusal(game, refusal).text),
            Event::Fault(fault) => Some(messages::fault(fault).text),
            Event::FellBack(fallback) => Some(fallback.why.text.clone()),
            _ => None,
        });
        let said: Vec<Text> = said.collect();
        (!said.is_empty()).then(|| join(said, " "))
    }

    fn moved_in_words(&self, game: &Match, moved: &Moved) -> Text {
        let position = game.game().position(moved.node);
        let text = position.last().unwrap_or_default();
        let said = sentences::played(&**position, position.to_move().other(), &text);
        let is_word = position.named_moves().iter().any(|(name, _)| *name == text);
        match messages::notice(game, moved) {
            _ if self.is_looking() => text!("{said} {}", self.step_in_words()),
            Some(notice) if is_word => notice,
            Some(notice) => text!("{said} {notice}"),
            None if self.is_stopped() => text!("{said} {}", sentences::runs_by_itself(false)),
            None if position.outcome().is_some() || self.is_watched() => said,
            None => text!("{said} {}", self.whose_turn()),
        }
    }

    fn end_in_words(&self, game: &Match) -> Text {
        let result = messages::short_result(&**game.present_position(), self.you(), self.looks.glyphs);
        let Some(result) = result else { return Text::new() };
        let offers = match (game.game().is_record(), self.is_watched()) {
            (true, _) => &sentences::after_a_record(),
            (false, true) => &sentences::after_a_watched_end(),
            (false, false) => &sentences::after_the_end(),
        };
        let room = usize::from(self.size.0).saturating_sub(2);
        let mut whole = offers.iter().map(|offer| text!("{result} {offer}"));
        whole.find(|text| width(text) <= room).unwrap_or(result)
    }

    /// What the player can do now.
    pub(super) fn invitation(&self) -> Text {
        let Some(present) = self.present() else { return Text::new() };
        match self.phase() {
            Phase::Advising => sentences::looking_for_advice(),
            _ if self.game.is_some_and(|game| game.game().review_progress().is_some()) => {
                sentences::judges(self.drawing.studies && panels::hides_engine(self))
            }
            _ if self.is_looking() => self.step_in_words(),
            Phase::Thinking => {
                let last = present.last().filter(|_| !self.is_watched());
                let is_program = self.game.is_some_and(Match::is_program_thinking);
                sentences::thinks(present.side_name(present.to_move()), last.as_deref(), is_program)
            }
            Phase::Asking if self.is_stopped() => sentences::runs_by_itself(false),
            Phase::Asking if self.is_watched() => self.step_in_words(),
            Phase::Asking if present.outcome().is_some() => sentences::is_over(),
            Phase::Asking if self.you().is_some_and(|you| you != present.to_move()) => Text::new(),
            Phase::Asking => {
                let is_key = |letter: char| letter > LAST_LETTER && letter.is_ascii_lowercase();
                let is_cell = |text: &String| text.ends_with(|c: char| c.is_ascii_digit());
                let canvas = present.canvas(self.paint_options(present, 0));
                let mut places = canvas.spots().iter().map(|spot| &spot.text);
                let colon = match places.find(|text| text.starts_with(is_key) && is_cell(text)) {
                    _ if self.looks.habits.has_vi_keys => {
                        sentences::colon_before_all(&present.view().sample())
                    }
                    Some(cell) => sentences::colon_first(cell),
                    None => String::new(),
                };
                let typing = present.view().typing();
                let whole = text!("{} {typing} {colon}", self.whose_turn()).trimmed();
                let status = layout(present, self.size).status;
                // In a narrow window the title alone says whose turn it is: an example is worth more when it is whole.
                let fits = |text: &str| width(text) + 2 <= status.width.into();
                let is_cut = status.height == 1 && !fits(&whole) && self.taking_over().is_none();
                if is_cut && fits(&typing) { typing.into() } else { whole }
            }
        }
    }

    pub(super) fn whose_turn(&self) -> Text {
        let Some(present) = self.present() else { return Text::new() };
        let name = present.side_name(present.to_move());
        let turn = sentences::whose_turn(name, self.you() == Some(present.to_move()));
        let other = present.side_name(present.to_move().other());
        match self.taking_over() {
            Some(word) => text!("{turn} {}", sentences::may_take_over(other, word)),
            None => turn,
        }
    }

    /// The move before the position that is shown, and how many there are.
    pub(super) fn step_in_words(&self) -> Text {
        let (Some(shown), Some(game)) = (self.shown(), self.game) else { return Text::new() };
        let result =
            messages::short_result(shown, self.you(), self.looks.glyphs).filter(|_| self.is_replay());
        result.unwrap_or_else(|| {
            let live = game.game();
            let fault = live.stuck_here().map(messages::stuck_in_words);
            let end = match (live.stuck_here(), &fault) {
                (Some(stuck), _) if matches!(stuck.why, DeadEnd::TooShort(_)) => FileEnd::NewGame,
                (Some(_), Some(fault)) => FileEnd::Fault(fault),
                _ if live.is_record() && live.shown() == live.line_end() && shown.outcome().is_none() => {
                    FileEnd::Unfinished
                }
                _ => FileEnd::None,
            };
            let others = game.variations().len();
            let step = sentences::step(shown, self.last_ply(), !self.is_replay(), end, others);
            // What a review says of the move is told with it, as far as there is room.
            let marked = game.game().marked_move(game.game().shown());
            let Some((mark, loss)) = marked.filter(|_| self.is_replay()) else { return step };
            let better = messages::better(game.game(), &loss);
            let told = better.map(|better| sentences::marked(&step, mark.symbol(), &better));
            told.into_iter().find(|text| self.fits(text)).unwrap_or(step)
        })
    }
}

fn is_loaded(event: &Event) -> bool {
    matches!(event, Event::Replied(Reply { answer: Answer::Loaded(..), .. }))
}

/// What was asked for and could not be had, if that was told last.
fn fallback_in_words(game: &Match) -> Option<Text> {
    game.said().iter().find_map(|event| match event {
        Event::FellBack(fallback) => Some(fallback.why.text.clone()),
        _ => None,
    })
}
