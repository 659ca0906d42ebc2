//! The SPIR-V back end: one module for a whole library, with all its entry points, and the binding map of the runtime package.
//!
//! [`compile`] takes an optimised module that is inlined and has no private variables, and runs three phases:
//!
//! 1. **Legalisation** ([`legalize`]), IR to IR: whatever SPIR-V cannot express is replaced by what it can. Hit objects move from values into
//!    variables, long vectors become scalars, compare-exchange on floats works on bits, partitioned wave operations become loops, ray
//!    queries get the state that SPIR-V leaves undefined, multi-level exits become single-level ones.
//! 2. **Bindings** ([`bindings`]): each resource gets a descriptor set and binding, by the reference compiler's rules and options, or a location in the
//!    shader record if a local root signature provides it.
//! 3. **Emission** ([`emit`]): regions become structured basic blocks, instructions become words. Instructions that are one SPIR-V
//!    instruction are rows of a table ([`rows`]); the others have code. Each capability and extension is required by the instruction
//!    that uses it and remembers why ([`words`]).
//!
//! [`package`] describes the result for a runtime; [`listing`] disassembles it for tests.
//!
//! | module | what |
//! |---|---|
//! | [`legalize`] | IR to IR, one file for each transformation |
//! | [`bindings`] | descriptor slots |
//! | `access_path` | byte addresses as members and indices |
//! | [`mod@debug`] | debug information outside of functions |
//! | [`emit`] | IR to words, one file for each group of instructions |
//! | [`rows`] | the instruction selection table |
//! | [`inline`] | inline SPIR-V |
//! | [`words`] | the module under construction: sections, interned types and constants, capabilities |
//! | [`version`] | what versions before 1.4 need |
//! | [`package`] | the binding map |
//! | [`listing`] | disassembly |
//! | [`mod@reflect`] | what a host needs to know of a module |
//! | [`error`] | errors, with source locations |
//!
//! To read the crate, begin with [`compile`], then [`emit`] and [`words`]; each file of [`legalize`] stands alone.
//!
//! # Example
//!
//! ```
//! use rtc_dxil_container::rdat::Rdat;
//! use rtc_spirv::{Options, Purpose, compile, listing::listing};
//!
//! let module = rtc_ir::text::parse("module sm 6.3\nfn fn0 \"Main\" stage raygen {\nr0:\n return\n}\n").expect("the text is a module");
//! // RDAT says the root signatures of a library; this one has none.
//! let output = compile(&module, &Rdat::default(), &Options::default(), Purpose::HOST).expect("it has a SPIR-V form");
//! let text = listing(&output.words)?;
//! assert!(text.contains("OpEntryPoint RayGenerationKHR"));
//! # Ok::<(), rtc_spirv::listing::ListingError>(())
//! ```
//!
//! Invariants: the structure of control flow is that of the IR (no CFG is built and restructured); the module requires no more
//! capabilities than its instructions require; the input module is not changed.

mod access_path;
pub mod bindings;
pub mod debug;
pub mod emit;
pub mod error;
pub mod inline;
pub mod legalize;
pub mod listing;
pub mod package;
pub mod reflect;
pub mod rows;
pub mod version;
pub mod words;

use rtc_base::Span;
use rtc_dxil_container::Version;
use rtc_dxil_container::rdat::Rdat;
use rtc_ir::debug::{Anchors, Program};
use rtc_ir::{Denormals, Func, Function, Module, Stage};
use rtc_package::{BindingMap, TargetEnv};
use rtc_tables::diagnostics::{E0605, E0609, E0906};
use serde::{Deserialize, Serialize};
use spirv::{Capability, ExecutionModel, Op};

pub use bindings::{Bindings, DescriptorBinding, Numbering, RegisterBinding, Shifts};
pub use debug::{Content, DebugInput};
pub use emit::stage::StageOptions;
pub use error::Error;
pub use legalize::hit_objects::Ser;
pub use version::Environment;

