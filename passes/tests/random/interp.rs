//! An interpreter of the IR for tests: runs an entry point and records everything that can be seen from
//! outside. What the hardware would decide (system values, what a trace leaves in its payload) is a hash of
//! what it depends on, so that a wrong motion shows.

use std::collections::HashMap;

use rtc_ir::{
    CaseTable, Func, Function, Inst, InstData, Module, Opcode, Param, Place, Region, Root, Scalar, Step, Type, TypeKind, Value, ValueDef,
    eval,
};
use rtc_passes::reorder::LiveState;

/// A value: the bits of its components.
pub type Bits = Vec<u64>;

/// How a run ended, and what it did.
#[derive(PartialEq, Debug)]
pub struct Outcome {
    pub end: String,
    pub events: Vec<String>,
}

/// A hit object that runs no shader.
const NOTHING: u64 = 0;

pub fn hash(parts: &[u64]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    for p in parts {
        h = (h ^ p).wrapping_mul(0x0000_0100_0000_01b3);
        h ^= h >> 29;
    }
    h
}

/// How control leaves a region.
enum Flow {
    Yield(Vec<Bits>),
    Break(Region, Vec<Bits>),
    Continue(Region, Vec<Bits>),
    Next(Vec<Bits>),
    Leave(Vec<Bits>),
    Return(Vec<Bits>),
    End(String),
}

/// Is shown each operand that is a number of 32 bits or a boolean, with the iterations that the loops around are in.
pub type Observer<'m> = dyn FnMut(&Function, Inst, Value, u64, &[u32]) + 'm;

/// The reported live state at the points of each function, by its number.
pub type Kept = HashMap<(u32, Inst), LiveState>;

struct Machine<'m> {
    m: &'m Module,
    observer: Option<&'m mut Observer<'m>>,
    /// If given, everything else is overwritten at each point.
    kept: Option<&'m Kept>,
    /// Every variable, flattened to scalars.
    variables: Vec<Vec<u64>>,
    globals: HashMap<u32, usize>,
    memory: HashMap<(u64, u64), u64>,
    events: Vec<String>,
    place: u64,
    /// Which thread of the dispatch it is.
    thread: u64,
    /// The iterations of the loops around.
    iterations: Vec<u32>,
    fuel: u64,
    /// Where it is in the launch, and how large that is; else this is hashed too.
    launch: Option<[[u64; 3]; 2]>,
    /// Buffers of software reordering, words by name and byte.
    shared: Words,
    /// The points that it came to, with their operands.
    keys: Vec<(Inst, Vec<u64>)>,
    /// What variables hold before they are written.
    fill: u64,
    /// The row of the miss table without a shader; then rows have 16 bits.
    null_row: Option<u64>,
    /// In how many iterations some other lane of the wave has work when this one has none.
    others: u32,
}

/// Buffers of software reordering: words by name and byte.
pub type Words = HashMap<(&'static str, u64), u64>;

/// What a ray did, over all functions that it ran through.
#[derive(Default)]
pub struct Thread {
    memory: HashMap<(u64, u64), u64>,
    pub events: Vec<String>,
    place: u64,
    pub end: String,
    /// The points that it came to, with their operands.
    pub keys: Vec<(Inst, Vec<u64>)>,
}

/// Runs `entry` as a part of what `thread` does, at a place of a launch, with the buffers of software reordering. Whether it ended in time.
pub fn run_part(m: &Module, entry: Func, fuel: u64, thread: &mut Thread, shared: &mut Words, launch: [[u64; 3]; 2]) -> bool {
    let mut machine = Machine {
        m,
        observer: None,
        kept: None,
        variables: Vec::new(),
        globals: HashMap::new(),
        memory: std::mem::take(&mut thread.memory),
        events: std::mem::take(&mut thread.events),
        place: thread.place,
        thread: 0,
        iterations: Vec::new(),
        fuel,
        launch: Some(launch),
        shared: std::mem::take(shared),
        keys: std::mem::take(&mut thread.keys),
        fill: 1,
        null_row: None,
        others: 0,
    };
    thread.end = match machine.call(entry, &[], &[]) {
        Flow::Return(v) => format!("return {v:?}"),
        Flow::End(e) => e,
        _ => "fell out".into(),
    };
    (thread.memory, thread.events, thread.place) = (machine.memory, machine.events, machine.place);
    (*shared, thread.keys) = (machine.shared, machine.keys);
    machine.fuel > 0
}

/// The buffer of software reordering that this handle is of.
fn wavefront_buffer(handle: u64) -> Option<&'static str> {
    rtc_tables::wavefront::BUFFERS.into_iter().find(|name| name_hash(name) == handle >> 32)
}

