//! The logical device and its queue: commands are submitted and waited for in one call.
//!
//! Everything is submitted and waited for at once. What outlives a call is owned by the structures of
//! the other files; they free it through this one, which is dropped last.

use super::choose::Candidate;
use super::instance::Instance;
use super::memory::Memory;
use super::vk;
use crate::device::{DeviceInfo, Timing};
use crate::error::{ErrorKind, Result, RunError};
use rtc_engine::vulkan::features::{Chain, EXTENSIONS, Need, ROWS, Row};
use rtc_engine::vulkan::{Device, EnabledFeatures, Handles, failed};
use rtc_package::{Requirement, RequirementKind};
use rustc_hash::FxHashSet;
use std::ffi::CString;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder, InstanceV1_0};

/// The logical device.
pub(super) struct Context {
    /// The function table.
    pub raw: vulkanalia::Device,
    /// The physical device.
    pub candidate: Candidate,
    /// Name and capabilities.
    pub info: DeviceInfo,
    /// The same for the layer that makes pipelines and tables.
    pub device: Device,
    /// Memory of buffers and images.
    pub memory: Arc<Memory>,
    queue: vk::Queue,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    fence: vk::Fence,
    clock: vk::QueryPool,
    /// How long to wait for the device before giving up.
    timeout: Duration,
    /// The device did not answer; nothing of it may be touched or freed any more.
    lost: bool,
    instance: Arc<Instance>,
}

impl Context {
    /// Makes the logical device on `candidate` with every feature of the table that it has, and the
    /// extensions that `requirements` name.
    ///
    /// # Errors
    /// A requirement that the device does not meet; a failure of the device.
    pub fn open(instance: Arc<Instance>, mut candidate: Candidate, requirements: &[Requirement], timeout: Duration) -> Result<Context> {
        let mut features = candidate.features.selected();
        let asks =
            |row: &Row, r: &Requirement| r.kind == RequirementKind::DeviceFeature && r.name == row.name && r.extension == row.extension;
        for row in ROWS.iter().filter(|row| row.need == Need::Requested && requirements.iter().any(|r| asks(row, r))) {
            if candidate.features.has(row) {
                features.set(row);
            }
        }
        let wanted = ROWS
            .iter()
            .filter(|row| features.has(row))
            .map(|row| row.extension)
            .chain(EXTENSIONS.iter().copied())
            .chain(requirements.iter().filter(|r| r.kind == RequirementKind::DeviceExtension).map(|r| r.name.as_str()));
        let extensions: FxHashSet<String> = wanted.filter(|e| candidate.extensions.contains(*e)).map(str::to_string).collect();
        let mut names: Vec<CString> = extensions.iter().filter_map(|e| CString::new(e.as_str()).ok()).collect();
        names.sort();
        let names: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
        let priority = [1.0];
        let queue = vk::DeviceQueueCreateInfo::builder().queue_family_index(candidate.family).queue_priorities(&priority);
        let queues = [queue];
        let core = features.core();
        let raw = features
            .with(&extensions, |next| {
                let mut info = vk::DeviceCreateInfo::builder()
                    .queue_create_infos(&queues)
                    .enabled_extension_names(&names)
                    .enabled_features(&core)
                    .build();
                info.next = next;
                // SAFETY: everything that `info` points to outlives the call.
                unsafe { instance.raw.create_device(candidate.handle, &info, None) }
            })
            .map_err(failed("start"))?;
        let info = describe(&candidate, &mut features);
        let device = match describe_device(&instance, &candidate, &raw, &extensions, &mut features) {
            Ok(device) => device,
            Err(e) => {
                // SAFETY: nothing was made from it.
                unsafe { raw.destroy_device(None) };
                return Err(e);
            }
        };
        let memory = Arc::new(Memory::new(&instance.raw, candidate.handle, &raw));
        let mut context = Context {
            raw,
            info,
            device,
            memory,
            queue: vk::Queue::null(),
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            clock: vk::QueryPool::null(),
            timeout,
            lost: false,
            candidate,
            instance,
        };
        context.prepare().map_err(failed("prepare its queue"))?;
        context.heard()?;
        Ok(context)
    }

