//! Loading DXIL containers: validate, read, link, compile.
//!
//! The host sees the same [`Library`] as for a Vulkan package: its binding map has a row for each resource of the library and one
//! for each descriptor heap, without the Vulkan-specific rows.

use super::entry;
use super::jit::{self, Cache, Part, Runtime};
use super::lower::{self, LowerOptions, Lowered};
use super::program::Shader;
use super::sanitize::hook;
use super::thread::ShaderFn;
use super::thread::context::Loaded;
use crate::device::ProgramOptions;
use crate::error::{ErrorKind, Result, RunError};
use crate::library::{Library, static_samplers};
use crate::merge::{MergedPackage, merge};
use crate::state_object::resolve;
use rtc_base::entity::EntityRef;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::{ComponentType, Container, FormatError, FourCc, ResourceClass, ResourceKind, ShaderKind};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Linkage, Module};
use rtc_package::{Binding, BindingMap, DescriptorKind, EntryPoint, Package, UNBOUNDED};

/// The name of the resource heap.
pub const RESOURCE_HEAP: &str = "ResourceDescriptorHeap";
/// The name of the sampler heap.
pub const SAMPLER_HEAP: &str = "SamplerDescriptorHeap";

/// A container that was read.
struct Read {
    name: String,
    module: Module,
    debug: Option<Module>,
    info: Info,
    rdat: Rdat,
    /// A validation step that was skipped, and why.
    left_out: Vec<String>,
}

/// Load options.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Instrumentation options of the compiler.
    pub lower: LowerOptions,
    /// The cache of compiled objects.
    pub cache: Cache,
}

fn damaged(e: FormatError) -> RunError {
    RunError::new(ErrorKind::Package, format!("the container is damaged: {e}"))
}

/// Loads a container and the additional ones in the options.
///
/// # Errors
/// A container that violates the rules of DXIL; subobjects that do not form a pipeline; an operation that this device does not
/// implement.
pub fn load(bytes: &[u8], options: &ProgramOptions, how: &LoadOptions) -> Result<(Library, Loaded)> {
    let name = if options.name.is_empty() { "the container" } else { &options.name };
    let all = std::iter::once((name, bytes)).chain(options.additional.iter().map(|b| (b.0.as_str(), b.1.as_slice())));
    let several = !options.additional.is_empty();
    let mut containers = Vec::new();
    for (name, bytes) in all {
        containers.push(read(name, bytes).map_err(|e| if several { e.at(name) } else { e })?);
    }
    let packages = containers.iter().map(|c| (c.name.clone(), package(c))).collect();
    // Linking warns about payloads without an explicit layout. In DXIL the layout follows from the declaration, and sizes are
    // checked when payloads are passed.
    let MergedPackage { mut package, module_of, .. } = merge(packages)?;
    let mut state = resolve(&mut package.rdat, &options.overrides)?;
    for c in &mut containers {
        let left_out = c.left_out.drain(..).map(|what| if several { format!("{}: {what}", c.name) } else { what });
        state.warnings.extend(left_out);
    }
    let (static_samplers, specialisation) = (static_samplers(&package)?, Default::default());
    let library = Library { static_samplers, package, additional_modules: Vec::new(), module_of, state, specialisation };
    library.check_entries()?;
    let mut loaded =
        Loaded { codes: Vec::new(), functions: Vec::new(), shaders: Vec::new(), resources: Vec::new(), sites: Vec::new(), shared_bytes: 0 };
    for c in containers {
        compile(&mut loaded, c, how)?;
    }
    Ok((library, loaded))
}

