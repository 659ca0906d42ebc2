//! Inferred payload access qualifiers preserve the behaviour of programs. A model of traces runs random payload programs twice: with payloads
//! that all stages share, as without qualifiers, and with the inferred qualifiers, where each transition between stages copies the qualified
//! fields and leaves the rest undefined (DXR, payload access qualifiers, detailed semantics). Every defined value that a shader observes must be
//! the same, also where payloads are packed and fields share words. The compiler gets the programs as text, so all of it is under test.
//!
//! `RTC_PAQ_PROGRAMS=N` runs that many programs, `RTC_PAQ_SEED=N` sets the first seed.

use std::fmt::Write as _;

use rtc::paq::{Assume, infer, rewrite};
use rtc::{NoIncludes, Options, Profile};
use rtc_ir::{Paq, PaqStage};
use rtc_oracles::selection::number;
use rtc_passes::payload_layout::{Interval, ShaderFacts, crosses, pack};
use rtc_tables::payload_access::Transitions;
use rtc_test_support::Random;

const FIELDS: usize = 4;
/// A run ends after so many statements.
const MAX_STEPS: usize = 3000;
/// So many ways less one each program is run.
const RUNS: u64 = 25;
const CALLER: u8 = 1;
const CLOSEST_HIT: u8 = 2;
const MISS: u8 = 4;
const ANY_HIT: u8 = 8;

/// Statements over the payload `p` and a local payload `q`.
#[derive(Clone, Debug)]
enum Stmt {
    /// `x.f = number`
    Set(bool, usize, u32),
    /// `x.f = y.g`
    Move(bool, usize, bool, usize),
    /// `x = y`, all fields.
    Copy(bool),
    /// The value is stored outside.
    Observe(bool, usize),
    If(Vec<Stmt>, Vec<Stmt>),
    /// A loop; whether `q` is one of its own there, without a value each time.
    Twice(bool, Vec<Stmt>),
    /// A trace with `p` or `q`; with hit objects as trace and invoke, with statements between.
    Trace(bool, Option<Vec<Stmt>>),
    /// A call of a function with `x` as `inout`.
    Call(bool, usize),
    Return,
    IgnoreHit,
    AcceptHit,
}

