//! Execution of a scene on a device: creates and binds resources, builds acceleration structures, runs the frames, and writes results.
//!
//! The files of a frame are written last and atomically: a frame that fails leaves none, and what frames before it wrote stays.

mod compare;
mod draws;
mod expectations;
mod forms;
mod frames;
mod indirect_builds;
mod layouts;
mod options;
mod report;
mod resources;
mod session;
mod structures;
mod tables;

pub use crate::picture::{FileFormat, write_atomically};
pub use compare::{Comparison, Saved, Verdict, compare};
pub use forms::{FormReport, FormSample};
pub use frames::Average;
pub use options::{FormOption, Observer, RunOptions};
pub use report::{DispatchReport, DrawReport, FrameReport, RunReport, StructureReport};
pub use session::{Picture, Session, with_session};

use crate::checks::Checks;
use crate::device::{Accel, Device, Feedback, Image, Program, ProgramOptions, RenderTarget, Resource, Slot, TopDesc};
use crate::error::{ErrorKind, Result, RunError};
use crate::scene::{AccelSource, Scene, SceneArgument, Target, VertexData};
use forms::Loaded;
use layouts::Layouts;
use rtc_package::RequirementKind;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

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
    let mut device = open_vulkan(scene, package, options)?;
    let opened = started.elapsed();
    let mut report = run_on(&mut device, scene, package, options)?;
    report.steps.insert(0, ("open", opened));
    Ok(report)
}

/// The Vulkan device of this machine that runs a scene.
#[cfg(feature = "vulkan")]
fn open_vulkan(scene: &Scene, package: &[u8], options: &RunOptions) -> Result<crate::vulkan::VulkanDevice> {
    let additional = options.additional.iter().map(|b| b.1.as_slice());
    let mut packages = Vec::new();
    for bytes in std::iter::once(package).chain(additional) {
        packages.push(rtc_package::Package::read(bytes).map_err(crate::library::damaged)?);
    }
    // The form that is requested; else the packages' own, which needs the least, or what a device has the extension of.
    let forms = match options.form {
        FormOption::Only(form) => vec![form],
        FormOption::Rule | FormOption::Measure => packages[0].all_forms(),
    };
    let mut refused = None;
    for form in forms {
        let mut requirements = draws::requirements(scene);
        for p in &packages {
            let map = p.forms.iter().find(|f| f.form == form).map_or(&p.map, |f| &f.map);
            requirements.extend(map.requirements.iter().cloned());
        }
        let usual = crate::vulkan::OpenOptions::default();
        let opened = crate::vulkan::VulkanDevice::open(&crate::vulkan::OpenOptions {
            device: among_vulkan(options.device.as_deref()).map(str::to_string),
            requirements,
            timeout: options.timeout,
            wavefront: options.wavefront,
            validation: options.validation.unwrap_or(usual.validation),
        });
        match opened {
            Err(e) if e.kind == ErrorKind::NoDevice => _ = refused.get_or_insert(e),
            opened => return opened,
        }
    }
    Err(refused.unwrap_or_else(|| rtc_base::bug!("a package has a form")))
}

/// The Vulkan device of this machine that runs a scene, for a [`Session`] on it. Several of them may be open at the same time.
///
/// # Errors
/// See [`ErrorKind`]: the package is damaged, or no device can run it.
#[cfg(feature = "vulkan")]
pub fn vulkan_device(scene: &Scene, package: &[u8], options: &RunOptions) -> Result<Box<dyn Device>> {
    Ok(Box::new(open_vulkan(scene, package, options)?))
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
    let started = Instant::now();
    let mut device = open_cpu(scene, options)?;
    let opened = started.elapsed();
    let done = run_on(&mut device, scene, container, options);
    let findings = device.take_findings();
    match done {
        Ok(mut report) => {
            report.steps.insert(0, ("open", opened));
            report.findings = findings;
            if let Some(file) = &options.profile {
                keep_profiles(&mut report, &device.take_profiles(), file, &options.live)?;
            }
            Ok(report)
        }
        Err(e) => Err(with_findings(e, findings)),
    }
}

/// An error with what the sanitizer found before it.
#[cfg(feature = "cpu")]
fn with_findings(e: RunError, findings: Vec<crate::Finding>) -> RunError {
    findings.into_iter().fold(e, |e, f| e.note(format!("sanitizer: {f}")))
}

/// The CPU device, for a scene that it can run.
#[cfg(feature = "cpu")]
fn open_cpu(scene: &Scene, options: &RunOptions) -> Result<crate::cpu::device::CpuDevice> {
    if let Some(draw) = scene.draws.first() {
        let why = scene
            .error(&draw.location, "the CPU device runs compute and ray-tracing shaders and draws nothing: draws need a Vulkan device");
        return Err(RunError { kind: ErrorKind::NoDevice, ..why });
    }
    let mut cpu = options.cpu.clone();
    cpu.profile |= options.profile.is_some();
    crate::cpu::device::CpuDevice::open(cpu)
}

