//! Who makes the moves: a person at a screen, a machine, a move file. Knows no particular game.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use crate::ai::{EngineConfig, Level, Limits};
use crate::game::Illegal;
use crate::record::{Form, Script};
use crate::session::{Answer, EngineError, Machine as Thinker, Report, Session};
use crate::ui::{By, Input, Said, Screen};
use crate::words;

/// What a player does when it is its turn.
#[derive(Debug)]
pub enum Turn {
    /// Plays a move.
    Move(String, Option<Report>),
    /// Typed something.
    Typed(Input),
    /// Has no move although the game goes on; the reason.
    Stuck(String),
}

/// What becomes of a refused move.
#[derive(Debug)]
pub enum Verdict {
    /// It is dropped with this message, and the player is asked again.
    Dropped(String),
    /// The player cannot go on; the reason.
    Stuck(String),
}

/// Makes the moves of one side or of both.
pub trait Player: Debug {
    /// Of which kind the player is.
    fn by(&self) -> By;

    /// Takes a turn; the game is not over.
    ///
    /// # Errors
    /// If the screen fails.
    fn turn(&mut self, session: &dyn Session, screen: &mut dyn Screen) -> io::Result<Turn>;

    /// Is told that its last move was refused.
    fn refused(&mut self, illegal: &Illegal) -> Verdict {
        Verdict::Stuck(illegal.text.clone())
    }

    /// What is left to play although the game is over, if that is wrong.
    fn surplus(&self) -> Option<String> {
        None
    }

    /// Changes the strength, if the player has one.
    fn set_level(&mut self, _session: &dyn Session, _level: Level) {}
}

/// A person at the screen.
#[derive(Debug)]
pub struct Human;

impl Player for Human {
    fn by(&self) -> By {
        By::Human
    }

    fn turn(&mut self, session: &dyn Session, screen: &mut dyn Screen) -> io::Result<Turn> {
        let name = session.side_name(session.to_move()).to_lowercase();
        Ok(Turn::Typed(screen.ask(&format!("{name} {}> ", session.plies() + 1))?))
    }
}

/// Tells a thinking machine, from another thread, that its move is wanted now.
#[derive(Clone, Debug, Default)]
pub struct StopSign {
    /// Raised to end the search that runs.
    pub stop: Arc<AtomicBool>,
    /// True while a search runs.
    pub is_thinking: Arc<AtomicBool>,
    /// True while nobody plays and the program only shows a game.
    pub is_watched: Arc<AtomicBool>,
}

impl StopSign {
    /// A search begins: nobody wants its end yet.
    pub(crate) fn begin(&self) {
        self.stop.store(false, Ordering::SeqCst);
        self.is_thinking.store(true, Ordering::SeqCst);
    }

    /// The search has ended.
    pub(crate) fn end(&self) {
        self.is_thinking.store(false, Ordering::SeqCst);
    }
}

/// One of our machines.
#[derive(Debug)]
pub struct Machine {
    thinker: Box<dyn Thinker>,
    config: EngineConfig,
    limits: Limits,
    sign: StopSign,
}

impl Machine {
    /// The machine of that level.
    ///
    /// # Errors
    /// As [`Session::machine`].
    pub fn new(
        session: &dyn Session,
        level: Level,
        config: EngineConfig,
        limits: Limits,
        sign: StopSign,
    ) -> Result<Self, EngineError> {
        Ok(Machine { thinker: session.machine(level, &config)?, config, limits, sign })
    }
}

