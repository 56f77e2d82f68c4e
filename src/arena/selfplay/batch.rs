//! Plays many games at once with an evaluator. The games form two halves, so that one half advances while
//! the other is evaluated.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::{Map, Value};

use super::SelfplayPlan;
use super::evaluator::{Evaluations, EvaluatorError, EvaluatorProcess};
use super::play::{MIN_POLICY_SHARE, play_opening, record_ending_if_over, to_share, unit_generators};
use super::record::SelfplayGame;
use crate::ai::Score;
use crate::arena::jobs::{self, JobUnitDispatcher, UnitError, UnitWorker};
use crate::random::{RandomGenerator, sample_weighted_index};
use crate::session::Playout;

/// Value of a won position, in millionths, the unit in which evaluator values are stored.
pub(super) const WON_VALUE_MILLIONTHS: i32 = 1_000_000;

impl From<EvaluatorError> for UnitError {
    fn from(error: EvaluatorError) -> Self {
        UnitError::Failed(error.to_string())
    }
}

/// First line sent to an evaluator.
#[derive(Serialize)]
struct EvaluatorGreeting<'a> {
    crosspath: &'static str,
    schema: u64,
    position_bytes: usize,
    move_count: usize,
    #[serde(flatten)]
    fields: Map<String, Value>,
    moves: &'a [String],
}

/// Game in progress, with its record and random generator.
struct RunningSelfplayGame {
    game: Box<dyn Playout>,
    record: SelfplayGame,
    chance: RandomGenerator,
    is_over: bool,
}

/// Starts games, advances them and submits their records.
struct EvaluatorBatchPlayer<'a> {
    plan: &'a SelfplayPlan,
    desk: &'a JobUnitDispatcher<'a>,
    /// Buffer for the logits of the legal moves.
    logits: Vec<f32>,
    /// Buffer for the probabilities of the legal moves.
    weights: Vec<f64>,
}

/// Worker that plays games with an evaluator on standard input and output.
pub(super) struct EvaluatorUnitWorker<'a> {
    pub(super) plan: &'a SelfplayPlan,
    /// Maximum number of games in each half.
    pub(super) batch: usize,
}

impl UnitWorker for EvaluatorUnitWorker<'_> {
    fn run_unit(&mut self, _: u32, _: &AtomicBool) -> Result<Vec<u8>, UnitError> {
        let why = "an evaluator plays games in batches; it cannot play a single unit";
        Err(UnitError::Failed(why.to_owned()))
    }

    fn run_units(&mut self, desk: &JobUnitDispatcher<'_>) -> Result<(), UnitError> {
        play_with_evaluator(self.plan, desk, self.batch)
    }
}

/// Plays units with an evaluator, in two halves of at most `batch` games.
fn play_with_evaluator(
    plan: &SelfplayPlan,
    desk: &JobUnitDispatcher<'_>,
    batch: usize,
) -> Result<(), UnitError> {
    let playout = plan.new_playout();
    let no_numbers = "an evaluator cannot play this game, because its moves have no numbers";
    let moves = playout.move_texts().ok_or_else(|| UnitError::Failed(no_numbers.to_owned()))?;
    let mut start = Vec::new();
    playout.encode_position(&mut start);
    let mut fields = jobs::kind_specific_fields(&plan.job_fields(0));
    fields.shift_remove("seed");
    let greeting = EvaluatorGreeting {
        crosspath: "evaluator",
        schema: 1,
        position_bytes: start.len(),
        move_count: moves.len(),
        fields,
        moves: &moves,
    };
    let greeting = jobs::to_json_line(&greeting) + "\n";
    let mut evaluator = EvaluatorProcess::new(io::stdin().lock(), io::stdout(), &greeting, moves.len())?;
    let (logits, weights) = (Vec::new(), Vec::new());
    let mut games = EvaluatorBatchPlayer { plan, desk, logits, weights };
    let mut halves = [games.start_games(batch)?, games.start_games(batch)?];
    for half in &halves {
        request_evaluations(&mut evaluator, half)?;
    }
    while halves.iter().any(|half| !half.is_empty()) {
        for half in halves.iter_mut().filter(|half| !half.is_empty()) {
            if desk.stop_flag().load(Ordering::Relaxed) {
                return Ok(());
            }
            let answers = evaluator.read_evaluations(half.len())?;
            for (place, slot) in half.iter_mut().enumerate() {
                games.play_evaluated_move(slot, &answers, place)?;
            }
            half.retain(|slot| !slot.is_over);
            request_evaluations(&mut evaluator, half)?;
        }
    }
    Ok(evaluator.shut_down()?)
}

