//! Checks of inline SPIR-V against the grammar: that an instruction is allowed inside a function, has or has no result, and that its
//! operands are ids and literals where the grammar requires them. What the grammar does not know is emitted as written, with a warning.

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, LogicalOperand, OperandKind, OperandQuantifier, reflect};
use spirv::Op;

use crate::words::{AsOperand, Id, Operand as WordOperand};

/// An operand after result type and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// An id that is no number's: of a type, a pointer, a composite.
    Id(WordOperand),
    /// The id of a number.
    Number(Id, Number),
    /// A word of a literal.
    Word(u32),
}

impl AsOperand for Operand {
    fn operand(self) -> WordOperand {
        match self {
            Operand::Id(id) => id,
            Operand::Number(id, _) => id.operand(),
            Operand::Word(word) => WordOperand::Literal(word),
        }
    }
}

/// A number as an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// A constant of 32 bits, an integer.
    Constant(u32),
    /// An integer of 32 bits.
    Integer,
    /// Another number, or several.
    Other,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The instruction cannot be emitted.
    Error(String),
    /// It is not known whether it can.
    Unknown(String),
}

/// The row of an instruction, if the grammar has one. The table's own search is linear, and in builds with debug assertions each instruction
/// that is written is looked up.
pub fn row(opcode: u32) -> Option<&'static Instruction<'static>> {
    static ROWS: LazyLock<Vec<Option<&'static Instruction<'static>>>> = LazyLock::new(|| {
        let mut rows = Vec::new();
        for row in INSTRUCTION_TABLE.iter() {
            let at = row.opcode as usize;
            rows.resize(rows.len().max(at + 1), None);
            // Of several names for one instruction the first counts.
            rows[at].get_or_insert(row);
        }
        rows
    });
    ROWS.get(opcode as usize).copied().flatten()
}

/// Whether the instruction makes a constant, which belongs to the module.
pub fn is_constant(opcode: u32) -> bool {
    row(opcode).is_some_and(|r| is_constant_name(r.opname)) || opcode == Op::Undef as u32
}

fn is_constant_name(name: &str) -> bool {
    name.starts_with("Constant")
}

