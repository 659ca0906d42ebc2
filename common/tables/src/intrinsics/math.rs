//! Arithmetic, trigonometry, bits, vectors and matrices. Component-wise unless the name says otherwise.

use super::objects::Object;
use super::pattern::*;
use super::{Expander as X, Intrinsic, Lower, by_class, free};
use crate::insts::Opcode as Op;
use crate::stages::StageMask;

const ALL: StageMask = StageMask::ALL;

/// A function of one argument whose result has its type.
const fn unary(name: &'static str, pat: &'static [Param], lowers: Lower) -> Intrinsic {
    free(name, "x", pat, T0, ALL, lowers)
}

const FLOATS1: &[Param] = &[i(FLOATS)];
const FLOATS2: &[Param] = &[i(FLOATS), i(T0)];
const FLOATS3: &[Param] = &[i(FLOATS), i(T0), i(T0)];
const NUMERIC1: &[Param] = &[i(NUMERIC)];
const NUMERIC2: &[Param] = &[i(NUMERIC), i(T0)];
const NUMERIC3: &[Param] = &[i(NUMERIC), i(T0), i(T0)];
const ANY_FLOATS1: &[Param] = &[i(Pat::Num(Shape::Any, Class::AnyFloat))];
const VEC1: &[Param] = &[i(FLOAT_VEC)];
const VEC2: &[Param] = &[i(FLOAT_VEC), i(T0)];
const BITS32: &[Param] = &[i(Pat::Num(Shape::Any, Class::Numeric32))];
const BITS16: &[Param] = &[i(Pat::Num(Shape::Any, Class::Numeric16))];

const fn op(o: Op) -> Lower {
    Lower::Op(o)
}
const fn ex(x: X) -> Lower {
    Lower::Expand(x)
}

/// A number of numeric components in any of the shapes that `mul` takes.
const fn num(shape: Shape) -> Param {
    i(Pat::Num(shape, Class::Numeric))
}
/// The second factor of `mul`: components as the first.
const fn num0(shape: Shape) -> Param {
    i(Pat::Num(shape, Class::Like(0)))
}
const SAMPLER: Param = i(Pat::Object(Object::SamplerState));
const COMPARING: Param = i(Pat::Object(Object::SamplerComparisonState));
/// Four signed bytes.
const P32I8: Pat = Pat::Num(Shape::Scalar, Class::Int8x4);
/// Four unsigned bytes.
const P32U8: Pat = Pat::Num(Shape::Scalar, Class::Uint8x4);

