//! The machines of a session: an engine of one game behind a face that knows none.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{At, Playable, Position};
use crate::ai::{
    BuildError, Choice, EngineHost, GameHistory, Info, Level, Limits, NoSuchLevel, Score, ScoreUnit,
    SearchControl, Status,
};

/// A move that a machine has compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move, as records write it.
    pub text: String,
    /// Its value for the mover, if it has one.
    pub score: Option<Score>,
    /// The same as people read it.
    pub worth: Option<String>,
}

/// What a search found, with moves as text.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Positions searched.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The value for the mover.
    pub score: Option<Score>,
    /// The same as people read it: `+1.3 steps`, `win in 5`.
    pub worth: Option<String>,
    /// How likely the mover wins, from 0 to 1, as far as that is known.
    pub chance: Option<f64>,
    /// The expected line, the chosen move in front.
    pub pv: Vec<String>,
    /// The moves that were compared, the best one in front; the chosen one at least.
    pub candidates: Vec<Candidate>,
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

/// Why there is no machine, or no move of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The game has no such level.
    #[error(transparent)]
    Level(#[from] NoSuchLevel),
    /// The engine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The position is not one of the machine's game.
    #[error("this engine plays another game; a new one is needed for this position")]
    OtherGame,
}

/// A machine player of one game, for one match or for advice: it remembers what it is asked about.
pub trait Machine: Debug + Send {
    /// Its level.
    fn level(&self) -> Level;

    /// Chooses a move in a position that is not over. Raising `stop` makes it answer at once; it then begins anew with
    /// the next question, as after [`Machine::new_game`] and wherever the game is not the last one with more moves.
    ///
    /// # Errors
    /// If the position is one of another game, or if no engine can be built for it.
    fn choose(
        &mut self,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&Report) + Sync),
    ) -> Result<Answer, EngineError>;

    /// The best `n` moves of a position that is not over, in the report; the answer is the first of them. The time is for
    /// all of them together. Questions before and after it change nothing about it, nor it about them.
    ///
    /// # Errors
    /// As [`Machine::choose`].
    fn rank(
        &mut self,
        n: usize,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&Report) + Sync),
    ) -> Result<Answer, EngineError>;

    /// Forgets the game: the next answer is that of a new machine.
    fn new_game(&mut self);
}

impl<G: Playable> Machine for EngineHost<G> {
    fn level(&self) -> Level {
        self.tier().level
    }

    fn choose(
        &mut self,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&Report) + Sync),
    ) -> Result<Answer, EngineError> {
        let scale = self.tier().scale;
        ask(position, limits, stop, hear, scale, |at, control| EngineHost::choose(self, at, control))
    }

    fn rank(
        &mut self,
        n: usize,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        hear: &(dyn Fn(&Report) + Sync),
    ) -> Result<Answer, EngineError> {
        let scale = self.tier().scale;
        ask(position, limits, stop, hear, scale, |at, control| EngineHost::rank(self, n, at, control))
    }

    fn new_game(&mut self) {
        EngineHost::new_game(self);
    }
}

/// Puts a question in the engine's terms and its answer into words.
fn ask<G: Playable>(
    position: &dyn Position,
    limits: Limits,
    stop: &AtomicBool,
    hear: &(dyn Fn(&Report) + Sync),
    scale: ScoreUnit,
    think: impl FnOnce(&GameHistory<'_, G>, &SearchControl<'_, G::Move>) -> Result<Choice<G::Move>, BuildError>,
) -> Result<Answer, EngineError> {
    let at: &At<G> = position.as_any().downcast_ref().ok_or(EngineError::OtherGame)?;
    let (start, played, now) = (&at.about.start, &at.moves(), &at.game);
    let report = |info: &Info<G::Move>| hear(&in_words(now, info, None, scale));
    let control = SearchControl { limits, stop, report: &report };
    let choice = think(&GameHistory { start, played, now }, &control)?;
    let report = in_words(now, &choice.info, choice.status, scale);
    Ok(Answer { text: now.show(choice.mv), report })
}

fn in_words<G: Playable>(game: &G, info: &Info<G::Move>, status: Option<Status>, scale: ScoreUnit) -> Report {
    let &Info { nodes, depth, score, elapsed, .. } = info;
    let tell = |score: Option<Score>| score.map(|score| scale.tell(score));
    let pv = info.pv.iter().map(|&mv| game.show(mv)).collect();
    let candidates = info.candidates.iter();
    let candidates =
        candidates.map(|&(mv, score)| Candidate { text: game.show(mv), score, worth: tell(score) }).collect();
    let chance = match status {
        Some(Status::WinIn(_)) => Some(1.0),
        Some(Status::LostIn(_)) => Some(0.0),
        Some(Status::Draw) => Some(0.5),
        Some(Status::Certified | Status::Unproved) | None => score.and_then(|score| scale.chance(score)),
    };
    Report { nodes, depth, score, worth: tell(score), chance, pv, candidates, elapsed, status }
}
