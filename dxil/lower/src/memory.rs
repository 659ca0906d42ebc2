//! Loads and stores of variables: locals, payload slots, reference parameters, groupshared memory and constant tables.
//!
//! Slots and reference parameters are pointers to structures whose layout other shaders share, so they are
//! accessed by address computations (`pointers.rs`), with loads and stores of whole vectors. All other variables are
//! scalarised (`scalar_allocas.rs`).

use rtc_ir::{self as ir, Inst, InstData, Opcode, Root, Scalar, Step};
use rtc_tables::resources::AtomicOp;
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::frame::{Address, Cell, Location};
use super::func::Writer;
use super::live::has_lane;
use super::values::Components;
use rtc_dxil_module::{BinOp, CastOp, CmpPred, GROUPSHARED, Ordering, RmwOp, Value};

impl Writer<'_, '_> {
    /// `load`, `store`, `var_atomic`.
    pub(super) fn access(&mut self, i: Inst) -> EmitResult {
        let InstData::Access { op, imm, place, args } = self.f.insts[i] else {
            return Err(EmitError::internal("not a variable access"));
        };
        let f = self.f;
        let args = f.get(args);
        if op == Opcode::store && args.last().is_some_and(|&v| f.is_undef(v)) {
            // The store of an undefined value may be dropped.
            return Ok(());
        }
        let count = f.places[place].dyn_count();
        let (indices, values) = args.split_at(count.min(args.len()));
        if op == Opcode::dispatch_mesh {
            return self.dispatch_mesh(place, values);
        }
        let location = self.location(place, indices)?;
        match op {
            Opcode::load => {
                let result = f.result(i);
                let parts = self.load(&location, self.facts.live.lanes(result));
                self.set(result, &parts);
                Ok(())
            }
            Opcode::store => self.store(&location, values[0]),
            _ => self.var_atomic(i, imm, &location, values),
        }
    }

    fn location(&mut self, place: ir::Place, indices: &[ir::Value]) -> EmitResult<Location> {
        let f = self.f;
        let data = &f.places[place];
        let mut dynamic: SmallVec<[Value; 4]> = SmallVec::new();
        for &v in indices {
            dynamic.push(self.one(v));
        }
        if let Some(base) = self.payload(data.root) {
            return self.in_payload(base, self.root_type(data.root), &data.steps, &dynamic);
        }
        match data.root {
            Root::Slot(_) => self.pointed(data, &dynamic),
            Root::Local(_) if self.frame.pointer(data.root).is_some() => self.pointed(data, &dynamic),
            _ => self.scattered(data, &dynamic),
        }
    }

    /// A part of a place, by fields and elements: `indices` are those of the place.
    pub(super) fn part_location(&mut self, place: &ir::PlaceData, dynamic: &[Value], path: &[u32]) -> EmitResult<Location> {
        let mut data = place.clone();
        data.steps.extend(path.iter().map(|&n| Step::At(n)));
        if let Some(base) = self.payload(data.root) {
            return self.in_payload(base, self.root_type(data.root), &data.steps, dynamic);
        }
        match self.frame.pointer(data.root).is_some() {
            true => self.pointed(&data, dynamic),
            false => self.scattered(&data, dynamic),
        }
    }

    pub(super) fn root_type(&self, root: Root) -> ir::Type {
        match root {
            Root::Local(l) => self.f.locals[l].ty,
            Root::Slot(s) => self.f.slots[s].ty,
            Root::Global(g) => self.m.globals[g].ty(),
        }
    }

    pub(super) fn cell_type(&self, t: ir::Type) -> EmitResult<(Cell, u32)> {
        if t == ir::Type::HIT_OBJECT {
            return Ok((Cell::Hit, 1));
        }
        if let Some(matrix) = self.m.types.as_linalg(t) {
            return Ok((Cell::Linalg(matrix), 1));
        }
        let n = self.m.types.numeric(t);
        let (s, lanes) = n.ok_or("only numbers and hit objects can be loaded from and stored to variables")?;
        Ok((Cell::Number(s), lanes))
    }

