//! An interpreter of the IR with memory: runs a ray generation shader and returns the memory that it wrote.
//!
//! Buffers are bytes, textures maps from coordinates to components. A trace adds 1 to every scalar of its payload (as
//! an integer or a float), so that copies in and out show.

use std::collections::HashMap;

use rtc_ir::{
    Function, GlobalKind, Inst, InstData, Module, Opcode as O, Param, Place, Region, Root, Scalar, Step, Type, TypeKind, Value, ValueDef,
    eval,
};
use rtc_tables::resources::AtomicOp;

type Bits = Vec<u64>;

/// How control leaves a region.
enum Flow {
    Yield(Vec<Bits>),
    Break(Region, Vec<Bits>),
    Continue(Region, Vec<Bits>),
    Next(Vec<Bits>),
    Leave(Vec<Bits>),
    Return(Vec<Bits>),
    End,
}

/// A module with its memory.
pub struct Machine<'m> {
    m: &'m Module,
    variables: Vec<Vec<u64>>,
    globals: HashMap<u32, usize>,
    /// Bytes of buffers by name and array index.
    pub buffers: HashMap<(String, u64), Vec<u8>>,
    /// Texels by name and coordinates.
    pub texels: HashMap<(String, Vec<u64>), Bits>,
    counters: HashMap<u64, u32>,
    fuel: u32,
}

struct Frame<'m> {
    f: &'m Function,
    values: HashMap<Value, Bits>,
    locals: Vec<(usize, usize)>,
    slots: Vec<(usize, usize)>,
}

impl<'m> Machine<'m> {
    /// Memory without anything in it.
    pub fn new(m: &'m Module) -> Self {
        Machine {
            m,
            variables: Vec::new(),
            globals: HashMap::new(),
            buffers: HashMap::new(),
            texels: HashMap::new(),
            counters: HashMap::new(),
            fuel: 1_000_000,
        }
    }

    /// Runs the entry point of this name. What its slots hold at the end, by role.
    pub fn run(&mut self, name: &str) -> Vec<Bits> {
        let m = self.m;
        let f = m.funcs.values().find(|f| f.is_entry() && f.name == name).expect("the entry point is there");
        let (_, slots) = self.call(f, &[], &[]);
        slots
    }

    fn size(&self, t: Type) -> usize {
        match self.m.types.kind(t) {
            TypeKind::Vector(_, n) => n as usize,
            TypeKind::Array(e, n) => n as usize * self.size(e),
            TypeKind::Struct(s) => self.m.structs[s].fields.iter().map(|f| self.size(f.ty)).sum(),
            _ => 1,
        }
    }

    fn variable(&mut self, t: Type) -> usize {
        // No memory is zero initially.
        self.variables.push(vec![0xdead_beef; self.size(t)]);
        self.variables.len() - 1
    }

    fn call(&mut self, f: &'m Function, args: &[Bits], refs: &[(usize, usize)]) -> (Flow, Vec<Bits>) {
        let mut fr = Frame { f, values: HashMap::new(), locals: Vec::new(), slots: Vec::new() };
        for l in f.locals.values() {
            let v = self.variable(l.ty);
            fr.locals.push((v, 0));
        }
        for s in f.slots.values() {
            let v = self.variable(s.ty);
            if s.role.is_incoming() {
                self.variables[v].fill(0);
            }
            fr.slots.push((v, 0));
        }
        let (mut a, mut r) = (args.iter(), refs.iter());
        for p in &f.params {
            match p {
                Param::Value(v) => _ = fr.values.insert(*v, a.next().expect("an argument").clone()),
                Param::Ref(l) => fr.locals[l.as_u32() as usize] = *r.next().expect("an l-value"),
            }
        }
        let flow = self.region(&mut fr, f.body);
        let slots = fr.slots.iter().map(|s| self.variables[s.0].clone()).collect();
        (flow, slots)
    }

    fn get(&self, fr: &Frame, v: Value) -> Bits {
        match fr.f.values[v].def {
            ValueDef::Const(bits) => vec![bits],
            ValueDef::Undef => vec![0xdead_beef; self.size(fr.f.ty(v))],
            _ => fr.values[&v].clone(),
        }
    }

