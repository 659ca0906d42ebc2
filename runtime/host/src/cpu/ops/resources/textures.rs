//! Texel loads and stores, dimensions, sample positions.

use super::{ResourceView, bounds, record, ret_nothing, ret_texel, seen, texel, texel_offset, texture};
use crate::cpu::args::Args;
use crate::cpu::ops::OpFn;
use crate::cpu::resources::{Handle, image};
use crate::cpu::thread::Thread;
use rtc_tables::dxil_ops::{DxOp, op};

/// The operations.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::TEXTURE_LOAD, load),
    (op::TEXTURE_STORE, store),
    (op::TEXTURE_STORE_SAMPLE, store_sample),
    (op::GET_DIMENSIONS, dimensions),
    (op::TEXTURE_2DMS_GET_SAMPLE_POSITION, sample_position),
];

/// Handle, level or sample, three coordinates, three offsets.
fn load(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let coords = [args.i32(2), args.i32(3), args.i32(4)];
    let offset = texel_offset(args, 5);
    match texture(thread, args) {
        Some(view) => {
            let part = args.u32(1);
            bounds::image(thread, args, &view, part, view.moved(coords, offset));
            ret_texel(args, view.load(part, coords, offset));
        }
        None => ret_nothing(args),
    }
}

/// Handle, three coordinates, four values, mask.
fn store(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    store_in(thread, args, 0);
}

/// Handle, three coordinates, four values, mask, sample.
fn store_sample(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    store_in(thread, args, args.u32(9));
}

fn store_in(thread: &mut Thread<'_>, args: &mut Args<'_>, sample: u32) {
    let coords = [args.u32(1), args.u32(2), args.u32(3)];
    if let Some(view) = texture(thread, args) {
        let value = texel(args, 4, view.image.desc().format);
        bounds::image(thread, args, &view, sample, coords.map(i64::from));
        view.store(sample, coords, value, args.bits(8) as u8 & 0xf);
    }
}

/// Handle, level. A null descriptor has zero size, which shaders test for.
fn dimensions(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (handle, level) = (Handle(args.bits(0)), args.u32(1));
    let slot = thread.machine.bindings.get(handle, record(thread));
    let sizes = match slot.ok().and_then(|slot| seen(slot, handle)) {
        Some(ResourceView::Image(view)) => view.dimensions(level),
        Some(ResourceView::Texels(t)) => [t.count(), 0, 0, 0],
        Some(ResourceView::Bytes(view)) => [view.dimension(), view.stride, 0, 0],
        None => [0; 4],
    };
    for (i, size) in sizes.into_iter().enumerate() {
        args.ret_u32(i, size);
    }
}

/// Handle, sample.
fn sample_position(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let index = args.u32(1);
    let samples = texture(thread, args).map_or(0, |view| view.image.desc().samples);
    let [x, y] = image::sample_position(samples, index);
    args.ret_f32(0, x);
    args.ret_f32(1, y);
}
