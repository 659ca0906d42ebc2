//! Function multiversioning of BVH traversal: one version for every x86-64 processor and one for AVX2 ([`super::lanes`]).
//!
//! Soundness: the AVX2 version is called only after the processor has reported AVX2.
#![allow(unsafe_code)]

use super::hit::Hit;
#[cfg(target_arch = "x86_64")]
use super::lanes::Avx2;
use super::lanes::Baseline;
use super::top::Top;
use super::traversal::Traversal;

impl Traversal {
    /// Advances to the next candidate, if there is one.
    #[inline]
    pub fn next(&mut self, top: &Top) -> Option<Hit> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.next_with_avx2(top) };
        }
        self.next_baseline(top)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn next_with_avx2(&mut self, top: &Top) -> Option<Hit> {
        // SAFETY: callers have checked that the processor has AVX2.
        self.advance(top, unsafe { Avx2::new() })
    }

    /// The baseline version, also for tests.
    pub(super) fn next_baseline(&mut self, top: &Top) -> Option<Hit> {
        self.advance(top, Baseline)
    }
}
