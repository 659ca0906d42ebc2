//! Random payload programs: statements, and the IR that they are.

use rtc_base::{Pos, Span};
use rtc_ir::text::parse;
use rtc_ir::{
    Builder, Func, Function, Local, Module, Opcode, Paq, Param, RefMode, Region, Root, Slot, SlotRole, Stage, Step, Struct, Type, Value,
};
pub use rtc_test_support::Random as Rng;

/// Cells: `f0`, `f1`, `i.f2` of a payload inside, and the elements of `f3`.
pub const CELLS: usize = 5;
/// The field of each cell.
pub const FIELD: [usize; CELLS] = [0, 1, 2, 3, 3];
pub const FIELD_NAMES: [&str; 4] = ["f0", "f1", "i.f2", "f3"];
/// Conditions that are the same wherever they are evaluated.
pub const FLAGS: usize = 3;
/// Fields after these, `f4` and `f5`, that every stage reads and writes: they hold numbers, of which conditions ask.
pub const HELD: usize = 2;
/// The numbers that are stored there: less than this.
pub const NUMBERS: usize = 3;

/// The payload of the shader (or of the function's caller), or the local one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Var {
    P,
    Q,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    At(usize),
    /// An element of `f3` that is not known before.
    Any,
}

#[derive(Clone, Debug)]
pub enum Cond {
    Flag(usize, bool),
    Both(usize, usize),
    Either(usize, usize),
    /// Anew each time.
    Fresh,
    /// Such a field holds this number, or does not.
    Holds(Var, usize, u32, bool),
    /// It holds a number that is less.
    Less(Var, usize, u32),
}

#[derive(Clone, Debug)]
pub enum Kind {
    Set(Var, Cell),
    Observe(Var, Cell),
    /// Such a field gets this number.
    Hold(Var, usize, u32),
    Move(Var, Cell, Var, Cell),
    /// To the first from the other one.
    Copy(Var),
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    While(Vec<Stmt>),
    /// A loop whose first iteration a counter makes certain.
    Counted(Vec<Stmt>),
    Trace(Var),
    Call(usize, Var),
    Break,
    Continue,
    Return,
    IgnoreHit,
    AcceptHit,
}

/// A statement with its number, which is its place in the source.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub id: u32,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub struct Shader {
    pub stage: Stage,
    pub body: Vec<Stmt>,
}

pub struct Program {
    pub paqs: [Paq; 4],
    pub helpers: Vec<Vec<Stmt>>,
    pub shaders: Vec<Shader>,
}

struct Maker<'r> {
    r: &'r mut Rng,
    next: u32,
    helpers: usize,
    stage: Option<Stage>,
    loops: usize,
    /// Statements that still may be made, and branches and loops.
    budget: usize,
    branches: usize,
    /// Whether fields hold numbers.
    holds: bool,
}

