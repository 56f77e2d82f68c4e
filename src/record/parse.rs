//! Parsing of move files in every text format: records, lists, pairs of numbers, digits. This module does not
//! check whether moves are legal.

use std::collections::BTreeSet;

use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, strip_move_number};
use crate::game::{NumberMeaning, Refusal, RefusalCode, SIZE_KEY, Side};
use crate::record::NodeProperty;
use crate::record::items::{
    MAX_ITEMS_PER_FILE, MoveList, RecordFormat, RecordItem, RecordedMove, numbered_lines,
};
use crate::record::lists::{
    find_side_by_name, mirror_moves_after_swap, split_cells_and_walls, split_joined_moves,
};
use crate::session::{EarlyEnd, Position};

/// First words of a text record.
pub(super) const RECORD_FIRST_WORDS: &str = "# crosspath";
/// Name of crosspath's own notation.
const OWN_NOTATION_NAME: &str = "modern";
/// Word before the first move of a list that turns the swap rule off.
pub(super) const NO_SWAP_WORD: &str = "no-swap";

impl MoveList {
    fn from_moves(form: RecordFormat, mut moves: Vec<RecordedMove>, last_line: usize) -> Self {
        let has_more = moves.len() > MAX_ITEMS_PER_FILE;
        moves.truncate(MAX_ITEMS_PER_FILE);
        MoveList { form, items: moves.into_iter().map(RecordItem::Move).collect(), last_line, has_more }
    }

    /// Returns the moves, including those of variations.
    pub fn moves(&self) -> impl Iterator<Item = &RecordedMove> {
        moves_among_items(&self.items)
    }
}

fn moves_among_items(items: &[RecordItem]) -> impl Iterator<Item = &RecordedMove> {
    items.iter().filter_map(|item| if let RecordItem::Move(noted) = item { Some(noted) } else { None })
}

/// Converts moves from another notation to crosspath's own. A text that is not a move in that notation is
/// left unchanged, so that it is refused later.
pub(super) fn translate_notation(
    script: &mut MoveList,
    notation: &str,
    start: &dyn Position,
) -> Result<(), String> {
    let (dialect, known) = (notation.to_ascii_lowercase(), start.move_dialects());
    if dialect == OWN_NOTATION_NAME {
        return Ok(());
    }
    if !known.contains(&dialect.as_str()) {
        let names = [&[OWN_NOTATION_NAME], known].concat().join(", ");
        let (dialect, game) = (Refusal::sanitize_excerpt(&dialect), start.game_name());
        return Err(format!("unknown notation {dialect} for {game}; notations are {names}"));
    }
    for item in &mut script.items {
        if let RecordItem::Move(noted) = item {
            noted.text = start.translate_move(&dialect, &noted.text).unwrap_or_else(|| noted.text.clone());
        }
    }
    Ok(())
}

/// Returns the items of a list without the settings before its moves.
fn strip_list_settings(mut items: Vec<RecordItem>) -> Vec<RecordItem> {
    let first = |items: &[RecordItem]| items.iter().position(|item| matches!(item, RecordItem::Move(_)));
    while let Some(at) = first(&items)
        && let RecordItem::Move(word) = &items[at]
    {
        let count = match word.text.as_str() {
            SIZE_KEY => 2,
            NO_SWAP_WORD => 1,
            _ => break,
        };
        items.drain(at..items.len().min(at + count));
    }
    items
}

/// Parses the moves of a text record. Their legality is not checked.
pub(super) fn parse_record_moves(text: &str, on: &dyn Position) -> MoveList {
    let mut items = parse_record_items(text);
    let has_more = items.len() > MAX_ITEMS_PER_FILE;
    items.truncate(MAX_ITEMS_PER_FILE);
    remove_header_comments(&mut items);
    strip_side_names(&mut items, on);
    let last_line = last_line_number(text);
    MoveList { form: RecordFormat::Record, items: join_items_to_moves(&items, on), last_line, has_more }
}

