//! Phase 2, continued: control instructions and exits. Every exit gives what the construct that it leaves,
//! or the region that it enters, wants.

use rtc_base::SecondaryMap;

use super::types::InstCx;
use crate::{Inst, InstData, Opcode, Region, Stage, Type};

pub(super) fn check(cx: &mut InstCx, parents: &SecondaryMap<Inst, Region>) {
    let f = cx.f;
    match f.insts[cx.i] {
        InstData::If { cond, then_, else_ } => {
            cx.same("condition", &[f.ty(cond)], &[Type::BOOL]);
            no_params(cx, &[then_, else_]);
        }
        InstData::Block { body } => no_params(cx, &[body]),
        InstData::Switch { on, cases } => {
            cx.same("selector", &[f.ty(on)], &[Type::I32]);
            let table = &f.cases[cases];
            let mut all: Vec<i32> = table.arms.iter().flat_map(|a| a.0.clone()).collect();
            all.sort_unstable();
            if let Some(twice) = all.windows(2).find(|w| w[0] == w[1]) {
                cx.err(format!("case {} is there twice", twice[0]));
            }
            if table.arms.iter().any(|a| a.0.is_empty()) {
                cx.err("an arm without a value");
            }
            no_params(cx, &f.regions_of(cx.i));
        }
        InstData::Loop { init, body, .. } => {
            let wanted = params(cx, body);
            cx.same("initial values", &cx.types_of(f.get(init)), &wanted);
        }
        InstData::Exit { op, imm, target, args } => {
            let args = cx.types_of(f.get(args));
            exit(cx, op, imm as usize, target.expand(), &args, parents);
        }
        _ => {}
    }
}

fn params(cx: &InstCx, r: Region) -> Vec<Type> {
    cx.types_of(&cx.f.regions[r].params)
}

fn no_params(cx: &mut InstCx, regions: &[Region]) {
    if regions.iter().any(|&r| !cx.f.regions[r].params.is_empty()) {
        cx.err("only loops give their regions parameters");
    }
}

/// The body and continuing region of a loop.
fn loop_of(cx: &InstCx, i: Option<Inst>) -> Option<(Region, Region)> {
    match cx.f.insts[i?] {
        InstData::Loop { body, continuing, .. } => Some((body, continuing)),
        _ => None,
    }
}

fn exit(cx: &mut InstCx, op: Opcode, imm: usize, target: Option<Region>, args: &[Type], parents: &SecondaryMap<Inst, Region>) {
    let f = cx.f;
    let here = parents[cx.i];
    let owner = f.regions[here].owner;
    let in_loop = loop_of(cx, owner);
    let is_continuing = in_loop.is_some_and(|l| l.1 == here);
    if is_continuing && matches!(op, Opcode::yield_ | Opcode::continue_) {
        return cx.err("a continuing region ends with `next` or `next_if`");
    }
    match op {
        Opcode::yield_ => match owner {
            Some(o) if in_loop.is_none() => {
                let wanted = cx.types_of(f.results(o));
                cx.same("results", args, &wanted);
            }
            _ => cx.err("`yield` ends a region of `if`, `switch` or `block`"),
        },
        Opcode::break_ | Opcode::continue_ => {
            let Some(target) = target else { return };
            if !is_ancestor(cx, target, here, parents) {
                return cx.err(format!("is not inside {target}"));
            }
            let construct = f.regions[target].owner;
            if op == Opcode::continue_ {
                match loop_of(cx, construct) {
                    Some((body, continuing)) if body == target => {
                        let wanted = params(cx, continuing);
                        cx.same("continued with", args, &wanted);
                    }
                    _ => cx.err(format!("{target} is not the body of a loop")),
                }
            } else {
                match construct {
                    Some(c) => {
                        let wanted = cx.types_of(f.results(c));
                        cx.same("results", args, &wanted);
                    }
                    None => cx.err("the function's body is left with `return`"),
                }
            }
        }
        Opcode::next | Opcode::next_if => {
            let Some((body, _)) = in_loop.filter(|_| is_continuing) else {
                return cx.err(format!("`{op}` ends a continuing region"));
            };
            let wanted = params(cx, body);
            if op == Opcode::next {
                return cx.same("next iteration", args, &wanted);
            }
            let (cond, rest) = args.split_at(1);
            cx.same("condition", cond, &[Type::BOOL]);
            if imm > rest.len() {
                return cx.err("the next iteration gets more operands than there are");
            }
            let (again, results) = rest.split_at(imm);
            cx.same("next iteration", again, &wanted);
            let wanted = owner.map_or(Vec::new(), |o| cx.types_of(f.results(o)));
            cx.same("results", results, &wanted);
        }
        Opcode::return_ => {
            let wanted: Vec<_> = f.ret.into_iter().collect();
            cx.same("returned", args, &wanted);
        }
        Opcode::ignore_hit | Opcode::accept_hit | Opcode::unreachable => {
            cx.same("operands", args, &[]);
            if f.stage == Stage::Library && f.exported && op != Opcode::unreachable {
                cx.err("an exported function cannot end the shader");
            }
        }
        _ => cx.err("is no exit"),
    }
}

/// Whether `target` is `here` or around it.
fn is_ancestor(cx: &InstCx, target: Region, here: Region, parents: &SecondaryMap<Inst, Region>) -> bool {
    let mut r = here;
    loop {
        if r == target {
            return true;
        }
        match cx.f.regions[r].owner {
            Some(o) => r = parents[o],
            None => return false,
        }
    }
}