    fn prepare(&mut self) -> std::result::Result<(), vk::ErrorCode> {
        let family = self.candidate.family;
        let pool = vk::CommandPoolCreateInfo::builder().queue_family_index(family).flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
        // SAFETY: the family exists on this device; everything made here is destroyed in `drop`.
        unsafe {
            self.queue = self.raw.get_device_queue(family, 0);
            self.pool = self.raw.create_command_pool(&pool, None)?;
            let commands = vk::CommandBufferAllocateInfo::builder()
                .command_pool(self.pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            self.commands = self.raw.allocate_command_buffers(&commands)?[0];
            self.fence = self.raw.create_fence(&vk::FenceCreateInfo::default(), None)?;
            if self.candidate.timestamp_bits > 0 {
                let clock = vk::QueryPoolCreateInfo::builder().query_type(vk::QueryType::TIMESTAMP).query_count(2);
                self.clock = self.raw.create_query_pool(&clock, None)?;
            }
        }
        Ok(())
    }

    /// Whether an optional feature is switched on.
    pub fn has(&self, name: &str) -> bool {
        self.device.enabled().has(name)
    }

    /// What images of a format can be used for.
    pub fn format_features(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: plain query of the device that this context was opened on.
        let properties = unsafe { self.instance.raw.get_physical_device_format_properties(self.candidate.handle, format) };
        properties.optimal_tiling_features
    }

    /// Whether vertex attributes may have a format.
    pub fn vertex_format(&self, format: vk::Format) -> bool {
        // SAFETY: as above.
        let properties = unsafe { self.instance.raw.get_physical_device_format_properties(self.candidate.handle, format) };
        properties.buffer_features.contains(vk::FormatFeatureFlags::VERTEX_BUFFER)
    }

    /// Records commands with `record`, runs them and waits.
    ///
    /// # Errors
    /// The device fails, does not finish in time, or the validation layer complains.
    pub fn run(&mut self, what: &str, record: impl FnOnce(&vulkanalia::Device, vk::CommandBuffer)) -> Result<Timing> {
        if self.lost {
            return Err(RunError::new(ErrorKind::Device, "the device was given up"));
        }
        let begin = vk::CommandBufferBeginInfo::builder().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let raw = &self.raw;
        let cmd = self.commands;
        let timed = self.clock != vk::QueryPool::null();
        let started;
        // SAFETY: the command buffer is idle: every run waits for it. `record` uses objects that live until
        // the wait below ends; where the wait fails, the context is marked and frees nothing any more.
        unsafe {
            raw.begin_command_buffer(cmd, &begin).map_err(failed("record commands"))?;
            if timed {
                raw.cmd_reset_query_pool(cmd, self.clock, 0, 2);
                raw.cmd_write_timestamp(cmd, vk::PipelineStageFlags::TOP_OF_PIPE, self.clock, 0);
            }
            record(raw, cmd);
            if timed {
                raw.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, self.clock, 1);
            }
            raw.end_command_buffer(cmd).map_err(failed("record commands"))?;
            let cmds = [cmd];
            let submit = vk::SubmitInfo::builder().command_buffers(&cmds);
            started = Instant::now();
            let waited = raw.queue_submit(self.queue, &[submit], self.fence).and_then(|()| {
                let limit = u64::try_from(self.timeout.as_nanos()).unwrap_or(u64::MAX);
                raw.wait_for_fences(&[self.fence], true, limit)
            });
            match waited {
                Ok(vk::SuccessCode::TIMEOUT) => {
                    self.lost = true;
                    return Err(RunError::new(ErrorKind::Device, format!("the device did not {what} within {} s", self.timeout.as_secs())));
                }
                Ok(_) => {}
                Err(code) => {
                    self.lost = true;
                    return Err(failed(what)(code));
                }
            }
            raw.reset_fences(&[self.fence]).map_err(failed("reset a fence"))?;
        }
        let host = started.elapsed();
        let device = if timed { self.ticks()? } else { None };
        self.heard()?;
        Ok(Timing { host, device })
    }

    fn ticks(&self) -> Result<Option<Duration>> {
        let mut bytes = [0u8; 16];
        // SAFETY: both queries were written by the commands that just finished.
        unsafe {
            self.raw
                .get_query_pool_results(self.clock, 0, 2, &mut bytes, 8, vk::QueryResultFlags::_64 | vk::QueryResultFlags::WAIT)
                .map_err(failed("read its clock"))?;
        }
        let (a, b) = bytes.split_at(8);
        let read = |x: &[u8]| u64::from_le_bytes(x.try_into().unwrap_or_default());
        Ok(Some(self.between(read(a), read(b))))
    }

