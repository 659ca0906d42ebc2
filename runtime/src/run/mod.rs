//! Execution of a scene on a device: creates and binds resources, builds acceleration structures, dispatches, and writes results.
//!
//! Files are written last and atomically: a run that fails leaves none.

mod draws;
mod expectations;
mod indirect_builds;
mod structures;

use crate::checks::Checks;
use crate::device::{
    Accel, Argument, Device, DeviceInfo, Feedback, FeedbackDesc, Format, Image, ImageDesc, Program, ProgramOptions, Record, RenderTarget,
    Resource, ShaderTables, Slot, Timing,
};
use crate::error::{ErrorKind, Result, RunError, list};
use crate::picture;
use crate::results::{buffer_json, image_file, target_file};
use crate::scene::{
    BufferContents, BufferSource, Dispatch, Scene, SceneArgument, SceneRecord, SourceLocation, Target, VertexData, mesh_bytes,
};
use rtc_dxil_container::ShaderKind;
use rtc_package::RequirementKind;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How to run a scene.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Which device: an index, part of its name, [`CPU`] or [`VULKAN`].
    pub device: Option<String>,
    /// The folder for the files of the scene's `save` keys; created if it does not exist.
    pub output: PathBuf,
    /// How long one dispatch may take.
    pub timeout: Duration,
    /// How often each dispatch runs, over what the scene says: to measure.
    pub repeat: Option<u32>,
    /// Further packages in the same pipeline, with their names.
    pub additional: Vec<(String, Vec<u8>)>,
    /// The PNG that a profile of how coherent waves are goes to (CPU device): that of the first dispatch of rays; of others the
    /// file's name gets a number.
    #[cfg(feature = "cpu")]
    pub profile: Option<PathBuf>,
    /// How the CPU device is opened.
    #[cfg(feature = "cpu")]
    pub cpu: crate::cpu::device::CpuOptions,
}

impl Default for RunOptions {
    /// Any device, the current folder, five minutes, as often as the scene says.
    fn default() -> Self {
        RunOptions {
            device: None,
            output: PathBuf::from("."),
            timeout: Duration::from_secs(300),
            repeat: None,
            additional: Vec::new(),
            #[cfg(feature = "cpu")]
            profile: None,
            #[cfg(feature = "cpu")]
            cpu: Default::default(),
        }
    }
}

/// The report of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunReport {
    /// The device.
    pub device: DeviceInfo,
    /// Warnings.
    pub warnings: Vec<String>,
    /// How long the steps but the dispatch took, in order; `results` comes after it.
    pub steps: Vec<(&'static str, Duration)>,
    /// The dispatches, in order: which compute shader (none: rays), how many groups or rays, how often, how long in all.
    pub dispatches: Vec<DispatchReport>,
    /// The draws, in order.
    pub draws: Vec<DrawReport>,
    /// Files that were written.
    pub files: Vec<PathBuf>,
    /// Profiles of the CPU device, in words: one for each dispatch of rays.
    pub profiles: Vec<String>,
    /// Findings of the CPU device's sanitizer, a line each.
    pub findings: Vec<String>,
    /// Results of self-checking shaders, where the scene has a buffer for them.
    pub checks: Option<Checks>,
}

/// The report of a dispatch.
#[derive(Clone, PartialEq, Debug)]
pub struct DispatchReport {
    /// Whether it ran a compute shader.
    pub compute: bool,
    /// Rays or thread groups.
    pub size: [u32; 3],
    /// How many times.
    pub repeat: u32,
    /// How long, in all.
    pub time: Timing,
    /// How long the fastest took, by the device's clock if it has one.
    pub fastest: Duration,
}

/// The report of a draw.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawReport {
    /// What it drew, in words.
    pub what: String,
    /// How many times.
    pub repeat: u32,
    /// How long, in all.
    pub time: Timing,
}

impl std::fmt::Display for DrawReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "draw      {:.2} ms for {}", self.time.host.as_secs_f64() * 1e3, self.what)?;
        if self.repeat != 1 {
            write!(f, ", {} times", self.repeat)?;
        }
        match self.time.device {
            Some(device) => write!(f, " ({:.2} ms on the device)", device.as_secs_f64() * 1e3),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for DispatchReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |d: Duration| format!("{:.2} ms", d.as_secs_f64() * 1e3);
        let [w, h, d] = self.size;
        write!(f, "dispatch  {} for {w} x {h}", ms(self.time.host))?;
        if d != 1 {
            write!(f, " x {d}")?;
        }
        if self.compute {
            write!(f, " groups")?;
        }
        if self.repeat != 1 {
            write!(f, ", {} times", self.repeat)?;
        }
        if let Some(device) = self.time.device {
            write!(f, " ({} on the device)", ms(device))?;
        }
        if self.repeat > 1 {
            write!(f, ", the fastest {}", ms(self.fastest))?;
        }
        Ok(())
    }
}

