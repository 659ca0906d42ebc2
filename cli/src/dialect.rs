//! The option syntax of dxc: a table of all options, and the translation to the syntax of clap.
//!
//! dxc writes `-T lib_6_6`, `-Tlib_6_6`, `/T lib_6_6`, `-fspv-target-env=vulkan1.3`, `@arguments.txt`. The table states how
//! each option takes its value, and the options are rewritten to what clap parses (`--T=lib_6_6`). So scripts for dxc work unchanged.

use crate::error::Result;
use std::path::Path;

use rtc::Argument;

/// How an option takes its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// No value.
    Nothing,
    /// `-Dx` or `-D x`.
    JoinedOrSeparate,
    /// `-Wx` only.
    Joined,
    /// `-exports x` only.
    Separate,
    /// `-fspv-target-env=x`; the name in the table ends before `=`.
    Equals,
    /// `-fvk-t-shift 10 0`: two values.
    Two,
    /// `-fvk-bind-register t3 0 1 2`: four values.
    Four,
}

/// The support of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// The option has its effect.
    Full,
    /// Accepted without effect: rtc always behaves so, or the option concerns output that rtc does not have.
    Ignored,
}

/// One option.
pub struct Flag {
    /// The name without dash.
    pub name: &'static str,
    /// How it takes its value.
    pub takes: Takes,
    /// Its support.
    pub support: Support,
    /// The name of the value in the help.
    pub value: &'static str,
    /// Its line in the help.
    pub help: &'static str,
}

const fn flag(name: &'static str, takes: Takes, value: &'static str, help: &'static str) -> Flag {
    Flag { name, takes, support: Support::Full, value, help }
}

const fn ignored(name: &'static str, takes: Takes, help: &'static str) -> Flag {
    Flag { name, takes, support: Support::Ignored, value: "VALUE", help }
}

use Takes::{Equals, Four, Joined, JoinedOrSeparate as Either, Nothing, Separate, Two};

