//! A program as HLSL, in one file or in two.

use std::fmt::Write as _;

use super::program::{
    Argument, Body, Expr, Function, Index, LValue, Leaf, Mode, Pick, Program, Root, Split, Step, Stmt, Trace, Type, WORDS,
};

/// Which file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// The first of two.
    First,
    /// The second of two.
    Second,
}

/// The files that the program is divided into.
pub fn parts(program: &Program) -> Vec<String> {
    match program.split {
        Split::One => vec![source(program, Part::Whole)],
        Split::Together | Split::Linked => vec![source(program, Part::First), source(program, Part::Second)],
    }
}

/// The text of a file.
pub fn source(program: &Program, part: Part) -> String {
    Printer { program, part, text: String::new(), indent: 0, hit: "0u" }.all()
}

/// What lies around the shaders: the scene, rays, and what one of two hit objects is taken by.
const AROUND: &str = "[[vk::binding(0)]] RaytracingAccelerationStructure Scene : register(t0);
[[vk::binding(1)]] RWStructuredBuffer<uint> Out : register(u0);
struct Attributes { uint hit; };
RayDesc ray(uint target) {
  RayDesc r;
  r.Origin = float3(4.0f * float(target % 4u), 0.0f, -5.0f);
  r.TMin = 0.0f;
  r.Direction = float3(0.0f, 0.0f, 1.0f);
  r.TMax = 100.0f;
  return r;
}
";

const PICK: &str = "dx::HitObject pick(bool first, dx::HitObject a, dx::HitObject b) {
  if (first)
    return a;
  return b;
}
struct Kept {
  uint number;
  dx::HitObject object;
  dx::HitObject get() { return object; }
};
struct Pair {
  Kept kept[2];
  uint last;
};
Pair pair(dx::HitObject a, dx::HitObject b) {
  Pair p;
  p.last = 1u;
  p.kept[0].number = 0u;
  p.kept[0].object = a;
  p.kept[p.last].number = 1u;
  p.kept[p.last].object = b;
  return p;
}
void exchange(inout dx::HitObject a, inout Kept b) {
  dx::HitObject before = a;
  a = b.get();
  b.object = before;
}
void choose(bool first, Kept a, Kept b, out dx::HitObject chosen) {
  chosen = b.get();
  if (!first)
    return;
  chosen = a.get();
}
";

struct Printer<'a> {
    program: &'a Program,
    part: Part,
    text: String,
    indent: usize,
    /// Which hit it is.
    hit: &'static str,
}

