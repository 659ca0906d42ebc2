//! Anchors: from a use back to the nearest position before it after which its operand would have been live across a point.
//!
//! Instructions of a region have even numbers from 2 on in their order; what is inserted after number `n` has `n + 1`, and the
//! parameters of the region 0. (These numbers leave gaps for insertion within a region; those of [`rtc_ir::analysis::RegionTree`] do
//! not.) *Barriers* are points and constructs with points in them. Going back from a use in its region, then from the construct
//! around it in the parent region, and so on, the first barrier (or the start of a region of a loop with points) that comes
//! before the definition is met is the use's *anchor*: a new definition after it serves the use, and no point is between the
//! two.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::{Effects, Function, Inst, InstData, Region, Value, ValueDef};
use rustc_hash::FxHashMap;

use crate::hit_calls::continues;

/// The position after the instruction of this number in a region; 0 is its start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Anchor {
    pub region: Region,
    pub order: u32,
}

pub(super) struct Layout {
    region_of: SecondaryMap<Inst, Region>,
    order: SecondaryMap<Inst, u32>,
    /// The numbers of the barriers of each region.
    barriers: FxHashMap<Region, Vec<u32>>,
    /// Regions of loops with points.
    repeated: EntitySet<Region>,
    /// Constructs with points, and points.
    is_barrier: EntitySet<Inst>,
    /// Points that go with the one before.
    tails: EntitySet<Inst>,
    /// The new instructions after each anchor, each with the position in the text of the one that it is a copy of.
    new: FxHashMap<Anchor, Vec<(u32, Inst)>>,
}

/// Whether `i` is a reorder point or may run one.
pub(super) fn is_point(f: &Function, i: Inst) -> bool {
    f.op(i).effects().contains(Effects::REORDERS)
}

impl Layout {
    pub fn of(f: &Function) -> Layout {
        let mut l = Layout {
            region_of: SecondaryMap::with_default(f.body),
            order: SecondaryMap::new(),
            barriers: FxHashMap::default(),
            repeated: EntitySet::new(),
            is_barrier: EntitySet::new(),
            tails: EntitySet::new(),
            new: FxHashMap::default(),
        };
        l.region_of.resize(f.insts.len());
        l.order.resize(f.insts.len());
        let mut found = Vec::new();
        let mut regions = Vec::new();
        f.for_each_region(f.body, |r| {
            regions.push(r);
            for (n, &i) in f.regions[r].insts.iter().enumerate() {
                l.region_of[i] = r;
                l.order[i] = 2 * n as u32 + 2;
                if is_point(f, i) {
                    found.push(i);
                }
            }
        });
        for i in found {
            let mut at = Some(i);
            while let Some(i) = at
                && l.is_barrier.insert(i)
            {
                at = f.regions[l.region_of[i]].owner;
            }
        }
        for &r in &regions {
            let mut all = Vec::new();
            let insts = &f.regions[r].insts;
            for (n, &i) in insts.iter().enumerate() {
                if !l.is_barrier.contains(i) {
                    continue;
                }
                all.push(l.order[i]);
                if matches!(f.insts[i], InstData::Loop { .. }) {
                    f.regions_of(i).into_iter().for_each(|r| {
                        l.repeated.insert(r);
                    });
                }
                // What goes with the point before it takes its operands from before that.
                if n > 0 && continues(f, insts[n - 1], i) {
                    l.order[i] = l.order[insts[n - 1]];
                    l.tails.insert(i);
                }
            }
            if !all.is_empty() {
                l.barriers.insert(r, all);
            }
        }
        l
    }

    /// Where `v` is defined; `None` for what is everywhere.
    pub fn definition(&self, f: &Function, v: Value) -> Option<Anchor> {
        match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => None,
            ValueDef::Param(region, _) => Some(Anchor { region, order: 0 }),
            ValueDef::Result(i, _) => {
                // Of points that go together, each result comes from its own.
                Some(self.place(f, i))
            }
        }
    }

    fn place(&self, f: &Function, i: Inst) -> Anchor {
        let region = self.region_of[i];
        let mut order = self.order[i];
        if is_point(f, i) {
            let insts = &f.regions[region].insts;
            let mut n = order as usize / 2 - 1;
            while insts.get(n).is_some_and(|&x| x != i) {
                n += 1;
                order += 2;
            }
        }
        Anchor { region, order }
    }

    /// The anchor of the use of something defined at `def` by `user`; `None` if no point comes between.
    pub fn anchor(&self, f: &Function, def: Anchor, user: Inst) -> Option<Anchor> {
        let (mut region, mut order) = (self.region_of[user], self.order[user]);
        loop {
            let last = self.barriers.get(&region).and_then(|all| {
                let n = all.partition_point(|&b| b < order);
                n.checked_sub(1).map(|n| all[n])
            });
            if region == def.region {
                let last = last.filter(|&b| b > def.order)?;
                return Some(Anchor { region, order: last });
            }
            if let Some(order) = last {
                return Some(Anchor { region, order });
            }
            if self.repeated.contains(region) {
                return Some(Anchor { region, order: 0 });
            }
            let owner = f.regions[region].owner?;
            (region, order) = (self.region_of[owner], self.order[owner]);
        }
    }

    /// Whether `i` is a point that goes with the one before, so that its operands have to be there before that.
    pub fn is_tail(&self, i: Inst) -> bool {
        self.tails.contains(i)
    }

    /// Puts `i` at `at`. Instructions at one anchor are ordered by `number`.
    pub fn put(&mut self, at: Anchor, number: u32, i: Inst) {
        self.region_of[i] = at.region;
        self.order[i] = at.order + 1;
        self.new.entry(at).or_default().push((number, i));
    }

    /// Whether `a` is further down than `b`, of two places of which one dominates the other.
    pub fn is_later(&self, f: &Function, a: Anchor, b: Anchor) -> bool {
        if a.region == b.region {
            return a.order > b.order;
        }
        let mut at = Some(a.region);
        while let Some(r) = at {
            if r == b.region {
                return true;
            }
            at = f.regions[r].owner.map(|o| self.region_of[o]);
        }
        false
    }

    /// Whether `i` is in the region of `at`, in no branch or loop that `at` is outside of.
    pub fn is_same_region(&self, at: Anchor, i: Inst) -> bool {
        self.region_of[i] == at.region
    }

    /// The instructions in their new order, without those of `gone`.
    pub fn apply(mut self, f: &mut Function, gone: &EntitySet<Inst>) {
        let mut regions = Vec::new();
        f.for_each_region(f.body, |r| regions.push(r));
        for r in regions {
            let old = std::mem::take(&mut f.regions[r].insts);
            let mut out = Vec::with_capacity(old.len());
            let mut put = |order: u32, out: &mut Vec<Inst>| {
                if let Some(mut all) = self.new.remove(&Anchor { region: r, order }) {
                    all.sort_by_key(|x| x.0);
                    out.extend(all.into_iter().map(|x| x.1));
                }
            };
            put(0, &mut out);
            for (n, i) in old.into_iter().enumerate() {
                if !gone.contains(i) {
                    out.push(i);
                }
                put(2 * n as u32 + 2, &mut out);
            }
            f.regions[r].insts = out;
        }
    }
}
