//! State objects on Vulkan: pipelines with shader identifiers, collections, additions, stack sizes.
//!
//! A pipeline that may grow is linked from *parts*, each the pipeline library of one state object. An addition compiles its own part alone
//! and links it with those of its parent. Vulkan gives the groups of each pipeline handles of its own, so an [`Identifier`] names a group of
//! a part: it stays valid in every pipeline that has the part, and [`Pipeline::handle`] gives the bytes for that pipeline.

use super::cache::DiskCache;
use super::device::Device;
use super::layout::Layout;
use super::parts::{Goal, Interface, Part, PartGroup, Plan, Running, part};
use super::requirements::{Requirements, Uses};
use super::{failed, vk};
use crate::error::{Error, ErrorKind, Result, list};
use crate::library::Library;
use crate::stack::{Member, StageStacks, parse_name};
use crate::state_object::{PIPELINE_ALLOW_CLUSTERS, PIPELINE_ALLOW_MICROMAPS};
use crate::tables::{Rules, ShaderTables, TableImage};
use rtc_dxil_container::ShaderKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use vulkanalia::vk::{DeviceV1_0, Handle, KhrRayTracingPipelineExtensionDeviceCommands};

/// How to make a pipeline.
#[derive(Clone, Copy, Default)]
pub struct PipelineOptions<'a> {
    /// [`Pipeline::add`] may be called. Needs `VK_KHR_pipeline_library`.
    pub allow_additions: bool,
    /// [`Pipeline::set_stack_size`] may be called; every dispatch sets the size then.
    pub dynamic_stack: bool,
    /// More `VkPipelineCreateFlags`, such as those that promise that no shader of a table is null.
    pub create_flags: u32,
    /// Where compiled code is kept.
    pub cache: Option<&'a DiskCache>,
}

/// A shader or hit group of a state object. It is the same in the state object's additions.
#[derive(Clone)]
pub struct Identifier {
    part: Arc<Part>,
    group: usize,
}

impl PartialEq for Identifier {
    fn eq(&self, other: &Identifier) -> bool {
        Arc::ptr_eq(&self.part, &other.part) && self.group == other.group
    }
}

impl std::fmt::Debug for Identifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Identifier({})", self.part.groups[self.group].name)
    }
}

/// A compiled state object that pipelines are linked from.
pub struct Collection {
    layout: Layout,
    interface: Interface,
    parts: Vec<Arc<Part>>,
}

/// A pipeline. Drop it when the device no longer uses it.
pub struct Pipeline {
    layout: Layout,
    interface: Interface,
    additions: bool,
    raw: vk::Pipeline,
    parts: Vec<Arc<Part>>,
    /// The first group of each part.
    first: Vec<u32>,
    handles: Vec<u8>,
    names: FxHashMap<String, (usize, usize)>,
    stack: AtomicU64,
}

impl std::fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pipeline({} parts, {} groups)", self.parts.len(), self.names.len())
    }
}

impl std::fmt::Debug for Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Collection({} parts)", self.parts.len())
    }
}

/// What the device and the layout say about a library, before it is compiled.
fn check(device: &Device, library: &Library, layout: &Layout, options: &PipelineOptions, linked: bool) -> Result<Interface> {
    let state = &library.state;
    if state.shaders.is_empty() {
        return Err(Error::new(ErrorKind::StateObject, "the library has no ray-tracing shader"));
    }
    device.check_library(library)?;
    if linked {
        device.check(&Requirements::of(&[], Uses { pipeline_libraries: true, ..Uses::default() }), "cannot link pipelines")?;
    }
    for (bit, what, feature, extension) in [
        (PIPELINE_ALLOW_MICROMAPS, "opacity micromaps", "micromap", "VK_EXT_opacity_micromap"),
        (PIPELINE_ALLOW_CLUSTERS, "clustered geometry", "clusterAccelerationStructure", "VK_NV_cluster_acceleration_structure"),
    ] {
        if state.pipeline_config.flags & bit != 0 && !device.enabled().has(feature) {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the pipeline config allows {what}, which {} lacks ({extension})", device.name()),
            ));
        }
    }
    layout.covers(library)?;
    let entries = &library.package.map.entries;
    let pays = |e: &&rtc_package::EntryPoint| e.stage.is_raytracing() && e.stage != ShaderKind::Callable;
    // With payload access qualifiers the declared size does not count.
    let payload = entries.iter().filter(pays).map(|e| e.payload_size).max().unwrap_or(0).max(state.shader_config.max_payload);
    Ok(Interface {
        payload,
        attributes: state.shader_config.max_attribute,
        recursion: state.pipeline_config.max_recursion,
        config_flags: state.pipeline_config.flags,
        create_flags: create_flags(options, layout),
        dynamic_stack: options.dynamic_stack,
    })
}

