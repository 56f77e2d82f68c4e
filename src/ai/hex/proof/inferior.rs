//! Inferior cells: dead and captured cells are filled in, dominated and vulnerable moves are pruned. This
//! module depends on the rings around cells, not on connections.

use super::board::ProofBoard;
use super::cells::CellSet;
use crate::game::Side;

const BOTH_SIDES: [Side; 2] = [Side::First, Side::Second];

/// Filled-in cells, by side.
pub(crate) type FilledCells<const W: usize> = [CellSet<W>; 2];

/// Stones in the ring around a cell, as a mask per side.
#[derive(Clone, Copy)]
struct CellRing([u8; 2]);

impl CellRing {
    #[inline]
    fn around_cell<const W: usize>(board: &ProofBoard<W>, cell: usize) -> Self {
        CellRing(BOTH_SIDES.map(|side| board.ring_mask(cell, side)))
    }

    #[inline]
    fn with_stone(mut self, side: Side, place: usize) -> Self {
        self.0[side as usize] |= 1 << place;
        self
    }

    #[inline]
    fn is_dead<const W: usize>(self, board: &ProofBoard<W>) -> bool {
        board.geometry().is_dead_ring(self.0[0], self.0[1])
    }
}

/// Reports whether a side captures two adjacent cells, `cell` and its neighbour at ring index `place`. If the
/// opponent plays on one of them, a stone on the other makes it dead.
///
/// `more` adds a hypothetical stone of the side: its place as seen from each of the two cells.
#[inline]
fn is_captured_pair<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
    place: usize,
    more: Option<(usize, usize)>,
) -> bool {
    let other = usize::from(board.geometry().around[cell][place]);
    let (mut one, mut two) =
        (CellRing::around_cell(board, cell).with_stone(side, place), CellRing::around_cell(board, other));
    two = two.with_stone(side, opposite_place(place));
    if let Some((from_cell, from_other)) = more {
        one = one.with_stone(side, from_cell);
        two = two.with_stone(side, from_other);
    }
    one.is_dead(board) && two.is_dead(board)
}

/// Returns the ring index at which a cell lies around its neighbour at ring index `place`.
#[inline]
fn opposite_place(place: usize) -> usize {
    (place + 3) % 6
}

/// Fills in dead cells and captured pairs until none are left. The winner does not change, whoever is to
/// move: a dead cell joins nothing, and the side that captures a pair has an answer inside the pair.
///
/// The stones placed can be removed with [`ProofBoard::remove_last_stone`].
pub fn fill_dead_and_captured<const W: usize>(board: &mut ProofBoard<W>) -> FilledCells<W> {
    fill_and_report(board, |_, _| ())
}

/// Fills in cells like [`fill_dead_and_captured`] does, and calls `report` for each dead cell and each pair.
pub(super) fn fill_and_report<const W: usize>(
    board: &mut ProofBoard<W>,
    mut report: impl FnMut(Side, &[usize]),
) -> FilledCells<W> {
    let mut filled = [CellSet::EMPTY; 2];
    let mut open = board.empty_cells();
    while !open.is_empty() && board.winner().is_none() {
        let mut touched = CellSet::EMPTY;
        for cell in &open {
            if !board.empty_cells().contains(cell) {
                continue;
            }
            if CellRing::around_cell(board, cell).is_dead(board) {
                // Any colour will do: a stone on a dead cell never matters.
                fill_cells(board, &mut filled, &mut touched, Side::First, &[cell]);
                report(Side::First, &[cell]);
                continue;
            }
            let captured = (0..6).find_map(|place| find_capturing_side(board, cell, place));
            if let Some((side, other)) = captured {
                fill_cells(board, &mut filled, &mut touched, side, &[cell, other]);
                report(side, &[cell, other]);
            }
        }
        open = touched & board.empty_cells();
    }
    filled
}

/// Returns the side that captures a cell together with its neighbour at a ring index, and that neighbour.
fn find_capturing_side<const W: usize>(
    board: &ProofBoard<W>,
    cell: usize,
    place: usize,
) -> Option<(Side, usize)> {
    let other = usize::from(board.geometry().around[cell][place]);
    if other >= board.geometry().cells || !board.empty_cells().contains(other) {
        return None;
    }
    BOTH_SIDES
        .into_iter()
        .find(|&side| is_captured_pair(board, side, cell, place, None))
        .map(|side| (side, other))
}

