//! What is live across reorder points, on programs written by hand.

use rtc_ir::text::parse;
use rtc_ir::{Function, Module, Root};
use rtc_passes::reorder::{LiveState, ReorderingFuncs, across, distinct, groups, points};

/// Every point with what is live across it: `v5:12=1` are 12 bytes of `v5`, which cost one addition to recompute; components in
/// brackets if not all.
fn live(body: &str) -> Vec<String> {
    let text = format!("{HEAD}{body}");
    let m = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{}", rtc_ir::verify::print_with_errors(&m, &errors));
    }
    let mut out = Vec::new();
    for f in m.funcs.values() {
        let states = across(&m, f);
        assert_eq!(states.iter().map(|s| s.point).collect::<Vec<_>>(), points(f, &ReorderingFuncs::of(&m)));
        out.extend(states.iter().map(|s| items(&m, f, s)));
    }
    out
}

/// What is live across a point.
fn items(m: &Module, f: &Function, s: &LiveState) -> String {
    let mut items = Vec::new();
    for v in &s.values {
        let lanes = m.types.numeric(f.ty(v.value)).map_or(1, |n| n.1);
        let some = if lanes <= 4 && v.components.count_ones() < lanes { format!("[{:b}]", v.components) } else { String::new() };
        let again = v.recompute.map_or(String::new(), |n| format!("={n}"));
        items.push(format!("{}{some}:{}{again}", v.value, v.bytes));
    }
    for p in &s.parts {
        let root = match p.part.root {
            Root::Local(l) => l.to_string(),
            Root::Slot(s) => s.to_string(),
            Root::Global(g) => g.to_string(),
        };
        let path: String = p.part.path.iter().map(|n| format!(".{n}")).collect();
        items.push(format!("{root}{path}:{}", p.bytes));
    }
    let all: u32 = s.values.iter().map(|v| v.bytes).chain(s.parts.iter().map(|p| p.bytes)).sum();
    assert_eq!(all, s.bytes());
    items.join(" ")
}

const HEAD: &str = r#"module sm 6.3
struct s0 "P" { "a" : f32 "b" : f32x3 }
struct s1 "Q" raypayload {
  "in" : f32 read(closesthit) write(caller)
  "out" : f32 read(caller) write(closesthit miss)
}
struct s2 "Big" { "head" : i32 "data" : [100 x f32] "few" : [2 x i32x2] }
g0 = resource "mem" : res(uav raw) space 0
g1 = resource "scene" : res(srv accel) space 0
g2 = resource "c" : res(cbv cbuffer stride 64) space 0
"#;

/// An entry point with these declarations and this body; `T n` is a trace with payload `pl<n>`.
fn raygen(body: &str) -> String {
    let constants = "  v900 = const i32 0\n  v901 = const f32 1.0\n  v902 = const bool true\n";
    let mut out = String::from("fn fn0 \"Main\" stage raygen {\n");
    let (decls, code) = body.split_once("r0:").expect("a body");
    out += decls;
    out += constants;
    out += "r0:\n  v910 = resource g1\n  v911 = construct v901, v901, v901 : f32x3\n  v912 = resource g0\n";
    for line in code.lines() {
        match line.trim().strip_prefix("T ") {
            Some(n) => out += &format!("  trace_ray pl{n}, v910, v900, v900, v900, v900, v900, v911, v901, v911, v901\n"),
            None => {
                out += line;
                out.push('\n');
            }
        }
    }
    out + "}\n"
}

#[test]
fn straight_lines() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
r0:
  v1 = raw_load #4 v912, v900 : f32x3
  v2 = raw_load #4 v912, v900 : f32
  v3 = raw_load #4 v912, v900 : i32
  v4 = dispatch_rays_index : i32x3
  store pl0.0, v2
  T 0
  v5 = extract #1 v1 : f32
  v6 = extract #0 v4 : i32
  raw_store #4 v912, v6, v5
  T 0
  return
"#,
    ));
    // Only a component of the loaded vector; the index is there for the asking; the operands are not live across.
    assert_eq!(found, ["v1[10]:4 v4[1]:4=1", ""]);
}

