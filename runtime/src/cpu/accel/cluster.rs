//! Clusters, templates, and bottom-level structures of clusters.
//!
//! A cluster has a tree of its own. A structure of clusters copies their trees and triangles behind each other and builds a
//! small tree over their roots, which is what makes it fast. Triangles number their cluster beside their place in it.
//! A template with positions as a hint has its tree already; an instance only refits it.

use super::bottom::{Bottom, CLUSTER_SHIFT, FindMicromaps, GEOMETRY_INDEX, MicromapRefs, NO_MICROMAP, Source, Triangle, UNIFORM};
use super::bvh::{self, Bvh, Effort, MAX_PRIMITIVES};
use super::compressed;
use super::math::{Bounds, V3};
use super::micromap::MicromapArray;
use super::vertex;
use crate::device::{BuildFlags, CLUSTER_MAX, ClusterDesc, ClusterPositions, ClusterTemplateDesc, Compressed1Template, MAX_GEOMETRY_INDEX};
use crate::error::{ErrorKind, Result, RunError};
use std::sync::Arc;

/// Triangles in a leaf.
const LEAF: usize = 4;

/// A built cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    id: u32,
    bvh: Bvh,
    triangles: Vec<Triangle>,
    micromaps: Option<Arc<MicromapArray>>,
    data_access: bool,
    disable_omms: bool,
}

/// The most bytes that tree and triangles of a cluster have.
pub fn cluster_bytes(triangles: u32) -> u64 {
    let t = u64::from(triangles);
    bvh::most_nodes(t, LEAF) * bvh::NODE_BYTES + t * size_of::<Triangle>() as u64
}

/// The most bytes that a template has: its triangles without positions, the places of its vertices, a tree.
pub fn template_bytes(triangles: u32, vertices: u32) -> u64 {
    let t = u64::from(triangles);
    let tree = bvh::most_nodes(t, LEAF) * bvh::NODE_BYTES + t * 4;
    size_of::<Compressed1Template>() as u64 + t * size_of::<Corners>() as u64 + u64::from(vertices) * 4 + tree
}

/// Bytes of a reference to a cluster.
const REFERENCE: u64 = 16;

/// The most bytes that a structure of clusters has: references to them and a tree over those.
pub fn references_bytes(clusters: u32) -> u64 {
    let n = u64::from(clusters);
    bvh::most_nodes(n, 1) * bvh::NODE_BYTES + n * REFERENCE
}

/// A built template.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    desc: ClusterTemplateDesc,
    topology: Topology,
    micromaps: Option<Arc<MicromapArray>>,
    /// Tree and order of leaves for the positions of the hint.
    tree: Option<(Bvh, Vec<u32>)>,
}

fn wrong(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, format!("a cluster: {why}"))
}

/// All of a triangle but its positions.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Corners {
    vertices: [u32; 3],
    geometry: u32,
    micromap: u32,
}

type Topology = Vec<Corners>;

fn topology(desc: &ClusterDesc, vertices: usize, micromaps: Option<Arc<MicromapArray>>) -> Result<Topology> {
    let count = desc.indices.len() / 3;
    if desc.indices.len() % 3 != 0 {
        return Err(wrong(format!("{} indices do not make whole triangles", desc.indices.len())));
    }
    if count > CLUSTER_MAX || vertices > CLUSTER_MAX {
        return Err(wrong(format!("{count} triangles with {vertices} vertices, {CLUSTER_MAX} of each are possible")));
    }
    if desc.truncate_bits > 32 {
        return Err(wrong(format!("{} bits cannot be cut off 32", desc.truncate_bits)));
    }
    if let Some(i) = desc.indices.iter().find(|&&i| i as usize >= vertices) {
        return Err(wrong(format!("index {i}, but there are {vertices} vertices")));
    }
    if let Some(list) = &desc.geometry_indices
        && list.len() != count
    {
        return Err(wrong(format!("{} geometry indices for {count} triangles", list.len())));
    }
    let maps = match &desc.micromaps {
        Some(m) => Some(MicromapRefs::linked(micromaps, m.indices.as_deref(), m.base, count as u32, true)?),
        None => None,
    };
    let limit = desc.max_geometry.min(MAX_GEOMETRY_INDEX);
    let triangle = |t: usize| {
        let own = match (&desc.geometries[..], &desc.geometry_indices) {
            ([], None) => 0,
            (list, indices) => {
                let at = indices.as_ref().map_or(t, |v| v[t] as usize);
                *list.get(at).ok_or_else(|| wrong(format!("geometry {at}, but there are {}", list.len())))?
            }
        };
        let index = (desc.base_geometry & GEOMETRY_INDEX) + (own & GEOMETRY_INDEX);
        if index > limit {
            return Err(wrong(format!("geometry index {index}, the largest is {limit}")));
        }
        Ok(Corners {
            vertices: std::array::from_fn(|k| desc.indices[3 * t + k]),
            geometry: index | (desc.base_geometry | own) & !GEOMETRY_INDEX,
            micromap: maps.as_ref().map_or(NO_MICROMAP, |m| m.of(t as u32)),
        })
    };
    (0..count).map(triangle).collect()
}

