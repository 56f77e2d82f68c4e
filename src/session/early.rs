//! Ends of a game before its rules end it: resignation, claims, forfeits. Knows sides, no moves.

use std::fmt::Display;

use crate::game::Side;
use crate::text;
use crate::text::Text;

/// Word in records and histories for a resignation.
pub const RESIGN: &str = "resign";
/// Word in records and histories for a draw that the moves alone do not make.
pub const DRAW: &str = "draw";
/// Word in records and histories for a side whose time was used up.
pub const TIME: &str = "time";

/// Why a side lost before the rules ended the game.
///
/// ```
/// use crosspath::session::LossReason;
/// assert_eq!(LossReason::TimedOut.word(), "time");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// It gave up.
    Resigned,
    /// It used up its time.
    TimedOut,
    /// It broke the rules of the match, or did not come.
    Forfeited,
    /// A file says who won, and not why.
    Untold,
}

impl LossReason {
    const ALL: [LossReason; 4] =
        [LossReason::Resigned, LossReason::TimedOut, LossReason::Forfeited, LossReason::Untold];

    /// The word for it in records.
    ///
    /// ```
    /// use crosspath::session::{LossReason, RESIGN};
    /// assert_eq!(LossReason::Resigned.word(), RESIGN);
    /// ```
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            LossReason::Resigned => RESIGN,
            LossReason::TimedOut => TIME,
            LossReason::Forfeited => "forfeit",
            LossReason::Untold => "lost",
        }
    }

    /// Says that the side of this name lost so: `Blue resigned`.
    pub(crate) fn clause(self, name: impl Display) -> Text {
        match self {
            LossReason::Resigned => text!("{name} resigned"),
            LossReason::TimedOut => text!("{name} ran out of time"),
            LossReason::Forfeited => text!("{name} forfeited"),
            LossReason::Untold => text!("{name} lost, according to the file"),
        }
    }
}

/// End of a game before its rules ended it.
///
/// ```
/// use crosspath::game::{Outcome, Side};
/// use crosspath::registry::{Variant, find};
/// use crosspath::session::{EarlyEnd, LossReason};
/// let game = find("hex")?.start(&Variant::of_size(5))?;
/// let over = game.ended(EarlyEnd::Lost(Side::First, LossReason::Resigned));
/// assert_eq!(over.outcome(), Some(Outcome::Win(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnd {
    /// This side lost.
    Lost(Side, LossReason),
    /// A draw by repetition: a position came at least three times.
    Repeated,
}

impl EarlyEnd {
    /// The end that a word of a record stands for, where this side loses by it; `None` for any other word.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::session::{EarlyEnd, LossReason};
    /// let resigned = EarlyEnd::Lost(Side::First, LossReason::Resigned);
    /// assert_eq!(EarlyEnd::of_word("Resign", Side::First), Some(resigned));
    /// assert_eq!(EarlyEnd::of_word("a1", Side::First), None);
    /// ```
    #[must_use]
    pub fn of_word(word: &str, loser: Side) -> Option<Self> {
        if word.eq_ignore_ascii_case(DRAW) {
            return Some(EarlyEnd::Repeated);
        }
        let reason = LossReason::ALL.into_iter().find(|reason| word.eq_ignore_ascii_case(reason.word()));
        reason.map(|reason| EarlyEnd::Lost(loser, reason))
    }

    /// The word for it in records.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::session::{EarlyEnd, LossReason};
    /// assert_eq!(EarlyEnd::Lost(Side::First, LossReason::Forfeited).word(), "forfeit");
    /// assert_eq!(EarlyEnd::Repeated.word(), "draw");
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            EarlyEnd::Lost(_, reason) => reason.word(),
            EarlyEnd::Repeated => DRAW,
        }
    }

    /// The side that lost; `None` for a draw.
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

    /// Returns the way it ended, as a phrase to follow the winner's name.
    pub(super) fn ending<D: Display>(self, name: impl Fn(Side) -> D) -> Text {
        match self {
            EarlyEnd::Lost(_, LossReason::Untold) => "won, according to the file".into(),
            EarlyEnd::Lost(loser, reason) => text!("won because {}", reason.clause(name(loser))),
            EarlyEnd::Repeated => "draw by repetition".into(),
        }
    }
}