#[test]
fn branches_and_exits_of_several_levels() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
r0:
  v1 = raw_load #4 v912, v900 : i32
  v2 = raw_load #4 v912, v900 : i32
  v3 = raw_load #4 v912, v900 : i32
  v4 = raw_load #4 v912, v900 : bool
  v5 = block : i32 {
  r1:
    if v4 {
    r2:
      T 0
      break r1(v1)
    } else {
    r3:
      T 0
      yield
    }
    T 0
    raw_store #4 v912, v3, v3
    yield v2
  }
  raw_store #4 v912, v5, v5
  return
"#,
    ));
    assert_eq!(found, ["v1:4", "v2:4 v3:4", "v2:4 v3:4"]);
}

#[test]
fn a_result_without_uses_keeps_nothing() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
r0:
  v1 = raw_load #4 v912, v900 : i32
  v2 = raw_load #4 v912, v900 : f32x3
  v3, v4 = if v902 : i32, f32x3 {
  r1:
    T 0
    yield v1, v2
  } else {
  r2:
    yield v900, v911
  }
  T 0
  v5 = extract #2 v4 : f32
  raw_store #4 v912, v900, v5
  return
"#,
    ));
    assert_eq!(found, ["v1:4 v2[100]:4", "v4[100]:4"]);
}

#[test]
fn loops_keep_what_the_next_round_needs() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
r0:
  v1 = raw_load #4 v912, v900 : i32
  v2 = raw_load #4 v912, v900 : i32
  v3 = raw_load #4 v912, v900 : i32
  v10 = loop (v900) : i32 {
  r1 (v11 : i32):
    v12 = iadd v11, v1 : i32
    T 0
    v13 = ult v12, v2 : bool
    if v13 {
    r2:
      T 0
      break r1(v3)
    } else {
    r3:
      yield
    }
    T 0
    continue r1(v12)
  } continuing {
  r4 (v14 : i32):
    v15 = iadd v14, v1 : i32
    next v15
  }
  raw_store #4 v912, v10, v10
  return
"#,
    ));
    // In the middle one the loop is as good as left.
    assert_eq!(found, ["v1:4 v2:4 v3:4 v12:4", "v3:4", "v1:4 v2:4 v3:4 v12:4"]);
}

#[test]
fn loops_in_loops() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
  l0 = local [100 x f32] "table"
  l1 = local [100 x f32] "late"
r0:
  v1 = raw_load #4 v912, v900 : i32
  v2 = raw_load #4 v912, v900 : bool
  store l0[v1], v901
  loop () {
  r1:
    raw_store #4 v912, v1, v1
    v3 = load l0[v1] : f32
    loop () {
    r2:
      if v2 {
      r3:
        break r2
      } else {
      r4:
        yield
      }
      T 0
      continue r2
    } continuing {
    r5:
      next
    }
    store l1[v1], v3
    if v2 {
    r6:
      break r1
    } else {
    r7:
      yield
    }
    continue r1
  } continuing {
  r8:
    next
  }
  v4 = load l1[v1] : f32
  raw_store #4 v912, v900, v4
  return
"#,
    ));
    // Both loops go on: what the outer one needs anew is live in the inner one.
    assert_eq!(found, ["v1:4 v2:4 v3:4 l0:400 l1:400"]);
}

#[test]
fn payloads_of_other_traces() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
  pl1 = payload out s0 "other"
  pl2 = payload out s1 "q"
r0:
  store pl1.0, v901
  T 0
  v1 = load pl0.0 : f32
  T 1
  v2 = load pl0.1 : f32x3
  store pl2.0, v901
  T 0
  T 2
  v3 = load pl1.0 : f32
  v4 = load pl2.1 : f32
  T 0
  raw_store #4 v912, v900, v1
  raw_store #4 v912, v900, v2
  raw_store #4 v912, v900, v3
  raw_store #4 v912, v900, v4
  return
"#,
    ));
    // `pl1.1` is never written before its trace, but it is passed; of `q` only what the caller writes.
    assert_eq!(
        found,
        ["pl1.0:4", "v1:4 pl0.0:4 pl0.1:12", "v1:4 v2:12 pl1.0:4 pl2.0:4", "v1:4 v2:12 pl1.0:4 pl0.0:4 pl0.1:12", "v1:4 v2:12 v3:4 v4:4"]
    );
}

