//! Code at one point of a function: arithmetic on words, loops, accesses to buffers and to groupshared memory.

use rtc_base::Span;
use rtc_ir::{Builder, Function, GlobalKind, Module, Opcode, Region, Root, Scalar, Step, Type, TypeKind, TypeTable, Value};
use rtc_tables::linalg::numbers::Encoding;
use rtc_tables::resources::AtomicOp;

/// A number in a register: an `f32` or `f64`, or an `i32` or `i64` that is signed or not.
#[derive(Clone, Copy)]
pub enum Number {
    /// Floating-point.
    Float(Value),
    /// An integer, and whether it is signed.
    Int(Value, bool),
}

impl Number {
    /// The register.
    pub fn value(self) -> Value {
        match self {
            Number::Float(v) | Number::Int(v, _) => v,
        }
    }
}

/// In which numbers a sum of products is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// Floats.
    Float,
    /// Floats of 64 bits.
    Double,
    /// Integers, signed or not.
    Int(bool),
    /// Integers of 64 bits.
    Long(bool),
}

impl Arithmetic {
    /// That of operands with these encodings.
    pub fn of(encodings: &[Encoding]) -> Arithmetic {
        let (wide, signed) = (encodings.iter().any(|e| e.bits() > 32), encodings.iter().any(|e| e.is_signed()));
        match (encodings.iter().any(|e| e.is_float()), wide) {
            (true, false) => Arithmetic::Float,
            (true, true) => Arithmetic::Double,
            (false, false) => Arithmetic::Int(signed),
            (false, true) => Arithmetic::Long(signed),
        }
    }
    /// Whether it is that of floats.
    pub fn is_float(self) -> bool {
        matches!(self, Arithmetic::Float | Arithmetic::Double)
    }
    /// The type of its registers.
    pub fn ty(self) -> Type {
        match self {
            Arithmetic::Float => Type::F32,
            Arithmetic::Double => Type::F64,
            Arithmetic::Int(_) => Type::I32,
            Arithmetic::Long(_) => Type::I64,
        }
    }
    /// A register of it.
    pub fn number(self, v: Value) -> Number {
        match self {
            Arithmetic::Float | Arithmetic::Double => Number::Float(v),
            Arithmetic::Int(signed) | Arithmetic::Long(signed) => Number::Int(v, signed),
        }
    }
}

/// Where code goes.
pub struct Code<'a> {
    /// The types of the module.
    pub types: &'a mut TypeTable,
    /// The function.
    pub f: &'a mut Function,
    /// The region at whose end it goes.
    pub region: Region,
    /// The source.
    pub span: Span,
}

/// A place in a buffer.
#[derive(Clone, Copy)]
pub struct InBuffer {
    /// The handle.
    pub handle: Value,
    /// The byte.
    pub at: Value,
}

/// A part of a groupshared array.
#[derive(Clone, Copy)]
pub struct Shared {
    root: Root,
    scalar: Scalar,
    lanes: u32,
}

impl Shared {
    /// Of the array of a place; none if matrices cannot be there.
    pub fn of(m: &Module, root: Root) -> Option<Shared> {
        let Root::Global(g) = root else { return None };
        let GlobalKind::GroupShared(ty) = m.globals[g].kind else { return None };
        let TypeKind::Array(elem, _) = m.types.kind(ty) else { return None };
        let (scalar, lanes) = m.types.numeric(elem)?;
        (scalar != Scalar::Bool).then_some(Shared { root, scalar, lanes })
    }
    /// Whether its numbers can be these: of the same size, or several in a word.
    pub fn holds(self, e: Encoding) -> bool {
        e.bits() == self.scalar.bits() || e.bits() < 32 && self.scalar == Scalar::I32
    }
}

