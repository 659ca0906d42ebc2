//! The Vulkan device: [`Device`] on any GPU (or CPU driver) with ray-tracing pipelines.
//!
//! | file | what |
//! |---|---|
//! | `instance` | loader, instance, validation layer |
//! | `choose` | selection of the physical device |
//! | `records` | what each physical device can do |
//! | `context` | logical device, queue, clock |
//! | `memory` | device memory |
//! | `storage` | buffers, images, samplers |
//! | `accel`, `accel_input` | acceleration structures, and what they are built from |
//! | `micromaps` | arrays of opacity micromaps, where the device has them |
//! | `partitioned` | partitioned structures, from a mirror of their instances |
//! | `descriptors` | descriptor sets, and what is in them |
//! | `program` | a loaded package with its pipelines |
//! | `target` | render targets |
//! | `graphics` | graphics pipelines, and rendering to targets |
//! | `draw` | draws: checks, and the command |
//! | `tables` | shader tables in a buffer |
//! | `rays` | the buffers of divided shaders |
//! | `wavefront` | dispatches of divided shaders, whose rays are sorted |
//!
//! Features, layouts, ray-tracing pipelines and the layout of shader tables are those of [`rtc_engine::vulkan`], the layer for engines,
//! which gets the device of `context`.
//!
//! All foreign calls of this crate are in this folder. The rule that makes each of them sound: every
//! submission is waited for before the call returns, so nothing is in flight between calls; every object is
//! owned by one structure here and destroyed through the context, which goes last; and once the device did not
//! answer, nothing is destroyed any more.

#![allow(unsafe_code)]

mod accel;
mod accel_input;
mod choose;
mod context;
mod descriptors;
mod draw;
mod graphics;
mod instance;
mod interface;
mod memory;
mod micromaps;
mod partitioned;
mod program;
mod rays;
mod records;
mod storage;
mod subgroups;
mod tables;
mod target;
mod wavefront;
mod words;

use crate::device::{
    Accel, Argument, BottomDesc, Buffer, BuildFlags, Device, DeviceInfo, DrawDesc, Image, ImageDesc, Instance, MicromapArrayDesc,
    Micromaps, PartitionedChanges, PartitionedDesc, Program, ProgramOptions, Record, RenderTarget, Resource, Sampler, SamplerDesc,
    ShaderTables, Slot, Sorting, TargetDesc, Timing, TopDesc, WavefrontOptions,
};
use crate::error::{ErrorKind, Result, RunError};
use crate::library::{Library, RawArgument};
use accel::GpuAccel;
use context::Context;
use descriptors::{Bound, NULL_DESCRIPTORS, all_stages};
use micromaps::GpuMicromaps;
use program::GpuProgram;
use rtc_base::{EntityRef, PrimaryMap};
use rtc_engine::forms::{Choices, WaveTraits};
use rtc_engine::tables as rt;
use rtc_engine::vulkan::{DispatchRays, failed, features};
use rtc_package::{DescriptorKind, Requirement};
use rtc_tables::hit_lowering::NO_SCENE;
use rustc_hash::FxHashMap;
use std::time::Duration;
use storage::{GpuBuffer, GpuImage, full_barrier};
use tables::Tables;
use target::GpuTarget;
use vulkanalia::vk;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};
use wavefront::Sorter;

pub use instance::VALIDATION_VARIABLE;
pub use records::records;

/// How to open a device.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// An index, or part of a device's name in any case; none: the first GPU that can, else a CPU driver.
    pub device: Option<String>,
    /// What the packages that will be loaded demand.
    pub requirements: Vec<Requirement>,
    /// Let the validation layer check every call; its complaints become errors.
    pub validation: bool,
    /// How long one dispatch or build may take before the device is given up.
    pub timeout: Duration,
    /// How dispatches of divided ray generation shaders proceed.
    pub wavefront: WavefrontOptions,
}

impl Default for OpenOptions {
    /// Any device, no requirements, five minutes; validation as `RTC_VK_VALIDATION` says.
    fn default() -> Self {
        OpenOptions {
            device: None,
            requirements: Vec::new(),
            validation: instance::validation_wanted(),
            timeout: Duration::from_secs(300),
            wavefront: WavefrontOptions::default(),
        }
    }
}

