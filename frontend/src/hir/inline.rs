//! Inline SPIR-V in the typed tree: what the attributes of namespace `vk` say of functions, variables and types.

use rtc_ir::inline::{Decoration, InlineAction, Requirements};

use super::{Const, Ty};

/// A function that is an instruction.
#[derive(Clone, Debug)]
pub struct InlineFunction {
    /// Which.
    pub action: InlineAction,
    /// What each parameter is.
    pub params: Vec<InlineParam>,
    /// Literals after the arguments.
    pub fixed: Vec<u32>,
    /// `[[vk::ext_type_def(n, opcode)]]`: a call gives `vk::ext_type<n>` its operands, and is no instruction.
    pub defines: Option<u32>,
}

/// What a parameter of an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlineParam {
    /// A value.
    Value,
    /// `[[vk::ext_literal]]`: words of the instruction.
    Literal,
    /// `[[vk::ext_reference]]`: a pointer.
    Reference,
}

/// A variable with attributes of inline SPIR-V.
#[derive(Clone, Debug, Default)]
pub struct InlineGlobal {
    /// `[[vk::ext_storage_class(n)]]`, or that of a built-in variable.
    pub class: Option<u32>,
    /// `[[vk::ext_decorate(…)]]` and its like.
    pub decorations: Vec<Decoration>,
    /// What its use requires.
    pub requirements: Requirements,
}

/// The words of a literal.
pub fn words(c: Const) -> Vec<u32> {
    let wide = c.scalar.bits() == 64;
    let low = match (c.as_int(), c.scalar.bits()) {
        // Narrow integers are extended with their sign.
        (Some(n), 16) => n as u32,
        _ => c.bits as u32,
    };
    if wide { vec![low, (c.bits >> 32) as u32] } else { vec![low] }
}

/// `vk::SpirvType<opcode, size, align, operands…>` or `vk::SpirvOpaqueType<opcode, operands…>`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SpirvType {
    /// The opcode.
    pub opcode: u32,
    /// Bytes in memory; 0 for what is never in memory.
    pub size: u32,
    /// Alignment in memory.
    pub align: u32,
    /// The operands.
    pub operands: Vec<SpirvTypeOperand>,
    /// The number of `vk::ext_type<n>`, which has its operands from a call.
    pub number: Option<u32>,
}

/// An operand of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpirvTypeOperand {
    /// A type.
    Type(Ty),
    /// `vk::integral_constant<T, n>`: a constant.
    Constant(Const),
    /// `vk::Literal<vk::integral_constant<T, n>>`: a literal.
    Literal(Const),
}
