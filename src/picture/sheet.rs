//! Sheet of a game: heading, final position with numbered moves, and the list of moves.

use std::sync::Arc;

use super::svg::{
    CHARACTER_WIDTH_RATIO, LINE_HEIGHT, SvgFont, SvgPage, TEXT_SIZE, TextAnchor, render_text_element,
};
use super::{BoardDrawing, LastMoveMark, SvgTheme, count_as_f64, position_scene, positions_up_to, tiles};
use crate::drawing::{BoardSite, Scene};
use crate::game::Side;
use crate::session::Position;

/// Heading of a sheet, above the board.
#[derive(Clone, Debug, Default)]
pub struct PictureHeading {
    /// First line: the event, or the game.
    pub title: String,
    /// Further lines: players, date, result.
    pub lines: Vec<String>,
}

/// Move with the site of its number; `None` if nothing on the board shows the move.
struct NumberedMove {
    ply: usize,
    side: Side,
    text: String,
    place: Option<BoardSite>,
}

/// Renders a whole game on one page: the last position with numbered moves, notes on cells used more than
/// once, and the list of moves.
#[must_use]
pub fn render_game_sheet(last: &Arc<dyn Position>, heading: &PictureHeading, theme: SvgTheme) -> String {
    let drawing = BoardDrawing::for_game_of(&**last);
    let colours = theme.palette(last.as_paint().side_hues());
    let title = [std::slice::from_ref(&heading.title), &heading.lines].concat().join(". ");
    let mut page = SvgPage::new(colours, &title);
    page.widen_to(drawing.plan.size.0);
    page.widen_for_lines(&heading.lines);
    page.add_line(&heading.title, SvgFont { size: 18.0, is_bold: true, colour: colours.text });
    page.add_lines(&heading.lines);
    page.add_space(LINE_HEIGHT * 0.75);
    let board = position_scene(&**last, LastMoveMark::None);
    let mut elements = tiles::render_scene(&board, &drawing.plan, &drawing.names, colours);
    let (shown, notes) = arrange_move_numbers(collect_numbered_moves(last, &drawing), &board, &drawing);
    elements.extend(shown.iter().filter_map(|numbered| {
        let by = (numbered.ply, numbered.side);
        Some(tiles::render_move_number(&board, &drawing.plan, numbered.place?, by, colours))
    }));
    page.add_elements(&elements, drawing.plan.size);
    if !notes.is_empty() {
        page.add_space(LINE_HEIGHT / 2.0);
        let muted = SvgFont { size: TEXT_SIZE, is_bold: false, colour: colours.label };
        page.add_line(&format!("Moves: {}.", notes.join(", ")), muted);
    }
    page.add_space(LINE_HEIGHT / 2.0);
    render_move_list(&mut page, &last.played_moves(), last.first_mover());
    page.into_svg()
}

/// Returns every move with the site of its number.
fn collect_numbered_moves(last: &Arc<dyn Position>, drawing: &BoardDrawing) -> Vec<NumberedMove> {
    let drawn = |position: Arc<dyn Position>| (position_scene(&*position, LastMoveMark::None), position);
    let line: Vec<_> = positions_up_to(last).into_iter().map(drawn).collect();
    line.windows(2)
        .filter_map(|pair| {
            let [(before, position), (after, next)] = pair else { return None };
            let (text, side): (String, Side) = (next.last_move()?, position.to_move());
            let place = drawing.find_site(&text).or_else(|| find_new_piece(before, after, side));
            Some(NumberedMove { ply: next.plies(), side, text, place })
        })
        .collect()
}

/// Returns the site on which a move without its own site, such as a swap, has placed a piece of this side.
fn find_new_piece(before: &Scene, after: &Scene, side: Side) -> Option<BoardSite> {
    let is_own = |scene: &Scene, at: BoardSite| {
        tiles::piece_at(scene, at).is_some_and(|item| item.role.side() == Some(side))
    };
    after.items.iter().map(|item| item.at).find(|&at| is_own(after, at) && !is_own(before, at))
}

/// Splits moves into those whose numbers are shown on the board and notes on the others. A site with a piece
/// shows its last move, an empty one its first.
fn arrange_move_numbers(
    moves: Vec<NumberedMove>,
    board: &Scene,
    drawing: &BoardDrawing,
) -> (Vec<NumberedMove>, Vec<String>) {
    let mut shown: Vec<NumberedMove> = Vec::new();
    let mut notes: Vec<(usize, String)> = Vec::new();
    for numbered in moves {
        let Some(place) = numbered.place else {
            notes.push((numbered.ply, format!("{} {}", numbered.ply, numbered.text)));
            continue;
        };
        // A move may be a word such as `swap` instead of the name of a site.
        let name = drawing.names.get(&place).map_or(numbered.text.as_str(), String::as_str).to_owned();
        let is_word = |numbered: &NumberedMove| numbered.text != name;
        let note = |numbered: &NumberedMove| {
            let word = if is_word(numbered) { format!("{} ", numbered.text) } else { String::new() };
            (numbered.ply, format!("{} {word}at {name}", numbered.ply))
        };
        match shown.iter_mut().find(|other| other.place == Some(place)) {
            Some(other) if tiles::piece_at(board, place).is_some() => {
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
    // Non-breaking spaces keep each note on one line.
    (shown, notes.into_iter().map(|(_, text)| text.replace(' ', "\u{a0}")).collect())
}

/// Renders the moves in columns, one round per line. Each line starts with the number of its first move.
fn render_move_list(page: &mut SvgPage, moves: &[String], first_mover: Side) {
    if moves.is_empty() {
        return;
    }
    let skipped = first_mover.index();
    let (rounds, colours) = ((moves.len() + skipped).div_ceil(2), page.colours);
    let longest = moves.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let digits = moves.len().to_string().len();
    let advance = TEXT_SIZE * CHARACTER_WIDTH_RATIO;
    let [number, first, second, end] =
        [digits + 1, digits + 2, digits + 3 + longest, digits + 6 + 2 * longest]
            .map(|at| count_as_f64(at) * advance);
    let columns =
        (1..rounds).take_while(|&count| count_as_f64(count + 1) * end <= page.width()).last().unwrap_or(1);
    let rows = rounds.div_ceil(columns);
    let mut svg = Vec::new();
    for round in 0..rounds {
        let left = count_as_f64(round / rows) * end;
        let y = count_as_f64(round % rows) * LINE_HEIGHT + LINE_HEIGHT / 2.0;
        let mut put = |at: f64, colour: &'static str, is_bold: bool, content: &str| {
            let font = SvgFont { size: TEXT_SIZE, is_bold, colour };
            svg.push(render_text_element(left + at, y, TextAnchor::Start, font, content));
        };
        let own = [2 * round, 2 * round + 1].map(|place| place.checked_sub(skipped));
        let name = format!("{}.", own[0].or(own[1]).unwrap_or(0) + 1);
        put(number - count_as_f64(name.len()) * advance, colours.label, false, &name);
        for (ply, (at, side)) in own.into_iter().zip([(first, 0), (second, 1)]) {
            let Some(text) = ply.and_then(|ply| moves.get(ply)) else { continue };
            put(at, colours.sides[side], side == 0, text);
        }
    }
    page.add_svg(&svg.join("\n"), (0.0, count_as_f64(rows) * LINE_HEIGHT));
}
