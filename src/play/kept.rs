//! What of a match is kept: its record, the file that has it, what leaving would lose.

use std::path::Path;

use crate::ai::Level;
use crate::game::Side;
use crate::play::{Game, Match, Mode, Seat, Unsaved};
use crate::record::{self, NodeId};
use crate::worker::EngineSeat;

impl Match {
    /// Whether leaving the game now loses moves that somebody has made.
    pub(crate) fn unsaved(&self) -> Unsaved {
        let game = &self.game;
        let is_unfinished = self.present_position().outcome().is_none() && game.present != NodeId::ROOT;
        let is_unsaved = is_unfinished && game.spec.mode != Mode::Replay && game.present != game.kept;
        let is_theirs = game.is_begun();
        let is_over = self.present_position().outcome().is_some() && game.spec.mode != Mode::Replay;
        match is_unsaved {
            true if self.rules.is_journalled && !is_theirs => Unsaved::No, // it came from where it still is
            true if self.rules.is_journalled => Unsaved::Kept,
            true => Unsaved::Yes,
            false if self.rules.is_journalled && is_theirs && is_over => Unsaved::Finished,
            false => Unsaved::No,
        }
    }

    /// Reports whether the journal lacks moves of the game that nothing else keeps.
    pub(crate) fn is_lost(&self) -> bool {
        !self.rules.is_journalled && self.game.is_begun() && !self.game.is_saved()
    }

    /// The text record of the game. The players, and the day if it is given, stand in its head; of a game that was loaded
    /// its file has said who and when.
    #[must_use]
    pub fn record(&self, day: Option<&str>) -> String {
        let mut remarks = self.game.remarks.clone();
        remarks.retain(|(key, _)| key != "result");
        let players = Side::each(|side| (side.to_string(), player(self.game.seat(side))));
        if !self.game.is_loaded {
            let date = day.map(|day| ("date".to_owned(), day.to_owned()));
            let said = players.into_iter().filter_map(|(key, name)| Some((key, name?))).chain(date);
            let known: Vec<String> = remarks.iter().map(|(key, _)| key.clone()).collect();
            remarks.extend(said.filter(|(key, _)| !known.contains(key)));
        }
        if let Some(outcome) = self.present_position().outcome() {
            remarks.push(("result".to_owned(), outcome.to_string()));
        }
        record::write(&self.game.tree, self.game.present, &remarks)
    }
}

impl Game {
    /// The file that the game was saved in or loaded from last.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether a file has the game as it stands now.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        self.file.is_some() && self.kept == self.present
    }
}

/// Who sits on a seat, as records name them.
fn player(seat: &Seat) -> Option<String> {
    match seat {
        Seat::Human => Some("human".to_owned()),
        Seat::Engine(EngineSeat { program: Some(program), .. }) => Some(program.name.clone()),
        Seat::Engine(engine) if engine.level == Level::Classic => Some("crosspath classic".to_owned()),
        Seat::Engine(engine) => Some(format!("crosspath level {}", engine.level)),
        Seat::Record => None,
    }
}
