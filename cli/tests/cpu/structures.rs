//! Acceleration structures with data from shaders: clusters whose arguments a shader writes, and micromaps that an update exchanges.

use crate::shader::{PRELUDE, compile, compile_alone, device};
use rtc_host::Device;
use rtc_host::cpu::device::CpuDevice;
use rtc_host::device::*;

/// A compute shader that makes squares of two triangles, as many as `Count` says, and what builds clusters of them.
const MAKER: &str = "
RWByteAddressBuffer Mesh : register(u2);
RWByteAddressBuffer Arguments : register(u3);
cbuffer Where : register(b0) { uint2 MeshAt; uint Count; }
[shader(\"compute\")] [numthreads(4, 1, 1)] void Make(uint3 id : SV_DispatchThreadID)
{
    uint n = id.x;
    if (n >= Count) return;
    if (n == 0) Arguments.Store(0, Count);
    float x = 4.0 * n;
    Mesh.Store3(n * 64, asuint(float3(x - 1, -1, 0))); Mesh.Store3(n * 64 + 12, asuint(float3(x - 1, 1, 0)));
    Mesh.Store3(n * 64 + 24, asuint(float3(x + 1, -1, 0))); Mesh.Store3(n * 64 + 36, asuint(float3(x + 1, 1, 0)));
    Mesh.Store2(n * 64 + 48, uint2(0x02020100, 0x0301));
    uint at = 256 + n * 80;
    // Id, flags, counts, geometry; then strides, which are 0; then addresses.
    Arguments.Store4(at, uint4(100 + n, 0, 2 | 4 << 9, n));
    Arguments.Store4(at + 32, uint4(MeshAt.x + n * 64, MeshAt.y, MeshAt.x + n * 64 + 48, MeshAt.y));
}";

const TRACER: &str = "
struct [raypayload] P { uint4 hit : read(caller, closesthit, miss) : write(caller, closesthit, miss); };
TriangleHitGroup Group = { \"\", \"Closest\" };
[shader(\"closesthit\")] void Closest(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.hit = uint4(ClusterID(), PrimitiveIndex(), GeometryIndex(), asuint(RayTCurrent())); }
[shader(\"miss\")] void Miss(inout P p) { p.hit = 7; }
[shader(\"raygeneration\")] void Main()
{
    uint n = DispatchRaysIndex().x;
    P p = (P)0;
    TraceRay(Scene, 0, 255, 0, 0, 0, to(4.0 * (n / 2) + (n % 2 ? 0.5 : -0.5)), p);
    Out.Store4(16 * n, p.hit);
}";

/// Compiles a library whose pipeline has other flags than the prelude's.
fn compile_flagged(name: &str, text: &str, profile: &str, flags: &str) -> Vec<u8> {
    let pipeline = format!("RaytracingPipelineConfig1 Pipeline = {{ 1, {flags} }};");
    let prelude = PRELUDE.replace("RaytracingPipelineConfig Pipeline = { 2 };", &pipeline);
    assert_ne!(prelude, PRELUDE);
    compile_alone(name, &format!("{prelude}{text}"), profile)
}

fn address(d: &CpuDevice, b: Buffer) -> u64 {
    d.address(Addressed::Buffer(b)).expect("an address")
}

/// Launches `Main` for `n` threads; the words of `Out`.
fn trace(d: &mut CpuDevice, container: &[u8], scene: Accel, n: u32) -> rtc_host::Result<Vec<u32>> {
    let program = d.load(container, &ProgramOptions::default())?;
    let out = d.create_buffer(4096, &[])?;
    d.set(program, &Slot::Name("Scene".into()), 0, Resource::Accel(scene))?;
    d.set(program, &Slot::Name("Out".into()), 0, Resource::Buffer(out))?;
    let tables =
        ShaderTables { raygen: Record::of("Main"), miss: vec![Record::of("Miss")], hit: vec![Record::of("Group")], callable: vec![] };
    d.set_tables(program, &tables)?;
    d.dispatch(program, [n, 1, 1])?;
    let bytes = d.read_buffer(out)?;
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

fn instance(bottom: Accel) -> Instance {
    Instance { bottom: Some(bottom), transform: IDENTITY, id: 0, mask: 255, hit_group_offset: 0, flags: 0 }
}

#[test]
fn a_shader_says_what_clusters_are_built() {
    let mut d = device(|_| {});
    let maker = d.load(&compile("cluster_maker", MAKER, "lib_6_3"), &ProgramOptions::default()).expect("the maker");
    let tracer = compile_flagged("cluster_tracer", TRACER, "lib_6_10", "RAYTRACING_PIPELINE_FLAG_ALLOW_CLUSTERED_GEOMETRY");
    let (mesh, arguments) = (d.create_buffer(4096, &[]).unwrap(), d.create_buffer(4096, &[]).unwrap());
    let (mesh_at, arguments_at) = (address(&d, mesh), address(&d, arguments));
    for count in [3u32, 8, 20] {
        let cb: Vec<u8> = [mesh_at as u32, (mesh_at >> 32) as u32, count].iter().flat_map(|n| n.to_le_bytes()).chain([0; 4]).collect();
        let cb = d.create_buffer(16, &cb).unwrap();
        for (name, buffer) in [("Mesh", mesh), ("Arguments", arguments), ("Where", cb)] {
            d.set(maker, &Slot::Name(name.into()), 0, Resource::Buffer(buffer)).expect("it is bound");
        }
        d.dispatch_groups(maker, Some("Make"), [6, 1, 1]).expect("the maker runs");
        // The host knows only that there are at most eight.
        let limits = ClusterLimits {
            max_args: 8,
            max_geometry_index: 7,
            max_unique_geometries: 1,
            max_triangles: 2,
            max_vertices: 4,
            max_total_triangles: 16,
            max_total_vertices: 32,
            max_micromap_indices: 0,
        };
        let build = Inputs::Clusters(BuildClusters {
            limits,
            indices: IndexFormat::Uint8,
            vertices: VertexFormat::Float32x3,
            ..BuildClusters::default()
        });
        let needs = d.operation_sizes(&build).expect("sizes");
        let [result, scratch, list] = [needs.result, needs.scratch, 64].map(|size| d.create_buffer(size, &[]).unwrap());
        let data = BatchData {
            result: address(&d, result),
            scratch: address(&d, scratch),
            addresses: Strided::packed(address(&d, list)),
            arguments: Strided::packed(arguments_at + 256),
            count: arguments_at,
            ..BatchData::default()
        };
        d.execute_operations(&[Operation::Batch(build, data)]).expect("clusters");
        // The list that was written is what the structure is made of, empty places included.
        let bottom =
            Inputs::Bottoms(BuildBottoms { max_args: 1, max_total_clusters: 8, max_clusters_per_arg: 8, ..BuildBottoms::default() });
        let needs = d.operation_sizes(&bottom).expect("sizes");
        let one = BottomArgs { count: 8, stride: 0, clusters: address(&d, list) };
        let one = d.create_buffer(16, &one.to_bytes()).unwrap();
        let [result, scratch, list] = [needs.result, needs.scratch, 8].map(|size| d.create_buffer(size, &[]).unwrap());
        let data = BatchData {
            result: address(&d, result),
            scratch: address(&d, scratch),
            addresses: Strided::packed(address(&d, list)),
            arguments: Strided::packed(address(&d, one)),
            ..BatchData::default()
        };
        d.execute_operations(&[Operation::Batch(bottom, data)]).expect("a structure");
        let bytes = d.read_buffer(list).unwrap();
        let made = d.accel_at(u64::from_le_bytes(bytes[..8].try_into().unwrap())).expect("a number");
        let top = d.build_top(&TopDesc { instances: vec![instance(made)], flags: BuildFlags::default() }).expect("a top level");
        let out = trace(&mut d, &tracer, top, 48).expect("it runs");
        for n in 0..48u32 {
            let hit = &out[4 * n as usize..][..4];
            let there = n / 2 < count.min(8);
            let expected = if there { [100 + n / 2, n % 2, n / 2, 5f32.to_bits()] } else { [7; 4] };
            assert_eq!(hit, expected, "{count} clusters, ray {n}");
        }
    }
}

const COUNTER: &str = "
struct [raypayload] P { uint4 seen : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss); };
TriangleHitGroup Group = { \"Any\", \"Closest\" };
[shader(\"anyhit\")] void Any(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.seen.x += 1; }
[shader(\"closesthit\")] void Closest(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.seen.y = 1; }
[shader(\"miss\")] void Miss(inout P p) { p.seen.z = 1; }
[shader(\"raygeneration\")] void Main()
{
    P p = (P)0;
    TraceRay(Scene, 0, 255, 0, 0, 0, to(0.1), p);
    Out.Store3(16 * DispatchRaysIndex().x, p.seen.xyz);
}";

#[test]
fn an_update_exchanges_micromaps() {
    let mut d = device(|_| {});
    let counter = compile_flagged("micromap_counter", COUNTER, "lib_6_9", "RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS");
    // One small triangle: transparent, opaque, unknown.
    let array = |d: &mut CpuDevice, states: &[u8]| {
        let entry = |offset| MicromapEntry { offset, level: 0, format: MicromapFormat::FourState };
        let desc = MicromapArrayDesc { data: states.to_vec(), entries: (0..states.len() as u32).map(entry).collect() };
        d.build_micromaps(&desc).expect("micromaps")
    };
    let (first, second) = (array(&mut d, &[0, 1, 2]), array(&mut d, &[1, 0]));
    // What is written and read back is the same array, and so is a copy.
    let bytes = d.serialize_micromaps(first).expect("bytes");
    let read = d.deserialize_micromaps(&bytes).expect("an array");
    let copy = d.clone_micromaps(read).expect("a copy");
    assert_eq!(d.decode_micromaps(copy).expect("micromaps").data, [0, 1, 2]);
    assert_eq!(d.serialize_micromaps(copy).expect("bytes"), bytes);
    for n in 0..bytes.len() {
        assert!(d.deserialize_micromaps(&bytes[..n]).is_err(), "{n} bytes");
    }
    let update = BuildFlags { allow_update: true, allow_omm_update: true, ..BuildFlags::default() };
    let desc = |micromaps: Option<GeometryMicromaps>, flags| {
        let data = GeometryData::Triangles {
            positions: vec![[-1.0, -1.0, 0.0], [0.0, 1.0, 0.0], [1.0, -1.0, 0.0]],
            indices: None,
            transform: None,
        };
        BottomDesc { geometries: vec![Geometry { data, flags: 0, micromaps }], flags }
    };
    let of = |array, index| Some(GeometryMicromaps { array: Some(array), indices: Some(vec![index]), base: 0 });
    let bottom = d.build_bottom(&desc(of(first, 0), update)).expect("a structure");
    let top_desc = TopDesc { instances: vec![instance(bottom)], flags: update };
    let top = d.build_top(&top_desc).expect("a top level");
    let (transparent, opaque, unknown) = ([0, 0, 1], [0, 1, 0], [1, 1, 0]);
    assert_eq!(trace(&mut d, &counter, top, 1).expect("it runs")[..3], transparent);
    // Another index, an array that was read back, another array, special indices.
    let special = |index| Some(GeometryMicromaps { array: None, indices: Some(vec![index]), base: 0 });
    for (linkage, expected) in [
        (of(first, 1), opaque),
        (of(first, 2), unknown),
        (of(copy, 0), transparent),
        (of(second, 0), opaque),
        (of(second, 1), transparent),
        (special(MICROMAP_FULLY_UNKNOWN_OPAQUE), unknown),
        (special(MICROMAP_FULLY_OPAQUE), opaque),
    ] {
        d.update_bottom(bottom, &desc(linkage.clone(), update)).expect("an update");
        d.update_top(top, &top_desc).expect("an update");
        assert_eq!(trace(&mut d, &counter, top, 1).expect("it runs")[..3], expected, "{linkage:?}");
    }
    // Having none is another structure; without the flag the micromaps stay.
    let refused = |d: &mut CpuDevice, accel, desc: BottomDesc| d.update_bottom(accel, &desc).expect_err("it is refused").message;
    assert!(refused(&mut d, bottom, desc(None, update)).contains("other geometries"));
    let plain = BuildFlags { allow_update: true, ..BuildFlags::default() };
    let fixed = d.build_bottom(&desc(of(first, 0), plain)).expect("a structure");
    assert!(refused(&mut d, fixed, desc(of(second, 0), plain)).contains("allow_omm_update"));
    d.update_bottom(fixed, &desc(of(first, 0), plain)).expect("the same micromaps");
    let alone = BuildFlags { allow_omm_update: true, ..BuildFlags::default() };
    let e = d.build_bottom(&desc(of(first, 0), alone)).expect_err("it is refused").message;
    assert!(e.contains("allow_update"), "{e}");
}
