//! The instance table of a partitioned top-level structure: the partition of each instance, and the effect of changes.
//!
//! The rules are the same on every device; what the device builds from the table is its own. One that has no partitioned structures
//! builds an ordinary one of [`InstanceTable::placed`] each time; one that has them asks which partitions changed, and how.
//! `B` is the device's type of a bottom-level structure.

use super::{GLOBAL_PARTITION, INSTANCE_EXPLICIT_BOUNDS, PartitionTranslation, PartitionedDesc};
use crate::error::{ErrorKind, Result, RunError};
use rustc_hash::FxHashSet;

/// Most instances, and most partitions.
const MAX: u32 = 1 << 28;

/// [`super::Instance`] with its structure resolved.
#[derive(Clone, Debug)]
pub struct ResolvedInstance<B> {
    /// None: an inactive instance.
    pub bottom: Option<B>,
    /// Object to world: three rows of four.
    pub transform: [[f32; 4]; 3],
    /// `InstanceID()`; 24 bits, 32 in partitioned structures.
    pub id: u32,
    /// Hit only by rays whose mask shares a bit with this.
    pub mask: u8,
    /// `InstanceContributionToHitGroupIndex`, 24 bits.
    pub hit_group_offset: u32,
    /// `INSTANCE_*` flags.
    pub flags: u32,
}

impl From<super::Instance> for ResolvedInstance<super::Accel> {
    fn from(i: super::Instance) -> Self {
        let super::Instance { bottom, transform, id, mask, hit_group_offset, flags } = i;
        ResolvedInstance { bottom, transform, id, mask, hit_group_offset, flags }
    }
}

impl From<ResolvedInstance<super::Accel>> for super::Instance {
    fn from(p: ResolvedInstance<super::Accel>) -> Self {
        let ResolvedInstance { bottom, transform, id, mask, hit_group_offset, flags } = p;
        super::Instance { bottom, transform, id, mask, hit_group_offset, flags }
    }
}

/// [`super::PartitionedWrite`] with its structure resolved.
#[derive(Clone, Debug)]
pub struct ResolvedWrite<B> {
    /// Row of the table.
    pub index: u32,
    /// Its partition.
    pub partition: u32,
    /// What it is.
    pub placed: ResolvedInstance<B>,
    /// The box around it, with [`INSTANCE_EXPLICIT_BOUNDS`].
    pub bounds: [f32; 6],
}

/// [`super::PartitionedUpdate`] with its structure resolved.
#[derive(Clone, Debug)]
pub struct Swapped<B> {
    /// Row of the table.
    pub index: u32,
    /// The structure.
    pub bottom: B,
    /// `InstanceContributionToHitGroupIndex`.
    pub hit_group_offset: u32,
}

/// The work that a change causes in a partition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum PartitionState {
    /// Nothing.
    #[default]
    Fits,
    /// Its boxes changed.
    Refit,
    /// Its instances changed.
    Build,
}

/// A partition.
#[derive(Clone, Copy, Debug, Default)]
pub struct Partition {
    /// Its translation.
    pub translation: [f32; 3],
    /// The work that its last change causes.
    pub state: PartitionState,
}

/// A row of the table; at first in no partition.
#[derive(Clone, Debug)]
struct Row<B> {
    placed: ResolvedInstance<B>,
    /// Index into `parts`.
    part: Option<usize>,
    explicit: Option<[f32; 6]>,
}

/// The table.
#[derive(Clone, Debug)]
pub struct InstanceTable<B> {
    desc: PartitionedDesc,
    rows: Vec<Row<B>>,
    /// The global one last.
    parts: Vec<Partition>,
}

fn wrong(why: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Binding, format!("a partitioned structure: {why}"))
}

