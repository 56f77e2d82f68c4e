//! The Quoridor Text Protocol: one line a command, one answer each. Knows the rules and the engines of Quoridor.
//!
//! Black is First and the picture upside down: see [`Dialect::Qtp`](crate::games::quoridor::dialect::Dialect::Qtp).

mod clock;
mod commands;

mod names;
mod picture;
mod table;
mod think;

use crate::protocol::input;
pub use crate::protocol::input::LONGEST_LINE;

use std::fmt::{self, Debug};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{Level, Limits};
use crate::game::Side;
use crate::games::quoridor::{MAX_SIZE, Quoridor};
use crate::random::fresh_seed;
use crate::registry::{self, OpenError, Variant};
use commands::Failure;
use table::Table;
use think::Thinkers;

/// What a dialogue begins with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The board and the walls; what is not given has the game's default.
    pub variant: Variant,
    /// Who plays; the strongest level there is unless one is given.
    pub level: Option<Level>,
    /// Limits of each thought; they replace the clock.
    pub limits: Limits,
    /// The seed of all chance; fresh unless one is given.
    pub seed: Option<u64>,
    /// Whether a line `# ...` in front of each move says what it cost.
    pub has_stats: bool,
}

/// Why a dialogue cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The board is none of the game's.
    #[error("{0}")]
    Board(#[from] OpenError),
    /// There is no such level.
    #[error("level {got} does not exist; levels: {}", levels.join(", "))]
    Level {
        /// What was asked for.
        got: Level,
        /// The levels there are.
        levels: Vec<String>,
    },
}

/// What the last thought found.
#[derive(Clone, Debug)]
struct Thought {
    nodes: u64,
    depth: u32,
    score: String,
    elapsed: Duration,
    line: String,
}

impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Thought { nodes, depth, score, elapsed, line } = self;
        write!(f, "nodes {nodes} depth {depth} time {} score {score} line {line}", elapsed.as_millis())
    }
}

/// A dialogue: takes lines, gives answers.
///
/// ```
/// use crosspath::protocol::qtp::{Options, Qtp};
/// let mut engine = Qtp::new(&Options::default())?;
/// assert_eq!(engine.answer(b"playmove black E8").as_deref(), Some("=\n\n"));
/// assert_eq!(engine.answer(b"playmove white E8").as_deref(), Some("? illegal move\n\n"));
/// assert_eq!(engine.answer(b"# not a command"), None);
/// # Ok::<(), crosspath::protocol::qtp::StartError>(())
/// ```
pub struct Qtp {
    table: Table,
    thinkers: Thinkers,
    last: Option<Thought>,
    has_stats: bool,
    has_quit: bool,
    log: Option<Box<dyn Write>>,
}

impl Debug for Qtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Qtp").field("table", &self.table).finish_non_exhaustive()
    }
}

impl Qtp {
    /// Begins on a fresh board.
    ///
    /// # Errors
    /// Says which option is wrong and what would be right.
    pub fn new(options: &Options) -> Result<Self, StartError> {
        let Options { variant, level, limits, seed, has_stats } = options;
        registry::find("quoridor").and_then(|entry| entry.session(variant))?;
        let levels = think::levels();
        let level = level.unwrap_or_else(think::strongest);
        if !levels.contains(&level) {
            let levels = levels.iter().map(ToString::to_string).collect();
            return Err(StartError::Level { got: level, levels });
        }
        let size = variant.size.unwrap_or(DEFAULT_SIZE);
        let walls = variant.walls.and_then(|walls| u16::try_from(walls).ok());
        let table = Table::new(size, size, walls);
        // As in the commands of these names, 0 is no limit.
        let limits = Limits {
            depth: limits.depth.filter(|&depth| depth > 0),
            nodes: limits.nodes.filter(|&nodes| nodes > 0),
            time: limits.time.filter(|time| !time.is_zero()),
        };
        let thinkers = Thinkers::new(level, seed.unwrap_or_else(fresh_seed), limits, table.game());
        Ok(Qtp { table, thinkers, last: None, has_stats: *has_stats, has_quit: false, log: None })
    }

