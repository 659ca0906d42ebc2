//! Generator of random libraries with qualified payloads, as HLSL: members of all types and shapes, nested structures and payloads (`members`), bases,
//! two payload types, ray generation, any-hit, closest-hit and miss shaders, functions with payloads or parts of them as parameters, traces
//! within traces and within functions, traces and invokes of hit objects.
//!
//! Values may be undefined: the interpreter tracks that. Loops terminate, and indices are in bounds.

use std::fmt::Write as _;

use rtc_ir::PaqStage;

use crate::machine::hash;
use crate::members::{Bool, Double, Float, Half, Int, Leaf, Long, Number, Payload, Random, Short, Uint, Ulong, Ushort};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    RayGeneration,
    /// Closest-hit and miss shaders.
    Hit,
    AnyHit,
    Function,
    TracingFunction,
    AnyHitFunction,
}

/// A function that takes a payload.
struct Helper {
    name: String,
    payload: usize,
    context: Context,
}

pub struct Library {
    pub text: String,
    pub native: bool,
    pub hit_objects: bool,
}

pub struct Maker {
    pub r: Random,
    out: String,
    pub native: bool,
    hit_objects: bool,
    pub payloads: Vec<Payload>,
    helpers: Vec<Helper>,
    /// Variables of the function at hand: their names and payload types.
    vars: Vec<(String, usize)>,
    context: Context,
    /// The stage, as payloads have it; of functions none.
    stage: Option<PaqStage>,
    next: usize,
    budget: usize,
}

/// A library.
pub fn library(seed: u64) -> Library {
    let mut r = Random::of_seed(hash(seed, 11));
    let (native, hit_objects) = (r.chance(50), r.chance(30));
    let mut m = Maker {
        r,
        out: String::new(),
        native,
        hit_objects,
        payloads: Vec::new(),
        helpers: Vec::new(),
        vars: Vec::new(),
        context: Context::Function,
        stage: None,
        next: 0,
        budget: 0,
    };
    m.all();
    Library { text: m.out, native, hit_objects }
}

impl Maker {
    pub fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// An access path to a payload field in memory.
    fn at(&mut self) -> usize {
        self.next += 16;
        self.next
    }

    fn index(&mut self, n: usize) -> String {
        if self.r.chance(40) {
            let at = self.at();
            format!("Mem.Load({at}) % {n}")
        } else {
            self.r.below(n).to_string()
        }
    }

    /// A scalar of a member of a variable, as an expression.
    fn scalar(&mut self, var: &str, l: &Leaf) -> String {
        let mut out = format!("{var}.{}", l.path);
        let s = l.shape;
        if s.count > 0 {
            let n = self.index(s.count);
            _ = write!(out, "[{n}]");
        }
        if s.rows > 0 {
            let n = self.index(s.rows);
            _ = write!(out, "[{n}]");
        }
        if s.lanes > 1 {
            if self.r.chance(20) {
                let n = self.index(s.lanes);
                _ = write!(out, "[{n}]");
            } else {
                _ = write!(out, ".{}", ["x", "y", "z", "w"][self.r.below(s.lanes)]);
            }
        }
        out
    }

    /// A number: of memory, or a constant.
    fn number(&mut self, n: Number) -> String {
        let at = self.at();
        let k = self.r.below(1 << 31);
        let ty = self.ty(n);
        if self.r.chance(30) {
            return match n {
                Uint | Ulong => format!("({ty}){k}u"),
                Int | Long => format!("({ty})(-{k})"),
                Float | Double => format!("({ty}){}.25", k % 1000),
                Bool => ["true", "false"][k % 2].into(),
                Ushort => format!("({ty}){}", k % 65536),
                Short => format!("({ty})(-{})", k % 32768),
                Half => format!("({ty}){}.5", k % 1000),
            };
        }
        match n {
            Uint => format!("Mem.Load({at})"),
            Int => format!("asint(Mem.Load({at}))"),
            Float => format!("(float)(Mem.Load({at}) % 65536)"),
            Bool => format!("(Mem.Load({at}) & 1) != 0"),
            Ulong | Long => format!("({ty})((uint64_t)Mem.Load({at}) << 32 | Mem.Load({}))", at + 4),
            Double => format!("asdouble(Mem.Load({at}), Mem.Load({}) & 0x7fefffff)", at + 4),
            Ushort | Short => format!("({ty})Mem.Load({at})"),
            Half => format!("({ty})(int)(Mem.Load({at}) % 2048)"),
        }
    }

