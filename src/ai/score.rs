//! Scores of positions and moves, and their interpretation. This module is independent of any game.

use std::fmt::{self, Display, Formatter};

use crate::game::{Outcome, Side};

/// Value of a position that is already won. A win in `n` plies is worth `WIN_VALUE - n`, a loss in `n`
/// plies `n - WIN_VALUE`.
pub const WIN_VALUE: i32 = 1_000_000_000;

/// Limit of estimates: values above it are wins, values below `-MATE_BOUND` are losses.
pub const MATE_BOUND: i32 = WIN_VALUE - 10_000;

/// Score of a position or a move for the side to move; higher is better. [`Score::meaning`] interprets it.
///
/// ```
/// use crosspath::ai::{Score, ScoreMeaning, WIN_VALUE};
/// let meanings = [7, WIN_VALUE - 5, 4 - WIN_VALUE].map(|score| Score(score).meaning());
/// assert_eq!(meanings, [ScoreMeaning::Estimate(7), ScoreMeaning::Win(5), ScoreMeaning::Loss(4)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub i32);

/// Meaning of a score for the side to move under best play.
///
/// ```
/// use crosspath::ai::{Score, ScoreMeaning, WIN_VALUE};
/// let meaning = Score(WIN_VALUE - 3).meaning();
/// assert_eq!(meaning, ScoreMeaning::Win(3));
/// assert_eq!(meaning.to_string(), "wins in 2", "three plies are two moves of the mover");
/// assert_eq!(ScoreMeaning::Estimate(7).to_string(), "+7");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreMeaning {
    /// The mover wins in this number of plies.
    Win(u32),
    /// The game is a draw.
    Draw,
    /// The mover loses in this number of plies.
    Loss(u32),
    /// The result is unknown; an estimate in the engine's unit.
    Estimate(i32),
}

impl Score {
    /// Interprets a score that need not be proved. The result is never a draw.
    ///
    /// ```
    /// use crosspath::ai::{Score, ScoreMeaning, WIN_VALUE};
    /// assert_eq!(Score(WIN_VALUE - 3).meaning(), ScoreMeaning::Win(3));
    /// assert_eq!(Score(0).meaning(), ScoreMeaning::Estimate(0));
    /// ```
    #[must_use]
    pub fn meaning(self) -> ScoreMeaning {
        match self.0 {
            score if score > MATE_BOUND => ScoreMeaning::Win(score.abs_diff(WIN_VALUE)),
            score if score < -MATE_BOUND => ScoreMeaning::Loss(score.abs_diff(-WIN_VALUE)),
            score => ScoreMeaning::Estimate(score),
        }
    }

    /// Interprets a proved score: it is a draw unless one side wins.
    ///
    /// ```
    /// use crosspath::ai::{Score, ScoreMeaning};
    /// assert_eq!(Score(0).proved_meaning(), ScoreMeaning::Draw);
    /// ```
    #[must_use]
    pub fn proved_meaning(self) -> ScoreMeaning {
        match self.meaning() {
            ScoreMeaning::Estimate(_) => ScoreMeaning::Draw,
            value => value,
        }
    }

    /// Converts the score of a child position to a score for its parent: negated, and one ply farther from
    /// a win.
    pub(crate) fn for_parent(self) -> Self {
        Score(value_for_parent(self.0))
    }
}

impl Display for ScoreMeaning {
    /// Formats the value in moves of the mover: `wins in 2`, `loses in 3`, `draws`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreMeaning::Win(plies) => write!(f, "wins in {}", plies.div_ceil(2)),
            ScoreMeaning::Draw => f.write_str("draws"),
            ScoreMeaning::Loss(plies) => write!(f, "loses in {}", plies / 2),
            ScoreMeaning::Estimate(score) => write!(f, "{score:+}"),
        }
    }
}

impl From<ScoreMeaning> for ProofStatus {
    fn from(value: ScoreMeaning) -> Self {
        match value {
            ScoreMeaning::Win(plies) => ProofStatus::WinIn(plies),
            ScoreMeaning::Draw => ProofStatus::Draw,
            ScoreMeaning::Loss(plies) => ProofStatus::LostIn(plies),
            ScoreMeaning::Estimate(_) => ProofStatus::Unproved,
        }
    }
}

/// Converts the value of a child position to a value for its parent: negated, and one ply farther from a
/// win.
pub(crate) fn value_for_parent(value: i32) -> i32 {
    -shift_mate_distance(value, 1)
}

/// Shifts the win or loss that a value encodes by `plies` plies: farther away if positive, nearer if
/// negative. Estimates stay unchanged.
pub(crate) fn shift_mate_distance(value: i32, plies: i32) -> i32 {
    match value {
        value if value > MATE_BOUND => value - plies,
        value if value < -MATE_BOUND => value + plies,
        value => value,
    }
}

/// Returns the value of an outcome for `mover`, reached `ply` plies after the position from which distances
/// count.
pub(crate) fn outcome_value(outcome: Outcome, mover: Side, ply: u32) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(side) if side == mover => WIN_VALUE - ply.cast_signed(),
        Outcome::Win(_) => ply.cast_signed() - WIN_VALUE,
    }
}

