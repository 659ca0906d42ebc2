//! Descriptions of D3D12 in bytes: what they give, and each way in which they can be wrong.

use super::*;
use crate::vulkan::vk;

/// A structure of words: offset, bytes, value.
fn words(size: usize, fields: &[(usize, usize, u64)]) -> Vec<u8> {
    let mut out = vec![0; size];
    for (at, n, value) in fields {
        out[*at..at + n].copy_from_slice(&value.to_le_bytes()[..*n]);
    }
    out
}

/// With one more field.
fn with(bytes: &[u8], at: usize, n: usize, value: u64) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out[at..at + n].copy_from_slice(&value.to_le_bytes()[..n]);
    out
}

fn inputs(kind: u64, flags: u64, count: u64, layout: u64, address: u64) -> Vec<u8> {
    words(INPUTS_SIZE, &[(0, 4, kind), (4, 4, flags), (8, 4, count), (12, 4, layout), (16, 8, address)])
}

const SHIFT: u64 = 0x1_0000_0000;

/// Memory of D3D12 below 2³² is that much higher in Vulkan.
fn shifted(address: u64) -> Option<u64> {
    (address < SHIFT).then_some(address + SHIFT)
}

fn triangle_bytes() -> Vec<u8> {
    let fields = [(0, 8, 0x100), (8, 4, 57), (12, 4, 6), (16, 4, 9), (20, 4, 5), (24, 8, 0x200), (32, 8, 0x300), (40, 8, 0xaaaa_0000_0010)];
    words(TRIANGLES_SIZE, &fields)
}

fn geometry(kind: u64, flags: u64, inner: &[u8]) -> Vec<u8> {
    let mut out = words(GEOMETRY_SIZE, &[(0, 4, kind), (4, 4, flags)]);
    out[8..8 + inner.len()].copy_from_slice(inner);
    out
}

fn expected() -> Triangles {
    Triangles {
        vertices: 0x300 + SHIFT,
        stride: 0x10,
        format: vk::Format::R32G32B32_SFLOAT.as_raw(),
        vertex_count: 5,
        indices: Some(Indices { address: 0x200 + SHIFT, wide: false, count: 9 }),
        transform: Some(0x100 + SHIFT),
        flags: 3,
    }
}

#[test]
fn bottom_and_top_levels() {
    let boxes = words(TRIANGLES_SIZE, &[(0, 8, 7), (8, 8, 0x400), (16, 8, 32)]);
    let mut geometries = geometry(0, 3, &triangle_bytes());
    geometries.extend(geometry(1, 1, &boxes));
    let flags = 0x123;
    let found = Inputs::of_d3d12(&inputs(1, flags, 2, 0, 0xdead), &geometries, &mut shifted).unwrap();
    let boxes = Geometry::Boxes { address: 0x400 + SHIFT, stride: 32, count: 7, flags: 1 };
    assert_eq!(found, Inputs::Bottom { geometries: vec![expected().into(), boxes], flags: 0x123 });

    let found = Inputs::of_d3d12(&inputs(0, 4, 9, 1, 0x500), &[], &mut shifted).unwrap();
    assert_eq!(found, Inputs::Top { instances: 0x500 + SHIFT, count: 9, pointers: true, flags: 4 });
    let found = Inputs::of_d3d12(&inputs(0, 4, 0, 0, 0), &[], &mut shifted).unwrap();
    assert_eq!(found, Inputs::Top { instances: 0, count: 0, pointers: false, flags: 4 });
}

#[test]
fn null_addresses_stay() {
    let none = words(TRIANGLES_SIZE, &[(12, 4, 16), (20, 4, 3)]);
    let desc = geometry(0, 0, &none);
    let found = Geometry::of_d3d12(&GeometryDesc { desc: &desc, pointed_to: None }, &mut |_: u64| None).unwrap();
    let format = vk::Format::R32G32_SFLOAT.as_raw();
    let none = Triangles { vertices: 0, stride: 0, format, vertex_count: 3, indices: None, transform: None, flags: 0 };
    assert_eq!(found, none.into());
}