/// A Vulkan device.
///
/// A process may open several. NVIDIA's driver (580) was seen to lock up when several threads of one process each use a
/// device of their own at the same time; one device, or one thread, is safe.
pub struct VulkanDevice {
    buffers: PrimaryMap<Buffer, GpuBuffer>,
    images: PrimaryMap<Image, GpuImage>,
    samplers: PrimaryMap<Sampler, vk::Sampler>,
    targets: PrimaryMap<RenderTarget, GpuTarget>,
    accels: PrimaryMap<Accel, GpuAccel>,
    micromaps: PrimaryMap<Micromaps, GpuMicromaps>,
    /// What partitioned structures consist of.
    mirrors: FxHashMap<Accel, partitioned::Mirror>,
    /// Structures that others took the place of.
    retired: Vec<GpuAccel>,
    /// Where structures are bound.
    bound_accels: Vec<(Program, Slot, u32, Accel)>,
    programs: PrimaryMap<Program, GpuProgram>,
    /// What sorts rays, once it is needed.
    sorter: Option<Sorter>,
    wavefront: WavefrontOptions,
    /// Of the last dispatch.
    sorting: Option<Sorting>,
    context: Context,
}

/// Whether a physical device of this machine is a GPU, whatever it can do. A driver on the processor is none.
pub fn has_gpu() -> bool {
    let Ok(instance) = instance::instance(false) else { return false };
    choose::survey(&instance, None, &[]).is_ok_and(|list| list.iter().any(|(c, _)| c.is_gpu()))
}

/// Every physical device with its index and name, and why it cannot be used (nothing: it can).
///
/// # Errors
/// No Vulkan on this machine.
pub fn devices(requirements: &[Requirement]) -> Result<Vec<(String, Vec<String>)>> {
    let instance = instance::instance(false)?;
    let list = choose::survey(&instance, None, requirements)?;
    Ok(list.into_iter().map(|(_, v)| (v.title, v.reasons)).collect())
}

/// The SPIR-V extensions that the device which would be opened has, as far as the compiler may ask for them and this
/// runtime switches a feature of theirs on; those that Vulkan itself brings are among them.
///
/// # Errors
/// [`ErrorKind::NoDevice`]: no Vulkan, or no device that traces rays.
pub fn spirv_extensions(device: Option<&str>) -> Result<Vec<&'static str>> {
    let instance = instance::instance(false)?;
    let mut features = choose::choose(&instance, device, &[])?.features;
    let mut has = |name: &str| name.is_empty() || features::ROWS.iter().any(|row| row.extension == name && features.has(row));
    let rows = rtc_tables::features::SPIRV_EXTENSIONS.iter();
    Ok(rows.filter(|row| has(row.vk_extension)).map(|row| row.name).collect())
}

/// [`devices`] as lines for people.
///
/// # Errors
/// No Vulkan on this machine.
pub fn list_devices() -> Result<String> {
    let mut out = String::new();
    for (title, reasons) in devices(&[])? {
        let verdict = if reasons.is_empty() { "usable".to_string() } else { reasons.join("; ") };
        out.push_str(&format!("{title}: {verdict}\n"));
    }
    if out.is_empty() {
        out.push_str("no Vulkan device on this machine\n");
    }
    Ok(out)
}

impl VulkanDevice {
    /// Opens a device.
    ///
    /// # Errors
    /// [`ErrorKind::NoDevice`]: no Vulkan, or no device that can; the notes say why for each.
    pub fn open(options: &OpenOptions) -> Result<VulkanDevice> {
        let instance = instance::instance(options.validation)?;
        let candidate = choose::choose(&instance, options.device.as_deref(), &options.requirements)?;
        let context = Context::open(instance, candidate, &options.requirements, options.timeout)?;
        Ok(VulkanDevice {
            buffers: PrimaryMap::new(),
            images: PrimaryMap::new(),
            samplers: PrimaryMap::new(),
            targets: PrimaryMap::new(),
            accels: PrimaryMap::new(),
            micromaps: PrimaryMap::new(),
            mirrors: FxHashMap::default(),
            retired: Vec::new(),
            bound_accels: Vec::new(),
            programs: PrimaryMap::new(),
            sorter: None,
            wavefront: options.wavefront,
            sorting: None,
            context,
        })
    }

