//! Hex with proofs: a fast board, connections that hold whatever the opponent does, and a solver that rests on them.
//! From low to high: cells, board, inferior, connections, circuit, analysis, table, search, certificate. Know the rules, no network.

#[doc(hidden)] // the inside of the prover, open for its tests
pub mod analysis;
#[doc(hidden)] // the same
pub mod board;
#[doc(hidden)] // the same
pub mod cells;
mod certificate;
pub mod circuit;
#[doc(hidden)] // the same
pub mod connections;
#[doc(hidden)] // the same
pub mod inferior;
pub mod search;
pub mod transposition;

use crate::ai::SearchBudget;
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex};
use analysis::{Analyzer, MustPlayAnalysis};
use board::ProofBoard;
use cells::Cells;
pub use certificate::Certificate;
use certificate::certificate;
use connections::{Connections, Effort, Endpoint, StopCondition};
use search::{ProofSearch, SearchProof};

/// The largest board on which a position is analyzed without a bound.
const MAX_WHOLE: usize = 11;

/// The effort with which a solver analyzes a position.
fn effort_on(size: usize) -> Effort {
    if size <= MAX_WHOLE { Effort::WHOLE } else { Effort::BOUNDED }
}

/// Proof of who wins a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexProof {
    /// The winner.
    pub winner: Side,
    /// A move that wins, if the winner is to move.
    pub mv: Option<Cell>,
    /// The winner wins even if the opponent had all empty cells but these.
    pub carrier: Vec<Cell>,
}

/// Verdict of connections about a position, without a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MustPlay {
    /// The mover wins.
    Won(HexProof),
    /// The mover loses.
    Lost(HexProof),
    /// Every move that is not among these loses, but for some on cells that are filled in: where one of those wins, one of these
    /// does too. The second list is what is left when moves go that are no better than others
    /// in it, the most promising ones in front.
    Among(Vec<Cell>, Vec<Cell>),
}

/// Verdict of connections about a position, with the number of empty cells that the winner needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VcVerdict {
    /// The mover wins.
    Won(usize),
    /// The mover loses.
    Lost(usize),
    /// Neither is known.
    Open,
}

/// Proves who wins positions of one size of board, and remembers what it found.
///
/// The effect of a swap does not count here.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::hex::proof::Prover;
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, Move, SwapRule};
/// let game = Hex::new(5, SwapRule::Off)?;
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<Move>(&SearchControl::quiet(Limits::default(), &stop));
/// let proof = Prover::new(5, 1).prove(&game, &mut budget).expect("there is no limit");
/// assert_eq!((proof.winner, budget.nodes), (Side::First, 1), "connections alone prove it");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct Prover(Width);

/// Provers for each number of words in a set of cells.
#[derive(Debug)]
enum Width {
    W1(Box<Sized<1>>),
    W2(Box<Sized<2>>),
    W4(Box<Sized<4>>),
    W11(Box<Sized<11>>),
}

#[derive(Debug)]
struct Sized<const W: usize> {
    size: usize,
    effort: Effort,
    search: ProofSearch<W>,
    analyzer: Analyzer<W>,
    board: Option<ProofBoard<W>>,
    /// `true` if the board has the position turned by half.
    is_turned: bool,
}

macro_rules! each_width {
    ($prover:expr, $sized:ident => $done:expr) => {
        match &mut $prover.0 {
            Width::W1($sized) => $done,
            Width::W2($sized) => $done,
            Width::W4($sized) => $done,
            Width::W11($sized) => $done,
        }
    };
}

impl Prover {
    /// Creates a prover for boards of this size, with a table of about `memory_mib` MiB.
    ///
    /// # Panics
    /// If the system has no memory for the table.
    #[must_use]
    pub fn new(size: usize, memory_mib: usize) -> Self {
        Self::try_new(size, memory_mib).expect("the system has memory for its table")
    }

    /// Creates a prover for boards of this size; `None` if the system has no memory for the table.
    #[must_use]
    pub(crate) fn try_new(size: usize, memory_mib: usize) -> Option<Self> {
        Self::try_with(size, memory_mib, effort_on(size))
    }

    /// Returns a prover that finds connections with some effort only.
    ///
    /// # Panics
    /// If the system has no memory for the table.
    #[must_use]
    pub fn with(size: usize, memory_mib: usize, effort: Effort) -> Self {
        Self::try_with(size, memory_mib, effort).expect("the system has memory for its table")
    }

