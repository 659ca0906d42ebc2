//! Libraries that call each other's functions, compiled by rtc and by the reference compiler in all combinations: linking them gives the same as
//! compiling the whole. Errors name missing functions and those with other types.

use std::path::Path;

use crate::tools::{self, bad, compile_to, folder, good, listing, operation, read, validate};
use rtc_oracles::{Dxc, skip};

/// Compiles a source with rtc to `NAME.rtc`.
#[track_caller]
fn compile(dir: &Path, name: &str, source: &str, args: &[&str]) {
    compile_to(dir, &format!("{name}.rtc"), name, source, &[args, &["-HV", "2021"]].concat());
}

/// Compiles it with the reference compiler to `NAME.dxc`.
#[track_caller]
fn compile_there(dxc: &Dxc, dir: &Path, name: &str, source: &str, args: &[&str]) {
    let done = dxc.compile(source, &format!("{name}.hlsl"), &[args, &["-HV", "2021"]].concat());
    let object = done.object.unwrap_or_else(|| panic!("{name}: {}", done.diagnostics));
    std::fs::write(dir.join(format!("{name}.dxc")), object).expect("an object");
}

#[track_caller]
fn part(dir: &Path, file: &str, name: &[u8; 4]) -> Vec<u8> {
    tools::part(&read(dir, file), name)
}

/// The operations of each function that do something or ask for something, in order.
fn operations(dir: &Path, file: &str) -> Vec<String> {
    let text = listing(dir, file);
    let mut out = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("define ") {
            out.push(name.split_once('(').map_or(name, |n| n.0).to_owned());
        }
        // Products and sums are contracted in each part, not between parts.
        if line.contains("; FMad(") {
            continue;
        }
        let op = operation(line).filter(|(op, _)| !op.starts_with("createHandle") && !op.starts_with("annotateHandle"));
        out.extend(op.map(|(op, _)| op.to_owned()));
    }
    assert!(!out.is_empty(), "{text}");
    out.sort();
    out
}

