//! Move lists as users and other programs write them: tags, braces, results, colours, cells without
//! separators, and a guess at the game of a list that does not state it. This module does not depend on
//! rules.

use std::collections::BTreeSet;

use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name, strip_move_number};
use crate::game::{Outcome, Side};
use crate::record::items::{MAX_ITEMS_PER_FILE, RecordItem, RecordedMove, numbered_lines};
use crate::record::{NodeProperty, StatedResult};
use crate::session::Position;

/// A game of a list file.
#[derive(Debug, Default)]
pub(super) struct ListedGame {
    pub(super) items: Vec<RecordItem>,
    /// Remarks from tags, such as the players' names.
    pub(super) remarks: Vec<(String, String)>,
    /// Word that states the result.
    pub(super) result: Option<String>,
    pub(super) last_line: usize,
    /// `true` if a word among the moves stated the result.
    is_ended: bool,
    is_numbered: bool,
    /// Line in which another game seems to begin without a separator.
    pub(super) next_game: Option<usize>,
}

/// Tags of move lists and the keys of the remarks that they become.
const TAG_REMARKS: [(&str, &str); 6] = [
    ("white", "first"),
    ("black", "second"),
    ("event", "event"),
    ("date", "date"),
    ("first", "first"),
    ("second", "second"),
];

/// Splits a text into games, and each game into moves, brackets and comments.
pub(super) fn split_listed_games(text: &str) -> Vec<ListedGame> {
    let mut games = vec![ListedGame::default()];
    let mut is_in_braces = false;
    for (line, row) in numbered_lines(text) {
        let game = games.last_mut().expect("there is one");
        let has_moves = !game.items.is_empty();
        let word = row.split_whitespace().next().unwrap_or_default();
        if !is_in_braces && let Some((key, value)) = parse_tag(row) {
            if has_moves {
                games.push(ListedGame::default());
            }
            let game = games.last_mut().expect("there is one");
            let known = TAG_REMARKS.iter().find(|(tag, _)| key.eq_ignore_ascii_case(tag));
            if key.eq_ignore_ascii_case("result") {
                game.result = Some(value.to_owned());
            } else if let Some((_, key)) = known {
                game.remarks.push(((*key).to_owned(), value.to_owned()));
            }
            game.last_line = line;
            continue;
        }
        if !is_in_braces && word.eq_ignore_ascii_case("game") && has_moves {
            games.push(ListedGame::default());
        }
        let game = games.last_mut().expect("there is one");
        game.last_line = line;
        game.read_row(line, row, &mut is_in_braces);
        if game.items.len() > MAX_ITEMS_PER_FILE || games.len() > MAX_ITEMS_PER_FILE {
            break;
        }
    }
    games
}

/// Splits a word such as `1.e2e82.e3e7` before each consecutive move number.
fn split_at_move_numbers(word: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), word);
    let mut number = word.split_once('.').and_then(|(number, _)| number.parse::<u16>().ok());
    while let Some(next) = number.and_then(|number| number.checked_add(1))
        && let Some(at) = rest.find(&format!("{next}.")).filter(|&at| at > 0)
    {
        parts.push(&rest[..at]);
        (rest, number) = (&rest[at..], Some(next));
    }
    parts.push(rest);
    parts
}

/// Returns the key and the value of a line such as `[White "Ann"]`.
fn parse_tag(row: &str) -> Option<(&str, &str)> {
    let (key, value) =
        row.trim().strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some((key, value))
}

impl ListedGame {
    fn read_row(&mut self, line: usize, row: &str, is_in_braces: &mut bool) {
        let mut rest = row;
        let mut first = true;
        while !rest.is_empty() && self.items.len() <= MAX_ITEMS_PER_FILE {
            if *is_in_braces {
                let (comment, after) =
                    rest.split_once('}').map_or((rest, None), |(c, after)| (c, Some(after)));
                let comment = comment.trim();
                if !comment.is_empty() {
                    self.items.push(RecordItem::Comment(comment.to_owned()));
                }
                *is_in_braces = after.is_none();
                rest = after.unwrap_or_default();
                continue;
            }
            let start = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
            if let Some(comment) = start.strip_prefix('#') {
                let comment = comment.trim();
                if !comment.is_empty() {
                    self.items.push(RecordItem::Comment(comment.to_owned()));
                }
                return;
            }
            if let Some(comment) = start.strip_prefix('{') {
                *is_in_braces = true;
                rest = comment;
                continue;
            }
            if let Some(bracket) = start.chars().next().filter(|c| ['(', ')'].contains(c)) {
                self.items.push(if bracket == '(' {
                    RecordItem::Open(line)
                } else {
                    RecordItem::Close(line)
                });
                rest = &start[1..];
                continue;
            }
            let is_end = |c: char| c.is_whitespace() || [',', ';', '(', ')', '{'].contains(&c);
            let end = start.find(is_end).unwrap_or(start.len());
            let (word, after) = start.split_at(end);
            if word.eq_ignore_ascii_case("game") && first {
                rest = after;
                continue;
            }
            if word.eq_ignore_ascii_case("result") && first {
                self.result = Some(after.trim().to_owned());
                return;
            }
            for word in split_at_move_numbers(word) {
                self.read_word(line, word);
            }
            first = false;
            rest = after;
        }
    }

