//! Turns findings of the analyses into warnings, one for each source location.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Func, Inst, InstData, Module, PaqStage, Param, Place, Root, Struct};
use rustc_hash::FxHashMap;

use super::build::{cfg, is_root};
use super::cfg::{Cfg, Kind};
use super::dead_writes::writes;
use super::definedness::{Defined, Qualifiers, UndefinedUse, define};
use super::facts::ModuleFacts;
use super::hit_kinds::{ANY, Runs, invoked};
use super::lattice::{Cause, NO_DOUBT};
use super::path_conditions::Assumptions;
use super::types::{Cells, Field, is_plain};
use super::warn::{self, Lost, Path, Why};

/// The result of the check.
#[derive(Default)]
pub struct Checked {
    /// The warnings, in the order of the source.
    pub warnings: Vec<Diagnostic>,
    /// Each load of payload cells that is reached: its function and instruction, and whether what it reads is defined on every path
    /// of every entry point that comes there.
    pub loads: Vec<(Func, Inst, bool)>,
    /// Entry points that were too large to be followed.
    pub skipped: Vec<Func>,
}

/// A write, with the place of an argument that a call writes.
type Write = ((Func, Inst), Option<Place>);

/// How many cells are undefined, by event, field and path.
type UndefinedCells = FxHashMap<(u32, u32, Assumptions), u32>;

/// A field that is passed to a trace undefined.
struct Passed {
    warning: Diagnostic,
    ty: Struct,
    field: Field,
    /// The cells that are undefined, if others of the field have values: what no shader reads need not have one.
    in_part: Option<Vec<u32>>,
}

/// Which cells of a payload type shaders read: a bit for each stage.
#[derive(Default)]
struct Readers {
    /// The stages that have shaders.
    stages: u8,
    cells: FxHashMap<u32, u8>,
}

/// The first finding of each source location.
#[derive(Default)]
struct Findings {
    reads: FxHashMap<(Func, Inst, Place), Diagnostic>,
    passed: FxHashMap<(Func, Inst, u32), Passed>,
    readers: FxHashMap<Struct, Readers>,
    exits: FxHashMap<(Func, u32), Diagnostic>,
    /// Writes are reported only if they are dead for every entry point; `None`: live for one.
    writes: FxHashMap<Write, Option<Diagnostic>>,
    loads: FxHashMap<(Func, Inst), bool>,
    skipped: Vec<Func>,
}

/// Checks every use of payloads with qualifiers in the module, as it was lowered.
pub fn check(m: &Module) -> Checked {
    if !m.structs.values().any(|s| s.raypayload && s.fields.iter().any(|f| f.paq.is_some())) {
        return Checked::default();
    }
    let mut facts = ModuleFacts::new(Cells::new(m));
    let mut quals = Qualifiers::default();
    let mut fields = FxHashMap::default();
    for s in facts.cells.payloads.clone() {
        quals.of(&mut facts.cells, s);
        fields.insert(s, facts.cells.fields_of_elements(s));
    }
    let mut findings = Findings::default();
    for (id, _) in m.funcs.iter().filter(|(_, f)| is_root(f)) {
        let cfg = match cfg(&mut facts, id) {
            Ok(Some(cfg)) => cfg,
            Ok(None) => continue,
            Err(_) => {
                findings.skipped.push(id);
                continue;
            }
        };
        let stage = PaqStage::of_shader(m.funcs[id].stage);
        let mut one = EntryCheck { m, cfg, quals: &quals, fields: &fields, stage, findings: &mut findings };
        one.run(&mut facts.cells);
    }
    let mut warnings: Vec<Diagnostic> = Vec::new();
    warnings.extend(findings.reads.into_values());
    let readers = findings.readers;
    warnings.extend(findings.passed.into_values().filter(|p| p.matters(readers.get(&p.ty))).map(|p| p.warning));
    warnings.extend(findings.exits.into_values());
    warnings.extend(findings.writes.into_values().flatten());
    warnings.sort_by(|a, b| (a.span().lo, a.code.id, &a.message).cmp(&(b.span().lo, b.code.id, &b.message)));
    let mut loads: Vec<_> = findings.loads.into_iter().map(|((f, i), d)| (f, i, d)).collect();
    loads.sort();
    Checked { warnings, loads, skipped: findings.skipped }
}

