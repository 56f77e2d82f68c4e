//! The hexagonal grid: adjacency, bridges and edges.

use crosspath::board::SizeError;
use crosspath::board::hexgrid::{Cell, Edge, HexGrid};

fn are_adjacent(grid: &HexGrid, one: Cell, other: Cell) -> bool {
    grid.neighbours(one).contains(&other)
}

#[test]
fn adjacency_is_symmetric_and_preserved_by_reflection_and_rotation() {
    for size in 1..=26 {
        let grid = HexGrid::new(size).unwrap();
        for cell in grid.cells() {
            for &other in grid.neighbours(cell) {
                assert!(are_adjacent(&grid, other, cell));
                assert!(are_adjacent(&grid, grid.mirrored(cell), grid.mirrored(other)));
                assert!(are_adjacent(&grid, grid.rotated_180(cell), grid.rotated_180(other)));
            }
        }
    }
}

#[test]
fn corners_have_two_or_three_neighbours_edge_cells_four_and_inner_cells_six() {
    for size in 2..=26 {
        let grid = HexGrid::new(size).unwrap();
        let last = size - 1;
        for cell in grid.cells() {
            let expected = match grid.coordinates(cell) {
                (0, 0) => 2,
                place if place == (last, last) => 2,
                place if place == (0, last) || place == (last, 0) => 3,
                (row, col) if [row, col].iter().any(|&index| index == 0 || index == last) => 4,
                _ => 6,
            };
            assert_eq!(grid.neighbours(cell).len(), expected, "{:?} on {size}", grid.coordinates(cell));
        }
    }
}

#[test]
fn neighbours_are_numbered_around_the_cell() {
    let grid = HexGrid::new(5).unwrap();
    let around =
        grid.neighbours_by_direction(grid.cell_at(2, 2).unwrap()).map(|cell| grid.coordinates(cell.unwrap()));
    assert_eq!(around, [(1, 3), (1, 2), (2, 1), (3, 1), (3, 2), (2, 3)]);
    let cell = |(row, col)| grid.cell_at(row, col).unwrap();
    for i in 0..6 {
        assert!(are_adjacent(&grid, cell(around[i]), cell(around[(i + 1) % 6])));
    }
}

#[test]
fn the_ends_of_a_bridge_share_two_cells_and_are_not_adjacent() {
    for size in 1..=7 {
        let grid = HexGrid::new(size).unwrap();
        for cell in grid.cells() {
            let common = |other: Cell| -> Vec<Cell> {
                let both = grid.neighbours(cell).iter().filter(|&&n| are_adjacent(&grid, n, other));
                both.copied().collect()
            };
            let expected: Vec<Cell> = grid
                .cells()
                .filter(|&other| {
                    other != cell && !are_adjacent(&grid, cell, other) && common(other).len() == 2
                })
                .collect();
            let mut ends: Vec<Cell> = grid.bridges(cell).iter().map(|bridge| bridge.end).collect();
            for bridge in grid.bridges(cell) {
                let mut carrier = bridge.carrier.to_vec();
                carrier.sort_unstable();
                let mut shared = common(bridge.end);
                shared.sort_unstable();
                assert_eq!(carrier, shared);
            }
            ends.sort_unstable();
            assert_eq!(ends, expected);
        }
    }
}

#[test]
fn all_cells_of_the_second_row_but_one_have_a_bridge_to_the_edge() {
    let grid = HexGrid::new(4).unwrap();
    for edge in Edge::ALL {
        let with = grid.cells().filter(|&cell| grid.edge_bridge(cell, edge).is_some());
        assert_eq!(with.count(), 3, "{edge:?}");
        assert_eq!(grid.edge_cells(edge).len(), 4);
    }
    let cell = |row, col| grid.cell_at(row, col).unwrap();
    assert_eq!(grid.edge_bridge(cell(1, 0), Edge::Top), Some([cell(0, 0), cell(0, 1)]));
    assert_eq!(grid.edge_bridge(cell(1, 3), Edge::Top), None);
    assert_eq!(grid.edge_bridge(cell(2, 1), Edge::Left), Some([cell(2, 0), cell(3, 0)]));
    assert_eq!(grid.edge_bridge(cell(0, 0), Edge::Top), None);
    let two = HexGrid::new(2).unwrap();
    assert_eq!(two.edge_bridge(Cell::new(3), Edge::Top), None);
}

#[test]
fn sizes_outside_1_to_26_are_refused() {
    for got in [0, 27, usize::MAX] {
        assert_eq!(HexGrid::new(got).unwrap_err(), SizeError { got, least: 1, most: 26 });
    }
    assert_eq!(size_of::<Option<Cell>>(), 2);
}