    fn instances(&self, desc: &TopDesc) -> Result<Vec<(Instance, u64)>> {
        let mut out = Vec::with_capacity(desc.instances.len());
        for instance in &desc.instances {
            out.push((*instance, self.bottom_address(instance.bottom)?));
        }
        Ok(out)
    }

    /// The address of an instance's structure; 0 of none.
    fn bottom_address(&self, bottom: Option<Accel>) -> Result<u64> {
        let Some(id) = bottom else { return Ok(0) };
        let bottom = known(&self.accels, id)?;
        match bottom.is_top() {
            true => Err(binding_error("an instance of a top-level structure")),
            false => Ok(bottom.address()),
        }
    }

    /// A record with the addresses of what its arguments name.
    fn record(&self, record: &Record) -> Result<rt::Record> {
        let mut arguments = Vec::with_capacity(record.arguments.len());
        for (slot, argument) in &record.arguments {
            let raw = match argument {
                Argument::Constants(bytes) => RawArgument::Constants(bytes.clone()),
                Argument::Index(i) => RawArgument::Index(*i),
                Argument::Accel(a) => RawArgument::Address(known(&self.accels, *a)?.address()),
                Argument::Address(b, offset) => {
                    let buffer = known(&self.buffers, *b)?;
                    if *offset >= buffer.size.max(1) {
                        return Err(binding_error(format!("`{slot}` points to byte {offset} of a buffer of {} bytes", buffer.size)));
                    }
                    RawArgument::Address(buffer.address + offset)
                }
            };
            arguments.push((slot.clone(), raw));
        }
        Ok(rt::Record { export: record.export.clone(), arguments })
    }

