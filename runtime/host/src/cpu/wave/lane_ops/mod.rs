//! Wave and quad operations on the values of the active lanes.

use super::scalar::{Number, Reduce};
use crate::cpu::args::{Scalar, Shape};

/// The active lanes of an operation, by index.
pub struct ActiveLanes<'a> {
    /// The type of the call; the same for all lanes.
    pub shape: Shape,
    /// Wave size.
    pub width: u32,
    /// The active lanes.
    pub lanes: &'a mut [ActiveLane],
}

/// An active lane.
pub struct ActiveLane {
    /// Its index in the wave.
    pub lane: u32,
    /// Its arguments, which its results replace.
    pub slots: Vec<u64>,
}

/// The function of an operation.
pub type WaveOp = fn(&mut ActiveLanes<'_>);

impl ActiveLane {
    /// An argument.
    pub fn get(&self, slot: usize) -> u64 {
        self.slots.get(slot).copied().unwrap_or(0)
    }
    /// A result.
    pub fn set(&mut self, slot: usize, bits: u64) {
        if let Some(s) = self.slots.get_mut(slot) {
            *s = bits;
        }
    }
    /// Four words as one lane mask.
    fn mask(&self, slot: usize) -> u128 {
        (0..4).fold(0, |m, n| m | u128::from(self.get(slot + n) as u32) << (32 * n))
    }
    fn set_mask(&mut self, mask: u128) {
        for n in 0..4 {
            self.set(n, (mask >> (32 * n)) as u32 as u64);
        }
    }
}

impl ActiveLanes<'_> {
    fn components(&self) -> usize {
        usize::from(self.shape.lanes).max(1)
    }
    /// The scalar type of component `n`.
    fn number(&self, unsigned: bool) -> Number {
        Number { scalar: self.shape.scalar, unsigned }
    }
    /// The mask of lanes with a property.
    fn mask(&self, holds: impl Fn(&ActiveLane) -> bool) -> u128 {
        self.lanes.iter().filter(|l| holds(l)).fold(0, |m, l| m | 1 << l.lane)
    }
    /// Sets the same results for all lanes.
    fn all(&mut self, results: &[u64]) {
        for lane in self.lanes.iter_mut() {
            results.iter().enumerate().for_each(|(n, &bits)| lane.set(n, bits));
        }
    }
    /// Sets one result for each lane.
    fn each(&mut self, result: impl Fn(&ActiveLane) -> u64) {
        for lane in self.lanes.iter_mut() {
            let bits = result(lane);
            lane.set(0, bits);
        }
    }
    /// Copies the values of active lane `n`.
    fn values(&self, n: usize) -> Vec<u64> {
        (0..self.components()).map(|c| self.lanes[n].get(c)).collect()
    }
    /// Each lane gets the values of another, by index; zeros if that lane is inactive.
    fn shuffle(&mut self, from: impl Fn(&ActiveLane) -> u32) {
        let all: Vec<(u32, Vec<u64>)> = (0..self.lanes.len()).map(|n| (self.lanes[n].lane, self.values(n))).collect();
        let none = vec![0; self.components()];
        for lane in self.lanes.iter_mut() {
            let wanted = from(lane);
            let values = all.binary_search_by_key(&wanted, |a| a.0).map_or(&none, |n| &all[n].1);
            values.iter().enumerate().for_each(|(n, &bits)| lane.set(n, bits));
        }
    }
}

/// `WaveIsFirstLane`.
pub fn is_first(set: &mut ActiveLanes<'_>) {
    let first = set.lanes.first().map(|l| l.lane);
    set.each(|l| u64::from(Some(l.lane) == first));
}

/// `WaveAnyTrue`.
pub fn any(set: &mut ActiveLanes<'_>) {
    let any = set.mask(|l| l.get(0) & 1 != 0) != 0;
    set.each(|_| any.into());
}

/// `WaveAllTrue`.
pub fn every(set: &mut ActiveLanes<'_>) {
    let all = set.mask(|l| l.get(0) & 1 == 0) == 0;
    set.each(|_| all.into());
}

