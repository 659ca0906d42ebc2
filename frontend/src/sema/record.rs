//! Declarations of structures, classes, interfaces and enumerations.

use rtc_base::{Span, Symbol};
use rtc_tables::vk_attributes::On;

use super::context::Sema;
use super::errors::{names as err_names, types as err};
use super::modifiers::Declared;
use super::scope::{Binding, CtxId, CtxKind, GLOBAL};
use crate::hir::{self, Const, EnumId, Field, FuncId, Record, RecordId, Scalar, Ty, TyKind, Types};
use crate::syntax::ast::{self, AnnotationKind, DeclKind, RecordKind, Specs};

impl Sema<'_> {
    /// A record or enumeration declared within another declaration: `struct { … } x`.
    pub fn inline_type(&mut self, id: ast::DeclId) -> Ty {
        match self.ast.decls[id].kind {
            DeclKind::Record(r) => {
                if let Some(t) = self.records.inline(id, self.scopes.ctx) {
                    self.complete(t);
                    return t;
                }
                if !r.defined {
                    // `struct Pair<float> s`, `struct ns::S s`
                    if let Some(name) = r.name.filter(|&n| self.ast.simple_name(n).is_none())
                        && self.ast.decls[id].template.is_none()
                    {
                        let last = self.ast.last_name(name);
                        if let (Some(qualifier), Some(last)) = (self.path_qualifier(name), last)
                            && let Some(t) = self.elaborated(Some(qualifier), last.sym)
                        {
                            self.complete(t);
                            return t;
                        }
                        return self.named_type(name, self.ast.paths[name].span, Specs::empty());
                    }
                    // `struct S s`: the name may be hidden by a variable; if it is unknown, this declares it.
                    if let Some(name) = r.name
                        && let Some(n) = self.ast.simple_name(name)
                        && let Some(f) = self.lookup(n.sym)
                    {
                        self.note_use(n, f);
                        match f.binding {
                            Binding::Type(t) => {
                                self.complete(t);
                                return t;
                            }
                            Binding::Global(_) | Binding::Local(_) | Binding::Functions(_) => {
                                if let Some(t) = self.elaborated(None, n.sym) {
                                    self.complete(t);
                                    return t;
                                }
                            }
                            _ => {}
                        }
                    }
                }
                let ty = self.record_decl(id, &r);
                self.complete(ty);
                ty
            }
            DeclKind::Enum(e) => {
                let known = self.records.inline(id, self.scopes.ctx);
                // `enum E e`: it may be that of another scope, and a variable or function may hide the name.
                let named = |s: &mut Self| {
                    let name = e.name.filter(|_| !e.defined)?;
                    match s.lookup(name.sym)?.binding {
                        Binding::Type(t) => Some(t).filter(|&t| matches!(s.kind(t), TyKind::Enum(_) | TyKind::Error)),
                        Binding::Global(_) | Binding::Local(_) | Binding::Functions(_) => s.elaborated(None, name.sym),
                        _ => None,
                    }
                };
                let known = known.or_else(|| named(self));
                let ty = known.unwrap_or_else(|| self.enum_decl(id, &e));
                self.complete(ty);
                ty
            }
            _ => Ty::ERROR,
        }
    }

    /// A record declared in a function; its context is inside `ctx`.
    pub fn local_record(&mut self, id: ast::DeclId, ctx: CtxId) {
        let DeclKind::Record(r) = self.ast.decls[id].kind else {
            return;
        };
        let at = self.scopes.ctx;
        self.scopes.ctx = ctx;
        let ty = self.record_decl(id, &r);
        self.scopes.ctx = at;
        self.records.set_inline(id, at, ty);
    }

    /// Declares (and defines) a record in the current scope.
    pub fn record_decl(&mut self, id: ast::DeclId, r: &ast::Record) -> Ty {
        let d = self.ast.decls[id];
        if self.ast.scopes_before(d.kind).is_some() && r.defined {
            self.outside_decl(id);
            return Ty::ERROR;
        }
        if !self.check_headers(id, d.span) {
            return Ty::ERROR;
        }
        if Self::is_anonymous(r) {
            self.report(err::anonymous_outside(d.span));
            return Ty::ERROR;
        }
        if let Some(params) = d.template {
            let specialised = r.name.is_some_and(|n| self.ast.simple_name(n).is_none());
            if specialised {
                self.record_specialisation(id, r, params);
            } else if !params.is_empty() {
                self.record_template(id, r, params);
            }
            return Ty::ERROR;
        }
        self.plain_record(id, r)
    }

    /// A record that is no template.
    pub fn plain_record(&mut self, id: ast::DeclId, r: &ast::Record) -> Ty {
        let d = self.ast.decls[id];
        if r.kind == RecordKind::Union {
            self.report(err::not_in_hlsl(d.span, "unions"));
            return Ty::ERROR;
        }
        let (name, span) = match r.name.and_then(|n| self.ast.last_name(n)) {
            Some(n) => (n.sym, n.span),
            None => (self.anonymous_name(&hir::UNNAMED[1..]), d.span),
        };
        let existing = match self.declared_here(name) {
            Some((Binding::Type(t), at)) => self.m.types.as_record(t).map(|q| (q, at)),
            // A variable or function hides it.
            Some((Binding::Global(_) | Binding::Functions(_), at)) => {
                self.scopes.hidden_here(name).and_then(|t| self.m.types.as_record(t)).map(|q| (q, at))
            }
            _ => None,
        };
        let record = match existing {
            Some((q, at)) if r.defined && (self.records[q].complete || self.waits(q)) => {
                let text = self.str(name).to_string();
                self.report(err_names::redefined(span, &text, at));
                return Ty::ERROR;
            }
            Some((q, _)) => q,
            None => {
                let q = self.new_record(name, r.kind == RecordKind::Class, span);
                let ty = self.m.types.record(q);
                self.declare_at(name, span, Binding::Type(ty));
                q
            }
        };
        let ty = self.m.types.record(record);
        self.records.set_inline(id, self.scopes.ctx, ty);
        if !r.defined {
            self.payload_attribute(record, d.attrs);
        } else if self.is_late() && !Self::is_anonymous(r) {
            self.wait_for_name(ty, id);
        } else {
            self.define_record(record, r, d.attrs);
            self.replace_builtin(record, name);
        }
        ty
    }

    /// A record without a name gets that of the first alias.
    pub fn name_by_alias(&mut self, t: Ty, alias: Symbol) {
        let Some(r) = self.m.types.as_record(t) else { return };
        if !self.str(self.m.types.records[r].name).starts_with(hir::UNNAMED) {
            return;
        }
        let text = self.str(alias).to_string();
        let qualified = self.qualify(&text);
        let record = &mut self.m.types.records[r];
        (record.name, record.qualified) = (alias, qualified);
        if let Some(own) = record.path.first_mut() {
            *own = text;
        }
    }

    /// A record without members yet, in the current context.
    pub fn new_record(&mut self, name: Symbol, is_class: bool, span: Span) -> RecordId {
        let text = self.str(name).to_string();
        let mut path = vec![text.clone()];
        path.extend(self.scope_path());
        let qualified = self.qualify(&text);
        let r = self.m.types.records.push(Record {
            name,
            qualified,
            path,
            is_class,
            base: None,
            fields: Vec::new(),
            rows: Vec::new(),
            raypayload: false,
            used_as_payload: false,
            builtin: false,
            span,
        });
        let ctx = self.scopes.add_ctx(CtxKind::Record(r));
        self.records[r].ctx = Some(ctx);
        r
    }

    /// The members of a record.
    pub fn define_record(&mut self, record: RecordId, r: &ast::Record, attrs: ast::List<ast::Attr>) {
        self.records[record].is_interface = r.kind == RecordKind::Interface;
        self.payload_attribute(record, attrs);
        let attrs = self.ast.list(attrs).to_vec();
        self.check_vk_attrs(&attrs, On::TYPE);
        for a in &attrs {
            if a.scope.is_none() && !self.is_raypayload(a) {
                self.unknown_attr(a);
            }
        }
        let Some(ctx) = self.records[record].ctx else {
            return;
        };
        let wanted = self.in_ctx(ctx, |s| s.bases(record, r));
        // Members are declared in the record even if it is in a function.
        let f = std::mem::take(&mut self.f);
        self.nesting.classes += 1;
        self.in_ctx(ctx, |s| {
            for i in 0..r.members.len() {
                let id = s.ast.list(r.members)[i];
                s.member_decl(record, id);
            }
        });
        self.records[record].missing = self.not_declared(record, wanted);
        self.records[record].complete = true;
        self.check_vk_offsets(record);
        self.check_payload(record, r.bases);
        self.nesting.classes -= 1;
        if self.nesting.classes == 0 {
            for p in self.funcs.take_deferred() {
                self.check_body(p);
            }
        }
        self.f = f;
    }

    /// Reads the bases of a record; the methods that they leave to it.
    fn bases(&mut self, record: RecordId, r: &ast::Record) -> Vec<FuncId> {
        let mut wanted = Vec::new();
        for b in self.ast.list(r.bases).to_vec() {
            let ty = self.type_of(b);
            let span = self.ast.types[b].span;
            let text = self.show(ty);
            match self.kind(ty) {
                TyKind::Error => {}
                TyKind::Record(q) if q == record || !self.records[q].complete => {
                    self.report(err::incomplete(span, &text));
                }
                TyKind::Record(q) if self.records[q].is_interface => {
                    if r.kind == RecordKind::Interface {
                        self.report(err::extension(span, "bases of interfaces"));
                    }
                    wanted.extend(self.methods_of(q));
                    wanted.extend(self.records[q].missing.iter().copied());
                }
                TyKind::Record(q) if self.m.types.records[q].builtin => {
                    self.report(err::bad_base(span, &text, "the language declares it, and nothing can be added"));
                }
                TyKind::Record(_) if r.kind == RecordKind::Interface => {
                    self.report(err::bad_base(span, &text, "an interface inherits from interfaces only"));
                }
                TyKind::Record(q) => {
                    if self.m.types.records[record].base.is_some() {
                        self.report(err::bad_base(span, &text, "only one base type can be a structure; the others must be interfaces"));
                        continue;
                    }
                    let fields = self.m.types.records[q].fields.clone();
                    let mut size = self.records[q].size;
                    if !fields.is_empty() {
                        // The base counts like a member.
                        size.depth += 1;
                    }
                    if size.depth > rtc_ir::verify::MAX_TYPE_DEPTH {
                        if self.reports.is_first(("record size", Span::NONE)) {
                            self.report(self.m.types.record_too_large(record, "base", span));
                        }
                        continue;
                    }
                    self.m.types.records[record].base = Some(q);
                    self.records[record].dependent_base = self.depends(b);
                    wanted.extend(self.records[q].missing.iter().copied());
                    self.records[record].size = size;
                    self.m.types.records[record].fields = fields;
                }
                _ => self.report(err::bad_base(span, &text, "only structures, classes and interfaces can be base types")),
            }
        }
        wanted
    }

    /// An interface has methods that its classes define, and enumerations.
    fn check_member_of_interface(&mut self, d: ast::Decl) {
        let what = match d.kind {
            DeclKind::Var(_) => "variables",
            DeclKind::Record(_) | DeclKind::Alias { .. } => "classes",
            DeclKind::Function(f) if self.ast.types[f.ret].specs.contains(Specs::STATIC) => "static methods",
            _ => return,
        };
        self.report(err::member_of_interface(d.span, what));
    }

    fn member_decl(&mut self, record: RecordId, id: ast::DeclId) {
        let d = self.ast.decls[id];
        if self.records[record].is_interface {
            self.check_member_of_interface(d);
        }
        match d.kind {
            DeclKind::Error => {}
            DeclKind::Var(v) => {
                let specs = self.ast.types[v.ty].specs;
                if let Some(params) = d.template {
                    self.report(err::extension(d.span, "variable templates in structures"));
                    self.variable_template(id, &v, params);
                } else if specs.contains(Specs::STATIC) {
                    self.static_member(&v, d.attrs);
                } else {
                    self.field_decl(record, &v, d.attrs, d.span);
                }
            }
            DeclKind::Function(f) => self.function_decl(id, &f),
            DeclKind::Record(r) if Self::is_anonymous(&r) => self.anonymous_member(record, id, &r),
            DeclKind::Record(r) => {
                self.record_decl(id, &r);
            }
            DeclKind::Enum(e) => {
                self.enum_decl(id, &e);
            }
            DeclKind::Alias { .. } | DeclKind::Using(_) | DeclKind::StaticAssert(..) => {
                if self.sources.snippet(d.span).starts_with("typedef") {
                    self.report(err::extension(d.span, "typedefs in structures"));
                }
                self.decl(id);
            }
            DeclKind::Buffer(_) | DeclKind::Namespace(..) | DeclKind::UsingNamespace(_) => {
                self.report(err::misplaced_member(d.span));
            }
        }
    }

    fn field_decl(&mut self, record: RecordId, v: &ast::Var, attrs: ast::List<ast::Attr>, declarator: Span) {
        let elem = self.type_of(v.ty);
        if let Some((f, sig)) = self.as_function(v, elem) {
            self.declare_with(&f, attrs, sig);
            return;
        }
        let span = v.name.map_or(self.ast.types[v.ty].span, |n| n.span);
        let mut ty = self.array_of(elem, v.dims, false, span);
        if ty != Ty::ERROR && !self.check_variable_type(ty, span) {
            ty = Ty::ERROR;
        }
        if matches!(self.kind(ty), TyKind::Subobject(_) | TyKind::String) {
            let text = self.show(ty);
            self.report(err::no_variable_of(span, &text));
            ty = Ty::ERROR;
        }
        let specs = self.ast.types[v.ty].specs;
        self.check_modifiers(v.ty, Declared::Field);
        if let Some(init) = v.init {
            self.report(err::member_initialiser(self.ast.exprs[init].span));
        }
        let bits = v.bits.and_then(|b| self.bit_field(ty, b, v.name.is_none()));
        if bits == Some(0) {
            if let Some(last) = self.m.types.records[record].fields.last_mut() {
                last.ends_unit = true;
            }
            return;
        }
        let semantic = self.ast.list(v.annotations).iter().find(|a| matches!(a.kind, ast::AnnotationKind::Semantic(_))).map(|a| a.span);
        if let (Some(span), true) = (semantic, v.bits.is_some()) {
            self.report(err::bit_field_semantic(span));
        }
        let name = v.name.map_or_else(|| self.anonymous_name("padding"), |n| n.sym);
        let mut field = Field {
            name,
            ty,
            span,
            pack_offset: None,
            vk_offset: self.vk_offset(attrs),
            inline: self.inline_member(attrs),
            bits,
            ends_unit: false,
            paq: None,
            paq_at: hir::PaqSpans { declarator, ..hir::PaqSpans::default() },
            semantic: None,
            interpolation: super::signature::interpolation(specs),
            place: hir::StagePlace::default(),
            precise: specs.contains(Specs::PRECISE),
        };
        let written = self.ast.list(attrs).to_vec();
        self.check_vk_attrs(&written, On::MEMBER);
        field.place = self.stage_attributes(&written);
        for a in self.ast.list(v.annotations).to_vec() {
            match a.kind {
                AnnotationKind::Semantic(s) => {
                    field.semantic = Some(s);
                    self.suspicious_semantic(s, a.span);
                }
                AnnotationKind::Access { .. } => {}
                AnnotationKind::Register(_) => {
                    self.report(super::errors::resources::misplaced_annotation(a.span, "a member of a structure"));
                }
                AnnotationKind::PackOffset { .. } => {
                    self.report(super::errors::resources::packoffset_outside(a.span));
                }
            }
        }
        self.payload_field(record, &mut field, v.annotations);
        self.measure_field(record, &mut field);
        let n = self.m.types.records[record].fields.len() as u32;
        self.m.types.records[record].fields.push(field);
        if let Some(name) = v.name {
            self.declare(name, Binding::Field(n));
        }
    }

    /// The width of a bit-field. One that is unnamed may have none: it ends a storage unit.
    fn bit_field(&mut self, ty: Ty, width: ast::ExprId, unnamed: bool) -> Option<u32> {
        let n = self.constant_int(width)?;
        let span = self.ast.exprs[width].span;
        if ty == Ty::ERROR {
            return None;
        }
        if self.opts.hlsl_version < 2021 {
            self.report(err::bit_field_version(span));
        }
        let scalar = match self.kind(ty) {
            TyKind::Scalar(s) if s.is_int() || s == Scalar::Bool => s,
            TyKind::Enum(e) => self.m.types.enums[e].underlying,
            _ => {
                let text = self.show(ty);
                self.report(err::bit_field_type(span, &text));
                return None;
            }
        };
        // A Boolean is stored in 32 bits.
        let most = if scalar == Scalar::Bool { 32 } else { scalar.bits() };
        if n < i128::from(!unnamed) || n > i128::from(most) {
            self.report(err::bit_field_width(span, n, most));
            return None;
        }
        Some(n as u32)
    }

    /// A built-in structure that is redeclared with the same members is the built-in one.
    fn replace_builtin(&mut self, record: RecordId, name: Symbol) {
        if self.namespace() != GLOBAL || self.in_function() || self.nesting.classes > 0 {
            return;
        }
        let text = self.str(name).to_string();
        let Some(row) = rtc_tables::types::STRUCTS.iter().find(|r| r.name == text) else {
            return;
        };
        let builtin = self.builtin_record(row);
        let Some(b) = self.m.types.as_record(builtin) else {
            return;
        };
        let (mine, theirs) = (&self.m.types.records[record].fields, &self.m.types.records[b].fields);
        let same = mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(x, y)| x.name == y.name && x.ty == y.ty);
        if same {
            let span = self.m.types.records[record].span;
            self.scopes.namespaces[GLOBAL].names.insert(name, (Binding::Type(builtin), span));
        }
    }

    // Enumerations ------------------------------------------------------------------------------

    /// Declares an enumeration in the current scope.
    pub fn enum_decl(&mut self, id: ast::DeclId, e: &ast::Enum) -> Ty {
        let attrs = self.ast.list(self.ast.decls[id].attrs).to_vec();
        self.check_vk_attrs(&attrs, On::TYPE);
        let span = e.name.map_or(self.ast.decls[id].span, |n| n.span);
        if self.opts.hlsl_version < 2017 {
            self.report(super::errors::types::newer(span, "`enum`", "2017"));
        }
        let name = e.name.map_or_else(|| self.anonymous_name("unnamed enum"), |n| n.sym);
        let underlying = match e.underlying {
            None => Scalar::Int,
            Some(t) => {
                let ty = self.type_of(t);
                match self.kind(ty) {
                    TyKind::Error => Scalar::Int,
                    TyKind::Scalar(s) if s.is_int() || s == Scalar::Bool => s,
                    _ => {
                        let text = self.show(ty);
                        self.report(err::enum_type(self.ast.types[t].span, &text));
                        Scalar::Int
                    }
                }
            }
        };
        if !e.defined
            && let Some((Binding::Type(t), _)) = self.declared_here(name)
        {
            return t;
        }
        let text = self.str(name).to_string();
        if !e.defined {
            self.report(err::opaque_enum(span, &text));
            return Ty::ERROR;
        }
        let mut path = vec![text.clone()];
        path.extend(self.scope_path());
        let qualified = self.qualify(&text);
        let en = self.m.types.enums.push(hir::Enum { name, qualified, path, underlying, scoped: e.scoped, items: Vec::new(), span });
        self.records.set_enum_scope(en, self.scopes.ctx);
        let ty = self.m.types.enumeration(en);
        if e.name.is_some() {
            self.declare_at(name, span, Binding::Type(ty));
        }
        self.records.set_inline(id, self.scopes.ctx, ty);
        if e.scoped && self.is_late() {
            self.wait_for_name(ty, id);
        } else {
            self.define_enum(en, ty, e);
        }
        ty
    }

    /// The constants of an enumeration.
    pub fn define_enum(&mut self, en: EnumId, ty: Ty, e: &ast::Enum) {
        let outer = self.nesting.open_enum.replace(en);
        self.enumerators(en, ty, e);
        self.nesting.open_enum = outer;
    }

    fn enumerators(&mut self, en: EnumId, ty: Ty, e: &ast::Enum) {
        let underlying = self.m.types.enums[en].underlying;
        // Inside its own braces an enumeration's constants are plain names, even of `enum class`.
        let outer = self.scopes.open();
        let mark = self.scopes.stack.len();
        let mut next: i128 = 0;
        let mut seen: Vec<(Symbol, Span)> = Vec::new();
        for item in self.ast.list(e.items).to_vec() {
            if let Some(v) = item.value {
                match self.constant_int(v) {
                    Some(n) => next = n,
                    None => continue,
                }
            }
            let unsigned = e.underlying.is_none() && (0..1 << 32).contains(&next);
            // One without a type of its own may have 64 bits.
            let wide = e.underlying.is_none() && !e.scoped && !unsigned && i32::try_from(next).is_err() && i64::try_from(next).is_ok();
            let number = if wide { Scalar::Int64 } else { underlying };
            let c = Const::int(number, next);
            // `Invalid = -1` of `uint` has all bits.
            let signed = (-(1i128 << (underlying.bits().max(1) - 1))..0).contains(&next);
            if c.as_int() != Some(next) && !unsigned && !signed {
                let text = self.str(item.name.sym).to_string();
                self.report(err::enumerator_range(item.name.span, &text, next, underlying.name()));
            }
            if let Some(first) = self.scopes.stack.find(item.name.sym, mark).map(|e| e.2) {
                let text = self.str(item.name.sym).to_string();
                self.report(err_names::redeclared(item.name.span, &text, first));
                continue;
            }
            seen.push((item.name.sym, item.name.span));
            next = if unsigned { next } else { c.as_int().unwrap_or(0) };
            let value = next;
            self.m.types.enums[en].items.push((item.name.sym, value as i64));
            // … and numbers, as the enumeration is not complete yet.
            let number = Ty::scalar(number);
            self.scopes.stack.push((item.name.sym, Binding::Value(number, c.bits), item.name.span));
            if e.scoped {
                self.note_enumerator(item.name, ty, c.bits);
            }
            next += 1;
        }
        self.scopes.stack.truncate(mark);
        self.scopes.close(outer);
        self.m.types.choose_underlying(en, e);
        if !e.scoped {
            for (sym, span) in seen {
                let items = &self.m.types.enums[en].items;
                if let Some(&(_, v)) = items.iter().find(|i| i.0 == sym) {
                    let bits = self.m.types.enum_bits(en, v);
                    self.declare_at(sym, span, Binding::Value(ty, bits));
                }
            }
        }
    }
}

impl Types {
    /// An enumeration that names no type has one that can represent all its values: unsigned if none is negative, of 32 bits if they do.
    fn choose_underlying(&mut self, en: EnumId, e: &ast::Enum) {
        let found = &mut self.enums[en];
        if e.underlying.is_some() {
            return;
        }
        if e.scoped {
            // It is `int`, and numbers beyond keep their bits.
            for item in &mut found.items {
                item.1 = i64::from(item.1 as i32);
            }
            return;
        }
        let all = |fits: fn(i64) -> bool| found.items.iter().all(|i| fits(i.1));
        found.underlying = match () {
            () if all(|n| u32::try_from(n).is_ok()) => Scalar::Uint,
            () if all(|n| i32::try_from(n).is_ok()) => Scalar::Int,
            () if all(|n| n >= 0) => Scalar::Uint64,
            () => Scalar::Int64,
        };
    }

    /// The bits of an enumerator's value.
    pub(crate) fn enum_bits(&self, e: EnumId, value: i64) -> u64 {
        Const::int(self.enums[e].underlying, value as i128).bits
    }
}