impl std::fmt::Display for RunReport {
    /// Lines for people: device, steps, files.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |d: Duration| format!("{:.2} ms", d.as_secs_f64() * 1e3);
        writeln!(f, "device    {} ({}, {})", self.device.name, self.device.api, self.device.driver)?;
        let is_result = |s: &&(&str, Duration)| s.0 == "results";
        for (step, time) in self.steps.iter().filter(|s| !is_result(s)) {
            writeln!(f, "{step:<9} {}", ms(*time))?;
        }
        for dispatch in &self.dispatches {
            writeln!(f, "{dispatch}")?;
        }
        for draw in &self.draws {
            writeln!(f, "{draw}")?;
        }
        for (step, time) in self.steps.iter().filter(is_result) {
            writeln!(f, "{step:<9} {}", ms(*time))?;
        }
        for file in &self.files {
            writeln!(f, "wrote     {}", file.display())?;
        }
        if let Some(c) = &self.checks {
            match c.threads {
                0 => writeln!(f, "checks    {}", c.made)?,
                threads => writeln!(f, "checks    {} in {threads} threads", c.made)?,
            }
        }
        for profile in &self.profiles {
            write!(f, "\n{profile}")?;
        }
        Ok(())
    }
}

/// Runs a scene on a device of this machine.
///
/// # Errors
/// See [`ErrorKind`]. The package is read before a device is chosen, since its requirements decide.
#[cfg(feature = "vulkan")]
pub fn run_scene(scene: &Scene, package: &[u8], options: &RunOptions) -> Result<RunReport> {
    if is_cpu(options.device.as_deref()) {
        return run_on_cpu(scene, package, options);
    }
    let started = Instant::now();
    let mut requirements = Vec::new();
    let additional = options.additional.iter().map(|b| b.1.as_slice());
    for bytes in std::iter::once(package).chain(additional) {
        let read = rtc_package::Package::read(bytes).map_err(crate::library::damaged)?;
        requirements.extend(read.map.requirements);
    }
    requirements.extend(draws::requirements(scene));
    let mut device = crate::vulkan::VulkanDevice::open(&crate::vulkan::OpenOptions {
        device: among_vulkan(options.device.as_deref()).map(str::to_string),
        requirements,
        timeout: options.timeout,
        ..Default::default()
    })?;
    let opened = started.elapsed();
    let mut report = run_on(&mut device, scene, package, options)?;
    report.steps.insert(0, ("open", opened));
    Ok(report)
}

/// The SPIR-V extensions to compile for when no device of this machine can run a package: those of the device
/// that a package without requirements would get. None: the package requires no extension that this device lacks, so compiling it
/// again would not help.
///
/// # Errors
/// The package is damaged, or no device traces rays.
#[cfg(feature = "vulkan")]
pub fn extensions_to_name(package: &[u8], device: Option<&str>) -> Result<Option<Vec<&'static str>>> {
    let read = rtc_package::Package::read(package).map_err(crate::library::damaged)?;
    let has = crate::vulkan::spirv_extensions(among_vulkan(device))?;
    let mut required = read.map.requirements.iter().filter(|r| r.kind == RequirementKind::SpirvExtension);
    Ok(required.any(|r| !has.contains(&r.name.as_str())).then_some(has))
}

/// Runs a scene on a device of this machine.
///
/// # Errors
/// See [`ErrorKind`]; this build has the CPU device at most.
#[cfg(not(feature = "vulkan"))]
pub fn run_scene(scene: &Scene, package: &[u8], options: &RunOptions) -> Result<RunReport> {
    run_on_cpu(scene, package, options)
}

/// The name of the CPU device, which runs DXIL and not packages.
pub const CPU: &str = "cpu";

/// The name that selects any Vulkan device.
pub const VULKAN: &str = "vulkan";

