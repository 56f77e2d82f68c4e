//! The original program's algorithm (2016): fixed-depth alpha-beta over four distances. Knows the rules, no clock but
//! its budget.

use super::winning_step;
use crate::ai::{self, Choice, Engine, GameHistory, ScoreUnit, SearchBudget, SearchControl, after_move};
use crate::game::{Game, Outcome, Side};
use crate::games::quoridor::{Cell, Move, MoveKind, Orientation, Quoridor};

/// A win at the root; each ply makes it worth one less.
const WIN: f64 = 500.0;
/// Beyond every value.
const BOUND: f64 = 1000.0;

/// The weights of the four terms, and the depth. The defaults are the original's.
///
/// ```
/// use crosspath::ai::quoridor::classic::{QuoridorClassic, Measures};
/// use crosspath::game::Side;
/// use crosspath::games::quoridor::Quoridor;
/// let start = Measures::of(&Quoridor::new(9)?, Side::First);
/// assert_eq!(QuoridorClassic::default().weigh(&start), 0.0);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuoridorClassic {
    /// Weight of the searcher's shortest path, SPP.
    pub spp: f64,
    /// Weight of the opponent's shortest path, SPO.
    pub spo: f64,
    /// Weight of the race difference SPO - SPP.
    pub rd: f64,
    /// Weight of the rows still to go, MDP.
    pub mdp: f64,
    /// Plies looked ahead; `None` is the original's choice by size.
    pub depth: Option<u32>,
}

impl Default for QuoridorClassic {
    fn default() -> Self {
        QuoridorClassic { spp: 0.8, spo: 0.8, rd: 0.1, mdp: 0.1, depth: None }
    }
}

/// Measures of a position by the classic player, from one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Steps of the searcher to its goal row, SPP.
    pub own_path: f64,
    /// Steps of the opponent to its goal row, SPO.
    pub other_path: f64,
    /// Rows between the searcher and its goal row, walls ignored, MDP.
    pub rows: f64,
    /// The largest path it reckons with: cells less one row and one cell.
    pub most_path: f64,
    /// The most rows.
    pub most_rows: f64,
}

/// A number of cells of a board, exact as a float.
fn float(count: usize) -> f64 {
    f64::from(u16::try_from(count).expect("a board has at most 625 cells"))
}

impl Measures {
    /// The position as `side` sees it.
    #[must_use]
    pub fn of(game: &Quoridor, side: Side) -> Self {
        let steps = |side: Side| f64::from(game.distance(side));
        Measures {
            own_path: steps(side),
            other_path: steps(side.other()),
            rows: float(game.pawn(side).row().abs_diff(game.goal_row(side))),
            most_path: float(game.width() * game.height() - game.width() - 1),
            most_rows: float(game.height() - 1),
        }
    }
}

/// Result of a search of the classic player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassicResult {
    /// The first of the best moves.
    pub mv: Move,
    /// Its value for the mover: a win is 500 less its ply; not a number if no move was looked at.
    pub value: f64,
}

