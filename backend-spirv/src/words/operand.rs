//! Ids, types and literals as types of their own, and the one place where they become words.
//!
//! A function that takes a type cannot be given a value, and neither can be given for a literal: that does not compile. A list of
//! operands says of each which it is, and [`put`] compares that with the grammar of SPIR-V in builds with debug assertions.

use std::num::NonZeroU32;

use rspirv::grammar::{OperandKind, OperandQuantifier};
use spirv::Op;

use crate::inline::check::{brings_others, is_id, row};

/// The id of what is no type: a value, a variable, a block, a function, an instruction set, a piece of debug information.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(NonZeroU32);

impl Id {
    /// The id that a word of finished code is.
    pub(crate) fn from_word(word: u32) -> Id {
        Id(NonZeroU32::new(word).unwrap_or_else(|| rtc_base::bug!("no id is 0")))
    }
    /// The id as a word, for code that looks at finished words.
    pub(crate) fn word(self) -> u32 {
        self.0.get()
    }
}

/// The id of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(Id);

impl TypeId {
    /// Makes `id` the id of a type.
    pub(super) fn new(id: Id) -> TypeId {
        TypeId(id)
    }
    /// The id of the type that a word of finished code is.
    pub(crate) fn from_word(word: u32) -> TypeId {
        TypeId(Id::from_word(word))
    }
    /// The id as a word, for code that looks at finished words.
    pub(crate) fn word(self) -> u32 {
        self.0.word()
    }
}

/// Names and decorations are for types too.
impl From<TypeId> for Id {
    fn from(ty: TypeId) -> Id {
        ty.0
    }
}

/// A word that is no id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Literal(pub u32);

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// An id that is no type's.
    Id(Id),
    /// The id of a type.
    Type(TypeId),
    /// A word that is no id.
    Literal(u32),
}

impl Operand {
    fn word(self) -> u32 {
        match self {
            Operand::Id(id) => id.word(),
            Operand::Type(ty) => ty.word(),
            Operand::Literal(word) => word,
        }
    }
}

/// What can be an operand.
pub trait AsOperand: Copy {
    /// The operand.
    fn operand(self) -> Operand;
}

impl AsOperand for Operand {
    fn operand(self) -> Operand {
        self
    }
}

impl AsOperand for Id {
    fn operand(self) -> Operand {
        Operand::Id(self)
    }
}

impl AsOperand for TypeId {
    fn operand(self) -> Operand {
        Operand::Type(self)
    }
}

impl AsOperand for Literal {
    fn operand(self) -> Operand {
        Operand::Literal(self.0)
    }
}

macro_rules! enumerants {
    ($($name:ident)*) => {
        $(impl AsOperand for spirv::$name {
            fn operand(self) -> Operand {
                Operand::Literal(self as u32)
            }
        })*
    };
}

enumerants! {
    AddressingModel BuiltIn Capability Decoration Dim ExecutionMode ExecutionModel GlslStd450Op GroupOperation ImageFormat MemoryModel
    NonsemanticShaderDebuginfo100Op PackedVectorFormat SourceLanguage StorageClass
}

macro_rules! masks {
    ($($name:ident)*) => {
        $(impl AsOperand for spirv::$name {
            fn operand(self) -> Operand {
                Operand::Literal(self.bits())
            }
        })*
    };
}

masks! { FunctionControl ImageOperands LoopControl MemoryAccess SelectionControl }

/// A list of operands of several kinds.
macro_rules! operands {
    ($($operand:expr),* $(,)?) => { [$($crate::words::AsOperand::operand($operand)),*] };
}
pub(crate) use operands;

/// No operands.
pub const NONE: &[Id] = &[];

/// Appends one instruction.
pub fn put(out: &mut Vec<u32>, op: Op, operands: &[impl AsOperand]) {
    put_number(out, op as u32, &[] as &[Id], operands);
}

/// Appends one instruction with a result type and a result.
pub fn put_result(out: &mut Vec<u32>, op: Op, ty: TypeId, id: Id, operands: &[impl AsOperand]) {
    put_number(out, op as u32, &operands![ty, id], operands);
}

/// Appends one instruction by its number. The first operands come apart.
pub fn put_number(out: &mut Vec<u32>, opcode: u32, first: &[impl AsOperand], rest: &[impl AsOperand]) {
    let all = || first.iter().map(|o| o.operand()).chain(rest.iter().map(|o| o.operand()));
    if cfg!(debug_assertions) {
        check(opcode, all());
    }
    out.push(((first.len() + rest.len() + 1) as u32) << 16 | opcode);
    out.extend(all().map(Operand::word));
}

/// The words of operands, as a key of instructions that are the same.
pub(super) fn words(operands: &[impl AsOperand]) -> impl Iterator<Item = u32> {
    operands.iter().map(|o| o.operand().word())
}

/// That operands are of the kinds that the grammar demands. What it does not know, or what depends on an operand before, is not looked at.
fn check(opcode: u32, operands: impl Iterator<Item = Operand>) {
    let Some(row) = row(opcode) else { return };
    let mut wanted = row.operands.iter().peekable();
    for (n, given) in operands.enumerate() {
        let Some(&kind) = wanted.peek() else { return };
        let fits = match kind.kind {
            k if brings_others(k) => return,
            OperandKind::IdResultType => matches!(given, Operand::Type(_)),
            k if is_id(k) => !matches!(given, Operand::Literal(_)),
            _ => matches!(given, Operand::Literal(_)),
        };
        if !fits {
            rtc_base::bug!("operand {n} of Op{} is {given:?}, and the grammar demands {:?}", row.opname, kind.kind);
        }
        // Others follow, by the bits of a mask or by the instruction set.
        if matches!(kind.kind, OperandKind::MemoryAccess | OperandKind::ImageOperands | OperandKind::LiteralExtInstInteger) {
            return;
        }
        if kind.quantifier != OperandQuantifier::ZeroOrMore {
            wanted.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u32) -> Id {
        Id::from_word(n)
    }

    #[test]
    fn the_words_follow_each_other() {
        let mut out = Vec::new();
        put_result(&mut out, Op::CompositeExtract, TypeId::new(id(1)), id(2), &operands![id(3), Literal(0)]);
        assert_eq!(out, [(5 << 16) | Op::CompositeExtract as u32, 1, 2, 3, 0]);
    }

    /// Whether an instruction with these operands is refused.
    fn refused(op: Op, operands: &[Operand]) -> bool {
        std::panic::catch_unwind(|| check(op as u32, operands.iter().copied())).is_err()
    }

    #[test]
    fn an_operand_of_another_kind_is_refused() {
        let ty = TypeId::new(id(1));
        assert!(!refused(Op::CompositeExtract, &operands![ty, id(2), id(3), Literal(0)]));
        assert!(refused(Op::CompositeExtract, &operands![ty, id(2), Literal(0), id(3)]));
        assert!(refused(Op::CompositeExtract, &operands![id(1), id(2), id(3), Literal(0)]));
        assert!(refused(Op::IAdd, &operands![ty, id(2), id(3), Literal(4)]));
        assert!(refused(Op::TypeVector, &operands![ty, id(2), id(3)]));
        assert!(refused(Op::TypeVector, &operands![ty, Literal(4), Literal(4)]));
    }
}
