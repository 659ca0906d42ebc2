//! The pipeline: text → tokens → tree → typed tree → IR → passes → DXIL or SPIR-V. Each stage runs only if the one
//! before found no error.

use rtc_base::{Diagnostic, Interner, SourceMap, Span};
use rtc_dxil_container::debug_module::{DebugKind, DebugModule, SourceInfo};
use rtc_dxil_lower::debug::DebugInput;
use rtc_dxil_lower::{self as dxil, DxilOptions, LowerError};
use rtc_frontend::preprocess::{Included, Includes, Pragmas, PreprocessOptions, TargetMacros};
use rtc_frontend::{lex, lower, sema};
use rtc_ir::SubobjectKind;
use rtc_passes::{PassCtx, Stock, pipeline};
use rtc_rootsig::{Scope, record_layout};
use rtc_tables::diagnostics as codes;

use crate::options::{OptLevel, Options, ProfileKind, Target};
use crate::outputs::{AuxiliaryFiles, texts};
use crate::payloads::{self, Packing, Recorded};
use crate::report::{self, Report, ReportKind};
use crate::rootsig::{self, Roots};
use crate::warnings;

/// What a compilation made.
#[derive(Clone, Debug)]
pub enum Product {
    /// A DXIL container.
    Dxil(Vec<u8>),
    /// A SPIR-V module with what it needs and why: capabilities and extensions, each with its reason.
    Spirv(Vec<u32>, Vec<(String, String)>),
    /// A runtime package.
    Package(Vec<u8>),
    /// IR text.
    Ir(String),
    /// Nothing was asked for.
    Nothing,
}

impl Product {
    /// The bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Product::Dxil(b) | Product::Package(b) => b,
            Product::Spirv(words, _) => words.iter().flat_map(|w| w.to_le_bytes()).collect(),
            Product::Ir(text) => text.into_bytes(),
            Product::Nothing => Vec::new(),
        }
    }
}

/// The outcome of a compilation.
#[derive(Default)]
pub struct Compilation {
    /// What was made; `None` if there were errors.
    pub product: Option<Product>,
    /// Errors, warnings and notes, after the `-W` options.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources, for rendering diagnostics.
    pub sources: SourceMap,
    /// The files that were included, in order.
    pub includes: Vec<Included>,
    /// What was made beside the product, of DXIL.
    pub outputs: Option<AuxiliaryFiles>,
    /// The reports of [`Options::reports`], as far as the compilation came to them.
    pub reports: Vec<Report>,
    /// The debug information of [`Options::debug`], whether or not the container has it.
    pub debug: Option<DebugOutput>,
}

/// Debug information of a shader: what a PDB file is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugOutput {
    /// The debug module (none with `-Zs`), its name and the shader's hash.
    pub module: DebugModule,
    /// Sources and arguments.
    pub sources: SourceInfo,
}

