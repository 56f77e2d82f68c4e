//! The board of the search: sets of bits, copied with every move, and for each pawn its way to the goal, found anew only
//! where a move has touched it. Equal to the rules' board in moves, distances and keys.

use crate::ai::{after_move, legal_moves};
use crate::game::{Game, Side};
use crate::games::quoridor::{
    Bitboard, Bitboard15, Bitboard25, Cell, MIDDLE, Move, MoveKind, Orientation, Quoridor, SMALL,
    ShortestPath, Wall, WallGraph, ZobristKeys,
};

/// A position as the search sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchBoard<S> {
    lattice: WallGraph<S>,
    /// By side: where the pawn stands, the row that it wins on, a shortest way there.
    pawns: [S; 2],
    goals: [S; 2],
    ways: [ShortestPath<S>; 2],
    hands: [u16; 2],
    mover: Side,
    key: u64,
}

impl<S: Bitboard> From<&Quoridor> for SearchBoard<S> {
    /// The rules' position; both pawns have a way.
    fn from(game: &Quoridor) -> Self {
        let lattice = game.lattice();
        let pawns = Side::each(|side| S::of(game.pawn(side)));
        let goals = Side::each(|side| lattice.goal(game.goal_row(side)));
        let way = |side: Side| {
            lattice.way(pawns[side.index()], goals[side.index()]).expect("the rules keep a path open")
        };
        SearchBoard {
            lattice,
            pawns,
            goals,
            ways: Side::each(way),
            hands: Side::each(|side| game.walls_left(side)),
            mover: game.to_move(),
            key: game.key(),
        }
    }
}

impl<S: Bitboard> SearchBoard<S> {
    /// Returns the side to move.
    pub(super) fn mover(&self) -> Side {
        self.mover
    }

    /// The key of the rules' position.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// Steps of a side to its goal row, pawns ignored.
    pub(super) fn steps(&self, side: Side) -> i32 {
        self.ways[side.index()].steps.cast_signed()
    }

    /// The walls that a side can still build.
    pub(super) fn hand(&self, side: Side) -> i32 {
        self.hands[side.index()].into()
    }

    /// Reports whether nobody can build a wall any more.
    pub(super) fn has_no_walls(&self) -> bool {
        self.hands == [0; 2]
    }

    /// By orientation, the posts of the walls that stand.
    pub(super) fn walls(&self) -> [S; 2] {
        self.lattice.walls
    }

    /// Returns the cell of a side's pawn.
    pub(super) fn pawn(&self, side: Side) -> Option<Cell> {
        self.pawns[side.index()].first().map(S::cell)
    }

    /// Returns the number of files and of rows.
    pub(super) fn size(&self) -> (usize, usize) {
        self.lattice.size()
    }

    /// By orientation, the posts of the walls that would cut the way of a side.
    pub(super) fn cuts(&self, side: Side) -> [S; 2] {
        self.ways[side.index()].cuts
    }

    /// By orientation, the posts where the mover may build as far as other walls are concerned: whether everybody keeps
    /// a way turns out when it is played.
    pub(super) fn posts(&self) -> [S; 2] {
        if self.hands[self.mover.index()] == 0 { [S::NONE; 2] } else { self.lattice.free() }
    }

    /// Returns, by orientation, the posts where the mover may build and the other side's way becomes longer by at least
    /// `least` steps, at least one, if it is not shut in.
    pub(super) fn detours(&self, least: i32) -> [S; 2] {
        let other = self.mover.other().index();
        let short = self.ways[other].steps.saturating_add_signed(least);
        let (mut open, mut found) = (self.posts(), [S::NONE; 2]);
        let keep = |open: &mut [S; 2], way: &ShortestPath<S>| {
            *open = [open[0] & way.cuts[0], open[1] & way.cuts[1]];
        };
        keep(&mut open, &self.ways[other]);
        for orientation in Orientation::BOTH {
            let i = orientation.index();
            while let Some(post) = open[i].first().map(S::one) {
                open[i] = open[i] & !post;
                let (pawn, goal) = (self.pawns[other], self.goals[other]);
                match self.lattice.with(orientation, post).way(pawn, goal) {
                    // Whatever does not cut this way either leaves one that is short enough.
                    Some(way) if way.steps < short => keep(&mut open, &way),
                    Some(_) => found[i] = found[i] | post,
                    None => (),
                }
            }
        }
        found
    }

