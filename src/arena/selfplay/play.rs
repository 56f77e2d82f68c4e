//! Plays one self-play game of an engine: a random opening, some plies with temperature, then the best
//! moves.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use super::SelfplayPlan;
use super::record::{GameEnding, SHARE_SCALE, SelfplayGame};
use crate::ai::{EngineSpec, Score, ScoreUnit, exact};
use crate::arena::jobs::{UnitError, UnitWorker};
use crate::arena::matches::openings::{Openings, OpeningsError, RandomOpeningGame, play_random_opening};
use crate::game::Outcome;
use crate::random::{
    OPENINGS_STREAM, RandomGenerator, SELF_PLAY_STREAM, TEACHER_STREAM, mix_seed, random_stream,
    sample_weighted_index,
};
use crate::session::{EngineError, Playout};

/// Number of plies after which a game is a draw.
const MAX_GAME_PLIES: usize = 10_000;
/// Number of occurrences of a position that makes a draw.
const DRAW_REPETITIONS: usize = 3;
/// Number of moves that the engine compares during temperature plies.
const MAX_COMPARED_MOVES: usize = 8;
/// Minimum share of a move in the policy. Smaller shares are not stored.
pub(super) const MIN_POLICY_SHARE: f64 = 0.01;

/// Plays the opening of a unit: random plies after which neither side can win at once, or an entry of the
/// list.
///
/// # Errors
/// Returns an error if there is no valid opening.
pub(super) fn play_opening(
    game: &mut dyn Playout,
    plan: &SelfplayPlan,
    unit: u32,
    record: &mut SelfplayGame,
) -> Result<(), OpeningsError> {
    let mut begun = NumberedMoveGame { game, record, unit };
    match &plan.openings {
        Openings::Random(plies) => {
            if !play_random_opening(
                &mut begun,
                *plies,
                random_stream(mix_seed(plan.seed, unit.into()), OPENINGS_STREAM),
                |_| true,
            ) {
                return Err(OpeningsError::GameAlwaysOver(*plies));
            }
        }
        Openings::List(_, entries) => {
            begun.restart();
            let opening = &entries[unit as usize % entries.len()];
            if let Some(position) = &opening.position {
                return Err(OpeningsError::FromPosition(position.clone()));
            }
            for text in &opening.moves {
                begun.play_text_move(text).ok_or_else(|| OpeningsError::NoNumber(text.clone()))?;
            }
        }
        Openings::Balanced(_) => return Err(OpeningsError::Unreadable(plan.openings.spec())),
    }
    record.opening = record.moves.len();
    Ok(())
}

/// Game whose moves are handled as numbers and recorded.
struct NumberedMoveGame<'a> {
    game: &'a mut dyn Playout,
    record: &'a mut SelfplayGame,
    unit: u32,
}

impl NumberedMoveGame<'_> {
    /// Plays the move with this text. Returns `None` if it is illegal or has no number.
    fn play_text_move(&mut self, text: &str) -> Option<()> {
        let texts = self.game.move_texts()?;
        let number =
            texts.iter().position(|one| one == text).and_then(|number| u16::try_from(number).ok())?;
        if !self.game.legal_move_numbers().contains(&number) {
            return None;
        }
        self.game.play(number);
        self.record.moves.push(number);
        Some(())
    }
}

impl RandomOpeningGame for NumberedMoveGame<'_> {
    fn restart(&mut self) {
        self.game.restart();
        self.record.reset(self.unit);
    }

    fn plies(&self) -> usize {
        self.record.moves.len()
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn play_chosen_move(&mut self, choose: &mut dyn FnMut(usize) -> usize) {
        let legal = self.game.legal_move_numbers();
        let number = legal[choose(legal.len())];
        self.game.play(number);
        self.record.moves.push(number);
    }

    fn can_win_at_once(&mut self) -> bool {
        self.game.can_win_at_once()
    }
}

/// Draws one of the move numbers at random.
fn pick_random_move(numbers: &[u16], chance: &mut RandomGenerator) -> u16 {
    numbers[chance.random_range(0..numbers.len())]
}

/// Creates the random generators for the part of a game after its opening.
///
/// The first generator draws moves, the second one the positions that the teacher evaluates.
pub(super) fn unit_generators(plan: &SelfplayPlan, unit: u32) -> [RandomGenerator; 2] {
    [SELF_PLAY_STREAM, TEACHER_STREAM].map(|number| random_stream(mix_seed(plan.seed, unit.into()), number))
}

/// Reports whether the game has ended, and records its outcome if so.
pub(super) fn record_ending_if_over(game: &dyn Playout, record: &mut SelfplayGame) -> bool {
    let (outcome, ending) = match game.outcome() {
        Some(outcome) => (outcome, GameEnding::Rules),
        None if game.repetition_count() >= DRAW_REPETITIONS => (Outcome::Draw, GameEnding::Repetition),
        None if game.plies() >= MAX_GAME_PLIES => (Outcome::Draw, GameEnding::Length),
        None => return false,
    };
    (record.outcome, record.ending) = (outcome, ending);
    true
}

/// Worker that plays games of an engine against itself.
pub(super) struct EngineUnitWorker<'a> {
    plan: &'a SelfplayPlan,
    spec: &'a EngineSpec,
    game: Box<dyn Playout>,
    /// Copy of the game for the teacher, if there is one.
    taught: Option<Box<dyn Playout>>,
    /// Random generators for moves after the opening and for the teacher.
    chance: [RandomGenerator; 2],
    record: SelfplayGame,
    /// Buffer for the weights of the compared moves.
    weights: Vec<f64>,
}

