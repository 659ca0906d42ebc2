//! Contraction: a product that only one sum uses becomes `FMad`, which may round once or twice as fast arithmetic may.
//!
//! `a * b + c` is one instruction then; so are `a * b - c` and `c - a * b` where a constant can take the sign: `c`, or a factor of a product
//! without other uses. For the same reason the negation of such a product is that product. The operands of a difference do not change
//! places: debug information says what variables are, and a program's differences are often variables.
//!
//! Both instructions must be fast, and single precision or half: what is `precise` keeps its two roundings. A product does not move across
//! a reorder point, since two factors would be live there in place of one value. Results of other instructions stay what they were.

use rustc_hash::FxHashSet;

use super::Emitter;
use rtc_base::SecondaryMap;
use rtc_dxil_module::{BinOp, Block, Body, ConstKind, Func, Inst, Module, Op, Tail, Type, TypeKind, Value, flags};
use rtc_tables::dxil_ops::op;

/// So many instructions a sign goes through.
const MAX_DEPTH: u32 = 3;

impl Emitter<'_> {
    /// Contracts products and sums of the finished function.
    pub(super) fn contract(&mut self) {
        let Some(body) = self.out.funcs[self.func].body.take() else {
            return;
        };
        let mut c = Contraction::new(self.out, body, &self.reorders);
        c.run();
        let Contraction { mut body, dead, negated, .. } = c;
        if let Some(plan) = &mut self.plan {
            plan.forget(&dead, &body.blocks);
            plan.forget_values(&negated);
        }
        if !dead.is_empty() {
            body.blocks.values_mut().for_each(|insts| insts.retain(|i| !dead.contains(i)));
        }
        self.out.funcs[self.func].body = Some(body);
    }
}

struct Contraction<'a> {
    out: &'a mut Module,
    body: Body,
    /// How many instructions there were at each reorder point.
    reorders: &'a [u32],
    uses: SecondaryMap<Inst, u32>,
    block: SecondaryMap<Inst, u32>,
    /// The operation of the last type, and that type.
    callee: Option<(Type, Func)>,
    dead: FxHashSet<Inst>,
    /// Instructions that give the negated value now.
    negated: FxHashSet<Inst>,
}

impl<'a> Contraction<'a> {
    fn new(out: &'a mut Module, body: Body, reorders: &'a [u32]) -> Self {
        let (mut uses, mut block) = (SecondaryMap::new(), SecondaryMap::new());
        uses.resize(body.insts.len());
        block.resize(body.insts.len());
        for (b, insts) in body.blocks.iter() {
            for &i in insts {
                block[i] = b.as_u32();
                body.operands(i, |v| {
                    if let Value::Inst(used) = v {
                        uses[used] += 1;
                    }
                });
            }
        }
        Contraction { out, body, reorders, uses, block, callee: None, dead: FxHashSet::default(), negated: FxHashSet::default() }
    }

    fn run(&mut self) {
        let blocks: Vec<Block> = self.body.blocks.keys().collect();
        for b in blocks {
            for n in 0..self.body.blocks[b].len() {
                self.inst(self.body.blocks[b][n]);
            }
        }
    }

    fn inst(&mut self, i: Inst) {
        let Some((op @ (BinOp::Add | BinOp::Sub), lhs, rhs)) = self.fast(i) else {
            return;
        };
        if op == BinOp::Sub && self.is_negative_zero(lhs) {
            return self.negation(i, rhs);
        }
        let (left, right) = (self.product(lhs, i), self.product(rhs, i));
        let done = match (op, left, right) {
            (BinOp::Add, Some(p), _) => Some((p, rhs)),
            (BinOp::Add, None, Some(p)) => Some((p, lhs)),
            (_, _, Some(p)) if self.may_negate(rhs, 0) => {
                self.negate(rhs);
                Some((p, lhs))
            }
            (_, Some(p), _) if self.may_negate(rhs, 0) => Some((p, self.negate(rhs))),
            _ => None,
        };
        let Some((product, addend)) = done else { return };
        let Some((_, a, b)) = self.fast(product) else { return };
        let ty = self.body.insts[i].ty;
        let callee = match self.callee {
            Some((of, callee)) if of == ty => callee,
            _ => {
                let Ok(callee) = self.out.dx_op(op::FMAD, &[ty]) else {
                    return;
                };
                self.callee = Some((ty, callee));
                callee
            }
        };
        let args = self.body.list(&[self.out.i32(op::FMAD.number() as i32), a, b, addend]);
        let ty = self.out.funcs[callee].ty;
        self.body.insts[i].op = Op::Call { callee: Value::Func(callee), ty, attrs: None.into(), args, cc: 0, tail: Tail::No };
        self.dead.insert(product);
    }

