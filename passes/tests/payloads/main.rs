//! The analysis of payload access qualifiers against an executable model of the specification: random programs are run
//! along all their paths. What the analysis calls defined is defined; each warning is true on some path; and what goes
//! wrong on some path is reported. In each second program fields hold numbers of which conditions ask: there few warnings may be untrue.
//!
//! `RTC_PAYLOAD_PROGRAMS=N` runs that many, `RTC_PAYLOAD_SEED=N` begins elsewhere.

mod model;
mod program;

use model::Seen;
use program::{FIELD_NAMES, Program, Rng};
use rtc_base::Diagnostic;
use rtc_ir::text::print;
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{InstData, Module, Opcode};
use rtc_passes::paq_liveness::check;

/// So many paths of each shader are run.
const PATHS: usize = 3000;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |v| v.parse().expect(name))
}

/// The statement that a warning is at.
fn statement(d: &Diagnostic) -> u32 {
    (d.span().lo.raw() - 1) / 2
}

/// The field that a warning names.
fn field(d: &Diagnostic) -> usize {
    FIELD_NAMES.iter().position(|n| d.message.contains(&format!("`{n}`"))).expect("a field")
}

#[derive(Default)]
struct Counts {
    warnings: usize,
    unchecked: usize,
    found: usize,
    missed: usize,
    defined: usize,
    /// Warnings that are not true, of programs in which fields hold numbers.
    untrue: usize,
}

/// Checks one program. The analysis gets it as `spoil` leaves it.
fn run(seed: u64, counts: &mut Counts, spoil: fn(&mut Module)) {
    let mut r = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    r.below(2);
    let holds = seed.is_multiple_of(2);
    let p: Program = program::program(&mut r, holds);
    let m = program::lower(&p);
    if let Err(errors) = verify(&m) {
        panic!("seed {seed}: {}", print_with_errors(&m, &errors));
    }
    let mut seen = m.clone();
    spoil(&mut seen);
    let checked = check(&seen);
    assert!(checked.skipped.is_empty(), "seed {seed}");
    let (mut kind, mut unkind) = (Seen::default(), Seen::default());
    let mut complete = true;
    for n in 0..p.shaders.len() {
        complete &= model::explore(&p, n, true, PATHS, 3, &mut kind);
        model::explore(&p, n, false, PATHS, 2, &mut unkind);
    }
    let show = || format!("seed {seed}\n{:?}\n{:#?}\n{:#?}\n{}", p.paqs, p.helpers, p.shaders, print(&m));
    for &(f, i, defined) in &checked.loads {
        let id = (m.funcs[f].spans[i].lo.raw() - 1) / 2;
        counts.defined += usize::from(defined);
        assert!(!defined || !unkind.any_poison.contains(&id), "statement {id} reads poison\n{}", show());
    }
    for d in &checked.warnings {
        counts.warnings += 1;
        let id = statement(d);
        let real = match d.code.id {
            "W0710" => kind.poison_read.contains(&(id, false)),
            "W0711" => kind.poison_read.contains(&(id, true)),
            "W0712" => kind.is_lost_at_end(id),
            "W0713" => kind.is_lost_in_trace(id),
            "W0714" => kind.poison_in.contains(&(id, field(d), false)),
            "W0715" => kind.poison_in.contains(&(id, field(d), true)),
            "W0716" => {
                let named = |n: usize| d.message.contains("`main`") && kind.poison_out.contains(&(n, field(d)));
                (0..p.shaders.len()).any(named)
            }
            other => panic!("{other} is not one of these warnings\n{}", show()),
        };
        if !complete && !real {
            counts.unchecked += 1;
            continue;
        }
        // What fields hold is not followed everywhere.
        if holds && !real {
            counts.untrue += 1;
            if std::env::var("RTC_PAYLOAD_UNTRUE").is_ok() {
                println!("{} at statement {id} is not true: {}\n{}", d.code.id, d.message, show());
            }
            continue;
        }
        assert!(real, "{} at statement {id} is not true: {}\n{}", d.code.id, d.message, show());
    }
    // The other way round: what goes wrong on some path is reported.
    let said = |codes: &[&str], id: u32| checked.warnings.iter().any(|d| codes.contains(&d.code.id) && statement(d) == id);
    for &id in &kind.certain {
        *(if said(&["W0710", "W0711"], id) { &mut counts.found } else { &mut counts.missed }) += 1;
        if std::env::var("RTC_PAYLOAD_MISSED").is_ok() && !said(&["W0710", "W0711"], id) {
            println!("missed at {id}\n{}", show());
        }
    }
    for &(id, f, fresh) in &kind.poison_in {
        if f == 3 {
            continue;
        }
        let code = if fresh { "W0715" } else { "W0714" };
        *(if said(&["W0714", "W0715", code], id) { &mut counts.found } else { &mut counts.missed }) += 1;
    }
}