    /// The kinds of descriptors that a resource can be bound as, the most likely first.
    fn kinds_of(&self, resource: Resource) -> &'static [DescriptorKind] {
        use DescriptorKind as K;
        match resource {
            Resource::Buffer(_) => &[K::StorageBuffer, K::UniformBuffer],
            Resource::Texels(..) => &[K::StorageTexelBuffer, K::UniformTexelBuffer],
            Resource::Image(id) => match self.images.get(id) {
                Some(image) if image.desc.writable => &[K::StorageImage, K::SampledImage],
                _ => &[K::SampledImage],
            },
            Resource::Sampler(_) => &[K::Sampler],
            Resource::Accel(_) => &[K::AccelerationStructure],
            Resource::Target(_) => &[K::SampledImage],
            Resource::Feedback(_) => &[],
        }
    }

    /// What to write into a descriptor for `resource`.
    fn bound(&mut self, program: Program, i: usize, resource: Resource) -> Result<Bound> {
        let b = &known(&self.programs, program)?.library.package.map.bindings[i];
        let (name, kind, size) = (b.name.clone(), b.descriptor, b.stride_or_size);
        use DescriptorKind as K;
        match (kind, resource) {
            (K::UniformBuffer | K::StorageBuffer, Resource::Buffer(id)) => {
                let buffer = known(&self.buffers, id)?;
                if kind == K::UniformBuffer && buffer.size < u64::from(size) {
                    return Err(binding_error(format!("constant buffer `{name}` has {size} bytes, {} are given", buffer.size)));
                }
                let limits = &self.context.candidate.properties.limits;
                let most = if kind == K::UniformBuffer { limits.max_uniform_buffer_range } else { limits.max_storage_buffer_range };
                let size = buffer.size.max(4).next_multiple_of(4);
                if size > u64::from(most) && kind == K::StorageBuffer {
                    return Err(RunError::new(
                        ErrorKind::Limit,
                        format!("`{name}` is set to {size} bytes, the device sees at most {most} at once"),
                    ));
                }
                Ok(Bound::Buffer { buffer: buffer.raw, size: size.min(u64::from(most)) })
            }
            (K::UniformTexelBuffer | K::StorageTexelBuffer, Resource::Texels(id, format)) => {
                let buffer = known(&self.buffers, id)?;
                let texel = u64::from(format.texel_size());
                let range = buffer.size / texel * texel;
                if range == 0 {
                    return Err(binding_error(format!("`{name}` is set to a buffer without a whole texel")));
                }
                let most = self.context.candidate.properties.limits.max_texel_buffer_elements;
                if range / texel > u64::from(most) {
                    return Err(RunError::new(
                        ErrorKind::Limit,
                        format!("`{name}` is set to {} texels, the device allows {most}", range / texel),
                    ));
                }
                let info = vk::BufferViewCreateInfo::builder().buffer(buffer.raw).format(storage::format(format)).range(range);
                // SAFETY: the descriptor sets own the view from now on; buffers live as long as the device.
                let view = unsafe { self.context.raw.create_buffer_view(&info, None) }.map_err(failed("make a buffer view"))?;
                Ok(Bound::View(view))
            }
            (K::SampledImage, Resource::Target(id)) => Ok(Bound::Image(known(&self.targets, id)?.view)),
            (K::SampledImage, Resource::Image(id)) => Ok(Bound::Image(known(&self.images, id)?.view)),
            (K::StorageImage, Resource::Image(id)) => {
                let image = known(&self.images, id)?;
                if !image.desc.writable {
                    return Err(binding_error(format!("`{name}` is written, but its image was made to be read only")));
                }
                Ok(Bound::Image(image.view))
            }
            (K::Sampler, Resource::Sampler(id)) => Ok(Bound::Sampler(*known(&self.samplers, id)?)),
            (K::AccelerationStructure, Resource::Accel(id)) => {
                let accel = known(&self.accels, id)?;
                if !accel.is_top() {
                    return Err(binding_error(format!("`{name}` is set to a bottom-level structure")));
                }
                Ok(Bound::Accel(accel.raw()))
            }
            (kind, other) => {
                let what = match other {
                    Resource::Buffer(_) => "a buffer",
                    Resource::Texels(..) => "a typed buffer",
                    Resource::Image(_) => "an image",
                    Resource::Sampler(_) => "a sampler",
                    Resource::Accel(_) => "an acceleration structure",
                    Resource::Feedback(_) => "a feedback map",
                    Resource::Target(_) => "a render target",
                };
                Err(binding_error(format!("`{name}` is a {kind} and cannot be set to {what}")))
            }
        }
    }

    /// The description of a dispatch, after everything that a driver does not check has been.
    fn check_dispatch(&self, program: Program, size: [u32; 3]) -> Result<DispatchRays> {
        let p = known(&self.programs, program)?;
        let Some(tables) = &p.tables else {
            return Err(binding_error("no shader tables are set"));
        };
        self.check_bindings(program, u32::MAX)?;
        let desc = DispatchRays { size, ..tables.desc };
        desc.check(self.context.device.limits())?;
        Ok(desc)
    }

    /// The bytes of the push constants, if the program has some.
    fn push_constants(&mut self, program: Program) -> Result<Vec<u8>> {
        let mut push = Vec::new();
        if let Some((id, bytes)) = known(&self.programs, program)?.descriptors.push {
            push = known(&self.buffers, id)?.read(&mut self.context)?;
            push.resize((bytes as usize).next_multiple_of(4), 0);
        }
        Ok(push)
    }

    /// Everything that the shaders of these stages (bits of their kinds) use is bound.
    fn check_bindings(&self, program: Program, stages: u32) -> Result<()> {
        let p = known(&self.programs, program)?;
        for (i, b) in p.library.package.map.bindings.iter().enumerate() {
            if b.stages & stages == 0 || b.heap {
                continue;
            }
            // What is not bound of an array is null, if the device has that. No sampler is null, and no shader should choose such a one.
            let null = self.context.has(NULL_DESCRIPTORS) || b.descriptor == DescriptorKind::Sampler;
            let what = match p.descriptors.missing(i, b) {
                _ if !p.descriptors.is_bound(i) => Some(b.name.clone()),
                Some(element) if !null => Some(format!("{}[{element}]", b.name)),
                _ => None,
            };
            if let Some(what) = what {
                let slot = match b.register {
                    u32::MAX => String::new(),
                    register => format!("{}, ", Slot::Register { class: b.class.letter(), register, space: b.space }),
                };
                return Err(binding_error(format!("`{what}` ({slot}a {}) is used by the shaders but not set", b.descriptor)));
            }
        }
        Ok(())
    }
}

fn binding_error(why: impl Into<String>) -> RunError {
    RunError::new(ErrorKind::Binding, why)
}