impl Printer<'_> {
    fn all(mut self) -> String {
        let p = self.program;
        for s in &p.structs {
            self.line(&format!("struct {}{} {{", if s.payload && p.qualified { "[raypayload] " } else { "" }, s.name));
            for (i, f) in s.fields.iter().enumerate() {
                let bits = if let Type::Leaf(Leaf::Bits(n)) = f.ty { format!(" : {n}") } else { String::new() };
                let access = f.access.filter(|_| s.payload && p.qualified).map_or(String::new(), |a| {
                    let of = |has: &dyn Fn(super::program::Stage) -> bool| {
                        super::program::Stage::ALL.into_iter().filter(|&s| has(s)).map(|s| s.name()).collect::<Vec<_>>().join(", ")
                    };
                    format!(" : read({}) : write({})", of(&|s| a.reads(s)), of(&|s| a.writes(s)))
                });
                self.line(&format!("  {}{bits}{access};", self.declare(&f.ty, &format!("f{i}"))));
            }
            self.line("};");
        }
        self.text += AROUND;
        if p.hit_objects {
            self.text += PICK;
        }
        for (i, ty) in p.statics.iter().enumerate() {
            self.line(&format!("static {};", self.declare(ty, &format!("S{i}"))));
        }
        for (i, f) in p.functions.iter().enumerate() {
            self.function(i, f);
        }
        let mut count = 0;
        let mut here = |part: Part| {
            count += 1;
            part == Part::Whole || (part == Part::First) == (count % 2 == 0)
        };
        for (i, (s, body)) in p.callables.iter().enumerate() {
            if here(self.part) {
                self.shader("callable", &format!("Callable{i}"), &format!("inout {} v0", p.structs[*s].name), body, "0u");
            }
        }
        for (k, family) in p.families.iter().enumerate() {
            let (any, shade) = (&p.structs[family.any_type].name, &p.structs[family.shade_type].name);
            for (g, group) in family.groups.iter().enumerate() {
                let (attributes, hit) =
                    if g == 2 { ("Attributes a", "a.hit") } else { ("BuiltInTriangleIntersectionAttributes a", "InstanceID()") };
                if g == 2 && here(self.part) {
                    self.text += &format!("[shader(\"intersection\")] void Meet{k}() {{\n  Attributes a;\n");
                    for r in 0..group.reports {
                        self.text += &format!("  a.hit = {r}u;\n  ReportHit({:?}f, 0u, a);\n", 6.0 - 0.25 * f64::from(r));
                    }
                    self.text += "}\n";
                }
                if let Some(body) = &group.any
                    && here(self.part)
                {
                    self.shader("anyhit", &format!("Any{k}_{g}"), &format!("inout {any} v0, in {attributes}"), body, hit);
                }
                if let Some(body) = &group.closest
                    && here(self.part)
                {
                    self.shader("closesthit", &format!("Closest{k}_{g}"), &format!("inout {shade} v0, in {attributes}"), body, hit);
                }
            }
            if let Some(body) = &family.miss
                && here(self.part)
            {
                self.shader("miss", &format!("Miss{k}"), &format!("inout {shade} v0"), body, "0u");
            }
        }
        if self.part == Part::Whole {
            for (k, family) in p.families.iter().enumerate() {
                for (g, group) in family.groups.iter().enumerate() {
                    let name = |there: bool, name: String| if there { name } else { String::new() };
                    let any = name(group.any.is_some(), format!("Any{k}_{g}"));
                    let closest = name(group.closest.is_some(), format!("Closest{k}_{g}"));
                    let (ty, meet) = if g == 2 {
                        ("ProceduralPrimitiveHitGroup", format!(", \"Meet{k}\""))
                    } else {
                        ("TriangleHitGroup", String::new())
                    };
                    self.line(&format!("{ty} Group{k}_{g} = {{ \"{any}\", \"{closest}\"{meet} }};"));
                }
            }
        }
        if self.part != Part::Second {
            self.shader("raygeneration", "Main", "", &p.main, "0u");
        }
        self.text
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text += "  ";
        }
        self.text += text;
        self.text.push('\n');
    }

    fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Leaf(l) => l.name().into(),
            Type::Vector(l, n) => format!("{}{n}", l.name()),
            Type::Matrix(l, r, c) => format!("{}{r}x{c}", l.name()),
            Type::Array(of, _) => self.type_name(of),
            Type::Struct(s) => self.program.structs[*s].name.clone(),
        }
    }

    fn declare(&self, ty: &Type, name: &str) -> String {
        let (mut of, mut lengths) = (ty, String::new());
        while let Type::Array(inner, n) = of {
            let _ = write!(lengths, "[{n}]");
            of = inner;
        }
        format!("{} {name}{lengths}", self.type_name(of))
    }

    fn function(&mut self, i: usize, f: &Function) {
        let linked = self.program.split == Split::Linked && !f.traces && !f.ends;
        let returns = if f.result.is_some() { "uint" } else { "void" };
        let parameters: Vec<String> = f
            .modes
            .iter()
            .enumerate()
            .map(|(v, m)| {
                let mode = match m {
                    Mode::In => "in",
                    Mode::Out => "out",
                    Mode::InOut => "inout",
                };
                format!("{mode} {}", self.declare(&f.body.variables[v], &format!("v{v}")))
            })
            .collect();
        let head = format!("{returns} F{i}({})", parameters.join(", "));
        if linked && self.part == Part::First {
            return self.line(&format!("{head};"));
        }
        self.hit = "0u";
        self.line(&format!("{}{head} {{", if linked && self.part == Part::Second { "export " } else { "" }));
        self.indent += 1;
        self.objects(&f.body);
        self.block(&f.body, &f.body.statements, f.result.as_ref());
        if let Some(e) = &f.result {
            let value = self.expr(&f.body, e);
            self.line(&format!("return {value};"));
        }
        self.indent -= 1;
        self.line("}");
    }

    fn shader(&mut self, stage: &str, name: &str, parameters: &str, body: &Body, hit: &'static str) {
        self.hit = hit;
        self.line(&format!("[shader(\"{stage}\")] void {name}({parameters}) {{"));
        self.indent += 1;
        self.objects(body);
        self.block(body, &body.statements, None);
        self.indent -= 1;
        self.line("}");
    }

    /// Hit objects are nops until they are assigned.
    fn objects(&mut self, body: &Body) {
        for h in 0..body.objects {
            self.line(&format!("dx::HitObject h{h};"));
        }
    }

    fn block(&mut self, body: &Body, statements: &[Stmt], result: Option<&Expr>) {
        for s in statements {
            self.statement(body, s, result);
        }
    }

    fn inner(&mut self, body: &Body, statements: &[Stmt], result: Option<&Expr>) {
        self.indent += 1;
        self.block(body, statements, result);
        self.indent -= 1;
    }

    fn statement(&mut self, body: &Body, s: &Stmt, result: Option<&Expr>) {
        let line = match s {
            Stmt::Declare(v, from) => {
                let value = from.as_ref().map_or(String::new(), |p| format!(" = {}", self.place(body, p)));
                format!("{}{value};", self.declare(&body.variables[*v], &format!("v{v}")))
            }
            Stmt::Set(place, e) => {
                let Type::Leaf(leaf) = self.program.place_type(body, place) else { unreachable!("a scalar is stored") };
                format!("{} = {};", self.place(body, place), self.encoded(body, leaf, e))
            }
            Stmt::Add(place, e) => format!("{} += {};", self.place(body, place), self.expr(body, e)),
            Stmt::Swizzle(place, components, values) => {
                let Type::Vector(leaf, _) = self.program.place_type(body, place) else { unreachable!("a vector has components") };
                let names: String = components.iter().map(|&c| ["x", "y", "z", "w"][c as usize]).collect();
                let values: Vec<String> = values.iter().map(|e| self.encoded(body, leaf, e)).collect();
                format!("{}.{names} = {}{}({});", self.place(body, place), leaf.name(), values.len(), values.join(", "))
            }
            Stmt::Copy(to, from) => format!("{} = {};", self.place(body, to), self.place(body, from)),
            Stmt::Zero(place) => {
                let ty = self.program.place_type(body, place);
                format!("{} = ({})0;", self.place(body, place), self.type_name(&ty))
            }
            Stmt::Call(f, arguments, to) => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|a| match a {
                        Argument::Value(e) => self.expr(body, e),
                        Argument::LValue(p) => self.place(body, p),
                    })
                    .collect();
                let call = format!("F{f}({})", arguments.join(", "));
                match to {
                    Some(place) => {
                        let Type::Leaf(leaf) = self.program.place_type(body, place) else { unreachable!("a scalar is stored") };
                        format!("{} = {};", self.place(body, place), encode(leaf, &call))
                    }
                    None => format!("{call};"),
                }
            }
            Stmt::If(condition, yes, no) => {
                let condition = self.condition(body, condition);
                self.line(&format!("if ({condition}) {{"));
                self.inner(body, yes, result);
                if !no.is_empty() {
                    self.line("} else {");
                    self.inner(body, no, result);
                }
                "}".into()
            }
            Stmt::For(v, n, inner, end) => {
                self.line(&format!("for (uint v{v} = 0u; v{v} < {n}u; ++v{v}) {{"));
                self.inner(body, inner, result);
                if let Some(e) = end {
                    let condition = self.condition(body, e);
                    self.line(&format!("  if ({condition})"));
                    self.line("    break;");
                }
                "}".into()
            }
            Stmt::Return => result.map_or("return;".into(), |e| format!("return {};", self.expr(body, e))),
            Stmt::Ignore => "IgnoreHit();".into(),
            Stmt::Accept => "AcceptHitAndEndSearch();".into(),
            Stmt::Trace(t) => format!("TraceRay({});", self.trace(body, t)),
            Stmt::HitTrace(h, t) => format!("h{h} = dx::HitObject::TraceRay({});", self.trace(body, t)),
            Stmt::Make(h, Some(family)) => format!("h{h} = dx::HitObject::MakeMiss(0u, {family}u, ray(0u));"),
            Stmt::Make(h, None) => format!("h{h} = dx::HitObject::MakeNop();"),
            Stmt::Pick(h, how, condition, a, b) => {
                let condition = self.condition(body, condition);
                match how {
                    Pick::Branch => format!("if ({condition}) h{h} = h{a}; else h{h} = h{b};"),
                    Pick::Function => format!("h{h} = pick({condition}, h{a}, h{b});"),
                    Pick::Structure => format!(
                        "{{ Pair p = pair(h{b}, h{a}); Pair q = p; if ({condition}) exchange(q.kept[0].object, q.kept[1]); h{h} = q.kept[0].get(); }}"
                    ),
                    Pick::Out => format!("{{ Pair p = pair(h{a}, h{b}); choose({condition}, p.kept[0], p.kept[1], h{h}); }}"),
                    Pick::Array => format!("{{ dx::HitObject all[2] = {{ h{b}, h{a} }}; h{h} = all[({condition}) ? 1u : 0u]; }}"),
                }
            }
            Stmt::Invoke(h, place) => format!("dx::HitObject::Invoke(h{h}, {});", self.place(body, place)),
            Stmt::Reorder(h) => format!("dx::MaybeReorderThread(h{h});"),
            Stmt::CallShader(c, place) => format!("CallShader({c}u, {});", self.place(body, place)),
            Stmt::Out(slot, e) => format!("Out[DispatchRaysIndex().x * {WORDS}u + {slot}u] = {};", self.expr(body, e)),
        };
        self.line(&line);
    }

    fn trace(&self, body: &Body, t: &Trace) -> String {
        let target = self.expr(body, &t.target);
        let (contribution, miss) = (3 * t.family, t.family);
        format!("Scene, {}u, 255u, {contribution}u, 0u, {miss}u, ray({target}), {}", t.flags, self.place(body, &t.payload))
    }

    fn condition(&self, body: &Body, e: &Expr) -> String {
        format!("({} & 1u) != 0u", self.expr(body, e))
    }

    fn place(&self, body: &Body, place: &LValue) -> String {
        let mut text = match place.root {
            Root::Local(v) => format!("v{v}"),
            Root::Static(s) => format!("S{s}"),
        };
        let mut ty = self.program.root_type(body, place.root).clone();
        for step in &place.steps {
            match step {
                Step::Field(f) => {
                    let _ = write!(text, ".f{f}");
                }
                Step::Index(Index::Constant(i)) if matches!(ty, Type::Vector(..)) => {
                    text += [".x", ".y", ".z", ".w"][*i as usize];
                }
                Step::Index(Index::Constant(i)) => {
                    let _ = write!(text, "[{i}u]");
                }
                Step::Index(Index::Dynamic(e)) => {
                    let _ = write!(text, "[{} % {}u]", self.expr(body, e), super::program::parts(&ty));
                }
            }
            ty = self.program.step(&ty, step);
        }
        text
    }

    /// What a scalar of a type is set to.
    fn encoded(&self, body: &Body, leaf: Leaf, e: &Expr) -> String {
        encode(leaf, &self.expr(body, e))
    }

    fn expr(&self, body: &Body, e: &Expr) -> String {
        match e {
            Expr::Constant(c) => format!("{c}u"),
            Expr::Thread => "DispatchRaysIndex().x".into(),
            Expr::Hit => self.hit.into(),
            Expr::Load(place) => {
                let Type::Leaf(leaf) = self.program.place_type(body, place) else { unreachable!("a scalar is loaded") };
                let x = self.place(body, place);
                match leaf {
                    Leaf::Uint => x,
                    Leaf::Bool => format!("({x} ? 1u : 0u)"),
                    Leaf::U64 => format!("(uint({x} >> 32) + uint({x}) * 3u)"),
                    Leaf::Int | Leaf::Float | Leaf::U16 | Leaf::F16 | Leaf::Bits(_) => format!("uint({x})"),
                }
            }
            Expr::Add(a, b) => format!("({} + {})", self.expr(body, a), self.expr(body, b)),
            Expr::Scale(a, by) => format!("({} * {by}u)", self.expr(body, a)),
            Expr::Select(c, a, b) => format!("({} ? {} : {})", self.condition(body, c), self.expr(body, a), self.expr(body, b)),
            Expr::Decide(site, _) if self.program.undecided.contains(site) => "DispatchRaysIndex().x".into(),
            Expr::Decide(_, e) => self.expr(body, e),
        }
    }
}

fn encode(leaf: Leaf, e: &str) -> String {
    match leaf {
        Leaf::Uint => e.into(),
        Leaf::Int => format!("int({e})"),
        Leaf::Float => format!("float({e} & 65535u)"),
        Leaf::Bool => format!("({e} & 1u) != 0u"),
        Leaf::U16 => format!("uint16_t({e})"),
        Leaf::F16 => format!("float16_t({e} & 1023u)"),
        Leaf::U64 => format!("(uint64_t({e}) << 32 | uint64_t({e} ^ 1540483477u))"),
        Leaf::Bits(n) => format!("{e} & {}u", (1u32 << n) - 1),
    }
}
