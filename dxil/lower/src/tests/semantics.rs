//! Random programs behave in DXIL as in the IR: a small interpreter runs the finished code, and its observable effects are compared
//! with those of the IR's interpreter.

use std::collections::HashMap;

use rtc_ir::{Format, InstData, Opcode, Scalar, eval};
use rtc_passes::{Level, PassCtx, pipeline};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::insts::OPCODES;

use super::super::select::{Lowering, lowering, row_operation};
use super::Profile;
use crate::DxilOptions;
use crate::emitter::vectorize::{WHICH, Which};
use crate::facts::Facts;
use crate::lower;
use rtc_dxil_module::{BinOp, Block, Body, CastOp, ConstKind, Func, Inst, Module, Op, Type, TypeKind, Value};

#[allow(dead_code)]
#[path = "../../../../passes/tests/random/generate.rs"]
pub(super) mod generate;
#[allow(dead_code)]
#[path = "../../../../passes/tests/random/interp.rs"]
mod interp;

use interp::{Outcome, hash};

#[derive(Clone, Debug)]
enum V {
    /// The bits of components.
    Bits(Vec<u64>),
    /// A variable and a place in it.
    Ptr(usize, usize),
    /// A resource.
    Handle(u64),
    /// A row of a constant buffer.
    Row(u64, u64),
}

struct Machine<'m> {
    m: &'m Module,
    /// Each variable, flattened, with the types of its scalars.
    variables: Vec<(Vec<u64>, Vec<Scalar>)>,
    globals: HashMap<u32, usize>,
    memory: HashMap<(u64, u64), u64>,
    events: Vec<String>,
    place: u64,
    /// The component that is computed.
    lane: usize,
    fuel: u32,
    /// An operation was called that is not known here.
    unknown: bool,
}

/// The address of component `k` of a vector of words, as the interpreter of the IR has it.
fn component_address(at: u64, k: u64) -> u64 {
    (at + 4 * k) & 63
}

fn one(s: Scalar, b: u64) -> u64 {
    match s.is_float() {
        true if eval::to_f64(s, b).is_nan() => u64::MAX,
        true if eval::to_f64(s, b) == 0.0 => 0,
        _ => b,
    }
}

