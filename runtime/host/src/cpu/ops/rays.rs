//! `TraceRay` and ray system values. Most system values are loads in compiled code (`lower`); this file has the rest.

use super::resources::record;
use crate::cpu::accel::{Ray, Top};
use crate::cpu::args::Args;
use crate::cpu::objects::AccelObject;
use crate::cpu::ops::OpFn;
use crate::cpu::resources::handle::Table;
use crate::cpu::resources::{Descriptor, Handle};
use crate::cpu::thread::Thread;
use crate::cpu::trace::{self, Call, Memory};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::ray_flags as flag;

/// The operations.
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::TRACE_RAY, trace_ray),
    (op::REPORT_HIT, report_hit),
    (op::IGNORE_HIT, ignore_hit),
    (op::ACCEPT_HIT_AND_END_SEARCH, accept_hit),
    (op::CALL_SHADER, call_shader),
    (op::OBJECT_TO_WORLD, object_to_world),
    (op::WORLD_TO_OBJECT, world_to_object),
    (op::TRIANGLE_OBJECT_POSITION, triangle_positions),
];

/// A ray in eight arguments from `i` on: origin, minimum distance, direction, maximum distance.
pub fn ray(args: &Args<'_>, i: usize) -> Ray {
    Ray { origin: args.f32x3(i), t_min: args.f32(i + 3), direction: args.f32x3(i + 4), t_max: args.f32(i + 7) }
}

/// The arguments of `TraceRay` after the structure, which is argument 0.
pub fn call(args: &Args<'_>) -> Call {
    Call { flags: args.u32(1), mask: args.u32(2), contribution: args.u32(3), multiplier: args.u32(4), miss: args.u32(5), ray: ray(args, 6) }
}

/// The structure of a handle. `None`: a null descriptor in a heap or record, which no ray hits; or it is unbound or of another
/// type, and the thread fails.
#[inline]
pub fn top<'m>(thread: &mut Thread<'m>, site: u32, handle: u64) -> Option<&'m Top> {
    let (machine, handle) = (thread.machine, Handle(handle));
    let found = match machine.bindings.get(handle, record(thread)) {
        Ok(slot) => slot.descriptor(),
        Err(_) if handle.descriptor().is_some_and(|(table, _)| table != Table::Registers) => return None,
        Err(missing) => {
            thread.fail(site, missing.to_string());
            return None;
        }
    };
    if let Descriptor::Accel(accel) = found
        && let Some(top) = machine.objects.accels.get(*accel).and_then(AccelObject::top)
    {
        return Some(top);
    }
    no_top(thread, site, found.what());
    None
}

#[cold]
fn no_top(thread: &mut Thread<'_>, site: u32, what: &str) {
    thread.fail(site, format!("a ray is traced in {what}, which is not a top-level acceleration structure"));
}

/// Reports mutually exclusive ray flags to the sanitizer.
pub fn check_flags(thread: &Thread<'_>, site: u32, flags: u32) {
    if let Some((a, b)) = flag::conflict(flags) {
        thread.misuse("ray flags", site, || format!("`{a}` and `{b}` are mutually exclusive"));
    }
}

fn trace_ray(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let top = top(thread, args.shape.site, args.bits(0));
    let call = call(args);
    if thread.is_sanitized() {
        check_flags(thread, args.shape.site, call.flags);
    }
    trace::trace_ray(thread, args.shape.site, top, &call, Memory::of(args, 14, 15));
}

fn report_hit(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let attributes = Memory::of(args, 2, 3);
    let said = trace::report(thread, args.shape.site, args.f32(0), args.u32(1), attributes);
    args.ret(0, said as u64);
}

fn ignore_hit(thread: &mut Thread<'_>, _: &mut Args<'_>) {
    trace::ignore(thread);
}

fn accept_hit(thread: &mut Thread<'_>, _: &mut Args<'_>) {
    trace::accept_and_end(thread);
}

fn call_shader(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    trace::call::callable(thread, args.shape.site, args.u32(0), Memory::of(args, 1, 2));
}

fn object_to_world(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    element(thread.view.to_world, args);
}

fn world_to_object(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    element(thread.view.to_object, args);
}

/// The matrix element with the indices in arguments 0 and 1; zero out of range.
fn element(matrix: &trace::ray_state::Matrix, args: &mut Args<'_>) {
    let row = matrix.get(args.u32(0) as usize);
    let value = row.and_then(|r| r.get(args.u32(1) as u8 as usize));
    args.ret_f32(0, value.copied().unwrap_or(0.0));
}

fn triangle_positions(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let view = &thread.view;
    let corners = view.top.and_then(|top| top.corners(view.instance, view.leaf));
    for (i, x) in corners.unwrap_or_default().into_iter().flatten().enumerate() {
        args.ret_f32(i, x);
    }
}
