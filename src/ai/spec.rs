//! Specification of an engine: one text for its kind, its seed and its limits. Knows no game.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::ai::{EngineConfig, EngineKind, EngineResources, Limits, Tuning, Weights};
use crate::game::Side;

/// An engine as it is named: `KIND[,KEY=VALUE]...`.
///
/// ```
/// use crosspath::ai::{EngineSpec, EngineKind};
/// let spec: EngineSpec = "level:4,nodes=2000,movetime=1.5s".parse()?;
/// assert_eq!((spec.level, spec.limits.nodes), (EngineKind::Level(4), Some(2000)));
/// assert_eq!(spec.to_string(), "level:4,nodes=2000,movetime=1500ms");
/// # Ok::<(), crosspath::ai::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Kind of the engine; whether a game has it is another question.
    pub level: EngineKind,
    /// The network that it plays by, where that is not the program's own; it has no bytes before [`EngineSpec::load`].
    pub net: Option<Arc<Weights>>,
    /// Constants of its play that are not its own.
    pub tuning: Tuning,
    /// The seed of its chance, where that is its own.
    pub seed: Option<u64>,
    /// Limits of its searches; none where others say so.
    pub limits: Limits,
    /// Threads and memory that it may use, where they are given.
    pub resources: EngineResources,
}

/// The most threads that an engine may be given.
pub const MAX_THREADS: u16 = 256;
/// The most memory that an engine may be given, in MiB.
pub const MAX_MIB: u32 = 65_536;

/// The kinds of engines of this program, for messages.
pub(crate) const KINDS: &str = "level:K, classic, net, net:FILE, lookahead";

/// Why a text names no engine.
///
/// ```
/// use crosspath::ai::{EngineSpec, SpecError};
/// assert_eq!("stockfish".parse::<EngineSpec>(), Err(SpecError::Kind("stockfish".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such kind of engine.
    #[error("there is no engine {0:?}; engines are {KINDS}")]
    Kind(String),
    /// The text behind `level:` is no level of any game.
    #[error("level {0:?} is neither classic nor a number")]
    Level(String),
    /// The file of a network cannot be read.
    #[error("cannot read the network {0}: {1}")]
    Net(String, String),
    /// A part is not a key and its value.
    #[error(
        "{0:?} is not an engine option; options are seed=U64, nodes=N, depth=N, movetime=TIME, cpu-time=TIME, threads=N, memory=MIB"
    )]
    Setting(String),
    /// A key has a value that it cannot have.
    #[error("{0}: {1}")]
    Value(&'static str, String),
    /// A key comes twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
}

impl EngineSpec {
    /// The engine of a level or a name, as the game has it.
    ///
    /// ```
    /// use crosspath::ai::{EngineKind, EngineSpec};
    /// assert_eq!(EngineSpec::of(EngineKind::Level(4)).to_string(), "level:4");
    /// ```
    #[must_use]
    pub fn of(level: EngineKind) -> Self {
        let (limits, resources) = (Limits::default(), EngineResources::DEFAULT);
        EngineSpec { level, net: None, tuning: Tuning::NONE, seed: None, limits, resources }
    }

