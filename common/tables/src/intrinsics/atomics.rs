//! Atomic operations: the `Interlocked…` functions and methods.

use super::objects::Object;
use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, free, method};
use crate::resources::AtomicOp as A;
use crate::stages::StageMask;

const I32: Param = r(Pat::Num(Shape::Scalar, Class::Int32Only));
const I64: Param = r(Pat::Num(Shape::Scalar, Class::Int64Only));
const F32: Param = r(Pat::Num(Shape::Scalar, Class::Float32Only));
const U: Param = i(UINT);
const F: Param = i(FLOAT);
const FO: Param = o(FLOAT);
const UO: Param = o(UINT);
const N: Param = i(Pat::Num(Shape::Scalar, Class::AnyInt32));
const NO: Param = o(Pat::Num(Shape::Scalar, Class::AnyInt32));
const UL: Param = i(Pat::Num(Shape::Scalar, Class::Uint64));
const L: Param = i(Pat::Num(Shape::Scalar, Class::AnyInt64));
const LO: Param = o(Pat::Num(Shape::Scalar, Class::AnyInt64));

/// On a variable or an element of a resource.
const fn f(name: &'static str, names: &'static str, params: &'static [Param], op: A) -> Intrinsic {
    free(name, names, params, VOID, StageMask::ALL, Lower::Expand(X::Atomic(op)))
}
/// At a byte of a buffer.
const fn b(name: &'static str, names: &'static str, params: &'static [Param], op: A) -> Intrinsic {
    method(Object::RWByteAddressBuffer, name, names, params, VOID, Lower::Expand(X::RawAtomic(op)))
}

const RV: &str = "result value";
const RVO: &str = "result value original";
const RCV: &str = "result compare value";
const RCVO: &str = "result compare value original";
const BV: &str = "byteOffset value";
const BVO: &str = "byteOffset value original";
const BCV: &str = "byteOffset compare value";
const BCVO: &str = "byteOffset compare value original";

