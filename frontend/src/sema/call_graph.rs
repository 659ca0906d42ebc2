//! Checks over the call graph: recursion, undefined functions, and stage rules. The graph is walked from each entry point; a
//! construct that its stage does not support is reported with the chain of calls. A function that is only declared is
//! external, if external functions are allowed.

use rtc_base::{Diagnostic, Span};
use rtc_ir::StageState;
use rtc_tables::intrinsics::hit_objects::MAKE_NOP;
use rtc_tables::intrinsics::{Expander, Intrinsic, Lower, Object, Scope};
use rtc_tables::limits::{GROUPSHARED_BYTES, MESH_GROUPSHARED_BYTES};
use rtc_tables::raytracing::{HIT_OBJECT_MODEL, QUERY_MODEL, RtInfo};
use rtc_tables::resources::ResourceFlags;
use rtc_tables::stages::{Stage, StageMask};
use rustc_hash::FxHashSet;

use super::Target;
use super::context::{Sema, Use};
use super::errors::stages::{self as err, Undefined};
use crate::hir::layout::{self, Rules};
use crate::hir::{FuncId, GlobalId, GlobalKind, LateRule, Module, Ty, TyKind};

/// What has been reported, for the functions that several shaders reach.
#[derive(Default)]
struct Reported {
    /// Uses, with the stage that lacks them.
    at: FxHashSet<(Stage, Span)>,
    /// That the shader model has no hit objects: one error for all of them.
    hit_objects: bool,
}

impl Reported {
    /// Whether an earlier error says that the shader model lacks what `row` belongs to: for hit objects the first of their uses, for ray queries
    /// that of the type.
    fn covers(&mut self, row: &Intrinsic) -> bool {
        match (row.scope, row.shader_model) {
            (Scope::Method(Object::RayQuery), QUERY_MODEL) => true,
            (Scope::Method(Object::HitObject) | Scope::Static(Object::HitObject) | Scope::Dx, HIT_OBJECT_MODEL) => {
                std::mem::replace(&mut self.hit_objects, true)
            }
            _ => false,
        }
    }
}

/// A step of a call chain: the callee and the span of the call.
type Step = (FuncId, Span);

/// What an entry point reaches.
struct Reach {
    /// The function of the entry point.
    entry: FuncId,
    stage: Stage,
    /// Each function with its predecessor, for the call chain.
    order: Vec<(Step, Option<usize>)>,
    /// The number of the function at hand.
    at: usize,
}

