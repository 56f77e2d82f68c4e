//! One engine in one game: builds it, keeps it while the game grows, begins anew otherwise, compares moves. Knows no
//! particular game, no text and no thread.

use std::cmp::Reverse;
use std::fmt::{self, Debug};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::ai::{
    Candidate, Choice, Engine, GameHistory, Info, LevelSpec, Limits, Proof, SearchControl, end_value,
    legal_moves,
};
use crate::game::{Game, Side};
use crate::random::{ENGINE_FIRST, ENGINE_SECOND, Generator, mix, stream};

/// What an engine is built with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// The seed of the run.
    pub seed: u64,
    /// The stream of the seed that is this engine's own.
    pub stream: u64,
    /// What it may use of the machine.
    pub resources: Resources,
    /// The network it plays by, for engines that have one.
    pub weights: Option<Arc<Weights>>,
    /// Constants that replace the engine's own.
    pub tuning: Tuning,
}

impl EngineConfig {
    /// One thread, memory as it likes and no weights.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        EngineConfig { seed, stream, resources: Resources::DEFAULT, weights: None, tuning: Tuning::NONE }
    }

    /// The same with the stream of an engine that plays this side.
    pub(crate) const fn for_side(seed: u64, side: Side) -> Self {
        EngineConfig::new(seed, [ENGINE_FIRST, ENGINE_SECOND][side as usize])
    }

    /// The generator of all the engine's chance.
    #[must_use]
    pub fn generator(&self) -> Generator {
        stream(self.seed, self.stream)
    }

    /// Returns the generator for the move after so many plies. It depends on nothing that was drawn before, so a game that is
    /// continued goes on as if it had not been left. The first move of each side has the engine's own generator.
    #[must_use]
    pub fn generator_at(&self, plies: usize) -> Generator {
        match plies / 2 {
            0 => self.generator(),
            own_moves => stream(mix(self.seed, u64::MAX - own_moves as u64), self.stream),
        }
    }
}

/// What an engine may use of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// How many threads think about a move; one where none are given, and only one thinks the same every time.
    pub threads: Option<u16>,
    /// How much memory its tables may take, in MiB; its own choice where none is given.
    pub memory_mib: Option<u32>,
}

impl Resources {
    /// Nothing is given.
    pub const DEFAULT: Resources = Resources { threads: None, memory_mib: None };

    /// These or, where one is not given, that of others.
    #[must_use]
    pub fn or(self, others: Resources) -> Resources {
        Resources {
            threads: self.threads.or(others.threads),
            memory_mib: self.memory_mib.or(others.memory_mib),
        }
    }

    /// How many threads think, at least one.
    #[must_use]
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.map_or(1, usize::from).max(1)
    }

    /// How much memory tables may take, in MiB, where this much is usual.
    #[must_use]
    pub(crate) fn memory_or(&self, usual: usize) -> usize {
        self.memory_mib.and_then(|mib| usize::try_from(mib).ok()).unwrap_or(usual)
    }
}

/// Constants of engines that play by a network, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// In thousandths, in the order of [`Tuning::KEYS`].
    thousandths: [Option<u32>; 12],
}

impl Tuning {
    /// None is given.
    pub const NONE: Tuning = Tuning { thousandths: [None; 12] };

    /// What they are called.
    ///
    /// - `temperature`: moves are drawn, one that looks better by this in log odds e = 2.72 times as often; with 0 the best
    ///   is played.
    /// - `exploration`: how much the prior of a move weighs against its value in a tree search.
    /// - `first-play`: how much worse than its position a move is thought there that was never looked at.
    /// - `prior`: log odds are divided by this before they become priors there.
    /// - `noise`: so much of a random number (a Gumbel variable) is added to each logit of the first move, so that searches
    ///   of one position differ.
    /// - `mending`: how much is added there to the logit of a reply that mends a link which the last move has entered.
    /// - `proofs`: `on` or `off`: whether connections and the solver help it (as a number 1 or 0).
    ///
    /// These are of Hex; the others are whole numbers, of the search of Quoridor:
    ///
    /// - `window`: half of the first window around the last value; scores count 100 a step.
    /// - `margin`: so much above the window, for each ply that is left, nothing is looked at.
    /// - `pass-less`, `pass-share`: so many plies less are looked ahead when the move is handed over, and one less again for
    ///   each so many that are left.
    /// - `detour`: where the search ends, walls are still looked at that gain so many steps.
    pub const KEYS: [&str; 12] = [
        "temperature",
        "exploration",
        "first-play",
        "prior",
        "noise",
        "mending",
        "proofs",
        "window",
        "margin",
        "pass-less",
        "pass-share",
        "detour",
    ];