#[derive(Debug)]
struct Program {
    helpers: Vec<Vec<Stmt>>,
    raygen: Vec<Stmt>,
    any_hit: Vec<Vec<Stmt>>,
    closest_hit: Vec<Vec<Stmt>>,
    miss: Vec<Vec<Stmt>>,
    hit_objects: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Where {
    Helper,
    AnyHit,
    /// Closest-hit and miss: traces are conditional, so that recursion ends.
    Hit,
    RayGeneration,
}

struct Maker {
    r: Random,
    numbers: u32,
    hit_objects: bool,
    helpers: usize,
}

impl Maker {
    fn body(&mut self, place: Where, depth: u32) -> Vec<Stmt> {
        let n = 1 + self.r.below(if depth == 0 { 6 } else { 3 });
        (0..n).map(|_| self.stmt(place, depth)).collect()
    }
    fn stmt(&mut self, place: Where, depth: u32) -> Stmt {
        let two = matches!(place, Where::Hit | Where::RayGeneration);
        let traces = place == Where::RayGeneration || place == Where::Hit && depth > 0;
        let which = |r: &mut Random| two && r.below(3) == 0;
        let field = |r: &mut Random| r.below(FIELDS);
        loop {
            let r = &mut self.r;
            return match r.below(14) {
                0..=2 => {
                    self.numbers += 1;
                    Stmt::Set(which(r), field(r), self.numbers)
                }
                3 => Stmt::Move(which(r), field(r), which(r), field(r)),
                4..=6 => Stmt::Observe(which(r), field(r)),
                7 if depth < 3 => {
                    Stmt::If(self.body(place, depth + 1), if self.r.below(2) == 0 { self.body(place, depth + 1) } else { Vec::new() })
                }
                8 if depth < 2 && r.below(2) == 0 => {
                    let own = two && r.below(2) == 0;
                    Stmt::Twice(own, self.body(place, depth + 1))
                }
                9 | 10 if traces && depth < 2 => {
                    let x = r.below(2) == 0;
                    let split = self.hit_objects && self.r.below(2) == 0;
                    let between = split.then(|| if self.r.below(2) == 0 { self.body(Where::Helper, 3) } else { Vec::new() });
                    Stmt::Trace(x, between)
                }
                11 if two && r.below(3) == 0 => Stmt::Copy(r.below(2) == 0),
                12 if place != Where::Helper && self.helpers > 0 => Stmt::Call(which(r), r.below(self.helpers)),
                13 if depth > 0 && r.below(3) == 0 => match place {
                    Where::AnyHit if r.below(2) == 0 => Stmt::IgnoreHit,
                    Where::AnyHit => Stmt::AcceptHit,
                    _ => Stmt::Return,
                },
                _ => continue,
            };
        }
    }
    fn program(&mut self) -> Program {
        let bodies = |m: &mut Maker, n: usize, place| (0..n).map(|_| m.body(place, 0)).collect::<Vec<_>>();
        let helpers = self.r.below(3);
        let helpers = bodies(self, helpers, Where::Helper);
        self.helpers = helpers.len();
        let mut raygen = self.body(Where::RayGeneration, 0);
        raygen.push(Stmt::Trace(false, None));
        raygen.extend(self.body(Where::RayGeneration, 0));
        let (a, c, m) = (self.r.below(3), 1 + self.r.below(2), 1 + self.r.below(2));
        let any_hit = bodies(self, a, Where::AnyHit);
        let closest_hit = bodies(self, c, Where::Hit);
        let miss = bodies(self, m, Where::Hit);
        Program { helpers, raygen, any_hit, closest_hit, miss, hit_objects: self.hit_objects }
    }
}

/// The program as HLSL. Fields 2 and 3 are those of a nested payload, so that its declaration counts.
fn source(p: &Program) -> String {
    let mut out = String::from(
        "RaytracingAccelerationStructure Scene : register(t0);\nRWByteAddressBuffer Out : register(u0);\nByteAddressBuffer In : register(t1);\n\
         RayDesc ray() { RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1; return r; }\n\
         struct [raypayload] Inner { uint f2; uint f3; };\nstruct P { uint f0; uint f1; Inner i; };\n",
    );
    let mut n = 0;
    let mut shader = |out: &mut String, head: &str, body: &[Stmt]| {
        _ = writeln!(out, "{head}\n{{");
        if head.contains("Rg(") {
            out.push_str("P p;\n");
        }
        if !head.contains("helper") {
            out.push_str("P q;\n");
        }
        print(out, body, &mut n);
        out.push_str("}\n");
    };
    for (i, b) in p.helpers.iter().enumerate() {
        shader(&mut out, &format!("void helper{i}(inout P p)"), b);
    }
    shader(&mut out, "[shader(\"raygeneration\")] void Rg()", &p.raygen);
    let attributes = "BuiltInTriangleIntersectionAttributes a";
    for (i, b) in p.any_hit.iter().enumerate() {
        shader(&mut out, &format!("[shader(\"anyhit\")] void Ah{i}(inout P p, {attributes})"), b);
    }
    for (i, b) in p.closest_hit.iter().enumerate() {
        shader(&mut out, &format!("[shader(\"closesthit\")] void Ch{i}(inout P p, {attributes})"), b);
    }
    for (i, b) in p.miss.iter().enumerate() {
        shader(&mut out, &format!("[shader(\"miss\")] void Ms{i}(inout P p)"), b);
    }
    out
}

fn print(out: &mut String, body: &[Stmt], n: &mut u32) {
    let x = |q: bool| if q { "q" } else { "p" };
    let f = |f: usize| ["f0", "f1", "i.f2", "i.f3"][f];
    for s in body {
        *n += 4;
        let at = *n;
        match s {
            Stmt::Set(q, a, v) => _ = writeln!(out, "{}.{} = {v};", x(*q), f(*a)),
            Stmt::Move(q, a, r, b) => _ = writeln!(out, "{}.{} = {}.{};", x(*q), f(*a), x(*r), f(*b)),
            Stmt::Copy(q) => _ = writeln!(out, "{} = {};", x(*q), x(!*q)),
            Stmt::Observe(q, a) => _ = writeln!(out, "Out.Store({at}, {}.{});", x(*q), f(*a)),
            Stmt::If(yes, no) => {
                _ = writeln!(out, "if (In.Load({at}) != 0) {{");
                print(out, yes, n);
                out.push_str("} else {\n");
                print(out, no, n);
                out.push_str("}\n");
            }
            Stmt::Twice(own, body) => {
                _ = writeln!(out, "for (uint i{at} = 0; i{at} < In.Load({at}); i{at}++) {{");
                if *own {
                    out.push_str("P q;\n");
                }
                print(out, body, n);
                out.push_str("}\n");
            }
            Stmt::Trace(q, None) => _ = writeln!(out, "TraceRay(Scene, 0, 255, 0, 0, 0, ray(), {});", x(*q)),
            Stmt::Trace(q, Some(between)) => {
                _ = writeln!(out, "dx::HitObject h{at} = dx::HitObject::TraceRay(Scene, 0, 255, 0, 0, 0, ray(), {});", x(*q));
                print(out, between, n);
                _ = writeln!(out, "dx::HitObject::Invoke(h{at}, {});", x(*q));
            }
            Stmt::Call(q, i) => _ = writeln!(out, "helper{i}({});", x(*q)),
            Stmt::Return => out.push_str("return;\n"),
            Stmt::IgnoreHit => out.push_str("IgnoreHit();\n"),
            Stmt::AcceptHit => out.push_str("AcceptHitAndEndSearch();\n"),
        }
    }
}

/// A payload: what is undefined is `None`.
type Payload = [Option<u32>; FIELDS];

#[derive(PartialEq)]
enum End {
    Normal,
    Return,
    Accept,
}

/// One execution. Both runs of a program take the same ways.
struct Run<'p> {
    program: &'p Program,
    choices: Random,
    /// The stages that read and write each field; `None`: all stages.
    qualifiers: Option<[(u8, u8); FIELDS]>,
    /// Where fields are in packed payloads: each one's word and when it is alive.
    packed: Option<Places>,
    /// A trace always ends in a closest-hit or miss shader.
    always_shaded: bool,
    observed: Vec<Option<u32>>,
    steps: usize,
}