fn fill_cells<const W: usize>(
    board: &mut ProofBoard<W>,
    filled: &mut FilledCells<W>,
    touched: &mut CellSet<W>,
    side: Side,
    cells: &[usize],
) {
    for &cell in cells {
        board.place_stone(side, cell);
        filled[side as usize].insert(cell);
        // The rings of the neighbours have changed, and with them the pairs one step further.
        let near = board.geometry().neighbours[cell];
        *touched |= near.iter().fold(near, |all, beside| all | board.geometry().neighbours[beside]);
    }
}

/// Returns the cells that a stone of `side` on `cell` would capture, in disjoint pairs.
#[must_use]
pub(crate) fn cells_captured_by_stone<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
) -> CellSet<W> {
    let mut found = CellSet::EMPTY;
    for_each_captured_pair(board, side, cell, |pair| {
        if !found.intersects(&pair) {
            found |= pair;
        }
    });
    found
}

fn for_each_captured_pair<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
    mut report: impl FnMut(CellSet<W>),
) {
    let (around, cells) = (&board.geometry().around[cell], board.geometry().cells);
    let empty = board.empty_cells();
    let is_free = |node: usize| node < cells && empty.contains(node);
    for place in 0..6 {
        let (one, two) = (usize::from(around[place]), usize::from(around[(place + 1) % 6]));
        // As seen from the cell at `place`, the next cell of the ring is two places further.
        if is_free(one) && is_free(two) {
            let more = Some((opposite_place(place), opposite_place((place + 1) % 6)));
            if is_captured_pair(board, side, one, (place + 2) % 6, more) {
                report(CellSet::single(one) | CellSet::single(two));
            }
        }
    }
}

/// Moves that a side may skip, with the cells that justify skipping them. Those cells are never skipped
/// themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InferiorMoves<const W: usize> {
    /// Moves that may be skipped.
    pub moves: CellSet<W>,
    /// Cells that kill or dominate the skipped moves.
    pub reasons: CellSet<W>,
}

/// Returns the moves of the side to move that it may skip: if one of them wins, so does a move that is not
/// skipped.
///
/// A move is *dominated* if a stone on another cell would capture it; it may be skipped while that cell
/// stays. A move is *vulnerable* if an adjacent reply of the opponent, with the pairs that the reply
/// captures, makes the stone dead; it may be skipped while the reply's cell is not vulnerable itself. A
/// killed stone could as well be the opponent's. So if a vulnerable move wins, another move wins too, and so
/// on until a move that is not vulnerable.
#[must_use]
pub fn find_inferior_moves<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    moves: CellSet<W>,
) -> InferiorMoves<W> {
    let (empty, cells) = (board.empty_cells(), board.geometry().cells);
    // 1. Dominated moves
    let [mut dominated, mut dominators] = [CellSet::EMPTY; 2];
    for cell in &moves {
        if dominated.contains(cell) {
            continue;
        }
        let mut captured = CellSet::EMPTY;
        for_each_captured_pair(board, side, cell, |pair| captured |= pair);
        captured = (captured & moves).difference(&(dominated | dominators));
        if !captured.is_empty() {
            dominated |= captured;
            dominators.insert(cell);
        }
    }
    // 2. Vulnerable moves
    let [mut vulnerable, mut killers, mut used] = [CellSet::<W>::EMPTY; 3];
    for cell in &moves.difference(&(dominated | dominators)) {
        if killers.contains(cell) {
            continue;
        }
        let able = |&killer: &usize| killer < cells && empty.contains(killer) && !vulnerable.contains(killer);
        let around = board.geometry().around[cell].map(usize::from);
        let kills =
            |killer: usize| cells_killing_stone(board, side, cell, killer).map(|needed| (killer, needed));
        if let Some((killer, needed)) = around.into_iter().filter(able).find_map(kills) {
            vulnerable.insert(cell);
            killers.insert(killer);
            used |= needed;
        }
    }
    InferiorMoves { moves: dominated | vulnerable, reasons: dominators | used }
}

/// Returns the cells that make a stone of `side` on `cell` dead after the opponent's adjacent reply on
/// `killer`, or `None` if it stays alive.
fn cells_killing_stone<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
    killer: usize,
) -> Option<CellSet<W>> {
    let around = &board.geometry().around[cell];
    let ring_with = |cells: CellSet<W>| {
        let places = around.iter().enumerate();
        let more = places
            .filter(|&(_, &node)| usize::from(node) < board.geometry().cells && cells.contains(node.into()));
        more.fold(CellRing::around_cell(board, cell), |ring, (place, _)| ring.with_stone(side.other(), place))
    };
    let alone = CellSet::single(killer);
    if ring_with(alone).is_dead(board) {
        return Some(alone);
    }
    let captured = cells_captured_by_stone(board, side.other(), killer);
    let all = alone | captured;
    (!captured.contains(cell) && ring_with(all).is_dead(board)).then_some(all)
}
