//! Saves a match: its record, its file, and the moves that would be lost on leaving.

use std::borrow::Cow;

use crate::ai::EngineKind;
use crate::game::Side;
use crate::play::{LeaveReason, LiveGame, Match, PlayerSeat, Scoreboard, UnsavedStatus};
use crate::record::{self, GameFileFormat, GameTree, MoveSource, NodeId, RESULT_REMARK, still_valid_remarks};
use crate::thinking::EnginePlayer;

/// Previous games of a match.
#[derive(Debug, Default)]
pub(super) struct PreviousGames {
    /// Last game and its scoreboard, kept until the first move of the current game.
    pub(super) last: Option<(Box<LiveGame>, Scoreboard)>,
    /// Analysis of the current game that was left and can be resumed.
    pub(super) analysis: Option<Box<LiveGame>>,
    /// Titles of the games whose unsaved moves are lost.
    pub(super) lost: Vec<String>,
    /// Number of previous games.
    count: u64,
}

impl PreviousGames {
    /// Increments the number of games in this match and returns it.
    pub(super) fn count_next_game(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Stores a game that undo can restore, in place of the stored one.
    pub(super) fn store_game(&mut self, game: LiveGame, tally: Scoreboard) {
        self.drop_last_game();
        self.last = Some((Box::new(game), tally));
    }

    /// Drops the stored last game.
    pub(super) fn drop_last_game(&mut self) {
        if let Some((game, _)) = self.last.take() {
            self.record_lost_game(&game);
        }
    }

    /// Records the loss of a game that can no longer be restored, if its moves are unsaved.
    pub(super) fn record_lost_game(&mut self, game: &LiveGame) {
        if game.would_lose_moves() {
            self.lost.push(game.title());
        }
    }
}

impl Match {
    /// Returns the previous game while `undo` can restore it.
    pub(crate) fn previous_game(&self) -> Option<&LiveGame> {
        self.earlier.last.as_ref().map(|(game, _)| &**game)
    }

    /// Reports whether the game with this number is current or can be restored.
    pub(crate) fn holds_game(&self, number: u64) -> bool {
        let analysis = self.earlier.analysis.as_deref();
        let before = self.previous_game().into_iter().chain(analysis).map(|game| game.number);
        before.chain([self.game.number]).any(|known| known == number)
    }

    /// Returns the save status that the current game would have if the player left now.
    pub(crate) fn unsaved_status(&self) -> UnsavedStatus {
        let game = &self.game;
        if game.would_lose_moves() {
            return UnsavedStatus::Yes;
        }
        let (present, is_played) = (game.present_node(), !game.is_replay());
        let is_over = is_played && game.outcome().is_some();
        let is_theirs = game.has_player_changes();
        let has_content = present != NodeId::ROOT || game.is_analysis() && is_theirs;
        let is_unsaved = is_played && !is_over && has_content && !game.is_saved();
        match is_unsaved {
            true if self.rules.is_journalled && !is_theirs => UnsavedStatus::No, // nothing new to save
            true if self.rules.is_journalled => UnsavedStatus::Kept,
            true => UnsavedStatus::Yes,
            false if self.rules.is_journalled && is_theirs && is_over && !game.is_journal_incomplete() => {
                UnsavedStatus::Finished
            }
            false => UnsavedStatus::No,
        }
    }

    /// Reports whether the journal of the current or the previous game is incomplete and should be
    /// written again.
    pub(crate) fn has_incomplete_journal(&self) -> bool {
        self.game.is_journal_incomplete() || self.previous_game().is_some_and(LiveGame::is_journal_incomplete)
    }

    /// Reports whether any game of the match has moves that are not saved in a file.
    pub(crate) fn has_lost_moves(&self) -> bool {
        self.game.would_lose_moves() || !self.titles_of_lost_games().is_empty()
    }

