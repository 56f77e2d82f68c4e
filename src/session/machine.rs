//! The machines of a session: an engine of one game behind a face that knows none.

use std::any::Any;
use std::cmp::Reverse;
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Playable;
use crate::ai::{
    Choice, Continuity, Control, Engine, Info, Level, Limits, Scale, Setup, Situation, Status, Tier,
    end_value, one_ply_earlier,
};
use crate::game::Game;

/// A position with its history, to be given to a [`Machine`] of the same game.
#[derive(Debug)]
pub struct Position(Box<dyn Any + Send>);

impl Position {
    /// A position of some game with what led to it.
    pub(super) fn of<G: Playable>(start: G, played: Vec<G::Move>, now: G) -> Self {
        Position(Box::new(Snapshot { start, played, now }))
    }
}

struct Snapshot<G: Game> {
    start: G,
    played: Vec<G::Move>,
    now: G,
}

/// What a search found, with moves as text.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Positions searched.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The value for the mover, in the engine's unit.
    pub score: Option<i32>,
    /// The same as people read it: `+1.3 steps`, `win in 5`.
    pub worth: Option<String>,
    /// How likely the mover wins, from 0 to 1, as far as that is known.
    pub chance: Option<f64>,
    /// The expected line, the chosen move in front.
    pub pv: Vec<String>,
    /// The best moves with their worth, the best one in front, where an adviser was asked.
    pub best: Vec<(String, String)>,
    /// Time used.
    pub elapsed: Duration,
    /// What is proved.
    pub status: Option<Status>,
}

impl Report {
    /// Whether the move was known without a search.
    #[must_use]
    pub fn is_without_search(&self) -> bool {
        self.nodes == 0 && self.score.is_none()
    }
}

/// A machine's move and what it found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move, legal, as records write it.
    pub text: String,
    /// What the search found.
    pub report: Report,
}

/// A machine player.
pub trait Machine: Debug + Send {
    /// Its level.
    fn level(&self) -> Level;
    /// Chooses a move in a position that is not over. Raising `stop` makes it answer at once.
    ///
    /// # Panics
    /// If the position is one of another game.
    fn choose(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &dyn Fn(&Report),
    ) -> Answer;
}

/// An engine behind the object-safe face: a new one for every game, so that nothing leaks from one into the next.
pub(super) struct Seated<G: Playable> {
    pub(super) tier: Tier<G>,
    pub(super) setup: Setup,
    pub(super) engine: Option<Box<dyn Engine<G>>>,
    pub(super) thread: Continuity<G>,
    /// How many of the best moves are reported.
    pub(super) compared: usize,
}

/// How many moves an adviser compares.
pub(super) const COMPARED: usize = 3;

/// A move that was compared with others: its value, and what was found about it.
type Compared<M> = (M, i32, Info<M>);

