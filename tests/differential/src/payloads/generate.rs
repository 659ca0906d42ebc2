//! Random programs about payloads, made of a sequence of choices.
//!
//! Nothing is forbidden that the language allows: fields that a stage may not read are read, and what a stage may not write is stored to, since
//! the model follows undefined values. But most loads are of what is likely to be defined, or all words would be undefined soon.

use crate::choices::Choices;

use super::coverage::Coverage;
use super::model::{self, Undefined};
use super::program::{
    Access, Argument, Body, Expr, Family, Field, Function, Group, Index, LValue, Leaf, Mode, Pick, Program, Root, Split, Stage, Step, Stmt,
    Struct, Trace, Type, WORDS, parts,
};

/// Scalars of a member, at most.
const LARGEST: usize = 12;

/// The program of a seed.
pub fn random(seed: u64) -> Program {
    generate(Choices::random(seed))
}

/// The program of some choices.
pub fn generate(choices: Choices) -> Program {
    let mut program = Generator::new(choices).all();
    // Decisions that would be undefined are made by the thread's number; a program that runs for too long becomes shorter.
    loop {
        match model::run(&program, &mut Coverage::default()) {
            Ok(_) => return program,
            Err(Undefined::Decision(site)) => {
                program.undecided.insert(site);
            }
            Err(Undefined::Long) => {
                let n = program.main.statements.len() / 2;
                program.main.statements.truncate(n);
            }
        }
    }
}

/// What a function may contain.
struct Scope {
    body: Body,
    /// Variables in scope, and which of their scalars are likely to be defined.
    open: Vec<usize>,
    likely: Vec<Vec<bool>>,
    likely_statics: Vec<Vec<bool>>,
    /// Variables of loops, which are not stored to.
    fixed: Vec<usize>,
    /// What hit objects are invoked with.
    objects: Vec<usize>,
    /// The stage, if it is a shader with a payload.
    stage: Option<Stage>,
    is_main: bool,
    is_function: bool,
    has_hit: bool,
    may_end: bool,
    has_statics: bool,
    /// Families of this level and above are traced, so many times.
    level: u32,
    traces: u32,
    loops: u32,
    depth: u32,
    budget: i32,
}

impl Scope {
    fn new() -> Scope {
        Scope {
            body: Body::default(),
            open: Vec::new(),
            likely: Vec::new(),
            likely_statics: Vec::new(),
            fixed: Vec::new(),
            objects: Vec::new(),
            stage: None,
            is_main: false,
            is_function: false,
            has_hit: false,
            may_end: false,
            has_statics: true,
            level: 0,
            traces: 0,
            loops: 0,
            depth: 0,
            budget: 0,
        }
    }
}

/// A part of a variable: where it is, its type, its first scalar.
struct Part {
    place: LValue,
    ty: Type,
    at: usize,
}

struct Generator {
    c: Choices,
    p: Program,
    sites: usize,
}

impl Generator {
    fn new(c: Choices) -> Generator {
        let p = Program {
            structs: Vec::new(),
            statics: Vec::new(),
            functions: Vec::new(),
            families: Vec::new(),
            callables: Vec::new(),
            main: Body::default(),
            qualified: false,
            hit_objects: false,
            native_16bit: false,
            split: Split::One,
            undecided: Default::default(),
            words: 0,
            choices: Vec::new(),
        };
        Generator { c, p, sites: 0 }
    }

