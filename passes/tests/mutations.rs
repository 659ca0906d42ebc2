//! Whatever parses and verifies goes through every pass: the test inputs with random changes.

use rtc_ir::text::{parse, print};
use rtc_passes::reorder;
use rtc_passes::{Level, PassCtx, PipelineError, pipeline};
use rtc_test_support::Random;

#[test]
fn mutated_programs_go_through_all_passes() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rtir");
    let seeds: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .filter_map(|f| {
            let text = std::fs::read_to_string(f.unwrap().path()).unwrap();
            let m = parse(text.split("\n; =>\n").next().unwrap()).ok()?;
            Some(print(&m))
        })
        .collect();
    let seconds: u64 = std::env::var("RTC_FUZZ_SECONDS").map_or(1, |s| s.parse().expect("RTC_FUZZ_SECONDS is a number"));
    let end = std::time::Instant::now() + std::time::Duration::from_secs(seconds);
    let mut rng = Random(0x1234_5678_9abc_def1);
    let (mut ran, mut tried) = (0u32, 0u32);
    while std::time::Instant::now() < end || ran < 3 {
        tried += 1;
        let base = &seeds[rng.below(seeds.len())];
        let mut words: Vec<&str> = base.split_inclusive([' ', '\n', ',', '(', ')']).collect();
        for _ in 0..1 + rng.below(6) {
            let (a, b) = (rng.below(words.len()), rng.below(words.len()));
            // Rather by something of the same kind: numbers of entities by others.
            let kind = |w: &str| w.trim_end_matches(|c: char| !c.is_alphabetic()).to_string();
            let same: Vec<usize> = (0..words.len()).filter(|&n| kind(words[n]) == kind(words[a])).collect();
            match rng.below(5) {
                0 => words.swap(a, b),
                1 => {
                    words.remove(a);
                }
                _ => words[a] = words[same[rng.below(same.len())]],
            }
        }
        let text = words.concat();
        let Ok(mut m) = parse(&text) else { continue };
        if rtc_ir::verify::verify(&m).is_err() {
            continue;
        }
        ran += 1;
        // Before the passes and after: analyses take any well-formed module.
        let analyse = |m: &rtc_ir::Module| {
            let _ = reorder::warnings(m);
            for f in m.funcs.values() {
                let _ = (reorder::across(m, f), reorder::groups(m, f));
            }
        };
        analyse(&m);
        let level = [Level::O0, Level::O1, Level::O2][rng.below(3)];
        match pipeline(level).run(&mut m, &PassCtx { check: true }) {
            Ok(_) => analyse(&m),
            Err(PipelineError::Failed { .. }) => {}
            Err(e) => panic!("{e}\nfrom:\n{text}"),
        }
    }
    assert!(ran * 200 > tried, "only {ran} of {tried} changed programs were well formed");
}
