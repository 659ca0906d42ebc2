//! The layer for engines on a device of its own: pictures, state objects, tables, structures, and refusals.
//!
//! Each test opens a device with just what it needs; the validation layer, with synchronisation validation, must be silent.

#![allow(unsafe_code)]

mod bad_input;
mod descriptor_buffers;
mod engine;
mod execute_indirect;
mod mapping;
mod mock;
mod native;
mod newer;
mod out_of_memory;
mod refusals;
mod resources;
mod root_signatures;
mod scene;
mod specialisation;
mod state_objects;
mod structures;
mod wavefront;

use engine::{Engine, base};
use rtc_engine::tables::Table;
use rtc_engine::vulkan::dispatch::{INDIRECT_SIZE, INDIRECT_SIZES_OFFSET};
use rtc_engine::vulkan::{FrameTables, Layout, LayoutOptions, Pipeline, PipelineOptions};
use scene::{FLAGS, RIGHT, SIDE, SKY, Set, Structures, colored, compare, put, tables, usual};
use std::sync::{Mutex, MutexGuard};

/// One device at a time: not every driver bears several.
static ONE: Mutex<()> = Mutex::new(());

/// The engine, or the reason to skip.
fn open() -> Option<(MutexGuard<'static, ()>, Engine)> {
    let guard = ONE.lock().unwrap_or_else(|e| e.into_inner());
    match Engine::open() {
        Ok(engine) => Some((guard, engine)),
        Err(why) => {
            rtc_oracles::skip::skip(why);
            None
        }
    }
}

#[test]
fn a_picture() {
    let Some((_one, engine)) = open() else { return };
    let library = base();
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
    let mut structures = Structures::new(&engine, FLAGS);
    let set = Set::new(&engine, &layout, &library, &structures.top);
    let (_buffer, desc) = put(&engine, &pipeline, &tables());
    engine.run(|cmd| {
        structures.build(&engine, cmd, false);
        set.bind(&engine, &layout, cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays(cmd, &desc).unwrap() };
        engine.barrier(cmd);
    });
    compare(&set.picture(), usual);
    set.destroy(&engine);
}

#[test]
fn indirect_dispatches() {
    let Some((_one, engine)) = open() else { return };
    let library = base();
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
    let mut structures = Structures::new(&engine, FLAGS);
    let set = Set::new(&engine, &layout, &library, &structures.top);
    let (_buffer, desc) = put(&engine, &pipeline, &tables());
    engine.run(|cmd| structures.build(&engine, cmd, false));

    // A description of no rays, then one that draws.
    let mut arguments = vec![0; 8];
    arguments.extend(rtc_engine::vulkan::DispatchRays { size: [0; 3], ..desc }.to_bytes());
    arguments.resize(8 + 112, 0);
    arguments.extend(desc.to_bytes());
    let source = engine.buffer(arguments.len() as u64, &arguments);
    engine.run(|cmd| {
        set.bind(&engine, &layout, cmd);
        // SAFETY: everything lives until the wait.
        unsafe { pipeline.dispatch_rays_indirect(cmd, source.address() + 8, 2, 112).unwrap() };
        engine.barrier(cmd);
    });
    compare(&set.picture(), usual);

    // The sizes alone, from the same descriptions.
    let cleared = engine.buffer(u64::from(SIDE * SIDE) * 4, &[]);
    assert_eq!(cleared.size(), set.output.size());
    // SAFETY: the device is idle.
    unsafe { set.output.write(0, &vec![0; set.output.size() as usize]).unwrap() };
    let sizes = engine.buffer(16, &[]);
    engine.run(|cmd| {
        set.bind(&engine, &layout, cmd);
        // SAFETY: as above.
        unsafe {
            pipeline.convert_indirect_sizes(cmd, (&source, 8 + 112), (&sizes, 4)).unwrap();
            pipeline.dispatch_rays_indirect_sizes(cmd, &desc, sizes.address() + 4).unwrap();
        }
        engine.barrier(cmd);
    });
    compare(&set.picture(), usual);
    // SAFETY: as above.
    let words = unsafe { sizes.read(4, 12).unwrap() };
    assert_eq!(words, desc.to_bytes()[INDIRECT_SIZES_OFFSET as usize..INDIRECT_SIZES_OFFSET as usize + 12]);

    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let overlap = pipeline.dispatch_rays_indirect(cmd, source.address(), 2, INDIRECT_SIZE - 4).unwrap_err();
        assert!(overlap.message.contains("100 bytes apart"), "{overlap}");
        assert!(pipeline.dispatch_rays_indirect(cmd, source.address() + 2, 1, 0).is_err());
        for (address, count, stride) in [(u64::MAX - 103, 1, 0), (8, 3, 1 << 63), (8, 4, 1 << 63), (u64::MAX - 211, 2, 112)] {
            let e = pipeline.dispatch_rays_indirect(cmd, address, count, stride).unwrap_err();
            assert!(e.message.contains("end beyond the largest address"), "{e}");
        }
        let e = pipeline.dispatch_rays_indirect_sizes(cmd, &desc, u64::MAX - 11).unwrap_err();
        assert!(e.message.contains("end beyond the largest address"), "{e}");
        let outside = pipeline.convert_indirect_sizes(cmd, (&source, source.size() - 100), (&sizes, 4)).unwrap_err();
        assert!(outside.message.contains("leave their buffer"), "{outside}");
        assert!(pipeline.dispatch_rays(0, &desc).unwrap_err().message.contains("VkCommandBuffer is null"));
    });
    set.destroy(&engine);
}

