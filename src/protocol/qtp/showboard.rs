//! Renders the board for `showboard`.

use crate::game::Side;
use crate::games::quoridor::{Cell, Orientation, Quoridor, Wall};

use super::names::color_name;

/// Renders the board as lines of text, with the home row of black at the top.
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
pub(super) fn render_board(game: &Quoridor) -> Vec<String> {
    let columns: Vec<String> = ('A'..='Z').take(game.width()).map(String::from).collect();
    let letters = format!("     {}", columns.join("   "));
    // Row 0 is the home row of black, so rows are drawn in ascending order.
    let mut lines = vec![letters.clone(), render_edge_line(game, 0)];
    for row in 0..game.height() {
        lines.push(render_cell_line(game, row));
        lines.push(render_edge_line(game, row + 1));
    }
    lines.push(letters);
    lines
}

/// Reports whether this wall is on the board. Returns `false` if the file or row is `None`.
fn has_wall_at(game: &Quoridor, file: Option<usize>, row: Option<usize>, orientation: Orientation) -> bool {
    let post = file.zip(row).and_then(|(file, row)| Cell::at(file, row));
    post.is_some_and(|post| game.has_wall(Wall { post, orientation }))
}

/// Renders the line above a row, counted from the top.
fn render_edge_line(game: &Quoridor, row: usize) -> String {
    let above = row.checked_sub(1);
    let mut line = String::from("   +");
    for file in 0..game.width() {
        let [here, before] = [Some(file), file.checked_sub(1)]
            .map(|file| has_wall_at(game, file, above, Orientation::Horizontal));
        line += if here || before { "===" } else { "---" };
        line.push(match here {
            true => '=',
            false if has_wall_at(game, Some(file), above, Orientation::Vertical) => 'H',
            false => '+',
        });
    }
    line
}

/// Renders the line of a row with its cells, counted from the top.
fn render_cell_line(game: &Quoridor, row: usize) -> String {
    let number = game.height() - row;
    let mut line = format!("{number:2} |");
    for file in 0..game.width() {
        let is_on = |side: Side| (game.pawn(side).file(), game.pawn(side).row()) == (file, row);
        line += match (is_on(Side::First), is_on(Side::Second)) {
            (true, _) => " B ",
            (_, true) => " W ",
            _ => "   ",
        };
        let is_shut = has_wall_at(game, Some(file), Some(row), Orientation::Vertical)
            || has_wall_at(game, Some(file), row.checked_sub(1), Orientation::Vertical);
        line.push(if is_shut { 'H' } else { '|' });
    }
    let hand = |&side: &Side| format!("  {} walls: {:2}", color_name(side), game.walls_left(side));
    let hand = Side::BOTH.get(row).map(hand).unwrap_or_default();
    format!("{line}{number:2}{hand}")
}
