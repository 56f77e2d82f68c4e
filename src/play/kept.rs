//! What of a match is kept: its record, the file that has it, what leaving would lose.

use std::path::Path;

use crate::ai::EngineKind;
use crate::game::Side;
use crate::play::{Game, Leaving, Match, Mode, Seat, Unsaved};
use crate::record::{self, LinkSite, NodeId, WrittenForm};
use crate::thinking::EnginePlayer;

impl Match {
    /// Whether leaving the game now loses moves that somebody has made.
    pub(crate) fn unsaved(&self) -> Unsaved {
        let game = &self.game;
        if game.is_lost() {
            return Unsaved::Yes;
        }
        let is_unfinished = self.present_position().outcome().is_none() && game.present != NodeId::ROOT;
        let is_unsaved = is_unfinished && game.spec.mode != Mode::Replay && game.present != game.kept;
        let is_theirs = game.is_begun();
        let is_over = self.present_position().outcome().is_some() && game.spec.mode != Mode::Replay;
        match is_unsaved {
            true if self.rules.is_journalled && !is_theirs => Unsaved::No, // it came from where it still is
            true if self.rules.is_journalled => Unsaved::Kept,
            true => Unsaved::Yes,
            false if self.rules.is_journalled && is_theirs && is_over && !game.is_unkept => Unsaved::Finished,
            false => Unsaved::No,
        }
    }

    /// Reports whether a game that is played, or that `undo` brings back, is to be tried again.
    pub(crate) fn has_unkept(&self) -> bool {
        self.game.is_unkept || self.previous().is_some_and(|game| game.is_unkept)
    }

    /// Reports whether moves of a game of the match are in no file.
    pub(crate) fn has_losses(&self) -> bool {
        self.game.is_lost() || !self.earlier_losses().is_empty()
    }

    /// Returns the boards of the earlier games whose moves are in no file, the first game first.
    pub(crate) fn earlier_losses(&self) -> Vec<String> {
        let previous = self.previous().filter(|game| game.is_lost()).map(Game::title);
        self.lost.iter().cloned().chain(previous).collect()
    }

    /// Takes note of a game that nothing brings back any more.
    pub(super) fn note_loss(&mut self, game: &Game) {
        if game.is_lost() {
            self.lost.push(game.title());
        }
    }

    /// Forgets the game before this one.
    pub(super) fn drop_previous(&mut self) {
        if let Some((game, _)) = self.last_game.take() {
            self.note_loss(&game);
        }
    }

    /// Makes what is said on leaving true after the last write of the journal.
    pub(crate) fn correct(&self, leaving: &mut Leaving) {
        if let Leaving::Done(unsaved) = leaving
            && (self.game.is_lost() || *unsaved == Unsaved::Yes)
        {
            *unsaved = self.unsaved();
        }
    }

    /// The text record of the game. The players, and the day if it is given, stand in its head; of a game that was loaded
    /// its file has said who and when.
    #[must_use]
    pub fn record(&self, day: Option<&str>) -> String {
        record::write(&self.game.tree, self.game.present, &self.remarks(day))
    }

    /// The game in a form of file.
    ///
    /// # Errors
    /// Says why it cannot be written in this form.
    pub fn written(&self, form: WrittenForm, day: Option<&str>) -> Result<String, String> {
        let written = form.write(&self.game.tree, self.game.present, &self.remarks(day));
        written.map(|(text, _)| text)
    }

    /// The link that shows the position on the screen.
    ///
    /// # Errors
    /// Says why there is none.
    pub(crate) fn link(&self) -> Result<String, String> {
        let game = &self.game;
        record::write_link(&game.tree, game.shown, LinkSite::HexWorld).map(|(link, _)| link)
    }

    /// What a file says of the game beside its moves.
    fn remarks(&self, day: Option<&str>) -> Vec<(String, String)> {
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
        remarks
    }
}

impl Game {
    /// The file that the game was saved in or loaded from last.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The board of the game, as people call it.
    pub(super) fn title(&self) -> String {
        self.position(NodeId::ROOT).view().title()
    }

    /// Reports whether the journal lacks moves of the game that nothing else keeps.
    pub(super) fn is_lost(&self) -> bool {
        self.is_unkept && self.is_begun() && !self.is_saved()
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
        Seat::Engine(engine) => Some(match &engine.player {
            EnginePlayer::Own(EngineKind::Classic) => "crosspath classic".to_owned(),
            EnginePlayer::Own(kind) => format!("crosspath level {kind}"),
            EnginePlayer::External(program) => program.name(),
        }),
        Seat::Record => None,
    }
}
