//! Stores into payload fields that the shader's stage does not write: by payload access qualifiers no other shader sees them (DXR, detailed semantics), so the
//! runtime puts these fields back when the shader ends. Here is found which they are, so that other shaders cost nothing.

use std::ops::Range;

use super::{layout, memory};
use crate::cpu::program::{Field, Fields, payload_stage};
use rtc_dxil_container::ShaderKind;
use rtc_dxil_module::{Body, CastOp, Func, Module, Op, Value};

/// All bytes of a payload.
const ALL: Range<u64> = 0..u64::MAX;

/// The fields of its payload that a shader may store into and its stage does not write. Calls of its functions must be inlined.
pub fn find(m: &Module, func: Func, kind: ShaderKind, fields: &[Field]) -> Option<Fields> {
    let (stage, body) = (payload_stage(kind)?, m.funcs[func].body.as_ref()?);
    let unwritten = fields.iter().filter(|f| !f.paq.writes(stage));
    let mut unwritten = unwritten.copied().peekable();
    unwritten.peek()?;
    let stored = stored(m, func, body);
    let touched = |f: &Field| stored.iter().any(|r| r.start < f.offset + f.size && f.offset < r.end);
    let out: Vec<Field> = unwritten.filter(touched).collect();
    (!out.is_empty()).then(|| out.into())
}

/// The bytes of its payload that a shader may store into, itself or by passing it on.
fn stored(m: &Module, func: Func, body: &Body) -> Vec<Range<u64>> {
    let mut out = Vec::new();
    for &i in body.blocks.values().flatten() {
        match body.insts[i].op {
            Op::Load { .. } | Op::Gep { .. } | Op::Cast { .. } | Op::Cmp { .. } | Op::Phi(_) | Op::Select { .. } => {}
            Op::Store { ptr, value, .. } => {
                if let Some(at) = place(m, body, ptr) {
                    let size = m.value_type(Some(func), value).map_or(u64::MAX, |ty| layout::size(m, ty));
                    out.push(at.start..at.end.saturating_add(size));
                }
            }
            _ => body.operands(i, |v| {
                if place(m, body, v).is_some() {
                    out.push(ALL);
                }
            }),
        }
    }
    out
}

/// The bytes of the payload that an address may be that of, if any.
fn place(m: &Module, body: &Body, address: Value) -> Option<Range<u64>> {
    let (mut at, mut first, mut last) = (address, 0u64, 0u64);
    for _ in 0..=body.insts.len() {
        let Value::Inst(i) = at else { return (at == Value::Arg(0)).then_some(first..last) };
        match body.insts[i].op {
            Op::Gep { source, operands, .. } => {
                let values = body.values(operands);
                let Ok((known, dynamic)) = memory::farthest(m, source, values) else { return Some(ALL) };
                (first, last) = (first.saturating_add(known), last.saturating_add(dynamic));
                at = values[0];
            }
            Op::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, value } => at = value,
            // It may be an address of something else.
            Op::Phi(_) | Op::Select { .. } if m.types.pointee(body.insts[i].ty).is_some() => return Some(ALL),
            _ => return None,
        }
    }
    Some(ALL)
}
