//! Bit fields: chains of shifts and masks by constants. A chain takes some bits of one number and moves them by a distance, so a shift and a
//! mask can say it; `((x >> 8) & 15) << 12` is `(x << 4) & 0xf000`. A chain of which one of the two is enough becomes that. Where both are
//! needed, the longer chain's last operation becomes the mask, and its operand the shift, if the operand has no other use.
//!
//! An arithmetic shift to the right does not see the bits that it shifts out, and `f16tof32` sees 16 bits: a mask of others is dropped.
//!
//! What reads some bits of a number reads them in the parts that the number was put together from: a member of a bit-field whose neighbour was written, a half of a
//! packed pair.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, Inst, InstData, Module, Opcode, Scalar, Value};

/// So many operations a chain has at most.
const MAX_CHAIN: usize = 8;

/// Rewrites what can be among `insts`, which are all of `f`. Whether there was something.
pub(super) fn run(m: &Module, f: &mut Function, insts: &[Inst]) -> bool {
    let found: Vec<Inst> = insts.iter().copied().filter(|&i| may_end_a_chain(f, i) && plan(m, f, i).is_some()).collect();
    if found.is_empty() {
        return false;
    }
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    for &i in insts {
        f.for_each_operand(i, |v| uses[v] += 1);
    }
    let mut changed = false;
    for i in found {
        // What was found may be another instruction by now.
        let Some(plan) = plan(m, f, i) else { continue };
        match plan {
            Plan::Constant(n) => {
                // A number and nothing of it is nothing; the other rules of folding take it from here.
                let InstData::Binary { args: [a, _], .. } = f.insts[i] else { continue };
                let zero = f.const_bits(f.ty(a), n);
                f.insts[i] = InstData::Binary { op: Opcode::and, args: [a, zero] };
            }
            Plan::One(data) => f.insts[i] = with_constant(f, i, data),
            Plan::Part(part) => match &mut f.insts[i] {
                InstData::Unary { arg, .. } => *arg = part,
                InstData::Binary { args: [of, _], .. } | InstData::Ternary { args: [_, _, of], .. } => *of = part,
                _ => continue,
            },
            Plan::Two { operand, shift, last } => {
                let v = f.result(operand);
                if uses[v] != 1 {
                    continue;
                }
                f.insts[operand] = with_constant(f, operand, shift);
                if let Some(last) = last {
                    f.insts[i] = with_constant(f, i, last);
                }
                if let Some(debug) = &mut f.debug {
                    debug.values.remove(&v);
                }
            }
        }
        changed = true;
    }
    changed
}

/// An operation on a value and a constant, or on the value alone.
#[derive(Clone, Copy)]
struct Simple {
    op: Opcode,
    arg: Value,
    constant: Option<u64>,
}

/// How an instruction gets simpler.
enum Plan {
    Constant(u64),
    One(Simple),
    /// It reads a part of its operand.
    Part(Value),
    /// The operand becomes the shift, and the instruction the mask of it, if it is not what it was.
    Two {
        operand: Inst,
        shift: Simple,
        last: Option<Simple>,
    },
}

fn with_constant(f: &mut Function, i: Inst, s: Simple) -> InstData {
    match s.constant {
        Some(n) => {
            let n = f.const_bits(f.ty(f.result(i)), n);
            InstData::Binary { op: s.op, args: [s.arg, n] }
        }
        None => InstData::Unary { op: s.op, arg: s.arg },
    }
}

/// What a chain computes: bits of `base`, moved up by `by`, of which those of `mask` are left.
struct Field {
    base: Value,
    by: i64,
    mask: u64,
    /// The bits that a shift alone leaves.
    full: u64,
    /// How many operations there are.
    count: usize,
}

impl Field {
    /// The shift alone; none if nothing moves.
    fn shift(&self) -> Option<Simple> {
        let op = if self.by < 0 { Opcode::lshr } else { Opcode::shl };
        (self.by != 0).then_some(Simple { op, arg: self.base, constant: Some(self.by.unsigned_abs()) })
    }
}

