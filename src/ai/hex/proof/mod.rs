//! Hex with proofs: a fast board, virtual connections, and a solver that uses them. Modules from low to high:
//! cells, board, inferior, connections, circuit, analysis, transposition, search, certificate. This module
//! depends on the rules, not on the network.

#[doc(hidden)] // prover internals, public for the tests
pub mod analysis;
#[doc(hidden)] // public for the tests
pub mod board;
#[doc(hidden)] // public for the tests
pub mod cells;
mod certificate;
pub mod circuit;
#[doc(hidden)] // public for the tests
pub mod connections;
#[doc(hidden)] // public for the tests
pub mod inferior;
#[doc(hidden)] // public for the tests
pub mod search;
#[doc(hidden)] // public for the tests
pub mod transposition;

use crate::ai::SearchBudget;
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex};
use analysis::{MustPlayAnalysis, PositionAnalyzer};
use board::ProofBoard;
use cells::CellSet;
pub use certificate::ProofCertificate;
use certificate::write_certificate;
use connections::{ConnectionEnd, ConnectionGoal, ConnectionLimits, VirtualConnections};
use search::{ProofSearch, SearchProof};

/// Largest board size on which the connection search has no limit on combinations.
const MAX_SIZE_FOR_UNBOUNDED_SEARCH: usize = 11;

/// Returns the connection limits of a solver for a board size.
fn connection_limits_for_size(size: usize) -> ConnectionLimits {
    if size <= MAX_SIZE_FOR_UNBOUNDED_SEARCH { ConnectionLimits::THOROUGH } else { ConnectionLimits::BOUNDED }
}

/// Proof that one side wins a position.
///
/// ```
/// use crosspath::ai::hex::proof::{HexProof, HexProver, MustPlayVerdict};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Cell, Hex, SwapRule};
/// // First has the centre of a 3x3 board, with a bridge to each edge.
/// let game = Hex::with_stones(3, SwapRule::Off, &[(Side::First, Cell::new(4))], Side::Second)?;
/// let carrier = [1, 2, 6, 7].map(Cell::new).to_vec();
/// let proof = HexProof { winner: Side::First, mv: None, carrier };
/// assert_eq!(HexProver::new(3, 1).must_play_verdict(&game), MustPlayVerdict::Lost(proof));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexProof {
    /// Side that wins.
    pub winner: Side,
    /// A winning move, if the winner is to move.
    pub mv: Option<Cell>,
    /// Empty cells that the winner needs. It wins even if the opponent owned all other empty cells.
    pub carrier: Vec<Cell>,
}

/// Verdict of virtual connections on a position, without a search.
///
/// ```
/// use crosspath::ai::hex::proof::{HexProver, MustPlayVerdict};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Cell, Hex, SwapRule};
/// let game = Hex::with_stones(3, SwapRule::Off, &[(Side::First, Cell::new(4))], Side::Second)?;
/// let MustPlayVerdict::Lost(proof) = HexProver::new(3, 1).must_play_verdict(&game) else {
///     panic!("the bridges of First join its two edges")
/// };
/// assert_eq!(proof.winner, Side::First);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MustPlayVerdict {
    /// The mover wins.
    Won(HexProof),
    /// The mover loses.
    Lost(HexProof),
    /// No winner is known. The first list is the must-play region: any other move loses, or is a filled-in
    /// cell that wins only if a move in the region wins too. The second list is the region without inferior
    /// moves, the most promising first.
    Undecided(Vec<Cell>, Vec<Cell>),
}

/// Verdict of virtual connections on a position, with the number of empty cells that the winner needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionVerdict {
    /// The mover wins.
    Won(usize),
    /// The mover loses.
    Lost(usize),
    /// No winner is known.
    Undecided,
}

/// Proves the winners of positions on boards of one size, and keeps its results in a table.
///
/// Proofs ignore the swap rule.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::hex::proof::HexProver;
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, Move, SwapRule};
/// let game = Hex::new(5, SwapRule::Off)?;
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(Limits::default(), &stop));
/// let proof = HexProver::new(5, 1).prove(&game, &mut budget).expect("there is no limit");
/// assert_eq!((proof.winner, budget.nodes), (Side::First, 1), "connections alone prove it");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Debug)]
pub struct HexProver(ProverByWidth);

