//! Printer and parser are exact inverses, and the parser survives anything.

use rtc_ir::text::{parse, print};
use rtc_ir::{Function, Module};
use rtc_test_support::Random;

const EVERYTHING: &str = include_str!("text/everything.rtir");

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Everything of a function that its text stands for, as text of its own.
fn entities(m: &Module, f: &Function) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    let _ = writeln!(out, "body {} params {:?}", f.body, f.params);
    for (v, d) in &f.values {
        let _ = writeln!(out, "{v}: {} {:?}", rtc_ir::text::print_type(m, d.ty), d.def);
    }
    for i in f.insts.keys() {
        let (results, regions) = (f.results(i), f.regions_of(i));
        let _ = writeln!(out, "{i}: {:?} {results:?} {regions:?}", f.op(i));
        let _ = writeln!(out, "  {} {:?}", rtc_ir::text::print_inst(m, f, i), f.is_precise(i));
    }
    for (r, d) in &f.regions {
        let _ = writeln!(out, "{r}: {d:?}");
    }
    for (p, d) in &f.places {
        let _ = writeln!(out, "{p}: {d:?}");
    }
    let _ = writeln!(out, "{:?} {:?} {:?}", f.locals, f.slots, f.cases);
    out
}

/// `EVERYTHING` with its undefined values defined and its gaps closed.
fn compacted() -> Module {
    let text = EVERYTHING
        .replace("v22 = raw_atomic", "v23 = resource g8\n  v22 = raw_atomic")
        .replace("v26, v27", "v28 = construct v25, v25 : i32x2\n  v26, v27")
        .replace("v23 = fsub v28, v28 : f32", "v23 = ray_flags : i32");
    let mut m = module(&text);
    m.compact();
    m
}

#[test]
fn an_undefined_value_is_an_error_where_it_is_used() {
    let e = parse(EVERYTHING).err().expect("v23 is not defined");
    assert_eq!(e.message, "unknown value `v23`");
    let line = EVERYTHING.lines().nth(e.line - 1).unwrap();
    assert!(line[e.column - 1..].starts_with("v23"), "{line}");
}

#[test]
fn print_is_the_inverse_of_parse() {
    let text = print(&compacted());
    assert_eq!(print(&module(&text)), text);
}

#[test]
fn gaps_survive() {
    let text = "module sm 6.3\n\nfn fn0 \"f\" stage raygen {\n  v7 = const i32 1\nr5:\n  v90 = iadd v7, v7 : i32\n  return\n}\n";
    assert_eq!(print(&module(text)), text);
}

#[test]
fn parsing_a_compacted_module_gives_the_same_entities() {
    let m = compacted();
    let again = module(&print(&m));
    for (id, f) in &m.funcs {
        assert_eq!(entities(&m, f), entities(&again, &again.funcs[id]), "{id}");
    }
    assert_eq!(m.structs.len(), again.structs.len());
    assert_eq!(m.subobjects, again.subobjects);
}

#[test]
fn compacting_twice_changes_nothing() {
    let mut m = compacted();
    let text = print(&m);
    m.compact();
    assert_eq!(print(&m), text);
}

#[test]
fn compacting_drops_unused_locals_and_keeps_numbers_dense() {
    let mut m = module(
        "module sm 6.3\nfn fn0 \"f\" stage library {\n l0 = local f32 l1 = local f32\n v3 = const f32 1.0 v9 = const f32 2.0\n r4: store l1, v9 return\n}",
    );
    m.compact();
    let f = m.funcs.values().next().unwrap();
    assert_eq!((f.locals.len(), f.values.len(), f.regions.len()), (1, 1, 1));
    assert_eq!(rtc_ir::text::print_inst(&m, f, f.regions[f.body].insts[0]), "store l0, v0");
}