/// Pointers in memory: an array of geometries, an array of pointers, triangles with micromaps.
#[test]
fn pointers_are_followed() {
    struct WithMicromaps;
    impl Addresses for WithMicromaps {
        fn memory(&mut self, address: u64) -> Option<u64> {
            shifted(address)
        }
        fn micromaps(&mut self, address: u64) -> Option<(u64, MicromapUsage)> {
            let mut usage = MicromapUsage::default();
            usage.add(4, 2, 10).ok()?;
            (address == 0x600).then_some((77, usage))
        }
    }
    let triangles = triangle_bytes();
    let linkage = words(LINKAGE_SIZE, &[(0, 8, 0x700), (8, 8, 4), (16, 4, 57), (20, 4, 12), (24, 8, 0x600)]);
    let first = geometry(0, 3, &triangles);
    let pointing = words(16, &[(0, 8, triangles.as_ptr() as u64), (8, 8, linkage.as_ptr() as u64)]);
    let second = geometry(2, 3, &pointing);
    let pointers = [first.as_ptr() as u64, second.as_ptr() as u64];
    let desc = inputs(1, 0, 2, 1, pointers.as_ptr() as u64);
    // SAFETY: everything is alive.
    let found = unsafe { Inputs::of_d3d12_pointer(desc.as_ptr().cast(), &mut WithMicromaps).unwrap() };
    let (_, usage) = WithMicromaps.micromaps(0x600).unwrap();
    let indices = Some(MicromapIndices { address: 0x700 + SHIFT, stride: 4, size: 2 });
    let micromaps = MicromapLinkage { micromaps: 77, indices, base: 12, usage };
    let second_found = Geometry::MicromapTriangles { triangles: expected(), micromaps };
    assert_eq!(found, Inputs::Bottom { geometries: vec![expected().into(), second_found], flags: 0 });

    let both = [first.clone(), second.clone()].concat();
    let desc = inputs(1, 0, 2, 0, both.as_ptr() as u64);
    // SAFETY: as above.
    let again = unsafe { Inputs::of_d3d12_pointer(desc.as_ptr().cast(), &mut WithMicromaps).unwrap() };
    assert_eq!(again, found);

    // An array without indices, and without an array.
    let plain = words(LINKAGE_SIZE, &[(24, 8, 0x600)]);
    let desc = GeometryDesc { desc: &second, pointed_to: Some([&triangles, &plain]) };
    let found = Geometry::of_d3d12(&desc, &mut WithMicromaps).unwrap();
    assert!(matches!(found, Geometry::MicromapTriangles { micromaps: MicromapLinkage { micromaps: 77, indices: None, .. }, .. }));

    for (desc, what) in [
        (inputs(1, 0, 1, 0, 0), "a geometry: a pointer is null"),
        (inputs(1, 0, 1, 1, 0), "the pointers to geometries: a pointer is null"),
        (inputs(1, 0, 1, 1, [0u64].as_ptr() as u64), "a geometry: a pointer is null"),
    ] {
        // SAFETY: pointers are null or alive.
        let e = unsafe { Inputs::of_d3d12_pointer(desc.as_ptr().cast(), &mut WithMicromaps).unwrap_err() };
        assert!(e.message.contains(what), "{e} instead of {what}");
    }
    let without = geometry(2, 0, &[0; 16]);
    let desc = inputs(1, 0, 1, 0, without.as_ptr() as u64);
    // SAFETY: as above.
    let e = unsafe { Inputs::of_d3d12_pointer(desc.as_ptr().cast(), &mut WithMicromaps).unwrap_err() };
    assert!(e.message.contains("pTriangles: a pointer is null"), "{e}");
    // SAFETY: null is checked.
    assert!(unsafe { Inputs::of_d3d12_pointer(std::ptr::null(), &mut shifted).is_err() });
}

