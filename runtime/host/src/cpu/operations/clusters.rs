//! Cluster and template operations: arguments that refer to triangles and templates in memory.
//!
//! Indices refer to a vertex buffer that clusters may share, so a cluster collects the vertices that it uses and renumbers them;
//! a template remembers their indices.

use super::addresses::{aligned, error};
use super::outcome::{Outcome, allowed, outcome};
use super::plan::Plan;
use super::resident::Object;
use super::sizes;
use crate::cpu::accel::{Cluster, Template, read_vertices};
use crate::device::{
    BuildClusters, BuildTemplates, CLUSTER_ALLOW_DATA_ACCESS, CLUSTER_ALLOW_DISABLE_OMMS, ClusterArgs, ClusterDesc, ClusterLimits,
    ClusterPositions, ClusterTemplateDesc, Compressed1Template, Fields, GeometryMicromaps, IndexFormat, InstantiateArgs,
    InstantiateTemplates, MAX_GEOMETRY_INDEX, MICROMAP_CLUSTER_SKIP, Micromaps, OperationMode, Strided, TEMPLATE_ALIGNMENT, TemplateArgs,
    VertexFormat,
};
use crate::error::Result;
use rtc_base::EntityRef;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Valid flags above the geometry index.
const GEOMETRY_FLAGS: u32 = 0x6000_0000;

/// Builds the clusters of a batch.
///
/// # Errors
/// Arguments or addresses that are not valid.
pub fn build(plan: &mut Plan<'_>, b: &BuildClusters, arguments: &[&[u8]]) -> Result<Vec<Outcome>> {
    let mut totals = Totals::default();
    each(arguments, |bytes| {
        let a = ClusterArgs::from_bytes(bytes);
        let exact = b.vertices == VertexFormat::Compressed1;
        let formats = Formats { exact, indices: b.indices, geometries: b.geometry_indices, micromaps: b.micromap_indices };
        let measured = b.mode == OperationMode::GetSizes && a.vertex_buffer == 0;
        if !exact && a.truncate_bits < b.min_truncate_bits {
            return Err(error(format!(
                "PositionTruncateBitCount: {}, MinPositionTruncateBitCount is {}",
                a.truncate_bits, b.min_truncate_bits
            )));
        }
        let read = triangles(plan, &a, &formats, &b.limits, b.flags, measured)?;
        totals.add(&b.limits, &read, a.vertices)?;
        if measured {
            return Ok(Outcome { size: sizes::cluster_bound(count(&a)), object: None });
        }
        let mut desc = read.desc;
        if count(&a) > 0 {
            if a.vertex_buffer == 0 {
                return Err(error("VertexBuffer: must not be null"));
            }
            let most = exact.then_some(u64::from(b.max_compressed_size));
            desc.positions = positions(plan, a.vertex_buffer, a.vertex_stride.into(), b.vertices, &read.used, a.vertices, most)?;
        }
        let made = Cluster::build(&desc, &|_| read.maps.clone().ok_or_else(|| error("OpacityMicromapArray: it is null")))?;
        Ok(outcome(b.mode, sizes::cluster(made.size()), Object::Cluster(Arc::new(made))))
    })
}

