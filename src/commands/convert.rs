//! `crosspath convert`: a game file in another format.

use anyhow::Result;

use super::picture::whole_game;
use super::{Board, bad_file, check_place, note, write_file, write_out};
use crate::cli::{self, ConvertTo};
use crate::game::Refusal;
use crate::record::WrittenForm;

pub(super) fn run(asked: &cli::Convert, board: Board) -> Result<()> {
    let out = asked.out.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = out {
        check_place("--out", path, asked.force)?;
    }
    let record = whole_game(&asked.file, asked.game.is_some(), asked.game_number, board)?;
    let form = match asked.to {
        ConvertTo::Sgf => WrittenForm::Sgf,
        ConvertTo::HexWorld => WrittenForm::HexWorld,
        ConvertTo::Trmph => WrittenForm::Trmph,
        ConvertTo::Crosspath => WrittenForm::Record,
    };
    let (text, lost) = form.write(&record.tree, record.present, &record.remarks).map_err(bad_file)?;
    for what in lost {
        note(&format!("the converted game leaves out {what}"));
    }
    let Some(path) = out else { return write_out(text) };
    write_file("--out", path, &text, asked.force)?;
    write_out(format!("Saved as {}.\n", Refusal::shown_path(path)))
}
