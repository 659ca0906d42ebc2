//! Descriptors in memory: a picture, every kind of descriptor, heaps, frames in flight, and what is refused.

use crate::engine::{ALL_USES, Engine, base};
use crate::resources::Image;
use crate::scene::{FLAGS, LEFT, SIDE, Structures, colored, compare, put, tables, usual};
use crate::{ONE, open};
use rtc_engine::ErrorKind;
use rtc_engine::library::Library;
use rtc_engine::slot::Slot;
use rtc_engine::tables::{Record, ShaderTables};
use rtc_engine::vulkan::descriptor_buffer::{Descriptor, DescriptorBuffer};
use rtc_engine::vulkan::{Buffer, Collection, DispatchRays, Layout, LayoutOptions, Pipeline, PipelineOptions, Requirements};
use std::sync::{Arc, MutexGuard};
use vulkanalia::vk::{self, DeviceV1_0, Handle};

/// A device with descriptor buffers and null descriptors for a library, or the reason to skip.
fn open_for(library: &Library) -> Option<(MutexGuard<'static, ()>, Engine)> {
    let requirements = Requirements::of(&[library], ALL_USES)
        .with_descriptor_buffers()
        .with_feature("nullDescriptor", "VK_EXT_robustness2", "null descriptors")
        .expect("a known feature");
    let guard = ONE.lock().unwrap_or_else(|e| e.into_inner());
    match Engine::with(&requirements, true, None) {
        Ok(engine) => Some((guard, engine)),
        Err(why) => {
            rtc_oracles::skip::skip(why);
            None
        }
    }
}

fn at(layout: &Layout, library: &Library, slot: &str) -> (u32, u32) {
    let place = layout.place(library, &Slot::parse(slot)).expect("a resource");
    (place.set, place.binding)
}

fn storage(b: &Buffer) -> Descriptor {
    Descriptor::StorageBuffer { address: b.address(), size: b.size() }
}