#[test]
fn bytes_that_are_wrong() {
    let one = |inner: &[u8]| geometry(0, 0, inner);
    let triangles = triangle_bytes();
    let desc = inputs(1, 0, 1, 0, 0);
    let good = one(&triangles);
    for (desc, geometries, what) in [
        (desc[..23].to_vec(), good.clone(), "has 24 bytes, not 23"),
        (desc.clone(), good[..55].to_vec(), "55 bytes are no whole number of geometries"),
        (desc.clone(), Vec::new(), "1 geometries are described, 0 given"),
        (inputs(3, 0, 1, 0, 0), good.clone(), "a structure of unknown type 3"),
        (inputs(1, 0, 1, 2, 0), good.clone(), "elements of unknown layout 2"),
        (inputs(0, 0, 1, 0, 0), good.clone(), "a top-level structure with geometries"),
        (inputs(0, 0, 1, 0, 2 * SHIFT), Vec::new(), "instances in unknown memory at 0x200000000"),
        (inputs(2, 0, 1, 0, 0), Vec::new(), "an array of micromaps"),
        (desc.clone(), with(&good, 0, 4, 9), "geometry 0: a geometry of unknown type 9"),
        (desc.clone(), with(&good, 0, 4, 2), "without what their pointers point to"),
        (desc.clone(), one(&with(&triangles, 8, 4, 62)), "indices of DXGI_FORMAT 62"),
        (desc.clone(), one(&with(&triangles, 8, 4, 0)), "indices without a format"),
        (desc.clone(), one(&with(&triangles, 24, 8, 0)), "an index format without indices"),
        (desc.clone(), one(&with(&triangles, 12, 4, 2)), "vertices of DXGI_FORMAT 2"),
        (desc.clone(), one(&with(&triangles, 32, 8, SHIFT)), "vertices in unknown memory at 0x100000000"),
        (desc.clone(), one(&with(&triangles, 0, 8, SHIFT)), "a transform in unknown memory"),
        (desc.clone(), geometry(1, 0, &with(&triangles, 0, 8, SHIFT)), "4294967296 boxes are too many"),
    ] {
        let e = Inputs::of_d3d12(&desc, &geometries, &mut shifted).expect_err(what);
        assert!(e.to_string().contains(what), "{e} instead of {what}");
    }
    let omm = geometry(2, 0, &[]);
    let linkage = words(LINKAGE_SIZE, &[(0, 8, 0x700), (16, 4, 42)]);
    for (linkage, what) in [
        (linkage[..31].to_vec(), "LINKAGE_DESC has 32 bytes, not 31"),
        (with(&linkage, 16, 4, 41), "micromap indices of DXGI_FORMAT 41"),
        (with(&linkage, 0, 8, SHIFT), "micromap indices in unknown memory"),
        (with(&linkage, 24, 8, 0x600), "an unknown array of micromaps at 0x600"),
    ] {
        let desc = GeometryDesc { desc: &omm, pointed_to: Some([&triangles, &linkage]) };
        let e = Geometry::of_d3d12(&desc, &mut shifted).expect_err(what);
        assert!(e.to_string().contains(what), "{e} instead of {what}");
    }
}

#[test]
fn arrays_of_micromaps() {
    let histogram = [words(12, &[(0, 4, 5), (4, 4, 2), (8, 4, 1)]), words(12, &[(0, 4, 6), (4, 4, 12), (8, 4, 2)])].concat();
    let fields = [(0, 4, 2), (8, 8, histogram.as_ptr() as u64), (16, 8, 0x100), (24, 8, 0x200), (32, 8, 8)];
    let desc = words(MICROMAP_ARRAY_SIZE, &fields);
    let found = MicromapInputs::of_d3d12(&desc, &histogram, 2, &mut shifted).unwrap();
    assert_eq!(found.usage.iter().collect::<Vec<_>>(), [(2, 1, 5), (12, 2, 6)]);
    assert_eq!((found.data, found.entries, found.stride, found.flags), (0x100 + SHIFT, 0x200 + SHIFT, 8, 2));
    let outer = inputs(2, 2, 1, 0, desc.as_ptr() as u64);
    // SAFETY: everything is alive.
    assert_eq!(unsafe { MicromapInputs::of_d3d12_pointer(outer.as_ptr().cast(), &mut shifted).unwrap() }, found);
    for (outer, what) in [
        (inputs(2, 0, 2, 0, desc.as_ptr() as u64), "with 2 descriptions"),
        (inputs(2, 0, 1, 1, desc.as_ptr() as u64), "or with pointers to them"),
        (inputs(1, 0, 1, 0, desc.as_ptr() as u64), "a structure, which"),
        (inputs(2, 0, 1, 0, 0), "pOpacityMicromapArrayDesc: a pointer is null"),
    ] {
        // SAFETY: as above.
        let e = unsafe { MicromapInputs::of_d3d12_pointer(outer.as_ptr().cast(), &mut shifted).expect_err(what) };
        assert!(e.message.contains(what), "{e} instead of {what}");
    }
    for (desc, histogram, what) in [
        (desc[..39].to_vec(), histogram.clone(), "has 40 bytes, not 39"),
        (desc.clone(), histogram[..23].to_vec(), "a histogram of 2 entries in 23 bytes"),
        (with(&desc, 0, 4, 3), histogram.clone(), "a histogram of 3 entries in 24 bytes"),
        (desc.clone(), with(&histogram, 16, 4, 13), "histogram entry 1: micromaps of level 13"),
        (desc.clone(), with(&histogram, 8, 4, 3), "histogram entry 0: micromaps of unknown format 3"),
        (with(&desc, 16, 8, SHIFT), histogram.clone(), "states of micro-triangles in unknown memory"),
    ] {
        let e = MicromapInputs::of_d3d12(&desc, &histogram, 0, &mut shifted).expect_err(what);
        assert!(e.to_string().contains(what), "{e} instead of {what}");
    }
}
