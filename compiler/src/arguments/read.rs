//! The options of a compilation and of the linker, read from arguments.

use rtc_base::Severity;
use rtc_dxil_container::Version;
use rtc_dxil_container::debug_module::{DebugKind, NamedBy};
use rtc_dxil_link::{DebugGoes, Options as LinkOptions};
use rtc_frontend::preprocess::Define;
use rtc_ir::Denormals;
use rtc_spirv::Content as SpirvDebug;
use std::time::Duration;

use super::error::{ArgumentError, ArgumentErrorKind, Result, contradiction, invalid, missing, requirement};
use super::files::{ArgumentFiles, read};
use super::request::{Encoding, Note};
use super::spirv;
use super::syntax::Arguments;
use crate::exports::Export;
use crate::options::{Flow, OptLevel, Options, PayloadLayout, Profile, ProfileKind, Target, is_profile, older_profile};
use crate::session::Limits;

fn warning(message: &str) -> Note {
    Note { severity: Severity::Warning, message: message.to_owned() }
}

/// Whether only the dependencies of the source are listed.
pub(super) fn lists_dependencies(a: &Arguments) -> bool {
    a.has("M") || a.has("MD") || a.has("MF")
}

/// Whether the source is preprocessed only.
pub(super) fn preprocesses(a: &Arguments) -> bool {
    a.has("P") || a.has("Po")
}

/// A remark on a group of warnings that there is not. That rtc has none of a group of Clang's is reported with `-v` only.
fn unknown_group(given: &str, verbose: bool) -> Option<Note> {
    use rtc_tables::diagnostics::{groups, is_clangs};
    let (prefix, name) = match given.split_once('=') {
        Some((prefix, name)) => (format!("{prefix}="), name),
        None => given.strip_prefix("no-").map_or((String::new(), given), |name| ("no-".to_owned(), name)),
    };
    let always = ["all", "everything", "error", "extra", ""];
    if always.contains(&name) || groups().any(|g| g == name) {
        return None;
    }
    if is_clangs(name) {
        let message = format!("`-W{given}` has no effect: rtc has no warnings of this group");
        return verbose.then_some(Note { severity: Severity::Note, message });
    }
    let near = rtc_base::similar::nearest(name, groups());
    let near = near.map(|n| format!("; did you mean `-W{prefix}{n}`?")).unwrap_or_default();
    Some(warning(&format!("`-W{given}` has no effect: there is no group of warnings `{name}`{near}")))
}

fn auto_space(a: &Arguments) -> Result<Option<u32>> {
    let space = a.last("auto-binding-space");
    space.map(|n| n.parse().map_err(|_| invalid(format!("-auto-binding-space {n}: expected a register space")))).transpose()
}

/// Reads the options of the linker.
pub(super) fn link_options(a: &Arguments) -> Result<LinkOptions> {
    if a.has("spirv") {
        return Err(requirement("-link links DXIL libraries, not SPIR-V"));
    }
    let mut exports = Vec::new();
    for list in a.all("exports") {
        exports.extend(Export::parse_list(list)?);
    }
    let profile = a.last("T").ok_or_else(|| missing("no target profile given, for example -T lib_6_6"))?;
    let target = rtc_dxil_link::Target::parse(profile, a.last("E").unwrap_or("main")).map_err(|e| invalid(e.to_string()))?;
    let mut o = LinkOptions::new(target);
    o.exports = exports.into_iter().map(|e| rtc_dxil_link::Export { function: e.function, names: e.names }).collect();
    o.shaders_only = a.has("export-shaders-only");
    o.auto_space = auto_space(a)?;
    o.validator = a.last("validator-version").map(version).transpose()?;
    o.sign = !a.has("Vd");
    o.strip_reflection = a.has("Qstrip_reflect");
    o.debug = match a.last("Fd") {
        Some(_) if !a.has("Qembed_debug") => DebugGoes::Aside,
        None if a.has("Qstrip_debug") => DebugGoes::Away,
        _ => DebugGoes::Inside,
    };
    o.debug_name = a.last("Fd").filter(|path| !path.ends_with(std::path::is_separator)).map(str::to_owned);
    Ok(o)
}

