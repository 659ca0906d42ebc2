//! Metadata: named nodes exist, well-known ones have their shape, and attached ones fit their instruction.

use super::debug_info;
use crate::{Cx, Here};
use rtc_dxil_container::metadata::{int, tuple, value};
use rtc_dxil_module::{Meta, MetaNode, Module, Op, TypeKind, Value};
use rtc_tables::validation::rule;
use rustc_hash::FxHashSet;

pub(super) fn check(cx: &mut Cx<'_>) {
    let m = cx.m;
    for (name, nodes) in &m.meta.named {
        let mut flags = FxHashSet::default();
        for &node in nodes {
            let wrong = match &m.meta[node] {
                MetaNode::String(_) | MetaNode::Value(_) => Some("has an element that is no node"),
                _ if &**name == "llvm.module.flags" => module_flag(m, node, &mut flags).err(),
                _ if &**name == "llvm.ident" && !is_ident(m, node) => Some("has a node that is not one string"),
                _ if &**name == "llvm.dbg.cu" && !debug_info::is_unit(m, node) => Some("has a node that is no compile unit"),
                _ => None,
            };
            if let Some(wrong) = wrong {
                cx.module(rule::BITCODE_VALID, format!("`{}` {wrong}", name.escape_debug()));
            }
        }
    }
    for (_, node) in m.meta.iter() {
        if let MetaNode::Value(v) = node
            && !matches!(v, Value::Global(_) | Value::Func(_) | Value::Const(_))
        {
            cx.module(rule::BITCODE_VALID, "metadata of the module wraps a value of a function");
        }
    }
    debug_info::nodes(cx);
}

fn is_ident(m: &Module, node: Meta) -> bool {
    matches!(*m.meta.elems(node), [Some(text)] if m.meta.bytes(text).is_some())
}

/// `!{i32 behaviour, !"name", value}`.
fn module_flag(m: &Module, node: Meta, seen: &mut FxHashSet<Vec<u8>>) -> Result<(), &'static str> {
    let &[behaviour, name, what] = m.meta.elems(node) else { return Err("has a flag that is not three elements") };
    let behaviour = int(m, behaviour).filter(|b| (1..=6).contains(b)).ok_or("has a flag of unknown behaviour")?;
    let name = name.and_then(|n| m.meta.bytes(n)).ok_or("has a flag without a name")?;
    if what.is_none() {
        return Err("has a flag without a value");
    }
    // A requirement (3) may be repeated.
    if behaviour != 3 && !seen.insert(name.to_vec()) {
        return Err("has the same flag twice");
    }
    Ok(())
}

/// What is attached to instructions: ranges of what they give.
pub(super) fn attachments(cx: &mut Cx<'_>, here: Here<'_>) {
    let m = cx.m;
    for &(inst, kind, node) in &here.body.attached {
        let name = m.meta.kinds.get(kind as usize).map_or("", |k| &**k);
        if name != "range" {
            continue;
        }
        let ty = here.body.insts[inst].ty;
        let gives = matches!(here.body.insts[inst].op, Op::Load { .. } | Op::Call { .. });
        let bounds = tuple(m, Some(node)).unwrap_or_default();
        let fits = gives
            && matches!(m.types[ty], TypeKind::Int(_))
            && !bounds.is_empty()
            && bounds.len().is_multiple_of(2)
            && bounds.iter().all(|&b| value(m, b).and_then(|v| m.value_type(None, v)) == Some(ty) && int(m, b).is_some())
            && bounds.chunks_exact(2).all(|pair| int(m, pair[0]) != int(m, pair[1]));
        if !fits {
            cx.inst(rule::BITCODE_VALID, here, inst, "has a range that does not fit what it gives");
        }
    }
}
