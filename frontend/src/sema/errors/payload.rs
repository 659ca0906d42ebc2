//! Diagnostics of payload types and their access qualifiers (DXR specification, "Payload access qualifiers").

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

const RULES: &str = "DXR, payload access qualifiers";

/// Adds a fix-it, unless its span is in a macro expansion.
fn fix(d: Diagnostic, span: Span, text: String) -> Diagnostic {
    if span.is_none() || span.lo.is_expanded() || span.hi.is_expanded() { d } else { d.fix(span, text) }
}

/// A payload without the attribute where it is required.
pub fn not_raypayload(span: Span, ty: &str, declared: Span, name: &str, model: u8) -> Diagnostic {
    let d = Diagnostic::new(&c::E0706, span, format!("`{ty}` is used as a payload but not declared `[raypayload]`"))
        .label(declared, "declared here")
        .note(match model {
            6 => "with -enable-payload-qualifiers payloads need it",
            _ => "from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given",
        });
    if name.is_empty() { d } else { fix(d, declared, format!("[raypayload] {name}")) }
}

/// A payload without members.
pub fn empty(span: Span, ty: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::E0708, span, format!("the payload `{ty}` has no members"))
        .label(declared, "declared here")
        .note("DXR, ray payload structure: a payload has at least one member")
}

/// `[raypayload]` where no structure is defined.
pub fn misplaced_attribute(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(&c::E0711, span, format!("`[raypayload]` {why}")).note(RULES)
}

/// An unknown stage in a qualifier.
pub fn unknown_stage(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0702, span, format!("unknown stage `{name}` in a payload access qualifier"))
        .here("one of caller, anyhit, closesthit, miss");
    match similar {
        Some(s) => fix(d, span, s),
        None => d,
    }
}

/// `read(caller, caller)`
pub fn doubled_stage(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::W0700, span, format!("duplicate stage `{name}`")).label(first, "first used here")
}

/// `read(…)` twice.
pub fn doubled_qualifier(span: Span, what: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0703, span, format!("duplicate qualifier `{what}`"))
        .label(first, "first used here")
        .note("each field has one `read` and one `write`, which list all stages")
}

/// Qualifiers in an ordinary structure.
pub fn outside_payload(span: Span, field: &str, ty: &str, declared: Span, name: &str) -> Diagnostic {
    let message = format!("`{field}` has payload access qualifiers, but `{ty}` is not declared `[raypayload]`");
    let d = Diagnostic::new(&c::W0703, span, message).note("the qualifiers have no effect");
    if name.is_empty() { d } else { fix(d, declared, format!("[raypayload] {name}")) }
}

/// Qualifiers on a declaration that is not a member of a structure.
pub fn misplaced_qualifier(span: Span, context: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0704,
        span,
        format!("payload access qualifiers are only allowed on members of payload structures, not on {context}"),
    )
}

/// Qualifiers on a field whose type has its own. `remove`: them with their colons.
pub fn qualified_payload_field(span: Span, field: &str, ty: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::E0705, span, format!("`{field}` cannot have qualifiers: the fields of `{ty}` have their own"))
        .label(declared, format!("`{ty}` is a payload itself"))
        .note(RULES)
}

/// Qualifiers inside of a qualified member.
pub fn covered(span: Span, field: &str, ty: &str, declared: Span) -> Diagnostic {
    let message = format!("the qualifiers of `{field}` apply to all of it; those inside of `{ty}` have no effect");
    Diagnostic::new(&c::W0701, span, message).label(declared, format!("`{ty}` has qualifiers"))
}

/// A field without qualifiers. `end`: the insertion position.
pub fn unqualified_field(span: Span, field: &str, ty: &str, end: Span) -> Diagnostic {
    let d = Diagnostic::new(&c::E0606, span, format!("`{field}` of the payload `{ty}` has no access qualifiers"))
        .note("every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them");
    // The widest qualifiers, which keep the behaviour of the program.
    let all = "(caller, anyhit, closesthit, miss)";
    fix(d, end, format!(" : read{all} : write{all}"))
}

