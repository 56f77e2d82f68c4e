//! One game of an engine with itself: a random opening, some plies with chance, then what the engine chooses.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use super::SelfplayPlan;
use super::record::{Ending, SelfplayGame, WHOLE};
use crate::ai::{EngineSpec, Score, ScoreUnit, exact};
use crate::arena::jobs::{UnitWorker, WorkError};
use crate::arena::matches::openings::{Openings, OpeningsError, RandomOpening, begin};
use crate::game::Outcome;
use crate::random::{Generator, OPENINGS, SELF_PLAY, TAUGHT, drawn, mix, stream};
use crate::session::{EngineError, Playout};

/// A game longer than any is a draw.
const MAX_GAME_PLIES: usize = 10_000;
/// A position that comes so often is a draw.
const REPETITIONS: usize = 3;
/// Moves that are compared where chance takes part.
const COMPARED_MOVES: usize = 8;
/// Moves with a smaller part of the whole are not kept.
pub(super) const MIN_SHARE: f64 = 0.01;

/// The opening of a unit: random plies, after which the game goes on and cannot be won at once, or the next of a list.
///
/// # Errors
/// If there is none.
pub(super) fn opening(
    game: &mut dyn Playout,
    plan: &SelfplayPlan,
    unit: u32,
    record: &mut SelfplayGame,
) -> Result<(), OpeningsError> {
    let mut begun = NumberedGame { game, record, unit };
    match &plan.openings {
        Openings::Random(plies) => {
            if !begin(&mut begun, *plies, stream(mix(plan.seed, unit.into()), OPENINGS), |_| true) {
                return Err(OpeningsError::None(*plies));
            }
        }
        Openings::List(_, entries) => {
            begun.restart();
            let opening = &entries[unit as usize % entries.len()];
            if let Some(position) = &opening.position {
                return Err(OpeningsError::FromPosition(position.clone()));
            }
            for text in &opening.moves {
                begun.play(text).ok_or_else(|| OpeningsError::NoNumber(text.clone()))?;
            }
        }
        Openings::Balanced(_) => return Err(OpeningsError::Unreadable(plan.openings.spec())),
    }
    record.opening = record.moves.len();
    Ok(())
}

/// A game with its moves as numbers, which its record keeps.
struct NumberedGame<'a> {
    game: &'a mut dyn Playout,
    record: &'a mut SelfplayGame,
    unit: u32,
}

impl NumberedGame<'_> {
    /// Plays a legal move that has a number; `None` if there is no such move.
    fn play(&mut self, text: &str) -> Option<()> {
        let texts = self.game.move_texts()?;
        let number =
            texts.iter().position(|one| one == text).and_then(|number| u16::try_from(number).ok())?;
        if !self.game.legal().contains(&number) {
            return None;
        }
        self.game.play(number);
        self.record.moves.push(number);
        Some(())
    }
}

impl RandomOpening for NumberedGame<'_> {
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

/// The generators of all chance of a unit behind its opening: of the moves, and of what a teacher judges.
pub(super) fn chance(plan: &SelfplayPlan, unit: u32) -> [Generator; 2] {
    [SELF_PLAY, TAUGHT].map(|number| stream(mix(plan.seed, unit.into()), number))
}

/// Writes the end into the record if the game has come to it.
pub(super) fn has_ended(game: &dyn Playout, record: &mut SelfplayGame) -> bool {
    let (outcome, ending) = match game.outcome() {
        Some(outcome) => (outcome, Ending::Rules),
        None if game.repetition() >= REPETITIONS => (Outcome::Draw, Ending::Repetition),
        None if game.plies() >= MAX_GAME_PLIES => (Outcome::Draw, Ending::Length),
        None => return false,
    };
    (record.outcome, record.ending) = (outcome, ending);
    true
}

/// Plays games of an engine, one after the other.
pub(super) struct EngineGames<'a> {
    plan: &'a SelfplayPlan,
    spec: &'a EngineSpec,
    game: Box<dyn Playout>,
    /// Copy of the game for the teacher, if there is one.
    taught: Option<Box<dyn Playout>>,
    /// All chance behind the opening, and that of the teacher.
    chance: [Generator; 2],
    record: SelfplayGame,
    /// The parts of the moves that were compared.
    weights: Vec<f64>,
}

