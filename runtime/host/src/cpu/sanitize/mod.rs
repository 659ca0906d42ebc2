//! The sanitizer: reports undefined behaviour of shaders with shader, source line and thread.
//!
//! It does not change what shaders compute. Each finding is reported once per call site, with the smallest thread that triggers
//! it and the number of occurrences.

pub mod hook;
pub mod indices;
pub mod payload;
mod report;
pub mod shadow;

pub use report::describe;

use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// The findings, by call site and kind.
#[derive(Default)]
pub struct Sanitizer {
    found: Mutex<FxHashMap<(u32, usize, &'static str), Finding>>,
}

/// A finding at a call site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of finding, for filtering.
    pub kind: &'static str,
    /// The call site, as an index into the program's sites.
    pub site: u32,
    /// The shader.
    pub shader: usize,
    /// The smallest thread that triggers it.
    pub index: [u32; 3],
    /// The message for that thread.
    pub message: String,
    /// Number of occurrences.
    pub times: u64,
}

impl Sanitizer {
    /// Records a finding.
    pub fn note(&self, kind: &'static str, site: u32, shader: usize, index: [u32; 3], message: impl FnOnce() -> String) {
        let mut found = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let order = |i: [u32; 3]| [i[2], i[1], i[0]];
        match found.get_mut(&(site, shader, kind)) {
            None => {
                let finding = Finding { kind, site, shader, index, message: message(), times: 1 };
                found.insert((site, shader, kind), finding);
            }
            Some(known) => {
                known.times += 1;
                if order(index) < order(known.index) {
                    (known.index, known.message) = (index, message());
                }
            }
        }
    }

    /// Removes and returns all findings, by shader and call site.
    pub fn take(&self) -> Vec<Finding> {
        let mut found = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut all: Vec<Finding> = found.drain().map(|f| f.1).collect();
        all.sort_by_key(|f| (f.shader, f.site, f.kind));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_thread_is_reported_and_all_are_counted() {
        let s = Sanitizer::default();
        s.note("bounds", 3, 0, [5, 1, 0], || "far".into());
        s.note("bounds", 3, 0, [9, 0, 0], || "near".into());
        s.note("bounds", 4, 0, [0; 3], || "other".into());
        let all = s.take();
        assert_eq!((all.len(), all[0].times, all[0].index, all[0].message.as_str()), (2, 2, [9, 0, 0], "near"));
        assert!(s.take().is_empty());
    }
}
