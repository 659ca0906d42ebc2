//! For the sanitizer: reads and writes of a shader's own memory are told to the runtime.
//!
//! A variable is fresh when its shader begins; what is written is known from then on. A value that is only read to be written
//! elsewhere is a copy: not knowing it goes along, and nothing is said until somebody uses it.

use super::{Refusal, Site, layout, ops::Known};
use crate::cpu::sanitize::shadow::{What, WATCH};
use rtc_dxil::module::{Block, Body, CastOp, Func, Inst, Module, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Does so in a shader; `other` is what lowering keeps on the stack, which is no variable.
pub fn watch(m: &mut Module, func: Func, other: &FxHashSet<Inst>, known: Known<'_>, sites: &mut Vec<Site>) -> Result<(), Refusal> {
    let callee = declaration(m);
    let Some(body) = &m.funcs[func].body else { return Ok(()) };
    let copies = copies(body);
    let users = first_users(body);
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let byte = m.types.i8();
    let bytes = m.types.ptr(byte);
    for block in blocks {
        let body = m.funcs[func].body.get_or_insert_default();
        let insts = std::mem::take(&mut body.blocks[block]);
        for inst in insts {
            let body = m.funcs[func].body.get_or_insert_default();
            let (op, ty) = (body.insts[inst].op, body.insts[inst].ty);
            let own = |body: &Body, ptr| is_own(body, ptr, other);
            let (what, at, from, size) = match op {
                Op::Alloca { allocated, count, .. } if !other.contains(&inst) => {
                    let n = m.int_of(count).unwrap_or(1).max(0) as u64;
                    (What::Fresh, Value::Inst(inst), None, layout::size(m, allocated).saturating_mul(n))
                }
                Op::Load { ptr, .. } if own(body, ptr) && !copies.contains(&inst) => (What::Read, ptr, None, layout::size(m, ty)),
                Op::Store { ptr, value, .. } if own(body, ptr) => {
                    let from = match value {
                        Value::Inst(i) if copies.contains(&i) => match body.insts[i].op {
                            Op::Load { ptr: from, .. } if own(body, from) => Some(from),
                            _ => None,
                        },
                        _ => None,
                    };
                    let ty = m.value_type(Some(func), value).ok_or("an operand without type")?;
                    let what = if from.is_some() { What::Copied } else { What::Written };
                    (what, ptr, from, layout::size(m, ty))
                }
                _ => {
                    body.blocks[block].push(inst);
                    continue;
                }
            };
            if what == What::Fresh {
                m.funcs[func].body.get_or_insert_default().blocks[block].push(inst);
            }
            let site = (known.first.site + sites.len()) as u32;
            if what == What::Read {
                // A payload is copied back where the trace stands; who uses what was copied is the better place.
                let at = |i| known.places.known.get(&(func, i)).cloned();
                let place = users.get(&inst).and_then(|&user| at(user)).or_else(|| at(inst));
                sites.push(Site { op: "load", place, fields: None, meeting: None });
            }
            let packed = m.const_int(64, what.pack(size, site) as i64);
            let nowhere = m.null(bytes);
            let mut b = m.edit(func, block).ok_or("a function without code")?;
            let mut pointer = |v: Value| {
                let ty = b.type_of(v);
                match b.module.types[ty] {
                    rtc_dxil::module::TypeKind::Pointer { space: 0, .. } => b.cast(CastOp::BitCast, v, bytes),
                    _ => b.cast(CastOp::AddrSpaceCast, v, bytes),
                }
            };
            let at = pointer(at);
            let from = from.map_or(nowhere, &mut pointer);
            b.call(callee, &[Value::Arg(0), at, from, packed]);
            if what != What::Fresh {
                m.funcs[func].body.get_or_insert_default().blocks[block].push(inst);
            }
        }
    }
    Ok(())
}

fn declaration(m: &mut Module) -> Func {
    if let Some(f) = m.find_function(WATCH) {
        return f;
    }
    let (byte, word, void) = (m.types.i8(), m.types.i64(), m.types.void());
    let bytes = m.types.ptr(byte);
    let ty = m.types.function(void, &[bytes, bytes, bytes, word]);
    m.add_function(WATCH, ty)
}

/// The first instruction that uses each load.
fn first_users(body: &Body) -> FxHashMap<Inst, Inst> {
    let mut out = FxHashMap::default();
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| {
            if let Value::Inst(of) = v
                && matches!(body.insts[of].op, Op::Load { .. })
            {
                out.entry(of).or_insert(i);
            }
        });
    }
    out
}

/// Loads whose value is only stored.
fn copies(body: &Body) -> FxHashSet<Inst> {
    let mut uses: FxHashMap<Inst, bool> = FxHashMap::default();
    for &i in body.blocks.values().flatten() {
        let stored = match body.insts[i].op {
            Op::Store { value: Value::Inst(v), ptr, .. } if ptr != Value::Inst(v) => Some(v),
            _ => None,
        };
        body.operands(i, |v| {
            if let Value::Inst(of) = v
                && matches!(body.insts[of].op, Op::Load { .. })
            {
                let only = uses.entry(of).or_insert(true);
                *only &= stored == Some(of);
            }
        });
    }
    uses.into_iter().filter(|u| u.1).map(|u| u.0).collect()
}

/// Whether an address is in a variable, a payload or attributes: not in the thread, the slots, or shared memory.
fn is_own(body: &Body, ptr: Value, other: &FxHashSet<Inst>) -> bool {
    let mut at = ptr;
    for _ in 0..64 {
        at = match at {
            Value::Arg(n) => return n > 0,
            Value::Inst(i) if other.contains(&i) => return false,
            Value::Inst(i) => match body.insts[i].op {
                Op::Alloca { .. } => return true,
                Op::Gep { operands, .. } => body.values(operands)[0],
                Op::Cast { op: CastOp::BitCast, value } => value,
                // A pointer out of memory is that of shared memory.
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}