    pub(super) fn load(&mut self, location: &Location, lanes: u64) -> Components {
        let align = location.cell.align(self.m);
        let mut out = Components::new();
        let whole = match location.address {
            Address::Whole(pointer) => Some(self.e.b().load(pointer, align)),
            Address::Row { vector, .. } => Some(self.e.b().load(vector, align)),
            Address::Elements { .. } | Address::Matrix { .. } | Address::Path { .. } => None,
        };
        let words = !matches!(location.address, Address::Row { .. });
        for c in 0..location.lanes {
            if !has_lane(lanes, c as usize) {
                let ty = match location.cell {
                    Cell::Number(s) => self.e.scalar(s),
                    cell => cell.stored(self.e.out),
                };
                let undef = self.e.out.undef(ty);
                out.push(undef);
                continue;
            }
            let raw = match (whole, &location.address) {
                (Some(v), Address::Row { first, .. }) => {
                    let n = self.component_number(*first, c);
                    self.e.b().extract_element(v, n)
                }
                (Some(v), _) if location.lanes == 1 => v,
                (Some(v), _) => {
                    let n = self.e.out.i32(c as i32);
                    self.e.b().extract_element(v, n)
                }
                (None, Address::Elements { array, first }) => {
                    let pointer = self.element(*array, *first, c);
                    self.e.b().load(pointer, align)
                }
                (None, Address::Path { base, path, first, stride }) => {
                    let pointer = self.path_element(*base, path, *first, c * stride);
                    self.e.b().load(pointer, align)
                }
                (None, Address::Matrix { vector, first, stride }) => {
                    let pointer = self.element(*vector, Some(*first), c * stride);
                    self.e.b().load(pointer, align)
                }
                (None, Address::Whole(pointer) | Address::Row { vector: pointer, .. }) => *pointer,
            };
            out.push(match location.cell {
                Cell::Number(s) if words => self.loaded(raw, s),
                _ => raw,
            });
        }
        out
    }

    fn store(&mut self, location: &Location, value: ir::Value) -> EmitResult {
        let parts: Components = self.parts(value);
        self.store_parts(location, &parts)
    }

    /// Stores components.
    pub(super) fn store_parts(&mut self, location: &Location, parts: &[Value]) -> EmitResult {
        let align = location.cell.align(self.m);
        let words = !matches!(location.address, Address::Row { .. });
        let mut stored = Components::new();
        for &p in parts {
            stored.push(match location.cell {
                Cell::Number(s) if words => self.in_memory(p, s),
                Cell::Number(_) | Cell::Linalg(_) => p,
                Cell::Hit => self.e.define(p),
            });
        }
        match location.address {
            Address::Path { base, ref path, first, stride } => {
                for (c, &p) in stored.iter().enumerate() {
                    let pointer = self.path_element(base, path, first, c as u32 * stride);
                    self.e.b().store(p, pointer, align);
                }
            }
            Address::Whole(pointer) => {
                let v = self.e.vector(&stored);
                self.e.b().store(v, pointer, align);
            }
            Address::Elements { array, first } => {
                for (c, &p) in stored.iter().enumerate() {
                    let pointer = self.element(array, first, c as u32);
                    self.e.b().store(p, pointer, align);
                }
            }
            Address::Row { vector, first } => {
                let mut row = self.e.b().load(vector, align);
                for (c, &p) in stored.iter().enumerate() {
                    let n = self.component_number(first, c as u32);
                    row = self.e.b().insert_element(row, p, n);
                }
                self.e.b().store(row, vector, align);
            }
            Address::Matrix { vector, first, stride } => {
                for (c, &p) in stored.iter().enumerate() {
                    let pointer = self.element(vector, Some(first), c as u32 * stride);
                    self.e.b().store(p, pointer, align);
                }
            }
        }
        Ok(())
    }

    /// The address of component `c` of an element, in one step from the variable.
    fn path_element(&mut self, base: Value, path: &[Value], first: Option<Value>, c: u32) -> Value {
        let mut all: SmallVec<[Value; 8]> = SmallVec::from_slice(path);
        all.extend(first.map(|f| self.component_number(f, c)));
        self.e.address_of(base, &all)
    }

