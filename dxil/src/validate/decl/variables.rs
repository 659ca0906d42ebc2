//! Global variables: what a module has for itself is used, what it does not have is not.

use super::uses::Uses;
use crate::module::{ConstKind, Global, Linkage, Module, TypeKind, Value};
use crate::validate::Cx;
use rtc_tables::validation::rule;

const GROUPSHARED: u32 = 3;

/// The variable behind conversions of its address: records name it by the type that HLSL has.
fn behind(m: &Module, mut value: Value) -> Option<Global> {
    loop {
        value = match value {
            Value::Global(g) => return Some(g),
            Value::Const(c) => match m.consts[c].kind {
                ConstKind::Cast { value, .. } => value,
                _ => return None,
            },
            _ => return None,
        };
    }
}

/// All variables.
pub(in crate::validate) fn variables(cx: &mut Cx<'_>) {
    let m = cx.m;
    let uses = Uses::new(m);
    let mut resources = rtc_base::EntitySet::new();
    if cx.info.is_library() {
        for r in &cx.info.resources {
            if let Some(g) = behind(m, r.symbol) {
                resources.insert(g);
            }
        }
    }
    for (g, global) in m.globals.iter() {
        let shared = global.space == GROUPSHARED;
        let own = global.space == 0 && global.linkage == Linkage::Internal;
        // Libraries say by it whether they run as helpers.
        let helper = cx.info.is_library()
            && &*global.name == "dx.ishelper"
            && m.types[m.types.scalar(global.ty)] == TypeKind::Int(32);
        let name = global.name.escape_debug();
        let used = uses.globals[g];
        if shared || own || helper || resources.contains(g) {
            if !used.any() {
                cx.module(rule::DECL_UNUSED_VARIABLE, format!("variable `{name}` is never used"));
            }
        } else if used.by_instruction {
            let text = format!("variable `{name}` is used and is neither the module's own nor a resource");
            cx.module(rule::DECL_EXTERNAL_VARIABLE, text);
        }
    }
}
