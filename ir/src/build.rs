//! The builder: appends instructions to a region and works out result types from the instruction table.

use rtc_base::{PackedOption, Span};
use rtc_tables::insts::{Arg, Format, Opcode};

use crate::inst::{CaseTable, Root, Step};
use crate::{Func, Function, Global, Inst, InstData, Region, Scalar, Slot, Type, TypeTable, Value};

/// Appends instructions at the end of one region of one function.
pub struct Builder<'a> {
    /// The module's types.
    pub types: &'a mut TypeTable,
    /// The function.
    pub func: &'a mut Function,
    /// Where instructions go.
    pub region: Region,
    /// The source of what is built.
    pub span: Span,
    /// Whether float instructions are marked `precise`.
    pub precise: bool,
}

impl<'a> Builder<'a> {
    /// A builder at the end of `region`.
    pub fn at(types: &'a mut TypeTable, func: &'a mut Function, region: Region) -> Self {
        Builder { types, func, region, span: Span::NONE, precise: false }
    }

    /// Appends any instruction.
    pub fn push(&mut self, data: InstData, results: &[Type]) -> Inst {
        let i = self.func.append(self.region, data, results, self.span);
        if self.precise && data.op().info().operands.first() == Some(&Arg::Float) {
            self.func.precise.insert(i);
        }
        i
    }

    fn value(&mut self, data: InstData, ty: Type) -> Value {
        let i = self.push(data, &[ty]);
        self.func.result(i)
    }

    /// The result type that the table gives `op` on operands of types `a` (first) and `b` (second).
    /// `None` where the table leaves it open ([`Arg::Any`], conversions).
    pub fn result_type(&mut self, op: Opcode, a: Option<Type>, b: Option<Type>) -> Option<Type> {
        Some(match op.info().result? {
            Arg::Same => a?,
            Arg::Same1 => b?,
            Arg::BoolLike => self.types.with_elem(a?, Scalar::Bool),
            Arg::I32Like => self.types.with_elem(a?, Scalar::I32),
            Arg::F32Like => self.types.with_elem(a?, Scalar::F32),
            Arg::Elem => self.types.scalar(self.types.elem(a?)),
            Arg::B1 => Type::BOOL,
            Arg::I32 => Type::I32,
            Arg::I32x2 => Type::I32X2,
            Arg::I32x3 => Type::I32X3,
            Arg::I32x4 => Type::I32X4,
            Arg::F32 => Type::F32,
            Arg::F32x2 => Type::F32X2,
            Arg::F32x3 => Type::F32X3,
            Arg::F32x4 => Type::F32X4,
            Arg::Hit => Type::HIT_OBJECT,
            _ => return None,
        })
    }

    #[track_caller]
    fn typed(&mut self, op: Opcode, a: Option<Type>, b: Option<Type>) -> Type {
        match self.result_type(op, a, b) {
            Some(t) => t,
            None => rtc_base::bug!("{op} needs an explicit result type"),
        }
    }

