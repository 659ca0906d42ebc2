//! Value numbering of bits: what a number has under a mask, or in a bit-field, of which other bits were set apart.

use rtc_ir::{Opcode, Type};
use smallvec::smallvec;

use super::build::Walk;
use super::path_conditions::{Expr, ExprId};

/// No more operations are looked through on the way to the bits.
pub(super) const MAX_PARTS: u32 = 24;

impl Walk<'_, '_> {
    /// Which operand of `and` is the number, and what the other one is if it is a constant.
    pub(super) fn masked_operand(&self, x: ExprId, y: ExprId) -> Option<(ExprId, u64)> {
        let constant = |k| self.cfg.conds.constant_of(k);
        constant(y).map(|mask| (x, mask)).or_else(|| constant(x).map(|mask| (y, mask)))
    }

    /// The number `k`, of 32 bits, under a mask.
    pub(super) fn masked(&mut self, k: ExprId, mask: u64, depth: u32) -> ExprId {
        if let Some(c) = self.cfg.conds.constant_of(k) {
            return self.cfg.conds.constant(c & mask);
        }
        if mask == 0 || depth == 0 {
            return self.plainly_masked(k, mask);
        }
        if let Some((c, x, y)) = self.cfg.conds.small_choice(k) {
            let [x, y] = [x, y].map(|k| self.masked(k, mask, depth - 1));
            return if x == y { x } else { self.choose(c, x, y, Type::I32) };
        }
        match *self.cfg.conds.get(k) {
            Expr::Op(Opcode::or, _, ref args) if args.len() == 2 => {
                let [x, y] = [args[0], args[1]].map(|k| self.masked(k, mask, depth - 1));
                // Which flag is set may be chosen.
                for (of, with) in [(x, y), (y, x)] {
                    if let Some((c, a, b)) = self.cfg.conds.small_choice(of) {
                        let [a, b] = [a, b].map(|k| self.either_bits(k, with, mask));
                        return if a == b { a } else { self.choose(c, a, b, Type::I32) };
                    }
                }
                self.either_bits(x, y, mask)
            }
            Expr::Op(Opcode::lshr, _, ref args) if args.len() == 2 && mask.wrapping_add(1).is_power_of_two() => {
                let (of, width) = (args[0], mask.count_ones().into());
                match self.cfg.conds.constant_of(args[1]) {
                    Some(by) if by + width <= 32 => {
                        let bits = self.masked(of, mask << by, depth - 1);
                        self.extension(Opcode::ubfe, (width, by), bits)
                    }
                    _ => self.plainly_masked(k, mask),
                }
            }
            Expr::Op(Opcode::xor, _, ref args) if args.len() == 2 => {
                let [x, y] = [args[0], args[1]].map(|k| self.masked(k, mask, depth - 1));
                let value = |k| self.cfg.conds.constant_of(k);
                match (value(x), value(y)) {
                    (Some(0), _) => y,
                    (_, Some(0)) => x,
                    (Some(a), Some(b)) => self.cfg.conds.constant(a ^ b),
                    _ => self.cfg.conds.expr(Expr::Op(Opcode::xor, 0, smallvec![x, y])),
                }
            }
            Expr::Op(Opcode::and, _, ref args) if args.len() == 2 => {
                let (x, y) = (args[0], args[1]);
                match self.masked_operand(x, y) {
                    Some((of, other)) => self.masked(of, mask & other, depth - 1),
                    None => self.plainly_masked(k, mask),
                }
            }
            Expr::Op(Opcode::shl, _, ref args) if args.len() == 2 => {
                let (of, by) = (args[0], args[1]);
                match self.cfg.conds.constant_of(by).filter(|&by| by < 32) {
                    Some(by) if mask >> by == 0 => self.cfg.conds.constant(0),
                    Some(by) => {
                        let of = self.masked(of, mask >> by, depth - 1);
                        self.shifted(of, by)
                    }
                    None => self.plainly_masked(k, mask),
                }
            }
            _ => self.plainly_masked(k, mask),
        }
    }

