//! Instructions: one variant per operand format. Which opcodes use which format, and what they mean, is
//! [`rtc_tables::insts`].

use rtc_base::PackedOption;
use rtc_tables::insts::Opcode;

use crate::{Cases, Func, Global, Local, Place, Region, Slot, Value};

/// A list of values in the function's pool. Copying it copies the reference, not the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl ValueList {
    /// The list without values.
    pub const EMPTY: ValueList = ValueList { start: 0, len: 0 };
    /// How many values.
    pub fn len(self) -> usize {
        self.len as usize
    }
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A list of places in the function's pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlaceList {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The variable at the root of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A local variable or reference parameter.
    Local(Local),
    /// A payload, callable parameter or attribute slot.
    Slot(Slot),
    /// A variable of the module (groupshared, private or a table).
    Global(Global),
}

/// A step from an aggregate to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Field, array element or vector component of this number.
    At(u32),
    /// Array element or vector component numbered by the next index value of the instruction.
    Dyn,
}

/// A place in the sense of Rust's MIR: an access path, rooted at a local, slot or global, without its index values. Interned
/// per function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlaceData {
    /// The variable.
    pub root: Root,
    /// The steps into it.
    pub steps: smallvec::SmallVec<[Step; 4]>,
}

impl PlaceData {
    /// How many index values an instruction must give for it.
    pub fn dyn_count(&self) -> usize {
        self.steps.iter().filter(|s| **s == Step::Dyn).count()
    }
}

/// An instruction's opcode and operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the fields' names and types say it
pub enum InstData {
    /// No operands.
    Nullary { op: Opcode },
    /// One value.
    Unary { op: Opcode, arg: Value },
    /// Two values.
    Binary { op: Opcode, args: [Value; 2] },
    /// Three values.
    Ternary { op: Opcode, args: [Value; 3] },
    /// Values and an immediate.
    Many { op: Opcode, imm: u32, args: ValueList },
    /// A place; `args` are its index values, then the operands. `imm` is the [`AtomicOp`] of `var_atomic`.
    ///
    /// [`AtomicOp`]: rtc_tables::resources::AtomicOp
    Access { op: Opcode, imm: u32, place: Place, args: ValueList },
    /// `to := from`; `args` are the index values of `to`, then those of `from`.
    Copy { to: Place, from: Place, args: ValueList },
    /// A slot and values.
    Slot { op: Opcode, slot: Slot, args: ValueList },
    /// The handle of a resource; `index` if it is an array.
    Resource { global: Global, index: PackedOption<Value>, nonuniform: bool },
    /// Two regions.
    If { cond: Value, then_: Region, else_: Region },
    /// A region for each case and a default.
    Switch { on: Value, cases: Cases },
    /// `init` goes to the parameters of `body`; `continue`'s operands to those of `continuing`;
    /// `next`'s to those of `body` again.
    Loop { init: ValueList, body: Region, continuing: Region },
    /// One region.
    Block { body: Region },
    /// A call. `args`: one value for each value parameter, then the index values of `refs`; `refs`: one
    /// place for each reference parameter.
    Call { func: Func, args: ValueList, refs: PlaceList },
    /// The end of a region. `target`: the region that `break` and `continue` name. `imm`: how many operands
    /// of `next_if`, after the condition, go to the loop body.
    Exit { op: Opcode, imm: u32, target: PackedOption<Region>, args: ValueList },
}

const _: () = assert!(std::mem::size_of::<InstData>() <= 24);

impl InstData {
    /// The opcode.
    pub fn op(&self) -> Opcode {
        match *self {
            InstData::Nullary { op }
            | InstData::Unary { op, .. }
            | InstData::Binary { op, .. }
            | InstData::Ternary { op, .. }
            | InstData::Many { op, .. }
            | InstData::Access { op, .. }
            | InstData::Slot { op, .. }
            | InstData::Exit { op, .. } => op,
            InstData::Copy { .. } => Opcode::copy,
            InstData::Resource { .. } => Opcode::resource,
            InstData::If { .. } => Opcode::if_,
            InstData::Switch { .. } => Opcode::switch,
            InstData::Loop { .. } => Opcode::loop_,
            InstData::Block { .. } => Opcode::block,
            InstData::Call { .. } => Opcode::call,
        }
    }
}

/// The cases of a `switch`: case values with their region (several values may share one region by
/// being listed with it), and the default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseTable {
    /// Arms: the values that select the region, and the region. HLSL's fallthrough is resolved before.
    pub arms: Vec<(Vec<i32>, Region)>,
    /// The region when no value matches.
    pub default: Region,
}

/// What the source asks of a control instruction. It changes nothing about the meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hint {
    /// Nothing.
    #[default]
    None,
    /// An `if` or `switch` jumps.
    Branch,
    /// An `if` or `switch` computes all sides and selects.
    Flatten,
    /// Each side of a `switch` is a case of its own, and what else becomes of the sides.
    ForceCase(Sides),
    /// A loop is unrolled: so many iterations, or (0) all of them.
    Unroll(u32),
    /// A loop stays a loop.
    Rolled,
}

/// What the source asks of the sides of an `if` or `switch`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sides {
    /// Nothing.
    #[default]
    Any,
    /// The one that is chosen runs.
    Branch,
    /// All run, and results are selected.
    Flatten,
}

impl Hint {
    /// What it asks of the sides of an `if` or `switch`.
    pub fn sides(self) -> Sides {
        match self {
            Hint::Branch => Sides::Branch,
            Hint::Flatten => Sides::Flatten,
            Hint::ForceCase(sides) => sides,
            Hint::None | Hint::Unroll(_) | Hint::Rolled => Sides::Any,
        }
    }

    /// Its word in the text form; `unroll` may be followed by a number in parentheses, `forcecase` by the word for its sides.
    pub fn word(self) -> &'static str {
        match self {
            Hint::None => "",
            Hint::Branch => "branch",
            Hint::Flatten => "flatten",
            Hint::ForceCase(_) => "forcecase",
            Hint::Unroll(_) => "unroll",
            Hint::Rolled => "rolled",
        }
    }
}