/// Parses the moves of a list without a header. Also returns the side that a word at its end names. `numbers`
/// gives the meaning of numbers in the list.
pub(super) fn parse_list_moves(
    mut items: Vec<RecordItem>,
    on: &dyn Position,
    numbers: NumberMeaning,
    last_line: usize,
) -> (MoveList, Option<Side>) {
    let mut has_more = items.len() > MAX_ITEMS_PER_FILE;
    items.truncate(MAX_ITEMS_PER_FILE);
    let winner = strip_side_names(&mut items, on);
    let items = strip_list_settings(join_items_to_moves(&items, on));
    let is_number = |noted: &RecordedMove| noted.text.bytes().all(|b| b.is_ascii_digit());
    let has_side_lines = items.iter().any(|item| matches!(item, RecordItem::Open(_) | RecordItem::Close(_)));
    if matches!(numbers, NumberMeaning::Pairs(_))
        && moves_among_items(&items).any(is_number)
        && !has_side_lines
    {
        let moves = parse_number_pairs(moves_among_items(&items).cloned());
        let list = MoveList::from_moves(RecordFormat::Pairs, moves, last_line);
        return (MoveList { has_more: has_more || list.has_more, ..list }, winner);
    }
    let one_by_one = |item: RecordItem| match item {
        RecordItem::Move(noted) => split_joined_moves(noted, on).into_iter().map(RecordItem::Move).collect(),
        other => vec![other],
    };
    let mut items: Vec<RecordItem> =
        items.into_iter().flat_map(one_by_one).take(MAX_ITEMS_PER_FILE + 1).collect();
    has_more |= items.len() > MAX_ITEMS_PER_FILE;
    items.truncate(MAX_ITEMS_PER_FILE);
    mirror_moves_after_swap(&mut items);
    (MoveList { form: RecordFormat::List, items, last_line, has_more }, winner)
}

/// Reports whether all moves of a list are cells of this board.
pub(super) fn are_all_moves_cells(items: &[RecordItem], on: &dyn Position) -> bool {
    let is_cell = |RecordedMove { text, .. }: &RecordedMove| {
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        is_word
            && (EarlyEnd::from_record_word(text, Side::First).is_some() || on.normalize_move(text).is_ok())
    };
    moves_among_items(items).next().is_some() && moves_among_items(items).all(is_cell)
}

/// Parses digits as pairs of row and column. Digits that are not below the board size are ignored like all
/// other characters.
pub(super) fn parse_digit_moves(text: &str, size: usize) -> MoveList {
    MoveList::from_moves(
        RecordFormat::Digits,
        parse_digit_pairs(text.as_bytes(), size),
        last_line_number(text),
    )
}

/// Returns the number of the last line.
pub(super) fn last_line_number(text: &str) -> usize {
    numbered_lines(text).last().map_or(1, |(line, _)| line)
}

