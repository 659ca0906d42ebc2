//! Preprocessing: the options of the compiler translated for it, and the operation that does nothing else.

use rtc_base::{Diagnostic, Interner, SourceMap, Span};
use rtc_frontend::preprocess::{Includes, PreprocessOptions, TargetMacros};
use rtc_frontend::{lex, preamble};
use rtc_spirv::Environment;
use rtc_tables::diagnostics as codes;

use crate::compilation::Compilation;
use crate::language::language;
use crate::options::{BindingTable, Options, ProfileKind, Target};
use crate::warnings;

/// The preprocessor's options for a compilation.
pub(crate) fn preprocess_options(o: &Options) -> PreprocessOptions {
    let table = match &o.binding_table {
        Some(BindingTable::Macro(name)) => Some(name),
        _ => None,
    };
    PreprocessOptions {
        defines: o.defines.clone(),
        include_dirs: o.include_dirs.clone(),
        ignore_line: o.ignore_line,
        report_undefined: o.warnings.groups.iter().any(|g| g.ends_with("undef") || g.ends_with("everything")),
        target: TargetMacros {
            stage: match o.profile.kind {
                ProfileKind::Library => 6,
                ProfileKind::Shader(stage) => stage as u32,
                ProfileKind::RootSignature => 0,
            },
            major: 6,
            minor: o.profile.minor,
            hlsl_version: o.hlsl_version,
            spirv: matches!(o.target, Target::Spirv | Target::Package),
            spirv_minor: o.environment().unwrap_or(Environment::VULKAN_1_0).spirv,
            native_16_bit: o.native_16bit,
            ..TargetMacros::default()
        },
        expand: match o.profile.kind {
            ProfileKind::RootSignature => vec![o.entry.clone()],
            ProfileKind::Shader(_) => o.root_define.iter().chain(table).cloned().collect(),
            ProfileKind::Library => table.into_iter().cloned().collect(),
        },
    }
}

/// The error that a source is too large for the source map.
pub(crate) fn too_large(name: &str) -> Diagnostic {
    Diagnostic::new(&codes::E0109, Span::NONE, format!("`{name}` is too large: sources may have 2 GiB in all"))
}

/// Preprocesses only. Gives the text, even if there were errors.
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
            let done = match includes.preambles() {
                Some(cache) => {
                    let (language, report) = (language(o), &mut report);
                    let sources = &mut c.sources;
                    let (done, printed) = preamble::preprocess(&cache, sources, &mut interner, main, &options, &language, includes, report);
                    text = printed;
                    done
                }
                None => {
                    let done = rtc_frontend::preprocess::preprocess(&mut c.sources, &mut interner, main, &options, includes, &mut report);
                    text = rtc_frontend::preprocess::print(&done, &c.sources, &interner);
                    done
                }
            };
            c.includes = done.includes;
            c.diagnostics = warnings::apply(report.into_list(), &o.warnings, &done.pragmas, &c.sources);
        }
    }
    (text, c)
}