#[test]
fn warnings_of_random_programs_are_true() {
    let first = number("RTC_PAYLOAD_SEED", 1);
    let count = number("RTC_PAYLOAD_PROGRAMS", 10_000);
    let mut counts = Counts::default();
    for seed in first..first + count {
        run(seed, &mut counts, |_| {});
    }
    let Counts { warnings, unchecked, found, missed, defined, untrue } = counts;
    println!(
        "{warnings} warnings, {unchecked} of them unchecked, {untrue} untrue; {found} found, {missed} missed; {defined} defined reads"
    );
    if count >= 1000 {
        let n = count as usize;
        assert!(warnings > n && defined > n / 4, "the programs say little: {warnings}, {defined}");
        assert!(untrue * 2000 < warnings, "{untrue} of {warnings} warnings are not true");
        assert!(unchecked * 500 < warnings, "too many paths: {unchecked} of {warnings} warnings are not checked");
        assert!(missed * 500 < found, "{missed} of {} poisoned reads are not said", found + missed);
    }
}

/// Changes a program into one that the analysis must not take for it.
type Mistake = fn(&mut Module);

/// What the analysis could get wrong: it gets another program than the model.
const MISTAKES: &[(&str, Mistake)] = &[
    ("closest-hit shaders are thought to read all", |m| qualifiers(m, |q| q.read |= 2)),
    ("any-hit shaders are thought to read nothing", |m| qualifiers(m, |q| q.read &= !8)),
    ("callers are thought to get all back", |m| qualifiers(m, |q| q.read |= 1)),
    ("callers are thought to get nothing back", |m| qualifiers(m, |q| q.read &= !1)),
    ("callers are thought to give nothing", |m| qualifiers(m, |q| q.write &= !1)),
    ("miss shaders are thought to write all", |m| qualifiers(m, |q| q.write |= 4)),
    ("traces are not seen", |m| drop_insts(m, |i| matches!(i, InstData::Slot { op: Opcode::trace_ray, .. }))),
    ("assignments are not seen", |m| drop_insts(m, |i| matches!(i, InstData::Access { op: Opcode::store, .. }))),
    ("copies of payloads are not seen", |m| drop_insts(m, |i| matches!(i, InstData::Copy { .. }))),
    ("arms are exchanged", |m| {
        for i in m.funcs.values_mut().flat_map(|f| f.insts.values_mut()) {
            if let InstData::If { then_, else_, .. } = i {
                std::mem::swap(then_, else_);
            }
        }
    }),
];

fn qualifiers(m: &mut Module, spoil: fn(&mut rtc_ir::Paq)) {
    m.structs.values_mut().flat_map(|s| &mut s.fields).filter_map(|f| f.paq.as_mut()).for_each(spoil);
}

fn drop_insts(m: &mut Module, which: fn(&InstData) -> bool) {
    for f in m.funcs.values_mut() {
        let gone: Vec<_> = f.insts.iter().filter(|(_, data)| which(data)).map(|(i, _)| i).collect();
        f.regions.values_mut().for_each(|r| r.insts.retain(|i| !gone.contains(i)));
    }
}

/// An analysis that makes a mistake says something that is not true, or not what goes wrong, and soon.
#[test]
fn mistakes_of_the_analysis_are_found() {
    for &(name, spoil) in MISTAKES {
        let mut counts = Counts::default();
        let mut wrong = |seed: &u64| {
            let run = || run(*seed, &mut counts, spoil);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
        };
        let untrue = (1..=300).find(|seed| wrong(seed));
        println!("{name}: untrue in program {untrue:?}, {} of {} not said", counts.missed, counts.found + counts.missed);
        assert!(untrue.is_some() || counts.missed > 0 && counts.missed * 500 >= counts.found, "not found: {name}");
    }
}