#[test]
fn large_arrays_are_one_part_and_queries_have_no_size() {
    let found = live(
        &raygen(
            r#"
  pl0 = payload out s0 "p"
  pl1 = ray query query(0 0) "q"
  l0 = local s2 "big"
r0:
  v1 = raw_load #4 v912, v900 : i32
  v2 = allocate_ray_query pl1 : query(0 0)
  ray_query_trace_ray_inline v2, v910, v900, v900, v911, v901, v911, v901
  store l0.1[v1], v901
  store l0.2.1, v10
  T 0
  ray_query_abort v2
  ray_query_trace_ray_inline v2, v910, v900, v900, v911, v901, v911, v901
  v3 = load l0.1.7 : f32
  v4 = load l0.2.1.0 : i32
  T 0
  v5 = load l0.0 : i32
  raw_store #4 v912, v5, v3
  raw_store #4 v912, v4, v3
  return
"#,
        )
        .replace("const bool true", "const bool true\n  v10 = undef i32x2"),
    );
    // The query is read after the first trace, and started anew after that.
    assert_eq!(found, ["pl1:0 l0.1:400 l0.2.1:8", "v3:4 v4:4"]);
}

/// What a value costs is the work of what would be recomputed, each instruction once; a component that is there suffices where only it is used.
#[test]
fn what_can_be_computed_again() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
r0:
  v1 = raw_load #4 v912, v900 : f32x3
  v2 = raw_load #4 v912, v900 : f32
  v3 = extract #1 v1 : f32
  v4 = fadd v3, v901 : f32
  v5 = extract #2 v1 : f32
  v6 = fmul v5, v2 : f32
  v7 = fadd v6, v6 : f32
  v8 = fadd v7, v6 : f32
  v9 = sqrt v8 : f32
  v10 = sin v9 : f32
  v11 = fdiv v10, v2 : f32
  v12 = tan v11 : f32
  v13 = exp2 v12 : f32
  v14 = raw_load #4 v912, v900 : f32x3
  v15 = extract #1 v14 : f32
  v16 = extract #2 v14 : f32
  T 0
  v17 = extract #1 v14 : f32
  raw_store #4 v912, v900, v15
  raw_store #4 v912, v900, v16
  raw_store #4 v912, v900, v17
  raw_store #4 v912, v900, v3
  raw_store #4 v912, v900, v4
  raw_store #4 v912, v900, v2
  raw_store #4 v912, v900, v9
  raw_store #4 v912, v900, v11
  raw_store #4 v912, v900, v13
  T 0
  raw_store #4 v912, v900, v3
  raw_store #4 v912, v900, v5
  raw_store #4 v912, v900, v7
  raw_store #4 v912, v900, v2
  return
"#,
    ));
    // The second component of `v14` is there, so `v15` is free, and `v16` is not.
    let first = "v2:4 v3:4 v4:4=1 v5:4 v7:4=2 v9:4=6 v11:4=8 v13:4=12 v14[10]:4 v16:4";
    assert_eq!(found, [first, "v2:4 v3:4 v5:4 v7:4=2"]);
}

/// Copies, calls and indices that are chosen at run time: what is written whole is not needed before, what may be read is.
#[test]
fn variables_that_are_copied_and_passed() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
  l0 = local s0 "a"
  l1 = local s0 "b"
  l2 = local [4 x f32] "list"
r0:
  v1 = raw_load #4 v912, v900 : i32
  store l0.0, v901
  store l0.1, v911
  store l2.0, v901
  store l2.3, v901
  T 0
  copy l1, l0
  T 0
  store l2[v1], v901
  v2 = load l1.0 : f32
  T 0
  v3 = load l1.1 : f32x3
  v4 = load l2.3 : f32
  v5 = load l2[v1] : f32
  raw_store #4 v912, v1, v2
  raw_store #4 v912, v900, v3
  raw_store #4 v912, v900, v4
  raw_store #4 v912, v900, v5
  return
"#,
    ));
    // Of the list, the element that is chosen may be any: from then on all of it may be written.
    let all = "v1:4 v2:4 l2.0:4 l2.1:4 l2.2:4 l2.3:4 l1.1:12";
    assert_eq!(found, ["v1:4 l0.0:4 l0.1:12 l2.0:4 l2.3:4", "v1:4 l2.0:4 l2.3:4 l1.0:4 l1.1:12", all]);
}

