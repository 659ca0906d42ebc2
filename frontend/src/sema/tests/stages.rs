//! Entry points, stages, payloads, subobjects.

use super::*;
use crate::hir::SubobjectKind;
use crate::sema::Target;

const HEAD: &str = "struct P { float4 c; }; RaytracingAccelerationStructure S; ";

#[test]
fn entry_points_have_shapes() {
    fails(
        "struct P { float4 c; }; struct A { float2 b; };\n\
         [shader(\"raygeneration\")] void a(inout P p) {}\n\
         [shader(\"miss\")] float4 b(inout P p) { return 1; }\n\
         [shader(\"closesthit\")] void c(inout P p) {}\n\
         [shader(\"anyhit\")] void d(P p, in A a) {}\n\
         [shader(\"callable\")] void e(inout float4 p) {}\n\
         [shader(\"intersection\")] void g() {}\n\
         [shader(\"closesthit\")] void h(inout P p, inout A a) {}\n\
         [shader(\"node\")] void v() {}\n\
         [shader(\"misss\")] void w() {}\n\
         [shader(miss)] void x(inout P p) {}\n",
        &[
            "2:34 E0601 no parameters",
            "3:18 E0601 returns `void`",
            "4:29 E0601 payload and `in` attributes",
            "5:27 E0601 must be `inout`",
            "6:29 E0601 must be a structure",
            "8:42 E0601 must be `in`",
            "9:2 E0608",
            "10:2 E0405 unknown stage `misss`",
            "11:9 E0405 quotation marks",
        ],
    );
}

#[test]
fn stage_rules_follow_calls() {
    let src = format!(
        "{HEAD}\nfloat3 inner() {{ return ObjectRayOrigin(); }}\nfloat3 outer() {{ return inner(); }}\n[shader(\"miss\")] void m(inout P p) {{ p.c.xyz = outer(); }}\n[shader(\"raygeneration\")] void r() {{ IgnoreHit(); RayDesc d = (RayDesc)0; P p = (P)0; TraceRay(S, 0, 1, 0, 0, 0, d, p); }}\n[shader(\"callable\")] void c(inout P p) {{ RayDesc d = (RayDesc)0; TraceRay(S, 0, 1, 0, 0, 0, d, p); }}"
    );
    let r = run(&src);
    assert_eq!(
        r.lines(),
        [
            "5:38 E0602 `IgnoreHit` cannot be used in the raygeneration shader `r`",
            "6:66 E0602 `TraceRay` cannot be used in the callable shader `c`",
            // This one counts if it is left once dead code is gone, which is not found out where there are errors.
            "2:25 E0602 `ObjectRayOrigin` cannot be used in the miss shader `m`",
        ]
    );
    let chain: Vec<&str> = r.diagnostics[2].labels.iter().skip(1).map(|l| l.message.as_str()).collect();
    assert_eq!(chain, ["`outer` is called here", "`inner` is called here"]);
}

#[test]
fn recursion_is_found_once() {
    let r = run(
        "int a(int n);\nint b(int n) { return a(n); }\nint a(int n) { return n > 0 ? b(n - 1) : 0; }\nint c(int n) { return c(n); }\nint unused(int n) { return unused(n); }\n[shader(\"raygeneration\")] void r() { c(b(1)); }",
    );
    assert_eq!(r.lines().len(), 2, "{}", r.lines().join("\n"));
    assert!(r.lines().iter().all(|l| l.contains("E0603")));
}

#[test]
fn undefined_functions_are_reported_where_reached() {
    fails(
        "static float g(float x);\nfloat unreached() { return g(1); }\n[shader(\"raygeneration\")] void r() { g(2); }",
        &["3:38 E0609 `g`"],
    );
}

