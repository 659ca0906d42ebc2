//! Shader tables of libraries with lowered hit objects: builds them from the application's records in the layout of
//! [`rtc_tables::hit_lowering`].

use super::{RawRecord, Region};
use crate::error::{Error, ErrorKind, Result};
use rtc_package::HitLowering;
use rtc_tables::hit_lowering as rules;

/// Tables in the order of [`super::TableImage`].
const MISS: usize = 1;
const HIT: usize = 2;

/// Puts the generated miss shader `missed` before the application's, in a library that asks hit objects only whether something was hit.
///
/// # Errors
/// More miss records than traces can name.
pub(super) fn after_missed(tables: [Vec<RawRecord>; 4], missed: Vec<u8>) -> Result<[Vec<RawRecord>; 4]> {
    let [raygen, mut miss, hit, callable] = tables;
    if miss.len() > rules::MAX_ROWS_AFTER_MISSED as usize {
        return Err(Error::new(
            ErrorKind::Limit,
            format!("the miss table has {} records; with lowered hit objects the maximum is {}", miss.len(), rules::MAX_ROWS_AFTER_MISSED),
        ));
    }
    miss.insert(rules::MISSED_ROW as usize, RawRecord { handle: missed, data: Vec::new() });
    Ok([raygen, miss, hit, callable])
}

/// Puts a record without a shader before the miss table of a package whose lanes without work name it.
///
/// # Errors
/// More miss records than traces can name.
pub(super) fn after_null(tables: [Vec<RawRecord>; 4], handle_size: u64) -> Result<[Vec<RawRecord>; 4]> {
    let [raygen, mut miss, hit, callable] = tables;
    if miss.len() > rules::MAX_ROWS_AFTER_NULL as usize {
        return Err(Error::new(
            ErrorKind::Limit,
            format!(
                "the miss table has {} records; in a package compiled with -fspv-converge-traces the maximum is {}",
                miss.len(),
                rules::MAX_ROWS_AFTER_NULL
            ),
        ));
    }
    miss.insert(rules::NULL_MISS_ROW as usize, RawRecord { handle: vec![0; handle_size as usize], data: Vec::new() });
    Ok([raygen, miss, hit, callable])
}

/// Interleaves the miss table with the generated miss shaders that stand for the closest-hit shaders of the hit group table, whose handles are
/// `invoked`, and appends space for tails. Hit group records without a group get `recorder`, a group that does nothing but
/// record: a hit without shaders is still a hit.
///
/// # Errors
/// More records than traces can name.
pub(super) fn lay_out(
    tables: [Vec<RawRecord>; 4],
    invoked: Vec<Vec<u8>>,
    recorder: &[u8],
    lowering: &HitLowering,
) -> Result<[Vec<RawRecord>; 4]> {
    let [mut raygen, miss, mut hit, callable] = tables;
    for (what, records) in [("miss", &miss), ("hit group", &hit)] {
        if records.len() > rules::MAX_ROWS as usize {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the {what} table has {} records; with lowered hit objects the maximum is {}", records.len(), rules::MAX_ROWS),
            ));
        }
    }
    let rows = |n: usize, row: fn(u32) -> u32| match n {
        0 => 0,
        n => row(n as u32 - 1) as usize + 1,
    };
    let size = rows(miss.len(), rules::miss_row).max(rows(hit.len(), rules::hit_row));
    let mut all = vec![RawRecord::default(); size.max(1)];
    for (i, record) in miss.into_iter().enumerate() {
        all[rules::miss_row(i as u32) as usize] = record;
    }
    for (i, (record, handle)) in hit.iter_mut().zip(invoked).enumerate() {
        let data = record.data.clone();
        all[rules::hit_row(i as u32) as usize] = RawRecord { handle, data };
        if record.handle.iter().all(|b| *b == 0) {
            record.handle = recorder.to_vec();
        }
    }
    let end = (lowering.tail_offset as usize).saturating_add(lowering.tail_size as usize);
    for record in raygen.iter_mut().chain(&mut all).chain(&mut hit) {
        record.data.resize(end.max(record.data.len()), 0);
    }
    Ok([raygen, all, hit, callable])
}

