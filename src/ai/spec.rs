//! Specification of an engine as text: its kind, seed, limits and constants. This module is independent of
//! any game.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::ai::{EngineConfig, EngineKind, EngineResources, Limits, NetworkWeights, TuningOverrides};
use crate::game::Side;

/// Specification of an engine, written as `KIND[,KEY=VALUE]...`.
///
/// ```
/// use crosspath::ai::{EngineSpec, EngineKind};
/// let spec: EngineSpec = "level:4,nodes=2000,movetime=1.5s".parse()?;
/// assert_eq!((spec.level, spec.limits.nodes), (EngineKind::Level(4), Some(2000)));
/// assert_eq!(spec.to_string(), "level:4,nodes=2000,movetime=1500ms");
/// # Ok::<(), crosspath::ai::EngineSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Kind of the engine; a game need not have it.
    pub level: EngineKind,
    /// Network of the engine, if it is not the built-in one; without content until
    /// [`EngineSpec::load_weights`].
    pub net: Option<Arc<NetworkWeights>>,
    /// Tuning constants that differ from the engine's defaults.
    pub tuning: TuningOverrides,
    /// Random seed, if the specification sets one.
    pub seed: Option<u64>,
    /// Limits of the engine's searches, if set.
    pub limits: Limits,
    /// Threads and memory of the engine, if set.
    pub resources: EngineResources,
}

/// Maximum number of threads of an engine.
pub const MAX_ENGINE_THREADS: u16 = 256;
/// Maximum memory of an engine, in MiB.
pub const MAX_ENGINE_MEMORY_MIB: u32 = 65_536;

/// Forms of an engine kind, for messages.
pub(crate) const ENGINE_KINDS_HELP: &str = "level:K, classic, net, net:FILE, lookahead";

/// Error of parsing or loading an engine specification.
///
/// ```
/// use crosspath::ai::{EngineSpec, EngineSpecError};
/// assert_eq!("stockfish".parse::<EngineSpec>(), Err(EngineSpecError::Kind("stockfish".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineSpecError {
    /// The engine kind does not exist.
    #[error("there is no engine {0:?}; engines are {ENGINE_KINDS_HELP}")]
    Kind(String),
    /// The text after `level:` is not a level.
    #[error("level {0:?} is neither classic nor a number")]
    Level(String),
    /// The network file cannot be read.
    #[error("cannot read the network {0}: {1}")]
    Net(String, String),
    /// An option is unknown or not of the form `KEY=VALUE`.
    #[error(
        "{0:?} is not an engine option; options are seed=U64, nodes=N, depth=N, movetime=TIME, cpu-time=TIME, threads=N, memory=MIB"
    )]
    Setting(String),
    /// An option has an invalid value.
    #[error("{0}: {1}")]
    Value(&'static str, String),
    /// An option is given twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
}

impl EngineSpec {
    /// Creates the specification of an engine with its default settings.
    ///
    /// ```
    /// use crosspath::ai::{EngineKind, EngineSpec};
    /// assert_eq!(EngineSpec::from_kind(EngineKind::Level(4)).to_string(), "level:4");
    /// ```
    #[must_use]
    pub fn from_kind(level: EngineKind) -> Self {
        let (limits, resources) = (Limits::default(), EngineResources::DEFAULT);
        EngineSpec { level, net: None, tuning: TuningOverrides::EMPTY, seed: None, limits, resources }
    }

