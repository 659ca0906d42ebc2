//! The command line of the compiler: parses arguments into [`Options`], runs the compiler and writes the output files.

use crate::error::Result;
use std::fmt::Write as _;
use std::io::IsTerminal;

use clap::{Arg, ArgAction, ArgMatches, Command};
use rtc::exports::Export;
use rtc::ir::Stage;
use rtc::link::{DebugGoes, Linked};
use rtc::outputs::AuxiliaryFiles;
use rtc::report::Request;
use rtc::{
    BufferLayout, Compilation, DebugKind, Define, Denormals, DescriptorBinding, Disk, Environment, HostHitGroup, NamedBy, OptLevel,
    Options, PayloadLayout, Product, Profile, ProfileKind, RegisterBinding, ResourceClass, Ser, SpirvDebug, Style, Target, Version,
};

use rtc::flags::{FLAGS, Support, Takes};

use crate::dialect;
use crate::matches::{all, given, has, last};
use crate::{container, output, verify};

fn command() -> Command {
    let mut c = Command::new("rtc")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Compiles ray-tracing HLSL to DXIL and SPIR-V, with the options of dxc.")
        .override_usage("rtc -T PROFILE [OPTIONS] FILE\n       rtc run SCENE.toml | dis FILE | validate FILES | reflect FILE | container FILE | paq FILES | link -T PROFILE FILES | --list-intrinsics")
        .arg(Arg::new("FILE").num_args(0..).help("the source; - is standard input; of several, the last one counts"));
    for f in FLAGS {
        let mut help = f.help.to_owned();
        match f.support {
            Support::Full => {}
            Support::NoEffect(_) => help.push_str(" [no effect]"),
            // `dialect` refuses them before.
            Support::Refused(_) => continue,
        }
        let arg = Arg::new(f.name).long(f.name).help(help);
        c = c.arg(match f.takes {
            Takes::Nothing => arg.action(ArgAction::Count),
            Takes::OptionalEquals => {
                arg.action(ArgAction::Append).value_name(f.value).require_equals(true).num_args(0..=1).default_missing_value("")
            }
            _ => arg.action(ArgAction::Append).value_name(f.value).require_equals(true),
        });
    }
    c
}