    /// Returns the titles of previous games with moves that are not saved in a file, oldest first.
    pub(crate) fn titles_of_lost_games(&self) -> Vec<String> {
        let analysis = self.earlier.analysis.as_deref();
        let previous = self
            .previous_game()
            .into_iter()
            .chain(analysis)
            .filter(|game| game.would_lose_moves())
            .map(LiveGame::title);
        self.earlier.lost.iter().cloned().chain(previous).collect()
    }

    /// Updates the save status in the leave reason, after the last write of the journal.
    pub(crate) fn update_leave_reason(&self, leaving: &mut LeaveReason) {
        if let LeaveReason::Done(unsaved) = leaving
            && (self.game.would_lose_moves() || *unsaved == UnsavedStatus::Yes)
        {
            *unsaved = self.unsaved_status();
        }
    }

    /// Returns the text record of the game.
    ///
    /// Its header has the players and the day, if given. A loaded game keeps the header of its
    /// file.
    #[must_use]
    pub fn to_record_text(&self, day: Option<&str>) -> String {
        let tree = self.tree_to_write();
        record::write_record(&tree, self.game.file_present_node(), &self.record_properties(&tree, day))
    }

    /// Returns the game in the given file format.
    ///
    /// # Errors
    /// Fails with the reason if the format cannot represent the game.
    pub fn to_file_text(&self, form: GameFileFormat, day: Option<&str>) -> Result<String, String> {
        let tree = self.tree_to_write();
        let written =
            form.write_game(&tree, self.game.file_present_node(), &self.record_properties(&tree, day));
        written.map(|(text, _)| text)
    }

    /// Returns the tree to write to a file.
    ///
    /// If the loaded file ended early and the player undid that end to try another line, the end is
    /// restored.
    fn tree_to_write(&self) -> Cow<'_, GameTree> {
        let (tree, present) = (self.game.tree(), self.game.present_node());
        let is_restored = |&(end, _): &(NodeId, _)| {
            let is_of_file = tree.node(end).by == MoveSource::File || end == NodeId::ROOT;
            is_of_file && end != present && tree.children(end).is_empty()
        };
        let Some((end, early)) = self.game.core.source.ended.filter(is_restored) else {
            return Cow::Borrowed(tree);
        };
        let mut tree = tree.clone();
        tree.set_position(end, tree.position(end).without_early_end().with_early_end(early));
        Cow::Owned(tree)
    }

    /// Returns the `HexWorld` link to the shown position.
    ///
    /// # Errors
    /// Fails with the reason if the position has no link.
    pub(crate) fn position_link(&self) -> Result<String, String> {
        self.game.core.position_link()
    }

    /// Returns the header properties of a record: players, date, result and those of the loaded file.
    fn record_properties(&self, tree: &GameTree, day: Option<&str>) -> Vec<(String, String)> {
        let present = self.game.file_present_node();
        let mut remarks = still_valid_remarks(tree, present, self.game.file_properties());
        let players = Side::map_both(|side| (side.to_string(), self.game.seat(side).map(player_name)));
        if !self.game.core.source.is_loaded {
            let date = day.map(|day| ("date".to_owned(), day.to_owned()));
            let said = players.into_iter().filter_map(|(key, name)| Some((key, name?))).chain(date);
            let known: Vec<String> = remarks.iter().map(|(key, _)| key.clone()).collect();
            remarks.extend(said.filter(|(key, _)| !known.contains(key)));
        }
        let line = tree.written_line(present);
        let end = *line.last().filter(|_| !line.contains(&present)).unwrap_or(&present);
        if let Some(outcome) = tree.position(end).outcome() {
            remarks.push((RESULT_REMARK.to_owned(), outcome.to_string()));
        }
        remarks
    }
}

/// Returns the name of a player in records, such as `human` or `crosspath level 4`.
fn player_name(seat: &PlayerSeat) -> String {
    match seat {
        PlayerSeat::Human => "human".to_owned(),
        PlayerSeat::Engine(engine) => match &engine.player {
            EnginePlayer::BuiltIn(EngineKind::Classic) => "crosspath classic".to_owned(),
            EnginePlayer::BuiltIn(kind) => format!("crosspath level {kind}"),
            EnginePlayer::External(program) => program.name(),
        },
    }
}