impl<B> Row<B> {
    fn inactive() -> Row<B> {
        let placed = ResolvedInstance { bottom: None, transform: [[0.0; 4]; 3], id: 0, mask: 0, hit_group_offset: 0, flags: 0 };
        Row { placed, part: None, explicit: None }
    }
    /// Whether its matrix makes it inactive.
    fn degenerate(&self) -> bool {
        let m = &self.placed.transform;
        m.iter().all(|r| r[..3].iter().all(|&x| x == 0.0)) || m.iter().flatten().any(|x| x.is_nan())
    }
}

impl<B: Clone> Default for InstanceTable<B> {
    fn default() -> Self {
        InstanceTable { desc: PartitionedDesc::default(), rows: Vec::new(), parts: vec![Partition::default()] }
    }
}

/// # Errors
/// More instances or partitions than any device has.
pub fn check_size(desc: &PartitionedDesc) -> Result<()> {
    match desc.instances > MAX || desc.partitions > MAX {
        true => Err(wrong(format!("{} instances in {} partitions are too many", desc.instances, desc.partitions))),
        false => Ok(()),
    }
}

impl<B: Clone> InstanceTable<B> {
    /// Its size.
    pub fn desc(&self) -> &PartitionedDesc {
        &self.desc
    }
    /// Its partitions, the global one last.
    pub fn partitions(&self) -> &[Partition] {
        &self.parts
    }
    /// The partition of an instance, by its index in [`InstanceTable::partitions`].
    pub fn partition_of(&self, instance: usize) -> Option<usize> {
        self.rows[instance].part
    }
    /// The box that the host gave around an instance before its partition is moved.
    pub fn explicit(&self, instance: usize) -> Option<[f32; 6]> {
        self.rows[instance].explicit.filter(|_| !self.rows[instance].degenerate())
    }
    /// An instance as rays see it, its partition moved; none if it is left out.
    pub fn placed(&self, instance: usize) -> Option<ResolvedInstance<B>> {
        let row = &self.rows[instance];
        let part = self.parts.get(row.part?)?;
        if row.degenerate() {
            return None;
        }
        let mut placed = row.placed.clone();
        placed.flags &= !INSTANCE_EXPLICIT_BOUNDS;
        for (line, by) in placed.transform.iter_mut().zip(part.translation) {
            line[3] += by;
        }
        Some(placed)
    }

    /// With changes made, and of another size if `desc` says so. `same` says whether a structure in place of another one leaves an
    /// instance where it is in a tree.
    ///
    /// # Errors
    /// Places or partitions that do not exist, an instance that is changed twice or refers to a partition that went, numbers that do
    /// not fit their bits, too many instances in a partition, a partition that must not be moved, another structure for an
    /// instance that had none.
    pub fn changed(
        &self,
        desc: &PartitionedDesc,
        writes: &[ResolvedWrite<B>],
        swaps: &[Swapped<B>],
        moves: &[PartitionTranslation],
        same: impl Fn(&B, &B) -> bool,
    ) -> Result<InstanceTable<B>> {
        let mut new = self.clone();
        new.parts.iter_mut().for_each(|p| p.state = PartitionState::Fits);
        new.resize(desc)?;
        let mut changed = FxHashSet::default();
        for w in writes {
            new.once(&mut changed, w.index)?;
            new.write(w).map_err(|e| e.at(format!("instance {}", w.index)))?;
        }
        for s in swaps {
            new.once(&mut changed, s.index)?;
            new.swap(s, &same).map_err(|e| e.at(format!("instance {}", s.index)))?;
        }
        let mut moved = FxHashSet::default();
        for m in moves {
            if !desc.allow_translation {
                return Err(wrong("its partitions cannot be moved: it was built without `allow_translation`"));
            }
            if !moved.insert(m.partition) {
                return Err(wrong(format!("partition {} is moved more than once", m.partition)));
            }
            if let Some(x) = m.by.iter().find(|x| !x.is_finite()) {
                return Err(wrong(format!("partition {} is moved by {x}", m.partition)));
            }
            let part = new.part(m.partition)?;
            let part = &mut new.parts[part];
            part.translation = m.by;
            part.state = part.state.max(PartitionState::Refit);
        }
        new.check()?;
        Ok(new)
    }

