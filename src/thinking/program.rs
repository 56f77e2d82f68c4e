//! External engines as they are named: `gtp:COMMAND`, `qtp:COMMAND`, `ep5:COMMAND`, `self:PATH;LEVEL`. Knows no game.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;

use crate::ai::{EngineSpec, KINDS, Limits};
use crate::game::Refusal;

/// The language in which a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The Go Text Protocol.
    Gtp,
    /// The Quoridor Text Protocol.
    Qtp,
    /// Moves as two numbers, and nothing else.
    Ep5,
}

impl Language {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Gtp => "gtp",
            Language::Qtp => "qtp",
            Language::Ep5 => "ep5",
        }
    }

    /// The names of the games that its words can tell.
    #[must_use]
    pub fn games(self) -> &'static [&'static str] {
        match self {
            Language::Gtp => &["hex", "tic-tac-toe"],
            Language::Qtp => &["quoridor"],
            Language::Ep5 => &["hex"],
        }
    }

    /// The language in which another build of this program plays a game.
    #[must_use]
    pub(crate) fn of_own(game: &str) -> Option<Language> {
        [Language::Gtp, Language::Qtp].into_iter().find(|language| language.games().contains(&game))
    }
}

/// Way in which a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramStart {
    /// By these words, its name in front, and spoken to in this language.
    Command(Language, Vec<String>),
    /// As another build of this program, which plays this.
    Build(String, EngineSpec),
}

/// A program that plays, as it is named.
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
    pub(crate) start: ProgramStart,
    /// The folder in which it is started; that of this program unless one is given.
    pub folder: Option<PathBuf>,
    /// Lines of its language that it is told first; it has to accept each.
    pub setup: Vec<String>,
}

