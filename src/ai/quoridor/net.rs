//! The Quoridor network, which corrects the fitted evaluation. This module encodes positions as its inputs.

use std::sync::{Arc, LazyLock};

use super::board::SearchBoard;
use super::detours::{DetourCache, DetourCounts};
use super::eval::evaluate_by_terms;
use crate::ai::net::{HiddenSums, NetLoadError, SparseNet};
use crate::ai::{EngineBuildError, EngineConfig};
use crate::game::Side;
use crate::games::quoridor::{Bitboard, Cell, Move, Orientation, Quoridor, Wall};

/// Number of files, and of rows, of the boards that the network supports.
const NET_BOARD_SIZE: usize = 9;
/// Number of cells of a board that the network supports.
const NET_BOARD_CELLS: usize = NET_BOARD_SIZE * NET_BOARD_SIZE;
/// Number of wall slots, per orientation, of a board that the network supports.
const NET_WALL_SLOTS: usize = (NET_BOARD_SIZE - 1) * (NET_BOARD_SIZE - 1);
/// Largest number of steps to go with an input of its own; larger numbers share this input.
const MAX_INPUT_STEPS: usize = 20;
/// Largest number of walls left, per side, that the network supports.
const MAX_NET_WALLS: usize = 10;
/// Largest number of steps that one wall adds with an input of its own; larger numbers share this input.
const MAX_INPUT_DETOUR: usize = 12;
/// Largest numbers of walls that add at least 1, 2 and 4 steps with an input of their own, likewise.
const MAX_INPUT_DETOUR_WALLS: [usize; 3] = [20, 16, 12];
/// Number of groups of inputs.
const INPUT_GROUPS: usize = 16;
/// Number of inputs of a position that are not walls.
const PIECE_INPUTS: usize = 14;
/// Index of the first input of each group, and finally the number of inputs.
///
/// The groups are the pawns of both sides, horizontal and vertical walls, the steps of both sides, the walls
/// left of both sides, and what a wall can do to the path of both sides: the steps that the best one adds, and
/// the numbers of walls that add at least 1, 2 and 4 steps.
const INPUT_GROUP_OFFSETS: [usize; INPUT_GROUPS + 1] = {
    let widths = [
        NET_BOARD_CELLS,
        NET_BOARD_CELLS,
        NET_WALL_SLOTS,
        NET_WALL_SLOTS,
        MAX_INPUT_STEPS + 1,
        MAX_INPUT_STEPS + 1,
        MAX_NET_WALLS + 1,
        MAX_NET_WALLS + 1,
        MAX_INPUT_DETOUR + 1,
        MAX_INPUT_DETOUR + 1,
        MAX_INPUT_DETOUR_WALLS[0] + 1,
        MAX_INPUT_DETOUR_WALLS[0] + 1,
        MAX_INPUT_DETOUR_WALLS[1] + 1,
        MAX_INPUT_DETOUR_WALLS[1] + 1,
        MAX_INPUT_DETOUR_WALLS[2] + 1,
        MAX_INPUT_DETOUR_WALLS[2] + 1,
    ];
    let (mut begins, mut i) = ([0; INPUT_GROUPS + 1], 0);
    while i < widths.len() {
        begins[i + 1] = begins[i] + widths[i];
        i += 1;
    }
    begins
};
/// Smallest number of walls left, of both sides together, in each bucket of output weights.
const WALL_COUNT_BUCKETS: [usize; 6] = [0, 1, 3, 6, 10, 15];

/// Reads a network from the bytes of a file.
///
/// ```
/// use crosspath::ai::quoridor::net::read_network;
/// assert!(read_network(&std::fs::read("nets/quoridor.safetensors")?).is_ok());
/// let error = read_network(&std::fs::read("nets/hex.safetensors")?).unwrap_err();
/// assert_eq!(error.to_string(), "the file is a network for hex");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error with the reason if the bytes are not a Quoridor network.
pub fn read_network(bytes: &[u8]) -> Result<SparseNet, NetLoadError> {
    SparseNet::from_bytes(bytes, "quoridor", INPUT_GROUP_OFFSETS[INPUT_GROUPS], &WALL_COUNT_BUCKETS)
}

