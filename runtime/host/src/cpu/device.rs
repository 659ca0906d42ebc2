//! [`CpuDevice`]: the implementation of [`Device`] on the CPU.

use super::dispatch;
use super::jit::Cache;
use super::load::{LoadOptions, load};
use super::lower::LowerOptions;
use super::objects::Objects;
use super::operations;
use super::profile::{self, Profile};
use super::resources::{self, Bindings};
use super::sanitize::{self, Sanitizer};
use super::thread::context::{DispatchContext, Limits, Loaded, RESERVE};
use super::trace::{self, Tables};
use crate::device::{
    Accel, Addressed, BottomDesc, Buffer, Cluster, ClusterDesc, ClusterInstantiation, ClusterTemplate, ClusterTemplateDesc, Device,
    DeviceInfo, Feedback, FeedbackDesc, Image, ImageDesc, Inputs, MicromapArrayDesc, Micromaps, Operation, OperationSizes,
    PartitionedChanges, PartitionedDesc, Program, ProgramOptions, Resource, Sampler, SamplerDesc, ShaderTables, Slot, Timing, TopDesc,
};
use crate::error::{ErrorKind, Result, RunError};
use crate::finding::Finding;
use crate::library::Library;
use rtc_base::{EntityRef, PrimaryMap};
use std::time::{Duration, Instant};

/// Options of the device.
#[derive(Clone, Debug)]
pub struct CpuOptions {
    /// Execution limits of shaders.
    pub limits: Limits,
    /// Worker threads; 0: one per core.
    pub threads: usize,
    /// The cache of compiled objects.
    pub cache: Cache,
    /// Instrumentation options of the compiler.
    pub lower: LowerOptions,
    /// Whether ray dispatches are profiled.
    pub profile: bool,
}

impl Default for CpuOptions {
    /// All cores, the usual limits and cache.
    fn default() -> Self {
        CpuOptions { limits: Limits::default(), threads: 0, cache: Cache::from_env(), lower: LowerOptions::default(), profile: false }
    }
}

/// A loaded program with its bindings and shader tables.
struct Running {
    library: Library,
    loaded: Loaded,
    bindings: Bindings,
    handles: Vec<resources::Handle>,
    tables: Option<Tables>,
    records: Vec<resources::Record>,
    sanitizer: Option<Sanitizer>,
    /// How long LLVM and what is before it took.
    compiled: Duration,
}

/// The device.
pub struct CpuDevice {
    info: DeviceInfo,
    options: CpuOptions,
    pool: rayon::ThreadPool,
    objects: Objects,
    programs: PrimaryMap<Program, Running>,
    findings: Vec<Finding>,
    /// The profile of the last dispatch with each set of shader tables.
    profiles: Vec<profile::Report>,
    /// Shader tables were set and not dispatched yet.
    fresh: bool,
}

/// Maximum recursion depth that a pipeline may declare.
const MAX_RECURSION: u32 = 31;
/// Maximum size of a shader record in bytes.
const MAX_RECORD: u32 = 4096;

impl CpuDevice {
    /// Opens the device.
    ///
    /// # Errors
    /// The threads cannot be created.
    pub fn open(options: CpuOptions) -> Result<CpuDevice> {
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(options.limits.stack + RESERVE)
            .thread_name(|n| format!("rtc-cpu-{n}"))
            .build()
            .map_err(|e| RunError::new(ErrorKind::Device, format!("cannot create threads: {e}")))?;
        let features = [
            "ray_query",
            "position_fetch",
            "reorder",
            "hit_objects",
            "opacity_micromaps",
            "clusters",
            "partitioned_top_levels",
            "sampler_feedback",
        ];
        let info = DeviceInfo {
            name: "CPU".into(),
            driver: format!("LLVM 19, {threads} threads"),
            api: "DXIL".into(),
            software_driver: false,
            max_recursion: MAX_RECURSION,
            max_attribute_size: 32,
            max_record_size: MAX_RECORD,
            wave_lanes: options.limits.lanes,
            features: features.map(|f| (f, true)).to_vec(),
        };
        Ok(CpuDevice {
            info,
            options,
            pool,
            objects: Objects::default(),
            programs: PrimaryMap::new(),
            findings: Vec::new(),
            profiles: Vec::new(),
            fresh: true,
        })
    }

    /// Removes and returns the sanitizer's findings.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Removes and returns the profiles of ray dispatches. Of consecutive dispatches with the same shader tables, only the last
    /// is kept.
    pub fn take_profiles(&mut self) -> Vec<profile::Report> {
        std::mem::take(&mut self.profiles)
    }

    fn program(&mut self, program: Program) -> Result<&mut Running> {
        let there = program.index() < self.programs.len();
        there.then(|| &mut self.programs[program]).ok_or_else(|| unknown(program))
    }

