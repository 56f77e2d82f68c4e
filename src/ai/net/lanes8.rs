//! Products of 8-bit numbers, many at once: one trait for the vector instructions that a processor has. Knows no layers.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, __m256i, __m512i};

#[cfg(target_arch = "x86_64")]
use archmage::{X64V3Token, X64V4Token, X64V4xToken, arcane};
// A load through a pointer is checked in builds with debug assertions: six times slower there.
use bytemuck::must_cast as cast;

/// Outputs in a tile of weights.
pub(super) const OUTPUTS: usize = 16;
/// Inputs in a tile of weights.
pub(super) const INPUTS: usize = 4;

/// Weights of four inputs for sixteen outputs, output by output: one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Tile(pub(super) [i8; OUTPUTS * INPUTS]);

/// Sums of [`OUTPUTS`] outputs in one or a few vectors. No weight may pass 63, so that AVX2 can add two products in 16 bits.
pub(super) trait Lanes8: Copy {
    /// The sums of one cell.
    type Sums: Copy;
    /// The number of cells of a row that are computed together, at most 4.
    const CELLS: usize;
    /// The number of tiles that are computed together, at most 4.
    const TILES: usize;

    /// Returns sums that begin with these numbers.
    fn begin(self, sums: &[i32; OUTPUTS]) -> Self::Sums;
    /// Adds the products of four inputs and their weights.
    fn add(self, sums: &mut Self::Sums, inputs: [u8; INPUTS], weights: &Tile);
    /// Adds activations, shifted left by `bits`.
    fn add_skip(self, sums: &mut Self::Sums, skip: [u8; OUTPUTS], bits: u32);
    /// Returns the sums, shifted right by `bits` and clamped to 0..=255.
    fn end(self, sums: Self::Sums, bits: u32) -> [u8; OUTPUTS];
}

/// Plain loops, for processors without known vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

/// Sums in plain loops, two for each output: the compiler vectorizes products that stay where they are.
type PlainSums = [i32; 2 * OUTPUTS];

/// Adds products of pairs of weights and their inputs, lane by lane.
#[inline(always)]
fn add_pairs(
    sums: &mut PlainSums,
    pairs: &[i16; 2 * OUTPUTS],
    low: &[i16; 2 * OUTPUTS],
    high: &[i16; 2 * OUTPUTS],
) {
    for lane in 0..2 * OUTPUTS {
        let pair = i16::from_le(pairs[lane]);
        let products = (pair << 8 >> 8).wrapping_mul(low[lane]);
        let products = products.wrapping_add((pair >> 8).wrapping_mul(high[lane]));
        sums[lane] = sums[lane].wrapping_add(products.into());
    }
}

/// Implements [`Lanes8`] with plain loops.
macro_rules! plain_lanes {
    ($token:ident) => {
        impl Lanes8 for $token {
            type Sums = PlainSums;
            const CELLS: usize = 1;
            const TILES: usize = 1;

            #[inline(always)]
            fn begin(self, sums: &[i32; OUTPUTS]) -> PlainSums {
                std::array::from_fn(|place| if place % 2 == 0 { sums[place / 2] } else { 0 })
            }

            #[inline(always)]
            fn add(self, sums: &mut PlainSums, inputs: [u8; INPUTS], weights: &Tile) {
                // In lanes of 16 bits: a lane holds two weights, and both products fit.
                let pairs: [i16; 2 * OUTPUTS] = cast(weights.0);
                let [first, second, third, fourth] = inputs.map(i16::from);
                let low = std::array::from_fn(|lane| if lane % 2 == 0 { first } else { third });
                let high = std::array::from_fn(|lane| if lane % 2 == 0 { second } else { fourth });
                add_pairs(sums, &pairs, &low, &high);
            }

            #[inline(always)]
            fn add_skip(self, sums: &mut PlainSums, skip: [u8; OUTPUTS], bits: u32) {
                for (pair, skip) in sums.as_chunks_mut::<2>().0.iter_mut().zip(skip) {
                    pair[0] = pair[0].wrapping_add(i32::from(skip) << bits);
                }
            }

            #[inline(always)]
            fn end(self, sums: PlainSums, bits: u32) -> [u8; OUTPUTS] {
                std::array::from_fn(|place| {
                    let sum = sums[2 * place].wrapping_add(sums[2 * place + 1]);
                    u8::try_from((sum >> bits).clamp(0, 255)).expect("at most 255")
                })
            }
        }
    };
}

