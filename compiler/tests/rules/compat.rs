//! Cases of rules for entry points and the functions that they call.

use super::Case;
use super::edit::Edit;
use rtc_dxil_container::metadata::tag;
use rtc_dxil_module::{Func, Linkage};
use rtc_tables::dxil_ops::op;
use rtc_tables::validation::rule;

const GEN: &str = "// rtc -T lib_6_8
RWByteAddressBuffer b;
[shader(\"raygeneration\")] void Gen() { b.Store(0, 1); }";

const DERIVATIVES: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
[numthreads(4, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, ddx(asfloat(b.Load(4 * i)))); }";

const OLD: &str = "// rtc -T cs_6_5 -E main
RWByteAddressBuffer b;
[numthreads(4, 1, 1)] void main() { b.Store(0, 1); }";

/// `b.dx_call(opcode, overload, args)` in a function of its own, which the shader calls first.
fn helper(e: &mut Edit, call: fn(&mut rtc_dxil_module::Builder<'_>)) {
    let void = e.m.types.void();
    let ty = e.m.types.function(void, &[]);
    let f = e.m.add_function("f", ty);
    e.m.funcs[f].linkage = Linkage::Internal;
    let mut b = e.m.define(f);
    call(&mut b);
    b.ret(None);
    call_first(e, f);
}

fn call_first(e: &mut Edit, f: Func) {
    let (func, _) = e.call("RawBufferStore");
    let entry = e.m.funcs[func].body.as_ref().expect("a body").blocks.keys().next().expect("a block");
    let mut b = e.m.edit(func, entry).expect("a body");
    b.call(f, &[]);
    let list = &mut e.m.funcs[func].body.as_mut().expect("a body").blocks[entry];
    let call = list.pop().expect("the call");
    list.insert(0, call);
}

/// A derivative, which pixel and compute shaders have.
fn derivative(e: &mut Edit) {
    helper(e, |b| {
        let f32 = b.module.types.float();
        let one = b.module.f32(1.0);
        b.dx_call(op::DERIV_COARSE_X, &[f32], &[one]);
    });
}

/// A barrier of the thread group.
fn group_barrier(e: &mut Edit) {
    helper(e, |b| {
        // Synchronises the group, and groupshared memory in it.
        let mode = b.module.i32(1 | 8);
        b.dx_call(op::BARRIER, &[], &[mode]);
    });
}

fn threads(e: &mut Edit, n: i32) {
    let node = e.numbers(&[n, 1, 1]);
    e.set_prop(tag::THREADS, Some(node));
}

pub const CASES: &[Case] = &[
    Case { rule: rule::SM_INCOMPATIBLE_CALL, source: GEN, edit: derivative, reference: "" },
    Case { rule: rule::SM_INCOMPATIBLE_STAGE, source: GEN, edit: derivative, reference: "" },
    Case { rule: rule::SM_INCOMPATIBLE_GROUP, source: GEN, edit: group_barrier, reference: "" },
    Case { rule: rule::SM_INCOMPATIBLE_OPERATION, source: DERIVATIVES, edit: |e| threads(e, 6), reference: "" },
    Case { rule: rule::SM_INCOMPATIBLE_THREADS, source: DERIVATIVES, edit: |e| threads(e, 6), reference: "" },
    Case { rule: rule::SM_INCOMPATIBLE_MODEL, source: OLD, edit: derivative, reference: "" },
    Case { rule: rule::SM_INCOMPATIBLE_DERIVATIVES, source: OLD, edit: derivative, reference: "" },
];
