//! From the text of a move file to its moves, in every form that is understood: records, lists, pairs of numbers, digits.
//! Knows how moves are written, not whether they are legal.

use std::collections::BTreeSet;

use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, without_number};
use crate::game::{Numbers, Refusal, RefusalCode, SIZE, Side};
use crate::record::Property;
use crate::record::items::{MAX_ITEMS, MoveList, RecordFormat, RecordItem, RecordedMove, lines};
use crate::record::lists::{apart, cells_and_walls, side_called, turn_after_swap};
use crate::session::{EarlyEnd, Position};

/// The first words of a text record.
pub(super) const FIRST_WORDS: &str = "# crosspath";
/// The name of crosspath's own notation.
const OWN_NOTATION: &str = "modern";
/// A word before the first move of a list: it is played without the swap.
pub(super) const NO_SWAP: &str = "no-swap";

impl MoveList {
    fn of(form: RecordFormat, mut moves: Vec<RecordedMove>, last_line: usize) -> Self {
        let has_more = moves.len() > MAX_ITEMS;
        moves.truncate(MAX_ITEMS);
        MoveList { form, items: moves.into_iter().map(RecordItem::Move).collect(), last_line, has_more }
    }

    /// The moves, those of side lines among them.
    pub fn moves(&self) -> impl Iterator<Item = &RecordedMove> {
        moves_of(&self.items)
    }
}

fn moves_of(items: &[RecordItem]) -> impl Iterator<Item = &RecordedMove> {
    items.iter().filter_map(|item| if let RecordItem::Move(noted) = item { Some(noted) } else { None })
}

/// Puts moves that are written in another way into our own. What is no move in that notation stays as it is, to be
/// refused as what it is.
pub(super) fn translate(script: &mut MoveList, notation: &str, start: &dyn Position) -> Result<(), String> {
    let (dialect, known) = (notation.to_ascii_lowercase(), start.dialects());
    if dialect == OWN_NOTATION {
        return Ok(());
    }
    if !known.contains(&dialect.as_str()) {
        let names = [&[OWN_NOTATION], known].concat().join(", ");
        let (dialect, game) = (Refusal::shown(&dialect), start.name());
        return Err(format!("unknown notation {dialect} for {game}; notations are {names}"));
    }
    for item in &mut script.items {
        if let RecordItem::Move(noted) = item {
            noted.text = start.translate(&dialect, &noted.text).unwrap_or_else(|| noted.text.clone());
        }
    }
    Ok(())
}

/// The items of a list without the words before its moves.
fn without_preamble(mut items: Vec<RecordItem>) -> Vec<RecordItem> {
    let first = |items: &[RecordItem]| items.iter().position(|item| matches!(item, RecordItem::Move(_)));
    while let Some(at) = first(&items)
        && let RecordItem::Move(word) = &items[at]
    {
        let count = match word.text.as_str() {
            SIZE => 2,
            NO_SWAP => 1,
            _ => break,
        };
        items.drain(at..items.len().min(at + count));
    }
    items
}

/// Reads the moves of a text record. Whether they are legal is not asked.
pub(super) fn of_record(text: &str, on: &dyn Position) -> MoveList {
    let mut items = items(text);
    let has_more = items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    without_head(&mut items);
    drop_side_names(&mut items, on);
    let last_line = last_line(text);
    MoveList { form: RecordFormat::Record, items: with_whole_moves(&items, on), last_line, has_more }
}

/// Reads the moves of a list without a header; also gives the side that a word at its end names. `numbers` says what numbers
/// mean in it.
pub(super) fn of_list(
    mut items: Vec<RecordItem>,
    on: &dyn Position,
    numbers: Numbers,
    last_line: usize,
) -> (MoveList, Option<Side>) {
    let mut has_more = items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    let winner = drop_side_names(&mut items, on);
    let items = without_preamble(with_whole_moves(&items, on));
    let is_number = |noted: &RecordedMove| noted.text.bytes().all(|b| b.is_ascii_digit());
    let has_side_lines = items.iter().any(|item| matches!(item, RecordItem::Open(_) | RecordItem::Close(_)));
    if matches!(numbers, Numbers::Pairs(_)) && moves_of(&items).any(is_number) && !has_side_lines {
        let moves = number_pairs(moves_of(&items).cloned());
        let list = MoveList::of(RecordFormat::Pairs, moves, last_line);
        return (MoveList { has_more: has_more || list.has_more, ..list }, winner);
    }
    let one_by_one = |item: RecordItem| match item {
        RecordItem::Move(noted) => apart(noted, on).into_iter().map(RecordItem::Move).collect(),
        other => vec![other],
    };
    let mut items: Vec<RecordItem> = items.into_iter().flat_map(one_by_one).take(MAX_ITEMS + 1).collect();
    has_more |= items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    turn_after_swap(&mut items);
    (MoveList { form: RecordFormat::List, items, last_line, has_more }, winner)
}

