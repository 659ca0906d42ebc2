//! Declaration and lookup of names, qualified or not, from the innermost scope outwards.

use rtc_base::{EntityRef as _, Span, Symbol};
use rtc_tables::intrinsics::{self, Scope as RowScope};
use rtc_tables::limits::HEAP_MODEL;
use rustc_hash::FxHashMap;

use super::context::Sema;
use super::errors::names as err;
use super::scope::{Binding, CtxKind, GLOBAL, Holder, Horizon, LookupResult, NsId, Qualifier, Scopes, Wanted};
use crate::hir::{RecordId, Ty, TyKind, Types};
use crate::syntax::{Ast, ast};

/// Whether something with this meaning may have the name of a structure or enumeration of its scope.
fn hides_types(b: Binding) -> bool {
    matches!(b, Binding::Global(_) | Binding::Local(_) | Binding::Functions(_))
}

impl Sema<'_> {
    /// Whether the current scope is in the body of a function (and not in a class declared there).
    pub fn in_function(&self) -> bool {
        self.f.is_inside()
    }

    /// Declares `name`; a clash with something else of this scope is reported.
    pub fn declare_at(&mut self, name: Symbol, span: Span, b: Binding) {
        let old = self.declared_here(name);
        match old {
            Some((o, _)) if o == b || o == Binding::Error => {}
            // A variable or function may have the name of a structure: `ConstantBuffer<Camera> Camera`.
            Some((Binding::Type(t), _)) if hides_types(b) && matches!(self.kind(t), TyKind::Record(_) | TyKind::Enum(_)) => {
                self.hide_type(name, t);
            }
            // It hides a structure that is declared after it, too.
            Some((o, _)) if hides_types(o) && matches!(b, Binding::Type(t) if self.m.types.declares(t, name)) => {
                if let Binding::Type(t) = b {
                    self.hide_type(name, t);
                    self.note_declaration(name, span, b);
                }
                if !self.in_function() {
                    return;
                }
                // In a block the innermost meaning is the last on the stack.
                self.scopes.stack.push((name, b, span));
                self.scopes.stack.push((name, o, span));
                return;
            }
            Some((_, at)) if b != Binding::Error && !(at == Span::NONE && self.in_function()) => {
                // A declaration of unknown type declares nothing: the type is already reported.
                if !matches!(b, Binding::Local(l) if self.body.locals[l].ty == Ty::ERROR) {
                    let text = self.str(name).to_string();
                    self.report(err::redeclared(span, &text, at));
                }
                return;
            }
            _ => {}
        }
        if self.in_function() {
            self.scopes.stack.push((name, b, span));
            self.note_declaration(name, span, b);
            return;
        }
        if self.is_heap_again(name, b) {
            let text = self.str(name).to_string();
            return self.report(err::heap_redeclared(span, &text));
        }
        match &mut self.scopes.ctxs[self.scopes.ctx].kind {
            CtxKind::Record(r) => {
                self.records[*r].names.insert(name, (b, span));
            }
            CtxKind::Namespace(ns) => {
                self.scopes.namespaces[*ns].names.insert(name, (b, span));
            }
            CtxKind::Names(_) => {
                let ns = self.scopes.namespace();
                self.scopes.namespaces[ns].names.insert(name, (b, span));
            }
        }
        self.note_declaration(name, span, b);
    }

    /// Remembers a type that something of its name hides in the current context. In blocks the stack has both.
    fn hide_type(&mut self, name: Symbol, ty: Ty) {
        if self.in_function() {
            return;
        }
        self.scopes.hide_type(name, ty);
    }

    /// The type that `struct name` names: the innermost one, whatever hides it; in `qualifier`, if there is one.
    pub fn elaborated(&mut self, qualifier: Option<Qualifier>, name: Symbol) -> Option<Ty> {
        let is_type = |b: Binding| if let Binding::Type(t) = b { Some(t) } else { None };
        match qualifier {
            Some(Qualifier::Namespace(ns)) => {
                let hidden = self.scopes.hidden_in(Holder::Namespace(ns), name);
                return hidden.or_else(|| self.lookup_in_namespace(ns, name).and_then(is_type));
            }
            Some(Qualifier::Type(t)) => {
                let r = self.m.types.as_record(t)?;
                let hidden = self.scopes.hidden_in(Holder::Record(r), name);
                return hidden.or_else(|| self.lookup_member(r, name).and_then(|f| is_type(f.binding)));
            }
            None => {}
        }
        let found = self.scopes.stack.from(self.scopes.base).iter().rev().filter(|e| e.0 == name).find_map(|e| is_type(e.1));
        if found.is_some() {
            return found;
        }
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            if let Some(t) = self.scopes.hidden_at(id, name) {
                return Some(t);
            }
            let found = match &self.scopes.ctxs[id].kind {
                CtxKind::Names(map) => map.get(&name).copied(),
                CtxKind::Record(r) => self.lookup_inside(*r, name).map(|f| f.binding),
                CtxKind::Namespace(ns) => self.lookup_in_namespace(*ns, name),
            };
            if let Some(t) = found.and_then(is_type) {
                return Some(t);
            }
            at = self.scopes.ctxs[id].parent;
        }
        None
    }

    /// Whether a declaration outside of namespaces and functions gives the name of a descriptor heap to something else. A structure
    /// may have it, as it may have that of a variable; before shader model 6.6 there are no heaps.
    fn is_heap_again(&mut self, name: Symbol, b: Binding) -> bool {
        let outside = matches!(self.scopes.ctxs[self.scopes.ctx].kind, CtxKind::Namespace(ns) if ns == GLOBAL);
        let structure = matches!(b, Binding::Type(t) if matches!(self.kind(t), TyKind::Record(_) | TyKind::Enum(_)));
        let heap = outside && !structure && b != Binding::Error && u32::from(self.opts.shader_model) >= HEAP_MODEL;
        heap && matches!(self.builtin(name), Some(Binding::Heap(_)))
    }

    /// What `name` was declared as in the innermost scope itself.
    pub fn declared_here(&self, name: Symbol) -> Option<(Binding, Span)> {
        if self.in_function() {
            let found = self.scopes.stack.find(name, self.scopes.mark);
            return found.map(|e| (e.1, e.2));
        }
        match &self.scopes.ctxs[self.scopes.ctx].kind {
            CtxKind::Record(r) => self.records[*r].names.get(&name).copied(),
            CtxKind::Namespace(ns) => self.scopes.namespaces[*ns].names.get(&name).copied(),
            CtxKind::Names(_) => {
                let ns = self.scopes.namespace();
                self.scopes.namespaces[ns].names.get(&name).copied()
            }
        }
    }

    /// Looks `name` up, from the innermost scope outwards.
    pub fn lookup(&mut self, name: Symbol) -> Option<LookupResult> {
        self.declared(name).or_else(|| Some(LookupResult { binding: self.builtin(name)?, record: None }))
    }

    /// The innermost declaration of the program that a name without qualification finds.
    pub fn declared(&mut self, name: Symbol) -> Option<LookupResult> {
        let free = |binding| Some(LookupResult { binding, record: None });
        if let Some(e) = self.scopes.stack.find(name, self.scopes.base) {
            return free(e.1);
        }
        let mut at = Some(self.scopes.ctx);
        let horizon = self.horizon();
        while let Some(id) = at {
            let ctx = &self.scopes.ctxs[id];
            match &ctx.kind {
                CtxKind::Names(map) => {
                    if let Some(&b) = map.get(&name) {
                        return free(b);
                    }
                }
                CtxKind::Record(r) => {
                    if let Some(f) = self.lookup_inside(*r, name) {
                        return Some(f);
                    }
                }
                CtxKind::Namespace(ns) => {
                    let found = self.lookup_in_namespace(*ns, name);
                    if let Some(b) = found.filter(|&b| horizon.is_none_or(|h| !self.is_later(h, b, name))) {
                        return free(b);
                    }
                }
            }
            at = self.scopes.ctxs[id].parent;
        }
        for i in (0..self.scopes.usings.len()).rev() {
            let ns = self.scopes.usings[i].1;
            let found = self.lookup_in_namespace(ns, name);
            if let Some(b) = found.filter(|&b| horizon.is_none_or(|h| !self.is_later(h, b, name))) {
                return free(b);
            }
        }
        None
    }

    /// Why a template does not find a name that its source has: a note for the error.
    pub fn hidden_from_template(&mut self, name: Symbol) -> Option<String> {
        let text = self.str(name).to_string();
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            match self.scopes.holder(id) {
                Some(Holder::Record(r)) if self.lookup_member(r, name).is_some() => {
                    let note = "is a member of a base that depends on template parameters, where names alone are not looked up: write";
                    return Some(format!("`{text}` {note} `this.{text}`, or the base before `::`"));
                }
                Some(Holder::Namespace(ns)) if self.lookup_in_namespace(ns, name).is_some() => {
                    return Some(format!("`{text}` is declared after the template, which finds what is declared before it"));
                }
                _ => at = self.scopes.ctxs[id].parent,
            }
        }
        None
    }

    /// What is declared where the innermost template around is defined, in an instance of it. A class template with members that are defined outside has
    /// several such places, of which none counts.
    pub fn horizon(&self) -> Option<Horizon> {
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            if let Some(t) = self.scopes.ctxs[id].of {
                let t = &self.templates[t];
                return t.outside.is_empty().then_some(t.horizon);
            }
            at = self.scopes.ctxs[id].parent;
        }
        None
    }

    /// Whether all that `name` means in a namespace is declared after a template. Types are later only if they have the name from their
    /// declaration.
    fn is_later(&self, h: Horizon, b: Binding, name: Symbol) -> bool {
        match b {
            Binding::Type(t) if self.m.types.declares(t, name) => match self.kind(t) {
                TyKind::Record(r) => r.index() >= h.records,
                TyKind::Enum(e) => e.index() >= h.enums,
                _ => false,
            },
            Binding::Global(g) | Binding::Constant(g, _) => g.index() >= h.globals,
            Binding::Template(t) => t.index() >= h.templates,
            Binding::Functions(set) => self.scopes[set].iter().all(|&o| h.hides(o)),
            _ => false,
        }
    }

    /// A member of `record` or of what it inherits from.
    pub fn lookup_member(&self, record: RecordId, name: Symbol) -> Option<LookupResult> {
        let mut at = Some(record);
        while let Some(r) = at {
            if let Some(&(binding, _)) = self.records[r].names.get(&name) {
                return Some(LookupResult { binding, record: Some(r) });
            }
            at = self.m.types.records[r].base;
        }
        None
    }

    /// A member of `record`, inside of which there is a name without qualification: what it inherits from is looked at unless that depends
    /// on template parameters.
    pub fn lookup_inside(&self, record: RecordId, name: Symbol) -> Option<LookupResult> {
        if !self.records[record].dependent_base {
            return self.lookup_member(record, name);
        }
        let &(binding, _) = self.records[record].names.get(&name)?;
        Some(LookupResult { binding, record: Some(record) })
    }

    /// Whether a type names a template parameter, itself or in its arguments.
    pub fn depends(&self, ty: ast::TypeId) -> bool {
        self.ast.names_in_argument(ast::TemplateArg::Type(ty), &|name| self.scopes.is_template_parameter(name))
    }

    /// Reports a name whose meaning `using namespace` makes ambiguous. Functions are no such names: they are overloads.
    pub fn check_ambiguous(&mut self, name: ast::Name) -> bool {
        if !self.scopes.uses_namespaces {
            return false;
        }
        if self.str(name.sym) == "HitObject" {
            // Namespace `dx` has the type whether or not it is used.
            self.m.types.intern(TyKind::HitObject);
        }
        let places = self.meanings(name.sym);
        let ambiguous = places.len() > 1;
        if ambiguous && self.reports.is_first(("ambiguous", name.span)) {
            let text = self.str(name.sym).to_string();
            let known: Vec<Span> = places.into_iter().filter(|at| !at.is_none()).collect();
            self.report(err::ambiguous(name.span, &text, &known));
        }
        ambiguous
    }

    /// The declarations of `name` that an unqualified lookup finds in the namespace where it ends: of the namespace itself, or of those that it
    /// uses.
    fn meanings(&self, name: Symbol) -> Vec<Span> {
        let found = self.visible_meanings(name);
        let functions = found.iter().all(|f| matches!(f.0, Binding::Functions(_)));
        let broken = found.iter().any(|f| f.0 == Binding::Error);
        if functions || broken { Vec::new() } else { found.into_iter().map(|f| f.1).collect() }
    }

    /// What `name` means in the namespace where an unqualified lookup ends; nothing if it ends elsewhere.
    pub fn visible_meanings(&self, name: Symbol) -> Vec<(Binding, Span)> {
        if self.scopes.stack.find(name, self.scopes.base).is_some() {
            return Vec::new();
        }
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            let ctx = &self.scopes.ctxs[id];
            at = ctx.parent;
            let ns = match &ctx.kind {
                CtxKind::Names(map) if map.contains_key(&name) => return Vec::new(),
                CtxKind::Record(r) if self.lookup_inside(*r, name).is_some() => return Vec::new(),
                CtxKind::Names(_) | CtxKind::Record(_) => continue,
                CtxKind::Namespace(ns) => *ns,
            };
            let found = self.meanings_in(ns, name);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// What `ns::name` means: what the namespace declares, else what it uses.
    pub fn qualified_meanings(&self, ns: NsId, name: Symbol) -> Vec<(Binding, Span)> {
        match self.scopes.namespaces[ns].names.get(&name) {
            Some(&own) => vec![own],
            None => self.meanings_in(ns, name),
        }
    }

    /// What `name` means in `ns`. What an inner namespace declares hides what it uses, which seems to be declared in the global one.
    fn meanings_in(&self, ns: NsId, name: Symbol) -> Vec<(Binding, Span)> {
        let mut found: Vec<(Binding, Span)> = Vec::new();
        let mut todo = vec![ns];
        if ns == GLOBAL {
            todo.extend(self.scopes.usings.iter().map(|u| u.1));
        }
        let mut at = 0;
        while let Some(&n) = todo.get(at) {
            at += 1;
            let space = &self.scopes.namespaces[n];
            let own = space.names.get(&name).copied();
            let hit_object = n == self.scopes.dx && self.str(name) == "HitObject";
            let known = self.m.types.find(TyKind::HitObject).filter(|_| hit_object).map(|t| (Binding::Type(t), Span::NONE));
            if let Some(f) = own.or(known)
                && !found.iter().any(|g| g.0 == f.0)
            {
                found.push(f);
            }
            if ns != GLOBAL && n == ns && !found.is_empty() {
                return found;
            }
            for &u in &space.usings {
                if !todo.contains(&u) {
                    todo.push(u);
                }
            }
        }
        found
    }

    /// A name of namespace `ns`, or of one that it uses.
    pub fn lookup_in_namespace(&mut self, ns: NsId, name: Symbol) -> Option<Binding> {
        let mut todo = vec![ns];
        let mut at = 0;
        while let Some(&n) = todo.get(at) {
            at += 1;
            if let Some(&(b, _)) = self.scopes.namespaces[n].names.get(&name) {
                return Some(b);
            }
            for &u in &self.scopes.namespaces[n].usings {
                if !todo.contains(&u) {
                    todo.push(u);
                }
            }
        }
        if todo.contains(&self.scopes.dx) && self.str(name) == "HitObject" {
            return Some(Binding::Type(self.m.types.intern(TyKind::HitObject)));
        }
        None
    }

    /// The intrinsics that `name` can mean when written without qualification, or in namespace `ns`.
    pub fn rows(&self, ns: Option<NsId>, name: Symbol) -> Vec<&'static intrinsics::Intrinsic> {
        let text = self.str(name);
        let mut out = Vec::new();
        let mut add = |scope| out.extend(intrinsics::find(scope, text));
        if let Some(ns) = ns {
            if let Some(scope) = self.scopes.namespaces[ns].rows {
                add(scope);
            }
            return out;
        }
        add(RowScope::Free);
        let mut seen = vec![GLOBAL];
        let mut todo: Vec<NsId> = self.scopes.usings.iter().map(|u| u.1).collect();
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            if let CtxKind::Namespace(ns) = self.scopes.ctxs[id].kind {
                todo.push(ns);
                todo.extend(&self.scopes.namespaces[ns].usings);
            }
            at = self.scopes.ctxs[id].parent;
        }
        for ns in todo {
            if !seen.contains(&ns) {
                seen.push(ns);
                if let Some(scope) = self.scopes.namespaces[ns].rows {
                    add(scope);
                }
            }
        }
        out
    }

    /// A name of the language.
    pub fn builtin(&mut self, name: Symbol) -> Option<Binding> {
        if let Some(&b) = self.scopes.builtins.get(&name) {
            return b;
        }
        let b = self.find_builtin(name);
        self.scopes.builtins.insert(name, b);
        b
    }

    fn find_builtin(&mut self, name: Symbol) -> Option<Binding> {
        use rtc_tables::types as table;
        let text = self.names.str(name).to_string();
        if let Some(ty) = self.builtin_type(&text) {
            return Some(Binding::Type(ty));
        }
        match text.as_str() {
            "ResourceDescriptorHeap" => return Some(Binding::Heap(false)),
            "SamplerDescriptorHeap" => return Some(Binding::Heap(true)),
            _ => {}
        }
        if !text.starts_with(|c: char| c.is_ascii_uppercase()) {
            // Enumerations and their constants begin with a capital letter.
            return None;
        }
        for e in table::ENUMS {
            if e.name == text {
                return Some(Binding::Type(Ty::UINT));
            }
            if let Some(item) = e.items.iter().find(|i| i.0 == text) {
                return Some(Binding::Value(Ty::UINT, item.1 as u64));
            }
        }
        None
    }

    /// `std::is_same<A, B>::value`, the only name of C++'s library that the language has, in every version, unless the program has a namespace
    /// `std`.
    fn std_is_same(&mut self, segments: &[ast::Segment]) -> Option<Binding> {
        let &[space, class, member] = segments else { return None };
        let args = class.args.filter(|a| a.len() == 2 && space.args.is_none() && member.args.is_none())?;
        let named = self.str(space.name.sym) == "std" && self.str(class.name.sym) == "is_same" && self.str(member.name.sym) == "value";
        if !named || self.lookup(space.name.sym).is_some() {
            return None;
        }
        let [a, b] = [0, 1].map(|n| self.ast.list(args)[n]);
        Some(match (self.type_arg(a), self.type_arg(b)) {
            (Some(Ty::ERROR) | None, _) | (_, Some(Ty::ERROR) | None) => Binding::Error,
            (Some(a), Some(b)) => Binding::Value(Ty::BOOL, u64::from(a == b)),
        })
    }

    /// The binding of `path`; `None` after an error.
    pub fn resolve_path(&mut self, path: ast::PathId) -> Option<LookupResult> {
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments).to_vec();
        if let Some(binding) = self.std_is_same(&segments) {
            return Some(LookupResult { binding, record: None });
        }
        let (last, outer) = segments.split_last()?;
        let mut qualifier: Option<Qualifier> = p.global.then_some(Qualifier::Namespace(GLOBAL));
        for s in outer {
            if qualifier.is_none() && self.check_ambiguous(s.name) {
                return None;
            }
            let found = self.lookup_scope(qualifier, s.name.sym);
            if let Some(found) = found {
                self.note_use(s.name, found);
            }
            let found = match (found, s.args) {
                (Some(LookupResult { binding: Binding::Template(t), .. }), Some(args)) => {
                    let ty = self.instantiate_type(t, args, s.name.span)?;
                    Some(LookupResult { binding: Binding::Type(ty), record: None })
                }
                (f, _) => f,
            };
            let name = self.str(s.name.sym).to_string();
            qualifier = Some(match found.map(|f| f.binding) {
                Some(Binding::Namespace(ns)) => Qualifier::Namespace(ns),
                Some(Binding::Type(t)) => {
                    self.complete(t);
                    Qualifier::Type(t)
                }
                Some(Binding::Error) => return None,
                Some(_) => {
                    self.report(err::no_scope(s.name.span, &name));
                    return None;
                }
                None => {
                    let near = self.similar(s.name.sym, Wanted::Scope);
                    self.report(err::undeclared(s.name.span, &name, near));
                    return None;
                }
            });
        }
        if let Some(Qualifier::Type(Ty::ERROR)) = qualifier {
            return None;
        }
        let found = self.lookup_segment(qualifier, last.name.sym);
        self.probe_scope(qualifier, last.name.sym);
        if let Some(found) = found {
            self.note_use(last.name, found);
        } else {
            let d = match qualifier {
                None => {
                    self.report_undeclared(last.name, Wanted::Value);
                    return None;
                }
                Some(qualifier) => self.not_inside(qualifier, last.name),
            };
            self.report(d);
        }
        found.filter(|f| f.binding != Binding::Error)
    }

    /// Reports an undeclared name, once in a function; not in functions with syntax errors, where declarations may be missing.
    pub fn report_undeclared(&mut self, name: ast::Name, wanted: Wanted) {
        if !self.f.broken && !self.reports.is_unknown_type(name.sym) {
            let text = self.str(name.sym).to_string();
            let d = match self.hidden_from_template(name.sym) {
                Some(why) => err::undeclared(name.span, &text, None).note(why),
                None => err::undeclared(name.span, &text, self.similar(name.sym, wanted)),
            };
            // As for types: a file may hold the entries of other stages.
            let other = rtc_tables::intrinsics::coverage::why_absent(&text).is_some_and(|why| why.ends_with("only"));
            match self.opts.target {
                super::Target::Shader(..) if other => self.stages.of_other_stages(d),
                _ => self.report(d),
            }
        }
        if self.in_function() && !self.reports.is_muted() {
            self.scopes.stack.push((name.sym, Binding::Error, name.span));
        }
    }

    /// The qualifier before the last `::` of `path`, without reports: `None` if there is none or it is invalid.
    pub fn path_qualifier(&mut self, path: ast::PathId) -> Option<Qualifier> {
        let p = self.ast.paths[path];
        let segments = self.ast.list(p.segments).to_vec();
        let (_, outer) = segments.split_last()?;
        let mut qualifier: Option<Qualifier> = p.global.then_some(Qualifier::Namespace(GLOBAL));
        for s in outer {
            let found = self.lookup_scope(qualifier, s.name.sym)?;
            self.note_use(s.name, found);
            qualifier = Some(match (found.binding, s.args) {
                (Binding::Namespace(ns), _) => Qualifier::Namespace(ns),
                (Binding::Type(t), _) => {
                    self.complete(t);
                    Qualifier::Type(t)
                }
                (Binding::Template(t), Some(args)) => Qualifier::Type(self.instantiate_type(t, args, s.name.span)?),
                _ => return None,
            });
        }
        qualifier
    }

    /// A name before `::`: only namespaces, types and templates are looked up.
    pub fn lookup_scope(&mut self, qualifier: Option<Qualifier>, name: Symbol) -> Option<LookupResult> {
        let names_scope = |b: &Binding| matches!(b, Binding::Namespace(_) | Binding::Type(_) | Binding::Template(_) | Binding::Error);
        let first = self.lookup_segment(qualifier, name);
        let free = |binding| Some(LookupResult { binding, record: None });
        if first.is_none_or(|f| names_scope(&f.binding)) {
            return first;
        }
        if qualifier.is_some() {
            let ty = self.elaborated(qualifier, name);
            return ty.map_or(first, |t| free(Binding::Type(t)));
        }
        if let Some(e) = self.scopes.stack.from(self.scopes.base).iter().rev().find(|e| e.0 == name && names_scope(&e.1)) {
            return free(e.1);
        }
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            let found = match &self.scopes.ctxs[id].kind {
                CtxKind::Names(map) => map.get(&name).copied(),
                CtxKind::Record(r) => self.lookup_inside(*r, name).map(|f| f.binding),
                CtxKind::Namespace(ns) => self.lookup_in_namespace(*ns, name),
            };
            if let Some(b) = found.filter(names_scope) {
                return free(b);
            }
            // A variable or function of a structure's name hides it.
            if let Some(t) = self.scopes.hidden_at(id, name) {
                return free(Binding::Type(t));
            }
            at = self.scopes.ctxs[id].parent;
        }
        first
    }

    /// One name of a path: in `qualifier`, or from the innermost scope outwards.
    pub fn lookup_segment(&mut self, qualifier: Option<Qualifier>, name: Symbol) -> Option<LookupResult> {
        let free = |binding| LookupResult { binding, record: None };
        match qualifier {
            None => self.lookup(name),
            Some(Qualifier::Namespace(ns)) => match self.lookup_in_namespace(ns, name) {
                Some(b) => Some(free(b)),
                None if ns == GLOBAL => self.builtin(name).map(free),
                None => None,
            },
            Some(Qualifier::Type(t)) => match self.kind(t) {
                TyKind::Record(r) => self.lookup_member(r, name),
                TyKind::Enum(e) => {
                    let items = &self.m.types.enums[e].items;
                    let item = items.iter().find(|i| i.0 == name)?;
                    let bits = self.m.types.enum_bits(e, item.1);
                    let number = Ty::scalar(self.m.types.enums[e].underlying);
                    let open = self.nesting.open_enum == Some(e);
                    Some(free(Binding::Value(if open { number } else { t }, bits)))
                }
                _ => None,
            },
        }
    }
}