fn positions(from: &ClusterPositions, truncate: u32) -> Result<Vec<V3>> {
    match from {
        ClusterPositions::Float(list) => {
            let mask = u32::MAX.checked_shl(truncate).unwrap_or(0);
            // Cutting bits must not turn what is no number into an infinity.
            let cut = |x: f32| if x.is_nan() { x } else { f32::from_bits(x.to_bits() & mask) };
            Ok(list.iter().map(|p| p.map(cut)).collect())
        }
        ClusterPositions::Compressed1(bytes, count) => {
            if *count as usize > CLUSTER_MAX {
                return Err(wrong(format!("{count} vertices, {CLUSTER_MAX} are possible")));
            }
            compressed::decode(bytes, *count).map_err(wrong)
        }
    }
}

fn find_array(desc: &ClusterDesc, find: FindMicromaps) -> Result<Option<Arc<MicromapArray>>> {
    desc.micromaps.as_ref().and_then(|m| m.array).map(find).transpose()
}

/// Whether a triangle is in the tree: no x of it is NaN.
fn active(corners: &Corners, positions: &[V3]) -> bool {
    !corners.vertices.iter().any(|&v| positions[v as usize][0].is_nan())
}

fn corners(c: &Corners, positions: &[V3]) -> [V3; 3] {
    c.vertices.map(|v| positions[v as usize])
}

/// A tree over the active triangles, with the order of its leaves.
fn tree(topology: &[Corners], positions: &[V3], effort: Effort) -> (Bvh, Vec<u32>) {
    let (numbers, boxes): (Vec<u32>, Vec<Bounds>) =
        (0u32..).zip(topology).filter(|(_, c)| active(c, positions)).map(|(n, c)| (n, Bounds::of(&corners(c, positions)))).unzip();
    let (bvh, order) = bvh::build(&boxes, LEAF, effort);
    (bvh, order.iter().map(|&i| numbers[i as usize]).collect())
}

impl Cluster {
    /// Builds one. Errors: too many triangles or vertices, indices of nothing, a geometry index that is too large.
    pub fn build(desc: &ClusterDesc, find: FindMicromaps) -> Result<Cluster> {
        let positions = positions(&desc.positions, desc.truncate_bits)?;
        let micromaps = find_array(desc, find)?;
        let topology = topology(desc, positions.len(), micromaps.clone())?;
        let (bvh, order) = tree(&topology, &positions, Effort::Good);
        Ok(Cluster::assemble(desc, desc.id, micromaps, bvh, &order, &topology, &positions))
    }

    fn assemble(
        desc: &ClusterDesc,
        id: u32,
        micromaps: Option<Arc<MicromapArray>>,
        bvh: Bvh,
        order: &[u32],
        topology: &[Corners],
        positions: &[V3],
    ) -> Cluster {
        let triangle = |&n: &u32| {
            let c = &topology[n as usize];
            Triangle { corners: corners(c, positions), geometry: c.geometry, primitive: n, micromap: c.micromap }
        };
        Cluster {
            id,
            bvh,
            triangles: order.iter().map(triangle).collect(),
            micromaps,
            data_access: desc.allow_data_access,
            disable_omms: desc.allow_disable_omms,
        }
    }

    /// One without triangles.
    pub fn empty() -> Cluster {
        let desc = ClusterDesc::new(0, Vec::new(), Vec::new());
        Cluster::assemble(&desc, 0, None, Bvh::default(), &[], &[], &[])
    }

