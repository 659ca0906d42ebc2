//! Build inputs of acceleration structures, packed into one block of bytes for the device.
//!
//! DXR defines inactive and inverted primitives where Vulkan does not. The inputs are rewritten so that both agree: a triangle
//! with a NaN vertex gets three of them, and an inverted box becomes the point in its middle.

use super::context::Context;
use super::micromaps::{GpuMicromaps, referred};
use crate::device::{
    BottomDesc, BuildFlags, Geometry, GeometryData, INSTANCE_DISABLE_OMMS, INSTANCE_FORCE_OMM_2_STATE, Instance, Micromaps,
};
use crate::error::{ErrorKind, Result, RunError};
use rtc_base::PrimaryMap;
use rtc_engine::vulkan::accel::{self, Inputs, MicromapIndices, MicromapLinkage, Triangles, build_flag, deactivate_triangles, upright};
use vulkanalia::vk::Format;

/// The arrays of micromaps of a device.
pub(super) type Arrays = PrimaryMap<Micromaps, GpuMicromaps>;

/// The inputs of a build, packed into one block of bytes.
pub(super) struct Input {
    /// The block.
    pub bytes: Vec<u8>,
    flags: BuildFlags,
    parts: Parts,
}

/// Where inputs lie in the block.
enum Parts {
    Geometries(Vec<Part>),
    /// So many instances, at its beginning.
    Instances(u32),
}

/// A geometry whose addresses are places in the block.
type Part = accel::Geometry;

impl Input {
    /// Those of a bottom-level structure.
    ///
    /// # Errors
    /// An input that is not valid.
    pub fn bottom(desc: &BottomDesc, micromaps: &Arrays, context: &Context) -> Result<Input> {
        let wrong = |why: String| RunError::new(ErrorKind::Binding, format!("a bottom-level structure: {why}"));
        if desc.geometries.iter().any(|g| g.micromaps.is_some()) && !context.has("micromap") {
            return Err(crate::device::lacks("opacity micromaps"));
        }
        let mut input = Input { bytes: Vec::new(), flags: desc.flags, parts: Parts::Instances(0) };
        let mut parts = Vec::with_capacity(desc.geometries.len());
        for (i, g) in desc.geometries.iter().enumerate() {
            parts.push(input.geometry(g, micromaps).map_err(|why| wrong(format!("geometry {i}: {why}")))?);
        }
        input.parts = Parts::Geometries(parts);
        Ok(input)
    }

    fn geometry(&mut self, g: &Geometry, micromaps: &Arrays) -> std::result::Result<Part, String> {
        let count = |n: usize| u32::try_from(n).map_err(|_| format!("{n} are too many"));
        match &g.data {
            GeometryData::Triangles { positions, indices, transform } => {
                let corners = indices.as_ref().map_or(positions.len(), Vec::len);
                if corners % 3 != 0 {
                    return Err(format!("{corners} indices are not a multiple of 3"));
                }
                if let Some(&i) = indices.iter().flatten().find(|&&i| i as usize >= positions.len()) {
                    return Err(format!("index {i} is out of range: there are {} positions", positions.len()));
                }
                let mut positions = positions.clone();
                let mut indices = indices.clone();
                deactivate_triangles(&mut positions, &mut indices);
                let vertices = self.put(positions.as_flattened().iter().flat_map(|f| f.to_le_bytes()));
                let indices = match indices {
                    None => None,
                    Some(list) => {
                        let address = self.put(list.iter().flat_map(|i| i.to_le_bytes()));
                        Some(accel::Indices { address, wide: true, count: count(list.len())? })
                    }
                };
                let transform = transform.map(|t| self.put(t.as_flattened().iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<_>>()));
                let vertex_count = count(positions.len())?;
                let format = Format::R32G32B32_SFLOAT.as_raw();
                let triangles = Triangles { vertices, stride: 12, format, vertex_count, indices, transform, flags: g.flags };
                let Some(m) = &g.micromaps else {
                    return Ok(triangles.into());
                };
                let (array, usage) = referred(micromaps, m, corners / 3)?;
                let indices = m.indices.as_ref().map(|list| {
                    let address = self.put(list.iter().flat_map(|i| i.to_le_bytes()));
                    MicromapIndices { address, stride: 4, size: 4 }
                });
                Ok(Part::MicromapTriangles { triangles, micromaps: MicromapLinkage { micromaps: array, indices, base: m.base, usage } })
            }
            GeometryData::Boxes(boxes) => {
                let address = self.put(boxes.iter().flat_map(|b| upright(*b)).flat_map(f32::to_le_bytes));
                Ok(Part::Boxes { address, stride: 24, count: count(boxes.len())?, flags: g.flags })
            }
        }
    }

    /// Those of a top-level structure over instances whose addresses are looked up already.
    ///
    /// # Errors
    /// An input that is not valid.
    pub fn top(instances: &[(Instance, u64)], flags: BuildFlags, context: &Context) -> Result<Input> {
        let Ok(count) = u32::try_from(instances.len()) else {
            return Err(RunError::new(ErrorKind::Limit, format!("a top-level structure of {} instances", instances.len())));
        };
        let mut bytes = Vec::with_capacity(instances.len() * accel::INSTANCE_SIZE);
        for (i, (instance, address)) in instances.iter().enumerate() {
            instance_bytes(instance, *address, context.has("micromap"), &mut bytes)
                .map_err(|why| RunError::new(ErrorKind::Binding, format!("instance {i} of a top-level structure: {why}")))?;
        }
        Ok(Input { bytes, flags, parts: Parts::Instances(count) })
    }