    /// The bits of two numbers under a mask that has them all.
    fn either_bits(&mut self, x: ExprId, y: ExprId, mask: u64) -> ExprId {
        match [x, y].map(|k| self.cfg.conds.constant_of(k)) {
            [Some(a), Some(b)] => self.cfg.conds.constant(a | b),
            [Some(a), _] if a == mask => x,
            [_, Some(0)] => x,
            [_, Some(b)] if b == mask => y,
            [Some(0), _] => y,
            _ => self.cfg.conds.expr(Expr::Op(Opcode::or, 0, smallvec![x, y])),
        }
    }

    fn plainly_masked(&mut self, k: ExprId, mask: u64) -> ExprId {
        match mask {
            0 => self.cfg.conds.constant(0),
            0xffff_ffff => k,
            _ => {
                let mask = self.cfg.conds.constant(mask);
                self.cfg.conds.expr(Expr::Op(Opcode::and, 0, smallvec![k, mask]))
            }
        }
    }

    /// Bits of 32 that are moved up.
    fn shifted(&mut self, k: ExprId, by: u64) -> ExprId {
        if let Some(c) = self.cfg.conds.constant_of(k) {
            return self.cfg.conds.constant(c << by & 0xffff_ffff);
        }
        // Back to where a bit-field was extracted.
        let (of, mask, down) = self.cfg.conds.under_mask(k);
        if down == by {
            return if by == 0 { k } else { self.masked(of, mask, MAX_PARTS) };
        }
        if let Some((c, x, y)) = self.cfg.conds.small_choice(k) {
            let [x, y] = [x, y].map(|k| self.shifted(k, by));
            return if x == y { x } else { self.choose(c, x, y, Type::I32) };
        }
        match *self.cfg.conds.get(k) {
            Expr::Op(Opcode::or, _, ref args) if args.len() == 2 => {
                let [x, y] = [args[0], args[1]].map(|k| self.shifted(k, by));
                self.either_bits(x, y, 0xffff_ffff)
            }
            _ => {
                let by = self.cfg.conds.constant(by);
                self.cfg.conds.expr(Expr::Op(Opcode::shl, 0, smallvec![k, by]))
            }
        }
    }

    /// The value of an extraction of bits: width, first bit, number.
    pub(super) fn bit_field(&mut self, op: Opcode, ty: Type, args: [ExprId; 3]) -> ExprId {
        let [width, at, k] = args;
        let constant = |k| self.cfg.conds.constant_of(k);
        match (constant(width), constant(at)) {
            (Some(w), Some(at)) if ty == Type::I32 && (1..32).contains(&w) && at + w <= 32 => {
                let all = (1 << w) - 1;
                let bits = self.masked(k, all << at, MAX_PARTS);
                self.extension(op, (w, at), bits)
            }
            _ => self.cfg.conds.expr(Expr::Op(op, 0, args.into_iter().collect())),
        }
    }

    /// The number that these bits are.
    fn extension(&mut self, op: Opcode, (width, at): (u64, u64), bits: ExprId) -> ExprId {
        if let Some(c) = self.cfg.conds.constant_of(bits) {
            let up = 32 - width;
            let top = (c >> at << up) as u32;
            let value = if op == Opcode::sbfe { ((top as i32) >> up) as u32 } else { top >> up };
            return self.cfg.conds.constant(value.into());
        }
        if let Some((c, x, y)) = self.cfg.conds.small_choice(bits) {
            let [x, y] = [x, y].map(|k| self.extension(op, (width, at), k));
            return if x == y { x } else { self.choose(c, x, y, Type::I32) };
        }
        let mask = ((1 << width) - 1) << at;
        let (of, at) = match self.cfg.conds.get(bits) {
            Expr::Op(Opcode::shl, _, args) if self.cfg.conds.constant_of(args[1]) == Some(at) => (args[0], 0),
            // With one spelling of the same bits.
            Expr::Op(Opcode::and, _, args) if at > 0 && self.cfg.conds.constant_of(args[1]) == Some(mask) => (args[0], at),
            _ => (bits, at),
        };
        if op == Opcode::ubfe && at == 0 {
            return of;
        }
        let [width, at] = [width, at].map(|c| self.cfg.conds.constant(c));
        self.cfg.conds.expr(Expr::Op(op, 0, smallvec![width, at, of]))
    }
}
