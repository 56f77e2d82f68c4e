//! Move ordering, reductions and late-move pruning, and the history that the search keeps for them.

use std::sync::LazyLock;

use super::{AlphaBetaSearch, SearchNode};
use crate::ai::exact;
use crate::ai::quoridor::board::SearchBoard;
use crate::game::Side;
use crate::games::quoridor::{Bitboard, Move, MoveKind, Orientation, Wall};

// Ranks of moves before they are searched; history scores come on top.
const TABLE_MOVE_RANK: i32 = i32::MAX;
const KILLER_RANKS: [i32; 2] = [1 << 28, (1 << 28) - 1];
const RANK_PER_STEP: i32 = 30_000;
const MAX_HISTORY_SCORE: i32 = 1 << 16;
/// Amount by which a wall ranks higher on the opponent's path, and lower on the mover's own path.
const PATH_WALL_BONUS: i32 = 2_000;

/// Largest depth at which late walls are pruned.
const MAX_LATE_WALL_PRUNING_DEPTH: i32 = 6;

impl<S: Bitboard> AlphaBetaSearch<S> {
    /// Pushes the moves worth searching onto the stack, with their ranks.
    pub(super) fn push_moves(&mut self, board: &SearchBoard<S>, node: SearchNode, table_move: u16) {
        self.push_pawn_moves(board, table_move);
        let (posts, me) = (board.candidate_wall_slots(), board.mover());
        let [own, other] = [me, me.other()].map(|side| board.walls_cutting_path(side));
        let mut has_quiet = false;
        for orientation in Orientation::BOTH {
            let i = orientation.index();
            // At depth 1 walls on no path are equivalent, so one of them stands for all.
            let mut wanted = posts[i];
            if node.depth == 1 {
                wanted = posts[i] & other[i];
                let quiet = posts[i] & !(own[i] | other[i]);
                if let Some(one) = quiet.lowest_index().filter(|_| !has_quiet) {
                    has_quiet = true;
                    wanted = wanted | S::from_index(one);
                }
            }
            self.push_wall_moves(orientation, me, wanted, [own[i], other[i]]);
            // The table move and the killers come first, whatever their other rank is.
            let base = self.stack.len() - wanted.count_bits();
            let [first, second] = self.killers[node.ply_index()];
            let known = [(second, KILLER_RANKS[1]), (first, KILLER_RANKS[0]), (table_move, TABLE_MOVE_RANK)];
            for (known, rank) in known {
                let wall = Move::from_index(known).and_then(Move::wall);
                let post =
                    wall.filter(|wall| wall.orientation == orientation).map(|wall| S::index_of(wall.post));
                if let Some(post) = post.filter(|&post| wanted.contains_index(post)) {
                    self.ranks[base + wanted.count_bits_below(post)] = rank;
                }
            }
        }
    }

    fn push_pawn_moves(&mut self, board: &SearchBoard<S>, table_move: u16) {
        let (steps, base) = (board.steps_to_goal(board.mover()), self.stack.len());
        board.for_each_pawn_target(|cell, left| {
            let mv = Move::from(cell);
            // Among equal moves, cells nearer to a1 come first.
            let place =
                base + self.stack[base..].partition_point(|other| other.move_index() < mv.move_index());
            let gain = steps - left;
            let learnt = self.history[Self::history_index(board.mover(), mv)];
            let rank =
                if gain > 0 { RANK_PER_STEP } else { -RANK_PER_STEP / 10 } * gain.abs().max(1) + learnt;
            self.stack.insert(place, mv);
            self.ranks.insert(place, if table_move == mv.move_index() { TABLE_MOVE_RANK } else { rank });
        });
    }

    /// Pushes the walls of one orientation in the slots `posts`. `own` and `other` hold the slots whose walls
    /// cut the path of the mover and of the opponent.
    fn push_wall_moves(&mut self, orientation: Orientation, me: Side, posts: S, [own, other]: [S; 2]) {
        let worths = Self::history_offset(me, 1 + orientation.index());
        self.worths.clear();
        self.worths.extend_from_slice(&self.history[worths..worths + S::BITS]);
        (posts & own).for_each_index(|post| self.worths[post] -= PATH_WALL_BONUS);
        (posts & other).for_each_index(|post| self.worths[post] += PATH_WALL_BONUS);
        let base = self.stack.len();
        let count = base + posts.count_bits();
        self.stack.resize(count, Move::from(S::cell_at_index(0)));
        self.ranks.resize(count, 0);
        let (stack, ranks, worths) = (&mut self.stack[base..], &mut self.ranks[base..], &self.worths[..]);
        let mut place = 0;
        posts.for_each_index(|post| {
            stack[place] = Wall { post: S::cell_at_index(post), orientation }.into();
            ranks[place] = worths[post];
            place += 1;
        });
    }

