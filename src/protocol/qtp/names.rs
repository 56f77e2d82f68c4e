//! The words of the protocol: colours, numbers, vertices, moves. Black is First, and rows are counted from its goal.

use std::fmt::{self, Display};

use crate::ai::legal_moves;
use crate::board::names::letter;
use crate::game::Side;
use crate::games::quoridor::notation::Dialect;
use crate::games::quoridor::{Cell, IllegalMove, MAX_SIZE, Move, MoveKind, Orientation, Quoridor, Wall};

/// The colour of a side.
pub(super) fn color_name(side: Side) -> &'static str {
    ["black", "white"][side.index()]
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

/// A letter from A to Y and a row; the cell need not be on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Vertex {
    /// 0 for A.
    file: usize,
    row: u32,
}

impl Vertex {
    /// Reads `E8` in any case.
    pub(super) fn read(word: &str) -> Option<Vertex> {
        let first = word.chars().next()?.to_ascii_lowercase();
        let file = ('a'..='z').take(MAX_SIZE).position(|letter| letter == first)?;
        number(&word[1..]).map(|row| Vertex { file, row })
    }

    /// The vertex of a move of the rules and, if it is a wall, how it lies; off the board that of the same name.
    fn of(mv: Move, height: usize) -> (Vertex, Option<Orientation>) {
        let (cell, orientation) = match Dialect::Qtp.turned(mv, height).unwrap_or(mv).act() {
            MoveKind::Go(cell) => (cell, None),
            MoveKind::Build(wall) => (wall.post, Some(wall.orientation)),
        };
        (Vertex { file: cell.file(), row: u32::from(cell.row) + 1 }, orientation)
    }

    /// The pawn's move to this vertex or, with an orientation, the wall whose middle is at its lower right; `None` off the
    /// board.
    pub(super) fn to_move(self, orientation: Option<Orientation>, game: &Quoridor) -> Option<Move> {
        let row = usize::try_from(self.row).ok()?.checked_sub(1)?;
        let mv = Dialect::Qtp.turned(Move::at(self.file, row, orientation)?, game.height())?;
        game.has_room_for(mv).then_some(mv)
    }
}

impl Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.file).to_ascii_uppercase(), self.row)
    }
}

/// A move, cell or wall of the rules in one word: `E8`, `D8h`.
pub(super) fn word(place: impl Into<Move>, height: usize) -> String {
    words(place, height).replace(' ', "")
}

/// Returns the words of a move, cell or wall in the protocol's answers: `E8`, `D8 h`.
pub(super) fn words(place: impl Into<Move>, height: usize) -> String {
    let (vertex, orientation) = Vertex::of(place.into(), height);
    name(vertex, orientation)
}

/// A vertex and perhaps how a wall lies there, whether the board has it or not.
pub(super) fn name(vertex: Vertex, orientation: Option<Orientation>) -> String {
    orientation.map_or(vertex.to_string(), |orientation| format!("{vertex} {}", orientation.letter()))
}

/// Moves in words, with a blank between.
pub(super) fn line(moves: &[Move], height: usize) -> String {
    let words: Vec<String> = moves.iter().map(|&mv| word(mv, height)).collect();
    words.join(" ")
}

/// The legal moves of a position: the pawn's by column and row, then the walls by column, row, h before v.
pub(super) fn legal(game: &Quoridor) -> Vec<String> {
    let mut moves = legal_moves(game);
    let height = game.height();
    moves.sort_by_key(|&mv| {
        let (vertex, orientation) = Vertex::of(mv, height);
        (orientation.is_some(), vertex, orientation)
    });
    moves.into_iter().map(|mv| words(mv, height)).collect()
}

/// Why a move was refused.
pub(super) fn refusal(refusal: IllegalMove, height: usize) -> String {
    let cell = |place: Cell| words(place, height);
    let wall = |place: Wall| words(place, height);
    match refusal {
        IllegalMove::Over => "the game is over".to_owned(),
        IllegalMove::OffBoard(mv) => format!("{} is not on the board", words(mv, height)),
        IllegalMove::NoneLeft(side) => format!("{} has no walls left", color_name(side)),
        IllegalMove::Overlaps(new, old) => format!("{} overlaps the wall {}", wall(new), wall(old)),
        IllegalMove::Crosses(new, old) => format!("{} crosses the wall {}", wall(new), wall(old)),
        IllegalMove::Encloses(new, side) => {
            format!("{} would leave {} without a path", wall(new), color_name(side))
        }
        IllegalMove::OwnCell(to) => format!("the pawn is already on {}", cell(to)),
        IllegalMove::Occupied(to) => format!("the other pawn is on {}", cell(to)),
        IllegalMove::WallBetween(to, old) => format!("the wall {} blocks the way to {}", wall(old), cell(to)),
        IllegalMove::TooFar(to, from) => format!("{} is not a step from {}", cell(to), cell(from)),
        IllegalMove::JumpIsFree(to, jump) => {
            format!("{} is not a step while a straight jump to {} is possible", cell(to), cell(jump))
        }
    }
}
