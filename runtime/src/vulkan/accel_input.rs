//! Build inputs of acceleration structures, packed into one block of bytes for the device.
//!
//! DXR defines inactive and inverted primitives where Vulkan does not. The inputs are rewritten so that both agree: a triangle
//! with a NaN vertex gets three of them, and an inverted box becomes the point in its middle.

use super::context::Context;
use super::vk;
use crate::device::{BottomDesc, BuildFlags, Geometry, GeometryData, INSTANCE_DISABLE_OMMS, INSTANCE_FORCE_OMM_2_STATE, Instance};
use crate::error::{ErrorKind, Result, RunError};

/// What an acceleration structure was built from, to check an update against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// A top-level structure.
    pub top: bool,
    /// Build flags.
    pub flags: BuildFlags,
    /// Kind and number of primitives of each geometry, and whether it has indices and a transform.
    pub geometries: Vec<(Kind, u32, bool, bool)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Triangles,
    Boxes,
    Instances,
}

/// The inputs of a build, packed into one block of bytes.
pub(super) struct Input {
    /// The block.
    pub bytes: Vec<u8>,
    /// What an update must keep.
    pub shape: Shape,
    /// The geometries.
    pub parts: Vec<Part>,
}

/// One geometry: where its data lies in the block.
pub(super) struct Part {
    kind: Kind,
    flags: u32,
    /// How many primitives it has.
    pub primitives: u32,
    vertices: usize,
    vertex_count: u32,
    indices: Option<usize>,
    transform: Option<usize>,
}

impl Input {
    /// Those of a bottom-level structure.
    ///
    /// # Errors
    /// An input that is not valid; no memory for it.
    pub fn bottom(desc: &BottomDesc, context: &Context) -> Result<Input> {
        let wrong = |why: String| RunError::new(ErrorKind::Binding, format!("a bottom-level structure: {why}"));
        let limits = &context.candidate.accel;
        let mut input =
            Input { bytes: Vec::new(), shape: Shape { top: false, flags: desc.flags, geometries: Vec::new() }, parts: Vec::new() };
        let triangles = |g: &Geometry| matches!(g.data, GeometryData::Triangles { .. });
        if desc.geometries.windows(2).any(|w| triangles(&w[0]) != triangles(&w[1])) {
            return Err(wrong("triangles and boxes cannot be mixed in one".into()));
        }
        if desc.geometries.len() as u64 > limits.max_geometry_count {
            return Err(wrong(format!("{} geometries, the device takes {}", desc.geometries.len(), limits.max_geometry_count)));
        }
        if desc.geometries.iter().any(|g| g.micromaps.is_some()) {
            return Err(crate::device::lacks("opacity micromaps"));
        }
        let mut total = 0u64;
        for (i, g) in desc.geometries.iter().enumerate() {
            let part = input.geometry(g).map_err(|why| wrong(format!("geometry {i}: {why}")))?;
            total += u64::from(part.primitives);
            input.shape.geometries.push((part.kind, part.primitives, part.indices.is_some(), part.transform.is_some()));
            input.parts.push(part);
        }
        if total > limits.max_primitive_count {
            return Err(wrong(format!("{total} primitives, the device takes {}", limits.max_primitive_count)));
        }
        Ok(input)
    }