impl Sema<'_> {
    /// Recursion, functions without body, and stage rules.
    pub fn check_call_graph(&mut self) {
        self.check_recursion();
        self.check_static_initialisers();
        let entries: Vec<(FuncId, FuncId)> = self.m.shader_functions().collect();
        let mut reported = Reported::default();
        for (f, entry) in entries {
            let stage = self.m.funcs[entry].stage;
            self.stages.partitioning = match self.m.funcs[entry].interface.as_ref().map(|i| i.state) {
                Some(StageState::Hull(hull)) => hull.partitioning,
                _ => None,
            };
            self.walk(f, stage, &mut reported);
            self.check_apart(f, entry);
        }
        // Exports must not reach undefined functions either.
        let exports: Vec<FuncId> = self.m.funcs.iter().filter(|(_, f)| f.exported).map(|f| f.0).collect();
        self.stages.partitioning = None;
        for e in exports {
            self.check_export(e);
            self.walk(e, Stage::Library, &mut reported);
        }
    }

    /// Static variables have their values before anything runs, also functions of another library: their initialisers cannot call those.
    fn check_static_initialisers(&mut self) {
        if self.opts.spirv || matches!(self.opts.target, Target::Shader(..)) {
            return;
        }
        for (g, calls) in self.globals.static_calls().to_vec() {
            let mut todo = calls;
            let mut seen = FxHashSet::default();
            while let Some((f, span)) = todo.pop() {
                if self.m.funcs[f].inline.is_some() || !seen.insert(f) {
                    continue;
                }
                if !self.funcs[f].defined {
                    let (name, callee) = (self.m.globals[g].qualified.clone(), &self.m.funcs[f]);
                    let d = err::static_of_another_library(span, &name, &callee.qualified, callee.span);
                    self.report(d);
                    break;
                }
                let further = |used: &Use| if let Use::Call(f, span) = *used { Some((f, span)) } else { None };
                todo.extend(self.funcs[f].uses.iter().filter_map(further));
            }
        }
    }

    /// Reports each reachable cycle of calls once.
    fn check_recursion(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.m.funcs.len()];
        // Unreachable functions are not compiled, so they may be recursive.
        let exports = self.m.funcs.iter().filter(|(_, f)| f.exported).map(|f| f.0);
        let roots: Vec<FuncId> = self.m.shader_functions().map(|f| f.0).chain(exports).collect();
        for start in roots {
            if marks[start.as_u32() as usize] != Mark::New {
                continue;
            }
            // The current path, with the next use of each function.
            let mut path: Vec<(Step, usize)> = vec![((start, Span::NONE), 0)];
            marks[start.as_u32() as usize] = Mark::Open;
            while let Some(&mut ((f, _), ref mut next)) = path.last_mut() {
                let uses = &self.funcs[f].uses;
                let Some(&u) = uses.get(*next) else {
                    marks[f.as_u32() as usize] = Mark::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                let Use::Call(g, at) = u else {
                    continue;
                };
                match marks[g.as_u32() as usize] {
                    Mark::Done => {}
                    Mark::New => {
                        marks[g.as_u32() as usize] = Mark::Open;
                        path.push(((g, at), 0));
                    }
                    Mark::Open => {
                        let from = path.iter().position(|p| p.0.0 == g).unwrap_or(0);
                        let mut chain: Vec<(String, Span)> =
                            path[from + 1..].iter().map(|p| (self.m.funcs[p.0.0].qualified.clone(), p.0.1)).collect();
                        chain.push((self.m.funcs[g].qualified.clone(), at));
                        let (name, span) = (self.m.funcs[g].qualified.clone(), self.m.funcs[g].span);
                        self.report(err::recursion(span, &name, &chain));
                    }
                }
            }
        }
    }

    /// A function that is compiled has no parameter that is an array of unknown size, unless of resources.
    fn check_sizes_of_parameters(&mut self, f: FuncId) {
        let types = &self.m.types;
        let sizeless = |t| matches!(types.kind(t), crate::hir::TyKind::Array(_, None)) && !self.m.types.is_resource(t);
        let spans: Vec<Span> = self.m.funcs[f].params.iter().filter(|p| sizeless(p.ty)).map(|p| p.span).collect();
        spans.into_iter().for_each(|span| self.report(super::errors::types::open_dimension(span)));
    }

    /// Checks everything that `entry`, a function of a shader of this stage, reaches.
    fn walk(&mut self, entry: FuncId, stage: Stage, reported: &mut Reported) {
        let mut seen: FxHashSet<FuncId> = FxHashSet::from_iter([entry]);
        let mut r = Reach { entry, stage, order: vec![((entry, Span::NONE), None)], at: 0 };
        let mut shared: Vec<GlobalId> = Vec::new();
        while r.at < r.order.len() {
            let ((f, _), _) = r.order[r.at];
            self.check_sizes_of_parameters(f);
            for i in 0..self.funcs[f].uses.len() {
                match self.funcs[f].uses[i] {
                    Use::Call(g, span) if self.funcs[g].defined => {
                        if seen.insert(g) {
                            r.order.push(((g, span), Some(r.at)));
                        }
                    }
                    Use::Call(g, span) => {
                        if reported.at.insert((Stage::Library, span)) {
                            let chain = self.m.chain(&r.order, r.at);
                            self.check_external_call(g, span, &chain);
                        }
                    }
                    Use::Intrinsic(row, span) => self.check_intrinsic(&r, row, row.name, span, reported),
                    // A declaration creates a nop hit object.
                    Use::HitObject(span) => self.check_intrinsic(&r, MAKE_NOP, "dx::HitObject", span, reported),
                    Use::Discard(_) if matches!(stage, Stage::Pixel | Stage::Library) => {}
                    Use::Discard(span) => {
                        if reported.at.insert((stage, span)) {
                            let chain = self.m.chain(&r.order, r.at);
                            let entry = self.m.funcs[entry].qualified.clone();
                            let d = err::wrong_stage(span, "discard", stage.info().attribute, &["pixel"], &entry, &chain, None);
                            self.broken(stage, true, d);
                        }
                    }
                    Use::LargePayload(ty, span) => {
                        if reported.at.insert((stage, span)) {
                            self.report_payload_size(ty, span);
                        }
                    }
                    Use::Payload(r, span) => {
                        if reported.at.insert((Stage::Library, span)) {
                            self.require_qualifiers(r, span);
                        }
                    }
                    Use::PrivateMemory(name, span) => {
                        if reported.at.insert((Stage::Library, span)) {
                            self.report(super::errors::calls::not_shared_memory(span, name));
                        }
                    }
                    Use::Global(g) => {
                        if matches!(self.m.globals[g].kind, GlobalKind::GroupShared) && !shared.contains(&g) {
                            shared.push(g);
                        }
                        self.check_global(&r, g, reported);
                    }
                }
            }
            r.at += 1;
        }
        if StageMask::GROUPS.has(stage) {
            self.check_shared_size(entry, &shared);
        }
        let reached = r.order.iter().any(|&((f, _), _)| self.m.lacks_types(f));
        for d in if reached { self.stages.take_of_other_stages() } else { Vec::new() } {
            self.report(d);
        }
    }

    /// Checks that the stage and the shader model have an intrinsic, which is called in the function at hand. `name`: as the program says it.
    fn check_intrinsic(&mut self, r: &Reach, row: &'static Intrinsic, name: &str, span: Span, reported: &mut Reported) {
        let stage = r.stage;
        let nowhere = row.stages == StageMask::LIB;
        let wrong = stage != Stage::Library && !row.stages.has(stage);
        if (wrong || nowhere) && reported.at.insert((stage, span)) {
            let stages: Vec<&str> = row.stages.iter_stages().filter(|s| *s != Stage::Library).map(|s| s.info().attribute).collect();
            let chain = self.m.chain(&r.order, r.at);
            let entry = self.m.funcs[r.entry].qualified.clone();
            let attribute = stage.info().attribute;
            let d = err::wrong_stage(span, name, attribute, &stages, &entry, &chain, row.without_derivatives);
            self.broken(stage, !nowhere && counts_if_left(row), d);
        } else if stage == Stage::Library && row.ends_shader {
            if reported.at.insert((stage, span)) {
                let chain = self.m.chain(&r.order, r.at);
                let entry = self.m.funcs[r.entry].qualified.clone();
                self.report(err::ends_shader_in_export(span, name, &entry, &chain));
            }
        } else if row.lowers == Lower::Expand(Expander::Print) && !self.opts.spirv {
            if reported.at.insert((stage, span)) {
                let chain = self.m.chain(&r.order, r.at);
                self.report(super::errors::inline::only_in_spirv(span, name, &chain));
            }
        } else if matches!(row.lowers, Lower::Expand(Expander::TessFactors(..) | Expander::IsolineFactors)) {
            if !self.has_partitioning(r.order[r.at].0.0) && reported.at.insert((Stage::Library, span)) {
                let chain = self.m.chain(&r.order, r.at);
                self.report(err::unknown_partitioning(span, name, &chain));
            }
        } else if row.shader_model > self.opts.available_model()
            && !(matches!(stage, Stage::Library | Stage::Pixel) && row.takes_derivatives())
            && reported.at.insert((stage, span))
            && !reported.covers(row)
        {
            let have = self.opts.shader_model;
            let d = err::method_needs_model(span, name, row.shader_model, have, row.without_derivatives);
            self.broken(stage, counts_if_left(row), d);
        } else if row.takes_derivatives()
            && !self.opts.spirv
            && let Some(group) = self.m.funcs[r.entry].entry.numthreads.filter(|g| !is_of_quads(*g))
            && reported.at.insert((stage, span))
        {
            let chain = self.m.chain(&r.order, r.at);
            let entry = self.m.funcs[r.entry].qualified.clone();
            let d = err::group_without_quads(span, name, stage.info().attribute, &entry, group, &chain);
            self.m.late.push(LateRule { stage, broken: d, validator: 8 });
        }
    }

    /// Checks that the stage has variables of this kind.
    fn check_global(&mut self, r: &Reach, g: GlobalId, reported: &mut Reported) {
        let stage = r.stage;
        let global = &self.m.globals[g];
        let (inner, _) = self.m.types.strip_arrays(global.ty);
        let ordered = self.m.types.as_resource(inner).is_some_and(|r| r.flags.contains(ResourceFlags::ROV));
        if ordered && !matches!(stage, Stage::Library | Stage::Pixel) && reported.at.insert((stage, global.span)) {
            let (name, span) = (global.qualified.clone(), global.span);
            let ty = self.show(inner);
            let chain = self.m.chain(&r.order, r.at);
            let entry = self.m.funcs[r.entry].qualified.clone();
            let d = super::errors::resources::ordered_view_in_stage(span, &name, &ty, stage.info().attribute, &entry, &chain);
            self.report(d);
            return;
        }
        let global = &self.m.globals[g];
        let groups = StageMask::GROUPS.with_library().has(stage);
        if !groups && matches!(global.kind, GlobalKind::GroupShared) && reported.at.insert((stage, global.span)) {
            let (name, span) = (global.qualified.clone(), global.span);
            let chain = self.m.chain(&r.order, r.at);
            let entry = self.m.funcs[r.entry].qualified.clone();
            let d = super::errors::resources::groupshared_in_stage(span, &name, stage.info().attribute, &entry, &chain);
            self.report(d);
        }
    }

    /// A rule is broken in an entry point of this stage; `late`: if the code is left once dead code is gone.
    fn broken(&mut self, stage: Stage, late: bool, d: Diagnostic) {
        let calls: Vec<Span> = d.labels.iter().skip(1).rev().map(|l| l.span).collect();
        let d = self.at_the_program(d, &calls);
        match late {
            true => self.m.late.push(LateRule { stage, broken: d, validator: 0 }),
            false => self.report(d),
        }
    }

    /// Hull shader and patch constant function run one after the other, so `f`, which is one of the two, must not reach the other.
    fn check_apart(&mut self, f: FuncId, entry: FuncId) {
        let patch = self.m.funcs[entry].interface.as_ref().and_then(|i| i.patch_constants.as_ref()).map(|p| p.func);
        let Some(patch) = patch else { return };
        let (other, kinds) = if f == entry {
            (patch, ["hull shader", "patch constant function"])
        } else {
            (entry, ["patch constant function", "hull shader"])
        };
        let mut seen: FxHashSet<FuncId> = FxHashSet::from_iter([f]);
        let mut order: Vec<(Step, Option<usize>)> = vec![((f, Span::NONE), None)];
        let mut at = 0;
        while at < order.len() {
            for i in 0..self.funcs[order[at].0.0].uses.len() {
                let Use::Call(g, span) = self.funcs[order[at].0.0].uses[i] else { continue };
                if g == other {
                    let chain = self.m.chain(&order, at);
                    let names = [f, other].map(|f| self.m.funcs[f].qualified.clone());
                    return self.report(super::errors::tessellation::patch_function_reached(span, kinds, &names, &chain));
                }
                if seen.insert(g) {
                    order.push(((g, span), Some(at)));
                }
            }
            at += 1;
        }
    }

    /// Gives a function that depends on it the partitioning of the hull shader that reaches it. False if there is none, or another one.
    fn has_partitioning(&mut self, f: FuncId) -> bool {
        let known = &mut self.m.funcs[f].partitioning;
        match self.stages.partitioning {
            // An exported function has that of the hull shaders of the library that reach it.
            None => known.is_some(),
            Some(own) => *known.get_or_insert(own) == own,
        }
    }

    /// A call of a function that is only declared.
    fn check_external_call(&mut self, g: FuncId, span: Span, chain: &[(String, Span)]) {
        let f = &self.m.funcs[g];
        let (name, decl) = (f.qualified.clone(), f.span);
        if f.inline.is_some() {
            if !self.opts.spirv {
                self.report(super::errors::inline::only_in_spirv(span, &name, chain));
            }
            return;
        }
        let of_instance = f.method.is_some_and(|m| self.templates.is_instance(m.record));
        let why = match () {
            () if self.funcs[g].internal => Some(Undefined::Internal),
            () if self.funcs[g].instance || of_instance => Some(Undefined::Instance),
            () if matches!(self.opts.target, Target::Shader(..)) => Some(Undefined::Shader),
            () if self.opts.spirv => Some(Undefined::Spirv),
            () => None,
        };
        if let Some(why) = why {
            return self.report(err::undefined_function(span, &name, decl, why, chain));
        }
        // A ray query is passed by reference; none is returned.
        let types = &self.m.types;
        let query = |t: Ty| matches!(types.kind(t), TyKind::RayQuery { .. });
        let returned = f.ret;
        if let Some(what) = self.m.passed(g, |t| types.has_objects(*t) && !(query(*t) && *t != returned)) {
            return self.report(err::object_of_another_library(span, &name, &what, decl, chain));
        }
        let qualified = |t: &Ty| match self.m.types.kind(self.m.types.strip_arrays(*t).0) {
            TyKind::Record(r) => self.m.types.records[r].raypayload,
            _ => false,
        };
        let payload = f.params.iter().map(|p| p.ty).find(qualified);
        if let Some(t) = payload.filter(|_| self.opts.payload_qualifiers_on()) {
            let text = self.show(t);
            self.report(err::payload_of_another_library(span, &name, &text));
        }
    }

    /// An exported function has no hit objects in its signature, nor structures with objects: callers in other libraries could not pass them.
    /// Resources alone are the targets' business.
    fn check_export(&mut self, f: FuncId) {
        let types = &self.m.types;
        let record = |t: &Ty| matches!(types.kind(types.strip_arrays(*t).0), TyKind::Record(_));
        if let Some(what) = self.m.passed(f, |t| types.has_hit_objects(*t) || record(t) && types.has_objects(*t)) {
            let (name, span) = (self.m.funcs[f].qualified.clone(), self.m.funcs[f].span);
            self.report(err::exported_object(span, &name, &what));
        }
    }

    /// Checks the limit of groupshared memory of a compute shader.
    fn check_shared_size(&mut self, entry: FuncId, shared: &[GlobalId]) {
        let types = &self.m.types;
        let size = |g: &GlobalId| u64::from(layout::size_of(types, self.m.globals[*g].ty, Rules::Scalar).size);
        let all: u64 = shared.iter().map(size).sum();
        let f = &self.m.funcs[entry];
        let usual = if f.stage == Stage::Mesh { MESH_GROUPSHARED_BYTES } else { GROUPSHARED_BYTES };
        let limit = f.entry.groupshared_limit.map_or(usual, u64::from);
        if all > limit {
            let mut sorted = shared.to_vec();
            sorted.sort_by_key(|g| std::cmp::Reverse(size(g)));
            let f = &self.m.funcs[entry];
            let mut d = super::errors::resources::groupshared_too_large(f.span, &f.qualified, all, limit);
            for g in sorted.iter().take(4) {
                let global = &self.m.globals[*g];
                d = d.label(global.span, format!("`{}`: {} bytes", global.qualified, size(g)));
            }
            self.report(d);
        }
    }
}

