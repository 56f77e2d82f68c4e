//! The machines of a session: an engine of one game behind a face that knows none.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Playable, Position, TypedPosition};
use crate::ai::{
    BuildError, Choice, DisplayedScore, EngineHost, FindOutcome, Info, Limits, NoSuchLevel, Proof, Score,
    ScoreUnit, SearchControl, after_move, legal_moves,
};
use crate::game::Refusal;

/// A move that a machine has compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateMove {
    /// The move, as records write it.
    pub text: String,
    /// Its value for the mover, if it has one.
    pub score: Option<Score>,
    /// Its value in the words that people read.
    pub worth: Option<DisplayedScore>,
    /// Visits of the search to the move; 0 where the engine counts none.
    pub visits: u32,
    /// The expected line, the move in front.
    pub line: Vec<String>,
}

/// Largest number of candidate moves in a report.
const MAX_CANDIDATES: usize = 5;

/// Findings of a search, with moves as text.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find;
/// use crosspath::session::Purpose;
/// let game = find("tic-tac-toe")?.history_of("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.machine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(Purpose::Move, &*game, Limits::default(), &stop, &|_| ())?;
/// assert_eq!(answer.report.pv[0], answer.text, "the expected line begins with the move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SearchReport {
    /// Positions searched.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The value for the mover.
    pub score: Option<Score>,
    /// The value in the words that people read: `+1.3 steps`, `win in 5`.
    pub worth: Option<DisplayedScore>,
    /// Probability that the mover wins, from 0 to 1, if it is known.
    pub chance: Option<f64>,
    /// The expected line, the chosen move in front.
    pub pv: Vec<String>,
    /// The moves that were compared, the best one in front; the chosen one at least.
    pub candidates: Vec<CandidateMove>,
    /// Time used.
    pub elapsed: Duration,
    /// Processor time used, where the player is another program and the system tells.
    pub cpu_time: Option<Duration>,
    /// Proof of the result, if there is one.
    pub proof: Option<Proof>,
    /// `true` if the move stands in a book of openings.
    pub is_from_book: bool,
}

impl SearchReport {
    /// Reports whether the move was known without a search.
    pub(crate) fn is_without_search(&self) -> bool {
        self.nodes == 0 && self.score.is_none()
    }

    /// The best moves, as far as they were judged: of others nothing says that they are the next best, and a certificate
    /// speaks of its own move alone.
    pub(crate) fn best_moves(&self) -> &[CandidateMove] {
        if self.proof == Some(Proof::Certified) {
            return &self.candidates[..self.candidates.len().min(1)];
        }
        let is_judged = |one: &&CandidateMove| one.score.is_some() || one.worth.is_some() || one.visits > 0;
        &self.candidates[..self.candidates.iter().take_while(is_judged).count()]
    }
}

/// A machine's move and what it found.
#[derive(Clone, Debug)]
pub struct EngineAnswer {
    /// The move, legal, as records write it; another program may also answer [`RESIGN`](super::RESIGN).
    pub text: String,
    /// Findings of the search.
    pub report: Arc<SearchReport>,
}

/// Why there is no machine, or no move of it.
///
/// ```
/// use crosspath::ai::{EngineConfig, EngineKind};
/// use crosspath::registry::{Variant, find};
/// use crosspath::session::EngineError;
/// let game = find("hex")?.start(&Variant::of_size(5))?;
/// let error = game.machine(EngineKind::Level(9), &EngineConfig::new(1, 0)).unwrap_err();
/// assert!(matches!(error, EngineError::Level(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The game has no such level.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
    /// The engine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The position is not one of the machine's game.
    #[error("this engine is for another game; this position needs a new engine")]
    OtherGame,
    /// Another program cannot be started, or cannot play here.
    #[error("{0}")]
    Start(String),
    /// A player has lost its game by what it did.
    #[error(transparent)]
    Forfeit(#[from] Box<Forfeit>),
    /// Another program did this before its first answer: it may not be able to play at all.
    #[error("{0}")]
    NeverAnswered(Box<Forfeit>),
}

