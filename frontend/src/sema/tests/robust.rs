//! Robustness: invalid input of every kind causes no panic and no hang.

use rtc_oracles::measure::spent;
use rtc_test_support::Random;

use super::*;

/// A library with every kind of construct.
const LIBRARY: &str = "namespace n { static const float K = 2; float g(float x) { return x * K; } }\nusing namespace n;\nstruct A { float3 p; uint c[2]; float get(int i) { return p[i] + c[0]; } };\nstruct B : A { float q; };\ntemplate<typename T, int N> struct Box { T v[N]; T at(int i) { return v[i]; } };\ntemplate<typename T> T big(T a, T b) { return a > b ? a : b; }\nenum E { X, Y = 3 };\ncbuffer C : register(b0) { float4x4 m; A a; E e; }\nTexture2D<float4> tex[] : register(t0, space1); SamplerState smp; RWStructuredBuffer<B> out_; RaytracingAccelerationStructure scene;\nTriangleHitGroup hg = { \"\", \"ch\" };\nstruct P { float3 color; uint depth; };\nvoid io(inout float x, out int y, float z = 3) { x += z; y = (int)x; }\n[shader(\"raygeneration\")] void rg() { uint2 px = DispatchRaysIndex().xy; float4 w = mul(float4(px, 0, 1), m); RayDesc r = { w.xyz, 0, float3(0, 0, 1), 1e4 }; P p = { float3(0, 0, 0), 0 }; TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, r, p); Box<float, 2> b; b.v[0] = p.color.x; int y; io(b.v[1], y); out_[px.x].q = big(b.at(1), n::g(y)); [unroll] for (int i = 0; i < 4; ++i) { if (i == 2) continue; switch (e) { case X: w.x += i; break; default: w.zy = w.xx; } } }\n[shader(\"closesthit\")] void ch(inout P p, in BuiltInTriangleIntersectionAttributes t) { p.color = tex[NonUniformResourceIndex(p.depth)].SampleLevel(smp, t.barycentrics, 0).rgb * (p.depth > 1 ? 0.5 : 1); p.depth++; }\n";

#[test]
fn the_library_itself_is_right() {
    ok(LIBRARY);
}

/// The tokens of the library.
fn pieces() -> Vec<&'static str> {
    let mut out = Vec::new();
    let mut rest = LIBRARY;
    while let Some(c) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"';
        let n = if word(c) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
        out.push(&rest[..n]);
        rest = &rest[n..];
    }
    out
}

#[test]
fn mutations_do_no_harm() {
    let pieces = pieces();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let start = std::time::Instant::now();
    let mut iterations = 0;
    // A machine with much else to do still sees some.
    while start.elapsed().as_millis() < 1000 || iterations <= 20 {
        let mut text = pieces.clone();
        for _ in 0..1 + random.below(3) {
            let (i, j) = (random.below(text.len()), random.below(text.len()));
            match random.below(4) {
                0 => {
                    text.remove(i);
                }
                1 => text.insert(i, pieces[j % pieces.len()]),
                2 => text.swap(i, j),
                _ => text[i] = pieces[j % pieces.len()],
            }
        }
        let source = text.concat();
        let before = spent();
        let r = run(&source);
        assert!((spent() - before).as_secs() < 1, "slow:\n{source}");
        assert!(r.diagnostics.len() < 2000);
        iterations += 1;
    }
}

#[test]
fn one_mistake_is_one_diagnostic() {
    fails(
        "void f() { float x = missing + 1; x = x * missing2.y; g(x).z[2] = missing3; Unknown u; u.a = u.b + 1; }",
        &["1:22 E0301", "1:43 E0301", "1:55 E0301", "1:67 E0301", "1:77 E0301"],
    );
    fails("Missing a; float f() { return a.b[3] + a; }", &["1:1 E0301"]);
    fails("struct S { Missing m; float x; }; float f(S s) { return s.m.y + s.x; }", &["1:12 E0301"]);
    fails("float f(Missing m, int n) { return m.x + n; } float g() { return f(1, 2); }", &["1:9 E0301"]);
}

