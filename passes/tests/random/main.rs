//! Random programs mean the same before and after each pass, and after each standard pipeline.

mod converge;
mod generate;
mod interp;
mod live_state;
mod loads;
mod warnings;
mod wavefront;

use std::time::{Duration, Instant};

use generate::Rng;
use rtc_ir::text::print;
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Func, Module};
use rtc_passes::finite::Finite;
use rtc_passes::ranges::{Range, Ranges};
use rtc_passes::reorder;
use rtc_passes::reorder::bytes_across;
use rtc_passes::reorder_audit::Audit;
use rtc_passes::uniformity::Uniformity;
use rtc_passes::{Level, PASSES, PassCtx, find, pipeline, run_pass, run_passes};

const FUEL: u64 = 200_000;

fn entry(m: &Module) -> Func {
    m.funcs.iter().find(|(_, f)| f.is_entry()).unwrap().0
}

/// Runs passes one by one and compares the outcome after each. How long they go on is up to the time.
fn check(seed: u64, passes: &[&str]) -> bool {
    let mut rng = Rng(seed);
    let size = 10 + rng.below(120);
    let loose = rng.below(2) == 0;
    let (mut m, _) = generate::module(&mut rng, size, loose);
    if let Err(errors) = verify(&m) {
        panic!("seed {seed:#x}: {}", print_with_errors(&m, &errors));
    }
    let Some(expected) = interp::run(&m, entry(&m), FUEL) else {
        return false;
    };
    let cx = PassCtx { check: true };
    for name in passes {
        let before = print(&m);
        let mut audit = Audit::take(&mut m);
        let pass = find(name).unwrap();
        if !m.props.contains(pass.requires) {
            continue;
        }
        if let Err(e) = run_pass(&mut m, pass, &cx) {
            panic!("seed {seed:#x}: {e}\nbefore:\n{before}");
        }
        let moved = audit.check(&m, name.starts_with("unroll"));
        if let Some(d) = moved.first() {
            panic!("seed {seed:#x}: `{name}`: {}\n{before}\nafter:\n{}", d.message, print(&m));
        }
        let Some(now) = interp::run(&m, entry(&m), 2 * FUEL) else {
            panic!("seed {seed:#x}: `{name}` made it run for ever\n{before}\nafter:\n{}", print(&m));
        };
        assert_eq!(now, expected, "seed {seed:#x}: `{name}` changed the meaning\n{before}\nafter:\n{}", print(&m));
    }
    true
}

fn for_a_while(start: u64, mut f: impl FnMut(u64) -> bool) {
    let seconds: u64 = std::env::var("RTC_FUZZ_SECONDS").map_or(1, |s| s.parse().expect("RTC_FUZZ_SECONDS is a number"));
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut n, mut useful) = (0u64, 0);
    while Instant::now() < end || n < 3 {
        n += 1;
        let seed = start.wrapping_add(n).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        useful += u64::from(f(seed));
    }
    assert!(useful * 4 > n, "{useful} of {n} programs ended in time");
}

#[test]
fn random_orders_of_passes_keep_the_meaning() {
    for_a_while(1, |seed| {
        let mut rng = Rng(seed ^ 0x55);
        let mut order = vec!["inline", "privates"];
        for _ in 0..8 {
            let early = rng.below(4) == 0;
            let name = PASSES[rng.below(PASSES.len())].name;
            // The interpreter shows traversals and invocations as what they are, and rows of the miss table.
            if matches!(name, "divide_traces" | "converge_traces") {
                continue;
            }
            if early { order.insert(0, name) } else { order.push(name) }
        }
        check(seed, &order)
    });
}

#[test]
fn pipelines_keep_the_meaning() {
    let levels = [Level::O0, Level::O1, Level::O2];
    for_a_while(1 << 32, |seed| check(seed, &pipeline(levels[seed as usize / 2 % 3]).passes()));
}

/// What the analyses of ranges and of finite numbers say of a value holds whenever it is used, before and after optimising.
#[test]
fn values_are_in_their_ranges() {
    let (mut narrow, mut finite_numbers) = (0u64, 0u64);
    for_a_while(1 << 40, |seed| {
        let mut rng = Rng(seed);
        let size = 10 + rng.below(120);
        let (mut m, _) = generate::module(&mut rng, size, true);
        let level = [Level::O0, Level::O2][seed as usize / 2 % 2];
        let passes = if seed & 4 == 0 { Vec::new() } else { pipeline(level).passes() };
        run_passes(&mut m, &passes, &PassCtx { check: false }).unwrap_or_else(|e| panic!("seed {seed:#x}, {level:?}: {e}"));
        let ranges: std::collections::HashMap<String, Ranges> =
            m.funcs.values().map(|f| (f.symbol.clone(), Ranges::of(&m.types, f))).collect();
        let finite: std::collections::HashMap<String, Finite> =
            m.funcs.values().map(|f| (f.symbol.clone(), Finite::of(&m.types, f))).collect();
        let mut observe = |f: &rtc_ir::Function, i, v, bits: u64, _: &[u32]| {
            if f.ty(v) == rtc_ir::Type::F32 {
                let x = f32::from_bits(bits as u32);
                let stated = finite[&f.symbol].is_finite(v);
                finite_numbers += u64::from(stated && f.as_const(v).is_none());
                assert!(!stated || x.is_finite(), "seed {seed:#x}: {v} is {x} at {i}, and is finite\n{}", print(&m));
                return;
            }
            let range = ranges[&f.symbol].at(v, i);
            let inside = !range.meet(Range::just(bits as u32)).is_empty();
            narrow += u64::from(!range.is_all() && range.constant().is_none());
            assert!(inside, "seed {seed:#x}: {v} is {bits:#x} at {i}, said {range:x?}\n{}", print(&m));
        };
        interp::run_observed(&m, entry(&m), FUEL, 0, &mut observe);
        true
    });
    assert!(narrow > 100, "{narrow} uses with a range");
    assert!(finite_numbers > 100, "{finite_numbers} uses of finite numbers");
}