/// A game that is lost by something else than the rules, and why.
///
/// ```
/// use crosspath::session::{Forfeit, ForfeitReason};
/// let said = "Blue crashed".to_owned();
/// let notes = "starting\nout of memory\n".to_owned();
/// let forfeit = Forfeit { reason: ForfeitReason::Crash, said, notes };
/// assert_eq!(forfeit.to_string(), "Blue crashed: out of memory");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{said}{}", last_words(notes))]
pub struct Forfeit {
    /// The kind of fault.
    #[serde(rename = "fault")]
    pub reason: ForfeitReason,
    /// Description of the fault, in words.
    pub said: String,
    /// The end of what the program has written to its standard error. Records leave it out.
    #[serde(skip)]
    pub notes: String,
}

/// The last line of a program's notes, as the end of a sentence.
fn last_words(notes: &str) -> String {
    let last = notes.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map(|line| format!(": {}", Refusal::shown_path(line))).unwrap_or_default()
}

/// Fault for which a player loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForfeitReason {
    /// It plays a move that is not legal.
    Illegal,
    /// It rejects a legal move or a position.
    Refused,
    /// It answers what its protocol does not allow.
    Garbage,
    /// It answers after its time.
    Time,
    /// It does not answer.
    Hang,
    /// It ends by itself.
    Crash,
    /// It names another winner.
    Disagree,
}

impl ForfeitReason {
    /// One word for it, as records have it.
    ///
    /// ```
    /// use crosspath::session::ForfeitReason;
    /// assert_eq!(ForfeitReason::Crash.name(), "crash");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ForfeitReason::Illegal => "illegal",
            ForfeitReason::Refused => "refused",
            ForfeitReason::Garbage => "garbage",
            ForfeitReason::Time => "time",
            ForfeitReason::Hang => "hang",
            ForfeitReason::Crash => "crash",
            ForfeitReason::Disagree => "disagree",
        }
    }
}

/// Purpose of a question to an engine.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find;
/// use crosspath::session::Purpose;
/// let game = find("tic-tac-toe")?.history_of("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.machine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(Purpose::Advice(3), &*game, Limits::default(), &stop, &|_| ())?;
/// assert!(answer.report.candidates.len() <= 3);
/// assert_eq!(answer.report.candidates[0].text, answer.text, "the best move is in front");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The next move of the game.
    Move,
    /// The given number of best moves, by an engine that remembers nothing.
    Advice(usize),
    /// The given number of best moves, the exact value of the position and a move that keeps it, where the board is
    /// small enough for that.
    Judgement(usize),
}

/// A machine player of one game, for one match or for advice: it remembers what it is asked about.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find;
/// use crosspath::session::Purpose;
/// let game = find("tic-tac-toe")?.history_of("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.machine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(Purpose::Move, &*game, Limits::default(), &stop, &|_| ())?;
/// assert_eq!(answer.text, "a3", "it blocks the column");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Machine: Debug + Send {
    /// Thinks about a position that is not over. Raising `stop` makes it answer at once.
    ///
    /// Asked for a move, it begins anew after that, as after [`Machine::new_game`] and wherever the game is not the last
    /// one with more moves. Asked for advice, the report holds the best moves and the answer is the first of them; the
    /// time is for all of them together, and such questions change nothing about moves, nor moves about them.
    ///
    /// # Errors
    /// If the position is one of another game, or if no engine can be built for it.
    fn answer(
        &mut self,
        purpose: Purpose,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&SearchReport) + Sync),
    ) -> Result<EngineAnswer, EngineError>;

    /// Forgets the game: the next answer is that of a new machine.
    fn new_game(&mut self);

    /// Is asked whether the game ended as the rules say.
    ///
    /// # Errors
    /// If it names another result.
    fn confirm_result(&mut self, _position: &dyn Position) -> Result<(), EngineError> {
        Ok(())
    }
}

