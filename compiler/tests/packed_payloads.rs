//! Packed payloads preserve the behaviour of programs. Random libraries are compiled with and without `pack_payload`, optimised and not, and
//! an interpreter runs their shaders together: declared payloads by the rules of the specification, packed ones as memory that caller and
//! shaders share. Every defined output of the program as written must be the same after the passes.
//!
//! Planted errors (`packed/mistakes.rs`) show that the test finds errors.
//!
//! All 10,000 programs run packed, every third also optimised, every fourth as a whole (with what shaders store known), every twelfth optimised but not
//! packed; for some, compiling twice must give the same result.
//!
//! `RTC_PACKED_PROGRAMS=N` runs that many programs, `RTC_PACKED_SEED=N` sets the first seed.

#[allow(dead_code)]
#[path = "packed/alone.rs"]
mod alone;
#[path = "packed/generate.rs"]
mod generate;
#[path = "packed/machine.rs"]
mod machine;
#[path = "packed/members.rs"]
mod members;
#[path = "packed/mistakes.rs"]
mod mistakes;
#[path = "packed/traces.rs"]
mod traces;

use generate::Library;
use machine::{End, Event, Layouts, Machine};
use rtc::{NoIncludes, OptLevel, Options, PayloadLayout, Product, Profile, Target};
use rtc_base::{Interner, SourceMap};
use rtc_frontend::preprocess::PreprocessOptions;
use rtc_frontend::{lower, sema};
use rtc_ir::Module;
use rtc_oracles::selection::number;
use rtc_passes::{PassCtx, StageName, pipeline, run_passes};

/// So many scripts each program is run with.
const SCRIPTS: u64 = 6;
const FUEL: u64 = 6000;

/// The front end alone.
fn module(l: &Library, seed: u64) -> Module {
    let (mut sources, mut names) = (SourceMap::new(), Interner::new());
    let main = sources.add_file("random.hlsl", &*l.text, None).expect("it is small");
    let parsed = rtc_frontend::parse(&mut sources, &mut names, main, &PreprocessOptions::default(), &mut NoIncludes);
    let options = sema::SemaOptions {
        shader_model: if l.hit_objects { 9 } else { 7 },
        native_16bit: l.native,
        payload_qualifiers: Some(true),
        ..sema::SemaOptions::default()
    };
    let (typed, found) = sema::check(&parsed.ast, &sources, &mut names, &options);
    let errors = parsed.diagnostics.iter().chain(&found).filter(|d| d.is_error());
    let said: String = errors.map(|d| rtc::render(&sources, d, rtc::Style::Short)).collect();
    assert!(said.is_empty(), "seed {seed}: {said}\n{}", l.text);
    let lowering = lower::Options {
        shader_model: options.shader_model.into(),
        native_16bit: l.native,
        layout: rtc::BufferLayout::DX,
        payload_qualifiers: true,
        ..lower::Options::default()
    };
    let (module, found) = lower::lower(&typed, &names, &lowering);
    assert!(found.iter().all(|d| !d.is_error()), "seed {seed}\n{}", l.text);
    module
}

/// What the compiler makes.
fn made(l: &Library, level: OptLevel, layout: PayloadLayout, seed: u64) -> String {
    let mut options = Options::new(Profile::parse(if l.hit_objects { "lib_6_9" } else { "lib_6_7" }).expect("a profile"));
    (options.target, options.level, options.payload_layout, options.native_16bit) = (Target::Ir, level, layout, l.native);
    options.warnings.none = true;
    let made = rtc::compile("random.hlsl", l.text.as_bytes(), &mut NoIncludes, &options);
    let Some(Product::Ir(text)) = made.product else { panic!("seed {seed}: {:?}", made.diagnostics) };
    text
}

/// That what is run here is what the compiler makes.
fn is_what_the_compiler_makes(l: &Library, m: &Module, level: OptLevel, packed: bool, seed: u64) {
    let text = made(l, level, if packed { PayloadLayout::Packed } else { PayloadLayout::Declared }, seed);
    assert_eq!(text, rtc_ir::text::print(m), "seed {seed}: these are not the passes of the compiler");
}