impl Module {
    /// Whether a function has types that could not be made.
    fn lacks_types(&self, f: FuncId) -> bool {
        let f = &self.funcs[f];
        let signature = f.params.iter().map(|p| p.ty).chain([f.ret]);
        let inside = f.body.locals.values().map(|l| l.ty).chain(f.body.exprs.values().map(|e| e.ty));
        signature.chain(inside).any(|t| self.types.strip_arrays(t).0 == Ty::ERROR)
    }

    /// What of the signature of `f` is such a type, as words: `takes a ...`.
    fn passed(&self, f: FuncId, is: impl Fn(&Ty) -> bool) -> Option<String> {
        let f = &self.funcs[f];
        let given = Some(f.ret).filter(&is);
        let taken = f.params.iter().map(|p| p.ty).find(&is);
        let (verb, t) = given.map(|t| ("returns", t)).or(taken.map(|t| ("takes", t)))?;
        Some(format!("{verb} a `{}`", self.types.show(t)))
    }

    /// The calls from the entry point to function number `at` of `order`.
    fn chain(&self, order: &[(Step, Option<usize>)], at: usize) -> Vec<(String, Span)> {
        let mut out = Vec::new();
        let mut i = Some(at);
        while let Some(n) = i {
            let ((f, span), before) = order[n];
            if before.is_some() {
                out.push((self.funcs[f].qualified.clone(), span));
            }
            i = before;
        }
        out.reverse();
        out
    }
}

