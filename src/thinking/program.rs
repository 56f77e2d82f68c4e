//! Specifications of external engines: `gtp:COMMAND`, `qtp:COMMAND`, `ep5:COMMAND`,
//! `self:PATH;LEVEL`.
//!
//! This module does not depend on any particular game.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;

use crate::ai::{ENGINE_KINDS_HELP, EngineSpec, Limits};
use crate::game::Refusal;

/// Protocol of an external engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalProtocol {
    /// Go Text Protocol.
    Gtp,
    /// Quoridor Text Protocol.
    Qtp,
    /// EP5 protocol, in which programs exchange only moves, as two numbers.
    Ep5,
}

impl ExternalProtocol {
    /// Returns the protocol's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ExternalProtocol::Gtp => "gtp",
            ExternalProtocol::Qtp => "qtp",
            ExternalProtocol::Ep5 => "ep5",
        }
    }

    /// Returns the names of the games that the protocol supports.
    #[must_use]
    pub fn supported_games(self) -> &'static [&'static str] {
        match self {
            ExternalProtocol::Gtp => &["hex", "tic-tac-toe"],
            ExternalProtocol::Qtp => &["quoridor"],
            ExternalProtocol::Ep5 => &["hex"],
        }
    }

    /// Returns the protocol that another build of this program uses for a game.
    #[must_use]
    pub(crate) fn for_crosspath_build(game: &str) -> Option<ExternalProtocol> {
        [ExternalProtocol::Gtp, ExternalProtocol::Qtp]
            .into_iter()
            .find(|language| language.supported_games().contains(&game))
    }
}

/// Command, or build of this program, that is started as an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramLaunch {
    /// A command, as its words, and the protocol it uses.
    Command(ExternalProtocol, Vec<String>),
    /// Another build of this program by its path, and the engine that it runs.
    Build(String, EngineSpec),
}

/// Specification of an external engine.
///
/// ```
/// use crosspath::thinking::ExternalProgram;
/// let spec: ExternalProgram = "gtp:/opt/hex --name 'my engine'".parse()?;
/// assert_eq!(spec.name(), "hex");
/// assert_eq!(spec.to_string(), "gtp:/opt/hex --name 'my engine'");
/// # Ok::<(), crosspath::thinking::ExternalProgramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalProgram {
    text: String,
    pub(crate) start: ProgramLaunch,
    /// Folder in which the program is started; by default the current one.
    pub folder: Option<PathBuf>,
    /// Lines of the protocol that are sent first; the program must accept each.
    pub setup: Vec<String>,
}

