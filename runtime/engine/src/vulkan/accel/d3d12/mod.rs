//! D3D12's descriptions of build inputs, as the bytes that they are in a 64-bit process.
//!
//! | bytes | gives |
//! |---|---|
//! | `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS` | [`Inputs::of_d3d12`]; [`Inputs::of_d3d12_pointer`] follows its pointers |
//! | `D3D12_RAYTRACING_GEOMETRY_DESC` | [`Geometry::of_d3d12`] |
//! | `D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC` | [`MicromapInputs::of_d3d12`] |
//!
//! Addresses in them are those of another API's buffers; [`Addresses`] replaces them. What D3D12 and Vulkan demand of values is checked
//! where they are used.

use super::formats::vertex_format_of_dxgi;
use super::micromaps::{MicromapIndices, MicromapInputs, MicromapLinkage, MicromapUsage};
use super::{Geometry, Indices, Inputs, Triangles};
use crate::error::{Error, ErrorKind, Result};
use std::ffi::c_void;

/// Bytes of `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS`.
pub const INPUTS_SIZE: usize = 24;
/// Bytes of `D3D12_RAYTRACING_GEOMETRY_DESC`.
pub const GEOMETRY_SIZE: usize = 56;
/// Bytes of `D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC`.
pub const TRIANGLES_SIZE: usize = 48;
/// Bytes of `D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC`.
pub const LINKAGE_SIZE: usize = 32;
/// Bytes of `D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC`.
pub const MICROMAP_ARRAY_SIZE: usize = 40;
/// Bytes of `D3D12_RAYTRACING_OPACITY_MICROMAP_HISTOGRAM_ENTRY`.
pub const HISTOGRAM_ENTRY_SIZE: usize = 12;

const UNKNOWN: u32 = 0;
const R32_UINT: u32 = 42;
const R16_UINT: u32 = 57;
const R8_UINT: u32 = 62;

/// What addresses in descriptions are in Vulkan. A function from addresses to addresses is one without micromaps.
pub trait Addresses {
    /// The device address of memory at an address of D3D12; none: it is unknown.
    fn memory(&mut self, address: u64) -> Option<u64>;

    /// The array of micromaps that was built at an address of D3D12: its handle, and how many triangles refer to micromaps of each level and
    /// format.
    fn micromaps(&mut self, _address: u64) -> Option<(u64, MicromapUsage)> {
        None
    }
}

impl<F: FnMut(u64) -> Option<u64>> Addresses for F {
    fn memory(&mut self, address: u64) -> Option<u64> {
        self(address)
    }
}

/// A `D3D12_RAYTRACING_GEOMETRY_DESC` with what its pointers point to.
#[derive(Clone, Copy, Debug)]
pub struct GeometryDesc<'a> {
    /// Its [`GEOMETRY_SIZE`] bytes.
    pub desc: &'a [u8],
    /// Of triangles with micromaps: [`TRIANGLES_SIZE`] and [`LINKAGE_SIZE`] bytes.
    pub pointed_to: Option<[&'a [u8]; 2]>,
}

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Binding, why))
}

/// Bytes of a structure of fixed size. Offsets lie inside by construction of the callers; outside is zero.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    fn new(bytes: &'a [u8], size: usize, name: &str) -> Result<Bytes<'a>> {
        match bytes.len() == size {
            true => Ok(Bytes(bytes)),
            false => wrong(format!("{name} has {size} bytes, not {}", bytes.len())),
        }
    }

    pub fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|i| self.0.get(at + i).copied().unwrap_or(0))
    }

    pub fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    pub fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }

    /// An address; null stays null.
    pub fn address(&self, at: usize, what: &str, addresses: &mut (impl Addresses + ?Sized)) -> Result<u64> {
        match self.u64(at) {
            0 => Ok(0),
            address => match addresses.memory(address) {
                Some(translated) => Ok(translated),
                None => wrong(format!("{what} in unknown memory at {address:#x}")),
            },
        }
    }
}