fn all(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The width of `v`, if it is one integer. Numbers of minimum precision may be wider than they say.
fn width(m: &Module, f: &Function, v: Value) -> Option<u32> {
    match m.types.numeric(f.ty(v)) {
        Some((Scalar::I16, 1)) => m.native_16bit.then_some(16),
        Some((s @ (Scalar::I32 | Scalar::I64), 1)) => Some(s.bits()),
        _ => None,
    }
}

/// The chain that ends in `v`; one of no operation at least.
fn field(f: &Function, v: Value, width: u32) -> Field {
    let mut steps: [(Opcode, u64); MAX_CHAIN] = [(Opcode::and, 0); MAX_CHAIN];
    let (mut base, mut count) = (v, 0);
    while count < MAX_CHAIN
        && let Some(i) = f.def_inst(base)
        && let InstData::Binary { op: op @ (Opcode::and | Opcode::shl | Opcode::lshr), args: [a, b] } = f.insts[i]
        && let Some(n) = f.as_const(b)
    {
        steps[count] = (op, n);
        base = a;
        count += 1;
    }
    let (mut by, mut mask) = (0, all(width));
    for &(op, n) in steps[..count].iter().rev() {
        let n = if op == Opcode::and { n } else { n % u64::from(width) };
        match op {
            Opcode::and => mask &= n,
            Opcode::shl => (by, mask) = (by + n as i64, mask << n & all(width)),
            _ => (by, mask) = (by - n as i64, mask >> n),
        }
    }
    let moved = u32::try_from(by.unsigned_abs()).unwrap_or(width);
    let full = match by {
        _ if moved >= width => 0,
        0.. => all(width) << moved & all(width),
        _ => all(width) >> moved,
    };
    Field { base, by, mask, full, count }
}

/// Whether [`plan`] looks at an instruction at all: most are none of these.
#[inline]
fn may_end_a_chain(f: &Function, i: Inst) -> bool {
    use Opcode::{and, ashr, f16tof32, lshr, shl};
    matches!(
        f.insts[i],
        InstData::Binary { op: and | shl | lshr | ashr, .. }
            | InstData::Unary { op: f16tof32, .. }
            | InstData::Ternary { op: Opcode::ubfe | Opcode::sbfe, .. }
    )
}

/// The number that `i` reads, and which bits of it.
fn read_by(m: &Module, f: &Function, i: Inst) -> Option<(Value, u64)> {
    let (of, bits) = match f.insts[i] {
        InstData::Unary { op: Opcode::f16tof32, arg } => (arg, 0xffff),
        InstData::Binary { op, args: [a, b] } => {
            let (n, width) = (f.as_const(b)?, width(m, f, a)?);
            let by = n % u64::from(width);
            match op {
                Opcode::and => (a, n),
                Opcode::shl => (a, all(width) >> by),
                Opcode::lshr | Opcode::ashr => (a, all(width) << by & all(width)),
                _ => return None,
            }
        }
        InstData::Ternary { op: Opcode::ubfe | Opcode::sbfe, args: [count, at, of] } => {
            let width = width(m, f, of)?;
            let (count, at) = (f.as_const(count)? % u64::from(width), f.as_const(at)? % u64::from(width));
            if count == 0 {
                return None;
            }
            (of, all(count as u32) << at & all(width))
        }
        _ => return None,
    };
    width(m, f, of).map(|_| (of, bits))
}

/// Whether `v` is nothing but a mask of `part`, which is what chains are about.
fn is_masked(f: &Function, v: Value, part: Value) -> bool {
    matches!(f.def_inst(v).map(|i| f.insts[i]), Some(InstData::Binary { op: Opcode::and, args: [a, _] }) if a == part)
}

/// The part of `v` that has the bits `seen` of it, at their places.
fn part(f: &Function, v: Value, width: u32, seen: u64) -> Value {
    let ones = |v: Value| f.as_const(v).unwrap_or_else(|| field(f, v, width).mask);
    let mut part = v;
    for _ in 0..MAX_CHAIN {
        let Some(InstData::Binary { op, args: [a, b] }) = f.def_inst(part).map(|i| f.insts[i]) else { break };
        part = match op {
            Opcode::and if f.as_const(b).is_some_and(|n| n & seen == seen) => a,
            Opcode::or | Opcode::xor if ones(b) & seen == 0 => a,
            Opcode::or | Opcode::xor if ones(a) & seen == 0 => b,
            _ => break,
        };
    }
    part
}

fn plan(m: &Module, f: &Function, i: Inst) -> Option<Plan> {
    // A mask by itself is no reason: what it is of stays, and what it is for may be a chain.
    if let Some((of, seen)) = read_by(m, f, i)
        && let part = part(f, of, width(m, f, of)?, seen)
        && part != of
        && !is_masked(f, of, part)
    {
        return Some(Plan::Part(part));
    }
    match f.insts[i] {
        InstData::Binary { op: Opcode::and | Opcode::shl | Opcode::lshr, args: [a, b] } => {
            f.as_const(b)?;
            let whole = field(f, f.result(i), width(m, f, a)?);
            if whole.count < 2 {
                return None;
            }
            if whole.mask == 0 {
                return (f.as_const(b) != Some(0)).then_some(Plan::Constant(0));
            }
            let masked = |arg| Simple { op: Opcode::and, arg, constant: Some(whole.mask) };
            match whole.shift() {
                None => Some(Plan::One(masked(whole.base))),
                Some(shift) if whole.mask == whole.full => Some(Plan::One(shift)),
                Some(shift) if whole.count > 2 => Some(Plan::Two { operand: f.def_inst(a)?, shift, last: Some(masked(a)) }),
                Some(_) => None,
            }
        }
        InstData::Binary { op: op @ Opcode::ashr, args: [a, b] } => {
            let width = width(m, f, a)?;
            let n = f.as_const(b)? % u64::from(width);
            unmasked(f, a, width, !0 << n, Simple { op, arg: a, constant: Some(n) })
        }
        InstData::Unary { op: op @ Opcode::f16tof32, arg } => {
            unmasked(f, arg, width(m, f, arg)?, 0xffff, Simple { op, arg, constant: None })
        }
        _ => None,
    }
}

/// For an operation that looks at the bits `seen` of the chain that `a` is: without masks of others.
fn unmasked(f: &Function, a: Value, width: u32, seen: u64, user: Simple) -> Option<Plan> {
    let chain = field(f, a, width);
    if chain.count == 0 || chain.mask & seen != chain.full & seen {
        return None;
    }
    match chain.shift() {
        None => Some(Plan::One(Simple { arg: chain.base, ..user })),
        Some(shift) if chain.count > 1 => Some(Plan::Two { operand: f.def_inst(a)?, shift, last: None }),
        Some(_) => None,
    }
}
