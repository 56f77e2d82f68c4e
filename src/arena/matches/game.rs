//! One game between two engines, and the machines that play it. Knows sessions, levels and programs, no particular game.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::game_record::ArenaGame;
use super::opening::Opening;
use super::plan::{Contestant, ContestantEngine, MatchPlan};
use crate::external::Program;
use crate::game::{BySide, Outcome, Side};
use crate::platform::thread_time;
use crate::random::mix;
use crate::session::{
    EngineAnswer, EngineError, Forfeit, ForfeitReason, History, Machine, Position, Purpose, RESIGN,
};
use crate::thinking::Language;

/// An engine and the seat for which it was started.
#[derive(Debug)]
pub(super) struct SeatedMachine {
    /// The unit for which it was built; a program plays more than one.
    unit: Option<u64>,
    side: Side,
    machine: Box<dyn Machine>,
}

/// Says for each engine of a match whether it has ever answered, on any thread.
pub(super) type AnsweredFlags = Arc<[AtomicBool]>;

/// The engines of one thread. External programs stay from game to game.
#[derive(Debug)]
pub(super) struct EnginePool {
    pub(super) idle: BTreeMap<usize, SeatedMachine>,
    have_answered: AnsweredFlags,
}

/// The result of a game, the reason for it in a word, and the side at fault if there is one.
type GameResult = (Outcome, &'static str, Option<(Side, Forfeit)>);

/// The cost of a game for one engine.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    nodes: u64,
    /// Elapsed time, if it has moved.
    time: Option<Duration>,
    /// CPU time, if the system reports it.
    cpu_time: Option<Duration>,
}

impl EnginePool {
    /// Makes an empty pool.
    pub(super) fn new(have_answered: AnsweredFlags) -> Self {
        EnginePool { idle: BTreeMap::new(), have_answered }
    }

    /// Checks the answer of an engine. An engine that has answered before can play, so a fault costs it only this game.
    fn play_judged(
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

    /// Takes the engine for this side in a game of this unit, or starts it.
    fn take(
        &mut self,
        plan: &MatchPlan,
        engine: usize,
        unit: u64,
        side: Side,
        at: &dyn Position,
    ) -> Result<SeatedMachine, EngineError> {
        let contestant = &plan.engines[engine];
        match &contestant.player {
            ContestantEngine::Level(spec) => {
                let config = spec.config(mix(spec.seed.unwrap_or(plan.seed), unit), side);
                Ok(SeatedMachine { unit: None, side, machine: at.machine(spec.level, &config)? })
            }
            ContestantEngine::Program(spec) => {
                // Another build gets the seed of the pair; a program that is told its side when it is started, the side.
                let unit = spec.is_own_build().then_some(unit);
                let stays = |seated: &SeatedMachine| {
                    seated.unit == unit && (seated.side == side || spec.language() != Some(Language::Ep5))
                };
                if let Some(mut seated) = self.idle.remove(&engine).filter(stays) {
                    seated.machine.new_game();
                    return Ok(seated);
                }
                let seed = mix(plan.seed, unit.unwrap_or_default());
                let limits = contestant.limits.or(plan.limits);
                let program = Program::new(spec, at, side, seed, limits, plan.patience)?;
                Ok(SeatedMachine { unit, side, machine: Box::new(program) })
            }
        }
    }
}

impl MatchPlan {
    /// One game; `seats` says which engine has First and which Second. `None` if it was stopped.
    ///
    /// # Errors
    /// If an engine cannot be started, or fails before it has ever answered.
    pub(super) fn game(
        &self,
        opening: &Opening,
        (unit, game): (u64, u8),
        seats: [usize; 2],
        pool: &mut EnginePool,
        stop: &AtomicBool,
    ) -> Result<Option<ArenaGame>, (usize, EngineError)> {
        let mut session = opening.game(self.entry, &self.variant).expect("openings are legal");
        let engines = BySide::new(seats[0], seats[1]);
        let (mut costs, mut machines) = (BySide::<Cost>::default(), Vec::new());
        for side in Side::BOTH {
            let seated = pool.take(self, engines[side], unit, side, &**session.now());
            machines.push(seated.map_err(|why| (engines[side], why))?);
        }
        let played = self.play_out(&mut session, &mut machines, engines, &mut costs, (pool, stop))?;
        let Some((result, reason, mut failed)) = played else { return Ok(None) };
        if failed.is_none() {
            failed = Side::BOTH.into_iter().find_map(|side| {
                match machines[side.index()].machine.confirm_result(&**session.now()) {
                    Err(EngineError::Forfeit(forfeit)) if forfeit.reason == ForfeitReason::Disagree => {
                        Some((side, *forfeit))
                    }
                    _ => None, // the game is over, whatever happens to a program now
                }
            });
        }
        for (side, seated) in Side::BOTH.into_iter().zip(machines) {
            if let ContestantEngine::Program(_) = self.engines[engines[side]].player {
                pool.idle.insert(engines[side], seated);
            }
        }
        let moves = session.played().split_off(opening.moves.len());
        // To a thousandth: fast levels play whole games in one.
        let ms = |time: Duration| (1e6 * time.as_secs_f64()).round() / 1e3;
        let [first, second] = seats.map(|engine| self.engines[engine].name.clone());
        Ok(Some(ArenaGame {
            unit,
            game,
            engines: seats,
            first,
            second,
            position: opening.position.clone(),
            first_mover: session.now().first_mover(),
            opening: opening.moves.clone(),
            plies: opening.moves.len() + moves.len(),
            moves,
            result,
            reason: reason.to_owned(),
            forfeit: failed.as_ref().map(|(side, _)| *side),
            nodes: Side::each(|side| costs[side].nodes),
            ms: Some(Side::each(|side| costs[side].time.map(ms))),
            cpu_ms: Some(Side::each(|side| costs[side].cpu_time.map(ms))),
            seed: mix(self.seed, unit),
            fault: failed.map(|(_, forfeit)| forfeit),
        }))
    }