    fn geometry(&mut self, g: &Geometry) -> std::result::Result<Part, String> {
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
                deactivate(&mut positions, &mut indices);
                let vertices = self.put(positions.as_flattened().iter().flat_map(|f| f.to_le_bytes()));
                let indices = indices.map(|list| self.put(list.iter().flat_map(|i| i.to_le_bytes())));
                let transform = transform.map(|t| self.put(t.as_flattened().iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<_>>()));
                Ok(Part {
                    kind: Kind::Triangles,
                    flags: g.flags,
                    primitives: count(corners / 3)?,
                    vertices,
                    vertex_count: count(positions.len())?,
                    indices,
                    transform,
                })
            }
            GeometryData::Boxes(boxes) => {
                let vertices = self.put(boxes.iter().flat_map(|b| upright(*b)).flat_map(f32::to_le_bytes));
                Ok(Part {
                    kind: Kind::Boxes,
                    flags: g.flags,
                    primitives: count(boxes.len())?,
                    vertices,
                    vertex_count: 0,
                    indices: None,
                    transform: None,
                })
            }
        }
    }

    /// Those of a top-level structure over instances whose addresses are looked up already.
    ///
    /// # Errors
    /// An input that is not valid; no memory for it.
    pub fn top(instances: &[(Instance, u64)], flags: BuildFlags, context: &Context) -> Result<Input> {
        let limit = context.candidate.accel.max_instance_count;
        if instances.len() as u64 > limit {
            return Err(RunError::new(
                ErrorKind::Limit,
                format!("a top-level structure of {} instances, the device takes {limit}", instances.len()),
            ));
        }
        let mut bytes = Vec::with_capacity(instances.len() * 64);
        for (i, (instance, address)) in instances.iter().enumerate() {
            instance_bytes(instance, *address, &mut bytes)
                .map_err(|why| RunError::new(ErrorKind::Binding, format!("instance {i} of a top-level structure: {why}")))?;
        }
        let n = instances.len() as u32;
        let part = Part { kind: Kind::Instances, flags: 0, primitives: n, vertices: 0, vertex_count: 0, indices: None, transform: None };
        let shape = Shape { top: true, flags, geometries: vec![(Kind::Instances, n, false, false)] };
        Ok(Input { bytes, shape, parts: vec![part] })
    }

    /// Appends bytes at the next multiple of 16 and says where.
    fn put(&mut self, bytes: impl IntoIterator<Item = u8>) -> usize {
        let at = self.bytes.len().next_multiple_of(16);
        self.bytes.resize(at, 0);
        self.bytes.extend(bytes);
        at
    }
}

/// DXR calls a triangle inactive when any of its vertices has a NaN x, Vulkan when all have (or, in newer
/// texts, the first): such triangles get three such vertices.
fn deactivate(positions: &mut Vec<[f32; 3]>, indices: &mut Option<Vec<u32>>) {
    if !positions.iter().any(|p| p[0].is_nan()) {
        return;
    }
    const NOWHERE: [f32; 3] = [f32::NAN; 3];
    match indices {
        None => {
            for triangle in positions.chunks_exact_mut(3) {
                if triangle.iter().any(|p| p[0].is_nan()) {
                    triangle.fill(NOWHERE);
                }
            }
        }
        Some(indices) => {
            let nowhere = positions.len() as u32;
            positions.push(NOWHERE);
            for triangle in indices.chunks_exact_mut(3) {
                if triangle.iter().any(|&i| positions[i as usize][0].is_nan()) {
                    triangle.fill(nowhere);
                }
            }
        }
    }
}

/// DXR takes an inverted box as the point in its middle; Vulkan forbids it.
fn upright(b: [f32; 6]) -> [f32; 6] {
    let mut out = b;
    if (0..3).any(|i| b[i] > b[i + 3]) {
        for i in 0..3 {
            let middle = b[i] * 0.5 + b[i + 3] * 0.5;
            out[i] = middle;
            out[i + 3] = middle;
        }
    }
    out
}

