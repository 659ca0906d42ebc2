//! A program, compiled in all the ways that must mean the same, and checked by the validators.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rtc::link::{Input, LinkOptions};
use rtc::{
    BufferLayout, ConvergeTraces, Environment, NoIncludes, OptLevel, Options, PayloadLayout, Product, Profile, Ser, Style, Target, Version,
};
use rtc_oracles::{CompileResult, Dxc, DxcProgram, Dxv, SpirvVal};
use rtc_package::Package;
use rtc_tables::stages::Stage;

use crate::generate::{Kind, Program};
use crate::rebind;

/// What a compiler made.
pub enum Output {
    /// A container, for the CPU device.
    Dxil(Vec<u8>),
    /// A module with its bindings, for Vulkan.
    Spirv(Box<Package>),
    /// The same, of which only the bindings are of interest.
    Bindings(Box<Package>),
}

/// A compiled program.
pub struct Build {
    /// How it was made.
    pub name: &'static str,
    /// What it is.
    pub output: Output,
}

/// Why there is no build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// rtc does not compile the program.
    Refused(String),
    /// rtc panics.
    Panicked(String),
    /// A validator refuses what rtc made.
    Invalid(String),
    /// The reference compiler does not compile the program.
    ReferenceRefused(String),
    /// The reference compiler makes what its validator refuses.
    ReferenceInvalid(String),
}

/// The outside programs.
pub struct Tools {
    /// The reference compiler and the validator of DXIL.
    pub dxc: Option<Dxc>,
    /// The newer reference compiler, for what the pinned one does not have.
    pub newer: Option<DxcProgram>,
    /// The validator that belongs to it.
    pub dxv: Option<Dxv>,
    /// The validator of SPIR-V.
    pub spirv_val: Option<SpirvVal>,
}

impl Tools {
    /// Those that are here.
    pub fn find() -> Tools {
        Tools { dxc: Dxc::load().ok(), newer: DxcProgram::find().ok(), dxv: Dxv::find().ok(), spirv_val: SpirvVal::load().ok() }
    }
}

/// The version whose validator is the outside one.
const VALIDATOR: Version = Version::new(1, 6);

/// The version of the validator that a program is for: newer shader models need a newer one.
fn validator(program: &Program) -> Version {
    if program.no_reference.is_some() { Version::new(1, program.minor) } else { VALIDATOR }
}

fn options(program: &Program, target: Target, level: OptLevel) -> Options {
    let mut options = Options::new(Profile::parse(&program.profile()).expect("a profile"));
    options.target = target;
    options.level = level;
    options.native_16bit = program.native_16bit;
    options.row_major = program.row_major;
    options.warnings.none = true;
    options.dxil.validator = validator(program);
    // Payloads of the programs have none.
    options.payload_qualifiers = Some(false);
    options
}

/// What rtc compiles a program to.
fn ours(source: &str, name: &str, options: &Options) -> Result<Product, Failure> {
    let compiled = catch_unwind(AssertUnwindSafe(|| {
        let out = rtc::compile("random.hlsl", source.as_bytes(), &mut NoIncludes, options);
        let errors: Vec<String> =
            out.diagnostics.iter().filter(|d| d.is_error()).map(|d| rtc::render(&out.sources, d, Style::Short)).collect();
        out.product.ok_or_else(|| errors.concat())
    }));
    match compiled {
        Ok(Ok(product)) => Ok(product),
        Ok(Err(errors)) => Err(Failure::Refused(format!("{name}: {errors}"))),
        Err(_) => Err(Failure::Panicked(name.to_string())),
    }
}

/// How the libraries of a program are compiled and linked.
struct Linked {
    name: &'static str,
    /// The levels of the libraries, which take turns.
    levels: [OptLevel; 2],
    /// Whether all libraries but the one with the entry points are linked to one library first.
    first_others: bool,
    /// Whether the libraries are for linking alone.
    offline: bool,
}

