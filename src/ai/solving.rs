//! Limits and results of solvers, and proofs in text form. This module is independent of any game.

use std::fmt::{self, Debug};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{Limits, SearchControl};
use crate::game::{Outcome, Side};

/// Proof of who wins a position, in text form.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::game::Side;
/// use crosspath::registry::{Variant, find_game};
/// let stop = AtomicBool::new(false);
/// let game = find_game("hex")?.start_position(&Variant::of_size(3).with_setting("swap", "off"))?;
/// let proof = game.prove_winner(&SolveControl::without_reports(Limits::default(), &stop)).ok_or("Hex has proofs")?;
/// assert_eq!(proof.map(|proof| proof.winner), Ok(Side::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenProof {
    /// Side that wins.
    pub winner: Side,
    /// Upper bound on the number of plies to the win.
    pub plies: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Text of the proof, for an independent checker.
    pub text: String,
}

/// Reason why a proof failed.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, ProofFailure, SolveControl};
/// use crosspath::registry::{Variant, find_game};
/// let stop = AtomicBool::new(false);
/// let game = find_game("hex")?.start_position(&Variant::of_size(5).with_setting("swap", "off"))?;
/// let limits = Limits { nodes: Some(1), ..Limits::default() };
/// let proof = game.prove_winner(&SolveControl::without_reports(limits, &stop)).ok_or("Hex has proofs")?;
/// assert_eq!(proof, Err(ProofFailure::Limits));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFailure {
    /// The limits were too low.
    Limits,
    /// The system does not have enough memory.
    Memory,
}

/// Result of a solver: the outcomes of a position and of its moves.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::game::{Outcome, Side};
/// use crosspath::registry::{Variant, find_game};
/// let stop = AtomicBool::new(false);
/// let game = find_game("hex")?.start_position(&Variant::of_size(3).with_setting("swap", "off"))?;
/// let solved = game.solve_position(&SolveControl::without_reports(Limits::default(), &stop)).ok_or("Hex has a solver")?;
/// assert_eq!(solved.outcome, Some(Outcome::Win(Side::First)));
/// assert_eq!(solved.moves.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolveResult<M> {
    /// Outcome of the game under best play; `None` if the limits were too low.
    pub outcome: Option<Outcome>,
    /// Explanation of the proof, one element per line.
    pub proof: Vec<String>,
    /// Legal moves in order, each with its outcome and the number of plies to it (this move included), if
    /// known.
    pub moves: Vec<(M, Option<Outcome>, Option<u32>)>,
    /// Positions searched.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
    /// `true` if the system does not have enough memory.
    pub lacks_memory: bool,
    /// Memory that the solver needs, in MiB, if its memory limit was too low.
    pub needs_mib: Option<usize>,
}

/// Limits and stop flag of a solver, and the receiver of its progress.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use crosspath::ai::{Limits, SolveControl};
/// use crosspath::registry::{Variant, find_game};
/// let stop = AtomicBool::new(false);
/// let usual = SolveControl::without_reports(Limits::default(), &stop);
/// let control = SolveControl { memory_mib: Some(1), ..usual };
/// let game = find_game("tic-tac-toe")?.start_position(&Variant::of_size(3))?;
/// assert!(game.solve_position(&control).ok_or("there is a solver")?.outcome.is_some());
/// stop.store(true, Ordering::Relaxed);
/// assert!(game.solve_position(&control).ok_or("there is a solver")?.outcome.is_none(), "it gives up");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct SolveControl<'a> {
    /// Limits at which the solver gives up; the depth is ignored.
    pub limits: Limits,
    /// Maximum number of threads, if the solver uses several.
    pub threads: usize,
    /// Maximum size of the solver's tables, in MiB; the solver's default if `None`.
    pub memory_mib: Option<usize>,
    /// Stop flag: once it is set, the solver gives up.
    pub stop: &'a AtomicBool,
    /// Callback for the fraction of the work done, from 0 to 1, if known. It may be called on any thread.
    pub report: &'a (dyn Fn(f64) + Sync),
}

impl Debug for SolveControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveControl").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> SolveControl<'a> {
    /// Creates a control with one thread that discards progress reports.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::{Limits, SolveControl};
    /// let stop = AtomicBool::new(false);
    /// let control = SolveControl::without_reports(Limits { nodes: Some(1000), ..Limits::default() }, &stop);
    /// assert_eq!((control.threads, control.memory_mib), (1, None));
    /// ```
    #[must_use]
    pub fn without_reports(limits: Limits, stop: &'a AtomicBool) -> Self {
        SolveControl { limits, threads: 1, memory_mib: None, stop, report: &|_| () }
    }

    /// Returns a search control with the same limits and stop flag.
    #[must_use]
    pub fn search_control<M>(&self) -> SearchControl<'a, M> {
        SearchControl::without_reports(self.limits, self.stop)
    }
}