/// Adds profiles to a report, and writes their pictures to files.
#[cfg(feature = "cpu")]
fn keep_profiles(
    report: &mut RunReport,
    profiles: &[crate::cpu::profile::Report],
    file: &std::path::Path,
    live: &[crate::cpu::profile::LiveState],
) -> Result<()> {
    if profiles.is_empty() {
        report.warnings.push("there is no profile: the scene dispatches no rays".into());
    }
    for (n, profile) in profiles.iter().enumerate() {
        let file = if n == 0 { file.to_path_buf() } else { file.with_extension(format!("{}.png", n + 1)) };
        let map = profile.heat_map();
        let drawn = map.is_ok();
        match map {
            Ok(bytes) => {
                write_atomically(&file, &bytes)?;
                report.files.push(file);
            }
            Err(e) => report.warnings.push(e.to_string()),
        }
        let map = report.files.last().filter(|_| drawn).map(std::path::PathBuf::as_path);
        report.coherence.push(profile.json(live, map));
        let verdicts = profile.verdicts(live);
        report.profiles.push(format!("{profile}{}{verdicts}", if verdicts.is_empty() { "" } else { "\n" }));
    }
    Ok(())
}

/// There is no CPU device in this build.
#[cfg(not(feature = "cpu"))]
fn run_on_cpu(_scene: &Scene, _container: &[u8], _options: &RunOptions) -> Result<RunReport> {
    Err(no_cpu())
}

/// The error of a build without the CPU device.
#[cfg(not(feature = "cpu"))]
fn no_cpu() -> RunError {
    RunError::new(ErrorKind::NoDevice, "this build has no CPU device").note("build with the cargo feature `cpu`, which requires LLVM 19")
}

/// Runs a scene on a device that is open.
///
/// # Errors
/// See [`ErrorKind`].
pub fn run_on(device: &mut dyn Device, scene: &Scene, package: &[u8], options: &RunOptions) -> Result<RunReport> {
    let mut run = Run::open(device, scene, package, options)?;
    let done = run.frames(options);
    let checked = done.and_then(|done| Ok((done, run.checks()?)));
    let (done, checks) = checked.map_err(|e| run.explained(e))?;
    let mut steps = run.steps;
    steps.push(("results", done.results));
    Ok(RunReport {
        load: run.device.load_steps(run.program),
        device: run.device.info().clone(),
        warnings: run.warnings,
        steps,
        structures: run.built,
        frames: done.frames,
        dispatches: done.dispatches,
        draws: done.draws,
        files: done.files,
        profiles: Vec::new(),
        coherence: Vec::new(),
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
        .chain(scene.accels.iter().map(|x| &x.target))
        .chain(scene.gltfs.iter().flat_map(|x| x.textures.iter().chain(&x.samplers)));
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
    /// Of packages with several forms all that run.
    loaded: Loaded,
    /// Buffers by name in the scene, with their sizes.
    buffers: FxHashMap<&'a str, crate::device::Buffer>,
    accels: FxHashMap<&'a str, Accel>,
    images: Vec<Image>,
    /// Where members of constant buffers are.
    layouts: Layouts,
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
    /// Top-level structures whose instances may move.
    tops: Vec<MovingTop<'a>>,
    /// What was built.
    built: Vec<StructureReport>,
    /// How long the steps of its preparation took, in order.
    steps: Vec<(&'static str, Duration)>,
}

/// A top-level structure, and what it was built from last.
struct MovingTop<'a> {
    source: &'a AccelSource,
    accel: Accel,
    desc: TopDesc,
}

impl<'a> Run<'a> {
    /// Loads the package, and creates and binds everything.
    fn open(device: &'a mut dyn Device, scene: &'a Scene, package: &[u8], options: &RunOptions) -> Result<Run<'a>> {
        let started = Instant::now();
        let unbounded = slots(scene).map(|s| s.1.saturating_add(1)).max().unwrap_or(1);
        let load = ProgramOptions {
            unbounded,
            overrides: scene.overrides.clone(),
            name: scene.shader.file().display().to_string(),
            additional: options.additional.clone(),
        };
        let (program, loaded, about_forms) = forms::load(device, package, &load, options)?;
        let mut warnings = scene.warnings();
        warnings.extend(device.library(program)?.state.warnings.iter().cloned());
        warnings.extend(about_forms);
        let mut run = Run {
            warnings,
            device,
            scene,
            program,
            loaded,
            buffers: FxHashMap::default(),
            accels: FxHashMap::default(),
            layouts: Layouts::of(package),
            images: Vec::new(),
            pictures: FxHashMap::default(),
            feedbacks: Vec::new(),
            targets: FxHashMap::default(),
            inline: FxHashMap::default(),
            without_slot: names_without_slot(scene),
            tops: Vec::new(),
            built: Vec::new(),
            steps: vec![("pipeline", started.elapsed())],
        };
        match run.prepare() {
            Ok(()) => Ok(run),
            Err(e) => Err(run.explained(e)),
        }
    }

    /// Creates and binds everything.
    fn prepare(&mut self) -> Result<()> {
        let started = Instant::now();
        self.resources()?;
        self.steps.push(("resources", started.elapsed()));
        let started = Instant::now();
        self.structures()?;
        self.steps.push(("scene", started.elapsed()));
        Ok(())
    }

    /// An error with the warnings: a name that the library does not know is often the reason why another one is not set.
    fn explained(&self, e: RunError) -> RunError {
        self.warnings.iter().fold(e, |e, w| e.note(w))
    }

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
            for program in self.programs() {
                // Another form may do without it.
                if self.device.library(program)?.binding(slot).is_ok() {
                    self.device.set(program, slot, *element, resource).map_err(|e| self.scene.at(&target.location, e))?;
                }
            }
        }
        Ok(())
    }

    /// Runs the dispatches and draws in the order of the file.
    fn everything(&mut self, repeat: Option<u32>) -> Result<(Vec<DispatchReport>, Vec<DrawReport>)> {
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
}
