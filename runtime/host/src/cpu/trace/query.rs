//! Ray queries: traversals whose candidates the shader itself decides.
//!
//! ```text
//! allocate ─► New ─ TraceRayInline ─► Traced ─ Proceed ─► Candidate ⟲ Proceed ─► Traced, finally
//!                   (from any state)
//! ```
//! (DXR, RayQuery.) A query belongs to the invocation that allocated it and is freed with it. An allocation site returns the same
//! query each time that it runs in one invocation: a variable in a loop is a new one in each iteration, and the old one is
//! unreachable then.
//!
//! Direct3D leaves the results of methods undefined in states without an answer: here they are zero, and the sanitizer reports them.

use super::Attributes;
use super::ray_state::RayState;
use crate::cpu::accel::{Hit, Kind, Ray, Top, Traversal};
use rtc_tables::ray_flags as flag;
use rustc_hash::FxHashMap;

/// The state of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// No ray was traced.
    New,
    /// A ray is being traced; there is no candidate.
    Traced,
    /// `Proceed` returned a candidate.
    Candidate,
}

/// A ray query.
pub struct Query<'m> {
    site: u32,
    /// The query that this site allocated in an outer invocation.
    before: Option<usize>,
    /// Ray flags of its type.
    own: u32,
    /// Those combined with the flags of the call.
    flags: u32,
    state: State,
    top: Option<&'m Top>,
    walk: Traversal,
}

impl<'m> Query<'m> {
    /// Its state.
    pub fn state(&self) -> State {
        self.state
    }
    /// The ray; one without direction if none was traced.
    pub fn ray(&self) -> &Ray {
        self.walk.ray()
    }
    /// `RayFlags()`.
    pub fn flags(&self) -> u32 {
        self.flags & flag::ALL
    }
    /// `CommittedRayT()`.
    pub fn t(&self) -> f32 {
        self.walk.t()
    }
    /// The current candidate.
    pub fn candidate(&self) -> Option<&Hit> {
        (self.state == State::Candidate).then(|| self.walk.candidate())
    }
    /// The closest hit so far.
    pub fn committed(&self) -> Option<&Hit> {
        if self.state == State::New { None } else { self.walk.committed() }
    }
    /// The structure; `None` before a ray is traced, and if it is null.
    pub fn top(&self) -> Option<&'m Top> {
        self.top
    }

    /// `TraceRayInline`, in any state. Without a structure nothing is hit.
    pub fn trace(&mut self, top: Option<&'m Top>, ray: Ray, flags: u32, mask: u32) {
        self.flags = self.own | flags;
        self.state = State::Traced;
        self.top = top;
        // The pipeline's flags apply to rays that run shaders only.
        self.walk.restart(ray, self.flags, mask, 0);
    }

    /// `Proceed`: whether there is a candidate.
    pub fn proceed(&mut self) -> bool {
        let next = match (self.state, self.top) {
            (State::New, _) | (_, None) => None,
            (_, Some(top)) => self.walk.next(top),
        };
        if self.state != State::New {
            self.state = if next.is_some() { State::Candidate } else { State::Traced };
        }
        next.is_some()
    }

    /// `Abort`.
    pub fn abort(&mut self) {
        self.walk.abort();
    }

    /// `CommitNonOpaqueTriangleHit`; false if the candidate is no triangle.
    pub fn commit_triangle(&mut self) -> bool {
        let there = self.candidate().is_some_and(|h| h.kind == Kind::Triangle);
        if there {
            self.walk.commit();
        }
        there
    }

    /// `CommitProceduralPrimitiveHit`; false if the candidate is no procedural primitive, or `t` is not between the ray's minimum
    /// and the closest hit.
    pub fn commit_procedural(&mut self, t: f32) -> bool {
        self.state == State::Candidate && self.walk.commit_procedural(t)
    }

    /// The ray state of the committed hit for a shader, with the hit kind and attributes of a procedural one.
    pub fn seen(&self, kind: u32, attributes: Attributes) -> Option<(RayState<'m>, Kind, Attributes)> {
        let (hit, top) = (self.committed()?, self.top?);
        let (kind, attributes) = match hit.kind {
            Kind::Triangle => (hit.triangle_hit_kind(), Attributes::triangle(hit.barycentrics)),
            Kind::Procedural => (kind, attributes),
        };
        Some((RayState::of_ray(self.ray(), self.flags).with_hit(top, hit, kind), hit.kind, attributes))
    }
}

