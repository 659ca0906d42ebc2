//! The compilation of one Vulkan pipeline: all that its create information points to, held together until the driver is done.
//!
//! A *part* is the state object of one library in a pipeline. Vulkan compiles a part into a pipeline of its own, or into a pipeline library
//! that other pipelines are linked from.

use super::device::Device;
use super::layout::Layout;
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result};
use crate::library::Library;
use crate::stack::Member;
use crate::state_object::{PIPELINE_ALLOW_CLUSTERS, PIPELINE_ALLOW_MICROMAPS, PIPELINE_SKIP_PROCEDURAL, PIPELINE_SKIP_TRIANGLES};
use crate::tables::invoked;
use rtc_dxil_container::ShaderKind;
use rtc_tables::hit_lowering::{MISSED, RECORDER};
use std::ffi::CString;
use std::sync::Arc;
use vulkanalia::vk::{DeviceV1_0, Handle, KhrDeferredHostOperationsExtensionDeviceCommands};

/// A shader group of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PartGroup {
    /// Its export or hit group.
    pub name: String,
    /// The shaders that it has, and the stage of the first that is in no hit group.
    pub members: Vec<Member>,
    /// The stage of a general group.
    pub stage: Option<ShaderKind>,
}

/// What all parts of a pipeline must have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interface {
    /// Bytes of payloads.
    pub payload: u32,
    /// Bytes of hit attributes.
    pub attributes: u32,
    /// Recursion depth.
    pub recursion: u32,
    /// Flags of the pipeline config.
    pub config_flags: u32,
    /// More `VkPipelineCreateFlags`.
    pub create_flags: u32,
    /// The stack size is set by a command.
    pub dynamic_stack: bool,
}

/// A library compiled, or to be compiled together with a pipeline.
pub(super) struct Part {
    pub library: Arc<Library>,
    pub groups: Vec<PartGroup>,
    /// The pipeline library; null for a part that was compiled with its pipeline.
    pub raw: vk::Pipeline,
    device: Device,
}

impl Drop for Part {
    fn drop(&mut self) {
        // SAFETY: pipelines keep the parts that they were linked from, and the caller no longer uses those.
        unsafe { self.device.raw().destroy_pipeline(self.raw, self.device.callbacks()) };
    }
}

/// What a compilation makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// A pipeline to dispatch with.
    Executable,
    /// A pipeline library.
    Library,
}

/// Create information with everything that it points to. The pointers stay valid because what they point to lies on the heap and
/// is not changed after [`Plan::link`].
pub(super) struct Plan {
    device: Device,
    layout: Layout,
    /// The library that is compiled, if any.
    pub library: Option<Arc<Library>>,
    /// Its groups.
    pub groups: Vec<PartGroup>,
    /// The parts that are linked.
    pub parts: Vec<Arc<Part>>,
    modules: Vec<vk::ShaderModule>,
    names: Vec<CString>,
    stages: Vec<vk::PipelineShaderStageCreateInfo>,
    /// Of each stage.
    constants: Vec<Option<Constants>>,
    raw_groups: Vec<vk::RayTracingShaderGroupCreateInfoKHR>,
    raw_parts: Vec<vk::Pipeline>,
    boxed: Box<Infos>,
}

/// The values of a stage's constants.
#[derive(Default)]
struct Constants {
    data: Vec<u8>,
    entries: Vec<vk::SpecializationMapEntry>,
    info: vk::SpecializationInfo,
}

impl Constants {
    /// Values by number; none if there are none.
    fn new(values: &[(u32, &[u8])]) -> Option<Constants> {
        if values.is_empty() {
            return None;
        }
        let mut out = Constants::default();
        for (id, bytes) in values {
            out.entries.push(vk::SpecializationMapEntry { constant_id: *id, offset: out.data.len() as u32, size: bytes.len() });
            out.data.extend_from_slice(bytes);
            // Each value begins at a multiple of its size.
            out.data.resize(out.data.len().next_multiple_of(8), 0);
        }
        out.info = vk::SpecializationInfo {
            map_entry_count: out.entries.len() as u32,
            map_entries: out.entries.as_ptr(),
            data_size: out.data.len(),
            data: out.data.as_ptr().cast(),
        };
        Some(out)
    }
}

