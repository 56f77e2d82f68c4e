//! Engine that plays out decided races: once the opponent has no walls and pawn moves alone win, it only
//! moves its pawn. This module depends on the rules and the race tables.

use super::race::find_fastest_race_win;
use crate::ai::{Engine, GameHistory, MoveChoice, ProofStatus, SearchControl, SearchInfo, WIN_VALUE};
use crate::game::Game;
use crate::games::quoridor::{Move, Quoridor};

/// An engine that lets another engine choose until it can certainly win the race.
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

    fn reset_for_next_candidate(&mut self) {
        self.engine.reset_for_next_candidate();
    }

    fn choose(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        control: &SearchControl<'_, Move>,
    ) -> MoveChoice<Move> {
        choose_race_winning_step(at.now).unwrap_or_else(|| self.engine.choose(at, control))
    }
}

/// Returns the next step of a won race against an opponent without walls.
fn choose_race_winning_step(game: &Quoridor) -> Option<MoveChoice<Move>> {
    if game.walls_left(game.to_move().other()) > 0 {
        return None;
    }
    let (cell, plies) = find_fastest_race_win(game)?;
    let proof = Some(ProofStatus::WinIn(plies.unsigned_abs()));
    Some(MoveChoice {
        proof,
        ..SearchInfo::from_pv(vec![cell.into()], Some(WIN_VALUE - plies)).into_choice()
    })
}
