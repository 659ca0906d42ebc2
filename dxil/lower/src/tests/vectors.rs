//! Vectorisation: random programs of vectors mean the same, whether all that can be a vector is one or what pays; and nothing gets longer.

use std::fmt::Write;

use rtc_passes::Level;

use super::semantics::{compare, generate::Rng};
use super::{DxilOptions, Profile, module};
use crate::emitter::vectorize::{WHICH, Which};
use crate::facts::Facts;
use crate::lower;

/// What a random program is made of: text, and the values that are visible.
struct Program<'r> {
    rng: &'r mut Rng,
    text: String,
    /// Kind of the components (`f32`, `i32`, `bool`), how many, and the number of the value.
    values: Vec<(&'static str, usize, u32)>,
    next: u32,
    regions: u32,
}

const FLOAT: &[&str] = &["fadd", "fsub", "fmul", "fmin", "fmax", "precise fadd", "precise fmul"];
const INT: &[&str] = &["iadd", "isub", "imul", "and", "or", "xor", "smax", "umin"];

fn spelling(kind: &str, n: usize) -> String {
    if n == 1 { kind.to_string() } else { format!("{kind}x{n}") }
}

impl Program<'_> {
    fn pick(&mut self, fits: impl Fn(&'static str, usize) -> bool) -> Option<(&'static str, usize, u32)> {
        let all: Vec<_> = self.values.iter().copied().filter(|v| fits(v.0, v.1)).collect();
        // Late ones most of the time, so that values depend on each other.
        let late = all.len().saturating_sub(6);
        let from = if self.rng.chance(70) { late } else { 0 };
        (!all.is_empty()).then(|| all[from + self.rng.below(all.len() - from)])
    }

    fn vector(&mut self, kind: &'static str) -> Option<(&'static str, usize, u32)> {
        self.pick(|k, n| k == kind && n > 1)
    }

    fn value(&mut self, kind: &'static str, n: usize, text: &str) -> u32 {
        let v = self.next;
        self.next += 1;
        let _ = writeln!(self.text, " v{v} = {text} : {}", spelling(kind, n));
        self.values.push((kind, n, v));
        v
    }

    fn load(&mut self) {
        let n = 1 + self.rng.below(4);
        let at = self.rng.below(8);
        let bits = self.value("i32", n, &format!("raw_load #4 v100, v{at}"));
        if self.rng.chance(60) {
            self.value("f32", n, &format!("stof v{bits}"));
        }
    }

    fn step(&mut self, depth: u32) -> Option<()> {
        match self.rng.below(if depth < 2 { 17 } else { 14 }) {
            0 | 1 => self.load(),
            2..=4 => {
                let kind = if self.rng.chance(70) { "f32" } else { "i32" };
                let (_, n, a) = self.vector(kind)?;
                let (_, _, b) = self.pick(|k, m| k == kind && m == n)?;
                let ops = if kind == "f32" { FLOAT } else { INT };
                let op = ops[self.rng.below(ops.len())];
                self.value(kind, n, &format!("{op} v{a}, v{b}"));
            }
            5 => {
                let (_, n, a) = self.vector("f32")?;
                let op = ["fneg", "fabs", "floor", "saturate"][self.rng.below(4)];
                self.value("f32", n, &format!("{op} v{a}"));
            }
            6 => {
                let (_, n, a) = self.vector("f32")?;
                let (_, _, b) = self.pick(|k, m| k == "f32" && m == n)?;
                let c = self.value("bool", n, &format!("flt v{a}, v{b}"));
                self.value("f32", n, &format!("select v{c}, v{b}, v{a}"));
            }
            7 => {
                let (kind, n, a) = self.pick(|k, n| k != "bool" && n > 1)?;
                let (_, _, b) = self.pick(|k, m| k == kind && m == n)?;
                let (_, _, c) = self.pick(|k, n| k == "bool" && n == 1)?;
                self.value(kind, n, &format!("select v{c}, v{a}, v{b}"));
            }
            8 => {
                let (_, n, a) = self.vector("f32")?;
                let i = self.value("i32", n, &format!("ftos v{a}"));
                if self.rng.chance(50) {
                    self.value("f32", n, &format!("bitcast v{i}"));
                }
            }
            // Components in another order, repeated, from several vectors, constants.
            9 => {
                let (kind, n, a) = self.pick(|k, n| k != "bool" && n > 1)?;
                let count = 2 + self.rng.below(3);
                let mut parts = Vec::new();
                for at in 0..count {
                    let lane = if self.rng.chance(50) { at % n } else { self.rng.below(n) };
                    let other = if self.rng.chance(80) { Some((kind, n, a)) } else { self.pick(|k, m| k == kind && m > lane && m > 1) };
                    let from = other?.2;
                    parts.push(match self.rng.below(8) {
                        0 if kind == "f32" => "v8".to_string(),
                        0 => "v1".to_string(),
                        _ => format!("v{}", self.value(kind, 1, &format!("extract #{lane} v{from}"))),
                    });
                }
                self.value(kind, count, &format!("construct {}", parts.join(", ")));
            }
            10 => {
                let (kind, _, a) = self.pick(|k, n| k != "bool" && n == 1)?;
                let n = 2 + self.rng.below(3);
                self.value(kind, n, &format!("construct {}", vec![format!("v{a}"); n].join(", ")));
            }
            11 => {
                let (_, _, a) = self.pick(|k, n| k != "bool" && n > 1)?;
                let at = self.rng.below(8);
                let _ = writeln!(self.text, " raw_store #4 v100, v{at}, v{a}");
            }
            12 => {
                let (_, n, a) = self.pick(|k, n| k == "f32" && n == 3)?;
                debug_assert_eq!(n, 3);
                let _ = writeln!(self.text, " store pl0.0, v8\n trace_ray pl0, v101, v0, v0, v0, v0, v0, v{a}, v8, v{a}, v8");
            }
            13 => {
                let (_, n, a) = self.vector("f32")?;
                let (_, _, b) = self.pick(|k, m| k == "f32" && m == n)?;
                self.value("f32", 1, &format!("dot v{a}, v{b}"));
            }
            14 | 15 => {
                let (_, _, c) = self.pick(|k, n| k == "bool" && n == 1)?;
                let (kind, n, a) = self.pick(|k, n| k != "bool" && n > 1)?;
                let v = self.next;
                self.next += 1;
                let _ = writeln!(self.text, " v{v} = if v{c} : {} {{\n r{}:", spelling(kind, n), self.regions);
                let (start, visible) = (self.regions, self.values.len());
                self.regions += 2;
                self.arm(depth, kind, n, a, visible);
                let _ = writeln!(self.text, " }} else {{\n r{}:", start + 1);
                self.arm(depth, kind, n, a, visible);
                self.text.push_str(" }\n");
                self.values.push((kind, n, v));
            }
            _ => {
                let (kind, n, a) = self.pick(|k, n| k != "bool" && n > 1)?;
                let (v, p, count, next, last) = (self.next, self.next + 1, self.next + 2, self.next + 3, self.next + 4);
                let r = self.regions;
                (self.next, self.regions) = (self.next + 6, self.regions + 4);
                let ty = spelling(kind, n);
                let _ = writeln!(self.text, " v{v} = loop (v0, v{a}) : {ty} {{\n r{r}(v{count}: i32, v{p}: {ty}):");
                let visible = self.values.len();
                self.values.push((kind, n, p));
                for _ in 0..1 + self.rng.below(4) {
                    self.step(depth + 1);
                }
                let (_, _, given) = self.pick(|k, m| k == kind && m == n).unwrap_or((kind, n, a));
                self.values.truncate(visible);
                let _ = writeln!(
                    self.text,
                    " v{next} = ult v{count}, v2 : bool\n if v{next} {{ r{}: yield }} else {{ r{}: break r{r}(v{given}) }}\n continue r{r}(v{count}, v{given})\n }} \
                     continuing {{ r{}(v{last}: i32, v{}: {ty}):\n v{} = iadd v{last}, v1 : i32\n next v{}, v{}\n }}",
                    r + 1,
                    r + 2,
                    r + 3,
                    self.next,
                    self.next + 1,
                    self.next + 1,
                    self.next,
                );
                self.next += 2;
                self.values.push((kind, n, v));
            }
        }
        Some(())
    }

    fn arm(&mut self, depth: u32, kind: &'static str, n: usize, otherwise: u32, visible: usize) {
        for _ in 0..self.rng.below(4) {
            self.step(depth + 1);
        }
        let given = self.pick(|k, m| k == kind && m == n).map_or(otherwise, |v| v.2);
        let _ = writeln!(self.text, " yield v{given}");
        self.values.truncate(visible);
    }
}

