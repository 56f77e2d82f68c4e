//! Sentences that know the things their parts name: spans, and that only plain text comes out of
//! them.

use crosspath::canvas::{Glyphs, PaintOptions};
use crosspath::game::Side;
use crosspath::messages;
use crosspath::registry::GAMES;
use crosspath::session::Position;
use crosspath::text;
use crosspath::text::columns::{cut, wrap};
use crosspath::text::{SideName, Span, Text, join, of_move, of_side};

use crate::rig::history;

const RED: SideName = SideName::new(Side::First, "Red");
const BLUE: SideName = SideName::new(Side::Second, "Blue");

/// Returns the parts of a text that name something, in the order of the text.
fn named(text: &Text) -> Vec<(&str, Span)> {
    let mut all: Vec<_> =
        text.spans().iter().map(|(place, span)| (place.start, &text[place.clone()], *span)).collect();
    all.sort_by_key(|(start, ..)| *start);
    all.into_iter().map(|(_, part, span)| (part, span)).collect()
}

const FIRST: Span = Span::Side(Side::First);
const SECOND: Span = Span::Side(Side::Second);

#[test]
fn a_text_is_the_string_that_the_same_words_make() {
    let mv = of_move(Some(Side::First), "f6");
    let said = text!("{RED} played {mv}; {BLUE:>6}'s turn, {BLUE:<6}|{BLUE:^6}|");
    assert_eq!(said, format!("{RED} played {mv}; {BLUE:>6}'s turn, {BLUE:<6}|{BLUE:^6}|"));
    assert_eq!(named(&said)[..2], [("Red", FIRST), ("f6", Span::Move(Some(Side::First)))]);
}

#[test]
fn texts_in_texts_keep_their_spans() {
    let inner = text!("{BLUE} wins");
    let said = text!("{RED} resigned, {inner}: {:>8}|{:.2}", text!("{RED}"), inner);
    assert_eq!(said, "Red resigned, Blue wins:      Red|Bl");
    assert_eq!(named(&said), [("Red", FIRST), ("Blue", SECOND), ("Red", FIRST)]);
    assert_eq!(named(&join([&inner, &inner], ", ")), [("Blue", SECOND), ("Blue", SECOND)]);
}

#[test]
fn what_belongs_to_a_side_is_one_part_and_an_inner_part_comes_first() {
    let said = text!("{} draws 0", of_side(Side::First, text!("{BLUE}'s pupil 3")));
    assert_eq!(said.spans(), [(0..4, SECOND), (0..14, FIRST)]);
}

#[test]
fn words_from_outside_are_never_taken_for_a_side() {
    let file = "Red";
    for said in
        [text!("Saved as {file}."), text!("Saved as {}.", format!("{RED}")), Text::from("Red to move.")]
    {
        assert_eq!(said.spans(), []);
    }
    // Nor can any character that a file may hold stand for a part.
    let strange: String = ('\u{e000}'..='\u{e0ff}').chain(['\u{1}', '\u{f0000}', '\u{10ffff}']).collect();
    let said = text!("{strange}{RED}{strange}");
    assert_eq!(said.as_str(), format!("{strange}Red{strange}"));
    assert_eq!(named(&said), [("Red", FIRST)]);
}

#[test]
fn a_string_made_meanwhile_records_nothing() {
    struct Twice;
    impl std::fmt::Display for Twice {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let (string, other) = (format!("{RED}"), text!("{BLUE}"));
            write!(f, "{string} {other} {RED}")
        }
    }
    assert_eq!(named(&text!("{Twice}")), [("Blue", SECOND), ("Red", FIRST)]);
    assert_eq!(text!("{Twice}"), "Red Blue Red");
}

