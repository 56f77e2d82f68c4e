//! Incremental counts of both sides' stones on every line, and a static evaluation by those counts.

use crate::ai::{Eval, MATE_BOUND, WIN_VALUE, all_with_max_key};
use crate::game::{BySide, Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};

/// Reports whether a mask has exactly one cell.
pub(crate) fn has_single_cell(mask: u128) -> bool {
    mask.is_power_of_two()
}

/// Number of stones of both sides on every line of a board. A line is open for a side while it holds no
/// stone of the other.
#[derive(Clone, Debug)]
pub(crate) struct LineCounts {
    win_length: u8,
    /// Cells of each line, as a mask.
    lines: Vec<u128>,
    /// Indices of the lines through each cell.
    through: Vec<Vec<u16>>,
    stones: BySide<u128>,
    /// Counts by line: First's stones in the upper four bits, Second's in the lower.
    counts: Vec<u8>,
    /// Line score of First.
    score: i32,
}

/// Amount that one stone of each side adds to a line's count.
const COUNT_PER_STONE: BySide<u8> = BySide::new(16, 1);

/// Returns 4^(stones of the side) if a line with this count is open for it, else 0.
fn open_line_score(count: u8, side: Side) -> i32 {
    let (own, opp) = match side {
        Side::First => (count >> 4, count & 15),
        Side::Second => (count & 15, count >> 4),
    };
    if opp == 0 { 1 << (2 * own) } else { 0 }
}

/// Returns the contribution of a line with this count to the line score of a side.
fn line_score_balance(count: u8, side: Side) -> i32 {
    open_line_score(count, side) - open_line_score(count, side.other())
}

impl LineCounts {
    /// Counts the stones of a position.
    pub(crate) fn from_game(game: &TicTacToe) -> Self {
        let lines = game.winning_lines().masks().to_vec();
        let through = |cell: usize| (0..).zip(&lines).filter(move |(_, line)| *line >> cell & 1 == 1);
        let cells = 0..game.size() * game.size();
        let mut counts = LineCounts {
            win_length: u8::try_from(game.win_length()).expect("at most 10"),
            through: cells.map(|cell| through(cell).map(|(index, _)| index).collect()).collect(),
            stones: BySide::new(0, 0),
            counts: vec![0; lines.len()],
            score: 0,
            lines,
        };
        counts.update_to(game);
        counts
    }

    /// Updates the counts to a position on the same board by placing and removing stones.
    pub(crate) fn update_to(&mut self, game: &TicTacToe) {
        for side in Side::BOTH {
            let (before, now) = (self.stones[side], game.stones(side));
            cells_in_mask(before & !now).for_each(|cell| self.remove_stone(side, cell));
            cells_in_mask(now & !before).for_each(|cell| self.place_stone(side, cell));
        }
    }

    /// Places a stone of a side on an empty cell.
    pub(crate) fn place_stone(&mut self, side: Side, cell: Cell) {
        self.stones[side] |= cell.bit();
        self.update_counts_at(cell, |count| count + COUNT_PER_STONE[side]);
    }

    /// Removes a stone of a side from its cell.
    pub(crate) fn remove_stone(&mut self, side: Side, cell: Cell) {
        self.stones[side] &= !cell.bit();
        self.update_counts_at(cell, |count| count - COUNT_PER_STONE[side]);
    }

    fn update_counts_at(&mut self, cell: Cell, step: impl Fn(u8) -> u8) {
        for &index in &self.through[cell.index()] {
            let count = &mut self.counts[usize::from(index)];
            let before = std::mem::replace(count, step(*count));
            self.score += line_score_balance(*count, Side::First) - line_score_balance(before, Side::First);
        }
    }

    fn counts_through(&self, cell: Cell) -> impl Iterator<Item = u8> {
        self.through[cell.index()].iter().map(|&index| self.counts[usize::from(index)])
    }

    /// Returns the line score of a side: the sum of 4^(own stones) over its open lines, minus that sum for
    /// the other side.
    pub(crate) fn line_score(&self, side: Side) -> i32 {
        if side == Side::First { self.score } else { -self.score }
    }

    /// Returns the line score of a side after it places a stone on an empty cell.
    pub(crate) fn line_score_after(&self, side: Side, cell: Cell) -> i32 {
        let gain =
            |count| line_score_balance(count + COUNT_PER_STONE[side], side) - line_score_balance(count, side);
        self.line_score(side) + self.counts_through(cell).map(gain).sum::<i32>()
    }

    /// Returns the rank of an empty cell for a side.
    ///
    /// It is the sum of 2 * 4^(own stones) over the lines through the cell that are open for the side, and of
    /// 3 * 4^(opposing stones) over those open for the opponent.
    pub(crate) fn rank_cell(&self, side: Side, cell: Cell) -> i32 {
        self.counts_through(cell)
            .map(|count| 2 * open_line_score(count, side) + 3 * open_line_score(count, side.other()))
            .sum()
    }

