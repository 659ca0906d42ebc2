//! The rules of payloads, executed: what each word must be after a dispatch, as far as the specification defines it.
//!
//! This follows the text of the DXR specification, "Payload access qualifiers, detailed semantics" and "HitObject interaction with payload
//! access qualifiers", sentence by sentence, and uses nothing of the compiler. A value that is undefined is `None`, and so is all that is
//! computed with it; such words are not compared. A decision must not be undefined: [`run`] says which one was.

use super::coverage::{self, Coverage};
use super::program::{
    Access, Argument, Body, Expr, Group, Index, LValue, Mode, Program, Root, Stage, Step, Stmt, THREADS, Trace, Type, WORDS, parts,
};

/// A scalar: what it holds, if that is defined.
type Value = Option<u64>;

/// The words that a dispatch stores, those of a thread after each other. `None`: undefined.
pub type Words = Vec<Option<u32>>;

/// Statements that a thread executes at most.
const STEPS: u32 = 4000;

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// What this decides on is undefined.
    Decision(usize),
    /// It runs for too long.
    Long,
}

/// Executes a program.
///
/// # Errors
/// A decision that is undefined.
pub fn run(program: &Program, coverage: &mut Coverage) -> Result<Words, Undefined> {
    let mut words = Vec::new();
    for thread in 0..THREADS {
        let out = vec![Some(0); WORDS as usize];
        let mut machine = Machine { program, coverage, thread, out, steps: 0 };
        let mut frame = Frame::new(program, &program.main, "raygeneration", 0);
        machine.block(&program.main, &program.main.statements, &mut frame)?;
        words.append(&mut machine.out);
    }
    Ok(words)
}

/// How statements end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    /// The next one follows.
    On,
    /// The function returns.
    Return,
    /// The shader ends, and the hit counts or not.
    Ends { ignored: bool, in_function: bool },
}

/// What a hit object holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Object {
    Nop,
    /// Family, group, which hit.
    Hit(usize, usize, u32),
    /// Family; made by `MakeMiss`.
    Miss(usize, bool),
}

/// The variables of a function that is executed.
struct Frame {
    locals: Vec<Vec<Value>>,
    statics: Vec<Vec<Value>>,
    objects: Vec<(Object, Option<usize>, u32)>,
    /// The stage, for the rows of callers.
    stage: &'static str,
    /// Which hit it is.
    hit: u32,
}

impl Frame {
    fn new(program: &Program, body: &Body, stage: &'static str, hit: u32) -> Frame {
        let undefined = |types: &[Type]| types.iter().map(|t| vec![None; program.leaves(t)]).collect();
        Frame {
            locals: undefined(&body.variables),
            statics: undefined(&program.statics),
            objects: vec![(Object::Nop, None, 0); body.objects],
            stage,
            hit,
        }
    }

    fn root(&mut self, root: Root) -> &mut Vec<Value> {
        match root {
            Root::Local(v) => &mut self.locals[v],
            Root::Static(s) => &mut self.statics[s],
        }
    }
}

/// A thread.
struct Machine<'a> {
    program: &'a Program,
    coverage: &'a mut Coverage,
    thread: u32,
    out: Words,
    steps: u32,
}

/// The payload that is attached to a ray, and the stage that stored it last.
struct Actual<'a> {
    operation: &'static str,
    access: &'a [Access],
    values: Vec<Value>,
    last: Stage,
    /// The stages that were executed.
    executed: Vec<Stage>,
}

