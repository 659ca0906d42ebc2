//! Conditions that dominate an instruction: the interval of the text in which each comparison holds.
//!
//! Instructions are numbered in the order of the text, so the extent of a region is an interval. The condition of an `if`
//! holds in one arm and its negation in the other; after the `if`, the one whose arm may complete. The conditions on one value are
//! a forest of nested intervals.

use rtc_base::SecondaryMap;
use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Function, Inst, InstData, Opcode as O, Type, Value};

use super::range::Range;

/// Numbers of instructions in the order of the text.
type Interval = std::ops::Range<u32>;

/// How many conditions that hold at a place are considered.
const DEEP: usize = 12;
/// How many parts of one condition are considered.
const PARTS: usize = 16;

/// What a value is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Other {
    Value(Value),
    Number(u32),
}

/// A comparison that holds: `op` with the value on the left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub value: Value,
    pub op: O,
    pub other: Other,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    fact: Fact,
    start: u32,
    end: u32,
    /// The next larger interval with a fact on this value.
    outer: u32,
}

/// The facts of a function.
pub(super) struct Facts {
    tree: RegionTree,
    /// By value, then by start.
    held: Vec<Held>,
    /// Where the facts of each value begin in `held`, and how many there are.
    of: SecondaryMap<Value, (u32, u32)>,
}

impl Facts {
    /// Reads the conditions of `f`.
    pub fn of(f: &Function, exits: &Exits) -> Facts {
        let mut facts = Facts { tree: RegionTree::of(f), held: Vec::new(), of: SecondaryMap::with_default((0, 0)) };
        let mut held = Vec::new();
        f.for_each_inst(f.body, |r, i| match f.insts[i] {
            InstData::If { cond, then_, else_ } => {
                let (yes, no) = (facts.tree.interval(then_), facts.tree.interval(else_));
                let after = yes.end.max(no.end)..facts.tree.end(r);
                let leaves = |part: &Interval| exits.leave[i].iter().any(|&e| part.contains(&facts.at(e)));
                let (by_then, by_else) = (leaves(&yes), leaves(&no));
                hold(f, &mut held, cond, true, yes);
                hold(f, &mut held, cond, false, no);
                match (by_then, by_else) {
                    (true, false) => hold(f, &mut held, cond, true, after),
                    (false, true) => hold(f, &mut held, cond, false, after),
                    _ => {}
                }
            }
            InstData::Switch { on, cases } => {
                for (values, arm) in &f.cases[cases].arms {
                    if let [one] = values[..] {
                        let other = Other::Number(one as u32);
                        push(&mut held, Fact { value: on, op: O::ieq, other }, facts.tree.interval(*arm));
                    }
                }
            }
            _ => {}
        });
        held.sort_by_key(|h| (h.fact.value, h.start, std::cmp::Reverse(h.end)));
        facts.of.resize(f.values.len());
        let mut open: Vec<u32> = Vec::new();
        for k in 0..held.len() {
            let (v, start) = (held[k].fact.value, held[k].start);
            if k == 0 || held[k - 1].fact.value != v {
                open.clear();
                facts.of[v] = (k as u32, 0);
            }
            facts.of[v].1 += 1;
            while open.last().is_some_and(|&o| held[o as usize].end <= start) {
                open.pop();
            }
            held[k].outer = open.last().copied().unwrap_or(u32::MAX);
            open.push(k as u32);
        }
        facts.held = held;
        facts
    }

    /// The number of `i` in the order of the text.
    pub fn at(&self, i: Inst) -> u32 {
        self.tree.number(i)
    }

    /// The facts on `v` that hold at `at`.
    pub fn on(&self, v: Value, at: u32) -> impl Iterator<Item = Fact> + '_ {
        let (first, n) = self.of[v];
        let mine = &self.held[first as usize..(first + n) as usize];
        let mut next = match mine.partition_point(|h| h.start <= at) {
            0 => u32::MAX,
            k => first + k as u32 - 1,
        };
        std::iter::from_fn(move || {
            let h = self.held.get(next as usize)?;
            next = h.outer;
            Some(h)
        })
        // A deep nest of intervals that are over costs no more than one that holds.
        .take(4 * DEEP)
        .filter(move |h| (h.start..h.end).contains(&at))
        .take(DEEP)
        .map(|h| h.fact)
    }
}

