//! What both forms of `crosspath solve` print alike.

use crate::ai::{SolveControl, Unproved};
use crate::canvas::{PaintOptions, Role};
use crate::session::Position;

/// Why nothing was proved, in words.
pub(super) fn unproved(why: Unproved, control: &SolveControl<'_>) -> String {
    match why {
        Unproved::Limits => "not proved within the limits; nothing was written".to_owned(),
        Unproved::Memory => {
            let mib = control.memory_mib.map(|mib| format!(" of {mib} MiB")).unwrap_or_default();
            format!("not proved: there is not enough memory for a table{mib}; use a smaller --memory")
        }
    }
}

/// The board with a sign on the place of each move that is known.
pub(super) fn drawn(position: &dyn Position, signs: &[(String, char)]) -> String {
    let mut canvas = position.canvas(PaintOptions::default());
    for (text, sign) in signs {
        if let Some((x, y)) = canvas.find(text).map(|spot| (spot.x, spot.y)) {
            canvas.put(x, y, *sign, Role::Hint);
        }
    }
    canvas.to_text()
}