/// The passes of a compilation, up to packing and after it.
fn passes(level: OptLevel, packed: bool) -> (Vec<&'static str>, Vec<&'static str>) {
    let pipeline = pipeline(level);
    let mut first = pipeline.stage(StageName::Inline).to_vec();
    let rest = pipeline.passes()[first.len()..].to_vec();
    if packed {
        first.push("pack_payload");
    }
    (first, rest)
}

fn compiled(m: &Module, level: OptLevel, packed: bool, seed: u64, spoil: &mut dyn FnMut(&mut Module)) -> Module {
    let mut m = m.clone();
    let (first, rest) = passes(level, packed);
    let cx = PassCtx { check: false };
    run_passes(&mut m, &first, &cx).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    spoil(&mut m);
    run_passes(&mut m, &rest, &cx).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    m
}

/// What goes out, and how it ends.
fn run(m: &Module, layouts: &Layouts, script: u64, garbage: u64, follow: bool) -> (Vec<Event>, End) {
    let fuel = if follow { 8 * FUEL } else { FUEL };
    let mut machine = Machine::new(m, layouts, script, garbage, follow, fuel);
    let end = machine.start();
    (machine.events, end)
}

/// How many defined numbers went out; `Err`: what differs.
fn compare(expected: &(Vec<Event>, End), found: &(Vec<Event>, End)) -> Result<usize, String> {
    let mut defined = 0;
    for (n, (at, x)) in expected.0.iter().enumerate() {
        let Some((other, y)) = found.0.get(n) else {
            return match found.1 {
                End::Fuel => Ok(defined),
                _ => Err(format!("number {n}, for {at}, does not go out")),
            };
        };
        if at != other {
            return Err(format!("number {n} goes to {other} and not to {at}"));
        }
        for k in (0..4).filter(|k| x.undefined >> k & 1 == 0) {
            if x.bits[k] != y.bits[k] {
                return Err(format!("number {n}, for {at}, is {:#x} and not {:#x}", y.bits[k], x.bits[k]));
            }
        }
        defined += usize::from(x.undefined == 0);
    }
    if expected.1 == End::Done && found.0.len() > expected.0.len() {
        return Err("more goes out".into());
    }
    Ok(defined)
}

#[derive(Default, Debug)]
struct Counts {
    runs: usize,
    numbers: usize,
    compared: usize,
    undefined_control: usize,
    fuel: usize,
    /// Words of payloads of programs that are compiled as a whole, packed by their qualifiers and by all that is known.
    packed_words: usize,
    whole_words: usize,
}

/// Compiles one program in its forms and runs them.
fn check(seed: u64, counts: &mut Counts) {
    let l = generate::library(seed);
    let m = module(&l, seed);
    let layouts = Layouts::new(&m);
    let mut forms = vec![("packed", compiled(&m, OptLevel::O0, true, seed, &mut |_| {}))];
    // That takes most of the time.
    if seed.is_multiple_of(3) {
        forms.push(("packed and optimised", compiled(&m, OptLevel::O3, true, seed, &mut |_| {})));
    }
    if seed.is_multiple_of(4) {
        let level = if seed.is_multiple_of(8) { OptLevel::O0 } else { OptLevel::O3 };
        let text = made(&l, level, PayloadLayout::Whole, seed);
        let whole = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let words = |m: &Module| m.structs.values().filter(|s| s.name.ends_with(".packed")).map(|s| s.fields.len()).sum::<usize>();
        counts.whole_words += words(&whole);
        counts.packed_words += words(&forms[0].1);
        forms.push(("whole", whole));
    }
    if seed.is_multiple_of(12) {
        forms.push(("optimised", compiled(&m, OptLevel::O3, false, seed, &mut |_| {})));
    }
    if seed.is_multiple_of(240) {
        is_what_the_compiler_makes(&l, &forms[0].1, OptLevel::O0, true, seed);
        is_what_the_compiler_makes(&l, &forms[1].1, OptLevel::O3, true, seed);
        is_what_the_compiler_makes(&l, &forms.last().expect("there are some").1, OptLevel::O3, false, seed);
    }
    let forms: Vec<_> = forms.into_iter().map(|(name, m)| (name, Layouts::new(&m), m)).collect();
    for n in 0..SCRIPTS {
        let script = machine::hash(seed, n + 1);
        let expected = run(&m, &layouts, script, 1, false);
        counts.runs += 1;
        counts.numbers += expected.0.len();
        counts.undefined_control += usize::from(expected.1 == End::Undefined);
        counts.fuel += usize::from(expected.1 == End::Fuel);
        for (name, layouts, form) in &forms {
            let found = run(form, layouts, script, n + 2, true);
            match compare(&expected, &found) {
                Ok(defined) => counts.compared += defined,
                Err(e) => {
                    let text = rtc_ir::text::print(form);
                    panic!("seed {seed}, script {n}, {name}: {e}\n{}\n{text}", l.text)
                }
            }
        }
    }
}