    fn all(mut self) -> Program {
        self.p.qualified = self.c.below(3) != 2;
        self.p.hit_objects = self.c.one_in(2);
        self.p.native_16bit = self.c.one_in(4);
        self.p.split = [Split::One, Split::Together, Split::Linked][self.c.weighted(&[6, 1, 2])];
        for _ in 0..self.c.below(3) {
            let name = format!("N{}", self.p.structs.len());
            self.structure(name, false);
        }
        let nested = self.p.structs.len();
        let payloads: Vec<usize> = (0..1 + self.c.below(2))
            .map(|i| {
                self.structure(format!("P{i}"), true);
                nested + i as usize
            })
            .collect();
        if self.c.one_in(4) {
            // A payload in a payload, whose fields have their own qualifiers.
            let inner = self.c.pick(&payloads);
            self.structure("Q".into(), true);
            let at = self.c.below(self.p.structs.last().map_or(0, |s| s.fields.len() as u32) + 1) as usize;
            let field = Field { ty: Type::Struct(inner), access: None };
            if let Some(s) = self.p.structs.last_mut() {
                s.fields.insert(at, field);
            }
        }
        let payloads: Vec<usize> = (nested..self.p.structs.len()).collect();
        if self.p.split != Split::Linked && self.c.one_in(3) {
            let ty = self.part_type(&payloads);
            self.p.statics.push(ty);
            self.p.statics.push(Type::Struct(payloads[0]));
        }
        // The kinds of shaders first: functions that trace have to know the families.
        let families = 1 + self.c.weighted(&[3, 3, 2]);
        for k in 0..families {
            let any_type = self.c.pick(&payloads);
            let shade_type = if self.p.hit_objects && self.c.one_in(3) { self.c.pick(&payloads) } else { any_type };
            let level = if k == 0 { 0 } else { self.c.below(k as u32 + 1) };
            let groups = Default::default();
            self.p.families.push(Family { any_type, shade_type, level, groups, miss: None });
        }
        for _ in 0..self.c.below(6) {
            self.function(&payloads);
        }
        for _ in 0..self.c.below(2) {
            let name = format!("C{}", self.p.callables.len());
            self.structure(name, false);
            let s = self.p.structs.len() - 1;
            let body = self.callable(s);
            self.p.callables.push((s, body));
        }
        for k in 0..families {
            for g in 0..3 {
                let any = (self.c.below(5) != 4).then(|| self.shader(k, Stage::AnyHit));
                let closest = (self.c.below(8) != 7).then(|| self.shader(k, Stage::ClosestHit));
                let reports = if g == 2 { 1 + self.c.below(3) } else { 0 };
                self.p.families[k].groups[g] = Group { any, closest, reports };
            }
            self.p.families[k].miss = (self.c.below(8) != 7).then(|| self.shader(k, Stage::Miss));
        }
        self.p.main = self.main(&payloads);
        self.p.choices = self.c.taken();
        self.p
    }

    fn leaf(&mut self, bits: bool) -> Leaf {
        let wide = u32::from(self.p.native_16bit);
        match self.c.weighted(&[8, 1, 2, 2, wide, wide, 1, if bits { 3 } else { 0 }]) {
            1 => Leaf::Int,
            2 => Leaf::Float,
            3 => Leaf::Bool,
            4 => Leaf::U16,
            5 => Leaf::F16,
            6 => Leaf::U64,
            7 => Leaf::Bits(1 + self.c.below(14)),
            _ => Leaf::Uint,
        }
    }

    fn field_type(&mut self, bits: bool, structs: usize) -> Type {
        match self.c.weighted(&[8, 3, 1, 2, if structs > 0 { 2 } else { 0 }]) {
            1 => Type::Vector(self.leaf(false), 2 + self.c.below(3)),
            2 => Type::Matrix(self.leaf(false), 2 + self.c.below(2), 2 + self.c.below(2)),
            3 => {
                let n = 2 + self.c.below(3);
                let of = match self.c.weighted(&[4, 2, if structs > 0 { 1 } else { 0 }]) {
                    1 => Type::Vector(self.leaf(false), 2 + self.c.below(2)),
                    2 => Type::Struct(self.c.below(structs as u32) as usize),
                    _ => Type::Leaf(self.leaf(false)),
                };
                Type::Array(Box::new(of), n)
            }
            4 => Type::Struct(self.c.below(structs as u32) as usize),
            _ => Type::Leaf(self.leaf(bits)),
        }
    }

    /// A structure; payloads have the plain ones before them as parts.
    fn structure(&mut self, name: String, payload: bool) {
        let plain = if payload { self.p.structs.iter().take_while(|s| !s.payload).count() } else { 0 };
        let mut fields = Vec::new();
        for _ in 0..1 + self.c.below(if payload { 6 } else { 3 }) {
            // No qualifiers can be written at bit-fields.
            let mut ty = self.field_type(!payload || !self.p.qualified, plain);
            if self.p.leaves(&ty) > LARGEST {
                ty = Type::Leaf(Leaf::Uint);
            }
            let access = payload.then(|| self.access());
            fields.push(Field { ty, access });
        }
        self.p.structs.push(Struct { name, fields, payload });
    }

    fn access(&mut self) -> Access {
        // A set of stages, likely with the caller in it.
        let read = self.c.below(16) as u8 ^ 1;
        let write = self.c.below(16) as u8 ^ 1;
        Access::of(read, write)
    }

