//! The front end of a compilation: text to tokens, syntax tree, typed tree and IR, with the options of the compiler translated for each
//! stage. A stage runs only if the one before found no error; types are checked after syntax errors too, so that one compilation shows both.

use rtc_base::Interner;
use rtc_base::timing::phase;
use rtc_frontend::preprocess::{Includes, Pragmas};
use rtc_frontend::{lex, lower, preamble, sema};
use rtc_tables::diagnostics as codes;

use crate::compilation::Compilation;
use crate::language::language;
use crate::options::{Flow, Options, Target};
use crate::preprocess::{preprocess_options, too_large};
use crate::root_signatures::{self, Roots};

/// The result of the front end.
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

/// A source after parsing: what several entry points share.
pub(crate) struct ParsedSource {
    parsed: rtc_frontend::Parsed,
    names: Interner,
    /// What is checked already.
    checked: Option<sema::Checked>,
}

/// Preprocesses and parses; `None` after an error. For compilations in `language` that share their includes, checks those too.
pub(crate) fn parse(
    name: &str,
    bytes: &[u8],
    includes: &mut dyn Includes,
    o: &Options,
    language: Option<&sema::SemaOptions>,
    c: &mut Compilation,
    pragmas: &mut Pragmas,
) -> Option<ParsedSource> {
    let mut names = Interner::for_program();
    let decoded = lex::decode(bytes);
    let Some(main) = c.sources.add_file(name, &*decoded.text, None) else {
        c.diagnostics.push(too_large(name));
        return None;
    };
    let (mut parsed, checked) = {
        let _phase = phase("preprocess and parse");
        let options = preprocess_options(o);
        match (includes.preambles(), language) {
            (Some(cache), Some(language)) => preamble::parse(&cache, &mut c.sources, &mut names, main, &options, language, includes),
            _ => (rtc_frontend::parse(&mut c.sources, &mut names, main, &options, includes), None),
        }
    };
    c.includes = std::mem::take(&mut parsed.includes);
    *pragmas = std::mem::take(&mut parsed.pragmas);
    c.diagnostics.append(&mut parsed.diagnostics);
    // The tree refers to none of them.
    parsed.tokens = Vec::new();
    if c.failed() {
        check_the_rest(&parsed, names, checked, language.map_or_else(|| crate::language::language(o), Clone::clone), c);
        return None;
    }
    Some(ParsedSource { parsed, names, checked })
}

/// Adds the errors in what did parse, unless they may be consequences of what did not: without a file, a macro or most of the text, what is left
/// means nothing.
fn check_the_rest(
    parsed: &rtc_frontend::Parsed,
    mut names: Interner,
    checked: Option<sema::Checked>,
    language: sema::SemaOptions,
    c: &mut Compilation,
) {
    let of_syntax = |d: &rtc_base::Diagnostic| d.code.id.starts_with("E02") && d.code.id != codes::E0208.id && !d.fatal;
    if !c.diagnostics.iter().filter(|d| d.is_error()).all(of_syntax) {
        return;
    }
    let _phase = phase("check types");
    let (_, found) = match checked {
        Some(first) => sema::check_rest(&parsed.ast, &c.sources, &mut names, &language, first),
        None => sema::check(&parsed.ast, &c.sources, &mut names, &language),
    };
    let errors = found.into_iter().filter(rtc_base::Diagnostic::is_error).collect();
    c.diagnostics.extend(crate::analysis::without_consequences(errors, &c.diagnostics, &parsed.ast, &c.sources, &names));
}

/// Runs the front end: text to IR. `qualifiers`: payload access qualifiers stay in the IR whether or not they are in force.
pub(crate) fn front(
    name: &str,
    bytes: &[u8],
    includes: &mut dyn Includes,
    o: &Options,
    c: &mut Compilation,
    pragmas: &mut Pragmas,
    qualifiers: bool,
) -> Option<Front> {
    let language = language(o);
    let ParsedSource { parsed, names, checked } = parse(name, bytes, includes, o, Some(&language), c, pragmas)?;
    analyse(&parsed, names, checked, o, &language, c, qualifiers)
}

impl ParsedSource {
    /// The rest of the front end for one entry point of the source, whose symbols are its own from here on.
    pub(crate) fn analyse(&self, o: &Options, c: &mut Compilation) -> Option<Front> {
        analyse(&self.parsed, self.names.clone(), None, o, &language(o), c, false)
    }
}

/// Checks types, but for what is checked already, and lowers to IR.
fn analyse(
    parsed: &rtc_frontend::Parsed,
    mut interner: Interner,
    checked: Option<sema::Checked>,
    o: &Options,
    language: &sema::SemaOptions,
    c: &mut Compilation,
    qualifiers: bool,
) -> Option<Front> {
    let (typed, mut diagnostics) = {
        let _phase = phase("check types");
        match checked {
            Some(first) => sema::check_rest(&parsed.ast, &c.sources, &mut interner, language, first),
            None => sema::check(&parsed.ast, &c.sources, &mut interner, language),
        }
    };
    if qualifiers {
        // Inference of qualifiers accepts those of structures that are not declared as payloads yet.
        diagnostics.retain(|d| ![codes::E0704.id, codes::W0601.id, codes::W0703.id].contains(&d.code.id));
    }
    c.diagnostics.extend(diagnostics);
    if c.failed() {
        return None;
    }
    let roots = root_signatures::roots(&typed, &parsed.expanded, &interner, o, c);
    if c.failed() {
        return None;
    }
    let layout = match o.target {
        Target::Spirv => o.vulkan.layout.unwrap_or(lower::BufferLayout::VULKAN),
        Target::Package => o.vulkan.layout.unwrap_or(lower::BufferLayout::DX),
        _ => lower::BufferLayout::DX,
    };
    let lowering = lower::Options {
        shader_model: o.profile.minor,
        native_16bit: o.native_16bit,
        denormals: o.denormals,
        precise: o.precise,
        whole_powers: language.hlsl_version <= 2016,
        flow: match (o.target, o.flow) {
            (Target::Dxil | Target::Ir, Flow::Branch) => rtc_ir::Sides::Branch,
            (Target::Dxil | Target::Ir, Flow::Flatten) => rtc_ir::Sides::Flatten,
            _ => rtc_ir::Sides::Any,
        },
        precise_outputs: o.precise_outputs.clone(),
        layout,
        all_resources: o.target == Target::Spirv || o.reserves_unused,
        host_layouts: o.target == Target::Spirv,
        host_names: o.target == Target::Package,
        vulkan: language.spirv,
        qualified_names: o.target == Target::Package,
        payload_qualifiers: qualifiers || language.payload_qualifiers_on(),
        names: !o.reports.is_empty(),
        debug: o.debug_in_ir(),
    };
    let (mut module, diagnostics) = {
        let _phase = phase("lower to IR");
        lower::lower(&typed, &interner, &lowering)
    };
    c.diagnostics.extend(diagnostics);
    if c.failed() {
        return None;
    }
    if let (Some(table), Target::Dxil) = (&o.binding_table, o.target) {
        crate::binding_table::apply(&mut module, table, &parsed.expanded, &interner, c);
        if c.failed() {
            return None;
        }
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
