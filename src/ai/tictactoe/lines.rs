//! Stones of either side on every line: counts that follow the game move by move, and the value of a position by
//! them. Knows the rules; an estimate, no proof.

use crate::ai::{Eval, MATE_BOUND, WIN, most_by};
use crate::game::{BySide, Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells};

/// Reports whether a mask has exactly one cell.
pub(crate) fn is_single(mask: u128) -> bool {
    mask.is_power_of_two()
}

/// The stones of both sides on every line of a board. A line is open for a side while it holds no stone of the other.
#[derive(Clone, Debug)]
pub(crate) struct LineCounts {
    win_length: u8,
    /// The lines as masks, and by cell the indices of those that hold it.
    lines: Vec<u128>,
    through: Vec<Vec<u16>>,
    stones: BySide<u128>,
    /// By line: First's stones in the upper four bits, Second's in the lower.
    counts: Vec<u8>,
    /// First's line score.
    score: i32,
}

/// One stone of a side in a count.
const STONE: BySide<u8> = BySide::new(16, 1);

/// 4^(stones of the side) if a line with this count is open for it, else 0.
fn worth(count: u8, side: Side) -> i32 {
    let (own, opp) = match side {
        Side::First => (count >> 4, count & 15),
        Side::Second => (count & 15, count >> 4),
    };
    if opp == 0 { 1 << (2 * own) } else { 0 }
}

/// Returns the amount that a line with this count adds to the line score of a side.
fn balance(count: u8, side: Side) -> i32 {
    worth(count, side) - worth(count, side.other())
}

impl LineCounts {
    /// The counts of a position.
    pub(crate) fn of(game: &TicTacToe) -> Self {
        let lines = game.lines().all().to_vec();
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
        counts.update(game);
        counts
    }

    /// Makes and takes back what lies between the last position and this one, which is on the same board.
    pub(crate) fn update(&mut self, game: &TicTacToe) {
        for side in Side::BOTH {
            let (before, now) = (self.stones[side], game.stones(side));
            cells(before & !now).for_each(|cell| self.unmake(side, cell));
            cells(now & !before).for_each(|cell| self.make(side, cell));
        }
    }

    /// Puts a stone of a side on an empty cell.
    pub(crate) fn make(&mut self, side: Side, cell: Cell) {
        self.stones[side] |= cell.bit();
        self.change(cell, |count| count + STONE[side]);
    }

    /// Takes a stone of a side from its cell.
    pub(crate) fn unmake(&mut self, side: Side, cell: Cell) {
        self.stones[side] &= !cell.bit();
        self.change(cell, |count| count - STONE[side]);
    }

    fn change(&mut self, cell: Cell, step: impl Fn(u8) -> u8) {
        for &index in &self.through[cell.index()] {
            let count = &mut self.counts[usize::from(index)];
            let before = std::mem::replace(count, step(*count));
            self.score += balance(*count, Side::First) - balance(before, Side::First);
        }
    }

    fn through(&self, cell: Cell) -> impl Iterator<Item = u8> {
        self.through[cell.index()].iter().map(|&index| self.counts[usize::from(index)])
    }

    /// The line score of a side: 4^(own stones) for every line open for it, less the same for the other side.
    pub(crate) fn score(&self, side: Side) -> i32 {
        if side == Side::First { self.score } else { -self.score }
    }

    /// The line score of a side after its stone on an empty cell.
    pub(crate) fn score_after(&self, side: Side, cell: Cell) -> i32 {
        let gain = |count| balance(count + STONE[side], side) - balance(count, side);
        self.score(side) + self.through(cell).map(gain).sum::<i32>()
    }

    /// Returns the rank of an empty cell: 2 * 4^(own stones) for every line through it that is open for the side, and
    /// 3 * 4^(their stones) for every line that is open for the other.
    pub(crate) fn rank(&self, side: Side, cell: Cell) -> i32 {
        self.through(cell).map(|count| 2 * worth(count, side) + 3 * worth(count, side.other())).sum()
    }

