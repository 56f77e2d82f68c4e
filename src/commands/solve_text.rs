//! Text and JSON shared by both forms of `crosspath solve`.

use serde::Serialize;

use crate::ai::{ProofFailure, SolveControl};
use crate::arena::solving::SolvedValue as Value;
use crate::canvas::{PaintOptions, PaintRole};
use crate::game::{JsonMillis, JsonObject, Side};
use crate::session::Position;

/// Moves of a position, each with its result.
type MoveResults<'a> = JsonObject<&'a str, SolveJson<'a>>;

/// JSON result of `crosspath solve`, or the part of it about one move.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum SolveJson<'a> {
    Proof {
        outcome: Side,
        to_move: Side,
        plies: u32,
        proof: String,
        lines: usize,
        nodes: u64,
        ms: JsonMillis,
    },
    Solved {
        outcome: Value,
        to_move: Side,
        winning: Vec<String>,
        moves: MoveResults<'a>,
        nodes: u64,
        ms: JsonMillis,
    },
    Move {
        outcome: Value,
        distance: Option<u32>,
    },
    Map {
        to_move: Side,
        moves: MoveResults<'a>,
        nodes: u64,
    },
    Winner {
        outcome: Side,
        plies: u32,
    },
}

/// Returns the reason why nothing was proved.
pub(super) fn describe_unproved(why: ProofFailure, control: &SolveControl<'_>) -> String {
    match why {
        ProofFailure::Limits => "not proved within the limits; nothing was written".to_owned(),
        ProofFailure::Memory => {
            let mib = control.memory_mib.map(|mib| format!(" of {mib} MiB")).unwrap_or_default();
            format!("not proved: there is not enough memory for a table{mib}; use a smaller --memory")
        }
    }
}

/// Draws the board with a sign at each move with a proved result.
pub(super) fn draw_board_with_signs(position: &dyn Position, signs: &[(String, char)]) -> String {
    let mut canvas = position.paint_board(PaintOptions::default());
    for (text, sign) in signs {
        if let Some((x, y)) = canvas.find_spot(text).map(|spot| (spot.x, spot.y)) {
            canvas.put_glyph(x, y, *sign, PaintRole::Hint);
        }
    }
    canvas.to_text()
}
