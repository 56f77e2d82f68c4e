//! Source of all randomness: numbered streams derived from one seed, the same on every machine. This module
//! does not depend on games.

use std::convert::Infallible;

use rand::rngs::{ChaCha8Rng, SysRng};
use rand::{RngExt, SeedableRng, TryRng};

/// Random generator used by the whole program.
#[derive(Debug, PartialEq, Eq)]
pub struct RandomGenerator(ChaCha8Rng);

impl TryRng for RandomGenerator {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// Number of the stream for the engine that plays First.
pub(crate) const FIRST_ENGINE_STREAM: u64 = 0;
/// Number of the stream for the engine that plays Second.
pub(crate) const SECOND_ENGINE_STREAM: u64 = 1;
/// Number of the stream that draws openings.
pub(crate) const OPENINGS_STREAM: u64 = 2;
/// Number of the stream that draws the starting side.
pub(crate) const STARTING_SIDE_STREAM: u64 = 3;

/// Number of the random stream for hints. Hints have a stream of their own, so that they do not change the moves of engines.
pub(crate) const HINTS_STREAM: u64 = 4;

/// Number of the stream that resamples pairs for the confidence intervals of ratings.
pub(crate) const BOOTSTRAP_STREAM: u64 = 4;

/// Number of the stream that draws the moves of self-play.
pub(crate) const SELF_PLAY_STREAM: u64 = 5;

/// Number of the stream that draws the positions for the teacher. Its own stream keeps the teacher from
/// changing games.
pub(crate) const TEACHER_STREAM: u64 = 6;

/// Number of the stream that draws the perturbations of tuned constants and their rounding.
pub(crate) const TUNING_STREAM: u64 = 7;

/// Mixes a seed and a number into a new seed, with the finalizer of `SplitMix64`.
///
/// ```
/// assert_eq!(crosspath::random::mix_seed(0, 0), 0xe220_a839_7b1d_cdaf);
/// ```
#[must_use]
pub const fn mix_seed(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Returns the random stream `number` of `seed`.
#[must_use]
pub fn random_stream(seed: u64, number: u64) -> RandomGenerator {
    let base = mix_seed(seed, number);
    let mut bytes = [0; 32];
    for (word, chunk) in (0..).zip(bytes.chunks_exact_mut(8)) {
        chunk.copy_from_slice(&mix_seed(base, word).to_le_bytes());
    }
    RandomGenerator(ChaCha8Rng::from_seed(bytes))
}

/// Draws an index with probability proportional to its weight. At least one weight must be positive.
pub(crate) fn sample_weighted_index(weights: &[f64], generator: &mut RandomGenerator) -> usize {
    let sum: f64 = weights.iter().sum();
    let mut left = sum * f64::from(generator.random::<u32>()) / 4_294_967_296.0;
    let place = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    place.unwrap_or(weights.len() - 1)
}

/// Returns a random seed from the operating system; 0 if it has no entropy.
pub(crate) fn seed_from_os() -> u64 {
    // Without entropy the games are predictable, which is better than an error.
    SysRng.try_next_u64().unwrap_or(0)
}
