//! Inputs of a structure as Vulkan has them.

use super::micromaps::MicromapLinkage;
use super::{Geometry, Inputs, Triangles, build_flag, level, vk};
use vulkanalia::vk::Handle;

/// Inputs of a build. The structures point to each other, so that none is changed once it is made.
pub(super) struct RawInputs {
    top: bool,
    geometries: Vec<vk::AccelerationStructureGeometryKHR>,
    /// Most primitives of each geometry.
    pub counts: Vec<u32>,
    _micromaps: Vec<vk::AccelerationStructureTrianglesOpacityMicromapEXT>,
    _usages: Vec<Vec<vk::MicromapUsageEXT>>,
}

/// An address of the device.
pub(super) fn at(address: u64) -> vk::DeviceOrHostAddressConstKHR {
    vk::DeviceOrHostAddressConstKHR { device_address: address }
}

impl RawInputs {
    pub fn new(inputs: &Inputs) -> RawInputs {
        let counts = inputs.counts();
        let top = inputs.top();
        match inputs {
            Inputs::Bottom { geometries, .. } => {
                let linked = || geometries.iter().filter_map(|g| g.triangles()?.1);
                let usages: Vec<_> = linked().map(|m| m.usage.raw()).collect();
                let micromaps: Vec<_> = linked().zip(&usages).map(|(m, usage)| raw_linkage(&m, usage)).collect();
                let mut next = micromaps.iter();
                let geometries = geometries.iter().map(|g| raw_geometry(g, &mut next)).collect();
                RawInputs { top, geometries, counts, _micromaps: micromaps, _usages: usages }
            }
            Inputs::Top { instances, pointers, .. } => {
                let instances = vk::AccelerationStructureGeometryInstancesDataKHR {
                    array_of_pointers: (*pointers).into(),
                    data: at(*instances),
                    ..Default::default()
                };
                let geometry = vk::AccelerationStructureGeometryKHR {
                    geometry_type: vk::GeometryTypeKHR::INSTANCES,
                    geometry: vk::AccelerationStructureGeometryDataKHR { instances },
                    ..Default::default()
                };
                RawInputs { top, geometries: vec![geometry], counts, _micromaps: Vec::new(), _usages: Vec::new() }
            }
        }
    }

    /// A build with D3D12's flags, without its structures and scratch memory. `self` must outlive it.
    pub fn describe(&self, flags: u32) -> vk::AccelerationStructureBuildGeometryInfoKHR {
        vk::AccelerationStructureBuildGeometryInfoKHR {
            type_: level(self.top),
            flags: raw_flags(flags),
            mode: vk::BuildAccelerationStructureModeKHR::BUILD,
            geometry_count: self.geometries.len() as u32,
            geometries: self.geometries.as_ptr(),
            ..Default::default()
        }
    }

    /// The ranges of a build of all primitives.
    pub fn ranges(&self) -> Vec<vk::AccelerationStructureBuildRangeInfoKHR> {
        let range = |&primitive_count| vk::AccelerationStructureBuildRangeInfoKHR { primitive_count, ..Default::default() };
        self.counts.iter().map(range).collect()
    }
}

/// D3D12's build flags as Vulkan has them. An update is no flag there.
fn raw_flags(flags: u32) -> vk::BuildAccelerationStructureFlagsKHR {
    use build_flag::{ALLOW_DATA_ACCESS, PERFORM_UPDATE};
    use vk::BuildAccelerationStructureFlagsKHR as B;
    let mut raw = B::from_bits_truncate(flags & !(PERFORM_UPDATE | ALLOW_DATA_ACCESS));
    if flags & ALLOW_DATA_ACCESS != 0 {
        raw |= B::ALLOW_DATA_ACCESS;
    }
    raw
}

fn raw_linkage(m: &MicromapLinkage, usage: &[vk::MicromapUsageEXT]) -> vk::AccelerationStructureTrianglesOpacityMicromapEXT {
    vk::AccelerationStructureTrianglesOpacityMicromapEXT {
        index_type: match m.indices.map(|i| i.size) {
            None => vk::IndexType::NONE_KHR,
            Some(2) => vk::IndexType::UINT16,
            Some(_) => vk::IndexType::UINT32,
        },
        index_buffer: at(m.indices.map_or(0, |i| i.address)),
        index_stride: m.indices.map_or(0, |i| i.stride),
        base_triangle: m.base,
        usage_counts_count: usage.len() as u32,
        usage_counts: usage.as_ptr(),
        micromap: vk::MicromapEXT::from_raw(m.micromaps),
        ..Default::default()
    }
}

