//! What the search asks about Quoridor beside its rules: worth, order and choice of moves. Knows the rules and the
//! evaluation, no search.

use std::cmp::Reverse;

use super::eval::evaluate;
use super::winning_step;
use crate::ai::{Eval, GameHistory, WIN};
use crate::game::{Game, Side};
use crate::games::quoridor::{Cell, Move, MoveKind, Passages, Quoridor, Walls};

/// How many moves of a position are looked at below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// All.
    Full,
    /// So many of the most promising.
    Narrow(usize),
}

/// The eyes of a search, and its buffers.
#[derive(Debug)]
pub struct Sight {
    width: Width,
    scratch: Vec<(i32, Move)>,
    /// The keys of the positions of this game since the last wall, sorted: to come back to one is a draw.
    seen: Vec<u64>,
    /// By move index: the promise of the moves of the position listed last.
    promises: Vec<i32>,
}

impl Sight {
    /// Eyes that have seen no game yet.
    #[must_use]
    pub fn new(width: Width) -> Self {
        Sight { width, scratch: Vec::new(), seen: Vec::new(), promises: vec![0; Move::SLOTS] }
    }

    /// Learns what has been on the board in the game that is played. Before a wall nothing can come again.
    pub fn remember(&mut self, at: &GameHistory<'_, Quoridor>) {
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

    fn move_index_count(&self, _: &Quoridor) -> usize {
        Move::SLOTS
    }

    fn move_index(&self, _: &Quoridor, mv: Move) -> u16 {
        mv.move_index()
    }

    fn rank(&mut self, _: &Quoridor, mv: Move) -> i32 {
        self.promises[usize::from(mv.move_index())]
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
            self.promises[usize::from(mv.move_index())] = promise;
            self.scratch.push((promise, mv));
        }
        if let Width::Narrow(most) = self.width
            && most < self.scratch.len()
        {
            // The move index decides between equals, so that the same moves stay everywhere.
            self.scratch
                .select_nth_unstable_by_key(most, |&(promise, mv)| (Reverse(promise), mv.move_index()));
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
    /// The walls that cut the own shortest path, and the other's.
    own: Walls,
    other: Walls,
}

impl Promise {
    fn of(game: &Quoridor) -> Self {
        let me = game.to_move();
        let passages = game.passages();
        let cuts = |side: Side| passages.cuts(game.pawn(side), game.goal_row(side));
        let (own, other) = (cuts(me), cuts(me.other()));
        let pawns = [me, me.other()].map(|side| game.pawn(side));
        Promise { passages, goal_row: game.goal_row(me), pawns, own, other }
    }

    /// Steps by the distance they leave, then walls on the other's path, then the rest, near pawns first.
    fn of_move(&self, mv: Move) -> i32 {
        match mv.act() {
            MoveKind::Go(cell) => {
                let steps = self.passages.steps_between(cell, self.goal_row).map_or(1000, u32::cast_signed);
                20_000 - 10 * steps
            }
            MoveKind::Build(wall) => {
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
