//! The network of Quoridor: what it adds to the evaluation by terms. Knows how a position is shown to it.

use std::sync::{Arc, LazyLock};

use super::board::SearchBoard;
use super::eval::evaluate;
use crate::ai::net::{NetError, SparseNet, Sums};
use crate::ai::{BuildError, EngineConfig};
use crate::game::Side;
use crate::games::quoridor::{Bitboard, Cell, Move, Orientation, Quoridor, Wall};

/// Files and rows of the boards that it knows.
const SIZE: usize = 9;
const CELLS: usize = SIZE * SIZE;
const POSTS: usize = (SIZE - 1) * (SIZE - 1);
/// More steps than these look the same.
const MAX_STEPS: usize = 20;
/// The most walls in a hand.
const MAX_WALLS: usize = 10;
/// First inputs of each kind: both pawns, horizontal and vertical walls, steps of both sides, their walls left; then
/// the number of inputs.
const FIRST_INPUTS: [usize; 9] = {
    let widths = [CELLS, CELLS, POSTS, POSTS, MAX_STEPS + 1, MAX_STEPS + 1, MAX_WALLS + 1, MAX_WALLS + 1];
    let (mut begins, mut i) = ([0; 9], 0);
    while i < widths.len() {
        begins[i + 1] = begins[i] + widths[i];
        i += 1;
    }
    begins
};
/// The walls in both hands from which on each case holds.
const WALL_COUNT_BUCKETS: [usize; 6] = [0, 1, 3, 6, 10, 15];

/// Reads a network from a file.
///
/// # Errors
/// Says in what way the bytes are no such network.
pub fn read(bytes: &[u8]) -> Result<SparseNet, NetError> {
    SparseNet::read(bytes, "quoridor", FIRST_INPUTS[8], &WALL_COUNT_BUCKETS)
}

/// The network that the program carries.
static BUILT_IN: LazyLock<Option<Arc<SparseNet>>> = LazyLock::new(|| {
    #[cfg(feature = "nets")]
    let bytes = include_bytes!("../../../nets/quoridor.safetensors");
    #[cfg(not(feature = "nets"))]
    let bytes = &[];
    read(bytes).ok().map(Arc::new)
});

/// The network that the program carries, if it does.
pub(super) fn built_in_network() -> Option<Arc<SparseNet>> {
    BUILT_IN.clone()
}

/// The network of the configuration, or the program's own.
///
/// # Errors
/// If what the configuration names is no network of Quoridor.
pub(super) fn of(config: &EngineConfig) -> Result<Option<Arc<SparseNet>>, BuildError> {
    let Some(weights) = &config.weights else { return Ok(built_in_network()) };
    let bad =
        |why: NetError| BuildError::BadWeights { name: weights.name().to_owned(), why: why.to_string() };
    Ok(Some(Arc::new(read(weights.bytes()).map_err(bad)?)))
}

/// Reports whether the network knows such games.
pub(super) fn knows(game: &Quoridor) -> bool {
    let [first, second] = Side::each(|side| usize::from(game.walls_left(side)));
    (game.width(), game.height()) == (SIZE, SIZE)
        && first.max(second) <= MAX_WALLS
        // No search from here can come to more inputs than a sum has room for.
        && usize::try_from(game.wall_count()).is_ok_and(|standing| standing + first + second <= 2 * MAX_WALLS)
}

/// The walls that stand as the network sees them from both sides, [`Side::First`] before [`Side::Second`].
pub(super) type WallSums = [Sums; 2];

/// Returns the walls of a position as the network sees them.
pub(super) fn walls<S: Bitboard>(network: &SparseNet, board: &SearchBoard<S>) -> WallSums {
    Side::each(|side| {
        let mut sums = network.none();
        for (orientation, posts) in Orientation::BOTH.into_iter().zip(board.walls()) {
            posts
                .cells()
                .for_each(|post| network.add(&mut sums, wall_input(Wall { post, orientation }, side)));
        }
        sums
    })
}

