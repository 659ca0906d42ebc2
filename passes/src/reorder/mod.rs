//! Reorder points: their positions, the live state across each, and warnings about errors around them.
//!
//! A *reorder point* is an instruction after which the thread may continue in another wave (effect `REORDERS`:
//! `TraceRay`, `CallShader`, `ReportHit`, `HitObject::TraceRay`, `Invoke`, `MaybeReorderThread`), or a call of a
//! function that has one. What is live across it has to be saved to memory or moved between lanes: that is the cost of a
//! reorder.
//!
//! * [`points`] finds them.
//! * [`across`] computes the live state of each ([`live`], over the [`elements`] of the function), and which of it could be
//!   rematerialised ([`remat`]). [`distinct`](distinct()) counts what is part of several values once.
//! * [`groups`] finds traces, reorders and invocations of one hit object that are back to back, or nearly.
//! * [`warnings`] report code that is certainly an error.
//!
//! They are analyses: none changes a module.

mod distinct;
mod elements;
mod groups;
mod live;
mod outcome;
mod points;
pub(crate) mod remat;
mod warn;

pub use distinct::distinct;
pub use elements::{Element, Part};
use groups::made;
pub use groups::{Group, groups};
pub use live::{LivePart, LiveState, LiveValue, across, across_points, bytes_across};
pub use points::{ReorderingFuncs, points};
pub use warn::{is_wave, warnings};
