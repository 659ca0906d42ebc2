//! Root signatures of a source, from subobjects, attributes of entry points and macros. Their texts are parsed and checked between the front end
//! and lowering, so that an error points into the string literal.

use rtc_base::{Diagnostic, Interner, SourceMap, Span};
use rtc_frontend::hir::{self, RootSignatureOf};
use rtc_frontend::lex;
use rtc_frontend::lex::Token;
use rtc_frontend::preprocess::{Includes, expansion};
use rtc_frontend::token_text::Text;
use rtc_rootsig::{RootSignature, RootVersion, Scope, TextError};
use rtc_tables::diagnostics as codes;

use crate::compilation::{Compilation, Product};
use crate::options::{Options, ProfileKind, Target};
use crate::preprocess::{preprocess_options, too_large};
use crate::rootsig::container_of;

/// Root signatures of entry points.
#[derive(Clone)]
pub(crate) struct Roots {
    /// In binary form, each with the span of the entry point's name.
    pub signatures: Vec<(Span, Vec<u8>)>,
    /// The span of the root signature of a compute shader.
    pub span: Span,
}

/// Parses a text; its errors and warnings are added to `found`.
fn parse(text: &Text, version: RootVersion, scope: Scope, sources: &SourceMap, found: &mut Vec<Diagnostic>) -> Option<RootSignature> {
    let mut report = |code, e: TextError| {
        let (span, through) = text.location(sources, e.offset, e.len);
        let mut d = Diagnostic::new(code, span, format!("in this root signature: {}", e.message));
        let written = |s: &Span| sources.range(*s).is_some_and(|(file, _)| !sources.file(file).name.starts_with('<'));
        if let Some(used) = through.filter(written) {
            d = d.label(used, "used here");
        }
        found.push(d);
    };
    match rtc_rootsig::parse_with_remarks(&text.text, version, scope) {
        Ok((signature, remarks)) => {
            remarks.into_iter().for_each(|e| report(&codes::W0602, e));
            Some(signature)
        }
        Err(errors) => {
            errors.into_iter().for_each(|e| report(&codes::E0643, e));
            None
        }
    }
}

/// Checks the root signatures of a source in source order; returns those of entry points in binary form, each with the span of the
/// entry point's name.
fn check(m: &hir::Module, version: RootVersion, sources: &SourceMap, found: &mut Vec<Diagnostic>) -> Vec<(Span, Vec<u8>)> {
    let mut out = Vec::new();
    for r in &m.root_signatures {
        let scope = if r.of == RootSignatureOf::Local { Scope::Local } else { Scope::Global };
        let signature = parse(&r.text, version, scope, sources, found);
        if let (Some(s), RootSignatureOf::Entry(entry)) = (signature, r.of) {
            out.push((entry, rtc_rootsig::write(&s)));
        }
    }
    out
}

/// The root signature in the tokens of a macro in binary form, with its span.
fn of_macro(
    name: &str,
    tokens: Option<&[Token]>,
    version: RootVersion,
    scope: Scope,
    sources: &SourceMap,
    names: &Interner,
    found: &mut Vec<Diagnostic>,
) -> Option<(Vec<u8>, Span)> {
    let Some(tokens) = tokens else {
        let message = format!("there is no macro `{name}` to take a root signature from");
        found.push(Diagnostic::new(&codes::E0647, Span::NONE, message));
        return None;
    };
    let text = Text::of_tokens(tokens, names);
    let signature = parse(&text, version, scope, sources, found)?;
    let span = text.location(sources, 0, text.text.len()).0;
    Some((rtc_rootsig::write(&signature), span))
}

/// The root signatures of the entry points; all root signatures of the source are checked.
pub(crate) fn roots(typed: &hir::Module, expanded: &[(String, Vec<Token>)], names: &Interner, o: &Options, c: &mut Compilation) -> Roots {
    let mut found = Vec::new();
    let mut signatures = check(typed, o.dxil.root_version, &c.sources, &mut found);
    let mut span = Span::NONE;
    if matches!(o.profile.kind, ProfileKind::Shader(_)) {
        let entry = typed.entries().map(|(_, f)| f.span).next().unwrap_or(Span::NONE);
        let own = typed.root_signatures.iter().find(|r| r.of == RootSignatureOf::Entry(entry));
        span = own.map_or(span, |r| r.span);
        // SPIR-V has no root signatures, and the macro is often defined for Direct3D only.
        let tokens = o.root_define.as_ref().and_then(|name| expansion(expanded, name));
        let needed = o.target == Target::Dxil || tokens.is_some();
        if let Some(name) = o.root_define.as_ref().filter(|_| needed) {
            let (scope, sources) = (Scope::Global, &c.sources);
            let made = of_macro(name, tokens, o.dxil.root_version, scope, sources, names, &mut found);
            if let Some((data, at)) = made {
                signatures.insert(0, (entry, data));
                span = at;
            }
        }
        if let Some(data) = &o.root_signature {
            signatures.insert(0, (entry, data.clone()));
            span = Span::NONE;
        }
    }
    c.diagnostics.extend(found);
    Roots { signatures, span }
}

/// Compiles the root signature in a macro into a container.
pub(crate) fn compile(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options, c: &mut Compilation) -> Option<Product> {
    let mut interner = Interner::new();
    let decoded = lex::decode(bytes);
    let Some(main) = c.sources.add_file(name, &*decoded.text, None) else {
        c.diagnostics.push(too_large(name));
        return None;
    };
    let mut report = rtc_frontend::report::Report::new();
    let options = preprocess_options(o);
    let done = rtc_frontend::preprocess::preprocess(&mut c.sources, &mut interner, main, &options, includes, &mut report);
    c.includes = done.includes;
    c.diagnostics.extend(report.into_list());
    let (scope, mut found) = (Scope::Any, Vec::new());
    let tokens = expansion(&done.expanded, &o.entry);
    let version = match o.profile.minor {
        0 => RootVersion::V1_0,
        1 => RootVersion::V1_1,
        _ => RootVersion::V1_2,
    };
    let made = of_macro(&o.entry, tokens, version, scope, &c.sources, &interner, &mut found);
    c.diagnostics.extend(found);
    Some(Product::Dxil(container_of(&made?.0, o.dxil.sign)))
}