fn name_hash(name: &str) -> u64 {
    hash(&name.bytes().map(u64::from).collect::<Vec<_>>()) & 0xffff
}

struct Frame<'m> {
    id: Func,
    f: &'m Function,
    values: HashMap<Value, Bits>,
    /// Variable and offset of each local and slot.
    locals: Vec<(usize, usize)>,
    slots: Vec<(usize, usize)>,
}

/// Runs `entry`. `None` if it takes too long.
pub fn run(m: &Module, entry: Func, fuel: u64) -> Option<Outcome> {
    start(m, entry, fuel, 0, None, None, (None, 0))
}

/// Runs `entry`, in which nothing survives a reorder point but what is in `kept`.
pub fn run_keeping(m: &Module, entry: Func, fuel: u64, kept: &Kept) -> Option<Outcome> {
    start(m, entry, fuel, 0, None, Some(kept), (None, 0))
}

/// Runs `entry` as thread `thread` of a dispatch and shows `observer` every operand.
pub fn run_observed<'m>(m: &'m Module, entry: Func, fuel: u64, thread: u64, observer: &'m mut Observer<'m>) {
    start(m, entry, fuel, thread, Some(observer), None, (None, 0));
}

/// Runs `entry` with a row of the miss table that has no shader, before the first of the application (0) or nowhere (0xffff): a trace that names it does nothing. `others`:
/// in how many iterations another lane of the wave has work when this one has none.
pub fn run_with_null_row(m: &Module, entry: Func, fuel: u64, row: u64, others: u32) -> Option<Outcome> {
    start(m, entry, fuel, 0, None, None, (Some(row), others))
}

fn start<'m>(
    m: &'m Module,
    entry: Func,
    fuel: u64,
    thread: u64,
    observer: Option<&'m mut Observer<'m>>,
    kept: Option<&'m Kept>,
    idle: (Option<u64>, u32),
) -> Option<Outcome> {
    let mut machine = Machine {
        m,
        observer,
        kept,
        variables: Vec::new(),
        globals: HashMap::new(),
        memory: HashMap::new(),
        events: Vec::new(),
        place: 0,
        thread,
        iterations: Vec::new(),
        fuel,
        launch: None,
        shared: Words::new(),
        keys: Vec::new(),
        fill: 0,
        null_row: idle.0,
        others: idle.1,
    };
    let flow = machine.call(entry, &[], &[]);
    if machine.fuel == 0 {
        return None;
    }
    let end = match flow {
        Flow::Return(v) => format!("return {v:?}"),
        Flow::End(e) => e,
        _ => "fell out".into(),
    };
    Some(Outcome { end, events: machine.events })
}

impl<'m> Machine<'m> {
    fn size(&self, t: Type) -> usize {
        match self.m.types.kind(t) {
            TypeKind::Vector(_, n) => n as usize,
            TypeKind::Array(e, n) => n as usize * self.size(e),
            TypeKind::Struct(s) => {
                let fields = self.m.structs[s].fields.iter();
                fields.map(|f| self.size(f.ty)).sum()
            }
            _ => 1,
        }
    }

    fn variable(&mut self, t: Type) -> usize {
        let n = self.size(t);
        self.variables.push(vec![self.fill; n]);
        self.variables.len() - 1
    }

