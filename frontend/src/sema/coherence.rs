//! `globallycoherent` and `reordercoherent`: which writable resources may have them, as specifiers or in brackets.

use rtc_base::Span;
use rtc_tables::resources::{ResourceClass, ResourceFlags};

use super::context::Sema;
use super::errors::{stages as err_stages, types as err_types};
use crate::hir::{ExprId, Ty, TyKind};
use crate::syntax::ast::{self, Specs};

/// The first shader model 6 that has `reordercoherent`.
const REORDER_SINCE: u8 = 9;

impl Sema<'_> {
    /// Reports coherence of what is no resource: a parameter, a result, a member of a constant buffer.
    pub fn check_coherence(&mut self, ty: Ty, written: ast::TypeId) {
        let specs = self.ast.types[written].specs;
        let (elem, _) = self.m.types.strip_arrays(ty);
        for (spec, name) in [(Specs::GLOBALLYCOHERENT, "globallycoherent"), (Specs::REORDERCOHERENT, "reordercoherent")] {
            if specs.contains(spec) && elem != Ty::ERROR && !self.m.types.has_objects(elem) {
                let at = self.ast.spec_span(written, spec);
                self.report(err_types::misplaced_specifier(at, name, "what is not a writable resource"));
            }
        }
    }

    /// Warns of a resource, or an array of some, that becomes one with another coherence.
    pub fn warn_of_coherence(&mut self, e: ExprId, from: Ty, to: Ty) {
        let flags = |t| self.m.types.as_resource(self.m.types.strip_arrays(t).0).map(|r| r.flags);
        let (Some(have), Some(want)) = (flags(from), flags(to)) else { return };
        let word = |flags: ResourceFlags| match () {
            () if flags.contains(ResourceFlags::COHERENT) => Some("globallycoherent"),
            () if flags.contains(ResourceFlags::REORDER_COHERENT) => Some("reordercoherent"),
            () => None,
        };
        let (have, want) = (word(have), word(want));
        if have != want && !self.is_built_in(self.span(e)) {
            self.report(err_types::other_coherence(self.span(e), have, want));
        }
    }

    /// The type of a variable with the coherence of its specifiers and attributes. `written`: its type in the source.
    pub fn coherent(&mut self, ty: Ty, specs: Specs, attrs: &[ast::Attr], written: ast::TypeId) -> Ty {
        let mut said: Vec<(bool, Span)> = attrs.iter().map(|a| (self.str(a.name.sym).starts_with(['r', 'R']), a.span)).collect();
        for (spec, reorder) in [(Specs::GLOBALLYCOHERENT, false), (Specs::REORDERCOHERENT, true)] {
            if specs.contains(spec) {
                said.push((reorder, self.ast.spec_span(written, spec)));
            }
        }
        let mut out = ty;
        for (reorder, at) in said {
            let name = if reorder { "reordercoherent" } else { "globallycoherent" };
            let mut elem = ty;
            while let TyKind::Array(inner, _) = self.kind(elem) {
                elem = inner;
            }
            if elem == Ty::ERROR {
                continue;
            }
            if self.m.types.as_resource(elem).is_none_or(|r| r.class != ResourceClass::Uav) {
                self.report(err_types::misplaced_specifier(at, name, "a variable that is not a writable resource"));
                continue;
            }
            let have = self.opts.available_model();
            if reorder && have < REORDER_SINCE {
                self.report(err_stages::needs_model(at, name, REORDER_SINCE, have));
            }
            if let TyKind::Resource(mut r) = self.kind(out) {
                r.flags |= if reorder { ResourceFlags::REORDER_COHERENT } else { ResourceFlags::COHERENT };
                out = self.m.types.intern(TyKind::Resource(r));
            }
        }
        out
    }
}
