//! The pipeline of `stages.hlsl`, its buffers in a set, and runs of its two divided shaders.

use crate::engine::{Engine, library};
use rtc_engine::library::{Library, RawArgument};
use rtc_engine::slot::Slot;
use rtc_engine::tables::{Record, Region, ShaderTables};
use rtc_engine::vulkan::wavefront::{Launch, Memory, PLAIN_SIZES, Plan, Progress, Step, resume_records, rows};
use rtc_engine::vulkan::{Buffer, DispatchRays, Layout, LayoutOptions, Pipeline, PipelineOptions, Range, Wavefront};
use rtc_package::{WavefrontPoint, WavefrontShader};
use std::sync::Arc;
use vulkanalia::vk::{self, DeviceV1_0, Handle, HasBuilder};

/// The names of the resources of `stages.hlsl` in the order of `rtc_tables::wavefront::BUFFERS`.
const NAMES: [&str; 4] = ["Control", "State", "Keys", "Slots"];
pub const SALT: u32 = 12345;
pub const SCALE: u32 = 77;

/// A divided shader of `stages.hlsl` with three points.
pub fn shader(name: &str, words: u32, row_bits: u32, hint_bits: u32) -> WavefrontShader {
    let point = |n| WavefrontPoint { resume: format!("{name}Resume{n}"), words, row_bits, hint_bits };
    WavefrontShader { shader: name.into(), words, index_read: false, points: (0..3).map(point).collect() }
}

pub struct Stages<'e> {
    pub engine: &'e Engine,
    pub library: Arc<Library>,
    pub layout: Layout,
    pub pipeline: Pipeline,
    pub wavefront: Wavefront,
    pool: vk::DescriptorPool,
    set: vk::DescriptorSet,
}

/// Laid out tables on the device.
pub struct Tables {
    _buffer: Buffer,
    resume: Option<Buffer>,
    desc: DispatchRays,
}