impl Inputs {
    /// Inputs from the bytes of `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS`. Of a bottom-level structure, `geometries` has the
    /// bytes that its pointer points to, or, one after the other, those that its pointers do.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: bytes of another size, unknown values, memory that is unknown, triangles with micromaps (whose pointers
    /// [`Geometry::of_d3d12`] and [`Inputs::of_d3d12_pointer`] follow).
    pub fn of_d3d12(inputs: &[u8], geometries: &[u8], addresses: &mut (impl Addresses + ?Sized)) -> Result<Inputs> {
        let (chunks, rest) = geometries.as_chunks::<GEOMETRY_SIZE>();
        if !rest.is_empty() {
            return wrong(format!("{} bytes are no whole number of geometries", geometries.len()));
        }
        let descs: Vec<_> = chunks.iter().map(|desc| GeometryDesc { desc, pointed_to: None }).collect();
        Inputs::of_d3d12_geometries(inputs, &descs, addresses)
    }

    /// The same for geometries anywhere, some of them with micromaps.
    ///
    /// # Errors
    /// See [`Inputs::of_d3d12`].
    pub fn of_d3d12_geometries(inputs: &[u8], descs: &[GeometryDesc], addresses: &mut (impl Addresses + ?Sized)) -> Result<Inputs> {
        let b = Bytes::new(inputs, INPUTS_SIZE, "D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS")?;
        let (kind, flags, count, pointers) = head(&b)?;
        match kind {
            Kind::Top if !descs.is_empty() => wrong("a top-level structure with geometries"),
            Kind::Top => Ok(Inputs::Top { instances: b.address(16, "instances", addresses)?, count, pointers, flags }),
            Kind::Bottom => {
                if descs.len() != count as usize {
                    return wrong(format!("{count} geometries are described, {} given", descs.len()));
                }
                let mut geometries = Vec::with_capacity(descs.len());
                for (i, desc) in descs.iter().enumerate() {
                    geometries.push(Geometry::of_d3d12(desc, addresses).map_err(|e| e.at(format!("geometry {i}")))?);
                }
                Ok(Inputs::Bottom { geometries, flags })
            }
            Kind::Micromaps => wrong("an array of micromaps, which MicromapInputs::of_d3d12 reads"),
        }
    }

    /// The same from `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS` in memory, whose pointers are followed.
    ///
    /// # Errors
    /// See [`Inputs::of_d3d12`]; a pointer is null.
    ///
    /// # Safety
    /// `inputs` is null or points to the structure; so do the pointers in it, and those in its geometries.
    pub unsafe fn of_d3d12_pointer(inputs: *const c_void, addresses: &mut (impl Addresses + ?Sized)) -> Result<Inputs> {
        // SAFETY: by the caller's promise.
        let bytes = unsafe { pointed(inputs as u64, INPUTS_SIZE, "the inputs")? };
        let b = Bytes(bytes);
        let (kind, _, count, pointers) = head(&b)?;
        let first = b.u64(16);
        let mut descs = Vec::new();
        if matches!(kind, Kind::Bottom) {
            for i in 0..u64::from(count) {
                let at = match pointers {
                    false if first == 0 => 0,
                    false => first.wrapping_add(i * GEOMETRY_SIZE as u64),
                    // SAFETY: by the caller's promise there are as many pointers.
                    true => Bytes(unsafe { pointed(first, 8 * count as usize, "the pointers to geometries")? }).u64(8 * i as usize),
                };
                // SAFETY: by the caller's promise.
                let desc = unsafe { pointed(at, GEOMETRY_SIZE, "a geometry")? };
                let g = Bytes(desc);
                let pointed_to = match g.u32(0) {
                    // SAFETY: as above.
                    OMM_TRIANGLES => unsafe {
                        let triangles = pointed(g.u64(8), TRIANGLES_SIZE, "pTriangles")?;
                        Some([triangles, pointed(g.u64(16), LINKAGE_SIZE, "pOmmLinkage")?])
                    },
                    _ => None,
                };
                descs.push(GeometryDesc { desc, pointed_to });
            }
        }
        Inputs::of_d3d12_geometries(bytes, &descs, addresses)
    }
}

