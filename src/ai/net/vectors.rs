//! Run-time dispatch to the SIMD instructions of the CPU. This module is independent of any layer.

#[cfg(target_arch = "x86_64")]
use archmage::{SimdToken, X64V3Token, X64V4Token, X64V4xToken, arcane};

use super::lanes8::{Int8SimdOps, PortableOps};

/// SIMD instruction sets, slowest first.
///
/// ```
/// use crosspath::ai::net::{ConvNet, SimdLevel};
/// let mut network = ConvNet::from_bytes(&std::fs::read("nets/hex.safetensors")?, "hex")?;
/// assert_eq!(network.simd_level(), SimdLevel::detect_best());
/// network.limit_simd_level(SimdLevel::Portable);
/// assert_eq!(network.simd_level(), SimdLevel::Portable);
/// assert!(SimdLevel::ALL.is_sorted(), "slowest first");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimdLevel {
    /// Baseline instructions of every CPU.
    Portable,
    /// AVX2: 256-bit vectors.
    Avx2,
    /// AVX-512: 512-bit vectors.
    Avx512,
    /// AVX-512 with VNNI, which multiplies and accumulates in one instruction.
    Avx512Vnni,
}

impl SimdLevel {
    /// All SIMD levels, slowest first.
    pub const ALL: [SimdLevel; 4] =
        [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512, SimdLevel::Avx512Vnni];

    /// Returns the fastest level that this CPU supports.
    #[must_use]
    pub fn detect_best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if X64V4xToken::summon().is_some() {
                return SimdLevel::Avx512Vnni;
            }
            if X64V4Token::summon().is_some() {
                return SimdLevel::Avx512;
            }
            if X64V3Token::summon().is_some() {
                return SimdLevel::Avx2;
            }
        }
        SimdLevel::Portable
    }

    /// Runs the work with this level, or with the best below it that the CPU supports.
    #[inline]
    pub(super) fn run_work(self, work: impl SimdWork) {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = X64V4xToken::summon().filter(|_| self >= SimdLevel::Avx512Vnni) {
                return run_with_avx512_vnni(token, work);
            }
            if let Some(token) = X64V4Token::summon().filter(|_| self >= SimdLevel::Avx512) {
                return run_with_avx512(token, work);
            }
            if let Some(token) = X64V3Token::summon().filter(|_| self >= SimdLevel::Avx2) {
                return run_with_avx2(token, work);
            }
        }
        work.run_with(PortableOps);
    }
}

/// Work that can run with any SIMD instruction set.
pub(super) trait SimdWork {
    /// Runs the work with the operations `lanes`.
    fn run_with<L: Int8SimdOps>(self, lanes: L);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn run_with_avx512_vnni(token: X64V4xToken, work: impl SimdWork) {
    work.run_with(token);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn run_with_avx512(token: X64V4Token, work: impl SimdWork) {
    work.run_with(token);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn run_with_avx2(token: X64V3Token, work: impl SimdWork) {
    work.run_with(token);
}

/// Dispatcher that runs plain loops with AVX2 if the CPU supports it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ai) struct Avx2Dispatcher {
    #[cfg(target_arch = "x86_64")]
    token: Option<X64V3Token>,
}

impl Avx2Dispatcher {
    /// Dispatcher that never uses AVX2.
    pub(super) const DISABLED: Avx2Dispatcher = Avx2Dispatcher {
        #[cfg(target_arch = "x86_64")]
        token: None,
    };

    /// Creates a dispatcher for this CPU. Vectors wider than those of AVX2 do not speed up short loops.
    pub(in crate::ai) fn detect() -> Self {
        Avx2Dispatcher {
            #[cfg(target_arch = "x86_64")]
            token: X64V3Token::summon(),
        }
    }

    /// Runs plain loops, compiled for AVX2 if available.
    #[inline]
    pub(in crate::ai) fn run_loops<L: VectorizableLoops>(self, loops: L) -> L::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.token {
            return run_loops_with_avx2(token, loops);
        }
        loops.run_inlined()
    }
}

/// Plain loops that the compiler vectorizes; `run_inlined` must be inlined.
pub(in crate::ai) trait VectorizableLoops {
    /// Result of the loops.
    type Output;

    /// Runs the loops.
    fn run_inlined(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn run_loops_with_avx2<L: VectorizableLoops>(_: X64V3Token, loops: L) -> L::Output {
    loops.run_inlined()
}
