//! Typed trees of expressions, conversions and statements.

use super::*;

#[test]
fn literals_take_the_type_of_their_surroundings() {
    typed(
        "void f(uint u, float2 v) { uint a = u + 1; float b = 1; float2 c = v * 2; double d = 1; half h = 0.5; int e = -1; }",
        "uint a = (u + 1u);
         float b = 1.0;
         float2 c = (v * splat float2(2.0));
         double d = double(1.0);
         half h = half(0.5);
         int e = -1;",
    );
}

#[test]
fn constants_are_folded_in_64_bits_until_they_get_a_type() {
    typed(
        "void f() { float a = 1 / 2; float b = 1.0 / 4; uint c = 0xffffffff; uint d = ~0; int e = (1 << 4) | 3; bool g = 3 > 2; }",
        "float a = 0.0;
         float b = 0.25;
         uint c = 4294967295u;
         uint d = 4294967295u;
         int e = 19;
         bool g = true;",
    );
}

#[test]
fn mixed_operands_meet_in_the_wider_type() {
    typed(
        "void f(int i, uint u, float x, bool b, double d, int64_t l) { \
            uint a = i + u; float c = i * x; double e = x + d; int64_t g = i + l; int h = b + b; bool k = i < u; }",
        "uint a = (uint(i) + u);
         float c = (float(i) * x);
         double e = (double(x) + d);
         int64_t g = (int64_t(i) + l);
         int h = (int(b) + int(b));
         bool k = (uint(i) < u);",
    );
}

#[test]
fn scalars_repeat_and_matrices_multiply_by_component() {
    typed(
        "void f(float4x4 m, float4 v, float s) { float4x4 a = m * s; float4x4 b = m + m; float4 c = s / v; float4 d = mul(m, v); float4 e = mul(v, m); }",
        "float4x4 a = (m * splat float4x4(s));
         float4x4 b = (m + m);
         float4 c = (splat float4(s) / v);
         float4 d = mul(m, v);
         float4 e = mul(v, m);",
    );
}

#[test]
fn swizzles_read_and_write() {
    typed(
        "void f(float4 v, float4x4 m, float s) { v.xy = v.wz; v.bgra = v; float3 a = s.xxx; float2 b = m._m00_m33; m._11_22 = b; float c = v.y; v[2] = v.x; m[1].x = 2; m[0][3] = c; }",
        "v.xy = v.wz;
         v.zyxw = v;
         float3 a = s.xxx;
         float2 b = m._m00_m33;
         m._m00_m11 = b;
         float c = v.y;
         v[2u] = v.x;
         m[1u].x = 2.0;
         m[0u][3u] = c;",
    );
}

#[test]
fn constructors_take_parts() {
    typed(
        "void f(float2 p, int i) { float4 a = float4(p, i, 1); float3x3 b = float3x3(a.xyz, a.yzw, 0, 0, 1); float2 c = float2(0.5, 0.5); float3 d = float3(p, 0).zyx; float e = float(i); float3 g = (float3)0; uint2 h = uint2(p); }",
        "float4 a = {p, float(i), 1.0} as float4;
         float3x3 b = {a.xyz, a.yzw, 0.0, 0.0, 1.0} as float3x3;
         float2 c = {0.5, 0.5} as float2;
         float3 d = {p, 0.0} as float3.zyx;
         float e = float(i);
         float3 g = splat float3(0.0);
         uint2 h = uint2(p);",
    );
}

#[test]
fn casts_go_by_shape_or_by_scalars() {
    typed(
        "struct S { float a; int2 b; }; void f(float4x4 m, S s, float4 v) { float3x3 a = (float3x3)m; S z = (S)0; float3 g = (float3)s; float2x2 h = (float2x2)v; float4 k = (float4)h; float2 l = (float2)v; int n = (int)2.7; }",
        "float3x3 a = trunc float3x3(m);
         S z = splat S(0);
         float3 g = {s} as float3;
         float2x2 h = {v} as float2x2;
         float4 k = {h} as float4;
         float2 l = trunc float2(v);
         int n = 2;",
    );
}

#[test]
fn initialisers_are_flat() {
    typed(
        "struct S { float3 p; uint n; float a[2]; }; void f(float2 v) { S s = { v, 1, 2, { 3, 4 } }; float a[2][2] = { { 1, 2 }, 3, 4 }; int b[] = { 1, 2, 3 }; S t = { s }; float4 c = { v, v }; S d[2] = { s, t }; }",
        "S s = {v, 1.0, 2u, 3.0, 4.0} as S;
         float[2][2] a = {1.0, 2.0, 3.0, 4.0} as float[2][2];
         int[3] b = {1, 2, 3} as int[3];
         S t = s;
         float4 c = {v, v} as float4;
         S[2] d = {s, t} as S[2];",
    );
}