/// Provers by the number of 64-bit words in a cell set.
#[derive(Debug)]
enum ProverByWidth {
    W1(Box<SizedProver<1>>),
    W2(Box<SizedProver<2>>),
    W4(Box<SizedProver<4>>),
    W11(Box<SizedProver<11>>),
}

/// Prover for boards of one size, whose cell sets have W words.
#[derive(Debug)]
struct SizedProver<const W: usize> {
    size: usize,
    limits: ConnectionLimits,
    search: ProofSearch<W>,
    analyzer: PositionAnalyzer<W>,
    board: Option<ProofBoard<W>>,
    /// `true` if the board holds the position rotated by 180 degrees.
    is_turned: bool,
}

macro_rules! each_width {
    ($prover:expr, $sized:ident => $done:expr) => {
        match &mut $prover.0 {
            ProverByWidth::W1($sized) => $done,
            ProverByWidth::W2($sized) => $done,
            ProverByWidth::W4($sized) => $done,
            ProverByWidth::W11($sized) => $done,
        }
    };
}

impl HexProver {
    /// Creates a prover for boards of this size, with a table of about `memory_mib` MiB.
    ///
    /// # Panics
    /// Panics if the system has no memory for the table.
    #[must_use]
    pub fn new(size: usize, memory_mib: usize) -> Self {
        Self::try_new(size, memory_mib).expect("the system has memory for its table")
    }

    /// Creates a prover for boards of this size. Returns `None` if the system has no memory for the table.
    #[must_use]
    pub(crate) fn try_new(size: usize, memory_mib: usize) -> Option<Self> {
        Self::try_with_limits(size, memory_mib, connection_limits_for_size(size))
    }

    /// Creates a prover whose connection search has these limits.
    ///
    /// # Panics
    /// Panics if the system has no memory for the table.
    #[must_use]
    pub fn with_limits(size: usize, memory_mib: usize, limits: ConnectionLimits) -> Self {
        Self::try_with_limits(size, memory_mib, limits).expect("the system has memory for its table")
    }

    fn try_with_limits(size: usize, memory_mib: usize, limits: ConnectionLimits) -> Option<Self> {
        Some(HexProver(match size {
            ..=8 => ProverByWidth::W1(SizedProver::new_boxed(size, memory_mib, limits)?),
            9..=11 => ProverByWidth::W2(SizedProver::new_boxed(size, memory_mib, limits)?),
            12..=16 => ProverByWidth::W4(SizedProver::new_boxed(size, memory_mib, limits)?),
            _ => ProverByWidth::W11(SizedProver::new_boxed(size, memory_mib, limits)?),
        }))
    }

    /// Frees the working memory, about 60 MiB on the largest boards. Keeps the table.
    pub(crate) fn release_memory(&mut self) {
        each_width!(self, sized => sized.release_memory());
    }

    /// Clears the table of results.
    pub fn clear(&mut self) {
        each_width!(self, sized => sized.search.clear());
    }