impl Run<'_> {
    /// What one of `stages` finds of a ray's payload, where stage `at` begins.
    fn read(&self, ray: Payload, stages: u8, at: u8) -> Payload {
        let Some(all) = self.qualifiers else { return ray };
        let word = |f: usize| match self.packed {
            None => Some(f),
            Some(places) => places[f].0.filter(|_| crosses(places[f].1, at, false)),
        };
        std::array::from_fn(|f| ray[word(f).filter(|_| all[f].0 & stages != 0)?])
    }

    /// Puts what one of `stages` writes into a ray's payload, where stage `at` ends.
    fn write(&self, ray: &mut Payload, p: Payload, stages: u8, at: u8) {
        let Some(all) = self.qualifiers else {
            *ray = p;
            return;
        };
        for f in (0..FIELDS).filter(|&f| all[f].1 & stages != 0) {
            match self.packed {
                None => ray[f] = p[f],
                Some(places) if crosses(places[f].1, at, true) => ray[places[f].0.expect("it is alive")] = p[f],
                Some(_) => {}
            }
        }
    }

    /// A shader of a stage with the ray's payload.
    fn shader(&mut self, body: &[Stmt], stage: u8, ray: &mut Payload, depth: u32) -> End {
        let mut p = self.read(*ray, stage, stage);
        let end = self.body(body, &mut p, &mut [None; FIELDS], depth);
        self.write(ray, p, stage, stage);
        end
    }

    fn any_hits(&mut self, ray: &mut Payload, depth: u32) {
        let shaders = &self.program.any_hit;
        for _ in 0..self.choices.below(4) {
            if shaders.is_empty() {
                return;
            }
            let n = self.choices.below(shaders.len());
            if self.shader(&shaders[n], ANY_HIT, ray, depth) == End::Accept {
                return;
            }
        }
    }

    fn shade(&mut self, ray: &mut Payload, depth: u32) {
        let (hit, miss) = (&self.program.closest_hit, &self.program.miss);
        let way = self.choices.below(5);
        let n = self.choices.below(hit.len().max(1) * miss.len().max(1));
        match way {
            0 if !self.always_shaded => {}
            0..=2 => _ = self.shader(&hit[n % hit.len()], CLOSEST_HIT, ray, depth),
            _ => _ = self.shader(&miss[n % miss.len()], MISS, ray, depth),
        }
    }

    fn trace(&mut self, x: &mut Payload, depth: u32) {
        let mut ray = [None; FIELDS];
        self.write(&mut ray, *x, CALLER, CALLER);
        self.any_hits(&mut ray, depth);
        self.shade(&mut ray, depth);
        *x = self.read(ray, CALLER, CALLER);
    }

    fn body(&mut self, body: &[Stmt], p: &mut Payload, q: &mut Payload, depth: u32) -> End {
        for s in body {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return End::Return;
            }
            match s {
                Stmt::Set(x, f, v) => (if *x { &mut *q } else { &mut *p })[*f] = Some(*v),
                Stmt::Move(x, f, y, g) => {
                    let v = if *y { q[*g] } else { p[*g] };
                    (if *x { &mut *q } else { &mut *p })[*f] = v;
                }
                Stmt::Copy(true) => *q = *p,
                Stmt::Copy(false) => *p = *q,
                Stmt::Observe(x, f) => self.observed.push(if *x { q[*f] } else { p[*f] }),
                Stmt::If(yes, no) => {
                    let way = if self.choices.below(2) == 0 { yes } else { no };
                    let end = self.body(way, p, q, depth);
                    if end != End::Normal {
                        return end;
                    }
                }
                Stmt::Twice(own, body) => {
                    for _ in 0..self.choices.below(3) {
                        let q = if *own { &mut [None; FIELDS] } else { &mut *q };
                        let end = self.body(body, p, q, depth);
                        if end != End::Normal {
                            return end;
                        }
                    }
                }
                // No device has this recursion depth: its effects are not observed.
                Stmt::Trace(..) if depth >= 6 => self.steps = MAX_STEPS,
                Stmt::Trace(x, None) => self.trace(if *x { q } else { p }, depth + 1),
                Stmt::Trace(x, Some(between)) => {
                    let t = if *x { &mut *q } else { &mut *p };
                    let mut ray = [None; FIELDS];
                    self.write(&mut ray, *t, CALLER, CALLER);
                    self.any_hits(&mut ray, depth + 1);
                    *t = self.read(ray, CALLER | CLOSEST_HIT | MISS, CALLER);
                    let end = self.body(between, p, q, depth);
                    if end != End::Normal {
                        return end;
                    }
                    let t = if *x { &mut *q } else { &mut *p };
                    let mut ray = [None; FIELDS];
                    self.write(&mut ray, *t, CALLER | ANY_HIT, CALLER);
                    self.shade(&mut ray, depth + 1);
                    *t = self.read(ray, CALLER, CALLER);
                }
                Stmt::Call(x, n) => {
                    let program = self.program;
                    // A `return` there ends the function alone.
                    _ = self.body(&program.helpers[*n], if *x { q } else { p }, &mut [None; FIELDS], depth);
                }
                Stmt::Return => return End::Return,
                Stmt::IgnoreHit => return End::Return,
                Stmt::AcceptHit => return End::Accept,
            }
        }
        End::Normal
    }
}

