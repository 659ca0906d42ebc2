//! Acceleration structures and their traversal by rays. Pure Rust, independent of shaders.
//!
//! | file | what |
//! |---|---|
//! | `bvh`, `build` | the tree: an 8-wide BVH; how it is built |
//! | `ray_space` | ray–box and ray–triangle intersection: conservative boxes, watertight triangles |
//! | `bottom`, `top` | structures: build, update, compact |
//! | `hit` | rays and hits |
//! | `traversal` | traversal, which stops at each candidate |
//! | `lanes`, `multiversion` | what a ray tests together, for every processor and for AVX2 |
//! | `opacity` | culling, opaque or not |
//! | `micromap` | opacity micromaps |
//! | `cluster`, `compressed` | clusters, templates, structures of clusters; their compressed positions |
//! | `vertex` | vertex position formats |
//! | `partition` | partitioned top-level structures |
//! | `encoding`, `serialize` | binary encoding and serialisation |
//!
//! # Traversal
//!
//! [`Traversal`] serves `TraceRay` and `RayQuery` alike. [`Traversal::new`] takes a ray, the ray flags (including those of a query's
//! template), the low eight bits of the instance mask, and the flags of the pipeline configuration (of which it uses those that
//! skip primitives). It holds no reference: [`Traversal::next`] gets the same [`Top`] each time. A null structure is [`Top::empty`].
//!
//! `next` advances to the next candidate that the caller must decide and returns it:
//!
//! * a non-opaque triangle: run the any-hit shader, or return the candidate from `Proceed`; [`Traversal::commit`] accepts it. Without
//!   an any-hit shader a pipeline calls `commit` at once;
//! * a procedural primitive whose box the ray intersects: run the intersection shader. For each reported hit call
//!   [`Traversal::commit_procedural`] at most once; [`Traversal::takes`] tells whether a distance is in range. `opaque` tells whether
//!   any-hit shaders run.
//!
//! Opaque triangles are committed during traversal. `None` means that traversal has ended, and it stays ended. It also ends after
//! [`Traversal::abort`], and after any commit if the ray accepts the first hit. The result is then [`Traversal::committed`].
//!
//! Candidates come in no particular order, but the order is deterministic for the same ray and structures, and each primitive
//! comes at most once (so `NO_DUPLICATE_ANY_HIT` holds for all). Among triangles at the same distance the one with the lowest
//! instance, geometry and primitive index wins. A ray with a non-finite component (except an infinite `t_max`) hits nothing.

mod bottom;
mod build;
mod bvh;
mod cluster;
mod compressed;
mod encoding;
mod hit;
mod lanes;
mod math;
mod micromap;
mod multiversion;
mod opacity;
mod partition;
mod ray_space;
mod serialize;
mod top;
mod traversal;
mod vertex;

#[cfg(test)]
pub(super) mod tests;

pub use bottom::{Bottom, CLUSTER_ID_INVALID, FindMicromaps};
pub use bvh::NODE_BYTES;
pub use cluster::{Cluster, Template, cluster_bytes, references_bytes, template_bytes};
pub(crate) use compressed::decode as decode_compressed;
#[cfg(test)]
pub(crate) use compressed::encode as encode_compressed;
pub use hit::{Hit, Kind, Ray};
pub use micromap::{MicromapArray, State, index as micromap_index};
pub use partition::{Partitioned, Swapped, Written};
pub use serialize::{Structure, deserialize};
pub use top::{Placed, Top, TopInstance};
pub use traversal::Traversal;
pub use vertex::{read as read_vertices, rounded as rounded_vertex};
