//! Forced wins by a chain of threats: each move threatens to complete a line and forces the reply, until
//! one makes two threats at once. A win that is found is proved; finding none proves nothing.

use crate::ai::SearchBudget;
use crate::ai::tictactoe::lines::{LineCounts, has_single_cell};
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};

/// A forced win by a chain of threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// First moves of the shortest chains, in reading order.
    pub moves: Vec<Cell>,
    /// Number of plies to the completed line, counted from before the first move.
    pub plies: u32,
}

/// Returns the cells on which a side would complete a line, as a mask. A threat of the opponent must be
/// blocked at once.
#[must_use]
pub fn completing_cells(lines: &[u128], own: u128, opp: u128) -> u128 {
    let free_of = |line: &&u128| **line & opp == 0 && has_single_cell(**line & !own);
    lines.iter().filter(free_of).fold(0, |mask, line| mask | line & !own)
}

/// Finds the shortest chain of threats that wins for the side to move in a game in progress, searching at
/// most `positions` positions.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::tictactoe::threats::find_forced_win;
/// use crosspath::ai::{SearchControl, Limits, SearchBudget};
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// [0, 1, 6, 3].into_iter().for_each(|cell| game.make_move(Cell(cell))); // a1 b1 a3 a2
/// let stop = AtomicBool::new(false);
/// let mut budget = SearchBudget::start::<Cell>(&SearchControl::without_reports(Limits::default(), &stop));
/// let win = find_forced_win(&game, 1000, &mut budget).expect("b2 and c3 make two threats");
/// assert_eq!((win.moves, win.plies), (vec![Cell(4), Cell(8)], 3));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
pub fn find_forced_win(game: &TicTacToe, positions: u64, budget: &mut SearchBudget<'_>) -> Option<ForcedWin> {
    find_forced_win_for(&mut LineCounts::from_game(game), game.to_move(), positions, budget)
}

/// Finds a forced win like [`find_forced_win`], but for `attacker`, as if it were to move. The counts are
/// unchanged afterwards.
pub(crate) fn find_forced_win_for(
    counts: &mut LineCounts,
    attacker: Side,
    positions: u64,
    budget: &mut SearchBudget<'_>,
) -> Option<ForcedWin> {
    budget.with_sub_budget(positions, |part| {
        ThreatChainSearch { counts, attacker, budget: part, was_cut: false }.find_shortest_win()
    })
}

/// Search for a chain of threats. Between two threats the attacker is to move.
struct ThreatChainSearch<'a, 'b> {
    counts: &'a mut LineCounts,
    attacker: Side,
    budget: &'a mut SearchBudget<'b>,
    /// `true` if a chain was given up only because of its length.
    was_cut: bool,
}

impl ThreatChainSearch<'_, '_> {
    fn find_shortest_win(&mut self) -> Option<ForcedWin> {
        let now = self.counts.completing_cells(self.attacker);
        if now != 0 {
            return Some(ForcedWin { moves: cells_in_mask(now).collect(), plies: 1 });
        }
        for threats in 1.. {
            self.was_cut = false;
            let moves: Vec<Cell> = cells_in_mask(self.threat_making_cells())
                .filter(|&cell| self.wins_with_threat(cell, threats))
                .collect();
            if !moves.is_empty() {
                return Some(ForcedWin { moves, plies: 2 * threats + 1 });
            }
            if !self.was_cut || self.budget.is_spent() {
                return None;
            }
        }
        None
    }

    /// Returns the cells where a stone of the attacker makes a threat and leaves no threat of the opponent.
    fn threat_making_cells(&self) -> u128 {
        let makers = self.counts.cells_of_open_lines(self.attacker, 2);
        match self.counts.completing_cells(self.attacker.other()) {
            0 => makers,
            to_meet if has_single_cell(to_meet) => makers & to_meet,
            _ => 0,
        }
    }

    /// Reports whether the threat at `cell` wins with at most `threats` threats, including itself.
    fn wins_with_threat(&mut self, cell: Cell, threats: u32) -> bool {
        if !self.budget.count_node() {
            return false;
        }
        self.counts.place_stone(self.attacker, cell);
        let open = self.counts.completing_cells(self.attacker);
        debug_assert!(open != 0, "a threat that threatens nothing");
        let wins = if !has_single_cell(open) {
            true
        } else if threats == 1 {
            self.was_cut = true;
            false
        } else {
            let answer = Cell(u8::try_from(open.trailing_zeros()).expect("at most 128"));
            self.counts.place_stone(self.attacker.other(), answer);
            let wins = cells_in_mask(self.threat_making_cells())
                .any(|next| self.wins_with_threat(next, threats - 1));
            self.counts.remove_stone(self.attacker.other(), answer);
            wins
        };
        self.counts.remove_stone(self.attacker, cell);
        wins
    }
}
