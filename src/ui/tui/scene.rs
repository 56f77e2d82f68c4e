//! The screen with the match that it shows: all that drawing and keys have to know, read where it is kept.

use std::ops::Deref;

use crossterm::event::KeyEvent;

use super::key_table::{Action, Context, Key, without_arrows};
use super::layout::layout;
use super::menu::Menu;
use super::panels;
use super::screen::{Remark, Screen};
use crate::canvas::{Canvas, Glyphs, PaintOptions, Role, Spot};
use crate::game::Side;
use crate::messages::{self, screen as sentences};
use crate::play::{Answer, DeadEnd, Event, Match, Moved, Reply};
use crate::session::{Position, Report};
use crate::text;
use crate::text::{Text, join};
use crate::ui::text::{width, wrap};

/// So many of the best moves have their numbers on the board.
const BEST: usize = 3;

/// What pieces look like.
const PIECES: [Role; 4] = [Role::First, Role::Second, Role::FirstWon, Role::SecondWon];

/// The letters up to this one begin a move; those after it are keys.
pub(super) const LAST_LETTER: char = 'n';

/// A screen and a match.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s> {
    pub(super) screen: &'s Screen,
    pub(super) game: Option<&'s Match>,
}

impl Deref for Scene<'_> {
    type Target = Screen;

    fn deref(&self) -> &Screen {
        self.screen
    }
}

/// Whose answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The player's.
    Asking,
    /// The engine's.
    Thinking,
    /// The engine's, which was asked for advice.
    Advising,
}

impl Screen {
    /// The screen with the match that it shows; before the first game there is none.
    pub fn with<'s>(&'s self, game: Option<&'s Match>) -> Scene<'s> {
        Scene { screen: self, game }
    }
}

impl<'s> Scene<'s> {
    // ---- what the match says ----

