//! Reasons for moves, and exact values of moves on small boards.

use std::sync::atomic::AtomicBool;

use crate::ai::tictactoe::certificate::has_pairing_strategy;
use crate::ai::tictactoe::exact::{SolverMode, TicTacToeSolver};
use crate::ai::tictactoe::lines::has_single_cell;
use crate::ai::tictactoe::threats::{completing_cells, find_forced_win};
use crate::ai::transposition::TranspositionTable;
use crate::ai::{Limits, Score, ScoreMeaning, SearchBudget, SearchControl};
use crate::game::{Game, PositionDescription};
use crate::games::tictactoe::{Cell, TicTacToe};
use crate::text;
use crate::text::Text;

/// Returns the exact value of every legal move, in reading order; empty on boards larger than 3x3.
///
/// ```
/// use crosspath::ai::tictactoe::hint::exact_move_values;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// game.make_move(Cell(0));
/// let shown: Vec<String> = exact_move_values(&game).iter().map(|(_, fate)| fate.to_string()).collect();
/// assert_eq!(shown.iter().filter(|fate| *fate == "draws").count(), 1, "only the centre holds a corner");
/// assert!(shown.contains(&"loses in 3".into()));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn exact_move_values(game: &TicTacToe) -> Vec<(Cell, ScoreMeaning)> {
    exact_move_values_until(game, &AtomicBool::new(false))
}

/// Returns the values of [`exact_move_values`], without the moves whose value is not known when `stop` is
/// set.
pub(super) fn exact_move_values_until(game: &TicTacToe, stop: &AtomicBool) -> Vec<(Cell, ScoreMeaning)> {
    if game.size() > 3 {
        return Vec::new();
    }
    let mut budget = SearchBudget::start::<Cell>(&SearchControl::without_reports(Limits::default(), stop));
    let mut solver =
        TicTacToeSolver::new(game, SolverMode::Search, TranspositionTable::with_entries(1 << 12));
    let values = solver.solve_moves(game, &mut budget).into_iter();
    values.filter_map(|(cell, score)| Some((cell, Score(score?).proved_meaning()))).collect()
}

/// Explains the purpose of a legal move: a short phrase that follows the move, without a full stop.
///
/// ```
/// use crosspath::ai::tictactoe::hint::explain_move;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// [0, 4, 1].into_iter().for_each(|cell| game.make_move(Cell(cell)));
/// assert_eq!(explain_move(&game, Cell(2)), "blocks row 1");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn explain_move(game: &TicTacToe, mv: Cell) -> Text {
    let side = game.to_move();
    let them = game.side_name(side.other());
    let (own, opp, lines) = (game.stones(side), game.stones(side.other()), game.winning_lines());
    let (after, through) = (own | mv.bit(), lines.masks_through(mv.index()));
    // 1. Lines completed or blocked
    if let Some(&line) = through.iter().find(|&line| line & after == *line) {
        return text!("completes {}", game.describe_line(line));
    }
    if let Some(&line) = through.iter().find(|&line| line & (opp | mv.bit()) == *line) {
        return text!("blocks {}", game.describe_line(line));
    }
    // 2. Longer wins
    let is_open = completing_cells(lines.masks(), opp, after) == 0;
    let threats = completing_cells(lines.masks(), after, opp);
    if is_open && threats != 0 && !has_single_cell(threats) {
        return "makes two threats".into();
    }
    if let Some(moves) = count_moves_to_win(game, mv) {
        return text!("wins in {moves} moves");
    }
    // 3. Threats of both sides
    let their_threats = completing_cells(lines.masks(), opp | mv.bit(), own);
    if their_threats != 0 && !has_single_cell(their_threats) {
        return text!("stops {them} from making two threats");
    }
    let threat = |line: &&u128| **line & opp == 0 && has_single_cell(**line & !after);
    if let Some(&line) = through.iter().find(threat) {
        return text!("threatens to complete {}", game.describe_line(line));
    }
    let open = through.iter().copied().filter(|line| line & opp == 0);
    let most = open.clone().max_by_key(|line| (line & own).count_ones());
    if let Some(line) = most.filter(|line| game.size() > 3 && line & own != 0) {
        return text!("adds to {}", game.describe_line(line));
    }
    // 4. Safety
    let mut next = game.clone();
    next.make_move(mv);
    if next.outcome().is_none() && has_pairing_strategy(&next, side) {
        return text!("leaves {them} no line to complete");
    }
    if exact_move_values(game).contains(&(mv, ScoreMeaning::Draw)) {
        return "holds the draw".into();
    }
    // 5. Open lines
    match most {
        Some(line) if line & own != 0 => text!("adds to {}", game.describe_line(line)),
        Some(_) if open.clone().count() == 1 => "opens a line".into(),
        Some(_) => text!("opens {} lines", open.count()),
        None if through.iter().any(|line| line & own == 0) => text!("takes a line away from {them}"),
        None => "makes no difference".into(),
    }
}

/// Counts the mover's moves to the win that starts with `mv`, if one is found quickly.
fn count_moves_to_win(game: &TicTacToe, mv: Cell) -> Option<u32> {
    if let Some((_, ScoreMeaning::Win(plies))) =
        exact_move_values(game).into_iter().find(|&(cell, _)| cell == mv)
    {
        return Some(plies.div_ceil(2));
    }
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Cell>(&SearchControl::without_reports(Limits::default(), &stop));
    let win = find_forced_win(game, 5_000, &mut budget)?;
    win.moves.contains(&mv).then_some(win.plies.div_ceil(2))
}
