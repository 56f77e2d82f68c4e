//! Configuration of an engine: its random seed, threads, memory, network and tuning constants.

use std::fmt::{self, Debug};
use std::sync::Arc;

use crate::game::Side;
use crate::random::{FIRST_ENGINE_STREAM, RandomGenerator, SECOND_ENGINE_STREAM, mix_seed, random_stream};

/// Configuration from which an engine is built.
///
/// ```
/// use crosspath::ai::{EngineConfig, EngineResources};
/// let resources = EngineResources { threads: Some(2), memory_mib: Some(64) };
/// let config = EngineConfig { resources, ..EngineConfig::new(7, 0) };
/// assert_eq!((config.seed, config.weights), (7, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Random seed of the run.
    pub seed: u64,
    /// Number of the random stream that this engine draws from.
    pub stream: u64,
    /// Threads and memory that the engine may use.
    pub resources: EngineResources,
    /// Network weights, for engines that play by a network.
    pub weights: Option<Arc<NetworkWeights>>,
    /// Constants that override the engine's defaults.
    pub tuning: TuningOverrides,
}

impl EngineConfig {
    /// Creates a configuration with default resources, default constants and no network.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        EngineConfig {
            seed,
            stream,
            resources: EngineResources::DEFAULT,
            weights: None,
            tuning: TuningOverrides::EMPTY,
        }
    }

    /// Creates a configuration with the random stream of the engine that plays `side`.
    pub(crate) const fn for_side(seed: u64, side: Side) -> Self {
        EngineConfig::new(seed, [FIRST_ENGINE_STREAM, SECOND_ENGINE_STREAM][side as usize])
    }

    /// Returns the random generator that the engine starts a game with.
    ///
    /// ```
    /// use crosspath::ai::EngineConfig;
    /// let config = EngineConfig::new(7, 0);
    /// assert_eq!(config.random_generator(), config.random_generator(), "the same seed, the same numbers");
    /// ```
    #[must_use]
    pub fn random_generator(&self) -> RandomGenerator {
        random_stream(self.seed, self.stream)
    }

    /// Returns the random generator for the move after `plies` plies. It does not depend on earlier draws,
    /// so a continued game plays on as if it had never been interrupted. For the first move of each side it
    /// equals [`EngineConfig::random_generator`].
    #[must_use]
    pub fn random_generator_at_ply(&self, plies: usize) -> RandomGenerator {
        match plies / 2 {
            0 => self.random_generator(),
            own_moves => random_stream(mix_seed(self.seed, u64::MAX - own_moves as u64), self.stream),
        }
    }
}

/// Threads and memory that an engine may use.
///
/// ```
/// use crosspath::ai::{EngineResources, EngineSpec};
/// let spec: EngineSpec = "level:4,threads=2,memory=64".parse()?;
/// assert_eq!(spec.resources, EngineResources { threads: Some(2), memory_mib: Some(64) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineResources {
    /// Number of search threads; 1 if `None`. Only a single thread gives reproducible results.
    pub threads: Option<u16>,
    /// Memory for the engine's tables, in MiB; the engine's default if `None`.
    pub memory_mib: Option<u32>,
}

impl EngineResources {
    /// Engine defaults: neither threads nor memory are set.
    pub const DEFAULT: EngineResources = EngineResources { threads: None, memory_mib: None };

    /// Returns these resources, with the values that are unset filled in from `others`.
    ///
    /// ```
    /// use crosspath::ai::EngineResources;
    /// let mine = EngineResources { threads: Some(2), memory_mib: None };
    /// let usual = EngineResources { threads: Some(1), memory_mib: Some(64) };
    /// assert_eq!(mine.with_fallback(usual), EngineResources { threads: Some(2), memory_mib: Some(64) });
    /// ```
    #[must_use]
    pub fn with_fallback(self, others: EngineResources) -> EngineResources {
        EngineResources {
            threads: self.threads.or(others.threads),
            memory_mib: self.memory_mib.or(others.memory_mib),
        }
    }

    /// Returns the number of search threads, at least 1.
    #[must_use]
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.map_or(1, usize::from).max(1)
    }

    /// Returns the memory for tables in MiB, or `usual` if none is set.
    #[must_use]
    pub(crate) fn memory_mib_or(&self, usual: usize) -> usize {
        self.memory_mib.and_then(|mib| usize::try_from(mib).ok()).unwrap_or(usual)
    }
}

/// Overrides for the tuning constants of engines that play by a network.
///
/// ```
/// use crosspath::ai::EngineSpec;
/// let spec: EngineSpec = "net,exploration=1.5".parse()?;
/// assert_eq!(spec.tuning.get("exploration"), Some(1.5));
/// assert_eq!(spec.tuning.get("noise"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TuningOverrides {
    /// Values in thousandths, in the order of [`TuningOverrides::CONSTANT_NAMES`].
    thousandths: [Option<u32>; 12],
}

impl TuningOverrides {
    /// No overrides: every constant keeps its default.
    pub const EMPTY: TuningOverrides = TuningOverrides { thousandths: [None; 12] };