/// Writes the tails of all records that have one. `address` is that of byte 0.
pub(super) fn write_tails(bytes: &mut [u8], regions: &[Region; 4], address: u64, handle_size: u64, lowering: &HitLowering) {
    let (miss, hit) = (regions[MISS], regions[HIT]);
    let first_miss = miss.offset + u64::from(rules::miss_row(0)) * miss.stride;
    let between = u64::from(rules::miss_row(1) - rules::miss_row(0)) * miss.stride;
    let arguments = |offset: u64| address + offset + handle_size;
    let words = [
        (rules::TAIL_HIT_STRIDE, hit.stride),
        (rules::TAIL_HIT_ADDRESS, arguments(hit.offset) & 0xffff_ffff),
        (rules::TAIL_HIT_ADDRESS + 4, arguments(hit.offset) >> 32),
        (rules::TAIL_MISS_STRIDE, between),
        (rules::TAIL_MISS_ADDRESS, arguments(first_miss) & 0xffff_ffff),
        (rules::TAIL_MISS_ADDRESS + 4, arguments(first_miss) >> 32),
    ];
    for (n, region) in regions[..=HIT].iter().enumerate() {
        let count = region.size.checked_div(region.stride).unwrap_or(0);
        for row in 0..count {
            let tail = region.offset + row * region.stride + handle_size + u64::from(lowering.tail_offset);
            let number = if n == HIT { row } else { 0 };
            let all = words.iter().copied().chain([(rules::TAIL_ROW, number)]);
            for (at, word) in all.filter(|w| w.0 < lowering.tail_size) {
                let at = (tail + u64::from(at)) as usize;
                if let Some(room) = bytes.get_mut(at..at + 4) {
                    room.copy_from_slice(&(word as u32).to_le_bytes());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(handle: u8, data: &[u8]) -> RawRecord {
        RawRecord { handle: vec![handle; 32], data: data.to_vec() }
    }

    fn lowering(offset: u32, size: u32) -> HitLowering {
        HitLowering { tail_offset: offset, tail_size: size, recorders: Vec::new(), missed: None }
    }

    #[test]
    fn shaders_to_invoke_are_interleaved() {
        let tables = [
            vec![record(1, &[])],
            vec![record(2, &[7; 4]), record(3, &[])],
            vec![record(4, &[8; 4]), record(0, &[]), record(5, &[9; 8])],
            vec![record(6, &[])],
        ];
        let invoked = vec![vec![14; 32], vec![0; 32], vec![15; 32]];
        let [raygen, miss, hit, callable] = lay_out(tables, invoked, &[99; 32], &lowering(8, 4)).unwrap();
        assert_eq!(raygen[0].data.len(), 12);
        let handles = |t: &[RawRecord]| t.iter().map(|r| r.handle.first().copied().unwrap_or(0)).collect::<Vec<_>>();
        assert_eq!(handles(&miss), [0, 2, 14, 3, 0, 0, 15]);
        assert_eq!(handles(&hit), [4, 99, 5]);
        assert_eq!(miss[1].data[..4], [7; 4]);
        assert_eq!(miss[6].data[..8], [9; 8]);
        assert_eq!(miss[6].data.len(), 12);
        assert_eq!(callable[0].data.len(), 0);
    }

    #[test]
    fn the_generated_miss_shader_is_the_first() {
        let tables = || [vec![record(1, &[])], vec![record(2, &[7; 4]), record(0, &[])], vec![record(4, &[])], Vec::new()];
        let [raygen, miss, hit, _] = after_missed(tables(), vec![9; 32]).unwrap();
        assert_eq!(miss.iter().map(|r| r.handle[0]).collect::<Vec<_>>(), [9, 2, 0]);
        assert_eq!((raygen, hit), (tables()[0].clone(), tables()[2].clone()));
        let many = vec![record(1, &[]); rules::MAX_ROWS_AFTER_MISSED as usize + 1];
        let e = after_missed([Vec::new(), many, Vec::new(), Vec::new()], vec![9; 32]).unwrap_err();
        assert!(e.message.contains("the miss table has 65536 records"), "{}", e.message);
    }

    #[test]
    fn a_record_without_a_shader_is_the_first() {
        let tables = || [vec![record(1, &[])], vec![record(2, &[7; 4])], vec![record(4, &[])], Vec::new()];
        let [raygen, miss, hit, _] = after_null(tables(), 32).unwrap();
        assert_eq!(miss, [record(0, &[]), record(2, &[7; 4])]);
        assert_eq!((raygen, hit), (tables()[0].clone(), tables()[2].clone()));
        let many = vec![record(1, &[]); rules::MAX_ROWS_AFTER_NULL as usize + 1];
        let e = after_null([Vec::new(), many, Vec::new(), Vec::new()], 32).unwrap_err();
        assert!(e.message.contains("the miss table has 65536 records"), "{}", e.message);
    }

    #[test]
    fn too_many_records() {
        let many = vec![record(1, &[]); rules::MAX_ROWS as usize + 1];
        let invoked = vec![vec![0; 32]; many.len()];
        let tables = [vec![record(1, &[])], Vec::new(), many, Vec::new()];
        let e = lay_out(tables, invoked, &[9; 32], &lowering(0, 4)).unwrap_err();
        assert!(e.message.contains("the hit group table has 32768 records"), "{}", e.message);
    }

    #[test]
    fn tails_hold_rows_and_addresses() {
        let region = |offset, stride, count: u64| Region { offset, stride, size: stride * count };
        let regions = [region(0, 128, 1), region(128, 128, 5), region(1024, 192, 3), Region::default()];
        let mut bytes = vec![0xee; 2048];
        let address = 0x5_0000_0000;
        write_tails(&mut bytes, &regions, address, 32, &lowering(8, rules::TAIL_LONG));
        let word = |record: u64, at: u32| {
            let at = (record + 32 + 8 + u64::from(at)) as usize;
            u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
        };
        assert_eq!((0..3).map(|i| word(1024 + i * 192, rules::TAIL_ROW)).collect::<Vec<_>>(), [0, 1, 2]);
        for record in [0, 128 + 2 * 128, 1024] {
            assert_eq!(word(record, rules::TAIL_HIT_STRIDE), 192);
            assert_eq!(word(record, rules::TAIL_HIT_ADDRESS), 1024 + 32);
            assert_eq!(word(record, rules::TAIL_HIT_ADDRESS + 4), 5);
            assert_eq!(word(record, rules::TAIL_MISS_STRIDE), 256);
            assert_eq!(word(record, rules::TAIL_MISS_ADDRESS), 256 + 32);
        }
        // Before the tail nothing is written.
        assert_eq!(bytes[1024 + 32..1024 + 40], [0xee; 8]);
    }
}
