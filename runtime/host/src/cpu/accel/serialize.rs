//! Serialisation of acceleration structures.
//!
//! A bottom-level structure is serialised with its micromaps. A top-level structure is serialised without its bottom-level
//! structures: it stores their indices in the order of first use, and deserialisation takes the list. Deserialised parts are
//! validated against each other, so that traversal stays in bounds; that boxes enclose their contents is not checked, since a bad
//! box can only hide primitives.

use super::bottom::{Bottom, Boxed, CLUSTER_ID_INVALID, CLUSTER_SHIFT, GEOMETRY_INDEX, Source, Triangle, UNIFORM};
use super::bvh::{Bvh, Child, Node, WIDTH};
use super::encoding::{Kind, Reader, Writer, damaged};
use super::micromap::MicromapArray;
use super::top::{Top, TopInstance};
use crate::device::BuildFlags;
use crate::error::Result;
use std::sync::Arc;

/// A structure of either level.
#[derive(Clone, PartialEq, Debug)]
pub enum Structure {
    /// Bottom level.
    Bottom(Bottom),
    /// Top level.
    Top(Top),
}

/// Deserialises a structure of either level. `bottoms` are the structures that the instances of a top-level one refer to, in the
/// order of first use.
///
/// # Errors
/// Truncated or damaged bytes, another version, invalid contents; another number of `bottoms` than the structure uses.
pub fn deserialize(bytes: &[u8], bottoms: &[Arc<Bottom>]) -> Result<Structure> {
    if Reader::kind(bytes) == Some(Kind::Top as u32) {
        return Top::deserialize(bytes, bottoms).map(Structure::Top);
    }
    let bottom = Bottom::deserialize(bytes)?;
    if !bottoms.is_empty() {
        return Err(damaged(format!("{} structures are given for one of the bottom level", bottoms.len())));
    }
    Ok(Structure::Bottom(bottom))
}

const FLAGS: usize = 7;

fn flags_of(f: &BuildFlags) -> [bool; FLAGS] {
    let BuildFlags {
        allow_update,
        allow_compaction,
        prefer_fast_build,
        low_memory,
        allow_data_access,
        allow_omm_update,
        allow_disable_omms,
    } = *f;
    [allow_update, allow_compaction, prefer_fast_build, low_memory, allow_data_access, allow_omm_update, allow_disable_omms]
}

fn write_flags(f: &BuildFlags, out: &mut Writer) {
    out.u32(flags_of(f).iter().enumerate().fold(0, |bits, (i, &b)| bits | u32::from(b) << i));
}

fn read_flags(r: &mut Reader) -> Result<BuildFlags> {
    let bits = r.u32()?;
    if bits >> FLAGS != 0 {
        return Err(damaged("it has unknown flags"));
    }
    let b: [bool; FLAGS] = std::array::from_fn(|i| bits >> i & 1 != 0);
    Ok(BuildFlags {
        allow_update: b[0],
        allow_compaction: b[1],
        prefer_fast_build: b[2],
        low_memory: b[3],
        allow_data_access: b[4],
        allow_omm_update: b[5],
        allow_disable_omms: b[6],
    })
}

impl Bvh {
    fn write(&self, out: &mut Writer) {
        out.bounds(&self.bounds);
        out.u64(self.nodes.len() as u64);
        for n in &self.nodes {
            out.u32(n.len);
            out.f32s(n.planes.as_flattened());
            n.child.iter().for_each(|c| out.u32(c.0));
        }
    }
    fn read(r: &mut Reader, primitives: usize) -> Result<Bvh> {
        let bounds = r.bounds()?;
        let size = 4 + 6 * WIDTH * 4 + WIDTH * 4;
        let nodes = (0..r.count(size)?)
            .map(|_| {
                let len = r.u32()?;
                let mut planes = [[0.0; WIDTH]; 6];
                for p in planes.as_flattened_mut() {
                    *p = r.f32()?;
                }
                let mut child = [Child(0); WIDTH];
                for c in &mut child {
                    c.0 = r.u32()?;
                }
                Ok(Node { planes, child, len })
            })
            .collect::<Result<_>>()?;
        let out = Bvh { nodes, bounds };
        out.check(primitives).map_err(damaged)?;
        Ok(out)
    }
}

