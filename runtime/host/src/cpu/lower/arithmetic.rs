//! Arithmetic operations: lowered to LLVM instructions and intrinsics, on scalars and vectors alike.
//!
//! Multiply-adds and dot products round the product before the addition; Direct3D leaves this open. So a shader computes the same
//! on processors with and without FMA, and the same as software devices.

use rtc_base::half;
use rtc_dxil_module::{BinOp, Builder, CastOp, CmpPred, ConstKind, Type, TypeKind, Value};
use rtc_tables::dxil_ops::{DxOp, DxilOp, op};

/// Operations that are an LLVM intrinsic, with its name.
const INTRINSICS: &[(DxOp, &str)] = &[
    (op::FABS, "fabs"),
    (op::COS, "cos"),
    (op::SIN, "sin"),
    (op::TAN, "tan"),
    (op::ACOS, "acos"),
    (op::ASIN, "asin"),
    (op::ATAN, "atan"),
    (op::HCOS, "cosh"),
    (op::HSIN, "sinh"),
    (op::HTAN, "tanh"),
    (op::EXP, "exp2"),
    (op::LOG, "log2"),
    (op::SQRT, "sqrt"),
    (op::ROUND_NE, "roundeven"),
    (op::ROUND_NI, "floor"),
    (op::ROUND_PI, "ceil"),
    (op::ROUND_Z, "trunc"),
    (op::FMAX, "maxnum"),
    (op::FMIN, "minnum"),
    (op::FMA, "fma"),
    (op::BFREV, "bitreverse"),
];

/// Integer operations that select an operand by a comparison.
const PICKS: &[(DxOp, CmpPred)] =
    &[(op::IMAX, CmpPred::ISgt), (op::IMIN, CmpPred::ISlt), (op::UMAX, CmpPred::IUgt), (op::UMIN, CmpPred::IUlt)];

/// The value of an operation, if it is arithmetic. `ty` is its result type.
pub fn inline(op: &DxilOp, b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    if let Some((_, name)) = INTRINSICS.iter().find(|i| i.0 == op.opcode) {
        return Some(intrinsic(b, name, ty, args));
    }
    if let (Some((_, pred)), [x, y]) = (PICKS.iter().find(|p| p.0 == op.opcode), args) {
        let first = b.cmp(*pred, *x, *y, 0);
        return Some(b.select(first, *x, *y));
    }
    match (op.opcode, args) {
        (op::SATURATE, &[x]) => {
            let (zero, one) = (number(b, ty, 0.0), number(b, ty, 1.0));
            let low = intrinsic(b, "maxnum", ty, &[x, zero]);
            Some(intrinsic(b, "minnum", ty, &[low, one]))
        }
        (op::FRC, &[x]) => {
            let whole = intrinsic(b, "floor", ty, &[x]);
            Some(b.binary(BinOp::Sub, x, whole, 0))
        }
        (op::RSQRT, &[x]) => {
            let one = number(b, ty, 1.0);
            let root = intrinsic(b, "sqrt", ty, &[x]);
            Some(b.binary(BinOp::SDiv, one, root, 0))
        }
        (op::IS_NAN, &[x]) => Some(b.cmp(CmpPred::Uno, x, x, 0)),
        (op::IS_INF | op::IS_FINITE, &[x]) => {
            let from = b.type_of(x);
            let (size, most) = (intrinsic(b, "fabs", from, &[x]), number(b, from, f64::INFINITY));
            let pred = if op.opcode == op::IS_INF { CmpPred::OEq } else { CmpPred::OLt };
            Some(b.cmp(pred, size, most, 0))
        }
        (op::FMAD | op::IMAD | op::UMAD, &[x, y, z]) => {
            let product = b.binary(BinOp::Mul, x, y, 0);
            Some(b.binary(BinOp::Add, product, z, 0))
        }
        (op::DOT2 | op::DOT3 | op::DOT4, args) => {
            let (left, right) = args.split_at(args.len() / 2);
            let mut sum = b.binary(BinOp::Mul, left[0], right[0], 0);
            for (&x, &y) in left.iter().zip(right).skip(1) {
                let product = b.binary(BinOp::Mul, x, y, 0);
                sum = b.binary(BinOp::Add, sum, product, 0);
            }
            Some(sum)
        }
        (op::FDOT, &[x, y]) => {
            let from = b.type_of(x);
            let TypeKind::Vector { len, .. } = b.module.types[from] else { return None };
            let mut sum = None;
            for n in 0..len {
                let n = b.module.i32(n as i32);
                let (left, right) = (b.extract_element(x, n), b.extract_element(y, n));
                let product = b.binary(BinOp::Mul, left, right, 0);
                sum = Some(match sum {
                    None => product,
                    Some(sum) => b.binary(BinOp::Add, sum, product, 0),
                });
            }
            sum
        }
        (op::COUNTBITS, &[x]) => {
            let from = b.type_of(x);
            let count = intrinsic(b, "ctpop", from, &[x]);
            Some(resize(b, count, ty))
        }
        (
            op::BITCAST_I16_TO_F16
            | op::BITCAST_F16_TO_I16
            | op::BITCAST_I32_TO_F32
            | op::BITCAST_F32_TO_I32
            | op::BITCAST_I64_TO_F64
            | op::BITCAST_F64_TO_I64,
            &[x],
        ) => Some(b.cast(CastOp::BitCast, x, ty)),
        _ => None,
    }
}

