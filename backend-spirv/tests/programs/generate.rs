//! Random programs with hit objects: as a tree, which says what they mean, and as IR.

use std::fmt::Write as _;

use rtc_test_support::Random;

use super::objects::{ASKS, Ask, FAR, Object, hash, trace};

/// Variables of hit objects, and elements of the array of them.
pub const VARIABLES: usize = 3;
const ELEMENTS: u32 = 3;

#[derive(Clone, Debug)]
pub enum Cond {
    /// A bit of the thread's number.
    Bit(u32),
    Is(Ask, usize),
    Closer(usize, usize),
    Not(Box<Cond>),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Trace(usize, bool),
    Miss(usize, u32),
    Nop(usize),
    Query(usize, bool),
    Copy(usize, usize),
    Set(usize, u32),
    Put(u32, usize),
    Take(usize, u32),
    Ask(usize, Ask),
    Invoke(usize),
    Reorder(usize, u32),
    Together(usize),
    /// Traces and invokes what no variable holds; in between or after it, another object or its own ray is queried.
    Direct(bool, Option<(usize, Ask)>, bool),
    If(Cond, Vec<Statement>, Vec<Statement>),
    Loop(u32, Vec<Statement>, Option<Cond>),
}
use Statement as S;

/// The maker of programs.
pub struct Maker(pub Random);

impl Maker {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0.below(n as usize) as u32
    }
    fn var(&mut self) -> usize {
        self.below(VARIABLES as u32) as usize
    }
    fn cond(&mut self) -> Cond {
        match self.below(6) {
            0 | 1 => Cond::Bit(self.below(3)),
            2 | 3 => Cond::Is([Ask::IsHit, Ask::IsMiss, Ask::IsNop][self.below(3) as usize], self.var()),
            4 => Cond::Not(Box::new(self.cond())),
            _ => Cond::Closer(self.var(), self.var()),
        }
    }
    pub fn block(&mut self, depth: u32, arrays: bool) -> Vec<Statement> {
        let n = 1 + self.below(6);
        (0..n).map(|_| self.statement(depth, arrays)).collect()
    }
    fn statement(&mut self, depth: u32, arrays: bool) -> Statement {
        match self.below(if depth > 0 { 24 } else { 20 }) {
            0..=2 => S::Trace(self.var(), self.below(2) == 0),
            3 => S::Miss(self.var(), self.below(0x20000)),
            4 => S::Nop(self.var()),
            5 => S::Query(self.var(), self.below(2) == 0),
            6 | 7 => S::Copy(self.var(), self.var()),
            8 => S::Set(self.var(), self.below(0x1000)),
            9 if arrays => S::Put(self.below(ELEMENTS), self.var()),
            10 if arrays => S::Take(self.var(), self.below(ELEMENTS)),
            9..=13 => S::Ask(self.var(), ASKS[self.below(ASKS.len() as u32) as usize]),
            14 | 15 => S::Invoke(self.var()),
            16 => S::Reorder(self.var(), self.below(2) * 4),
            17 => S::Together(self.var()),
            18 | 19 => {
                let between = (self.below(3) == 0).then(|| (self.var(), ASKS[self.below(ASKS.len() as u32) as usize]));
                S::Direct(self.below(2) == 0, between, self.below(2) == 0)
            }
            20..=22 => {
                let cond = self.cond();
                let then = self.block(depth - 1, arrays);
                let other = if self.below(2) == 0 { Vec::new() } else { self.block(depth - 1, arrays) };
                S::If(cond, then, other)
            }
            _ => {
                let body = self.block(depth - 1, arrays);
                let leave = (self.below(2) == 0).then(|| self.cond());
                S::Loop(1 + self.below(3), body, leave)
            }
        }
    }
}

/// What a program means.
pub struct Meaning {
    pub id: u32,
    pub objects: [Object; VARIABLES],
    array: [Object; ELEMENTS as usize],
    /// How many rays there were; where the next event goes.
    rays: u32,
    at: u32,
    payload: u32,
    pub events: Vec<String>,
}