    /// `i` is the negation of `v`.
    fn negation(&mut self, i: Inst, v: Value) {
        if let Value::Inst(of) = v
            && self.may_negate(v, 0)
            && self.reaches(of, i)
        {
            self.negate(v);
            self.body.insts[i].op = self.body.insts[of].op;
            self.negated.remove(&of);
            self.dead.insert(of);
        }
    }

    /// The operation and operands of a fast instruction of single precision or half.
    fn fast(&self, i: Inst) -> Option<(BinOp, Value, Value)> {
        let data = self.body.insts[i];
        match data.op {
            Op::Binary { op, flags: flags::FAST, lhs, rhs } if matches!(self.out.types[data.ty], TypeKind::Float | TypeKind::Half) => {
                Some((op, lhs, rhs))
            }
            _ => None,
        }
    }

    /// The fast product that `v` is, if only `user` uses it and may compute it.
    fn product(&self, v: Value, user: Inst) -> Option<Inst> {
        let i = self.only_use(v)?;
        let (BinOp::Mul, ..) = self.fast(i)? else { return None };
        self.reaches(i, user).then_some(i)
    }

    /// The instruction that `v` is, if it has one use.
    fn only_use(&self, v: Value) -> Option<Inst> {
        match v {
            Value::Inst(i) if self.uses[i] == 1 && !self.dead.contains(&i) => Some(i),
            _ => None,
        }
    }

    /// Whether no reorder point is between the two: instructions of one block are in the order in which they were made, and of those in
    /// several nothing is known.
    fn reaches(&self, from: Inst, to: Inst) -> bool {
        if self.block[from] != self.block[to] {
            return self.reorders.is_empty();
        }
        // Points are in the order in which they were made.
        let before = |i: Inst| self.reorders.partition_point(|&n| n <= i.as_u32());
        before(from) == before(to)
    }

    /// Whether [`Contraction::negate`] may be called for the only use of `v`.
    fn may_negate(&self, v: Value, depth: u32) -> bool {
        if let Value::Const(c) = v {
            return matches!(self.out.consts[c].kind, ConstKind::Float(_));
        }
        let Some(parts) = self.only_use(v).and_then(|i| self.fast(i)).filter(|_| depth < MAX_DEPTH) else {
            return false;
        };
        match parts {
            (BinOp::Mul, lhs, rhs) => self.may_negate(rhs, depth + 1) || self.may_negate(lhs, depth + 1),
            _ => false,
        }
    }

    /// What is `-v`; the instruction of `v` gives that from here on.
    fn negate(&mut self, v: Value) -> Value {
        let i = match v {
            Value::Const(c) => return self.negative(c),
            Value::Inst(i) => i,
            _ => return v,
        };
        self.negated.insert(i);
        if let Some((op, lhs, rhs)) = self.fast(i) {
            let (lhs, rhs) = match self.may_negate(rhs, 1) {
                true => (lhs, self.negate(rhs)),
                false => (self.negate(lhs), rhs),
            };
            self.body.insts[i].op = Op::Binary { op, flags: flags::FAST, lhs, rhs };
        }
        v
    }

    /// The constant `-c`.
    fn negative(&mut self, c: rtc_dxil_module::Const) -> Value {
        let data = &self.out.consts[c];
        let (ty, ConstKind::Float(bits)) = (data.ty, &data.kind) else {
            return Value::Const(c);
        };
        let bits = bits ^ self.sign(ty);
        Value::Const(self.out.consts.float_bits(ty, bits))
    }

    fn sign(&self, ty: Type) -> u64 {
        if self.out.types[ty] == TypeKind::Half { 1 << 15 } else { 1 << 31 }
    }

    fn is_negative_zero(&self, v: Value) -> bool {
        let Value::Const(c) = v else { return false };
        let data = &self.out.consts[c];
        matches!(data.kind, ConstKind::Float(bits) if bits == self.sign(data.ty))
    }
}
