//! Interface of engines that is independent of the game.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Playable, Position, TypedPosition};
use crate::ai::{
    DisplayedScore, EngineBuildError, EngineHost, FindOutcome, Limits, MoveChoice, NoSuchLevel, ProofStatus,
    Score, ScoreUnit, SearchControl, SearchInfo, legal_moves, with_move_made,
};
use crate::game::Refusal;

/// A move that an engine has compared with others.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find_game;
/// use crosspath::session::EngineRequest;
/// let game = find_game("tic-tac-toe")?.parse_game_line("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.build_engine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(EngineRequest::Advice(3), &*game, Limits::default(), &stop, &|_| ())?;
/// let best = &answer.report.candidates[0];
/// assert_eq!((best.text.as_str(), best.line[0].as_str()), ("a3", "a3"), "the line starts with the move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateMove {
    /// Move in the notation of records.
    pub text: String,
    /// Value for the mover, if the engine gives one.
    pub score: Option<Score>,
    /// Value as displayed to the user.
    pub worth: Option<DisplayedScore>,
    /// Number of search visits to the move; 0 if the engine does not count them.
    pub visits: u32,
    /// Expected line, starting with the move.
    pub line: Vec<String>,
}

/// Maximum number of candidate moves in a report.
const MAX_REPORTED_CANDIDATES: usize = 5;

/// Result of a search, with moves as text.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find_game;
/// use crosspath::session::EngineRequest;
/// let game = find_game("tic-tac-toe")?.parse_game_line("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.build_engine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(EngineRequest::Move, &*game, Limits::default(), &stop, &|_| ())?;
/// assert_eq!(answer.report.pv[0], answer.text, "the expected line begins with the move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SearchReport {
    /// Nodes searched.
    pub nodes: u64,
    /// Search depth in plies.
    pub depth: u32,
    /// Value for the mover.
    pub score: Option<Score>,
    /// Value as displayed to the user: `+1.3 steps`, `win in 5`.
    pub worth: Option<DisplayedScore>,
    /// Probability that the mover wins, from 0 to 1, if known.
    pub chance: Option<f64>,
    /// Expected line, starting with the chosen move.
    pub pv: Vec<String>,
    /// Moves compared, the best one first; at least the chosen one.
    pub candidates: Vec<CandidateMove>,
    /// Elapsed time.
    pub elapsed: Duration,
    /// CPU time of an external engine, if the system reports it.
    pub cpu_time: Option<Duration>,
    /// Proof of the result, if there is one.
    pub proof: Option<ProofStatus>,
    /// `true` if the move comes from an opening book.
    pub is_from_book: bool,
}

impl SearchReport {
    /// Reports whether the move was found without a search.
    pub(crate) fn is_without_search(&self) -> bool {
        self.nodes == 0 && self.score.is_none()
    }

    /// Returns the best moves that were evaluated; the rest of the list is in no particular order. If the
    /// result is certified, only the certified move is returned.
    pub(crate) fn best_moves(&self) -> &[CandidateMove] {
        if self.proof == Some(ProofStatus::Certified) {
            return &self.candidates[..self.candidates.len().min(1)];
        }
        let is_judged = |one: &&CandidateMove| one.score.is_some() || one.worth.is_some() || one.visits > 0;
        &self.candidates[..self.candidates.iter().take_while(is_judged).count()]
    }
}

/// An engine's move, and its search report.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find_game;
/// use crosspath::session::{EngineAnswer, EngineRequest};
/// let game = find_game("tic-tac-toe")?.parse_game_line("size=3: a1 b1 a2 b2").ok_or("legal moves")?;
/// let mut engine = game.build_engine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let EngineAnswer { text, report } =
///     engine.answer(EngineRequest::Move, &*game, Limits::default(), &stop, &|_| ())?;
/// assert_eq!((text.as_str(), report.chance), ("a3", Some(1.0)), "the move completes a column");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EngineAnswer {
    /// Legal move in the notation of records. An external engine may also answer
    /// [`RESIGN_WORD`](super::RESIGN_WORD).
    pub text: String,
    /// Report of the search.
    pub report: Arc<SearchReport>,
}