impl<G: Playable> Machine for EngineHost<G> {
    fn answer(
        &mut self,
        purpose: Purpose,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&SearchReport) + Sync),
    ) -> Result<EngineAnswer, EngineError> {
        let at: &TypedPosition<G> = position.as_any().downcast_ref().ok_or(EngineError::OtherGame)?;
        let (now, scale) = (&at.game, self.level_spec.scale);
        let report = |info: &Info<G::Move>| hear(&report_as_text(now, info, None, scale));
        let control = SearchControl { limits, stop, report: &report };
        let choice = at.with_history(|at| match purpose {
            Purpose::Move => self.choose(at, &control),
            Purpose::Advice(n) | Purpose::Judgement(n) => self.rank(n, at, &control),
        })?;
        let mut report = report_as_text(now, &choice.info, choice.proof, scale);
        let exact = at.about.game_engines.exact.filter(|_| matches!(purpose, Purpose::Judgement(_)));
        let settled = exact.and_then(|exact| settled(now, &choice, exact, stop));
        let best = settled.map_or(choice.mv, |(_, best)| best);
        if let Some((chance, _)) = settled {
            report.chance = Some(chance);
            if best != choice.mv {
                report.pv.truncate(0);
            }
        }
        // A proof names the first move alone.
        let is_known = settled.is_some() || matches!(choice.proof, Some(Proof::WinIn(_) | Proof::LostIn(_)));
        if purpose != Purpose::Move && is_known && report.pv.len() < 2 {
            let line = at.with_history(|at| self.continue_line(best, at, stop))?;
            let mut after = now.clone();
            report.pv = line.into_iter().map(|mv| show_and_make(&mut after, mv)).collect();
            if let Some(first) = report.candidates.first_mut().filter(|first| report.pv[0] == first.text) {
                first.line.clone_from(&report.pv);
            }
        }
        Ok(EngineAnswer { text: now.show(best), report: report.into() })
    }

    fn new_game(&mut self) {
        EngineHost::new_game(self);
    }
}

/// The mover's exact chance, and the chosen move, or another if that one does not keep it; `None` where it is proved already
/// or cannot be told.
fn settled<G: Playable>(
    game: &G,
    choice: &Choice<G::Move>,
    exact: FindOutcome<G>,
    stop: &AtomicBool,
) -> Option<(f64, G::Move)> {
    if matches!(choice.proof, Some(Proof::WinIn(_) | Proof::LostIn(_) | Proof::Draw)) {
        return None;
    }
    let (outcome, kept) = exact(game, stop)?;
    let chance = outcome.winner().map_or(0.5, |winner| f64::from(winner == game.to_move()));
    let mut now = game.clone();
    let mut keeps = |mv: G::Move| {
        let value = |after: &mut G| after.outcome().or_else(|| Some(exact(after, stop)?.0));
        kept.contains(&mv) || after_move(&mut now, mv, value) == Some(outcome)
    };
    let others = kept.iter().copied().chain(legal_moves(game));
    let best = [choice.mv].into_iter().chain(others).find(|&mv| keeps(mv))?;
    Some((chance, best))
}

/// Plays a move; returns its text.
fn show_and_make<G: Playable>(game: &mut G, mv: G::Move) -> String {
    let text = game.show(mv);
    game.make(mv);
    text
}

fn report_as_text<G: Playable>(
    game: &G,
    info: &Info<G::Move>,
    proof: Option<Proof>,
    scale: ScoreUnit,
) -> SearchReport {
    let &Info { nodes, depth, score, elapsed, is_from_book, .. } = info;
    let tell = |score: Option<Score>| score.map(|score| scale.tell(score));
    let pv = info.pv.iter().map(|&mv| game.show(mv)).collect();
    let candidates = info.candidates.iter().take(MAX_CANDIDATES).map(|one| CandidateMove {
        text: game.show(one.mv()),
        score: one.score,
        worth: tell(one.score),
        visits: one.visits,
        line: one.line.iter().map(|&mv| game.show(mv)).collect(),
    });
    let candidates = candidates.collect();
    let chance = match proof {
        Some(Proof::WinIn(_)) => Some(1.0),
        Some(Proof::LostIn(_)) => Some(0.0),
        Some(Proof::Draw) => Some(0.5),
        Some(Proof::Certified | Proof::Unproved) | None => score.and_then(|score| scale.chance(score)),
    };
    let worth = tell(score);
    let cpu_time = None;
    SearchReport {
        nodes,
        depth,
        score,
        worth,
        chance,
        pv,
        candidates,
        elapsed,
        cpu_time,
        proof,
        is_from_book,
    }
}
