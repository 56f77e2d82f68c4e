//! Values of positions and moves, and the one way to read them. Knows no game.

use std::fmt::{self, Display, Formatter};

use crate::game::{Outcome, Side};

/// The value of a win that needs no more plies; a win in `n` plies is worth `WIN - n`, a loss in `n` plies `n - WIN`.
pub const WIN: i32 = 1_000_000_000;

/// Values beyond this are wins or losses, those between `-MATE_BOUND` and `MATE_BOUND` estimates.
pub const MATE_BOUND: i32 = WIN - 10_000;

/// Value of a position or a move for the mover, as searches count it: more is better. [`Score::value`] reads it.
///
/// ```
/// use crosspath::ai::{Score, Value, WIN};
/// assert_eq!([7, WIN - 5, 4 - WIN].map(|score| Score(score).value()), [Value::Estimate(7), Value::Win(5), Value::Loss(4)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub i32);

/// Meaning of a score for the mover under best play. Numbers are plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The mover wins with the ply of this number.
    Win(u32),
    /// Nobody wins.
    Draw,
    /// The mover loses with the ply of this number.
    Loss(u32),
    /// Not known; in the unit of the engine.
    Estimate(i32),
}

impl Score {
    /// Returns the meaning of the score by itself: never a draw.
    ///
    /// ```
    /// use crosspath::ai::{Score, Value, WIN};
    /// assert_eq!(Score(WIN - 3).value(), Value::Win(3));
    /// assert_eq!(Score(0).value(), Value::Estimate(0));
    /// ```
    #[must_use]
    pub fn value(self) -> Value {
        match self.0 {
            score if score > MATE_BOUND => Value::Win(score.abs_diff(WIN)),
            score if score < -MATE_BOUND => Value::Loss(score.abs_diff(-WIN)),
            score => Value::Estimate(score),
        }
    }

    /// Returns the meaning of a score that is proved: where nobody wins, it is a draw.
    ///
    /// ```
    /// use crosspath::ai::{Score, Value};
    /// assert_eq!(Score(0).proved(), Value::Draw);
    /// ```
    #[must_use]
    pub fn proved(self) -> Value {
        match self.value() {
            Value::Estimate(_) => Value::Draw,
            value => value,
        }
    }

    /// The score that the side to move after a move gives, in the eyes of the side that moved.
    pub(crate) fn one_ply_earlier(self) -> Self {
        Score(one_ply_earlier(self.0))
    }
}

impl Display for Value {
    /// In the mover's own moves: `wins in 2`, `loses in 3`, `draws`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "wins in {}", plies.div_ceil(2)),
            Value::Draw => f.write_str("draws"),
            Value::Loss(plies) => write!(f, "loses in {}", plies / 2),
            Value::Estimate(score) => write!(f, "{score:+}"),
        }
    }
}

impl From<Value> for Proof {
    fn from(value: Value) -> Self {
        match value {
            Value::Win(plies) => Proof::WinIn(plies),
            Value::Draw => Proof::Draw,
            Value::Loss(plies) => Proof::LostIn(plies),
            Value::Estimate(_) => Proof::Unproved,
        }
    }
}

/// The value that the side to move after a move gives a position, in the eyes of the side that moved, one ply earlier.
pub(crate) fn one_ply_earlier(value: i32) -> i32 {
    -farther(value, 1)
}

/// A value whose wins and losses are `plies` plies farther away; nearer where `plies` is negative.
pub(crate) fn farther(value: i32, plies: i32) -> i32 {
    match value {
        value if value > MATE_BOUND => value - plies,
        value if value < -MATE_BOUND => value + plies,
        value => value,
    }
}

/// The end of a game as a value for `mover`, `ply` plies after the position from which distances count.
pub(crate) fn end_value(outcome: Outcome, mover: Side, ply: u32) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(side) if side == mover => WIN - ply.cast_signed(),
        Outcome::Win(_) => ply.cast_signed() - WIN,
    }
}

/// A score as people read it: `+1.3 steps`, `win in 5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayedScore {
    /// The number, or what is proved.
    pub value: String,
    /// Unit of the number; empty where it has none.
    pub unit: &'static str,
    /// `true` if the number of a proved win is no more than a bound, see [`ScoreUnit::has_bounds`].
    pub is_bound: bool,
}

