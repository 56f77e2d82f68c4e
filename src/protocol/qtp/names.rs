//! The words of the protocol: colours, numbers, vertices, moves. Black is First, and rows are counted from its goal.

use std::fmt::{self, Display};

use crate::game::{Game, Notation, Side};
use crate::games::quoridor::dialect::Dialect;
use crate::games::quoridor::{Lie, MAX_SIZE, Move, Quoridor, Refusal};

/// The colour of a side.
pub(super) fn color_name(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Reads `black`, `b`, `white` or `w` in any case.
pub(super) fn color(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| {
        let name = color_name(side);
        word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..1])
    })
}

/// Reads digits, at most 2147483647.
pub(super) fn number(word: &str) -> Option<u32> {
    let has_digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    has_digits.then(|| word.parse().ok()).flatten().filter(|&number: &u32| i32::try_from(number).is_ok())
}

/// A letter from A to Y and a row; on which boards there is such a cell is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vertex {
    column: char,
    row: u32,
}

impl Vertex {
    /// Reads `E8` in any case.
    pub(super) fn read(word: &str) -> Option<Vertex> {
        let column = word.chars().next()?.to_ascii_uppercase();
        let has_column = column.is_ascii_uppercase() && usize::from(column as u8 - b'A') < MAX_SIZE;
        has_column.then(|| number(&word[1..])).flatten().map(|row| Vertex { column, row })
    }

    /// The pawn's move to this vertex or, with a lie, the wall whose middle is at its lower right; `None` off the
    /// board.
    pub(super) fn to_move(self, lie: Option<Lie>, game: &Quoridor) -> Option<Move> {
        let suffix = lie.map(Lie::letter).map(String::from).unwrap_or_default();
        let modern = Dialect::Qtp.convert(&format!("{self}{suffix}"), game.height())?;
        game.parse(&modern).ok()
    }
}

impl Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column, self.row)
    }
}

/// A move, cell or wall of the rules in one word: `E8`, `D8h`.
pub(super) fn word(place: impl Display, height: usize) -> String {
    let modern = place.to_string();
    let qtp = Dialect::Qtp.convert(&modern, height).unwrap_or(modern);
    let (first, rest) = qtp.split_at(1);
    first.to_uppercase() + rest
}

/// The same as the protocol's answers have it: `E8`, `D8 h`.
pub(super) fn words(place: impl Display, height: usize) -> String {
    let word = word(place, height);
    match word.strip_suffix(['h', 'v']) {
        Some(vertex) => format!("{vertex} {}", &word[vertex.len()..]),
        None => word,
    }
}

/// Moves in words, with a blank between.
pub(super) fn line(moves: &[Move], height: usize) -> String {
    let words: Vec<String> = moves.iter().map(|mv| word(mv, height)).collect();
    words.join(" ")
}

/// The legal moves of a position: the pawn's by column and row, then the walls by column, row, h before v.
pub(super) fn legal(game: &Quoridor) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let height = game.height();
    let mut keyed: Vec<_> = moves
        .into_iter()
        .map(|mv| {
            let name = words(mv, height);
            let vertex = Vertex::read(name.split(' ').next().unwrap_or_default());
            (mv.wall().is_some(), vertex.map(|vertex| (vertex.column, vertex.row)), name)
        })
        .collect();
    keyed.sort();
    keyed.into_iter().map(|(_, _, name)| name).collect()
}

/// Why a move was refused.
pub(super) fn refusal(refusal: Refusal, height: usize) -> String {
    let name = |place: &dyn Display| words(place, height);
    match refusal {
        Refusal::Over => "the game is over".to_owned(),
        Refusal::OffBoard(mv) => format!("{} is not on the board", name(&mv)),
        Refusal::NoneLeft(side) => format!("{} has no wall left", color_name(side)),
        Refusal::Overlaps(wall, other) => format!("{} overlaps the wall {}", name(&wall), name(&other)),
        Refusal::Crosses(wall, other) => format!("{} crosses the wall {}", name(&wall), name(&other)),
        Refusal::Encloses(wall, side) => {
            format!("{} would leave {} without a path", name(&wall), color_name(side))
        }
        Refusal::OwnCell(cell) => format!("the pawn is on {} already", name(&cell)),
        Refusal::Occupied(cell) => format!("the other pawn is on {}", name(&cell)),
        Refusal::WallBetween(cell, wall) => {
            format!("the wall {} is in the way to {}", name(&wall), name(&cell))
        }
        Refusal::TooFar(cell, from) => format!("{} is not a step from {}", name(&cell), name(&from)),
        Refusal::JumpIsFree(cell, jump) => {
            format!("{} is not a step while the jump to {} is free", name(&cell), name(&jump))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_and_not_too_large() {
        assert_eq!(["0", "9", "007", "2147483647"].map(number), [0, 9, 7, 2_147_483_647].map(Some));
        for text in ["", "+9", "-1", "9x", "2147483648", "99999999999999999999", "9.0", "٣"] {
            assert_eq!(number(text), None, "{text:?}");
        }
    }

    #[test]
    fn vertices_use_every_letter_from_a_to_y() {
        for text in ["A1", "i9", "y25", "E0", "b99", "J011"] {
            assert!(Vertex::read(text).is_some(), "{text}");
        }
        for text in ["", "E", "9", "9e", "ee4", "Z3", "e-1", "e+1", "é4", "e4é", "e4 "] {
            assert_eq!(Vertex::read(text), None, "{text:?}");
        }
    }
}
