//! What the search asks about Quoridor beside its rules: worth, order and choice of moves. Knows the rules and the
//! evaluation, no search.

use std::cmp::Reverse;

use super::eval::evaluate;
use super::winning_step;
use crate::ai::{Eval, Situation, WIN};
use crate::game::{Game, Side};
use crate::games::quoridor::{Act, Cell, Cuts, Move, Passages, Quoridor};

/// How many moves of a position are looked at below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// All.
    Full,
    /// So many of the most promising.
    Narrow(usize),
}

/// The eyes of a search, and its buffers.
#[derive(Debug)]
pub(super) struct Sight {
    width: Width,
    scratch: Vec<(i32, Move)>,
    /// The keys of the positions of this game since the last wall, sorted: to come back to one is a draw.
    seen: Vec<u64>,
    /// By slot: the promise of the moves of the position listed last.
    promises: Vec<i32>,
}

impl Sight {
    pub(super) fn new(width: Width) -> Self {
        Sight { width, scratch: Vec::new(), seen: Vec::new(), promises: vec![0; Move::SLOTS] }
    }
}

impl Sight {
    /// Learns what has been on the board in the game that is played. Before a wall nothing can come again.
    pub(super) fn remember(&mut self, at: &Situation<'_, Quoridor>) {
        self.seen.clear();
        let mut game = at.start.clone();
        for &mv in at.played {
            if mv.wall().is_some() {
                self.seen.clear();
            } else {
                self.seen.push(game.key());
            }
            game.make(mv);
        }
        self.seen.sort_unstable();
    }
}

impl Eval<Quoridor> for Sight {
    fn value(&mut self, game: &Quoridor) -> i32 {
        evaluate(game)
    }

    fn slots(&self, _: &Quoridor) -> usize {
        Move::SLOTS
    }

    fn slot(&self, _: &Quoridor, mv: Move) -> u16 {
        mv.slot()
    }

    fn rank(&mut self, _: &Quoridor, mv: Move) -> i32 {
        self.promises[usize::from(mv.slot())]
    }

    /// A position that has been there in this game is a draw; a pawn that can step onto its goal row wins at once.
    fn bounds(&mut self, game: &Quoridor) -> (i32, i32) {
        if self.seen.binary_search(&game.key()).is_ok() {
            return (0, 0);
        }
        let side = game.to_move();
        // A jump goes two rows.
        let is_near = game.pawn(side).row().abs_diff(game.goal_row(side)) <= 2;
        if is_near && winning_step(game).is_some() { (WIN - 1, WIN - 1) } else { (-WIN, WIN) }
    }

    /// The most promising moves, at most as many as the width allows.
    fn moves(&mut self, game: &Quoridor, out: &mut Vec<Move>) {
        let base = out.len();
        game.moves(out);
        let promise = Promise::of(game);
        self.scratch.clear();
        for &mv in &out[base..] {
            let promise = promise.of_move(mv);
            self.promises[usize::from(mv.slot())] = promise;
            self.scratch.push((promise, mv));
        }
        if let Width::Narrow(most) = self.width
            && most < self.scratch.len()
        {
            // The slot decides between equals, so that the same moves stay everywhere.
            self.scratch.select_nth_unstable_by_key(most, |&(promise, mv)| (Reverse(promise), mv.slot()));
            self.scratch.truncate(most);
        }
        out.truncate(base);
        out.extend(self.scratch.iter().map(|&(_, mv)| mv));
    }
}

/// How promising moves look before they are searched.
struct Promise {
    passages: Passages,
    goal_row: usize,
    pawns: [Cell; 2],
    own: Cuts,
    other: Cuts,
}

impl Promise {
    fn of(game: &Quoridor) -> Self {
        let me = game.to_move();
        let passages = game.passages();
        let cuts = |side: Side| {
            let from = game.pawn(side);
            Cuts::of(from, passages.shortest_way(from, game.goal_row(side)))
        };
        let (own, other) = (cuts(me), cuts(me.other()));
        let pawns = [me, me.other()].map(|side| game.pawn(side));
        Promise { passages, goal_row: game.goal_row(me), pawns, own, other }
    }

    /// Steps by the distance they leave, then walls on the other's way, then the rest, near pawns first.
    fn of_move(&self, mv: Move) -> i32 {
        match mv.act() {
            Act::Go(cell) => {
                let steps = self.passages.steps_between(cell, self.goal_row).map_or(1000, u32::cast_signed);
                20_000 - 10 * steps
            }
            Act::Build(wall) => {
                let apart = |pawn: Cell| {
                    let twice = |post: usize, pawn: usize| (2 * post + 1).abs_diff(2 * pawn);
                    twice(wall.post.file(), pawn.file()) + twice(wall.post.row(), pawn.row())
                };
                let [own, other] = self.pawns.map(apart);
                let far = i32::try_from(own.min(other)).unwrap_or(i32::MAX / 2);
                let on_ways = i32::from(self.other.has(wall)) - i32::from(self.own.has(wall));
                1000 * on_ways - far
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    /// The bounds of the position after the moves and one more, seen from a search after the moves.
    fn bounds(moves: &str, next: &str) -> (i32, i32) {
        let start = Quoridor::new(9).expect("9x9 exists");
        let mut now = start.clone();
        let mut played = Vec::new();
        for text in moves.split_whitespace() {
            let mv = now.parse(text).expect("a move");
            now.make(mv);
            played.push(mv);
        }
        let mut sight = Sight::new(Width::Full);
        sight.remember(&Situation { start: &start, played: &played, now: &now });
        now.make(now.parse(next).expect("a move"));
        sight.bounds(&now)
    }

    #[test]
    fn to_come_back_to_a_position_of_the_game_is_a_draw() {
        assert_eq!(bounds("e2 e8 e1", "e9"), (0, 0), "the start again");
        assert_eq!(bounds("e2 e8 e1 e9", "e2"), (0, 0), "the position after the first move");
        assert_eq!(bounds("e2 e8 e1", "d8"), (-WIN, WIN));
        assert_eq!(bounds("e2 e8 e1 a1h e2 e9 e1", "e8"), (0, 0), "the position after the wall");
        assert_eq!(bounds("e2 e8 e1 a1h", "e2"), (-WIN, WIN), "before a wall nothing comes again");
    }

    #[test]
    fn a_step_or_a_jump_onto_the_goal_row_is_a_win() {
        let near =
            |text: &str| Sight::new(Width::Full).bounds(&Quoridor::from_position_text(text).expect(text));
        assert_eq!(near("- / - / e8 a5 / 10 10 / 1"), (WIN - 1, WIN - 1));
        assert_eq!(near("- / - / e7 e8 / 3 3 / 1"), (WIN - 1, WIN - 1));
        assert_eq!(near("- / - / e7 d8 / 3 3 / 1"), (-WIN, WIN));
    }
}