impl Scopes {
    /// The names of a block that a class or template declared in it may use: types and constants.
    pub fn capture_block_names(&self) -> FxHashMap<Symbol, Binding> {
        self.stack.from(self.base).iter().filter(|(_, b, _)| !matches!(b, Binding::Local(_))).map(|&(s, b, _)| (s, b)).collect()
    }

    /// The type that something of its name hides in the current context itself.
    pub fn hidden_here(&self, name: Symbol) -> Option<Ty> {
        self.hidden_at(self.ctx, name)
    }

    /// Whether the name is that of a parameter of a template that is being instantiated.
    pub fn is_template_parameter(&self, name: Symbol) -> bool {
        let mut at = Some(self.ctx);
        while let Some(id) = at {
            let c = &self.ctxs[id];
            if c.params && matches!(&c.kind, CtxKind::Names(map) if map.contains_key(&name)) {
                return true;
            }
            at = c.parent;
        }
        false
    }
}

impl Types {
    /// Whether the declaration of `ty` itself, rather than an alias, gives it that name.
    pub(crate) fn declares(&self, ty: Ty, name: Symbol) -> bool {
        match self.kind(ty) {
            TyKind::Record(r) => self.records[r].name == name,
            TyKind::Enum(e) => self.enums[e].name == name,
            _ => false,
        }
    }
}

