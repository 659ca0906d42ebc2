//! Addresses that become constants where functions are inlined, since their callers give constant indices.
//!
//! An element of an array without bound gets a constant address, as compilers write it: by its type the array has no elements, and no instruction may go beyond
//! what there is. What lies outside of any other array is no memory: loads give zero there, and nothing is stored.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{scalars, variables};
use rtc_dxil_module::{Body, ConstKind, Func, Inst, Module, Op, Type, TypeKind, Value};

/// Where a constant address is.
#[derive(PartialEq, Eq)]
enum Where {
    Inside,
    /// In an array without bound.
    Unbounded,
    Outside,
}

/// Settles the constant addresses of a function.
pub fn settle(m: &mut Module, func: Func) {
    let Some(body) = &m.funcs[func].body else { return };
    let (mut outside, mut elements) = (FxHashSet::default(), Vec::new());
    for &i in body.blocks.values().flatten() {
        let Op::Gep { inbounds, source, operands } = body.insts[i].op else { continue };
        let operands = body.values(operands);
        match (place(m, source, &operands[1..]), operands[0]) {
            (Where::Outside, _) => _ = outside.insert(i),
            (Where::Unbounded, Value::Global(_)) => elements.push((i, inbounds, source, operands.to_vec())),
            _ => {}
        }
    }
    if outside.is_empty() && elements.is_empty() {
        return;
    }
    let (loads, gone) = accesses(body, &mut outside);
    let mut becomes: FxHashMap<Inst, Value> = FxHashMap::default();
    for (i, inbounds, source, operands) in elements {
        let ty = body_type(m, func, i);
        let address = ConstKind::Gep { inbounds, source, operands: operands.into() };
        becomes.extend(ty.map(|ty| (i, Value::Const(m.consts.intern(ty, address)))));
    }
    for i in loads {
        let ty = body_type(m, func, i);
        becomes.extend(ty.map(|ty| (i, m.null(ty))));
    }
    scalars::replace(m, func, &becomes);
    if let Some(body) = m.funcs[func].body.as_mut() {
        body.blocks.values_mut().for_each(|b| b.retain(|i| !becomes.contains_key(i) && !gone.contains(i)));
        body.attached.retain(|a| !gone.contains(&a.0));
        body.names.retain(|v, _| !matches!(v, Value::Inst(i) if gone.contains(i)));
    }
    variables::forget_lost(m, func);
}

fn body_type(m: &Module, func: Func, i: Inst) -> Option<Type> {
    m.funcs[func].body.as_ref().map(|b| b.insts[i].ty)
}

/// Where these indices lead to, if all are constants.
fn place(m: &Module, source: Type, indices: &[Value]) -> Where {
    let numbers: Option<Vec<u64>> = indices.iter().map(|&v| m.int_of(v).map(|n| u64::from(n as u32))).collect();
    let Some(numbers) = numbers else { return Where::Inside };
    let (mut ty, mut place) = (source, Where::Inside);
    // The first one counts from the variable itself: no compiler moves on from there.
    if numbers.first() != Some(&0) {
        return Where::Inside;
    }
    for n in numbers.into_iter().skip(1) {
        let len = match m.types[ty] {
            TypeKind::Array { len: 0, .. } => {
                place = Where::Unbounded;
                u64::MAX
            }
            TypeKind::Array { len, .. } => len,
            TypeKind::Vector { len, .. } => len.into(),
            _ => u64::MAX,
        };
        if n >= len {
            return Where::Outside;
        }
        let Some(part) = m.types.element(ty, n) else { return Where::Inside };
        ty = part;
    }
    place
}

/// What gives zero instead, and what goes: the accesses of these addresses, and of what is computed from them, which become some of them.
fn accesses(body: &Body, outside: &mut FxHashSet<Inst>) -> (Vec<Inst>, FxHashSet<Inst>) {
    let is_one = |outside: &FxHashSet<Inst>, v: Value| matches!(v, Value::Inst(i) if outside.contains(&i));
    loop {
        let before = outside.len();
        for &i in body.blocks.values().flatten() {
            let base = match body.insts[i].op {
                Op::Gep { operands, .. } => body.values(operands).first().copied(),
                Op::Cast { value, .. } => Some(value),
                _ => None,
            };
            if base.is_some_and(|v| is_one(outside, v)) {
                outside.insert(i);
            }
        }
        if outside.len() == before {
            break;
        }
    }
    let (mut loads, mut gone, mut kept) = (Vec::new(), FxHashSet::default(), false);
    for &i in body.blocks.values().flatten() {
        match body.insts[i].op {
            _ if outside.contains(&i) => {}
            Op::Load { ptr, .. } | Op::AtomicRmw { ptr, .. } | Op::CmpXchg { ptr, .. } if is_one(outside, ptr) => loads.push(i),
            Op::Store { ptr, .. } if is_one(outside, ptr) => _ = gone.insert(i),
            _ => body.operands(i, |v| kept |= is_one(outside, v)),
        }
    }
    // An exchange gives a structure, of which only parts are used.
    let parts = body.blocks.values().flatten().copied();
    let parts: Vec<Inst> =
        parts.filter(|&i| matches!(body.insts[i].op, Op::ExtractValue { value: Value::Inst(of), .. } if loads.contains(&of))).collect();
    loads.extend(parts);
    // What else uses such an address, if anything, keeps them all.
    if !kept {
        gone.extend(outside.iter().copied());
    }
    (loads, gone)
}