/// The rows of this family. Minimum and maximum are written as signed; the type decides.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    f("InterlockedAdd", RV, &[I64, UL], A::Add).sm(6),
    f("InterlockedAdd", RVO, &[I64, UL, LO], A::Add).sm(6),
    f("InterlockedMin", RV, &[I64, L], A::SMin).sm(6),
    f("InterlockedMin", RVO, &[I64, L, LO], A::SMin).sm(6),
    f("InterlockedMax", RV, &[I64, L], A::SMax).sm(6),
    f("InterlockedMax", RVO, &[I64, L, LO], A::SMax).sm(6),
    f("InterlockedAnd", RV, &[I64, UL], A::And).sm(6),
    f("InterlockedAnd", RVO, &[I64, UL, LO], A::And).sm(6),
    f("InterlockedOr", RV, &[I64, UL], A::Or).sm(6),
    f("InterlockedOr", RVO, &[I64, UL, LO], A::Or).sm(6),
    f("InterlockedXor", RV, &[I64, UL], A::Xor).sm(6),
    f("InterlockedXor", RVO, &[I64, UL, LO], A::Xor).sm(6),
    f("InterlockedCompareStore", RCV, &[I64, UL, UL], A::CompareExchange).sm(6),
    f("InterlockedExchange", RVO, &[I64, L, LO], A::Exchange).sm(6),
    f("InterlockedCompareExchange", RCVO, &[I64, UL, UL, LO], A::CompareExchange).sm(6),
    f("InterlockedExchange", RVO, &[F32, F, FO], A::Exchange),
    f("InterlockedCompareStoreFloatBitwise", RCV, &[F32, F, F], A::CompareExchange),
    f("InterlockedCompareExchangeFloatBitwise", RCVO, &[F32, F, F, FO], A::CompareExchange),
    f("InterlockedAdd", RV, &[I32, U], A::Add),
    f("InterlockedAdd", RVO, &[I32, U, NO], A::Add),
    f("InterlockedMin", RV, &[I32, N], A::SMin),
    f("InterlockedMin", RVO, &[I32, N, NO], A::SMin),
    f("InterlockedMax", RV, &[I32, N], A::SMax),
    f("InterlockedMax", RVO, &[I32, N, NO], A::SMax),
    f("InterlockedAnd", RV, &[I32, U], A::And),
    f("InterlockedAnd", RVO, &[I32, U, NO], A::And),
    f("InterlockedOr", RV, &[I32, U], A::Or),
    f("InterlockedOr", RVO, &[I32, U, NO], A::Or),
    f("InterlockedXor", RV, &[I32, U], A::Xor),
    f("InterlockedXor", RVO, &[I32, U, NO], A::Xor),
    f("InterlockedCompareStore", RCV, &[I32, U, U], A::CompareExchange),
    f("InterlockedExchange", RVO, &[I32, U, NO], A::Exchange),
    f("InterlockedCompareExchange", RCVO, &[I32, U, U, NO], A::CompareExchange),
    b("InterlockedAdd64", BV, &[U, UL], A::Add).sm(6),
    b("InterlockedAdd64", BVO, &[U, UL, LO], A::Add).sm(6),
    b("InterlockedMin64", BV, &[U, L], A::SMin).sm(6),
    b("InterlockedMin64", BVO, &[U, L, LO], A::SMin).sm(6),
    b("InterlockedMax64", BV, &[U, L], A::SMax).sm(6),
    b("InterlockedMax64", BVO, &[U, L, LO], A::SMax).sm(6),
    b("InterlockedAnd64", BV, &[U, UL], A::And).sm(6),
    b("InterlockedAnd64", BVO, &[U, UL, LO], A::And).sm(6),
    b("InterlockedOr64", BV, &[U, UL], A::Or).sm(6),
    b("InterlockedOr64", BVO, &[U, UL, LO], A::Or).sm(6),
    b("InterlockedXor64", BV, &[U, UL], A::Xor).sm(6),
    b("InterlockedXor64", BVO, &[U, UL, LO], A::Xor).sm(6),
    b("InterlockedCompareStore64", BCV, &[U, UL, UL], A::CompareExchange).sm(6),
    b("InterlockedExchange64", BVO, &[U, L, LO], A::Exchange).sm(6),
    b("InterlockedCompareExchange64", BCVO, &[U, UL, UL, LO], A::CompareExchange).sm(6),
    b("InterlockedExchangeFloat", BVO, &[U, F, FO], A::Exchange),
    b("InterlockedCompareStoreFloatBitwise", BCV, &[U, F, F], A::CompareExchange),
    b("InterlockedCompareExchangeFloatBitwise", BCVO, &[U, F, F, FO], A::CompareExchange),
    b("InterlockedAdd", BV, &[U, U], A::Add),
    b("InterlockedAdd", BVO, &[U, U, UO], A::Add),
    b("InterlockedMin", BV, &[U, N], A::SMin),
    b("InterlockedMin", BVO, &[U, N, UO], A::SMin),
    b("InterlockedMax", BV, &[U, N], A::SMax),
    b("InterlockedMax", BVO, &[U, N, UO], A::SMax),
    b("InterlockedAnd", BV, &[U, U], A::And),
    b("InterlockedAnd", BVO, &[U, U, UO], A::And),
    b("InterlockedOr", BV, &[U, U], A::Or),
    b("InterlockedOr", BVO, &[U, U, UO], A::Or),
    b("InterlockedXor", BV, &[U, U], A::Xor),
    b("InterlockedXor", BVO, &[U, U, UO], A::Xor),
    b("InterlockedCompareStore", BCV, &[U, U, U], A::CompareExchange),
    b("InterlockedExchange", BVO, &[U, U, UO], A::Exchange),
    b("InterlockedCompareExchange", BCVO, &[U, U, U, UO], A::CompareExchange),
];
