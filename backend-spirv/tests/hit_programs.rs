//! Random programs with hit objects have the same meaning in SPIR-V as in HLSL: copies, joins, arrays, altered records, NOPs,
//! misses, hits of queries. The module is validated, then its words run on a machine that has hit objects in variables
//! as SPIR-V does and panics where SPIR-V leaves something undefined.

#[path = "programs/generate.rs"]
mod generate;
#[path = "programs/machine.rs"]
mod machine;
#[path = "programs/objects.rs"]
mod objects;

use generate::{Maker, Meaning, Text};
use rtc_oracles::selection::number;
use rtc_passes::pipeline::FUSE_HIT_OBJECTS;
use rtc_passes::{Level, PassCtx, pipeline};
use rtc_spirv::{Purpose, Ser};

/// Compiles a program and runs it for some threads. Whether some traversal and invocation were fused.
fn check(seed: u64, depth: u32, arrays: bool, validator: Option<&rtc_oracles::SpirvVal>) -> bool {
    let mut fused = false;
    let mut random = Maker(rtc_test_support::Random::of_seed(seed));
    for _ in 0..8 {
        random.below(2);
    }
    let program = random.block(depth, arrays);
    let text = Text::of(&program);
    let source = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for level in [Level::O0, Level::O3] {
        let mut m = source.clone();
        let fuse = (level != Level::O0).then_some(&FUSE_HIT_OBJECTS);
        for p in std::iter::once(pipeline(level)).chain(fuse) {
            if let Err(e) = p.run(&mut m, &PassCtx { check: false }) {
                panic!("{e}\n{text}");
            }
        }
        fused |= rtc_ir::text::print(&m).contains("trace_ray ");
        for ser in [Ser::Nv, Ser::Ext] {
            let purpose = Purpose { ser, ..Purpose::HOST };
            let out = rtc_spirv::compile(&m, &Default::default(), &Default::default(), purpose);
            let words = out.unwrap_or_else(|e| panic!("{e:?}\n{program:#?}")).words;
            let listing = || rtc_spirv::listing::listing(&words).unwrap_or_default();
            if let Some(Err(e)) = validator.map(|v| v.validate(&words)) {
                panic!("seed {seed} {ser:?} {level:?}: {e}\n{}", listing());
            }
            for id in 0..4 {
                let expected = Meaning::of(&program, id);
                let got = std::panic::catch_unwind(|| machine::run(&words, id));
                let got = got.unwrap_or_else(|_| vec!["it panicked".into()]);
                if got != expected {
                    let at = got.iter().zip(&expected).position(|(a, b)| a != b);
                    panic!(
                        "seed {seed} {ser:?} {level:?} thread {id}: event {at:?}\n{got:#?}\nexpected {expected:#?}\n{program:#?}\n{}",
                        listing()
                    );
                }
            }
        }
    }
    fused
}

fn run(seeds: std::ops::Range<u64>, depth: u32, arrays: bool) {
    let validator = match rtc_oracles::SpirvVal::load() {
        Ok(v) => Some(v),
        Err(missing) => {
            rtc_oracles::skip::skip(missing);
            None
        }
    };
    // RTC_PROGRAMS: how many instead.
    let count = number("RTC_PROGRAMS", seeds.end - seeds.start);
    let fused = (seeds.start..seeds.start + count).filter(|&seed| check(seed, depth, arrays, validator.as_ref())).count();
    assert!(count < 20 || fused > 0, "no traversal of {count} programs was fused with its invocation");
}

#[test]
fn straight_programs_keep_their_meaning() {
    run(0..80, 0, false);
}

#[test]
fn programs_with_branches_and_loops_keep_their_meaning() {
    run(0..40, 2, false);
}

#[test]
fn programs_with_arrays_keep_their_meaning() {
    run(0..25, 1, true);
}
