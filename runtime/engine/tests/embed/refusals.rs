//! Devices that lack something, null handles, and objects of two devices: each is an error that says what is wrong.

use crate::engine::{ALL_USES, Engine, addition, base};
use crate::{ONE, open};
use rtc_engine::ErrorKind;
use rtc_engine::library::Library;
use rtc_engine::state_object::{Overrides, PIPELINE_ALLOW_CLUSTERS, PIPELINE_ALLOW_MICROMAPS, PipelineConfig, ShaderConfig};
use rtc_engine::tables::Record;
use rtc_engine::vulkan::{
    Accel, Collection, Device, DiskCache, EnabledFeatures, FrameTables, Handles, Layout, LayoutOptions, Pipeline, PipelineOptions,
    Requirements, Uses,
};
use std::sync::Arc;
use vulkanalia::vk::{DeviceV1_0, Handle, InstanceV1_0};

fn handles<'a>(engine: &Engine, extensions: &'a [&'a str], features: &'a [&'a str]) -> Handles<'a> {
    Handles {
        get_instance_proc_addr: engine.get,
        instance: InstanceV1_0::handle(&engine.instance).as_raw() as u64,
        physical_device: engine.physical.as_raw() as u64,
        device: DeviceV1_0::handle(&engine.raw).as_raw() as u64,
        api_version: 0,
        queue_families: &[0],
        extensions,
        features: EnabledFeatures::Names(features),
        allocation_callbacks: std::ptr::null(),
    }
}

const EXTENSIONS: [&str; 3] = ["VK_KHR_acceleration_structure", "VK_KHR_ray_tracing_pipeline", "VK_KHR_deferred_host_operations"];
const FEATURES: [&str; 5] =
    ["accelerationStructure", "rayTracingPipeline", "bufferDeviceAddress", "runtimeDescriptorArray", "descriptorBindingPartiallyBound"];

#[test]
fn what_was_not_switched_on_is_named() {
    let Some((_one, engine)) = open() else { return };
    // SAFETY: the handles are those of the engine.
    let make = |h: &Handles| unsafe { Device::new(h) };
    make(&handles(&engine, &EXTENSIONS, &FEATURES)).unwrap();
    let e = make(&handles(&engine, &EXTENSIONS[..1], &FEATURES[..4])).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Limit);
    let said = e.to_string();
    for what in [
        "was made without what ray-tracing pipelines need",
        "extension VK_KHR_ray_tracing_pipeline is missing (needed by ray-tracing pipelines)",
        "feature rayTracingPipeline is missing",
        "feature descriptorBindingPartiallyBound is missing",
    ] {
        assert!(said.contains(what), "{said}");
    }
    for (h, what) in [
        (Handles { device: 0, ..handles(&engine, &EXTENSIONS, &FEATURES) }, "VkDevice is null"),
        (Handles { instance: 0, ..handles(&engine, &EXTENSIONS, &FEATURES) }, "VkInstance is null"),
        (Handles { physical_device: 0, ..handles(&engine, &EXTENSIONS, &FEATURES) }, "VkPhysicalDevice is null"),
        (Handles { get_instance_proc_addr: std::ptr::null(), ..handles(&engine, &EXTENSIONS, &FEATURES) }, "vkGetInstanceProcAddr is null"),
    ] {
        let e = make(&h).unwrap_err();
        assert_eq!((e.kind, e.message.as_str()), (ErrorKind::Binding, what));
    }
    let old = Handles { api_version: 1 << 22 | 1 << 12, ..handles(&engine, &EXTENSIONS, &FEATURES) };
    assert!(make(&old).unwrap_err().to_string().contains("the device supports Vulkan 1.1; 1.2 is required"));
}

/// A device for pipelines alone refuses all other uses, each with the extension or feature that it lacks.
#[test]
fn uses_that_were_not_requested() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let base = base();
    let engine = match Engine::with(&Requirements::of(&[&base], Uses::default()), true, None) {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let layout = Layout::new(&engine.device, &[&base], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&base, &layout, &PipelineOptions::default()).unwrap();
    let growing = PipelineOptions { allow_additions: true, ..PipelineOptions::default() };
    let e = Pipeline::new(&base, &layout, &growing).unwrap_err();
    assert!(e.to_string().contains("extension VK_KHR_pipeline_library is missing"), "{e}");
    assert!(Collection::new(&base, &layout, 0, &growing).is_err());
    let (_buffer, desc) = crate::scene::put(&engine, &pipeline, &crate::scene::tables());
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let e = pipeline.dispatch_rays_indirect(cmd, 256, 1, 0).unwrap_err();
        assert!(e.message.contains("rayTracingPipelineTraceRaysIndirect2 (VK_KHR_ray_tracing_maintenance1)"), "{e}");
        let e = pipeline.dispatch_rays_indirect_sizes(cmd, &desc, 256).unwrap_err();
        assert!(e.message.contains("rayTracingPipelineTraceRaysIndirect (VK_KHR_ray_tracing_pipeline)"), "{e}");
    });
}

