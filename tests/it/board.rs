//! Square boards: cells, rows, lines, names and shortest paths.

use crosspath::board::lines::Lines;
use crosspath::board::names::{cell_name, read_cell};
use crosspath::board::paths::{FAR, distances, shortest};
use crosspath::board::{Grid, OutOfRange, SizeError, position_code};

fn grid(rows: &[&str]) -> Grid<char> {
    let mut grid = Grid::new(rows.len(), ' ').unwrap();
    for (r, row) in rows.iter().enumerate() {
        for (c, cell) in row.chars().enumerate() {
            grid.set(r, c, cell).unwrap();
        }
    }
    grid
}

#[test]
fn sizes_1_to_26_exist_side_by_side() {
    let all: Vec<Grid<u8>> = (1..=26).map(|size| Grid::new(size, 0).unwrap()).collect();
    assert!(all.iter().zip(1..).all(|(grid, size)| grid.size() == size));
    for got in [0, 27, usize::MAX] {
        assert_eq!(Grid::new(got, 0).unwrap_err(), SizeError { got, least: 1, most: 26 });
    }
}

#[test]
fn an_index_of_n_is_off_the_board_and_changes_nothing() {
    let mut grid = grid(&["abc", "def", "ghi"]);
    let before = grid.clone();
    grid.set(0, 0, 'a').unwrap();
    grid.set(2, 2, 'i').unwrap();
    assert_eq!(grid.set(3, 0, 'z'), Err(OutOfRange { what: "row", got: 3, size: 3 }));
    assert_eq!(grid.set(0, 3, 'z'), Err(OutOfRange { what: "column", got: 3, size: 3 }));
    assert_eq!(grid, before);
    assert_eq!((grid.get(2, 0), grid.get(3, 0), grid.get(0, 3)), (Some('g'), None, None));
}

#[test]
fn it_prints_one_blank_between_cells_and_none_at_the_end() {
    assert_eq!(grid(&["X_O", "_X_", "O_X"]).to_string(), "X _ O\n_ X _\nO _ X\n");
    assert_eq!(grid(&["X"]).to_string(), "X\n");
}

#[test]
fn search_gives_the_first_cell_and_rfind_the_last() {
    let mut all = grid(&["___", "___", "___"]);
    all.fill('X');
    assert_eq!((all.find('X'), all.rfind('X')), (Some((0, 0)), Some((2, 2))));
    assert_eq!((all.find('O'), all.rfind('O')), (None, None));
    assert_eq!(grid(&["__X", "X__", "_X_"]).find('X'), Some((0, 2)));
    assert_eq!(position_code(all.rfind('X').unwrap()), 22);
    assert_eq!(position_code((9, 9)), 99);
}

#[test]
fn rows_and_columns_tell_equal_to_c_from_equal_among_themselves() {
    let grid = grid(&["XXX", "_O_", "abc"]);
    assert_eq!(
        (grid.row_is(0, 'X'), grid.row_is(0, 'O'), grid.row_is(1, '_')),
        (Ok(true), Ok(false), Ok(false))
    );
    assert_eq!((grid.row_is_uniform(0), grid.row_is_uniform(1)), (Ok(true), Ok(false)));
    assert_eq!((grid.row_all_different(2), grid.row_all_different(1)), (Ok(true), Ok(false)));
    let turned = self::grid(&["X_a", "XOb", "X_c"]);
    assert_eq!((turned.column_is(0, 'X'), turned.column_is(1, '_')), (Ok(true), Ok(false)));
    assert_eq!((turned.column_is_uniform(0), turned.column_is_uniform(2)), (Ok(true), Ok(false)));
    let bad = |what| OutOfRange { what, got: 3, size: 3 };
    assert_eq!(grid.row_is(3, 'X'), Err(bad("row")));
    assert_eq!(grid.row_is_uniform(3), Err(bad("row")));
    assert_eq!(grid.row_all_different(3), Err(bad("row")));
    assert_eq!(grid.column_is(3, 'X'), Err(bad("column")));
    assert_eq!(grid.column_is_uniform(3), Err(bad("column")));
}

