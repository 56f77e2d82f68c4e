//! Names of cells, which consist of a letter for the column and a number for the row, and move numbers before
//! moves. This module does not depend on rules or the direction of play.

use crate::game::{Refusal, RefusalCode};

/// Returns the name of the cell in column `col` and row `row`, both counted from 0: (0, 0) is `a1`.
///
/// ```
/// assert_eq!(crosspath::board::names::cell_name(3, 5), "d6");
/// ```
///
/// # Panics
/// Panics if `col` is above 25.
#[must_use]
pub fn cell_name(col: usize, row: usize) -> String {
    format!("{}{}", column_letter(col), row + 1)
}

/// Returns the letter of a column, `a` for 0.
///
/// # Panics
/// Panics if `col` is above 25.
#[must_use]
pub fn column_letter(col: usize) -> char {
    assert!(col < 26, "column {col} has no letter");
    char::from(b'a' + u8::try_from(col).expect("below 26"))
}

/// Reads a cell name and returns its column and row, both counted from 0. Returns `None` if the text has
/// another form. The size of the board is not checked.
#[must_use]
pub fn parse_cell_name(text: &str) -> Option<(usize, usize)> {
    let first = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let digits = &text[1..];
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row: usize = digits.parse().ok()?;
    Some((usize::from(first.to_ascii_lowercase() as u8 - b'a'), row.checked_sub(1)?))
}

/// Returns the text without a leading move number such as `12.` or `3...`.
#[must_use]
pub fn strip_move_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let moves = rest.trim_start_matches('.');
    if rest.len() < text.len() && moves.len() < rest.len() { moves.trim_start() } else { text }
}

/// Returns the range of letters of `count` columns: `a-k`, or `a` for one column.
#[must_use]
pub fn column_letter_range(count: usize) -> String {
    if count == 1 { "a".to_owned() } else { format!("a-{}", column_letter(count - 1)) }
}

/// Returns the range of numbers of `count` rows: `1-11`, or `1` for one row.
#[must_use]
pub fn row_number_range(count: usize) -> String {
    if count == 1 { "1".to_owned() } else { format!("1-{count}") }
}

/// Returns the refusal of a cell that is not on a board with these numbers of columns and rows.
#[must_use]
pub fn off_board_refusal(read: &str, columns: usize, rows: usize) -> Refusal {
    let (columns, rows) = (column_letter_range(columns), row_number_range(rows));
    Refusal::new(
        RefusalCode::OffBoard,
        format!("{read} is off the board. Columns are {columns}, rows {rows}."),
    )
}

/// Returns a sentence that explains how the cells of a square board are typed.
#[must_use]
pub fn cell_typing_hint(size: usize) -> String {
    if size == 1 {
        return "The only cell is a1.".to_owned();
    }
    let middle = cell_name(size / 2, size / 2);
    format!(
        "A cell is a letter {} and a number {}, such as {middle}.",
        column_letter_range(size),
        row_number_range(size)
    )
}
