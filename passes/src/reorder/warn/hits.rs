//! Warnings about reorders and hit objects that have no effect, or less than they seem to have.

use rtc_base::Diagnostic;
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Region, Value};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashSet;

use crate::ranges::Ranges;
use crate::reorder::made;
use crate::uniformity::Uniformity;

/// How deep conditions are searched.
const MAX_DEPTH: u32 = 8;
/// The most bits of a hint.
const MAX_BITS: u64 = 32;
const HINT_RULE: &str = "the number of bits should be the lowest that represents all hints at this call, and the same for all threads (DXR 1.31, MaybeReorderThread)";

/// What is wrong in `f`.
pub(super) fn find(m: &Module, f: &Function, out: &mut Vec<Diagnostic>) {
    let mut reorders: Vec<(Region, Inst)> = Vec::new();
    // What uses each hit object other than to reorder by it.
    let mut used: FxHashSet<Value> = FxHashSet::default();
    f.for_each_inst(f.body, |r, i| {
        let op = f.op(i);
        if op == Opcode::reorder {
            reorders.push((r, i));
        } else {
            f.for_each_operand(i, |v| {
                if f.ty(v) == rtc_ir::Type::HIT_OBJECT {
                    used.insert(v);
                }
            });
        }
        nothing(f, i, out);
    });
    if reorders.is_empty() {
        return;
    }
    let mut facts = Facts { m, f, ranges: None, uniformity: None };
    for (r, i) in reorders {
        let InstData::Many { args, .. } = f.insts[i] else { continue };
        let &[hit, hint, bits] = f.get(args) else { continue };
        facts.hint(i, hit, bits, out);
        facts.hint_width(i, hint, bits, out);
        facts.branch(r, i, out);
        if f.def_inst(hit).is_some_and(|d| f.op(made(f, d)) != Opcode::hit_make_nop) && !used.contains(&hit) {
            let made = f.def_inst(hit).map_or(rtc_base::Span::NONE, |d| f.spans[d]);
            out.push(
                Diagnostic::new(&codes::W0859, f.spans[i], "threads are reordered by a hit object that nothing else uses")
                    .label(made, "the hit object")
                    .note("reordering pays where what follows depends on the hit: invoke it, or read what it hit"),
            );
        }
    }
}

/// What the rules of hints need to know, computed when it is.
struct Facts<'a> {
    m: &'a Module,
    f: &'a Function,
    ranges: Option<Ranges>,
    uniformity: Option<Uniformity>,
}

