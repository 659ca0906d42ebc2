//! Waves and thread groups: threads that communicate by wave operations and barriers.
//!
//! ```text
//! launch: groups, waves of rays ─► group: each lane is a coroutine ─► shader ─► operation
//!                                    ▲  all suspended: those at the smallest position run ◄── convergence: suspends with position and values
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`launch`] | thread groups and waves of rays over all cores |
//! | [`scheduler`] | the lane scheduler of a group |
//! | [`convergence`] | the convergence state of a lane: position, suspension, resumption |
//! | [`suspend`] | suspension of threads at convergence points |
//! | [`lane_ops`] | wave operations on the values of the active lanes |
//! | [`scalar`] | scalar arithmetic on bits |
//! | [`shared`] | group-shared memory by address, for operations of the runtime |
//! | [`quads`] | quads: lane indices, derivatives |
//!
//! All lanes of a group share one OS thread, so nothing in a group runs concurrently. A lane runs until it suspends at a
//! convergence point. When all lanes of a wave are suspended or have returned, those at the smallest position in program order
//! continue together (`lower/convergence.rs` defines positions). A shader without such operations does not use this module.

mod convergence;
pub mod lane_ops;
mod launch;
pub mod quads;
pub mod scalar;
pub mod scheduler;
pub mod shared;
mod suspend;

pub use convergence::{Convergence, Mark};
pub use launch::{groups, needed, rays, watched_rays};
pub use scheduler::{Observation, Observe, Observer};
pub use suspend::{act, act_with, barrier, end, exchange_in_group, gradient, note, observe};