fn run(program: &Program, seed: u64, always_shaded: bool, qualifiers: Option<[(u8, u8); FIELDS]>) -> Vec<Option<u32>> {
    execute(program, seed, always_shaded, qualifiers, None)
}

/// The same with payloads packed by `pack_payload` under these facts about the shaders.
fn run_packed(program: &Program, seed: u64, always_shaded: bool, qualifiers: [(u8, u8); FIELDS], known: ShaderFacts) -> Vec<Option<u32>> {
    let alive = qualifiers.map(|(read, write)| known.alive(Paq { read, write }));
    let layout = pack(&alive.map(|alive| Interval { bits: 32, align: 32, alive }));
    let places = std::array::from_fn(|f| (layout.offsets[f].map(|at| at as usize / 32), alive[f]));
    execute(program, seed, always_shaded, Some(qualifiers), Some(places))
}

/// What a layout file that is made for the program knows of it.
fn known(program: &Program) -> ShaderFacts {
    let has = |shaders: &[Vec<Stmt>], stage: PaqStage| if shaders.is_empty() { 0 } else { stage.bit() };
    ShaderFacts {
        stages: PaqStage::Caller.bit()
            | has(&program.any_hit, PaqStage::AnyHit)
            | has(&program.closest_hit, PaqStage::ClosestHit)
            | has(&program.miss, PaqStage::Miss),
        hit_objects: program.hit_objects,
    }
}

type Places = [(Option<usize>, Transitions); FIELDS];

