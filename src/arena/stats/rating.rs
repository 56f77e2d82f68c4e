//! Ratings of many engines from their games with each other: Bradley-Terry, draws as half wins. Knows numbers only.

use rand::RngExt;

use crate::arena::stats::{Estimate, PairCounts, float};
use crate::random::{RESAMPLES, stream};

/// Half points that every engine gets against each other one, so that undefeated engines have finite ratings.
const PRIOR_POINTS: f64 = 0.5;
/// Largest change of a rating at which the iteration ends.
const CONVERGENCE: f64 = 1e-6;
/// Number of times that the pairs are drawn anew for the intervals.
const BOOTSTRAP_SAMPLES: usize = 1_000;

/// Results of two engines, given by their numbers; the counts are those of the first.
pub type PairingResult = ([usize; 2], PairCounts);

/// Returns the Elo of each of `engines` engines, their mean at 0; see Hunter, MM algorithms for generalized
/// Bradley-Terry models (2004).
#[must_use]
pub fn ratings(engines: usize, met: &[PairingResult]) -> Vec<f64> {
    let mut points = vec![PRIOR_POINTS; engines];
    let mut games = vec![vec![2.0 * PRIOR_POINTS / float((engines.max(2) - 1) as u64); engines]; engines];
    for ([a, b], counts) in met {
        let (all, won) = (2.0 * float(counts.pairs()), won(counts));
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
            change = change.max((elo(next) - elo(strengths[i])).abs());
            strengths[i] = next;
        }
        // Only the differences mean anything.
        let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / float(engines.max(1) as u64);
        for strength in &mut strengths {
            *strength /= mean.exp();
        }
        if change < CONVERGENCE {
            return strengths.into_iter().map(elo).collect();
        }
    }
}

/// Returns the ratings with intervals that hold in 95 of 100 cases: the pairs of every meeting are drawn anew a
/// thousand times, and the interval reaches as far from the rating as these samples lie from their median. With an
/// anchor all are compared with that engine, whose rating is 0.
#[must_use]
pub fn estimates(engines: usize, met: &[PairingResult], anchor: Option<usize>, seed: u64) -> Vec<Estimate> {
    let mut generator = stream(seed, RESAMPLES);
    let rated = |met: &[PairingResult]| {
        let all = ratings(engines, met);
        let shift = anchor.map_or(0.0, |engine| all[engine]);
        all.into_iter().map(move |elo| elo - shift)
    };
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(BOOTSTRAP_SAMPLES); engines];
    for _ in 0..BOOTSTRAP_SAMPLES {
        let again: Vec<PairingResult> =
            met.iter().map(|(who, counts)| (*who, resampled(counts, &mut generator))).collect();
        for (all, one) in drawn.iter_mut().zip(rated(&again)) {
            all.push(one);
        }
    }
    let interval = |(value, mut all): (f64, Vec<f64>)| {
        all.sort_by(f64::total_cmp);
        let at = |share: usize| all[(BOOTSTRAP_SAMPLES - 1) * share / 1_000];
        // What is drawn beside one-sided meetings (see below) moves all draws to the middle, the value not.
        let most = (at(500) - at(25)).max(at(975) - at(500));
        Estimate { value, low: value - most, high: value + most }
    };
    rated(met).zip(drawn).map(interval).collect()
}

/// Draws the same number of pairs with replacement. Where all came out the same way, one more that came out otherwise
/// is among those drawn from: that it was not seen does not make it impossible.
fn resampled(counts: &PairCounts, generator: &mut impl rand::Rng) -> PairCounts {
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

/// The points of the first engine.
fn won(counts: &PairCounts) -> f64 {
    counts.0.iter().zip(0..).map(|(&count, halves)| float(count) * f64::from(halves) / 2.0).sum()
}

fn elo(strength: f64) -> f64 {
    400.0 * strength.log10()
}
