//! Ladders in a line of play: one side follows an edge, and the other answers each stone between it and the
//! edge. This module depends on the rules only.

use crate::ai::hex::explain::edge_name;
use crate::board::hexgrid::Edge;
use crate::game::{Game, PositionDescription};
use crate::games::hex::{Cell, Hex, Move, goal_edges};
use crate::text;
use crate::text::{Text, mark_move};

/// Minimum number of attacking stones in a ladder.
const MIN_LADDER_STONES: usize = 3;
/// Rows on which ladders run, counted from the edge.
const LADDER_ROWS: std::ops::RangeInclusive<usize> = 2..=4;

/// Describes the first ladder in a line of play as a sentence. Returns `None` if the line has none or
/// contains an illegal move.
///
/// A ladder is a run of at least three adjacent stones of one side along a row parallel to one of its edges.
/// The other side answers each stone but the last with a stone beside it, one row nearer to the edge.
///
/// ```
/// use crosspath::ai::hex::ladder::describe_first_ladder;
/// use crosspath::game::Notation;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(7, SwapRule::Off)?;
/// let line = ["b6", "b7", "c6", "c7", "d6"].map(|text| game.parse(text).expect("a cell"));
/// let found = describe_first_ladder(&game, &line).expect("Red follows the bottom edge");
/// assert_eq!(found, "Red has a ladder along the bottom edge, from b6 to d6.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn describe_first_ladder(game: &Hex, line: &[Move]) -> Option<Text> {
    let mut positions = vec![game.clone()];
    for &mv in line {
        let mut next = positions.last()?.clone();
        if next.outcome().is_some() || !next.is_legal(mv) {
            return None;
        }
        next.make_move(mv);
        positions.push(next);
    }
    let cells: Vec<Cell> = line.iter().map(|mv| mv.cell()).collect::<Option<_>>()?;
    (0..cells.len()).find_map(|start| {
        let side = positions[start].to_move();
        goal_edges(side).into_iter().find_map(|edge| {
            let count = count_ladder_stones(game, &cells[start..], edge);
            let last = cells[start + 2 * count.checked_sub(1)?];
            (count >= MIN_LADDER_STONES).then(|| {
                let [from, to] =
                    [cells[start], last].map(|cell| mark_move(Some(side), game.format_cell(cell)));
                let (name, edge) = (game.side_name(side), edge_name(edge));
                text!("{name} has a ladder along the {edge} edge, from {from} to {to}.")
            })
        })
    })
}

/// Counts the attacker's stones in a ladder along an edge that starts with the first of these cells.
fn count_ladder_stones(game: &Hex, cells: &[Cell], edge: Edge) -> usize {
    let place = |cell: Cell| {
        let (row, column) = game.grid().coordinates(cell);
        let last = game.size() - 1;
        match edge {
            Edge::Top => (row + 1, column),
            Edge::Bottom => (last - row + 1, column),
            Edge::Left => (column + 1, row),
            Edge::Right => (last - column + 1, row),
        }
    };
    let Some((row, mut at)) =
        cells.first().map(|&cell| place(cell)).filter(|(row, _)| LADDER_ROWS.contains(row))
    else {
        return 0;
    };
    let (mut count, mut step) = (1, None);
    for pair in cells[1..].chunks_exact(2) {
        let (answer, next) = (place(pair[0]), place(pair[1]));
        let before = cells[2 * (count - 1)];
        let is_answered = answer.0 == row - 1 && game.grid().neighbours(before).contains(&pair[0]);
        let moved = next.1.cast_signed() - at.cast_signed();
        let goes_on = next.0 == row && moved.abs() == 1 && step.is_none_or(|step| step == moved);
        if !(is_answered && goes_on) {
            break;
        }
        (count, at, step) = (count + 1, next.1, Some(moved));
    }
    count
}
