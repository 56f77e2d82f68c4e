//! Bitboard position for the search. It is copied at every move and recomputes a pawn's shortest path only if
//! the move affects it. Its moves, distances and keys equal those of the rules' board.

use crate::ai::{legal_moves, with_move_made};
use crate::game::{Game, Side};
use crate::games::quoridor::{
    Bitboard, Bitboard15, Bitboard25, Cell, MAX_MIDDLE_GRAPH_SIZE, MAX_SMALL_GRAPH_SIZE, Move, MoveKind,
    Orientation, Quoridor, ShortestPath, Wall, WallGraph, ZobristKeys,
};

/// A position in the form that the search uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchBoard<S> {
    lattice: WallGraph<S>,
    /// Cell of each side's pawn.
    pawns: [S; 2],
    /// Cells of each side's goal row.
    goals: [S; 2],
    /// Shortest path of each side's pawn.
    paths: [ShortestPath<S>; 2],
    walls_left: [u16; 2],
    mover: Side,
    key: u64,
    /// Part of the key that the walls on the board contribute.
    walls_key: u64,
}

impl<S: Bitboard> From<&Quoridor> for SearchBoard<S> {
    /// Converts a position of the rules; both pawns must have a path to their goal.
    fn from(game: &Quoridor) -> Self {
        let lattice = game.wall_graph();
        let pawns = Side::map_both(|side| S::from_cell(game.pawn(side)));
        let goals = Side::map_both(|side| lattice.goal_row_cells(game.goal_row(side)));
        let way = |side: Side| {
            lattice
                .find_shortest_path(pawns[side.index()], goals[side.index()])
                .expect("the rules keep a path open")
        };
        let walls = Orientation::BOTH.into_iter().zip(lattice.walls).flat_map(|(orientation, posts)| {
            posts.cells().map(move |post| ZobristKeys::wall(Wall { post, orientation }))
        });
        SearchBoard {
            lattice,
            pawns,
            goals,
            paths: Side::map_both(way),
            walls_left: Side::map_both(|side| game.walls_left(side)),
            mover: game.to_move(),
            key: game.position_key(),
            walls_key: walls.fold(0, |all, key| all ^ key),
        }
    }
}

impl<S: Bitboard> SearchBoard<S> {
    /// Returns the side to move.
    pub(super) fn mover(&self) -> Side {
        self.mover
    }

    /// Returns the Zobrist key, equal to that of the rules' position.
    pub(super) fn zobrist_key(&self) -> u64 {
        self.key
    }

    /// Returns the number of steps from a side's pawn to its goal row, ignoring the other pawn.
    pub(super) fn steps_to_goal(&self, side: Side) -> i32 {
        self.paths[side.index()].steps.cast_signed()
    }

    /// Returns the number of walls that a side can still place.
    pub(super) fn walls_left(&self, side: Side) -> i32 {
        self.walls_left[side.index()].into()
    }

    /// Reports whether neither side has walls left.
    pub(super) fn has_no_walls_left(&self) -> bool {
        self.walls_left == [0; 2]
    }

    /// Returns the slots of the walls on the board, by orientation.
    pub(super) fn placed_walls(&self) -> [S; 2] {
        self.lattice.walls
    }

    /// Returns the cell of a side's pawn.
    pub(super) fn pawn_cell(&self, side: Side) -> Option<Cell> {
        self.pawns[side.index()].lowest_index().map(S::cell_at_index)
    }

    /// Returns the number of files and the number of rows.
    pub(super) fn size(&self) -> (usize, usize) {
        self.lattice.board_size()
    }

    /// Returns the slots of the walls that would cut the current shortest path of a side, by orientation.
    pub(super) fn walls_cutting_path(&self, side: Side) -> [S; 2] {
        self.paths[side.index()].blocking_posts
    }