impl Ast {
    /// Whether a template argument, or a part of it, names one of these.
    pub(crate) fn names_in_argument(&self, arg: ast::TemplateArg, is_one: &dyn Fn(Symbol) -> bool) -> bool {
        let (mut types, mut paths) = (Vec::new(), Vec::new());
        match arg {
            ast::TemplateArg::Type(t) => types.push(t),
            ast::TemplateArg::Expr(e) => self.paths_and_types_of(e, &mut paths, &mut types),
        }
        loop {
            if let Some(path) = paths.pop() {
                for s in self.list(self.paths[path].segments) {
                    if is_one(s.name.sym) {
                        return true;
                    }
                    for &a in self.list(s.args.unwrap_or(ast::List::EMPTY)) {
                        match a {
                            ast::TemplateArg::Type(t) => types.push(t),
                            ast::TemplateArg::Expr(e) => self.paths_and_types_of(e, &mut paths, &mut types),
                        }
                    }
                }
            } else if let Some(t) = types.pop() {
                match self.types[t].kind {
                    ast::TypeKind::Named(path) => paths.push(path),
                    ast::TypeKind::Attributed(path, attrs) => {
                        paths.push(path);
                        for &e in self.list(attrs).iter().flat_map(|a| self.list(a.args)) {
                            self.paths_and_types_of(e, &mut paths, &mut types);
                        }
                    }
                    ast::TypeKind::Of(e) => self.paths_and_types_of(e, &mut paths, &mut types),
                    ast::TypeKind::Indirect(inner, _) => types.push(inner),
                    ast::TypeKind::Function(ret, params) => {
                        types.push(ret);
                        for p in self.list(params) {
                            types.push(p.ty);
                            for e in self.list(p.dims).iter().filter_map(|d| d.size) {
                                self.paths_and_types_of(e, &mut paths, &mut types);
                            }
                        }
                    }
                    ast::TypeKind::Array(inner, dims) => {
                        types.push(inner);
                        for e in self.list(dims).iter().filter_map(|d| d.size) {
                            self.paths_and_types_of(e, &mut paths, &mut types);
                        }
                    }
                    _ => {}
                }
            } else {
                return false;
            }
        }
    }
}
