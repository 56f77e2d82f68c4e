//! What solvers find and provers write down. Knows no game.

use std::time::Duration;

use crate::game::{Outcome, Side};

/// Who wins a position, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenProof {
    /// Who wins.
    pub winner: Side,
    /// The winner needs at most so many plies.
    pub plies: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The proof, for a program that checks it.
    pub text: String,
}

/// Why nothing was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// The limits did not suffice.
    Limits,
    /// The system has no memory for it.
    Memory,
}

/// What is proved about a position and its moves.
#[derive(Clone, Debug)]
pub struct Solved<M> {
    /// How the game ends under best play; `None` if the limits did not suffice.
    pub outcome: Option<Outcome>,
    /// How that was proved, in lines.
    pub proof: Vec<String>,
    /// The legal moves in order with how the game ends after each, and after how many plies, this one included, where
    /// that is known.
    pub moves: Vec<(M, Option<Outcome>, Option<u32>)>,
    /// Positions searched.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// Whether the system has no memory for it.
    pub lacks_memory: bool,
    /// How many MiB would have to be allowed, where more are not.
    pub needs_mib: Option<usize>,
}
