//! Inline SPIR-V: declared functions that stand for an instruction, variables of a storage class, types made of an
//! instruction, and what a module requires besides. Opaque to every pass; only the SPIR-V back end reads it.
//!
//! An instruction is a function that is declared only: what holds of a function of another library holds of it (references
//! escape, it may do anything), except that it does not reorder threads unless [`runs_shaders`](InlineInst::runs_shaders).

use std::collections::{BTreeMap, BTreeSet};

use rtc_base::Span;
use rtc_tables::inline_spirv;

use crate::Type;

/// What a call of a declared function is, if it is no function of another library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineInst {
    /// The instruction.
    pub action: InlineAction,
    /// Its operands after result type and result.
    pub operands: Vec<InlineOperand>,
    /// The result, which is put into the last reference argument, is a matrix: there it is an array of its rows.
    pub matrix_result: bool,
}

/// Which instruction.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum InlineAction {
    /// An instruction of SPIR-V itself: its opcode.
    Core(u32),
    /// An instruction of an extended set: its name and the number in it.
    Extended(String, u32),
    /// A line of debug output in this format, with the operands as its arguments.
    Print(String),
    /// An execution mode of the entry points that reach the call; its operands are literals or, if true, constants.
    ExecutionMode(u32, bool),
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum InlineOperand {
    /// The next value argument; of a resource, its loaded descriptor.
    Value,
    /// The pointer to the place that is the next reference argument.
    Place,
    /// The value in the place that is the next reference argument.
    Loaded,
    /// The matrix in the place that is the next reference argument: an array of its rows.
    Matrix,
    /// The pointer to a number of this type in a buffer: the next three value arguments are handle, element and byte.
    Element(Type),
    /// The pointer to a number of this type at the 64-bit address that is the next value argument.
    Address(Type),
    /// The pointer to the descriptor of the resource that is the next value argument.
    Descriptor,
    /// A word.
    Literal(u32),
}

impl InlineInst {
    /// Whether other shaders may run, or the thread may go on in another wave.
    pub fn runs_shaders(&self) -> bool {
        matches!(self.action, InlineAction::Core(op) if inline_spirv::runs_shaders(op))
    }
}

/// A decoration with its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decoration {
    /// Where the source says it.
    pub span: Span,
    /// Its number.
    pub number: u32,
    /// Its operands.
    pub operands: DecorationOperands,
}

/// The operands of a decoration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DecorationOperands {
    /// Literals.
    Words(Vec<u32>),
    /// Constants of 32 bits.
    Ids(Vec<u32>),
    /// Strings.
    Texts(Vec<String>),
}

/// A variable of a storage class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineVariable {
    /// Its type.
    pub ty: Type,
    /// The number of the storage class.
    pub class: u32,
}

/// A type made of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineType {
    /// The opcode.
    pub opcode: u32,
    /// Its operands.
    pub operands: Vec<InlineTypeOperand>,
    /// Bytes in memory; 0 for what is never in memory.
    pub size: u32,
    /// Alignment in memory.
    pub align: u32,
    /// Where the source names it first.
    pub span: Span,
}

/// An operand of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum InlineTypeOperand {
    /// A type.
    Type(Type),
    /// A word.
    Literal(u32),
    /// A constant of a scalar type.
    Constant(Type, u64),
}

/// What a module requires besides what its instructions require.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Requirements {
    /// Capabilities by number, with the place that asks for each.
    pub capabilities: BTreeMap<u32, Span>,
    /// Extensions by name.
    pub extensions: BTreeSet<String>,
}

impl Requirements {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.capabilities.is_empty() && self.extensions.is_empty()
    }

    /// Adds those of `other`.
    pub fn add(&mut self, other: &Requirements) {
        for (&c, &at) in &other.capabilities {
            self.capabilities.entry(c).or_insert(at);
        }
        self.extensions.extend(other.extensions.iter().cloned());
    }
}