/// `WaveActiveAllEqual`, for each component.
pub fn all_equal(set: &mut ActiveLanes<'_>) {
    let number = set.number(false);
    let first = set.values(0);
    let same = |(c, &v): (usize, &u64)| set.lanes.iter().all(|l| number.equal(l.get(c), v)).into();
    let results: Vec<u64> = first.iter().enumerate().map(same).collect();
    set.all(&results);
}

/// `WaveActiveBallot`.
pub fn ballot(set: &mut ActiveLanes<'_>) {
    let mask = set.mask(|l| l.get(0) & 1 != 0);
    set.lanes.iter_mut().for_each(|l| l.set_mask(mask));
}

/// `WaveAllBitCount`.
pub fn count(set: &mut ActiveLanes<'_>) {
    let n = set.mask(|l| l.get(0) & 1 != 0).count_ones();
    set.each(|_| n.into());
}

/// `WavePrefixBitCount`.
pub fn prefix_count(set: &mut ActiveLanes<'_>) {
    let mask = set.mask(|l| l.get(0) & 1 != 0);
    set.each(|l| (mask & below(l.lane)).count_ones().into());
}

/// The mask of all lanes below one.
fn below(lane: u32) -> u128 {
    (1 << lane) - 1
}

/// `WaveReadLaneAt`.
pub fn read_at(set: &mut ActiveLanes<'_>) {
    let at = set.components();
    set.shuffle(|l| l.get(at) as u32);
}

/// `WaveReadLaneFirst`.
pub fn read_first(set: &mut ActiveLanes<'_>) {
    let values = set.values(0);
    set.all(&values);
}

/// `WaveActiveOp`: sum, product, minimum, maximum.
pub fn active(set: &mut ActiveLanes<'_>) {
    let (op, unsigned) = arithmetic(set);
    reduce(set, op, unsigned);
}

/// `WaveActiveBit`.
pub fn active_bit(set: &mut ActiveLanes<'_>) {
    let op = match set.lanes[0].get(set.components()) as u8 {
        0 => Reduce::And,
        1 => Reduce::Or,
        _ => Reduce::Xor,
    };
    reduce(set, op, true);
}

/// The reduction operator, and whether it is unsigned.
fn arithmetic(set: &ActiveLanes<'_>) -> (Reduce, bool) {
    let at = set.components();
    let op = match set.lanes[0].get(at) as u8 {
        0 => Reduce::Sum,
        1 => Reduce::Product,
        2 => Reduce::Min,
        _ => Reduce::Max,
    };
    (op, set.lanes[0].get(at + 1) & 1 != 0)
}

fn reduce(set: &mut ActiveLanes<'_>, op: Reduce, unsigned: bool) {
    let number = set.number(unsigned);
    let mut sum = set.values(0);
    for lane in &set.lanes[1..] {
        for (c, s) in sum.iter_mut().enumerate() {
            *s = number.apply(op, *s, lane.get(c));
        }
    }
    set.all(&sum);
}

/// `WavePrefixOp`: over the lanes below each.
pub fn prefix(set: &mut ActiveLanes<'_>) {
    let (op, unsigned) = arithmetic(set);
    let number = set.number(unsigned);
    let mut sum = vec![number.identity(op); set.components()];
    for lane in set.lanes.iter_mut() {
        for (c, s) in sum.iter_mut().enumerate() {
            let value = lane.get(c);
            lane.set(c, *s);
            *s = number.apply(op, *s, value);
        }
    }
}

/// `WaveMatch`: the mask of lanes with the same bits, for each lane.
pub fn matching(set: &mut ActiveLanes<'_>) {
    let all: Vec<(u32, Vec<u64>)> = (0..set.lanes.len()).map(|n| (set.lanes[n].lane, set.values(n))).collect();
    for (n, lane) in set.lanes.iter_mut().enumerate() {
        let own = &all[n];
        lane.set_mask(all.iter().filter(|other| other.1 == own.1).fold(0, |m, other| m | 1 << other.0));
    }
}

