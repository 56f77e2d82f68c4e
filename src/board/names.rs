//! Names of cells: a letter for the column, a number for the row; the numbers of moves in front of them. Knows no rules and no direction of play.

use crate::game::{Refusal, RefusalCode};

/// The name of the cell in column `col` and row number `row`, both counted from 0: (0, 0) is `a1`.
///
/// ```
/// assert_eq!(crosspath::board::names::cell_name(3, 5), "d6");
/// ```
///
/// # Panics
/// If `col` is above 25.
#[must_use]
pub fn cell_name(col: usize, row: usize) -> String {
    format!("{}{}", letter(col), row + 1)
}

/// The letter of a column, `a` for 0.
///
/// # Panics
/// If `col` is above 25.
#[must_use]
pub fn letter(col: usize) -> char {
    assert!(col < 26, "column {col} has no letter");
    char::from(b'a' + u8::try_from(col).expect("below 26"))
}

/// Column and row of a cell name, counted from 0, on whatever board; `None` if the text has another form.
#[must_use]
pub fn read_cell(text: &str) -> Option<(usize, usize)> {
    let first = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let digits = &text[1..];
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row: usize = digits.parse().ok()?;
    Some((usize::from(first.to_ascii_lowercase() as u8 - b'a'), row.checked_sub(1)?))
}

/// The text without a move number such as `12.` or `3...` in front.
#[must_use]
pub fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let moves = rest.trim_start_matches('.');
    if rest.len() < text.len() && moves.len() < rest.len() { moves.trim_start() } else { text }
}

/// The letters of `count` columns in words: `a-k`, or `a` alone.
#[must_use]
pub fn letters(count: usize) -> String {
    if count == 1 { "a".to_owned() } else { format!("a-{}", letter(count - 1)) }
}

/// The numbers of `count` rows in words: `1-11`, or `1` alone.
#[must_use]
pub fn numbers(count: usize) -> String {
    if count == 1 { "1".to_owned() } else { format!("1-{count}") }
}

/// The refusal of a place that is not on a board with these numbers of columns and rows.
#[must_use]
pub fn off_board(read: &str, columns: usize, rows: usize) -> Refusal {
    let (columns, rows) = (letters(columns), numbers(rows));
    Refusal::new(
        RefusalCode::OffBoard,
        format!("{read} is off the board. Columns are {columns}, rows {rows}."),
    )
}

/// Returns a sentence on how the cells of a square board are typed.
#[must_use]
pub fn typing(size: usize) -> String {
    if size == 1 {
        return "The only cell is a1.".to_owned();
    }
    let middle = cell_name(size / 2, size / 2);
    format!("A cell is a letter {} and a number {}, such as {middle}.", letters(size), numbers(size))
}
