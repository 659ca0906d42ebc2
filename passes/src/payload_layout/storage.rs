//! Storage allocation by colouring of the interference graph: each payload field gets a bit range, and fields whose live ranges interfere
//! get disjoint ranges.
//!
//! The allocation is greedy: fields are taken in an order, and each gets the lowest range that is free of its neighbours. The order decides
//! what is wasted, so a few are tried and the first of the smallest layouts is kept; a layout that reaches the lower bound (the fields that
//! leave one stage together) ends the search. Fields with the same live range form a *class*, and there are few classes, so taken
//! ranges are kept for each class: the work grows with the number of fields and not with its square.

use rtc_tables::payload_access::{TRANSITIONS, Transitions, transitions_in, transitions_where};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// With more fields than this only one order is tried.
const MAX_FIELDS_FOR_SEARCH: usize = 2048;

/// The storage that a field requires, and its live range. Numbers are bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Its size.
    pub bits: u32,
    /// Its offset is a multiple of this: 1 to 32.
    pub align: u32,
    /// The transitions on which it is alive.
    pub alive: Transitions,
}

/// A layout of a payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bit offset of each field; `None` if it is never alive and has no storage.
    pub offsets: Vec<Option<u32>>,
    /// Its size in bytes: whole words.
    pub size: u32,
}

/// All transitions out of the stages from which a transition of the set leads: where a stage ends, it does not know which one follows.
pub(super) fn from_the_same(set: Transitions) -> Transitions {
    transitions_where(|from, _| transitions_in(set).any(|t| t.0 == from))
}

/// Whether fields with these live ranges interfere.
pub fn interfere(a: Transitions, b: Transitions) -> bool {
    from_the_same(a) & b != 0
}

/// Gives fields storage such that those which interfere do not overlap.
pub fn pack(fields: &[Interval]) -> Layout {
    let mut classes: Vec<Transitions> = fields.iter().map(|f| f.alive).filter(|&a| a != 0).collect();
    classes.sort_unstable();
    classes.dedup();
    let class_of = |f: &Interval| classes.binary_search(&f.alive).unwrap_or(0);
    let all: Vec<usize> = (0..fields.len()).filter(|&n| fields[n].alive != 0).collect();
    // The bits of all fields that interfere with each class.
    let mut weight: Vec<u64> = vec![0; classes.len()];
    all.iter().for_each(|&n| weight[class_of(&fields[n])] += u64::from(fields[n].bits));
    let against: Vec<u64> =
        classes.iter().map(|&a| classes.iter().zip(&weight).filter(|(b, _)| interfere(a, **b)).map(|(_, w)| w).sum()).collect();
    let least = lower_bound(fields);
    let size = |n: usize| (Reverse(fields[n].align), Reverse(fields[n].bits));
    let heavy = |n: usize| Reverse(against[class_of(&fields[n])]);
    let long = |n: usize| Reverse(fields[n].alive.count_ones());
    let mut best: Option<Layout> = None;
    let orders = if all.len() > MAX_FIELDS_FOR_SEARCH { 1 } else { 4 };
    for order in 0..orders {
        let mut sorted = all.clone();
        match order {
            0 => sorted.sort_by_key(|&n| (size(n), n)),
            1 => sorted.sort_by_key(|&n| (heavy(n), size(n), n)),
            2 => sorted.sort_by_key(|&n| (long(n), size(n), n)),
            _ => sorted.sort_by_key(|&n| (Reverse(fields[n].align), heavy(n), Reverse(fields[n].bits), n)),
        }
        let new = first_fit(fields, &sorted, &classes);
        if best.as_ref().is_none_or(|b| new.size < b.size) {
            best = Some(new);
        }
        if best.as_ref().is_some_and(|b| b.size <= least) {
            break;
        }
    }
    best.unwrap_or(Layout { offsets: Vec::new(), size: 0 })
}

/// Bytes that every layout has: the fields that are alive on transitions out of one stage.
fn lower_bound(fields: &[Interval]) -> u32 {
    let leaving = |n: usize| {
        let set = from_the_same(1 << n);
        fields.iter().filter(|f| f.alive & set != 0).map(|f| u64::from(f.bits)).sum::<u64>()
    };
    let bits = (0..TRANSITIONS.len()).map(leaving).max().unwrap_or(0);
    u32::try_from(bits.div_ceil(32) * 4).unwrap_or(u32::MAX)
}

/// Allocates greedily in this order.
fn first_fit(fields: &[Interval], order: &[usize], classes: &[Transitions]) -> Layout {
    let mut offsets: Vec<Option<u32>> = vec![None; fields.len()];
    let mut taken = vec![Taken::default(); classes.len()];
    let neighbours: Vec<Vec<usize>> = classes.iter().map(|&a| (0..classes.len()).filter(|&b| interfere(a, classes[b])).collect()).collect();
    // Where the search starts: ranges are never freed, so a shape that did not fit below an offset never will.
    let mut from: FxHashMap<(Transitions, u32, u32), u32> = FxHashMap::default();
    let mut end = 0u32;
    for &n in order {
        let f = fields[n];
        let class = classes.binary_search(&f.alive).unwrap_or(0);
        let first = from.entry((f.alive, f.bits, f.align)).or_insert(0);
        let at = taken[class].fit(f.bits, f.align, *first);
        *first = at;
        offsets[n] = Some(at);
        let after = at.saturating_add(f.bits);
        neighbours[class].iter().for_each(|&c| taken[c].add(at, after));
        end = end.max(after);
    }
    Layout { offsets, size: end.div_ceil(32).saturating_mul(4) }
}

/// Taken bits: ranges in order that do not touch.
#[derive(Clone, Default)]
struct Taken(Vec<(u32, u32)>);

impl Taken {
    /// The lowest offset at or above `from` with so many free bits.
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

    /// Takes a range and merges it with those that it touches.
    fn add(&mut self, lo: u32, hi: u32) {
        let first = self.0.partition_point(|r| r.1 < lo);
        let last = self.0.partition_point(|r| r.0 <= hi);
        let range = match self.0.get(first..last) {
            Some([.., b]) => (lo.min(self.0[first].0), hi.max(b.1)),
            _ => (lo, hi),
        };
        self.0.splice(first..last.max(first), [range]);
    }
}
