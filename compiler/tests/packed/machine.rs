//! Interpreter of ray-tracing libraries in IR: runs ray generation shaders, and the shaders that a script selects for their rays.
//!
//! Payloads with access qualifiers follow the specification (DXR, payload access qualifiers, detailed semantics): a ray has the actual
//! payload, each transition copies the qualified fields, and the rest is undefined. Payloads without qualifiers, such as packed ones, are
//! memory that caller and shaders share, as in Vulkan. Undefined values have random bits and are marked as undefined.
//!
//! The script determines the contents of memory; it changes after each event, so that recursion ends and loops differ.

use rtc_ir::{
    CaseTable, Func, Function, Inst, InstData, Module, Opcode, Paq, Param, Place, Region, Root, Scalar, SlotRole, Step, Type, TypeKind,
    Value, ValueDef, eval,
};

use crate::alone::Alone;
use crate::traces::{Hit, MISS, Shaders};

/// A scalar in a variable.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub bits: u64,
    pub undefined: bool,
    /// The source location of the store, for shaders that run alone.
    pub by: u32,
}

/// A value: up to four components.
#[derive(Clone, Copy, Debug, Default)]
pub struct Val {
    pub bits: [u64; 4],
    /// Which are undefined.
    pub undefined: u8,
}

impl Val {
    pub fn scalar(bits: u64) -> Val {
        Val { bits: [bits, 0, 0, 0], undefined: 0 }
    }
    pub fn cell(&self, n: usize) -> Cell {
        let n = n % 4;
        Cell { bits: self.bits[n], undefined: self.undefined >> n & 1 != 0, by: 0 }
    }
    fn set(&mut self, n: usize, c: Cell) {
        if n > 3 {
            return;
        }
        self.bits[n] = c.bits;
        self.undefined = self.undefined & !(1 << n) | u8::from(c.undefined) << n;
    }
}

/// An output: its address and its value with the defined bits.
pub type Event = (u64, Val);

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// As the program has it.
    Done,
    /// Control came to depend on something undefined.
    Undefined,
    /// It takes too long.
    Fuel,
}

/// How control leaves a region.
pub enum Flow {
    Yield(Vec<Val>),
    Break(Region, Vec<Val>),
    Continue(Region, Vec<Val>),
    Next(Vec<Val>),
    Leave(Vec<Val>),
    Return(Vec<Val>),
    /// `ignore_hit`, `accept_hit`.
    Hit(Opcode),
    Stop(End),
}

pub fn hash(a: u64, b: u64) -> u64 {
    let mut h = (a ^ b.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h ^= h >> 29;
    h = h.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h ^ h >> 32
}

/// What a module has of types, looked up once.
pub struct Layouts {
    /// The scalars of each type, with the qualifiers of the field that they belong to (`None`: none).
    cells: Vec<Vec<(Scalar, Option<Paq>)>>,
    pub shaders: Shaders,
}

impl Layouts {
    pub fn new(m: &Module) -> Layouts {
        let mut l = Layouts { cells: Vec::new(), shaders: Shaders::of(m) };
        for (t, _) in m.types.iter() {
            let mut out = Vec::new();
            flatten(m, t, None, &mut out);
            l.cells.push(out);
        }
        l
    }
    pub fn of(&self, t: Type) -> &[(Scalar, Option<Paq>)] {
        &self.cells[t.as_u32() as usize]
    }
    fn size(&self, t: Type) -> usize {
        self.of(t).len()
    }
}

fn flatten(m: &Module, t: Type, paq: Option<Paq>, out: &mut Vec<(Scalar, Option<Paq>)>) {
    match m.types.kind(t) {
        TypeKind::Scalar(s) => out.push((s, paq)),
        TypeKind::Vector(s, n) => out.extend((0..n).map(|_| (s, paq))),
        TypeKind::Array(e, n) => (0..n).for_each(|_| flatten(m, e, paq, out)),
        TypeKind::Struct(s) => {
            for f in &m.structs[s].fields {
                flatten(m, f.ty, paq.or(f.paq), out);
            }
        }
        // Handles and hit objects.
        _ => out.push((Scalar::I64, None)),
    }
}

/// A function that runs.
pub struct Frame<'m> {
    pub f: &'m Function,
    values: Vec<Val>,
    /// Variable and offset of each local and slot.
    locals: Vec<(usize, usize)>,
    pub slots: Vec<(usize, usize)>,
}

