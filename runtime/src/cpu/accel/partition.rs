//! Partitioned top-level structures: a table of instances, a tree for each partition, a small tree over those.
//!
//! Writing an instance builds the trees of the partitions that it leaves and enters; giving it another structure or moving a
//! partition only refits one. Then the trees are joined into a [`Top`], which is what rays walk. Nothing changes if a change
//! is refused.

use super::bvh::{Bvh, Effort, MAX_PRIMITIVES};
use super::bvh;
use super::math::Bounds;
use super::top::{Placed, Top, TopInstance};
use crate::device::{BuildFlags, GLOBAL_PARTITION, IDENTITY, INSTANCE_EXPLICIT_BOUNDS, PartitionTranslation, PartitionedDesc};
use crate::error::{ErrorKind, Result, RunError};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// [`crate::device::PartitionedWrite`] with its structure found.
#[derive(Clone, Debug)]
pub struct Written {
    /// Place in the table.
    pub index: u32,
    /// Its partition.
    pub partition: u32,
    /// What it is.
    pub placed: Placed,
    /// The box around it, with [`INSTANCE_EXPLICIT_BOUNDS`].
    pub bounds: [f32; 6],
}

/// [`crate::device::PartitionedUpdate`] with its structure found.
#[derive(Clone, Debug)]
pub struct Swapped {
    /// Place in the table.
    pub index: u32,
    /// The structure.
    pub bottom: Arc<super::Bottom>,
    /// `InstanceContributionToHitGroupIndex`.
    pub hit_group_offset: u32,
}

/// A built partitioned structure.
#[derive(Clone, Debug)]
pub struct Partitioned {
    desc: PartitionedDesc,
    table: Vec<Entry>,
    /// The global one last.
    parts: Vec<Part>,
    top: Top,
}

/// An instance of the table; at first in no partition.
#[derive(Clone, Debug)]
struct Entry {
    placed: Placed,
    /// Place in `parts`.
    part: Option<usize>,
    explicit: Option<Bounds>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    translation: [f32; 3],
    bvh: Bvh,
    /// The instance of each leaf.
    order: Vec<u32>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Default)]
enum State {
    #[default]
    Fits,
    Refit,
    Build,
}

fn wrong(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, format!("a partitioned structure: {why}"))
}

impl Entry {
    fn inactive() -> Entry {
        let placed =
            Placed { bottom: None, transform: [[0.0; 4]; 3], id: 0, mask: 0, hit_group_offset: 0, flags: 0 };
        Entry { placed, part: None, explicit: None }
    }
    /// Whether its matrix leaves it out.
    fn degenerate(&self) -> bool {
        let m = &self.placed.transform;
        m.iter().all(|r| r[..3].iter().all(|&x| x == 0.0)) || m.iter().flatten().any(|x| x.is_nan())
    }
    /// As rays see it, in a partition that is moved.
    fn instance(&self, by: [f32; 3]) -> TopInstance {
        if self.part.is_none() || self.degenerate() {
            return TopInstance { to_world: IDENTITY, ..TopInstance::default() };
        }
        let mut placed = self.placed.clone();
        placed.flags &= !INSTANCE_EXPLICIT_BOUNDS;
        for (row, by) in placed.transform.iter_mut().zip(by) {
            row[3] += by;
        }
        TopInstance::new(&placed)
    }
    /// The box around it, in a partition that is moved.
    fn bounds(&self, instance: &TopInstance, by: [f32; 3]) -> Bounds {
        match &self.explicit {
            Some(b) if !self.degenerate() => Bounds {
                lo: std::array::from_fn(|a| if by[a] == 0.0 { b.lo[a] } else { (b.lo[a] + by[a]).next_down() }),
                hi: std::array::from_fn(|a| if by[a] == 0.0 { b.hi[a] } else { (b.hi[a] + by[a]).next_up() }),
            },
            _ => instance.bounds(),
        }
    }
}

impl Partitioned {
    /// A table of inactive instances with changes made. Errors: see [`Partitioned::changed`].
    pub fn build(
        desc: &PartitionedDesc,
        writes: &[Written],
        swaps: &[Swapped],
        moves: &[PartitionTranslation],
    ) -> Result<Partitioned> {
        let empty = Partitioned { desc: *desc, table: Vec::new(), parts: vec![Part::default()], top: Top::empty() };
        empty.changed(desc, writes, swaps, moves)
    }

    /// What rays walk.
    pub fn top(&self) -> &Top {
        &self.top
    }