    fn place(&mut self, fr: &Frame, p: Place, indices: &mut &[Value]) -> (usize, usize, Type) {
        let m = self.m;
        let data = &fr.f.places[p];
        let ((var, mut at), mut t) = match data.root {
            Root::Local(l) => (fr.locals[l.as_u32() as usize], fr.f.locals[l].ty),
            Root::Slot(s) => (fr.slots[s.as_u32() as usize], fr.f.slots[s].ty),
            Root::Global(g) => {
                let t = m.globals[g].ty();
                let known = self.globals.get(&g.as_u32()).copied();
                let var = known.unwrap_or_else(|| self.variable(t));
                if known.is_none()
                    && let GlobalKind::Table(_, bits) = &m.globals[g].kind
                {
                    self.variables[var] = bits.clone();
                }
                self.globals.insert(g.as_u32(), var);
                ((var, 0), t)
            }
        };
        for s in &data.steps {
            let n = match s {
                Step::At(n) => *n,
                Step::Dyn => {
                    let (first, rest) = indices.split_first().expect("an index");
                    *indices = rest;
                    self.get(fr, *first)[0] as u32
                }
            };
            match m.types.kind(t) {
                TypeKind::Struct(st) => {
                    let fields = &m.structs[st].fields;
                    at += fields[..n as usize].iter().map(|f| self.size(f.ty)).sum::<usize>();
                    t = fields[n as usize].ty;
                }
                TypeKind::Array(e, len) => {
                    assert!(n < len, "index {n} of {len}");
                    at += n as usize * self.size(e);
                    t = e;
                }
                _ => {
                    at += n as usize;
                    t = m.part(t, None).expect("a vector");
                }
            }
        }
        (var, at, t)
    }

    fn region(&mut self, fr: &mut Frame<'m>, r: Region) -> Flow {
        let f = fr.f;
        for &i in &f.regions[r].insts {
            self.fuel = self.fuel.checked_sub(1).expect("the program ends");
            if let Some(flow) = self.inst(fr, i) {
                return flow;
            }
        }
        panic!("a region without terminator");
    }

    fn set(&mut self, fr: &mut Frame<'m>, i: Inst, results: Vec<Bits>) {
        fr.values.extend(fr.f.results(i).iter().copied().zip(results));
    }