pub struct Machine<'m> {
    pub m: &'m Module,
    pub layouts: &'m Layouts,
    /// What random bits and memory depend on.
    pub seed: u64,
    /// What rays meet.
    pub choices: u64,
    /// Go on where control depends on something undefined.
    pub follow: bool,
    /// Every variable, flattened to scalars.
    pub variables: Vec<Vec<Cell>>,
    globals: Vec<Option<usize>>,
    pub events: Vec<Event>,
    pub epoch: u64,
    garbage: u64,
    pub fuel: u64,
    pub depth: u32,
    pub hits: Vec<Hit>,
    /// If one shader runs alone: what happens in it. What the machine does not know is random then.
    pub alone: Option<Alone>,
}

impl<'m> Machine<'m> {
    pub fn new(m: &'m Module, layouts: &'m Layouts, seed: u64, garbage: u64, follow: bool, fuel: u64) -> Self {
        Machine {
            m,
            layouts,
            seed,
            choices: hash(seed, 99) | 1,
            follow,
            variables: Vec::new(),
            globals: vec![None; m.globals.len()],
            events: Vec::new(),
            epoch: 0,
            garbage: hash(garbage, 7),
            fuel,
            depth: 0,
            hits: Vec::new(),
            alone: None,
        }
    }

    pub fn undefined(&mut self, s: Scalar) -> Cell {
        self.garbage = hash(self.garbage, 1);
        Cell { bits: self.garbage & (u64::MAX >> (64 - s.bits())), undefined: true, by: 0 }
    }

    /// A variable that holds nothing yet.
    pub fn variable(&mut self, t: Type) -> usize {
        let layouts = self.layouts;
        let cells = layouts.of(t).iter().map(|c| self.undefined(c.0)).collect();
        self.variables.push(cells);
        self.variables.len() - 1
    }

    /// A variable of the module. It is there as long as the machine.
    fn global(&mut self, g: rtc_ir::Global) -> usize {
        let var = self.variable(self.m.globals[g].ty());
        if let rtc_ir::GlobalKind::Table(_, bits) = &self.m.globals[g].kind {
            let constant = |&bits: &u64| Cell { bits, undefined: false, by: 0 };
            self.variables[var] = bits.iter().map(constant).collect();
        }
        var
    }

    /// Runs a function. `payload`: the variable of an entry point's payload.
    pub fn call(&mut self, id: Func, args: &[Val], refs: &[(usize, usize)], payload: Option<usize>) -> Flow {
        let f = &self.m.funcs[id];
        let depth = self.variables.len();
        let mut fr = Frame { f, values: vec![Val::default(); f.values.len()], locals: Vec::new(), slots: Vec::new() };
        for (v, data) in &f.values {
            match data.def {
                ValueDef::Const(bits) => fr.values[v.as_u32() as usize] = Val::scalar(bits),
                ValueDef::Undef => {
                    for (n, c) in self.layouts.of(data.ty).iter().enumerate() {
                        let cell = self.undefined(c.0);
                        fr.values[v.as_u32() as usize].set(n, cell);
                    }
                }
                _ => {}
            }
        }
        for l in f.locals.values() {
            // Those of the caller's come below.
            let v = if l.param.is_some() { usize::MAX } else { self.variable(l.ty) };
            fr.locals.push((v, 0));
        }
        for s in f.slots.values() {
            let v = match payload {
                Some(v) if s.role == SlotRole::PayloadIn => v,
                _ => self.variable(s.ty),
            };
            fr.slots.push((v, 0));
        }
        let (mut a, mut r) = (args.iter(), refs.iter());
        for p in &f.params {
            match p {
                Param::Value(v) => fr.values[v.as_u32() as usize] = *a.next().expect("an argument"),
                Param::Ref(l) => fr.locals[l.as_u32() as usize] = *r.next().expect("a reference"),
            }
        }
        let flow = self.region(&mut fr, f.body);
        self.variables.truncate(depth);
        // Variables of tables that the call allocated are freed with its frame.
        self.globals.iter_mut().for_each(|g| *g = g.filter(|&var| var < depth));
        flow
    }

