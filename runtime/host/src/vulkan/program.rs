//! A loaded package on the device: descriptor sets from its binding map, the pipeline from its state
//! object, and the resources that are bound.

use super::context::Context;
use super::descriptors::Descriptors;
use super::rays::{RayBuffers, unsorted};
use super::tables::Tables;

use super::vk;
use crate::device::ProgramOptions;
use crate::error::{ErrorKind, Result, RunError};
use crate::library::Library;
use crate::state_object::PIPELINE_ALLOW_MICROMAPS;
use rtc_engine::vulkan::{Pipeline, PipelineOptions, failed};
use rustc_hash::FxHashMap;
use std::ffi::CString;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vulkanalia::vk::{DeviceV1_0, Handle, HasBuilder};

/// A program. Must be freed with [`GpuProgram::destroy`].
pub(super) struct GpuProgram {
    /// The package and what follows from it.
    pub library: Arc<Library>,
    /// Its sets, and what is in them.
    pub descriptors: Descriptors,
    /// Its ray-tracing pipeline, if it has such shaders.
    pub pipeline: Option<Pipeline>,
    /// The pipelines of its compute shaders, by name in the module.
    pub compute: FxHashMap<String, vk::Pipeline>,
    /// Its modules, as [`Library::module_of`] counts them; draws make their pipelines of them.
    pub modules: Vec<vk::ShaderModule>,
    /// Its shader tables, when they are set.
    pub tables: Option<Tables>,
    /// The buffers of its divided shaders, if it has any.
    pub rays: Option<RayBuffers>,
    /// How long the parts of loading took.
    pub times: Vec<(&'static str, Duration)>,
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
        let mut times = Vec::new();
        let mut started = Instant::now();
        let mut time = |name| times.push((name, std::mem::replace(&mut started, Instant::now()).elapsed()));
        let mut library = Library::read_all(&packages, &options.overrides)?;
        library.state.warnings.extend(unsorted(context, &library));
        let library = Arc::new(library);
        check(context, &library)?;
        time("read");
        let descriptors = Descriptors::new(context, &library, options.unbounded)?;
        time("layout");
        let mut program = GpuProgram {
            library,
            descriptors,
            pipeline: None,
            compute: FxHashMap::default(),
            modules: Vec::new(),
            tables: None,
            rays: None,
            times: Vec::new(),
        };
        let made = program.make(context);
        time("pipelines");
        program.times = times;
        match made {
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
        self.pipelines(context)?;
        self.rays = RayBuffers::new(context, &self.library, &mut self.descriptors)?;
        context.heard()
    }

    /// Makes all pipelines.
    fn pipelines(&mut self, context: &mut Context) -> Result<()> {
        for name in self.library.state.compute.clone() {
            let entry = self.library.compute(Some(&name))?.spirv_name.clone();
            let lanes = self.wave_lanes(context, &name)?;
            let module = self.modules[self.library.module_of(&name)];
            let pipeline = self.compute_pipeline(context, module, &entry, lanes)?;
            self.compute.insert(entry, pipeline);
        }
        let Some(layouts) = self.descriptors.layouts.as_ref().filter(|_| !self.library.state.shaders.is_empty()) else {
            return Ok(());
        };
        let made = Pipeline::new(&self.library, layouts, &PipelineOptions::default());
        // What the validation layer says explains more.
        let said = context.heard();
        self.pipeline = Some(made.map_err(|e| said.err().unwrap_or(e))?);
        Ok(())
    }

    /// Its ray-tracing pipeline.
    ///
    /// # Errors
    /// It has none.
    pub fn raytracing(&self) -> Result<&Pipeline> {
        self.pipeline.as_ref().ok_or_else(|| RunError::new(ErrorKind::StateObject, "the library has no ray-tracing shader"))
    }

    /// The number of lanes to request for a compute shader; none: the device's usual number is within its range.
    fn wave_lanes(&self, context: &mut Context, name: &str) -> Result<Option<u32>> {
        let Some((least, most)) = self.library.wave_lanes(name) else {
            return Ok(None);
        };
        let usual = context.candidate.waves.subgroup_size;
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
        let info = vk::ComputePipelineCreateInfo::builder().stage(stage).layout(self.descriptors.layout());
        // SAFETY: everything that `info` points to lives until the call returns.
        let made = unsafe { context.raw.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        only_pipeline(context, made)
    }

    /// Frees it. Nothing on the device may use it any more.
    pub fn destroy(&mut self, context: &mut Context) {
        if let Some(mut tables) = self.tables.take() {
            tables.destroy(context);
        }
        match self.pipeline.take() {
            // Nothing of a device that did not answer is touched.
            Some(pipeline) if !context.alive() => std::mem::forget(pipeline),
            pipeline => drop(pipeline),
        }
        self.descriptors.destroy(context);
        if let Some(mut rays) = self.rays.take() {
            rays.destroy(context);
        }
        if context.alive() {
            // SAFETY: by the caller's promise.
            unsafe {
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
fn check(context: &Context, library: &Library) -> Result<()> {
    context.device.check_library(library)?;
    if library.state.pipeline_config.flags & PIPELINE_ALLOW_MICROMAPS != 0 && !context.has("micromap") {
        let why = "the pipeline config allows opacity micromaps, which this device does not have (VK_EXT_opacity_micromap)";
        return Err(RunError::new(ErrorKind::NoDevice, why));
    }
    Ok(())
}