impl Meaning {
    pub fn of(program: &[Statement], id: u32) -> Vec<String> {
        let mut m = Meaning {
            id,
            objects: [Object::Nop; VARIABLES],
            array: [Object::Nop; ELEMENTS as usize],
            rays: 0,
            at: 0,
            payload: 0,
            events: Vec::new(),
        };
        m.block(program);
        m.events
    }
    fn block(&mut self, all: &[Statement]) {
        all.iter().for_each(|s| self.statement(s));
    }
    fn cond(&self, c: &Cond) -> bool {
        match c {
            Cond::Bit(n) => self.id >> n & 1 != 0,
            Cond::Is(what, h) => self.objects[*h].ask(*what) != 0,
            Cond::Closer(a, b) => {
                let t = |h: usize| f32::from_bits(self.objects[h].ask(Ask::T));
                t(*a) < t(*b)
            }
            Cond::Not(c) => !self.cond(c),
        }
    }
    fn ray(&mut self, many: bool) -> (u32, u32) {
        self.rays += 1;
        (if many { 1 << 8 | self.id & 1 } else { 0 }, (self.rays as f32).to_bits())
    }
    fn invoke(&mut self, h: usize) {
        self.invoke_object(self.objects[h]);
    }
    fn invoke_object(&mut self, o: Object) {
        if !matches!(o, Object::Nop | Object::Hit { bound: false, .. }) {
            self.events.push(format!("invoke {} with {}", o.seen(), self.payload));
            self.payload = hash(&[self.payload, 8]);
        }
    }
    fn reorder(&mut self, h: usize, bits: u32) {
        let hint = if bits == 0 { Vec::new() } else { vec![self.id, bits] };
        self.events.push(format!("reorder {} {hint:?}", self.objects[h].seen()));
    }
    fn statement(&mut self, s: &Statement) {
        match s {
            S::Trace(h, many) | S::Query(h, many) => {
                let query = matches!(s, S::Query(..));
                let (scene, tmin) = self.ray(*many);
                let mut found = trace(scene, 16, tmin, 3);
                if query {
                    found = match found {
                        Object::Hit { kind, attributes, flags, scene, tmin, t, instance, primitive, geometry, .. } => {
                            let given = if kind >= 0xfe { (kind, attributes) } else { (9, [tmin, self.id]) };
                            Object::Hit {
                                kind: given.0,
                                attributes: given.1,
                                record: 0,
                                bound: false,
                                flags,
                                scene,
                                tmin,
                                t,
                                instance,
                                primitive,
                                geometry,
                            }
                        }
                        _ => Object::Nop,
                    };
                }
                if !query {
                    self.payload = hash(&[self.payload, tmin]);
                }
                self.objects[*h] = found;
            }
            S::Miss(h, index) => {
                let (_, tmin) = self.ray(false);
                self.objects[*h] = Object::Miss { flags: 1, record: (index + self.id) & 0xffff, tmin, t: FAR.to_bits() };
            }
            S::Nop(h) => self.objects[*h] = Object::Nop,
            S::Copy(to, from) => self.objects[*to] = self.objects[*from],
            S::Set(h, index) => match &mut self.objects[*h] {
                Object::Nop => {}
                Object::Miss { record, .. } => *record = (index << 20 | index) & 0xffff,
                Object::Hit { record, bound, .. } => (*record, *bound) = ((index << 20 | index) & 0x0fff_ffff, true),
            },
            S::Put(n, h) => self.array[((self.id + n) % ELEMENTS) as usize] = self.objects[*h],
            S::Take(h, n) => self.objects[*h] = self.array[((self.id + n) % ELEMENTS) as usize],
            S::Ask(h, what) => {
                self.events.push(format!("{}: {}", self.at, self.objects[*h].ask(*what)));
                self.at += 1;
            }
            S::Invoke(h) => self.invoke(*h),
            S::Reorder(h, bits) => self.reorder(*h, *bits),
            S::Together(h) => {
                self.statement(&S::Trace(*h, false));
                self.reorder(*h, 4);
                self.invoke(*h);
            }
            S::Direct(many, between, asks) => {
                let (scene, tmin) = self.ray(*many);
                let found = trace(scene, 16, tmin, 3);
                self.payload = hash(&[self.payload, tmin]);
                if let Some((h, what)) = between {
                    self.statement(&S::Ask(*h, *what));
                }
                self.invoke_object(found);
                if *asks {
                    self.events.push(format!("{}: {tmin}", self.at));
                    self.at += 1;
                }
            }
            S::If(c, a, b) => {
                let taken = if self.cond(c) { a } else { b };
                self.block(taken);
            }
            S::Loop(n, body, leave) => {
                for _ in 0..*n {
                    self.block(body);
                    if leave.as_ref().is_some_and(|c| self.cond(c)) {
                        break;
                    }
                }
            }
        }
    }
}