impl Facts<'_> {
    fn is_uniform(&mut self, v: Value) -> bool {
        let (m, f) = (self.m, self.f);
        self.uniformity.get_or_insert_with(|| Uniformity::of(m, f)).is_uniform(f, v)
    }

    /// Hints and their number of bits.
    fn hint(&mut self, i: Inst, hit: Value, bits: Value, out: &mut Vec<Diagnostic>) {
        let f = self.f;
        let InstData::Many { args, .. } = f.insts[i] else { return };
        let hint = f.get(args)[1];
        let is_nop = f.def_inst(hit).is_some_and(|d| f.op(made(f, d)) == Opcode::hit_make_nop);
        let warn = |what: String| Diagnostic::new(&codes::W0858, f.spans[i], what).note(HINT_RULE);
        match f.as_const(bits) {
            Some(n) if n > MAX_BITS => out.push(warn(format!("a hint has 32 bits, not {n}"))),
            Some(0) if f.as_const(hint) != Some(0) && !f.is_undef(hint) => {
                out.push(warn("none of the hint's bits counts: the hint does nothing".into()));
            }
            Some(0) if is_nop => {
                out.push(warn("there is nothing to reorder by: no hit, and no bits of a hint".into()));
            }
            None if !self.is_uniform(bits) => {
                out.push(warn("the number of bits of the hint may differ between threads".into()));
            }
            _ => {}
        }
    }

    /// More bits than the values of the hint have.
    fn hint_width(&mut self, i: Inst, hint: Value, bits: Value, out: &mut Vec<Diagnostic>) {
        let (m, f) = (self.m, self.f);
        let Some(n) = f.as_const(bits).filter(|&n| n > 0 && n <= MAX_BITS) else { return };
        if f.as_const(hint).is_some() || f.is_undef(hint) {
            return; // a constant on this path through the program
        }
        let range = self.ranges.get_or_insert_with(|| Ranges::of(&m.types, f)).at(hint, i);
        if range.umin > range.umax || range.smin > range.smax {
            return; // control never comes here
        }
        let needed = u64::from(range.width().max(1));
        if needed < n {
            let bit = if needed == 1 { "bit" } else { "bits" };
            out.push(
                Diagnostic::new(&codes::W0858, f.spans[i], format!("the hint has at most {needed} {bit}, and {n} are to count"))
                    .here(format!("values are at most {}", range.umax))
                    .note(HINT_RULE),
            );
        }
    }

    /// Whether `v` is `holds` in at most one lane of each wave.
    fn picks_one(&mut self, v: Value, holds: bool, depth: u32) -> bool {
        let f = self.f;
        if let Some(c) = f.as_const(v) {
            return (c != 0) != holds;
        }
        let Some(d) = f.def_inst(v).filter(|_| depth > 0) else { return false };
        match f.insts[d] {
            InstData::Nullary { op: Opcode::wave_is_first_lane } => holds,
            InstData::Unary { op: Opcode::not, arg } => self.picks_one(arg, !holds, depth - 1),
            InstData::Binary { op: op @ (Opcode::ieq | Opcode::ine), args: [a, b] } if holds == (op == Opcode::ieq) => {
                self.is_own(a, depth) && self.is_of_wave(b, depth) || self.is_own(b, depth) && self.is_of_wave(a, depth)
            }
            InstData::Binary { op: op @ (Opcode::and | Opcode::or), args: [a, b] } => match holds == (op == Opcode::and) {
                true => self.picks_one(a, holds, depth - 1) || self.picks_one(b, holds, depth - 1),
                // Of two conditions each may pick a lane of its own.
                false => a == b && self.picks_one(a, holds, depth - 1),
            },
            InstData::Binary { op, args } => self.is_lane_zero(op, args, holds),
            InstData::Ternary { op: Opcode::select, args: [c, x, y] } => self.picks_one_of(c, (x, y), holds, depth - 1),
            // `a && b`, `a || b`.
            InstData::If { cond, then_, else_ } => {
                let Some(n) = f.results(d).iter().position(|&r| r == v) else { return false };
                let given = |r: Region| match f.insts[f.terminator(r)?] {
                    InstData::Exit { op: Opcode::yield_, args, .. } => f.get(args).get(n).copied(),
                    _ => None,
                };
                let (Some(x), Some(y)) = (given(then_), given(else_)) else { return false };
                self.picks_one_of(cond, (x, y), holds, depth - 1)
            }
            _ => false,
        }
    }

    /// The same of the value that is `x` if `c` holds, else `y`.
    fn picks_one_of(&mut self, c: Value, (x, y): (Value, Value), holds: bool, depth: u32) -> bool {
        let never = |v: Value| self.f.as_const(v).is_some_and(|k| (k != 0) != holds);
        match (never(x), never(y)) {
            (true, true) => true,
            (true, false) => self.picks_one(c, false, depth) || self.picks_one(y, holds, depth),
            (false, true) => self.picks_one(c, true, depth) || self.picks_one(x, holds, depth),
            (false, false) => false,
        }
    }

    /// Whether a comparison is `holds` in lane 0 alone: `lane < 1` and its like.
    fn is_lane_zero(&self, op: Opcode, [a, b]: [Value; 2], holds: bool) -> bool {
        let f = self.f;
        let is_lane = |v: Value| f.def_inst(v).is_some_and(|d| f.op(d) == Opcode::wave_lane_index);
        // With the lane on the left.
        let (op, c) = match (is_lane(a), is_lane(b)) {
            (true, false) => (op, f.as_const(b)),
            (false, true) => {
                let swapped = match op {
                    Opcode::ult => Opcode::ugt,
                    Opcode::ule => Opcode::uge,
                    Opcode::ugt => Opcode::ult,
                    Opcode::uge => Opcode::ule,
                    _ => return false,
                };
                (swapped, f.as_const(a))
            }
            _ => return false,
        };
        match op {
            Opcode::ult => holds && c == Some(1),
            Opcode::ule => holds && c == Some(0),
            Opcode::ugt => !holds && c == Some(0),
            Opcode::uge => !holds && c == Some(1),
            _ => false,
        }
    }

    /// Whether `v` is another number in each lane of a wave.
    fn is_own(&mut self, v: Value, depth: u32) -> bool {
        let f = self.f;
        let Some(d) = f.def_inst(v).filter(|_| depth > 0) else { return false };
        match f.insts[d] {
            InstData::Nullary { op: Opcode::wave_lane_index } => true,
            InstData::Binary { op: Opcode::iadd | Opcode::isub | Opcode::xor, args: [a, b] } => {
                self.is_own(a, depth - 1) && self.is_of_wave(b, depth - 1) || self.is_of_wave(a, depth - 1) && self.is_own(b, depth - 1)
            }
            _ => false,
        }
    }

    /// Whether `v` is the same number in all lanes of a wave.
    fn is_of_wave(&mut self, v: Value, depth: u32) -> bool {
        let f = self.f;
        if self.is_uniform(v) {
            return true;
        }
        match f.def_inst(v).filter(|_| depth > 0).map(|d| f.insts[d]) {
            Some(InstData::Nullary { op: Opcode::wave_lane_count }) => true,
            Some(InstData::Binary { op: Opcode::iadd | Opcode::isub | Opcode::lshr | Opcode::udiv, args }) => {
                args.iter().all(|&a| self.is_of_wave(a, depth - 1))
            }
            _ => false,
        }
    }

    /// Reorders that not all threads come to.
    fn branch(&mut self, mut r: Region, i: Inst, out: &mut Vec<Diagnostic>) {
        let f = self.f;
        let parents = rtc_ir::analysis::parents(f);
        // The innermost branch that parts threads of a wave.
        let mut divergent = None;
        while let Some(owner) = f.regions[r].owner {
            let on = match f.insts[owner] {
                InstData::If { cond, .. } => Some(cond),
                InstData::Switch { on, .. } => Some(on),
                _ => None,
            };
            if let Some(on) = on {
                if self.is_arm_of_one(owner, on, r) {
                    out.push(
                        Diagnostic::new(&codes::W0857, f.spans[i], "only one thread of each wave comes to this reorder")
                            .label(f.spans[owner], "all others go past it")
                            .note("only threads that arrive at a reorder point can be reordered (DXR 1.31, MaybeReorderThread divergence behavior)"),
                    );
                    return;
                }
                if divergent.is_none() && !self.is_uniform(on) {
                    divergent = Some(owner);
                }
            }
            r = parents[owner];
        }
        if let Some(owner) = divergent {
            out.push(
                Diagnostic::new(&codes::W0856, f.spans[i], "some threads of a wave may come to this reorder and others not")
                    .label(f.spans[owner], "the branch that parts them")
                    .note("only threads that arrive are reordered; those that do not keep the rest of their wave (DXR 1.31, MaybeReorderThread divergence behavior)"),
            );
        }
    }

    /// Whether at most one lane of each wave takes the arm `r` of a branch on `on`.
    fn is_arm_of_one(&mut self, branch: Inst, on: Value, r: Region) -> bool {
        let f = self.f;
        match f.insts[branch] {
            InstData::If { then_, .. } => self.picks_one(on, then_ == r, MAX_DEPTH),
            InstData::Switch { cases, .. } => {
                let of_one = f.cases[cases].arms.iter().any(|(values, arm)| *arm == r && values.len() == 1);
                of_one && self.is_own(on, MAX_DEPTH)
            }
            _ => false,
        }
    }
}