    fn call(&mut self, id: Func, args: &[Bits], refs: &[(usize, usize)]) -> Flow {
        let f = &self.m.funcs[id];
        let mut frame = Frame { id, f, values: HashMap::new(), locals: Vec::new(), slots: Vec::new() };
        let depth = self.variables.len();
        for l in f.locals.values() {
            let v = self.variable(l.ty);
            frame.locals.push((v, 0));
        }
        for s in f.slots.values() {
            let v = self.variable(s.ty);
            if s.role.is_incoming() {
                for (n, x) in self.variables[v].iter_mut().enumerate() {
                    *x = hash(&[77, n as u64]) & 0xff;
                }
            }
            frame.slots.push((v, 0));
        }
        let (mut a, mut r) = (args.iter(), refs.iter());
        for p in &f.params {
            match p {
                Param::Value(v) => {
                    frame.values.insert(*v, a.next().unwrap().clone());
                }
                Param::Ref(l) => frame.locals[l.as_u32() as usize] = *r.next().unwrap(),
            }
        }
        let flow = self.region(&mut frame, f.body);
        let _ = depth;
        flow
    }

    fn get(&self, fr: &Frame, v: Value) -> Bits {
        match fr.f.values[v].def {
            ValueDef::Const(bits) => vec![bits],
            ValueDef::Undef => vec![0; self.size(fr.f.ty(v))],
            _ => fr.values[&v].clone(),
        }
    }
    fn list(&self, fr: &Frame, values: &[Value]) -> Vec<Bits> {
        values.iter().map(|&v| self.get(fr, v)).collect()
    }

    /// Variable, offset and type of a place.
    fn place(&mut self, fr: &Frame, p: Place, indices: &mut &[Value]) -> (usize, usize, Type) {
        let data = &fr.f.places[p];
        let ((var, mut at), mut t) = match data.root {
            Root::Local(l) => (fr.locals[l.as_u32() as usize], fr.f.locals[l].ty),
            Root::Slot(s) => (fr.slots[s.as_u32() as usize], fr.f.slots[s].ty),
            Root::Global(g) => {
                let t = self.m.globals[g].ty();
                let var = match self.globals.get(&g.as_u32()) {
                    Some(&v) => v,
                    None => {
                        let v = self.variable(t);
                        self.globals.insert(g.as_u32(), v);
                        if let rtc_ir::GlobalKind::Table(_, bits) = &self.m.globals[g].kind {
                            self.variables[v] = bits.clone();
                        }
                        v
                    }
                };
                ((var, 0), t)
            }
        };
        for s in &data.steps {
            let n = match s {
                Step::At(n) => *n,
                Step::Dyn => {
                    let (first, rest) = indices.split_first().unwrap();
                    *indices = rest;
                    self.get(fr, *first)[0] as u32
                }
            };
            match self.m.types.kind(t) {
                TypeKind::Struct(st) => {
                    let fields = &self.m.structs[st].fields;
                    at += fields[..n as usize].iter().map(|f| self.size(f.ty)).sum::<usize>();
                    t = fields[n as usize].ty;
                }
                TypeKind::Array(e, len) => {
                    assert!(n < len, "the generator stays in bounds");
                    at += n as usize * self.size(e);
                    t = e;
                }
                _ => {
                    at += n as usize;
                    t = self.m.part(t, None).unwrap();
                }
            }
        }
        (var, at, t)
    }

    fn region(&mut self, fr: &mut Frame<'m>, r: Region) -> Flow {
        let f = fr.f;
        for &i in &f.regions[r].insts {
            self.fuel = self.fuel.saturating_sub(1);
            if self.fuel == 0 {
                return Flow::End("fuel".into());
            }
            if let Some(flow) = self.inst(fr, i) {
                return flow;
            }
        }
        Flow::End("no terminator".into())
    }

    fn set(&mut self, fr: &mut Frame<'m>, i: Inst, results: Vec<Bits>) {
        for (&v, x) in fr.f.results(i).iter().zip(results) {
            fr.values.insert(v, x);
        }
    }

