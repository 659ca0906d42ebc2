//! What D3D12 describes, for the library: inputs of builds in memory, formats of positions, and primitives that only D3D12 defines.

use crate::accel::{rtcrt_geometry, rtcrt_geometry_kind, rtcrt_index_kind, rtcrt_inputs, rtcrt_translate_callback};
use crate::boundary::{Failure, HasSize, Of, bytes_mut, free, get, give, guarded, invalid, object, put, slice, structure};
use crate::micromap_linkage::{counts_of, read_usage, rtcrt_micromap_count, rtcrt_micromap_linkage};
use crate::micromaps::rtcrt_micromap_inputs;
use crate::types::{rtcrt_error, rtcrt_status};
use rtc_engine::vulkan::Inputs;
use rtc_engine::vulkan::accel::d3d12::{Addresses, INPUTS_SIZE};
use rtc_engine::vulkan::accel::micromaps::MicromapInputs;
use rtc_engine::vulkan::accel::{self, Geometry, MicromapLinkage, MicromapUsage};
use std::ffi::c_void;

/// What a callback says of an array of micromaps. The counts are read when the callback has returned.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_known_micromaps {
    /// `rtcrt_micromaps_handle`; 0: there is no array at the address.
    pub micromaps: u64,
    /// How many triangles refer to micromaps of each level and format.
    pub counts: *const rtcrt_micromap_count,
    /// How many counts.
    pub count: usize,
}

/// Answers in `found`, which is zero before, with the array of micromaps that another API built at `address`. It must not unwind.
pub type rtcrt_micromaps_callback = Option<unsafe extern "C" fn(user: *mut c_void, address: u64, found: *mut rtcrt_known_micromaps)>;

/// What addresses of D3D12 are in Vulkan. Set all members to zero and `size` to `sizeof(rtcrt_addresses)` first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rtcrt_addresses {
    /// `sizeof(rtcrt_addresses)`.
    pub size: usize,
    /// The device address of memory. Null: addresses are the same in both.
    pub memory: rtcrt_translate_callback,
    /// The array of micromaps at an address. Null: there are none.
    pub micromaps: rtcrt_micromaps_callback,
    /// The first argument of both.
    pub user: *mut c_void,
}

// SAFETY: it begins with its size; zero is a value of each member.
unsafe impl HasSize for rtcrt_addresses {}

/// The caller's functions, and why one of them gave nothing that can be used.
pub(crate) struct Translated {
    addresses: Option<rtcrt_addresses>,
    failure: Option<Failure>,
}

impl Translated {
    /// Null leaves addresses as they are.
    ///
    /// # Safety
    /// `at` is null or points to addresses, whose functions may be called while the result lives.
    pub(crate) unsafe fn new(at: *const rtcrt_addresses) -> Result<Translated, Failure> {
        // SAFETY: this function's contract.
        let addresses = if at.is_null() { None } else { Some(unsafe { structure(at, "addresses") }?) };
        Ok(Translated { addresses, failure: None })
    }

    /// The result of a function that used the addresses.
    pub(crate) fn finish<T>(self, made: rtc_engine::Result<T>) -> Result<T, Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(made?),
        }
    }
}

impl Addresses for Translated {
    fn memory(&mut self, address: u64) -> Option<u64> {
        match self.addresses.and_then(|a| a.memory.zip(Some(a.user))) {
            None => Some(address),
            // SAFETY: `new` demands a function that may be called.
            Some((memory, user)) => Some(unsafe { memory(user, address) }).filter(|found| *found != 0),
        }
    }

    fn micromaps(&mut self, address: u64) -> Option<(u64, MicromapUsage)> {
        let (micromaps, user) = self.addresses.and_then(|a| a.micromaps.zip(Some(a.user)))?;
        let mut found = rtcrt_known_micromaps { micromaps: 0, counts: std::ptr::null(), count: 0 };
        // SAFETY: as above; the answer lives until the function returns, and the counts that it names are then there.
        let usage = unsafe {
            micromaps(user, address, &raw mut found);
            read_usage(found.counts, found.count)
        };
        match usage {
            Ok(usage) => Some((found.micromaps, usage)).filter(|(array, _)| *array != 0),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                None
            }
        }
    }
}

