//! Inference of payload access qualifiers: the accesses of the shaders of some libraries to each field of their payloads determine
//! the fewest stages that have to read and write it. `rtc paq` prints them and writes them into the sources.
//!
//! The libraries are taken to be the whole program: every shader that receives a payload and every trace with it. Where that cannot
//! be, nothing is inferred: a payload that exported functions take which none of them calls, one without a trace, one that no shader
//! receives. A null entry of a shader table counts as a shader that does nothing (DXR, payload access qualifiers,
//! semantics); a program that uses such entries must keep `read` in addition to `write` in that stage.
//!
//! | file | what |
//! |---|---|
//! | `join` | functions and payloads of one library in the others |
//! | `fields` | the declarations of fields, unified across libraries |
//! | `solve` | the qualifiers, by a fixpoint over demand |
//! | `stores` | wider qualifiers, with which no store is lost |
//! | `rewrite` | edits of the sources |
//! | `text` | text and JSON output |
//! | `layout` | layout files for several libraries |
//! | `perf` | warnings about fields that are kept alive without need |
//! | `clash` | diagnostics for declarations that differ |

mod clash;
mod fields;
mod join;
mod layout;
mod perf;
mod rewrite;
mod solve;
mod stores;
mod text;

use std::collections::{BTreeMap, HashSet};

use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_frontend::preprocess::{Includes, Pragmas};
use rtc_ir::{Func, PaqStage, Struct, SubobjectKind};
use rtc_passes::paq_liveness::{self as live, ModuleDemand, PayloadType};
use rtc_passes::payload_layout;
use rtc_tables::diagnostics as codes;

pub use fields::{Declared, RecordLocation, SourceRange};
pub use layout::{LayoutOutput, layout};
pub(crate) use perf::perf;
pub use rewrite::{Rewritten, rewrite};
pub use solve::{Reason, Solved};
pub use text::{json, text};

use crate::compilation::Compilation;
use crate::front_end::{Front, front};
use crate::options::{Options, Target};
use crate::warnings;
use fields::{Fields, Library};
use solve::{Course, FieldId, InShader, InTrace, Kind, Need, Shader, Trace};

/// What the inference assumes, and what it keeps.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Assume {
    /// Every hit group has a closest-hit shader. Otherwise only if the libraries declare hit groups, and all have one.
    pub all_shaded: bool,
    /// Some hit groups may have no closest-hit shader, whatever the libraries declare.
    pub may_lack_closest_hit: bool,
    /// Not the tightest qualifiers: a stage that stores a field writes it, also where nothing reads the value.
    pub keep_stores: bool,
}

/// A member of a payload type in memory order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name from the payload on.
    pub name: String,
    /// Its type as HLSL spells it.
    pub ty: String,
    /// Size and alignment in bytes.
    pub size: (u32, u32),
}

/// A field of a payload type with its qualifiers.
#[derive(Clone, Debug)]
pub struct Field {
    /// The member that it is, or is in: the number in [`Payload::members`]. Of an array of payloads each field is one of its own.
    pub member: usize,
    /// Its name from the payload on: `color`, `base.seed`.
    pub name: String,
    /// Its type as HLSL spells it.
    pub ty: String,
    /// The names of other bit-fields of the same number, which share its qualifiers.
    pub neighbours: Vec<String>,
    /// Where it is declared: in each library that has its own declaration.
    pub declared: Vec<Declared>,
    /// The tightest qualifiers.
    pub solved: Solved,
}

/// A payload type.
#[derive(Clone, Debug)]
pub struct Payload {
    /// Its name.
    pub name: String,
    /// Where it is declared, and what else becomes a payload with it: bases.
    pub records: Vec<RecordLocation>,
    /// Its members in memory order.
    pub members: Vec<Member>,
    /// Bytes in all.
    pub size: u32,
    /// Hit objects trace with it, or are invoked.
    pub hit_objects: bool,
    /// Its fields; with `refused` the qualifiers are empty.
    pub fields: Vec<Field>,
    /// Why it is not inferred.
    pub refused: Vec<String>,
    /// The numbers of the libraries that use it.
    pub libraries: Vec<usize>,
}

/// The result of the inference.
pub struct Inference {
    /// The compilations of the libraries, with what they reported.
    pub libraries: Vec<Compilation>,
    /// Payload types in the order of their first use. Empty if a library has errors.
    pub payloads: Vec<Payload>,
    /// Diagnostics across libraries, without spans: the source maps differ, so the text has the source locations.
    pub diagnostics: Vec<Diagnostic>,
}