    /// Returns the specification with its network loaded by `read`, which gets the file name.
    ///
    /// ```
    /// use crosspath::ai::{EngineSpec, NetworkWeights};
    /// let spec: EngineSpec = "net:my.net".parse()?;
    /// let spec = spec.load_weights(|_| Ok(b"bytes".to_vec()))?;
    /// assert_eq!(spec.net.as_deref(), Some(&NetworkWeights::new("my.net", *b"bytes")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `read` fails.
    pub fn load_weights(
        self,
        read: impl Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, EngineSpecError> {
        let load = |net: Arc<NetworkWeights>| match read(net.name()) {
            Ok(bytes) => Ok(Arc::new(NetworkWeights::new(net.name(), bytes))),
            Err(why) => Err(EngineSpecError::Net(net.name().to_owned(), why)),
        };
        Ok(EngineSpec { net: self.net.map(load).transpose()?, ..self })
    }

    /// Returns the specification with one more tuning constant.
    ///
    /// # Errors
    /// If the constant is already set or does not exist, or if the value is invalid.
    pub(crate) fn with_constant(mut self, key: &str, value: f64) -> Result<Self, EngineSpecError> {
        let setting = || EngineSpecError::Setting(format!("{key}={value}"));
        self.tuning
            .parse_and_set(key, &value.to_string())
            .filter(|_| self.level == EngineKind::Net)
            .ok_or_else(setting)??;
        Ok(self)
    }

    /// Returns the configuration to build the engine for `side`.
    ///
    /// ```
    /// use crosspath::ai::EngineSpec;
    /// use crosspath::game::Side;
    /// let spec: EngineSpec = "level:4,threads=2".parse()?;
    /// assert_eq!(spec.config_for_side(7, Side::First).resources.threads, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn config_for_side(&self, seed: u64, side: Side) -> EngineConfig {
        let (weights, tuning) = (self.net.clone(), self.tuning.clone());
        EngineConfig { weights, tuning, resources: self.resources, ..EngineConfig::for_side(seed, side) }
    }
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<Self, EngineSpecError> {
        let mut parts = text.split(',');
        let kind = parts.next().unwrap_or_default();
        let level = match kind.split_once(':') {
            Some(("level", level)) => level.parse().map_err(|()| EngineSpecError::Level(level.to_owned()))?,
            None if kind == "classic" => EngineKind::Classic,
            None if kind == "lookahead" => EngineKind::Lookahead,
            None if kind == "net" => EngineKind::Net,
            Some(("net", _)) => EngineKind::Net,
            other => return Err(EngineSpecError::Kind(other.map_or(kind, |(kind, _)| kind).to_owned())),
        };
        let net = kind.strip_prefix("net:").map(|file| Arc::new(NetworkWeights::new(file, [])));
        let mut spec = EngineSpec { net, ..EngineSpec::from_kind(level) };
        let (limits, resources) = (&mut spec.limits, &mut spec.resources);
        for part in parts {
            match part.split_once('=') {
                Some(("seed", value)) => set_once("seed", &mut spec.seed, parse_whole_number(value))?,
                Some(("nodes", value)) => set_once("nodes", &mut limits.nodes, parse_whole_number(value))?,
                Some(("depth", value)) => set_once("depth", &mut limits.depth, parse_whole_number(value))?,
                Some(("movetime", value)) => set_once("movetime", &mut limits.time, parse_duration(value))?,
                Some(("cpu-time", value)) => {
                    set_once("cpu-time", &mut limits.cpu_time, parse_duration(value))?;
                }
                Some(("threads", value)) => {
                    set_once("threads", &mut resources.threads, parse_up_to(value, MAX_ENGINE_THREADS))?;
                }
                Some(("memory", value)) => {
                    set_once("memory", &mut resources.memory_mib, parse_up_to(value, MAX_ENGINE_MEMORY_MIB))?;
                }
                other => {
                    let setting = || EngineSpecError::Setting(part.to_owned());
                    let (key, value) = other.filter(|_| level == EngineKind::Net).ok_or_else(setting)?;
                    spec.tuning.parse_and_set(key, value).ok_or_else(setting)??;
                }
            }
        }
        Ok(spec)
    }
}

impl TuningOverrides {
    /// Parses and sets a constant; returns `None` if there is no such constant.
    fn parse_and_set(&mut self, key: &str, value: &str) -> Option<Result<(), EngineSpecError>> {
        let &key = TuningOverrides::CONSTANT_NAMES.iter().find(|known| **known == key)?;
        Some(set_once(key, self.slot_mut(key), parse_constant_thousandths(key, value)))
    }
}