    /// A number that may be stored into a member.
    fn number_for(&mut self, l: &Leaf) -> String {
        let (n, ty) = (l.shape.number, self.ty(l.shape.number));
        let memory = format!("Mem.Load({})", self.at());
        match (l.narrow, n) {
            (1, Uint | Int) => format!("({ty})({memory} & 7)"),
            (2, Uint) => format!("({memory} & 15) << 4"),
            (2, Int) => format!("(int)({memory} % 5) - 2"),
            (3, Uint | Int) => format!("({memory} & 1) != 0 ? ({ty})5 : ({ty})9"),
            (3, Float) => format!("({memory} & 1) != 0 ? 0.5f : -0.0f"),
            (4, Bool) => "true".into(),
            (4, Float) => "2.5f".into(),
            (4, _) => format!("({ty})3"),
            _ => self.number(n),
        }
    }

    fn observe(&mut self, n: Number, e: &str) {
        let at = self.at();
        let text = match n {
            Uint => format!("Mem.Store({at}, {e});"),
            Int | Float => format!("Mem.Store({at}, asuint({e}));"),
            Bool | Ushort => format!("Mem.Store({at}, (uint)({e}));"),
            Short => format!("Mem.Store({at}, (uint)(int)({e}));"),
            Half => format!("Mem.Store({at}, asuint((float)({e})));"),
            Ulong | Long | Double => format!("Mem.Store<{}>({at}, {e});", self.ty(n)),
        };
        self.line(&text);
    }

    /// One of the variables, its payload type, and one of its members.
    fn member(&mut self) -> (String, usize, Leaf) {
        let (var, p) = self.var();
        let leaves = &self.payloads[p].leaves;
        let l = leaves[self.r.below(leaves.len())].clone();
        (var, p, l)
    }

    /// That, and more often one that comes in or goes out.
    fn live_member(&mut self, out: bool) -> (String, usize, Leaf) {
        let mut m = self.member();
        for _ in 0..3 {
            let stages = if out { m.2.write } else { m.2.read };
            let own = if m.0 == "p" { self.stage } else { Some(PaqStage::Caller) };
            if own.is_none_or(|s| stages & s.bit() != 0) {
                break;
            }
            m = self.member();
        }
        m
    }

    fn var(&mut self) -> (String, usize) {
        // The shader's own payload more often.
        let n = if self.r.chance(50) { 0 } else { self.r.below(self.vars.len()) };
        self.vars[n].clone()
    }

    fn body(&mut self, depth: usize) {
        for _ in 0..1 + self.r.below(if depth == 0 { 6 } else { 3 }) {
            self.stmt(depth);
        }
    }