/// `-encoding`, whose values are written in any case.
pub(super) fn encoding(a: &Arguments) -> Result<Encoding> {
    let Some(value) = a.last("encoding") else { return Ok(Encoding::Utf8) };
    let value = value.strip_prefix('=').unwrap_or(value).trim();
    let wide = if cfg!(windows) { "utf16" } else { "utf32" };
    match value.to_ascii_lowercase().as_str() {
        "utf8" => Ok(Encoding::Utf8),
        "wide" => Ok(Encoding::Wide),
        v if v == wide => Ok(Encoding::Wide),
        _ => Err(invalid(format!("unsupported value `{value}` for -encoding; expected utf8, wide or {wide}"))),
    }
}

/// `-time-limit` and `-memory-limit`.
pub(super) fn limits(a: &Arguments) -> Result<Limits> {
    let number = |name: &str, unit: &str| {
        let parse = |v: &str| v.parse::<u32>().map_err(|_| invalid(format!("-{name}={v}: expected a number of {unit}")));
        a.last(name).map(parse).transpose()
    };
    Ok(Limits {
        time: number("time-limit", "milliseconds")?.map(|ms| Duration::from_millis(ms.into())),
        memory: number("memory-limit", "mebibytes")?.map(|m| usize::try_from(u64::from(m) << 20).unwrap_or(usize::MAX)),
    })
}

