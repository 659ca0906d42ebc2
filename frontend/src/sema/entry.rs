//! Entry points: their stages, and the signatures that stages require (DXR specification, "Shader entry points"). Payload and
//! attribute types, of entry points and of calls that pass them.

use rtc_base::similar::nearest;
use rtc_base::{Span, Symbol};
use rtc_tables::attributes::{AttributeId, AttributeOn};
use rtc_tables::limits;
use rtc_tables::stages::{EntryAttribute, IMPLIED_STAGES, Stage, StageMask};

use super::Target;
use super::context::Sema;
use super::errors::{resources as err_res, stages as err, stmts as err_stmts};
use crate::hir::{FuncId, Module, Pass, RecordId, Role, RootSignatureOf, SystemValue, Ty, TyKind};
use crate::syntax::ast::{self, ExprKind, Specs};

/// Stages that this compiler does not support.
const OTHER_STAGES: &[&str] = &["node"];

impl Sema<'_> {
    /// Determines the stages of functions and checks entry points.
    pub fn check_entries(&mut self) {
        let all: Vec<FuncId> = self.m.funcs.keys().collect();
        for &f in &all {
            self.function_attributes(f);
        }
        if let Target::Shader(stage, name) = &self.opts.target {
            let stage = *stage;
            let named: Vec<FuncId> = all
                .iter()
                .copied()
                .filter(|&f| {
                    let x = &self.m.funcs[f];
                    x.qualified == *name && x.method.is_none() && self.funcs[f].defined
                })
                .collect();
            match named[..] {
                [f] if self.is_of_other_stage(f, stage) => {}
                [f] => {
                    self.m.funcs[f].stage = stage;
                    self.m.funcs[f].symbol = name.clone();
                    match stage {
                        Stage::Compute => self.compute_entry(f),
                        _ => self.graphics_entry(f, stage),
                    }
                }
                [] => {
                    let names = all.iter().map(|&f| self.m.funcs[f].qualified.as_str());
                    let near = nearest(name, names);
                    let candidates = self.entry_candidates(&all, stage);
                    let file = self.sources.files().next().map(|f| f.1.name.clone()).unwrap_or_default();
                    self.report(err::no_entry(name, &file, near, &candidates));
                }
                [first, second, ..] => {
                    let d = err::two_entries(self.m.funcs[second].span, name, self.m.funcs[first].span);
                    self.report(d);
                }
            }
        }
        for &f in &all {
            let wanted = match &self.opts.target {
                Target::Shader(_, name) => self.m.funcs[f].qualified == *name,
                _ => true,
            };
            if wanted && self.m.funcs[f].is_entry() {
                self.root_signature_attribute(f);
                self.attributes_of_stage(f);
            }
            let info = &self.funcs[f];
            let entry = self.m.funcs[f].is_entry();
            let plain = self.m.funcs[f].method.is_none();
            let qualified = self.m.funcs[f].qualified.as_str();
            let simple = qualified.rsplit("::").next().unwrap_or(qualified);
            let named = self.opts.export_named.iter().any(|n| n == qualified || n == simple);
            // Every library that uses an instance of a template or an inline function has it: none exports it without `export`.
            let inline = |(d, _): &(ast::Function, _)| self.ast.types[d.ret].specs.contains(Specs::INLINE);
            let shared = info.instance && !info.specialised || info.decl.as_ref().is_some_and(inline);
            let external = info.export || ((self.opts.export_all && !shared || named) && !info.internal);
            // What cannot be passed between libraries is exported only on demand from one that is for linking.
            let offline = u32::from(self.opts.shader_model) == limits::OFFLINE_MODEL && !info.export && !named;
            let external = external && !(offline && self.m.passes_objects(f));
            self.m.funcs[f].exported = matches!(self.opts.target, Target::Library) && !entry && plain && external && info.defined;
        }
        self.check_names();
        self.check_hit_groups();
    }

    /// The functions that can be meant as the entry point of the stage: those with an attribute of it.
    fn entry_candidates(&self, all: &[FuncId], stage: Stage) -> Vec<(String, Span)> {
        let fits = |a: &ast::Attr| match self.attribute_id(a) {
            Some(AttributeId::Shader) => match self.ast.list(a.args) {
                &[e] => matches!(self.ast.exprs[e].kind, ExprKind::Str(s) if self.str(s) == stage.name()),
                _ => false,
            },
            Some(id) => id.row().on == AttributeOn::Function && id.row().stages != StageMask::ALL && id.row().stages.has(stage),
            None => false,
        };
        let defined = all.iter().filter(|&&f| self.funcs[f].defined && self.m.funcs[f].method.is_none());
        let named = defined.filter(|&&f| self.funcs[f].attrs.iter().any(fits));
        named.map(|&f| (self.m.funcs[f].qualified.clone(), self.m.funcs[f].span)).collect()
    }

    /// Whether attributes say that the function is of another stage than that of the profile. That is reported, and nothing else of it.
    fn is_of_other_stage(&mut self, f: FuncId, stage: Stage) -> bool {
        let attrs = self.funcs[f].attrs.clone();
        let threads = attrs.iter().find(|a| self.attribute_id(a) == Some(AttributeId::NumThreads));
        let Some(a) = threads.filter(|_| !matches!(stage, Stage::Compute | Stage::Mesh | Stage::Amplification)) else {
            return false;
        };
        let name = self.m.funcs[f].qualified.clone();
        self.report(err::threads_of_other_stage(a.span, &name, stage.name()));
        true
    }

    /// Reports entry points of the same name, which a runtime could not distinguish. In a SPIR-V module the stage distinguishes them too.
    fn check_names(&mut self) {
        let mut seen: rustc_hash::FxHashMap<(String, Option<Stage>), Span> = rustc_hash::FxHashMap::default();
        let entries: Vec<FuncId> = self.m.entries().map(|e| e.0).collect();
        for f in entries {
            let data = &self.m.funcs[f];
            let (stage, span) = (self.opts.entries_by_stage.then_some(data.stage), data.span);
            let name = (data.qualified.clone(), stage);
            if let Some(&first) = seen.get(&name) {
                self.report(err::two_entries(span, &name.0, first));
            }
            seen.insert(name, span);
        }
    }

    fn function_attributes(&mut self, f: FuncId) {
        let attrs = self.funcs[f].attrs.clone();
        if attrs.is_empty() {
            return;
        }
        let mut shader = None;
        // The numbers of shaders that are not compiled may be anything.
        let other = matches!(&self.opts.target, Target::Shader(_, name) if self.m.funcs[f].qualified != *name);
        for a in &attrs {
            if a.scope.is_some() {
                continue;
            }
            let Some(id) = self.attribute_id(a) else {
                match self.str(a.name.sym).to_ascii_lowercase().as_str() {
                    "experimental" => self.experimental_attribute(f, a),
                    // Hints of other compilers.
                    "nonblocking" | "precise" => {}
                    _ => self.unknown_attr(a),
                }
                continue;
            };
            if other && matches!(id, AttributeId::NumThreads | AttributeId::WaveSize | AttributeId::GroupSharedLimit) {
                continue;
            }
            match id {
                AttributeId::Shader => {
                    let other = |b: ast::Attr| self.sources.snippet(b.span) != self.sources.snippet(a.span);
                    if shader.is_some_and(other) {
                        self.report(err_stmts::attribute_argument(a.span, id.row().name, "one stage; another one is given before"));
                    }
                    shader = Some(*a);
                }
                AttributeId::NumThreads => {
                    let n = self.numbers(a, 3, 3, "three numbers");
                    if let Some(n) = n {
                        self.check_numthreads(a.span, &n);
                        self.m.funcs[f].entry.numthreads = Some([n[0], n[1], n[2]]);
                    }
                }
                AttributeId::WaveSize => {
                    if let Some(n) = self.numbers(a, 1, 3, "one to three numbers") {
                        self.check_wave_size(a.span, &n);
                        let at = |i: usize| n.get(i).copied().unwrap_or(0);
                        let size = [at(0), at(1), at(2)];
                        if self.m.funcs[f].entry.wave_size.is_some_and(|other| other != size) {
                            self.report(err_stmts::attribute_argument(a.span, id.row().name, "one size; another one is given before"));
                        }
                        self.m.funcs[f].entry.wave_size = Some(size);
                    }
                }
                AttributeId::GroupSharedLimit => {
                    if let Some(n) = self.numbers(a, 1, 1, "a number of bytes") {
                        self.attribute_model(a.span, &EntryAttribute::GROUPSHARED_LIMIT);
                        self.m.funcs[f].entry.groupshared_limit = Some(n[0]);
                    }
                }
                AttributeId::EarlyDepthStencil => {
                    _ = self.numbers(a, 0, 0, "no arguments");
                    self.m.funcs[f].entry.early_depth_stencil = true;
                }
                AttributeId::HelperLanes => self.m.funcs[f].entry.helper_lanes = true,
                // Read with the interface of the entry point.
                AttributeId::MaxVertexCount
                | AttributeId::Instance
                | AttributeId::Domain
                | AttributeId::Partitioning
                | AttributeId::OutputTopology
                | AttributeId::OutputControlPoints
                | AttributeId::PatchConstantFunc
                | AttributeId::MaxTessFactor
                | AttributeId::ClipPlanes
                | AttributeId::RootSignature => {}
                AttributeId::NoInline => {
                    _ = self.numbers(a, 0, 0, "no arguments");
                    self.m.funcs[f].attributes.no_inline = true;
                }
                // Old sources have this one on functions, too.
                AttributeId::AllowUavCondition => {}
                AttributeId::RayPayload
                | AttributeId::Unroll
                | AttributeId::Loop
                | AttributeId::FastOpt
                | AttributeId::Branch
                | AttributeId::Flatten
                | AttributeId::Call
                | AttributeId::ForceCase => self.unknown_attr(a),
            }
        }
        if let Some(a) = shader {
            self.shader_attribute(f, &a);
        } else if let Some(stage) = self.implied_stage(f) {
            self.m.funcs[f].stage = stage;
            self.graphics_entry(f, stage);
        }
    }

    /// Reports attributes of an entry point that belong to other stages, where the profile names the stage. Libraries and modules of SPIR-V take them.
    fn attributes_of_stage(&mut self, f: FuncId) {
        if !matches!(self.opts.target, Target::Shader(..)) || self.opts.spirv {
            return;
        }
        let stage = self.m.funcs[f].stage;
        for a in self.funcs[f].attrs.clone() {
            let Some(row) = self.attribute_id(&a).map(AttributeId::row).filter(|r| r.on == AttributeOn::Function) else {
                continue;
            };
            // Those have rules of their own.
            if row.stages.has(stage)
                || matches!(row.id, AttributeId::Shader | AttributeId::RootSignature | AttributeId::ClipPlanes)
                || row.model > 0
            {
                continue;
            }
            let of: Vec<&str> = row.stages.iter_stages().map(Stage::name).collect();
            let of = of.join(" and ");
            self.report(match row.id {
                AttributeId::Partitioning | AttributeId::OutputTopology => {
                    err_stmts::idle_attribute(a.span, row.name, &format!("{of} shaders"))
                }
                _ => err::attribute_of_stage(a.span, row.name, &of, stage.name()),
            });
        }
    }

    /// `[experimental("name", "value")]`: a text of DXIL for tools that know it.
    fn experimental_attribute(&mut self, f: FuncId, a: &ast::Attr) {
        let text = |s: &Self, e: ast::ExprId| match s.ast.exprs[e].kind {
            ast::ExprKind::Str(text) => Some(s.str(text).to_string()),
            _ => None,
        };
        if let &[name, value] = self.ast.list(a.args)
            && let (Some(name), Some(value)) = (text(self, name), text(self, value))
        {
            return self.m.funcs[f].attributes.experimental.push((name, value));
        }
        self.report(err_stmts::attribute_argument(a.span, "experimental", "two texts: a name and a value"));
    }

    /// `[RootSignature("…")]` of an entry point; of several the last counts. It has no effect on other functions.
    fn root_signature_attribute(&mut self, f: FuncId) {
        let Some(a) = self.stage_attribute(f, AttributeId::RootSignature) else { return };
        let &[e] = self.ast.list(a.args) else {
            return self.report(err::root_signature_text(a.span));
        };
        let expr = self.ast.exprs[e];
        let ast::ExprKind::Str(text) = expr.kind else {
            return self.report(err::root_signature_text(expr.span));
        };
        let stage = self.m.funcs[f].stage;
        if stage.is_raytracing() {
            self.report(err::root_signature_of_raytracing(a.span, stage.name()));
        } else {
            let text = self.str(text).to_string();
            self.root_signature(text, expr.span, RootSignatureOf::Entry(self.m.funcs[f].span));
        }
    }

    /// The stage of a function of a library without `[shader]`, which its other attributes imply. A module of SPIR-V has the shaders
    /// with `[shader]` alone.
    fn implied_stage(&self, f: FuncId) -> Option<Stage> {
        let info = &self.funcs[f];
        let library = matches!(self.opts.target, Target::Library) && !self.opts.spirv;
        if !library || !info.defined || self.m.funcs[f].method.is_some() {
            return None;
        }
        let has = |name: &str| info.attrs.iter().any(|a| a.scope.is_none() && self.str(a.name.sym).eq_ignore_ascii_case(name));
        IMPLIED_STAGES.iter().find(|row| has(row.0)).map(|row| row.1)
    }

    /// The numbers that an attribute takes; what is wrong is reported.
    pub fn numbers(&mut self, a: &ast::Attr, least: usize, most: usize, what: &str) -> Option<Vec<u32>> {
        let name = self.str(a.name.sym).to_string();
        let args = self.ast.list(a.args).to_vec();
        if args.len() < least || args.len() > most {
            self.report(err_stmts::attribute_argument(a.span, &name, what));
            return None;
        }
        let mut out = Vec::new();
        for e in args {
            let n = self.constant_int(e)?;
            match u32::try_from(n) {
                Ok(n) => out.push(n),
                Err(_) => {
                    let span = self.ast.exprs[e].span;
                    self.report(err_stmts::attribute_argument(span, &name, what));
                    return None;
                }
            }
        }
        Some(out)
    }

    /// Reports an attribute that the shader model does not have.
    fn attribute_model(&mut self, span: Span, row: &EntryAttribute) {
        if u32::from(self.opts.available_model()) < row.model {
            self.report(err::needs_model(span, row.name, row.model as u8, self.opts.shader_model));
        }
    }

    fn check_wave_size(&mut self, span: Span, n: &[u32]) {
        self.attribute_model(span, if n.len() == 1 { &EntryAttribute::WAVE_SIZE } else { &EntryAttribute::WAVE_SIZES });
        let wrong = |want: &str| Some(err_stmts::attribute_argument(span, EntryAttribute::WAVE_SIZE.name, want));
        let bad = match *n {
            _ if n.iter().any(|x| !x.is_power_of_two() || !limits::WAVE_LANES.contains(x)) => wrong("powers of two from 4 to 128"),
            [least, most, ..] if most <= least => wrong("fewest lanes, then more"),
            [least, most, preferred] if !(least..=most).contains(&preferred) => {
                wrong("a preferred number between the fewest and the most lanes")
            }
            _ => None,
        };
        if let Some(d) = bad {
            self.report(d);
        }
    }

    fn check_numthreads(&mut self, span: Span, n: &[u32]) {
        let total = n.iter().fold(1u64, |a, &b| a.saturating_mul(b as u64));
        let fits = n.iter().zip(limits::GROUP_THREADS).all(|(n, most)| (1..=most).contains(n));
        if !fits || total > limits::GROUP_THREADS_IN_ALL {
            let [x, y, z] = limits::GROUP_THREADS;
            let want = format!("1 to {x}, 1 to {y} and 1 to {z} threads, at most {} in all", limits::GROUP_THREADS_IN_ALL);
            self.report(err_stmts::attribute_argument(span, AttributeId::NumThreads.row().name, &want));
        }
    }

    fn shader_attribute(&mut self, f: FuncId, a: &ast::Attr) {
        let span = self.m.funcs[f].span;
        let text = match self.ast.list(a.args) {
            &[e] => match self.ast.exprs[e].kind {
                ExprKind::Str(s) => Some(self.str(s).to_string()),
                ExprKind::Path(p) => {
                    // The name without quotation marks.
                    let at = self.ast.exprs[e].span;
                    let text = self.ast.last_name(p).map(|n| self.str(n.sym).to_string());
                    self.report(err::unquoted_stage(at, text.as_deref().unwrap_or("")));
                    return;
                }
                _ => None,
            },
            _ => None,
        };
        let Some(text) = text else {
            self.report(err_stmts::attribute_argument(a.span, AttributeId::Shader.row().name, "the name of a stage in quotation marks"));
            return;
        };
        let Some(stage) = Stage::from_attribute(&text) else {
            if OTHER_STAGES.contains(&text.as_str()) {
                // Other entry points are not compiled if the target is one compute shader.
                if matches!(self.opts.target, Target::Library) {
                    self.report(err::other_stage(a.span, &text));
                }
            } else {
                let stages = rtc_tables::stages::STAGES.iter().map(|s| s.attribute);
                let near = nearest(&text, stages.filter(|a| !a.is_empty()));
                self.report(err::unknown_stage(a.span, &text, near));
            }
            return;
        };
        if !matches!(self.opts.target, Target::Library) {
            return;
        }
        if !self.funcs[f].defined {
            return;
        }
        if self.m.funcs[f].method.is_some() {
            self.report(err::entry_shape(span, &text, "a method cannot be an entry point", None));
            return;
        }
        self.m.funcs[f].stage = stage;
        match stage {
            Stage::Compute => self.compute_entry(f),
            _ if stage.has_signature() => self.graphics_entry(f, stage),
            Stage::Library => {}
            _ => {
                if self.opts.available_model() < 3 {
                    self.report(err::needs_model(a.span, "ray tracing", 3, self.opts.shader_model));
                }
                self.raytracing_entry(f, stage);
            }
        }
    }

    /// Parameters and result of a ray-tracing shader.
    fn raytracing_entry(&mut self, f: FuncId, stage: Stage) {
        let name = stage.info().attribute;
        let (ret, span) = (self.m.funcs[f].ret, self.m.funcs[f].span);
        if ret != Ty::VOID && ret != Ty::ERROR {
            let at = self.funcs[f].decl.as_ref().map_or(span, |d| self.ast.types[d.0.ret].span);
            self.report(err::entry_shape(at, name, "a ray-tracing shader returns `void`", Some("void")));
        }
        let roles: &[Role] = match stage {
            Stage::RayGeneration | Stage::Intersection => &[],
            Stage::AnyHit | Stage::ClosestHit => &[Role::Payload, Role::Attributes],
            Stage::Miss => &[Role::Payload],
            Stage::Callable => &[Role::Callable],
            _ => return,
        };
        let n = self.m.funcs[f].params.len();
        if n != roles.len() {
            let wanted = match roles {
                [] => "it has no parameters",
                [Role::Payload, _] => "its parameters are `inout` payload and `in` attributes",
                [Role::Callable] => "its parameter is an `inout` structure",
                _ => "its parameter is the `inout` payload",
            };
            let at = match self.m.funcs[f].params.get(roles.len()) {
                Some(p) => p.span,
                None => span,
            };
            self.report(err::entry_shape(at, name, wanted, None));
        }
        for (i, &role) in roles.iter().enumerate().take(n) {
            let p = self.m.funcs[f].params[i].clone();
            self.m.funcs[f].params[i].role = role;
            if p.ty == Ty::ERROR {
                continue;
            }
            let (what, pass, passing) = match role {
                Role::Payload => ("payload", Pass::InOut, "inout"),
                Role::Callable => ("parameter", Pass::InOut, "inout"),
                _ => ("attributes", Pass::In, "in"),
            };
            if p.pass != pass {
                self.report(err::entry_passing(p.span, name, what, passing));
            }
            self.check_udt(p.ty, p.span, what, role == Role::Payload);
        }
    }

    /// Whether a type can be a payload, attributes or a callable's parameter: a structure of numbers.
    pub fn check_udt(&mut self, ty: Ty, span: Span, what: &str, payload: bool) -> bool {
        let Some(r) = self.m.types.as_record(ty) else {
            let text = self.show(ty);
            self.report(err::not_a_structure(span, what, &text));
            return false;
        };
        if self.m.types.has_objects(ty) {
            // Reported at the payload's declaration.
            if !(payload && self.m.types.records[r].raypayload) {
                let text = self.show(ty);
                self.report(err::object_in_structure(span, what, &text));
            }
            return false;
        }
        if !self.check_long_vectors(ty, span, &format!("the {what} of a shader")) {
            return false;
        }
        if what == "attributes" {
            let size = crate::hir::layout::size_of(&self.m.types, ty, crate::hir::layout::Rules::Scalar).size;
            if size > 32 {
                let text = self.show(ty);
                self.report(err::attributes_too_large(span, &text, size));
            }
        }
        !payload || self.check_payload_use(r, span)
    }

    fn compute_entry(&mut self, f: FuncId) {
        let span = self.m.funcs[f].span;
        let has_numthreads = self.stage_attribute(f, AttributeId::NumThreads).is_some();
        if self.m.funcs[f].entry.numthreads.is_none() && !has_numthreads {
            self.report(err::no_numthreads(span));
        }
        let ret = self.m.funcs[f].ret;
        if ret != Ty::VOID && ret != Ty::ERROR {
            self.report(err::entry_shape(span, "compute", "a compute shader returns `void`", Some("void")));
        }
        for i in 0..self.m.funcs[f].params.len() {
            let p = self.m.funcs[f].params[i].clone();
            if p.ty == Ty::ERROR {
                continue;
            }
            if p.pass != Pass::In {
                self.report(err::entry_shape(p.span, "compute", "its parameters are inputs, not `out` or `inout`", None));
                continue;
            }
            if let Some(r) = self.m.types.as_record(p.ty) {
                self.system_values(r);
                self.m.funcs[f].params[i].role = Role::Systems;
                continue;
            }
            if let Some(value) = self.system_value(p.semantic, p.ty, p.span) {
                self.m.funcs[f].params[i].role = Role::System(value);
            }
        }
    }

    /// Checks that every field of a structure is a system value.
    fn system_values(&mut self, r: RecordId) {
        for field in self.m.types.records[r].fields.clone() {
            match self.m.types.as_record(field.ty) {
                Some(inner) => self.system_values(inner),
                None if field.ty == Ty::ERROR => {}
                None => _ = self.system_value(field.semantic, field.ty, field.span),
            }
        }
    }

    /// The system value that a semantic names, if a parameter or field of type `ty` can hold it.
    fn system_value(&mut self, semantic: Option<Symbol>, ty: Ty, span: Span) -> Option<SystemValue> {
        let Some(semantic) = semantic else {
            self.report(err_res::no_semantic(span));
            return None;
        };
        let text = self.str(semantic).to_string();
        let Some((value, n)) = SystemValue::named(&text) else {
            self.report(err_res::unknown_semantic(span, &text));
            return None;
        };
        // Existing programs declare three components as `uint4`, too, and numbers of any type, to which the integers are converted.
        let most = if n == 3 { 4 } else { n };
        let fits = self.m.types.components(ty).is_some_and(|c| c <= most)
            && self.m.types.elem(ty).is_some()
            && !matches!(self.kind(ty), TyKind::Matrix { .. });
        if !fits {
            let ty = self.show(ty);
            self.report(err_res::semantic_type(span, &text, &ty, n));
            return None;
        }
        Some(value)
    }
}

impl Module {
    /// Whether the result or a parameter is or contains an object.
    fn passes_objects(&self, f: FuncId) -> bool {
        let f = &self.funcs[f];
        f.params.iter().map(|p| p.ty).chain([f.ret]).any(|t| self.types.has_objects(t) || t == Ty::ERROR)
    }
}
