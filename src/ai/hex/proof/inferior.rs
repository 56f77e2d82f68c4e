//! Cells that need not be played: dead and captured ones are filled in, dominated and vulnerable ones are left out. Knows the
//! rings around cells, no connections.

use super::board::ProofBoard;
use super::cells::Cells;
use crate::game::Side;

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Cells that were filled in, by side.
pub(crate) type Filled<const W: usize> = [Cells<W>; 2];

/// The ring of a cell with one more stone of a side in it.
#[derive(Clone, Copy)]
struct Ring([u8; 2]);

impl Ring {
    #[inline]
    fn of<const W: usize>(board: &ProofBoard<W>, cell: usize) -> Self {
        Ring(SIDES.map(|side| board.ring(cell, side)))
    }

    #[inline]
    fn with(mut self, side: Side, place: usize) -> Self {
        self.0[side as usize] |= 1 << place;
        self
    }

    #[inline]
    fn is_dead<const W: usize>(self, board: &ProofBoard<W>) -> bool {
        board.geometry().is_dead(self.0[0], self.0[1])
    }
}

/// Reports whether two cells that touch are captured by a side: `place` is where the second is seen from the first.
/// When the opponent enters one of them, a stone on the other makes that one dead.
///
/// `more` is a cell on which a stone of the side is thought.
#[inline]
fn is_captured<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
    place: usize,
    more: Option<(usize, usize)>,
) -> bool {
    let other = usize::from(board.geometry().around[cell][place]);
    let (mut one, mut two) = (Ring::of(board, cell).with(side, place), Ring::of(board, other));
    two = two.with(side, opposite(place));
    if let Some((from_cell, from_other)) = more {
        one = one.with(side, from_cell);
        two = two.with(side, from_other);
    }
    one.is_dead(board) && two.is_dead(board)
}

/// The place of a cell seen from the cell at `place`.
#[inline]
fn opposite(place: usize) -> usize {
    (place + 3) % 6
}

/// Fills dead cells and captured pairs until there are none. Who wins does not change, whoever is to move: a dead cell joins
/// nothing, and for a captured pair its side has an answer inside the pair.
///
/// The stones that are put can be taken back.
pub fn fill_in<const W: usize>(board: &mut ProofBoard<W>) -> Filled<W> {
    fill_in_telling(board, |_, _| ())
}

/// Fills as [`fill_in`] does, and reports each dead cell and each pair when it is filled.
pub(super) fn fill_in_telling<const W: usize>(
    board: &mut ProofBoard<W>,
    mut tell: impl FnMut(Side, &[usize]),
) -> Filled<W> {
    let mut filled = [Cells::EMPTY; 2];
    let mut open = board.empty();
    while !open.is_empty() && board.winner().is_none() {
        let mut touched = Cells::EMPTY;
        for cell in &open {
            if !board.empty().contains(cell) {
                continue;
            }
            if Ring::of(board, cell).is_dead(board) {
                // Any colour will do; a stone of its larger half hinders nobody.
                put(board, &mut filled, &mut touched, Side::First, &[cell]);
                tell(Side::First, &[cell]);
                continue;
            }
            let captured = (0..6).find_map(|place| captured_at(board, cell, place));
            if let Some((side, other)) = captured {
                put(board, &mut filled, &mut touched, side, &[cell, other]);
                tell(side, &[cell, other]);
            }
        }
        open = touched & board.empty();
    }
    filled
}

/// The side that captures a cell together with its neighbour at a place, and that neighbour.
fn captured_at<const W: usize>(board: &ProofBoard<W>, cell: usize, place: usize) -> Option<(Side, usize)> {
    let other = usize::from(board.geometry().around[cell][place]);
    if other >= board.geometry().cells || !board.empty().contains(other) {
        return None;
    }
    SIDES.into_iter().find(|&side| is_captured(board, side, cell, place, None)).map(|side| (side, other))
}

fn put<const W: usize>(
    board: &mut ProofBoard<W>,
    filled: &mut Filled<W>,
    touched: &mut Cells<W>,
    side: Side,
    cells: &[usize],
) {
    for &cell in cells {
        board.put(side, cell);
        filled[side as usize].insert(cell);
        // The rings of neighbours have changed, and through them pairs one step further.
        let near = board.geometry().beside[cell];
        *touched |= near.iter().fold(near, |all, beside| all | board.geometry().beside[beside]);
    }
}

