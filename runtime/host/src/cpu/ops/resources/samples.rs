//! Sampling, gathering, and level-of-detail operations.
//!
//! Operations with implicit derivatives compute them in the quad ([`crate::cpu::wave`]).

use super::{ret_nothing, ret_texel, sampler, texel_offset, texture};
use crate::cpu::args::{Args, Scalar};
use crate::cpu::ops::OpFn;
use crate::cpu::resources::image::ImageView;
use crate::cpu::resources::sampler::{self as sampling, Gradients, Lod};
use crate::cpu::thread::Thread;
use crate::cpu::wave;
use crate::device::SamplerDesc;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::tex_offset;

/// The operations.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::SAMPLE, sample_plain),
    (op::SAMPLE_BIAS, sample_bias),
    (op::SAMPLE_LEVEL, sample_level),
    (op::SAMPLE_GRAD, sample_grad),
    (op::SAMPLE_CMP, compare_plain),
    (op::SAMPLE_CMP_BIAS, compare_bias),
    (op::SAMPLE_CMP_LEVEL_ZERO, compare_level_zero),
    (op::SAMPLE_CMP_LEVEL, compare_level),
    (op::SAMPLE_CMP_GRAD, compare_grad),
    (op::TEXTURE_GATHER, gather),
    (op::TEXTURE_GATHER_CMP, gather_compare),
    (op::TEXTURE_GATHER_RAW, gather_raw),
    (op::CALCULATE_LOD, level_of_detail),
];

/// Texture, sampler, four coordinates: common to all operations.
fn both<'m>(thread: &mut Thread<'m>, args: &Args<'_>) -> Option<(ImageView<'m>, &'m SamplerDesc, [f32; 4])> {
    let view = texture(thread, args)?;
    let sampler = sampler(thread, args)?;
    Some((view, sampler, std::array::from_fn(|i| args.f32(2 + i))))
}

fn offset(args: &Args<'_>) -> [i32; 3] {
    texel_offset(args, 6)
}

/// Two offsets of a gather.
fn gather_offset(args: &Args<'_>) -> [i32; 2] {
    [6, 7].map(|n| tex_offset::of_gather(args.i32(n)))
}

/// Two gradients from slot `at` on, and the minimum level after them.
fn gradients(args: &Args<'_>, at: usize) -> Lod {
    let of = Gradients { x: args.f32x3(at), y: args.f32x3(at + 3) };
    Lod::Gradients { of, bias: 0.0, clamp: args.f32(at + 6) }
}

fn sample(thread: &mut Thread<'_>, args: &mut Args<'_>, lod: Lod) {
    match both(thread, args) {
        Some((view, s, coords)) => ret_texel(args, sampling::sample(view, s, coords, offset(args), lod)),
        None => ret_nothing(args),
    }
}

fn compare(thread: &mut Thread<'_>, args: &mut Args<'_>, lod: Lod) {
    let reference = args.f32(9);
    match both(thread, args) {
        Some((view, s, coords)) => {
            let passed = sampling::compare(view, s, coords, offset(args), lod, reference);
            ret_texel(args, [passed.to_bits(); 4]);
        }
        None => ret_nothing(args),
    }
}

/// The derivatives of three coordinates from slot `first` on. All lanes of the quad converge, whatever they sample.
pub(super) fn differences(thread: &mut Thread<'_>, args: &Args<'_>, first: usize) -> Gradients {
    let (x, y) = wave::gradient(thread, args, args.f32x3(first));
    Gradients { x, y }
}

/// …, three offsets, minimum level.
fn sample_plain(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Gradients { of: differences(thread, args, 2), bias: 0.0, clamp: args.f32(9) };
    sample(thread, args, lod);
}

/// …, three offsets, bias, minimum level.
fn sample_bias(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Gradients { of: differences(thread, args, 2), bias: args.f32(9), clamp: args.f32(10) };
    sample(thread, args, lod);
}

/// …, three offsets, reference, minimum level.
fn compare_plain(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Gradients { of: differences(thread, args, 2), bias: 0.0, clamp: args.f32(10) };
    compare(thread, args, lod);
}

/// …, three offsets, reference, bias, minimum level.
fn compare_bias(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Gradients { of: differences(thread, args, 2), bias: args.f32(10), clamp: args.f32(11) };
    compare(thread, args, lod);
}

/// Texture, sampler, three coordinates, whether the level is clamped.
fn level_of_detail(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let of = differences(thread, args, 2);
    let (coords, clamped) = (args.f32x3(2), args.bool(5));
    let level = match both(thread, args) {
        Some((view, s, _)) => sampling::level_of_detail(view, s, coords, of, clamped),
        None => 0.0,
    };
    args.ret_f32(0, level);
}

/// …, three offsets, level.
fn sample_level(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Level(args.f32(9));
    sample(thread, args, lod);
}

/// …, three offsets, x and y gradients, minimum level.
fn sample_grad(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = gradients(args, 9);
    sample(thread, args, lod);
}

/// …, three offsets, reference.
fn compare_level_zero(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    compare(thread, args, Lod::Level(0.0));
}

/// …, three offsets, reference, level.
fn compare_level(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = Lod::Level(args.f32(10));
    compare(thread, args, lod);
}

/// …, three offsets, reference, x and y gradients, minimum level.
fn compare_grad(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let lod = gradients(args, 10);
    compare(thread, args, lod);
}

/// …, two offsets, channel.
fn gather(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (offset, channel) = (gather_offset(args), args.u32(8));
    match both(thread, args) {
        Some((view, s, coords)) => ret_texel(args, sampling::gather(view, s, coords, offset, channel)),
        None => ret_nothing(args),
    }
}

/// …, two offsets, channel, reference.
fn gather_compare(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (offset, channel, reference) = (gather_offset(args), args.u32(8), args.f32(9));
    match both(thread, args) {
        Some((view, s, coords)) => {
            ret_texel(args, sampling::gather_compare(view, s, coords, offset, channel, reference));
        }
        None => ret_nothing(args),
    }
}

/// …, two offsets.
fn gather_raw(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let offset = gather_offset(args);
    let Some((view, s, coords)) = both(thread, args) else { return ret_nothing(args) };
    for (i, bits) in sampling::gather_raw(view, s, coords, offset).into_iter().enumerate() {
        let bits = match args.scalar() {
            Scalar::I16 => bits & 0xffff,
            Scalar::I64 => bits,
            _ => bits & 0xffff_ffff,
        };
        args.ret(i, bits);
    }
    args.ret(4, super::RESIDENT);
}
