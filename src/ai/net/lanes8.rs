//! Dot products of 8-bit integers: one trait with an implementation for each SIMD instruction set. This
//! module is independent of any layer.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, __m256i, __m512i};

#[cfg(target_arch = "x86_64")]
use archmage::{X64V3Token, X64V4Token, X64V4xToken, arcane};
// Loading through a pointer is checked in builds with debug assertions, and six times slower there.
use bytemuck::must_cast as cast;

/// Number of outputs of a weight tile.
pub(super) const TILE_OUTPUTS: usize = 16;
/// Number of inputs of a weight tile.
pub(super) const TILE_INPUTS: usize = 4;

/// Weights of four inputs for sixteen outputs, output by output; fills one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct WeightTile(pub(super) [i8; TILE_OUTPUTS * TILE_INPUTS]);

/// SIMD operations on the sums of [`TILE_OUTPUTS`] outputs. Weights must not exceed 63, so that AVX2 can
/// add two products in 16 bits.
pub(super) trait Int8SimdOps: Copy {
    /// Sums of one cell, in one or more vectors.
    type Sums: Copy;
    /// Number of cells of a row that are computed together, at most 4.
    const CELLS_AT_ONCE: usize;
    /// Number of tiles that are computed together, at most 4.
    const TILES_AT_ONCE: usize;

    /// Loads initial sums, such as biases.
    fn load_sums(self, sums: &[i32; TILE_OUTPUTS]) -> Self::Sums;
    /// Adds the products of four inputs and their weights to the sums.
    fn add_products(self, sums: &mut Self::Sums, inputs: [u8; TILE_INPUTS], weights: &WeightTile);
    /// Adds the activations of a skip connection, shifted left by `bits`, to the sums.
    fn add_skip(self, sums: &mut Self::Sums, skip: [u8; TILE_OUTPUTS], bits: u32);
    /// Shifts the sums right by `bits` and clamps them to 0..=255.
    fn shift_and_clamp(self, sums: Self::Sums, bits: u32) -> [u8; TILE_OUTPUTS];
}

/// Portable implementation in plain loops, for CPUs without a supported instruction set.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortableOps;

/// Sums of the portable implementation, two per output, so that the compiler can vectorize the loops.
type PortableSums = [i32; 2 * TILE_OUTPUTS];

/// Adds the products of pairs of weights and inputs to the sums, lane by lane.
#[inline(always)]
fn add_pair_products(
    sums: &mut PortableSums,
    pairs: &[i16; 2 * TILE_OUTPUTS],
    low: &[i16; 2 * TILE_OUTPUTS],
    high: &[i16; 2 * TILE_OUTPUTS],
) {
    for lane in 0..2 * TILE_OUTPUTS {
        let pair = i16::from_le(pairs[lane]);
        let products = (pair << 8 >> 8).wrapping_mul(low[lane]);
        let products = products.wrapping_add((pair >> 8).wrapping_mul(high[lane]));
        sums[lane] = sums[lane].wrapping_add(products.into());
    }
}

/// Implements [`Int8SimdOps`] with plain loops.
macro_rules! plain_lanes {
    ($token:ident) => {
        impl Int8SimdOps for $token {
            type Sums = PortableSums;
            const CELLS_AT_ONCE: usize = 1;
            const TILES_AT_ONCE: usize = 1;

            #[inline(always)]
            fn load_sums(self, sums: &[i32; TILE_OUTPUTS]) -> PortableSums {
                std::array::from_fn(|place| if place % 2 == 0 { sums[place / 2] } else { 0 })
            }

            #[inline(always)]
            fn add_products(self, sums: &mut PortableSums, inputs: [u8; TILE_INPUTS], weights: &WeightTile) {
                // Each 16-bit lane holds two 8-bit weights, and the sum of both products fits.
                let pairs: [i16; 2 * TILE_OUTPUTS] = cast(weights.0);
                let [first, second, third, fourth] = inputs.map(i16::from);
                let low = std::array::from_fn(|lane| if lane % 2 == 0 { first } else { third });
                let high = std::array::from_fn(|lane| if lane % 2 == 0 { second } else { fourth });
                add_pair_products(sums, &pairs, &low, &high);
            }

            #[inline(always)]
            fn add_skip(self, sums: &mut PortableSums, skip: [u8; TILE_OUTPUTS], bits: u32) {
                for (pair, skip) in sums.as_chunks_mut::<2>().0.iter_mut().zip(skip) {
                    pair[0] = pair[0].wrapping_add(i32::from(skip) << bits);
                }
            }

            #[inline(always)]
            fn shift_and_clamp(self, sums: PortableSums, bits: u32) -> [u8; TILE_OUTPUTS] {
                std::array::from_fn(|place| {
                    let sum = sums[2 * place].wrapping_add(sums[2 * place + 1]);
                    u8::try_from((sum >> bits).clamp(0, 255)).expect("at most 255")
                })
            }
        }
    };
}

plain_lanes!(PortableOps);