/// The cells that a stone of `side` on `cell` would capture, in pairs that have no cell in common.
#[must_use]
pub(crate) fn captured_by<const W: usize>(board: &ProofBoard<W>, side: Side, cell: usize) -> Cells<W> {
    let mut found = Cells::EMPTY;
    each_captured(board, side, cell, |pair| {
        if !found.meets(&pair) {
            found |= pair;
        }
    });
    found
}

fn each_captured<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
    mut tell: impl FnMut(Cells<W>),
) {
    let (around, cells) = (&board.geometry().around[cell], board.geometry().cells);
    let empty = board.empty();
    let is_free = |node: usize| node < cells && empty.contains(node);
    for place in 0..6 {
        let (one, two) = (usize::from(around[place]), usize::from(around[(place + 1) % 6]));
        // Seen from the cell at `place`, the next one round the centre lies two places further on.
        if is_free(one) && is_free(two) {
            let more = Some((opposite(place), opposite((place + 1) % 6)));
            if is_captured(board, side, one, (place + 2) % 6, more) {
                tell(Cells::of(one) | Cells::of(two));
            }
        }
    }
}

/// Moves that a side may leave out, and the cells because of which it may: none of those is left out itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inferior<const W: usize> {
    /// Moves that may be left out.
    pub moves: Cells<W>,
    /// The cells that kill or dominate them.
    pub reasons: Cells<W>,
}

/// The moves among `moves` that `side`, which is to move, may leave out because another move wins if they do.
///
/// A move is *dominated* if a stone on another cell would capture it; it may go while that cell stays. A move is *vulnerable* if
/// the opponent's reply beside it, with the pairs that this captures, makes the stone dead; it may go while the cell of the reply
/// is not vulnerable itself. Why: a stone that is killed could as well be the opponent's, so that a win after it is a win by a
/// third move too, and after it by a fourth, until one that is not vulnerable is found.
#[must_use]
pub fn inferior<const W: usize>(board: &ProofBoard<W>, side: Side, moves: Cells<W>) -> Inferior<W> {
    let (empty, cells) = (board.empty(), board.geometry().cells);
    // 1. Dominated moves
    let [mut dominated, mut dominators] = [Cells::EMPTY; 2];
    for cell in &moves {
        if dominated.contains(cell) {
            continue;
        }
        let mut captured = Cells::EMPTY;
        each_captured(board, side, cell, |pair| captured |= pair);
        captured = (captured & moves).minus(&(dominated | dominators));
        if !captured.is_empty() {
            dominated |= captured;
            dominators.insert(cell);
        }
    }
    // 2. Vulnerable ones
    let [mut vulnerable, mut killers, mut used] = [Cells::<W>::EMPTY; 3];
    for cell in &moves.minus(&(dominated | dominators)) {
        if killers.contains(cell) {
            continue;
        }
        let able = |&killer: &usize| killer < cells && empty.contains(killer) && !vulnerable.contains(killer);
        let around = board.geometry().around[cell].map(usize::from);
        let kills = |killer: usize| killed_by(board, side, cell, killer).map(|needed| (killer, needed));
        if let Some((killer, needed)) = around.into_iter().filter(able).find_map(kills) {
            vulnerable.insert(cell);
            killers.insert(killer);
            used |= needed;
        }
    }
    Inferior { moves: dominated | vulnerable, reasons: dominators | used }
}

/// The cells, if there are some, that make a stone of `side` on `cell` dead after the opponent's reply on `killer` beside it.
fn killed_by<const W: usize>(
    board: &ProofBoard<W>,
    side: Side,
    cell: usize,
    killer: usize,
) -> Option<Cells<W>> {
    let around = &board.geometry().around[cell];
    let ring_with = |cells: Cells<W>| {
        let places = around.iter().enumerate();
        let more = places
            .filter(|&(_, &node)| usize::from(node) < board.geometry().cells && cells.contains(node.into()));
        more.fold(Ring::of(board, cell), |ring, (place, _)| ring.with(side.other(), place))
    };
    let alone = Cells::of(killer);
    if ring_with(alone).is_dead(board) {
        return Some(alone);
    }
    let captured = captured_by(board, side.other(), killer);
    let all = alone | captured;
    (!captured.contains(cell) && ring_with(all).is_dead(board)).then_some(all)
}