/// Builds the templates of a batch.
///
/// # Errors
/// Arguments or addresses that are not valid.
pub fn templates(plan: &mut Plan<'_>, b: &BuildTemplates, arguments: &[&[u8]]) -> Result<Vec<Outcome>> {
    let mut totals = Totals::default();
    each(arguments, |bytes| {
        let TemplateArgs { cluster: a, limit } = TemplateArgs::from_bytes(bytes);
        let exact = b.instances == VertexFormat::Compressed1;
        let formats = Formats { exact, indices: b.indices, geometries: b.geometry_indices, micromaps: b.micromap_indices };
        let measured = b.mode == OperationMode::GetSizes && a.vertex_buffer == 0;
        let read = triangles(plan, &a, &formats, &b.limits, b.flags, measured)?;
        totals.add(&b.limits, &read, a.vertices)?;
        if measured {
            return Ok(Outcome { size: sizes::template_bound(count(&a), a.vertices), object: None });
        }
        let mut cluster = read.desc;
        if count(&a) > 0 && a.vertex_buffer != 0 {
            let hint = positions(plan, a.vertex_buffer, a.vertex_stride.into(), b.hints, &read.used, a.vertices, None)?;
            cluster.positions = hint;
        }
        let (mut bounds, mut compressed) = (None, None);
        if b.instances == VertexFormat::Compressed1 {
            let bits = |at: u32| (limit >> at & 15) as u8 + 1;
            compressed = Some(Compressed1Template { exponent: limit as u8, bits: [bits(8), bits(12), bits(16)] });
        } else if limit != 0 {
            let read = plan.read("InstantiationBoundingBoxLimit", limit, 24, TEMPLATE_ALIGNMENT)?;
            bounds = Some(std::array::from_fn(|i| Fields(&read).f32(4 * i)));
        }
        let vertices = read.used.len() as u32;
        let desc = ClusterTemplateDesc { cluster, vertices, bounds, compressed, precision: b.instances };
        let made = Template::build(&desc, &|_| read.maps.clone().ok_or_else(|| error("OpacityMicromapArray: it is null")))?;
        Ok(outcome(b.mode, sizes::template(made.size()), Object::Template(Arc::new(made), read.used.into())))
    })
}

/// Instantiates templates.
///
/// # Errors
/// Arguments or addresses that are not valid.
pub fn instantiate(plan: &mut Plan<'_>, b: &InstantiateTemplates, arguments: &[&[u8]]) -> Result<Vec<Outcome>> {
    let mut totals = Totals::default();
    each(arguments, |bytes| {
        const FIELD: &str = "ClusterTemplate";
        let InstantiateArgs { geometry_offset, id_offset, template: at, vertices: source } = InstantiateArgs::from_bytes(bytes);
        aligned(FIELD, at, TEMPLATE_ALIGNMENT)?;
        let entry = plan.object(FIELD, at)?;
        let Object::Template(template, used) = &entry.object else {
            return Err(error(format!("{FIELD}: expected a template at address {at:#x}, found a {}", entry.object.what())));
        };
        plan.touch(FIELD, at, entry.size, super::plan::Access::Read);
        allowed(FIELD, entry.object.has_micromaps(), b.flags)?;
        totals.count(&b.limits, template.triangles(), used.len() as u32)?;
        unique(&b.limits, template.geometries())?;
        mapped(&b.limits, template.mapped())?;
        if source.address == 0 && b.mode == OperationMode::GetSizes {
            return Ok(Outcome { size: sizes::cluster_bound(template.triangles()), object: None });
        }
        let compressed = b.vertices == VertexFormat::Compressed1;
        let mut from = ClusterPositions::Float(Vec::new());
        if !used.is_empty() {
            if source.address == 0 {
                return Err(error("VertexBuffer: must not be null"));
            }
            let all = used.iter().max().map_or(0, |&i| i.saturating_add(1));
            from = match compressed {
                true => compressed_block(plan, source.address, all, None)?,
                false => positions(plan, source.address, source.stride, b.vertices, used, all, None)?,
            };
        }
        let which = (compressed && !used.is_empty()).then_some(&used[..]);
        let made = template.instantiate_some(id_offset, geometry_offset, &from, which)?;
        if let Some(g) = made.geometries().find(|&g| g > b.limits.max_geometry_index) {
            return Err(error(format!(
                "GeometryIndexOffset: geometry index {g}, MaxGeometryIndexValue is {}",
                b.limits.max_geometry_index
            )));
        }
        Ok(outcome(b.mode, sizes::cluster(made.size()), Object::Cluster(Arc::new(made))))
    })
}

fn each(arguments: &[&[u8]], mut one: impl FnMut(&[u8]) -> Result<Outcome>) -> Result<Vec<Outcome>> {
    arguments.iter().enumerate().map(|(i, bytes)| one(bytes).map_err(|e| e.at(format!("argument {i}")))).collect()
}