/// What a pointer of a description points to.
///
/// # Safety
/// It is null, or there are so many bytes for as long as the result is used.
unsafe fn pointed<'a>(at: u64, size: usize, what: &str) -> Result<&'a [u8]> {
    let at = usize::try_from(at).unwrap_or(0) as *const u8;
    match at.is_null() {
        true => wrong(format!("{what}: a pointer is null")),
        // SAFETY: by the caller's promise.
        false => Ok(unsafe { std::slice::from_raw_parts(at, size) }),
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Top,
    Bottom,
    Micromaps,
}

/// Kind, flags, count, and whether there are pointers to elements.
fn head(b: &Bytes) -> Result<(Kind, u32, u32, bool)> {
    let kind = match b.u32(0) {
        0 => Kind::Top,
        1 => Kind::Bottom,
        2 => Kind::Micromaps,
        other => return wrong(format!("a structure of unknown type {other}")),
    };
    let pointers = match b.u32(12) {
        0 => false,
        1 => true,
        other => return wrong(format!("elements of unknown layout {other}")),
    };
    Ok((kind, b.u32(4), b.u32(8), pointers))
}

const TRIANGLES: u32 = 0;
const BOXES: u32 = 1;
const OMM_TRIANGLES: u32 = 2;

impl Geometry {
    /// A geometry from the bytes of `D3D12_RAYTRACING_GEOMETRY_DESC`.
    ///
    /// # Errors
    /// See [`Inputs::of_d3d12`].
    pub fn of_d3d12(desc: &GeometryDesc, addresses: &mut (impl Addresses + ?Sized)) -> Result<Geometry> {
        let b = Bytes::new(desc.desc, GEOMETRY_SIZE, "D3D12_RAYTRACING_GEOMETRY_DESC")?;
        let flags = b.u32(4);
        let inner = Bytes(desc.desc.get(8..).unwrap_or_default());
        match b.u32(0) {
            TRIANGLES => Ok(triangles(&inner, flags, addresses)?.into()),
            BOXES => {
                let Ok(count) = u32::try_from(inner.u64(0)) else {
                    return wrong(format!("{} boxes are too many", inner.u64(0)));
                };
                Ok(Geometry::Boxes { address: inner.address(8, "boxes", addresses)?, stride: inner.u64(16), count, flags })
            }
            OMM_TRIANGLES => {
                let Some([t, linkage]) = desc.pointed_to else {
                    return wrong("triangles with micromaps without what their pointers point to");
                };
                let t = Bytes::new(t, TRIANGLES_SIZE, "D3D12_RAYTRACING_GEOMETRY_TRIANGLES_DESC")?;
                let triangles = triangles(&t, flags, addresses)?;
                Ok(Geometry::MicromapTriangles { triangles, micromaps: linked(linkage, addresses)? })
            }
            other => wrong(format!("a geometry of unknown type {other}")),
        }
    }
}

fn triangles(b: &Bytes, flags: u32, addresses: &mut (impl Addresses + ?Sized)) -> Result<Triangles> {
    let (index_format, vertex_format, count, index_buffer) = (b.u32(8), b.u32(12), b.u32(16), b.u64(24));
    let Some(format) = vertex_format_of_dxgi(vertex_format) else {
        return wrong(format!("vertices of DXGI_FORMAT {vertex_format}, which positions cannot have"));
    };
    let indices = match index_format {
        UNKNOWN if count > 0 || index_buffer != 0 => return wrong("indices without a format"),
        UNKNOWN => None,
        R32_UINT | R16_UINT if index_buffer == 0 => return wrong("an index format without indices"),
        R32_UINT | R16_UINT => {
            let address = b.address(24, "indices", addresses)?;
            Some(Indices { address, wide: index_format == R32_UINT, count })
        }
        other => return wrong(format!("indices of DXGI_FORMAT {other}")),
    };
    Ok(Triangles {
        vertices: b.address(32, "vertices", addresses)?,
        // D3D12 uses no more of it.
        stride: b.u64(40) & u64::from(u32::MAX),
        format,
        vertex_count: b.u32(20),
        indices,
        transform: Some(b.address(0, "a transform", addresses)?).filter(|t| *t != 0),
        flags,
    })
}

fn linked(bytes: &[u8], addresses: &mut (impl Addresses + ?Sized)) -> Result<MicromapLinkage> {
    let b = Bytes::new(bytes, LINKAGE_SIZE, "D3D12_RAYTRACING_GEOMETRY_OMM_LINKAGE_DESC")?;
    let size = match (b.u32(16), b.u64(0)) {
        (_, 0) => 0,
        (R32_UINT, _) => 4,
        (R16_UINT, _) => 2,
        (R8_UINT, _) => 1,
        (other, _) => return wrong(format!("micromap indices of DXGI_FORMAT {other}")),
    };
    let indices = match size {
        0 => None,
        size => Some(MicromapIndices { address: b.address(0, "micromap indices", addresses)?, stride: b.u64(8), size }),
    };
    let (micromaps, usage) = match b.u64(24) {
        0 => Default::default(),
        address => match addresses.micromaps(address) {
            Some(found) => found,
            None => return wrong(format!("an unknown array of micromaps at {address:#x}")),
        },
    };
    Ok(MicromapLinkage { micromaps, indices, base: b.u32(20), usage })
}

impl MicromapInputs {
    /// Inputs from the bytes of `D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC` and of the `D3D12_RAYTRACING_OPACITY_MICROMAP_HISTOGRAM_ENTRY`s
    /// that it points to, with the build flags.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: bytes of another size, unknown values, memory that is unknown.
    pub fn of_d3d12(desc: &[u8], histogram: &[u8], flags: u32, addresses: &mut (impl Addresses + ?Sized)) -> Result<MicromapInputs> {
        let b = Bytes::new(desc, MICROMAP_ARRAY_SIZE, "D3D12_RAYTRACING_OPACITY_MICROMAP_ARRAY_DESC")?;
        let (entries, rest) = histogram.as_chunks::<HISTOGRAM_ENTRY_SIZE>();
        if !rest.is_empty() || entries.len() != b.u32(0) as usize {
            return wrong(format!("a histogram of {} entries in {} bytes", b.u32(0), histogram.len()));
        }
        let mut usage = MicromapUsage::default();
        for (i, entry) in entries.iter().enumerate() {
            let entry = Bytes(entry);
            usage.add(entry.u32(4), entry.u32(8), entry.u32(0)).map_err(|e| e.at(format!("histogram entry {i}")))?;
        }
        let data = b.address(16, "states of micro-triangles", addresses)?;
        let entries = b.address(24, "descriptions of micromaps", addresses)?;
        Ok(MicromapInputs { usage, data, entries, stride: b.u64(32), flags })
    }

    /// The same from `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS` of an array in memory, whose pointers are followed.
    ///
    /// # Errors
    /// See [`MicromapInputs::of_d3d12`]; a pointer is null; it describes something else.
    ///
    /// # Safety
    /// As [`Inputs::of_d3d12_pointer`].
    pub unsafe fn of_d3d12_pointer(inputs: *const c_void, addresses: &mut (impl Addresses + ?Sized)) -> Result<MicromapInputs> {
        // SAFETY: by the caller's promise.
        let b = Bytes(unsafe { pointed(inputs as u64, INPUTS_SIZE, "the inputs")? });
        match head(&b)? {
            (Kind::Micromaps, flags, 1, false) => {
                // SAFETY: as above.
                let desc = unsafe { pointed(b.u64(16), MICROMAP_ARRAY_SIZE, "pOpacityMicromapArrayDesc")? };
                let (count, at) = (Bytes(desc).u32(0) as usize, Bytes(desc).u64(8));
                let histogram = match count {
                    0 => &[][..],
                    // SAFETY: as above.
                    _ => unsafe { pointed(at, count.saturating_mul(HISTOGRAM_ENTRY_SIZE), "pOmmHistogram")? },
                };
                MicromapInputs::of_d3d12(desc, histogram, flags, addresses)
            }
            (Kind::Micromaps, _, count, _) => wrong(format!("an array of micromaps with {count} descriptions, or with pointers to them")),
            _ => wrong("a structure, which Inputs::of_d3d12 reads"),
        }
    }
}

#[cfg(test)]
mod tests;
