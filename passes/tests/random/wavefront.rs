//! Random programs with reorder points mean the same when they are divided at them: a host that is simulated sorts the rays of a tile, and resumes them in
//! any order.

use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Func, Inst, Module, Opcode, text::print};
use rtc_passes::pipeline::{Pipeline, WAVEFRONT_STAGES, WAVEFRONT_STAGES_O0};
use rtc_passes::wavefront::{Divided, divide};
use rtc_passes::{Level, PassCtx, pipeline, run_passes};
use rtc_tables::wavefront as contract;

use crate::generate::{self, Rng};
use crate::interp::{Thread, Words, run_part};
use crate::{FUEL, entry};

/// The rays of a dispatch.
const SIZE: [u64; 3] = [3, 2, 2];

/// What became of a program.
#[derive(Default)]
struct Count {
    /// How many rays stopped at points.
    stops: u64,
    /// How many words they saved.
    words: u64,
    /// How many shaders were divided, and how many had points and were not.
    divided: u64,
    undivided: u64,
}

fn find(m: &Module, name: &str) -> Func {
    m.funcs.iter().find(|(_, f)| f.name == name).unwrap_or_else(|| panic!("there is no `{name}`")).0
}

/// The rays of the box of `size` rays that begins at `origin`.
fn rays(origin: [u64; 3], size: [u64; 3]) -> Vec<[u64; 3]> {
    let mut out = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            out.extend((0..size[0]).map(|x| [origin[0] + x, origin[1] + y, origin[2] + z]));
        }
    }
    out
}

struct Host<'a> {
    m: &'a Module,
    shader: &'a Divided,
    rng: &'a mut Rng,
    words: Words,
    /// The points in the undivided program.
    points: Vec<Inst>,
    stops: u64,
}

impl Host<'_> {
    fn control(&mut self, word: u32, values: &[u64]) {
        for (n, &v) in values.iter().enumerate() {
            self.words.insert((contract::CONTROL, 4 * (u64::from(word) + n as u64)), v);
        }
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            all.swap(k, self.rng.below(k + 1));
        }
        all
    }

    /// The key at a position. That of a ray that stops is that of the point, with what the undivided program has there.
    fn key(&mut self, position: usize, slot: usize, ray: &Thread, expected: &Thread, seen: &mut [usize]) -> u64 {
        let key = self.words[&(contract::KEYS, 4 * position as u64)];
        if key == u64::from(contract::ENDED) {
            assert_eq!(ray.end, expected.end);
            return key;
        }
        let (inst, operands) = &expected.keys[seen[slot]];
        seen[slot] += 1;
        let k = self.points.iter().position(|i| i == inst).unwrap();
        let p = &self.shader.points[k];
        let row = if p.row_bits == 0 { 0 } else { operands[0] as u32 };
        let bits = operands[2] as u32;
        let mut wanted = contract::key(k as u32, row, operands[1] as u32, bits.min(p.hint_bits));
        if p.row_bits > 0 && bits != p.hint_bits {
            // The hint has room for the most bits that it may have.
            let hint = operands[1] as u32 & ((1u64 << bits.min(p.hint_bits)) - 1) as u32;
            wanted = contract::key(k as u32, row, hint, p.hint_bits);
        }
        assert_eq!(key, u64::from(wanted), "{operands:?} at point {k}");
        key
    }

    /// Runs the rays of a tile. Whether all ended in time.
    fn tile(&mut self, origin: [u64; 3], size: [u64; 3], all: &mut [Thread], expected: &[Thread]) -> bool {
        let count = all.len();
        self.words.clear();
        let capacity = (count + self.rng.below(3)) as u64;
        self.control(contract::CONTROL_STOP, &[1, capacity]);
        self.control(contract::CONTROL_ORIGIN, &origin);
        self.control(contract::CONTROL_SIZE, &size);
        self.control(contract::CONTROL_DIMENSIONS, &SIZE);
        let start = find(self.m, &self.shader.shader);
        let launches = rays([0; 3], size);
        for slot in self.shuffled(count) {
            if !run_part(self.m, start, FUEL, &mut all[slot], &mut self.words, [launches[slot], size]) {
                return false;
            }
        }
        let mut seen = vec![0; count];
        let mut slots: Vec<usize> = (0..count).collect();
        let most = self.rng.below(40);
        for iteration in 0.. {
            let mut sorted: Vec<(u64, usize)> = Vec::new();
            for (position, &slot) in slots.iter().enumerate() {
                let key = self.key(position, slot, &all[slot], &expected[slot], &mut seen);
                if key != u64::from(contract::ENDED) {
                    sorted.push((key, slot));
                }
            }
            if sorted.is_empty() {
                return true;
            }
            sorted.sort_by_key(|s| s.0);
            self.stops += sorted.len() as u64;
            slots = sorted.iter().map(|s| s.1).collect();
            let stop = u64::from(iteration < most);
            self.control(contract::CONTROL_STOP, &[stop]);
            self.words.retain(|(name, _), _| *name != contract::KEYS);
            for (position, &slot) in slots.iter().enumerate() {
                self.words.insert((contract::SLOTS, 4 * position as u64), slot as u64);
            }
            for k in 0..self.shader.points.len() {
                let of = |s: &(u64, usize)| s.0 >> contract::KEY_BITS == k as u64;
                let base = sorted.iter().position(of).unwrap_or(0);
                let count = sorted.iter().filter(|s| of(s)).count();
                self.control(contract::CONTROL_POINTS + 2 * k as u32, &[base as u64, count as u64]);
                let resume = find(self.m, &self.shader.points[k].resume);
                for n in self.shuffled(count) {
                    let ray = &mut all[slots[base + n]];
                    if !run_part(self.m, resume, FUEL, ray, &mut self.words, [[n as u64, 0, 0], [count as u64, 1, 1]]) {
                        return false;
                    }
                }
            }
            if stop == 0 {
                return true;
            }
        }
        true
    }
}