    /// Runs something with the dispatch context of a program.
    fn with_machine(
        &mut self,
        program: Program,
        profile: Option<&Profile>,
        run: impl FnOnce(&DispatchContext<'_>) -> Result<()> + Send,
    ) -> Result<Timing> {
        self.program(program)?;
        let p = &self.programs[program];
        let empty = Tables::default();
        let tables = p.tables.as_ref().unwrap_or(&empty);
        let machine = DispatchContext {
            program: &p.loaded,
            library: &p.library,
            bindings: &p.bindings,
            objects: &self.objects,
            handles: &p.handles,
            records: &p.records,
            tables,
            limits: self.options.limits,
            sanitizer: p.sanitizer.as_ref(),
            profile,
        };
        let started = Instant::now();
        let done = self.pool.install(|| run(&machine));
        let took = started.elapsed();
        // Findings before a thread failed are reported too.
        if let Some(sanitizer) = machine.sanitizer {
            let found = sanitizer.take();
            self.findings.extend(found.iter().map(|f| sanitize::describe(&machine, f)));
        }
        done?;
        Ok(Timing { host: took, device: Some(took) })
    }
}

fn unknown(what: impl std::fmt::Display) -> RunError {
    RunError::new(ErrorKind::Device, format!("unknown {what}"))
}

impl Device for CpuDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn create_buffer(&mut self, size: u64, data: &[u8]) -> Result<Buffer> {
        self.objects.create_buffer(size, data)
    }
    fn write_buffer(&mut self, buffer: Buffer, offset: u64, data: &[u8]) -> Result<()> {
        self.objects.write_buffer(buffer, offset, data)
    }
    fn read_buffer(&mut self, buffer: Buffer) -> Result<Vec<u8>> {
        self.objects.read_buffer(buffer)
    }
    fn create_image(&mut self, desc: &ImageDesc, data: &[u8]) -> Result<Image> {
        self.objects.create_image(desc, data)
    }
    fn read_image(&mut self, image: Image) -> Result<Vec<u8>> {
        self.objects.read_image(image)
    }
    fn create_sampler(&mut self, desc: &SamplerDesc) -> Result<Sampler> {
        Ok(self.objects.samplers.push(*desc))
    }
    fn create_feedback(&mut self, desc: &FeedbackDesc) -> Result<Feedback> {
        self.objects.create_feedback(desc)
    }
    fn read_feedback(&mut self, feedback: Feedback) -> Result<Vec<u8>> {
        self.objects.read_feedback(feedback)
    }
    fn write_feedback(&mut self, feedback: Feedback, bytes: &[u8]) -> Result<()> {
        self.objects.write_feedback(feedback, bytes)
    }

