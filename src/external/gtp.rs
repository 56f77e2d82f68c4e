//! The Go Text Protocol as the one who asks speaks it: cells, two colours, both ways to swap.

use super::{EngineProtocol, Response, SET_UP, SetUpLine, usual_board};
use crate::ai::Limits;
use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::Side;
use crate::session::{Position, RESIGN};

/// Name of a swap in moves as text.
const SWAP: &str = "swap";
/// Name of a swap by which the stone is mirrored and changes its colour.
const SWAP_PIECES: &str = "swap-pieces";
/// Name of a swap by which the players change sides and the stone stays.
const SWAP_SIDES: &str = "swap-sides";

#[derive(Debug)]
pub(super) struct GtpClient {
    /// `true` if it was given its limits when it was started.
    has_limits: bool,
    /// Frame between the program's board and ours.
    frame: Frame,
    /// The lines of an answer that is not whole yet.
    answer: Option<(bool, Vec<String>)>,
}

impl GtpClient {
    pub(super) fn new(has_limits: bool) -> Self {
        GtpClient { has_limits, frame: Frame::default(), answer: None }
    }

    fn color(&self, side: Side) -> &'static str {
        ["black", "white"][self.frame.side(side).index()]
    }

    /// A cell on the other board.
    fn turned(&self, text: &str) -> Option<String> {
        let (col, row) = read_cell(text)?;
        let (row, col) = self.frame.place((row, col));
        Some(cell_name(col, row))
    }
}

impl EngineProtocol for GtpClient {
    fn set_up(&mut self, start: &dyn Position, limits: Limits) -> Result<Vec<SetUpLine>, String> {
        self.frame = Frame::default();
        let size = usual_board(start, &["swap", SET_UP])?;
        let mut lines =
            vec![SetUpLine::needed(format!("boardsize {size}")), SetUpLine::needed("clear_board")];
        for side in Side::BOTH.into_iter().filter(|_| start.setup().is_some()) {
            let color = ["black", "white"][side.index()];
            let stones = start.view().pieces(side).into_iter();
            lines.extend(stones.map(|cell| SetUpLine::needed(format!("play {color} {cell}"))));
        }
        let is_on = super::setting(start, "swap") == Some("on");
        lines.extend(
            is_on.then(|| SetUpLine { text: "param_game allow_swap 1".to_owned(), is_needed: false }),
        );
        let seconds =
            limits.time.map(|time| time.as_secs()).filter(|&seconds| seconds > 0 && !self.has_limits);
        let told = seconds.map(|seconds| format!("time_settings 0 {seconds} 1"));
        lines.extend(told.map(|text| SetUpLine { text, is_needed: false }));
        Ok(lines)
    }

    fn move_lines(&mut self, before: &dyn Position, text: &str) -> Vec<String> {
        let color = self.color(before.to_move());
        if text == SWAP {
            return [SWAP_PIECES, SWAP_SIDES].map(|swap| format!("play {color} {swap}")).to_vec();
        }
        vec![format!("play {color} {}", self.turned(text).unwrap_or_else(|| text.to_owned()))]
    }

    fn note_accepted(&mut self, which: usize) {
        self.frame.transposed |= which == 1;
    }

    fn ask(&self, side: Side) -> Option<String> {
        Some(format!("genmove {}", self.color(side)))
    }

    fn parse_line(&mut self, line: &str) -> Result<Response, ()> {
        let text = line.trim();
        match &mut self.answer {
            None if text.is_empty() || text.starts_with('#') => Ok(Response::More),
            None => {
                let (is_yes, rest) = match text.split_at_checked(1) {
                    Some(("=", rest)) => (true, rest),
                    Some(("?", rest)) => (false, rest),
                    _ => return Err(()),
                };
                // Nothing has a number of ours; digits that stand at the sign are one all the same.
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
                self.answer = Some((is_yes, vec![rest.to_owned()]));
                Ok(Response::More)
            }
            Some(_) if text.is_empty() => {
                let (is_yes, lines) = self.answer.take().expect("it is there");
                let text = lines.join("\n").trim().to_owned();
                Ok(if is_yes { Response::Yes(text) } else { Response::No(text) })
            }
            Some(_) if text.starts_with('#') => Ok(Response::More),
            Some((_, lines)) if lines.len() < MAX_LINES => {
                lines.push(text.to_owned());
                Ok(Response::More)
            }
            Some(_) => Err(()),
        }
    }

    fn read(&mut self, at: &dyn Position, answer: &str) -> Option<String> {
        let text = answer.to_ascii_lowercase();
        match text.as_str() {
            RESIGN => Some(RESIGN.to_owned()),
            SWAP | SWAP_PIECES => Some(SWAP.to_owned()),
            SWAP_SIDES => {
                self.frame.transposed |= at.is_legal(SWAP);
                Some(SWAP.to_owned())
            }
            _ => self.turned(&text),
        }
    }
}

/// Lines of the longest answer.
const MAX_LINES: usize = 1_000;