/// The flags of the options, and those that the layout demands.
fn create_flags(options: &PipelineOptions, layout: &Layout) -> u32 {
    let in_memory = if layout.in_memory() { vk::PipelineCreateFlags::DESCRIPTOR_BUFFER_EXT.bits() } else { 0 };
    options.create_flags | in_memory
}

impl Interface {
    /// An error unless a further state object fits one that was compiled with this interface.
    fn accepts(&self, other: &Interface, what: &str) -> Result<()> {
        let wrong = |why: String| Err(Error::new(ErrorKind::StateObject, format!("{what} does not fit: {why}")));
        if other.payload > self.payload {
            return wrong(format!("its payloads have up to {} bytes, those of the pipeline {}", other.payload, self.payload));
        }
        if other.attributes != self.attributes {
            return wrong(format!(
                "its shader config allows {} bytes of hit attributes, that of the pipeline {}",
                other.attributes, self.attributes
            ));
        }
        if other.recursion != self.recursion {
            return wrong(format!(
                "its pipeline config declares a recursion depth of {}, that of the pipeline {}",
                other.recursion, self.recursion
            ));
        }
        if (other.config_flags, other.create_flags) != (self.config_flags, self.create_flags) {
            return wrong("its pipeline flags are others than those of the pipeline".to_string());
        }
        if other.dynamic_stack != self.dynamic_stack {
            return wrong("one of them sets its stack size, the other does not".to_string());
        }
        Ok(())
    }

    /// An interface that fits both of two state objects that are compiled later.
    fn joined(mut self, other: Interface) -> Interface {
        self.payload = self.payload.max(other.payload);
        self
    }
}

fn raw_cache(cache: Option<&DiskCache>, device: &Device) -> Result<vk::PipelineCache> {
    match cache {
        None => Ok(vk::PipelineCache::null()),
        Some(cache) => {
            device.same(cache.device(), "the pipeline cache")?;
            Ok(cache.raw())
        }
    }
}

/// Names that two parts both have.
fn check_names<'a>(parts: impl Iterator<Item = &'a [PartGroup]>) -> Result<()> {
    let mut seen: FxHashMap<&str, ()> = FxHashMap::default();
    for group in parts.flatten() {
        if seen.insert(&group.name, ()).is_some() {
            return Err(Error::new(ErrorKind::StateObject, format!("`{}` is exported twice", group.name))
                .note("rename one export when its package is read"));
        }
    }
    Ok(())
}

/// The parts of the pipeline to link, and the compilation of the new one.
enum Stage {
    /// The whole pipeline at once.
    Whole(Running),
    /// A part; the pipeline is linked from it and others afterwards.
    Part(Running, Vec<Arc<Part>>),
}

/// A compilation that threads of the caller do, with deferred host operations.
///
/// Any thread may call [`Compilation::join`]; one calls [`Compilation::finish`].
pub struct Compilation {
    layout: Layout,
    interface: Interface,
    additions: bool,
    cache: vk::PipelineCache,
    stack: Option<u64>,
    stage: Stage,
}

impl Compilation {
    /// Begins to compile the pipeline of a library.
    ///
    /// # Errors
    /// See [`Pipeline::new`].
    pub fn new(library: &Arc<Library>, layout: &Layout, options: &PipelineOptions) -> Result<Compilation> {
        Compilation::begin(library, layout, options, true)
    }

