//! Exact values of tic-tac-toe positions, by search to the end of the game and by certificates. Knows the rules and
//! the search; what to do with the values is others' business.

use std::time::Duration;

pub use crate::ai::Value;
use crate::ai::alphabeta::{AlphaBeta, FULL};
use crate::ai::tictactoe::certificate::{Matching, PairingStrategy, certificate};
use crate::ai::tictactoe::lines::{LineCounts, is_single};
use crate::ai::tictactoe::stones;
use crate::ai::tictactoe::symmetry::{Symmetries, undoing};
use crate::ai::tictactoe::threats::completions;
use crate::ai::transposition::TranspositionTable;
use crate::ai::{
    Eval, MATE_BOUND, Score, SearchBudget, SearchControl, WIN, after_move, end_value, legal_moves,
    one_ply_earlier,
};
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells};
use crate::random::mix;

/// Use of certificates to spare the search positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Search alone.
    Search,
    /// A certified side does not lose.
    Certificates,
}

/// Method by which a value was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofMethod {
    /// By a search of this number of positions.
    Search(u64),
    /// Neither side can lose: First's pairs and Second's.
    Certificates(Box<[PairingStrategy; 2]>),
}

/// Result of [`solve`] for a position.
#[derive(Clone, Debug)]
pub struct TicTacToeSolution {
    /// The position's value and its proof; `None` if the limits did not suffice.
    pub value: Option<(Value, ProofMethod)>,
    /// If asked for, every legal move in reading order with its value for the mover and its proof, likewise.
    pub moves: Vec<(Cell, Option<(Value, ProofMethod)>)>,
    /// Positions searched in all.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Questions that [`solve`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The value of the position.
    Position,
    /// The value of every move too.
    Moves,
}

/// Finds the value of a position, of any size and win length, within the limits, with a table of at most `memory_mib`
/// MiB.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::tictactoe::exact::{Bounds, ProofMethod, Scope, Value, solve};
/// use crosspath::ai::{SearchControl, Limits};
/// use crosspath::games::tictactoe::TicTacToe;
/// let stop = AtomicBool::new(false);
/// let control = SearchControl::quiet(Limits::default(), &stop);
/// let solution = solve(&TicTacToe::new(3)?, Scope::Moves, Bounds::Search, 1, &control);
/// assert!(matches!(solution.value, Some((Value::Draw, ProofMethod::Search(_)))));
/// assert!(solution.moves.iter().all(|(_, known)| matches!(known, Some((Value::Draw, _)))));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn solve(
    game: &TicTacToe,
    scope: Scope,
    bounds: Bounds,
    memory_mib: usize,
    control: &SearchControl<'_, Cell>,
) -> TicTacToeSolution {
    let mut budget = SearchBudget::start(control);
    // Memory is taken only when a search is needed.
    let mut solver = None;
    let mut prove = |game: &TicTacToe| {
        if bounds == Bounds::Certificates
            && let [Some(first), Some(second)] = Side::each(|side| certificate(game, side))
        {
            return Some((Score(0), ProofMethod::Certificates(Box::new([first, second]))));
        }
        let new = || Solver::new(game, bounds, TranspositionTable::with_memory(memory_mib));
        let before = budget.nodes;
        let value = solver.get_or_insert_with(new).value(game, &mut budget)?;
        Some((Score(value), ProofMethod::Search(budget.nodes - before)))
    };
    let value = prove(game).map(|(score, proof)| (score.proved(), proof));
    let value_of = |cell| {
        let mut after = game.clone();
        after.make(cell);
        (cell, prove(&after).map(|(score, proof)| (score.one_ply_earlier().proved(), proof)))
    };
    let moves = if scope == Scope::Moves { legal_moves(game) } else { Vec::new() };
    let moves = moves.into_iter().map(value_of).collect();
    TicTacToeSolution { value, moves, nodes: budget.nodes, elapsed: budget.elapsed() }
}

/// Searches positions of one board to the end of the game. Results are kept from one question to the next.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::tictactoe::exact::{Bounds, Solver};
/// use crosspath::ai::transposition::TranspositionTable;
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::games::tictactoe::TicTacToe;
/// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
/// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
/// let mut solver = Solver::new(&game, Bounds::Search, TranspositionTable::with_entries(4096));
/// assert_eq!(solver.value(&game, &mut budget), Some(0), "a draw");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    search: AlphaBeta<TicTacToe, ExactEval>,
}

/// Depths searched for a short win before the search to the end, where lines are shorter than the board, go on while
/// they cost less than this.
const SHORT_WIN_NODES: u64 = 20_000;

impl Solver {
    /// A solver for positions on the board of `game`.
    #[must_use]
    pub fn new(game: &TicTacToe, bounds: Bounds, table: TranspositionTable) -> Self {
        Solver { search: AlphaBeta::new(ExactEval::new(game, bounds), table) }
    }

