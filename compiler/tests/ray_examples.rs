//! Ray queries, opacity micromaps, clusters and vertex positions: the examples of the specifications, completed to programs, compile to DXIL and
//! SPIR-V at all levels without warnings about rays or queries, and the outside tools accept them. Structures that a device reads have the
//! specified sizes. The newest reference's shader gives the same library data and operations.
//!
//! The examples omit parts; [`FILLINGS`] completes them.

use std::collections::BTreeSet;

use rtc::{NoIncludes, OptLevel, Options, Product, Profile, Target};
use rtc_oracles::{Dxv, Llvm, SpirvVal, container, facts, skip};

/// What the examples leave out or misspell, and what stands for it.
const FILLINGS: &[(&str, &str)] = &[
    ("...", ""),
    ("if(q.CommittedStatus()) ==", "if(q.CommittedStatus() =="),
    ("struct MyCustomAttrIntersectionAttributes { float4 a; float3 b; }", "struct MyCustomIntersectionAttributes { float4 a; float3 b; };"),
    ("                            attribs,\n", "                            candidateAttribs,\n"),
    ("q.CandidateTriangleFrontFace() )\n            {", "q.CandidateTriangleFrontFace() ))\n            {"),
    (
        "float4 MyPixelShader(float2 uv : TEXCOORD) : SV_Target0\n{",
        "[shader(\"compute\")] [numthreads(64,1,1)] void Pixel()\n{ RayDesc myRay = ray(1), myRay1 = ray(2), myRay2 = ray(3);",
    ),
    (
        "void MyComputeShader(uint3 DTid : SV_DispatchThreadID)\n{",
        "void Compute(uint3 DTid : SV_DispatchThreadID)\n{ RayDesc myRay = ray(DTid.x);",
    ),
    // Native 16-bit types have no bytes, and nothing has 24 bits.
    ("int24_t", "int"),
    ("CandidatetGeometryIndex", "CandidateGeometryIndex"),
    ("uint8_t", "uint"),
];

/// What the examples take for granted.
const BEFORE: &str = r#"
RWByteAddressBuffer Out : register(u0);
cbuffer Inputs : register(b0) { uint myRayFlags; uint myInstanceMask; float myTime; }
RayDesc ray(float x) { RayDesc r = { float3(x, myTime, 0), 0.001, float3(0, 0, 1), 100 }; return r; }
void put(float4 x) { Out.Store4(0, asuint(x)); }
void ShadeMyTriangleHit(uint i, uint p, uint g, float t, float2 b, bool f) { put(float4(i + p + g, t, f ? b : b.yx)); }
void MyMissColorCalculation(float3 o, float3 d) { put(float4(o + d, 1)); }
bool MyLogicSaysStopSearchingForSomeReason() { return myTime > 2; }
bool MyAlphaTestLogic(uint i, uint p, uint g, float t, float2 b, bool f) { return f && b.x * t < i + p + g; }
#define CUSTOM bool MyProceduralAlphaTestLogic(float t, MyCustomIntersectionAttributes a, uint i, uint p, uint g) { return a.a.x < t; } \
    bool MyProceduralIntersectionEnumerator(out float t, out MyCustomIntersectionAttributes a, uint i, uint p, uint g) { t = p * myTime; a.a = t; a.b = g; return t > i; } \
    void ShadeMyProceduralPrimitiveHit(MyCustomIntersectionAttributes a, uint i, uint p, uint g, float t) { put(a.a + float4(a.b, t) + i + p + g); }
"#;

struct Validators {
    spirv: Option<SpirvVal>,
    llvm: Option<Llvm>,
    dxv: Option<Dxv>,
}

impl Validators {
    fn new() -> Validators {
        fn there<T>(found: Result<T, rtc_oracles::Missing>) -> Option<T> {
            found.map_err(skip::skip).ok()
        }
        Validators { spirv: there(SpirvVal::load()), llvm: there(Llvm::find()), dxv: there(Dxv::find()) }
    }

