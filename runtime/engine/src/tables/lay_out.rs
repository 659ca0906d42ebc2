//! Where the records of shader tables lie: strides, alignments, and the bytes.

use super::{RawRecord, Region};
use crate::error::{Error, ErrorKind, Result};

/// What a device demands of tables, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// A shader group handle.
    pub handle_size: u64,
    /// Strides are multiples of this.
    pub handle_alignment: u64,
    /// Tables begin at multiples of this.
    pub base_alignment: u64,
    /// The longest stride.
    pub max_stride: u64,
}

/// Lays the tables out; each begins at the base alignment. `base` is the address of offset 0. Also returns the end of the last.
///
/// # Errors
/// A record is longer than the device allows.
pub(super) fn lay_out(tables: &[Vec<RawRecord>; 4], base: u64, rules: Rules) -> Result<([Region; 4], u64)> {
    let mut regions = [Region::default(); 4];
    let mut end = 0u64;
    for (region, records) in regions.iter_mut().zip(tables) {
        if records.is_empty() {
            continue;
        }
        let longest = records.iter().map(|r| r.data.len() as u64).max().unwrap_or(0);
        let stride = (rules.handle_size + longest).next_multiple_of(rules.handle_alignment);
        if stride > rules.max_stride {
            return Err(Error::new(ErrorKind::Limit, format!("a shader record of {stride} bytes, the device allows {}", rules.max_stride)));
        }
        let offset = (base + end).next_multiple_of(rules.base_alignment) - base;
        *region = Region { offset, stride, size: stride * records.len() as u64 };
        end = offset + region.size;
    }
    Ok((regions, end))
}

/// Puts the records into their places.
pub(super) fn write(bytes: &mut [u8], tables: &[Vec<RawRecord>; 4], regions: &[Region; 4], rules: Rules) {
    for (region, records) in regions.iter().zip(tables) {
        for (i, record) in records.iter().enumerate() {
            let at = (region.offset + i as u64 * region.stride) as usize;
            bytes[at..at + record.handle.len()].copy_from_slice(&record.handle);
            let at = at + rules.handle_size as usize;
            bytes[at..at + record.data.len()].copy_from_slice(&record.data);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(data: usize) -> RawRecord {
        RawRecord { handle: vec![1; 32], data: vec![2; data] }
    }

    const RULES: Rules = Rules { handle_size: 32, handle_alignment: 32, base_alignment: 64, max_stride: 4096 };

    #[test]
    fn tables_are_aligned_by_address() {
        let tables = [vec![record(0)], vec![record(4), record(0)], vec![record(40), record(8), record(0)], vec![]];
        let (regions, end) = lay_out(&tables, 0x1010, RULES).unwrap();
        for r in &regions[..3] {
            assert_eq!((0x1010 + r.offset) % 64, 0);
            assert_eq!(r.stride % 32, 0);
        }
        assert_eq!(regions.map(|r| r.stride), [32, 64, 96, 0]);
        assert_eq!(regions.map(|r| r.size), [32, 128, 288, 0]);
        assert!(regions[0].offset + regions[0].size <= regions[1].offset);
        assert!(regions[1].offset + regions[1].size <= regions[2].offset);
        assert_eq!(end, regions[2].offset + 288);
    }

    #[test]
    fn records_that_are_too_long() {
        let tables = [vec![record(4064)], vec![], vec![], vec![]];
        assert!(lay_out(&tables, 0, RULES).is_ok());
        let tables = [vec![record(4065)], vec![], vec![], vec![]];
        assert!(lay_out(&tables, 0, RULES).unwrap_err().message.contains("4128 bytes"));
    }
}
