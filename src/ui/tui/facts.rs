//! Facts about the match that the screen shows. Before the first game there is no match.

use crate::game::Side;
use crate::play::{Match, PracticeItem};
use crate::session::{Position, SearchReport};

/// The match, or `None` before the first game.
pub(super) type OptionalMatch<'m> = Option<&'m Match>;

/// Phase of a match: who has to act next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchPhase {
    /// The player has to answer.
    Asking,
    /// The engine is choosing a move.
    Thinking,
    /// The engine is computing a hint or an evaluation.
    Advising,
}

/// Facts about a match that may not exist yet.
pub(super) trait MatchFacts<'m>: Sized + Copy {
    /// Returns the match, if there is one.
    fn current_match(self) -> OptionalMatch<'m>;

    /// Returns the position on the screen.
    fn shown_position(self) -> Option<&'m dyn Position> {
        self.current_match().map(|game| &**game.shown_position())
    }

    /// Returns the present position of the game.
    fn present_position(self) -> Option<&'m dyn Position> {
        self.current_match().map(|game| &**game.present_position())
    }

    /// Returns the phase of the match.
    fn phase(self) -> MatchPhase {
        match self.current_match() {
            Some(game) if game.is_advising() => MatchPhase::Advising,
            Some(game) if game.is_thinking() => MatchPhase::Thinking,
            _ => MatchPhase::Asking,
        }
    }

    /// Reports whether no human plays in the game.
    fn has_no_human_player(self) -> bool {
        self.current_match().is_some_and(|game| !game.game().has_human())
    }

    /// Reports whether the game is replayed move by move.
    fn is_replay(self) -> bool {
        self.has_no_human_player()
            || self.current_match().is_some_and(|game| game.game().is_stepped_through())
    }

    /// Reports whether an analysis board is shown, where the game tree is edited freely.
    fn is_analysis(self) -> bool {
        self.current_match().is_some_and(|game| game.game().is_analysis())
    }

    /// Returns the mistake on the screen, if the player is practising their own mistakes.
    fn practice(self) -> Option<&'m PracticeItem> {
        self.current_match().and_then(|game| game.game().practice_item())
    }

    /// Reports whether the shown position differs from the present position of a running game.
    fn shows_other_position(self) -> bool {
        self.current_match().is_some_and(|game| game.game().is_browsing())
    }

    /// Reports whether two engines are playing a game that is not over.
    fn is_engine_match(self) -> bool {
        self.current_match().is_some_and(|game| game.game().is_engine_match())
    }

    /// Reports whether a replay or an engine match is playing automatically.
    fn is_autoplaying(self) -> bool {
        self.current_match().is_some_and(|game| game.game().playback_state().is_running)
    }

    /// Reports whether two engines are playing and the player has paused them.
    fn is_engine_match_stopped(self) -> bool {
        self.is_engine_match() && !self.is_autoplaying()
    }

    /// Reports whether the game is being reviewed.
    fn is_reviewing(self) -> bool {
        self.current_match().is_some_and(|game| game.game().review_progress().is_some())
    }

    /// Reports whether the game is over.
    fn is_game_over(self) -> bool {
        self.present_position().is_some_and(|present| present.outcome().is_some())
    }

    /// Returns the human's side, if exactly one side is human.
    fn human_side(self) -> Option<Side> {
        self.current_match().and_then(|game| game.game().sole_human_side())
    }

    /// Returns the ply of the last move of the shown line.
    fn last_ply(self) -> usize {
        self.current_match().map_or(0, Match::last_ply)
    }

    /// Reports whether a human has to move in the position on the screen.
    fn is_players_turn(self) -> bool {
        let is_asked = self.phase() != MatchPhase::Thinking && !self.has_no_human_player();
        self.present_position().is_some_and(|present| present.outcome().is_none())
            && is_asked
            && !self.shows_other_position()
    }

    /// Returns an engine's report on the shown position, with the side whose view it takes.
    fn engine_report(self) -> Option<(Side, &'m SearchReport)> {
        let game = self.current_match()?.game();
        if game.shown_lesson().is_some_and(|lesson| lesson.shown_move_count() > 0) {
            return None; // the better line belongs to no game
        }
        game.tree().node(game.shown_node()).known.as_ref().map(|(side, report)| (*side, &**report))
    }

    /// Returns the lines of the comment on the position on the screen.
    fn comments(self) -> &'m [String] {
        let game = self.current_match().map(Match::game);
        let game =
            game.filter(|game| game.shown_lesson().is_none_or(|lesson| lesson.shown_move_count() == 0));
        game.map_or(&[], |game| &game.tree().node(game.shown_node()).comments)
    }

    /// Reports whether a report for `side` is about the next move.
    ///
    /// Otherwise it is about the last move, by the other side.
    fn is_report_for_side_to_move(self, side: Side) -> bool {
        self.shown_position().is_some_and(|shown| shown.to_move() == side)
    }

    /// Reports whether the game is between two engines. Their reports are shown without a request.
    fn is_between_engines(self) -> bool {
        self.current_match().is_some_and(|game| game.game().is_between_engines())
    }

    /// Returns the swap command, if the swap is legal now.
    fn available_swap_command(self) -> Option<&'static str> {
        let present = self.present_position()?;
        let (word, _) = present.named_moves().first()?;
        present.is_legal(word).then_some(word)
    }
}

impl<'m> MatchFacts<'m> for OptionalMatch<'m> {
    fn current_match(self) -> OptionalMatch<'m> {
        self
    }
}

impl<'m> MatchFacts<'m> for &'m Match {
    fn current_match(self) -> OptionalMatch<'m> {
        Some(self)
    }
}
