//! Stable codes of refusals. Programs and tests identify a refusal by its code, and users read its sentences.

use std::fmt::{self, Display};

/// Kind of a refusal. The code stays the same when the wording of the sentences changes.
///
/// ```
/// use crosspath::game::RefusalCode;
/// assert_eq!(RefusalCode::OffBoard.as_str(), "off-board");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalCode {
    /// The text is neither a move nor a command, or is not valid here.
    NotUnderstood,
    /// The text resembles a command, and the message names that command.
    DidYouMean,
    /// The text names a cell outside of the board.
    OffBoard,
    /// The cell is not empty.
    Taken,
    /// The game is over.
    GameOver,
    /// A swap is not legal now, or the swap rule is off.
    SwapNotNow,
    /// The pawn cannot reach the cell in one step.
    NotAStep,
    /// The side has no walls left.
    NoWallsLeft,
    /// The text names a wall outside of the board.
    WallOffBoard,
    /// The wall would cross another wall.
    WallCrosses,
    /// The wall would overlap another wall.
    WallOverlaps,
    /// The wall would leave a side without a path to its goal.
    WallShuts,
    /// A number is missing or out of range.
    BadNumber,
    /// There is no move to undo.
    NothingToUndo,
    /// There is no move to redo.
    NothingToRedo,
    /// The other side is to move.
    NotYourTurn,
    /// A file cannot be read or written, or its content is invalid.
    File,
    /// The config file is invalid.
    Config,
    /// The engine has failed.
    Engine,
    /// A side has used up its time.
    TimeIsUp,
    /// The game cannot be saved during play.
    Journal,
    /// The log cannot be written.
    Log,
    /// A reason defined by a game outside of this crate, with its text form.
    Other(&'static str),
}

impl RefusalCode {
    /// All codes except [`RefusalCode::Other`].
    pub const ALL: [RefusalCode; 22] = [
        Self::NotUnderstood,
        Self::DidYouMean,
        Self::OffBoard,
        Self::Taken,
        Self::GameOver,
        Self::SwapNotNow,
        Self::NotAStep,
        Self::NoWallsLeft,
        Self::WallOffBoard,
        Self::WallCrosses,
        Self::WallOverlaps,
        Self::WallShuts,
        Self::BadNumber,
        Self::NothingToUndo,
        Self::NothingToRedo,
        Self::NotYourTurn,
        Self::File,
        Self::Config,
        Self::Engine,
        Self::TimeIsUp,
        Self::Journal,
        Self::Log,
    ];

    /// Returns the text form that JSON and the log contain. It never changes.
    ///
    /// ```
    /// use crosspath::game::RefusalCode;
    /// assert_eq!(RefusalCode::SwapNotNow.as_str(), "swap-not-now");
    /// assert_eq!(RefusalCode::Other("no-such-pit").as_str(), "no-such-pit");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotUnderstood => "not-understood",
            Self::DidYouMean => "did-you-mean",
            Self::OffBoard => "off-board",
            Self::Taken => "taken",
            Self::GameOver => "game-over",
            Self::SwapNotNow => "swap-not-now",
            Self::NotAStep => "not-a-step",
            Self::NoWallsLeft => "no-walls-left",
            Self::WallOffBoard => "wall-off-board",
            Self::WallCrosses => "wall-crosses",
            Self::WallOverlaps => "wall-overlaps",
            Self::WallShuts => "wall-shuts",
            Self::BadNumber => "bad-number",
            Self::NothingToUndo => "nothing-to-undo",
            Self::NothingToRedo => "nothing-to-redo",
            Self::NotYourTurn => "not-your-turn",
            Self::File => "file",
            Self::Config => "config",
            Self::Engine => "engine",
            Self::TimeIsUp => "time-is-up",
            Self::Journal => "journal",
            Self::Log => "log",
            Self::Other(text) => text,
        }
    }
}

impl Display for RefusalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
