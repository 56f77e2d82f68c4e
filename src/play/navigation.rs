//! Looking around: earlier positions, other lines, a game gone through from its start. The game stays where it is.

use std::collections::VecDeque;
use std::mem::take;
use std::time::Duration;

use crate::game::RefusalCode;
use crate::play::{Answer, Event, Fault, Leaving, Match, MatchRefusal, Moved, Place, Turn, Walk};
use crate::record::{GameRecord, NodeId, Note, RecordFault, RecordFormat, Strictness};
use crate::text::Text;

/// Where and why a file cannot be followed to the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The file.
    pub path: String,
    /// The line in it.
    pub line: usize,
    /// What is the matter there.
    pub why: DeadEnd,
}

/// Why a file leads no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeadEnd {
    /// A move is wrong.
    Wrong {
        /// What is wrong.
        why: Text,
        /// Whether a larger board would have the place.
        is_off_board: bool,
    },
    /// This move comes after the end of the game.
    Surplus(String),
    /// The file ends after so many moves, before the game is over.
    TooShort(usize),
}

impl Stuck {
    pub(super) fn of(record: &GameRecord, path: &str) -> Option<Stuck> {
        let position = record.tree.position(record.end);
        let (line, why) = match &record.fault {
            // A game that is merely unfinished stays where it ends; files of digits are read as their program read them.
            None if position.outcome().is_some() || record.form != RecordFormat::Digits => return None,
            None => (record.last_line, DeadEnd::TooShort(position.plies())),
            Some(RecordFault { line, surplus: Some(text), .. }) => (*line, DeadEnd::Surplus(text.clone())),
            Some(RecordFault { line, why, .. }) => (
                *line,
                DeadEnd::Wrong { why: why.text.clone(), is_off_board: why.code == RefusalCode::OffBoard },
            ),
        };
        Some(Stuck { path: path.to_owned(), line, why })
    }
}

impl Match {
    /// The number of the last move of the line that is shown.
    #[must_use]
    pub fn last_ply(&self) -> usize {
        self.game.tree.ply(self.game.line_end())
    }

    /// Ends looking at another position than the present one; whether one was looked at.
    pub(super) fn return_to_present(&mut self) -> bool {
        let was_looking = self.game.is_looking();
        self.game.is_replay = false;
        self.game.shown = self.game.present;
        was_looking
    }

    pub(super) fn show(&mut self, place: Place) -> Result<(), MatchRefusal> {
        let here = self.game.shown;
        if let (Place::Next(_), Some(stuck)) =
            (place, self.game.stuck.take_if(|_| here == self.game.tree.end_of(here)))
        {
            self.give_up(stuck); // no step goes further than the file can be followed
            return Ok(());
        }
        let game = &self.game;
        let (word, there) = match place {
            Place::Present => {
                self.look_at_present();
                return Ok(());
            }
            Place::Ply(ply) => {
                let wrong = || MatchRefusal::NoSuchMove { last: self.last_ply(), read: ply.to_string() };
                ("goto", game.line().get(ply).copied().ok_or_else(wrong)?)
            }
            Place::Next(count) => {
                let line = game.line();
                let there = game.tree.ply(here).checked_add(count).and_then(|ply| line.get(ply));
                let is_there = here == game.line_end();
                ("next", *there.ok_or(MatchRefusal::NoStep { is_forward: true, is_there })?)
            }
            Place::Back(count) => {
                let there = game.tree.way_back(here).nth(count);
                let is_there = here == NodeId::ROOT;
                ("back", there.ok_or(MatchRefusal::NoStep { is_forward: false, is_there })?)
            }
            Place::Variation(number) => {
                let others = self.variations();
                let there = number.checked_sub(1).and_then(|index| others.get(index));
                ("variations", *there.ok_or(MatchRefusal::NoSuchVariation(others.len()))?)
            }
            Place::Other(turn) => {
                let lines = game.tree.parent(here).map_or(&[][..], |parent| game.tree.children(parent));
                let place = lines.iter().position(|&id| id == here).unwrap_or(0);
                let step = if turn == Turn::On { 1 } else { lines.len().saturating_sub(1) };
                let other = lines.get((place + step) % lines.len().max(1)).filter(|&&other| other != here);
                // Where no other move was played, those that follow are shown.
                let there = other.copied().or_else(|| self.variations().first().copied());
                ("variations", there.ok_or(MatchRefusal::NoSuchVariation(0))?)
            }
        };
        self.look(word, there);
        Ok(())
    }

    /// Shows the present position again.
    pub(super) fn look_at_present(&mut self) {
        self.game.is_replay = false;
        self.look("goto", self.game.present);
    }