impl<'a> EngineUnitWorker<'a> {
    /// Creates a worker for this engine.
    pub(super) fn new(plan: &'a SelfplayPlan, spec: &'a EngineSpec) -> Self {
        let (record, weights) = (SelfplayGame::default(), Vec::new());
        let taught = plan.teacher.as_ref().map(|_| plan.new_playout());
        EngineUnitWorker {
            plan,
            spec,
            game: plan.new_playout(),
            taught,
            chance: unit_generators(plan, 0),
            record,
            weights,
        }
    }

    /// Creates the player and the teacher of a unit, whose opening has been played.
    fn create_engines(&mut self, unit: u32) -> Result<(), EngineError> {
        let seed = |spec: &EngineSpec| mix_seed(spec.seed.unwrap_or(self.plan.seed), unit.into());
        self.game.seat_engines(self.spec, seed(self.spec))?;
        if let (Some(taught), Some(teacher)) = (&mut self.taught, &self.plan.teacher) {
            taught.restart();
            for &number in &self.record.moves {
                taught.play(number);
            }
            taught.seat_engines(&teacher.spec, seed(&teacher.spec))?;
        }
        Ok(())
    }

    /// Lets the engine choose a move, and records its evaluation of the position.
    fn choose_and_record_move(&mut self, stop: &AtomicBool) -> Result<u16, EngineError> {
        let EngineUnitWorker { plan, spec, game, taught, chance: [chance, lot], record, weights } = self;
        let takes_part = game.plies() < record.opening + plan.temperature_plies;
        let compared = if takes_part { MAX_COMPARED_MOVES } else { 1 };
        let thought = game.choose_move(compared, spec.limits.or_if_unlimited(plan.limits), stop)?;
        compute_move_weights(
            &thought.candidates,
            game.score_unit(spec.level).unwrap_or(ScoreUnit::UNITLESS),
            weights,
        );
        let number = match (takes_part, thought.candidates.as_slice()) {
            (false, _) => thought.number,
            (true, []) => pick_random_move(game.legal_move_numbers(), chance),
            (true, candidates) => candidates[sample_weighted_index(weights, chance)].0,
        };
        // The teacher's evaluation replaces that of the engine.
        let teacher = plan.teacher.as_ref().filter(|teacher| lot.random_range(0..teacher.every) == 0);
        let told = match (taught, teacher) {
            (Some(taught), Some(teacher)) => {
                let told = taught.choose_move(1, teacher.spec.limits.or_if_unlimited(plan.limits), stop)?;
                compute_move_weights(
                    &told.candidates,
                    taught.score_unit(teacher.spec.level).unwrap_or(ScoreUnit::UNITLESS),
                    weights,
                );
                Some(told)
            }
            _ => None,
        };
        let thought = told.as_ref().unwrap_or(&thought);
        let shares = thought.candidates.iter().zip(&*weights).map(|(&(mv, ..), &weight)| (mv, weight));
        let shares = shares.filter(|&(_, weight)| weight > MIN_POLICY_SHARE);
        let shares = shares.map(|(mv, weight)| (mv, to_share(weight)));
        // Without compared moves, the policy is the move of the teacher, or that of the engine if the played move was
        // drawn from all legal moves.
        let is_alone = thought.candidates.is_empty() && (told.is_some() || takes_part);
        let own = is_alone.then_some((thought.number, SHARE_SCALE));
        record.add_position(game.position_key(), thought.score, takes_part, shares.chain(own));
        Ok(number)
    }
}

impl UnitWorker for EngineUnitWorker<'_> {
    fn run_unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, UnitError> {
        let failed = |why: String| UnitError::Failed(format!("unit {unit}: {why}"));
        play_opening(&mut *self.game, self.plan, unit, &mut self.record)
            .map_err(|why| failed(why.to_string()))?;
        self.create_engines(unit).map_err(|error| failed(error.to_string()))?;
        self.chance = unit_generators(self.plan, unit);
        while !record_ending_if_over(&*self.game, &mut self.record) && !stop.load(Ordering::Relaxed) {
            let number = self.choose_and_record_move(stop).map_err(|error| failed(error.to_string()))?;
            if !self.game.play(number) {
                return Err(failed(format!("the engine chose move {number}, which is not legal")));
            }
            if let Some(taught) = &mut self.taught {
                taught.play(number);
            }
            self.record.moves.push(number);
        }
        let mut body = Vec::new();
        self.record.encode(&mut body);
        Ok(body)
    }
}

/// Converts a fraction to an integer share of [`SHARE_SCALE`].
pub(super) fn to_share(weight: f64) -> u16 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of one, rounded")]
    let share = (weight.clamp(0.0, 1.0) * f64::from(SHARE_SCALE)).round() as u16;
    share
}

/// Computes the weights of moves, which sum to 1. They are proportional to visits if the search counts
/// them. Otherwise they are exponential in the scores: a score better by `odds` has e times the weight.
fn compute_move_weights(candidates: &[(u16, Score, u32)], scale: ScoreUnit, weights: &mut Vec<f64>) {
    weights.clear();
    if candidates.iter().any(|&(.., visits)| visits > 0) {
        weights.extend(candidates.iter().map(|&(.., visits)| f64::from(visits)));
    } else {
        let odds = scale.odds.unwrap_or(f64::from(scale.one)).max(1.0);
        let best = candidates.iter().map(|(_, score, _)| score.0).max().unwrap_or_default();
        let worse = |score: &Score| f64::from(score.0.saturating_sub(best));
        weights.extend(candidates.iter().map(|(_, score, _)| exact::exp(worse(score) / odds)));
    }
    let sum: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}
