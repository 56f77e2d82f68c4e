//! Spans: sentences whose parts refer to sides, moves and keys. The printed text is plain.

use crosspath::canvas::{GlyphSet, PaintOptions};
use crosspath::game::Side;
use crosspath::messages;
use crosspath::registry::GAMES;
use crosspath::session::Position;
use crosspath::text;
use crosspath::text::columns::{truncate_text, wrap_text};
use crosspath::text::{SideName, SpanKind, Text, join_texts, mark_move, mark_side};

use crate::tui_harness::history;

const RED: SideName = SideName::new(Side::First, "Red");
const BLUE: SideName = SideName::new(Side::Second, "Blue");

/// Returns the parts of a text that have a span, in order.
fn named_parts(text: &Text) -> Vec<(&str, SpanKind)> {
    let mut all: Vec<_> =
        text.spans().iter().map(|(place, span)| (place.start, &text[place.clone()], *span)).collect();
    all.sort_by_key(|(start, ..)| *start);
    all.into_iter().map(|(_, part, span)| (part, span)).collect()
}

const FIRST: SpanKind = SpanKind::Side(Side::First);
const SECOND: SpanKind = SpanKind::Side(Side::Second);

#[test]
fn a_text_equals_the_formatted_string() {
    let mv = mark_move(Some(Side::First), "f6");
    let sentence = text!("{RED} played {mv}; {BLUE:>6}'s turn, {BLUE:<6}|{BLUE:^6}|");
    assert_eq!(sentence, format!("{RED} played {mv}; {BLUE:>6}'s turn, {BLUE:<6}|{BLUE:^6}|"));
    assert_eq!(named_parts(&sentence)[..2], [("Red", FIRST), ("f6", SpanKind::Move(Some(Side::First)))]);
}

#[test]
fn nested_texts_keep_their_spans() {
    let inner = text!("{BLUE} wins");
    let sentence = text!("{RED} resigned, {inner}: {:>8}|{:.2}", text!("{RED}"), inner);
    assert_eq!(sentence, "Red resigned, Blue wins:      Red|Bl");
    assert_eq!(named_parts(&sentence), [("Red", FIRST), ("Blue", SECOND), ("Red", FIRST)]);
    assert_eq!(named_parts(&join_texts([&inner, &inner], ", ")), [("Blue", SECOND), ("Blue", SECOND)]);
}

#[test]
fn inner_spans_come_before_the_enclosing_span() {
    let sentence = text!("{} draws 0", mark_side(Side::First, text!("{BLUE}'s pupil 3")));
    assert_eq!(sentence.spans(), [(0..4, SECOND), (0..14, FIRST)]);
}

#[test]
fn foreign_text_has_no_side_spans() {
    let file = "Red";
    for sentence in
        [text!("Saved as {file}."), text!("Saved as {}.", format!("{RED}")), Text::from("Red to move.")]
    {
        assert_eq!(sentence.spans(), []);
    }
    // No character of a file can mark a span.
    let strange: String = ('\u{e000}'..='\u{e0ff}').chain(['\u{1}', '\u{f0000}', '\u{10ffff}']).collect();
    let sentence = text!("{strange}{RED}{strange}");
    assert_eq!(sentence.as_str(), format!("{strange}Red{strange}"));
    assert_eq!(named_parts(&sentence), [("Red", FIRST)]);
}

#[test]
fn a_string_formatted_in_between_records_no_span() {
    struct Twice;
    impl std::fmt::Display for Twice {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let (string, other) = (format!("{RED}"), text!("{BLUE}"));
            write!(f, "{string} {other} {RED}")
        }
    }
    assert_eq!(named_parts(&text!("{Twice}")), [("Blue", SECOND), ("Red", FIRST)]);
    assert_eq!(text!("{Twice}"), "Red Blue Red");
}

