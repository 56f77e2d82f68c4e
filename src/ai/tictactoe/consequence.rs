//! Why a mistake in tic-tac-toe is one: lines to complete, forks, chains of threats and pairing strategies. Knows the rules
//! and the proofs.

use std::sync::atomic::AtomicBool;

use crate::ai::tictactoe::certificate::{certificate, is_certified};
use crate::ai::tictactoe::hint::move_values;
use crate::ai::tictactoe::lines::is_single;
use crate::ai::tictactoe::threats::{ForcedWin, completions, forced_win};
use crate::ai::{Consequence, Limits, SearchBudget, SearchControl, Value};
use crate::game::{Game, Notation, View};
use crate::games::tictactoe::{Cell, TicTacToe, cells};
use crate::text;
use crate::text::{SideName, Text, of_move};

/// The largest number of positions in which a chain of threats is looked for.
const MAX_POSITIONS: u64 = 5_000;

/// Says what a legal move gives away beside a better one: a line, a fork, a chain of threats or a pairing strategy. The
/// number chooses between two wordings.
///
/// ```
/// use crosspath::ai::tictactoe::consequence::consequence;
/// use crosspath::game::Game;
/// use crosspath::games::tictactoe::{Cell, TicTacToe};
/// let mut game = TicTacToe::new(3)?;
/// [0, 4, 1].into_iter().for_each(|cell| game.make(Cell(cell))); // a1 b2 b1
/// let found = consequence(&game, [Cell(8), Cell(2)], 0).expect("c1 stops the row");
/// assert_eq!(found.text.as_str(), "After c3 X completes row 1 with c1.");
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn consequence(game: &TicTacToe, moves: [Cell; 2], wording: usize) -> Option<Consequence<Cell>> {
    let [played, better] = moves;
    let me = game.to_move();
    let [own, opp] = [me, me.other()].map(|side| game.stones(side));
    let is_first = wording.is_multiple_of(2);
    let pair = Pair { game, played, better, own, opp, is_first };
    if played == better || pair.after(played).is_none() {
        return None;
    }
    pair.line()
        .or_else(|| pair.fork())
        .or_else(|| pair.chain())
        .or_else(|| pair.pairing())
        .or_else(|| pair.win())
}

/// A position with a move that was played, a better one, and the stones of both sides.
struct Pair<'a> {
    game: &'a TicTacToe,
    played: Cell,
    better: Cell,
    /// The mover's stones.
    own: u128,
    /// The opponent's stones.
    opp: u128,
    /// `true` if the first of two wordings is wanted.
    is_first: bool,
}