/// Whether threads of a group make up whole quads.
fn is_of_quads([x, y, z]: [u32; 3]) -> bool {
    if y == 1 && z == 1 { x.is_multiple_of(4) } else { x.is_multiple_of(2) && y.is_multiple_of(2) }
}

/// Whether the stages and the shader model of a function count only for calls that are left once dead code is gone, as with the reference compiler:
/// those of system values, derivatives, barriers and atomics, of what ends pixels, and of what every stage may call. The level of detail counts everywhere.
fn counts_if_left(row: &Intrinsic) -> bool {
    use Expander as X;
    match row.lowers {
        Lower::Op(op) | Lower::Expand(X::Matrix3x4(op) | X::Matrix4x3(op) | X::Wave(op) | X::WaveOp(op, _)) => {
            RtInfo::of(op).is_none_or(|r| r.if_left)
        }
        Lower::Expand(X::Clip | X::QuadOp(_) | X::Barrier(_) | X::Atomic(_) | X::RawAtomic(_) | X::Pack(_) | X::Unpack(_)) => true,
        Lower::Expand(X::SampleCmpLevel | X::SampleCmpBias | X::SampleCmpGrad | X::GatherRaw) => true,
        Lower::Expand(X::TexLod(_)) => false,
        _ => row.takes_derivatives(),
    }
}
