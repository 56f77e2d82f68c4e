//! Text layout: widths, wrapping and truncation.

use crosspath::game::Refusal;
use crosspath::text::columns::{display_width, truncate_text, wrap_text};

#[test]
fn text_after_a_tab_stays_in_its_column() {
    assert_eq!(
        wrap_text("x\tplay on from the position that is shown", 40),
        ["x           play on from the position", "            that is shown"]
    );
    // In narrow rows that column starts further left.
    assert_eq!(wrap_text("x\tplay on from here", 24), ["x         play on from", "          here"]);
    assert_eq!(
        wrap_text("PgUp PgDn\tup and right", 14),
        ["PgUp PgDn up", "          and", "          righ", "          t"]
    );
    assert_eq!(wrap_text("x\t", 24), ["x         "]);
}

#[test]
fn direction_marks_and_control_characters_are_replaced_in_excerpts() {
    for turn in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{1b}', '\u{7f}'] {
        let text = format!("a{turn}b");
        assert_eq!([Refusal::sanitize_excerpt(&text), Refusal::sanitize_path(&text)], ["a?b", "a?b"]);
    }
}

#[test]
fn text_wraps_between_words_and_inside_long_ones() {
    assert_eq!(wrap_text("one two three", 7), ["one two", "three"]);
    assert_eq!(wrap_text("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(wrap_text("a abcdefghij", 4), ["a ab", "cdef", "ghij"]);
    assert_eq!(wrap_text("", 4), [""]);
}

#[test]
fn wide_characters_count_as_two_columns() {
    assert_eq!((display_width("日本"), display_width("●○"), display_width("e\u{301}")), (4, 2, 1));
    assert_eq!(wrap_text("日本日本", 4), ["日本", "日本"]);
    assert_eq!(wrap_text("日本", 1), ["", "日", "本"]);
    assert_eq!(truncate_text("日本日本", 5, "…"), "日本…");
}

#[test]
fn truncated_text_ends_with_dots_between_words_if_possible() {
    assert_eq!(truncate_text("one two three", 9, "…"), "one two…");
    assert_eq!(truncate_text("abcdefghijk", 5, "~"), "abcd~");
    assert_eq!([truncate_text("abc", 3, "…"), truncate_text("abc", 0, "…")], ["abc", ""]);
}

#[test]
fn text_does_not_wrap_inside_a_bracketed_number() {
    assert_eq!(wrap_text("a path (2 to go, not 2).", 21), ["a path (2 to go,", "not 2)."]);
    assert_eq!(wrap_text("Blue has (58%, not 17%).", 17), ["Blue has (58%,", "not 17%)."]);
    assert_eq!(wrap_text("round 1 2 3", 8), ["round 1", "2 3"], "other numbers are words");
}