impl Passed {
    /// Whether what is undefined may be read: of a field that is written in part, by its caller or a shader of the library, or no shader is there
    /// to tell.
    fn matters(&self, readers: Option<&Readers>) -> bool {
        let Some(cells) = &self.in_part else { return true };
        let may = self.field.paq.map_or(0, |q| q.read);
        let by_caller = may & PaqStage::Caller.bit() != 0;
        by_caller
            || readers.is_none_or(|r| may & r.stages == 0 || cells.iter().any(|c| r.cells.get(c).is_some_and(|stages| stages & may != 0)))
    }
}

/// One entry point.
struct EntryCheck<'a> {
    m: &'a Module,
    cfg: Cfg,
    quals: &'a Qualifiers,
    fields: &'a FxHashMap<Struct, Vec<Field>>,
    stage: Option<PaqStage>,
    findings: &'a mut Findings,
}

impl EntryCheck<'_> {
    fn run(&mut self, cells: &mut Cells) {
        let Some(d) = define(cells, &mut self.cfg, self.quals, self.stage) else {
            self.findings.skipped.push(self.cfg.root);
            return;
        };
        for &(n, defined) in &d.loads {
            *self.findings.loads.entry(self.at(n)).or_insert(true) &= defined;
        }
        self.incoming_reads();
        self.undefined(&d);
        for w in writes(&mut self.cfg, self.quals, self.stage, &d.reached, &d.states) {
            let at = (self.at(w.event), self.returned(w.event));
            let warning = match w.lost {
                Some(lost) if !w.live => self.lost_write(w.event, lost, w.assume),
                _ => None,
            };
            match self.findings.writes.get_mut(&at) {
                // It is live for another entry point.
                Some(before) if warning.is_none() => *before = None,
                Some(_) => {}
                None => {
                    self.findings.writes.insert(at, warning);
                }
            }
        }
    }

    fn at(&self, event: u32) -> (Func, Inst) {
        let e = &self.cfg.events[event as usize];
        (self.cfg.frames[e.frame as usize].func, e.inst)
    }
    fn span(&self, event: u32) -> Span {
        let (f, i) = self.at(event);
        self.m.funcs[f].spans[i]
    }
    fn field(&self, ty: Struct, cell: u32) -> Option<(u32, &Field)> {
        let all = self.fields.get(&ty)?;
        let n = all.iter().position(|f| (f.start..f.start + f.len).contains(&cell))?;
        Some((n as u32, &all[n]))
    }

    /// The cause of an undefined value, for a diagnostic.
    fn why(&self, cause: Cause) -> Option<Why<'_>> {
        Some(match cause {
            Cause::Reached | Cause::Otherwise(..) => return None,
            Cause::Ran(n, k, kinds) => {
                let Kind::Trace { ty, op, runs, .. } = self.cfg.events[n as usize].kind else {
                    return None;
                };
                let stages = invoked(kinds & ANY).stages & runs.stages;
                Why::Trace { field: self.field(ty, k)?.1, at: self.span(n), op, runs: Runs { stages, nothing: stages == 0 } }
            }
            Cause::Entry(k) => Why::Entry { field: self.field(self.cfg.incoming?.1, k)?.1, stage: self.stage? },
            Cause::Fresh(_) => Why::Fresh,
            Cause::Trace(n, k) => {
                let Kind::Trace { ty, op, runs, .. } = self.cfg.events[n as usize].kind else {
                    return None;
                };
                Why::Trace { field: self.field(ty, k)?.1, at: self.span(n), op, runs }
            }
        })
    }

    /// Which argument a call assigns.
    fn returned(&self, event: u32) -> Option<Place> {
        match self.cfg.events[event as usize].kind {
            Kind::Returned { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The access as the source has it: in the function that names a payload. What a reference to a field, an element or a component is used for
    /// is what the call is that was given it.
    fn source(&self, event: u32) -> Option<(u32, Inst, Place)> {
        let e = &self.cfg.events[event as usize];
        let (mut frame, mut inst) = (e.frame, e.inst);
        let mut place = match (e.kind, self.m.funcs[self.cfg.frames[frame as usize].func].insts[inst]) {
            (Kind::Returned { place, .. }, _) | (_, InstData::Access { place, .. }) => place,
            (Kind::Load(_), InstData::Copy { from, .. }) => from,
            (_, InstData::Copy { to, .. }) => to,
            _ => return None,
        };
        loop {
            let f = &self.m.funcs[self.cfg.frames[frame as usize].func];
            let Root::Local(l) = f.places[place].root else { break };
            let Some((caller, call)) = self.cfg.frames[frame as usize].caller else { break };
            if f.locals[l].param.is_none() || !is_plain(self.m, f.locals[l].ty) {
                break;
            }
            let outer = &self.m.funcs[self.cfg.frames[caller as usize].func];
            let InstData::Call { refs, .. } = outer.insts[call] else { break };
            let Some(n) = f.params.iter().filter(|p| matches!(p, Param::Ref(_))).position(|p| *p == Param::Ref(l)) else { break };
            (frame, inst, place) = (caller, call, outer.get_places(refs)[n]);
        }
        Some((frame, inst, place))
    }

    /// The conditions of a path and the calls that lead to a frame.
    fn path(&self, frame: u32, assume: u32) -> Path {
        let mut conditions: Vec<(Span, bool)> = Vec::new();
        for lit in self.cfg.conds.lits(assume) {
            if let Some(&at) = self.cfg.conditions.get(lit) {
                conditions.push((at, lit.1));
            }
        }
        conditions.sort_by_key(|c| (c.0.lo, c.0.hi));
        let mut calls = Vec::new();
        let mut frame = frame;
        while let Some((caller, call)) = self.cfg.frames[frame as usize].caller {
            let at = self.m.funcs[self.cfg.frames[caller as usize].func].spans[call];
            calls.push((at, self.m.funcs[self.cfg.frames[frame as usize].func].name.clone()));
            frame = caller;
        }
        let root = &self.m.funcs[self.cfg.root];
        Path { conditions, calls, root: root.name.clone() }
    }

    /// Notes what the shader reads of its payload.
    fn incoming_reads(&mut self) {
        let (Some((payload, ty)), Some(stage)) = (self.cfg.incoming, self.stage) else { return };
        let readers = self.findings.readers.entry(ty).or_default();
        readers.stages |= stage.bit();
        for e in &self.cfg.events {
            if let Kind::Load(p) | Kind::Copy { from: p, .. } | Kind::Escape { part: p, .. } = e.kind {
                for c in p.range().filter(|c| payload.range().contains(c)) {
                    *readers.cells.entry((c - payload.range().start) as u32).or_default() |= stage.bit();
                }
            }
        }
    }

    /// How many cells of a field are undefined on a path at a trace or an end of the shader.
    fn undefined_cells(&self, d: &Defined) -> UndefinedCells {
        let mut out = UndefinedCells::default();
        for found in &d.undefined {
            let payload = match self.cfg.events[found.event as usize].kind {
                Kind::Trace { slot, ty, .. } => Some((slot, ty)),
                Kind::Exit => self.cfg.incoming,
                _ => None,
            };
            if let Some((part, ty)) = payload
                && let Some((n, _)) = self.field(ty, found.cell - part.start)
            {
                *out.entry((found.event, n, found.path.1)).or_default() += 1;
            }
        }
        out
    }

    fn undefined(&mut self, d: &Defined) {
        let undefined_cells = self.undefined_cells(d);
        for found in &d.undefined {
            let at = self.at(found.event);
            match self.cfg.events[found.event as usize].kind {
                Kind::Load(_) => {
                    let Some((frame, inst, place)) = self.source(found.event) else { continue };
                    let func = self.cfg.frames[frame as usize].func;
                    if self.findings.reads.contains_key(&(func, inst, place)) {
                        continue;
                    }
                    let f = &self.m.funcs[func];
                    let path = self.path(frame, found.path.1);
                    if let Some(why) = self.why(found.path.0)
                        && let Some(w) = warn::read(f.spans[inst], &warn::place(self.m, f, place), why, &path)
                    {
                        self.findings.reads.insert((func, inst, place), w);
                    }
                }
                Kind::Trace { slot, ty, .. } => {
                    let cell = found.cell - slot.start;
                    let Some((n, field)) = self.field(ty, cell).map(|(n, field)| (n, field.clone())) else {
                        continue;
                    };
                    let key = (at.0, at.1, n);
                    let whole = undefined_cells[&(found.event, n, found.path.1)] >= field.len;
                    if let Some(before) = self.findings.passed.get_mut(&key) {
                        match &mut before.in_part {
                            Some(cells) if !whole => {
                                cells.push(cell);
                                continue;
                            }
                            Some(_) => {}
                            None => continue,
                        }
                    }
                    let path = self.path(self.cfg.events[found.event as usize].frame, found.path.1);
                    let again = matches!(found.path.0, Cause::Trace(e, _) | Cause::Ran(e, ..) if self.at(e) == at);
                    if let Some(why) = self.why(found.path.0) {
                        let warning = warn::passed(self.span(found.event), &field, why, again, &path);
                        let in_part = (!whole).then(|| vec![cell]);
                        self.findings.passed.insert(key, Passed { warning, ty, field, in_part });
                    }
                }
                Kind::Exit => {
                    if let Some((key, w)) = self.exit(found, &undefined_cells)
                        && !self.findings.exits.contains_key(&key)
                    {
                        self.findings.exits.insert(key, w);
                    }
                }
                _ => {}
            }
        }
    }

    fn exit(&self, found: &UndefinedUse, undefined: &UndefinedCells) -> Option<((Func, u32), Diagnostic)> {
        let (p, ty) = self.cfg.incoming?;
        let (n, field) = self.field(ty, found.cell - p.start)?;
        let cells = super::summary::field_cells(p, field);
        let written = self.cfg.order.iter().any(|&b| {
            self.cfg.events(b).any(|n| match self.cfg.events[n].kind {
                Kind::Store { to, .. } | Kind::Copy { to, .. } => to.range().start < cells.end && cells.start < to.range().end,
                _ => false,
            })
        });
        let path = self.path(self.cfg.events[found.event as usize].frame, found.path.1);
        // It is written on another path: report the arm without the write, if there is one.
        let arm = self.last_arm(found.path.1);
        let at = match arm {
            Some(at) if written => at,
            _ => self.span(found.event),
        };
        let all = found.path.2 == NO_DOUBT && undefined[&(found.event, n, found.path.1)] >= field.len;
        let written = match (written, all) {
            (false, _) => warn::Written::Never,
            (true, true) => warn::Written::Elsewhere,
            (true, false) => warn::Written::InPart,
        };
        let w = warn::leaves(at, field, self.stage?, written, &path);
        Some(((self.cfg.root, n), w))
    }

    /// The source of the last branch that a path takes.
    fn last_arm(&self, assume: u32) -> Option<Span> {
        let lits = self.cfg.conds.lits(assume);
        let mut last = None;
        for &b in &self.cfg.order {
            for e in &self.cfg.blocks[b as usize].succs {
                let at = self.cfg.blocks[e.to as usize].span;
                if e.lits.iter().any(|l| lits.contains(l)) && !at.is_none() {
                    last = Some(at);
                }
            }
        }
        last
    }

    fn lost_write(&self, event: u32, lost: u32, assume: u32) -> Option<Diagnostic> {
        let (frame, inst, place) = self.source(event)?;
        let f = &self.m.funcs[self.cfg.frames[frame as usize].func];
        let path = self.path(frame, assume);
        let lost = match self.cfg.events[lost as usize].kind {
            Kind::Trace { op, .. } => Lost::InTrace { at: self.span(lost), op },
            _ => Lost::AtEnd { at: self.span(lost), stage: self.stage },
        };
        Some(warn::lost(f.spans[inst], &warn::place(self.m, f, place), lost, &path))
    }
}
