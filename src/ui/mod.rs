//! What every screen can show and ask. Sees sessions and text, never a particular game.

pub mod json;
pub mod line;
pub mod log;
pub mod tui;

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::ai::{Level, Limits};
use crate::game::{Illegal, Outcome, Side};
use crate::session::{Report, Session};

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A person.
    Human,
    /// A machine.
    Machine,
    /// A move file.
    File,
}

/// A move that has just been played.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// Which move of the game it is, from 1.
    pub ply: usize,
    /// Whose.
    pub side: Side,
    /// The move, as records write it.
    pub text: &'a str,
    /// Who made it.
    pub by: By,
    /// How many moves were legal.
    pub legal: usize,
    /// What the machine found, if a machine made it.
    pub report: Option<&'a Report>,
    /// Something to say about it, in a sentence.
    pub notice: Option<&'a str>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// How it ended.
    pub outcome: Outcome,
    /// Why, to follow the winner's name.
    pub reason: &'a str,
    /// How many moves were played.
    pub plies: usize,
}

/// What came from the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// A line too long to be anything.
    TooLong,
    /// A line without an end: nothing after it can be reached.
    Endless,
    /// Nothing more will come.
    End,
}

/// How a game is begun.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// Who sits where, to be said where people watch.
    pub greeting: &'a str,
    /// The number of the mode; `None` for one that does not exist.
    pub mode: Option<u8>,
    /// The machines' level, where one plays.
    pub level: Option<Level>,
    /// The seed of all chance.
    pub seed: u64,
    /// The side of the one person at the board; `None` if two people or none play.
    pub you: Option<Side>,
    /// Whether nobody plays here: moves are numbered, nothing is asked.
    pub is_watched: bool,
    /// Whether the side of the one person is drawn anew for each game.
    pub draws_sides: bool,
    /// What replaces the limits of the machines' level.
    pub limits: Limits,
    /// The file that is shown, where one is.
    pub source: Option<&'a str>,
    /// What the file of the game says beside its moves, as `(key, value)`.
    pub remarks: &'a [(String, String)],
}

/// The answer to a word.
#[derive(Clone, Debug)]
pub struct Said {
    /// The word.
    pub word: &'static str,
    /// The answer in lines.
    pub lines: Vec<String>,
    /// The answer for programs, if it is more than the lines.
    pub result: Option<serde_json::Value>,
}

/// What a thought may still take when no more input will come.
const GRACE: Duration = Duration::from_millis(500);
/// How often the end of the input is looked for.
const TICK: Duration = Duration::from_millis(20);

/// Waits for the machine's move. Once the input has come to its end, which `has_ended` says when it is no longer
/// waited for, the machine has but a moment left.
fn wait_for_the_move(
    input: &mut impl BufRead,
    has_ended: Option<&AtomicBool>,
    news: &Receiver<Report>,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut ended_at: Option<Instant> = None;
    loop {
        match news.recv_timeout(TICK) {
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
        }
        let is_read = has_ended.is_some_and(|flag| flag.load(Ordering::SeqCst));
        if is_read && input.fill_buf()?.is_empty() {
            let began = *ended_at.get_or_insert_with(Instant::now);
            stop.fetch_or(began.elapsed() >= GRACE, Ordering::SeqCst);
        }
    }
}

/// A place where games are shown and players are asked. Every call fails only if it cannot write or read.
pub trait Screen {
    /// A game begins.
    ///
    /// # Errors
    /// If the screen cannot be written to. So for all that follow.
    fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()>;
    /// What was to begin cannot: another game follows. The message says why and what is played instead.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn fall_back(&mut self, session: &dyn Session, wanted: &Opening<'_>, why: &Illegal) -> io::Result<()>;
    /// Waits for a line. The prompt is shown only where somebody reads it.
    ///
    /// # Errors
    /// If the input cannot be read.
    fn ask(&mut self, prompt: &str) -> io::Result<Input>;
    /// A machine thinks: `news` brings what it finds and is closed when it has its move. Raising `stop` makes it answer
    /// with the best move so far. What the player types instead of waiting is given back and ends the thinking.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn while_thinking(
        &mut self,
        _session: &dyn Session,
        news: &Receiver<Report>,
        _stop: &AtomicBool,
    ) -> io::Result<Option<Input>> {
        for _ in news {} // until it is closed
        Ok(None)
    }

    /// The earlier position that the player looks at while a machine thinks, if the match does not know of it.
    fn looks_at(&self) -> Option<Box<dyn Session>> {
        None
    }

    /// A move was played.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn moved(&mut self, session: &dyn Session, moved: &Moved<'_>) -> io::Result<()>;
    /// Shows the board.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn board(&mut self, session: &dyn Session) -> io::Result<()>;
    /// Shows an earlier position of the game that goes on.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn look(&mut self, there: &dyn Session) -> io::Result<()> {
        self.board(there)
    }

    /// The present position is looked at again, because the player tried to play while an earlier one was shown. Nothing
    /// needs to be drawn.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn return_to(&mut self, _session: &dyn Session) -> io::Result<()> {
        Ok(())
    }

    /// Another level or other sides from now on: what the opening says of them. Nothing needs to be said.
    fn seated(&mut self, _opening: &Opening<'_>) {}

    /// An adviser has thought about the position that is shown. Nothing needs to be said.
    fn advised(&mut self, _session: &dyn Session, _report: &Report) {}

    /// Between the moves of two machines: waits as long as the player wants to, and gives what was typed meanwhile.
    ///
    /// # Errors
    /// If the input cannot be read.
    fn hold(&mut self) -> io::Result<Option<Input>> {
        Ok(None)
    }

    /// Whether a game that nobody plays stays on the screen after its end, until the player leaves.
    fn stays_open(&self) -> bool {
        false
    }

    /// Whether this screen puts the question for another game, so that a line answers it; elsewhere keys do.
    fn puts_the_question(&self) -> bool {
        true
    }

    /// Answers a word.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn say(&mut self, said: &Said) -> io::Result<()>;
    /// Refuses what was read last.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn refuse(&mut self, illegal: &Illegal) -> io::Result<()>;
    /// Reports the numbers of a search.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn stats(&mut self, text: &str) -> io::Result<()>;
    /// Reports a fault that is not the player's, such as one in a file.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn note(&mut self, why: &Illegal) -> io::Result<()>;
    /// The game is over.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn ended(&mut self, session: &dyn Session, ended: &Ended<'_>) -> io::Result<()>;
    /// The player leaves; `is_unfinished` says that a game with moves is left behind.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn leave(&mut self, session: &dyn Session, is_unfinished: bool) -> io::Result<()>;
}
