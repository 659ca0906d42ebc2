//! From IR to a finished container: library or compute shader.
//!
//! Parts are in the order of the reference compiler: `SFI0`, then `VERS` and `RDAT` of a library or
//! `ISG1`, `OSG1`, `PSV0` and `RTS0` of a shader, `STAT`, `ILDN`, `HASH`, `DXIL`. Which of them exist depends on the validator
//! version and on the options.

use std::borrow::Cow;
use std::rc::Rc;

use rtc_ir::{Function, Module, SlotRole, Stage};

use crate::debug::{self, DebugInput};
use crate::facts::Facts;
use crate::{rdat, stage};
use rtc_base::Span;
use rtc_base::timing::phase;
use rtc_dxil_container::debug_module::{DebugKind, DebugModule, NamedBy};
use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::recompute::Recomputed;
use rtc_dxil_container::vers::CompilerVersion;
use rtc_dxil_container::{self as container, FourCc, ShaderKind, Signing, Version, debug_name, digest, sfi0};
use rtc_dxil_module::bitcode;
use rtc_dxil_validate::{self as validate, Location};
use rtc_tables::diagnostics::{E0601, E0604, E0605, E0610, E0902, E0906};
use rtc_tables::limits::{self, NEWEST_MODEL, OFFLINE_MODEL, RELEASED_MODEL};
use rtc_tables::validation::{Rule, rule};

pub use crate::{DxilOptions, LowerError, Profile, Settings, library_rdat};

/// A shader in DXIL.
#[derive(Clone, Debug)]
pub struct Built {
    /// The parts of its container, in order.
    pub parts: Vec<(FourCc, Vec<u8>)>,
    /// How the container is signed.
    pub signing: Signing,
    /// Its debug information, if some was requested, whether or not it is among the parts.
    pub debug: Option<DebugModule>,
    /// The shader's hash, also where the validator version knows no `HASH`.
    pub hash: ShaderHash,
    /// The data of `STAT`, also where the container leaves it out.
    pub reflection: Vec<u8>,
    /// Render targets of a pixel shader that it does not write whole: where they are declared, and what it does not write.
    pub unwritten_targets: Vec<(Span, String)>,
    /// The root signature of a compute shader in binary form, also where the container leaves it out.
    pub root_signature: Option<Vec<u8>>,
}

impl Built {
    /// The container.
    ///
    /// # Errors
    /// It would be larger than containers can be.
    pub fn container(&self) -> Result<Vec<u8>, Vec<LowerError>> {
        container::write(&self.parts, self.signing).map_err(|e| vec![LowerError::new(&E0906, Span::NONE, e.to_string())])
    }

    /// The data of the part of that name.
    pub fn part(&self, name: FourCc) -> Option<&[u8]> {
        self.parts.iter().find(|p| p.0 == name).map(|p| p.1.as_slice())
    }
}

/// The version record of this compiler, as data of `VERS`.
pub fn version_part() -> Vec<u8> {
    CompilerVersion::current().write()
}

/// A container of the DXIL of `m`.
///
/// # Errors
/// Everything that DXIL or the chosen validator version cannot say, each with its place in the source.
pub fn compile(m: &Module, options: &DxilOptions) -> Result<Vec<u8>, Vec<LowerError>> {
    build(m, options, None)?.container()
}

