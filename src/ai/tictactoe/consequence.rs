//! Explanations of mistakes in tic-tac-toe by lines to complete, forks, chains of threats and pairing
//! strategies.

use std::sync::atomic::AtomicBool;

use crate::ai::tictactoe::certificate::{find_pairing_strategy, has_pairing_strategy};
use crate::ai::tictactoe::hint::exact_move_values;
use crate::ai::tictactoe::lines::has_single_cell;
use crate::ai::tictactoe::threats::{ForcedWin, completing_cells, find_forced_win};
use crate::ai::{Limits, MistakeConsequence, ScoreMeaning, SearchBudget, SearchControl};
use crate::game::{Game, Notation, PositionDescription};
use crate::games::tictactoe::{Cell, TicTacToe, cells_in_mask};
use crate::text;
use crate::text::{SideName, Text, mark_move};

/// Node limit of the search for a chain of threats.
const MAX_THREAT_CHAIN_NODES: u64 = 5_000;

/// Explains what a legal move gives away compared with a better one: a line, a fork, a chain of threats or
/// a pairing strategy. `wording` selects one of two wordings.
///
/// ```
/// use crosspath::ai::tictactoe::consequence::explain_mistake;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// [0, 4, 1].into_iter().for_each(|cell| game.make_move(Cell(cell))); // a1 b2 b1
/// let found = explain_mistake(&game, [Cell(8), Cell(2)], 0).expect("c1 stops the row");
/// assert_eq!(found.text.as_str(), "After c3 X completes row 1 with c1.");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn explain_mistake(
    game: &TicTacToe,
    moves: [Cell; 2],
    wording: usize,
) -> Option<MistakeConsequence<Cell>> {
    let [played, better] = moves;
    let me = game.to_move();
    let [own, opp] = [me, me.other()].map(|side| game.stones(side));
    let is_first = wording.is_multiple_of(2);
    let pair = MovePair { game, played, better, own, opp, is_first };
    if played == better || pair.position_after(played).is_none() {
        return None;
    }
    pair.explain_line()
        .or_else(|| pair.explain_fork())
        .or_else(|| pair.explain_threat_chain())
        .or_else(|| pair.explain_pairing())
        .or_else(|| pair.explain_win())
}

/// A position with the played move, a better one, and the stones of both sides.
struct MovePair<'a> {
    game: &'a TicTacToe,
    played: Cell,
    better: Cell,
    /// Stones of the mover.
    own: u128,
    /// Stones of the opponent.
    opp: u128,
    /// `true` for the first of two wordings.
    is_first: bool,
}

