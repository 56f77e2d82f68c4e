//! Products of many 16-bit numbers at once: the vector instructions that a processor has, under one face. Knows no layers.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, __m256i, __m512i};

#[cfg(target_arch = "x86_64")]
use archmage::{X64V1Token, X64V3Token, X64V4Token, X64V4xToken, arcane};
// A load through a pointer is checked in builds with debug assertions: six times slower there.
#[cfg(target_arch = "x86_64")]
use bytemuck::must_cast as cast;

use super::vectors::Plain;

/// Channels that are computed together.
pub(super) const WIDTH: usize = 32;

/// Weights of two inputs for [`WIDTH`] outputs, by turns.
pub(super) type Pair = [i16; 2 * WIDTH];

/// Sums of [`WIDTH`] outputs in a few vectors.
pub(super) trait Lanes16: Copy {
    /// All sums of a cell.
    type Sums: Copy;
    /// The number of cells of a row for which there are registers, at most 6.
    const CELLS: usize;

    /// Sums that begin with these numbers.
    fn begin(self, sums: &[i32; WIDTH]) -> Self::Sums;
    /// Adds the products of two inputs.
    fn add(self, sums: &mut Self::Sums, inputs: [i16; 2], weights: &Pair);
    /// The sums as numbers.
    fn end(self, sums: Self::Sums) -> [i32; WIDTH];
}

impl Lanes16 for Plain {
    type Sums = [i32; WIDTH];
    const CELLS: usize = 1;

    #[inline(always)]
    fn begin(self, sums: &[i32; WIDTH]) -> [i32; WIDTH] {
        *sums
    }

    #[inline(always)]
    fn add(self, sums: &mut [i32; WIDTH], inputs: [i16; 2], weights: &Pair) {
        let [one, other] = inputs.map(i32::from);
        for (place, sum) in sums.iter_mut().enumerate() {
            let products = one * i32::from(weights[2 * place]) + other * i32::from(weights[2 * place + 1]);
            *sum = sum.wrapping_add(products);
        }
    }

    #[inline(always)]
    fn end(self, sums: [i32; WIDTH]) -> [i32; WIDTH] {
        sums
    }
}

/// Implements [`Lanes16`] with the instruction that multiplies neighbours and adds both products.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($token:ident, $cells:literal, [$vector:ident; $count:literal], $splat:ident, |$sum:ident, $inputs:ident, $weights:ident| $next:expr) => {
        impl Lanes16 for $token {
            type Sums = [$vector; $count];
            const CELLS: usize = $cells;

            #[inline(always)]
            fn begin(self, sums: &[i32; WIDTH]) -> Self::Sums {
                cast(*sums)
            }

            #[inline(always)]
            fn add(self, sums: &mut Self::Sums, inputs: [i16; 2], weights: &Pair) {
                #[arcane(import_intrinsics)]
                fn add(_: $token, sums: &mut [$vector; $count], inputs: i32, weights: [$vector; $count]) {
                    let $inputs = $splat(inputs);
                    for (sum, $weights) in sums.iter_mut().zip(weights) {
                        let $sum = *sum;
                        *sum = $next;
                    }
                }
                add(self, sums, cast(inputs), cast(*weights));
            }

            #[inline(always)]
            fn end(self, sums: Self::Sums) -> [i32; WIDTH] {
                cast(sums)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lanes!(X64V4xToken, 6, [__m512i; 2], _mm512_set1_epi32, |sum, inputs, weights| _mm512_dpwssd_epi32(
    sum, inputs, weights
));
#[cfg(target_arch = "x86_64")]
lanes!(X64V4Token, 6, [__m512i; 2], _mm512_set1_epi32, |sum, inputs, weights| _mm512_add_epi32(
    sum,
    _mm512_madd_epi16(inputs, weights)
));
#[cfg(target_arch = "x86_64")]
lanes!(X64V3Token, 3, [__m256i; 4], _mm256_set1_epi32, |sum, inputs, weights| _mm256_add_epi32(
    sum,
    _mm256_madd_epi16(inputs, weights)
));
#[cfg(target_arch = "x86_64")]
lanes!(X64V1Token, 1, [__m128i; 8], _mm_set1_epi32, |sum, inputs, weights| _mm_add_epi32(
    sum,
    _mm_madd_epi16(inputs, weights)
));
