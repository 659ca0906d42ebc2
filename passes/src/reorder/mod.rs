//! Reorder points: where they are, what is live across each, what a program does wrong around them.
//!
//! A *reorder point* is an instruction after which the thread may go on in another wave (effect `REORDERS`:
//! `TraceRay`, `CallShader`, `ReportHit`, `HitObject::TraceRay`, `Invoke`, `MaybeReorderThread`), or a call of a
//! function that has one. What is needed after it and was there before has to be carried across, by saving it
//! to memory or by moving it between lanes: that is what a reorder costs.
//!
//! * [`points`] finds them.
//! * [`across`] says what is live across each ([`live`], over the [`elements`] of the function), and what of it could as
//!   well be computed again ([`recompute`]).
//! * [`groups`] finds traces, reorders and invokes of one hit object that stand back to back, or nearly.
//! * [`warnings`] are about what cannot be meant.
//!
//! Nothing here changes a module.

mod bits;
mod elements;
mod groups;
mod live;
mod outcome;
mod points;
pub(crate) mod recompute;
mod warn;

pub use elements::{Element, Part};
use groups::made;
pub use groups::{Group, groups};
pub use live::{LivePart, LiveState, LiveValue, across, across_points, bytes_across};
pub use points::{Moving, points};
pub use warn::warnings;
