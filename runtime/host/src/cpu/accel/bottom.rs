//! Bottom-level acceleration structures: a BVH over triangles or boxes, which are stored in leaf order.
//!
//! A primitive stores everything that a hit reports: its geometry index with two flags in the high bits (the layout of clusters),
//! its primitive index, and its micromap reference. Data that primitives share is stored in *sources*: one per geometry or
//! cluster. A structure keeps no reference to its build inputs.

use super::build::{Effort, build};
use super::bvh::{self, Bvh, MAX_PRIMITIVES};
use super::math::{Bounds, V3, point};
use super::micromap::{MicromapArray, State};
use crate::device::{
    BottomDesc, BuildFlags, GEOMETRY_NO_DUPLICATE_ANY_HIT, GEOMETRY_OPAQUE, Geometry, GeometryData, MICROMAP_CLUSTER_SKIP,
    MICROMAP_FULLY_UNKNOWN_OPAQUE, Micromaps,
};
use crate::error::{ErrorKind, Result, RunError};
use rayon::prelude::*;
use std::sync::Arc;

/// Low bits of [`Triangle::geometry`]: the geometry index.
pub const GEOMETRY_INDEX: u32 = 0x00ff_ffff;
/// Bit of [`Triangle::geometry`]: the any-hit shader runs at most once.
pub const CLUSTER_NO_DUPLICATE_ANY_HIT: u32 = 0x2000_0000;
/// Bit of [`Triangle::geometry`]: opaque.
pub const CLUSTER_OPAQUE: u32 = 0x4000_0000;
/// `ClusterID()` of a primitive outside of clusters.
pub use rtc_tables::hit_objects::CLUSTER_ID_INVALID;

/// Target number of primitives per leaf.
const LEAF: usize = 4;
/// Bits of [`Triangle::primitive`] below the cluster's index, in clustered structures.
pub(super) const CLUSTER_SHIFT: u32 = 8;

/// A triangle in leaf order: twelve words, which [`super::lanes`] loads together.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
pub(crate) struct Triangle {
    pub corners: [V3; 3],
    /// Index and flags of its geometry.
    pub geometry: u32,
    /// Primitive index in its geometry; in clustered structures, the source index above the index in the cluster.
    pub primitive: u32,
    /// [`NO_MICROMAP`], [`UNIFORM`] plus a state, or an index into the source's array.
    pub micromap: u32,
}

/// No micromap.
pub(crate) const NO_MICROMAP: u32 = u32::MAX;
/// Plus a state in the low bits: that state everywhere.
pub(crate) const UNIFORM: u32 = 0xffff_fff0;

impl Triangle {
    fn bounds(&self) -> Bounds {
        Bounds::of(&self.corners)
    }
}

/// A procedural primitive in leaf order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Boxed {
    pub bounds: Bounds,
    pub geometry: u32,
    pub primitive: u32,
}

/// Data shared by the primitives of a geometry or a cluster.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Source {
    /// [`CLUSTER_ID_INVALID`] for a geometry.
    pub cluster: u32,
    pub micromaps: Option<Arc<MicromapArray>>,
    /// Number of primitives, inactive ones included; an update must keep it.
    pub primitives: u32,
    /// Whether it has vertex indices, a transform, and micromaps; an update must keep these too.
    pub shape: [bool; 3],
}

/// A built bottom-level structure, shared by clones and instances.
#[derive(Clone, PartialEq, Debug)]
pub struct Bottom {
    pub(crate) bvh: Bvh,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) boxes: Vec<Boxed>,
    pub(crate) sources: Vec<Source>,
    pub(crate) flags: BuildFlags,
    /// The sources are clusters.
    pub(crate) clustered: bool,
    /// The geometries hold boxes, even if there are none.
    pub(crate) procedural: bool,
}

pub(super) fn error(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, format!("a bottom-level structure: {why}"))
}

/// Looks up the micromap arrays that a description refers to.
pub type FindMicromaps<'a> = &'a dyn Fn(Micromaps) -> Result<Arc<MicromapArray>>;

