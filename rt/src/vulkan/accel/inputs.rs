//! What structures are built from, with its sizes, as Vulkan has it.

use super::super::device::Device;
use super::{build_flag, level, vk};
use crate::error::Result;
use vulkanalia::vk::KhrAccelerationStructureExtensionDeviceCommands;

/// Vertex indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indices {
    /// Address of the first; a multiple of the size of an index.
    pub address: u64,
    /// 32 bits, or 16.
    pub wide: bool,
    /// How many.
    pub count: u32,
}

/// A geometry of a bottom-level structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Geometry {
    /// `D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC`.
    Triangles {
        /// Address of the first vertex.
        vertices: u64,
        /// From vertex to vertex.
        stride: u64,
        /// `VkFormat` of positions.
        format: i32,
        /// How many vertices.
        vertex_count: u32,
        /// Indices; none: three consecutive vertices are a triangle.
        indices: Option<Indices>,
        /// Address of a 3×4 matrix, a multiple of 16.
        transform: Option<u64>,
        /// `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
        flags: u32,
    },
    /// `D3D12_RAYTRACING_GEOMETRY_AABBS_DESC`.
    Boxes {
        /// Address of the first box, a multiple of 8.
        address: u64,
        /// From box to box, a multiple of 8.
        stride: u64,
        /// How many boxes.
        count: u32,
        /// `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
        flags: u32,
    },
}

impl Geometry {
    pub(super) fn primitives(&self) -> u32 {
        match self {
            Geometry::Triangles { vertex_count, indices, .. } => indices.map_or(*vertex_count, |i| i.count) / 3,
            Geometry::Boxes { count, .. } => *count,
        }
    }

    /// What an update must keep: kind, primitives, vertices, format, indices, transform, flags.
    pub(super) fn shape(&self) -> [u64; 7] {
        match *self {
            Geometry::Triangles { format, vertex_count, indices, transform, flags, .. } => [
                0,
                self.primitives().into(),
                vertex_count.into(),
                format as u64,
                indices.map_or(0, |i| 1 + u64::from(i.wide)),
                transform.is_some().into(),
                flags.into(),
            ],
            Geometry::Boxes { count, flags, .. } => [1, count.into(), 0, 0, 0, 0, flags.into()],
        }
    }
}

/// What a structure is built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// A bottom-level structure of geometries, all of one kind.
    Bottom {
        /// The geometries.
        geometries: Vec<Geometry>,
        /// [`build_flag`]s.
        flags: u32,
    },
    /// A top-level structure.
    Top {
        /// Address of the instances: [`INSTANCE_SIZE`] bytes each with addresses of [`Accel::address`], or of pointers to them; a multiple of 16.
        instances: u64,
        /// How many.
        count: u32,
        /// The address is that of pointers.
        pointers: bool,
        /// [`build_flag`]s.
        flags: u32,
    },
}

/// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Bytes of the structure.
    pub result: u64,
    /// Scratch bytes of a build.
    pub scratch: u64,
    /// Scratch bytes of an update.
    pub update_scratch: u64,
}

/// What a structure was built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub flags: u32,
    pub geometries: Vec<[u64; 7]>,
}

impl Inputs {
    pub(super) fn top(&self) -> bool {
        matches!(self, Inputs::Top { .. })
    }

    pub(super) fn flags(&self) -> u32 {
        match self {
            Inputs::Bottom { flags, .. } | Inputs::Top { flags, .. } => *flags,
        }
    }

