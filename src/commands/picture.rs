//! Command `crosspath picture`: draws a position or a whole game as SVG.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::request::check_flags_match_file;
use super::{
    RequestedBoard, bad_file_error, check_output_path, parse_game_start, usage_error, write_output_file,
    write_stdout,
};
use crate::canvas::GlyphSet;
use crate::cli;
use crate::game::{Refusal, Side};
use crate::journal;
use crate::messages;
use crate::picture::{self, PictureHeading, SvgTheme};
use crate::record::{self, GameRecord, RecordReadOptions, disk};
use crate::registry::GameStart;
use crate::session::Position;
use crate::text;
use crate::text::{Text, join_texts};

/// Game to draw: its last position, and the properties in its file.
struct GameToDraw {
    last: Arc<dyn Position>,
    remarks: Vec<(String, String)>,
}

/// Maximum width of a line below a picture, in characters.
const CAPTION_COLUMNS: usize = 27;

/// Runs `crosspath picture`.
pub(super) fn run_picture_command(asked: &cli::PictureArgs, board: RequestedBoard) -> Result<()> {
    let out = asked.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = out {
        check_output_path("--out", path, asked.force)?;
    }
    let GameToDraw { last, remarks } = match &asked.file {
        Some(path) => load_game_to_draw(path, asked, board)?,
        None => play_game_to_draw(
            asked.moves.as_deref().unwrap_or_default(),
            &parse_game_start(board, asked.position.as_deref())?,
        )?,
    };
    let last = position_at_ply(last, asked.at)?;
    let theme = match asked.theme {
        cli::PictureThemeArg::Light => SvgTheme::Light,
        cli::PictureThemeArg::Dark => SvgTheme::Dark,
    };
    let svg = if asked.sheet {
        picture::render_game_sheet(&last, &build_sheet_heading(&*last, &remarks), theme)
    } else if asked.animated {
        let end = picture_caption(&*last).join(" ");
        picture::render_animation(
            &last,
            &format!("{}. {end}", last.view().title()),
            |p| picture_caption(p).join(" "),
            theme,
        )
    } else {
        let lines = [picture_caption(&*last), picture_facts(&*last)].concat();
        picture::render_board_svg(
            &*last,
            &format!("{}. {}", last.view().title(), lines.join(" ")),
            &lines,
            theme,
        )
    };
    let Some(path) = out else { return write_stdout(svg) };
    write_output_file("--out", path, &svg, asked.force)?;
    write_stdout(format!("Saved as {}.\n", Refusal::sanitize_path(path)))
}

/// Loads the game of a move file.
fn load_game_to_draw(path: &Path, asked: &cli::PictureArgs, board: RequestedBoard) -> Result<GameToDraw> {
    let record = read_whole_game(path, asked.game.is_some(), asked.game_number, board)?;
    Ok(GameToDraw { last: Arc::clone(record.tree.position(record.end)), remarks: record.remarks })
}

/// Reads the game of a move file and prints notes on it.
///
/// A file with an invalid move is an error, because the picture would not show that moves are
/// missing.
pub(super) fn read_whole_game(
    path: &Path,
    has_game: bool,
    number: Option<usize>,
    (entry, variant): RequestedBoard,
) -> Result<GameRecord> {
    let is_input = path.as_os_str() == "-";
    let name = if is_input { "standard input".to_owned() } else { Refusal::sanitize_path(path) };
    let bytes = if is_input { read_standard_input() } else { record::read_game_source(path) };
    let bytes = bytes.map_err(|error| bad_file_error(format!("cannot read {name}: {error}")))?;
    let hint = RecordReadOptions {
        game: has_game.then_some(entry),
        number,
        ..RecordReadOptions::for_games(entry.game_list()).with_board(&variant)
    };
    let record =
        journal::open_game_record(&bytes, &hint).map_err(|bad| bad_file_error(format!("{name}:{bad}")))?;
    check_flags_match_file(&record, (entry, &variant), has_game, &name)?;
    if let Some(fault) = record.fault {
        return Err(bad_file_error(format!("{name}:{}: {}", fault.line, fault.why.text)));
    }
    for note in &record.notes {
        super::print_note(&format!("{name}:{}: {}", note.line, note.why.text));
    }
    Ok(record)
}

