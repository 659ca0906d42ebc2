//! Memory that ends at each allocation in turn, the engine's and the driver's: an error each time, and nothing leaks.

use crate::engine::{ALL_USES, Engine, addition, base, library};
use crate::scene::{FLAGS, Structures, tables};
use crate::wavefront::stages::shader;
use crate::{ONE, open};
use rtc_engine::library::Library;
use rtc_engine::vulkan::accel::{Accel, Inputs, PostbuildInfo, SizeQueries};
use rtc_engine::vulkan::memory::HostAccess;
use rtc_engine::vulkan::{
    Allocate, Allocation, Buffer, Collection, Compilation, DiskCache, FrameTables, Layout, LayoutOptions, MemoryRequest, OwnMemory,
    Pipeline, PipelineOptions, Requirements, Wavefront, wavefront,
};
use rtc_engine::{Error, ErrorKind, Result};
use rtc_oracles::vulkan_calls::host::{Callbacks, Counts};
use rtc_oracles::vulkan_calls::{self, Failure};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use vulkanalia::vk;

/// An allocator that counts, and refuses when its budget is used up.
struct Counting {
    inner: Arc<dyn Allocate>,
    budget: AtomicI64,
    live: AtomicI64,
}

// SAFETY: the memory is that of the inner allocator.
unsafe impl Allocate for Counting {
    fn allocate(&self, request: &MemoryRequest) -> Result<Allocation> {
        assert!(request.size > 0 && request.alignment.is_power_of_two() && request.memory_types != 0, "{request:?}");
        if self.budget.fetch_sub(1, Ordering::Relaxed) <= 0 {
            return Err(Error::new(ErrorKind::Device, "the engine's memory is used up"));
        }
        self.live.fetch_add(1, Ordering::Relaxed);
        self.inner.allocate(request)
    }

    fn free(&self, allocation: Allocation) {
        self.live.fetch_sub(1, Ordering::Relaxed);
        self.inner.free(allocation);
    }
}

