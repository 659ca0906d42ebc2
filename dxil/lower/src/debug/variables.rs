//! Debug information of one function's variables: their nodes, their memory, and their values over time.
//!
//! A change of a part becomes a call of `llvm.dbg.value` for each of its components, with an expression for the component's offset in
//! the variable; memory is described by `llvm.dbg.declare`. The memory of an array of structures may hold one field of each element:
//! then the first element is described, and `dx.dbg.varlayout` gives the stride and count of the others.

use rtc_ir::debug::program::{DebugType, Program};
use rtc_ir::debug::{ANY_ELEMENT, Debug, Named, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::plan::{Component, VariableMemory};
use rtc_dxil_container::metadata::debug_records::{BIT_PIECE, opt, push, text};
use rtc_dxil_module::{DebugNode as Node, Meta, Module};

/// A part of a variable in bits: where it starts, how many, and whether it is all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    offset: u64,
    size: u64,
    all: bool,
}

impl Bits {
    /// Bits from the start of the variable.
    pub fn offset(self) -> u64 {
        self.offset
    }
}

/// A part of a variable in memory, and for each array dimension around it, outermost first, stride in bits and count.
pub type StridedPart = (Var, Bits, Vec<(u64, u64)>);

/// Something to say of a variable.
#[derive(Clone, Debug)]
pub struct VariableValue {
    /// Of which.
    pub var: Var,
    /// Of which part.
    pub bits: Bits,
    /// What it holds.
    pub value: Component,
}

/// The expressions of a module.
#[derive(Default)]
pub struct Expressions(FxHashMap<Vec<u64>, Meta>);

impl Expressions {
    /// The expression of a part.
    pub fn of(&mut self, out: &mut Module, bits: Bits) -> Meta {
        let fields = if bits.all { vec![0] } else { vec![0, BIT_PIECE, bits.offset, bits.size] };
        *self.0.entry(fields).or_insert_with_key(|f| push(out, Node::Expression, f))
    }
}

/// Most parameters that stand for parameters.
const MAX_ALIASES: u32 = 8;

/// The variables of a function.
pub struct Variables<'a> {
    program: &'a Program,
    debug: &'a Debug,
    aliases: FxHashMap<Var, Vec<(&'a [u32], Var)>>,
    /// What has had a value.
    known: FxHashSet<(Var, u64)>,
}

impl<'a> Variables<'a> {
    /// Those of a function.
    pub fn new(program: &'a Program, debug: &'a Debug) -> Self {
        let mut aliases: FxHashMap<Var, Vec<(&[u32], Var)>> = FxHashMap::default();
        for (to, var) in &debug.aliases {
            if !to.path.contains(&ANY_ELEMENT) {
                aliases.entry(to.var).or_default().push((&to.path, *var));
            }
        }
        Variables { program, debug, aliases, known: FxHashSet::default() }
    }

    fn ty(&self, var: Var) -> Option<DebugType> {
        self.debug.vars[var].debug_ty.expand()
    }

    fn bits(&self, var: Var, path: &[u32]) -> Option<(Bits, Vec<(u32, u64)>)> {
        let ty = self.ty(var)?;
        let (piece, any) = self.program.piece(ty, path)?;
        let whole = self.program.types[ty].bits;
        Some((Bits { offset: piece.offset, size: piece.bits, all: piece.offset == 0 && piece.bits == whole }, any))
    }

    /// What a change of a part says, of its variable and of the parameters that stand for it.
    pub fn change(&mut self, what: &Named, value: &[Component]) -> Vec<VariableValue> {
        let mut out = Vec::new();
        self.change_of(what.var, &what.path, value, MAX_ALIASES, &mut out);
        out
    }

    fn change_of(&mut self, var: Var, path: &[u32], value: &[Component], depth: u32, out: &mut Vec<VariableValue>) {
        let mut inner: SmallVec<[u32; 6]> = SmallVec::from_slice(path);
        let value_count = value.len();
        for (n, &value) in value.iter().enumerate() {
            inner.truncate(path.len());
            if value_count > 1 {
                inner.push(n as u32);
            }
            let Some((bits, any)) = self.bits(var, &inner) else { continue };
            if !any.is_empty() {
                continue;
            }
            let changed = if matches!(value, Component::Value(_) | Component::Const(..)) {
                self.known.insert((var, bits.offset));
                true
            } else {
                // A value that was never known need not be invalidated.
                self.known.remove(&(var, bits.offset))
            };
            if changed {
                out.push(VariableValue { var, bits, value });
            }
        }
        if depth == 0 {
            return;
        }
        for (prefix, alias) in self.aliases.get(&var).cloned().unwrap_or_default() {
            if let Some(rest) = path.strip_prefix(prefix) {
                self.change_of(alias, rest, value, depth - 1, out);
            }
        }
    }

    /// What memory says: parts of variables, and the distances and lengths of what is scattered, outermost first.
    pub fn memory_of(&self, room: &VariableMemory) -> Vec<StridedPart> {
        let mut out = Vec::new();
        self.room_of(room.what.var, &room.what.path, room.count, MAX_ALIASES, &mut out);
        out
    }

    fn room_of(&self, var: Var, path: &[u32], count: u64, depth: u32, out: &mut Vec<StridedPart>) {
        if let (Some((mut bits, any)), Some(ty)) = (self.bits(var, path), self.ty(var)) {
            let mut dims: Vec<(u64, u64)> = any.iter().map(|&(n, stride)| (stride, n.into())).collect();
            // Elements that lie end to end in the variable, too, are one piece of it.
            while let Some(&(stride, n)) = dims.last()
                && stride == bits.size
            {
                bits.size *= n;
                dims.pop();
            }
            // Otherwise components are elements like others.
            let elements = dims.iter().map(|d| d.1).product::<u64>().max(1);
            if let (false, lanes @ 2..) = (dims.is_empty(), count / elements) {
                bits.size /= lanes;
                dims.push((bits.size, lanes));
            }
            bits.all = bits.offset == 0 && bits.size == self.program.types[ty].bits;
            out.push((var, bits, dims));
        }
        if depth == 0 {
            return;
        }
        for (prefix, alias) in self.aliases.get(&var).into_iter().flatten() {
            if let Some(rest) = path.strip_prefix(*prefix) {
                self.room_of(*alias, rest, count, depth - 1, out);
            }
        }
    }

    /// The fields of a variable's node, but its scope: tag, scope, name, file, line, type, number, flags.
    pub fn fields(&self, out: &mut Module, var: Var, (file, line): (Meta, u32), ty: Meta) -> [u64; 9] {
        const AUTO: u64 = 0x100;
        const ARGUMENT: u64 = 0x101;
        const THIS: u64 = 1 << 6 | 1 << 10;
        let data = &self.debug.vars[var];
        // As the reference compiler has variables that are not the function's own.
        let is_global = data.name.starts_with("global.");
        let tag = if data.arg > 0 || is_global { ARGUMENT } else { AUTO };
        let name = text(out, &data.name);
        let flags = if data.arg == 1 && data.name == "this" { THIS } else { 0 };
        [0, tag, 0, name, opt(Some(file)), line.into(), opt(Some(ty)), data.arg.into(), flags]
    }
}