/// Reason why an engine could not be built or did not choose a move.
///
/// ```
/// use crosspath::ai::{EngineConfig, EngineKind};
/// use crosspath::registry::{Variant, find_game};
/// use crosspath::session::EngineError;
/// let game = find_game("hex")?.start_position(&Variant::of_size(5))?;
/// let error = game.build_engine(EngineKind::Level(9), &EngineConfig::new(1, 0)).unwrap_err();
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
    Build(#[from] EngineBuildError),
    /// The position and the engine belong to different games.
    #[error("this engine is for another game; this position needs a new engine")]
    OtherGame,
    /// An external engine cannot be started or does not support the game.
    #[error("{0}")]
    Start(String),
    /// The engine lost the game by a fault.
    #[error(transparent)]
    Forfeit(#[from] Box<Forfeit>),
    /// An external engine failed before its first answer and may not be able to play at all.
    #[error("{0}")]
    NeverAnswered(Box<Forfeit>),
}

/// Loss of a game by a fault of a player, such as a crash or an illegal move.
///
/// ```
/// use crosspath::session::{Forfeit, ForfeitReason};
/// let said = "Blue crashed".to_owned();
/// let notes = "starting\nout of memory\n".to_owned();
/// let forfeit = Forfeit { reason: ForfeitReason::Crash, said, notes };
/// assert_eq!(forfeit.to_string(), "Blue crashed: out of memory");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{said}{}", last_stderr_line(notes))]
pub struct Forfeit {
    /// Kind of fault.
    #[serde(rename = "fault")]
    pub reason: ForfeitReason,
    /// Description of the fault.
    pub said: String,
    /// End of the text that the program wrote to its standard error. Records leave it out.
    #[serde(skip)]
    pub notes: String,
}

/// Formats the last line of standard error as the end of a sentence.
fn last_stderr_line(notes: &str) -> String {
    let last = notes.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map(|line| format!(": {}", Refusal::sanitize_path(line))).unwrap_or_default()
}

/// Fault for which a player loses the game.
///
/// ```
/// use crosspath::session::{EngineError, Forfeit, ForfeitReason};
/// let said = "Blue did not answer within 10 s".to_owned();
/// let forfeit = Forfeit { reason: ForfeitReason::Hang, said, notes: String::new() };
/// let EngineError::Forfeit(lost) = EngineError::from(Box::new(forfeit)) else { panic!("a forfeit") };
/// assert_eq!((lost.reason, lost.reason.name()), (ForfeitReason::Hang, "hang"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForfeitReason {
    /// The player made an illegal move.
    Illegal,
    /// The player rejected a legal move or a position.
    Refused,
    /// The player sent an answer that its protocol does not allow.
    Garbage,
    /// The player answered after its time limit.
    Time,
    /// The player did not answer.
    Hang,
    /// The program ended unexpectedly.
    Crash,
    /// The player disagreed about the winner.
    Disagree,
}

impl ForfeitReason {
    /// Returns the word that records use for this fault.
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

/// Kind of a request to an engine.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find_game;
/// use crosspath::session::EngineRequest;
/// let game = find_game("tic-tac-toe")?.parse_game_line("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.build_engine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(EngineRequest::Advice(3), &*game, Limits::default(), &stop, &|_| ())?;
/// assert!(answer.report.candidates.len() <= 3);
/// assert_eq!(answer.report.candidates[0].text, answer.text, "the best move is in front");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineRequest {
    /// Asks for the next move of the game.
    Move,
    /// Asks for this number of best moves. The request has no effect on later ones.
    Advice(usize),
    /// Asks for this number of best moves and, on small boards, for the exact value and a move that keeps it.
    Evaluation(usize),
}

/// An engine for one game, used in one match or for advice. It keeps state between requests.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{EngineConfig, EngineKind, Limits};
/// use crosspath::registry::find_game;
/// use crosspath::session::EngineRequest;
/// let game = find_game("tic-tac-toe")?.parse_game_line("size=3: a1 c3 a2").ok_or("legal moves")?;
/// let mut engine = game.build_engine(EngineKind::Level(8), &EngineConfig::new(1, 0))?;
/// let stop = AtomicBool::new(false);
/// let answer = engine.answer(EngineRequest::Move, &*game, Limits::default(), &stop, &|_| ())?;
/// assert_eq!(answer.text, "a3", "it blocks the column");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyEngine: Debug + Send {
    /// Searches a position that is not over. Setting `stop` makes it answer at once.
    ///
    /// A move request reuses state only if the game continues that of the last move request and `stop` did not
    /// end it; otherwise the engine starts as after [`AnyEngine::new_game`]. For advice the report holds the
    /// best moves, the answer is the first of them, and the time limit covers all of them. Advice and move
    /// requests do not affect each other.
    ///
    /// # Errors
    /// Returns an error if the position belongs to a different game, or the engine cannot be built.
    fn answer(
        &mut self,
        purpose: EngineRequest,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&SearchReport) + Sync),
    ) -> Result<EngineAnswer, EngineError>;

    /// Clears all state, as if the engine were newly built.
    fn new_game(&mut self);

    /// Asks whether the engine agrees with the result of the game.
    ///
    /// # Errors
    /// Returns an error if the engine reports a different result.
    fn confirm_result(&mut self, _position: &dyn Position) -> Result<(), EngineError> {
        Ok(())
    }
}