    fn inst(&mut self, fr: &mut Frame<'m>, i: Inst) -> Option<Flow> {
        let f = fr.f;
        match f.insts[i] {
            InstData::Nullary { .. } => {
                let n = self.size(f.ty(f.result(i)));
                self.set(fr, i, vec![(0..n as u64).collect()]);
            }
            InstData::Unary { op, .. } | InstData::Binary { op, .. } | InstData::Ternary { op, .. } => {
                let args: Vec<Bits> = f.operands(i).iter().map(|&v| self.get(fr, v)).collect();
                let x = self.arithmetic(fr, i, op, &args);
                self.set(fr, i, vec![x]);
            }
            InstData::Many { op, imm, args } => {
                let a: Vec<Bits> = f.get(args).iter().map(|&v| self.get(fr, v)).collect();
                let x = self.many(fr, i, op, imm, &a);
                self.set(fr, i, x);
            }
            InstData::Access { op, imm, place, args } => {
                let mut rest = f.get(args);
                let (var, at, t) = self.place(fr, place, &mut rest);
                let n = self.size(t);
                let old = self.variables[var][at..at + n].to_vec();
                match op {
                    O::load => self.set(fr, i, vec![old]),
                    O::store => {
                        let x = self.get(fr, rest[0]);
                        self.variables[var][at..at + n].copy_from_slice(&x);
                    }
                    _ => {
                        let x: Vec<u64> = rest.iter().map(|&v| self.get(fr, v)[0]).collect();
                        self.variables[var][at] = atomic(imm, old[0], &x);
                        self.set(fr, i, vec![old]);
                    }
                }
            }
            InstData::Copy { to, from, args } => {
                let mut rest = f.get(args);
                let (to, to_at, t) = self.place(fr, to, &mut rest);
                let (from, from_at, _) = self.place(fr, from, &mut rest);
                let x = self.variables[from][from_at..from_at + self.size(t)].to_vec();
                self.variables[to][to_at..to_at + x.len()].copy_from_slice(&x);
            }
            InstData::Slot { op, slot, .. } => {
                if op == O::report_hit {
                    self.set(fr, i, vec![vec![1]]);
                } else {
                    let var = fr.slots[slot.as_u32() as usize].0;
                    let mut leaves = Vec::new();
                    self.m.leaves(f.slots[slot].ty, &mut |_, t| leaves.push(t));
                    let scalars = leaves.iter().flat_map(|&t| {
                        let (s, n) = self.m.types.numeric(t).expect("numbers");
                        vec![s; n as usize]
                    });
                    for (x, s) in self.variables[var].iter_mut().zip(scalars) {
                        *x = match s.is_float() {
                            true => eval::from_f64(s, eval::to_f64(s, *x) + 1.0),
                            false => (*x + 1) & 0xffff_ffff,
                        };
                    }
                }
            }
            InstData::Resource { global, index, .. } => {
                let n = index.expand().map_or(0, |v| self.get(fr, v)[0]);
                self.set(fr, i, vec![vec![u64::from(global.as_u32()) << 32 | n]]);
            }
            InstData::If { cond, then_, else_ } => {
                let r = if self.get(fr, cond)[0] != 0 { then_ } else { else_ };
                let flow = self.region(fr, r);
                return self.leave(fr, i, flow);
            }
            InstData::Switch { on, cases } => {
                let table = &f.cases[cases];
                let on = self.get(fr, on)[0] as u32 as i32;
                let arm = table.arms.iter().find(|a| a.0.contains(&on));
                let flow = self.region(fr, arm.map_or(table.default, |a| a.1));
                return self.leave(fr, i, flow);
            }
            InstData::Block { body } => {
                let flow = self.region(fr, body);
                return self.leave(fr, i, flow);
            }
            InstData::Loop { init, body, continuing } => {
                let mut state: Vec<Bits> = f.get(init).iter().map(|&v| self.get(fr, v)).collect();
                loop {
                    fr.values.extend(f.regions[body].params.iter().copied().zip(state));
                    let given = match self.region(fr, body) {
                        Flow::Continue(r, v) if r == body => v,
                        other => return self.leave(fr, i, other),
                    };
                    fr.values.extend(f.regions[continuing].params.iter().copied().zip(given));
                    state = match self.region(fr, continuing) {
                        Flow::Next(v) => v,
                        other => return self.leave(fr, i, other),
                    };
                }
            }
            InstData::Call { func, args, refs } => {
                let callee = &self.m.funcs[func];
                assert!(!callee.declared, "`{}` is declared only: another library has what it does", callee.name);
                let n = callee.params.iter().filter(|p| matches!(p, Param::Value(_))).count();
                let (values, mut indices) = f.get(args).split_at(n);
                let values: Vec<Bits> = values.iter().map(|&v| self.get(fr, v)).collect();
                let mut places: Vec<(usize, usize, usize)> = Vec::new();
                for &p in f.get_places(refs) {
                    let (var, at, t) = self.place(fr, p, &mut indices);
                    let n = self.size(t);
                    let apart = |q: &(usize, usize, usize)| q.0 != var || q.1 + q.2 <= at || at + n <= q.1;
                    assert!(places.iter().all(apart), "reference arguments overlap");
                    places.push((var, at, n));
                }
                let places: Vec<_> = places.into_iter().map(|p| (p.0, p.1)).collect();
                match self.call(callee, &values, &places).0 {
                    Flow::Return(v) => self.set(fr, i, v),
                    other => return Some(other),
                }
            }
            InstData::Exit { op, imm, target, args } => {
                let mut v: Vec<Bits> = f.get(args).iter().map(|&v| self.get(fr, v)).collect();
                return Some(match op {
                    O::yield_ => Flow::Yield(v),
                    O::break_ => Flow::Break(target.expand().expect("a target"), v),
                    O::continue_ => Flow::Continue(target.expand().expect("a target"), v),
                    O::next => Flow::Next(v),
                    O::next_if => {
                        let results = v.split_off(1 + imm as usize);
                        match v.remove(0)[0] != 0 {
                            true => Flow::Next(v),
                            false => Flow::Leave(results),
                        }
                    }
                    O::return_ => Flow::Return(v),
                    O::unreachable => panic!("control came to the unreachable"),
                    _ => Flow::End,
                });
            }
        }
        None
    }