/// The 64 bytes of an instance, the same in both APIs but for the address.
fn instance_bytes(instance: &Instance, address: u64, out: &mut Vec<u8>) -> std::result::Result<(), String> {
    let max = (1 << 24) - 1;
    if instance.id > max {
        return Err(format!("id {} has more than 24 bits", instance.id));
    }
    if instance.hit_group_offset > max {
        return Err(format!("hit group offset {} has more than 24 bits", instance.hit_group_offset));
    }
    if instance.flags & (INSTANCE_FORCE_OMM_2_STATE | INSTANCE_DISABLE_OMMS) != 0 {
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

impl Part {
    /// As Vulkan has it, when the block begins at device address `base`.
    pub fn geometry(&self, base: u64) -> vk::AccelerationStructureGeometryKHR {
        let at = |offset: usize| vk::DeviceOrHostAddressConstKHR { device_address: base + offset as u64 };
        let geometry = match self.kind {
            Kind::Triangles => vk::AccelerationStructureGeometryDataKHR {
                triangles: vk::AccelerationStructureGeometryTrianglesDataKHR {
                    vertex_format: vk::Format::R32G32B32_SFLOAT,
                    vertex_data: at(self.vertices),
                    vertex_stride: 12,
                    max_vertex: self.vertex_count.saturating_sub(1),
                    index_type: if self.indices.is_some() { vk::IndexType::UINT32 } else { vk::IndexType::NONE_KHR },
                    index_data: self.indices.map_or_else(Default::default, at),
                    transform_data: self.transform.map_or_else(Default::default, at),
                    ..Default::default()
                },
            },
            Kind::Boxes => vk::AccelerationStructureGeometryDataKHR {
                aabbs: vk::AccelerationStructureGeometryAabbsDataKHR { data: at(self.vertices), stride: 24, ..Default::default() },
            },
            Kind::Instances => vk::AccelerationStructureGeometryDataKHR {
                instances: vk::AccelerationStructureGeometryInstancesDataKHR {
                    array_of_pointers: vk::FALSE,
                    data: at(self.vertices),
                    ..Default::default()
                },
            },
        };
        vk::AccelerationStructureGeometryKHR {
            geometry_type: match self.kind {
                Kind::Triangles => vk::GeometryTypeKHR::TRIANGLES,
                Kind::Boxes => vk::GeometryTypeKHR::AABBS,
                Kind::Instances => vk::GeometryTypeKHR::INSTANCES,
            },
            geometry,
            flags: vk::GeometryFlagsKHR::from_bits_truncate(self.flags),
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::IDENTITY;

    #[test]
    fn any_nan_vertex_makes_a_triangle_inactive() {
        let nan = [f32::NAN, 0.0, 0.0];
        let mut positions = vec![[0.0; 3], nan, [1.0; 3], [2.0; 3], [3.0; 3], [4.0; 3]];
        let mut indexed = (positions.clone(), Some(vec![0, 2, 3, 3, 4, 1]));
        deactivate(&mut positions, &mut None);
        assert!(positions[..3].iter().all(|p| p[0].is_nan()));
        assert_eq!(positions[3..], [[2.0; 3], [3.0; 3], [4.0; 3]]);
        deactivate(&mut indexed.0, &mut indexed.1);
        assert_eq!(indexed.1, Some(vec![0, 2, 3, 6, 6, 6]));
        assert!(indexed.0[6][0].is_nan());
    }

    #[test]
    fn inverted_boxes_become_points() {
        assert_eq!(upright([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(upright([0.0, 4.0, 0.0, 1.0, 2.0, 1.0]), [0.5, 3.0, 0.5, 0.5, 3.0, 0.5]);
        assert!(upright([f32::NAN, 0.0, 0.0, 1.0, 1.0, 1.0])[0].is_nan());
    }

    #[test]
    fn instance_layout() {
        let instance = Instance { bottom: None, transform: IDENTITY, id: 0x123456, mask: 0xab, hit_group_offset: 7, flags: 5 };
        let mut out = Vec::new();
        instance_bytes(&instance, 0x1122334455667788, &mut out).unwrap();
        assert_eq!(out.len(), 64);
        assert_eq!(out[48..52], [0x56, 0x34, 0x12, 0xab]);
        assert_eq!(out[52..56], [7, 0, 0, 5]);
        assert_eq!(out[56..], 0x1122334455667788u64.to_le_bytes());
        let too_large = Instance { id: 1 << 24, ..instance };
        assert!(instance_bytes(&too_large, 0, &mut out).is_err());
        let micromaps = Instance { flags: INSTANCE_DISABLE_OMMS, ..instance };
        assert!(instance_bytes(&micromaps, 0, &mut out).unwrap_err().contains("opacity micromaps"));
    }
}
