//! What is reported around the reorder points of a fixed set of random programs, whose statements are what reports are about: memory, barriers, results of wave
//! operations in values and variables, hit objects. A change of the analyses shows in `warnings.txt`, which `RTC_BLESS=1` writes anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rtc_ir::text::parse;
use rtc_ir::verify::{print_with_errors, verify};
use rtc_passes::reorder;

use crate::generate::Rng;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/random/warnings.txt");

const WORLD: &str = r#"module sm 6.9
struct s0 "P" raypayload {
  "own" : i32 read(caller) write(caller)
  "given" : i32 read(miss) write(caller)
  "shared" : i32 read(caller miss) write(caller miss)
  "many" : [3 x i32] read(caller) write(caller)
}
struct s1 "L" { "a" : i32 "b" : [3 x i32] }
g0 = resource "plain" : res(uav raw) space 0
g1 = resource "coherent" : res(uav raw reorder_coherent) space 0
g2 = resource "scene" : res(srv accel) space 0
g3 = resource "read" : res(srv raw) space 0
g4 = resource "every" : res(uav raw coherent) array count 4 space 1
"#;

const CONSTANTS: &str = " v90 = const i32 0 v91 = const f32 1.0 v92 = const i32 1 v93 = const i32 4 v94 = const i32 40
r0:
 v80 = dispatch_rays_index : i32x3
 v81 = extract v80 : i32
 v82 = construct v91, v91, v91 : f32x3
 v83 = resource g0
 v84 = resource g1
 v85 = resource g2
 v86 = resource g3
 v87 = raw_load #4 v86, v81 : i32
 v88 = ult v87, v93 : bool
 v89 = and v87, v93 : i32
";

const RAY: &str = "v85, v90, v90, v90, v90, v90, v82, v91, v82, v91";

struct Writer<'r> {
    rng: &'r mut Rng,
    next: u32,
    out: String,
    numbers: Vec<String>,
    conditions: Vec<String>,
    hits: Vec<String>,
    inside: Option<u32>,
    /// Whether this shader traces.
    traces: bool,
}

