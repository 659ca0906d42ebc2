//! The IR types of scalars and the IR opcodes of operators. Lowering and constant evaluation both select them here, so that
//! an operator means the same in a constant expression and at run time ([`rtc_ir::eval`] computes both).

use rtc_ir::Opcode;

use super::{BinaryOp, Scalar, UnaryOp};

impl Scalar {
    /// The IR type of its values. Literals have 64 bits.
    pub fn ir(self) -> rtc_ir::Scalar {
        use Scalar::*;
        use rtc_ir::Scalar as Ir;
        match self.computed() {
            Bool => Ir::Bool,
            Int16 | Uint16 | Min12Int | Min16Int | Min16Uint => Ir::I16,
            Int | Uint | Int8x4 | Uint8x4 => Ir::I32,
            Int64 | Uint64 | LitInt => Ir::I64,
            Float16 | Min10Float | Min16Float => Ir::F16,
            Half | Float => Ir::F32,
            _ => Ir::F64,
        }
    }
    /// One of three alternatives: for floats, signed integers, and unsigned integers and booleans.
    pub fn select<T>(self, float: T, signed: T, unsigned: T) -> T {
        match self {
            _ if self.is_float() => float,
            _ if self.is_signed() => signed,
            _ => unsigned,
        }
    }
}

impl BinaryOp {
    /// The opcode for operands of type `s`.
    pub fn opcode(self, s: Scalar) -> Opcode {
        use Opcode as O;
        match self {
            BinaryOp::Add => s.select(O::fadd, O::iadd, O::iadd),
            BinaryOp::Sub => s.select(O::fsub, O::isub, O::isub),
            BinaryOp::Mul => s.select(O::fmul, O::imul, O::imul),
            BinaryOp::Div => s.select(O::fdiv, O::sdiv, O::udiv),
            BinaryOp::Rem => s.select(O::frem, O::srem, O::urem),
            BinaryOp::Shl => O::shl,
            BinaryOp::Shr => s.select(O::lshr, O::ashr, O::lshr),
            BinaryOp::And => O::and,
            BinaryOp::Or => O::or,
            BinaryOp::Xor => O::xor,
            BinaryOp::Lt => s.select(O::flt, O::slt, O::ult),
            BinaryOp::Le => s.select(O::fle, O::sle, O::ule),
            BinaryOp::Gt => s.select(O::fgt, O::sgt, O::ugt),
            BinaryOp::Ge => s.select(O::fge, O::sge, O::uge),
            BinaryOp::Eq => s.select(O::feq, O::ieq, O::ieq),
            BinaryOp::Ne => s.select(O::fne, O::ine, O::ine),
        }
    }
    /// The type of the result for operands of type `s`.
    pub fn result(self, s: Scalar) -> Scalar {
        if self.is_comparison() { Scalar::Bool } else { s }
    }
}

impl UnaryOp {
    /// The opcode for an operand of type `s`.
    pub fn opcode(self, s: Scalar) -> Opcode {
        match self {
            UnaryOp::Neg => s.select(Opcode::fneg, Opcode::ineg, Opcode::ineg),
            UnaryOp::BitNot | UnaryOp::Not => Opcode::not,
        }
    }
}