/// Thinks about a position of the game `now` on a thread of its own, about one move or about the best `ranked`; the
/// screen hears how it goes and may end it. The inner error is what the player typed instead of waiting.
pub(crate) fn think(
    thinker: &mut dyn Thinker,
    ranked: Option<usize>,
    (session, now): (&dyn Session, &dyn Session),
    limits: Limits,
    sign: &StopSign,
    screen: &mut dyn Screen,
) -> io::Result<Result<Answer, Input>> {
    let position = session.position();
    sign.begin();
    let (news, hears) = channel();
    let (answer, input) = std::thread::scope(|scope| {
        let hear = move |report: &Report| {
            let _ = news.send(report.clone()); // a screen that has left hears nothing
        };
        let engine = scope.spawn(move || {
            #[cfg(debug_assertions)]
            fail_for_a_test();
            let answer = match ranked {
                Some(n) => thinker.rank(n, &position, limits, &sign.stop, &hear),
                None => thinker.choose(&position, limits, &sign.stop, &hear),
            };
            answer.expect("the machine was built for this game")
        });
        let input = loop {
            let input = screen.while_thinking(session, &hears, &sign.stop);
            // A question about the game is answered while the machine goes on.
            let Ok(Some(Input::Line(line))) = &input else { break input };
            let earlier = screen.looks_at();
            let shown = earlier.as_deref().unwrap_or(session);
            let Some((word, lines)) = words::aside(line, shown, now) else { break input };
            if let Err(error) = screen.say(&Said { word, lines, result: None }) {
                break Err(error);
            }
        };
        if !matches!(input, Ok(None)) {
            sign.stop.store(true, Ordering::SeqCst);
        }
        (engine.join(), input)
    });
    sign.end();
    let answer = answer.unwrap_or_else(|panic| resume_unwind(panic));
    Ok(match input? {
        Some(input) => Err(input),
        None => Ok(answer),
    })
}

/// Lets a test see what becomes of a machine that fails.
#[cfg(debug_assertions)]
fn fail_for_a_test() {
    assert!(std::env::var_os("CROSSPATH_PANIC").is_none_or(|at| at != "engine"), "asked for by a test");
}

impl Player for Machine {
    fn by(&self) -> By {
        By::Machine
    }

    fn turn(&mut self, session: &dyn Session, screen: &mut dyn Screen) -> io::Result<Turn> {
        Ok(match think(&mut *self.thinker, None, (session, session), self.limits, &self.sign, screen)? {
            Ok(answer) => Turn::Move(answer.text, Some(answer.report)),
            Err(input) => Turn::Typed(input),
        })
    }

    fn set_level(&mut self, session: &dyn Session, level: Level) {
        if let Ok(thinker) = session.machine(level, &self.config) {
            self.thinker = thinker;
        }
    }
}

/// A move file.
#[derive(Debug)]
pub struct FileReader {
    path: String,
    form: Form,
    moves: VecDeque<crate::record::Noted>,
    /// The move that was played last.
    last: Option<crate::record::Noted>,
    last_line: usize,
    is_strict: bool,
}

impl FileReader {
    /// Plays the moves of `script`, which was read from `path`. `is_strict` refuses what digit files may hold.
    #[must_use]
    pub fn new(path: String, script: Script, is_strict: bool) -> Self {
        let Script { form, moves, last_line } = script;
        FileReader { path, form, moves: moves.into(), last: None, last_line, is_strict }
    }
}

impl Player for FileReader {
    fn by(&self) -> By {
        By::File
    }

    fn turn(&mut self, session: &dyn Session, _: &mut dyn Screen) -> io::Result<Turn> {
        Ok(match self.moves.pop_front() {
            Some(noted) => {
                self.last = Some(noted.clone());
                Turn::Move(noted.text, None)
            }
            None => Turn::Stuck(format!(
                "{}:{}: the file ends after {}, before the game is over; load {0} goes on from there",
                self.path,
                self.last_line,
                words::moves(session.plies())
            )),
        })
    }

    fn surplus(&self) -> Option<String> {
        let noted = self.moves.front().filter(|_| self.form != Form::Digits)?;
        Some(format!(
            "{}:{}: {} comes after the end of the game",
            self.path,
            noted.line,
            Illegal::shown(&noted.text)
        ))
    }

    fn refused(&mut self, illegal: &Illegal) -> Verdict {
        let larger = if illegal.code == "off-board" { "; a larger board is named with --size" } else { "" };
        let noted = self.last.as_ref().expect("a move was refused");
        let why = format!("{}:{}: {}{larger}", self.path, noted.line, noted.wrong(illegal));
        if self.form == Form::Digits && !self.is_strict {
            Verdict::Dropped(format!("{why}; the pair is dropped"))
        } else {
            Verdict::Stuck(why)
        }
    }
}