    pub fn get(&self, fr: &Frame, v: Value) -> Val {
        fr.values[v.as_u32() as usize]
    }

    fn list(&self, fr: &Frame, values: &[Value]) -> Vec<Val> {
        values.iter().map(|&v| self.get(fr, v)).collect()
    }

    /// The bits of what control depends on; `Err` if they are undefined and that ends the run.
    fn decides(&self, v: Val) -> Result<u64, Flow> {
        if v.undefined & 1 != 0 && !self.follow { Err(Flow::Stop(End::Undefined)) } else { Ok(v.bits[0]) }
    }

    /// Variable, offset and type of a place.
    fn place(&mut self, fr: &Frame, p: Place, indices: &mut &[Value]) -> Result<(usize, usize, Type), Flow> {
        let data = &fr.f.places[p];
        let ((var, mut at), mut t) = match data.root {
            Root::Local(l) => (fr.locals[l.as_u32() as usize], fr.f.locals[l].ty),
            Root::Slot(s) => (fr.slots[s.as_u32() as usize], fr.f.slots[s].ty),
            Root::Global(g) => {
                let t = self.m.globals[g].ty();
                let n = g.as_u32() as usize;
                let var = match self.globals[n] {
                    Some(var) => var,
                    None => {
                        let var = self.global(g);
                        self.globals[n] = Some(var);
                        var
                    }
                };
                ((var, 0), t)
            }
        };
        for s in &data.steps {
            let n = match s {
                Step::At(n) => *n,
                Step::Dyn => {
                    let (first, rest) = indices.split_first().expect("an index");
                    *indices = rest;
                    self.decides(self.get(fr, *first))? as u32
                }
            };
            match self.m.types.kind(t) {
                TypeKind::Struct(st) => {
                    let fields = &self.m.structs[st].fields;
                    at += fields[..n as usize].iter().map(|f| self.layouts.size(f.ty)).sum::<usize>();
                    t = fields[n as usize].ty;
                }
                TypeKind::Array(e, len) => {
                    // Only something undefined is out of bounds.
                    assert!(n < len || self.follow, "the programs stay in bounds");
                    at += (n % len) as usize * self.layouts.size(e);
                    t = e;
                }
                _ => {
                    let len = self.layouts.size(t) as u32;
                    at += (n % len) as usize;
                    t = self.m.part(t, None).expect("a vector");
                }
            }
        }
        Ok((var, at, t))
    }

    pub fn region(&mut self, fr: &mut Frame<'m>, r: Region) -> Flow {
        let f = fr.f;
        for &i in &f.regions[r].insts {
            self.fuel = self.fuel.saturating_sub(1);
            if self.fuel == 0 {
                return Flow::Stop(End::Fuel);
            }
            match self.inst(fr, i) {
                Ok(None) => {}
                Ok(Some(flow)) | Err(flow) => return flow,
            }
        }
        panic!("{r} of {} does not end", f.name)
    }

    fn set(&mut self, fr: &mut Frame<'m>, i: Inst, results: &[Val]) {
        for (&v, x) in fr.f.results(i).iter().zip(results) {
            fr.values[v.as_u32() as usize] = *x;
        }
    }