    /// Bytes in memory, without the bottom-level structures.
    pub fn size(&self) -> u64 {
        let part = |p: &Part| p.bvh.nodes.len() * size_of::<bvh::Node>() + p.order.len() * 4 + size_of::<Part>();
        let own = size_of::<Partitioned>() + self.table.len() * size_of::<Entry>() + self.parts.iter().map(part).sum::<usize>();
        own as u64 + self.top.size()
    }

    /// With changes made, and of another size if `desc` says so. Errors: places or partitions that do not exist, an instance that is
    /// changed twice or refers to a partition that went, numbers that do not fit their bits, too many instances in a partition, a
    /// partition that must not be moved, another structure for an instance that had none.
    pub fn changed(
        &self,
        desc: &PartitionedDesc,
        writes: &[Written],
        swaps: &[Swapped],
        moves: &[PartitionTranslation],
    ) -> Result<Partitioned> {
        let mut new = self.clone();
        new.resize(desc)?;
        let mut changed = FxHashSet::default();
        for w in writes {
            new.once(&mut changed, w.index)?;
            new.write(w).map_err(|e| e.at(format!("instance {}", w.index)))?;
        }
        for s in swaps {
            new.once(&mut changed, s.index)?;
            new.swap(s).map_err(|e| e.at(format!("instance {}", s.index)))?;
        }
        let mut moved = FxHashSet::default();
        for m in moves {
            if !desc.allow_translation {
                return Err(wrong("its partitions cannot be moved: it was not built for that"));
            }
            if !moved.insert(m.partition) {
                return Err(wrong(format!("partition {} is moved twice", m.partition)));
            }
            if let Some(x) = m.by.iter().find(|x| !x.is_finite()) {
                return Err(wrong(format!("partition {} is moved by {x}", m.partition)));
            }
            let part = new.part(m.partition)?;
            new.parts[part].translation = m.by;
            new.parts[part].state = new.parts[part].state.max_with(State::Refit);
        }
        new.check()?;
        new.rebuild();
        Ok(new)
    }

    fn once(&self, changed: &mut FxHashSet<u32>, index: u32) -> Result<()> {
        if index >= self.desc.instances {
            return Err(wrong(format!("instance {index}, but there are {}", self.desc.instances)));
        }
        if !changed.insert(index) {
            return Err(wrong(format!("instance {index} is changed twice")));
        }
        Ok(())
    }

    /// Where a partition lies in `parts`.
    fn part(&self, partition: u32) -> Result<usize> {
        match partition {
            GLOBAL_PARTITION => Ok(self.parts.len() - 1),
            p if p < self.desc.partitions => Ok(p as usize),
            p => Err(wrong(format!("partition {p}, but there are {}", self.desc.partitions))),
        }
    }

    fn resize(&mut self, desc: &PartitionedDesc) -> Result<()> {
        if desc.instances as usize > MAX_PRIMITIVES || desc.partitions as usize > MAX_PRIMITIVES {
            return Err(wrong(format!("{} instances in {} partitions are too many", desc.instances, desc.partitions)));
        }
        if !desc.allow_translation && self.parts.iter().any(|p| p.translation != [0.0; 3]) {
            return Err(wrong("partitions are moved, but it shall no longer be built for that"));
        }
        // The global partition stays the last one.
        let (old, new) = (self.parts.len() - 1, desc.partitions as usize);
        let global = self.parts.pop().unwrap_or_default();
        self.parts.resize_with(new, Part::default);
        self.parts.push(global);
        for e in &mut self.table {
            e.part = match e.part {
                Some(p) if p == old => Some(new),
                // Left where nothing is: `check` finds it, unless it is written.
                Some(p) if p >= new => Some(usize::MAX),
                other => other,
            };
        }
        for e in self.table.drain((desc.instances as usize).min(self.table.len())..) {
            if let Some(part) = e.part.and_then(|p| self.parts.get_mut(p)) {
                part.state = State::Build;
            }
        }
        self.table.resize_with(desc.instances as usize, Entry::inactive);
        self.desc = *desc;
        Ok(())
    }