/// The thing of that index.
fn known<K: EntityRef + std::fmt::Display, V>(map: &PrimaryMap<K, V>, key: K) -> Result<&V> {
    map.get(key).ok_or_else(|| binding_error(format!("this device has no {key}")))
}

impl Device for VulkanDevice {
    fn info(&self) -> &DeviceInfo {
        &self.context.info
    }

    fn create_buffer(&mut self, size: u64, data: &[u8]) -> Result<Buffer> {
        let buffer = GpuBuffer::filled(&mut self.context, size, data)?;
        Ok(self.buffers.push(buffer))
    }

    fn write_buffer(&mut self, buffer: Buffer, offset: u64, data: &[u8]) -> Result<()> {
        known(&self.buffers, buffer)?.write(&mut self.context, offset, data)
    }

    fn read_buffer(&mut self, buffer: Buffer) -> Result<Vec<u8>> {
        known(&self.buffers, buffer)?.read(&mut self.context)
    }

    fn create_image(&mut self, desc: &ImageDesc, data: &[u8]) -> Result<Image> {
        let image = GpuImage::make(&mut self.context, desc, data)?;
        Ok(self.images.push(image))
    }

    fn read_image(&mut self, image: Image) -> Result<Vec<u8>> {
        known(&self.images, image)?.read(&mut self.context)
    }

    fn create_sampler(&mut self, desc: &SamplerDesc) -> Result<Sampler> {
        let raw = rtc_engine::vulkan::layout::sampler(&self.context.device, desc)?;
        Ok(self.samplers.push(raw))
    }

    fn build_bottom(&mut self, desc: &BottomDesc) -> Result<Accel> {
        let accel = GpuAccel::bottom(&mut self.context, desc, &self.micromaps)?;
        Ok(self.accels.push(accel))
    }

    fn update_bottom(&mut self, accel: Accel, desc: &BottomDesc) -> Result<()> {
        known(&self.accels, accel)?;
        self.accels[accel].update_bottom(&mut self.context, desc, &self.micromaps)
    }

    fn build_top(&mut self, desc: &TopDesc) -> Result<Accel> {
        let instances = self.instances(desc)?;
        let accel = GpuAccel::top(&mut self.context, &instances, desc.flags)?;
        Ok(self.accels.push(accel))
    }

    fn build_micromaps(&mut self, desc: &MicromapArrayDesc) -> Result<Micromaps> {
        let made = GpuMicromaps::build(&mut self.context, desc)?;
        Ok(self.micromaps.push(made))
    }

    fn build_partitioned(&mut self, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<Accel> {
        self.build_mirror(desc, changes)
    }

    fn update_partitioned(&mut self, accel: Accel, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<()> {
        self.update_mirror(accel, desc, changes)
    }

    fn update_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        self.not_partitioned(accel)?;
        let instances = self.instances(desc)?;
        known(&self.accels, accel)?;
        self.accels[accel].update_top(&mut self.context, &instances, desc.flags)
    }

    fn rebuild_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        self.not_partitioned(accel)?;
        if !known(&self.accels, accel)?.is_top() {
            return Err(binding_error(format!("{accel} is a bottom-level structure")));
        }
        let instances = self.instances(desc)?;
        let larger = self.accels[accel].rebuild_top(&mut self.context, &instances, desc.flags)?;
        self.replace(accel, larger)
    }

    fn compact(&mut self, accel: Accel) -> Result<(u64, u64)> {
        self.not_partitioned(accel)?;
        let compacted = known(&self.accels, accel)?.compacted(&mut self.context)?;
        let old = std::mem::replace(&mut self.accels[accel], compacted);
        let before = old.size();
        old.destroy(&self.context);
        Ok((before, self.accels[accel].size()))
    }

    fn clone_accel(&mut self, accel: Accel) -> Result<Accel> {
        self.not_partitioned(accel)?;
        let copy = known(&self.accels, accel)?.cloned(&mut self.context)?;
        Ok(self.accels.push(copy))
    }

    fn serialize_accel(&mut self, accel: Accel) -> Result<Vec<u8>> {
        self.not_partitioned(accel)?;
        known(&self.accels, accel)?.serialized(&mut self.context)
    }

