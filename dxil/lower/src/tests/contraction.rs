//! What is contracted, and what is not: the arithmetic of a callable shader with two numbers, before and after.

use super::{module, options};
use crate::facts::Facts;
use crate::{DxilOptions, lower};
use rtc_dxil_dis::module_text;

/// The lines that compute, as text after the `=`.
fn computed(code: &str, o: &DxilOptions, header: &str) -> Vec<String> {
    let text = format!(
        "module sm 6.3{header}\nstruct s0 \"P\" {{\n \"a\" : f32\n \"b\" : f32\n}}\nfn fn0 \"M\" stage callable {{\n pl0 = callable in s0 \"p\"\n \
         pl1 = callable out s0 \"q\"\n v90 = const i32 0\n v91 = const f32 2.0\n v92 = const f32 3.0\nr0:\n v1 = load pl0.0 : f32\n v2 = load pl0.1 : f32\n\
         {code}\n return\n}}\n"
    );
    let m = module(&text);
    let facts = Facts::new(&m, o.profile, &mut Vec::new());
    let lowered = lower(&m, &facts, o, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let listing = module_text(&lowered.module);
    // The two numbers are `x` and `y`, results are `t0`, `t1`, …
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for line in listing.lines().filter_map(|l| l.split("  ; ").next()) {
        let Some((result, made)) = line.trim().split_once(" = ").filter(|(result, _)| result.starts_with('%')) else {
            continue;
        };
        if made.starts_with("load float") {
            names.push((result.to_owned(), ["x", "y"][names.len().min(1)].to_owned()));
        } else if ["fadd", "fsub", "fmul", "tertiary"].iter().any(|f| made.contains(f)) {
            let name = |word: &str| {
                let (word, end) = word.split_at(word.trim_end_matches([',', ')']).len());
                let known = names.iter().find(|(old, _)| old == word);
                known.map_or(word, |(_, new)| new).to_owned() + end
            };
            let words: Vec<String> = made.split(' ').map(name).collect();
            names.push((result.to_owned(), format!("t{}", found.len())));
            found.push(words.join(" "));
        }
    }
    found
}

fn check(code: &str, wanted: &[&str]) {
    assert_eq!(computed(code, &options("", 6), ""), wanted, "{code}");
}

#[test]
fn a_product_that_only_a_sum_uses_becomes_a_part_of_it() {
    let wanted = ["call float @dx.op.tertiary.f32(i32 46, float x, float y, float 2.000000e+00)"];
    check("v3 = fmul v1, v2 : f32\nv4 = fadd v3, v91 : f32\nstore pl0.0, v4", &wanted);
    check("v3 = fmul v1, v2 : f32\nv4 = fadd v91, v3 : f32\nstore pl0.0, v4", &wanted);
}

#[test]
fn a_product_with_another_use_is_computed_alone() {
    check(
        "v3 = fmul v1, v2 : f32\nv4 = fadd v3, v91 : f32\nstore pl0.0, v4\nstore pl0.1, v3",
        &["fmul fast float x, y", "fadd fast float t0, 2.000000e+00"],
    );
    // Both factors of a square sum are one use each, of which one is contracted.
    check(
        "v3 = fmul v1, v1 : f32\nv4 = fmul v2, v2 : f32\nv5 = fadd v3, v4 : f32\nstore pl0.0, v5",
        &["fmul fast float y, y", "call float @dx.op.tertiary.f32(i32 46, float x, float x, float t0)"],
    );
}

#[test]
fn what_is_precise_stays_two_instructions() {
    check(
        "v3 = precise fmul v1, v2 : f32\nv4 = fadd v3, v91 : f32\nstore pl0.0, v4",
        &["fmul float x, y", "fadd fast float t0, 2.000000e+00"],
    );
    check(
        "v3 = fmul v1, v2 : f32\nv4 = precise fadd v3, v91 : f32\nstore pl0.0, v4",
        &["fmul fast float x, y", "fadd float t0, 2.000000e+00"],
    );
}

#[test]
fn signs_go_where_they_cost_nothing() {
    // A constant addend, a constant factor, a product with one as what is subtracted, or as a factor.
    check(
        "v3 = fmul v1, v2 : f32\nv4 = fsub v3, v91 : f32\nstore pl0.0, v4",
        &["call float @dx.op.tertiary.f32(i32 46, float x, float y, float -2.000000e+00)"],
    );
    check(
        "v3 = fmul v1, v91 : f32\nv4 = fsub v2, v3 : f32\nstore pl0.0, v4",
        &["call float @dx.op.tertiary.f32(i32 46, float x, float -2.000000e+00, float y)"],
    );
    check(
        "v3 = fmul v1, v91 : f32\nv4 = fmul v3, v2 : f32\nv5 = fsub v92, v4 : f32\nstore pl0.0, v5",
        &["fmul fast float x, -2.000000e+00", "call float @dx.op.tertiary.f32(i32 46, float t0, float y, float 3.000000e+00)"],
    );
    check(
        "v3 = fmul v1, v2 : f32\nv4 = fadd v1, v2 : f32\nv5 = fmul v4, v92 : f32\nv6 = fsub v3, v5 : f32\nstore pl0.0, v6",
        &[
            "fmul fast float x, y",
            "fadd fast float x, y",
            "call float @dx.op.tertiary.f32(i32 46, float t1, float -3.000000e+00, float t0)",
        ],
    );
    check("v3 = fmul v1, v91 : f32\nv4 = fneg v3 : f32\nstore pl0.0, v4", &["fmul fast float x, -2.000000e+00"]);
    // Nothing can take the sign; a difference could, but it stays what it is.
    check(
        "v3 = fmul v1, v2 : f32\nv4 = fsub v92, v3 : f32\nstore pl0.0, v4",
        &["fmul fast float x, y", "fsub fast float 3.000000e+00, t0"],
    );
    check(
        "v3 = fmul v1, v2 : f32\nv4 = fsub v2, v1 : f32\nv5 = fsub v3, v4 : f32\nstore pl0.0, v5",
        &["fmul fast float x, y", "fsub fast float y, x", "fsub fast float t0, t1"],
    );
    // What is precise keeps its sign, and what has another use.
    check(
        "v3 = precise fmul v1, v91 : f32\nv4 = fneg v3 : f32\nstore pl0.0, v4",
        &["fmul float x, 2.000000e+00", "fsub fast float -0.000000e+00, t0"],
    );
    check(
        "v3 = fsub v1, v2 : f32\nv4 = fmul v3, v2 : f32\nv5 = fsub v92, v4 : f32\nstore pl0.0, v5\nstore pl0.1, v3",
        &["fsub fast float x, y", "fmul fast float t0, y", "fsub fast float 3.000000e+00, t1"],
    );
}

#[test]
fn a_product_does_not_cross_a_reorder_point() {
    let code = "v3 = fmul v1, v2 : f32\nstore pl1.0, v91\ncall_shader pl1, v90\nv4 = fadd v3, v91 : f32\nstore pl0.0, v4";
    let found = computed(code, &options("", 6), "");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("fmul") && found[1].starts_with("fadd"), "{found:?}");
}

#[test]
fn without_optimisation_and_where_denormals_are_flushed_nothing_is() {
    let code = "v3 = fmul v1, v2 : f32\nv4 = fadd v3, v91 : f32\nstore pl0.0, v4";
    let plain = DxilOptions { unoptimized: true, ..options("", 6) };
    assert_eq!(computed(code, &plain, "").len(), 2);
    assert_eq!(computed(code, &options("", 6), " denorm ftz").len(), 2);
}