/// The part of a device's name that chooses among those of Vulkan.
#[cfg(feature = "vulkan")]
fn among_vulkan(device: Option<&str>) -> Option<&str> {
    device.filter(|d| !d.eq_ignore_ascii_case(VULKAN))
}

/// Whether a device's name asks for the CPU device.
pub fn is_cpu(device: Option<&str>) -> bool {
    device.is_some_and(|d| d.eq_ignore_ascii_case(CPU))
}

/// Runs a scene on the CPU device; `container` is DXIL.
#[cfg(feature = "cpu")]
fn run_on_cpu(scene: &Scene, container: &[u8], options: &RunOptions) -> Result<RunReport> {
    if let Some(draw) = scene.draws.first() {
        let why = scene
            .error(&draw.location, "the CPU device runs compute and ray-tracing shaders and draws nothing: draws need a Vulkan device");
        return Err(RunError { kind: ErrorKind::NoDevice, ..why });
    }
    let started = Instant::now();
    let mut cpu = options.cpu.clone();
    cpu.profile |= options.profile.is_some();
    let mut device = crate::cpu::device::CpuDevice::open(cpu)?;
    let opened = started.elapsed();
    let done = run_on(&mut device, scene, container, options);
    let findings = device.take_findings();
    match done {
        Ok(mut report) => {
            report.steps.insert(0, ("open", opened));
            report.findings = findings;
            if let Some(file) = &options.profile {
                keep_profiles(&mut report, &device.take_profiles(), file)?;
            }
            Ok(report)
        }
        Err(e) => Err(findings.into_iter().fold(e, |e, f| e.note(format!("sanitizer: {f}")))),
    }
}

/// Adds profiles to a report, and writes their pictures to files.
#[cfg(feature = "cpu")]
fn keep_profiles(report: &mut RunReport, profiles: &[crate::cpu::profile::Report], file: &Path) -> Result<()> {
    if profiles.is_empty() {
        report.warnings.push("there is no profile: the scene dispatches no rays".into());
    }
    for (n, profile) in profiles.iter().enumerate() {
        let file = if n == 0 { file.to_path_buf() } else { file.with_extension(format!("{}.png", n + 1)) };
        match profile.heat_map() {
            Ok(bytes) => {
                picture::write_atomically(&file, &bytes)?;
                report.files.push(file);
            }
            Err(e) => report.warnings.push(e.to_string()),
        }
        report.profiles.push(profile.to_string());
    }
    Ok(())
}

/// There is no CPU device in this build.
#[cfg(not(feature = "cpu"))]
fn run_on_cpu(_scene: &Scene, _container: &[u8], _options: &RunOptions) -> Result<RunReport> {
    Err(RunError::new(ErrorKind::NoDevice, "this build has no CPU device")
        .note("build with the cargo feature `cpu`, which requires LLVM 19"))
}

/// Runs a scene on a device that is open.
///
/// # Errors
/// See [`ErrorKind`].
pub fn run_on(device: &mut dyn Device, scene: &Scene, package: &[u8], options: &RunOptions) -> Result<RunReport> {
    let mut steps = Vec::new();
    let mut started = Instant::now();
    let mut step = |name| {
        let now = Instant::now();
        steps.push((name, now - std::mem::replace(&mut started, now)));
    };
    let unbounded = slots(scene).map(|s| s.1.saturating_add(1)).max().unwrap_or(1);
    let load = ProgramOptions {
        unbounded,
        overrides: scene.overrides.clone(),
        name: scene.shader.file().display().to_string(),
        additional: options.additional.clone(),
    };
    let program = device.load(package, &load)?;
    step("pipeline");
    let mut run = Run {
        warnings: device.library(program)?.state.warnings.clone(),
        device,
        scene,
        program,
        buffers: FxHashMap::default(),
        accels: FxHashMap::default(),
        images: Vec::new(),
        pictures: FxHashMap::default(),
        feedbacks: Vec::new(),
        targets: FxHashMap::default(),
        inline: FxHashMap::default(),
        without_slot: names_without_slot(scene),
    };
    // A name that the library does not know is often the reason why another one is not set.
    let (dispatches, draws) = match run.dispatches(options.repeat, &mut step) {
        Ok(done) => done,
        Err(e) => return Err(run.warnings.iter().fold(e, |e, w| e.note(w))),
    };
    let mut started = Instant::now();
    let files = run.results(&options.output)?;
    let checks = run.checks()?;
    for (path, bytes) in &files {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| RunError::io("make", folder, &e))?;
        }
        picture::write_atomically(path, bytes)?;
    }
    steps.push(("results", std::mem::replace(&mut started, Instant::now()).elapsed()));
    Ok(RunReport {
        device: run.device.info().clone(),
        warnings: run.warnings,
        steps,
        dispatches,
        draws,
        files: files.into_iter().map(|f| f.0).collect(),
        profiles: Vec::new(),
        findings: Vec::new(),
        checks,
    })
}

