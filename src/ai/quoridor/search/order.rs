//! In which order moves are searched, how deep, and what the search learns about them.

use std::sync::LazyLock;

use super::{Search, SearchNode};
use crate::ai::exact;
use crate::ai::quoridor::board::SearchBoard;
use crate::game::Side;
use crate::games::quoridor::{Bitboard, Move, MoveKind, Orientation, Wall};

// Ranks of moves before they are searched, with what history adds between them.
const TABLE_RANK: i32 = i32::MAX;
const KILLER_RANKS: [i32; 2] = [1 << 28, (1 << 28) - 1];
const STEP_RANK: i32 = 30_000;
const MAX_HISTORY: i32 = 1 << 16;
/// A wall on the other's way, or on the own one.
const ON_WAY: i32 = 2_000;

/// Up to this depth very late walls are not searched at all.
const LATE_DEPTH: i32 = 6;

impl<S: Bitboard> Search<S> {
    /// Puts the moves worth searching on the stack, with their ranks.
    pub(super) fn push_moves(&mut self, board: &SearchBoard<S>, node: SearchNode, table_move: u16) {
        self.push_steps(board, table_move);
        let (posts, me) = (board.posts(), board.mover());
        let [own, other] = [me, me.other()].map(|side| board.cuts(side));
        let mut has_quiet = false;
        for orientation in Orientation::BOTH {
            let i = orientation.index();
            // A ply before the end walls on no way are all alike: one of them stands for all.
            let mut wanted = posts[i];
            if node.depth == 1 {
                wanted = posts[i] & other[i];
                let quiet = posts[i] & !(own[i] | other[i]);
                if let Some(one) = quiet.first().filter(|_| !has_quiet) {
                    has_quiet = true;
                    wanted = wanted | S::one(one);
                }
            }
            self.push_walls(orientation, me, wanted, [own[i], other[i]]);
            // What is known to be good comes first, whatever else is said for it.
            let base = self.stack.len() - wanted.count();
            let [first, second] = self.killers[node.place()];
            let known = [(second, KILLER_RANKS[1]), (first, KILLER_RANKS[0]), (table_move, TABLE_RANK)];
            for (known, rank) in known {
                let wall = Move::from_index(known).and_then(Move::wall);
                let post =
                    wall.filter(|wall| wall.orientation == orientation).map(|wall| S::index(wall.post));
                if let Some(post) = post.filter(|&post| wanted.holds(post)) {
                    self.ranks[base + wanted.count_below(post)] = rank;
                }
            }
        }
    }

    fn push_steps(&mut self, board: &SearchBoard<S>, table_move: u16) {
        let (steps, base) = (board.steps(board.mover()), self.stack.len());
        board.steps_from_targets(|cell, left| {
            let mv = Move::from(cell);
            // Of equal ones that come first that are nearer to a1.
            let place =
                base + self.stack[base..].partition_point(|other| other.move_index() < mv.move_index());
            let gain = steps - left;
            let learnt = self.history[Self::history_index(board.mover(), mv)];
            let rank = if gain > 0 { STEP_RANK } else { -STEP_RANK / 10 } * gain.abs().max(1) + learnt;
            self.stack.insert(place, mv);
            self.ranks.insert(place, if table_move == mv.move_index() { TABLE_RANK } else { rank });
        });
    }

    /// Lists walls of this orientation on these posts; those of the walls that would cut the way of each side, the mover's
    /// first.
    fn push_walls(&mut self, orientation: Orientation, me: Side, posts: S, [own, other]: [S; 2]) {
        let worths = Self::history_score(me, 1 + orientation.index());
        self.worths.clear();
        self.worths.extend_from_slice(&self.history[worths..worths + S::BITS]);
        (posts & own).each(|post| self.worths[post] -= ON_WAY);
        (posts & other).each(|post| self.worths[post] += ON_WAY);
        let base = self.stack.len();
        let count = base + posts.count();
        self.stack.resize(count, Move::from(S::cell(0)));
        self.ranks.resize(count, 0);
        let (stack, ranks, worths) = (&mut self.stack[base..], &mut self.ranks[base..], &self.worths[..]);
        let mut place = 0;
        posts.each(|post| {
            stack[place] = Wall { post: S::cell(post), orientation }.into();
            ranks[place] = worths[post];
            place += 1;
        });
    }

    /// Returns the first index in the history of moves of a side: its pawn's, walls across, walls upright.
    fn history_score(side: Side, kind: usize) -> usize {
        (3 * side.index() + kind) * S::BITS
    }

    /// Returns the index in the history of a move of a side.
    fn history_index(side: Side, mv: Move) -> usize {
        match mv.act() {
            MoveKind::Go(cell) => Self::history_score(side, 0) + S::index(cell),
            MoveKind::Build(wall) => {
                Self::history_score(side, 1 + wall.orientation.index()) + S::index(wall.post)
            }
        }
    }

    /// Takes all moves from this place on off the stack.
    pub(super) fn pop_moves(&mut self, from: usize) {
        self.stack.truncate(from);
        self.ranks.truncate(from);
    }

    /// Brings the move with the highest rank from `i` on to `i`.
    pub(super) fn next(&mut self, i: usize) -> (i32, Move) {
        let rest = &self.ranks[i..];
        // Two plain walks are faster than one that remembers where it was.
        let rank = rest.iter().copied().fold(i32::MIN, i32::max);
        let highest = i + rest.iter().position(|&other| other == rank).unwrap_or(0);
        self.stack.swap(i, highest);
        self.ranks.swap(i, highest);
        (rank, self.stack[i])
    }

    /// Remembers a move that was too good for the opponent to allow.
    pub(super) fn record_cutoff(&mut self, side: Side, mv: Move, node: SearchNode) {
        let index = mv.move_index();
        if mv.wall().is_some() {
            let killers = &mut self.killers[node.place()];
            if killers[0] != index {
                *killers = [index, killers[0]];
            }
        }
        let worth = &mut self.history[Self::history_index(side, mv)];
        *worth += node.depth * node.depth;
        if *worth > MAX_HISTORY {
            self.history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }
}

/// Reports whether a move comes so late, and promises so little, that neither it nor those behind it are searched.
pub(super) fn is_late(depth: i32, searched: i32, rank: i32, mv: Move) -> bool {
    mv.wall().is_some() && rank < ON_WAY && depth <= LATE_DEPTH && searched >= 4 + depth * depth
}

/// Beyond these depths and numbers of moves nothing more is taken off.
const MAX_ROWS: usize = 64;
const MAX_COLUMNS: usize = 128;

/// By depth and the moves searched before: half the product of their logarithms, rounded.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers, none below zero")]
static REDUCTIONS: LazyLock<[[u8; MAX_COLUMNS]; MAX_ROWS]> = LazyLock::new(|| {
    let ln = |count: usize| exact::ln(f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX)));
    std::array::from_fn(|depth| {
        std::array::from_fn(|searched| (ln(depth) * ln(searched) / 2.0).round() as u8)
    })
});

/// Returns the plies by which a move is searched less deep at first.
pub(super) fn reduction(depth: i32, searched: i32, rank: i32, mv: Move) -> i32 {
    let is_quiet = match mv.act() {
        MoveKind::Go(_) => rank < 0,
        MoveKind::Build(_) => rank < KILLER_RANKS[1],
    };
    if depth < 3 || searched < 3 || !is_quiet {
        return 0;
    }
    let [row, column] = [depth, searched].map(|count| count.unsigned_abs() as usize);
    i32::from(REDUCTIONS[row.min(MAX_ROWS - 1)][column.min(MAX_COLUMNS - 1)]).min(depth / 2)
}
