//! Overload resolution: candidates of a call, their conversion costs, and the best viable one.
//!
//! The cost of a viable candidate is the sum of the costs of its arguments' conversions; the cheapest wins. Among
//! equally cheap ones a plain function is better than an instance of a template, and a more specialised template better than a
//! general one; otherwise the call is ambiguous. A viable intrinsic is preferred to functions of the program, except methods.

use rtc_base::similar::nearest;
use rtc_base::{Span, Symbol};
use rtc_tables::intrinsics::{self, Intrinsic, Scope as RowScope};
use rtc_tables::resources::ResourceFlags;

use super::context::Sema;
use super::conversion_rank::Cost;
use super::errors::{calls as err, exprs as err_exprs, names as err_names, types as err_types};
use super::intrinsic::{CallSite, Mismatch};
use super::scope::{Binding, LookupResult, Overload, Qualifier, Scopes, SetId, TemplateId, Wanted};
use crate::hir::{ExprId, ExprKind, FuncId, Module, Pass, RecordId, Ty, TyKind, Types};
use crate::index::Entity;
use crate::syntax::ast;

/// A candidate of overload resolution.
#[derive(Clone, Copy)]
enum Candidate {
    Func(FuncId),
    Template(TemplateId),
    Row(&'static Intrinsic),
}

/// Leaves each candidate once, where several ways lead to it.
fn only_once(candidates: &mut Vec<Candidate>) {
    let mut seen: Vec<Candidate> = Vec::new();
    candidates.retain(|c| {
        let same = |s: &Candidate| match (s, c) {
            (Candidate::Func(a), Candidate::Func(b)) => a == b,
            (Candidate::Template(a), Candidate::Template(b)) => a == b,
            (Candidate::Row(a), Candidate::Row(b)) => std::ptr::eq(*a, *b),
            _ => false,
        };
        let new = !seen.iter().any(same);
        seen.push(*c);
        new
    });
}

/// A call of a name.
#[derive(Clone, Copy)]
struct PathCall {
    /// What is before the last `::`.
    qualifier: Option<Qualifier>,
    /// Whether there is a `::`.
    qualified: bool,
    /// The name, and the template arguments after it.
    last: ast::Segment,
    /// The whole call.
    span: Span,
}

/// The result of overload resolution.
pub enum Callee {
    /// A function.
    Func(FuncId),
    /// A row, the types of its parameters and its result.
    Row(&'static Intrinsic, Vec<Ty>, Ty),
}

/// The parts of a call other than its arguments.
#[derive(Clone, Copy, Default)]
pub struct Target {
    /// The object before the dot.
    pub object: Option<ExprId>,
    /// The element type of the object and an explicit template argument.
    pub site: CallSite,
    /// Template arguments after the name.
    pub explicit: Option<ast::List<ast::TemplateArg>>,
    /// The function is named with `::` or after a dot.
    pub qualified: bool,
}

impl Sema<'_> {
    /// `callee(args)`
    pub fn call_expr(&mut self, callee: ast::ExprId, args: ast::List<ast::ExprId>, span: Span) -> ExprId {
        match self.ast.exprs[callee].kind {
            ast::ExprKind::Path(p) => self.call_path(p, args, span),
            ast::ExprKind::Member(base, name) | ast::ExprKind::Arrow(base, name) => self.call_member(base, name, args, span),
            _ => {
                let f = self.expr(callee);
                let args = self.arguments(args);
                self.call_value(f, &args, span)
            }
        }
    }

    fn arguments(&mut self, args: ast::List<ast::ExprId>) -> Vec<ExprId> {
        (0..args.len()).map(|i| self.expr(self.ast.list(args)[i])).collect()
    }

    /// A call of a value: `operator()`.
    fn call_value(&mut self, f: ExprId, args: &[ExprId], span: Span) -> ExprId {
        if self.is_error(f) {
            return self.error_expr(span);
        }
        if let TyKind::Record(_) = self.kind(self.ty(f))
            && let Some(e) = self.call_operator("operator()", f, args, span)
        {
            return e;
        }
        let d = err::not_callable(self.span(f), &self.show(self.ty(f)));
        self.report(d);
        self.error_expr(span)
    }

    /// Whether a name that the parser took for a type is that of a function, which hides a type.
    pub fn hides_a_type(&mut self, path: ast::PathId) -> bool {
        if !self.scopes.hides_types() {
            return false;
        }
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments);
        let Some(&last) = segments.last() else {
            return false;
        };
        let qualified = p.global || segments.len() > 1;
        let qualifier = if qualified { self.path_qualifier(path) } else { None };
        let found = self.lookup_segment(qualifier, last.name.sym);
        qualified == qualifier.is_some() && matches!(found, Some(LookupResult { binding: Binding::Functions(_), .. }))
    }