/// Every slot that the scene binds something to.
fn slots(scene: &Scene) -> impl Iterator<Item = &(Slot, u32)> {
    let targets = scene
        .constants
        .iter()
        .map(|x| &x.target)
        .chain(scene.buffers.iter().map(|x| &x.target))
        .chain(scene.textures.iter().map(|x| &x.target))
        .chain(scene.samplers.iter().map(|x| &x.target))
        .chain(scene.images.iter().map(|x| &x.target))
        .chain(scene.targets.iter().map(|x| &x.target))
        .chain(scene.feedbacks.iter().map(|x| &x.target))
        .chain(scene.accels.iter().map(|x| &x.target));
    targets.flat_map(|t| &t.slots)
}

/// Names that shader records, vertex attributes and indices refer to.
fn names_without_slot(scene: &Scene) -> Vec<String> {
    let arguments = scene.records().flat_map(|r| &r.arguments);
    let records = arguments.filter_map(|(_, a, _)| match a {
        SceneArgument::Buffer(name, _) | SceneArgument::Accel(name) => Some(name.clone()),
        SceneArgument::Constants(_) | SceneArgument::Index(_) => None,
    });
    let data = scene.draws.iter().flat_map(|d| d.attributes.iter().map(|a| &a.data).chain(d.indices.iter().map(|i| &i.data)));
    let vertices = data.filter_map(|d| match d {
        VertexData::Buffer(name) => Some(name.clone()),
        VertexData::Bytes(_) | VertexData::Mesh(..) => None,
    });
    records.chain(vertices).collect()
}

struct Run<'a> {
    device: &'a mut dyn Device,
    scene: &'a Scene,
    program: Program,
    /// Buffers by name in the scene, with their sizes.
    buffers: FxHashMap<&'a str, crate::device::Buffer>,
    accels: FxHashMap<&'a str, Accel>,
    images: Vec<Image>,
    /// Images and textures by name.
    pictures: FxHashMap<&'a str, Image>,
    feedbacks: Vec<Feedback>,
    /// Render targets by name.
    targets: FxHashMap<&'a str, RenderTarget>,
    /// Buffers with the data of vertices and indices, by their bytes.
    inline: FxHashMap<Vec<u8>, crate::device::Buffer>,
    /// Names that shader records and vertices use, which need no slot.
    without_slot: Vec<String>,
    warnings: Vec<String>,
}

impl<'a> Run<'a> {
    /// Binds a resource to its slots. A slot that the shaders do not have is a warning only, since the compiler removes unused
    /// resources. A dispatch fails if a used resource is not bound.
    fn bind(&mut self, target: &Target, resource: Resource) -> Result<()> {
        for (slot, element) in &target.slots {
            let library = self.device.library(self.program)?;
            if let Err(e) = library.binding(slot) {
                if !self.without_slot.contains(&target.name) {
                    self.warnings.push(self.scene.at(&target.location, e).to_string());
                }
                continue;
            }
            self.device.set(self.program, slot, *element, resource).map_err(|e| self.scene.at(&target.location, e))?;
        }
        Ok(())
    }