    fn stmt(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let traces = matches!(self.context, Context::RayGeneration | Context::Hit | Context::TracingFunction);
        match self.r.below(24) {
            0..=4 => {
                let (var, _, l) = self.live_member(true);
                let to = self.scalar(&var, &l);
                let x = self.number_for(&l);
                self.line(&format!("{to} = {x};"));
            }
            5..=8 => {
                let (var, _, l) = self.live_member(false);
                let e = self.scalar(&var, &l);
                self.observe(l.shape.number, &e);
            }
            // All of a member at once.
            9 => {
                let (var, _, l) = self.member();
                let x = self.number_for(&l);
                let to = format!("{var}.{}", l.path);
                match l.shape.count {
                    0 => self.line(&format!("{to} = {x};")),
                    n => (0..n).for_each(|k| {
                        let x = self.number_for(&l);
                        self.line(&format!("{to}[{k}] = {x};"));
                    }),
                }
            }
            10 => {
                let (var, _, l) = self.member();
                let e = self.scalar(&var, &l);
                let change = match l.shape.number {
                    Bool => format!("{e} = !{e};"),
                    Uint | Int => format!("{e} ^= Mem.Load(4);"),
                    Ushort | Short | Ulong | Long => format!("{e} = {e} + ({})3;", self.ty(l.shape.number)),
                    _ => format!("{e} = -{e};"),
                };
                // An index is the same for both only if it is a constant.
                if l.narrow == 0 && (!change.contains("Load(") || !e.contains("Load(")) {
                    self.line(&change);
                }
            }
            // From another member of its shape.
            11 | 12 => {
                let (var, _, l) = self.live_member(true);
                for _ in 0..8 {
                    let (from, _, k) = self.live_member(false);
                    if k.shape.number == l.shape.number && (l.narrow == 0 || k.narrow == l.narrow) {
                        let (a, b) = (self.scalar(&var, &l), self.scalar(&from, &k));
                        return self.line(&format!("{a} = {b};"));
                    }
                }
            }
            // Of the same type, whole or in parts.
            13 => {
                let (var, p) = self.var();
                for n in 0..self.vars.len() {
                    let (from, q) = self.vars[n].clone();
                    if from != var && q == p {
                        let inner = &self.payloads[p].inner;
                        if inner.is_empty() || self.r.chance(50) {
                            return self.line(&format!("{var} = {from};"));
                        }
                        let part = inner[self.r.below(inner.len())].1.clone();
                        return self.line(&format!("{var}.{part} = {from}.{part};"));
                    }
                }
            }
            14 | 15 if depth < 3 => {
                let at = self.at();
                let mut cond = format!("(Mem.Load({at}) & 1) != 0");
                if self.r.chance(15) {
                    let (var, _, l) = self.member();
                    if l.shape.number == Bool {
                        cond = self.scalar(&var, &l);
                    }
                }
                self.line(&format!("if ({cond}) {{"));
                self.body(depth + 1);
                if self.r.chance(50) {
                    self.line("} else {");
                    self.body(depth + 1);
                }
                self.line("}");
            }
            16 if depth < 2 => {
                let at = self.at();
                self.line(&format!("uint n{at} = Mem.Load({at}) % 3;\nfor (uint i{at} = 0; i{at} < n{at}; i{at}++) {{"));
                // Has nothing, each time.
                let fresh = self.r.chance(50).then(|| self.r.below(self.payloads.len()));
                if let Some(p) = fresh {
                    self.line(&format!("P{p} l{at};"));
                    self.vars.push((format!("l{at}"), p));
                }
                self.body(depth + 1);
                if fresh.is_some() {
                    self.vars.pop();
                }
                self.line("}");
            }
            17..=19 if traces => self.trace(),
            20 | 21 => self.call(),
            22 if depth > 0 && self.r.chance(60) => {
                let any_hit = matches!(self.context, Context::AnyHit | Context::AnyHitFunction);
                let end = match self.r.below(3) {
                    0 if any_hit => "IgnoreHit();",
                    1 if any_hit => "AcceptHitAndEndSearch();",
                    _ => "return;",
                };
                self.line(end);
            }
            _ => {}
        }
    }

    fn trace(&mut self) {
        let (var, p) = self.var();
        let what = format!("(Scene, 0, 255, {p}, 0, {p}, ray(), {var});");
        if !self.hit_objects || self.r.chance(40) {
            return self.line(&format!("TraceRay{what}"));
        }
        let at = self.at();
        match self.r.below(8) {
            0 => self.line(&format!("dx::HitObject h{at} = dx::HitObject::MakeMiss(0, {p}, ray());")),
            1 => self.line(&format!("dx::HitObject h{at};")),
            _ => self.line(&format!("dx::HitObject h{at} = dx::HitObject::TraceRay{what}")),
        }
        if self.r.chance(50) {
            self.body(3);
        }
        if self.context == Context::RayGeneration && self.r.chance(30) {
            self.line(&format!("dx::MaybeReorderThread(h{at});"));
        }
        if self.r.chance(85) {
            self.line(&format!("dx::HitObject::Invoke(h{at}, {var});"));
        }
    }

    fn call(&mut self) {
        let may = |h: &Helper, context: Context| match h.context {
            Context::Function => true,
            Context::TracingFunction => matches!(context, Context::RayGeneration | Context::Hit),
            _ => context == Context::AnyHit,
        };
        let (var, p, l) = self.member();
        // A part of a payload as `inout`.
        if l.shape.number == Uint && l.narrow == 0 && self.r.chance(50) {
            let e = self.scalar(&var, &l);
            return self.line(&format!("bump({e});"));
        }
        let fit: Vec<String> = self.helpers.iter().filter(|h| h.payload == p && may(h, self.context)).map(|h| h.name.clone()).collect();
        if self.r.chance(20) {
            return self.line(&format!("{var} = fresh{p}();"));
        }
        if !fit.is_empty() && !matches!(self.context, Context::Function | Context::AnyHitFunction | Context::TracingFunction) {
            let name = fit[self.r.below(fit.len())].clone();
            self.line(&format!("{name}({var});"));
        }
    }