/// A library with static samplers, which layouts make.
fn sampling() -> Arc<Library> {
    library(
        "sampling.hlsl",
        "Texture2D<float4> Image : register(t5, space1);
        SamplerState Near : register(s0, space1);
        SamplerState Far : register(s1, space1);
        RWStructuredBuffer<float4> Colors : register(u5, space1);
        GlobalRootSignature Root = {\"DescriptorTable(SRV(t5, space = 1), UAV(u5, space = 1)), \\
            StaticSampler(s0, space = 1, filter = FILTER_MIN_MAG_MIP_POINT), StaticSampler(s1, space = 1)\"};
        RaytracingShaderConfig Shaders3 = {4, 8};
        RaytracingPipelineConfig Pipeline3 = {1};
        struct Looked { float4 color; };
        [shader(\"callable\")] void Look(inout Looked l) {
            l.color = Image.SampleLevel(Near, l.color.xy, 0) + Image.SampleLevel(Far, l.color.xy, 0);
            Colors[0] = l.color;
        }",
    )
}

/// Makes one of everything. Compilations are not deferred with the validation layer: see `deferred_compilation`.
fn make_all(engine: &Engine, memory: &Arc<dyn Allocate>) -> Result<()> {
    let device = &engine.device;
    static LIBRARIES: OnceLock<[Arc<Library>; 3]> = OnceLock::new();
    let [library, more, sampling] = LIBRARIES.get_or_init(|| [base(), addition(), sampling()]);
    let layout = Layout::new(device, &[library, more, sampling], LayoutOptions::default())?;
    let folder = rtc_test_support::Folder::new("engine-memory");
    let cache = DiskCache::open(device, &folder)?;
    let options = PipelineOptions { allow_additions: true, cache: Some(&cache), ..PipelineOptions::default() };
    let pipeline = match engine.validated {
        true => Pipeline::new(library, &layout, &options)?,
        false => Compilation::new(library, &layout, &options)?.finish()?,
    };
    let _grown = pipeline.add(more, &options)?;
    let _linked = {
        let (one, two) = (Collection::new(library, &layout, 0, &options)?, Collection::new(more, &layout, 0, &options)?);
        Pipeline::link(&[&one, &two], &options)?
    };
    cache.data()?;
    let pipeline = Pipeline::new(library, &layout, &PipelineOptions::default())?;
    let _tables = FrameTables::new(&pipeline, memory, tables(), 3)?;
    let inputs = Inputs::Top { instances: 256, count: 4, pointers: false, flags: FLAGS };
    let _accel = Accel::new(device, memory, true, inputs.sizes(device)?.result)?;
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER.bits();
    let _buffers =
        [Buffer::new(device, memory, 100, usage, HostAccess::None)?, Buffer::new(device, memory, 100, usage, HostAccess::Write)?];
    let _queries = SizeQueries::new(device, PostbuildInfo::CompactedSize, 4)?;
    let _sorts = Wavefront::new(device)?;
    let _rays = wavefront::Memory::new(device, memory, &wavefront::Plan::new(device, &shader("Walk", 2, 5, 2), [8; 3], 16, 1 << 20)?)?;
    Ok(())
}

#[test]
fn the_memory_of_the_engine_ends() {
    let Some((_one, engine)) = open() else { return };
    let counting = Arc::new(Counting { inner: OwnMemory::shared(&engine.device), budget: AtomicI64::new(0), live: AtomicI64::new(0) });
    let memory: Arc<dyn Allocate> = counting.clone();
    let mut refused = 0;
    for budget in 0..100 {
        counting.budget.store(budget, Ordering::Relaxed);
        let made = make_all(&engine, &memory);
        assert_eq!(counting.live.load(Ordering::Relaxed), 0, "with {budget} allocations");
        match made {
            Ok(()) => break,
            Err(e) => {
                assert_eq!((e.kind, e.message.as_str()), (ErrorKind::Device, "the engine's memory is used up"));
                refused += 1;
            }
        }
    }
    // Three frames, a structure, two buffers, six for rays.
    assert_eq!(refused, 12);
}

/// The engine's `VkAllocationCallbacks` are used for every object, and everything that is allocated is freed.
#[test]
fn host_allocations_are_the_engines() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let host = Box::new(Counts::default());
    // The device has the same callbacks, because lavapipe frees pipelines with those of the device.
    let engine = match Engine::with(&Requirements::of(&[&base(), &addition()], ALL_USES), false, Some(callbacks(&host))) {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let before = (host.all(), host.blocks());
    make_all(&engine, &engine.memory).expect("everything");
    let after = (host.all(), host.blocks());
    assert!(after.0 > before.0 + 10, "the driver used the callbacks: {before:?}, {after:?}");
    assert_eq!(after.1, before.1, "host allocations that were not freed");
    drop(engine);
    assert_eq!((host.blocks(), host.bytes()), (0, 0), "host allocations of the device that were not freed");
}

fn callbacks(counts: &Counts) -> vk::AllocationCallbacks {
    // SAFETY: both are the structure of Vulkan.
    unsafe { std::mem::transmute::<Callbacks, vk::AllocationCallbacks>(counts.callbacks()) }
}

/// The functions of the driver that may fail and that the layer for engines calls.
const FALLIBLE: [&str; 16] = [
    "vkAllocateMemory",
    "vkBindBufferMemory",
    "vkCreateAccelerationStructureKHR",
    "vkCreateBuffer",
    "vkCreateComputePipelines",
    "vkCreateDeferredOperationKHR",
    "vkCreateDescriptorSetLayout",
    "vkCreatePipelineCache",
    "vkCreatePipelineLayout",
    "vkCreateQueryPool",
    "vkCreateRayTracingPipelinesKHR",
    "vkCreateSampler",
    "vkCreateShaderModule",
    "vkGetPipelineCacheData",
    "vkGetRayTracingShaderGroupHandlesKHR",
    "vkMapMemory",
];

/// Each call to the driver that may fail does, in turn: for lack of memory, or because the device is lost, after which all calls fail.
#[test]
fn calls_fail_in_turn() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let engine = match Engine::open_unwatched() {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    for (failure, kind) in [(Failure::Memory, ErrorKind::OutOfMemory), (Failure::Lost, ErrorKind::DeviceLost)] {
        let mut failing = BTreeSet::new();
        for n in 0.. {
            vulkan_calls::fail_from(n, failure);
            let made = make_all(&engine, &engine.memory);
            let (failed, calls) = vulkan_calls::succeed();
            assert!(vulkan_calls::live().is_empty(), "after {failed:?}, call {n}: {:?}", vulkan_calls::live());
            assert_eq!(vulkan_calls::mistakes(), [""; 0], "after {failed:?}, call {n}");
            match made {
                Ok(()) => {
                    assert!(failed.is_empty(), "{failed:?} is no error");
                    assert_eq!(calls, n);
                    break;
                }
                Err(e) => {
                    assert_eq!(e.kind, kind, "{e} after {failed:?}");
                    assert!(e.message.starts_with("the device failed to"), "{e}");
                    failing.insert(failed[0]);
                }
            }
        }
        assert_eq!(failing.into_iter().collect::<Vec<_>>(), FALLIBLE);
    }
}

/// A compilation that is dropped before its end, and one whose last step fails, leave no pipeline.
#[test]
fn unfinished_compilations() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let engine = match Engine::open_unwatched() {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    let library = base();
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let before = vulkan_calls::live();
    for allow_additions in [false, true] {
        let options = PipelineOptions { allow_additions, ..PipelineOptions::default() };
        drop(Compilation::new(&library, &layout, &options).unwrap());
        assert_eq!(vulkan_calls::live(), before);
        let compilation = Compilation::new(&library, &layout, &options).unwrap();
        compilation.join().unwrap();
        drop(compilation);
        assert_eq!(vulkan_calls::live(), before);
    }
}

/// A device that is lost while it works: what waits for it and what asks it says so, and everything can be dropped.
#[test]
fn a_device_that_is_lost() {
    let Some((_one, engine)) = open() else { return };
    let mut structures = Structures::new(&engine, FLAGS);
    let mut queries = SizeQueries::new(&engine.device, PostbuildInfo::CompactedSize, 1).unwrap();
    engine.run(|cmd| {
        structures.build(&engine, cmd, false);
        // SAFETY: everything lives until the wait.
        unsafe { queries.record(cmd, &[&structures.top]).unwrap() };
    });
    vulkan_calls::fail_from(0, Failure::Lost);
    assert_eq!(queries.answers().unwrap_err().kind, ErrorKind::DeviceLost);
    assert_eq!(make_all(&engine, &engine.memory).unwrap_err().kind, ErrorKind::DeviceLost);
    vulkan_calls::succeed();
}

/// Functions in which lavapipe ends the process when it gets no memory of the host.
const FATAL: [&str; 1] = [
    // Mesa 25.0 writes to a pipeline layout without looking whether there is one.
    "vkCreatePipelineLayout",
];

/// Memory of the host that the driver asks for ends at each allocation in turn, function by function.
#[test]
fn host_memory_ends() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let host = Box::new(Counts::default());
    let engine = match Engine::with(&Requirements::of(&[&base(), &addition()], ALL_USES), false, Some(callbacks(&host))) {
        Ok(engine) => engine,
        Err(why) => return rtc_oracles::skip::skip(why),
    };
    if engine.device.name().starts_with("NVIDIA") {
        return rtc_oracles::skip::skip("the driver of NVIDIA (580) crashes where host memory ends");
    }
    let before = host.blocks();
    let mut refused = 0;
    for function in FALLIBLE.into_iter().filter(|f| !FATAL.contains(f)) {
        for n in 0.. {
            host.refuse_after(n, function);
            let made = make_all(&engine, &engine.memory);
            if !host.refused() {
                made.expect("all memory");
                break;
            }
            refused += 1;
            let e = made.expect_err("no memory");
            assert_eq!(e.kind, ErrorKind::OutOfMemory, "{function}, allocation {n}: {e}");
            assert!(vulkan_calls::live().is_empty(), "{function}, allocation {n}: {:?}", vulkan_calls::live());
            assert_eq!(host.blocks(), before, "{function}, allocation {n}");
        }
    }
    assert!(refused > 10, "{refused}");
}