/// Runs the compiler with these arguments. Returns `false` after printing errors.
///
/// # Errors
/// Invalid arguments and files that cannot be read or written.
pub fn compile(args: &[String]) -> Result<bool> {
    let normal = dialect::normalise(args)?;
    let matches = match command().try_get_matches_from(std::iter::once("rtc".to_owned()).chain(normal.iter().cloned())) {
        Ok(m) => m,
        Err(e) if !e.use_stderr() => {
            output::print(dialect_help(&e.to_string()).as_bytes())?;
            return Ok(true);
        }
        Err(e) => return Err(dialect_help(e.to_string().trim_start_matches("error: ").trim_end()).into()),
    };
    let m = &matches;
    let files: Vec<&String> = m.get_many("FILE").into_iter().flatten().collect();
    let (file, preprocessed) = inputs(&files, &normal);
    let Some(file) = file else {
        return Err("no source file given; rtc --help lists the options".into());
    };
    if has(m, "v") || has(m, "verbose") {
        explain_flags_without_effect(m);
    }
    if has(m, "dumpbin") {
        return container::dump(m, file);
    }
    let mut options = options(m)?;
    debug_options(m, args, file, &mut options)?;
    options.arguments = dialect::pairs(&normal);
    container::options(m, &mut options)?;
    let reports = all(m, "report").map(Request::parse).collect::<std::result::Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    options.reports = reports.iter().map(|r| r.kind).collect();
    let style = style(m)?;
    let source = output::read(file)?;
    if preprocesses(m) {
        let (text, c) = rtc::preprocess(file, &source, &mut Disk, &options);
        report(&c, style, m)?;
        if c.failed() {
            return Ok(false);
        }
        let out = last(m, "Fi").or(preprocessed).map_or_else(|| with_extension(file, "i", "-Fi"), |f| Ok(f.to_owned()))?;
        output::write(&out, text.as_bytes())?;
        return Ok(true);
    }
    if lists_dependencies(m) {
        let (_, c) = rtc::preprocess(file, &source, &mut Disk, &options);
        report(&c, style, m)?;
        if c.failed() {
            return Ok(false);
        }
        let rule = dependencies(last(m, "Fo").unwrap_or(file), file, &c);
        match last(m, "MF") {
            Some(path) => output::write(path, rule.as_bytes())?,
            None if has(m, "MD") => output::write(&with_extension(file, "d", "-MF")?, rule.as_bytes())?,
            None => output::print(rule.as_bytes())?,
        }
        return Ok(true);
    }
    options.times = has(m, "ftime-report") || given(m, "ftime-trace");
    let least = last(m, "ftime-trace-granularity")
        .map_or(Ok(0), |v| v.parse().map_err(|_| format!("-ftime-trace-granularity={v}: expected a number of microseconds")))?;
    let c = rtc::compile(file, &source, &mut Disk, &options);
    if has(m, "ftime-report") {
        eprint!("{}", rtc::times::report(&c.times));
    }
    if given(m, "ftime-trace") {
        let text = rtc::times::trace(&c.times, std::time::Duration::from_micros(least));
        output::write(last(m, "ftime-trace").filter(|f| !f.is_empty()).unwrap_or("-"), text.as_bytes())?;
    }
    if has(m, "verify") {
        let differences = verify::verify(&c);
        eprint!("{differences}");
        return Ok(differences.is_empty());
    }
    report(&c, style, m)?;
    if has(m, "H") || has(m, "Vi") {
        // As dxc: a file that is included again is not opened again.
        let mut opened: Vec<&str> = Vec::new();
        for i in &c.includes {
            if !opened.contains(&i.path.as_str()) {
                eprintln!("Opening file [{}], stack top [{}]", i.path, opened.len());
                opened.push(&i.path);
            }
        }
    }
    if c.product.is_none() {
        return Ok(false);
    }
    for request in &reports {
        let Some(found) = c.reports.iter().find(|r| r.kind() == request.kind) else { continue };
        output::write(request.file.as_deref().unwrap_or("-"), found.render(request.format).as_bytes())?;
    }
    let Some(product) = c.product else { return Ok(false) };
    // A requested report replaces the listing on standard output.
    emit(m, product, c.outputs.as_ref(), &options.entry, reports.is_empty())?;
    Ok(true)
}

/// The source, and the file that `-Po` writes: of several arguments that are no options, the last one counts, but for the one after
/// `-Po`.
fn inputs<'a>(files: &[&'a String], normal: &[String]) -> (Option<&'a str>, Option<&'a str>) {
    // The number of files before `-Po`, if one follows it.
    let at = normal.iter().position(|a| a == "--Po").filter(|&at| normal.get(at + 1).is_some_and(|a| !a.starts_with("--")));
    let before = at.map(|at| normal[..at].iter().filter(|a| !a.starts_with("--")).count());
    let Some(n) = before.filter(|_| files.len() > 1) else { return (files.last().map(|f| f.as_str()), None) };
    let source = if n + 1 == files.len() { n - 1 } else { files.len() - 1 };
    (Some(files[source]), files.get(n).map(|f| f.as_str()))
}

/// Whether only the dependencies of the source are listed.
fn lists_dependencies(m: &ArgMatches) -> bool {
    has(m, "M") || has(m, "MD") || last(m, "MF").is_some()
}

/// Whether the source is preprocessed only.
fn preprocesses(m: &ArgMatches) -> bool {
    has(m, "P") || has(m, "Po")
}

/// A file's path with another extension.
///
/// # Errors
/// The file is standard input; `option` names the file instead.
fn with_extension(file: &str, extension: &str, option: &str) -> Result<String> {
    match file {
        "-" => Err(format!("standard input has no name to write a file `.{extension}` by; name it with {option}").into()),
        _ => Ok(std::path::Path::new(file).with_extension(extension).to_string_lossy().into_owned()),
    }
}

/// Notes for `-v`.
fn explain_flags_without_effect(m: &ArgMatches) {
    for f in FLAGS {
        let Support::NoEffect(why) = f.support else { continue };
        let present = match f.takes {
            Takes::Nothing => has(m, f.name),
            _ => last(m, f.name).is_some(),
        };
        if present {
            eprintln!("rtc: note: `-{}` has no effect: {why}", f.name);
        }
    }
}

