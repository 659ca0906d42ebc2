//! The options of a compilation and of the linker, read from arguments.

use rtc_base::Severity;
use rtc_dxil_container::debug_module::{DebugKind, NamedBy};
use rtc_dxil_link::{DebugGoes, Options as LinkOptions};
use rtc_spirv::Content as SpirvDebug;
use std::time::Duration;

use super::error::{ArgumentError, ArgumentErrorKind, Result, contradiction, invalid, missing, requirement};
use super::files::{ArgumentFiles, read};
use super::flags::version;
use super::request::{Encoding, Note};
use super::spirv;
use super::syntax::Arguments;
use crate::exports::Export;
use crate::options::{Options, PayloadLayout, Profile, ProfileKind, Target, is_profile, older_profile};
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
    // Libraries for linking have their functions for others.
    o.export_all = o.profile.is_offline();
    // Of several levels the lowest one counts: it is the one for debugging.
    a.apply(&mut o)?;
    o.payload_layout = payload_layout(a, files, &o)?;
    if o.older_semantics {
        o.hlsl_version = match a.last("HV") {
            None | Some("2016") => 2016,
            Some(v) => return Err(contradiction(format!("-Gec is for HLSL 2016, and -HV {v} asks for another version"))),
        };
    }
    o.reserves_unused |= older.is_some_and(|older| older.reserves_unused);
    check(a, &o)?;
    spirv::check(a, &mut o)?;
    notes.extend(o.warnings.groups.iter().filter_map(|given| unknown_group(given, a.has("v") || a.has("verbose"))));
    if o.profile.kind == ProfileKind::Library && a.last("E").is_some_and(|e| !e.is_empty() && e != "main") {
        // As in dxc: a library has all its entry points.
        notes.push(warning("-E is ignored for a library"));
    }
    Ok(o)
}

/// Pairs of options that contradict each other, each with its spellings.
const CONTRADICTIONS: &[(&[&str], &[&str])] = &[
    (&["Gfa"], &["Gfp"]),
    (&["Zpr"], &["Zpc"]),
    (&["enable-payload-qualifiers"], &["disable-payload-qualifiers"]),
    (&["pack-optimized", "pack_optimized"], &["pack-prefix-stable", "pack_prefix_stable"]),
];

/// What options require of each other, and of the shader model.
fn check(a: &Arguments, o: &Options) -> Result<()> {
    if o.profile.is_offline() && !matches!(o.target, Target::Dxil | Target::Ir) {
        return Err(requirement("lib_6_x is for linking DXIL; it has no SPIR-V"));
    }
    for (one, other) in CONTRADICTIONS {
        if one.iter().any(|name| a.has(name)) && other.iter().any(|name| a.has(name)) {
            return Err(contradiction(format!("-{} and -{} contradict each other", one[0], other[0])));
        }
    }
    if o.native_16bit && o.profile.minor < 2 {
        return Err(requirement("-enable-16bit-types requires shader model 6.2 or higher"));
    }
    if o.native_16bit && o.hlsl_version < 2018 {
        return Err(requirement("-enable-16bit-types requires HLSL 2018 or newer"));
    }
    if o.denormals.is_some() && o.profile.minor < rtc_ir::DENORMAL_MODES {
        return Err(requirement("-denorm requires shader model 6.2 or higher"));
    }
    if o.payload_qualifiers == Some(true) && o.profile.minor < 6 {
        return Err(requirement("-enable-payload-qualifiers requires shader model 6.6 or higher"));
    }
    if a.has("fcgl") && !a.has("spirv") {
        return Err(requirement("-fcgl is for SPIR-V alone: for DXIL dxc prints its inner form with it, and -emit-ir prints that of rtc"));
    }
    if a.has("validator-version") && o.profile.is_offline() {
        return Err(requirement("-validator-version has no effect on lib_6_x; specify it when linking"));
    }
    Ok(())
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
    o.spirv.debug = match values.peek() {
        // As in dxc: -fspv-debug replaces what -Zi requests.
        Some(_) => SpirvDebug::of(values).map_err(invalid)?,
        None if full => SpirvDebug::LINES,
        None => SpirvDebug::default(),
    };
    Ok(())
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