impl<'e> Stages<'e> {
    pub fn new(engine: &'e Engine) -> Stages<'e> {
        let library = library("stages.hlsl", include_str!("stages.hlsl"));
        let layout = Layout::new(&engine.device, &[&library], LayoutOptions::default()).unwrap();
        let pipeline = Pipeline::new(&library, &layout, &PipelineOptions::default()).unwrap();
        let wavefront = Wavefront::new(&engine.device).unwrap();
        let sizes: Vec<_> = layout
            .pool_sizes()
            .into_iter()
            .map(|(kind, n)| vk::DescriptorPoolSize { type_: vk::DescriptorType::from_raw(kind), descriptor_count: n })
            .collect();
        let layouts: Vec<_> = layout.sets().into_iter().map(vk::DescriptorSetLayout::from_raw).collect();
        // SAFETY: the structures that are pointed to live during the calls.
        let (pool, set) = unsafe {
            let pool = vk::DescriptorPoolCreateInfo::builder().max_sets(1).pool_sizes(&sizes);
            let pool = engine.raw.create_descriptor_pool(&pool, None).expect("a pool");
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(pool).set_layouts(&layouts[..1]);
            (pool, engine.raw.allocate_descriptor_sets(&info).expect("a set")[0])
        };
        Stages { engine, library, layout, pipeline, wavefront, pool, set }
    }

    pub fn set(&self, name: &str, buffer: &Buffer) {
        let place = self.layout.place(&self.library, &Slot::parse(name)).expect("a resource");
        let info = [vk::DescriptorBufferInfo { buffer: vk::Buffer::from_raw(buffer.handle()), offset: 0, range: vk::WHOLE_SIZE }];
        let write = vk::WriteDescriptorSet::builder()
            .dst_set(self.set)
            .dst_binding(place.binding)
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .buffer_info(&info);
        let none: [vk::CopyDescriptorSet; 0] = [];
        // SAFETY: the set is idle.
        unsafe { self.engine.raw.update_descriptor_sets(&[write], &none) };
    }

    pub fn bind(&self, cmd: u64) {
        let cmd = vk::CommandBuffer::from_raw(cmd as usize);
        let layout = vk::PipelineLayout::from_raw(self.layout.handle());
        let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
        // SAFETY: the set is of this layout.
        unsafe { self.engine.raw.cmd_bind_descriptor_sets(cmd, point, layout, 0, &[self.set], &[]) };
    }

    /// The record of a shader, and those that resume its rays.
    pub fn tables(&self, name: &str, resumed: bool) -> Tables {
        let mut raygen = Record::of(name);
        if name == "Walk" {
            raygen = raygen.with("Record", RawArgument::Constants(SALT.to_le_bytes().to_vec()));
        }
        let image = self.pipeline.tables(&ShaderTables { raygen, ..ShaderTables::default() }).unwrap();
        let buffer = self.engine.buffer(image.size(), &[]);
        let (bytes, regions) = image.at(buffer.address());
        // SAFETY: it has no user yet.
        unsafe { buffer.write(0, &bytes).unwrap() };
        let resume = resumed.then(|| {
            let records = resume_records(&self.pipeline, (&bytes, &regions), &shader(name, 0, 0, 0)).unwrap();
            let base = u64::from(self.engine.device.limits().base_alignment);
            let resume = self.engine.buffer(records.len() as u64 + base, &[]);
            let at = resume.address().next_multiple_of(base) - resume.address();
            // SAFETY: as above.
            unsafe { resume.write(at, &records).unwrap() };
            resume
        });
        Tables { desc: DispatchRays::of(buffer.address(), &regions, [0; 3]), resume, _buffer: buffer }
    }

    /// The launches of a plan; `use_launch` gets them.
    pub fn launch<R>(&self, name: &str, plan: &Plan, memory: &Memory, use_launch: impl FnOnce(Launch) -> R) -> R {
        let tables = self.tables(name, true);
        for ((_, buffer), name) in memory.named().into_iter().zip(NAMES) {
            self.set(name, buffer);
        }
        let base = u64::from(self.engine.device.limits().base_alignment);
        let resume = tables.resume.as_ref().unwrap();
        let address = resume.address().next_multiple_of(base);
        use_launch(Launch {
            pipeline: &self.pipeline,
            tables: tables.desc,
            resume: Range { address, size: resume.address() + resume.size() - address },
            push_constants: &SCALE.to_le_bytes(),
            plan,
            memory,
        })
    }

    pub fn memory(&self, plan: &Plan) -> Memory {
        Memory::new(&self.engine.device, &self.engine.memory, plan).unwrap()
    }

    /// Runs all tiles; gives what the last of them counted, and the steps.
    pub fn run(&self, name: &str, plan: &Plan, iterations: u32) -> (Progress, Vec<Step>) {
        let memory = self.memory(plan);
        let progress = self.engine.buffer(Progress::SIZE, &[]);
        let mut steps = Vec::new();
        self.launch(name, plan, &memory, |launch| {
            self.engine.run(|cmd| {
                self.bind(cmd);
                // SAFETY: everything lives until the wait.
                unsafe {
                    self.wavefront.dispatch_rays(cmd, &launch, iterations, |s| steps.push(s)).unwrap();
                    self.wavefront.copy_progress(cmd, &memory, iterations + 1, &progress).unwrap();
                }
                self.engine.barrier(cmd);
            });
        });
        // SAFETY: the device is done.
        (Progress::read(&unsafe { progress.read(0, Progress::SIZE).unwrap() }), steps)
    }

    /// Runs a shader as any other, with buffers where no point stops.
    pub fn run_plain(&self, name: &str, size: [u32; 3]) {
        let buffers = PLAIN_SIZES.map(|n| self.engine.buffer(n, &vec![0; n as usize]));
        buffers.iter().zip(NAMES).for_each(|(buffer, name)| self.set(name, buffer));
        let tables = self.tables(name, false);
        self.engine.run(|cmd| {
            self.bind(cmd);
            let raw = vk::CommandBuffer::from_raw(cmd as usize);
            let (layout, stages) = (vk::PipelineLayout::from_raw(self.layout.handle()), self.layout.push_stages());
            let stages = vk::ShaderStageFlags::from_bits_truncate(stages);
            // SAFETY: everything lives until the wait.
            unsafe {
                self.engine.raw.cmd_push_constants(raw, layout, stages, 0, &SCALE.to_le_bytes());
                self.pipeline.dispatch_rays(cmd, &DispatchRays { size, ..tables.desc }).unwrap();
            }
            self.engine.barrier(cmd);
        });
    }

    /// A plan with this much memory.
    pub fn plan(&self, shader: &WavefrontShader, size: [u32; 3], memory: u64) -> Plan {
        // As many rows as keys have bits for.
        let regions = [Region::default(); 4];
        assert_eq!(rows(&regions), 0);
        Plan::new(&self.engine.device, shader, size, 1 << 24, memory).unwrap()
    }

    pub fn destroy(self) {
        // SAFETY: the device is idle.
        unsafe { self.engine.raw.destroy_descriptor_pool(self.pool, None) };
    }
}

/// The pairs of words in a buffer.
pub fn pairs(buffer: &Buffer) -> Vec<(u32, u32)> {
    // SAFETY: the device is done with it.
    let bytes = unsafe { buffer.read(0, buffer.size()).unwrap() };
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    bytes.chunks_exact(8).map(|b| (word(b), word(&b[4..]))).collect()
}