    /// `name(args)`
    pub fn call_path(&mut self, path: ast::PathId, args: ast::List<ast::ExprId>, span: Span) -> ExprId {
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments);
        let Some(&last) = segments.last() else {
            return self.error_expr(span);
        };
        let name = last.name;
        let qualified = p.global || segments.len() > 1;
        let qualifier = if qualified { self.path_qualifier(path) } else { None };
        if qualified && qualifier.is_none() {
            // Reports the error in the path.
            self.resolve_path(path);
            self.arguments(args);
            return self.error_expr(span);
        }
        if let Some(Qualifier::Type(Ty::ERROR)) = qualifier {
            return self.error_expr(span);
        }
        if let Some(e) = self.inline_call(qualifier, last, args, span) {
            return e;
        }
        let found = self.lookup_segment(qualifier, name.sym);
        self.probe_scope(qualifier, name.sym);
        let mut rows = match qualifier {
            None => self.rows(None, name.sym),
            Some(Qualifier::Namespace(ns)) => self.rows(Some(ns), name.sym),
            Some(Qualifier::Type(t)) if self.kind(t) == TyKind::HitObject => {
                let scope = RowScope::Static(intrinsics::Object::HitObject);
                intrinsics::find(scope, self.str(name.sym)).collect()
            }
            Some(Qualifier::Type(_)) => Vec::new(),
        };
        if found.is_none() && rows.is_empty() {
            rows = self.deprecated_rows(qualifier, name);
        }
        let call = PathCall { qualifier, qualified, last, span };
        match found {
            Some(LookupResult { binding: Binding::Functions(set), record }) => self.call_functions(&call, set, record, rows, args),
            Some(LookupResult { binding: Binding::Type(t), .. }) => {
                found.into_iter().for_each(|f| self.note_use(name, f));
                self.complete(t);
                self.construct(t, name.span, args, span)
            }
            Some(LookupResult { binding: Binding::Template(t), .. }) => {
                found.into_iter().for_each(|f| self.note_use(name, f));
                let targs = last.args.unwrap_or(ast::List::EMPTY);
                let ty = self.instantiate_type(t, targs, name.span).unwrap_or(Ty::ERROR);
                self.construct(ty, name.span, args, span)
            }
            Some(LookupResult { binding: Binding::Error, .. }) => {
                self.arguments(args);
                self.error_expr(span)
            }
            Some(f) if rows.is_empty() || !matches!(f.binding, Binding::Field(_) | Binding::Inner(_)) => {
                self.note_use(name, f);
                let f = self.binding_expr(f, p.span);
                let args = self.arguments(args);
                self.call_value(f, &args, span)
            }
            _ if !rows.is_empty() => self.call_rows(&call, rows, args),
            _ => self.call_undeclared(&call, args),
        }
    }

    /// Calls one of the functions that a lookup finds, or an intrinsic of that name.
    fn call_functions(
        &mut self,
        call: &PathCall,
        set: SetId,
        record: Option<RecordId>,
        rows: Vec<&'static Intrinsic>,
        args: ast::List<ast::ExprId>,
    ) -> ExprId {
        let &PathCall { qualifier, qualified, last, span } = call;
        let name = last.name;
        let mut args = self.arguments(args);
        let mut candidates = if record.is_none() { self.visible_candidates(set) } else { self.scopes.set_candidates(set) };
        if record.is_none() {
            self.add_used(qualifier, name.sym, set, &mut candidates);
        }
        if qualifier.is_none() && record.is_none() {
            self.add_associated(name.sym, &args, &mut candidates);
        }
        self.texts_as_arrays(&candidates, &mut args);
        let target = Target { explicit: last.args, qualified, ..Target::default() };
        let rows: Vec<Candidate> = rows.into_iter().map(Candidate::Row).collect();
        if record.is_none() && self.any_fits(&rows, target, &args, span) {
            self.warn_of_intrinsic(name, &candidates, &args);
            candidates = rows;
        } else if record.is_some() && !self.any_fits(&candidates, target, &args, span) {
            // A method hides the intrinsic of its name where it is viable itself.
            candidates.extend(rows);
        }
        self.resolve_call(name, &candidates, target, &args, span)
    }

    /// Calls an intrinsic.
    fn call_rows(&mut self, call: &PathCall, rows: Vec<&'static Intrinsic>, args: ast::List<ast::ExprId>) -> ExprId {
        let &PathCall { qualifier, last, span, .. } = call;
        let name = last.name;
        let args = self.arguments(args);
        if let &[c, a, b] = &args[..]
            && rows.iter().any(|r| r.lowers == intrinsics::Lower::Expand(intrinsics::Expander::Select))
            && self.are_variables_of_one_record(a, b)
            && self.ty(c) == Ty::BOOL
        {
            return self.conditional(c, a, b, span);
        }
        let mut target = Target { explicit: last.args, ..Target::default() };
        // `vk::RawBufferLoad<T>`: the type is that of the function's result or argument.
        let typed = |r: &&'static intrinsics::Intrinsic| {
            r.ret == intrinsics::Pat::FuncT || r.params.iter().any(|p| p.pat == intrinsics::Pat::FuncT)
        };
        if let (Some(list), Some(_)) = (last.args, rows.iter().find(|r| typed(r)))
            && let &[a] = self.ast.list(list)
        {
            match self.type_arg(a) {
                Some(Ty::ERROR) | None => return self.error_expr(span),
                t => target.site.explicit = t,
            }
            target.explicit = None;
        }
        let mut candidates: Vec<Candidate> = rows.into_iter().map(Candidate::Row).collect();
        if qualifier.is_none() && !self.any_fits(&candidates, target, &args, span) {
            self.add_associated(name.sym, &args, &mut candidates);
        }
        self.resolve_call(name, &candidates, target, &args, span)
    }

    /// Calls a function that is found by its arguments alone.
    fn call_undeclared(&mut self, call: &PathCall, args: ast::List<ast::ExprId>) -> ExprId {
        let &PathCall { qualifier, last, span, .. } = call;
        let name = last.name;
        let mut args = self.arguments(args);
        let mut candidates = Vec::new();
        if qualifier.is_none() {
            self.add_associated(name.sym, &args, &mut candidates);
        }
        if !candidates.is_empty() {
            self.texts_as_arrays(&candidates, &mut args);
            let target = Target { explicit: last.args, ..Target::default() };
            return self.resolve_call(name, &candidates, target, &args, span);
        }
        self.undeclared_function(name, qualifier);
        self.error_expr(span)
    }

    /// Adds the functions called `name` that are visible next to those of `known`, which a lookup finds first: those of the namespaces that `using namespace` names
    /// (C++, [namespace.udir]).
    fn add_used(&mut self, qualifier: Option<Qualifier>, name: Symbol, known: SetId, candidates: &mut Vec<Candidate>) {
        if !self.scopes.uses_namespaces {
            return;
        }
        let found = match qualifier {
            None => self.visible_meanings(name),
            Some(Qualifier::Namespace(ns)) => self.qualified_meanings(ns, name),
            Some(Qualifier::Type(_)) => Vec::new(),
        };
        for (binding, _) in found {
            let Binding::Functions(set) = binding else { continue };
            if set != known {
                candidates.extend(self.visible_candidates(set));
            }
        }
        only_once(candidates);
    }

    /// Adds the functions called `name` in the namespaces that are associated with the arguments
    /// (argument-dependent lookup).
    fn add_associated(&self, name: Symbol, args: &[ExprId], candidates: &mut Vec<Candidate>) {
        let types: Vec<Ty> = args.iter().map(|&a| self.ty(a)).collect();
        for ns in self.associated_namespaces(&types) {
            // What the namespace uses is not looked at.
            if let Some(&(Binding::Functions(set), _)) = self.scopes.namespaces[ns].names.get(&name) {
                candidates.extend(self.scopes.set_candidates(set));
            }
        }
        only_once(candidates);
    }

    /// Whether both are variables of one structure type: `select` chooses between them as `?:` does.
    fn are_variables_of_one_record(&self, a: ExprId, b: ExprId) -> bool {
        let variable = |e| self.e(e).category.is_lvalue() && matches!(self.kind(self.ty(e)), TyKind::Record(_));
        variable(a) && variable(b) && self.ty(a) == self.ty(b)
    }

    fn any_fits(&mut self, candidates: &[Candidate], target: Target, args: &[ExprId], span: Span) -> bool {
        !args.iter().any(|&a| self.is_error(a)) && candidates.iter().any(|&c| self.fit(c, target, args, span).is_ok())
    }

    /// Warns of a call of an intrinsic where a function of the program with that name is viable too.
    fn warn_of_intrinsic(&mut self, name: ast::Name, candidates: &[Candidate], args: &[ExprId]) {
        let hidden = candidates.iter().find_map(|&c| match c {
            Candidate::Func(f) if self.fit_function(f, args).is_ok() => Some(f),
            _ => None,
        });
        if let Some(f) = hidden {
            let text = self.str(name.sym).to_string();
            let at = self.m.funcs[f].span;
            self.report(err::intrinsic_hides(name.span, &text, at));
        }
    }

    /// The rows of a function's deprecated spelling.
    fn deprecated_rows(&mut self, qualifier: Option<Qualifier>, name: ast::Name) -> Vec<&'static intrinsics::Intrinsic> {
        match qualifier {
            // Functions of namespace `dx` were declared in the global scope.
            None => self.rows_of_deprecated(RowScope::Dx, name, true),
            Some(Qualifier::Namespace(ns)) => match self.scopes.namespaces[ns].rows {
                Some(scope) => self.rows_of_deprecated(scope, name, false),
                None => Vec::new(),
            },
            Some(Qualifier::Type(_)) => Vec::new(),
        }
    }

    /// The rows of a deprecated spelling in `scope`, with a warning that names the present one.
    fn rows_of_deprecated(&mut self, scope: RowScope, name: ast::Name, unqualified: bool) -> Vec<&'static intrinsics::Intrinsic> {
        let Some(s) = intrinsics::spellings::of_old(scope, self.str(name.sym)) else {
            return Vec::new();
        };
        let prefix = if unqualified { "dx::" } else { "" };
        self.report(err_names::old_spelling(name.span, s.old, &format!("{prefix}{}", s.new)));
        intrinsics::find(scope, s.new).collect()
    }

    fn undeclared_function(&mut self, name: ast::Name, qualifier: Option<Qualifier>) {
        let text = self.str(name.sym).to_string();
        let d = match qualifier {
            Some(qualifier) => self.not_inside(qualifier, name),
            None => {
                if !intrinsics::exists(RowScope::Dx, &text) {
                    return self.report_undeclared(name, Wanted::Callee);
                }
                err_names::undeclared(name.span, &text, Some(format!("dx::{text}")))
            }
        };
        self.report(d);
    }

    fn call_member(&mut self, base: ast::ExprId, path: ast::PathId, args: ast::List<ast::ExprId>, span: Span) -> ExprId {
        let object = base;
        let base = self.expr(base);
        let args = self.arguments(args);
        if self.is_error(base) {
            return self.error_expr(span);
        }
        let Some(base) = self.qualified_base(base, path) else {
            return self.error_expr(span);
        };
        let Some(&last) = self.ast.list(self.ast.paths[path].segments).last() else {
            return self.error_expr(span);
        };
        if last.args.is_some() {
            self.warn_of_missing_template(object, last.name);
        }
        self.call_method(base, last.name, last.args, &args, span)
    }

    fn call_method(
        &mut self,
        base: ExprId,
        name: ast::Name,
        explicit: Option<ast::List<ast::TemplateArg>>,
        args: &[ExprId],
        span: Span,
    ) -> ExprId {
        let ty = self.ty(base);
        self.probe_member(ty, name.sym);
        let text = self.str(name.sym).to_string();
        let object = match self.kind(ty) {
            TyKind::Record(r) => {
                return match self.lookup_member(r, name.sym) {
                    Some(LookupResult { binding: Binding::Functions(set), .. }) => {
                        let candidates = self.scopes.set_candidates(set);
                        let mut args = args.to_vec();
                        self.texts_as_arrays(&candidates, &mut args);
                        let args = &args[..];
                        let target = Target { object: Some(base), explicit, qualified: true, ..Target::default() };
                        self.resolve_call(name, &candidates, target, args, span)
                    }
                    Some(found) => {
                        self.note_use(name, found);
                        let f = match self.bound_field(base, found.binding, span) {
                            Some(field) => field,
                            None => self.binding_expr(found, name.span),
                        };
                        self.call_value(f, args, span)
                    }
                    None => {
                        let near = self.similar_member(r, &text);
                        let d = err_names::no_member(name.span, &text, &self.show(ty), near);
                        self.report(d);
                        self.error_expr(span)
                    }
                };
            }
            TyKind::Resource(r) if super::resource::has_contents(&r) => {
                let inside = self.contents(base);
                return self.call_method(inside, name, explicit, args, span);
            }
            TyKind::Resource(r) => r.object.info().methods_of,
            TyKind::BufferPointer(pointee, _) if text == "Get" && args.is_empty() && explicit.is_none() => {
                return self.pointee(base, pointee, span);
            }
            TyKind::RayQuery { .. } => intrinsics::Object::RayQuery,
            TyKind::HitObject => intrinsics::Object::HitObject,
            TyKind::Stream(..) => intrinsics::Object::TriangleStream,
            _ => {
                let d = err_names::no_member(name.span, &text, &self.show(ty), None);
                self.report(d);
                return self.error_expr(span);
            }
        };
        let mut rows: Vec<_> = intrinsics::find(RowScope::Method(object), &text).collect();
        if rows.is_empty() {
            rows = self.rows_of_deprecated(RowScope::Method(object), name, false);
        }
        if rows.is_empty() {
            let near = self.similar_method(object, &text);
            let d = err_names::no_member(name.span, &text, &self.show(ty), near);
            self.report(d);
            return self.error_expr(span);
        }
        let elem = match self.kind(ty) {
            TyKind::Stream(_, vertex) => Some(vertex),
            _ => self.m.types.as_resource(ty).and_then(|r| r.elem),
        };
        let explicit_ty = match explicit {
            Some(list) => match self.ast.list(list) {
                &[a] => match self.type_arg(a) {
                    Some(Ty::ERROR) | None => return self.error_expr(span),
                    t => t,
                },
                [] => None,
                more => {
                    let d = err_types::one_argument(span, &text, more.len());
                    self.report(d);
                    return self.error_expr(span);
                }
            },
            None => None,
        };
        let mut args = args.to_vec();
        if let Some(sampler) = self.own_sampler(ty, &rows, span) {
            args.insert(0, sampler);
        }
        let args = &args[..];
        let candidates: Vec<Candidate> = rows.iter().map(|&r| Candidate::Row(r)).collect();
        let site = CallSite { elem, explicit: explicit_ty };
        let target = Target { object: Some(base), site, ..Target::default() };
        self.resolve_call(name, &candidates, target, args, span)
    }

    /// The first argument of methods that take a sampler, of a texture that has its own.
    fn own_sampler(&mut self, texture: Ty, rows: &[&'static intrinsics::Intrinsic], span: Span) -> Option<ExprId> {
        self.m.types.as_resource(texture).filter(|r| r.flags.contains(ResourceFlags::SAMPLED))?;
        let sampler = match rows.first()?.params.first()?.pat {
            intrinsics::Pat::Object(o @ (intrinsics::Object::SamplerState | intrinsics::Object::SamplerComparisonState)) => o,
            intrinsics::Pat::AnySampler => intrinsics::Object::SamplerState,
            _ => return None,
        };
        let ty = self.builtin_type(sampler.info().name)?;
        Some(self.value(ExprKind::OwnSampler, ty, span))
    }

    fn similar_method(&self, object: intrinsics::Object, text: &str) -> Option<String> {
        let methods = intrinsics::all().filter(|r| r.scope == RowScope::Method(object));
        nearest(text, methods.map(|r| r.name))
    }

    /// The functions of a set that are declared before the template around, or all if there are none.
    fn visible_candidates(&self, set: SetId) -> Vec<Candidate> {
        let mut all = self.scopes.set_candidates(set);
        if let Some(h) = self.horizon() {
            let earlier = |c: &Candidate| match *c {
                Candidate::Func(f) => !h.hides(Overload::Func(f)),
                Candidate::Template(t) => !h.hides(Overload::Template(t)),
                Candidate::Row(_) => true,
            };
            if all.iter().any(earlier) {
                all.retain(earlier);
            }
        }
        all
    }

    /// Function templates take texts as arrays of characters: `template <typename C, uint N> void f(C text[N])`.
    fn texts_as_arrays(&mut self, candidates: &[Candidate], args: &mut [ExprId]) {
        if !candidates.iter().any(|c| matches!(c, Candidate::Template(_))) {
            return;
        }
        for a in args {
            if self.kind(self.ty(*a)) == TyKind::String
                && let Some(text) = self.text_of(*a)
            {
                *a = self.characters(text, self.span(*a));
            }
        }
    }

    /// `a.operator+(b)`, or `operator+(a, b)` outside of classes; `None` if there is no such operator.
    pub fn call_operator(&mut self, name: &str, a: ExprId, rest: &[ExprId], span: Span) -> Option<ExprId> {
        let sym = self.names.get(name)?;
        let name = ast::Name { sym, span };
        if let TyKind::Record(r) = self.kind(self.ty(a))
            && let Some(LookupResult { binding: Binding::Functions(set), .. }) = self.lookup_member(r, sym)
        {
            let candidates = self.scopes.set_candidates(set);
            let target = Target { object: Some(a), ..Target::default() };
            return Some(self.resolve_call(name, &candidates, target, rest, span));
        }
        let known = match self.lookup(sym) {
            Some(LookupResult { binding: Binding::Functions(set), record: None }) => Some(set),
            _ => None,
        };
        let mut candidates = known.map_or(Vec::new(), |set| self.visible_candidates(set));
        if let Some(set) = known {
            self.add_used(None, sym, set, &mut candidates);
        }
        let mut args = vec![a];
        args.extend_from_slice(rest);
        self.add_associated(sym, &args, &mut candidates);
        let fits = candidates.iter().any(|&c| self.fit(c, Target::default(), &args, span).is_ok());
        fits.then(|| self.resolve_call(name, &candidates, Target::default(), &args, span))
    }

    /// `operator T` of a record that converts to `to`.
    pub fn call_conversion(&mut self, e: ExprId, to: Ty, span: Span) -> Option<ExprId> {
        let TyKind::Record(r) = self.kind(self.ty(e)) else {
            return None;
        };
        let sym = self.names.get("operator T")?;
        let LookupResult { binding: Binding::Functions(set), .. } = self.lookup_member(r, sym)? else {
            return None;
        };
        let found = self.scopes[set].iter().find_map(|o| match *o {
            Overload::Func(f) if self.same_value(self.m.funcs[f].ret, to) => Some(f),
            _ => None,
        })?;
        let target = Target { object: Some(e), ..Target::default() };
        Some(self.build_call(Callee::Func(found), target, &[], span))
    }

    // Selection ----------------------------------------------------------------------------------

    /// `dx::HitObject::MakeNop()`, which the source writes otherwise.
    pub fn make_nop(&mut self, type_span: Span, span: Span) -> ExprId {
        let row = intrinsics::hit_objects::MAKE_NOP;
        let name = ast::Name { sym: self.names.intern(row.name), span: type_span };
        self.resolve_call(name, &[Candidate::Row(row)], Target::default(), &[], span)
    }

    /// Calls the best of `candidates`, or reports why none is viable.
    fn resolve_call(&mut self, name: ast::Name, candidates: &[Candidate], target: Target, args: &[ExprId], span: Span) -> ExprId {
        if args.iter().any(|&e| self.is_error(e)) {
            self.note_candidates(name, candidates);
            return self.error_expr(span);
        }
        let text = self.str(name.sym).to_string();
        if let Some(&void) = args.iter().find(|&&e| self.ty(e) == Ty::VOID) {
            self.report(err_exprs::void_value(self.span(void)));
            return self.error_expr(span);
        }
        let mut best: Vec<(Cost, u8, Callee, Candidate)> = Vec::new();
        // Candidates that would write to arguments which are no l-values: they only count where there is no other, for the sake of the message.
        let mut unwritable: Vec<(Cost, u8, Callee, Candidate)> = Vec::new();
        let mut mismatches = Vec::new();
        let said = self.reports.count();
        for &c in candidates {
            match self.fit(c, target, args, name.span) {
                Ok((cost, chosen)) => {
                    let class = match c {
                        Candidate::Func(_) => 0,
                        Candidate::Template(_) => 1,
                        Candidate::Row(_) => 2,
                    };
                    let ranked = if self.binds_values(&chosen, args) { &mut unwritable } else { &mut best };
                    match ranked.first().map(|b| (b.0, b.1).cmp(&(cost, class))) {
                        Some(std::cmp::Ordering::Less) => {}
                        Some(std::cmp::Ordering::Equal) => ranked.push((cost, class, chosen, c)),
                        _ => *ranked = vec![(cost, class, chosen, c)],
                    }
                }
                Err(why) => mismatches.push((c, why)),
            }
        }
        if best.is_empty() {
            best = unwritable;
        }
        // Of equally good rows the first in the table wins.
        if best.len() > 1 && best.iter().all(|b| b.1 == 2) {
            best.truncate(1);
        }
        // Of equally good templates one without conversions, as of a scalar to `vector<T, 1>`, then the most specialised one.
        if best.len() > 1 && best.iter().all(|b| b.1 == 1) {
            let types: Vec<Ty> = args.iter().map(|&e| self.deducible(e)).collect();
            let same = |s: &Self, callee: &Callee| match callee {
                Callee::Func(f) => s.m.funcs[*f].params.iter().zip(&types).all(|(p, &ty)| s.same_value(p.ty, ty)),
                Callee::Row(..) => false,
            };
            if best.iter().any(|b| same(self, &b.2)) {
                best.retain(|b| same(self, &b.2));
            }
        }
        let special = |a: &Candidate, b: &Candidate| match (a, b) {
            (&Candidate::Template(a), &Candidate::Template(b)) => a == b || self.is_more_special_function(a, b),
            _ => false,
        };
        if best.len() > 1
            && let Some(n) = (0..best.len()).find(|&n| best.iter().all(|other| special(&best[n].3, &other.3)))
        {
            best = vec![best.swap_remove(n)];
        }
        if best.len() > 1 {
            let shown: Vec<(String, Span)> = best.iter().map(|b| self.show_candidate(b.3)).collect();
            let args = self.show_args(args);
            self.report(err::ambiguous(name.span, &text, &args, &shown));
            self.note_candidates(name, candidates);
            return self.error_expr(span);
        }
        match best.pop() {
            Some((_, _, chosen, _)) => {
                match chosen {
                    Callee::Func(f) => self.note_call(name, Entity::Function(f)),
                    Callee::Row(row, ..) => self.note_call(name, Entity::Intrinsic(row)),
                }
                if let Callee::Row(row, ..) = chosen {
                    self.check_deprecated_spelling(row, name, args, span);
                }
                self.build_call(chosen, target, args, span)
            }
            None => {
                self.note_candidates(name, candidates);
                // Errors in an instance are already reported.
                if self.reports.count() == said {
                    self.report_mismatch(name.span, &text, &mismatches, target, args, span);
                }
                self.error_expr(span)
            }
        }
    }

    /// Whether an `out` or `inout` parameter of a function would get a value or a constant (C++, [over.match.viable]).
    fn binds_values(&self, callee: &Callee, args: &[ExprId]) -> bool {
        let Callee::Func(f) = callee else { return false };
        let params = &self.m.funcs[*f].params;
        params.iter().zip(args).any(|(p, &a)| matches!(p.pass, Pass::Out | Pass::InOut) && !self.may_be_written(a))
    }

    /// Records a call without a callee as one of the first candidate, which is probably meant.
    fn note_candidates(&mut self, name: ast::Name, candidates: &[Candidate]) {
        let likely = candidates.iter().find_map(|&c| match c {
            Candidate::Func(f) => Some(Entity::Function(f)),
            Candidate::Row(row) => Some(Entity::Intrinsic(row)),
            Candidate::Template(_) => None,
        });
        likely.into_iter().for_each(|entity| self.note_call(name, entity));
    }

    fn report_mismatch(&mut self, at: Span, text: &str, mismatches: &[(Candidate, Mismatch)], target: Target, args: &[ExprId], span: Span) {
        let by_count = mismatches.iter().all(|m| m.1 == Mismatch::Count);
        if by_count {
            let mut counts: Vec<(usize, usize)> = mismatches.iter().map(|m| self.counts(m.0)).collect();
            counts.sort_unstable();
            counts.dedup();
            let shown: Vec<(String, Span)> = mismatches.iter().map(|m| self.show_candidate(m.0)).collect();
            self.report(err::argument_count(at, span, text, &counts, args.len(), &shown));
            return;
        }
        let near: Vec<&(Candidate, Mismatch)> = mismatches.iter().filter(|m| m.1 != Mismatch::Count).collect();
        if let [&(c, Mismatch::Argument(n))] = near[..]
            && let Some(&arg) = args.get(n)
        {
            let (shown, declared) = self.show_candidate(c);
            let wanted = self.m.expected_type(c, n, target);
            let d = err::bad_argument(self.span(arg), text, n, &self.show(self.ty(arg)), wanted.as_deref(), &shown, declared);
            self.report(d);
            return;
        }
        let shown: Vec<(String, Span)> = mismatches
            .iter()
            .map(|&(c, why)| {
                let (shown, at) = self.show_candidate(c);
                (format!("{shown}: {}", self.mismatch_reason(c, why, target, args)), at)
            })
            .collect();
        let args = self.show_args(args);
        self.report(err::none_fits(at, text, &args, &shown));
    }

    /// Why a candidate is not viable.
    fn mismatch_reason(&mut self, c: Candidate, why: Mismatch, target: Target, args: &[ExprId]) -> String {
        match why {
            Mismatch::Count => {
                let (least, most) = self.counts(c);
                let count = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
                match least == most {
                    true => format!("takes {}", count(most)),
                    false => format!("takes {least} to {}", count(most)),
                }
            }
            Mismatch::Argument(n) => {
                let is = args.get(n).map_or(String::new(), |&a| self.show(self.ty(a)));
                match self.m.expected_type(c, n, target) {
                    Some(w) => format!("argument {} is `{is}`, expected `{w}`", n + 1),
                    None => format!("argument {} cannot be `{is}`", n + 1),
                }
            }
            Mismatch::Deduction => match c {
                Candidate::Template(t) => {
                    let types: Vec<Ty> = args.iter().map(|&a| self.deducible(a)).collect();
                    self.why_not_deduced(t, target.explicit, &types)
                }
                Candidate::Row(_) => "its template argument is missing".into(),
                Candidate::Func(_) => "it is not a template".into(),
            },
        }
    }

    fn show_args(&self, args: &[ExprId]) -> String {
        let types: Vec<String> = args.iter().map(|&e| self.show(self.ty(e))).collect();
        types.join(", ")
    }

    fn show_candidate(&self, c: Candidate) -> (String, Span) {
        match c {
            Candidate::Func(f) => {
                let f = &self.m.funcs[f];
                (self.m.types.show_function(f), f.span)
            }
            Candidate::Template(t) => (self.show_template(t), self.templates[t].span),
            Candidate::Row(r) => (r.readable(), Span::NONE),
        }
    }

    /// The smallest and largest number of arguments.
    fn counts(&self, c: Candidate) -> (usize, usize) {
        match c {
            Candidate::Func(f) => {
                let all = self.m.funcs[f].params.len();
                (self.required(f), all)
            }
            Candidate::Row(r) => (r.params.len(), r.params.len()),
            Candidate::Template(t) => {
                let n = self.templates[t].params_len;
                (n, n)
            }
        }
    }

    fn required(&self, f: FuncId) -> usize {
        let defaults = &self.funcs[f].defaults;
        let all = self.m.funcs[f].params.len();
        (0..all).rev().take_while(|&i| matches!(defaults.get(i), Some(Some(_)))).count().abs_diff(all)
    }

    /// Whether a candidate is viable for the arguments, with its cost.
    fn fit(&mut self, c: Candidate, target: Target, args: &[ExprId], at: Span) -> Result<(Cost, Callee), Mismatch> {
        match c {
            Candidate::Func(f) => {
                if target.explicit.is_some_and(|l| !l.is_empty()) {
                    return Err(Mismatch::Deduction);
                }
                self.fit_function(f, args).map(|cost| (cost, Callee::Func(f)))
            }
            Candidate::Template(t) => {
                let f = self.instantiate_function(t, target.explicit, args, at).ok_or(Mismatch::Deduction)?;
                self.fit_function(f, args).map(|cost| (cost, Callee::Func(f)))
            }
            Candidate::Row(r) => {
                let m = self.match_row(r, target.site, args)?;
                Ok((m.cost, Callee::Row(r, m.params, m.ret)))
            }
        }
    }

    fn fit_function(&mut self, f: FuncId, args: &[ExprId]) -> Result<Cost, Mismatch> {
        let n = self.m.funcs[f].params.len();
        if args.len() > n || args.len() < self.required(f) {
            return Err(Mismatch::Count);
        }
        let mut cost: Cost = 0;
        for (i, &a) in args.iter().enumerate() {
            let p = &self.m.funcs[f].params[i];
            let (from, to) = (self.ty(a), p.ty);
            let c = match p.pass {
                Pass::In => self.argument_cost(from, to),
                Pass::Out => self.argument_out(from, to),
                Pass::Ref => (self.is_groupshared(a) && self.same_value(from, to)).then_some(0),
                Pass::InOut => self.argument_cost(from, to).zip(self.argument_back(from, to)).map(|(a, b)| a.saturating_add(b)),
            };
            // Groupshared memory prefers a parameter that is passed as such.
            let copied = if p.pass != Pass::Ref && self.opts.is_202x() && self.is_groupshared(a) {
                super::conversion_rank::aspect::LEAST
            } else {
                0
            };
            cost = cost.saturating_add(c.ok_or(Mismatch::Argument(i))?).saturating_add(copied);
        }
        Ok(cost)
    }

    fn argument_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        // A sized array can be passed as an unsized one.
        if let (TyKind::Array(a, _), TyKind::Array(b, None)) = (self.kind(from), self.kind(to)) {
            return self.same_value(a, b).then_some(0);
        }
        // Resources of an unsized array are those of a sized one, too.
        if let (TyKind::Array(a, None), TyKind::Array(b, Some(_))) = (self.kind(from), self.kind(to))
            && self.m.types.is_resource(a)
        {
            return self.same_value(a, b).then_some(super::conversion_rank::aspect::LEAST);
        }
        self.implicit_cost(from, to)
    }

    /// The cost of copying an `inout` argument back; a derived record is copied in and out as its base.
    fn argument_back(&self, from: Ty, to: Ty) -> Option<Cost> {
        if let (TyKind::Record(a), TyKind::Record(b)) = (self.kind(from), self.kind(to))
            && self.m.types.derives_from(a, b)
        {
            return Some(0);
        }
        self.argument_out(from, to)
    }

    /// The cost of writing a parameter into an argument. One component is not written into all of several, several not into fewer that are more than one, and no
    /// number becomes an enumeration.
    fn argument_out(&self, from: Ty, to: Ty) -> Option<Cost> {
        let count = |t| self.m.types.components(t);
        if let (Some(argument @ 2..), Some(parameter)) = (count(from), count(to))
            && (parameter == 1 || parameter > argument)
        {
            return None;
        }
        if matches!(self.kind(to), TyKind::Enum(_)) && !matches!(self.kind(from), TyKind::Enum(_)) {
            return None;
        }
        self.argument_cost(to, from)
    }
}