#[derive(Default)]
struct Infos {
    libraries: vk::PipelineLibraryCreateInfoKHR,
    interface: vk::RayTracingPipelineInterfaceCreateInfoKHR,
    dynamic: vk::PipelineDynamicStateCreateInfo,
    states: [vk::DynamicState; 1],
    clusters: vk::RayTracingPipelineClusterAccelerationStructureCreateInfoNV,
    pipeline: vk::RayTracingPipelineCreateInfoKHR,
}

// SAFETY: the pointers lead to memory that the plan owns and that does not change after it is linked.
unsafe impl Send for Plan {}
// SAFETY: as above.
unsafe impl Sync for Plan {}

impl Drop for Plan {
    fn drop(&mut self) {
        for module in &self.modules {
            // SAFETY: the compilation that used them is over.
            unsafe { self.device.raw().destroy_shader_module(*module, self.device.callbacks()) };
        }
    }
}

impl Plan {
    /// A plan without shaders.
    pub fn new(layout: &Layout) -> Plan {
        Plan {
            device: layout.device().clone(),
            layout: layout.clone(),
            library: None,
            groups: Vec::new(),
            parts: Vec::new(),
            modules: Vec::new(),
            names: Vec::new(),
            stages: Vec::new(),
            constants: Vec::new(),
            raw_groups: Vec::new(),
            raw_parts: Vec::new(),
            boxed: Box::default(),
        }
    }