    /// The effect of an exit from a region of `i`.
    fn leave(&mut self, fr: &mut Frame<'m>, i: Inst, flow: Flow) -> Option<Flow> {
        match flow {
            Flow::Yield(v) | Flow::Leave(v) => self.set(fr, i, v),
            Flow::Break(r, v) if fr.f.regions[r].owner == Some(i) => self.set(fr, i, v),
            other => return Some(other),
        }
        None
    }

    fn arithmetic(&mut self, fr: &Frame, i: Inst, op: O, args: &[Bits]) -> Bits {
        let types = &self.m.types;
        let (to, lanes) = types.numeric(fr.f.ty(fr.f.result(i))).expect("a number");
        let ops = fr.f.operands(i);
        let first = if op == O::select { 1 } else { 0 };
        let from = types.elem(fr.f.ty(ops[first]));
        match op {
            O::dot => {
                let sum: f64 = args[0].iter().zip(&args[1]).map(|(&a, &b)| eval::to_f64(from, a) * eval::to_f64(from, b)).sum();
                return vec![eval::from_f64(to, sum)];
            }
            O::extract_dyn => return vec![args[0][args[1][0] as usize]],
            O::insert_dyn => {
                let mut v = args[0].clone();
                v[args[1][0] as usize] = args[2][0];
                return v;
            }
            O::split_double => return vec![args[0][0] & 0xffff_ffff, args[0][0] >> 32],
            O::make_double => return vec![args[0][0] | args[1][0] << 32],
            _ => {}
        }
        (0..lanes as usize)
            .map(|n| {
                let parts: Vec<u64> = args.iter().map(|a| if a.len() == 1 { a[0] } else { a[n] }).collect();
                // Undefined results and values are arbitrary.
                eval::scalar(op, from, to, &parts).unwrap_or_else(|| by_hand(op, from, to, &parts))
            })
            .collect()
    }

    fn many(&mut self, fr: &Frame, i: Inst, op: O, imm: u32, a: &[Bits]) -> Vec<Bits> {
        let result = fr.f.results(i).first().map(|&v| fr.f.ty(v));
        let value_ty = |n: usize| {
            let InstData::Many { args, .. } = fr.f.insts[i] else { panic!("another format") };
            fr.f.ty(fr.f.get(args)[n])
        };
        match op {
            O::construct => vec![a.iter().map(|x| x[0]).collect()],
            O::extract => vec![vec![a[0][imm as usize]]],
            O::insert => {
                let mut v = a[0].clone();
                v[imm as usize] = a[1][0];
                vec![v]
            }
            O::cbuf_load => vec![self.load(a[0][0], a[1][0] * 16 + u64::from(imm), result)],
            O::buf_load => {
                vec![self.load(a[0][0], a[1][0] * self.stride(a[0][0]) + a[2][0], result)]
            }
            O::raw_load => vec![self.load(a[0][0], a[1][0], result)],
            O::buf_store => {
                let at = a[1][0] * self.stride(a[0][0]) + a[2][0];
                self.store(a[0][0], at, value_ty(3), &a[3]);
                vec![]
            }
            O::raw_store => {
                self.store(a[0][0], a[1][0], value_ty(2), &a[2]);
                vec![]
            }
            O::buf_atomic | O::raw_atomic => {
                let (at, rest) = match op {
                    O::buf_atomic => (a[1][0] * self.stride(a[0][0]) + a[2][0], &a[3..]),
                    _ => (a[1][0], &a[2..]),
                };
                let old = self.load(a[0][0], at, result);
                let x: Vec<u64> = rest.iter().map(|x| x[0]).collect();
                let new = atomic(imm, old[0], &x);
                self.store(a[0][0], at, result.expect("a result"), &[new]);
                vec![old]
            }
            O::tex_load => {
                let t = result.expect("a result");
                let n = self.size(t);
                let key = (self.name(a[0][0]), a[1].clone());
                let mut x = self.texels.get(&key).cloned().unwrap_or_else(|| vec![0; n]);
                x.resize(n, 0);
                vec![x, vec![1]]
            }
            O::tex_store => {
                let key = (self.name(a[0][0]), a[1].clone());
                self.texels.insert(key, a[2].clone());
                vec![]
            }
            O::tex_atomic => {
                let key = (self.name(a[0][0]), a[1].clone());
                let old = self.texels.get(&key).cloned().unwrap_or_else(|| vec![0]);
                let x: Vec<u64> = a[2..].iter().map(|x| x[0]).collect();
                self.texels.insert(key, vec![atomic(imm, old[0], &x)]);
                vec![old]
            }
            O::counter_add => {
                let c = self.counters.entry(a[0][0]).or_insert(0);
                let before = *c;
                *c = c.wrapping_add(imm);
                vec![vec![u64::from(if imm == 1 { before } else { *c })]]
            }
            // The size of the whole texture.
            O::buf_size => vec![vec![100]],
            O::tex_size => vec![vec![64, 32, 16, 7]],
            _ => {
                let n = result.map_or(0, |t| self.size(t)) as u64;
                vec![(0..n).map(|k| f32::to_bits((u64::from(imm) * 10 + k) as f32).into()).collect(), vec![1]]
            }
        }
    }

