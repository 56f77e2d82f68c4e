//! Host of one engine in one game: builds the engine, keeps its state while the game continues, and compares
//! moves.

use std::cmp::Reverse;
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ai::{
    ComparedMove, Engine, EngineBuildError, EngineConfig, GameHistory, LevelSpec, Limits, MoveChoice,
    ProofStatus, SearchControl, SearchInfo, legal_moves, outcome_value,
};
use crate::game::Game;

/// Host of one engine on one board. It keeps the engine's state only while the same game continues, so that
/// the same game always gets the same answers.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{SearchControl, EngineConfig, EngineHost, Limits, GameHistory, tictactoe::tictactoe_levels};
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let strongest = tictactoe_levels().pop().expect("there are levels");
/// let mut host = EngineHost::new(strongest, EngineConfig::new(1, 0), &game)?;
/// let at = GameHistory { start: &game, played: &[], now: &game };
/// let control = SearchControl::without_reports(Limits::default(), &stop);
/// let choice = host.choose(&at, &control)?;
/// assert!([0, 2, 6, 8].map(Cell).contains(&choice.mv), "a corner");
/// assert_eq!(host.choose(&at, &control)?.mv, choice.mv, "a repeated question gets the same answer");
/// assert_eq!(host.rank_moves(3, &at, &control)?.info.candidates.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EngineHost<G: Game> {
    pub(crate) level_spec: LevelSpec<G>,
    config: EngineConfig,
    engine: Box<dyn Engine<G>>,
    /// Key of the start position that the engine was built for.
    built_for: u64,
    /// Moves of the game that the engine remembers; `None` if it remembers no game.
    played: Option<Vec<G::Move>>,
}

impl<G: Game> Debug for EngineHost<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineHost({})", self.level_spec.level)
    }
}

/// Choice of an engine with the search results of the best moves.
type ChoiceWithComparison<M> = (MoveChoice<M>, Vec<SearchInfo<M>>);

/// Node limit of the first, shallow evaluation of each move.
const NODES_PER_COMPARED_MOVE: u64 = 200;
/// Maximum number of moves in a line from [`EngineHost::continue_line`].
const MAX_CONTINUATION_MOVES: usize = 8;
/// Node limit per move of a line from [`EngineHost::continue_line`].
const NODES_PER_LINE_MOVE: u64 = 64;

impl<G: Game> EngineHost<G> {
    /// Builds the engine of a level for a game that starts at `start`.
    ///
    /// # Errors
    /// If the engine cannot be built from this configuration.
    pub fn new(level_spec: LevelSpec<G>, config: EngineConfig, start: &G) -> Result<Self, EngineBuildError> {
        let engine = (level_spec.build)(start, &config)?;
        Ok(EngineHost { level_spec, config, engine, built_for: start.position_key(), played: None })
    }

    /// Ends the current game: the next move is chosen as by a new engine.
    pub fn new_game(&mut self) {
        self.played = None;
    }