    fn once(&self, changed: &mut FxHashSet<u32>, index: u32) -> Result<()> {
        if index >= self.desc.instances {
            return Err(wrong(format!("instance {index}, but there are {}", self.desc.instances)));
        }
        if !changed.insert(index) {
            return Err(wrong(format!("instance {index} is changed more than once")));
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
        check_size(desc)?;
        if !desc.allow_translation && self.parts.iter().any(|p| p.translation != [0.0; 3]) {
            return Err(wrong("partitions are moved, but it shall no longer be built for that"));
        }
        // The global partition stays the last one.
        let (old, new) = (self.parts.len() - 1, desc.partitions as usize);
        let global = self.parts.pop().unwrap_or_default();
        self.parts.resize_with(new, Partition::default);
        self.parts.push(global);
        for row in &mut self.rows {
            row.part = match row.part {
                Some(p) if p == old => Some(new),
                // Left where nothing is: `check` finds it, unless it is written.
                Some(p) if p >= new => Some(usize::MAX),
                other => other,
            };
        }
        for row in self.rows.drain((desc.instances as usize).min(self.rows.len())..) {
            if let Some(part) = row.part.and_then(|p| self.parts.get_mut(p)) {
                part.state = PartitionState::Build;
            }
        }
        self.rows.resize_with(desc.instances as usize, Row::inactive);
        self.desc = *desc;
        Ok(())
    }

    fn write(&mut self, w: &ResolvedWrite<B>) -> Result<()> {
        if w.placed.hit_group_offset >> 24 != 0 {
            return Err(wrong(format!("its hit group offset {} has more than 24 bits", w.placed.hit_group_offset)));
        }
        if w.placed.flags >> 7 != 0 {
            return Err(wrong(format!("unknown bits in flags {:#x}", w.placed.flags)));
        }
        let part = self.part(w.partition)?;
        let explicit = (w.placed.flags & INSTANCE_EXPLICIT_BOUNDS != 0).then_some(w.bounds);
        if let Some(b) = explicit
            && (b.iter().any(|x| x.is_nan()) || (0..3).any(|a| b[a] > b[a + 3]))
        {
            return Err(wrong(format!("invalid box {b:?}")));
        }
        let row = Row { placed: w.placed.clone(), part: Some(part), explicit };
        let old = std::mem::replace(&mut self.rows[w.index as usize], row);
        for p in [old.part, Some(part)].into_iter().flatten() {
            if let Some(p) = self.parts.get_mut(p) {
                p.state = PartitionState::Build;
            }
        }
        Ok(())
    }

    fn swap(&mut self, s: &Swapped<B>, same: &impl Fn(&B, &B) -> bool) -> Result<()> {
        if s.hit_group_offset >> 24 != 0 {
            return Err(wrong(format!("its hit group offset {} has more than 24 bits", s.hit_group_offset)));
        }
        let row = &mut self.rows[s.index as usize];
        let Some(part) = row.part.and_then(|p| self.parts.get_mut(p)) else {
            return Err(wrong("it was never written"));
        };
        if row.explicit.is_none() && row.placed.bottom.is_none() {
            return Err(wrong("it was written without a structure and without a box"));
        }
        let stays = row.explicit.is_some() || row.placed.bottom.as_ref().is_some_and(|b| same(b, &s.bottom));
        part.state = part.state.max(if stays { PartitionState::Refit } else { PartitionState::Build });
        row.placed.bottom = Some(s.bottom.clone());
        row.placed.hit_group_offset = s.hit_group_offset;
        Ok(())
    }

    /// Nothing refers to partitions that went, and none has too many instances.
    fn check(&self) -> Result<()> {
        let mut counts = vec![0u32; self.parts.len()];
        for (i, row) in self.rows.iter().enumerate().filter(|(_, row)| !row.degenerate()) {
            match row.part.map(|p| counts.get_mut(p)) {
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
}