impl Machine<'_> {
    fn scalar(&self, t: Type) -> Scalar {
        match self.m.types[t] {
            TypeKind::Int(1) => Scalar::Bool,
            TypeKind::Int(64) => Scalar::I64,
            TypeKind::Float => Scalar::F32,
            TypeKind::Vector { elem, .. } => self.scalar(elem),
            _ => Scalar::I32,
        }
    }

    fn scalars(&self, t: Type, out: &mut Vec<Scalar>) {
        match self.m.types[t].clone() {
            TypeKind::Array { elem, len } => (0..len).for_each(|_| self.scalars(elem, out)),
            TypeKind::Vector { elem, len } => (0..len).for_each(|_| self.scalars(elem, out)),
            TypeKind::Struct(_) | TypeKind::Named { .. } => {
                let mut n = 0;
                while let Some(e) = self.m.types.element(t, n) {
                    self.scalars(e, out);
                    n += 1;
                }
            }
            _ => out.push(self.scalar(t)),
        }
    }

    fn size(&self, t: Type) -> usize {
        let mut out = Vec::new();
        self.scalars(t, &mut out);
        out.len()
    }

    fn constant(&self, v: Value) -> Vec<u64> {
        let Value::Const(c) = v else { panic!("{v:?}") };
        let ty = self.m.consts[c].ty;
        match &self.m.consts[c].kind {
            ConstKind::Int(n) => vec![*n as u64 & (u64::MAX >> (64 - self.scalar(ty).bits()))],
            ConstKind::Float(bits) => vec![*bits],
            ConstKind::Null | ConstKind::Undef => vec![0; self.size(ty)],
            ConstKind::Data(words) => words.to_vec(),
            ConstKind::Aggregate(values) => values.iter().flat_map(|&v| self.constant(v)).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn get(&mut self, values: &HashMap<Inst, V>, v: Value) -> V {
        match v {
            Value::Inst(i) => values[&i].clone(),
            Value::Global(g) => {
                let var = &self.m.globals[g];
                let resource = ["mem", "scene", "ro", "constants"].into_iter().find(|n| var.name.contains(n));
                if let Some(name) = resource {
                    let name: Vec<u64> = name.bytes().map(u64::from).collect();
                    return V::Handle((hash(&name) & 0xffff) << 32);
                }
                let (ty, init) = (var.ty, var.init);
                let at = self.globals.get(&g.as_u32()).copied().unwrap_or_else(|| {
                    let bits = init.map_or(vec![0; self.size(ty)], |v| self.constant(v));
                    let mut types = Vec::new();
                    self.scalars(ty, &mut types);
                    self.variables.push((bits, types));
                    self.variables.len() - 1
                });
                self.globals.insert(g.as_u32(), at);
                V::Ptr(at, 0)
            }
            v => V::Bits(self.constant(v)),
        }
    }

    fn run(&mut self, func: Func) -> Option<String> {
        let body = self.m.funcs[func].body.as_ref()?;
        let mut values: HashMap<Inst, V> = HashMap::new();
        let (mut block, mut from): (Block, Option<Block>) = (body.blocks.keys().next()?, None);
        loop {
            let mut phis = Vec::new();
            for &i in &body.blocks[block] {
                if let Op::Phi(list) = body.insts[i].op {
                    let pairs: Vec<&[Value]> = body.values(list).chunks_exact(2).filter(|p| Some(p[1]) == from.map(Value::Block)).collect();
                    assert_eq!(pairs.len(), 1, "a phi without the way that was taken");
                    phis.push((i, self.get(&values, pairs[0][0])));
                }
            }
            values.extend(phis);
            let mut next = None;
            for &i in &body.blocks[block] {
                self.fuel = self.fuel.checked_sub(1)?;
                match body.insts[i].op {
                    Op::Phi(_) => {}
                    Op::Ret(_) => return Some("return []".into()),
                    Op::Br(to) => next = Some(to),
                    Op::CondBr { cond, then, other } => next = Some(if self.bits(&values, cond)[0] & 1 != 0 { then } else { other }),
                    Op::Switch { value, default, cases } => {
                        let on = self.bits(&values, value)[0];
                        let cases = body.values(cases).chunks_exact(2);
                        let hit = cases.into_iter().find(|c| self.constant(c[0])[0] == on).map(|c| c[1]);
                        next = Some(hit.map_or(default, |v| if let Value::Block(b) = v { b } else { default }));
                    }
                    op => {
                        if let Some(v) = self.step(body, &values, i, op) {
                            values.insert(i, v);
                        }
                    }
                }
            }
            (from, block) = (Some(block), next?);
        }
    }

    fn bits(&mut self, values: &HashMap<Inst, V>, v: Value) -> Vec<u64> {
        match self.get(values, v) {
            V::Bits(b) => b,
            other => panic!("{other:?} is no number"),
        }
    }

    /// The bits of a scalar, or of the component of a vector that is computed.
    fn part(&mut self, values: &HashMap<Inst, V>, v: Value) -> u64 {
        let b = self.bits(values, v);
        b.get(self.lane).copied().unwrap_or(b[0])
    }

    fn compute(op: Opcode, from: Scalar, to: Scalar, args: &[u64]) -> V {
        V::Bits(vec![eval::scalar(op, from, to, args).unwrap_or(hash(args) & 0xff)])
    }

    fn step(&mut self, body: &Body, values: &HashMap<Inst, V>, i: Inst, op: Op) -> Option<V> {
        let computes = matches!(op, Op::Binary { .. } | Op::Cmp { .. } | Op::Cast { .. } | Op::Select { .. } | Op::Call { .. });
        let TypeKind::Vector { len, .. } = self.m.types[body.insts[i].ty] else {
            return self.scalar_step(body, values, i, op);
        };
        if !computes {
            return self.scalar_step(body, values, i, op);
        }
        let mut all = Vec::new();
        for lane in 0..len as usize {
            self.lane = lane;
            let Some(V::Bits(b)) = self.scalar_step(body, values, i, op) else { panic!("no number") };
            all.push(b[0]);
        }
        self.lane = 0;
        Some(V::Bits(all))
    }

    fn scalar_step(&mut self, body: &Body, values: &HashMap<Inst, V>, i: Inst, op: Op) -> Option<V> {
        let ty = body.insts[i].ty;
        let type_of = |m: &Module, v: Value| match v {
            Value::Inst(i) => body.insts[i].ty,
            v => m.value_type(None, v).expect("a type"),
        };
        let find = |wanted: &dyn Fn(Lowering) -> bool| OPCODES.iter().copied().find(|&o| lowering(o).is_some_and(wanted)).expect("a row");
        Some(match op {
            Op::Binary { op, lhs, rhs, .. } => {
                let s = self.scalar(ty);
                let (a, b) = (self.part(values, lhs), self.part(values, rhs));
                let found = find(&|d| match d {
                    Lowering::Float(o) => s.is_float() && o == op,
                    Lowering::Int(o) | Lowering::Shift(o) | Lowering::Div(o) => !s.is_float() && o == op,
                    _ => false,
                });
                match (s, op) {
                    (Scalar::Bool, BinOp::Xor) => V::Bits(vec![(a ^ b) & 1]),
                    _ => Self::compute(found, s, s, &[a, b]),
                }
            }
            Op::Cmp { pred, lhs, rhs, .. } => {
                let s = self.scalar(type_of(self.m, lhs));
                let args = [self.part(values, lhs), self.part(values, rhs)];
                Self::compute(find(&|d| matches!(d, Lowering::Cmp(p) if p == pred)), s, Scalar::Bool, &args)
            }
            Op::Cast { op: CastOp::BitCast, value } => V::Bits(vec![self.part(values, value)]),
            Op::Cast { op, value } => {
                let (s, to) = (self.scalar(type_of(self.m, value)), self.scalar(ty));
                let a = self.part(values, value);
                Self::compute(find(&|d| matches!(d, Lowering::Cast(c) if c == op)), s, to, &[a])
            }
            Op::Select { cond, then, other } => {
                let c = self.part(values, cond) & 1;
                let chosen = if c != 0 { then } else { other };
                match self.get(values, chosen) {
                    V::Bits(_) => V::Bits(vec![self.part(values, chosen)]),
                    other => other,
                }
            }
            Op::Alloca { allocated, .. } => {
                let mut types = Vec::new();
                self.scalars(allocated, &mut types);
                self.variables.push((vec![0; types.len()], types));
                V::Ptr(self.variables.len() - 1, 0)
            }
            Op::Gep { operands, source, .. } => {
                let list = body.values(operands).to_vec();
                let V::Ptr(var, mut at) = self.get(values, list[0]) else { panic!("no pointer") };
                let mut t = source;
                for &index in &list[2..] {
                    let n = self.bits(values, index)[0] as u32 as usize;
                    let fields = matches!(self.m.types[t], TypeKind::Struct(_) | TypeKind::Named { .. });
                    let elem = |k: usize| self.m.types.element(t, k as u64).expect("an element");
                    at += match fields {
                        true => (0..n).map(|k| self.size(elem(k))).sum(),
                        false => n * self.size(elem(0)),
                    };
                    t = elem(if fields { n } else { 0 });
                }
                V::Ptr(var, at)
            }
            Op::Load { ptr, .. } => match self.get(values, ptr) {
                V::Ptr(var, at) => V::Bits(self.variables[var].0[at..at + self.size(ty)].to_vec()),
                handle => handle,
            },
            Op::Store { ptr, value, .. } => {
                let V::Ptr(var, at) = self.get(values, ptr) else { panic!("no pointer") };
                let bits = self.bits(values, value);
                self.variables[var].0[at..at + bits.len()].copy_from_slice(&bits);
                return None;
            }
            Op::ExtractValue { value, path } => {
                let n = body.path(path)[0] as usize;
                match self.get(values, value) {
                    V::Bits(b) if matches!(self.m.types[ty], TypeKind::Vector { .. }) => V::Bits(b[..self.size(ty)].to_vec()),
                    V::Bits(b) => V::Bits(vec![b[n]]),
                    V::Row(handle, row) => V::Bits(vec![u64::from(((hash(&[handle, row, 4 * n as u64]) % 7) as f32).to_bits())]),
                    other => panic!("{other:?}"),
                }
            }
            Op::ExtractElement { vector, index } => {
                let n = self.bits(values, index)[0] as usize;
                V::Bits(vec![self.bits(values, vector)[n]])
            }
            Op::InsertElement { vector, value, index } => {
                let (mut v, n) = (self.bits(values, vector), self.bits(values, index)[0] as usize);
                v[n] = self.bits(values, value)[0];
                V::Bits(v)
            }
            Op::ShuffleVector { lhs, rhs, mask } => {
                let mut from = self.bits(values, lhs);
                from.extend(self.bits(values, rhs));
                let lanes = self.bits(values, mask);
                V::Bits(lanes.iter().map(|&n| from[n as usize]).collect())
            }
            Op::Call { args, .. } => {
                let args: Vec<Value> = body.values(args).to_vec();
                return self.operation(values, &args, self.scalar(ty), &|m, v| type_of(m, v));
            }
            other => panic!("{other:?}"),
        })
    }

    fn operation(&mut self, values: &HashMap<Inst, V>, args: &[Value], to: Scalar, type_of: &dyn Fn(&Module, Value) -> Type) -> Option<V> {
        let opcode = DxOp::from_u32(self.constant(args[0])[0] as u32).expect("an opcode");
        let handle = |v: V| if let V::Handle(h) = v { h } else { panic!("no handle") };
        let given: Vec<V> = args[1..].iter().map(|&a| self.get(values, a)).collect();
        let lane = self.lane;
        let bits = |n: usize| if let V::Bits(b) = &given[n] { b.get(lane).copied().unwrap_or(b[0]) } else { panic!("no number") };
        Some(match opcode {
            op::CREATE_HANDLE_FOR_LIB | op::ANNOTATE_HANDLE => given[0].clone(),
            op::CBUFFER_LOAD_LEGACY => V::Row(handle(given[0].clone()), bits(1)),
            op::GET_DIMENSIONS => V::Bits(vec![hash(&[handle(given[0].clone())]) & 0xff; 4]),
            op::RAW_BUFFER_LOAD | op::RAW_BUFFER_VECTOR_LOAD => {
                let (g, at) = (handle(given[0].clone()), bits(1) & 63);
                let cell = |k| {
                    let at = component_address(at, k);
                    self.memory.get(&(g, at)).copied().unwrap_or(hash(&[g, at]) & 0xff)
                };
                V::Bits((0..4).map(cell).collect())
            }
            op::RAW_BUFFER_STORE | op::RAW_BUFFER_VECTOR_STORE => {
                let (g, at) = (handle(given[0].clone()), bits(1) & 63);
                let stored = match &given[3] {
                    V::Bits(vector) if opcode == op::RAW_BUFFER_VECTOR_STORE => vector.clone(),
                    _ => (0..bits(7).count_ones() as usize).map(|k| bits(3 + k)).collect(),
                };
                let s = self.scalar(type_of(self.m, args[4]));
                let seen: Vec<u64> = stored.iter().map(|&b| one(s, b)).collect();
                self.events.push(flat(&format!("raw_store {:?}", [vec![g], vec![at], seen])));
                for (k, &b) in (0..).zip(&stored) {
                    self.memory.insert((g, component_address(at, k)), b);
                }
                return None;
            }
            op::TRACE_RAY => {
                let mut parts = vec![handle(given[0].clone())];
                for (n, &a) in args.iter().enumerate().take(args.len() - 1).skip(2) {
                    parts.push(one(self.scalar(type_of(self.m, a)), bits(n - 1)));
                }
                let V::Ptr(var, _) = given[given.len() - 1] else { panic!("no payload") };
                let (content, types) = &self.variables[var];
                parts.extend(content.iter().zip(types).map(|(&b, &s)| one(s, b)));
                self.events.push(flat(&format!("trace_ray {parts:?}")));
                self.place += 1;
                let seed = hash(&parts);
                for (n, x) in self.variables[var].0.iter_mut().enumerate() {
                    *x = hash(&[seed, n as u64]) & 0xff;
                }
                return None;
            }
            op::FIRSTBIT_HI | op::FIRSTBIT_SHI => {
                let op = if opcode == op::FIRSTBIT_HI { Opcode::firstbit_hi } else { Opcode::firstbit_shi };
                let V::Bits(b) = Self::compute(op, Scalar::I32, Scalar::I32, &[bits(0)]) else { return None };
                V::Bits(vec![if b[0] == u64::from(u32::MAX) { b[0] } else { 31 - b[0] }])
            }
            op::FDOT => {
                let (V::Bits(a), V::Bits(b)) = (given[0].clone(), given[1].clone()) else { panic!("no number") };
                let products = a.iter().zip(&b).map(|(&a, &b)| f32::from_bits(a as u32) * f32::from_bits(b as u32));
                V::Bits(vec![products.fold(0.0, |sum, p| sum + p).to_bits().into()])
            }
            op::DOT2 | op::DOT3 | op::DOT4 => {
                let n = given.len() / 2;
                let x = |k| f32::from_bits(bits(k) as u32);
                let mut sum = 0.0f32;
                for k in 0..n {
                    sum += x(k) * x(n + k);
                }
                V::Bits(vec![sum.to_bits().into()])
            }
            _ => {
                let nullary = OPCODES.iter().copied().find(|&o| o.format() == Format::Nullary && row_operation(o) == Some(opcode));
                if let Some(op) = nullary {
                    let place = if op == Opcode::wave_lane_index { self.place } else { 0 };
                    let lane = if given.is_empty() { 0 } else { bits(0) } + 4 * place;
                    let h = hash(&[op as u64, lane]) % 100;
                    return Some(V::Bits(vec![if to.is_float() { eval::from_f64(to, h as f64 / 8.0) } else { h }]));
                }
                let op = OPCODES.iter().copied().find(|&o| lowering(o) == Some(Lowering::Dx(opcode)));
                let Some(op) = op else {
                    self.unknown = true;
                    return Some(V::Bits(vec![0; 4]));
                };
                let from = self.scalar(type_of(self.m, args[1]));
                let all: Vec<u64> = (0..given.len()).map(bits).collect();
                Self::compute(op, from, to, &all)
            }
        })
    }
}

/// An event without the grouping of its numbers.
fn flat(event: &str) -> String {
    event.replace("], [", ", ").replace("[[", "[").replace("]]", "]")
}

/// Whether something is divided by a constant zero, which the code says is all bits.
fn divides_by_zero(m: &rtc_ir::Module) -> bool {
    m.funcs.values().any(|f| {
        let mut found = false;
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Binary { op: Opcode::sdiv | Opcode::udiv | Opcode::srem | Opcode::urem, args: [_, b] } = f.insts[i] {
                let zero = |v| f.as_const(v) == Some(0);
                found |= zero(b)
                    || f.def_inst(b).is_some_and(|d| matches!(f.insts[d], InstData::Many { op: Opcode::construct, args, .. } if f.get(args).iter().any(|&v| zero(v))));
            }
        });
        found
    })
}