    fn name(&self, handle: u64) -> String {
        let g = rtc_ir::Global::number((handle >> 32) as u32);
        self.m.globals[g].name.clone()
    }

    fn stride(&self, handle: u64) -> u64 {
        let g = rtc_ir::Global::number((handle >> 32) as u32);
        self.m.types.as_resource(self.m.globals[g].ty()).map_or(0, |r| r.stride.into())
    }

    fn bytes(&mut self, handle: u64) -> &mut Vec<u8> {
        let key = (self.name(handle), handle & 0xffff_ffff);
        self.buffers.entry(key).or_default()
    }

    fn load(&mut self, handle: u64, at: u64, t: Option<Type>) -> Bits {
        let (s, n) = self.m.types.numeric(t.expect("a result")).expect("a number");
        let bytes = self.bytes(handle);
        (0..u64::from(n))
            .map(|k| {
                let from = at + k * u64::from(s.bytes());
                (0..u64::from(s.bytes())).fold(0, |x, b| x | u64::from(bytes.get((from + b) as usize).copied().unwrap_or(0)) << (8 * b))
            })
            .collect()
    }

    fn store(&mut self, handle: u64, at: u64, t: Type, x: &[u64]) {
        let s = self.m.types.elem(t);
        let bytes = self.bytes(handle);
        for (k, &x) in x.iter().enumerate() {
            for b in 0..u64::from(s.bytes()) {
                let to = (at + k as u64 * u64::from(s.bytes()) + b) as usize;
                if bytes.len() <= to {
                    bytes.resize(to + 1, 0);
                }
                bytes[to] = (x >> (8 * b)) as u8;
            }
        }
    }
}

fn by_hand(op: O, from: Scalar, to: Scalar, args: &[u64]) -> u64 {
    let x = |n: usize| eval::to_f64(from, args[n]);
    match op {
        O::fmin | O::fmax if x(0) == x(1) => args[0],
        O::rsqrt => eval::from_f64(to, 1.0 / x(0).sqrt()),
        _ => 0xdead_beef & (u64::MAX >> (64 - to.bits())),
    }
}

fn atomic(op: u32, old: u64, x: &[u64]) -> u64 {
    let signed = |x: u64| x as u32 as i32;
    match AtomicOp::from_number(op).expect("an operation") {
        AtomicOp::Add => (old + x[0]) & 0xffff_ffff,
        AtomicOp::And => old & x[0],
        AtomicOp::Or => old | x[0],
        AtomicOp::Xor => old ^ x[0],
        AtomicOp::SMin => signed(old).min(signed(x[0])) as u32 as u64,
        AtomicOp::SMax => signed(old).max(signed(x[0])) as u32 as u64,
        AtomicOp::UMin => old.min(x[0]),
        AtomicOp::UMax => old.max(x[0]),
        AtomicOp::Exchange => x[0],
        AtomicOp::CompareExchange => {
            if old == x[0] {
                x[1]
            } else {
                old
            }
        }
    }
}