    fn write(&mut self, w: &Written) -> Result<()> {
        if w.placed.hit_group_offset >> 24 != 0 {
            return Err(wrong(format!("its hit group offset {} has more than 24 bits", w.placed.hit_group_offset)));
        }
        if w.placed.flags >> 7 != 0 {
            return Err(wrong(format!("flags {:#x} have bits that mean nothing", w.placed.flags)));
        }
        let part = self.part(w.partition)?;
        let explicit = if w.placed.flags & INSTANCE_EXPLICIT_BOUNDS != 0 {
            let b = w.bounds;
            let bounds = Bounds { lo: [b[0], b[1], b[2]], hi: [b[3], b[4], b[5]] };
            if b.iter().any(|x| x.is_nan()) || bounds.is_empty() {
                return Err(wrong(format!("its box {b:?} is none")));
            }
            Some(bounds)
        } else {
            None
        };
        let entry = Entry { placed: w.placed.clone(), part: Some(part), explicit };
        let old = std::mem::replace(&mut self.table[w.index as usize], entry);
        for p in [old.part, Some(part)].into_iter().flatten() {
            if let Some(p) = self.parts.get_mut(p) {
                p.state = State::Build;
            }
        }
        Ok(())
    }

    fn swap(&mut self, s: &Swapped) -> Result<()> {
        if s.hit_group_offset >> 24 != 0 {
            return Err(wrong(format!("its hit group offset {} has more than 24 bits", s.hit_group_offset)));
        }
        let entry = &mut self.table[s.index as usize];
        let Some(part) = entry.part.and_then(|p| self.parts.get_mut(p)) else {
            return Err(wrong("it was never written"));
        };
        if entry.explicit.is_none() && entry.placed.bottom.is_none() {
            return Err(wrong("it was written without a structure and without a box"));
        }
        // What was empty is not in the tree yet, what becomes empty must leave it.
        let empty = |b: &super::Bottom| b.bvh.bounds.is_empty();
        let same = entry.placed.bottom.as_ref().is_some_and(|b| empty(b) == empty(&s.bottom));
        part.state = part.state.max_with(if entry.explicit.is_some() || same { State::Refit } else { State::Build });
        entry.placed.bottom = Some(s.bottom.clone());
        entry.placed.hit_group_offset = s.hit_group_offset;
        Ok(())
    }

    /// Nothing refers to partitions that went, and none has too many instances.
    fn check(&self) -> Result<()> {
        let mut counts = vec![0u32; self.parts.len()];
        for (i, e) in self.table.iter().enumerate().filter(|(_, e)| !e.degenerate()) {
            match e.part.map(|p| counts.get_mut(p)) {
                Some(Some(n)) => *n += 1,
                Some(None) => return Err(wrong(format!("instance {i} is in a partition that is gone"))),
                None => {}
            }
        }
        let global = counts.len() - 1;
        for (p, &n) in counts.iter().enumerate() {
            let (limit, name) = if p == global {
                (self.desc.max_in_global, "the global partition".into())
            } else {
                (self.desc.max_in_partition, format!("partition {p}"))
            };
            if n > limit {
                return Err(wrong(format!("{name} has {n} instances, at most {limit} are possible")));
            }
        }
        Ok(())
    }

    fn rebuild(&mut self) {
        let nothing = [0.0; 3];
        let moved = |e: &Entry, parts: &[Part]| e.part.and_then(|p| parts.get(p)).map_or(nothing, |p| p.translation);
        let instances: Vec<TopInstance> = self.table.iter().map(|e| e.instance(moved(e, &self.parts))).collect();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        for (i, e) in (0u32..).zip(&self.table) {
            if let Some(p) = e.part.filter(|&p| self.parts[p].state == State::Build) {
                members[p].push(i);
            }
        }
        let effort = if self.desc.fast_build { Effort::Fast } else { Effort::Good };
        let table = &self.table;
        for (part, members) in self.parts.iter_mut().zip(members) {
            let by = part.translation;
            let bounds = |i: u32| table[i as usize].bounds(&instances[i as usize], by);
            match part.state {
                State::Fits => {}
                State::Refit => {
                    let order = &part.order;
                    part.bvh.refit(|i| bounds(order[i]));
                }
                State::Build => {
                    let found = members.into_iter().map(|i| (i, bounds(i))).filter(|(_, b)| !b.is_empty());
                    let (numbers, boxes): (Vec<u32>, Vec<Bounds>) = found.unzip();
                    let (tree, order) = bvh::build(&boxes, 1, effort);
                    part.bvh = tree;
                    part.order = order.iter().map(|&i| numbers[i as usize]).collect();
                }
            }
            part.state = State::Fits;
        }
        let mut order = Vec::new();
        let mut trees = Vec::with_capacity(self.parts.len());
        for p in &self.parts {
            trees.push((&p.bvh, order.len()));
            order.extend_from_slice(&p.order);
        }
        let bvh = Bvh::join(&trees);
        self.top = Top { bvh, order, instances, flags: BuildFlags::default() };
    }
}

impl State {
    fn max_with(self, other: State) -> State {
        if other > self { other } else { self }
    }
}
