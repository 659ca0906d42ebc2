//! Arguments of indirect operations in memory: from D3D12's layouts to Vulkan's.
//!
//! A shader that writes arguments writes Vulkan's layouts. Moves, structures of clusters, updates of instances and translations of
//! partitions have the same bytes in both.
//!
//! The layouts are written out here: those of the binding have their bit fields at the end.

use super::super::d3d12::{Addresses, Bytes};
use super::{no_counterpart, wrong};
use crate::error::Result;
use crate::operations::{BuildClusters, BuildTemplates, INSTANCE_EXPLICIT_BOUNDS, IndexFormat, InstantiateTemplates, VertexFormat};

/// Bytes of `VkClusterAccelerationStructureBuildTriangleClusterInfoNV`; D3D12's have 80.
pub const CLUSTER_ARGUMENTS: usize = 64;
/// Bytes of `VkClusterAccelerationStructureBuildTriangleClusterTemplateInfoNV`; D3D12's have 88.
pub const TEMPLATE_ARGUMENTS: usize = 72;
/// Bytes of `VkClusterAccelerationStructureInstantiateClusterInfoNV`, as many as D3D12's.
pub const INSTANTIATE_ARGUMENTS: usize = 32;
/// Bytes of `VkPartitionedAccelerationStructureWriteInstanceDataNV`, as many as D3D12's.
pub const WRITE_INSTANCE_ARGUMENTS: usize = 104;

/// Arguments of `size` bytes each, rewritten one by one.
fn each(bytes: &[u8], size: usize, mut write: impl FnMut(&Bytes, &mut Vec<u8>) -> Result<()>) -> Result<Vec<u8>> {
    if !bytes.len().is_multiple_of(size) {
        return wrong(format!("{} bytes are no whole number of arguments of {size}", bytes.len()));
    }
    let mut out = Vec::new();
    for (i, argument) in bytes.chunks_exact(size).enumerate() {
        write(&Bytes(argument), &mut out).map_err(|e| e.at(format!("argument {i}")))?;
    }
    Ok(out)
}

/// D3D12's index of a geometry with flags: the flags are one bit lower than in Vulkan, which has another one below them.
fn geometry_word(word: u32) -> Result<u32> {
    const FLAGS: u32 = 0x6000_0000;
    match word & !(FLAGS | 0x00ff_ffff) {
        0 => Ok((word & 0x00ff_ffff) | (word & FLAGS) << 1),
        unknown => wrong(format!("unknown geometry flags {unknown:#x}")),
    }
}

/// Rewrites an array of D3D12's geometry indices with flags, 4 bytes each, for Vulkan.
///
/// # Errors
/// [`crate::ErrorKind::Binding`]: unknown flags, a part of an index.
pub fn geometry_words(bytes: &mut [u8]) -> Result<()> {
    let len = bytes.len();
    let (words, rest) = bytes.as_chunks_mut::<4>();
    if !rest.is_empty() {
        return wrong(format!("{len} bytes are no whole number of geometry indices"));
    }
    for word in words {
        *word = geometry_word(u32::from_le_bytes(*word))?.to_le_bytes();
    }
    Ok(())
}

/// What the arguments of clusters and of templates have in common.
fn triangles(
    a: &Bytes,
    out: &mut Vec<u8>,
    vertices: VertexFormat,
    indices: IndexFormat,
    micromap_indices: IndexFormat,
    addresses: &mut (impl Addresses + ?Sized),
) -> Result<()> {
    if a.u32(0) == u32::MAX {
        return wrong("a cluster with the id of none");
    }
    match a.u32(4) {
        0 | 1 => {}
        2 | 3 => return no_counterpart("clusters whose positions shaders may read, one by one"),
        other => return wrong(format!("unknown cluster flags {other:#x}")),
    }
    if a.u64(56) != 0 {
        return no_counterpart("indices into the array of geometries");
    }
    let linked = a.u64(64) != 0;
    if linked && a.u32(16) != 0 {
        return no_counterpart("a number that is added to micromap indices");
    }
    let natural = |stride: u16, size: u64| if stride == 0 { size as u16 } else { stride };
    out.extend(a.array::<8>(0));
    let counts = a.u32(8) & 0x00ff_ffff;
    // The array of micromaps alone says whether there are any.
    let micromap_type = if linked && a.u64(72) != 0 { micromap_indices as u32 } else { 0 };
    out.extend((counts | (indices as u32) << 24 | micromap_type << 28).to_le_bytes());
    out.extend(geometry_word(a.u32(12))?.to_le_bytes());
    out.extend(natural(a.u16(22), indices as u64).to_le_bytes());
    out.extend(natural(a.u16(20), vertices.size()).to_le_bytes());
    out.extend(natural(a.u16(24), 4).to_le_bytes());
    out.extend(natural(a.u16(26), micromap_indices as u64).to_le_bytes());
    for (at, what) in [(40, "indices"), (32, "vertices"), (48, "geometries"), (64, "micromaps"), (72, "micromap indices")] {
        out.extend(a.address(at, what, addresses)?.to_le_bytes());
    }
    Ok(())
}

