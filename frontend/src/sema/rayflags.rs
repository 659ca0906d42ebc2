//! Ray flags that are known at compile time: which exclude each other, which do nothing where they are, and which the
//! shader model does not have.

use rtc_base::Span;
use rtc_tables::intrinsics::{Intrinsic, Object, Scope};
use rtc_tables::ray_flags::{self as flags_of, FORCE_2_STATE, QUERY_ALLOWS_MICROMAPS, SKIP_CLOSEST_HIT, conflict, errors as err};

use super::context::Sema;
use crate::hir::{Arg, ExprId, TyKind};

impl Sema<'_> {
    /// The flags of a type `RayQuery<flags, query_flags>`.
    pub fn check_query_type(&mut self, flags: u32, query_flags: u32, span: Span) {
        let have = self.opts.shader_model;
        if query_flags != 0 && have < 9 {
            self.report(super::errors::stages::needs_model(
                span,
                "RayQuery with query flags",
                9,
                have,
            ));
        }
        if let Some((a, b)) = conflict(flags) {
            self.report(err::exclusive(span, a, b));
        }
        if flags & SKIP_CLOSEST_HIT != 0 {
            self.report(err::no_closest_hit(span));
        }
        if flags & FORCE_2_STATE != 0 && query_flags & QUERY_ALLOWS_MICROMAPS == 0 {
            self.report(err::no_micromaps(span));
        }
        self.check_flag_models(flags, span);
    }

    fn check_flag_models(&mut self, flags: u32, span: Span) {
        let have = self.opts.shader_model;
        for (name, need) in flags_of::too_new(flags, have) {
            self.report(err::too_new(span, name, need, have));
        }
        if flags & !flags_of::ALL != 0 {
            self.report(err::unknown_bits(span, flags & !flags_of::ALL));
        }
    }

    /// The flags of a call that traces.
    pub fn check_ray_flags(
        &mut self,
        row: &'static Intrinsic,
        object: Option<ExprId>,
        args: &[Arg],
    ) {
        if !matches!(row.name, "TraceRay" | "TraceRayInline") {
            return;
        }
        let Some(arg) = args.get(1) else { return };
        let known = self.evaluate(arg.expr);
        let Some(flags) = known.and_then(|c| c.first()?.as_int()) else {
            return;
        };
        let (flags, span) = (flags as u32, self.span(arg.expr));
        let inline = row.scope == Scope::Method(Object::RayQuery);
        let fixed = match object.map(|o| self.kind(self.ty(o))) {
            Some(TyKind::RayQuery { flags, .. }) => flags,
            _ => 0,
        };
        if conflict(fixed).is_none()
            && let Some((a, b)) = conflict(fixed | flags)
        {
            self.report(err::exclusive(span, a, b));
        }
        if inline && flags & SKIP_CLOSEST_HIT != 0 {
            self.report(err::no_closest_hit(span));
        }
        self.check_flag_models(flags, span);
    }
}
