//! Verifier, phase 2, continued: control instructions and terminators. The operands of each terminator match the results of the
//! construct that it leaves, or the parameters of the region that it enters.

use super::inst::InstCx;
use crate::analysis::RegionTree;
use crate::{Inst, InstData, Opcode, Region, Stage, Type};

pub(super) fn check(cx: &mut InstCx, tree: &RegionTree) {
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
                cx.err(format!("duplicate case {}", twice[0]));
            }
            if table.arms.iter().any(|a| a.0.is_empty()) {
                cx.err("switch arm without a case value");
            }
            no_params(cx, &f.regions_of(cx.i));
        }
        InstData::Loop { init, body, .. } => {
            let wanted = params(cx, body);
            cx.same("initial values", &cx.types_of(f.get(init)), &wanted);
        }
        InstData::Exit { op, imm, target, args } => {
            let args = cx.types_of(f.get(args));
            exit(cx, op, imm as usize, target.expand(), &args, tree);
        }
        _ => {}
    }
}

fn params(cx: &InstCx, r: Region) -> Vec<Type> {
    cx.types_of(&cx.f.regions[r].params)
}

fn no_params(cx: &mut InstCx, regions: &[Region]) {
    if regions.iter().any(|&r| !cx.f.regions[r].params.is_empty()) {
        cx.err("only the regions of a loop have parameters");
    }
}

/// The body and continuing region of a loop.
fn loop_of(cx: &InstCx, i: Option<Inst>) -> Option<(Region, Region)> {
    match cx.f.insts[i?] {
        InstData::Loop { body, continuing, .. } => Some((body, continuing)),
        _ => None,
    }
}

fn exit(cx: &mut InstCx, op: Opcode, imm: usize, target: Option<Region>, args: &[Type], tree: &RegionTree) {
    let f = cx.f;
    let Some(here) = tree.region(cx.i) else { return };
    let owner = f.regions[here].owner;
    let in_loop = loop_of(cx, owner);
    let is_continuing = in_loop.is_some_and(|l| l.1 == here);
    if is_continuing && matches!(op, Opcode::yield_ | Opcode::continue_) {
        return cx.err("expected `next` or `next_if` at the end of a continuing region");
    }
    match op {
        Opcode::yield_ => match owner {
            Some(o) if in_loop.is_none() => {
                let wanted = cx.types_of(f.results(o));
                cx.same("results", args, &wanted);
            }
            _ => cx.err("`yield` outside of a region of `if`, `switch` or `block`"),
        },
        Opcode::break_ | Opcode::continue_ => {
            let Some(target) = target else { return };
            if !tree.contains(target, here) {
                return cx.err(format!("not nested in {target}"));
            }
            let construct = f.regions[target].owner;
            if op == Opcode::continue_ {
                match loop_of(cx, construct) {
                    Some((body, continuing)) if body == target => {
                        let wanted = params(cx, continuing);
                        cx.same("continue operands", args, &wanted);
                    }
                    _ => cx.err(format!("expected the body of a loop, found {target}")),
                }
            } else {
                match construct {
                    Some(c) => {
                        let wanted = cx.types_of(f.results(c));
                        cx.same("results", args, &wanted);
                    }
                    None => cx.err("`break` out of the function's body: expected `return`"),
                }
            }
        }
        Opcode::next | Opcode::next_if => {
            let Some((body, _)) = in_loop.filter(|_| is_continuing) else {
                return cx.err(format!("`{op}` outside of a continuing region"));
            };
            let wanted = params(cx, body);
            if op == Opcode::next {
                return cx.same("operands of the next iteration", args, &wanted);
            }
            let (cond, rest) = args.split_at(1);
            cx.same("condition", cond, &[Type::BOOL]);
            if imm > rest.len() {
                return cx.err("fewer operands than the next iteration takes");
            }
            let (again, results) = rest.split_at(imm);
            cx.same("operands of the next iteration", again, &wanted);
            let wanted = owner.map_or(Vec::new(), |o| cx.types_of(f.results(o)));
            cx.same("results", results, &wanted);
        }
        Opcode::return_ => {
            let wanted: Vec<_> = f.ret.into_iter().collect();
            cx.same("returned value", args, &wanted);
        }
        Opcode::ignore_hit | Opcode::accept_hit | Opcode::unreachable => {
            cx.same("operands", args, &[]);
            if f.stage == Stage::Library && f.exported && op != Opcode::unreachable {
                cx.err("an exported function cannot terminate the shader");
            }
        }
        _ => cx.err("not a terminator"),
    }
}