/// Reports whether a list is one of cells of this board only.
pub(super) fn are_all_cells(items: &[RecordItem], on: &dyn Position) -> bool {
    let is_cell = |RecordedMove { text, .. }: &RecordedMove| {
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        is_word && (EarlyEnd::of_word(text, Side::First).is_some() || on.read(text).is_ok())
    };
    moves_of(items).next().is_some() && moves_of(items).all(is_cell)
}

/// Reads digits as pairs of row and column. With noise, digits from the size of the board on are noise like all that is no
/// digit.
pub(super) fn of_digits(text: &str, size: usize) -> MoveList {
    MoveList::of(RecordFormat::Digits, digit_pairs(text.as_bytes(), size), last_line(text))
}

/// The number of the last line.
pub(super) fn last_line(text: &str) -> usize {
    lines(text).last().map_or(1, |(line, _)| line)
}

/// Leaves out the head: the first line and the remarks behind it. Other comments there are about the first position.
fn without_head(items: &mut Vec<RecordItem>) {
    let mut is_head = true;
    let mut is_first = true;
    items.retain(|item| {
        let RecordItem::Comment(text) = item else {
            is_head = false;
            return true;
        };
        !(is_head && (std::mem::take(&mut is_first) || text.contains(':')))
    });
}

/// Takes the names of sides from the front of moves: `Red: f6`, `X:a1`, `White e2`, `b a1`. Returns the side that is named
/// after the last move.
fn drop_side_names(items: &mut Vec<RecordItem>, on: &dyn Position) -> Option<Side> {
    let is_short = |text: &&str| text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let names: BTreeSet<String> =
        moves_of(items).map(|noted| &*noted.text).filter(is_short).map(str::to_ascii_lowercase).collect();
    let names: Vec<String> = names.into_iter().collect();
    let names = names.join(" ");
    let mut mover = None;
    items.retain_mut(|item| {
        let RecordItem::Move(noted) = item else { return true };
        let (name, rest) = noted.text.split_once(':').unwrap_or((&noted.text, ""));
        if let Some(side) = side_called(name, on, &names) {
            mover = Some(side);
            *noted = RecordedMove::new(rest, noted.line);
        }
        if noted.text.is_empty() {
            return false;
        }
        noted.side = mover.take();
        true
    });
    mover
}

/// Joins the words that only together are a move, between one bracket and the next.
fn with_whole_moves(items: &[RecordItem], on: &dyn Position) -> Vec<RecordItem> {
    let is_move = |item: &RecordItem| matches!(item, RecordItem::Move(_));
    let whole = |run: &[RecordItem]| -> Vec<RecordItem> {
        let words: Vec<RecordedMove> = moves_of(run).cloned().collect();
        if words.is_empty() {
            return run.to_vec();
        }
        words_of_moves(&words, on).into_iter().map(RecordItem::Move).collect()
    };
    items.chunk_by(|one, next| is_move(one) && is_move(next)).flat_map(whole).collect()
}

/// The cells of a word that consists of cells.
pub(super) fn cells(word: &str) -> Option<Vec<&str>> {
    cells_and_walls(word, false)
}

/// Pairs of numbers as cells. A second move that repeats the first takes it over: from then on the board lies on its
/// other side, as the programs that write such files see it.
fn number_pairs(mut words: impl Iterator<Item = RecordedMove>) -> Vec<RecordedMove> {
    let mut moves = Vec::new();
    let mut first = None;
    let mut frame = Frame::default();
    while let Some(row) = words.next() {
        let Some(col) = words.next() else {
            moves.push(row); // a number alone is no move, and is refused as such
            break;
        };
        let pair = RecordedMove::new(&format!("{} {}", row.text, col.text), row.line);
        let number = |word: &RecordedMove| word.text.parse::<u16>().ok().map(usize::from);
        let Some((r, c)) = number(&row).zip(number(&col)).filter(|&(_, c)| c < 26) else {
            moves.push(pair);
            continue;
        };
        let text = if moves.len() == 1 && first == Some((r, c)) {
            frame.transposed = true;
            "swap".to_owned()
        } else {
            let (row, col) = frame.place((r, c));
            if col < 26 { cell_name(col, row) } else { format!("{r} {c}") }
        };
        first = first.or(Some((r, c)));
        moves.push(RecordedMove { text, ..pair });
    }
    moves
}

/// Words that only together are a move, `e3 h`, joined.
fn words_of_moves(words: &[RecordedMove], on: &dyn Position) -> Vec<RecordedMove> {
    /// The most words of a move.
    const MAX: usize = 3;
    let is_move =
        |text: &str| on.read(text).map_or_else(|no| no.code != RefusalCode::NotUnderstood, |_| true);
    let mut moves = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some(first) = rest.first() {
        let joined = (2..=MAX.min(rest.len())).rev().find_map(|count| {
            let some = &rest[..count];
            let texts: Vec<&str> = some.iter().map(|noted| noted.text.as_str()).collect();
            let text = texts.join(" ");
            let is_one = is_move(&text) && texts.iter().any(|text| !is_move(text));
            let whole = RecordedMove { side: first.side, ..RecordedMove::new(&text, first.line) };
            is_one.then_some((count, whole))
        });
        let (count, noted) = joined.unwrap_or_else(|| (1, first.clone()));
        moves.push(noted);
        rest = &rest[count..];
    }
    moves
}

