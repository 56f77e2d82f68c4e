//! Configuration of an engine: its random seed, its share of the computer, its network, its constants.

use std::fmt::{self, Debug};
use std::sync::Arc;

use crate::game::Side;
use crate::random::{ENGINE_FIRST, ENGINE_SECOND, Generator, mix, stream};

/// Configuration with which an engine is built.
///
/// ```
/// use crosspath::ai::{EngineConfig, EngineResources};
/// let resources = EngineResources { threads: Some(2), memory_mib: Some(64) };
/// let config = EngineConfig { resources, ..EngineConfig::new(7, 0) };
/// assert_eq!((config.seed, config.weights), (7, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// The seed of the run.
    pub seed: u64,
    /// The stream of the seed that is this engine's own.
    pub stream: u64,
    /// Threads and memory that it may use.
    pub resources: EngineResources,
    /// The network it plays by, for engines that have one.
    pub weights: Option<Arc<Weights>>,
    /// Constants that replace the engine's own.
    pub tuning: Tuning,
}

impl EngineConfig {
    /// One thread, memory as it likes and no weights.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        EngineConfig {
            seed,
            stream,
            resources: EngineResources::DEFAULT,
            weights: None,
            tuning: Tuning::NONE,
        }
    }

    /// Returns the configuration with the stream of an engine that plays this side.
    pub(crate) const fn for_side(seed: u64, side: Side) -> Self {
        EngineConfig::new(seed, [ENGINE_FIRST, ENGINE_SECOND][side as usize])
    }

    /// The generator of all the engine's chance.
    ///
    /// ```
    /// use crosspath::ai::EngineConfig;
    /// let config = EngineConfig::new(7, 0);
    /// assert_eq!(config.generator(), config.generator(), "the same seed, the same numbers");
    /// ```
    #[must_use]
    pub fn generator(&self) -> Generator {
        stream(self.seed, self.stream)
    }

    /// Returns the generator for the move after `plies` plies. It depends on nothing that was drawn before, so a game
    /// that is continued goes on as if it had not been left. The first move of each side has the engine's own
    /// generator.
    #[must_use]
    pub fn generator_at(&self, plies: usize) -> Generator {
        match plies / 2 {
            0 => self.generator(),
            own_moves => stream(mix(self.seed, u64::MAX - own_moves as u64), self.stream),
        }
    }
}

/// Threads and memory that an engine may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineResources {
    /// Number of threads that think about a move; one where none are given, and only one thinks the same every time.
    pub threads: Option<u16>,
    /// Memory that its tables may take, in MiB; its own choice where none is given.
    pub memory_mib: Option<u32>,
}

impl EngineResources {
    /// Nothing is given: the engine's own choice.
    pub const DEFAULT: EngineResources = EngineResources { threads: None, memory_mib: None };

    /// These or, where one is not given, that of others.
    ///
    /// ```
    /// use crosspath::ai::EngineResources;
    /// let mine = EngineResources { threads: Some(2), memory_mib: None };
    /// let usual = EngineResources { threads: Some(1), memory_mib: Some(64) };
    /// assert_eq!(mine.or(usual), EngineResources { threads: Some(2), memory_mib: Some(64) });
    /// ```
    #[must_use]
    pub fn or(self, others: EngineResources) -> EngineResources {
        EngineResources {
            threads: self.threads.or(others.threads),
            memory_mib: self.memory_mib.or(others.memory_mib),
        }
    }

    /// Returns the number of threads that think, at least one.
    #[must_use]
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.map_or(1, usize::from).max(1)
    }

    /// Returns the memory that tables may take, in MiB, where `usual` is usual.
    #[must_use]
    pub(crate) fn memory_or(&self, usual: usize) -> usize {
        self.memory_mib.and_then(|mib| usize::try_from(mib).ok()).unwrap_or(usual)
    }
}

/// Constants of engines that play by a network, as far as they are given.
///
/// ```
/// use crosspath::ai::EngineSpec;
/// let spec: EngineSpec = "net,exploration=1.5".parse()?;
/// assert_eq!(spec.tuning.get("exploration"), Some(1.5));
/// assert_eq!(spec.tuning.get("noise"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// In thousandths, in the order of [`Tuning::KEYS`].
    thousandths: [Option<u32>; 12],
}

impl Tuning {
    /// No constant is given.
    pub const NONE: Tuning = Tuning { thousandths: [None; 12] };

    /// Names of the constants.
    ///
    /// - `temperature`: moves are drawn, one that looks better by this in log odds e = 2.72 times as often; with 0 the best
    ///   is played.
    /// - `exploration`: how much the prior of a move weighs against its value in a tree search.
    /// - `first-play`: first-play urgency: penalty subtracted there from the value of a position for its unvisited
    ///   moves.
    /// - `prior`: log odds are divided by this before they become priors there.
    /// - `noise`: scale of a random number (a Gumbel variable) that is added to each logit of the first move, so that
    ///   searches
    ///   of one position differ.
    /// - `mending`: bonus added there to the logit of a reply that mends a link which the last move has entered.
    /// - `proofs`: `on` or `off`: whether connections and the solver help it (as a number 1 or 0).
    ///
    /// These are of Hex; the others are whole numbers, of the search of Quoridor:
    ///
    /// - `window`: initial aspiration half-window around the last value; scores count 100 a step.
    /// - `margin`: reverse-futility margin above the window, for each ply that is left.
    /// - `pass-less`, `pass-share`: null-move reduction: `pass-less` plies, and one more for each `pass-share` plies
    ///   that are left.
    /// - `detour`: steps by which a wall has to lengthen the other side's path to be searched in quiescence.
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

    /// Returns the number of values of a constant from a number to the next whole one: 1000, or 1 where it is a whole
    /// number.
    ///
    /// ```
    /// use crosspath::ai::Tuning;
    /// assert_eq!((Tuning::grid("exploration"), Tuning::grid("window")), (1000, 1));
    /// ```
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

    /// Returns the place of the constant with one of the keys, in thousandths.
    pub(super) fn place(&mut self, key: &str) -> &mut Option<u32> {
        let place = Tuning::KEYS.iter().position(|known| *known == key);
        &mut self.thousandths[place.expect("it is one of the keys")]
    }
}

/// The weights of a network under their name, loaded once and shared by all who play by them.
///
/// ```
/// use crosspath::ai::Weights;
/// let weights = Weights::new("my.net", *b"bytes of a network");
/// assert_eq!((weights.name(), weights.bytes().len()), ("my.net", 18));
/// ```
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

    /// Returns the name of the file that they come from, for messages.
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
///
/// ```
/// use crosspath::ai::{BuildError, EngineKind, EngineSpec, Engines, EngineHost};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let spec: EngineSpec = "net,window=30".parse()?;
/// let level = Hex::game_engines().find(EngineKind::Net)?.clone();
/// let error = EngineHost::new(level, spec.config(1, Side::First), &Hex::new(11, SwapRule::On)?).unwrap_err();
/// assert!(matches!(error, BuildError::NoSuchConstant { key: "window", .. } | BuildError::NoNet));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        /// Reason why it is wrong, and what would be right.
        why: String,
    },
    /// A constant is given that the engine has not.
    #[error("{key} is not a constant of this engine; the constants are {known}", known = known.join(", "))]
    NoSuchConstant {
        /// Name of the constant.
        key: &'static str,
        /// Keys that it has.
        known: &'static [&'static str],
    },
}