    /// Overwrites what is not reported as live across `i`.
    fn poison(&mut self, fr: &mut Frame<'m>, i: Inst) {
        let Some(state) = self.kept.and_then(|k| k.get(&(fr.id.as_u32(), i))) else { return };
        let mask = |v: &Value| {
            let kept = state.values.iter().find(|k| k.value == *v).map(|k| k.components);
            kept.or(state.free.contains(v).then_some(u32::MAX))
        };
        for (v, bits) in &mut fr.values {
            let Some((s, lanes)) = self.m.types.numeric(fr.f.ty(*v)) else { continue };
            for (n, b) in bits.iter_mut().enumerate() {
                let bit = if (2..=4).contains(&lanes) { n } else { 0 };
                if mask(v).unwrap_or(0) >> bit & 1 == 0 {
                    *b = hash(&[0xdead, n as u64]) & ((1u64 << (s.bits() - 1) << 1).wrapping_sub(1));
                }
            }
        }
        let own = match fr.f.insts[i] {
            InstData::Slot { slot, .. } => Some(Root::Slot(slot)),
            _ => None,
        };
        let locals =
            fr.f.locals.iter().filter(|l| l.1.param.is_none()).map(|(l, d)| (Root::Local(l), d.ty, fr.locals[l.as_u32() as usize]));
        let slots = fr.f.slots.iter().map(|(s, d)| (Root::Slot(s), d.ty, fr.slots[s.as_u32() as usize]));
        for (root, ty, (var, _)) in locals.chain(slots).filter(|l| Some(l.0) != own) {
            let mut keep = vec![false; self.variables[var].len()];
            for p in state.parts.iter().filter(|p| p.part.root == root) {
                let (mut at, mut t) = (0, ty);
                for &n in &p.part.path {
                    at += (0..n).filter_map(|k| self.m.part(t, Some(k))).map(|t| self.size(t)).sum::<usize>();
                    t = self.m.part(t, Some(n)).unwrap();
                }
                keep[at..at + self.size(t)].fill(true);
            }
            for (n, x) in self.variables[var].iter_mut().enumerate().filter(|(n, _)| !keep[*n]) {
                *x = hash(&[0xbeef, n as u64]) & 1;
            }
        }
    }

    fn event(&mut self, op: Opcode, parts: &[Bits]) {
        self.events.push(format!("{op} {parts:?}"));
    }

    /// A float as others see it: one not-a-number, one zero.
    fn canonical(&self, t: Type, bits: &[u64]) -> Bits {
        let Some((s, _)) = self.m.types.numeric(t) else {
            return bits.to_vec();
        };
        let one = |&b: &u64| match s.is_float() {
            true if eval::to_f64(s, b).is_nan() => u64::MAX,
            true if eval::to_f64(s, b) == 0.0 => 0,
            _ => b,
        };
        bits.iter().map(one).collect()
    }