impl Bottom {
    /// Builds a structure.
    ///
    /// # Errors
    /// Mutually exclusive flags, a mix of triangles and boxes, incomplete triangles, an index or a micromap reference out of
    /// range, too many primitives.
    pub fn build(desc: &BottomDesc, find: FindMicromaps) -> Result<Bottom> {
        if desc.flags.allow_omm_update && !desc.flags.allow_update {
            return Err(error("`allow_omm_update` is only possible with `allow_update`"));
        }
        let read = Inputs::read(desc, find)?;
        let effort = if desc.flags.prefer_fast_build { Effort::Fast } else { Effort::Good };
        let mut bottom = Bottom {
            bvh: Bvh::default(),
            triangles: Vec::new(),
            boxes: Vec::new(),
            sources: read.sources,
            flags: desc.flags,
            clustered: false,
            procedural: read.procedural,
        };
        let count = read.triangles.len() + read.boxes.len();
        if count > MAX_PRIMITIVES {
            return Err(error(format!("{count} primitives, at most {MAX_PRIMITIVES} are possible")));
        }
        if read.procedural {
            let bounds: Vec<Bounds> = read.boxes.iter().map(|b| b.bounds).collect();
            let (bvh, order) = build(&bounds, LEAF, effort);
            bottom.boxes = order.iter().map(|&i| read.boxes[i as usize]).collect();
            bottom.bvh = bvh;
        } else {
            let bounds: Vec<Bounds> = read.triangles.par_iter().map(Triangle::bounds).collect();
            let (bvh, order) = build(&bounds, LEAF, effort);
            bottom.triangles = order.par_iter().map(|&i| read.triangles[i as usize]).collect();
            bottom.bvh = bvh;
        }
        if !desc.flags.allow_compaction {
            bottom.shrink();
        }
        Ok(bottom)
    }

    /// The same structure with other positions.
    ///
    /// # Errors
    /// It was not built with `allow_update`, or the description has other geometries or another number of primitives.
    pub fn updated(&self, desc: &BottomDesc, find: FindMicromaps) -> Result<Bottom> {
        let fixed = |why: String| Err(error(format!("an update {why}")));
        if !self.flags.allow_update || self.clustered {
            return fixed("of one that was not built with `allow_update`".into());
        }
        if desc.flags != self.flags {
            return fixed(format!("with flags {:?}, it was built with {:?}", desc.flags, self.flags));
        }
        let read = Inputs::read(desc, find)?;
        let shape = |s: &Source| (s.primitives, s.shape);
        if read.procedural != self.procedural || !read.sources.iter().map(shape).eq(self.sources.iter().map(shape)) {
            return fixed("with other geometries or another number of primitives".into());
        }
        if !self.flags.allow_omm_update && read.sources.iter().zip(&self.sources).any(|(a, b)| a.micromaps != b.micromaps) {
            return fixed("with other micromaps, but it was built without `allow_omm_update`".into());
        }
        // Primitives that have changed between active and inactive require a rebuild: the tree has no leaf for them.
        if read.triangles.len() != self.triangles.len() || read.boxes.len() != self.boxes.len() {
            return Bottom::build(desc, find);
        }
        let mut out = self.clone();
        let mut same = true;
        let key = |geometry: u32, primitive: u32| (geometry & GEOMETRY_INDEX, primitive);
        for t in &mut out.triangles {
            let k = key(t.geometry, t.primitive);
            match read.triangles.binary_search_by_key(&k, |t| key(t.geometry, t.primitive)) {
                Ok(i) => *t = read.triangles[i],
                Err(_) => same = false,
            }
        }
        for b in &mut out.boxes {
            let k = key(b.geometry, b.primitive);
            match read.boxes.binary_search_by_key(&k, |b| key(b.geometry, b.primitive)) {
                Ok(i) => *b = read.boxes[i],
                Err(_) => same = false,
            }
        }
        if !same {
            return Bottom::build(desc, find);
        }
        out.sources = read.sources;
        out.refit();
        Ok(out)
    }

    fn refit(&mut self) {
        let (triangles, boxes) = (&self.triangles, &self.boxes);
        if self.procedural {
            self.bvh.refit(|i| boxes[i].bounds);
        } else {
            self.bvh.refit(|i| triangles[i].bounds());
        }
    }

    pub(super) fn shrink(&mut self) {
        self.bvh.nodes.shrink_to_fit();
        self.triangles.shrink_to_fit();
        self.boxes.shrink_to_fit();
        self.sources.shrink_to_fit();
    }

