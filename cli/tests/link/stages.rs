//! `rtc link` to shaders of graphics stages: what is linked has the signatures, the stage state and the features of what is compiled directly,
//! and validators accept it.

use crate::tools::{bad, compile_to, folder, good, listing, read, validate_without_running};
use rtc_oracles::container;

/// A library with an entry point for each stage.
const STAGES: &str = "
cbuffer Frame : register(b0) { float4x4 toScreen; float4 tint; uint count; };
Texture2D<float4> Image : register(t1);
SamplerState Linear : register(s0);
float4 moved(float4 p, float by);
struct V { float4 position : SV_Position; nointerpolation uint2 id : ID; noperspective centroid float2 uv : UV1; float clip : SV_ClipDistance1; };
struct P { float4 position : POSITION; float weight[2] : WEIGHT; };
struct Patch { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float3 normal : NORMAL; };
[shader(\"vertex\")] V VS(float4 p : POSITION, float2 unused : UNUSED, uint vertex : SV_VertexID, uint view : SV_ViewID) {
    V v;
    v.position = moved(mul(p, toScreen), view);
    v.id = vertex; v.uv = p.xy; v.clip = p.z;
    return v;
}
[shader(\"hull\")] [domain(\"tri\")] [partitioning(\"fractional_odd\")] [outputtopology(\"triangle_ccw\")] [outputcontrolpoints(3)]
[patchconstantfunc(\"Constants\")] [maxtessfactor(12.5)] P HS(InputPatch<P, 4> p, uint i : SV_OutputControlPointID, uint view : SV_ViewID) {
    P o = p[i];
    o.weight[i & 1] = view;
    return o;
}
Patch Constants(InputPatch<P, 4> p, OutputPatch<P, 3> o) {
    Patch c = { { 1, p[count & 3].position.x, 3 }, o[2].weight[1], moved(p[1].position, 2).yzw };
    return c;
}
[shader(\"domain\")] [domain(\"tri\")] V DS(Patch c, float3 at : SV_DomainLocation, OutputPatch<P, 3> p) {
    V v;
    v.position = moved(p[0].position * at.x + p[1].position * at.y, c.normal.z);
    v.id = uint2(1, 2); v.uv = p[count].weight[0]; v.clip = 1;
    return v;
}
struct G { float4 position : SV_Position; uint layer : SV_RenderTargetArrayIndex; };
struct H { float3 where : WHERE; };
[shader(\"geometry\")] [maxvertexcount(5)] [instance(2)]
void GS(lineadj V v[4], uint i : SV_GSInstanceID, inout PointStream<G> a, inout PointStream<H> b) {
    G g = { moved(v[i].position, 1), v[0].id.x };
    a.Append(g);
    H h = { v[1].position.xyz };
    b.Append(h);
}
[shader(\"pixel\")] [earlydepthstencil] float4 PS(V v, uint sample : SV_SampleIndex, out uint s : SV_StencilRef) : SV_Target2 {
    s = sample;
    return moved(Image.Sample(Linear, v.uv), v.id.y) * tint;
}
struct Payload { uint a[3]; float3x2 m; };
groupshared Payload passed;
groupshared uint other[7];
[shader(\"amplification\")] [numthreads(4, 2, 1)] void AS(uint i : SV_GroupIndex) {
    passed.a[0] = i; passed.m = tint.x;
    DispatchMesh(count, 1, 1, passed);
}
struct Face { uint layer : SV_RenderTargetArrayIndex; bool cull : SV_CullPrimitive; float3 normal : NORMAL; };
[shader(\"mesh\")] [numthreads(32, 1, 1)] [outputtopology(\"line\")]
void MS(uint i : SV_GroupIndex, in payload Payload p, uint view : SV_ViewID, out vertices V v[24], out indices uint2 l[12], out primitives Face f[12]) {
    other[i % 7] = i;
    GroupMemoryBarrierWithGroupSync();
    SetMeshOutputCounts(24, 12);
    if (i < 24) { v[i].position = moved(tint, i); v[i].id = p.a[0]; v[i].uv = p.m[0]; v[i].clip = view; }
    if (i < 12) { l[i] = uint2(i, i + 12); f[i].layer = other[i % 7]; f[i].cull = i == 5; f[i].normal = 1; }
}
[shader(\"compute\")] [numthreads(1, 1, 1)] void CS() {}
";
/// The function that they call, for the whole or for a library of its own.
const HELPER: &str = "float4 moved(float4 p, float by) { return p + by * float4(1, 2, 3, 0); }";

const ENTRIES: [(&str, &str); 7] = [("vs", "VS"), ("hs", "HS"), ("ds", "DS"), ("gs", "GS"), ("ps", "PS"), ("as", "AS"), ("ms", "MS")];

/// The parts that follow from the shader, not from how its code is written.
const PARTS: [&[u8; 4]; 6] = [b"SFI0", b"ISG1", b"OSG1", b"PSG1", b"PSV0", b"RTS0"];

#[test]
fn linked_shaders_are_the_compiled_ones() {
    let dir = folder("stages");
    for (model, more, old) in [
        ("6_5", &["-validator-version", "1.6"][..], true),
        ("6_5", &["-validator-version", "1.6", "-Od"], true),
        ("6_6", &["-validator-version", "1.6"], true),
        ("6_7", &[], false),
        ("6_8", &["-Od"], false),
        ("6_9", &[], false),
    ] {
        let lib = format!("lib_{model}");
        let version = if old { &more[..2] } else { &[] };
        let compile =
            |name: &str, source: &str, args: &[&str]| compile_to(&dir, &format!("{name}.dxil"), name, source, &[args, more].concat());
        let whole = format!("{HELPER}{STAGES}");
        compile("stages", STAGES, &["-T", &lib]);
        compile("helper", &format!("export {HELPER}"), &["-T", &lib]);
        for (stage, entry) in ENTRIES {
            let profile = format!("{stage}_{model}");
            compile("alone", &whole, &["-T", &profile, "-E", entry]);
            let link = ["link", "-T", &profile, "-E", entry, "helper.dxil", "stages.dxil", "-Fo", "out.dxil"];
            good(&dir, &[&link[..], version].concat());
            // The pinned validator refuses every geometry shader with several streams, the reference compiler's own too.
            validate_without_running(&dir, "out.dxil", old && entry != "GS");
            let (alone, out) = (read(&dir, "alone.dxil"), read(&dir, "out.dxil"));
            for part in PARTS {
                let name = String::from_utf8_lossy(part);
                assert!(
                    container::part(&alone, part) == container::part(&out, part),
                    "{profile} {more:?}: {name}:\n{}",
                    listing(&dir, "out.dxil")
                );
            }
            assert!(container::part(&out, b"RDAT").is_none(), "{profile}");
            // The same in dxc's spelling.
            good(&dir, &[&["-link", "-T", &profile, "-E", entry, "helper.dxil;stages.dxil", "-Fo", "again.dxil"], version].concat());
            assert!(read(&dir, "again.dxil") == out, "{profile}");
        }
    }
}

/// A library is linked to a library first, then to shaders.
#[test]
fn linked_libraries_are_linked_to_shaders() {
    let dir = folder("stages_twice");
    compile_to(&dir, "stages.dxil", "stages", STAGES, &["-T", "lib_6_6"]);
    compile_to(&dir, "helper.dxil", "helper", &format!("export {HELPER}"), &["-T", "lib_6_6"]);
    good(&dir, &["link", "-T", "lib_6_6", "stages.dxil", "helper.dxil", "-Fo", "both.dxil"]);
    for (stage, entry) in ENTRIES {
        let profile = format!("{stage}_6_6");
        good(&dir, &["link", "-T", &profile, "-E", entry, "both.dxil", "-Fo", "two.dxil"]);
        good(&dir, &["link", "-T", &profile, "-E", entry, "stages.dxil", "helper.dxil", "-Fo", "one.dxil"]);
        let (one, two) = (read(&dir, "one.dxil"), read(&dir, "two.dxil"));
        for part in PARTS {
            assert!(container::part(&one, part) == container::part(&two, part), "{profile}: {}", String::from_utf8_lossy(part));
        }
        validate_without_running(&dir, "two.dxil", false);
    }
}

#[test]
fn debug_information_comes_along() {
    let dir = folder("stages_debug");
    compile_to(&dir, "stages.dxil", "stages", STAGES, &["-T", "lib_6_6", "-Zi", "-Qembed_debug"]);
    compile_to(&dir, "helper.dxil", "helper", &format!("export {HELPER}"), &["-T", "lib_6_6", "-Zi", "-Qembed_debug"]);
    for (stage, entry) in ENTRIES {
        let profile = format!("{stage}_6_6");
        good(&dir, &["link", "-T", &profile, "-E", entry, "helper.dxil", "stages.dxil", "-Fo", "out.dxil"]);
        let text = listing(&dir, "out.dxil");
        assert!(text.contains("; line:") && text.contains("!DICompileUnit"), "{profile}: {text}");
        validate_without_running(&dir, "out.dxil", false);
        good(&dir, &["link", "-T", &profile, "-E", entry, "helper.dxil", "stages.dxil", "-Qstrip_debug", "-Fo", "out.dxil"]);
        assert!(container::part(&read(&dir, "out.dxil"), b"ILDB").is_none(), "{profile}");
    }
}

#[test]
fn root_signatures_come_along() {
    let dir = folder("stages_rootsig");
    let source = "[RootSignature(\"RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), CBV(b0)\")] [shader(\"vertex\")]
        float4 VS(float4 p : POSITION) : SV_Position { return p; }";
    compile_to(&dir, "lib.dxil", "lib", source, &["-T", "lib_6_8"]);
    compile_to(&dir, "alone.dxil", "alone", source, &["-T", "vs_6_8", "-E", "VS"]);
    good(&dir, &["link", "-T", "vs_6_8", "-E", "VS", "lib.dxil", "-Fo", "out.dxil"]);
    let (alone, out) = (read(&dir, "alone.dxil"), read(&dir, "out.dxil"));
    assert!(container::part(&alone, b"RTS0").is_some() && container::part(&alone, b"RTS0") == container::part(&out, b"RTS0"));
    validate_without_running(&dir, "out.dxil", false);
}

#[test]
fn wrong_use_is_an_error() {
    let dir = folder("stages_wrong");
    compile_to(&dir, "stages.dxil", "stages", STAGES, &["-T", "lib_6_6"]);
    compile_to(&dir, "helper.dxil", "helper", &format!("export {HELPER}"), &["-T", "lib_6_6"]);
    let link = |more: &[&str], expected: &str| bad(&dir, &[&["link", "-Fo", "out.dxil", "stages.dxil"], more].concat(), &[expected]);
    link(&["-T", "ps_6_6", "-E", "VS", "helper.dxil"], "`VS` of `stages.dxil` is a vertex shader, not a pixel shader");
    link(&["-T", "as_6_6", "-E", "MS", "helper.dxil"], "`MS` of `stages.dxil` is a mesh shader, not an amplification shader");
    link(&["-T", "cs_6_6", "-E", "AS", "helper.dxil"], "`AS` of `stages.dxil` is an amplification shader, not a compute shader");
    link(&["-T", "hs_6_6", "-E", "Constants", "helper.dxil"], "`Constants` of `stages.dxil` is no entry point");
    link(&["-T", "gs_6_6", "-E", "Nothing", "helper.dxil"], "there is no function `Nothing` in any library");
    link(&["-T", "gs_6_6", "helper.dxil"], "there is no function `main` in any library");
    link(&["-T", "ds_6_6", "-E", "DS"], "function `moved` is not defined in any library; it is called by `DS` of `stages.dxil`");
    link(&["-T", "hs_6_6", "-E", "HS"], "function `moved` is not defined in any library; it is called by `Constants` of `stages.dxil`");
    link(&["-T", "ms_6_4", "-E", "MS"], "cannot link for profile `ms_6_4`");
    link(&["-T", "lib_6_2"], "cannot link for profile `lib_6_2`");
    link(&["-T", "xs_6_6", "-E", "VS"], "cannot link for profile `xs_6_6`: supported are lib_6_3 to lib_6_10");
    link(&["-T", "vs_6_0", "-E", "VS", "helper.dxil"], "`VS` needs shader model 6.1, the target is vs_6_0");
    compile_to(&dir, "alone.dxil", "alone", &format!("{HELPER}{STAGES}"), &["-T", "vs_6_6", "-E", "VS"]);
    link(&["-T", "vs_6_6", "-E", "VS", "alone.dxil"], "`alone.dxil`: a vertex shader, not a library");
}
