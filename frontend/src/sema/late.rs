//! Parts of instances of class templates that wait for their use: bodies of methods, classes and scoped enumerations inside, values of
//! variables that are defined outside.
//!
//! An instance declares its members when it is named. Their definitions follow when they are used (C++, [temp.inst]), so one that nothing
//! uses may be invalid for these arguments. Names of unused parts are checked still: what does not depend on the arguments must be valid.
//! At the end of the file each part that is left is checked, and where that reports something, once more in the *general instance*,
//! whose arguments are all unknown. What depends on them is of unknown type there, of which nothing is reported; what both report is reported.
//! Members that are inherited from an unknown class are unknown as well, so parts of such a class report nothing.

use rtc_base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::context::{Pending, Sema};
use super::instance::{ArgValue, InstanceOf, OutOfLine, TemplateKind};
use super::parts::{Late, LateType, LateVariable, Part, Site};
use super::scope::{Binding, CtxId, CtxKind};
use crate::hir::{FuncId, GlobalId, RecordId, Ty, TyKind};
use crate::syntax::ast::{self, DeclKind};

impl Sema<'_> {
    // Waiting -----------------------------------------------------------------------------------

    /// Whether what is declared now waits for its use.
    pub fn is_late(&self) -> bool {
        self.steps.instance.is_some() && !self.in_function() && matches!(self.scopes.ctxs[self.scopes.ctx].kind, CtxKind::Record(_))
    }

    fn site(&self) -> Site {
        Site { ctx: self.scopes.ctx, steps: self.steps.clone() }
    }

    /// The body of a method of an instance.
    pub fn wait_for_call(&mut self, p: Pending) {
        if std::mem::take(&mut self.funcs[p.func].requested) {
            self.funcs.check_soon(p);
        } else {
            self.late.note_part(Part::Body(p.func));
            self.funcs.wait_for_call(p);
        }
    }

    /// The definition of a type, which is declared.
    pub fn wait_for_name(&mut self, ty: Ty, decl: ast::DeclId) {
        let site = self.site();
        self.late.note_part(Part::Type(ty));
        self.late.types.insert(ty, LateType { decl, site, outside: Vec::new() });
    }

    /// A variable of an instance, whose value may be defined outside.
    pub fn note_member(&mut self, g: GlobalId) {
        if self.is_late() {
            self.late.members.insert(g, false);
        }
    }

    /// Whether a class waits for its use.
    pub fn waits(&self, record: RecordId) -> bool {
        self.m.types.find(TyKind::Record(record)).is_some_and(|ty| self.late.types.contains_key(&ty))
    }

    /// The value of a variable, in the context of its class. False if it is used already.
    pub fn wait_for_use(&mut self, g: GlobalId, var: &ast::Var, name: ast::Name) -> bool {
        if self.late.members.get(&g) == Some(&true) {
            return false;
        }
        let site = self.site();
        self.late.note_part(Part::Variable(g));
        self.late.variables.insert(g, LateVariable { var: *var, name, site });
        true
    }

    // Uses --------------------------------------------------------------------------------------

    /// Requests the check of a function's body, which a call needs. Instances that overload resolution did not select may have invalid
    /// bodies.
    pub fn request_body(&mut self, func: FuncId) {
        if self.late.at_end {
            return;
        }
        if self.funcs.waiting(func).is_none_or(|p| p.ast.body.is_none()) {
            // It may be defined later.
            self.funcs[func].requested = true;
        } else if let Some(p) = self.funcs.take_waiting(func) {
            self.funcs[func].defined = true;
            self.funcs.check_soon(p);
        }
    }

    /// Defines a type that is named, if it waits for that.
    pub fn complete(&mut self, ty: Ty) {
        if self.late.types.is_empty() {
            return;
        }
        let Some(late) = self.late.types.remove(&ty) else {
            return;
        };
        self.late.defined.insert(self.ast.decls[late.decl].span);
        self.at_site(&late.site, |s| {
            let d = s.ast.decls[late.decl];
            match (d.kind, s.kind(ty)) {
                (DeclKind::Record(r), TyKind::Record(record)) => {
                    s.define_record(record, &r, d.attrs);
                    if let Some(ctx) = s.records[record].ctx {
                        late.outside.iter().for_each(|&o| s.walk_scopes(o, ctx, false));
                    }
                }
                (DeclKind::Enum(e), TyKind::Enum(en)) => s.define_enum(en, ty, &e),
                _ => {}
            }
        });
    }

    /// Gives a variable its value, if it waits for that.
    pub fn evaluate_late(&mut self, g: GlobalId) {
        if self.late.members.is_empty() {
            return;
        }
        if let Some(used) = self.late.members.get_mut(&g) {
            *used = true;
        }
        if let Some(late) = self.late.variables.remove(&g) {
            self.at_site(&late.site, |s| s.init_static(g, &late.var, late.name));
        }
    }

    fn at_site<R>(&mut self, site: &Site, run: impl FnOnce(&mut Self) -> R) -> R {
        let f = std::mem::take(&mut self.f);
        let steps = std::mem::replace(&mut self.steps, site.steps.clone());
        // Bodies of methods wait, and none of the current class is checked now.
        let class = self.nesting.enter_class();
        let result = self.in_ctx(site.ctx, run);
        self.nesting.classes = class;
        self.steps = steps;
        self.f = f;
        result
    }

    // Parts without a use -----------------------------------------------------------------------

    /// Reports what is wrong in parts without a use whatever the arguments are.
    pub fn check_unused_parts(&mut self) {
        self.late.at_end = true;
        let mut at = 0;
        // Classes that are defined here add the parts that they have.
        while let Some(&part) = self.late.order.get(at) {
            at += 1;
            let Some(ctx) = self.context_of(part) else {
                continue;
            };
            let from = self.reports.count();
            // The declaration, which the general instance has too.
            let decl = self.define_part(part);
            if self.reports.count() == from {
                continue;
            }
            let found = self.reports.since(from);
            let general = self.reports_of_general(part, decl, ctx);
            self.reports.extend(found.into_iter().filter(|d| general.contains(&key(d))));
            if let Part::Body(f) = part {
                self.forget_body(f);
            }
        }
        self.late.at_end = false;
    }

    /// The context of a part that waits still.
    fn context_of(&self, part: Part) -> Option<CtxId> {
        match part {
            Part::Body(f) => self.funcs.waiting(f).map(|p| p.ctx),
            Part::Type(t) => self.late.types.get(&t).map(|l| l.site.ctx),
            Part::Variable(g) => self.late.variables.get(&g).map(|l| l.site.ctx),
        }
    }

    /// Defines a part that waits. The result is where it is written.
    fn define_part(&mut self, part: Part) -> Span {
        match part {
            Part::Body(f) => {
                let Some(p) = self.funcs.take_waiting(f) else {
                    return Span::NONE;
                };
                let span = p.ast.name.span();
                self.without_parts(|s| s.check_body(p));
                span
            }
            Part::Type(t) => {
                let span = self.span_of_type(t);
                self.complete(t);
                span
            }
            Part::Variable(g) => {
                let span = self.late.variables.get(&g).map_or(Span::NONE, |l| l.name.span);
                self.without_parts(|s| s.evaluate_late(g));
                span
            }
        }
    }

    fn span_of_type(&self, t: Ty) -> Span {
        self.late.types.get(&t).map_or(Span::NONE, |l| self.ast.decls[l.decl].span)
    }

    /// Instances that are made meanwhile have no parts that are checked at the end.
    pub fn without_parts<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let closed = std::mem::replace(&mut self.late.closed, self.late.at_end);
        let result = run(self);
        self.late.closed = closed;
        result
    }

    fn forget_body(&mut self, f: FuncId) {
        self.funcs[f].defined = false;
        self.funcs[f].uses = Vec::new();
        self.m.funcs[f].body.root = None;
    }

    // The general instance ----------------------------------------------------------------------

    /// The instances around a context, innermost first.
    fn instances_around(&self, ctx: CtxId) -> Vec<RecordId> {
        let mut found = Vec::new();
        let mut at = Some(ctx);
        while let Some(id) = at {
            let c = &self.scopes.ctxs[id];
            if let CtxKind::Record(r) = c.kind
                && self.templates.is_instance(r)
            {
                found.push(r);
            }
            at = c.parent;
        }
        found
    }

    /// What the general instance reports for `part` of a real one, which is written at `decl`.
    fn reports_of_general(&mut self, part: Part, decl: Span, ctx: CtxId) -> FxHashSet<(&'static str, Span)> {
        let none = FxHashSet::default();
        // In an instance that is inside of another one, all depends on arguments.
        let [real] = self.instances_around(ctx)[..] else {
            return none;
        };
        let Some(of) = self.templates.instance_of(real).cloned() else {
            return none;
        };
        let Some(general) = self.general_instance(&of) else {
            return none;
        };
        self.reports.mute();
        // What is inside of a class is there when the class is defined.
        while let Some(&t) =
            self.late.types.iter().find(|(_, l)| self.is_defined_elsewhere(l, decl) && self.is_around(general, l.site.ctx)).map(|l| l.0)
        {
            self.without_parts(|s| s.complete(t));
        }
        self.reports.unmute();
        let found = match part {
            Part::Body(_) => {
                self.funcs.all_waiting().find(|p| p.ast.name.span() == decl && self.is_around(general, p.ctx)).map(|p| Part::Body(p.func))
            }
            Part::Type(_) => {
                let of = self.late.types.iter().find(|(_, l)| self.ast.decls[l.decl].span == decl && self.is_around(general, l.site.ctx));
                of.map(|l| Part::Type(*l.0))
            }
            Part::Variable(_) => {
                let of = self.late.variables.iter().find(|(_, l)| l.name.span == decl && self.is_around(general, l.site.ctx));
                of.map(|l| Part::Variable(*l.0))
            }
        };
        let Some(same) = found else {
            return none;
        };
        let known_bases = self.context_of(same).is_some_and(|c| self.has_same_bases(ctx, c));
        let from = self.reports.count();
        let reported = self.reports.forget();
        self.without_parts(|s| s.define_part(same));
        self.reports.remember(reported);
        if let Part::Body(f) = same {
            self.forget_body(f);
        }
        let reports = self.reports.since(from).iter().map(key).collect();
        if known_bases { reports } else { none }
    }

    /// Whether a type other than that at `decl` is defined in some instance: its own reports are known.
    fn is_defined_elsewhere(&self, late: &LateType, decl: Span) -> bool {
        let span = self.ast.decls[late.decl].span;
        span != decl && self.late.defined.contains(&span)
    }

    fn is_around(&self, record: RecordId, ctx: CtxId) -> bool {
        self.instances_around(ctx).contains(&record)
    }

    /// Whether the classes around two contexts have bases, or not, in the same places.
    fn has_same_bases(&self, a: CtxId, b: CtxId) -> bool {
        let bases = |ctx| {
            let mut found = Vec::new();
            let mut at = Some(ctx);
            while let Some(id) = at {
                let c = &self.scopes.ctxs[id];
                if let CtxKind::Record(r) = c.kind {
                    found.push(self.m.types.records[r].base.is_some());
                }
                at = c.parent;
            }
            found
        };
        bases(a) == bases(b)
    }

    /// The instance of the template, or of the specialisation, that `of` is one of, with unknown arguments.
    fn general_instance(&mut self, of: &InstanceOf) -> Option<RecordId> {
        let at = (of.template, of.special);
        if let Some(&known) = self.late.general.get(&at) {
            return known;
        }
        let (decl, params, parent) = match of.special {
            Some(i) => {
                let s = &self.templates[of.template].special[i];
                (s.decl, self.ast.list(s.params).to_vec(), s.ctx)
            }
            None => match self.templates[of.template].kind {
                TemplateKind::Record(decl) => (decl, self.template_params(of.template), self.templates[of.template].ctx),
                _ => return None,
            },
        };
        let names = params.iter().filter_map(|p| p.name.map(|n| (n.sym, Binding::Error))).collect();
        let ctx = self.scopes.ctxs.push(super::scope::Ctx { kind: CtxKind::Names(names), parent: Some(parent), of: None, params: true });
        let unknown = |values: &[ArgValue]| vec![ArgValue::Type(Ty::ERROR); values.len()];
        let general = InstanceOf { values: unknown(&of.values), own: unknown(&of.own), ..of.clone() };
        let span = self.ast.decls[decl].span;
        self.reports.mute();
        let made = self.without_parts(|s| s.instantiate_record(general, decl, ctx, span));
        let made = made.and_then(|ty| self.m.types.as_record(ty));
        made.into_iter().for_each(|r| self.without_parts(|s| s.attach_all(r)));
        self.reports.unmute();
        self.late.general.insert(at, made);
        made
    }
}

impl Late {
    fn note_part(&mut self, part: Part) {
        if !self.closed {
            self.order.push(part);
        }
    }

    /// Whether a variable waits for its value. It does no longer after this.
    pub fn forget_value(&mut self, g: GlobalId) -> bool {
        self.variables.remove(&g).is_some()
    }

    /// Keeps a definition of a member of `ty` outside until `ty` is defined. False if it is defined.
    pub fn wait_with(&mut self, ty: Ty, o: OutOfLine) -> bool {
        let late = self.types.get_mut(&ty);
        late.map(|l| l.outside.push(o)).is_some()
    }
}

/// What makes two reports the same.
fn key(d: &Diagnostic) -> (&'static str, Span) {
    (d.code.id, d.span())
}
