//! What triangles have for opacity micromaps, and counts of micromaps.

use crate::boundary::{Failure, HasSize, Of, invalid, slice, structure};
use rtc_engine::vulkan::accel::{Geometry, MicromapIndices, MicromapLinkage, MicromapUsage, Triangles};

/// How many micromaps there are of a level and a format: `D3D12_RAYTRACING_OPACITY_MICROMAP_HISTOGRAM_ENTRY`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct rtcrt_micromap_count {
    /// How many.
    pub count: u32,
    /// The level of subdivision, at most 12.
    pub level: u32,
    /// `D3D12_RAYTRACING_OPACITY_MICROMAP_FORMAT_*`: 1 for two states, 2 for four.
    pub format: u32,
}

/// Counts of the caller.
///
/// # Safety
/// `list` is null or points to `count` counts.
pub(crate) unsafe fn read_usage(list: *const rtcrt_micromap_count, count: usize) -> Result<MicromapUsage, Failure> {
    let mut usage = MicromapUsage::default();
    // SAFETY: this function's contract.
    for c in unsafe { slice(list, count) }.of("counts")? {
        usage.add(c.level, c.format, c.count)?;
    }
    Ok(usage)
}

/// The same the other way round.
pub(crate) fn counts_of(usage: &MicromapUsage) -> Vec<rtcrt_micromap_count> {
    usage.iter().map(|(level, format, count)| rtcrt_micromap_count { count, level, format }).collect()
}

/// `D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC`. Set all members to zero and `size` to `sizeof(rtcrt_micromap_linkage)` first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_micromap_linkage {
    /// `sizeof(rtcrt_micromap_linkage)`.
    pub size: usize,
    /// `rtcrt_micromaps_handle` of the array, which must outlive the structure; 0 if all triangles have special indices.
    pub micromaps: u64,
    /// Address of an index for each triangle: into the array, or a `D3D12_RAYTRACING_OPACITY_MICROMAP_SPECIAL_INDEX_*`. A multiple of
    /// `index_size`.
    pub index_address: u64,
    /// From one to the next; a multiple of `index_size`.
    pub index_stride: u64,
    /// Bytes of an index, 4 or 2; 0: there are none, and each triangle has the micromap of its number.
    pub index_size: u32,
    /// Added to what is not a special index.
    pub base: u32,
    /// How many triangles refer to a micromap of each level and format; `rtcrt_micromaps_counts` if each micromap has one triangle.
    pub counts: *const rtcrt_micromap_count,
    /// How many counts.
    pub count: usize,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_micromap_linkage {}

/// A geometry with what its triangles have for micromaps.
///
/// # Safety
/// `linkage` is null or points to a linkage, whose counts are valid.
pub(crate) unsafe fn with_micromaps(
    geometry: Geometry,
    linkage: *const rtcrt_micromap_linkage,
    argument: &str,
) -> Result<Geometry, Failure> {
    let Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } = geometry else {
        return Err(invalid(format!("`{argument}` is there, but the geometry has no triangles")));
    };
    // SAFETY: this function's contract.
    let (l, usage) = unsafe {
        let l = structure(linkage, argument)?;
        (l, read_usage(l.counts, l.count)?)
    };
    let size = u8::try_from(l.index_size).map_err(|_| invalid(format!("`index_size` is {}", l.index_size)))?;
    let of_micromaps = MicromapIndices { address: l.index_address, stride: l.index_stride, size };
    Ok(Geometry::MicromapTriangles {
        triangles: Triangles { vertices, stride, format, vertex_count, indices, transform, flags },
        micromaps: MicromapLinkage { micromaps: l.micromaps, indices: (size != 0).then_some(of_micromaps), base: l.base, usage },
    })
}