impl Bottom {
    /// Serialises it with its micromaps.
    pub fn serialize(&self) -> Vec<u8> {
        let mut out = Writer::new(Kind::Bottom);
        write_flags(&self.flags, &mut out);
        out.u32(u32::from(self.clustered) | u32::from(self.procedural) << 1);
        // Arrays that several sources share are written once.
        let mut arrays: Vec<&Arc<MicromapArray>> = Vec::new();
        let mut numbers = rustc_hash::FxHashMap::default();
        for a in self.sources.iter().filter_map(|s| s.micromaps.as_ref()) {
            numbers.entry(Arc::as_ptr(a)).or_insert_with(|| {
                arrays.push(a);
                arrays.len() as u32 - 1
            });
        }
        out.u64(arrays.len() as u64);
        arrays.iter().for_each(|a| a.write(&mut out));
        out.u64(self.sources.len() as u64);
        for s in &self.sources {
            out.u32(s.cluster);
            out.u32(s.micromaps.as_ref().and_then(|a| numbers.get(&Arc::as_ptr(a))).copied().unwrap_or(u32::MAX));
            out.u32(s.primitives);
            out.u32(s.shape.iter().enumerate().fold(0, |bits, (i, &b)| bits | u32::from(b) << i));
        }
        out.u64(self.triangles.len() as u64);
        for t in &self.triangles {
            out.f32s(t.corners.as_flattened());
            [t.geometry, t.primitive, t.micromap].into_iter().for_each(|n| out.u32(n));
        }
        out.u64(self.boxes.len() as u64);
        for b in &self.boxes {
            out.bounds(&b.bounds);
            [b.geometry, b.primitive].into_iter().for_each(|n| out.u32(n));
        }
        self.bvh.write(&mut out);
        out.finish()
    }

    /// Deserialises it.
    ///
    /// # Errors
    /// See [`deserialize`].
    pub fn deserialize(bytes: &[u8]) -> Result<Bottom> {
        let mut r = Reader::new(Kind::Bottom, bytes)?;
        let flags = read_flags(&mut r)?;
        let kinds = r.u32()?;
        if kinds > 2 {
            return Err(damaged("unknown object kind"));
        }
        let arrays: Vec<Arc<MicromapArray>> =
            (0..r.count(16)?).map(|_| MicromapArray::read(&mut r).map(Arc::new)).collect::<Result<_>>()?;
        let sources = (0..r.count(16)?)
            .map(|_| {
                let (cluster, array, primitives, shape) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?);
                let micromaps = match array {
                    u32::MAX => None,
                    n => Some(arrays.get(n as usize).cloned().ok_or_else(|| damaged("micromaps are missing"))?),
                };
                Ok(Source { cluster, micromaps, primitives, shape: std::array::from_fn(|i| shape >> i & 1 != 0) })
            })
            .collect::<Result<_>>()?;
        let triangles = (0..r.count(48)?)
            .map(|_| Ok(Triangle { corners: [r.v3()?, r.v3()?, r.v3()?], geometry: r.u32()?, primitive: r.u32()?, micromap: r.u32()? }))
            .collect::<Result<_>>()?;
        let boxes =
            (0..r.count(32)?).map(|_| Ok(Boxed { bounds: r.bounds()?, geometry: r.u32()?, primitive: r.u32()? })).collect::<Result<_>>()?;
        let mut out = Bottom { bvh: Bvh::default(), triangles, boxes, sources, flags, clustered: kinds == 1, procedural: kinds == 2 };
        out.check()?;
        let (own, other) = if out.procedural { (out.boxes.len(), out.triangles.len()) } else { (out.triangles.len(), out.boxes.len()) };
        if other != 0 {
            return Err(damaged("it mixes triangles and boxes"));
        }
        out.bvh = Bvh::read(&mut r, own)?;
        r.end()?;
        Ok(out)
    }

    fn check(&self) -> Result<()> {
        let sources = self.sources.len() as u32;
        for t in &self.triangles {
            let source = if self.clustered { t.primitive >> CLUSTER_SHIFT } else { t.geometry & GEOMETRY_INDEX };
            if source >= sources {
                return Err(damaged("a triangle has no source"));
            }
            let maps = self.source(t).and_then(|s| s.micromaps.as_ref()).map_or(0, |a| a.len());
            if t.micromap < UNIFORM && t.micromap as usize >= maps {
                return Err(damaged("a triangle's micromap is missing"));
            }
        }
        if self.boxes.iter().any(|b| b.geometry & GEOMETRY_INDEX >= sources) {
            return Err(damaged("a box has no source"));
        }
        if !self.clustered && self.sources.iter().any(|s| s.cluster != CLUSTER_ID_INVALID) {
            return Err(damaged("a geometry is a cluster"));
        }
        Ok(())
    }
}

