//! In which order moves are searched, how deep, and what the search learns about them.

use std::sync::LazyLock;

use super::{Node, Search};
use crate::ai::exact;
use crate::ai::quoridor::board::Board;
use crate::game::Side;
use crate::games::quoridor::{Move, MoveKind, Orientation, Places, Wall};

// Ranks of moves before they are searched, with what history adds between them.
const TABLE_RANK: i32 = i32::MAX;
const KILLER_RANKS: [i32; 2] = [1 << 28, (1 << 28) - 1];
const STEP_RANK: i32 = 30_000;
const MAX_HISTORY: i32 = 1 << 16;
/// A wall on the other's way, or on the own one.
const ON_WAY: i32 = 2_000;

/// Up to this depth very late walls are not searched at all.
const LATE_DEPTH: i32 = 6;

impl<S: Places> Search<S> {
    /// Puts the moves worth searching on the stack, each behind its rank.
    pub(super) fn list(&mut self, board: &Board<S>, node: Node, table_move: u16) {
        let me = board.mover();
        let side = me.index() * Move::SLOTS;
        let killers = self.killers[node.place()];
        let known = |mv: Move| {
            let index = mv.move_index();
            let killer = killers.iter().position(|&killer| killer == index);
            if index == table_move { Some(TABLE_RANK) } else { killer.map(|place| KILLER_RANKS[place]) }
        };
        let (steps, base) = (board.steps(me), self.stack.len());
        board.steps_from_targets(|cell, left| {
            let mv = Move::from(cell);
            let gain = steps - left;
            let learnt = self.history[side + usize::from(mv.move_index())];
            let rank = if gain > 0 { STEP_RANK } else { -STEP_RANK / 10 } * gain.abs().max(1) + learnt;
            self.stack.push((if table_move == mv.move_index() { TABLE_RANK } else { rank }, mv));
        });
        // Of equal ones that come first that are nearer to a1.
        self.stack[base..].sort_unstable_by_key(|(_, mv)| mv.move_index());
        let posts = board.posts();
        let [own, other] = [me, me.other()].map(|side| board.cuts(side));
        let mut has_quiet = false;
        for orientation in Orientation::BOTH {
            let i = orientation.index();
            // A ply before the end walls on no way are all alike: one of them stands for all.
            let quiet = posts[i] & !(own[i] | other[i]);
            let mut wanted = posts[i];
            if node.depth == 1 {
                wanted = posts[i] & other[i];
                if let Some(one) = quiet.first().filter(|_| !has_quiet) {
                    has_quiet = true;
                    wanted = wanted | S::one(one);
                }
            }
            for post in wanted.cells() {
                let mv = Move::from(Wall { post, orientation });
                let on_ways = i32::from(other[i].has(post)) - i32::from(own[i].has(post));
                let learnt = self.history[side + usize::from(mv.move_index())];
                let rank = known(mv).unwrap_or_else(|| ON_WAY * on_ways + learnt);
                self.stack.push((rank, mv));
            }
        }
    }

    /// Brings the move with the highest rank from `i` on to `i`.
    pub(super) fn next(&mut self, i: usize) -> (i32, Move) {
        let mut highest = i;
        for j in i + 1..self.stack.len() {
            if self.stack[j].0 > self.stack[highest].0 {
                highest = j;
            }
        }
        self.stack.swap(i, highest);
        self.stack[i]
    }

    /// Remembers a move that was too good for the opponent to allow.
    pub(super) fn learn(&mut self, side: Side, mv: Move, node: Node) {
        let index = mv.move_index();
        if mv.wall().is_some() {
            let killers = &mut self.killers[node.place()];
            if killers[0] != index {
                *killers = [index, killers[0]];
            }
        }
        let worth = &mut self.history[side.index() * Move::SLOTS + usize::from(index)];
        *worth += node.depth * node.depth;
        if *worth > MAX_HISTORY {
            self.history.iter_mut().for_each(|worth| *worth /= 2);
        }
    }
}

/// Whether a move comes so late, and promises so little, that neither it nor those behind it are searched.
pub(super) fn is_late(depth: i32, searched: i32, rank: i32, mv: Move) -> bool {
    mv.wall().is_some() && rank < ON_WAY && depth <= LATE_DEPTH && searched >= 4 + depth * depth
}

/// Beyond these depths and numbers of moves nothing more is taken off.
const MOST_ROWS: usize = 64;
const MOST_COLUMNS: usize = 128;

/// By depth and the moves searched before: half the product of their logarithms, rounded.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers, none below zero")]
static REDUCTIONS: LazyLock<[[u8; MOST_COLUMNS]; MOST_ROWS]> = LazyLock::new(|| {
    let ln = |count: usize| exact::ln(f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX)));
    std::array::from_fn(|depth| {
        std::array::from_fn(|searched| (ln(depth) * ln(searched) / 2.0).round() as u8)
    })
});

/// By how many plies a move is searched less deep at first.
pub(super) fn reduction(depth: i32, searched: i32, rank: i32, mv: Move) -> i32 {
    let is_quiet = match mv.act() {
        MoveKind::Go(_) => rank < 0,
        MoveKind::Build(_) => rank < KILLER_RANKS[1],
    };
    if depth < 3 || searched < 3 || !is_quiet {
        return 0;
    }
    let [row, column] = [depth, searched].map(|count| count.unsigned_abs() as usize);
    i32::from(REDUCTIONS[row.min(MOST_ROWS - 1)][column.min(MOST_COLUMNS - 1)]).min(depth / 2)
}
