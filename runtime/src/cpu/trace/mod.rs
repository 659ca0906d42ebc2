//! Tracing rays: shader tables, the control flow of `TraceRay`, what shaders called by it see.
//!
//! | module | what |
//! |---|---|
//! | [`tables`] | shader tables: records, what they name, the bytes behind |
//! | [`view`] | what a shader sees of the ray and of the hit that it was called for |
//! | [`attributes`] | hit attributes and payloads: memory of shaders |
//! | [`call`] | running a shader of a record: sizes, stack, depth |
//! | [`search`](mod@search) | `TraceRay`, `ReportHit` |
//! | [`query`] | ray queries |
//! | [`hit_object`] | hit objects |
//!
//! A thread runs one shader at a time. Its [`View`] and its record are those of that shader; whoever runs another one
//! sets them and puts them back afterwards ([`call::run`]). Compiled code reads the view from the thread.

pub mod attributes;
pub mod call;
pub mod hit_object;
pub mod query;
pub mod search;
pub mod tables;
pub mod view;

pub use attributes::{Attributes, Memory};
pub use search::{Call, Found, Reported, Search, accept_and_end, closest_hit, ignore, miss, report, search, trace_ray};
pub use tables::{Place, Record, Tables};
pub use view::View;

/// What the ray-tracing operations keep in a thread.
pub struct Rays<'m> {
    /// The record with which the shader runs that runs now: local root arguments are in it.
    pub record: &'m Record,
    /// How many calls of `TraceRay` and `HitObject::Invoke` are under way.
    pub depth: u32,
    /// The lowest address of the stack that shaders may use; 0: not known yet.
    pub floor: usize,
    /// The search for hits that is under way.
    pub search: Search<'m>,
    /// The ray queries of the shaders that run.
    pub queries: query::Queries<'m>,
    /// Their hit objects.
    pub objects: hit_object::Arena<'m>,
}

/// What [`Rays`] had when a shader began.
pub struct Entered {
    queries: usize,
    objects: hit_object::Mark,
}

impl Rays<'_> {
    /// A shader begins: what it allocates goes with it.
    #[inline]
    pub fn enter(&mut self) -> Entered {
        Entered { queries: self.queries.enter(), objects: self.objects.enter() }
    }

    /// It ends.
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
