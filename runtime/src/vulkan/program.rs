//! A loaded package on the device: descriptor sets from its binding map, the pipeline from its state
//! object, and the resources that are bound.

use super::context::Context;
use super::descriptors::Descriptors;
use super::failure::failed;
use super::tables::Tables;
use super::vk;
use crate::device::ProgramOptions;
use crate::error::{ErrorKind, Result, RunError};
use crate::library::Library;
use crate::state_object::{PIPELINE_ALLOW_MICROMAPS, PIPELINE_SKIP_PROCEDURAL, PIPELINE_SKIP_TRIANGLES};
use rtc_dxil_container::ShaderKind;
use rtc_tables::hit_lowering::RECORDER;
use rustc_hash::FxHashMap;
use std::ffi::CString;
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder, KhrRayTracingPipelineExtensionDeviceCommands};

/// A program. Must be freed with [`GpuProgram::destroy`].
pub(super) struct GpuProgram {
    /// The package and what follows from it.
    pub library: Library,
    /// Its sets, and what is in them.
    pub descriptors: Descriptors,
    /// Its ray-tracing pipeline; null if it has no such shaders.
    pub pipeline: vk::Pipeline,
    /// The pipelines of its compute shaders, by name in the module.
    pub compute: FxHashMap<String, vk::Pipeline>,
    /// Name of an export or hit group → its shader group handle.
    pub handles: FxHashMap<String, Vec<u8>>,
    /// Its modules, as [`Library::module_of`] counts them; draws make their pipelines of them.
    pub modules: Vec<vk::ShaderModule>,
    /// Its shader tables, when they are set.
    pub tables: Option<Tables>,
}

impl GpuProgram {
    /// Loads a package.
    ///
    /// # Errors
    /// The package is damaged or its subobjects form no pipeline; more than the device allows; a failure of the device.
    pub fn load(context: &mut Context, package: &[u8], options: &ProgramOptions) -> Result<GpuProgram> {
        let first = [(options.name.as_str(), package)];
        let additional = options.additional.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let packages: Vec<_> = first.into_iter().chain(additional).collect();
        let library = Library::read_all(&packages, &options.overrides)?;
        check(context, &library)?;
        let descriptors = Descriptors::new(context, &library, options.unbounded)?;
        let mut program = GpuProgram {
            library,
            descriptors,
            pipeline: vk::Pipeline::null(),
            compute: FxHashMap::default(),
            handles: FxHashMap::default(),
            modules: Vec::new(),
            tables: None,
        };
        match program.make(context) {
            Ok(()) => Ok(program),
            Err(e) => {
                program.destroy(context);
                Err(e)
            }
        }
    }

    fn make(&mut self, context: &mut Context) -> Result<()> {
        let own = std::iter::once(&self.library.package.spirv);
        for spirv in own.chain(&self.library.additional_modules) {
            let info = vk::ShaderModuleCreateInfo::builder().code_size(spirv.len() * 4).code(spirv);
            // SAFETY: destroyed with the program. Instruction lengths of the module were checked
            // when it was loaded; the compiler guarantees that the module is valid, and the digest detects
            // damage.
            let module = unsafe { context.raw.create_shader_module(&info, None) }.map_err(failed("take the shader module"))?;
            self.modules.push(module);
        }
        let names = self.pipelines(context)?;
        if names.is_empty() {
            return context.heard();
        }
        let size = context.candidate.pipeline.shader_group_handle_size as usize;
        let mut bytes = vec![0; size * names.len()];
        // SAFETY: the pipeline has this many groups, the buffer is large enough for their handles.
        unsafe {
            context
                .raw
                .get_ray_tracing_shader_group_handles_khr(self.pipeline, 0, names.len() as u32, &mut bytes)
                .map_err(failed("give the shader group handles"))?;
        }
        self.handles = names.into_iter().zip(bytes.chunks_exact(size).map(<[u8]>::to_vec)).collect();
        context.heard()
    }

    /// Makes all pipelines; gives the names of the groups of the ray-tracing pipeline.
    fn pipelines(&mut self, context: &mut Context) -> Result<Vec<String>> {
        for name in self.library.state.compute.clone() {
            let entry = self.library.compute(Some(&name))?.spirv_name.clone();
            let lanes = self.wave_lanes(context, &name)?;
            let module = self.modules[self.library.module_of(&name)];
            let pipeline = self.compute_pipeline(context, module, &entry, lanes)?;
            self.compute.insert(entry, pipeline);
        }
        if self.library.state.shaders.is_empty() {
            return Ok(Vec::new());
        }
        let (pipeline, names) = self.pipeline(context)?;
        self.pipeline = pipeline;
        Ok(names)
    }