#[test]
fn compound_assignment_converts_in_the_middle() {
    typed(
        "void f(int i, float x, float3 v, uint u, bool b) { i += x; v *= 2; u <<= i; x -= i; ++i; u--; v.x += i; i /= 2; }",
        "i += x via float(_)..int(_);
         v *= splat float3(2.0);
         u <<= uint(i);
         x -= float(i);
         i += 1;
         u -= 1u (old);
         v.x += float(i);
         i /= 2;",
    );
}

#[test]
fn short_circuit_from_2021_on() {
    let src = "void f(bool a, int b, float c) { bool d = a && b; bool e = a || c > 1; float g = a ? b : c; }";
    typed(
        src,
        "bool d = (a && bool(b));
         bool e = (a || (c > 1.0));
         float g = (a ? float(b) : c);",
    );
    let old = SemaOptions { hlsl_version: 2018, ..SemaOptions::default() };
    let r = run_with("void f(bool2 a, bool2 b, float2 c) { bool2 d = a && b; float2 g = a ? c : 0; bool h = a.x || b.x; }", &old);
    r.assert_clean();
    assert!(r.function("f").contains("bool2 d = (a & b);"), "{}", r.function("f"));
    assert!(r.function("f").contains("float2 g = select(a, c, splat float2(0.0));"), "{}", r.function("f"));
    fails(
        "void f(bool2 a, bool2 b) { bool2 d = a && b; float x = a ? 1 : 2; if (a) { } }",
        &["1:38 E0319 `&&`", "1:56 E0319 condition of `?:`", "1:71 E0319 a condition must be a scalar"],
    );
}

#[test]
fn inout_arguments_are_converted_in_both_directions() {
    typed(
        "void g(out float a, inout int b, float3 c) { a = 1; b++; } void f(int i, double d, float x, float4 v) { g(v.x, i, v.xyz); g(d, x, 1); }",
        "g(out v.x, inout i, v.xyz);
         g(out d ..double(_), inout x int(_)..float(_), splat float3(1.0));",
    );
}

#[test]
fn default_arguments_are_put_in() {
    typed(
        "static const int N = 3; float g(float a, float b = N, int c = 1 + N) { return a + b + c; } void f() { g(1); g(1, 2); g(1, 2, 3); }",
        "g(1.0, 3.0, 4);
         g(1.0, 2.0, 4);
         g(1.0, 2.0, 3);",
    );
}

#[test]
fn methods_and_inheritance() {
    typed(
        "struct A { float x; float get() { return x; } void set(float v) { x = v; } static float two() { return 2; } }; \
         struct B : A { float y; float sum() { return get() + y + x; } }; \
         void f(B b) { b.set(3); float s = b.sum() + b.x + A::two() + b.two(); A a = b; a = b; }",
        "(b as A).A::set(3.0);
         float s = (((b.B::sum() + b.x) + A::two()) + A::two());
         A a = (b as A);
         a = (b as A);",
    );
    let r = ok("struct A { float x; float get() { return x; } }; struct B : A { float get2() { return get() + this.x; } };");
    assert!(r.function("B::get2").contains("((this as A).A::get() + this.x)"), "{}", r.function("B::get2"));
}

#[test]
fn operators_of_structures_are_calls() {
    typed(
        "struct V { float x; V operator+(V o) { V r = { x + o.x }; return r; } V operator*(float s) { V r = { x * s }; return r; } \
            bool operator==(V o) { return x == o.x; } float operator[](uint i) { return x * i; } float operator()(float t) { return x * t; } }; \
         void f(V a, V b) { V c = a + b * 2; bool e = a == b; float i = a[3] + a(4); a += b; }",
        "V c = a.V::operator+(b.V::operator*(2.0));
         bool e = a.V::operator==(b);
         float i = (a.V::operator[](3u) + a.V::operator()(4.0));
         a = a.V::operator+(b);",
    );
    let r = run("struct V { float x; V operator-() { V r = { -x }; return r; } }; void f(V a) { V n = -a; }");
    assert!(r.function("f").contains("V n = a.V::operator-();"), "{}", r.function("f"));
}

#[test]
fn names_of_namespaces() {
    typed(
        "namespace a { static const float K = 2; float g(float x) { return x * K; } namespace b { struct S { float v; }; enum E { P, Q }; } } \
         namespace c { using namespace a::b; float h() { S s = { 1 }; return s.v; } } using a::g; \
         void f() { float x = g(1) + a::g(2) + ::a::K + c::h(); a::b::S s; s.v = a::b::Q; using namespace a; float y = K; }",
        "float x = (((a::g(1.0) + a::g(2.0)) + 2.0) + c::h());
         a::b::S s;
         s.v = 1.0;
         float y = 2.0;",
    );
}

#[test]
fn enumerations() {
    typed(
        "enum A { P, Q = 5, R }; enum class B : uint { X, Y = 2 }; void f(A a, B b) { int i = a + R; a = Q; b = B::Y; bool c = b == B::X; uint u = (uint)b; A d = (A)3; switch (a) { case P: break; case Q: i = 1; break; } }",
        "int i = int(A((uint(a) + 6u)));
         a = 5u;
         b = 2u;
         bool c = (uint(b) == 0u);
         uint u = uint(b);
         A d = 3u;
         switch (uint(a)) {
         case 0: {
         break;
         }
         case 5: {
         i = 1;
         break;
         }
         }",
    );
}

