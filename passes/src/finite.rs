//! Which floating-point values are numbers: neither infinite nor "not a number", by a bound of their magnitude.
//!
//! Abstract interpretation over powers of two: the bound of a value is the smallest `e` for which no component is known to exceed 2^e. It starts at
//! nothing and grows by joins to a fixpoint; what keeps growing, as the sums of a loop do, is unbounded. A bound holds where results are rounded, and
//! where a product and a sum are one instruction. What comes from memory or from outside may be anything.

use rtc_base::SecondaryMap;
use rtc_ir::{Function, Inst, InstData, Opcode as O, Region, Scalar, TypeTable, Value, ValueDef};
use smallvec::SmallVec;

use crate::util::flows;

/// After so many traversals what still grows is unbounded.
const GROW: u32 = 4;
/// After so many there is no answer. Each traversal after [`GROW`] makes a value unbounded that was not, and few are in a chain of loops.
const GIVE_UP: u32 = 24;

/// A bound of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Bound {
    /// Nothing reaches it.
    None,
    /// At most 2^e in magnitude.
    Power(i32),
    /// It may be infinite or not a number.
    Unbounded,
}

use Bound::{Power, Unbounded};

/// The values of a function that are finite.
pub struct Finite {
    bounds: SecondaryMap<Value, Bound>,
}

impl Finite {
    /// Analyses `f`.
    pub fn of(types: &TypeTable, f: &Function) -> Finite {
        let mut bounds = SecondaryMap::with_default(Bound::None);
        bounds.resize(f.values.len());
        for (v, data) in &f.values {
            bounds[v] = match data.def {
                ValueDef::Const(bits) => constant(types, f, v, bits),
                ValueDef::Result(..) | ValueDef::Param(..) => Bound::None,
                _ => Unbounded,
            };
        }
        for &p in &f.regions[f.body].params {
            bounds[p] = Unbounded;
        }
        let mut order: Vec<(Region, Inst)> = Vec::with_capacity(f.insts.len());
        f.for_each_inst(f.body, |r, i| order.push((r, i)));
        let mut a = Analysis { types, f, bounds, changed: true, round: 0 };
        while std::mem::take(&mut a.changed) {
            a.round += 1;
            if a.round > GIVE_UP {
                return Finite { bounds: SecondaryMap::with_default(Unbounded) };
            }
            for &(region, i) in &order {
                a.inst(region, i);
            }
        }
        Finite { bounds: a.bounds }
    }

    /// Whether all components of `v` are finite numbers, whatever the program is given.
    pub fn is_finite(&self, v: Value) -> bool {
        self.bounds[v] != Unbounded
    }
}