    fn params(&mut self, fr: &mut Frame<'m>, r: Region, values: &[Val]) {
        for (&p, v) in fr.f.regions[r].params.iter().zip(values) {
            fr.values[p.as_u32() as usize] = *v;
        }
    }

    fn inst(&mut self, fr: &mut Frame<'m>, i: Inst) -> Result<Option<Flow>, Flow> {
        let f = fr.f;
        match f.insts[i] {
            InstData::Nullary { op } => {
                let x = if op == Opcode::hit_make_nop { Val::scalar(0) } else { self.system_value(op, f.ty(f.result(i))) };
                self.set(fr, i, &[x]);
            }
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => {
                let x = self.arithmetic(fr, i);
                self.set(fr, i, &[x]);
            }
            InstData::Many { op, imm, args } => {
                let a = self.list(fr, f.get(args));
                let x = self.many(fr, i, op, imm as usize, &a)?;
                if x.is_none() && self.alone.is_some() {
                    let all: Vec<Val> = f.results(i).iter().map(|&v| self.system_value(op, f.ty(v))).collect();
                    self.epoch += 1;
                    self.set(fr, i, &all);
                }
                self.set(fr, i, x.as_slice());
            }
            InstData::Access { op, place, args, .. } => {
                let mut rest = f.get(args);
                let (var, at, t) = self.place(fr, place, &mut rest)?;
                let n = self.layouts.size(t);
                if op == Opcode::load {
                    let mut x = Val::default();
                    (0..n).for_each(|k| x.set(k, self.variables[var][at + k]));
                    if let Some(a) = self.alone.as_mut().filter(|_| x.undefined != 0) {
                        a.undefined_read(f.spans[i].lo.raw());
                    }
                    self.set(fr, i, &[x]);
                } else {
                    assert_eq!(op, Opcode::store);
                    let x = self.get(fr, rest[0]);
                    let by = if self.alone.is_some() { f.spans[i].lo.raw() } else { 0 };
                    if let Some(a) = &mut self.alone {
                        a.stored(by);
                    }
                    (0..n).for_each(|k| self.variables[var][at + k] = Cell { by, ..x.cell(k) });
                }
            }
            InstData::Copy { to, from, args } => {
                let mut rest = f.get(args);
                let (to, to_at, t) = self.place(fr, to, &mut rest)?;
                let (from, from_at, _) = self.place(fr, from, &mut rest)?;
                let n = self.layouts.size(t);
                let x = self.variables[from][from_at..from_at + n].to_vec();
                self.variables[to][to_at..to_at + n].copy_from_slice(&x);
            }
            InstData::Slot { op, slot, args } => {
                let a = self.list(fr, f.get(args));
                let x = self.trace(fr, i, op, slot, &a)?;
                self.set(fr, i, &[x]);
            }
            InstData::Resource { global, .. } => {
                let name = self.m.globals[global].name.bytes().next().unwrap_or(0);
                self.set(fr, i, &[Val::scalar(name.into())]);
            }
            InstData::If { cond, then_, else_ } => {
                let taken = if self.decides(self.get(fr, cond))? != 0 { then_ } else { else_ };
                let flow = self.region(fr, taken);
                return Ok(self.leave(fr, i, flow));
            }
            InstData::Switch { on, cases } => {
                let CaseTable { arms, default } = &f.cases[cases];
                let on = self.decides(self.get(fr, on))? as u32 as i32;
                let arm = arms.iter().find(|a| a.0.contains(&on));
                let flow = self.region(fr, arm.map_or(*default, |a| a.1));
                return Ok(self.leave(fr, i, flow));
            }
            InstData::Block { body } => {
                let flow = self.region(fr, body);
                return Ok(self.leave(fr, i, flow));
            }
            InstData::Loop { init, body, continuing } => {
                let mut state = self.list(fr, f.get(init));
                let last = loop {
                    self.params(fr, body, &state);
                    let given = match self.region(fr, body) {
                        Flow::Continue(r, v) if r == body => v,
                        other => break other,
                    };
                    self.params(fr, continuing, &given);
                    match self.region(fr, continuing) {
                        Flow::Next(v) => state = v,
                        other => break other,
                    }
                };
                return Ok(self.leave(fr, i, last));
            }
            InstData::Call { func, args, refs } => {
                let callee = &self.m.funcs[func];
                assert!(!callee.declared, "`{}` is declared only: another library has what it does", callee.name);
                let n = callee.params.iter().filter(|p| matches!(p, Param::Value(_))).count();
                let (values, mut indices) = f.get(args).split_at(n);
                let values = self.list(fr, values);
                let mut places = Vec::new();
                for &p in f.get_places(refs) {
                    let (var, at, _) = self.place(fr, p, &mut indices)?;
                    places.push((var, at));
                }
                let payload = f.slot_of(SlotRole::PayloadIn).map(|s| fr.slots[s.as_u32() as usize].0);
                if let Some(a) = &mut self.alone {
                    a.calls.push(f.spans[i].lo.raw());
                }
                let flow = self.call(func, &values, &places, payload);
                if let Some(a) = &mut self.alone {
                    a.calls.pop();
                }
                match flow {
                    Flow::Return(v) => self.set(fr, i, &v),
                    other => return Ok(Some(other)),
                }
            }
            InstData::Exit { op, imm, target, args } => {
                let mut v = self.list(fr, f.get(args));
                let target = || target.expand().expect("a region to leave");
                return Ok(Some(match op {
                    Opcode::yield_ => Flow::Yield(v),
                    Opcode::break_ => Flow::Break(target(), v),
                    Opcode::continue_ => Flow::Continue(target(), v),
                    Opcode::next => Flow::Next(v),
                    Opcode::next_if => {
                        let results = v.split_off(1 + imm as usize);
                        match self.decides(v.remove(0))? != 0 {
                            true => Flow::Next(v),
                            false => Flow::Leave(results),
                        }
                    }
                    Opcode::return_ => Flow::Return(v),
                    Opcode::ignore_hit | Opcode::accept_hit => Flow::Hit(op),
                    _ => panic!("control comes to {op} in {}", f.name),
                }));
            }
        }
        Ok(None)
    }