fn execute(
    program: &Program,
    seed: u64,
    always_shaded: bool,
    qualifiers: Option<[(u8, u8); FIELDS]>,
    packed: Option<Places>,
) -> Vec<Option<u32>> {
    let mut r = Run { program, choices: Random(seed), qualifiers, packed, always_shaded, observed: Vec::new(), steps: 0 };
    _ = r.body(&program.raygen, &mut [None; FIELDS], &mut [None; FIELDS], 0);
    r.observed
}

fn program(seed: u64) -> Program {
    let r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    Maker { r, numbers: 0, hit_objects: seed.is_multiple_of(3), helpers: 0 }.program()
}

fn run_seed(seed: u64, way: u64) -> u64 {
    seed.wrapping_mul(1_000_003).wrapping_add(way * 7919) | 1
}

fn options(program: &Program) -> Options {
    Options::new(Profile::parse(if program.hit_objects { "lib_6_9" } else { "lib_6_6" }).expect("a profile"))
}

/// How many observations were defined, and how much narrower the qualifiers are than all stages.
#[derive(Clone, Copy, Default)]
struct Counts {
    defined: usize,
    narrower: usize,
    /// No trace of the program can be reached, so there is nothing to infer from.
    untraced: bool,
}

fn check(seed: u64) -> Counts {
    let mut counts = Counts::default();
    let program = program(seed);
    let text = source(&program);
    let always_shaded = seed.is_multiple_of(2);
    let options = options(&program);
    let sources = [("random.hlsl".to_owned(), text.clone().into_bytes())];
    let found = infer(&sources, &mut NoIncludes, &options, Assume { all_shaded: always_shaded, ..Assume::default() });
    let said: String =
        found.libraries[0].diagnostics.iter().map(|d| rtc::render(&found.libraries[0].sources, d, rtc::Style::Short)).collect();
    // Each trace may come after a return.
    if found.diagnostics.iter().any(|d| d.code.id == "E0713" && d.message.contains("no trace with it")) {
        return Counts { untraced: true, ..Counts::default() };
    }
    assert!(!found.failed(), "seed {seed}:\n{said}{:?}\n{text}", found.diagnostics);
    let fields = &found.payloads[0].fields;
    assert_eq!(fields.len(), FIELDS, "seed {seed}\n{text}");
    let qualifiers: [(u8, u8); FIELDS] = std::array::from_fn(|f| (fields[f].solved.read, fields[f].solved.write));
    counts.narrower += qualifiers.iter().map(|q| 8 - (q.0.count_ones() + q.1.count_ones()) as usize).sum::<usize>();
    let shown = || rtc::paq::text(&found.payloads);
    if seed.is_multiple_of(10) {
        // Written into the source they are what is found there, and there is nothing more to write.
        let new = rewrite(&found, &sources, &mut NoIncludes, &options);
        assert!(new.diagnostics.is_empty() && new.files.len() == 1, "seed {seed}: {:?}\n{text}", new.diagnostics);
        let again = infer(&new.files, &mut NoIncludes, &options, Assume { all_shaded: always_shaded, ..Assume::default() });
        for (old, new) in fields.iter().zip(&again.payloads[0].fields) {
            let declared = new.declared[0].paq.and_then(|q| Some((q.read?.0, q.write?.0)));
            assert_eq!(declared, Some((old.solved.read, old.solved.write)), "seed {seed}");
            assert_eq!((old.solved.read, old.solved.write), (new.solved.read, new.solved.write), "seed {seed}");
        }
        assert!(rewrite(&again, &new.files, &mut NoIncludes, &options).files.is_empty(), "seed {seed}");
    }
    for way in 1..RUNS {
        let choices = run_seed(seed, way);
        let plain = run(&program, choices, always_shaded, None);
        let with = run(&program, choices, always_shaded, Some(qualifiers));
        assert_eq!(plain.len(), with.len());
        let by = if way % 2 == 0 { ShaderFacts::default() } else { known(&program) };
        let packed = run_packed(&program, choices, always_shaded, qualifiers, by);
        assert_eq!(plain.len(), packed.len());
        for (n, (a, b)) in with.iter().zip(&packed).enumerate() {
            let same = a.is_none() || a == b;
            assert!(same, "seed {seed}, way {way}: observation {n} was {a:?}, is {b:?} packed\n{}\n{text}", shown());
        }
        for (n, (a, b)) in plain.iter().zip(&with).enumerate() {
            counts.defined += usize::from(a.is_some());
            let same = a.is_none() || a == b;
            assert!(same, "seed {seed}, way {way}: observation {n} was {a:?}, is {b:?}\n{}\n{text}", shown());
        }
    }
    counts
}

