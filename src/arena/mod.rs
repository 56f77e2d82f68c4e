//! Matches between engines: pairs of games from one opening with the seats exchanged, and what they say.
//! Knows sessions and levels, no particular game.

pub mod evaluator;
pub mod hash;
pub mod job;
pub mod merge;
mod report;
pub mod selfplay;
pub mod shard;
pub mod solving;
pub mod sprt;
pub mod stats;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use rand::RngExt;

use crate::ai::{EngineConfig, EngineSpec, Limits, NoSuchLevel, SpecError};
use crate::arena::sprt::Sprt;
use crate::game::{Outcome, Refusal, Side};
use crate::random::{OPENINGS, mix, stream};
use crate::registry::{Entry, OpenError, Variant};
use crate::session::{History, Position, Purpose};

pub use report::MatchReport;

/// Tries to find an opening that leaves a game.
const OPENING_TRIES: u32 = 1_000;
/// So many repeated pairs in a row show that there are no other games to play.
const MAX_DUPLICATES: u32 = 20;
/// A game longer than any is a draw.
const MAX_PLIES: usize = 10_000;

/// One of the two engines of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Its name in the report.
    pub name: String,
    /// What it is. Limits of its own replace those of the match.
    pub spec: EngineSpec,
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The board does not exist.
    #[error("--{0}")]
    Board(#[from] OpenError),
    /// An engine is not written as it must be.
    #[error("--engine {0:?} is not NAME=level:LEVEL, such as a=level:5{1}")]
    Unreadable(String, String),
    /// The game has no such level.
    #[error("--engine {0}: {1}")]
    NoSuchLevel(String, NoSuchLevel),
    /// Two engines have one name, or there are not two.
    #[error("a match needs exactly two engines with different names")]
    NotTwo,
    /// The openings are not written as they must be.
    #[error("--openings {0:?} is neither none nor random:K")]
    Openings(String),
    /// So many plies at random always end the game or let it be won at once.
    #[error("no opening of {0} random plies leaves a game; take a smaller number")]
    NoOpening(usize),
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub entry: &'static Entry,
    /// Its board.
    pub variant: Variant,
    /// The two engines; the first has First in the first game of each pair.
    pub engines: [Contestant; 2],
    /// Random plies at the start of each game.
    pub opening_plies: usize,
    /// Pairs of games at most.
    pub pairs: u64,
    /// The test that may end the match earlier.
    pub sprt: Option<Sprt>,
    /// The seed of openings and engines.
    pub seed: u64,
    /// Limits that replace the levels' own.
    pub limits: Limits,
    /// How many pairs are played at a time.
    pub threads: usize,
}

/// An opening, and the pair of games from it.
type Pair = (Vec<String>, [Played; 2]);

/// One game of a pair.
struct Played {
    outcome: Outcome,
    forfeit: Option<Side>,
    moves: Vec<String>,
    nodes: [u64; 2],
    counts: [u64; 2],
}

impl Plan {
    /// A match of 100 pairs between two engines written `NAME=SPEC`; see [`EngineSpec`].
    ///
    /// # Errors
    /// Says which part is wrong.
    pub fn new(
        entry: &'static Entry,
        variant: &Variant,
        engines: &[String],
        openings: Option<&str>,
    ) -> Result<Self, PlanError> {
        let start = entry.start(variant)?;
        let engines: Vec<Contestant> =
            engines.iter().map(|text| contestant(text, &*start)).collect::<Result<_, _>>()?;
        let engines: [Contestant; 2] = engines.try_into().map_err(|_| PlanError::NotTwo)?;
        if engines[0].name == engines[1].name {
            return Err(PlanError::NotTwo);
        }
        let opening_plies = match openings {
            None => (entry.opening_plies)(&entry.choose(variant)?),
            Some("none") => 0,
            Some(text) => {
                let plies = text.strip_prefix("random:").and_then(|plies| plies.parse().ok());
                plies.ok_or_else(|| PlanError::Openings(text.to_owned()))?
            }
        };
        let (variant, sprt, limits) = (variant.clone(), None, Limits::default());
        Ok(Plan { entry, variant, engines, opening_plies, pairs: 100, sprt, seed: 1, limits, threads: 1 })
    }