/// Every option of the compiler.
#[rustfmt::skip]
pub const FLAGS: &[Flag] = &[
    flag("T",                      Either,   "PROFILE", "target profile: lib_6_3 to lib_6_10, lib_6_x (for rtc link), cs_6_0 to cs_6_10, rootsig_1_0 to rootsig_1_2 (the macro -E)"),
    flag("E",                      Either,   "NAME",    "entry point (default main; libraries have no single one)"),
    flag("Fo",                     Either,   "FILE",    "write the compiled object; with -spirv and a name ending in .rtp, a runtime package"),
    flag("Fc",                     Either,   "FILE",    "write the disassembly"),
    flag("Fe",                     Either,   "FILE",    "write diagnostics to a file as well"),
    flag("Fh",                     Either,   "FILE",    "write a C header with the object's bytes"),
    flag("Vn",                     Either,   "NAME",    "name of the variable in the header"),
    flag("Fi",                     Either,   "FILE",    "name of the preprocessed output (with -P)"),
    flag("P",                      Nothing,  "",        "preprocess only"),
    flag("D",                      Either,   "NAME[=VALUE]", "define a macro"),
    flag("I",                      Either,   "DIR",     "add a directory to search for includes"),
    flag("H",                      Nothing,  "",        "print the files that are included, indented by depth"),
    flag("M",                      Nothing,  "",        "print the files that the source depends on, as a make rule"),
    flag("MD",                     Nothing,  "",        "write that rule to OUTPUT.d, and compile"),
    flag("MF",                     Either,   "FILE",    "write that rule to this file (with -M or -MD)"),
    flag("Vi",                     Nothing,  "",        "the same as -H"),
    flag("ignore-line-directives", Nothing,  "",        "ignore #line directives"),
    flag("spirv",                  Nothing,  "",        "generate SPIR-V"),
    flag("fspv-target-env",        Equals,   "ENV",     "vulkan1.2, vulkan1.3, vulkan1.4 or universal1.5"),
    flag("fspv-ser",               Equals,   "HOW",     "how to translate hit objects: nv (SPV_NV_shader_invocation_reorder), ext (SPV_EXT_shader_invocation_reorder), lower (to structures, for every device), auto (default: an extension of -fspv-extension, else lower)"),
    flag("fspv-extension",         Equals,   "NAME",    "allow a SPIR-V extension; selects the translation for -fspv-ser=auto, and restricts clusters and micromaps to the named extensions"),
    flag("fvk-b-shift",            Two,      "N SPACE", "add N to the binding of b registers of a space, or all"),
    flag("fvk-t-shift",            Two,      "N SPACE", "add N to the binding of t registers of a space, or all"),
    flag("fvk-s-shift",            Two,      "N SPACE", "add N to the binding of s registers of a space, or all"),
    flag("fvk-u-shift",            Two,      "N SPACE", "add N to the binding of u registers of a space, or all"),
    flag("fvk-use-dx-layout",      Nothing,  "",        "lay out buffers as Direct3D does (default for .rtp)"),
    flag("fvk-use-gl-layout",      Nothing,  "",        "lay out buffers by std140 and std430"),
    flag("fvk-use-scalar-layout",  Nothing,  "",        "lay out buffers by scalar alignment"),
    flag("fvk-use-vulkan-layout",  Nothing,  "",        "lay out buffers by relaxed std140 and std430 (default for .spv)"),
    flag("fvk-bind-register",      Four,     "REGISTER SPACE BINDING SET", "binding of a register: -fvk-bind-register t3 0 1 2"),
    flag("vkbr",                   Four,     "REGISTER SPACE BINDING SET", "the same"),
    flag("fvk-bind-globals",       Two,      "BINDING SET", "binding of the global variables outside of constant buffers"),
    flag("fvk-auto-shift-bindings", Nothing, "",        "apply register shifts to resources without a register too"),
    flag("hit-group",              Equals,   "NAME=CLOSESTHIT,ANYHIT,INTERSECTION", "a hit group that the host declares, for local root signatures associated with it (SPIR-V); shaders may be left out"),
    flag("default-linkage",        Separate, "LINKAGE", "internal (default) or external: external exports the functions of a library that are no shaders"),
    flag("exports",                Separate, "LIST",    "exported functions of a library and their new names: new[,new2]=old;other"),
    flag("export-shaders-only",    Nothing,  "",        "a library exports entry points only"),
    flag("auto-binding-space",     Separate, "SPACE",   "assign registers of this space to resources without a register"),
    flag("fvk-bind-resource-heap", Two,      "BINDING SET", "binding of the resource descriptor heap (default: the next free binding of set 0)"),
    flag("fvk-bind-sampler-heap",  Two,      "BINDING SET", "binding of the sampler descriptor heap"),
    flag("HV",                     Either,   "VERSION", "HLSL version: 2016, 2017, 2018, 2021 (default) or 202x"),
    flag("Vd",                     Nothing,  "",        "do not sign the container"),
    flag("WX",                     Nothing,  "",        "treat warnings as errors"),
    flag("W",                      Joined,   "GROUP",   "-Wgroup turns a warning on, -Wno-group off, -Werror=group into an error"),
    flag("verify",                 Nothing,  "",        "compare diagnostics with `// expected-error {{text}}` comments of the source"),
    flag("no-warnings",            Nothing,  "",        "show no warnings"),
    flag("Od",                     Nothing,  "",        "no optimisation"),
    flag("O0",                     Nothing,  "",        "no optimisation"),
    flag("O1",                     Nothing,  "",        "some optimisation"),
    flag("O2",                     Nothing,  "",        "more optimisation"),
    flag("O3",                     Nothing,  "",        "full optimisation (default)"),
    flag("validator-version",      Separate, "M.N",     "version of the validator to be compatible with"),
    flag("all-resources-bound",    Nothing,  "",        "set the flag that all descriptors are bound"),
    flag("all_resources_bound",    Nothing,  "",        "the same"),
    flag("Qstrip_reflect",         Nothing,  "",        "omit the reflection part"),
    flag("Qkeep_reflect_in_dxil",  Nothing,  "",        "keep names and types of fields in the DXIL part too"),
    flag("Qstrip_rootsignature",   Nothing,  "",        "omit the root signature"),
    flag("Qstrip_debug",           Nothing,  "",        "omit the debug module"),
    flag("Qstrip_priv",            Nothing,  "",        "remove private data (with -dumpbin)"),
    flag("Fd",                     Either,   "FILE",    "write debug information (-Zi or -Zs) to a PDB; a name that ends in a separator is a folder, in which the shader's hash is the file name"),
    flag("Fre",                    Either,   "FILE",    "write reflection data: the part STAT and, for a library, RDAT"),
    flag("Frs",                    Either,   "FILE",    "write a container of the root signature"),
    flag("Fsh",                    Either,   "FILE",    "write the shader's hash"),
    flag("setprivate",             Separate, "FILE",    "add private data to the container"),
    flag("getprivate",             Separate, "FILE",    "write the container's private data"),
    flag("setrootsignature",       Separate, "FILE",    "replace the root signature by that of another container"),
    flag("extractrootsignature",   Nothing,  "",        "write a container of the root signature to -Fo"),
    flag("verifyrootsignature",    Separate, "FILE",    "check that the root signature of a container matches the shader (with -dumpbin)"),
    flag("dumpbin",                Nothing,  "",        "read a container or a PDB instead of a source: print its disassembly, extract parts, change parts (-Qstrip_*, -set*, -get*, -Fo)"),
    flag("rootsig-define",         Separate, "MACRO",   "take the root signature of the compute shader from a macro"),
    flag("force-rootsig-ver",      Separate, "VERSION", "rootsig_1_0, rootsig_1_1 (default) or rootsig_1_2"),
    flag("force_rootsig_ver",      Separate, "VERSION", "the same"),
    flag("enable-16bit-types",     Nothing,  "",        "16-bit types are native (SM 6.2 and up)"),
    flag("Zpr",                    Nothing,  "",        "default matrix orientation: row major"),
    flag("Zpc",                    Nothing,  "",        "default matrix orientation: column major (default)"),
    flag("Gis",                    Nothing,  "",        "IEEE strictness: treat all computations as `precise`"),
    flag("denorm",                 Either,   "MODE",    "mode of denormal 32-bit floats: any, preserve, or ftz (flush to zero); SM 6.2 and up"),
    flag("enable-payload-qualifiers",  Nothing, "",     "payload access qualifiers in SM 6.6"),
    flag("disable-payload-qualifiers", Nothing, "",     "no payload access qualifiers"),
    flag("payload-layout",         Equals,   "LAYOUT",  "declared (default), or packed: payloads with qualifiers take the fewest words that the qualifiers allow (SPIR-V; all libraries of a pipeline must agree)"),
    flag("payload-layout-file",    Equals,   "FILE",    "packed payload layouts from a file that all libraries of a pipeline share; rtc paq -layout writes it"),
    flag("fdiagnostics-format",    Equals,   "FORMAT",  "rich (default), short (as dxc prints them) or json"),
    flag("emit-ir",                Nothing,  "",        "print the IR after optimisation instead of compiling further"),
    flag("why-capability",         Nothing,  "",        "print each SPIR-V capability and extension with its reason"),
    flag("report",                 Either,   "KIND[=FORMAT][,FILE]", "a report on the program: reorder (reorder points and what is live across them), paq (liveness of payload fields); as text, json, html or, for paq, svg"),
    flag("nologo",                 Nothing,  "",        "print no banner (there is none)"),
    flag("Zi",                     Nothing,  "",        "debug information: lines, variables, types and sources (DXIL; with SPIR-V names only)"),
    flag("Zs",                     Nothing,  "",        "slim debug information: sources and arguments, for a PDB file"),
    flag("Qembed_debug",           Nothing,  "",        "keep debug information in the container (with -Zi)"),
    flag("Zss",                    Nothing,  "",        "the hash that names debug information covers the sources too"),
    flag("Zsb",                    Nothing,  "",        "the hash that names debug information covers the code only (default)"),
    ignored("fvk-use-dx-position-w",   Nothing, "position fix-up of pixel shaders"),
    ignored("fvk-invert-y",        Nothing,  "position fix-up of vertex shaders"),
    ignored("fvk-support-nonzero-base-instance", Nothing, "for vertex shaders"),
    ignored("fvk-support-nonzero-base-vertex",   Nothing, "for vertex shaders"),
    ignored("fvk-stage-io-order",  Equals,   "order of inputs and outputs"),
    ignored("fvk-bind-counter-heap", Two,    "counters of the descriptor heap"),
    ignored("fspv-reflect",        Nothing,  "reflection decorations (packages have a binding map)"),
    ignored("fspv-debug",          Equals,   "SPIR-V debug information (rtc writes names)"),
    ignored("fspv-max-id",         Separate, "largest id in SPIR-V"),
    ignored("fspv-print-all",      Nothing,  "SPIR-V after each pass"),
    ignored("fspv-reduce-load-size",   Nothing, "partial loads (rtc loads only what is used)"),
    ignored("fspv-fix-func-call-arguments", Nothing, "arguments of calls (rtc inlines all)"),
    ignored("fspv-preserve-bindings",  Nothing, "keep unused bindings"),
    ignored("fspv-preserve-interface", Nothing, "keep unused inputs and outputs"),
    ignored("fspv-use-legacy-buffer-matrix-order", Nothing, "matrices in byte-address buffers by rows"),
    ignored("fspv-use-emulated-heap",  Nothing, "descriptor heaps as arrays of descriptors (they are)"),
    ignored("Oconfig",             Equals,   "passes over SPIR-V"),
    ignored("enable-lifetime-markers",  Nothing, "lifetime markers in DXIL"),
    ignored("disable-lifetime-markers", Nothing, "no lifetime markers in DXIL"),
    ignored("pack-optimized",      Nothing,  "packing of signatures"),
    ignored("pack-prefix-stable",  Nothing,  "packing of signatures"),
    ignored("opt-enable",          Separate, "one optimisation on"),
    ignored("opt-disable",         Separate, "one optimisation off"),
    ignored("fdisable-loc-tracking", Nothing, "no source locations in the module"),
    ignored("Gec",                 Nothing,  "compatibility with older compilers"),
    ignored("Ges",                 Nothing,  "strict mode (rtc has no other)"),
    ignored("res-may-alias",       Nothing,  "UAVs may alias (rtc assumes that they may)"),
    ignored("Gfa",                 Nothing,  "avoid flow control"),
    ignored("Gfp",                 Nothing,  "prefer flow control"),
    ignored("Qsource_in_debug_module", Nothing, "source text in the debug module (it is always there)"),
    ignored("fdiagnostics-show-option",    Nothing, "diagnostics name their group (they do)"),
    ignored("fno-diagnostics-show-option", Nothing, "diagnostics do not name their group"),
    ignored("flegacy-macro-expansion", Nothing, "pastes tokens as fxc did"),
    ignored("encoding",            Either,   "encoding of output texts (rtc writes UTF-8 and reads any)"),
    ignored("Cc",                  Nothing,  "coloured listings"),
    ignored("Ni",                  Nothing,  "listings with instruction numbers"),
    ignored("No",                  Nothing,  "listings with byte offsets"),
    ignored("Lx",                  Nothing,  "listings with hexadecimal literals"),
    ignored("ftime-report",        Nothing,  "a report of the compiler's time"),
    ignored("select-validator",    Either,   "which validator checks the container"),
    ignored("external",            Separate, "another compiler library"),
    ignored("external-fn",         Separate, "the entry of another compiler library"),
];