    fn build_bottom(&mut self, desc: &BottomDesc) -> Result<Accel> {
        self.pool.install(|| self.objects.build_bottom(desc))
    }
    fn update_bottom(&mut self, accel: Accel, desc: &BottomDesc) -> Result<()> {
        self.pool.install(|| self.objects.update_bottom(accel, desc))
    }
    fn build_top(&mut self, desc: &TopDesc) -> Result<Accel> {
        self.pool.install(|| self.objects.build_top(desc))
    }
    fn update_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        self.pool.install(|| self.objects.update_top(accel, desc))
    }
    fn rebuild_top(&mut self, accel: Accel, desc: &TopDesc) -> Result<()> {
        self.pool.install(|| self.objects.rebuild_top(accel, desc))
    }
    fn build_micromaps(&mut self, desc: &MicromapArrayDesc) -> Result<Micromaps> {
        self.objects.build_micromaps(desc)
    }
    fn build_cluster(&mut self, desc: &ClusterDesc) -> Result<Cluster> {
        self.objects.build_cluster(desc)
    }
    fn build_cluster_template(&mut self, desc: &ClusterTemplateDesc) -> Result<ClusterTemplate> {
        self.objects.build_cluster_template(desc)
    }
    fn instantiate_cluster(&mut self, desc: &ClusterInstantiation) -> Result<Cluster> {
        self.objects.instantiate_cluster(desc)
    }
    fn build_bottom_of_clusters(&mut self, clusters: &[Option<Cluster>]) -> Result<Accel> {
        self.objects.build_bottom_of_clusters(clusters)
    }
    fn build_partitioned(&mut self, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<Accel> {
        self.objects.build_partitioned(desc, changes)
    }
    fn update_partitioned(&mut self, accel: Accel, desc: &PartitionedDesc, changes: &PartitionedChanges) -> Result<()> {
        self.objects.update_partitioned(accel, desc, changes)
    }
    fn address(&self, of: Addressed) -> Result<u64> {
        self.objects.address(of)
    }
    fn accel_at(&mut self, address: u64) -> Result<Accel> {
        self.objects.accel_at(address)
    }
    fn operation_sizes(&self, inputs: &Inputs) -> Result<OperationSizes> {
        operations::prebuild(inputs)
    }
    fn execute_operations(&mut self, list: &[Operation]) -> Result<()> {
        self.pool.install(|| self.objects.execute_operations(list))
    }
    fn serialize_micromaps(&mut self, micromaps: Micromaps) -> Result<Vec<u8>> {
        self.objects.serialize_micromaps(micromaps)
    }
    fn deserialize_micromaps(&mut self, bytes: &[u8]) -> Result<Micromaps> {
        self.objects.deserialize_micromaps(bytes)
    }
    fn decode_micromaps(&mut self, micromaps: Micromaps) -> Result<MicromapArrayDesc> {
        self.objects.decode_micromaps(micromaps)
    }
    fn clone_micromaps(&mut self, micromaps: Micromaps) -> Result<Micromaps> {
        self.objects.clone_micromaps(micromaps)
    }
    fn compact(&mut self, accel: Accel) -> Result<(u64, u64)> {
        self.objects.compact(accel)
    }
    fn clone_accel(&mut self, accel: Accel) -> Result<Accel> {
        self.objects.clone_accel(accel)
    }
    fn serialize_accel(&mut self, accel: Accel) -> Result<Vec<u8>> {
        self.objects.serialize_accel(accel)
    }
    fn deserialize_accel(&mut self, bytes: &[u8], bottoms: &[Accel]) -> Result<Accel> {
        self.objects.deserialize_accel(bytes, bottoms)
    }
    fn accel_size(&self, accel: Accel) -> Result<u64> {
        self.objects.accel_size(accel)
    }

    fn load(&mut self, package: &[u8], options: &ProgramOptions) -> Result<Program> {
        let how = LoadOptions { lower: self.options.lower, cache: self.options.cache.clone() };
        let started = Instant::now();
        let (library, loaded) = self.pool.install(|| load(package, options, &how))?;
        let compiled = started.elapsed();
        let deepest = library.state.pipeline_config.max_recursion;
        if deepest > MAX_RECURSION {
            let why = format!("the pipeline declares a recursion of {deepest}, this device allows {MAX_RECURSION}");
            return Err(RunError::new(ErrorKind::Limit, why));
        }
        let bindings = Bindings::new(&loaded.resources, &library.static_samplers, options.unbounded)?;
        let handles = bindings.handles(None);
        let sanitizer = self.options.lower.sanitize.then(Sanitizer::default);
        Ok(self.programs.push(Running { library, loaded, bindings, handles, tables: None, records: Vec::new(), sanitizer, compiled }))
    }
    fn load_steps(&self, program: Program) -> Vec<(&'static str, Duration)> {
        let there = program.index() < self.programs.len();
        if there { vec![("compile", self.programs[program].compiled)] } else { Vec::new() }
    }
    fn library(&self, program: Program) -> Result<&Library> {
        let there = program.index() < self.programs.len();
        there.then(|| &self.programs[program].library).ok_or_else(|| unknown(program))
    }
    fn set(&mut self, program: Program, slot: &Slot, element: u32, resource: Resource) -> Result<()> {
        let descriptor = self.objects.descriptor(resource)?;
        self.program(program)?.bindings.set(slot, element, descriptor)
    }
    fn set_tables(&mut self, program: Program, tables: &ShaderTables) -> Result<()> {
        self.program(program)?;
        let p = &self.programs[program];
        let made = Tables::new(&p.library, &p.loaded, tables, &self.objects)?;
        let records = trace::build::arguments(&p.library, &made, &self.objects, &p.bindings)?;
        let running = &mut self.programs[program];
        (running.tables, running.records) = (Some(made), records);
        self.fresh = true;
        Ok(())
    }
    fn dispatch_groups(&mut self, program: Program, entry: Option<&str>, groups: [u32; 3]) -> Result<Timing> {
        self.with_machine(program, None, |machine| dispatch::groups(machine, entry, groups))
    }
    fn dispatch(&mut self, program: Program, size: [u32; 3]) -> Result<Timing> {
        if self.program(program)?.tables.is_none() {
            return Err(RunError::new(ErrorKind::Binding, "the shader tables are not set"));
        }
        let tables = self.programs[program].tables.as_ref().filter(|_| self.options.profile);
        let shaders = &self.programs[program].loaded.shaders;
        let profile = tables.map(|tables| Profile::new(tables, size, self.pool.current_num_threads()).weighing(tables, shaders));
        let timing = self.with_machine(program, profile.as_ref(), |machine| dispatch::rays(machine, size))?;
        if let Some(profile) = profile {
            if !std::mem::take(&mut self.fresh) {
                self.profiles.pop();
            }
            self.profiles.push(profile.finish(&self.programs[program].loaded));
        }
        Ok(timing)
    }
}