    /// The type of something that parts of payloads have.
    fn part_type(&mut self, payloads: &[usize]) -> Type {
        let mut all = vec![Type::Leaf(Leaf::Uint)];
        for &s in payloads {
            self.types_in(&Type::Struct(s), &mut all);
        }
        let at = self.c.below(all.len() as u32) as usize;
        all.swap_remove(at)
    }

    fn types_in(&self, ty: &Type, all: &mut Vec<Type>) {
        if !all.contains(ty) && !matches!(ty, Type::Leaf(Leaf::Bits(_))) {
            all.push(ty.clone());
        }
        match ty {
            Type::Struct(s) => self.p.structs[*s].fields.iter().for_each(|f| self.types_in(&f.ty, all)),
            Type::Leaf(_) => {}
            _ => self.types_in(&self.p.step(ty, &Step::Index(Index::Constant(0))), all),
        }
    }

    // Scopes.

    fn scope(&self) -> Scope {
        let mut s = Scope::new();
        s.likely_statics = self.p.statics.iter().map(|t| vec![false; self.p.leaves(t)]).collect();
        s.has_statics = !self.p.statics.is_empty();
        s
    }

    fn variable(&self, s: &mut Scope, ty: Type, likely: bool) -> usize {
        s.likely.push(vec![likely; self.p.leaves(&ty)]);
        s.body.variables.push(ty);
        let v = s.body.variables.len() - 1;
        s.open.push(v);
        v
    }

    fn function(&mut self, payloads: &[usize]) {
        let kind = self.c.weighted(&[5, 1, 1]);
        let (traces, ends) = (kind == 1, kind == 2);
        let mut s = self.scope();
        (s.is_function, s.may_end, s.traces) = (true, ends, u32::from(traces));
        let mut modes = Vec::new();
        for _ in 0..1 + self.c.below(3) {
            if self.c.one_in(3) {
                modes.push(Mode::In);
                let v = self.variable(&mut s, Type::Leaf(Leaf::Uint), true);
                s.fixed.push(v);
            } else {
                let mode = self.c.pick(&[Mode::InOut, Mode::InOut, Mode::Out, Mode::In]);
                let ty = self.part_type(payloads);
                modes.push(mode);
                self.variable(&mut s, ty, mode != Mode::Out);
            }
        }
        s.budget = 6;
        let statements = self.statements(&mut s, 4);
        s.body.statements = statements;
        // An early return gives it, too, where no other variables are declared.
        s.open.truncate(modes.len());
        let result = (!ends && self.c.one_in(2)).then(|| self.expr(&s, 2));
        self.p.functions.push(Function { modes, body: s.body, result, traces, ends });
    }

    fn callable(&mut self, of: usize) -> Body {
        let mut s = self.scope();
        self.variable(&mut s, Type::Struct(of), true);
        s.budget = 5;
        s.body.statements = self.statements(&mut s, 4);
        s.body
    }

    fn shader(&mut self, family: usize, stage: Stage) -> Body {
        let Family { any_type, shade_type, level, .. } = self.p.families[family];
        let ty = if stage == Stage::AnyHit { any_type } else { shade_type };
        let mut s = self.scope();
        (s.stage, s.level, s.has_hit, s.may_end) = (Some(stage), level + 1, stage != Stage::Miss, stage == Stage::AnyHit);
        s.traces = u32::from(stage != Stage::AnyHit && self.c.one_in(2));
        let v = self.variable(&mut s, Type::Struct(ty), false);
        s.likely[v] = self.p.access(ty).into_iter().map(|a| a.reads(stage)).collect();
        s.budget = 8;
        let mut statements = self.statements(&mut s, 5);
        if self.c.one_in(2) {
            statements.extend(self.fill(&s, v, 3));
        }
        s.body.statements = statements;
        s.body
    }

    fn main(&mut self, payloads: &[usize]) -> Body {
        let mut s = self.scope();
        (s.is_main, s.traces, s.budget) = (true, 4, 24);
        let mut statements = Vec::new();
        for &p in payloads {
            let v = self.variable(&mut s, Type::Struct(p), false);
            statements.push(Stmt::Declare(v, None));
        }
        for _ in 0..1 + self.c.below(3) {
            let traced = self.traced(&mut s);
            statements.extend(traced);
            let more = self.statements(&mut s, 3);
            statements.extend(more);
        }
        // What is there at the end.
        let mut all = self.parts_of(&s, |t| matches!(t, Type::Leaf(_)));
        all.retain(|p| self.is_likely(&s, p));
        for part in all {
            if let Some(slot) = self.slot() {
                statements.push(Stmt::Out(slot, Expr::Load(part.place)));
            }
        }
        s.body.statements = statements;
        s.body
    }