    /// A copy without reserved capacity.
    ///
    /// # Errors
    /// It was not built with `allow_compaction`.
    pub fn compacted(&self) -> Result<Bottom> {
        if !self.flags.allow_compaction {
            return Err(error("it was not built with `allow_compaction`"));
        }
        let mut out = self.clone();
        out.shrink();
        Ok(out)
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        let of = |n: usize, size: usize| (n * size) as u64;
        size_of::<Bottom>() as u64
            + of(self.bvh.nodes.capacity(), size_of::<bvh::Node>())
            + of(self.triangles.capacity(), size_of::<Triangle>())
            + of(self.boxes.capacity(), size_of::<Boxed>())
            + of(self.sources.capacity(), size_of::<Source>())
    }
    /// The build flags.
    pub fn flags(&self) -> BuildFlags {
        self.flags
    }
    /// Whether it consists of clusters.
    pub fn is_clustered(&self) -> bool {
        self.clustered
    }
    /// Number of active primitives.
    pub fn primitives(&self) -> usize {
        self.triangles.len() + self.boxes.len()
    }
    /// The bounds of all active primitives; `None` if there are none.
    pub fn bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        (!self.bvh.bounds.is_empty()).then_some((self.bvh.bounds.lo, self.bvh.bounds.hi))
    }

    /// The source of a triangle.
    #[inline]
    pub(crate) fn source(&self, t: &Triangle) -> Option<&Source> {
        let i = if self.clustered { t.primitive >> CLUSTER_SHIFT } else { t.geometry & GEOMETRY_INDEX };
        self.sources.get(i as usize)
    }
    /// The state of a triangle's micromap at a point.
    pub(crate) fn state(&self, t: &Triangle, barycentrics: [f32; 2]) -> State {
        if t.micromap >= UNIFORM {
            return State::from_bits(t.micromap as u8);
        }
        match self.source(t).and_then(|s| s.micromaps.as_ref()) {
            Some(array) => array.state(t.micromap as usize, barycentrics),
            None => State::Transparent,
        }
    }
}

/// The active primitives of a description, in its order.
struct Inputs {
    triangles: Vec<Triangle>,
    boxes: Vec<Boxed>,
    sources: Vec<Source>,
    procedural: bool,
}

impl Inputs {
    fn read(desc: &BottomDesc, find: FindMicromaps) -> Result<Inputs> {
        let boxes = |g: &Geometry| matches!(g.data, GeometryData::Boxes(_));
        let procedural = desc.geometries.iter().any(boxes);
        if procedural && !desc.geometries.iter().all(boxes) {
            return Err(error("mixes triangles and boxes"));
        }
        if desc.geometries.len() > GEOMETRY_INDEX as usize + 1 {
            return Err(error(format!("{} geometries are too many", desc.geometries.len())));
        }
        let mut out = Inputs { triangles: Vec::new(), boxes: Vec::new(), sources: Vec::new(), procedural };
        for (i, g) in desc.geometries.iter().enumerate() {
            out.geometry(i as u32, g, find).map_err(|e| e.at(format!("geometry {i}")))?;
        }
        Ok(out)
    }

    fn geometry(&mut self, number: u32, g: &Geometry, find: FindMicromaps) -> Result<()> {
        let bits = number
            | flag(g.flags, GEOMETRY_OPAQUE, CLUSTER_OPAQUE)
            | flag(g.flags, GEOMETRY_NO_DUPLICATE_ANY_HIT, CLUSTER_NO_DUPLICATE_ANY_HIT);
        let count = |n: usize| {
            if n <= MAX_PRIMITIVES { Ok(n as u32) } else { Err(error(format!("{n} primitives are too many"))) }
        };
        let mut source = Source { cluster: CLUSTER_ID_INVALID, micromaps: None, primitives: 0, shape: [false; 3] };
        match &g.data {
            GeometryData::Triangles { positions, indices, transform } => {
                let corners = indices.as_ref().map_or(positions.len(), Vec::len);
                if corners % 3 != 0 {
                    return Err(error(format!("{corners} corners do not make whole triangles")));
                }
                if let Some(&i) = indices.iter().flatten().find(|&&i| i as usize >= positions.len()) {
                    return Err(error(format!("index {i}, but there are {} positions", positions.len())));
                }
                source.primitives = count(corners / 3)?;
                source.shape = [indices.is_some(), transform.is_some(), g.micromaps.is_some()];
                let maps = MicromapRefs::new(g, source.primitives, find)?;
                source.micromaps = maps.array.clone();
                let moved = |p: V3| transform.as_ref().map_or(p, |m| point(m, p));
                let triangle = |i: u32| {
                    let corner = |k: usize| {
                        let at = i as usize * 3 + k;
                        positions[indices.as_ref().map_or(at, |v| v[at] as usize)]
                    };
                    let raw = [corner(0), corner(1), corner(2)];
                    if raw.iter().any(|p| p[0].is_nan()) {
                        return None;
                    }
                    Some(Triangle { corners: raw.map(moved), geometry: bits, primitive: i, micromap: maps.of(i) })
                };
                self.triangles.par_extend((0..source.primitives).into_par_iter().filter_map(triangle));
            }
            GeometryData::Boxes(boxes) => {
                if g.micromaps.is_some() {
                    return Err(error("boxes have no micromaps"));
                }
                source.primitives = count(boxes.len())?;
                for (i, b) in (0..source.primitives).zip(boxes) {
                    if let Some(bounds) = active_box(b) {
                        self.boxes.push(Boxed { bounds, geometry: bits, primitive: i });
                    }
                }
            }
        }
        self.sources.push(source);
        Ok(())
    }
}