const LINKED: [Linked; 4] = {
    let all = Linked { name: "linked -O3", levels: [OptLevel::O3; 2], first_others: false, offline: false };
    [
        Linked { name: "linked -Od", levels: [OptLevel::O0; 2], ..all },
        Linked { name: "linked lib_6_x", levels: [OptLevel::O3, OptLevel::O0], offline: true, ..all },
        Linked { name: "linked twice", levels: [OptLevel::O0, OptLevel::O3], first_others: true, ..all },
        all,
    ]
};

/// The libraries of a program, compiled and linked.
fn linked(program: &Program, how: &Linked) -> Result<Vec<u8>, Failure> {
    let name = how.name;
    let minor = program.minor.max(Stage::Library.info().model);
    let profile = if how.offline { "lib_6_x".to_string() } else { format!("lib_6_{minor}") };
    let mut files = Vec::new();
    for (n, source) in program.libraries.iter().enumerate() {
        let mut options = options(program, Target::Dxil, how.levels[n % 2]);
        options.profile = Profile::parse(&profile).expect("a profile");
        files.push(ours(source, name, &options)?.into_bytes());
    }
    let join = |files: &[Vec<u8>], target: rtc::link::Target| {
        let names: Vec<String> = (0..files.len()).map(|n| format!("library{n}")).collect();
        let inputs: Vec<Input<'_>> = names.iter().zip(files).map(|(name, bytes)| Input { name, bytes }).collect();
        let options = LinkOptions { validator: Some(validator(program)), ..LinkOptions::new(target) };
        let done = catch_unwind(|| rtc::link::link(&inputs, &options));
        let done = done.map_err(|_| Failure::Panicked(name.to_string()))?;
        let sentences = |e: Vec<rtc::link::LinkError>| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        done.map(|d| d.bytes).map_err(|e| Failure::Refused(format!("{name}: {}", sentences(e))))
    };
    let target = |profile: &str| rtc::link::Target::parse(profile, "main").expect("a profile");
    if how.first_others && files.len() > 2 {
        let others = join(&files[1..], target(&profile))?;
        files.truncate(1);
        files.push(others);
    }
    join(&files, target(&program.profile()))
}

/// Which builds of a program there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builds {
    /// All.
    All,
    /// Of those as DXIL only the one at -O3 and another one, which follows from the text of the program.
    Few,
    /// That at -O3 as DXIL, and packages whose traces under divergent control flow all lanes execute; none of a program without such traces.
    Converged,
}

/// The builds of [`Builds::Converged`].
fn converged(program: &Program, tools: &Tools) -> (Vec<Build>, Vec<Failure>) {
    let (mut builds, mut failures) = (Vec::new(), Vec::new());
    if program.kind != Kind::Library {
        return (builds, failures);
    }
    for (name, level) in
        [("converged traces -O3", OptLevel::O3), ("converged traces -O1", OptLevel::O1), ("converged traces -Od", OptLevel::O0)]
    {
        let mut options = options(program, Target::Package, level);
        options.vulkan.converge_traces = ConvergeTraces::On;
        match ours(&program.source, name, &options).map(|p| Package::read(&p.into_bytes())) {
            Ok(Ok(package)) if package.map.null_misses.is_none() => {}
            Ok(Ok(package)) => {
                failures.extend(check_spirv(name, &package.spirv, tools).err());
                builds.push(Build { name, output: Output::Spirv(Box::new(package)) });
            }
            Ok(Err(e)) => failures.push(Failure::Invalid(format!("{name}: {e:?}"))),
            Err(e) => failures.push(e),
        }
    }
    if !builds.is_empty() {
        match ours(&program.source, "DXIL -O3", &options(program, Target::Dxil, OptLevel::O3)) {
            Ok(product) => builds.insert(0, Build { name: "DXIL -O3", output: Output::Dxil(product.into_bytes()) }),
            Err(e) => failures.push(e),
        }
    }
    (builds, failures)
}