/// Zero-extends or truncates an integer or integer vector.
fn resize(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    let from = b.type_of(value);
    let bits = |b: &Builder<'_>, ty: Type| match b.module.types[b.module.types.scalar(ty)] {
        TypeKind::Int(n) => n,
        _ => 0,
    };
    match bits(b, from).cmp(&bits(b, ty)) {
        std::cmp::Ordering::Less => b.cast(CastOp::ZExt, value, ty),
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => b.cast(CastOp::Trunc, value, ty),
    }
}

/// A call of `llvm.<name>` on operands of type `ty`.
pub fn intrinsic(b: &mut Builder<'_>, name: &str, ty: Type, args: &[Value]) -> Value {
    let mut full = format!("llvm.{name}.");
    suffix(b, ty, &mut full);
    let callee = match b.module.find_function(&full) {
        Some(f) => f,
        None => {
            let params: Vec<Type> = args.iter().map(|&v| b.type_of(v)).collect();
            let of = b.module.types.function(ty, &params);
            b.module.add_function(&full, of)
        }
    };
    b.call(callee, args)
}

/// Appends the mangled name of a type in an intrinsic's name.
pub fn suffix(b: &Builder<'_>, ty: Type, out: &mut String) {
    match b.module.types[ty] {
        TypeKind::Half => out.push_str("f16"),
        TypeKind::Float => out.push_str("f32"),
        TypeKind::Double => out.push_str("f64"),
        TypeKind::Int(bits) => out.push_str(&format!("i{bits}")),
        TypeKind::Vector { elem, len } => {
            out.push_str(&format!("v{len}"));
            suffix(b, elem, out);
        }
        _ => {}
    }
}

/// A float constant in every component.
pub fn number(b: &mut Builder<'_>, ty: Type, value: f64) -> Value {
    let scalar = b.module.types.scalar(ty);
    let (bits, width) = match b.module.types[scalar] {
        TypeKind::Half => (half::from_f64(value).into(), 16),
        TypeKind::Float => (u64::from((value as f32).to_bits()), 32),
        _ => (value.to_bits(), 64),
    };
    splat(b, ty, scalar, bits, width, true)
}

/// An integer constant in every component.
pub fn whole(b: &mut Builder<'_>, ty: Type, value: i64) -> Value {
    let scalar = b.module.types.scalar(ty);
    let width = match b.module.types[scalar] {
        TypeKind::Int(n) => n,
        _ => 32,
    };
    let bits = if width >= 64 { value as u64 } else { value as u64 & ((1 << width) - 1) };
    splat(b, ty, scalar, bits, width, false)
}

fn splat(b: &mut Builder<'_>, ty: Type, scalar: Type, bits: u64, width: u32, float: bool) -> Value {
    match b.module.types[ty] {
        TypeKind::Vector { len, .. } if width >= 8 => Value::Const(
            b.module.consts.intern(ty, if bits == 0 { ConstKind::Null } else { ConstKind::Data(vec![bits; len as usize].into()) }),
        ),
        _ if float => Value::Const(b.module.consts.float_bits(scalar, bits)),
        _ => b.module.const_int(width, sign(bits, width)),
    }
}

fn sign(bits: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((bits << shift) as i64) >> shift
}
