//! Client of the Go Text Protocol (GTP), with both kinds of swap in Hex.

use super::{EngineResponse, POSITION_SETTING, ProtocolClient, SetUpLine, standard_board_size};
use crate::ai::Limits;
use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name};
use crate::game::Side;
use crate::session::{Position, RESIGN_WORD};

/// Text of a swap in the notation of records.
const SWAP_MOVE: &str = "swap";
/// GTP text of a swap that mirrors the stone and changes its colour.
const SWAP_PIECES: &str = "swap-pieces";
/// GTP text of a swap in which the players exchange sides and the stone stays.
const SWAP_SIDES: &str = "swap-sides";

#[derive(Debug)]
pub(super) struct GtpClient {
    /// `true` if the program was started with its limits.
    has_limits: bool,
    /// Conversion between the program's cells and those of this position.
    frame: SwapFrame,
    /// Incomplete answer: `true` if it reports success, and its lines so far.
    answer: Option<(bool, Vec<String>)>,
}

impl GtpClient {
    pub(super) fn new(has_limits: bool) -> Self {
        GtpClient { has_limits, frame: SwapFrame::default(), answer: None }
    }

    fn color_name(&self, side: Side) -> &'static str {
        ["black", "white"][self.frame.map_side(side).index()]
    }

    /// Converts the name of a cell between the program's cells and those of this position.
    fn convert_cell(&self, text: &str) -> Option<String> {
        let (col, row) = parse_cell_name(text)?;
        let (row, col) = self.frame.map_coordinates((row, col));
        Some(cell_name(col, row))
    }
}

impl ProtocolClient for GtpClient {
    fn set_up_lines(&mut self, start: &dyn Position, limits: Limits) -> Result<Vec<SetUpLine>, String> {
        self.frame = SwapFrame::default();
        let size = standard_board_size(start, &["swap", POSITION_SETTING])?;
        let mut lines =
            vec![SetUpLine::required(format!("boardsize {size}")), SetUpLine::required("clear_board")];
        for side in Side::BOTH.into_iter().filter(|_| start.initial_setup().is_some()) {
            let color = ["black", "white"][side.index()];
            let stones = start.view().list_pieces(side).into_iter();
            lines.extend(stones.map(|cell| SetUpLine::required(format!("play {color} {cell}"))));
        }
        let is_on = super::board_setting(start, "swap") == Some("on");
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
        let color = self.color_name(before.to_move());
        if text == SWAP_MOVE {
            return [SWAP_PIECES, SWAP_SIDES].map(|swap| format!("play {color} {swap}")).to_vec();
        }
        vec![format!("play {color} {}", self.convert_cell(text).unwrap_or_else(|| text.to_owned()))]
    }

    fn on_line_accepted(&mut self, which: usize) {
        self.frame.transposed |= which == 1;
    }

    fn move_request(&self, side: Side) -> Option<String> {
        Some(format!("genmove {}", self.color_name(side)))
    }

    fn parse_line(&mut self, line: &str) -> Result<EngineResponse, ()> {
        let text = line.trim();
        match &mut self.answer {
            None if text.is_empty() || text.starts_with('#') => Ok(EngineResponse::More),
            None => {
                let (is_yes, rest) = match text.split_at_checked(1) {
                    Some(("=", rest)) => (true, rest),
                    Some(("?", rest)) => (false, rest),
                    _ => return Err(()),
                };
                // Commands are sent without an ID; digits right after the sign are an ID all the same.
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
                self.answer = Some((is_yes, vec![rest.to_owned()]));
                Ok(EngineResponse::More)
            }
            Some(_) if text.is_empty() => {
                let (is_yes, lines) = self.answer.take().expect("it is there");
                let text = lines.join("\n").trim().to_owned();
                Ok(if is_yes { EngineResponse::Yes(text) } else { EngineResponse::No(text) })
            }
            Some(_) if text.starts_with('#') => Ok(EngineResponse::More),
            Some((_, lines)) if lines.len() < MAX_ANSWER_LINES => {
                lines.push(text.to_owned());
                Ok(EngineResponse::More)
            }
            Some(_) => Err(()),
        }
    }

    fn parse_move(&mut self, at: &dyn Position, answer: &str) -> Option<String> {
        let text = answer.to_ascii_lowercase();
        match text.as_str() {
            RESIGN_WORD => Some(RESIGN_WORD.to_owned()),
            SWAP_MOVE | SWAP_PIECES => Some(SWAP_MOVE.to_owned()),
            SWAP_SIDES => {
                self.frame.transposed |= at.is_legal(SWAP_MOVE);
                Some(SWAP_MOVE.to_owned())
            }
            _ => self.convert_cell(&text),
        }
    }
}

/// Maximum number of lines of an answer.
const MAX_ANSWER_LINES: usize = 1_000;
