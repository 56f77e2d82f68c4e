//! Ends of a game before its rules end it: resignations, claims and forfeits. This module does not depend on
//! moves.

use std::fmt::Display;

use crate::game::Side;
use crate::text;
use crate::text::Text;

/// Text of a resignation in records and histories.
pub const RESIGN_WORD: &str = "resign";
/// Text of a claimed draw in records and histories.
pub const DRAW_WORD: &str = "draw";
/// Text of a loss on time in records and histories.
pub const TIMEOUT_WORD: &str = "time";

/// Reason why a side lost before the rules ended the game.
///
/// ```
/// use crosspath::session::LossReason;
/// assert_eq!(LossReason::TimedOut.record_word(), "time");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// The side resigned.
    Resigned,
    /// The side ran out of time.
    TimedOut,
    /// The side broke the rules of the match or did not appear.
    Forfeited,
    /// A file names the winner without a reason.
    Unstated,
}

impl LossReason {
    const ALL: [LossReason; 4] =
        [LossReason::Resigned, LossReason::TimedOut, LossReason::Forfeited, LossReason::Unstated];

    /// Returns the word that records use for this reason.
    ///
    /// ```
    /// use crosspath::session::{LossReason, RESIGN_WORD};
    /// assert_eq!(LossReason::Resigned.record_word(), RESIGN_WORD);
    /// ```
    #[must_use]
    pub const fn record_word(self) -> &'static str {
        match self {
            LossReason::Resigned => RESIGN_WORD,
            LossReason::TimedOut => TIMEOUT_WORD,
            LossReason::Forfeited => "forfeit",
            LossReason::Unstated => "lost",
        }
    }

    /// Describes the loss of the side with this name: `Blue resigned`.
    pub(crate) fn describe_loss(self, name: impl Display) -> Text {
        match self {
            LossReason::Resigned => text!("{name} resigned"),
            LossReason::TimedOut => text!("{name} ran out of time"),
            LossReason::Forfeited => text!("{name} forfeited"),
            LossReason::Unstated => text!("{name} lost, according to the file"),
        }
    }
}

/// End of a game before its rules ended it.
///
/// ```
/// use crosspath::game::{Outcome, Side};
/// use crosspath::registry::{Variant, find_game};
/// use crosspath::session::{EarlyEnd, LossReason};
/// let game = find_game("hex")?.start_position(&Variant::of_size(5))?;
/// let over = game.with_early_end(EarlyEnd::Lost(Side::First, LossReason::Resigned));
/// assert_eq!(over.outcome(), Some(Outcome::Win(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnd {
    /// A side lost.
    Lost(Side, LossReason),
    /// Draw by repetition: a position occurred at least three times.
    Repeated,
}

impl EarlyEnd {
    /// Parses the word that records use for an early end. `loser` is the losing side. Returns `None` for any
    /// other word.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::session::{EarlyEnd, LossReason};
    /// let resigned = EarlyEnd::Lost(Side::First, LossReason::Resigned);
    /// assert_eq!(EarlyEnd::from_record_word("Resign", Side::First), Some(resigned));
    /// assert_eq!(EarlyEnd::from_record_word("a1", Side::First), None);
    /// ```
    #[must_use]
    pub fn from_record_word(word: &str, loser: Side) -> Option<Self> {
        if word.eq_ignore_ascii_case(DRAW_WORD) {
            return Some(EarlyEnd::Repeated);
        }
        let reason =
            LossReason::ALL.into_iter().find(|reason| word.eq_ignore_ascii_case(reason.record_word()));
        reason.map(|reason| EarlyEnd::Lost(loser, reason))
    }

    /// Returns the word that records use for this end.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::session::{EarlyEnd, LossReason};
    /// assert_eq!(EarlyEnd::Lost(Side::First, LossReason::Forfeited).record_word(), "forfeit");
    /// assert_eq!(EarlyEnd::Repeated.record_word(), "draw");
    /// ```
    #[must_use]
    pub fn record_word(self) -> &'static str {
        match self {
            EarlyEnd::Lost(_, reason) => reason.record_word(),
            EarlyEnd::Repeated => DRAW_WORD,
        }
    }

    /// Returns the side that lost; `None` for a draw.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::session::{EarlyEnd, LossReason};
    /// assert_eq!(EarlyEnd::Lost(Side::First, LossReason::Resigned).loser(), Some(Side::First));
    /// assert_eq!(EarlyEnd::Repeated.loser(), None);
    /// ```
    #[must_use]
    pub fn loser(self) -> Option<Side> {
        match self {
            EarlyEnd::Lost(side, _) => Some(side),
            EarlyEnd::Repeated => None,
        }
    }

    /// Describes the end as a phrase that follows the winner's name.
    pub(super) fn describe_ending<D: Display>(self, name: impl Fn(Side) -> D) -> Text {
        match self {
            EarlyEnd::Lost(_, LossReason::Unstated) => "won, according to the file".into(),
            EarlyEnd::Lost(loser, reason) => text!("won because {}", reason.describe_loss(name(loser))),
            EarlyEnd::Repeated => "draw by repetition".into(),
        }
    }
}
