//! Cases of rules for types.

use super::Case;
use super::edit::Edit;
use rtc_tables::validation::{Rule, rule};

const COMPUTE: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, i); }";

const fn case(rule: &'static Rule, edit: fn(&mut Edit)) -> Case {
    Case { rule, source: COMPUTE, edit, reference: "" }
}

pub const CASES: &[Case] = &[
    case(rule::TYPES_NO_VECTOR, |e| {
        let float = e.m.types.float();
        let ty = e.m.types.vector(float, 4);
        e.allocate(ty);
    }),
    case(rule::TYPES_DEFINED, |e| {
        let void = e.m.types.void();
        let f = e.m.types.function(void, &[]);
        let ty = e.m.types.ptr(f);
        e.allocate(ty);
    }),
    case(rule::TYPES_INT_WIDTH, |e| {
        let ty = e.m.types.int(24);
        e.allocate(ty);
    }),
    case(rule::TYPES_NO_MULTI_DIM, |e| {
        let i32 = e.m.types.i32();
        let row = e.m.types.array(i32, 2);
        let ty = e.m.types.array(row, 2);
        e.allocate(ty);
    }),
    case(rule::TYPES_NO_PTR_TO_PTR, |e| {
        let i32 = e.m.types.i32();
        let one = e.m.types.ptr(i32);
        let ty = e.m.types.ptr(one);
        e.allocate(ty);
    }),
    // Inside a structure.
    case(rule::TYPES_NO_PTR_TO_PTR, |e| {
        let i32 = e.m.types.i32();
        let one = e.m.types.ptr(i32);
        let ty = e.m.types.named_struct("struct.list", &[i32, one]);
        e.allocate(ty);
    }),
    case(rule::TYPES_I8, |e| {
        let ty = e.m.types.i8();
        e.allocate(ty);
    }),
];