#[test]
fn strange_declarations() {
    for source in [
        "struct S { S s; };",
        "struct A : A { };",
        "struct A; struct B { A a; };",
        "typedef T T;",
        "enum E { A = A };",
        "static const int N = N;",
        "static const int a[a[0]] = { 1 };",
        "float f(float x = f(1)) { return x; }",
        "template<typename T> struct S : S<T> { }; S<int> s;",
        "namespace n { using namespace n; } using namespace n; float f() { return n::n; }",
        "void f() { f.x; f::y; int::z; float3::w; }",
        "this; void f() { this.x = 1; }",
        "cbuffer { float x; } cbuffer C { cbuffer D { float y; } }",
        "float a[4294967295][4294967295][4294967295];",
        "static float a[1000000] = { 1 };",
        "float4 v = v[5].xyzw.wwww[9];",
        "struct S { float operator()(float x) { return operator()(x); } };",
        "template<int N> int f() { return f<N + 1>(); } int g() { return f<0>(); }",
        "void f() { switch (1) { case 1: case 1: default: default: ; } switch (x) case 1: ; case 2: ; }",
        "[shader(\"miss\")] [shader(\"miss\")] void m();",
        "[numthreads(f(1), 2, 3)] void m() { } [unroll(-1)] [branch] void n() { [unroll(x)] if (1) { } }",
        "ConstantBuffer<C> C; StructuredBuffer<S> S; Texture2D<Texture2D> T;",
        "int x : 3; struct S { int : 4; float y : 2; int z : 99; };",
        "RayQuery<1, 2, 3> q; RayQuery<float> r; vector<float, 0> v; matrix<S, 2, 2> m; vector<vector<int, 2>, 2> w;",
        "typedef void V; V v; void w; V f(V a) { V b; return V; }",
        "float f() { return (1, 2, ); } int g() { return 1 +; }",
        "int a = 1 / 0; static const int b = 1 % 0; float c[1 / 0];",
        "int64_t a = -9223372036854775807 - 1; static const int64_t b = -9223372036854775807 - 1, c = b / -1;",
        "struct S { static S s; }; S S::s = { }; int S::t = 1; void S::f() { } void N::g() { }",
        "TriangleHitGroup h[2] = { \"a\", \"b\" }; static TriangleHitGroup g = { h, h };",
    ] {
        // It must return, and report an error if the input is invalid.
        run(source);
    }
}

#[test]
fn deep_nesting_fits_the_stack() {
    let nest = |open: &str, core: &str, close: &str, n: usize| format!("{}{core}{}", open.repeat(n), close.repeat(n));
    for n in [60, 250, 2000] {
        for source in [
            format!("float g(float x) {{ return x; }} float f(float x) {{ return {}; }}", nest("g(", "x", ")", n)),
            format!("int f(int a[4]) {{ return {}; }}", nest("a[", "0", "]", n)),
            format!("float f(float x) {{ return {}; }}", nest("-(", "x", ")", n)),
            format!("float f(float x) {{ return {}; }}", nest("x + (", "x", ")", n)),
            format!("float f(float x) {{ return x{}; }}", " + x".repeat(n)),
            format!("float f(bool b) {{ return {}; }}", nest("b ? 1 : (", "2", ")", n)),
            format!("float2 f(float2 v) {{ return {}; }}", nest("float2(", "v", ", 0).xy", n)),
            format!("void f(bool b) {{ {} }}", nest("if (b) {", ";", "}", n)),
            format!("void f(bool b) {{ {} }}", nest("while (b) {", ";", "}", n)),
            format!("static float a = {};", nest("{", "1", "}", n)),
            format!("{} float x; {}", "namespace n { ".repeat(n), "}".repeat(n)),
            format!("{} int x; {}", "struct S { ".repeat(n), "} s; ".repeat(n)),
            format!("float a{}; float f() {{ return a{}; }}", "[1]".repeat(n), "[0]".repeat(n)),
            format!("float f(float4 v) {{ return v{}.x; }}", ".xyzw".repeat(n)),
        ] {
            run(&source);
        }
    }
}

#[test]
fn long_chains_of_operators_fit_the_stack() {
    let chain = |head: &str, more: &str| format!("{head}{}", more.repeat(20_000));
    for source in [
        format!("float f(float x, int i) {{ return {}; }}", chain("x", " + x * i - 1")),
        format!("float3 f(float3 v, float x) {{ return {}; }}", chain("x", " + v")),
        format!("bool f(float x, int i) {{ return {}; }}", chain("x > 1", " && i < 3 || x < 4")),
        format!("enum E {{ A = 1, B = 2 }}; static const uint n = {};", chain("A", " | B")),
        format!("static const float3 n = {};", chain("float3(1, 2, 3)", " + float3(1, 1, 1)")),
        format!("void f() {{ float x; float y = {}; }}", chain("1", " + x")),
    ] {
        let r = run(&source);
        assert!(!r.diagnostics.iter().any(|d| d.is_error()), "{}", &source[..80]);
    }
    // These are nested calls.
    let r = run(&format!("struct S {{ float x; S operator+(S o) {{ return o; }} }}; S f(S s) {{ return {}; }}", chain("s", " + s")));
    assert!(r.diagnostics.iter().any(|d| d.code.id == "E0340"));
}

#[test]
fn templates_without_end_stop() {
    for source in [
        "template<int N> struct R { typedef typename R<N + 1>::T T; }; R<0>::T x;",
        "template<typename T> struct P { T a, b; }; template<typename T> void f(T t) { P<T> p; p.a = t; f(p); } void g() { f(1); }",
        "template<int N> int f() { return f<N + 1>() + f<N + 2>(); } int g() { return f<0>(); }",
        "template<int A, int B> struct X { static const int v = X<A, B - 1>::v + X<A - 1, B>::v; }; static const int n = X<50, 50>::v;",
    ] {
        let r = run(source);
        assert!(r.diagnostics.iter().any(|d| d.is_error()), "{source}");
    }
}