/// Arguments of clusters in Vulkan's layout ([`CLUSTER_ARGUMENTS`] bytes each) from `D3D12_RTAS_OPERATION_BUILD_CLAS_FROM_TRIANGLES_ARGS`. The
/// arrays that they point to are as they were: [`geometry_words`]. The address of an array of micromaps is
/// [`Micromaps::address`](super::super::Micromaps::address).
///
/// # Errors
/// [`crate::ErrorKind::Binding`]: a part of an argument, unknown values, unknown memory; [`crate::ErrorKind::Limit`]: something that Vulkan does not have.
pub fn cluster_arguments(bytes: &[u8], inputs: &BuildClusters, addresses: &mut (impl Addresses + ?Sized)) -> Result<Vec<u8>> {
    each(bytes, 80, |a, out| triangles(a, out, inputs.vertices, inputs.indices, inputs.micromap_indices, addresses))
}

/// Arguments of templates in Vulkan's layout ([`TEMPLATE_ARGUMENTS`] bytes each) from
/// `D3D12_RTAS_OPERATION_BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES_ARGS`.
///
/// # Errors
/// See [`cluster_arguments`].
pub fn template_arguments(bytes: &[u8], inputs: &BuildTemplates, addresses: &mut (impl Addresses + ?Sized)) -> Result<Vec<u8>> {
    if inputs.instances == VertexFormat::Compressed1 {
        return no_counterpart("compressed positions");
    }
    each(bytes, 88, |a, out| {
        triangles(a, out, inputs.hints, inputs.indices, inputs.micromap_indices, addresses)?;
        out.extend(a.address(80, "bounds", addresses)?.to_le_bytes());
        Ok(())
    })
}

/// Arguments of instantiations in Vulkan's layout from `D3D12_RTAS_OPERATION_INSTANTIATE_CLUSTER_TEMPLATES_ARGS`.
///
/// # Errors
/// See [`cluster_arguments`].
pub fn instantiate_arguments(bytes: &[u8], inputs: &InstantiateTemplates, addresses: &mut (impl Addresses + ?Sized)) -> Result<Vec<u8>> {
    each(bytes, INSTANTIATE_ARGUMENTS, |a, out| {
        let offset = a.u32(0);
        if offset as i32 <= -1 {
            return no_counterpart("a negative number that is added to geometry indices");
        }
        if offset > 0x00ff_ffff {
            return wrong(format!("{offset} is added to geometry indices, which have 24 bits"));
        }
        out.extend(a.array::<4>(4));
        out.extend(offset.to_le_bytes());
        out.extend(a.address(8, "a template", addresses)?.to_le_bytes());
        out.extend(a.address(16, "vertices", addresses)?.to_le_bytes());
        let stride = if a.u64(24) == 0 { inputs.vertices.size() } else { a.u64(24) };
        out.extend(stride.to_le_bytes());
        Ok(())
    })
}

