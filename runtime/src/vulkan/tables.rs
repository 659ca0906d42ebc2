//! Shader tables: records of a shader group handle and the root arguments after it, laid out with the device's
//! alignments in one buffer.

use super::context::Context;
use super::hit_tables;
use super::records::{RawRecord, Region};
use super::storage::GpuBuffer;
use super::vk;
use crate::error::{ErrorKind, Result, RunError};
use rtc_package::HitLowering;

/// The four tables on the device. Must be freed with [`Tables::destroy`].
pub(super) struct Tables {
    buffer: GpuBuffer,
    /// Ray generation, miss, hit group, callable.
    pub regions: [vk::StridedDeviceAddressRegionKHR; 4],
}

/// What a device demands of tables, in bytes.
#[derive(Clone, Copy, Debug)]
struct Rules {
    handle_size: u64,
    handle_alignment: u64,
    base_alignment: u64,
    max_stride: u64,
}

/// Lays the tables out; each begins at the base alignment. `base` is the address of offset 0.
///
/// # Errors
/// A record is longer than the device allows.
fn lay_out(tables: &[Vec<RawRecord>; 4], base: u64, rules: Rules) -> Result<([Region; 4], u64)> {
    let mut regions = [Region::default(); 4];
    let mut end = 0u64;
    for (region, records) in regions.iter_mut().zip(tables) {
        if records.is_empty() {
            continue;
        }
        let longest = records.iter().map(|r| r.data.len() as u64).max().unwrap_or(0);
        let stride = (rules.handle_size + longest).next_multiple_of(rules.handle_alignment);
        if stride > rules.max_stride {
            return Err(RunError::new(
                ErrorKind::Limit,
                format!("a shader record of {stride} bytes, the device allows {}", rules.max_stride),
            ));
        }
        let offset = (base + end).next_multiple_of(rules.base_alignment) - base;
        *region = Region { offset, stride, size: stride * records.len() as u64 };
        end = offset + region.size;
    }
    Ok((regions, end))
}

impl Tables {
    /// Puts the tables on the device: ray generation (one record), miss, hit group, callable. Those of a library with
    /// lowered hit objects are laid out before ([`hit_tables::lay_out`]).
    ///
    /// # Errors
    /// No memory; a failure of the device.
    pub fn new(context: &mut Context, tables: &[Vec<RawRecord>; 4], lowering: Option<&HitLowering>) -> Result<Tables> {
        let p = &context.candidate.pipeline;
        let rules = Rules {
            handle_size: u64::from(p.shader_group_handle_size),
            handle_alignment: u64::from(p.shader_group_handle_alignment.max(1)),
            base_alignment: u64::from(p.shader_group_base_alignment.max(1)),
            max_stride: u64::from(p.max_shader_group_stride),
        };
        let (_, size) = lay_out(tables, 0, rules)?;
        let mut buffer = GpuBuffer::device(context, size + 4 * rules.base_alignment)?;
        let (regions, end) = lay_out(tables, buffer.address, rules)?;
        let mut bytes = vec![0u8; end as usize];
        for (region, records) in regions.iter().zip(tables) {
            for (i, record) in records.iter().enumerate() {
                let at = (region.offset + i as u64 * region.stride) as usize;
                bytes[at..at + record.handle.len()].copy_from_slice(&record.handle);
                let at = at + rules.handle_size as usize;
                bytes[at..at + record.data.len()].copy_from_slice(&record.data);
            }
        }
        if let Some(lowering) = lowering {
            hit_tables::write_tails(&mut bytes, &regions, buffer.address, rules.handle_size, lowering);
        }
        if let Err(e) = buffer.write(context, 0, &bytes) {
            buffer.destroy(context);
            return Err(e);
        }
        let address = buffer.address;
        let regions = regions.map(|r| vk::StridedDeviceAddressRegionKHR {
            device_address: if r.size == 0 { 0 } else { address + r.offset },
            stride: r.stride,
            size: r.size,
        });
        Ok(Tables { buffer, regions })
    }

    /// Frees them. Nothing on the device may use them any more.
    pub fn destroy(&mut self, context: &mut Context) {
        self.buffer.destroy(context);
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