impl Compilation {
    /// Whether there was an error.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

pub(crate) fn preprocess_options(o: &Options) -> PreprocessOptions {
    PreprocessOptions {
        defines: o.defines.clone(),
        include_dirs: o.include_dirs.clone(),
        ignore_line: o.ignore_line,
        report_undefined: o.warnings.groups.iter().any(|g| g.ends_with("undef") || g.ends_with("everything")),
        target: TargetMacros {
            stage: match o.profile.kind {
                ProfileKind::Library => 6,
                ProfileKind::Compute => 5,
                ProfileKind::RootSignature => 0,
            },
            major: 6,
            minor: o.profile.minor,
            hlsl_version: o.hlsl_version,
            spirv: matches!(o.target, Target::Spirv | Target::Package),
            spirv_minor: match o.vulkan_minor {
                0 => 0,
                1 => 3,
                2 => 5,
                _ => 6,
            },
            native_16_bit: o.native_16bit,
            ..TargetMacros::default()
        },
        expand: match o.profile.kind {
            ProfileKind::RootSignature => Some(o.entry.clone()),
            ProfileKind::Compute => o.root_define.clone(),
            ProfileKind::Library => None,
        },
    }
}

/// Compiles the source `name` of these bytes.
pub fn compile(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options) -> Compilation {
    let mut c = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut pragmas = Pragmas::default();
    c.product = match o.profile.kind {
        ProfileKind::RootSignature => rootsig::compile(name, bytes, includes, o, &mut c),
        _ => run(name, bytes, includes, o, &mut c, &mut pragmas),
    };
    let found = std::mem::take(&mut c.diagnostics);
    c.diagnostics = warnings::apply(found, &o.warnings, &pragmas, &c.sources);
    if c.failed() {
        c.product = None;
    }
    c
}

/// Preprocesses only. Gives the text; it stands even if there were errors.
pub fn preprocess(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options) -> (String, Compilation) {
    let mut c = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut interner = Interner::new();
    let mut text = String::new();
    let decoded = lex::decode(bytes);
    match c.sources.add_file(name, &*decoded.text, None) {
        None => c.diagnostics.push(too_large(name)),
        Some(main) => {
            let mut report = rtc_frontend::report::Report::new();
            let options = preprocess_options(o);
            let done = rtc_frontend::preprocess::preprocess(&mut c.sources, &mut interner, main, &options, includes, &mut report);
            text = rtc_frontend::preprocess::print(&done, &c.sources, &interner);
            c.includes = done.includes;
            c.diagnostics = warnings::apply(report.into_list(), &o.warnings, &done.pragmas, &c.sources);
        }
    }
    (text, c)
}

pub(crate) fn too_large(name: &str) -> Diagnostic {
    Diagnostic::new(&codes::E0109, Span::NONE, format!("`{name}` is too large: sources may have 2 GiB in all"))
}

/// What the front end makes of a source.
pub(crate) struct Front {
    /// The typed tree.
    pub hir: rtc_frontend::hir::Module,
    /// Its names.
    pub names: Interner,
    /// The IR as it is lowered.
    pub module: rtc_ir::Module,
    /// Root signatures of its entry points.
    pub roots: Roots,
}

/// The front end: text to IR. `qualifiers`: payload access qualifiers stay in the IR whether or not they are in force.
pub(crate) fn front(
    name: &str,
    bytes: &[u8],
    includes: &mut dyn Includes,
    o: &Options,
    c: &mut Compilation,
    pragmas: &mut Pragmas,
    qualifiers: bool,
) -> Option<Front> {
    let mut interner = Interner::new();
    let decoded = lex::decode(bytes);
    let Some(main) = c.sources.add_file(name, &*decoded.text, None) else {
        c.diagnostics.push(too_large(name));
        return None;
    };
    let parsed = rtc_frontend::parse(&mut c.sources, &mut interner, main, &preprocess_options(o), includes);
    c.includes = parsed.includes;
    *pragmas = parsed.pragmas;
    c.diagnostics.extend(parsed.diagnostics);
    if c.failed() {
        return None;
    }
    let options = sema::SemaOptions {
        shader_model: o.profile.minor as u8,
        target: match o.profile.kind {
            ProfileKind::Library => sema::Target::Library,
            _ => sema::Target::Compute(o.entry.clone()),
        },
        hlsl_version: o.hlsl_version,
        native_16bit: o.native_16bit,
        flush_denormals: o.denormals == Some(rtc_ir::Denormals::Flush),
        spirv: matches!(o.target, Target::Spirv | Target::Package),
        row_major: o.row_major,
        payload_qualifiers: o.payload_qualifiers,
        export_all: o.export_all,
        export_named: o.exports.iter().map(|e| e.source_name().to_owned()).collect(),
        auto_space: o.auto_space,
        ..sema::SemaOptions::default()
    };
    let (typed, mut found) = sema::check(&parsed.ast, &c.sources, &mut interner, &options);
    if qualifiers {
        // Who wants to know what qualifiers there should be does not mind those in structures that are no payloads yet.
        found.retain(|d| ![codes::E0704.id, codes::W0601.id].contains(&d.code.id));
    }
    c.diagnostics.extend(found);
    if c.failed() {
        return None;
    }
    let roots = rootsig::roots(&typed, parsed.expanded.as_deref(), &interner, o, c);
    if c.failed() {
        return None;
    }
    let layout = match o.target {
        Target::Spirv => o.layout.unwrap_or(lower::BufferLayout::VULKAN),
        Target::Package => o.layout.unwrap_or(lower::BufferLayout::DX),
        _ => lower::BufferLayout::DX,
    };
    let lowering = lower::Options {
        shader_model: o.profile.minor,
        native_16bit: o.native_16bit,
        denormals: o.denormals,
        precise: o.precise,
        layout,
        payload_qualifiers: qualifiers || options.payload_qualifiers_on(),
        names: !o.reports.is_empty(),
        debug: o.debug_module(),
    };
    let (mut module, found) = lower::lower(&typed, &interner, &lowering);
    c.diagnostics.extend(found);
    if c.failed() {
        return None;
    }
    if o.export_shaders_only && o.exports.is_empty() {
        module.funcs.values_mut().for_each(|f| f.exported = false);
    }
    if !o.exports.is_empty() {
        c.diagnostics.extend(crate::exports::apply(&mut module, &o.exports, o.export_shaders_only));
        if c.failed() {
            return None;
        }
    }
    Some(Front { hir: typed, names: interner, module, roots })
}

fn run(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options, c: &mut Compilation, pragmas: &mut Pragmas) -> Option<Product> {
    let front = front(name, bytes, includes, o, c, pragmas, false)?;
    if !o.warnings.none {
        // Before any pass: what the source says of payloads is still as it says it.
        c.diagnostics.extend(rtc_passes::paq_liveness::check(&front.module).warnings);
        c.diagnostics.extend(crate::paq::perf(&front, &c.sources));
    }
    if o.reports.contains(&ReportKind::Paq) {
        c.reports.push(Report::Paq(report::paq::collect(name, &front, &c.sources)));
    }
    let packing = payloads::packing(o, &front, &mut c.sources, &mut c.diagnostics)?;
    if !o.warnings.none && packing != Packing::Declared {
        c.diagnostics.extend(payloads::unpacked(&packing, &front));
    }
    let mut module = front.module;
    let (first, rest) = pipeline::halves(o.level);
    // Payloads are packed as soon as a shader's ends are its own, and before its variables are split.
    let inlined = first.iter().position(|&p| p == "inline").map_or(0, |n| n + 1);
    passes(&mut module, &first[..inlined], c)?;
    let recorded = payloads::record(&module, &packing);
    match &packing {
        Packing::Declared => {}
        Packing::Own => _ = rtc_passes::pack_payload::pack_payloads(&mut module, None),
        Packing::Shared(all) => _ = rtc_passes::pack_payload::pack_payloads(&mut module, Some(all)),
    }
    let (cx, mut stock) = (PassCtx { check: cfg!(debug_assertions) }, Stock::default());
    ended(pipeline::run_in_goes(&mut module, &first[inlined..], &cx, &mut stock, &mut |_, _| {}), c)?;
    judge(&module, o.root_version, c);
    if c.failed() {
        return None;
    }
    if o.target == Target::Check && o.reports.is_empty() {
        return Some(Product::Nothing);
    }
    let unshrunk = o.reports.contains(&ReportKind::Reorder).then(|| module.clone());
    // Constants are known by then and what is not needed is gone, but nothing has moved.
    let known = if rest.contains(&"optimize") { "optimize" } else { "dce" };
    let mut warned: Option<Vec<Diagnostic>> = None;
    let done = pipeline::run_in_goes(&mut module, rest, &cx, &mut stock, &mut |pass, m| {
        if pass == known && warned.is_none() && !o.warnings.none {
            warned = Some(rtc_passes::reorder::warnings(m));
        }
    });
    ended(done.and_then(|_| stock.end(&module)), c)?;
    c.diagnostics.extend(warned.into_iter().flatten());
    if let Some(mut before) = unshrunk {
        let shrinking = rtc_passes::reorder::SHRINKING;
        let rest: Vec<&str> = rest.iter().copied().filter(|p| !shrinking.contains(p)).collect();
        // It differs from what worked by passes left out that nothing depends on.
        if pipeline::run_pipeline(&mut before, &rest, &cx).is_ok() {
            c.reports.push(Report::Reorder(report::reorder::collect(name, &before, &module, &c.sources)));
        }
    }
    if o.level != OptLevel::None {
        c.diagnostics.extend(rtc_passes::still_rolled(&module));
    }
    if o.auto_space.is_some() && o.target == Target::Dxil {
        let wrong = rtc_dxil_lower::bind_all(&mut module);
        c.diagnostics.extend(wrong.into_iter().map(|e| Diagnostic::new(&codes::E0902, e.span, e.message)));
        if c.failed() {
            return None;
        }
    }
    generate(name, &module, o, (front.roots, recorded), c)
}

/// Runs passes; `None` after an error.
fn passes(module: &mut rtc_ir::Module, names: &[&str], c: &mut Compilation) -> Option<()> {
    let cx = PassCtx { check: cfg!(debug_assertions) };
    ended(pipeline::run_pipeline(module, names, &cx), c)
}

/// Says what went wrong with passes.
fn ended<T>(done: Result<T, pipeline::PipelineError>, c: &mut Compilation) -> Option<()> {
    let Err(e) = done else { return Some(()) };
    let d = match e {
        pipeline::PipelineError::Wrong(all) => {
            c.diagnostics.extend(all);
            return None;
        }
        pipeline::PipelineError::Failed { message, .. } => Diagnostic::new(&codes::E0906, Span::NONE, message),
        e => Diagnostic::new(&codes::E0901, Span::NONE, format!("internal error in the passes: {e}")),
    };
    c.diagnostics.push(d);
    None
}

/// What is found in the program as it was written. What the checker of types has said of a part of a call is not said of the call again.
fn judge(module: &rtc_ir::Module, roots: crate::RootVersion, c: &mut Compilation) {
    let local = module.subobjects.iter().filter_map(|s| match &s.kind {
        SubobjectKind::LocalRootSignature(text) => {
            let signature = rtc_rootsig::parse(text, roots, Scope::Local).ok()?;
            Some(record_layout(&signature).ok()?.size)
        }
        _ => None,
    });
    let found = rtc_passes::check_rays(module, local.max());
    let inside = |a: Span, b: Span| a.lo >= b.lo && a.hi <= b.hi;
    let said = |d: &Diagnostic, all: &[Diagnostic]| all.iter().any(|e| e.code.id == d.code.id && inside(e.span(), d.span()));
    let before = std::mem::take(&mut c.diagnostics);
    let new: Vec<Diagnostic> = found.into_iter().filter(|d| !said(d, &before)).collect();
    c.diagnostics = before;
    c.diagnostics.extend(new);
}

/// The module without hit objects. RDAT stays that of the library as written: scenes and subobjects know its shaders.
fn lower_hit_objects(module: &rtc_ir::Module, o: &Options, c: &mut Compilation) -> Option<rtc_ir::Module> {
    let mut m = module.clone();
    let last: &[&str] = if o.level == OptLevel::None { &["dce"] } else { &["optimize", "reorder_motion"] };
    passes(&mut m, &[&["lower_hit_object", "sroa", "mem2reg"], last].concat(), c)?;
    Some(m)
}

fn generate(
    name: &str,
    module: &rtc_ir::Module,
    o: &Options,
    (roots, recorded): (Roots, Recorded),
    c: &mut Compilation,
) -> Option<Product> {
    let dxil_errors = |c: &mut Compilation, errors: Vec<LowerError>| {
        let code = |e: &LowerError| if e.internal { &codes::E0901 } else { &codes::E0902 };
        let all = errors.into_iter().map(|e| Diagnostic::new(code(&e), e.span, e.message));
        c.diagnostics.extend(all);
    };
    match o.target {
        Target::Ir => Some(Product::Ir(rtc_ir::text::print(module))),
        Target::Check => Some(Product::Nothing),
        Target::Dxil => {
            let options = DxilOptions {
                profile: match o.profile.kind {
                    ProfileKind::Library => dxil::Profile::Library,
                    _ => dxil::Profile::Compute,
                },
                validator: o.validator,
                sign: o.sign,
                unoptimized: o.level == OptLevel::None,
                all_resources_bound: o.all_resources_bound,
                strip_reflection: o.strip_reflection,
                keep_reflection: o.keep_reflection,
                root_signatures: roots.signatures,
                strip_root_signature: o.strip_root_signature,
                root_version: o.root_version,
            };
            let asked = o.debug.kind != DebugKind::None || o.debug.named;
            let sources = if asked { texts(name, o, &c.sources) } else { SourceInfo::default() };
            let input = DebugInput { options: &o.debug, places: &c.sources, sources: &sources };
            let built = match rtc_dxil_lower::library::build(module, &options, asked.then_some(&input)) {
                Ok(built) => built,
                Err(errors) => {
                    dxil_errors(c, errors);
                    return None;
                }
            };
            rootsig::check_shader(&built, roots.span, &mut c.diagnostics);
            match AuxiliaryFiles::new(&built, o, &sources) {
                Ok(made) => c.outputs = Some(made),
                Err(e) => c.diagnostics.push(Diagnostic::new(&codes::E0902, Span::NONE, e.to_string())),
            }
            match built.container() {
                Ok(container) => {
                    c.debug = built.debug.map(|module| DebugOutput { module, sources });
                    Some(Product::Dxil(container))
                }
                Err(errors) => {
                    dxil_errors(c, errors);
                    None
                }
            }
        }
        Target::Spirv | Target::Package => {
            let record = |g: &&rtc_ir::GlobalData| g.resource().is_some_and(|r| r.binding.place == rtc_ir::BindPlace::Record);
            if let (Target::Package, Some(g)) = (o.target, module.globals.values().find(record)) {
                let message = format!(
                    "`{}` is the shader record, which a package describes by local root signatures; write one, or make SPIR-V",
                    g.name
                );
                c.diagnostics.push(Diagnostic::new(&codes::E0903, g.span, message));
                return None;
            }
            let rdat = match rtc_dxil_lower::library_rdat(module, o.validator, o.root_version) {
                Ok(r) => r,
                Err(errors) => {
                    dxil_errors(c, errors);
                    return None;
                }
            };
            let mut lowered = None;
            let ser = o.ser_extension();
            if ser.is_none() && rtc_passes::uses_hit_objects(module) {
                lowered = Some(lower_hit_objects(module, o, c)?);
            }
            let module = lowered.as_ref().unwrap_or(module);
            let options = rtc_spirv::Options {
                spirv_minor: o.spirv_minor(),
                vulkan_minor: o.vulkan_minor,
                shifts: o.shifts.clone(),
                registers: o.registers.clone(),
                globals: o.globals_binding.map(|b| (b.binding, b.set)),
                auto_shift: o.auto_shift,
                resource_heap: o.resource_heap.map(|b| (b.binding, b.set)),
                sampler_heap: o.sampler_heap.map(|b| (b.binding, b.set)),
                ser: ser.unwrap_or(rtc_spirv::Ser::Nv),
                extensions: o.spirv_extensions.clone().unwrap_or_default(),
            };
            let out = match rtc_spirv::compile(module, &rdat, &options) {
                Ok(out) => out,
                Err(errors) => {
                    let all = errors.into_iter().map(|e| Diagnostic::new(e.code, e.span, e.message));
                    c.diagnostics.extend(all);
                    return None;
                }
            };
            let warnings = out.warnings.into_iter().map(|e| Diagnostic::new(e.code, e.span, e.message));
            c.diagnostics.extend(warnings);
            if o.target == Target::Spirv {
                let needs = out.map.requirements.iter().map(|r| (format!("{} {}", r.kind, r.name), r.reason.clone()));
                return Some(Product::Spirv(out.words, needs.collect()));
            }
            let mut map = out.map;
            map.payloads = recorded.finish(&map.entries);
            let package = rtc_package::Package { flags: 0, rdat, spirv: out.words, map };
            match package.write() {
                Ok(bytes) => Some(Product::Package(bytes)),
                Err(e) => {
                    c.diagnostics.push(Diagnostic::new(&codes::E0903, Span::NONE, e.to_string()));
                    None
                }
            }
        }
    }
}
