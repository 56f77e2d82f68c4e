//! Command `crosspath convert`: converts a game file to another format.

use anyhow::Result;

use super::picture::read_whole_game;
use super::{RequestedBoard, bad_file_error, check_output_path, print_note, write_output_file, write_stdout};
use crate::cli::{self, ConvertFormat};
use crate::game::Refusal;
use crate::record::GameFileFormat;

/// Runs `crosspath convert`.
pub(super) fn run_convert_command(asked: &cli::ConvertArgs, board: RequestedBoard) -> Result<()> {
    let out = asked.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = out {
        check_output_path("--out", path, asked.force)?;
    }
    let record = read_whole_game(&asked.file, asked.game.is_some(), asked.game_number, board)?;
    let form = match asked.to {
        ConvertFormat::Sgf => GameFileFormat::Sgf,
        ConvertFormat::HexWorld => GameFileFormat::HexWorld,
        ConvertFormat::Trmph => GameFileFormat::Trmph,
        ConvertFormat::Crosspath => GameFileFormat::Record,
    };
    let (text, lost) =
        form.write_game(&record.tree, record.present, &record.remarks).map_err(bad_file_error)?;
    for what in lost {
        print_note(&format!("the converted game leaves out {what}"));
    }
    let Some(path) = out else { return write_stdout(text) };
    write_output_file("--out", path, &text, asked.force)?;
    write_stdout(format!("Saved as {}.\n", Refusal::sanitize_path(path)))
}
