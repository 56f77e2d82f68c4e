//! The generalized sequential probability ratio test on pair counts: when a match has decided. Knows numbers only.

use crate::arena::stats::{K, PairCounts, float};

/// A test of normalized Elo `elo0` (H0) against `elo1` (H1), each wrong with at most 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that H0 claims.
    pub elo0: f64,
    /// The larger difference that H1 claims.
    pub elo1: f64,
}

/// Decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

/// ln 19: where the ratio is sure to 5 %.
pub(in crate::arena) const BOUND: f64 = 2.944_438_979_166_440_3;
/// Pairs before which nothing is decided.
const MIN_PAIRS: u64 = 16;

/// The largest difference that is tested: from 245 on no distribution is found that fits.
const MAX_ELO: f64 = 200.0;

/// A text that names no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sprt takes two increasing numbers from -200 to 200, such as 0,20, not \"{0}\"")]
pub struct SprtError(String);

impl Sprt {
    /// A test of these two, the smaller one in front; `None` if they do not rise or are beyond -200 to 200.
    #[must_use]
    pub fn new(elo0: f64, elo1: f64) -> Option<Self> {
        let range = -MAX_ELO..=MAX_ELO;
        (range.contains(&elo0) && range.contains(&elo1) && elo0 < elo1).then_some(Sprt { elo0, elo1 })
    }

    /// The test with these two bounds.
    pub(in crate::arena) fn of(bounds: &[f64]) -> Option<Self> {
        if let [elo0, elo1] = *bounds { Sprt::new(elo0, elo1) } else { None }
    }

    /// Reads `ELO0,ELO1`.
    ///
    /// # Errors
    /// Says what it must look like.
    pub fn read(text: &str) -> Result<Self, SprtError> {
        let wrong = || SprtError(text.to_owned());
        let (elo0, elo1) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        number(elo0).zip(number(elo1)).and_then(|(elo0, elo1)| Sprt::new(elo0, elo1)).ok_or_else(wrong)
    }

    /// The logarithm of the likelihood ratio of H1 to H0.
    #[must_use]
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        // 1. Empty cells count a little, or their logarithm would be infinite.
        let n = counts.0.map(|count| if count == 0 { 0.001 } else { float(count) });
        let total: f64 = n.iter().sum();
        let q = n.map(|count| count / total);
        // 2. and 3. The most likely distributions under each hypothesis.
        let likely = |elo: f64| most_likely(&q, std::f64::consts::SQRT_2 * elo / K);
        let (p0, p1) = (likely(self.elo0), likely(self.elo1));
        // 4. Their ratio.
        total * (0..5).map(|i| q[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }

    /// Returns the verdict on these pairs, if they suffice.
    #[must_use]
    pub fn verdict(&self, counts: &PairCounts) -> Option<Verdict> {
        if counts.pairs() < MIN_PAIRS {
            return None;
        }
        match self.llr(counts) {
            llr if llr >= BOUND => Some(Verdict::H1),
            llr if llr <= -BOUND => Some(Verdict::H0),
            _ => None,
        }
    }
}

/// The points of a pair, as shares.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The distribution on [`POINTS`] that makes the observed `shares` most likely while its mean lies `lead` of its
/// standard deviations above 1/2.
fn most_likely(shares: &[f64; 5], lead: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    for _ in 0..1000 {
        let mean: f64 = (0..5).map(|i| found[i] * POINTS[i]).sum();
        let deviation =
            (0..5).map(|i| found[i] * (POINTS[i] - mean) * (POINTS[i] - mean)).sum::<f64>().sqrt();
        let phi = POINTS.map(|point| {
            let distance = (point - mean) / deviation;
            point - 0.5 - lead * deviation / 2.0 * (1.0 + distance * distance)
        });
        let x = root(shares, &phi);
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

/// Finds the zero of the sum of `q phi / (1 + x phi)`, which falls strictly between its poles.
fn root(q: &[f64; 5], phi: &[f64; 5]) -> f64 {
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