impl Machine<'_> {
    fn block(&mut self, body: &Body, statements: &[Stmt], f: &mut Frame) -> Result<Flow, Undefined> {
        for s in statements {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Undefined::Long);
            }
            let flow = self.statement(body, s, f)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, body: &Body, s: &Stmt, f: &mut Frame) -> Result<Flow, Undefined> {
        match s {
            Stmt::Declare(v, from) => {
                f.locals[*v] = match from {
                    Some(place) => self.load(body, place, f)?,
                    None => vec![None; self.program.leaves(&body.variables[*v])],
                };
            }
            Stmt::Set(place, e) => {
                let value = self.value(body, e, f)?;
                self.set(body, place, value, f)?;
            }
            Stmt::Add(place, e) => {
                let old = self.value(body, &Expr::Load(place.clone()), f)?;
                let value = self.value(body, e, f)?;
                let sum = old.zip(value).map(|(a, b)| a.wrapping_add(b));
                self.set(body, place, sum, f)?;
            }
            Stmt::Swizzle(place, components, values) => {
                let all: Vec<Option<u32>> = values.iter().map(|e| self.value(body, e, f)).collect::<Result<_, _>>()?;
                let (at, ty) = self.resolve(body, place, f)?;
                let Type::Vector(leaf, _) = ty else { unreachable!("a vector has components") };
                for (&c, v) in components.iter().zip(all) {
                    f.root(place.root)[at + c as usize] = v.map(|v| leaf.encode(v));
                }
            }
            Stmt::Copy(to, from) => {
                let values = self.load(body, from, f)?;
                self.note_copy(body, to, from);
                self.store(body, to, &values, f)?;
            }
            Stmt::Zero(place) => {
                let (at, ty) = self.resolve(body, place, f)?;
                let n = self.program.leaves(&ty);
                f.root(place.root)[at..at + n].fill(Some(0));
            }
            Stmt::Call(function, arguments, result) => return self.call(body, *function, arguments, result.as_ref(), f),
            Stmt::If(condition, yes, no) => {
                let way = if self.decided(body, condition, f)? & 1 != 0 { yes } else { no };
                return self.block(body, way, f);
            }
            Stmt::For(v, n, inner, end) => {
                for i in 0..*n {
                    f.locals[*v] = vec![Some(u64::from(i))];
                    let flow = self.block(body, inner, f)?;
                    if flow != Flow::On {
                        return Ok(flow);
                    }
                    if let Some(e) = end
                        && self.decided(body, e, f)? & 1 != 0
                    {
                        break;
                    }
                }
            }
            Stmt::Return => return Ok(Flow::Return),
            Stmt::Ignore => return Ok(Flow::Ends { ignored: true, in_function: false }),
            Stmt::Accept => return Ok(Flow::Ends { ignored: false, in_function: false }),
            Stmt::Trace(t) => {
                self.trace("TraceRay", body, t, f)?;
            }
            Stmt::HitTrace(h, t) => {
                let object = self.trace("HitObject::TraceRay", body, t, f)?;
                f.objects[*h] = (object, Some(self.program.families[t.family].any_type), 0);
            }
            Stmt::Make(h, family) => f.objects[*h] = (family.map_or(Object::Nop, |k| Object::Miss(k, true)), None, 0),
            Stmt::Pick(h, _, condition, a, b) => {
                let way = if self.decided(body, condition, f)? & 1 != 0 { a } else { b };
                f.objects[*h] = f.objects[*way];
            }
            Stmt::Invoke(h, payload) => self.invoke(body, *h, payload, f)?,
            Stmt::Reorder(_) => {}
            Stmt::CallShader(c, place) => {
                let (_, callable) = &self.program.callables[*c];
                let mut inner = Frame::new(self.program, callable, "callable", 0);
                inner.locals[0] = self.load(body, place, f)?;
                self.block(callable, &callable.statements, &mut inner)?;
                let values = std::mem::take(&mut inner.locals[0]);
                self.store(body, place, &values, f)?;
                self.coverage.met("callable: by value");
            }
            Stmt::Out(slot, e) => self.out[*slot as usize] = self.value(body, e, f)?,
        }
        Ok(Flow::On)
    }

    /// "In/out semantics apply just like they would for regular struct parameters."
    fn call(
        &mut self,
        body: &Body,
        function: usize,
        arguments: &[Argument],
        result: Option<&LValue>,
        f: &mut Frame,
    ) -> Result<Flow, Undefined> {
        let callee = &self.program.functions[function];
        let mut inner = Frame::new(self.program, &callee.body, f.stage, f.hit);
        inner.statics = std::mem::take(&mut f.statics);
        let mut back = Vec::new();
        for (i, (argument, mode)) in arguments.iter().zip(&callee.modes).enumerate() {
            // The statics are with the callee; an argument may be one.
            std::mem::swap(&mut f.statics, &mut inner.statics);
            let evaluated = self.argument(body, argument, f);
            std::mem::swap(&mut f.statics, &mut inner.statics);
            let (values, place) = evaluated?;
            if let Type::Struct(s) = callee.body.variables[i]
                && self.program.structs[s].payload
            {
                self.coverage.met("local copy: as an argument");
            }
            if *mode != Mode::Out {
                inner.locals[i] = values;
            }
            if let (true, Some((root, at))) = (*mode != Mode::In, place) {
                back.push((i, root, at));
            }
        }
        let flow = self.block(&callee.body, &callee.body.statements, &mut inner)?;
        let returned = match (&callee.result, flow) {
            (Some(e), Flow::On | Flow::Return) => self.value(&callee.body, e, &mut inner)?,
            _ => None,
        };
        f.statics = std::mem::take(&mut inner.statics);
        for (i, root, at) in back {
            let n = inner.locals[i].len();
            // What an argument holds after a call that does not return is not said.
            if matches!(flow, Flow::Ends { .. }) {
                inner.locals[i].fill(None);
            }
            f.root(root)[at..at + n].copy_from_slice(&inner.locals[i]);
        }
        if let Flow::Ends { ignored, .. } = flow {
            return Ok(Flow::Ends { ignored, in_function: true });
        }
        if let Some(place) = result {
            self.set(body, place, returned, f)?;
        }
        Ok(Flow::On)
    }

    /// What is passed, and where it is.
    #[allow(clippy::type_complexity, reason = "a pair that has one user")]
    fn argument(&mut self, body: &Body, argument: &Argument, f: &mut Frame) -> Result<(Vec<Value>, Option<(Root, usize)>), Undefined> {
        Ok(match argument {
            Argument::Value(e) => (vec![self.value(body, e, f)?.map(u64::from)], None),
            Argument::LValue(place) => {
                let (at, ty) = self.resolve(body, place, f)?;
                let n = self.program.leaves(&ty);
                (f.root(place.root)[at..at + n].to_vec(), Some((place.root, at)))
            }
        })
    }

    fn note_copy(&mut self, body: &Body, to: &LValue, from: &LValue) {
        if let Type::Struct(s) = self.program.place_type(body, from)
            && self.program.structs[s].payload
        {
            self.coverage.met("local copy: assigned");
            if matches!(to.root, Root::Static(_)) {
                self.coverage.met("local copy: in a static variable");
            }
        }
    }

    /// The first scalar of a place, and its type.
    fn resolve(&mut self, body: &Body, place: &LValue, f: &mut Frame) -> Result<(usize, Type), Undefined> {
        let mut ty = self.program.root_type(body, place.root).clone();
        let mut at = 0;
        for step in &place.steps {
            let inner = self.program.step(&ty, step);
            at += match step {
                Step::Field(i) => {
                    let Type::Struct(s) = ty else { unreachable!("a member of a structure") };
                    self.program.structs[s].fields[..*i].iter().map(|m| self.program.leaves(&m.ty)).sum::<usize>()
                }
                Step::Index(index) => {
                    let i = match index {
                        Index::Constant(i) => *i,
                        Index::Dynamic(e) => self.decided(body, e, f)? % parts(&ty),
                    };
                    i as usize * self.program.leaves(&inner)
                }
            };
            ty = inner;
        }
        Ok((at, ty))
    }

    fn load(&mut self, body: &Body, place: &LValue, f: &mut Frame) -> Result<Vec<Value>, Undefined> {
        let (at, ty) = self.resolve(body, place, f)?;
        Ok(f.root(place.root)[at..at + self.program.leaves(&ty)].to_vec())
    }

    fn store(&mut self, body: &Body, place: &LValue, values: &[Value], f: &mut Frame) -> Result<(), Undefined> {
        let (at, _) = self.resolve(body, place, f)?;
        f.root(place.root)[at..at + values.len()].copy_from_slice(values);
        Ok(())
    }

    fn set(&mut self, body: &Body, place: &LValue, value: Option<u32>, f: &mut Frame) -> Result<(), Undefined> {
        let (at, ty) = self.resolve(body, place, f)?;
        let Type::Leaf(leaf) = ty else { unreachable!("a scalar is stored") };
        f.root(place.root)[at] = value.map(|v| leaf.encode(v));
        Ok(())
    }

    /// What must be defined.
    fn decided(&mut self, body: &Body, e: &Expr, f: &mut Frame) -> Result<u32, Undefined> {
        Ok(self.value(body, e, f)?.expect("a decision is defined"))
    }

    fn value(&mut self, body: &Body, e: &Expr, f: &mut Frame) -> Result<Option<u32>, Undefined> {
        Ok(match e {
            Expr::Constant(c) => Some(*c),
            Expr::Thread => Some(self.thread),
            Expr::Hit => Some(f.hit),
            Expr::Load(place) => {
                let (at, ty) = self.resolve(body, place, f)?;
                let Type::Leaf(leaf) = ty else { unreachable!("a scalar is loaded") };
                f.root(place.root)[at].map(|v| leaf.decode(v))
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.value(body, a, f)?, self.value(body, b, f)?);
                a.zip(b).map(|(a, b)| a.wrapping_add(b))
            }
            Expr::Scale(a, by) => self.value(body, a, f)?.map(|a| a.wrapping_mul(*by)),
            Expr::Select(c, a, b) => match self.value(body, c, f)? {
                Some(c) => self.value(body, if c & 1 != 0 { a } else { b }, f)?,
                None => None,
            },
            Expr::Decide(site, e) => {
                if self.program.undecided.contains(site) {
                    return Ok(Some(self.thread));
                }
                match self.value(body, e, f)? {
                    None => return Err(Undefined::Decision(*site)),
                    some => some,
                }
            }
        })
    }

    /// A trace; what a hit object of it would hold.
    fn trace(&mut self, operation: &'static str, body: &Body, t: &Trace, f: &mut Frame) -> Result<Object, Undefined> {
        let shades = operation == "TraceRay";
        let program = self.program;
        let family = &program.families[t.family];
        let access = program.access(family.any_type);
        let target = self.decided(body, &t.target, f)? % super::program::TARGETS;
        let argument = self.load(body, &t.payload, f)?;
        self.coverage.met(coverage::caller(operation, f.stage));
        self.note_payload(body, t, f);
        // "At the beginning of a TraceRay call, any fields of the payload type that are marked write(caller) are copied from the payload
        // argument passed to TraceRay into the actual payload. All other fields of the actual payload have undefined contents."
        let mut actual = Actual::begin(operation, &access, &argument, |a| a.writes(Stage::Caller));
        let object = self.traverse(t, target, &mut actual)?;
        if shades {
            // RAY_FLAG_SKIP_CLOSEST_HIT_SHADER
            if t.flags & 8 != 0 && matches!(object, Object::Hit(..)) {
                self.coverage.met("flag: SKIP_CLOSEST_HIT_SHADER, no closesthit");
            } else {
                self.shade(object, &mut actual)?;
            }
        }
        // "At the call to HitObject::TraceRay, any field declared as read(miss) or read(closesthit) is treated as read(caller)."
        let back = |a: Access| a.reads(Stage::Caller) || (!shades && (a.reads(Stage::ClosestHit) || a.reads(Stage::Miss)));
        if !shades {
            for (i, a) in access.iter().enumerate() {
                if actual.values[i].is_some() && !a.reads(Stage::Caller) {
                    for s in [Stage::ClosestHit, Stage::Miss].into_iter().filter(|&s| a.reads(s)) {
                        self.coverage.met(format!("HitObject::TraceRay: read({}) is treated as read(caller)", s.name()));
                    }
                }
            }
        }
        let values = self.end(&actual, back);
        self.store(body, &t.payload, &values, f)?;
        Ok(object)
    }

    fn note_payload(&mut self, body: &Body, t: &Trace, f: &Frame) {
        if !t.payload.steps.is_empty() && matches!(self.program.root_type(body, t.payload.root), Type::Struct(_)) {
            self.coverage.met("payload in a payload");
        }
        if t.payload.root == Root::Local(0) && f.stage != "raygeneration" {
            self.coverage.met("forwarded to a recursive trace");
        }
    }

    /// "At the end of execution of a TraceRay call, any fields of the payload type that are marked read(caller) are copied from the actual
    /// payload back to the payload argument passed to TraceRay. All other fields of the payload parameter will have undefined contents."
    fn end(&mut self, actual: &Actual, back: impl Fn(Access) -> bool) -> Vec<Value> {
        for (i, &a) in actual.access.iter().enumerate() {
            self.coverage.met(coverage::stage(Stage::Caller, class(a, Stage::Caller), actual.operation));
            if actual.values[i].is_some() {
                for stage in not_executed(actual) {
                    self.coverage.met(coverage::stage(stage, class(a, stage), coverage::NOT_EXECUTED));
                }
                self.coverage.met(coverage::transition(actual.operation, actual.last, Stage::Caller, back(a)));
            }
        }
        actual.values.iter().zip(actual.access).map(|(&v, &a)| v.filter(|_| back(a))).collect()
    }

    /// Traversal with any-hit shaders; what was hit.
    fn traverse(&mut self, t: &Trace, target: u32, actual: &mut Actual) -> Result<Object, Undefined> {
        let program = self.program;
        let Some(g) = (target as usize).checked_sub(1) else { return Ok(Object::Miss(t.family, false)) };
        let group: &Group = &program.families[t.family].groups[g];
        let opaque = match t.flags & 3 {
            // RAY_FLAG_FORCE_OPAQUE, RAY_FLAG_FORCE_NON_OPAQUE
            1 => true,
            2 => false,
            _ => g == 1,
        };
        let mut committed = Object::Miss(t.family, false);
        let hits: Vec<u32> = if g == 2 { (0..group.reports).collect() } else { vec![100 + g as u32] };
        for hit in hits {
            let mut flow = Flow::On;
            if let Some(any) = &group.any {
                if opaque {
                    if t.flags & 1 != 0 {
                        self.coverage.met("flag: FORCE_OPAQUE, no anyhit");
                    }
                } else {
                    flow = self.stage(any, Stage::AnyHit, hit, actual)?;
                    self.coverage.met(match flow {
                        Flow::Ends { ignored: true, in_function: false } => "anyhit ends: IgnoreHit",
                        Flow::Ends { ignored: false, in_function: false } => "anyhit ends: AcceptHitAndEndSearch",
                        Flow::Ends { ignored: true, in_function: true } => "anyhit ends: IgnoreHit in a function",
                        Flow::Ends { ignored: false, in_function: true } => "anyhit ends: AcceptHitAndEndSearch in a function",
                        Flow::On | Flow::Return => "anyhit ends: return",
                    });
                }
            }
            if let Flow::Ends { ignored: true, .. } = flow {
                continue;
            }
            committed = Object::Hit(t.family, g, hit);
            // AcceptHitAndEndSearch, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH
            if matches!(flow, Flow::Ends { .. }) {
                break;
            }
            if t.flags & 4 != 0 {
                self.coverage.met("flag: ACCEPT_FIRST_HIT_AND_END_SEARCH");
                break;
            }
        }
        Ok(committed)
    }

    /// Runs the closest-hit or miss shader of what was hit.
    fn shade(&mut self, object: Object, actual: &mut Actual) -> Result<(), Undefined> {
        let program = self.program;
        let (shader, stage, hit) = match object {
            Object::Nop => return Ok(()),
            Object::Hit(k, g, hit) => (&program.families[k].groups[g].closest, Stage::ClosestHit, hit),
            Object::Miss(k, _) => (&program.families[k].miss, Stage::Miss, 0),
        };
        match shader {
            Some(shader) => self.stage(shader, stage, hit, actual).map(drop),
            None => {
                // "Invoking a NULL shader identifier in the Shader Table is equivalent to executing an empty shader." A hit group without the
                // shader may be taken for that, too.
                for (i, a) in actual.access.iter().enumerate() {
                    self.coverage.met(coverage::stage(stage, class(*a, stage), "null shader"));
                    if a.writes(stage) && !a.reads(stage) {
                        actual.values[i] = None;
                    }
                }
                actual.last = stage;
                actual.executed.push(stage);
                Ok(())
            }
        }
    }

    /// A shader with the payload.
    fn stage(&mut self, body: &Body, stage: Stage, hit: u32, actual: &mut Actual) -> Result<Flow, Undefined> {
        let mut f = Frame::new(self.program, body, stage.name(), hit);
        // "At the beginning of execution of a shader stage that receives a payload, any fields that are marked read for that stage are copied
        // from the actual payload to the parameter the shader receives. All other fields of the input parameter are left undefined."
        for (i, a) in actual.access.iter().enumerate() {
            if actual.values[i].is_some() {
                self.coverage.met(coverage::transition(actual.operation, actual.last, stage, a.reads(stage)));
                // "At the call to HitObject::Invoke, any field declared as write(anyhit) is treated as write(caller)."
                if actual.operation == "HitObject::Invoke" && a.writes(Stage::AnyHit) && !a.writes(Stage::Caller) {
                    self.coverage.met("HitObject::Invoke: write(anyhit) is treated as write(caller)");
                }
            }
            f.locals[0][i] = actual.values[i].filter(|_| a.reads(stage));
        }
        let before = f.locals[0].clone();
        let flow = self.block(body, &body.statements, &mut f)?;
        // "At the end of execution of a shader stage that receives a payload, any fields that are marked write for that stage are copied back
        // from the parameter of the shader to the actual payload. Any values written to other fields of the parameter are ignored."
        for (i, a) in actual.access.iter().enumerate() {
            let after = f.locals[0][i];
            let how = if after != before[i] { "stored" } else { "not stored" };
            self.coverage.met(coverage::stage(stage, class(*a, stage), how));
            if a.writes(stage) {
                actual.values[i] = after;
            }
        }
        actual.last = stage;
        actual.executed.push(stage);
        Ok(flow)
    }

    fn invoke(&mut self, body: &Body, h: usize, payload: &LValue, f: &mut Frame) -> Result<(), Undefined> {
        let Type::Struct(s) = self.program.place_type(body, payload) else { unreachable!("a payload is a structure") };
        let access = self.program.access(s);
        let argument = self.load(body, payload, f)?;
        let operation = "HitObject::Invoke";
        self.coverage.met(coverage::caller(operation, f.stage));
        let (object, traced, invoked) = f.objects[h];
        f.objects[h].2 += 1;
        if traced.is_some_and(|t| t != s) {
            self.coverage.met("HitObject::Invoke: another payload than that of the trace");
        }
        if invoked > 0 {
            self.coverage.met("HitObject::Invoke: again");
        }
        match object {
            Object::Nop => self.coverage.met("HitObject::Invoke: a nop"),
            Object::Miss(_, true) => self.coverage.met("HitObject::Invoke: made by MakeMiss"),
            _ => {}
        }
        let mut actual = Actual::begin(operation, &access, &argument, |a| a.writes(Stage::Caller) || a.writes(Stage::AnyHit));
        self.shade(object, &mut actual)?;
        let values = self.end(&actual, |a| a.reads(Stage::Caller));
        self.store(body, payload, &values, f)
    }
}

impl<'a> Actual<'a> {
    fn begin(operation: &'static str, access: &'a [Access], argument: &[Value], goes: impl Fn(Access) -> bool) -> Actual<'a> {
        let values: Vec<Value> = argument.iter().zip(access).map(|(&v, &a)| v.filter(|_| goes(a))).collect();
        Actual { operation, access, values, last: Stage::Caller, executed: Vec::new() }
    }
}

/// The stages that an operation may execute and did not.
fn not_executed<'a>(actual: &'a Actual) -> impl Iterator<Item = Stage> + 'a {
    let may: &[Stage] = match actual.operation {
        "TraceRay" => &[Stage::AnyHit, Stage::ClosestHit, Stage::Miss],
        "HitObject::TraceRay" => &[Stage::AnyHit],
        _ => &[Stage::ClosestHit, Stage::Miss],
    };
    may.iter().copied().filter(|s| !actual.executed.contains(s))
}

/// The class of a stage's qualifiers.
fn class(a: Access, s: Stage) -> &'static str {
    coverage::CLASSES[usize::from(a.reads(s)) + 2 * usize::from(a.writes(s))]
}
