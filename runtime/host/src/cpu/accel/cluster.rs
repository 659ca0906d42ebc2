//! Clusters, cluster templates, and bottom-level structures of clusters (raytracing2, cluster operations).
//!
//! A cluster has a BVH of its own. A structure of clusters concatenates their trees and triangles and builds a small BVH over the
//! roots, which makes its build fast. Triangles store their cluster's index next to their index in it. A template with position
//! hints already has its tree; instantiation only refits it.

use super::bottom::{Bottom, CLUSTER_SHIFT, FindMicromaps, GEOMETRY_INDEX, MicromapRefs, NO_MICROMAP, Source, Triangle, UNIFORM};
use super::build::{Effort, build};
use super::bvh::{self, Bvh, MAX_PRIMITIVES};
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

/// Maximum size of the tree and triangles of a cluster, in bytes.
pub fn cluster_bytes(triangles: u32) -> u64 {
    let t = u64::from(triangles);
    bvh::max_nodes(t, LEAF) * bvh::NODE_BYTES + t * size_of::<Triangle>() as u64
}

/// Maximum size of a template, in bytes: triangles without positions, vertex indices, tree.
pub fn template_bytes(triangles: u32, vertices: u32) -> u64 {
    let t = u64::from(triangles);
    let tree = bvh::max_nodes(t, LEAF) * bvh::NODE_BYTES + t * 4;
    size_of::<Compressed1Template>() as u64 + t * size_of::<Corners>() as u64 + u64::from(vertices) * 4 + tree
}

/// Size of a reference to a cluster, in bytes.
const REFERENCE: u64 = 16;

/// Maximum size of a structure of clusters, in bytes: cluster references and the tree over them.
pub fn references_bytes(clusters: u32) -> u64 {
    let n = u64::from(clusters);
    bvh::max_nodes(n, 1) * bvh::NODE_BYTES + n * REFERENCE
}

/// A built template.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    desc: ClusterTemplateDesc,
    topology: Topology,
    micromaps: Option<Arc<MicromapArray>>,
    /// Tree and leaf order for the position hints.
    tree: Option<(Bvh, Vec<u32>)>,
}

fn error(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, format!("a cluster: {why}"))
}

/// A triangle without its positions.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Corners {
    vertices: [u32; 3],
    geometry: u32,
    micromap: u32,
}

type Topology = Vec<Corners>;

fn topology(desc: &ClusterDesc, vertices: usize, micromaps: Option<Arc<MicromapArray>>) -> Result<Topology> {
    let count = desc.indices.len() / 3;
    if !desc.indices.len().is_multiple_of(3) {
        return Err(error(format!("{} indices do not make whole triangles", desc.indices.len())));
    }
    if count > CLUSTER_MAX || vertices > CLUSTER_MAX {
        return Err(error(format!("{count} triangles with {vertices} vertices, {CLUSTER_MAX} of each are possible")));
    }
    if desc.truncate_bits > 32 {
        return Err(error(format!("{} bits cannot be cut off 32", desc.truncate_bits)));
    }
    if let Some(i) = desc.indices.iter().find(|&&i| i as usize >= vertices) {
        return Err(error(format!("index {i}, but there are {vertices} vertices")));
    }
    if let Some(list) = &desc.geometry_indices
        && list.len() != count
    {
        return Err(error(format!("{} geometry indices for {count} triangles", list.len())));
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
                *list.get(at).ok_or_else(|| error(format!("geometry {at}, but there are {}", list.len())))?
            }
        };
        let index = (desc.base_geometry & GEOMETRY_INDEX) + (own & GEOMETRY_INDEX);
        if index > limit {
            return Err(error(format!("geometry index {index}, the largest is {limit}")));
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
            // Truncation must not turn a NaN into an infinity.
            let cut = |x: f32| if x.is_nan() { x } else { f32::from_bits(x.to_bits() & mask) };
            Ok(list.iter().map(|p| p.map(cut)).collect())
        }
        ClusterPositions::Compressed1(bytes, count) => {
            if *count as usize > CLUSTER_MAX {
                return Err(error(format!("{count} vertices, {CLUSTER_MAX} are possible")));
            }
            compressed::decode(bytes, *count).map_err(error)
        }
    }
}