    fn begin(library: &Arc<Library>, layout: &Layout, options: &PipelineOptions, deferred: bool) -> Result<Compilation> {
        let device = layout.device();
        let interface = check(device, library, layout, options, options.allow_additions)?;
        if options.allow_additions {
            check_tables(library, "a pipeline with additions")?;
        }
        let cache = raw_cache(options.cache, device)?;
        let mut plan = Plan::new(layout);
        plan.add_library(library)?;
        let goal = if options.allow_additions { Goal::Library } else { Goal::Executable };
        let running = plan.start(&interface, goal, cache, deferred)?;
        let stage = if options.allow_additions { Stage::Part(running, Vec::new()) } else { Stage::Whole(running) };
        Ok(Compilation { layout: layout.clone(), interface, additions: options.allow_additions, cache, stack: None, stage })
    }

    fn running(&self) -> &Running {
        match &self.stage {
            Stage::Whole(running) | Stage::Part(running, _) => running,
        }
    }

    /// How many threads may join with profit; 0: the driver has finished already.
    pub fn max_concurrency(&self) -> u32 {
        self.running().max_concurrency()
    }

    /// Works on the compilation until this thread has nothing left to do; whether everything is done.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn join(&self) -> Result<bool> {
        self.running().join()
    }

    /// Whether nothing is left to do.
    pub fn is_complete(&self) -> bool {
        self.running().is_complete()
    }

    /// Does what is left on this thread, and gives the pipeline.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn finish(self) -> Result<Pipeline> {
        let Compilation { layout, interface, additions, cache, stack, stage } = self;
        let device = layout.device().clone();
        match stage {
            Stage::Whole(running) => {
                let (raw, plan) = running.finish()?;
                let parts = plan.library.iter().map(|library| part(&device, &plan, library, vk::Pipeline::null())).collect();
                Pipeline::of(layout, interface, additions, raw, parts, stack)
            }
            Stage::Part(running, mut parts) => {
                let (raw, plan) = running.finish()?;
                parts.extend(plan.library.iter().map(|library| part(&device, &plan, library, raw)));
                link(layout, interface, additions, cache, parts, stack)
            }
        }
    }
}

/// A library whose shader tables are not those of others is a pipeline of its own.
fn check_tables(library: &Library, what: &str) -> Result<()> {
    match library.own_tables() {
        None => Ok(()),
        Some((why, note)) => Err(Error::new(ErrorKind::StateObject, format!("a library with {why} cannot be in {what}")).note(note)),
    }
}

fn link(
    layout: Layout,
    interface: Interface,
    additions: bool,
    cache: vk::PipelineCache,
    parts: Vec<Arc<Part>>,
    stack: Option<u64>,
) -> Result<Pipeline> {
    check_names(parts.iter().map(|p| p.groups.as_slice()))?;
    let mut plan = Plan::new(&layout);
    plan.add_parts(&parts);
    let (raw, _) = plan.start(&interface, Goal::Executable, cache, false)?.finish()?;
    Pipeline::of(layout, interface, additions, raw, parts, stack)
}

impl Collection {
    /// Compiles the state object of a library for later use in pipelines. Needs `VK_KHR_pipeline_library`.
    ///
    /// `payload` is the largest payload of the pipelines that will be linked from it, if that is more than the library's own.
    ///
    /// # Errors
    /// See [`Pipeline::new`].
    pub fn new(library: &Arc<Library>, layout: &Layout, payload: u32, options: &PipelineOptions) -> Result<Collection> {
        let device = layout.device();
        let mut interface = check(device, library, layout, options, true)?;
        check_tables(library, "a collection")?;
        interface.payload = interface.payload.max(payload);
        let mut plan = Plan::new(layout);
        plan.add_library(library)?;
        let running = plan.start(&interface, Goal::Library, raw_cache(options.cache, device)?, false)?;
        let (raw, plan) = running.finish()?;
        Ok(Collection { layout: layout.clone(), interface, parts: vec![part(device, &plan, library, raw)] })
    }
}