plain_lanes!(Plain);

/// Implements [`Lanes8`] with vectors of 512 bits, given how products are added.
#[cfg(target_arch = "x86_64")]
macro_rules! wide_lanes {
    ($token:ident, |$sum:ident, $inputs:ident, $weights:ident| $next:expr) => {
        impl Lanes8 for $token {
            type Sums = __m512i;
            const CELLS: usize = 4;
            const TILES: usize = 4;

            #[inline(always)]
            fn begin(self, sums: &[i32; OUTPUTS]) -> __m512i {
                cast(*sums)
            }

            #[inline(always)]
            fn add(self, sums: &mut __m512i, inputs: [u8; INPUTS], weights: &Tile) {
                #[arcane(import_intrinsics)]
                fn add(_: $token, $sum: __m512i, inputs: i32, $weights: __m512i) -> __m512i {
                    let $inputs = _mm512_set1_epi32(inputs);
                    $next
                }
                *sums = add(self, *sums, cast(inputs), cast(weights.0));
            }

            #[inline(always)]
            fn add_skip(self, sums: &mut __m512i, skip: [u8; OUTPUTS], bits: u32) {
                #[arcane(import_intrinsics)]
                fn add(_: $token, sums: __m512i, skip: __m128i, bits: u32) -> __m512i {
                    let count = _mm_cvtsi32_si128(bits.cast_signed());
                    _mm512_add_epi32(sums, _mm512_sll_epi32(_mm512_cvtepu8_epi32(skip), count))
                }
                *sums = add(self, *sums, cast(skip), bits);
            }

            #[inline(always)]
            fn end(self, sums: __m512i, bits: u32) -> [u8; OUTPUTS] {
                #[arcane(import_intrinsics)]
                fn end(_: $token, sums: __m512i, bits: u32) -> __m128i {
                    let steps = _mm512_sra_epi32(sums, _mm_cvtsi32_si128(bits.cast_signed()));
                    _mm512_cvtusepi32_epi8(_mm512_max_epi32(steps, _mm512_setzero_si512()))
                }
                cast(end(self, sums, bits))
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
impl Lanes8 for X64V3Token {
    type Sums = [__m256i; 2];
    const CELLS: usize = 2;
    const TILES: usize = 2;

    #[inline(always)]
    fn begin(self, sums: &[i32; OUTPUTS]) -> Self::Sums {
        cast(*sums)
    }

    #[inline(always)]
    fn add(self, sums: &mut Self::Sums, inputs: [u8; INPUTS], weights: &Tile) {
        #[arcane(import_intrinsics)]
        fn add(_: X64V3Token, sums: &mut [__m256i; 2], inputs: i32, weights: [__m256i; 2]) {
            let inputs = _mm256_set1_epi32(inputs);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let pairs = _mm256_maddubs_epi16(inputs, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
            }
        }
        add(self, sums, cast(inputs), cast(weights.0));
    }

    #[inline(always)]
    fn add_skip(self, sums: &mut Self::Sums, skip: [u8; OUTPUTS], bits: u32) {
        #[arcane(import_intrinsics)]
        fn add(_: X64V3Token, sums: &mut [__m256i; 2], skip: __m128i, bits: u32) {
            let count = _mm_cvtsi32_si128(bits.cast_signed());
            let halves = [skip, _mm_srli_si128::<8>(skip)];
            for (sum, half) in sums.iter_mut().zip(halves) {
                *sum = _mm256_add_epi32(*sum, _mm256_sll_epi32(_mm256_cvtepu8_epi32(half), count));
            }
        }
        add(self, sums, cast(skip), bits);
    }

    #[inline(always)]
    fn end(self, sums: Self::Sums, bits: u32) -> [u8; OUTPUTS] {
        #[arcane(import_intrinsics)]
        fn end(_: X64V3Token, [one, other]: [__m256i; 2], bits: u32) -> __m128i {
            let count = _mm_cvtsi32_si128(bits.cast_signed());
            let packed = _mm256_packs_epi32(_mm256_sra_epi32(one, count), _mm256_sra_epi32(other, count));
            // Packing works within halves of 128 bits: quarters 0 and 2 belong to `one`.
            let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            _mm_packus_epi16(_mm256_castsi256_si128(ordered), _mm256_extracti128_si256::<1>(ordered))
        }
        cast(end(self, sums, bits))
    }
}