fn read(name: &str, bytes: &[u8]) -> Result<Read> {
    if bytes.is_empty() {
        return Err(RunError::new(ErrorKind::Package, "the file is empty"));
    }
    let container = Container::parse(bytes).map_err(damaged)?;
    if container.part(FourCc::SPRV).is_some() {
        let e = RunError::new(ErrorKind::Package, "this is a runtime package for Vulkan; the CPU device runs DXIL");
        return Err(e.note("compile without -spirv"));
    }
    let report = rtc_dxil_validate::container(bytes);
    if !report.is_valid() {
        let mut e = RunError::new(ErrorKind::Package, "the container violates the rules of DXIL");
        for f in report.findings.iter().take(8) {
            e = e.note(f.to_string());
        }
        return Err(e);
    }
    let module_of = |cc: FourCc, part: &'static str| -> Result<Module> {
        let program = Program::read(part, container.require(cc).map_err(damaged)?).map_err(damaged)?;
        bitcode::read(program.bitcode).map_err(|e| RunError::new(ErrorKind::Package, format!("part {part}: {e}")))
    };
    let module = module_of(FourCc::DXIL, "DXIL")?;
    let debug = container.part(FourCc::ILDB).map(|_| module_of(FourCc::ILDB, "ILDB")).transpose()?;
    let mut info = Info::whole(&module).map_err(|e| RunError::new(ErrorKind::Package, format!("part DXIL: {e}")))?;
    if !info.is_library() && info.kind != ShaderKind::Compute {
        let e = RunError::new(ErrorKind::Package, format!("{} shaders are not supported on this device", info.kind));
        return Err(e.note("supported: libraries of ray-tracing and compute shaders, and compute shaders"));
    }
    // The module of a release build has no names; RDAT has, or the reflection module.
    let rdat = match container.part(FourCc::RDAT) {
        Some(part) => Rdat::read(&part.data).map_err(damaged)?,
        None => {
            let named = container.part(FourCc::STAT).and_then(|_| module_of(FourCc::STAT, "STAT").ok());
            of_compute(&module, &info, &named.map(|m| Info::read(&m).resources).unwrap_or_default())?
        }
    };
    for r in &mut info.resources {
        if let Some(named) = rdat.resources.iter().find(|n| (n.class, n.id) == (r.class, r.id)) {
            r.name.clone_from(&named.name);
        }
    }
    Ok(Read { name: name.to_string(), module, debug, info, rdat, left_out: report.left_out })
}

/// A compute shader container has no RDAT: builds that of a library with this shader alone.
fn of_compute(m: &Module, info: &Info, named: &[rtc_dxil_container::metadata::Resource]) -> Result<Rdat> {
    let wrong = |what: &str| RunError::new(ErrorKind::Package, format!("the container {what}"));
    if info.is_library() {
        return Err(wrong("has no part RDAT"));
    }
    let (func, entry) = info.shaders().next().ok_or_else(|| wrong("has no shader"))?;
    let mut rdat = Rdat::default();
    rdat.functions.push(rtc_dxil_container::rdat::Function {
        name: m.funcs[func].name.to_string(),
        unmangled: entry.name.clone(),
        resources: Vec::new(),
        dependencies: Vec::new(),
        kind: ShaderKind::Compute,
        payload_size: 0,
        attribute_size: 0,
        features: 0,
        stage_mask: 1 << ShaderKind::Compute.as_u32(),
        min_target: rtc_dxil_container::rdat::MinTarget { kind: ShaderKind::Compute, model: info.model },
        v2: Default::default(),
    });
    for r in &info.resources {
        let named = named.iter().find(|n| (n.class, n.id) == (r.class, r.id)).unwrap_or(r);
        rdat.resources.push(rtc_dxil_container::rdat::Resource {
            class: r.class,
            kind: r.kind,
            id: r.id,
            space: r.space,
            lower: r.lower,
            upper: r.upper(),
            name: named.name.clone(),
            flags: 0,
        });
    }
    Ok(rdat)
}

/// The package that describes the container to the host.
fn package(c: &Read) -> Package {
    let stages = 0;
    let mut bindings: Vec<Binding> = Vec::new();
    for r in &c.info.resources {
        let writable = r.class == ResourceClass::Uav;
        bindings.push(Binding {
            name: r.name.clone(),
            class: r.class,
            kind: r.kind,
            space: r.space,
            register: r.lower,
            count: if r.count == u32::MAX { UNBOUNDED } else { r.count },
            set: r.space,
            binding: bindings.len() as u32,
            descriptor: descriptor(r.class, r.kind),
            stride_or_size: r.size,
            component: r.component,
            components: r.components(&c.module) as u8,
            writable,
            coherent: r.coherent || r.reorder_coherent,
            non_uniform: true,
            counter: None,
            heap: false,
            stages,
        });
    }
    // One resource heap, of which a view of each class can be named (`ResourceDescriptorHeap.b`).
    let heaps = [
        (RESOURCE_HEAP, ResourceClass::Srv, ResourceKind::RawBuffer),
        (RESOURCE_HEAP, ResourceClass::Uav, ResourceKind::RawBuffer),
        (RESOURCE_HEAP, ResourceClass::Cbv, ResourceKind::CBuffer),
        (SAMPLER_HEAP, ResourceClass::Sampler, ResourceKind::Sampler),
    ];
    for (n, (name, class, kind)) in (0..).zip(heaps) {
        bindings.push(Binding {
            name: name.to_string(),
            class,
            kind,
            space: u32::MAX,
            register: 0,
            count: UNBOUNDED,
            set: u32::MAX,
            binding: n,
            descriptor: descriptor(class, kind),
            stride_or_size: 0,
            component: ComponentType::Invalid,
            components: 0,
            writable: class == ResourceClass::Uav,
            coherent: false,
            non_uniform: true,
            counter: None,
            heap: true,
            stages,
        });
    }
    // Resources of several containers are distinguished by class, space and register.
    for b in bindings.iter_mut().filter(|b| !b.heap) {
        (b.set, b.binding) = (b.space.wrapping_mul(4).wrapping_add(b.class as u32), b.register);
    }
    let entries = c.rdat.functions.iter().filter(|f| f.kind.is_raytracing() || f.kind == ShaderKind::Compute);
    let entries = entries
        .map(|f| EntryPoint {
            export: f.unmangled.clone(),
            spirv_name: f.unmangled.clone(),
            stage: f.kind,
            record: None,
            payload_size: f.payload_size,
            attribute_size: f.attribute_size,
            elements: Vec::new(),
        })
        .collect();
    let map = BindingMap { bindings, entries, ..Default::default() };
    Package { rdat: c.rdat.clone(), map, ..Package::default() }
}