impl Top {
    /// The referenced structures, in the order of first use.
    pub fn bottoms(&self) -> Vec<Arc<Bottom>> {
        let mut seen = rustc_hash::FxHashSet::default();
        self.instances.iter().filter_map(|i| i.bottom.as_ref()).filter(|b| seen.insert(Arc::as_ptr(b))).cloned().collect()
    }

    /// Serialises it without the bottom-level structures.
    pub fn serialize(&self) -> Vec<u8> {
        let numbers: rustc_hash::FxHashMap<_, u32> = self.bottoms().iter().map(Arc::as_ptr).zip(0..).collect();
        let mut out = Writer::new(Kind::Top);
        write_flags(&self.flags, &mut out);
        out.u64(self.instances.len() as u64);
        for i in &self.instances {
            out.u32(i.bottom.as_ref().and_then(|b| numbers.get(&Arc::as_ptr(b))).copied().unwrap_or(u32::MAX));
            out.f32s(i.to_world.as_flattened());
            out.f32s(i.to_object.as_flattened());
            [i.id, u32::from(i.mask) | u32::from(i.flags) << 8, i.hit_group_offset].into_iter().for_each(|n| out.u32(n));
        }
        out.u64(self.order.len() as u64);
        self.order.iter().for_each(|&n| out.u32(n));
        self.bvh.write(&mut out);
        out.finish()
    }

    /// Deserialises it.
    ///
    /// # Errors
    /// See [`deserialize`].
    pub fn deserialize(bytes: &[u8], bottoms: &[Arc<Bottom>]) -> Result<Top> {
        let mut r = Reader::new(Kind::Top, bytes)?;
        let flags = read_flags(&mut r)?;
        let mut used = 0;
        let instances: Vec<TopInstance> = (0..r.count(112)?)
            .map(|_| {
                let bottom = match r.u32()? {
                    u32::MAX => None,
                    n => {
                        used = used.max(n as usize + 1);
                        let missing = || damaged(format!("{} structures are given, it uses more", bottoms.len()));
                        Some(bottoms.get(n as usize).cloned().ok_or_else(missing)?)
                    }
                };
                let mut matrices = [[[0.0; 4]; 3]; 2];
                for x in matrices.as_flattened_mut().as_flattened_mut() {
                    *x = r.f32()?;
                }
                let (id, bits, hit_group_offset) = (r.u32()?, r.u32()?, r.u32()?);
                Ok(TopInstance {
                    bottom,
                    to_world: matrices[0],
                    to_object: matrices[1],
                    id,
                    mask: bits as u8,
                    flags: (bits >> 8) as u8,
                    hit_group_offset,
                })
            })
            .collect::<Result<_>>()?;
        if used != bottoms.len() {
            return Err(damaged(format!("{} structures are given, it uses {used}", bottoms.len())));
        }
        let order: Vec<u32> = (0..r.count(4)?).map(|_| r.u32()).collect::<Result<_>>()?;
        if order.iter().any(|&i| i as usize >= instances.len()) {
            return Err(damaged("an instance is missing"));
        }
        let bvh = Bvh::read(&mut r, order.len())?;
        r.end()?;
        Ok(Top { bvh, order, instances, flags })
    }
}