/// Why an instruction is not allowed inside a function.
fn misplaced(r: &Instruction<'_>) -> Option<&'static str> {
    use Op as O;
    let name = r.opname;
    if reflect::is_block_terminator(r.opcode)
        || matches!(r.opcode, O::Label | O::Phi | O::SelectionMerge | O::LoopMerge | O::LifetimeStart | O::LifetimeStop)
    {
        return Some("control flow is the compiler's");
    }
    if name.starts_with("Type") || name.starts_with("SpecConstant") {
        return Some("it declares something of the module");
    }
    let of_module = matches!(
        r.opcode,
        O::Function
            | O::FunctionParameter
            | O::FunctionEnd
            | O::FunctionCall
            | O::Variable
            | O::UntypedVariableKHR
            | O::Source
            | O::SourceContinued
            | O::SourceExtension
            | O::Name
            | O::MemberName
            | O::String
            | O::Line
            | O::NoLine
            | O::ModuleProcessed
            | O::Extension
            | O::ExtInstImport
            | O::MemoryModel
            | O::EntryPoint
            | O::ExecutionMode
            | O::ExecutionModeId
            | O::Capability
    );
    let decorates = name.contains("Decorate") || name == "DecorationGroup";
    if of_module || decorates {
        return Some("it declares something of the module");
    }
    (matches!(r.opcode, O::ExtInst | O::ExtInstWithForwardRefsKHR)).then_some("name the instruction set in the attribute instead")
}

/// Checks an instruction with these operands; `result`: whether the function that stands for it returns something.
///
/// # Errors
/// What is wrong.
pub fn core(opcode: u32, result: bool, operands: &[Operand]) -> Result<(), Fault> {
    let Some(r) = row(opcode) else {
        if opcode == 0 || opcode > 0xffff {
            return Err(Fault::Error(format!("{opcode} is no opcode of an instruction")));
        }
        return Err(Fault::Unknown(format!("the instruction {opcode} is unknown to this compiler: it is emitted as written")));
    };
    let name = format!("Op{}", r.opname);
    if let Some(why) = misplaced(r) {
        return Err(Fault::Error(format!("`{name}` cannot be inline SPIR-V: {why}")));
    }
    let has_type = r.operands.iter().any(|o| o.kind == OperandKind::IdResultType);
    match (has_type, result) {
        (true, false) => return Err(Fault::Error(format!("`{name}` has a result, and the function that stands for it returns nothing"))),
        (false, true) => {
            return Err(Fault::Error(format!("`{name}` has no result, and the function that stands for it returns something")));
        }
        _ => {}
    }
    let rest = r.operands.iter().position(|o| !is_result(o.kind)).unwrap_or(r.operands.len());
    list(&name, &r.operands[rest..], operands)
}

/// Checks the operands of a type.
///
/// # Errors
/// What is wrong.
pub fn of_type(opcode: u32, operands: &[Operand]) -> Result<(), Fault> {
    let Some(r) = row(opcode) else {
        return Err(Fault::Unknown(format!("the type {opcode} is unknown to this compiler: it is emitted as written")));
    };
    let name = format!("Op{}", r.opname);
    if !r.opname.starts_with("Type") || r.opcode == Op::TypeForwardPointer {
        return Err(Fault::Error(format!("`{name}` is no type")));
    }
    list(&name, &r.operands[1..], operands)
}

/// Checks an instruction of an extended set.
///
/// # Errors
/// What is wrong.
pub fn extended(set: &str, number: u32, operands: &[Operand]) -> Result<(), Fault> {
    use rspirv::grammar as g;
    if let Some(n) = operands.iter().position(|o| matches!(o, Operand::Word(_))) {
        let n = n + 1;
        return Err(Fault::Error(format!("operand {n} is a literal, and instructions of `{set}` take values only")));
    }
    let table = match set {
        "GLSL.std.450" => &g::GLSL_STD_450_INSTRUCTION_TABLE,
        "SPV_AMD_gcn_shader" => &g::SPV_AMD_GCN_SHADER_INSTRUCTION_TABLE,
        "SPV_AMD_shader_ballot" => &g::SPV_AMD_SHADER_BALLOT_INSTRUCTION_TABLE,
        "SPV_AMD_shader_explicit_vertex_parameter" => &g::SPV_AMD_SHADER_EXPLICIT_VERTEX_PARAMETER_INSTRUCTION_TABLE,
        "SPV_AMD_shader_trinary_minmax" => &g::SPV_AMD_SHADER_TRINARY_MINMAX_INSTRUCTION_TABLE,
        "OpenCL.std" => return Err(Fault::Error("the instruction set `OpenCL.std` does not exist for shaders".into())),
        _ if set.starts_with("NonSemantic.") => return Ok(()),
        _ => return Err(Fault::Unknown(format!("the instruction set `{set}` is unknown to this compiler: it is emitted as written"))),
    };
    let Some(r) = table.lookup_opcode(number) else {
        return Err(Fault::Error(format!("the instruction set `{set}` has no instruction {number}")));
    };
    list(&format!("{} of {set}", r.opname), r.operands, operands)
}

fn is_result(k: OperandKind) -> bool {
    matches!(k, OperandKind::IdResultType | OperandKind::IdResult)
}

pub(crate) fn is_id(k: OperandKind) -> bool {
    use OperandKind as K;
    matches!(k, K::IdRef | K::IdScope | K::IdMemorySemantics | K::IdResultType | K::IdResult)
}

/// Whether the enumeration of this kind has the number; of what is no enumeration, any.
fn has_enumerant(k: OperandKind, n: u32) -> bool {
    use OperandKind as K;
    match k {
        K::GroupOperation => spirv::GroupOperation::from_u32(n).is_some(),
        K::Dim => spirv::Dim::from_u32(n).is_some(),
        K::ImageFormat => spirv::ImageFormat::from_u32(n).is_some(),
        K::AccessQualifier => spirv::AccessQualifier::from_u32(n).is_some(),
        K::PackedVectorFormat => spirv::PackedVectorFormat::from_u32(n).is_some(),
        K::StorageClass => spirv::StorageClass::from_u32(n).is_some(),
        K::SamplerAddressingMode => spirv::SamplerAddressingMode::from_u32(n).is_some(),
        K::SamplerFilterMode => spirv::SamplerFilterMode::from_u32(n).is_some(),
        _ => true,
    }
}

/// What is wrong with a number as an operand of this kind. Of operands that are ids the grammar says no more.
fn misused(k: OperandKind, number: Number) -> Option<String> {
    let (what, valid): (_, fn(u32) -> bool) = match k {
        OperandKind::IdScope => ("Scope", |n| spirv::Scope::from_u32(n).is_some()),
        OperandKind::IdMemorySemantics => ("MemorySemantics", |n| spirv::MemorySemantics::from_bits(n).is_some()),
        _ => return None,
    };
    match number {
        Number::Constant(n) if !valid(n) => Some(format!("is {n}, which is no `{what}`")),
        Number::Other => Some(format!("is a `{what}`, an integer of 32 bits")),
        Number::Constant(_) | Number::Integer => None,
    }
}

/// Whether operands of this kind may bring others along: then what follows is not checked.
pub(crate) fn brings_others(k: OperandKind) -> bool {
    use OperandKind as K;
    matches!(
        k,
        K::LoopControl
            | K::ExecutionMode
            | K::Decoration
            | K::TensorAddressingOperands
            | K::TensorOperands
            | K::RawAccessChainOperands
            | K::MatrixMultiplyAccumulateOperands
            | K::LiteralString
            | K::LiteralContextDependentNumber
            | K::LiteralSpecConstantOpInteger
            | K::PairLiteralIntegerIdRef
            | K::PairIdRefLiteralInteger
            | K::PairIdRefIdRef
    )
}

/// The operands that a mask with these bits brings along; none if it has unknown bits. Of what is no mask, nothing.
fn brought(k: OperandKind, bits: u32) -> Option<Vec<LogicalOperand>> {
    use OperandKind as K;
    use rspirv::dr::Operand as O;
    let mask = match k {
        K::MemoryAccess => O::MemoryAccess(spirv::MemoryAccess::from_bits(bits)?),
        K::ImageOperands => O::ImageOperands(spirv::ImageOperands::from_bits(bits)?),
        K::CooperativeMatrixOperands => O::CooperativeMatrixOperands(spirv::CooperativeMatrixOperands::from_bits(bits)?),
        _ => return Some(Vec::new()),
    };
    Some(mask.additional_operands())
}

fn list(name: &str, wanted: &[LogicalOperand], given: &[Operand]) -> Result<(), Fault> {
    let error = |text: String| Err(Fault::Error(text));
    let needed = wanted.iter().filter(|w| w.quantifier == OperandQuantifier::One).count();
    let mut wanted: std::collections::VecDeque<LogicalOperand> = wanted.iter().cloned().collect();
    let mut at = 0;
    while let Some(w) = wanted.pop_front() {
        let Some(o) = given.get(at) else {
            return match w.quantifier {
                OperandQuantifier::One => error(format!("`{name}` takes at least {} operands, and has {at}", needed.max(at + 1))),
                _ => Ok(()),
            };
        };
        if brings_others(w.kind) {
            return Ok(());
        }
        let n = at + 1;
        match (is_id(w.kind), o) {
            (true, Operand::Word(_)) => {
                return error(format!("operand {n} of `{name}` is a value, not a literal: leave `[[vk::ext_literal]]` out"));
            }
            (false, Operand::Id(_) | Operand::Number(..)) => {
                return error(format!("operand {n} of `{name}` is a literal: mark the parameter `[[vk::ext_literal]]`"));
            }
            (false, &Operand::Word(value)) => match brought(w.kind, value) {
                Some(more) if has_enumerant(w.kind, value) => more.into_iter().rev().for_each(|o| wanted.push_front(o)),
                _ => return error(format!("operand {n} of `{name}` is {value}, which is no `{:?}`", w.kind)),
            },
            (true, &Operand::Number(_, number)) => {
                if let Some(why) = misused(w.kind, number) {
                    return error(format!("operand {n} of `{name}` {why}"));
                }
            }
            (true, Operand::Id(_)) => {}
        }
        at += 1;
        if w.quantifier == OperandQuantifier::ZeroOrMore {
            wanted.push_front(w);
        }
    }
    match given.len() {
        n if n > at => error(format!("`{name}` takes at most {at} operands, and has {n}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_table() {
        for opcode in 0..8192 {
            let row = row(opcode).map(|r| r.opname);
            assert_eq!(row, INSTRUCTION_TABLE.lookup_opcode(opcode).map(|r| r.opname), "{opcode}");
        }
    }

    fn id(n: u32) -> Operand {
        Operand::Id(Id::from_word(n).operand())
    }

    fn fault(f: Result<(), Fault>) -> String {
        match f {
            Ok(()) => String::new(),
            Err(Fault::Error(t)) => format!("error: {t}"),
            Err(Fault::Unknown(t)) => format!("unknown: {t}"),
        }
    }

    #[test]
    fn operands_agree_with_the_grammar() {
        use Operand::Word;
        let add = Op::IAdd as u32;
        assert_eq!(fault(core(add, true, &[id(1), id(2)])), "");
        assert!(fault(core(add, true, &[id(1)])).contains("at least 2"));
        assert!(fault(core(add, true, &[id(1), id(2), id(3)])).contains("at most 2"));
        assert!(fault(core(add, false, &[id(1), id(2)])).contains("has a result"));
        assert!(fault(core(add, true, &[id(1), Word(2)])).contains("not a literal"));
        assert!(fault(core(Op::Store as u32, true, &[id(1), id(2)])).contains("no result"));
        let load = |operands: &[Operand]| fault(core(Op::Load as u32, true, operands));
        assert_eq!(load(&[id(1)]), "");
        assert_eq!(load(&[id(1), Word(2), Word(16)]), "");
        assert!(load(&[id(1), Word(2)]).contains("at least 3"));
        assert!(load(&[id(1), Word(0), Word(16)]).contains("at most 2"));
        assert!(load(&[id(1), Word(1 << 29)]).contains("no `MemoryAccess`"));
        assert!(fault(core(Op::ImageFetch as u32, true, &[id(1), id(2), Word(2)])).contains("at least 4"));
        assert_eq!(fault(core(Op::ImageFetch as u32, true, &[id(1), id(2), Word(2), id(3)])), "");
        assert!(fault(core(Op::GroupNonUniformIAdd as u32, true, &[id(1), id(2), id(3)])).contains("mark the parameter"));
        assert_eq!(fault(core(Op::GroupNonUniformIAdd as u32, true, &[id(1), Word(0), id(3)])), "");
        assert!(fault(core(Op::GroupNonUniformIAdd as u32, true, &[id(1), Word(777), id(3)])).contains("777, which is no"));
    }

    #[test]
    fn what_belongs_elsewhere_is_refused() {
        for op in [Op::Kill, Op::Branch, Op::Label, Op::Phi, Op::Variable, Op::Decorate, Op::TypeInt, Op::FunctionCall, Op::ExtInst] {
            assert!(fault(core(op as u32, false, &[])).starts_with("error: "), "{op:?}");
        }
        assert!(fault(core(0xfffe, false, &[])).starts_with("unknown: "));
        assert!(fault(core(0x1_0000, false, &[])).starts_with("error: "));
    }

    #[test]
    fn sets_have_their_instructions() {
        assert_eq!(fault(extended("GLSL.std.450", 13, &[id(1)])), "");
        assert!(fault(extended("GLSL.std.450", 13, &[])).contains("at least 1"));
        assert!(fault(extended("GLSL.std.450", 999, &[id(1)])).contains("no instruction 999"));
        assert!(fault(extended("nothing", 1, &[])).starts_with("unknown: "));
    }
}