/// The options of SPIR-V: a field for each flag of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Options {
    /// The target environment; none: the lowest that has what the program needs. What needs SPIR-V 1.4 gets that at least.
    pub environment: Option<Environment>,
    /// Register shifts.
    pub shifts: Shifts,
    /// Registers whose bindings are given one by one.
    pub registers: Vec<RegisterBinding>,
    /// Binding and set of `$Globals`.
    pub globals: Option<DescriptorBinding>,
    /// Shifts count for resources without a register too.
    pub auto_shift: bool,
    /// Binding and set of the heap of resources; none: the next free binding of set 0.
    pub resource_heap: Option<DescriptorBinding>,
    /// The same of the heap of samplers.
    pub sampler_heap: Option<DescriptorBinding>,
    /// The same of the hidden counters of the heap's buffers.
    pub counter_heap: Option<DescriptorBinding>,
    /// The extensions that may be used, where there is a choice; `None` if the caller does not restrict them. Without
    /// `SPV_NV_cluster_acceleration_structure` there are no clusters; with `SPV_KHR_opacity_micromap` micromaps are enabled by it; with
    /// `SPV_NV_compute_shader_derivatives` and without that of Khronos, derivatives in compute shaders are.
    pub extensions: Option<Vec<String>>,
    /// The name of the entry point in place of the function's.
    pub entry_name: Option<String>,
    /// The largest id that the module may have.
    pub max_id: Option<u32>,
    /// Threads reconverge as the source is structured (`SPV_KHR_maximal_reconvergence`).
    pub maximal_reconvergence: bool,
    /// Storage images without a format in the source have none, unless the module has atomics on texels.
    pub unknown_image_formats: bool,
    /// Inputs and outputs of graphics stages.
    pub stage: StageOptions,
    /// Every declared resource has a variable, used or not.
    pub preserve_bindings: bool,
    /// Variables have decorations for reflection (`SPV_GOOGLE_user_type`, `SPV_GOOGLE_hlsl_functionality1`).
    pub reflect: bool,
    /// Debug information.
    pub debug: Content,
}

/// What a module is made for: what the compilation decides, not a flag of SPIR-V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The environment if the options name none.
    pub environment: Option<Environment>,
    /// How bindings are numbered.
    pub numbering: Numbering,
    /// Which extension has hit objects.
    pub ser: Ser,
    /// Entry points with exact instructions keep NaN, infinities and signs of zeros, which not every device can: what runs on unknown devices goes without.
    pub special_numbers: bool,
    /// Vertex shaders without a point size write 1, the size of points in HLSL: Vulkan requires one of pipelines that draw points.
    pub point_size: bool,
    /// Blocks stay that only leave an `if` or a loop: a debugger stops there (-Od).
    pub unoptimised: bool,
}

impl Purpose {
    /// A module for a host that binds as the reference compiler's modules ask for.
    pub const HOST: Purpose = Purpose {
        environment: None,
        numbering: Numbering::Declared,
        ser: Ser::Nv,
        special_numbers: true,
        point_size: false,
        unoptimised: false,
    };
    /// The module of a runtime package.
    pub const PACKAGE: Purpose = Purpose {
        environment: Some(Environment::VULKAN_1_2),
        numbering: Numbering::Distinct,
        special_numbers: false,
        point_size: true,
        ..Purpose::HOST
    };
}

impl Options {
    /// Whether the options name an extension.
    pub fn names(&self, extension: &str) -> bool {
        self.extensions.iter().flatten().any(|e| e == extension)
    }

    /// Whether clusters are available: the device has them, or its extensions are unknown.
    fn clusters(&self) -> bool {
        self.extensions.as_ref().is_none_or(Vec::is_empty) || self.names("SPV_NV_cluster_acceleration_structure")
    }
    /// Whether derivatives in compute shaders are those of the NV extension: the device has it, and not that of Khronos.
    fn nv_derivatives(&self) -> bool {
        self.names("SPV_NV_compute_shader_derivatives") && !self.names("SPV_KHR_compute_shader_derivatives")
    }
    /// Whether micromaps are enabled by the KHR extension.
    fn khr_micromaps(&self) -> bool {
        self.names("SPV_KHR_opacity_micromap")
    }
}

/// A compiled library.
#[derive(Clone, Debug)]
pub struct Output {
    /// The module.
    pub words: Vec<u32>,
    /// How it meets the API.
    pub map: BindingMap,
    /// What is questionable.
    pub warnings: Vec<Error>,
}

