//! `ExecuteIndirect` with a count that the device knows, and the shader that prepares its arguments.

use super::open;
use crate::engine::base;
use crate::scene::{FLAGS, Set, Structures, compare, put, tables, usual};
use rtc_engine::vulkan::dispatch::INDIRECT_SIZE;
use rtc_engine::vulkan::{Arguments, DispatchRays, ExecuteIndirect, Layout, LayoutOptions, Pipeline, PipelineOptions};
use rtc_oracles::SpirvVal;
use rtc_oracles::skip::skip;
use std::path::Path;

/// Of three dispatches the second draws: the picture is there if the device counts two, or more than there are.
#[test]
fn the_device_counts() {
    let Some((_one, engine)) = open() else { return };
    let library = base();
    let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
    let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
    let mut structures = Structures::new(&engine, FLAGS);
    let set = Set::new(&engine, &layout, &library, &structures.top);
    let (_buffer, desc) = put(&engine, &pipeline, &tables());
    engine.run(|cmd| structures.build(&engine, cmd, false));
    let execute = ExecuteIndirect::new(&engine.device).unwrap();

    let empty = DispatchRays { size: [0; 3], ..desc };
    let mut bytes = Vec::new();
    for d in [&empty, &desc, &empty] {
        bytes.extend(d.to_bytes());
        // What the rest of a stride holds does not matter.
        bytes.resize(bytes.len().next_multiple_of(112), 0xff);
    }
    let source = engine.buffer(bytes.len() as u64, &bytes);
    let target = engine.buffer(ExecuteIndirect::size(3), &[]);
    let nothing = vec![0; set.output.size() as usize];
    for (counted, draws) in [(Some(0u32), false), (Some(1), false), (Some(2), true), (Some(3), true), (Some(u32::MAX), true), (None, true)]
    {
        let count = engine.buffer(16, &[[7; 4], counted.unwrap_or(0).to_le_bytes()].concat());
        // SAFETY: the device is idle.
        unsafe { set.output.write(0, &nothing).unwrap() };
        let arguments = Arguments { address: source.address(), stride: 112, max_count: 3, count: counted.map(|_| count.address() + 4) };
        engine.run(|cmd| {
            // SAFETY: everything lives until the wait.
            unsafe { execute.prepare(cmd, &arguments, &target).unwrap() };
            set.bind(&engine, &layout, cmd);
            // SAFETY: as above.
            unsafe { pipeline.dispatch_rays_indirect(cmd, target.address(), 3, INDIRECT_SIZE).unwrap() };
            engine.barrier(cmd);
        });
        match draws {
            true => compare(&set.picture(), usual),
            false => compare(&set.picture(), |_, _, _| 0),
        }
    }

    // More than a group of threads, in a row without gaps; only the last draws.
    let many = 150;
    let mut bytes = Vec::new();
    (0..many - 1).for_each(|_| bytes.extend(empty.to_bytes()));
    bytes.extend(desc.to_bytes());
    let source = engine.buffer(bytes.len() as u64, &bytes);
    let target = engine.buffer(ExecuteIndirect::size(many), &[]);
    for (counted, draws) in [(many - 1, false), (many, true)] {
        let count = engine.buffer(16, &counted.to_le_bytes());
        // SAFETY: the device is idle.
        unsafe { set.output.write(0, &nothing).unwrap() };
        let arguments = Arguments { address: source.address(), stride: INDIRECT_SIZE, max_count: many, count: Some(count.address()) };
        engine.run(|cmd| {
            // SAFETY: everything lives until the wait.
            unsafe { execute.prepare(cmd, &arguments, &target).unwrap() };
            set.bind(&engine, &layout, cmd);
            // SAFETY: as above.
            unsafe { pipeline.dispatch_rays_indirect(cmd, target.address(), many, INDIRECT_SIZE).unwrap() };
            engine.barrier(cmd);
        });
        match draws {
            true => compare(&set.picture(), usual),
            false => compare(&set.picture(), |_, _, _| 0),
        }
    }
    // SAFETY: nothing is recorded after an error.
    engine.run(|cmd| unsafe {
        let arguments = Arguments { address: source.address(), stride: INDIRECT_SIZE, max_count: many + 1, count: None };
        let e = execute.prepare(cmd, &arguments, &target).unwrap_err();
        assert!(e.message.contains("need 15704 bytes, there are 15600"), "{e}");
        assert!(execute.prepare(0, &arguments, &target).is_err());
        execute.prepare(cmd, &Arguments { max_count: 0, ..arguments }, &target).unwrap();
    });
    set.destroy(&engine);
}

/// The shader's SPIR-V is what rtc compiles its source to; `RTC_BLESS=1` rewrites it.
#[test]
fn the_shader_is_compiled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vulkan/shaders");
    let (source, file) = (folder.join("execute_indirect.hlsl"), folder.join("execute_indirect.spv"));
    let text = std::fs::read_to_string(source).unwrap();
    let args = ["-T", "cs_6_6", "-E", "Main", "-spirv", "-fspv-target-env=vulkan1.2"];
    let made = crate::engine::spirv("execute_indirect.hlsl", &text, &args);
    if std::env::var_os("RTC_BLESS").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    assert!(std::fs::read(&file).is_ok_and(|old| old == made), "{}: RTC_BLESS=1 rewrites it", file.display());
    match SpirvVal::load() {
        Ok(validator) => validator.validate_bytes(&made).unwrap(),
        Err(why) => skip(why),
    }
}
