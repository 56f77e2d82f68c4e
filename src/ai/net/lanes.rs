//! Products of many numbers at once: the vector instructions that a processor has, under one face. Knows no layers.

// That of `pulp` reads through a pointer, which builds with debug assertions check each time: six times slower there.
#[cfg(target_arch = "x86_64")]
use bytemuck::must_cast as cast;
use pulp::NullaryFnOnce;
#[cfg(target_arch = "x86_64")]
use pulp::{
    i16x8, i16x16, i16x32, i32x4, i32x8, i32x16,
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
    /// AVX-512 with VNNI: 32 products at once, added in the same instruction.
    Avx512Vnni,
}

impl Vectors {
    /// All of them, the slowest first.
    pub const ALL: [Vectors; 4] = [Vectors::Portable, Vectors::Avx2, Vectors::Avx512, Vectors::Avx512Vnni];

    /// The fastest that this processor has.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if V4::try_new().is_some() {
                return if Vnni::is_available() { Vectors::Avx512Vnni } else { Vectors::Avx512 };
            }
            if V3::try_new().is_some() {
                return Vectors::Avx2;
            }
        }
        Vectors::Portable
    }

    /// Does some work with these instructions.
    #[inline]
    pub(super) fn run(self, work: impl Work) {
        #[cfg(target_arch = "x86_64")]
        {
            let v4 = V4::try_new().filter(|_| self >= Vectors::Avx512);
            let vnni = Vnni::try_new().filter(|_| self >= Vectors::Avx512Vnni);
            if let (Some(simd), Some(vnni)) = (v4, vnni) {
                return vnni.vectorize(On(simd, work));
            }
            if let Some(simd) = v4 {
                return simd.vectorize(On(simd, work));
            }
            if let Some(simd) = V3::try_new().filter(|_| self >= Vectors::Avx2) {
                return simd.vectorize(On(simd, work));
            }
            if let Some(simd) = V1::try_new() {
                return simd.vectorize(On(simd, work));
            }
        }
        On(Plain, work).call();
    }
}

/// Wide registers for plain loops, where the processor has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideLoops {
    #[cfg(target_arch = "x86_64")]
    simd: Option<V3>,
}

impl WideLoops {
    /// Those that every processor has.
    pub(super) const NONE: WideLoops = WideLoops {
        #[cfg(target_arch = "x86_64")]
        simd: None,
    };

    /// The widest that pay for short loops: AVX2.
    pub(super) fn best() -> Self {
        WideLoops {
            #[cfg(target_arch = "x86_64")]
            simd: V3::try_new(),
        }
    }

    /// Does some work with them.
    #[inline]
    pub(super) fn run<W: NullaryFnOnce>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = self.simd {
            return simd.vectorize(work);
        }
        work.call()
    }
}

/// What can be done with any instructions.
pub(super) trait Work {
    /// Does it with these.
    fn with<L: Lanes>(self, lanes: L);
}

/// Work with certain instructions.
struct On<L, W>(L, W);

impl<L: Lanes, W: Work> NullaryFnOnce for On<L, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.1.with(self.0);
    }
}

/// Sums of [`WIDTH`] outputs in a few vectors.
pub(super) trait Lanes: Copy {
    /// All sums of a cell.
    type Sums: Copy;
    /// How many cells of a row there are registers for; at most 6.
    const CELLS: usize;

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

#[cfg(target_arch = "x86_64")]
pulp::simd_type! {
    /// AVX-512 with an instruction that multiplies and adds to a sum; the compiler puts it in where it sees both.
    pub(super) struct Vnni {
        pub(super) avx512f: "avx512f",
        pub(super) avx512bw: "avx512bw",
        pub(super) avx512vl: "avx512vl",
        pub(super) avx512vnni: "avx512vnni",
    }
}

/// Implements [`Lanes`] by the instruction that multiplies neighbours and adds both products.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes {
    ($token:ty, $cells:literal, [$sums:ty; $count:literal], $weights:ty, $splat:ident, $products:ident, $part:ident.$add:ident) => {
        impl Lanes for $token {
            type Sums = [$sums; $count];
            const CELLS: usize = $cells;

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
    6,
    [i32x16; 2],
    i16x32,
    splat_i32x16,
    multiply_wrapping_add_adjacent_i16x32,
    avx512f._mm512_add_epi32
);
#[cfg(target_arch = "x86_64")]
lanes!(V3, 3, [i32x8; 4], i16x16, splat_i32x8, multiply_wrapping_add_adjacent_i16x16, avx2._mm256_add_epi32);
#[cfg(target_arch = "x86_64")]
lanes!(V1, 1, [i32x4; 8], i16x8, splat_i32x4, multiply_wrapping_add_adjacent_i16x8, sse2._mm_add_epi32);
