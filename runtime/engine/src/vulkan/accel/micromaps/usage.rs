//! How many micromaps there are of each level and format: D3D12's histogram of an array.

use super::super::vk;
use crate::error::{Error, ErrorKind, Result};

/// The finest level: 4¹² micro-triangles.
pub const MAX_LEVEL: u32 = 12;
/// `D3D12_RAYTRACING_OPACITY_MICROMAP_FORMAT_OC1_2_STATE`.
pub const TWO_STATES: u32 = 1;
/// `D3D12_RAYTRACING_OPACITY_MICROMAP_FORMAT_OC1_4_STATE`.
pub const FOUR_STATES: u32 = 2;

/// Counts of micromaps: `D3D12_RAYTRACING_OPACITY_MICROMAP_HISTOGRAM_ENTRY`s.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MicromapUsage {
    /// By format, then by level.
    counts: [[u32; MAX_LEVEL as usize + 1]; 2],
}

impl MicromapUsage {
    /// Adds micromaps of a level and a format ([`TWO_STATES`], [`FOUR_STATES`]).
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: there is no such level or format, or there are more than 2³² of them.
    pub fn add(&mut self, level: u32, format: u32, count: u32) -> Result<()> {
        let wrong = |why: String| Error::new(ErrorKind::Binding, why);
        if !matches!(format, TWO_STATES | FOUR_STATES) {
            return Err(wrong(format!("micromaps of unknown format {format}")));
        }
        let Some(n) = self.counts[format as usize - 1].get_mut(level as usize) else {
            return Err(wrong(format!("micromaps of level {level}, the finest is {MAX_LEVEL}")));
        };
        *n = n.checked_add(count).ok_or_else(|| wrong(format!("too many micromaps of level {level}")))?;
        Ok(())
    }

    /// Level, format and count of those that there are.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (TWO_STATES..=FOUR_STATES).flat_map(|format| {
            let counts = self.counts[format as usize - 1].iter().zip(0..);
            counts.filter(|(n, _)| **n > 0).map(move |(n, level)| (level, format, *n))
        })
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.as_flattened().iter().map(|n| u64::from(*n)).sum()
    }

    /// Bytes of the states of all, each begun at a byte.
    pub fn data_size(&self) -> u64 {
        self.iter().map(|(level, format, n)| u64::from(n) * (u64::from(format) << (2 * level)).div_ceil(8)).sum()
    }

    pub(in super::super) fn raw(&self) -> Vec<vk::MicromapUsageEXT> {
        self.iter().map(|(subdivision_level, format, count)| vk::MicromapUsageEXT { count, subdivision_level, format }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_level_and_format() {
        let mut usage = MicromapUsage::default();
        usage.add(0, TWO_STATES, 3).unwrap();
        usage.add(12, FOUR_STATES, 1).unwrap();
        usage.add(0, TWO_STATES, 2).unwrap();
        usage.add(5, TWO_STATES, 0).unwrap();
        assert_eq!(usage.iter().collect::<Vec<_>>(), [(0, TWO_STATES, 5), (12, FOUR_STATES, 1)]);
        assert_eq!(usage.total(), 6);
        assert_eq!(usage.data_size(), 5 + (2 << 24) / 8);
        for (level, format, count, what) in
            [(13, 1, 1, "the finest is 12"), (0, 0, 1, "format 0"), (0, 3, 1, "format 3"), (0, 1, u32::MAX, "too many")]
        {
            let e = usage.add(level, format, count).unwrap_err();
            assert!(e.message.contains(what), "{e}");
        }
    }
}