/// A loop that ends after its last iteration is left with what this wrote, as one that is left in the middle.
#[test]
fn memory_is_written_in_loops_that_end_at_their_end() {
    let body = |end: &str| {
        format!(
            r#"
  pl0 = payload out s0 "p"
r0:
  v1 = resource g3
  v2 = raw_load #4 v912, v900 : i32
  loop () {{
  r1:
    buf_store #4 v1, v2, v900, v2
    T 0
    {end}
  r4:
    next_if v902 next() break()
  }}
  v3 = buf_load #4 v1, v2, v900 : i32
  raw_store #4 v912, v900, v3
  return
"#
        )
    };
    let memory = "g3 = resource \"kept\" : res(uav structured stride 4 coherent) space 0 layout i32\n";
    for end in [
        "continue r1\n  } continuing {",
        "if v902 {\n    r2:\n      break r1\n    } else {\n    r3:\n      yield\n    }\n    continue r1\n  } continuing {",
    ] {
        let text = format!("{HEAD}{memory}{}", raygen(&body(end)));
        let m = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let found: Vec<&str> = rtc_passes::reorder::warnings(&m).iter().map(|d| d.code.id).collect();
        assert_eq!(found, ["W0853"], "{text}");
    }
}

/// A component that is live as a value of its own and in a vector is carried once, under any type.
#[test]
fn components_of_several_values_count_once() {
    let body = raygen(
        r#"
  pl0 = payload out s0 "p"
r0:
  v1 = raw_load #4 v912, v900 : f32
  v2 = raw_load #4 v912, v900 : f32
  v3 = raw_load #4 v912, v900 : f32
  v4 = construct v1, v2, v3, v3 : f32x4
  v5 = insert #2 v4, v2 : f32x4
  v6 = bitcast v4 : i32x4
  v7 = raw_load #4 v912, v900 : f32x4
  v8 = insert #0 v7, v1 : f32x4
  T 0
  v9 = extract #1 v4 : f32
  v10 = extract #3 v7 : f32
  v11 = extract #1 v7 : f32
  raw_store #4 v912, v900, v1
  raw_store #4 v912, v900, v5
  raw_store #4 v912, v900, v6
  raw_store #4 v912, v900, v8
  raw_store #4 v912, v900, v9
  raw_store #4 v912, v900, v10
  raw_store #4 v912, v900, v11
  return
"#,
    );
    let m = parse(&format!("{HEAD}{body}")).unwrap();
    let f = m.funcs.values().next().unwrap();
    let [state] = &across(&m, f)[..] else { panic!("one point") };
    assert_eq!(items(&m, f, state), "v1:4 v4[10]:4 v5:16 v6:16 v7[1010]:8 v8:16");
    let once = distinct(&m, f, state);
    // `v5` is `v1`, `v2`, `v2`, `v3`, and `v6` the bits of `v1`, `v2` and `v3` twice; of `v8` it is the first that is new.
    assert_eq!(items(&m, f, &once), "v5[1011]:12 v8[1110]:12");
    let numbers: Vec<String> = once.free.iter().map(ToString::to_string).collect();
    assert_eq!(numbers, ["v1", "v4", "v6", "v7"]);
}

#[test]
fn copies_of_components_count_once_and_parts_of_long_vectors_are_none() {
    let bytes = |code: &str| {
        let body = raygen(&format!("\n  pl0 = payload out s0 \"p\"\nr0:\n{code}  return\n"));
        let m = parse(&format!("{HEAD}{body}")).unwrap();
        let f = m.funcs.values().next().unwrap();
        let [state] = &across(&m, f)[..] else { panic!("one point") };
        (state.bytes(), distinct(&m, f, state).bytes())
    };
    for vector in ["f32x4", "f32x3"] {
        let load = format!("  v1 = raw_load #4 v912, v900 : f32\n  v3 = raw_load #4 v912, v900 : {vector}\n");
        let copy = "  v2 = extract #1 v3 : f32\n  v4 = construct v2, v1 : f32x2\n";
        let used = "  T 0\n  v5 = extract #1 v3 : f32\n  raw_store #4 v912, v900, v5\n  raw_store #4 v912, v900, v4\n";
        assert_eq!(bytes(&format!("{load}{copy}{used}")), (12, 8), "{vector}");
    }
    let used = "  T 0\n  raw_store #4 v912, v900, v3\n  raw_store #4 v912, v900, v4\n";
    let long = "  v3 = raw_load #4 v912, v900 : f32\n  v2 = raw_load #4 v912, v900 : f32x8\n  v4 = insert #0 v2, v3 : f32x8\n";
    assert_eq!(bytes(&format!("{long}{used}")), (36, 36));
}