    /// Proves the winner of a position that is not over, or returns `None` if the budget is spent first. One
    /// node of the budget is one position whose connections are searched.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::hex::proof::HexProver;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::game::Side;
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let (game, stop) = (Hex::new(4, SwapRule::Off)?, AtomicBool::new(false));
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
    /// let proof = HexProver::new(4, 1).prove(&game, &mut budget).ok_or("there is no limit")?;
    /// assert_eq!(proof.winner, Side::First);
    /// assert!(proof.mv.is_some(), "the winner is to move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub fn prove(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<HexProof> {
        each_width!(self, sized => sized.prove(game, budget))
    }

    /// Proves the winner like [`HexProver::prove`] does, but analyzes no new position after `combinations`
    /// combinations of connections.
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub fn prove_within_combinations(
        &mut self,
        game: &Hex,
        combinations: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Option<HexProof> {
        each_width!(self, sized => sized.prove_within_combinations(game, combinations, budget))
    }

    /// Appends the moves of a position that an unfinished proof has not refuted: if they all lose, every move
    /// loses. Appends nothing if the position is unknown or proved.
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub(crate) fn append_unrefuted_moves(&mut self, game: &Hex, moves: &mut Vec<Cell>) {
        each_width!(self, sized => sized.append_unrefuted_moves(game, moves));
    }

    /// Returns the number of combinations of connections tried so far by [`HexProver::prove`] and
    /// [`HexProver::prove_within_combinations`].
    #[must_use]
    pub fn combinations_tried(&mut self) -> u64 {
        each_width!(self, sized => sized.search.combinations_tried())
    }

    /// Returns the verdict of connections on a position that is not over, without ordering moves. Appends the
    /// winning move, or moves that include a winning one if any move wins.
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub(crate) fn connection_verdict(&mut self, game: &Hex, moves: &mut Vec<Cell>) -> ConnectionVerdict {
        each_width!(self, sized => sized.connection_verdict(game, moves))
    }

    /// Returns the cells of a side's connections, and the cells on which a stone would add a connection.
    ///
    /// The former are the empty cells of the full connections between its chains and edges. On each of the
    /// latter, a stone would join two chains or edges that are not connected.
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub fn find_connection_cells(&mut self, game: &Hex, side: Side) -> (Vec<Cell>, Vec<Cell>) {
        each_width!(self, sized => sized.find_connection_cells(game, side))
    }

    /// Proves the winner of a position that is not over, and writes the proof. Returns `None` if the budget
    /// is spent first.
    ///
    /// The proof can be checked without a search; `docs/hex-proofs.md` specifies its format.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::hex::proof::HexProver;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::game::Side;
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let (game, stop) = (Hex::new(4, SwapRule::Off)?, AtomicBool::new(false));
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
    /// let mut prover = HexProver::new(4, 1);
    /// let certificate = prover.write_certificate(&game, &mut budget).ok_or("there is no limit")?;
    /// assert_eq!(certificate.winner, Side::First);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub fn write_certificate(
        &mut self,
        game: &Hex,
        budget: &mut SearchBudget<'_>,
    ) -> Option<ProofCertificate> {
        each_width!(self, sized => sized.write_certificate(game, budget))
    }

    /// Returns the verdict of connections on a position that is not over, with the must-play region.
    ///
    /// ```
    /// use crosspath::ai::hex::proof::{MustPlayVerdict, HexProver};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let verdict = HexProver::new(3, 1).must_play_verdict(&Hex::new(3, SwapRule::Off)?);
    /// assert!(matches!(verdict, MustPlayVerdict::Won(_)), "the middle stone is connected to both edges");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the game has another board size.
    pub fn must_play_verdict(&mut self, game: &Hex) -> MustPlayVerdict {
        each_width!(self, sized => sized.must_play_verdict(game))
    }
}

impl<const W: usize> SizedProver<W> {
    fn new_boxed(size: usize, memory_mib: usize, limits: ConnectionLimits) -> Option<Box<Self>> {
        let (search, analyzer) =
            (ProofSearch::with_limits(memory_mib, limits)?, PositionAnalyzer::with_limits(limits));
        Some(Box::new(SizedProver { size, limits, search, analyzer, board: None, is_turned: false }))
    }

    fn release_memory(&mut self) {
        self.analyzer = PositionAnalyzer::with_limits(self.limits);
        self.search.reset_analyzer(connection_limits_for_size(self.size));
    }

    /// Sets the board to the stones of a position, optionally rotated.
    fn set_position(&mut self, game: &Hex, is_turned: bool) -> &mut ProofBoard<W> {
        assert_eq!(self.size, game.size(), "a prover is for one size");
        debug_assert!(game.outcome().is_none(), "the game is over");
        self.is_turned = is_turned;
        let board = self.board.get_or_insert_with(|| ProofBoard::from(game));
        board.set_position(game, is_turned);
        board
    }

    /// Sets the board to the position or to its 180-degree rotation, whichever has the smaller key. Results
    /// hold for both.
    fn set_canonical_position(&mut self, game: &Hex) -> &mut ProofBoard<W> {
        self.set_position(game, game.canonical_key().1)
    }

    /// Converts a cell of the board to a cell of the game.
    fn game_cell(&self, place: usize) -> Cell {
        Cell::new(if self.is_turned { self.size * self.size - 1 - place } else { place })
    }

