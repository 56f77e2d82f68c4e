//! Columns of text: widths, rows and cuts.

use crosspath::game::Refusal;
use crosspath::text::columns::{cut, width, wrap};

#[test]
fn what_stands_behind_a_tab_keeps_to_its_column() {
    assert_eq!(
        wrap("x\tplay on from the position that is shown", 40),
        ["x           play on from the position", "            that is shown"]
    );
    // In narrow rows that column begins a little earlier.
    assert_eq!(wrap("x\tplay on from here", 24), ["x         play on from", "          here"]);
    assert_eq!(
        wrap("PgUp PgDn\tup and right", 14),
        ["PgUp PgDn up", "          and", "          righ", "          t"]
    );
    assert_eq!(wrap("x\t", 24), ["x         "]);
}

#[test]
fn what_is_read_comes_back_without_signs_that_change_what_others_look_like() {
    for turn in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{1b}', '\u{7f}'] {
        let text = format!("a{turn}b");
        assert_eq!([Refusal::shown(&text), Refusal::shown_path(&text)], ["a?b", "a?b"]);
    }
}

#[test]
fn rows_break_between_words_and_inside_long_ones() {
    assert_eq!(wrap("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(wrap("a abcdefghij", 4), ["a ab", "cdef", "ghij"]);
    assert_eq!(wrap("", 4), [""]);
}

#[test]
fn wide_characters_count_two_columns() {
    assert_eq!((width("日本"), width("●○"), width("e\u{301}")), (4, 2, 1));
    assert_eq!(wrap("日本日本", 4), ["日本", "日本"]);
    assert_eq!(wrap("日本", 1), ["", "日", "本"]);
    assert_eq!(cut("日本日本", 5, "…"), "日本…");
}

#[test]
fn what_is_cut_ends_with_dots_between_words_where_that_leaves_enough() {
    assert_eq!(cut("one two three", 9, "…"), "one two…");
    assert_eq!(cut("abcdefghijk", 5, "~"), "abcd~");
    assert_eq!([cut("abc", 3, "…"), cut("abc", 0, "…")], ["abc", ""]);
}

#[test]
fn no_row_breaks_inside_a_number_in_brackets() {
    assert_eq!(wrap("a path (2 to go, not 2).", 21), ["a path (2 to go,", "not 2)."]);
    assert_eq!(wrap("Blue has (58%, not 17%).", 17), ["Blue has (58%,", "not 17%)."]);
    assert_eq!(wrap("round 1 2 3", 8), ["round 1", "2 3"], "other numbers are words");
}
