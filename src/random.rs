//! The only source of chance: numbered streams of one seed, the same on every machine.
//! Knows no game.

use std::convert::Infallible;

use rand::rngs::{ChaCha8Rng, SysRng};
use rand::{RngExt, SeedableRng, TryRng};

/// The generator that everything random uses.
#[derive(Debug, PartialEq, Eq)]
pub struct Generator(ChaCha8Rng);

impl TryRng for Generator {
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

/// Stream of the engine that plays First.
pub(crate) const ENGINE_FIRST: u64 = 0;
/// Stream of the engine that plays Second.
pub(crate) const ENGINE_SECOND: u64 = 1;
/// Stream that draws openings.
pub(crate) const OPENINGS: u64 = 2;
/// Stream that draws who starts.
pub(crate) const WHO_STARTS: u64 = 3;

/// Stream of the adviser, so that advice changes nobody's moves.
pub(crate) const ADVICE: u64 = 4;

/// Stream that draws pairs anew for the intervals of ratings.
pub(crate) const RESAMPLES: u64 = 4;

/// Stream that draws the moves of self-play.
pub(crate) const SELF_PLAY: u64 = 5;

/// Stream that draws the positions that a teacher judges, so that a teacher changes no game.
pub(crate) const TAUGHT: u64 = 6;

/// Stream that draws to which side of its value a tuned constant is moved, and how it is rounded.
pub(crate) const PROBES: u64 = 7;

/// Mixes a seed with a number into a new seed (the finaliser of `SplitMix64`).
///
/// ```
/// assert_eq!(crosspath::random::mix(0, 0), 0xe220_a839_7b1d_cdaf);
/// ```
#[must_use]
pub const fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Stream `number` of `seed`.
#[must_use]
pub fn stream(seed: u64, number: u64) -> Generator {
    let base = mix(seed, number);
    let mut bytes = [0; 32];
    for (word, chunk) in (0..).zip(bytes.chunks_exact_mut(8)) {
        chunk.copy_from_slice(&mix(base, word).to_le_bytes());
    }
    Generator(ChaCha8Rng::from_seed(bytes))
}

/// A place drawn by its weight; at least one is positive.
pub(crate) fn drawn(weights: &[f64], generator: &mut Generator) -> usize {
    let sum: f64 = weights.iter().sum();
    let mut left = sum * f64::from(generator.random::<u32>()) / 4_294_967_296.0;
    let place = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    place.unwrap_or(weights.len() - 1)
}

/// A seed that nobody chose, from the operating system.
pub(crate) fn fresh_seed() -> u64 {
    // Without entropy the games are predictable, which is better than no game.
    SysRng.try_next_u64().unwrap_or(0)
}