/// Inputs that were read, with the lists that they point to.
struct Read {
    inputs: rtcrt_inputs,
    _geometries: Vec<rtcrt_geometry>,
    _linkages: Vec<rtcrt_micromap_linkage>,
    _pointers: Vec<*const rtcrt_micromap_linkage>,
    _counts: Vec<Vec<rtcrt_micromap_count>>,
}

/// What `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS` describe: a structure, or an array of micromaps.
pub struct rtcrt_d3d12_inputs {
    structure: Option<Read>,
    micromaps: Option<(rtcrt_micromap_inputs, Vec<rtcrt_micromap_count>)>,
}

fn geometry_of(g: &Geometry) -> (rtcrt_geometry, Option<MicromapLinkage>) {
    let (triangles, linkage) = match *g {
        Geometry::Boxes { address, stride, count, flags } => {
            let boxes = rtcrt_geometry { kind: rtcrt_geometry_kind::Boxes as u32, address, stride, count, flags, ..NO_GEOMETRY };
            return (boxes, None);
        }
        Geometry::MicromapTriangles { triangles, micromaps } => (triangles, Some(micromaps)),
        Geometry::Triangles { vertices, stride, format, vertex_count, indices, transform, flags } => {
            (accel::Triangles { vertices, stride, format, vertex_count, indices, transform, flags }, None)
        }
    };
    let mut out = rtcrt_geometry {
        kind: rtcrt_geometry_kind::Triangles as u32,
        flags: triangles.flags,
        address: triangles.vertices,
        stride: triangles.stride,
        count: triangles.vertex_count,
        format: triangles.format.cast_unsigned(),
        transform: triangles.transform.unwrap_or(0),
        ..NO_GEOMETRY
    };
    if let Some(i) = triangles.indices {
        out.index_kind = if i.wide { rtcrt_index_kind::Uint32 } else { rtcrt_index_kind::Uint16 } as u32;
        out.index_count = i.count;
        out.index_address = i.address;
    }
    (out, linkage)
}

const NO_GEOMETRY: rtcrt_geometry = rtcrt_geometry {
    size: size_of::<rtcrt_geometry>(),
    kind: 0,
    flags: 0,
    address: 0,
    stride: 0,
    count: 0,
    format: 0,
    index_kind: 0,
    index_count: 0,
    index_address: 0,
    transform: 0,
};

fn linkage_of(m: &MicromapLinkage, counts: &[rtcrt_micromap_count]) -> rtcrt_micromap_linkage {
    rtcrt_micromap_linkage {
        size: size_of::<rtcrt_micromap_linkage>(),
        micromaps: m.micromaps,
        index_address: m.indices.map_or(0, |i| i.address),
        index_stride: m.indices.map_or(0, |i| i.stride),
        index_size: m.indices.map_or(0, |i| i.size.into()),
        base: m.base,
        counts: counts.as_ptr(),
        count: counts.len(),
    }
}

impl Read {
    fn new(inputs: &Inputs) -> Read {
        let mut out = rtcrt_inputs {
            size: size_of::<rtcrt_inputs>(),
            top: 0,
            flags: 0,
            geometries: std::ptr::null(),
            count: 0,
            pointers: 0,
            instances: 0,
            micromaps: std::ptr::null(),
        };
        let described: Vec<_> = match inputs {
            Inputs::Top { instances, count, pointers, flags } => {
                (out.top, out.flags, out.count) = (1, *flags, *count);
                (out.instances, out.pointers) = (*instances, (*pointers).into());
                Vec::new()
            }
            Inputs::Bottom { geometries, flags } => {
                (out.flags, out.count) = (*flags, geometries.len() as u32);
                geometries.iter().map(geometry_of).collect()
            }
        };
        let of_all = |m: &Option<MicromapLinkage>| m.map_or(Vec::new(), |m| counts_of(&m.usage));
        let counts: Vec<_> = described.iter().map(|(_, m)| of_all(m)).collect();
        // A geometry without micromaps has an element too, so that numbers agree; its pointer is null.
        let none = MicromapLinkage { micromaps: 0, indices: None, base: 0, usage: MicromapUsage::default() };
        let linkages: Vec<_> = described.iter().zip(&counts).map(|((_, m), counts)| linkage_of(&m.unwrap_or(none), counts)).collect();
        let pointer = |(l, (_, m)): (&rtcrt_micromap_linkage, &(_, Option<MicromapLinkage>))| match m {
            Some(_) => std::ptr::from_ref(l),
            None => std::ptr::null(),
        };
        let pointers: Vec<_> = linkages.iter().zip(&described).map(pointer).collect();
        let geometries: Vec<_> = described.iter().map(|(g, _)| *g).collect();
        if out.top == 0 {
            out.geometries = geometries.as_ptr();
            out.micromaps = if described.iter().any(|(_, m)| m.is_some()) { pointers.as_ptr() } else { std::ptr::null() };
        }
        Read { inputs: out, _geometries: geometries, _linkages: linkages, _pointers: pointers, _counts: counts }
    }
}

