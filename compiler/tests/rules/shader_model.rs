//! Cases of operations and shader models.

use super::Case;
use super::edit::Edit;
use rtc_dxil::container::Version;
use rtc_tables::validation::rule;

const WAVE: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, pack_clamp_u8(int4(i, i, i, 300))); }";

/// Says that the module is of an older shader model.
fn older(e: &mut Edit, minor: u32) {
    let kind = e.m.meta.string("cs");
    let (six, n) = (e.m.meta_i32(6), e.m.meta_i32(minor as i32));
    let node = e.m.meta.node(&[Some(kind), Some(six), Some(n)]);
    e.set_named("dx.shaderModel", &[node]);
    let (one, n) = (e.m.meta_i32(1), e.m.meta_i32(minor as i32));
    let node = e.m.meta.node(&[Some(one), Some(n)]);
    e.set_named("dx.version", &[node]);
    e.header.1 = Version::new(6, minor);
    e.header.2 = Version::new(1, minor);
}

pub const CASES: &[Case] = &[Case { rule: rule::SM_OPCODE, source: WAVE, edit: |e| older(e, 5), reference: "" }];