/// Writes of instances in Vulkan's layout from `D3D12_RTAS_PARTITIONED_TLAS_OPERATION_WRITE_INSTANCE_ARGS`.
///
/// # Errors
/// [`crate::ErrorKind::Binding`]: a part of an argument, values of too many bits, unknown memory; [`crate::ErrorKind::Limit`]: flags that Vulkan does not have.
pub fn write_instance_arguments(bytes: &[u8], addresses: &mut (impl Addresses + ?Sized)) -> Result<Vec<u8>> {
    each(bytes, WRITE_INSTANCE_ARGUMENTS, |a, out| {
        let (mask, contribution, flags) = (a.u32(52), a.u32(56), a.u32(60));
        if mask > 0xff || contribution > 0x00ff_ffff {
            return wrong(format!("a mask of {mask:#x} or a hit group offset of {contribution:#x} has too many bits"));
        }
        match flags & !(0xf | INSTANCE_EXPLICIT_BOUNDS) {
            0 => {}
            0x10 | 0x20 | 0x30 => {
                let why = "VK_NV_partitioned_acceleration_structure has no counterpart of the flags of instances about micromaps";
                return Err(crate::Error::new(crate::ErrorKind::Limit, why));
            }
            unknown => return wrong(format!("unknown instance flags {unknown:#x}")),
        }
        let explicit = if flags & INSTANCE_EXPLICIT_BOUNDS != 0 { 0x10 } else { 0 };
        out.extend(a.array::<48>(0));
        out.extend(a.array::<24>(80));
        out.extend(a.array::<12>(48));
        out.extend((flags & 0xf | explicit).to_le_bytes());
        out.extend(a.array::<8>(72));
        out.extend(a.address(64, "a structure", addresses)?.to_le_bytes());
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(size: usize, fields: &[(usize, usize, u64)]) -> Vec<u8> {
        let mut out = vec![0; size];
        for (at, n, value) in fields {
            out[*at..at + n].copy_from_slice(&value.to_le_bytes()[..*n]);
        }
        out
    }

    const HIGH: u64 = 1 << 40;

    /// Memory of D3D12 below 2⁴⁰ is that much higher in Vulkan.
    fn high(address: u64) -> Option<u64> {
        (address < HIGH).then_some(address + HIGH)
    }

    /// Id 7, flags 1, 3 triangles of 5 vertices, 2 bits less, geometry 9 with both flags.
    fn cluster() -> Vec<u8> {
        let counts = 3 | 5 << 9 | 2 << 18;
        let fields =
            [(0, 4, 7), (4, 4, 1), (8, 4, counts), (12, 4, 0x6000_0009), (20, 2, 16), (32, 8, 0x100), (40, 8, 0x200), (48, 8, 0x300)];
        words(80, &fields)
    }

    #[test]
    fn clusters() {
        let inputs = BuildClusters { indices: IndexFormat::Uint8, ..Default::default() };
        let found = cluster_arguments(&cluster(), &inputs, &mut high).unwrap();
        let counts = 3 | 5 << 9 | 2 << 18 | 1 << 24;
        let mut fields = vec![(0, 4, 7), (4, 4, 1), (8, 4, counts), (12, 4, 0xc000_0009)];
        // Strides of indices and of geometries are natural.
        fields.extend([(16, 2, 1), (18, 2, 16), (20, 2, 4), (22, 2, 0)]);
        fields.extend([(24, 8, HIGH + 0x200), (32, 8, HIGH + 0x100), (40, 8, HIGH + 0x300)]);
        assert_eq!(found, words(CLUSTER_ARGUMENTS, &fields));

        // With micromaps.
        let mut bytes = cluster();
        bytes[64..66].copy_from_slice(&[0, 4]);
        bytes[72..74].copy_from_slice(&[0, 5]);
        let inputs = BuildClusters { indices: IndexFormat::Uint32, micromap_indices: IndexFormat::Uint16, ..inputs };
        let found = cluster_arguments(&bytes, &inputs, &mut high).unwrap();
        assert_eq!(found[11], 4 | 2 << 4, "formats of indices");
        assert_eq!((found[16], found[22]), (4, 2), "natural strides");
        assert_eq!((found[49], found[57]), (4, 5));

        let two = [cluster(), cluster()].concat();
        assert_eq!(cluster_arguments(&two, &inputs, &mut high).unwrap().len(), 2 * CLUSTER_ARGUMENTS);
        for (at, n, value, what) in [
            (0, 4, 0xffff_ffff, "argument 1: a cluster with the id of none"),
            (4, 4, 2, "no counterpart of clusters whose positions"),
            (4, 4, 4, "unknown cluster flags 0x4"),
            (12, 4, 0x8000_0000, "unknown geometry flags 0x80000000"),
            (56, 8, 8, "no counterpart of indices into the array of geometries"),
            (40, 8, HIGH, "indices in unknown memory"),
        ] {
            let mut bytes = two.clone();
            bytes[80 + at..80 + at + n].copy_from_slice(&u64::to_le_bytes(value)[..n]);
            let e = cluster_arguments(&bytes, &inputs, &mut high).expect_err(what);
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
        let mut based = bytes.clone();
        based[16] = 1;
        assert!(cluster_arguments(&based, &inputs, &mut high).unwrap_err().message.contains("added to micromap indices"));
        assert!(cluster_arguments(&bytes[..79], &inputs, &mut high).unwrap_err().message.contains("79 bytes are no whole number"));
    }

    #[test]
    fn templates_and_instantiations() {
        let inputs = BuildTemplates { indices: IndexFormat::Uint16, ..Default::default() };
        let mut bytes = cluster();
        bytes.extend(0x400u64.to_le_bytes());
        let found = template_arguments(&bytes, &inputs, &mut high).unwrap();
        assert_eq!(found.len(), TEMPLATE_ARGUMENTS);
        assert_eq!(found[64..], (HIGH + 0x400).to_le_bytes());
        let compressed = BuildTemplates { instances: VertexFormat::Compressed1, ..inputs };
        assert!(template_arguments(&bytes, &compressed, &mut high).unwrap_err().message.contains("no counterpart of compressed positions"));

        let inputs = InstantiateTemplates { vertices: VertexFormat::Float16x3, ..Default::default() };
        let bytes = words(32, &[(0, 4, 5), (4, 4, 6), (8, 8, 0x20), (16, 8, 0x40)]);
        let found = instantiate_arguments(&bytes, &inputs, &mut high).unwrap();
        assert_eq!(found, words(INSTANTIATE_ARGUMENTS, &[(0, 4, 6), (4, 4, 5), (8, 8, HIGH + 0x20), (16, 8, HIGH + 0x40), (24, 8, 6)]));
        for (offset, what) in [(u32::MAX, "no counterpart of a negative number"), (1 << 24, "which have 24 bits")] {
            let e = instantiate_arguments(&words(32, &[(0, 4, offset.into())]), &inputs, &mut high).unwrap_err();
            assert!(e.message.contains(what), "{e}");
        }
    }

    #[test]
    fn geometry_arrays() {
        let mut bytes = [0x6000_0001u32, 0x00ff_ffff].map(u32::to_le_bytes).concat();
        geometry_words(&mut bytes).unwrap();
        assert_eq!(bytes, [0xc000_0001u32, 0x00ff_ffff].map(u32::to_le_bytes).concat());
        assert!(geometry_words(&mut bytes).is_err(), "the bit of opaque geometry is unknown to D3D12");
        assert!(geometry_words(&mut bytes[..7]).is_err());
    }

    #[test]
    fn writes_of_instances() {
        let flags = u64::from(0xf | INSTANCE_EXPLICIT_BOUNDS);
        let fields = [
            (0, 4, 0x11),
            (44, 4, 0x12),
            (48, 4, 0xffff_ffff),
            (52, 4, 0xab),
            (56, 4, 3),
            (60, 4, flags),
            (64, 8, 0x500),
            (72, 4, 8),
            (76, 4, 9),
        ];
        let bounds = [(80, 4, 0x21), (100, 4, 0x26)];
        let bytes = words(104, &[&fields[..], &bounds[..]].concat());
        let found = write_instance_arguments(&bytes, &mut high).unwrap();
        let expected = [(0, 4, 0x11), (44, 4, 0x12), (48, 4, 0x21), (68, 4, 0x26), (72, 4, 0xffff_ffff), (76, 4, 0xab), (80, 4, 3)];
        let rest = [(84, 4, 0x1f), (88, 4, 8), (92, 4, 9), (96, 8, HIGH + 0x500)];
        assert_eq!(found, words(WRITE_INSTANCE_ARGUMENTS, &[&expected[..], &rest[..]].concat()));
        for (at, value, what) in [
            (53, 1, "a mask of 0x1ab"),
            (59, 1, "a hit group offset of 0x1000003"),
            (60, 0x1f, "no counterpart of the flags of instances about micromaps"),
            (61, 1, "unknown instance flags 0x100"),
        ] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            let e = write_instance_arguments(&bytes, &mut high).expect_err(what);
            assert!(e.message.contains(what), "{e} instead of {what}");
        }
        assert_eq!(std::mem::size_of::<super::super::vk::PartitionedAccelerationStructureWriteInstanceDataNV>(), WRITE_INSTANCE_ARGUMENTS);
    }
}