fn raw_triangles(t: &Triangles) -> vk::AccelerationStructureGeometryTrianglesDataKHR {
    vk::AccelerationStructureGeometryTrianglesDataKHR {
        vertex_format: vk::Format::from_raw(t.format),
        vertex_data: at(t.vertices),
        vertex_stride: t.stride,
        max_vertex: t.vertex_count.saturating_sub(1),
        index_type: match t.indices {
            None => vk::IndexType::NONE_KHR,
            Some(i) if i.wide => vk::IndexType::UINT32,
            Some(_) => vk::IndexType::UINT16,
        },
        index_data: at(t.indices.map_or(0, |i| i.address)),
        transform_data: at(t.transform.unwrap_or(0)),
        ..Default::default()
    }
}

/// A geometry; one with micromaps takes the next of `linkages`.
fn raw_geometry(
    g: &Geometry,
    linkages: &mut std::slice::Iter<vk::AccelerationStructureTrianglesOpacityMicromapEXT>,
) -> vk::AccelerationStructureGeometryKHR {
    let (kind, flags, geometry) = match (*g, g.triangles()) {
        (Geometry::Boxes { address, stride, flags, .. }, _) => {
            let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR { data: at(address), stride, ..Default::default() };
            (vk::GeometryTypeKHR::AABBS, flags, vk::AccelerationStructureGeometryDataKHR { aabbs })
        }
        (_, Some((t, micromaps))) => {
            let mut triangles = raw_triangles(&t);
            if let Some(linkage) = micromaps.and_then(|_| linkages.next()) {
                triangles.next = std::ptr::from_ref(linkage).cast();
            }
            (vk::GeometryTypeKHR::TRIANGLES, t.flags, vk::AccelerationStructureGeometryDataKHR { triangles })
        }
        (_, None) => Default::default(),
    };
    vk::AccelerationStructureGeometryKHR {
        geometry_type: kind,
        geometry,
        flags: vk::GeometryFlagsKHR::from_bits_truncate(flags),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_d3d12_and_vulkan() {
        use vk::BuildAccelerationStructureFlagsKHR as B;
        assert_eq!(raw_flags(build_flag::PERFORM_UPDATE), B::empty(), "an update is a mode");
        assert_eq!(raw_flags(build_flag::ALLOW_DATA_ACCESS), B::ALLOW_DATA_ACCESS);
        assert_eq!(raw_flags(build_flag::ALLOW_OMM_LINKAGE_UPDATE), B::ALLOW_OPACITY_MICROMAP_UPDATE_EXT);
        assert_eq!(raw_flags(build_flag::ALLOW_DISABLE_OMMS), B::ALLOW_DISABLE_OPACITY_MICROMAPS_EXT);
        let usual = B::ALLOW_UPDATE | B::ALLOW_COMPACTION | B::PREFER_FAST_TRACE | B::PREFER_FAST_BUILD | B::LOW_MEMORY;
        assert_eq!(raw_flags(0x1f), usual);
    }

    /// Each geometry points to its own micromaps, and those to their counts.
    #[test]
    fn geometries_point_to_their_micromaps() {
        let triangles = Triangles { vertices: 64, stride: 12, format: 106, vertex_count: 3, indices: None, transform: None, flags: 1 };
        let with = |micromaps: u64, count| {
            let mut usage = super::super::MicromapUsage::default();
            usage.add(3, 2, count).unwrap();
            Geometry::MicromapTriangles { triangles, micromaps: MicromapLinkage { micromaps, indices: None, base: 9, usage } }
        };
        let inputs = Inputs::Bottom { geometries: vec![with(7, 70), triangles.into(), with(8, 80)], flags: 0 };
        let raw = RawInputs::new(&inputs);
        let info = raw.describe(inputs.flags());
        assert_eq!((info.geometry_count, raw.counts.as_slice()), (3, [1; 3].as_slice()));
        for (i, expected) in [Some((7, 70)), None, Some((8, 80))].into_iter().enumerate() {
            // SAFETY: `raw` is alive, and all of its geometries are triangles.
            let found = unsafe {
                let geometry = &*info.geometries.add(i);
                assert_eq!(geometry.geometry_type, vk::GeometryTypeKHR::TRIANGLES);
                assert_eq!(geometry.flags, vk::GeometryFlagsKHR::OPAQUE);
                let next = geometry.geometry.triangles.next;
                next.cast::<vk::AccelerationStructureTrianglesOpacityMicromapEXT>().as_ref().map(|m| {
                    assert_eq!((m.index_type, m.base_triangle, m.usage_counts_count), (vk::IndexType::NONE_KHR, 9, 1));
                    let usage = *m.usage_counts;
                    assert_eq!((usage.subdivision_level, usage.format), (3, 2));
                    (m.micromap.as_raw(), usage.count)
                })
            };
            assert_eq!(found, expected);
        }
    }
}
