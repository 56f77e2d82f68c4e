//! Winning replies on 7x7 that take the prover long. Knows the rules and a list that `examples/hex_replies.rs` has made.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::board::names::read_cell;
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex, Move, SwapRule};

/// Lines such as `d1 c4=e3`: the stones in the order of play, and the reply.
const LISTED: &str = include_str!("../../../openings/hex-7x7-replies.txt");
/// The board that it is about.
const SIZE: usize = 7;

/// By key of the board or, if that is smaller, of the turned board, the reply there.
static REPLIES: LazyLock<BTreeMap<u64, Cell>> = LazyLock::new(|| {
    let replies = LISTED.lines().filter_map(|line| {
        let (stones, reply) = line.split_once('=')?;
        let mut game = Hex::new(SIZE, SwapRule::Off).ok()?;
        for stone in stones.split(' ') {
            game.make(Move::Place(cell(&game, stone)?));
        }
        let ((key, is_turned), reply) = (game.either_key(), cell(&game, reply)?);
        Some((key, if is_turned { game.grid().turned(reply) } else { reply }))
    });
    replies.collect()
});

fn cell(game: &Hex, name: &str) -> Option<Cell> {
    let (col, row) = read_cell(name)?;
    game.grid().cell(row, col)
}

/// Returns the stones as if First had begun and there were no swap, and `true` if the sides had to be exchanged for
/// that.
fn plain(game: &Hex) -> Option<(Hex, bool)> {
    let of = |side: Side| game.grid().cells().filter(move |&cell| game.stone(cell) == Some(side));
    let [first, second] = [Side::First, Side::Second].map(|side| of(side).count());
    let is_exchanged = if game.to_move() == Side::First { second > first } else { second == first };
    let beginner = if is_exchanged { Side::Second } else { Side::First };
    let mut same = Hex::new(game.size(), SwapRule::Off).ok()?;
    let mut others = of(beginner.other());
    for own in of(beginner) {
        for cell in [Some(own), others.next()].into_iter().flatten() {
            same.make(Move::Place(if is_exchanged { game.grid().mirrored(cell) } else { cell }));
        }
    }
    others.next().is_none().then_some((same, is_exchanged))
}

/// A reply that wins, where one is listed.
pub(super) fn winning(game: &Hex) -> Option<Cell> {
    if game.size() != SIZE {
        return None;
    }
    let (same, is_exchanged) = plain(game)?;
    let (key, is_turned) = same.either_key();
    let &reply = REPLIES.get(&key)?;
    let reply = if is_turned { game.grid().turned(reply) } else { reply };
    Some(if is_exchanged { game.grid().mirrored(reply) } else { reply })
}
