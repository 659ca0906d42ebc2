//! The renderer: two packages at the start, a third while it runs, frames in flight, dispatches whose arguments the device reads.

use crate::counters::Counters;
use crate::scene::{Frame, OCTAHEDRA};
use crate::{Error, FRAMES_IN_FLIGHT, Gpu};
use ash::vk::{self, Handle};
use rtc_engine::library::{Library, RawArgument};
use rtc_engine::slot::Slot;
use rtc_engine::state_object::Overrides;
use rtc_engine::tables::{Record, ShaderTables, Table};
use rtc_engine::vulkan::dispatch::INDIRECT_SIZE;
use rtc_engine::vulkan::{Buffer, DispatchRays, FrameTables, Layout, LayoutOptions, Pipeline, PipelineOptions, Requirements, Uses};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to render.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Frames.
    pub frames: u32,
    /// The frame in which the third package begins to be compiled.
    pub add_at: u32,
    /// Width of the picture.
    pub width: u32,
    /// Height of the picture.
    pub height: u32,
    /// Whether the validation layer watches.
    pub validation: bool,
}

impl Default for Options {
    /// 60 frames of 160 × 120.
    fn default() -> Self {
        Options { frames: 60, add_at: 20, width: 160, height: 120, validation: true }
    }
}

/// The last frame.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel.
    pub pixels: Vec<u8>,
    /// The name of the device.
    pub device: String,
    /// How long all frames took.
    pub seconds: f64,
    /// What the validation layer reported.
    pub messages: Vec<String>,
    /// The frame from which on the third package was used, if it was.
    pub grown_at: Option<u32>,
}