fn check(seed: u64, count: &mut Count) -> bool {
    let mut rng = Rng(seed);
    let size = 10 + rng.below(120);
    let (mut m, _) = generate::with_points(&mut rng, size, true, true);
    let level = [Level::O0, Level::O2][rng.below(2)];
    let cx = PassCtx { check: false };
    run_passes(&mut m, &pipeline(level).passes(), &cx).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}"));
    compare(m, &mut rng, &format!("seed {seed:#x}"), count).is_some()
}

/// Divides a program, and compares what its rays do with what those of the undivided one do. Nothing if it is not divided, or runs for too long.
fn compare(mut m: Module, rng: &mut Rng, title: &str, count: &mut Count) -> Option<Divided> {
    let (undivided, id) = (m.clone(), entry(&m));
    let mut points = Vec::new();
    m.funcs[id].for_each_inst(m.funcs[id].body, |_, i| {
        if m.funcs[id].op(i) == Opcode::reorder_by {
            points.push(i);
        }
    });
    let division = divide(&mut m);
    count.undivided += division.undivided.len() as u64;
    let [shader] = division.divided.as_slice() else { return None };
    assert_eq!(shader.points.len(), points.len());
    count.divided += 1;
    count.words += shader.points.iter().map(|p| u64::from(p.words)).sum::<u64>();
    if let Err(errors) = verify(&m) {
        panic!("{title}: {}\nbefore:\n{}", print_with_errors(&m, &errors), print(&undivided));
    }
    let after: &[Option<Pipeline>] = &[None, Some(WAVEFRONT_STAGES_O0), Some(WAVEFRONT_STAGES)];
    if let Some(p) = after[rng.below(after.len())] {
        p.run(&mut m, &PassCtx { check: rng.below(4) == 0 }).unwrap_or_else(|e| panic!("{title}: {e}\nbefore:\n{}", print(&undivided)));
    }
    // One tile or two.
    let tiles: &[([u64; 3], [u64; 3])] = match rng.below(2) {
        0 => &[([0; 3], SIZE)],
        _ => &[([0; 3], [1, SIZE[1], SIZE[2]]), ([1, 0, 0], [SIZE[0] - 1, SIZE[1], SIZE[2]])],
    };
    for &(origin, size) in tiles {
        let mut expected = Vec::new();
        for at in rays(origin, size) {
            let mut ray = Thread::default();
            if !run_part(&undivided, id, FUEL, &mut ray, &mut Words::new(), [at, SIZE]) {
                return None;
            }
            expected.push(ray);
        }
        let mut all: Vec<Thread> = expected.iter().map(|_| Thread::default()).collect();
        let mut host = Host { m: &m, shader, rng: &mut *rng, words: Words::new(), points: points.clone(), stops: 0 };
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| host.tile(origin, size, &mut all, &expected)));
        let done = run.unwrap_or_else(|_| panic!("{title}\nbefore:\n{}\nafter:\n{}", print(&undivided), print(&m)));
        assert!(done, "{title}: it runs for ever\nbefore:\n{}\nafter:\n{}", print(&undivided), print(&m));
        count.stops += host.stops;
        for (n, (ray, expected)) in all.iter().zip(&expected).enumerate() {
            let same = (&ray.end, &ray.events) == (&expected.end, &expected.events);
            assert!(
                same,
                "{title}: ray {n}: {:?}\nexpected {:?}\nbefore:\n{}\nafter:\n{}",
                ray.events,
                expected.events,
                print(&undivided),
                print(&m)
            );
        }
    }
    Some(shader.clone())
}