    /// Compiles for all targets and levels and returns the errors of all tools. Warnings about rays and queries count.
    fn check(&self, name: &str, source: &str, model: u32) -> Vec<String> {
        let mut wrong = Vec::new();
        for level in [OptLevel::O3, OptLevel::O0] {
            for target in [Target::Spirv, Target::Dxil] {
                let mut o = Options::new(Profile::parse(&format!("lib_6_{model}")).expect("a profile"));
                (o.target, o.level, o.native_16bit) = (target, level, true);
                o.payload_qualifiers = Some(false);
                let c = rtc::compile(name, source.as_bytes(), &mut NoIncludes, &o);
                let about_rays = |d: &&rtc::Diagnostic| d.is_error() || d.code.group.starts_with("ray-");
                let said: String = c.diagnostics.iter().filter(about_rays).map(|d| format!("{} {}\n", d.code.id, d.message)).collect();
                let validated = match &c.product {
                    _ if !said.is_empty() => Err(said),
                    Some(Product::Spirv(rtc::SpirvModule { words, .. })) => self.spirv.as_ref().map_or(Ok(()), |v| v.validate(words)),
                    Some(Product::Dxil(bytes)) => self
                        .llvm
                        .as_ref()
                        .map_or(Ok(()), |l| l.verify_container(bytes))
                        .and_then(|()| self.dxv.as_ref().map_or(Ok(()), |d| d.validate(bytes))),
                    _ => Err("nothing was made".into()),
                };
                if let Err(e) = validated {
                    wrong.push(format!("{name} {target:?} {level:?}: {e}"));
                }
            }
        }
        wrong
    }
}

/// The text of example `name` without its head, with the gaps filled.
fn example(dir: &std::path::Path, name: &str) -> String {
    let text = std::fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let body = text.split_once("// ---- snippet as is").and_then(|p| p.1.split_once('\n')).map_or(&*text, |p| p.1);
    FILLINGS.iter().fold(body.to_owned(), |s, (gap, filling)| s.replace(gap, filling))
}