/// The network built into the program.
static BUILT_IN_NETWORK: LazyLock<Option<Arc<SparseNet>>> = LazyLock::new(|| {
    #[cfg(feature = "nets")]
    let bytes = include_bytes!("../../../nets/quoridor.safetensors");
    #[cfg(not(feature = "nets"))]
    let bytes = &[];
    read_network(bytes).ok().map(Arc::new)
});

/// Returns the network built into the program, if there is one.
pub(super) fn built_in_network() -> Option<Arc<SparseNet>> {
    BUILT_IN_NETWORK.clone()
}

/// Returns the configured network, or else the built-in one.
///
/// # Errors
/// If the configured file is not a Quoridor network.
pub(super) fn load_network(config: &EngineConfig) -> Result<Option<Arc<SparseNet>>, EngineBuildError> {
    let Some(weights) = &config.weights else { return Ok(built_in_network()) };
    let bad = |why: NetLoadError| EngineBuildError::BadWeights {
        name: weights.name().to_owned(),
        why: why.to_string(),
    };
    Ok(Some(Arc::new(read_network(weights.bytes()).map_err(bad)?)))
}

/// Reports whether the network supports a game's board and number of walls.
pub(super) fn supports_game(game: &Quoridor) -> bool {
    let [first, second] = Side::map_both(|side| usize::from(game.walls_left(side)));
    (game.width(), game.height()) == (NET_BOARD_SIZE, NET_BOARD_SIZE)
        && first.max(second) <= MAX_NET_WALLS
        // No position in a search from here may have more inputs than the sums can hold.
        && usize::try_from(game.wall_count()).is_ok_and(|placed| placed + first + second <= 2 * MAX_NET_WALLS)
}

/// First-layer sums of the placed walls from the point of view of each side, [`Side::First`] first.
pub(super) type WallSums = [HiddenSums; 2];

/// Returns the first-layer sums of the walls of a position.
pub(super) fn wall_sums<S: Bitboard>(network: &SparseNet, board: &SearchBoard<S>) -> WallSums {
    Side::map_both(|side| {
        let mut sums = network.initial_sums();
        for (orientation, posts) in Orientation::BOTH.into_iter().zip(board.placed_walls()) {
            posts.cells().for_each(|post| {
                network.add_input(&mut sums, wall_input_index(Wall { post, orientation }, side));
            });
        }
        sums
    })
}

/// Copies the sums `from` to `to`, and adds a wall to the copy.
pub(super) fn copy_sums_with_wall(network: &SparseNet, from: &WallSums, wall: Wall, to: &mut WallSums) {
    for (side, (from, to)) in Side::BOTH.into_iter().zip(from.iter().zip(to)) {
        network.copy_with_input(from, wall_input_index(wall, side), to);
    }
}

/// Returns the network's correction to the value of a supported position, for the mover. `walls` are the sums
/// of that position, `detours` the counts of the mover's and of the other path.
pub(super) fn network_correction<S: Bitboard>(
    network: &SparseNet,
    walls: &WallSums,
    board: &SearchBoard<S>,
    detours: [DetourCounts; 2],
) -> i32 {
    let (inputs, case) = position_inputs(board, detours);
    network.evaluate(&walls[board.mover().index()], &inputs, case)
}

/// Returns the inputs other than walls, and the bucket.
fn position_inputs<S: Bitboard>(
    board: &SearchBoard<S>,
    detours: [DetourCounts; 2],
) -> ([u16; PIECE_INPUTS], usize) {
    let sides = [board.mover(), board.mover().other()];
    let (mut inputs, mut hands) = ([0; PIECE_INPUTS], 0);
    for (i, side) in sides.into_iter().enumerate() {
        let steps = (board.steps_to_goal(side).unsigned_abs() as usize).min(MAX_INPUT_STEPS);
        let hand = (board.walls_left(side).unsigned_abs() as usize).min(MAX_NET_WALLS);
        let pawn =
            board.pawn_cell(side).map_or(0, |cell| oriented_cell_index(cell, NET_BOARD_SIZE, sides[0]));
        hands += hand;
        inputs[i] = input_index(i, pawn);
        inputs[2 + i] = input_index(4 + i, steps);
        inputs[4 + i] = input_index(6 + i, hand);
        let DetourCounts { longest, walls } = detours[i];
        inputs[6 + i] = input_index(8 + i, usize::from(longest).min(MAX_INPUT_DETOUR));
        for (kind, (count, most)) in walls.into_iter().zip(MAX_INPUT_DETOUR_WALLS).enumerate() {
            inputs[8 + 2 * kind + i] = input_index(10 + 2 * kind + i, usize::from(count).min(most));
        }
    }
    (inputs, WALL_COUNT_BUCKETS.partition_point(|&least| least <= hands) - 1)
}