/// What is live across reorder points is all that is needed after them: everything else may be overwritten there.
#[test]
fn nothing_else_is_needed_after_reorder_points() {
    let mut points = 0;
    for_a_while(1 << 48, |seed| {
        let mut rng = Rng(seed);
        let size = 10 + rng.below(120);
        let (mut m, _) = generate::module(&mut rng, size, true);
        let level = [Level::O0, Level::O2][seed as usize / 2 % 2];
        let passes = if seed & 4 == 0 { Vec::new() } else { pipeline(level).passes() };
        run_passes(&mut m, &passes, &PassCtx { check: false }).unwrap();
        let mut kept = interp::Kept::new();
        for (id, f) in &m.funcs {
            kept.extend(reorder::across(&m, f).into_iter().map(|s| ((id.as_u32(), s.point), s)));
        }
        points += kept.len();
        let Some(expected) = interp::run(&m, entry(&m), FUEL) else { return false };
        let now = interp::run_keeping(&m, entry(&m), FUEL, &kept);
        let states: Vec<_> = kept.values().collect();
        assert_eq!(now, Some(expected), "seed {seed:#x}: something else is needed\n{states:#?}\n{}", print(&m));
        true
    });
    assert!(points > 20, "{points} points");
}

/// What is uniform is the same in threads that find the same constants and memory and differ in all else, in each iteration.
#[test]
fn uniform_values_are_the_same_in_all_threads() {
    let mut compared = 0u64;
    for_a_while(1 << 52, |seed| {
        let mut rng = Rng(seed);
        let size = 10 + rng.below(120);
        let (mut m, _) = generate::module(&mut rng, size, true);
        let names = ["inline", "privates", "sroa", "mem2reg", "optimize"];
        run_passes(&mut m, &names[..2 + rng.below(4)], &PassCtx { check: false }).unwrap();
        let id = entry(&m);
        let known = Uniformity::of(&m, &m.funcs[id]);
        let mut seen = std::collections::HashMap::new();
        for thread in 0..3 {
            let mut observe = |f: &rtc_ir::Function, i, v, bits: u64, iterations: &[u32]| {
                if f.as_const(v).is_some() || !known.is_uniform(f, v) {
                    return;
                }
                let first = *seen.entry((i, v, iterations.to_vec())).or_insert((thread, bits));
                compared += u64::from(first.0 != thread);
                assert_eq!(first.1, bits, "seed {seed:#x}: {v} differs at {i}\n{}", print(&m));
            };
            interp::run_observed(&m, id, FUEL, thread, &mut observe);
        }
        true
    });
    assert!(compared > 100, "{compared} uses compared");
}

/// `reorder_motion` never lets more be carried across reorder points, and often less.
#[test]
fn less_is_carried_across_reorder_points() {
    let (mut before, mut after) = (0, 0);
    for_a_while(1 << 48, |seed| {
        let mut rng = Rng(seed);
        let size = 10 + rng.below(120);
        let (mut m, _) = generate::module(&mut rng, size, true);
        let cx = PassCtx { check: false };
        let names = ["inline", "privates", "sroa", "mem2reg", "optimize"];
        run_passes(&mut m, &names[..2 + rng.below(4)], &cx).unwrap();
        let was = bytes_across(&m);
        let before_it = print(&m);
        if let Err(e) = run_passes(&mut m, &["reorder_motion"], &cx) {
            panic!("seed {seed:#x}: {e:?}\n{before_it}");
        }
        let now = bytes_across(&m);
        assert!(now <= was, "seed {seed:#x}: {was} -> {now}\n{}", print(&m));
        (before, after) = (before + was, after + now);
        true
    });
    println!("{before} -> {after} bytes");
    assert!(after < before, "{before} -> {after} bytes");
}

/// One program for debugging: `RTC_SEED=0x… cargo test -p rtc-passes one_seed`.
#[test]
fn one_seed() {
    if let Ok(text) = std::env::var("RTC_SEED") {
        let seed = u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap();
        check(seed, &pipeline(Level::O2).passes());
    }
}

#[test]
fn optimised_programs_shrink() {
    let mut rng = Rng(12345);
    let (mut before, mut after) = (0, 0);
    for _ in 0..10 {
        let (mut m, _) = generate::module(&mut rng, 60, true);
        let cx = PassCtx { check: false };
        run_passes(&mut m, &["inline", "privates"], &cx).unwrap();
        before += m.funcs.values().map(|f| f.insts.len()).sum::<usize>();
        pipeline(Level::O2).run(&mut m, &cx).unwrap();
        after += m.funcs.values().map(|f| f.insts.len()).sum::<usize>();
    }
    assert!(after * 2 < before, "{before} instructions became {after}");
}