    /// Returns `control` with the level's default limits if it sets none.
    fn apply_default_limits<'c>(&self, control: &SearchControl<'c, G::Move>) -> SearchControl<'c, G::Move> {
        let is_asked = control.limits != Limits::default();
        SearchControl { limits: if is_asked { control.limits } else { self.level_spec.limits }, ..*control }
    }

    /// Chooses a legal move in a game on the host's board. A search that `control.stop` may have
    /// interrupted ends the remembered game, because its state is not reproducible.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{EngineConfig, EngineHost, EngineKind, HasEngines, GameHistory, Limits, SearchControl};
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let (start, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
    /// let mut now = start.clone();
    /// let played = ["a1", "c3", "a2"].map(|text| start.parse(text).expect("a cell"));
    /// for mv in played {
    ///     now.try_make_move(mv)?;
    /// }
    /// let level = TicTacToe::game_engines().find_level(EngineKind::Level(8))?.clone();
    /// let mut host = EngineHost::new(level, EngineConfig::new(1, 0), &start)?;
    /// let at = GameHistory { start: &start, played: &played, now: &now };
    /// let control = SearchControl::without_reports(Limits::default(), &stop);
    /// let choice = host.choose(&at, &control)?;
    /// assert_eq!(now.format_move(choice.mv), "a3", "it blocks the column");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the game has a new start position and no engine can be built for it.
    pub fn choose(
        &mut self,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<MoveChoice<G::Move>, EngineBuildError> {
        // The game continues if `at.played` extends the moves of the last request.
        let goes_on = |old: &Vec<G::Move>| old.len() < at.played.len() && at.played.starts_with(old);
        let is_known = self.played.take().as_ref().is_some_and(goes_on);
        if self.built_for != at.start.position_key() {
            self.engine = (self.level_spec.build)(at.start, &self.config)?;
            self.built_for = at.start.position_key();
        } else if !is_known {
            self.engine.new_game();
        }
        let choice = self.engine.choose(at, &self.apply_default_limits(control));
        debug_assert!(at.now.is_legal(choice.mv), "an engine chose {:?}", choice.mv);
        self.played = (!control.stop.load(Ordering::Relaxed)).then(|| at.played.to_vec());
        Ok(choice)
    }

    /// Returns the choice of a new engine, with up to `n` best moves in [`SearchInfo::candidates`]. A shallow
    /// search selects the moves, then each gets an equal search of the position after it. A proved move stays
    /// in front, since no move can be better. The remembered game does not change.
    ///
    /// The time limit of `control` is shared by all moves; node and depth limits apply to each. Only the
    /// chosen move is returned if the engine has no scores or was stopped.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{EngineConfig, EngineHost, EngineKind, HasEngines, GameHistory, Limits, SearchControl};
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let (start, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
    /// let mut now = start.clone();
    /// let played = ["a1", "c3", "a2"].map(|text| start.parse(text).expect("a cell"));
    /// for mv in played {
    ///     now.try_make_move(mv)?;
    /// }
    /// let level = TicTacToe::game_engines().find_level(EngineKind::Level(8))?.clone();
    /// let host = EngineHost::new(level, EngineConfig::new(1, 0), &start)?;
    /// let at = GameHistory { start: &start, played: &played, now: &now };
    /// let control = SearchControl::without_reports(Limits::default(), &stop);
    /// let candidates = host.rank_moves(2, &at, &control)?.info.candidates;
    /// assert_eq!(now.format_move(candidates[0].first_move()), "a3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no engine can be built for this game.
    pub fn rank_moves(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<MoveChoice<G::Move>, EngineBuildError> {
        Ok(self.choose_and_compare(n, at, control)?.0)
    }

    /// Returns a line of at most 8 moves that starts with `first`, in which a new engine plays both sides
    /// with a small node limit.
    pub(crate) fn continue_line(
        &self,
        first: G::Move,
        at: &GameHistory<'_, G>,
        stop: &AtomicBool,
    ) -> Result<Vec<G::Move>, EngineBuildError> {
        let mut engine = (self.level_spec.build)(at.start, &self.config)?;
        let limits = Limits { nodes: Some(NODES_PER_LINE_MOVE), ..Limits::default() };
        let mut played: Vec<G::Move> = at.played.iter().copied().chain([first]).collect();
        let mut now = at.now.clone();
        now.make_move(first);
        let most = at.played.len() + MAX_CONTINUATION_MOVES;
        while now.outcome().is_none() && played.len() < most && !stop.load(Ordering::Relaxed) {
            let history = GameHistory { start: at.start, played: &played, now: &now };
            let mv = engine.choose(&history, &SearchControl::without_reports(limits, stop)).mv;
            now.make_move(mv);
            played.push(mv);
        }
        Ok(played.split_off(at.played.len()))
    }

    /// Returns the search results of the moves that [`EngineHost::rank_moves`] compares, best first. Returns
    /// only the chosen move if the others have no scores.
    ///
    /// # Errors
    /// If no engine can be built for this game.
    pub fn compare_moves(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<Vec<SearchInfo<G::Move>>, EngineBuildError> {
        let (choice, best) = self.choose_and_compare(n, at, control)?;
        Ok(if best.is_empty() { vec![choice.info] } else { best })
    }

    /// Returns the choice of a new engine and the search results of the best moves.
    fn choose_and_compare(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<ChoiceWithComparison<G::Move>, EngineBuildError> {
        // The time is divided into one share for the position, one for each move, and one for all shallow
        // searches.
        let shares = if n > 1 { u32::try_from(n + 2).unwrap_or(u32::MAX) } else { 1 };
        let limits = self.apply_default_limits(control).limits.divide_time(shares);
        let mut engine = (self.level_spec.build)(at.start, &self.config)?;
        let mut choice = engine.choose(at, &SearchControl { limits, ..*control });
        debug_assert!(at.now.is_legal(choice.mv), "an engine chose {:?}", choice.mv);
        // An engine that compares moves itself gives better results.
        if choice.info.candidates.len() > 1 {
            choice.info.candidates.truncate(n);
            let own = |one: &ComparedMove<G::Move>| SearchInfo {
                pv: one.line.clone(),
                score: one.score,
                ..choice.info.clone()
            };
            let best = choice.info.candidates.iter().map(own).collect();
            return Ok((choice, best));
        }
        engine.new_game();
        let control = SearchControl { limits, report: &|_| (), ..*control };
        let best =
            if n > 1 { evaluate_best_moves(&mut *engine, n, at, &control, &choice) } else { Vec::new() };
        let Some(first) = best.first() else { return Ok((choice, best)) };
        let candidates =
            best.iter().map(|info| ComparedMove { line: info.pv.clone(), score: info.score, visits: 0 });
        (choice.mv, choice.info) =
            (first.pv[0], SearchInfo { candidates: candidates.collect(), ..first.clone() });
        Ok((choice, best))
    }
}

/// Returns the search results of the chosen move and of the other best moves, best first. Returns nothing
/// if the engine has no scores, or was stopped before every move had its shallow search.
fn evaluate_best_moves<G: Game>(
    engine: &mut dyn Engine<G>,
    n: usize,
    at: &GameHistory<'_, G>,
    control: &SearchControl<'_, G::Move>,
    choice: &MoveChoice<G::Move>,
) -> Vec<SearchInfo<G::Move>> {
    if choice.info.score.is_none() {
        return Vec::new();
    }
    let is_wanted = || control.stop.load(Ordering::Relaxed);
    // 1. Search every other move shallowly
    let glance = Limits { depth: Some(1), nodes: Some(NODES_PER_COMPARED_MOVE), ..Limits::default() };
    let mut seen = Vec::new();
    for mv in legal_moves(at.now).into_iter().filter(|&mv| mv != choice.mv) {
        if is_wanted() {
            return Vec::new();
        }
        seen.extend(evaluate_move(engine, mv, at, &SearchControl { limits: glance, ..*control }));
    }
    sort_best_first(&mut seen);
    // 2. Search the best of them deeper, and the chosen move too unless its value is proved
    let is_proved = choice.proof.is_some_and(|proof| proof != ProofStatus::Unproved);
    let chosen = (!is_proved).then_some(choice.mv);
    let others = seen.iter().take(n - 1).map(|info| info.pv[0]);
    let mut best = Vec::new();
    for mv in chosen.into_iter().chain(others) {
        best.extend(evaluate_move(engine, mv, at, control).filter(|_| !is_wanted()));
    }
    // 3. Sort by value
    if is_proved {
        for info in &mut best {
            info.score = info.score.min(choice.info.score);
        }
        best.insert(0, choice.info.clone());
    }
    sort_best_first(&mut best);
    best
}

/// Sorts moves by score, highest first. The sort is stable.
pub(crate) fn sort_best_first<M>(moves: &mut [SearchInfo<M>]) {
    moves.sort_by_key(|info| Reverse(info.score));
}

/// Evaluates a move by a search of the position after it; `None` if the engine gives no score.
fn evaluate_move<G: Game>(
    engine: &mut dyn Engine<G>,
    mv: G::Move,
    at: &GameHistory<'_, G>,
    control: &SearchControl<'_, G::Move>,
) -> Option<SearchInfo<G::Move>> {
    let mut next = at.now.clone();
    next.make_move(mv);
    if let Some(outcome) = next.outcome() {
        let value = outcome_value(outcome, at.now.to_move(), 1);
        return Some(SearchInfo { nodes: 1, depth: 1, ..SearchInfo::from_pv(vec![mv], Some(value)) });
    }
    let played: Vec<G::Move> = at.played.iter().copied().chain([mv]).collect();
    engine.reset_for_next_candidate();
    let found = engine.choose(&GameHistory { start: at.start, played: &played, now: &next }, control).info;
    let pv = [mv].into_iter().chain(found.pv).collect();
    let score = Some(found.score?.for_parent());
    Some(SearchInfo { depth: found.depth + 1, pv, score, ..found })
}