/// Number of triangles of a cluster; 0 without vertices.
fn count(a: &ClusterArgs) -> u32 {
    if a.vertices == 0 { 0 } else { a.triangles }
}

/// Formats of the referenced data.
struct Formats {
    /// Positions are compressed, and not truncated.
    exact: bool,
    indices: IndexFormat,
    geometries: IndexFormat,
    micromaps: IndexFormat,
}

/// A cluster without positions.
struct Triangles {
    desc: ClusterDesc,
    /// The used vertex indices, ascending; the cluster's own indices refer to these.
    used: Vec<u32>,
    maps: Option<Arc<crate::cpu::accel::MicromapArray>>,
    triangles: u32,
}

/// Sums over a batch.
#[derive(Default)]
struct Totals {
    triangles: u64,
    vertices: u64,
}

impl Totals {
    fn count(&mut self, limits: &ClusterLimits, triangles: u32, vertices: u32) -> Result<()> {
        self.triangles += u64::from(triangles);
        self.vertices += u64::from(vertices);
        for (field, value, most) in [
            ("MaxTriangleCountPerCluster", u64::from(triangles), limits.max_triangles),
            ("MaxVertexCountPerCluster", u64::from(vertices), limits.max_vertices),
            ("MaxTotalTriangleCount", self.triangles, limits.max_total_triangles),
            ("MaxTotalVertexCount", self.vertices, limits.max_total_vertices),
        ] {
            if value > u64::from(most) {
                return Err(error(format!("{field} is {most}, but there are {value}")));
            }
        }
        Ok(())
    }
    fn add(&mut self, limits: &ClusterLimits, read: &Triangles, vertices: u32) -> Result<()> {
        self.count(limits, read.triangles, vertices)
    }
}

fn unique(limits: &ClusterLimits, geometries: usize) -> Result<()> {
    let most = limits.max_unique_geometries.max(1);
    match geometries > most as usize {
        true => Err(error(format!("MaxUniqueGeometryIndexAndFlagsCountPerCluster is {most}, but there are {geometries}"))),
        false => Ok(()),
    }
}

fn mapped(limits: &ClusterLimits, triangles: usize) -> Result<()> {
    let most = limits.max_micromap_indices;
    match triangles > most as usize {
        true => Err(error(format!("MaxOpacityMicromapIndicesPerCluster is {most}, but {triangles} triangles have micromaps"))),
        false => Ok(()),
    }
}

/// Reads indices of one, two or four bytes.
fn indices(plan: &mut Plan<'_>, field: &'static str, from: Strided, format: IndexFormat, count: u32) -> Result<Vec<u32>> {
    let size = format as u64;
    let bytes = plan.read_array(field, from, count, size, size)?;
    let number = |b: &[u8]| b.iter().rev().fold(0u32, |n, &b| n << 8 | u32::from(b));
    Ok(bytes.chunks_exact(size as usize).map(number).collect())
}

