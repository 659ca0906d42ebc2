//! Shadow memory: which bytes of a thread's memory are poisoned because they are uninitialised or unreadable payload fields.
//!
//! The granularity is 16 bits, the size of the smallest scalar.
use rustc_hash::FxHashMap;

/// The symbol of [`super::hook::watch`] in compiled code.
pub const WATCH: &str = "rtc.watch";

/// Operations of compiled code on shadow memory and taints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ShadowOp {
    /// A variable is allocated.
    Fresh,
    /// Memory is loaded: returns the taint of the loaded value.
    Read,
    /// A value with a taint is stored.
    Stored,
    /// A value with a taint is used.
    Used,
}

impl ShadowOp {
    /// Packed with size and call site into one number.
    pub fn pack(self, size: u64, site: u32) -> u64 {
        self as u64 | size.min(0xFF_FFFF) << 8 | u64::from(site) << 32
    }
}

/// Why memory has no defined value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Poison {
    /// It is uninitialised.
    Unwritten = 1,
    /// It is part of a payload field that the current stage does not read, by its qualifiers.
    NotReadable = 2,
    /// It is part of a payload field whose last writer is not qualified to write it.
    NotWritable = 4,
    /// It is part of a payload field that the caller does not read, by its qualifiers.
    NotForCaller = 8,
}

impl Poison {
    /// The first reason in a taint; taints of several operands are combined. `None`: the value is defined.
    pub fn of_taint(taint: u64) -> Option<Poison> {
        let all = [Poison::Unwritten, Poison::NotReadable, Poison::NotWritable, Poison::NotForCaller];
        all.into_iter().find(|&u| taint & u as u64 != 0)
    }
    /// Kind of finding and message.
    pub fn finding(self) -> (&'static str, &'static str) {
        match self {
            Poison::Unwritten => ("uninitialised", "uses uninitialised memory"),
            Poison::NotReadable => ("payload", "uses a payload field that its qualifiers do not let this stage read"),
            Poison::NotWritable => {
                ("payload", "uses a payload field that was last written by a stage that its qualifiers do not let write it")
            }
            Poison::NotForCaller => ("payload", "uses a payload field that its qualifiers do not return to the caller"),
        }
    }
}

/// Bytes per granule.
const GRANULE: usize = 2;

/// The poisoned granules of a thread's memory.
#[derive(Default)]
pub struct Shadow {
    granules: FxHashMap<usize, Poison>,
}

fn granules(at: usize, size: u64) -> std::ops::Range<usize> {
    at / GRANULE..(at + size as usize).div_ceil(GRANULE)
}

impl Shadow {
    /// Poisons memory.
    pub fn poison(&mut self, at: usize, size: u64, why: Poison) {
        for w in granules(at, size) {
            self.granules.insert(w, why);
        }
    }
    /// Unpoisons memory.
    pub fn unpoison(&mut self, at: usize, size: u64) {
        for w in granules(at, size) {
            self.granules.remove(&w);
        }
    }
    /// Why memory is poisoned, if it is.
    pub fn poison_of(&self, at: usize, size: u64) -> Option<Poison> {
        granules(at, size).find_map(|w| self.granules.get(&w).copied())
    }
    /// The state of memory, for [`Shadow::restore`].
    pub fn save(&self, at: usize, size: u64) -> Vec<Option<Poison>> {
        granules(at, size).map(|w| self.granules.get(&w).copied()).collect()
    }
    /// Restores a saved state.
    pub fn restore(&mut self, at: usize, saved: &[Option<Poison>]) {
        for (n, why) in saved.iter().enumerate() {
            match why {
                Some(why) => drop(self.granules.insert(at / GRANULE + n, *why)),
                None => drop(self.granules.remove(&(at / GRANULE + n))),
            }
        }
    }
    /// Unpoisons everything, for a new thread.
    pub fn clear(&mut self) {
        self.granules.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn granules_are_poisoned_saved_and_restored() {
        let mut s = Shadow::default();
        s.poison(1000, 16, Poison::Unwritten);
        s.unpoison(1004, 4);
        assert_eq!((s.poison_of(1000, 4), s.poison_of(1004, 4)), (Some(Poison::Unwritten), None));
        let saved = s.save(1000, 16);
        s.unpoison(1000, 16);
        assert_eq!(s.poison_of(1000, 16), None);
        s.restore(1000, &saved);
        assert_eq!((s.poison_of(1004, 4), s.poison_of(1008, 8)), (None, Some(Poison::Unwritten)));
        // Two 16-bit numbers in one word.
        s.poison(2000, 2, Poison::NotForCaller);
        assert_eq!((s.poison_of(2000, 2), s.poison_of(2002, 2)), (Some(Poison::NotForCaller), None));
    }
}