    /// Returns the slots where no other wall blocks a wall that would cut the current shortest path of a side,
    /// by orientation. Nobody needs to have walls left.
    pub(super) fn free_walls_cutting_path(&self, side: Side) -> [S; 2] {
        let ([h, v], [free_h, free_v]) = (self.walls_cutting_path(side), self.lattice.free_wall_posts());
        [h & free_h, v & free_v]
    }

    /// Returns a key of what the paths of a side depend on: the walls on the board and its pawn.
    pub(super) fn path_key(&self, side: Side) -> u64 {
        self.walls_key ^ self.pawn_cell(side).map_or(0, |cell| ZobristKeys::pawn(side, cell))
    }

    /// Returns the slots where no other wall blocks a wall of the mover, by orientation. Such a wall may
    /// still shut a pawn in; [`SearchBoard::try_play`] checks that.
    pub(super) fn candidate_wall_slots(&self) -> [S; 2] {
        if self.walls_left[self.mover.index()] == 0 { [S::EMPTY; 2] } else { self.lattice.free_wall_posts() }
    }

    /// Returns the slots where a wall of the mover lengthens the other side's path by at least `least` steps,
    /// by orientation. `least` is at least 1. The walls do not shut the pawn in.
    pub(super) fn detour_wall_slots(&self, least: i32) -> [S; 2] {
        let other = self.mover.other().index();
        let short = self.paths[other].steps.saturating_add_signed(least);
        let (mut open, mut found) = (self.candidate_wall_slots(), [S::EMPTY; 2]);
        let keep = |open: &mut [S; 2], way: &ShortestPath<S>| {
            *open = [open[0] & way.blocking_posts[0], open[1] & way.blocking_posts[1]];
        };
        keep(&mut open, &self.paths[other]);
        for orientation in Orientation::BOTH {
            let i = orientation.index();
            while let Some(post) = open[i].lowest_index().map(S::from_index) {
                open[i] = open[i] & !post;
                let (pawn, goal) = (self.pawns[other], self.goals[other]);
                match self.lattice.with_wall(orientation, post).find_shortest_path(pawn, goal) {
                    // Walls that do not cut this path either leave a path that is short enough.
                    Some(way) if way.steps < short => keep(&mut open, &way),
                    Some(_) => found[i] = found[i] | post,
                    None => (),
                }
            }
        }
        found
    }

    /// Returns the cells that the mover's pawn can move to.
    pub(super) fn pawn_targets(&self) -> S {
        let [own, other] = [self.mover, self.mover.other()].map(|side| self.pawns[side.index()]);
        pawn_targets(&self.lattice, own, other)
    }

    /// Returns the wall graph, and each side's pawn and goal row, regardless of the walls left.
    pub(super) fn race_inputs(&self) -> (&WallGraph<S>, [S; 2], [S; 2]) {
        (&self.lattice, self.pawns, self.goals)
    }

    /// Returns the number of plies in which the mover certainly wins by running against a side without walls.
    ///
    /// The mover then reaches its goal row first, on a path on which the pawns never become adjacent. `None`
    /// proves nothing.
    pub(super) fn race_win_plies(&self) -> Option<i32> {
        let [me, other] = [self.mover.index(), self.mover.other().index()];
        if self.walls_left[other] > 0 || self.paths[me].steps > self.paths[other].steps {
            return None;
        }
        // After each step of the mover, the other pawn, one step behind, must not be adjacent. Then nobody
        // can jump, and its next move brings it no further than `near`.
        let mut near = self.pawns[other];
        let (mut own, mut steps) = (self.pawns[me], 0);
        while steps < self.paths[other].steps {
            near = near | self.lattice.cells_one_step_away(near);
            own = self.lattice.cells_one_step_away(own) & !near;
            steps += 1;
            if !(own & self.goals[me]).is_empty() {
                return Some(2 * steps.cast_signed() - 1);
            }
            if own.is_empty() {
                return None;
            }
        }
        None
    }

