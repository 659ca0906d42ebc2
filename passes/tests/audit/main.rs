//! The audit of motion across reorder points: illegal motions that are planted by hand are each caught, legal ones
//! are not.
//!
//! A program is text; a motion moves the instruction that defines a value, or the nth of an opcode.

mod model;

use rtc_ir::text::{parse, print};
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Func, Function, Inst, InstData, Module, Opcode, Region, Stage};
use rtc_passes::reorder_audit::{Audit, check_merges};
use rtc_passes::{AuditState, PassCtx, PipelineError, find, run_pass, run_stage};

const WORLD: &str = r#"module sm 6.9
struct s0 "P" { "a" : i32 }
g0 = resource "mem" : res(uav raw) space 0
g1 = resource "ro" : res(srv raw) space 0
g2 = resource "scene" : res(srv accel) space 0
g3 = resource "cb" : res(cbv cbuffer stride 256) space 0
"#;

/// What every entry point begins with.
const HEAD: &str = r#"
 pl0 = payload out s0 "p"
 v90 = const i32 0 v91 = const f32 1.0 v92 = const i32 1 v93 = const i32 4
r0:
 v80 = dispatch_rays_index : i32x3
 v81 = extract v80 : i32
 v82 = construct v91, v91, v91 : f32x3
 v83 = resource g0
 v84 = resource g1
 v85 = resource g2
 v86 = resource g3
 v87 = ult v81, v93 : bool
"#;

const TRACE: &str = "trace_ray pl0, v85, v90, v90, v90, v90, v90, v82, v91, v82, v91\n";

fn module(stage: &str, body: &str) -> Module {
    let body = body.replace("TRACE", TRACE);
    let text = format!("{WORLD}fn fn0 \"Main\" stage {stage} {{{HEAD}{body} return\n}}\n");
    whole(&text)
}

fn whole(text: &str) -> Module {
    let m = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    well_formed(&m);
    m
}

fn well_formed(m: &Module) {
    if let Err(errors) = verify(m) {
        panic!("{}", print_with_errors(m, &errors));
    }
}

/// The functions of a module that a motion changes.
struct Hand<'a> {
    m: &'a mut Module,
    id: Func,
}

impl Hand<'_> {
    fn f(&mut self) -> &mut Function {
        &mut self.m.funcs[self.id]
    }
    /// The nth instruction of this opcode in the order of the text, and its region.
    fn nth(&mut self, op: Opcode, n: usize) -> (Region, Inst) {
        let f = self.f();
        let mut all = Vec::new();
        f.for_each_inst(f.body, |r, i| {
            if f.op(i) == op {
                all.push((r, i));
            }
        });
        all[n]
    }
    fn take(&mut self, (r, i): (Region, Inst)) -> Inst {
        self.f().regions[r].insts.retain(|x| *x != i);
        i
    }
    /// Moves the nth `what` to before (`after`: after) the kth `to`.
    fn move_to(&mut self, what: Opcode, n: usize, after: bool, to: Opcode, k: usize) {
        let (i, (r, anchor)) = (self.nth(what, n), self.nth(to, k));
        let i = self.take(i);
        let f = self.f();
        let at = f.regions[r].insts.iter().position(|x| *x == anchor).unwrap();
        f.regions[r].insts.insert(at + usize::from(after), i);
    }
    fn before(&mut self, what: Opcode, n: usize, to: Opcode, k: usize) {
        self.move_to(what, n, false, to, k);
    }
    fn move_after(&mut self, what: Opcode, n: usize, to: Opcode, k: usize) {
        self.move_to(what, n, true, to, k);
    }
    /// A copy of the nth `what` after the kth `to`.
    fn copy_after(&mut self, what: Opcode, n: usize, to: Opcode, k: usize, inherit: bool) {
        let ((_, i), (r, anchor)) = (self.nth(what, n), self.nth(to, k));
        let f = self.f();
        let (data, span) = (f.insts[i], f.spans[i]);
        let types: Vec<_> = f.results(i).iter().map(|&v| f.ty(v)).collect();
        let copy = f.make(data, &types, span);
        if inherit {
            f.inherit_own(copy, i);
        }
        let at = f.regions[r].insts.iter().position(|x| *x == anchor).unwrap();
        f.regions[r].insts.insert(at + 1, copy);
    }
}

