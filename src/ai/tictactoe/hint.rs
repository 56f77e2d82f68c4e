//! The reasons for moves, and the exact values of the moves of small boards. Knows the rules and the proofs.

use std::sync::atomic::AtomicBool;

use crate::ai::tictactoe::certificate::is_certified;
use crate::ai::tictactoe::exact::{Bounds, Solver};
use crate::ai::tictactoe::lines::is_single;
use crate::ai::tictactoe::threats::{completions, forced_win};
use crate::ai::transposition::TranspositionTable;
use crate::ai::{Limits, Score, SearchBudget, SearchControl, Value};
use crate::game::{Game, View};
use crate::games::tictactoe::{Cell, TicTacToe};
use crate::text;
use crate::text::Text;

/// Returns the value of every legal move, in reading order; nothing on boards larger than 3x3.
///
/// ```
/// use crosspath::ai::tictactoe::hint::move_values;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// game.make(Cell(0));
/// let shown: Vec<String> = move_values(&game).iter().map(|(_, fate)| fate.to_string()).collect();
/// assert_eq!(shown.iter().filter(|fate| *fate == "draws").count(), 1, "only the centre holds a corner");
/// assert!(shown.contains(&"loses in 3".into()));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn move_values(game: &TicTacToe) -> Vec<(Cell, Value)> {
    move_values_until(game, &AtomicBool::new(false))
}

/// Returns the values as [`move_values`] does, without the moves that are not known when the flag is raised.
pub(super) fn move_values_until(game: &TicTacToe, stop: &AtomicBool) -> Vec<(Cell, Value)> {
    if game.size() > 3 {
        return Vec::new();
    }
    let mut budget = SearchBudget::start::<Cell>(&SearchControl::quiet(Limits::default(), stop));
    let mut solver = Solver::new(game, Bounds::Search, TranspositionTable::with_entries(1 << 12));
    let values = solver.moves(game, &mut budget).into_iter();
    values.filter_map(|(cell, score)| Some((cell, Score(score?).proved()))).collect()
}

/// Says what a legal move is good for: one short phrase to follow the move, without a full stop.
///
/// ```
/// use crosspath::ai::tictactoe::hint::reason;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// [0, 4, 1].into_iter().for_each(|cell| game.make(Cell(cell)));
/// assert_eq!(reason(&game, Cell(2)), "blocks row 1");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn reason(game: &TicTacToe, mv: Cell) -> Text {
    let side = game.to_move();
    let them = game.side_name(side.other());
    let (own, opp, lines) = (game.stones(side), game.stones(side.other()), game.lines());
    let (after, through) = (own | mv.bit(), lines.through(mv.index()));
    // 1. What everybody sees
    if let Some(&line) = through.iter().find(|&line| line & after == *line) {
        return text!("completes {}", game.line_name(line));
    }
    if let Some(&line) = through.iter().find(|&line| line & (opp | mv.bit()) == *line) {
        return text!("blocks {}", game.line_name(line));
    }
    // 2. Wins that take longer
    let is_open = completions(lines.all(), opp, after) == 0;
    let threats = completions(lines.all(), after, opp);
    if is_open && threats != 0 && !is_single(threats) {
        return "makes two threats".into();
    }
    if let Some(moves) = moves_to_win(game, mv) {
        return text!("wins in {moves} moves");
    }
    // 3. Dangers and hopes
    let their_threats = completions(lines.all(), opp | mv.bit(), own);
    if their_threats != 0 && !is_single(their_threats) {
        return text!("stops {them} from making two threats");
    }
    let threat = |line: &&u128| **line & opp == 0 && is_single(**line & !after);
    if let Some(&line) = through.iter().find(threat) {
        return text!("threatens to complete {}", game.line_name(line));
    }
    let open = through.iter().copied().filter(|line| line & opp == 0);
    let most = open.clone().max_by_key(|line| (line & own).count_ones());
    if let Some(line) = most.filter(|line| game.size() > 3 && line & own != 0) {
        return text!("adds to {}", game.line_name(line));
    }
    // 4. Safety
    let mut next = game.clone();
    next.make(mv);
    if next.outcome().is_none() && is_certified(&next, side) {
        return text!("leaves {them} no line to complete");
    }
    if move_values(game).contains(&(mv, Value::Draw)) {
        return "holds the draw".into();
    }
    // 5. Lines to come
    match most {
        Some(line) if line & own != 0 => text!("adds to {}", game.line_name(line)),
        Some(_) if open.clone().count() == 1 => "opens a line".into(),
        Some(_) => text!("opens {} lines", open.count()),
        None if through.iter().any(|line| line & own == 0) => text!("takes a line away from {them}"),
        None => "makes no difference".into(),
    }
}

/// Own moves to the win that begins with `mv`, if there is one that is found quickly.
fn moves_to_win(game: &TicTacToe, mv: Cell) -> Option<u32> {
    if let Some((_, Value::Win(plies))) = move_values(game).into_iter().find(|&(cell, _)| cell == mv) {
        return Some(plies.div_ceil(2));
    }
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Cell>(&SearchControl::quiet(Limits::default(), &stop));
    let win = forced_win(game, 5_000, &mut budget)?;
    win.moves.contains(&mv).then_some(win.plies.div_ceil(2))
}
