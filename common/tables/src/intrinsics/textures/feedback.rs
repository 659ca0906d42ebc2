//! Sampler feedback: methods that record which texels of a partially resident texture sampling would access.

use super::super::objects::Object as O;
use super::super::pattern::*;
use super::super::{Expander as X, Intrinsic, Lower, Target, method};
use super::{F, SAMPLER, fv};
use crate::stages::StageMask;

const T2: Param = i(Pat::Object(O::Texture2D));
const T2A: Param = i(Pat::Object(O::Texture2DArray));

const fn m(o: O, name: &'static str, names: &'static str, params: &'static [Param], x: X) -> Intrinsic {
    method(o, name, names, params, VOID, Lower::Expand(x)).sm(5).missing(Target::Spirv, "Vulkan has no sampler feedback")
}
/// A method that takes derivatives between threads: legal in pixel shaders, and in functions that those call.
const fn derived(o: O, name: &'static str, names: &'static str, params: &'static [Param], x: X) -> Intrinsic {
    let alternative = "`WriteSamplerFeedbackLevel` or `WriteSamplerFeedbackGrad`";
    method(o, name, names, params, VOID, Lower::Expand(x))
        .sm(5)
        .stages(StageMask::PS.union(StageMask::LIB))
        .without_derivatives(alternative)
        .missing(Target::Spirv, "Vulkan has no sampler feedback")
}

#[rustfmt::skip]
macro_rules! maps {
    ($($t:ident $of:ident $c:literal),*) => { &[$(
        derived(O::$t, "WriteSamplerFeedback", "t s x", const { &[$of, SAMPLER, fv($c)] }, X::Feedback),
        derived(O::$t, "WriteSamplerFeedback", "t s x clamp", const { &[$of, SAMPLER, fv($c), F] }, X::Feedback),
        derived(O::$t, "WriteSamplerFeedbackBias", "t s x bias", const { &[$of, SAMPLER, fv($c), F] }, X::FeedbackBias),
        derived(O::$t, "WriteSamplerFeedbackBias", "t s x bias clamp", const { &[$of, SAMPLER, fv($c), F, F] }, X::FeedbackBias),
        m(O::$t, "WriteSamplerFeedbackGrad", "t s x ddx ddy", const { &[$of, SAMPLER, fv($c), fv(2), fv(2)] }, X::FeedbackGrad),
        m(O::$t, "WriteSamplerFeedbackGrad", "t s x ddx ddy clamp", const { &[$of, SAMPLER, fv($c), fv(2), fv(2), F] }, X::FeedbackGrad),
        m(O::$t, "WriteSamplerFeedbackLevel", "t s x lod", const { &[$of, SAMPLER, fv($c), F] }, X::FeedbackLevel),
    )*] };
}

/// The rows of this family.
pub const ROWS: &[Intrinsic] = maps!(FeedbackTexture2D T2 2, FeedbackTexture2DArray T2A 3);
