//! Creation and annotation of resource handles: by variable, register or heap index.

use super::record;
use crate::cpu::args::Args;
use crate::cpu::ops::OpFn;
use crate::cpu::resources::Handle;
use crate::cpu::resources::handle::ViewDesc;
use crate::cpu::thread::Thread;
use rtc_dxil_container::ResourceClass;
use rtc_tables::dxil_ops::{DxOp, op};

/// The operations.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::CREATE_HANDLE, create),
    (op::CREATE_HANDLE_FOR_LIB, for_lib),
    (op::CREATE_HANDLE_FROM_BINDING, from_binding),
    (op::CREATE_HANDLE_FROM_HEAP, from_heap),
    (op::ANNOTATE_HANDLE, annotate),
];

/// The class of a DXIL class number: SRV, UAV, CBV, sampler.
fn class(number: u64) -> Option<ResourceClass> {
    ResourceClass::ALL.iter().copied().find(|c| u64::from(c.number()) == number & 0xff)
}

/// Class, index in the class, register, non-uniform flag.
fn create(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let bindings = thread.machine.bindings;
    let handle = class(args.bits(0)).map_or(Handle::default(), |c| bindings.handle_of(c, args.u32(1), args.u32(2)));
    args.ret(0, handle.0);
}

/// The resource, by its index in the program, and its array element.
fn for_lib(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let resource = usize::try_from(args.bits(0)).unwrap_or(usize::MAX);
    let handle = thread.machine.bindings.handle(resource, args.bits(1), record(thread));
    args.ret(0, handle.0);
}

/// First register, last register, space, class; register, non-uniform flag.
fn from_binding(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (lower, space, register) = (args.u32(0), args.u32(2), args.u32(4));
    let bindings = thread.machine.bindings;
    let handle = class(args.bits(3)).map(|c| bindings.handle_at(lower, c, space, register, record(thread)));
    args.ret(0, handle.unwrap_or_default().0);
}

/// Index, sampler heap flag, non-uniform flag.
fn from_heap(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let handle = thread.machine.bindings.handle_in_heap(args.u32(0), args.bool(1));
    args.ret(0, handle.0);
}

/// Handle, two words of properties.
fn annotate(_: &mut Thread<'_>, args: &mut Args<'_>) {
    let look = ViewDesc::annotated(args.u32(1), args.u32(2));
    let handle = Handle(args.bits(0)).with_view(look);
    args.ret(0, handle.0);
}
