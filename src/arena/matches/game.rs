//! Plays one game between two engines, which come from a pool.
//!
//! This module does not depend on any particular game.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::game_record::ArenaGame;
use super::opening::Opening;
use super::plan::{Contestant, ContestantEngine, MatchPlan};
use crate::external::ExternalEngine;
use crate::game::{BySide, Outcome, Side};
use crate::platform::thread_cpu_time;
use crate::random::mix_seed;
use crate::session::{
    AnyEngine, EngineAnswer, EngineError, EngineRequest, Forfeit, ForfeitReason, Position, PositionHistory,
    RESIGN_WORD,
};
use crate::thinking::ExternalProtocol;

/// Engine instance with the side and unit it was started for.
#[derive(Debug)]
pub(super) struct PooledEngine {
    /// Unit the engine was started for, or `None` if it may play several.
    unit: Option<u64>,
    side: Side,
    machine: Box<dyn AnyEngine>,
}

/// One flag per engine of a match: `true` once the engine has answered on any thread.
pub(super) type EngineAnsweredFlags = Arc<[AtomicBool]>;

/// Engines of one thread. External programs stay in the pool between games.
#[derive(Debug)]
pub(super) struct EnginePool {
    pub(super) idle: BTreeMap<usize, PooledEngine>,
    have_answered: EngineAnsweredFlags,
}

