//! Operations on partitioned structures: writes, updates and translations in arrays, one for each type of change.

use super::addresses::{DeviceAddress, aligned, decode, error};
use super::batch::scratch;
use super::plan::{Access, Plan};
use super::resident::Object;
use super::sizes;
use crate::cpu::accel::{Bottom, Partitioned, Placed, Swapped, Written};
use crate::device::{
    BOTTOM_ALIGNMENT, ChangeArgs, Inputs, PartitionTranslation, PartitionedData, PartitionedDesc, Strided, TranslatePartitionArgs,
    UpdateInstanceArgs, WriteInstanceArgs,
};
use crate::error::Result;
use std::sync::Arc;

/// Types of changes: name, size of an argument in bytes, alignment.
const CHANGES: [(&str, u64, u64); 3] = [("WRITE_INSTANCE", 104, 8), ("UPDATE_INSTANCE", 16, 8), ("TRANSLATE_PARTITION", 16, 4)];

#[derive(Default)]
struct Changes {
    writes: Vec<Written>,
    swaps: Vec<Swapped>,
    moves: Vec<PartitionTranslation>,
}

/// Plans the operation.
///
/// # Errors
/// Arguments or addresses that are not valid.
pub fn plan(plan: &mut Plan<'_>, desc: &PartitionedDesc, d: &PartitionedData) -> Result<()> {
    const DEST: &str = "DestAccelerationStructureData";
    const SOURCE: &str = "SourceAccelerationStructureData";
    let needs = sizes::prebuild(&Inputs::Partitioned(*desc))?;
    aligned(DEST, d.dest, BOTTOM_ALIGNMENT)?;
    plan.objects.bytes_at(DEST, d.dest, needs.result)?;
    scratch(plan, "ScratchAccelerationStructureData", d.scratch, needs.scratch)?;
    let source = match d.source {
        0 => None,
        at => {
            aligned(SOURCE, at, BOTTOM_ALIGNMENT)?;
            let entry = plan.object(SOURCE, at)?;
            let Object::Partitioned(p) = &entry.object else {
                return Err(error(format!(
                    "{SOURCE}: expected a partitioned structure at address {at:#x}, found a {}",
                    entry.object.what()
                )));
            };
            // In place, the structure is only written; elsewhere, the source must stay unchanged.
            if at != d.dest {
                plan.touch(SOURCE, at, entry.size, Access::Read);
            }
            Some(p.clone())
        }
    };
    plan.touch(DEST, d.dest, needs.result, Access::Write);
    plan.cleared.push((d.dest, needs.result));
    let c = changes(plan, d)?;
    let made = match source {
        None => Partitioned::build(desc, &c.writes, &c.swaps, &c.moves)?,
        Some(p) => p.changed(desc, &c.writes, &c.swaps, &c.moves)?,
    };
    plan.objects_made.push((d.dest, needs.result, Object::Partitioned(Arc::new(made))));
    Ok(())
}

fn changes(plan: &mut Plan<'_>, d: &PartitionedData) -> Result<Changes> {
    const FIELD: &str = "IndirectPartitionedTlasOps";
    let mut out = Changes::default();
    let count = plan.read_u32("IndirectPartitionedTlasOpCount", d.count)?;
    if count as usize > CHANGES.len() {
        return Err(error(format!("IndirectPartitionedTlasOpCount: {count}, but there are {} types of operations", CHANGES.len())));
    }
    let operations = match count {
        0 => Vec::new(),
        n => plan.read_array(FIELD, Strided::packed(d.operations), n, 24, 8)?,
    };
    let mut seen = [false; CHANGES.len()];
    for (i, bytes) in operations.chunks_exact(24).enumerate() {
        let ChangeArgs { kind, count, arguments: list } = ChangeArgs::from_bytes(bytes);
        let kind = kind as usize;
        let Some(&(name, size, alignment)) = CHANGES.get(kind) else {
            return Err(error(format!("{FIELD}[{i}]: unknown Type {kind}")));
        };
        if std::mem::replace(&mut seen[kind], true) {
            return Err(error(format!("{FIELD}[{i}]: duplicate {name}")));
        }
        if count == 0 {
            continue;
        }
        let arguments = plan.read_array("ArgData", list, count, size, alignment).map_err(|e| e.at(format!("{FIELD}[{i}] ({name})")))?;
        for (n, bytes) in arguments.chunks_exact(size as usize).enumerate() {
            one(plan, kind, bytes, &mut out).map_err(|e| e.at(format!("{name}, argument {n}")))?;
        }
    }
    Ok(out)
}

fn one(plan: &mut Plan<'_>, kind: usize, bytes: &[u8], out: &mut Changes) -> Result<()> {
    match kind {
        0 => {
            let w = WriteInstanceArgs::from_bytes(bytes);
            let Ok(mask) = u8::try_from(w.mask) else {
                return Err(error(format!("InstanceMask: {:#x} has more than 8 bits", w.mask)));
            };
            let bottom = bottom(plan, w.bottom)?;
            let WriteInstanceArgs { transform, id, hit_group_offset, flags, index, partition, bounds, .. } = w;
            out.writes.push(Written { index, partition, placed: Placed { bottom, transform, id, mask, hit_group_offset, flags }, bounds });
        }
        1 => {
            let u = UpdateInstanceArgs::from_bytes(bytes);
            let Some(bottom) = bottom(plan, u.bottom)? else {
                return Err(error("AccelerationStructure: an update must not disable an instance"));
            };
            out.swaps.push(Swapped { index: u.index, bottom, hit_group_offset: u.hit_group_offset });
        }
        _ => {
            let t = TranslatePartitionArgs::from_bytes(bytes);
            out.moves.push(PartitionTranslation { partition: t.partition, by: t.by });
        }
    }
    Ok(())
}

fn bottom(plan: &mut Plan<'_>, address: u64) -> Result<Option<Arc<Bottom>>> {
    const FIELD: &str = "AccelerationStructure";
    match (address, decode(address)) {
        (0, _) => Ok(None),
        (_, Some(DeviceAddress::Buffer(..) | DeviceAddress::Accel(_))) => plan.bottom(FIELD, address).map(Some),
        _ => Err(error(format!("{FIELD}: expected a bottom-level structure at address {address:#x}"))),
    }
}