    /// Shows a position.
    fn look(&mut self, word: &'static str, there: NodeId) {
        if self.game.is_match() {
            self.game.pace.is_running = false; // a match waits for who looks around
        }
        // At its end there is nothing more to go through.
        if self.game.is_gone_through() && there == self.game.line_end() && !self.game.pace.pause.is_zero() {
            self.game.pace.is_running = false;
        }
        if there == self.game.present && !self.game.is_replay {
            self.return_to_present();
            self.reply(word, there, Answer::BackToPresent);
            self.events.push(Event::Present(there));
            return;
        }
        self.game.shown = there;
        self.reply(word, there, Answer::Looking);
        self.events.push(Event::Shown(there));
    }

    /// The lines that can be looked at here: other moves in place of the last one shown, and where the line ends, what
    /// was played behind it.
    #[must_use]
    pub fn variations(&self) -> Vec<NodeId> {
        let (tree, here) = (&self.game.tree, self.game.shown);
        let siblings = tree.parent(here).map_or(&[][..], |parent| tree.children(parent));
        let others = siblings.iter().copied().filter(|&id| id != here);
        let line = self.game.line();
        let next = line.get(tree.ply(here) + 1).copied();
        others.chain(tree.children(here).iter().copied().filter(|&id| Some(id) != next)).collect()
    }

    /// Goes through the game from its start.
    pub(super) fn replay(&mut self) -> Result<(), MatchRefusal> {
        if self.game.present == NodeId::ROOT {
            return Err(MatchRefusal::NothingToReplay);
        }
        self.game.is_replay = self.game.has_human();
        if self.game.is_replay {
            self.game.shown = self.game.present;
            self.game.pace.is_running = false;
        }
        self.look("replay", NodeId::ROOT);
        Ok(())
    }

    pub(super) fn walk(&mut self, walk: Walk) {
        let game = &mut self.game;
        match walk {
            Walk::Pause(pause) => game.pace.pause = pause.max(Duration::from_millis(1)),
            Walk::Stop => game.pace.is_running = false,
            Walk::Step => game.pace.steps = true,
            Walk::Run => {
                game.pace.is_running = true;
                let is_at_end = game.shown == game.line_end();
                if game.is_match() && game.is_looking() {
                    game.shown = game.present;
                    self.events.push(Event::Present(game.present));
                } else if game.is_gone_through() && is_at_end {
                    game.shown = NodeId::ROOT;
                    self.events.push(Event::Shown(NodeId::ROOT));
                }
            }
        }
    }

    /// The next step of a replay that runs by itself.
    pub(super) fn walk_on(&mut self) {
        let here = self.game.shown;
        self.tell_what_was_dropped(|dropped| dropped.at == here);
        let line = self.game.line();
        let there = line.get(self.game.tree.ply(self.game.shown) + 1).copied();
        if let Some(node) = there {
            self.game.shown = node;
            let position = self.game.position(node);
            let goes_on = position.outcome().is_none() || position.early().is_some();
            let repetition = Some(position.repetition()).filter(|_| goes_on);
            self.events.push(if self.game.is_record() {
                Event::Moved(Moved { node, came_back: false, proof: None, repetition })
            } else {
                Event::Shown(node)
            });
        }
        let is_at_end = self.game.shown == self.game.line_end();
        if self.game.pace.pause > Duration::ZERO && self.game.stuck.is_none() {
            self.game.pace.is_running &= !is_at_end;
        } else if there.is_none() && is_at_end {
            self.tell_the_end_of_the_file();
        }
    }

    /// Tells what was left out of the file, as far as it is wanted.
    pub(super) fn tell_what_was_dropped(&mut self, is_wanted: impl Fn(&Note) -> bool) {
        let path = self.game.source.clone().unwrap_or_default();
        let told = |dropped: Note| Event::Fault(Fault::Dropped(path.clone(), dropped));
        let (wanted, left): (VecDeque<_>, _) = take(&mut self.game.dropped).into_iter().partition(is_wanted);
        self.game.dropped = left;
        self.events.extend(wanted.into_iter().map(told));
    }

    fn tell_the_end_of_the_file(&mut self) {
        let is_over = self.game.outcome().is_some();
        if !self.game.has_ended && (is_over || self.game.stuck.is_none()) {
            self.game.has_ended = true;
            self.events.extend(is_over.then(|| Event::Ended(self.present_position().clone())));
            if self.game.stuck.is_none() {
                self.leave(Leaving::Done(self.unsaved()));
            }
        } else if let Some(stuck) = self.game.stuck.take() {
            // Another game follows: what is said about this one must have been said.
            self.give_up(stuck);
        }
    }

    /// The file cannot be followed: mode 1 on a fresh board, or the end of the match.
    fn give_up(&mut self, stuck: Stuck) {
        if self.rules.strictness == Strictness::Strict {
            return self.leave(Leaving::BadFile(stuck));
        }
        self.events.push(Event::Fault(Fault::Stuck(stuck)));
        self.begin(self.same_again());
    }
}