#[test]
fn diagonals_of_odd_even_and_single_boards() {
    let odd = grid(&["X_O", "_O_", "O_X"]);
    assert!(odd.anti_diagonal_is('O') && odd.anti_diagonal_is_uniform());
    assert!(!odd.main_diagonal_is('X') && !odd.main_diagonal_is_uniform());
    let even = grid(&["X__O", "_XO_", "_OX_", "O__X"]);
    assert!(even.main_diagonal_is('X') && even.anti_diagonal_is('O'));
    assert!(even.main_diagonal_is_uniform() && even.anti_diagonal_is_uniform());
    let one = grid(&["_"]);
    assert!(one.main_diagonal_is('_') && one.anti_diagonal_is('_'));
    assert!(one.main_diagonal_is_uniform() && one.anti_diagonal_is_uniform());
    assert_eq!(one.row_all_different(0), Ok(true));
}

#[test]
fn there_are_as_many_lines_as_the_formulae_say() {
    for n in 1..=10 {
        for k in 1..=n {
            let expected = match (n, k) {
                (1, _) => 1,
                (_, 1) => n * n,
                _ if k == n => 2 * n + 2,
                _ => 2 * n * (n - k + 1) + 2 * (n - k + 1) * (n - k + 1),
            };
            assert_eq!(Lines::new(n, k).all().len(), expected, "{n}x{n}, {k} in a row");
        }
    }
}

#[test]
fn full_lines_stand_in_the_documented_order() {
    let lines = Lines::new(3, 3);
    assert_eq!(lines.all()[0], 0b000_000_111);
    assert_eq!(lines.all()[3], 0b001_001_001);
    assert_eq!(lines.all()[6], 0b100_010_001);
    assert_eq!(lines.all()[7], 0b001_010_100);
    assert_eq!(lines.through(4).len(), 4);
    assert!(lines.through(1).iter().all(|mask| mask & 0b10 != 0));
}

#[test]
fn every_name_is_read_back() {
    for col in 0..26 {
        for row in 0..26 {
            assert_eq!(read_cell(&cell_name(col, row)), Some((col, row)));
            assert_eq!(read_cell(&cell_name(col, row).to_uppercase()), Some((col, row)));
        }
    }
}

#[test]
fn what_is_no_name_is_not_read() {
    for text in ["", "a", "7", "a0", "aa1", "a1b", "a-1", "a+1", "ä1", "a 1", "a99999", "é"] {
        assert_eq!(read_cell(text), None, "{text:?}");
    }
}

/// Returns a ring of `n` nodes.
fn ring(n: usize) -> impl Fn(usize) -> [usize; 2] {
    move |node| [(node + 1) % n, (node + n - 1) % n]
}

#[test]
fn free_and_blocked_nodes_count_as_such() {
    let cost = |node| [1, 1, FAR, 1, 1, 0, 0, 1][node];
    assert_eq!(distances(8, [0], cost, ring(8)), [1, 2, FAR, 4, 3, 2, 2, 2]);
    assert_eq!(distances(8, [2], cost, ring(8)), [FAR; 8], "a blocked start");
    assert_eq!(distances(8, [5, 1], cost, ring(8)), [2, 1, FAR, 2, 1, 0, 0, 1]);
}

#[test]
fn of_shortest_ways_the_first_found_is_given() {
    assert_eq!(shortest(6, [0], |node| node == 3, ring(6)), [0, 1, 2, 3]);
    assert_eq!(shortest(6, [0, 4], |node| node == 3, ring(6)), [4, 3]);
    assert_eq!(shortest(6, [2], |node| node == 2, ring(6)), [2]);
    assert!(shortest(6, [], |_| true, ring(6)).is_empty());
}