/// Splits an argument without its dash into the option and a joined value.
fn split(text: &str) -> Option<(&'static Flag, Option<&str>)> {
    // The longest name wins, so that `-Fo` is never `-F` with a value.
    let mut best: Option<(&'static Flag, Option<&str>)> = None;
    for f in FLAGS {
        let Some(rest) = text.strip_prefix(f.name) else { continue };
        let value = match f.takes {
            Takes::Nothing | Takes::Separate | Takes::Two | Takes::Four if rest.is_empty() => None,
            Takes::JoinedOrSeparate if rest.is_empty() => None,
            Takes::JoinedOrSeparate => Some(rest.strip_prefix('=').unwrap_or(rest)),
            Takes::Joined if !rest.is_empty() => Some(rest),
            Takes::Equals if rest.starts_with('=') => Some(&rest[1..]),
            _ => continue,
        };
        if best.is_none_or(|b| b.0.name.len() < f.name.len()) {
            best = Some((f, value));
        }
    }
    best
}

/// Rewrites the syntax of dxc to that of clap. Response files are expanded; in them, white space separates arguments and double quotes
/// protect it.
///
/// # Errors
/// An unknown option (with the nearest known one), a missing value, a response file that cannot be read or
/// includes itself.
pub fn normalise(args: &[String]) -> Result<Vec<String>> {
    let mut flat = Vec::new();
    for a in args {
        expand(a, &mut flat, 0)?;
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < flat.len() {
        let arg = &flat[i];
        i += 1;
        if arg == "--" {
            out.push(arg.clone());
            out.extend_from_slice(&flat[i..]);
            break;
        }
        let name = match arg.strip_prefix('-') {
            Some("") => {
                out.push(arg.clone());
                continue;
            }
            Some(n) => n.strip_prefix('-').unwrap_or(n),
            None => match arg.strip_prefix('/') {
                // `/T` is an option unless a file has this name.
                Some(n) if !n.is_empty() && split(n).is_some() && !Path::new(arg).exists() => n,
                _ => {
                    out.push(arg.clone());
                    continue;
                }
            },
        };
        if matches!(name, "help" | "h" | "?" | "version") {
            out.push(if name == "version" { "--version".into() } else { "--help".into() });
            continue;
        }
        let Some((f, joined)) = split(name) else {
            return Err(unknown(arg, name).into());
        };
        let mut values: Vec<String> = joined.map(str::to_owned).into_iter().collect();
        let count = match f.takes {
            Takes::Nothing => 0,
            Takes::Two => 2,
            Takes::Four => 4,
            _ => 1,
        };
        while values.len() < count {
            let Some(v) = flat.get(i) else {
                return Err(format!("option `-{}` requires a value: {}", f.name, f.value).into());
            };
            values.push(v.clone());
            i += 1;
        }
        match count {
            0 => out.push(format!("--{}", f.name)),
            _ => out.push(format!("--{}={}", f.name, values.join(" "))),
        }
    }
    Ok(out)
}

/// Options that name output files and do not change the output: a PDB does not record them.
const OUTPUT_OPTIONS: &[&str] = &["Fh", "Vn", "Fc", "Fi", "P", "M", "MD", "MF", "H", "Vi", "verify", "report", "nologo"];

/// The result of [`normalise`] as names and values for a PDB: a joined value is part of the name.
pub fn pairs(normal: &[String]) -> Vec<Argument> {
    let mut out = Vec::new();
    for arg in normal.iter().take_while(|a| *a != "--") {
        let Some(text) = arg.strip_prefix("--") else { continue };
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some(f) = FLAGS.iter().find(|f| f.name == name) else { continue };
        if OUTPUT_OPTIONS.contains(&name) {
            continue;
        }
        let (name, value) = match f.takes {
            Takes::Joined => (format!("{name}{value}"), String::new()),
            Takes::Equals => (text.to_owned(), String::new()),
            _ => (name.to_owned(), value.to_owned()),
        };
        out.push(Argument { name, value });
    }
    out
}

fn expand(arg: &str, out: &mut Vec<String>, depth: u32) -> Result<()> {
    let Some(path) = arg.strip_prefix('@').filter(|p| !p.is_empty()) else {
        out.push(arg.to_owned());
        return Ok(());
    };
    if depth == 16 {
        return Err(format!("response file `{path}`: nested too deeply; does it include itself?").into());
    }
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read response file `{path}`: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("response file `{path}` is not UTF-8"))?;
    let (mut word, mut quoted, mut any) = (String::new(), false, false);
    for c in text.chars().chain([' ']) {
        match c {
            '"' => {
                quoted = !quoted;
                any = true;
            }
            c if c.is_whitespace() && !quoted => {
                if any {
                    expand(&std::mem::take(&mut word), out, depth + 1)?;
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if quoted { Err(format!("response file `{path}`: a quotation mark is not closed").into()) } else { Ok(()) }
}

fn unknown(arg: &str, name: &str) -> String {
    let near = FLAGS.iter().map(|f| (distance(f.name, name), f.name)).min();
    match near {
        Some((d, n)) if d <= 2 && d < n.len() => format!("unknown option `{arg}`; did you mean `-{n}`?"),
        _ => format!("unknown option `{arg}`"),
    }
}

/// Edit distance.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut last = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = last + usize::from(ca != *cb);
            last = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(last + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn norm(args: &[&str]) -> std::result::Result<Vec<String>, String> {
        normalise(&args.iter().map(|s| s.to_string()).collect::<Vec<_>>()).map_err(|e| e.to_string())
    }

    #[test]
    fn joined_separate_and_slash_mean_the_same() {
        let want = ["--T=lib_6_3", "a.hlsl"];
        assert_eq!(norm(&["-T", "lib_6_3", "a.hlsl"]).unwrap(), want);
        assert_eq!(norm(&["-Tlib_6_3", "a.hlsl"]).unwrap(), want);
        assert_eq!(norm(&["/T", "lib_6_3", "a.hlsl"]).unwrap(), want);
        assert_eq!(norm(&["/Tlib_6_3", "a.hlsl"]).unwrap(), want);
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(norm(&["-Fox.dxil"]).unwrap(), ["--Fo=x.dxil"]);
        assert_eq!(norm(&["-WX", "-Wno-conversion"]).unwrap(), ["--WX", "--W=no-conversion"]);
        assert_eq!(norm(&["-HV", "2018", "-H"]).unwrap(), ["--HV=2018", "--H"]);
        assert_eq!(norm(&["-D", "A=1", "-DB"]).unwrap(), ["--D=A=1", "--D=B"]);
        assert_eq!(norm(&["-fvk-t-shift", "10", "all"]).unwrap(), ["--fvk-t-shift=10 all"]);
        assert_eq!(norm(&["-fspv-target-env=vulkan1.3"]).unwrap(), ["--fspv-target-env=vulkan1.3"]);
    }

    #[test]
    fn mistakes_are_named() {
        assert!(norm(&["-spirw"]).unwrap_err().contains("did you mean `-spirv`"));
        assert!(norm(&["-T"]).unwrap_err().contains("requires a value"));
        assert!(norm(&["@no/such/file"]).unwrap_err().contains("no/such/file"));
    }

    #[test]
    fn a_path_is_no_option() {
        assert_eq!(norm(&["/usr"]).unwrap().len(), 1);
        let file = std::env::temp_dir().join(format!("rtc-dialect-{}.rsp", std::process::id()));
        std::fs::write(&file, "-T lib_6_3\n  -D \"A B\"=1 @").unwrap();
        let got = norm(&[&format!("@{}", file.display())]).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(got, ["--T=lib_6_3", "--D=A B=1", "@"]);
    }

    #[test]
    fn names_are_unique() {
        for (i, f) in FLAGS.iter().enumerate() {
            assert!(FLAGS[i + 1..].iter().all(|g| g.name != f.name), "{}", f.name);
        }
    }
}