/// Reads a move file from standard input.
fn read_standard_input() -> Result<Vec<u8>, disk::FileError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(disk::MAX_MOVE_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Err(disk::FileError::Empty),
        length if length > disk::MAX_MOVE_FILE_BYTES => Err(disk::FileError::TooLong),
        _ => Ok(bytes),
    }
}

/// Plays the moves of `--moves`.
fn play_game_to_draw(moves: &str, begins: &GameStart) -> Result<GameToDraw> {
    let mut last = begins.position().map_err(|error| usage_error(error.to_flag_message()))?;
    for noted in record::split_list_moves(moves) {
        let illegal = |why: Refusal| usage_error(format!("--moves: {}", why.reason()));
        last = match last.end_by_word(&noted.text).map_err(illegal)? {
            Some(ended) => ended,
            None => last.play(&noted.text).map_err(illegal)?,
        };
    }
    Ok(GameToDraw { last, remarks: Vec::new() })
}

/// Returns the position at this ply of a game.
fn position_at_ply(last: Arc<dyn Position>, ply: Option<usize>) -> Result<Arc<dyn Position>> {
    let (Some(ply), plies) = (ply, last.plies()) else { return Ok(last) };
    if ply > plies {
        return Err(usage_error(format!(
            "--at {ply}: the game has only {}",
            messages::format_move_count(plies)
        )));
    }
    let mut here = last;
    while here.plies() > ply {
        here = here.parent().expect("every move has a position before it");
    }
    Ok(here)
}

/// Returns the last move and the side to move, or the result of the game.
fn picture_caption(position: &dyn Position) -> Vec<String> {
    let mover = position.side_name(position.to_move().other());
    let last = position.last_move().map(|text| format!("{}. {mover} {text}.", position.plies()));
    let next = messages::describe_result_briefly(position, None, GlyphSet::Unicode)
        .unwrap_or_else(|| text!("{} to move.", position.side_name(position.to_move())));
    vec![last.into_iter().chain([next.into_string()]).collect::<Vec<_>>().join(" ")]
}

/// Returns facts that the board does not show, such as walls left; empty if the game is over.
fn picture_facts(position: &dyn Position) -> Vec<String> {
    let lines = if position.outcome().is_some() {
        Vec::new()
    } else {
        position.as_paint().side_panel(GlyphSet::Unicode, CAPTION_COLUMNS)
    };
    match lines.split_first() {
        Some((heading, facts)) => vec![format!("{heading}: {}", join_texts(facts, ", "))],
        None => Vec::new(),
    }
}

/// Returns the heading of a game sheet: event or game, players, date, result.
pub(super) fn build_sheet_heading(position: &dyn Position, remarks: &[(String, String)]) -> PictureHeading {
    let said = |key: &str| {
        let known = remarks.iter().find(|(known, value)| known == key && !value.is_empty());
        known.map(|(_, value)| Refusal::sanitize_path(value))
    };
    let board = position.view().title();
    let event = said("event").or_else(|| said("title"));
    let mut lines: Vec<String> = event.is_some().then(|| board.clone()).into_iter().collect();
    let players = Side::BOTH.map(|side| {
        let name = said(&side.to_string())?;
        let sign = position.as_paint().piece_glyph(side, GlyphSet::Unicode);
        let sign = sign.map(|sign| format!("{sign} ")).unwrap_or_default();
        Some(format!("{sign}{}: {name}", position.side_name(side)))
    });
    let players: Vec<String> = players.into_iter().flatten().collect();
    lines.extend((!players.is_empty()).then(|| players.join(", ")));
    lines.extend(said("date"));
    lines.extend(messages::describe_result_briefly(position, None, GlyphSet::Unicode).map(Text::into_string));
    PictureHeading { title: event.unwrap_or(board), lines }
}