/// The groups of the body of an entry point, as the operations of their points, what separates these, and how many instructions are between.
fn grouped(body: &str) -> Vec<String> {
    let trace = "hit_trace pl0, v910, v900, v900, v900, v900, v900, v911, v901, v911, v901 : hitobj";
    let text = format!("{HEAD}{}", raygen(&format!("\n  pl0 = payload out s0 \"p\"\nr0:\n{body}  return\n").replace("TRACE", trace)));
    let m = parse(&text.replace("sm 6.3", "sm 6.9")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{}", rtc_ir::verify::print_with_errors(&m, &errors));
    }
    let f = m.funcs.values().next().unwrap();
    let names = |all: &[rtc_ir::Inst]| all.iter().map(|&i| f.op(i).to_string()).collect::<Vec<_>>().join(" ");
    groups(&m, f).iter().map(|g| format!("{} / {} / {}", names(&g.points), names(&g.between), g.pure)).collect()
}

#[test]
fn points_of_one_hit_object_that_are_back_to_back() {
    let all = "  v1 = TRACE\n  reorder v1, v900, v900\n  hit_invoke pl0, v1\n";
    assert_eq!(grouped(all), ["hit_trace reorder hit_invoke /  / 0"]);
    assert_eq!(grouped("  v1 = TRACE\n  hit_invoke pl0, v1\n"), ["hit_trace hit_invoke /  / 0"]);
    assert_eq!(grouped("  v1 = TRACE\n  reorder v1, v900, v900\n"), ["hit_trace reorder /  / 0"]);
    // One alone is no group, nor are two of other hit objects.
    assert_eq!(grouped("  v1 = hit_make_nop : hitobj\n  hit_invoke pl0, v1\n"), [""; 0]);
    assert_eq!(grouped("  v1 = TRACE\n  v2 = TRACE\n  reorder v1, v900, v900\n  hit_invoke pl0, v2\n"), [""; 0]);
    // One after the other, each has its own.
    let two = format!("{all}{}", all.replace("v1", "v2"));
    assert_eq!(grouped(&two), ["hit_trace reorder hit_invoke /  / 0"; 2]);
    // A second reorder begins another one.
    let twice = "  v1 = TRACE\n  reorder v1, v900, v900\n  reorder v1, v900, v900\n  hit_invoke pl0, v1\n";
    assert_eq!(grouped(twice), ["hit_trace reorder /  / 0", "reorder hit_invoke /  / 0"]);
    // With a record of its own it is the same hit object.
    let index = "  v1 = TRACE\n  v2 = hit_set_shader_table_index v1, v900 : hitobj\n  reorder v2, v900, v900\n  hit_invoke pl0, v2\n";
    assert_eq!(grouped(index), ["hit_trace reorder hit_invoke /  / 1"]);
}

#[test]
fn what_is_between_points_of_one_hit_object() {
    let around =
        |before: &str, after: &str| grouped(&format!("  v1 = TRACE\n{before}  reorder v1, v900, v900\n{after}  hit_invoke pl0, v1\n"));
    // What has no effect, and what the payload is given, is part of calling.
    let pure = "  v2 = iadd v900, v900 : i32\n  v3 = iadd v2, v2 : i32\n";
    assert_eq!(around(pure, "  store pl0.0, v901\n"), ["hit_trace reorder hit_invoke /  / 3"]);
    let stores = "  raw_store #4 v912, v900, v900\n  v4 = raw_load #4 v912, v900 : i32\n";
    assert_eq!(around(stores, pure), ["hit_trace reorder hit_invoke / raw_store raw_load / 2"]);
    assert_eq!(around(pure, stores), ["hit_trace reorder hit_invoke / raw_store raw_load / 2"]);
    // Of branches it is what is in them.
    let branch = "  if v902 {\n  r1:\n    v5 = iadd v900, v900 : i32\n    raw_store #4 v912, v5, v900\n    v6 = raw_load #4 v912, v900 : i32\n    yield\n  } else {\n  r2:\n    store pl0.0, v901\n    yield\n  }\n";
    assert_eq!(around(branch, ""), ["hit_trace reorder hit_invoke / raw_store raw_load / 0"]);
    let passing = "  if v902 {\n  r1:\n    store pl0.0, v901\n    yield\n  } else {\n  r2:\n    yield\n  }\n";
    assert_eq!(around("", passing), ["hit_trace reorder hit_invoke / if / 0"]);
    // What is before the first is not between.
    assert_eq!(grouped(&format!("{stores}  v1 = TRACE\n  hit_invoke pl0, v1\n")), ["hit_trace hit_invoke /  / 0"]);
    // Another point between them parts them, and control flow does.
    let other = "  v1 = TRACE\n  v2 = TRACE\n  hit_invoke pl0, v1\n";
    assert_eq!(grouped(other), [""; 0]);
    let inside = "  v1 = TRACE\n  if v902 {\n  r1:\n    hit_invoke pl0, v1\n    yield\n  } else {\n  r2:\n    yield\n  }\n";
    assert_eq!(grouped(inside), ["hit_trace hit_invoke / if / 0"]);
    let reorder = inside.replace("hit_invoke pl0, v1", "reorder v1, v900, v900");
    assert_eq!(grouped(&reorder), [""; 0]);
}

