//! Square boards: cells, rows, lines, names and shortest paths.

use crosspath::board::lines::WinningLines;
use crosspath::board::names::{cell_name, parse_cell_name};
use crosspath::board::paths::{UNREACHABLE, find_shortest_path, shortest_distances};
use crosspath::board::{Grid, OutOfRange, SizeError, position_code};

fn parse_grid(rows: &[&str]) -> Grid<char> {
    let mut grid = Grid::new(rows.len(), ' ').unwrap();
    for (r, row) in rows.iter().enumerate() {
        for (c, cell) in row.chars().enumerate() {
            grid.set(r, c, cell).unwrap();
        }
    }
    grid
}

#[test]
fn grids_exist_for_sizes_1_to_26() {
    let all: Vec<Grid<u8>> = (1..=26).map(|size| Grid::new(size, 0).unwrap()).collect();
    assert!(all.iter().zip(1..).all(|(grid, size)| grid.size() == size));
    for got in [0, 27, usize::MAX] {
        assert_eq!(Grid::new(got, 0).unwrap_err(), SizeError { got, least: 1, most: 26 });
    }
}

#[test]
fn setting_a_cell_off_the_board_fails() {
    let mut grid = parse_grid(&["abc", "def", "ghi"]);
    let before = grid.clone();
    grid.set(0, 0, 'a').unwrap();
    grid.set(2, 2, 'i').unwrap();
    assert_eq!(grid.set(3, 0, 'z'), Err(OutOfRange { what: "row", got: 3, size: 3 }));
    assert_eq!(grid.set(0, 3, 'z'), Err(OutOfRange { what: "column", got: 3, size: 3 }));
    assert_eq!(grid, before);
    assert_eq!((grid.get(2, 0), grid.get(3, 0), grid.get(0, 3)), (Some('g'), None, None));
}

#[test]
fn grids_print_one_space_between_cells() {
    assert_eq!(parse_grid(&["X_O", "_X_", "O_X"]).to_string(), "X _ O\n_ X _\nO _ X\n");
    assert_eq!(parse_grid(&["X"]).to_string(), "X\n");
}

#[test]
fn find_returns_the_first_cell_and_rfind_the_last() {
    let mut all = parse_grid(&["___", "___", "___"]);
    all.fill('X');
    assert_eq!((all.find('X'), all.rfind('X')), (Some((0, 0)), Some((2, 2))));
    assert_eq!((all.find('O'), all.rfind('O')), (None, None));
    assert_eq!(parse_grid(&["__X", "X__", "_X_"]).find('X'), Some((0, 2)));
    assert_eq!(position_code(all.rfind('X').unwrap()), 22);
    assert_eq!(position_code((9, 9)), 99);
}

#[test]
fn filled_and_uniform_rows_and_columns_are_recognized() {
    let grid = parse_grid(&["XXX", "_O_", "abc"]);
    assert_eq!(
        (grid.is_row_filled_with(0, 'X'), grid.is_row_filled_with(0, 'O'), grid.is_row_filled_with(1, '_')),
        (Ok(true), Ok(false), Ok(false))
    );
    assert_eq!((grid.is_row_uniform(0), grid.is_row_uniform(1)), (Ok(true), Ok(false)));
    assert_eq!((grid.is_row_all_different(2), grid.is_row_all_different(1)), (Ok(true), Ok(false)));
    let turned = self::parse_grid(&["X_a", "XOb", "X_c"]);
    assert_eq!(
        (turned.is_column_filled_with(0, 'X'), turned.is_column_filled_with(1, '_')),
        (Ok(true), Ok(false))
    );
    assert_eq!((turned.is_column_uniform(0), turned.is_column_uniform(2)), (Ok(true), Ok(false)));
    let bad = |what| OutOfRange { what, got: 3, size: 3 };
    assert_eq!(grid.is_row_filled_with(3, 'X'), Err(bad("row")));
    assert_eq!(grid.is_row_uniform(3), Err(bad("row")));
    assert_eq!(grid.is_row_all_different(3), Err(bad("row")));
    assert_eq!(grid.is_column_filled_with(3, 'X'), Err(bad("column")));
    assert_eq!(grid.is_column_uniform(3), Err(bad("column")));
}