    /// Returns the number of stones that a side needs to complete its best open line; `None` if it has no
    /// open line.
    pub(crate) fn min_stones_needed(&self, side: Side) -> Option<u8> {
        (1..=self.win_length).find(|&lacking| self.cells_of_open_lines(side, lacking) != 0)
    }

    /// Returns the cells on which a side would complete a line, as a mask. A threat of the opponent must be
    /// blocked at once.
    pub(crate) fn completing_cells(&self, side: Side) -> u128 {
        self.cells_of_open_lines(side, 1)
    }

    /// Returns the empty cells of a side's open lines that lack exactly `lacking` stones, as a mask.
    pub(crate) fn cells_of_open_lines(&self, side: Side, lacking: u8) -> u128 {
        let wanted = COUNT_PER_STONE[side] * (self.win_length - lacking);
        if !self.counts.contains(&wanted) {
            return 0;
        }
        let wanted = self.lines.iter().zip(&self.counts).filter(|(_, count)| **count == wanted);
        wanted.fold(0, |mask, (line, _)| mask | line) & !(self.stones.first | self.stones.second)
    }
}

/// Returns the moves that give the mover the highest line score.
pub(crate) fn moves_with_best_line_score(game: &TicTacToe, moves: Vec<Cell>) -> Vec<Cell> {
    let counts = LineCounts::from_game(game);
    all_with_max_key(moves, |&cell| counts.line_score_after(game.to_move(), cell))
}

/// Static evaluation by the line score.
#[derive(Clone, Debug)]
pub struct LineEval {
    leaf: LeafEvaluation,
    /// Counts of the last evaluated position.
    counts: Option<LineCounts>,
}

/// Evaluation of leaf positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafEvaluation {
    /// Evaluation by the line score alone.
    AsItIs,
    /// Evaluation that counts a line to complete now as a win, and two opposing threats as a loss.
    WithThreats,
}

impl LineEval {
    /// Creates an evaluation for the positions of one board.
    #[must_use]
    pub fn new(leaf: LeafEvaluation) -> Self {
        LineEval { leaf, counts: None }
    }

    /// Reports whether the search extends forced moves and reduces late ones: +59 [+6, +114] Elo on 9x9 with
    /// five in a row. On boards where a line spans the whole board there are too few threats.
    fn is_selective(&self, game: &TicTacToe) -> bool {
        self.leaf == LeafEvaluation::WithThreats && game.win_length() < game.size()
    }

    fn updated_counts(&mut self, game: &TicTacToe) -> &LineCounts {
        let counts = self.counts.get_or_insert_with(|| LineCounts::from_game(game));
        counts.update_to(game);
        counts
    }
}

impl Eval<TicTacToe> for LineEval {
    fn value(&mut self, game: &TicTacToe) -> i32 {
        self.updated_counts(game).line_score(game.to_move()).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    fn move_index_count(&self, game: &TicTacToe) -> usize {
        game.size() * game.size()
    }

    fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
        u16::from(cell.0)
    }

    fn rank_move(&mut self, game: &TicTacToe, cell: Cell) -> i32 {
        self.updated_counts(game).rank_cell(game.to_move(), cell)
    }

    fn proved_bounds(&mut self, game: &TicTacToe) -> (i32, i32) {
        if self.leaf == LeafEvaluation::AsItIs {
            return (-WIN_VALUE, WIN_VALUE);
        }
        let counts = self.updated_counts(game);
        if counts.completing_cells(game.to_move()) != 0 {
            return (WIN_VALUE - 1, WIN_VALUE - 1);
        }
        let threats = counts.completing_cells(game.to_move().other());
        if threats != 0 && !has_single_cell(threats) {
            (2 - WIN_VALUE, 2 - WIN_VALUE)
        } else {
            (3 - WIN_VALUE, WIN_VALUE - 3)
        }
    }

    fn has_forced_move(&mut self, game: &TicTacToe) -> bool {
        self.is_selective(game) && self.updated_counts(game).completing_cells(game.to_move().other()) != 0
    }

    fn push_search_moves(&mut self, game: &TicTacToe, out: &mut Vec<Cell>) {
        let to_meet = if self.is_selective(game) {
            self.updated_counts(game).completing_cells(game.to_move().other())
        } else {
            0
        };
        out.extend(cells_in_mask(if to_meet == 0 { game.empty_cells() } else { to_meet }));
    }

    fn depth_reduction(&self, game: &TicTacToe, depth: u8, number: usize) -> u8 {
        match number {
            4.. if depth < 3 || !self.is_selective(game) => 0,
            0..4 => 0,
            4..12 => 1,
            _ => 2,
        }
    }
}
