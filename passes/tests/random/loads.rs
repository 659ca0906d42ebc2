//! Random sequences of loads and stores, dense enough that many loads are merged: each loaded value is stored, and the same is stored after merging.

use std::fmt::Write as _;

use rtc_ir::Opcode;
use rtc_ir::text::{parse, print};
use rtc_passes::{PassCtx, run_passes};

use super::generate::Rng;
use super::{FUEL, entry, for_a_while, interp};

/// A shader that loads and stores at constant offsets from a few addresses, at the top level and in branches.
fn program(rng: &mut Rng) -> String {
    let mut text = String::from(
        "module sm 6.3\ng0 = resource \"written\" : res(uav raw) space 0\ng1 = resource \"read\" : res(srv raw) space 0\n\
         fn fn0 \"Main\" stage compute {\nv0 = const i32 0 v1 = const i32 4 v2 = const i32 8 v3 = const i32 12 v4 = const i32 16 v5 = const i32 20\n\
         v6 = const i32 48 v7 = const i32 -4\nr0:\nv10 = resource g0 v11 = resource g1\n\
         v12 = raw_load #4 v11, v1 : i32 v13 = and v12, v6 : i32 v14 = umin v12, v6 : i32 v15 = ieq v13, v0 : bool\n",
    );
    let (mut next, mut regions, mut inside) = (16, 1, false);
    for _ in 0..12 + rng.below(24) {
        let mut fresh = || {
            next += 1;
            next - 1
        };
        match rng.below(12) {
            0 if !inside => {
                write!(text, "if v15 {{\nr{regions}:\n").unwrap();
                (regions, inside) = (regions + 1, true);
            }
            0 => {
                write!(text, "yield\n}} else {{\nr{regions}:\nyield\n}}\n").unwrap();
                (regions, inside) = (regions + 1, false);
            }
            kind => {
                let offset = rng.below(8);
                let at = match [None, Some(12), Some(13), Some(14)][rng.below(4)] {
                    Some(base) => {
                        let sum = fresh();
                        writeln!(text, "v{sum} = iadd v{base}, v{offset} : i32").unwrap();
                        sum
                    }
                    None => offset,
                };
                if kind == 1 {
                    writeln!(text, "raw_store #4 v10, v{at}, v{}", 12 + rng.below(3)).unwrap();
                    continue;
                }
                let (ty, v) = (["i32", "i32", "i32", "i32x2", "i32x3", "f32"][rng.below(6)], fresh());
                writeln!(text, "v{v} = raw_load #4 v{}, v{at} : {ty}", 10 + rng.below(2)).unwrap();
                // A store here ends what may be merged. Others are at the end.
                if rng.below(4) == 0 || inside {
                    writeln!(text, "raw_store #4 v10, v{at}, v{v}").unwrap();
                } else {
                    writeln!(text, "; result v{v}").unwrap();
                }
            }
        }
    }
    if inside {
        write!(text, "yield\n}} else {{\nr{regions}:\nyield\n}}\n").unwrap();
    }
    let results: Vec<String> = text.lines().filter_map(|l| l.strip_prefix("; result ")).map(str::to_string).collect();
    results.iter().for_each(|v| writeln!(text, "raw_store #4 v10, v0, {v}").unwrap());
    text + "return\n}\n"
}

#[test]
fn merged_loads_read_the_same() {
    let (mut before, mut after) = (0, 0);
    for_a_while(1 << 50, |seed| {
        let text = program(&mut Rng(seed));
        let mut m = parse(&text).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{text}"));
        let expected = interp::run(&m, entry(&m), FUEL).expect("it ends");
        let loads = |m: &rtc_ir::Module| {
            let f = m.funcs.values().next().expect("a function");
            f.insts.values().filter(|d| d.op() == Opcode::raw_load).count()
        };
        before += loads(&m);
        run_passes(&mut m, &["merge_loads"], &PassCtx { check: true }).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{text}"));
        after += loads(&m);
        let now = interp::run(&m, entry(&m), FUEL).expect("it ends");
        assert_eq!(now, expected, "seed {seed:#x}\n{text}\nafter:\n{}", print(&m));
        true
    });
    assert!(after * 20 < before * 19, "of {before} loads {after} are left");
}
