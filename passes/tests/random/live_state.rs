//! What reorder points carry in a fixed set of random programs, before and after `reorder_motion`: a change of the analysis or of the motions shows in
//! `live_state.txt`, which `RTC_BLESS=1` writes anew.

use rtc_ir::Module;
use rtc_ir::verify::verify;
use rtc_passes::reorder;
use rtc_passes::{PassCtx, run_passes};

use crate::generate::{self, Rng};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/random/live_state.txt");

/// Points, bytes, components of values, parts of variables, the work to recompute values, distinct bytes, groups of the report, instructions.
fn state(m: &Module) -> [usize; 8] {
    let mut out = [0; 8];
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, _| out[7] += 1);
        for s in reorder::across(m, f) {
            out[0] += 1;
            out[1] += s.bytes() as usize;
            out[2] += s.values.iter().map(|v| v.components.count_ones() as usize).sum::<usize>();
            out[3] += s.parts.len();
            out[4] += s.values.iter().filter_map(|v| v.recompute).map(|n| n as usize + 1).sum::<usize>();
            out[5] += reorder::distinct(m, f, &s).bytes() as usize;
        }
        out[6] += reorder::groups(m, f).len();
    }
    out
}

fn line(n: u64) -> String {
    let mut rng = Rng((n + 77).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let size = 20 + rng.below(120);
    let (mut m, _) = generate::with_points(&mut rng, size, true, n.is_multiple_of(2));
    let cx = PassCtx { check: false };
    let early = ["inline", "privates", "sroa", "mem2reg", "dce"];
    run_passes(&mut m, &early[..2 + n as usize % 4], &cx).expect("passes");
    let before = state(&m);
    run_passes(&mut m, &["reorder_motion"], &cx).expect("the motions");
    assert!(verify(&m).is_ok(), "{n}");
    let words = |all: [usize; 8]| all.map(|n| n.to_string()).join(" ");
    format!("{}: {} -> {}\n", n, words(before), words(state(&m)))
}

#[test]
fn live_state_of_some_programs_is_what_it_was() {
    let found: String = (0..160).map(line).collect();
    if std::env::var_os("RTC_BLESS").is_some() {
        std::fs::write(FILE, found).expect("it can be written");
        return;
    }
    let expected = std::fs::read_to_string(FILE).expect("RTC_BLESS=1 writes it");
    for (now, was) in found.lines().zip(expected.lines()) {
        assert_eq!(now, was, "RTC_BLESS=1 rewrites {FILE}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