impl MovePair<'_> {
    /// Explains a line that the better move completes, or one that only the played move lets the opponent
    /// complete.
    fn explain_line(&self) -> Option<MistakeConsequence<Cell>> {
        let &MovePair { game, played, better, own, opp, is_first } = self;
        let [it, instead] = self.move_names();
        if let Some(line) = line_completed_at(game, own, better) {
            let line = game.describe_line(line);
            return Some(MistakeConsequence::from_text(if is_first {
                text!("{it} misses a win: {instead} completes {line}.")
            } else {
                text!("{instead} wins at once: it completes {line}.")
            }));
        }
        let open = |own| completing_cells(game.winning_lines().masks(), opp, own);
        let cell =
            cells_in_mask(open(own | played.bit())).next().filter(|_| open(own | better.bit()) == 0)?;
        let (them, answer) = (self.opponent_name(), self.reply_name(cell));
        let line = game.describe_line(line_completed_at(game, opp, cell)?);
        let text = if is_first {
            text!("After {it} {them} completes {line} with {answer}.")
        } else {
            text!("{it} lets {them} complete {line} with {answer}.")
        };
        Some(self.with_marks(text, vec![(cell, 'w')], text!("w completes {line}")))
    }

    /// Explains a fork that only the played move allows, or one that it misses.
    fn explain_fork(&self) -> Option<MistakeConsequence<Cell>> {
        let &MovePair { game, played, better, own, opp, is_first } = self;
        let [it, instead] = self.move_names();
        let theirs = |own: u128| {
            // A side that can complete a line needs no fork.
            let has_line = completing_cells(game.winning_lines().masks(), opp, own) != 0;
            let mut empty = cells_in_mask(if has_line { 0 } else { game.empty_cells() & !own });
            empty.find_map(|cell| Some((cell, find_fork_at(game, [opp, own], cell)?)))
        };
        let allowed = theirs(own | played.bit()).filter(|_| theirs(own | better.bit()).is_none());
        let (mut marks, ends, text) = if let Some((cell, ends)) = allowed {
            let (them, answer, lines) =
                (self.opponent_name(), self.reply_name(cell), join_line_names(game, ends));
            let text = if is_first {
                text!("After {it} {them} makes two threats at once with {answer}: {lines}.")
            } else {
                text!("{it} lets {them} fork with {answer}, which threatens {lines}.")
            };
            (vec![(cell, 'w')], ends, text)
        } else {
            let ends = find_fork_at(game, [own, opp], better)?;
            let lines = join_line_names(game, ends);
            let text = if is_first {
                text!("{instead} makes two threats at once: {lines}.")
            } else {
                text!("{it} misses a fork: {instead} threatens {lines}.")
            };
            (Vec::new(), ends, text)
        };
        let has_move = !marks.is_empty();
        marks.extend(ends.map(|(_, end)| (end, '=')));
        let legend = if has_move { "w forks  = wins" } else { "= wins" };
        Some(self.with_marks(text, marks, legend.into()))
    }

    /// Explains a win by threats that only the played move allows, or one that it misses.
    fn explain_threat_chain(&self) -> Option<MistakeConsequence<Cell>> {
        let &MovePair { game, played, better, is_first, .. } = self;
        let [it, instead] = self.move_names();
        if let (Some(win), None) = (self.opponent_win_after(played), self.opponent_win_after(better)) {
            let (cell, count) = (*win.moves.first()?, win.plies.div_ceil(2));
            let (them, answer) = (self.opponent_name(), self.reply_name(cell));
            let text = if is_first {
                text!("After {it} {them} wins in {count} moves by threats, beginning with {answer}.")
            } else {
                text!("{it} lets {them} win in {count} moves by threats: {answer} comes first.")
            };
            return Some(self.with_marks(text, vec![(cell, 'w')], "w makes the first threat".into()));
        }
        let win = find_quick_forced_win(game)
            .filter(|win| win.moves.contains(&better) && !win.moves.contains(&played))?;
        let count = win.plies.div_ceil(2);
        Some(MistakeConsequence::from_text(if is_first {
            text!("{it} misses a win by threats in {count} moves, beginning with {instead}.")
        } else {
            text!("{instead} wins in {count} moves by threats.")
        }))
    }

    /// Explains a pairing strategy that only the better move has.
    fn explain_pairing(&self) -> Option<MistakeConsequence<Cell>> {
        let me = self.game.to_move();
        let [lost, kept] = [self.played, self.better].map(|cell| self.position_after(cell));
        let strategy = find_pairing_strategy(&kept?, me).filter(|strategy| !strategy.pairs().is_empty())?;
        if lost.is_none_or(|lost| has_pairing_strategy(&lost, me)) {
            return None;
        }
        let ([_, instead], name, them) = (self.move_names(), self.game.side_name(me), self.opponent_name());
        let text = if self.is_first {
            text!(
                "{instead} holds the draw by pairs: {name} answers each move in a pair with its other cell."
            )
        } else {
            text!("After {instead} {name} has a pairing strategy, so that {them} can complete no line.")
        };
        Some(self.with_marks(text, strategy.pair_labels(), "same letter: a pair".into()))
    }

    /// Explains a win without threats that only the better move keeps or prevents, if all values are known.
    fn explain_win(&self) -> Option<MistakeConsequence<Cell>> {
        let [it, instead] = self.move_names();
        let values = exact_move_values(self.game);
        let value = |wanted: Cell| values.iter().find(|(cell, _)| *cell == wanted).map(|&(_, value)| value);
        let text = match (value(self.played)?, value(self.better)?, self.is_first) {
            (ScoreMeaning::Win(_), ScoreMeaning::Win(_), _)
            | (ScoreMeaning::Loss(_), ScoreMeaning::Loss(_), _) => return None,
            (_, ScoreMeaning::Win(plies), true) => {
                text!("{it} misses a win in {} moves, beginning with {instead}.", plies.div_ceil(2))
            }
            (_, ScoreMeaning::Win(plies), false) => {
                text!("{instead} wins in {} moves, whatever the reply.", plies.div_ceil(2))
            }
            (ScoreMeaning::Loss(plies), _, true) => {
                text!("After {it} {} wins in {} moves, whatever the reply.", self.opponent_name(), plies / 2)
            }
            (ScoreMeaning::Loss(plies), _, false) => {
                text!("{it} lets {} win in {} moves, whatever the reply.", self.opponent_name(), plies / 2)
            }
            _ => return None,
        };
        Some(MistakeConsequence::from_text(text))
    }

    /// Returns the opponent's forced win by threats after a move of the mover, if one is found.
    fn opponent_win_after(&self, cell: Cell) -> Option<ForcedWin> {
        self.position_after(cell).as_ref().and_then(find_quick_forced_win)
    }

    /// Returns the position after a move of the mover; `None` if the game is over.
    fn position_after(&self, cell: Cell) -> Option<TicTacToe> {
        let mut after = self.game.clone();
        after.make_move(cell);
        after.outcome().is_none().then_some(after)
    }

    /// Returns the played move and the better one as they appear in sentences.
    fn move_names(&self) -> [Text; 2] {
        let me = self.game.to_move();
        [self.played, self.better].map(|cell| text!("{}", mark_move(Some(me), self.game.format_move(cell))))
    }

    fn opponent_name(&self) -> SideName {
        self.game.side_name(self.game.to_move().other())
    }

    /// Returns a move of the opponent as it appears in sentences.
    fn reply_name(&self, cell: Cell) -> Text {
        text!("{}", mark_move(Some(self.game.to_move().other()), self.game.format_move(cell)))
    }

    /// Creates a consequence with marks, except on the better move, which is marked elsewhere.
    fn with_marks(&self, text: Text, mut marks: Vec<(Cell, char)>, legend: Text) -> MistakeConsequence<Cell> {
        marks.retain(|(cell, _)| *cell != self.better);
        let legend = if marks.is_empty() { Text::new() } else { legend };
        MistakeConsequence { text, marks, legend }
    }
}