    /// Takes the shaders and groups of a library.
    pub fn add_library(&mut self, library: &Arc<Library>) -> Result<()> {
        let raw = self.device.raw();
        let own = std::iter::once(&library.package.spirv);
        for spirv in own.chain(&library.additional_modules) {
            let info = vk::ShaderModuleCreateInfo { code_size: spirv.len() * 4, code: spirv.as_ptr(), ..Default::default() };
            // SAFETY: destroyed with the plan. Instruction lengths of the module were checked when the package was read; the compiler
            // guarantees that the module is valid, and the digest detects damage.
            let module = unsafe { raw.create_shader_module(&info, self.device.callbacks()) }.map_err(failed("take the shader module"))?;
            self.modules.push(module);
        }
        let state = &library.state;
        let lowering = library.package.map.lowering.as_ref();
        let missed = lowering.and_then(|l| l.missed.as_deref());
        let lowering = lowering.filter(|l| l.records());
        let kind = |s: ShaderKind| match (s, lowering) {
            (ShaderKind::ClosestHit, Some(_)) => ShaderKind::Miss,
            _ => s,
        };
        let mut kinds = Vec::with_capacity(state.shaders.len());
        let mut homes = Vec::with_capacity(state.shaders.len());
        for (i, s) in state.shaders.iter().enumerate() {
            self.names.push(c_name(library.entry(i).map_or("", |e| e.spirv_name.as_str()))?);
            homes.push(self.modules[library.module_of(&s.name)]);
            kinds.push(kind(s.stage));
        }
        // Recorders follow the library's own shaders.
        let mut recorders: Vec<&str> = Vec::new();
        for (_, name) in lowering.iter().flat_map(|l| &l.recorders) {
            if !recorders.contains(&name.as_str()) {
                recorders.push(name);
                self.names.push(c_name(name)?);
                kinds.push(ShaderKind::ClosestHit);
                homes.push(self.modules[0]);
            }
        }
        if let Some(name) = missed {
            self.names.push(c_name(name)?);
            kinds.push(ShaderKind::Miss);
            homes.push(self.modules[0]);
        }
        // The shaders that resume rays come last, each with the constants of its own.
        let mut resumes: Vec<(&str, &str)> = Vec::new();
        for (shader, entry) in library.resumes() {
            resumes.push((entry.export.as_str(), shader));
            self.names.push(c_name(&entry.spirv_name)?);
            kinds.push(ShaderKind::RayGeneration);
            homes.push(self.modules[library.module_of(&entry.export)]);
        }
        let first_resume = kinds.len() - resumes.len();
        let recorder = |name: &str| recorders.iter().position(|r| *r == name).map(|i| state.shaders.len() + i);
        for (i, ((kind, name), module)) in kinds.iter().zip(&self.names).zip(&homes).enumerate() {
            // Recorders have the values that all exports have.
            let resumed = i.checked_sub(first_resume).and_then(|r| resumes.get(r)).map(|r| r.1);
            let export = state.shaders.get(i).map(|s| s.name.as_str()).or(resumed).unwrap_or_default();
            self.constants.push(Constants::new(&library.values_of(export)));
            self.stages.push(vk::PipelineShaderStageCreateInfo {
                stage: stage(*kind),
                module: *module,
                name: name.as_ptr(),
                ..Default::default()
            });
        }
        for (i, s) in state.shaders.iter().enumerate().filter(|(_, s)| !kind(s.stage).is_in_hit_group()) {
            self.raw_groups.push(group(vk::RayTracingShaderGroupTypeKHR::GENERAL, Some(i), [None; 3]));
            let name = if s.stage == ShaderKind::ClosestHit { invoked(&s.name) } else { s.name.clone() };
            self.groups.push(PartGroup { name, members: vec![Member::General], stage: Some(kind(s.stage)) });
        }
        for g in &state.groups {
            let kind = match g.procedural {
                true => vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP,
                false => vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP,
            };
            let closest_hit = match lowering {
                Some(l) => recorder(&library.recorder(l, g)?),
                None => g.closest_hit,
            };
            self.raw_groups.push(group(kind, None, [closest_hit, g.any_hit, g.intersection]));
            let has = [(closest_hit, Member::ClosestHit), (g.any_hit, Member::AnyHit), (g.intersection, Member::Intersection)];
            let members = has.into_iter().filter(|m| m.0.is_some()).map(|m| m.1).collect();
            self.groups.push(PartGroup { name: g.name.clone(), members, stage: None });
        }
        if let Some(only) = lowering.and_then(|l| recorder(l.recorder("")?)) {
            self.raw_groups.push(group(vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP, None, [Some(only), None, None]));
            self.groups.push(PartGroup { name: RECORDER.to_string(), members: vec![Member::ClosestHit], stage: None });
        }
        if missed.is_some() {
            // It follows the library's own shaders.
            self.raw_groups.push(group(vk::RayTracingShaderGroupTypeKHR::GENERAL, Some(state.shaders.len()), [None; 3]));
            self.groups.push(PartGroup { name: MISSED.to_string(), members: vec![Member::General], stage: Some(ShaderKind::Miss) });
        }
        for (i, (name, _)) in resumes.iter().enumerate() {
            self.raw_groups.push(group(vk::RayTracingShaderGroupTypeKHR::GENERAL, Some(first_resume + i), [None; 3]));
            let stage = Some(ShaderKind::RayGeneration);
            self.groups.push(PartGroup { name: name.to_string(), members: vec![Member::General], stage });
        }
        self.library = Some(library.clone());
        Ok(())
    }

    /// Takes parts to link.
    pub fn add_parts(&mut self, parts: &[Arc<Part>]) {
        self.parts.extend(parts.iter().cloned());
        self.raw_parts.extend(parts.iter().map(|p| p.raw));
    }

