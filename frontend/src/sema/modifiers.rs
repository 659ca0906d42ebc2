//! Which modifiers a declaration may have.

use rtc_base::Span;

use super::context::Sema;
use super::errors::signature::contradicting_interpolation;
use super::errors::types::{contradiction, extension, misplaced_specifier, repeated_specifier};
use crate::syntax::ast::{self, Specs};

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
    /// Reports modifiers of a declaration with this type that it cannot have, or cannot have together.
    pub fn check_modifiers(&mut self, ty: ast::TypeId, declared: Declared) {
        let t = self.ast.types[ty];
        let specs = t.specs;
        let mut passing = Specs::empty();
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
