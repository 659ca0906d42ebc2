//! Tessellation factors as the partitioning of the hull shader demands: clamped, rounded, and those inside derived from those of the edges.
//!
//! Raw factors are clamped to what the tessellator takes. With whole numbers of pieces they are rounded up too. Those inside are the average,
//! maximum or minimum of the edges, scaled. Odd numbers of pieces change by two, so below three a factor inside is not scaled.

use rtc_ir::{Opcode as O, Scalar as Reg, Value};
use rtc_tables::intrinsics::{EdgeFactors, FactorOp};
use rtc_tables::pipeline::Partitioning;

use super::super::call::Call;
use super::super::func::FnCx;
use super::super::operand::Val;

/// Below this number of pieces, odd ones inside are not scaled.
const LEAST_SCALED: f64 = 3.0;

impl FnCx<'_, '_> {
    /// How the hull shader divides edges. The check of the call graph has found it.
    fn partitioning(&self) -> Partitioning {
        self.l.hir.funcs[self.id].partitioning.unwrap_or(Partitioning::Integer)
    }

    /// `ProcessIsolineTessFactors(detail, density, rounded detail, rounded density)`
    pub(super) fn isoline_factors(&mut self, c: &Call) -> Val {
        for n in 0..2 {
            let clamped = self.clamped_factor(c.one(n));
            let rounded = self.rounded_factor(clamped);
            self.give(c, n + 2, &Val::One(rounded));
        }
        Val::Void
    }

    /// `ProcessTriTessFactorsAvg(edges, scale, rounded edges, rounded inside, inside)` and the like.
    pub(super) fn tess_factors(&mut self, c: &Call, edges: EdgeFactors, how: FactorOp) -> Val {
        let (raw, scale) = (c.one(0), c.one(1));
        let scale = self.between(scale, 0.0, 1.0);
        let clamped = self.clamped_factor(raw);
        let rounded = self.rounded_factor(clamped);
        self.give(c, 2, &Val::One(rounded));

        let one = self.num(raw, 1.0);
        let clean = self.bin(O::fmax, raw, one);
        let factor = self.of_edges(clean, edges, how);
        let scaled = self.bin(O::fmul, factor, scale);
        let mut inside = self.clamped_factor(scaled);
        let mut rounded = self.rounded_factor(inside);
        if self.partitioning() == Partitioning::FractionalOdd {
            let unscaled = if how == FactorOp::Largest { factor } else { self.of_edges(clean, edges, FactorOp::Average) };
            (inside, rounded) = self.small_odd_factors(inside, rounded, unscaled, edges);
        }
        for (n, v) in [(4, inside), (3, rounded)] {
            let v = if edges == EdgeFactors::Quad { self.splat(v, 2) } else { v };
            self.give(c, n, &Val::One(v));
        }
        Val::Void
    }

    /// Factors inside, and these rounded, of which those of less than three pieces are replaced.
    fn small_odd_factors(&mut self, inside: Value, rounded: Value, unscaled: Value, edges: EdgeFactors) -> (Value, Value) {
        let least = self.num(inside, LEAST_SCALED);
        let unscaled = self.clamped_factor(unscaled);
        let unscaled = self.bin(O::fmin, unscaled, least);
        let few = self.bin(O::flt, rounded, least);
        let inside = self.tern(O::select, few, unscaled, inside);
        let rounded = self.tern(O::select, few, unscaled, rounded);
        if edges != EdgeFactors::QuadAxes {
            return (inside, rounded);
        }
        // Neither axis has few pieces if the other one has not.
        let few = self.bin(O::flt, inside, least);
        let mut larger = |v: Value| {
            let (x, y) = (self.comp(v, 0), self.comp(v, 1));
            let most = self.bin(O::fmax, x, y);
            let three = self.num(most, LEAST_SCALED);
            let most = self.bin(O::fmin, most, three);
            self.splat(most, 2)
        };
        let (of_inside, of_rounded) = (larger(inside), larger(rounded));
        (self.tern(O::select, few, of_inside, inside), self.tern(O::select, few, of_rounded, rounded))
    }

    /// What the factors of the edges make inside: of both axes for the edges of each, else one number.
    fn of_edges(&mut self, v: Value, edges: EdgeFactors, how: FactorOp) -> Value {
        let parts = self.comps(v);
        let op = match how {
            FactorOp::Average => O::fadd,
            FactorOp::Largest => O::fmax,
            FactorOp::Smallest => O::fmin,
        };
        let first = self.bin(op, parts[0], parts[1]);
        let (all, count) = match edges {
            EdgeFactors::Triangle => (self.bin(op, first, parts[2]), 3.0),
            EdgeFactors::Quad => {
                let second = self.bin(op, parts[2], parts[3]);
                (self.bin(op, first, second), 4.0)
            }
            EdgeFactors::QuadAxes => {
                let second = self.bin(op, parts[2], parts[3]);
                (self.vector(&[first, second]), 2.0)
            }
        };
        if how != FactorOp::Average {
            return all;
        }
        let part = self.num(all, 1.0 / count);
        self.bin(O::fmul, all, part)
    }

    /// A factor that the tessellator takes.
    fn clamped_factor(&mut self, v: Value) -> Value {
        let (least, most) = match self.partitioning() {
            Partitioning::Integer | Partitioning::PowerOfTwo => (1.0, 64.0),
            Partitioning::FractionalOdd => (1.0, 63.0),
            Partitioning::FractionalEven => (2.0, 64.0),
        };
        self.between(v, least, most)
    }

    /// The limit that is nearest, or the lower one if it is no number.
    fn between(&mut self, v: Value, least: f64, most: f64) -> Value {
        let (least, most) = (self.num(v, least), self.num(v, most));
        let v = self.bin(O::fmax, v, least);
        self.bin(O::fmin, v, most)
    }

    /// A factor of at least one, rounded up where the tessellator makes whole numbers of pieces.
    fn rounded_factor(&mut self, v: Value) -> Value {
        match self.partitioning() {
            Partitioning::Integer => self.un(O::ceil, v),
            Partitioning::PowerOfTwo => self.rounded_to_power(v),
            Partitioning::FractionalOdd | Partitioning::FractionalEven => v,
        }
    }

    /// The least power of two that is not less: a fraction carries to the exponent.
    fn rounded_to_power(&mut self, v: Value) -> Value {
        const FRACTION: u32 = (1 << 23) - 1;
        let (words, floats) = (self.like(v, Reg::I32), self.ty_of(v));
        let bits = self.conv(O::bitcast, v, words);
        let n = self.lanes(v);
        let (fraction, rest) = (self.int(FRACTION), self.int(!FRACTION));
        let (fraction, rest) = (self.splat(fraction, n), self.splat(rest, n));
        let up = self.bin(O::iadd, bits, fraction);
        let power = self.bin(O::and, up, rest);
        self.conv(O::bitcast, power, floats)
    }
}