    /// An instruction without operands.
    #[track_caller]
    pub fn nullary(&mut self, op: Opcode) -> Value {
        let t = self.typed(op, None, None);
        self.value(InstData::Nullary { op }, t)
    }
    /// An instruction with one operand and the result type of the table.
    #[track_caller]
    pub fn unary(&mut self, op: Opcode, arg: Value) -> Value {
        let t = self.typed(op, Some(self.func.ty(arg)), None);
        self.value(InstData::Unary { op, arg }, t)
    }
    /// A conversion: one operand, explicit result type.
    pub fn convert(&mut self, op: Opcode, arg: Value, to: Type) -> Value {
        self.value(InstData::Unary { op, arg }, to)
    }
    /// An instruction with two operands and the result type of the table.
    #[track_caller]
    pub fn binary(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        let t = if op == Opcode::make_double { Type::F64 } else { self.typed(op, Some(self.func.ty(a)), Some(self.func.ty(b))) };
        self.value(InstData::Binary { op, args: [a, b] }, t)
    }
    /// An instruction with three operands and the result type of the table.
    #[track_caller]
    pub fn ternary(&mut self, op: Opcode, a: Value, b: Value, c: Value) -> Value {
        let t = self.typed(op, Some(self.func.ty(a)), Some(self.func.ty(b)));
        self.value(InstData::Ternary { op, args: [a, b, c] }, t)
    }
    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.ternary(Opcode::select, cond, a, b)
    }
    /// An instruction of format `Many` with explicit result types.
    pub fn many(&mut self, op: Opcode, imm: u32, args: &[Value], results: &[Type]) -> Inst {
        debug_assert_eq!(op.format(), Format::Many);
        let args = self.func.list(args);
        self.push(InstData::Many { op, imm, args }, results)
    }
    /// An instruction of format `Many` with one result of type `ty`.
    pub fn many_value(&mut self, op: Opcode, imm: u32, args: &[Value], ty: Type) -> Value {
        let i = self.many(op, imm, args, &[ty]);
        self.func.result(i)
    }
    /// The vector of `parts` (scalars of one type); one part is that part.
    pub fn construct(&mut self, parts: &[Value]) -> Value {
        if let [one] = parts {
            return *one;
        }
        let elem = self.types.elem(self.func.ty(parts[0]));
        let ty = self.types.vector(elem, parts.len() as u32);
        self.many_value(Opcode::construct, 0, parts, ty)
    }
    /// Component `n` of `v`; a scalar is its own component 0.
    pub fn extract(&mut self, v: Value, n: u32) -> Value {
        let (elem, lanes) = self.types.numeric(self.func.ty(v)).expect("a vector");
        if lanes == 1 {
            return v;
        }
        let ty = self.types.scalar(elem);
        self.many_value(Opcode::extract, n, &[v], ty)
    }
    /// `v` with component `n` replaced by `x`.
    pub fn insert(&mut self, v: Value, n: u32, x: Value) -> Value {
        let ty = self.func.ty(v);
        if self.types.lanes(ty) == 1 {
            return x;
        }
        self.many_value(Opcode::insert, n, &[v, x], ty)
    }
    /// A vector of `n` times the scalar `x`.
    pub fn splat(&mut self, x: Value, n: u32) -> Value {
        let parts = vec![x; n as usize];
        self.construct(&parts)
    }
    /// Loads the place of type `ty` (a value type).
    pub fn load(&mut self, root: Root, steps: &[Step], indices: &[Value], ty: Type) -> Value {
        let place = self.func.place(root, steps);
        let args = self.func.list(indices);
        self.value(InstData::Access { op: Opcode::load, imm: 0, place, args }, ty)
    }
    /// Stores `x` into the place.
    pub fn store(&mut self, root: Root, steps: &[Step], indices: &[Value], x: Value) {
        let place = self.func.place(root, steps);
        let mut all: smallvec::SmallVec<[Value; 8]> = indices.into();
        all.push(x);
        let args = self.func.list(&all);
        self.push(InstData::Access { op: Opcode::store, imm: 0, place, args }, &[]);
    }
    /// Copies an aggregate (or value) from place to place.
    pub fn copy(&mut self, to: (Root, &[Step], &[Value]), from: (Root, &[Step], &[Value])) {
        let to_place = self.func.place(to.0, to.1);
        let from_place = self.func.place(from.0, from.1);
        let all: smallvec::SmallVec<[Value; 8]> = to.2.iter().chain(from.2).copied().collect();
        let args = self.func.list(&all);
        self.push(InstData::Copy { to: to_place, from: from_place, args }, &[]);
    }
    /// The handle of a resource of type `ty`.
    pub fn resource(&mut self, global: Global, index: Option<Value>, nonuniform: bool, ty: Type) -> Value {
        let index: PackedOption<Value> = index.into();
        self.value(InstData::Resource { global, index, nonuniform }, ty)
    }
    /// An instruction on a slot.
    pub fn slot(&mut self, op: Opcode, slot: Slot, args: &[Value]) -> Inst {
        let result = self.result_type(op, None, None);
        let args = self.func.list(args);
        self.push(InstData::Slot { op, slot, args }, result.as_slice())
    }
    /// The ray query in a slot of this role.
    pub fn allocate_ray_query(&mut self, slot: Slot) -> Value {
        let ty = self.func.slots[slot].ty;
        let data = InstData::Slot { op: Opcode::allocate_ray_query, slot, args: crate::ValueList::EMPTY };
        self.value(data, ty)
    }
    /// A call. `refs`: the places for reference parameters with their index values.
    pub fn call(&mut self, func: Func, args: &[Value], refs: &[(Root, &[Step], &[Value])], result: Option<Type>) -> Inst {
        let places: Vec<_> = refs.iter().map(|r| self.func.place(r.0, r.1)).collect();
        let mut all: Vec<Value> = args.to_vec();
        refs.iter().for_each(|r| all.extend_from_slice(r.2));
        let args = self.func.list(&all);
        let refs = self.func.place_list(&places);
        self.push(InstData::Call { func, args, refs }, result.as_slice())
    }
    /// An `if` with its two (filled or to be filled) regions.
    pub fn if_(&mut self, cond: Value, then_: Region, else_: Region, results: &[Type]) -> Inst {
        self.push(InstData::If { cond, then_, else_ }, results)
    }
    /// A `switch`.
    pub fn switch(&mut self, on: Value, table: CaseTable, results: &[Type]) -> Inst {
        let cases = self.func.cases.push(table);
        self.push(InstData::Switch { on, cases }, results)
    }
    /// A `loop`.
    pub fn loop_(&mut self, init: &[Value], body: Region, continuing: Region, results: &[Type]) -> Inst {
        let init = self.func.list(init);
        self.push(InstData::Loop { init, body, continuing }, results)
    }
    /// A `block`.
    pub fn block(&mut self, body: Region, results: &[Type]) -> Inst {
        self.push(InstData::Block { body }, results)
    }
    /// Ends the region: `yield`, `return`, `next`, `ignore_hit`, `accept_hit`, `unreachable`.
    pub fn exit(&mut self, op: Opcode, args: &[Value]) -> Inst {
        let args = self.func.list(args);
        self.push(InstData::Exit { op, imm: 0, target: None.into(), args }, &[])
    }
    /// Ends the region with `break` or `continue` out of `target`.
    pub fn exit_to(&mut self, op: Opcode, target: Region, args: &[Value]) -> Inst {
        let args = self.func.list(args);
        self.push(InstData::Exit { op, imm: 0, target: Some(target).into(), args }, &[])
    }
    /// Ends a continuing region: next iteration with `again` if `cond`, else leaves with `results`.
    pub fn next_if(&mut self, cond: Value, again: &[Value], results: &[Value]) -> Inst {
        let mut all = vec![cond];
        all.extend_from_slice(again);
        all.extend_from_slice(results);
        let args = self.func.list(&all);
        let imm = again.len() as u32;
        self.push(InstData::Exit { op: Opcode::next_if, imm, target: None.into(), args }, &[])
    }
}
