//! Tunable constants of the Quoridor search. This module only names and stores them.

use crate::ai::TuningOverrides;

/// Names of the constants, as in [`TuningOverrides::CONSTANT_NAMES`].
pub(super) const TUNABLE_KEYS: [&str; 5] = ["window", "margin", "pass-less", "pass-share", "detour"];

/// Constants of a search, all integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchConstants {
    /// Initial aspiration half-window around the last value, in hundredths of a step.
    pub(super) window: i32,
    /// Reverse-futility margin per remaining ply, in hundredths of a step.
    pub(super) margin: i32,
    /// Null-move reduction in plies.
    pub(super) null_reduction: i32,
    /// Remaining plies per additional ply of null-move reduction; at least 1.
    pub(super) null_divisor: i32,
    /// Steps by which a wall must lengthen the other side's path to be searched in quiescence; at least 1.
    pub(super) detour: i32,
}

impl SearchConstants {
    /// Constants that the built-in levels use.
    pub(super) const BUILT_IN: SearchConstants =
        SearchConstants { window: 50, margin: 80, null_reduction: 3, null_divisor: 4, detour: 3 };

    /// Returns the constants of an engine: the built-in ones except where the tuning overrides them.
    pub(super) fn from_tuning(tuning: &TuningOverrides) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "constants are at most 100")]
        let given = |key: &str, own: i32| tuning.get(key).map_or(own, |value| value.round() as i32);
        let [window, margin, null_reduction, null_divisor, detour] = TUNABLE_KEYS;
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