impl<'a> EngineGames<'a> {
    pub(super) fn new(plan: &'a SelfplayPlan, spec: &'a EngineSpec) -> Self {
        let (record, weights) = (SelfplayGame::default(), Vec::new());
        let taught = plan.teacher.as_ref().map(|_| plan.playout());
        EngineGames { plan, spec, game: plan.playout(), taught, chance: chance(plan, 0), record, weights }
    }

    /// Seats the players of a unit behind its opening, and the teacher.
    fn set_engine(&mut self, unit: u32) -> Result<(), EngineError> {
        let seed = |spec: &EngineSpec| mix(spec.seed.unwrap_or(self.plan.seed), unit.into());
        self.game.set_engine(self.spec, seed(self.spec))?;
        if let (Some(taught), Some(teacher)) = (&mut self.taught, &self.plan.teacher) {
            taught.restart();
            for &number in &self.record.moves {
                taught.play(number);
            }
            taught.set_engine(&teacher.spec, seed(&teacher.spec))?;
        }
        Ok(())
    }

    /// Lets the engine choose a move, and keeps what was thought about the position.
    fn think(&mut self, stop: &AtomicBool) -> Result<u16, EngineError> {
        let EngineGames { plan, spec, game, taught, chance: [chance, lot], record, weights } = self;
        let takes_part = game.plies() < record.opening + plan.temperature_plies;
        let compared = if takes_part { COMPARED_MOVES } else { 1 };
        let thought = game.think(compared, spec.limits.or(plan.limits), stop)?;
        weigh(&thought.candidates, game.scale(spec.level).unwrap_or(ScoreUnit::PLAIN), weights);
        let number = match (takes_part, thought.candidates.as_slice()) {
            (false, _) => thought.number,
            (true, []) => one_of(game.legal(), chance),
            (true, candidates) => candidates[drawn(weights, chance)].0,
        };
        // What the teacher says counts more.
        let teacher = plan.teacher.as_ref().filter(|teacher| lot.random_range(0..teacher.every) == 0);
        let told = match (taught, teacher) {
            (Some(taught), Some(teacher)) => {
                let told = taught.think(1, teacher.spec.limits.or(plan.limits), stop)?;
                weigh(
                    &told.candidates,
                    taught.scale(teacher.spec.level).unwrap_or(ScoreUnit::PLAIN),
                    weights,
                );
                Some(told)
            }
            _ => None,
        };
        let thought = told.as_ref().unwrap_or(&thought);
        let shares = thought.candidates.iter().zip(&*weights).map(|(&(mv, ..), &weight)| (mv, weight));
        let shares = shares.filter(|&(_, weight)| weight > MIN_SHARE);
        let shares = shares.map(|(mv, weight)| (mv, share(weight)));
        // Where nothing was compared, the choice of the teacher is the policy, and where chance alone has chosen, the
        // engine's own.
        let is_alone = thought.candidates.is_empty() && (told.is_some() || takes_part);
        let own = is_alone.then_some((thought.number, WHOLE));
        record.add(game.key(), thought.score, takes_part, shares.chain(own));
        Ok(number)
    }
}

impl UnitWorker for EngineGames<'_> {
    fn unit(&mut self, unit: u32, stop: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let failed = |why: String| WorkError::Failed(format!("unit {unit}: {why}"));
        opening(&mut *self.game, self.plan, unit, &mut self.record).map_err(|why| failed(why.to_string()))?;
        self.set_engine(unit).map_err(|error| failed(error.to_string()))?;
        self.chance = chance(self.plan, unit);
        while !has_ended(&*self.game, &mut self.record) && !stop.load(Ordering::Relaxed) {
            let number = self.think(stop).map_err(|error| failed(error.to_string()))?;
            if !self.game.play(number) {
                return Err(failed(format!("the engine chose move {number}, which is not legal")));
            }
            if let Some(taught) = &mut self.taught {
                taught.play(number);
            }
            self.record.moves.push(number);
        }
        let mut body = Vec::new();
        self.record.write(&mut body);
        Ok(body)
    }
}

/// A part of one as a part of [`WHOLE`].
pub(super) fn share(weight: f64) -> u16 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of one, rounded")]
    let share = (weight.clamp(0.0, 1.0) * f64::from(WHOLE)).round() as u16;
    share
}

/// The parts of moves, together 1: by how often the search looked at them where it counts that, otherwise by their scores: a
/// score better by the odds of the scale has e times the part.
fn weigh(candidates: &[(u16, Score, u32)], scale: ScoreUnit, weights: &mut Vec<f64>) {
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
