//! What threads of a group read of each other's parts of matrices: through groupshared memory, a few columns at a time, between barriers.
//!
//! All threads call an operation together, so the loops are the same in all, and so is how often they come to a barrier.

use rtc_base::Span;
use rtc_ir::{Global, GlobalData, GlobalKind, Module, Opcode, Root, Step, Type, Value};
use rtc_tables::barriers::mode;

use super::code::{Arithmetic, Code, Number};
use super::wave::registers;
use super::{Bound, Team};

/// How many words threads exchange at once.
pub const SCRATCH_WORDS: u32 = 2048;

/// The memory: an array of words.
#[derive(Clone, Copy)]
pub struct Scratch {
    /// The array.
    pub root: Root,
}

/// A new array.
pub fn scratch(m: &mut Module) -> Global {
    let kind = GlobalKind::GroupShared(m.types.array(Type::I32, SCRATCH_WORDS));
    let name = "linalg.scratch".to_owned();
    m.globals.push(GlobalData { symbol: name.clone(), name, kind, decorations: Vec::new(), span: Span::NONE, precise: false })
}

impl Code<'_> {
    fn group_barrier(&mut self) {
        self.b().many(Opcode::barrier, mode::GROUPSHARED | mode::GROUP_SYNC, &[], &[]);
    }

    /// Writes a word, or at twice the index the two of a number of 64 bits.
    fn write_word(&mut self, s: Scratch, at: Value, word: Value) {
        if self.f.ty(word) != Type::I64 {
            return self.b().store(s.root, &[Step::Dyn], &[at], word);
        }
        let at = self.times(at, 2);
        let next = self.add(at, 1);
        for (at, word) in [at, next].into_iter().zip(self.words_of_wide(word)) {
            self.b().store(s.root, &[Step::Dyn], &[at], word);
        }
    }

    fn read_word(&mut self, s: Scratch, at: Value, wide: bool) -> Value {
        if !wide {
            return self.b().load(s.root, &[Step::Dyn], &[at], Type::I32);
        }
        let at = self.times(at, 2);
        let next = self.add(at, 1);
        let [low, high] = [at, next].map(|at| self.b().load(s.root, &[Step::Dyn], &[at], Type::I32));
        self.joined(low, high)
    }

    /// A number that another thread wrote, of the kind of a matrix's.
    fn read_number(&mut self, s: Scratch, at: Value, of: Arithmetic) -> Number {
        let wide = matches!(of, Arithmetic::Double | Arithmetic::Long(_));
        let word = self.read_word(s, at, wide);
        let v = if of.is_float() { self.b().convert(Opcode::bitcast, word, of.ty()) } else { word };
        of.number(v)
    }

    /// The bits of a number that the first thread has, in a word.
    pub(super) fn of_first(&mut self, value: Value, w: Team) -> Value {
        let Some(s) = w.scratch else {
            let first = self.b().unary(Opcode::wave_read_lane_first, value);
            return self.word_of(first);
        };
        let (word, zero) = (self.word_of(value), self.word(0));
        let is_first = self.op(Opcode::ieq, w.lane, zero);
        self.group_barrier();
        self.when(is_first, |c| c.write_word(s, zero, word));
        self.group_barrier();
        let wide = self.f.ty(word) == Type::I64;
        self.read_word(s, zero, wide)
    }

    /// Code for each part of the columns of a matrix, which all threads have in memory then: the number of its first column, and how many columns a part has.
    /// The columns of the last one may be more than there are.
    fn by_parts(&mut self, from: &Bound, w: Team, s: Scratch, mut body: impl FnMut(&mut Self, Value, u32)) {
        let (rows, columns) = (from.ty.rows.max(1), from.ty.columns.max(1));
        let of = registers(from.ty);
        let wide = matches!(of, Arithmetic::Double | Arithmetic::Long(_));
        let each = (SCRATCH_WORDS / rows / if wide { 2 } else { 1 }).clamp(1, columns);
        self.each_of(columns.div_ceil(each), false, |c, part| {
            let first = c.times(part, each);
            c.group_barrier();
            c.own(from.ty, w, |c, slot, row, column| {
                let n = c.op(Opcode::isub, column, first);
                let end = c.word(each);
                let inside = c.op(Opcode::ult, n, end);
                c.when(inside, |c| {
                    let at = c.slot_of(n, rows, row);
                    let number = c.slot(from, slot).value();
                    let word = c.word_of(number);
                    c.write_word(s, at, word);
                });
            });
            c.group_barrier();
            body(c, first, each);
        });
    }

    pub(super) fn transpose_in_group(&mut self, to: &Bound, from: &Bound, w: Team, s: Scratch) {
        let rows = from.ty.rows.max(1);
        self.by_parts(from, w, s, |c, first, each| {
            c.own(to.ty, w, |c, slot, row, column| {
                let n = c.op(Opcode::isub, row, first);
                let end = c.word(each);
                let inside = c.op(Opcode::ult, n, end);
                c.when(inside, |c| {
                    let at = c.slot_of(n, rows, column);
                    let number = c.read_number(s, at, registers(from.ty));
                    c.put(to, slot, number);
                });
            });
        });
    }

    /// `to = a * b + more`; the sums of this thread are an array.
    pub(super) fn multiply_in_group(
        &mut self,
        [to, a, b]: [&Bound; 3],
        more: Option<&Bound>,
        sums: Root,
        arithmetic: Arithmetic,
        w: Team,
        s: Scratch,
    ) {
        let (rows, inner) = (a.ty.rows.max(1), a.ty.columns);
        self.own(to.ty, w, |c, slot, _, _| {
            let nothing = c.nothing(arithmetic);
            c.b().store(sums, &[Step::Dyn], &[slot], nothing);
        });
        self.by_parts(a, w, s, |c, first, each| {
            c.own(to.ty, w, |c, slot, row, column| {
                let block = c.op(Opcode::udiv, column, w.count);
                c.each_of(each, false, |c, n| {
                    let k = c.op(Opcode::iadd, first, n);
                    let end = c.word(inner);
                    let inside = c.op(Opcode::ult, k, end);
                    c.when(inside, |c| {
                        let at = c.slot_of(n, rows, row);
                        let left = c.read_number(s, at, registers(a.ty));
                        let at = c.slot_of(block, inner, k);
                        let right = c.slot(b, at);
                        let (left, right) = (c.to(left, arithmetic), c.to(right, arithmetic));
                        let product = c.product(arithmetic, left, right);
                        let before = c.b().load(sums, &[Step::Dyn], &[slot], arithmetic.ty());
                        let sum = c.sum(arithmetic, before, product);
                        c.b().store(sums, &[Step::Dyn], &[slot], sum);
                    });
                });
            });
        });
        self.own(to.ty, w, |c, slot, _, _| {
            let mut sum = c.b().load(sums, &[Step::Dyn], &[slot], arithmetic.ty());
            if let Some(more) = more {
                let number = c.slot(more, slot);
                let number = c.to(number, arithmetic);
                sum = c.sum(arithmetic, sum, number);
            }
            c.put(to, slot, arithmetic.number(sum));
        });
    }
}
