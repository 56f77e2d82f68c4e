//! Updates the cursor, the menu and the pages of the screen after events of the match.

use super::cursor;
use super::effect::ScreenEffect;
use super::layer::{ConfirmDialog, LayerRank, RulesPages, ScreenLayer, TextPage};
use super::layout::PanelId;
use super::painting;
use super::panels::cached_layout;
use super::screen::{AnalysisFocus, BoardCursor, BoardView, Screen, StatusMessage};
use crate::messages;
use crate::play::{
    CommandAnswer, CommandReply, EngineRole, JournalStatus, Match, MatchEvent, MatchFault, MatchQuery,
};
use crate::record::MoveSource;
use crate::text;
use crate::text::Text;
use crate::ui::TypedLine;

impl Screen {
    /// Updates the screen after events of the match.
    pub fn on_match_events(&mut self, game: &Match, events: &[MatchEvent]) {
        self.match_event_count += 1;
        self.start_move_animation(game, events);
        let is_reviewing = game.game().review_progress().is_some();
        self.drawing.prefers_review |= is_reviewing && events.is_empty();
        if events.is_empty() && (game.is_advising() || is_reviewing) {
            self.remark = StatusMessage::Invitation;
        }
        for event in events {
            match event {
                MatchEvent::Started => self.on_game_started(game),
                MatchEvent::Moved(moved) => {
                    if game.game().move_source(moved.node) == MoveSource::Human {
                        self.cursor.layer = 0; // the next turn begins at the piece
                    }
                    self.update_cursor(game);
                }
                MatchEvent::Present(_) => self.update_cursor(game),
                MatchEvent::Ended(position) => {
                    self.layers.close_match_question();
                    self.update_cursor(game);
                    // Clocks run on while the menu is open, so a game may end there.
                    let result = messages::describe_result(&**position, game.game().sole_human_side());
                    if let Some(said) = result.filter(|_| self.menu().is_some()) {
                        self.show_message(said);
                    }
                }
                MatchEvent::Replied(reply) => self.on_reply(game, reply),
                MatchEvent::Refused(refusal) => {
                    self.restore_cursor();
                    if let Some(list) = self.list_mut() {
                        list.set_refusal(messages::describe_refusal(game, refusal).text);
                    }
                }
                MatchEvent::Fault(fault @ (MatchFault::Journal { .. } | MatchFault::Log(_))) => {
                    // A page is used, since the answer of an engine would replace a status message.
                    let lines = vec![messages::describe_fault(fault).text];
                    let title = match fault {
                        MatchFault::Journal { news: JournalStatus::Restored, .. } => "Saved",
                        MatchFault::Log(_) => "Log",
                        _ => "Not saved",
                    };
                    self.open_layer(ScreenLayer::Page(TextPage::from_lines(title, lines)));
                }
                MatchEvent::Fault(MatchFault::Engine { role: EngineRole::Adviser, .. }) => {
                    self.drawing.studies = false;
                }
                _ => {}
            }
            if !matches!(event, MatchEvent::Seated | MatchEvent::Reported(_) | MatchEvent::Replied(_)) {
                self.remark = StatusMessage::Match;
            }
        }
    }

    /// Resets the screen for a new game.
    fn on_game_started(&mut self, game: &Match) {
        let practice = game.game().practice_item();
        // The menu stays behind all mistakes of a practice session.
        if practice.is_none_or(|practice| practice.number == 1) {
            self.layers.close_for_new_game(game.game().is_replay() || practice.is_some());
        }
        let is_set_up = game.game().is_analysis() && self.cursor.focus == AnalysisFocus::SetUp;
        if !is_set_up {
            self.cursor = BoardCursor { other_layer: self.cursor.other_layer, ..BoardCursor::default() };
        }
        let board = game.present_position().view().title();
        if self.drawing.board != board {
            let shows_engine = game.shown_position().exact_move_values().is_empty();
            let is_turned = self.drawing.is_turned;
            self.drawing = BoardView { board, is_turned, shows_engine, ..BoardView::default() };
        }
        if practice.is_some() {
            // The engine would show the answer.
            (self.drawing.studies, self.drawing.shows_engine) = (false, false);
        }
        if game.game().is_analysis() {
            (self.drawing.studies, self.drawing.shows_engine) = (true, true);
        }
        self.update_cursor(game);
    }