    /// Creates everything and runs the dispatches and draws in the order of the file.
    fn dispatches(&mut self, repeat: Option<u32>, step: &mut impl FnMut(&'static str)) -> Result<(Vec<DispatchReport>, Vec<DrawReport>)> {
        self.resources()?;
        step("resources");
        self.structures()?;
        step("scene");
        let (mut dispatches, mut drawn) = (Vec::new(), Vec::new());
        let mut draws = self.scene.draws.iter().peekable();
        for d in &self.scene.dispatches {
            while let Some(before) = draws.next_if(|draw| draw.location.line < d.location.line) {
                drawn.push(self.draw(before, repeat.unwrap_or(before.repeat))?);
            }
            dispatches.push(self.dispatch(d, repeat.unwrap_or(d.repeat))?);
            self.remember()?;
        }
        for draw in draws {
            drawn.push(self.draw(draw, repeat.unwrap_or(draw.repeat))?);
        }
        Ok((dispatches, drawn))
    }

    fn resources(&mut self) -> Result<()> {
        let scene = self.scene;
        for c in &scene.constants {
            let at = |e| scene.at(&c.target.location, e);
            let buffer = self.device.create_buffer(c.bytes.len() as u64, &c.bytes).map_err(at)?;
            self.buffers.insert(&c.target.name, buffer);
            self.bind(&c.target, Resource::Buffer(buffer))?;
        }
        for b in &scene.buffers {
            let at = |e| scene.at(&b.target.location, e);
            let (size, bytes) = self.contents(b).map_err(at)?;
            let element = b.layout.iter().map(|t| t.stored_words() as u64 * 4).sum::<u64>();
            if size < element && !matches!(&b.contents, BufferContents::Bytes(_)) {
                let why = format!("an element of its layout has {element} bytes, but the buffer has {size}");
                return Err(scene.error(&b.target.location, why));
            }
            let buffer = self.device.create_buffer(size, &bytes).map_err(at)?;
            self.buffers.insert(&b.target.name, buffer);
            let resource = match b.format {
                Some(format) => Resource::Texels(buffer, format),
                None => Resource::Buffer(buffer),
            };
            self.bind(&b.target, resource)?;
        }
        for t in &scene.textures {
            let at = |e| scene.at(&t.target.location, e);
            let (width, height, texels) = picture::load(&scene.dir().join(&t.file)).map_err(at)?;
            let format = if t.srgb { Format::Rgba8UnormSrgb } else { Format::Rgba8Unorm };
            let desc = ImageDesc::flat(width, height, format, false);
            let image = self.device.create_image(&desc, &texels).map_err(at)?;
            self.pictures.insert(&t.target.name, image);
            self.bind(&t.target, Resource::Image(image))?;
        }
        for s in &scene.samplers {
            let at = |e| scene.at(&s.target.location, e);
            let sampler = self.device.create_sampler(&s.desc).map_err(at)?;
            self.bind(&s.target, Resource::Sampler(sampler))?;
        }
        for i in &scene.images {
            let at = |e| scene.at(&i.target.location, e);
            let image = self.device.create_image(&i.desc, &i.texels).map_err(at)?;
            self.images.push(image);
            self.pictures.insert(&i.target.name, image);
            self.bind(&i.target, Resource::Image(image))?;
        }
        for t in &scene.targets {
            let made = self.device.create_target(&t.desc).map_err(|e| scene.at(&t.target.location, e))?;
            self.targets.insert(&t.target.name, made);
            self.bind(&t.target, Resource::Target(made))?;
        }
        for f in &scene.feedbacks {
            let at = |e| scene.at(&f.target.location, e);
            // The scene was checked: it is there.
            let Some(&paired) = self.pictures.get(f.of.as_str()) else { continue };
            let desc = FeedbackDesc { kind: f.kind, paired, region: f.region };
            let map = self.device.create_feedback(&desc).map_err(at)?;
            self.feedbacks.push(map);
            self.bind(&f.target, Resource::Feedback(map))?;
        }
        Ok(())
    }

    fn contents(&self, b: &BufferSource) -> Result<(u64, Vec<u8>)> {
        let bytes = match &b.contents {
            BufferContents::Zero(size) => return Ok((*size, Vec::new())),
            BufferContents::Bytes(bytes) => bytes.clone(),
            BufferContents::File(file) => {
                let path = self.scene.dir().join(file);
                std::fs::read(&path).map_err(|e| RunError::io("read", &path, &e))?
            }
            BufferContents::Mesh(mesh, data) => mesh_bytes(&self.scene.meshes, mesh, data).unwrap_or_default(),
            BufferContents::Transforms(name, _) => {
                let instances = self.scene.accels.iter().filter(|a| a.target.name == *name).flat_map(|a| &a.instances);
                instances.flat_map(|i| i.transform.as_flattened().iter().flat_map(|x| x.to_le_bytes())).collect()
            }
        };
        Ok((bytes.len() as u64, bytes))
    }

    /// Acceleration structures: one bottom level for each mesh that instances name, whatever their number.
    fn structures(&mut self) -> Result<()> {
        let scene = self.scene;
        let package = &self.device.library(self.program)?.package;
        let positions =
            package.map.requirements.iter().any(|r| r.kind == RequirementKind::DeviceFeature && r.name == "rayTracingPositionFetch");
        let mut built = structures::Bottoms::new(scene);
        for a in &scene.accels {
            let at = |e| scene.at(&a.target.location, e);
            let mut flags = a.flags;
            flags.allow_data_access = positions;
            let top = built.top(self.device, a, flags).map_err(|e| match e.kind {
                ErrorKind::Scene => e,
                _ => at(e),
            })?;
            self.accels.insert(&a.target.name, top);
            self.bind(&a.target, Resource::Accel(top))?;
        }
        Ok(())
    }

    /// Runs one dispatch, `repeat` times.
    fn dispatch(&mut self, d: &Dispatch, repeat: u32) -> Result<DispatchReport> {
        if !d.compute {
            self.tables(d)?;
        }
        let mut time = Timing::default();
        let mut fastest = Duration::MAX;
        for _ in 0..repeat {
            let done = match d.compute {
                true => self.device.dispatch_groups(self.program, d.entry.as_deref(), d.size),
                false => self.device.dispatch(self.program, d.size),
            };
            let once = done.map_err(|e| match e.kind {
                ErrorKind::Binding | ErrorKind::Limit | ErrorKind::StateObject => self.scene.at(&d.location, e),
                _ => e,
            })?;
            fastest = fastest.min(once.device.unwrap_or(once.host));
            time.host += once.host;
            time.device = match (time.device, once.device) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            };
        }
        Ok(DispatchReport { compute: d.compute, size: d.size, repeat, time, fastest })
    }

