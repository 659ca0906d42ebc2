//! Live state with every scalar counted once: a vector that is live and a component of it that is live as a value of its own are the same
//! bits, and so is a number under another type.

use rtc_ir::{Function, InstData, Module, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::live::{LiveState, LiveValue};

/// How far definitions are followed.
const MAX_STEPS: usize = 64;

/// `s` without the components that are part of other values in it; a value of which nothing is left is free.
pub fn distinct(m: &Module, f: &Function, s: &LiveState) -> LiveState {
    // Vectors have their components, not the other way round.
    let mut order: Vec<&LiveValue> = s.values.iter().filter(|v| m.types.numeric(f.ty(v.value)).is_some()).collect();
    order.sort_by_key(|v| std::cmp::Reverse(v.components.count_ones()));
    let mut seen: FxHashSet<(Value, u32)> = FxHashSet::default();
    let mut own: FxHashMap<Value, u32> = FxHashMap::default();
    for v in order {
        let components = (0..4).filter(|c| v.components >> c & 1 != 0 && seen.insert(scalar(m, f, v.value, *c)));
        own.insert(v.value, components.fold(0, |all, c| all | 1 << c));
    }
    let mut out = s.clone();
    for v in &mut out.values {
        let left = own.get(&v.value).copied().unwrap_or(v.components);
        v.bytes = v.bytes / v.components.count_ones().max(1) * left.count_ones();
        v.components = left;
    }
    out.free.extend(out.values.iter().filter(|v| v.components == 0).map(|v| v.value));
    out.values.retain(|v| v.components != 0);
    out
}

/// The value and its component that component `c` of `v` is a copy of.
fn scalar(m: &Module, f: &Function, mut v: Value, mut c: u32) -> (Value, u32) {
    let lanes = |v: Value| m.types.lanes(f.ty(v));
    for _ in 0..MAX_STEPS {
        let Some(i) = f.def_inst(v) else { break };
        (v, c) = match f.insts[i] {
            InstData::Many { op: Opcode::extract, imm, args } if lanes(f.get(args)[0]) <= 4 => (f.get(args)[0], imm),
            InstData::Many { op: Opcode::construct, args, .. } if lanes(v) <= 4 => (f.get(args)[c as usize], 0),
            InstData::Many { op: Opcode::insert, imm, args } if lanes(v) <= 4 => match imm == c {
                true => (f.get(args)[1], 0),
                false => (f.get(args)[0], c),
            },
            InstData::Unary { op: Opcode::bitcast, arg } if lanes(v) == lanes(arg) => (arg, c),
            _ => break,
        };
    }
    (v, c)
}
