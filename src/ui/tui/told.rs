//! What the match tells the screen: games, moves, thoughts and answers, and how they change what is shown.

use super::state::{Page, Phase, State};
use crate::game::{BySide, Illegal, Side};
use crate::session::{Report, Session};
use crate::ui::{By, Ended, Moved, Opening, Said};
use crate::words::{self, screen as sentences};

impl State {
    /// A game begins.
    pub fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) {
        self.phase = Phase::Asking; // whatever a machine thought about is gone
        self.mode = opening.mode;
        self.level = opening.level;
        self.you = opening.you;
        self.is_watched = opening.is_watched;
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        self.source = opening.source.map(name);
        self.is_replay = opening.is_watched;
        (self.limits, self.draws_sides) = (opening.limits, opening.draws_sides);
        for side in Side::BOTH {
            let said = opening.remarks.iter().find(|(key, _)| *key == side.to_string());
            self.players[side] = said.map(|(_, name)| Illegal::shown(name));
        }
        self.is_auto = opening.is_watched && opening.mode == Some(4);
        self.menu = None;
        self.reports.clear();
        (self.hint, self.news) = (None, None);
        self.used = BySide::default();
        (self.scored, self.is_loaded) = (None, std::mem::take(&mut self.is_loading));
        (self.layer, self.other_cursor, self.cursor) = (0, None, None);
        let series = (session.title(), opening.level);
        if self.series != series {
            (self.series, self.overlay, self.score) = (series, 0, [0; 3]);
            self.shows_engine = session.values().is_empty();
        }
        self.set_position(session);
        let carried = self.carried.take();
        if !self.is_watched {
            let all = carried.iter().cloned().chain([self.invitation()]).collect::<Vec<_>>().join(" ");
            self.status = carried.filter(|_| self.is_loaded || !self.fits(&all)).unwrap_or(all);
        }
    }

    /// A move or word was refused: the cursor goes back to where it was before the field was opened.
    pub fn refused(&mut self, illegal: &Illegal) {
        self.status.clone_from(&illegal.text);
        self.put_cursor_back();
    }

    /// The cursor goes back to where it was before the field was opened, if it was.
    pub(super) fn put_cursor_back(&mut self) {
        if let Some((layer, cursor)) = self.before_field.take() {
            (self.layer, self.cursor) = (layer, cursor);
        }
    }

    /// An adviser has thought about this position.
    pub(super) fn advised(&mut self, session: &dyn Session, report: &Report) {
        self.reports.insert(session.key(), (session.to_move(), report.clone()));
    }

    /// A result that has been taken back does not count.
    fn recount(&mut self, now: &dyn Session) {
        if let Some(place) = self.scored.filter(|_| now.outcome().is_none()) {
            self.score[place] = self.score[place].saturating_sub(1);
            self.scored = None;
        }
    }

    /// The drawn place of the cursor, to be found again on the next board.
    fn place_of_cursor(&self) -> Option<(usize, usize)> {
        let canvas = self.canvas(0)?;
        let spot = canvas.spots().iter().find(|spot| Some(&spot.text) == self.cursor.as_ref())?;
        Some((spot.x, spot.y))
    }

    /// Where a place has another name now, the cursor stays on it.
    fn keep_cursor(&mut self, place: Option<(usize, usize)>) {
        let Some(canvas) = self.canvas(0) else { return };
        if canvas.spots().iter().any(|spot| Some(&spot.text) == self.cursor.as_ref()) {
            return;
        }
        let at = |&(x, y): &(usize, usize)| canvas.spots().iter().find(|spot| (spot.x, spot.y) == (x, y));
        if let Some(spot) = place.as_ref().and_then(at) {
            self.cursor = Some(spot.text.clone());
        }
    }

    /// The present position is this one.
    pub fn set_position(&mut self, session: &dyn Session) {
        let now = session.after(session.plies());
        let place = self.place_of_cursor();
        self.before_field = None;
        self.recount(&*now);
        self.past = None;
        self.is_resigning = false;
        self.is_replay = self.is_watched;
        let home = now.home().or_else(|| self.cursor.take().filter(|_| self.layer == 0));
        if self.layer == 0 {
            self.cursor = home.or_else(|| Some(now.sample()));
        }
        self.now = Some(now);
        self.keep_cursor(place);
        self.refresh_values();
    }

    /// The board is shown at the present, after a word.
    pub fn board(&mut self, session: &dyn Session) {
        (self.is_loading, self.carried) = (false, None);
        if self.news.is_some() {
            return; // who looks at an earlier position goes on looking
        }
        if self.now.as_ref().is_none_or(|now| now.key() != session.key()) {
            self.layer = 0; // a turn begins at the piece
        }
        self.set_position(session);
        if self.is_watched && !self.is_match() {
            self.status.clear();
        }
    }

    /// An earlier position is looked at.
    pub fn look_at(&mut self, there: &dyn Session) {
        self.past = Some(there.after(there.plies()));
        self.is_auto &= !self.is_match(); // a match waits for who looks back
        let told = self.news.take().into_iter().chain([self.step_in_words()]);
        self.status = told.collect::<Vec<_>>().join(" ");
        self.refresh_values();
    }

    /// A move was played.
    pub fn moved(&mut self, session: &dyn Session, moved: &Moved<'_>) {
        if moved.by == By::Human {
            self.layer = 0; // the next turn begins at the piece; where the wall was is remembered
        }
        // Who looks at an earlier position while the machine moves goes on looking.
        let looks_back = moved.by == By::Machine && session.outcome().is_none();
        let past = self.past.take().filter(|_| looks_back);
        let was_replay = self.is_replay;
        self.set_position(session);
        if let Some(report) = moved.report {
            // It is about the move, so it stands beside the positions before and after it.
            for at in [session.after(session.plies().saturating_sub(1)).key(), session.key()] {
                self.reports.insert(at, (moved.side, report.clone()));
            }
        }
        let name = session.side_name(moved.side);
        let said = sentences::played(name, moved.text);
        let is_word = session.named_moves().iter().any(|(name, _)| *name == moved.text);
        self.status = match moved.notice {
            Some(notice) if is_word => notice.to_owned(),
            Some(notice) => format!("{said} {notice}"),
            None if self.is_stopped() => format!("{said} {}", sentences::runs_by_itself(false)),
            None if session.outcome().is_some() || self.is_watched => said.clone(),
            None => format!("{said} {}", self.whose_turn()),
        };
        if past.is_some() {
            (self.past, self.is_replay, self.news) = (past, was_replay, Some(said));
            self.refresh_values();
        }
    }

    /// The machine begins to think.
    pub fn thinks(&mut self, session: &dyn Session) {
        if self.now.is_none() {
            self.set_position(session);
        }
        let is_advice = match (self.you, self.mode) {
            (Some(you), _) => {
                let plies = self.now.as_deref().map_or(0, Session::plies);
                you == session.to_move() || session.plies() < plies
            }
            (None, Some(4)) => self.phase == Phase::Asking,
            (None, _) => true,
        };
        self.phase = if is_advice { Phase::Advising } else { Phase::Thinking };
        self.status.clear(); // the invitation says it
    }

    /// Two machines go on with their match.
    pub fn goes_on(&mut self) {
        self.phase = Phase::Thinking;
    }

    /// The machine has reported; whether that changes anything on the screen.
    pub fn heard(&mut self, report: Report) -> bool {
        if let Some(now) = self.now.as_deref() {
            self.reports.insert(now.key(), (now.to_move(), report));
        }
        self.shows_engine && self.past.is_none()
    }

    /// The player's answer is awaited.
    pub fn asks(&mut self) {
        self.phase = Phase::Asking;
    }

    /// A word was answered.
    pub fn say(&mut self, said: &Said) {
        if said.word == "hint"
            && let Some(text) = said.result.as_ref().and_then(|result| result["move"].as_str())
        {
            self.hint = self.shown().map(|shown| (shown.key(), text.to_owned()));
        }
        if ["hint", "eval"].contains(&said.word) {
            self.is_auto &= !self.is_match(); // there is something to read
        }
        if said.word == "replay" {
            self.is_replay = true;
        }
        if said.word == "load" {
            (self.is_loaded, self.is_loading) = (true, true);
        }
        if ["load", "new", "play"].contains(&said.word) && !said.lines.is_empty() {
            self.carried = Some(said.lines.join(" "));
        }
        let is_a_step = ["goto", "back", "next"].contains(&said.word) && self.past_or_replay(said);
        if is_a_step {
            self.status.clear(); // the board that follows tells more
        }
        match said.lines.as_slice() {
            lines if said.word == "load" => self.status = lines.join(" "),
            [line] if !is_a_step && (said.word != "legal" || self.fits(line)) => self.status.clone_from(line),
            [_] if is_a_step => {}
            [] => {}
            lines => {
                let lines = lines.to_vec();
                let page = Some(Page { title: said.word.to_owned(), lines, ..Page::default() });
                if self.field.is_some() {
                    self.next_page = page; // who types is not interrupted
                } else {
                    self.page = page;
                }
                self.status.clear();
            }
        }
    }

    /// Whether a step is told by the position itself.
    fn past_or_replay(&self, said: &Said) -> bool {
        self.is_replay || said.lines.first().is_some_and(|line| line.starts_with("Looking"))
    }

    /// The game is over.
    pub fn ended(&mut self, session: &dyn Session, ended: &Ended<'_>) {
        (self.is_loading, self.carried) = (false, None);
        self.set_position(session);
        // Against a machine the players are counted, whichever side they have.
        let seat = |side: Side| self.you.map_or(side.index(), |you| usize::from(side != you));
        let place = ended.outcome.winner().map_or(2, seat);
        if !self.is_watched && !self.is_loaded && self.scored.is_none() {
            self.score[place] += 1;
            self.scored = Some(place);
        }
        let Ended { outcome, reason, plies } = *ended;
        let result = words::short_result(session, outcome, reason, plies, self.looks.glyphs);
        let room = usize::from(self.size.0).saturating_sub(2);
        let offers = match self.mode {
            Some(3) => &[][..],
            Some(4) => &sentences::AFTER_A_WATCHED_END,
            _ => &sentences::AFTER_THE_END,
        };
        let whole = offers.iter().map(|offer| format!("{result} {offer}"));
        let fitting = whole.into_iter().find(|text| text.chars().count() <= room);
        self.status = fitting.unwrap_or(result);
    }
}
