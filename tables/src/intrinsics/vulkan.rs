//! Functions of namespace `vk`: what SPIR-V has and DXIL has not.

use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, Scope};
use crate::stages::StageMask;

const ADDRESS: Param = i(U64);

const U64: Pat = Pat::Num(Shape::Scalar, Class::Uint64);

const fn vk(name: &'static str, param_names: &'static str, params: &'static [Param], ret: Pat, expander: X) -> Intrinsic {
    Intrinsic { scope: Scope::Vk, name, param_names, params, ret, shader_model: 0, stages: StageMask::ALL, lowers: Lower::Expand(expander) }
}

/// All rows.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    vk("RawBufferLoad",  "address",                 &[ADDRESS],                            Pat::FuncT, X::AddressLoad),
    vk("RawBufferLoad",  "address alignment",       &[ADDRESS, i(UINT)],                   Pat::FuncT, X::AddressLoad),
    vk("RawBufferStore", "address value",           &[ADDRESS, i(Pat::FuncT)],             VOID,       X::AddressStore),
    vk("RawBufferStore", "address value alignment", &[ADDRESS, i(Pat::FuncT), i(UINT)],    VOID,       X::AddressStore),
    vk("ReadClock",      "clockScope",              &[i(UINT)],                            U64,        X::ReadClock),
];