/// The style of diagnostics: short where a program reads them, or where the command is called `dxc`.
fn style(m: &ArgMatches) -> Result<Style> {
    match last(m, "fdiagnostics-format") {
        None if std::io::stderr().is_terminal() && !called_dxc() => Ok(Style::Rich),
        None | Some("short" | "clang") => Ok(Style::Short),
        Some("rich") => Ok(Style::Rich),
        Some("msvc") => Ok(Style::Msvc),
        Some("msvc-fallback") => Ok(Style::MsvcFallback),
        Some("vi") => Ok(Style::Vi),
        Some("json") => Ok(Style::Json),
        Some(other) => {
            Err(format!("unknown diagnostics format `{other}`; expected rich, clang, short, msvc, msvc-fallback, vi or json").into())
        }
    }
}

/// Whether the command has the name of dxc, as a link to it may.
fn called_dxc() -> bool {
    let name = std::env::args_os().next();
    name.is_some_and(|n| std::path::Path::new(&n).file_stem().is_some_and(|s| s.eq_ignore_ascii_case("dxc")))
}

/// Parses the arguments of a command with any number of sources: the files, the options and the style of diagnostics.
///
/// # Errors
/// Invalid arguments.
pub fn several(args: &[String]) -> Result<(Vec<String>, Options, Style)> {
    let normal = dialect::normalise(args)?;
    let command = command();
    let m = command
        .try_get_matches_from(std::iter::once("rtc".to_owned()).chain(normal))
        .map_err(|e| dialect_help(e.to_string().trim_start_matches("error: ").trim_end()))?;
    let files = m.get_many::<String>("FILE").into_iter().flatten().cloned().collect();
    Ok((files, options(&m)?, style(&m)?))
}

/// The arguments of `rtc link`.
pub struct LinkRequest {
    /// The libraries.
    pub files: Vec<String>,
    /// The target profile.
    pub profile: String,
    /// The entry point of a shader.
    pub entry: String,
    /// The exported functions.
    pub exports: Vec<Export>,
    /// Export entry points only.
    pub shaders_only: bool,
    /// The register space for resources without a register.
    pub auto_space: Option<u32>,
    /// The validator's version, if it is specified.
    pub validator: Option<Version>,
    /// Sign the container.
    pub sign: bool,
    /// Omit the reflection part.
    pub strip_reflection: bool,
    /// The destination of debug information.
    pub debug: DebugGoes,
    /// The name of the PDB, if it is specified.
    pub debug_name: Option<String>,
    /// Hide warnings.
    pub quiet: bool,
    /// Treat warnings as errors.
    pub strict: bool,
    /// The file that messages are written to.
    pub messages: Option<String>,
    matches: ArgMatches,
}

impl LinkRequest {
    /// Writes the requested files.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub fn emit(&self, linked: Linked) -> Result<()> {
        let outputs = AuxiliaryFiles::linked(&linked).map_err(|e| e.to_string())?;
        if outputs.pdb.is_none() && last(&self.matches, "Fd").is_some() {
            return Err("-Fd requires debug information, and no library has any".into());
        }
        emit(&self.matches, Product::Dxil(linked.bytes), Some(&outputs), &self.entry, true)
    }
}

/// Parses the arguments of `rtc link`.
///
/// # Errors
/// Invalid arguments.
pub fn linking(args: &[String]) -> Result<LinkRequest> {
    let normal = dialect::normalise(args)?;
    let command = command();
    let m = command
        .try_get_matches_from(std::iter::once("rtc".to_owned()).chain(normal))
        .map_err(|e| dialect_help(e.to_string().trim_start_matches("error: ").trim_end()))?;
    if has(&m, "spirv") {
        return Err("-link links DXIL libraries, not SPIR-V".into());
    }
    let mut exports = Vec::new();
    for list in all(&m, "exports") {
        exports.extend(Export::parse_list(list).map_err(|e| e.to_string())?);
    }
    Ok(LinkRequest {
        files: m.get_many::<String>("FILE").into_iter().flatten().cloned().collect(),
        profile: last(&m, "T").ok_or("no target profile given, for example -T lib_6_6")?.to_owned(),
        entry: last(&m, "E").unwrap_or("main").to_owned(),
        exports,
        shaders_only: has(&m, "export-shaders-only"),
        auto_space: auto_space(&m)?,
        validator: last(&m, "validator-version").map(version).transpose()?,
        sign: !has(&m, "Vd"),
        strip_reflection: has(&m, "Qstrip_reflect"),
        debug: match last(&m, "Fd") {
            Some(_) if !has(&m, "Qembed_debug") => DebugGoes::Aside,
            None if has(&m, "Qstrip_debug") => DebugGoes::Away,
            _ => DebugGoes::Inside,
        },
        debug_name: last(&m, "Fd").filter(|path| !path.ends_with(std::path::is_separator)).map(str::to_owned),
        quiet: has(&m, "no-warnings"),
        strict: has(&m, "WX"),
        messages: last(&m, "Fe").map(str::to_owned),
        matches: m,
    })
}