impl Maker<'_> {
    fn var(&mut self) -> Var {
        // Only shaders have a payload of their own too.
        match self.stage {
            Some(Stage::RayGeneration) => Var::Q,
            _ if self.r.chance(65) => Var::P,
            _ => Var::Q,
        }
    }
    fn cell(&mut self) -> Cell {
        match self.r.below(CELLS + 1) {
            CELLS => Cell::Any,
            n => Cell::At(n),
        }
    }
    fn body(&mut self, depth: u32) -> Vec<Stmt> {
        let n = 1 + self.r.below(if depth == 0 { 7 } else { 3 });
        let mut out = Vec::new();
        for _ in 0..n {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            let s = self.stmt(depth);
            let ends = matches!(s.kind, Kind::Break | Kind::Continue | Kind::Return | Kind::IgnoreHit | Kind::AcceptHit);
            out.push(s);
            if ends {
                break;
            }
        }
        out
    }
    fn stmt(&mut self, depth: u32) -> Stmt {
        let id = self.next;
        self.next += 1;
        let traces = self.stage.is_some_and(|s| s != Stage::AnyHit);
        let kind = loop {
            break match self.r.below(20) {
                0..=4 if self.holds && self.r.chance(50) => Kind::Hold(self.var(), self.r.below(HELD), self.r.below(NUMBERS) as u32),
                0..=4 => Kind::Set(self.var(), self.cell()),
                5..=8 => Kind::Observe(self.var(), self.cell()),
                9 => Kind::Move(self.var(), self.cell(), self.var(), self.cell()),
                10 if self.stage.is_some_and(|s| s != Stage::RayGeneration) => Kind::Copy(if self.r.chance(50) { Var::P } else { Var::Q }),
                11..=13 if depth < 3 && self.branches > 0 => {
                    self.branches -= 1;
                    let c = match self.r.below(6) {
                        _ if self.holds && self.r.chance(60) => {
                            let (v, n, c) = (self.var(), self.r.below(HELD), self.r.below(NUMBERS) as u32);
                            if self.r.chance(20) { Cond::Less(v, n, c) } else { Cond::Holds(v, n, c, self.r.chance(60)) }
                        }
                        0 => Cond::Both(self.r.below(FLAGS), self.r.below(FLAGS)),
                        1 => Cond::Either(self.r.below(FLAGS), self.r.below(FLAGS)),
                        2 => Cond::Fresh,
                        _ => Cond::Flag(self.r.below(FLAGS), self.r.chance(50)),
                    };
                    let then = self.body(depth + 1);
                    let other = if self.r.chance(50) { self.body(depth + 1) } else { Vec::new() };
                    Kind::If(c, then, other)
                }
                14 if depth < 2 && self.branches > 1 => {
                    self.branches -= 2;
                    self.loops += 1;
                    let counted = self.r.chance(30);
                    let body = self.body(depth + 1);
                    self.loops -= 1;
                    if counted { Kind::Counted(body) } else { Kind::While(body) }
                }
                15 | 16 if traces => Kind::Trace(self.var()),
                17 if self.helpers > 0 => {
                    let n = self.r.below(self.helpers);
                    Kind::Call(n, self.var())
                }
                18 if depth > 0 && self.loops > 0 => {
                    if self.r.chance(50) {
                        Kind::Break
                    } else {
                        Kind::Continue
                    }
                }
                19 if depth > 0 => match self.stage {
                    Some(Stage::AnyHit) if self.r.chance(40) => Kind::IgnoreHit,
                    Some(Stage::AnyHit) if self.r.chance(40) => Kind::AcceptHit,
                    _ => Kind::Return,
                },
                _ => continue,
            };
        };
        Stmt { id, kind }
    }
}

/// `holds`: whether conditions ask what fields hold.
pub fn program(r: &mut Rng, holds: bool) -> Program {
    let mut paq = || Paq { read: r.below(16) as u8, write: r.below(16) as u8 };
    let paqs = [paq(), paq(), paq(), paq()];
    let mut m = Maker { r, next: 1, helpers: 0, stage: None, loops: 0, budget: 0, branches: 0, holds };
    let mut helpers = Vec::new();
    let mut tracing = false;
    for n in 0..m.r.below(3) {
        (m.helpers, m.budget, m.branches) = (n, 4, 1);
        // A function that traces is like a closest-hit shader.
        m.stage = m.r.chance(40).then_some(Stage::Library);
        tracing |= m.stage.is_some();
        helpers.push(m.body(0));
    }
    let mut shaders = Vec::new();
    for stage in [Stage::RayGeneration, Stage::AnyHit, Stage::ClosestHit, Stage::Miss] {
        if m.r.chance(50) {
            (m.stage, m.budget, m.branches) = (Some(stage), 14, 4);
            // Any-hit shaders do not trace, nor does what they call.
            m.helpers = if tracing && stage == Stage::AnyHit { 0 } else { helpers.len() };
            shaders.push(Shader { stage, body: m.body(0) });
        }
    }
    Program { paqs, helpers, shaders }
}

