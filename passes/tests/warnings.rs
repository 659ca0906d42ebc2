//! What is reported around reorder points, and what is not, on programs written by hand: each rule with its nearest exceptions.
//!
//! `T` is a trace, `USE v1` a use of a number, `NOP` a nop `v1`, `HIT` a traced hit object `v1`.

use rtc_base::{Pos, Span};
use rtc_ir::text::parse;
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Inst, Module, Opcode};
use rtc_passes::reorder;

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
"#;

const HEAD: &str = " pl0 = payload PASSED s0 \"p\"
 l0 = local s1
 l1 = local s1
 v90 = const i32 0 v91 = const f32 1.0 v92 = const i32 1 v93 = const i32 4 v94 = const i32 40 v95 = const i32 3 v96 = const i32 32
r0:
 v79 = dispatch_rays_dim : i32x3
 v78 = extract v79 : i32
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

fn shader(number: u32, stage: &str, body: &str) -> String {
    let passed = if stage == "raygen" { "out" } else { "in" };
    let mut out = format!("fn fn{number} \"F{number}\" stage {stage} {{\n{}", HEAD.replace("PASSED", passed));
    for line in body.split([';', '\n']).map(str::trim) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("T", _) => out += &format!("trace_ray pl0, {RAY}"),
            ("USE", v) => out += &format!("raw_store #4 v83, v78, {v}"),
            ("NOP", _) => out += "v1 = hit_make_nop : hitobj",
            ("HIT", _) => out += &format!("v1 = hit_trace pl0, {RAY} : hitobj"),
            _ => out += line,
        }
        out.push('\n');
    }
    out + "return\n}\n"
}

fn module(shaders: &[String]) -> Module {
    of_text(&format!("{WORLD}{}", shaders.concat()))
}

fn of_text(text: &str) -> Module {
    let m = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = verify(&m) {
        panic!("{}", print_with_errors(&m, &errors));
    }
    m
}

/// What is reported: code and message.
fn reported(shaders: &[String]) -> Vec<(String, String)> {
    reorder::warnings(&module(shaders)).into_iter().map(|d| (d.code.id.to_owned(), d.message)).collect()
}

/// Each body of a ray generation shader with the codes that are reported.
fn check(cases: &[(&str, &str)]) {
    for (body, codes) in cases {
        let found: Vec<String> = reported(&[shader(0, "raygen", body)]).into_iter().map(|r| r.0).collect();
        assert_eq!(found.join(" "), *codes, "{body}");
    }
}

#[test]
fn results_of_wave_operations_as_values() {
    check(&[
        ("v1 = wave_lane_index : i32; T; USE v1", "W0850"),
        ("v1 = wave_lane_index : i32; USE v1; T", ""),
        ("T; v1 = wave_lane_index : i32; USE v1", ""),
        ("v1 = wave_active_op #usum v87 : i32; T; USE v1", "W0851"),
        ("v1 = wave_read_lane_first v87 : i32; T; USE v1", "W0851"),
        // What is computed from it and constants is as much about the wave; with other data it is not.
        ("v1 = wave_lane_index : i32; v2 = iadd v1, v92 : i32; T; USE v2", "W0850"),
        ("v1 = wave_lane_index : i32; v2 = iadd v92, v93 : i32; v3 = imul v1, v2 : i32; T; USE v3", "W0850"),
        ("v1 = wave_lane_index : i32; v2 = iadd v1, v87 : i32; T; USE v2", ""),
        ("v1 = wave_lane_index : i32; v2 = iadd v1, v81 : i32; T; USE v2", ""),
        ("v1 = wave_lane_index : i32; if v88 { r1:; T; yield } else { r2: yield }; USE v1", "W0850"),
    ]);
}

