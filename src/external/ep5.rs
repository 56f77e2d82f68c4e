//! Client of the tournament protocol of the Hex assignment EP5.
//!
//! The protocol consists of moves only.

use super::{EngineResponse, ProtocolClient, SetUpLine, standard_board_size};
use crate::ai::Limits;
use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name};
use crate::game::Side;
use crate::session::Position;

/// Text of a swap in the notation of records.
const SWAP_MOVE: &str = "swap";
/// Maximum number of lines that a program may write between its moves.
const MAX_NON_MOVE_LINES: usize = 1_000;
/// Maximum number of bytes that a program may write between its moves.
const MAX_NON_MOVE_BYTES: usize = 64 * 1024;

/// Returns the argument that tells a program its side.
pub(super) fn side_letter(side: Side) -> &'static str {
    ["b", "p"][side.index()]
}

#[derive(Debug, Default)]
pub(super) struct Ep5Client {
    /// Conversion between the program's cells and those of this position.
    frame: SwapFrame,
    /// First move as it was sent or received.
    first: Option<(usize, usize)>,
    /// Lines and bytes that the program has written since its last move.
    skipped: (usize, usize),
}

fn parse_two_numbers(text: &str) -> Option<(usize, usize)> {
    let mut words = text.split_whitespace();
    let (row, col) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((row, col))
}

impl ProtocolClient for Ep5Client {
    fn set_up_lines(&mut self, start: &dyn Position, _: Limits) -> Result<Vec<SetUpLine>, String> {
        *self = Ep5Client::default();
        standard_board_size(start, &["swap"])?;
        Ok(Vec::new()) // the protocol has no set-up
    }

    fn move_lines(&mut self, _: &dyn Position, text: &str) -> Vec<String> {
        let place = if text == SWAP_MOVE {
            self.frame.transposed = true;
            self.first
        } else {
            parse_cell_name(text).map(|(col, row)| self.frame.map_coordinates((row, col)))
        };
        self.first = self.first.or(place);
        place.map(|(row, col)| format!("{row} {col}")).into_iter().collect()
    }

    fn move_request(&self, _: Side) -> Option<String> {
        None
    }

    fn parse_line(&mut self, line: &str) -> Result<EngineResponse, ()> {
        if parse_two_numbers(line).is_some() {
            self.skipped = (0, 0);
            return Ok(EngineResponse::Yes(line.to_owned()));
        }
        let (lines, bytes) = &mut self.skipped;
        (*lines, *bytes) = (*lines + 1, *bytes + line.len());
        if *lines > MAX_NON_MOVE_LINES || *bytes > MAX_NON_MOVE_BYTES {
            Err(())
        } else {
            Ok(EngineResponse::More)
        }
    }

    fn parse_move(&mut self, at: &dyn Position, answer: &str) -> Option<String> {
        let place = parse_two_numbers(answer)?;
        if self.first == Some(place) && at.is_legal(SWAP_MOVE) {
            self.frame.transposed = true;
            return Some(SWAP_MOVE.to_owned());
        }
        let (row, col) = self.frame.map_coordinates(place);
        self.first = self.first.or(Some(place));
        Some(cell_name(col, row))
    }

    fn acknowledges_moves(&self) -> bool {
        false
    }

    fn quit_command(&self) -> Option<&'static str> {
        None
    }
}
