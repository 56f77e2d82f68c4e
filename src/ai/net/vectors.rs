//! Dispatch at run time to the vector instructions that a processor has. Knows no layers.

#[cfg(target_arch = "x86_64")]
use archmage::{SimdToken, X64V3Token, X64V4Token, X64V4xToken, arcane};

use super::lanes8::{Lanes8, Plain};

/// Instructions to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vectors {
    /// Baseline instructions of every processor.
    Portable,
    /// AVX2: vectors of 256 bits.
    Avx2,
    /// AVX-512: vectors of 512 bits.
    Avx512,
    /// AVX-512 with VNNI, which adds products to sums in one instruction.
    Avx512Vnni,
}

impl Vectors {
    /// All of them, the slowest first.
    pub const ALL: [Vectors; 4] = [Vectors::Portable, Vectors::Avx2, Vectors::Avx512, Vectors::Avx512Vnni];

    /// Returns the fastest that this processor has.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if X64V4xToken::summon().is_some() {
                return Vectors::Avx512Vnni;
            }
            if X64V4Token::summon().is_some() {
                return Vectors::Avx512;
            }
            if X64V3Token::summon().is_some() {
                return Vectors::Avx2;
            }
        }
        Vectors::Portable
    }

    /// Runs the work with these instructions, or with the best below them that the CPU has.
    #[inline]
    pub(super) fn run(self, work: impl Work) {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = X64V4xToken::summon().filter(|_| self >= Vectors::Avx512Vnni) {
                return with_avx512_vnni(token, work);
            }
            if let Some(token) = X64V4Token::summon().filter(|_| self >= Vectors::Avx512) {
                return with_avx512(token, work);
            }
            if let Some(token) = X64V3Token::summon().filter(|_| self >= Vectors::Avx2) {
                return with_avx2(token, work);
            }
        }
        work.with(Plain);
    }
}

/// Work that can be done with any instructions.
pub(super) trait Work {
    /// Runs the work with these instructions.
    fn with<L: Lanes8>(self, lanes: L);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn with_avx512_vnni(token: X64V4xToken, work: impl Work) {
    work.with(token);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn with_avx512(token: X64V4Token, work: impl Work) {
    work.with(token);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn with_avx2(token: X64V3Token, work: impl Work) {
    work.with(token);
}

/// Wide registers for plain loops, where the processor has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideLoops {
    #[cfg(target_arch = "x86_64")]
    token: Option<X64V3Token>,
}

impl WideLoops {
    /// The registers that every processor has.
    pub(super) const NONE: WideLoops = WideLoops {
        #[cfg(target_arch = "x86_64")]
        token: None,
    };

    /// Returns the widest that pay for short loops: those of AVX2.
    pub(super) fn best() -> Self {
        WideLoops {
            #[cfg(target_arch = "x86_64")]
            token: X64V3Token::summon(),
        }
    }

    /// Runs plain loops with them.
    #[inline]
    pub(super) fn run<L: Loops>(self, loops: L) -> L::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.token {
            return loops_with_avx2(token, loops);
        }
        loops.run()
    }
}

/// Plain loops that the compiler makes into vectors; `run` must be inlined.
pub(super) trait Loops {
    /// The result.
    type Output;

    /// Runs them.
    fn run(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn loops_with_avx2<L: Loops>(_: X64V3Token, loops: L) -> L::Output {
    loops.run()
}
