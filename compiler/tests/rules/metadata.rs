//! Cases of metadata.

use super::Case;
use rtc_tables::validation::rule;

const LIB: &str = "// rtc -T lib_6_6
[shader(\"raygeneration\")] void Gen() {}";

pub const CASES: &[Case] = &[
    Case { rule: rule::META_REQUIRED, source: LIB, edit: |e| e.set_named("dx.version", &[]), reference: "" },
    Case {
        rule: rule::META_WELL_FORMED,
        source: LIB,
        edit: |e| {
            let one = e.m.meta_i32(1);
            let node = e.m.meta.node(&[Some(one)]);
            e.set_named("dx.valver", &[node]);
        },
        reference: "",
    },
];
