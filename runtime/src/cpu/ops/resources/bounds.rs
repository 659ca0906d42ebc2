//! For the sanitizer: accesses that lie outside of a resource. They have a result, but seldom one that somebody meant.
//!
//! What an operation reads beside what the shader asked for is no mistake: the rest of a row of constants, components that are
//! not in the mask.

use super::record;
use crate::cpu::args::Args;
use crate::cpu::resources::buffer::{Texels, View};
use crate::cpu::resources::{Handle, image};
use crate::cpu::thread::Thread;
use rtc_dxil_container::ResourceKind;

/// What the sanitizer calls these.
const BOUNDS: &str = "bounds";

/// Tells that an access lies outside; `text` gets the resource in words.
#[cold]
fn tell(thread: &Thread<'_>, args: &Args<'_>, text: impl FnOnce(&str) -> String) {
    let resource = thread.machine.bindings.name_of(Handle(args.bits(0)), record(thread));
    thread.misuse(BOUNDS, args.shape.site, || text(&resource));
}

/// An access of consecutive components of `width` bytes, of which the last wanted one is number `last`.
pub(super) fn bytes(thread: &Thread<'_>, args: &Args<'_>, view: &View<'_>, index: u32, offset: u32, width: u32, last: u32) {
    if !thread.watched() {
        return;
    }
    let len = u64::from(width) * (u64::from(last) + 1);
    let whole = view.size;
    match view.stride {
        0 if u64::from(index) + len > whole => {
            tell(thread, args, |name| format!("{len} bytes at {index} of {name}, which has {whole}"));
        }
        0 => {}
        _ if index >= view.elements() => {
            let count = view.elements();
            tell(thread, args, |name| format!("element {index} of {name}, which has {count}"));
        }
        stride if u64::from(offset) + len > stride.into() => {
            tell(thread, args, |name| format!("{len} bytes at {offset} of an element of {name}, which has {stride}"));
        }
        _ => {}
    }
}

/// A row of constants, or bytes of them.
pub(super) fn constants(thread: &Thread<'_>, args: &Args<'_>, view: &View<'_>, at: u64) {
    if thread.watched() && at >= view.size {
        let whole = view.size;
        tell(thread, args, |name| format!("byte {at} of {name}, which has {whole}"));
    }
}

/// A texel of a buffer.
pub(super) fn texel(thread: &Thread<'_>, args: &Args<'_>, texels: &Texels<'_>, index: u32) {
    if thread.watched() && index >= texels.count() {
        let count = texels.count();
        tell(thread, args, |name| format!("texel {index} of {name}, which has {count}"));
    }
}

/// A texel of an image. `at` are its coordinates, those that the kind has first.
#[inline]
pub(super) fn image(thread: &Thread<'_>, args: &Args<'_>, view: &image::View<'_>, level_or_sample: u32, at: [i64; 3]) {
    if thread.watched() && !view.contains(level_or_sample, at) {
        outside(thread, args, view, level_or_sample, at);
    }
}

#[cold]
fn outside(thread: &Thread<'_>, args: &Args<'_>, view: &image::View<'_>, level_or_sample: u32, at: [i64; 3]) {
    let axes = match view.kind {
        ResourceKind::TextureCubeArray => 3,
        kind => kind.coords() as usize,
    };
    let list = |all: &[String]| all.join(", ");
    let texel = list(&at[..axes].iter().map(i64::to_string).collect::<Vec<_>>());
    let many = view.kind.is_multisampled();
    let level = if many { 0 } else { level_or_sample };
    let sizes = view.dimensions(level);
    tell(thread, args, |name| {
        let part = if many { "sample" } else { "level" };
        if sizes[0] == 0 || (many && level_or_sample >= sizes[3]) {
            return format!("{part} {level_or_sample} of {name}, which has {}", sizes[3]);
        }
        let size = sizes[..axes].iter().map(u32::to_string).collect::<Vec<_>>().join(" x ");
        format!("texel ({texel}) of {part} {level_or_sample} of {name}, which has {size}")
    });
}
