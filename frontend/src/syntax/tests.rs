//! Tests of the parser: source in, tree or diagnostics out.

use super::*;
use crate::preprocess::NoIncludes;

struct Run {
    text: String,
    parsed: Parsed,
    sources: SourceMap,
}

fn run(source: &str) -> Run {
    let mut sources = SourceMap::new();
    let mut interner = Interner::new();
    let main = sources.add_file("t.hlsl", source, None).unwrap();
    let parsed = parse(&mut sources, &mut interner, main, &PreprocessOptions::default(), &mut NoIncludes);
    Run { text: print(&parsed.ast, &interner), parsed, sources }
}

fn squash(s: &str) -> String {
    s.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(source: &str, want: &str) {
    let r = run(source);
    let shown: Vec<String> =
        r.parsed.diagnostics.iter().map(|d| rtc_base::render::render(&r.sources, d, rtc_base::render::Style::Short)).collect();
    assert!(shown.is_empty(), "{source}\n{}", shown.concat());
    assert_eq!(squash(&r.text), squash(want), "{source}");
}

/// Parses, prints, and expects the same text.
#[track_caller]
fn same(source: &str) {
    check(source, source);
}

/// The expression of `x = …;` in a function.
#[track_caller]
fn expr(source: &str, want: &str) {
    check(&format!("void f() {{ x = {source}; }}"), &format!("void f() {{ (x = {want}); }}"));
}

/// Codes with `line:column`.
#[track_caller]
fn errors(source: &str, want: &[&str]) -> Run {
    let r = run(source);
    let got: Vec<String> = r
        .parsed
        .diagnostics
        .iter()
        .map(|d| match r.sources.loc(d.span()) {
            Some(l) => format!("{} {}:{}", d.code.id, l.line, l.column),
            None => d.code.id.to_string(),
        })
        .collect();
    let messages: Vec<&str> = r.parsed.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(got, want, "{source}\n{messages:#?}\n{}", r.text);
    r
}

#[test]
fn precedence() {
    expr("a + b * c - d / e % f", "((a + (b * c)) - ((d / e) % f))");
    expr("a << 1 + b >> 2", "((a << (1 + b)) >> 2)");
    expr("a | b ^ c & d == e < f", "(a | (b ^ (c & (d == (e < f)))))");
    expr("a || b && c | d", "(a || (b && (c | d)))");
    expr("a ? b : c ? d : e", "(a ? b : (c ? d : e))");
    expr("a ? b, c : d = e", "(a ? (b , c) : (d = e))");
    expr("b = c += d", "(b = (c += d))");
    expr("-a.b[1].c++", "(-(a.b[1].c++))");
    expr("!~+-a", "(!(~(+(-a))))");
    expr("(float3) -a * b", "(((float3) (-a)) * b)");
    expr("(float3x3) m._m00_m11 + sizeof(float4) + sizeof a", "((((float3x3) m._m00_m11) + sizeof(float4)) + (sizeof a))");
    expr("(a, b)", "(a , b)");
    expr("++a - --b", "((++a) - (--b))");
    expr("a - -b", "(a - (-b))");
    expr("(a)(b)", "a(b)");
    expr("(S) 0", "((S) 0)");
    expr("(float[2]) v", "((float[2]) v)");
    expr("float2(1, 2).xy + uint3(v).zzz", "(float2!(1, 2).xy + uint3!(v).zzz)");
    expr("1.0f + 2u + 0x10 + 1e3h + 1.5l + 3ull", "(((((1.0f + 2u) + 16) + 1000.0h) + 1.5l) + 3ull)");
    expr("\"a\" \"b\\n\"", "\"ab\\n\"");
    expr("true ? 'a' : this.x", "(true ? '\\x61' : this.x)");
    expr("1.xxx", "1.xxx");
}

#[test]
fn less_than_or_template() {
    expr("a < b", "(a < b)");
    expr("a < b && c > (d)", "((a < b) && (c > (d)))".replace("(d)", "d").as_str());
    expr("f(a < b, c > d)", "f((a < b), (c > d))");
    expr("f(a < b, c > (d))", "f((a < b), (c > d))");
    expr("b.Load<float4>(0)", "b.Load<float4>(0)");
    expr("b.Load < c", "(b.Load < c)");
    expr("b.Load<MyThing>(0)", "((b.Load < MyThing) > 0)");
    check("struct S {}; void f() { b.Load<S>(0); }", "struct S { }; void f() { b.Load<S>(0); }");
    check(
        "template<int N> int g() { return N; } void f() { x = g<3>() < g<1 + 2>(); }",
        "template<int N> int g() { return N; } void f() { (x = (g<3>() < g<(1 + 2)>())); }",
    );
    check(
        "void f() { RayQuery<RAY_FLAG_NONE | A, B> q; Texture2D<vector<float, 4>> t; }",
        "void f() { RayQuery<(RAY_FLAG_NONE | A), B> q; Texture2D<vector<float, 4>> t; }",
    );
    expr("vk::RawBufferLoad<uint>(a)", "vk::RawBufferLoad<uint>(a)");
    check("matrix<float, 2, 3> m; vector v;", "matrix<float, 2, 3> m; vector v;");
    check("StructuredBuffer<Foo<Bar<int>>> b;", "StructuredBuffer<Foo<Bar<int>>> b;");
}

#[test]
fn declarations() {
    check("float a, b[2][N] = { 1, { 2, 3, }, }, c;", "float a; float b[2][N] = {1, {2, 3}}; float c;");
    check(
        "static const uint x = 1; unsigned int y; unsigned z; const unsigned w = 1; unsigned int2 v; signed int s;",
        "static const uint x = 1; uint y; uint z; const uint w = 1; uint2 v; int s;",
    );
    check(
        "unsigned dword3x4 a; unsigned min16int3 b; unsigned int64_t c; center float d; shared cbuffer C { int e; }",
        "dword3x4 a; min16uint3 b; uint64_t c; center float d; cbuffer C { int e; }",
    );
    check("int f()[2]; template<int N> void g() {} template void g<17>();", "int[2] f(); template<int N> void g() { }");
    same("row_major float4x4 m; groupshared float g[64]; precise float p;");
    check("float const a; inout_t b;", "const float a; inout_t b;");
    same("Texture2D<float4> t : register(t0, space1); SamplerState s : register(s3);");
    check(
        "Texture2D t[] : register(t2); RWTexture2D<unorm float4> u : register(ps_5_0, u1);",
        "Texture2D t[] : register(t2); RWTexture2D<unorm float4> u : register(ps_5_0, u1);",
    );
    check(
        "Texture2D t : register(t0[2]); ConstantBuffer<S> c : register(space3);",
        "Texture2D t : register(t2); ConstantBuffer<S> c : register(space3);",
    );
    check(
        "cbuffer C : register(b0) { float a : packoffset(c0.y); float4 b : packoffset(c1); };",
        "cbuffer C : register(b0) { float a : packoffset(c0.y); float4 b : packoffset(c1); }",
    );
    check("tbuffer T { float a; }", "tbuffer T { float a; }");
    check("typedef float F, V[3]; F f; V v;", "using F = float; using V = float[3]; F f; V v;");
    check("using F = float[2]; F f;", "using F = float[2]; F f;");
    check(
        "template<typename T> using B = StructuredBuffer<T>; B<float> b;",
        "template<typename T> using B = StructuredBuffer<T>; B<float> b;",
    );
    check(
        "enum E { A, B = 2, C = B + 1, }; enum class F : uint { X }; E e = A; F g = F::X;",
        "enum E { A, B = 2, C = (B + 1) }; enum F class : uint { X }; E e = A; F g = F::X;",
    );
    check("enum { Q };", "enum #0 { Q };");
    check(
        "[[vk::binding(1, 2)]] [[vk::image_format(\"rgba8\")]] RWTexture2D<float4> t;",
        "[vk::binding(1, 2)] [vk::image_format(\"rgba8\")] RWTexture2D<float4> t;",
    );
    check("static_assert(1 == 1, \"no\"); _Static_assert(2);", "static_assert((1 == 1), \"no\"); static_assert(2);");
    check("struct { int a; } x, y;", "struct #1 { int a; }; struct #1 x; struct #1 y;");
    check("struct S { int a; } x = { 1 };", "struct S { int a; }; struct S x = {1};");
    check("struct S; struct S s;", "struct S; struct S s;");
    check(
        "#pragma pack_matrix(row_major)\nfloat2x2 m; column_major float2x2 n;",
        "#row_major float2x2 m; column_major #row_major float2x2 n;",
    );
    check(
        "float4 sample, center; float payload(float indices) { return center.x + sample.y; }",
        "float4 sample; float4 center; float payload(float indices) { return (center.x + sample.y); }",
    );
    check(
        "int8_t4_packed p; SubobjectToExportsAssociation a = { \"x\", \"y;z\" };",
        "int8_t4_packed p; SubobjectToExportsAssociation a = {\"x\", \"y;z\"};",
    );
    check(";;", "");
}

#[test]
fn records() {
    check(
        "struct A { float x; uint n : 3, : 2, m : 5; float f() { return x; } static const int k = 2; };",
        "struct A { float x; uint n : 3; uint : 2; uint m : 5; float f() { return x; } static const int k = 2; };",
    );
    check(
        "struct A { struct B { int c; }; B b; }; A::B d; struct D : A { B e; };",
        "struct A { struct B { int c; }; B b; }; A::B d; struct D : A { B e; };",
    );
    check(
        "struct A { float g(); typedef int I; }; float A::g() { I i = 0; return i; }",
        "struct A { float g(); using I = int; }; float A::g() { I i = 0; return i; }",
    );
    check(
        "interface I { float f(); }; class C : I { float f() { return 1; } };",
        "interface I { float f(); }; class C : I { float f() { return 1; } };",
    );
    check(
        "struct V { V operator+(V o) { return o; } bool operator<(V o) const; float operator[](int i); float operator()(int a, int b); V operator-(); void operator+=(V v); operator float() { return 1; } V operator++(); };",
        "struct V { V operator+(V o) { return o; } bool operator<(V o) const; float operator[](int i); float operator()(int a, int b); V operator-(); void operator+=(V v); operator float() { return 1; } V operator++(); };",
    );
    check(
        "struct V { V operator*(V o); }; V V::operator*(V o) { return o; }",
        "struct V { V operator*(V o); }; V V::operator*(V o) { return o; }",
    );
    check(
        "struct [raypayload] P { float3 c : read(caller) : write(closesthit, miss); uint d : read(caller, anyhit) : write(); };",
        "[raypayload] struct P { float3 c : read(caller) : write(closesthit, miss); uint d : read(caller, anyhit) : write(); };",
    );
    check(
        "struct S { float4 p : SV_Position; nointerpolation uint i : COLOR0; };",
        "struct S { float4 p : SV_Position; nointerpolation uint i : COLOR0; };",
    );
    check("int f() { return read(a) ? read(b) : read(c); }", "int f() { return (read(a) ? read(b) : read(c)); }");
    check("union U { int a; float b; };", "union U { int a; float b; };");
}

#[test]
fn templates() {
    check(
        "template<typename T, int N = 4, class U = float> struct A { T t[N]; U u; }; A<int, 2> a; A<float> b;",
        "template<typename T, int N = 4, typename U = float> struct A { T t[N]; U u; }; A<int, 2> a; A<float> b;",
    );
    check(
        "template<typename T> struct A { T x; }; template<> struct A<float> { int y; };",
        "template<typename T> struct A { T x; }; template<> struct A<float> { int y; };",
    );
    check(
        "template<typename T> T f(T a) { return a; } template<> float f<float>(float a) { return 1; } float g = f<float>(2);",
        "template<typename T> T f(T a) { return a; } template<> float f<float>(float a) { return 1; } float g = f<float>(2);",
    );
    check(
        "template<typename T> struct A { template<typename U> U get(T t) { return (U) t; } }; void f() { A<int> a; a.get<float>(1); }",
        "template<typename T> struct A { template<typename U> U get(T t) { return ((U) t); } }; void f() { A<int> a; a.get<float>(1); }",
    );
    check(
        "template<typename T> T f(T a); template<typename T> struct B : A<T> { typename T::X x; T::Y y; };",
        "template<typename T> T f(T a); template<typename T> struct B : A<T> { T::X x; T::Y y; };",
    );
    check(
        "template<typename T> void f() { T a = T(1); T b = (T) 2; T::call(); A<T>::call(3); }",
        "template<typename T> void f() { T a = T!(1); T b = ((T) 2); T::call(); A<T>::call(3); }",
    );
    check(
        "template<typename T> void f(T x) {} template<typename T> void g(T x) { f<T>(x); f<vector<T, 3> >(x); }",
        "template<typename T> void f(T x) { } template<typename T> void g(T x) { f<T>(x); f<vector<T, 3>>(x); }",
    );
}

#[test]
fn namespaces() {
    check(
        "namespace a { struct S {}; namespace b { typedef int I; } float f(); } a::S s; a::b::I i; float g = a::f();",
        "namespace a { struct S { }; namespace b { using I = int; } float f(); } a::S s; a::b::I i; float g = a::f();",
    );
    check(
        "namespace a::b { struct S {}; } using namespace a::b; S s; void f(S s) { x = (S) y; }",
        "namespace a { namespace b { struct S { }; } } using namespace a::b; S s; void f(S s) { (x = ((S) y)); }",
    );
    check("namespace a { struct S {}; } using a::S; S s; ::a::S t;", "namespace a { struct S { }; } using a::S; S s; ::a::S t;");
    check(
        "namespace a { struct S {}; } namespace a { S s; } namespace { int q; }",
        "namespace a { struct S { }; } namespace a { S s; } namespace { int q; }",
    );
    check(
        "void f() { dx::HitObject h = dx::HitObject::TraceRay(s, p); dx::MaybeReorderThread(h); using namespace dx; HitObject g; HitObject::Invoke(g, p); }",
        "void f() { dx::HitObject h = dx::HitObject::TraceRay(s, p); dx::MaybeReorderThread(h); using namespace dx; HitObject g; HitObject::Invoke(g, p); }",
    );
}

#[test]
fn functions() {
    check(
        "float f(in float a, inout float b, out float c[2], const float d = 1, uint i : SV_InstanceID) : SV_Target { return a; }",
        "float f(in float a, in out float b, out float c[2], const float d = 1, uint i : SV_InstanceID) : SV_Target { return a; }",
    );
    check("void f(void); void g(float, int[2]); inline float h();", "void f(); void g(float, int[2]); inline float h();");
    check(
        "[shader(\"closesthit\")] void CH(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.c = a.barycentrics.xyx; }",
        "[shader(\"closesthit\")] void CH(in out P p, in BuiltInTriangleIntersectionAttributes a) { (p.c = a.barycentrics.xyx); }",
    );
    check(
        "[numthreads(8, 8, 1)] [shader(\"compute\")] void main(uint3 id : SV_DispatchThreadID) {}",
        "[numthreads(8, 8, 1)] [shader(\"compute\")] void main(uint3 id : SV_DispatchThreadID) { }",
    );
    check(
        "void gs(point VIn v[1], inout TriangleStream<V> s, sample float x, vertices out V o[64]) {}",
        "void gs(point VIn v[1], in out TriangleStream<V> s, sample float x, out vertices V o[64]) { }",
    );
    check(
        "export float f() { return 1; } void g([[vk::ext_reference]] float x) {}",
        "export float f() { return 1; } void g([vk::ext_reference] float x) { }",
    );
}

#[test]
fn statements() {
    check(
        "void f() { [unroll(4)] for (int i = 0, j = 1; i < 4; i++, j--) x += i; for (;;) break; for (i = 0; ; ) {} }",
        "void f() { [unroll(4)] for (int i = 0; int j = 1; (i < 4); ((i++) , (j--))) (x += i); for (; ; ) break; for ((i = 0); ; ) { } }",
    );
    check("void f() { if (a) if (b) c; else d; else e; }", "void f() { if (a) if (b) c; else d; else e; }");
    check("void f() { if (a) if (b) c; else d; }", "void f() { if (a) if (b) c; else d; }");
    check(
        "void f() { [branch] if (a) { b; } else if (c) d; else { e; } }",
        "void f() { [branch] if (a) { b; } else if (c) d; else { e; } }",
    );
    check(
        "void f() { do { a; } while (b); while (c) d; do x; while (y); }",
        "void f() { do { a; } while (b); while (c) d; do x; while (y); }",
    );
    check(
        "void f() { [forcecase] switch (a) { case 0: case E::B: b; break; default: { c; } } }",
        "void f() { [forcecase] switch (a) { case 0: case E::B: b; break; default: { c; } } }",
    );
    check(
        "void f() { switch (a) { case X ? 1 : 2: write(b); break; default: read(c); } }",
        "void f() { switch (a) { case (X ? 1 : 2): write(b); break; default: read(c); } }",
    );
    check("int f() { ; discard; return (S) 0; return; return { 1, 2 }; }", "int f() { ; discard; return ((S) 0); return; return {1, 2}; }");
    check(
        "void f() { if (int n = g()) h(n); while (float x = k()) {} }",
        "void f() { if (int n = g();) h(n); while (float x = k();) { } }",
    );
    check(
        "void f() { float3 v = { 1, 2, 3 }; v = { 4, 5, 6 }; g({ 1, 2 }); a[i, j] = 0; }",
        "void f() { float3 v = {1, 2, 3}; (v = {4, 5, 6}); g({1, 2}); (a[(i , j)] = 0); }",
    );
    check(
        "void f() { struct L { int a; } l; typedef float F; static const F x = 1; L m; }",
        "void f() { struct L { int a; }; struct L l; using F = float; static const F x = 1; L m; }",
    );
}

#[test]
fn names_that_hide_types() {
    check(
        "struct Foo {}; void f() { Foo Foo; Foo.x = 1; Foo < 2; } Foo g;",
        "struct Foo { }; void f() { Foo Foo; (Foo.x = 1); (Foo < 2); } Foo g;",
    );
    check(
        "Texture2D texture; float4 f() { float4x4 matrix; return mul(matrix, texture[0]); }",
        "Texture2D texture; float4 f() { float4x4 matrix; return mul(matrix, texture[0]); }",
    );
    check("typedef float T; void f(int T, int U) { T * U; } T t;", "using T = float; void f(int T, int U) { (T * U); } T t;");
    check("struct S {}; void f() { int a, S; S * a; } S s;", "struct S { }; void f() { int a; int S; (S * a); } S s;");
    check("struct COLOR {}; struct V { float4 c : COLOR; }; COLOR d;", "struct COLOR { }; struct V { float4 c : COLOR; }; COLOR d;");
    check("struct S {}; S S(int a); ", "struct S { }; S S(int a);");
    check("struct C {}; cbuffer C { float x; }", "struct C { }; cbuffer C { float x; }");
}

#[test]
fn undeclared_types_are_left_to_sema() {
    check(
        "Foo x; Foo f(Bar b, const Baz, inout Qux q[2]) { Local l = (Thing) b; for (Iter i; ; ) {} return (Foo) 0; }",
        "Foo x; Foo f(Bar b, const Baz, in out Qux q[2]) { Local l = ((Thing) b); for (Iter i; ; ) { } return ((Foo) 0); }",
    );
    check("Foo<Bar, 3> x; a::Foo y; struct S : Base { Unknown u; };", "Foo<Bar, 3> x; a::Foo y; struct S : Base { Unknown u; };");
    check("typedef Foo Bar; Bar b; using X = Foo; X x; sizeof_t s;", "using Bar = Foo; Bar b; using X = Foo; X x; sizeof_t s;");
}

#[test]
fn indirection_and_auto_are_left_to_sema() {
    check("void f(float &a, int *b) { auto x = &a; *b = p->q; }", "void f(float& a, int* b) { auto x = (&a); ((*b) = p->q); }");
}

#[test]
fn effects_blocks_are_skipped() {
    errors(
        "SamplerState s { Filter = MIN_MAG; AddressU = Wrap; };\nsampler t = sampler_state { Texture = <x>; };\nSamplerState r : register(s1) { Filter = X; };\nfloat x;",
        &["W0201 1:16", "W0201 2:27", "W0201 3:31"],
    );
}

#[test]
fn missing_semicolons() {
    let r = errors(
        "void f() {\n  a = 1\n  b = 2;\n  return c\n}\nint x\nfloat y;\nstruct S { int a }\nfloat z;",
        &["E0202 2:8", "E0202 4:11", "E0202 6:6", "E0202 8:17", "E0202 8:19"],
    );
    assert_eq!(squash(&r.text), squash("void f() { (a = 1); (b = 2); return c; } int x; float y; struct S { int a; }; float z;"));
    assert_eq!(r.parsed.diagnostics[0].fixits[0].replacement, ";");
    errors("struct S { int a; }\nS f() { return (S) 0; }", &["E0202 1:20"]);
    errors("float x", &["E0202 1:8"]);
}

#[test]
fn several_errors_are_found_and_others_survive() {
    let r = errors(
        "void f() {\n  a b c;\n  if (x y) { q; } else { r; }\n  for (int i = 0; i < ; i++) { s; }\n  good;\n}\nvoid g(int a int b) { h; }\nfloat ok() { return 1; }\n",
        &["E0201 2:7", "E0201 3:9", "E0201 4:23", "E0201 7:14"],
    );
    assert_eq!(squash(&r.text), squash("void f() { <error>; <error>; <error>; good; } <error>; float ok() { return 1; }"));
    let r = errors("struct S { int a; int b c d; int e; };\nint f() { { x +; } y; }", &["E0201 1:25", "E0201 2:16"]);
    assert_eq!(squash(&r.text), squash("struct S { int a; <error>; int e; }; int f() { { <error>; } y; }"));
    let r = errors("namespace n { int a b; int c; }", &["E0201 1:21"]);
    assert_eq!(squash(&r.text), squash("namespace n { <error>; int c; }"));
    errors("int x = ;\nint y = 1;\n+;\n", &["E0201 1:9", "E0201 3:1"]);
    errors("enum E { A, B C };\nint x;", &["E0201 1:15"]);
}

#[test]
fn brackets() {
    let r = errors("void f() { g(a, b; h(c[1); i; }\nint j;", &["E0203 1:18", "E0203 1:25"]);
    assert_eq!(squash(&r.text), squash("void f() { g(a, b); h(c[1]); i; } int j;"));
    errors("void f() { a); b; }", &["E0204 1:13"]);
    errors("void f() { a; }\n}\nint x;", &["E0204 2:1"]);
    let r = errors("void f() {\n if (a) {\n b;\n}\nvoid g() { c; }\n[shader(\"miss\")] void h() { d; }", &["E0203 5:1"]);
    assert_eq!(squash(&r.text), squash("void f() { if (a) { b; } } void g() { c; } [shader(\"miss\")] void h() { d; }"));
    let r = errors("void f() {\n a;\n[shader(\"miss\")] void h() { d; }\ncbuffer C { int x; }\n", &["E0203 3:1"]);
    assert_eq!(squash(&r.text), squash("void f() { a; } [shader(\"miss\")] void h() { d; } cbuffer C { int x; }"));
    let r = errors("void f() { if (a) { b;\n", &["E0203 1:10"]);
    assert_eq!(squash(&r.text), squash("void f() { if (a) { b; } }"));
    errors("struct S { int a;\n", &["E0203 1:10"]);
    errors("int a[3;", &["E0203 1:8"]);
    errors("namespace n { struct S { int a;", &["E0203 1:13"]);
}

#[test]
fn constructors() {
    let r = errors("struct S { int a; S(int b) : a(b) { a = b; } ~S() {} S make() { return (S) 0; } };", &["E0209 1:19", "E0209 1:47"]);
    assert_eq!(squash(&r.text), squash("struct S { int a; S make() { return ((S) 0); } };"));
}

#[test]
fn malformed_annotations_and_literals() {
    errors(
        "Texture2D t : register(foo); Texture2D u : register(t0, spacex); float a : packoffset(q1);",
        &["E0206 1:24", "E0206 1:57", "E0206 1:76"],
    );
    errors("int x = 08; int y = 99999999999999999999; float z = 1.5ff;", &["E0106 1:9", "E0107 1:21", "E0106 1:53"]);
    errors("string s = \"a\\q\";", &["W0110 1:12"]);
    errors("string s = \"a\\x\";", &["E0108 1:12"]);
    errors("float;", &["E0201 1:1"]);
}

#[test]
fn depth_is_limited() {
    let n = 100_000;
    errors(&format!("int x = {}1{};\nint y;", "(".repeat(n), ")".repeat(n)), &["E0205 1:265"]);
    errors(&format!("int x = {}1{};\nint y;", "{".repeat(n), "}".repeat(n)), &["E0205 1:265"]);
    errors(&format!("void f() {}{}\nint y;", "{".repeat(n), "}".repeat(n)), &["E0205 1:266"]);
    for s in [
        format!("int x = {}1;", "-".repeat(n * 2 + 1).replace("--", "- ")),
        format!("int x = {}1;", "a = ".repeat(n)),
        format!("int x = {}1;", "a ? 1 : ".repeat(n)),
        format!("int x = a{};", ".b".repeat(n)),
        format!("int x = a{};", "[1]".repeat(n)),
        format!("void f() {{ {} ; }}", "while (a) ".repeat(n)),
        format!("int x = f({});", "A<".repeat(n)),
        "A<int ".repeat(n).to_string(),
        "struct { ".repeat(n).to_string(),
        "namespace a { ".repeat(n).to_string(),
        format!("void f({}", "int a(".repeat(n)),
        "template<typename T> ".repeat(n).to_string(),
    ] {
        let r = run(&s);
        assert!(!r.parsed.diagnostics.is_empty(), "{}", &s[..40]);
        assert!(r.parsed.diagnostics.len() <= 101);
    }
    // Long and flat is fine.
    for s in [
        format!("void f() {{ {} }}", "a = b + c; ".repeat(20_000)),
        format!("int x = 1{};", " + a".repeat(n)),
        format!("void f() {{ {} ; }}", "if (a) ; else ".repeat(n)),
        format!("void f() {{ a{}; }}", ", a".repeat(n)),
        format!("bool x = 1{};", " && a > b || c".repeat(n)),
    ] {
        let r = run(&s);
        assert!(r.parsed.diagnostics.is_empty());
    }
}