    fn function(&mut self, head: &str, context: Context, own: Option<usize>) {
        self.stage = match context {
            Context::AnyHit => Some(PaqStage::AnyHit),
            Context::Hit if head.contains("miss") => Some(PaqStage::Miss),
            Context::Hit => Some(PaqStage::ClosestHit),
            _ => None,
        };
        self.line(&format!("{head} {{"));
        self.context = context;
        self.vars = own.map(|p| ("p".to_string(), p)).into_iter().collect();
        for p in 0..self.payloads.len() {
            if own.is_none() || self.r.chance(50) {
                self.line(&format!("P{p} q{p};"));
                self.vars.push((format!("q{p}"), p));
            }
        }
        // Most that does not come in has a value at first.
        for (var, p) in self.vars.clone() {
            for l in self.payloads[p].leaves.clone() {
                let stage = if var == "p" { self.stage } else { Some(PaqStage::Caller) };
                let needed = stage.is_some_and(|s| l.write & s.bit() != 0 && (var != "p" || l.read & s.bit() == 0));
                if needed && self.r.chance(if var == "p" || context == Context::RayGeneration { 75 } else { 30 }) {
                    self.fill(&var, &l);
                }
            }
        }
        self.body(0);
    }

    /// Gives all of a member a value.
    fn fill(&mut self, var: &str, l: &Leaf) {
        for k in 0..l.shape.count.max(1) {
            let x = self.number_for(l);
            let index = if l.shape.count > 0 { format!("[{k}]") } else { String::new() };
            self.line(&format!("{var}.{}{index} = {x};", l.path));
        }
    }

    fn all(&mut self) {
        self.line(
            "RaytracingAccelerationStructure Scene : register(t0);\nRWByteAddressBuffer Mem : register(u0);\n\
             RayDesc ray() { RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1; return r; }\n\
             void bump(inout uint x) { x = x * 3 + 1; }",
        );
        let types = 1 + usize::from(self.r.chance(40));
        for n in 0..types {
            self.payload(n);
            self.line(&format!("P{n} fresh{n}() {{ P{n} p;"));
            for l in self.payloads[n].leaves.clone() {
                if self.r.chance(60) {
                    self.fill("p", &l);
                }
            }
            self.line("return p; }");
        }
        for n in 0..self.r.below(4) {
            let context = [Context::Function, Context::TracingFunction, Context::AnyHitFunction][self.r.below(3)];
            let payload = self.r.below(types);
            self.budget = 5;
            self.function(&format!("void h{n}(inout P{payload} p)"), context, Some(payload));
            self.line("}");
            self.helpers.push(Helper { name: format!("h{n}"), payload, context });
        }
        for p in 0..types {
            let of = |s: &str, n: usize, rest: &str, name: &str| format!("[shader(\"{s}\")] void {name}{n}_{p}(inout P{p} p{rest})");
            let attributes = ", BuiltInTriangleIntersectionAttributes a";
            for n in 0..self.r.below(3) {
                self.budget = 10;
                self.function(&of("anyhit", n, attributes, "ah"), Context::AnyHit, Some(p));
                if self.r.chance(40) {
                    self.line(["IgnoreHit();", "AcceptHitAndEndSearch();"][n % 2]);
                }
                self.line("}");
            }
            for n in 0..1 + self.r.below(2) {
                self.budget = 12;
                self.function(&of("closesthit", n, attributes, "ch"), Context::Hit, Some(p));
                self.line("}");
                if n == 0 || self.r.chance(50) {
                    self.budget = 8;
                    self.function(&of("miss", n, "", "ms"), Context::Hit, Some(p));
                    self.line("}");
                }
            }
        }
        self.budget = 16;
        self.function("[shader(\"raygeneration\")] void rg()", Context::RayGeneration, None);
        for (var, p) in self.vars.clone() {
            self.line(&format!("TraceRay(Scene, 0, 255, {p}, 0, {p}, ray(), {var});"));
            for l in self.payloads[p].leaves.clone() {
                if l.read & PaqStage::Caller.bit() != 0 || self.r.chance(10) {
                    let e = self.scalar(&var, &l);
                    self.observe(l.shape.number, &e);
                }
            }
        }
        self.line("}");
    }
}
