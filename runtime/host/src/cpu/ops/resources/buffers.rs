//! Raw, structured, typed and constant buffers; atomics and counters.
//!
//! Up to shader model 6.2 `bufferLoad` reads raw and structured buffers too, in words.

use super::{RESIDENT, ResourceView, bounds, bytes, has_counter, resource, ret_nothing, ret_texel, slot, texel, unlike};
use crate::cpu::args::{Args, Scalar};
use crate::cpu::ops::OpFn;
use crate::cpu::resources::buffer::BufferView;
use crate::cpu::resources::{Descriptor, Handle};
use crate::cpu::thread::Thread;
use rtc_base::half;
use rtc_dxil_container::ResourceKind;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::resources::AtomicOp;
use std::sync::atomic::Ordering::Relaxed;

/// The operations.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::BUFFER_LOAD, load),
    (op::BUFFER_STORE, store),
    (op::RAW_BUFFER_LOAD, raw_load),
    (op::RAW_BUFFER_STORE, raw_store),
    (op::RAW_BUFFER_VECTOR_LOAD, vector_load),
    (op::RAW_BUFFER_VECTOR_STORE, vector_store),
    (op::CBUFFER_LOAD, constant),
    (op::CBUFFER_LOAD_LEGACY, constant_row),
    (op::ATOMIC_BIN_OP, atomic),
    (op::ATOMIC_COMPARE_EXCHANGE, compare_exchange),
    (op::BUFFER_UPDATE_COUNTER, counter),
    (op::CHECK_ACCESS_FULLY_MAPPED, fully_mapped),
];

/// Size of a component in memory.
fn width(args: &Args<'_>) -> u32 {
    args.scalar().size().clamp(1, 8)
}

/// The last component in a mask.
fn last(mask: u64) -> u32 {
    (u64::BITS - mask.leading_zeros()).saturating_sub(1)
}

/// Handle, index, offset in the element.
fn load(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (index, offset) = (args.u32(1), args.u32(2));
    match resource(thread, args) {
        Some(ResourceView::Texels(t)) => {
            bounds::texel(thread, args, &t, index);
            ret_texel(args, t.load(index));
        }
        Some(ResourceView::Bytes(view)) => {
            let view = rows(args, view);
            // The operation does not state the requested components.
            bounds::bytes(thread, args, &view, index, offset, width(args), 0);
            ret_words(args, view, index, offset, 4);
        }
        // Textures are read with `textureLoad`; the validator has checked it.
        Some(ResourceView::Image(_)) | None => ret_nothing(args),
    }
}

/// A `tbuffer` is indexed in rows of 16 bytes, like a constant buffer.
fn rows<'m>(args: &Args<'_>, view: BufferView<'m>) -> BufferView<'m> {
    match Handle(args.bits(0)).view().kind {
        ResourceKind::TBuffer => BufferView { stride: 16, ..view },
        _ => view,
    }
}

/// Loads `count` components as results, with the status after all four.
fn ret_words(args: &mut Args<'_>, view: BufferView<'_>, index: u32, offset: u32, count: usize) {
    let mut out = [0; 4];
    view.load(index, offset, width(args), &mut out[..count]);
    for (i, x) in out.into_iter().enumerate() {
        args.ret(i, x);
    }
    args.ret(4, RESIDENT);
}

/// Handle, index, offset in the element, four values, mask.
fn store(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (index, offset, mask) = (args.u32(1), args.u32(2), args.bits(7) & 0xf);
    match resource(thread, args) {
        Some(ResourceView::Texels(t)) => {
            bounds::texel(thread, args, &t, index);
            t.store(index, texel(args, 3, t.format), mask as u8);
        }
        Some(ResourceView::Bytes(view)) => {
            bounds::bytes(thread, args, &view, index, offset, width(args), last(mask));
            let values: [u64; 4] = std::array::from_fn(|i| args.bits(3 + i));
            view.store(index, offset, width(args), &values, mask);
        }
        Some(ResourceView::Image(_)) | None => {}
    }
}

/// Handle, index, offset in the element, mask, alignment.
fn raw_load(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (index, offset, mask) = (args.u32(1), args.u32(2), args.u32(3) & 0xf);
    match bytes(thread, args) {
        // Components that are not requested are not checked.
        Some(view) => {
            let (view, last) = (rows(args, view), last(mask.into()));
            bounds::bytes(thread, args, &view, index, offset, width(args), last);
            ret_words(args, view, index, offset, last as usize + 1);
        }
        None => ret_nothing(args),
    }
}

/// Handle, index, offset in the element, four values, mask, alignment.
fn raw_store(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (index, offset, mask) = (args.u32(1), args.u32(2), args.bits(7) & 0xf);
    if let Some(view) = bytes(thread, args) {
        bounds::bytes(thread, args, &view, index, offset, width(args), last(mask));
        let values: [u64; 4] = std::array::from_fn(|i| args.bits(3 + i));
        view.store(index, offset, width(args), &values, mask);
    }
}

/// Handle, index, offset in the element, alignment.
fn vector_load(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (index, offset, bytes_each) = (args.u32(1), args.u32(2), width(args));
    let (count, status) = match args.lanes() {
        0 => (1, 4),
        n => (n, n),
    };
    let Some(view) = bytes(thread, args) else { return ret_nothing(args) };
    bounds::bytes(thread, args, &view, index, offset, bytes_each, count as u32 - 1);
    let slots = args.slots();
    let count = count.min(slots.len());
    view.load(index, offset, bytes_each, &mut slots[..count]);
    args.ret(status, RESIDENT);
}

