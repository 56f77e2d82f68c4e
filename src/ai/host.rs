//! One engine in one game: builds it, keeps it while the game grows, begins anew otherwise, compares moves. Knows no
//! particular game, no text and no thread.

use std::cmp::Reverse;
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ai::{
    BuildError, Candidate, Choice, Engine, EngineConfig, GameHistory, Info, LevelSpec, Limits, Proof,
    SearchControl, end_value, legal_moves,
};
use crate::game::Game;

/// One engine in one game on one board. It keeps what the engine remembers only while the game grows, so that the same
/// game gets the same answers.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{SearchControl, EngineConfig, EngineHost, Limits, GameHistory, tictactoe::engines};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let strongest = engines().pop().expect("there are levels");
/// let mut host = EngineHost::new(strongest, EngineConfig::new(1, 0), &game)?;
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl::quiet(Limits::default(), &stop);
/// let choice = host.choose(&at, &control)?;
/// assert!([0, 2, 6, 8].map(Cell).contains(&choice.mv), "a corner");
/// assert_eq!(host.choose(&at, &control)?.mv, choice.mv, "a repeated question gets the same answer");
/// assert_eq!(host.rank(3, &at, &control)?.info.candidates.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EngineHost<G: Game> {
    pub(crate) level_spec: LevelSpec<G>,
    config: EngineConfig,
    engine: Box<dyn Engine<G>>,
    /// The key of the position for which it was built.
    built_for: u64,
    /// The moves of the game that it remembers; `None` if it remembers none.
    played: Option<Vec<G::Move>>,
}

impl<G: Game> Debug for EngineHost<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineHost({})", self.level_spec.level)
    }
}

/// Choice of an engine, and the findings about the best moves.
type ComparedMoves<M> = (Choice<M>, Vec<Info<M>>);

/// Positions that a glance at a move may take.
const NODES_PER_COMPARED_MOVE: u64 = 200;
/// The most moves of a line that is played on behind a proof, and the positions searched for each of them.
const MAX_LINE: usize = 8;
const LINE_NODES: u64 = 64;

impl<G: Game> EngineHost<G> {
    /// Builds the engine of a level for a game that begins at `start`.
    ///
    /// # Errors
    /// If the engine cannot be built with this.
    pub fn new(level_spec: LevelSpec<G>, config: EngineConfig, start: &G) -> Result<Self, BuildError> {
        let engine = (level_spec.build)(start, &config)?;
        Ok(EngineHost { level_spec, config, engine, built_for: start.key(), played: None })
    }

    /// Leaves the game: the next question is answered as by a new engine.
    pub fn new_game(&mut self) {
        self.played = None;
    }

