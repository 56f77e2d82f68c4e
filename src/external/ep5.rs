//! The tournament protocol of the Hex assignment EP5 as the referee between two programs speaks it: moves, and nothing else.

use super::{EngineProtocol, Response, SetUpLine, usual_board};
use crate::ai::Limits;
use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::Side;
use crate::session::Position;

/// Name of a swap in moves as text.
const SWAP: &str = "swap";
/// Lines and bytes that a program may write beside its moves.
const MAX_LINES: usize = 1_000;
const MAX_BYTES: usize = 64 * 1024;

/// The argument by which a program learns its side.
pub(super) fn letter(side: Side) -> &'static str {
    ["b", "p"][side.index()]
}

#[derive(Debug, Default)]
pub(super) struct Ep5Client {
    /// Frame between the program's board and ours.
    frame: Frame,
    /// The first move as it went over the wire.
    first: Option<(usize, usize)>,
    /// Lines and bytes that the program has written beside its moves since the last one.
    skipped: (usize, usize),
}

fn numbers(text: &str) -> Option<(usize, usize)> {
    let mut words = text.split_whitespace();
    let (row, col) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some((row, col))
}

impl EngineProtocol for Ep5Client {
    fn set_up(&mut self, start: &dyn Position, _: Limits) -> Result<Vec<SetUpLine>, String> {
        *self = Ep5Client::default();
        usual_board(start, &["swap"])?;
        Ok(Vec::new()) // nothing can be told
    }

    fn move_lines(&mut self, _: &dyn Position, text: &str) -> Vec<String> {
        let place = if text == SWAP {
            self.frame.transposed = true;
            self.first
        } else {
            read_cell(text).map(|(col, row)| self.frame.place((row, col)))
        };
        self.first = self.first.or(place);
        place.map(|(row, col)| format!("{row} {col}")).into_iter().collect()
    }

    fn ask(&self, _: Side) -> Option<String> {
        None
    }

    fn parse_line(&mut self, line: &str) -> Result<Response, ()> {
        if numbers(line).is_some() {
            self.skipped = (0, 0);
            return Ok(Response::Yes(line.to_owned()));
        }
        let (lines, bytes) = &mut self.skipped;
        (*lines, *bytes) = (*lines + 1, *bytes + line.len());
        if *lines > MAX_LINES || *bytes > MAX_BYTES { Err(()) } else { Ok(Response::More) }
    }

    fn read(&mut self, at: &dyn Position, answer: &str) -> Option<String> {
        let place = numbers(answer)?;
        if self.first == Some(place) && at.is_legal(SWAP) {
            self.frame.transposed = true;
            return Some(SWAP.to_owned());
        }
        let (row, col) = self.frame.place(place);
        self.first = self.first.or(Some(place));
        Some(cell_name(col, row))
    }

    fn is_answered(&self) -> bool {
        false
    }

    fn farewell(&self) -> Option<&'static str> {
        None
    }
}