const DATA: &str = "
struct S { float3 a; int b; float2x3 m; bool f; };
RWStructuredBuffer<float4> Buf : register(u1);
RWBuffer<float> Out[4] : register(u5);
cbuffer CB : register(b0) { float4 k; row_major float2x2 km; };
typedef float F3[3];
";
const HELPERS: &str = "
export float Mul(float x, inout float y, out S s) { y += x * k.x; s.a = x; s.b = 2; s.m = k.x; s.m[1][2] = 7; s.f = x > 2; Buf[0] = s.b; return sqrt(y); }
export bool Test(bool b, float3 v, float4 m) {
    for (int i = 0; i < 5; i++) { if (Buf[i].y > 3) return true; if (v[i % 3] > m.x) return false; }
    return b && any(v * m.xyz > 1);
}
export float2x3 Mat(float2x3 m, inout float3x3 n, out row_major float2x2 o) { n[0] = m[1]; n = n * k.y; o = km; o[0][1] = m[0][2]; return m * 2; }
export S Str(S s, float a[3], inout S t[2]) { t[1] = s; s.a.y = a[1]; s.m[0][1] = t[0].m[1][0]; t[0].f = !s.f; return s; }
export F3 Arr(F3 x, inout F3 y) { y[1] = x[2]; x[0] = y[2]; return x; }
export bool2x2 BM(bool2x2 a, inout bool2x2 b) { b[0][1] = a[1][0] || b[1][1]; return b; }
namespace far { export double Dbl(double2x2 m, int64_t i) { return m[1][0] * i; } }
";
const DECLARED: &str = "
float Mul(float x, inout float y, out S s);
bool Test(bool b, float3 v, float4 m);
float2x3 Mat(float2x3 m, inout float3x3 n, out row_major float2x2 o);
S Str(S s, float a[3], inout S t[2]);
F3 Arr(F3 x, inout F3 y);
bool2x2 BM(bool2x2 a, inout bool2x2 b);
namespace far { double Dbl(double2x2 m, int64_t i); }
";
const SHADERS: &str = "
float Both(float x, inout S s) { return Mul(x, s.a.x, s) + 1; }
[shader(\"raygeneration\")] void RG() {
    float y = 1; S s; uint i = DispatchRaysIndex().x;
    float r = Mul(2, y, s) + y + s.a.x + s.m[1][2] + (s.f ? 1 : 0);
    if (Test(y > 2, y, k) || Test(y > 4, y, (float4)3)) Out[0][1] = 3;
    float3x3 n = k.z; n[1] = k.xyz; row_major float2x2 o; float2x3 mm = Mat(float2x3(k.xyz, k.wzy), n, o);
    r += mm[1][2] + n[0][1] + o[0][1] + o[1][0];
    S t[2]; t[0] = s; t[1] = s; float a[3] = { r, y, 3 };
    S u = Str(s, a, t); r += u.a.y + u.m[0][1] + t[1].a.x + (t[0].f ? 2 : 3) + t[i & 1].m[1][1];
    F3 z = { 4, 5, r }; F3 w = Arr(a, z); r += w[0] + z[1] + w[i % 3];
    bool2x2 b = bool2x2(true, false, r > 1, r > 2); bool2x2 c = BM(b, b); r += (b[0][1] ? 1 : 2) + (c[1][0] ? 3 : 4);
    r += (float)far::Dbl((double2x2)r, (int64_t)i << 33);
    Out[i][0] = r + Both(r, u) + u.a.y;
}
[shader(\"callable\")] void Call(inout S s) { float y = s.a.y; s.b += (int)Mul(s.a.z, y, s); }
[shader(\"callable\")] void Whole(inout S s) { float a[3] = { 1, 2, 3 }; S t[2]; t[0] = s; t[1] = s; s = Str(s, a, t); }
";

/// Links each mixture for `target`, compares with the whole that rtc compiles, and validates the result.
#[track_caller]
fn every_mixture(dir: &Path, target: &[&str], makers: &[&str], old: bool) {
    let whole = (part(dir, "whole.rtc", b"RDAT"), part(dir, "whole.rtc", b"SFI0"), operations(dir, "whole.rtc"));
    for a in makers {
        for b in makers {
            let (helpers, shaders) = (format!("helpers.{a}"), format!("shaders.{b}"));
            let args = [&["link"][..], target, &[&helpers, &shaders, "-Fo", "out.dxil"]].concat();
            assert_eq!(good(dir, &args), "", "{target:?} {a} {b}");
            validate(dir, "out.dxil", old);
            let text = listing(dir, "out.dxil");
            assert!(!text.lines().any(|l| l.contains("call ") && l.contains("@@Y")), "{target:?} {a} {b}: a call is left");
            assert!(part(dir, "out.dxil", b"RDAT") == whole.0, "{target:?} {a} {b}: RDAT");
            assert_eq!(part(dir, "out.dxil", b"SFI0"), whole.1, "{target:?} {a} {b}");
            // Matrices stay in memory, and so what is put there and not used is still read from constant buffers.
            let counts = |o: &&String| !o.starts_with("cbufferLoad");
            let but_constants = |all: &[String]| -> Vec<String> { all.iter().filter(counts).cloned().collect() };
            if (*a, *b) == ("rtc", "rtc") {
                assert_eq!(but_constants(&operations(dir, "out.dxil")), but_constants(&whole.2), "{target:?}");
            }
        }
    }
}

#[test]
fn parts_that_call_each_other_are_the_whole() {
    let dir = folder("declared/whole");
    let dxc = Dxc::load().map_err(skip::skip).ok();
    for (profile, old) in [("lib_6_3", true), ("lib_6_6", true), ("lib_6_8", false), ("lib_6_9", false)] {
        let version: &[&str] = if old { &["-validator-version", "1.6"] } else { &[] };
        let args = [&["-T", profile][..], version].concat();
        let sources = [
            ("helpers", format!("{DATA}{HELPERS}")),
            ("shaders", format!("{DATA}{DECLARED}{SHADERS}")),
            ("whole", format!("{DATA}{HELPERS}{SHADERS}")),
        ];
        let mut makers = vec!["rtc"];
        for (name, source) in &sources {
            compile(&dir, name, source, &args);
        }
        if let Some(dxc) = dxc.as_ref().filter(|_| old) {
            makers.push("dxc");
            for (name, source) in &sources[..2] {
                compile_there(dxc, &dir, name, source, &args);
            }
            // Both have the same dependencies.
            assert!(part(&dir, "shaders.rtc", b"RDAT") == part(&dir, "shaders.dxc", b"RDAT"), "{profile}");
            assert!(part(&dir, "helpers.rtc", b"RDAT") == part(&dir, "helpers.dxc", b"RDAT"), "{profile}");
        }
        validate(&dir, "shaders.rtc", old);
        validate(&dir, "helpers.rtc", old);
        every_mixture(&dir, &args, &makers, old);
    }
}

/// Scalars, vectors, structures and arrays of them leave memory when calls are inlined: operation for operation the whole.
#[test]
fn without_matrices_the_operations_are_the_same() {
    let dir = folder("declared/operations");
    let data =
        "struct S { float3 a; int b; bool f; }; RWStructuredBuffer<float4> Buf : register(u1); RWBuffer<float> Out[4] : register(u5);
        cbuffer CB : register(b0) { float4 k; };";
    let helpers = "
        export float Mul(float x, inout float y, out S s) { y += x * k.x; s.a = x; s.b = 2; s.f = x > 2; Buf[0] = s.b; return sqrt(y); }
        export bool Test(bool b, float3 v, float4 m) { if (v.x > m.x) return !b; return b && any(v * m.xyz > 1); }
        export S Str(S s, float a[3], inout S t) { t = s; s.a.y = a[1]; s.a.x += k.y; t.f = !s.f; return s; }";
    let declared = "
        float Mul(float x, inout float y, out S s); bool Test(bool b, float3 v, float4 m = 3); S Str(S s, float a[3], inout S t);";
    let shader = "
        [shader(\"raygeneration\")] void RG() {
            float y = 1; S s; uint i = DispatchRaysIndex().x;
            float r = Mul(2, y, s) + y + s.a.x + (s.f ? 1 : 0);
            if (Test(y > 2, y, k) || Test(y > 4, y, (float4)3)) Out[0][1] = 3;
            S t = s; float a[3] = { r, y, 3 }; S u = Str(s, a, t); r += u.a.y + u.a.x + t.a.x + (t.f ? 2 : 3) + k.x + k.y;
            Out[DispatchRaysIndex().y][i] = r;
        }";
    for profile in ["lib_6_3", "lib_6_6", "lib_6_8"] {
        compile(&dir, "helpers", &format!("{data}{helpers}"), &["-T", profile]);
        compile(&dir, "shaders", &format!("{data}{declared}{shader}"), &["-T", profile]);
        compile(&dir, "whole", &format!("{data}{helpers}{shader}"), &["-T", profile]);
        good(&dir, &["link", "-T", profile, "helpers.rtc", "shaders.rtc", "-Fo", "out.dxil"]);
        assert!(part(&dir, "out.dxil", b"RDAT") == part(&dir, "whole.rtc", b"RDAT"), "{profile}");
        assert_eq!(operations(&dir, "out.dxil"), operations(&dir, "whole.rtc"), "{profile}");
        validate(&dir, "out.dxil", false);
    }
}

#[test]
fn libraries_for_linking_only_that_call_each_other() {
    let dir = folder("declared/offline");
    compile(&dir, "helpers", &format!("{DATA}{HELPERS}"), &["-T", "lib_6_x"]);
    compile(&dir, "shaders", &format!("{DATA}{DECLARED}{SHADERS}"), &["-T", "lib_6_x"]);
    for profile in ["lib_6_6", "lib_6_7", "lib_6_8"] {
        // A library for linking exports all functions that are not static.
        compile(&dir, "whole", &format!("{DATA}{HELPERS}{SHADERS}"), &["-T", profile, "-default-linkage", "external"]);
        every_mixture(&dir, &["-T", profile], &["rtc"], false);
    }
    // From 6.9 on whole vectors are stored, which what is linked does without.
    good(&dir, &["link", "-T", "lib_6_9", "helpers.rtc", "shaders.rtc", "-Fo", "out.dxil"]);
    validate(&dir, "out.dxil", false);
    // In two steps: the shaders first, whose calls are still open.
    let text = good(&dir, &["link", "-T", "lib_6_x", "shaders.rtc", "-Fo", "open.dxil"]);
    assert!(text.contains("function `Mul` is not defined"), "{text}");
    compile(&dir, "whole", &format!("{DATA}{HELPERS}{SHADERS}"), &["-T", "lib_6_8", "-default-linkage", "external"]);
    good(&dir, &["link", "-T", "lib_6_8", "helpers.rtc", "open.dxil", "-Fo", "out.dxil"]);
    assert!(part(&dir, "out.dxil", b"RDAT") == part(&dir, "whole.rtc", b"RDAT"));
}

#[test]
fn a_function_of_another_library_in_a_compute_shader() {
    let dir = folder("declared/compute");
    let data = "RWBuffer<float> B : register(u0); struct P { float x; bool b; int n; };";
    let helper = "export P Step(P p, uint3 i) { if (p.b) p.x += B[i.y]; p.n += i.z; p.b = p.x > i.x; return p; }";
    let declared = "P Step(P p, uint3 i);";
    let shader = "[shader(\"compute\")] [numthreads(4, 1, 1)] void Main(uint3 t : SV_DispatchThreadID) { P p = (P)t.x; p = Step(p, t); p = Step(p, t.zyx); B[t.x] = p.x + p.n; }";
    compile(&dir, "helper", &format!("{data}{helper}"), &["-T", "lib_6_6"]);
    compile(&dir, "shader", &format!("{data}{declared}{shader}"), &["-T", "lib_6_6"]);
    for target in ["cs_6_6", "cs_6_9"] {
        good(&dir, &["link", "-T", target, "-E", "Main", "helper.rtc", "shader.rtc", "-Fo", "out.dxil"]);
        validate(&dir, "out.dxil", false);
    }
    bad(
        &dir,
        &["link", "-T", "cs_6_6", "-E", "Main", "shader.rtc", "-Fo", "none.dxil"],
        &[
            "function `Step` is not defined in any library; it is called by `Main` of `shader.rtc` as `?Step@@YA?AUP@@U1@V?$vector@I$02@@@Z`",
        ],
    );
}

/// Vectors are parameters of calls, and nothing that a compute shader before 6.9 may have; not optimised ones have none either.
#[test]
fn compute_shaders_have_no_vectors() {
    let dir = folder("declared/vectors");
    let helper = "struct S { float3 a; int b; }; export float3 Turn(float3 v, inout float4 w, out S s) { w += v.xyzx; s.a = w.zzy; s.b = 2; return cross(v, w.xyz); }";
    let shader = "struct S { float3 a; int b; }; float3 Turn(float3 v, inout float4 w, out S s); RWStructuredBuffer<float4> B : register(u0);
[shader(\"compute\")] [numthreads(1, 1, 1)] void Main(uint t : SV_GroupIndex) { float4 w = B[t]; S s; float3 r = Turn(w.zyx, w, s); B[t] = float4(r + s.a, w.w * s.b); }";
    for level in ["-O3", "-Od"] {
        for more in [&[][..], &["-Zi", "-Qembed_debug"]] {
            let args = [&["-T", "lib_6_6", level], more].concat();
            compile(&dir, "helper", helper, &args);
            compile(&dir, "shader", shader, &args);
            for target in ["cs_6_6", "cs_6_8", "cs_6_9"] {
                good(&dir, &["link", "-T", target, "-E", "Main", "helper.rtc", "shader.rtc", "-Fo", "out.dxil"]);
                validate(&dir, "out.dxil", false);
            }
        }
    }
}

#[test]
fn missing_functions_and_other_types_are_named() {
    let dir = folder("declared/missing");
    let lib = ["-T", "lib_6_6"];
    compile(&dir, "ints", "export float F(int x) { return x; } namespace n { export float F(float2 x) { return x.y; } }", &lib);
    compile(
        &dir,
        "call",
        "RWBuffer<float> B; float F(float x); float G(float x) { return F(x); } [shader(\"raygeneration\")] void RG() { B[0] = G(1); }",
        &lib,
    );
    let text = good(&dir, &["link", "-T", "lib_6_6", "ints.rtc", "call.rtc", "-Fo", "out.dxil"]);
    let expected = "function `F` is not defined in any library; it is called by `RG` of `call.rtc` as `?F@@YAMM@Z`; with other types there is `?F@@YAMH@Z` in `ints.rtc`";
    assert!(text.contains(expected), "{text}");
    bad(&dir, &["link", "-T", "lib_6_6", "-export-shaders-only", "ints.rtc", "call.rtc", "-Fo", "out.dxil"], &[expected]);
    // Three of five callers are named.
    let callers: String = (0..5).map(|n| format!("[shader(\"raygeneration\")] void R{n}() {{ B[{n}] = F({n}); }} ")).collect();
    compile(&dir, "five", &format!("RWBuffer<float> B; float F(float x); {callers}"), &lib);
    let text = good(&dir, &["link", "-T", "lib_6_6", "ints.rtc", "five.rtc", "-Fo", "out.dxil"]);
    assert!(
        text.contains("it is called by `R0` of `five.rtc`, `R1` of `five.rtc`, `R2` of `five.rtc` and 2 more as `?F@@YAMM@Z`"),
        "{text}"
    );
    // One name, and structures that differ.
    compile(&dir, "two", "struct S { float2 a; }; export float H(S s) { return s.a.y; }", &lib);
    compile(
        &dir,
        "three",
        "RWBuffer<float> B; struct S { float3 a; }; float H(S s); [shader(\"raygeneration\")] void RG() { S s = (S)1; B[0] = H(s); }",
        &lib,
    );
    bad(
        &dir,
        &["link", "-T", "lib_6_6", "two.rtc", "three.rtc", "-Fo", "out.dxil"],
        &["`RG` of `three.rtc` calls `H` with other types than `two.rtc` defines it with: `float (%struct.S*)`, and `float (%struct.S*)`"],
    );
}
