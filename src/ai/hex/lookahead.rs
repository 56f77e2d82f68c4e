//! Level `lookahead`: a shallow alpha-beta search of the cells where both sides' paths meet, evaluated by
//! path lengths. This module depends on the rules and the path graphs.

use rand::RngExt;

use crate::ai::hex::path_overlap::PathBlocker;
use crate::ai::hex::{last_stone_cell, place_candidates};
use crate::ai::{
    Limits, MATE_BOUND, MoveTask, SearchBudget, Strategy, StrategyResult, WIN_VALUE, with_move_made,
};
use crate::game::{Game, Outcome};
use crate::games::hex::{Cell, Hex, Move};

/// Number of moves searched at the root.
///
/// In games on 11x11 against level 3, 20 moves at the root and 15 below it won 143 of 200, 8 and 6 moves 67
/// of 100, 40 and 30 moves 129 of 200.
const ROOT_MOVE_COUNT: usize = 20;
/// Number of moves searched at every node below the root.
const INTERIOR_MOVE_COUNT: usize = 15;
/// Value of one stone of distance.
pub(crate) const STONE_VALUE: i32 = 100;
/// Value of a doubling of the number of shortest paths.
///
/// In games on 11x11 against level 3, a doubling worth a fifth of a stone won 145 of 200, three tenths 151,
/// four tenths 86, six tenths (with a narrower search) 5.
const PATH_DOUBLING_VALUE: i32 = 30;
/// Value of having the move. In 150 games of this level against itself on 11x11 the values of consecutive
/// positions differ by 119 on average, and fitting the game results also gives 60.
const TEMPO_VALUE: i32 = 60;
/// Search depth in plies if no limits are set.
const DEFAULT_SEARCH_DEPTH: u32 = 2;
/// Depth limit in plies, more than any search reaches.
const MAX_SEARCH_DEPTH: u32 = 64;

/// Strategy of level `lookahead`: a shallow alpha-beta search.
#[derive(Debug, Default)]
pub(crate) struct PathLookahead {
    block: PathBlocker,
    /// Moves of all nodes on the current search path.
    stack: Vec<Cell>,
}

impl PathLookahead {
    /// Returns the static evaluation for the side to move.
    fn evaluate_statically(&mut self, game: &Hex) -> i32 {
        let looked = self.block.measure_paths(game);
        let worth = |(distance, paths): (u16, u64)| {
            let doublings = i32::try_from(paths.saturating_add(1).ilog2()).expect("at most 64");
            PATH_DOUBLING_VALUE * doublings - STONE_VALUE * i32::from(distance.min(99))
        };
        let side = game.to_move();
        TEMPO_VALUE + worth(looked[side]) - worth(looked[side.other()])
    }

    /// Returns the alpha-beta value, for the side to move, of a position `ply` plies below the root, after a
    /// stone on `last`. The value is meaningless once the budget is spent.
    fn search_value(
        &mut self,
        game: &mut Hex,
        last: Cell,
        plies: (u32, u32),
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        let ((depth, ply), (mut alpha, beta)) = (plies, window);
        if !budget.count_node() {
            return 0;
        }
        if let Some(Outcome::Win(_)) = game.outcome() {
            return ply.cast_signed() - WIN_VALUE; // Only the side that has just moved can have won.
        }
        if depth == 0 {
            return self.evaluate_statically(game);
        }
        let base = self.stack.len();
        self.block.append_promising_cells(game, Some(last), INTERIOR_MOVE_COUNT, &mut self.stack);
        let mut best = -WIN_VALUE;
        for i in base..self.stack.len() {
            let cell = self.stack[i];
            let look = |game: &mut Hex| {
                -self.search_value(game, cell, (depth - 1, ply + 1), (-beta, -alpha), budget)
            };
            let value = with_move_made(game, cell.into(), look);
            if budget.is_spent() {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        best
    }

    /// Searches the root `depth` plies deep and moves the best cell to the front. Among equal cells the
    /// earlier one stays first. Returns `None` if the budget is spent before the search ends.
    fn search_root(
        &mut self,
        game: &mut Hex,
        cells: &mut [Cell],
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let mut best = -WIN_VALUE - 1;
        for i in 0..cells.len() {
            let cell = cells[i];
            let look = |game: &mut Hex| {
                -self.search_value(game, cell, (depth - 1, 1), (-WIN_VALUE, -best.max(-WIN_VALUE)), budget)
            };
            let value = with_move_made(game, cell.into(), look);
            if budget.is_spent() {
                return None;
            }
            if value > best {
                best = value;
                cells[..=i].rotate_right(1);
            }
        }
        Some(best)
    }
}

impl Strategy<Hex> for PathLookahead {
    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> StrategyResult<Move> {
        let MoveTask { at, generator, control, budget } = task;
        let limits =
            control.limits.or_if_unlimited(Limits { depth: Some(DEFAULT_SEARCH_DEPTH), ..Limits::default() });
        let mut cells = Vec::new();
        self.block.append_promising_cells(at.now, last_stone_cell(at), ROOT_MOVE_COUNT, &mut cells);
        // The first of equal moves is played, so shuffle them.
        for i in (1..cells.len()).rev() {
            cells.swap(i, generator.random_range(0..=i));
        }
        let mut game = at.now.clone();
        let mut thought = place_candidates(vec![cells[0]]);
        for depth in 1..=limits.depth.unwrap_or(MAX_SEARCH_DEPTH).clamp(1, MAX_SEARCH_DEPTH) {
            let score = self.search_root(&mut game, &mut cells, depth, budget);
            self.stack.clear();
            let found = score.or(thought.score);
            let depth = if score.is_some() { depth } else { thought.depth };
            thought = StrategyResult::from_line(vec![cells[0].into()], found, depth);
            if score.is_none_or(|score| score.abs() > MATE_BOUND) || cells.len() == 1 {
                break;
            }
            (control.report)(&budget.make_info(vec![cells[0].into()], found, depth));
        }
        thought
    }
}