/// The constant of these bits, if it is a float.
fn number(types: &TypeTable, f: &Function, v: Value, bits: u64) -> Option<f64> {
    match types.elem(f.ty(v)) {
        Scalar::F16 => Some(rtc_base::half::to_f64(bits as u16)),
        Scalar::F32 => Some(f32::from_bits(bits as u32).into()),
        Scalar::F64 => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The smallest power of two that is not exceeded by the magnitude of a constant, or anything that is no float.
fn constant(types: &TypeTable, f: &Function, v: Value, bits: u64) -> Bound {
    let Some(x) = number(types, f, v, bits) else { return Unbounded };
    match x.abs() {
        x if !x.is_finite() => Unbounded,
        0.0 => Power(-1000),
        x => Power(x.log2().ceil() as i32),
    }
}

struct Analysis<'a> {
    types: &'a TypeTable,
    f: &'a Function,
    bounds: SecondaryMap<Value, Bound>,
    changed: bool,
    round: u32,
}

impl Analysis<'_> {
    fn grow(&mut self, v: Value, to: Bound) {
        let mut new = to.max(self.bounds[v]);
        if new == self.bounds[v] {
            return;
        }
        let limit = match self.types.numeric(self.f.ty(v)) {
            Some((Scalar::F16, _)) => 15,
            Some((Scalar::F32, _)) => 127,
            Some((Scalar::F64, _)) => 1023,
            _ => i32::MIN,
        };
        if self.round > GROW || matches!(new, Power(e) if e > limit) {
            new = Unbounded;
        }
        self.bounds[v] = new;
        self.changed = true;
    }

    fn inst(&mut self, region: Region, i: Inst) {
        let f = self.f;
        match f.insts[i] {
            InstData::Loop { init, body, .. } => {
                for (&v, &p) in f.get(init).iter().zip(&f.regions[body].params) {
                    self.grow(p, self.bounds[v]);
                }
            }
            InstData::Exit { .. } => {
                for (v, to, _) in flows(f, region, i) {
                    self.grow(to, self.bounds[v]);
                }
            }
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => {}
            _ => {
                for (n, &v) in f.results(i).iter().enumerate() {
                    let to = if n == 0 { self.computed(i) } else { Unbounded };
                    self.grow(v, to);
                }
            }
        }
    }

    /// The greatest power of two that no component of a constant, or of a vector of constants, is below in magnitude; `None` if one is 0 or infinite.
    fn least(&self, v: Value) -> Option<i32> {
        let f = self.f;
        let of = |v: Value| {
            let x = number(self.types, f, v, f.as_const(v)?)?.abs();
            (x.is_finite() && x > 0.0).then(|| x.log2().floor() as i32)
        };
        match f.def_inst(v).map(|i| f.insts[i]) {
            Some(InstData::Many { op: O::construct, args, .. }) => {
                f.get(args).iter().try_fold(i32::MAX, |least, &v| Some(least.min(of(v)?)))
            }
            _ => of(v),
        }
    }

    /// The bound of the first result of an instruction that computes.
    fn computed(&self, i: Inst) -> Bound {
        let f = self.f;
        let args: SmallVec<[Value; 8]> = f.operands(i);
        let of = |n: usize| args.get(n).map_or(Unbounded, |&v| self.bounds[v]);
        let join = |a: Bound, b: Bound| a.max(b);
        match f.op(i) {
            O::fneg | O::fabs | O::fconv | O::nonuniform => of(0),
            // A fraction is below 1, and rounded it may be 1.
            O::frac | O::sin | O::cos => both(of(0), Power(0), |_, b| b + 1),
            O::saturate => Power(0),
            O::floor | O::ceil | O::trunc | O::round_ne => both(of(0), Power(0), i32::max),
            O::fadd | O::fsub => sum(of(0), of(1)),
            O::fmul => product(of(0), of(1)),
            // By nothing near 0.
            O::fdiv => match args.get(1).and_then(|&v| self.least(v)) {
                Some(least) => both(of(0), Power(0), |a, _| (a - least).max(-1000)),
                None => Unbounded,
            },
            O::fma | O::fmad => sum(product(of(0), of(1)), of(2)),
            O::fmin | O::fmax => both(of(0), of(1), i32::max),
            O::dot => {
                let doublings = self.types.lanes(f.ty(args[0])).next_power_of_two().trailing_zeros() as i32;
                both(product(of(0), of(1)), Power(0), |p, _| p + doublings)
            }
            O::stof | O::utof => Power(self.types.elem(f.ty(args[0])).bits() as i32),
            O::select => join(of(1), of(2)),
            O::construct => args.iter().map(|&v| self.bounds[v]).fold(Bound::None, join),
            O::extract | O::extract_dyn => of(0),
            O::insert => join(of(0), of(1)),
            O::insert_dyn => join(of(0), of(2)),
            _ => Unbounded,
        }
    }
}

/// What is computed of two bounds, if neither is missing or infinite.
fn both(a: Bound, b: Bound, f: impl Fn(i32, i32) -> i32) -> Bound {
    match (a, b) {
        (Power(a), Power(b)) => Power(f(a, b)),
        (Unbounded, _) | (_, Unbounded) => Unbounded,
        _ => Bound::None,
    }
}

fn sum(a: Bound, b: Bound) -> Bound {
    both(a, b, |a, b| a.max(b) + 1)
}