    fn inst(&mut self, fr: &mut Frame<'m>, i: Inst) -> Option<Flow> {
        let f = fr.f;
        if self.observer.is_some() {
            for v in f.operands(i) {
                let x = self.get(fr, v)[0];
                if let Some(o) = &mut self.observer
                    && matches!(f.ty(v), Type::I32 | Type::BOOL | Type::F32)
                {
                    o(f, i, v, x, &self.iterations);
                }
            }
        }
        match f.insts[i] {
            InstData::Nullary { op } => {
                let t = f.ty(f.result(i));
                let (s, n) = self.m.types.numeric(t).unwrap();
                // Where the thread is changes at reorder points.
                let place = if op == Opcode::wave_lane_index { self.place } else { 0 };
                let thread = if op == Opcode::dispatch_rays_dim { 0 } else { self.thread };
                let lane = 4 * place + (thread << 32);
                let mut bits: Bits = (0..u64::from(n)).map(|n| system_value(op, n + lane, s)).collect();
                match (op, self.launch) {
                    (Opcode::dispatch_rays_index, Some([at, _])) => bits = at.to_vec(),
                    (Opcode::dispatch_rays_dim, Some([_, size])) => bits = size.to_vec(),
                    _ => {}
                }
                self.set(fr, i, vec![bits]);
            }
            InstData::Unary { op: Opcode::wave_any_true, arg } if self.null_row.is_some() => {
                let mut any = self.get(fr, arg)[0];
                if any == 0 && self.others > 0 {
                    self.others -= 1;
                    any = 1;
                }
                self.set(fr, i, vec![vec![any]]);
            }
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => {
                let x = self.arithmetic(fr, i);
                self.set(fr, i, vec![x]);
            }
            InstData::Many { op, imm, args } => {
                let a = self.list(fr, f.get(args));
                let x = self.many(fr, i, op, imm as usize, &a);
                self.set(fr, i, x);
            }
            InstData::Access { op, place, args, .. } => {
                let mut rest = f.get(args);
                let (var, at, t) = self.place(fr, place, &mut rest);
                let n = self.size(t);
                if op == Opcode::load {
                    let x = self.variables[var][at..at + n].to_vec();
                    self.set(fr, i, vec![x]);
                } else {
                    let x = self.get(fr, rest[0]);
                    self.variables[var][at..at + n].copy_from_slice(&x);
                }
            }
            InstData::Copy { to, from, args } => {
                let mut rest = f.get(args);
                let (to, to_at, t) = self.place(fr, to, &mut rest);
                let (from, from_at, _) = self.place(fr, from, &mut rest);
                let n = self.size(t);
                let x = self.variables[from][from_at..from_at + n].to_vec();
                self.variables[to][to_at..to_at + n].copy_from_slice(&x);
            }
            InstData::Slot { op, slot, args } => {
                let mut parts = Vec::new();
                for &v in f.get(args) {
                    let x = self.get(fr, v);
                    parts.push(self.canonical(f.ty(v), &x));
                }
                if let (Opcode::hit_invoke, Some(_), true) = (op, self.null_row, parts[0] == [NOTHING]) {
                    return None;
                }
                if let (Opcode::trace_ray | Opcode::hit_trace, Some(null)) = (op, self.null_row) {
                    let row = parts[5][0] & 0xffff;
                    if row == null {
                        if op == Opcode::hit_trace {
                            self.set(fr, i, vec![vec![NOTHING]]);
                        }
                        return None;
                    }
                    parts[5] = vec![(row.wrapping_sub(null).wrapping_sub(1)) & 0xffff];
                }
                let (var, _) = fr.slots[slot.as_u32() as usize];
                let mut content = Vec::new();
                let mut at = 0;
                let m = self.m;
                let variables = &self.variables;
                let mut leaves = Vec::new();
                m.leaves(f.slots[slot].ty, &mut |_, t| leaves.push(t));
                for t in leaves {
                    let n = self.size(t);
                    content.extend(self.canonical(t, &variables[var][at..at + n]));
                    at += n;
                }
                parts.push(content.clone());
                self.event(op, &parts);
                self.place += 1;
                let seed = hash(&parts.concat());
                self.poison(fr, i);
                if op == Opcode::report_hit {
                    self.set(fr, i, vec![vec![seed & 1]]);
                } else {
                    for (n, x) in self.variables[var].iter_mut().enumerate() {
                        *x = hash(&[seed, n as u64]) & 0xff;
                    }
                    if op == Opcode::hit_trace {
                        self.set(fr, i, vec![vec![seed | 1]]);
                    }
                }
            }
            InstData::Resource { global, index, .. } => {
                let n = index.expand().map_or(0, |v| self.get(fr, v)[0]);
                // By name: passes drop globals and number the others anew.
                let id = name_hash(&self.m.globals[global].name);
                self.set(fr, i, vec![vec![id << 32 | n]]);
            }
            InstData::If { cond, then_, else_ } => {
                let taken = if self.get(fr, cond)[0] != 0 { then_ } else { else_ };
                return self.construct(fr, i, taken);
            }
            InstData::Switch { on, cases } => {
                let CaseTable { arms, default } = &f.cases[cases];
                let on = self.get(fr, on)[0] as u32 as i32;
                let arm = arms.iter().find(|a| a.0.contains(&on));
                return self.construct(fr, i, arm.map_or(*default, |a| a.1));
            }
            InstData::Block { body } => return self.construct(fr, i, body),
            InstData::Loop { init, body, continuing } => {
                let mut state = self.list(fr, f.get(init));
                let outside = self.iterations.len();
                self.iterations.push(0);
                let last = loop {
                    self.params(fr, body, state);
                    let flow = self.region(fr, body);
                    let given = match flow {
                        Flow::Continue(r, v) if r == body => v,
                        other => break other,
                    };
                    self.params(fr, continuing, given);
                    match self.region(fr, continuing) {
                        Flow::Next(v) => state = v,
                        other => break other,
                    }
                    self.iterations[outside] += 1;
                };
                self.iterations.truncate(outside);
                return self.leave(fr, i, last);
            }
            InstData::Call { func, args, refs } => {
                let callee = &self.m.funcs[func];
                assert!(!callee.declared, "`{}` is declared only: another library has what it does", callee.name);
                let n = callee.params.iter().filter(|p| matches!(p, Param::Value(_))).count();
                let (values, mut indices) = f.get(args).split_at(n);
                let values = self.list(fr, values);
                let mut places = Vec::new();
                for &p in f.get_places(refs) {
                    let (var, at, _) = self.place(fr, p, &mut indices);
                    places.push((var, at));
                }
                match self.call(func, &values, &places) {
                    Flow::Return(v) => {
                        self.poison(fr, i);
                        self.set(fr, i, v);
                    }
                    other => return Some(other),
                }
            }
            InstData::Exit { op, imm, target, args } => {
                let mut v = self.list(fr, f.get(args));
                return Some(match op {
                    Opcode::yield_ => Flow::Yield(v),
                    Opcode::break_ => Flow::Break(target.expand().unwrap(), v),
                    Opcode::continue_ => Flow::Continue(target.expand().unwrap(), v),
                    Opcode::next => Flow::Next(v),
                    Opcode::next_if => {
                        let results = v.split_off(1 + imm as usize);
                        match v.remove(0)[0] != 0 {
                            true => Flow::Next(v),
                            false => Flow::Leave(results),
                        }
                    }
                    Opcode::return_ => Flow::Return(v),
                    _ => Flow::End(op.to_string()),
                });
            }
        }
        None
    }