#[test]
fn parts_of_a_text_keep_what_they_name() {
    let said = text!("{RED} saves {}'s bridge.", BLUE);
    assert_eq!(named(&said.slice(1..12)), [("ed", FIRST), ("Bl", SECOND)]);
    assert_eq!(said.without_full_stop(), "Red saves Blue's bridge");
    let parts = text!(" {RED} 1  {BLUE} 2 ").parts("  ");
    assert_eq!(parts.iter().map(|part| named(part).len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(parts[1].trimmed().spans(), [(0..4, SECOND)]);
    let replaced = text!("a\u{a0}b\u{a0}{RED}\u{a0}").replaced("\u{a0}", " ");
    assert_eq!((replaced.as_str(), replaced.spans()), ("a b Red ", &[(4..7, FIRST)][..]));
}

#[test]
fn rows_and_cuts_keep_what_they_name() {
    let rows = wrap(text!("{RED} intrudes on\u{a0}{BLUE}'s bridge."), 9);
    assert_eq!(rows, ["Red", "intrudes", "on Blue's", "bridge."]);
    assert_eq!(
        rows.iter().flat_map(|row| named(row)).collect::<Vec<_>>(),
        [("Red", FIRST), ("Blue", SECOND)]
    );
    assert_eq!(wrap(text!("u\tundo {RED}'s move"), 24)[1].spans(), []);
    assert_eq!(named(&wrap(text!("u\tundo {RED}'s move"), 24)[0]), [("Red", FIRST)]);
    assert_eq!(named(&wrap(text!("{RED}"), 2)[1]), [("d", FIRST)]);
    assert_eq!(named(&cut(text!("{RED} and {BLUE}"), 11, "…")), [("Red", FIRST)]);
}

/// Returns the sentences about a position and its game.
fn sentences(position: &dyn Position) -> Vec<Text> {
    let (view, drawn) = (position.view(), position.drawn());
    let mut all = [view.rules(), view.facts(), position.overlays(), vec![messages::turn(position)]].concat();
    all.extend(view.threats().into_iter().chain(position.comment()).chain(position.ending()));
    all.extend(
        messages::result(position, None).into_iter().chain(messages::result(position, Some(Side::First))),
    );
    for glyphs in [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii] {
        all.extend(
            [drawn.legend(glyphs), drawn.side_panel(glyphs, 33), drawn.side_panel(glyphs, 20)].concat(),
        );
        all.extend(drawn.path_overlay_label(glyphs));
        all.extend(messages::short_result(position, None, glyphs));
        let look = PaintOptions { glyphs, ..PaintOptions::default() };
        for mv in position.legal().iter().take(40) {
            all.extend(drawn.preview(mv, &look, None).into_iter().chain(drawn.caption(mv, glyphs)));
        }
    }
    all.extend(position.legal().first().and_then(|mv| position.reason(mv)));
    let words = position.inspect_words().into_iter().filter_map(|(word, _)| position.inspect(word));
    all.extend(words.flatten());
    all
}

#[test]
fn every_name_of_a_side_in_a_sentence_is_known_as_one() {
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
        let mut position = std::sync::Arc::clone(whole.now());
        loop {
            let names = Side::each(|side| position.side_name(side));
            for said in sentences(&*position) {
                let words = said.split(|c: char| !c.is_alphanumeric());
                for word in words.filter(|word| names.iter().any(|name| *word == **name)) {
                    let at = word.as_ptr().addr() - said.as_ptr().addr();
                    let side = Side::BOTH.into_iter().find(|side| *names[side.index()] == word).unwrap();
                    let is_known = said.spans().iter().any(|(place, span)| {
                        *span == Span::Side(side) && place.start <= at && at + word.len() <= place.end
                    });
                    assert!(is_known, "{game}: {word} at {at} in {said:?}");
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
fn moves_in_sentences_are_known_with_their_sides() {
    let moves = |game: &str, settings: &str, moves: &str| {
        let said = history(game, settings, moves).comment().unwrap();
        let is_move = |(part, span): (&str, Span)| match span {
            Span::Move(side) => Some((part.to_owned(), side)),
            Span::Side(_) | Span::Key => None,
        };
        named(&said).into_iter().filter_map(is_move).collect::<Vec<_>>()
    };
    let of = |side: Side, all: [&str; 2]| all.map(|mv| (mv.to_owned(), Some(side)));
    let [from, to] = [of(Side::First, ["c2", ""])[0].clone(), of(Side::Second, ["b3", ""])[0].clone()];
    assert_eq!(moves("hex", "size=5 swap=on", "c2 swap"), [from, to]);
    let fork = moves("tic-tac-toe", "size=3", "a1 b2 c3 a3 c1");
    assert_eq!(fork.len(), 3, "{fork:?}");
    assert!(fork.iter().all(|(_, side)| *side == Some(Side::First)), "{fork:?}");
}

#[test]
fn keys_in_sentences_are_known() {
    let keys =
        |said: Text| named(&said).into_iter().map(|(part, span)| (part.to_owned(), span)).collect::<Vec<_>>();
    let wanted = |all: &[&str]| all.iter().map(|key| ((*key).to_owned(), Span::Key)).collect::<Vec<_>>();
    assert_eq!(keys(messages::screen::is_over()), wanted(&["N", "A", "a", "u", "s"]));
    assert_eq!(keys(messages::screen::goes_on()), wanted(&["R", "Ctrl-N"]));
    assert_eq!(keys(messages::screen::refuse_while_thinking(true)), wanted(&[":level N"]));
}
