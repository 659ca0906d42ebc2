//! Random programs: well formed by construction, without undefined behaviour, ending soon.

use rtc_ir::text::parse;
use rtc_ir::{
    Builder, CaseTable, Format, Func, Function, Inst, InstData, Module, Opcode, Param, RefMode, Region, Root, SlotRole, Stage, Step, Type,
    Value,
};
use rtc_tables::insts::{Arg, OPCODES};
pub use rtc_test_support::Random as Rng;

const WORLD: &str = r#"module sm 6.6
struct s0 "Inner" { "a" : f32 "b" : [4 x i32] "c" : f32x3 }
struct s1 "Payload" raypayload { "color" : f32x3 "depth" : i32 "inner" : s0 }
struct s2 "Outer" { "x" : s0 "rows" : [2 x f32x3] "many" : [4 x s0] "flag" : bool }
struct s3 "Widths" { "long" : i64 "short" : [3 x i16] "double" : f64 "half" : f16 "bits" : [5 x bool] }
g0 = resource "mem" : res(uav raw) space 0
g1 = resource "scene" : res(srv accel) space 0
g2 = private "counter" : i32
g3 = private "state" : s0
g4 = table "primes" : [4 x i32] = (0x2, 0x3, 0x5, 0x7)
g5 = resource "ro" : res(srv raw) space 0
g6 = resource "constants" : res(cbv cbuffer stride 256) space 0
"#;

/// A constructed loop, block or branch that exits may leave.
#[derive(Clone)]
struct Target {
    region: Region,
    /// Types of the results, for `break`.
    results: Vec<Type>,
    /// Types that `continue` gives, if it is a loop's body.
    continues: Option<Vec<Type>>,
}

struct Gen<'a> {
    traces: bool,
    /// There are reorder points of software reordering, and numbers of all widths.
    points: bool,
    rng: &'a mut Rng,
    m: &'a mut Module,
    f: Function,
    /// Visible values.
    values: Vec<Value>,
    targets: Vec<Target>,
    budget: usize,
    callees: usize,
    loose: bool,
    roots: Vec<(Root, Type)>,
    i32x3: Type,
    /// Places used lately: programs that come back to them have more to go wrong.
    recent: Vec<(Root, Type, Vec<Step>)>,
}

/// A module with an entry point and some functions that it calls. `loose`: float arithmetic that is not
/// marked `precise`.
pub fn module(rng: &mut Rng, size: usize, loose: bool) -> (Module, Func) {
    with_points(rng, size, loose, false)
}

/// That, with reorder points of software reordering where `points` says so.
pub fn with_points(rng: &mut Rng, size: usize, loose: bool, points: bool) -> (Module, Func) {
    let mut m = parse(WORLD).unwrap();
    m.native_16bit = points && rng.chance(50);
    let helpers = rng.below(4);
    for n in 0..helpers {
        let f = function(rng, &mut m, size / 2, n, false, loose, points);
        m.funcs.push(f);
    }
    let f = function(rng, &mut m, size, helpers, true, loose, points);
    let entry = m.funcs.push(f);
    (m, entry)
}