/// A result of `mul`.
const fn prod(shape: Shape) -> Pat {
    Pat::Num(shape, Class::Like(0))
}
const fn mul(params: &'static [Param], ret: Pat) -> Intrinsic {
    free("mul", "a b", params, ret, ALL, ex(X::Mul))
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    unary("abs", NUMERIC1, ex(X::Abs)).constexpr(),
    unary("acos", FLOATS1, op(Op::acos)),
    free("AddUint64", "a b", &[i(Pat::Num(Shape::Vec(Dim::C), Class::Uint)), i(T0)], T0, ALL, ex(X::AddUint64)),
    free("all", "x", &[i(ANY)], BOOL, ALL, ex(X::All)),
    free("and", "x y", &[i(Pat::Num(Shape::Any, Class::Bool)), i(T0)], T0, ALL, ex(X::BoolAnd)),
    free("any", "x", &[i(ANY)], BOOL, ALL, ex(X::Any)),
    free("asdouble", "lowbits highbits", &[i(Pat::Num(Shape::Any, Class::Uint)), i(T0)], like(0, Class::Double), ALL, ex(X::AsDouble)),
    free("asfloat", "x", BITS32, like(0, Class::Float), ALL, ex(X::Bitcast)).constexpr(),
    free("asfloat16", "x", BITS16, like(0, Class::Half), ALL, ex(X::Bitcast)).sm(2),
    unary("asin", FLOATS1, op(Op::asin)),
    free("asint", "x", BITS32, like(0, Class::Int), ALL, ex(X::Bitcast)).constexpr(),
    free("asint16", "x", BITS16, like(0, Class::Int16), ALL, ex(X::Bitcast)).sm(2),
    free("asuint", "x", BITS32, like(0, Class::Uint), ALL, ex(X::Bitcast)).constexpr(),
    free("asuint", "d lowbits highbits", &[i(Pat::Num(Shape::Any, Class::Double)), o(like(0, Class::Uint)), o(like(0, Class::Uint))], VOID, ALL, ex(X::SplitDouble)),
    free("asuint16", "x", BITS16, like(0, Class::Uint16), ALL, ex(X::Bitcast)).sm(2),
    unary("atan", FLOATS1, op(Op::atan)),
    free("atan2", "y x", FLOATS2, T0, ALL, ex(X::Atan2)),
    unary("ceil", FLOATS1, op(Op::ceil)).constexpr(),
    free("clamp", "x min max", NUMERIC3, T0, ALL, ex(X::Clamp)),
    unary("cos", FLOATS1, op(Op::cos)),
    unary("cosh", FLOATS1, op(Op::cosh)),
    free("countbits", "x", &[i(INTS)], like(0, Class::Uint), ALL, op(Op::countbits)),
    free("cross", "a b", &[i(vec(3, Class::FloatLike)), i(T0)], T0, ALL, ex(X::Cross)),
    free("D3DCOLORtoUBYTE4", "x", &[i(vec(4, Class::Float))], like(0, Class::Int), ALL, ex(X::ColorToUbyte4)),
    unary("degrees", FLOATS1, ex(X::Degrees)),
    free("determinant", "m", &[i(Pat::Num(Shape::Mat(Dim::R, Dim::R), Class::FloatLike))], ELEM0, ALL, ex(X::Determinant)),
    free("distance", "a b", VEC2, ELEM0, ALL, ex(X::Distance)),
    free("dot2add", "a b acc", &[i(vec(2, Class::Half)), i(T0), i(FLOAT)], FLOAT, ALL, op(Op::dot2add)).sm(4),
    free("dot4add_i8packed", "a b acc", &[i(UINT), i(UINT), i(INT)], INT, ALL, op(Op::dot4add_i8)).sm(4),
    free("dot4add_u8packed", "a b acc", &[i(UINT), i(UINT), i(UINT)], UINT, ALL, op(Op::dot4add_u8)).sm(4),
    free("dot", "a b", &[i(Pat::Num(Shape::Vec(Dim::C), Class::Numeric)), i(T0)], ELEM0, ALL, ex(X::Dot)),
    free("dst", "a b", &[i(vec(4, Class::Numeric)), i(T0)], T0, ALL, ex(X::Dst)),
    unary("exp", FLOATS1, ex(X::Exp)),
    unary("exp2", FLOATS1, op(Op::exp2)),
    free("f16tof32", "x", &[i(Pat::Num(Shape::Any, Class::Uint))], like(0, Class::Float), ALL, op(Op::f16tof32)),
    free("f32tof16", "x", &[i(Pat::Num(Shape::Any, Class::Float))], like(0, Class::Uint), ALL, op(Op::f32tof16)),
    free("faceforward", "N I Ng", &[i(FLOAT_VEC), i(T0), i(T0)], T0, ALL, ex(X::FaceForward)),
    free("firstbithigh", "x", &[i(INTS)], like(0, Class::Uint), ALL, ex(X::FirstBitHigh)),
    free("firstbitlow", "x", &[i(INTS)], like(0, Class::Uint), ALL, op(Op::firstbit_lo)),
    unary("floor", FLOATS1, op(Op::floor)).constexpr(),
    free("fma", "a b c", &[i(Pat::Num(Shape::Any, Class::DoubleOnly)), i(T0), i(T0)], T0, ALL, op(Op::fma)),
    free("fmod", "a b", FLOATS2, T0, ALL, ex(X::Fmod)),
    unary("frac", FLOATS1, op(Op::frac)),
    free("frexp", "x exp", &[i(Pat::Num(Shape::Any, Class::Float)), o(T0)], T0, ALL, ex(X::Frexp)),
    free("isfinite", "x", FLOATS1, like(0, Class::Bool), ALL, op(Op::isfinite)),
    free("isinf", "x", FLOATS1, like(0, Class::Bool), ALL, op(Op::isinf)),
    free("isnan", "x", FLOATS1, like(0, Class::Bool), ALL, op(Op::isnan)),
    free("isnormal", "x", FLOATS1, like(0, Class::Bool), ALL, op(Op::isnormal)),
    free("ldexp", "x exp", FLOATS2, T0, ALL, ex(X::Ldexp)),
    free("length", "x", VEC1, ELEM0, ALL, ex(X::Length)),
    free("lerp", "a b s", FLOATS3, T0, ALL, ex(X::Lerp)),
    free("lit", "l h m", &[i(Pat::Num(Shape::Scalar, Class::FloatLike)), i(T0), i(T0)], Pat::Num(Shape::Vec(Dim::N(4)), Class::Like(0)), ALL, ex(X::Lit)),
    unary("log", FLOATS1, ex(X::Log)),
    unary("log10", FLOATS1, ex(X::Log10)),
    unary("log2", FLOATS1, op(Op::log2)),
    free("mad", "a b c", NUMERIC3, T0, ALL, by_class(Op::fmad, Op::imad, Op::imad)),
    free("max", "a b", NUMERIC2, T0, ALL, by_class(Op::fmax, Op::smax, Op::umax)).constexpr(),
    free("min", "a b", NUMERIC2, T0, ALL, by_class(Op::fmin, Op::smin, Op::umin)).constexpr(),
    free("modf", "x ip", &[i(FLOATS), o(T0)], T0, ALL, ex(X::Modf)),
    free("msad4", "reference source accum", &[i(UINT), i(vec(2, Class::Uint)), i(vec(4, Class::Uint))], vec(4, Class::Uint), ALL, ex(X::Msad4)),
    mul(&[num(Shape::Scalar), num0(Shape::Scalar)], prod(Shape::Scalar)),
    mul(&[num(Shape::Scalar), num0(Shape::Vec(Dim::C2))], prod(Shape::Vec(Dim::C2))),
    mul(&[num(Shape::Scalar), num0(Shape::Mat(Dim::R2, Dim::C2))], prod(Shape::Mat(Dim::R2, Dim::C2))),
    mul(&[num(Shape::Vec(Dim::C)), num0(Shape::Scalar)], prod(Shape::Vec(Dim::C))),
    mul(&[num(Shape::Vec(Dim::C)), num0(Shape::Vec(Dim::C))], prod(Shape::Scalar)),
    mul(&[num(Shape::Vec(Dim::C)), num0(Shape::Mat(Dim::C, Dim::C2))], prod(Shape::Vec(Dim::C2))),
    mul(&[num(Shape::Mat(Dim::R, Dim::C)), num0(Shape::Scalar)], prod(Shape::Mat(Dim::R, Dim::C))),
    mul(&[num(Shape::Mat(Dim::R, Dim::C)), num0(Shape::Vec(Dim::C))], prod(Shape::Vec(Dim::R))),
    mul(&[num(Shape::Mat(Dim::R, Dim::C)), num0(Shape::Mat(Dim::C, Dim::C2))], prod(Shape::Mat(Dim::R, Dim::C2))),
    free("normalize", "x", VEC1, T0, ALL, ex(X::Normalize)),
    free("or", "x y", &[i(Pat::Num(Shape::Any, Class::Bool)), i(T0)], T0, ALL, ex(X::BoolOr)),
    free("pack_s8", "v", &[i(vec(4, Class::AnyInt16Or32))], P32I8, ALL, ex(X::Pack(0))).sm(6),
    free("pack_u8", "v", &[i(vec(4, Class::AnyInt16Or32))], P32U8, ALL, ex(X::Pack(0))).sm(6),
    free("pack_clamp_s8", "v", &[i(vec(4, Class::SInt16Or32))], P32I8, ALL, ex(X::Pack(2))).sm(6),
    free("pack_clamp_u8", "v", &[i(vec(4, Class::SInt16Or32))], P32U8, ALL, ex(X::Pack(1))).sm(6),
    free("pow", "x y", FLOATS2, T0, ALL, ex(X::Pow)),
    unary("radians", FLOATS1, ex(X::Radians)),
    unary("rcp", ANY_FLOATS1, ex(X::Rcp)),
    free("reflect", "i n", VEC2, T0, ALL, ex(X::Reflect)),
    free("refract", "i n ri", &[i(FLOAT_VEC), i(T0), i(ELEM0)], T0, ALL, ex(X::Refract)),
    unary("reversebits", &[i(INTS)], op(Op::bfrev)),
    unary("round", FLOATS1, op(Op::round_ne)),
    unary("rsqrt", FLOATS1, op(Op::rsqrt)),
    unary("saturate", ANY_FLOATS1, op(Op::saturate)),
    free("select", "cond t f", &[i(Pat::Num(Shape::Any, Class::Bool)), i(Pat::Num(Shape::Like(0), Class::Any)), i(T1)], T1, ALL, ex(X::Select)),
    free("select", "cond t f", &[i(BOOL), SAMPLER, SAMPLER], T1, ALL, ex(X::Select)),
    free("select", "cond t f", &[i(BOOL), COMPARING, COMPARING], T1, ALL, ex(X::Select)),
    free("sign", "x", NUMERIC1, like(0, Class::Int), ALL, ex(X::Sign)),
    unary("sin", FLOATS1, op(Op::sin)),
    free("sincos", "x s c", &[i(FLOATS), o(T0), o(T0)], VOID, ALL, ex(X::SinCos)),
    unary("sinh", FLOATS1, op(Op::sinh)),
    free("smoothstep", "a b x", FLOATS3, T0, ALL, ex(X::SmoothStep)),
    unary("sqrt", FLOATS1, op(Op::sqrt)).constexpr(),
    free("step", "a x", FLOATS2, T0, ALL, ex(X::Step)),
    unary("tan", FLOATS1, op(Op::tan)),
    unary("tanh", FLOATS1, op(Op::tanh)),
    free("transpose", "m", &[i(Pat::Num(Shape::Mat(Dim::R, Dim::C), Class::Any))], Pat::Num(Shape::Mat(Dim::C, Dim::R), Class::Like(0)), ALL, ex(X::Transpose)),
    unary("trunc", FLOATS1, op(Op::trunc)),
    free("unpack_s8s16", "pk", &[i(P32I8)], vec(4, Class::Int16), ALL, ex(X::Unpack(1))).sm(6),
    free("unpack_s8s32", "pk", &[i(P32I8)], vec(4, Class::Int), ALL, ex(X::Unpack(1))).sm(6),
    free("unpack_u8u16", "pk", &[i(P32U8)], vec(4, Class::Uint16), ALL, ex(X::Unpack(0))).sm(6),
    free("unpack_u8u32", "pk", &[i(P32U8)], vec(4, Class::Uint), ALL, ex(X::Unpack(0))).sm(6),
];