/// The codes that the audit reports for what `motion` does to `m`.
fn audit(mut m: Module, motion: impl FnOnce(&mut Hand)) -> Vec<&'static str> {
    let mut audit = Audit::take(&mut m);
    assert!(audit.check(&m, false).is_empty(), "nothing happened yet");
    let before = print(&m);
    let id = m.funcs.keys().next().unwrap();
    motion(&mut Hand { m: &mut m, id });
    well_formed(&m);
    assert!(print(&m) != before, "nothing moved");
    let codes = audit.check(&m, false).iter().map(|d| d.code.id).collect();
    m.compact();
    let again: Vec<_> = audit.check(&m, false).iter().map(|d| d.code.id).collect();
    assert_eq!(again, codes, "compaction keeps origins");
    codes
}

/// A motion in a ray generation shader that must be caught.
fn caught(body: &str, motion: impl FnOnce(&mut Hand)) {
    assert_eq!(audit(module("raygen", body), motion), ["E0840"], "{body}");
}

/// A motion that may be made.
fn fine(body: &str, motion: impl FnOnce(&mut Hand)) {
    assert!(audit(module("raygen", body), motion).is_empty(), "{body}");
}

use Opcode as O;

const AROUND: &str = "v1 = raw_load #4 v84, v81 : i32 TRACE v2 = raw_load #4 v84, v81 : i32 ";

#[test]
fn a_load_that_sinks_below_a_trace() {
    caught(AROUND, |h| h.move_after(O::raw_load, 0, O::trace_ray, 0));
}

#[test]
fn a_load_that_rises_above_a_trace() {
    caught(AROUND, |h| h.before(O::raw_load, 1, O::trace_ray, 0));
}

#[test]
fn reports_say_whether_a_point_came_between_or_went() {
    let notes = |motion: &dyn Fn(&mut Hand)| {
        let mut m = module("raygen", AROUND);
        let mut audit = Audit::take(&mut m);
        let id = m.funcs.keys().next().unwrap();
        motion(&mut Hand { m: &mut m, id });
        let found = audit.check(&m, false);
        found[0].notes.iter().filter(|n| n.contains("no reorder point is between it and")).count()
    };
    // It comes after a point now; it comes after the start alone.
    assert_eq!(notes(&|h| h.move_after(O::raw_load, 0, O::trace_ray, 0)), 0);
    assert_eq!(notes(&|h| h.before(O::raw_load, 1, O::trace_ray, 0)), 1);
}

#[test]
fn a_store_that_sinks_below_a_trace() {
    caught("raw_store #4 v83, v81, v90 TRACE", |h| h.move_after(O::raw_store, 0, O::trace_ray, 0));
}

#[test]
fn an_atomic_that_rises_above_a_call() {
    let body = "pl_call v1 = raw_atomic #add v83, v81, v92 : i32 ";
    let body = body.replace("pl_call", "call_shader pl0, v90 ");
    let text = format!("{WORLD}fn fn0 \"Main\" stage raygen {{{}{body} return\n}}\n", HEAD.replace("payload out", "callable out"));
    let codes = audit(whole(&text), |h| h.before(O::raw_atomic, 0, O::call_shader, 0));
    assert_eq!(codes, ["E0840"]);
}

#[test]
fn a_lane_index_that_rises_above_a_trace() {
    caught("TRACE v1 = wave_lane_index : i32 raw_store #4 v83, v81, v1 ", |h| h.before(O::wave_lane_index, 0, O::trace_ray, 0));
}

#[test]
fn a_wave_operation_that_sinks_below_a_reorder() {
    let body = "v1 = hit_make_nop : hitobj v2 = wave_active_op #usum v81 : i32 reorder v1, v90, v90 raw_store #4 v83, v81, v90 ";
    caught(body, |h| h.move_after(O::wave_active_op, 0, O::reorder, 0));
}

#[test]
fn a_load_that_rises_above_a_trace_in_a_branch() {
    let body = "if v87 { r1: TRACE yield } else { r2: yield } v2 = raw_load #4 v84, v81 : i32 ";
    caught(body, |h| h.before(O::raw_load, 0, O::if_, 0));
}

#[test]
fn a_load_that_sinks_below_a_trace_in_a_branch() {
    let body = "v2 = raw_load #4 v84, v81 : i32 if v87 { r1: TRACE yield } else { r2: yield } ";
    caught(body, |h| h.move_after(O::raw_load, 0, O::if_, 0));
}

#[test]
fn a_load_that_is_hoisted_out_of_the_arm_that_traces() {
    let body = "if v87 { r1: TRACE v1 = raw_load #4 v84, v81 : i32 yield } else { r2: yield } ";
    caught(body, |h| h.before(O::raw_load, 0, O::if_, 0));
}

