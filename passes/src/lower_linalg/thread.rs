//! Matrices of a thread: products with vectors, sums of outer products, conversions.

use rtc_ir::{Opcode, Root, Scalar, Step, Type, Value};
use rtc_tables::linalg::layouts::OPTIMAL_ALIGNMENT;
use rtc_tables::linalg::numbers::{Encoding, encoding_of};
use rtc_tables::linalg::{LAYOUTS_WITH_STRIDE, MatrixType, component_of};

use super::code::{Arithmetic, Code, InBuffer, Number};
use super::numbers::of_scalar;
use super::{Bound, Lower, encoding};

/// Up to so many products are written one after the other.
const UNROLLED: u32 = 256;

/// How many numbers of a component type are in a component of a vector.
fn per_scalar(component: u32) -> u32 {
    component_of(component).and_then(|c| c.stored).map_or(1, |s| s.per_scalar())
}

/// A matrix in memory, in registers.
#[derive(Clone, Copy)]
pub(super) struct InMemory {
    pub handle: Value,
    pub at: Value,
    pub row: Value,
    pub column: Value,
}

impl Code<'_> {
    /// How far it is between rows and between columns of a layout, in bytes where numbers have so many.
    pub(super) fn steps(&mut self, t: MatrixType, stride: Value, layout: Value, bytes: u32) -> (Value, Value) {
        let own = |length: u32| (u64::from(length) * u64::from(bytes)).next_multiple_of(OPTIMAL_ALIGNMENT) as u32;
        let each = self.word(bytes);
        let (of_rows, of_columns) = (self.word(own(t.columns)), self.word(own(t.rows)));
        if let Some(layout) = self.f.as_const(layout) {
            let by_columns = rtc_tables::linalg::layouts::is_by_columns(layout);
            let stride = match (layout < LAYOUTS_WITH_STRIDE, by_columns) {
                (true, _) => stride,
                (false, true) => of_columns,
                (false, false) => of_rows,
            };
            return if by_columns { (each, stride) } else { (stride, each) };
        }
        let (one, first) = (self.word(1), self.word(LAYOUTS_WITH_STRIDE as u32));
        let odd = self.and(layout, 1);
        let by_columns = self.op(Opcode::ieq, odd, one);
        let given = self.op(Opcode::ult, layout, first);
        let device = self.b().select(by_columns, of_columns, of_rows);
        let stride = self.b().select(given, stride, device);
        (self.b().select(by_columns, each, stride), self.b().select(by_columns, stride, each))
    }

    /// `at + row * r + column * c`
    pub(super) fn place(&mut self, p: InMemory, r: Value, c: Value) -> Value {
        let (r, c) = (self.op(Opcode::imul, p.row, r), self.op(Opcode::imul, p.column, c));
        let at = self.op(Opcode::iadd, p.at, r);
        self.op(Opcode::iadd, at, c)
    }

    /// The numbers that a vector holds, of which each is of a component type: up to `count`.
    pub(super) fn numbers(&mut self, v: Value, component: u32, count: u32) -> Vec<Number> {
        let (scalar, lanes) = self.types.numeric(self.f.ty(v)).unwrap_or((Scalar::I32, 1));
        let per = per_scalar(component);
        let Some(e) = encoding_of(component) else { return Vec::new() };
        let own = of_scalar(scalar, e.is_signed()).unwrap_or(e);
        let whole = per == 1 && (own.bits() != e.bits() || own.is_float() != e.is_float());
        let mut out = Vec::new();
        for n in 0..count.min(lanes * per) {
            let part = self.b().extract(v, n / per);
            let word = self.word_of(part);
            let word = self.shr(word, n % per * e.bits());
            out.push(if whole {
                let number = self.decode(own, word);
                self.fitted(e, number)
            } else {
                self.decode(e, word)
            });
        }
        out
    }

    /// A number as one of an IR type.
    pub(super) fn scalar(&mut self, n: Number, scalar: Scalar, e: Encoding) -> Value {
        if let Number::Float(v) = n
            && self.types.scalar(scalar) == self.f.ty(v)
        {
            return v;
        }
        let bits = self.encode(e, n);
        self.value_of(scalar, bits)
    }
}