fn push(held: &mut Vec<Held>, fact: Fact, interval: Interval) {
    if !interval.is_empty() {
        held.push(Held { fact, start: interval.start, end: interval.end, outer: u32::MAX });
    }
}

fn hold(f: &Function, held: &mut Vec<Held>, cond: Value, truth: bool, interval: Interval) {
    let mut parts = Vec::new();
    assume(f, cond, truth, &mut parts);
    for fact in parts {
        push(held, fact, interval.clone());
    }
}

/// What follows from `cond` being `truth`.
pub(super) fn assume(f: &Function, cond: Value, truth: bool, out: &mut Vec<Fact>) {
    let mut todo = vec![(cond, truth)];
    while let Some((cond, truth)) = todo.pop() {
        if out.len() >= PARTS {
            return;
        }
        out.push(Fact { value: cond, op: O::ieq, other: Other::Number(truth.into()) });
        let Some(def) = f.def_inst(cond) else { continue };
        match f.insts[def] {
            InstData::Unary { op: O::not, arg } => todo.push((arg, !truth)),
            InstData::Binary { op: O::and, args } if truth => todo.extend(args.map(|a| (a, true))),
            InstData::Binary { op: O::or, args } if !truth => todo.extend(args.map(|a| (a, false))),
            InstData::Binary { op, args: [a, b] } if f.ty(a) == Type::I32 => {
                let Some(op) = (if truth { Some(op) } else { opposite(op) }) else { continue };
                let Some(turned) = mirror(op) else { continue };
                for (value, op, other) in [(a, op, b), (b, turned, a)] {
                    if f.as_const(value).is_none() {
                        let other = f.as_const(other).map_or(Other::Value(other), |n| Other::Number(n as u32));
                        out.push(Fact { value, op, other });
                    }
                }
            }
            _ => {}
        }
    }
}

fn opposite(op: O) -> Option<O> {
    Some(match op {
        O::ieq => O::ine,
        O::ine => O::ieq,
        O::ult => O::uge,
        O::uge => O::ult,
        O::ugt => O::ule,
        O::ule => O::ugt,
        O::slt => O::sge,
        O::sge => O::slt,
        O::sgt => O::sle,
        O::sle => O::sgt,
        _ => return None,
    })
}

/// The comparison with its operands exchanged.
fn mirror(op: O) -> Option<O> {
    Some(match op {
        O::ieq | O::ine => op,
        O::ult => O::ugt,
        O::ugt => O::ult,
        O::ule => O::uge,
        O::uge => O::ule,
        O::slt => O::sgt,
        O::sgt => O::slt,
        O::sle => O::sge,
        O::sge => O::sle,
        _ => return None,
    })
}

/// The numbers of `r` for which `op` holds with some number of `o` on the right.
pub(super) fn refine(r: Range, op: O, o: Range) -> Range {
    if o.is_empty() {
        return Range::NONE;
    }
    let none = Range::NONE;
    let limit = match op {
        O::ieq => o,
        O::ine => match o.constant() {
            Some(n) if r.constant() == Some(n) => none,
            Some(n) => Range {
                umin: r.umin.saturating_add(u32::from(r.umin == n)),
                umax: r.umax.saturating_sub(u32::from(r.umax == n)),
                smin: r.smin.saturating_add(i32::from(r.smin == n as i32)),
                smax: r.smax.saturating_sub(i32::from(r.smax == n as i32)),
                ..Range::ALL
            },
            None => return r,
        },
        O::ult => o.umax.checked_sub(1).map_or(none, |m| Range::unsigned(0, m)),
        O::ule => Range::unsigned(0, o.umax),
        O::ugt => o.umin.checked_add(1).map_or(none, |m| Range::unsigned(m, u32::MAX)),
        O::uge => Range::unsigned(o.umin, u32::MAX),
        O::slt => o.smax.checked_sub(1).map_or(none, |m| Range::signed(i32::MIN, m)),
        O::sle => Range::signed(i32::MIN, o.smax),
        O::sgt => o.smin.checked_add(1).map_or(none, |m| Range::signed(m, i32::MAX)),
        O::sge => Range::signed(o.smin, i32::MAX),
        _ => return r,
    };
    r.meet(limit)
}
