//! Which modifiers a declaration may have.

use rtc_base::Span;

use super::context::Sema;
use super::errors::signature::contradicting_interpolation;
use super::errors::types::{contradiction, extension, misplaced_specifier, repeated_specifier};
use super::scope::Binding;
use crate::syntax::ast::{self, Specs, TypeKind};

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declared {
    Global,
    Local,
    Parameter,
    Field,
    StaticField,
    Function,
    Method,
    BufferMember,
    Alias,
}

impl Declared {
    /// What it cannot have.
    fn never(self) -> Specs {
        let functions = Specs::INLINE | Specs::VIRTUAL | Specs::EXPORT;
        let shared = Specs::GROUPSHARED | Specs::EXTERN;
        let of_parameters = Specs::PASSING | Specs::PRIMITIVE;
        // `register` is a word of C there.
        Specs::C_REGISTER
            | match self {
                Declared::Global | Declared::BufferMember => of_parameters | Specs::INTERPOLATION | functions,
                Declared::Local => of_parameters | Specs::INTERPOLATION | functions | shared | Specs::UNIFORM | Specs::SHARED,
                Declared::Parameter => Specs::STATIC | Specs::EXTERN | Specs::SHARED | functions,
                Declared::Field => of_parameters | functions | shared | Specs::UNIFORM | Specs::SHARED | Specs::CONST,
                Declared::StaticField => of_parameters | functions | shared | Specs::UNIFORM,
                Declared::Function => of_parameters | shared | Specs::UNIFORM,
                Declared::Method => of_parameters | shared | Specs::UNIFORM | Specs::SHARED | Specs::INTERPOLATION,
                Declared::Alias => of_parameters | Specs::INTERPOLATION | Specs::STORAGE,
            }
    }

    /// With its article.
    fn text(self) -> &'static str {
        match self {
            Declared::Global => "a variable",
            Declared::Local => "a local variable",
            Declared::Parameter => "a parameter",
            Declared::Field => "a member",
            Declared::StaticField => "a static member",
            Declared::Function => "a function",
            Declared::Method => "a method",
            Declared::BufferMember => "a member of a constant buffer",
            Declared::Alias => "a type alias",
        }
    }
}

impl Sema<'_> {
    /// Reports what a parameter with the primitive at `span` cannot have: another primitive before, or interpolation.
    fn check_primitive(&mut self, ty: ast::TypeId, span: Span, before: Option<Span>) -> Option<Span> {
        let other = Specs::UNIFORM | Specs::INTERPOLATION;
        let listed = self.ast.list(self.ast.types[ty].spec_list).to_vec();
        let with = before.or_else(|| listed.iter().find(|s| s.what.intersects(other)).map(|s| s.span))?;
        let (a, b) = (self.sources.snippet(with).to_string(), self.sources.snippet(span).to_string());
        if a != b {
            self.report(contradiction(span, &a, &b));
        }
        before
    }

    /// Whether a variable of this type is constant: its specifiers say so, or the alias that names its type.
    pub fn is_constant(&mut self, ty: ast::TypeId) -> bool {
        let t = self.ast.types[ty];
        if t.specs.intersects(Specs::CONST | Specs::CONSTEXPR) {
            return true;
        }
        let TypeKind::Named(path) = t.kind else { return false };
        if !self.records.has_const_aliases() {
            return false;
        }
        let Some(last) = self.ast.list(self.ast.paths[path].segments).last().copied() else { return false };
        let qualifier = self.path_qualifier(path);
        let Some(found) = self.lookup_segment(qualifier, last.name.sym) else { return false };
        let at = match found.binding {
            Binding::Template(t) => self.templates[t].span,
            Binding::Type(_) => self.declared_at(last.name.sym, found),
            _ => return false,
        };
        self.records.is_const_alias(at)
    }

    /// Remembers an alias of a constant type.
    pub fn note_alias(&mut self, name: ast::Name, ty: ast::TypeId) {
        if self.is_constant(ty) {
            self.records.add_const_alias(name.span);
        }
    }

    /// Reports modifiers of a declaration with this type that it cannot have, or cannot have together.
    pub fn check_modifiers(&mut self, ty: ast::TypeId, declared: Declared) {
        let t = self.ast.types[ty];
        let specs = t.specs;
        let mut passing = Specs::empty();
        let mut primitive: Option<Span> = None;
        for s in self.ast.list(t.spec_list).to_vec() {
            if s.what.intersects(declared.never()) {
                let text = self.sources.snippet(s.span).to_string();
                self.report(misplaced_specifier(s.span, &text, declared.text()));
            } else if s.what.intersects(Specs::CONSTEXPR) {
                self.report(extension(s.span, "`constexpr` declarations"));
            } else if s.what.intersects(passing) {
                let text = self.sources.snippet(s.span).to_string();
                self.report(repeated_specifier(s.span, &text));
            }
            passing |= s.what & Specs::PASSING;
            // A primitive says what the vertices of a geometry shader's input are: nothing interpolates them.
            if declared == Declared::Parameter && s.what.intersects(Specs::PRIMITIVE) {
                primitive = self.check_primitive(ty, s.span, primitive).or(Some(s.span));
            }
        }
        let mut exclusive = |a: Specs, b: Specs, names: [&str; 2]| {
            if specs.contains(a | b) && !b.intersects(declared.never()) {
                let span = self.ast.spec_span(ty, b);
                self.report(contradiction(span, names[0], names[1]));
            }
        };
        exclusive(Specs::STATIC, Specs::EXTERN, ["static", "extern"]);
        exclusive(Specs::GROUPSHARED, Specs::EXTERN, ["groupshared", "extern"]);
        exclusive(Specs::STATIC, Specs::UNIFORM, ["static", "uniform"]);
        exclusive(Specs::UNIFORM, Specs::OUT, ["uniform", "out"]);
        let other = Specs::INTERPOLATION - Specs::NOINTERPOLATION;
        if specs.contains(Specs::NOINTERPOLATION) && specs.intersects(other) && !other.intersects(declared.never()) {
            let span: Span = self.ast.spec_span(ty, Specs::NOINTERPOLATION);
            self.report(contradicting_interpolation(span));
        }
    }
}