    /// What control that leaves a region of `i` does there.
    fn leave(&mut self, fr: &mut Frame<'m>, i: Inst, flow: Flow) -> Option<Flow> {
        match flow {
            Flow::Yield(v) | Flow::Leave(v) => self.set(fr, i, &v),
            Flow::Break(r, v) if fr.f.regions[r].owner == Some(i) => self.set(fr, i, &v),
            other => return Some(other),
        }
        None
    }

    fn arithmetic(&mut self, fr: &Frame, i: Inst) -> Val {
        let f = fr.f;
        let op = f.op(i);
        let operands = f.operands(i);
        let args: Vec<Val> = operands.iter().map(|&v| self.get(fr, v)).collect();
        let lanes = |v: Value| self.layouts.size(f.ty(v));
        let result = f.result(i);
        let mut out = Val::default();
        if op == Opcode::split_double {
            let x = args[0].cell(0);
            out.set(0, Cell { bits: x.bits & 0xffff_ffff, ..x });
            out.set(1, Cell { bits: x.bits >> 32, ..x });
            return out;
        }
        if self.alone.is_some()
            && let Some(is) = crate::traces::object_is(op, args[0].cell(0).bits)
        {
            return Val::scalar(u64::from(is));
        }
        if self.alone.is_some() && op == Opcode::hit_get_kind {
            return Val::scalar(crate::traces::kind_of(args[0].cell(0).bits, self.seed));
        }
        if self.alone.is_some() && (op == Opcode::dot || operands.iter().any(|&v| self.m.types.numeric(f.ty(v)).is_none())) {
            return self.system_value(op, f.ty(result));
        }
        if op == Opcode::extract_dyn || op == Opcode::insert_dyn {
            let n = args[1].bits[0] as usize % lanes(operands[0]);
            if op == Opcode::extract_dyn {
                out.set(0, args[0].cell(n));
            } else {
                out = args[0];
                out.set(n, args[2].cell(0));
            }
            if args[1].undefined != 0 {
                out.undefined = u8::MAX;
            }
            return out;
        }
        let Some((to, n)) = self.m.types.numeric(f.ty(result)) else {
            assert_eq!(op, Opcode::select, "{op} gives something else than numbers");
            return if args[0].bits[0] != 0 { args[1] } else { args[2] };
        };
        let from = match op {
            Opcode::select => to,
            _ => self.m.types.numeric(f.ty(operands[0])).expect("numbers").0,
        };
        for lane in 0..n as usize {
            let cell = |k: usize| args[k].cell(if lanes(operands[k]) > 1 { lane } else { 0 });
            let cells: Vec<Cell> = (0..args.len()).map(cell).collect();
            let bits: Vec<u64> = cells.iter().map(|c| c.bits).collect();
            let x = eval::scalar(op, from, to, &bits).or(self.alone.is_some().then_some(bits[0] & 1));
            let undefined = match op {
                Opcode::select if cells[0].undefined => true,
                Opcode::select => cells[if bits[0] != 0 { 1 } else { 2 }].undefined,
                _ => cells.iter().any(|c| c.undefined),
            };
            out.set(lane, Cell { bits: x.unwrap_or(0), undefined: undefined || x.is_none(), by: 0 });
        }
        out
    }