    /// The address of component `c` of an element.
    fn element(&mut self, array: Value, first: Option<Value>, c: u32) -> Value {
        let Some(first) = first else {
            return array;
        };
        let index = self.component_number(first, c);
        let zero = self.e.out.i32(0);
        self.e.address_of(array, &[zero, index])
    }

    /// `c` components after `first`.
    fn component_number(&mut self, first: Value, c: u32) -> Value {
        match (c, self.e.int_const(first)) {
            (0, _) => first,
            (c, Some(n)) => self.e.out.i32((n + i64::from(c)) as i32),
            (c, None) => {
                let c = self.e.out.i32(c as i32);
                self.e.b().binary(BinOp::Add, first, c, 0)
            }
        }
    }

    /// A scalar in its register form, from its memory form.
    pub(super) fn loaded(&mut self, v: Value, s: Scalar) -> Value {
        if s != Scalar::Bool {
            return v;
        }
        let zero = self.e.out.i32(0);
        self.e.b().cmp(CmpPred::INe, v, zero, 0)
    }

    /// A scalar in its memory form.
    pub(super) fn in_memory(&mut self, v: Value, s: Scalar) -> Value {
        if s != Scalar::Bool {
            return v;
        }
        let v = self.e.define(v);
        let i32 = self.e.out.types.i32();
        if let Some(n) = self.e.int_const(v) {
            return self.e.out.i32((n & 1) as i32);
        }
        self.e.b().cast(CastOp::ZExt, v, i32)
    }

    fn var_atomic(&mut self, i: Inst, imm: u32, location: &Location, values: &[ir::Value]) -> EmitResult {
        let pointer = match &location.address {
            Address::Elements { array, first } => self.element(*array, *first, 0),
            Address::Path { base, path, first, .. } => self.path_element(*base, path, *first, 0),
            _ => return Err("atomic operations need groupshared memory or a resource".into()),
        };
        let Cell::Number(scalar) = location.cell else {
            return Err(EmitError::internal("atomic operations need numbers"));
        };
        let result = self.f.result(i);
        // Floats can only be exchanged, as their bits.
        let float = scalar.is_float();
        let bits = Scalar::int(scalar.bits()).unwrap_or(Scalar::I32);
        let ty = self.e.scalar(bits);
        let mut pointer = pointer;
        if float {
            let ptr = self.e.out.types.ptr_in(ty, GROUPSHARED);
            pointer = self.e.b().cast(CastOp::BitCast, pointer, ptr);
        }
        let mut args = Components::new();
        for &v in values {
            let v = self.one(v);
            args.push(if float { self.e.b().cast(CastOp::BitCast, v, ty) } else { v });
        }
        let op = match AtomicOp::from_number(imm) {
            Some(AtomicOp::Add) => RmwOp::Add,
            Some(AtomicOp::And) => RmwOp::And,
            Some(AtomicOp::Or) => RmwOp::Or,
            Some(AtomicOp::Xor) => RmwOp::Xor,
            Some(AtomicOp::SMin) => RmwOp::Min,
            Some(AtomicOp::SMax) => RmwOp::Max,
            Some(AtomicOp::UMin) => RmwOp::UMin,
            Some(AtomicOp::UMax) => RmwOp::UMax,
            Some(AtomicOp::Exchange) => RmwOp::Xchg,
            Some(AtomicOp::CompareExchange) => {
                let pair = self.e.b().cmpxchg(pointer, args[0], args[1], Ordering::Monotonic);
                let old = self.e.b().extract_value(pair, 0);
                self.set_old(result, old, float, scalar);
                return Ok(());
            }
            None => return Err(EmitError::internal("unknown atomic operation")),
        };
        let old = self.e.b().atomic_rmw(op, pointer, args[0], Ordering::Monotonic);
        self.set_old(result, old, float, scalar);
        Ok(())
    }

    fn set_old(&mut self, result: ir::Value, old: Value, float: bool, s: Scalar) {
        let old = if float {
            let ty = self.e.scalar(s);
            self.e.b().cast(CastOp::BitCast, old, ty)
        } else {
            old
        };
        self.set(result, &[old]);
    }
}