    /// The number of lanes to request for a compute shader; none: the device's usual number is within its range.
    fn wave_lanes(&self, context: &mut Context, name: &str) -> Result<Option<u32>> {
        let Some((least, most)) = self.library.wave_lanes(name) else {
            return Ok(None);
        };
        let usual = context.candidate.wave_lanes;
        let (fewest, largest) = context.candidate.wave_range;
        let in_range = |n: &u32| (least..=most).contains(n) && (fewest..=largest).contains(n);
        let sizes = [usual, 4, 8, 16, 32, 64, 128];
        let requested = sizes.iter().copied().find(in_range);
        match requested {
            Some(n) if context.has("subgroupSizeControl") => Ok(Some(n)),
            _ if (least..=most).contains(&usual) => Ok(None),
            _ => Err(RunError::new(
                ErrorKind::Limit,
                format!(
                    "`{name}` requires waves of {} lanes, {} has {usual}",
                    if least == most { least.to_string() } else { format!("{least} to {most}") },
                    context.info.name
                ),
            )),
        }
    }

    fn compute_pipeline(&self, context: &mut Context, module: vk::ShaderModule, entry: &str, lanes: Option<u32>) -> Result<vk::Pipeline> {
        let name = c_name(entry)?;
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::builder().required_subgroup_size(lanes.unwrap_or(0));
        let mut stage =
            vk::PipelineShaderStageCreateInfo::builder().stage(vk::ShaderStageFlags::COMPUTE).module(module).name(name.as_bytes_with_nul());
        if lanes.is_some() {
            stage = stage.push_next(&mut size);
        }
        let info = vk::ComputePipelineCreateInfo::builder().stage(stage).layout(self.descriptors.layout);
        // SAFETY: everything that `info` points to lives until the call returns.
        let made = unsafe { context.raw.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        only_pipeline(context, made)
    }

    /// Makes the ray-tracing pipeline; also returns the name of each of its groups.
    fn pipeline(&self, context: &mut Context) -> Result<(vk::Pipeline, Vec<String>)> {
        let state = &self.library.state;
        let mut entry_names = Vec::with_capacity(state.shaders.len());
        let mut homes = Vec::with_capacity(state.shaders.len());
        for (i, s) in state.shaders.iter().enumerate() {
            let entry = self.library.entry(i).map_or("", |e| e.spirv_name.as_str());
            entry_names.push(c_name(entry)?);
            homes.push(self.modules[self.library.module_of(&s.name)]);
        }
        let lowering = self.library.package.map.lowering.as_ref();
        let kind = |s: ShaderKind| match (s, lowering) {
            (ShaderKind::ClosestHit, Some(_)) => ShaderKind::Miss,
            _ => s,
        };
        let mut kinds: Vec<ShaderKind> = state.shaders.iter().map(|s| kind(s.stage)).collect();
        // Recorders follow the library's own shaders.
        let mut recorders: Vec<&str> = Vec::new();
        for (_, name) in lowering.iter().flat_map(|l| &l.recorders) {
            if !recorders.contains(&name.as_str()) {
                recorders.push(name);
                entry_names.push(c_name(name)?);
                kinds.push(ShaderKind::ClosestHit);
                homes.push(self.modules[0]);
            }
        }
        let recorder = |name: &str| {
            let at = recorders.iter().position(|r| *r == name);
            at.map(|i| state.shaders.len() + i)
        };
        let stages: Vec<_> = kinds
            .iter()
            .zip(&entry_names)
            .zip(&homes)
            .map(|((s, name), module)| {
                vk::PipelineShaderStageCreateInfo::builder().stage(stage(*s)).module(*module).name(name.as_bytes_with_nul())
            })
            .collect();
        let mut groups = Vec::new();
        let mut names = Vec::new();
        for (i, s) in state.shaders.iter().enumerate().filter(|(_, s)| !kind(s.stage).is_in_hit_group()) {
            groups.push(group(vk::RayTracingShaderGroupTypeKHR::GENERAL, Some(i), None, None, None));
            names.push(match s.stage {
                ShaderKind::ClosestHit => invoked(&s.name),
                _ => s.name.clone(),
            });
        }
        for g in &state.groups {
            let kind = if g.procedural {
                vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP
            } else {
                vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP
            };
            let closest_hit = match lowering {
                Some(l) => recorder(&self.library.recorder(l, g)?),
                None => g.closest_hit,
            };
            groups.push(group(kind, None, closest_hit, g.any_hit, g.intersection));
            names.push(g.name.clone());
        }
        if let Some(only) = lowering.and_then(|l| recorder(l.recorder("")?)) {
            let kind = vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP;
            groups.push(group(kind, None, Some(only), None, None));
            names.push(RECORDER.to_string());
        }
        let config = state.pipeline_config;
        let mut flags = vk::PipelineCreateFlags::empty();
        for (bit, flag) in [
            (PIPELINE_SKIP_TRIANGLES, vk::PipelineCreateFlags::RAY_TRACING_SKIP_TRIANGLES_KHR),
            (PIPELINE_SKIP_PROCEDURAL, vk::PipelineCreateFlags::RAY_TRACING_SKIP_AABBS_KHR),
        ] {
            if config.flags & bit != 0 {
                flags |= flag;
            }
        }
        let info = vk::RayTracingPipelineCreateInfoKHR::builder()
            .flags(flags)
            .stages(&stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(config.max_recursion)
            .layout(self.descriptors.layout);
        // SAFETY: everything that `info` points to lives until the call returns.
        let made = unsafe {
            context.raw.create_ray_tracing_pipelines_khr(vk::DeferredOperationKHR::null(), vk::PipelineCache::null(), &[info], None)
        };
        Ok((only_pipeline(context, made)?, names))
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if let Some(mut tables) = self.tables.take() {
            tables.destroy(context);
        }
        self.descriptors.destroy(context);
        if context.alive() {
            // SAFETY: by the caller's promise.
            unsafe {
                context.raw.destroy_pipeline(self.pipeline, None);
                for pipeline in self.compute.values() {
                    context.raw.destroy_pipeline(*pipeline, None);
                }
                for module in &self.modules {
                    context.raw.destroy_shader_module(*module, None);
                }
            }
        }
    }
}

/// The name of the group with a closest-hit shader that is invoked as a miss shader.
pub(super) fn invoked(name: &str) -> String {
    format!("{name} as a miss shader")
}

/// The name of an entry point as Vulkan expects it.
pub(super) fn c_name(entry: &str) -> Result<CString> {
    CString::new(entry).map_err(|_| RunError::new(ErrorKind::Package, "part BMAP: an entry point's name contains a NUL"))
}

/// The pipeline that was made, or why there is none.
pub(super) fn only_pipeline(context: &mut Context, made: vulkanalia::VkSuccessResult<Vec<vk::Pipeline>>) -> Result<vk::Pipeline> {
    let (pipelines, _) = made.map_err(|code| {
        let e = failed("make the pipeline")(code);
        match context.heard() {
            Err(said) => said,
            Ok(()) => e.note(format!("device: {}", context.info.name)),
        }
    })?;
    pipelines.first().copied().ok_or_else(|| RunError::new(ErrorKind::Device, "the device made no pipeline"))
}

/// What the library asks for against what the device can do.
fn check(context: &mut Context, library: &Library) -> Result<()> {
    let state = &library.state;
    let limit = |why: String| Err(RunError::new(ErrorKind::Limit, why));
    let unmet = context.unmet(&library.package.map.requirements);
    let device = context.info.name.clone();
    if !unmet.is_empty() {
        let mut e = RunError::new(ErrorKind::Limit, format!("{device} cannot run this package"));
        e.notes = unmet;
        return Err(e);
    }
    let target = library.package.map.target.vulkan;
    let api = context.candidate.properties.api_version;
    if (vk::version_major(api), vk::version_minor(api)) < (target.major, target.minor) {
        return limit(format!("the package is made for Vulkan {target}, {device} has {}", context.info.api));
    }
    if state.pipeline_config.max_recursion > context.info.max_recursion {
        return limit(format!(
            "the pipeline config declares a recursion depth of {}, {device} allows {}",
            state.pipeline_config.max_recursion, context.info.max_recursion
        ));
    }
    if state.shader_config.max_attribute > context.info.max_attribute_size {
        return limit(format!(
            "the shader config declares {} bytes of hit attributes, {device} allows {}",
            state.shader_config.max_attribute, context.info.max_attribute_size
        ));
    }
    let skips = PIPELINE_SKIP_TRIANGLES | PIPELINE_SKIP_PROCEDURAL;
    if state.pipeline_config.flags & skips != 0 && !context.has("rayTraversalPrimitiveCulling") {
        return limit(format!("{device} cannot skip a kind of primitive (rayTraversalPrimitiveCulling)"));
    }
    if state.pipeline_config.flags & PIPELINE_ALLOW_MICROMAPS != 0 {
        let why = "the pipeline config allows opacity micromaps, which this runtime does not build on Vulkan";
        return Err(RunError::new(ErrorKind::NoDevice, why));
    }
    Ok(())
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

fn group(
    kind: vk::RayTracingShaderGroupTypeKHR,
    general: Option<usize>,
    closest_hit: Option<usize>,
    any_hit: Option<usize>,
    intersection: Option<usize>,
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