impl Pipeline {
    /// Compiles the pipeline of a library.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`]: more than the device allows, or something that it lacks. [`ErrorKind::Binding`]: the layout has no room for a
    /// resource. [`ErrorKind::StateObject`]: the library has no ray-tracing shader. [`ErrorKind::Device`]: the driver failed.
    pub fn new(library: &Arc<Library>, layout: &Layout, options: &PipelineOptions) -> Result<Pipeline> {
        Compilation::begin(library, layout, options, false)?.finish()
    }

    /// Links a pipeline from collections.
    ///
    /// # Errors
    /// They do not fit together: another device or layout, other configurations, a name that two export. See [`Pipeline::new`].
    pub fn link(collections: &[&Collection], options: &PipelineOptions) -> Result<Pipeline> {
        let Some(first) = collections.first() else {
            return Err(Error::new(ErrorKind::StateObject, "a pipeline of no collections"));
        };
        let device = first.layout.device();
        for (i, c) in collections.iter().enumerate() {
            device.same(c.layout.device(), &format!("collection {i}"))?;
            first.interface.accepts(&c.interface, &format!("collection {i}"))?;
            if c.interface.payload != first.interface.payload {
                return Err(Error::new(
                    ErrorKind::StateObject,
                    format!(
                        "collection {i} was made for payloads of {} bytes, the first for {}",
                        c.interface.payload, first.interface.payload
                    ),
                )
                .note("give all collections of a pipeline one payload size"));
            }
            if c.layout.handle() != first.layout.handle() {
                return Err(Error::new(ErrorKind::StateObject, format!("collection {i} was made with another layout")));
            }
        }
        let mut interface = first.interface;
        interface.create_flags = create_flags(options, &first.layout);
        first.interface.accepts(&Interface { dynamic_stack: options.dynamic_stack, ..interface }, "the pipeline")?;
        let parts = collections.iter().flat_map(|c| c.parts.iter().cloned()).collect();
        link(first.layout.clone(), interface, options.allow_additions, raw_cache(options.cache, device)?, parts, None)
    }

    /// A pipeline with what this one has and the shaders of a further library, which alone are compiled. Identifiers of this pipeline are
    /// valid in the new one, which also has its stack size. This pipeline stays as it is.
    ///
    /// # Errors
    /// This pipeline allows no additions; the library has a name of this one, another configuration, larger payloads, or a resource
    /// that the layout does not have. See [`Pipeline::new`].
    pub fn add(&self, library: &Arc<Library>, options: &PipelineOptions) -> Result<Pipeline> {
        self.compile_addition(library, options, false)?.finish()
    }

    /// Begins [`Pipeline::add`] for threads of the caller.
    ///
    /// # Errors
    /// See [`Pipeline::add`].
    pub fn add_deferred(&self, library: &Arc<Library>, options: &PipelineOptions) -> Result<Compilation> {
        self.compile_addition(library, options, true)
    }

    fn compile_addition(&self, library: &Arc<Library>, options: &PipelineOptions, deferred: bool) -> Result<Compilation> {
        if !self.additions || !options.allow_additions {
            let which = if self.additions { "the addition" } else { "the pipeline" };
            return Err(Error::new(ErrorKind::StateObject, format!("{which} was not made to allow additions")));
        }
        check_tables(library, "an addition")?;
        let device = self.device();
        let own = check(device, library, &self.layout, options, true)?;
        self.interface.accepts(&own, "the addition")?;
        let cache = raw_cache(options.cache, device)?;
        let mut plan = Plan::new(&self.layout);
        plan.add_library(library)?;
        check_names(self.parts.iter().map(|p| p.groups.as_slice()).chain([plan.groups.as_slice()]))?;
        let running = plan.start(&self.interface, Goal::Library, cache, deferred)?;
        let stack = self.interface.dynamic_stack.then(|| self.stack_size()).filter(|s| *s != 0);
        Ok(Compilation {
            layout: self.layout.clone(),
            interface: self.interface.joined(own),
            additions: true,
            cache,
            stack,
            stage: Stage::Part(running, self.parts.clone()),
        })
    }

