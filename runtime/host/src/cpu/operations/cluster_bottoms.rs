//! Bottom-level structures of clusters, and move operations on cluster objects.
//!
//! A move is a copy: its source stays valid unless a destination overwrites part of it. All sources are read before any
//! destination is written, so overlaps are allowed.

use super::addresses::{aligned, error};
use super::outcome::{Outcome, allowed, outcome};
use super::plan::{Access, Plan};
use super::resident::{Object, Reference};
use super::sizes;
use crate::cpu::accel::{Bottom, Cluster};
use crate::device::{
    BOTTOM_ALIGNMENT, BottomArgs, BuildBottoms, CLUSTER_ALIGNMENT, Fields, MOVE_NO_OVERLAP, MoveKind, MoveObjects, OperationMode, Strided,
    TEMPLATE_ALIGNMENT,
};
use crate::error::Result;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Builds the structures of a batch.
///
/// # Errors
/// Arguments or addresses that are not valid.
pub fn build(plan: &mut Plan<'_>, b: &BuildBottoms, arguments: &[&[u8]]) -> Result<Vec<Outcome>> {
    let mut total = 0u64;
    let mut out = Vec::with_capacity(arguments.len());
    for (i, bytes) in arguments.iter().enumerate() {
        out.push(one(plan, b, bytes, &mut total).map_err(|e| e.at(format!("argument {i}")))?);
    }
    Ok(out)
}

fn one(plan: &mut Plan<'_>, b: &BuildBottoms, bytes: &[u8], total: &mut u64) -> Result<Outcome> {
    const FIELD: &str = "ClasAddressArray";
    let BottomArgs { count, stride, clusters: address } = BottomArgs::from_bytes(bytes);
    let list = Strided { address, stride: stride.into() };
    *total += u64::from(count);
    if count > b.max_clusters_per_arg {
        return Err(error(format!("ClasAddressCount: {count}, MaxClasCountPerArg is {}", b.max_clusters_per_arg)));
    }
    if *total > u64::from(b.max_total_clusters) {
        return Err(error(format!("ClasAddressCount: {total} of all arguments, MaxTotalClasCount is {}", b.max_total_clusters)));
    }
    let mut clusters: Vec<Option<Arc<Cluster>>> = Vec::new();
    let mut references = Vec::new();
    let mut seen = FxHashSet::default();
    for address in plan.read_array(FIELD, list, count, 8, 8)?.chunks_exact(8).map(|b| Fields(b).u64(0)).filter(|&a| a != 0) {
        aligned(FIELD, address, CLUSTER_ALIGNMENT)?;
        if !seen.insert(address) {
            return Err(error(format!("{FIELD}: duplicate cluster at address {address:#x}")));
        }
        let entry = plan.object(FIELD, address)?;
        let Object::Cluster(cluster) = &entry.object else {
            return Err(error(format!("{FIELD}: expected a cluster at address {address:#x}, found a {}", entry.object.what())));
        };
        allowed(FIELD, cluster.has_micromaps(), b.flags)?;
        plan.touch(FIELD, address, entry.size, Access::Read);
        references.push(Reference { address, serial: entry.serial });
        clusters.push(Some(cluster.clone()));
    }
    let made = Bottom::of_clusters(&clusters)?;
    let size = sizes::bottom(made.references_size(&clusters));
    Ok(outcome(b.mode, size, Object::Bottom(Arc::new(made), references.into())))
}

/// Moves the objects of a batch.
///
/// # Errors
/// Arguments or addresses that are not valid.
pub fn moves(plan: &mut Plan<'_>, m: &MoveObjects, arguments: &[&[u8]]) -> Result<Vec<Outcome>> {
    const FIELD: &str = "SourceAccelerationStructure";
    let (alignment, what) = match m.kind {
        MoveKind::Bottom => (BOTTOM_ALIGNMENT, "structures of clusters"),
        MoveKind::Cluster => (CLUSTER_ALIGNMENT, "clusters"),
        MoveKind::Template => (TEMPLATE_ALIGNMENT, "templates"),
    };
    let mut total = 0u64;
    let mut one = |plan: &mut Plan<'_>, address: u64| {
        aligned(FIELD, address, alignment)?;
        let entry = plan.object(FIELD, address)?;
        let object = match (&entry.object, m.kind) {
            // An independent copy: a structure may refer to both.
            (Object::Cluster(c), MoveKind::Cluster) => Object::Cluster(Arc::new((**c).clone())),
            (o @ Object::Template(..), MoveKind::Template) | (o @ Object::Bottom(..), MoveKind::Bottom) => o.clone(),
            (o, _) => return Err(error(format!("{FIELD}: expected {what} at address {address:#x}, found a {}", o.what()))),
        };
        allowed(FIELD, object.has_micromaps(), m.flags)?;
        total += entry.size;
        if m.mode != OperationMode::GetSizes {
            if total > m.max_bytes {
                return Err(error(format!("{FIELD}: {total} bytes are moved, MaxBytesMoved is {}", m.max_bytes)));
            }
            let apart = m.flags & MOVE_NO_OVERLAP != 0;
            plan.touch(FIELD, address, entry.size, if apart { Access::Read } else { Access::MoveFrom });
        } else {
            plan.touch(FIELD, address, entry.size, Access::Read);
        }
        Ok(outcome(m.mode, entry.size, object))
    };
    let mut out = Vec::with_capacity(arguments.len());
    for (i, bytes) in arguments.iter().enumerate() {
        out.push(one(plan, Fields(bytes).u64(0)).map_err(|e| e.at(format!("argument {i}")))?);
    }
    Ok(out)
}