    fn params(&mut self, fr: &mut Frame<'m>, r: Region, values: Vec<Bits>) {
        for (&p, v) in fr.f.regions[r].params.iter().zip(values) {
            fr.values.insert(p, v);
        }
    }

    fn construct(&mut self, fr: &mut Frame<'m>, i: Inst, r: Region) -> Option<Flow> {
        let flow = self.region(fr, r);
        self.leave(fr, i, flow)
    }

    /// What control that leaves a region of `i` does there.
    fn leave(&mut self, fr: &mut Frame<'m>, i: Inst, flow: Flow) -> Option<Flow> {
        match flow {
            Flow::Yield(v) | Flow::Leave(v) => {
                self.set(fr, i, v);
                None
            }
            Flow::Break(r, v) if fr.f.regions[r].owner == Some(i) => {
                self.set(fr, i, v);
                None
            }
            other => Some(other),
        }
    }

    fn arithmetic(&mut self, fr: &Frame, i: Inst) -> Bits {
        let f = fr.f;
        let op = f.op(i);
        let operands = f.operands(i);
        let args = self.list(fr, &operands);
        let (to, lanes) = self.m.types.numeric(f.ty(f.result(i))).unwrap();
        match op {
            Opcode::extract_dyn => {
                return vec![args[0].get(args[1][0] as usize).copied().unwrap_or(0)];
            }
            Opcode::insert_dyn => {
                let mut v = args[0].clone();
                if let Some(x) = v.get_mut(args[1][0] as usize) {
                    *x = args[2][0];
                }
                return v;
            }
            Opcode::split_double => return vec![args[0][0] & 0xffff_ffff, args[0][0] >> 32],
            Opcode::dot => {
                let mut sum = 0.0f32;
                for (a, b) in args[0].iter().zip(&args[1]) {
                    sum += f32::from_bits(*a as u32) * f32::from_bits(*b as u32);
                }
                return vec![sum.to_bits().into()];
            }
            _ => {}
        }
        let from = match op {
            Opcode::select => to,
            _ => self.m.types.numeric(f.ty(operands[0])).unwrap().0,
        };
        let lane = |n: usize| -> Vec<u64> { args.iter().map(|a| a.get(n).copied().unwrap_or(a[0])).collect() };
        // What is undefined is something here.
        (0..lanes as usize).map(|n| eval::scalar(op, from, to, &lane(n)).unwrap_or(hash(&lane(n)) & 0xff)).collect()
    }