const WORLD: &str = r#"module sm 6.7
struct s0 "Inner" raypayload { "f2" : i32 }
struct s1 "P" raypayload { "f0" : i32 "f1" : i32 "i" : s0 "f3" : [2 x i32] "f4" : i32 "f5" : i32 }
g0 = resource "mem" : res(uav raw) space 0
g1 = resource "scene" : res(srv accel) space 0
"#;

/// The program as a module. Each instruction has the number of its statement as its span.
pub fn lower(p: &Program) -> Module {
    let mut m = parse(WORLD).unwrap();
    for (n, paq) in p.paqs.iter().enumerate() {
        let (s, field) = [(1, 0), (1, 1), (0, 0), (1, 3)][n];
        m.structs[Struct::from_u32(s)].fields[field].paq = Some(*paq);
    }
    for n in 0..HELD {
        m.structs[Struct::from_u32(1)].fields[4 + n].paq = Some(Paq { read: 15, write: 15 });
    }
    for body in &p.helpers {
        let f = function(&mut m, Stage::Library, "helper", body);
        m.funcs.push(f);
    }
    for s in &p.shaders {
        let f = function(&mut m, s.stage, "main", &s.body);
        m.funcs.push(f);
    }
    m
}

struct Lower<'m> {
    m: &'m mut Module,
    f: Function,
    p: Root,
    q: Root,
    flags: Vec<Value>,
    /// Bodies of the loops around.
    loops: Vec<Region>,
    payload: Type,
}

fn function(m: &mut Module, stage: Stage, name: &str, body: &[Stmt]) -> Function {
    let payload = m.types.struct_(Struct::from_u32(1));
    let mut f = Function::new(name, stage);
    let q: Local = f.add_local(payload, "q");
    let p = match stage {
        Stage::Library => {
            let l = f.add_local(payload, "p");
            f.locals[l].param = Some(RefMode::InOut);
            f.params.push(Param::Ref(l));
            Root::Local(l)
        }
        Stage::RayGeneration => Root::Local(q),
        _ => Root::Slot(f.add_slot(SlotRole::PayloadIn, payload, "p")),
    };
    let start = f.body;
    let mut l = Lower { m, f, p, q: Root::Local(q), flags: Vec::new(), loops: Vec::new(), payload };
    for n in 0..FLAGS {
        let v = match stage {
            Stage::Library => {
                let v = l.f.add_param(start, Type::BOOL);
                l.f.params.push(Param::Value(v));
                v
            }
            // Through a variable, as the front end does it.
            _ => {
                let v = l.fresh(start, 0);
                let flag = l.f.add_local(Type::BOOL, format!("c{n}"));
                l.b(start, 0).store(Root::Local(flag), &[], &[], v);
                l.b(start, 0).load(Root::Local(flag), &[], &[], Type::BOOL)
            }
        };
        l.flags.push(v);
    }
    for n in 0..HELD as u32 {
        let zero = l.f.const_u32(0);
        l.b(start, 0).store(Root::Local(q), &[Step::At(4 + n)], &[], zero);
    }
    if !l.list(start, body) {
        l.b(start, 0).exit(Opcode::return_, &[]);
    }
    l.f
}

