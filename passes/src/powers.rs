//! `powers`: lowering of `pow` by its exponent.
//!
//! HLSL gives it any exponent, which functions may have passed on. Once calls are inlined and variables are values, a square is a product, the power of
//! zero is one, and everything else is `exp2(log2(a) * b)`. In HLSL 2016 small whole exponents are products too, as old compilers had them.

use rtc_ir::{Builder, Function, Inst, InstData, Module, Opcode as O, Region, Scalar, Type, TypeTable, Value, eval};
use smallvec::SmallVec;

use crate::util::{Rename, all_regions, each_function};
use crate::{Changed, PassCtx, PassError};

/// The components of a constant.
type Bits = SmallVec<[u64; 4]>;

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| function(&mut m.types, f)))
}

fn function(types: &mut TypeTable, f: &mut Function) -> bool {
    let mut rename = Rename::new();
    let mut any = false;
    for region in all_regions(f) {
        if !f.regions[region].insts.iter().any(|&i| f.op(i) == O::power) {
            continue;
        }
        any = true;
        for i in std::mem::take(&mut f.regions[region].insts) {
            match f.insts[i] {
                InstData::Many { op: O::power, imm, args } => {
                    let args = f.get(args);
                    let (a, b) = (rename.get(args[0]), rename.get(args[1]));
                    let value = Power::new(types, f, region, i).expand(a, b, imm);
                    rename.set(f.result(i), value);
                }
                _ => {
                    rename.operands(f, i);
                    f.regions[region].insts.push(i);
                }
            }
        }
    }
    rename.apply(f);
    rename.transfer_names(f);
    any
}

/// An expansion.
struct Power<'a> {
    b: Builder<'a>,
    ty: Type,
    scalar: Scalar,
    lanes: u32,
}

impl<'a> Power<'a> {
    fn new(types: &'a mut TypeTable, f: &'a mut Function, region: Region, i: Inst) -> Power<'a> {
        let ty = f.ty(f.result(i));
        let (scalar, lanes) = types.numeric(ty).unwrap_or((Scalar::F32, 1));
        let (span, precise) = (f.spans[i], f.is_precise(i));
        let mut b = Builder::at(types, f, region);
        (b.span, b.precise) = (span, precise);
        Power { b, ty, scalar, lanes }
    }

    /// `x` to the power of `y`. Whole exponents are products if these are at most `products`.
    fn expand(&mut self, x: Value, y: Value, products: u32) -> Value {
        let exponents = self.constant(y, 0);
        if let (Some(y), Some(x)) = (&exponents, self.constant(x, 0)) {
            let one = |n: usize| eval::scalar(O::power, self.scalar, self.scalar, &[x[n], y[n]]);
            if let Some(bits) = (0..y.len().min(x.len())).map(one).collect::<Option<Bits>>() {
                return self.number(&bits);
            }
        }
        let exponents = exponents.unwrap_or_default();
        let exponents: SmallVec<[f64; 4]> = exponents.iter().map(|&bits| eval::to_f64(self.scalar, bits)).collect();
        let same = exponents.first().copied().filter(|first| exponents.iter().all(|e| e == first));
        match same {
            Some(0.0) => return self.number(&self.one()),
            Some(2.0) => return self.b.binary(O::fmul, x, x),
            Some(e) if is_product(e, products) => return self.product(x, e),
            _ => {}
        }
        let log = self.b.unary(O::log2, x);
        let product = self.b.binary(O::fmul, log, y);
        let mut out = self.b.unary(O::exp2, product);
        for n in exponents.iter().enumerate().filter(|(_, e)| **e == 0.0).map(|(n, _)| n as u32) {
            let scalar = self.b.types.scalar(self.scalar);
            let one = self.b.func.const_bits(scalar, self.one()[0]);
            out = self.b.insert(out, n, one);
        }
        out
    }

    /// `x` to the power of a whole number that is not zero.
    fn product(&mut self, x: Value, e: f64) -> Value {
        let n = e.abs() as u32;
        let mut square = x;
        let mut factors = SmallVec::<[Value; 8]>::new();
        for bit in 0..=n.ilog2() {
            if bit > 0 {
                square = self.b.binary(O::fmul, square, square);
            }
            if n >> bit & 1 != 0 {
                factors.push(square);
            }
        }
        let mut out = square;
        for &factor in &factors[..factors.len() - 1] {
            out = self.b.binary(O::fmul, out, factor);
        }
        if e < 0.0 {
            let one = self.number(&self.one());
            out = self.b.binary(O::fdiv, one, out);
        }
        out
    }

    fn one(&self) -> Bits {
        SmallVec::from_elem(eval::from_f64(self.scalar, 1.0), self.lanes as usize)
    }

    /// A constant of the result's type.
    fn number(&mut self, bits: &[u64]) -> Value {
        let scalar = self.b.types.scalar(self.scalar);
        let parts: SmallVec<[Value; 4]> = bits.iter().map(|&b| self.b.func.const_bits(scalar, b)).collect();
        match parts[..] {
            [one] => one,
            _ => self.b.many_value(O::construct, 0, &parts, self.ty),
        }
    }

    /// The components of `v`, if it is a constant or converted from one: without optimisation nothing is folded yet.
    fn constant(&self, v: Value, depth: u32) -> Option<Bits> {
        let f = &*self.b.func;
        let (to, lanes) = self.b.types.numeric(f.ty(v))?;
        if let Some(bits) = f.as_const(v) {
            return Some(SmallVec::from_elem(bits, lanes as usize));
        }
        match f.insts[f.def_inst(v).filter(|_| depth < 8)?] {
            InstData::Many { op: O::construct, args, .. } => {
                f.get(args).iter().map(|&part| self.constant(part, depth + 1)?.first().copied()).collect()
            }
            InstData::Unary { op: op @ (O::stof | O::utof | O::fconv | O::fneg), arg } => {
                let (from, _) = self.b.types.numeric(f.ty(arg))?;
                let parts = self.constant(arg, depth + 1)?;
                parts.iter().map(|&bits| eval::scalar(op, from, to, &[bits])).collect()
            }
            _ => None,
        }
    }
}

/// Whether exponent `e` is a whole number whose power is at most `most` products.
fn is_product(e: f64, most: u32) -> bool {
    let n = e.abs();
    // The largest exponent has more bits than there are products.
    most > 0 && e.fract() == 0.0 && (1.0..=f64::from(i32::MAX)).contains(&n) && {
        let n = n as u32;
        n.ilog2() + n.count_ones() - 1 <= most
    }
}
