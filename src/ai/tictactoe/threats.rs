//! Wins by force: a chain of moves each of which threatens to complete a line, so that every answer is forced, until
//! one makes two threats at once. Knows the rules; what it finds is a proof, that it finds nothing proves nothing.

use crate::ai::SearchBudget;
use crate::ai::tictactoe::lines::{LineCounts, is_single};
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells};

/// A win that the other side cannot avert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// The moves that begin a chain of this length, in reading order.
    pub moves: Vec<Cell>,
    /// Plies from before the move to the completed line.
    pub plies: u32,
}

/// The cells on which a side would complete a line, as a mask: the other side's must be met at once.
#[must_use]
pub fn completions(lines: &[u128], own: u128, opp: u128) -> u128 {
    let free_of = |line: &&u128| **line & opp == 0 && is_single(**line & !own);
    lines.iter().filter(free_of).fold(0, |mask, line| mask | line & !own)
}

/// Looks for the shortest chain of threats that wins for the side to move in a running game; looks at no more than
/// `positions` positions.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::tictactoe::threats::forced_win;
/// use crosspath::ai::{SearchControl, Limits, SearchBudget};
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// [0, 1, 6, 3].into_iter().for_each(|cell| game.make(Cell(cell))); // a1 b1 a3 a2
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<Cell>(&SearchControl::quiet(Limits::default(), &stop));
/// let win = forced_win(&game, 1000, &mut budget).expect("b2 and c3 make two threats");
/// assert_eq!((win.moves, win.plies), (vec![Cell(4), Cell(8)], 3));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
pub fn forced_win(game: &TicTacToe, positions: u64, budget: &mut SearchBudget<'_>) -> Option<ForcedWin> {
    forced_win_of(&mut LineCounts::of(game), game.to_move(), positions, budget)
}

/// Finds a forced win as [`forced_win`] does for a side of a position, as if it were on move; the counts come back as
/// they were.
pub(crate) fn forced_win_of(
    counts: &mut LineCounts,
    attacker: Side,
    positions: u64,
    budget: &mut SearchBudget<'_>,
) -> Option<ForcedWin> {
    budget.part(positions, |part| Chain { counts, attacker, budget: part, was_cut: false }.shortest())
}

/// The search. Between two threats the attacker is on move.
struct Chain<'a, 'b> {
    counts: &'a mut LineCounts,
    attacker: Side,
    budget: &'a mut SearchBudget<'b>,
    /// `true` if a chain was given up only because it was too long.
    was_cut: bool,
}

impl Chain<'_, '_> {
    fn shortest(&mut self) -> Option<ForcedWin> {
        let now = self.counts.completions(self.attacker);
        if now != 0 {
            return Some(ForcedWin { moves: cells(now).collect(), plies: 1 });
        }
        for threats in 1.. {
            self.was_cut = false;
            let moves: Vec<Cell> =
                cells(self.makers()).filter(|&cell| self.wins_with(cell, threats)).collect();
            if !moves.is_empty() {
                return Some(ForcedWin { moves, plies: 2 * threats + 1 });
            }
            if !self.was_cut || self.budget.is_spent() {
                return None;
            }
        }
        None
    }

    /// The cells on which the attacker makes a threat and leaves none of the opponent's open.
    fn makers(&self) -> u128 {
        let makers = self.counts.cells_of_lines(self.attacker, 2);
        match self.counts.completions(self.attacker.other()) {
            0 => makers,
            to_meet if is_single(to_meet) => makers & to_meet,
            _ => 0,
        }
    }

    /// Reports whether the threat at `cell` wins with at most `threats` threats, itself included.
    fn wins_with(&mut self, cell: Cell, threats: u32) -> bool {
        if !self.budget.tick() {
            return false;
        }
        self.counts.make(self.attacker, cell);
        let open = self.counts.completions(self.attacker);
        debug_assert!(open != 0, "a threat that threatens nothing");
        let wins = if !is_single(open) {
            true
        } else if threats == 1 {
            self.was_cut = true;
            false
        } else {
            let answer = Cell(u8::try_from(open.trailing_zeros()).expect("at most 128"));
            self.counts.make(self.attacker.other(), answer);
            let wins = cells(self.makers()).any(|next| self.wins_with(next, threats - 1));
            self.counts.unmake(self.attacker.other(), answer);
            wins
        };
        self.counts.unmake(self.attacker, cell);
        wins
    }
}
