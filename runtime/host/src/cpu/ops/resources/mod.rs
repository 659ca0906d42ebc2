//! Operations on resources: handles, buffers, textures, samplers.
//!
//! They decode arguments from slots, look up the descriptor of a handle, and call [`crate::cpu::resources`]. A null descriptor,
//! or a descriptor of the wrong type, stops the thread with a message that names the resource.

mod bounds;
mod buffers;
mod feedback;
mod handles;
mod samples;
mod textures;

pub use buffers::OPS as BUFFERS;
pub use feedback::OPS as FEEDBACK;
pub use handles::OPS as HANDLES;
pub use samples::OPS as SAMPLES;
pub use textures::OPS as TEXTURES;

use crate::cpu::args::{Args, Scalar};
use crate::cpu::resources::bindings::Slot;
use crate::cpu::resources::{Descriptor, Handle, Record, buffer, image};
use crate::cpu::thread::Thread;
use crate::device::{Channel, Format, SamplerDesc};
use rtc_base::half;
use rtc_dxil_container::ResourceKind;

/// The local root arguments of the running shader.
pub fn record<'m>(thread: &Thread<'m>) -> Option<&'m Record> {
    let record = thread.rays.record;
    record.layout.and_then(|_| thread.machine.records.get(record.number))
}

/// The descriptor of the handle in slot `i`. `None`: it is null, and the thread stops.
fn slot<'m>(thread: &mut Thread<'m>, args: &Args<'_>, i: usize) -> Option<&'m Slot> {
    let machine = thread.machine;
    match machine.bindings.get(Handle(args.bits(i)), record(thread)) {
        Ok(slot) => Some(slot),
        Err(missing) => {
            thread.fail(args.shape.site, missing.to_string());
            None
        }
    }
}

/// Stops the thread: the descriptor has the wrong type.
#[cold]
fn unlike(thread: &mut Thread<'_>, args: &Args<'_>, i: usize, slot: &Slot) {
    let handle = Handle(args.bits(i));
    let name = thread.machine.bindings.name_of(handle, record(thread));
    let (is, expected) = (slot.descriptor().what(), handle.view().kind);
    thread.fail(args.shape.site, format!("{name} is {is}, expected a {expected}"));
}

/// A resource as the view of a handle.
enum ResourceView<'m> {
    /// Bytes, raw or structured; rows of a constant buffer.
    Bytes(buffer::BufferView<'m>),
    /// Texels.
    Texels(buffer::Texels<'m>),
    /// An image.
    Image(image::ImageView<'m>),
}

/// The view of a descriptor, if it has memory.
fn seen<'m>(slot: &'m Slot, handle: Handle) -> Option<ResourceView<'m>> {
    let view = handle.view();
    match slot.descriptor() {
        Descriptor::Buffer(memory, at) => Some(ResourceView::Bytes(buffer::BufferView::from(memory, *at, view.stride))),
        Descriptor::Texels(memory, format) => Some(ResourceView::Texels(buffer::Texels { memory, format: *format })),
        Descriptor::Image(image) => Some(ResourceView::Image(image.view(view.kind))),
        _ => None,
    }
}

/// The resource in slot 0; the thread stops if it has no memory.
fn resource<'m>(thread: &mut Thread<'m>, args: &Args<'_>) -> Option<ResourceView<'m>> {
    let slot = slot(thread, args, 0)?;
    let found = seen(slot, Handle(args.bits(0)));
    if found.is_none() {
        unlike(thread, args, 0, slot);
    }
    found
}

/// The bytes of the resource in slot 0; the thread stops if it is no buffer.
fn bytes<'m>(thread: &mut Thread<'m>, args: &Args<'_>) -> Option<buffer::BufferView<'m>> {
    bytes_at(thread, args, 0)
}

/// The bytes of the resource in slot `i`.
pub fn bytes_at<'m>(thread: &mut Thread<'m>, args: &Args<'_>, i: usize) -> Option<buffer::BufferView<'m>> {
    let slot = slot(thread, args, i)?;
    match seen(slot, Handle(args.bits(i))) {
        Some(ResourceView::Bytes(view)) => Some(view),
        _ => {
            unlike(thread, args, i, slot);
            None
        }
    }
}

/// The image in slot 0; the thread stops if it is no image.
fn texture<'m>(thread: &mut Thread<'m>, args: &Args<'_>) -> Option<image::ImageView<'m>> {
    texture_at(thread, args, 0)
}

/// The image in slot `i`.
fn texture_at<'m>(thread: &mut Thread<'m>, args: &Args<'_>, i: usize) -> Option<image::ImageView<'m>> {
    let slot = slot(thread, args, i)?;
    match seen(slot, Handle(args.bits(i))) {
        Some(ResourceView::Image(view)) => Some(view),
        _ => {
            unlike(thread, args, i, slot);
            None
        }
    }
}

/// The sampler in slot 1; the thread stops if it is no sampler.
fn sampler<'m>(thread: &mut Thread<'m>, args: &Args<'_>) -> Option<&'m SamplerDesc> {
    let slot = slot(thread, args, 1)?;
    match slot.descriptor() {
        Descriptor::Sampler(sampler) => Some(sampler),
        _ => {
            unlike(thread, args, 1, slot);
            None
        }
    }
}

/// Returns a texel as results 0 to 3, in the type of the operation, and the status: resident.
fn ret_texel(args: &mut Args<'_>, texel: [u32; 4]) {
    let scalar = args.scalar();
    for (i, x) in texel.into_iter().enumerate() {
        let bits = match scalar {
            Scalar::F16 => half::from_f32(f32::from_bits(x)).into(),
            Scalar::I16 => x & 0xffff,
            _ => x,
        };
        args.ret(i, bits.into());
    }
    args.ret(4, RESIDENT);
}

/// The status of a fully resident access.
pub const RESIDENT: u64 = 1;

/// Results of an access to a null descriptor: zeros, resident.
fn ret_nothing(args: &mut Args<'_>) {
    args.slots().fill(0);
}

/// Four values from slot `first` on, converted for a texel of that format.
fn texel(args: &Args<'_>, first: usize, format: Format) -> [u32; 4] {
    let values = [args.u32(first), args.u32(first + 1), args.u32(first + 2), args.u32(first + 3)];
    match args.scalar() {
        Scalar::F16 => values.map(|x| half::to_f32(x as u16).to_bits()),
        Scalar::I16 if format.channel() == Channel::Sint32 => values.map(|x| x as i16 as i32 as u32),
        Scalar::I16 => values.map(|x| x & 0xffff),
        _ => values,
    }
}

/// The three texel offsets from slot `at` on, of a load or a sample.
fn texel_offset(args: &Args<'_>, at: usize) -> [i32; 3] {
    [at, at + 1, at + 2].map(|n| rtc_tables::tex_offset::of_texel(args.i32(n)))
}

/// Whether a kind of resource has counters.
fn has_counter(kind: ResourceKind) -> bool {
    matches!(kind, ResourceKind::StructuredBuffer | ResourceKind::Invalid)
}
