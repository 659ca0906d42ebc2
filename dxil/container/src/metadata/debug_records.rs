//! Writing debug-information metadata: records, references to them and the intrinsics that bind variables to values.

use rtc_dxil_module::{AttrKind, DebugNode as Node, Func, Meta, MetaNode, Module, Type};

/// Appends a node.
pub fn push(out: &mut Module, node: Node, fields: &[u64]) -> Meta {
    out.meta.push(MetaNode::Debug { code: node as u32, fields: fields.into() })
}

/// The number of a piece of metadata.
pub fn id(meta: Meta) -> u64 {
    meta.as_u32().into()
}

/// The same as a reference that may be missing.
pub fn opt(meta: Option<Meta>) -> u64 {
    meta.map_or(0, |m| id(m) + 1)
}

/// A string as a reference; none if it is empty.
pub fn text(out: &mut Module, s: &str) -> u64 {
    if s.is_empty() { 0 } else { opt(Some(out.meta.string(s))) }
}

/// DWARF's operation of a piece of a variable: its offset and size in bits follow.
pub const BIT_PIECE: u64 = 0x9d;

/// The function that says where a variable is.
pub fn declare_intrinsic(out: &mut Module) -> Func {
    let meta = out.types.metadata();
    intrinsic(out, "llvm.dbg.declare", &[meta; 3])
}

/// The function that says what a variable holds.
pub fn value_intrinsic(out: &mut Module) -> Func {
    let (meta, i64) = (out.types.metadata(), out.types.i64());
    intrinsic(out, "llvm.dbg.value", &[meta, i64, meta, meta])
}

fn intrinsic(out: &mut Module, name: &str, params: &[Type]) -> Func {
    if let Some(known) = out.find_function(name) {
        return known;
    }
    let void = out.types.void();
    let ty = out.types.function(void, params);
    let func = out.add_function(name, ty);
    out.funcs[func].attrs = out.attrs.function(&[AttrKind::NoUnwind, AttrKind::ReadNone]).into();
    func
}