/// Reads `D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS`, of a structure or of an array of micromaps, whose pointers to descriptions
/// are followed. `addresses` may be null: then addresses are the same in D3D12 and Vulkan, and there are no micromaps.
///
/// # Safety
/// `desc` is null or points to the structure; so do the pointers in it, and those in its descriptions. `addresses` is null or points to
/// addresses, whose functions may be called during the call. `inputs` can be written; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_d3d12_inputs_new(
    desc: *const c_void,
    addresses: *const rtcrt_addresses,
    inputs: *mut *mut rtcrt_d3d12_inputs,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    /// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_ARRAY`.
    const MICROMAPS: u32 = 2;
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let bytes = object(desc.cast::<[u8; INPUTS_SIZE]>()).of("desc")?;
            let mut known = Translated::new(addresses)?;
            let read = if u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) == MICROMAPS {
                let read = MicromapInputs::of_d3d12_pointer(desc, &mut known);
                let m = known.finish(read)?;
                let counts = counts_of(&m.usage);
                let own = rtcrt_micromap_inputs {
                    size: size_of::<rtcrt_micromap_inputs>(),
                    counts: counts.as_ptr(),
                    count: counts.len(),
                    data: m.data,
                    entries: m.entries,
                    stride: m.stride,
                    flags: m.flags,
                };
                rtcrt_d3d12_inputs { structure: None, micromaps: Some((own, counts)) }
            } else {
                let read = Inputs::of_d3d12_pointer(desc, &mut known);
                rtcrt_d3d12_inputs { structure: Some(Read::new(&known.finish(read)?)), micromaps: None }
            };
            give(inputs, read, "inputs")
        })
    }
}

/// The inputs of a structure, which belong to `inputs`; null if they are those of an array of micromaps.
///
/// # Safety
/// `inputs` is null or inputs that were read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_d3d12_inputs_structure(inputs: *const rtcrt_d3d12_inputs) -> *const rtcrt_inputs {
    // SAFETY: this function's contract.
    unsafe { get(inputs, std::ptr::null(), |i| i.structure.as_ref().map_or(std::ptr::null(), |read| &raw const read.inputs)) }
}

/// The inputs of an array of micromaps, which belong to `inputs`; null if they are those of a structure.
///
/// # Safety
/// `inputs` is null or inputs that were read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_d3d12_inputs_micromaps(inputs: *const rtcrt_d3d12_inputs) -> *const rtcrt_micromap_inputs {
    // SAFETY: this function's contract.
    unsafe { get(inputs, std::ptr::null(), |i| i.micromaps.as_ref().map_or(std::ptr::null(), |(own, _)| std::ptr::from_ref(own))) }
}

/// Frees inputs that were read.
///
/// # Safety
/// `inputs` is null, or inputs that are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_d3d12_inputs_free(inputs: *mut rtcrt_d3d12_inputs) {
    // SAFETY: this function's contract.
    unsafe { free(inputs) };
}