/// Requests evaluations of the games of a half, unless it is empty.
fn request_evaluations(
    evaluator: &mut EvaluatorProcess<impl Read>,
    half: &[RunningSelfplayGame],
) -> Result<(), EvaluatorError> {
    if half.is_empty() {
        return Ok(());
    }
    evaluator.send_request(half.len(), |question| {
        for slot in half {
            slot.game.encode_position(question);
        }
    })
}

impl EvaluatorBatchPlayer<'_> {
    /// Starts up to `most` games.
    fn start_games(&mut self, most: usize) -> Result<Vec<RunningSelfplayGame>, UnitError> {
        let mut slots = Vec::new();
        while slots.len() < most
            && let Some(slot) = self.start_next_game()?
        {
            slots.push(slot);
        }
        Ok(slots)
    }

    /// Starts the next game. Returns `None` if there are no more units.
    fn start_next_game(&mut self) -> Result<Option<RunningSelfplayGame>, UnitError> {
        let Some(unit) = self.desk.next_unit() else { return Ok(None) };
        let unit = u32::try_from(unit).expect("units of a job are u32");
        let (mut game, mut record) = (self.plan.new_playout(), SelfplayGame::default());
        play_opening(&mut *game, self.plan, unit, &mut record)
            .map_err(|why| UnitError::Failed(format!("unit {unit}: {why}")))?;
        let [chance, _] = unit_generators(self.plan, unit);
        Ok(Some(RunningSelfplayGame { game, record, chance, is_over: false }))
    }

    /// Plays the move chosen from the evaluation. If the game ends, submits its record and starts the next
    /// game in its slot.
    fn play_evaluated_move(
        &mut self,
        slot: &mut RunningSelfplayGame,
        answers: &Evaluations<'_>,
        place: usize,
    ) -> Result<(), UnitError> {
        let EvaluatorBatchPlayer { plan, logits, weights, .. } = self;
        let value = answers.value(place)?;
        let key = slot.game.position_key();
        let legal = slot.game.legal_move_numbers();
        logits.clear();
        answers.append_logits(place, legal, logits)?;
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        weights.clear();
        weights.extend(logits.iter().map(|logit| f64::from((logit - most).exp())));
        let sum: f64 = weights.iter().sum();
        for weight in weights.iter_mut() {
            *weight /= sum;
        }
        let takes_part = slot.record.moves.len() < slot.record.opening + plan.temperature_plies;
        let chosen = if takes_part {
            sample_weighted_index(weights, &mut slot.chance)
        } else {
            logits.iter().position(|&logit| logit >= most).unwrap_or_default()
        };
        let number = legal[chosen];
        let shares = legal.iter().zip(&*weights).filter(|&(_, &weight)| weight > MIN_POLICY_SHARE);
        let shares = shares.map(|(&mv, &weight)| (mv, to_share(weight)));
        #[allow(clippy::cast_possible_truncation, reason = "values are between -1 and 1")]
        let value = (f64::from(value) * f64::from(WON_VALUE_MILLIONTHS)).round() as i32;
        slot.record.add_position(key, Some(Score(value)), takes_part, shares);
        slot.game.play(number);
        slot.record.moves.push(number);
        if record_ending_if_over(&*slot.game, &mut slot.record) {
            let mut body = Vec::new();
            slot.record.encode(&mut body);
            self.desk.send_result(slot.record.unit.into(), body);
            self.desk.finish_unit(slot.record.unit.into());
            match self.start_next_game()? {
                Some(next) => *slot = next,
                None => slot.is_over = true,
            }
        }
        Ok(())
    }
}