#[test]
fn packed_programs_do_what_declared_ones_do() {
    let first = number("RTC_PACKED_SEED", 1);
    let count = number("RTC_PACKED_PROGRAMS", 10_000);
    let half = |part: u64| {
        let mut counts = Counts::default();
        (first..first + count).filter(|seed| seed % 2 == part).for_each(|seed| check(seed, &mut counts));
        counts
    };
    let results = std::thread::scope(|s| [s.spawn(|| half(0)), s.spawn(|| half(1))].map(std::thread::ScopedJoinHandle::join));
    let mut all = Counts::default();
    for c in results {
        let c = c.unwrap_or_else(|e| std::panic::resume_unwind(e));
        all = Counts {
            runs: all.runs + c.runs,
            numbers: all.numbers + c.numbers,
            compared: all.compared + c.compared,
            undefined_control: all.undefined_control + c.undefined_control,
            fuel: all.fuel + c.fuel,
            packed_words: all.packed_words + c.packed_words,
            whole_words: all.whole_words + c.whole_words,
        };
    }
    println!("{all:?}");
    let Counts { runs, numbers, compared, undefined_control, fuel, packed_words, whole_words } = all;
    assert!(whole_words * 10 < packed_words * 9, "{whole_words} of {packed_words} words: what shaders store hardly matters");
    assert!(numbers > 8 * runs && compared > 5 * runs, "the programs say little");
    assert!((undefined_control + fuel) * 20 < runs, "many runs are cut short");
}

/// Each mistake makes some program do something else, and soon.
#[test]
fn planted_mistakes_are_found() {
    const PROGRAMS: u64 = 400;
    let program = |seed| {
        let m = module(&generate::library(seed), seed);
        let layouts = Layouts::new(&m);
        let scripts = (0..SCRIPTS).map(|n| machine::hash(seed, n + 1));
        let expected: Vec<_> = scripts.map(|s| (s, run(&m, &layouts, s, 1, false))).collect();
        (m, expected)
    };
    let mut programs = Vec::new();
    let mut missed = Vec::new();
    for mistake in mistakes::MISTAKES {
        let (mut spoiled, mut found) = (0, 0);
        for seed in 1..=PROGRAMS {
            if programs.len() < seed as usize {
                programs.push(program(seed));
            }
            let (m, expected) = &programs[seed as usize - 1];
            let mut m = m.clone();
            let mut planted = mistake.before && (mistake.plant)(&mut m);
            let spoil = &mut |m: &mut Module| planted |= !mistake.before && (mistake.plant)(m);
            let m = compiled(&m, OptLevel::O0, true, seed, spoil);
            if !planted {
                continue;
            }
            spoiled += 1;
            let layouts = Layouts::new(&m);
            let differs = |e: &(u64, (Vec<Event>, End))| compare(&e.1, &run(&m, &layouts, e.0, 9, true)).is_err();
            found += usize::from(expected.iter().any(differs));
            if found == 3 {
                break;
            }
        }
        println!("{}: found in {found} of {spoiled} programs", mistake.name);
        if found == 0 {
            missed.push(mistake.name);
        }
    }
    assert!(mistakes::MISTAKES.len() >= 20 && missed.is_empty(), "not found: {missed:?}");
}