    /// The stones that a side lacks on its best open line; `None` if none is open for it.
    pub(crate) fn least_needed(&self, side: Side) -> Option<u8> {
        (1..=self.win_length).find(|&lacking| self.cells_of_lines(side, lacking) != 0)
    }

    /// The cells on which a side would complete a line, as a mask: the other side's must be met at once.
    pub(crate) fn completions(&self, side: Side) -> u128 {
        self.cells_of_lines(side, 1)
    }

    /// The empty cells of the lines open for a side that lack this number of its stones.
    pub(crate) fn cells_of_lines(&self, side: Side, lacking: u8) -> u128 {
        let wanted = STONE[side] * (self.win_length - lacking);
        if !self.counts.contains(&wanted) {
            return 0;
        }
        let wanted = self.lines.iter().zip(&self.counts).filter(|(_, count)| **count == wanted);
        wanted.fold(0, |mask, (line, _)| mask | line) & !(self.stones.first | self.stones.second)
    }
}

/// Returns the moves after which the mover's line score is highest.
pub(crate) fn best_by_line_count(game: &TicTacToe, moves: Vec<Cell>) -> Vec<Cell> {
    let counts = LineCounts::of(game);
    most_by(moves, |&cell| counts.score_after(game.to_move(), cell))
}

/// Judges positions by the line score.
#[derive(Clone, Debug)]
pub struct LineEval {
    leaf: LeafEvaluation,
    /// Counts of the last position looked at.
    counts: Option<LineCounts>,
}

/// Evaluation of a position at the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafEvaluation {
    /// By the line score alone.
    AsItIs,
    /// A line to complete now is a win, two to stop at once a loss.
    WithThreats,
}

impl LineEval {
    /// A judge of the positions of one board.
    #[must_use]
    pub fn new(leaf: LeafEvaluation) -> Self {
        LineEval { leaf, counts: None }
    }

    /// Reports whether forced moves are followed further and late ones less far: +59 [+6, +114] Elo on 9x9, five in a
    /// row. Where whole lines win there are too few threats for that.
    fn is_selective(&self, game: &TicTacToe) -> bool {
        self.leaf == LeafEvaluation::WithThreats && game.win_length() < game.size()
    }

    fn counts(&mut self, game: &TicTacToe) -> &LineCounts {
        let counts = self.counts.get_or_insert_with(|| LineCounts::of(game));
        counts.update(game);
        counts
    }
}

impl Eval<TicTacToe> for LineEval {
    fn value(&mut self, game: &TicTacToe) -> i32 {
        self.counts(game).score(game.to_move()).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    fn move_index_count(&self, game: &TicTacToe) -> usize {
        game.size() * game.size()
    }

    fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
        u16::from(cell.0)
    }

    fn rank(&mut self, game: &TicTacToe, cell: Cell) -> i32 {
        self.counts(game).rank(game.to_move(), cell)
    }

    fn bounds(&mut self, game: &TicTacToe) -> (i32, i32) {
        if self.leaf == LeafEvaluation::AsItIs {
            return (-WIN, WIN);
        }
        let counts = self.counts(game);
        if counts.completions(game.to_move()) != 0 {
            return (WIN - 1, WIN - 1);
        }
        let threats = counts.completions(game.to_move().other());
        if threats != 0 && !is_single(threats) { (2 - WIN, 2 - WIN) } else { (3 - WIN, WIN - 3) }
    }

    fn is_forced(&mut self, game: &TicTacToe) -> bool {
        self.is_selective(game) && self.counts(game).completions(game.to_move().other()) != 0
    }

    fn moves(&mut self, game: &TicTacToe, out: &mut Vec<Cell>) {
        let to_meet =
            if self.is_selective(game) { self.counts(game).completions(game.to_move().other()) } else { 0 };
        out.extend(cells(if to_meet == 0 { game.empty() } else { to_meet }));
    }

    fn reduction(&self, game: &TicTacToe, depth: u8, number: usize) -> u8 {
        match number {
            4.. if depth < 3 || !self.is_selective(game) => 0,
            0..4 => 0,
            4..12 => 1,
            _ => 2,
        }
    }
}
