//! The screen with the match that it shows: all that drawing and keys have to know, read where it is kept.

use std::ops::Deref;

use crossterm::event::KeyEvent;

use super::key_table::{Context, Key, without_arrows};
use super::layout::layout;
use super::menu::Menu;
use super::screen::Screen;
use crate::canvas::{Canvas, Glyphs, PaintOptions, Role, Spot};
use crate::game::Side;
use crate::play::Match;
use crate::session::{Position, Report};
use crate::text::Text;

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
        self.game.is_some_and(|game| game.game().pace().is_running)
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
    pub(super) fn known(&self) -> Option<(Side, &'s Report)> {
        let game = self.game?.game();
        game.tree().node(game.shown()).known.as_ref().map(|(side, report)| (*side, &**report))
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
        let has_hint =
            self.game.is_some_and(|game| game.game().tree().node(game.game().shown()).hint.is_some());
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
            hint: game.and_then(|game| game.tree().node(game.shown()).hint.as_deref()),
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
    pub(super) fn overlay_marks(&self) -> Option<Vec<(String, char, Role)>> {
        let index = self.drawing.overlay.checked_sub(1).filter(|_| !self.has_ways())?;
        let ways = usize::from(self.path_overlay_label().is_some());
        let marks = index.checked_sub(ways).and_then(|index| Some(self.shown()?.overlay(index)));
        Some(marks.unwrap_or_default().into_iter().map(|(text, mark)| (text, mark, Role::Path)).collect())
    }

    /// Whether the marks of an overlay lie over the board, in place of the numbers of the best moves.
    pub(super) fn has_overlay_marks(&self) -> bool {
        self.overlay_marks().is_some()
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

    /// The word that takes the first move over, where that is possible now.
    pub(super) fn taking_over(&self) -> Option<&'static str> {
        let present = self.present()?;
        let (word, _) = present.named_moves().first()?;
        present.is_legal(word).then_some(word)
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
