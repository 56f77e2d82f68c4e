//! Statistics of a match between two engines: score, Elo, normalized Elo, and their intervals. Knows numbers only.

pub mod hash;
pub mod rating;
pub mod sprt;
pub mod spsa;

use serde::{Deserialize, Serialize};

/// 800 / ln 10: normalized Elo of one standard deviation, halved for the two games of a pair.
pub(crate) const K: f64 = 347.435_585_522_601_46;
/// The two-sided 95 % point of the normal distribution.
const Z95: f64 = 1.959_964;

/// Pairs by the points that the first engine made in their two games: 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

/// A count as a number to calculate with.
#[allow(clippy::cast_precision_loss, reason = "counts of games and positions stay far below 2^52")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// An estimate with its 95 % interval; bounds may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl PairCounts {
    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, from 0 to 1, and the variance of a pair's.
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        let pairs = float(self.pairs());
        let each = || self.0.iter().zip(0..).map(|(&count, i)| (float(count), f64::from(i) / 4.0));
        let mean = each().map(|(count, a)| count * a).sum::<f64>() / pairs;
        let variance = each().map(|(count, a)| count * (a - mean) * (a - mean)).sum::<f64>() / pairs;
        (mean, variance)
    }

    /// The mean score of a game with its interval.
    #[must_use]
    pub fn score(&self) -> Estimate {
        let (mean, variance) = self.moments();
        let n = float(self.pairs());
        if self.0[0] == self.pairs() || self.0[4] == self.pairs() {
            // All the same: what 95 of 100 such runs would not show by chance.
            let bound = 0.05_f64.powf(1.0 / n);
            let (low, high) = if self.0[4] == self.pairs() { (bound, 1.0) } else { (0.0, 1.0 - bound) };
            return Estimate { value: mean, low, high };
        }
        if variance <= 0.0 {
            // Every pair came out even: what share of uneven ones 95 of 100 such runs would have shown.
            let half = (1.0 - 0.05_f64.powf(1.0 / n)) / 2.0;
            return Estimate { value: mean, low: mean - half, high: mean + half };
        }
        let half = Z95 * (variance / n).sqrt();
        Estimate { value: mean, low: (mean - half).max(0.0), high: (mean + half).min(1.0) }
    }

    /// The difference in Elo with its interval.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let Estimate { value, low, high } = self.score();
        Estimate { value: elo(value), low: elo(low), high: elo(high) }
    }

    /// The difference in normalized Elo with its interval.
    #[must_use]
    pub fn normalized_elo(&self) -> Estimate {
        let (mean, variance) = self.moments();
        // Where all pairs are the same there is no scale to measure on: no difference, or one beyond measure.
        let value = match mean - 0.5 {
            0.0 => 0.0,
            lead => K * lead / (2.0 * variance).sqrt(),
        };
        if value.is_infinite() {
            // As with the score: the least that 95 of 100 such runs would not show by chance.
            let Estimate { low, high, .. } = self.score();
            let of = |score: f64| K * (score - 0.5) / (2.0 * score * (1.0 - score)).sqrt();
            return Estimate { value, low: of(low), high: of(high) };
        }
        let half = Z95 * K / (2.0 * float(self.pairs())).sqrt();
        Estimate { value, low: value - half, high: value + half }
    }

    /// Returns the likelihood that the first engine is the stronger one, by a normal distribution.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let (mean, variance) = self.moments();
        let error = (variance / float(self.pairs())).sqrt();
        match (mean - 0.5, error) {
            (0.0, 0.0) => 0.5,
            // All pairs went one way: how likely the next ones do too, were any share as likely as another before.
            (lead, 0.0) => {
                let other = 0.5_f64.powf(float(self.pairs()) + 1.0);
                if lead > 0.0 { 1.0 - other } else { other }
            }
            (lead, error) => normal_cdf(lead / error),
        }
    }
}

/// The difference in Elo that makes a score.
fn elo(score: f64) -> f64 {
    // The sum with zero turns a negative zero into a plain one.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The distribution function of the normal distribution, to about 1e-7 (Abramowitz and Stegun 26.2.17).
fn normal_cdf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let poly = t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if x >= 0.0 { 1.0 - tail } else { tail }
}