    /// Sets the pointers of the create information.
    fn link(&mut self, interface: &Interface, goal: Goal) {
        let mut flags = vk::PipelineCreateFlags::from_bits_truncate(interface.create_flags);
        for (bit, flag) in [
            (PIPELINE_SKIP_TRIANGLES, vk::PipelineCreateFlags::RAY_TRACING_SKIP_TRIANGLES_KHR),
            (PIPELINE_SKIP_PROCEDURAL, vk::PipelineCreateFlags::RAY_TRACING_SKIP_AABBS_KHR),
            (PIPELINE_ALLOW_MICROMAPS, vk::PipelineCreateFlags::RAY_TRACING_OPACITY_MICROMAP_EXT),
        ] {
            if interface.config_flags & bit != 0 {
                flags |= flag;
            }
        }
        if goal == Goal::Library {
            flags |= vk::PipelineCreateFlags::LIBRARY_KHR;
        }
        for (stage, constants) in self.stages.iter_mut().zip(&self.constants) {
            stage.specialization_info = constants.as_ref().map_or(std::ptr::null(), |c| &c.info);
        }
        let infos = &mut *self.boxed;
        infos.pipeline = vk::RayTracingPipelineCreateInfoKHR {
            flags,
            stage_count: self.stages.len() as u32,
            stages: self.stages.as_ptr(),
            group_count: self.raw_groups.len() as u32,
            groups: self.raw_groups.as_ptr(),
            max_pipeline_ray_recursion_depth: interface.recursion,
            layout: self.layout.raw(),
            base_pipeline_index: -1,
            ..Default::default()
        };
        infos.interface = vk::RayTracingPipelineInterfaceCreateInfoKHR {
            max_pipeline_ray_payload_size: interface.payload,
            max_pipeline_ray_hit_attribute_size: interface.attributes,
            ..Default::default()
        };
        infos.libraries = vk::PipelineLibraryCreateInfoKHR {
            library_count: self.raw_parts.len() as u32,
            libraries: self.raw_parts.as_ptr(),
            ..Default::default()
        };
        if goal == Goal::Library || !self.raw_parts.is_empty() {
            infos.pipeline.library_interface = &infos.interface;
        }
        if !self.raw_parts.is_empty() {
            infos.pipeline.library_info = &infos.libraries;
        }
        infos.states = [vk::DynamicState::RAY_TRACING_PIPELINE_STACK_SIZE_KHR];
        infos.dynamic =
            vk::PipelineDynamicStateCreateInfo { dynamic_state_count: 1, dynamic_states: infos.states.as_ptr(), ..Default::default() };
        if interface.dynamic_stack {
            infos.pipeline.dynamic_state = &infos.dynamic;
        }
        if interface.config_flags & PIPELINE_ALLOW_CLUSTERS != 0 {
            infos.clusters.allow_cluster_acceleration_structure = vk::TRUE;
            infos.pipeline.next = std::ptr::from_mut(&mut infos.clusters).cast();
        }
    }

    /// Begins the compilation; with `deferred`, threads of the caller do it.
    pub fn start(mut self, interface: &Interface, goal: Goal, cache: vk::PipelineCache, deferred: bool) -> Result<Running> {
        self.link(interface, goal);
        let device = self.device.clone();
        let raw = device.raw();
        let operation = match deferred {
            // SAFETY: destroyed with the running compilation.
            true => unsafe { raw.create_deferred_operation_khr(device.callbacks()) }.map_err(failed("make a deferred operation"))?,
            false => vk::DeferredOperationKHR::null(),
        };
        let mut running = Running { plan: self, operation, result: Box::new(vk::Pipeline::null()), begun: vk::Result::SUCCESS };
        let callbacks = device.callbacks().map_or(std::ptr::null(), std::ptr::from_ref);
        let create = vulkanalia::vk::DeviceV1_0::commands(raw).create_ray_tracing_pipelines_khr;
        // SAFETY: everything that the create information points to, and the place of the result, is owned by `running`, which waits for the
        // operation before it is dropped.
        running.begun = unsafe {
            create(raw.handle(), operation, cache, 1, &running.plan.boxed.pipeline, callbacks, std::ptr::from_mut(&mut *running.result))
        };
        if running.begun.as_raw() < 0 {
            return Err(failed("make the pipeline")(running.begun.into()).note(format!("device: {}", device.name())));
        }
        Ok(running)
    }
}

/// A compilation that may still be going on.
pub(super) struct Running {
    pub plan: Plan,
    operation: vk::DeferredOperationKHR,
    result: Box<vk::Pipeline>,
    begun: vk::Result,
}

// SAFETY: the place of the result is written by the driver while threads join, and read after the end alone.
unsafe impl Sync for Running {}

impl Running {
    fn is_deferred(&self) -> bool {
        self.begun == vk::Result::OPERATION_DEFERRED_KHR
    }

    /// How many threads may join with profit.
    pub fn max_concurrency(&self) -> u32 {
        if !self.is_deferred() {
            return 0;
        }
        // SAFETY: the operation lives.
        unsafe { self.plan.device.raw().get_deferred_operation_max_concurrency_khr(self.operation) }
    }