/// Returns a line that a stone on an empty cell completes for the side with the stones `own`.
fn line_completed_at(game: &TicTacToe, own: u128, cell: Cell) -> Option<u128> {
    let through = game.winning_lines().masks_through(cell.index());
    through.iter().copied().find(|line| line & !(own | cell.bit()) == 0)
}

/// Returns two lines through a cell that `own` threatens to complete after a stone there, each with its
/// last empty cell. Returns `None` if the other side can complete a line.
fn find_fork_at(game: &TicTacToe, [own, opp]: [u128; 2], cell: Cell) -> Option<[(u128, Cell); 2]> {
    let after = own | cell.bit();
    if completing_cells(game.winning_lines().masks(), opp, after) != 0 {
        return None;
    }
    let through = game.winning_lines().masks_through(cell.index()).iter().copied();
    let mut threats = through.filter(|line| line & opp == 0 && has_single_cell(line & !after));
    let with_end = |line: u128| Some((line, cells_in_mask(line & !after).next()?));
    let first = with_end(threats.next()?)?;
    let second = threats.filter_map(with_end).find(|(_, end)| *end != first.1)?;
    Some([first, second])
}

/// Joins the names of two lines with "and".
fn join_line_names(game: &TicTacToe, ends: [(u128, Cell); 2]) -> String {
    let [one, other] = ends.map(|(line, _)| game.describe_line(line));
    format!("{one} and {other}")
}

/// Returns a forced win by threats of the side to move, if one is found quickly.
fn find_quick_forced_win(game: &TicTacToe) -> Option<ForcedWin> {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Cell>(&SearchControl::without_reports(Limits::default(), &stop));
    find_forced_win(game, MAX_THREAT_CHAIN_NODES, &mut budget)
}