/// Reads the options of a compilation.
pub(super) fn options(a: &Arguments, files: &mut dyn ArgumentFiles, notes: &mut Vec<Note>) -> Result<Options> {
    // Preprocessing requires no profile, as in dxc.
    let profile = match a.last("T") {
        None if preprocesses(a) || lists_dependencies(a) => "lib_6_6",
        p => p.ok_or_else(|| missing("no target profile given, for example -T lib_6_6"))?,
    };
    let object = a.last("Fo").unwrap_or("");
    let spirv = a.has("spirv");
    let older = older_profile(profile);
    if older.is_some() {
        notes.push(warning(&format!("profile `{profile}` is taken as that of shader model 6.0")));
    }
    let profile = match older {
        Some(older) => older.profile,
        None => Profile::parse(profile).map_err(|e| match is_profile(profile) {
            true => ArgumentError::new(ArgumentErrorKind::Profile, e.to_string()),
            false => invalid(e.to_string()),
        })?,
    };
    let mut o = Options::new(profile);
    if object.ends_with(".rtp") && !spirv {
        return Err(requirement("a runtime package (.rtp) holds SPIR-V: add -spirv"));
    }
    o.target = match spirv {
        _ if a.has("emit-ir") => Target::Ir,
        true if object.ends_with(".rtp") => Target::Package,
        true => Target::Spirv,
        false => Target::Dxil,
    };
    o.payload_layout = payload_layout(a, files, &o)?;
    if let Some(e) = a.last("E") {
        o.entry = e.to_owned();
    }
    o.defines = a.all("D").map(define).collect();
    o.include_dirs = a.all("I").map(str::to_owned).collect();
    o.ignore_line = a.has("ignore-line-directives");
    o.older_semantics = a.has("Gec");
    o.hlsl_version = match a.last("HV") {
        Some("2016") | None if a.has("Gec") => 2016,
        Some(v) if a.has("Gec") => return Err(contradiction(format!("-Gec is for HLSL 2016, and -HV {v} asks for another version"))),
        None | Some("2021") => 2021,
        Some("2018") => 2018,
        Some("2017") => 2017,
        Some("2016") => 2016,
        Some("202x") => 2029,
        Some(v) => return Err(invalid(format!("unknown HLSL version `{v}`; expected 2016, 2017, 2018, 2021 or 202x"))),
    };
    o.flow = match (a.has("Gfa"), a.has("Gfp")) {
        (true, true) => return Err(contradiction("-Gfa and -Gfp contradict each other")),
        (true, _) => Flow::Flatten,
        (_, true) => Flow::Branch,
        _ => Flow::AsWritten,
    };
    o.native_16bit = a.has("enable-16bit-types");
    if o.profile.is_offline() && !matches!(o.target, Target::Dxil | Target::Ir) {
        return Err(requirement("lib_6_x is for linking DXIL; it has no SPIR-V"));
    }
    if o.native_16bit && o.profile.minor < 2 {
        return Err(requirement("-enable-16bit-types requires shader model 6.2 or higher"));
    }
    if o.native_16bit && o.hlsl_version < 2018 {
        return Err(requirement("-enable-16bit-types requires HLSL 2018 or newer"));
    }
    o.denormals = denormals(a, &o)?;
    o.row_major = a.has("Zpr");
    o.precise = a.has("Gis");
    let separate = |c: char| c.is_whitespace() || c == ',' || c == ';';
    o.precise_outputs =
        a.all("precise-output").flat_map(|list| list.split(separate)).filter(|s| !s.is_empty()).map(str::to_owned).collect();
    if a.has("Zpr") && a.has("Zpc") {
        return Err(contradiction("-Zpr and -Zpc contradict each other"));
    }
    o.payload_qualifiers = match (a.has("enable-payload-qualifiers"), a.has("disable-payload-qualifiers")) {
        (true, true) => return Err(contradiction("-enable-payload-qualifiers and -disable-payload-qualifiers contradict each other")),
        (true, _) if o.profile.minor < 6 => {
            return Err(requirement("-enable-payload-qualifiers requires shader model 6.6 or higher"));
        }
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    if a.has("fcgl") && !spirv {
        return Err(requirement("-fcgl is for SPIR-V alone: for DXIL dxc prints its inner form with it, and -emit-ir prints that of rtc"));
    }
    for (flags, level) in
        [(&["Od", "O0", "fcgl"][..], OptLevel::O0), (&["O1"], OptLevel::O1), (&["O2"], OptLevel::O2), (&["O3"], OptLevel::O3)]
    {
        if flags.iter().any(|f| a.has(f)) {
            o.level = level;
            break; // the lowest level wins: it is the one for debugging
        }
    }
    o.warnings.none = a.has("no-warnings");
    o.warnings.all_errors = a.has("WX");
    o.warnings.groups = a.all("W").map(str::to_owned).collect();
    notes.extend(o.warnings.groups.iter().filter_map(|given| unknown_group(given, a.has("v") || a.has("verbose"))));
    o.sign = !a.has("Vd");
    o.pack_optimized = a.has("pack-optimized") || a.has("pack_optimized");
    if o.pack_optimized && (a.has("pack-prefix-stable") || a.has("pack_prefix_stable")) {
        return Err(contradiction("-pack-optimized and -pack-prefix-stable contradict each other"));
    }
    o.all_resources_bound = a.has("all_resources_bound") || a.has("all-resources-bound");
    o.res_may_alias = a.has("res-may-alias") || a.has("res_may_alias");
    o.reserves_unused = a.has("flegacy-resource-reservation") || older.is_some_and(|older| older.reserves_unused);
    o.strip_reflection = a.has("Qstrip_reflect");
    if let Some(v) = a.last("validator-version") {
        if o.profile.is_offline() {
            return Err(requirement("-validator-version has no effect on lib_6_x; specify it when linking"));
        }
        o.validator = version(v)?;
    }
    o.export_all = match a.last("default-linkage") {
        Some("internal") => false,
        Some("external") => true,
        // Libraries for linking have their functions for others.
        None => o.profile.is_offline(),
        Some(other) => return Err(invalid(format!("-default-linkage {other}: expected internal or external"))),
    };
    for list in a.all("exports") {
        o.exports.extend(Export::parse_list(list)?);
    }
    o.export_shaders_only = a.has("export-shaders-only");
    o.auto_space = auto_space(a)?;
    spirv::options(a, &mut o)?;
    if o.profile.kind == ProfileKind::Library && a.last("E").is_some_and(|e| !e.is_empty() && e != "main") {
        // As in dxc: a library has all its entry points.
        notes.push(warning("-E is ignored for a library"));
    }
    Ok(o)
}

/// The options of debug information, with the rules of dxc.
pub(super) fn debug_options(a: &Arguments, args: &[String], file: &str, o: &mut Options, notes: &mut Vec<Note>) -> Result<()> {
    let (full, slim) = (a.has("Zi"), a.has("Zs"));
    let (source, code) = (a.has("Zss"), a.has("Zsb"));
    if full && slim {
        return Err(contradiction("-Zi and -Zs contradict each other"));
    }
    if source && code {
        return Err(contradiction("-Zss and -Zsb contradict each other"));
    }
    if source && !full && !slim {
        return Err(requirement("-Zss requires debug information: -Zi or -Zs"));
    }
    if a.has("Qembed_debug") && !full {
        return Err(requirement("-Qembed_debug requires debug information: -Zi"));
    }
    o.debug.kind = match (full, slim) {
        (true, _) => DebugKind::Full,
        (_, true) => DebugKind::Slim,
        _ => DebugKind::None,
    };
    o.debug.named = full || slim || code || a.last("Fd").is_some();
    o.debug.by = if source { NamedBy::Source } else { NamedBy::Code };
    o.debug.embed = a.has("Qembed_debug");
    if full && !o.debug.embed && !a.has("Qstrip_debug") && a.last("Fd").is_none() && !preprocesses(a) && o.target == Target::Dxil {
        let message = "no output for debug information is specified, so it is embedded in the container; use -Qembed_debug";
        notes.push(warning(message));
        o.debug.embed = true;
    }
    if a.has("Qstrip_debug") {
        o.debug.embed = false;
    }
    if let Some(path) = a.last("Fd") {
        if !full && !slim {
            return Err(requirement("-Fd requires debug information: -Zi or -Zs"));
        }
        // In a folder the name follows from the hash.
        o.debug.name = (!path.ends_with(std::path::is_separator)).then(|| path.to_owned());
    }
    o.args = args.iter().filter(|a| *a != file).cloned().collect();
    let mut values = a.all("fspv-debug").peekable();
    o.spirv_debug = match values.peek() {
        // As in dxc: -fspv-debug replaces what -Zi requests.
        Some(_) => SpirvDebug::of(values).map_err(invalid)?,
        None if full => SpirvDebug::LINES,
        None => SpirvDebug::default(),
    };
    Ok(())
}

/// `-denorm`, in upper or lower case as in dxc.
fn denormals(a: &Arguments, o: &Options) -> Result<Option<Denormals>> {
    let Some(mode) = a.last("denorm").filter(|v| !v.is_empty()) else { return Ok(None) };
    let Some(known) = Denormals::NAMES.iter().find(|(_, name)| mode.eq_ignore_ascii_case(name)) else {
        return Err(invalid(format!("-denorm {mode}: expected any, preserve or ftz")));
    };
    if o.profile.minor < rtc_ir::DENORMAL_MODES {
        return Err(requirement("-denorm requires shader model 6.2 or higher"));
    }
    Ok(Some(known.0))
}

/// The memory layout of payloads. A layout file implies `packed`.
fn payload_layout(a: &Arguments, files: &mut dyn ArgumentFiles, o: &Options) -> Result<PayloadLayout> {
    let file = a.last("payload-layout-file");
    let (layout, option) = match (a.last("payload-layout"), file) {
        (None, None) | (Some("declared"), None) => return Ok(PayloadLayout::Declared),
        (Some("declared"), Some(_)) => {
            return Err(contradiction("-payload-layout=declared and -payload-layout-file contradict each other"));
        }
        (None | Some("packed"), Some(name)) => {
            let text = String::from_utf8(read(files, name)?)
                .map_err(|_| ArgumentError::new(ArgumentErrorKind::File, format!("the layout file `{name}` is not UTF-8")))?;
            (PayloadLayout::File { name: name.to_owned(), text }, "-payload-layout-file")
        }
        (Some("packed"), None) => (PayloadLayout::Packed, "-payload-layout=packed"),
        (Some("whole"), None) => (PayloadLayout::Whole, "-payload-layout=whole"),
        (Some("whole"), Some(_)) => return Err(contradiction("-payload-layout=whole and -payload-layout-file contradict each other")),
        (Some(other), _) => return Err(invalid(format!("unknown payload layout `{other}`; expected declared, packed or whole"))),
    };
    match o.target {
        Target::Dxil => Err(requirement(format!("{option} is for SPIR-V: DXIL keeps the declared layout"))),
        _ => Ok(layout),
    }
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
        _ => Err(invalid(format!("-validator-version {text}: expected 1.0 to 1.10, or 0.0 for none"))),
    }
}
