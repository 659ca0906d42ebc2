//! Emitter of one function: appends instructions to the current block, and makes the types and constants that they need.
//!
//! It knows nothing of IR instructions; their writers ([`super::func`]) are above it. Besides the current block it owns the available
//! expressions, what goes to the entry block ([`entry_block`]), and the debug locations of what is emitted.

mod contraction;
mod entry_block;
pub(crate) mod vectorize;
mod vectors;

use std::collections::hash_map::Entry;

use rtc_ir as ir;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::debug::plan::Plan;
use crate::values::Values;
use rtc_base::Code;
use rtc_dxil_module::{Block, Builder, ConstKind, Func, Inst, Mark, Module, Type, Value, ValueNumbers};
use rtc_tables::diagnostics::{E0901, E0902};
use rtc_tables::dxil_ops::DxOp;
use rtc_tables::raytracing::RtInfo;

/// Why an instruction cannot be lowered.
#[derive(Clone, PartialEq, Debug)]
pub struct EmitError {
    /// The kind of diagnostic.
    pub code: &'static Code,
    /// Without a full stop.
    pub message: String,
}

impl EmitError {
    /// An error of a kind.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        EmitError { code, message: message.into() }
    }
    /// Malformed IR: a mistake of the compiler, not of the program.
    pub fn internal(message: impl std::fmt::Display) -> Self {
        EmitError::new(&E0901, format!("internal error: {message}"))
    }
}

/// Something that DXIL cannot express.
impl From<String> for EmitError {
    fn from(message: String) -> Self {
        EmitError::new(&E0902, message)
    }
}

/// Something that DXIL cannot express.
impl From<&str> for EmitError {
    fn from(message: &str) -> Self {
        EmitError::new(&E0902, message)
    }
}

/// The result of lowering something.
pub type EmitResult<T = ()> = Result<T, EmitError>;

/// Appends to one function.
pub struct Emitter<'w> {
    /// The module: types, constants and metadata are made in it.
    pub out: &'w mut Module,
    func: Func,
    block: Block,
    /// Available expressions at the current position.
    available: ValueNumbers,
    /// Available expressions of the entry block: hoisted addresses.
    available_in_entry: ValueNumbers,
    /// The number of allocas at the start of the entry block.
    allocas: usize,
    /// Hoisted addresses and loads of resource variables, to insert after the allocas.
    hoisted: Vec<Inst>,
    /// Extractions that may be dead.
    extracted: Vec<Inst>,
    /// How many instructions there were at each reorder point.
    reorders: Vec<u32>,
    /// The functions that operations were found to be, by overload.
    callees: FxHashMap<(DxOp, Option<Type>), Func>,
    /// Whether what is emitted must be computed exactly as written.
    exact: bool,
    /// Records for debug information, if it is requested.
    plan: Option<Box<Plan>>,
}

impl<'w> Emitter<'w> {
    /// An emitter at the start of `func`, whose body has the empty block `entry`.
    pub fn new(out: &'w mut Module, func: Func, entry: Block, plan: Option<Box<Plan>>) -> Self {
        Emitter {
            out,
            func,
            block: entry,
            available: ValueNumbers::default(),
            available_in_entry: ValueNumbers::default(),
            allocas: 0,
            hoisted: Vec::new(),
            extracted: Vec::new(),
            reorders: Vec::new(),
            callees: FxHashMap::default(),
            exact: false,
            plan,
        }
    }