fn function(rng: &mut Rng, m: &mut Module, budget: usize, callees: usize, entry: bool, loose: bool, points: bool) -> Function {
    let struct_ty = |m: &mut Module, n: u32| m.types.struct_(rtc_ir::Struct::from_u32(n));
    let (s0, s1, s2) = (struct_ty(m, 0), struct_ty(m, 1), struct_ty(m, 2));
    let i32x3 = Type::I32X3;
    let stage = if entry { Stage::RayGeneration } else { Stage::Library };
    let mut f = Function::new(format!("f{callees}"), stage);
    let mut values = Vec::new();
    let mut roots = Vec::new();
    if !entry {
        for ty in [Type::I32, Type::F32X3] {
            let body = f.body;
            let v = f.add_param(body, ty);
            f.params.push(Param::Value(v));
            values.push(v);
        }
        let l = f.add_local(s0, "io");
        f.locals[l].param = Some(RefMode::InOut);
        f.params.push(Param::Ref(l));
        roots.push((Root::Local(l), s0));
        f.ret = Some(Type::I32);
    }
    let slot = f.add_slot(SlotRole::PayloadOut, s1, "p");
    roots.push((Root::Slot(slot), s1));
    let mut own = Vec::new();
    let widths = points.then(|| struct_ty(m, 3));
    for ty in [Type::I32, Type::F32, Type::F32X3, s0, s2, i32x3, Type::BOOL].into_iter().chain(widths) {
        let l = f.add_local(ty, format!("l{}", own.len()));
        own.push(l);
        roots.push((Root::Local(l), ty));
    }
    roots.push((Root::Global(rtc_ir::Global::from_u32(2)), Type::I32));
    roots.push((Root::Global(rtc_ir::Global::from_u32(3)), s0));
    let body = f.body;
    // Some functions have many reorder points.
    let traces = rng.chance(30);
    let mut g = Gen { traces, points, rng, m, f, values, targets: Vec::new(), budget, callees, loose, roots, i32x3, recent: Vec::new() };
    // Everything is written once, so that no undefined value is ever seen.
    let mut todo: Vec<Root> = own.into_iter().map(Root::Local).collect();
    todo.push(Root::Slot(slot));
    if entry {
        todo.extend([2, 3].map(|n| Root::Global(rtc_ir::Global::from_u32(n))));
    }
    for root in todo {
        let ty = g.roots.iter().find(|r| r.0 == root).unwrap().1;
        let mut leaves = Vec::new();
        g.m.leaves(ty, &mut |path, t| leaves.push((path.to_vec(), t)));
        for (path, t) in leaves {
            let v = g.constant(t, body);
            let steps: Vec<Step> = path.into_iter().map(Step::At).collect();
            g.at(body).store(root, &steps, &[], v);
        }
    }
    g.statements(body, &[]);
    g.finish(body);
    g.f
}