impl Scopes {
    fn set_candidates(&self, set: SetId) -> Vec<Candidate> {
        self[set]
            .iter()
            .map(|o| match *o {
                Overload::Func(f) => Candidate::Func(f),
                Overload::Template(t) => Candidate::Template(t),
            })
            .collect()
    }
}

impl Module {
    /// The type that parameter `n` of a candidate has, as text.
    fn expected_type(&self, c: Candidate, n: usize, _target: Target) -> Option<String> {
        match c {
            Candidate::Func(f) => self.funcs[f].params.get(n).map(|p| self.types.show(p.ty)),
            Candidate::Row(r) => r.params.get(n).map(|p| r.readable_type(p.pat)),
            Candidate::Template(_) => None,
        }
    }
}

impl Types {
    /// `float f(float x, inout int n)`
    pub(crate) fn show_function(&self, f: &crate::hir::Function) -> String {
        let params: Vec<String> = f
            .params
            .iter()
            .map(|p| {
                let mode = match p.pass {
                    Pass::In => "",
                    Pass::Out => "out ",
                    Pass::InOut => "inout ",
                    Pass::Ref => "groupshared ",
                };
                format!("{mode}{}", self.show(p.ty))
            })
            .collect();
        format!("{} {}({})", self.show(f.ret), f.qualified, params.join(", "))
    }
}
