//! Warnings about payloads that are larger than necessary: fields that their qualifiers keep alive where no shader needs them.
//!
//! That can be decided only if all shaders are known, so only libraries that are a whole pipeline are checked: with a ray generation
//! shader, hit groups and a pipeline configuration. Even there shader tables may have null entries and the host may declare hit groups
//! without a closest-hit shader; fields that are kept for those are not reported.

use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_ir::{Module, Paq, PaqStage, Stage, SubobjectKind};
use rtc_passes::payload_layout::{self, ShaderFacts};
use rtc_tables::diagnostics as codes;

use super::{Assume, Field, Payload, SourceRange, of_libraries};
use crate::front_end::Front;

const RULE: &str = "DXR, payload access qualifiers, guidelines: a stage that does not use a field is not in its qualifiers";

/// The warnings for a library; none if it is not a whole pipeline, or has no qualifiers.
pub(crate) fn perf(front: &Front, sources: &SourceMap) -> Vec<Diagnostic> {
    let m = &front.module;
    let qualified = m.structs.values().any(|s| s.raypayload && s.fields.iter().any(|f| f.paq.is_some()));
    if !qualified || !is_whole(m) {
        return Vec::new();
    }
    let assume = Assume { may_lack_closest_hit: true, ..Assume::default() };
    let library = super::fields::Library::new(front, sources);
    let payloads = of_libraries(&[library], &[""], &[], assume).0;
    payloads.iter().filter(|p| p.refused.is_empty()).flat_map(|p| of_payload(m, p, sources)).collect()
}

/// Whether the library has all that a pipeline consists of.
fn is_whole(m: &Module) -> bool {
    let has = |what: fn(&SubobjectKind) -> bool| m.subobjects.iter().any(|s| what(&s.kind));
    has(|k| matches!(k, SubobjectKind::TriangleHitGroup(..) | SubobjectKind::ProceduralHitGroup(..)))
        && has(|k| matches!(k, SubobjectKind::PipelineConfig(..) | SubobjectKind::PipelineConfig1(..)))
        && m.funcs.values().any(|f| f.stage == Stage::RayGeneration)
}

fn of_payload(m: &Module, p: &Payload, sources: &SourceMap) -> Vec<Diagnostic> {
    let declared = |f: &Field| {
        let q = f.declared.first()?.paq?;
        Some(Paq { read: q.read?.0, write: q.write?.0 })
    };
    let all: Option<Vec<Paq>> = p.fields.iter().map(declared).collect();
    let Some(all) = all else { return Vec::new() };
    let tightest: Vec<Paq> = p.fields.iter().map(|f| Paq { read: f.solved.read, write: f.solved.write }).collect();
    let sizes = sizes(m, p, &tightest);
    let mut out: Vec<Diagnostic> = Vec::new();
    for ((f, have), need) in p.fields.iter().zip(all).zip(tightest) {
        let alive = if p.hit_objects { payload_layout::alive_with_hit_objects } else { payload_layout::alive };
        // A null entry of a shader table keeps a field only with both `read` and `write`.
        let read = have.read & !need.read & !(have.write & !PaqStage::Caller.bit());
        let write = have.write & !need.write;
        let would_do = Paq { read: have.read & !read, write: have.write & !write };
        if alive(have) & !alive(would_do) == 0 || !is_legal(would_do) {
            continue;
        }
        let at = f.declared.first().map_or(Span::NONE, |d| span(sources, &d.name));
        // Of payloads in an array, and of one in several structures, once.
        if out.iter().any(|d| d.span() == at && !at.is_none()) {
            continue;
        }
        let d = match read & PaqStage::Caller.bit() != 0 {
            true => {
                Diagnostic::new(&codes::W0720, at, format!("`{}` is returned to callers, none of which reads it after a trace", f.name))
                    .here("it is `read(caller)`")
            }
            false => Diagnostic::new(
                &codes::W0721,
                at,
                format!("`{}` is kept alive where no shader needs it: no shader requires {}", f.name, lists(read, write)),
            ),
        };
        let list = |set: u8| PaqStage::list(set, ", ");
        let d = d.note(format!(
            "`read({}) : write({})` is sufficient for all shaders of this library",
            list(would_do.read),
            list(would_do.write)
        ));
        let d = match sizes {
            Some((now, then)) if then < now => d.note(format!(
                "`{}` takes {now} bytes packed, {then} with qualifiers that are no wider than needed (rtc paq -fix writes them)",
                p.name
            )),
            _ => d,
        };
        out.push(d.note(RULE));
    }
    out
}

/// Whether what is read may have been written before, and what is written may be read afterwards.
fn is_legal(q: Paq) -> bool {
    let all = || PaqStage::ALL.into_iter();
    all().all(|s| (!q.reads(s) || s.predecessors() & q.write != 0) && (!q.writes(s) || s.successors() & q.read != 0))
}

/// `read(miss) and write(anyhit)`
fn lists(read: u8, write: u8) -> String {
    let one = |what: &str, set: u8| (set != 0).then(|| format!("`{what}({})`", PaqStage::list(set, ", ")));
    let both: Vec<String> = [one("read", read), one("write", write)].into_iter().flatten().collect();
    both.join(" and ")
}

/// Packed bytes with the qualifiers that there are, and with the tightest.
fn sizes(m: &Module, p: &Payload, tightest: &[Paq]) -> Option<(u32, u32)> {
    let (s, _) = m.structs.iter().find(|(_, s)| s.name == p.name)?;
    let now = payload_layout::plan(m, s, ShaderFacts::default()).ok()?;
    let then = payload_layout::plan_with(m, s, ShaderFacts::default(), tightest).ok()?;
    Some((now.bytes, then.bytes))
}

/// The span of a source range.
fn span(sources: &SourceMap, p: &SourceRange) -> Span {
    let mut files = sources.files();
    let file = files.find(|(_, f)| super::fields::plain(&f.name) == p.file);
    file.map_or(Span::NONE, |(_, f)| Span::new(f.start.offset(p.start as u32), f.start.offset(p.end as u32)))
}