    /// Works until this thread has nothing left to do; whether the whole is complete.
    pub fn join(&self) -> Result<bool> {
        if !self.is_deferred() {
            return Ok(true);
        }
        // SAFETY: as above; several threads may join.
        match unsafe { self.plan.device.raw().deferred_operation_join_khr(self.operation) } {
            Ok(vk::SuccessCode::THREAD_DONE_KHR | vk::SuccessCode::THREAD_IDLE_KHR) => Ok(self.is_complete()),
            Ok(_) => Ok(true),
            Err(code) => Err(failed("compile a pipeline in parts")(code)),
        }
    }

    /// Whether the compilation is over.
    pub fn is_complete(&self) -> bool {
        if !self.is_deferred() {
            return true;
        }
        // SAFETY: as above.
        let result = unsafe { self.plan.device.raw().get_deferred_operation_result_khr(self.operation) };
        !matches!(result, Ok(vk::SuccessCode::NOT_READY))
    }

    /// Does what is left on this thread, and gives the pipeline.
    pub fn finish(mut self) -> Result<(vk::Pipeline, Plan)> {
        while !self.join()? {
            std::thread::yield_now();
        }
        if self.is_deferred() {
            // SAFETY: as above.
            let result = unsafe { self.plan.device.raw().get_deferred_operation_result_khr(self.operation) };
            result.map_err(failed("make the pipeline"))?;
        }
        let made = std::mem::replace(&mut *self.result, vk::Pipeline::null());
        let empty = Plan::new(&self.plan.layout);
        let plan = std::mem::replace(&mut self.plan, empty);
        if made.is_null() {
            return Err(Error::new(ErrorKind::Device, "the device made no pipeline"));
        }
        Ok((made, plan))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A deferred operation must be complete before it is destroyed.
        while self.is_deferred() && !matches!(self.join(), Ok(true) | Err(_)) {
            std::thread::yield_now();
        }
        let device = &self.plan.device;
        // SAFETY: the operation is complete; `result` is null if `finish` returned the pipeline, and nothing else has its handle if not.
        unsafe {
            if !self.operation.is_null() {
                device.raw().destroy_deferred_operation_khr(self.operation, device.callbacks());
            }
            device.raw().destroy_pipeline(*self.result, device.callbacks());
        }
    }
}

/// A part of the library of a plan.
pub(super) fn part(device: &Device, plan: &Plan, library: &Arc<Library>, raw: vk::Pipeline) -> Arc<Part> {
    Arc::new(Part { library: library.clone(), groups: plan.groups.clone(), raw, device: device.clone() })
}

/// The name of an entry point as Vulkan expects it.
fn c_name(entry: &str) -> Result<CString> {
    CString::new(entry).map_err(|_| Error::new(ErrorKind::Package, "part BMAP: an entry point's name contains a NUL"))
}

fn stage(kind: ShaderKind) -> vk::ShaderStageFlags {
    match kind {
        ShaderKind::RayGeneration => vk::ShaderStageFlags::RAYGEN_KHR,
        ShaderKind::Intersection => vk::ShaderStageFlags::INTERSECTION_KHR,
        ShaderKind::AnyHit => vk::ShaderStageFlags::ANY_HIT_KHR,
        ShaderKind::ClosestHit => vk::ShaderStageFlags::CLOSEST_HIT_KHR,
        ShaderKind::Miss => vk::ShaderStageFlags::MISS_KHR,
        ShaderKind::Callable => vk::ShaderStageFlags::CALLABLE_KHR,
        other => rtc_base::bug!("a {other} shader in a ray-tracing pipeline"),
    }
}

/// A group: its general shader, or closest hit, any hit and intersection.
fn group(
    kind: vk::RayTracingShaderGroupTypeKHR,
    general: Option<usize>,
    [closest_hit, any_hit, intersection]: [Option<usize>; 3],
) -> vk::RayTracingShaderGroupCreateInfoKHR {
    let index = |i: Option<usize>| i.map_or(vk::SHADER_UNUSED_KHR, |i| i as u32);
    vk::RayTracingShaderGroupCreateInfoKHR {
        type_: kind,
        general_shader: index(general),
        closest_hit_shader: index(closest_hit),
        any_hit_shader: index(any_hit),
        intersection_shader: index(intersection),
        ..Default::default()
    }
}