#[test]
fn results_of_wave_operations_in_variables() {
    let wave = "v1 = wave_lane_index : i32; ";
    let cases = [
        ("store l1.1.0, v1; T; v2 = load l1.1.0 : i32; USE v2", "W0850"),
        ("store l1.1.0, v1; v2 = load l1.1.0 : i32; USE v2; T", ""),
        ("store l1.1.0, v1; v2 = load l1.1.0 : i32; T; USE v2", "W0850"),
        ("store l1.1.0, v1; T; v2 = load l1.1.1 : i32; USE v2", ""),
        ("store l1.1.0, v1; T; v2 = load l1.0 : i32; USE v2", ""),
        ("store l1.1.0, v1; T; v2 = load l0.1.0 : i32; USE v2", ""),
        ("store l1.1[v89], v1; T; v2 = load l1.1.2 : i32; USE v2", "W0850"),
        ("store l1.1.0, v1; T; v2 = load l1.1[v89] : i32; USE v2", "W0850"),
        ("store l1.1[v89], v1; T; v2 = load l1.1[v87] : i32; USE v2", "W0850"),
        ("store l1.1[v89], v1; T; v2 = load l1.0 : i32; USE v2", ""),
        ("store l1.1.0, v1; store l1.1.0, v90; T; v2 = load l1.1.0 : i32; USE v2", ""),
        ("store l1.1.0, v1; store l1.1[v89], v90; T; v2 = load l1.1.0 : i32; USE v2", "W0850"),
        ("store l1.1.0, v1; copy l0, l1; T; v2 = load l0.1.0 : i32; USE v2", "W0850"),
        ("store l1.1.0, v1; copy l0, l1; T; v2 = load l0.0 : i32; USE v2", ""),
        ("store l1.1.0, v1; copy l0.1, l1.1; T; v2 = load l0.1.0 : i32; USE v2", "W0850"),
        ("store l1.1.0, v1; copy l1, l0; T; v2 = load l1.1.0 : i32; USE v2", ""),
        ("if v88 { r1: store l1.0, v1; yield } else { r2: yield }; T; v2 = load l1.0 : i32; USE v2", "W0850"),
        ("store l1.0, v1; if v88 { r1:; T; yield } else { r2: yield }; v2 = load l1.0 : i32; USE v2", "W0850"),
        // Payloads: what only the caller writes comes back.
        ("store pl0.0, v1; T; v2 = load pl0.0 : i32; USE v2", "W0850"),
        ("store pl0.1, v1; T; v2 = load pl0.1 : i32; USE v2", ""),
        ("store pl0.2, v1; T; v2 = load pl0.2 : i32; USE v2", ""),
        ("store pl0.3.1, v1; T; v2 = load pl0.3.1 : i32; USE v2", "W0850"),
    ];
    for (body, codes) in cases {
        check(&[(&format!("{wave}{body}"), codes)]);
    }
}

/// A loop with four iterations around a body.
fn repeated(body: &str) -> String {
    format!(
        "loop (v90) {{ r10(v10: i32): v11 = ult v10, v93 : bool if v11 {{ r11: yield }} else {{ r12: break r10 }}
        {body}
        v14 = iadd v10, v92 : i32 continue r10 (v14) }} continuing {{ r14(v15: i32): next v15 }}"
    )
}

#[test]
fn what_iterations_leave_to_the_next_ones() {
    let in_variable = repeated("v2 = load l1.0 : i32; USE v2; v1 = wave_lane_index : i32; store l1.0, v1; T");
    let before = repeated("v1 = wave_lane_index : i32; store l1.0, v1; v2 = load l1.0 : i32; USE v2; T");
    let memory = repeated("v2 = raw_load #4 v83, v90 : i32; raw_store #4 v83, v92, v2; raw_store #4 v83, v90, v10; T");
    let anew = repeated("v2 = raw_load #4 v83, v10 : i32; raw_store #4 v83, v10, v92; T");
    let after = format!("{}; v2 = raw_load #4 v83, v90 : i32; USE v2", repeated("raw_store #4 v83, v90, v10; T"));
    check(&[(&in_variable, "W0850"), (&before, ""), (&memory, "W0852"), (&anew, ""), (&after, "W0852")]);
}