/// Outcome of a game, the reason as one word, and the side at fault with its forfeit, if any.
type ResultWithReason = (Outcome, &'static str, Option<(Side, Forfeit)>);

/// Nodes and time that one engine used in a game.
#[derive(Clone, Copy, Debug, Default)]
struct EngineCost {
    nodes: u64,
    /// Elapsed time, if the engine has moved.
    time: Option<Duration>,
    /// CPU time, if the system reports it.
    cpu_time: Option<Duration>,
}

impl EnginePool {
    /// Creates an empty pool.
    pub(super) fn new(have_answered: EngineAnsweredFlags) -> Self {
        EnginePool { idle: BTreeMap::new(), have_answered }
    }

    /// Checks the answer of an engine.
    ///
    /// An engine that has answered before is known to work, so a failure only forfeits this game.
    fn check_answer(
        &self,
        engine: usize,
        answer: Result<EngineAnswer, EngineError>,
    ) -> Result<EngineAnswer, EngineError> {
        let has_answered = &self.have_answered[engine];
        match answer {
            Err(EngineError::NeverAnswered(forfeit)) if has_answered.load(Ordering::SeqCst) => {
                Err(EngineError::Forfeit(forfeit))
            }
            Ok(_) | Err(EngineError::Forfeit(_)) => {
                has_answered.store(true, Ordering::SeqCst);
                answer
            }
            Err(_) => answer,
        }
    }

    /// Takes the engine for this side and unit from the pool, or starts it.
    fn take_or_start(
        &mut self,
        plan: &MatchPlan,
        engine: usize,
        unit: u64,
        side: Side,
        at: &dyn Position,
    ) -> Result<PooledEngine, EngineError> {
        let contestant = &plan.engines[engine];
        match &contestant.player {
            ContestantEngine::Level(spec) => {
                let config = spec.config_for_side(mix_seed(spec.seed.unwrap_or(plan.seed), unit), side);
                Ok(PooledEngine { unit: None, side, machine: at.build_engine(spec.level, &config)? })
            }
            ContestantEngine::Program(spec) => {
                // Another build of crosspath gets the seed of the pair. An ep5 program is started for one side.
                let unit = spec.is_crosspath_build().then_some(unit);
                let stays = |seated: &PooledEngine| {
                    seated.unit == unit
                        && (seated.side == side || spec.protocol() != Some(ExternalProtocol::Ep5))
                };
                if let Some(mut seated) = self.idle.remove(&engine).filter(stays) {
                    seated.machine.new_game();
                    return Ok(seated);
                }
                let seed = mix_seed(plan.seed, unit.unwrap_or_default());
                let limits = contestant.limits.or_if_unlimited(plan.limits);
                let program = ExternalEngine::new(spec, at, side, seed, limits, plan.timeouts)?;
                Ok(PooledEngine { unit, side, machine: Box::new(program) })
            }
        }
    }
}

impl MatchPlan {
    /// Plays one game. `seats` holds the indices of the engines that play First and Second. Returns `None`
    /// if stopped.
    ///
    /// # Errors
    /// Returns an error if an engine cannot be started, or fails before it has ever answered.
    pub(super) fn play_game(
        &self,
        opening: &Opening,
        (unit, game): (u64, u8),
        seats: [usize; 2],
        pool: &mut EnginePool,
        stop: &AtomicBool,
    ) -> Result<Option<ArenaGame>, (usize, EngineError)> {
        let mut session = opening.start_game(self.entry, &self.variant).expect("openings are legal");
        let engines = BySide::new(seats[0], seats[1]);
        let (mut costs, mut machines) = (BySide::<EngineCost>::default(), Vec::new());
        for side in Side::BOTH {
            let seated = pool.take_or_start(self, engines[side], unit, side, &**session.current());
            machines.push(seated.map_err(|why| (engines[side], why))?);
        }
        let played = self.play_to_end(&mut session, &mut machines, engines, &mut costs, (pool, stop))?;
        let Some((result, reason, mut failed)) = played else { return Ok(None) };
        if failed.is_none() {
            failed = Side::BOTH.into_iter().find_map(|side| {
                match machines[side.index()].machine.confirm_result(&**session.current()) {
                    Err(EngineError::Forfeit(forfeit)) if forfeit.reason == ForfeitReason::Disagree => {
                        Some((side, *forfeit))
                    }
                    _ => None, // the game is over, so other failures no longer matter
                }
            });
        }
        for (side, seated) in Side::BOTH.into_iter().zip(machines) {
            if let ContestantEngine::Program(_) = self.engines[engines[side]].player {
                pool.idle.insert(engines[side], seated);
            }
        }
        let moves = session.played_moves().split_off(opening.moves.len());
        // Rounded to 0.001 ms, because fast levels play whole games within 1 ms.
        let ms = |time: Duration| (1e6 * time.as_secs_f64()).round() / 1e3;
        let [first, second] = seats.map(|engine| self.engines[engine].name.clone());
        Ok(Some(ArenaGame {
            unit,
            game,
            engines: seats,
            first,
            second,
            position: opening.position.clone(),
            first_mover: session.current().first_mover(),
            opening: opening.moves.clone(),
            plies: opening.moves.len() + moves.len(),
            moves,
            result,
            reason: reason.to_owned(),
            forfeit: failed.as_ref().map(|(side, _)| *side),
            nodes: Side::map_both(|side| costs[side].nodes),
            ms: Some(Side::map_both(|side| costs[side].time.map(ms))),
            cpu_ms: Some(Side::map_both(|side| costs[side].cpu_time.map(ms))),
            seed: mix_seed(self.seed, unit),
            fault: failed.map(|(_, forfeit)| forfeit),
        }))
    }

    /// Plays a game to its end and returns the result, or `None` if stopped.
    fn play_to_end(
        &self,
        session: &mut PositionHistory,
        machines: &mut [PooledEngine],
        engines: BySide<usize>,
        costs: &mut BySide<EngineCost>,
        (pool, stop): (&EnginePool, &AtomicBool),
    ) -> Result<Option<ResultWithReason>, (usize, EngineError)> {
        while session.outcome().is_none()
            && session.plies() < self.max_plies
            && session.repetition_count() < 3
        {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let side = session.to_move();
            let lost = Outcome::Win(side.other());
            let machine = &mut *machines[side.index()].machine;
            match self.play_turn(engines[side], machine, session, &mut costs[side], (pool, stop)) {
                Ok(true) => {}
                Ok(false) => return Ok(Some((lost, RESIGN_WORD, None))),
                Err(EngineError::Forfeit(forfeit)) if !stop.load(Ordering::Relaxed) => {
                    return Ok(Some((lost, forfeit.reason.name(), Some((side, *forfeit)))));
                }
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
                Err(why) => return Err((engines[side], why)),
            }
        }
        let (result, reason) = self.result_by_rules(session);
        Ok(Some((result, reason, None)))
    }

    /// Plays one move. Returns `false` if the engine resigns.
    fn play_turn(
        &self,
        engine: usize,
        machine: &mut dyn AnyEngine,
        session: &mut PositionHistory,
        cost: &mut EngineCost,
        (pool, stop): (&EnginePool, &AtomicBool),
    ) -> Result<bool, EngineError> {
        let Contestant { player, limits, .. } = &self.engines[engine];
        let limits = limits.or_if_unlimited(self.limits);
        let forfeit = |reason, said: String| {
            EngineError::from(Box::new(Forfeit { reason, said, notes: String::new() }))
        };
        let position = session.current().clone();
        let (began, used) = (Instant::now(), thread_cpu_time());
        let think =
            AssertUnwindSafe(|| machine.answer(EngineRequest::Move, &*position, limits, stop, &|_| ()));
        let answer = catch_unwind(think)
            .unwrap_or_else(|_| Err(forfeit(ForfeitReason::Crash, "the engine panicked".to_owned())));
        let (elapsed, own) = (began.elapsed(), used.zip(thread_cpu_time()));
        let EngineAnswer { text, report } = pool.check_answer(engine, answer)?;
        cost.nodes += report.nodes;
        // External programs run in their own process and report their own time.
        let is_ours = matches!(player, ContestantEngine::Level(_));
        *cost.time.get_or_insert_default() += if is_ours { elapsed } else { report.elapsed };
        let own = own.map(|(before, after)| after.saturating_sub(before)).filter(|_| is_ours);
        if let Some(used) = report.cpu_time.or(own) {
            *cost.cpu_time.get_or_insert_default() += used;
        }
        let most = limits.time.zip(self.timeouts.margin).map(|(time, margin)| time.saturating_add(margin));
        if is_ours && most.is_some_and(|most| elapsed > most) {
            let said = format!("the engine answered too late, after {} ms", elapsed.as_millis());
            return Err(forfeit(ForfeitReason::Time, said));
        }
        if text == RESIGN_WORD {
            return Ok(false);
        }
        let played = session.play(&text);
        played
            .map_err(|why| forfeit(ForfeitReason::Illegal, format!("the engine played {text:?}: {why}")))?;
        Ok(true)
    }

    /// Returns the result of a game without a forfeit, and the reason for it.
    fn result_by_rules(&self, session: &PositionHistory) -> (Outcome, &'static str) {
        match session.outcome() {
            Some(outcome @ Outcome::Win(_)) => (outcome, self.entry.won_by),
            Some(Outcome::Draw) => (Outcome::Draw, "full"),
            None if session.repetition_count() >= 3 => (Outcome::Draw, "repetition"),
            None => (Outcome::Draw, "length"),
        }
    }
}