    /// Returns the cells to which the mover's pawn may go.
    pub(super) fn targets(&self) -> S {
        let [own, other] = [self.mover, self.mover.other()].map(|side| self.pawns[side.index()]);
        targets(&self.lattice, own, other)
    }

    /// Returns the passages that are open to pawns, whatever walls are left; and by side, its pawn and the row that it
    /// wins on.
    pub(super) fn race(&self) -> (&WallGraph<S>, [S; 2], [S; 2]) {
        (&self.lattice, self.pawns, self.goals)
    }

    /// The plies in which the mover wins for certain by running, whatever the other side does, which has no wall left: it gets
    /// to its goal row first, on a way where the other pawn can never be beside it. `None` says nothing.
    pub(super) fn outruns(&self) -> Option<i32> {
        let [me, other] = [self.mover.index(), self.mover.other().index()];
        if self.hands[other] > 0 || self.ways[me].steps > self.ways[other].steps {
            return None;
        }
        // After each own step the other pawn, which is a step behind, must not be beside the own one: then nobody jumps, and it
        // gets no further by its next move than this.
        let mut near = self.pawns[other];
        let (mut own, mut steps) = (self.pawns[me], 0);
        while steps < self.ways[other].steps {
            near = near | self.lattice.ring(near);
            own = self.lattice.ring(own) & !near;
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

    /// Reports whether the pawns stand side by side with no wall between them.
    pub(super) fn pawns_touch(&self) -> bool {
        !(self.lattice.ring(self.pawns[0]) & self.pawns[1]).is_empty()
    }

    /// The cells of the row that the mover wins on.
    pub(super) fn goal(&self) -> S {
        self.goals[self.mover.index()]
    }

    /// The places where the mover's pawn may go, the nearest to its goal row first, and the steps from there, pawns ignored.
    pub(super) fn steps_from_targets(&self, mut found: impl FnMut(Cell, i32)) {
        let (mut targets, mut front, mut steps) = (self.targets(), self.goal(), 0);
        let mut seen = front;
        while !targets.is_empty() {
            (targets & front).cells().for_each(|cell| found(cell, steps));
            targets = targets & !front;
            front = self.lattice.ring(front) & !seen;
            seen = seen | front;
            steps += 1;
        }
    }

    /// The position after a move whose cell is one of the targets, or whose post is one of the posts; `None` if a wall
    /// would shut a pawn in.
    pub(super) fn after(&self, mv: Move) -> Option<Self> {
        let mut next = *self;
        let own = self.mover.index();
        match mv.act() {
            MoveKind::Go(cell) => {
                let from = self.pawns[own].first().map(S::cell)?;
                next.pawns[own] = S::of(cell);
                next.ways[own] = next.lattice.way(next.pawns[own], self.goals[own])?;
                next.key ^= ZobristKeys::pawn(self.mover, from) ^ ZobristKeys::pawn(self.mover, cell);
            }
            MoveKind::Build(wall) => {
                let post = S::of(wall.post);
                next.lattice = self.lattice.with(wall.orientation, post);
                for side in Side::BOTH.map(Side::index) {
                    if !(self.ways[side].cuts[wall.orientation.index()] & post).is_empty() {
                        next.ways[side] = next.lattice.way(self.pawns[side], self.goals[side])?;
                    }
                }
                let hand = self.hands[own];
                next.hands[own] = hand - 1;
                next.key ^= ZobristKeys::wall(wall)
                    ^ ZobristKeys::hand(self.mover, hand)
                    ^ ZobristKeys::hand(self.mover, hand - 1);
            }
        }
        Some(next.passed())
    }

    /// The position with the other side to move.
    pub(super) fn passed(mut self) -> Self {
        self.mover = self.mover.other();
        self.key ^= ZobristKeys::TURN;
        self
    }

    /// The legal moves: steps, then walls. Slow; for the root.
    pub(super) fn moves(&self) -> Vec<Move> {
        let steps = self.targets().cells().map(Move::from);
        let walls = Orientation::BOTH.into_iter().zip(self.posts()).flat_map(|(orientation, posts)| {
            posts.cells().map(move |post| Move::from(Wall { post, orientation }))
        });
        steps.chain(walls).filter(|&mv| self.after(mv).is_some()).collect()
    }
}

/// Returns the cells to which a pawn may go past the other one: the cells beside it, and behind the other pawn or at
/// its sides.
pub(super) fn targets<S: Bitboard>(lattice: &WallGraph<S>, own: S, other: S) -> S {
    let beside = lattice.ring(own);
    if (beside & other).is_empty() {
        return beside;
    }
    let [north, east] = lattice.open;
    let upright = [(other & north).north(), other.south() & north];
    let sideways = [(other & east).east(), other.west() & east];
    // The cell behind the other pawn, and those at its sides.
    let (behind, sides) = match () {
        () if own.north() == other => (upright[0], sideways),
        () if own.south() == other => (upright[1], sideways),
        () if own.east() == other => (sideways[0], upright),
        () => (sideways[1], upright),
    };
    let jumps = if behind.is_empty() { sides[0] | sides[1] } else { behind };
    beside & !other | jumps
}

/// The plies in which the mover of a running game on up to 9x9 wins for certain by running past a side that has no wall left; `None` says
/// nothing.
///
/// ```
/// use crosspath::ai::quoridor::board::outruns;
/// use crosspath::games::quoridor::Quoridor;
/// let game = Quoridor::from_position_text("- / - / a6 i6 / 1 0 / 1").expect("a position");
/// assert_eq!(outruns(&game), Some(5));
/// assert_eq!(outruns(&Quoridor::new(9)?), None);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn outruns(game: &Quoridor) -> Option<i32> {
    let is_small = game.width().max(game.height()) <= SMALL;
    is_small.then(|| SearchBoard::<u128>::from(game)).and_then(|board| board.outruns())
}

/// Reports whether the search sees a running game as the rules do: here and after each legal move the same moves,
/// distances, keys and ways found from move to move as long as those found anew. A law for tests.
///
/// ```
/// use crosspath::ai::quoridor::board::agrees;
/// use crosspath::games::quoridor::Quoridor;
/// assert!(agrees(&Quoridor::new(5)?) && agrees(&Quoridor::new(11)?));
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn agrees(game: &Quoridor) -> bool {
    match game.width().max(game.height()) {
        size if size <= SMALL => SearchBoard::<u128>::from(game).agrees_with(game),
        size if size <= MIDDLE => SearchBoard::<Bitboard15>::from(game).agrees_with(game),
        _ => SearchBoard::<Bitboard25>::from(game).agrees_with(game),
    }
}

impl<S: Bitboard> SearchBoard<S> {
    fn agrees_with(&self, game: &Quoridor) -> bool {
        let (mut own, mut theirs) = (self.moves(), legal_moves(game));
        own.sort_by_key(|mv| mv.move_index());
        theirs.sort_by_key(|mv| mv.move_index());
        let mut game = game.clone();
        own == theirs
            && self.counts_like(&game)
            && self.lengthens_like(&mut game.clone(), &theirs)
            && theirs.into_iter().all(|mv| {
                let next = self.after(mv).expect("it is one of its moves");
                after_move(&mut game, mv, |game| game.outcome().is_some() || next.counts_like(game))
            })
    }

    /// Reports whether the walls that make a long detour are those that do so when they are built.
    fn lengthens_like(&self, game: &mut Quoridor, moves: &[Move]) -> bool {
        let other = game.to_move().other();
        let before = game.distance(other);
        (1..4).all(|least| {
            let detours = self.detours(least);
            moves.iter().all(|&mv| {
                let longer = after_move(game, mv, |game| game.distance(other)) - before;
                let is_found = |wall: Wall| detours[wall.orientation.index()].has(wall.post);
                mv.wall().is_none_or(|wall| is_found(wall) == (longer >= least.unsigned_abs()))
            })
        })
    }

    fn counts_like(&self, game: &Quoridor) -> bool {
        let fresh = SearchBoard::<S>::from(game);
        let distances = Side::BOTH.map(|side| self.steps(side) == game.distance(side).cast_signed());
        distances == [true; 2]
            && (self.key(), self.mover()) == (game.key(), game.to_move())
            && (fresh.pawns, fresh.hands, fresh.lattice.open) == (self.pawns, self.hands, self.lattice.open)
    }
}