#[test]
fn statements() {
    typed(
        "void f(int n) { for (int i = 0, j = 1; i < n; i++, j--) { if (i == 3) continue; else break; } \
            [loop] while (n > 0) n--; do { n++; } while (n < 5); [unroll(4)] for (;;) { break; } \
            switch (n) { case 1: case 2: n = 3; case 4: n = 5; break; default: return; } \
            while (int k = n) { n = k - 1; } }",
        "{
         int i = 0;
         int j = 1;
         while ((i < n); (i += 1 (old), j -= 1 (old))) {
         if ((i == 3))
         continue;
         else
         break;
         }
         }
         [loop] while ((n > 0))
         n -= 1 (old);
         do-while ((n < 5)) {
         n += 1 (old);
         }
         [unroll(4)] while () {
         break;
         }
         switch (n) {
         case 1, case 2 falls through: {
         n = 3;
         }
         case 4: {
         n = 5;
         break;
         }
         default: {
         return;
         }
         }
         while () {
         int k = n;
         if (bool(k)) {
         }
         else
         break;
         {
         n = (k - 1);
         }
         }",
    );
}

#[test]
fn static_constants_have_values() {
    let r = ok(
        "static const float3 A = { 1, 2, 3 }; static const float B = A.y * 2; static const int N[2] = { 4, 5 }; static const int M = N[1] + sizeof(float3); \
        static float plain = B; struct S { static const int K = 7; }; static const float2x2 I = { 1, 0, 0, 1 }; float f() { float a[M]; a[0] = B; return a[S::K]; }",
    );
    let value = |name: &str| {
        let g = r.module.find_global(name).unwrap();
        match &r.module.globals[g].kind {
            crate::hir::GlobalKind::Static { value: Some(v), .. } => v.iter().map(|c| c.as_f64()).collect(),
            _ => Vec::new(),
        }
    };
    assert_eq!(value("A"), [1.0, 2.0, 3.0]);
    assert_eq!(value("B"), [4.0]);
    assert_eq!(value("M"), [17.0]);
    assert_eq!(value("plain"), [4.0]);
    assert_eq!(value("I"), [1.0, 0.0, 0.0, 1.0]);
    assert!(r.function("f").contains("float[17] a;"), "{}", r.function("f"));
    assert!(r.function("f").contains("a[7]"), "{}", r.function("f"));
}

#[test]
fn local_constants_and_statics() {
    typed(
        "void f() { const int n = 2 + 1; float a[n]; a[n - 1] = 1; static int calls = 0; calls++; static const float k[2] = { 1, 2 }; a[0] = k[1]; }",
        "int n = 3;
         float[3] a;
         a[(n - 1)] = 1.0;
         f::calls += 1 (old);
         a[0u] = f::k[1u];",
    );
}

#[test]
fn local_types() {
    typed(
        "void f() { struct P { float x; float twice() { return x * 2; } } p; p.x = 1; typedef float3 V; V v = p.twice(); enum { A, B = 3 }; int i = B; }",
        "P p;
         p.x = 1.0;
         float3 v = splat float3(p.P::twice());
         int i = 3;",
    );
}

#[test]
fn sixteen_bit_types_follow_the_option() {
    let native = SemaOptions { native_16bit: true, ..SemaOptions::default() };
    let src = "void f(half h, min16float m, float x, int16_t i) { float a = h + x; half b = h * 2.0h; min16float c = m; int j = i; }";
    let r = run_with(src, &native);
    assert_eq!(r.lines(), ["1:16 W0322 `min16float` is promoted to `half`", "1:88 W0322 `min16float` is promoted to `half`"]);
    let text = r.function("f");
    assert!(text.starts_with("void f(float16_t h, min16float m, float x, int16_t i)"), "{text}");
    assert!(text.contains("float a = (float(h) + x);"), "{text}");
    let r = run(src);
    assert!(r.function("f").starts_with("void f(half h, min16float m, float x, int16_t i)"));
}

#[test]
fn packing_comes_from_specifier_pragma_and_option() {
    let src = "cbuffer C { float3x3 a; row_major float3x3 b; }; typedef row_major float2x2 R; struct S { R r; float2x2 c; };";
    let show = |r: &Run, name: &str| {
        let t = &r.module.types;
        let rec = t.records.iter().find(|(_, q)| q.qualified == name).unwrap().1;
        rec.fields.iter().map(|f| t.show(f.ty)).collect::<Vec<_>>()
    };
    let r = ok(src);
    assert_eq!(show(&r, "C"), ["float3x3", "row_major float3x3"]);
    assert_eq!(show(&r, "S"), ["row_major float2x2", "float2x2"]);
    let r = run_with(src, &SemaOptions { row_major: true, ..SemaOptions::default() });
    assert_eq!(show(&r, "C"), ["row_major float3x3", "row_major float3x3"]);
}
