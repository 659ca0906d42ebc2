//! A walk goes on in a function that is compiled twice: for every processor, and for those with AVX2, where the eight boxes of a node are
//! one vector. Both compute the same numbers: nothing is contracted or reordered.
//!
//! What makes it sound: the second is called where the processor was asked for AVX2.
#![allow(unsafe_code)]

use super::top::Top;
use super::walk::{Hit, Walk};

impl Walk {
    /// Goes on to the next candidate, if there is one.
    #[inline]
    pub fn next(&mut self, top: &Top) -> Option<Hit> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return unsafe { self.next_with_avx2(top) };
        }
        self.next_with_any(top)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn next_with_avx2(&mut self, top: &Top) -> Option<Hit> {
        self.go_on(top)
    }

    /// The other one, for tests too.
    pub(super) fn next_with_any(&mut self, top: &Top) -> Option<Hit> {
        self.go_on(top)
    }
}
