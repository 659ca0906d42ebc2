//! What moving rays to other threads costs: the model that the verdicts of `rtc run --profile` and the prices of `-report reorder` share.
//!
//! Costs are *issues*: instructions that a wave issues, whatever number of its lanes is active. A wave that diverges issues the shaders of
//! all its lanes one after the other, so what reordering saves is counted in issues as well. The constants are those of a large GPU of
//! 2023: 132 processors that issue 4 instructions in each of 1.7e9 cycles a second, over 3.35e12 bytes of memory, make 3.7 bytes of memory
//! for an issue, and a second-level cache four times as much. They are rounded: the model tells factors, not per cents.

/// Bytes that go to or from memory in the time of an issue.
pub const MEMORY_BYTES: f64 = 4.0;
/// Bytes that go to or from caches in the time of an issue.
pub const CACHE_BYTES: f64 = 16.0;
/// Issues of a wave for a reordering by hardware, besides moving state.
pub const HARDWARE_ISSUES: f64 = 100.0;
/// Bytes of memory for a ray that is sorted: its key and its number, written by a stage, read and written by two passes of the sort, read by the next
/// stage.
pub const SORT_BYTES: f64 = 8.0 * 6.0;
/// Issues of a wave for the ends and starts of stages.
pub const STAGE_ISSUES: f64 = 60.0;

/// Issues of a wave of `width` rays for a reordering by hardware with so many bytes of live state: they are written and read in caches.
pub fn hardware(width: u32, live: u32) -> f64 {
    HARDWARE_ISSUES + f64::from(width) * 2.0 * f64::from(live) / CACHE_BYTES
}

/// Issues of a wave of `width` rays for a sort by the runtime (`-fspv-ser=wavefront`): live state is written and read in memory.
pub fn wavefront(width: u32, live: u32) -> f64 {
    STAGE_ISSUES + f64::from(width) * (SORT_BYTES + 2.0 * f64::from(live)) / MEMORY_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_costs_more_in_memory() {
        assert_eq!(hardware(32, 0), 100.0);
        assert_eq!(hardware(32, 64), 100.0 + 256.0);
        assert_eq!(wavefront(32, 0), 60.0 + 384.0);
        assert_eq!(wavefront(32, 64), 60.0 + 384.0 + 1024.0);
        assert!((1..400).all(|live| wavefront(32, live) > hardware(32, live)));
    }
}