    /// Forgets everything found.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// The exact value for the mover: `WIN - n` for a win with the n-th ply, `n - WIN` for a loss, 0 for a draw.
    /// `None` if the budget was spent first.
    pub fn value(&mut self, game: &TicTacToe, budget: &mut SearchBudget<'_>) -> Option<i32> {
        if let Some(outcome) = game.outcome() {
            return Some(end_value(outcome, game.to_move(), 0));
        }
        let mut depth = 0;
        // Shorter lines than the board is long: wins are common and short, so look near before far.
        let start = budget.nodes;
        while game.win_length() < game.size() && budget.nodes - start < SHORT_WIN_NODES && depth < FULL - 1 {
            depth += 1;
            let value = self.search.value(game, depth, (-WIN, WIN), budget)?;
            if value.abs() > MATE_BOUND || self.search.is_proved() {
                return Some(value);
            }
        }
        // Who wins comes first; how fast is asked only where somebody does.
        let sign = self.search.value(game, FULL, (-1, 1), budget)?.signum();
        let window = match sign {
            0 => return Some(0),
            1 => (0, WIN),
            _ => (-WIN, 0),
        };
        loop {
            depth += 1;
            let value = self.search.value(game, depth, window, budget)?;
            if value.abs() > MATE_BOUND {
                return Some(value);
            }
            debug_assert!(depth < FULL - 1, "a proved win is found by the end of the game");
        }
    }

    /// Reports whether the mover wins under best play, however long it takes. `None` if the budget was spent first.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::tictactoe::exact::{Bounds, Solver};
    /// use crosspath::ai::transposition::TranspositionTable;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
    /// let mut solver = Solver::new(&game, Bounds::Search, TranspositionTable::with_entries(4096));
    /// assert_eq!(solver.wins(&game, &mut budget), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wins(&mut self, game: &TicTacToe, budget: &mut SearchBudget<'_>) -> Option<bool> {
        match game.outcome() {
            Some(outcome) => Some(outcome.winner() == Some(game.to_move())),
            None => self.search.value(game, FULL, (0, 1), budget).map(|value| value > 0),
        }
    }

    /// The exact value of every legal move for its mover, in reading order; `None` where the budget was spent first.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use crosspath::ai::tictactoe::exact::{Bounds, Solver};
    /// use crosspath::ai::transposition::TranspositionTable;
    /// use crosspath::ai::{Limits, SearchBudget, SearchControl};
    /// use crosspath::games::tictactoe::TicTacToe;
    /// let (game, stop) = (TicTacToe::new(3)?, AtomicBool::new(false));
    /// let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
    /// let mut solver = Solver::new(&game, Bounds::Search, TranspositionTable::with_entries(4096));
    /// assert!(solver.moves(&game, &mut budget).iter().all(|&(_, value)| value == Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&mut self, game: &TicTacToe, budget: &mut SearchBudget<'_>) -> Vec<(Cell, Option<i32>)> {
        let mut now = game.clone();
        let value_of = |mv| {
            let value = after_move(&mut now, mv, |after| self.value(after, budget));
            (mv, value.map(one_ply_earlier))
        };
        legal_moves(game).into_iter().map(value_of).collect()
    }
}

/// Facts that the exact search sees at once: wins, blocks, lines that nobody can complete any more, certificates; and
/// which positions are equal by symmetry.
#[derive(Debug)]
struct ExactEval {
    symmetries: Option<Symmetries>,
    matching: Option<Box<Matching>>,
    counts: LineCounts,
    /// The last position looked at and what was seen.
    seen: (u64, Lines),
}

/// Facts that the lines of a position show.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    /// The cells on which the mover completes a line, and the opponent.
    wins: u128,
    threats: u128,
    /// The cells of the lines that the mover can still complete, and the opponent.
    own_live: u128,
    opp_live: u128,
    /// The stones still missing on the mover's best line, and on the opponent's.
    own_needs: u32,
    opp_needs: u32,
    /// `true` if the mover can make two threats at once while it faces at most one, which that move meets.
    has_fork: bool,
}

impl Lines {
    fn of(game: &TicTacToe) -> Self {
        let (own, opp) = stones(game);
        let empty = game.empty();
        let left = empty.count_ones();
        let mut seen = Lines { own_needs: u32::MAX, opp_needs: u32::MAX, ..Lines::default() };
        let (mut pairs, mut crossings) = (0, 0);
        for &line in game.lines().all() {
            let (is_own, is_opp) = (line & opp == 0, line & own == 0);
            if !is_own && !is_opp {
                continue;
            }
            let free = line & empty;
            let needs = free.count_ones();
            // A line that needs more stones than the side has moves left is as good as dead.
            if is_own && needs <= left.div_ceil(2) {
                seen.own_live |= line;
                seen.own_needs = seen.own_needs.min(needs);
                seen.wins |= if needs == 1 { free } else { 0 };
                if needs == 2 {
                    crossings |= pairs & free;
                    pairs |= free;
                }
            }
            if is_opp && needs <= left / 2 {
                seen.opp_live |= line;
                seen.opp_needs = seen.opp_needs.min(needs);
                seen.threats |= if needs == 1 { free } else { 0 };
            }
        }
        crossings &= if seen.threats == 0 { empty } else { seen.threats };
        // Two lines with the same two empty cells make one threat only.
        seen.has_fork = left > 2
            && cells(crossings).any(|cell| {
                !is_single(completions(game.lines().through(cell.index()), own | cell.bit(), opp))
            });
        seen
    }