    fn read_word(&mut self, line: usize, word: &str) {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.result = Some(word.to_owned());
            self.is_ended = true;
            return;
        }
        // Signs right after a move are an annotation: `e8#`, `e3h!?`. Another word after `#` is a comment.
        let (word, end) = word.split_once('#').unwrap_or((word, ""));
        let comment = end.trim_start_matches(ANNOTATION_SIGNS);
        let is_first = word.starts_with("1.") && !word.starts_with("1..");
        let begins_again = is_first && self.is_numbered;
        self.is_numbered |= is_first;
        let signed = strip_move_number(word);
        let word = signed.trim_end_matches(ANNOTATION_SIGNS);
        let signs = [&signed[word.len()..], &end[..end.len() - comment.len()]].concat();
        if self.is_ended && !word.is_empty() || begins_again {
            self.next_game.get_or_insert(line);
        }
        if !word.is_empty() && !word.starts_with('$') {
            self.items.push(RecordItem::Move(RecordedMove::new(word, line)));
        }
        if !self.items.is_empty() {
            self.items.extend(parse_annotation_signs(&signs).map(RecordItem::Property));
        }
        if !comment.is_empty() {
            self.items.push(RecordItem::Comment(comment.to_owned()));
        }
    }

    /// Returns the stated result, with the side names of this board.
    pub(super) fn stated_result(&self, on: &dyn Position) -> Option<StatedResult> {
        let text = self.result.as_deref()?;
        let outcome = match text.to_ascii_lowercase().as_str() {
            "1-0" | "first" => Outcome::Win(Side::First),
            "0-1" | "second" => Outcome::Win(Side::Second),
            "1/2-1/2" | "draw" => Outcome::Draw,
            name => Outcome::Win(find_side_by_name(name, on, "")?),
        };
        Some(StatedResult::without_reason(outcome))
    }
}

/// Annotation signs that may follow a move.
const ANNOTATION_SIGNS: [char; 4] = ['!', '?', '+', '#'];

/// Returns the SGF property for the annotation signs after a move.
fn parse_annotation_signs(signs: &str) -> Option<NodeProperty> {
    let signs: String = signs.chars().filter(|sign| ['!', '?'].contains(sign)).collect();
    let count = if signs.len() > 1 { "2" } else { "1" };
    let (name, value) = match (signs.chars().next()?, signs.contains('!') && signs.contains('?')) {
        ('!', true) => ("IT", ""),
        (_, true) => ("DO", ""),
        ('!', false) => ("TE", count),
        (_, false) => ("BM", count),
    };
    Some(NodeProperty { name: name.to_owned(), values: vec![value.to_owned()] })
}

/// Returns the side that a word names, by its name on this board or by the first letter. In Hex, black and
/// white are accepted as in other programs. `others` holds all such words of the file.
pub(super) fn find_side_by_name(name: &str, on: &dyn Position, others: &str) -> Option<Side> {
    let name = name.to_ascii_lowercase();
    let names = Side::BOTH.map(|side| on.side_name(side).to_string().to_ascii_lowercase());
    if let Some(place) = names.iter().position(|known| *known == name) {
        return Some(Side::BOTH[place]);
    }
    let is_black_and_white = !names.iter().any(|known| known == "white" || known == "black");
    let says_red = others.split(' ').any(|word| word == "r" || word == "red");
    let of_programs = [["b", "black"], ["w", "white"]];
    if is_black_and_white && !says_red {
        return of_programs
            .iter()
            .position(|side| side.contains(&name.as_str()))
            .map(|place| Side::BOTH[place]);
    }
    let place = names.iter().position(|known| known.starts_with(&name) && name.len() == 1)?;
    Some(Side::BOTH[place])
}

/// Splits a move text that consists of several cells and walls without separators, such as `e2e8e3h`, and
/// moves the letter of a wall such as `He3` to the end. Other texts are returned unchanged.
pub(super) fn split_joined_moves(noted: RecordedMove, on: &dyn Position) -> Vec<RecordedMove> {
    if on.normalize_move(&noted.text).is_ok() {
        return vec![noted];
    }
    let has_walls = on.normalize_move("a1h").is_ok();
    let lower = noted.text.to_ascii_lowercase();
    if has_walls
        && let Some(cell) = lower.strip_prefix(['h', 'v']).filter(|cell| parse_cell_name(cell).is_some())
    {
        let text = format!("{cell}{}", &lower[..1]);
        return vec![RecordedMove { written: noted.text, ..RecordedMove::new(&text, noted.line) }];
    }
    let Some(parts) = split_cells_and_walls(&lower, has_walls).filter(|parts| parts.len() > 1) else {
        return vec![noted];
    };
    let parts = parts.into_iter().take(MAX_ITEMS_PER_FILE + 1);
    parts.map(|part| RecordedMove { side: None, ..RecordedMove::new(part, noted.line) }).collect()
}