/// A field with one of the two qualifiers. `there`: the span of the present one.
pub fn half_qualified(span: Span, field: &str, missing: &str, there: Span, both: String) -> Diagnostic {
    let d = Diagnostic::new(&c::E0606, span, format!("`{field}` has no `{missing}` qualifier"))
        .note("DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty");
    fix(d, there, both)
}

/// A field that is written and names no readers. `there`: the span of `write(…)`.
pub fn unread_field(span: Span, field: &str, there: Span, both: String) -> Diagnostic {
    let d = Diagnostic::new(&c::W0704, span, format!("`{field}` has no `read` qualifier: no stage reads it"))
        .note("DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty");
    fix(d, there, both)
}

/// A field with `read()` alone. `there`: its span.
pub fn unused_field(span: Span, field: &str, there: Span, both: String) -> Diagnostic {
    let d = Diagnostic::new(&c::W0704, span, format!("`{field}` has no `write` qualifier: no stage reads or writes it"))
        .note("DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty");
    fix(d, there, both)
}

/// A stage reads a field that no earlier stage writes. `fixed`: the replacement of the `write(…)` at `write`.
pub fn never_written(spans: &[(Span, &str)], field: &str, before: &str, write: Span, fixed: String) -> Diagnostic {
    let d = stages(&c::E0700, spans, |s| format!("`{field}` is read in {s}, but no stage before writes it"));
    fix(d.label(write, format!("could be written by {before}")), write, fixed)
        .note("DXR, payload access qualifiers, rule 1: a stage that reads comes after one that writes")
}

/// A stage writes a field that no later stage reads. `fixed`: the replacement of the `read(…)` at `read`.
pub fn never_read(spans: &[(Span, &str)], field: &str, after: &str, read: Span, fixed: String) -> Diagnostic {
    let d = stages(&c::E0701, spans, |s| format!("`{field}` is written in {s}, but no stage after reads it"));
    fix(d.label(read, format!("could be read by {after}")), read, fixed)
        .note("DXR, payload access qualifiers, rule 2: a stage that writes comes before one that reads")
}

/// A diagnostic about stages: at the first, with labels at the others.
fn stages(code: &'static rtc_base::Code, spans: &[(Span, &str)], say: impl Fn(&str) -> String) -> Diagnostic {
    let names: Vec<String> = spans.iter().map(|s| format!("`{}`", s.1)).collect();
    let d = Diagnostic::new(code, spans.first().map_or(Span::NONE, |s| s.0), say(&names.join(" and ")));
    spans.iter().skip(1).fold(d, |d, s| d.label(s.0, "here too"))
}

/// A base whose members have no qualifiers.
pub fn plain_base(span: Span, ty: &str, base: &str, declared: Span, name: &str) -> Diagnostic {
    let d = Diagnostic::new(&c::E0707, span, format!("the payload `{ty}` inherits from `{base}`, which is not declared `[raypayload]`"))
        .label(declared, "declared here")
        .note("every field of a payload requires access qualifiers, inherited ones too");
    if name.is_empty() { d } else { fix(d, declared, format!("[raypayload] {name}")) }
}

/// An object in a payload.
pub fn object(span: Span, field: &str, ty: &str, payload: &str) -> Diagnostic {
    Diagnostic::new(&c::E0710, span, format!("`{field}` of the payload `{payload}` contains an object, `{ty}`"))
        .note("DXR, ray payload structure: a payload consists of numbers; it cannot contain resources, hit objects or ray queries")
}

/// Qualifiers that are ignored.
pub fn qualifiers_off(span: Span, ty: &str, model: u8) -> Diagnostic {
    let d = Diagnostic::new(&c::W0601, span, format!("the access qualifiers of `{ty}` have no effect"));
    match model {
        6 => d.note("in shader model 6.6 -enable-payload-qualifiers turns them on"),
        0..=5 => d.note("they come with shader model 6.6"),
        _ => d.note("-disable-payload-qualifiers turns them off"),
    }
}