    /// The position on the screen.
    pub fn shown(&self) -> Option<&'s dyn Position> {
        self.game.map(|game| &**game.shown())
    }

    /// The position that texts are about: in the menu that of the chosen game.
    pub(super) fn subject(&self) -> Option<&'s dyn Position> {
        let menu = self.screen.menu.as_ref();
        menu.map_or_else(|| self.shown(), Menu::start)
    }

    /// The present position.
    pub(super) fn present(&self) -> Option<&'s dyn Position> {
        self.game.map(|game| &**game.present_position())
    }

    /// Whose answer is awaited.
    pub(super) fn phase(&self) -> Phase {
        match self.game {
            Some(game) if game.is_advising() => Phase::Advising,
            Some(game) if game.is_thinking() => Phase::Thinking,
            _ => Phase::Asking,
        }
    }

    /// Whether nobody plays.
    pub(super) fn is_watched(&self) -> bool {
        self.game.is_some_and(|game| !game.game().has_human())
    }

    /// Whether a game is shown move by move.
    pub(super) fn is_replay(&self) -> bool {
        self.game.is_some_and(|game| game.game().is_gone_through() || !game.game().has_human())
    }

    /// Whether something else than the present position of a running game is shown.
    pub(super) fn is_looking(&self) -> bool {
        self.game.is_some_and(|game| game.game().is_looking())
    }

    /// Whether a game between two engines is not over yet.
    pub(super) fn is_match(&self) -> bool {
        self.game.is_some_and(|game| game.game().is_match())
    }

    /// Whether a replay or a match goes on by itself.
    pub(super) fn is_running(&self) -> bool {
        self.game.is_some_and(|game| game.game().pace.is_running)
    }

    /// Whether two engines play, and the player has stopped them.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_match() && !self.is_running()
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.present().is_some_and(|present| present.outcome().is_some())
    }

    /// The side of the one person, where exactly one plays.
    pub(super) fn you(&self) -> Option<Side> {
        self.game.and_then(|game| game.game().only_human())
    }

    /// The number of the last move of the line that is shown.
    pub(super) fn last_ply(&self) -> usize {
        self.game.map_or(0, Match::last_ply)
    }

    /// Whether a person is asked for a move of the position on the screen.
    pub(super) fn is_players_turn(&self) -> bool {
        let is_asked = self.phase() != Phase::Thinking && !self.is_watched();
        self.present().is_some_and(|present| present.outcome().is_none()) && is_asked && !self.is_looking()
    }

    /// What an engine has found about the position on the screen, and for which side.
    fn known(&self) -> Option<(Side, &'s Report)> {
        let game = self.game?.game();
        game.tree.node(game.shown).known.as_ref().map(|(side, report)| (*side, &**report))
    }

    /// Whether what was found is what the side to move would want to know, not what the other side thought before its move.
    pub(super) fn is_about_the_next_move(&self, side: Side) -> bool {
        self.shown().is_some_and(|shown| shown.to_move() == side)
    }

    /// What is told about the position on the screen, and for which side. What the machine thought before its own move is
    /// told unasked; what it thinks about the next move of a person is told to those who want to know (`v`), and neither a
    /// hint nor a review tells it.
    pub(super) fn report(&self) -> Option<(Side, &'s Report)> {
        let is_thinking = self.phase() == Phase::Thinking && !self.is_looking();
        let is_told = self.drawing.studies || self.tells_itself() || is_thinking;
        self.known().filter(|&(side, _)| is_told || !self.is_about_the_next_move(side))
    }

    /// Whether engines play by themselves, and tell what they think.
    pub(super) fn tells_itself(&self) -> bool {
        self.game.is_some_and(|game| game.game().is_between_engines())
    }

    /// Whether the machine is to think about the position on the screen: that is wanted, and it has not.
    pub fn wants_study(&self) -> bool {
        let is_wanted = self.drawing.studies && !self.is_match() && self.phase() == Phase::Asking;
        let is_seen = || panels::shows_engine(self) || !panels::has_room_for_engine(self);
        is_wanted && self.menu.is_none() && self.can_be_studied() && is_seen()
    }

    /// Whether the machine can think about the position on the screen: it has not, and it is free.
    fn can_be_studied(&self) -> bool {
        let is_open = |shown: &dyn Position| shown.outcome().is_none() && shown.values().is_empty();
        let is_known = self.known().is_some_and(|(side, _)| self.is_about_the_next_move(side));
        !is_known && self.shown().is_some_and(is_open) && self.game.is_some_and(Match::can_study)
    }

    // ---- where keys go ----

    /// Where a key goes.
    pub fn context(&self) -> Context {
        match self.shown() {
            _ if self.page.is_some() => Context::Page,
            _ if self.menu.is_some() => Context::Menu,
            None => Context::Menu,
            Some(shown) if layout(shown, self.size).density.is_none() => Context::Small,
            Some(_) if self.is_replay() => Context::Replay,
            Some(_) if self.is_looking() => Context::Looking,
            Some(_) if self.cursor.layer > 0 => Context::Wall,
            Some(_) => Context::Board,
        }
    }

    /// Whether the key would be typed into the field.
    pub(super) fn starts_typing(&self, event: &KeyEvent) -> bool {
        let is_place = self.context().takes_moves();
        let is_running = self.game.is_some_and(|game| game.game().outcome().is_none());
        let capitals = ('A'..=LAST_LETTER.to_ascii_uppercase()).filter(|_| is_running);
        // Where nothing can be played they are keys.
        let letters = ('a'..=LAST_LETTER).filter(|letter| is_running || !matches!(letter, 'a' | 'j'));
        let mut typed = letters.chain('0'..='9').chain(capitals);
        is_place && !self.looks.habits.has_vi_keys && typed.any(|letter| Key::Char(letter).is(event))
    }

    // ---- the board ----

    /// Whether the board that is shown has a cursor at some time.
    pub(super) fn can_have_cursor(&self) -> bool {
        !self.is_replay() && self.shown().is_some_and(|shown| shown.outcome().is_none())
    }

    /// Which marks the board can have: a cursor, a hint, the numbers of the best moves.
    pub(super) fn possible_marks(&self, has_numbers: bool) -> [bool; 3] {
        let has_hint = self.game.is_some_and(|game| game.game().tree.node(game.game().shown).hint.is_some());
        [self.can_have_cursor(), has_hint || !self.is_replay(), has_numbers]
    }

    /// How a position is to be painted.
    pub(super) fn paint_options(&self, position: &dyn Position, density: usize) -> PaintOptions<'s> {
        let is_turn = self.is_players_turn();
        let is_over = position.outcome().is_some(); // nothing can be put there, and the winning line is to be seen
        let has_cursor = !self.is_replay() && !is_over && (self.cursor.layer == 0 || is_turn);
        let game = self.game.map(Match::game);
        PaintOptions {
            glyphs: self.looks.glyphs,
            density,
            last: None, // the position knows it
            cursor: self.screen.cursor.place.as_deref().filter(|_| has_cursor),
            hint: game.and_then(|game| game.tree.node(game.shown).hint.as_deref()),
            steps: is_turn,
            ways: self.has_ways() && !is_over,
            turned: self.drawing.is_turned && position.drawn().turns(),
        }
    }

    /// The board as it is drawn in this window.
    pub fn canvas(&self, density: usize) -> Option<Canvas> {
        let shown = self.shown()?;
        Some(shown.canvas(self.paint_options(shown, density)))
    }

    /// The board as it is drawn in this window, with the marks of the engines that lie over it.
    pub fn drawn(&self, density: usize) -> Option<Canvas> {
        let (shown, mut canvas) = (self.shown()?, self.canvas(density)?);
        let signs = if self.has_ways() { shown.drawn().legend_signs(self.looks.glyphs) } else { Vec::new() };
        for (text, mark, role) in self.marks() {
            // Never in place of a piece; a sign of a way in the colour of a side may be below the number of a move.
            let is_move =
                || shown.is_legal(&text) && shown.named_moves().iter().all(|(name, _)| *name != text);
            let is_place = role == Role::Hint && is_move();
            let is_free = |spot: &&Spot| match canvas.at(spot.x, spot.y).1 {
                Role::Hint => false, // the sign of a hint between cells
                Role::Allowed | Role::Refused if spot.layer > 0 => false, // the wall under the cursor
                under => is_place || !PIECES.contains(&under),
            };
            let Some((x, y)) = canvas.find(&text).filter(is_free).map(|spot| (spot.x, spot.y)) else {
                continue;
            };
            // The sign of a way stays to be seen, where the number has room beside it.
            let is_sign = is_place && signs.contains(&canvas.at(x, y));
            let has_room = canvas.at(x + 1, y).0 == ' ' || canvas.at(x + 1, y).1 == Role::Allowed;
            let x = if is_sign && has_room { x + 1 } else { x };
            canvas.put(x, y, mark, role);
            // The sign of a step beside it says no more.
            if canvas.at(x + 1, y).1 == Role::Allowed && canvas.hit(x + 1, y) == Some(&text) {
                canvas.put(x + 1, y, ' ', Role::Plain);
            }
        }
        Some(canvas)
    }

    /// The titles of what can lie over the board, in the order of the key: the ways of both sides, then what the
    /// engines mark.
    pub fn overlays(&self) -> Vec<Text> {
        let Some(shown) = self.shown() else { return Vec::new() };
        self.path_overlay_label().into_iter().chain(shown.overlays()).collect()
    }

    /// What the game shows of both sides' ways.
    fn path_overlay_label(&self) -> Option<Text> {
        self.shown()?.drawn().path_overlay_label(self.looks.glyphs)
    }

    /// Whether the ways of both sides lie over the board.
    pub(super) fn has_ways(&self) -> bool {
        self.drawing.overlay == 1 && self.path_overlay_label().is_some()
    }

    /// The marks of the engines' overlay that lies over the board, if one does; the ways of both sides are none.
    fn overlay_marks(&self) -> Option<Vec<(String, char, Role)>> {
        let index = self.drawing.overlay.checked_sub(1).filter(|_| !self.has_ways())?;
        let ways = usize::from(self.path_overlay_label().is_some());
        let marks = index.checked_sub(ways).and_then(|index| Some(self.shown()?.overlay(index)));
        Some(marks.unwrap_or_default().into_iter().map(|(text, mark)| (text, mark, Role::Path)).collect())
    }

    /// Whether the marks of an overlay lie over the board, in place of the numbers of the best moves.
    pub(super) fn has_overlay_marks(&self) -> bool {
        self.overlay_marks().is_some()
    }

    /// The marks of the engines that lie over the board: those of an overlay, or the numbers of the best moves.
    pub(super) fn marks(&self) -> Vec<(String, char, Role)> {
        let Some(shown) = self.shown() else { return Vec::new() };
        // The best moves are marked over ways, but not among other signs.
        if let Some(marks) = self.overlay_marks() {
            return marks;
        }
        // Where the review has taken the panel's place nothing says what the numbers mean; where the worth of every
        // move is known there is nothing to be numbered.
        let is_open = shown.outcome().is_none() && shown.values().is_empty();
        let is_told = self.drawing.shows_engine && is_open && !panels::hides_engine(self);
        // What the other side has thought about before its move is no advice to this one.
        let report = self.report().filter(|&(side, _)| is_told && self.is_about_the_next_move(side));
        let best = report.map_or(&[][..], |(_, report)| report.best_moves());
        let best = if best.len() > 1 { &best[..best.len().min(BEST)] } else { &[] };
        best.iter().zip('1'..).map(|(one, number)| (one.text.clone(), number, Role::Hint)).collect()
    }

    /// The place under the cursor on a drawn board.
    pub(super) fn focus<'c>(&self, canvas: &'c Canvas) -> Option<&'c Spot> {
        let shown = self.shown()?;
        let last = shown.last();
        // Where there is no cursor the last move is looked at, if there is one.
        let cursor = if self.is_replay() { last.as_deref() } else { self.cursor.place.as_deref() }?;
        // Where the first stone may be taken over its place has the name of that move.
        let named = || shown.named_moves().iter().find_map(|(name, _)| canvas.find(name));
        canvas.find(cursor).or_else(named).or_else(|| canvas.find(&shown.view().sample()))
    }

    /// What the move would do that is typed now, where its game says that beforehand, and whether it can be played.
    pub(super) fn typed_preview(&self) -> Option<(Text, bool)> {
        let present = self.present().filter(|_| self.is_players_turn() && self.menu.is_none())?;
        let text = present.read(self.prompt.text.as_deref()?).ok()?;
        let said = present.drawn().preview(&text, &self.paint_options(present, 0), self.you())?;
        Some((said, present.is_legal(&text)))
    }

    /// The numbers by which cells can be typed now, where digits do nothing else.
    pub(super) fn numbers(&self) -> Option<String> {
        let is_asked =
            self.is_players_turn() && !self.looks.habits.has_digits && !self.looks.habits.has_vi_keys;
        self.present().filter(|_| is_asked)?.view().numbers()
    }

    // ---- the status line ----

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

    /// The word that takes the first move over, where that is possible now.
    pub(super) fn taking_over(&self) -> Option<&'static str> {
        let present = self.present()?;
        let (word, _) = present.named_moves().first()?;
        present.is_legal(word).then_some(word)
    }

    /// The move before the position that is shown, and how many there are.
    pub(super) fn step_in_words(&self) -> Text {
        let (Some(shown), Some(game)) = (self.shown(), self.game) else { return Text::new() };
        let result =
            messages::short_result(shown, self.you(), self.looks.glyphs).filter(|_| self.is_replay());
        result.unwrap_or_else(|| {
            let cut = match game.game().stuck_here() {
                Some(stuck) if matches!(stuck.why, DeadEnd::TooShort(_)) => Some(Text::new()),
                stuck => stuck.map(messages::stuck_in_words),
            };
            let step = sentences::step(
                shown,
                self.last_ply(),
                !self.is_replay(),
                cut.as_ref(),
                game.variations().len(),
            );
            // What a review says of the move is told with it, as far as there is room.
            let marked = game.game().marked_move(game.game().shown);
            let Some((mark, loss)) = marked.filter(|_| self.is_replay()) else { return step };
            let better = messages::better(game.game(), &loss);
            let told = better.map(|better| sentences::marked(&step, mark.symbol(), &better));
            told.into_iter().find(|text| self.fits(text)).unwrap_or(step)
        })
    }

    /// Names of keys, without arrows where the terminal may have none.
    pub(super) fn keys(&self, text: &str) -> String {
        if self.looks.glyphs == Glyphs::Unicode { text.to_owned() } else { without_arrows(text) }
    }

    /// What stands for something left out.
    pub(super) fn dots(&self) -> &'static str {
        if self.looks.glyphs == Glyphs::Unicode { "…" } else { "~" }
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