/// Reads a cluster without its positions. `measured`: only its size is requested, and indices may be missing.
fn triangles(
    plan: &mut Plan<'_>,
    a: &ClusterArgs,
    formats: &Formats,
    limits: &ClusterLimits,
    flags: u32,
    measured: bool,
) -> Result<Triangles> {
    if a.flags & !(CLUSTER_ALLOW_DISABLE_OMMS | CLUSTER_ALLOW_DATA_ACCESS) != 0 {
        return Err(error(format!("ClusterFlags: {:#x} has undefined bits", a.flags)));
    }
    for (field, value, most) in
        [("TriangleCount", a.triangles, 256), ("VertexCount", a.vertices, 256), ("PositionTruncateBitCount", a.truncate_bits, 32)]
    {
        if value > most {
            return Err(error(format!("{field}: {value}, the maximum is {most}")));
        }
    }
    let count = count(a);
    let mut desc = ClusterDesc::new(a.id, Vec::new(), Vec::new());
    desc.max_geometry = limits.max_geometry_index;
    desc.truncate_bits = if formats.exact { 0 } else { a.truncate_bits };
    desc.allow_disable_omms = a.flags & CLUSTER_ALLOW_DISABLE_OMMS != 0;
    desc.allow_data_access = a.flags & CLUSTER_ALLOW_DATA_ACCESS != 0;
    desc.base_geometry = a.base_geometry;
    let mut out = Triangles { desc, used: Vec::new(), maps: None, triangles: count };
    if count == 0 {
        return Ok(out);
    }
    geometries(plan, a, formats, limits, &mut out.desc, count)?;
    micromaps(plan, a, formats, limits, flags, &mut out, count)?;
    if formats.indices == IndexFormat::None {
        return Err(error("IndexFormat: positions require indices, expected another format than NONE"));
    }
    if a.index_buffer == 0 {
        return if measured { Ok(out) } else { Err(error("IndexBuffer: must not be null")) };
    }
    let source = Strided { address: a.index_buffer, stride: a.index_stride.into() };
    let read = indices(plan, "IndexBuffer", source, formats.indices, count * 3)?;
    let mut used: Vec<u32> = read.iter().copied().collect::<FxHashSet<_>>().into_iter().collect();
    used.sort_unstable();
    if used.len() > a.vertices as usize {
        return Err(error(format!("VertexCount: {}, but IndexBuffer has {} different indices", a.vertices, used.len())));
    }
    // Every index is in the list.
    out.desc.indices = read.iter().map(|i| used.binary_search(i).unwrap_or_default() as u32).collect();
    out.used = used;
    Ok(out)
}

fn geometries(
    plan: &mut Plan<'_>,
    a: &ClusterArgs,
    formats: &Formats,
    limits: &ClusterLimits,
    desc: &mut ClusterDesc,
    count: u32,
) -> Result<()> {
    if a.geometries != 0 {
        const FIELD: &str = "GeometryIndexAndFlagsArray";
        let list = Strided { address: a.geometries, stride: a.geometry_stride.into() };
        let word = |bytes: &[u8]| Fields(bytes).u32(0);
        if a.geometry_indices != 0 && formats.geometries != IndexFormat::None {
            let from = Strided::packed(a.geometry_indices);
            let which = indices(plan, "GeometryIndexAndFlagsIndexBuffer", from, formats.geometries, count)?;
            let all = which.iter().max().map_or(0, |&i| i.saturating_add(1));
            let elements = plan.elements(FIELD, list, all, 4, 4)?;
            for i in which {
                desc.geometries.push(word(&plan.read(FIELD, elements.at(i), 4, 4)?));
            }
        } else {
            desc.geometries = plan.read_array(FIELD, list, count, 4, 4)?.chunks_exact(4).map(word).collect();
        }
    }
    let of =
        |own: u32| ((a.base_geometry & MAX_GEOMETRY_INDEX) + (own & MAX_GEOMETRY_INDEX), (a.base_geometry | own) & !MAX_GEOMETRY_INDEX);
    let base = [0];
    let all = if desc.geometries.is_empty() { &base[..] } else { &desc.geometries };
    let found: FxHashSet<(u32, u32)> = all.iter().map(|&own| of(own)).collect();
    if let Some((_, flags)) = found.iter().find(|(_, flags)| flags & !GEOMETRY_FLAGS != 0) {
        return Err(error(format!("BaseGeometryIndexAndFlags, GeometryIndexAndFlagsArray: {flags:#x} has undefined bits")));
    }
    let most = limits.max_geometry_index;
    if let Some((index, _)) = found.iter().find(|(index, _)| *index > most) {
        return Err(error(format!(
            "BaseGeometryIndexAndFlags, GeometryIndexAndFlagsArray: geometry index {index}, MaxGeometryIndexValue is {most}"
        )));
    }
    unique(limits, found.len())
}

