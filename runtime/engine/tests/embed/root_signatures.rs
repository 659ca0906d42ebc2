//! Root signatures, executed: every kind of parameter of global and local ones, static samplers, unbounded ranges, descriptor heaps, and
//! null descriptors.
//!
//! | parameter | global | local |
//! |---|---|---|
//! | root constants | a uniform buffer of the layout | bytes of the record |
//! | root CBV, SRV, UAV | descriptors of the layout | addresses in the record |
//! | tables of CBV, SRV, UAV, samplers | descriptors of the layout | an index into the heap in the record |
//! | static samplers | made by the layout | made by the layout |

use crate::engine::{ALL_USES, Engine, package_with};
use crate::mapping::{Built, SQUARE, floats, placed, plain_triangles};
use crate::resources::{Image, Of, Sets};
use crate::{ONE, scene::put};
use rtc_engine::library::{Library, RawArgument};
use rtc_engine::state_object::Overrides;
use rtc_engine::tables::{Record, ShaderTables};
use rtc_engine::vulkan::{Buffer, DispatchRays, Layout, LayoutOptions, Pipeline, PipelineOptions, Requirements};
use std::sync::{Arc, MutexGuard};
use vulkanalia::vk::{self, DeviceV1_0};

/// A library of one ray generation shader `Gen` with resources, and a device for it.
fn open(resources: &str, body: &str) -> Option<(MutexGuard<'static, ()>, Engine, Arc<Library>)> {
    let source = format!(
        "RWStructuredBuffer<uint> Output : register(u0);
        RaytracingShaderConfig Shaders = {{4, 8}};
        RaytracingPipelineConfig Pipeline = {{1}};
        {resources}
        [shader(\"raygeneration\")] void Gen() {{ uint at = 0; {body} }}"
    );
    let package = package_with("root.hlsl", &source, "lib_6_6", |o| o.payload_qualifiers = Some(false));
    let library = Arc::new(Library::read(&package, &Overrides::default()).expect("a library"));
    let requirements = Requirements::of(&[&library], ALL_USES);
    let requirements = requirements.with_feature("nullDescriptor", "VK_EXT_robustness2", "null descriptors").expect("a known feature");
    let guard = ONE.lock().unwrap_or_else(|e| e.into_inner());
    match Engine::with(&requirements, true, None) {
        Ok(engine) => Some((guard, engine, library)),
        Err(why) => {
            rtc_oracles::skip::skip(why);
            None
        }
    }
}

/// What `Gen` with a record writes to `Output`, as far as there are numbers in `count`.
fn run(
    engine: &Engine,
    library: &Arc<Library>,
    layout: &Layout,
    record: Record,
    descriptors: &[(&str, u32, Of)],
    count: usize,
) -> Vec<u32> {
    let pipeline = Pipeline::new(library, layout, &PipelineOptions::default()).expect("a pipeline");
    let output = engine.buffer(4 * count as u64, &vec![0xff; 4 * count]);
    let all: Vec<_> = descriptors.iter().copied().chain([("Output", 0, Of::Storage(&output))]).collect();
    let sets = Sets::new(engine, layout, library, &all);
    let tables = ShaderTables { raygen: record, ..ShaderTables::default() };
    let (_buffer, desc) = put(engine, &pipeline, &tables);
    engine.run(|cmd| {
        sets.bind(engine, layout, cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays(cmd, &DispatchRays { size: [1, 1, 1], ..desc }).expect("a dispatch") };
        engine.barrier(cmd);
    });
    sets.destroy(engine);
    // SAFETY: the device is done with it.
    let bytes = unsafe { output.read(0, 4 * count as u64).expect("mapped") };
    bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
}

fn layout(engine: &Engine, library: &Library) -> Layout {
    Layout::new(&engine.device, &[library], LayoutOptions { unbounded: 16, ..LayoutOptions::default() }).expect("a layout")
}

/// A buffer of words that is a uniform buffer too.
fn words(engine: &Engine, words: &[u32]) -> Buffer {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    engine.buffer(bytes.len() as u64, &bytes)
}

#[test]
fn global_parameters() {
    let resources = r#"
struct Words { uint2 w; };
ConstantBuffer<Words> Constants : register(b0, space2);
ConstantBuffer<Words> RootCbv : register(b1, space2);
StructuredBuffer<uint> RootSrv : register(t1, space2);
RWStructuredBuffer<uint> RootUav : register(u1, space2);
ConstantBuffer<Words> TableCbv : register(b2, space2);
ByteAddressBuffer TableSrv[2] : register(t2, space2);
RWByteAddressBuffer TableUav : register(u2, space2);
StructuredBuffer<uint> Many[] : register(t0, space3);
Texture2D<float4> Colors : register(t7, space2);
SamplerState Set : register(s1, space2);
SamplerState Near : register(s2, space2);
SamplerState Mirrored : register(s3, space2);
GlobalRootSignature Root = {"UAV(u0), RootConstants(num32BitConstants = 2, b0, space = 2),"
    "CBV(b1, space = 2), SRV(t1, space = 2), UAV(u1, space = 2),"
    "DescriptorTable(CBV(b2, space = 2), SRV(t2, numDescriptors = 2, space = 2), UAV(u2, space = 2), SRV(t7, space = 2)),"
    "DescriptorTable(SRV(t0, numDescriptors = unbounded, space = 3)), DescriptorTable(Sampler(s1, space = 2)),"
    "StaticSampler(s2, space = 2, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP),"
    "StaticSampler(s3, space = 2, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_MIRROR)"};
uint seen(float4 c) { return c.x > 0.5 ? 1 : c.y > 0.5 ? 2 : 3; }
"#;
    let body = "
Output[at++] = Constants.w.y; Output[at++] = RootCbv.w.x; Output[at++] = RootSrv[1]; RootUav[1] = 77; Output[at++] = TableCbv.w.y;
Output[at++] = TableSrv[0].Load(4); Output[at++] = TableSrv[1].Load(4); TableUav.Store(0, 78);
Output[at++] = Many[3][0]; Output[at++] = Many[NonUniformResourceIndex(11)][1];
Output[at++] = seen(Colors.SampleLevel(Set, float2(0.9, 0.5), 0)); Output[at++] = seen(Colors.SampleLevel(Near, float2(1.7, 0.5), 0));
Output[at++] = seen(Colors.SampleLevel(Mirrored, float2(1.7, 0.5), 0)); Output[at++] = seen(Colors.SampleLevel(Set, float2(1.2, 0.5), 0));";
    let Some((_one, engine, library)) = open(resources, body) else { return };
    let layout = layout(&engine, &library);
    let buffers: Vec<Buffer> = (0..8u32).map(|i| words(&engine, &[10 * i, 10 * i + 1])).collect();
    let (uav, table_uav) = (words(&engine, &[0, 0]), words(&engine, &[0]));
    let image = Image::new(&engine);
    let wrapped = nearest(&engine);
    let found = run(
        &engine,
        &library,
        &layout,
        Record::of("Gen"),
        &[
            ("Constants", 0, Of::Uniform(&buffers[0])),
            ("RootCbv", 0, Of::Uniform(&buffers[1])),
            ("RootSrv", 0, Of::Storage(&buffers[2])),
            ("RootUav", 0, Of::Storage(&uav)),
            ("TableCbv", 0, Of::Uniform(&buffers[3])),
            ("TableSrv", 0, Of::Storage(&buffers[4])),
            ("TableSrv", 1, Of::Storage(&buffers[5])),
            ("TableUav", 0, Of::Storage(&table_uav)),
            ("Many", 3, Of::Storage(&buffers[6])),
            ("Many", 11, Of::Storage(&buffers[7])),
            ("Colors", 0, Of::Image(image.view)),
            ("Set", 0, Of::Sampler(wrapped)),
        ],
        12,
    );
    assert_eq!(found, [1, 10, 21, 31, 41, 51, 60, 71, 2, 2, 1, 1]);
    // SAFETY: the device is done with them.
    unsafe {
        assert_eq!(uav.read(4, 4).unwrap(), 77u32.to_le_bytes());
        assert_eq!(table_uav.read(0, 4).unwrap(), 78u32.to_le_bytes());
        engine.raw.destroy_sampler(wrapped, None);
    }
    image.destroy(&engine);
}

/// The engine's own sampler: the nearest texel, repeated.
fn nearest(engine: &Engine) -> vk::Sampler {
    // SAFETY: plain values; its user destroys it.
    unsafe { engine.raw.create_sampler(&vk::SamplerCreateInfo::default(), None) }.expect("a sampler")
}

#[test]
fn local_parameters() {
    let resources = r#"
struct Words { uint2 w; };
ConstantBuffer<Words> Constants : register(b0, space5);
ConstantBuffer<Words> Cbv : register(b1, space5);
StructuredBuffer<uint> Srv : register(t1, space5);
RWStructuredBuffer<uint> Uav : register(u1, space5);
ByteAddressBuffer TableSrv[2] : register(t2, space5);
ConstantBuffer<Words> TableCbv : register(b2, space5);
RWByteAddressBuffer TableUav : register(u2, space5);
Texture2D<float4> Colors : register(t7, space5);
SamplerState Near : register(s2, space5);
LocalRootSignature Local = {"RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 2, b0, space = 5),"
    "CBV(b1, space = 5), SRV(t1, space = 5), UAV(u1, space = 5),"
    "DescriptorTable(SRV(t2, numDescriptors = 2, space = 5), CBV(b2, space = 5), UAV(u2, space = 5), SRV(t7, space = 5)),"
    "StaticSampler(s2, space = 5, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP)"};
SubobjectToExportsAssociation OfGen = {"Local", "Gen"};
"#;
    let body = "
Output[at++] = Constants.w.y; Output[at++] = Cbv.w.x; Output[at++] = Srv[1]; Uav[1] = 77;
Output[at++] = TableSrv[0].Load(4); Output[at++] = TableSrv[1].Load(4); Output[at++] = TableCbv.w.y; TableUav.Store(0, 78);
Output[at++] = Colors.SampleLevel(Near, float2(1.7, 0.5), 0).y > 0.5;";
    let Some((_one, engine, library)) = open(resources, body) else { return };
    let layout = layout(&engine, &library);
    let buffers: Vec<Buffer> = (0..5u32).map(|i| words(&engine, &[10 * i, 10 * i + 1, 0, 0])).collect();
    let (uav, table_uav) = (words(&engine, &[0, 0]), words(&engine, &[0]));
    let image = Image::new(&engine);
    let constants: Vec<u8> = [4u32, 5].into_iter().flat_map(u32::to_le_bytes).collect();
    let record = Record::of("Gen")
        .with("Constants", RawArgument::Constants(constants))
        .with("Cbv", RawArgument::Address(buffers[0].address()))
        .with("Srv", RawArgument::Address(buffers[1].address()))
        .with("Uav", RawArgument::Address(uav.address()))
        .with("TableSrv", RawArgument::Index(6));
    // The table's ranges follow each other in the heap from the record's index on.
    let found = run(
        &engine,
        &library,
        &layout,
        record,
        &[
            ("ResourceDescriptorHeap", 6, Of::Storage(&buffers[2])),
            ("ResourceDescriptorHeap", 7, Of::Storage(&buffers[3])),
            ("ResourceDescriptorHeap", 8, Of::Uniform(&buffers[4])),
            ("ResourceDescriptorHeap", 9, Of::Storage(&table_uav)),
            ("ResourceDescriptorHeap", 10, Of::Image(image.view)),
        ],
        7,
    );
    assert_eq!(found, [5, 0, 11, 21, 31, 41, 1]);
    // SAFETY: the device is done with them.
    unsafe {
        assert_eq!(uav.read(4, 4).unwrap(), 77u32.to_le_bytes());
        assert_eq!(table_uav.read(0, 4).unwrap(), 78u32.to_le_bytes());
    }
    image.destroy(&engine);
}

#[test]
fn descriptor_heaps() {
    let body = "
StructuredBuffer<uint> a = ResourceDescriptorHeap[3]; Output[at++] = a[1];
RWByteAddressBuffer b = ResourceDescriptorHeap[5]; b.Store(4, 79); Output[at++] = b.Load(0);
ConstantBuffer<Words> c = ResourceDescriptorHeap[NonUniformResourceIndex(7)]; Output[at++] = c.w.y;
Texture2D<float4> d = ResourceDescriptorHeap[9]; SamplerState s = SamplerDescriptorHeap[2];
Output[at++] = d.SampleLevel(s, float2(1.2, 0.5), 0).x > 0.5;
RaytracingAccelerationStructure e = ResourceDescriptorHeap[11]; RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
RayDesc ray = {float3(0.5, 0, -1), 0, float3(0, 0, 1), 10};
q.TraceRayInline(e, 0, 0xff, ray); q.Proceed(); Output[at++] = q.CommittedInstanceID();";
    let Some((_one, engine, library)) = open("struct Words { uint2 w; };", body) else { return };
    let layout = layout(&engine, &library);
    let buffers: Vec<Buffer> = (1..4u32).map(|i| words(&engine, &[10 * i, 10 * i + 1, 0, 0])).collect();
    let image = Image::new(&engine);
    let wrapped = nearest(&engine);
    let vertices = engine.buffer(72, &floats(&SQUARE));
    let built = Built::new(&engine, vec![plain_triangles(vertices.address(), 6, 0)], 0, |address| placed(33, 0, address));
    let found = run(
        &engine,
        &library,
        &layout,
        Record::of("Gen"),
        &[
            ("ResourceDescriptorHeap", 3, Of::Storage(&buffers[0])),
            ("ResourceDescriptorHeap", 5, Of::Storage(&buffers[1])),
            ("ResourceDescriptorHeap", 7, Of::Uniform(&buffers[2])),
            ("ResourceDescriptorHeap", 9, Of::Image(image.view)),
            ("ResourceDescriptorHeap", 11, Of::Accel(&built.top)),
            ("SamplerDescriptorHeap", 2, Of::Sampler(wrapped)),
        ],
        5,
    );
    assert_eq!(found, [11, 20, 31, 1, 33]);
    // SAFETY: the device is done with them.
    unsafe {
        assert_eq!(buffers[1].read(4, 4).unwrap(), 79u32.to_le_bytes());
        engine.raw.destroy_sampler(wrapped, None);
    }
    image.destroy(&engine);
}

#[test]
fn null_descriptors_read_zero() {
    let resources = r#"
struct Words { uint2 w; };
ConstantBuffer<Words> Cbv : register(b1);
StructuredBuffer<uint> Srv : register(t1);
ByteAddressBuffer Raw : register(t2);
Buffer<uint> Typed : register(t3);
RWStructuredBuffer<uint> Uav : register(u1);
Texture2D<float4> Colors : register(t7);
"#;
    let body = "
Output[at++] = Cbv.w.y; Output[at++] = Srv[1]; Output[at++] = Raw.Load(4); Output[at++] = Typed[2]; Uav[3] = 5; Output[at++] = Uav[2];
Output[at++] = asuint(Colors.Load(int3(0, 0, 0)).x); uint w, h; Colors.GetDimensions(w, h); Output[at++] = w + h;
uint n, stride; Srv.GetDimensions(n, stride); Output[at++] = n;";
    let Some((_one, engine, library)) = open(resources, body) else { return };
    let layout = layout(&engine, &library);
    use vk::DescriptorType as T;
    let null = |slot, kind| (slot, 0, Of::Null(kind));
    let found = run(
        &engine,
        &library,
        &layout,
        Record::of("Gen"),
        &[
            null("Cbv", T::UNIFORM_BUFFER),
            null("Srv", T::STORAGE_BUFFER),
            null("Raw", T::STORAGE_BUFFER),
            null("Typed", T::UNIFORM_TEXEL_BUFFER),
            null("Uav", T::STORAGE_BUFFER),
            null("Colors", T::SAMPLED_IMAGE),
        ],
        8,
    );
    assert_eq!(found, [0; 8]);
}
