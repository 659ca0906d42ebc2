//! Ray tracing: shader tables, the control flow of `TraceRay`, ray queries, hit objects.
//!
//! | module | what |
//! |---|---|
//! | [`tables`] | shader tables: shader records, their identifiers and local root arguments |
//! | [`build`] | building shader tables |
//! | [`ray_state`] | the ray and hit system values of a shader |
//! | [`attributes`] | hit attributes and payloads: memory of shaders |
//! | [`call`] | calling the shader of a record: sizes, stack, depth |
//! | [`trace_ray`](mod@trace_ray) | `TraceRay`, `ReportHit` |
//! | [`query`] | ray queries |
//! | [`hit_object`] | hit objects |
//!
//! A thread runs one shader at a time. Its [`RayState`] and its record are those of that shader; code that runs another shader sets
//! them and restores them afterwards ([`call::run`]). Compiled code reads the view from the thread.

pub mod attributes;
pub mod build;
pub mod call;
pub mod hit_object;
pub mod query;
pub mod ray_state;
pub mod tables;
pub mod trace_ray;

pub use attributes::{Attributes, Memory};
pub use ray_state::RayState;
pub use tables::{Record, Tables};
pub use trace_ray::{Call, ClosestHit, Reported, Search, accept_and_end, closest_hit, ignore, miss, report, search, trace_ray};

/// The state of ray-tracing operations of a thread.
pub struct Rays<'m> {
    /// The record of the running shader, with its local root arguments.
    pub record: &'m Record,
    /// Number of active calls of `TraceRay` and `HitObject::Invoke`.
    pub depth: u32,
    /// The lowest stack address that shaders may use; 0: not determined yet.
    pub floor: usize,
    /// The active search for hits.
    pub search: Search<'m>,
    /// The ray queries of the active shaders.
    pub queries: query::Queries<'m>,
    /// The hit objects of the active shaders.
    pub objects: hit_object::Arena<'m>,
}

/// The state of [`Rays`] at the start of a shader.
pub struct Entered {
    queries: usize,
    objects: hit_object::Mark,
}

impl Rays<'_> {
    /// A shader begins: its allocations are freed when it ends.
    #[inline]
    pub fn enter(&mut self) -> Entered {
        Entered { queries: self.queries.enter(), objects: self.objects.enter() }
    }

    /// The shader ends.
    #[inline]
    pub fn leave(&mut self, before: Entered) {
        self.queries.leave(before.queries);
        self.objects.leave(before.objects);
    }
}

impl Default for Rays<'_> {
    fn default() -> Self {
        Rays {
            record: &tables::NO_RECORD,
            depth: 0,
            floor: 0,
            search: Search::default(),
            queries: Default::default(),
            objects: Default::default(),
        }
    }
}

#[cfg(test)]
mod tests;
