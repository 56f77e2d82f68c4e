//! The only source of chance: numbered streams of one seed, the same on every machine.
//! Knows no game.

use rand::rngs::{ChaCha8Rng, SysRng};
use rand::{SeedableRng, TryRng};

/// The generator that everything random uses.
pub type Generator = ChaCha8Rng;

/// Stream of the engine that plays First.
pub const ENGINE_FIRST: u64 = 0;
/// Stream of the engine that plays Second.
pub const ENGINE_SECOND: u64 = 1;
/// Stream that draws openings.
pub const OPENINGS: u64 = 2;
/// Stream that draws who starts.
pub const WHO_STARTS: u64 = 3;

/// Stream of the adviser, so that advice changes nobody's moves.
pub const ADVICE: u64 = 4;

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
    ChaCha8Rng::from_seed(bytes)
}

/// A seed that nobody chose, from the operating system.
#[must_use]
pub fn fresh_seed() -> u64 {
    // Without entropy the games are predictable, which is better than no game.
    SysRng.try_next_u64().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt};

    #[test]
    fn the_streams_are_the_documented_ones() {
        let golden = [
            (0, 0, 0xe220_a839_7b1d_cdaf, [0x21e7_cdc9_5391_71ba, 0x0c5b_e415_e0d5_25a3]),
            (0, 1, 0x6e78_9e6a_a1b9_65f4, [0x719f_1fbf_a4fd_be80, 0xd7d3_07d7_0408_db07]),
            (1, 0, 0x910a_2dec_8902_5cc1, [0xe1df_6bdc_174d_86cc, 0xf99c_012b_1a9f_5bde]),
            (42, 7, 0xccf6_35ee_9e9e_2fa4, [0x49f5_bcee_d429_96d5, 0xa880_9c50_167b_1bfe]),
            (u64::MAX, u64::MAX, 0xb4d0_55fc_f2cb_bd7b, [0xc467_869f_39d6_7600, 0x00ee_a808_bd34_6d7c]),
        ];
        for (seed, number, mixed, first_two) in golden {
            assert_eq!(mix(seed, number), mixed);
            let mut generator = stream(seed, number);
            assert_eq!([generator.next_u64(), generator.next_u64()], first_two);
        }
        let mut seven = stream(42, 7);
        let draws: Vec<u32> = (0..8).map(|_| seven.random_range(0..100u32)).collect();
        assert_eq!(draws, [82, 28, 8, 65, 34, 26, 96, 12]);
    }
}