/// The queries of a thread.
#[derive(Default)]
pub struct Queries<'m> {
    all: Vec<Query<'m>>,
    /// The first query of the running shader.
    base: usize,
    /// The latest query of each allocation site.
    last: FxHashMap<u32, usize>,
}

impl<'m> Queries<'m> {
    /// `AllocateRayQuery` at a call site, with the ray flags of the type. Returns a handle.
    pub fn allocate(&mut self, site: u32, flags: u32) -> u32 {
        let before = self.last.get(&site).copied();
        let number = match before.filter(|&n| n >= self.base) {
            Some(number) => {
                let query = &mut self.all[number];
                (query.own, query.state) = (flags, State::New);
                number
            }
            None => {
                let nowhere = Ray { origin: [0.0; 3], t_min: 0.0, direction: [0.0; 3], t_max: 0.0 };
                let walk = Traversal::new(nowhere, 0, 0, 0);
                self.all.push(Query { site, before, own: flags, flags, state: State::New, top: None, walk });
                self.last.insert(site, self.all.len() - 1);
                self.all.len() - 1
            }
        };
        number as u32 + 1
    }

    /// The query of a handle; `None` if the running shader has not allocated it.
    pub fn get(&mut self, handle: u32) -> Option<&mut Query<'m>> {
        let number = (handle as usize).checked_sub(1).filter(|&n| n >= self.base)?;
        self.all.get_mut(number)
    }

    /// A shader begins. Returns the state for [`Queries::leave`].
    #[inline]
    pub fn enter(&mut self) -> usize {
        std::mem::replace(&mut self.base, self.all.len())
    }

    /// The shader ends; its queries are freed.
    #[inline]
    pub fn leave(&mut self, base: usize) {
        while self.all.len() > self.base
            && let Some(query) = self.all.pop()
        {
            match query.before {
                Some(n) => self.last.insert(query.site, n),
                None => self.last.remove(&query.site),
            };
        }
        self.base = base;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_one_query_in_each_invocation() {
        let mut queries = Queries::default();
        let outer = queries.enter();
        let (a, b) = (queries.allocate(3, 1), queries.allocate(9, 2));
        assert_eq!((a, b, queries.allocate(3, 1)), (1, 2, 1));
        let inner = queries.enter();
        assert!(queries.get(a).is_none());
        let c = queries.allocate(3, 4);
        assert_eq!((c, queries.allocate(3, 4)), (3, 3));
        queries.leave(inner);
        // The outer one is current again, and the inner one is freed.
        assert_eq!((queries.allocate(3, 1), queries.allocate(9, 1)), (a, b));
        assert_eq!(queries.allocate(5, 0), 3);
        assert!(queries.get(0).is_none() && queries.get(4).is_none() && queries.get(u32::MAX).is_none());
        queries.leave(outer);
        assert!(queries.get(a).is_none() && queries.all.is_empty() && queries.last.is_empty());
    }

    #[test]
    fn an_untraced_query_has_no_results() {
        let mut queries = Queries::default();
        let handle = queries.allocate(0, flag::FORCE_OPAQUE);
        let Some(q) = queries.get(handle) else { panic!("no query") };
        assert!(!q.proceed() && q.state() == State::New);
        assert!(q.candidate().is_none() && q.committed().is_none());
        assert!(!q.commit_triangle() && !q.commit_procedural(0.0));
        // A null structure.
        let ray = Ray { origin: [1.0; 3], t_min: 0.5, direction: [0.0, 0.0, 1.0], t_max: 9.0 };
        q.trace(None, ray, flag::CULL_OPAQUE, 0xff);
        assert_eq!((q.state(), q.flags(), q.t()), (State::Traced, 0x41, 9.0));
        assert!(!q.proceed() && q.committed().is_none() && q.seen(0, Attributes::ZERO).is_none());
    }
}