/// Three frames in flight: the record of the right square changes each frame, and each picture has the colour of its frame.
#[test]
fn tables_change_over_frames_in_flight() {
    const FRAMES: usize = 3;
    let Some((_one, engine)) = open() else { return };
    let library = base();
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
    let mut structures = Structures::new(&engine, FLAGS);
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let sets: Vec<Set> = (0..FRAMES).map(|_| Set::new(&engine, &layout, &library, &structures.top)).collect();
    let mut changing = FrameTables::new(&pipeline, &engine.memory, tables(), FRAMES).unwrap();
    let mut flying: [Option<(vulkanalia::vk::Fence, u32)>; FRAMES] = [None; FRAMES];
    let finish = |frame: usize, flying: Option<(vulkanalia::vk::Fence, u32)>| {
        if let Some((fence, color)) = flying {
            engine.wait(fence);
            compare(&sets[frame].picture(), |left, right, row| if right { color } else { usual(left, right, row) });
        }
    };
    for n in 0..20u32 {
        let frame = n as usize % FRAMES;
        finish(frame, flying[frame].take());
        // Every fifth frame nothing changes.
        if n % 5 != 0 {
            changing.set(&pipeline, Table::Hit, 1, colored("Tri", RIGHT + n)).unwrap();
        }
        let color = RIGHT + if n < 5 && n % 5 == 0 { 0 } else { n - u32::from(n % 5 == 0) };
        // SAFETY: the frame's last use was waited for.
        let desc = unsafe { changing.begin(frame).unwrap() };
        let desc = rtc_engine::vulkan::DispatchRays { size: [SIDE, SIDE, 1], ..desc };
        let cmd = engine.record(|cmd| {
            sets[frame].bind(&engine, &layout, cmd);
            // SAFETY: everything lives until the wait.
            unsafe { pipeline.dispatch_rays(cmd, &desc).unwrap() };
            engine.barrier(cmd);
        });
        flying[frame] = Some((engine.submit(cmd), color));
    }
    for (frame, flying) in flying.iter_mut().enumerate() {
        finish(frame, flying.take());
    }
    let e = changing.set(&pipeline, Table::Hit, 2, colored("Tri", 0)).unwrap_err();
    assert!(e.message.contains("the hit group table has 2 record(s), index 2"), "{e}");
    let mut larger = tables();
    larger.hit.resize(100, colored("Tri", SKY));
    assert!(changing.replace(&pipeline, larger).unwrap_err().message.contains("do not fit"));
    // SAFETY: there is no such frame.
    assert!(unsafe { changing.begin(FRAMES) }.is_err());
    sets.iter().for_each(|s| s.destroy(&engine));
}

/// Everything that the layer makes goes to other threads.
#[test]
fn objects_go_to_other_threads() {
    fn check<T: Send + Sync>() {}
    check::<rtc_engine::vulkan::Device>();
    check::<Layout>();
    check::<Pipeline>();
    check::<rtc_engine::vulkan::Collection>();
    check::<rtc_engine::vulkan::Compilation>();
    check::<rtc_engine::vulkan::Identifier>();
    check::<rtc_engine::vulkan::DiskCache>();
    check::<FrameTables>();
    check::<rtc_engine::vulkan::ExecuteIndirect>();
    check::<rtc_engine::vulkan::Buffer>();
    check::<rtc_engine::vulkan::Accel>();
    check::<rtc_engine::vulkan::accel::SizeQueries>();
    check::<rtc_engine::vulkan::Requirements>();
}

/// The layer that watches all of this is there, or the test is skipped.
#[test]
fn the_validation_layer_listens() {
    let Some((_one, engine)) = open() else { return };
    if !engine.validated {
        return rtc_oracles::skip::skip("the validation layer is not installed (Debian: vulkan-validationlayers)");
    }
    use vulkanalia::vk::{self, DeviceV1_0};
    // SAFETY: a buffer of no bytes is refused by the layer; what the driver makes is destroyed.
    unsafe {
        if let Ok(buffer) = engine.raw.create_buffer(&vk::BufferCreateInfo::default(), None) {
            engine.raw.destroy_buffer(buffer, None);
        }
    }
    assert!(!engine.said().is_empty(), "the layer is silent about a buffer of no bytes");
}
