//! One game of an engine with itself: a random opening, some plies with chance, then what the engine chooses.

use std::sync::atomic::AtomicBool;

use rand::RngExt;

use super::record::{Ending, GameRecord, WHOLE};
use super::{Plan, Player};
use crate::ai::{Score, ScoreUnit};
use crate::arena::job::{WorkError, Worker};
use crate::arena::openings::{Beginning, OpeningsError, begin};
use crate::game::Outcome;
use crate::random::{Generator, OPENINGS, SELF_PLAY, mix, stream};
use crate::session::Playout;

/// A game longer than any is a draw.
const LONGEST: usize = 10_000;
/// A position that comes so often is a draw.
const REPETITIONS: usize = 3;
/// Moves that are compared where chance takes part.
const COMPARED: usize = 8;
/// Moves with a smaller part of the whole are not kept.
pub(super) const LEAST_SHARE: f64 = 0.01;

/// The random plies of a unit, after which the game goes on and cannot be won at once.
///
/// # Errors
/// If there are none.
pub(super) fn opening(
    game: &mut dyn Playout,
    plan: &Plan,
    unit: u32,
    record: &mut GameRecord,
) -> Result<(), String> {
    let mut begun = InNumbers { game, record, unit };
    if begin(&mut begun, plan.opening_plies, stream(mix(plan.seed, unit.into()), OPENINGS), |_| true) {
        record.opening = record.moves.len();
        return Ok(());
    }
    Err(OpeningsError::None(plan.opening_plies).to_string())
}

/// A game with its moves as numbers, which its record keeps.
struct InNumbers<'a> {
    game: &'a mut dyn Playout,
    record: &'a mut GameRecord,
    unit: u32,
}

impl Beginning for InNumbers<'_> {
    fn restart(&mut self) {
        self.game.restart();
        self.record.begin(self.unit);
    }

    fn plies(&self) -> usize {
        self.record.moves.len()
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn play_one(&mut self, choose: &mut dyn FnMut(usize) -> usize) {
        let legal = self.game.legal();
        let number = legal[choose(legal.len())];
        self.game.play(number);
        self.record.moves.push(number);
    }

    fn can_win_at_once(&mut self) -> bool {
        self.game.can_win_at_once()
    }
}

fn one_of(numbers: &[u16], chance: &mut Generator) -> u16 {
    numbers[chance.random_range(0..numbers.len())]
}

/// The generator of all chance of a unit behind its opening.
pub(super) fn chance(plan: &Plan, unit: u32) -> Generator {
    stream(mix(plan.seed, unit.into()), SELF_PLAY)
}

/// Writes the end into the record if the game has come to it.
pub(super) fn has_ended(game: &dyn Playout, record: &mut GameRecord) -> bool {
    let (outcome, ending) = match game.outcome() {
        Some(outcome) => (outcome, Ending::Rules),
        None if game.repetition() >= REPETITIONS => (Outcome::Draw, Ending::Repetition),
        None if game.plies() >= LONGEST => (Outcome::Draw, Ending::Length),
        None => return false,
    };
    (record.outcome, record.ending) = (outcome, ending);
    true
}

/// Plays games of an engine, one after the other.
pub(super) struct EngineGames<'a> {
    plan: &'a Plan,
    game: Box<dyn Playout>,
    record: GameRecord,
    /// The parts of the moves that were compared.
    weights: Vec<f64>,
}

impl<'a> EngineGames<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let (record, weights) = (GameRecord::default(), Vec::new());
        EngineGames { plan, game: plan.playout(), record, weights }
    }
}

impl Worker for EngineGames<'_> {
    fn unit(&mut self, unit: u32, body: &mut Vec<u8>) -> Result<(), WorkError> {
        let EngineGames { plan, game, record, weights } = self;
        let Player::Engine(spec) = &plan.player else {
            return Err(WorkError::Failed("an evaluator plays many games at once".to_owned()));
        };
        let failed = |why: String| WorkError::Failed(format!("unit {unit}: {why}"));
        let stop = AtomicBool::new(false);
        opening(&mut **game, plan, unit, record).map_err(failed)?;
        let seed = mix(spec.seed.unwrap_or(plan.seed), unit.into());
        game.seat(spec, seed).map_err(|error| failed(error.to_string()))?;
        let scale = game.scale(spec.level).unwrap_or(ScoreUnit::PLAIN);
        let limits = spec.limits.or(plan.limits);
        let mut chance = chance(plan, unit);
        while !has_ended(&**game, record) {
            let takes_part = game.plies() < record.opening + plan.temperature_plies;
            let compared = if takes_part { COMPARED } else { 1 };
            let thought = game.think(compared, limits, &stop).map_err(|error| failed(error.to_string()))?;
            let number = match (takes_part, thought.candidates.as_slice()) {
                (false, _) => thought.number,
                (true, []) => one_of(game.legal(), &mut chance),
                (true, candidates) => {
                    weigh(candidates, scale, weights);
                    candidates[drawn(weights, &mut chance)].0
                }
            };
            let shares = thought.candidates.iter().zip(&*weights).map(|(&(mv, _), &weight)| (mv, weight));
            let shares = shares.filter(|&(_, weight)| weight > LEAST_SHARE);
            let shares = shares.map(|(mv, weight)| (mv, share(weight)));
            // Where chance alone has chosen, the engine's own choice is the policy.
            let own = (takes_part && thought.candidates.is_empty()).then_some((thought.number, WHOLE));
            record.add(game.key(), thought.score, takes_part, shares.chain(own));
            if !game.play(number) {
                return Err(failed(format!("the engine chose move {number}, which is not legal")));
            }
            record.moves.push(number);
        }
        record.write(body);
        Ok(())
    }
}

/// A part of one as a part of [`WHOLE`].
pub(super) fn share(weight: f64) -> u16 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of one, rounded")]
    let share = (weight.clamp(0.0, 1.0) * f64::from(WHOLE)).round() as u16;
    share
}

/// The parts of moves by their scores, together 1: a score better by the odds of the scale has e times the part.
fn weigh(candidates: &[(u16, Score)], scale: ScoreUnit, weights: &mut Vec<f64>) {
    let odds = scale.odds.unwrap_or(f64::from(scale.one)).max(1.0);
    let best = candidates.iter().map(|(_, score)| score.0).max().unwrap_or_default();
    weights.clear();
    weights
        .extend(candidates.iter().map(|(_, score)| exp_of(f64::from(score.0.saturating_sub(best)) / odds)));
    let sum: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}

/// About e to a number that is not positive: (1 + x/1024)^1024, with nothing that differs between machines.
fn exp_of(x: f64) -> f64 {
    let base = (1.0 + x / 1024.0).max(0.0);
    (0..10).fold(base, |power, _| power * power)
}

/// A place drawn by its part.
pub(super) fn drawn(weights: &[f64], chance: &mut Generator) -> usize {
    let mut left: f64 = f64::from(chance.random_range(0..=u32::MAX)) / (f64::from(u32::MAX) + 1.0);
    for (place, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return place;
        }
    }
    weights.len() - 1
}