    /// Shows the answer to a command.
    ///
    /// An answer that does not fit into the status line becomes a page.
    fn on_reply(&mut self, game: &Match, reply: &CommandReply) {
        self.remark = StatusMessage::Match;
        if let CommandAnswer::Queried(MatchQuery::Rules) = reply.answer {
            let (entry, position) = (game.game().spec().start.entry, game.game().position(reply.at));
            self.open_layer(ScreenLayer::Rules(RulesPages::for_position(entry, &**position)));
            self.remark = StatusMessage::Invitation;
            return;
        }
        if let CommandAnswer::AsksToReplace(path) = &reply.answer {
            // The match itself interprets the answers.
            let [yes, no] = ["y", "n"].map(|answer| ScreenEffect::Typed(TypedLine::parse(game, answer)));
            let question = messages::screen::confirm_replace_question(path);
            self.open_layer(ScreenLayer::Confirm(ConfirmDialog { question, effect: yes, refusal: Some(no) }));
            self.remark = StatusMessage::Invitation;
            return;
        }
        let lines = match &reply.answer {
            CommandAnswer::Queried(MatchQuery::Help(word)) => {
                let position = &**game.game().position(reply.at);
                let told = |(word, text): (Text, Text)| {
                    if word.is_empty() { text } else { text!("{word:<19}\t{text}") }
                };
                messages::help_lines(position, *word).into_iter().map(told).collect()
            }
            _ => messages::reply_lines(game, reply, self.looks.message_wording()),
        };
        if let CommandAnswer::Loaded(..) = reply.answer {
            self.close_layer(LayerRank::List);
        }
        if let (CommandAnswer::Hint(_), [hint]) = (&reply.answer, lines.as_slice()) {
            cursor::append_to_wall_preview(self, game, hint);
        }
        let is_page = match (&reply.answer, lines.as_slice()) {
            (CommandAnswer::Loaded(..), _) | (_, []) => false,
            // A finished review does not interrupt the player at another page.
            (CommandAnswer::Reviewed, lines) => {
                lines.len() > 1
                    && self.layers.is_empty()
                    && !cached_layout(&self.with_match(Some(game))).shows_panel(PanelId::Review)
            }
            (CommandAnswer::Queried(MatchQuery::Legal), [line]) => {
                !self.with_match(Some(game)).fits_status_line(line)
            }
            (_, lines) => lines.len() > 1,
        };
        if is_page {
            self.open_or_queue_page(TextPage::from_lines(reply.word, lines));
            self.remark = StatusMessage::Invitation;
        }
    }

    /// Updates the cursor after a change of the present position.
    ///
    /// It moves to its default cell, or follows its cell if that was renamed.
    fn update_cursor(&mut self, game: &Match) {
        if self.cursor.focus == AnalysisFocus::SetUp && self.cursor.place.is_some() {
            return; // the next piece may be put beside the last one
        }
        let present = &**game.present_position();
        (self.cursor.before, self.cursor.clicked_at) = (None, None);
        if self.cursor.layer > 0 && belongs_to_past_turn(game) {
            self.cursor.layer = 0; // a turn begins at the piece
        }
        if self.cursor.layer == 0 {
            let home = present.as_paint().default_cursor().or_else(|| self.cursor.place.take());
            self.cursor.place = home.or_else(|| Some(present.view().sample_move()));
        }
        self.cursor.place = self.find_renamed_place(game).or(self.cursor.place.take());
    }

    /// Returns the new name of the cell under the cursor, if a swap has renamed it.
    fn find_renamed_place(&self, game: &Match) -> Option<String> {
        let c = self.with_match(Some(game));
        let (canvas, place) = (c.paint_board(0)?, self.cursor.place.as_deref()?);
        if canvas.find_spot(place).is_some() {
            return None;
        }
        let tree = &game.game().tree();
        let before = tree.position(tree.parent(game.game().present_node())?);
        let old = before.paint_board(painting::paint_options(&c, &**before, 0));
        let spot = old.find_spot(place)?;
        let now = canvas.spots().iter().find(|there| (there.x, there.y) == (spot.x, spot.y))?;
        Some(now.text.clone())
    }
}

/// Reports whether the cursor was moved to its layer in a turn that is over.
fn belongs_to_past_turn(game: &Match) -> bool {
    !matches!(game.reported_events().last(), Some(MatchEvent::Moved(moved)) if game.game().move_source(moved.node) == MoveSource::Machine)
}