impl Lower<'_> {
    /// Buffer, offset, stride, layout, alignment.
    pub(super) fn load_of_thread(&mut self, to: &Bound, operands: &[Value]) -> Option<Value> {
        let &[handle, at, stride, layout, _] = operands else { return None };
        let bytes = encoding(to.ty).bytes();
        let (root, indices) = (to.root, to.indices.clone());
        let parts: Vec<Vec<Step>> = (0..4).map(|n| to.part(&[Step::At(n)])).collect();
        let mut c = self.code();
        let (row, column) = c.steps(to.ty, stride, layout, bytes);
        for (part, v) in parts.iter().zip([handle, at, row, column]) {
            c.b().store(root, part, &indices, v);
        }
        None
    }

    pub(super) fn in_memory(&mut self, from: &Bound) -> InMemory {
        let handle = self.types.handle.unwrap_or(Type::I32);
        let types = [handle, Type::I32, Type::I32, Type::I32];
        let parts: Vec<Vec<Step>> = (0..4).map(|n| from.part(&[Step::At(n)])).collect();
        let mut c = self.code();
        let mut load = |n: usize| c.b().load(from.root, &parts[n], &from.indices, types[n]);
        InMemory { handle: load(0), at: load(1), row: load(2), column: load(3) }
    }

    /// Matrix, whether the result has a sign, vector, what its numbers are, and, if `add`, what is added.
    pub(super) fn vector(&mut self, operands: &[Value], result: Option<Value>, add: bool) -> Option<Value> {
        let from = self.matrix(*operands.first()?)?;
        let signed = self.constant(*operands.get(1)?)? & 1 == 1;
        let component = self.constant(*operands.get(3)?)? as u32;
        let (x, bias) = (*operands.get(2)?, operands.get(4).copied().filter(|_| add));
        let (scalar, rows) = self.m.types.numeric(self.f.ty(result?))?;
        let (own, given, out) = (encoding(from.ty), encoding_of(component)?, of_scalar(scalar, signed)?);
        let arithmetic = Arithmetic::of(&[own, given, out]);
        let p = self.in_memory(&from);
        let by_columns = self.by_columns;
        let columns = from.ty.columns;
        let array = self.m.types.array(self.m.types.scalar(scalar), rows);
        let unrolled = rows * columns <= UNROLLED;
        let (sums, biases) = (self.f.add_local(array, ""), self.f.add_local(array, ""));
        let mut c = self.code();
        let xs: Vec<Value> = c.numbers(x, component, columns).into_iter().map(|n| c.to(n, arithmetic)).collect();
        if let (Some(bias), false) = (bias, unrolled) {
            for n in 0..rows {
                let part = c.b().extract(bias, n);
                c.b().store(Root::Local(biases), &[Step::At(n)], &[], part);
            }
        }
        let ty = c.types.scalar(scalar);
        let mut done = Vec::new();
        c.each_of(rows, unrolled, |c, r| {
            let offset = c.op(Opcode::imul, p.row, r);
            let at = c.op(Opcode::iadd, p.at, offset);
            let mut sum = None;
            let per = (32 / own.bits()).max(1);
            let mut word = None;
            for (k, &x) in (0..).zip(&xs) {
                let bits = match by_columns {
                    // Rows begin at a multiple of 16 bytes: numbers that are in one word are loaded together.
                    Some(false) if own.bits() <= 32 => {
                        let w = match word {
                            Some(w) if k % per != 0 => w,
                            _ => {
                                let at = c.add(at, k / per * 4);
                                c.load_word(p.handle, at)
                            }
                        };
                        word = Some(w);
                        c.shr(w, k % per * own.bits())
                    }
                    _ => {
                        let far = c.times(p.column, k);
                        let at = if k == 0 { at } else { c.op(Opcode::iadd, at, far) };
                        c.load_bits(InBuffer { handle: p.handle, at }, own.bits())
                    }
                };
                let number = c.decode(own, bits);
                let number = c.to(number, arithmetic);
                let product = c.product(arithmetic, number, x);
                sum = Some(match sum {
                    Some(sum) => c.sum(arithmetic, sum, product),
                    None => product,
                });
            }
            let mut sum = sum.unwrap_or_else(|| c.nothing(arithmetic));
            if let Some(bias) = bias {
                let part = match c.f.as_const(r) {
                    Some(n) if unrolled => c.b().extract(bias, n as u32),
                    _ => c.b().load(Root::Local(biases), &[Step::Dyn], &[r], ty),
                };
                let word = c.word_of(part);
                let number = c.decode(out, word);
                let number = c.to(number, arithmetic);
                sum = c.sum(arithmetic, sum, number);
            }
            let value = c.scalar(arithmetic.number(sum), scalar, out);
            if unrolled {
                done.push(value);
            } else {
                c.b().store(Root::Local(sums), &[Step::Dyn], &[r], value);
            }
        });
        if !unrolled {
            done = (0..rows).map(|n| c.b().load(Root::Local(sums), &[Step::At(n)], &[], ty)).collect();
        }
        Some(c.b().construct(&done))
    }

    /// Vector, what its numbers are, what those of the result are.
    pub(super) fn convert(&mut self, operands: &[Value], result: Option<Value>) -> Option<Value> {
        let &[v, from, to] = operands else { return None };
        let (from, to) = (self.constant(from)? as u32, self.constant(to)? as u32);
        let (scalar, lanes) = self.m.types.numeric(self.f.ty(result?))?;
        let e = encoding_of(to)?;
        let count = self.m.types.lanes(self.f.ty(v)) * per_scalar(from);
        let per = per_scalar(to) as usize;
        let mut c = self.code();
        let numbers = c.numbers(v, from, count);
        let mut parts = Vec::new();
        for n in 0..lanes as usize {
            let mut word = None;
            for (at, &number) in (0..).zip(numbers.iter().skip(n * per).take(per)) {
                let bits = c.encode(e, number);
                let bits = c.shl(bits, at * e.bits());
                word = Some(match word {
                    Some(w) => c.op(Opcode::or, w, bits),
                    None => bits,
                });
            }
            let word = word.unwrap_or_else(|| c.f.const_bits(if e.bits() > 32 { Type::I64 } else { Type::I32 }, 0));
            parts.push(c.value_of(scalar, word));
        }
        Some(c.b().construct(&parts))
    }

    /// Two vectors.
    pub(super) fn outer(&mut self, to: &Bound, operands: &[Value]) -> Option<Value> {
        let e = encoding(to.ty);
        let arithmetic = Arithmetic::of(&[e]);
        for (side, &v) in (0..).zip(operands) {
            let count = if side == 0 { to.ty.rows } else { to.ty.columns };
            let (scalar, lanes) = self.m.types.numeric(self.f.ty(v))?;
            if scalar.is_float() && !arithmetic.is_float() {
                self.refuse("a product of floats as a matrix of integers");
                return None;
            }
            let own = of_scalar(scalar, e.is_signed())?;
            let (root, part, indices) = (to.root, to.part(&[Step::At(side)]), to.indices.clone());
            let mut c = self.code();
            let numbers = match lanes < count {
                true => c.numbers(v, to.ty.component, count),
                false => (0..count)
                    .map(|n| {
                        let part = c.b().extract(v, n);
                        let word = c.word_of(part);
                        c.decode(own, word)
                    })
                    .collect(),
            };
            for (n, number) in (0..).zip(numbers) {
                let value = c.to(number, arithmetic);
                let steps: Vec<Step> = part.iter().copied().chain([Step::At(n)]).collect();
                c.b().store(root, &steps, &indices, value);
            }
        }
        None
    }

    /// Matrix, buffer, offset, stride, layout, alignment.
    pub(super) fn add_products_to(&mut self, operands: &[Value]) -> Option<Value> {
        let &[matrix, handle, at, stride, layout, _] = operands else { return None };
        let from = self.matrix(matrix)?;
        let e = encoding(from.ty);
        let arithmetic = Arithmetic::of(&[e]);
        let (rows, columns) = (from.ty.rows, from.ty.columns);
        let mut c = self.code();
        let (row, column) = c.steps(from.ty, stride, layout, e.bytes());
        let p = InMemory { handle, at, row, column };
        let unrolled = rows * columns <= 16;
        c.each_of(rows, unrolled, |c, r| {
            let (steps, indices) = from.at(&[Step::At(0)], r);
            let a = c.b().load(from.root, &steps, &indices, arithmetic.ty());
            c.each_of(columns, unrolled, |c, column| {
                let (steps, indices) = from.at(&[Step::At(1)], column);
                let b = c.b().load(from.root, &steps, &indices, arithmetic.ty());
                let product = c.product(arithmetic, a, b);
                let number = c.fitted(e, arithmetic.number(product));
                let at = c.place(p, r, column);
                c.add_in_buffer(InBuffer { handle, at }, e, number);
            });
        });
        None
    }

    /// Buffer, offset, alignment, vector.
    pub(super) fn vector_add_to(&mut self, operands: &[Value]) -> Option<Value> {
        let &[handle, at, _, v] = operands else { return None };
        let (scalar, lanes) = self.m.types.numeric(self.f.ty(v))?;
        let e = of_scalar(scalar, true)?;
        let mut c = self.code();
        for n in 0..lanes {
            let part = c.b().extract(v, n);
            let word = c.word_of(part);
            let number = c.decode(e, word);
            let at = c.add(at, n * e.bytes());
            c.add_in_buffer(InBuffer { handle, at }, e, number);
        }
        None
    }
}