/// The moves of a list: words between blanks, commas, semicolons and line ends; `#` starts a comment, `12.` is a move number.
///
/// ```
/// use crosspath::record::words;
/// let moves: Vec<String> = words("1. e2, e8 # a comment\n2. e3").into_iter().map(|mv| mv.text).collect();
/// assert_eq!(moves, ["e2", "e8", "e3"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Vec<RecordedMove> {
    let word = |(line, word): (usize, &str)| {
        let word = without_number(word);
        (!word.is_empty()).then(|| RecordedMove::new(word, line))
    };
    bare_words(text).filter_map(word).collect()
}

/// Returns the first word for which `is_it` holds.
pub(super) fn first_word(text: &str, is_it: impl Fn(&str) -> bool) -> Option<RecordedMove> {
    let mut words = bare_words(text).map(|(line, word)| (line, without_number(word)));
    words.find(|(_, word)| !word.is_empty() && is_it(word)).map(|(line, word)| RecordedMove::new(word, line))
}

/// Returns the first `count` words.
pub(super) fn first_words(text: &str, count: usize) -> Vec<RecordedMove> {
    let word = |(line, word): (usize, &str)| RecordedMove::new(without_number(word), line);
    bare_words(text).map(word).filter(|noted| !noted.text.is_empty()).take(count).collect()
}

/// Splits a text into its moves, with the brackets of side lines as items of their own.
fn items(text: &str) -> Vec<RecordItem> {
    let mut items = Vec::new();
    for (line, row) in lines(text) {
        let (row, comment) = row.split_once('#').map_or((row, None), |(row, comment)| (row, Some(comment)));
        items_of_a_row(line, row, &mut items);
        let rest = comment.and_then(|comment| comment.strip_prefix(':'));
        let head_end = rest.filter(|rest| rest.trim().is_empty()).map(|_| Property::head_end());
        if let Some(property) = head_end.or_else(|| property(rest?)) {
            items.push(RecordItem::Property(property));
            continue;
        }
        let comment = comment.map(str::trim).filter(|comment| !comment.is_empty());
        items.extend(comment.map(|comment| RecordItem::Comment(comment.to_owned())));
        if items.len() > MAX_ITEMS {
            break;
        }
    }
    items
}

/// A property behind `#:`, such as `TR[b2][c3]`. Ends of lines in it are written `\\n`.
fn property(text: &str) -> Option<Property> {
    let text = text.trim();
    let (name, mut rest) = text.split_at(text.find('[')?);
    let is_name = !name.is_empty() && name.len() <= 16 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let mut values = Vec::new();
    while let Some(value) = rest.strip_prefix('[') {
        let mut is_escaped = false;
        let end = value.find(|c: char| {
            let is_end = c == ']' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        })?;
        values.push(value[..end].replace("\\n", "\n"));
        rest = &value[end + 1..];
    }
    (is_name && rest.is_empty() && !values.is_empty()).then(|| Property { name: name.to_owned(), values })
}

fn items_of_a_row(line: usize, row: &str, items: &mut Vec<RecordItem>) {
    for word in words_of_a_row(row) {
        for part in word.split_inclusive(['(', ')']) {
            if items.len() > MAX_ITEMS {
                return;
            }
            let bracket = part.chars().last().filter(|c| ['(', ')'].contains(c));
            let word = without_number(part.trim_end_matches(['(', ')']));
            if !word.is_empty() {
                items.push(RecordItem::Move(RecordedMove::new(word, line)));
            }
            items.extend(
                bracket.map(|c| if c == '(' { RecordItem::Open(line) } else { RecordItem::Close(line) }),
            );
        }
    }
}

/// The words outside comments, each with its line.
fn bare_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).flat_map(|(line, row)| {
        let row = row.split('#').next().unwrap_or_default();
        words_of_a_row(row).map(move |word| (line, word))
    })
}

fn words_of_a_row(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c: char| [',', ';'].contains(&c) || c.is_whitespace())
}

/// Two digits below `size` are one move; all other bytes are noise. A digit left over at the end is no move.
fn digit_pairs(bytes: &[u8], size: usize) -> Vec<RecordedMove> {
    let mut moves = Vec::new();
    let mut row = None;
    let mut line = 1;
    for &byte in bytes {
        line += usize::from(byte == b'\n');
        if !byte.is_ascii_digit() || usize::from(byte - b'0') >= size {
            continue;
        }
        let digit = char::from(byte);
        if moves.len() > MAX_ITEMS {
            break;
        }
        match row.take() {
            None => row = Some(digit),
            Some(row) => moves.push(RecordedMove::new(&format!("{row} {digit}"), line)),
        }
    }
    moves
}
