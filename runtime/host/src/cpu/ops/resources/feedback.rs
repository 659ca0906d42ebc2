//! Sampler feedback: records which texels sampling would read.

use super::samples::differences;
use super::{slot, texture_at, unlike};
use crate::cpu::args::Args;
use crate::cpu::ops::OpFn;
use crate::cpu::resources::Descriptor;
use crate::cpu::resources::sampler::{self as sampling, Gradients, Lod};
use crate::cpu::thread::Thread;
use rtc_tables::dxil_ops::{DxOp, op};

/// The operations.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::WRITE_SAMPLER_FEEDBACK, plain),
    (op::WRITE_SAMPLER_FEEDBACK_BIAS, bias),
    (op::WRITE_SAMPLER_FEEDBACK_LEVEL, level),
    (op::WRITE_SAMPLER_FEEDBACK_GRAD, grad),
];

/// Map, texture, sampler, four coordinates: common to all operations.
fn write(thread: &mut Thread<'_>, args: &mut Args<'_>, lod: Lod) {
    let Some(found) = slot(thread, args, 0) else { return };
    let Descriptor::Feedback(map) = found.descriptor() else { return unlike(thread, args, 0, found) };
    let Some(view) = texture_at(thread, args, 1) else { return };
    let Some(found) = slot(thread, args, 2) else { return };
    let Descriptor::Sampler(sampler) = found.descriptor() else { return unlike(thread, args, 2, found) };
    if !map.is_of(view.image) {
        thread.fail(args.shape.site, "sampler feedback is written with a texture that is not paired with the map".into());
        return;
    }
    let coords = std::array::from_fn(|i| args.f32(3 + i));
    sampling::wanted(view, sampler, coords, lod, &mut |level, texel| map.record(level, texel));
}

/// …, minimum level.
fn plain(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Gradients { of: differences(thread, args, 3), bias: 0.0, clamp: args.f32(7) };
    write(thread, args, lod);
}

/// …, bias, minimum level.
fn bias(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Gradients { of: differences(thread, args, 3), bias: args.f32(7), clamp: args.f32(8) };
    write(thread, args, lod);
}

/// …, level.
fn level(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Level(args.f32(7));
    write(thread, args, lod);
}

/// …, x and y gradients, minimum level.
fn grad(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let of = Gradients { x: args.f32x3(7), y: args.f32x3(10) };
    let lod = Lod::Gradients { of, bias: 0.0, clamp: args.f32(13) };
    write(thread, args, lod);
}