#[test]
fn functions_of_other_libraries() {
    let r = run("namespace N { float g(float x, float y = 2); }\nstruct S { float a; float f(); };\nvoid o(inout S s); void o(float x);\n\
         [shader(\"raygeneration\")] void r() { S s; s.a = N::g(1); o(s); o(s.f()); }");
    r.assert_clean();
    let declared: Vec<_> = r.module.funcs.values().filter(|f| !f.is_defined()).map(|f| &f.symbol[1..]).collect();
    assert_eq!(declared, ["?g@N@@YAMMM@Z", "?f@S@@QAAMXZ", "?o@@YAXUS@@@Z", "?o@@YAXM@Z"]);
    // Defined later in the file, it is not an external function.
    run("float g(float x);\n[shader(\"raygeneration\")] void r() { g(2); }\nfloat g(float x) { return x; }").assert_clean();
    fails("RWBuffer<float> b; float g(RWBuffer<float> x); \n[shader(\"raygeneration\")] void r() { g(b); }", &["2:38 E0611 `g`"]);
}

#[test]
fn compute_shaders() {
    let cs = |name: &str| SemaOptions { target: Target::Shader(rtc_tables::stages::Stage::Compute, name.into()), ..SemaOptions::default() };
    let src = "groupshared float t[8]; RWBuffer<float> o; [numthreads(8, 1, 1)] void main(uint3 id : SV_DispatchThreadID, uint g : SV_GroupIndex) { t[g] = id.x; o[id.x] = t[7 - g]; }";
    let r = run_with(src, &cs("main"));
    r.assert_clean();
    let (_, f) = r.module.entries().next().unwrap();
    assert_eq!((f.symbol.as_str(), f.entry.numthreads), ("main", Some([8, 1, 1])));
    fails_with(src, &cs("mian"), &["1:71 E0605"]);
    fails_with(
        "void main(uint3 a, float4 p : SV_Position, float2 x : SV_GroupIndex) {}",
        &cs("main"),
        &["1:6 E0610", "1:11 E0601 needs a semantic", "1:20 E0601 do not have the system value `SV_Position`", "1:44 E0601"],
    );
    fails_with("[numthreads(0, 1, 1)] void main() {}", &cs("main"), &["1:2 E0405"]);
    fails_with("[numthreads(1, 1, 1)] void main() { IgnoreHit(); }", &cs("main"), &["1:37 E0602"]);
}

#[test]
fn groupshared_needs_a_group() {
    fails("groupshared float t; void g() { t = 1; }\n[shader(\"raygeneration\")] void r() { g(); }", &["1:19 E0505 raygeneration"]);
}

#[test]
fn payloads() {
    fails(
        &format!(
            "{HEAD}struct B {{ Texture2D t; }};\nvoid f(RayDesc d, B b, float4 v) {{\n TraceRay(S, 0, 1, 0, 0, 0, d, b);\n CallShader(0, v);\n}}"
        ),
        &["3:32 E0601 contains an object", "4:16 E0313"],
    );
    fails("struct Big { float v[9]; };\nvoid f(Big b) { ReportHit(1, 0, b); }", &["2:33 W0602 36 bytes"]);
}

