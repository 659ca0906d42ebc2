//! What structures are built from, with its sizes.

use super::super::device::Device;
use super::micromaps::MicromapLinkage;
use super::raw::RawInputs;
use super::{build_flag, vk};
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

/// Triangles: the fields of [`Geometry::Triangles`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Triangles {
    /// Address of the first vertex; a multiple of the size of a component.
    pub vertices: u64,
    /// From vertex to vertex; a multiple of the size of a component.
    pub stride: u64,
    /// `VkFormat` of positions: see [`super::VERTEX_FORMATS`].
    pub format: i32,
    /// How many vertices.
    pub vertex_count: u32,
    /// Indices; none: three consecutive vertices are a triangle.
    pub indices: Option<Indices>,
    /// Address of a 3×4 matrix, a multiple of 16.
    pub transform: Option<u64>,
    /// `D3D12_RAYTRACING_GEOMETRY_FLAG_*`.
    pub flags: u32,
}

impl Triangles {
    /// Corners of triangles: three times as many.
    pub(super) fn corners(&self) -> u32 {
        self.indices.map_or(self.vertex_count, |i| i.count)
    }
}

impl From<Triangles> for Geometry {
    fn from(t: Triangles) -> Geometry {
        let Triangles { vertices, stride, format, vertex_count, indices, transform, flags } = t;
        Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags }
    }
}

/// A geometry of a bottom-level structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Geometry {
    /// `D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC`.
    Triangles {
        /// Address of the first vertex; a multiple of the size of a component.
        vertices: u64,
        /// From vertex to vertex; a multiple of the size of a component.
        stride: u64,
        /// `VkFormat` of positions: see [`super::VERTEX_FORMATS`].
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
    /// `D3D12_RAYTRACING_GEOMETRY_OMM_TRIANGLES_DESC`: triangles with opacity micromaps (`VK_EXT_opacity_micromap`).
    MicromapTriangles {
        /// The triangles.
        triangles: Triangles,
        /// What they have for micromaps.
        micromaps: MicromapLinkage,
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
    /// Its triangles, with what they have for micromaps; none: boxes.
    pub(super) fn triangles(&self) -> Option<(Triangles, Option<MicromapLinkage>)> {
        match *self {
            Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } => {
                Some((Triangles { vertices, stride, format, vertex_count, indices, transform, flags }, None))
            }
            Geometry::MicromapTriangles { triangles, micromaps } => Some((triangles, Some(micromaps))),
            Geometry::Boxes { .. } => None,
        }
    }

    pub(super) fn primitives(&self) -> u32 {
        match self {
            Geometry::Boxes { count, .. } => *count,
            _ => self.triangles().map_or(0, |(t, _)| t.corners() / 3),
        }
    }

    /// What an update must keep, and the micromaps.
    fn shape(&self) -> GeometryShape {
        let mut out = GeometryShape { primitives: self.primitives(), ..Default::default() };
        if let Geometry::Boxes { flags, .. } = *self {
            out.kind = 1;
            out.flags = flags;
        }
        if let Some((t, micromaps)) = self.triangles() {
            out.flags = t.flags;
            out.vertices = t.vertex_count;
            out.format = t.format;
            out.index_size = t.indices.map_or(0, |i| if i.wide { 4 } else { 2 });
            out.transform = t.transform.is_some();
            out.micromaps = micromaps.map(|m| (m.micromaps, m.base, m.indices.map_or(0, |i| i.size)));
        }
        out
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
        /// Address of the instances: [`super::INSTANCE_SIZE`] bytes each with addresses of [`super::Accel::address`], a multiple
        /// of 16; or of pointers to them, a multiple of 8.
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
    /// Build flags; an update is none of them.
    pub flags: u32,
    /// The geometries; of a top-level structure one, which are its instances.
    pub geometries: Vec<GeometryShape>,
}

impl Shape {
    /// That of a structure that was read from bytes: it can be traced, copied and serialised, but no update fits.
    pub fn unknown() -> Shape {
        Shape { flags: 0, geometries: Vec::new() }
    }
}

/// What a geometry was built from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct GeometryShape {
    /// Triangles, boxes, instances.
    pub kind: u8,
    pub primitives: u32,
    pub flags: u32,
    pub vertices: u32,
    pub format: i32,
    /// Bytes of an index; 0: none.
    pub index_size: u8,
    pub transform: bool,
    /// The array of micromaps, the base, and bytes of an index.
    pub micromaps: Option<(u64, u32, u8)>,
}

