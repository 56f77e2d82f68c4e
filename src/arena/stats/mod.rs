//! Statistics of a match between two engines: score, Elo, normalized Elo, and their confidence intervals.

pub mod hash;
pub mod rating;
pub mod sprt;
pub mod spsa;

use serde::{Deserialize, Serialize};

/// Scale of normalized Elo: 800 / ln 10, per standard deviation of a single game.
pub(crate) const NORMALIZED_ELO_SCALE: f64 = 347.435_585_522_601_46;
/// Two-sided 95 % quantile of the standard normal distribution.
const Z_SCORE_95_PERCENT: f64 = 1.959_964;

/// Pentanomial counts: the numbers of pairs in which the first engine scored 0, 1/2, 1, 3/2 and 2
/// points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

/// Converts a count to a floating-point number.
#[allow(clippy::cast_precision_loss, reason = "counts of games and positions stay far below 2^52")]
pub(crate) fn count_to_f64(count: u64) -> f64 {
    count as f64
}

/// Estimate with its 95 % confidence interval. Bounds may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IntervalEstimate {
    /// Estimated value.
    pub value: f64,
    /// Lower bound of the interval.
    pub low: f64,
    /// Upper bound of the interval.
    pub high: f64,
}

impl PairCounts {
    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score per game, from 0 to 1, and the variance of the mean score of a pair.
    #[must_use]
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let pairs = count_to_f64(self.pairs());
        let each = || self.0.iter().zip(0..).map(|(&count, i)| (count_to_f64(count), f64::from(i) / 4.0));
        let mean = each().map(|(count, a)| count * a).sum::<f64>() / pairs;
        let variance = each().map(|(count, a)| count * (a - mean) * (a - mean)).sum::<f64>() / pairs;
        (mean, variance)
    }

    /// Returns the mean score per game with its interval.
    #[must_use]
    pub fn score(&self) -> IntervalEstimate {
        let (mean, variance) = self.mean_and_variance();
        let n = count_to_f64(self.pairs());
        if self.0[0] == self.pairs() || self.0[4] == self.pairs() {
            // All pairs won or all lost: exact one-sided 95 % bound.
            let bound = 0.05_f64.powf(1.0 / n);
            let (low, high) = if self.0[4] == self.pairs() { (bound, 1.0) } else { (0.0, 1.0 - bound) };
            return IntervalEstimate { value: mean, low, high };
        }
        if variance <= 0.0 {
            // All pairs even: exact 95 % bound on the share of uneven pairs.
            let half = (1.0 - 0.05_f64.powf(1.0 / n)) / 2.0;
            return IntervalEstimate { value: mean, low: mean - half, high: mean + half };
        }
        let half = Z_SCORE_95_PERCENT * (variance / n).sqrt();
        IntervalEstimate { value: mean, low: (mean - half).max(0.0), high: (mean + half).min(1.0) }
    }

    /// Returns the Elo difference with its interval.
    #[must_use]
    pub fn elo(&self) -> IntervalEstimate {
        let IntervalEstimate { value, low, high } = self.score();
        IntervalEstimate {
            value: elo_from_score(value),
            low: elo_from_score(low),
            high: elo_from_score(high),
        }
    }

    /// Returns the normalized Elo difference with its interval.
    #[must_use]
    pub fn normalized_elo(&self) -> IntervalEstimate {
        let (mean, variance) = self.mean_and_variance();
        // If all pairs are equal, the variance is 0 and the difference is 0 or infinite.
        let value = match mean - 0.5 {
            0.0 => 0.0,
            lead => NORMALIZED_ELO_SCALE * lead / (2.0 * variance).sqrt(),
        };
        if value.is_infinite() {
            // Converts the exact bounds of the score.
            let IntervalEstimate { low, high, .. } = self.score();
            let of = |score: f64| NORMALIZED_ELO_SCALE * (score - 0.5) / (2.0 * score * (1.0 - score)).sqrt();
            return IntervalEstimate { value, low: of(low), high: of(high) };
        }
        let half = Z_SCORE_95_PERCENT * NORMALIZED_ELO_SCALE / (2.0 * count_to_f64(self.pairs())).sqrt();
        IntervalEstimate { value, low: value - half, high: value + half }
    }

    /// Returns the likelihood that the first engine is stronger, by a normal approximation.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        let error = (variance / count_to_f64(self.pairs())).sqrt();
        match (mean - 0.5, error) {
            (0.0, 0.0) => 0.5,
            // All pairs have the same result: posterior probability under a uniform prior.
            (lead, 0.0) => {
                let other = 0.5_f64.powf(count_to_f64(self.pairs()) + 1.0);
                if lead > 0.0 { 1.0 - other } else { other }
            }
            (lead, error) => normal_cdf(lead / error),
        }
    }
}

/// Converts a score to an Elo difference.
fn elo_from_score(score: f64) -> f64 {
    // Adding 0 turns a negative zero into a positive one.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// Computes the standard normal distribution function, accurate to about 1e-7 (Abramowitz and Stegun
/// 26.2.17).
fn normal_cdf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let poly = t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if x >= 0.0 { 1.0 - tail } else { tail }
}