/// A program as IR.
pub struct Text {
    out: String,
    values: u32,
    regions: u32,
    constants: Vec<u32>,
}

const HEAD: &str = r#"module sm 6.10 props(inlined no_privates)

struct s0 "Payload" {
  "word" : i32
}
struct s1 "Attr" {
  "a" : f32x2
}

g0 = resource "Scene" : res(srv accel) register 0 space 0
g1 = resource "Scenes" : res(srv accel) array unbounded register 0 space 1
g2 = resource "Out" : res(uav raw) register 0 space 0

fn fn0 "RayGen" stage raygen {
  pl0 = payload out s0 "p"
  pl1 = attr hit s1 "a"
  pl2 = ray query query(0 0) "q"
  pl3 = payload out s0 "for invocations"
  l0 = local hitobj "h0"
  l1 = local hitobj "h1"
  l2 = local hitobj "h2"
  l3 = local [3 x hitobj] "array"
  l4 = local i32 "rays"
  l5 = local i32 "at"
  l6 = local i32 "payload"
  v0 = const i32 0
  v1 = const i32 1
  v2 = const i32 2
  v3 = const i32 3
  v4 = const i32 4
  v5 = const i32 255
  v6 = const f32 1000.0
  v7 = const i32 9
  v8 = const i32 16
"#;

/// Constants of [`HEAD`] with their values.
const GIVEN: [(u32, usize); 8] = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (255, 5), (9, 7), (16, 8)];