/// Why a text names no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExternalProgramError {
    /// It does not begin as a program's name does.
    #[error(
        "{0:?} is not an external engine; write gtp:COMMAND, qtp:COMMAND, ep5:COMMAND or self:PATH;level:K"
    )]
    Kind(String),
    /// It names neither a level nor a program.
    #[error(
        "there is no engine {0:?}; engines are {KINDS}, gtp:COMMAND, qtp:COMMAND, ep5:COMMAND, self:PATH;level:K"
    )]
    NoEngine(String),
    /// Its language is not that of the game.
    #[error("{0} does not support {1}")]
    NotSpoken(&'static str, String),
    /// There is no command.
    #[error("{0}: needs a command, such as {0}:./engine")]
    NoCommand(&'static str),
    /// A quote is not closed.
    #[error("{0} is not closed in the command; close it, or write \\{0}")]
    Open(char),
    /// The other build is not named by a path and a level.
    #[error("self: needs a path and a level, such as self:./old;level:4")]
    Build,
}

impl ExternalProgram {
    /// Reports whether a text looks like the name of a program and not of a level.
    #[must_use]
    pub(crate) fn is_meant_by(text: &str) -> bool {
        let kind = text.split_once(':').map(|(kind, _)| kind);
        kind.is_some_and(|kind| ["gtp", "qtp", "ep5", "self"].contains(&kind))
    }

    /// A short name that is safe to show: the program's file, or the script where the program is an interpreter.
    #[must_use]
    pub fn name(&self) -> String {
        let path = match &self.start {
            ProgramStart::Command(_, words) => script(words).unwrap_or(&words[0]),
            ProgramStart::Build(path, _) => path,
        };
        Refusal::shown(file_of(path))
    }

    /// Reports whether it is another build of this program, which keeps to the limits it is given.
    #[must_use]
    pub(crate) fn is_own_build(&self) -> bool {
        matches!(self.start, ProgramStart::Build(..))
    }

    /// The language in which it is spoken to; another build of this program speaks that of the game.
    #[must_use]
    pub(crate) fn language(&self) -> Option<Language> {
        match self.start {
            ProgramStart::Command(language, _) => Some(language),
            ProgramStart::Build(..) => None,
        }
    }

    /// Reports whether its language is that of a game.
    #[must_use]
    pub(crate) fn can_play(&self, game: &str) -> bool {
        match self.language() {
            Some(language) => language.games().contains(&game),
            None => Language::of_own(game).is_some(),
        }
    }

    /// Makes sure that its language is that of a game.
    ///
    /// # Errors
    /// Names the language and the game.
    pub(crate) fn check_game(&self, game: &str) -> Result<(), ExternalProgramError> {
        let language = self.language().map_or("self", Language::name);
        let not_spoken = || ExternalProgramError::NotSpoken(language, game.to_owned());
        self.can_play(game).then_some(()).ok_or_else(not_spoken)
    }

    /// The limits that it is named with.
    #[must_use]
    pub fn limits(&self) -> Limits {
        match &self.start {
            ProgramStart::Command(..) => Limits::default(),
            ProgramStart::Build(_, spec) => spec.limits,
        }
    }
}

impl FromStr for ExternalProgram {
    type Err = ExternalProgramError;

    fn from_str(text: &str) -> Result<Self, ExternalProgramError> {
        let unknown = || ExternalProgramError::Kind(text.chars().take(40).collect());
        let (kind, rest) = text.split_once(':').ok_or_else(unknown)?;
        let start = match kind {
            "gtp" => command(Language::Gtp, rest)?,
            "qtp" => command(Language::Qtp, rest)?,
            "ep5" => command(Language::Ep5, rest)?,
            "self" => build(rest).ok_or(ExternalProgramError::Build)?,
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

/// Programs that run a script: their names without a version, the letter of the option behind which the script itself stands,
/// and options whose value is a word of its own.
const INTERPRETERS: [(&[&str], char, &[&str]); 7] = [
    (&["sh", "bash", "dash", "ash", "ksh", "zsh"], 'c', &["-o", "-O", "--rcfile", "--init-file"]),
    (&["python", "pypy"], 'c', &["-W", "-X"]),
    (&["perl"], 'e', &["-I"]),
    (&["ruby"], 'e', &["-I", "-r"]),
    (&["lua", "luajit"], 'e', &["-l"]),
    (&["node", "nodejs"], 'e', &["-r", "--require", "--import"]),
    (&["java"], ' ', &["-cp", "-classpath", "--class-path", "-p", "--module-path"]),
];

/// The file of a path.
fn file_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The script, module or archive that a command runs, if its first word is an interpreter and the script is a file.
fn script(words: &[String]) -> Option<&str> {
    let (first, mut rest) = words.split_first()?;
    let name = file_of(first);
    if name == "env" {
        let is_before = |word: &&String| word.starts_with('-') || word.contains('=');
        let words = &rest[rest.iter().take_while(is_before).count()..];
        return script(words).or(words.first().map(String::as_str));
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

fn command(language: Language, text: &str) -> Result<ProgramStart, ExternalProgramError> {
    let words = words(text)?;
    let is_there = words.first().is_some_and(|name| !name.is_empty());
    is_there
        .then_some(ProgramStart::Command(language, words))
        .ok_or(ExternalProgramError::NoCommand(language.name()))
}

/// Reads `PATH;SPEC` or `PATH:LEVEL`.
fn build(text: &str) -> Option<ProgramStart> {
    let spec = |text: &str| text.parse::<EngineSpec>().ok();
    let (path, spec) = if let Some((path, text)) = text.split_once(';') {
        (path, spec(text)?)
    } else {
        let (path, level) = text.rsplit_once(':')?;
        (path, spec(&format!("level:{level}"))?)
    };
    (!path.is_empty()).then(|| ProgramStart::Build(path.to_owned(), spec))
}

/// Splits a command into words: at blanks, but not inside quotes; `\` takes the next character as it is. Between single
/// quotes all stands for itself, between double ones `\` protects `"` and `\` only.
fn words(text: &str) -> Result<Vec<String>, ExternalProgramError> {
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
                let next = chars.next().ok_or(ExternalProgramError::Open('\\'))?;
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
    quote.map_or(Ok(words), |open| Err(ExternalProgramError::Open(open)))
}
