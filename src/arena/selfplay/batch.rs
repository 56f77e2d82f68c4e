//! Many games at once whose positions an evaluator judges: two halves in turn, so that one plays on while the other is
//! judged.

use std::io::{self, Read, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::Plan;
use super::evaluator::{Answers, Evaluator, EvaluatorError};
use super::play::{MIN_SHARE, chance, has_ended, opening, share};
use super::record::GameRecord;
use crate::ai::Score;
use crate::arena::jobs::{Bodies, InOrder, WorkError};
use crate::random::{Generator, drawn};
use crate::session::Playout;

/// The value of a won position; values of evaluators are kept in millionths.
pub(super) const ONE: i32 = 1_000_000;

impl From<EvaluatorError> for WorkError {
    fn from(error: EvaluatorError) -> Self {
        WorkError::Failed(error.to_string())
    }
}

/// Plays these units with the evaluator that listens on standard output and answers on standard input.
pub(super) fn on_standard_streams(
    plan: &Plan,
    units: Range<u32>,
    batch: usize,
) -> Result<Vec<Vec<u8>>, WorkError> {
    play(plan, units, batch, io::stdin().lock(), io::stdout())
}

/// A running game.
struct Slot {
    game: Box<dyn Playout>,
    record: GameRecord,
    chance: Generator,
    is_over: bool,
}

/// The games that are still to begin, and those that have ended.
struct Games<'a> {
    plan: &'a Plan,
    next: Range<u32>,
    bodies: Bodies,
    ended: InOrder<Vec<u8>>,
    /// The logits of the legal moves, and then their parts.
    logits: Vec<f32>,
    weights: Vec<f64>,
}

/// Plays these units with an evaluator, in two halves of at most `batch` games.
pub(super) fn play(
    plan: &Plan,
    units: Range<u32>,
    batch: usize,
    input: impl Read,
    output: impl Write + Send + 'static,
) -> Result<Vec<Vec<u8>>, WorkError> {
    let playout = plan.playout();
    let no_numbers = "an evaluator cannot play this game, because its moves have no numbers";
    let moves = playout.move_texts().ok_or_else(|| WorkError::Failed(no_numbers.to_owned()))?;
    let mut start = Vec::new();
    playout.position(&mut start);
    let mut greeting = json!({
        "crosspath": "evaluator", "schema": 1, "position_bytes": start.len(), "move_count": moves.len(),
    });
    if let Value::Object(members) = &mut greeting {
        members.extend(plan.members());
        members.insert("moves".to_owned(), moves.clone().into());
    }
    let mut evaluator = Evaluator::new(input, output, &format!("{greeting}\n"), moves.len())?;
    let (bodies, ended) = (Bodies::default(), InOrder::from(units.start.into()));
    let (logits, weights) = (Vec::new(), Vec::new());
    let mut games = Games { plan, next: units, bodies, ended, logits, weights };
    let mut halves = [games.fill(batch)?, games.fill(batch)?];
    for half in &halves {
        ask(&mut evaluator, half)?;
    }
    while halves.iter().any(|half| !half.is_empty()) {
        for half in halves.iter_mut().filter(|half| !half.is_empty()) {
            let answers = evaluator.answer(half.len())?;
            for (place, slot) in half.iter_mut().enumerate() {
                games.advance(slot, &answers, place)?;
            }
            half.retain(|slot| !slot.is_over);
            ask(&mut evaluator, half)?;
        }
    }
    evaluator.leave()?;
    Ok(games.bodies.all())
}

/// Asks about the games of a half, if there are any.
fn ask(evaluator: &mut Evaluator<impl Read>, half: &[Slot]) -> Result<(), EvaluatorError> {
    if half.is_empty() {
        return Ok(());
    }
    evaluator.ask(half.len(), |question| {
        for slot in half {
            slot.game.position(question);
        }
    })
}

impl Games<'_> {
    /// Begins at most so many games.
    fn fill(&mut self, most: usize) -> Result<Vec<Slot>, WorkError> {
        let mut slots = Vec::new();
        while slots.len() < most && !self.next.is_empty() {
            let (game, record) = (self.plan.playout(), GameRecord::default());
            let [chance, _] = chance(self.plan, 0);
            let mut slot = Slot { game, record, chance, is_over: false };
            self.begin(&mut slot)?;
            slots.push(slot);
        }
        Ok(slots)
    }

    /// Begins the next game in a slot; where there is none the slot is over.
    fn begin(&mut self, slot: &mut Slot) -> Result<(), WorkError> {
        let Some(unit) = self.next.next() else {
            slot.is_over = true;
            return Ok(());
        };
        [slot.chance, _] = chance(self.plan, unit);
        opening(&mut *slot.game, self.plan, unit, &mut slot.record)
            .map_err(|why| WorkError::Failed(format!("unit {unit}: {why}")))
    }

    /// Plays the move that an answer leads to; a game that has ended is kept, and the next one begins.
    fn advance(&mut self, slot: &mut Slot, answers: &Answers<'_>, place: usize) -> Result<(), WorkError> {
        let Games { plan, logits, weights, .. } = self;
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
            self.bodies.count(&body)?;
            self.ended.add(slot.record.unit.into(), body);
            while let Some((_, body)) = self.ended.pop() {
                self.bodies.push(body);
            }
            self.begin(slot)?;
        }
        Ok(())
    }
}