/// The builds of a program by rtc. Without `packages` there is the one that says what is bound.
pub fn all(program: &Program, tools: &Tools, with_packages: bool, which: Builds) -> (Vec<Build>, Vec<Failure>) {
    if which == Builds::Converged {
        return converged(program, tools);
    }
    let (mut builds, mut failures) = (Vec::new(), Vec::new());
    let linked_builds: Vec<&Linked> =
        LINKED.iter().filter(|h| !program.libraries.is_empty() && (!h.first_others || program.libraries.len() > 2)).collect();
    // The second build, next to the one at -O3: -Od is the first of them.
    let second = (which == Builds::Few).then(|| chosen(&program.source, 1 + linked_builds.len()));
    let taken = |n: usize| second.is_none_or(|s| s == n);
    for (name, level) in [("DXIL -O3", OptLevel::O3), ("DXIL -Od", OptLevel::O0)] {
        if level == OptLevel::O0 && !taken(0) {
            continue;
        }
        match ours(&program.source, name, &options(program, Target::Dxil, level)) {
            Ok(product) => {
                let bytes = product.into_bytes();
                failures.extend(check_dxil(program, name, &bytes, tools).err());
                builds.push(Build { name, output: Output::Dxil(bytes) });
            }
            Err(e) => failures.push(e),
        }
    }
    for how in linked_builds.iter().enumerate().filter(|(n, _)| taken(n + 1)).map(|(_, how)| how) {
        match linked(program, how) {
            Ok(bytes) => {
                failures.extend(check_dxil(program, how.name, &bytes, tools).err());
                builds.push(Build { name: how.name, output: Output::Dxil(bytes) });
            }
            Err(e) => failures.push(e),
        }
    }
    let mut packages = Vec::new();
    let mut forms = vec![("package -O3", options(program, Target::Package, OptLevel::O3))];
    if with_packages {
        forms.push(("package -Od", options(program, Target::Package, OptLevel::O0)));
    }
    if with_packages && program.kind == Kind::Library {
        // Payloads by all that is stored into them, and rays that are sorted at each trace.
        let whole = |level| Options { payload_layout: PayloadLayout::Whole, ..options(program, Target::Package, level) };
        forms.extend([("whole payloads -O3", whole(OptLevel::O3)), ("whole payloads -Od", whole(OptLevel::O0))]);
        let mut sorted = options(program, Target::Package, OptLevel::O3);
        (sorted.vulkan.ser, sorted.vulkan.wavefront_traces) = (Ser::Wavefront, true);
        forms.push(("sorted rays -O3", sorted));
        // Traces under divergent control flow by all lanes.
        let converged = |level| {
            let mut options = options(program, Target::Package, level);
            options.vulkan.converge_traces = ConvergeTraces::On;
            options
        };
        forms.extend([("converged traces -O3", converged(OptLevel::O3)), ("converged traces -Od", converged(OptLevel::O0))]);
    }
    for (name, options) in forms {
        match ours(&program.source, name, &options) {
            Ok(product) => match Package::read(&product.into_bytes()) {
                Ok(package) if !with_packages => builds.push(Build { name, output: Output::Bindings(Box::new(package)) }),
                Ok(package) => {
                    failures.extend(check_spirv(name, &package.spirv, tools).err());
                    packages.push(package.clone());
                    builds.push(Build { name, output: Output::Spirv(Box::new(package)) });
                }
                Err(e) => failures.push(Failure::Invalid(format!("{name}: {e:?}"))),
            },
            Err(e) => failures.push(e),
        }
    }
    if let Some(like) = packages.first() {
        match declared(program, like, tools) {
            Ok(package) => builds.push(Build { name: "declared types -O3", output: Output::Spirv(Box::new(package)) }),
            Err(e) => failures.push(e),
        }
    }
    (builds, failures)
}

/// A number below `count` that follows from the text of a program alone.
fn chosen(source: &str, count: usize) -> usize {
    let hash = source.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) as usize % count
}

