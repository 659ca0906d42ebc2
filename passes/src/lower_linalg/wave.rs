//! Matrices of a wave: each lane holds whole columns.

use rtc_ir::{Inst, InstData, Opcode, Root, Value};
use rtc_tables::linalg::MatrixType;
use rtc_tables::linalg::numbers::encoding_of;

use super::code::{Arithmetic, Code, InBuffer, Number, Shared};
use super::numbers::of_scalar;
use super::thread::InMemory;
use super::{Bound, Lower, Team, encoding};

/// The arithmetic of the registers that numbers of a matrix are in.
pub(super) fn registers(t: MatrixType) -> Arithmetic {
    Arithmetic::of(&[encoding(t)])
}

impl Code<'_> {
    /// The number in a slot.
    pub(super) fn slot(&mut self, m: &Bound, n: Value) -> Number {
        let (steps, indices) = m.at(&[], n);
        let v = self.b().load(m.root, &steps, &indices, registers(m.ty).ty());
        registers(m.ty).number(v)
    }
    /// Puts a number into a slot, converted.
    pub(super) fn put(&mut self, m: &Bound, n: Value, number: Number) {
        let fitted = self.fitted(encoding(m.ty), number);
        let (steps, indices) = m.at(&[], n);
        self.b().store(m.root, &steps, &indices, fitted.value());
    }
    /// How many blocks of columns there are: as many columns as lanes in each.
    fn blocks(&mut self, columns: u32, w: Team) -> Value {
        let last = self.add(w.count, columns.wrapping_sub(1));
        self.op(Opcode::udiv, last, w.count)
    }
    /// `block * rows + row`
    pub(super) fn slot_of(&mut self, block: Value, rows: u32, row: Value) -> Value {
        let first = self.times(block, rows);
        self.op(Opcode::iadd, first, row)
    }
    /// Code for each component that this lane holds: slot, row and column.
    pub(super) fn own(&mut self, t: MatrixType, w: Team, mut body: impl FnMut(&mut Self, Value, Value, Value)) {
        let blocks = self.blocks(t.columns, w);
        self.each(blocks, |c, block| {
            let first = c.op(Opcode::imul, block, w.count);
            let column = c.op(Opcode::iadd, first, w.lane);
            let end = c.word(t.columns);
            let inside = c.op(Opcode::ult, column, end);
            c.when(inside, |c| {
                c.each_of(t.rows, false, |c, row| {
                    let slot = c.slot_of(block, t.rows, row);
                    body(c, slot, row, column);
                });
            });
        });
    }
    /// A number that a lane has.
    fn in_lane(&mut self, n: Number, lane: Value) -> Number {
        let v = self.op(Opcode::wave_read_lane_at, n.value(), lane);
        match n {
            Number::Float(_) => Number::Float(v),
            Number::Int(_, signed) => Number::Int(v, signed),
        }
    }
    /// How many components a lane holds.
    fn length(&mut self, t: MatrixType, w: Team) -> Value {
        let all = self.add(w.count, t.columns.wrapping_sub(1));
        let rest = self.op(Opcode::isub, all, w.lane);
        let columns = self.op(Opcode::udiv, rest, w.count);
        self.times(columns, t.rows)
    }
}

