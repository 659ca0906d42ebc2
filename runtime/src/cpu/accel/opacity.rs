//! Which triangles of an instance a ray takes, and which of them somebody must decide.
//!
//! In order: the facing is culled; a micromap says transparent, opaque or unknown, else the geometry says opaque or not; the
//! instance may force one of the two; the ray culls one of the two; the ray forces one of the two (DXR, Ray flags,
//! Instance flags, Opacity micromaps). All that does not depend on the triangle is worked out when an instance is entered.

use super::bottom::{Bottom, CLUSTER_OPAQUE, NO_MICROMAP, Triangle};
use super::micromap::State;
use super::space::Meeting;
use crate::device::{
    INSTANCE_CULL_DISABLE, INSTANCE_DISABLE_OMMS, INSTANCE_FORCE_NON_OPAQUE, INSTANCE_FORCE_OMM_2_STATE, INSTANCE_FORCE_OPAQUE,
    INSTANCE_FRONT_COUNTERCLOCKWISE,
};
use rtc_tables::ray_flags as flag;

/// What a ray's and an instance's flags say together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rules {
    /// Counter-clockwise triangles face front.
    counterclockwise: bool,
    cull_front: bool,
    cull_back: bool,
    /// Micromaps are looked at; if so, whether without unknown states.
    micromaps: bool,
    known: bool,
    /// What the instance makes of opaque and of other primitives, in two bits: bit 0 for what is not opaque.
    forced: [bool; 2],
    /// Whether what is then not opaque, or opaque, is culled.
    culled: [bool; 2],
    /// What the ray makes of them.
    seen: [bool; 2],
}

impl Rules {
    /// Those of a ray in an instance.
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

    /// Whether a triangle that was met faces front, and none if its face is culled.
    #[inline]
    pub fn facing(&self, m: &Meeting) -> Option<bool> {
        let front = m.clockwise != self.counterclockwise;
        let culled = if front { self.cull_front } else { self.cull_back };
        (!culled).then_some(front)
    }

    /// Whether a triangle counts as opaque where it was met, and none if it does not count at all.
    #[inline]
    pub fn opaque(&self, bottom: &Bottom, triangle: &Triangle, m: &Meeting) -> Option<bool> {
        let mut opaque = triangle.geometry & CLUSTER_OPAQUE != 0;
        if triangle.micromap != NO_MICROMAP && self.micromaps {
            let state = bottom.state(triangle, m.barycentrics);
            opaque = match if self.known { state.known() } else { state } {
                State::Transparent => return None,
                State::Opaque => true,
                State::UnknownTransparent | State::UnknownOpaque => false,
            };
        }
        self.of(opaque)
    }

    /// The same for a primitive of a geometry that is opaque or not.
    #[inline]
    pub fn of(&self, opaque: bool) -> Option<bool> {
        let opaque = self.forced[usize::from(opaque)];
        (!self.culled[usize::from(opaque)]).then_some(self.seen[usize::from(opaque)])
    }
}
