//! Level 4: looks some plies ahead at the cells where paths meet, and judges by both sides' distances. Knows the rules
//! and networks.

use rand::RngExt;

use crate::ai::hex::path_overlap::Block;
use crate::ai::hex::{among, last_stone};
use crate::ai::{Candidates, Limits, MATE_BOUND, MoveTask, SearchBudget, Strategy, WIN, after_move};
use crate::game::{Game, Outcome};
use crate::games::hex::{Cell, Hex, Move};

/// Cells looked at now, and at every later ply: 143 of 200 games on 11x11 won against level 3; at 8 and 6 cells 67 of
/// 100, at 40 and 30 cells 129 of 200.
const WIDTH: usize = 20;
const LATER_WIDTH: usize = 15;
/// Values of a stone of the distance, and of a doubling of the number of shortest paths. In the same match a fifth of a
/// stone wins 145 of 200 games, three tenths 151, four tenths 86, six tenths (a narrower search) 5.
pub(crate) const STONE: i32 = 100;
const DOUBLING: i32 = 30;
/// Value of having the move: in 150 games of this level with itself on 11x11 the values of two positions in a
/// row differ by 119 on average, and what became of the games says 60, too.
const TEMPO: i32 = 60;
/// Plies looked ahead where no limits are given.
const DEPTH: u32 = 2;
/// Deeper than any search gets.
const DEEPEST: u32 = 64;

#[derive(Debug, Default)]
pub(crate) struct FixedDepth {
    block: Block,
    /// The cells of all nodes on the way from the root.
    stack: Vec<Cell>,
}

impl FixedDepth {
    /// The mover's judgement of a position.
    fn evaluate(&mut self, game: &Hex) -> i32 {
        let looked = self.block.analyze(game);
        let worth = |(distance, paths): (u16, u64)| {
            let doublings = i32::try_from(paths.saturating_add(1).ilog2()).expect("at most 64");
            DOUBLING * doublings - STONE * i32::from(distance.min(99))
        };
        let side = game.to_move();
        TEMPO + worth(looked[side]) - worth(looked[side.other()])
    }

    /// The mover's value of a position `ply` plies below the root, after a stone on `last`: exact inside the window,
    /// worthless when the budget is spent.
    fn value(
        &mut self,
        game: &mut Hex,
        last: Cell,
        plies: (u32, u32),
        window: (i32, i32),
        budget: &mut SearchBudget<'_>,
    ) -> i32 {
        let ((depth, ply), (mut alpha, beta)) = (plies, window);
        if !budget.tick() {
            return 0;
        }
        if let Some(Outcome::Win(_)) = game.outcome() {
            return ply.cast_signed() - WIN; // Only the side that has just moved can have won.
        }
        if depth == 0 {
            return self.evaluate(game);
        }
        let base = self.stack.len();
        self.block.promising(game, Some(last), LATER_WIDTH, &mut self.stack);
        let mut best = -WIN;
        for i in base..self.stack.len() {
            let cell = self.stack[i];
            let look =
                |game: &mut Hex| -self.value(game, cell, (depth - 1, ply + 1), (-beta, -alpha), budget);
            let value = after_move(game, cell.into(), look);
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

    /// Looks `depth` plies ahead and puts the best cell in front; of equal ones the one in front stays there. `None` if
    /// the budget was spent first.
    fn iterate(
        &mut self,
        game: &mut Hex,
        cells: &mut [Cell],
        depth: u32,
        budget: &mut SearchBudget<'_>,
    ) -> Option<i32> {
        let mut best = -WIN - 1;
        for i in 0..cells.len() {
            let cell = cells[i];
            let look =
                |game: &mut Hex| -self.value(game, cell, (depth - 1, 1), (-WIN, -best.max(-WIN)), budget);
            let value = after_move(game, cell.into(), look);
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

impl Strategy<Hex> for FixedDepth {
    fn think(&mut self, task: &mut MoveTask<'_, Hex>) -> Candidates<Move> {
        let MoveTask { at, generator, control, budget } = task;
        let limits = control.limits.or(Limits { depth: Some(DEPTH), ..Limits::default() });
        let mut cells = Vec::new();
        self.block.promising(at.now, last_stone(at), WIDTH, &mut cells);
        // The first of equals is played, so chance puts them in order.
        for i in (1..cells.len()).rev() {
            cells.swap(i, generator.random_range(0..=i));
        }
        let mut game = at.now.clone();
        let mut thought = among(vec![cells[0]]);
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
            let score = self.iterate(&mut game, &mut cells, depth, budget);
            self.stack.clear();
            let found = score.or(thought.score);
            let depth = if score.is_some() { depth } else { thought.depth };
            thought = Candidates::line(vec![cells[0].into()], found, depth);
            if score.is_none_or(|score| score.abs() > MATE_BOUND) || cells.len() == 1 {
                break;
            }
            (control.report)(&budget.found(vec![cells[0].into()], found, depth));
        }
        thought
    }
}