/// Of payloads with qualifiers the caller passes what it may write, and a shader keeps what shaders after it may read.
#[test]
fn qualifiers_say_what_passes_a_trace() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
  pl1 = payload out s1 "q"
r0:
  store pl1.0, v901
  store pl1.1, v901
  T 0
  T 1
  v1 = load pl1.1 : f32
  T 0
  raw_store #4 v912, v900, v1
  return
"#,
    ));
    // The payload of the first trace is passed again.
    assert_eq!(found, ["pl1.0:4", "pl0.0:4 pl0.1:12", "v1:4"]);
    let hit = raygen(
        r#"
  pl0 = payload in s1 "q"
  pl1 = payload out s0 "p"
r0:
  store pl0.1, v901
  T 1
  v1 = load pl0.0 : f32
  T 1
  raw_store #4 v912, v900, v1
  return
"#,
    );
    assert_eq!(live(&hit.replace("stage raygen", "stage closesthit")), ["pl0.0:4 pl0.1:4", "v1:4 pl0.1:4"]);
    // Without qualifiers all of it goes back.
    let plain = hit.replace("in s1", "in s3").replace("stage raygen", "stage closesthit");
    assert_eq!(live(&format!("struct s3 \"R\" {{ \"a\" : f32 \"b\" : f32 }}\n{plain}")), ["pl0.0:4 pl0.1:4", "v1:4 pl0.0:4 pl0.1:4"]);
}

/// Calls of functions with points are points, through other functions, too; what is declared only may be one.
#[test]
fn calls_of_functions_with_points() {
    let functions = r#"
fn fn0 "Declared" stage library declared -> f32 {
  params l0, l1
  l0 = ref inout f32 "x"
  l1 = ref out f32 "y"
r0:
}
fn fn1 "Traces" stage library {
  pl0 = payload out s0 "p"
  v900 = const i32 0
  v901 = const f32 1.0
r0:
  v910 = resource g1
  v911 = construct v901, v901, v901 : f32x3
  trace_ray pl0, v910, v900, v900, v900, v900, v900, v911, v901, v911, v901
  return
}
fn fn2 "Calls" stage library {
r0:
  call fn1()
  return
}
fn fn3 "Adds" stage library -> f32 {
  params v0
r0(v0 : f32):
  v1 = fadd v0, v0 : f32
  return v1
}
"#;
    let main = raygen(
        r#"
  l0 = local f32 "x"
  l1 = local f32 "y"
  l2 = local f32 "z"
r0:
  v1 = raw_load #4 v912, v900 : f32
  v2 = raw_load #4 v912, v900 : f32
  store l0, v901
  store l1, v901
  store l2, v901
  v3 = call fn3(v2) : f32
  call fn2()
  v4 = call fn0() refs(l0, l1) : f32
  v5 = load l1 : f32
  v6 = load l2 : f32
  call fn1()
  raw_store #4 v912, v900, v1
  raw_store #4 v912, v900, v3
  raw_store #4 v912, v900, v4
  raw_store #4 v912, v900, v5
  raw_store #4 v912, v900, v6
  return
"#,
    );
    let found = live(&format!("{functions}{}", main.replace("fn fn0", "fn fn4")));
    // In the order of the functions: what `Traces` and `Calls` carry is nothing. What a call writes is not needed before it.
    assert_eq!(found, ["", "", "v1:4 v3:4 l0:4 l2:4", "v1:4 v3:4 l1:4 l2:4", "v1:4 v3:4 v4:4 v5:4 v6:4"]);
}

