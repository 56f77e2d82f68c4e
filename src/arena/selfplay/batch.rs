//! Many games at once whose positions an evaluator judges: two halves in turn, so that one plays on while the other is
//! judged.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::{Map, Value};

use super::SelfplayPlan;
use super::evaluator::{Evaluations, EvaluatorError, EvaluatorProcess};
use super::play::{MIN_SHARE, chance, has_ended, opening, share};
use super::record::SelfplayGame;
use crate::ai::Score;
use crate::arena::jobs::{self, UnitDesk, UnitWorker, WorkError};
use crate::random::{Generator, drawn};
use crate::session::Playout;

/// The value of a won position; values of evaluators are kept in millionths.
pub(super) const ONE: i32 = 1_000_000;

impl From<EvaluatorError> for WorkError {
    fn from(error: EvaluatorError) -> Self {
        WorkError::Failed(error.to_string())
    }
}

/// The first line for an evaluator.
#[derive(Serialize)]
struct Greeting<'a> {
    crosspath: &'static str,
    schema: u64,
    position_bytes: usize,
    move_count: usize,
    #[serde(flatten)]
    fields: Map<String, Value>,
    moves: &'a [String],
}

/// A running game.
struct RunningGame {
    game: Box<dyn Playout>,
    record: SelfplayGame,
    chance: Generator,
    is_over: bool,
}

/// The games that are still to begin, and those that have ended.
struct PendingGames<'a> {
    plan: &'a SelfplayPlan,
    desk: &'a UnitDesk<'a>,
    /// The logits of the legal moves, and then their parts.
    logits: Vec<f32>,
    weights: Vec<f64>,
}

/// Plays games with the evaluator that listens on standard output and answers on standard input.
pub(super) struct EvaluatorGames<'a> {
    pub(super) plan: &'a SelfplayPlan,
    /// The most games in each half.
    pub(super) batch: usize,
}

impl UnitWorker for EvaluatorGames<'_> {
    fn unit(&mut self, _: u32, _: &AtomicBool) -> Result<Vec<u8>, WorkError> {
        let why = "an evaluator plays games in batches; it cannot play a single unit";
        Err(WorkError::Failed(why.to_owned()))
    }

    fn work(&mut self, desk: &UnitDesk<'_>) -> Result<(), WorkError> {
        play(self.plan, desk, self.batch)
    }
}

/// Plays units with an evaluator, in two halves of at most `batch` games.
fn play(plan: &SelfplayPlan, desk: &UnitDesk<'_>, batch: usize) -> Result<(), WorkError> {
    let playout = plan.playout();
    let no_numbers = "an evaluator cannot play this game, because its moves have no numbers";
    let moves = playout.move_texts().ok_or_else(|| WorkError::Failed(no_numbers.to_owned()))?;
    let mut start = Vec::new();
    playout.position(&mut start);
    let mut fields = jobs::job_fields(&plan.fields(0));
    fields.shift_remove("seed");
    let greeting = Greeting {
        crosspath: "evaluator",
        schema: 1,
        position_bytes: start.len(),
        move_count: moves.len(),
        fields,
        moves: &moves,
    };
    let greeting = jobs::json(&greeting) + "\n";
    let mut evaluator = EvaluatorProcess::new(io::stdin().lock(), io::stdout(), &greeting, moves.len())?;
    let (logits, weights) = (Vec::new(), Vec::new());
    let mut games = PendingGames { plan, desk, logits, weights };
    let mut halves = [games.fill(batch)?, games.fill(batch)?];
    for half in &halves {
        ask(&mut evaluator, half)?;
    }
    while halves.iter().any(|half| !half.is_empty()) {
        for half in halves.iter_mut().filter(|half| !half.is_empty()) {
            if desk.stop().load(Ordering::Relaxed) {
                return Ok(());
            }
            let answers = evaluator.answer(half.len())?;
            for (place, slot) in half.iter_mut().enumerate() {
                games.advance(slot, &answers, place)?;
            }
            half.retain(|slot| !slot.is_over);
            ask(&mut evaluator, half)?;
        }
    }
    Ok(evaluator.leave()?)
}

/// Asks about the games of a half, if there are any.
fn ask(evaluator: &mut EvaluatorProcess<impl Read>, half: &[RunningGame]) -> Result<(), EvaluatorError> {
    if half.is_empty() {
        return Ok(());
    }
    evaluator.ask(half.len(), |question| {
        for slot in half {
            slot.game.position(question);
        }
    })
}

impl PendingGames<'_> {
    /// Begins at most `most` games.
    fn fill(&mut self, most: usize) -> Result<Vec<RunningGame>, WorkError> {
        let mut slots = Vec::new();
        while slots.len() < most
            && let Some(slot) = self.begin()?
        {
            slots.push(slot);
        }
        Ok(slots)
    }

    /// Begins the next game; `None` if there are no more.
    fn begin(&mut self) -> Result<Option<RunningGame>, WorkError> {
        let Some(unit) = self.desk.next_unit() else { return Ok(None) };
        let unit = u32::try_from(unit).expect("units of a job are u32");
        let (mut game, mut record) = (self.plan.playout(), SelfplayGame::default());
        opening(&mut *game, self.plan, unit, &mut record)
            .map_err(|why| WorkError::Failed(format!("unit {unit}: {why}")))?;
        let [chance, _] = chance(self.plan, unit);
        Ok(Some(RunningGame { game, record, chance, is_over: false }))
    }

    /// Plays the move that an answer leads to; a game that has ended is kept, and the next one begins.
    fn advance(
        &mut self,
        slot: &mut RunningGame,
        answers: &Evaluations<'_>,
        place: usize,
    ) -> Result<(), WorkError> {
        let PendingGames { plan, logits, weights, .. } = self;
        let value = answers.value(place)?;
        let key = slot.game.key();
        let legal = slot.game.legal();
        logits.clear();
        answers.logits(place, legal, logits)?;
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        weights.clear();
        weights.extend(logits.iter().map(|logit| f64::from((logit - most).exp())));
        let sum: f64 = weights.iter().sum();
        for weight in weights.iter_mut() {
            *weight /= sum;
        }
        let takes_part = slot.record.moves.len() < slot.record.opening + plan.temperature_plies;
        let chosen = if takes_part {
            drawn(weights, &mut slot.chance)
        } else {
            logits.iter().position(|&logit| logit >= most).unwrap_or_default()
        };
        let number = legal[chosen];
        let shares = legal.iter().zip(&*weights).filter(|&(_, &weight)| weight > MIN_SHARE);
        let shares = shares.map(|(&mv, &weight)| (mv, share(weight)));
        #[allow(clippy::cast_possible_truncation, reason = "values are between -1 and 1")]
        let value = (f64::from(value) * f64::from(ONE)).round() as i32;
        slot.record.add(key, Some(Score(value)), takes_part, shares);
        slot.game.play(number);
        slot.record.moves.push(number);
        if has_ended(&*slot.game, &mut slot.record) {
            let mut body = Vec::new();
            slot.record.write(&mut body);
            self.desk.hand_in(slot.record.unit.into(), body);
            self.desk.finish(slot.record.unit.into());
            match self.begin()? {
                Some(next) => *slot = next,
                None => slot.is_over = true,
            }
        }
        Ok(())
    }
}
