//! The sheet of a game: who played, the final position with the numbers of the moves, the moves in columns.

use std::sync::Arc;

use super::svg::{ADVANCE, Anchor, Document, Font, LINE, TEXT, text};
use super::{Drawing, Marks, SvgTheme, line_to, real, scene, tiles};
use crate::drawing::{Scene, Site};
use crate::game::Side;
use crate::session::Position;

/// Heading of a sheet, above the board.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The first line: the event, or the game.
    pub title: String,
    /// The lines below: the players, the day, how the game ended.
    pub lines: Vec<String>,
}

/// Every move of a game with the place where its number is to stand; `None` if nothing on the board tells it.
struct Numbered {
    ply: usize,
    side: Side,
    text: String,
    place: Option<Site>,
}

/// A whole game on one page: the last position with the number of each move at its place, notes for places that were
/// used more than once, and the list of moves.
#[must_use]
pub fn sheet(last: &Arc<dyn Position>, heading: &Heading, theme: SvgTheme) -> String {
    let drawing = Drawing::of(&**last);
    let colours = theme.colours(last.drawn().hues());
    let title = [std::slice::from_ref(&heading.title), &heading.lines].concat().join(". ");
    let mut page = Document::new(colours, &title);
    page.widen(drawing.plan.size.0);
    page.widen_for(&heading.lines);
    page.line(&heading.title, Font { size: 18.0, is_bold: true, colour: colours.text });
    page.lines(&heading.lines);
    page.skip(LINE * 0.75);
    let board = scene(&**last, Marks::None);
    let mut elements = tiles::elements(&board, &drawing.plan, &drawing.names, colours);
    let (shown, notes) = arranged(moves(last, &drawing), &board, &drawing);
    elements.extend(shown.iter().filter_map(|numbered| {
        let by = (numbered.ply, numbered.side);
        Some(tiles::numbered(&board, &drawing.plan, numbered.place?, by, colours))
    }));
    page.put(&elements, drawing.plan.size);
    if !notes.is_empty() {
        page.skip(LINE / 2.0);
        let muted = Font { size: TEXT, is_bold: false, colour: colours.label };
        page.line(&format!("Moves: {}.", notes.join(", ")), muted);
    }
    page.skip(LINE / 2.0);
    list(&mut page, &last.played(), last.first_mover());
    page.finish()
}

/// Every move with its place.
fn moves(last: &Arc<dyn Position>, drawing: &Drawing) -> Vec<Numbered> {
    let drawn = |position: Arc<dyn Position>| (scene(&*position, Marks::None), position);
    let line: Vec<_> = line_to(last).into_iter().map(drawn).collect();
    line.windows(2)
        .filter_map(|pair| {
            let [(before, position), (after, next)] = pair else { return None };
            let (text, side): (String, Side) = (next.last()?, position.to_move());
            let place = drawing.place(&text).or_else(|| appeared(before, after, side));
            Some(Numbered { ply: next.plies(), side, text, place })
        })
        .collect()
}

/// Where a piece of a side has come to be by a move that has no place of its own.
fn appeared(before: &Scene, after: &Scene, side: Side) -> Option<Site> {
    let is_own =
        |scene: &Scene, at: Site| tiles::piece(scene, at).is_some_and(|item| item.role.side() == Some(side));
    after.items.iter().map(|item| item.at).find(|&at| is_own(after, at) && !is_own(before, at))
}

/// The moves whose numbers stand on the board, and what is said about the others: at a place with a piece on it the
/// last move is shown, at an empty one the first.
fn arranged(moves: Vec<Numbered>, board: &Scene, drawing: &Drawing) -> (Vec<Numbered>, Vec<String>) {
    let mut shown: Vec<Numbered> = Vec::new();
    let mut notes: Vec<(usize, String)> = Vec::new();
    for numbered in moves {
        let Some(place) = numbered.place else {
            notes.push((numbered.ply, format!("{} {}", numbered.ply, numbered.text)));
            continue;
        };
        // A move may be a word, such as one that takes a piece over, and not the name of its place.
        let name = drawing.names.get(&place).map_or(numbered.text.as_str(), String::as_str).to_owned();
        let is_word = |numbered: &Numbered| numbered.text != name;
        let note = |numbered: &Numbered| {
            let word = if is_word(numbered) { format!("{} ", numbered.text) } else { String::new() };
            (numbered.ply, format!("{} {word}at {name}", numbered.ply))
        };
        match shown.iter_mut().find(|other| other.place == Some(place)) {
            Some(other) if tiles::piece(board, place).is_some() => {
                let of_word = is_word(&numbered).then(|| note(&numbered));
                notes.extend([note(other)].into_iter().chain(of_word));
                *other = numbered;
            }
            Some(_) => notes.push(note(&numbered)),
            None => {
                if is_word(&numbered) {
                    notes.push(note(&numbered));
                }
                shown.push(numbered);
            }
        }
    }
    notes.sort();
    // No line ends within a note.
    (shown, notes.into_iter().map(|(_, text)| text.replace(' ', "\u{a0}")).collect())
}

/// The moves in columns, a round on each line, which begins with the number that its first move has on the board.
fn list(page: &mut Document, moves: &[String], first_mover: Side) {
    if moves.is_empty() {
        return;
    }
    let skipped = first_mover.index();
    let (rounds, colours) = ((moves.len() + skipped).div_ceil(2), page.colours);
    let longest = moves.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let digits = moves.len().to_string().len();
    let advance = TEXT * ADVANCE;
    let [number, first, second, end] =
        [digits + 1, digits + 2, digits + 3 + longest, digits + 6 + 2 * longest].map(|at| real(at) * advance);
    let columns = (1..rounds).take_while(|&count| real(count + 1) * end <= page.width()).last().unwrap_or(1);
    let rows = rounds.div_ceil(columns);
    let mut svg = Vec::new();
    for round in 0..rounds {
        let left = real(round / rows) * end;
        let y = real(round % rows) * LINE + LINE / 2.0;
        let mut put = |at: f64, colour: &'static str, is_bold: bool, content: &str| {
            let font = Font { size: TEXT, is_bold, colour };
            svg.push(text(left + at, y, Anchor::Start, font, content));
        };
        let own = [2 * round, 2 * round + 1].map(|place| place.checked_sub(skipped));
        let name = format!("{}.", own[0].or(own[1]).unwrap_or(0) + 1);
        put(number - real(name.len()) * advance, colours.label, false, &name);
        for (ply, (at, side)) in own.into_iter().zip([(first, 0), (second, 1)]) {
            let Some(text) = ply.and_then(|ply| moves.get(ply)) else { continue };
            put(at, colours.sides[side], side == 0, text);
        }
    }
    page.place(&svg.join("\n"), (0.0, real(rows) * LINE));
}