fn auto_space(m: &ArgMatches) -> Result<Option<u32>> {
    let space = last(m, "auto-binding-space");
    space.map(|n| n.parse().map_err(|_| format!("-auto-binding-space {n}: expected a register space").into())).transpose()
}

/// The dependencies of `target` as a rule for make, with names escaped for make.
fn dependencies(target: &str, file: &str, c: &Compilation) -> String {
    let escaped = |path: &str| path.replace(' ', "\\ ").replace('$', "$$").replace('#', "\\#");
    let mut rule = format!("{}:", escaped(target));
    let mut listed: Vec<&str> = Vec::new();
    // As dxc, the first file is on the line of the target.
    for path in std::iter::once(file).chain(c.includes.iter().map(|i| i.path.as_str())) {
        if !listed.contains(&path) {
            _ = write!(rule, "{} {}", if listed.is_empty() { "" } else { " \\\n" }, escaped(path));
            listed.push(path);
        }
    }
    rule + "\n"
}

/// Replaces the spelling of options that clap uses (`--T`) by that of dxc (`-T`).
fn dialect_help(text: &str) -> String {
    let mut out = text.replace(" --", " -").replace("'--", "'-");
    for f in FLAGS.iter().filter(|f| f.takes != Takes::Nothing) {
        let glue = match f.takes {
            Takes::Equals => "=",
            Takes::Joined => "",
            _ => " ",
        };
        out = out.replace(&format!("-{}=<{}>", f.name, f.value), &format!("-{}{glue}<{}>", f.name, f.value));
    }
    out
}

