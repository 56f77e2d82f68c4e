//! The end of a decided race: against an opponent without walls, it runs where the steps alone win. Knows the rules.

use super::race::fastest_win;
use crate::ai::{Choice, Engine, GameHistory, Info, Proof, SearchControl, WIN};
use crate::game::Game;
use crate::games::quoridor::{Move, Quoridor};

/// Plays as another engine until its race is won for certain.
pub(super) struct RaceEngine {
    engine: Box<dyn Engine<Quoridor>>,
}

impl RaceEngine {
    pub(super) fn boxed(engine: Box<dyn Engine<Quoridor>>) -> Box<dyn Engine<Quoridor>> {
        Box::new(RaceEngine { engine })
    }
}

impl Engine<Quoridor> for RaceEngine {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn next_candidate(&mut self) {
        self.engine.next_candidate();
    }

    fn choose(&mut self, at: &GameHistory<'_, Quoridor>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        run(at.now).unwrap_or_else(|| self.engine.choose(at, control))
    }
}

/// The next step of a race that the opponent cannot change.
fn run(game: &Quoridor) -> Option<Choice<Move>> {
    if game.walls_left(game.to_move().other()) > 0 {
        return None;
    }
    let (cell, plies) = fastest_win(game)?;
    let proof = Some(Proof::WinIn(plies.unsigned_abs()));
    Some(Choice { proof, ..Info::of(vec![cell.into()], Some(WIN - plies)).choice() })
}
