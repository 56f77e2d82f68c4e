//! A small alpha-beta over the evaluation by distances. Knows the rules, no clock but its meter.

use super::eval::evaluate;
use crate::ai::Meter;
use crate::game::{Game, Outcome, Side};
use crate::games::quoridor::{Act, Cell, Cuts, Move, Passages, Quoridor};

/// A win at the root; each ply makes it worth one less.
pub(super) const WIN: i32 = 1_000_000;

/// How many moves of a position are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// All.
    Full,
    /// All at the root and after each root move; deeper down so many of the most promising.
    Narrow(usize),
}

/// A search and its buffers.
pub(super) struct Search<'a, 'b> {
    pub(super) meter: &'a mut Meter<'b>,
    width: Width,
    stack: Vec<(i32, Move)>,
    scratch: Vec<Move>,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(width: Width, meter: &'a mut Meter<'b>) -> Self {
        Search { meter, width, stack: Vec::new(), scratch: Vec::new() }
    }

    /// The value of `mv` for the mover, looking `depth` plies ahead, `mv` included: exact inside `(alpha, beta)`.
    pub(super) fn value_of(
        &mut self,
        game: &mut Quoridor,
        mv: Move,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let undo = game.make(mv);
        let value = -self.value(game, depth.max(1) - 1, 1, -beta, -alpha);
        game.unmake(mv, undo);
        value
    }

    /// The mover's value: exact inside `(alpha, beta)`, an upper bound at or below `alpha`, a lower bound at or above
    /// `beta`.
    fn value(&mut self, game: &mut Quoridor, depth: u32, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        debug_assert!(alpha < beta);
        if !self.meter.tick() {
            return 0;
        }
        match game.outcome() {
            Some(Outcome::Win(side)) => {
                let win = WIN - ply.cast_signed();
                return if side == game.to_move() { win } else { -win };
            }
            Some(Outcome::Draw) => return 0,
            None if depth == 0 => return evaluate(game),
            None => (),
        }
        let base = self.stack.len();
        self.push_moves(game);
        if let Width::Narrow(most) = self.width
            && ply > 1
        {
            self.stack.truncate(base + most);
        }
        let mut best = -WIN;
        for i in base..self.stack.len() {
            let (_, mv) = self.stack[i];
            let undo = game.make(mv);
            let value = -self.value(game, depth - 1, ply + 1, -beta, -alpha);
            game.unmake(mv, undo);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.meter.is_spent() {
                break;
            }
        }
        self.stack.truncate(base);
        best
    }

    /// The legal moves, the most promising first.
    fn push_moves(&mut self, game: &Quoridor) {
        let base = self.stack.len();
        self.scratch.clear();
        game.moves(&mut self.scratch);
        let promise = Promise::of(game);
        self.stack.extend(self.scratch.iter().map(|&mv| (promise.of_move(mv), mv)));
        self.stack[base..].sort_by_key(|&(promise, _)| std::cmp::Reverse(promise));
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