#[test]
fn configurations_beyond_the_device() {
    let Some((_one, engine)) = open() else { return };
    let read = |max_recursion, flags, max_attribute| {
        let overrides = Overrides {
            pipeline: Some(PipelineConfig { max_recursion, flags }),
            shader: Some(ShaderConfig { max_payload: 4, max_attribute }),
            ..Overrides::default()
        };
        let package = crate::engine::package("base.hlsl", include_str!("base.hlsl"));
        Arc::new(Library::read(&package, &overrides).unwrap())
    };
    let limits = *engine.device.limits();
    let name = engine.device.name().to_string();
    let layout = Layout::new(&engine.device, &[&base()], LayoutOptions::default()).unwrap();
    for (library, what) in [
        (read(limits.max_recursion + 1, 0, 8), format!("a recursion depth of {}, {name} allows", limits.max_recursion + 1)),
        (read(1, 0, limits.max_attribute_size + 4), format!("bytes of hit attributes, {name} allows {}", limits.max_attribute_size)),
        (read(1, PIPELINE_ALLOW_MICROMAPS, 8), format!("opacity micromaps, which {name} lacks (VK_EXT_opacity_micromap)")),
        (read(1, PIPELINE_ALLOW_CLUSTERS, 8), format!("clustered geometry, which {name} lacks (VK_NV_cluster_acceleration_structure)")),
        (read(1, 0x100, 8), "feature rayTraversalPrimitiveCulling is missing (needed by the flags of the pipeline config)".to_string()),
    ] {
        let e = Pipeline::new(&library, &layout, &PipelineOptions::default()).expect_err(&what);
        assert_eq!(e.kind, ErrorKind::Limit, "{e}");
        assert!(e.to_string().contains(&what), "{e} instead of {what}");
    }
}

#[test]
fn objects_of_two_devices() {
    let Some((_one, first)) = open() else { return };
    let second = Engine::open().expect("a second device");
    let (base, addition) = (base(), addition());
    let layout_of = |e: &Engine| Layout::new(&e.device, &[&base, &addition], LayoutOptions::default()).unwrap();
    let (a, b) = (layout_of(&first), layout_of(&second));
    let options = PipelineOptions::default();
    let other = |e: rtc_engine::Error, what: &str| {
        assert_eq!(e.kind, ErrorKind::OtherDevice, "{e}");
        assert!(e.message.contains(what), "{e}");
    };
    let (one, two) = (Collection::new(&base, &a, 0, &options).unwrap(), Collection::new(&addition, &b, 0, &options).unwrap());
    other(Pipeline::link(&[&one, &two], &options).unwrap_err(), "collection 1 belongs to another device");
    let folder = std::env::temp_dir().join(format!("rtc-rt-other-{}", std::process::id()));
    let cache = DiskCache::open(&second.device, &folder).unwrap();
    let with_cache = PipelineOptions { cache: Some(&cache), ..options };
    other(Pipeline::new(&base, &a, &with_cache).unwrap_err(), "the pipeline cache");
    let (here, there) = (Pipeline::new(&base, &a, &options).unwrap(), Pipeline::new(&base, &b, &options).unwrap());
    let mut tables = FrameTables::new(&here, &first.memory, crate::scene::tables(), 1).unwrap();
    other(tables.retarget(&there).unwrap_err(), "a shader table");
    let structure = Accel::new(&second.device, &second.memory, true, 256).unwrap();
    let mut copy = Accel::new(&first.device, &first.memory, true, 256).unwrap();
    // SAFETY: nothing is recorded after an error.
    first.run(|cmd| unsafe {
        let mode = rtc_engine::vulkan::accel::CopyMode::Clone;
        other(rtc_engine::vulkan::accel::copy(&first.device, cmd, &structure, &mut copy, mode).unwrap_err(), "the structure to copy");
    });
    drop((one, two, cache, here, there, tables, structure, copy, a, b));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn tables_that_do_not_fit_the_pipeline() {
    let Some((_one, engine)) = open() else { return };
    let base = base();
    let layout = Layout::new(&engine.device, &[&base], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&base, &layout, &PipelineOptions::default()).unwrap();
    let usual = crate::scene::tables;
    let fails = |change: &dyn Fn(&mut rtc_engine::tables::ShaderTables), what: &str| {
        let mut tables = usual();
        change(&mut tables);
        let e = pipeline.tables(&tables).expect_err(what);
        assert!(e.to_string().contains(what), "{e} instead of {what}");
    };
    fails(&|t| t.raygen = Record::of("Sky"), "`Sky` is a miss shader and cannot be a raygeneration record");
    fails(&|t| t.miss[0] = Record::of("Tri"), "exports no `Tri`");
    fails(&|t| t.hit[0] = Record::of("Hit"), "`Hit` is a closesthit shader and cannot be a hit group record");
    fails(&|t| t.hit[0] = Record::of("Tri"), "missing argument `Material`");
    fails(&|t| t.hit[0].arguments.clear(), "missing argument `Material`");
    fails(&|t| t.hit[0].export = None, "a null record of a hit group table has the argument `Material`");
    fails(&|t| t.callable.push(Record::of("Gone")), "exports no `Gone`");
    assert!(pipeline.handle_of("Gone").unwrap_err().to_string().contains("it has `Gen`, `Sky`, `Tri`"));
    // What a null record leaves out is no error.
    let mut tables = usual();
    tables.hit[1] = Record::null();
    pipeline.tables(&tables).unwrap();
}

#[test]
fn requirements_are_known_before_there_is_a_device() {
    let all = Requirements::of(&[&base(), &addition()], ALL_USES);
    let extensions = all.extensions();
    for name in
        ["VK_KHR_acceleration_structure", "VK_KHR_pipeline_library", "VK_KHR_ray_tracing_maintenance1", "VK_KHR_ray_tracing_pipeline"]
    {
        assert!(extensions.iter().any(|e| e == name), "{extensions:?}");
    }
    assert!(extensions.windows(2).all(|w| w[0] < w[1]), "sorted, each once: {extensions:?}");
    let features = all.features();
    assert!(features.contains(&("rayTracingPipelineTraceRaysIndirect2", "VK_KHR_ray_tracing_maintenance1")));
    assert!(features.contains(&("bufferDeviceAddress", "")));
    // SAFETY: null pointers are refused.
    assert_eq!(unsafe { all.refusals(std::ptr::null(), 0, 0) }.unwrap_err().kind, ErrorKind::Binding);
}