/// A package of one of the sources here. An engine would load a file that was compiled before.
///
/// # Errors
/// The source cannot be read, or does not compile.
pub fn package(name: &str) -> Result<Vec<u8>, Error> {
    let path = format!("{}/shaders/{name}", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read(&path)?;
    let mut options = rtc::Options::new(rtc::Profile::parse("lib_6_3")?);
    options.target = rtc::Target::Package;
    let compiled = rtc::compile(&path, &source, &mut rtc::Disk, &options);
    let messages: String = compiled.diagnostics.iter().map(|d| rtc::render(&compiled.sources, d, rtc::Style::Short)).collect();
    Ok(compiled.product.ok_or(messages)?.into_bytes())
}

const GROWING: PipelineOptions = PipelineOptions { allow_additions: true, dynamic_stack: true, create_flags: 0, cache: None };

/// The colour of octahedron `i`.
fn color(i: usize) -> [f32; 3] {
    [[0.9, 0.3, 0.2], [0.9, 0.7, 0.2], [0.3, 0.8, 0.3], [0.2, 0.6, 0.9], [0.7, 0.3, 0.9]][i % 5]
}

fn colored(group: &str, color: [f32; 3]) -> Record {
    Record::of(group).with("Material", RawArgument::Constants(color.into_iter().flat_map(f32::to_le_bytes).collect()))
}

/// What belongs to one frame in flight.
struct InFlight {
    commands: vk::CommandBuffer,
    fence: vk::Fence,
    scene: Frame,
    set: vk::DescriptorSet,
    constants: Buffer,
    output: Buffer,
    arguments: Buffer,
}

/// Renders frames and returns the last.
///
/// # Errors
/// No device can do this, or the device fails.
pub fn render(options: &Options) -> Result<Picture, Error> {
    render_watched(options, None, &mut |_, _| {})
}

/// The same with what is made counted; `after` is called after each frame with its number and the time that the host took for it, which
/// includes the wait for an earlier frame.
pub(crate) fn render_watched(
    options: &Options,
    counters: Option<&Counters>,
    after: &mut dyn FnMut(u32, Duration),
) -> Result<Picture, Error> {
    let (base, matte) = (package("base.hlsl")?, package("matte.hlsl")?);
    let first = Arc::new(Library::read_all(&[("base", &base), ("matte", &matte)], &Overrides::default())?);
    let second = Arc::new(Library::read(&package("mirror.hlsl")?, &Overrides::default())?);
    // Validation layers before 1.3.250 ask for the feature of sizes where tables are read too.
    let uses = Uses { pipeline_libraries: true, indirect_sizes: true, indirect_tables: true, ..Uses::default() };
    let gpu = Gpu::open(&Requirements::of(&[&first, &second], uses), options.validation, counters)?;
    let mut picture = run(&gpu, options, [&first, &second], after)?;
    // Now the layer has seen the order in which things were dropped.
    picture.messages.extend(gpu.said());
    Ok(picture)
}

fn run(gpu: &Gpu, options: &Options, [first, second]: [&Arc<Library>; 2], after: &mut dyn FnMut(u32, Duration)) -> Result<Picture, Error> {
    let layout = Layout::new(&gpu.rt, &[first, second], LayoutOptions::default())?;
    let mut pipeline = Arc::new(Pipeline::new(first, &layout, &GROWING)?);
    let mut hit: Vec<Record> = (0..OCTAHEDRA).map(|i| colored("Matte", color(i))).collect();
    hit.push(colored("Ground", [0.5; 3]));
    let tables = ShaderTables { raygen: Record::of("Camera"), miss: vec![Record::of("Sky")], hit, callable: Vec::new() };
    let mut tables = FrameTables::new(&pipeline, &gpu.memory, tables, FRAMES_IN_FLIGHT)?;
    let (pool, mut frames) = frames(gpu, options, first, &layout)?;

    let mut growing: Option<std::thread::JoinHandle<rtc_engine::Result<Pipeline>>> = None;
    let mut grown_at = None;
    // Pipelines with the last frame that uses them.
    let mut retired: Vec<(u32, Arc<Pipeline>)> = Vec::new();
    let started = Instant::now();
    for n in 0..options.frames {
        let began = Instant::now();
        let slot = n as usize % FRAMES_IN_FLIGHT;
        gpu.wait(frames[slot].fence)?;
        retired.retain(|(last, _)| last + FRAMES_IN_FLIGHT as u32 > n);

        if n == options.add_at {
            let (pipeline, second) = (pipeline.clone(), second.clone());
            growing = Some(std::thread::spawn(move || pipeline.add(&second, &GROWING)));
        }
        // A few frames later it is used, so that pictures do not depend on how long it takes.
        if n == options.add_at + 4
            && let Some(thread) = growing.take()
        {
            let grown = Arc::new(thread.join().map_err(|_| "the thread that compiles ended")??);
            tables.retarget(&grown)?;
            for i in (0..OCTAHEDRA).step_by(2) {
                tables.set(&grown, Table::Hit, i, Record::of("Mirror"))?;
            }
            retired.push((n.saturating_sub(1), std::mem::replace(&mut pipeline, grown)));
            grown_at = Some(n);
        }
        // One record each frame, whatever it is now.
        let i = n as usize % OCTAHEDRA;
        let changed = if grown_at.is_some() && i.is_multiple_of(2) { Record::of("Mirror") } else { colored("Matte", color(i)) };
        tables.set(&pipeline, Table::Hit, i, changed)?;

        let frame = &mut frames[slot];
        let time = n as f32 / 30.0;
        // SAFETY: the fence of this frame was waited for, so the device is done with all of it; and everything lives until the device is
        // done, which the end of this function waits for.
        unsafe {
            let desc = DispatchRays { size: [options.width, options.height, 1], ..tables.begin(slot)? };
            frame.arguments.write(0, &desc.to_bytes())?;
            let aspect = options.width as f32 / options.height as f32;
            frame.constants.write(0, &[time, aspect].into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>())?;
            frame.scene.animate(time)?;
            record(gpu, frame, &layout, &pipeline)?;
        }
        gpu.submit(frame.commands, frame.fence)?;
        after(n, began.elapsed());
    }
    for frame in &frames {
        gpu.wait(frame.fence)?;
    }
    if let Some(thread) = growing {
        thread.join().map_err(|_| "the thread that compiles ended")??;
    }
    let seconds = started.elapsed().as_secs_f64();
    let last = options.frames.saturating_sub(1) as usize % FRAMES_IN_FLIGHT;
    // SAFETY: the device is idle.
    let pixels = unsafe { frames[last].output.read(0, frames[last].output.size())? };
    // SAFETY: the device is idle.
    unsafe {
        for frame in &frames {
            gpu.raw.destroy_fence(frame.fence, None);
        }
        gpu.raw.destroy_descriptor_pool(pool, None);
    }
    let messages = gpu.said();
    Ok(Picture { width: options.width, height: options.height, pixels, device: gpu.name.clone(), seconds, messages, grown_at })
}

/// Records a frame.
///
/// # Safety
/// The device is done with the frame; what it uses lives until its commands have run.
unsafe fn record(gpu: &Gpu, frame: &mut InFlight, layout: &Layout, pipeline: &Pipeline) -> Result<(), Error> {
    let commands = frame.commands;
    // SAFETY: by the caller's promise.
    unsafe {
        gpu.raw.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
        frame.scene.build(gpu, commands)?;
        let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
        gpu.raw.cmd_bind_descriptor_sets(commands, point, vk::PipelineLayout::from_raw(layout.handle()), 0, &[frame.set], &[]);
        pipeline.dispatch_rays_indirect(commands.as_raw(), frame.arguments.address(), 1, INDIRECT_SIZE)?;
        // The host reads the picture.
        let barrier =
            [vk::MemoryBarrier::default().src_access_mask(vk::AccessFlags::SHADER_WRITE).dst_access_mask(vk::AccessFlags::HOST_READ)];
        let (trace, host) = (vk::PipelineStageFlags::RAY_TRACING_SHADER_KHR, vk::PipelineStageFlags::HOST);
        gpu.raw.cmd_pipeline_barrier(commands, trace, host, vk::DependencyFlags::empty(), &barrier, &[], &[]);
        gpu.raw.end_command_buffer(commands)?;
    }
    Ok(())
}

/// Everything of each frame in flight, and the pool of their descriptor sets.
fn frames(gpu: &Gpu, options: &Options, library: &Library, layout: &Layout) -> Result<(vk::DescriptorPool, Vec<InFlight>), Error> {
    let count = FRAMES_IN_FLIGHT as u32;
    let sizes: Vec<_> = layout
        .pool_sizes()
        .into_iter()
        .map(|(kind, n)| vk::DescriptorPoolSize { ty: vk::DescriptorType::from_raw(kind), descriptor_count: n * count })
        .collect();
    let set_layouts: Vec<_> = layout.sets().into_iter().map(vk::DescriptorSetLayout::from_raw).collect();
    let place = |name: &str| layout.place(library, &Slot::parse(name));
    let (scene_at, output_at, constants_at) = (place("Scene")?, place("Output")?, place("Frame")?);
    // SAFETY: the caller destroys the pool when the device is idle; what is pointed to lives during the calls.
    unsafe {
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(count * set_layouts.len() as u32).pool_sizes(&sizes);
        let pool = gpu.raw.create_descriptor_pool(&info, None)?;
        let mut frames = Vec::new();
        for _ in 0..count {
            let scene = Frame::new(gpu)?;
            let output = gpu.buffer(u64::from(options.width) * u64::from(options.height) * 4)?;
            let constants = gpu.buffer(16)?;
            let arguments = gpu.buffer(INDIRECT_SIZE)?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layouts);
            let set = gpu.raw.allocate_descriptor_sets(&info)?[0];
            let structures = [scene.top()];
            let mut next = vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
            let whole = |b: &Buffer| [vk::DescriptorBufferInfo::default().buffer(vk::Buffer::from_raw(b.handle())).range(vk::WHOLE_SIZE)];
            let (output_info, constants_info) = (whole(&output), whole(&constants));
            let write = |at: rtc_engine::vulkan::layout::ResourcePlace| {
                let kind = vk::DescriptorType::from_raw(at.descriptor_type.unwrap_or(0));
                vk::WriteDescriptorSet::default().dst_set(set).dst_binding(at.binding).descriptor_type(kind)
            };
            let writes = [
                write(scene_at).descriptor_count(1).push_next(&mut next),
                write(output_at).buffer_info(&output_info),
                write(constants_at).buffer_info(&constants_info),
            ];
            gpu.raw.update_descriptor_sets(&writes, &[]);
            let (commands, fence) = gpu.commands()?;
            frames.push(InFlight { commands, fence, scene, set, constants, output, arguments });
        }
        Ok((pool, frames))
    }
}
