//! Overload resolution.

use super::*;

const SET: &str = "float g(float x) { return x; } float g(int x) { return x; } float g(uint x) { return x; } float g(float3 x) { return x.x; } float g(double x) { return 1; }";

/// The parameter types of the overloads that calls with these arguments select.
#[track_caller]
fn chooses(functions: &str, args: &str, expected: &str) {
    let src =
        format!("{functions} void f(float x, int i, uint u, bool b, float2 v2, float3 v3, float4 v4, double d, half h) {{ g({args}); }}");
    let r = run(&src);
    let text = r.function("f");
    // The parameter type identifies the selected overload.
    let body = &r.module.funcs.iter().find(|(_, f)| f.qualified == "f").unwrap().1.body;
    let called: Vec<String> = body
        .exprs
        .values()
        .filter_map(|e| match e.kind {
            crate::hir::ExprKind::Call { func, .. } => Some(func),
            _ => None,
        })
        .map(|f| {
            let f = &r.module.funcs[f];
            let t: Vec<String> = f.params.iter().map(|p| r.module.types.show(p.ty)).collect();
            t.join(", ")
        })
        .collect();
    assert_eq!(called, [expected], "{text}\n{}", r.lines().join("\n"));
}

#[test]
fn exact_then_promotion_then_conversion() {
    chooses(SET, "x", "float");
    chooses(SET, "i", "int");
    chooses(SET, "u", "uint");

    chooses(SET, "d", "double");
    chooses(SET, "v3", "float3");
    chooses("float g(uint x) { return 1; } float g(float x) { return 1; }", "1", "uint");
    // Splatting a component is better than converting one.
    chooses("float g(int x) { return 1; } float g(float4 x) { return 1; }", "x", "float4");
    // A cast is worse than a promotion in another argument.
    chooses("float g(double x, float y) { return 1; } float g(float x, int y) { return 1; }", "x, x", "double, float");
    chooses("float g(float4 x) { return 1; } float g(float2 x) { return 1; }", "v4", "float4");
}

#[test]
fn equally_good_is_ambiguous() {
    for (set, args) in [
        (SET, "b"),
        ("float g(int x) { return 1; } float g(uint x) { return 1; }", "1"),
        ("float g(float x) { return 1; } float g(float1 x) { return 1; }", "i"),
        ("float g(int x) { return 1; } float g(bool x) { return 1; }", "x"),
        ("float g(float x) { return 1; } float g(float2 x) { return 1; }", "v3"),
    ] {
        let src = format!("{set} void f(float x, int i, bool b, float3 v3) {{ g({args}); }}");
        let lines = run(&src).lines();
        assert!(lines.iter().any(|l| l.contains("E0314")), "{args}: {lines:?}");
    }
}

#[test]
fn intrinsics_come_before_functions_of_the_program() {
    fails(
        "float lerp(float a, float b, float t) { return a; } void f(float x) { x = lerp(x, x, x); }",
        &["1:75 W0308 the intrinsic `lerp`"],
    );
    // Where no intrinsic fits, where the function is a method, and where its namespace is written.
    let r = ok(
        "float lerp(float a, float b) { return a; } struct S { float max(float a, float b) { return a; } float g() { return max(1, 2); } }; namespace N { float min(float a, float b) { return a; } } float f(float x) { S s; return lerp(x, x) + s.g() + N::min(x, x); }",
    );
    let exprs = r.module.funcs.values().flat_map(|f| f.body.exprs.values());
    let calls = exprs.filter(|e| matches!(e.kind, crate::hir::ExprKind::Call { .. }));
    assert_eq!(calls.count(), 4);
}

#[test]
fn intrinsics_choose_one_type_for_tied_parameters() {
    typed(
        "void f(float3 v, int i, uint u, float s, half h, float4 w) { v = lerp(v, 1, s); s = max(i, u); s = pow(i, 2); v = clamp(v, 0, 1); s = dot(v, w.xyz); \
            s = length(v - 1); h = sqrt(h); v = cross(v, w.xyz); uint c = countbits(i); float3 r = step(0.5, v); bool3 n = isnan(v); float2 sc; sincos(s, sc.x, sc.y); int3 sg = sign(v); s = asfloat(u); u = asuint(s); }",
        "v = lerp(v, splat float3(1.0), splat float3(s));
         s = float(max(uint(i), u));
         s = pow(float(i), 2.0);
         v = clamp(v, splat float3(0.0), splat float3(1.0));
         s = dot(v, w.xyz);
         s = length((v - splat float3(1.0)));
         h = sqrt(h);
         v = cross(v, w.xyz);
         uint c = countbits(i);
         float3 r = step(splat float3(0.5), v);
         bool3 n = isnan(v);
         float2 sc;
         sincos(s, out sc.x, out sc.y);
         int3 sg = sign(v);
         s = asfloat(u);
         u = asuint(s);",
    );
}

#[test]
fn mul_has_nine_forms() {
    typed(
        "void f(float4x3 m, float4 v, float3 w, float s, float3x4 n) { float3 a = mul(v, m); float4 b = mul(m, w); float c = mul(w, w); float4x4 d = mul(m, n); float4 e = mul(s, v); float4x3 g = mul(m, s); float h = mul(s, s); }",
        "float3 a = mul(v, m);
         float4 b = mul(m, w);
         float c = mul(w, w);
         float4x4 d = mul(m, n);
         float4 e = mul(s, v);
         float4x3 g = mul(m, s);
         float h = mul(s, s);",
    );
    fails("float3 f(float4 v, float3x3 m) { return mul(m, v); }", &["1:48 W0301 from `float4` to `float3`"]);
}

#[test]
fn what_does_not_fit_is_said() {
    fails(
        "float g(float3 a, int b) { return 1; } void f(float2 v) { g(v, 1); g(1); g(); g(1, 2, 3); }",
        &["1:61 E0313 argument 1 of `g` is `float2`", "1:68 E0315 expects 2 arguments", "1:74 E0315", "1:79 E0315"],
    );
    fails("void g(int a, float b) {} void g(float a, int b) {} void f() { g(1, 1); }", &["1:64 E0314 ambiguous call of `g`"]);
    fails(
        "void g(float2x2 a) {} void g(float3x3 b) {} void f(float4 v, float3 w) { g(w); }",
        &["1:74 E0313 no matching function for call to `g` with arguments of types (float3)"],
    );
    fails("void f(float2 v) { float a = sin(); float b = cross(v, v); }", &["1:30 E0315 `sin` expects 1 argument", "1:53 E0313"]);
    fails("struct S { float a; }; float f(S s) { return sqrt(s); }", &["1:51 E0313 argument 1 of `sqrt` is `S`"]);
}
