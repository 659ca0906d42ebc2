//! Resource handles: resolves the declared resource from which a handle is created; a library refers to it by loading a global variable.

use super::Refusal;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_module::{Body, ConstKind, Global, Module, Op, Value};

/// A reference to a declared resource.
pub struct Named {
    /// Its index in [`Info::resources`].
    pub resource: usize,
    /// Array element: indices from the outermost dimension on, each with the length of its dimension.
    pub indices: Vec<(Value, u64)>,
}

/// The global variable of an address, through casts and address computations.
pub fn base(m: &Module, body: &Body, value: Value) -> Option<Global> {
    let mut value = value;
    // A bound on the nesting of address computations.
    for _ in 0..64 {
        value = match value {
            Value::Global(g) => return Some(g),
            Value::Const(c) => match &m.consts[c].kind {
                ConstKind::Gep { operands, .. } => *operands.first()?,
                ConstKind::Cast { value, .. } => *value,
                _ => return None,
            },
            Value::Inst(i) => match body.insts[i].op {
                Op::Gep { operands, .. } => *body.values(operands).first()?,
                Op::Cast { value, .. } => value,
                _ => return None,
            },
            _ => return None,
        };
    }
    None
}

/// The resource whose handle is created from `loaded`.
///
/// # Errors
/// The handle is not created from a resource variable.
pub fn named(m: &Module, body: &Body, info: &Info, loaded: Value) -> Result<Named, Refusal> {
    let unusual = || -> Refusal { "a resource handle is not created from a resource variable".into() };
    let Value::Inst(load) = loaded else { return Err(unusual()) };
    let Op::Load { ptr, .. } = body.insts[load].op else { return Err(unusual()) };
    let global = base(m, body, ptr).ok_or_else(unusual)?;
    let resource = info.resources.iter().position(|r| r.global == Some(global)).ok_or_else(unusual)?;
    let mut indices = Vec::new();
    let mut at = ptr;
    for _ in 0..64 {
        let (source, operands) = match at {
            Value::Const(c) => match &m.consts[c].kind {
                ConstKind::Gep { source, operands, .. } => (*source, operands.to_vec()),
                ConstKind::Cast { value, .. } => {
                    at = *value;
                    continue;
                }
                _ => break,
            },
            Value::Inst(i) => match body.insts[i].op {
                Op::Gep { source, operands, .. } => (source, body.values(operands).to_vec()),
                Op::Cast { value, .. } => {
                    at = value;
                    continue;
                }
                _ => break,
            },
            _ => break,
        };
        let (mut ty, mut here) = (source, Vec::new());
        for &index in operands.iter().skip(2) {
            let rtc_dxil_module::TypeKind::Array { elem, len } = m.types[ty] else { break };
            here.push((index, len));
            ty = elem;
        }
        here.append(&mut indices);
        indices = here;
        at = operands[0];
    }
    Ok(Named { resource, indices })
}