    /// The limits of the level where none are asked for.
    fn within_limits<'c>(&self, control: &SearchControl<'c, G::Move>) -> SearchControl<'c, G::Move> {
        let is_asked = control.limits != Limits::default();
        SearchControl { limits: if is_asked { control.limits } else { self.level_spec.limits }, ..*control }
    }

    /// Chooses a legal move in a game on the board for which the host was made. A search that `control.stop` may have
    /// cut short counts as the end of the game: how far it came is not the same another time.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{EngineConfig, EngineHost, EngineKind, Engines, GameHistory, Limits, SearchControl};
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let (start, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
    /// let mut now = start.clone();
    /// let played = ["a1", "c3", "a2"].map(|text| start.parse(text).expect("a cell"));
    /// for mv in played {
    ///     now.try_make(mv)?;
    /// }
    /// let level = TicTacToe::game_engines().find(EngineKind::Level(8))?.clone();
    /// let mut host = EngineHost::new(level, EngineConfig::new(1, 0), &start)?;
    /// let at = GameHistory { start: &start, played: &played, now: &now };
    /// let control = SearchControl::quiet(Limits::default(), &stop);
    /// let choice = host.choose(&at, &control)?;
    /// assert_eq!(now.show(choice.mv), "a3", "it blocks the column");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the game has another start than the last one and no engine can be built for it.
    pub fn choose(
        &mut self,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<Choice<G::Move>, BuildError> {
        // The game goes on if more moves stand behind those of the last question.
        let goes_on = |old: &Vec<G::Move>| old.len() < at.played.len() && at.played.starts_with(old);
        let is_known = self.played.take().as_ref().is_some_and(goes_on);
        if self.built_for != at.start.key() {
            self.engine = (self.level_spec.build)(at.start, &self.config)?;
            self.built_for = at.start.key();
        } else if !is_known {
            self.engine.new_game();
        }
        let choice = self.engine.choose(at, &self.within_limits(control));
        debug_assert!(at.now.is_legal(choice.mv), "an engine chose {:?}", choice.mv);
        self.played = (!control.stop.load(Ordering::Relaxed)).then(|| at.played.to_vec());
        Ok(choice)
    }

    /// Returns the best moves, at most `n`, in [`Info::candidates`]: the choice of a new engine and
    /// those that look best at a glance, each thought about alike, one ply on. What is proved about the chosen one stays
    /// in front; nothing can be worth more. What the host remembers of its game is not touched.
    ///
    /// The time of `control` is for all of them together, positions and depth are for each. Only the chosen move is
    /// given where the engine has no scores or was stopped.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{EngineConfig, EngineHost, EngineKind, Engines, GameHistory, Limits, SearchControl};
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let (start, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
    /// let mut now = start.clone();
    /// let played = ["a1", "c3", "a2"].map(|text| start.parse(text).expect("a cell"));
    /// for mv in played {
    ///     now.try_make(mv)?;
    /// }
    /// let level = TicTacToe::game_engines().find(EngineKind::Level(8))?.clone();
    /// let host = EngineHost::new(level, EngineConfig::new(1, 0), &start)?;
    /// let at = GameHistory { start: &start, played: &played, now: &now };
    /// let control = SearchControl::quiet(Limits::default(), &stop);
    /// let candidates = host.rank(2, &at, &control)?.info.candidates;
    /// assert_eq!(now.show(candidates[0].mv()), "a3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no engine can be built for this.
    pub fn rank(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<Choice<G::Move>, BuildError> {
        Ok(self.compared(n, at, control)?.0)
    }

    /// Returns the line in which a new engine plays both sides after a first move, that move in front: at most
    /// 8 moves, each found with few positions.
    pub(crate) fn continue_line(
        &self,
        first: G::Move,
        at: &GameHistory<'_, G>,
        stop: &AtomicBool,
    ) -> Result<Vec<G::Move>, BuildError> {
        let mut engine = (self.level_spec.build)(at.start, &self.config)?;
        let limits = Limits { nodes: Some(LINE_NODES), ..Limits::default() };
        let mut played: Vec<G::Move> = at.played.iter().copied().chain([first]).collect();
        let mut now = at.now.clone();
        now.make(first);
        let most = at.played.len() + MAX_LINE;
        while now.outcome().is_none() && played.len() < most && !stop.load(Ordering::Relaxed) {
            let history = GameHistory { start: at.start, played: &played, now: &now };
            let mv = engine.choose(&history, &SearchControl::quiet(limits, stop)).mv;
            now.make(mv);
            played.push(mv);
        }
        Ok(played.split_off(at.played.len()))
    }

    /// Returns the moves of [`EngineHost::rank`], each with its findings, the best in front; the chosen one alone where
    /// the others have no scores.
    ///
    /// # Errors
    /// If no engine can be built for this.
    pub fn compare(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<Vec<Info<G::Move>>, BuildError> {
        let (choice, best) = self.compared(n, at, control)?;
        Ok(if best.is_empty() { vec![choice.info] } else { best })
    }

    /// Returns the choice of a new engine, compared with the other moves.
    fn compared(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<ComparedMoves<G::Move>, BuildError> {
        // One thought about the position, one about each of the moves, and all the glances together like one more.
        let shares = if n > 1 { u32::try_from(n + 2).unwrap_or(u32::MAX) } else { 1 };
        let limits = self.within_limits(control).limits.divide_time(shares);
        let mut engine = (self.level_spec.build)(at.start, &self.config)?;
        let mut choice = engine.choose(at, &SearchControl { limits, ..*control });
        debug_assert!(at.now.is_legal(choice.mv), "an engine chose {:?}", choice.mv);
        // An engine that has compared moves itself knows best.
        if choice.info.candidates.len() > 1 {
            choice.info.candidates.truncate(n);
            let own = |one: &Candidate<G::Move>| Info {
                pv: one.line.clone(),
                score: one.score,
                ..choice.info.clone()
            };
            let best = choice.info.candidates.iter().map(own).collect();
            return Ok((choice, best));
        }
        engine.new_game();
        let control = SearchControl { limits, report: &|_| (), ..*control };
        let best = if n > 1 { compared(&mut *engine, n, at, &control, &choice) } else { Vec::new() };
        let Some(first) = best.first() else { return Ok((choice, best)) };
        let candidates =
            best.iter().map(|info| Candidate { line: info.pv.clone(), score: info.score, visits: 0 });
        (choice.mv, choice.info) = (first.pv[0], Info { candidates: candidates.collect(), ..first.clone() });
        Ok((choice, best))
    }
}

/// Returns the findings about the chosen move and the others that look best, the best in front, each at the head of its
/// line; none where the engine has no scores, or when it was stopped before all moves had been evaluated once.
fn compared<G: Game>(
    engine: &mut dyn Engine<G>,
    n: usize,
    at: &GameHistory<'_, G>,
    control: &SearchControl<'_, G::Move>,
    choice: &Choice<G::Move>,
) -> Vec<Info<G::Move>> {
    if choice.info.score.is_none() {
        return Vec::new();
    }
    let is_wanted = || control.stop.load(Ordering::Relaxed);
    // 1. A glance at every other move
    let glance = Limits { depth: Some(1), nodes: Some(NODES_PER_COMPARED_MOVE), ..Limits::default() };
    let mut seen = Vec::new();
    for mv in legal_moves(at.now).into_iter().filter(|&mv| mv != choice.mv) {
        if is_wanted() {
            return Vec::new();
        }
        seen.extend(value_after(engine, mv, at, &SearchControl { limits: glance, ..*control }));
    }
    best_first(&mut seen);
    // 2. A thought about the best of them, and about the chosen one unless all is proved about it
    let is_proved = choice.proof.is_some_and(|proof| proof != Proof::Unproved);
    let chosen = (!is_proved).then_some(choice.mv);
    let others = seen.iter().take(n - 1).map(|info| info.pv[0]);
    let mut best = Vec::new();
    for mv in chosen.into_iter().chain(others) {
        best.extend(value_after(engine, mv, at, control).filter(|_| !is_wanted()));
    }
    // 3. In order
    if is_proved {
        for info in &mut best {
            info.score = info.score.min(choice.info.score);
        }
        best.insert(0, choice.info.clone());
    }
    best_first(&mut best);
    best
}

/// Puts the move with the highest score in front. Equals keep their order.
pub(crate) fn best_first<M>(moves: &mut [Info<M>]) {
    moves.sort_by_key(|info| Reverse(info.score));
}

/// Returns the value of a move as the engine sees the position after it; `None` if it gives no score.
fn value_after<G: Game>(
    engine: &mut dyn Engine<G>,
    mv: G::Move,
    at: &GameHistory<'_, G>,
    control: &SearchControl<'_, G::Move>,
) -> Option<Info<G::Move>> {
    let mut next = at.now.clone();
    next.make(mv);
    if let Some(outcome) = next.outcome() {
        let value = end_value(outcome, at.now.to_move(), 1);
        return Some(Info { nodes: 1, depth: 1, ..Info::of(vec![mv], Some(value)) });
    }
    let played: Vec<G::Move> = at.played.iter().copied().chain([mv]).collect();
    engine.next_candidate();
    let found = engine.choose(&GameHistory { start: at.start, played: &played, now: &next }, control).info;
    let pv = [mv].into_iter().chain(found.pv).collect();
    let score = Some(found.score?.one_ply_earlier());
    Some(Info { depth: found.depth + 1, pv, score, ..found })
}