    fn of(
        layout: Layout,
        interface: Interface,
        additions: bool,
        raw: vk::Pipeline,
        parts: Vec<Arc<Part>>,
        stack: Option<u64>,
    ) -> Result<Pipeline> {
        let mut first = Vec::with_capacity(parts.len());
        let mut names = FxHashMap::default();
        let mut count = 0u32;
        for (p, part) in parts.iter().enumerate() {
            first.push(count);
            count += part.groups.len() as u32;
            names.extend(part.groups.iter().enumerate().map(|(g, group)| (group.name.clone(), (p, g))));
        }
        let device = layout.device().clone();
        let size = device.limits().handle_size as usize;
        let mut pipeline = Pipeline {
            layout,
            interface,
            additions,
            raw,
            parts,
            first,
            handles: vec![0; size * count as usize],
            names,
            stack: AtomicU64::new(0),
        };
        // SAFETY: the pipeline has this many groups, the buffer has room for their handles.
        unsafe { device.raw().get_ray_tracing_shader_group_handles_khr(raw, 0, count, &mut pipeline.handles) }
            .map_err(failed("give the shader group handles"))?;
        let stack = stack.unwrap_or_else(|| pipeline.default_stack_size());
        pipeline.stack = AtomicU64::new(stack);
        Ok(pipeline)
    }

    /// `VkPipeline`.
    pub fn handle_raw(&self) -> u64 {
        self.raw.as_raw()
    }

    /// The layout that it was made with.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The device that it belongs to.
    pub fn device(&self) -> &Device {
        self.layout.device()
    }

    /// The libraries that it has, the oldest first.
    pub fn libraries(&self) -> impl Iterator<Item = &Arc<Library>> {
        self.parts.iter().map(|p| &p.library)
    }

    /// Names of all shaders and hit groups that records may hold.
    pub fn names(&self) -> Vec<&str> {
        self.libraries().flat_map(|l| l.record_names()).collect()
    }

    /// The library that exports a name.
    pub fn library_of(&self, name: &str) -> Option<&Library> {
        self.names.get(name).map(|(part, _)| &*self.parts[*part].library)
    }

    /// The identifier of a ray generation, miss or callable shader or of a hit group; none: there is none of that name.
    pub fn identifier(&self, name: &str) -> Option<Identifier> {
        self.names.get(name).map(|&(part, group)| Identifier { part: self.parts[part].clone(), group })
    }

    /// The bytes of an identifier for records that this pipeline uses.
    ///
    /// # Errors
    /// [`ErrorKind::StateObject`]: the identifier is of a state object that this one was not made from.
    pub fn handle(&self, identifier: &Identifier) -> Result<&[u8]> {
        let part = self.parts.iter().position(|p| Arc::ptr_eq(p, &identifier.part)).ok_or_else(|| {
            let name = &identifier.part.groups[identifier.group].name;
            Error::new(
                ErrorKind::StateObject,
                format!("the identifier of `{name}` is of a state object that this pipeline was not made from"),
            )
        })?;
        Ok(self.group_handle(part, identifier.group))
    }

    /// The bytes of the identifier of a name.
    ///
    /// # Errors
    /// There is none of that name; the note lists the names.
    pub fn handle_of(&self, name: &str) -> Result<&[u8]> {
        match self.names.get(name) {
            Some(&(part, group)) => Ok(self.group_handle(part, group)),
            None => Err(Error::new(ErrorKind::StateObject, format!("the pipeline has no shader or hit group `{name}`"))
                .note(format!("it has {}", list(self.names())))),
        }
    }

    fn group_handle(&self, part: usize, group: usize) -> &[u8] {
        let size = self.device().limits().handle_size as usize;
        let at = (self.first[part] as usize + group) * size;
        &self.handles[at..at + size]
    }

    /// What the device demands of the shader tables of this pipeline.
    pub fn table_rules(&self) -> Rules {
        let limits = self.device().limits();
        Rules {
            handle_size: limits.handle_size.into(),
            handle_alignment: limits.handle_alignment.into(),
            base_alignment: limits.base_alignment.into(),
            max_stride: limits.max_stride.into(),
        }
    }