fn micromaps(
    plan: &mut Plan<'_>,
    a: &ClusterArgs,
    formats: &Formats,
    limits: &ClusterLimits,
    flags: u32,
    out: &mut Triangles,
    count: u32,
) -> Result<()> {
    if a.micromaps == 0 {
        return Ok(());
    }
    aligned("OpacityMicromapArray", a.micromaps, 128)?;
    out.maps = Some(plan.micromaps("OpacityMicromapArray", a.micromaps)?);
    allowed("OpacityMicromapArray", true, flags)?;
    let mut which = None;
    if a.micromap_indices != 0 && formats.micromaps != IndexFormat::None {
        const FIELD: &str = "OpacityMicromapIndexBuffer";
        let from = Strided { address: a.micromap_indices, stride: a.micromap_stride.into() };
        let read = indices(plan, FIELD, from, formats.micromaps, count)?;
        let end = 1i64 << (8 * formats.micromaps as u32);
        // The largest values of a format are the special indices.
        let number = |i: u32| match i64::from(i) - end {
            special if special >= i64::from(MICROMAP_CLUSTER_SKIP) => Ok(special as i32),
            _ => i32::try_from(i).map_err(|_| error(format!("{FIELD}: micromap {i} is out of range"))),
        };
        which = Some(read.into_iter().map(number).collect::<Result<Vec<i32>>>()?);
    }
    mapped(limits, which.as_ref().map_or(count as usize, |w| w.iter().filter(|&&i| i >= 0).count()))?;
    // The index is checked against `maps` later.
    out.desc.micromaps = Some(GeometryMicromaps { array: Some(Micromaps::new(0)), indices: which, base: a.micromap_base });
    Ok(())
}

/// Reads the used positions. `count` is the number of compressed ones, `most` their maximum size in bytes.
fn positions(
    plan: &mut Plan<'_>,
    address: u64,
    stride: u64,
    format: VertexFormat,
    used: &[u32],
    count: u32,
    most: Option<u64>,
) -> Result<ClusterPositions> {
    const FIELD: &str = "VertexBuffer";
    if format == VertexFormat::Compressed1 {
        let all = compressed_block(plan, address, count, most)?;
        if let Some(i) = used.iter().find(|&&i| i >= count) {
            return Err(error(format!("IndexBuffer: index {i}, but VertexCount is {count}")));
        }
        return all_or_some(all, used, count);
    }
    let stride = if stride == 0 { format.size() } else { stride };
    let whole = used.last().map_or(0, |&i| i.saturating_add(1));
    let elements = plan.elements(FIELD, Strided { address, stride }, whole, format.size(), format.alignment())?;
    let mut out = Vec::with_capacity(used.len());
    for &i in used {
        out.push(read_vertices(&plan.read(FIELD, elements.at(i), format.size(), format.alignment())?, format));
    }
    Ok(ClusterPositions::Float(out))
}

/// Compressed positions unchanged, or decoded if not all are used.
fn all_or_some(all: ClusterPositions, used: &[u32], count: u32) -> Result<ClusterPositions> {
    if used.len() == count as usize {
        return Ok(all);
    }
    let ClusterPositions::Compressed1(bytes, _) = &all else { return Ok(all) };
    let numbers = crate::cpu::accel::decode_compressed(bytes, count).map_err(error)?;
    Ok(ClusterPositions::Float(used.iter().map(|&i| numbers[i as usize]).collect()))
}

/// Reads a header and `count` compressed positions after it.
fn compressed_block(plan: &mut Plan<'_>, address: u64, count: u32, most: Option<u64>) -> Result<ClusterPositions> {
    const FIELD: &str = "VertexBuffer";
    let header = plan.read(FIELD, address, VertexFormat::Compressed1.size(), 4)?;
    let words = Fields(&header);
    let bits = (words.u32(4) & 15) + (words.u32(4) >> 4 & 15) + (words.u32(8) & 15) + 3;
    let size = VertexFormat::Compressed1.size() + (u64::from(count) * u64::from(bits)).div_ceil(8);
    if let Some(most) = most.filter(|&most| size > most) {
        return Err(error(format!("{FIELD}: {size} bytes of compressed positions, MaxCompressedClusterPositionsSize is {most}")));
    }
    Ok(ClusterPositions::Compressed1(plan.read(FIELD, address, size, 4)?, count))
}
