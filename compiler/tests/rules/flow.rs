//! Cases of rules for control flow and calls.

use super::Case;
use super::edit::Edit;
use rtc_base::entity::EntityRef;
use rtc_dxil_module::Block;
use rtc_tables::validation::rule;

const EMPTY: &str = "// rtc -T lib_6_6
[shader(\"raygeneration\")] void Gen() {}";

const HELPER: &str = "// rtc -T lib_6_6
RWByteAddressBuffer b;
[shader(\"raygeneration\")] void Gen() { b.Store(0, 1); }";

/// The first function with a body, and its blocks.
fn blocks(e: &Edit) -> (rtc_dxil_module::Func, Vec<Block>) {
    let (func, f) = e.m.funcs.iter().find(|(_, f)| f.body.is_some()).expect("a definition");
    (func, f.body.as_ref().expect("a body").blocks.keys().collect())
}

/// An infinite loop, and a path around it.
fn never_leave(e: &mut Edit) {
    let (func, _) = blocks(e);
    let yes = e.m.i1(true);
    let mut b = e.m.define(func);
    let (again, end) = (b.new_block(), b.new_block());
    b.cond_br(yes, again, end);
    b.switch_to(again);
    b.br(again);
    b.switch_to(end);
    b.ret(None);
}

/// Sends the entry block into the middle of the loop as well: it ends with a branch to the loop and to what follows.
fn two_entries(e: &mut Edit) {
    let (func, _) = blocks(e);
    let yes = e.m.i1(true);
    let mut b = e.m.define(func);
    let (first, second, end) = (b.new_block(), b.new_block(), b.new_block());
    b.cond_br(yes, first, second);
    b.switch_to(first);
    b.cond_br(yes, second, end);
    b.switch_to(second);
    b.cond_br(yes, first, end);
    b.switch_to(end);
    b.ret(None);
}

/// A function that calls itself, called by the shader.
fn recursive(e: &mut Edit) {
    let void = e.m.types.void();
    let ty = e.m.types.function(void, &[]);
    let f = e.m.add_function("f", ty);
    e.m.funcs[f].linkage = rtc_dxil_module::Linkage::Internal;
    let mut b = e.m.define(f);
    b.call(f, &[]);
    b.ret(None);
    let (func, _) = blocks(e);
    let mut b = e.m.edit(func, Block::new(0)).expect("a body");
    b.call(f, &[]);
    let body = e.m.funcs[func].body.as_mut().expect("a body");
    let entry = body.blocks.keys().next().expect("a block");
    let call = body.blocks[entry].pop().expect("the call");
    body.blocks[entry].insert(0, call);
}

/// A ray generation shader with a parameter.
fn parameter(e: &mut Edit) {
    let (func, _) = blocks(e);
    let (void, i32) = (e.m.types.void(), e.m.types.i32());
    let ty = e.m.types.function(void, &[i32]);
    e.m.funcs[func].ty = ty;
    e.m.funcs[func].ptr_ty = e.m.types.ptr(ty);
}

pub const CASES: &[Case] = &[
    Case { rule: rule::FLOW_DEAD_LOOP, source: EMPTY, edit: never_leave, reference: "" },
    Case { rule: rule::FLOW_REDUCIBLE, source: EMPTY, edit: two_entries, reference: "" },
    Case { rule: rule::FLOW_NO_RECURSION, source: HELPER, edit: recursive, reference: "" },
    Case { rule: rule::FLOW_FUNCTION_CALL, source: HELPER, edit: parameter, reference: "" },
];