    /// Reports whether the pawns are adjacent with no wall between them.
    pub(super) fn are_pawns_adjacent(&self) -> bool {
        !(self.lattice.cells_one_step_away(self.pawns[0]) & self.pawns[1]).is_empty()
    }

    /// Returns the cells of the mover's goal row.
    pub(super) fn goal_cells(&self) -> S {
        self.goals[self.mover.index()]
    }

    /// Calls `found` with each target cell of the mover's pawn and its distance to the goal row, nearest
    /// first. The distance is in steps and ignores the other pawn.
    pub(super) fn for_each_pawn_target(&self, mut found: impl FnMut(Cell, i32)) {
        let (mut targets, mut front, mut steps) = (self.pawn_targets(), self.goal_cells(), 0);
        let mut seen = front;
        while !targets.is_empty() {
            (targets & front).cells().for_each(|cell| found(cell, steps));
            targets = targets & !front;
            front = self.lattice.cells_one_step_away(front) & !seen;
            seen = seen | front;
            steps += 1;
        }
    }

    /// Returns the position after a pawn move to a target cell or a wall in a candidate slot; `None` if the
    /// wall would shut a pawn in.
    pub(super) fn try_play(&self, mv: Move) -> Option<Self> {
        let mut next = *self;
        let own = self.mover.index();
        match mv.kind() {
            MoveKind::Step(cell) => {
                let from = self.pawns[own].lowest_index().map(S::cell_at_index)?;
                next.pawns[own] = S::from_cell(cell);
                next.paths[own] = next.lattice.find_shortest_path(next.pawns[own], self.goals[own])?;
                next.key ^= ZobristKeys::pawn(self.mover, from) ^ ZobristKeys::pawn(self.mover, cell);
            }
            MoveKind::Wall(wall) => {
                let post = S::from_cell(wall.post);
                next.lattice = self.lattice.with_wall(wall.orientation, post);
                for side in Side::BOTH.map(Side::index) {
                    if !(self.paths[side].blocking_posts[wall.orientation.index()] & post).is_empty() {
                        next.paths[side] =
                            next.lattice.find_shortest_path(self.pawns[side], self.goals[side])?;
                    }
                }
                let hand = self.walls_left[own];
                next.walls_left[own] = hand - 1;
                next.walls_key ^= ZobristKeys::wall(wall);
                next.key ^= ZobristKeys::wall(wall)
                    ^ ZobristKeys::walls_left(self.mover, hand)
                    ^ ZobristKeys::walls_left(self.mover, hand - 1);
            }
        }
        Some(next.after_null_move())
    }

    /// Returns the position with the other side to move.
    pub(super) fn after_null_move(mut self) -> Self {
        self.mover = self.mover.other();
        self.key ^= ZobristKeys::SECOND_TO_MOVE;
        self
    }

    /// Returns the legal moves: pawn moves, then walls. It is slow and meant for the root.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        let steps = self.pawn_targets().cells().map(Move::from);
        let walls = Orientation::BOTH.into_iter().zip(self.candidate_wall_slots()).flat_map(
            |(orientation, posts)| posts.cells().map(move |post| Move::from(Wall { post, orientation })),
        );
        steps.chain(walls).filter(|&mv| self.try_play(mv).is_some()).collect()
    }
}

/// Returns the cells that a pawn can move to: adjacent cells, and cells behind or beside an adjacent other
/// pawn.
pub(super) fn pawn_targets<S: Bitboard>(lattice: &WallGraph<S>, own: S, other: S) -> S {
    let beside = lattice.cells_one_step_away(own);
    if (beside & other).is_empty() {
        return beside;
    }
    let [north, east] = lattice.open;
    let upright = [(other & north).shift_north(), other.shift_south() & north];
    let sideways = [(other & east).shift_east(), other.shift_west() & east];
    // The cell behind the other pawn, and the cells beside it.
    let (behind, sides) = match () {
        () if own.shift_north() == other => (upright[0], sideways),
        () if own.shift_south() == other => (upright[1], sideways),
        () if own.shift_east() == other => (sideways[0], upright),
        () => (sideways[1], upright),
    };
    let jumps = if behind.is_empty() { sides[0] | sides[1] } else { behind };
    beside & !other | jumps
}