impl Display for DisplayedScore {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.value, if self.unit.is_empty() { "" } else { " " }, self.unit)
    }
}

/// Unit of the scores of a game's engines, for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreUnit {
    /// Name of the unit, in the plural; empty where scores are mere numbers.
    pub unit: &'static str,
    /// The score of one of them.
    pub one: i32,
    /// Digits behind the point.
    pub decimals: usize,
    /// Increase of the score that multiplies the mover's wins for each loss by e = 2.72, where it was measured.
    pub odds: Option<f64>,
    /// The log odds of the score 0 for the mover: what searches believe too much or too little of the side they search for.
    pub bias: f64,
    /// `true` if a proof tells within how many plies a game is won, and not in how many.
    pub has_bounds: bool,
}

impl ScoreUnit {
    /// Scores that are mere numbers.
    pub const PLAIN: ScoreUnit =
        ScoreUnit { unit: "", one: 1, decimals: 0, odds: None, bias: 0.0, has_bounds: false };

    /// A score as people read it: `+1.3 steps`, `win in 5`, `lost in 4` (plies).
    ///
    /// ```
    /// use crosspath::ai::{ScoreUnit, Score, WIN};
    /// let scale = ScoreUnit { unit: "steps", one: 100, decimals: 1, odds: Some(150.0), bias: 0.0, has_bounds: false };
    /// let told = [-130, WIN - 5, 4 - WIN].map(|score| scale.tell(Score(score)).to_string());
    /// assert_eq!(told, ["-1.3 steps", "win in 5", "lost in 4"]);
    /// assert_eq!(ScoreUnit::PLAIN.tell(Score(7)).to_string(), "+7");
    /// ```
    #[must_use]
    pub fn tell(&self, score: Score) -> DisplayedScore {
        match score.value() {
            Value::Estimate(score) => {
                let count = f64::from(score) / f64::from(self.one);
                DisplayedScore {
                    value: format!("{count:+.*}", self.decimals),
                    unit: self.unit,
                    is_bound: false,
                }
            }
            value => {
                DisplayedScore { value: Proof::from(value).to_string(), unit: "", is_bound: self.has_bounds }
            }
        }
    }

    /// Returns the probability that the mover wins with this score, from 0 to 1; `None` where it was not measured.
    ///
    /// ```
    /// use crosspath::ai::{ScoreUnit, Score, WIN};
    /// let scale = ScoreUnit { unit: "steps", one: 100, decimals: 1, odds: Some(150.0), bias: 0.0, has_bounds: false };
    /// assert_eq!([scale.chance(Score(0)), scale.chance(Score(WIN - 5))], [Some(0.5), Some(1.0)]);
    /// ```
    #[must_use]
    pub fn chance(&self, score: Score) -> Option<f64> {
        match score.value() {
            Value::Win(_) => Some(1.0),
            Value::Loss(_) => Some(0.0),
            Value::Draw => Some(0.5),
            Value::Estimate(score) => {
                self.odds.map(|odds| 1.0 / (1.0 + (-f64::from(score) / odds - self.bias).exp()))
            }
        }
    }
}

/// Proof about the position after the engine's move. Never claimed without its proof; numbers are plies.
///
/// ```
/// use crosspath::ai::{Proof, Value};
/// assert_eq!(Proof::from(Value::Win(5)), Proof::WinIn(5));
/// assert_eq!(Proof::LostIn(4).to_string(), "lost in 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The mover wins within this number of plies, counted from before the move.
    WinIn(u32),
    /// The mover cannot lose: the certificate names the cells that hold every line.
    Certified,
    /// Best play from both sides draws.
    Draw,
    /// The mover loses within this number of plies against best play.
    LostIn(u32),
    /// Nothing is proved.
    Unproved,
}

impl Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::WinIn(plies) => write!(f, "win in {plies}"),
            Proof::Certified => f.write_str("certified"),
            Proof::Draw => f.write_str("draw"),
            Proof::LostIn(plies) => write!(f, "lost in {plies}"),
            Proof::Unproved => f.write_str("unproved"),
        }
    }
}
