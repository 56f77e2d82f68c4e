//! Algorithm of the original program (2016): fixed-depth alpha-beta over four distances. This module depends
//! only on the rules and the search budget.

use super::find_winning_step;
use crate::ai::{
    self, Engine, GameHistory, MoveChoice, ScoreUnit, SearchBudget, SearchControl, with_move_made,
};
use crate::game::{Game, Outcome, Side};
use crate::games::quoridor::{Cell, Move, MoveKind, Orientation, Quoridor};

/// Value of a win at the root; each ply reduces it by one.
const CLASSIC_WIN_VALUE: f64 = 500.0;
/// Bound that exceeds every value.
const CLASSIC_VALUE_BOUND: f64 = 1000.0;

/// The classic engine: the weights of its four evaluation terms, and its depth. The defaults are those of the
/// original program.
///
/// ```
/// use crosspath::ai::quoridor::classic::{QuoridorClassic, ClassicFeatures};
/// use crosspath::game::Side;
/// use crosspath::games::quoridor::Quoridor;
/// let start = ClassicFeatures::measure(&Quoridor::new(9)?, Side::First);
/// assert_eq!(QuoridorClassic::default().evaluate_features(&start), 0.0);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuoridorClassic {
    /// Weight of the searcher's shortest path (SPP).
    pub spp: f64,
    /// Weight of the opponent's shortest path (SPO).
    pub spo: f64,
    /// Weight of the race difference, SPO - SPP.
    pub rd: f64,
    /// Weight of the rows still to go (MDP).
    pub mdp: f64,
    /// Search depth in plies; `None` chooses it by board size, as the original program does.
    pub depth: Option<u32>,
}

impl Default for QuoridorClassic {
    fn default() -> Self {
        QuoridorClassic { spp: 0.8, spo: 0.8, rd: 0.1, mdp: 0.1, depth: None }
    }
}

/// Features of a position that the classic engine evaluates, from one side's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassicFeatures {
    /// Steps from the searcher to its goal row (SPP).
    pub own_path: f64,
    /// Steps from the opponent to its goal row (SPO).
    pub other_path: f64,
    /// Rows between the searcher and its goal row, ignoring walls (MDP).
    pub rows: f64,
    /// Longest path that the evaluation assumes, in steps: all cells minus one row and one cell.
    pub most_path: f64,
    /// Maximum number of rows between a pawn and its goal row.
    pub most_rows: f64,
}

/// Converts a number of cells to a float; the result is exact.
fn cell_count_as_f64(count: usize) -> f64 {
    f64::from(u16::try_from(count).expect("a board has at most 625 cells"))
}

impl ClassicFeatures {
    /// Computes the features of a position for `side`.
    #[must_use]
    pub fn measure(game: &Quoridor, side: Side) -> Self {
        let steps = |side: Side| f64::from(game.distance_to_goal(side));
        ClassicFeatures {
            own_path: steps(side),
            other_path: steps(side.other()),
            rows: cell_count_as_f64(game.pawn(side).row().abs_diff(game.goal_row(side))),
            most_path: cell_count_as_f64(game.width() * game.height() - game.width() - 1),
            most_rows: cell_count_as_f64(game.height() - 1),
        }
    }
}

/// Result of a search by the classic engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassicSearchResult {
    /// The first of the best moves.
    pub mv: Move,
    /// Value for the mover: a win is 500 minus its ply; NaN if no move was searched.
    pub value: f64,
}

impl QuoridorClassic {
    /// Returns the default depth in this position, in plies.
    ///
    /// It depends on the longer side of the board: 6 up to 3, 4 up to 5, 3 up to 7, 2 up to 11, and 1 above.
    /// It is always 1 if the mover has no walls left.
    #[must_use]
    pub fn default_depth(&self, game: &Quoridor) -> u32 {
        if game.walls_left(game.to_move()) == 0 {
            return 1;
        }
        self.depth.unwrap_or(match game.width().max(game.height()) {
            ..=3 => 6,
            4..=5 => 4,
            6..=7 => 3,
            8..=11 => 2,
            _ => 1,
        })
    }

    /// Returns the value for a side that had walls left when the search began.
    #[must_use]
    pub fn evaluate_features(&self, seen: &ClassicFeatures) -> f64 {
        let ClassicFeatures { own_path, other_path, rows, most_path, most_rows } = *seen;
        // The original program's order of operations, which decides between values that differ only in the
        // last bit.
        (self.spp * ((most_path - own_path) / most_path) - self.spo * ((most_path - other_path) / most_path))
            + (self.rd * ((other_path - own_path) / most_path) + self.mdp * ((most_rows - rows) / most_rows))
    }

    /// Returns the value for a side that had no walls left when the search began.
    #[must_use]
    pub fn evaluate_without_walls(&self, seen: &ClassicFeatures) -> f64 {
        self.spp * ((seen.most_path - seen.own_path) / seen.most_path)
    }