/// The Vulkan descriptor type that the host may bind.
fn descriptor(class: ResourceClass, kind: ResourceKind) -> DescriptorKind {
    let write = class == ResourceClass::Uav;
    match kind {
        _ if class == ResourceClass::Sampler => DescriptorKind::Sampler,
        _ if class == ResourceClass::Cbv => DescriptorKind::UniformBuffer,
        ResourceKind::AccelerationStructure => DescriptorKind::AccelerationStructure,
        ResourceKind::TypedBuffer if write => DescriptorKind::StorageTexelBuffer,
        ResourceKind::TypedBuffer => DescriptorKind::UniformTexelBuffer,
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer => DescriptorKind::StorageBuffer,
        _ if write => DescriptorKind::StorageImage,
        _ => DescriptorKind::SampledImage,
    }
}

fn compile(loaded: &mut Loaded, c: Read, how: &LoadOptions) -> Result<()> {
    let refused = |why: lower::Refusal| RunError::new(ErrorKind::Limit, format!("`{}` cannot run on the CPU device: {why}", c.name));
    let first = lower::First { resource: loaded.resources.len(), site: loaded.sites.len() };
    let lowered = lower::lower(c.module, &c.info, c.debug.as_ref(), how.lower, first).map_err(refused)?;
    let Lowered { module, shaders, sites, shared_bytes } = lowered;
    let code = jit::compile(&parts(module, &shaders)?, &how.cache, Runtime { enter: entry::enter, watch: hook::watch })
        .map_err(|why| RunError::new(ErrorKind::Device, format!("LLVM cannot compile `{}`: {why}", c.name)))?;
    loaded.functions.extend((0..shaders.len()).map(|n| -> ShaderFn { code.shader(n) }));
    loaded.codes.push(code);
    loaded.shaders.extend(shaders);
    loaded.resources.extend(c.info.resources.into_iter().map(|mut r| {
        // The module of a release build has no names; RDAT has.
        if let Some(named) = c.rdat.resources.iter().find(|n| (n.class, n.id) == (r.class, r.id)) {
            r.name.clone_from(&named.name);
        }
        r
    }));
    loaded.sites.extend(sites);
    loaded.shared_bytes = loaded.shared_bytes.max(shared_bytes);
    Ok(())
}

/// Divides a lowered module into one for each shader, which calls no other.
fn parts<'a>(mut module: Module, shaders: &'a [Shader]) -> Result<Vec<Part<'a>>> {
    // Each has its own constants.
    module.globals.values_mut().filter(|g| g.init.is_some()).for_each(|g| g.linkage = Linkage::Internal);
    let mut bodies: Vec<_> = module.funcs.values_mut().map(|f| f.body.take()).collect();
    let part = |shader: &'a Shader| {
        let func = module.find_function(&shader.symbol);
        let body = func.and_then(|f| Some((f, bodies.get_mut(f.index())?.take()?)));
        let (func, body) = body.ok_or_else(|| RunError::new(ErrorKind::Device, format!("`{}` has no code", shader.name)))?;
        module.funcs[func].body = Some(body);
        let bitcode = bitcode::write(&module);
        module.funcs[func].body = None;
        Ok(Part { symbol: shader.symbol.as_str(), bitcode })
    };
    shaders.iter().map(part).collect()
}