/// Copies the walls of `from` to `to` with one more.
pub(super) fn with_wall(network: &SparseNet, from: &WallSums, wall: Wall, to: &mut WallSums) {
    for (side, (from, to)) in Side::BOTH.into_iter().zip(from.iter().zip(to)) {
        network.copy_with(from, wall_input(wall, side), to);
    }
}

/// Returns the correction of the network to the value of a position that it knows, for the mover; `walls` are those of
/// the position.
pub(super) fn value<S: Bitboard>(network: &SparseNet, walls: &WallSums, board: &SearchBoard<S>) -> i32 {
    let (inputs, case) = inputs(board);
    network.value(&walls[board.mover().index()], &inputs, case)
}

/// The inputs beside the walls, and the case.
fn inputs<S: Bitboard>(board: &SearchBoard<S>) -> ([u16; 6], usize) {
    let sides = [board.mover(), board.mover().other()];
    let (mut inputs, mut hands) = ([0; 6], 0);
    for (i, side) in sides.into_iter().enumerate() {
        let steps = (board.steps(side).unsigned_abs() as usize).min(MAX_STEPS);
        let hand = (board.hand(side).unsigned_abs() as usize).min(MAX_WALLS);
        let pawn = board.pawn(side).map_or(0, |cell| place(cell, SIZE, sides[0]));
        hands += hand;
        inputs[3 * i] = input(i, pawn);
        inputs[3 * i + 1] = input(4 + i, steps);
        inputs[3 * i + 2] = input(6 + i, hand);
    }
    (inputs, WALL_COUNT_BUCKETS.partition_point(|&least| least <= hands) - 1)
}

/// Returns the output of a network for a position on its boards, for the mover: the sum, and its correction to the
/// value by terms, in the units of the search (250 are one unit of log odds). `None` on boards that it does not know.
///
/// ```
/// use crosspath::ai::quoridor::net::{judge, read};
/// use crosspath::games::quoridor::Quoridor;
/// let network = read(&std::fs::read("nets/quoridor.safetensors")?)?;
/// assert!(judge(&network, &Quoridor::new(9)?).is_some() && judge(&network, &Quoridor::new(7)?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn judge(network: &SparseNet, game: &Quoridor) -> Option<(i32, i32)> {
    let board = knows(game).then(|| SearchBoard::<u128>::from(game))?;
    let (inputs, case) = inputs(&board);
    let walls = &walls(network, &board)[board.mover().index()];
    Some((network.sum(walls, &inputs, case), network.value(walls, &inputs, case)))
}

/// Returns the value of a running game for the mover without a search: by the terms, and by the program's own network
/// where that knows the board.
pub(crate) fn at_a_glance(game: &Quoridor) -> i32 {
    let correction = built_in_network().and_then(|network| judge(&network, game));
    evaluate(game) + correction.map_or(0, |(_, value)| value)
}

/// Reports whether walls that are added one by one are those that are seen at once, after every wall that can be built
/// in a position on the boards of the network. A law for tests.
#[must_use]
pub fn grows_alike(network: &SparseNet, game: &Quoridor) -> bool {
    let Some(board) = knows(game).then(|| SearchBoard::<u128>::from(game)) else { return false };
    let (before, mut grown) = (walls(network, &board), WallSums::default());
    let built = board.moves().into_iter().filter_map(Move::wall);
    built.into_iter().all(|wall| {
        with_wall(network, &before, wall, &mut grown);
        board.after(wall.into()).is_some_and(|next| grown == walls(network, &next))
    })
}

/// The number of an input by its kind and its number there.
fn input(kind: usize, number: usize) -> u16 {
    u16::try_from(FIRST_INPUTS[kind] + number).expect("a few hundred inputs")
}

/// Returns the number of a cell or a post, rows counted from the side that looks, on a square of `rows` rows.
fn place(cell: Cell, rows: usize, side: Side) -> usize {
    let row = if side == Side::First { cell.row() } else { rows - 1 - cell.row() };
    row * rows + cell.file()
}

fn wall_input(wall: Wall, side: Side) -> u16 {
    input(2 + wall.orientation.index(), place(wall.post, SIZE - 1, side))
}