/// The DXIL of `m`, and with `debug` its debug information, for which `m` must have been made
/// ([`Module::debug`]). The part `DXIL` is the same with and without.
///
/// # Errors
/// Everything that DXIL or the chosen validator version cannot say, each with its place in the source.
pub fn build(m: &Module, options: &DxilOptions, debug: Option<&DebugInput>) -> Result<Built, Vec<LowerError>> {
    let mut errors = Vec::new();
    let raised;
    let options = match least_validator(m, options) {
        v if v == options.settings.validator => options,
        validator => {
            raised = DxilOptions { settings: Cow::Owned(Settings { validator, ..options.settings.as_ref().clone() }), ..options.clone() };
            &raised
        }
    };
    let v = options.settings.validator;
    let facts = {
        let _phase = phase("collect facts");
        Facts::new(m, options.profile, &mut errors)
    };
    check(m, &facts, options, &mut errors);
    let subobjects = match options.profile {
        Profile::Library => rdat::subobjects(m, options.settings.root_version, &mut errors),
        Profile::Shader(_) => Vec::new(),
    };
    let mut lowered = match crate::lower(m, &facts, options, &subobjects) {
        Ok(l) if errors.is_empty() => l,
        Ok(_) => return Err(errors),
        Err(more) => {
            errors.extend(more);
            return Err(errors);
        }
    };
    // A module that is linked first is validated after that, and one for no validator not at all.
    if options.settings.sign && m.shader_model != OFFLINE_MODEL && v.major != 0 {
        let _phase = phase("validate");
        // Subobjects are no part of the module. Builds with assertions recompute everything from what was written.
        let same = subobjects.is_empty() && !cfg!(debug_assertions);
        validate_output(m, &lowered.module, same.then(|| lowered.found.clone()))?;
    }
    let entry = facts.functions.last().map(|k| &m.funcs[k.func]).filter(|f| f.stage == Stage::Pixel);
    let unwritten_targets = match (entry, &lowered.found.signatures) {
        (Some(f), Some((signatures, _))) => stage::unwritten_targets(f, signatures),
        _ => Vec::new(),
    };
    let entry = facts.functions.last().map(|k| m.funcs[k.func].span);
    let (mut parts, root_signature) = interface_parts(&lowered.found, entry, options);
    let kind = match options.profile {
        Profile::Library => ShaderKind::Library,
        Profile::Shader(stage) => ShaderKind::from_u32(stage as u32).unwrap_or(ShaderKind::Invalid),
    };
    let program = |bitcode: &[u8]| {
        Program { kind, model: Version::new(6, m.shader_model), dxil: Version::new(1, limits::dxil_minor(m.shader_model)), bitcode }.write()
    };
    if options.settings.keep_reflection {
        crate::reflection::annotate(m, &facts, &mut lowered.module, v);
    }
    // Shaders leave the names of their resources to reflection.
    let code = if options.profile != Profile::Library && !options.settings.keep_reflection && since(v, 5) {
        let named = crate::reflection::take_names(&mut lowered.module);
        let code = bitcode::write(&lowered.module);
        crate::reflection::give_names(&mut lowered.module, named);
        code
    } else {
        bitcode::write(&lowered.module)
    };
    let full = |input: &DebugInput| {
        let mut module = debug::emit::emit(m, &lowered, input);
        if !options.settings.keep_reflection {
            crate::reflection::annotate(m, &facts, &mut module, v);
        }
        bitcode::write(&module)
    };
    let info = debug.map(|input| debug_module(input, &code, full, program));
    let hash = info.as_ref().map_or_else(|| ShaderHash::of(&code), |info| info.hash);
    if let (Some(info), Some(input)) = (&info, debug)
        && input.options.embed
        && !info.part.is_empty()
    {
        parts.push((FourCc::ILDB, info.part.clone()));
    }
    let reflected = crate::reflection::reflect(m, &facts, lowered.module, lowered.funcs, !options.settings.keep_reflection);
    let reflection = program(&bitcode::write(&reflected));
    if !options.settings.strip_reflection {
        parts.push((FourCc::STAT, reflection.clone()));
    }
    if let (Some(info), true) = (&info, debug.is_some_and(|d| d.options.named)) {
        let name = debug_name::write(&info.name).map_err(|e| vec![LowerError::new(&E0906, Span::NONE, e.to_string())])?;
        parts.push((FourCc::ILDN, name));
    }
    if since(v, 5) {
        parts.push((FourCc::HASH, hash.write()));
    }
    parts.push((FourCc::DXIL, program(&code)));
    let signing = match options.settings.sign && m.shader_model != OFFLINE_MODEL {
        false => Signing::Unsigned,
        true if m.shader_model > RELEASED_MODEL => Signing::Preview,
        true => Signing::Digest,
    };
    Ok(Built { parts, signing, hash, reflection, root_signature, unwritten_targets, debug: info })
}

/// Parts of a container, in their order.
type Parts = Vec<(FourCc, Vec<u8>)>;

/// The parts before the code, and the root signature of a shader whose entry point is written at `entry`.
fn interface_parts(found: &Recomputed, entry: Option<Span>, options: &DxilOptions) -> (Parts, Option<Vec<u8>>) {
    let mut parts = Parts::with_capacity(8);
    parts.push((FourCc::SFI0, sfi0::write(found.features())));
    let mut root_signature = None;
    match found.rdat_bytes() {
        Some(rdat) => {
            if since(options.settings.validator, 8) {
                parts.push((FourCc::VERS, version_part()));
            }
            parts.push((FourCc::RDAT, rdat));
        }
        None => {
            parts.extend(found.signature_parts());
            parts.extend(found.psv.as_ref().map(|p| (FourCc::PSV0, p.write())));
            root_signature = entry.and_then(|e| options.root_signature(e)).map(<[u8]>::to_vec);
            if let Some(data) = root_signature.as_ref().filter(|_| !options.settings.strip_root_signature) {
                parts.push((FourCc::RTS0, data.clone()));
            }
        }
    }
    (parts, root_signature)
}

/// The debug module and the name of a shader with this code. `full` writes the module with debug information, `program` makes a part of bitcode.
fn debug_module(
    input: &DebugInput,
    code: &[u8],
    full: impl FnOnce(&DebugInput) -> Vec<u8>,
    program: impl FnOnce(&[u8]) -> Vec<u8>,
) -> DebugModule {
    let (kind, by_source) = (input.options.kind, input.options.by == NamedBy::Source);
    let (mut part, mut hash) = (Vec::new(), ShaderHash::of(code));
    if kind == DebugKind::Full {
        let bits = full(input);
        part = program(&bits);
        if by_source {
            hash = ShaderHash { includes_source: true, digest: digest::md5(&bits) };
        }
    } else if kind == DebugKind::Slim && by_source {
        // There is no module that has the sources.
        let texts = input.sources.files.iter().flat_map(|(name, text)| [name.as_bytes(), b"\0", text.as_bytes(), b"\0"].concat());
        let all: Vec<u8> = code.iter().copied().chain(texts).collect();
        hash = ShaderHash { includes_source: true, digest: digest::md5(&all) };
    }
    let name = input.options.name.clone().unwrap_or_else(|| hash.hex() + ".pdb");
    DebugModule { part, name, hash }
}