    pub(super) fn shape(&self) -> Shape {
        let geometries = match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(Geometry::shape).collect(),
            Inputs::Top { count, .. } => vec![[2, u64::from(*count), 0, 0, 0, 0, 0]],
        };
        Shape { flags: self.flags(), geometries }
    }

    pub(super) fn counts(&self) -> Vec<u32> {
        match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(Geometry::primitives).collect(),
            Inputs::Top { count, .. } => vec![*count],
        }
    }

    pub(super) fn geometries(&self) -> Vec<vk::AccelerationStructureGeometryKHR> {
        match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(raw_geometry).collect(),
            Inputs::Top { instances, pointers, .. } => vec![vk::AccelerationStructureGeometryKHR {
                geometry_type: vk::GeometryTypeKHR::INSTANCES,
                geometry: vk::AccelerationStructureGeometryDataKHR {
                    instances: vk::AccelerationStructureGeometryInstancesDataKHR {
                        array_of_pointers: (*pointers).into(),
                        data: at(*instances),
                        ..Default::default()
                    },
                },
                ..Default::default()
            }],
        }
    }

    /// Bytes that the structure and its builds need. Smaller counts of the same need no more.
    ///
    /// # Errors
    /// See [`Inputs::check`].
    pub fn sizes(&self, device: &Device) -> Result<Sizes> {
        self.check(device)?;
        let geometries = self.geometries();
        let info = describe(self, &geometries);
        let counts = self.counts();
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        // SAFETY: `info` and `counts` describe the same geometries, which are alive.
        unsafe {
            let build = vk::AccelerationStructureBuildTypeKHR::DEVICE;
            device.raw().get_acceleration_structure_build_sizes_khr(build, &info, &counts, &mut sizes);
        }
        let update = if self.flags() & build_flag::ALLOW_UPDATE != 0 { sizes.update_scratch_size } else { 0 };
        Ok(Sizes { result: sizes.acceleration_structure_size, scratch: sizes.build_scratch_size, update_scratch: update })
    }
}

pub(super) fn at(address: u64) -> vk::DeviceOrHostAddressConstKHR {
    vk::DeviceOrHostAddressConstKHR { device_address: address }
}

pub(super) fn raw_geometry(g: &Geometry) -> vk::AccelerationStructureGeometryKHR {
    let (kind, flags, geometry) = match *g {
        Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } => (
            vk::GeometryTypeKHR::TRIANGLES,
            flags,
            vk::AccelerationStructureGeometryDataKHR {
                triangles: vk::AccelerationStructureGeometryTrianglesDataKHR {
                    vertex_format: vk::Format::from_raw(format),
                    vertex_data: at(vertices),
                    vertex_stride: stride,
                    max_vertex: vertex_count.saturating_sub(1),
                    index_type: match indices {
                        None => vk::IndexType::NONE_KHR,
                        Some(i) if i.wide => vk::IndexType::UINT32,
                        Some(_) => vk::IndexType::UINT16,
                    },
                    index_data: at(indices.map_or(0, |i| i.address)),
                    transform_data: at(transform.unwrap_or(0)),
                    ..Default::default()
                },
            },
        ),
        Geometry::Boxes { address, stride, flags, .. } => (
            vk::GeometryTypeKHR::AABBS,
            flags,
            vk::AccelerationStructureGeometryDataKHR {
                aabbs: vk::AccelerationStructureGeometryAabbsDataKHR { data: at(address), stride, ..Default::default() },
            },
        ),
    };
    vk::AccelerationStructureGeometryKHR {
        geometry_type: kind,
        geometry,
        flags: vk::GeometryFlagsKHR::from_bits_truncate(flags),
        ..Default::default()
    }
}

/// A build without its structures and scratch memory.
pub(super) fn describe(
    inputs: &Inputs,
    geometries: &[vk::AccelerationStructureGeometryKHR],
) -> vk::AccelerationStructureBuildGeometryInfoKHR {
    use vk::BuildAccelerationStructureFlagsKHR as B;
    let flags = inputs.flags();
    let mut raw = B::from_bits_truncate(flags & 0x1f);
    if flags & build_flag::ALLOW_DATA_ACCESS != 0 {
        raw |= B::ALLOW_DATA_ACCESS;
    }
    vk::AccelerationStructureBuildGeometryInfoKHR {
        type_: level(inputs.top()),
        flags: raw,
        mode: vk::BuildAccelerationStructureModeKHR::BUILD,
        geometry_count: geometries.len() as u32,
        geometries: geometries.as_ptr(),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_keeps_the_shape() {
        let triangles = |vertices, count, flags| Geometry::Triangles {
            vertices,
            stride: 12,
            format: vk::Format::R32G32B32_SFLOAT.as_raw(),
            vertex_count: count,
            indices: None,
            transform: None,
            flags,
        };
        let shape = |g: Geometry| Inputs::Bottom { geometries: vec![g], flags: 1 }.shape();
        assert_eq!(shape(triangles(64, 3, 0)), shape(triangles(128, 3, 0)));
        assert_ne!(shape(triangles(64, 3, 0)), shape(triangles(64, 6, 0)));
        assert_ne!(shape(triangles(64, 3, 0)), shape(triangles(64, 3, 1)));
        let boxes = Geometry::Boxes { address: 64, stride: 24, count: 1, flags: 0 };
        assert_ne!(shape(triangles(64, 3, 0)), shape(boxes));
    }
}