/// `inside` in each of some iterations, which end at the top or at the end.
fn repeat(inside: &str, after: &str) -> String {
    format!(
        "loop (v90) {{ r1(v50: i32): v51 = ult v50, v93 : bool if v51 {{ r2: yield }} else {{ r3: break r1 }} {inside} v52 = iadd v50, v92 : i32 continue r1 (v52) }} continuing {{ r4(v53: i32): next v53 }} {after} "
    )
}

#[test]
fn a_load_that_leaves_a_loop_that_traces() {
    let body = repeat("v1 = raw_load #4 v84, v81 : i32 TRACE raw_store #4 v83, v81, v1", "");
    caught(&body, |h| h.before(O::raw_load, 0, O::loop_, 0));
}

#[test]
fn a_load_that_leaves_a_loop_at_its_end() {
    let body = repeat("TRACE v1 = raw_load #4 v84, v81 : i32", "");
    caught(&body, |h| h.move_after(O::raw_load, 0, O::loop_, 0));
}

#[test]
fn a_load_that_sinks_below_the_trace_of_its_round() {
    let body = repeat("v1 = raw_load #4 v84, v81 : i32 TRACE", "TRACE");
    caught(&body, |h| h.move_after(O::raw_load, 0, O::trace_ray, 0));
}

#[test]
fn a_load_that_goes_to_the_round_before() {
    let body = repeat("TRACE v1 = raw_load #4 v84, v81 : i32 TRACE", "");
    caught(&body, |h| h.move_after(O::raw_load, 0, O::trace_ray, 1));
}

#[test]
fn a_load_that_enters_a_loop_that_traces() {
    let body = repeat("TRACE", "v1 = raw_load #4 v84, v81 : i32 TRACE");
    caught(&body, |h| h.before(O::raw_load, 0, O::trace_ray, 0));
}

#[test]
fn a_load_with_a_copy_in_another_interval() {
    caught(AROUND, |h| h.copy_after(O::raw_load, 0, O::trace_ray, 0, true));
}

#[test]
fn an_access_that_a_pass_made_up() {
    let m = module("raygen", AROUND);
    let codes = audit(m, |h| h.copy_after(O::raw_load, 0, O::trace_ray, 0, false));
    assert_eq!(codes, ["E0841"]);
}

#[test]
fn a_reorder_that_passes_a_trace() {
    let body = "v1 = hit_trace pl0, v85, v90, v90, v90, v90, v90, v82, v91, v82, v91 : hitobj v2 = hit_make_nop : hitobj reorder v2, v90, v90 hit_invoke pl0, v1 ";
    let m = module("raygen", body);
    let codes = audit(m, |h| {
        h.before(O::hit_make_nop, 0, O::hit_trace, 0);
        h.before(O::reorder, 0, O::hit_trace, 0);
    });
    // Each of the three has others around it now.
    assert_eq!(codes, ["E0840"; 3]);
}

#[test]
fn a_root_constant_of_a_hit_that_passes_its_invocation() {
    let body = "v1 = hit_trace pl0, v85, v90, v90, v90, v90, v90, v82, v91, v82, v91 : hitobj v2 = hit_load_root_constant v1, v90 : i32 hit_invoke pl0, v1 raw_store #4 v83, v81, v2 ";
    caught(body, |h| {
        h.before(O::raw_store, 0, O::hit_invoke, 0);
        h.move_after(O::hit_load_root_constant, 0, O::hit_trace, 0);
    });
    caught(&body.replace("hit_invoke pl0, v1 raw_store #4 v83, v81, v2", "hit_invoke pl0, v1"), |h| {
        h.move_after(O::hit_load_root_constant, 0, O::hit_invoke, 0)
    });
}

#[test]
fn a_constant_at_a_row_of_its_own() {
    let body = "v1 = cbuf_load v86, v81 : f32 TRACE";
    caught(body, |h| h.move_after(O::cbuf_load, 0, O::trace_ray, 0));
}

#[test]
fn constants_of_what_may_be_bound_for_each_record() {
    let body = "v1 = cbuf_load v86, v90 : f32 TRACE";
    let m = module("closesthit", body);
    let codes = audit(m, |h| h.move_after(O::cbuf_load, 0, O::trace_ray, 0));
    assert_eq!(codes, ["E0840"]);
}

const CALLS: &str = r#"
fn fn0 "f" stage library {
r0:
 v1 = thread_id : i32x3
 v2 = extract v1 : i32
 v3 = resource g1
 v4 = raw_load #4 v3, v2 : i32
 return
}
fn fn1 "Main" stage raygen {HEAD
 call fn0() TRACE call fn0() TRACE return
}
"#;

