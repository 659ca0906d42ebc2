//! What `reorder_motion` says and leaves: whether it changed something, and how many bytes are carried across points, on programs written by hand.

use rtc_ir::text::{parse, print};
use rtc_ir::verify::{print_with_errors, verify};
use rtc_passes::reorder::bytes_across;
use rtc_passes::{Changed, PassCtx, find, run_pass};

const WORLD: &str = r#"module sm 6.9
struct s0 "P" { "a" : f32 }
g0 = resource "mem" : res(uav raw) space 0
g1 = resource "scene" : res(srv accel) space 0
fn fn0 "Main" stage raygen {
 pl0 = payload out s0 "p"
 v90 = const i32 0 v91 = const f32 1.0
r0:
 v82 = construct v91, v91, v91 : f32x3
 v83 = resource g0
 v85 = resource g1
"#;

const RAY: &str = "v85, v90, v90, v90, v90, v90, v82, v91, v82, v91";

/// Bytes across points before and after, and whether the pass says that it changed something. `T` is a trace, `HIT` a traced hit object `v1`.
fn moved(body: &str) -> (u32, u32, bool) {
    let (before, after, says, _) = moved_text(body);
    (before, after, says)
}

/// The same, and what it becomes.
fn moved_text(body: &str) -> (u32, u32, bool, String) {
    let mut text = WORLD.to_owned();
    for line in body.split([';', '\n']).map(str::trim) {
        match line {
            "T" => text += &format!("trace_ray pl0, {RAY}"),
            "HIT" => text += &format!("v1 = hit_trace pl0, {RAY} : hitobj"),
            _ => text += line,
        }
        text.push('\n');
    }
    text += "return\n}\n";
    let mut m = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = verify(&m) {
        panic!("{}", print_with_errors(&m, &errors));
    }
    let (before, was) = (bytes_across(&m), print(&m));
    let changed = run_pass(&mut m, find("reorder_motion").expect("the pass"), &PassCtx { check: true }).expect("it runs");
    let says = matches!(changed, Changed::Yes);
    assert_eq!(says, print(&m) != was, "what it says is so: {body}");
    (before as u32, bytes_across(&m) as u32, says, print(&m))
}

#[test]
fn what_comes_together_is_a_change() {
    // Nothing is carried: only the two points become adjacent.
    let body = "HIT; v2 = raw_load #4 v83, v90 : f32; raw_store #4 v83, v90, v2; reorder v1, v90, v90; hit_invoke pl0, v1";
    assert!(!moved(body).2);
    let body = "HIT; v2 = fadd v91, v91 : f32; reorder v1, v90, v90; raw_store #4 v83, v90, v2; hit_invoke pl0, v1";
    assert!(moved(body).2);
    let body = "HIT; reorder v1, v90, v90; v2 = fadd v91, v91 : f32; hit_invoke pl0, v1; raw_store #4 v83, v90, v2";
    assert!(moved(body).2);
    assert!(!moved("HIT; reorder v1, v90, v90; hit_invoke pl0, v1").2);
}

#[test]
fn reductions_rise_where_they_are_the_only_use() {
    let load = |v: u32, ty: &str| format!("v{v} = raw_load #4 v83, v90 : {ty}");
    let sum = "v5 = fadd v2, v3 : f32; raw_store #4 v83, v90, v5";
    let two = format!("{}; {}; T; {sum}", load(2, "f32"), load(3, "f32"));
    assert_eq!(moved(&two), (8, 4, true));
    // What is used otherwise is carried anyway; that nothing is won there does not undo the other.
    let dot = "v6 = dot v4, v4 : f32; raw_store #4 v83, v90, v6; raw_store #4 v83, v90, v4";
    let both = format!("{}; {}; {}; T; {sum}; {dot}", load(2, "f32"), load(3, "f32"), load(4, "f32x3"));
    assert_eq!(moved(&both), (20, 16, true));
    let alone = format!("{}; T; {dot}", load(4, "f32x3"));
    assert_eq!(moved(&alone), (12, 12, false));
    let free = format!("{}; T; v6 = dot v4, v4 : f32; raw_store #4 v83, v90, v6", load(4, "f32x3"));
    assert_eq!(moved(&free), (12, 4, true));
    // Above two points, each carries less.
    let twice = format!("{}; T; T; v6 = dot v4, v4 : f32; raw_store #4 v83, v90, v6", load(4, "f32x3"));
    assert_eq!(moved(&twice), (24, 8, true));
    // Between the points it is the last definition after which it rises.
    let between = format!("{}; T; {}; T; v5 = fadd v2, v3 : f32; raw_store #4 v83, v90, v5", load(2, "f32"), load(3, "f32"));
    assert_eq!(moved(&between), (12, 8, true));
    let reversed = between.replace("fadd v2, v3", "fadd v3, v2");
    assert_eq!(moved(&reversed), (12, 8, true));
    for sum in ["fadd v2, v3", "fadd v3, v2"] {
        let arm = format!(
            "{}; v9 = ult v90, v90 : bool; if v9 {{ r1:; {}; T; v5 = {sum} : f32; raw_store #4 v83, v90, v5; yield }} else {{ r2: yield }}",
            load(2, "f32"),
            load(3, "f32")
        );
        assert_eq!(moved(&arm), (8, 4, true), "{sum}");
    }
}

#[test]
fn what_one_value_makes_live_others_are_computed_from() {
    let body = "v2 = raw_load #4 v83, v90 : f32; v3 = fneg v2 : f32; v4 = construct v2, v2, v2 : f32x3; T
        raw_store #4 v83, v90, v3; raw_store #4 v83, v90, v4";
    assert_eq!(moved(body), (16, 4, true));
}

#[test]
fn what_no_point_parts_from_its_operands_stays() {
    let body = "v2 = raw_load #4 v83, v90 : f32; v3 = raw_load #4 v83, v90 : f32; v4 = raw_load #4 v83, v90 : f32x3; T
        v5 = fadd v2, v3 : f32; v8 = raw_load #4 v83, v90 : f32x3; raw_store #4 v83, v90, v8; raw_store #4 v83, v90, v5
        v9 = dot v4, v8 : f32; raw_store #4 v83, v90, v9";
    let (before, after, says, text) = moved_text(body);
    assert_eq!((before, after, says), (20, 16, true));
    let stores = text.split(" dot ").next().map_or(0, |t| t.matches("raw_store").count());
    assert_eq!(stores, 2, "{text}");
}