fn product(a: Bound, b: Bound) -> Bound {
    both(a, b, |a, b| (a + b).max(-1000))
}

#[cfg(test)]
mod tests {
    use rtc_ir::Module;
    use rtc_ir::text::parse;

    use super::*;

    /// Whether the operand of each `saturate` of a function is finite.
    fn finite(body: &str) -> Vec<bool> {
        let head = "module sm 6.3\ng0 = resource \"mem\" : res(uav raw) space 0\nfn fn0 \"Main\" stage raygen {\n";
        let m: Module = parse(&format!("{head}{body} return\n}}\n")).unwrap_or_else(|e| panic!("{e}"));
        if let Err(errors) = rtc_ir::verify::verify(&m) {
            panic!("{}", rtc_ir::verify::print_with_errors(&m, &errors));
        }
        let f = m.funcs.values().next().unwrap();
        let finite = Finite::of(&m.types, f);
        let mut out = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            if f.op(i) == O::saturate {
                out.push(finite.is_finite(f.operands(i)[0]));
            }
        });
        out
    }

    const VALUES: &str =
        " v0 = const i32 0 v1 = const f32 0x3f800000 v2 = const f32 0x7f800000 v3 = const f32 0x7f000000 v7 = const f32 0x00800000
r0:
 v9 = resource g0
 v10 = raw_load #4 v9, v0 : i32
 v11 = utof v10 : f32
 v12 = bitcast v10 : f32
";

    #[test]
    fn arithmetic_is_bounded() {
        let of = |rest: &str| finite(&format!("{VALUES}{rest}"))[0];
        assert!(of(" v13 = fadd v11, v1 : f32\n v14 = saturate v13 : f32\n"));
        assert!(!of(" v14 = saturate v12 : f32\n"), "from memory");
        assert!(!of(" v13 = fadd v1, v2 : f32\n v14 = saturate v13 : f32\n"), "an infinite constant");
        assert!(!of(" v13 = fmul v11, v3 : f32\n v14 = saturate v13 : f32\n"), "2^32 times 2^127");
        assert!(!of(" v13 = fadd v3, v3 : f32\n v14 = saturate v13 : f32\n"), "2^128");
        assert!(of(" v13 = fdiv v11, v3 : f32\n v14 = saturate v13 : f32\n"), "by a number");
        assert!(!of(" v8 = fsub v1, v1 : f32\n v13 = fdiv v11, v8 : f32\n v14 = saturate v13 : f32\n"), "by what may be 0");
        assert!(!of(" v13 = fdiv v11, v7 : f32\n v14 = saturate v13 : f32\n"), "by a small number");
        assert!(!of(" v13 = fdiv v11, v11 : f32\n v14 = saturate v13 : f32\n"), "0 / 0");
        assert!(!of(" v13 = fmin v11, v12 : f32\n v14 = saturate v13 : f32\n"), "the smaller may be infinite");
        assert_eq!(
            finite(&format!("{VALUES} v13 = saturate v12 : f32\n v14 = fmul v13, v11 : f32\n v15 = saturate v14 : f32\n")),
            [false, true]
        );
    }

    #[test]
    fn loops_are_bounded_where_they_do_not_grow() {
        let of = |change: &str| {
            finite(&format!(
                "{VALUES} v20 = loop (v11) : f32 {{
 r1(v21 : f32):
  v30 = saturate v21 : f32
  v22 = {change} : f32
  v23 = flt v22, v1 : bool
  if v23 {{ r2: yield }} else {{ r3: break r1(v22) }}
  continue r1(v22)
 }} continuing {{
 r4(v24 : f32):
  next v24
 }}
"
            ))[0]
        };
        assert!(of("frac v21"));
        assert!(of("fneg v21"));
        assert!(!of("fadd v21, v1"), "the sum grows");
        assert!(!of("fmul v21, v21"));
        assert!(!of("sqrt v21"), "of a negative number it is not a number");
    }
}
