//! The constants of the search of Quoridor that can be tuned. Knows their names, not what the search does with them.

use crate::ai::Tuning;

/// Names of the constants, as in [`Tuning::KEYS`].
pub(super) const KEYS: [&str; 5] = ["window", "margin", "pass-less", "pass-share", "detour"];

/// Constants of a search, all in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchConstants {
    /// Half of the first window around the last value.
    pub(super) window: i32,
    /// Reverse-futility margin above the window, for each ply that is left.
    pub(super) margin: i32,
    /// Null-move reduction in plies.
    pub(super) null_reduction: i32,
    /// Plies that are left for each further ply of the reduction; at least 1.
    pub(super) null_divisor: i32,
    /// Steps by which a wall has to lengthen the other side's path to be searched in quiescence; at least 1.
    pub(super) detour: i32,
}

impl SearchConstants {
    /// Constants by which levels play.
    pub(super) const BUILT_IN: SearchConstants =
        SearchConstants { window: 50, margin: 80, null_reduction: 3, null_divisor: 4, detour: 3 };

    /// Returns the constants of an engine: its own where nothing else is given.
    pub(super) fn of(tuning: &Tuning) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "constants are at most 100")]
        let given = |key: &str, own: i32| tuning.get(key).map_or(own, |value| value.round() as i32);
        let [window, margin, null_reduction, null_divisor, detour] = KEYS;
        let own = SearchConstants::BUILT_IN;
        SearchConstants {
            window: given(window, own.window).max(1),
            margin: given(margin, own.margin),
            null_reduction: given(null_reduction, own.null_reduction),
            null_divisor: given(null_divisor, own.null_divisor).max(1),
            detour: given(detour, own.detour).max(1),
        }
    }
}