/// Removes the comments of the header: the first line and the remarks after it. Other comments before the
/// first move belong to the first position.
fn remove_header_comments(items: &mut Vec<RecordItem>) {
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

/// Removes the names of sides before moves: `Red: f6`, `X:a1`, `White e2`, `b a1`. Returns the side that is
/// named after the last move.
fn strip_side_names(items: &mut Vec<RecordItem>, on: &dyn Position) -> Option<Side> {
    let is_short = |text: &&str| text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let names: BTreeSet<String> = moves_among_items(items)
        .map(|noted| &*noted.text)
        .filter(is_short)
        .map(str::to_ascii_lowercase)
        .collect();
    let names: Vec<String> = names.into_iter().collect();
    let names = names.join(" ");
    let mut mover = None;
    items.retain_mut(|item| {
        let RecordItem::Move(noted) = item else { return true };
        let (name, rest) = noted.text.split_once(':').unwrap_or((&noted.text, ""));
        if let Some(side) = find_side_by_name(name, on, &names) {
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

/// Joins words that only together form a move, within each run of moves between brackets.
fn join_items_to_moves(items: &[RecordItem], on: &dyn Position) -> Vec<RecordItem> {
    let is_move = |item: &RecordItem| matches!(item, RecordItem::Move(_));
    let whole = |run: &[RecordItem]| -> Vec<RecordItem> {
        let words: Vec<RecordedMove> = moves_among_items(run).cloned().collect();
        if words.is_empty() {
            return run.to_vec();
        }
        join_words_to_moves(&words, on).into_iter().map(RecordItem::Move).collect()
    };
    items.chunk_by(|one, next| is_move(one) && is_move(next)).flat_map(whole).collect()
}

/// Splits a word that consists of cells.
pub(super) fn split_cells(word: &str) -> Option<Vec<&str>> {
    split_cells_and_walls(word, false)
}

/// Parses pairs of numbers as cells. A second move equal to the first is a swap. From then on the cells are
/// mirrored, because the programs that write such files leave the stone in place.
fn parse_number_pairs(mut words: impl Iterator<Item = RecordedMove>) -> Vec<RecordedMove> {
    let mut moves = Vec::new();
    let mut first = None;
    let mut frame = SwapFrame::default();
    while let Some(row) = words.next() {
        let Some(col) = words.next() else {
            moves.push(row); // a single number is refused later
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
            let (row, col) = frame.map_coordinates((r, c));
            if col < 26 { cell_name(col, row) } else { format!("{r} {c}") }
        };
        first = first.or(Some((r, c)));
        moves.push(RecordedMove { text, ..pair });
    }
    moves
}

/// Joins words that only together form a move, such as `e3 h`.
fn join_words_to_moves(words: &[RecordedMove], on: &dyn Position) -> Vec<RecordedMove> {
    /// Maximum number of words of a move.
    const MAX_WORDS_PER_MOVE: usize = 3;
    let is_move = |text: &str| {
        on.normalize_move(text).map_or_else(|no| no.code != RefusalCode::NotUnderstood, |_| true)
    };
    let mut moves = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some(first) = rest.first() {
        let joined = (2..=MAX_WORDS_PER_MOVE.min(rest.len())).rev().find_map(|count| {
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

/// Returns the moves of a list. Words are separated by blanks, commas, semicolons and line ends; `#` starts a
/// comment, and `12.` is a move number.
///
/// ```
/// use crosspath::record::split_list_moves;
/// let moves = split_list_moves("1. e2, e8 # a comment\n2. e3");
/// let moves: Vec<String> = moves.into_iter().map(|mv| mv.text).collect();
/// assert_eq!(moves, ["e2", "e8", "e3"]);
/// ```
#[must_use]
pub fn split_list_moves(text: &str) -> Vec<RecordedMove> {
    let word = |(line, word): (usize, &str)| {
        let word = strip_move_number(word);
        (!word.is_empty()).then(|| RecordedMove::new(word, line))
    };
    words_outside_comments(text).filter_map(word).collect()
}

/// Returns the first word that satisfies `is_it`.
pub(super) fn find_first_word(text: &str, is_it: impl Fn(&str) -> bool) -> Option<RecordedMove> {
    let mut words = words_outside_comments(text).map(|(line, word)| (line, strip_move_number(word)));
    words.find(|(_, word)| !word.is_empty() && is_it(word)).map(|(line, word)| RecordedMove::new(word, line))
}

/// Returns the first `count` words of a text.
pub(super) fn take_first_words(text: &str, count: usize) -> Vec<RecordedMove> {
    let word = |(line, word): (usize, &str)| RecordedMove::new(strip_move_number(word), line);
    words_outside_comments(text).map(word).filter(|noted| !noted.text.is_empty()).take(count).collect()
}

/// Splits a text into moves, comments, properties and the brackets of variations.
fn parse_record_items(text: &str) -> Vec<RecordItem> {
    let mut items = Vec::new();
    for (line, row) in numbered_lines(text) {
        let (row, comment) = row.split_once('#').map_or((row, None), |(row, comment)| (row, Some(comment)));
        push_row_items(line, row, &mut items);
        let rest = comment.and_then(|comment| comment.strip_prefix(':'));
        let header_end = rest.filter(|rest| rest.trim().is_empty()).map(|_| NodeProperty::header_end());
        if let Some(property) = header_end.or_else(|| parse_property(rest?)) {
            items.push(RecordItem::Property(property));
            continue;
        }
        let comment = comment.map(str::trim).filter(|comment| !comment.is_empty());
        items.extend(comment.map(|comment| RecordItem::Comment(comment.to_owned())));
        if items.len() > MAX_ITEMS_PER_FILE {
            break;
        }
    }
    items
}

/// Parses a property after `#:`, such as `TR[b2][c3]`. Line ends in it are written `\\n`.
fn parse_property(text: &str) -> Option<NodeProperty> {
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
    (is_name && rest.is_empty() && !values.is_empty()).then(|| NodeProperty { name: name.to_owned(), values })
}

fn push_row_items(line: usize, row: &str, items: &mut Vec<RecordItem>) {
    for word in split_row_words(row) {
        for part in word.split_inclusive(['(', ')']) {
            if items.len() > MAX_ITEMS_PER_FILE {
                return;
            }
            let bracket = part.chars().last().filter(|c| ['(', ')'].contains(c));
            let word = strip_move_number(part.trim_end_matches(['(', ')']));
            if !word.is_empty() {
                items.push(RecordItem::Move(RecordedMove::new(word, line)));
            }
            items.extend(
                bracket.map(|c| if c == '(' { RecordItem::Open(line) } else { RecordItem::Close(line) }),
            );
        }
    }
}

/// Returns the words outside of comments, each with its line.
fn words_outside_comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    numbered_lines(text).flat_map(|(line, row)| {
        let row = row.split('#').next().unwrap_or_default();
        split_row_words(row).map(move |word| (line, word))
    })
}

fn split_row_words(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c: char| [',', ';'].contains(&c) || c.is_whitespace())
}

/// Returns each pair of digits below `size` as a move. All other bytes and a single last digit are ignored.
fn parse_digit_pairs(bytes: &[u8], size: usize) -> Vec<RecordedMove> {
    let mut moves = Vec::new();
    let mut row = None;
    let mut line = 1;
    for &byte in bytes {
        line += usize::from(byte == b'\n');
        if !byte.is_ascii_digit() || usize::from(byte - b'0') >= size {
            continue;
        }
        let digit = char::from(byte);
        if moves.len() > MAX_ITEMS_PER_FILE {
            break;
        }
        match row.take() {
            None => row = Some(digit),
            Some(row) => moves.push(RecordedMove::new(&format!("{row} {digit}"), line)),
        }
    }
    moves
}