    /// Plays the match, several pairs at a time; `line` is told of every finished pair, in their order. Neither lines nor
    /// report depend on the number of threads.
    ///
    /// # Errors
    /// If `line` fails, or if no opening leaves a game to play.
    pub fn run(&self, line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<MatchReport> {
        let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            let (finished, queue) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let (finished, next, stop) = (finished.clone(), &next, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let unit = next.fetch_add(1, Ordering::Relaxed);
                        if unit >= self.pairs || finished.send((unit, self.pair(unit, stop))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(finished);
            let report = self.counted(&queue, line);
            stop.store(true, Ordering::Relaxed);
            report
        })
    }

    /// Counts the pairs in their order until the match is decided.
    fn counted(
        &self,
        queue: &Receiver<(u64, Result<Pair, PlanError>)>,
        line: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<MatchReport> {
        let names = self.engines.clone().map(|engine| engine.name);
        let mut report = MatchReport { names, sprt: self.sprt, ..MatchReport::default() };
        let (mut early, mut known, mut repeated) = (BTreeMap::new(), BTreeSet::new(), 0);
        for unit in 0..self.pairs {
            while !early.contains_key(&unit) {
                early.extend([queue.recv().map_err(io::Error::other)?]);
            }
            let (opening, games) = early.remove(&unit).expect("it came").map_err(io::Error::other)?;
            if !known.insert([games[0].moves.clone(), games[1].moves.clone()]) {
                report.duplicates += 1;
                repeated += 1;
                report.is_exhausted = repeated > MAX_DUPLICATES;
                if report.is_exhausted {
                    break;
                }
                continue;
            }
            repeated = 0;
            let (points, name) = (report.count(&games), &report.names[0]);
            let opening = if opening.is_empty() { "none".to_owned() } else { opening.join(" ") };
            line(&format!("pair {unit}: {name} {points:.1} of 2, opening {opening}"))?;
            report.verdict = self.sprt.and_then(|sprt| sprt.verdict(&report.counts));
            if report.verdict.is_some() {
                break;
            }
        }
        Ok(report)
    }

    /// Plays one opening from both sides.
    fn pair(&self, unit: u64, stop: &AtomicBool) -> Result<Pair, PlanError> {
        let opening = self.opening(unit)?;
        let games = [[0, 1], [1, 0]].map(|seats| self.game(&opening, unit, seats, stop));
        Ok((opening, games))
    }

    /// Looks for the first opening.
    ///
    /// # Errors
    /// If there is none.
    pub fn check(&self) -> Result<(), PlanError> {
        self.opening(0).map(|_| ())
    }

    fn history(&self) -> History {
        self.entry.history(&self.variant).expect("the plan has opened this board before")
    }

    /// Random legal plies after which the game goes on and cannot be won at once.
    fn opening(&self, unit: u64) -> Result<Vec<String>, PlanError> {
        let mut generator = stream(mix(self.seed, unit), OPENINGS);
        for _ in 0..OPENING_TRIES {
            let mut session = self.history();
            let mut moves = Vec::new();
            while moves.len() < self.opening_plies && session.outcome().is_none() {
                let legal = session.legal();
                let text = &legal[generator.random_range(0..legal.len())];
                moves.push(session.play(text).expect("legal"));
            }
            if session.outcome().is_none() && (moves.is_empty() || !can_win_at_once(&mut session)) {
                return Ok(moves);
            }
        }
        Err(PlanError::NoOpening(self.opening_plies))
    }

    /// One game; `seats` says which engine has First and which Second.
    fn game(&self, opening: &[String], unit: u64, seats: [usize; 2], stop: &AtomicBool) -> Played {
        let mut session = self.history();
        for text in opening {
            session.play(text).expect("openings are legal");
        }
        let mut machines = Side::each(|side| {
            let spec = self.engines[seats[side.index()]].spec;
            let config = EngineConfig::for_side(mix(spec.seed.unwrap_or(self.seed), unit), side);
            session.machine(spec.level, &config).expect("the plan has checked the levels")
        });
        let (mut nodes, mut counts) = ([0; 2], [0; 2]);
        let mut forfeit = None;
        while session.outcome().is_none() && session.plies() < MAX_PLIES {
            if session.repetition() >= 3 || stop.load(Ordering::Relaxed) {
                break; // a draw, or the match is decided
            }
            let side = session.to_move();
            let machine = &mut machines[side.index()];
            let position = session.now().clone();
            let limits = self.engines[seats[side.index()]].spec.limits.or(self.limits);
            let think = AssertUnwindSafe(|| machine.answer(Purpose::Move, &*position, limits, stop, &|_| ()));
            let answer = catch_unwind(think).ok().and_then(Result::ok);
            let played =
                answer.and_then(|answer| session.play(&answer.text).ok().map(|_| answer.report.nodes));
            let Some(searched) = played else {
                forfeit = Some(side);
                break;
            };
            nodes[seats[side.index()]] += searched;
            counts[seats[side.index()]] += 1;
        }
        let lost = forfeit.map(|side| Outcome::Win(side.other()));
        let outcome = lost.or(session.outcome()).unwrap_or(Outcome::Draw);
        Played { outcome, forfeit, moves: session.played(), nodes, counts }
    }
}

/// Reads `NAME=SPEC`.
fn contestant(text: &str, session: &dyn Position) -> Result<Contestant, PlanError> {
    let unreadable = |why: String| PlanError::Unreadable(text.to_owned(), why);
    let named = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, spec) = named.ok_or_else(|| unreadable(String::new()))?;
    let (name, levels) = (Refusal::shown(name), session.levels());
    match spec.parse::<EngineSpec>() {
        Ok(spec) => match spec.level.among(&levels) {
            Ok(_) => Ok(Contestant { name, spec }),
            Err(error) => Err(PlanError::NoSuchLevel(name, error)),
        },
        Err(SpecError::Level(got)) => {
            Err(PlanError::NoSuchLevel(name, NoSuchLevel { got: Refusal::shown(&got), levels }))
        }
        Err(why) => Err(unreadable(format!(": {why}"))),
    }
}

fn can_win_at_once(session: &mut History) -> bool {
    let mover = session.to_move();
    session.legal().iter().any(|text| {
        session.play(text).expect("legal");
        let wins = session.outcome() == Some(Outcome::Win(mover));
        session.undo();
        wins
    })
}
