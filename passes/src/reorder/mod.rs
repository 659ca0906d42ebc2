//! Reorder points: where they are, what is live across each, what a program does wrong around them.
//!
//! A *reorder point* is an instruction after which the thread may go on in another wave (effect `MOVES_PLACE`:
//! `TraceRay`, `CallShader`, `ReportHit`, `HitObject::TraceRay`, `Invoke`, `MaybeReorderThread`), or a call of a
//! function that has one. What is needed after it and was there before has to be carried across, by saving it
//! to memory or by moving it between lanes: that is what a reorder costs.
//!
//! * [`points`] finds them.
//! * [`across`] says what is live across each ([`live`], over the [`elements`] of the function), and what of it could as
//!   well be computed again ([`recompute`]).
//!
//! Nothing here changes a module.

mod elements;
mod live;
mod points;
mod recompute;

pub use elements::{Element, Part};
pub use live::{LivePart, LiveState, LiveValue, across, across_points, bytes_across};
pub use points::{Moving, points};