impl<G: Playable> Seated<G> {
    /// The best moves, the best one in front: the chosen one and those that look best at a glance, each thought about
    /// alike, one ply on. What is proved about the chosen one stays in front; nothing can be worth more.
    fn best_moves(
        &self,
        at: &Situation<'_, G>,
        control: &Control<'_, G::Move>,
        choice: &Choice<G::Move>,
    ) -> Vec<Compared<G::Move>> {
        let Some(score) = choice.info.score.filter(|_| self.compared > 1) else { return Vec::new() };
        let mut engine = (self.tier.build)(at.start, self.setup);
        let mut value = |mv: G::Move, limits: Limits| -> Option<Compared<G::Move>> {
            let mut next = at.now.clone();
            next.make(mv);
            if let Some(outcome) = next.outcome() {
                let info = Info { nodes: 1, depth: 1, score: None, pv: vec![mv], elapsed: Duration::ZERO };
                return Some((mv, end_value(outcome, at.now.to_move(), 1), info));
            }
            let played: Vec<G::Move> = at.played.iter().copied().chain([mv]).collect();
            let after = Situation { start: at.start, played: &played, now: &next };
            let found = engine.choose(&after, &Control { limits, ..*control });
            let pv = [mv].into_iter().chain(found.info.pv).collect();
            let info = Info { depth: found.info.depth + 1, pv, ..found.info };
            info.score.map(|score| (mv, one_ply_earlier(score), info))
        };
        let is_wanted = || control.stop.load(Ordering::Relaxed);
        let mut moves = Vec::new();
        at.now.moves(&mut moves);
        moves.retain(|&mv| mv != choice.mv);
        let glance = Limits { depth: Some(1), nodes: Some(GLANCE), time: None };
        let mut seen: Vec<Compared<G::Move>> = Vec::new();
        for mv in moves {
            if is_wanted() {
                return Vec::new();
            }
            seen.extend(value(mv, glance));
        }
        seen.sort_by_key(|&(_, value, _)| Reverse(value));
        let is_proved = choice.status.is_some_and(|status| status != Status::Unproved);
        let mut best: Vec<Compared<G::Move>> = Vec::new();
        let chosen = (!is_proved).then_some(choice.mv);
        let others = seen.iter().take(self.compared - 1).map(|&(mv, _, _)| mv);
        for mv in chosen.into_iter().chain(others) {
            best.extend(value(mv, control.limits).filter(|_| !is_wanted()));
        }
        if is_proved {
            for (_, value, _) in &mut best {
                *value = (*value).min(score);
            }
            best.insert(0, (choice.mv, score, choice.info.clone()));
        }
        best.sort_by_key(|&(_, value, _)| Reverse(value));
        best
    }
}

/// Positions that a glance at a move may take.
const GLANCE: u64 = 200;

impl<G: Playable> Debug for Seated<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine({})", self.tier.level)
    }
}

impl<G: Playable> Machine for Seated<G> {
    fn level(&self) -> Level {
        self.tier.level
    }

    fn choose(
        &mut self,
        position: &Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &dyn Fn(&Report),
    ) -> Answer {
        let snapshot: &Snapshot<G> =
            position.0.downcast_ref().expect("a machine is asked about positions of its own game");
        let Snapshot { start, played, now } = snapshot;
        let report = |info: &Info<G::Move>| hear(&in_words(now, info, None, self.tier.scale));
        // An adviser thinks once about the position and once about each of the moves, and needs a glance at all.
        let shares = if self.compared > 1 { u32::try_from(self.compared + 2).unwrap_or(1) } else { 1 };
        let limits = Limits { time: limits.time.map(|time| time / shares), ..limits };
        let control = Control { limits, stop, report: &report };
        let at = Situation { start, played, now };
        if !self.thread.continues(&at) {
            self.engine = None;
        }
        let engine = self.engine.get_or_insert_with(|| (self.tier.build)(start, self.setup));
        let choice = engine.choose(&at, &control);
        debug_assert!(now.is_legal(choice.mv), "an engine chose {:?}", choice.mv);
        let best = self.best_moves(&at, &Control { report: &|_| (), ..control }, &choice);
        let mut choice = choice;
        if let Some((mv, value, info)) = best.first() {
            choice.mv = *mv;
            choice.info = Info { score: Some(*value), ..info.clone() };
        }
        let mut report = in_words(now, &choice.info, choice.status, self.tier.scale);
        report.best =
            best.into_iter().map(|(mv, value, _)| (now.show(mv), self.tier.scale.tell(value))).collect();
        Answer { text: now.show(choice.mv), report }
    }
}

fn in_words<G: Playable>(game: &G, info: &Info<G::Move>, status: Option<Status>, scale: Scale) -> Report {
    let Info { nodes, depth, score, pv, elapsed } = info;
    let pv = pv.iter().map(|&mv| game.show(mv)).collect();
    let worth = score.map(|score| scale.tell(score));
    let chance = match status {
        Some(Status::WinIn(_)) => Some(1.0),
        Some(Status::LostIn(_)) => Some(0.0),
        Some(Status::Draw) => Some(0.5),
        Some(Status::Certified | Status::Unproved) | None => score.and_then(|score| scale.chance(score)),
    };
    let (best, nodes, depth) = (Vec::new(), *nodes, *depth);
    Report { nodes, depth, score: *score, worth, chance, pv, best, elapsed: *elapsed, status }
}