fn find_array(desc: &ClusterDesc, find: FindMicromaps) -> Result<Option<Arc<MicromapArray>>> {
    desc.micromaps.as_ref().and_then(|m| m.array).map(find).transpose()
}

/// Whether a triangle is in the tree: no x coordinate is NaN.
fn active(corners: &Corners, positions: &[V3]) -> bool {
    !corners.vertices.iter().any(|&v| positions[v as usize][0].is_nan())
}

fn corners(c: &Corners, positions: &[V3]) -> [V3; 3] {
    c.vertices.map(|v| positions[v as usize])
}

/// A tree over the active triangles, with its leaf order.
fn tree(topology: &[Corners], positions: &[V3], effort: Effort) -> (Bvh, Vec<u32>) {
    let (numbers, boxes): (Vec<u32>, Vec<Bounds>) =
        (0u32..).zip(topology).filter(|(_, c)| active(c, positions)).map(|(n, c)| (n, Bounds::of(&corners(c, positions)))).unzip();
    let (bvh, order) = build(&boxes, LEAF, effort);
    (bvh, order.iter().map(|&i| numbers[i as usize]).collect())
}

impl Cluster {
    /// Builds a cluster.
    ///
    /// # Errors
    /// Too many triangles or vertices, an index out of range, a geometry index that is too large.
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

    /// A cluster without triangles.
    pub fn empty() -> Cluster {
        let desc = ClusterDesc::new(0, Vec::new(), Vec::new());
        Cluster::assemble(&desc, 0, None, Bvh::default(), &[], &[], &[])
    }

    /// Size of its tree and triangles in bytes.
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
    /// Builds a template.
    ///
    /// # Errors
    /// Those of a cluster, an invalid format, hints for another number of vertices.
    pub fn build(desc: &ClusterTemplateDesc, find: FindMicromaps) -> Result<Template> {
        let hint = positions(&desc.cluster.positions, desc.cluster.truncate_bits)?;
        if !hint.is_empty() && hint.len() != desc.vertices as usize {
            return Err(error(format!("a hint of {} positions for {} vertices", hint.len(), desc.vertices)));
        }
        if let Some(t) = &desc.compressed {
            compressed::encode(&[], t).map_err(error)?;
        }
        let micromaps = find_array(&desc.cluster, find)?;
        let topology = topology(&desc.cluster, desc.vertices as usize, micromaps.clone())?;
        let tree = (!hint.is_empty()).then(|| tree(&topology, &hint, Effort::Good));
        Ok(Template { desc: desc.clone(), topology, micromaps, tree })
    }

    /// Size of its triangles, vertex indices and tree in bytes.
    pub fn size(&self) -> u64 {
        let tree = self.tree.as_ref().map_or(0, |(b, order)| b.nodes.len() as u64 * bvh::NODE_BYTES + order.len() as u64 * 4);
        let own = size_of::<Compressed1Template>() + self.topology.len() * size_of::<Corners>();
        own as u64 + u64::from(self.desc.vertices) * 4 + tree
    }
    /// Whether it refers to micromaps.
    pub fn has_micromaps(&self) -> bool {
        self.micromaps.is_some()
    }
    /// Number of triangles.
    pub fn triangles(&self) -> u32 {
        self.topology.len() as u32
    }
    /// Maximum geometry index of its instances.
    pub fn max_geometry(&self) -> u32 {
        self.desc.cluster.max_geometry
    }
    /// Number of distinct geometry indices with flags.
    pub fn geometries(&self) -> usize {
        self.topology.iter().map(|c| c.geometry).collect::<rustc_hash::FxHashSet<_>>().len()
    }
    /// Number of triangles with a micromap of their own.
    pub fn mapped(&self) -> usize {
        self.topology.iter().filter(|c| c.micromap < UNIFORM).count()
    }

