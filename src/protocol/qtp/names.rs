//! Text forms of QTP: colours, numbers, vertices and moves. Black is First, and rows are counted from its
//! goal.

use std::fmt::{self, Display};

use crate::ai::legal_moves;
use crate::board::names::column_letter;
use crate::game::Side;
use crate::games::quoridor::notation::NotationDialect;
use crate::games::quoridor::{
    Cell, IllegalMove, MAX_QUORIDOR_SIZE, Move, MoveKind, Orientation, Quoridor, Wall,
};

/// Returns the colour of a side.
pub(super) fn color_name(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

/// Parses `black`, `b`, `white` or `w`, ignoring case.
pub(super) fn parse_color(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| {
        let name = color_name(side);
        word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..1])
    })
}

/// Parses a whole number of at most 2147483647, without a sign.
pub(super) fn parse_number(word: &str) -> Option<u32> {
    let has_digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    has_digits.then(|| word.parse().ok()).flatten().filter(|&number: &u32| i32::try_from(number).is_ok())
}

/// Vertex of the protocol: a letter from A to Y and a row. It may be off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Vertex {
    /// Column, starting at 0 for A.
    file: usize,
    row: u32,
}

impl Vertex {
    /// Parses a vertex such as `E8`, ignoring case.
    pub(super) fn parse(word: &str) -> Option<Vertex> {
        let first = word.chars().next()?.to_ascii_lowercase();
        let file = ('a'..='z').take(MAX_QUORIDOR_SIZE).position(|letter| letter == first)?;
        parse_number(&word[1..]).map(|row| Vertex { file, row })
    }

    /// Returns the vertex of a move and, for a wall, its orientation. Works for moves off the board, too.
    fn from_move(mv: Move, height: usize) -> (Vertex, Option<Orientation>) {
        let (cell, orientation) = match NotationDialect::Qtp.convert_move(mv, height).unwrap_or(mv).kind() {
            MoveKind::Step(cell) => (cell, None),
            MoveKind::Wall(wall) => (wall.post, Some(wall.orientation)),
        };
        (Vertex { file: cell.file(), row: u32::from(cell.row) + 1 }, orientation)
    }

    /// Converts to the pawn move to this vertex or, with an orientation, to the wall centred at its lower
    /// right corner. Returns `None` if that is off the board.
    pub(super) fn to_move(self, orientation: Option<Orientation>, game: &Quoridor) -> Option<Move> {
        let row = usize::try_from(self.row).ok()?.checked_sub(1)?;
        let mv = NotationDialect::Qtp.convert_move(Move::at(self.file, row, orientation)?, game.height())?;
        game.is_on_board(mv).then_some(mv)
    }
}

impl Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.file).to_ascii_uppercase(), self.row)
    }
}

/// Formats a move, cell or wall without spaces: `E8`, `D8h`.
pub(super) fn format_move_compact(place: impl Into<Move>, height: usize) -> String {
    format_move(place, height).replace(' ', "")
}

/// Formats a move, cell or wall for an answer: `E8`, `D8 h`.
pub(super) fn format_move(place: impl Into<Move>, height: usize) -> String {
    let (vertex, orientation) = Vertex::from_move(place.into(), height);
    format_vertex(vertex, orientation)
}

/// Formats a vertex and, for a wall, its orientation. Both may be off the board.
pub(super) fn format_vertex(vertex: Vertex, orientation: Option<Orientation>) -> String {
    orientation.map_or(vertex.to_string(), |orientation| format!("{vertex} {}", orientation.letter()))
}

/// Formats a line of moves, separated by spaces.
pub(super) fn format_line(moves: &[Move], height: usize) -> String {
    let words: Vec<String> = moves.iter().map(|&mv| format_move_compact(mv, height)).collect();
    words.join(" ")
}

/// Lists the legal moves of a position: pawn moves by column and row, then walls by column, row and
/// orientation.
pub(super) fn list_legal_moves(game: &Quoridor) -> Vec<String> {
    let mut moves = legal_moves(game);
    let height = game.height();
    moves.sort_by_key(|&mv| {
        let (vertex, orientation) = Vertex::from_move(mv, height);
        (orientation.is_some(), vertex, orientation)
    });
    moves.into_iter().map(|mv| format_move(mv, height)).collect()
}

/// Explains why a move is illegal.
pub(super) fn explain_refusal(refusal: IllegalMove, height: usize) -> String {
    let cell = |place: Cell| format_move(place, height);
    let wall = |place: Wall| format_move(place, height);
    match refusal {
        IllegalMove::Over => "the game is over".to_owned(),
        IllegalMove::OffBoard(mv) => format!("{} is not on the board", format_move(mv, height)),
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
