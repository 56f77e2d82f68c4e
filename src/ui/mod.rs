//! What every screen can show and ask. Sees sessions and text, never a particular game.

pub mod line;

use std::io;

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
    /// What the machine found, if a machine made it.
    pub report: Option<&'a Report>,
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
    /// Nothing more will come.
    End,
}

/// How a game is begun, in the words of the greeting.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// Who sits where, to be said where people watch.
    pub greeting: &'a str,
    /// The side of the one person at the board; `None` if two people or none play.
    pub you: Option<Side>,
    /// Whether nobody plays here: moves are numbered, nothing is asked.
    pub is_watched: bool,
}

/// A place where games are shown and players are asked.
pub trait Screen {
    /// A game begins.
    ///
    /// # Errors
    /// If the screen cannot be written to. So for all that follow.
    fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()>;
    /// Waits for a line. The prompt is shown only where somebody reads it.
    ///
    /// # Errors
    /// If the input cannot be read.
    fn ask(&mut self, prompt: &str) -> io::Result<Input>;
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
    /// Answers a word.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn say(&mut self, lines: &[String]) -> io::Result<()>;
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
    /// Reports something that is not an answer: a fallback or a file's fault.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn note(&mut self, text: &str) -> io::Result<()>;
    /// The game is over.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn ended(&mut self, session: &dyn Session, ended: &Ended<'_>) -> io::Result<()>;
    /// The player leaves; `unfinished` says that a game with moves is left behind.
    ///
    /// # Errors
    /// As [`Screen::open`].
    fn leave(&mut self, unfinished: bool) -> io::Result<()>;
}