/// Returns the number of plies in which the mover certainly wins by running against a side without walls, on
/// boards up to 9x9. `None` proves nothing.
///
/// ```
/// use crosspath::ai::quoridor::board::race_win_plies;
/// use crosspath::games::quoridor::Quoridor;
/// let game = Quoridor::from_position_text("- / - / a6 i6 / 1 0 / 1").expect("a position");
/// assert_eq!(race_win_plies(&game), Some(5));
/// assert_eq!(race_win_plies(&Quoridor::new(9)?), None);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn race_win_plies(game: &Quoridor) -> Option<i32> {
    let is_small = game.width().max(game.height()) <= MAX_SMALL_GRAPH_SIZE;
    is_small.then(|| SearchBoard::<u128>::from(game)).and_then(|board| board.race_win_plies())
}

/// Reports whether the search board agrees with the rules on a running game and after each legal move.
/// Compares moves, distances, keys and path lengths. Tests use it.
///
/// ```
/// use crosspath::ai::quoridor::board::matches_rules_board;
/// use crosspath::games::quoridor::Quoridor;
/// assert!(matches_rules_board(&Quoridor::new(5)?) && matches_rules_board(&Quoridor::new(11)?));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn matches_rules_board(game: &Quoridor) -> bool {
    match game.width().max(game.height()) {
        size if size <= MAX_SMALL_GRAPH_SIZE => SearchBoard::<u128>::from(game).matches_rules(game),
        size if size <= MAX_MIDDLE_GRAPH_SIZE => SearchBoard::<Bitboard15>::from(game).matches_rules(game),
        _ => SearchBoard::<Bitboard25>::from(game).matches_rules(game),
    }
}

impl<S: Bitboard> SearchBoard<S> {
    fn matches_rules(&self, game: &Quoridor) -> bool {
        let (mut own, mut theirs) = (self.legal_moves(), legal_moves(game));
        own.sort_by_key(|mv| mv.move_index());
        theirs.sort_by_key(|mv| mv.move_index());
        let mut game = game.clone();
        own == theirs
            && self.has_matching_state(&game)
            && self.has_matching_detours(&mut game.clone(), &theirs)
            && theirs.into_iter().all(|mv| {
                let next = self.try_play(mv).expect("it is one of its moves");
                with_move_made(&mut game, mv, |game| {
                    game.outcome().is_some() || next.has_matching_state(game)
                })
            })
    }

    /// Reports whether [`SearchBoard::detour_wall_slots`] finds exactly the walls that lengthen the path when
    /// placed.
    fn has_matching_detours(&self, game: &mut Quoridor, moves: &[Move]) -> bool {
        let other = game.to_move().other();
        let before = game.distance_to_goal(other);
        (1..4).all(|least| {
            let detours = self.detour_wall_slots(least);
            moves.iter().all(|&mv| {
                let longer = with_move_made(game, mv, |game| game.distance_to_goal(other)) - before;
                let is_found = |wall: Wall| detours[wall.orientation.index()].contains_cell(wall.post);
                mv.wall().is_none_or(|wall| is_found(wall) == (longer >= least.unsigned_abs()))
            })
        })
    }

    fn has_matching_state(&self, game: &Quoridor) -> bool {
        let fresh = SearchBoard::<S>::from(game);
        let distances =
            Side::BOTH.map(|side| self.steps_to_goal(side) == game.distance_to_goal(side).cast_signed());
        distances == [true; 2]
            && (self.zobrist_key(), self.mover()) == (game.position_key(), game.to_move())
            && (fresh.pawns, fresh.walls_left, fresh.lattice.open)
                == (self.pawns, self.walls_left, self.lattice.open)
    }
}