    /// Bytes of its tree and triangles.
    pub fn size(&self) -> u64 {
        self.bvh.nodes.len() as u64 * bvh::NODE_BYTES + (self.triangles.len() * size_of::<Triangle>()) as u64
    }
    /// Whether it refers to micromaps.
    pub fn has_micromaps(&self) -> bool {
        self.micromaps.is_some()
    }
    /// The geometry indices of its triangles.
    pub fn geometries(&self) -> impl Iterator<Item = u32> {
        self.triangles.iter().map(|t| t.geometry & GEOMETRY_INDEX)
    }
}

impl Template {
    /// Builds one. Errors: those of a cluster, a format that cannot be, a hint with another number of vertices.
    pub fn build(desc: &ClusterTemplateDesc, find: FindMicromaps) -> Result<Template> {
        let hint = positions(&desc.cluster.positions, desc.cluster.truncate_bits)?;
        if !hint.is_empty() && hint.len() != desc.vertices as usize {
            return Err(wrong(format!("a hint of {} positions for {} vertices", hint.len(), desc.vertices)));
        }
        if let Some(t) = &desc.compressed {
            compressed::encode(&[], t).map_err(wrong)?;
        }
        let micromaps = find_array(&desc.cluster, find)?;
        let topology = topology(&desc.cluster, desc.vertices as usize, micromaps.clone())?;
        let tree = (!hint.is_empty()).then(|| tree(&topology, &hint, Effort::Good));
        Ok(Template { desc: desc.clone(), topology, micromaps, tree })
    }

    /// Bytes of its triangles, the places of its vertices and its tree.
    pub fn size(&self) -> u64 {
        let tree = self.tree.as_ref().map_or(0, |(b, order)| b.nodes.len() as u64 * bvh::NODE_BYTES + order.len() as u64 * 4);
        let own = size_of::<Compressed1Template>() + self.topology.len() * size_of::<Corners>();
        own as u64 + u64::from(self.desc.vertices) * 4 + tree
    }
    /// Whether it refers to micromaps.
    pub fn has_micromaps(&self) -> bool {
        self.micromaps.is_some()
    }
    /// Triangles.
    pub fn triangles(&self) -> u32 {
        self.topology.len() as u32
    }
    /// The largest geometry index that instances may have.
    pub fn max_geometry(&self) -> u32 {
        self.desc.cluster.max_geometry
    }
    /// Different geometry indices with their flags.
    pub fn geometries(&self) -> usize {
        self.topology.iter().map(|c| c.geometry).collect::<rustc_hash::FxHashSet<_>>().len()
    }
    /// Triangles that have a micromap of their own.
    pub fn mapped(&self) -> usize {
        self.topology.iter().filter(|c| c.micromap < UNIFORM).count()
    }

    /// Makes a cluster of it. Errors: another number of positions, positions outside of the bounds or of the
    /// format, geometry indices that become negative or too large.
    pub fn instantiate(&self, id_offset: u32, geometry_offset: i32, from: &ClusterPositions) -> Result<Cluster> {
        self.instantiate_some(id_offset, geometry_offset, from, None)
    }