/// Handle, index, offset in the element, components, alignment.
fn vector_store(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (index, offset, bytes_each, count) = (args.u32(1), args.u32(2), width(args), args.lanes().max(1));
    if let Some(view) = bytes(thread, args) {
        bounds::bytes(thread, args, &view, index, offset, bytes_each, count as u32 - 1);
        let values = args.slots().get(3..3 + count).unwrap_or(&[]);
        view.store(index, offset, bytes_each, values, u64::MAX);
    }
}

/// Handle, byte offset, alignment.
fn constant(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (at, bytes_each) = (args.u32(1), width(args));
    let Some(view) = bytes(thread, args) else { return ret_nothing(args) };
    bounds::constants(thread, args, &view, at.into());
    args.ret(0, view.bits(at.into(), bytes_each));
}

/// Handle, row. Without native 16-bit types, 16-bit components are words in memory, four per row.
fn constant_row(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let row = args.u32(1);
    let narrow = args.scalar().size() == 2 && args.slots().len() < 8;
    let scalar = args.scalar();
    let bytes_each = if narrow { 4 } else { width(args) };
    let Some(view) = bytes(thread, args) else { return ret_nothing(args) };
    bounds::constants(thread, args, &view, u64::from(row) * 16);
    let mut out = [0; 8];
    view.row(row, bytes_each, &mut out);
    for (i, x) in out.into_iter().take(16 / bytes_each as usize).enumerate() {
        let x = match scalar {
            Scalar::F16 if narrow => half::from_f32(f32::from_bits(x as u32)).into(),
            _ if narrow => x & 0xffff,
            _ => x,
        };
        args.ret(i, x);
    }
}

fn check_atomic(thread: &Thread<'_>, args: &Args<'_>, resource: Option<&ResourceView<'_>>, at: [u32; 3]) {
    match resource {
        Some(ResourceView::Bytes(view)) => bounds::bytes(thread, args, view, at[0], at[1], width(args), 0),
        Some(ResourceView::Texels(t)) => bounds::texel(thread, args, t, at[0]),
        Some(ResourceView::Image(view)) => bounds::image(thread, args, view, 0, at.map(i64::from)),
        None => {}
    }
}

/// Handle, operation, three coordinates, operand.
fn atomic(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let op = AtomicOp::from_number(args.u32(1)).unwrap_or(AtomicOp::Exchange);
    let at = [args.u32(2), args.u32(3), args.u32(4)];
    let operand = args.bits(5);
    let resource = resource(thread, args);
    check_atomic(thread, args, resource.as_ref(), at);
    let old = match (resource, args.scalar()) {
        (Some(ResourceView::Bytes(view)), Scalar::I64) => view.atomic_u64(at[0], at[1], op, operand),
        (Some(ResourceView::Bytes(view)), _) => view.atomic_u32(at[0], at[1], op, operand as u32).into(),
        (Some(ResourceView::Texels(t)), Scalar::I64) => t.atomic(8).map_or(0, |v| v.atomic_u64(at[0], 0, op, operand)),
        (Some(ResourceView::Texels(t)), _) => t.atomic(4).map_or(0, |v| v.atomic_u32(at[0], 0, op, operand as u32)).into(),
        (Some(ResourceView::Image(image)), Scalar::I64) => image.atomic_u64(at, op, operand),
        (Some(ResourceView::Image(image)), _) => image.atomic_u32(at, op, operand as u32).into(),
        (None, _) => 0,
    };
    args.ret(0, old);
}

/// Handle, three coordinates, comparand, replacement.
fn compare_exchange(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let at = [args.u32(1), args.u32(2), args.u32(3)];
    let (compare, new) = (args.bits(4), args.bits(5));
    let (compare32, new32) = (compare as u32, new as u32);
    let resource = resource(thread, args);
    check_atomic(thread, args, resource.as_ref(), at);
    let old = match (resource, args.scalar()) {
        (Some(ResourceView::Bytes(v)), Scalar::I64) => v.compare_exchange_u64(at[0], at[1], compare, new),
        (Some(ResourceView::Bytes(v)), _) => v.compare_exchange_u32(at[0], at[1], compare32, new32).into(),
        (Some(ResourceView::Texels(t)), Scalar::I64) => t.atomic(8).map_or(0, |v| v.compare_exchange_u64(at[0], 0, compare, new)),
        (Some(ResourceView::Texels(t)), _) => t.atomic(4).map_or(0, |v| v.compare_exchange_u32(at[0], 0, compare32, new32)).into(),
        (Some(ResourceView::Image(image)), Scalar::I64) => image.compare_exchange_u64(at, compare, new),
        (Some(ResourceView::Image(image)), _) => image.compare_exchange_u32(at, compare32, new32).into(),
        (None, _) => 0,
    };
    args.ret(0, old);
}

/// Handle, 1 or -1. An increment returns the old value, a decrement the new one.
fn counter(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let up = args.bits(1) as i8 >= 0;
    let Some(slot) = slot(thread, args, 0) else { return ret_nothing(args) };
    if !matches!(slot.descriptor(), Descriptor::Buffer(..)) || !has_counter(Handle(args.bits(0)).view().kind) {
        unlike(thread, args, 0, slot);
        return ret_nothing(args);
    }
    let value = match up {
        true => slot.counter.fetch_add(1, Relaxed),
        false => slot.counter.fetch_sub(1, Relaxed).wrapping_sub(1),
    };
    args.ret_u32(0, value);
}

/// Status.
fn fully_mapped(_: &mut Thread<'_>, args: &mut Args<'_>) {
    args.ret_bool(0, true);
}