/// Evaluates a position with a network, for the mover.
///
/// Returns the raw output sum, and the correction to the fitted value in hundredths of a step (250 are one
/// unit of log odds). Returns `None` on boards that the network does not support.
///
/// ```
/// use crosspath::ai::quoridor::net::{evaluate_network, read_network};
/// use crosspath::games::quoridor::Quoridor;
/// let network = read_network(&std::fs::read("nets/quoridor.safetensors")?)?;
/// assert!(evaluate_network(&network, &Quoridor::new(9)?).is_some());
/// assert!(evaluate_network(&network, &Quoridor::new(7)?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn evaluate_network(network: &SparseNet, game: &Quoridor) -> Option<(i32, i32)> {
    let board = supports_game(game).then(|| SearchBoard::<u128>::from(game))?;
    let (inputs, case) = position_inputs(&board, DetourCache::with_entries(1).counts_for_mover(&board));
    let walls = &wall_sums(network, &board)[board.mover().index()];
    Some((network.output_sum(walls, &inputs, case), network.evaluate(walls, &inputs, case)))
}

/// Returns the value of a running game for the mover without a search: by the fitted terms, and by the
/// built-in network if it supports the board.
pub(crate) fn evaluate_statically(game: &Quoridor) -> i32 {
    let correction = built_in_network().and_then(|network| evaluate_network(&network, game));
    evaluate_by_terms(game) + correction.map_or(0, |(_, value)| value)
}

/// Reports whether incremental wall sums equal those computed from scratch, for every legal wall of a
/// supported position. Tests use it.
///
/// ```
/// use crosspath::ai::quoridor::net::{has_consistent_wall_sums, read_network};
/// use crosspath::games::quoridor::Quoridor;
/// let network = read_network(&std::fs::read("nets/quoridor.safetensors")?)?;
/// assert!(has_consistent_wall_sums(&network, &Quoridor::new(9)?));
/// assert!(!has_consistent_wall_sums(&network, &Quoridor::new(7)?), "the network is for 9x9 only");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn has_consistent_wall_sums(network: &SparseNet, game: &Quoridor) -> bool {
    let Some(board) = supports_game(game).then(|| SearchBoard::<u128>::from(game)) else { return false };
    let (before, mut grown) = (wall_sums(network, &board), WallSums::default());
    let built = board.legal_moves().into_iter().filter_map(Move::wall);
    built.into_iter().all(|wall| {
        copy_sums_with_wall(network, &before, wall, &mut grown);
        board.try_play(wall.into()).is_some_and(|next| grown == wall_sums(network, &next))
    })
}

/// Returns the index of an input from its group and its number in the group.
fn input_index(kind: usize, number: usize) -> u16 {
    u16::try_from(INPUT_GROUP_OFFSETS[kind] + number).expect("a few hundred inputs")
}

/// Returns the index of a cell or wall slot on a square of `rows` rows, counted from the point of view of
/// `side`.
fn oriented_cell_index(cell: Cell, rows: usize, side: Side) -> usize {
    let row = if side == Side::First { cell.row() } else { rows - 1 - cell.row() };
    row * rows + cell.file()
}

fn wall_input_index(wall: Wall, side: Side) -> u16 {
    input_index(2 + wall.orientation.index(), oriented_cell_index(wall.post, NET_BOARD_SIZE - 1, side))
}