    fn try_with(size: usize, memory_mib: usize, effort: Effort) -> Option<Self> {
        Some(Prover(match size {
            ..=8 => Width::W1(Sized::boxed(size, memory_mib, effort)?),
            9..=11 => Width::W2(Sized::boxed(size, memory_mib, effort)?),
            12..=16 => Width::W4(Sized::boxed(size, memory_mib, effort)?),
            _ => Width::W11(Sized::boxed(size, memory_mib, effort)?),
        }))
    }

    /// Frees its working memory, some 60 MiB on the largest boards; what it has found stays.
    pub(crate) fn release(&mut self) {
        each_width!(self, sized => sized.release());
    }

    /// Forgets what it has found.
    pub fn clear(&mut self) {
        each_width!(self, sized => sized.search.clear());
    }

    /// Proves who wins a position that is not over; `None` if the budget is spent first. One node of the budget is one position
    /// whose connections are found.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::hex::proof::Prover;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::game::Side;
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let (game, stop) = (Hex::new(4, SwapRule::Off)?, AtomicBool::new(false));
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
    /// let proof = Prover::new(4, 1).prove(&game, &mut budget).ok_or("there is no limit")?;
    /// assert_eq!(proof.winner, Side::First);
    /// assert!(proof.mv.is_some(), "the winner is to move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the board has another size.
    pub fn prove(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<HexProof> {
        each_width!(self, sized => sized.prove(game, budget))
    }

    /// Proves who wins as [`Prover::prove`] does, and analyzes no new position once `combinations` of connections were tried.
    ///
    /// # Panics
    /// If the board has another size.
    pub fn prove_within(
        &mut self,
        game: &Hex,
        combinations: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Option<HexProof> {
        each_width!(self, sized => sized.prove_within(game, combinations, budget))
    }

    /// Appends the moves of a position that an unfinished proof has not refuted: if they all lose, so do all others. Appends
    /// nothing if the position was not analyzed or is proved.
    ///
    /// # Panics
    /// If the board has another size.
    pub(crate) fn append_moves_left(&mut self, game: &Hex, moves: &mut Vec<Cell>) {
        each_width!(self, sized => sized.append_moves_left(game, moves));
    }

    /// Returns the number of combinations of connections tried up to now by [`Prover::prove`] and
    /// [`Prover::prove_within`].
    #[must_use]
    pub fn combinations(&mut self) -> u64 {
        each_width!(self, sized => sized.search.combinations())
    }

    /// Returns the verdict of connections on a position that is not over, without an order. Appends the move that wins,
    /// or moves that include a winning one if any move wins.
    ///
    /// # Panics
    /// If the board has another size.
    pub(crate) fn outlook(&mut self, game: &Hex, moves: &mut Vec<Cell>) -> VcVerdict {
        each_width!(self, sized => sized.outlook(game, moves))
    }

    /// Returns the empty cells because of which chains and edges of a side are joined whatever the opponent does, and
    /// those on which a stone would join two that are not.
    ///
    /// # Panics
    /// If the board has another size.
    pub fn links(&mut self, game: &Hex, side: Side) -> (Vec<Cell>, Vec<Cell>) {
        each_width!(self, sized => sized.links(game, side))
    }

    /// Proves who wins a position that is not over and writes the proof down, for a program that checks it without a search
    /// (`docs/hex-proofs.md` has the form); `None` if the budget is spent first.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::hex::proof::Prover;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::game::Side;
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let (game, stop) = (Hex::new(4, SwapRule::Off)?, AtomicBool::new(false));
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
    /// let certificate = Prover::new(4, 1).certificate(&game, &mut budget).ok_or("there is no limit")?;
    /// assert_eq!(certificate.winner, Side::First);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the board has another size.
    pub fn certificate(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<Certificate> {
        each_width!(self, sized => sized.certificate(game, budget))
    }

    /// Returns the verdict of connections on a position that is not over.
    ///
    /// ```
    /// use crosspath::ai::hex::proof::{MustPlay, Prover};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let verdict = Prover::new(3, 1).must_play(&Hex::new(3, SwapRule::Off)?);
    /// assert!(matches!(verdict, MustPlay::Won(_)), "the middle stone is connected to both edges");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the board has another size.
    pub fn must_play(&mut self, game: &Hex) -> MustPlay {
        each_width!(self, sized => sized.must_play(game))
    }
}

impl<const W: usize> Sized<W> {
    fn boxed(size: usize, memory_mib: usize, effort: Effort) -> Option<Box<Self>> {
        let (search, analyzer) = (ProofSearch::with(memory_mib, effort)?, Analyzer::with(effort));
        Some(Box::new(Sized { size, effort, search, analyzer, board: None, is_turned: false }))
    }

    fn release(&mut self) {
        self.analyzer = Analyzer::with(self.effort);
        self.search.release(effort_on(self.size));
    }

    /// The board with the stones of a position.
    fn set(&mut self, game: &Hex, is_turned: bool) -> &mut ProofBoard<W> {
        assert_eq!(self.size, game.size(), "a prover is for one size");
        debug_assert!(game.outcome().is_none(), "the game is over");
        self.is_turned = is_turned;
        let board = self.board.get_or_insert_with(|| ProofBoard::from(game));
        board.set(game, is_turned);
        board
    }

    /// Sets the board to the position, turned by half where the turned position has the smaller key: the findings about
    /// both are the same.
    fn set_either_way(&mut self, game: &Hex) -> &mut ProofBoard<W> {
        self.set(game, game.either_key().1)
    }

    /// The cell of the game for one of the board.
    fn cell(&self, place: usize) -> Cell {
        Cell::new(if self.is_turned { self.size * self.size - 1 - place } else { place })
    }

    fn cells(&self, places: Cells<W>) -> Vec<Cell> {
        let mut cells: Vec<Cell> = places.iter().map(|place| self.cell(place)).collect();
        cells.sort_unstable();
        cells
    }

    fn prove(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<HexProof> {
        self.prove_within(game, u64::MAX, budget)
    }

    fn prove_within(
        &mut self,
        game: &Hex,
        combinations: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Option<HexProof> {
        self.set_either_way(game);
        let board = self.board.as_mut().expect("it was set");
        let SearchProof { winner, mv, carrier } = self.search.prove_within(board, combinations, budget)?;
        Some(HexProof { winner, mv: mv.map(|mv| self.cell(mv)), carrier: self.cells(carrier) })
    }

    fn append_moves_left(&mut self, game: &Hex, moves: &mut Vec<Cell>) {
        self.set_either_way(game);
        let board = self.board.as_ref().expect("it was set");
        let left = self.search.moves_left(board);
        moves.extend(left.into_iter().map(|place| self.cell(place)));
    }

    fn outlook(&mut self, game: &Hex, found: &mut Vec<Cell>) -> VcVerdict {
        self.set_either_way(game);
        let board = self.board.as_mut().expect("it was set");
        match self.analyzer.try_decide(board, &|| false).expect("nothing ends it") {
            MustPlayAnalysis::Won(mv, carrier) => {
                found.push(self.cell(mv));
                VcVerdict::Won(carrier.len())
            }
            MustPlayAnalysis::Lost(carrier) => VcVerdict::Lost(carrier.len()),
            MustPlayAnalysis::Open { moves, .. } => {
                found.extend(self.cells(moves));
                VcVerdict::Open
            }
        }
    }

    fn links(&mut self, game: &Hex, side: Side) -> (Vec<Cell>, Vec<Cell>) {
        self.set_either_way(game);
        let board = self.board.as_ref().expect("it was set");
        let mut connections = Connections::with(self.effort);
        connections.build(board, side, StopCondition::Complete);
        let stands = |end: &Endpoint| match *end {
            Endpoint::Edge(_) => true,
            Endpoint::Cell(cell) => board.stones(side).contains(cell),
        };
        let (mut held, mut keys) = (Cells::<W>::EMPTY, Cells::<W>::EMPTY);
        for one in connections.listed().iter().filter(|one| one.ends.iter().all(stands)) {
            match one.fulls.iter().min_by_key(|carrier| carrier.len()) {
                Some(&carrier) => held |= carrier,
                None => one.semis.iter().for_each(|semi| keys.insert(semi.key.into())),
            }
        }
        (self.cells(held), self.cells(keys))
    }

    fn certificate(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<Certificate> {
        self.set(game, false);
        let board = self.board.as_mut().expect("it was set");
        certificate(&mut self.search, board, budget)
    }

    fn must_play(&mut self, game: &Hex) -> MustPlay {
        self.set_either_way(game);
        let (board, side) = (self.board.as_mut().expect("it was set"), game.to_move());
        match self.analyzer.analyze(board, &|| false).expect("nothing ends it") {
            MustPlayAnalysis::Won(mv, carrier) => MustPlay::Won(HexProof {
                winner: side,
                mv: Some(self.cell(mv)),
                carrier: self.cells(carrier),
            }),
            MustPlayAnalysis::Lost(carrier) => {
                MustPlay::Lost(HexProof { winner: side.other(), mv: None, carrier: self.cells(carrier) })
            }
            MustPlayAnalysis::Open { must_play, .. } => {
                let moves = self.analyzer.ordered().iter().map(|&place| self.cell(place)).collect();
                MustPlay::Among(self.cells(must_play), moves)
            }
        }
    }
}
