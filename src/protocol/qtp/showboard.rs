//! The board as `showboard` draws it. Knows positions, no commands.

use crate::game::Side;
use crate::games::quoridor::{Cell, Orientation, Quoridor, Wall};

use super::names::color_name;

/// The drawing, line by line, black's home row on top.
///
/// ```text
///      A   B   C
///    +---+---+---+
///  3 |   | B |   | 3  black walls:  0
///    +=======+---+
///  2 |   |   H   | 2  white walls:  0
///    +---+---H---+
///  1 |   | W H   | 1
///    +---+---+---+
///      A   B   C
/// ```
pub(super) fn picture(game: &Quoridor) -> Vec<String> {
    let columns: Vec<String> = ('A'..='Z').take(game.width()).map(String::from).collect();
    let letters = format!("     {}", columns.join("   "));
    // Row 0 of the rules is black's home row: the rules' order is the drawing's.
    let mut lines = vec![letters.clone(), edge(game, 0)];
    for row in 0..game.height() {
        lines.push(cells(game, row));
        lines.push(edge(game, row + 1));
    }
    lines.push(letters);
    lines
}

/// Reports whether this wall stands; `None` names no post.
fn stands(game: &Quoridor, file: Option<usize>, row: Option<usize>, orientation: Orientation) -> bool {
    let post = file.zip(row).and_then(|(file, row)| Cell::at(file, row));
    post.is_some_and(|post| game.has_wall(Wall { post, orientation }))
}

/// The line above a row, counted from the top.
fn edge(game: &Quoridor, row: usize) -> String {
    let above = row.checked_sub(1);
    let mut line = String::from("   +");
    for file in 0..game.width() {
        let [here, before] =
            [Some(file), file.checked_sub(1)].map(|file| stands(game, file, above, Orientation::Horizontal));
        line += if here || before { "===" } else { "---" };
        line.push(match here {
            true => '=',
            false if stands(game, Some(file), above, Orientation::Vertical) => 'H',
            false => '+',
        });
    }
    line
}

fn cells(game: &Quoridor, row: usize) -> String {
    let number = game.height() - row;
    let mut line = format!("{number:2} |");
    for file in 0..game.width() {
        let is_on = |side: Side| (game.pawn(side).file(), game.pawn(side).row()) == (file, row);
        line += match (is_on(Side::First), is_on(Side::Second)) {
            (true, _) => " B ",
            (_, true) => " W ",
            _ => "   ",
        };
        let is_shut = stands(game, Some(file), Some(row), Orientation::Vertical)
            || stands(game, Some(file), row.checked_sub(1), Orientation::Vertical);
        line.push(if is_shut { 'H' } else { '|' });
    }
    let hand = |&side: &Side| format!("  {} walls: {:2}", color_name(side), game.walls_left(side));
    let hand = Side::BOTH.get(row).map(hand).unwrap_or_default();
    format!("{line}{number:2}{hand}")
}