/// A score formatted for display, such as `+1.3 steps` or `win in 5`.
///
/// ```
/// use crosspath::ai::{EngineKind, HasEngines, Score, WIN_VALUE};
/// use crosspath::games::hex::Hex;
/// let engines = Hex::game_engines();
/// let shown = engines.find_level(EngineKind::Level(8))?.scale.display_score(Score(WIN_VALUE - 5));
/// assert_eq!((shown.value.as_str(), shown.unit), ("win in 5", ""));
/// assert!(shown.is_bound, "the win may take fewer plies");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayedScore {
    /// Formatted number, or the proved result.
    pub value: String,
    /// Unit of the number; empty if it has none.
    pub unit: &'static str,
    /// `true` if the number of plies to a proved win is only an upper bound; see [`ScoreUnit::has_bounds`].
    pub is_bound: bool,
}

impl Display for DisplayedScore {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.value, if self.unit.is_empty() { "" } else { " " }, self.unit)
    }
}

/// Unit in which the scores of a game's engines are displayed, and their relation to the win probability.
///
/// ```
/// use crosspath::ai::{EngineKind, HasEngines, Score};
/// use crosspath::games::quoridor::Quoridor;
/// let engines = Quoridor::game_engines();
/// let scale = engines.find_level(EngineKind::Level(8))?.scale;
/// assert_eq!(scale.display_score(Score(scale.one)).to_string(), "+1.0 steps");
/// assert!(scale.win_chance(Score(scale.one)) > scale.win_chance(Score(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreUnit {
    /// Name of the unit, in the plural; empty if scores have no unit.
    pub unit: &'static str,
    /// Score that equals one unit.
    pub one: i32,
    /// Number of decimals displayed.
    pub decimals: usize,
    /// Score difference that multiplies the odds of winning by e = 2.72, if measured.
    pub odds: Option<f64>,
    /// Log odds of winning with a score of 0; they correct the search's bias for or against the side to
    /// move.
    pub bias: f64,
    /// `true` if proofs give only an upper bound on the number of plies to a win.
    pub has_bounds: bool,
}

impl ScoreUnit {
    /// Unit of scores that are plain numbers.
    pub const UNITLESS: ScoreUnit =
        ScoreUnit { unit: "", one: 1, decimals: 0, odds: None, bias: 0.0, has_bounds: false };

    /// Formats a score for display: `+1.3 steps`, `win in 5`, `lost in 4` (plies).
    ///
    /// ```
    /// use crosspath::ai::{ScoreUnit, Score, WIN_VALUE};
    /// let scale = ScoreUnit { unit: "steps", one: 100, decimals: 1, odds: Some(150.0), bias: 0.0, has_bounds: false };
    /// let shown = [-130, WIN_VALUE - 5, 4 - WIN_VALUE].map(|score| scale.display_score(Score(score)).to_string());
    /// assert_eq!(shown, ["-1.3 steps", "win in 5", "lost in 4"]);
    /// assert_eq!(ScoreUnit::UNITLESS.display_score(Score(7)).to_string(), "+7");
    /// ```
    #[must_use]
    pub fn display_score(&self, score: Score) -> DisplayedScore {
        match score.meaning() {
            ScoreMeaning::Estimate(score) => {
                let count = f64::from(score) / f64::from(self.one);
                DisplayedScore {
                    value: format!("{count:+.*}", self.decimals),
                    unit: self.unit,
                    is_bound: false,
                }
            }
            value => DisplayedScore {
                value: ProofStatus::from(value).to_string(),
                unit: "",
                is_bound: self.has_bounds,
            },
        }
    }

    /// Returns the probability from 0 to 1 that the side to move wins; `None` if it was not measured.
    ///
    /// ```
    /// use crosspath::ai::{ScoreUnit, Score, WIN_VALUE};
    /// let scale = ScoreUnit { unit: "steps", one: 100, decimals: 1, odds: Some(150.0), bias: 0.0, has_bounds: false };
    /// assert_eq!([scale.win_chance(Score(0)), scale.win_chance(Score(WIN_VALUE - 5))], [Some(0.5), Some(1.0)]);
    /// ```
    #[must_use]
    pub fn win_chance(&self, score: Score) -> Option<f64> {
        match score.meaning() {
            ScoreMeaning::Win(_) => Some(1.0),
            ScoreMeaning::Loss(_) => Some(0.0),
            ScoreMeaning::Draw => Some(0.5),
            ScoreMeaning::Estimate(score) => {
                self.odds.map(|odds| 1.0 / (1.0 + (-f64::from(score) / odds - self.bias).exp()))
            }
        }
    }
}

/// Proof status of the position after an engine's move.
///
/// ```
/// use crosspath::ai::{ProofStatus, ScoreMeaning};
/// assert_eq!(ProofStatus::from(ScoreMeaning::Win(5)), ProofStatus::WinIn(5));
/// assert_eq!(ProofStatus::LostIn(4).to_string(), "lost in 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStatus {
    /// The mover wins within this number of plies, counted from before the move.
    WinIn(u32),
    /// The mover cannot lose; a pairing strategy proves it.
    Certified,
    /// Best play by both sides leads to a draw.
    Draw,
    /// The mover loses within this number of plies against best play.
    LostIn(u32),
    /// Nothing is proved.
    Unproved,
}

impl Display for ProofStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofStatus::WinIn(plies) => write!(f, "win in {plies}"),
            ProofStatus::Certified => f.write_str("certified"),
            ProofStatus::Draw => f.write_str("draw"),
            ProofStatus::LostIn(plies) => write!(f, "lost in {plies}"),
            ProofStatus::Unproved => f.write_str("unproved"),
        }
    }
}
