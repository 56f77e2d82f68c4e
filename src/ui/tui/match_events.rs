//! Reactions of the screen to events of the match: the cursor, the menu and the pages follow.

use super::cursor;
use super::effect::Effect;
use super::layer::{Confirm, Layer, Page, Rank, RulesPages};
use super::layout::PanelId;
use super::painting;
use super::panels::layout_of;
use super::screen::{BoardCursor, Drawing, Focus, Screen, StatusMessage};
use crate::messages;
use crate::play::{Answer, EngineRole, Event, Fault, Match, Query, Reply, SaveNews};
use crate::record::MoveSource;
use crate::text;
use crate::text::Text;
use crate::ui::Typed;

impl Screen {
    /// Takes events of the match.
    pub fn hear(&mut self, game: &Match, events: &[Event]) {
        self.heard += 1;
        self.set_in_motion(game, events);
        let is_reviewing = game.game().review_progress().is_some();
        self.drawing.prefers_review |= is_reviewing && events.is_empty();
        if events.is_empty() && (game.is_advising() || is_reviewing) {
            self.remark = StatusMessage::Invitation;
        }
        for event in events {
            match event {
                Event::Started => self.started(game),
                Event::Moved(moved) => {
                    if game.game().made_by(moved.node) == MoveSource::Human {
                        self.cursor.layer = 0; // the next turn begins at the piece
                    }
                    self.move_cursor(game);
                }
                Event::Present(_) => self.move_cursor(game),
                Event::Ended(position) => {
                    self.layers.close_question_of_the_match();
                    self.move_cursor(game);
                    // Time runs on while somebody looks at the menu.
                    let result = messages::result(&**position, game.game().only_human());
                    if let Some(said) = result.filter(|_| self.menu().is_some()) {
                        self.announce(said);
                    }
                }
                Event::Replied(reply) => self.replied(game, reply),
                Event::Refused(refusal) => {
                    self.put_cursor_back();
                    if let Some(list) = self.list_mut() {
                        list.refuse(messages::refusal(game, refusal).text);
                    }
                }
                Event::Fault(fault @ (Fault::Journal { .. } | Fault::Log(_))) => {
                    // The answer of an engine must not hide it.
                    let lines = vec![messages::fault(fault).text];
                    let title = match fault {
                        Fault::Journal { news: SaveNews::Again, .. } => "Saved",
                        Fault::Log(_) => "Log",
                        _ => "Not saved",
                    };
                    self.open(Layer::Page(Page::of(title, lines)));
                }
                Event::Fault(Fault::Engine { role: EngineRole::Adviser, .. }) => self.drawing.studies = false,
                _ => {}
            }
            if !matches!(event, Event::Seated | Event::Reported(_) | Event::Replied(_)) {
                self.remark = StatusMessage::Match;
            }
        }
    }

    /// Takes note that a game begins.
    fn started(&mut self, game: &Match) {
        let practice = game.game().practice();
        // The menu stays behind all mistakes of a session.
        if practice.is_none_or(|practice| practice.number == 1) {
            self.layers.close_for_a_game(game.game().is_record() || practice.is_some());
        }
        let is_set_up = game.game().is_analysis() && self.cursor.focus == Focus::SetUp;
        if !is_set_up {
            self.cursor = BoardCursor { other_layer: self.cursor.other_layer, ..BoardCursor::default() };
        }
        let board = game.present_position().view().title();
        if self.drawing.board != board {
            let shows_engine = game.shown().values().is_empty();
            let is_turned = self.drawing.is_turned;
            self.drawing = Drawing { board, is_turned, shows_engine, ..Drawing::default() };
        }
        if practice.is_some() {
            (self.drawing.studies, self.drawing.shows_engine) = (false, false); // they know the answer
        }
        if game.game().is_analysis() {
            (self.drawing.studies, self.drawing.shows_engine) = (true, true);
        }
        self.move_cursor(game);
    }