fn program(seed: u64) -> String {
    let mut rng = Rng(seed);
    let size = 8 + rng.below(50);
    let mut p = Program { rng: &mut rng, text: String::new(), values: Vec::new(), next: 103, regions: 1 };
    p.values.extend([("bool", 1, 102), ("f32", 1, 8)]);
    for _ in 0..3 {
        p.load();
    }
    for _ in 0..size {
        p.step(0);
    }
    for v in p.values.iter().rev().filter(|v| v.0 != "bool").take(6).copied().collect::<Vec<_>>() {
        let at = p.rng.below(8);
        let _ = writeln!(p.text, " raw_store #4 v100, v{at}, v{}", v.2);
    }
    let constants: Vec<String> = (0..8).map(|n| format!("v{n} = const i32 {}", [0, 1, 2, 5, 9, 14, 23, 40][n])).collect();
    format!(
        "module sm 6.9\nstruct s0 \"P\" {{ \"a\" : f32 }}\ng0 = resource \"mem\" : res(uav raw) space 0\ng1 = resource \"scene\" : res(srv accel) space 0\n\
         fn fn0 \"Main\" stage raygen {{\n pl0 = payload out s0 \"p\"\n {} v8 = const f32 1.5\nr0:\n v100 = resource g0\n v101 = resource g1\n v99 = raw_load #4 v100, v3 : i32\n \
         v102 = ult v99, v7 : bool\n{} return\n}}\n",
        constants.join(" "),
        p.text
    )
}