/// A shader that loads numbers of these kinds before a point and stores them after it: unsigned (`u`) or signed (`s`) integers of so many bits, in which
/// all bits vary, or numbers of a type.
fn shader_with(fields: &[&str]) -> String {
    use std::fmt::Write as _;
    const FACTOR: i32 = 0x9e37_79b1_u32 as i32;
    let mut consts = vec![0, 2, FACTOR];
    let mut constant = |n: i32| match consts.iter().position(|&c| c == n) {
        Some(at) => format!("v{at}"),
        None => {
            consts.push(n);
            format!("v{}", consts.len() - 1)
        }
    };
    let (mut before, mut after) = (String::new(), String::new());
    for (n, field) in fields.iter().enumerate() {
        let (at, v) = (constant(4 * n as i32), 1000 + 4 * n);
        _ = writeln!(before, " v{v} = xor v903, {at} : i32");
        let narrowed = match (field.split_at(1), field[1..].parse::<u32>()) {
            (("u", _), Ok(bits)) => Some(("and", (u32::MAX >> (32 - bits)) as i32)),
            (("s", _), Ok(bits)) => Some(("ashr", 32 - bits as i32)),
            _ => None,
        };
        let kept = match narrowed {
            Some((op, by)) => {
                _ = writeln!(before, " v{} = raw_load #4 v900, v{v} : i32", v + 1);
                _ = writeln!(before, " v{} = imul v{}, v2 : i32", v + 2, v + 1);
                _ = writeln!(before, " v{} = {op} v{}, {} : i32", v + 3, v + 2, constant(by));
                v + 3
            }
            None => {
                _ = writeln!(before, " v{} = raw_load #4 v900, v{v} : {field}", v + 1);
                v + 1
            }
        };
        _ = writeln!(after, " raw_store #4 v900, {at}, v{kept}");
    }
    let consts: String = consts.iter().enumerate().map(|(n, c)| format!(" v{n} = const i32 {c}")).collect();
    format!(
        r#"module sm 6.6 native16 props(inlined no_locals no_privates direct_handles)
g0 = resource "mem" : res(uav raw) space 0
fn fn0 "Main" stage raygen {{
{consts}
r0:
 v900 = resource g0
 v901 = dispatch_rays_index : i32x3
 v902 = extract v901 : i32
 v903 = shl v902, v1 : i32
{before} reorder_by v902, v0, v0
{after} return
}}
"#
    )
}

/// What is saved has the fewest words, and comes back whatever its place is: in a word of its own, next to others, from one word to the next.
#[test]
fn saved_numbers_have_the_fewest_words_and_come_back() {
    let sets: &[(&[&str], u32)] = &[
        (&["u1"], 1),
        (&["u31", "u1"], 1),
        (&["u31", "u2"], 2),
        (&["u32"], 1),
        (&["s31", "u1"], 1),
        (&["s16", "u16"], 1),
        (&["s16", "u17"], 2),
        (&["u11", "u11", "u11"], 2),
        // They cross from one word to the next.
        (&["u20", "u20", "u20"], 2),
        (&["s20", "s20", "s20"], 2),
        (&["u24", "s24", "u16"], 2),
        (&["u17", "s17", "u17", "u13"], 2),
        (&["u32", "s22", "s21", "s21"], 3),
        (&["s12", "u12", "s12", "u12", "s12", "u12", "s12", "u12"], 3),
        // In two words each.
        (&["i64"], 2),
        (&["f64", "u20", "i64", "u20", "u20"], 6),
        // In half a word.
        (&["i16", "f16"], 1),
        (&["f16", "u20", "i16"], 2),
        (&["i16", "u17"], 2),
        (&["f32", "u8", "i16", "s8"], 2),
    ];
    let (mut rng, mut count) = (Rng(0x9e37_79b9), Count::default());
    for &(fields, words) in sets {
        let text = shader_with(fields);
        for turn in 0..3 {
            let m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{fields:?}: {e}\n{text}"));
            let shader = compare(m, &mut rng, &format!("{fields:?}, turn {turn}"), &mut count).expect("it is divided");
            assert_eq!(shader.points[0].words, words, "{fields:?}\n{text}");
        }
    }
    assert!(count.stops > 100, "{}", count.stops);
}