    /// Encodes shader tables for this pipeline.
    ///
    /// # Errors
    /// A name that is not exported or of another stage, arguments that do not fit, records that are too long.
    pub fn tables(&self, tables: &ShaderTables) -> Result<TableImage> {
        let library_of = |name: &str| self.library_of(name);
        let handle_of = |name: &str| self.handle_of(name).ok().map(<[u8]>::to_vec);
        TableImage::new(tables, self.table_rules(), &library_of, &handle_of, &self.parts[0].library)
    }

    /// Bytes of stack that a shader needs: of a ray generation, miss or callable shader by its name, of the shaders of a hit group by
    /// `Group::closesthit`, `Group::anyhit` and `Group::intersection`. None: there is no such shader.
    pub fn shader_stack_size(&self, name: &str) -> Option<u64> {
        let (name, member) = parse_name(name)?;
        let &(part, group) = self.names.get(name)?;
        let has = self.parts[part].groups[group].members.contains(&member);
        has.then(|| self.member_stack(part, group, member))
    }

    fn member_stack(&self, part: usize, group: usize, member: Member) -> u64 {
        let which = match member {
            Member::General => vk::ShaderGroupShaderKHR::GENERAL,
            Member::ClosestHit => vk::ShaderGroupShaderKHR::CLOSEST_HIT,
            Member::AnyHit => vk::ShaderGroupShaderKHR::ANY_HIT,
            Member::Intersection => vk::ShaderGroupShaderKHR::INTERSECTION,
        };
        let index = self.first[part] + group as u32;
        // SAFETY: the group exists and has this shader.
        unsafe { self.device().raw().get_ray_tracing_shader_group_stack_size_khr(self.raw, index, which) }
    }

    /// What the hungriest shader of each stage needs.
    pub fn stage_stacks(&self) -> StageStacks {
        let mut out = StageStacks::default();
        for (p, part) in self.parts.iter().enumerate() {
            for (g, group) in part.groups.iter().enumerate() {
                for member in &group.members {
                    let size = self.member_stack(p, g, *member);
                    let of = match (member, group.stage) {
                        (Member::ClosestHit, _) => &mut out.closest_hit,
                        (Member::AnyHit, _) => &mut out.any_hit,
                        (Member::Intersection, _) => &mut out.intersection,
                        (Member::General, Some(ShaderKind::Miss)) => &mut out.miss,
                        (Member::General, Some(ShaderKind::Callable)) => &mut out.callable,
                        (Member::General, _) => &mut out.raygen,
                    };
                    *of = size.max(*of);
                }
            }
        }
        out
    }

    /// The size by the formula of the specification.
    pub fn default_stack_size(&self) -> u64 {
        self.stage_stacks().default_size(self.interface.recursion)
    }

    /// The size that is set.
    pub fn stack_size(&self) -> u64 {
        self.stack.load(Ordering::Relaxed)
    }

    /// Sets the size for dispatches that are recorded from now on. As in D3D12, a size of 0xffffffff or more is ignored.
    ///
    /// # Errors
    /// [`ErrorKind::StateObject`]: the pipeline was not made with [`PipelineOptions::dynamic_stack`].
    pub fn set_stack_size(&self, bytes: u64) -> Result<()> {
        if !self.interface.dynamic_stack {
            return Err(Error::new(ErrorKind::StateObject, "the pipeline was not made to have its stack size set"));
        }
        if bytes < u64::from(u32::MAX) {
            self.stack.store(bytes, Ordering::Relaxed);
        }
        Ok(())
    }

    pub(super) fn dynamic_stack(&self) -> bool {
        self.interface.dynamic_stack
    }

    pub(super) fn raw(&self) -> vk::Pipeline {
        self.raw
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        let device = self.device().clone();
        // SAFETY: by the caller's promise the device no longer uses it.
        unsafe { device.raw().destroy_pipeline(self.raw, device.callbacks()) };
    }
}
