//! Functions of namespace `vk`: Vulkan features that DXIL cannot express.

use super::pattern::*;
use super::{Check, Expander as X, Intrinsic, Lower, Scope, Target};
use crate::insts::Opcode as Op;
use crate::stages::StageMask;
use crate::types::{DEVICE_SCOPE, SUBGROUP_SCOPE};

const ADDRESS: Param = i(U64);

const U64: Pat = Pat::Num(Shape::Scalar, Class::Uint64);

const NO_ADDRESSES: &str = "Direct3D has no addresses";

const fn vk(
    name: &'static str,
    param_names: &'static str,
    params: &'static [Param],
    ret: Pat,
    lowers: Lower,
    why_not_dxil: &'static str,
) -> Intrinsic {
    Intrinsic::new(Scope::Vk, name, param_names, params, ret, StageMask::ALL, lowers).missing(Target::Dxil, why_not_dxil)
}
const fn load(param_names: &'static str, params: &'static [Param]) -> Intrinsic {
    vk("RawBufferLoad", param_names, params, Pat::FuncT, Lower::Expand(X::AddressLoad), NO_ADDRESSES).checks(&[Check::PlainData])
}
const fn store(param_names: &'static str, params: &'static [Param]) -> Intrinsic {
    vk("RawBufferStore", param_names, params, VOID, Lower::Expand(X::AddressStore), NO_ADDRESSES).checks(&[Check::PlainData])
}

/// All rows.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    load("address",                  &[ADDRESS]),
    load("address alignment",        &[ADDRESS, i(UINT)]).checks(&[Check::PlainData, Check::Alignment(1)]),
    store("address value",           &[ADDRESS, i(Pat::FuncT)]),
    store("address value alignment", &[ADDRESS, i(Pat::FuncT), i(UINT)]).checks(&[Check::PlainData, Check::Alignment(2)]),
    Intrinsic::new(Scope::Free, "printf", "format arguments", &[i(Pat::Str), i(Pat::Variadic)], VOID, StageMask::ALL, Lower::Expand(X::Print))
        .missing(Target::Dxil, "a shader of Direct3D cannot print; write to a buffer"),
    vk("ReadClock", "clockScope", &[i(UINT)], U64, Lower::Immediate(Op::read_clock), "Direct3D's shaders have no clock")
        .checks(&[Check::OneOf(0, &[DEVICE_SCOPE, SUBGROUP_SCOPE])]),
];

/// The name of the function that is the IR instruction `op`: an instruction without a form in DXIL.
pub fn name_of(op: Op) -> Option<&'static str> {
    let is_op = |row: &&Intrinsic| matches!(row.lowers, Lower::Op(o) | Lower::Immediate(o) if o == op);
    ROWS.iter().find(is_op).map(|row| row.name)
}
