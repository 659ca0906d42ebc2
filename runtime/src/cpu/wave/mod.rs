//! Threads that meet: waves, groups, barriers.
//!
//! ```text
//! launch: groups, waves of rays ─► group: each lane on its own stack, in turn ─► shader ─► operation
//!                                    ▲  all wait: those at the first place act ◄── meet: stops with place and values
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`launch`] | thread groups and waves of rays over all cores |
//! | [`group`] | runs the lanes of a group until all are done |
//! | [`meet`] | the lane's side: where it is, stopping, going on |
//! | [`set`] | the lanes that act together, and what operations do with their values |
//! | [`number`] | arithmetic on the bits of any scalar type |
//! | [`quads`] | four lanes: who they are, differences between them |
//!
//! All lanes of a group share one OS thread: nothing of a group happens at the same time. A lane runs until it stops at an
//! operation at which lanes meet. When all lanes of a wave have stopped or are done, those at the first place in the order
//! of the program go on together (`lower/converge.rs` says what a place is). A shader without such operations never
//! comes here.

pub mod group;
mod launch;
mod meet;
pub mod number;
pub mod quads;
pub mod set;

pub use group::{Look, Looker};
pub use launch::{groups, needed, rays, watched_rays};
pub use meet::{Mark, Meet, act, barrier, note, stand};