#[test]
fn memory_across_points() {
    check(&[
        ("raw_store #4 v83, v90, v87; T; v2 = raw_load #4 v83, v90 : i32; USE v2", "W0852"),
        ("raw_store #4 v83, v90, v87; v2 = raw_load #4 v83, v90 : i32; USE v2; T", ""),
        ("raw_store #4 v83, v90, v87; T; v2 = raw_load #4 v83, v92 : i32; USE v2", ""),
        ("raw_store #4 v83, v90, v87; T; v2 = raw_load #4 v86, v90 : i32; USE v2", ""),
        // Equal addresses are equal however they are computed.
        (
            "v1 = iadd v81, v92 : i32; v2 = iadd v81, v92 : i32; raw_store #4 v83, v1, v87; T; v3 = raw_load #4 v83, v2 : i32; USE v3",
            "W0852",
        ),
        ("v1 = iadd v81, v92 : i32; v2 = iadd v81, v93 : i32; raw_store #4 v83, v1, v87; T; v3 = raw_load #4 v83, v2 : i32; USE v3", ""),
        ("raw_store #4 v84, v90, v87; T; v2 = raw_load #4 v84, v90 : i32; USE v2", "W0853"),
        ("raw_store #4 v84, v90, v87; memory_barrier #2049; T; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("raw_store #4 v84, v90, v87; T; memory_barrier #2049; v2 = raw_load #4 v84, v90 : i32; USE v2", "W0855"),
        ("raw_store #4 v84, v90, v87; T; memory_barrier #2049; memory_barrier #2049; v2 = raw_load #4 v84, v90 : i32; USE v2", "W0855"),
        ("raw_store #4 v84, v90, v87; memory_barrier #2049; T; memory_barrier #2049; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("raw_store #4 v84, v90, v87; memory_barrier #2049; memory_barrier #2049; T; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("raw_store #4 v84, v90, v87; memory_barrier #1025; T; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("raw_store #4 v84, v90, v87; memory_barrier #513; T; v2 = raw_load #4 v84, v90 : i32; USE v2", "W0853"),
        ("raw_store #4 v84, v90, v87; barrier #2; T; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("raw_store #4 v84, v90, v87; handle_barrier #8 v84; T; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("raw_store #4 v84, v90, v87; handle_barrier #8 v83; T; v2 = raw_load #4 v84, v90 : i32; USE v2", "W0853"),
        // Of what is not coherent, barriers change nothing, however many there are.
        ("raw_store #4 v83, v90, v87; memory_barrier #2049; memory_barrier #2049; T; v2 = raw_load #4 v83, v90 : i32; USE v2", "W0852"),
        ("raw_store #4 v83, v90, v87; memory_barrier #1025; T; memory_barrier #1025; v2 = raw_load #4 v83, v90 : i32; USE v2", "W0852"),
        ("raw_store #4 v83, v90, v87; T; memory_barrier #1025; memory_barrier #1025; v2 = raw_load #4 v83, v90 : i32; USE v2", "W0852"),
        ("raw_store #4 v84, v90, v87; T; raw_store #4 v84, v90, v90; memory_barrier #2049; v2 = raw_load #4 v84, v90 : i32; USE v2", ""),
        ("if v88 { r1: raw_store #4 v83, v90, v87; yield } else { r2: yield }; T; v2 = raw_load #4 v83, v90 : i32; USE v2", "W0852"),
    ]);
}

#[test]
fn memory_between_shaders_of_a_thread() {
    let codes = |caller: &str, miss: &str| {
        let all = reported(&[shader(0, "raygen", caller), shader(1, "miss", miss)]);
        all.into_iter().map(|r| r.0).collect::<Vec<_>>().join(" ")
    };
    let reads = "T; v2 = raw_load #4 v83, v81 : i32; USE v2";
    assert_eq!(codes(reads, "raw_store #4 v83, v81, v92"), "W0852");
    assert_eq!(codes(reads, "raw_store #4 v83, v87, v92"), "");
    assert_eq!(codes("v2 = raw_load #4 v83, v81 : i32; USE v2; T", "raw_store #4 v83, v81, v92"), "");
    assert_eq!(codes("raw_store #4 v83, v81, v92; T", "v2 = raw_load #4 v83, v81 : i32; USE v2"), "W0852");
    let reads = "T; v2 = raw_load #4 v84, v81 : i32; USE v2";
    assert_eq!(codes(reads, "raw_store #4 v84, v81, v92"), "W0853");
    assert_eq!(codes(reads, "raw_store #4 v84, v81, v92; memory_barrier #2049"), "");
}

#[test]
fn barriers_for_what_is_not_coherent() {
    let of = |resources: &str, body: &str| {
        let world = WORLD.replace("uav raw reorder_coherent", resources);
        let m = of_text(&format!("{world}{}", shader(0, "raygen", body)));
        reorder::warnings(&m).iter().map(|d| d.code.id).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("uav raw", "memory_barrier #2049"), "W0854");
    assert_eq!(of("uav raw", "memory_barrier #1025"), "");
    assert_eq!(of("uav raw coherent", "memory_barrier #2049"), "");
    assert_eq!(
        of("uav raw", "v1 = heap_resource v90 : res(uav raw reorder_coherent); raw_store #4 v1, v90, v87; memory_barrier #2049"),
        ""
    );
}

#[test]
fn hints_and_hit_objects() {
    check(&[
        ("HIT; reorder v1, v90, v90; hit_invoke pl0, v1", ""),
        ("HIT; reorder v1, v90, v90", "W0859"),
        ("NOP; reorder v1, v89, v95", ""),
        ("NOP; hit_invoke pl0, v1", "W0860"),
    ]);
    let hints = [
        ("NOP; reorder v1, v89, v93", "the hint has at most 3 bits, and 4 are to count"),
        ("NOP; reorder v1, v89, v96", "the hint has at most 3 bits, and 32 are to count"),
        ("NOP; reorder v1, v89, v94", "a hint has 32 bits, not 40"),
        ("NOP; reorder v1, v87, v96", ""),
        ("NOP; v2 = and v87, v92 : i32; reorder v1, v2, v93", "the hint has at most 1 bit, and 4 are to count"),
        ("NOP; v2 = and v87, v92 : i32; reorder v1, v2, v92", ""),
        ("NOP; reorder v1, v93, v90", "none of the hint's bits counts: the hint does nothing"),
        ("HIT; reorder v1, v87, v90; hit_invoke pl0, v1", "none of the hint's bits counts: the hint does nothing"),
        ("NOP; reorder v1, v90, v90", "there is nothing to reorder by: no hit, and no bits of a hint"),
        ("NOP; reorder v1, v87, v78", ""),
        ("NOP; reorder v1, v87, v87", "the number of bits of the hint may differ between threads"),
    ];
    for (body, message) in hints {
        let found: Vec<String> = reported(&[shader(0, "raygen", body)]).into_iter().map(|r| r.1).collect();
        assert_eq!(found.join("; "), message, "{body}");
    }
}

#[test]
fn reorders_in_branches() {
    let first = "v10 = wave_is_first_lane : bool";
    let lane = "v9 = wave_lane_index : i32";
    // A condition `v20`, and what is reported of a reorder where it holds, and where it does not.
    let cases = [
        (format!("{first}; v20 = not v10 : bool"), "W0856", "W0857"),
        (format!("{first}; v20 = and v10, v88 : bool"), "W0857", "W0856"),
        (format!("{first}; v20 = and v88, v10 : bool"), "W0857", "W0856"),
        (format!("{first}; v20 = or v10, v88 : bool"), "W0856", "W0856"),
        (format!("{first}; v11 = not v10 : bool; v20 = or v88, v11 : bool"), "W0856", "W0857"),
        (format!("{lane}; v20 = ieq v9, v90 : bool"), "W0857", "W0856"),
        (format!("{lane}; v20 = ieq v90, v9 : bool"), "W0857", "W0856"),
        (format!("{lane}; v20 = ieq v9, v78 : bool"), "W0857", "W0856"),
        (format!("{lane}; v20 = ieq v9, v87 : bool"), "W0856", "W0856"),
        (format!("{lane}; v20 = ine v9, v93 : bool"), "W0856", "W0857"),
        (format!("{lane}; v20 = ult v9, v92 : bool"), "W0857", "W0856"),
        (format!("{lane}; v20 = ult v9, v93 : bool"), "W0856", "W0856"),
        ("v20 = ult v87, v92 : bool".into(), "W0856", "W0856"),
        ("v20 = ieq v87, v90 : bool".into(), "W0856", "W0856"),
        ("v20 = ieq v90, v87 : bool".into(), "W0856", "W0856"),
        (format!("{lane}; v20 = ieq v87, v9 : bool"), "W0856", "W0856"),
        ("v20 = ult v78, v93 : bool".into(), "", ""),
    ];
    for (condition, holds, holds_not) in cases {
        let body = |then: &str, or: &str| format!("{condition}; NOP; if v20 {{ r1: {then}; yield }} else {{ r2: {or}; yield }}");
        let reorder = "reorder v1, v89, v95";
        check(&[(&body(reorder, ""), holds), (&body("", reorder), holds_not)]);
    }
    let nested = format!(
        "{first}; NOP; if v10 {{ r1: if v88 {{ r3: yield }} else {{ r4: reorder v1, v89, v95; yield }}; yield }} else {{ r2: yield }}"
    );
    // An outer branch for one lane holds for what it has in it.
    check(&[(&nested, "W0857")]);
}

/// Gives each instruction of these opcodes, in the order of the text, a place in the source: `(opcode, place)`, several with the same opcode in turn.
fn place(m: &mut Module, places: &[(Opcode, u32)]) {
    let f = m.funcs.values_mut().next().expect("a function");
    let mut all: Vec<Inst> = Vec::new();
    f.for_each_inst(f.body, |_, i| all.push(i));
    let mut from = 0;
    for &(op, at) in places {
        let n = (from..all.len()).find(|&n| f.op(all[n]) == op).expect("an instruction of this opcode");
        f.spans[all[n]] = Span::new(Pos(at), Pos(at + 1));
        from = n + 1;
    }
}

#[test]
fn reports_name_the_first_use_after_the_point() {
    use Opcode as O;
    let body = "v1 = wave_lane_index : i32; USE v1; T; USE v87; USE v1; USE v1";
    let mut m = module(&[shader(0, "raygen", body)]);
    let stores = [(O::wave_lane_index, 100), (O::raw_store, 110), (O::trace_ray, 120), (O::raw_store, 130), (O::raw_store, 140)];
    place(&mut m, &[&stores[..], &[(O::raw_store, 150)]].concat());
    let found = reorder::warnings(&m);
    let places: Vec<u32> = found[0].labels.iter().map(|l| l.span.lo.0).collect();
    assert_eq!((found.len(), places), (1, vec![100, 120, 140]));
}

#[test]
fn what_is_wrong_in_some_copies_of_a_helper_is_not_reported() {
    use Opcode as O;
    let two = "NOP; v2 = hit_trace pl0, v85, v90, v90, v90, v90, v90, v82, v91, v82, v91 : hitobj; hit_invoke pl0, v1; hit_invoke pl0, v2";
    let of = |places: &[(Opcode, u32)]| {
        let mut m = module(&[shader(0, "raygen", two)]);
        place(&mut m, places);
        reorder::warnings(&m).iter().map(|d| d.code.id).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(&[(O::hit_make_nop, 100), (O::hit_invoke, 110), (O::hit_invoke, 120)]), "W0860");
    assert_eq!(of(&[(O::hit_make_nop, 100), (O::hit_invoke, 110), (O::hit_invoke, 110)]), "");
    // Other instructions at the place are no copies: what it is made of, or a return.
    assert_eq!(of(&[(O::ult, 110), (O::hit_make_nop, 100), (O::hit_invoke, 110), (O::hit_invoke, 120)]), "W0860");
    assert_eq!(of(&[(O::hit_make_nop, 100), (O::hit_invoke, 110), (O::hit_invoke, 120), (O::return_, 110)]), "W0860");
}

#[test]
fn wave_operations_are_named() {
    use Opcode as O;
    for op in [O::wave_lane_index, O::wave_ballot, O::wave_active_op, O::wave_read_lane_first, O::wave_any_true, O::read_clock] {
        assert!(reorder::is_wave(op), "{op}");
    }
    for op in [O::iadd, O::raw_load, O::trace_ray, O::reorder, O::dispatch_rays_index] {
        assert!(!reorder::is_wave(op), "{op}");
    }
}