#[test]
fn inferred_qualifiers_keep_what_programs_do() {
    let first = number("RTC_PAQ_SEED", 1);
    let count = number("RTC_PAQ_PROGRAMS", 10_000);
    let half = |part: u64| -> Vec<Counts> { (first..first + count).filter(|seed| seed % 2 == part).map(check).collect() };
    let results = std::thread::scope(|s| [s.spawn(|| half(0)), s.spawn(|| half(1))].map(std::thread::ScopedJoinHandle::join));
    let all: Vec<Counts> = results.into_iter().flat_map(|h| h.unwrap_or_else(|e| std::panic::resume_unwind(e))).collect();
    let (defined, narrower) = all.iter().fold((0, 0), |sum, c| (sum.0 + c.defined, sum.1 + c.narrower));
    assert_eq!(all.len(), count as usize);
    let untraced = all.iter().filter(|c| c.untraced).count();
    assert!(untraced <= all.len() / 1000, "{untraced} of {count} programs trace nothing");
    println!("{count} programs: {defined} defined observations, {narrower} stages left out");
    assert!(defined > 40 * all.len(), "the programs observe little: {defined}");
    assert!(narrower > 8 * all.len(), "the qualifiers are wide: {narrower}");
}

/// A payload declared in a loop has nothing from the round before, so what comes back from one trace need not go into the next.
#[test]
fn a_payload_in_a_loop_is_another_one_in_each_round() {
    let text = "
RaytracingAccelerationStructure Scene; RWByteAddressBuffer Out;
struct P { uint color; uint depth; };
[shader(\"raygeneration\")] void Rg() {
    for (uint n = 0; n < Out.Load(0); n++) {
        P p;
        p.depth = n;
        RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
        TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
        Out.Store(4 * n, p.color);
    }
}
[shader(\"closesthit\")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes a) { p.color = p.depth; }
[shader(\"miss\")] void Ms(inout P p) { p.color = 7; }
";
    let sources = [("loop.hlsl".to_owned(), text.as_bytes().to_vec())];
    let options = Options::new(Profile::parse("lib_6_6").expect("a profile"));
    let found = infer(&sources, &mut NoIncludes, &options, Assume::default());
    let qualifiers: Vec<(u8, u8)> = found.payloads[0].fields.iter().map(|f| (f.solved.read, f.solved.write)).collect();
    assert_eq!(qualifiers, [(CALLER, CLOSEST_HIT | MISS), (CLOSEST_HIT, CALLER)]);
}

/// Leaving a stage out changes what programs do, for two of three stages. (Not for all: what is read and then dropped counts as read, and a
/// value that comes back as it went in counts as written. Of all stages of all fields one in three is needed.)
#[test]
fn inferred_qualifiers_are_tight() {
    let (mut needed, mut all) = (0, 0);
    for seed in 1..40 {
        let program = program(seed);
        let always_shaded = seed % 2 == 0;
        let sources = [("random.hlsl".to_owned(), source(&program).into_bytes())];
        let found = infer(&sources, &mut NoIncludes, &options(&program), Assume { all_shaded: always_shaded, ..Assume::default() });
        let fields = &found.payloads[0].fields;
        let qualifiers: [(u8, u8); FIELDS] = std::array::from_fn(|f| (fields[f].solved.read, fields[f].solved.write));
        for (f, bit) in (0..FIELDS).flat_map(|f| (0..8).map(move |bit| (f, bit))) {
            let mut fewer = qualifiers;
            let set = if bit < 4 { &mut fewer[f].0 } else { &mut fewer[f].1 };
            if *set & 1 << (bit % 4) == 0 {
                continue;
            }
            *set &= !(1 << (bit % 4));
            all += 1;
            needed += usize::from((1..300).any(|way| {
                let plain = run(&program, run_seed(seed, way), always_shaded, None);
                let with = run(&program, run_seed(seed, way), always_shaded, Some(fewer));
                plain.iter().zip(&with).any(|(a, b)| a.is_some() && a != b)
            }));
        }
    }
    assert!(needed * 3 > all * 2, "{needed} of {all} stages are needed");
}