    fn tables(&mut self, d: &Dispatch) -> Result<()> {
        let scene = self.scene;
        let library = self.device.library(self.program)?;
        // Names first, with the line of the scene: the device would not know it.
        for (records, stage) in [
            (d.raygen.as_slice(), Some(ShaderKind::RayGeneration)),
            (d.miss.as_deref().unwrap_or_default(), Some(ShaderKind::Miss)),
            (d.hit.as_deref().unwrap_or_default(), None),
            (d.callable.as_deref().unwrap_or_default(), Some(ShaderKind::Callable)),
        ] {
            for r in records {
                let Some(name) = &r.export else { continue };
                let known = match stage {
                    Some(stage) => library.exports(stage).any(|e| e == name),
                    None => library.hit_groups().any(|g| g == name),
                };
                if !known {
                    let what = stage.map_or("hit group", ShaderKind::name);
                    return Err(scene.at(&r.location, library.no_such(name, &format!("{what} record"))));
                }
            }
        }
        let all = |names: Vec<&str>| -> Vec<Record> { names.into_iter().map(Record::of).collect() };
        let defaults = [
            all(library.exports(ShaderKind::Miss).collect()),
            all(library.hit_groups().collect()),
            all(library.exports(ShaderKind::Callable).collect()),
        ];
        let raygens: Vec<String> = library.exports(ShaderKind::RayGeneration).map(str::to_string).collect();
        let raygen = match (&d.raygen, raygens.as_slice()) {
            (Some(r), _) => self.record(r)?,
            (None, [one]) => Record::of(one.as_str()),
            (None, many) => {
                let why = if many.is_empty() {
                    "the library has no ray generation shader"
                } else {
                    "the library has several ray generation shaders: choose one with `raygen`"
                };
                return Err(scene.error(&d.location, why).note(format!("ray generation shaders: {}", list(many))));
            }
        };
        let [miss, hit, callable] = defaults;
        let tables = ShaderTables {
            raygen,
            miss: self.records(d.miss.as_deref(), miss)?,
            hit: self.records(d.hit.as_deref(), hit)?,
            callable: self.records(d.callable.as_deref(), callable)?,
        };
        self.check_arguments(d, &tables)?;
        self.device.set_tables(self.program, &tables).map_err(|e| scene.at(&d.location, e))
    }

