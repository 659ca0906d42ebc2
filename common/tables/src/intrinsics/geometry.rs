//! Methods of streams, to which geometry shaders give their vertices.

use super::objects::Object;
use super::pattern::*;
use super::{Expander, Intrinsic, Lower, method};
use crate::stages::StageMask;

const fn stream(name: &'static str, names: &'static str, params: &'static [Param], expander: Expander) -> Intrinsic {
    method(Object::TriangleStream, name, names, params, VOID, Lower::Expand(expander)).stages(StageMask::GS.with_library())
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    stream("Append", "vertex", &[i(Pat::Elem)], Expander::AppendVertex),
    stream("RestartStrip", "", &[], Expander::RestartStrip),
];
