//! Limits and results of solvers, and the proofs that provers write down. Knows no game.

use std::fmt::{self, Debug};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{Limits, SearchControl};
use crate::game::{Outcome, Side};

/// Proof of who wins a position.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::game::Side;
/// use crosspath::registry::{Variant, find};
/// let stop = AtomicBool::new(false);
/// let game = find("hex")?.start(&Variant::of_size(3).with("swap", "off"))?;
/// let proof = game.prove(&SolveControl::quiet(Limits::default(), &stop)).ok_or("Hex has proofs")?;
/// assert_eq!(proof.map(|proof| proof.winner), Ok(Side::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenProof {
    /// The winner.
    pub winner: Side,
    /// The winner needs at most this number of plies.
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

/// Proof about a position and its moves.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::game::{Outcome, Side};
/// use crosspath::registry::{Variant, find};
/// let stop = AtomicBool::new(false);
/// let game = find("hex")?.start(&Variant::of_size(3).with("swap", "off"))?;
/// let solved = game.solve(&SolveControl::quiet(Limits::default(), &stop)).ok_or("Hex has a solver")?;
/// assert_eq!(solved.outcome, Some(Outcome::Win(Side::First)));
/// assert_eq!(solved.moves.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solved<M> {
    /// Outcome of the game under best play; `None` if the limits did not suffice.
    pub outcome: Option<Outcome>,
    /// Explanation of the proof, in lines.
    pub proof: Vec<String>,
    /// The legal moves in order with how the game ends after each, and after how many plies, this one included, where
    /// that is known.
    pub moves: Vec<(M, Option<Outcome>, Option<u32>)>,
    /// Positions searched.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// `true` if the system has no memory for it.
    pub lacks_memory: bool,
    /// Memory in MiB that would have to be allowed, if that is what was missing.
    pub needs_mib: Option<usize>,
}

/// Limits of a solver, and the receiver of its progress.
#[derive(Clone, Copy)]
pub struct SolveControl<'a> {
    /// Limits at which it gives up; the depth means nothing.
    pub limits: Limits,
    /// Threads that may work at once, if it can use them.
    pub threads: usize,
    /// The most that its tables may take, in MiB; what the solver finds right where nothing is said.
    pub memory_mib: Option<usize>,
    /// Raised when it is to give up.
    pub stop: &'a AtomicBool,
    /// Receives now and then the part of the work that is done, from 0 to 1, where that is known; on any thread.
    pub report: &'a (dyn Fn(f64) + Sync),
}

impl Debug for SolveControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveControl").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> SolveControl<'a> {
    /// One thread, that reports nothing.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{Limits, SolveControl};
    /// let stop = AtomicBool::new(false);
    /// let control = SolveControl::quiet(Limits { nodes: Some(1000), ..Limits::default() }, &stop);
    /// assert_eq!((control.threads, control.memory_mib), (1, None));
    /// ```
    #[must_use]
    pub fn quiet(limits: Limits, stop: &'a AtomicBool) -> Self {
        SolveControl { limits, threads: 1, memory_mib: None, stop, report: &|_| () }
    }

    /// Returns the limits and the stop flag for a search.
    #[must_use]
    pub fn search<M>(&self) -> SearchControl<'a, M> {
        SearchControl::quiet(self.limits, self.stop)
    }
}