    /// Returns the offset in the history of a side's moves of one kind: pawn moves, horizontal walls or
    /// vertical walls.
    fn history_offset(side: Side, kind: usize) -> usize {
        (3 * side.index() + kind) * S::BITS
    }

    /// Returns the history index of a side's move.
    fn history_index(side: Side, mv: Move) -> usize {
        match mv.kind() {
            MoveKind::Step(cell) => Self::history_offset(side, 0) + S::index_of(cell),
            MoveKind::Wall(wall) => {
                Self::history_offset(side, 1 + wall.orientation.index()) + S::index_of(wall.post)
            }
        }
    }

    /// Removes all moves from index `from` on.
    pub(super) fn pop_moves(&mut self, from: usize) {
        self.stack.truncate(from);
        self.ranks.truncate(from);
    }

    /// Moves the highest-ranked move at or after index `i` to index `i`, and returns it with its rank.
    pub(super) fn select_next_move(&mut self, i: usize) -> (i32, Move) {
        let rest = &self.ranks[i..];
        // Two simple passes are faster than one that tracks the index.
        let rank = rest.iter().copied().fold(i32::MIN, i32::max);
        let highest = i + rest.iter().position(|&other| other == rank).unwrap_or(0);
        self.stack.swap(i, highest);
        self.ranks.swap(i, highest);
        (rank, self.stack[i])
    }

    /// Records a beta cutoff in the killer and history tables.
    pub(super) fn record_cutoff(&mut self, side: Side, mv: Move, node: SearchNode) {
        let index = mv.move_index();
        if mv.wall().is_some() {
            let killers = &mut self.killers[node.ply_index()];
            if killers[0] != index {
                *killers = [index, killers[0]];
            }
        }
        let worth = &mut self.history[Self::history_index(side, mv)];
        *worth += node.depth * node.depth;
        if *worth > MAX_HISTORY_SCORE {
            self.history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }
}

/// Reports whether a wall comes so late and ranks so low that it and all later moves can be pruned.
pub(super) fn can_prune_late_wall(depth: i32, searched: i32, rank: i32, mv: Move) -> bool {
    mv.wall().is_some()
        && rank < PATH_WALL_BONUS
        && depth <= MAX_LATE_WALL_PRUNING_DEPTH
        && searched >= 4 + depth * depth
}

/// Number of depths in the reduction table; larger depths use its last entries.
const REDUCTION_DEPTHS: usize = 64;
/// Number of move counts in the reduction table; larger counts use its last entries.
const REDUCTION_MOVE_COUNTS: usize = 128;

/// Reductions by depth and number of moves searched before: half the product of their logarithms, rounded.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers, none below zero")]
static LATE_MOVE_REDUCTIONS: LazyLock<[[u8; REDUCTION_MOVE_COUNTS]; REDUCTION_DEPTHS]> =
    LazyLock::new(|| {
        let ln = |count: usize| exact::ln(f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX)));
        std::array::from_fn(|depth| {
            std::array::from_fn(|searched| (ln(depth) * ln(searched) / 2.0).round() as u8)
        })
    });

/// Returns the plies by which the first search of a move is reduced.
pub(super) fn late_move_reduction(depth: i32, searched: i32, rank: i32, mv: Move) -> i32 {
    let is_quiet = match mv.kind() {
        MoveKind::Step(_) => rank < 0,
        MoveKind::Wall(_) => rank < KILLER_RANKS[1],
    };
    if depth < 3 || searched < 3 || !is_quiet {
        return 0;
    }
    let [row, column] = [depth, searched].map(|count| count.unsigned_abs() as usize);
    i32::from(LATE_MOVE_REDUCTIONS[row.min(REDUCTION_DEPTHS - 1)][column.min(REDUCTION_MOVE_COUNTS - 1)])
        .min(depth / 2)
}
