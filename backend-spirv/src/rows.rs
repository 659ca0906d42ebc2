//! The instruction selection table: IR instructions that are one SPIR-V instruction with the same operands in the same
//! order. Those that require more are in `emit/`.

use rtc_ir::Opcode;
use spirv::{GlslStd450Op as GLOp, Op};

/// How one IR instruction is computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Row {
    /// A core instruction.
    Core(Op),
    /// A core instruction for integers, and another for booleans.
    IntOrBool(Op, Op),
    /// An instruction of `GLSL.std.450`.
    Glsl(GLOp),
}

use Row::{Core, Glsl, IntOrBool};

/// The row of `op`.
#[rustfmt::skip]
pub const fn row(op: Opcode) -> Option<Row> {
    use Opcode as O;
    Some(match op {
        O::fadd => Core(Op::FAdd),
        O::fsub => Core(Op::FSub),
        O::fmul => Core(Op::FMul),
        O::fdiv => Core(Op::FDiv),
        O::frem => Core(Op::FRem),
        O::fneg => Core(Op::FNegate),
        O::fabs => Glsl(GLOp::FAbs),
        O::fmin => Glsl(GLOp::NMin),
        O::fmax => Glsl(GLOp::NMax),
        O::fma => Glsl(GLOp::Fma),
        O::floor => Glsl(GLOp::Floor),
        O::ceil => Glsl(GLOp::Ceil),
        O::trunc => Glsl(GLOp::Trunc),
        O::round_ne => Glsl(GLOp::RoundEven),
        O::frac => Glsl(GLOp::Fract),
        O::sqrt => Glsl(GLOp::Sqrt),
        O::rsqrt => Glsl(GLOp::InverseSqrt),
        O::exp2 => Glsl(GLOp::Exp2),
        O::log2 => Glsl(GLOp::Log2),
        O::sin => Glsl(GLOp::Sin),
        O::cos => Glsl(GLOp::Cos),
        O::tan => Glsl(GLOp::Tan),
        O::asin => Glsl(GLOp::Asin),
        O::acos => Glsl(GLOp::Acos),
        O::atan => Glsl(GLOp::Atan),
        O::sinh => Glsl(GLOp::Sinh),
        O::cosh => Glsl(GLOp::Cosh),
        O::tanh => Glsl(GLOp::Tanh),
        O::isnan => Core(Op::IsNan),
        O::isinf => Core(Op::IsInf),
        O::dot => Core(Op::Dot),
        O::iadd => Core(Op::IAdd),
        O::isub => Core(Op::ISub),
        O::imul => Core(Op::IMul),
        O::sdiv => Core(Op::SDiv),
        O::udiv => Core(Op::UDiv),
        O::urem => Core(Op::UMod),
        O::ineg => Core(Op::SNegate),
        O::smin => Glsl(GLOp::SMin),
        O::smax => Glsl(GLOp::SMax),
        O::umin => Glsl(GLOp::UMin),
        O::umax => Glsl(GLOp::UMax),
        O::and => IntOrBool(Op::BitwiseAnd, Op::LogicalAnd),
        O::or => IntOrBool(Op::BitwiseOr, Op::LogicalOr),
        O::xor => IntOrBool(Op::BitwiseXor, Op::LogicalNotEqual),
        O::not => IntOrBool(Op::Not, Op::LogicalNot),
        O::bfrev => Core(Op::BitReverse),
        O::countbits => Core(Op::BitCount),
        O::firstbit_lo => Glsl(GLOp::FindILsb),
        O::firstbit_hi => Glsl(GLOp::FindUMsb),
        O::firstbit_shi => Glsl(GLOp::FindSMsb),
        O::feq => Core(Op::FOrdEqual),
        O::fne => Core(Op::FUnordNotEqual),
        O::flt => Core(Op::FOrdLessThan),
        O::fle => Core(Op::FOrdLessThanEqual),
        O::fgt => Core(Op::FOrdGreaterThan),
        O::fge => Core(Op::FOrdGreaterThanEqual),
        O::ieq => IntOrBool(Op::IEqual, Op::LogicalEqual),
        O::ine => IntOrBool(Op::INotEqual, Op::LogicalNotEqual),
        O::slt => Core(Op::SLessThan),
        O::sle => Core(Op::SLessThanEqual),
        O::sgt => Core(Op::SGreaterThan),
        O::sge => Core(Op::SGreaterThanEqual),
        O::ult => Core(Op::ULessThan),
        O::ule => Core(Op::ULessThanEqual),
        O::ugt => Core(Op::UGreaterThan),
        O::uge => Core(Op::UGreaterThanEqual),
        O::fconv => Core(Op::FConvert),
        O::ftos => Core(Op::ConvertFToS),
        O::ftou => Core(Op::ConvertFToU),
        O::stof => Core(Op::ConvertSToF),
        O::utof => Core(Op::ConvertUToF),
        O::itrunc => Core(Op::UConvert),
        _ => return None,
    })
}