impl QuoridorClassic {
    /// The plies it looks ahead in this position: by the larger measure of the board 6 (up to 3), 4 (5), 3 (7), 2 (11)
    /// and 1 beyond, and 1 wherever the mover has no wall in hand.
    #[must_use]
    pub fn depth_for(&self, game: &Quoridor) -> u32 {
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

    /// The value of a position for the side that measured it, if it had a wall in hand when the search began.
    #[must_use]
    pub fn weigh(&self, seen: &Measures) -> f64 {
        let Measures { own_path, other_path, rows, most_path, most_rows } = *seen;
        // The original's order of operations, which decides between values that are equal but for the last bit.
        (self.spp * ((most_path - own_path) / most_path) - self.spo * ((most_path - other_path) / most_path))
            + (self.rd * ((other_path - own_path) / most_path) + self.mdp * ((most_rows - rows) / most_rows))
    }

    /// The value for a side that had none.
    #[must_use]
    pub fn weigh_empty_handed(&self, seen: &Measures) -> f64 {
        self.spp * ((seen.most_path - seen.own_path) / seen.most_path)
    }

    /// Searches `depth` plies, at least one; `None` if the game is over. A spent budget leaves the best move so far.
    pub fn search(
        &self,
        game: &Quoridor,
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Option<ClassicResult> {
        let mut game = game.clone();
        let searcher = game.to_move();
        let mut search = Search {
            classic: self,
            searcher,
            empty_handed: game.walls_left(searcher) == 0,
            stack: Vec::new(),
            budget,
        };
        search.push_moves(&game);
        let mut best = ClassicResult { mv: *search.stack.first()?, value: -BOUND };
        let mut has_looked = false;
        for i in 0..search.stack.len() {
            let mv = search.stack[i];
            let look = |game: &mut Quoridor| search.value(game, depth.max(1) - 1, 1, best.value, BOUND);
            let value = after_move(&mut game, mv, look);
            if search.budget.is_spent() {
                break;
            }
            has_looked = true;
            if value > best.value {
                best = ClassicResult { mv, value };
            }
        }
        if !has_looked {
            best.value = f64::NAN;
        }
        Some(best)
    }
}

struct Search<'a, 'b> {
    classic: &'a QuoridorClassic,
    searcher: Side,
    /// `true` if the searcher had no walls left at the root: with the leaf's walls, spending the last one would look
    /// like a gain.
    empty_handed: bool,
    stack: Vec<Move>,
    budget: &'a mut SearchBudget<'b>,
}

impl Search<'_, '_> {
    /// The searcher's value: exact inside `(alpha, beta)`, `alpha` or `beta` where it lies beyond.
    fn value(&mut self, game: &mut Quoridor, depth: u32, ply: u32, mut alpha: f64, mut beta: f64) -> f64 {
        debug_assert!(alpha < beta);
        if !self.budget.tick() {
            return alpha;
        }
        match game.outcome() {
            Some(Outcome::Win(side)) if side == self.searcher => return WIN - f64::from(ply),
            Some(Outcome::Win(_)) => return f64::from(ply) - WIN,
            Some(Outcome::Draw) => return 0.0,
            None => (),
        }
        if depth == 0 {
            let seen = Measures::of(game, self.searcher);
            let classic = self.classic;
            return if self.empty_handed { classic.weigh_empty_handed(&seen) } else { classic.weigh(&seen) };
        }
        let rises = game.to_move() == self.searcher;
        let base = self.stack.len();
        self.push_moves(game);
        for i in base..self.stack.len() {
            let mv = self.stack[i];
            let value = after_move(game, mv, |game| self.value(game, depth - 1, ply + 1, alpha, beta));
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
        game.moves(&mut self.stack);
        let from = game.pawn(game.to_move());
        self.stack[base..].sort_unstable_by_key(|&mv| rank(from, mv));
    }
}

/// Files and rows a pawn goes by, in the original's order.
#[rustfmt::skip]
const DIRECTIONS: [(i32, i32); 12] = [
    (0, -1), (0, 1), (1, 0), (-1, 0),
    (0, -2), (0, 2), (2, 0), (-2, 0),
    (-1, -1), (1, -1), (-1, 1), (1, 1),
];

/// The place of a move in the original's order: steps down, up, right, left; jumps likewise; side steps; then walls,
/// row by row from a1, upright before across.
fn rank(from: Cell, mv: Move) -> usize {
    match mv.act() {
        MoveKind::Go(cell) => {
            let direction =
                (i32::from(cell.file) - i32::from(from.file), i32::from(cell.row) - i32::from(from.row));
            DIRECTIONS.iter().position(|&known| known == direction).unwrap_or(DIRECTIONS.len())
        }
        MoveKind::Build(wall) => {
            let orientation = usize::from(wall.orientation == Orientation::Horizontal);
            100 + 2 * (wall.post.row() * 32 + wall.post.file()) + orientation
        }
    }
}

impl Engine<Quoridor> for QuoridorClassic {
    /// It remembers nothing.
    fn new_game(&mut self) {}

    fn choose(&mut self, at: &GameHistory<'_, Quoridor>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        let mut budget = SearchBudget::start(control);
        let depth = control.limits.depth.unwrap_or_else(|| self.depth_for(at.now)).max(1);
        let (found, depth) = match winning_step(at.now) {
            Some(cell) => (ClassicResult { mv: cell.into(), value: WIN - 1.0 }, 1),
            None => (self.search(at.now, depth, &mut budget).expect("the game is not over"), depth),
        };
        let score = Some(found.value).filter(|value| !value.is_nan()).map(score);
        let depth = if score.is_some() { depth } else { 0 };
        let info = budget.found(vec![found.mv], score, depth);
        (control.report)(&info);
        info.choice()
    }
}

/// Scores are the original's values.
pub(super) const SCALE: ScoreUnit =
    ScoreUnit { unit: "", one: 10_000, decimals: 4, odds: None, bias: 0.0, has_bounds: false };

/// The value as the report carries it: ten-thousandths, wins and losses as everywhere.
#[expect(clippy::cast_possible_truncation, reason = "values lie between -1000 and 1000")]
fn score(value: f64) -> i32 {
    match value {
        value if value > WIN / 2.0 => ai::WIN - (WIN - value) as i32,
        value if value < -WIN / 2.0 => (value + WIN) as i32 - ai::WIN,
        value => (value * f64::from(SCALE.one)).round() as i32,
    }
}
