//! Text and JSON that both forms of `crosspath solve` have in common.

use serde::Serialize;

use crate::ai::{SolveControl, Unproved};
use crate::arena::solving::SolvedValue as Value;
use crate::canvas::{PaintOptions, Role};
use crate::game::{Millis, Object, Side};
use crate::session::Position;

/// Moves of a position, each with its result.
type Moves<'a> = Object<&'a str, SolveJson<'a>>;

/// Answer as JSON, or its part about a move.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum SolveJson<'a> {
    Proof { outcome: Side, to_move: Side, plies: u32, proof: String, lines: usize, nodes: u64, ms: Millis },
    Solved { outcome: Value, to_move: Side, winning: Vec<String>, moves: Moves<'a>, nodes: u64, ms: Millis },
    Move { outcome: Value, distance: Option<u32> },
    Map { to_move: Side, moves: Moves<'a>, nodes: u64 },
    Winner { outcome: Side, plies: u32 },
}

/// Returns the reason why nothing was proved, in words.
pub(super) fn unproved(why: Unproved, control: &SolveControl<'_>) -> String {
    match why {
        Unproved::Limits => "not proved within the limits; nothing was written".to_owned(),
        Unproved::Memory => {
            let mib = control.memory_mib.map(|mib| format!(" of {mib} MiB")).unwrap_or_default();
            format!("not proved: there is not enough memory for a table{mib}; use a smaller --memory")
        }
    }
}

/// Returns the board with a sign on the place of each move that is proved.
pub(super) fn drawn(position: &dyn Position, signs: &[(String, char)]) -> String {
    let mut canvas = position.canvas(PaintOptions::default());
    for (text, sign) in signs {
        if let Some((x, y)) = canvas.find(text).map(|spot| (spot.x, spot.y)) {
            canvas.put(x, y, *sign, Role::Hint);
        }
    }
    canvas.to_text()
}
