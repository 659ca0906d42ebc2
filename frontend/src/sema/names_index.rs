//! Recording of names for the [index](crate::index): declarations, uses, and what is visible at the probe.

use rtc_base::{Span, Symbol};
use rtc_tables::intrinsics::{Object, Scope as RowScope};
use rustc_hash::FxHashSet;

use super::context::Sema;
use super::scope::{Binding, CtxKind, LookupResult, NsId, Overload, Qualifier};
use crate::hir::{FuncId, RecordId, Ty, TyKind};
use crate::index::{Entity, Index, Occurrence, Role, Visible, VisibleName};
use crate::syntax::ast;

impl Sema<'_> {
    /// Records the declaration of `name`, which is bound to `b` in the current context.
    pub fn note_declaration(&mut self, name: Symbol, span: Span, b: Binding) {
        if self.index.is_none() {
            return;
        }
        let record = match self.scopes.ctxs[self.scopes.ctx].kind {
            CtxKind::Record(r) => Some(r),
            _ => None,
        };
        // Functions are recorded with their declarations, since each overload is an entity; members of anonymous structures there.
        if matches!(b, Binding::Functions(_) | Binding::Inner(_)) {
            return;
        }
        if let Some((entity, _)) = self.entity_of(b, record) {
            self.note(Occurrence { span, name, entity, declared: span, role: Role::Definition });
        }
    }

    /// Records a declaration or definition of a function.
    pub fn note_function(&mut self, name: Symbol, span: Span, func: FuncId, defined: bool) {
        let role = if defined { Role::Definition } else { Role::Declaration };
        self.note(Occurrence { span, name, entity: Entity::Function(func), declared: span, role });
    }

    /// Records a declaration of a function template.
    pub fn note_template(&mut self, name: Symbol, span: Span) {
        self.note(Occurrence { span, name, entity: Entity::Template, declared: span, role: Role::Definition });
    }

    /// Records a use of `name`, which a lookup found.
    pub fn note_use(&mut self, name: ast::Name, found: LookupResult) {
        if self.index.is_none() {
            return;
        }
        let Some((entity, declared)) = self.entity_of(found.binding, found.record) else {
            return;
        };
        let declared = declared.unwrap_or_else(|| self.declared_at(name.sym, found));
        self.note(Occurrence { span: name.span, name: name.sym, entity, declared, role: Role::Reference });
    }

    /// Records a call of a function or an intrinsic. Operators have no name there.
    pub fn note_call(&mut self, name: ast::Name, entity: Entity) {
        if self.index.is_none() || self.str(name.sym).starts_with("operator") {
            return;
        }
        let declared = match entity {
            Entity::Function(f) => self.m.funcs[f].span,
            _ => Span::NONE,
        };
        self.note(Occurrence { span: name.span, name: name.sym, entity, declared, role: Role::Reference });
    }

    /// Records an enumerator of a scoped enumeration, whose name is bound in no scope.
    pub fn note_enumerator(&mut self, name: ast::Name, ty: Ty, bits: u64) {
        self.note(Occurrence {
            span: name.span,
            name: name.sym,
            entity: Entity::Constant(ty, bits),
            declared: name.span,
            role: Role::Definition,
        });
    }

    /// The index. Functions are declared where they are defined, which may be after their first use.
    pub fn finish_index(&mut self) -> Index {
        let mut index = self.index.take().map(|i| *i).unwrap_or_default();
        for o in &mut index.occurrences {
            if let Entity::Function(f) = o.entity {
                o.declared = self.m.funcs[f].span;
            }
        }
        index
    }

    fn note(&mut self, o: Occurrence) {
        if let Some(index) = &mut self.index {
            index.add(o);
        }
    }

    /// What a binding denotes, and where that is declared; `None` there: where the name is bound.
    fn entity_of(&self, b: Binding, record: Option<RecordId>) -> Option<(Entity, Option<Span>)> {
        Some(match b {
            Binding::Error => return None,
            Binding::Local(l) => {
                let local = &self.body.locals[l];
                let parameter = self.f.func.is_some_and(|f| self.m.funcs[f].params.iter().any(|p| p.local == l));
                (Entity::Local { ty: local.ty, parameter }, Some(local.span))
            }
            Binding::Global(g) => (Entity::Global(g), Some(self.m.globals[g].span)),
            Binding::Constant(g, n) => {
                let record = self.m.types.as_resource(self.m.globals[g].ty).and_then(|r| r.elem).and_then(|t| self.m.types.as_record(t));
                let field = record.and_then(|r| self.m.types.records[r].fields.get(n as usize));
                (Entity::BlockMember(g, n), field.map(|f| f.span))
            }
            Binding::Value(ty, bits) => (Entity::Constant(ty, bits), None),
            Binding::Field(n) => {
                let record = record?;
                let field = self.m.types.records[record].fields.get(n as usize)?;
                (Entity::Field(record, n), Some(field.span))
            }
            Binding::Inner(inner) => {
                let (record, n) = self.inner_field(record?, inner)?;
                let field = self.m.types.records[record].fields.get(n as usize)?;
                (Entity::Field(record, n), Some(field.span))
            }
            Binding::Functions(set) => match *self.scopes[set].first()? {
                Overload::Func(f) => (Entity::Function(f), Some(self.m.funcs[f].span)),
                Overload::Template(t) => (Entity::Template, Some(self.templates[t].span)),
            },
            Binding::Type(t) => (Entity::Type(t), None),
            Binding::Template(t) => (Entity::Template, Some(self.templates[t].span)),
            Binding::Namespace(_) => (Entity::Namespace, None),
            Binding::Subobject(t) => (Entity::Subobject(t), None),
            Binding::Heap(_) => (Entity::Heap, Some(Span::NONE)),
        })
    }

    /// Where `name` is bound to what a lookup found: the innermost such declaration.
    pub fn declared_at(&self, name: Symbol, found: LookupResult) -> Span {
        // An instance of a class template is named like its template.
        if let Binding::Type(t) = found.binding
            && let TyKind::Record(r) = self.kind(t)
            && self.m.types.records[r].name == name
        {
            return self.m.types.records[r].span;
        }
        if let Binding::Type(t) = found.binding
            && let TyKind::Enum(e) = self.kind(t)
            && self.m.types.enums[e].name == name
        {
            return self.m.types.enums[e].span;
        }
        if let Some((_, _, span)) = self.scopes.stack.from(self.scopes.base).iter().rev().find(|e| e.0 == name && e.1 == found.binding) {
            return *span;
        }
        if let Some(r) = found.record
            && let Some(&(_, span)) = self.records[r].names.get(&name)
        {
            return span;
        }
        let mut of_namespaces = self.scopes.namespaces.values().filter_map(|ns| ns.names.get(&name));
        if let Some(&(_, span)) = of_namespaces.rfind(|d| d.0 == found.binding) {
            return span;
        }
        // Constants of scoped enumerations.
        let TyKind::Enum(e) = (match found.binding {
            Binding::Value(t, _) => self.kind(t),
            _ => return Span::NONE,
        }) else {
            return Span::NONE;
        };
        let ty = self.m.types.find(TyKind::Enum(e));
        let Some(index) = &self.index else { return Span::NONE };
        let same =
            |o: &&Occurrence| o.name == name && o.role == Role::Definition && matches!(o.entity, Entity::Constant(t, _) if Some(t) == ty);
        index.occurrences.iter().rev().find(same).map_or(Span::NONE, |o| o.span)
    }

    // The probe -----------------------------------------------------------------------------------

    /// Whether `name` is the probe, and nothing is recorded about it yet.
    fn is_probe(&self, name: Symbol) -> bool {
        self.index.as_ref().is_some_and(|i| i.probe == Some(name) && i.visible.is_none())
    }

    fn set_visible(&mut self, names: Vec<VisibleName>, member_of: Option<Ty>, intrinsics: Vec<RowScope>, qualified: bool) {
        let function = self.f.func;
        if let Some(index) = &mut self.index {
            index.visible = Some(Visible { names, member_of, intrinsics, function, qualified });
        }
    }

    /// Records what is visible, if `name`, which is looked up in `qualifier`, is the probe.
    pub fn probe_scope(&mut self, qualifier: Option<Qualifier>, name: Symbol) {
        if !self.is_probe(name) {
            return;
        }
        match qualifier {
            None => {
                let (names, intrinsics) = self.visible_names();
                self.set_visible(names, None, intrinsics, false);
            }
            Some(Qualifier::Namespace(ns)) => {
                let (mut names, mut seen) = (Vec::new(), FxHashSet::default());
                self.names_of_namespace(ns, 0, &mut seen, &mut names);
                let intrinsics = self.scopes.namespaces[ns].rows.into_iter().collect();
                self.set_visible(names, None, intrinsics, true);
            }
            Some(Qualifier::Type(t)) => {
                let intrinsics = match self.kind(t) {
                    TyKind::HitObject => vec![RowScope::Static(Object::HitObject)],
                    _ => Vec::new(),
                };
                let names = self.names_of_type(t);
                self.set_visible(names, None, intrinsics, true);
            }
        }
    }

    /// Records the members of `ty`, if `name`, which follows a dot, is the probe.
    pub fn probe_member(&mut self, ty: Ty, name: Symbol) {
        if !self.is_probe(name) {
            return;
        }
        let mut names = self.names_of_type(ty);
        let mut intrinsics = Vec::new();
        match self.kind(ty) {
            TyKind::Resource(r) => {
                if let Some(inside) = r.elem.filter(|_| super::resource::has_contents(&r)) {
                    names = self.names_of_type(inside);
                } else {
                    intrinsics.push(RowScope::Method(r.object.info().methods_of));
                }
            }
            TyKind::RayQuery { .. } => intrinsics.push(RowScope::Method(Object::RayQuery)),
            TyKind::HitObject => intrinsics.push(RowScope::Method(Object::HitObject)),
            TyKind::Stream(..) => intrinsics.push(RowScope::Method(Object::TriangleStream)),
            _ => {}
        }
        self.set_visible(names, Some(ty), intrinsics, false);
    }

    fn visible_name(&self, name: Symbol, b: Binding, record: Option<RecordId>, at: Span, distance: u32) -> Option<VisibleName> {
        let (entity, declared) = self.entity_of(b, record)?;
        Some(VisibleName { name, entity, declared: declared.unwrap_or(at), distance })
    }

    /// The members of a structure with those that it inherits, or the constants of an enumeration.
    fn names_of_type(&self, ty: Ty) -> Vec<VisibleName> {
        let (mut names, mut seen) = (Vec::new(), FxHashSet::default());
        match self.kind(ty) {
            TyKind::Record(r) => self.names_of_record(r, 0, &mut seen, &mut names),
            TyKind::Enum(e) => {
                for &(name, value) in &self.m.types.enums[e].items {
                    let entity = Entity::Constant(ty, self.m.types.enum_bits(e, value));
                    names.push(VisibleName { name, entity, declared: Span::NONE, distance: 0 });
                }
            }
            _ => {}
        }
        names
    }

    fn names_of_record(&self, record: RecordId, distance: u32, seen: &mut FxHashSet<Symbol>, out: &mut Vec<VisibleName>) {
        let mut at = Some(record);
        while let Some(r) = at {
            // Built-in structures have fields and no names of their own.
            for (n, field) in self.m.types.records[r].fields.iter().enumerate().filter(|_| self.records[r].names.is_empty()) {
                if seen.insert(field.name) {
                    let entity = Entity::Field(r, n as u32);
                    out.push(VisibleName { name: field.name, entity, declared: field.span, distance });
                }
            }
            for (&name, &(b, span)) in &self.records[r].names {
                if seen.insert(name) {
                    out.extend(self.visible_name(name, b, Some(r), span, distance));
                }
            }
            at = self.m.types.records[r].base;
        }
    }

    fn names_of_namespace(&self, ns: NsId, distance: u32, seen: &mut FxHashSet<Symbol>, out: &mut Vec<VisibleName>) {
        let mut todo = vec![ns];
        let mut at = 0;
        while let Some(&n) = todo.get(at) {
            at += 1;
            for (&name, &(b, span)) in &self.scopes.namespaces[n].names {
                if seen.insert(name) {
                    out.extend(self.visible_name(name, b, None, span, distance));
                }
            }
            for &u in &self.scopes.namespaces[n].usings {
                if !todo.contains(&u) {
                    todo.push(u);
                }
            }
        }
    }

    /// Everything that an unqualified name can denote here.
    fn visible_names(&self) -> (Vec<VisibleName>, Vec<RowScope>) {
        let (mut names, mut seen) = (Vec::new(), FxHashSet::default());
        let mut intrinsics = vec![RowScope::Free];
        for &(name, b, span) in self.scopes.stack.from(self.scopes.base).iter().rev() {
            if seen.insert(name) {
                names.extend(self.visible_name(name, b, None, span, 0));
            }
        }
        let mut distance = 1;
        let mut at = Some(self.scopes.ctx);
        while let Some(id) = at {
            let ctx = &self.scopes.ctxs[id];
            match &ctx.kind {
                CtxKind::Names(map) => {
                    for (&name, &b) in map {
                        if seen.insert(name) {
                            names.extend(self.visible_name(name, b, None, Span::NONE, distance));
                        }
                    }
                }
                CtxKind::Record(r) => self.names_of_record(*r, distance, &mut seen, &mut names),
                CtxKind::Namespace(ns) => {
                    self.names_of_namespace(*ns, distance, &mut seen, &mut names);
                    let used = self.scopes.namespaces[*ns].usings.iter().chain(std::iter::once(ns));
                    intrinsics.extend(used.filter_map(|n| self.scopes.namespaces[*n].rows).filter(|r| *r != RowScope::Free));
                }
            }
            distance += 1;
            at = ctx.parent;
        }
        for &(_, ns) in &self.scopes.usings {
            self.names_of_namespace(ns, distance, &mut seen, &mut names);
            intrinsics.extend(self.scopes.namespaces[ns].rows);
        }
        (names, intrinsics)
    }
}