impl Pair<'_> {
    /// A line that the better move completes, or one that only the move played lets the opponent complete.
    fn line(&self) -> Option<Consequence<Cell>> {
        let &Pair { game, played, better, own, opp, is_first } = self;
        let [it, instead] = self.names();
        if let Some(line) = line_at(game, own, better) {
            let line = game.line_name(line);
            return Some(Consequence::of(if is_first {
                text!("{it} misses a win: {instead} completes {line}.")
            } else {
                text!("{instead} wins at once: it completes {line}.")
            }));
        }
        let open = |own| completions(game.lines().all(), opp, own);
        let cell = cells(open(own | played.bit())).next().filter(|_| open(own | better.bit()) == 0)?;
        let (them, answer) = (self.opponent_name(), self.reply(cell));
        let line = game.line_name(line_at(game, opp, cell)?);
        let text = if is_first {
            text!("After {it} {them} completes {line} with {answer}.")
        } else {
            text!("{it} lets {them} complete {line} with {answer}.")
        };
        Some(self.marked(text, vec![(cell, 'w')], text!("w completes {line}")))
    }

    /// A fork that only the move played allows, or one that it misses.
    fn fork(&self) -> Option<Consequence<Cell>> {
        let &Pair { game, played, better, own, opp, is_first } = self;
        let [it, instead] = self.names();
        let theirs = |own: u128| {
            // Who completes a line needs no fork.
            let has_line = completions(game.lines().all(), opp, own) != 0;
            let mut empty = cells(if has_line { 0 } else { game.empty() & !own });
            empty.find_map(|cell| Some((cell, fork_at(game, [opp, own], cell)?)))
        };
        let allowed = theirs(own | played.bit()).filter(|_| theirs(own | better.bit()).is_none());
        let (mut marks, ends, text) = if let Some((cell, ends)) = allowed {
            let (them, answer, lines) = (self.opponent_name(), self.reply(cell), lines(game, ends));
            let text = if is_first {
                text!("After {it} {them} makes two threats at once with {answer}: {lines}.")
            } else {
                text!("{it} lets {them} fork with {answer}, which threatens {lines}.")
            };
            (vec![(cell, 'w')], ends, text)
        } else {
            let ends = fork_at(game, [own, opp], better)?;
            let lines = lines(game, ends);
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
        Some(self.marked(text, marks, legend.into()))
    }

    /// A win by threats that only the move played allows, or one that it misses.
    fn chain(&self) -> Option<Consequence<Cell>> {
        let &Pair { game, played, better, is_first, .. } = self;
        let [it, instead] = self.names();
        if let (Some(win), None) = (self.win_after(played), self.win_after(better)) {
            let (cell, count) = (*win.moves.first()?, win.plies.div_ceil(2));
            let (them, answer) = (self.opponent_name(), self.reply(cell));
            let text = if is_first {
                text!("After {it} {them} wins in {count} moves by threats, beginning with {answer}.")
            } else {
                text!("{it} lets {them} win in {count} moves by threats: {answer} comes first.")
            };
            return Some(self.marked(text, vec![(cell, 'w')], "w makes the first threat".into()));
        }
        let win = forced(game).filter(|win| win.moves.contains(&better) && !win.moves.contains(&played))?;
        let count = win.plies.div_ceil(2);
        Some(Consequence::of(if is_first {
            text!("{it} misses a win by threats in {count} moves, beginning with {instead}.")
        } else {
            text!("{instead} wins in {count} moves by threats.")
        }))
    }

    /// A pairing strategy that only the better move has.
    fn pairing(&self) -> Option<Consequence<Cell>> {
        let me = self.game.to_move();
        let [lost, kept] = [self.played, self.better].map(|cell| self.after(cell));
        let strategy = certificate(&kept?, me).filter(|strategy| !strategy.pairs().is_empty())?;
        if lost.is_none_or(|lost| is_certified(&lost, me)) {
            return None;
        }
        let ([_, instead], name, them) = (self.names(), self.game.side_name(me), self.opponent_name());
        let text = if self.is_first {
            text!(
                "{instead} holds the draw by pairs: {name} answers each move in a pair with its other cell."
            )
        } else {
            text!("After {instead} {name} has a pairing strategy, so that {them} can complete no line.")
        };
        Some(self.marked(text, strategy.signs(), "same letter: a pair".into()))
    }

    /// A win without threats that only the better move keeps or prevents, where all values are known.
    fn win(&self) -> Option<Consequence<Cell>> {
        let [it, instead] = self.names();
        let values = move_values(self.game);
        let value = |wanted: Cell| values.iter().find(|(cell, _)| *cell == wanted).map(|&(_, value)| value);
        let text = match (value(self.played)?, value(self.better)?, self.is_first) {
            (Value::Win(_), Value::Win(_), _) | (Value::Loss(_), Value::Loss(_), _) => return None,
            (_, Value::Win(plies), true) => {
                text!("{it} misses a win in {} moves, beginning with {instead}.", plies.div_ceil(2))
            }
            (_, Value::Win(plies), false) => {
                text!("{instead} wins in {} moves, whatever the reply.", plies.div_ceil(2))
            }
            (Value::Loss(plies), _, true) => {
                text!("After {it} {} wins in {} moves, whatever the reply.", self.opponent_name(), plies / 2)
            }
            (Value::Loss(plies), _, false) => {
                text!("{it} lets {} win in {} moves, whatever the reply.", self.opponent_name(), plies / 2)
            }
            _ => return None,
        };
        Some(Consequence::of(text))
    }

    /// The opponent's win by threats after a move of the mover.
    fn win_after(&self, cell: Cell) -> Option<ForcedWin> {
        self.after(cell).as_ref().and_then(forced)
    }

    /// The position after a move of the mover, where the game continues.
    fn after(&self, cell: Cell) -> Option<TicTacToe> {
        let mut after = self.game.clone();
        after.make(cell);
        after.outcome().is_none().then_some(after)
    }

    /// The move that was played and the better one as sentences have them.
    fn names(&self) -> [Text; 2] {
        let me = self.game.to_move();
        [self.played, self.better].map(|cell| text!("{}", of_move(Some(me), self.game.show(cell))))
    }

    fn opponent_name(&self) -> SideName {
        self.game.side_name(self.game.to_move().other())
    }

    /// A move of the opponent as sentences have it.
    fn reply(&self, cell: Cell) -> Text {
        text!("{}", of_move(Some(self.game.to_move().other()), self.game.show(cell)))
    }

    /// A sentence with signs, none of them on the better move: that has one of its own.
    fn marked(&self, text: Text, mut marks: Vec<(Cell, char)>, legend: Text) -> Consequence<Cell> {
        marks.retain(|(cell, _)| *cell != self.better);
        let legend = if marks.is_empty() { Text::new() } else { legend };
        Consequence { text, marks, legend }
    }
}

/// A line that a stone on an empty cell completes for the side with these stones.
fn line_at(game: &TicTacToe, own: u128, cell: Cell) -> Option<u128> {
    let through = game.lines().through(cell.index());
    through.iter().copied().find(|line| line & !(own | cell.bit()) == 0)
}

/// Two lines through a cell, each with the one cell that is left to complete it after a stone there; nothing where the
/// other side has a line to complete. The first of the stones are those of the side that forks.
fn fork_at(game: &TicTacToe, [own, opp]: [u128; 2], cell: Cell) -> Option<[(u128, Cell); 2]> {
    let after = own | cell.bit();
    if completions(game.lines().all(), opp, after) != 0 {
        return None;
    }
    let through = game.lines().through(cell.index()).iter().copied();
    let mut threats = through.filter(|line| line & opp == 0 && is_single(line & !after));
    let with_end = |line: u128| Some((line, cells(line & !after).next()?));
    let first = with_end(threats.next()?)?;
    let second = threats.filter_map(with_end).find(|(_, end)| *end != first.1)?;
    Some([first, second])
}

/// The names of two lines.
fn lines(game: &TicTacToe, ends: [(u128, Cell); 2]) -> String {
    let [one, other] = ends.map(|(line, _)| game.line_name(line));
    format!("{one} and {other}")
}

/// A win by threats of the side to move that is found quickly.
fn forced(game: &TicTacToe) -> Option<ForcedWin> {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Cell>(&SearchControl::quiet(Limits::default(), &stop));
    forced_win(game, MAX_POSITIONS, &mut budget)
}
