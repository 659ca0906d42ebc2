//! Functions: a declaration, and for a definition a [`Body`] of blocks and instructions.
//!
//! Instructions live in one arena per body; a block is a list of them. Operand lists of variable
//! length are slices of one pool per body ([`List`], [`Indices`]).

use super::Value;
use super::attrs::Attrs;
use super::entities::{Block, Indices, Inst, List, Loc};
use super::inst::Op;
use super::meta::Meta;
use super::types::Type;
use super::{Linkage, Visibility};
use rtc_base::entity::{PackedOption, PrimaryMap};
use rustc_hash::FxHashMap;

/// A function of a module.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// The name without `@`.
    pub name: Box<str>,
    /// The function type.
    pub ty: Type,
    /// The pointer to it.
    pub ptr_ty: Type,
    /// Calling convention, 0 is that of C.
    pub cc: u32,
    /// Linkage.
    pub linkage: Linkage,
    /// Attributes of function, result and parameters.
    pub attrs: Attrs,
    /// Alignment in bytes, 0 if not said.
    pub align: u32,
    /// 1 + index into [`super::Module::sections`], or 0.
    pub section: u32,
    /// Visibility.
    pub visibility: Visibility,
    /// Whether only its contents matter, not its address.
    pub unnamed_addr: bool,
    /// The code; none for a declaration.
    pub body: Option<Body>,
}

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// The type of its result, `void` if it has none.
    pub ty: Type,
    /// Where in the source it comes from.
    pub loc: PackedOption<Loc>,
}

/// A source position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugLoc {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// The scope.
    pub scope: Option<Meta>,
    /// The call that was inlined.
    pub inlined_at: Option<Meta>,
}

/// The code of a function.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body {
    /// The instructions of each block, in order; the first block is the entry.
    pub blocks: PrimaryMap<Block, Vec<Inst>>,
    /// All instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Names of arguments, instructions and blocks that have one.
    pub names: FxHashMap<Value, Box<str>>,
    /// Metadata attached to instructions: instruction, kind, node.
    pub attached: Vec<(Inst, u32, Meta)>,
    /// Metadata attached to the function: kind, node.
    pub attached_to_function: Vec<(u32, Meta)>,
    /// Arguments and instructions used as metadata; [`Value::LocalMeta`] counts these.
    pub local_meta: Vec<Value>,
    /// The source positions.
    pub locs: PrimaryMap<Loc, DebugLoc>,
    values: Vec<Value>,
    indices: Vec<u32>,
}

impl Body {
    /// A new empty block at the end.
    pub fn new_block(&mut self) -> Block {
        self.blocks.push(Vec::new())
    }

    /// Appends an instruction with result type `ty` to a block.
    pub fn append(&mut self, block: Block, ty: Type, op: Op) -> Inst {
        let inst = self.insts.push(InstData { op, ty, loc: None.into() });
        self.blocks[block].push(inst);
        inst
    }

    /// Makes an operand list.
    pub fn list(&mut self, values: &[Value]) -> List {
        let start = self.values.len() as u32;
        self.values.extend_from_slice(values);
        List { start, len: values.len() as u32 }
    }

    /// Makes a path of field numbers.
    pub fn indices(&mut self, path: &[u32]) -> Indices {
        let start = self.indices.len() as u32;
        self.indices.extend_from_slice(path);
        Indices { start, len: path.len() as u32 }
    }

    /// The operands of a list.
    pub fn values(&self, list: List) -> &[Value] {
        &self.values[list.start as usize..][..list.len as usize]
    }

    /// The operands of a list, to be changed.
    pub fn values_mut(&mut self, list: List) -> &mut [Value] {
        &mut self.values[list.start as usize..][..list.len as usize]
    }

    /// The field numbers of a path.
    pub fn path(&self, path: Indices) -> &[u32] {
        &self.indices[path.start as usize..][..path.len as usize]
    }

    /// Says that a phi takes `value` when control comes from `from`.
    pub fn add_incoming(&mut self, phi: Inst, value: Value, from: Block) {
        let Op::Phi(list) = self.insts[phi].op else {
            return;
        };
        let mut start = list.start;
        if (list.start + list.len) as usize != self.values.len() {
            start = self.values.len() as u32;
            let old = list.start as usize..(list.start + list.len) as usize;
            self.values.extend_from_within(old);
        }
        self.values.extend([value, Value::Block(from)]);
        self.insts[phi].op = Op::Phi(List { start, len: list.len + 2 });
    }

    /// Attaches metadata to an instruction.
    pub fn attach(&mut self, inst: Inst, kind: u32, node: Meta) {
        self.attached.push((inst, kind, node));
    }