/// What rays do does not depend on whether they are sorted at reorder points. `RTC_WAVEFRONT_PROGRAMS` says how many programs, `RTC_WAVEFRONT_FIRST` which of
/// several sequences of them.
#[test]
fn divided_programs_do_what_undivided_ones_do() {
    let mut count = Count::default();
    let number =
        |name: &str, otherwise| std::env::var(name).map_or(otherwise, |n| n.parse().unwrap_or_else(|_| panic!("{name} is a number")));
    let wanted = number("RTC_WAVEFRONT_PROGRAMS", 25);
    let (mut seed, mut done) = ((1u64 << 56) + (number("RTC_WAVEFRONT_FIRST", 0) << 32), 0);
    while done < wanted {
        seed += 1;
        done += u64::from(check(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, &mut count));
    }
    let Count { stops, words, divided, undivided } = count;
    println!("{divided} shaders divided, {undivided} not; {stops} stops of rays, {words} words at all points");
    assert!(stops > 20 && words > 20 && undivided <= divided, "{stops} stops, {words} words, {divided} divided, {undivided} not");
}

/// One program for debugging: `RTC_SEED=0x… cargo test -p rtc-passes one_divided_seed`.
#[test]
fn one_divided_seed() {
    if let Ok(text) = std::env::var("RTC_SEED") {
        let seed = u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap();
        check(seed, &mut Count::default());
    }
}

const HEADER: &str = "module sm 6.6 props(inlined no_privates direct_handles)\nstruct s0 \"P\" raypayload { \"a\" : f32 }\n\
                      g0 = resource \"mem\" : res(uav raw) space 0\ng1 = resource \"other\" : res(uav raw) space 0\n";

