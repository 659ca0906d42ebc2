//! `-Wnon-uniform-index`: which resources shader records bind, and how the source marks an index.

use rtc_base::{Diagnostic, EntitySet, SourceMap, Span};
use rtc_ir::{Global, Module, SubobjectKind};
use rtc_rootsig::{Scope, record_layout};

use crate::RootVersion;

/// The intrinsic that marks an index.
const MARK: &str = "NonUniformResourceIndex";

/// The warnings, with fixes where the source has the index in brackets of its own.
pub(crate) fn check(m: &Module, version: RootVersion, sources: &SourceMap) -> Vec<Diagnostic> {
    let mut all = rtc_passes::unmarked_indices(m, &local(m, version));
    for d in &mut all {
        if let Some(index) = index_span(sources, d.span()) {
            let end = Span { lo: index.hi, hi: index.hi };
            let begin = Span { lo: index.lo, hi: index.lo };
            *d = d.clone().fix(begin, format!("{MARK}(")).fix(end, ")");
        }
    }
    all
}

/// The resources that the library's local root signatures bind: records differ in them.
fn local(m: &Module, version: RootVersion) -> EntitySet<Global> {
    let mut out = EntitySet::new();
    for s in &m.subobjects {
        let SubobjectKind::LocalRootSignature(text) = &s.kind else { continue };
        let Some(record) = rtc_rootsig::parse(text, version, Scope::Local).ok().and_then(|s| record_layout(&s).ok()) else { continue };
        for (g, data) in &m.globals {
            let Some((r, register)) = data.resource().and_then(|r| Some((r, r.binding.register?))) else { continue };
            let class = m.types.as_resource(r.ty).map(|t| t.class);
            let binds = record.params.iter().flat_map(|p| &p.binds);
            let holds = |b: &rtc_rootsig::RecordBinding| {
                b.space == r.binding.space && register >= b.register && register - b.register < b.count && class == Some(b.class)
            };
            if binds.clone().any(holds) {
                out.insert(g);
            }
        }
    }
    out
}

/// The index in the first brackets of `Name[index]`, where nothing but a name is before them. Nothing in a macro: its other uses may need no mark.
fn index_span(sources: &SourceMap, span: Span) -> Option<Span> {
    if span.lo.is_expanded() || span.hi.is_expanded() {
        return None;
    }
    let text = sources.snippet(span);
    let open = text.find('[')?;
    let is_name = |c: char| c.is_alphanumeric() || "_:.".contains(c) || c.is_whitespace();
    if !text[..open].chars().all(is_name) {
        return None;
    }
    let mut depth = 0u32;
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < open) {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let (lo, hi) = (span.lo.offset((open + 1) as u32), span.lo.offset(at as u32));
                    return (!text[open + 1..at].contains(MARK)).then_some(Span { lo, hi });
                }
            }
            _ => {}
        }
    }
    None
}
