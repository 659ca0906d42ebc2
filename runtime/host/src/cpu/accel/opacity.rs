//! Triangle culling and opacity: which triangles of an instance a ray accepts, ignores, or reports as candidates.
//!
//! In order: face culling; the micromap state (transparent, opaque or unknown), else the geometry's opacity; the instance's
//! force-opaque and force-non-opaque flags; the ray's cull flags; the ray's force flags (DXR, Ray flags, Instance flags, Opacity
//! micromaps). Everything that does not depend on the triangle is computed when the traversal enters an instance.

use super::bottom::{Bottom, CLUSTER_OPAQUE, NO_MICROMAP, Triangle};
use super::micromap::State;
use super::ray_space::Intersection;
use crate::device::{
    INSTANCE_CULL_DISABLE, INSTANCE_DISABLE_OMMS, INSTANCE_FORCE_NON_OPAQUE, INSTANCE_FORCE_OMM_2_STATE, INSTANCE_FORCE_OPAQUE,
    INSTANCE_FRONT_COUNTERCLOCKWISE,
};
use rtc_tables::ray_flags as flag;

/// The combined flags of a ray and an instance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rules {
    /// Counter-clockwise triangles face front.
    counterclockwise: bool,
    cull_front: bool,
    cull_back: bool,
    /// Whether micromaps are used, and if so, whether in two-state mode.
    micromaps: bool,
    known: bool,
    /// The opacity after the instance flags, in two bits: bit 0 for non-opaque primitives, bit 1 for opaque ones.
    forced: [bool; 2],
    /// Whether primitives that are then non-opaque, or opaque, are culled.
    culled: [bool; 2],
    /// The opacity after the ray flags.
    seen: [bool; 2],
}

impl Rules {
    /// The rules of a ray in an instance.
    #[inline(always)]
    pub fn new(ray: u32, instance: u8) -> Rules {
        let instance = u32::from(instance);
        let has = |f: u32| instance & f != 0;
        let asks = |f: u32| ray & f != 0;
        let force = |opaque: bool, other: bool| match (opaque, other) {
            (true, _) => [true, true],
            (_, true) => [false, false],
            _ => [false, true],
        };
        let cull = !has(INSTANCE_CULL_DISABLE);
        Rules {
            counterclockwise: has(INSTANCE_FRONT_COUNTERCLOCKWISE),
            cull_front: cull && asks(flag::CULL_FRONT_FACING),
            cull_back: cull && asks(flag::CULL_BACK_FACING),
            micromaps: !has(INSTANCE_DISABLE_OMMS),
            known: has(INSTANCE_FORCE_OMM_2_STATE) || asks(flag::FORCE_2_STATE),
            forced: force(has(INSTANCE_FORCE_OPAQUE), has(INSTANCE_FORCE_NON_OPAQUE)),
            culled: [asks(flag::CULL_NON_OPAQUE), asks(flag::CULL_OPAQUE)],
            seen: force(asks(flag::FORCE_OPAQUE), asks(flag::FORCE_NON_OPAQUE)),
        }
    }

    /// Whether an intersected triangle faces front; `None` if its face is culled.
    #[inline]
    pub fn facing(&self, m: &Intersection) -> Option<bool> {
        let front = m.clockwise != self.counterclockwise;
        let culled = if front { self.cull_front } else { self.cull_back };
        (!culled).then_some(front)
    }

    /// Whether a triangle is opaque at the intersection; `None` if it is ignored.
    #[inline]
    pub fn opaque(&self, bottom: &Bottom, triangle: &Triangle, m: &Intersection) -> Option<bool> {
        let mut opaque = triangle.geometry & CLUSTER_OPAQUE != 0;
        if triangle.micromap != NO_MICROMAP && self.micromaps {
            let state = bottom.state(triangle, m.barycentrics);
            opaque = match if self.known { state.two_state() } else { state } {
                State::Transparent => return None,
                State::Opaque => true,
                State::UnknownTransparent | State::UnknownOpaque => false,
            };
        }
        self.of(opaque)
    }

    /// The same for a primitive of a geometry with that opacity.
    #[inline]
    pub fn of(&self, opaque: bool) -> Option<bool> {
        let opaque = self.forced[usize::from(opaque)];
        (!self.culled[usize::from(opaque)]).then_some(self.seen[usize::from(opaque)])
    }
}
