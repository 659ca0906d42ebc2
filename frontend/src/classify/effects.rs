//! The effects framework: techniques, its objects, state blocks and annotations are reported and removed, as they mean nothing to a shader.

use rtc_base::{Diagnostic, Interner, Symbol};
use rtc_tables::diagnostics as codes;

use super::names::NO_SCOPE;
use super::token::Tok;
use super::{BracketKind, Classifier};
use crate::lex::Kind;

/// The most tokens of an annotation.
const LONGEST_ANNOTATION: usize = 2000;

/// What begins a technique.
const TECHNIQUES: [&str; 4] = ["technique", "Technique", "technique10", "technique11"];

/// The types of objects that only the framework has. A type of the source with such a name is that one.
const OBJECTS: [&str; 17] = [
    "texture",
    "Texture",
    "pixelshader",
    "PixelShader",
    "vertexshader",
    "VertexShader",
    "pixelfragment",
    "vertexfragment",
    "ComputeShader",
    "DomainShader",
    "GeometryShader",
    "HullShader",
    "BlendState",
    "DepthStencilState",
    "DepthStencilView",
    "RasterizerState",
    "RenderTargetView",
];

/// The names of the framework.
#[derive(Clone)]
pub(super) struct EffectNames {
    techniques: [Symbol; TECHNIQUES.len()],
    objects: [Symbol; OBJECTS.len()],
}

impl EffectNames {
    pub(super) fn new(interner: &mut Interner) -> EffectNames {
        EffectNames { techniques: TECHNIQUES.map(|n| interner.intern(n)), objects: OBJECTS.map(|n| interner.intern(n)) }
    }
}

impl Classifier<'_> {
    /// A technique or the declaration of an object, if one begins at the current token: reported and removed.
    pub(super) fn effect(&mut self, sym: Symbol) -> bool {
        let next = self.kind(self.at + 1);
        if next == Kind::LBrace || next == Kind::Ident {
            return self.technique(sym) || next == Kind::Ident && self.effect_object(sym);
        }
        false
    }

    /// `technique10 T { pass P { … } }`
    fn technique(&mut self, sym: Symbol) -> bool {
        if !self.effects.techniques.contains(&sym) || !self.brackets.is_empty() || !self.at_start() {
            return false;
        }
        let mut open = self.at + 1;
        if self.kind(open) == Kind::Ident {
            open += 1;
        }
        if self.kind(open) == Kind::Lt {
            open = self.annotation_end(open).map_or(open, |end| end + 1);
        }
        if self.kind(open) != Kind::LBrace {
            return false;
        }
        let end = self.matching(open, usize::MAX).unwrap_or(self.tokens.len() - 2);
        self.ignored(self.at, end, "techniques");
        true
    }

    /// `BlendState B { … };`
    fn effect_object(&mut self, sym: Symbol) -> bool {
        if !self.effects.objects.contains(&sym) {
            return false;
        }
        // Specifiers may precede the type.
        let specifiers = self.out.iter().rev().take_while(|c| matches!(c.tok, Tok::Spec | Tok::Const)).count();
        let begins = if specifiers == 0 { self.at_start() } else { self.out.len() - specifiers == self.statement };
        let declares = matches!(self.kind(self.at + 2), Kind::Semi | Kind::LBrace | Kind::Assign | Kind::Lt | Kind::Comma | Kind::LBracket);
        // Textures without dimensions are types of the language that no shader model has any more.
        let texture = self.effects.objects[..2].contains(&sym);
        let known = self.names.lookup(sym, self.interner);
        if !begins || !declares || known.class.is_type() && (known.inner != NO_SCOPE || !texture) {
            return false;
        }
        let mut depth = 0;
        let mut end = self.at;
        loop {
            match self.kind(end + 1) {
                Kind::LBrace => depth += 1,
                Kind::RBrace if depth == 0 => break,
                Kind::RBrace => depth -= 1,
                Kind::Eof => break,
                Kind::Semi if depth == 0 && !self.in_annotation(end + 1) => {
                    end += 1;
                    break;
                }
                _ => {}
            }
            end += 1;
        }
        self.out.truncate(self.out.len() - specifiers);
        self.ignored(self.at, end, "objects");
        true
    }

    /// Whether the semicolon at `semi` is the last one of an annotation, or another one follows in it.
    fn in_annotation(&self, semi: usize) -> bool {
        let mut from = semi;
        while from > self.at && self.kind(from) != Kind::Lt {
            from -= 1;
        }
        self.kind(from) == Kind::Lt && self.annotation_end(from).is_some_and(|end| end > semi)
    }

    /// The annotation `< type name = value; >` of a variable or parameter that opens at the current token: reported and removed.
    pub(super) fn effect_annotation(&mut self) -> bool {
        let after_name = self.declarators == Some(self.brackets.len()) && matches!(self.prev(), Tok::Ident | Tok::RSquare | Tok::RParen);
        let typed = self.kind(self.at + 1) == Kind::Ident && self.kind(self.at + 2) == Kind::Ident;
        // Of a parameter, after its name, dimensions or semantic. No expression has two names in a row.
        let parameter = typed
            && matches!(self.prev(), Tok::Ident | Tok::RSquare)
            && matches!(self.top(), Some(BracketKind::Paren | BracketKind::FnParams));
        let variable = after_name && (typed || self.kind(self.at + 1) == Kind::Gt);
        if !variable && !parameter {
            return false;
        }
        let Some(end) = self.annotation_end(self.at) else {
            return false;
        };
        self.ignored(self.at, end, "annotations");
        true
    }

    /// Index of the `>` that closes the annotation that opens at `open`: it follows the `<` or a semicolon.
    fn annotation_end(&self, open: usize) -> Option<usize> {
        let ends = |&at: &usize| self.kind(at) == Kind::Gt && matches!(self.kind(at - 1), Kind::Lt | Kind::Semi);
        (open + 1..open + LONGEST_ANNOTATION).find(ends)
    }

    /// The state block of an object, from the brace at `open` on: reported and removed.
    pub(super) fn skip_state_block(&mut self, open: usize) {
        let end = self.matching(open, usize::MAX).unwrap_or(self.tokens.len() - 2);
        self.ignored(open, end, "state blocks");
    }

    /// Reports and skips the tokens from `from` to `end`.
    fn ignored(&mut self, from: usize, end: usize, what: &str) {
        let span = self.span(from).to(self.span(end));
        self.report.add(Diagnostic::new(&codes::W0201, span, format!("{what} of the effects framework are ignored")));
        self.at = end;
    }
}