#[test]
fn qualifiers() {
    let src = "struct [raypayload] P { float a : read(caller) : write(closesthit, miss); float b; };\nstruct Q { float a : read(caller) : write(miss); };\nstruct [raypayload] R { float a : read(caller, pixel) : read(miss); };\n[shader(\"miss\")] void M(inout P p) { }";
    fails_with(
        src,
        &model(7),
        &["2:18 W0703 not declared", "3:48 E0702 `pixel`", "3:57 E0703 duplicate", "1:81 E0606 no access qualifiers"],
    );
    let plain = "struct [raypayload] P { float a : read(caller) : write(miss); };";
    fails_with(plain, &model(5), &["1:21 W0601"]);
    run_with(plain, &model(8)).assert_clean();
    let r = run_with(plain, &model(8));
    let p = &r.module.types.records.values().next().unwrap().fields[0];
    let q = p.paq.unwrap();
    assert!((q.read.unwrap().0, q.write.unwrap().0) == (1, 4));
    fails_with(
        "struct P { float a; }; RaytracingAccelerationStructure S; void f(RayDesc d, P p) { TraceRay(S, 0, 1, 0, 0, 0, d, p); }
         [shader(\"raygeneration\")] void Main() { RayDesc d = (RayDesc)0; P p = { 1 }; f(d, p); }",
        &model(7),
        &["1:114 E0706 not declared `[raypayload]`"],
    );
    // In a function that no shader reaches.
    run_with(
        "struct P { float a; }; RaytracingAccelerationStructure S; void f(RayDesc d, P p) { TraceRay(S, 0, 1, 0, 0, 0, d, p); }",
        &model(7),
    )
    .assert_clean();
}

#[test]
fn subobjects_are_plain_data() {
    let r = ok(
        "static const uint D = 2; GlobalRootSignature G = { \"CBV(b0)\" }; LocalRootSignature L = { \"RootConstants(num32BitConstants=4, b1)\" }; TriangleHitGroup T = { \"\", \"CH\" }; \
        ProceduralPrimitiveHitGroup H = { \"AH\", \"CH\", \"IS\" }; SubobjectToExportsAssociation A = { \"L\", \"T; H\" }; RaytracingShaderConfig S = { 4 * 4, 8 }; RaytracingPipelineConfig C = { D }; \
        RaytracingPipelineConfig1 C1 = { 1, RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES }; StateObjectConfig O = { STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS };",
    );
    let kinds: Vec<&SubobjectKind> = r.module.subobjects.iter().map(|s| &s.kind).collect();
    assert_eq!(kinds[2], &SubobjectKind::TriangleHitGroup("".into(), "CH".into()));
    assert_eq!(kinds[4], &SubobjectKind::Association("L".into(), vec!["T".into(), "H".into()]));
    assert_eq!(kinds[5], &SubobjectKind::ShaderConfig(16, 8));
    assert_eq!(kinds[6], &SubobjectKind::PipelineConfig(2));
    assert_eq!(kinds[7], &SubobjectKind::PipelineConfig1(1, 0x100));
    assert_eq!(kinds[8], &SubobjectKind::StateObjectConfig(4));
}

#[test]
fn subobjects_that_are_wrong() {
    fails(
        "TriangleHitGroup a = { \"x\" };\n\
         ProceduralPrimitiveHitGroup b = { \"ah\", \"ch\" \"is\" };\n\
         ProceduralPrimitiveHitGroup c = { \"\", \"\", \"\" };\n\
         RaytracingShaderConfig d = { \"4\", 8 };\n\
         RaytracingPipelineConfig e = { 99 };\n\
         GlobalRootSignature g = { \"CBV(b0)\" };\n\
         RaytracingPipelineConfig1 h = { 1, 2 };\n\
         StateObjectConfig i;\n\
         void f() { float x = h; LocalRootSignature l; }",
        &[
            "1:22 E0607 `TriangleHitGroup` expects 2 values",
            "2:33 E0607 expects 3 values",
            "3:43 E0607 intersection shader",
            "4:30 E0607 must be a number",
            "5:32 W0602 at most 31",
            "7:36 E0607 unknown flags 0x2",
            "8:19 E0607 no initialiser",
            "9:22 E0305",
            "9:44 E0404",
        ],
    );
    fails(
        "struct P { float a; }; [shader(\"miss\")] void M(inout P p) {}\nTriangleHitGroup h = { \"\", \"M\" };",
        &["2:18 E0607 `M` as closesthit"],
    );
}

#[test]
fn shader_models_limit_intrinsics() {
    let r = run_with(
        "[shader(\"closesthit\")] void c(inout BuiltInTrianglePositions p, in BuiltInTriangleIntersectionAttributes a) { uint g = GeometryIndex(); }",
        &model(3),
    );
    let left: Vec<&str> = r.module.late.iter().map(|rule| rule.broken.code.id).collect();
    assert_eq!((r.lines(), left), (vec![], vec!["E0604"]));
    fails_with("void f() { RayQuery<0> q; }", &model(4), &["1:12 E0604 6.5"]);
    fails_with("void f() { Texture2D t = ResourceDescriptorHeap[3]; }", &model(5), &["1:26 E0604 6.6"]);
    run_with("float4 f(uint i) { Texture2D t = ResourceDescriptorHeap[i]; SamplerState s = SamplerDescriptorHeap[2]; return t.SampleLevel(s, float2(0, 0), 0); }", &model(6)).assert_clean();
}