    /// Instantiates a cluster.
    ///
    /// # Errors
    /// Another number of positions, positions outside of the bounds or the format's range, geometry indices that become negative
    /// or too large.
    pub fn instantiate(&self, id_offset: u32, geometry_offset: i32, from: &ClusterPositions) -> Result<Cluster> {
        self.instantiate_some(id_offset, geometry_offset, from, None)
    }

    /// Instantiates with the positions at these indices.
    ///
    /// # Errors
    /// See [`Template::instantiate`]; an index out of range.
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
                let there = |&i: &u32| all.get(i as usize).copied().ok_or_else(|| error(format!("there is no position {i}")));
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
                // Compressed positions with few enough bits are used unchanged.
                let fits = |bytes: &[u8]| compressed::header(bytes).is_ok_and(|h| (0..3).all(|a| h.bits[a] <= u32::from(format.bits[a])));
                match from {
                    ClusterPositions::Compressed1(bytes, _) if fits(bytes) => read,
                    _ => compressed::rounded(&read, format).map_err(error)?,
                }
            }
        };
        if places.len() != self.desc.vertices as usize {
            return Err(error(format!("{} positions, its template has {} vertices", places.len(), self.desc.vertices)));
        }
        if let (Some(b), None) = (&self.desc.bounds, &self.desc.compressed)
            && let Some(p) = places.iter().find(|p| (0..3).any(|a| p[a] < b[a] || p[a] > b[a + 3]))
        {
            return Err(error(format!("{p:?} is outside of the bounds {b:?} of its template")));
        }
        let limit = i64::from(desc.max_geometry.min(MAX_GEOMETRY_INDEX));
        let mut topology = self.topology.clone();
        for c in &mut topology {
            let index = i64::from(c.geometry & GEOMETRY_INDEX) + i64::from(geometry_offset);
            if !(0..=limit).contains(&index) {
                return Err(error(format!("geometry index {index}, 0 to {limit} are possible")));
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
    /// Size of the cluster references and the tree over them in bytes: what the structure itself adds to its clusters.
    pub fn references_size(&self, clusters: &[Option<Arc<Cluster>>]) -> u64 {
        let theirs: usize = clusters.iter().flatten().map(|c| c.bvh.nodes.len()).sum();
        let own = self.bvh.nodes.len().saturating_sub(theirs) as u64;
        own * bvh::NODE_BYTES + clusters.iter().flatten().count() as u64 * REFERENCE
    }
    /// Whether some of its primitives have micromaps.
    pub fn has_micromaps(&self) -> bool {
        self.sources.iter().any(|s| s.micromaps.is_some())
    }

    /// A structure of clusters; null entries are skipped.
    ///
    /// # Errors
    /// A duplicate cluster, clusters of which only some allow position fetch, too many clusters.
    pub fn of_clusters(clusters: &[Option<Arc<Cluster>>]) -> Result<Bottom> {
        let clusters: Vec<&Arc<Cluster>> = clusters.iter().flatten().collect();
        let mut seen = rustc_hash::FxHashSet::default();
        if let Some(c) = clusters.iter().find(|c| !seen.insert(Arc::as_ptr(c))) {
            return Err(super::bottom::error(format!("a cluster with id {} occurs more than once", c.id)));
        }
        let total: usize = clusters.iter().map(|c| c.triangles.len()).sum();
        if clusters.len() > 1 << (32 - CLUSTER_SHIFT) || total > MAX_PRIMITIVES {
            return Err(super::bottom::error(format!("{} clusters with {total} triangles are too many", clusters.len())));
        }
        let data_access = clusters.first().is_some_and(|c| c.data_access);
        if clusters.iter().any(|c| c.data_access != data_access) {
            return Err(super::bottom::error("shaders may read positions of only some of its clusters"));
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