#[test]
fn errors_name_the_place() {
    #[rustfmt::skip]
    let cases: &[(&str, &str)] = &[
        ("", "1:1: expected `module`, found end of input"),
        ("module sm 5.0", "1:11: expected a shader model such as `6.3`, found `5.0`"),
        ("module sm 6.3\nfn fn1 \"a\"", "2:4: expected `fn0`: entities are numbered consecutively"),
        ("module sm 6.3 $", "1:15: unexpected character '$'"),
        ("module sm 6.3 \"abc", "1:15: unterminated string"),
        ("module sm 6.3\ng0 = private \"x\" : [0 x f32]", "2:21: array of length 0"),
        ("module sm 6.3\ng0 = private \"x\" : s4", "2:20: unknown s4"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { r0: jump }", "2:31: expected an instruction, found `jump`"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { r0: v0 = fadd v0 : f32 return }", "2:41: expected 2 values"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { r0: v4000000000 = ray_tmin : f32 return }", "2:31: the numbering has too many gaps"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { r0: store l0, v1 }", "2:37: unknown local `l0`"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { r0: break r7 }", "2:37: unknown region `r7`"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { v0 = const i16 65536 r0: return }", "2:42: expected a constant of the type, found `65536`"),
        ("module sm 6.3\nfn fn0 \"a\" stage raygen { v0 = const i32 1 v1 = const i32 1 r0: return }", "2:44: duplicate constant: it is `v0`"),
    ];
    for (text, expected) in cases {
        match parse(text) {
            Err(e) => assert_eq!(&e.to_string(), expected, "{text}"),
            Ok(_) => panic!("parsed: {text}"),
        }
    }
}

#[test]
fn nesting_is_bounded_by_memory_only() {
    let mut text = String::from("module sm 6.3\nfn fn0 \"a\" stage raygen {\nr0:\n");
    let depth = 20_000;
    for i in 1..=depth {
        text += &format!("block {{ r{i}:\n");
    }
    text += &"yield }\n".repeat(depth);
    text += "return }\n";
    let m = module(&text);
    assert_eq!(print(&module(&print(&m))), print(&m));
    let errors = rtc_ir::verify::verify(&m).unwrap_err();
    assert!(errors[0].message.contains("nest deeper"), "{}", errors[0]);
    let deep = format!("module sm 6.3 g0 = private \"x\" : {}", "[1 x ".repeat(100_000));
    assert!(parse(&deep).err().unwrap().message.contains("nest deeper"));
}

/// Mutates real text token by token, then parses, prints and verifies whatever still parses.
#[test]
fn random_mutations_never_panic() {
    let base = print(&compacted());
    let mut words: Vec<&str> = base.split_inclusive([' ', '\n', ',', '(', ')', '.', '[']).collect();
    words.extend(["v4294967294 ", "#99 ", "\"", "l9", "0x", "-", "[1 x ", "break r0 ", "f32x1024 "]);
    let mut rng = Random(0x9e37_79b9_7f4a_7c15);
    let end = std::time::Instant::now() + std::time::Duration::from_millis(1000);
    let (mut attempts, mut parsed) = (0, 0);
    // A machine with much else to do still sees some.
    while std::time::Instant::now() < end || attempts < 200 {
        let mut text: Vec<&str> = base.split_inclusive([' ', '\n', ',', '(', ')', '.', '[']).collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(text.len());
            match rng.below(4) {
                0 => {
                    text.remove(at);
                }
                1 => text.insert(at, words[rng.below(words.len())]),
                2 => text[at] = words[rng.below(words.len())],
                _ => {
                    let other = rng.below(text.len());
                    text.swap(at, other);
                }
            }
        }
        let text = text.concat();
        let cut = match rng.below(8) {
            0 => (0..=rng.below(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap(),
            _ => text.len(),
        };
        attempts += 1;
        if let Ok(mut m) = parse(&text[..cut]) {
            parsed += 1;
            let once = print(&m);
            assert_eq!(print(&module(&once)), once);
            match rtc_ir::verify::verify(&m) {
                Ok(()) => {
                    m.compact();
                    rtc_ir::verify::verify(&m).expect("compacting keeps it well formed");
                }
                Err(errors) => {
                    rtc_ir::verify::print_with_errors(&m, &errors);
                }
            }
        }
    }
    assert!(parsed > 0, "{parsed} of {attempts} parsed");
}
