//! Facts of the match for the screen. Before the first game there are none. Knows nothing of the
//! screen.

use crate::game::Side;
use crate::play::{Match, Practice};
use crate::session::{Position, SearchReport};

/// Match, once there is one.
pub(super) type Game<'m> = Option<&'m Match>;

/// Party whose answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The player is to answer.
    Asking,
    /// The engine is to move.
    Thinking,
    /// The engine is to give advice.
    Advising,
}

/// Facts of a match that may not have begun.
pub(super) trait Facts<'m>: Sized + Copy {
    /// Returns the match.
    fn game(self) -> Game<'m>;

    /// Returns the position on the screen.
    fn shown(self) -> Option<&'m dyn Position> {
        self.game().map(|game| &**game.shown())
    }

    /// Returns the present position.
    fn present(self) -> Option<&'m dyn Position> {
        self.game().map(|game| &**game.present_position())
    }

    /// Returns the party whose answer is awaited.
    fn phase(self) -> Phase {
        match self.game() {
            Some(game) if game.is_advising() => Phase::Advising,
            Some(game) if game.is_thinking() => Phase::Thinking,
            _ => Phase::Asking,
        }
    }

    /// Reports whether nobody plays.
    fn is_watched(self) -> bool {
        self.game().is_some_and(|game| !game.game().has_human())
    }

    /// Reports whether a game is shown move by move.
    fn is_replay(self) -> bool {
        self.is_watched() || self.game().is_some_and(|game| game.game().is_gone_through())
    }

    /// Reports whether a tree is walked and edited freely.
    fn is_analysis(self) -> bool {
        self.game().is_some_and(|game| game.game().is_analysis())
    }

    /// Returns the mistake that is shown, where your own are practised.
    fn practice(self) -> Option<&'m Practice> {
        self.game().and_then(|game| game.game().practice())
    }

    /// Reports whether another position than the present one of a running game is shown.
    fn is_looking(self) -> bool {
        self.game().is_some_and(|game| game.game().is_looking())
    }

    /// Reports whether a game between two engines is not over yet.
    fn is_match(self) -> bool {
        self.game().is_some_and(|game| game.game().is_match())
    }

    /// Reports whether a replay or a match of engines is playing by itself.
    fn is_running(self) -> bool {
        self.game().is_some_and(|game| game.game().pace().is_running)
    }

    /// Reports whether two engines play, and the player has stopped them.
    fn is_stopped(self) -> bool {
        self.is_match() && !self.is_running()
    }

    /// Reports whether the game is being reviewed.
    fn is_reviewing(self) -> bool {
        self.game().is_some_and(|game| game.game().review_progress().is_some())
    }

    /// Reports whether the game is over.
    fn is_over(self) -> bool {
        self.present().is_some_and(|present| present.outcome().is_some())
    }

    /// Returns the side of the one person, where exactly one plays.
    fn you(self) -> Option<Side> {
        self.game().and_then(|game| game.game().only_human())
    }

    /// Returns the ply of the last move of the line that is shown.
    fn last_ply(self) -> usize {
        self.game().map_or(0, Match::last_ply)
    }

    /// Reports whether a person is asked for a move of the position on the screen.
    fn is_players_turn(self) -> bool {
        let is_asked = self.phase() != Phase::Thinking && !self.is_watched();
        self.present().is_some_and(|present| present.outcome().is_none()) && is_asked && !self.is_looking()
    }

    /// Returns an engine's report on the position on the screen, and the side that it is for.
    fn known(self) -> Option<(Side, &'m SearchReport)> {
        let game = self.game()?.game();
        if game.lesson().is_some_and(|lesson| lesson.step() > 0) {
            return None; // the better line belongs to no game
        }
        game.tree().node(game.shown()).known.as_ref().map(|(side, report)| (*side, &**report))
    }

    /// Returns the comment on the position on the screen, by lines.
    fn comments(self) -> &'m [String] {
        let game = self.game().map(Match::game);
        let game = game.filter(|game| game.lesson().is_none_or(|lesson| lesson.step() == 0));
        game.map_or(&[], |game| &game.tree().node(game.shown()).comments)
    }

    /// Reports whether a report on the position is one for the side to move, not for the other
    /// side's last move.
    fn is_about_the_next_move(self, side: Side) -> bool {
        self.shown().is_some_and(|shown| shown.to_move() == side)
    }

    /// Reports whether engines play by themselves, and their reports are shown.
    fn tells_itself(self) -> bool {
        self.game().is_some_and(|game| game.game().is_between_engines())
    }

    /// Returns the command for the swap, where that is possible now.
    fn taking_over(self) -> Option<&'static str> {
        let present = self.present()?;
        let (word, _) = present.named_moves().first()?;
        present.is_legal(word).then_some(word)
    }
}

impl<'m> Facts<'m> for Game<'m> {
    fn game(self) -> Game<'m> {
        self
    }
}

impl<'m> Facts<'m> for &'m Match {
    fn game(self) -> Game<'m> {
        Some(self)
    }
}