fn options(m: &ArgMatches) -> Result<Options> {
    // Preprocessing requires no profile, as in dxc.
    let profile = match last(m, "T") {
        None if preprocesses(m) || lists_dependencies(m) => "lib_6_6",
        p => p.ok_or("no target profile given, for example -T lib_6_6")?,
    };
    let mut o = Options::new(Profile::parse(profile).map_err(|e| e.to_string())?);
    let object = last(m, "Fo").unwrap_or("");
    let spirv = has(m, "spirv");
    if object.ends_with(".rtp") && !spirv {
        return Err("a runtime package (.rtp) holds SPIR-V: add -spirv".into());
    }
    o.target = match spirv {
        _ if has(m, "emit-ir") => Target::Ir,
        true if object.ends_with(".rtp") => Target::Package,
        true => Target::Spirv,
        false => Target::Dxil,
    };
    o.payload_layout = payload_layout(m, &o)?;
    if let Some(e) = last(m, "E") {
        o.entry = e.to_owned();
    }
    o.defines = all(m, "D").map(define).collect();
    o.include_dirs = all(m, "I").map(str::to_owned).collect();
    o.ignore_line = has(m, "ignore-line-directives");
    o.hlsl_version = match last(m, "HV") {
        Some("2016") | None if has(m, "Gec") => 2016,
        Some(v) if has(m, "Gec") => return Err(format!("-Gec is for HLSL 2016, and -HV {v} asks for another version").into()),
        None | Some("2021") => 2021,
        Some("2018") => 2018,
        Some("2017") => 2017,
        Some("2016") => 2016,
        Some("202x") => 2029,
        Some(v) => return Err(format!("unknown HLSL version `{v}`; expected 2016, 2017, 2018, 2021 or 202x").into()),
    };
    o.native_16bit = has(m, "enable-16bit-types");
    if o.profile.is_offline() && !matches!(o.target, Target::Dxil | Target::Ir) {
        return Err("lib_6_x is for linking DXIL; it has no SPIR-V".into());
    }
    if o.native_16bit && o.profile.minor < 2 {
        return Err("-enable-16bit-types requires shader model 6.2 or higher".into());
    }
    o.denormals = denormals(m, &o)?;
    o.row_major = has(m, "Zpr");
    o.precise = has(m, "Gis");
    if has(m, "Zpr") && has(m, "Zpc") {
        return Err("-Zpr and -Zpc contradict each other".into());
    }
    o.payload_qualifiers = match (has(m, "enable-payload-qualifiers"), has(m, "disable-payload-qualifiers")) {
        (true, true) => return Err("-enable-payload-qualifiers and -disable-payload-qualifiers contradict each other".into()),
        (true, _) if o.profile.minor < 6 => {
            return Err("-enable-payload-qualifiers requires shader model 6.6 or higher".into());
        }
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    if has(m, "fcgl") && !spirv {
        return Err("-fcgl is for SPIR-V alone: for DXIL dxc prints its inner form with it, and -emit-ir prints that of rtc".into());
    }
    for (flags, level) in
        [(&["Od", "O0", "fcgl"][..], OptLevel::O0), (&["O1"], OptLevel::O1), (&["O2"], OptLevel::O2), (&["O3"], OptLevel::O3)]
    {
        if flags.iter().any(|f| has(m, f)) {
            o.level = level;
            break; // the lowest level wins: it is the one for debugging
        }
    }
    o.warnings.none = has(m, "no-warnings");
    o.warnings.all_errors = has(m, "WX");
    o.warnings.groups = all(m, "W").map(str::to_owned).collect();
    o.sign = !has(m, "Vd");
    let optimized = has(m, "pack-optimized") || has(m, "pack_optimized");
    if optimized && (has(m, "pack-prefix-stable") || has(m, "pack_prefix_stable")) {
        return Err("-pack-optimized and -pack-prefix-stable exclude each other".into());
    }
    o.pack_optimized = optimized;
    o.all_resources_bound = has(m, "all_resources_bound") || has(m, "all-resources-bound");
    o.strip_reflection = has(m, "Qstrip_reflect");
    if let Some(v) = last(m, "validator-version") {
        if o.profile.is_offline() {
            return Err("-validator-version has no effect on lib_6_x; specify it when linking".into());
        }
        o.validator = version(v)?;
    }
    if let Some(env) = last(m, "fspv-target-env") {
        o.environment = Some(Environment::named(env).ok_or_else(|| {
            let names: Vec<&str> = Environment::ALL.iter().map(|e| e.name).collect();
            format!("unknown target environment `{env}`; expected one of {}", names.join(", "))
        })?);
    }
    for (name, class) in [
        ("fvk-b-shift", ResourceClass::Cbv),
        ("fvk-t-shift", ResourceClass::Srv),
        ("fvk-s-shift", ResourceClass::Sampler),
        ("fvk-u-shift", ResourceClass::Uav),
    ] {
        for value in all(m, name) {
            let (amount, space) = value.split_once(' ').unwrap_or((value, "all"));
            let number = |s: &str| s.parse::<u32>().map_err(|_| format!("-{name} {value}: expected a number, found `{s}`"));
            let space = if space == "all" { None } else { Some(number(space)?) };
            o.shifts.list.push((class, number(amount)?, space));
        }
    }
    for (name, layout) in [
        ("fvk-use-vulkan-layout", BufferLayout::VULKAN),
        ("fvk-use-gl-layout", BufferLayout::GL),
        ("fvk-use-dx-layout", BufferLayout::DX),
        ("fvk-use-scalar-layout", BufferLayout::SCALAR),
    ] {
        if has(m, name) {
            o.layout = Some(layout);
        }
    }
    o.export_all = match last(m, "default-linkage") {
        Some("internal") => false,
        Some("external") => true,
        // Libraries for linking have their functions for others.
        None => o.profile.is_offline(),
        Some(other) => return Err(format!("-default-linkage {other}: expected internal or external").into()),
    };
    for list in all(m, "exports") {
        o.exports.extend(Export::parse_list(list).map_err(|e| e.to_string())?);
    }
    o.export_shaders_only = has(m, "export-shaders-only");
    o.auto_space = auto_space(m)?;
    o.auto_shift = has(m, "fvk-auto-shift-bindings");
    for value in all(m, "fvk-bind-register").chain(all(m, "vkbr")) {
        o.registers.push(register_binding(value)?);
    }
    o.host_hit_groups = all(m, "hit-group").map(host_hit_group).collect::<Result<_>>()?;
    o.globals_binding = last(m, "fvk-bind-globals").map(|v| pair("fvk-bind-globals", v)).transpose()?;
    o.counter_heap = last(m, "fvk-bind-counter-heap").map(|v| pair("fvk-bind-counter-heap", v)).transpose()?;
    o.resource_heap = last(m, "fvk-bind-resource-heap").map(|v| pair("fvk-bind-resource-heap", v)).transpose()?;
    o.sampler_heap = last(m, "fvk-bind-sampler-heap").map(|v| pair("fvk-bind-sampler-heap", v)).transpose()?;
    if let Some(name) = last(m, "fspv-ser") {
        let ser = Ser::ALL.iter().find(|(n, _)| *n == name);
        let names = Ser::ALL.map(|(n, _)| n).join(", ");
        o.ser = ser.ok_or_else(|| format!("-fspv-ser={name}: expected one of {names}"))?.1;
    }
    let extensions: Vec<String> = all(m, "fspv-extension").map(str::to_owned).collect();
    if !extensions.is_empty() {
        o.spirv_extensions = Some(extensions);
    }
    o.spirv_entry_name = last(m, "fspv-entrypoint-name").filter(|name| !name.is_empty()).map(str::to_owned);
    if o.spirv_entry_name.is_some() && o.target == Target::Package {
        return Err("-fspv-entrypoint-name does not work with packages, which name shaders as the source does".into());
    }
    let max_id = last(m, "fspv-max-id").map(|n| n.parse().map_err(|_| format!("-fspv-max-id {n}: expected a number")));
    o.spirv_max_id = max_id.transpose()?;
    o.spirv_stage.packed = o.pack_optimized;
    o.spirv_stage.invert_y = has(m, "fvk-invert-y");
    o.spirv_stage.dx_position_w = has(m, "fvk-use-dx-position-w");
    o.spirv_stage.base_vertex = has(m, "fvk-support-nonzero-base-vertex");
    o.spirv_stage.base_instance = has(m, "fvk-support-nonzero-base-instance");
    o.spirv_stage.alphabetical = match last(m, "fvk-stage-io-order") {
        None | Some("decl") => false,
        Some("alpha") => true,
        Some(other) => return Err(format!("-fvk-stage-io-order={other}: expected decl or alpha").into()),
    };
    let rasterised = |s| matches!(s, Stage::Vertex | Stage::Domain | Stage::Geometry | Stage::Mesh);
    if o.spirv_stage.invert_y && matches!(o.profile.kind, ProfileKind::Shader(stage) if !rasterised(stage)) {
        return Err(format!("-fvk-invert-y negates positions that go to the rasteriser, which {} has none of", o.profile).into());
    }
    o.maximal_reconvergence = has(m, "fspv-enable-maximal-reconvergence");
    o.preserve_bindings = has(m, "fspv-preserve-bindings");
    o.spirv_reflect = has(m, "fspv-reflect");
    o.unknown_image_formats = has(m, "fspv-use-unknown-image-format");
    if o.profile.kind == ProfileKind::Library && last(m, "E").is_some_and(|e| !e.is_empty() && e != "main") {
        // As in dxc: a library has all its entry points.
        eprintln!("rtc: warning: -E is ignored for a library");
    }
    Ok(o)
}

/// The options of debug information, with the rules of dxc.
fn debug_options(m: &ArgMatches, args: &[String], file: &str, o: &mut Options) -> Result<()> {
    let (full, slim) = (has(m, "Zi"), has(m, "Zs"));
    let (source, code) = (has(m, "Zss"), has(m, "Zsb"));
    if full && slim {
        return Err("-Zi and -Zs contradict each other".into());
    }
    if source && code {
        return Err("-Zss and -Zsb contradict each other".into());
    }
    if source && !full && !slim {
        return Err("-Zss requires debug information: -Zi or -Zs".into());
    }
    if has(m, "Qembed_debug") && !full {
        return Err("-Qembed_debug requires debug information: -Zi".into());
    }
    o.debug.kind = match (full, slim) {
        (true, _) => DebugKind::Full,
        (_, true) => DebugKind::Slim,
        _ => DebugKind::None,
    };
    o.debug.named = full || slim || code || last(m, "Fd").is_some();
    o.debug.by = if source { NamedBy::Source } else { NamedBy::Code };
    o.debug.embed = has(m, "Qembed_debug");
    if full && !o.debug.embed && !has(m, "Qstrip_debug") && last(m, "Fd").is_none() && !preprocesses(m) && o.target == Target::Dxil {
        eprintln!("rtc: warning: no output for debug information is specified, so it is embedded in the container; use -Qembed_debug");
        o.debug.embed = true;
    }
    if has(m, "Qstrip_debug") {
        o.debug.embed = false;
    }
    if let Some(path) = last(m, "Fd") {
        if !full && !slim {
            return Err("-Fd requires debug information: -Zi or -Zs".into());
        }
        // In a folder the name follows from the hash.
        o.debug.name = (!path.ends_with(std::path::is_separator)).then(|| path.to_owned());
    }
    o.args = args.iter().filter(|a| *a != file).cloned().collect();
    let mut values = all(m, "fspv-debug").peekable();
    o.spirv_debug = match values.peek() {
        // As in dxc: -fspv-debug replaces what -Zi requests.
        Some(_) => SpirvDebug::of(values)?,
        None if full => SpirvDebug::LINES,
        None => SpirvDebug::default(),
    };
    Ok(())
}

/// `-denorm`, in upper or lower case as in dxc.
fn denormals(m: &ArgMatches, o: &Options) -> Result<Option<Denormals>> {
    let Some(mode) = last(m, "denorm").filter(|v| !v.is_empty()) else { return Ok(None) };
    let Some(known) = Denormals::NAMES.iter().find(|(_, name)| mode.eq_ignore_ascii_case(name)) else {
        return Err(format!("-denorm {mode}: expected any, preserve or ftz").into());
    };
    if o.profile.minor < 2 {
        return Err("-denorm requires shader model 6.2 or higher".into());
    }
    Ok(Some(known.0))
}

/// The memory layout of payloads. A layout file implies `packed`.
fn payload_layout(m: &ArgMatches, o: &Options) -> Result<PayloadLayout> {
    let file = last(m, "payload-layout-file");
    let (layout, option) = match (last(m, "payload-layout"), file) {
        (None, None) | (Some("declared"), None) => return Ok(PayloadLayout::Declared),
        (Some("declared"), Some(_)) => {
            return Err("-payload-layout=declared and -payload-layout-file contradict each other".into());
        }
        (None | Some("packed"), Some(name)) => {
            let bytes = output::read(name)?;
            let text = String::from_utf8(bytes).map_err(|_| format!("the layout file `{name}` is not UTF-8"))?;
            (PayloadLayout::File { name: name.to_owned(), text }, "-payload-layout-file")
        }
        (Some("packed"), None) => (PayloadLayout::Packed, "-payload-layout=packed"),
        (Some(other), _) => return Err(format!("unknown payload layout `{other}`; expected declared or packed").into()),
    };
    match o.target {
        Target::Dxil => Err(format!("{option} is for SPIR-V: DXIL keeps the declared layout").into()),
        _ => Ok(layout),
    }
}

/// `t3 0 1 2`: a register, its space, binding and set.
fn register_binding(value: &str) -> Result<RegisterBinding> {
    let parse = || {
        let words: Vec<&str> = value.split(' ').collect();
        let [register, space, binding, set] = words[..] else { return None };
        let class = match register.chars().next()? {
            'b' => ResourceClass::Cbv,
            't' => ResourceClass::Srv,
            's' => ResourceClass::Sampler,
            'u' => ResourceClass::Uav,
            _ => return None,
        };
        Some(RegisterBinding {
            class,
            register: register[1..].parse().ok()?,
            space: space.parse().ok()?,
            binding: binding.parse().ok()?,
            set: set.parse().ok()?,
        })
    };
    parse().ok_or_else(|| format!("-fvk-bind-register {value}: expected a register, a space, a binding and a set").into())
}

/// `Group=ClosestHit,AnyHit,Intersection`.
fn host_hit_group(value: &str) -> Result<HostHitGroup> {
    let (name, shaders) = value.split_once('=').unwrap_or((value, ""));
    let shaders: Vec<&str> = shaders.split(',').map(str::trim).collect();
    if name.is_empty() || shaders.len() > 3 {
        return Err(format!("-hit-group={value}: expected a name and up to three shaders, NAME=CLOSESTHIT,ANYHIT,INTERSECTION").into());
    }
    let shader = |n: usize| shaders.get(n).copied().unwrap_or_default().to_owned();
    Ok(HostHitGroup { name: name.to_owned(), closest_hit: shader(0), any_hit: shader(1), intersection: shader(2) })
}

/// Two numbers: a binding and a set.
fn pair(name: &str, value: &str) -> Result<DescriptorBinding> {
    let numbers = value.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let parsed = numbers.map(|(binding, set)| DescriptorBinding { binding, set });
    parsed.ok_or_else(|| format!("-{name} {value}: expected a binding and a set").into())
}

fn define(text: &str) -> Define {
    match text.split_once('=') {
        Some((name, value)) => Define { name: name.into(), value: Some(value.into()) },
        None => Define { name: text.into(), value: None },
    }
}

fn version(text: &str) -> Result<Version> {
    let parsed = text.split_once('.').and_then(|(a, b)| Some((a.parse::<u32>().ok()?, b.parse::<u32>().ok()?)));
    match parsed {
        // Bound to no validator: the newest forms of everything.
        Some((0, 0)) => Ok(Version::new(0, 0)),
        Some((1, minor)) if minor <= 10 => Ok(Version::new(1, minor as _)),
        _ => Err(format!("-validator-version {text}: expected 1.0 to 1.10, or 0.0 for none").into()),
    }
}

fn report(c: &Compilation, style: Style, m: &ArgMatches) -> Result<()> {
    let mut text = String::new();
    for d in &c.diagnostics {
        text.push_str(&rtc::render(&c.sources, d, style));
    }
    match last(m, "Fe") {
        Some(path) => output::write(path, text.as_bytes()),
        None => {
            eprint!("{text}");
            Ok(())
        }
    }
}

/// Writes the requested files of a product, all or none. Without any, prints the listing if `listed`.
fn emit(m: &ArgMatches, product: Product, auxiliary: Option<&AuxiliaryFiles>, entry: &str, listed: bool) -> Result<()> {
    if let Product::Spirv(module) = &product
        && has(m, "why-capability")
    {
        for r in &module.requirements {
            eprintln!("{}: {}", r.name, r.reason);
        }
    }
    let (is_ir, is_dxil) = (matches!(product, Product::Ir(_)), matches!(product, Product::Dxil(_)));
    let mut bytes = product.into_bytes();
    let mut files = container::Files::new();
    if is_dxil {
        container::outputs(m, &mut bytes, auxiliary, &mut files)?;
    }
    let listing =
        || if is_ir { Ok(String::from_utf8_lossy(&bytes).into_owned()) } else { rtc::dis::disassemble(&bytes).map_err(|e| e.to_string()) };
    if let Some(path) = last(m, "Fo").filter(|_| !has(m, "extractrootsignature")) {
        files.push((path.to_owned(), bytes.clone()));
    }
    if let Some(path) = last(m, "Fc") {
        files.push((path.to_owned(), listing()?.into_bytes()));
    }
    if let Some(path) = last(m, "Fh") {
        let name = last(m, "Vn").map_or_else(|| format!("g_{entry}"), str::to_owned);
        files.push((path.to_owned(), container::header(&name, &bytes, &listing()?).into_bytes()));
    }
    let quiet = ["Fo", "Fc", "Fh", "Fd", "getprivate"].iter().any(|f| last(m, f).is_some());
    if !quiet && listed {
        output::print(listing()?.as_bytes())?;
    }
    output::write_all(&files)
}