/// The build of the reference compiler, if it is here and knows the shader model. It may crash.
pub fn by_reference(program: &Program, tools: &Tools) -> Option<Result<Build, Failure>> {
    let args = reference_arguments(program);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let compiled = match &tools.newer {
        Some(newer) => newer.compile(&program.source, &args),
        None => tools.dxc.filter(|_| program.no_reference.is_none())?.compile(&program.source, "random.hlsl", &args),
    };
    Some(reference(compiled).map(|bytes| Build { name: REFERENCE, output: Output::Dxil(bytes) }))
}

/// The name of the reference's build.
pub const REFERENCE: &str = "reference";

fn check_dxil(program: &Program, name: &str, bytes: &[u8], tools: &Tools) -> Result<(), Failure> {
    let invalid = |text: String| Err(Failure::Invalid(format!("{name}: {text}")));
    match rtc::validate::validate(bytes) {
        Ok(v) if v.report.findings.is_empty() => {}
        Ok(v) => return invalid(format!("rtc validate: {:?}", v.report.findings[0])),
        Err(e) => return invalid(format!("rtc validate: {e:?}")),
    }
    let refused = match (&tools.dxv, tools.dxc.as_ref().filter(|_| program.no_reference.is_none())) {
        (Some(dxv), _) => dxv.validate(bytes).err(),
        (None, Some(dxc)) => dxc.validate(bytes).err(),
        (None, None) => None,
    };
    refused.map_or(Ok(()), |e| invalid(format!("the reference validator: {e}")))
}

fn check_spirv(name: &str, words: &[u32], tools: &Tools) -> Result<(), Failure> {
    match &tools.spirv_val {
        Some(tool) if !tool.accepts(words) => Err(Failure::Invalid(format!("{name}: the SPIR-V validator refuses it"))),
        _ => Ok(()),
    }
}

/// The module in which buffers have the types of the source, with the bindings of another package.
fn declared(program: &Program, like: &Package, tools: &Tools) -> Result<Package, Failure> {
    let name = "declared types -O3";
    let mut options = options(program, Target::Spirv, OptLevel::O3);
    options.spirv.environment = Environment::named("vulkan1.2");
    options.vulkan.layout = Some(BufferLayout::DX);
    let bytes = ours(&program.source, name, &options)?.into_bytes();
    let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    check_spirv(name, &words, tools)?;
    let invalid = |what: String| Failure::Invalid(format!("{name}: {what}"));
    let json = rtc::reflect::reflect(&bytes).map_err(|e| invalid(format!("rtc reflect: {e:?}")))?;
    let json: serde_json::Value = serde_json::from_str(&json).map_err(|e| invalid(format!("rtc reflect: {e}")))?;
    Ok(rebind::by_reflection(like, words, &json))
}

/// The command line of the reference compiler.
fn reference_arguments(program: &Program) -> Vec<String> {
    let validator = validator(program).to_string();
    let profile = program.profile();
    let mut args = vec!["-T", &profile, "-HV", "2021", "-validator-version", &validator];
    match program.kind {
        Kind::Compute => args.extend(["-E", "main"]),
        // Payloads of the programs have no qualifiers, which later shader models demand.
        Kind::Library if program.no_reference.is_some() => args.push("-disable-payload-qualifiers"),
        Kind::Library => {}
    }
    if program.native_16bit {
        args.push("-enable-16bit-types");
    }
    if program.row_major {
        args.push("-Zpr");
    }
    args.into_iter().map(str::to_string).collect()
}

/// The container that the reference compiler makes.
fn reference(out: CompileResult) -> Result<Vec<u8>, Failure> {
    match out.object {
        Some(bytes) if out.ok => Ok(bytes),
        _ if out.diagnostics.contains("alidation") => Err(Failure::ReferenceInvalid(out.diagnostics)),
        _ => Err(Failure::ReferenceRefused(out.diagnostics)),
    }
}
