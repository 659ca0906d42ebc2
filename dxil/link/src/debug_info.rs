//! Debug information as its readers here need it: units and their lists, the nodes of functions, intrinsics of variables, call sites.

use rtc_dxil_container::metadata::debug_nodes;
use rtc_dxil_container::metadata::debug_records::{id, opt};
use rtc_dxil_module::{DebugNode, Func, Meta, MetaNode, Module, Op, Value};
use rustc_hash::FxHashMap;

/// The named metadata of compile units.
pub const UNITS: &str = "llvm.dbg.cu";
/// The record code of a compile unit.
pub const UNIT: u32 = DebugNode::CompileUnit as u32;

/// Whether it is a debug intrinsic, which says something about a variable.
pub fn is_said(m: &Module, op: &Op) -> bool {
    matches!(op, Op::Call { callee: Value::Func(f), .. } if m.funcs[*f].name.starts_with("llvm.dbg."))
}

/// A list of a compile unit.
pub fn unit_list(code: u32, fields: &[u64], label: &str) -> Option<Meta> {
    if code == UNIT { debug_nodes::reference(code, fields, label) } else { None }
}

/// The value that field `label` of a node refers to.
pub fn value(m: &Module, node: Meta, label: &str) -> Option<Value> {
    let MetaNode::Debug { code, fields } = &m.meta[node] else { return None };
    match m.meta[debug_nodes::reference(*code, fields, label)?] {
        MetaNode::Value(v) => Some(v),
        _ => None,
    }
}

/// The node of each function, by the function.
pub fn subprograms(m: &Module) -> FxHashMap<Func, Meta> {
    let mut out = FxHashMap::default();
    for &unit in m.meta.named(UNITS) {
        let MetaNode::Debug { code, fields } = &m.meta[unit] else { continue };
        let Some(list) = unit_list(*code, fields, "subprograms") else { continue };
        for &s in m.meta.elems(list).iter().flatten() {
            if let Some(Value::Func(f)) = value(m, s, "function") {
                out.insert(f, s);
            }
        }
    }
    out
}

/// The fields of the position of a call into which code is inlined: no two are the same one.
pub fn call_site(line: u32, column: u32, scope: Meta, inlined_at: Option<Meta>) -> [u64; 5] {
    [1, line.into(), column.into(), id(scope), opt(inlined_at)]
}