    fn many(&mut self, fr: &Frame, i: Inst, op: Opcode, imm: usize, a: &[Bits]) -> Vec<Bits> {
        let f = fr.f;
        let results: Vec<Type> = f.results(i).iter().map(|&v| f.ty(v)).collect();
        match op {
            Opcode::construct => vec![a.concat()],
            Opcode::extract => vec![vec![a[0][imm]]],
            Opcode::insert => {
                let mut v = a[0].clone();
                v[imm] = a[1][0];
                vec![v]
            }
            Opcode::reorder_by => {
                self.keys.push((i, a.concat()));
                vec![]
            }
            Opcode::raw_load if wavefront_buffer(a[0][0]).is_some() => {
                let name = wavefront_buffer(a[0][0]).unwrap();
                let n = self.size(results[0]) as u64;
                vec![(0..n).map(|k| self.shared.get(&(name, a[1][0] + 4 * k)).copied().unwrap_or(0)).collect()]
            }
            Opcode::raw_store if wavefront_buffer(a[0][0]).is_some() => {
                let name = wavefront_buffer(a[0][0]).unwrap();
                self.shared.insert((name, a[1][0]), a[2][0]);
                vec![]
            }
            Opcode::raw_load => {
                let n = self.size(results[0]) as u64;
                let (g, at) = (a[0][0], a[1][0]);
                // A wider number may have been stored there.
                let bits = self.m.types.elem(results[0]).bits();
                let read = |k| {
                    let at = component_address(at, k, bits);
                    let cell = self.memory.get(&(g, at)).copied();
                    cell.unwrap_or(hash(&[g, at]) & 0xff) & (u64::MAX >> (64 - bits))
                };
                vec![(0..n).map(read).collect()]
            }
            Opcode::raw_store => {
                let last = *f.operands(i).last().unwrap();
                let x = self.canonical(f.ty(last), &a[2]);
                self.event(op, &[a[0].clone(), vec![a[1][0] & 63], x]);
                let bits = self.m.types.elem(f.ty(last)).bits();
                for (k, &b) in a[2].iter().enumerate() {
                    self.memory.insert((a[0][0], component_address(a[1][0], k as u64, bits)), b);
                }
                vec![]
            }
            Opcode::hit_make_miss if self.null_row.is_some_and(|null| a[1][0] & 0xffff == null) => vec![vec![NOTHING]],
            Opcode::buf_size => vec![vec![hash(&[a[0][0]]) & 0xff]],
            Opcode::cbuf_load => {
                let x = hash(&[a[0][0], a[1][0], imm as u64]) % 7;
                vec![vec![u64::from((x as f32).to_bits())]]
            }
            _ => panic!("the interpreter does not know {op}"),
        }
    }
}

/// The address of component `k` of a vector in memory, of which there is little.
fn component_address(at: u64, k: u64, bits: u32) -> u64 {
    (at + k * u64::from(bits / 8)) & 63
}

fn system_value(op: Opcode, lane: u64, s: Scalar) -> u64 {
    let h = hash(&[op as u64, lane]) % 100;
    match s.is_float() {
        true => eval::from_f64(s, h as f64 / 8.0),
        false => h,
    }
}