/// The `VkFormat` of a `DXGI_FORMAT` that positions of vertices may have; 0 of any other.
#[unsafe(no_mangle)]
pub extern "C" fn rtcrt_vertex_format_of_dxgi(dxgi_format: u32) -> u32 {
    accel::vertex_format_of_dxgi(dxgi_format).unwrap_or(0).cast_unsigned()
}

/// Makes points of inverted boxes (`D3D12_RAYTRACING_AABB`), as D3D12 takes them. `stride` is from box to box, at least 24; bytes between
/// boxes stay.
///
/// # Safety
/// `boxes` points to `size` bytes that nothing else uses; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_upright_boxes(boxes: *mut c_void, size: usize, stride: usize, error: *mut *mut rtcrt_error) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe { guarded(error, || Ok(accel::upright_boxes(bytes_mut(boxes.cast(), size).of("boxes")?, stride)?)) }
}

/// Makes triangles inactive of which any vertex has an x that is not a number, as D3D12 takes them. With indices, a vertex may be added:
/// `count` says how many vertices there are, and then how many there are with it; there must be room for it in `positions`.
///
/// # Safety
/// `positions` points to three numbers for each vertex, and for one more if there are indices, that nothing else uses; `count` can be read
/// and written; `indices` is null or points to `index_count` indices that nothing else uses; `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtcrt_deactivate_triangles(
    positions: *mut f32,
    count: *mut usize,
    indices: *mut u32,
    index_count: usize,
    error: *mut *mut rtcrt_error,
) -> rtcrt_status {
    // SAFETY: this function's contract.
    unsafe {
        guarded(error, || {
            let vertices = *object(count).of("count")?;
            let mut own = slice(positions.cast::<[f32; 3]>(), vertices).of("positions")?.to_vec();
            let mut indexed = match indices.is_null() {
                true if index_count != 0 => return Err(invalid("`indices` is null")),
                true => None,
                false => Some(slice(indices, index_count).of("indices")?.to_vec()),
            };
            accel::deactivate_triangles(&mut own, &mut indexed);
            std::ptr::copy_nonoverlapping(own.as_ptr(), positions.cast(), own.len());
            if let Some(indexed) = indexed {
                std::ptr::copy_nonoverlapping(indexed.as_ptr(), indices, indexed.len());
            }
            put(count, own.len(), "count")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accel::read_inputs;
    use rtc_engine::vulkan::accel::{Indices, MicromapIndices, Triangles};

    /// What is written for the caller is what is read from the caller.
    #[test]
    fn inputs_there_and_back() {
        let mut usage = MicromapUsage::default();
        usage.add(3, 1, 5).unwrap();
        usage.add(0, 2, 7).unwrap();
        let triangles = Triangles {
            vertices: 0x100,
            stride: 12,
            format: 106,
            vertex_count: 9,
            indices: Some(Indices { address: 0x200, wide: true, count: 6 }),
            transform: Some(0x300),
            flags: 1,
        };
        let linked = |micromaps, indices| {
            let micromaps = MicromapLinkage { micromaps, indices, base: 2, usage };
            Geometry::MicromapTriangles { triangles, micromaps }
        };
        let narrow = Triangles { indices: Some(Indices { address: 0x202, wide: false, count: 3 }), transform: None, ..triangles };
        let geometries = vec![
            linked(0x77, Some(MicromapIndices { address: 0x400, stride: 2, size: 2 })),
            Triangles { indices: None, ..triangles }.into(),
            linked(0x78, None),
            narrow.into(),
        ];
        let boxes = vec![Geometry::Boxes { address: 0x500, stride: 24, count: 3, flags: 2 }];
        for inputs in [
            Inputs::Bottom { geometries, flags: 4 },
            Inputs::Bottom { geometries: boxes, flags: 0 },
            Inputs::Bottom { geometries: Vec::new(), flags: 8 },
            Inputs::Top { instances: 0x600, count: 3, pointers: true, flags: 1 },
            Inputs::Top { instances: 0, count: 0, pointers: false, flags: 0 },
        ] {
            let written = Read::new(&inputs);
            // SAFETY: what was written lives until it was read.
            let read = unsafe { read_inputs(&raw const written.inputs) };
            assert_eq!(read.map_err(|e| e.message), Ok(inputs));
        }
    }
}
