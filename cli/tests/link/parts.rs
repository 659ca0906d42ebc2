//! `rtc link`: linking parts gives the same as compiling the whole (RDAT and features in every byte, the same operations), validators accept the result,
//! and errors about incompatible libraries name the files.

use std::path::Path;

use crate::tools::{bad, compile_to, folder, good, listing, operation, part, read, rtc, validate};
use rtc_oracles::{Dxc, container, skip};

/// Compiles a source with rtc to `NAME.dxil`.
#[track_caller]
fn compile(dir: &Path, name: &str, source: &str, args: &[&str]) {
    compile_to(dir, &format!("{name}.dxil"), name, source, args);
}

/// How often each operation is called.
fn operations(dir: &Path, file: &str) -> Vec<(i64, usize)> {
    let text = listing(dir, file);
    let mut counts = std::collections::BTreeMap::new();
    for (_, arguments) in text.lines().filter_map(operation) {
        let number = arguments.strip_prefix("i32 ").and_then(|a| a.split([',', ')']).next());
        if let Some(n) = number.and_then(|n| n.parse::<i64>().ok()) {
            *counts.entry(n).or_default() += 1;
        }
    }
    assert!(!counts.is_empty(), "{text}");
    counts.into_iter().collect()
}

const COMMON: &str = "
struct [raypayload] P { float3 color : read(caller) : write(caller, closesthit, miss); };
struct Data { float4 a; uint b; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<Data> Out : register(u0);
cbuffer Frame : register(b0) { float4 eye; uint count; };
";
const FIRST: &str = "
GlobalRootSignature Root = { \"SRV(t0), UAV(u0), CBV(b0), DescriptorTable(SRV(t1)), StaticSampler(s0)\" };
RaytracingShaderConfig Shader = { 12, 8 };
RaytracingPipelineConfig Pipeline = { 1 };
[shader(\"raygeneration\")] void Gen() {
    RayDesc r; r.Origin = eye.xyz; r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = count;
    P p; p.color = 0;
    TraceRay(Scene, 0, 255, 0, 1, 0, r, p);
    Out[DispatchRaysIndex().x].a = float4(p.color, 1);
}
";
const SECOND: &str = "
Texture2D<float4> Sky : register(t1);
SamplerState Linear : register(s0);
TriangleHitGroup Group = { \"\", \"Hit\" };
static const float Table[5] = { 1, 3, 2, 5, 4 };
[shader(\"miss\")] void Miss(inout P p) { p.color = Sky.SampleLevel(Linear, WorldRayDirection().xy, 0).xyz; }
[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) {
    p.color = float3(a.barycentrics, Table[PrimitiveIndex() % 5]); Out[count].b = 3;
}
";

#[test]
fn parts_linked_are_the_whole() {
    let dir = folder("parts");
    for (profile, old) in [("lib_6_3", true), ("lib_6_6", true), ("lib_6_8", false), ("lib_6_9", false)] {
        let version: &[&str] = if old { &["-validator-version", "1.6"] } else { &[] };
        let args = [&["-T", profile][..], version].concat();
        let common = if old {
            COMMON.replace("[raypayload]", "").replace(": read(caller) : write(caller, closesthit, miss)", "")
        } else {
            COMMON.into()
        };
        compile(&dir, "whole", &format!("{common}{FIRST}{SECOND}"), &args);
        compile(&dir, "a", &format!("{common}{FIRST}"), &args);
        compile(&dir, "b", &format!("{common}{SECOND}"), &args);
        let link = [&["link"][..], &args, &["a.dxil", "b.dxil", "-Fo", "out.dxil"]].concat();
        assert_eq!(good(&dir, &link), "");
        let (whole, out) = (read(&dir, "whole.dxil"), read(&dir, "out.dxil"));
        assert!(part(&whole, b"RDAT") == part(&out, b"RDAT"), "{profile}: RDAT");
        assert_eq!(part(&whole, b"SFI0"), part(&out, b"SFI0"), "{profile}");
        assert_eq!(operations(&dir, "whole.dxil"), operations(&dir, "out.dxil"), "{profile}");
        validate(&dir, "out.dxil", old);
        // Once more, with dxc's spelling: the same bytes.
        good(&dir, &[&["-link"][..], &args, &["a.dxil;b.dxil", "-Fo", "again.dxil"]].concat());
        assert!(read(&dir, "again.dxil") == out, "{profile}");
        // A library alone is itself.
        good(&dir, &[&["link"][..], &args, &["out.dxil", "-Fo", "self.dxil"]].concat());
        assert!(part(&read(&dir, "self.dxil"), b"RDAT") == part(&out, b"RDAT"), "{profile}: linked with nothing");
        assert_eq!(operations(&dir, "self.dxil"), operations(&dir, "out.dxil"), "{profile}");
    }
}

#[test]
fn older_libraries_become_newer_ones() {
    let dir = folder("newer");
    let source =
        format!("{}{FIRST}{SECOND}", COMMON.replace("[raypayload]", "").replace(": read(caller) : write(caller, closesthit, miss)", ""));
    compile(&dir, "old", &source, &["-T", "lib_6_3"]);
    for profile in ["lib_6_5", "lib_6_6", "lib_6_9", "lib_6_10"] {
        good(&dir, &["link", "-T", profile, "old.dxil", "-Fo", "out.dxil"]);
        validate(&dir, "out.dxil", false);
        if profile == "lib_6_6" {
            compile(&dir, "new", &source, &["-T", profile]);
            assert!(part(&read(&dir, "new.dxil"), b"RDAT") == part(&read(&dir, "out.dxil"), b"RDAT"));
            assert_eq!(operations(&dir, "new.dxil"), operations(&dir, "out.dxil"));
        }
    }
}

#[test]
fn libraries_for_linking_only() {
    let dir = folder("offline");
    compile(&dir, "a", &format!("{COMMON}{FIRST}"), &["-T", "lib_6_x"]);
    compile(&dir, "b", &format!("{COMMON}{SECOND}"), &["-T", "lib_6_x"]);
    for (profile, more) in [("lib_6_6", &["-enable-payload-qualifiers"][..]), ("lib_6_7", &[]), ("lib_6_8", &[]), ("lib_6_10", &[])] {
        compile(&dir, "whole", &format!("{COMMON}{FIRST}{SECOND}"), &[&["-T", profile], more].concat());
        good(&dir, &["link", "-T", profile, "a.dxil", "b.dxil", "-Fo", "out.dxil"]);
        validate(&dir, "out.dxil", false);
        // From 6.9 on whole vectors are stored, which raises the least shader model; what is linked does without.
        if profile != "lib_6_10" {
            assert!(part(&read(&dir, "whole.dxil"), b"RDAT") == part(&read(&dir, "out.dxil"), b"RDAT"), "{profile}");
            assert_eq!(operations(&dir, "whole.dxil"), operations(&dir, "out.dxil"), "{profile}");
        }
    }
    // In two steps, what is between being for linking only; it says so and is not signed.
    good(&dir, &["link", "-T", "lib_6_x", "a.dxil", "b.dxil", "-Fo", "both.dxil"]);
    for file in ["a.dxil", "b.dxil", "both.dxil"] {
        let bytes = read(&dir, file);
        assert_eq!(bytes[4..20], [0; 16], "{file}");
        let container = rtc_dxil_container::Container::parse(&bytes).expect("a container");
        let again = rtc_dxil_container::recompute::of_container(&container).expect("a module");
        assert!(again.rdat_bytes().as_deref() == Some(&part(&bytes, b"RDAT")[..]), "{file}");
    }
    good(&dir, &["link", "-T", "lib_6_8", "both.dxil", "-Fo", "out.dxil"]);
    compile(&dir, "whole", &format!("{COMMON}{FIRST}{SECOND}"), &["-T", "lib_6_8"]);
    assert!(part(&read(&dir, "whole.dxil"), b"RDAT") == part(&read(&dir, "out.dxil"), b"RDAT"));
    // Features that the target does not have are reported.
    compile(
        &dir,
        "new",
        "RWStructuredBuffer<uint> B : register(u0); [shader(\"raygeneration\")] void Gen() { dx::HitObject h = dx::HitObject::MakeNop(); dx::MaybeReorderThread(h); B[0] = 1; }",
        &["-T", "lib_6_x", "-HV", "2021"],
    );
    bad(&dir, &["link", "-T", "lib_6_8", "new.dxil", "-Fo", "out.dxil"], &["`Gen` needs shader model 6.9, the target is lib_6_8"]);
    good(&dir, &["link", "-T", "lib_6_9", "new.dxil", "-Fo", "out.dxil"]);
    validate(&dir, "out.dxil", false);
    std::fs::write(dir.join("x.hlsl"), "").expect("a source");
    bad(&dir, &["-T", "lib_6_x", "-spirv", "x.hlsl", "-Fo", "out.dxil"], &["lib_6_x is for linking"]);
    bad(
        &dir,
        &["-T", "lib_6_x", "-validator-version", "1.6", "x.hlsl", "-Fo", "out.dxil"],
        &["-validator-version has no effect on lib_6_x"],
    );
}

const HELPERS: &str = "
export float Mul(float x, inout float y, out S s) { y += x * k.x; s.a = x; s.b = 2; Buf[0] = s; return sqrt(y); }
export bool Test(bool b, float3 v, float4 m) {
    for (int i = 0; i < 5; i++) { if (Buf[i].b > 3) return true; if (v[i % 3] > m.x) return false; }
    return b && any(v * m.xyz > 1);
}
";
const DATA: &str = "
struct S { float3 a; int b; };
RWStructuredBuffer<S> Buf : register(u1);
RWBuffer<float> Out[4] : register(u5);
cbuffer CB : register(b0) { float4 k; };
";
const DECLARED: &str = "
float Mul(float x, inout float y, out S s);
bool Test(bool b, float3 v, float4 m);
";
const SHADERS: &str = "
[shader(\"raygeneration\")] void RG() {
    float y = 1; S s;
    Out[DispatchRaysIndex().x][0] = Mul(2, y, s) + y + s.a.x;
    Buf[1] = s;
    if (Test(y > 2, y, (float4)1) || Test(y > 4, y, (float4)3)) Out[0][1] = 3;
}
[shader(\"callable\")] void Call(inout S s) { float y = s.a.y; s.b += (int)Mul(s.a.z, y, s); }
";

/// Libraries that call each other's functions, by the reference compiler.
fn of_the_reference(dir: &Path, dxc: &Dxc, profile: &str, sources: &[(&str, String)]) {
    for (name, source) in sources {
        let done = dxc.compile(source, &format!("{name}.hlsl"), &["-T", profile, "-validator-version", "1.6"]);
        let object = done.object.unwrap_or_else(|| panic!("{name}: {}", done.diagnostics));
        std::fs::write(dir.join(format!("{name}.dxil")), object).expect("an object");
    }
}

#[test]
fn functions_of_other_libraries_are_found_and_inlined() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("helpers");
    for profile in ["lib_6_3", "lib_6_6"] {
        let sources = [
            ("helpers", format!("{DATA}{HELPERS}")),
            ("shaders", format!("{DATA}{DECLARED}{SHADERS}")),
            ("whole", format!("{DATA}{HELPERS}{SHADERS}")),
        ];
        of_the_reference(&dir, &dxc, profile, &sources);
        let link = |more: &[&str]| {
            let all =
                [&["link", "-T", profile, "-validator-version", "1.6", "helpers.dxil", "shaders.dxil", "-Fo", "out.dxil"], more].concat();
            assert_eq!(good(&dir, &all), "");
            validate(&dir, "out.dxil", true);
        };
        link(&[]);
        let (whole, out) = (read(&dir, "whole.dxil"), read(&dir, "out.dxil"));
        assert!(part(&whole, b"RDAT") == part(&out, b"RDAT"), "{profile}: RDAT");
        assert_eq!(part(&whole, b"SFI0"), part(&out, b"SFI0"), "{profile}");
        let listing = String::from_utf8_lossy(&rtc(&dir, &["dis", "out.dxil"]).stdout).into_owned();
        assert!(!listing.lines().any(|l| l.contains("call ") && l.contains("Mul@@")), "a call is left");
        link(&["-export-shaders-only"]);
        let listing = String::from_utf8_lossy(&rtc(&dir, &["dis", "out.dxil"]).stdout).into_owned();
        assert_eq!(listing.lines().filter(|l| l.starts_with("define")).count(), 2, "{listing}");
        link(&["-exports", "Other,RG=RG"]);
        let listing = String::from_utf8_lossy(&rtc(&dir, &["dis", "out.dxil"]).stdout).into_owned();
        assert!(listing.contains("define void @\"\\01?Other@@YAXXZ\"()"), "{listing}");
        assert!(listing.contains("define void @\"\\01?RG@@YAXXZ\"()"), "{listing}");
        assert!(!listing.contains("define void @\"\\01?Call"), "{listing}");
        // The error names the missing function and its caller.
        let alone = good(&dir, &["link", "-T", profile, "shaders.dxil", "-Fo", "alone.dxil"]);
        assert!(
            alone.contains("warning: function `Mul` is not defined in any library; it is called by `Call` of `shaders.dxil`, `RG` of"),
            "{alone}"
        );
        bad(
            &dir,
            &["link", "-T", profile, "shaders.dxil", "-export-shaders-only", "-Fo", "out.dxil"],
            &["error: function `Test` is not defined in any library; it is called by `RG` of `shaders.dxil`"],
        );
    }
}

const COMPUTE_HELPER: &str = "
RWStructuredBuffer<float> Buf : register(u1);
StructuredBuffer<float4> In[];
cbuffer CB { float4 k; };
SamplerState S;
Texture2D<float4> T;
export float Mul(float x, inout float y) {
    for (int i = 0; i < 3; i++) { if (Buf[i] > y) return y * 3; y += x * k.x; }
    return sqrt(y) + In[NonUniformResourceIndex(x)][2].x + T.SampleLevel(S, y, 0).x;
}
";
const COMPUTE: &str = "
RWStructuredBuffer<float> Buf : register(u1);
RWBuffer<float> Out[4];
float Mul(float x, inout float y);
groupshared float g[10];
[shader(\"compute\")] [numthreads(4,1,1)] void Main(uint3 t : SV_DispatchThreadID) {
    float y = 1; g[t.x] = 1; GroupMemoryBarrierWithGroupSync();
    Out[NonUniformResourceIndex(t.x)][0] = Mul(2, y) + y + g[t.y]; Buf[1] = y;
}
";

#[test]
fn a_library_function_becomes_a_compute_shader() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("compute");
    for (profile, targets) in [("lib_6_3", &["cs_6_3", "cs_6_5", "cs_6_6", "cs_6_9"][..]), ("lib_6_6", &["cs_6_6", "cs_6_8"])] {
        of_the_reference(&dir, &dxc, profile, &[("helper", COMPUTE_HELPER.into()), ("main", COMPUTE.into())]);
        for target in targets {
            let old = *target <= "cs_6_6";
            let version: &[&str] = if old { &["-validator-version", "1.6"] } else { &[] };
            good(&dir, &[&["link", "-T", target, "-E", "Main", "helper.dxil", "main.dxil", "-Fo", "out.dxil"], version].concat());
            validate(&dir, "out.dxil", old);
            let out = read(&dir, "out.dxil");
            assert!(container::part(&out, b"RDAT").is_none() && container::part(&out, b"PSV0").is_some());
            let listing = String::from_utf8_lossy(&rtc(&dir, &["dis", "out.dxil"]).stdout).into_owned();
            let binding = if *target >= "cs_6_6" { "createHandleFromBinding" } else { "createHandle(" };
            assert!(listing.contains(binding) && !listing.contains("createHandleForLib"), "{target}: {listing}");
            // Resources without a register got one, the unbounded array after the texture.
            for row in ["T0             t1unbounded", "T1             t0     1", "U1             u2     4"] {
                assert!(listing.contains(row), "{target}: {row}: {listing}");
            }
        }
    }
    bad(&dir, &["link", "-T", "cs_6_6", "-E", "Other", "helper.dxil", "main.dxil", "-Fo", "out.dxil"], &["there is no function `Other`"]);
    bad(
        &dir,
        &["link", "-T", "cs_6_6", "-E", "Mul", "helper.dxil", "main.dxil", "-Fo", "out.dxil"],
        &["`Mul` of `helper.dxil` is no entry point"],
    );
    bad(
        &dir,
        &["link", "-T", "cs_6_6", "-E", "Main", "main.dxil", "-Fo", "out.dxil"],
        &["function `Mul` is not defined", "called by `Main` of `main.dxil`"],
    );
    bad(&dir, &["link", "-T", "lib_6_5", "main.dxil", "-Fo", "out.dxil"], &["`main.dxil` is for shader model 6.6, the target is lib_6_5"]);
}

#[test]
fn libraries_that_call_each_other_in_a_circle_are_refused() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("circle");
    let half = |a: &str, b: &str| format!("float {b}(float x); export float {a}(float x) {{ return x > 1 ? {b}(x * 0.5) : x; }}");
    of_the_reference(&dir, &dxc, "lib_6_3", &[("a", half("F", "G")), ("b", half("G", "H")), ("c", half("H", "F"))]);
    bad(
        &dir,
        &["link", "-T", "lib_6_3", "a.dxil", "b.dxil", "c.dxil", "-Fo", "out.dxil"],
        &["functions call each other in a circle: `F` calls `G` calls `H` calls `F`"],
    );
}

#[test]
fn a_thousand_functions_take_no_time() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = folder("thousand");
    let mut helpers = "RWBuffer<float> B : register(u0);\n".to_owned();
    let mut shader = "RWBuffer<float> B : register(u0);\n".to_owned();
    let mut body = String::new();
    for n in 0..1000 {
        helpers += &format!("export float F{n}(float x) {{ B[{n}] = x; return x * {n} + 1; }}\n");
        shader += &format!("float F{n}(float x);\n");
        body += &format!("y = F{n}(y);");
    }
    shader += &format!("[shader(\"raygeneration\")] void RG() {{ float y = 1; {body} B[2000] = y; }}");
    of_the_reference(&dir, &dxc, "lib_6_3", &[("helpers", helpers), ("shader", shader)]);
    let start = std::time::Instant::now();
    good(&dir, &["link", "-T", "lib_6_3", "-validator-version", "1.6", "helpers.dxil", "shader.dxil", "-Fo", "out.dxil"]);
    let time = start.elapsed();
    validate(&dir, "out.dxil", true);
    assert!(time.as_secs() < 120, "{time:?} in a debug build on a busy machine");
    // Everything twice in a chain of thirty would be a billion copies.
    let mut chain = "export float F0(float x) { return sin(x) * x; }\n".to_owned();
    for n in 1..30 {
        let m = n - 1;
        chain += &format!("float F{m}(float x);\n");
        let source = format!("float F{m}(float x); export float F{n}(float x) {{ return F{m}(x) * F{m}(x + 1); }}");
        of_the_reference(&dir, &dxc, "lib_6_3", &[(&format!("f{n}"), source)]);
    }
    of_the_reference(&dir, &dxc, "lib_6_3", &[("f0", "export float F0(float x) { return sin(x) * x; }".into())]);
    let files: Vec<String> = (0..30).map(|n| format!("f{n}.dxil")).collect();
    let mut args = vec!["link", "-T", "lib_6_3", "-Fo", "out.dxil"];
    args.extend(files.iter().map(String::as_str));
    bad(&dir, &args, &["is too large once everything is inlined"]);
}

#[test]
fn conflicts_are_reported_with_both_files() {
    let dir = folder("conflicts");
    let lib = ["-T", "lib_6_7"];
    let shader = |name: &str| format!("[shader(\"raygeneration\")] void {name}() {{ B[DispatchRaysIndex().x] = 1; }}");
    let trace = |name: &str, qualifiers: &str| {
        format!("struct [raypayload] P {{ float a {qualifiers}; }}; [shader(\"miss\")] void {name}(inout P p) {{ p.a = 1; }}")
    };
    let pairs = [
        (
            "register",
            format!("RWBuffer<float> B : register(u0); {}", shader("X")),
            format!("RWBuffer<float> B : register(u1); {}", shader("Y")),
            "resource `B` is at u0, space 0 in `register_a.dxil` and at u1, space 0 in `register_b.dxil`",
        ),
        (
            "kind",
            format!("RWBuffer<float> B : register(u0); {}", shader("X")),
            format!("RWStructuredBuffer<float> B : register(u0); {}", shader("Y")),
            "resource `B` is a TypedBuffer in `kind_a.dxil` and a StructuredBuffer in `kind_b.dxil`",
        ),
        (
            "type",
            format!("RWBuffer<float> B : register(u0); {}", shader("X")),
            format!("RWBuffer<uint> B : register(u0); {}", shader("Y")),
            "resource `B` is `class.RWBuffer<float>` in `type_a.dxil` and `class.RWBuffer<unsigned int>` in `type_b.dxil`",
        ),
        (
            "overlap",
            format!("RWBuffer<float> B : register(u3); {}", shader("X")),
            "RWBuffer<float> C : register(u3); [shader(\"raygeneration\")] void Y() { C[1] = 1; }".into(),
            "resources `B` of `overlap_a.dxil` and `C` of `overlap_b.dxil` share a register (at u3, space 0)",
        ),
        (
            "twice",
            format!("RWBuffer<float> B : register(u0); {}", shader("X")),
            format!("RWBuffer<float> B : register(u0); {}", shader("X")),
            "function `X` is defined twice, in `twice_a.dxil` and in `twice_b.dxil`",
        ),
        (
            "subobject",
            "RaytracingPipelineConfig C = { 1 };".to_owned() + &trace("X", ": read(caller) : write(miss)"),
            "RaytracingPipelineConfig C = { 2 };".to_owned() + &trace("Y", ": read(caller) : write(miss)"),
            "subobject `C` is defined in `subobject_a.dxil` and in `subobject_b.dxil` as RaytracingPipelineConfig, with other contents",
        ),
        (
            "subkind",
            "RaytracingPipelineConfig C = { 1 };".to_owned() + &trace("X", ": read(caller) : write(miss)"),
            "RaytracingShaderConfig C = { 4, 8 };".to_owned() + &trace("Y", ": read(caller) : write(miss)"),
            "subobject `C` is defined in `subkind_a.dxil` and in `subkind_b.dxil` as RaytracingPipelineConfig and as RaytracingShaderConfig",
        ),
        (
            "payload",
            trace("X", ": read(caller) : write(miss)"),
            trace("Y", ": read(caller) : write(caller, miss)"),
            "payload `P` has other access qualifiers in `payload_b.dxil` than in `payload_a.dxil`",
        ),
    ];
    for (name, a, b, expected) in pairs {
        let (x, y) = (format!("{name}_a"), format!("{name}_b"));
        compile(&dir, &x, &a, &lib);
        compile(&dir, &y, &b, &lib);
        bad(&dir, &["link", "-T", "lib_6_7", &format!("{x}.dxil"), &format!("{y}.dxil"), "-Fo", "out.dxil"], &[expected]);
    }
    // Not a conflict: a structure of one name and two layouts, subobjects and qualifiers that agree.
    let other = "struct [raypayload] P { float2 a : read(caller) : write(miss); }; [shader(\"miss\")] void Y(inout P p) { p.a = 1; }";
    compile(&dir, "one", &("RaytracingPipelineConfig C = { 1 };".to_owned() + &trace("X", ": read(caller) : write(miss)")), &lib);
    compile(&dir, "two", &("RaytracingPipelineConfig C = { 1 };".to_owned() + other), &lib);
    good(&dir, &["link", "-T", "lib_6_7", "one.dxil", "two.dxil", "-Fo", "out.dxil"]);
    validate(&dir, "out.dxil", false);
    compile(
        &dir,
        "half",
        "RWBuffer<half> H; [shader(\"raygeneration\")] void Z() { H[0] = 1; }",
        &["-T", "lib_6_7", "-enable-16bit-types"],
    );
    bad(
        &dir,
        &["link", "-T", "lib_6_7", "one.dxil", "half.dxil", "-Fo", "out.dxil"],
        &["`one.dxil` and `half.dxil` disagree about 16-bit types"],
    );
}

#[test]
fn wrong_use_and_damaged_files() {
    let dir = folder("wrong");
    compile(&dir, "a", "[shader(\"raygeneration\")] void X() {}", &["-T", "lib_6_6"]);
    compile(&dir, "cs", "[numthreads(1,1,1)] void main() {}", &["-T", "cs_6_6"]);
    std::fs::write(dir.join("empty.dxil"), []).expect("a file");
    std::fs::write(dir.join("text.dxil"), "hello").expect("a file");
    let link = |more: &[&str], expected: &str| bad(&dir, &[&["link", "-Fo", "out.dxil"], more].concat(), &[expected]);
    link(&["-T", "lib_6_6"], "no library given");
    link(&["a.dxil"], "no target profile given");
    link(&["-T", "lib_6_2", "a.dxil"], "cannot link for profile `lib_6_2`");
    link(&["-T", "lib_7_0", "a.dxil"], "cannot link for profile");
    link(&["-T", "ps_6_6", "a.dxil"], "there is no function `main` in any library");
    link(&["-T", "ps_6_6", "-E", "X", "a.dxil"], "`X` of `a.dxil` is a raygeneration shader, not a pixel shader");
    link(&["-T", "lib_6_5", "a.dxil"], "`a.dxil` is for shader model 6.6, the target is lib_6_5");
    link(&["-T", "lib_6_6", "a.dxil", "a.dxil"], "`a.dxil` is given twice");
    link(&["-T", "lib_6_6", "cs.dxil"], "`cs.dxil`: a compute shader, not a library");
    link(&["-T", "lib_6_6", "empty.dxil"], "`empty.dxil`: the file is empty");
    link(&["-T", "lib_6_6", "text.dxil"], "`text.dxil`: container at byte");
    link(&["-T", "lib_6_6", "none.dxil"], "cannot read `none.dxil`");
    link(&["-T", "lib_6_6", "a.dxil", "-exports", "Y"], "there is no function `Y` to export");
    link(&["-T", "lib_6_9", "a.dxil", "-validator-version", "1.8"], "lib_6_9 needs validator version 1.9");
    link(&["-T", "lib_6_6", "a.dxil", "-spirv"], "not SPIR-V");
    link(&["-T", "lib_6_6", "-nonsense", "a.dxil"], "nonsense");
    let whole = read(&dir, "a.dxil");
    for n in (0..whole.len()).step_by(97) {
        std::fs::write(dir.join("cut.dxil"), &whole[..n]).expect("a file");
        link(&["-T", "lib_6_6", "cut.dxil"], "`cut.dxil`: ");
    }
    // Each byte of the content counts; without a digest, and with one for preview, there is nothing to compare.
    for at in (20..whole.len()).step_by(61) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(dir.join("changed.dxil"), changed).expect("a file");
        link(&["-T", "lib_6_6", "changed.dxil"], "`changed.dxil`: ");
    }
    let last = whole.len() - 1;
    let mut changed = whole.clone();
    changed[last] ^= 1;
    std::fs::write(dir.join("changed.dxil"), &changed).expect("a file");
    link(
        &["-T", "lib_6_6", "changed.dxil"],
        "`changed.dxil`: its digest does not match its content, which has changed since it was signed",
    );
    let mut unsigned = whole;
    unsigned[4..20].fill(0);
    std::fs::write(dir.join("unsigned.dxil"), &unsigned).expect("a file");
    good(&dir, &["link", "-T", "lib_6_6", "unsigned.dxil", "-Fo", "out.dxil"]);
}

/// From shader model 6.8 on, libraries say the root signatures of their compute shaders, and the shader that is linked has its own.
#[test]
fn root_signatures_of_linked_shaders() {
    let dir = folder("rootsig");
    let source = "RWBuffer<float> B : register(u0);
[RootSignature(\"DescriptorTable(UAV(u0)), RootConstants(num32BitConstants=2, b3)\")]
[shader(\"compute\")] [numthreads(4, 1, 1)] void Main(uint t : SV_GroupIndex) { B[t] = t; }
[RootSignature(\"DescriptorTable(UAV(u0, numDescriptors = 3))\")]
[shader(\"compute\")] [numthreads(4, 1, 1)] void Other(uint t : SV_GroupIndex) { B[t] = 2; }
[shader(\"compute\")] [numthreads(4, 1, 1)] void Without(uint t : SV_GroupIndex) { B[t] = 3; }
";
    for (model, kept) in [("6_6", false), ("6_8", true), ("6_9", true)] {
        let (lib, cs) = (format!("lib_{model}"), format!("cs_{model}"));
        compile(&dir, "lib", source, &["-T", &lib]);
        // Another library in front, whose functions have other numbers.
        compile(
            &dir,
            "more",
            "export float twice(float x) { return 2 * x; } [shader(\"compute\")] [numthreads(1, 1, 1)] void Third() {}",
            &["-T", &lib],
        );
        for entry in ["Main", "Other", "Without"] {
            compile(&dir, "alone", source, &["-T", &cs, "-E", entry]);
            _ = std::fs::remove_file(dir.join("out.rts0"));
            good(&dir, &["link", "-T", &cs, "-E", entry, "more.dxil", "lib.dxil", "-Fo", "out.dxil", "-Frs", "out.rts0"]);
            let (alone, out) = (read(&dir, "alone.dxil"), read(&dir, "out.dxil"));
            let expected = container::part(&alone, b"RTS0").filter(|_| kept);
            assert_eq!(container::part(&out, b"RTS0"), expected, "{model} {entry}");
            assert_eq!(kept && entry != "Without", expected.is_some(), "{model} {entry}");
            let root_signature = std::fs::read(dir.join("out.rts0")).ok();
            assert_eq!(root_signature.as_deref().and_then(|b| container::part(b, b"RTS0")), expected, "{model} {entry}: -Frs");
            validate(&dir, "out.dxil", false);
        }
    }
}