    /// The builder at the end of the current block.
    pub fn b(&mut self) -> Builder<'_> {
        match self.out.edit(self.func, self.block) {
            Some(b) => b.with_value_numbers(&mut self.available),
            None => rtc_base::bug!("writing into a function without body"),
        }
    }

    /// The current block.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Appends to `block` from here on.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
    }

    /// The type of the function.
    pub fn function_type(&self) -> Type {
        self.out.funcs[self.func].ty
    }

    /// Calls a DXIL operation. `overload`: the component type, a structure, or nothing, as the operation has it.
    ///
    /// # Errors
    /// The operation has no such overload.
    pub fn dx(&mut self, opcode: DxOp, overload: Option<Type>, args: &[Value]) -> EmitResult<Value> {
        let (callee, all) = self.dx_callee(opcode, overload, args)?;
        // Exact calls are not shared: each gets its own mark.
        if opcode.row().is_pure() && !self.exact {
            return Ok(self.b().call_pure(callee, &all));
        }
        Ok(self.b().call(callee, &all))
    }

    /// Calls a DXIL operation with several overloaded types.
    ///
    /// # Errors
    /// The operation has no such overload.
    pub fn dx_of(&mut self, opcode: DxOp, overloads: &[Type], args: &[Value]) -> EmitResult<Value> {
        let callee = self.out.dx_op(opcode, overloads).map_err(|e| e.to_string())?;
        let mut all: SmallVec<[Value; 24]> = SmallVec::new();
        all.push(self.out.i32(opcode.number() as i32));
        all.extend_from_slice(args);
        Ok(self.b().call(callee, &all))
    }

    /// The function and the arguments of a DXIL operation.
    fn dx_callee(&mut self, opcode: DxOp, overload: Option<Type>, args: &[Value]) -> EmitResult<(Func, SmallVec<[Value; 24]>)> {
        let op = opcode.row();
        let overloads: &[Type] = match &overload {
            Some(t) if !op.is_plain() => std::slice::from_ref(t),
            _ => &[],
        };
        let callee = match self.callees.entry((opcode, overloads.first().copied())) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.out.dx_op(opcode, overloads).map_err(|e| e.to_string())?),
        };
        let mut all: SmallVec<[Value; 24]> = SmallVec::new();
        all.push(self.out.i32(opcode.number() as i32));
        all.extend_from_slice(args);
        Ok((callee, all))
    }

    /// Whether what is emitted must be computed exactly as written.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Says whether what is emitted from here on must be computed exactly as written.
    pub fn set_exact(&mut self, exact: bool) {
        self.exact = exact;
    }

    /// The DXIL type of a scalar.
    pub fn scalar(&mut self, s: ir::Scalar) -> Type {
        super::types::scalar(self.out, s)
    }

    /// The number that a value is, if it is a constant integer.
    pub fn int_const(&self, v: Value) -> Option<i64> {
        match v {
            Value::Const(c) => match self.out.consts[c].kind {
                ConstKind::Int(n) => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    /// An undefined word.
    pub fn undef_i32(&mut self) -> Value {
        let i32 = self.out.types.i32();
        self.out.undef(i32)
    }

    /// Zero in place of an undefined value.
    pub fn define(&mut self, v: Value) -> Value {
        match v {
            Value::Const(c) if self.out.consts[c].kind == ConstKind::Undef => {
                let ty = self.out.consts[c].ty;
                if ty == self.out.hit_object_type() {
                    // There is no constant of this type.
                    let row = RtInfo::of(ir::Opcode::hit_make_nop).expect("it has a row");
                    return self.dx(row.dxil, None, &[]).unwrap_or(v);
                }
                self.out.null(ty)
            }
            v => v,
        }
    }

    /// The available expressions are those of an inner scope from here to [`Emitter::leave_scope`].
    pub fn enter_scope(&mut self) -> Mark {
        self.available.mark()
    }

    /// Leaves the scope that began with `mark`.
    pub fn leave_scope(&mut self, mark: Mark) {
        self.available.leave(mark);
    }

    /// Expressions are rematerialised from here on: less state is saved across a reorder point.
    pub fn forget_available(&mut self) {
        self.available.forget();
        let made = self.out.funcs[self.func].body.as_ref().map_or(0, |b| b.insts.len());
        self.reorders.push(made as u32);
    }

    /// What is emitted from here on comes from IR instruction `i`.
    pub fn at(&mut self, i: Option<ir::Inst>) {
        if let Some(plan) = &mut self.plan {
            let made = self.out.funcs[self.func].body.as_ref().map_or(0, |b| b.insts.len());
            plan.at(made, i);
        }
    }

    /// The IR instruction that is lowered now, if debug information is requested.
    pub fn origin(&self) -> Option<ir::Inst> {
        self.plan.as_ref()?.origins.last()?.1.expand()
    }

    /// The records for debug information, if it is requested.
    pub fn plan(&mut self) -> Option<&mut Plan> {
        self.plan.as_deref_mut()
    }

    /// The last instruction of the current block.
    pub fn last(&self) -> Option<Inst> {
        self.out.funcs[self.func].body.as_ref().and_then(|b| b.blocks[self.block].last().copied())
    }

    /// Completes the function; gives the records for debug information. `contract`: sums of products may be contracted. `vectors`: what IR
    /// values have become, if their components may be computed together, and whether the function is in a library.
    pub fn finish(mut self, contract: bool, vectors: Option<(&Values, bool)>) -> Option<Box<Plan>> {
        self.remove_dead_extractions();
        self.insert_hoisted();
        if contract {
            self.contract();
        }
        if let Some((values, library)) = vectors {
            self.vectorize(values, library);
        }
        self.plan
    }
}