/// The instructions of a program in DXIL.
fn instructions(text: &str, which: Which) -> usize {
    let mut m = module(text);
    rtc_passes::pipeline(Level::O3).run(&mut m, &rtc_passes::PassCtx { check: false }).expect("it is sound");
    let options = DxilOptions { profile: Profile::Library, settings: super::settings(9), ..DxilOptions::default() };
    let mut errors = Vec::new();
    let facts = Facts::new(&m, options.profile, &mut errors);
    WHICH.set(which);
    let lowered = lower(&m, &facts, &options, &[]);
    WHICH.set(Which::Paying);
    let module = lowered.expect("it can be lowered").module;
    module.funcs.values().filter_map(|f| f.body.as_ref()).map(|b| b.blocks.values().map(Vec::len).sum::<usize>()).sum()
}

#[test]
fn random_programs_of_vectors_mean_the_same() {
    let programs: u64 = std::env::var("RTC_DXIL_PROGRAMS").map_or(300, |n| n.parse().expect("RTC_DXIL_PROGRAMS is a number"));
    let (mut compared, mut paid) = (0, 0);
    for n in 0..programs {
        let seed = 0x51_7cc1_b727_220a ^ (n * 0x1_0000_01b3);
        let text = program(seed);
        let level = if n % 3 == 0 { Level::O1 } else { Level::O3 };
        compared += u64::from(compare(module(&text), level, Which::All, seed) == Some(true));
        paid += u64::from(compare(module(&text), level, Which::Paying, seed) == Some(true));
    }
    assert!(compared * 4 > programs * 3, "{compared} of {programs} programs were compared");
    assert!(paid * 2 > programs, "vectors paid in {paid} of {programs} programs");
}

#[test]
fn nothing_gets_longer() {
    let (mut before, mut after) = (0, 0);
    for n in 0..200 {
        let text = program(0x1234_5678_9abc ^ (n * 0x1_0000_01b3));
        let (scalars, vectors) = (instructions(&text, Which::None), instructions(&text, Which::Paying));
        assert!(vectors <= scalars, "{vectors} in place of {scalars}\n{text}");
        before += scalars;
        after += vectors;
    }
    assert!(after * 10 < before * 9, "{after} of {before} instructions");
}