    fn deserialize_accel(&mut self, bytes: &[u8], bottoms: &[Accel]) -> Result<Accel> {
        let addresses: Vec<u64> = bottoms.iter().map(|b| known(&self.accels, *b).map(|a| a.address())).collect::<Result<_>>()?;
        let accel = GpuAccel::deserialized(&mut self.context, bytes, &addresses)?;
        Ok(self.accels.push(accel))
    }

    fn accel_size(&self, accel: Accel) -> Result<u64> {
        Ok(known(&self.accels, accel)?.size())
    }

    fn load(&mut self, package: &[u8], options: &ProgramOptions) -> Result<Program> {
        let program = GpuProgram::load(&mut self.context, package, options)?;
        let bindings = &program.library.package.map.bindings;
        let no_scene = bindings.iter().any(|b| b.name == NO_SCENE);
        let program = self.programs.push(program);
        if no_scene {
            let none = TopDesc { instances: Vec::new(), flags: BuildFlags::default() };
            let accel = self.build_top(&none)?;
            self.set(program, &Slot::Name(NO_SCENE.into()), 0, Resource::Accel(accel))?;
        }
        Ok(program)
    }

    fn load_steps(&self, program: Program) -> Vec<(&'static str, Duration)> {
        self.programs.get(program).map(|p| p.times.clone()).unwrap_or_default()
    }

    fn stack_size(&self, program: Program) -> Option<u64> {
        self.programs.get(program)?.pipeline.as_ref().map(rtc_engine::vulkan::Pipeline::stack_size)
    }

    fn wave_traits(&self) -> WaveTraits {
        self.context.device.wave_traits()
    }

    fn refusals(&self, library: &Library) -> Vec<String> {
        let refused = self.context.device.check_library(library).err();
        let refused = refused.map(|e| if e.notes.is_empty() { vec![e.message] } else { e.notes });
        // A divided library whose rays are not sorted is a slower lowered one.
        refused.unwrap_or_default().into_iter().chain(rays::unsorted(&self.context, library)).collect()
    }

    fn choices(&self, folder: &std::path::Path) -> Option<Choices> {
        Some(rtc_engine::vulkan::choices(&self.context.device, folder))
    }

    fn library(&self, program: Program) -> Result<&Library> {
        Ok(&known(&self.programs, program)?.library)
    }

    fn set(&mut self, program: Program, slot: &Slot, element: u32, resource: Resource) -> Result<()> {
        let kinds = self.kinds_of(resource);
        let library = &known(&self.programs, program)?.library;
        let i = library.binding_for(slot, kinds)?;
        let kind = self.programs[program].library.package.map.bindings[i].descriptor;
        if let (DescriptorKind::PushConstants, Resource::Buffer(id)) = (kind, resource) {
            known(&self.buffers, id)?;
            self.programs[program].descriptors.set_push(i, id);
            return Ok(());
        }
        let bound = self.bound(program, i, resource)?;
        let p = &mut self.programs[program];
        p.descriptors.set(&mut self.context, i, &p.library.package.map.bindings[i], element, bound)?;
        self.bound_accels.retain(|b| (b.0, &b.1, b.2) != (program, slot, element));
        if let Resource::Accel(accel) = resource {
            self.bound_accels.push((program, slot.clone(), element, accel));
        }
        self.context.heard()
    }

    fn set_tables(&mut self, program: Program, tables: &ShaderTables) -> Result<()> {
        let pipeline = known(&self.programs, program)?.raytracing()?;
        let all = |records: &[Record]| records.iter().map(|r| self.record(r)).collect::<Result<Vec<_>>>();
        let image = pipeline.tables(&rt::ShaderTables {
            raygen: self.record(&tables.raygen)?,
            miss: all(&tables.miss)?,
            hit: all(&tables.hit)?,
            callable: all(&tables.callable)?,
        })?;
        let p = &self.programs[program];
        let divided = tables.raygen.export.as_deref().and_then(|name| p.library.divided(name));
        let made = Tables::new(&mut self.context, &image, p.raytracing()?, divided)?;
        if let Some(mut old) = self.programs[program].tables.replace(made) {
            old.destroy(&mut self.context);
        }
        Ok(())
    }