#[test]
fn queries_of_the_specifications_compile_for_every_target() {
    let dir = rtc_oracles::require!(facts::spec_examples());
    let validators = Validators::new();
    let mut wrong = Vec::new();
    for name in [
        "000_tracerayinline_example1.hlsl",
        "000_tracerayinline_example2.hlsl",
        "000_tracerayinline_example3.hlsl",
        "001_tracerayinline_example2_old.hlsl",
    ] {
        let body = example(&dir, name);
        let (head, shader) = body.split_once("[numthreads").unwrap_or_else(|| panic!("{name} has no shader:\n{body}"));
        let custom = if head.contains("MyCustomIntersectionAttributes") { "CUSTOM\n" } else { "" };
        let source = format!("{BEFORE}{head}{custom}[shader(\"compute\")] [numthreads{shader}");
        wrong.extend(validators.check(name, &source, 6));
    }
    let name = "000_rayquery_abort_loop.hlsl";
    let body = example(&dir, name).replace("rayQ.Abort();", "if (rayQ.CandidateTriangleRayT() > myTime) rayQ.Abort();");
    let source = format!(
        "RaytracingAccelerationStructure S : register(t3);{BEFORE}[shader(\"compute\")] [numthreads(64,1,1)] void Abort() {{ RayQuery<RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> rayQ; \
         rayQ.TraceRayInline(S, myRayFlags, myInstanceMask, ray(4));\n{body}\n put(rayQ.CommittedRayT()); }}"
    );
    wrong.extend(validators.check(name, &source, 6));
    for (name, model) in [("000_rayquery_template_spelling.hlsl", 9), ("001_rayquery_one_param_template.hlsl", 6)] {
        for (n, spelled) in example(&dir, name).lines().filter(|l| l.starts_with("RayQuery")).enumerate() {
            let ty = spelled
                .replace("RAYQUERY_FLAGS", "RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS")
                .replace("RAY_FLAGS", "RAY_FLAG_FORCE_OMM_2_STATE");
            let ty = if model == 9 { ty } else { ty.replace("RAY_FLAG_FORCE_OMM_2_STATE", "RAY_FLAG_FORCE_OPAQUE") };
            let source = format!(
                "RaytracingAccelerationStructure S : register(t3);{BEFORE}[shader(\"compute\")] [numthreads(64,1,1)] void Main() {{ {ty} q; q.TraceRayInline(S, 0, 255, ray({n})); \
                 while (q.Proceed()) q.CommitNonOpaqueTriangleHit(); put(q.CommittedRayT()); }}"
            );
            wrong.extend(validators.check(name, &source, model));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every signature of clusters and positions, in the homes and the spellings that the specifications have.
#[test]
fn clusters_and_positions_compile_for_every_target() {
    let source = r#"
enum CLUSTER_ID_CONSTANTS : uint { CLUSTER_ID_INVALID = 0xffffffff, };
RaytracingAccelerationStructure S : register(t0); RWByteAddressBuffer B : register(u0);
struct P { float3 n; uint id; };
float3 normal(BuiltInTrianglePositions t) { return cross(t.p1 - t.p0, t.p2 - t.p0); }
[shader("closesthit")] void Ch(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.n = normal(TriangleObjectPositions()); p.id = ClusterID(); }
[shader("anyhit")] void Ah(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.n += TriangleObjectPosition(ClusterId() & 1); p.id = ClusterId(); }
[shader("miss")] void Ms(inout P p) { p.n = 0; p.id = CLUSTER_ID_INVALID; }
[shader("raygeneration")] void Main() {
  RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
  P p = { float3(0, 0, 0), 0 };
  TraceRay(S, 0, 255, 0, 1, 0, r, p);
  RayQuery<RAY_FLAG_NONE, RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS | RAYQUERY_FLAG_ALLOW_CLUSTERED_GEOMETRY> q; q.TraceRayInline(S, 0, 255, r);
  while (q.Proceed()) if (q.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE) {
    p.id ^= q.CandidateClusterID() + q.CandidateClusterId(); p.n += normal(q.CandidateTriangleObjectPositions()) + q.CandidateTriangleObjectPosition(1);
    q.CommitNonOpaqueTriangleHit();
  }
  if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT) {
    p.id += q.CommittedClusterID() + q.CommittedClusterId(); p.n += normal(q.CommittedTriangleObjectPositions()) + q.CommittedTriangleObjectPosition(2);
  }
  B.Store4(0, uint4(asuint(p.n), p.id));
}
"#;
    let wrong = Validators::new().check("clusters.hlsl", source, 10);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let dir = rtc_oracles::require!(facts::spec_examples());
    let list = example(&dir, "003_sig_clusterid.hlsl");
    let names: Vec<&str> = list.split(|c: char| !c.is_alphanumeric()).filter(|w| w.contains("Cluster") && !w.starts_with("Get")).collect();
    assert!(names.len() >= 3 && names.iter().all(|n| source.contains(&format!("{n}("))), "{names:?}");
}

/// The structures of clusters and partitions, as shaders write them.
#[test]
fn structures_that_devices_read_have_their_sizes() {
    let dir = rtc_oracles::require!(facts::spec_examples());
    let address = "struct D3D12_GPU_VIRTUAL_ADDRESS_AND_STRIDE { uint64_t StartAddress; uint64_t StrideInBytes; };\n";
    let validators = Validators::new();
    let mut wrong = Vec::new();
    for (files, before, ty, bytes) in [
        (&["003_args_build_clas.hlsl"][..], "", "D3D12_RTAS_OPERATION_BUILD_CLAS_FROM_TRIANGLES_ARGS", 80),
        (&["003_args_build_blas_from_clas.hlsl"], "", "D3D12_RTAS_OPERATION_BUILD_BLAS_FROM_CLAS_ARGS", 16),
        (&["003_args_move.hlsl"], "", "D3D12_RTAS_OPERATION_MOVE_CLUSTER_OBJECTS_ARGS", 8),
        (
            &["003_args_build_clas.hlsl", "003_compressed1_template_header.hlsl", "003_args_build_templates_union_flattened.hlsl"],
            "",
            "D3D12_RTAS_OPERATION_BUILD_CLUSTER_TEMPLATES_FROM_TRIANGLES_ARGS",
            88,
        ),
        (&["003_compressed1_header.hlsl"], "", "D3D12_VERTEX_FORMAT_COMPRESSED1_HEADER", 12),
        (&["003_args_instantiate_templates.hlsl"], address, "D3D12_RTAS_OPERATION_INSTANTIATE_CLUSTER_TEMPLATES_ARGS", 32),
        (
            &["003_ptlas_operation.hlsl"],
            "typedef uint UINT; enum D3D12_RTAS_PARTITIONED_TLAS_OPERATION_TYPE : uint { WRITE }; struct D3D12_GPU_VIRTUAL_ADDRESS_AND_STRIDE { uint64_t StartAddress; uint64_t StrideInBytes; };\n",
            "D3D12_RTAS_PARTITIONED_TLAS_OPERATION",
            24,
        ),
        (&["003_ptlas_write_instance.hlsl"], "", "D3D12_RTAS_PARTITIONED_TLAS_OPERATION_WRITE_INSTANCE_ARGS", 104),
        (&["003_ptlas_update_instance.hlsl"], "", "D3D12_RTAS_PARTITIONED_TLAS_OPERATION_UPDATE_INSTANCE_ARGS", 16),
        (&["003_ptlas_translate_partition.hlsl"], "", "D3D12_RTAS_PARTITIONED_TLAS_OPERATION_TRANSLATE_PARTITION_ARGS", 16),
    ] {
        let body: String = files.iter().map(|f| example(&dir, f)).collect();
        let source = format!(
            "{before}{body}\n_Static_assert(sizeof({ty}) == {bytes}, \"its size\");\nRWStructuredBuffer<{ty}> A : register(u0);\n\
             [shader(\"compute\")] [numthreads(64,1,1)] void Main(uint3 t : SV_DispatchThreadID) {{ A[t.x] = A[t.x + 1]; }}"
        );
        wrong.extend(validators.check(files[files.len() - 1], &source, 9));
    }
    let decode = example(&dir, "003_compressed1_decode.hlsl");
    let source = format!(
        "{decode}\nRWByteAddressBuffer B : register(u0); [shader(\"compute\")] [numthreads(64,1,1)] void Main() {{ int a[3] = {{ 1, -2, 3 }}; uint16_t o[3] = {{ 4, 5, 6 }}; \
         B.Store3(0, asuint(compressed1_position_decode(a, o, 127))); }}"
    );
    wrong.extend(validators.check("003_compressed1_decode.hlsl", &source, 9));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The DXIL operations that a listing declares.
fn operations(listing: &str) -> BTreeSet<String> {
    let declared = listing.lines().filter(|l| l.starts_with("declare "));
    declared.filter_map(|l| Some(l.split_once("@dx.op.")?.1.split_once('(')?.0.trim_end_matches('"').to_owned())).collect()
}

#[test]
fn the_newest_reference_gives_the_same_library_and_operations() {
    let dir = facts::reference();
    let validators = Validators::new();
    for (name, model) in [("ser_hello", 9), ("ser_loop", 9), ("sm610", 10)] {
        let text = facts::read(&dir.join(format!("{name}.hlsl"))).into_bytes();
        let compile = |level| {
            let mut o = Options::new(Profile::parse(&format!("lib_6_{model}")).expect("a profile"));
            o.level = level;
            let c = rtc::compile(&format!("{name}.hlsl"), &text, &mut NoIncludes, &o);
            let Some(Product::Dxil(bytes)) = c.product else { panic!("{name}: {:?}", c.diagnostics) };
            if let Some(Err(e)) = validators.llvm.as_ref().map(|l| l.verify_container(&bytes)) {
                panic!("{name} {level:?}: {e}");
            }
            if let Some(Err(e)) = validators.dxv.as_ref().map(|d| d.validate(&bytes)) {
                panic!("{name} {level:?}: {e}");
            }
            bytes
        };
        compile(OptLevel::O0);
        let ours = compile(OptLevel::O3);
        let theirs = std::fs::read(dir.join(format!("{name}.dxil"))).expect("the reference container");
        for part in [b"RDAT", b"SFI0"] {
            assert_eq!(container::part(&ours, part), container::part(&theirs, part), "{name}");
        }
        let listing = rtc::dis::disassemble(&ours).expect("our own container");
        let wanted = rtc::dis::disassemble(&theirs).expect("the reference container");
        let (mut ours, theirs) = (operations(&listing), operations(&wanted));
        // Fast products and sums are contracted here alone.
        ours.retain(|o| !o.starts_with("tertiary.") || theirs.contains(o));
        assert_eq!(ours, theirs, "{name}");
    }
}
