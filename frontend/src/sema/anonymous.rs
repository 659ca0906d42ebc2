//! Anonymous structures: `struct S { struct { int a; }; };`. Such a structure is a member without a name, whose member variables are
//! names of the structure around it.

use rtc_base::{Span, Symbol};

use super::context::Sema;
use super::errors::types as err;
use super::scope::{Binding, InnerId, Scopes};
use crate::hir::{ExprId, Field, RecordId};
use crate::syntax::ast::{self, DeclKind, Specs};

impl Sema<'_> {
    /// Whether this declares a structure that has neither a name nor a variable.
    pub fn is_anonymous(r: &ast::Record) -> bool {
        r.alone && r.defined && r.name.is_none()
    }

    /// An anonymous structure as a member of `record`, whose names are those of the current scope.
    pub fn anonymous_member(&mut self, record: RecordId, id: ast::DeclId, r: &ast::Record) {
        for i in 0..r.members.len() {
            let member = self.ast.list(r.members)[i];
            self.check_anonymous_member(member);
        }
        let ty = self.plain_record(id, r);
        let Some(inner) = self.m.types.as_record(ty) else { return };
        let span = self.ast.decls[id].span;
        let nameless = self.names.intern("");
        let mut field = Field::of_block(nameless, ty, span, None);
        field.paq_at.declarator = span;
        self.payload_field(record, &mut field, ast::List::EMPTY);
        self.measure_field(record, &mut field);
        let n = self.m.types.records[record].fields.len() as u32;
        self.m.types.records[record].fields.push(field);

        let own = self.records[inner].names.iter();
        let mut members: Vec<(Vec<u32>, Symbol, Span)> =
            own.filter_map(|(&name, &(b, at))| Some((self.scopes.path_of_field(b)?, name, at))).collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        for (path, name, at) in members {
            let path = std::iter::once(n).chain(path).collect();
            let inner = self.scopes.inner.push(path);
            self.declare_at(name, at, Binding::Inner(inner));
        }
    }

    /// An anonymous structure has member variables only.
    fn check_anonymous_member(&mut self, id: ast::DeclId) {
        let d = self.ast.decls[id];
        let refused = match d.kind {
            DeclKind::Var(v) => self.ast.types[v.ty].specs.contains(Specs::STATIC),
            DeclKind::Record(r) => r.name.is_some(),
            DeclKind::Error => false,
            _ => true,
        };
        if refused {
            self.report(err::anonymous_member(d.span));
        }
    }

    /// The member variable of `base` that `b` binds in its record; `None` if it binds anything else.
    pub fn bound_field(&mut self, base: ExprId, b: Binding, span: Span) -> Option<ExprId> {
        let path = self.scopes.path_of_field(b)?;
        Some(path.into_iter().fold(base, |e, n| self.part_of(e, n, span).unwrap_or_else(|| self.field(e, n, span))))
    }

    /// The record that has a member of an anonymous structure itself, and the member's number there.
    pub fn inner_field(&self, record: RecordId, inner: InnerId) -> Option<(RecordId, u32)> {
        let (&last, outer) = self.scopes.inner[inner].split_last()?;
        let types = &self.m.types;
        let own = outer.iter().try_fold(record, |r, &n| types.as_record(types.records[r].fields.get(n as usize)?.ty))?;
        Some((own, last))
    }
}

impl Scopes {
    /// The numbers of the fields that lead from a record to a member variable that `b` binds in it.
    fn path_of_field(&self, b: Binding) -> Option<Vec<u32>> {
        match b {
            Binding::Field(n) => Some(vec![n]),
            Binding::Inner(inner) => Some(self.inner[inner].clone()),
            _ => None,
        }
    }
}