    /// Searches `depth` plies, at least one; `None` if the game is over. If the budget runs out, the result
    /// is the best move so far.
    pub fn search(
        &self,
        game: &Quoridor,
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Option<ClassicSearchResult> {
        let mut game = game.clone();
        let searcher = game.to_move();
        let mut search = ClassicSearch {
            classic: self,
            searcher,
            empty_handed: game.walls_left(searcher) == 0,
            stack: Vec::new(),
            budget,
        };
        search.push_moves(&game);
        let mut best = ClassicSearchResult { mv: *search.stack.first()?, value: -CLASSIC_VALUE_BOUND };
        let mut has_looked = false;
        for i in 0..search.stack.len() {
            let mv = search.stack[i];
            let look = |game: &mut Quoridor| {
                search.alpha_beta(game, depth.max(1) - 1, 1, best.value, CLASSIC_VALUE_BOUND)
            };
            let value = with_move_made(&mut game, mv, look);
            if search.budget.is_spent() {
                break;
            }
            has_looked = true;
            if value > best.value {
                best = ClassicSearchResult { mv, value };
            }
        }
        if !has_looked {
            best.value = f64::NAN;
        }
        Some(best)
    }
}

struct ClassicSearch<'a, 'b> {
    classic: &'a QuoridorClassic,
    searcher: Side,
    /// `true` if the searcher had no walls left at the root. If the walls left at a leaf counted instead,
    /// placing the last wall would look like a gain.
    empty_handed: bool,
    stack: Vec<Move>,
    budget: &'a mut SearchBudget<'b>,
}

impl ClassicSearch<'_, '_> {
    /// Returns the searcher's value: exact inside `(alpha, beta)`, else `alpha` or `beta`.
    fn alpha_beta(
        &mut self,
        game: &mut Quoridor,
        depth: u32,
        ply: u32,
        mut alpha: f64,
        mut beta: f64,
    ) -> f64 {
        debug_assert!(alpha < beta);
        if !self.budget.count_node() {
            return alpha;
        }
        match game.outcome() {
            Some(Outcome::Win(side)) if side == self.searcher => return CLASSIC_WIN_VALUE - f64::from(ply),
            Some(Outcome::Win(_)) => return f64::from(ply) - CLASSIC_WIN_VALUE,
            Some(Outcome::Draw) => return 0.0,
            None => (),
        }
        if depth == 0 {
            let seen = ClassicFeatures::measure(game, self.searcher);
            let classic = self.classic;
            return if self.empty_handed {
                classic.evaluate_without_walls(&seen)
            } else {
                classic.evaluate_features(&seen)
            };
        }
        let rises = game.to_move() == self.searcher;
        let base = self.stack.len();
        self.push_moves(game);
        for i in base..self.stack.len() {
            let mv = self.stack[i];
            let value =
                with_move_made(game, mv, |game| self.alpha_beta(game, depth - 1, ply + 1, alpha, beta));
            if rises && value > alpha {
                alpha = value;
            } else if !rises && value < beta {
                beta = value;
            }
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        if rises { alpha } else { beta }
    }

    fn push_moves(&mut self, game: &Quoridor) {
        let base = self.stack.len();
        game.push_legal_moves(&mut self.stack);
        let from = game.pawn(game.to_move());
        self.stack[base..].sort_unstable_by_key(|&mv| original_move_rank(from, mv));
    }
}

/// File and row offsets of pawn moves, in the original program's order.
#[rustfmt::skip]
const PAWN_MOVE_ORDER: [(i32, i32); 12] = [
    (0, -1), (0, 1), (1, 0), (-1, 0),
    (0, -2), (0, 2), (2, 0), (-2, 0),
    (-1, -1), (1, -1), (-1, 1), (1, 1),
];

/// Returns the rank of a move in the original program's order.
///
/// The order is: steps down, up, right and left; jumps likewise; diagonal steps; then walls row by row from
/// a1, vertical before horizontal.
fn original_move_rank(from: Cell, mv: Move) -> usize {
    match mv.kind() {
        MoveKind::Step(cell) => {
            let direction =
                (i32::from(cell.file) - i32::from(from.file), i32::from(cell.row) - i32::from(from.row));
            PAWN_MOVE_ORDER.iter().position(|&known| known == direction).unwrap_or(PAWN_MOVE_ORDER.len())
        }
        MoveKind::Wall(wall) => {
            let orientation = usize::from(wall.orientation == Orientation::Horizontal);
            100 + 2 * (wall.post.row() * 32 + wall.post.file()) + orientation
        }
    }
}

impl Engine<Quoridor> for QuoridorClassic {
    /// Does nothing: the engine has no state.
    fn new_game(&mut self) {}

    fn choose(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        control: &SearchControl<'_, Move>,
    ) -> MoveChoice<Move> {
        let mut budget = SearchBudget::start(control);
        let depth = control.limits.depth.unwrap_or_else(|| self.default_depth(at.now)).max(1);
        let (found, depth) = match find_winning_step(at.now) {
            Some(cell) => (ClassicSearchResult { mv: cell.into(), value: CLASSIC_WIN_VALUE - 1.0 }, 1),
            None => (self.search(at.now, depth, &mut budget).expect("the game is not over"), depth),
        };
        let score = Some(found.value).filter(|value| !value.is_nan()).map(to_report_score);
        let depth = if score.is_some() { depth } else { 0 };
        let info = budget.make_info(vec![found.mv], score, depth);
        (control.report)(&info);
        info.into_choice()
    }
}

/// Score unit of the classic engine: the original program's values.
pub(super) const CLASSIC_SCORE_UNIT: ScoreUnit =
    ScoreUnit { unit: "", one: 10_000, decimals: 4, odds: None, bias: 0.0, has_bounds: false };

/// Converts a value to a reported score: ten-thousandths, with wins and losses counted as in other engines.
#[expect(clippy::cast_possible_truncation, reason = "values lie between -1000 and 1000")]
fn to_report_score(value: f64) -> i32 {
    match value {
        value if value > CLASSIC_WIN_VALUE / 2.0 => ai::WIN_VALUE - (CLASSIC_WIN_VALUE - value) as i32,
        value if value < -CLASSIC_WIN_VALUE / 2.0 => (value + CLASSIC_WIN_VALUE) as i32 - ai::WIN_VALUE,
        value => (value * f64::from(CLASSIC_SCORE_UNIT.one)).round() as i32,
    }
}
