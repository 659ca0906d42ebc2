//! What the triangles of a geometry have for micromaps.

use super::super::super::device::Device;
use super::super::demand::aligned;
use super::{MicromapUsage, max_levels, need_micromaps};
use crate::error::{Error, ErrorKind, Result};

/// Indices of triangles that have no micromap of their own: `D3D12_RAYTRACING_OPACITY_MICROMAP_SPECIAL_INDEX_*`, in as many bits as
/// an index has.
pub mod special_index {
    /// Transparent everywhere.
    pub const FULLY_TRANSPARENT: i32 = -1;
    /// Opaque everywhere.
    pub const FULLY_OPAQUE: i32 = -2;
    /// Unknown everywhere, and transparent where two states are used.
    pub const FULLY_UNKNOWN_TRANSPARENT: i32 = -3;
    /// Unknown everywhere, and opaque where two states are used.
    pub const FULLY_UNKNOWN_OPAQUE: i32 = -4;
    /// Of a triangle in a cluster: its geometry says whether it is opaque.
    pub const CLUSTER_SKIP: i32 = -5;
}

/// For each triangle an index into an array of micromaps, or a [`special_index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MicromapIndices {
    /// Address of the first; a multiple of the size.
    pub address: u64,
    /// From one to the next; a multiple of the size.
    pub stride: u64,
    /// Bytes of an index: 4 or 2. `VK_EXT_opacity_micromap` has no indices of 1.
    pub size: u8,
}

/// `D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MicromapLinkage {
    /// [`super::Micromaps::handle`], which must outlive the structure; 0 if all triangles have special indices.
    pub micromaps: u64,
    /// An index for each triangle; none: the triangle's number.
    pub indices: Option<MicromapIndices>,
    /// Added to what is not a special index.
    pub base: u32,
    /// How many triangles refer to a micromap of each level and format; [`super::Micromaps::usage`] if each micromap has one triangle.
    pub usage: MicromapUsage,
}

pub(in super::super) fn check_linkage(device: &Device, m: &MicromapLinkage) -> Result<()> {
    need_micromaps(device)?;
    check(m)?;
    check_levels(device, &m.usage)
}

fn check(m: &MicromapLinkage) -> Result<()> {
    let wrong = |why: String| Err(Error::new(ErrorKind::Binding, why));
    let Some(i) = m.indices else {
        return match m.micromaps {
            0 => wrong("triangles refer to micromaps by their number, and there is no array".into()),
            _ => Ok(()),
        };
    };
    match i.size {
        2 | 4 => {}
        1 => {
            let why = "VK_EXT_opacity_micromap has no indices of 8 bits; 16 or 32 bits do";
            return Err(Error::new(ErrorKind::Limit, why));
        }
        other => return wrong(format!("micromap indices of {other} bytes")),
    }
    aligned(i.address, i.size.into(), "micromap indices")?;
    if !i.stride.is_multiple_of(i.size.into()) {
        return wrong(format!("a stride of {} bytes between micromap indices, which must be a multiple of {}", i.stride, i.size));
    }
    Ok(())
}

/// # Errors
/// There are finer micromaps than the device takes.
pub(super) fn check_levels(device: &Device, usage: &MicromapUsage) -> Result<()> {
    let levels = max_levels(device)?;
    match usage.iter().find(|(level, format, _)| *level > levels[*format as usize - 1]) {
        None => Ok(()),
        Some((level, format, _)) => {
            let (states, most) = (2 * format, levels[format as usize - 1]);
            let why = format!("micromaps of level {level} with {states} states, {} takes levels up to {most}", device.name());
            Err(Error::new(ErrorKind::Limit, why))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkages_that_are_wrong() {
        let usual = MicromapLinkage {
            micromaps: 5,
            indices: Some(MicromapIndices { address: 64, stride: 4, size: 4 }),
            base: 0,
            usage: MicromapUsage::default(),
        };
        let with = |address, stride, size| MicromapLinkage { indices: Some(MicromapIndices { address, stride, size }), ..usual };
        check(&usual).unwrap();
        check(&MicromapLinkage { indices: None, ..usual }).unwrap();
        check(&MicromapLinkage { micromaps: 0, ..usual }).unwrap();
        check(&with(66, 2, 2)).unwrap();
        for (m, kind, what) in [
            (MicromapLinkage { micromaps: 0, indices: None, ..usual }, ErrorKind::Binding, "there is no array"),
            (with(64, 1, 1), ErrorKind::Limit, "VK_EXT_opacity_micromap has no indices of 8 bits"),
            (with(64, 3, 3), ErrorKind::Binding, "indices of 3 bytes"),
            (with(66, 4, 4), ErrorKind::Binding, "micromap indices at 0x42"),
            (with(0, 4, 4), ErrorKind::Binding, "micromap indices at 0x0"),
            (with(64, 2, 4), ErrorKind::Binding, "a stride of 2 bytes"),
        ] {
            let e = check(&m).unwrap_err();
            assert_eq!(e.kind, kind, "{e}");
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
    }
}
