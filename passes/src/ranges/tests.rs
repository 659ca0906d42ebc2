//! Value ranges of small functions.

use rtc_ir::text::parse;
use rtc_ir::{Module, Opcode};

use super::{Range, Ranges};

const HEAD: &str = "module sm 6.3\ng0 = resource \"mem\" : res(uav raw) space 0\nfn fn0 \"Main\" stage raygen {\n";

/// The ranges of the values that the `raw_store`s of a body store, in the order of the text.
fn stored(body: &str) -> Vec<Range> {
    let m: Module = parse(&format!("{HEAD}{body}}}\n")).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{}", rtc_ir::verify::print_with_errors(&m, &errors));
    }
    let f = m.funcs.values().next().unwrap();
    let r = Ranges::of(&m.types, f);
    let mut out = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if f.op(i) == Opcode::raw_store {
            out.push(r.at(f.operands(i)[2], i));
        }
    });
    out
}

const LOOP: &str = " v0 = const i32 0 v1 = const i32 16 v2 = const i32 1
r0:
 v9 = resource g0
 v8 = loop (v0) : i32 {
 r1(v3 : i32):
  v4 = OP v3, v1 : bool
  if v4 { r2: yield } else { r3: break r1(v3) }
  raw_store #4 v9, v0, v3
  continue r1(v3)
 } continuing {
 r4(v5 : i32):
  v6 = iadd v5, v2 : i32
  next v6
 }
 raw_store #4 v9, v0, v8
 return
";

#[test]
fn loops_that_count() {
    for op in ["slt", "ult", "ine"] {
        let r = stored(&LOOP.replace("OP", op));
        // `!=` bounds a counter only by its step, which is not looked at.
        if op != "ine" {
            assert_eq!(r[0], Range::unsigned(0, 15), "{op}");
        }
        assert_eq!(r[1].constant(), Some(16), "{op}");
    }
}

#[test]
fn conditions_hold_where_they_hold() {
    let r = stored(
        " v0 = const i32 0 v1 = const i32 256 v2 = const i32 -1
r0:
 v9 = resource g0
 v3 = raw_load #4 v9, v0 : i32
 raw_store #4 v9, v0, v3
 v4 = ult v3, v1 : bool
 v5 = not v4 : bool
 if v5 { r1: raw_store #4 v9, v0, v3 return } else { r2: yield }
 raw_store #4 v9, v0, v3
 switch v3 { case 3 r3: raw_store #4 v9, v0, v3 yield default r4: raw_store #4 v9, v0, v3 yield }
 return
",
    );
    assert!(r[0].is_all());
    assert_eq!((r[1].umin, r[1].umax), (256, u32::MAX));
    assert_eq!(r[2], Range::unsigned(0, 255));
    assert_eq!(r[3], Range::just(3));
    assert_eq!(r[4], Range::unsigned(0, 255));
}

#[test]
fn comparisons_with_values_and_choices() {
    let r = stored(
        " v0 = const i32 0 v1 = const i32 7 v2 = const i32 1
r0:
 v9 = resource g0
 v3 = raw_load #4 v9, v0 : i32
 v4 = raw_load #4 v9, v2 : i32
 v5 = umin v4, v1 : i32
 v6 = ule v3, v5 : bool
 v7 = if v6 : i32 { r1: raw_store #4 v9, v0, v3 yield v3 } else { r2: yield v1 }
 raw_store #4 v9, v0, v7
 v8 = select v6, v2, v0 : i32
 raw_store #4 v9, v0, v8
 v10 = and v6, v6 : bool
 v11 = zext v10 : i32
 raw_store #4 v9, v0, v11
 return
",
    );
    assert_eq!(r[0], Range::unsigned(0, 7));
    assert_eq!(r[1], Range::unsigned(0, 7));
    assert_eq!(r[2], Range::BOOL);
    assert_eq!(r[3], Range::BOOL);
}