    /// The time between two timestamps.
    pub fn between(&self, a: u64, b: u64) -> Duration {
        let bits = self.candidate.timestamp_bits;
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let ticks = b.wrapping_sub(a) & mask;
        let period = f64::from(self.candidate.properties.limits.timestamp_period);
        Duration::from_nanos((ticks as f64 * period) as u64)
    }

    /// Turns what the validation layer said since the last call into an error.
    ///
    /// # Errors
    /// What it said.
    pub fn heard(&self) -> Result<()> {
        let Some(messages) = &self.instance.messages else {
            return Ok(());
        };
        let said = messages.lock().map(|mut list| std::mem::take(&mut *list)).unwrap_or_default();
        if said.is_empty() {
            return Ok(());
        }
        let mut e = RunError::new(ErrorKind::Validation, format!("the validation layer reports {} error(s)", said.len()));
        e.notes = said;
        Err(e)
    }

    /// Forgets what the validation layer said, as far as it is known to be false here.
    pub fn forget(&self, is_false: impl Fn(&str) -> bool) {
        if let Some(messages) = &self.instance.messages
            && let Ok(mut list) = messages.lock()
        {
            list.retain(|text| !is_false(text));
        }
    }

    /// Whether objects may still be destroyed.
    pub fn alive(&self) -> bool {
        !self.lost
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.lost {
            return;
        }
        // SAFETY: the queue is idle, and the structures that own the other objects of this device are dropped
        // before its context.
        unsafe {
            self.memory.free_all(&self.raw);
            self.raw.destroy_query_pool(self.clock, None);
            self.raw.destroy_fence(self.fence, None);
            self.raw.destroy_command_pool(self.pool, None);
            self.raw.destroy_device(None);
        }
    }
}

/// The device for the layer below.
fn describe_device(
    instance: &Instance,
    candidate: &Candidate,
    raw: &vulkanalia::Device,
    extensions: &FxHashSet<String>,
    features: &mut Chain,
) -> Result<Device> {
    let names: Vec<&str> = extensions.iter().map(String::as_str).collect();
    let core = features.core();
    // SAFETY: the handles belong together; the context owns the device, and its owner drops everything that was made from it before.
    features.with(extensions, |next| unsafe {
        Device::new(&Handles {
            get_instance_proc_addr: instance.get_proc_addr,
            instance: InstanceV1_0::handle(&instance.raw).as_raw() as u64,
            physical_device: candidate.handle.as_raw() as u64,
            device: DeviceV1_0::handle(raw).as_raw() as u64,
            api_version: candidate.properties.api_version,
            queue_families: &[candidate.family],
            extensions: &names,
            features: EnabledFeatures::Chain { next, core: std::ptr::from_ref(&core).cast() },
            allocation_callbacks: std::ptr::null(),
        })
    })
}

fn describe(c: &Candidate, features: &mut Chain) -> DeviceInfo {
    const SHOWN: [(&str, &str, &str); 9] = [
        ("ray_query", "rayQuery", ""),
        ("position_fetch", "rayTracingPositionFetch", ""),
        ("reorder_ext", "rayTracingInvocationReorder", "VK_EXT_ray_tracing_invocation_reorder"),
        ("reorder_nv", "rayTracingInvocationReorder", "VK_NV_ray_tracing_invocation_reorder"),
        ("clusters_nv", "clusterAccelerationStructure", ""),
        ("partitioned_top_levels_nv", "partitionedAccelerationStructure", ""),
        ("int64", "shaderInt64", ""),
        ("float16", "shaderFloat16", ""),
        ("null_descriptor", "nullDescriptor", ""),
    ];
    let api = c.properties.api_version;
    DeviceInfo {
        name: c.name.clone(),
        driver: c.driver.clone(),
        api: format!("Vulkan {}.{}.{}", vk::version_major(api), vk::version_minor(api), vk::version_patch(api)),
        software_driver: !c.is_gpu(),
        max_recursion: c.pipeline.max_ray_recursion_depth,
        max_attribute_size: c.pipeline.max_ray_hit_attribute_size,
        max_record_size: c.pipeline.max_shader_group_stride,
        wave_lanes: c.waves.subgroup_size,
        features: SHOWN
            .iter()
            .map(|(shown, name, extension)| {
                let mut rows = ROWS.iter().filter(|r| r.name == *name && (extension.is_empty() || r.extension == *extension));
                (*shown, rows.any(|r| features.has(r)))
            })
            .collect(),
    }
}