    /// The last instruction of a block, if it ends it.
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        let &last = self.blocks[block].last()?;
        self.insts[last].op.is_terminator().then_some(last)
    }

    /// Calls `f` with every operand of an instruction, blocks included, in listing order.
    pub fn operands(&self, inst: Inst, f: impl FnMut(Value)) {
        self.op_operands(&self.insts[inst].op, f);
    }

    /// Calls `f` with every operand of an instruction that is not in a block yet.
    pub fn op_operands(&self, op: &Op, mut f: impl FnMut(Value)) {
        match *op {
            Op::Unreachable | Op::Fence { .. } => {}
            Op::Ret(value) => value.into_iter().for_each(f),
            Op::Br(to) => f(Value::Block(to)),
            Op::CondBr { cond, then, other } => {
                [cond, Value::Block(then), Value::Block(other)].into_iter().for_each(f);
            }
            Op::Switch { value, default, cases } => {
                f(value);
                f(Value::Block(default));
                self.values(cases).iter().copied().for_each(f);
            }
            Op::Binary { lhs, rhs, .. } | Op::Cmp { lhs, rhs, .. } => {
                [lhs, rhs].into_iter().for_each(f);
            }
            Op::Cast { value, .. } | Op::ExtractValue { value, .. } => f(value),
            Op::Select { cond, then, other } => {
                [cond, then, other].into_iter().for_each(f);
            }
            Op::Phi(list) => self.values(list).iter().copied().for_each(f),
            Op::Alloca { count, .. } => f(count),
            Op::Load { ptr, .. } => f(ptr),
            Op::Store { ptr, value, .. } => {
                [value, ptr].into_iter().for_each(f);
            }
            Op::Gep { operands, .. } => self.values(operands).iter().copied().for_each(f),
            Op::Call { callee, args, .. } => {
                self.values(args).iter().copied().for_each(&mut f);
                f(callee);
            }
            Op::InsertValue { value, field, .. } => {
                [value, field].into_iter().for_each(f);
            }
            Op::ExtractElement { vector, index } => {
                [vector, index].into_iter().for_each(f);
            }
            Op::InsertElement { vector, value, index } => {
                [vector, value, index].into_iter().for_each(f);
            }
            Op::ShuffleVector { lhs, rhs, mask } => {
                [lhs, rhs, mask].into_iter().for_each(f);
            }
            Op::AtomicRmw { ptr, value, .. } => {
                [ptr, value].into_iter().for_each(f);
            }
            Op::CmpXchg { ptr, expected, new, .. } => {
                [ptr, expected, new].into_iter().for_each(f);
            }
        }
    }

    /// Replaces every operand of every instruction by the result of `f`. Blocks that are written
    /// out in instructions (not in lists) are left alone.
    pub fn map_values(&mut self, mut f: impl FnMut(Value) -> Value) {
        for value in &mut self.values {
            *value = f(*value);
        }
        for data in self.insts.values_mut() {
            map_own(&mut data.op, &mut |value| *value = f(*value));
        }
    }

    /// Takes the operands of instructions that are in no block any more, so that what only they use is used by nothing.
    pub fn forget_unplaced(&mut self) {
        let (mut placed, mut used) = (vec![false; self.insts.len()], vec![false; self.values.len()]);
        for &inst in self.blocks.values().flatten() {
            placed[inst.as_u32() as usize] = true;
            if let Op::Phi(list) | Op::Gep { operands: list, .. } | Op::Call { args: list, .. } | Op::Switch { cases: list, .. } =
                self.insts[inst].op
            {
                used[list.start as usize..(list.start + list.len) as usize].fill(true);
            }
        }
        for (inst, data) in self.insts.iter_mut() {
            if !placed[inst.as_u32() as usize] {
                data.op = Op::Unreachable;
            }
        }
        for (value, _) in self.values.iter_mut().zip(used).filter(|(_, used)| !used) {
            *value = Value::Arg(0);
        }
    }

    /// Replaces the operands of one instruction, which shares no list with another.
    pub fn map_operands(&mut self, inst: Inst, mut f: impl FnMut(Value) -> Value) {
        let (Op::Phi(list) | Op::Gep { operands: list, .. } | Op::Call { args: list, .. } | Op::Switch { cases: list, .. }) =
            self.insts[inst].op
        else {
            return map_own(&mut self.insts[inst].op, &mut |value| *value = f(*value));
        };
        for value in self.values_mut(list) {
            *value = f(*value);
        }
        map_own(&mut self.insts[inst].op, &mut |value| *value = f(*value));
    }
}

/// Changes the operands that are not in lists.
fn map_own(op: &mut Op, each: &mut dyn FnMut(&mut Value)) {
    match op {
        Op::Ret(None) | Op::Br(_) | Op::Unreachable | Op::Fence { .. } | Op::Phi(_) | Op::Gep { .. } => {}
        Op::Ret(Some(value))
        | Op::CondBr { cond: value, .. }
        | Op::Switch { value, .. }
        | Op::Cast { value, .. }
        | Op::ExtractValue { value, .. }
        | Op::Alloca { count: value, .. }
        | Op::Load { ptr: value, .. }
        | Op::Call { callee: value, .. } => each(value),
        Op::Binary { lhs: a, rhs: b, .. }
        | Op::Cmp { lhs: a, rhs: b, .. }
        | Op::Store { ptr: a, value: b, .. }
        | Op::InsertValue { value: a, field: b, .. }
        | Op::ExtractElement { vector: a, index: b }
        | Op::AtomicRmw { ptr: a, value: b, .. } => [a, b].into_iter().for_each(each),
        Op::Select { cond: a, then: b, other: c }
        | Op::InsertElement { vector: a, value: b, index: c }
        | Op::ShuffleVector { lhs: a, rhs: b, mask: c }
        | Op::CmpXchg { ptr: a, expected: b, new: c, .. } => {
            [a, b, c].into_iter().for_each(each);
        }
    }
}
