//! Rules about metadata attached to instructions and functions: the kind is known and applies to the instruction.

use crate::{Cx, Here};
use rtc_dxil_container::metadata::{int, tuple};
use rtc_dxil_module::{Inst, Meta, MetaNode, Module, Op};
use rtc_tables::validation::rule;

/// Kinds that need no look here: positions, ranges and aliases.
const FINE: &[&str] = &["dbg", "range", "noalias", "alias.scope"];
/// Ways from a loop or an access type to its root.
const FAR: u32 = 1000;

/// Everything attached to every function.
pub(crate) fn attached(cx: &mut Cx<'_>) {
    let m = cx.m;
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        let here = Here { func, body };
        for &(kind, _) in &body.attached_to_function {
            let name = kind_name(m, kind);
            if name != "dbg" || !cx.is_debug() {
                cx.function(rule::META_USED, func, format!("has metadata `{name}`, functions have none"));
            }
        }
        for &(inst, kind, node) in &body.attached {
            one(cx, here, inst, kind_name(m, kind), node);
        }
    }
}

fn kind_name(m: &Module, kind: u32) -> &str {
    m.meta.kinds.get(kind as usize).map_or("", |k| &**k)
}

fn one(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst, kind: &str, node: Meta) {
    let m = cx.m;
    let op = &here.body.insts[inst].op;
    let malformed = |cx: &mut Cx<'_>, why: &str| cx.inst(rule::META_WELL_FORMED, here, inst, why);
    match kind {
        _ if FINE.contains(&kind) => {}
        "dx.controlflow.hints" if op.is_terminator() => hints(cx, here, inst, node),
        "dx.controlflow.hints" => {
            cx.inst(rule::META_HINT_NOT_ON_CONTROL_FLOW, here, inst, "has a hint that branches have");
        }
        "dx.precise" => match one_number(m, node) {
            Some(0 | 1) => {}
            Some(n) => cx.inst(rule::META_VALUE_RANGE, here, inst, format!("is precise by {n}, which is neither 0 nor 1")),
            None => malformed(cx, "is precise by something that is not one number"),
        },
        "dx.nonuniform" => {
            if !cx.info.is_library() {
                cx.inst(rule::META_USED, here, inst, "has metadata `dx.nonuniform`, which libraries alone have");
            } else if !matches!(op, Op::Gep { .. }) {
                malformed(cx, "has metadata `dx.nonuniform`, which addresses have");
            } else {
                match one_number(m, node) {
                    Some(1) => {}
                    Some(n) => cx.inst(rule::META_VALUE_RANGE, here, inst, format!("is not uniform by {n}, which is not 1")),
                    None => malformed(cx, "is not uniform by something that is not one number"),
                }
            }
        }
        "llvm.loop" => {
            if let Err(why) = loop_hint(m, node) {
                malformed(cx, why);
            }
        }
        "tbaa" => {
            if let Err(why) = access_type(m, node) {
                malformed(cx, why);
            }
        }
        _ => {
            let text = format!("has metadata `{}`, which DXIL does not use", kind.escape_debug());
            cx.inst(rule::META_USED, here, inst, text);
        }
    }
}

fn one_number(m: &Module, node: Meta) -> Option<i64> {
    match tuple(m, Some(node)) {
        Some(&[n]) => int(m, n),
        _ => None,
    }
}

/// `!{!self, !"dx.controlflow.hints", i32 hint, …}`.
fn hints(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst, node: Meta) {
    const BRANCH: i64 = 1;
    const FLATTEN: i64 = 2;
    const FORCE_CASE: i64 = 5;
    let m = cx.m;
    let mut seen = Vec::new();
    for &hint in m.meta.elems(node).iter().skip(2) {
        match int(m, hint) {
            Some(n @ (BRANCH | FLATTEN | FORCE_CASE)) => seen.push(n),
            Some(n) => cx.inst(rule::META_CONTROL_FLOW_HINT, here, inst, format!("has the unknown hint {n}")),
            None => cx.inst(rule::META_WELL_FORMED, here, inst, "has a hint that is no number"),
        }
    }
    if seen.contains(&BRANCH) && seen.contains(&FLATTEN) {
        cx.inst(rule::META_BRANCH_FLATTEN, here, inst, "shall be a branch and flattened");
    }
    if seen.contains(&FORCE_CASE) && !matches!(here.body.insts[inst].op, Op::Switch { .. }) {
        cx.inst(rule::META_FORCE_CASE, here, inst, "shall have cases and is no switch");
    }
}

/// `!{!self}` or `!{!self, hint}`, where the hint is `!{!"llvm.loop.unroll.…"}` or again a loop.
fn loop_hint(m: &Module, mut node: Meta) -> Result<(), &'static str> {
    for _ in 0..FAR {
        let elems = m.meta.elems(node);
        let hint = match *elems {
            [Some(itself)] if itself == node => return Ok(()),
            [Some(itself), Some(hint)] if itself == node => hint,
            _ => return Err("has metadata of a loop that does not begin with itself"),
        };
        let (first, count) = match *m.meta.elems(hint) {
            [first] => (first, None),
            [first, count] => (first, Some(count)),
            _ => return Err("has a hint for a loop that is none"),
        };
        if first == Some(hint) {
            node = hint;
            continue;
        }
        return match (first.and_then(|f| m.meta.bytes(f)), count) {
            (Some(b"llvm.loop.unroll.full" | b"llvm.loop.unroll.disable"), _) => Ok(()),
            (Some(b"llvm.loop.unroll.count"), Some(n)) if int(m, n).is_some() => Ok(()),
            (Some(b"llvm.loop.unroll.count"), _) => Err("shall be unrolled by something that is no number"),
            _ => Err("has a hint for a loop that DXIL does not know"),
        };
    }
    Err("has hints for loops within loops without end")
}

/// `!{!"root"}`, `!{!"name", parent}` or `!{!"name", parent, constant}`.
fn access_type(m: &Module, mut node: Meta) -> Result<(), &'static str> {
    for _ in 0..FAR {
        let elems = m.meta.elems(node);
        if let [_, _, constant] = *elems
            && !matches!(int(m, constant), Some(0 | 1))
        {
            return Err("has an access type that says neither 0 nor 1 of being constant");
        }
        node = match *elems {
            [Some(root)] if m.meta.bytes(root).is_some() => return Ok(()),
            [_, Some(up)] | [_, Some(up), _] if matches!(m.meta[up], MetaNode::Node { .. }) => up,
            _ => return Err("has an access type that is none"),
        };
    }
    Err("has an access type that is its own parent")
}
