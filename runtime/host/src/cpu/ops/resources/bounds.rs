//! Sanitizer checks for out-of-bounds accesses to resources, whose results are defined but rarely intended.
//!
//! Data that an operation reads beyond the request of the shader is exempt: the rest of a constant buffer row, components that
//! are not in the mask.

use super::record;
use crate::cpu::args::Args;
use crate::cpu::resources::buffer::{BufferView, Texels};
use crate::cpu::resources::{Handle, image};
use crate::cpu::thread::Thread;
use rtc_dxil_container::ResourceKind;

/// The sanitizer's kind of these findings.
const BOUNDS: &str = "bounds";

/// Reports an access out of bounds; `text` gets the description of the resource.
#[cold]
fn report(thread: &Thread<'_>, args: &Args<'_>, text: impl FnOnce(&str) -> String) {
    let resource = thread.machine.bindings.name_of(Handle(args.bits(0)), record(thread));
    thread.misuse(BOUNDS, args.shape.site, || text(&resource));
}

/// Checks an access of consecutive components of `width` bytes, of which `last` is the last requested one.
pub(super) fn bytes(thread: &Thread<'_>, args: &Args<'_>, view: &BufferView<'_>, index: u32, offset: u32, width: u32, last: u32) {
    if !thread.is_sanitized() {
        return;
    }
    let len = u64::from(width) * (u64::from(last) + 1);
    let whole = view.size;
    match view.stride {
        0 if u64::from(index) + len > whole => {
            report(thread, args, |name| format!("{len} bytes at {index} of {name}, which has {whole}"));
        }
        0 => {}
        _ if index >= view.elements() => {
            let count = view.elements();
            report(thread, args, |name| format!("element {index} of {name}, which has {count}"));
        }
        stride if u64::from(offset) + len > stride.into() => {
            report(thread, args, |name| format!("{len} bytes at {offset} of an element of {name}, which has {stride}"));
        }
        _ => {}
    }
}

/// Checks a row or bytes of a constant buffer.
pub(super) fn constants(thread: &Thread<'_>, args: &Args<'_>, view: &BufferView<'_>, at: u64) {
    if thread.is_sanitized() && at >= view.size {
        let whole = view.size;
        report(thread, args, |name| format!("byte {at} of {name}, which has {whole}"));
    }
}

/// Checks a texel of a buffer.
pub(super) fn texel(thread: &Thread<'_>, args: &Args<'_>, texels: &Texels<'_>, index: u32) {
    if thread.is_sanitized() && index >= texels.count() {
        let count = texels.count();
        report(thread, args, |name| format!("texel {index} of {name}, which has {count}"));
    }
}

/// Checks a texel of an image. `at` are its coordinates, beginning with those that the dimension has.
#[inline]
pub(super) fn image(thread: &Thread<'_>, args: &Args<'_>, view: &image::ImageView<'_>, level_or_sample: u32, at: [i64; 3]) {
    if thread.is_sanitized() && !view.contains(level_or_sample, at) {
        outside(thread, args, view, level_or_sample, at);
    }
}

#[cold]
fn outside(thread: &Thread<'_>, args: &Args<'_>, view: &image::ImageView<'_>, level_or_sample: u32, at: [i64; 3]) {
    let axes = match view.kind {
        ResourceKind::TextureCubeArray => 3,
        kind => kind.coords() as usize,
    };
    let list = |all: &[String]| all.join(", ");
    let texel = list(&at[..axes].iter().map(i64::to_string).collect::<Vec<_>>());
    let many = view.kind.is_multisampled();
    let level = if many { 0 } else { level_or_sample };
    let sizes = view.dimensions(level);
    report(thread, args, |name| {
        let part = if many { "sample" } else { "level" };
        if sizes[0] == 0 || (many && level_or_sample >= sizes[3]) {
            return format!("{part} {level_or_sample} of {name}, which has {}", sizes[3]);
        }
        let size = sizes[..axes].iter().map(u32::to_string).collect::<Vec<_>>().join(" x ");
        format!("texel ({texel}) of {part} {level_or_sample} of {name}, which has {size}")
    });
}
