//! The Quoridor Text Protocol as a referee speaks it; answers are read as liberally as programs write them.

use super::{AskWinner, EngineProtocol, Response, SET_UP, SetUpLine, setting, usual_board};
use crate::ai::Limits;
use crate::game::Side;
use crate::session::{Position, RESIGN};

/// Name of the protocol's notation for moves.
const DIALECT: &str = "qtp";

#[derive(Debug)]
pub(super) struct QtpClient;

fn color(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

impl EngineProtocol for QtpClient {
    fn set_up(&mut self, start: &dyn Position, _: Limits) -> Result<Vec<SetUpLine>, String> {
        let size = usual_board(start, &["walls", SET_UP])?;
        let walls = setting(start, "walls").unwrap_or("10");
        let lines = [format!("boardsize {size}"), "clear_board".to_owned(), format!("walls {walls}")];
        // Only some programs know this command; where one refuses it, no game is played.
        let begins = start.setup().and_then(|_| start.position_text()).map(|text| format!("position {text}"));
        Ok(lines.into_iter().chain(begins).map(SetUpLine::needed).collect())
    }

    fn move_lines(&mut self, before: &dyn Position, text: &str) -> Vec<String> {
        let color = color(before.to_move());
        let name = before.translate(DIALECT, text).unwrap_or_else(|| text.to_owned()).to_ascii_uppercase();
        let line = match name.split_at_checked(name.len().saturating_sub(1)) {
            Some((vertex, "H")) => format!("playwall {color} {vertex} horizontal"),
            Some((vertex, "V")) => format!("playwall {color} {vertex} vertical"),
            _ => format!("playmove {color} {name}"),
        };
        vec![line]
    }

    fn ask(&self, side: Side) -> Option<String> {
        Some(format!("genmove {}", color(side)))
    }

    fn parse_line(&mut self, line: &str) -> Result<Response, ()> {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(Response::More);
        }
        match text.split_at_checked(1) {
            Some(("=", rest)) => Ok(Response::Yes(rest.trim().to_owned())),
            Some(("?", rest)) => Ok(Response::No(rest.trim().to_owned())),
            // One engine answers `winner` without its sign.
            _ if text.eq_ignore_ascii_case("false") => Ok(Response::Yes(text.to_owned())),
            _ => Err(()),
        }
    }

    fn read(&mut self, at: &dyn Position, answer: &str) -> Option<String> {
        let lower = answer.to_ascii_lowercase();
        let mut words = lower.split_whitespace();
        let vertex = words.next()?;
        if vertex == RESIGN {
            return Some(RESIGN.to_owned());
        }
        let orientation = match words.next() {
            None => "",
            Some("h" | "horizontal") => "h",
            Some("v" | "vertical") => "v",
            Some(_) => return None,
        };
        let is_whole = words.next().is_none();
        at.translate(DIALECT, &format!("{vertex}{orientation}")).filter(|_| is_whole)
    }

    fn winner(&self) -> Option<AskWinner> {
        let read: fn(&str) -> Option<Side> = |answer| {
            let word = answer.split_whitespace().next_back()?.to_ascii_lowercase();
            Side::BOTH.into_iter().find(|&side| word == color(side))
        };
        Some(("winner", read))
    }
}