impl Inference {
    /// Whether there was an error.
    pub fn failed(&self) -> bool {
        self.libraries.iter().any(Compilation::failed) || self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Compiles the libraries and infers the qualifiers of their payloads.
pub fn infer(sources: &[(String, Vec<u8>)], includes: &mut dyn Includes, o: &Options, assume: Assume) -> Inference {
    // Qualifiers in the source may be invalid or missing: inference replaces them.
    let options = Options { payload_qualifiers: Some(false), target: Target::Check, ..o.clone() };
    let mut out = Inference { libraries: Vec::new(), payloads: Vec::new(), diagnostics: Vec::new() };
    let mut fronts = Vec::new();
    for (name, bytes) in sources {
        let mut c = Compilation::default();
        let mut pragmas = Pragmas::default();
        fronts.push(front(name, bytes, includes, &options, &mut c, &mut pragmas, true));
        let found = std::mem::take(&mut c.diagnostics);
        c.diagnostics = warnings::apply(found, &o.warnings, &pragmas, &c.sources);
        out.libraries.push(c);
    }
    if out.failed() {
        return out;
    }
    let mut modules: Vec<&mut rtc_ir::Module> = fronts.iter_mut().flatten().map(|f| &mut f.module).collect();
    let shared = join::functions(&mut modules);
    join::payloads(&mut modules);
    let fronts: Vec<&Front> = fronts.iter().flatten().collect();
    let libraries: Vec<Library> = fronts.iter().zip(&out.libraries).map(|(f, c)| Library::new(f, &c.sources)).collect();
    let names: Vec<&str> = sources.iter().map(|s| s.0.as_str()).collect();
    let (payloads, found) = of_libraries(&libraries, &names, &shared, assume);
    out.payloads = payloads;
    out.diagnostics = warnings::apply(found, &o.warnings, &Pragmas::default(), &SourceMap::new());
    out
}

/// The payloads of the libraries, with diagnostics across them.
fn of_libraries(libraries: &[Library], names: &[&str], shared: &[join::Shared], assume: Assume) -> (Vec<Payload>, Vec<Diagnostic>) {
    let mut all = Program::default();
    for name in names {
        all.add(libraries, shared, (libraries.len() > 1).then_some(*name));
    }
    all.declare_unused(libraries);
    all.relate(libraries);
    all.assume(assume, libraries);
    all.finish(assume.keep_stores)
}

/// The payloads of a single library.
pub(crate) fn of_front(front: &Front, sources: &SourceMap) -> Vec<Payload> {
    of_libraries(&[Library::new(front, sources)], &[""], &[], Assume::default()).0
}

/// A payload type in one library.
struct TypeIn {
    library: usize,
    ty: Struct,
    /// The declared fields of each of its fields.
    fields: Vec<Vec<FieldId>>,
    /// The member that each of its fields is, or is in.
    members: Vec<usize>,
}

impl TypeIn {
    /// The declared fields of a member, each once: elements of an array of payloads have the same.
    fn of_member(&self, member: usize, all: &Fields) -> Vec<FieldId> {
        let of = self.fields.iter().zip(&self.members).filter(|f| *f.1 == member);
        let mut out: Vec<FieldId> = Vec::new();
        for f in of.flat_map(|f| f.0).map(|&f| all.find(f)) {
            if !out.contains(&f) {
                out.push(f);
            }
        }
        out
    }
}

/// A payload type in all libraries.
#[derive(Default)]
struct Type {
    name: String,
    shown: Vec<Member>,
    size: u32,
    hit_objects: bool,
    records: Vec<RecordLocation>,
    parts: Vec<TypeIn>,
    refused: Vec<String>,
    conflict: bool,
    traced: bool,
    shaders: u8,
}

impl Type {
    /// Whether another type has the same members, and the traces or shaders that this one lacks.
    fn lacks(&self, other: &Type) -> bool {
        self.name != other.name && self.shown == other.shown && (!self.traced && other.traced || self.shaders == 0 && other.shaders != 0)
    }
}

/// The payloads of a program, which is all its libraries, on the way from accesses to qualifiers.
///
/// 1. [`Program::add`], for each library: its payload types join those of the same name. A *field* is one declaration in the sources, shared by all types
///    and libraries that include it, so what one shader needs of it counts for all.
/// 2. [`Program::relate`]: what the analyses found in each library (`rtc_passes::paq_liveness`, about members of its own types) becomes a fact about
///    fields: a shader or a trace, with what it needs of each field and whether it writes it.
/// 3. [`Program::assume`], [`Program::finish`]: the facts give the fewest stages, by a fixpoint (`solve`), and the qualifiers are compared with the declared
///    ones.
#[derive(Default)]
struct Program {
    fields: Fields,
    types: BTreeMap<String, Type>,
    /// The names of the types in the order in which libraries have them.
    order: Vec<String>,
    /// What the analyses found in each library, and its name if there are several.
    facts: Vec<(Vec<PayloadType>, ModuleDemand, Option<String>)>,
    /// What shaders do with fields of the payload that they receive.
    shaders: Vec<Shader>,
    /// What traces do with fields of the payload that they pass.
    traces: Vec<Trace>,
    diagnostics: Vec<Diagnostic>,
}

impl Program {
    /// Adds the types of the next library.
    fn add(&mut self, libraries: &[Library], shared: &[join::Shared], several: Option<&str>) {
        let library = self.facts.len();
        let m = &libraries[library].front.module;
        let types = live::summarize(m);
        for t in &types {
            if t.shaders.is_empty() && t.traces.is_empty() && !shared.contains(&(library, t.ty)) {
                continue;
            }
            let (l, own) = declaring(libraries, library, t.ty);
            let name = m.structs[t.ty].name.clone();
            let mut records = Vec::new();
            let mapped: Option<Vec<Vec<FieldId>>> =
                t.fields.iter().map(|f| l.fields_at(own, &f.path, &mut self.fields, &mut records)).collect();
            let shown: Vec<Member> = t
                .members
                .iter()
                .map(|f| {
                    let size = payload_layout::size_align(m, f.ty);
                    Member { name: f.name.clone(), ty: spelled(l, own, &f.path), size }
                })
                .collect();
            if !self.types.contains_key(&name) {
                self.order.push(name.clone());
            }
            let entry = self.types.entry(name.clone()).or_insert_with(|| Type { name: name.clone(), ..Type::default() });
            let places: Vec<RecordLocation> = records.iter().map(|&r| l.record_location(r)).collect();
            match (&mapped, entry.parts.is_empty()) {
                (_, true) => {
                    entry.shown = shown;
                    let ty = m.types.iter().find(|(_, k)| *k == rtc_ir::TypeKind::Struct(t.ty));
                    entry.size = ty.map_or(0, |(ty, _)| payload_layout::size_align(m, ty).0);
                }
                (Some(_), false) if entry.shown != shown && !entry.conflict => {
                    entry.conflict = true;
                    let (first, second) = (place_of(&entry.records, &name), place_of(&places, &name));
                    self.diagnostics.push(clash::members(&name, &first, &second, &entry.shown, &shown));
                }
                _ => {}
            }
            for p in places {
                if !entry.records.contains(&p) {
                    entry.records.push(p);
                }
            }
            entry.hit_objects |= t.traces.iter().any(|x| x.op != rtc_ir::Opcode::trace_ray);
            entry.traced |= !t.traces.is_empty();
            entry.shaders |= t.shaders.iter().fold(0, |m, s| m | s.stage.bit());
            let exported = t.unknown.iter().map(|&f| {
                let what = if m.funcs[f].declared { "other library's" } else { "exported" };
                format!("the effect of the {what} function `{}` on it is unknown", m.funcs[f].name)
            });
            for why in exported {
                if !entry.refused.contains(&why) {
                    entry.refused.push(why);
                }
            }
            match mapped {
                Some(fields) => {
                    let members = (0..fields.len()).map(|n| t.member_of(n)).collect();
                    entry.parts.push(TypeIn { library, ty: t.ty, fields, members });
                }
                None => entry.refused.push("its declaration was not found".into()),
            }
        }
        self.facts.push((types, live::demand(m), several.map(str::to_owned)));
    }

    /// Adds what libraries declare of a payload that only their functions without a caller trace with: it is the same type.
    fn declare_unused(&mut self, libraries: &[Library]) {
        for (name, entry) in &mut self.types {
            let used: Vec<usize> = entry.parts.iter().map(|p| p.library).collect();
            for (_, l) in libraries.iter().enumerate().filter(|(n, _)| !used.contains(n)) {
                let mut records = Vec::new();
                if let Some(r) = l.used_as_payload(name) {
                    l.declare_unused(r, &mut self.fields, &mut records);
                }
                for place in records.into_iter().map(|r| l.record_location(r)) {
                    if !entry.records.contains(&place) {
                        entry.records.push(place);
                    }
                }
            }
        }
    }

    /// The fields of a field of a type in a library.
    fn fields_of(&self, library: usize, ty: Struct, n: usize) -> Option<&[FieldId]> {
        let parts = self.types.values().flat_map(|t| &t.parts);
        let part = parts.into_iter().find(|p| p.library == library && p.ty == ty)?;
        Some(part.fields.get(n)?)
    }

    /// What happens in a trace with a payload type of a library. Where no miss shader takes it, a miss runs none.
    fn course(&self, library: usize, ty: Struct, op: rtc_ir::Opcode, runs: live::Runs) -> Course {
        let kind = match op {
            rtc_ir::Opcode::hit_trace => Kind::Hit,
            rtc_ir::Opcode::hit_invoke => Kind::Invoke,
            _ => Kind::Ray,
        };
        let mut types = self.types.values();
        let known = types.find(|t| t.parts.iter().any(|p| p.library == library && p.ty == ty));
        let missed = known.is_none_or(|t| t.shaders & PaqStage::Miss.bit() != 0);
        // What a closest-hit shader reads has a value, also if all rays skip such shaders: it is checked like the others.
        let skipped = if kind == Kind::Ray { PaqStage::ClosestHit.bit() } else { 0 };
        Course { kind, runs: runs.stages | skipped, nothing: runs.nothing || !missed && runs.stages & PaqStage::Miss.bit() != 0 }
    }

    /// Needs in terms of fields. `of`: whose, and what else stands for the same member.
    fn needs(&self, library: usize, own: Option<(Struct, PaqStage)>, n: &live::DemandSet, of: (FieldId, &[FieldId])) -> Vec<Need> {
        let mut out = Vec::new();
        for need in &n.all {
            let stage = own.map_or(PaqStage::Caller, |o| o.1);
            let make = |f: FieldId| match *need {
                live::Demand::Read => Need::Read,
                live::Demand::Trace(ty, _, op, runs) => Need::Trace(f, self.course(library, ty, op, runs)),
                live::Demand::Leaves(_) => Need::Leaves(stage, f),
            };
            let fields = match *need {
                live::Demand::Read => {
                    out.push(Need::Read);
                    continue;
                }
                live::Demand::Trace(ty, f, ..) => self.fields_of(library, ty, f as usize),
                live::Demand::Leaves(f) => own.and_then(|(ty, _)| self.fields_of(library, ty, f as usize)),
            };
            match fields {
                // Payloads in an array are the same as before, member by member.
                Some(fields) if fields == of.1 => out.push(make(of.0)),
                Some(fields) => out.extend(fields.iter().map(|&f| make(self.fields.find(f)))),
                None => out.push(Need::Unknown),
            }
        }
        out
    }

    /// Turns what the libraries do into facts about fields. A member that is an array of payloads has the fields of its elements; a fact about it is one about
    /// each of them, weaker where it is not known which element is meant.
    fn relate(&mut self, libraries: &[Library]) {
        let (mut shaders, mut traces) = (Vec::new(), Vec::new());
        for (n, (types, needs, several)) in self.facts.iter().enumerate() {
            let l = &libraries[n];
            let m = &l.front.module;
            let name = |f: Func| match several {
                Some(file) => format!("{} in {file}", m.funcs[f].name),
                None => m.funcs[f].name.clone(),
            };
            for s in &needs.shaders {
                let use_ = types.iter().find(|t| t.ty == s.ty).and_then(|t| t.shaders.iter().find(|u| u.func == s.func));
                let Some(use_) = use_ else { continue };
                let mut list = Vec::new();
                for (i, (need, access)) in s.fields.iter().zip(&use_.fields).enumerate() {
                    let fields = self.fields_of(n, s.ty, i).unwrap_or(&[]);
                    for &f in fields {
                        let at = |span: Option<Span>| span.map(|s| l.at(s));
                        list.push(InShader {
                            field: self.fields.find(f),
                            needs: self.needs(n, Some((s.ty, s.stage)), need, (self.fields.find(f), fields)),
                            writes: access.write.is_some() || access.traced.is_some(),
                            stores: access.stored,
                            // Of several payloads in an array each is written or not.
                            always: access.always_written && fields.len() == 1,
                            read_at: at(need.read),
                            write_at: at(access.write.or(access.traced)),
                        });
                    }
                }
                shaders.push(Shader { name: name(s.func), stage: s.stage, fields: list });
            }
            for t in types {
                let of_type: Vec<&live::TraceDemand> = needs.traces.iter().filter(|x| x.ty == t.ty).collect();
                for (x, use_) in of_type.into_iter().zip(&t.traces) {
                    let mut list = Vec::new();
                    for (i, (need, access)) in x.fields.iter().zip(&use_.fields).enumerate() {
                        let fields = self.fields_of(n, x.ty, i).unwrap_or(&[]);
                        // What `Invoke` gets back from `HitObject::TraceRay` the caller set before that, or an any-hit
                        // shader wrote, which needs no word of the caller's. Unless it comes from another field.
                        let comes_back = |d: &live::Demand| matches!(*d, live::Demand::Trace(ty, f, ..) if (ty, f) == (x.ty, i as u32));
                        let kept = access.kept
                            && (x.op != rtc_ir::Opcode::hit_invoke
                                || needs.traces.iter().filter(|y| y.root == x.root).any(|y| {
                                    let from = |(j, from): (usize, &live::DemandSet)| {
                                        let same = y.op == rtc_ir::Opcode::hit_trace && y.ty == x.ty && i == j;
                                        from.all.iter().any(comes_back) && !same
                                    };
                                    y.fields.iter().enumerate().any(from)
                                }));
                        for &f in fields {
                            list.push(InTrace {
                                field: self.fields.find(f),
                                needs: self.needs(n, x.own, need, (self.fields.find(f), fields)),
                                set: access.written || access.passed_on,
                                kept,
                                stores: access.stored,
                                defined: access.always_written || access.passed_on || access.kept,
                                read_at: need.read.map(|s| l.at(s)),
                            });
                        }
                    }
                    traces.push(Trace {
                        caller: name(x.root),
                        at: l.at(x.span),
                        // Hit groups are looked at below.
                        course: self.course(n, x.ty, x.op, x.runs),
                        fields: list,
                    });
                }
            }
        }
        (self.shaders, self.traces) = (shaders, traces);
    }

    /// Where hit groups may lack a closest-hit shader a ray can come back without any shader having run.
    fn assume(&mut self, assume: Assume, libraries: &[Library]) {
        let groups: Vec<bool> = libraries
            .iter()
            .flat_map(|l| &l.front.module.subobjects)
            .filter_map(|s| match &s.kind {
                SubobjectKind::TriangleHitGroup(_, hit) | SubobjectKind::ProceduralHitGroup(_, hit, _) => Some(!hit.is_empty()),
                _ => None,
            })
            .collect();
        let declared = !groups.is_empty() && groups.iter().all(|&g| g) && !assume.may_lack_closest_hit;
        let shaded = assume.all_shaded || declared;
        if shaded {
            return;
        }
        let lack = |c: &mut Course| c.nothing |= c.runs & PaqStage::ClosestHit.bit() != 0;
        let needs_of_traces = self.traces.iter_mut().flat_map(|t| {
            lack(&mut t.course);
            t.fields.iter_mut().flat_map(|f| &mut f.needs)
        });
        let needs = self.shaders.iter_mut().flat_map(|s| &mut s.fields).flat_map(|f| &mut f.needs);
        for need in needs_of_traces.chain(needs) {
            if let Need::Trace(_, course) = need {
                lack(course);
            }
        }
    }

    fn finish(mut self, keep_stores: bool) -> (Vec<Payload>, Vec<Diagnostic>) {
        // A field that a refused type has, too, is not known either.
        for t in self.types.values_mut() {
            if t.conflict {
                t.refused.push("its declarations differ".into());
            }
            if !t.traced {
                t.refused.push("no trace with it is in the libraries, so the demand of its callers is unknown".into());
            }
            if t.shaders == 0 {
                t.refused.push("no shader that receives it is in the libraries, so the effect of a trace is unknown".into());
            }
        }
        let mut unknown: Vec<(FieldId, String)> = Vec::new();
        // Those whose fields are in it; a type may have none.
        let mut left: HashSet<String> = HashSet::new();
        loop {
            let mut changed = false;
            for t in self.types.values_mut() {
                let ids =
                    |t: &Type| -> Vec<FieldId> { t.parts.iter().flat_map(|p| &p.fields).flatten().map(|&f| self.fields.find(f)).collect() };
                if t.refused.is_empty() {
                    if let Some((f, why)) = unknown.iter().find(|u| ids(t).contains(&u.0)) {
                        t.refused.push(format!("`{}` is also in `{why}`, which could not be inferred", self.fields.all[*f].name));
                        changed = true;
                    }
                } else if left.insert(t.name.clone()) {
                    unknown.extend(ids(t).into_iter().map(|f| (f, t.name.clone())));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // A value that is passed to a payload that is not inferred is needed there.
        let needed = |n: &mut Need| {
            if let Need::Trace(f, _) | Need::Leaves(_, f) = *n
                && unknown.iter().any(|u| u.0 == f)
            {
                *n = Need::Unknown;
            }
        };
        self.shaders.iter_mut().flat_map(|s| &mut s.fields).flat_map(|f| &mut f.needs).for_each(needed);
        self.traces.iter_mut().flat_map(|s| &mut s.fields).flat_map(|f| &mut f.needs).for_each(needed);
        let mut solved = solve::solve(self.fields.all.len(), &self.shaders, &self.traces);
        if keep_stores {
            for (field, tight) in solved.iter_mut().enumerate() {
                if let Some(wider) = stores::permit(field, tight, &self.shaders, &self.traces) {
                    *tight = wider;
                }
            }
        }
        let mut out = Vec::new();
        for name in &self.order {
            let t = &self.types[name];
            for why in t.refused.iter().filter(|_| !t.conflict) {
                let place = place_of(&t.records, name);
                let d = Diagnostic::new(&codes::E0713, Span::NONE, format!("the qualifiers of `{name}` cannot be inferred: {why}"));
                let d = d.note(format!("declared at {place}"));
                let other = self.types.values().find(|o| t.lacks(o));
                self.diagnostics.push(match other {
                    Some(o) => d.note(clash::other_name(&o.name, &place_of(&o.records, &o.name))),
                    None => d,
                });
            }
            let Some(part) = t.parts.first() else { continue };
            let ids = t.parts.iter().flat_map(|p| &p.fields).flatten().map(|&f| self.fields.find(f));
            if let Some(f) = ids.map(|f| &self.fields.all[f]).find_map(|f| clash::differ(&f.declared)) {
                self.diagnostics.push(clash::qualifiers(name, f.0, f.1));
            }
            let fields = t.shown.iter().enumerate().flat_map(|(member, shown)| {
                let ids = if t.conflict { Vec::new() } else { part.of_member(member, &self.fields) };
                let one = |&f: &FieldId| {
                    let info = &self.fields.all[f];
                    let solved = if t.refused.is_empty() { solved[f].clone() } else { Solved::default() };
                    let own = info.name.rsplit("::").next().unwrap_or(&info.name);
                    let name = if ids.len() > 1 { format!("{}[].{own}", shown.name) } else { shown.name.clone() };
                    let neighbours = info.neighbours.clone();
                    Field { member, name, ty: shown.ty.clone(), neighbours, declared: info.declared.clone(), solved }
                };
                ids.iter().map(one).collect::<Vec<_>>()
            });
            out.push(Payload {
                name: name.clone(),
                records: t.records.clone(),
                members: t.shown.clone(),
                size: t.size,
                hit_objects: t.hit_objects,
                fields: fields.collect(),
                refused: t.refused.clone(),
                libraries: t.parts.iter().map(|p| p.library).collect(),
            });
        }
        (out, self.diagnostics)
    }
}

/// The library with the declaration of structure `s` of `library`, and its number there: another one for a structure that only a function
/// of that library knows.
fn declaring<'a, 'l>(libraries: &'a [Library<'l>], library: usize, s: Struct) -> (&'a Library<'l>, Struct) {
    let own = &libraries[library];
    if own.record(s).is_some() {
        return (own, s);
    }
    let name = &own.front.module.structs[s].name;
    let of = |l: &'a Library<'l>| {
        let found = l.front.module.structs.iter().find(|(id, d)| d.name == *name && l.record(*id).is_some())?;
        Some((l, found.0))
    };
    libraries.iter().find_map(of).unwrap_or((own, s))
}

fn place_of(records: &[RecordLocation], name: &str) -> String {
    records.iter().find(|r| r.name == name).map_or_else(String::new, |r| r.at.clone())
}

/// The type of a member as HLSL spells it.
fn spelled(l: &Library, s: Struct, path: &[u32]) -> String {
    let m = &l.front.module;
    let mut at = s;
    for (i, &n) in path.iter().enumerate() {
        let Some(f) = m.structs[at].fields.get(n as usize) else { break };
        if i + 1 == path.len() {
            return f.hlsl.clone();
        }
        if let rtc_ir::TypeKind::Struct(inner) = m.types.kind(f.ty) {
            at = inner;
        }
    }
    String::new()
}