fn set_once<T>(
    key: &'static str,
    place: &mut Option<T>,
    value: Result<T, String>,
) -> Result<(), EngineSpecError> {
    let value = value.map_err(|why| EngineSpecError::Value(key, why))?;
    place.replace(value).map_or(Ok(()), |_| Err(EngineSpecError::Twice(key)))
}

/// Parses the value of a constant, in thousandths.
fn parse_constant_thousandths(key: &str, text: &str) -> Result<u32, String> {
    match (key, text) {
        (ON_OFF_CONSTANT, "on") => Ok(1000),
        (ON_OFF_CONSTANT, "off") => Ok(0),
        (ON_OFF_CONSTANT, _) => Err(format!("{text:?} is neither on nor off")),
        _ if TuningOverrides::steps_per_unit(key) == 1 => {
            let number = text.parse::<u32>().ok().filter(|number| *number <= 100);
            let wrong = || format!("{text:?} is not a whole number from 0 to 100");
            number.map(|number| 1000 * number).ok_or_else(wrong)
        }
        _ => parse_thousandths(text),
    }
}

/// Name of the constant that is written as `on` or `off`.
const ON_OFF_CONSTANT: &str = "proofs";

/// Parses a number from 0 to 100, in thousandths.
fn parse_thousandths(text: &str) -> Result<u32, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 100,000")]
    let thousandths = number.map(|number| (1000.0 * number).round() as u32);
    thousandths.ok_or_else(|| format!("{text:?} is not a number from 0 to 100, such as 0.2"))
}

/// Parses a whole number from 1 to `most`.
fn parse_up_to<T: Copy + FromStr + PartialOrd + From<u8> + Display>(
    text: &str,
    most: T,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(1)..=most).contains(number));
    number.ok_or_else(|| format!("{text:?} is not a number from 1 to {most}"))
}

fn parse_whole_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is not a whole number, such as 1000"))
}

/// Parses a duration such as `500ms`, `2s` or `1.5s`; a number without a unit is in milliseconds.
///
/// ```
/// use std::time::Duration;
/// use crosspath::ai::parse_duration;
/// assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
/// assert!(parse_duration("soon").is_err());
/// ```
///
/// # Errors
/// If `text` is not a duration; the error gives examples.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("\"{text}\" is not a time, such as 500ms or 2s");
    let (number, unit_ms) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1.0),
        (None, Some(number)) => (number, 1000.0),
        (None, None) => (text, 1.0),
    };
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = if is_number { number.parse().map_err(|_| wrong())? } else { return Err(wrong()) };
    Duration::try_from_secs_f64(value * unit_ms / 1000.0).map_err(|_| wrong())
}

impl Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineSpec { level, net, tuning, seed, limits, resources } = self;
        let Limits { depth, nodes, time, cpu_time } = limits;
        f.write_str(if matches!(level, EngineKind::Level(_)) { "level:" } else { "" })?;
        Display::fmt(level, f)?;
        net.as_ref().map_or(Ok(()), |net| write!(f, ":{}", net.name()))?;
        for key in TuningOverrides::CONSTANT_NAMES {
            match tuning.get(key) {
                None => {}
                Some(value) if key == ON_OFF_CONSTANT => {
                    f.write_str(if value > 0.0 { ",proofs=on" } else { ",proofs=off" })?;
                }
                Some(value) => write!(f, ",{key}={value}")?,
            }
        }
        seed.map_or(Ok(()), |seed| write!(f, ",seed={seed}"))?;
        nodes.map_or(Ok(()), |nodes| write!(f, ",nodes={nodes}"))?;
        depth.map_or(Ok(()), |depth| write!(f, ",depth={depth}"))?;
        for (key, time) in [("movetime", time), ("cpu-time", cpu_time)] {
            time.map_or(Ok(()), |time| write!(f, ",{key}={}ms", time.as_secs_f64() * 1000.0))?;
        }
        resources.threads.map_or(Ok(()), |threads| write!(f, ",threads={threads}"))?;
        resources.memory_mib.map_or(Ok(()), |mib| write!(f, ",memory={mib}"))?;
        Ok(())
    }
}