    /// Names of the tuning constants.
    ///
    /// - `temperature`: moves are drawn with probabilities proportional to e^(logit / temperature); with 0
    ///   the best one is played.
    /// - `exploration`: weight of a move's prior against its value in the tree search (PUCT constant).
    /// - `first-play`: first-play urgency of the tree search: penalty subtracted from a position's value
    ///   for its unvisited moves.
    /// - `prior`: temperature by which the tree search divides logits before they become priors.
    /// - `noise`: scale of the Gumbel noise that is added to the logits of the root moves, so that repeated
    ///   searches of one position differ.
    /// - `mending`: bonus that the tree search adds to the logit of a reply that restores a bridge after an
    ///   intrusion.
    /// - `proofs`: `on` or `off` (1 or 0 as a number): switches virtual connections and the solver on or
    ///   off.
    ///
    /// The constants above belong to Hex. The others are whole numbers and belong to the search of
    /// Quoridor:
    ///
    /// - `window`: initial aspiration half-window around the last value, in hundredths of a step.
    /// - `margin`: reverse-futility margin per remaining ply, in hundredths of a step.
    /// - `pass-less`, `pass-share`: null-move reduction: `pass-less` plies, plus one for every `pass-share`
    ///   remaining plies.
    /// - `detour`: number of steps by which a wall must lengthen the opponent's path to be searched in
    ///   quiescence.
    pub const CONSTANT_NAMES: [&str; 12] = [
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

    /// Returns the number of steps in one unit of a constant: 1000, or 1 if the constant is an integer.
    ///
    /// ```
    /// use crosspath::ai::TuningOverrides;
    /// assert_eq!((TuningOverrides::steps_per_unit("exploration"), TuningOverrides::steps_per_unit("window")), (1000, 1));
    /// ```
    #[must_use]
    pub fn steps_per_unit(key: &str) -> u32 {
        if TuningOverrides::CONSTANT_NAMES[7..].contains(&key) { 1 } else { 1000 }
    }

    /// Checks that only constants in `known` are overridden.
    ///
    /// # Errors
    /// Returns an error that names the first constant which the engine does not have.
    pub(crate) fn check_supported(&self, known: &'static [&'static str]) -> Result<(), EngineBuildError> {
        let given = TuningOverrides::CONSTANT_NAMES.into_iter().filter(|key| self.get(key).is_some());
        match given.into_iter().find(|key| !known.contains(key)) {
            Some(key) => Err(EngineBuildError::NoSuchConstant { key, known }),
            None => Ok(()),
        }
    }

    /// Returns the overriding value of a constant, if there is one.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<f64> {
        let place = TuningOverrides::CONSTANT_NAMES.iter().position(|known| *known == key)?;
        self.thousandths[place].map(|thousandths| f64::from(thousandths) / 1000.0)
    }

    /// Returns the slot that stores a constant, in thousandths. `key` must be one of the constant names.
    pub(super) fn slot_mut(&mut self, key: &str) -> &mut Option<u32> {
        let place = TuningOverrides::CONSTANT_NAMES.iter().position(|known| *known == key);
        &mut self.thousandths[place.expect("it is one of the keys")]
    }
}

/// Weights of a network with their file name, loaded once and shared by all engines that use them.
///
/// ```
/// use crosspath::ai::NetworkWeights;
/// let weights = NetworkWeights::new("my.net", *b"bytes of a network");
/// assert_eq!((weights.name(), weights.bytes().len()), ("my.net", 18));
/// ```
#[derive(PartialEq, Eq)]
pub struct NetworkWeights {
    name: String,
    bytes: Box<[u8]>,
}

impl NetworkWeights {
    /// Creates weights from the content of the file `name`.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<Box<[u8]>>) -> Self {
        NetworkWeights { name: name.into(), bytes: bytes.into() }
    }

    /// Returns the name of the weights file, for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the content of the weights file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Debug for NetworkWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights({}, {} bytes)", self.name, self.bytes.len())
    }
}

/// Error of building an engine.
///
/// ```
/// use crosspath::ai::{EngineBuildError, EngineKind, EngineSpec, HasEngines, EngineHost};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let spec: EngineSpec = "net,window=30".parse()?;
/// let level = Hex::game_engines().find_level(EngineKind::Net)?.clone();
/// let error = EngineHost::new(level, spec.config_for_side(1, Side::First), &Hex::new(11, SwapRule::On)?).unwrap_err();
/// assert!(matches!(error, EngineBuildError::NoSuchConstant { key: "window", .. } | EngineBuildError::NoNet));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineBuildError {
    /// The engine plays by a network, but none is available.
    #[error("this engine needs a network, and this build has none; give one with net:FILE")]
    NoNet,
    /// The weights do not fit the engine's network.
    #[error("the network {name} does not fit: {why}")]
    BadWeights {
        /// Name of the weights file.
        name: String,
        /// Reason for the mismatch.
        why: String,
    },
    /// An overridden constant does not exist in this engine.
    #[error("{key} is not a constant of this engine; the constants are {known}", known = known.join(", "))]
    NoSuchConstant {
        /// Name of the unknown constant.
        key: &'static str,
        /// Names of the constants that the engine has.
        known: &'static [&'static str],
    },
}