impl Lower<'_> {
    fn b(&mut self, r: Region, id: u32) -> Builder<'_> {
        let mut b = Builder::at(&mut self.m.types, &mut self.f, r);
        b.span = Span::new(Pos(2 * id + 1), Pos(2 * id + 2));
        b
    }
    /// A number that is unknown at compile time.
    fn number(&mut self, r: Region, id: u32) -> Value {
        let g = rtc_ir::Global::from_u32(0);
        let ty = self.m.globals[g].ty();
        let zero = self.f.const_u32(0);
        let mut b = self.b(r, id);
        let h = b.resource(g, None, false, ty);
        b.many_value(Opcode::raw_load, 4, &[h, zero], Type::I32)
    }
    fn fresh(&mut self, r: Region, id: u32) -> Value {
        let v = self.number(r, id);
        let zero = self.f.const_u32(0);
        self.b(r, id).binary(Opcode::ine, v, zero)
    }
    fn var(&self, v: Var) -> Root {
        match v {
            Var::P => self.p,
            Var::Q => self.q,
        }
    }
    fn place(&mut self, r: Region, id: u32, c: Cell) -> (Vec<Step>, Vec<Value>) {
        match c {
            Cell::At(n) => {
                let steps: &[u32] = [&[0][..], &[1], &[2, 0], &[3, 0], &[3, 1]][n];
                (steps.iter().map(|&s| Step::At(s)).collect(), Vec::new())
            }
            Cell::Any => {
                let n = self.number(r, id);
                let one = self.f.const_u32(1);
                let n = self.b(r, id).binary(Opcode::umin, n, one);
                (vec![Step::At(3), Step::Dyn], vec![n])
            }
        }
    }
    fn read(&mut self, r: Region, id: u32, v: Var, c: Cell) -> Value {
        let (steps, index) = self.place(r, id, c);
        let root = self.var(v);
        self.b(r, id).load(root, &steps, &index, Type::I32)
    }
    fn write(&mut self, r: Region, id: u32, v: Var, c: Cell, x: Value) {
        let (steps, index) = self.place(r, id, c);
        let root = self.var(v);
        self.b(r, id).store(root, &steps, &index, x);
    }
    /// Whether the list ends its region.
    fn list(&mut self, r: Region, body: &[Stmt]) -> bool {
        body.iter().any(|s| self.stmt(r, s))
    }
    fn arm(&mut self, id: u32, body: &[Stmt]) -> (Region, bool) {
        let r = self.f.add_region();
        let ends = self.list(r, body);
        if !ends {
            self.b(r, id).exit(Opcode::yield_, &[]);
        }
        (r, ends)
    }
    fn stmt(&mut self, r: Region, s: &Stmt) -> bool {
        let id = s.id;
        match &s.kind {
            Kind::Set(v, c) => {
                let x = self.f.const_u32(id);
                self.write(r, id, *v, *c, x);
            }
            Kind::Observe(v, c) => {
                let x = self.read(r, id, *v, *c);
                let g = rtc_ir::Global::from_u32(0);
                let ty = self.m.globals[g].ty();
                let zero = self.f.const_u32(0);
                let mut b = self.b(r, id);
                let h = b.resource(g, None, false, ty);
                b.many(Opcode::raw_store, 4, &[h, zero, x], &[]);
            }
            Kind::Hold(v, n, c) => {
                let (root, x) = (self.var(*v), self.f.const_u32(*c));
                self.b(r, id).store(root, &[Step::At(4 + *n as u32)], &[], x);
            }
            Kind::Move(v, c, w, d) => {
                let x = self.read(r, id, *w, *d);
                self.write(r, id, *v, *c, x);
            }
            Kind::Copy(to) => {
                let (a, b) = if *to == Var::P { (self.p, self.q) } else { (self.q, self.p) };
                self.b(r, id).copy((a, &[], &[]), (b, &[], &[]));
            }
            Kind::If(c, then, other) => {
                let c_kind = c;
                let c = match *c {
                    Cond::Flag(n, true) => self.flags[n],
                    Cond::Flag(n, false) => {
                        let v = self.flags[n];
                        self.b(r, id).unary(Opcode::not, v)
                    }
                    Cond::Both(x, y) | Cond::Either(x, y) => {
                        let op = if matches!(c, Cond::Both(..)) { Opcode::and } else { Opcode::or };
                        let (x, y) = (self.flags[x], self.flags[y]);
                        self.b(r, id).binary(op, x, y)
                    }
                    Cond::Fresh => self.fresh(r, id),
                    Cond::Holds(v, n, c, _) | Cond::Less(v, n, c) => {
                        let (root, x) = (self.var(v), self.f.const_u32(c));
                        let held = self.b(r, id).load(root, &[Step::At(4 + n as u32)], &[], Type::I32);
                        match c_kind {
                            Cond::Less(..) => self.b(r, id).binary(Opcode::ult, held, x),
                            Cond::Holds(.., false) => self.b(r, id).binary(Opcode::ine, held, x),
                            _ => self.b(r, id).binary(Opcode::ieq, held, x),
                        }
                    }
                };
                let (a, x) = self.arm(id, then);
                let (b, y) = self.arm(id, other);
                self.b(r, id).if_(c, a, b, &[]);
                if x && y {
                    self.b(r, id).exit(Opcode::unreachable, &[]);
                    return true;
                }
            }
            Kind::While(body) | Kind::Counted(body) => {
                let counter = self.f.add_local(Type::I32, "i");
                let zero = self.f.const_u32(0);
                let one = self.f.const_u32(1);
                let counted = matches!(s.kind, Kind::Counted(_));
                if counted {
                    self.b(r, id).store(Root::Local(counter), &[], &[], zero);
                }
                let (inside, next) = (self.f.add_region(), self.f.add_region());
                let c = if counted {
                    let i = self.b(inside, id).load(Root::Local(counter), &[], &[], Type::I32);
                    self.b(inside, id).binary(Opcode::ult, i, one)
                } else {
                    self.fresh(inside, id)
                };
                let go = self.f.add_region();
                self.b(go, id).exit(Opcode::yield_, &[]);
                let stop = self.f.add_region();
                self.b(stop, id).exit_to(Opcode::break_, inside, &[]);
                self.b(inside, id).if_(c, go, stop, &[]);
                self.loops.push(inside);
                if !self.list(inside, body) {
                    self.b(inside, id).exit_to(Opcode::continue_, inside, &[]);
                }
                self.loops.pop();
                if counted {
                    let i = self.number(next, id);
                    self.b(next, id).store(Root::Local(counter), &[], &[], i);
                }
                self.b(next, id).exit(Opcode::next, &[]);
                self.b(r, id).loop_(&[], inside, next, &[]);
            }
            Kind::Trace(v) => {
                let slot: Slot = self.f.add_slot(SlotRole::PayloadOut, self.payload, "");
                let (root, s) = (self.var(*v), Root::Slot(slot));
                let g = rtc_ir::Global::from_u32(1);
                let ty = self.m.globals[g].ty();
                let zero = self.f.const_u32(0);
                let x = self.f.const_f32(0.0);
                let mut b = self.b(r, id);
                b.copy((s, &[], &[]), (root, &[], &[]));
                let h = b.resource(g, None, false, ty);
                let at = b.construct(&[x, x, x]);
                b.slot(Opcode::trace_ray, slot, &[h, zero, zero, zero, zero, zero, at, x, at, x]);
                b.copy((root, &[], &[]), (s, &[], &[]));
            }
            Kind::Call(n, v) => {
                let flags = self.flags.clone();
                let root = self.var(*v);
                self.b(r, id).call(Func::from_u32(*n as u32), &flags, &[(root, &[], &[])], None);
            }
            Kind::Break | Kind::Continue => {
                let to = *self.loops.last().expect("in a loop");
                let op = if matches!(s.kind, Kind::Break) { Opcode::break_ } else { Opcode::continue_ };
                self.b(r, id).exit_to(op, to, &[]);
                return true;
            }
            Kind::Return | Kind::IgnoreHit | Kind::AcceptHit => {
                let op = match s.kind {
                    Kind::Return => Opcode::return_,
                    Kind::IgnoreHit => Opcode::ignore_hit,
                    _ => Opcode::accept_hit,
                };
                self.b(r, id).exit(op, &[]);
                return true;
            }
        }
        false
    }
}
