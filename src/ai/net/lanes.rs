//! Products of many numbers at once: the vector instructions that a processor has, under one face. Knows no layers.

#[cfg(target_arch = "x86_64")]
use pulp::{
    cast, i16x8, i16x16, i16x32, i32x4, i32x8, i32x16,
    x86::{V1, V3, V4},
};

/// Channels that are computed together.
pub(super) const WIDTH: usize = 32;

/// Weights of two inputs for [`WIDTH`] outputs, by turns.
pub(super) type Pair = [i16; 2 * WIDTH];

/// Instructions to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vectors {
    /// What every processor has.
    Portable,
    /// AVX2: 16 products at once.
    Avx2,
    /// AVX-512: 32 products at once.
    Avx512,
}

impl Vectors {
    /// All of them, the slowest first.
    pub const ALL: [Vectors; 3] = [Vectors::Portable, Vectors::Avx2, Vectors::Avx512];

    /// The fastest that this processor has.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if V4::try_new().is_some() {
                return Vectors::Avx512;
            }
            if V3::try_new().is_some() {
                return Vectors::Avx2;
            }
        }
        Vectors::Portable
    }
}

/// Sums of [`WIDTH`] outputs in a few vectors.
pub(super) trait Lanes: Copy {
    /// All sums of a cell.
    type Sums: Copy;

    /// Sums that begin with these numbers.
    fn begin(self, sums: &[i32; WIDTH]) -> Self::Sums;
    /// Adds the products of two inputs.
    fn add(self, sums: &mut Self::Sums, inputs: [i16; 2], weights: &Pair);
    /// The sums as numbers.
    fn end(self, sums: Self::Sums) -> [i32; WIDTH];
}

/// Plain loops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Lanes for Plain {
    type Sums = [i32; WIDTH];

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

/// Implements [`Lanes`] by the instruction that multiplies neighbours and adds both products.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($token:ty, [$sums:ty; $count:literal], $weights:ty, $splat:ident, $products:ident, $part:ident.$add:ident) => {
        impl Lanes for $token {
            type Sums = [$sums; $count];

            #[inline(always)]
            fn begin(self, sums: &[i32; WIDTH]) -> Self::Sums {
                cast(*sums)
            }

            #[inline(always)]
            fn add(self, sums: &mut Self::Sums, inputs: [i16; 2], weights: &Pair) {
                let inputs = cast(self.$splat(cast(inputs)));
                let weights: [$weights; $count] = cast(*weights);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = cast(self.$part.$add(cast(*sum), cast(self.$products(inputs, weights))));
                }
            }

            #[inline(always)]
            fn end(self, sums: Self::Sums) -> [i32; WIDTH] {
                cast(sums)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lanes!(
    V4,
    [i32x16; 2],
    i16x32,
    splat_i32x16,
    multiply_wrapping_add_adjacent_i16x32,
    avx512f._mm512_add_epi32
);
#[cfg(target_arch = "x86_64")]
lanes!(V3, [i32x8; 4], i16x16, splat_i32x8, multiply_wrapping_add_adjacent_i16x16, avx2._mm256_add_epi32);
#[cfg(target_arch = "x86_64")]
lanes!(V1, [i32x4; 8], i16x8, splat_i32x4, multiply_wrapping_add_adjacent_i16x8, sse2._mm_add_epi32);