    /// Shows the answer to a command: an answer that does not fit into the status line becomes a
    /// page.
    fn replied(&mut self, game: &Match, reply: &Reply) {
        self.remark = StatusMessage::Match;
        if let Answer::Told(Query::Rules) = reply.answer {
            let (entry, position) = (game.game().spec().start.entry, game.game().position(reply.at));
            self.open(Layer::Rules(RulesPages::of(entry, &**position)));
            self.remark = StatusMessage::Invitation;
            return;
        }
        if let Answer::AsksToReplace(path) = &reply.answer {
            // The match itself reads the answers.
            let [yes, no] = ["y", "n"].map(|answer| Effect::Typed(Typed::of(game, answer)));
            let question = messages::screen::asks_to_replace(path);
            self.open(Layer::Confirm(Confirm { question, effect: yes, refusal: Some(no) }));
            self.remark = StatusMessage::Invitation;
            return;
        }
        let lines = match &reply.answer {
            Answer::Told(Query::Help(word)) => {
                let position = &**game.game().position(reply.at);
                let told = |(word, text): (Text, Text)| {
                    if word.is_empty() { text } else { text!("{word:<19}\t{text}") }
                };
                messages::help(position, *word).into_iter().map(told).collect()
            }
            _ => messages::reply(game, reply, self.looks.wording()),
        };
        if let Answer::Loaded(..) = reply.answer {
            self.close(Rank::List);
        }
        if let (Answer::Hint(_), [hint]) = (&reply.answer, lines.as_slice()) {
            cursor::keep_preview(self, game, hint);
        }
        let is_page = match (&reply.answer, lines.as_slice()) {
            (Answer::Loaded(..), _) | (_, []) => false,
            // Nobody who does something else meanwhile is interrupted.
            (Answer::Reviewed, lines) => {
                lines.len() > 1
                    && self.layers.is_empty()
                    && !layout_of(&self.with(Some(game))).has(PanelId::Review)
            }
            (Answer::Told(Query::Legal), [line]) => !self.with(Some(game)).fits(line),
            (_, lines) => lines.len() > 1,
        };
        if is_page {
            self.answer(Page::of(reply.word, lines));
            self.remark = StatusMessage::Invitation;
        }
    }

    /// Moves the cursor when the present position changes: it goes home, or stays on its place,
    /// whatever its name is now.
    fn move_cursor(&mut self, game: &Match) {
        if self.cursor.focus == Focus::SetUp && self.cursor.place.is_some() {
            return; // the next piece may be put beside the last one
        }
        let present = &**game.present_position();
        (self.cursor.before, self.cursor.clicked_at) = (None, None);
        if self.cursor.layer > 0 && is_new_turn(game) {
            self.cursor.layer = 0; // a turn begins at the piece
        }
        if self.cursor.layer == 0 {
            let home = present.drawn().default_cursor().or_else(|| self.cursor.place.take());
            self.cursor.place = home.or_else(|| Some(present.view().sample()));
        }
        self.cursor.place = self.renamed_place(game).or(self.cursor.place.take());
    }

    /// Returns the new name of the place under the cursor, if it has changed: after a swap the
    /// stone is elsewhere.
    fn renamed_place(&self, game: &Match) -> Option<String> {
        let c = self.with(Some(game));
        let (canvas, place) = (c.canvas(0)?, self.cursor.place.as_deref()?);
        if canvas.find(place).is_some() {
            return None;
        }
        let tree = &game.game().tree();
        let before = tree.position(tree.parent(game.game().present())?);
        let old = before.canvas(painting::paint_options(&c, &**before, 0));
        let spot = old.find(place)?;
        let now = canvas.spots().iter().find(|there| (there.x, there.y) == (spot.x, spot.y))?;
        Some(now.text.clone())
    }
}

/// Reports whether the place under the cursor belongs to a turn that is over.
fn is_new_turn(game: &Match) -> bool {
    !matches!(game.said().last(), Some(Event::Moved(moved)) if game.game().made_by(moved.node) == MoveSource::Machine)
}