impl<G: Playable> AnyEngine for EngineHost<G> {
    fn answer(
        &mut self,
        purpose: EngineRequest,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&SearchReport) + Sync),
    ) -> Result<EngineAnswer, EngineError> {
        let at: &TypedPosition<G> = position.as_any().downcast_ref().ok_or(EngineError::OtherGame)?;
        let (now, scale) = (&at.game, self.level_spec.scale);
        let report = |info: &SearchInfo<G::Move>| hear(&render_search_report(now, info, None, scale));
        let control = SearchControl { limits, stop, report: &report };
        let choice = at.with_history(|at| match purpose {
            EngineRequest::Move => self.choose(at, &control),
            EngineRequest::Advice(n) | EngineRequest::Evaluation(n) => self.rank_moves(n, at, &control),
        })?;
        let mut report = render_search_report(now, &choice.info, choice.proof, scale);
        let exact = at.about.game_engines.exact.filter(|_| matches!(purpose, EngineRequest::Evaluation(_)));
        let settled = exact.and_then(|exact| choose_exact_move(now, &choice, exact, stop));
        let best = settled.map_or(choice.mv, |(_, best)| best);
        if let Some((chance, _)) = settled {
            report.chance = Some(chance);
            if best != choice.mv {
                report.pv.truncate(0);
            }
        }
        // A proof gives only the first move.
        let is_known =
            settled.is_some() || matches!(choice.proof, Some(ProofStatus::WinIn(_) | ProofStatus::LostIn(_)));
        if purpose != EngineRequest::Move && is_known && report.pv.len() < 2 {
            let line = at.with_history(|at| self.continue_line(best, at, stop))?;
            let mut after = now.clone();
            report.pv = line.into_iter().map(|mv| format_and_make_move(&mut after, mv)).collect();
            if let Some(first) = report.candidates.first_mut().filter(|first| report.pv[0] == first.text) {
                first.line.clone_from(&report.pv);
            }
        }
        Ok(EngineAnswer { text: now.format_move(best), report: report.into() })
    }

    fn new_game(&mut self) {
        EngineHost::new_game(self);
    }
}

/// Returns the mover's exact win chance and the chosen move, or another move if the chosen one does not keep
/// the outcome. Returns `None` if the outcome is already proved or cannot be computed.
fn choose_exact_move<G: Playable>(
    game: &G,
    choice: &MoveChoice<G::Move>,
    exact: FindOutcome<G>,
    stop: &AtomicBool,
) -> Option<(f64, G::Move)> {
    if matches!(choice.proof, Some(ProofStatus::WinIn(_) | ProofStatus::LostIn(_) | ProofStatus::Draw)) {
        return None;
    }
    let (outcome, kept) = exact(game, stop)?;
    let chance = outcome.winner().map_or(0.5, |winner| f64::from(winner == game.to_move()));
    let mut now = game.clone();
    let mut keeps = |mv: G::Move| {
        let value = |after: &mut G| after.outcome().or_else(|| Some(exact(after, stop)?.0));
        kept.contains(&mv) || with_move_made(&mut now, mv, value) == Some(outcome)
    };
    let others = kept.iter().copied().chain(legal_moves(game));
    let best = [choice.mv].into_iter().chain(others).find(|&mv| keeps(mv))?;
    Some((chance, best))
}

/// Plays a move and returns its text.
fn format_and_make_move<G: Playable>(game: &mut G, mv: G::Move) -> String {
    let text = game.format_move(mv);
    game.make_move(mv);
    text
}

fn render_search_report<G: Playable>(
    game: &G,
    info: &SearchInfo<G::Move>,
    proof: Option<ProofStatus>,
    scale: ScoreUnit,
) -> SearchReport {
    let &SearchInfo { nodes, depth, score, elapsed, is_from_book, .. } = info;
    let tell = |score: Option<Score>| score.map(|score| scale.display_score(score));
    let pv = info.pv.iter().map(|&mv| game.format_move(mv)).collect();
    let candidates = info.candidates.iter().take(MAX_REPORTED_CANDIDATES).map(|one| CandidateMove {
        text: game.format_move(one.first_move()),
        score: one.score,
        worth: tell(one.score),
        visits: one.visits,
        line: one.line.iter().map(|&mv| game.format_move(mv)).collect(),
    });
    let candidates = candidates.collect();
    let chance = match proof {
        Some(ProofStatus::WinIn(_)) => Some(1.0),
        Some(ProofStatus::LostIn(_)) => Some(0.0),
        Some(ProofStatus::Draw) => Some(0.5),
        Some(ProofStatus::Certified | ProofStatus::Unproved) | None => {
            score.and_then(|score| scale.win_chance(score))
        }
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
