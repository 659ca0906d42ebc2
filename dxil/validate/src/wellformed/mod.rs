//! `BITCODE.VALID`: the checks of the LLVM verifier, on which every other rule relies.
//!
//! Types that can be laid out, constants and instructions whose operands have the right types, functions in SSA form with
//! blocks that end where they should, metadata and debug information that refer to the right kinds of nodes. All of it is
//! linear in the module (or nearly: dominators), and nothing is walked twice through shared parts, because names make it
//! possible to nest types and constants exponentially.

mod attributes;
mod consts;
mod debug_info;
mod decls;
mod insts;
mod memory;
mod metadata;
mod ssa;
mod types;

pub(super) use types::Shapes;

use super::{Cx, Here};
use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Func, Inst, Module, Type, TypeKind, Value};
use rtc_tables::validation::rule;

/// Checks a module; returns whether it is well-formed.
pub(super) fn check(cx: &mut Cx<'_>) -> bool {
    let before = cx.report.findings.len();
    let m = cx.m;
    let shapes = match Shapes::new(m) {
        Ok(shapes) => shapes,
        Err(reason) => {
            cx.module(rule::BITCODE_VALID, reason);
            return false;
        }
    };
    consts::check(cx, &shapes);
    decls::check(cx, &shapes);
    metadata::check(cx);
    // Instructions rely on what was checked so far.
    if cx.report.findings.len() > before {
        return false;
    }
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        let here = Here { func, body };
        if !ssa::blocks(cx, here) {
            continue;
        }
        let cfg = Cfg::new(body);
        for inst in body.blocks.values().flatten().copied() {
            if let Err(reason) = insts::check(m, &shapes, here, inst) {
                cx.inst(rule::BITCODE_VALID, here, inst, reason);
            }
        }
        ssa::order(cx, here, &cfg);
        metadata::attachments(cx, here);
        debug_info::positions(cx, here);
        cx.cfgs[func] = Some(cfg);
    }
    cx.report.findings.len() == before
}

/// What is wrong with something, without a full stop.
type Checked = Result<(), String>;

/// Says `reason` unless a condition holds.
fn want(holds: bool, reason: &str) -> Checked {
    if holds { Ok(()) } else { Err(reason.to_owned()) }
}

/// The type of an operand; `func` whose arguments and instructions are meant.
fn type_of(m: &Module, func: Option<Func>, value: Value) -> Result<Type, String> {
    let ty = m.value_type(func, value).ok_or("has an operand that is no value")?;
    match m.types[ty] {
        TypeKind::Void => Err("uses the result of something that has none".to_owned()),
        _ => Ok(ty),
    }
}

/// An instruction of a function.
fn op(here: Here<'_>, inst: Inst) -> &rtc_dxil_module::Op {
    &here.body.insts[inst].op
}
