//! Checks of constant ray flags: mutually exclusive ones, ones without effect, and ones that the shader model lacks.

use rtc_base::Span;
use rtc_tables::ray_flags::{self as flags_of, FORCE_2_STATE, QUERY_ALLOWS_MICROMAPS, SKIP_CLOSEST_HIT, conflict, errors as err};

use super::context::Sema;
use crate::hir::{Arg, ExprId, TyKind};

impl Sema<'_> {
    /// The flags of a type `RayQuery<flags, query_flags>`.
    pub fn check_query_type(&mut self, flags: u32, query_flags: u32, span: Span) {
        self.check_named_flags(flags_of::QUERY_FLAGS, query_flags, span);
        let unknown = query_flags & !flags_of::bits(flags_of::QUERY_FLAGS);
        if unknown != 0 {
            self.report(err::unknown_bits(span, unknown));
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

    /// The flags of a pipeline's configuration.
    pub fn check_pipeline_flags(&mut self, flags: u32, span: Span) {
        self.check_named_flags(flags_of::PIPELINE_FLAGS, flags, span);
        // The flags that skip geometry have the values of the ray flags, and are mutually exclusive like those.
        if conflict(flags & (flags_of::SKIP_TRIANGLES | flags_of::SKIP_PROCEDURAL)).is_some() {
            let names = [flags_of::PIPELINE_FLAGS[0].1, flags_of::PIPELINE_FLAGS[1].1];
            self.report(err::exclusive(span, names[0], names[1]));
        }
    }

    fn check_named_flags(&mut self, table: &[(u32, &str, u8)], flags: u32, span: Span) {
        let have = self.opts.available_model();
        for &(bit, name, need) in table {
            if flags & bit != 0 && have < need {
                self.report(err::too_new(span, name, need, have));
            }
        }
    }

    fn check_flag_models(&mut self, flags: u32, span: Span) {
        let have = self.opts.available_model();
        for (name, need) in flags_of::too_new(flags, have) {
            self.report(err::too_new(span, name, need, have));
        }
        if flags & !flags_of::ALL != 0 {
            self.report(err::unknown_bits(span, flags & !flags_of::ALL));
        }
    }

    /// The ray flags of a call, which are its argument 1. `inline`: of a ray query, which has flags in its type too.
    pub fn check_ray_flags(&mut self, object: Option<ExprId>, args: &[Arg], inline: bool) {
        let Some(arg) = args.get(1) else { return };
        let constant = self.evaluate(arg.expr);
        let Some(flags) = constant.and_then(|c| c.first()?.as_int()) else {
            return;
        };
        let (flags, span) = (flags as u32, self.span(arg.expr));
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