impl Gen<'_> {
    fn at(&mut self, r: Region) -> Builder<'_> {
        let mut b = Builder::at(&mut self.m.types, &mut self.f, r);
        b.precise = !self.loose;
        b
    }

    fn constant(&mut self, t: Type, r: Region) -> Value {
        let (s, n) = self.m.types.numeric(t).unwrap();
        let parts: Vec<Value> = (0..n)
            .map(|_| {
                let x: f64 = [0.0, 1.0, -1.0, 2.0, 0.5, 7.0, 3.0, -2.0][self.rng.below(8)];
                let x = if s.is_float() { x } else { x.floor() };
                self.f.const_number(&self.m.types, s, x)
            })
            .collect();
        self.at(r).construct(&parts)
    }

    /// A visible value of type `t`, or a new one.
    fn value(&mut self, t: Type, r: Region) -> Value {
        let fits: Vec<Value> = self.values.iter().copied().filter(|&v| self.f.ty(v) == t).collect();
        if !fits.is_empty() && self.rng.chance(80) {
            // Rather young ones.
            let n = fits.len();
            return fits[n - 1 - self.rng.below(n).min(self.rng.below(n))];
        }
        self.constant(t, r)
    }

    fn keep(&mut self, v: Value) {
        self.values.push(v);
    }

    /// A place of a value somewhere in a variable, with dynamic steps into arrays now and then.
    fn place(&mut self, r: Region, store: bool) -> (Root, Vec<Step>, Vec<Value>, Type) {
        let (root, mut t) = match self.rng.chance(5) && !store {
            true => {
                let g = rtc_ir::Global::from_u32(4);
                (Root::Global(g), self.m.globals[g].ty())
            }
            false => self.roots[self.rng.below(self.roots.len())],
        };
        let mut root = root;
        let mut hint = Vec::new();
        if self.rng.chance(60) && !self.recent.is_empty() {
            let (r, ty, steps) = self.recent[self.rng.below(self.recent.len())].clone();
            (root, t, hint) = (r, ty, steps);
            if self.rng.chance(40) {
                hint.pop();
            }
        }
        let root_ty = t;
        let (mut steps, mut indices) = (Vec::new(), Vec::new());
        loop {
            let (n, dynamic) = match self.m.types.kind(t) {
                rtc_ir::TypeKind::Struct(s) => (self.m.structs[s].fields.len() as u32, false),
                rtc_ir::TypeKind::Array(_, n) => (n, self.rng.chance(30)),
                rtc_ir::TypeKind::Vector(_, n) if self.rng.chance(30) => (n, self.rng.chance(20)),
                _ => {
                    if !matches!(root, Root::Global(g) if g.as_u32() == 4) {
                        self.recent.push((root, root_ty, steps.clone()));
                        if self.recent.len() > 4 {
                            self.recent.remove(0);
                        }
                    }
                    return (root, steps, indices, t);
                }
            };
            let hinted = hint.get(steps.len()).copied();
            let dynamic = match hinted {
                Some(h) if self.rng.chance(80) => h == Step::Dyn,
                _ => dynamic,
            };
            if dynamic {
                let v = self.value(Type::I32, r);
                // In bounds, whatever the value.
                let most = self.f.const_u32(n - 1);
                let v = self.at(r).binary(Opcode::umin, v, most);
                indices.push(v);
                steps.push(Step::Dyn);
                t = self.m.part(t, None).unwrap();
            } else {
                let n = match hinted {
                    Some(Step::At(n)) => n,
                    _ => self.rng.below(n as usize) as u32,
                };
                steps.push(Step::At(n));
                t = self.m.part(t, Some(n)).unwrap();
            }
        }
    }

    fn arithmetic(&mut self, r: Region) {
        loop {
            let op = OPCODES[self.rng.below(OPCODES.len())];
            let info = op.info();
            let plain = matches!(info.format, Format::Unary | Format::Binary | Format::Ternary);
            let inexact = [Opcode::fdiv, Opcode::rsqrt].contains(&op) && self.loose;
            use Opcode as O;
            let known = info.result.is_some()
                && info.effects.is_empty()
                && !matches!(
                    op,
                    O::status_ok
                        | O::make_double
                        | O::split_double
                        | O::bitcast
                        | O::fconv
                        | O::itrunc
                        | O::sext
                        | O::extract_dyn
                        | O::insert_dyn
                        | O::dot
                        | O::dot2add
                        | O::f32tof16
                        | O::f16tof32
                );
            if !plain || !known || inexact {
                continue;
            }
            let pick = |g: &mut Self, set: &[Type]| set[g.rng.below(set.len())];
            let i32x3 = self.i32x3;
            let first = match info.operands[0] {
                Arg::Float => pick(self, &[Type::F32, Type::F32X3]),
                Arg::Int => pick(self, &[Type::I32, i32x3]),
                Arg::Bits => pick(self, &[Type::I32, i32x3, Type::BOOL]),
                Arg::Bool => Type::BOOL,
                Arg::I32 => Type::I32,
                _ => continue,
            };
            let second = pick(self, &[Type::I32, Type::F32, Type::F32X3, Type::BOOL]);
            let types: Vec<Type> = info
                .operands
                .iter()
                .enumerate()
                .map(|(n, a)| match (n, a) {
                    (0, _) => first,
                    (_, Arg::Any | Arg::Same1) => second,
                    _ => first,
                })
                .collect();
            let args: Vec<Value> = types.into_iter().map(|t| self.value(t, r)).collect();
            let lanes = self.m.types.lanes(first);
            let mut b = self.at(r);
            let v = match (op, &args[..]) {
                (O::ftos | O::ftou, &[a]) => {
                    let t = b.types.vector(rtc_ir::Scalar::I32, lanes);
                    b.convert(op, a, t)
                }
                (O::stof | O::utof, &[a]) => {
                    let t = b.types.vector(rtc_ir::Scalar::F32, lanes);
                    b.convert(op, a, t)
                }
                (O::zext, &[a]) if first == Type::BOOL => b.convert(op, a, Type::I32),
                (O::zext, _) => continue,
                (_, &[a]) => b.unary(op, a),
                (_, &[x, y]) => b.binary(op, x, y),
                (_, &[x, y, z]) => b.ternary(op, x, y, z),
                _ => continue,
            };
            return self.keep(v);
        }
    }

    fn vectors(&mut self, r: Region) {
        let v = self.value(Type::F32X3, r);
        let x = self.value(Type::F32, r);
        let n = self.rng.below(3) as u32;
        let made = match self.rng.below(5) {
            0 => self.at(r).extract(v, n),
            1 => self.at(r).insert(v, n, x),
            2 => {
                let y = self.value(Type::F32, r);
                self.at(r).construct(&[x, y, x])
            }
            3 => {
                let at = self.value(Type::I32, r);
                let two = self.f.const_u32(2);
                let mut b = self.at(r);
                let at = b.binary(Opcode::umin, at, two);
                b.binary(Opcode::extract_dyn, v, at)
            }
            _ => {
                let at = self.value(Type::I32, r);
                let two = self.f.const_u32(2);
                let mut b = self.at(r);
                let at = b.binary(Opcode::umin, at, two);
                b.ternary(Opcode::insert_dyn, v, at, x)
            }
        };
        self.keep(made);
    }

    fn memory(&mut self, r: Region) {
        let g = rtc_ir::Global::from_u32(0);
        let handle_ty = self.m.globals[g].ty();
        let at = self.value(Type::I32, r);
        let types = [Type::I32, Type::F32, Type::F32X3, Type::I64, Type::I16, Type::F64, Type::F16];
        let t = types[self.rng.below(if self.points { 7 } else { 3 })];
        let x = self.value(t, r);
        let kind = self.rng.below(7);
        let (offsets, between) = ([(); 4].map(|()| 4 * self.rng.below(4) as u32), self.rng.below(8));
        let (ro, cb) = (rtc_ir::Global::from_u32(5), rtc_ir::Global::from_u32(6));
        let (ro_ty, cb_ty) = (self.m.globals[ro].ty(), self.m.globals[cb].ty());
        let mut b = self.at(r);
        let h = match kind {
            0..=2 => b.resource(g, None, false, handle_ty),
            6 if between < 4 => b.resource(g, None, false, handle_ty),
            3 | 6 => b.resource(ro, None, false, ro_ty),
            _ => b.resource(cb, None, false, cb_ty),
        };
        match kind {
            0 => {
                let v = b.many_value(Opcode::raw_load, 4, &[h, at], Type::I32);
                self.keep(v);
            }
            1 => {
                b.many(Opcode::raw_store, 4, &[h, at, x], &[]);
            }
            2 => {
                let v = b.many_value(Opcode::buf_size, 0, &[h], Type::I32);
                self.keep(v);
                let v = self.at(r).nullary(Opcode::wave_lane_index);
                self.keep(v);
            }
            3 => {
                let v = b.many_value(Opcode::raw_load, 4, &[h, at], Type::I32);
                self.keep(v);
            }
            // Neighbours, with a store between them or not.
            6 => {
                let mask = b.func.const_u32(48);
                let base = b.binary(Opcode::and, at, mask);
                let mut loaded = Vec::new();
                for (n, offset) in offsets.into_iter().enumerate() {
                    let offset = b.func.const_u32(offset);
                    let at = b.binary(Opcode::iadd, base, offset);
                    if n == between {
                        b.many(Opcode::raw_store, 4, &[h, at, x], &[]);
                    }
                    let ty = if n == 3 && between % 2 == 0 { Type::I32X2 } else { Type::I32 };
                    loaded.push(b.many_value(Opcode::raw_load, 4, &[h, at], ty));
                }
                loaded.into_iter().for_each(|v| self.keep(v));
            }
            _ => {
                let fifteen = b.func.const_u32(15);
                let row = b.binary(Opcode::and, at, fifteen);
                let v = b.many_value(Opcode::cbuf_load, 0, &[h, row], Type::F32);
                self.keep(v);
            }
        }
    }

    fn trace(&mut self, r: Region) {
        let g = rtc_ir::Global::from_u32(1);
        let handle_ty = self.m.globals[g].ty();
        let slots: Vec<_> = self.f.slots.keys().collect();
        let slot = slots[self.rng.below(slots.len())];
        let n: Vec<Value> = (0..5).map(|_| self.value(Type::I32, r)).collect();
        let (o, d) = (self.value(Type::F32X3, r), self.value(Type::F32X3, r));
        let (t0, t1) = (self.value(Type::F32, r), self.value(Type::F32, r));
        let mut b = self.at(r);
        let scene = b.resource(g, None, false, handle_ty);
        let args = [scene, n[0], n[1], n[2], n[3], n[4], o, t0, d, t1];
        b.slot(Opcode::trace_ray, slot, &args);
    }

    fn point(&mut self, r: Region) {
        let row = match self.rng.chance(70) {
            true => self.value(Type::I32, r),
            false => self.f.const_u32(0),
        };
        let hint = self.value(Type::I32, r);
        let bits = match self.rng.chance(20) {
            true => self.value(Type::I32, r),
            false => self.f.const_u32([0, 1, 4, 16, 32][self.rng.below(5)]),
        };
        self.at(r).many(Opcode::reorder_by, 0, &[row, hint, bits], &[]);
    }

    fn call(&mut self, r: Region) {
        if self.callees == 0 {
            return;
        }
        let func = Func::from_u32(self.rng.below(self.callees) as u32);
        let (a, b) = (self.value(Type::I32, r), self.value(Type::F32X3, r));
        let s0 = self.m.types.struct_(rtc_ir::Struct::from_u32(0));
        // Any place of the right type; private globals are not passed: the callee uses them itself.
        let (root, mut steps, mut indices) = loop {
            let (root, t) = self.roots[self.rng.below(self.roots.len())];
            if matches!(root, Root::Global(_)) {
                continue;
            }
            if t == s0 {
                break (root, vec![], vec![]);
            }
            if let rtc_ir::TypeKind::Struct(s) = self.m.types.kind(t) {
                match s.as_u32() {
                    3 => {}
                    1 => break (root, vec![Step::At(2)], vec![]),
                    _ if self.rng.chance(50) => break (root, vec![Step::At(0)], vec![]),
                    _ => break (root, vec![Step::At(2), Step::At(1)], vec![]),
                }
            }
        };
        if steps.len() == 2 && self.rng.chance(60) {
            let at = self.value(Type::I32, r);
            let most = self.f.const_u32(3);
            let at = self.at(r).binary(Opcode::umin, at, most);
            steps[1] = Step::Dyn;
            indices.push(at);
        }
        let call = self.at(r).call(func, &[a, b], &[(root, &steps[..], &indices[..])], Some(Type::I32));
        let v = self.f.result(call);
        self.keep(v);
    }

    fn copy(&mut self, r: Region) {
        let s0 = self.m.types.struct_(rtc_ir::Struct::from_u32(0));
        let mut sides: Vec<(Root, Vec<Step>)> = Vec::new();
        for (root, t) in self.roots.clone() {
            if t == s0 {
                sides.push((root, vec![]));
            } else if let rtc_ir::TypeKind::Struct(s) = self.m.types.kind(t) {
                match s.as_u32() {
                    3 => {}
                    1 => sides.push((root, vec![Step::At(2)])),
                    _ => {
                        sides.push((root, vec![Step::At(0)]));
                        sides.push((root, vec![Step::At(2), Step::At(self.rng.below(4) as u32)]));
                    }
                }
            }
        }
        let a = sides[self.rng.below(sides.len())].clone();
        let b = sides[self.rng.below(sides.len())].clone();
        self.at(r).copy((a.0, &a.1, &[]), (b.0, &b.1, &[]));
    }

    /// Emits statements into `r`; what they define stays visible until `r` ends. `state`: values that
    /// should be offered often.
    fn statements(&mut self, r: Region, state: &[Value]) {
        self.values.extend_from_slice(state);
        let count = 1 + self.rng.below(8);
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            if self.traces && self.rng.chance(15) {
                self.trace(r);
            }
            if self.points && self.rng.chance(8) {
                self.point(r);
            }
            if self.points && self.rng.chance(8) {
                let op = [Opcode::dispatch_rays_index, Opcode::dispatch_rays_dim][self.rng.below(2)];
                let v = self.at(r).nullary(op);
                self.keep(v);
                let n = self.rng.below(3) as u32;
                let v = self.at(r).extract(v, n);
                self.keep(v);
            }
            match self.rng.below(24) {
                0..=5 => self.arithmetic(r),
                6..=7 => self.vectors(r),
                8..=10 => {
                    let (root, steps, indices, t) = self.place(r, false);
                    let v = self.at(r).load(root, &steps, &indices, t);
                    self.keep(v);
                }
                11..=14 => {
                    let (root, steps, indices, t) = self.place(r, true);
                    let v = self.value(t, r);
                    self.at(r).store(root, &steps, &indices, v);
                }
                15 => self.copy(r),
                16..=17 => self.memory(r),
                18 => self.trace(r),
                19 => self.call(r),
                20..=21 => self.branch(r),
                22 => self.block(r),
                _ => self.repeat(r),
            }
        }
    }

    /// Some result types for a construct.
    fn result_types(&mut self) -> Vec<Type> {
        let all = [Type::I32, Type::F32, Type::F32X3, Type::BOOL];
        let n = self.rng.below(3);
        (0..n).map(|_| all[self.rng.below(4)]).collect()
    }

    fn of_types(&mut self, types: &[Type], r: Region) -> Vec<Value> {
        types.iter().map(|&t| self.value(t, r)).collect()
    }

    /// Fills `r` and ends it: with `yield`, or now and then by leaving further out.
    fn arm(&mut self, r: Region, results: &[Type]) {
        let mark = self.values.len();
        self.targets.push(Target { region: r, results: results.to_vec(), continues: None });
        self.statements(r, &[]);
        self.targets.pop();
        if self.rng.chance(25) && self.leave(r) {
            self.values.truncate(mark);
            return;
        }
        let values = self.of_types(results, r);
        self.at(r).exit(Opcode::yield_, &values);
        self.values.truncate(mark);
    }

    /// Ends `r` with an exit to somewhere further out.
    fn leave(&mut self, r: Region) -> bool {
        if self.rng.chance(20) {
            self.finish(r);
            return true;
        }
        if self.targets.is_empty() {
            return false;
        }
        let target = self.targets[self.rng.below(self.targets.len())].clone();
        match target.continues {
            Some(types) if self.rng.chance(50) => {
                let values = self.of_types(&types, r);
                self.at(r).exit_to(Opcode::continue_, target.region, &values);
            }
            _ => {
                let values = self.of_types(&target.results, r);
                self.at(r).exit_to(Opcode::break_, target.region, &values);
            }
        }
        true
    }

    fn finish(&mut self, r: Region) {
        let values = match self.f.ret {
            Some(t) => vec![self.value(t, r)],
            None => vec![],
        };
        self.at(r).exit(Opcode::return_, &values);
    }

    fn results_of(&mut self, i: Inst) {
        let results: Vec<Value> = self.f.results(i).to_vec();
        self.values.extend(results);
    }

    fn branch(&mut self, r: Region) {
        let results = self.result_types();
        let i = if self.rng.chance(70) {
            let cond = self.value(Type::BOOL, r);
            let (a, b) = (self.f.add_region(), self.f.add_region());
            let i = self.at(r).if_(cond, a, b, &results);
            self.arm(a, &results);
            self.arm(b, &results);
            i
        } else {
            let on = self.value(Type::I32, r);
            let regions: Vec<Region> = (0..3).map(|_| self.f.add_region()).collect();
            let table = CaseTable { arms: vec![(vec![0, 2], regions[0]), (vec![1], regions[1])], default: regions[2] };
            let i = self.at(r).switch(on, table, &results);
            for region in regions {
                self.arm(region, &results);
            }
            i
        };
        self.results_of(i);
    }

    fn block(&mut self, r: Region) {
        let results = self.result_types();
        let body = self.f.add_region();
        let i = self.at(r).block(body, &results);
        self.arm(body, &results);
        self.results_of(i);
    }

    fn repeat(&mut self, r: Region) {
        let results = self.result_types();
        let carried = self.result_types();
        let (body, continuing) = (self.f.add_region(), self.f.add_region());
        let zero = self.f.const_u32(0);
        let mut init = vec![zero];
        init.extend(self.of_types(&carried, r));
        let i = self.at(r).loop_(&init, body, continuing, &results);
        let mut state = vec![self.f.add_param(body, Type::I32)];
        let mut passed = vec![self.f.add_param(continuing, Type::I32)];
        for &t in &carried {
            state.push(self.f.add_param(body, t));
            passed.push(self.f.add_param(continuing, t));
        }
        let mark = self.values.len();
        // The counter in front of everything bounds the loop; `continue` adds to it.
        let limit = self.f.const_u32(1 + self.rng.below(4) as u32);
        let (go, stop) = (self.f.add_region(), self.f.add_region());
        let cond = self.at(body).binary(Opcode::ult, state[0], limit);
        self.at(body).if_(cond, go, stop, &[]);
        self.at(go).exit(Opcode::yield_, &[]);
        let values = self.of_types(&results, stop);
        self.at(stop).exit_to(Opcode::break_, body, &values);
        let mut continues = vec![Type::I32];
        continues.extend(&carried);
        // Only the loop's own end continues with the counter; other `continue`s would need it too.
        let by_count = self.rng.chance(50);
        self.targets.push(Target { region: body, results: results.clone(), continues: None });
        self.statements(body, &state);
        self.targets.pop();
        let one = self.f.const_u32(1);
        let next = self.at(body).binary(Opcode::iadd, state[0], one);
        if self.rng.chance(40) {
            // An early `continue` with the right counter.
            let cond = self.value(Type::BOOL, body);
            let (a, b) = (self.f.add_region(), self.f.add_region());
            self.at(body).if_(cond, a, b, &[]);
            let mut values = vec![next];
            values.extend(self.of_types(&carried, a));
            self.at(a).exit_to(Opcode::continue_, body, &values);
            self.arm(b, &[]);
        }
        let mut values = vec![next];
        values.extend(self.of_types(&carried, body));
        self.at(body).exit_to(Opcode::continue_, body, &values);
        self.values.truncate(mark);
        // The continuing region.
        self.values.extend(&passed);
        let budget = std::mem::take(&mut self.budget);
        for _ in 0..self.rng.below(3) {
            self.arithmetic(continuing);
            if self.points && self.rng.chance(15) {
                self.point(continuing);
            }
        }
        self.budget = budget;
        let mut again = vec![passed[0]];
        again.extend(self.of_types(&carried, continuing));
        if by_count {
            let cond = self.value(Type::BOOL, continuing);
            let values = self.of_types(&results, continuing);
            self.at(continuing).next_if(cond, &again, &values);
        } else {
            self.at(continuing).exit(Opcode::next, &again);
        }
        self.values.truncate(mark);
        let _: &InstData = &self.f.insts[i];
        self.results_of(i);
    }
}
