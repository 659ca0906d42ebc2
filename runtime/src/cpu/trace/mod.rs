//! Tracing rays: shader tables, the control flow of `TraceRay`, what shaders called by it see.
//!
//! | module | what |
//! |---|---|
//! | [`tables`] | shader tables: records, what they name, the bytes behind |
//! | [`view`] | what a shader sees of the ray and of the hit that it was called for |
//! | [`attributes`] | hit attributes and payloads: memory of shaders |
//! | [`call`] | running a shader of a record: sizes, stack, depth |
//! | [`search`](mod@search) | `TraceRay`, `ReportHit` |
//!
//! A thread runs one shader at a time. Its [`View`] and its record are those of that shader; whoever runs another one
//! sets them and puts them back afterwards ([`call::run`]). Compiled code reads the view from the thread.

pub mod attributes;
pub mod call;
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
}

impl Default for Rays<'_> {
    fn default() -> Self {
        Rays { record: &tables::NO_RECORD, depth: 0, floor: 0, search: Search::default() }
    }
}

#[cfg(test)]
mod tests;