    /// The inputs, when the block begins at device address `base`.
    pub fn at(&self, base: u64, context: &Context) -> Inputs {
        let flags = build_flags(self.flags, context.has("micromap"));
        match &self.parts {
            Parts::Geometries(parts) => Inputs::Bottom { geometries: parts.iter().map(|p| moved(*p, base)).collect(), flags },
            Parts::Instances(count) => Inputs::Top { instances: base, count: *count, pointers: false, flags },
        }
    }

    /// Appends bytes at the next multiple of 16 and says where.
    fn put(&mut self, bytes: impl IntoIterator<Item = u8>) -> u64 {
        let at = self.bytes.len().next_multiple_of(16);
        self.bytes.resize(at, 0);
        self.bytes.extend(bytes);
        at as u64
    }
}

/// A geometry whose places are addresses after `base`.
fn moved(part: Part, base: u64) -> Part {
    let mut out = part;
    match &mut out {
        Part::Triangles { vertices, indices, transform, .. } => place(base, vertices, indices, transform),
        Part::MicromapTriangles { triangles: t, micromaps } => {
            place(base, &mut t.vertices, &mut t.indices, &mut t.transform);
            if let Some(i) = &mut micromaps.indices {
                i.address += base;
            }
        }
        Part::Boxes { address, .. } => *address += base,
    }
    out
}

fn place(base: u64, vertices: &mut u64, indices: &mut Option<accel::Indices>, transform: &mut Option<u64>) {
    *vertices += base;
    for address in indices.iter_mut().map(|i| &mut i.address).chain(transform) {
        *address += base;
    }
}

/// D3D12's flags. Those about micromaps mean nothing to a device without any.
fn build_flags(f: BuildFlags, micromaps: bool) -> u32 {
    let mut out = if f.prefer_fast_build { build_flag::PREFER_FAST_BUILD } else { build_flag::PREFER_FAST_TRACE };
    for (set, bit) in [
        (f.allow_update, build_flag::ALLOW_UPDATE),
        (f.allow_compaction, build_flag::ALLOW_COMPACTION),
        (f.low_memory, build_flag::MINIMIZE_MEMORY),
        (f.allow_data_access, build_flag::ALLOW_DATA_ACCESS),
        (f.allow_omm_update && micromaps, build_flag::ALLOW_OMM_LINKAGE_UPDATE),
        (f.allow_disable_omms && micromaps, build_flag::ALLOW_DISABLE_OMMS),
    ] {
        if set {
            out |= bit;
        }
    }
    out
}

/// The 64 bytes of an instance, the same in both APIs but for the address.
fn instance_bytes(instance: &Instance, address: u64, micromaps: bool, out: &mut Vec<u8>) -> std::result::Result<(), String> {
    let max = (1 << 24) - 1;
    if instance.id > max {
        return Err(format!("id {} has more than 24 bits", instance.id));
    }
    if instance.hit_group_offset > max {
        return Err(format!("hit group offset {} has more than 24 bits", instance.hit_group_offset));
    }
    if instance.flags & (INSTANCE_FORCE_OMM_2_STATE | INSTANCE_DISABLE_OMMS) != 0 && !micromaps {
        return Err("its flags are about opacity micromaps, which this device does not have".into());
    }
    if instance.flags > 0xff {
        return Err(format!("flags {:#x} have more than 8 bits", instance.flags));
    }
    out.extend(instance.transform.as_flattened().iter().flat_map(|f| f.to_le_bytes()));
    out.extend((instance.id | u32::from(instance.mask) << 24).to_le_bytes());
    out.extend((instance.hit_group_offset | instance.flags << 24).to_le_bytes());
    out.extend(address.to_le_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::IDENTITY;

    #[test]
    fn instance_layout() {
        let instance = Instance { bottom: None, transform: IDENTITY, id: 0x123456, mask: 0xab, hit_group_offset: 7, flags: 5 };
        let mut out = Vec::new();
        instance_bytes(&instance, 0x1122334455667788, false, &mut out).unwrap();
        assert_eq!(out.len(), 64);
        assert_eq!(out[48..52], [0x56, 0x34, 0x12, 0xab]);
        assert_eq!(out[52..56], [7, 0, 0, 5]);
        assert_eq!(out[56..], 0x1122334455667788u64.to_le_bytes());
        let too_large = Instance { id: 1 << 24, ..instance };
        assert!(instance_bytes(&too_large, 0, false, &mut out).is_err());
        let micromaps = Instance { flags: INSTANCE_DISABLE_OMMS, ..instance };
        assert!(instance_bytes(&micromaps, 0, false, &mut out).unwrap_err().contains("opacity micromaps"));
        instance_bytes(&micromaps, 0, true, &mut out).unwrap();
        assert_eq!(out[64 + 55], INSTANCE_DISABLE_OMMS as u8);
    }
}