    /// Plays to the end: how that came, and who was at fault. `None` if it was stopped.
    fn play_out(
        &self,
        session: &mut History,
        machines: &mut [SeatedMachine],
        engines: BySide<usize>,
        costs: &mut BySide<Cost>,
        (pool, stop): (&EnginePool, &AtomicBool),
    ) -> Result<Option<GameResult>, (usize, EngineError)> {
        while session.outcome().is_none() && session.plies() < self.max_plies && session.repetition() < 3 {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let side = session.to_move();
            let lost = Outcome::Win(side.other());
            let machine = &mut *machines[side.index()].machine;
            match self.turn(engines[side], machine, session, &mut costs[side], (pool, stop)) {
                Ok(true) => {}
                Ok(false) => return Ok(Some((lost, RESIGN, None))),
                Err(EngineError::Forfeit(forfeit)) if !stop.load(Ordering::Relaxed) => {
                    return Ok(Some((lost, forfeit.reason.name(), Some((side, *forfeit)))));
                }
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
                Err(why) => return Err((engines[side], why)),
            }
        }
        let (result, reason) = self.by_the_rules(session);
        Ok(Some((result, reason, None)))
    }

    /// One move; false if the engine gives up.
    fn turn(
        &self,
        engine: usize,
        machine: &mut dyn Machine,
        session: &mut History,
        cost: &mut Cost,
        (pool, stop): (&EnginePool, &AtomicBool),
    ) -> Result<bool, EngineError> {
        let Contestant { player, limits, .. } = &self.engines[engine];
        let limits = limits.or(self.limits);
        let forfeit = |reason, said: String| {
            EngineError::from(Box::new(Forfeit { reason, said, notes: String::new() }))
        };
        let position = session.now().clone();
        let (began, used) = (Instant::now(), thread_time());
        let think = AssertUnwindSafe(|| machine.answer(Purpose::Move, &*position, limits, stop, &|_| ()));
        let answer = catch_unwind(think)
            .unwrap_or_else(|_| Err(forfeit(ForfeitReason::Crash, "the engine panicked".to_owned())));
        let (elapsed, own) = (began.elapsed(), used.zip(thread_time()));
        let EngineAnswer { text, report } = pool.play_judged(engine, answer)?;
        cost.nodes += report.nodes;
        // A program works elsewhere, and looks at its own time.
        let is_ours = matches!(player, ContestantEngine::Level(_));
        *cost.time.get_or_insert_default() += if is_ours { elapsed } else { report.elapsed };
        let own = own.map(|(before, after)| after.saturating_sub(before)).filter(|_| is_ours);
        if let Some(used) = report.cpu_time.or(own) {
            *cost.cpu_time.get_or_insert_default() += used;
        }
        let most = limits.time.zip(self.patience.margin).map(|(time, margin)| time.saturating_add(margin));
        if is_ours && most.is_some_and(|most| elapsed > most) {
            let said = format!("the engine answered too late, after {} ms", elapsed.as_millis());
            return Err(forfeit(ForfeitReason::Time, said));
        }
        if text == RESIGN {
            return Ok(false);
        }
        let played = session.play(&text);
        played
            .map_err(|why| forfeit(ForfeitReason::Illegal, format!("the engine played {text:?}: {why}")))?;
        Ok(true)
    }

    /// Returns the result of a game without a forfeit, and the reason for it.
    fn by_the_rules(&self, session: &History) -> (Outcome, &'static str) {
        match session.outcome() {
            Some(outcome @ Outcome::Win(_)) => (outcome, self.entry.won_by),
            Some(Outcome::Draw) => (Outcome::Draw, "full"),
            None if session.repetition() >= 3 => (Outcome::Draw, "repetition"),
            None => (Outcome::Draw, "length"),
        }
    }
}
