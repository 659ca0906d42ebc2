//! Draws of scenes that cannot be right: each has one mistake, and is refused before the driver sees it.
#![cfg(feature = "run")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rtc_oracles::skip;

/// The shaders that the scenes draw with.
const SHADERS: &str = r#"
struct V { float4 pos : SV_Position; float2 uv : UV; nointerpolation uint id : ID; };
[shader("vertex")] V Vs(float3 p : POSITION, uint i : SV_VertexID) { V v; v.pos = float4(p, 1); v.uv = p.xy; v.id = i; return v; }
[shader("vertex")] float4 Only(float3 p : POSITION) : SV_Position { return float4(p, 1); }
[shader("vertex")] V NoInput(uint i : SV_VertexID) { V v; v.pos = float4(i & 1, i >> 1, 0, 1); v.uv = 0; v.id = i; return v; }
[shader("vertex")] V Counts(uint n : COUNT) { V v; v.pos = float4(n, 0, 0, 1); v.uv = 0; v.id = n; return v; }
struct Other { float4 pos : SV_Position; nointerpolation uint2 uv : UV; };
[shader("vertex")] Other Ints(uint i : SV_VertexID) { Other v; v.pos = float4(i & 1, i >> 1, 0, 1); v.uv = i; return v; }
struct Narrow { float4 pos : SV_Position; float uv : UV; };
[shader("vertex")] Narrow One(uint i : SV_VertexID) { Narrow v; v.pos = float4(i & 1, i >> 1, 0, 1); v.uv = i; return v; }
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.uv, v.id, 1); }
[shader("pixel")] float4 Uv(float4 pos : SV_Position, float2 uv : UV) : SV_Target { return float4(uv, 0, 1); }
[shader("pixel")] float4 Red() : SV_Target { return float4(1, 0, 0, 1); }
[shader("pixel")] uint4 Ints4() : SV_Target { return 1; }
[shader("geometry")] [maxvertexcount(3)] void Gs(triangle V v[3], inout TriangleStream<V> s) { s.Append(v[0]); s.Append(v[1]); s.Append(v[2]); }
[shader("geometry")] [maxvertexcount(1)] void GsPoint(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }
[shader("geometry")] [maxvertexcount(2)] void GsLine(lineadj V v[4], inout LineStream<V> s) { s.Append(v[1]); s.Append(v[2]); }
struct Factors { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
Factors Patch() { Factors f; f.e[0] = f.e[1] = f.e[2] = f.i = 1; return f; }
[shader("hull")] [domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("Patch")]
V Hs(InputPatch<V, 3> p, uint i : SV_OutputControlPointID) { return p[i]; }
[shader("domain")] [domain("tri")] V Ds(Factors f, float3 b : SV_DomainLocation, const OutputPatch<V, 3> p) { return p[0]; }
[shader("domain")] [domain("tri")] V Ds4(Factors f, float3 b : SV_DomainLocation, const OutputPatch<V, 4> p) { return p[0]; }
struct QuadFactors { float e[4] : SV_TessFactor; float i[2] : SV_InsideTessFactor; };
[shader("domain")] [domain("quad")] V DsQuad(QuadFactors f, float2 b : SV_DomainLocation, const OutputPatch<V, 3> p) { return p[0]; }
struct Many { float4 pos : SV_Position; float4 a[40] : A; };
[shader("vertex")] Many ManyVs(uint i : SV_VertexID) { Many v = (Many)0; v.a[39] = i; return v; }
[shader("pixel")] float4 ManyPs(Many v) : SV_Target { return v.a[39]; }
[shader("vertex")] float4 Waves(uint i : SV_VertexID) : SV_Position { return float4(i & 1, WaveActiveSum(i), 0, 1); }
[shader("compute")] [numthreads(1, 1, 1)] void Cs() {}
"#;

/// What every scene has before its draw.
const SCENE: &str = r#"
[shader]
source = "a.hlsl"
profile = "lib_6_5"
[targets.Colors]
size = [4, 4]
[targets.Whole]
size = [4, 4]
format = "rgba32_uint"
[targets.Depth]
size = [4, 4]
format = "d32_float"
[meshes.Tri.triangles]
positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
[[draw]]
"#;

/// Lines of a draw, and the error that they give.
const WRONG: &[(&str, &str)] = &[
    (
        "vertex = 'ManyVs'\npixel = 'ManyPs'\ntargets = ['Colors']\ncount = 3",
        "the vertex shader `ManyVs` gives `A` up to location 39, and the device has",
    ),
    ("vertex = 'NoInput'\npixel = 'None'\ntargets = ['Colors']\ncount = 3", "the library exports no `None`"),
    ("vertex = 'Ps'\npixel = 'Red'\ntargets = ['Colors']\ncount = 3", "`Ps` is a pixel shader and not a vertex shader"),
    ("vertex = 'NoInput'\npixel = 'Cs'\ntargets = ['Colors']\ncount = 3", "`Cs` is a compute shader and not a pixel shader"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Nowhere']\ncount = 3", "the scene has no target `Nowhere`"),
    ("vertex = 'NoInput'\npixel = 'Red'\ncount = 3", "the draw has no target"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Depth']\ncount = 3", "a target of colours has the format"),
    ("vertex = 'NoInput'\npixel = 'Ints4'\ntargets = ['Colors']\ncount = 3", "gives unsigned integers as `SV_Target`"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Whole']\ncount = 3", "gives floats as `SV_Target`"),
    ("vertex = 'Vs'\npixel = 'Ps'\ntargets = ['Colors']\ncount = 3", "reads `POSITION`, and no attribute gives it"),
    (
        "vertex = 'Counts'\npixel = 'Red'\ntargets = ['Colors']\nvertices.COUNT = 'Tri.positions'\ncount = 3",
        "reads `COUNT` as unsigned integers",
    ),
    ("vertex = 'Vs'\npixel = 'Ps'\ntargets = ['Colors']\nvertices.POSITION = 'Tri.positions'\ncount = 4", "vertex 3 is drawn"),
    ("vertex = 'Vs'\npixel = 'Ps'\ntargets = ['Colors']\nvertices.POSITION = 'Tri.nothing'\ncount = 3", "`mesh.positions`"),
    (
        "vertex = 'Only'\npixel = 'Ps'\ntargets = ['Colors']\nvertices.POSITION = 'Tri.positions'\ncount = 3",
        "the vertex shader `Only` does not give it",
    ),
    (
        "vertex = 'Ints'\npixel = 'Uv'\ntargets = ['Colors']\ncount = 3",
        "reads `UV` at location 0 as floats, and the vertex shader `Ints` gives unsigned integers there",
    ),
    ("vertex = 'One'\npixel = 'Uv'\ntargets = ['Colors']\ncount = 3", "2 components, and the vertex shader `One` gives 1 there"),
    ("vertex = 'One'\ngeometry = 'Gs'\npixel = 'Ps'\ntargets = ['Colors']\ncount = 3", "the geometry shader `Gs` reads `UV`"),
    (
        "vertex = 'NoInput'\ngeometry = 'Gs'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'points'\ncount = 3",
        "takes triangles, and the draw has points",
    ),
    ("vertex = 'NoInput'\ngeometry = 'GsPoint'\npixel = 'Ps'\ntargets = ['Colors']\ncount = 3", "takes points, and the draw has triangles"),
    (
        "vertex = 'NoInput'\ngeometry = 'GsLine'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'lines'\ncount = 4",
        "takes lines with adjacency, and the draw has lines",
    ),
    (
        "vertex = 'NoInput'\nhull = 'Hs'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\npatch_control_points = 3\ncount = 3",
        "belong together",
    ),
    ("vertex = 'NoInput'\nhull = 'Hs'\ndomain = 'Ds'\npixel = 'Ps'\ntargets = ['Colors']\ncount = 3", "requires a topology of patches"),
    (
        "vertex = 'NoInput'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\npatch_control_points = 3\ncount = 3",
        "require a hull and a domain shader",
    ),
    (
        "vertex = 'NoInput'\nhull = 'Hs'\ndomain = 'Ds'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\npatch_control_points = 4\ncount = 4",
        "takes patches of 3 control points, and the draw has patches of 4",
    ),
    (
        "vertex = 'NoInput'\nhull = 'Hs'\ndomain = 'Ds'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\npatch_control_points = 77\ncount = 77",
        "patches of 77 control points, the device allows",
    ),
    (
        "vertex = 'NoInput'\nhull = 'Hs'\ndomain = 'Ds4'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\npatch_control_points = 3\ncount = 3",
        "takes patches of 4 control points, and the hull shader `Hs` gives 3",
    ),
    (
        "vertex = 'NoInput'\nhull = 'Hs'\ndomain = 'DsQuad'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\npatch_control_points = 3\ncount = 3",
        "has the domain `quad`, and the hull shader `Hs` has `tri`",
    ),
    (
        "vertex = 'NoInput'\nhull = 'Hs'\ndomain = 'Ds'\npixel = 'Ps'\ntargets = ['Colors']\ntopology = 'patches'\ncount = 3",
        "patch_control_points",
    ),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\ngroups = [1, 1, 1]", "groups of threads are those of a mesh shader"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\nrestart = true\ncount = 3", "the topology is none of strips"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\nviews = 32\ncount = 3", "at most 31"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\nstencil = { test = true }\ncount = 3", "stencil"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\ncolour = 'red'\ncount = 3", "`draw[0].colour`"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\ntopology = 'fans'\ncount = 3", "`draw[0].topology`"),
    ("vertex = 'NoInput'\npixel = 'Red'\ntargets = ['Colors']\nindices = 'Tri.normals'\ncount = 3", "`draw[0].indices`"),
];

/// A draw that is right.
const RIGHT: &str = "vertex = 'NoInput'\ngeometry = 'Gs'\npixel = 'Ps'\ntargets = ['Colors']\ncount = 3";

fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_draws");
    std::fs::create_dir_all(&path).expect("a folder");
    std::fs::write(path.join("a.hlsl"), SHADERS).expect("a file");
    path
}

/// Runs the scene of a draw on the Vulkan device.
fn run(folder: &Path, n: usize, draw: &str) -> Output {
    let name = format!("{n}.toml");
    std::fs::write(folder.join(&name), format!("{SCENE}{draw}\n")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
    command.current_dir(folder).args(["run", &name, "--device", "vulkan", "-o", "out"]).output().expect("rtc starts")
}

#[test]
fn each_mistake_is_named() {
    let folder = folder();
    let right = run(&folder, WRONG.len(), RIGHT);
    let said = |done: &Output| String::from_utf8_lossy(&done.stderr).into_owned();
    if right.status.code() == Some(3) {
        return skip::skip(format!("no Vulkan device draws: {}", said(&right)));
    }
    assert!(right.status.success(), "a draw that is right: {}", said(&right));
    let mut problems = Vec::new();
    for (n, (draw, words)) in WRONG.iter().enumerate() {
        let done = run(&folder, n, draw);
        let text = said(&done);
        if done.status.code() != Some(1) || !text.contains(words) {
            problems.push(format!("{draw}\n  exit {:?}, without `{words}`:\n{text}", done.status.code()));
        }
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), WRONG.len(), problems.join("\n"));
}

/// Operations of waves in vertex shaders: the device has them, or it is refused before the driver sees them.
#[test]
fn waves_where_the_device_has_none_are_refused() {
    let folder = folder();
    let done = run(&folder, WRONG.len() + 1, "vertex = 'Waves'\npixel = 'Red'\ntargets = ['Colors']\ncount = 3");
    let text = String::from_utf8_lossy(&done.stderr);
    let refused = "the vertex shader `Waves` uses operations of waves, which ";
    match done.status.code() {
        Some(0) => {}
        Some(3) if text.contains(refused) => assert!(text.contains("does not have in vertex shaders (subgroupSupportedStages)"), "{text}"),
        Some(3) => skip::skip(format!("no Vulkan device draws: {text}")),
        other => panic!("exit {other:?}: {text}"),
    }
}