    /// How many values a constant can have from a number to the next whole one: 1000, or 1 where it is a whole number.
    #[must_use]
    pub fn grid(key: &str) -> u32 {
        if Tuning::KEYS[7..].contains(&key) { 1 } else { 1000 }
    }

    /// Makes sure that nothing is given but constants that an engine has.
    ///
    /// # Errors
    /// Names the first of the others.
    pub(crate) fn check_known(&self, known: &'static [&'static str]) -> Result<(), BuildError> {
        let given = Tuning::KEYS.into_iter().filter(|key| self.get(key).is_some());
        match given.into_iter().find(|key| !known.contains(key)) {
            Some(key) => Err(BuildError::NoSuchConstant { key, known }),
            None => Ok(()),
        }
    }

    /// The constant of a key, if it is given.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<f64> {
        let place = Tuning::KEYS.iter().position(|known| *known == key)?;
        self.thousandths[place].map(|thousandths| f64::from(thousandths) / 1000.0)
    }

    /// Where the constant of one of the keys is kept, in thousandths.
    pub(super) fn place(&mut self, key: &str) -> &mut Option<u32> {
        let place = Tuning::KEYS.iter().position(|known| *known == key);
        &mut self.thousandths[place.expect("it is one of the keys")]
    }
}

/// The weights of a network under their name, loaded once and shared by all who play by them.
#[derive(PartialEq, Eq)]
pub struct Weights {
    name: String,
    bytes: Box<[u8]>,
}

impl Weights {
    /// Weights as they were read from the file `name`.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<Box<[u8]>>) -> Self {
        Weights { name: name.into(), bytes: bytes.into() }
    }

    /// Where they come from, for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The weights, in the engine's own form.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights({}, {} bytes)", self.name, self.bytes.len())
    }
}

/// Why an engine cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The engine plays by a network, and there is none.
    #[error("this engine needs a network, and this build has none; give one with net:FILE")]
    NoNet,
    /// The weights are not those of the engine's network.
    #[error("the network {name} does not fit: {why}")]
    BadWeights {
        /// The name of the weights.
        name: String,
        /// What is wrong and what would be right.
        why: String,
    },
    /// A constant is given that the engine has not.
    #[error("{key} is not a constant of this engine; the constants are {known}", known = known.join(", "))]
    NoSuchConstant {
        /// What it is called.
        key: &'static str,
        /// Those that it has.
        known: &'static [&'static str],
    },
}

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

/// What an engine chose, and what was found about the best moves.
type Compared<M> = (Choice<M>, Vec<Info<M>>);

/// Positions that a glance at a move may take.
const GLANCE: u64 = 200;

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

    /// The best moves, `n` of them if there are as many, in [`Info::candidates`]: the one that a new engine chooses and
    /// those that look best at a glance, each thought about alike, one ply on. What is proved about the chosen one stays
    /// in front; nothing can be worth more. What the host remembers of its game is not touched.
    ///
    /// The time of `control` is for all of them together, positions and depth are for each. Only the chosen move is
    /// given where the engine has no scores or was stopped.
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

    /// The same moves, each with what was found about it, the best in front; the chosen one alone where the others have
    /// no scores.
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

    /// What a new engine chooses, and how it compares with the others.
    fn compared(
        &self,
        n: usize,
        at: &GameHistory<'_, G>,
        control: &SearchControl<'_, G::Move>,
    ) -> Result<Compared<G::Move>, BuildError> {
        // One thought about the position, one about each of the moves, and all the glances together like one more.
        let shares = if n > 1 { u32::try_from(n + 2).unwrap_or(u32::MAX) } else { 1 };
        let limits = self.within_limits(control).limits.shared_by(shares);
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

/// What was found about the chosen move and the others that look best, the best in front, each at the head of its line;
/// none where the engine has no scores, or when it was stopped before all moves had been glanced at.
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
    let glance = Limits { depth: Some(1), nodes: Some(GLANCE), ..Limits::default() };
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

/// What a move is worth as the engine sees the position after it; `None` if it gives no score.
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