/// Compiles a module; it must be inlined and without private variables. `rdat` is the library's own.
///
/// # Errors
/// Everything in it that SPIR-V cannot express.
pub fn compile(m: &Module, rdat: &Rdat, options: &Options, purpose: Purpose) -> Result<Output, Vec<Error>> {
    compile_with_debug(m, rdat, options, purpose, None)
}

/// The same with debug information; if more than lines are requested, `m` must have been made with it ([`Module::debug`]).
///
/// # Errors
/// Everything in it that SPIR-V cannot express.
pub fn compile_with_debug(
    m: &Module,
    rdat: &Rdat,
    options: &Options,
    purpose: Purpose,
    debug: Option<&DebugInput>,
) -> Result<Output, Vec<Error>> {
    check(m, options)?;
    let Legal { mut m, ser, anchors, mut errors, mut warnings } = legalised(m, purpose)?;
    let environment = Environment::of(&m, options.environment, purpose.environment);
    let bindings = Bindings::new(&m, rdat, options, purpose.numbering, &mut errors, &mut warnings);
    Anchors::restore_all(anchors, &mut m);
    let mut w = words::Words::default();
    let empty = Program::default();
    let program = m.debug.as_deref().unwrap_or(&empty);
    let debug = debug.map(|input| debug::Writer::new(&mut w, input, program, environment.spirv));
    let plain = emit::Emitter::new(&m, &bindings, options, purpose, environment);
    let mut e = emit::Emitter { ser, w, debug, warnings, errors, ..plain };
    e.inline_requirements();
    e.w.capability(Capability::Shader, || "every shader".into());
    for f in m.funcs.values().filter(|f| f.is_started()) {
        entry_point(&mut e, f, options, purpose);
    }
    if !e.errors.is_empty() {
        return Err(e.errors);
    }
    if options.preserve_bindings {
        e.declare_unused();
    }
    e.debug_globals();
    e.w.finish_memory_model();
    let spirv_minor = version::lower(&mut e.w, environment.spirv, environment.vulkan, m.denormals, &mut e.errors);
    if !e.errors.is_empty() {
        return Err(e.errors);
    }
    let target = TargetEnv { spirv: Version::new(1, spirv_minor as _), vulkan: Version::new(1, environment.vulkan as _) };
    let warnings = std::mem::take(&mut e.warnings);
    let map = package::binding_map(&m, &bindings, &e.w, target, e.stage);
    let words = e.w.finish(spirv_minor);
    // The fourth word is the bound: above every id.
    let largest = words[3] - 1;
    match options.max_id {
        Some(max) if largest > max => {
            let message = format!("the largest id of the SPIR-V module is {largest}, and {max} is allowed (-fspv-max-id)");
            Err(vec![Error::coded(&E0906, Span::NONE, message)])
        }
        _ => Ok(Output { words, map, warnings }),
    }
}

/// What every module must have, and what none may.
fn check(m: &Module, options: &Options) -> Result<(), Vec<Error>> {
    if !m.funcs.values().any(|f| f.is_entry()) {
        let message = "there is no entry point, and a SPIR-V module needs one; mark a function with `[shader(\"…\")]`";
        return Err(vec![Error::coded(&E0605, Span::NONE, message)]);
    }
    let entries = m.funcs.values().filter(|f| f.is_started()).count();
    if entries > 1
        && let Some(name) = &options.entry_name
    {
        let message = format!("`{name}` is the name of one entry point, and the library has {entries}");
        return Err(vec![Error::coded(&E0605, Span::NONE, message)]);
    }
    let mut errors = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if let rtc_ir::InstData::Call { func, .. } = f.insts[i]
                && m.funcs[func].inline.is_none()
            {
                let name = &m.funcs[func].name;
                let message = format!("`{name}` is not defined, and SPIR-V modules are not linked; DXIL libraries are, with `rtc link`");
                errors.push(Error::coded(&E0609, f.spans[i], message));
            }
        });
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// A module after legalisation.
struct Legal {
    m: Module,
    /// The extension that has its hit objects, if there are some.
    ser: Option<Ser>,
    /// The marks of debug information, which go back as soon as instructions keep their numbers.
    anchors: Vec<(Func, Anchors)>,
    errors: Vec<Error>,
    warnings: Vec<Error>,
}

