//! Acceleration structures and how rays walk them. Pure Rust; nothing here knows shaders.
//!
//! | file | what |
//! |---|---|
//! | `bvh` | the tree: eight boxes a node, over what `obvhs` clusters |
//! | `space` | a ray as one space sees it: conservative boxes, watertight triangles |
//! | `bottom`, `top` | structures: build, update, compact |
//! | `walk` | a ray's walk through them, which stops at each candidate |
//! | `opacity` | which hits count: culling, opaque or not |
//! | `micromap` | opacity micromaps |
//! | `cluster`, `compressed` | clusters, templates, structures of clusters; their compressed positions |
//! | `vertex` | positions in the formats of memory |
//! | `partition` | partitioned top-level structures |
//! | `bytes`, `serial` | structures as bytes |
//!
//! # The contract of a walk
//!
//! [`Walk`] serves `TraceRay` and `RayQuery` alike. [`Walk::new`] takes a ray, the ray flags (those of a query's template
//! included), the low eight bits of the instance mask, and the flags of the pipeline's configuration (of which it looks at
//! those that skip primitives). It holds no reference: [`Walk::next`] is given the same [`Top`] each time. For a null
//! structure that is [`Top::empty`].
//!
//! `next` goes on to the next thing that somebody must decide and returns it:
//!
//! * a triangle that is not opaque: run the any-hit shader, or return the candidate from `Proceed`; [`Walk::commit`] accepts
//!   it. Without an any-hit shader a pipeline calls `commit` at once;
//! * a procedural primitive whose box the ray meets: run the intersection shader. For each hit it reports, at most
//!   [`Walk::commit_procedural`]; [`Walk::takes`] says whether a distance counts. `opaque` says whether any-hit shaders run.
//!
//! Opaque triangles are committed on the way. `None` means that the walk is over, and it stays so. It is also over after
//! [`Walk::abort`], and after any commit if the ray accepts the first hit. What counts is then [`Walk::committed`].
//!
//! Candidates come in no particular order, except that the same ray and the same structures give the same one, and each
//! primitive comes at most once (so `NO_DUPLICATE_ANY_HIT` holds for all). Of triangles at the same distance the one with
//! the lowest instance, geometry and primitive counts. A ray with a number that is not finite (but for an infinite
//! `t_max`) meets nothing.

mod bottom;
mod bvh;
mod bytes;
mod cluster;
mod compiled_twice;
mod compressed;
mod math;
mod micromap;
mod opacity;
mod partition;
mod serial;
mod space;
mod top;
mod vertex;
mod walk;

#[cfg(test)]
pub(super) mod tests;

pub use bottom::{Bottom, CLUSTER_ID_INVALID, FindMicromaps};
pub use bvh::NODE_BYTES;
pub use cluster::{Cluster, Template, cluster_bytes, references_bytes, template_bytes};
pub(crate) use compressed::decode as decode_compressed;
#[cfg(test)]
pub(crate) use compressed::encode as encode_compressed;
pub use micromap::{MicromapArray, State, index as micromap_index};
pub use partition::{Partitioned, Swapped, Written};
pub use serial::{Structure, deserialize};
pub use top::{Placed, Top, TopInstance};
pub use vertex::{read as read_vertices, rounded as rounded_vertex};
pub use walk::{Hit, Kind, Ray, Walk};