fn calls() -> Module {
    let body = CALLS.replace("HEAD", HEAD).replace("TRACE", TRACE);
    whole(&format!("{WORLD}{}", body.replace("thread_id", "dispatch_rays_index")))
}

#[test]
fn an_access_of_a_callee_that_ends_up_after_the_last_trace() {
    let mut m = calls();
    let mut audit = Audit::take(&mut m);
    run_pass(&mut m, find("inline").unwrap(), &PassCtx { check: true }).unwrap();
    assert!(audit.check(&m, false).is_empty());
    let id = m.funcs.keys().next().unwrap();
    Hand { m: &mut m, id }.move_after(O::raw_load, 1, O::trace_ray, 1);
    assert_eq!(audit.check(&m, false)[0].code.id, "E0840");
}

#[test]
fn an_access_that_passes_a_call_of_a_function_with_a_point() {
    let text = r#"fn fn0 "Main" stage raygen {HEAD
 v1 = raw_load #4 v84, v81 : i32
 call fn1()
 v2 = raw_load #4 v84, v81 : i32
 return
}
fn fn1 "points" stage library {
 v0 = const i32 0
r0:
 v1 = hit_make_nop : hitobj
 reorder v1, v0, v0
 return
}
"#;
    let m = whole(&(WORLD.to_owned() + &text.replace("HEAD", HEAD)));
    assert_eq!(audit(m, |h| h.move_after(O::raw_load, 0, O::call, 0)), ["E0840"]);
}

/// The end of the shader follows a call that may end it, inlined or not.
#[test]
fn a_function_that_ends_the_shader() {
    let text = r#"fn fn0 "end" stage library {
 v0 = const i32 4
r0:
 v1 = dispatch_rays_index : i32x3 v2 = extract v1 : i32 v3 = ult v2, v0 : bool
 if v3 { r1: accept_hit } else { r2: yield } return
}
fn fn1 "next" stage library declared { r0: }
fn fn2 "Any" stage anyhit {
 v0 = const i32 4
r0:
 v1 = resource g0
 raw_store #4 v1, v0, v0
 call fn0() call fn1() return
}
fn fn3 "Main" stage raygen {HEAD TRACE return }
"#;
    let mut m = whole(&(WORLD.to_owned() + &text.replace("HEAD", HEAD).replace("TRACE", TRACE)));
    let mut audit = Audit::take(&mut m);
    run_pass(&mut m, find("inline").unwrap(), &PassCtx { check: true }).unwrap();
    assert!(audit.check(&m, false).is_empty());
}

#[test]
fn a_copy_that_takes_its_twins_interval() {
    let mut m = calls();
    run_pass(&mut m, find("inline").unwrap(), &PassCtx { check: true }).unwrap();
    let mut audit = Audit::take(&mut m);
    let id = m.funcs.keys().next().unwrap();
    Hand { m: &mut m, id }.before(O::raw_load, 1, O::trace_ray, 0);
    // Before, it needs what it computes from there too.
    for op in [O::dispatch_rays_index, O::extract, O::resource] {
        let mut h = Hand { m: &mut m, id };
        let n = if op == O::resource { 5 } else { 2 };
        h.before(op, n, O::raw_load, 1);
    }
    well_formed(&m);
    assert_eq!(audit.check(&m, false)[0].code.id, "E0840");
}

/// Lets the nth load take the place of the kth.
fn merge(h: &mut Hand, n: usize, k: usize) {
    let (kept, dropped) = (h.nth(O::raw_load, n), h.nth(O::raw_load, k));
    let mut f = std::mem::replace(h.f(), Function::new("", Stage::Library));
    f.note_merged(dropped.1, kept.1);
    check_merges(h.m, &mut f);
    *h.f() = f;
    let f = h.f();
    let (old, new) = (f.result(dropped.1), f.result(kept.1));
    let mut all = Vec::new();
    f.for_each_inst(f.body, |_, i| all.push(i));
    for i in all {
        f.map_operands(i, |v| if v == old { new } else { v });
    }
    h.take(dropped);
}

#[test]
fn a_load_that_is_replaced_by_one_before_the_trace() {
    let body = format!("{AROUND} raw_store #4 v83, v1, v2 ");
    assert_eq!(audit(module("raygen", &body), |h| merge(h, 0, 1)), ["E0842"]);
    let body = body.replace("TRACE", "");
    fine(&body, |h| merge(h, 0, 1));
}

// Legal ---------------------------------------------------------------------------------------------

