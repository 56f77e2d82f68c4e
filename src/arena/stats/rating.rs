//! Bradley-Terry ratings of several engines from their games. A draw counts as half a win.

use rand::RngExt;

use crate::arena::stats::{IntervalEstimate, PairCounts, count_to_f64};
use crate::random::{BOOTSTRAP_STREAM, random_stream};

/// Prior points of each engine, which give undefeated engines finite ratings.
///
/// They stand for one virtual drawn game, spread over the engine's opponents.
const PRIOR_POINTS: f64 = 0.5;
/// Largest rating change, in Elo, at which the iteration stops.
const RATING_TOLERANCE_ELO: f64 = 1e-6;
/// Number of bootstrap samples for the intervals.
const BOOTSTRAP_SAMPLES: usize = 1_000;

/// Results of a pairing: the indices of both engines, and the pentanomial counts of the first.
pub type PairingResult = ([usize; 2], PairCounts);

/// Computes the Elo ratings of `engines` engines, with mean 0, by the minorization-maximization algorithm
/// of Hunter, "MM algorithms for generalized Bradley-Terry models" (2004).
#[must_use]
pub fn bradley_terry_ratings(engines: usize, met: &[PairingResult]) -> Vec<f64> {
    let mut points = vec![PRIOR_POINTS; engines];
    let mut games =
        vec![vec![2.0 * PRIOR_POINTS / count_to_f64((engines.max(2) - 1) as u64); engines]; engines];
    for ([a, b], counts) in met {
        let (all, won) = (2.0 * count_to_f64(counts.pairs()), points_of_first(counts));
        points[*a] += won;
        points[*b] += all - won;
        games[*a][*b] += all;
        games[*b][*a] += all;
    }
    let mut strengths = vec![1.0; engines];
    loop {
        let mut change: f64 = 0.0;
        for i in 0..engines {
            let others = (0..engines).filter(|&j| j != i);
            let sum: f64 = others.map(|j| games[i][j] / (strengths[i] + strengths[j])).sum();
            let next: f64 = if sum > 0.0 { points[i] / sum } else { 1.0 };
            change = change.max((elo_from_strength(next) - elo_from_strength(strengths[i])).abs());
            strengths[i] = next;
        }
        // Only differences are meaningful, so the ratings are centred.
        let mean =
            strengths.iter().map(|strength| strength.ln()).sum::<f64>() / count_to_f64(engines.max(1) as u64);
        for strength in &mut strengths {
            *strength /= mean.exp();
        }
        if change < RATING_TOLERANCE_ELO {
            return strengths.into_iter().map(elo_from_strength).collect();
        }
    }
}

/// Returns the ratings with 95 % bootstrap intervals, resampling the pairs of every pairing.
///
/// The intervals are symmetric around the rating, as wide as the larger distance of the 2.5 % and
/// 97.5 % quantiles from the median. Ratings are relative to the anchor, if one is given.
#[must_use]
pub fn estimate_ratings(
    engines: usize,
    met: &[PairingResult],
    anchor: Option<usize>,
    seed: u64,
) -> Vec<IntervalEstimate> {
    let mut generator = random_stream(seed, BOOTSTRAP_STREAM);
    let rated = |met: &[PairingResult]| {
        let all = bradley_terry_ratings(engines, met);
        let shift = anchor.map_or(0.0, |engine| all[engine]);
        all.into_iter().map(move |elo| elo - shift)
    };
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(BOOTSTRAP_SAMPLES); engines];
    for _ in 0..BOOTSTRAP_SAMPLES {
        let again: Vec<PairingResult> =
            met.iter().map(|(who, counts)| (*who, resample_pairs(counts, &mut generator))).collect();
        for (all, one) in drawn.iter_mut().zip(rated(&again)) {
            all.push(one);
        }
    }
    let interval = |(value, mut all): (f64, Vec<f64>)| {
        all.sort_by(f64::total_cmp);
        let at = |share: usize| all[(BOOTSTRAP_SAMPLES - 1) * share / 1_000];
        // The extra pairs of one-sided pairings (see below) shift all samples, but not the value.
        let most = (at(500) - at(25)).max(at(975) - at(500));
        IntervalEstimate { value, low: value - most, high: value + most }
    };
    rated(met).zip(drawn).map(interval).collect()
}

/// Draws a bootstrap resample: the same number of pairs, with replacement.
///
/// If all pairs have the same result, an opposite one is added first, because an unobserved result
/// is not impossible.
fn resample_pairs(counts: &PairCounts, generator: &mut impl rand::Rng) -> PairCounts {
    let (pairs, mut from, mut drawn) = (counts.pairs(), *counts, PairCounts::default());
    match counts.0.iter().position(|&count| pairs > 0 && count == pairs) {
        Some(2) => (from.0[0], from.0[4]) = (1, 1),
        Some(cell) => from.0[4 - cell] += 1,
        None => {}
    }
    for _ in 0..pairs {
        let mut place = generator.random_range(0..from.pairs());
        let cell = from.0.iter().position(|&count| {
            let is_here = place < count;
            place = place.saturating_sub(count);
            is_here
        });
        drawn.0[cell.expect("the cells hold all pairs")] += 1;
    }
    drawn
}

/// Returns the points of the first engine.
fn points_of_first(counts: &PairCounts) -> f64 {
    counts.0.iter().zip(0..).map(|(&count, halves)| count_to_f64(count) * f64::from(halves) / 2.0).sum()
}

/// Converts a Bradley-Terry strength to Elo.
fn elo_from_strength(strength: f64) -> f64 {
    400.0 * strength.log10()
}