impl Writer<'_> {
    fn fresh(&mut self) -> u32 {
        self.next += 4;
        self.next
    }

    /// Some of a list, rather a late one.
    fn some(rng: &mut Rng, list: &[String]) -> String {
        let n = list.len();
        list[n - 1 - rng.below(n).min(rng.below(n))].clone()
    }

    fn number(&mut self) -> String {
        Self::some(self.rng, &self.numbers)
    }

    /// A UAV and an address there.
    fn address(&mut self) -> String {
        let handle = match self.rng.below(5) {
            0 | 1 => "v83".to_owned(),
            2 | 3 => "v84".to_owned(),
            _ => {
                let (n, at) = (self.fresh(), ["v90", "v92", "v89"][self.rng.below(3)]);
                _ = writeln!(self.out, "v{n} = resource g4[{at}]");
                format!("v{n}")
            }
        };
        let at = match self.rng.below(8) {
            0..=2 => "v90".to_owned(),
            3 | 4 => "v92".to_owned(),
            5 | 6 => "v81".to_owned(),
            _ => self.number(),
        };
        format!("{handle}, {at}")
    }

    /// A part of a variable.
    fn place(&mut self) -> String {
        let array = ["l0.1", "l1.1", "pl0.3"][self.rng.below(3)];
        let at = self.number();
        match self.rng.below(8) {
            0 => "l0.0".to_owned(),
            1 => "l1.0".to_owned(),
            2 => "pl0.0".to_owned(),
            3 => "pl0.2".to_owned(),
            4 | 5 => format!("{array}.{}", self.rng.below(3)),
            _ => format!("{array}[{at}]"),
        }
    }

    fn statements(&mut self, depth: u32) {
        let marks = (self.numbers.len(), self.conditions.len(), self.hits.len());
        for _ in 0..2 + self.rng.below(5) {
            self.statement(depth);
        }
        self.numbers.truncate(marks.0);
        self.conditions.truncate(marks.1);
        self.hits.truncate(marks.2);
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 14 } else { 18 }) {
            0 | 1 => {
                let (at, v) = (self.address(), self.number());
                _ = writeln!(self.out, "raw_store #4 {at}, {v}");
            }
            2 | 3 => {
                let (at, n) = (self.address(), self.fresh());
                _ = writeln!(self.out, "v{n} = raw_load #4 {at} : i32");
                self.numbers.push(format!("v{n}"));
            }
            4 => self.barrier(),
            5 | 6 => self.point(),
            7 | 8 => self.wave(),
            9 => {
                let (x, y, n) = (self.number(), self.number(), self.fresh());
                let op = ["iadd", "and", "imul"][self.rng.below(3)];
                _ = writeln!(self.out, "v{n} = {op} {x}, {y} : i32");
                self.numbers.push(format!("v{n}"));
            }
            10 | 11 => {
                let (place, v) = (self.place(), self.number());
                _ = writeln!(self.out, "store {place}, {v}");
            }
            12 => {
                let (place, n) = (self.place(), self.fresh());
                _ = writeln!(self.out, "v{n} = load {place} : i32");
                self.numbers.push(format!("v{n}"));
            }
            13 => {
                let pairs = [("l0", "l1"), ("l1", "l0"), ("l0.1", "pl0.3"), ("pl0.3", "l1.1"), ("l1.0", "l0.1.2"), ("l0.1[v89]", "l1.0")];
                let (to, from) = pairs[self.rng.below(pairs.len())];
                _ = writeln!(self.out, "copy {to}, {from}");
            }
            14 | 15 => self.branch(depth),
            16 => self.repeat(depth),
            _ => self.exit(),
        }
    }

    fn barrier(&mut self) {
        let n = self.rng.below(8);
        let all = [
            "memory_barrier #2049",
            "memory_barrier #2049",
            "memory_barrier #1025",
            "memory_barrier #513",
            "barrier #2",
            "handle_barrier #8 v84",
        ];
        let all = [&all[..], &["handle_barrier #8 v83", "handle_barrier #4 v84"]].concat();
        _ = writeln!(self.out, "{}", all[n]);
    }

    fn wave(&mut self) {
        let (n, x) = (self.fresh(), self.number());
        let text = match self.rng.below(4) {
            0 => "wave_lane_index : i32".to_owned(),
            1 => {
                _ = writeln!(self.out, "v{n} = wave_is_first_lane : bool");
                return self.conditions.push(format!("v{n}"));
            }
            2 => format!("wave_active_op #usum {x} : i32"),
            _ => format!("wave_read_lane_first {x} : i32"),
        };
        _ = writeln!(self.out, "v{n} = {text}");
        self.numbers.push(format!("v{n}"));
    }

    fn point(&mut self) {
        let (n, hint) = (self.fresh(), self.number());
        if !self.traces {
            return;
        }
        match self.rng.below(9) {
            0..=2 => _ = writeln!(self.out, "trace_ray pl0, {RAY}"),
            3 => {
                _ = writeln!(self.out, "v{n} = hit_trace pl0, {RAY} : hitobj");
                self.hits.push(format!("v{n}"));
            }
            4 => {
                _ = writeln!(self.out, "v{n} = hit_make_nop : hitobj");
                self.hits.push(format!("v{n}"));
            }
            5 if !self.hits.is_empty() => {
                let hit = Self::some(self.rng, &self.hits);
                _ = writeln!(self.out, "v{n} = hit_set_shader_table_index {hit}, {hint} : hitobj");
                self.hits.push(format!("v{n}"));
            }
            6 if !self.hits.is_empty() => {
                let hit = Self::some(self.rng, &self.hits);
                _ = writeln!(self.out, "v{n} = hit_load_root_constant {hit}, v90 : i32");
                self.numbers.push(format!("v{n}"));
            }
            7 if !self.hits.is_empty() => {
                let hit = Self::some(self.rng, &self.hits);
                _ = writeln!(self.out, "hit_invoke pl0, {hit}");
            }
            _ => {
                let hit = match self.hits.is_empty() {
                    true => {
                        _ = writeln!(self.out, "v{n} = hit_make_nop : hitobj");
                        format!("v{n}")
                    }
                    false => Self::some(self.rng, &self.hits),
                };
                let bits = match self.rng.below(6) {
                    0 => self.number(),
                    k => ["v90", "v92", "v93", "v94", "v90"][k - 1].to_owned(),
                };
                _ = writeln!(self.out, "reorder {hit}, {hint}, {bits}");
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let (n, condition) = (self.fresh(), Self::some(self.rng, &self.conditions));
        _ = writeln!(self.out, "if {condition} {{ r{n}:");
        self.statements(depth - 1);
        _ = writeln!(self.out, "yield }} else {{ r{}:", n + 1);
        if self.rng.below(2) == 0 {
            self.statements(depth - 1);
        }
        self.out += "yield }\n";
    }

    fn repeat(&mut self, depth: u32) {
        let n = self.fresh();
        _ = writeln!(
            self.out,
            "loop (v90) {{ r{n}(v{n}: i32): v{0} = ult v{n}, v93 : bool if v{0} {{ r{0}: yield }} else {{ r{1}: break r{n} }}",
            n + 1,
            n + 2
        );
        self.numbers.push(format!("v{n}"));
        let outer = self.inside.replace(n);
        self.statements(depth - 1);
        self.inside = outer;
        self.numbers.retain(|v| *v != format!("v{n}"));
        let m = self.fresh();
        _ = writeln!(self.out, "v{m} = iadd v{n}, v92 : i32 continue r{n} (v{m}) }} continuing {{ r{m}(v{0}: i32): next v{0} }}", m + 1);
    }

    fn exit(&mut self) {
        let (n, condition) = (self.fresh(), Self::some(self.rng, &self.conditions));
        let what = match (self.rng.below(3), self.inside) {
            (0, Some(l)) => format!("break r{l}"),
            (1, Some(l)) => format!("continue r{l} (v90)"),
            _ => "return".to_owned(),
        };
        _ = writeln!(self.out, "if {condition} {{ r{n}: {what} }} else {{ r{}: yield }}", n + 1);
    }
}

fn program(n: u64) -> String {
    let mut rng = Rng((n + 5).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut out = WORLD.to_owned();
    for (f, (name, stage, payload)) in [("Main", "raygen", "out"), ("Miss", "miss", "in")].into_iter().enumerate() {
        let numbers = ["v90", "v81", "v87", "v89"].map(str::to_owned).to_vec();
        let mut w = Writer {
            rng: &mut rng,
            next: 100,
            out: String::new(),
            numbers,
            conditions: vec!["v88".into()],
            hits: Vec::new(),
            inside: None,
            traces: f == 0,
        };
        w.statements(2);
        w.statements(1);
        _ = write!(
            out,
            "fn fn{f} \"{name}\" stage {stage} {{\n pl0 = payload {payload} s0 \"p\"\n l0 = local s1\n l1 = local s1\n{CONSTANTS}{}return\n}}\n",
            w.out
        );
    }
    out
}

fn line(n: u64) -> String {
    let text = program(n);
    let m = parse(&text).unwrap_or_else(|e| panic!("{n}: {e}\n{text}"));
    if let Err(errors) = verify(&m) {
        panic!("{n}: {}", print_with_errors(&m, &errors));
    }
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut messages = 0u32;
    for d in reorder::warnings(&m) {
        *codes.entry(d.code.id).or_default() += 1;
        messages = messages.wrapping_mul(31).wrapping_add(d.message.bytes().map(u32::from).sum());
    }
    let codes: String = codes.iter().map(|(code, n)| format!(" {code}*{n}")).collect();
    format!("{n}: {}{codes}\n", messages % 1000)
}

#[test]
fn warnings_of_some_programs_are_what_they_were() {
    let found: String = (0..400).map(line).collect();
    if std::env::var_os("RTC_BLESS").is_some() {
        std::fs::write(FILE, found).expect("it can be written");
        return;
    }
    let expected = std::fs::read_to_string(FILE).expect("RTC_BLESS=1 writes it");
    for (now, was) in found.lines().zip(expected.lines()) {
        assert_eq!(now, was, "RTC_BLESS=1 rewrites {FILE}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
    for code in ["W0850", "W0851", "W0852", "W0853", "W0855", "W0856", "W0857", "W0858", "W0859", "W0860"] {
        assert!(expected.contains(code), "{code} is in none");
    }
}
