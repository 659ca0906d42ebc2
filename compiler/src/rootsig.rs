//! Root signatures of a source: of subobjects, of entry points, of macros. Their texts are judged here, before anything is made of
//! them, so that an error points into the string.

use rtc_base::{Diagnostic, Interner, SourceMap, Span};
use rtc_dxil::container::psv::Psv;
use rtc_dxil::container::{self, Container, FourCc, Signing};
use rtc_dxil::library::Built;
use rtc_dxil::rootsig::{self, RootSignature, RootVersion, Scope};
use rtc_frontend::hir::{self, RootSignatureOf};
use rtc_frontend::lex;
use rtc_frontend::lex::Token;
use rtc_frontend::preprocess::Includes;
use rtc_frontend::text::Text;
use rtc_tables::diagnostics as codes;

use crate::options::{Options, ProfileKind};
use crate::pipeline::{Compilation, Product, preprocess_options, too_large};

/// Root signatures of entry points.
pub(crate) struct Roots {
    /// In binary form, by the places of the entry points' names.
    pub signatures: Vec<(Span, Vec<u8>)>,
    /// Where that of a compute shader is written.
    pub span: Span,
}

/// Reads a text; what is wrong with it goes into `found`.
fn parse(text: &Text, version: RootVersion, scope: Scope, sources: &SourceMap, found: &mut Vec<Diagnostic>) -> Option<RootSignature> {
    match rootsig::parse(&text.text, version, scope) {
        Ok(signature) => Some(signature),
        Err(errors) => {
            for e in errors {
                let (span, through) = text.place(sources, e.offset, e.len);
                let mut d = Diagnostic::new(&codes::E0643, span, format!("in this root signature: {}", e.message));
                let written = |s: &Span| sources.range(*s).is_some_and(|(file, _)| !sources.file(file).name.starts_with('<'));
                if let Some(used) = through.filter(written) {
                    d = d.label(used, "used here");
                }
                found.push(d);
            }
            None
        }
    }
}

/// Judges the root signatures of a source, in the order of the source; gives those of entry points in binary form, by the places of
/// the entry points' names.
fn check(m: &hir::Module, version: RootVersion, sources: &SourceMap, found: &mut Vec<Diagnostic>) -> Vec<(Span, Vec<u8>)> {
    let mut out = Vec::new();
    for r in &m.root_signatures {
        let scope = if r.of == RootSignatureOf::Local { Scope::Local } else { Scope::Global };
        let signature = parse(&r.text, version, scope, sources, found);
        if let (Some(s), RootSignatureOf::Entry(entry)) = (signature, r.of) {
            out.push((entry, rootsig::write(&s)));
        }
    }
    out
}

/// The root signature that the tokens of a macro are, in binary form. A place for what is wrong with it as a whole comes with it.
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
    let span = text.place(sources, 0, text.text.len()).0;
    Some((rootsig::write(&signature), span))
}

/// The root signatures of a source's entry points; all that it has are judged.
pub(crate) fn roots(typed: &hir::Module, expanded: Option<&[Token]>, names: &Interner, o: &Options, c: &mut Compilation) -> Roots {
    let mut found = Vec::new();
    let mut signatures = check(typed, o.root_version, &c.sources, &mut found);
    let mut span = Span::NONE;
    if o.profile.kind == ProfileKind::Compute {
        let entry = typed.entries().map(|(_, f)| f.span).next().unwrap_or(Span::NONE);
        let own = typed.root_signatures.iter().find(|r| r.of == RootSignatureOf::Entry(entry));
        span = own.map_or(span, |r| r.span);
        if let Some(name) = &o.root_define {
            let (scope, sources) = (Scope::Global, &c.sources);
            let made = of_macro(name, expanded, o.root_version, scope, sources, names, &mut found);
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

/// The container of the root signature that a macro is.
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
    let tokens = done.expanded.as_deref();
    let version = match o.profile.minor {
        0 => RootVersion::V1_0,
        1 => RootVersion::V1_1,
        _ => RootVersion::V1_2,
    };
    let made = of_macro(&o.entry, tokens, version, scope, &c.sources, &interner, &mut found);
    c.diagnostics.extend(found);
    Some(Product::Dxil(container_of(&made?.0, o.sign)))
}

/// Whether a shader can be bound by its root signature; complains at `span`.
pub(crate) fn check_shader(built: &Built, span: Span, found: &mut Vec<Diagnostic>) {
    let (Some(data), Some(psv)) = (&built.root_signature, built.part(FourCc::PSV0)) else { return };
    let problems = match (read(data), Psv::read(psv)) {
        (Ok(signature), Ok(psv)) => rootsig::check_shader(&signature, &psv),
        (Err(e), _) => vec![e],
        (_, Err(e)) => vec![e.to_string()],
    };
    found.extend(problems.into_iter().map(|p| Diagnostic::new(&codes::E0646, span, p)));
}

/// What a root signature in binary form does not bind of a container's shader; each a sentence.
///
/// # Errors
/// When one of the two is damaged, or the container is that of a library, which no root signature belongs to.
pub fn problems(data: &[u8], container: &[u8]) -> Result<Vec<String>, String> {
    let c = Container::parse(container).map_err(|e| e.to_string())?;
    if c.part(FourCc::RDAT).is_some() {
        return Err("a library has no root signature of its own".into());
    }
    let psv = c.require(FourCc::PSV0).and_then(Psv::read).map_err(|e| e.to_string())?;
    let signature = read(data)?;
    Ok(rootsig::check_shader(&signature, &psv))
}

/// Reads the binary form and checks that it is sound.
///
/// # Errors
/// What is wrong with it.
pub fn read(data: &[u8]) -> Result<RootSignature, String> {
    let signature = rootsig::read(data).map_err(|e| e.to_string())?;
    match rootsig::check(&signature).into_iter().next() {
        Some(p) => Err(p.message),
        None => Ok(signature),
    }
}

/// The root signature in a container of one, or in that of a shader.
///
/// # Errors
/// When the container is damaged or has none, or the root signature is wrong.
pub fn of_container(data: &[u8]) -> Result<Vec<u8>, String> {
    let c = Container::parse(data).map_err(|e| e.to_string())?;
    let part = c.require(FourCc::RTS0).map_err(|e| e.to_string())?;
    read(part)?;
    Ok(part.to_vec())
}

/// A container with nothing but a root signature.
pub fn container_of(data: &[u8], sign: bool) -> Vec<u8> {
    let signing = if sign { Signing::Digest } else { Signing::Unsigned };
    // Too large is what only tables of a hundred million ranges are.
    container::write(&[(FourCc::RTS0, data)], signing).unwrap_or_default()
}
