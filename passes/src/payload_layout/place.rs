//! Fields to places: those that are alive together, or behind the same stage, are apart; all others may share bits.
//!
//! Each field is put as far in front as it fits. In which order decides what is wasted, so a few are tried and the first of
//! the best is kept; none can be smaller than what leaves one stage at once, and where that is reached nothing more is tried.
//! Fields that are alive on the same ways are in everybody's way alike: what is taken is kept for each such *class*, of which there
//! are few, so that the work grows with the number of fields and not with its square.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

use super::{WAYS, Ways};

/// Of more fields than this only one order is tried.
const MANY: usize = 2048;

/// A field to be placed. Numbers are bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// What it takes.
    pub bits: u32,
    /// Its place is a multiple of this: 1 to 32.
    pub align: u32,
    /// When it is alive.
    pub alive: Ways,
}

/// A layout of a payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bit offset of each field; `None` if it is never alive and needs no room.
    pub offsets: Vec<Option<u32>>,
    /// Bytes in all: whole words.
    pub size: u32,
}

/// All ways out of the stages from which a way of the set leads: where a stage ends, nobody knows which way comes next.
pub(super) fn from_the_same(ways: Ways) -> Ways {
    let from = |s| WAYS.iter().enumerate().any(|(n, w)| ways >> n & 1 != 0 && w.0 == s);
    WAYS.iter().enumerate().filter(|(_, w)| from(w.0)).fold(0, |set, (n, _)| set | 1 << n)
}

/// Whether two fields with these ways must be apart.
pub fn apart(a: Ways, b: Ways) -> bool {
    from_the_same(a) & b != 0
}

/// Places fields so that those which must be apart are.
pub fn pack(fields: &[Room]) -> Layout {
    let mut classes: Vec<Ways> = fields.iter().map(|f| f.alive).filter(|&a| a != 0).collect();
    classes.sort_unstable();
    classes.dedup();
    let class_of = |f: &Room| classes.binary_search(&f.alive).unwrap_or(0);
    let all: Vec<usize> = (0..fields.len()).filter(|&n| fields[n].alive != 0).collect();
    // What must be apart from fields of each class, in bits.
    let mut weight: Vec<u64> = vec![0; classes.len()];
    all.iter().for_each(|&n| weight[class_of(&fields[n])] += u64::from(fields[n].bits));
    let against: Vec<u64> =
        classes.iter().map(|&a| classes.iter().zip(&weight).filter(|(b, _)| apart(a, **b)).map(|(_, w)| w).sum()).collect();
    let least = smallest(fields);
    let size = |n: usize| (Reverse(fields[n].align), Reverse(fields[n].bits));
    let heavy = |n: usize| Reverse(against[class_of(&fields[n])]);
    let long = |n: usize| Reverse(fields[n].alive.count_ones());
    let mut best: Option<Layout> = None;
    let orders = if all.len() > MANY { 1 } else { 4 };
    for order in 0..orders {
        let mut sorted = all.clone();
        match order {
            0 => sorted.sort_by_key(|&n| (size(n), n)),
            1 => sorted.sort_by_key(|&n| (heavy(n), size(n), n)),
            2 => sorted.sort_by_key(|&n| (long(n), size(n), n)),
            _ => sorted.sort_by_key(|&n| (Reverse(fields[n].align), heavy(n), Reverse(fields[n].bits), n)),
        }
        let new = in_order(fields, &sorted, &classes);
        if best.as_ref().is_none_or(|b| new.size < b.size) {
            best = Some(new);
        }
        if best.as_ref().is_some_and(|b| b.size <= least) {
            break;
        }
    }
    best.unwrap_or(Layout { offsets: Vec::new(), size: 0 })
}

/// Bytes that no layout can do without: what is alive on ways out of one stage.
fn smallest(fields: &[Room]) -> u32 {
    let leaving = |at: usize| {
        let ways = from_the_same(1 << at);
        fields.iter().filter(|f| f.alive & ways != 0).map(|f| u64::from(f.bits)).sum::<u64>()
    };
    let bits = (0..WAYS.len()).map(leaving).max().unwrap_or(0);
    u32::try_from(bits.div_ceil(32) * 4).unwrap_or(u32::MAX)
}

fn in_order(fields: &[Room], order: &[usize], classes: &[Ways]) -> Layout {
    let mut offsets: Vec<Option<u32>> = vec![None; fields.len()];
    let mut taken = vec![Taken::default(); classes.len()];
    let conflicts: Vec<Vec<usize>> = classes.iter().map(|&a| (0..classes.len()).filter(|&b| apart(a, classes[b])).collect()).collect();
    // Where to look first: places only get fewer, so what fits nowhere in front never will.
    let mut from: FxHashMap<(Ways, u32, u32), u32> = FxHashMap::default();
    let mut end = 0u32;
    for &n in order {
        let f = fields[n];
        let class = classes.binary_search(&f.alive).unwrap_or(0);
        let first = from.entry((f.alive, f.bits, f.align)).or_insert(0);
        let at = taken[class].fit(f.bits, f.align, *first);
        *first = at;
        offsets[n] = Some(at);
        let after = at.saturating_add(f.bits);
        conflicts[class].iter().for_each(|&c| taken[c].add(at, after));
        end = end.max(after);
    }
    Layout { offsets, size: end.div_ceil(32).saturating_mul(4) }
}

/// Bits that are taken: ranges in order that do not touch.
#[derive(Clone, Default)]
struct Taken(Vec<(u32, u32)>);

impl Taken {
    /// The first place at or behind `from` for so many bits.
    fn fit(&self, bits: u32, align: u32, from: u32) -> u32 {
        let mut at = from.next_multiple_of(align);
        let next = self.0.partition_point(|r| r.1 <= at);
        for &(lo, hi) in &self.0[next..] {
            if at.saturating_add(bits) <= lo {
                break;
            }
            at = at.max(hi.checked_next_multiple_of(align).unwrap_or(u32::MAX));
        }
        at
    }

    fn add(&mut self, lo: u32, hi: u32) {
        // Those that touch it become one with it.
        let first = self.0.partition_point(|r| r.1 < lo);
        let last = self.0.partition_point(|r| r.0 <= hi);
        let range = match self.0.get(first..last) {
            Some([.., b]) => (lo.min(self.0[first].0), hi.max(b.1)),
            _ => (lo, hi),
        };
        self.0.splice(first..last.max(first), [range]);
    }
}