/// Two frames with an output each, by a pipeline that is linked and by one that is made at once.
#[test]
fn a_picture_for_each_frame() {
    let library = base();
    let Some((_one, engine)) = open_for(&library) else { return };
    let layout = Layout::for_descriptor_buffers(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    assert_eq!(layout.set_sizes().unwrap().len(), 1);
    let options = PipelineOptions::default();
    let growing = PipelineOptions { allow_additions: true, ..options };
    let collection = Collection::new(&library, &layout, 0, &options).unwrap();
    let pipelines = [
        Pipeline::new(&library, &layout, &options).unwrap(),
        Pipeline::new(&library, &layout, &growing).unwrap(),
        Pipeline::link(&[&collection], &options).unwrap(),
    ];
    let mut structures = Structures::new(&engine, FLAGS);
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let outputs = [0, 1].map(|_| engine.buffer(u64::from(SIDE * SIDE) * 4, &[]));
    let descriptors = DescriptorBuffer::new(&layout, &engine.memory, 2).unwrap();
    for (copy, output) in (0..).zip(&outputs) {
        // SAFETY: the device is idle; structures and buffers live until the end.
        unsafe {
            descriptors
                .write(copy, at(&layout, &library, "Scene"), 0, &Descriptor::AccelerationStructure(structures.top.address()))
                .unwrap();
            descriptors.write(copy, at(&layout, &library, "Output"), 0, &storage(output)).unwrap();
        }
    }
    let other = ShaderTables { hit: vec![colored("Tri", 9), colored("Tri", 8)], ..tables() };
    for pipeline in &pipelines {
        let (first, second) = (put(&engine, pipeline, &tables()), put(&engine, pipeline, &other));
        engine.run(|cmd| {
            for (copy, desc) in (0..).zip([&first.1, &second.1]) {
                // SAFETY: everything lives until the wait.
                unsafe {
                    descriptors.bind(cmd, copy).unwrap();
                    pipeline.dispatch_rays(cmd, desc).unwrap();
                }
            }
            engine.barrier(cmd);
        });
        let picture = |b: &Buffer| -> Vec<u32> {
            // SAFETY: the device is done with it.
            let bytes = unsafe { b.read(0, b.size()).unwrap() };
            bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
        };
        compare(&picture(&outputs[0]), usual);
        compare(&picture(&outputs[1]), |left, right, row| match usual(left, right, row) {
            LEFT => 9,
            crate::scene::RIGHT => 8,
            other => other,
        });
    }
}

const RESOURCES: &str = r#"
struct Words { uint2 w; };
RWStructuredBuffer<uint> Output : register(u0);
ConstantBuffer<Words> Cbv : register(b1);
StructuredBuffer<uint> Srv[3] : register(t1);
RWByteAddressBuffer Uav : register(u1);
Buffer<uint> Typed : register(t5);
RWBuffer<uint> Stored : register(u5);
Texture2D<float4> Colors : register(t7, space1);
SamplerState Set : register(s1);
SamplerState Clamped : register(s2);
StructuredBuffer<uint> Nothing : register(t9);
GlobalRootSignature Root = {"DescriptorTable(UAV(u0), CBV(b1), SRV(t1, numDescriptors = 3), UAV(u1), SRV(t5), UAV(u5), SRV(t7, space = 1), SRV(t9)),"
    "DescriptorTable(Sampler(s1)), StaticSampler(s2, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP)"};
RaytracingShaderConfig Shaders = {4, 8};
RaytracingPipelineConfig Pipeline = {1};
[shader("raygeneration")] void Gen()
{
    uint at = 0;
    Output[at++] = Cbv.w.y; Output[at++] = Srv[2][1]; Output[at++] = Typed[1]; Stored[1] = 6; Uav.Store(4, 7);
    Output[at++] = Colors.SampleLevel(Set, float2(1.2, 0.5), 0).x > 0.5; Output[at++] = Colors.SampleLevel(Clamped, float2(1.2, 0.5), 0).y > 0.5;
    Output[at++] = Nothing[3];
    StructuredBuffer<uint> a = ResourceDescriptorHeap[3]; Output[at++] = a[1];
    ConstantBuffer<Words> b = ResourceDescriptorHeap[5]; Output[at++] = b.w.x;
    Texture2D<float4> c = ResourceDescriptorHeap[6]; SamplerState s = SamplerDescriptorHeap[1];
    Output[at++] = c.SampleLevel(s, float2(1.2, 0.5), 0).x > 0.5;
}
"#;

#[test]
fn every_kind_of_descriptor() {
    let library = crate::engine::library_for("lib_6_6", RESOURCES);
    let Some((_one, engine)) = open_for(&library) else { return };
    let options = LayoutOptions { unbounded: 8, ..LayoutOptions::default() };
    let layout = Layout::for_descriptor_buffers(&engine.device, &[&library], options).unwrap();
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
    let words = |w: [u32; 4]| engine.buffer(16, &w.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    let (a, b, c, d) = (words([10, 11, 0, 0]), words([20, 21, 0, 0]), words([0; 4]), words([0; 4]));
    let output = engine.buffer(64, &[0xff; 64]);
    let image = Image::new(&engine);
    // SAFETY: plain values.
    let wrapped = unsafe { engine.raw.create_sampler(&vk::SamplerCreateInfo::default(), None) }.unwrap();
    let descriptors = DescriptorBuffer::new(&layout, &engine.memory, 1).unwrap();
    let uniform = |b: &Buffer| Descriptor::UniformBuffer { address: b.address(), size: b.size() };
    let picture = Descriptor::SampledImage { view: image.view.as_raw(), layout: vk::ImageLayout::GENERAL.as_raw() };
    let format = vk::Format::R32_UINT.as_raw();
    for (slot, element, descriptor) in [
        ("Output", 0, storage(&output)),
        ("Cbv", 0, uniform(&a)),
        ("Srv", 2, storage(&b)),
        ("Uav", 0, storage(&c)),
        ("Typed", 0, Descriptor::UniformTexelBuffer { address: a.address(), size: 16, format }),
        ("Stored", 0, Descriptor::StorageTexelBuffer { address: d.address(), size: 16, format }),
        ("Colors", 0, picture),
        ("Set", 0, Descriptor::Sampler(wrapped.as_raw())),
        ("Nothing", 0, Descriptor::Null(vk::DescriptorType::STORAGE_BUFFER.as_raw())),
        ("ResourceDescriptorHeap", 3, storage(&b)),
        ("ResourceDescriptorHeap", 5, uniform(&a)),
        ("ResourceDescriptorHeap", 6, picture),
        ("SamplerDescriptorHeap", 1, Descriptor::Sampler(wrapped.as_raw())),
    ] {
        // SAFETY: the device is idle; everything lives until the end.
        unsafe { descriptors.write(0, at(&layout, &library, slot), element, &descriptor).expect(slot) };
    }
    let tables = ShaderTables { raygen: Record::of("Gen"), ..ShaderTables::default() };
    let (_buffer, desc) = put(&engine, &pipeline, &tables);
    engine.run(|cmd| {
        // SAFETY: everything lives until the wait.
        unsafe {
            descriptors.bind(cmd, 0).unwrap();
            pipeline.dispatch_rays(cmd, &DispatchRays { size: [1, 1, 1], ..desc }).unwrap();
        }
        engine.barrier(cmd);
    });
    // SAFETY: the device is done with all of it.
    unsafe {
        let found: Vec<u32> = output.read(0, 36).unwrap().chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        assert_eq!(found, [11, 21, 11, 1, 1, 0, 21, 10, 1]);
        assert_eq!(c.read(4, 4).unwrap(), 7u32.to_le_bytes());
        assert_eq!(d.read(4, 4).unwrap(), 6u32.to_le_bytes());
        engine.raw.destroy_sampler(wrapped, None);
    }
    image.destroy(&engine);
}

#[test]
fn what_descriptor_buffers_refuse() {
    let library: Arc<Library> = base();
    {
        let Some((_one, engine)) = open() else { return };
        let e = Layout::for_descriptor_buffers(&engine.device, &[&library], LayoutOptions::default()).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Limit);
        assert!(e.to_string().contains("feature descriptorBuffer is missing (needed by descriptor buffers)"), "{e}");
        let sets = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
        for e in [sets.set_sizes().unwrap_err(), DescriptorBuffer::new(&sets, &engine.memory, 1).unwrap_err()] {
            assert_eq!(e.kind, ErrorKind::Binding);
            assert!(e.message.contains("was made for descriptor sets"), "{e}");
        }
    }
    let e = Requirements::default().with_feature("descriptorHeap", "VK_EXT_descriptor_heap", "heaps").unwrap_err();
    assert!(e.to_string().contains("descriptor heaps of shaders are bindings of sets or of descriptor buffers"), "{e}");
    let Some((_one, engine)) = open_for(&library) else { return };
    let layout = Layout::for_descriptor_buffers(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    assert!(DescriptorBuffer::new(&layout, &engine.memory, 0).is_err());
    let descriptors = DescriptorBuffer::new(&layout, &engine.memory, 1).unwrap();
    let scene = at(&layout, &library, "Scene");
    let accel = Descriptor::AccelerationStructure(0x1000);
    for (copy, place, element, descriptor, what) in [
        (1, scene, 0, accel, "copy 1 of 1"),
        (0, (7, 7), 0, accel, "has no binding 7 of set 7"),
        (0, scene, 1, accel, "element 1 of 1"),
        (0, scene, 0, Descriptor::Sampler(1), "takes descriptors of ACCELERATION_STRUCTURE_KHR, not of SAMPLER"),
    ] {
        // SAFETY: nothing is written after an error.
        let e = unsafe { descriptors.write(copy, place, element, &descriptor) }.expect_err(what);
        assert_eq!(e.kind, ErrorKind::Binding);
        assert!(e.message.contains(what), "{e} instead of {what}");
    }
    assert!(layout.binding_offset(9, 0).is_err());
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe { assert!(descriptors.bind(cmd, 3).is_err() && descriptors.bind(0, 0).is_err()) });
}