    /// The bounds of the value that the lines prove.
    fn bounds(&self) -> (i32, i32) {
        let plies = |needs: u32| (2 * needs).cast_signed();
        if self.wins != 0 {
            return (WIN - 1, WIN - 1);
        }
        if self.threats != 0 && !is_single(self.threats) {
            return (2 - WIN, 2 - WIN);
        }
        if self.has_fork {
            return (WIN - 3, WIN - 3);
        }
        let most = if self.own_live == 0 { 0 } else { WIN + 1 - plies(self.own_needs) };
        let least = if self.opp_live == 0 { 0 } else { plies(self.opp_needs) - WIN };
        (least, most)
    }
}

impl ExactEval {
    fn new(game: &TicTacToe, bounds: Bounds) -> Self {
        ExactEval {
            symmetries: Symmetries::new(game.size()),
            matching: (bounds == Bounds::Certificates).then(|| Box::new(Matching::new())),
            counts: LineCounts::of(game),
            seen: (!game.key(), Lines::default()),
        }
    }

    fn analyze(&mut self, game: &TicTacToe) -> Lines {
        if self.seen.0 != game.key() {
            self.seen = (game.key(), Lines::of(game));
        }
        self.seen.1
    }

    fn map(&self, move_index: u16, turn: u8) -> u16 {
        match (&self.symmetries, u8::try_from(move_index)) {
            (Some(symmetries), Ok(cell)) => u16::from(symmetries.turned(Cell(cell), turn).0),
            _ => move_index,
        }
    }
}

impl Eval<TicTacToe> for ExactEval {
    fn value(&mut self, _: &TicTacToe) -> i32 {
        0
    }

    fn move_index_count(&self, game: &TicTacToe) -> usize {
        game.size() * game.size()
    }

    fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
        u16::from(cell.0)
    }

    fn rank(&mut self, game: &TicTacToe, cell: Cell) -> i32 {
        self.counts.update(game);
        self.counts.rank(game.to_move(), cell)
    }

    fn learns(&self) -> bool {
        false // 4x4: 11,870 positions instead of 31,751; 5x5: 1.0 million instead of 6.7.
    }

    fn bounds(&mut self, game: &TicTacToe) -> (i32, i32) {
        let (mut least, mut most) = self.analyze(game).bounds();
        if let Some(matching) = &mut self.matching {
            let ((own, opp), empty, lines) = (stones(game), game.empty(), game.lines().all());
            if most > 0 && matching.holds(lines, opp, own, empty) {
                most = 0;
            }
            if least < 0 && matching.holds(lines, own, opp, empty) {
                least = 0;
            }
        }
        (least, most)
    }

    /// The forced answer alone, if there is one; otherwise all cells, but of those on no living line only one: they
    /// differ in nothing.
    fn moves(&mut self, game: &TicTacToe, out: &mut Vec<Cell>) {
        let seen = self.analyze(game);
        let empty = game.empty();
        let useful = match seen.threats {
            0 => empty & (seen.own_live | seen.opp_live),
            threats => threats,
        };
        let idle = if seen.threats == 0 { empty & !useful } else { 0 };
        let one_idle = idle & idle.wrapping_neg();
        out.extend(cells(useful | one_idle));
    }

    /// A stone whose lines are all dead for its side is like any other such stone, so they share a name.
    fn key(&mut self, game: &TicTacToe) -> (u64, u8) {
        if self.symmetries.is_none() {
            return (game.key(), 0);
        }
        let seen = self.analyze(game);
        let (own, opp) = stones(game);
        let (own, opp) = (own & seen.own_live, opp & seen.opp_live);
        let free = game.empty() & (seen.own_live | seen.opp_live);
        // Two bits a cell: own stone, stone of the opponent, neither (both bits: dead).
        let dead = !(own | opp | free) & ((1 << (game.size() * game.size())) - 1);
        let symmetries = self.symmetries.as_ref().expect("not none");
        let (name, turn) = symmetries.least(own | dead, opp | dead);
        // The name ends at bit 56; how many cells are empty is told by 7 bits more.
        (mix(name | u64::from(game.empty().count_ones()) << 57, 0), turn)
    }

    fn turned(&self, move_index: u16, turn: u8) -> u16 {
        self.map(move_index, turn)
    }

    fn turned_back(&self, move_index: u16, turn: u8) -> u16 {
        self.map(move_index, undoing(turn))
    }
}
