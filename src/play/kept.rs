//! Saving a match: its record, the file that has it, and what leaving would lose.

use std::borrow::Cow;

use crate::ai::EngineKind;
use crate::game::Side;
use crate::play::{Game, Leaving, Match, Scoreboard, Seat, Unsaved};
use crate::record::{self, GameTree, MoveSource, NodeId, RESULT, WrittenForm, lasting_remarks};
use crate::thinking::EnginePlayer;

/// Games before the present one.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// The last of them, until the first move of the present one.
    pub(super) last: Option<(Box<Game>, Scoreboard)>,
    /// The analysis of the game that is played, which was left.
    pub(super) analysis: Option<Box<Game>>,
    /// Boards of the games whose moves are lost.
    pub(super) lost: Vec<String>,
    /// Number of games.
    count: u64,
}

impl Earlier {
    /// Counts one more earlier game; returns the number of earlier games.
    pub(super) fn count_one(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Keeps a game that may be brought back, in place of the one kept before.
    pub(super) fn keep(&mut self, game: Game, tally: Scoreboard) {
        self.drop_last();
        self.last = Some((Box::new(game), tally));
    }

    /// Forgets the last game.
    pub(super) fn drop_last(&mut self) {
        if let Some((game, _)) = self.last.take() {
            self.note_loss(&game);
        }
    }

    /// Takes note of a game that can no longer be brought back.
    pub(super) fn note_loss(&mut self, game: &Game) {
        if game.is_lost() {
            self.lost.push(game.title());
        }
    }
}

impl Match {
    /// Returns the game before this one, while `undo` brings it back.
    pub(crate) fn previous(&self) -> Option<&Game> {
        self.earlier.last.as_ref().map(|(game, _)| &**game)
    }

    /// Reports whether the game of this number is the present one, or `undo` brings it back.
    pub(crate) fn remembers(&self, number: u64) -> bool {
        let analysis = self.earlier.analysis.as_deref();
        let before = self.previous().into_iter().chain(analysis).map(|game| game.number);
        before.chain([self.game.number]).any(|known| known == number)
    }

    /// Reports whether leaving the game now loses moves that somebody has made.
    pub(crate) fn unsaved(&self) -> Unsaved {
        let game = &self.game;
        if game.is_lost() {
            return Unsaved::Yes;
        }
        let (present, is_played) = (game.present(), !game.is_record());
        let is_over = is_played && game.outcome().is_some();
        let is_theirs = game.is_begun();
        let has_content = present != NodeId::ROOT || game.is_analysis() && is_theirs;
        let is_unsaved = is_played && !is_over && has_content && !game.is_saved();
        match is_unsaved {
            true if self.rules.is_journalled && !is_theirs => Unsaved::No, // it came from where it still is
            true if self.rules.is_journalled => Unsaved::Kept,
            true => Unsaved::Yes,
            false if self.rules.is_journalled && is_theirs && is_over && !game.is_unkept() => {
                Unsaved::Finished
            }
            false => Unsaved::No,
        }
    }

    /// Reports whether writing the journal of the present game, or of the one that `undo` brings
    /// back, should be retried.
    pub(crate) fn has_unkept(&self) -> bool {
        self.game.is_unkept() || self.previous().is_some_and(Game::is_unkept)
    }

    /// Reports whether moves of a game of the match are in no file.
    pub(crate) fn has_losses(&self) -> bool {
        self.game.is_lost() || !self.earlier_losses().is_empty()
    }

    /// Returns the boards of the earlier games whose moves are in no file, the first game first.
    pub(crate) fn earlier_losses(&self) -> Vec<String> {
        let analysis = self.earlier.analysis.as_deref();
        let previous =
            self.previous().into_iter().chain(analysis).filter(|game| game.is_lost()).map(Game::title);
        self.earlier.lost.iter().cloned().chain(previous).collect()
    }

    /// Updates the message on leaving after the last write of the journal.
    pub(crate) fn correct(&self, leaving: &mut Leaving) {
        if let Leaving::Done(unsaved) = leaving
            && (self.game.is_lost() || *unsaved == Unsaved::Yes)
        {
            *unsaved = self.unsaved();
        }
    }

    /// Returns the text record of the game. Its head names the players, and the day if it is given;
    /// for a game that was loaded the file has said both.
    #[must_use]
    pub fn record(&self, day: Option<&str>) -> String {
        let tree = self.written_tree();
        record::write(&tree, self.game.written_at(), &self.remarks(&tree, day))
    }

    /// Returns the game in one of the file formats.
    ///
    /// # Errors
    /// Says why it cannot be written in this form.
    pub fn written(&self, form: WrittenForm, day: Option<&str>) -> Result<String, String> {
        let tree = self.written_tree();
        let written = form.write(&tree, self.game.written_at(), &self.remarks(&tree, day));
        written.map(|(text, _)| text)
    }

    /// Returns the tree of the game as it is written: if the end of a file was undone and another
    /// line played, the end of the file stays as it was.
    fn written_tree(&self) -> Cow<'_, GameTree> {
        let (tree, present) = (self.game.tree(), self.game.present());
        let is_restored = |&(end, _): &(NodeId, _)| {
            let is_of_file = tree.node(end).by == MoveSource::File || end == NodeId::ROOT;
            is_of_file && end != present && tree.children(end).is_empty()
        };
        let Some((end, early)) = self.game.core.source.ended.filter(is_restored) else {
            return Cow::Borrowed(tree);
        };
        let mut tree = tree.clone();
        tree.set_position(end, tree.position(end).reopened().ended(early));
        Cow::Owned(tree)
    }

    /// Returns the link to the position on the screen.
    ///
    /// # Errors
    /// Says why there is none.
    pub(crate) fn link(&self) -> Result<String, String> {
        self.game.core.link()
    }

    /// Returns the properties that a file has beside the moves.
    fn remarks(&self, tree: &GameTree, day: Option<&str>) -> Vec<(String, String)> {
        let present = self.game.written_at();
        let mut remarks = lasting_remarks(tree, present, self.game.remarks());
        let players = Side::each(|side| (side.to_string(), self.game.seat(side).map(player)));
        if !self.game.core.source.is_loaded {
            let date = day.map(|day| ("date".to_owned(), day.to_owned()));
            let said = players.into_iter().filter_map(|(key, name)| Some((key, name?))).chain(date);
            let known: Vec<String> = remarks.iter().map(|(key, _)| key.clone()).collect();
            remarks.extend(said.filter(|(key, _)| !known.contains(key)));
        }
        let line = tree.written_line(present);
        let end = *line.last().filter(|_| !line.contains(&present)).unwrap_or(&present);
        if let Some(outcome) = tree.position(end).outcome() {
            remarks.push((RESULT.to_owned(), outcome.to_string()));
        }
        remarks
    }
}

/// Returns the name of a player, as records write it.
fn player(seat: &Seat) -> String {
    match seat {
        Seat::Human => "human".to_owned(),
        Seat::Engine(engine) => match &engine.player {
            EnginePlayer::Own(EngineKind::Classic) => "crosspath classic".to_owned(),
            EnginePlayer::Own(kind) => format!("crosspath level {kind}"),
            EnginePlayer::External(program) => program.name(),
        },
    }
}