    /// The same of the positions with these numbers.
    pub fn instantiate_some(
        &self,
        id_offset: u32,
        geometry_offset: i32,
        from: &ClusterPositions,
        which: Option<&[u32]>,
    ) -> Result<Cluster> {
        let desc = &self.desc.cluster;
        let chosen = |all: Vec<V3>| match which {
            None => Ok(all),
            Some(list) => {
                let there = |&i: &u32| all.get(i as usize).copied().ok_or_else(|| wrong(format!("there is no position {i}")));
                list.iter().map(there).collect()
            }
        };
        let places = match &self.desc.compressed {
            None => {
                let rounded: Vec<V3> = chosen(positions(from, 0)?)?.into_iter().map(|p| vertex::rounded(p, self.desc.precision)).collect();
                positions(&ClusterPositions::Float(rounded), desc.truncate_bits)?
            }
            Some(format) => {
                let read = chosen(positions(from, 0)?)?;
                // Compressed positions of few enough bits are taken as they are.
                let fits = |bytes: &[u8]| compressed::header(bytes).is_ok_and(|h| (0..3).all(|a| h.bits[a] <= u32::from(format.bits[a])));
                match from {
                    ClusterPositions::Compressed1(bytes, _) if fits(bytes) => read,
                    _ => compressed::rounded(&read, format).map_err(wrong)?,
                }
            }
        };
        if places.len() != self.desc.vertices as usize {
            return Err(wrong(format!("{} positions, its template has {} vertices", places.len(), self.desc.vertices)));
        }
        if let (Some(b), None) = (&self.desc.bounds, &self.desc.compressed)
            && let Some(p) = places.iter().find(|p| (0..3).any(|a| p[a] < b[a] || p[a] > b[a + 3]))
        {
            return Err(wrong(format!("{p:?} is outside of the bounds {b:?} of its template")));
        }
        let limit = i64::from(desc.max_geometry.min(MAX_GEOMETRY_INDEX));
        let mut topology = self.topology.clone();
        for c in &mut topology {
            let index = i64::from(c.geometry & GEOMETRY_INDEX) + i64::from(geometry_offset);
            if !(0..=limit).contains(&index) {
                return Err(wrong(format!("geometry index {index}, 0 to {limit} are possible")));
            }
            c.geometry = index as u32 | c.geometry & !GEOMETRY_INDEX;
        }
        let all = |order: &[u32]| order.len() == topology.len() && topology.iter().all(|c| active(c, &places));
        let (bvh, order) = match &self.tree {
            Some((bvh, order)) if all(order) => {
                let mut bvh = bvh.clone();
                bvh.refit(|i| Bounds::of(&corners(&topology[order[i] as usize], &places)));
                (bvh, order.clone())
            }
            _ => tree(&topology, &places, Effort::Fast),
        };
        let id = desc.id.wrapping_add(id_offset);
        Ok(Cluster::assemble(desc, id, self.micromaps.clone(), bvh, &order, &topology, &places))
    }
}

impl Bottom {
    /// Bytes of references to these clusters and of the tree over them: what it has beside theirs.
    pub fn references_size(&self, clusters: &[Option<Arc<Cluster>>]) -> u64 {
        let theirs: usize = clusters.iter().flatten().map(|c| c.bvh.nodes.len()).sum();
        let own = self.bvh.nodes.len().saturating_sub(theirs) as u64;
        own * bvh::NODE_BYTES + clusters.iter().flatten().count() as u64 * REFERENCE
    }
    /// Whether some of its primitives have micromaps.
    pub fn has_micromaps(&self) -> bool {
        self.sources.iter().any(|s| s.micromaps.is_some())
    }

    /// A structure of clusters; empty places are skipped. Errors: a cluster twice, clusters of which only some allow
    /// shaders to read positions, too many.
    pub fn of_clusters(clusters: &[Option<Arc<Cluster>>]) -> Result<Bottom> {
        let clusters: Vec<&Arc<Cluster>> = clusters.iter().flatten().collect();
        let mut seen = rustc_hash::FxHashSet::default();
        if let Some(c) = clusters.iter().find(|c| !seen.insert(Arc::as_ptr(c))) {
            return Err(super::bottom::wrong(format!("a cluster with id {} comes twice", c.id)));
        }
        let total: usize = clusters.iter().map(|c| c.triangles.len()).sum();
        if clusters.len() > 1 << (32 - CLUSTER_SHIFT) || total > MAX_PRIMITIVES {
            return Err(super::bottom::wrong(format!("{} clusters with {total} triangles are too many", clusters.len())));
        }
        let data_access = clusters.first().is_some_and(|c| c.data_access);
        if clusters.iter().any(|c| c.data_access != data_access) {
            return Err(super::bottom::wrong("shaders may read positions of only some of its clusters"));
        }
        let flags = BuildFlags {
            allow_data_access: data_access,
            allow_disable_omms: clusters.iter().all(|c| c.disable_omms || c.micromaps.is_none()),
            ..BuildFlags::default()
        };
        let (mut triangles, mut sources) = (Vec::with_capacity(total), Vec::with_capacity(clusters.len()));
        let mut parts = Vec::with_capacity(clusters.len());
        for (slot, c) in (0u32..).zip(&clusters) {
            parts.push((&c.bvh, triangles.len()));
            let own = |t: &Triangle| Triangle { primitive: t.primitive | slot << CLUSTER_SHIFT, ..*t };
            triangles.extend(c.triangles.iter().map(own));
            let count = c.triangles.len() as u32;
            sources.push(Source { cluster: c.id, micromaps: c.micromaps.clone(), primitives: count, shape: [false; 3] });
        }
        let bvh = Bvh::join(&parts);
        Ok(Bottom { bvh, triangles, boxes: Vec::new(), sources, flags, clustered: true, procedural: false })
    }
}