#[test]
fn motion_within_an_interval() {
    fine("TRACE v1 = raw_load #4 v84, v81 : i32 v2 = iadd v81, v81 : i32 raw_store #4 v83, v2, v81 TRACE", |h| {
        h.move_after(O::raw_load, 0, O::raw_store, 0)
    });
}

#[test]
fn pure_code_goes_anywhere() {
    fine("v1 = iadd v81, v81 : i32 TRACE raw_store #4 v83, v1, v81", |h| h.move_after(O::iadd, 0, O::trace_ray, 0));
}

#[test]
fn uniform_accesses_go_anywhere() {
    fine("v1 = cbuf_load v86, v90 : i32 v2 = cbuf_load v86, v1 : i32 TRACE", |h| h.move_after(O::cbuf_load, 1, O::trace_ray, 0));
    fine("v1 = raw_load #4 v84, v92 : i32 TRACE", |h| h.move_after(O::raw_load, 0, O::trace_ray, 0));
    // What shaders write is not what it was.
    caught("v1 = raw_load #4 v83, v92 : i32 TRACE", |h| h.move_after(O::raw_load, 0, O::trace_ray, 0));
}

#[test]
fn accesses_disappear() {
    fine(AROUND, |h| {
        let i = h.nth(O::raw_load, 1);
        h.take(i);
    });
}

#[test]
fn a_load_sinks_into_a_branch_of_its_interval() {
    fine("v1 = raw_load #4 v84, v81 : i32 if v87 { r1: raw_store #4 v83, v81, v1 yield } else { r2: yield } TRACE", |h| {
        h.before(O::raw_load, 0, O::raw_store, 0)
    });
}

#[test]
fn branches_are_decided() {
    let body =
        "v1 = ieq v90, v90 : bool if v1 { r1: TRACE yield } else { r2: yield } v2 = raw_load #4 v84, v81 : i32 raw_store #4 v83, v81, v2 ";
    passes(body, &["fold", "simplify", "dce"]);
    // Both ways.
    passes(&body.replace("ieq", "ine"), &["fold", "simplify", "dce"]);
}

#[test]
fn loops_are_unrolled() {
    let inside = "v1 = raw_load #4 v84, v50 : i32 TRACE raw_store #4 v83, v50, v1 ";
    let body = repeat(inside, "v3 = raw_load #4 v84, v81 : i32 raw_store #4 v83, v92, v3");
    let body = body.replace("loop (v90)", "unroll loop (v90)");
    passes(&body, &["unroll", "optimize"]);
}

/// Passes do nothing that the audit objects to.
fn passes(body: &str, names: &[&str]) {
    let mut m = module("raygen", body);
    let mut audit = Audit::take(&mut m);
    let before = print(&m);
    for name in names {
        run_pass(&mut m, find(name).unwrap(), &PassCtx { check: true }).unwrap();
    }
    assert!(print(&m) != before);
    let found = audit.check(&m, true);
    assert!(found.is_empty(), "{}\n{}", found[0].message, print(&m));
    let f = m.funcs.values().next().unwrap();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Many { .. } = f.insts[i] {
            let watched = f.op(i).effects().contains(rtc_ir::Effects::READS_PLACEMENT);
            assert_eq!(watched, f.origins[i] != 0);
        }
    });
}

#[test]
fn motion_in_any_stage_is_found_at_the_end() {
    for planted in [false, true] {
        let mut m = module("raygen", AROUND);
        let (cx, mut audit) = (PassCtx { check: true }, AuditState::default());
        run_stage(&mut m, &["inline", "sroa"], &cx, &mut audit).unwrap();
        if planted {
            let id = m.funcs.keys().next().unwrap();
            Hand { m: &mut m, id }.move_after(O::raw_load, 0, O::trace_ray, 0);
        }
        run_stage(&mut m, &["mem2reg"], &cx, &mut audit).unwrap();
        let found = match audit.finish(&m) {
            Ok(()) => Vec::new(),
            Err(PipelineError::Invalid(all)) => all.iter().map(|d| d.code.id).collect(),
            Err(e) => panic!("{e}"),
        };
        assert_eq!(found, if planted { vec!["E0840"] } else { vec![] });
    }
}

/// What control never reaches is not audited: without points a function is not searched for paths, and all of it counts as reached.
#[test]
fn an_access_that_is_never_reached() {
    let body =
        "block {\nr1:\n block {\n r2:\n  break r1\n }\n v1 = raw_load #4 v84, v81 : i32\n raw_store #4 v83, v81, v1\n yield\n}\nTRACE";
    fine(body, |h| {
        let (r, trace) = h.nth(O::trace_ray, 0);
        h.f().regions[r].insts.retain(|&i| i != trace);
    });
}