/// Compares a random program with its DXIL; `None`: it cannot be compared.
fn check(seed: u64, level: Level) -> Option<bool> {
    let mut rng = generate::Rng(seed);
    let size = 10 + rng.below(100);
    let (m, _) = generate::module(&mut rng, size, false);
    compare(m, level, Which::Paying, seed)
}

/// Optimises a program, and compares it with its DXIL; `None`: it cannot be compared. Whether the DXIL computes vectors.
pub(super) fn compare(mut m: rtc_ir::Module, level: Level, which: Which, seed: u64) -> Option<bool> {
    if pipeline(level).run(&mut m, &PassCtx { check: false }).is_err() || divides_by_zero(&m) {
        return None;
    }
    let entry = m.funcs.iter().find(|(_, f)| f.is_entry()).expect("an entry").0;
    let Outcome { end, events } = interp::run(&m, entry, 100_000)?;
    let expected: Vec<String> = events.iter().map(|e| flat(e)).collect();
    let options = DxilOptions { profile: Profile::Library, settings: super::settings(m.shader_model.max(8)), ..DxilOptions::default() };
    let mut errors = Vec::new();
    let facts = Facts::new(&m, options.profile, &mut errors);
    WHICH.set(which);
    let lowered = lower(&m, &facts, &options, &[]);
    WHICH.set(Which::Paying);
    let lowered = lowered.ok()?;
    let mut machine = Machine {
        m: &lowered.module,
        variables: Vec::new(),
        globals: HashMap::new(),
        memory: HashMap::new(),
        events: Vec::new(),
        place: 0,
        lane: 0,
        fuel: 2_000_000,
        unknown: false,
    };
    let at = facts.functions.iter().position(|k| k.func == entry).expect("the entry");
    let done = machine.run(lowered.funcs[at]);
    if machine.unknown {
        return None;
    }
    let text = || format!("seed {seed:#x}\n{}\n{}", rtc_ir::text::print(&m), rtc_dxil_dis::module_text(&lowered.module));
    assert_eq!(machine.events, expected, "{}", text());
    assert_eq!(done.as_deref(), Some(end.as_str()), "{}", text());
    let is_vector = |t: Type| matches!(lowered.module.types[t], TypeKind::Vector { .. });
    let computes = |op: &Op| matches!(op, Op::Binary { .. } | Op::Cmp { .. } | Op::Select { .. } | Op::Call { .. } | Op::Phi(_));
    let insts = lowered.module.funcs.values().filter_map(|f| f.body.as_ref()).flat_map(|b| b.insts.values());
    Some(insts.filter(|i| computes(&i.op)).any(|i| is_vector(i.ty)))
}

#[test]
fn random_programs_mean_the_same_in_dxil() {
    let programs: u64 = std::env::var("RTC_DXIL_PROGRAMS").map_or(150, |n| n.parse().expect("RTC_DXIL_PROGRAMS is a number"));
    let mut compared = 0;
    for n in 0..programs {
        let level = if n % 3 == 0 { Level::O0 } else { Level::O3 };
        compared += u64::from(check(0x9e37_79b9_7f4a_7c15 ^ (n * 0x1_0000_01b3), level).is_some());
    }
    assert!(compared * 4 > programs, "{compared} of {programs} programs were compared");
}