#[test]
fn parts_of_a_text_keep_their_spans() {
    let sentence = text!("{RED} saves {}'s bridge.", BLUE);
    assert_eq!(named_parts(&sentence.slice(1..12)), [("ed", FIRST), ("Bl", SECOND)]);
    assert_eq!(sentence.without_full_stop(), "Red saves Blue's bridge");
    let parts = text!(" {RED} 1  {BLUE} 2 ").split_text("  ");
    assert_eq!(parts.iter().map(|part| named_parts(part).len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(parts[1].trimmed().spans(), [(0..4, SECOND)]);
    let replaced = text!("a\u{a0}b\u{a0}{RED}\u{a0}").replaced("\u{a0}", " ");
    assert_eq!((replaced.as_str(), replaced.spans()), ("a b Red ", &[(4..7, FIRST)][..]));
}

#[test]
fn wrapped_and_truncated_texts_keep_their_spans() {
    let rows = wrap_text(text!("{RED} intrudes on\u{a0}{BLUE}'s bridge."), 9);
    assert_eq!(rows, ["Red", "intrudes", "on Blue's", "bridge."]);
    assert_eq!(
        rows.iter().flat_map(|row| named_parts(row)).collect::<Vec<_>>(),
        [("Red", FIRST), ("Blue", SECOND)]
    );
    assert_eq!(wrap_text(text!("u\tundo {RED}'s move"), 24)[1].spans(), []);
    assert_eq!(named_parts(&wrap_text(text!("u\tundo {RED}'s move"), 24)[0]), [("Red", FIRST)]);
    assert_eq!(named_parts(&wrap_text(text!("{RED}"), 2)[1]), [("d", FIRST)]);
    assert_eq!(named_parts(&truncate_text(text!("{RED} and {BLUE}"), 11, "…")), [("Red", FIRST)]);
}

/// Returns sentences about a position and its game.
fn position_sentences(position: &dyn Position) -> Vec<Text> {
    let (view, drawn) = (position.view(), position.as_paint());
    let mut all = [
        view.rules_text(),
        view.describe_position(),
        position.overlay_titles(),
        vec![messages::describe_turn(position)],
    ]
    .concat();
    all.extend(
        view.describe_threats()
            .into_iter()
            .chain(position.last_move_comment())
            .chain(position.describe_ending()),
    );
    all.extend(
        messages::describe_result(position, None)
            .into_iter()
            .chain(messages::describe_result(position, Some(Side::First))),
    );
    for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
        all.extend(
            [drawn.legend(glyphs), drawn.side_panel(glyphs, 33), drawn.side_panel(glyphs, 20)].concat(),
        );
        all.extend(drawn.path_overlay_label(glyphs));
        all.extend(messages::describe_result_briefly(position, None, glyphs));
        let look = PaintOptions { glyphs, ..PaintOptions::default() };
        for mv in position.legal_moves().iter().take(40) {
            all.extend(
                drawn.move_preview(mv, &look, None).into_iter().chain(drawn.move_effect_caption(mv, glyphs)),
            );
        }
    }
    all.extend(position.legal_moves().first().and_then(|mv| position.explain_move(mv)));
    let words =
        position.inspect_commands().into_iter().filter_map(|(word, _)| position.run_inspect_command(word));
    all.extend(words.flatten());
    all
}

#[test]
fn every_side_name_in_a_sentence_has_a_span() {
    let games = [
        ("tic-tac-toe", "size=3", "b2 a1 c1 a3 a2 c2 b1 b3 c3"),
        ("tic-tac-toe", "size=5 win-length=4", "c3 b2 c4 b3 c5 b4 c2"),
        ("hex", "size=5 swap=on", "c3 swap d4 b2 c2"),
        ("hex", "size=4 swap=off", "b1 a2 b2 d4 b3 c1 b4"),
        ("quoridor", "size=5 walls=3", "c2 c4 c2h b3v b2 d4 a2"),
        ("quoridor", "size=3 walls=2", "b2 a1v c2 a3 c3"),
    ];
    let mut seen = 0;
    for (game, settings, moves) in games {
        let whole = history(game, settings, moves);
        let mut position = std::sync::Arc::clone(whole.current());
        loop {
            let names = Side::map_both(|side| position.side_name(side));
            for sentence in position_sentences(&*position) {
                let words = sentence.split(|c: char| !c.is_alphanumeric());
                for word in words.filter(|word| names.iter().any(|name| *word == **name)) {
                    let at = word.as_ptr().addr() - sentence.as_ptr().addr();
                    let side = Side::BOTH.into_iter().find(|side| *names[side.index()] == word).unwrap();
                    let is_known = sentence.spans().iter().any(|(place, span)| {
                        *span == SpanKind::Side(side) && place.start <= at && at + word.len() <= place.end
                    });
                    assert!(is_known, "{game}: {word} at {at} in {sentence:?}");
                    seen += 1;
                }
            }
            let Some(before) = position.parent() else { break };
            position = before;
        }
    }
    assert!(seen > 500, "{seen}");
    assert!(
        GAMES.iter().all(|entry| games.iter().any(|(name, ..)| *name == entry.name)),
        "every game is here"
    );
}

#[test]
fn moves_in_sentences_have_spans_with_their_sides() {
    let moves = |game: &str, settings: &str, moves: &str| {
        let sentence = history(game, settings, moves).last_move_comment().unwrap();
        let is_move = |(part, span): (&str, SpanKind)| match span {
            SpanKind::Move(side) => Some((part.to_owned(), side)),
            SpanKind::Side(_) | SpanKind::Key => None,
        };
        named_parts(&sentence).into_iter().filter_map(is_move).collect::<Vec<_>>()
    };
    let of = |side: Side, all: [&str; 2]| all.map(|mv| (mv.to_owned(), Some(side)));
    let [from, to] = [of(Side::First, ["c2", ""])[0].clone(), of(Side::Second, ["b3", ""])[0].clone()];
    assert_eq!(moves("hex", "size=5 swap=on", "c2 swap"), [from, to]);
    let fork = moves("tic-tac-toe", "size=3", "a1 b2 c3 a3 c1");
    assert_eq!(fork.len(), 3, "{fork:?}");
    assert!(fork.iter().all(|(_, side)| *side == Some(Side::First)), "{fork:?}");
}

#[test]
fn keys_in_sentences_have_spans() {
    let keys = |sentence: Text| {
        named_parts(&sentence).into_iter().map(|(part, span)| (part.to_owned(), span)).collect::<Vec<_>>()
    };
    let wanted = |all: &[&str]| all.iter().map(|key| ((*key).to_owned(), SpanKind::Key)).collect::<Vec<_>>();
    assert_eq!(keys(messages::screen::game_over_message()), wanted(&["N", "A", "a", "u", "s"]));
    assert_eq!(keys(messages::screen::game_not_over_message()), wanted(&["R", "Ctrl-N"]));
    assert_eq!(keys(messages::screen::refused_while_thinking(true)), wanted(&[":level N"]));
}