    /// Returns the specification with the weights of its network, as `read` finds them in the file.
    ///
    /// ```
    /// use crosspath::ai::{EngineSpec, Weights};
    /// let spec: EngineSpec = "net:my.net".parse()?;
    /// let spec = spec.load(|_| Ok(b"bytes".to_vec()))?;
    /// assert_eq!(spec.net.as_deref(), Some(&Weights::new("my.net", *b"bytes")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn load(self, read: impl Fn(&str) -> Result<Vec<u8>, String>) -> Result<Self, SpecError> {
        let load = |net: Arc<Weights>| match read(net.name()) {
            Ok(bytes) => Ok(Arc::new(Weights::new(net.name(), bytes))),
            Err(why) => Err(SpecError::Net(net.name().to_owned(), why)),
        };
        Ok(EngineSpec { net: self.net.map(load).transpose()?, ..self })
    }

    /// Returns the specification with one more constant of its play.
    ///
    /// # Errors
    /// If it has that already, if there is no such constant, or if it cannot have this value.
    pub(crate) fn with_constant(mut self, key: &str, value: f64) -> Result<Self, SpecError> {
        let setting = || SpecError::Setting(format!("{key}={value}"));
        self.tuning
            .set(key, &value.to_string())
            .filter(|_| self.level == EngineKind::Net)
            .ok_or_else(setting)??;
        Ok(self)
    }

    /// Returns the configuration with which it is built for a side.
    ///
    /// ```
    /// use crosspath::ai::EngineSpec;
    /// use crosspath::game::Side;
    /// let spec: EngineSpec = "level:4,threads=2".parse()?;
    /// assert_eq!(spec.config(7, Side::First).resources.threads, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn config(&self, seed: u64, side: Side) -> EngineConfig {
        let (weights, tuning) = (self.net.clone(), self.tuning.clone());
        EngineConfig { weights, tuning, resources: self.resources, ..EngineConfig::for_side(seed, side) }
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(',');
        let kind = parts.next().unwrap_or_default();
        let level = match kind.split_once(':') {
            Some(("level", level)) => level.parse().map_err(|()| SpecError::Level(level.to_owned()))?,
            None if kind == "classic" => EngineKind::Classic,
            None if kind == "lookahead" => EngineKind::Lookahead,
            None if kind == "net" => EngineKind::Net,
            Some(("net", _)) => EngineKind::Net,
            other => return Err(SpecError::Kind(other.map_or(kind, |(kind, _)| kind).to_owned())),
        };
        let net = kind.strip_prefix("net:").map(|file| Arc::new(Weights::new(file, [])));
        let mut spec = EngineSpec { net, ..EngineSpec::of(level) };
        let (limits, resources) = (&mut spec.limits, &mut spec.resources);
        for part in parts {
            match part.split_once('=') {
                Some(("seed", value)) => set("seed", &mut spec.seed, number(value))?,
                Some(("nodes", value)) => set("nodes", &mut limits.nodes, number(value))?,
                Some(("depth", value)) => set("depth", &mut limits.depth, number(value))?,
                Some(("movetime", value)) => set("movetime", &mut limits.time, duration(value))?,
                Some(("cpu-time", value)) => set("cpu-time", &mut limits.cpu_time, duration(value))?,
                Some(("threads", value)) => {
                    set("threads", &mut resources.threads, within(value, MAX_THREADS))?;
                }
                Some(("memory", value)) => set("memory", &mut resources.memory_mib, within(value, MAX_MIB))?,
                other => {
                    let setting = || SpecError::Setting(part.to_owned());
                    let (key, value) = other.filter(|_| level == EngineKind::Net).ok_or_else(setting)?;
                    spec.tuning.set(key, value).ok_or_else(setting)??;
                }
            }
        }
        Ok(spec)
    }
}

impl Tuning {
    /// Takes a constant as it is written; `None` if there is no such one.
    fn set(&mut self, key: &str, value: &str) -> Option<Result<(), SpecError>> {
        let &key = Tuning::KEYS.iter().find(|known| **known == key)?;
        Some(set(key, self.place(key), constant(key, value)))
    }
}

fn set<T>(key: &'static str, place: &mut Option<T>, value: Result<T, String>) -> Result<(), SpecError> {
    let value = value.map_err(|why| SpecError::Value(key, why))?;
    place.replace(value).map_or(Ok(()), |_| Err(SpecError::Twice(key)))
}

/// The constant of a key, in thousandths.
fn constant(key: &str, text: &str) -> Result<u32, String> {
    match (key, text) {
        (SWITCH, "on") => Ok(1000),
        (SWITCH, "off") => Ok(0),
        (SWITCH, _) => Err(format!("{text:?} is neither on nor off")),
        _ if Tuning::grid(key) == 1 => {
            let number = text.parse::<u32>().ok().filter(|number| *number <= 100);
            let wrong = || format!("{text:?} is not a whole number from 0 to 100");
            number.map(|number| 1000 * number).ok_or_else(wrong)
        }
        _ => thousandths(text),
    }
}

/// The key whose constant is written as `on` or `off`.
const SWITCH: &str = "proofs";

/// A number from 0 to 100, in thousandths.
fn thousandths(text: &str) -> Result<u32, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 100,000")]
    let thousandths = number.map(|number| (1000.0 * number).round() as u32);
    thousandths.ok_or_else(|| format!("{text:?} is not a number from 0 to 100, such as 0.2"))
}

/// A number from 1 to this.
fn within<T: Copy + FromStr + PartialOrd + From<u8> + Display>(text: &str, most: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(1)..=most).contains(number));
    number.ok_or_else(|| format!("{text:?} is not a number from 1 to {most}"))
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is not a whole number, such as 1000"))
}

/// Reads `500ms`, `2s`, `1.5s`, or a number of milliseconds.
///
/// ```
/// use std::time::Duration;
/// use crosspath::ai::duration;
/// assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
/// assert!(duration("soon").is_err());
/// ```
///
/// # Errors
/// Says what would be right.
pub fn duration(text: &str) -> Result<Duration, String> {
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
        for key in Tuning::KEYS {
            match tuning.get(key) {
                None => {}
                Some(value) if key == SWITCH => {
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