/// `WaveMultiPrefixOp`: over the lanes below each that are in its mask.
pub fn multi_prefix(set: &mut ActiveLanes<'_>) {
    let components = set.components();
    let op = match set.lanes[0].get(components + 4) as u8 {
        0 => Reduce::Sum,
        1 => Reduce::And,
        2 => Reduce::Or,
        3 => Reduce::Xor,
        _ => Reduce::Product,
    };
    let number = set.number(set.lanes[0].get(components + 5) & 1 != 0);
    let all: Vec<(u32, Vec<u64>)> = (0..set.lanes.len()).map(|n| (set.lanes[n].lane, set.values(n))).collect();
    for lane in set.lanes.iter_mut() {
        let mask = lane.mask(components) & below(lane.lane);
        for c in 0..components {
            let before = all.iter().filter(|a| mask >> a.0 & 1 != 0);
            let sum = before.fold(number.identity(op), |s, a| number.apply(op, s, a.1[c]));
            lane.set(c, sum);
        }
    }
}

/// `WaveMultiPrefixBitCount`.
pub fn multi_prefix_count(set: &mut ActiveLanes<'_>) {
    let holds = set.mask(|l| l.get(0) & 1 != 0);
    set.each(|l| (holds & l.mask(1) & below(l.lane)).count_ones().into());
}

/// `QuadReadLaneAt`.
pub fn quad_read(set: &mut ActiveLanes<'_>) {
    let at = set.components();
    set.shuffle(|l| l.lane & !3 | l.get(at) as u32 & 3);
}

/// `QuadOp`: reads across the quad, horizontally, vertically, diagonally.
pub fn quad_across(set: &mut ActiveLanes<'_>) {
    let at = set.components();
    set.shuffle(|l| match l.get(at) as u8 {
        0 => l.lane ^ 1,
        1 => l.lane ^ 2,
        _ => l.lane ^ 3,
    });
}

/// `QuadVote`: any or all.
pub fn quad_vote(set: &mut ActiveLanes<'_>) {
    let (here, holds) = (set.mask(|_| true), set.mask(|l| l.get(0) & 1 != 0));
    set.each(|l| {
        let quad = 15u128 << (l.lane & !3);
        let all = l.get(1) as u8 == 1;
        u64::from(if all { here & quad & !holds == 0 } else { quad & holds != 0 })
    });
}

/// `DerivCoarseX` and `Y`, `DerivFineX` and `Y`: differences in the quad.
pub fn derivative<const FINE: bool, const DOWN: bool>(set: &mut ActiveLanes<'_>) {
    let number = set.number(false);
    differences(set, 0..set.components(), |c, of, own| {
        let pairs = super::quads::pairs(own, FINE, DOWN);
        let difference = pairs.into_iter().find_map(|[a, b]| Some((of(a, c)?, of(b, c)?)));
        (c, difference.map_or(0, |(a, b)| number.subtract(b, a)))
    });
}

/// Three floats in the first slots: their x derivatives in the first three, y derivatives in the next three.
pub fn gradient(set: &mut ActiveLanes<'_>) {
    let number = Number { scalar: Scalar::F32, unsigned: false };
    differences(set, 0..6, |n, of, own| {
        let (c, down) = (n % 3, n >= 3);
        let pairs = super::quads::pairs(own, false, down);
        let difference = pairs.into_iter().find_map(|[a, b]| Some((of(a, c)?, of(b, c)?)));
        (n, difference.map_or(0, |(a, b)| number.subtract(b, a)))
    });
}

/// A result for each lane and component, from the values of its quad: of lane `0..4`, component.
fn differences(
    set: &mut ActiveLanes<'_>,
    numbers: std::ops::Range<usize>,
    result: impl Fn(usize, &dyn Fn(u32, usize) -> Option<u64>, u32) -> (usize, u64),
) {
    let before: Vec<(u32, Vec<u64>)> = set.lanes.iter().map(|l| (l.lane, l.slots.clone())).collect();
    for lane in set.lanes.iter_mut() {
        let first = lane.lane & !3;
        let of = |q: u32, c: usize| {
            let n = before.binary_search_by_key(&(first + q), |b| b.0).ok()?;
            before[n].1.get(c).copied()
        };
        for n in numbers.clone() {
            let (slot, bits) = result(n, &of, lane.lane & 3);
            lane.set(slot, bits);
        }
    }
}

#[cfg(test)]
mod tests;