/// Whether warnings of this file may be about `i`.
pub(super) fn is_about(f: &Function, i: Inst) -> bool {
    let mut takes_hit = false;
    f.for_each_operand(i, |v| takes_hit |= f.ty(v) == rtc_ir::Type::HIT_OBJECT);
    takes_hit && !matches!(f.insts[i], InstData::Exit { .. })
}

/// Queries of hit objects that are certainly no hit, or have no shaders, for properties that they do not have.
fn nothing(f: &Function, i: Inst, out: &mut Vec<Diagnostic>) {
    let hit = match f.insts[i] {
        InstData::Unary { arg, .. } => Some(arg),
        InstData::Many { op, args, .. } if op != Opcode::reorder => f.get(args).first().copied(),
        InstData::Slot { op: Opcode::hit_invoke | Opcode::hit_attributes, args, .. } => f.get(args).first().copied(),
        _ => None,
    };
    let Some(hit) = hit.filter(|&h| f.ty(h) == rtc_ir::Type::HIT_OBJECT) else { return };
    let Some(mut d) = f.def_inst(hit) else { return };
    // A nop stays one.
    if f.op(made(f, d)) == Opcode::hit_make_nop {
        d = made(f, d);
    }
    match (f.op(d), f.op(i)) {
        // Asking what kind it is is the way to find out.
        (_, Opcode::hit_is_nop | Opcode::hit_is_hit | Opcode::hit_is_miss) => {}
        (Opcode::hit_make_nop, op) => {
            let what = match op {
                Opcode::hit_set_shader_table_index => "a hit object that is a nop has no record to choose: this does nothing",
                Opcode::hit_invoke => "a hit object that is a nop has no shader to invoke: this does nothing",
                _ => "a hit object that is a nop has neither a ray nor a hit: this gives a fixed value",
            };
            out.push(
                Diagnostic::new(&codes::W0860, f.spans[i], what)
                    .label(f.spans[d], "the nop")
                    .note("operations on a nop do nothing and give zeros (DXR 1.31, HitObject)"),
            );
        }
        (Opcode::hit_from_query | Opcode::hit_from_query_attrs, Opcode::hit_invoke | Opcode::hit_load_root_constant) => {
            let what = match f.op(i) {
                Opcode::hit_invoke => "a hit object made of a ray query names no shader record: this does nothing",
                _ => "a hit object made of a ray query names no shader record: this gives 0",
            };
            out.push(
                Diagnostic::new(&codes::W0861, f.spans[i], what)
                    .label(f.spans[d], "made here")
                    .note("give it one with `SetShaderTableIndex` (DXR 1.31, HitObject::FromRayQuery)"),
            );
        }
        _ => {}
    }
}