    fn dispatch_groups(&mut self, program: Program, entry: Option<&str>, groups: [u32; 3]) -> Result<Timing> {
        let p = known(&self.programs, program)?;
        let entry = &p.library.compute(entry)?.spirv_name;
        let Some(&pipeline) = p.compute.get(entry) else {
            return Err(p.library.no_such(entry, "compute shader"));
        };
        self.check_bindings(program, u32::MAX)?;
        let most = self.context.candidate.properties.limits.max_compute_work_group_count;
        for (axis, (n, most)) in groups.iter().zip(most).enumerate() {
            if *n > most {
                return Err(RunError::new(
                    ErrorKind::Limit,
                    format!("a dispatch of {n} groups along axis {axis}, the device allows {most}"),
                ));
            }
        }
        let push = self.push_constants(program)?;
        let p = &self.programs[program];
        let (layout, sets) = (p.descriptors.layout(), &p.descriptors.sets);
        self.context.run("finish the dispatch", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: pipeline, sets and what is bound to them live through the wait; counts and bindings were
            // checked above.
            unsafe {
                let point = vk::PipelineBindPoint::COMPUTE;
                raw.cmd_bind_pipeline(cmd, point, pipeline);
                if !sets.is_empty() {
                    raw.cmd_bind_descriptor_sets(cmd, point, layout, 0, sets, &[]);
                }
                if !push.is_empty() {
                    raw.cmd_push_constants(cmd, layout, all_stages(), 0, &push);
                }
                raw.cmd_dispatch(cmd, groups[0], groups[1], groups[2]);
            }
            full_barrier(raw, cmd);
        })
    }

    fn dispatch(&mut self, program: Program, size: [u32; 3]) -> Result<Timing> {
        self.sorting = None;
        if self.sorts(program)? {
            return self.dispatch_sorted(program, size);
        }
        let desc = self.check_dispatch(program, size)?;
        let push = self.push_constants(program)?;
        let p = &self.programs[program];
        let (pipeline, layout) = (p.raytracing()?, p.descriptors.layout());
        let sets = &p.descriptors.sets;
        let mut recorded = Ok(());
        let timing = self.context.run("finish the dispatch", |raw, cmd| {
            full_barrier(raw, cmd);
            // SAFETY: pipeline, sets, what is bound to them, and tables live through the wait; sizes and
            // bindings were checked above.
            unsafe {
                let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
                if !sets.is_empty() {
                    raw.cmd_bind_descriptor_sets(cmd, point, layout, 0, sets, &[]);
                }
                if !push.is_empty() {
                    raw.cmd_push_constants(cmd, layout, all_stages(), 0, &push);
                }
                recorded = pipeline.dispatch_rays(cmd.as_raw() as u64, &desc);
            }
            full_barrier(raw, cmd);
        })?;
        recorded.map(|()| timing)
    }

    fn sorting(&self) -> Option<Sorting> {
        self.sorting
    }

    fn create_target(&mut self, desc: &TargetDesc) -> Result<RenderTarget> {
        self.make_target(desc)
    }

    fn read_target(&mut self, target: RenderTarget) -> Result<Vec<u8>> {
        known(&self.targets, target)?.read(&mut self.context)
    }

    fn draw(&mut self, program: Program, desc: &DrawDesc) -> Result<Timing> {
        self.run_draw(program, desc)
    }
}

impl Drop for VulkanDevice {
    fn drop(&mut self) {
        let context = &mut self.context;
        for p in self.programs.values_mut() {
            p.destroy(context);
        }
        if let Some(sorter) = self.sorter.take() {
            sorter.destroy(context);
        }
        let accels = std::mem::take(&mut self.accels).into_iter().map(|(_, a)| a);
        for a in accels.chain(std::mem::take(&mut self.retired)) {
            a.destroy(context);
        }
        for (_, m) in std::mem::take(&mut self.micromaps) {
            m.destroy(context);
        }
        for i in self.images.values_mut() {
            i.destroy(context);
        }
        for t in self.targets.values_mut() {
            t.destroy(context);
        }
        for b in self.buffers.values_mut() {
            b.destroy(context);
        }
        if context.alive() {
            for s in self.samplers.values() {
                // SAFETY: nothing refers to it any more.
                unsafe { context.raw.destroy_sampler(*s, None) };
            }
        }
    }
}