impl GeometryShape {
    /// Whether an update may make `now` of it; whether it may refer to `new_micromaps`.
    pub fn fits(&self, now: &GeometryShape, new_micromaps: bool) -> bool {
        let same = GeometryShape { micromaps: now.micromaps, ..*self } == *now;
        let kept = if new_micromaps { self.micromaps.is_some() == now.micromaps.is_some() } else { self.micromaps == now.micromaps };
        same && kept
    }
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

    /// Whether the flags say that it is an update.
    pub(super) fn says_update(&self) -> bool {
        self.flags() & build_flag::PERFORM_UPDATE != 0
    }

    pub(super) fn shape(&self) -> Shape {
        let flags = self.flags() & !build_flag::PERFORM_UPDATE;
        let geometries = match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(Geometry::shape).collect(),
            Inputs::Top { count, .. } => vec![GeometryShape { kind: 2, primitives: *count, ..Default::default() }],
        };
        Shape { flags, geometries }
    }

    /// Most primitives of each geometry.
    pub(super) fn counts(&self) -> Vec<u32> {
        match self {
            Inputs::Bottom { geometries, .. } => geometries.iter().map(Geometry::primitives).collect(),
            Inputs::Top { count, .. } => vec![*count],
        }
    }

    /// Bytes that the structure and its builds need. Smaller counts of the same need no more; zero geometries, primitives or instances are
    /// an empty structure.
    ///
    /// # Errors
    /// See [`Inputs::check`].
    pub fn sizes(&self, device: &Device) -> Result<Sizes> {
        self.check(device)?;
        Ok(self.sizes_with(device, self.flags(), vk::AccelerationStructureBuildTypeKHR::DEVICE))
    }

    /// The same for inputs that were checked, with other flags, and for builds on the host.
    pub(super) fn sizes_with(&self, device: &Device, flags: u32, place: vk::AccelerationStructureBuildTypeKHR) -> Sizes {
        let raw = RawInputs::new(self);
        let info = raw.describe(flags);
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        // SAFETY: `raw` has as many counts as geometries, which are alive.
        unsafe { device.raw().get_acceleration_structure_build_sizes_khr(place, &info, &raw.counts, &mut sizes) };
        let update = if flags & build_flag::ALLOW_UPDATE != 0 { sizes.update_scratch_size } else { 0 };
        Sizes { result: sizes.acceleration_structure_size, scratch: sizes.build_scratch_size, update_scratch: update }
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

    #[test]
    fn an_update_is_no_part_of_the_shape() {
        let inputs = |flags| Inputs::Bottom { geometries: Vec::new(), flags };
        let update = inputs(build_flag::ALLOW_UPDATE | build_flag::PERFORM_UPDATE);
        assert!(update.says_update());
        assert_eq!(update.shape(), inputs(build_flag::ALLOW_UPDATE).shape());
        assert_ne!(update.shape(), inputs(0).shape());
    }

    #[test]
    fn an_update_keeps_micromaps_unless_it_may_change_them() {
        let triangles = Triangles { vertices: 64, stride: 12, format: 106, vertex_count: 3, indices: None, transform: None, flags: 0 };
        let with = |micromaps| {
            let micromaps = MicromapLinkage { micromaps, indices: None, base: 0, usage: Default::default() };
            Geometry::MicromapTriangles { triangles, micromaps }.shape()
        };
        assert!(with(5).fits(&with(5), false) && with(5).fits(&with(6), true));
        assert!(!with(5).fits(&with(6), false));
        let without = Geometry::from(triangles).shape();
        assert!(!with(5).fits(&without, true) && !without.fits(&with(5), true), "an update neither adds nor removes micromaps");
    }
}