    fn game_cells(&self, places: CellSet<W>) -> Vec<Cell> {
        let mut cells: Vec<Cell> = places.iter().map(|place| self.game_cell(place)).collect();
        cells.sort_unstable();
        cells
    }

    fn prove(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<HexProof> {
        self.prove_within_combinations(game, u64::MAX, budget)
    }

    fn prove_within_combinations(
        &mut self,
        game: &Hex,
        combinations: u64,
        budget: &mut SearchBudget<'_>,
    ) -> Option<HexProof> {
        self.set_canonical_position(game);
        let board = self.board.as_mut().expect("it was set");
        let SearchProof { winner, mv, carrier } =
            self.search.prove_within_combinations(board, combinations, budget)?;
        Some(HexProof { winner, mv: mv.map(|mv| self.game_cell(mv)), carrier: self.game_cells(carrier) })
    }

    fn append_unrefuted_moves(&mut self, game: &Hex, moves: &mut Vec<Cell>) {
        self.set_canonical_position(game);
        let board = self.board.as_ref().expect("it was set");
        let left = self.search.unrefuted_moves(board);
        moves.extend(left.into_iter().map(|place| self.game_cell(place)));
    }

    fn connection_verdict(&mut self, game: &Hex, found: &mut Vec<Cell>) -> ConnectionVerdict {
        self.set_canonical_position(game);
        let board = self.board.as_mut().expect("it was set");
        match self.analyzer.decide_unsorted(board, &|| false).expect("nothing ends it") {
            MustPlayAnalysis::Won(mv, carrier) => {
                found.push(self.game_cell(mv));
                ConnectionVerdict::Won(carrier.len())
            }
            MustPlayAnalysis::Lost(carrier) => ConnectionVerdict::Lost(carrier.len()),
            MustPlayAnalysis::Open { moves, .. } => {
                found.extend(self.game_cells(moves));
                ConnectionVerdict::Undecided
            }
        }
    }

    fn find_connection_cells(&mut self, game: &Hex, side: Side) -> (Vec<Cell>, Vec<Cell>) {
        self.set_canonical_position(game);
        let board = self.board.as_ref().expect("it was set");
        let mut connections = VirtualConnections::with_limits(self.limits);
        connections.build(board, side, ConnectionGoal::AllConnections);
        let stands = |end: &ConnectionEnd| match *end {
            ConnectionEnd::Edge(_) => true,
            ConnectionEnd::Cell(cell) => board.stones(side).contains(cell),
        };
        let (mut held, mut keys) = (CellSet::<W>::EMPTY, CellSet::<W>::EMPTY);
        for one in connections.list_connections().iter().filter(|one| one.ends.iter().all(stands)) {
            match one.fulls.iter().min_by_key(|carrier| carrier.len()) {
                Some(&carrier) => held |= carrier,
                None => one.semis.iter().for_each(|semi| keys.insert(semi.key.into())),
            }
        }
        (self.game_cells(held), self.game_cells(keys))
    }

    fn write_certificate(&mut self, game: &Hex, budget: &mut SearchBudget<'_>) -> Option<ProofCertificate> {
        self.set_position(game, false);
        let board = self.board.as_mut().expect("it was set");
        write_certificate(&mut self.search, board, budget)
    }

    fn must_play_verdict(&mut self, game: &Hex) -> MustPlayVerdict {
        self.set_canonical_position(game);
        let (board, side) = (self.board.as_mut().expect("it was set"), game.to_move());
        match self.analyzer.analyze(board, &|| false).expect("nothing ends it") {
            MustPlayAnalysis::Won(mv, carrier) => MustPlayVerdict::Won(HexProof {
                winner: side,
                mv: Some(self.game_cell(mv)),
                carrier: self.game_cells(carrier),
            }),
            MustPlayAnalysis::Lost(carrier) => MustPlayVerdict::Lost(HexProof {
                winner: side.other(),
                mv: None,
                carrier: self.game_cells(carrier),
            }),
            MustPlayAnalysis::Open { must_play, .. } => {
                let moves = self.analyzer.sorted_moves().iter().map(|&place| self.game_cell(place)).collect();
                MustPlayVerdict::Undecided(self.game_cells(must_play), moves)
            }
        }
    }
}