impl Lower<'_> {
    /// An operation on matrices of a wave.
    pub(super) fn wave_operation(
        &mut self,
        i: Inst,
        op: Opcode,
        to: Option<&Bound>,
        operands: &[Value],
        result: Option<Value>,
    ) -> Option<Value> {
        let given: Vec<Bound> = operands
            .iter()
            .filter(|&&v| self.m.types.as_linalg(self.f.ty(v)).is_some())
            .copied()
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|v| self.matrix(v))
            .collect();
        let rest: Vec<Value> = operands.iter().filter(|&&v| self.m.types.as_linalg(self.f.ty(v)).is_none()).copied().collect();
        let w = self.team(to.or(given.first())?.ty.scope)?;
        match (op, to, &given[..], &rest[..]) {
            (Opcode::linalg_fill, Some(to), [], &[value]) => self.fill(to, value, w),
            (Opcode::linalg_copy, Some(to), [from], &[transposed]) => {
                let transposed = self.constant(transposed)? & 1 == 1;
                self.copy(to, from, transposed, w);
            }
            (Opcode::linalg_load, Some(to), [], &[handle, at, stride, layout, _]) => {
                let mut c = self.code();
                let e = encoding(to.ty);
                let (row, column) = c.steps(to.ty, stride, layout, e.bytes());
                let p = InMemory { handle, at, row, column };
                c.own(to.ty, w, |c, slot, r, column| {
                    let at = c.place(p, r, column);
                    let bits = c.load_bits(InBuffer { handle, at }, e.bits());
                    let number = c.decode(e, bits);
                    c.put(to, slot, number);
                });
            }
            (Opcode::linalg_store | Opcode::linalg_add_to, None, [from], &[handle, at, stride, layout, _]) => {
                let mut c = self.code();
                let e = encoding(from.ty);
                let (row, column) = c.steps(from.ty, stride, layout, e.bytes());
                let p = InMemory { handle, at, row, column };
                c.own(from.ty, w, |c, slot, r, column| {
                    let at = c.place(p, r, column);
                    let number = c.slot(from, slot);
                    if op == Opcode::linalg_add_to {
                        c.add_in_buffer(InBuffer { handle, at }, e, number);
                    } else {
                        let bits = c.encode(e, number);
                        c.store_bits(InBuffer { handle, at }, e.bits(), bits);
                    }
                });
            }
            (Opcode::linalg_load_shared | Opcode::linalg_store_shared, ..) => self.shared(i, op, to.or(given.first())?, &rest, None, w),
            (Opcode::linalg_add_to_shared, None, [from], &[target, _, _, _]) => {
                let target = self.constant(target)? as u32;
                self.shared(i, op, from, &rest[1..], Some(target), w);
            }
            (Opcode::linalg_length, _, [from], []) => return Some(self.code().length(from.ty, w)),
            (Opcode::linalg_coordinate, _, [from], &[index]) => return Some(self.coordinate(from, index, w)),
            (Opcode::linalg_get, _, [from], &[index]) => return self.get(from, index, result?, w),
            (Opcode::linalg_set, Some(to), [from], &[index, value]) => self.set(to, from, index, value, w),
            (Opcode::linalg_multiply, Some(to), [a, b], []) => self.multiply(to, a, b, None, w),
            (Opcode::linalg_multiply_accumulate, Some(to), [a, b, c], []) => self.multiply(to, a, b, Some(c), w),
            (Opcode::linalg_accumulate, Some(to), [a, b], []) => {
                let arithmetic = Arithmetic::of(&[encoding(a.ty), encoding(b.ty)]);
                let slots = self.types.slots(to.ty);
                self.code().each_of(slots, false, |c, n| {
                    let (x, y) = (c.slot(a, n), c.slot(b, n));
                    let (x, y) = (c.to(x, arithmetic), c.to(y, arithmetic));
                    let sum = c.sum(arithmetic, x, y);
                    c.put(to, n, arithmetic.number(sum));
                });
            }
            _ => self.refuse(op.hlsl_name()),
        }
        None
    }

    fn fill(&mut self, to: &Bound, value: Value, w: Team) {
        let slots = self.types.slots(to.ty);
        let scalar = self.m.types.elem(self.f.ty(value));
        let e = encoding(to.ty);
        let Some(own) = of_scalar(scalar, e.is_signed()) else { return self.refuse("a matrix of this number") };
        let mut c = self.code();
        let word = c.of_first(value, w);
        let number = c.decode(own, word);
        let number = c.fitted(e, number);
        c.each_of(slots, false, |c, n| c.put(to, n, number));
    }

    fn copy(&mut self, to: &Bound, from: &Bound, transposed: bool, w: Team) {
        let slots = self.types.slots(to.ty);
        let mut c = self.code();
        if !transposed {
            c.each_of(slots, false, |c, n| {
                let number = c.slot(from, n);
                c.put(to, n, number);
            });
            return;
        }
        if let Some(s) = w.scratch {
            return c.transpose_in_group(to, from, w, s);
        }
        c.each_of(from.ty.columns, false, |c, column| {
            let (block, lane) = (c.op(Opcode::udiv, column, w.count), c.op(Opcode::urem, column, w.count));
            c.each_of(from.ty.rows, false, |c, row| {
                let slot = c.slot_of(block, from.ty.rows, row);
                let number = c.slot(from, slot);
                let number = c.in_lane(number, lane);
                let (block, lane) = (c.op(Opcode::udiv, row, w.count), c.op(Opcode::urem, row, w.count));
                let here = c.op(Opcode::ieq, lane, w.lane);
                c.when(here, |c| {
                    let slot = c.slot_of(block, to.ty.rows, column);
                    c.put(to, slot, number);
                });
            });
        });
    }

    /// Offset, stride, layout, in numbers: a groupshared array that is read, written, or added to as numbers of type `target`.
    fn shared(&mut self, i: Inst, op: Opcode, m: &Bound, rest: &[Value], target: Option<u32>, w: Team) {
        let InstData::Access { place, .. } = self.f.insts[i] else { return };
        let (root, whole) = (self.f.places[place].root, self.f.places[place].steps.is_empty());
        let e = target.and_then(encoding_of).unwrap_or(encoding(m.ty));
        let memory = Shared::of(self.m, root).filter(|s| whole && s.holds(e));
        let (Some(memory), &[at, stride, layout]) = (memory, rest) else {
            return self.refuse("a matrix in a groupshared array of such elements");
        };
        let mut c = self.code();
        let (row, column) = c.steps(m.ty, stride, layout, 1);
        let p = InMemory { handle: at, at, row, column };
        let mut fits = true;
        c.own(m.ty, w, |c, slot, r, column| {
            let n = c.place(p, r, column);
            if op == Opcode::linalg_load_shared {
                let bits = c.load_shared(memory, e.bits(), n);
                let number = c.decode(e, bits);
                return c.put(m, slot, number);
            }
            let number = c.slot(m, slot);
            if op == Opcode::linalg_store_shared {
                let bits = c.encode(e, number);
                return c.store_shared(memory, e.bits(), n, bits);
            }
            let number = c.fitted(e, number);
            fits &= c.add_in_shared(memory, e, n, number);
        });
        if !fits {
            self.refuse("an atomic sum in a groupshared array of numbers of 16 bits");
        }
    }

    fn coordinate(&mut self, from: &Bound, index: Value, w: Team) -> Value {
        let mut c = self.code();
        let length = c.length(from.ty, w);
        let valid = c.op(Opcode::ult, index, length);
        let rows = c.word(from.ty.rows.max(1));
        let (block, row) = (c.op(Opcode::udiv, index, rows), c.op(Opcode::urem, index, rows));
        let first = c.op(Opcode::imul, block, w.count);
        let column = c.op(Opcode::iadd, first, w.lane);
        let none = c.word(u32::MAX);
        let (row, column) = (c.b().select(valid, row, none), c.b().select(valid, column, none));
        c.b().construct(&[row, column])
    }

    /// An index of a component that this lane holds, and whether the given one is.
    fn valid(&mut self, ty: MatrixType, index: Value, w: Team) -> (Value, Value) {
        let mut c = self.code();
        let length = c.length(ty, w);
        let valid = c.op(Opcode::ult, index, length);
        let zero = c.word(0);
        (c.b().select(valid, index, zero), valid)
    }

    fn get(&mut self, from: &Bound, index: Value, result: Value, w: Team) -> Option<Value> {
        let scalar = self.m.types.elem(self.f.ty(result));
        let out = of_scalar(scalar, encoding(from.ty).is_signed())?;
        let (at, valid) = self.valid(from.ty, index, w);
        let mut c = self.code();
        let number = c.slot(from, at);
        let value = c.scalar(number, scalar, out);
        let ty = c.types.scalar(scalar);
        let zero = c.f.const_zero(ty);
        Some(c.b().select(valid, value, zero))
    }

    fn set(&mut self, to: &Bound, from: &Bound, index: Value, value: Value, w: Team) {
        let scalar = self.m.types.elem(self.f.ty(value));
        let e = encoding(to.ty);
        let Some(own) = of_scalar(scalar, e.is_signed()) else { return self.refuse("a matrix of this number") };
        let (at, valid) = self.valid(to.ty, index, w);
        let mut c = self.code();
        c.b().copy((to.root, &to.steps, &to.indices), (from.root, &from.steps, &from.indices));
        let word = c.word_of(value);
        let number = c.decode(own, word);
        c.when(valid, |c| c.put(to, at, number));
    }

    /// Each lane computes its columns: rows of the left side come from the lanes that have them.
    fn multiply(&mut self, to: &Bound, a: &Bound, b: &Bound, more: Option<&Bound>, w: Team) {
        let mut encodings = vec![encoding(a.ty), encoding(b.ty), encoding(to.ty)];
        encodings.extend(more.map(|c| encoding(c.ty)));
        let arithmetic = Arithmetic::of(&encodings);
        if let Some(s) = w.scratch {
            let sums = self.m.types.array(arithmetic.ty(), self.types.slots(to.ty));
            let sums = Root::Local(self.f.add_local(sums, ""));
            return self.code().multiply_in_group([to, a, b], more, sums, arithmetic, w, s);
        }
        let total = Root::Local(self.f.add_local(arithmetic.ty(), ""));
        let (rows, inner) = (to.ty.rows, a.ty.columns);
        let mut c = self.code();
        let (columns, inners) = (c.blocks(to.ty.columns, w), c.blocks(inner, w));
        c.each(columns, |c, block| {
            c.each_of(rows, false, |c, row| {
                let nothing = c.nothing(arithmetic);
                c.b().store(total, &[], &[], nothing);
                c.each(inners, |c, inner_block| {
                    let slot = c.slot_of(inner_block, rows, row);
                    let left = c.slot(a, slot);
                    let first = c.op(Opcode::imul, inner_block, w.count);
                    c.each(w.count, |c, lane| {
                        let k = c.op(Opcode::iadd, first, lane);
                        let end = c.word(inner);
                        let inside = c.op(Opcode::ult, k, end);
                        // The same in all lanes.
                        c.when(inside, |c| {
                            let left = c.in_lane(left, lane);
                            let slot = c.slot_of(block, inner, k);
                            let right = c.slot(b, slot);
                            let (left, right) = (c.to(left, arithmetic), c.to(right, arithmetic));
                            let product = c.product(arithmetic, left, right);
                            let before = c.b().load(total, &[], &[], arithmetic.ty());
                            let sum = c.sum(arithmetic, before, product);
                            c.b().store(total, &[], &[], sum);
                        });
                    });
                });
                let mut sum = c.b().load(total, &[], &[], arithmetic.ty());
                let slot = c.slot_of(block, rows, row);
                if let Some(more) = more {
                    let number = c.slot(more, slot);
                    let number = c.to(number, arithmetic);
                    sum = c.sum(arithmetic, sum, number);
                }
                c.put(to, slot, arithmetic.number(sum));
            });
        });
    }
}
