//! Ray flags that are known at compile time: which exclude each other, which do nothing where they are, and which the
//! shader model does not have.

use rtc_base::Span;
use rtc_tables::intrinsics::{Intrinsic, Object, Scope};

use super::context::Sema;
use super::errors::rayflags as err;
use crate::hir::{Arg, ExprId, TyKind};

/// The flags with their names.
#[rustfmt::skip]
const FLAGS: &[(u32, &str)] = &[
    (0x001, "RAY_FLAG_FORCE_OPAQUE"),
    (0x002, "RAY_FLAG_FORCE_NON_OPAQUE"),
    (0x004, "RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH"),
    (0x008, "RAY_FLAG_SKIP_CLOSEST_HIT_SHADER"),
    (0x010, "RAY_FLAG_CULL_BACK_FACING_TRIANGLES"),
    (0x020, "RAY_FLAG_CULL_FRONT_FACING_TRIANGLES"),
    (0x040, "RAY_FLAG_CULL_OPAQUE"),
    (0x080, "RAY_FLAG_CULL_NON_OPAQUE"),
    (0x100, "RAY_FLAG_SKIP_TRIANGLES"),
    (0x200, "RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES"),
    (0x400, "RAY_FLAG_FORCE_OMM_2_STATE"),
];

/// Of each of these sets, at most one may be set.
const EXCLUSIVE: &[u32] = &[0x0c3, 0x030, 0x110, 0x120, 0x300];

const SKIP_CLOSEST_HIT: u32 = 0x008;
const FORCE_2_STATE: u32 = 0x400;
const ALLOW_MICROMAPS: u32 = 0x1;

/// Two flags of which only one may be set.
fn conflict(flags: u32) -> Option<(&'static str, &'static str)> {
    EXCLUSIVE.iter().find_map(|&set| {
        let mut on = FLAGS.iter().filter(|f| f.0 & set & flags != 0);
        Some((on.next()?.1, on.next()?.1))
    })
}

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
        if flags & FORCE_2_STATE != 0 && query_flags & ALLOW_MICROMAPS == 0 {
            self.report(err::no_micromaps(span));
        }
        self.check_flag_models(flags, span);
    }

    fn check_flag_models(&mut self, flags: u32, span: Span) {
        let have = self.opts.shader_model;
        for (bits, need) in [(0x300, 5), (FORCE_2_STATE, 9)] {
            if have < need
                && let Some(f) = FLAGS.iter().find(|f| f.0 & bits & flags != 0)
            {
                self.report(err::too_new(span, f.1, need, have));
            }
        }
        if flags >= 0x800 {
            self.report(err::unknown_bits(span, flags & !0x7ff));
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

#[cfg(test)]
mod tests {
    use super::conflict;

    #[test]
    fn what_excludes_what() {
        assert!(conflict(0x1 | 0x4 | 0x8 | 0x10 | 0x200 | 0x400).is_none());
        assert!(conflict(0x100 | 0x1 | 0x4).is_none());
        for pair in [0x3, 0x41, 0x81, 0xc0, 0x42, 0x82, 0x30, 0x110, 0x120, 0x300] {
            assert!(conflict(pair).is_some(), "{pair:#x}");
        }
    }
}