/// Implements [`Int8SimdOps`] with 512-bit vectors, given an expression that adds products.
#[cfg(target_arch = "x86_64")]
macro_rules! wide_lanes {
    ($token:ident, |$sum:ident, $inputs:ident, $weights:ident| $next:expr) => {
        impl Int8SimdOps for $token {
            type Sums = __m512i;
            const CELLS_AT_ONCE: usize = 4;
            const TILES_AT_ONCE: usize = 4;

            #[inline(always)]
            fn load_sums(self, sums: &[i32; TILE_OUTPUTS]) -> __m512i {
                cast(*sums)
            }

            #[inline(always)]
            fn add_products(self, sums: &mut __m512i, inputs: [u8; TILE_INPUTS], weights: &WeightTile) {
                #[arcane(import_intrinsics)]
                fn add_vectors(_: $token, $sum: __m512i, inputs: i32, $weights: __m512i) -> __m512i {
                    let $inputs = _mm512_set1_epi32(inputs);
                    $next
                }
                *sums = add_vectors(self, *sums, cast(inputs), cast(weights.0));
            }

            #[inline(always)]
            fn add_skip(self, sums: &mut __m512i, skip: [u8; TILE_OUTPUTS], bits: u32) {
                #[arcane(import_intrinsics)]
                fn add_vectors(_: $token, sums: __m512i, skip: __m128i, bits: u32) -> __m512i {
                    let count = _mm_cvtsi32_si128(bits.cast_signed());
                    _mm512_add_epi32(sums, _mm512_sll_epi32(_mm512_cvtepu8_epi32(skip), count))
                }
                *sums = add_vectors(self, *sums, cast(skip), bits);
            }

            #[inline(always)]
            fn shift_and_clamp(self, sums: __m512i, bits: u32) -> [u8; TILE_OUTPUTS] {
                #[arcane(import_intrinsics)]
                fn finish_vectors(_: $token, sums: __m512i, bits: u32) -> __m128i {
                    let steps = _mm512_sra_epi32(sums, _mm_cvtsi32_si128(bits.cast_signed()));
                    _mm512_cvtusepi32_epi8(_mm512_max_epi32(steps, _mm512_setzero_si512()))
                }
                cast(finish_vectors(self, sums, bits))
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
wide_lanes!(X64V4xToken, |sum, inputs, weights| _mm512_dpbusd_epi32(sum, inputs, weights));
#[cfg(target_arch = "x86_64")]
wide_lanes!(X64V4Token, |sum, inputs, weights| {
    let pairs = _mm512_maddubs_epi16(inputs, weights);
    _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
});

#[cfg(target_arch = "x86_64")]
impl Int8SimdOps for X64V3Token {
    type Sums = [__m256i; 2];
    const CELLS_AT_ONCE: usize = 2;
    const TILES_AT_ONCE: usize = 2;

    #[inline(always)]
    fn load_sums(self, sums: &[i32; TILE_OUTPUTS]) -> Self::Sums {
        cast(*sums)
    }

    #[inline(always)]
    fn add_products(self, sums: &mut Self::Sums, inputs: [u8; TILE_INPUTS], weights: &WeightTile) {
        #[arcane(import_intrinsics)]
        fn add_vectors(_: X64V3Token, sums: &mut [__m256i; 2], inputs: i32, weights: [__m256i; 2]) {
            let inputs = _mm256_set1_epi32(inputs);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let pairs = _mm256_maddubs_epi16(inputs, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
            }
        }
        add_vectors(self, sums, cast(inputs), cast(weights.0));
    }

    #[inline(always)]
    fn add_skip(self, sums: &mut Self::Sums, skip: [u8; TILE_OUTPUTS], bits: u32) {
        #[arcane(import_intrinsics)]
        fn add_vectors(_: X64V3Token, sums: &mut [__m256i; 2], skip: __m128i, bits: u32) {
            let count = _mm_cvtsi32_si128(bits.cast_signed());
            let halves = [skip, _mm_srli_si128::<8>(skip)];
            for (sum, half) in sums.iter_mut().zip(halves) {
                *sum = _mm256_add_epi32(*sum, _mm256_sll_epi32(_mm256_cvtepu8_epi32(half), count));
            }
        }
        add_vectors(self, sums, cast(skip), bits);
    }

    #[inline(always)]
    fn shift_and_clamp(self, sums: Self::Sums, bits: u32) -> [u8; TILE_OUTPUTS] {
        #[arcane(import_intrinsics)]
        fn finish_vectors(_: X64V3Token, [one, other]: [__m256i; 2], bits: u32) -> __m128i {
            let count = _mm_cvtsi32_si128(bits.cast_signed());
            let packed = _mm256_packs_epi32(_mm256_sra_epi32(one, count), _mm256_sra_epi32(other, count));
            // Packing works within 128-bit halves: quarters 0 and 2 belong to `one`.
            let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            _mm_packus_epi16(_mm256_castsi256_si128(ordered), _mm256_extracti128_si256::<1>(ordered))
        }
        cast(finish_vectors(self, sums, bits))
    }
}