fn module(text: &str) -> Module {
    let text = format!("{HEADER}{text}");
    rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A ray generation shader of this code before and after `points` points; `v0` to `v4` are 0, 1, 2, 3 and 255, `v5` is the memory and `v6` what it has at the
/// index of the ray, `v7`.
fn shader(name: usize, locals: &str, before: &str, points: usize, after: &str) -> String {
    let points = " reorder_by v6, v0, v0\n".repeat(points);
    format!(
        "fn fn{name} \"Main{name}\" stage raygen {{\n{locals} v0 = const i32 0 v1 = const i32 1 v2 = const i32 2 v3 = const i32 3 v4 = const i32 255\nr0:\n \
         v5 = resource g0\n v8 = dispatch_rays_index : i32x3\n v7 = extract v8 : i32\n v9 = shl v7, v2 : i32\n v6 = raw_load #4 v5, v9 : i32\n\
         {before}{points}{after} return\n}}\n"
    )
}

/// Runs a shader that both starting and resumed rays run; the numbers of each store.
fn stored(m: &Module, name: &str, words: &mut Words, launch: [[u64; 3]; 2]) -> Vec<String> {
    let mut ray = Thread::default();
    assert!(run_part(m, find(m, name), FUEL, &mut ray, words, launch));
    let numbers = |e: &String| e.rsplit_once('[').map(|(_, last)| last.trim_end_matches(']').to_owned());
    ray.events.iter().filter_map(numbers).collect()
}

/// In shaders of hits and misses the index is that of the ray in its dispatch, whichever launch runs them.
#[test]
fn other_shaders_know_the_ray_in_its_dispatch() {
    let miss = |n: usize, code: &str| {
        format!(
            "fn fn{n} \"Miss{n}\" stage miss {{\n pl0 = payload in s0 \"p\"\n v0 = const i32 0\nr0:\n v1 = resource g0\n{code} return\n}}\n"
        )
    };
    let index = " v2 = dispatch_rays_index : i32x3\n raw_store #4 v1, v0, v2\n";
    let size = " v3 = dispatch_rays_dim : i32x3\n raw_store #4 v1, v0, v3\n";
    let rays = shader(0, "", "", 1, "") + &shader(1, "", "", 2, "");
    let mut m = module(&(rays.clone() + &miss(2, index) + &miss(3, size) + &miss(4, "")));
    let division = divide(&mut m);
    assert!(division.index_read && division.divided.len() == 2);
    if let Err(errors) = verify(&m) {
        panic!("{}", print_with_errors(&m, &errors));
    }
    for buffer in contract::BUFFERS {
        assert_eq!(m.globals.values().filter(|g| g.name == buffer).count(), 1, "{buffer}");
    }
    let mut words = Words::new();
    // No rays are sorted: the launch is the dispatch.
    assert_eq!(stored(&m, "Miss2", &mut words, [[2, 1, 0], [7, 5, 3]]), ["2, 1, 0"]);
    assert_eq!(stored(&m, "Miss3", &mut words, [[2, 1, 0], [7, 5, 3]]), ["7, 5, 3"]);
    let mut control = |word: u32, values: &[u64]| {
        for (n, &v) in values.iter().enumerate() {
            words.insert((contract::CONTROL, 4 * (u64::from(word) + n as u64)), v);
        }
    };
    control(contract::CONTROL_STOP, &[1, 12]);
    control(contract::CONTROL_ORIGIN, &[4, 0, 1]);
    control(contract::CONTROL_SIZE, &[3, 2, 2]);
    control(contract::CONTROL_DIMENSIONS, &[10, 6, 4]);
    // Rays of the first point are at the first two positions, those of the second at the next three.
    control(contract::CONTROL_POINTS, &[0, 2, 2, 3]);
    control(contract::CONTROL_LAUNCH, &[0]);
    let slots = [11u64, 3, 7, 0, 5];
    for (position, slot) in slots.into_iter().enumerate() {
        words.insert((contract::SLOTS, 4 * position as u64), slot);
    }
    assert_eq!(stored(&m, "Miss2", &mut words, [[2, 1, 1], [3, 2, 2]]), ["6, 1, 2"], "it starts");
    assert_eq!(stored(&m, "Miss3", &mut words, [[2, 1, 1], [3, 2, 2]]), ["10, 6, 4"]);
    for (position, slot) in slots.into_iter().enumerate() {
        let (launch, base, count) = if position < 2 { (1, 0, 2) } else { (2, 2, 3) };
        words.insert((contract::CONTROL, u64::from(4 * contract::CONTROL_LAUNCH)), launch);
        let at = [4 + slot % 3, slot / 3 % 2, 1 + slot / 6];
        let found = stored(&m, "Miss2", &mut words, [[position as u64 - base, 0, 0], [count, 1, 1]]);
        assert_eq!(found, [format!("{}, {}, {}", at[0], at[1], at[2])], "position {position}");
    }
    // The host has to say which rays a launch resumes only where the index is read.
    let mut m = module(&(rays.clone() + &miss(2, size) + &miss(3, "")));
    assert!(!divide(&mut m).index_read);
    let mut m = module(&(rays + &miss(2, index) + &miss(3, size)));
    assert!(divide(&mut m).index_read);
    // Without points nothing changes.
    let mut m = module(&(shader(0, "", "", 0, "") + &miss(1, index)));
    assert!(divide(&mut m) == rtc_passes::wavefront::Division::default());
    assert_eq!(m.globals.len(), 2);
}

/// Why a shader is not divided.
fn reason(text: &str) -> String {
    let division = divide(&mut module(text));
    assert!(division.divided.is_empty());
    division.undivided.into_iter().map(|u| u.reason).collect()
}

#[test]
fn what_cannot_be_divided_says_why() {
    let declared = "fn fn1 \"Other\" stage library declared {\nr0:\n}\n";
    assert_eq!(
        reason(&(shader(0, "", " call fn1()\n", 1, "") + declared)),
        "it uses inline SPIR-V or functions of other libraries, whose state is unknown"
    );
    let chosen = " v10 = resource g1\n v11 = ult v6, v4 : bool\n v12 = if v11 : res(uav raw) {\n r1:\n  yield v5\n } else {\n r2:\n  yield v10\n }\n \
                  raw_store #4 v12, v0, v6\n";
    assert_eq!(reason(&shader(0, "", chosen, 1, "")), "control flow selects a resource");
    assert_eq!(reason(&shader(0, "", "", 27, "")), "it has 27 reorder points, the most is 26");
    assert_eq!(divide(&mut module(&shader(0, "", "", 26, ""))).divided[0].points.len(), 26);
    // Of a variable that is an array all is saved.
    let array = |n: u32| {
        let after = " v10 = and v7, v3 : i32\n v11 = load l0[v10] : i32\n raw_store #4 v5, v0, v11\n";
        shader(0, &format!(" l0 = local [{n} x i32] \"a\"\n"), " v12 = and v7, v3 : i32\n store l0[v12], v6\n", 1, after)
    };
    assert_eq!(reason(&array(300)), "300 words of state would be saved for each ray, the most is 256 words");
    assert_eq!(reason(&array(9000)), "too much of state would be saved for each ray, the most is 256 words");
    assert_eq!(reason(&array(257)), "257 words of state would be saved for each ray, the most is 256 words");
    assert_eq!(divide(&mut module(&array(256))).divided[0].points[0].words, 256);
}

/// What gives the same bits wherever it is computed is not saved if its operands are; rounding arithmetic is.
#[test]
fn what_other_saved_values_tell_is_not_saved() {
    let words = |ty: &str, op: &str| {
        let before = format!(
            " v20 = raw_load #4 v5, v0 : {ty}\n v21 = raw_load #4 v5, v1 : {ty}\n v22 = {op} v20, v21 : {ty}\n raw_store #4 v5, v2, v22\n"
        );
        let after = " raw_store #4 v5, v0, v20\n raw_store #4 v5, v1, v21\n raw_store #4 v5, v2, v22\n";
        let m = module(&shader(0, "", &before, 1, after));
        let (mut rng, mut count) = (Rng(77), Count::default());
        compare(m, &mut rng, op, &mut count).expect("it is divided").points[0].words
    };
    assert_eq!(words("i32", "iadd"), 2);
    assert_eq!(words("i32", "xor"), 2);
    assert_eq!(words("f32", "fmul"), 3);
    // More than eight additions are more work than a word.
    let sum = |n: u32| {
        let mut before = " v20 = raw_load #4 v5, v0 : i32\n v21 = raw_load #4 v5, v1 : i32\n v30 = iadd v20, v21 : i32\n".to_owned();
        (1..n).for_each(|k| before += &format!(" v{} = iadd v{}, v21 : i32\n", 30 + k, 29 + k));
        let last = 29 + n;
        let after = format!(" raw_store #4 v5, v0, v20\n raw_store #4 v5, v1, v21\n raw_store #4 v5, v2, v{last}\n");
        let m = module(&shader(0, "", &before, 1, &after));
        let (mut rng, mut count) = (Rng(78), Count::default());
        compare(m, &mut rng, "sums", &mut count).expect("it is divided").points[0].words
    };
    assert_eq!([sum(1), sum(8), sum(9)], [2, 2, 3]);
}

/// The saved words of the first point of a shader that does the same when it is divided.
fn words_of(text: &str) -> u32 {
    let mut words = 0;
    for seed in 1..6 {
        let (mut rng, mut count) = (Rng(seed * 0x9e37_79b9), Count::default());
        words = compare(module(text), &mut rng, text, &mut count).expect("it is divided").points[0].words;
        assert!(count.stops > 0);
    }
    words
}

#[test]
fn components_without_use_are_not_saved() {
    let load = |ty: &str| format!(" v20 = raw_load #4 v5, v0 : {ty}\n");
    let part = " v21 = extract #2 v20 : i32\n raw_store #4 v5, v1, v21\n";
    assert_eq!(words_of(&shader(0, "", &load("i32x4"), 1, part)), 1);
    assert_eq!(words_of(&shader(0, "", &load("i32x3"), 1, part)), 1);
    assert_eq!(words_of(&shader(0, "", &load("i32x6"), 1, " raw_store #4 v5, v1, v20\n")), 6);
    assert_eq!(words_of(&shader(0, "", "", 1, "")), 0);
}

/// A ray that stops between two iterations goes on there.
#[test]
fn points_between_iterations() {
    let code = " loop (v0) {\n r1(v20: i32):\n  raw_store #4 v5, v20, v6\n  v21 = iadd v20, v1 : i32\n  continue r1(v21)\n } continuing {\n r2(v22: i32):\n  \
                v23 = iadd v22, v6 : i32\n  reorder_by v22, v0, v0\n  raw_store #4 v5, v23, v22\n  v24 = ult v22, v3 : bool\n  next_if v24 next(v22) break()\n }\n";
    assert!(words_of(&shader(0, "", code, 0, "")) > 0);
}