    fn slot(&mut self) -> Option<u32> {
        (self.p.words < WORDS).then(|| {
            self.p.words += 1;
            self.p.words - 1
        })
    }

    // Parts.

    fn parts_of(&self, s: &Scope, want: impl Fn(&Type) -> bool) -> Vec<Part> {
        let mut all = Vec::new();
        for &v in &s.open {
            self.collect(LValue { root: Root::Local(v), steps: Vec::new() }, &s.body.variables[v], 0, &want, &mut all);
        }
        if s.has_statics {
            for (i, ty) in self.p.statics.iter().enumerate() {
                self.collect(LValue { root: Root::Static(i), steps: Vec::new() }, ty, 0, &want, &mut all);
            }
        }
        all
    }

    fn collect(&self, place: LValue, ty: &Type, at: usize, want: &impl Fn(&Type) -> bool, all: &mut Vec<Part>) {
        if want(ty) {
            all.push(Part { place: place.clone(), ty: ty.clone(), at });
        }
        let mut inner = at;
        let mut go = |step: Step| {
            let ty = self.p.step(ty, &step);
            let mut place = place.clone();
            place.steps.push(step);
            self.collect(place, &ty, inner, want, all);
            inner += self.p.leaves(&ty);
        };
        match ty {
            Type::Leaf(_) => {}
            Type::Struct(s) => (0..self.p.structs[*s].fields.len()).for_each(|f| go(Step::Field(f))),
            _ => (0..parts(ty)).for_each(|i| go(Step::Index(Index::Constant(i)))),
        }
    }

