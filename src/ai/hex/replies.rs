//! Table of winning replies on 7x7 that take the prover long to find. This module depends on the rules and
//! the list that `examples/hex_replies.rs` generates.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::board::names::parse_cell_name;
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex, Move, SwapRule};

/// Text of the table, with lines such as `d1 c4=e3`: the stones in playing order, then the winning reply.
const WINNING_REPLIES_TEXT: &str = include_str!("../../../openings/hex-7x7-replies.txt");
/// Board size of the listed positions.
const REPLIES_BOARD_SIZE: usize = 7;

/// Winning reply by position key. The key and the cell belong to the board or to the rotated board, whichever
/// key is smaller.
static WINNING_REPLIES: LazyLock<BTreeMap<u64, Cell>> = LazyLock::new(|| {
    let replies = WINNING_REPLIES_TEXT.lines().filter_map(|line| {
        let (stones, reply) = line.split_once('=')?;
        let mut game = Hex::new(REPLIES_BOARD_SIZE, SwapRule::Off).ok()?;
        for stone in stones.split(' ') {
            game.make_move(Move::Place(parse_cell(&game, stone)?));
        }
        let ((key, is_turned), reply) = (game.canonical_key(), parse_cell(&game, reply)?);
        Some((key, if is_turned { game.grid().rotated_180(reply) } else { reply }))
    });
    replies.collect()
});

fn parse_cell(game: &Hex, name: &str) -> Option<Cell> {
    let (col, row) = parse_cell_name(name)?;
    game.grid().cell_at(row, col)
}

/// Returns an equivalent position in which First started and no swap happened, and `true` if that exchanges
/// the sides. Returns `None` if the stone counts do not fit.
fn normalize_sides(game: &Hex) -> Option<(Hex, bool)> {
    let of = |side: Side| game.grid().cells().filter(move |&cell| game.stone_at(cell) == Some(side));
    let [first, second] = [Side::First, Side::Second].map(|side| of(side).count());
    let is_exchanged = if game.to_move() == Side::First { second > first } else { second == first };
    let beginner = if is_exchanged { Side::Second } else { Side::First };
    let mut same = Hex::new(game.size(), SwapRule::Off).ok()?;
    let mut others = of(beginner.other());
    for own in of(beginner) {
        for cell in [Some(own), others.next()].into_iter().flatten() {
            same.make_move(Move::Place(if is_exchanged { game.grid().mirrored(cell) } else { cell }));
        }
    }
    others.next().is_none().then_some((same, is_exchanged))
}

/// Returns a winning reply if the position is listed.
pub(super) fn find_winning_reply(game: &Hex) -> Option<Cell> {
    if game.size() != REPLIES_BOARD_SIZE {
        return None;
    }
    let (same, is_exchanged) = normalize_sides(game)?;
    let (key, is_turned) = same.canonical_key();
    let &reply = WINNING_REPLIES.get(&key)?;
    let reply = if is_turned { game.grid().rotated_180(reply) } else { reply };
    Some(if is_exchanged { game.grid().mirrored(reply) } else { reply })
}