impl Code<'_> {
    /// A builder here.
    pub fn b(&mut self) -> Builder<'_> {
        Builder { types: self.types, func: self.f, region: self.region, span: self.span, precise: true }
    }
    /// An operation on two values.
    pub fn op(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        self.b().binary(op, a, b)
    }
    /// A constant.
    pub fn word(&mut self, n: u32) -> Value {
        self.f.const_u32(n)
    }
    /// A constant of the type of `like`, an integer.
    pub fn word_like(&mut self, n: u64, like: Value) -> Value {
        let ty = self.f.ty(like);
        self.f.const_bits(ty, if ty == Type::I64 { n } else { n & u64::from(u32::MAX) })
    }
    /// Two words as one number of 64 bits, the low one first.
    pub fn joined(&mut self, low: Value, high: Value) -> Value {
        let (low, high) = (self.b().convert(Opcode::zext, low, Type::I64), self.b().convert(Opcode::zext, high, Type::I64));
        let by = self.word_like(32, high);
        let high = self.op(Opcode::shl, high, by);
        self.op(Opcode::or, low, high)
    }
    /// The words of a number of 64 bits.
    pub fn words_of_wide(&mut self, v: Value) -> [Value; 2] {
        let by = self.word_like(32, v);
        let high = self.op(Opcode::lshr, v, by);
        [v, high].map(|v| self.b().convert(Opcode::itrunc, v, Type::I32))
    }
    /// `a & n`
    pub fn and(&mut self, a: Value, n: u32) -> Value {
        let n = self.word(n);
        self.op(Opcode::and, a, n)
    }
    /// `a + n`
    pub fn add(&mut self, a: Value, n: u32) -> Value {
        if n == 0 {
            return a;
        }
        let n = self.word(n);
        self.op(Opcode::iadd, a, n)
    }
    /// `a * n`
    pub fn times(&mut self, a: Value, n: u32) -> Value {
        if n == 1 {
            return a;
        }
        let n = self.word(n);
        self.op(Opcode::imul, a, n)
    }
    /// `a << n`
    pub fn shl(&mut self, a: Value, n: u32) -> Value {
        if n == 0 {
            return a;
        }
        let n = self.word(n);
        self.op(Opcode::shl, a, n)
    }
    /// `a >> n`
    pub fn shr(&mut self, a: Value, n: u32) -> Value {
        if n == 0 {
            return a;
        }
        let n = self.word(n);
        self.op(Opcode::lshr, a, n)
    }

    /// A loop over the numbers below `count`, which is not 0.
    pub fn each(&mut self, count: Value, body: impl FnOnce(&mut Self, Value)) {
        let (inside, continuing, around) = (self.f.add_region(), self.f.add_region(), self.region);
        let i = self.f.add_param(inside, Type::I32);
        let next = self.f.add_param(continuing, Type::I32);
        self.region = inside;
        body(self, i);
        let advanced = self.add(i, 1);
        self.b().exit_to(Opcode::continue_, inside, &[advanced]);
        self.region = continuing;
        let again = self.op(Opcode::ult, next, count);
        self.b().next_if(again, &[next], &[]);
        self.region = around;
        let zero = self.word(0);
        self.b().loop_(&[zero], inside, continuing, &[]);
    }

    /// The same for a constant number; few are done one after the other.
    pub fn each_of(&mut self, count: u32, unrolled: bool, mut body: impl FnMut(&mut Self, Value)) {
        if unrolled || count == 1 {
            for n in 0..count {
                let n = self.word(n);
                body(self, n);
            }
            return;
        }
        let count = self.word(count);
        self.each(count, body);
    }

    /// Code where a condition holds.
    pub fn when(&mut self, condition: Value, body: impl FnOnce(&mut Self)) {
        let (then, otherwise, around) = (self.f.add_region(), self.f.add_region(), self.region);
        self.region = then;
        body(self);
        self.b().exit(Opcode::yield_, &[]);
        self.region = otherwise;
        self.b().exit(Opcode::yield_, &[]);
        self.region = around;
        self.b().if_(condition, then, otherwise, &[]);
    }

    // Buffers -----------------------------------------------------------------------------------

    /// The word that a byte is in, and how far the byte is from its lowest bit.
    fn within(&mut self, at: Value) -> (Value, Value) {
        let word = self.and(at, !3);
        let byte = self.and(at, 3);
        (word, self.shl(byte, 3))
    }

    /// A word of a buffer.
    pub fn load_word(&mut self, handle: Value, at: Value) -> Value {
        self.b().many_value(Opcode::raw_load, 4, &[handle, at], Type::I32)
    }

    /// The bits of a number in a buffer; higher ones may be set.
    pub fn load_bits(&mut self, p: InBuffer, bits: u32) -> Value {
        if bits == 32 {
            return self.load_word(p.handle, p.at);
        }
        if bits == 64 {
            let next = self.add(p.at, 4);
            let (low, high) = (self.load_word(p.handle, p.at), self.load_word(p.handle, next));
            return self.joined(low, high);
        }
        let (at, by) = self.within(p.at);
        let word = self.load_word(p.handle, at);
        self.op(Opcode::lshr, word, by)
    }

    /// Stores the bits of a number. Other threads may write what else is in its word.
    pub fn store_bits(&mut self, p: InBuffer, bits: u32, value: Value) {
        if bits == 32 {
            self.b().many(Opcode::raw_store, 4, &[p.handle, p.at, value], &[]);
            return;
        }
        if bits == 64 {
            let next = self.add(p.at, 4);
            for (at, word) in [p.at, next].into_iter().zip(self.words_of_wide(value)) {
                self.b().many(Opcode::raw_store, 4, &[p.handle, at, word], &[]);
            }
            return;
        }
        let (at, by) = self.within(p.at);
        let (keep, set) = self.masked(value, bits, by);
        self.b().many(Opcode::raw_atomic, AtomicOp::And as u32, &[p.handle, at, keep], &[Type::I32]);
        self.b().many(Opcode::raw_atomic, AtomicOp::Or as u32, &[p.handle, at, set], &[Type::I32]);
    }

    /// What is kept of a word, and what is set in it.
    fn masked(&mut self, value: Value, bits: u32, by: Value) -> (Value, Value) {
        let mask = self.word((1 << bits) - 1);
        let mask = self.op(Opcode::shl, mask, by);
        let keep = self.b().unary(Opcode::not, mask);
        (keep, self.op(Opcode::shl, value, by))
    }

    /// Adds to a number of a buffer.
    pub fn add_in_buffer(&mut self, p: InBuffer, e: Encoding, n: Number) {
        let wide = e.bits() == 64;
        let ty = if wide { Type::I64 } else { Type::I32 };
        if e.bits() >= 32 && !e.is_float() {
            let n = self.encode(e, n);
            self.b().many(Opcode::raw_atomic, AtomicOp::Add as u32, &[p.handle, p.at, n], &[ty]);
            return;
        }
        let (at, by) = if wide { (p.at, p.at) } else { self.within(p.at) };
        let first = self.load_bits(InBuffer { handle: p.handle, at }, e.bits().max(32));
        self.exchange(first, |c, old| {
            let new = c.changed(old, by, e, n);
            c.b().many_value(Opcode::raw_atomic, AtomicOp::CompareExchange as u32, &[p.handle, at, old, new], ty)
        });
    }

    /// A word with a number added to the one that is in it.
    fn changed(&mut self, old: Value, by: Value, e: Encoding, n: Number) -> Value {
        let bits = e.bits();
        let low = if bits < 32 { self.op(Opcode::lshr, old, by) } else { old };
        let there = self.decode(e, low);
        let arithmetic = Arithmetic::of(&[e]);
        let (a, b) = (self.to(there, arithmetic), self.to(n, arithmetic));
        let sum = self.sum(arithmetic, a, b);
        // Integers wrap around, as those of other atomic operations do.
        let sum = if arithmetic.is_float() { self.encode(e, Number::Float(sum)) } else { sum };
        if bits >= 32 {
            return sum;
        }
        let sum = self.and(sum, (1 << bits) - 1);
        let (keep, set) = self.masked(sum, bits, by);
        let kept = self.op(Opcode::and, old, keep);
        self.op(Opcode::or, kept, set)
    }

    /// Until the word is still the one that was changed: `exchange` gives the word that was there.
    fn exchange(&mut self, first: Value, exchange: impl FnOnce(&mut Self, Value) -> Value) {
        let (inside, continuing, around) = (self.f.add_region(), self.f.add_region(), self.region);
        let ty = self.f.ty(first);
        let old = self.f.add_param(inside, ty);
        let (there, again) = (self.f.add_param(continuing, ty), self.f.add_param(continuing, Type::BOOL));
        self.region = inside;
        let found = exchange(self, old);
        let other = self.op(Opcode::ine, found, old);
        self.b().exit_to(Opcode::continue_, inside, &[found, other]);
        self.region = continuing;
        self.b().next_if(again, &[there], &[]);
        self.region = around;
        self.b().loop_(&[first], inside, continuing, &[]);
    }

    // Groupshared memory ------------------------------------------------------------------------

    /// The steps and indices of the number of so many bits with this index, and how far it is from the lowest bit of the word there.
    fn in_shared(&mut self, s: Shared, bits: u32, n: Value) -> (Vec<Step>, Vec<Value>, Value) {
        let several = s.scalar.bits() / bits;
        let (flat, by) = match several {
            1 => (n, self.word(0)),
            _ => {
                let part = self.and(n, several - 1);
                (self.shr(n, several.trailing_zeros()), self.times(part, bits))
            }
        };
        if s.lanes == 1 {
            return (vec![Step::Dyn], vec![flat], by);
        }
        let lanes = self.word(s.lanes);
        let (vector, lane) = (self.op(Opcode::udiv, flat, lanes), self.op(Opcode::urem, flat, lanes));
        (vec![Step::Dyn, Step::Dyn], vec![vector, lane], by)
    }

    /// The bits of a number in groupshared memory; higher ones may be set.
    pub fn load_shared(&mut self, s: Shared, bits: u32, n: Value) -> Value {
        let (steps, indices, by) = self.in_shared(s, bits, n);
        let ty = self.types.scalar(s.scalar);
        let v = self.b().load(s.root, &steps, &indices, ty);
        let word = self.word_of(v);
        if s.scalar.bits() == bits { word } else { self.op(Opcode::lshr, word, by) }
    }

    /// Stores the bits of a number in groupshared memory.
    pub fn store_shared(&mut self, s: Shared, bits: u32, n: Value, value: Value) {
        let (steps, indices, by) = self.in_shared(s, bits, n);
        if s.scalar.bits() == bits {
            let v = self.value_of(s.scalar, value);
            self.b().store(s.root, &steps, &indices, v);
            return;
        }
        let (keep, set) = self.masked(value, bits, by);
        self.var_atomic(s, AtomicOp::And, &steps, &indices, &[keep]);
        self.var_atomic(s, AtomicOp::Or, &steps, &indices, &[set]);
    }

    fn var_atomic(&mut self, s: Shared, op: AtomicOp, steps: &[Step], indices: &[Value], operands: &[Value]) -> Value {
        let ty = self.types.scalar(s.scalar);
        let place = self.f.place(s.root, steps);
        let all: Vec<Value> = indices.iter().chain(operands).copied().collect();
        let args = self.f.list(&all);
        let data = rtc_ir::InstData::Access { op: Opcode::var_atomic, imm: op as u32, place, args };
        let i = self.b().push(data, &[ty]);
        self.f.result(i)
    }

    /// Adds to a number of groupshared memory: of words, so that it can be done atomically. False: it is of halves of words.
    pub fn add_in_shared(&mut self, s: Shared, e: Encoding, n: Value, number: Number) -> bool {
        let (steps, indices, by) = self.in_shared(s, e.bits(), n);
        match s.scalar {
            Scalar::I32 | Scalar::I64 if e.bits() == s.scalar.bits() && !e.is_float() => {
                let operand = self.encode(e, number);
                self.var_atomic(s, AtomicOp::Add, &steps, &indices, &[operand]);
            }
            _ if s.scalar.bits() < 32 => return false,
            _ => {
                let ty = self.types.scalar(s.scalar);
                let first = self.b().load(s.root, &steps, &indices, ty);
                let first = self.word_of(first);
                self.exchange(first, |c, old| {
                    let new = c.changed(old, by, e, number);
                    // The bits are compared, whatever the variable holds.
                    let (old, new) = (c.value_of(s.scalar, old), c.value_of(s.scalar, new));
                    let there = c.var_atomic(s, AtomicOp::CompareExchange, &steps, &indices, &[old, new]);
                    c.word_of(there)
                });
            }
        }
        true
    }
}