impl Text {
    pub fn of(program: &[Statement]) -> String {
        let mut constants = Vec::new();
        numbers(program, &mut constants);
        constants.sort_unstable();
        constants.dedup();
        constants.retain(|n| GIVEN.iter().all(|g| g.0 != *n));
        let values = 12 + constants.len() as u32;
        let mut t = Text { out: HEAD.into(), values, regions: 0, constants: constants.clone() };
        for n in constants {
            let v = t.constant(n);
            t.line(&format!("v{v} = const i32 {n}"));
        }
        t.line("r0:");
        t.line("v9 = dispatch_rays_index : i32x3");
        t.line("v10 = extract #0 v9 : i32");
        t.line("v11 = and v10, v1 : i32");
        t.line("v12 = hit_make_nop : hitobj");
        for place in ["l0", "l1", "l2", "l3.0", "l3.1", "l3.2"] {
            t.line(&format!("store {place}, v12"));
        }
        t.line("store l4, v0");
        t.line("store l5, v0");
        t.line("store l6, v0");
        t.block(program);
        t.line("return");
        t.out.push_str("}\n");
        t.out
    }
    /// The number of a constant.
    fn constant(&self, n: u32) -> usize {
        match GIVEN.iter().find(|g| g.0 == n) {
            Some(&(_, v)) => v,
            None => 13 + self.constants.binary_search(&n).expect("all were collected"),
        }
    }
    fn line(&mut self, l: &str) {
        let _ = writeln!(self.out, "  {l}");
    }
    fn value(&mut self) -> u32 {
        self.values += 1;
        self.values
    }
    fn region(&mut self) -> u32 {
        self.regions += 1;
        self.regions
    }
    /// A new value.
    fn let_(&mut self, what: &str) -> u32 {
        let v = self.value();
        self.line(&format!("v{v} = {what}"));
        v
    }
    fn block(&mut self, all: &[Statement]) {
        all.iter().for_each(|s| self.statement(s));
    }
    fn object(&mut self, h: usize) -> u32 {
        self.let_(&format!("load l{h} : hitobj"))
    }
    /// A word from place to place.
    fn pass(&mut self, from: &str, to: &str) {
        let x = self.let_(&format!("load {from} : i32"));
        self.line(&format!("store {to}, v{x}"));
    }
    fn ray(&mut self) -> (u32, u32) {
        let n = self.let_("load l4 : i32");
        let n = self.let_(&format!("iadd v{n}, v1 : i32"));
        self.line(&format!("store l4, v{n}"));
        let tmin = self.let_(&format!("utof v{n} : f32"));
        (tmin, self.let_(&format!("construct v{tmin}, v{tmin}, v{tmin} : f32x3")))
    }
    fn scene(&mut self, many: bool) -> u32 {
        self.let_(if many { "resource nonuniform g1[v11]" } else { "resource g0" })
    }
    /// The index of an element of the array.
    fn element(&mut self, n: u32) -> u32 {
        let sum = self.let_(&format!("iadd v10, v{} : i32", self.constant(n)));
        self.let_(&format!("urem v{sum}, v3 : i32"))
    }
    fn cond(&mut self, c: &Cond) -> u32 {
        match c {
            Cond::Bit(n) => {
                let x = self.let_(&format!("lshr v10, v{} : i32", self.constant(*n)));
                let x = self.let_(&format!("and v{x}, v1 : i32"));
                self.let_(&format!("ine v{x}, v0 : bool"))
            }
            Cond::Is(what, h) => {
                let o = self.object(*h);
                let op = match what {
                    Ask::IsHit => "hit_is_hit",
                    Ask::IsMiss => "hit_is_miss",
                    _ => "hit_is_nop",
                };
                self.let_(&format!("{op} v{o} : bool"))
            }
            Cond::Closer(a, b) => {
                let t = [*a, *b].map(|h| {
                    let o = self.object(h);
                    self.let_(&format!("hit_get_ray_tcurrent v{o} : f32"))
                });
                self.let_(&format!("flt v{}, v{} : bool", t[0], t[1]))
            }
            Cond::Not(c) => {
                let c = self.cond(c);
                self.let_(&format!("not v{c} : bool"))
            }
        }
    }
    fn ask(&mut self, h: usize, what: Ask) -> u32 {
        let o = self.object(h);
        let word = |t: &mut Self, what: &str| t.let_(&format!("{what} v{o} : i32"));
        let float = |t: &mut Self, f: u32| t.let_(&format!("bitcast v{f} : i32"));
        match what {
            Ask::IsNop | Ask::IsMiss | Ask::IsHit => {
                let c = self.cond(&Cond::Is(what, h));
                self.let_(&format!("select v{c}, v1, v0 : i32"))
            }
            Ask::Flags => word(self, "hit_get_ray_flags"),
            Ask::InstanceIndex => word(self, "hit_get_instance_index"),
            Ask::InstanceId => word(self, "hit_get_instance_id"),
            Ask::Primitive => word(self, "hit_get_primitive_index"),
            Ask::Kind => word(self, "hit_get_kind"),
            Ask::Record => word(self, "hit_get_shader_table_index"),
            Ask::Constant => self.let_(&format!("hit_load_root_constant v{o}, v4 : i32")),
            Ask::Tmin | Ask::T => {
                let op = if what == Ask::T { "hit_get_ray_tcurrent" } else { "hit_get_ray_tmin" };
                let f = self.let_(&format!("{op} v{o} : f32"));
                float(self, f)
            }
            Ask::Attribute => {
                self.line(&format!("hit_attributes pl1, v{o}"));
                let a = self.let_("load pl1.0 : f32x2");
                let f = self.let_(&format!("extract #1 v{a} : f32"));
                float(self, f)
            }
            Ask::Row => {
                let row = self.let_(&format!("hit_get_object_to_world #1 v{o} : f32x4"));
                let f = self.let_(&format!("extract #1 v{row} : f32"));
                float(self, f)
            }
            Ask::ObjectOrigin => {
                let all = self.let_(&format!("hit_get_object_ray_origin v{o} : f32x3"));
                let f = self.let_(&format!("extract #0 v{all} : f32"));
                float(self, f)
            }
        }
    }
    fn trace(&mut self, many: bool) -> u32 {
        let (scene, (tmin, at)) = (self.scene(many), self.ray());
        self.pass("l6", "pl0.0");
        let o = self.let_(&format!("hit_trace pl0, v{scene}, v8, v5, v0, v1, v3, v{at}, v{tmin}, v{at}, v6 : hitobj"));
        self.pass("pl0.0", "l6");
        o
    }
    fn invoke(&mut self, o: u32) {
        self.pass("l6", "pl3.0");
        self.line(&format!("hit_invoke pl3, v{o}"));
        self.pass("pl3.0", "l6");
    }
    /// Writes the next word of the output.
    fn tell(&mut self, x: u32) {
        let at = self.let_("load l5 : i32");
        let next = self.let_(&format!("iadd v{at}, v1 : i32"));
        self.line(&format!("store l5, v{next}"));
        let byte = self.let_(&format!("imul v{at}, v4 : i32"));
        let out = self.let_("resource g2");
        self.line(&format!("raw_store #4 v{out}, v{byte}, v{x}"));
    }
    fn statement(&mut self, s: &Statement) {
        match s {
            S::Trace(h, many) => {
                let o = self.trace(*many);
                self.line(&format!("store l{h}, v{o}"));
            }
            S::Query(h, many) => {
                let (scene, (tmin, at)) = (self.scene(*many), self.ray());
                let q = self.let_("allocate_ray_query pl2 : query(0 0)");
                self.line(&format!("ray_query_trace_ray_inline v{q}, v{scene}, v8, v5, v{at}, v{tmin}, v{at}, v6"));
                let id = self.let_("bitcast v10 : f32");
                let a = self.let_(&format!("construct v{tmin}, v{id} : f32x2"));
                self.line(&format!("store pl1.0, v{a}"));
                let o = self.let_(&format!("hit_from_query_attrs pl1, v{q}, v7 : hitobj"));
                self.line(&format!("store l{h}, v{o}"));
            }
            S::Miss(h, index) => {
                let (tmin, at) = self.ray();
                let n = self.let_(&format!("iadd v{}, v10 : i32", self.constant(*index)));
                let o = self.let_(&format!("hit_make_miss v1, v{n}, v{at}, v{tmin}, v{at}, v6 : hitobj"));
                self.line(&format!("store l{h}, v{o}"));
            }
            S::Nop(h) => {
                let o = self.let_("hit_make_nop : hitobj");
                self.line(&format!("store l{h}, v{o}"));
            }
            S::Copy(to, from) => {
                let o = self.object(*from);
                self.line(&format!("store l{to}, v{o}"));
            }
            S::Set(h, index) => {
                let o = self.object(*h);
                let n = self.constant(index << 20 | index);
                let o = self.let_(&format!("hit_set_shader_table_index v{o}, v{n} : hitobj"));
                self.line(&format!("store l{h}, v{o}"));
            }
            S::Put(n, h) => {
                let (o, n) = (self.object(*h), self.element(*n));
                self.line(&format!("store l3[v{n}], v{o}"));
            }
            S::Take(h, n) => {
                let n = self.element(*n);
                let o = self.let_(&format!("load l3[v{n}] : hitobj"));
                self.line(&format!("store l{h}, v{o}"));
            }
            S::Ask(h, what) => {
                let x = self.ask(*h, *what);
                self.tell(x);
            }
            S::Invoke(h) => {
                let o = self.object(*h);
                self.invoke(o);
            }
            S::Direct(many, between, asks) => {
                let o = self.trace(*many);
                if let Some((h, what)) = between {
                    self.statement(&S::Ask(*h, *what));
                }
                self.invoke(o);
                if *asks {
                    let f = self.let_(&format!("hit_get_ray_tmin v{o} : f32"));
                    let x = self.let_(&format!("bitcast v{f} : i32"));
                    self.tell(x);
                }
            }
            S::Reorder(h, bits) => {
                let (o, bits) = (self.object(*h), if *bits == 0 { 0 } else { 4 });
                self.line(&format!("reorder v{o}, v10, v{bits}"));
            }
            S::Together(h) => {
                self.statement(&S::Trace(*h, false));
                self.statement(&S::Reorder(*h, 4));
                self.statement(&S::Invoke(*h));
            }
            S::If(c, a, b) => {
                let c = self.cond(c);
                self.line(&format!("if v{c} {{"));
                for (n, arm) in [a, b].into_iter().enumerate() {
                    let r = self.region();
                    if n == 1 {
                        self.line("} else {");
                    }
                    self.line(&format!("r{r}:"));
                    self.block(arm);
                    self.line("yield");
                }
                self.line("}");
            }
            S::Loop(n, body, leave) => {
                let (r, n) = (self.region(), self.constant(*n));
                let (x, y) = (self.value(), self.value());
                self.line("loop (v0) {");
                self.line(&format!("r{r}(v{x}: i32):"));
                let more = self.let_(&format!("ult v{x}, v{n} : bool"));
                self.leave(more, r, true);
                self.block(body);
                if let Some(c) = leave {
                    let c = self.cond(c);
                    self.leave(c, r, false);
                }
                self.line(&format!("continue r{r}(v{x})"));
                let k = self.region();
                self.line("} continuing {");
                self.line(&format!("r{k}(v{y}: i32):"));
                let z = self.let_(&format!("iadd v{y}, v1 : i32"));
                self.line(&format!("next v{z}"));
                self.line("}");
            }
        }
    }
    /// Leaves the loop of body `r` if `c` is not `stay`.
    fn leave(&mut self, c: u32, r: u32, stay: bool) {
        let (a, b) = (self.region(), self.region());
        let go = format!("break r{r}");
        let (yes, no) = if stay { ("yield", go.as_str()) } else { (go.as_str(), "yield") };
        for l in [&format!("if v{c} {{"), &format!("r{a}:"), yes, "} else {", &format!("r{b}:"), no, "}"] {
            self.line(l);
        }
    }
}

fn numbers(all: &[Statement], out: &mut Vec<u32>) {
    fn of_cond(c: &Cond, out: &mut Vec<u32>) {
        match c {
            Cond::Bit(n) => out.push(*n),
            Cond::Not(c) => of_cond(c, out),
            _ => {}
        }
    }
    for s in all {
        match s {
            S::Miss(_, n) | S::Put(n, _) | S::Take(_, n) => out.push(*n),
            S::Set(_, n) => out.push(n << 20 | n),
            S::If(c, a, b) => {
                of_cond(c, out);
                numbers(a, out);
                numbers(b, out);
            }
            S::Loop(n, body, c) => {
                out.push(*n);
                numbers(body, out);
                c.iter().for_each(|c| of_cond(c, out));
            }
            _ => {}
        }
    }
}