/// Reason why a text is not a valid external engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalProgramError {
    /// The prefix is not one of an external engine.
    #[error(
        "{0:?} is not an external engine; write gtp:COMMAND, qtp:COMMAND, ep5:COMMAND or self:PATH;level:K"
    )]
    Kind(String),
    /// The text names neither a level nor an external engine.
    #[error(
        "there is no engine {0:?}; engines are {ENGINE_KINDS_HELP}, gtp:COMMAND, qtp:COMMAND, ep5:COMMAND, self:PATH;level:K"
    )]
    NoEngine(String),
    /// The protocol does not support the game.
    #[error("{0} does not support {1}")]
    UnsupportedGame(&'static str, String),
    /// The command is missing.
    #[error("{0}: needs a command, such as {0}:./engine")]
    NoCommand(&'static str),
    /// A quote is not closed.
    #[error("{0} is not closed in the command; close it, or write \\{0}")]
    UnclosedQuote(char),
    /// The path or the level of another build is missing.
    #[error("self: needs a path and a level, such as self:./old;level:4")]
    Build,
}

impl ExternalProgram {
    /// Reports whether a text has the form of an external engine rather than a level.
    #[must_use]
    pub(crate) fn looks_like_program_name(text: &str) -> bool {
        let kind = text.split_once(':').map(|(kind, _)| kind);
        kind.is_some_and(|kind| ["gtp", "qtp", "ep5", "self"].contains(&kind))
    }

    /// Returns a short name that is safe to display: the program's file name, or that of the script if an
    /// interpreter runs it.
    #[must_use]
    pub fn name(&self) -> String {
        let path = match &self.start {
            ProgramLaunch::Command(_, words) => find_interpreted_file(words).unwrap_or(&words[0]),
            ProgramLaunch::Build(path, _) => path,
        };
        Refusal::sanitize_excerpt(file_name_of(path))
    }

    /// Reports whether the engine is another build of this program, which respects the limits it is given.
    #[must_use]
    pub(crate) fn is_crosspath_build(&self) -> bool {
        matches!(self.start, ProgramLaunch::Build(..))
    }

    /// Returns the protocol; `None` for another build of this program, whose protocol depends on the game.
    #[must_use]
    pub(crate) fn protocol(&self) -> Option<ExternalProtocol> {
        match self.start {
            ProgramLaunch::Command(language, _) => Some(language),
            ProgramLaunch::Build(..) => None,
        }
    }

    /// Reports whether the engine's protocol supports a game.
    #[must_use]
    pub(crate) fn can_play(&self, game: &str) -> bool {
        match self.protocol() {
            Some(language) => language.supported_games().contains(&game),
            None => ExternalProtocol::for_crosspath_build(game).is_some(),
        }
    }

    /// Checks that the engine's protocol supports a game.
    ///
    /// # Errors
    /// Returns an error that names the protocol and the game.
    pub(crate) fn check_supports_game(&self, game: &str) -> Result<(), ExternalProgramError> {
        let language = self.protocol().map_or("self", ExternalProtocol::name);
        let not_spoken = || ExternalProgramError::UnsupportedGame(language, game.to_owned());
        self.can_play(game).then_some(()).ok_or_else(not_spoken)
    }

    /// Returns the limits in the specification.
    #[must_use]
    pub fn limits(&self) -> Limits {
        match &self.start {
            ProgramLaunch::Command(..) => Limits::default(),
            ProgramLaunch::Build(_, spec) => spec.limits,
        }
    }
}

impl FromStr for ExternalProgram {
    type Err = ExternalProgramError;

    fn from_str(text: &str) -> Result<Self, ExternalProgramError> {
        let unknown = || ExternalProgramError::Kind(text.chars().take(40).collect());
        let (kind, rest) = text.split_once(':').ok_or_else(unknown)?;
        let start = match kind {
            "gtp" => parse_command(ExternalProtocol::Gtp, rest)?,
            "qtp" => parse_command(ExternalProtocol::Qtp, rest)?,
            "ep5" => parse_command(ExternalProtocol::Ep5, rest)?,
            "self" => parse_crosspath_build(rest).ok_or(ExternalProgramError::Build)?,
            _ => return Err(unknown()),
        };
        Ok(ExternalProgram { text: text.to_owned(), start, folder: None, setup: Vec::new() })
    }
}

impl Display for ExternalProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Interpreters by name without a version, with the letter of the option for inline code and the options that
/// take a separate value.
const INTERPRETERS: [(&[&str], char, &[&str]); 7] = [
    (&["sh", "bash", "dash", "ash", "ksh", "zsh"], 'c', &["-o", "-O", "--rcfile", "--init-file"]),
    (&["python", "pypy"], 'c', &["-W", "-X"]),
    (&["perl"], 'e', &["-I"]),
    (&["ruby"], 'e', &["-I", "-r"]),
    (&["lua", "luajit"], 'e', &["-l"]),
    (&["node", "nodejs"], 'e', &["-r", "--require", "--import"]),
    (&["java"], ' ', &["-cp", "-classpath", "--class-path", "-p", "--module-path"]),
];

/// Returns the file name of a path.
fn file_name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the script, module or archive that a command runs, if its first word is an interpreter.
fn find_interpreted_file(words: &[String]) -> Option<&str> {
    let (first, mut rest) = words.split_first()?;
    let name = file_name_of(first);
    if name == "env" {
        let is_before = |word: &&String| word.starts_with('-') || word.contains('=');
        let words = &rest[rest.iter().take_while(is_before).count()..];
        return find_interpreted_file(words).or(words.first().map(String::as_str));
    }
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let (_, inline, with_value) = INTERPRETERS.iter().find(|(names, ..)| names.contains(&name))?;
    while let [word, behind @ ..] = rest {
        match word.strip_prefix('-') {
            None => return Some(word),
            Some(letters) if !letters.starts_with('-') && letters.ends_with(*inline) => return None,
            Some(_) => {
                let has_value = with_value.contains(&word.as_str());
                rest = behind.get(usize::from(has_value)..).unwrap_or_default();
            }
        }
    }
    None
}

fn parse_command(language: ExternalProtocol, text: &str) -> Result<ProgramLaunch, ExternalProgramError> {
    let words = split_command(text)?;
    let is_there = words.first().is_some_and(|name| !name.is_empty());
    is_there
        .then_some(ProgramLaunch::Command(language, words))
        .ok_or(ExternalProgramError::NoCommand(language.name()))
}

/// Parses `PATH;SPEC` or `PATH:LEVEL`.
fn parse_crosspath_build(text: &str) -> Option<ProgramLaunch> {
    let spec = |text: &str| text.parse::<EngineSpec>().ok();
    let (path, spec) = if let Some((path, text)) = text.split_once(';') {
        (path, spec(text)?)
    } else {
        let (path, level) = text.rsplit_once(':')?;
        (path, spec(&format!("level:{level}"))?)
    };
    (!path.is_empty()).then(|| ProgramLaunch::Build(path.to_owned(), spec))
}

/// Splits a command into words at spaces outside quotes. `\` escapes the next character. Single quotes keep
/// everything as it is; in double quotes `\` escapes only `"` and `\`.
fn split_command(text: &str) -> Result<Vec<String>, ExternalProgramError> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') => {
                let next = chars.next().ok_or(ExternalProgramError::UnclosedQuote('\\'))?;
                word.get_or_insert_default().push(next);
            }
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if chars.peek().is_some_and(|next| ['"', '\\'].contains(next)) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.map_or(Ok(words), |open| Err(ExternalProgramError::UnclosedQuote(open)))
}