    fn marks<'a>(&self, s: &'a Scope, part: &Part) -> &'a [bool] {
        let of = match part.place.root {
            Root::Local(v) => &s.likely[v],
            Root::Static(i) => &s.likely_statics[i],
        };
        &of[part.at..part.at + self.p.leaves(&part.ty)]
    }

    fn mark(&self, s: &mut Scope, part: &Part, marks: &[bool]) {
        let of = match part.place.root {
            Root::Local(v) => &mut s.likely[v],
            Root::Static(i) => &mut s.likely_statics[i],
        };
        of[part.at..part.at + marks.len()].copy_from_slice(marks);
    }

    fn is_likely(&self, s: &Scope, part: &Part) -> bool {
        self.marks(s, part).iter().all(|&l| l)
    }

    /// The part with some indices chosen at run time.
    fn vary(&mut self, s: &Scope, mut place: LValue) -> LValue {
        let ty = self.p.root_type(&s.body, place.root).clone();
        let mut of = ty;
        for i in 0..place.steps.len() {
            let inner = self.p.step(&of, &place.steps[i]);
            if matches!(place.steps[i], Step::Index(_)) && self.c.one_in(4) {
                let e = self.decision(s);
                place.steps[i] = Step::Index(Index::Dynamic(e));
            }
            of = inner;
        }
        place
    }

    /// A part that may be stored to.
    fn target(&mut self, s: &Scope, want: impl Fn(&Type) -> bool) -> Option<Part> {
        let fixed = |place: &LValue| matches!(place.root, Root::Local(v) if s.fixed.contains(&v));
        let mut all = self.parts_of(s, want);
        all.retain(|p| !fixed(&p.place));
        if all.is_empty() {
            return None;
        }
        let at = self.c.below(all.len() as u32) as usize;
        Some(all.swap_remove(at))
    }

    // Expressions.

    fn load(&mut self, s: &Scope) -> Expr {
        let mut all = self.parts_of(s, |t| matches!(t, Type::Leaf(_)));
        if !self.c.one_in(12) {
            all.retain(|p| self.is_likely(s, p));
        }
        if all.is_empty() {
            return Expr::Thread;
        }
        let at = self.c.below(all.len() as u32) as usize;
        let place = all.swap_remove(at).place;
        // Not deeper: an index with a load in it has a constant index.
        Expr::Load(if s.depth < 100 { self.vary_once(s, place) } else { place })
    }

    fn vary_once(&mut self, s: &Scope, mut place: LValue) -> LValue {
        if let Some(i) = place.steps.iter().position(|s| matches!(s, Step::Index(_)))
            && self.c.one_in(4)
        {
            let e = if s.has_hit && self.c.one_in(2) { Expr::Hit } else { Expr::Thread };
            place.steps[i] = Step::Index(Index::Dynamic(e));
        }
        place
    }

    fn expr(&mut self, s: &Scope, depth: u32) -> Expr {
        let inner = u32::from(depth > 0);
        match self.c.weighted(&[3, 2, if s.has_hit { 2 } else { 0 }, 6, 3 * inner, inner, inner]) {
            1 => Expr::Thread,
            2 => Expr::Hit,
            3 => self.load(s),
            4 => Expr::Add(Box::new(self.expr(s, depth - 1)), Box::new(self.expr(s, depth - 1))),
            5 => Expr::Scale(Box::new(self.expr(s, depth - 1)), self.c.pick(&[3, 7, 257, 65536])),
            6 => {
                let c = self.expr(s, 0);
                Expr::Select(Box::new(c), Box::new(self.expr(s, depth - 1)), Box::new(self.expr(s, depth - 1)))
            }
            _ => Expr::Constant(self.c.pick(&[1, 0, 2, 5, 77, 1000, 0xffff_ffff, 0x8000_0001])),
        }
    }

    fn decision(&mut self, s: &Scope) -> Expr {
        let e = match self.c.weighted(&[3, if s.has_hit { 2 } else { 0 }, 4, 2]) {
            1 => Expr::Hit,
            2 => self.load(s),
            3 => Expr::Add(Box::new(self.load(s)), Box::new(Expr::Thread)),
            _ => Expr::Add(Box::new(Expr::Thread), Box::new(Expr::Constant(self.c.below(4)))),
        };
        self.sites += 1;
        Expr::Decide(self.sites, Box::new(e))
    }

    // Statements.

    fn statements(&mut self, s: &mut Scope, n: u32) -> Vec<Stmt> {
        let mut all = Vec::new();
        let (open, fixed) = (s.open.len(), s.fixed.len());
        for _ in 0..n {
            if s.budget <= 0 || self.c.below(n + 1) == 0 {
                continue;
            }
            s.budget -= 1;
            all.extend(self.statement(s));
        }
        // Variables of the outermost block stay in scope.
        if s.depth > 0 {
            s.open.truncate(open);
            s.fixed.truncate(fixed);
        }
        all
    }

    fn block(&mut self, s: &mut Scope, n: u32) -> Vec<Stmt> {
        s.depth += 1;
        let all = self.statements(s, n);
        s.depth -= 1;
        all
    }

    fn statement(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let deep = u32::from(s.depth < 2);
        let functions = u32::from(!self.p.functions.is_empty());
        let traces = u32::from(s.traces > 0 && s.loops == 0);
        let end = u32::from(s.may_end);
        let words = u32::from(!s.is_function);
        let calls = u32::from(!self.p.callables.is_empty() && !s.is_function && s.stage != Some(Stage::AnyHit));
        let loops = u32::from(s.loops == 0) * deep;
        let returns = u32::from(s.stage.is_some() || s.is_function) * deep;
        let weights = [8, 2, 2, 3, 1, 5 * functions, 3 * deep, 2 * loops, returns, 2 * end, 4 * traces, 2 * calls, 3 * words, 1];
        match self.c.weighted(&weights) {
            1 => self.add(s),
            2 => self.swizzle(s),
            3 => self.copy(s),
            4 => self.zero(s),
            5 => self.call(s),
            6 => {
                let condition = self.decision(s);
                let yes = self.block(s, 3);
                let no = if self.c.one_in(2) { self.block(s, 2) } else { Vec::new() };
                vec![Stmt::If(condition, yes, no)]
            }
            7 => self.repeat(s),
            8 => {
                let condition = self.decision(s);
                vec![Stmt::If(condition, vec![Stmt::Return], Vec::new())]
            }
            9 => {
                let condition = self.decision(s);
                let mut inner = self.block(s, 2);
                inner.push(if self.c.one_in(2) { Stmt::Accept } else { Stmt::Ignore });
                vec![Stmt::If(condition, inner, Vec::new())]
            }
            10 => self.traced(s),
            11 => self.call_shader(s),
            12 => match self.slot() {
                Some(slot) => vec![Stmt::Out(slot, self.load(s))],
                None => Vec::new(),
            },
            13 => self.declare(s),
            _ => self.set(s),
        }
    }

    fn set(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let Some(part) = self.target(s, |t| matches!(t, Type::Leaf(_))) else { return Vec::new() };
        let e = self.expr(s, 2);
        self.mark(s, &part, &[true]);
        vec![Stmt::Set(self.vary(s, part.place), e)]
    }

    fn add(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let Some(part) = self.target(s, |t| matches!(t, Type::Leaf(Leaf::Uint))) else { return Vec::new() };
        let e = self.expr(s, 1);
        vec![Stmt::Add(self.vary(s, part.place), e)]
    }

    fn swizzle(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let Some(part) = self.target(s, |t| matches!(t, Type::Vector(..))) else { return Vec::new() };
        let n = parts(&part.ty);
        let mut components: Vec<u32> = (0..n).filter(|_| self.c.below(3) != 2).collect();
        if components.len() < 2 {
            components = vec![n - 1, 0];
        }
        let values = components.iter().map(|_| self.expr(s, 1)).collect();
        let mut marks = self.marks(s, &part).to_vec();
        components.iter().for_each(|&c| marks[c as usize] = true);
        self.mark(s, &part, &marks);
        vec![Stmt::Swizzle(self.vary(s, part.place), components, values)]
    }

    fn copy(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let Some(to) = self.target(s, |t| !matches!(t, Type::Leaf(_))) else { return Vec::new() };
        let ty = to.ty.clone();
        let mut all = self.parts_of(s, |t| *t == ty);
        all.retain(|p| p.place.root != to.place.root || p.at != to.at);
        if all.is_empty() {
            return Vec::new();
        }
        let at = self.c.below(all.len() as u32) as usize;
        let from = all.swap_remove(at);
        let marks = self.marks(s, &from).to_vec();
        self.mark(s, &to, &marks);
        let (to, from) = (self.vary(s, to.place), self.vary(s, from.place));
        vec![Stmt::Copy(to, from)]
    }

    fn zero(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let Some(part) = self.target(s, |t| matches!(t, Type::Struct(_))) else { return Vec::new() };
        let n = self.p.leaves(&part.ty);
        self.mark(s, &part, &vec![true; n]);
        vec![Stmt::Zero(self.vary(s, part.place))]
    }

    fn declare(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let all = self.parts_of(s, |t| !matches!(t, Type::Leaf(Leaf::Bits(_))));
        if all.is_empty() {
            return Vec::new();
        }
        let from = &all[self.c.below(all.len() as u32) as usize];
        let marks = self.marks(s, from).to_vec();
        let v = self.variable(s, from.ty.clone(), false);
        s.likely[v] = marks;
        vec![Stmt::Declare(v, Some(from.place.clone()))]
    }

    fn call(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let fits = |f: &Function| (!f.traces || (s.is_main && s.traces > 0 && s.loops == 0)) && (!f.ends || (s.may_end && !s.is_function));
        let all: Vec<usize> = (0..self.p.functions.len()).filter(|&i| fits(&self.p.functions[i])).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let f = self.c.pick(&all);
        let Function { modes, body, result, traces, ends } = self.p.functions[f].clone();
        if traces {
            s.traces -= 1;
        }
        let (mut before, mut arguments, mut used) = (Vec::new(), Vec::new(), Vec::<LValue>::new());
        for (i, mode) in modes.iter().enumerate() {
            let ty = body.variables[i].clone();
            if *mode == Mode::In && ty == Type::Leaf(Leaf::Uint) {
                arguments.push(Argument::Value(self.expr(s, 1)));
                continue;
            }
            // Arguments that are written are different members of structures, or of different variables.
            let apart = |a: &LValue, b: &LValue| {
                a.root != b.root || matches!((a.steps.first(), b.steps.first()), (Some(Step::Field(x)), Some(Step::Field(y))) if x != y)
            };
            let fixed = |place: &LValue| matches!(place.root, Root::Local(v) if s.fixed.contains(&v));
            let is_static = |place: &LValue| matches!(place.root, Root::Static(_));
            let mut places = self.parts_of(s, |t| *t == ty);
            places.retain(|p| *mode == Mode::In || (!fixed(&p.place) && !is_static(&p.place) && used.iter().all(|u| apart(u, &p.place))));
            let part = if places.is_empty() {
                let v = self.variable(s, ty.clone(), false);
                before.push(Stmt::Declare(v, None));
                Part { place: LValue { root: Root::Local(v), steps: Vec::new() }, ty, at: 0 }
            } else {
                let at = self.c.below(places.len() as u32) as usize;
                places.swap_remove(at)
            };
            if *mode != Mode::In {
                used.push(part.place.clone());
            }
            if *mode == Mode::Out {
                let n = self.p.leaves(&part.ty);
                self.mark(s, &part, &vec![true; n]);
            }
            arguments.push(Argument::LValue(self.vary(s, part.place)));
        }
        let to = match result {
            Some(_) => {
                // Where the result goes is no argument.
                let free = |p: &Part| used.iter().all(|u| u.root != p.place.root);
                let fine = |t: &Type| matches!(t, Type::Leaf(l) if *l != Leaf::U64);
                self.target(s, fine).filter(free).map(|part| {
                    self.mark(s, &part, &[true]);
                    part.place
                })
            }
            None => None,
        };
        let call = Stmt::Call(f, arguments, to);
        // Not all hits end.
        if ends && self.c.one_in(2) {
            let condition = self.decision(s);
            before.push(Stmt::If(condition, vec![call], Vec::new()));
        } else {
            before.push(call);
        }
        before
    }

    fn repeat(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let v = self.variable(s, Type::Leaf(Leaf::Uint), true);
        s.open.pop();
        let n = 1 + self.c.below(3);
        // Hit objects are traced and invoked in the loops of ray generation shaders.
        let traces = s.is_main && s.traces > 0 && self.c.one_in(2);
        s.depth += 1;
        let opened = s.open.len();
        s.open.push(v);
        s.fixed.push(v);
        let mut inner = Vec::new();
        if traces {
            inner.extend(self.traced(s));
        }
        s.loops += 1;
        inner.extend(self.statements(s, 3));
        let end = self.c.one_in(3).then(|| self.decision(s));
        s.loops -= 1;
        s.depth -= 1;
        s.open.truncate(opened);
        s.fixed.pop();
        vec![Stmt::For(v, n, inner, end)]
    }

    fn call_shader(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let c = self.c.below(self.p.callables.len() as u32) as usize;
        let ty = Type::Struct(self.p.callables[c].0);
        let v = self.variable(s, ty, true);
        let place = LValue { root: Root::Local(v), steps: Vec::new() };
        let mut all = vec![Stmt::Declare(v, None)];
        all.extend(self.fill(s, v, 4));
        all.push(Stmt::CallShader(c, place));
        if let Some(slot) = self.slot().filter(|_| !s.is_function) {
            let e = self.load(s);
            all.push(Stmt::Out(slot, e));
        }
        all
    }

    /// Stores to most scalars of a variable, in `n` of `n + 1` cases.
    fn fill(&mut self, s: &Scope, v: usize, n: u32) -> Vec<Stmt> {
        let mut all = Vec::new();
        self.collect(
            LValue { root: Root::Local(v), steps: Vec::new() },
            &s.body.variables[v].clone(),
            0,
            &|t: &Type| matches!(t, Type::Leaf(_)),
            &mut all,
        );
        let mut out = Vec::new();
        for part in all {
            if self.c.below(n + 1) != n {
                let e = self.expr(s, 1);
                out.push(Stmt::Set(part.place, e));
            }
        }
        out
    }

    /// A trace, with what comes before and after it: the payload is stored to, a hit object is invoked.
    fn traced(&mut self, s: &mut Scope) -> Vec<Stmt> {
        let (level, hit_objects) = (s.level, self.p.hit_objects);
        let usable = |f: &Family| f.level >= level && (hit_objects || f.any_type == f.shade_type);
        let all: Vec<usize> = (0..self.p.families.len()).filter(|&k| usable(&self.p.families[k])).collect();
        if all.is_empty() || s.traces == 0 {
            return Vec::new();
        }
        s.traces -= 1;
        let k = self.c.pick(&all);
        let Family { any_type, shade_type, .. } = self.p.families[k];
        let mut out = Vec::new();
        let payload = self.payload(s, any_type, &mut out);
        let target = self.decision(s);
        let flags = self.c.pick(&[0, 0, 0, 1, 2, 4, 8, 9, 12]);
        let trace = Trace { payload: payload.place.clone(), family: k, flags, target };
        let as_object = any_type != shade_type || (hit_objects && self.c.one_in(2));
        let after = |s: &mut Scope, g: &Generator, part: &Part, reads: &dyn Fn(Access) -> bool| {
            let Type::Struct(of) = part.ty else { return };
            let marks: Vec<bool> =
                g.p.access(of)
                    .into_iter()
                    .zip(g.marks(s, part).to_vec())
                    .map(|(a, old)| reads(a) && (old || a.writes(Stage::ClosestHit) || a.writes(Stage::Miss)))
                    .collect();
            g.mark(s, part, &marks);
        };
        if !as_object {
            out.push(Stmt::Trace(trace));
            after(s, self, &payload, &|a| a.reads(Stage::Caller));
            self.show(s, &payload, &mut out);
            return out;
        }
        let h = s.body.objects;
        s.body.objects += 1;
        s.objects.push(shade_type);
        match self.c.weighted(&[8, 1, 1]) {
            1 => out.push(Stmt::Make(h, Some(k))),
            2 => out.push(Stmt::Make(h, None)),
            _ => {
                out.push(Stmt::HitTrace(h, trace));
                after(s, self, &payload, &|a| a.reads(Stage::Caller) || a.reads(Stage::ClosestHit) || a.reads(Stage::Miss));
                self.show(s, &payload, &mut out);
            }
        }
        let mut used = h;
        let others: Vec<usize> = (0..h).filter(|&o| s.objects[o] == shade_type).collect();
        if !others.is_empty() && self.c.one_in(3) {
            used = s.body.objects;
            s.body.objects += 1;
            s.objects.push(shade_type);
            let condition = self.decision(s);
            let other = self.c.pick(&others);
            let how = self.c.pick(&[Pick::Branch, Pick::Function, Pick::Array, Pick::Structure, Pick::Out]);
            out.push(Stmt::Pick(used, how, condition, h, other));
        }
        if s.is_main && self.c.one_in(3) {
            out.push(Stmt::Reorder(used));
        }
        for _ in 0..self.c.weighted(&[1, 6, 2]) {
            let mut before = Vec::new();
            let part = if any_type == shade_type && self.c.below(3) != 2 {
                Part { place: payload.place.clone(), ty: payload.ty.clone(), at: payload.at }
            } else {
                self.payload(s, shade_type, &mut before)
            };
            out.extend(before);
            let invoke = Stmt::Invoke(used, part.place.clone());
            if self.c.one_in(5) {
                let condition = self.decision(s);
                out.push(Stmt::If(condition, vec![invoke], Vec::new()));
            } else {
                out.push(invoke);
            }
            after(s, self, &part, &|a| a.reads(Stage::Caller));
            self.show(s, &part, &mut out);
        }
        out
    }

    /// A payload to trace with: one that is there, or a new one.
    fn payload(&mut self, s: &mut Scope, of: usize, out: &mut Vec<Stmt>) -> Part {
        let mut all = self.parts_of(s, |t| *t == Type::Struct(of));
        all.retain(|p| !matches!(p.place.root, Root::Local(v) if s.fixed.contains(&v)) && !matches!(p.place.root, Root::Static(_)));
        let part = if !all.is_empty() && self.c.below(4) != 3 {
            let at = self.c.below(all.len() as u32) as usize;
            all.swap_remove(at)
        } else {
            let v = self.variable(s, Type::Struct(of), false);
            out.push(Stmt::Declare(v, None));
            Part { place: LValue { root: Root::Local(v), steps: Vec::new() }, ty: Type::Struct(of), at: 0 }
        };
        if self.c.below(4) != 3 {
            let Root::Local(v) = part.place.root else { return part };
            if part.place.steps.is_empty() {
                out.extend(self.fill(s, v, 4));
                let n = self.p.leaves(&part.ty);
                self.mark(s, &part, &vec![true; n]);
            }
        }
        part
    }

    /// Stores some scalars of a payload to memory.
    fn show(&mut self, s: &Scope, part: &Part, out: &mut Vec<Stmt>) {
        if s.is_function {
            return;
        }
        let mut all = Vec::new();
        self.collect(part.place.clone(), &part.ty, part.at, &|t: &Type| matches!(t, Type::Leaf(_)), &mut all);
        all.retain(|p| self.is_likely(s, p));
        for p in all {
            if self.c.below(3) == 2
                && let Some(slot) = self.slot()
            {
                out.push(Stmt::Out(slot, Expr::Load(p.place)));
            }
        }
    }
}
