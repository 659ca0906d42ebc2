//! Deprecated names of intrinsics, from earlier versions of the specifications: accepted with a warning and a fix-it.

use rtc_base::Span;
use rtc_tables::intrinsics::{Expander, Intrinsic, Lower};

use super::context::Sema;
use super::errors::calls as err;
use crate::hir::ExprId;
use crate::syntax::ast;

impl Sema<'_> {
    /// Warns of a call of a renamed intrinsic. `span`: the call with its arguments.
    pub fn check_deprecated_spelling(&mut self, row: &'static Intrinsic, name: ast::Name, args: &[ExprId], span: Span) {
        let Some(new) = row.newer_name else { return };
        let Lower::Expand(Expander::TrianglePosition(_)) = row.lowers else {
            self.report(err::deprecated_name(name.span, row.name, new));
            return;
        };
        let Some(&arg) = args.first() else { return };
        let number = self.evaluate(arg).and_then(|c| c.first()?.as_int());
        match number {
            Some(n) if !(0..3).contains(&n) => {
                let at = self.span(arg);
                self.report(err::no_such_vertex(at, row.name, n));
            }
            n => {
                let call = Span::new(name.span.lo, span.hi);
                self.report(err::vertex_by_number(name.span, row.name, new, n.map(|n| (n, call))));
            }
        }
    }
}