    fn many(&mut self, fr: &Frame, i: Inst, op: Opcode, imm: usize, a: &[Val]) -> Result<Option<Val>, Flow> {
        let f = fr.f;
        let mut out = Val::default();
        match op {
            Opcode::construct => (0..a.len()).for_each(|n| out.set(n, a[n].cell(0))),
            Opcode::extract => out.set(0, a[0].cell(imm)),
            Opcode::insert => {
                out = a[0];
                out.set(imm, a[1].cell(0));
            }
            Opcode::raw_load => {
                let at = self.decides(a[1])?;
                for (n, c) in self.layouts.of(f.ty(f.results(i)[0])).iter().enumerate() {
                    let bits = hash(hash(self.seed, at + 4 * n as u64), self.epoch) & (u64::MAX >> (64 - c.0.bits()));
                    out.set(n, Cell { bits, undefined: false, by: 0 });
                }
            }
            Opcode::raw_store => {
                let at = self.decides(a[1])?;
                self.events.push((at, a[2]));
                self.epoch += 1;
            }
            Opcode::hit_make_miss => out = Val::scalar(MISS),
            Opcode::reorder => {}
            _ if self.alone.is_some() => return Ok(None),
            _ => panic!("the machine does not know {op}"),
        }
        Ok(Some(out))
    }

    /// Instructions without a result.
    fn system_value(&self, op: Opcode, t: Type) -> Val {
        let mut out = Val::default();
        for (n, c) in self.layouts.of(t).iter().enumerate().take(4) {
            let h = hash(hash(op as u64, n as u64), hash(self.seed, self.epoch));
            let bits = match c.0 {
                // Conditions on floats should hold now and then, those on what is no number too.
                s if s.is_float() => {
                    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].get((h >> 40) as usize % 16).copied();
                    eval::from_f64(s, special.unwrap_or((h % 64) as f64 / 4.0 - 8.0))
                }
                s => h & (if h >> 40 & 1 == 0 { 7 } else { u64::MAX }) & (u64::MAX >> (64 - s.bits())),
            };
            out.set(n, Cell { bits, undefined: false, by: 0 });
        }
        out
    }
}