    /// Checks the arguments of records, while the source location is known.
    fn check_arguments(&self, d: &Dispatch, tables: &ShaderTables) -> Result<()> {
        let library = self.device.library(self.program)?;
        let listed: [(&[Record], Option<&[SceneRecord]>); 4] = [
            (std::slice::from_ref(&tables.raygen), d.raygen.as_ref().map(std::slice::from_ref)),
            (&tables.miss, d.miss.as_deref()),
            (&tables.hit, d.hit.as_deref()),
            (&tables.callable, d.callable.as_deref()),
        ];
        for (records, said) in listed {
            for (i, r) in records.iter().enumerate() {
                let Some(export) = &r.export else { continue };
                let raw: Vec<_> = r
                    .arguments
                    .iter()
                    .map(|(slot, a)| {
                        use crate::library::RawArgument as Raw;
                        let raw = match a {
                            Argument::Constants(bytes) => Raw::Constants(bytes.clone()),
                            Argument::Index(i) => Raw::Index(*i),
                            Argument::Address(..) | Argument::Accel(_) => Raw::Address(0),
                        };
                        (slot.clone(), raw)
                    })
                    .collect();
                let location: &SourceLocation = said.and_then(|s| s.get(i)).map_or(&d.location, |s| &s.location);
                library.record_data(export, &raw).map_err(|e| self.scene.at(location, e))?;
            }
        }
        Ok(())
    }

    fn records(&self, said: Option<&[SceneRecord]>, default: Vec<Record>) -> Result<Vec<Record>> {
        match said {
            None => Ok(default),
            Some(list) => list.iter().map(|r| self.record(r)).collect(),
        }
    }

    fn record(&self, r: &SceneRecord) -> Result<Record> {
        let mut arguments = Vec::with_capacity(r.arguments.len());
        for (slot, argument, location) in &r.arguments {
            let missing = |name: &str| self.scene.error(location, format!("the scene has no `{name}`"));
            let argument = match argument {
                SceneArgument::Constants(bytes) => Argument::Constants(bytes.clone()),
                SceneArgument::Index(i) => Argument::Index(*i),
                SceneArgument::Buffer(name, offset) => {
                    let buffer = self.buffers.get(name.as_str()).ok_or_else(|| missing(name))?;
                    Argument::Address(*buffer, *offset)
                }
                SceneArgument::Accel(name) => Argument::Accel(*self.accels.get(name.as_str()).ok_or_else(|| missing(name))?),
            };
            arguments.push((slot.clone(), argument));
        }
        Ok(Record { export: r.export.clone(), arguments })
    }

    /// What shaders checked: the reports of every buffer that has them.
    fn checks(&mut self) -> Result<Option<Checks>> {
        let scene = self.scene;
        let mut out: Option<Checks> = None;
        for b in &scene.buffers {
            if let (Some(size), Some(id)) = (b.checks, self.buffers.get(b.target.name.as_str())) {
                let bytes = self.device.read_buffer(*id)?;
                out.get_or_insert_default().read(&bytes, size);
            }
        }
        self.expectations(&mut out)?;
        Ok(out)
    }

    /// Copies feedback maps into the buffers that the scene names.
    fn remember(&mut self) -> Result<()> {
        let scene = self.scene;
        for (f, &map) in scene.feedbacks.iter().zip(&self.feedbacks) {
            if let Some((name, location)) = &f.into
                && let Some(&buffer) = self.buffers.get(name.as_str())
            {
                let bytes = self.device.read_feedback(map)?;
                self.device.write_buffer(buffer, 0, &bytes).map_err(|e| scene.at(location, e))?;
            }
        }
        Ok(())
    }

    /// What is to be written, and where.
    fn results(&mut self, output: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let scene = self.scene;
        let mut files = Vec::new();
        for (i, id) in scene.images.iter().zip(self.images.clone()) {
            if let Some(save) = &i.save {
                let texels = self.device.read_image(id)?;
                files.push((output.join(save), image_file(i, save, texels)?));
            }
        }
        for t in &scene.targets {
            if let (Some(save), Some(id)) = (&t.save, self.targets.get(t.target.name.as_str())) {
                let texels = self.device.read_target(*id)?;
                files.push((output.join(save), target_file(t, save, texels)?));
            }
        }
        for (f, &map) in scene.feedbacks.iter().zip(&self.feedbacks) {
            if let Some(save) = &f.save {
                files.push((output.join(save), self.device.read_feedback(map)?));
            }
        }
        for b in &scene.buffers {
            if let (Some(save), Some(id)) = (&b.save, self.buffers.get(b.target.name.as_str())) {
                let bytes = self.device.read_buffer(*id)?;
                let json = save.extension().is_some_and(|e| e == "json");
                files.push((output.join(save), if json { buffer_json(b, &bytes) } else { bytes }));
            }
        }
        Ok(files)
    }
}