/// Of two ray queries each is followed alone, and of a long vector all is carried.
#[test]
fn queries_and_long_vectors() {
    let found = live(&raygen(
        r#"
  pl0 = payload out s0 "p"
  pl1 = ray query query(0 0) "q"
  pl2 = ray query query(0 0) "r"
r0:
  v1 = allocate_ray_query pl1 : query(0 0)
  v2 = allocate_ray_query pl2 : query(0 0)
  v3 = raw_load #4 v912, v900 : f32x8
  ray_query_trace_ray_inline v1, v910, v900, v900, v911, v901, v911, v901
  ray_query_trace_ray_inline v2, v910, v900, v900, v911, v901, v911, v901
  T 0
  ray_query_trace_ray_inline v1, v910, v900, v900, v911, v901, v911, v901
  ray_query_abort v2
  T 0
  ray_query_abort v1
  v4 = extract #6 v3 : f32
  raw_store #4 v912, v900, v4
  return
"#,
    ));
    assert_eq!(found, ["v3:32 pl2:0", "v3:32 pl1:0"]);
}

/// `n` values that are read first and written last, with `n` points and branches between.
fn many(n: usize) -> f64 {
    use std::fmt::Write as _;
    let mut body = String::from("  pl0 = payload out s0 \"p\"\nr0:\n");
    for v in 0..n {
        _ = writeln!(body, "  v{} = raw_load #4 v912, v900 : i32", 1000 + v);
    }
    for v in 0..n {
        let (then_, else_) = (2 * v + 1, 2 * v + 2);
        _ = writeln!(body, "  if v902 {{\n  r{then_}:\n  T 0\n  yield\n  }} else {{\n  r{else_}:\n  yield\n  }}");
    }
    for v in 0..n {
        _ = writeln!(body, "  raw_store #4 v912, v900, v{}", 1000 + v);
    }
    body += "  return\n";
    let m = parse(&format!("{HEAD}{}", raygen(&body))).unwrap();
    let before = rtc_oracles::measure::spent();
    let states = across(&m, m.funcs.values().next().unwrap());
    // A problem that is too large has no answer.
    assert!(if n <= 1000 { states.len() == n && states[0].values.len() == n } else { states.is_empty() });
    (rtc_oracles::measure::spent() - before).as_secs_f64()
}

#[test]
fn many_points_end_in_time() {
    let times = [many(500), many(1000), many(20_000)];
    assert!(times.iter().all(|&t| t < 10.0), "{times:?}");
}

#[test]
fn parts_that_are_written_after_a_loop_are_not_carried_in_it() {
    let around = |before: &str, inside: &str, after: &str| {
        live(&raygen(&format!(
            r#"
  pl0 = payload out s0 "p"
  l0 = local s2 "big"
r0:
  v1 = raw_load #4 v912, v900 : i32
  v4 = construct v1, v1 : i32x2
{before}  loop () {{
  r1:
    T 0
{inside}    if v902 {{
    r2:
      break r1
    }} else {{
    r3:
      yield
    }}
    continue r1
  }} continuing {{
  r4:
    next
  }}
{after}  v3 = load l0.2.1 : i32x2
  raw_store #4 v912, v900, v3
  return
"#
        )))
    };
    let store = "  store l0.2[v1], v4\n";
    let carried = around(store, "", "");
    assert!(carried[0].contains("l0.2.1:8"), "{carried:?}");
    let carried = around("", store, "");
    assert!(carried[0].contains("l0.2.1:8"), "{carried:?}");
    // What is never written before has no value.
    let carried = around("", "", store);
    assert!(!carried[0].contains("l0"), "{carried:?}");
}

#[test]
fn attributes_that_are_read_anew_are_not_carried() {
    let of = |after: &str| {
        live(&raygen(&format!(
            r#"
  pl0 = payload out s0 "p"
  pl1 = attr hit s0 "a"
r0:
  v1 = hit_make_nop : hitobj
  hit_attributes pl1, v1
  v2 = load pl1.0 : f32
  raw_store #4 v912, v900, v2
  T 0
{after}  v3 = load pl1.0 : f32
  raw_store #4 v912, v900, v3
  return
"#
        )))
    };
    assert!(of("")[0].contains("pl1.0:4"), "{:?}", of(""));
    let anew = of("  hit_attributes pl1, v1\n");
    assert!(!anew[0].contains("pl1"), "{anew:?}");
}