    /// The same, writing down what is said: `> ` before a line, `< ` before a line of an answer. A log that cannot be
    /// written disturbs nobody.
    #[must_use]
    pub fn with_log(self, log: Box<dyn Write>) -> Self {
        Qtp { log: Some(log), ..self }
    }

    /// The same with a flag that is raised when no more input will come: a thought by time then ends within half a
    /// second.
    #[must_use]
    pub fn with_end_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.thinkers.has_ended = Some(flag);
        self
    }

    /// Whether `quit` was said.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// The position, black being First.
    #[must_use]
    pub fn position(&self) -> &Quoridor {
        self.table.game()
    }

    /// Answers the lines of `input` until its end or `quit`, each answer in one write.
    ///
    /// # Errors
    /// If reading or writing fails; a reader who leaves is an error of kind `BrokenPipe`.
    pub fn serve(&mut self, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        while !self.has_quit
            && let Some(line) = input::next_line(&mut input)?
        {
            if let Some(answer) = self.answer(&line) {
                out.write_all(answer.as_bytes())?;
                out.flush()?;
            }
        }
        Ok(())
    }

    /// The whole answer to a line without its end, the empty line behind it included; `None` if the line says nothing.
    pub fn answer(&mut self, line: &[u8]) -> Option<String> {
        let (said, result) = if line.len() > LONGEST_LINE {
            (String::from("(a line too long)"), Err(Failure::from(commands::SYNTAX)))
        } else {
            let text = input::clean(line);
            let mut words = text.split(' ').filter(|word| !word.is_empty());
            let name = words.next()?;
            let words: Vec<&str> = words.collect();
            let result = commands::run(self, name, &words);
            (text, result)
        };
        let answer = match result {
            Ok(text) if text.is_empty() => "=\n\n".to_owned(),
            // A picture begins on a line of its own.
            Ok(text) if text.starts_with('\n') => format!("={text}\n\n"),
            Ok(text) if self.is_noted(&said) => {
                let note = self.last.as_ref().map(|thought| format!("# {thought}\n")).unwrap_or_default();
                format!("{note}= {text}\n\n")
            }
            Ok(text) => format!("= {text}\n\n"),
            Err(why) => format!("? {why}\n\n"),
        };
        self.note_down(&said, &answer);
        Some(answer)
    }

    /// Whether the numbers of the thought stand before its answer.
    fn is_noted(&self, said: &str) -> bool {
        self.has_stats && said.trim_start().starts_with("genmove")
    }

    fn note_down(&mut self, said: &str, answer: &str) {
        if let Some(log) = &mut self.log {
            let mut text = format!("> {}\n", said.trim());
            for line in answer.lines().filter(|line| !line.is_empty()) {
                text.extend(["< ", line, "\n"]);
            }
            // The game matters more than its log.
            let _ = log.write_all(text.as_bytes()).and_then(|()| log.flush());
        }
    }

    /// Begins a game on the board that stands ready.
    fn start(&mut self) {
        self.thinkers.start(self.table.game());
        self.last = None;
    }
}

/// The size of a board that nobody has named.
const DEFAULT_SIZE: usize = 9;

/// Whether a game can be played on a board of this size.
fn is_size(size: usize) -> bool {
    (3..=MAX_SIZE).contains(&size) && !size.is_multiple_of(2)
}

/// Whether `side` can move: not after a win, and not in the rare position where it is shut in.
fn is_over_for(side: Side, table: &Table) -> bool {
    use crate::game::Game;
    table.game_for(side).outcome().is_some()
}

/// Holds a whole dialogue over two streams.
///
/// ```
/// use crosspath::protocol::qtp;
/// let mut answers = Vec::new();
/// qtp::run(&b"boardsize 5\nplaymove black c4\nwinner\n"[..], &mut answers, &qtp::Options::default())?;
/// assert_eq!(answers, b"=\n\n=\n\n= false\n\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the options are wrong (`InvalidInput`), or reading or writing fails.
pub fn run(input: impl BufRead, out: impl Write, options: &Options) -> io::Result<()> {
    let mut engine = Qtp::new(options).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    engine.serve(input, out)
}