#[test]
fn diagonals_are_recognized_on_odd_even_and_single_cell_boards() {
    let odd = parse_grid(&["X_O", "_O_", "O_X"]);
    assert!(odd.is_anti_diagonal_filled_with('O') && odd.is_anti_diagonal_uniform());
    assert!(!odd.is_main_diagonal_filled_with('X') && !odd.is_main_diagonal_uniform());
    let even = parse_grid(&["X__O", "_XO_", "_OX_", "O__X"]);
    assert!(even.is_main_diagonal_filled_with('X') && even.is_anti_diagonal_filled_with('O'));
    assert!(even.is_main_diagonal_uniform() && even.is_anti_diagonal_uniform());
    let one = parse_grid(&["_"]);
    assert!(one.is_main_diagonal_filled_with('_') && one.is_anti_diagonal_filled_with('_'));
    assert!(one.is_main_diagonal_uniform() && one.is_anti_diagonal_uniform());
    assert_eq!(one.is_row_all_different(0), Ok(true));
}

#[test]
fn the_number_of_winning_lines_matches_the_formula() {
    for n in 1..=10 {
        for k in 1..=n {
            let expected = match (n, k) {
                (1, _) => 1,
                (_, 1) => n * n,
                _ if k == n => 2 * n + 2,
                _ => 2 * n * (n - k + 1) + 2 * (n - k + 1) * (n - k + 1),
            };
            assert_eq!(WinningLines::new(n, k).masks().len(), expected, "{n}x{n}, {k} in a row");
        }
    }
}

#[test]
fn winning_lines_are_in_the_documented_order() {
    let lines = WinningLines::new(3, 3);
    assert_eq!(lines.masks()[0], 0b000_000_111);
    assert_eq!(lines.masks()[3], 0b001_001_001);
    assert_eq!(lines.masks()[6], 0b100_010_001);
    assert_eq!(lines.masks()[7], 0b001_010_100);
    assert_eq!(lines.masks_through(4).len(), 4);
    assert!(lines.masks_through(1).iter().all(|mask| mask & 0b10 != 0));
}

#[test]
fn every_cell_name_parses() {
    for col in 0..26 {
        for row in 0..26 {
            assert_eq!(parse_cell_name(&cell_name(col, row)), Some((col, row)));
            assert_eq!(parse_cell_name(&cell_name(col, row).to_uppercase()), Some((col, row)));
        }
    }
}

#[test]
fn invalid_cell_names_are_refused() {
    for text in ["", "a", "7", "a0", "aa1", "a1b", "a-1", "a+1", "ä1", "a 1", "a99999", "é"] {
        assert_eq!(parse_cell_name(text), None, "{text:?}");
    }
}

/// Returns a ring of `n` nodes.
fn ring_neighbours(n: usize) -> impl Fn(usize) -> [usize; 2] {
    move |node| [(node + 1) % n, (node + n - 1) % n]
}

#[test]
fn shortest_distances_respect_free_and_blocked_nodes() {
    let cost = |node| [1, 1, UNREACHABLE, 1, 1, 0, 0, 1][node];
    assert_eq!(shortest_distances(8, [0], cost, ring_neighbours(8)), [1, 2, UNREACHABLE, 4, 3, 2, 2, 2]);
    assert_eq!(shortest_distances(8, [2], cost, ring_neighbours(8)), [UNREACHABLE; 8], "a blocked start");
    assert_eq!(shortest_distances(8, [5, 1], cost, ring_neighbours(8)), [2, 1, UNREACHABLE, 2, 1, 0, 0, 1]);
}

#[test]
fn the_first_shortest_path_is_returned() {
    assert_eq!(find_shortest_path(6, [0], |node| node == 3, ring_neighbours(6)), [0, 1, 2, 3]);
    assert_eq!(find_shortest_path(6, [0, 4], |node| node == 3, ring_neighbours(6)), [4, 3]);
    assert_eq!(find_shortest_path(6, [2], |node| node == 2, ring_neighbours(6)), [2]);
    assert!(find_shortest_path(6, [], |_| true, ring_neighbours(6)).is_empty());
}
