//! `crosspath picture`: a position or a whole game as SVG.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::request::check_flags_match_file;
use super::{Board, bad_file, check_place, start, usage, write_file, write_out};
use crate::canvas::Glyphs;
use crate::cli;
use crate::game::{Refusal, Side};
use crate::journal;
use crate::messages;
use crate::picture::{self, Heading, SvgTheme};
use crate::record::{self, GameRecord, Hint, disk};
use crate::registry::GameStart;
use crate::session::Position;
use crate::text;
use crate::text::{Text, join};

/// Game to draw: its last position, and the properties in its file.
struct Drawn {
    last: Arc<dyn Position>,
    remarks: Vec<(String, String)>,
}

/// Columns for each line below a picture.
const CAPTION_COLUMNS: usize = 27;

pub(super) fn run(asked: &cli::Picture, board: Board) -> Result<()> {
    let out = asked.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = out {
        check_place("--out", path, asked.force)?;
    }
    let Drawn { last, remarks } = match &asked.file {
        Some(path) => of_file(path, asked, board)?,
        None => {
            of_moves(asked.moves.as_deref().unwrap_or_default(), &start(board, asked.position.as_deref())?)?
        }
    };
    let last = at(last, asked.at)?;
    let theme = match asked.theme {
        cli::PictureTheme::Light => SvgTheme::Light,
        cli::PictureTheme::Dark => SvgTheme::Dark,
    };
    let svg = if asked.sheet {
        picture::sheet(&last, &heading(&*last, &remarks), theme)
    } else if asked.animated {
        let end = caption(&*last).join(" ");
        picture::animation(&last, &format!("{}. {end}", last.view().title()), |p| caption(p).join(" "), theme)
    } else {
        let lines = [caption(&*last), standing(&*last)].concat();
        picture::board(&*last, &format!("{}. {}", last.view().title(), lines.join(" ")), &lines, theme)
    };
    let Some(path) = out else { return write_out(svg) };
    write_file("--out", path, &svg, asked.force)?;
    write_out(format!("Saved as {}.\n", Refusal::shown_path(path)))
}

/// Returns the game of a move file.
fn of_file(path: &Path, asked: &cli::Picture, board: Board) -> Result<Drawn> {
    let record = whole_game(path, asked.game.is_some(), asked.game_number, board)?;
    Ok(Drawn { last: Arc::clone(record.tree.position(record.end)), remarks: record.remarks })
}

/// Reads the game of a move file and prints the notes on it. A file that cannot be followed to its
/// end is an error: half of a game would not show that.
pub(super) fn whole_game(
    path: &Path,
    has_game: bool,
    number: Option<usize>,
    (entry, variant): Board,
) -> Result<GameRecord> {
    let is_input = path.as_os_str() == "-";
    let name = if is_input { "standard input".to_owned() } else { Refusal::shown_path(path) };
    let bytes = if is_input { standard_input() } else { record::source(path) };
    let bytes = bytes.map_err(|error| bad_file(format!("cannot read {name}: {error}")))?;
    let hint = Hint { game: has_game.then_some(entry), number, ..Hint::any(entry.games()).on(&variant) };
    let record = journal::open_game(&bytes, &hint).map_err(|bad| bad_file(format!("{name}:{bad}")))?;
    check_flags_match_file(&record, (entry, &variant), has_game, &name)?;
    if let Some(fault) = record.fault {
        return Err(bad_file(format!("{name}:{}: {}", fault.line, fault.why.text)));
    }
    for note in &record.notes {
        super::note(&format!("{name}:{}: {}", note.line, note.why.text));
    }
    Ok(record)
}

fn standard_input() -> Result<Vec<u8>, disk::FileError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(disk::MAX_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Err(disk::FileError::Empty),
        length if length > disk::MAX_BYTES => Err(disk::FileError::TooLong),
        _ => Ok(bytes),
    }
}

fn of_moves(moves: &str, begins: &GameStart) -> Result<Drawn> {
    let mut last = begins.position().map_err(|error| usage(error.as_flag()))?;
    for noted in record::words(moves) {
        let illegal = |why: Refusal| usage(format!("--moves: {}", why.reason()));
        last = match last.end_by(&noted.text).map_err(illegal)? {
            Some(ended) => ended,
            None => last.play(&noted.text).map_err(illegal)?,
        };
    }
    Ok(Drawn { last, remarks: Vec::new() })
}

/// Returns the position at this ply of a game.
fn at(last: Arc<dyn Position>, ply: Option<usize>) -> Result<Arc<dyn Position>> {
    let (Some(ply), plies) = (ply, last.plies()) else { return Ok(last) };
    if ply > plies {
        return Err(usage(format!("--at {ply}: the game has only {}", messages::moves(plies))));
    }
    let mut here = last;
    while here.plies() > ply {
        here = here.parent().expect("every move has a position before it");
    }
    Ok(here)
}

/// Returns the last move and the side to move, or the result of the game.
fn caption(position: &dyn Position) -> Vec<String> {
    let mover = position.side_name(position.to_move().other());
    let last = position.last().map(|text| format!("{}. {mover} {text}.", position.plies()));
    let next = messages::short_result(position, None, Glyphs::Unicode)
        .unwrap_or_else(|| text!("{} to move.", position.side_name(position.to_move())));
    vec![last.into_iter().chain([next.into_string()]).collect::<Vec<_>>().join(" ")]
}

/// Returns the facts that the board itself does not show, such as walls left; nothing where the
/// game is over.
fn standing(position: &dyn Position) -> Vec<String> {
    let lines = if position.outcome().is_some() {
        Vec::new()
    } else {
        position.drawn().side_panel(Glyphs::Unicode, CAPTION_COLUMNS)
    };
    match lines.split_first() {
        Some((heading, facts)) => vec![format!("{heading}: {}", join(facts, ", "))],
        None => Vec::new(),
    }
}

/// Returns the head of a sheet: event or game, players, day, result.
pub(super) fn heading(position: &dyn Position, remarks: &[(String, String)]) -> Heading {
    let said = |key: &str| {
        let known = remarks.iter().find(|(known, value)| known == key && !value.is_empty());
        known.map(|(_, value)| Refusal::shown_path(value))
    };
    let board = position.view().title();
    let event = said("event").or_else(|| said("title"));
    let mut lines: Vec<String> = event.is_some().then(|| board.clone()).into_iter().collect();
    let players = Side::BOTH.map(|side| {
        let name = said(&side.to_string())?;
        let sign = position.drawn().piece_glyph(side, Glyphs::Unicode);
        let sign = sign.map(|sign| format!("{sign} ")).unwrap_or_default();
        Some(format!("{sign}{}: {name}", position.side_name(side)))
    });
    let players: Vec<String> = players.into_iter().flatten().collect();
    lines.extend((!players.is_empty()).then(|| players.join(", ")));
    lines.extend(said("date"));
    lines.extend(messages::short_result(position, None, Glyphs::Unicode).map(Text::into_string));
    Heading { title: event.unwrap_or(board), lines }
}
