//! Client of the Quoridor Text Protocol (QTP). It accepts all common forms of answers.

use super::{
    EngineResponse, POSITION_SETTING, ProtocolClient, SetUpLine, WinnerQuery, board_setting,
    standard_board_size,
};
use crate::ai::Limits;
use crate::game::Side;
use crate::session::{Position, RESIGN_WORD};

/// Name of the protocol's move notation.
const QTP_NOTATION: &str = "qtp";

#[derive(Debug)]
pub(super) struct QtpClient;

fn color_name(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

impl ProtocolClient for QtpClient {
    fn set_up_lines(&mut self, start: &dyn Position, _: Limits) -> Result<Vec<SetUpLine>, String> {
        let size = standard_board_size(start, &["walls", POSITION_SETTING])?;
        let walls = board_setting(start, "walls").unwrap_or("10");
        let lines = [format!("boardsize {size}"), "clear_board".to_owned(), format!("walls {walls}")];
        // Only some programs support this command; if one refuses it, no game is played.
        let begins =
            start.initial_setup().and_then(|_| start.position_text()).map(|text| format!("position {text}"));
        Ok(lines.into_iter().chain(begins).map(SetUpLine::required).collect())
    }

    fn move_lines(&mut self, before: &dyn Position, text: &str) -> Vec<String> {
        let color = color_name(before.to_move());
        let name =
            before.translate_move(QTP_NOTATION, text).unwrap_or_else(|| text.to_owned()).to_ascii_uppercase();
        let line = match name.split_at_checked(name.len().saturating_sub(1)) {
            Some((vertex, "H")) => format!("playwall {color} {vertex} horizontal"),
            Some((vertex, "V")) => format!("playwall {color} {vertex} vertical"),
            _ => format!("playmove {color} {name}"),
        };
        vec![line]
    }

    fn move_request(&self, side: Side) -> Option<String> {
        Some(format!("genmove {}", color_name(side)))
    }

    fn parse_line(&mut self, line: &str) -> Result<EngineResponse, ()> {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(EngineResponse::More);
        }
        match text.split_at_checked(1) {
            Some(("=", rest)) => Ok(EngineResponse::Yes(rest.trim().to_owned())),
            Some(("?", rest)) => Ok(EngineResponse::No(rest.trim().to_owned())),
            // One engine answers `winner` without `=`.
            _ if text.eq_ignore_ascii_case("false") => Ok(EngineResponse::Yes(text.to_owned())),
            _ => Err(()),
        }
    }

    fn parse_move(&mut self, at: &dyn Position, answer: &str) -> Option<String> {
        let lower = answer.to_ascii_lowercase();
        let mut words = lower.split_whitespace();
        let vertex = words.next()?;
        if vertex == RESIGN_WORD {
            return Some(RESIGN_WORD.to_owned());
        }
        let orientation = match words.next() {
            None => "",
            Some("h" | "horizontal") => "h",
            Some("v" | "vertical") => "v",
            Some(_) => return None,
        };
        let is_whole = words.next().is_none();
        at.translate_move(QTP_NOTATION, &format!("{vertex}{orientation}")).filter(|_| is_whole)
    }

    fn winner_query(&self) -> Option<WinnerQuery> {
        let read: fn(&str) -> Option<Side> = |answer| {
            let word = answer.split_whitespace().next_back()?.to_ascii_lowercase();
            Side::BOTH.into_iter().find(|&side| word == color_name(side))
        };
        Some(("winner", read))
    }
}