/// Splits a word that consists of cells and walls. An `h` or `v` before a digit is a column, otherwise the
/// suffix of a wall.
pub(super) fn split_cells_and_walls(word: &str, has_walls: bool) -> Option<Vec<&str>> {
    let bytes = word.as_bytes();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = at + 1 + digits;
        parse_cell_name(word.get(at..end)?)?;
        let is_suffix = bytes.get(end).is_some_and(|byte| matches!(byte, b'h' | b'v'))
            && !bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if has_walls && is_suffix {
            end += 1;
        }
        parts.push(&word[at..end]);
        at = end;
    }
    Some(parts)
}

/// Interprets a swap by the colour of the next move. If the same colour moves again, the players exchanged
/// colours and the stone stayed, so the following cells are mirrored.
pub(super) fn mirror_moves_after_swap(items: &mut [RecordItem]) {
    let mut moves = items
        .iter_mut()
        .filter_map(|item| if let RecordItem::Move(noted) = item { Some(noted) } else { None });
    let Some(swap) = moves.by_ref().take(2).find(|noted| noted.text.starts_with("swap")) else { return };
    let swapper = swap.side;
    let mut frame = SwapFrame::default();
    for (place, noted) in moves.enumerate() {
        if place == 0 {
            frame.transposed = swapper.is_some() && noted.side == swapper;
        }
        if frame.transposed {
            noted.side = noted.side.map(|side| frame.map_side(side));
            if let Some((col, row)) = parse_cell_name(&noted.text) {
                let (row, col) = frame.map_coordinates((row, col));
                if col < 26 {
                    noted.text = cell_name(col, row);
                }
            }
        }
    }
}

/// Reports whether a move of a list begins with a digit.
pub(super) fn has_numeric_moves(items: &[RecordItem]) -> bool {
    items
        .iter()
        .any(|item| matches!(item, RecordItem::Move(noted) if noted.text.starts_with(|c: char| c.is_ascii_digit())))
}

/// Guess at the game of a move list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GuessedGame {
    /// Tic-tac-toe on 3x3 cells.
    Marks,
    /// Quoridor.
    Walls,
    /// Hex on a board of this size.
    Stones(usize),
}

/// Board sizes that are tried for a list of Hex moves.
const GUESSED_HEX_SIZES: [usize; 6] = [11, 13, 14, 15, 19, 26];

/// Guesses the game of a list from its cells; returns `None` if it is ambiguous.
pub(super) fn guess_game(items: &[RecordItem]) -> Option<GuessedGame> {
    let mut cells = BTreeSet::new();
    let (mut is_repeated, mut has_walls, mut has_swap, mut count) = (false, false, false, 0);
    let (mut columns, mut rows) = (0, 0);
    for item in items {
        let RecordItem::Move(noted) = item else { continue };
        let word = noted.text.to_ascii_lowercase();
        match word.as_str() {
            "swap" | "swap-pieces" => has_swap = true,
            "resign" => {}
            word => {
                let letter_first =
                    word.strip_prefix(['h', 'v']).filter(|cell| parse_cell_name(cell).is_some());
                let is_cell = parse_cell_name(word).is_some();
                let parts = match letter_first {
                    Some(cell) if !is_cell => vec![cell],
                    _ => split_cells_and_walls(word, true)?,
                };
                has_walls |= letter_first.is_some() && !is_cell;
                for part in parts {
                    let cell = part.trim_end_matches(['h', 'v']);
                    let is_wall = cell.len() < part.len();
                    let (col, row) = parse_cell_name(cell)?;
                    has_walls |= is_wall;
                    is_repeated |= !is_wall && !cells.insert((col, row));
                    (columns, rows) = (columns.max(col + 1), rows.max(row + 1));
                    count += 1;
                }
            }
        }
    }
    let largest = columns.max(rows);
    if count == 0 {
        None
    } else if has_swap || largest > 9 && !has_walls && !is_repeated {
        GUESSED_HEX_SIZES.into_iter().find(|&size| size >= largest).map(GuessedGame::Stones)
    } else if has_walls || is_repeated {
        Some(GuessedGame::Walls)
    } else if largest <= 3 {
        Some(GuessedGame::Marks)
    } else {
        None
    }
}