/// Rules that a program breaks by the paths that control flow takes, which no earlier check follows in full.
const OF_PROGRAMS: [&Rule; 2] = [rule::INSTR_MESH_COUNTS_PATH, rule::INSTR_DISPATCH_MESH_PATH];

/// Nothing that breaks a rule of DXIL is signed. What a program can do wrong is found earlier and said better, so this is a
/// mistake of the compiler. `found`: what follows from the module, if it need not be recomputed.
fn validate_output(m: &Module, module: &rtc_dxil_module::Module, found: Option<Rc<Recomputed>>) -> Result<(), Vec<LowerError>> {
    let report = validate::module_with(module, found);
    if report.is_valid() {
        return Ok(());
    }
    let errors = report.findings.iter().map(|f| {
        let name = match &f.location {
            Location::Function(name) | Location::Inst { function: name, .. } => name.as_str(),
            _ => "",
        };
        let own = m.funcs.values().find(|g| !name.is_empty() && (g.name == name || g.symbol == name));
        if OF_PROGRAMS.contains(&f.rule) {
            return LowerError::new(&E0902, own.map_or(Span::NONE, |g| g.span), f.detail.clone());
        }
        LowerError::internal(own.map_or(Span::NONE, |g| g.span), format!("the DXIL breaks a rule: {f}"))
    });
    Err(errors.collect())
}

/// The requested validator version, or the first one that knows what the module has: subobjects came with 1.4, after shader
/// model 6.3.
fn least_validator(m: &Module, options: &DxilOptions) -> Version {
    const SUBOBJECTS: Version = Version::new(1, 4);
    let v = options.settings.validator;
    let older = v.major != 0 && v < SUBOBJECTS;
    if older && options.profile == Profile::Library && !m.subobjects.is_empty() { SUBOBJECTS } else { v }
}

fn since(v: Version, minor: u32) -> bool {
    v.major == 0 || v >= Version::new(1, minor)
}

/// What concerns the module as a whole.
fn check(m: &Module, facts: &Facts, options: &DxilOptions, errors: &mut Vec<LowerError>) {
    let mut complain = |code, text: String| errors.push(LowerError::new(code, Span::NONE, text));
    let offline = options.profile == Profile::Library && m.shader_model == OFFLINE_MODEL;
    if m.shader_model > NEWEST_MODEL && !offline {
        complain(&E0604, format!("shader model 6.{} is not known", m.shader_model));
    }
    let v = options.settings.validator;
    // Shader model 6.n came with validator 1.n.
    if v.major == 1 && v.minor < m.shader_model && !offline {
        complain(&E0604, format!("shader model 6.{} needs validator version 1.{}, the chosen one is {v}", m.shader_model, m.shader_model));
    }
    if let (Profile::Shader(stage), []) = (options.profile, &facts.functions[..]) {
        complain(&E0605, format!("there is no {} shader to compile", stage.name()));
    }
    if options.profile == Profile::Library && m.shader_model < 3 && m.funcs.values().any(|f| f.stage.is_raytracing()) {
        complain(&E0604, format!("ray tracing needs a library of shader model 6.3, the target is 6.{}", m.shader_model));
    }
    for (_, f) in m.roots() {
        entry(f, errors);
    }
}

/// What an entry point of each stage must have.
fn entry(f: &Function, errors: &mut Vec<LowerError>) {
    let mut complain = |code, text: String| errors.push(LowerError::new(code, f.span, text));
    let needed: &[SlotRole] = match f.stage {
        Stage::AnyHit | Stage::ClosestHit => &[SlotRole::PayloadIn, SlotRole::AttrIn],
        Stage::Miss => &[SlotRole::PayloadIn],
        Stage::Callable => &[SlotRole::CallableIn],
        _ => &[],
    };
    for &role in needed {
        if f.slot_of(role).is_none() {
            let what = match role {
                SlotRole::PayloadIn => "payload",
                SlotRole::AttrIn => "attribute",
                _ => "callable",
            };
            complain(&E0601, format!("a {} shader needs a {what} parameter", f.stage.name()));
        }
    }
    if f.stage != Stage::Compute {
        return;
    }
    let Some(threads) = f.numthreads else {
        return complain(&E0610, "a compute shader needs `numthreads`".into());
    };
    for (n, most) in threads.into_iter().zip(limits::GROUP_THREADS) {
        if !(1..=most).contains(&n) {
            complain(&E0610, format!("a thread group cannot have {n} threads in a dimension with at most {most}"));
        }
    }
    let all = threads.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    if all > limits::GROUP_THREADS_IN_ALL {
        complain(&E0610, format!("a thread group cannot have {all} threads, at most {}", limits::GROUP_THREADS_IN_ALL));
    }
}