/// Replaces what SPIR-V cannot express in a copy of the module.
fn legalised(m: &Module, purpose: Purpose) -> Result<Legal, Vec<Error>> {
    let (mut m, mut errors, mut warnings) = (m.clone(), Vec::new(), Vec::new());
    let ser = m.funcs.values().any(|f| f.is_entry() && legalize::hit_objects::any(f)).then_some(purpose.ser);
    if let Some(ser) = ser {
        let anchors = Anchors::take_all(&m);
        legalize::hit_objects::run(&mut m, ser, &mut errors, &mut warnings);
        Anchors::restore_all(anchors, &mut m);
        if !errors.is_empty() {
            return Err(errors);
        }
    }
    let _phase = rtc_base::timing::phase("legalise");
    legalize::long_vectors::run(&mut m, &mut errors);
    let anchors = Anchors::take_all(&m);
    legalize::float_atomics::run(&mut m);
    legalize::interface_arrays::run(&mut m);
    legalize::chosen_components::run(&mut m);
    if !purpose.unoptimised {
        legalize::joined_components::run(&mut m);
    }
    for f in m.funcs.values_mut().filter(|f| !f.declared) {
        legalize::partitions::run(&mut m.types, f);
        legalize::queries::run(&mut m.types, f);
        legalize::exits::run(f);
    }
    Ok(Legal { m, ser, anchors, errors, warnings })
}

/// Emits a function that the host starts, with its interface and its modes.
fn entry_point(e: &mut emit::Emitter<'_>, f: &Function, options: &Options, purpose: Purpose) {
    if f.stage.is_raytracing() {
        let why = || format!("`{}` is a {} shader", f.name, f.stage.name());
        e.w.capability(Capability::RayTracingKHR, why);
        e.w.extension("SPV_KHR_ray_tracing", why);
    }
    let (id, interface) = emit::FuncEmitter::emit(e, f);
    let name = options.entry_name.as_deref().unwrap_or(&f.name);
    e.w.name(id, &f.name);
    let model = execution_model(f.stage);
    let mut entry = words::with_text(words::operands![model, id], name);
    entry.extend(interface.into_iter().map(words::Operand::Id));
    words::put(&mut e.w.entry_points, Op::EntryPoint, &entry);
    if let Some([x, y, z]) = f.numthreads {
        e.w.execution_mode(id, spirv::ExecutionMode::LocalSize, &[x, y, z]);
    }
    if options.maximal_reconvergence {
        let why = || "threads reconverge as the source is structured".into();
        e.w.extension("SPV_KHR_maximal_reconvergence", why);
        e.w.execution_mode(id, spirv::ExecutionMode::MaximallyReconvergesKHR, &[]);
    }
    let denormals = match e.m.denormals {
        Some(Denormals::Preserve) => Some((Capability::DenormPreserve, spirv::ExecutionMode::DenormPreserve)),
        Some(Denormals::Flush) => Some((Capability::DenormFlushToZero, spirv::ExecutionMode::DenormFlushToZero)),
        Some(Denormals::Any) | None => None,
    };
    if let Some((capability, mode)) = denormals {
        e.w.capability(capability, || "the denormal mode of the module".into());
        e.w.execution_mode(id, mode, &[32]);
    }
    if purpose.special_numbers {
        emit::exact::keep_special_numbers(e, f, id);
    }
}

fn execution_model(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::Pixel => ExecutionModel::Fragment,
        Stage::Geometry => ExecutionModel::Geometry,
        Stage::Hull => ExecutionModel::TessellationControl,
        Stage::Domain => ExecutionModel::TessellationEvaluation,
        Stage::Mesh => ExecutionModel::MeshEXT,
        Stage::Amplification => ExecutionModel::TaskEXT,
        Stage::RayGeneration => ExecutionModel::RayGenerationKHR,
        Stage::Intersection => ExecutionModel::IntersectionKHR,
        Stage::AnyHit => ExecutionModel::AnyHitKHR,
        Stage::ClosestHit => ExecutionModel::ClosestHitKHR,
        Stage::Miss => ExecutionModel::MissKHR,
        Stage::Callable => ExecutionModel::CallableKHR,
        Stage::Compute | Stage::Library => ExecutionModel::GLCompute,
    }
}