fn flag(flags: u32, from: u32, to: u32) -> u32 {
    if flags & from != 0 { to } else { 0 }
}

/// The bounds as stored: `None` if the box is inactive, its centre if it is inverted.
fn active_box(b: &[f32; 6]) -> Option<Bounds> {
    if b[0].is_nan() {
        return None;
    }
    let (lo, hi) = ([b[0], b[1], b[2]], [b[3], b[4], b[5]]);
    if (0..3).any(|a| lo[a] > hi[a]) {
        let middle = std::array::from_fn(|a| lo[a] * 0.5 + hi[a] * 0.5);
        return Some(Bounds { lo: middle, hi: middle });
    }
    Some(Bounds { lo, hi })
}

/// The micromap references of the triangles of a geometry or a cluster.
pub(super) struct MicromapRefs<'a> {
    pub array: Option<Arc<MicromapArray>>,
    indices: Option<&'a [i32]>,
    base: u32,
    linked: bool,
}

impl<'a> MicromapRefs<'a> {
    fn new(g: &'a Geometry, triangles: u32, find: FindMicromaps) -> Result<Self> {
        let Some(m) = &g.micromaps else {
            return Ok(MicromapRefs { array: None, indices: None, base: 0, linked: false });
        };
        let array = m.array.map(find).transpose()?;
        MicromapRefs::linked(array, m.indices.as_deref(), m.base, triangles, false)
    }

    /// References through `indices`, all checked. `clusters` may omit micromaps.
    ///
    /// # Errors
    /// A reference that is out of range.
    pub fn linked(
        array: Option<Arc<MicromapArray>>,
        indices: Option<&'a [i32]>,
        base: u32,
        triangles: u32,
        clusters: bool,
    ) -> Result<Self> {
        let maps = array.as_ref().map_or(0, |a| a.len());
        let last = if clusters { MICROMAP_CLUSTER_SKIP } else { MICROMAP_FULLY_UNKNOWN_OPAQUE };
        if let Some(list) = indices
            && list.len() != triangles as usize
        {
            return Err(error(format!("{} indices of micromaps for {triangles} triangles", list.len())));
        }
        let found = |i: i64| {
            if i < i64::from(last) {
                Err(error(format!("{i} is no index of a micromap")))
            } else if i >= 0 && i + i64::from(base) >= maps as i64 {
                let at = i + i64::from(base);
                Err(error(format!("micromap {at}, but the array has {maps}")))
            } else {
                Ok(())
            }
        };
        match indices {
            Some(list) => list.iter().try_for_each(|&i| found(i64::from(i)))?,
            None if triangles > 0 => found(i64::from(triangles) - 1)?,
            None => {}
        }
        Ok(MicromapRefs { array, indices, base, linked: true })
    }

    /// The stored reference of a triangle.
    pub fn of(&self, triangle: u32) -> u32 {
        if !self.linked {
            return NO_MICROMAP;
        }
        match self.indices.map_or(triangle as i32, |v| v[triangle as usize]) {
            MICROMAP_CLUSTER_SKIP => NO_MICROMAP,
            // -1 transparent, -2 opaque, -3 and -4 unknown: the states in their order.
            i if i < 0 => UNIFORM | (-1 - i) as u32,
            i => self.base + i as u32,
        }
    }
}
