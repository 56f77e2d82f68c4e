//! Generalized sequential probability ratio test (GSPRT) on pair counts, which decides when a match may
//! end.

use crate::arena::stats::{NORMALIZED_ELO_SCALE, PairCounts, count_to_f64};

/// Test of the normalized Elo difference `elo0` (H0) against `elo1` (H1), with error rates of at most 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Difference under H0.
    pub elo0: f64,
    /// Difference under H1, larger than `elo0`.
    pub elo1: f64,
}

/// Verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

/// Log-likelihood ratio at which the test ends, for error rates of 5 %: ln 19.
pub(in crate::arena) const SPRT_LLR_BOUND: f64 = 2.944_438_979_166_440_3;
/// Minimum number of pairs for a verdict.
const MIN_SPRT_PAIRS: u64 = 16;

/// Largest normalized Elo difference that can be tested.
///
/// From 245 on, no distribution of pair results has this difference.
const MAX_SPRT_ELO: f64 = 200.0;

/// Error for a text that is not a valid SPRT.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sprt takes two increasing numbers from -200 to 200, such as 0,20, not \"{0}\"")]
pub struct SprtError(String);

impl Sprt {
    /// Creates a test of `elo0` against `elo1`. Returns `None` unless `elo0 < elo1` and both are from -200
    /// to 200.
    #[must_use]
    pub fn new(elo0: f64, elo1: f64) -> Option<Self> {
        let range = -MAX_SPRT_ELO..=MAX_SPRT_ELO;
        (range.contains(&elo0) && range.contains(&elo1) && elo0 < elo1).then_some(Sprt { elo0, elo1 })
    }

    /// Creates a test from a slice of its two bounds. Returns `None` if they are invalid.
    pub(in crate::arena) fn from_bounds(bounds: &[f64]) -> Option<Self> {
        if let [elo0, elo1] = *bounds { Sprt::new(elo0, elo1) } else { None }
    }

    /// Parses `ELO0,ELO1`.
    ///
    /// # Errors
    /// Returns an error that shows the expected form.
    pub fn parse(text: &str) -> Result<Self, SprtError> {
        let wrong = || SprtError(text.to_owned());
        let (elo0, elo1) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        number(elo0).zip(number(elo1)).and_then(|(elo0, elo1)| Sprt::new(elo0, elo1)).ok_or_else(wrong)
    }

    /// Returns the log-likelihood ratio of H1 to H0.
    #[must_use]
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        // 1. Replaces empty cells by a small count, because their logarithm would be infinite.
        let n = counts.0.map(|count| if count == 0 { 0.001 } else { count_to_f64(count) });
        let total: f64 = n.iter().sum();
        let q = n.map(|count| count / total);
        // 2. Finds the most likely distribution under each hypothesis.
        let likely =
            |elo: f64| most_likely_distribution(&q, std::f64::consts::SQRT_2 * elo / NORMALIZED_ELO_SCALE);
        let (p0, p1) = (likely(self.elo0), likely(self.elo1));
        // 3. Sums the weighted logarithms of their ratio.
        total * (0..5).map(|i| q[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }

    /// Returns the verdict on these pairs, or `None` if more are needed.
    #[must_use]
    pub fn verdict(&self, counts: &PairCounts) -> Option<SprtVerdict> {
        if counts.pairs() < MIN_SPRT_PAIRS {
            return None;
        }
        match self.llr(counts) {
            llr if llr >= SPRT_LLR_BOUND => Some(SprtVerdict::H1),
            llr if llr <= -SPRT_LLR_BOUND => Some(SprtVerdict::H0),
            _ => None,
        }
    }
}

/// Score per game of each of the five pair results, in the order of [`PairCounts`].
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Returns the maximum-likelihood distribution on [`PAIR_SCORES`] given the observed `shares`, under the
/// constraint that its mean lies `lead` standard deviations above 1/2.
fn most_likely_distribution(shares: &[f64; 5], lead: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    for _ in 0..1000 {
        let mean: f64 = (0..5).map(|i| found[i] * PAIR_SCORES[i]).sum();
        let deviation =
            (0..5).map(|i| found[i] * (PAIR_SCORES[i] - mean) * (PAIR_SCORES[i] - mean)).sum::<f64>().sqrt();
        let phi = PAIR_SCORES.map(|point| {
            let distance = (point - mean) / deviation;
            point - 0.5 - lead * deviation / 2.0 * (1.0 + distance * distance)
        });
        let x = find_root_of_sum(shares, &phi);
        let next: [f64; 5] = std::array::from_fn(|i| shares[i] / (1.0 + x * phi[i]));
        let change = (0..5).map(|i| (next[i] - found[i]).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    debug_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?} is no distribution");
    found
}

/// Finds the zero of the sum of `q phi / (1 + x phi)`, which decreases strictly between its poles, by
/// bisection.
fn find_root_of_sum(q: &[f64; 5], phi: &[f64; 5]) -> f64 {
    let most = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        let sum: f64 = (0..5).map(|i| q[i] * phi[i] / (1.0 + middle * phi[i])).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}
